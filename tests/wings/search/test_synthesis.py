"""Synthesis: what z3 finds stands the naive check, patterns are complete up to renaming, and grids can miss it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import naive
import pytest
import z3
from hypothesis import given, settings
from naive import Db, Law, Plain, Row
from strategies_search import structured

import verifier as pk
from verifier.numbers import epsilon
from verifier.questions.language import statement
from verifier.questions.statement import And, Has, Holds, Not
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.encoding import Encoding
from verifier.wings.search.facts import Facts
from verifier.wings.search.features import FEATURES
from verifier.wings.search.meaning import decide
from verifier.wings.search.orbits import database_renamings, renamings
from verifier.wings.search.patterns import Pattern, patterns
from verifier.wings.search.scope import Scope, Shape
from verifier.wings.search.synthesis import Synthesised, find

ONE = Fraction(1)
TWO = Scope(2, 2, 2, 1)


def plain_of(one: Candidate) -> Plain:
    """The candidate as plain tables, from its docstring."""
    databases = list(product(range(one.values), repeat=one.records))
    rows = [
        Row(tuple(map(str, databases[k // one.knowledge])), str(k % one.knowledge), None, Fraction(w, one.law_total))
        for k, w in enumerate(one.law)
    ]
    table: dict[Db, Law] = {
        tuple(map(str, database)): {str(o): Fraction(w, one.row_total) for o, w in enumerate(weights) if w}
        for database, weights in zip(databases, one.mechanism, strict=True)
    }
    records = [0] if one.first_only else list(range(one.records))
    return Plain(one.records, [str(v) for v in range(one.values)], {"θ": rows}, table.__getitem__, records, [])


def needed(one: Candidate, definition: str, E: Fraction) -> Fraction:
    """The smallest δ, from the definition."""
    compared = [each for family in naive.families(plain_of(one), definition) for each in family]
    assert compared
    if definition.startswith("tail-"):
        tails = [naive.tail_line(each, naive.Exp("log", ONE, E, E)) for each in compared]
        return max(p for p, _ in tails)
    return max(naive.sum_formula(each, E) for each in compared)


PAIRS: list[tuple[tuple[str, str, str], tuple[str, str, str], Scope]] = [
    (("np", "2", "0"), ("cdp", "2", "0"), TWO),
    (("cdp", "2", "0"), ("np", "2", "0"), TWO),
    (("np", "2", "0"), ("dp", "2", "0"), TWO),
    (("cdp", "3/2", "1/10"), ("dp", "3/2", "1/10"), TWO),
    (("tail-apkdp", "2", "1/3"), ("tail-cdp", "2", "1/3"), TWO),
    (("apkdp", "2", "1/4"), ("tail-apkdp", "2", "1/4"), Scope(1, 2, 2, 1)),
    (("ppkdp", "1", "1/2"), ("apkdp", "1", "1/2"), Scope(2, 2, 2, 2)),
    (("ppkdp", "2", "1/5"), ("cdp", "2", "1/5"), TWO),
    (("np", "1", "0"), ("cdp", "1", "1/3"), Scope(2, 3, 2, 1)),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("satisfied", "violated", "scope"), PAIRS)
def test_what_is_found_separates(satisfied: Any, violated: Any, scope: Scope) -> None:
    texts = [
        f"{name}(ln({E}), {delta})" if E != "1" else f"{name}(0, {delta})" for name, E, delta in (satisfied, violated)
    ]
    hit = find(texts[:1], texts[1:], scope)
    assert hit.candidate is not None
    assert needed(hit.candidate, satisfied[0], Fraction(satisfied[1])) <= Fraction(satisfied[2])
    assert needed(hit.candidate, violated[0], Fraction(violated[1])) > Fraction(violated[2])
    if scope.knowledge == 1:  # the others take seconds
        assert hit == find(texts[:1], texts[1:], scope), "the same question, the same answer"


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("satisfied", "violated", "scope"),
    [
        (["dp(ln(2))"], ["np(ln(4))"], Scope(1, 2, 2, 1)),
        (["cdp(ln(2))"], ["np(ln(2))"], Scope(1, 3, 2, 1)),
        (["apkdp(ln(2), 1/4)"], ["ppkdp(ln(2), 1/4)"], TWO),
        (["tail-apkdp(ln(2), 1/4)"], ["apkdp(ln(2), 1/4)"], Scope(1, 2, 2, 1)),
        (["np(ln(2))", "independent"], ["cdp(ln(2))"], TWO),
        (["np(e)"], ["np(2*e)"], Scope(1, 2, 2, 1)),
        (["np(e, d)"], ["np(e, 2*d)"], Scope(1, 2, 2, 1)),
        (["deterministic", "np(ln(5))"], ["np(0)"], Scope(1, 3, 2, 1)),
    ],
)
def test_what_is_implied_is_not_found(satisfied: list[str], violated: list[str], scope: Scope) -> None:
    hit = find(satisfied, violated, scope)
    assert hit.candidate is None
    assert hit.rejected == 0


def test_a_weight_that_no_grid_up_to_six_holds() -> None:
    """δ above 14/99 and at most 1/7 needs conditional probabilities such as 6/7: no θ in multiples of 1/6 has them."""
    satisfied, violated = ["deterministic", "np(0, 1/7)", "not np(0, 14/99)"], ["cdp(0, 1/7)"]
    hit = find(satisfied, violated, TWO)
    assert hit.candidate is not None
    question = And((*map(statement, satisfied), Not(statement(violated[0]))))
    assert decide(question, hit.candidate.model()).value is True
    assert hit.candidate.law_total > 6
    assert needed(hit.candidate, "np", ONE) == Fraction(1, 7)
    assert needed(hit.candidate, "cdp", ONE) > Fraction(1, 7)
    for total in (4, 5, 6):  # sixths are among them as they are, halves and thirds as sixths
        for law in (w for w in product(range(total + 1), repeat=4) if sum(w) == total):
            for outputs in product((0,), *[(0, 1)] * 3):  # the other half has the names of the outputs exchanged
                rows = tuple((1, 0) if o else (0, 1) for o in outputs)
                one = Candidate(2, 2, 2, 1, total, 1, law, rows)
                compared = [each for family in naive.families(plain_of(one), "np") for each in family]
                delta = max((naive.sum_formula(each, ONE) for each in compared), default=Fraction(0))
                assert not Fraction(14, 99) < delta <= Fraction(1, 7)


def test_variables_and_powers_are_unknowns_too() -> None:
    hit = find(["cdp(e)"], ["np(3/2*e)"], TWO)
    assert hit.candidate is not None
    truth = decide(statement("cdp(e) => np(3/2*e)"), hit.candidate.model())
    assert truth.value is False
    root = find(["np(1/2*ln(2))", "not np(1/3*ln(2))"], ["dp(1/2*ln(2))"], TWO)
    assert root.candidate is not None
    model = root.candidate.model()
    assert pk.check(model, "np", epsilon="1/2*ln(2)").verdict == "holds"
    assert pk.check(model, "np", epsilon="1/3*ln(2)").verdict == "fails"
    assert pk.check(model, "dp", epsilon="1/2*ln(2)").verdict == "fails"


def test_a_root_of_a_polynomial_is_between_its_neighbours() -> None:
    """1.6 < e^ε = (1 + √5)/2 < 1.625: between them z3 finds a model, and none the other way round."""
    golden = "ln(root of x^2 - x - 1 in [1, 2])"
    at_root = Holds("np", epsilon(golden))
    one_record = Scope(1, 2, 2, 1)
    hit = find([at_root], ["np(ln(8/5))"], one_record)
    assert hit.candidate is not None
    model = hit.candidate.model()
    assert pk.check(model, "np", epsilon=golden).verdict == "holds"
    assert pk.check(model, "np", epsilon="ln(8/5)").verdict == "fails"
    assert find(["np(ln(8/5))"], [at_root], one_record).candidate is None


def test_infinity_counts_impossible_outputs() -> None:
    hit = find(["np(inf)"], ["dp(inf, 1/2)"], TWO)
    assert hit.candidate is not None
    assert pk.check(hit.candidate.model(), "np", epsilon="inf").verdict == "holds"
    assert pk.check(hit.candidate.model(), "dp", epsilon="inf", delta="1/2").verdict == "fails"
    same = find(["np"], ["dp(inf, 1/2)"], TWO)
    assert same.candidate == hit.candidate


def test_only_the_first_record() -> None:
    hit = find(["np(0)"], ["cdp(0)"], Scope(2, 2, 2, 1, first_only=True))
    assert hit.candidate is not None
    assert hit.candidate.first_only
    assert needed(hit.candidate, "np", ONE) == 0
    assert needed(hit.candidate, "cdp", ONE) > 0


def test_what_is_only_vacuous_is_not_shown_unless_asked_for() -> None:
    scope = Scope(1, 2, 2, 1)
    assert find(["np(0)"], ["dp(0)"], scope).candidate is None
    found = find(["np(0)"], ["dp(0)"], scope, vacuous=True).candidate
    assert found is not None
    assert pk.check(found.model(), "np", epsilon=0).verdict == "vacuous"


def test_giving_up_is_said() -> None:
    hit = find(["np(ln(2), 1/7)", "not np(ln(2), 14/99)"], ["dp(0, 1/7)"], Scope(1, 2, 2, 1), rlimit=1)
    assert hit.unknown > 0
    assert f"of which z3 gave up on {hit.unknown}" in str(hit)
    assert str(Synthesised(None, 7, 2, 1)) == (
        "none found among 7 supports, of which z3 gave up on 2; 1 were found but did not stand the check"
    )


# --- patterns -----------------------------------------------------------------------------------------------


def every(shape: Shape) -> set[Pattern]:
    """All supports of one shape in which each output and each knowledge value is possible."""
    rows = [row for row in product((True, False), repeat=shape.outputs) if any(row)]
    found = set()
    for law in product((True, False), repeat=shape.databases * shape.knowledge):
        if all(any(law[k :: shape.knowledge]) for k in range(shape.knowledge)):
            for chosen in product(rows, repeat=shape.databases):
                if all(any(column) for column in zip(*chosen, strict=True)):
                    found.add(Pattern(shape, first_only=False, law=law, rows=chosen))
    return found


def orbit(one: Pattern) -> set[Pattern]:
    shape = one.shape
    return {
        Pattern(
            shape,
            first_only=False,
            law=tuple(one.law[p[d] * shape.knowledge + k[b]] for d in range(len(p)) for b in range(shape.knowledge)),
            rows=tuple(tuple(one.rows[p[d]][o] for o in r) for d in range(len(p))),
        )
        for p in database_renamings(shape.records, shape.values, first_only=False)
        for k in renamings(shape.knowledge)
        for r in renamings(shape.outputs)
    }


@pytest.mark.parametrize("shape", [(1, 2, 2, 2), (2, 2, 2, 1), (1, 3, 2, 1), (1, 2, 3, 1)])
def test_each_orbit_of_patterns_once(shape: tuple[int, int, int, int]) -> None:
    made = [
        one for one in patterns(Scope(*shape), lambda shape, _: range(shape.databases)) if one.shape == Shape(*shape)
    ]
    orbits = [orbit(one) for one in made]
    assert sum(map(len, orbits)) == len(set().union(*orbits))
    assert set().union(*orbits) == every(Shape(*shape))


def test_synthesis_agrees_with_a_grid() -> None:
    """Where a grid of thirds and quarters separates, synthesis does; where synthesis says never, no grid does."""
    grids = [Candidate(1, 2, 2, 1, 2, 4, (1, 1), rows) for rows in product(_quarters(), repeat=2)]
    for text in ("np(ln(2), 1/4)", "np(0, 1/2)", "np(ln(3))", "tail-apkdp(ln(2), 1/2)"):
        for other in ("dp(ln(2), 1/4)", "dp(ln(3/2))", "tail-dp(ln(2), 1/4)"):
            question = And((statement(text), Not(statement(other))))
            by_grid = any(decide(question, one.model()).value for one in grids)
            by_z3 = find([text], [other], Scope(1, 2, 2, 1)).candidate is not None
            assert by_z3 or not by_grid


def _quarters() -> list[tuple[int, int]]:
    return [(k, 4 - k) for k in range(5)]


@pytest.mark.parametrize("name", sorted(FEATURES))
@settings(max_examples=25, deadline=None)
@given(structured())
def test_properties_of_terms_are_those_of_models(name: str, one: Candidate) -> None:
    """The weights are numbers here, and the pattern says which are not 0."""
    shape, context = Shape(one.records, one.values, one.outputs, one.knowledge), z3.Context()
    rows = [[Fraction(weight, one.row_total) for weight in row] for row in one.mechanism]
    pattern = Pattern(shape, one.first_only, tuple(map(bool, one.law)), tuple(tuple(map(bool, row)) for row in rows))
    law = {divmod(place, one.knowledge): Fraction(weight) for place, weight in enumerate(one.law) if weight}
    encoding = Encoding(z3, context, pattern, law, rows, {}, vacuous=False)
    holds = Facts(one.model()).verdict(Has(name)) == "holds"
    for wanted in (True, False):
        assert z3.is_true(z3.simplify(encoding.truth(Has(name), wanted=wanted))) == (holds is wanted)
