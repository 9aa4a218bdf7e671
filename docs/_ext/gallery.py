"""The gallery: the models of gallery.toml, each with its picture and the answers that its file promises."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from definition_pages import model_anchor
from try_it import try_line

from verifier.model import read
from verifier.model.library import models_folder
from verifier.show.pages import unique
from verifier.show.worlds import worlds

PAGE = "gallery.md"
MODELS: Mapping[str, str] = {
    one["name"]: one["text"]
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["model"]
}
"""The models, by their names, each with what its picture shows."""
HEAD = """\
# A gallery of ten models

Each box of a picture is a world: a database that can occur. Its area is its probability, and its colour is the
published output. Frames hold the worlds that NP compares, and arrows lead to what CDP compares. The bars below show
what the attacker believes, before and after.

The tables have the answers that the model files promise, and the tests of pkdp decide each of them again. To draw a
model of yours, write `pkdp check MODEL --picture worlds.svg`, or in Python `pk.worlds(model).save("worlds.svg")`.
"""


def pages(*, explorer: bool = False) -> Iterator[tuple[str, str]]:
    """The one page; with the `explorer` each model can be tried in the browser."""
    yield PAGE, "\n\n".join([HEAD.rstrip(), *(section(name, explorer=explorer) for name in MODELS)]) + "\n"


def section(name: str, *, explorer: bool) -> str:
    """One model: its title, what its picture shows, the picture, and its answers."""
    path = models_folder() / f"{name}.toml"
    text = path.read_text(encoding="utf-8")
    file, drawn, anchor = tomllib.loads(text), worlds(read(path)), model_anchor(name)
    svg = unique(drawn.svg, anchor)
    parts = (
        f"## {file['title']}",
        MODELS[name],
        f"```{{raw}} html\n<figure class='attack'>{svg}<figcaption>{drawn.caption}</figcaption></figure>\n```",
        answers(file),
        f"[The model file](#{anchor}): `pkdp check {name}`.",
        try_line(PAGE, text) if explorer else "",
    )
    return "\n\n".join(filter(None, parts))


def answers(file: Mapping[str, Any]) -> str:
    """What the file promises about definitions, as a table: a row for each definition and ε."""
    asked = [one for one in file["expect"] if one["definition"] != "acceptable"]
    head = ("definition", "asked at ε", "smallest ε", "smallest δ")
    cells = (
        (f"`{one['definition']}`", *(one.get(key, "–") for key in ("epsilon", "tight_epsilon", "tight_delta")))
        for one in asked
    )
    rows = (escape(f"| {' | '.join(row)} |", quote=False) for row in (head, ["---"] * len(head), *cells))
    return "\n".join(rows)
