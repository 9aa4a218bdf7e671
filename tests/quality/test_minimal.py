"""Pinned: the smallest counterexamples to what is false, and no counterexample to what is true.

The smallest ones are found a second time here by looking at every model without symmetry, in fractions.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_models import models, needed, reduced, smallest

import verifier as pk
from verifier.numbers import log_epsilon
from verifier.questions.statement import Has, Holds
from verifier.wings.implications.facts import ARROWS, Implication, terms_of
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.scope import Scope
from verifier.wings.search.separating_model import rechecked as verdict

TINY = Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)
SMALL = Scope(2, 2, 2, 1, weights=2, mechanism_weights=2)
KNOWN = Scope(2, 2, 2, 2, weights=2, mechanism_weights=1)
KNOWN_HALVES = Scope(2, 2, 2, 2, weights=2, mechanism_weights=2)
KNOWN_THIRDS = Scope(2, 2, 2, 2, weights=3, mechanism_weights=1)
ONE = Scope(1, 3, 3, 2, weights=3, mechanism_weights=2)
"""Records, values, outputs, knowledge values."""
E2 = Fraction(2)


def at(
    name: str, e: Fraction | None, bound: str = "0", *, fails: bool = False
) -> tuple[str, Fraction | None, str, bool]:
    return name, e, bound, fails


def answers(one: Candidate, *asked: tuple[str, Fraction | None, str, bool]) -> bool:
    """Whether all hold, or fail, and none only because nothing is compared."""
    for name, e, bound, fails in asked:
        delta = needed(one, name, e)
        if delta is None or (delta > Fraction(bound)) != fails:
            return False
    return True


PAIRS = [
    (TINY, at("np", Fraction(1)), at("cdp", Fraction(1), fails=True)),
    (TINY, at("cdp", Fraction(1)), at("np", Fraction(1), fails=True)),
    (TINY, at("np", Fraction(1)), at("dp", None, fails=True)),
    (TINY, at("cdp", Fraction(1)), at("dp", E2, fails=True)),
    (TINY, at("np", E2), at("ibcdp", E2, fails=True)),
    (SMALL, at("np", E2), at("np", Fraction(1), fails=True)),
    (SMALL, at("apkdp", Fraction(1), "1/2"), at("tail-apkdp", Fraction(1), "1/2", fails=True)),
    (SMALL, at("cdp", None), at("ibcdp", None, fails=True)),
    (KNOWN, at("ppkdp", Fraction(1), "1/2"), at("apkdp", Fraction(1), "1/2", fails=True)),
    (ONE, at("ppkdp", Fraction(1), "1/2"), at("apkdp", Fraction(1), "1/2", fails=True)),
    (ONE, at("ppkdp", E2, "1/3"), at("tail-ppkdp", E2, "1/3", fails=True)),
    (ONE, at("np", E2), at("dp", E2, fails=True)),
]


def text(one: tuple[str, Fraction | None, str, bool]) -> str:
    return f"{one[0]}({'inf' if one[1] is None else log_epsilon(one[1])}, {one[2]})"


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("scope", "first", "second"), PAIRS, ids=lambda one: text(one) if isinstance(one, tuple) else ""
)
def test_the_smallest_counterexample_is_found(
    scope: Scope, first: tuple[str, Fraction | None, str, bool], second: tuple[str, Fraction | None, str, bool]
) -> None:
    best, count, found = smallest(scope, lambda one: answers(one, first, second))
    told = pk.search(satisfies=text(first), violates=text(second), scope=scope, exhaust=True)
    assert (told.hit.checked, told.hit.complete) == (count, True) == (scope.models, True)
    if best is None:
        assert told.verdict == "none in scope"
        assert told.hit.found == 0
        return
    assert told.hit.candidate == best
    assert 0 < told.hit.found <= found
    assert told.separation
    assert told.separation.candidate.size <= best.size
    assert reduced(told.separation.candidate)
    assert answers(told.separation.candidate, first, second)


def test_the_models_are_those_that_the_scope_counts() -> None:
    for scope in (TINY, KNOWN, Scope(1, 3, 3, 1, weights=2, mechanism_weights=1)):
        listed = list(models(scope))
        assert len(set(listed)) == len(listed) == scope.models


PINNED: dict[tuple[str, str, str], tuple[int, ...]] = {
    # records, values, outputs, knowledge values, possible worlds, denominators of θ and of M
    ("np(e)", "cdp(e)", ""): (2, 2, 2, 1, 2, 2, 1),
    ("cdp(e)", "np(e)", ""): (),  # a record that changes alone moves an output from 0 to 1/2 at least
    ("cdp(e)", "np(e)", "first_only"): (2, 2, 2, 1, 2, 2, 1),
    ("cdp(e)", "np(e)", "finer"): (2, 2, 2, 1, 2, 2, 4),
    ("np(e)", "dp(e)", ""): (2, 2, 2, 1, 2, 2, 1),
    ("cdp(e)", "dp(e)", ""): (2, 2, 2, 1, 2, 2, 1),
    ("np(e)", "ibcdp(e)", ""): (2, 2, 2, 1, 2, 2, 1),
    ("ppkdp(e, d)", "apkdp(e, d)", ""): (1, 2, 2, 2, 3, 3, 2),  # the grid has quarters: shrunk to thirds
    ("apkdp(e, d)", "tail-apkdp(e, d)", ""): (1, 2, 2, 1, 2, 2, 2),
    ("cdp and np", "dp", ""): (2, 2, 2, 1, 2, 2, 1),
    ("not acceptable", "np", ""): (1, 2, 2, 2, 3, 3, 1),
}


@pytest.mark.parametrize("pair", PINNED, ids=" but not ".join)
def test_pinned_sizes(pair: tuple[str, str, str]) -> None:
    scope = Scope(2, 2, 2, 2, 4, 4 if pair[2] == "finer" else 2, first_only=pair[2] == "first_only")
    told = pk.search(satisfies=pair[0], violates=pair[1], scope=scope)
    assert (told.separation.candidate.size[:7] if told.separation else ()) == PINNED[pair]


CONDITION = {
    "independent": "independent",
    "values": "every-value-possible",
    "outputs": "every-output-possible",
    "informed": "informed",
}


def words(arrow: Implication) -> str:
    """An arrow of the relation graph as a claim."""
    more, epsilon = ", d" if arrow.delta else "", "e"
    if arrow.target == "ddp":  # its smallest ε may be the logarithm of a root
        more, epsilon = ", 1/4", "ln(2)"
    claim = f"{arrow.source}({epsilon}{more}) => {arrow.target}({terms_of(arrow.map)[0][0]}*{epsilon}{more})"
    return f"{CONDITION[arrow.condition]} => {claim}" if arrow.condition else claim


TRUE = [
    *(words(arrow) for arrow in ARROWS if arrow.condition in {"", *CONDITION}),
    "np(e, d) iff apkdp(e, d)",
    "ppkdp(e) iff apkdp(e)",
    "dp(e) => twice(dp(2*e))",
    "informed => np(e) => twice(np(2*e))",
    "np(e, d) => post(np(e, d))",
    "cdp(e, d) => post(cdp(e, d))",
    "constant => np(0) and cdp(0) and dp(0)",
    "informed => full-support and every-value-possible",
    "independent-records and no-knowledge => independent",
    "deterministic and dp(e) => constant",
    "reducible and constant => np(0)",
]


@pytest.mark.sweep(12)
@pytest.mark.parametrize("scope", [KNOWN_HALVES, KNOWN_THIRDS], ids=str)
@pytest.mark.parametrize("claim", TRUE)
def test_what_is_true_survives(claim: str, scope: Scope) -> None:
    told = pk.search(claim=claim, scope=scope)
    assert (told.verdict, told.exit_status) == ("none in scope", 0), told.text
    assert told.hit.checked == told.scope.models


FALSE = [
    "np(e) => twice(np(2*e))",
    "independent-records and cdp(e) => twice(cdp)",
    "tail-cdp(e, d) => post(tail-cdp(e, d))",
    "independent => np(e, d) iff cdp(e, d/2)",
    "np(e, d) => cdp(2*e, d)",
    "cdp(e) => ibcdp(3*e)",
    "ibcdp(e) => cdp(2*e)",
    "acceptable => np iff cdp",
]


@pytest.mark.parametrize("claim", FALSE)
def test_what_is_false_is_broken(claim: str) -> None:
    told = pk.search(
        claim=claim, records=2, values=3 if "cdp(e) => ibcdp" in claim else 2, outputs=3, mechanism_weights=2
    )
    assert (told.verdict, told.exit_status) == ("separated", 1)
    assert told.separation
    one = told.separation.candidate
    for atom, answer in told.separation.verdicts:
        assert isinstance(atom, Has | Holds)
        assert verdict(one, atom) in {None, answer}
