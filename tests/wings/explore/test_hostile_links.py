"""Hostile links, without a browser: what the page's script makes of each, and what the program answers."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which
from time import process_time
from typing import Any

import pytest
from hostile_links import KINDS, bombs, hostile_links, mutation_of, packed

from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.wings import explore
from verifier.wings.explore.links import LONGEST, explorer_link, model_fragment
from verifier.wings.explore.problems import MOST_SECONDS
from verifier.wings.explore.routes import Session, examples
from verifier.wings.explore.server import MAX_BODY

STATIC = Path(explore.__file__).parent / "static"
DECODE = Path(__file__).parents[2] / "helpers" / "decode_links.mjs"
BLOCK, BLOCKS = 130, 12
"""Links of one case, ten of each kind, and how many cases: 1,560 links, of which many thousands found no more."""
AHEAD = 2 << 20
"""Bytes that may be unpacked beyond the limit before the reading stops: one piece of the packed link makes so many."""
MOST_MILLISECONDS = 5_000
"""How long the page's script may work on one link; the longest took 330 on two cores."""
LARGE = "_large"
"""Models that are too large for the program answer late, or not before its time limit: a browser looks at these."""


def decoded(links: list[str]) -> list[dict[str, Any]]:
    """What `link.js` makes of each link: the model it held, or why it was refused; it has changed nothing else."""
    if which("node") is None:
        pytest.skip("node is not installed: it runs the page's script (Debian: apt install nodejs)")
    done = subprocess.run(
        ["node", str(DECODE), str(STATIC / "link.js")],
        input=json.dumps(links),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout)
    assert said["changed"] == []
    assert "hit" not in said["globals"]
    return list(said["found"])


@pytest.mark.sweep(BLOCKS)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_hostile_link_is_refused_or_holds_a_model_to_ask_about(block: int) -> None:
    """What is held is a table of the size of a question, the same when it is packed again; the program answers it."""
    links = hostile_links(BLOCK, seed=block)
    said = decoded(links)
    assert len(said) == len(links)
    session, models = Session(), 0
    for number, answer in enumerate(said):
        assert answer["unpacked"] <= MAX_BODY + AHEAD
        assert answer["milliseconds"] < MOST_MILLISECONDS
        held = answer.get("held")
        if held is None:
            continue
        models += 1
        assert answer["again"]
        assert isinstance(held["document"], dict)
        assert all(isinstance(text, str) for text in held["set"].values())
        if mutation_of(number, seed=block) != LARGE:
            asked(session, held)
    assert BLOCK // 4 < models < BLOCK


def asked(session: Session, held: dict[str, Any]) -> None:
    """Ask what the page asks about a model: each answer has rows or problems, and comes in time."""
    question = held["question"]
    model = {"document": held["document"], "set": held["set"], "epsilon": question["epsilon"] or None}
    about = {"passport": {"dimension": question["dimension"], "budget": 100}, "loss": held["loss"], "answer": question}
    for name, fields in about.items():
        body = {**model, "delta": question["delta"], **fields, "definition": question["definition"] or "np"}
        begun = process_time()
        answer = json.loads(session.answer(name, json.dumps(body).encode()))
        assert isinstance(answer, dict)
        assert process_time() - begun < MOST_SECONDS
        assert all(isinstance(problem["message"], str) for problem in answer.get("problems", []))


def test_a_bomb_is_refused_before_it_is_unpacked_wholly() -> None:
    """Links of some 90 kB that hold 64 MiB, or a text that takes hours where its end is looked for from each quote."""
    links = bombs()
    assert max(map(len, links)) < 130_000
    said = decoded(links)
    assert all("refused" in answer for answer in said)
    assert max(answer["unpacked"] for answer in said) <= MAX_BODY + AHEAD
    assert max(answer["milliseconds"] for answer in said) < MOST_MILLISECONDS
    too_much = [answer for answer in said if answer["refused"] == "RangeError: the link holds too much"]
    assert len(too_much) >= len(links) // 2


def test_what_no_model_has_is_refused() -> None:
    """A number that a browser would round, lists in lists, a model that is no table, a record that is no number."""
    wrong = {
        '{"size": 0.1}': "integer",
        '{"size": 0.99999999999999999999}': "integer",
        '{"size": 9007199254740993}': "integer",
        '{"size": 1e2}': "integer",
        '{"a": ' * 101 + "1" + "}" * 101: "lists in lists",
        '{"size": 1, "size": 2}': "a key twice",
        '{"a": {"b": [{"c": 1, "d": {"c": 2}, "\\u0063" : 3}]}}': "a key twice",
        "[1]": "no table",
        "null": "no table",
        '"text"': "no table",
    }
    links = [f"m={packed(text.encode())}" for text in wrong]
    for answer, words in zip(decoded(links), wrong.values(), strict=True):
        assert words in answer["refused"]
    honest = model_fragment({"size": 2, "values": ["9007199254740993", "0.1", '"1e2\\"', "size", "size"]})
    extra = (
        "",
        "&record=3",
        "&record=x",
        "&record=1e9",
        "&set=[]",
        "&set=null",
        "&e=1&e=2",
        '&set={"p":1}',
        '&set={"p":"1/2"}',
    )
    said = decoded([honest + more for more in extra])
    assert [more for more, answer in zip(extra, said, strict=True) if "held" in answer] == [
        "",
        "&record=3",
        '&set={"p":"1/2"}',
    ]
    assert said[0]["held"]["document"]["values"] == ["9007199254740993", "0.1", '"1e2\\"', "size", "size"]


def test_a_link_of_the_program_opens_the_model_it_was_made_of() -> None:
    """One in three model files: by its name, and, where it is another file, with the whole model in it."""
    named = [entry["id"] for entry in examples()][::3]
    texts = {name: (models_folder() / f"{name}.toml").read_text(encoding="utf-8") for name in named}
    changed = {name: f"# mine\n{text}" for name, text in texts.items()}
    for name, text in texts.items():
        assert explorer_link("explore/", text) == f"explore/#example={name}"
    links = {name: explorer_link("", text) for name, text in changed.items()}
    held = decoded([str(link).removeprefix("#") for link in links.values()])
    offered = 0
    for (name, link), answer in zip(links.items(), held, strict=True):
        if link is not None:
            offered += 1
            assert answer["held"]["document"] == document_of(changed[name])
    assert offered > len(texts) - 10
    assert explorer_link("", 'size = 1\ntitle = "' + "".join(map(chr, range(0x4E00, 0x4E00 + LONGEST))) + '"') is None
    assert explorer_link("", "no model") is None


def test_both_sides_have_the_same_limits() -> None:
    main, link = ((STATIC / name).read_text(encoding="utf-8") for name in ("visits.js", "link.js"))
    assert re.search(rf"LONGEST_LINK = {LONGEST};", main)
    assert re.search(r"MOST_BYTES = 4 \* 1024 \* 1024;", link)
    assert MAX_BODY == 4 * 1024 * 1024
    assert len(KINDS) * 10 == BLOCK
