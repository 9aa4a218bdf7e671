"""The registry of forgeries: honest answers of `check --json`, and what must be refused in each, with which reason.

A table `NAME.jsonl` has a forgery in each line: the honest answer that it starts from, which is asked for in
`asked.toml`, the changes that are made one after the other, and a regex for the reason. A change is
`["put", place, value]`, `["drop", place]`, `["twice", place]` for an entry of a list, `["swap", place, place]`,
`["text", place, old, new]` in a text, or `["model", old, new]`: the answer is not that of the changed model file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filing import place_in
from rechecked import Document, checker_word
from refuse.registry import whole

import verifier as pk
from verifier.checker.answers import Word
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any

HERE = Path(__file__).parent
ASKED: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((HERE / "asked.toml").read_text(encoding="utf-8"))
OWN = Path(__file__).parents[2] / "docs" / "own-definitions" / "passive_cdp.toml"
TABLES = ("table", "tails", "sizes", "dependency", "sums", "words", "models", "properties", "acceptability", "rules")


def forged(document: Document, changes: list[list[Any]]) -> Document:
    """The document with the changes made."""
    out = deepcopy(document)
    for kind, place, *more in changes:
        if kind == "model":
            continue
        target, key = place_in(out, place)
        if kind == "put":
            target[key] = whole(more[0]) if isinstance(more[0], str) else deepcopy(more[0])
        elif kind == "drop":
            del target[key]
        elif kind == "twice":
            target.append(deepcopy(target[key]))
        elif kind == "text":
            assert more[0] in target[key]
            target[key] = target[key].replace(more[0], more[1], 1)
        else:
            other, there = place_in(out, more[0])
            target[key], other[there] = other[there], target[key]
    return out


@dataclass(frozen=True)
class Forgery:
    """A change of an honest answer, or of the file that it is about, and a regex for the reason why it is refused."""

    table: str
    base: str
    changes: list[list[Any]]
    reason: str

    def __str__(self) -> str:
        return f"{self.table}, {self.base}, {self.changes}"[:90]

    def word(self) -> Word:
        """What the checker says of it."""
        document, text = honest(self.table, self.base), model_named(ASKED[self.table][self.base]["model"]).text
        false, other = forged(document, self.changes), text
        for kind, old, *new in self.changes:
            if kind == "model":
                assert old in other
                other = other.replace(old, new[0], 1)
        assert (json.dumps(false), other) != (json.dumps(document), text), "no forgery"
        return checker_word(false, other)


def forgeries(table: str) -> Iterator[Forgery]:
    """Those of one table."""
    for line in (HERE / f"{table}.jsonl").read_text(encoding="utf-8").splitlines():
        yield Forgery(table, **json.loads(line))


def source_named(name: str) -> Model | Family:
    own = HERE / "models" / f"{name}.toml"
    return read_any(own if own.exists() else models_folder() / f"{name}.toml")


def model_named(name: str) -> Model:
    found = source_named(name)
    assert isinstance(found, Model)
    return found


def answered(asked: dict[str, Any]) -> Document:
    """The answer to a question of `asked.toml`: about a definition, a property, or acceptability at a record."""
    question = dict(asked)
    model, verdict = model_named(question.pop("model")), question.pop("verdict", None)
    if "definition" in question:
        answer = pk.check(model, question.pop("definition"), replay=False, **question).to_json()
    elif "acceptable" in question:
        (answer,) = (one.to_json() for one in pk.acceptable(model) if one.record == question.get("record"))
    else:
        k = question.get("k")
        answer = (pk.strongly_safe(model) if k is None else pk.k_anonymity(model, k)).to_json()
    assert verdict in {None, answer.get("verdict")}
    return dict(answer)


@cache
def honest_text(table: str, base: str) -> str:
    return json.dumps(answered(ASKED[table][base]))


def honest(table: str, base: str) -> Document:
    """An honest answer, as it stands in a file."""
    found: Document = json.loads(honest_text(table, base))
    return found
