"""Databases of several sizes: `dps`, `safe` and the properties are what the checker finds, and the laws of LQS12."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import weights
from test_definitions import EPSILONS

import verifier as pk
from verifier.model.multisets import Multisets

pytestmark = pytest.mark.quick


DELTAS = [Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(1, 2), Fraction(1)]
RATES = [None, "1/2", "1/3", "3/4", "1", "0"]
VALUES: list[list[Any]] = [["t"], ["t", "u"], [1, 0], [2, 0, 1]]


@st.composite
def tables(draw: st.DrawFn, values: list[Any], sizes: tuple[int, int], outputs: list[Any]) -> dict[str, Any]:
    """A random table of multisets; each row in a random order."""
    rows = []
    for size in range(sizes[0], sizes[1] + 1):
        for database in combinations_with_replacement(values, size):
            law = zip(outputs, draw(weights(len(outputs))), strict=True)
            rows.append({"database": draw(st.permutations(database)), "outputs": {o: str(p) for o, p in law if p}})
    return {"rows": draw(st.permutations(rows))}


def kinds(values: list[Any]) -> list[dict[str, Any]]:
    """Kinds that are defined on any number of tuples."""
    count, parity = {"kind": "count", "value": values[0]}, {"kind": "parity", "values": values}
    more = [{"kind": "sum"}] if all(isinstance(v, int) for v in values) else []
    return [
        count, parity, *more, {"kind": "threshold-count", "value": values[0], "above": 1}, {"kind": "histogram"},
        {"kind": "k-anonymous-histogram", "k": 2}, {"kind": "constant", "output": "same"},
        {"kind": "all", "of": [parity, count]},
    ]  # fmt: skip


@st.composite
def sized(draw: st.DrawFn, what: str | None = None, largest: int = 3) -> dict[str, Any]:
    """The keys of a random model with databases of several sizes."""
    values, rate = draw(st.sampled_from(VALUES)), draw(st.sampled_from(RATES))
    last = draw(st.integers(1, largest if len(values) < 3 else largest - 1))
    first = draw(st.integers(0, last))
    met = (first if rate is None else 0, last)
    what = what or draw(st.sampled_from(["table", "kind", "apply", "k-anonymization"]))
    maps = {name: {str(v): draw(st.sampled_from("abc")) for v in values} for name in ("g", "h")}
    if what == "table":
        mechanism = draw(tables(values, met, ["x", "y", "z"]))
    elif what == "kind":
        mechanism = draw(st.sampled_from(kinds(values)))
    elif what == "apply":
        mechanism = {"kind": "apply", "k": draw(st.integers(1, 3)), "generalization": maps["g"]}
    else:
        choose, shows = draw(tables(values, met, ["g", "h"])), draw(st.booleans())
        mechanism = {"kind": what, "k": draw(st.integers(1, 3)), "generalizations": maps, "choose": choose,
                     "shows-mapping": shows}  # fmt: skip
    sample = {} if rate is None else {"sample": rate}
    return {"size": [first, last], "values": values, "mechanism": {**mechanism, **sample}}


@pytest.mark.sweep(2)
@given(sized(), st.sampled_from(list(EPSILONS)), st.sampled_from(DELTAS))
@settings(max_examples=45)
def test_dps_is_what_the_checker_finds(keys: dict[str, Any], epsilon: str | None, delta: Fraction) -> None:
    model, rate = pk.build(**keys), Fraction(keys["mechanism"].get("sample", 1))
    default, other = (pk.check(model, "dps", epsilon=epsilon, delta=delta, reading=r) for r in ("default", "any-delta"))
    for found in (default, other):
        assert found.replayed is True
        assert f"multisets of {keys['size'][0]}" in found.note
    if rate > delta or other.verdict == "vacuous":
        assert default.verdict == other.verdict
        return
    assert other.verdict == "holds", "sampling alone gives δ = β"
    assert default.verdict == "fails"
    assert "is not above δ" in (default.reason or "")


@given(sized(what="k-anonymization"), st.sampled_from(list(EPSILONS)), st.sampled_from(DELTAS))
@settings(max_examples=45)
def test_safe_is_what_the_checker_finds(keys: dict[str, Any], epsilon: str | None, delta: Fraction) -> None:
    assert pk.check(pk.build(**keys), "safe", epsilon=epsilon, delta=delta).replayed is True


@given(sized(), st.integers(1, 4) | st.none())
@settings(max_examples=60)
def test_properties_are_what_the_checker_finds(keys: dict[str, Any], k: int | None) -> None:
    model, mechanism = pk.build(**keys), keys["mechanism"]
    crowd, safety = pk.k_anonymity(model, k), pk.strongly_safe(model)
    if mechanism.get("kind") not in {"apply", "k-anonymization"}:
        assert (safety.verdict, crowd.verdict) == ("unsupported", "unsupported")
        return
    assert safety.replayed is True
    if mechanism.get("shows-mapping"):
        return
    assert crowd.replayed is True
    assert k is not None or crowd.verdict != "fails", "a k-anonymization is k-anonymous"


# --- theorems of LQS12 ------------------------------------------------------------------------------------


def test_a_multiset_has_only_values_of_its_domain() -> None:
    few, more = Multisets(2, 1, 3), Multisets(3, 0, 4)
    assert {database for database in more if database in few} == set(few)
    assert not any(other in few for other in ((0, 2), (-1, 0), (1, 0), (), (0, 0, 0, 0), ("0",), (0.5,), [0], 0))
