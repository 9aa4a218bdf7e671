"""Bounded dependency (DMKB20, Definitions 17 and 18) against the definition, and Theorem 6 as a law."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Compared, Pair
from naive_kinds import Naive, text
from strategies import Case, cases, mechanisms
from test_definitions import EPSILONS

import verifier as pk
from verifier.checker.dependency import _against
from verifier.definitions import ON_REQUEST

READINGS = list(ON_REQUEST["dependency"].readings)
ZERO, ONE = Fraction(0), Fraction(1)
Two = dict[tuple[str, str], Fraction]
Loss = Fraction | str
"""e^loss, or "+", "-" for ±∞, or "none" where nothing is compared."""


@st.composite
def doubles(draw: st.DrawFn) -> tuple[Case, Any]:
    """A random model whose mechanism is two, and the laws of the two on a database."""
    case = draw(cases(max_size=2))
    values, size = case.keys["values"], case.keys["size"]
    of = [draw(mechanisms(values, size)) for _ in "12"]
    case.keys["mechanism"] = {"kind": "all", "of": of}
    twins = [Naive(one, values, size) for one in of]
    named = {text(v): v for v in values}
    return case, lambda db: [twin.law(tuple(named[v] for v in db)) for twin in twins]


def ratio(p: Fraction, q: Fraction) -> Loss:
    """P/Q with x/0 = ∞, for p or q above 0."""
    return "+" if q == 0 else "-" if p == 0 else p / q


def dep(p: Two, q: Two, one: str, two: str, reading: str) -> Loss:
    """Definition 17 for an (o₁, o₂) that P can produce, each probability summed again."""

    def chance(law: Two, first: str | None = None, second: str | None = None) -> Fraction:
        return sum((x for (s, t), x in law.items() if first in {None, s} and second in {None, t}), ZERO)

    known = chance(q, one)
    if known == 0:
        if reading not in {"no-loss", "infinite-loss"}:
            return "none"
        loss: Loss = ONE if reading == "no-loss" else "+"
    else:
        loss = ratio(chance(p, one, two) / chance(p, one), chance(q, one, two) / known)
    before = ratio(chance(p, None, two), chance(q, None, two))
    if loss == before == "+":
        return ONE if reading == "equal-infinities" else "+"
    if isinstance(loss, str):
        return loss
    return "-" if isinstance(before, str) else loss / before


def expectation(p: Two, q: Two, factor: Fraction, reading: str) -> Fraction:
    """E[max(0, 1 - e^(μ - Dep))] for a rational e^μ."""
    total = ZERO
    for (one, two), x in p.items():
        found = dep(p, q, one, two, reading)
        if found == "+":
            total += x
        elif isinstance(found, Fraction):
            total += x * max(ZERO, 1 - factor / found)
    return total


def against(p: Two, q: Two, reading: str) -> dict[str, Fraction]:
    """R = P·e^(-Dep), by output; where nothing counts, P itself."""
    found = {}
    for (one, two), x in p.items():
        loss = dep(p, q, one, two, reading)
        found[f"{one}|{two}"] = ZERO if loss == "+" else x / loss if isinstance(loss, Fraction) else x
    return found


def laws(case: Case, both: Any) -> list[tuple[str, int | None, dict[tuple[str, str], Two], list[str], list[str]]]:
    """For each θ and record: P(o₁, o₂ | B̂, S) by (B̂, S), the B̂ and the values in order."""
    found = []
    plain = case.plain
    for theta, rows in plain.worlds.items():
        for record in [None] if plain.secrets is None else list(plain.secrets):
            cells: dict[tuple[str, str], Two] = {}
            for row in (row for row in rows if row.p):
                value = row.sensitive if record is None else row.database[record]
                cell = cells.setdefault((row.knowledge, str(value)), {})
                first, second = both(row.database)
                for s, x in first.items():
                    for t, y in second.items():
                        if x * y:
                            cell[s, t] = cell.get((s, t), ZERO) + row.p * x * y
            normed = {key: {o: x / sum(cell.values()) for o, x in cell.items()} for key, cell in cells.items()}
            known = list(dict.fromkeys(row.knowledge for row in rows if row.p))
            found.append((theta, record, normed, known, plain.values if plain.secrets is not None else plain.domain))
    return found


def swapped(law: Two) -> Two:
    return {(t, s): x for (s, t), x in law.items()}


def pairs(case: Case, both: Any, reading: str) -> list[tuple[Two, Two]]:
    """P and Q of everything that is compared."""
    found = []
    for _, _, cells, _, domain in laws(case, both):
        for (k, a), p in cells.items():
            for b in domain:
                if a == b or (k, b) not in cells or (reading == "one-order" and domain.index(a) > domain.index(b)):
                    continue
                found.append((p, cells[k, b]))
                if reading == "both-ways":
                    found.append((swapped(p), swapped(cells[k, b])))
    return found


def families(case: Case, both: Any, reading: str) -> list[list[Compared]]:
    found = []
    for theta, record, cells, known, domain in laws(case, both):
        mine = []
        for a in domain:
            for b in domain:
                if a == b or (reading == "one-order" and domain.index(a) > domain.index(b)):
                    continue
                for k in known:
                    if (k, a) not in cells or (k, b) not in cells:
                        continue
                    p, q = cells[k, a], cells[k, b]
                    for one, other in [(p, q), (swapped(p), swapped(q))][: 2 if reading == "both-ways" else 1]:
                        law = {f"{s}|{t}": x for (s, t), x in one.items()}
                        mine.append(Compared(theta, record, a, b, [Pair(ONE, k, law, against(one, other, reading))]))
        found.append(mine)
    return found


@pytest.mark.sweep(2)
@pytest.mark.parametrize("reading", READINGS)
@given(doubles(), st.integers(0, 10**6))
@settings(max_examples=40)
def test_check_is_what_the_definition_says(reading: str, double: tuple[Case, Any], seed: int) -> None:
    case, both = double
    model = pk.build(**case.keys)
    epsilon = list(EPSILONS)[seed % len(EPSILONS)]
    delta = [ZERO, Fraction(1, 100), Fraction(1, 3), ONE][seed // 16 % 4]
    found = pk.check(model, "dependency", epsilon=epsilon, delta=str(delta), reading=reading)
    answer = naive.answer(families(case, both, reading), EPSILONS[epsilon], delta)
    assert found.verdict == answer.verdict
    assert str(found.tight_epsilon) == naive.epsilon_text(answer.factor)
    assert (found.comparisons, found.empty) == (answer.comparisons, answer.empty)
    assert found.replayed
    if answer.verdict == "vacuous":
        return
    compared = pairs(case, both, reading)
    for factor in (ONE, Fraction(5, 4), Fraction(2), Fraction(7)):
        largest = max(expectation(one, other, factor, reading) for one, other in compared)
        assert found.profile.delta(f"ln({factor})" if factor > 1 else "0").a == largest


@given(doubles())
@settings(max_examples=60)
def test_theorem_6_with_one_dependency(double: tuple[Case, Any]) -> None:
    """L = Dep + L₁ + L₂ wherever all is finite; so the composition costs μ once."""
    case, both = double
    for p, q in pairs(case, both, "default"):
        for one, two in p:
            loss = dep(p, q, one, two, "default")
            if isinstance(loss, Fraction) and q.get((one, two)):
                first = [sum((x for o, x in law.items() if o[0] == one), ZERO) for law in (p, q)]
                second = [sum((x for o, x in law.items() if o[1] == two), ZERO) for law in (p, q)]
                alone = first[0] / first[1] * second[0] / second[1]
                assert p[one, two] / q[one, two] == loss * alone


@given(doubles(), st.sampled_from(READINGS), st.integers(0, 80))
@settings(max_examples=60)
def test_composition_costs_the_dependency_once(double: tuple[Case, Any], reading: str, seed: int) -> None:
    """(μ + ε₁ + ε₂, δ₁ + δ₂ + ν), sharper than the corollary as printed with 2μ."""
    case, _ = double
    if reading == "one-order":
        return
    factors = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)]
    chosen = [factors[seed // 4**k % 4] for k in range(3)]
    total = ZERO
    for factor, key in zip(chosen, ("dependency", 0, 1), strict=True):
        keys = case.keys if key == "dependency" else {**case.keys, "mechanism": case.keys["mechanism"]["of"][key]}
        name = "dependency" if key == "dependency" else "apkdp"
        asked = {"reading": reading} if key == "dependency" else {}
        curve = pk.check(pk.build(**keys), name, epsilon="0", replay=False, **asked)  # type: ignore[arg-type]
        total += curve.profile.delta(f"ln({factor})" if factor > 1 else "0").a
    product = chosen[0] * chosen[1] * chosen[2]
    whole = pk.check(pk.build(**case.keys), "apkdp", epsilon="0", replay=False)
    assert whole.profile.delta(f"ln({product})" if product > 1 else "0").a <= total


# --- the re-check -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "weights"),
    [
        # Q gives neither output: ∞ - ∞, unless the first loss, or the second, is left out
        ({"[c,d]": 1}, {"default": 1, "infinite-loss": 0, "no-loss": 1, "equal-infinities": 1}),
        # Q gives the second alone, with 1/4: -∞, or the second loss ln(4)
        ({"[c,b]": "1/4", "[c,d]": "3/4"}, {"default": 1, "infinite-loss": 0, "no-loss": 4, "equal-infinities": 1}),
        # Q gives the first alone: ∞
        ({"[a,d]": "1/4", "[c,d]": "3/4"}, {"default": 0, "infinite-loss": 0, "no-loss": 0, "equal-infinities": 1}),
    ],
)
def test_infinite_losses_by_hand(q: dict[str, Any], weights: dict[str, int]) -> None:
    """P gives the pair (a, b) for certain; the weights are P·e^(-Dep)."""
    pairs = {f"[{x},{y}]": (x, y) for x in "ac" for y in "bd"}
    law = {output: Fraction(p) for output, p in q.items()}
    for reading, weight in weights.items():
        assert _against(pairs, 0, 1, "[a,b]", {"[a,b]": Fraction(1)}, law, reading) == weight


@pytest.mark.parametrize(
    ("mechanism", "reason"),
    [
        ({"kind": "sum"}, "this one is one"),
        ({"kind": "all", "of": [{"kind": "sum"}]}, "this one is 1 of them"),
        ({"kind": "all", "of": [{"kind": "sum"}] * 3}, "this one is 3 of them"),
        ({"kind": "all", "of": [{"kind": "sum"}] * 2, "sample": "1/2"}, "this one is one"),
        ({"kind": "all", "of": [{"kind": "sum"}] * 2, "then": [{"rows": [], "otherwise": "x"}]}, "this one is one"),
    ],
)
def test_other_mechanisms_are_unsupported(mechanism: dict[str, Any], reason: str) -> None:
    model = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=mechanism)
    found = pk.check(model, "dependency", epsilon="0")
    assert found.verdict == "unsupported"
    assert reason in str(found.reason)
