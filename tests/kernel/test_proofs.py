"""Answers that bring a proof: simulators, laws of one's own, searches. Honest ones are confirmed, forgeries refused.

A forgery (`tests/attack/proofs/NAME.jsonl`) is an honest answer, the changes that are made one after the other (`["put", place,
value]`, `["drop", place]`, `["twice", place]`, `["swap", place, place]`, and `["text", place, old, new]` in a text), and a regex for
the reason why it is refused.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from attack import files
from attack.forgeries import ASKED, OWN, model_named
from filing import mutants, place_in

import verifier as pk
from verifier.definitions import DEFINITIONS, load
from verifier.engine import Engine
from verifier.evidence.proofs import fields_of
from verifier.kernel.answers import Word, checked
from verifier.kernel.models import Model
from verifier.kernel.numbers import BeyondLimits, Wrong
from verifier.wings.search.api import search

PROOFS = Path(__file__).parents[1] / "attack" / "proofs"
Document = dict[str, Any]
SIMULATORS: dict[str, tuple[pk.Model, str, dict[str, Any]]] = {}
SEARCHES: dict[str, dict[str, Any]] = {
    "none": {"claim": "independent => np(e) iff cdp(e)", "weights": 2, "mechanism_weights": 1},
    "separated": {"satisfies": "np(e)", "violates": "cdp(2*e)", "weights": 2},
    "twice": {"claim": "independent-records => cdp(e) => twice(cdp)"},
    "vacuous": {"claim": "np(e) => dp(e)", "records": 1, "knowledge": 2, "weights": 2, "vacuous": True},
    "policy": {"satisfies": "osdp(epsilon=ln(2))", "violates": "dp(epsilon=ln(2))", "policy": "sensitive = [0]", "records": 1, "weights": 1},
    "all": {"satisfies": ["np(e, d)", "not constant", "every-value-possible"], "weights": 2, "records": 1},
}  # fmt: skip
for _table in ("simulators", "schemes", "own"):
    for _base, _one in ASKED[_table].items():
        _asked = {name: x for name, x in _one.items() if name not in {"model", "definition", "verdict"}}
        if _one["definition"] != "bldp":
            SIMULATORS[_base] = model_named(_one["model"]), _one["definition"], _asked
for _base in ("simulator", "simulator holds"):
    _of, _definition, _asked = files.ASKED[_base]
    SIMULATORS[_base] = pk.loads(files.TEXTS[_of]), _definition, _asked


@cache
def honest_text(base: str) -> str:
    if base in SEARCHES:
        return json.dumps({**search(**SEARCHES[base]).to_json(), "milliseconds": 1})
    model, definition, question = SIMULATORS[base]
    if definition == "passive-cdp" and definition not in DEFINITIONS:
        load(OWN)
    engine = Engine(model)
    answer = pk.check(model, definition, engine=engine, **question)
    return json.dumps({**answer.to_json(), **fields_of(answer, engine)})


def honest(base: str) -> Document:
    """An honest answer, as it stands in a file."""
    found: Document = json.loads(honest_text(base))
    return found


def word(document: Document, base: str) -> Word:
    """What the kernel says of it."""
    return checked(json.loads(json.dumps(document)), None if base in SEARCHES else Model(SIMULATORS[base][0].text))


def forged(document: Document, changes: list[list[Any]]) -> Document:
    """The document with the changes made."""
    out = deepcopy(document)
    for kind, place, *more in changes:
        target, key = place_in(out, place)
        if kind == "put":
            target[key] = deepcopy(more[0])
        elif kind == "drop":
            del target[key]
        elif kind == "text":
            assert more[0] in target[key]
            target[key] = target[key].replace(more[0], more[1], 1)
        else:
            other, there = place_in(out, more[0])
            target[key], other[there] = other[there], target[key]
    assert json.dumps(out) != json.dumps(document), "no forgery"
    return out


FORGERIES = [
    json.loads(line)
    for table in ("simulators", "own", "searches")
    for line in (PROOFS / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("base", [*SIMULATORS, *SEARCHES])
def test_an_honest_answer_is_confirmed(base: str) -> None:
    found = word(honest(base), base)
    assert found.word == "confirmed"
    assert "not " not in found.why


@pytest.mark.parametrize("one", FORGERIES, ids=lambda one: f"{one['base']}, {one.get('name', one['changes'])}"[:80])
def test_a_forgery_is_refused_for_its_reason(one: Document) -> None:
    started = process_time()
    try:
        found = word(forged(honest(one["base"]), one["changes"]), one["base"])
    except (Wrong, BeyondLimits) as error:
        found = Word("rejected", str(error))
    assert found.word != "confirmed"
    assert re.search(one["reason"], found.why), found.why
    assert process_time() - started < 2
