"""Θ-reducibility against all permutations of the outputs, and Theorem 2 as a law (DMKB20, Definition 14)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.engine import Engine
from verifier.questions.properties import Property, reducible

ZERO, ONE = Fraction(0), Fraction(1)
Laws = dict[tuple[str, str, str], dict[str, Fraction]]
"""(θ, B̂, a) to the law of the output."""


def laws(case: Case, record: int | None) -> Laws:
    found: Laws = {}
    for theta, rows in case.plain.worlds.items():
        for row in (row for row in rows if row.p):
            value = str(row.sensitive if record is None else row.database[record])
            cell = found.setdefault((theta, row.knowledge, value), {})
            for output, q in case.plain.mechanism(row.database).items():
                if q:
                    cell[output] = cell.get(output, ZERO) + row.p * q
    return {key: {o: p / sum(cell.values()) for o, p in cell.items()} for key, cell in found.items()}


def some_bijection(
    found: Laws, thetas: Sequence[str], one: str, other: str, domain: Sequence[str], *, ignore: bool
) -> bool:
    """Whether any permutation of the outputs does, by trying them all."""
    every = sorted({o for law in found.values() for o in law})
    entries = []
    for theta in thetas:
        possible = [any((theta, known, a) in found for a in domain) for known in (one, other)]
        if not all(possible):
            continue
        for a in domain:
            left, right = found.get((theta, one, a)), found.get((theta, other, a))
            if (left is None) != (right is None):
                if not ignore:
                    return False
            elif left is not None and right is not None:
                entries.append((left, right))
    return any(
        all(
            left.get(o, ZERO) == right.get(phi, ZERO)
            for left, right in entries
            for o, phi in zip(every, order, strict=True)
        )
        for order in permutations(every)
    )


def naive(case: Case, reading: str) -> str:
    vacuous = True
    domain = case.plain.values if case.plain.secrets is not None else case.plain.domain
    for record in [None] if case.plain.secrets is None else list(case.plain.secrets):
        found = laws(case, record)
        every, heard = list(case.plain.worlds), {key[:2] for key in found}
        for thetas in [every] if reading == "one-bijection" else [[theta] for theta in every]:
            known = sorted({one for theta, one, _ in found if theta in thetas})
            for one in known:
                for other in known:
                    together = any((theta, one) in heard and (theta, other) in heard for theta in thetas)
                    if one != other and together:
                        vacuous = False
                        if not some_bijection(found, thetas, one, other, domain, ignore=reading == "ignore-impossible"):
                            return "fails"
    return "vacuous" if vacuous else "holds"


@pytest.mark.parametrize("reading", ["default", "ignore-impossible", "one-bijection"])
@given(case=cases(max_size=2))
@settings(max_examples=24)
def test_it_is_what_all_permutations_say(reading: str, case: Case) -> None:
    model = pk.build(**case.keys)
    assume(not model.mechanism.tails)
    record = case.plain.secrets[0] if case.plain.secrets else None
    outputs = {o for law in laws(case, record).values() for o in law}
    assume(len(outputs) <= 5)
    found = reducible(model, reading=reading)
    assert found.verdict == naive(case, reading)
    if found.verdict == "holds" and reading == "default":
        is_right(case, found)


def is_right(case: Case, found: Property) -> None:
    """Every listed bijection carries every law to the other."""
    texts = {label.text: label.shown for label in pk.build(**case.keys).values}
    assert texts
    from verifier.tables import label

    for one in found.evidence["bijections"] or ():
        moved = {label(x).text: label(y).text for x, y in one["map"]}
        assert len(set(moved.values())) == len(moved)
        mine = {key: law for key, law in laws(case, one["record"]).items() if key[0] == one["distribution"]}
        for (_, known, a), law in mine.items():
            if known == label(one["B1"]).text:
                target = mine[one["distribution"], label(one["B2"]).text, a]
                assert {moved[o]: p for o, p in law.items()} == target


def same_curves(model: pk.Model, reading: str) -> bool:
    curves = [
        pk.check(model, name, epsilon="0", replay=False, reading=asked).profile
        for name, asked in (("apkdp", "default"), ("ppkdp", reading))
    ]
    return curves[0] == curves[1]


@pytest.mark.parametrize("reading", ["default", "infinite-loss"])
@given(case=cases())
@settings(max_examples=30)
def test_theorem_2(reading: str, case: Case) -> None:
    """Reducible, so APKDP and PPKDP have the same δ at every ε, for all θ, i, a, b together."""
    model = pk.build(**case.keys)
    if reducible(model).verdict == "holds":
        assert same_curves(model, reading)


IGNORED: dict[str, Any] = {
    "size": 1,
    "values": [0, 1],
    "distribution": {
        "table": [
            {"database": [0], "knowledge": "x", "probability": "1/3"},
            {"database": [1], "knowledge": "x", "probability": "1/3"},
            {"database": [0], "knowledge": "y", "probability": "1/3"},
        ]
    },
    "mechanism": {
        "rows": [{"database": [0], "outputs": {"u": "1/2", "v": "1/2"}}, {"database": [1], "output": "u"}],
    },
}


def test_theorem_2_fails_where_impossible_values_are_ignored() -> None:
    """Three worlds: B = y excludes D(0) = 1, and under both B̂ the output given D(0) = 0 is a fair coin."""
    model = pk.build(**IGNORED)
    assert reducible(model).verdict == "fails"
    assert reducible(model, reading="ignore-impossible").verdict == "holds"
    assert str(pk.check(model, "apkdp", epsilon="ln(2)").tight_delta) == "1/2"
    assert str(pk.check(model, "ppkdp", epsilon="ln(2)").tight_delta) == "1/4"


@given(st.integers(1, 4), st.sampled_from(["1/2", "1/3"]), st.sampled_from(["count", "threshold-count"]))
@settings(max_examples=20)
def test_noise_is_moved_along(size: int, p: str, name: str) -> None:
    """A count with noise is reducible, its tails continued; above a threshold it is not."""
    threshold = name == "threshold-count"
    kind: dict[str, Any] = {"kind": name, "value": 1, **({"above": 0} if threshold else {})}
    model = pk.build(
        size=size + 1,
        values=[0, 1],
        distribution={"iid": {0: "2/3", 1: "1/3"}},
        knowledge={"records": [0]},
        sensitive={"records": [size]},
        mechanism={**kind, "then": [{"kind": "geometric-noise", "p": p}]},
    )
    assert reducible(model).verdict == ("fails" if threshold else "holds")


def test_large_counts_need_no_table() -> None:
    model = pk.build(
        size=60,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": {"from": 0, "to": 29}},
        sensitive={"records": [59]},
        mechanism={"kind": "count", "value": 1},
    )
    found = reducible(model, Engine(model))
    assert (found.verdict, found.checked) == ("holds", 1)
    above = pk.build(
        size=60,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": {"from": 0, "to": 29}},
        sensitive={"records": [59]},
        mechanism={"kind": "threshold-count", "value": 1, "above": 10},
    )
    assert reducible(above).verdict == "fails"


def test_tails_inside_of_other_outputs_are_unsupported() -> None:
    noisy = {"kind": "count", "value": 1, "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    model = pk.build(
        size=2,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        knowledge={"records": [0]},
        mechanism={"kind": "all", "of": [noisy, noisy]},
    )
    assert reducible(model).verdict == "unsupported"


def test_a_property_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match="verdict"):
        bool(reducible(pk.build(**IGNORED)))
