"""Definitions of DP22 in blocks of models, against the decider that asks one model after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from policies import THREE_VALUES, TWO

import verifier as pk
from verifier.definitions import DEFINITIONS, find, load
from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.errors import MachineError
from verifier.model import build
from verifier.model.write import toml_text
from verifier.numbers import INFINITY, Epsilon, epsilon
from verifier.questions.check import check
from verifier.questions.language import statement
from verifier.wings.search.batch.block import Block, Mask
from verifier.wings.search.batch.measure import Query, empty, fails
from verifier.wings.search.batch.number import ColumnDivergence
from verifier.wings.search.batch.rows import Frame, Listing, listing, scheme_in_blocks
from verifier.wings.search.batch.statement import Wanted
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.layers import Layer
from verifier.wings.search.policies import policy_keys, policy_text
from verifier.wings.search.scope import Shape
from verifier.wings.search.statement_truth import decide

IN_BLOCKS = [key for key in atlas if scheme_in_blocks(atlas[key]) is not None]
BY_TWO_DISTRIBUTIONS = {"ddnpr", "eddnpr", "dnpr", "pbdp", "pdnpr", "ednpr"}
"""These compare two θ, and a model of a search has one: they are vacuous, or miss a field that no such model has."""
VARIANTS: list[tuple[str, dict[str, Any], str]] = [
    *((key, {}, "default") for key in IN_BLOCKS),
    ("divdp", {"divergence": "kl"}, "default"),
    ("divdp", {"divergence": "abs-1"}, "default"),
    ("divdp", {"divergence": "abs-3"}, "default"),
    ("divdp", {"divergence": "ratio"}, "default"),
    ("divdp", {"divergence": "spread"}, "default"),
    ("divdp", {"divergence": "renyi-3"}, "default"),
    ("cbdp", {"divergence": "abs-1"}, "default"),
    ("cbdp", {"divergence": "total-variation", "tests": [{"u": "1/2", "v": "-2", "w": "0"}]}, "default"),
    ("reldp", {"error": "1/2"}, "default"),
    ("reldp", {"error": "1"}, "default"),
    ("kdivdp", {"order": 3}, "default"),
    ("randp", {"gamma": "1/3"}, "default"),
    ("dlpr-rot", {"gamma": "1/100"}, "default"),
    ("dlpr-rot", {"gamma": "1/3"}, "without-replacement"),
]
EPSILONS: list[Epsilon | None] = [
    None, INFINITY, *map(epsilon, ["0", "ln(2)", "ln(3/2)", "ln(4)", "1/2", "1", "1/2*ln(3)", "1/20"]),
]  # fmt: skip
DECIDED = {"holds", "fails", "vacuous"}
DELTAS = [Fraction(0), Fraction(1, 4), Fraction(1, 10)]
Models = tuple[Shape, tuple[int, int], list[tuple[int, ...]], list[tuple[tuple[int, ...], ...]], bool]
"""A shape, the totals of θ and of the mechanism, the θ, the mechanisms, and whether record 0 alone is protected."""


def parted(random: Random, total: int, parts: int) -> tuple[int, ...]:
    """Weights with a total."""
    places = [random.randrange(parts) for _ in range(total)]
    return tuple(places.count(k) for k in range(parts))


def random_models(random: Random, records: int, values: int) -> Models:
    """Some θ and mechanisms, of which a block has all pairs."""
    shape = Shape(records, values, random.choice([2, 3]), random.choice([1, 2]))
    law_total, row_total = random.choice([1, 2, 4, 5]), random.choice([1, 2, 3, 4])
    laws = [parted(random, law_total, shape.databases * shape.knowledge) for _ in range(3)]
    tables = [tuple(parted(random, row_total, shape.outputs) for _ in range(shape.databases)) for _ in range(3)]
    tables.append((parted(random, row_total, shape.outputs),) * shape.databases)
    return shape, (law_total, row_total), laws, tables, random.random() < 0.3


def each(models: Models, policy: str) -> list[tuple[int, int, Engine]]:
    """An engine for each model, with the numbers of its θ and mechanism."""
    shape, totals, laws, tables, first_only = models
    sizes = shape.records, shape.values, shape.outputs, shape.knowledge
    return [
        (m, n, Engine(build(**Candidate(*sizes, *totals, law, table, first_only).keys(), **policy_keys(policy))))
        for m, law in enumerate(laws)
        for n, table in enumerate(tables)
    ]


def listed(models: Models, key: str, reading: str, policy: str) -> Listing | None:
    """The rows of a definition for models, where blocks decide it."""
    shape, _, _, _, first_only = models
    frame = Frame(shape.records, shape.values, shape.knowledge, first_only, policy)
    rows = listing(frame, find(key).key, reading)
    return rows if rows is not None and rows.decides(shape.outputs) else None


def compare(
    models: Models, engines: list[tuple[int, int, Engine]], query: Query, bound: Epsilon | None, policy: str
) -> list[str]:
    """The answers of the decider, model by model, which are those of a block."""
    shape, totals, laws, tables, first_only = models
    layer = Layer(shape, 1, *totals)
    size = query.bound(layer)
    block = Block.of(shape, totals, np.array(laws), np.array(tables), size, first_only=first_only, policy=policy)
    broken, nothing = fails(block, query), empty(block, query)

    def at(mask: Mask, m: int, n: int) -> bool:
        return bool(np.broadcast_to(mask, (len(laws), len(tables)))[m, n])

    answers = []
    for m, n, engine in engines:
        answer = check(
            engine.model,
            query.definition,
            epsilon=bound,
            delta=query.delta,
            reading=query.reading,
            replay=False,
            engine=engine,
        )
        assert answer.verdict in DECIDED, (query, answer.reason)
        assert (at(nothing, m, n), at(broken & ~nothing, m, n)) == (
            answer.verdict == "vacuous",
            answer.verdict == "fails",
        ), (query, str(answer), engine.model.text)
        answers.append(answer.verdict)
    return answers


def exactly(query: Query, bound: Epsilon | None) -> Query | None:
    """The query with what it has in the place of e^ε; None where that is irrational."""
    if bound is None or bound.is_infinite:
        return query
    factor = bound.exp if query.measure.logarithmic else bound.coefficient if bound.kind == "rational" else None
    return None if factor is None else replace(query, factor=factor)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("key", "changed", "reading"), VARIANTS)
def test_blocks_answer_as_the_decider_does(key: str, changed: dict[str, Any], reading: str) -> None:
    answers = answered(key, reading, 2, 2, TWO | changed) + answered(key, reading, 1, 3, THREE_VALUES | changed)
    if key not in BY_TWO_DISTRIBUTIONS:
        assert answers["holds"]
        assert answers["fails"] or changed.get("error") == "1"


def answered(key: str, reading: str, records: int, values: int, policy: dict[str, Any]) -> Counter[str]:
    """How many random models answer so, of those that blocks decide."""
    text, definition = policy_text(policy), atlas[key]
    random, answers = Random(f"{key} {records}"), Counter[str]()  # noqa: S311
    for _ in range(3):
        models = random_models(random, records, values)
        rows = listed(models, key, reading, text)
        if rows is None:
            continue
        engines = each(models, text)
        for _ in range(4):
            bound = random.choice(EPSILONS) if rows.scheme.has_epsilon else None
            delta = random.choice(DELTAS) if definition.has_delta else Fraction(0)
            query = exactly(Query(definition.key, None, delta, reading, rows), bound)
            if query is not None:
                answers.update(compare(models, engines, query, bound, text))
    return answers


OPEN = {
    "post(subdp(ln(2), 1/4)) => adp(ln(2), 1/4)",
    "perdp(e) => dp-any(2*e)",
    "divdp(e) => dp(e)",
    "adp(epsilon=ln(2), delta=d) => prodp(epsilon=ln(2), delta=d)",
    "zcodp(epsilon=1/2) => dp(epsilon=1)",
}
"""What blocks leave to the checkers, at least in some models."""
STATEMENTS = [
    "osdp(epsilon=ln(2)) => dp(epsilon=ln(2))",
    "osdp(e) => dp(e)",
    "perdp(e) => dp-any(2*e)",
    "rbpr(e) => dp(e)",
    "osdp(2*e) => renyidp(e)",
    "twice(bfpr(ln(4))) => bfpr(ln(2))",
    "post(adp(ln(2), 1/4)) and not pfpr(epsilon=ln(3))",
    "post(subdp(ln(2), 1/4)) => adp(ln(2), 1/4)",
    "divdp(epsilon=ln(2)) => divdp(epsilon=1/2)",
    "divdp(e) => dp(e)",
    "renyidp(epsilon=1/2) iff klpr(epsilon=1/3)",
    "fdp => absdp",
    "pridp and not baydp-ysn(epsilon=0)",
    "adp(epsilon=ln(2), delta=d) => prodp(epsilon=ln(2), delta=d)",
    "zcodp(epsilon=1/2) => dp(epsilon=1)",
    "np(ln(2)) => randp(epsilon=ln(2))",
]


@pytest.mark.parametrize("vacuous", [False, True])
@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_about_them_mean_the_same_in_blocks(text: str, vacuous: bool) -> None:  # noqa: FBT001
    said, policy = statement(text), policy_text(TWO)
    random, known = Random(text), []  # noqa: S311
    for true in (False, True):
        models = random_models(random, 2, 2)
        shape, totals, laws, tables, first_only = models

        def blocks(bound: int) -> Block:
            arrays = np.array(laws), np.array(tables)  # noqa: B023
            return Block.of(shape, totals, *arrays, bound, first_only=first_only, policy=policy)  # noqa: B023

        found = Wanted(said, true, vacuous).find(blocks, Layer(shape, 1, *totals))
        size = len(laws), len(tables)
        sure, possible = (np.broadcast_to(mask, size) for mask in (found.sure, found.possible))
        for m, n, engine in each(models, policy):
            truth = decide(said, engine.model)
            wanted = truth.value is true and (vacuous or not truth.vacuous)
            if truth.value is not None:
                assert sure[m, n] <= wanted <= possible[m, n], (text, engine.model.text, truth)
            known.append(sure[m, n] == possible[m, n])
    assert all(known) == (text not in OPEN)


def test_a_definition_of_ones_own_that_is_read_again_is_listed_again(tmp_path: Path) -> None:
    kept, file = dict(DEFINITIONS), tmp_path / "mine.toml"
    measured, measures = [], ["total-variation", "spread"]
    for measure in measures:
        recipe = {"key": "mine", "title": "mine", "builder": "relation", "steps": "change", "measure": measure}
        file.write_text(toml_text(recipe), encoding="utf-8")
        load(file)
        rows = listing(Frame(2, 2, 1), "mine")
        assert rows is not None
        assert isinstance(rows.measure, ColumnDivergence)
        measured.append(rows.measure.declared.key)
        DEFINITIONS.clear()
        DEFINITIONS.update(kept)
    assert measured == measures


def test_a_row_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: only the first row of each definition is listed."""
    monkeypatch.setattr(Listing, "rows", property(lambda self: self.groups[0][0].rows[:1]))
    with pytest.raises(MachineError, match="checkers deny"):
        pk.search(satisfies="klpr(epsilon=ln(2))", violates="dp(ln(5))", records=1, weights=1)
