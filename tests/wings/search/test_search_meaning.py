"""When a statement holds: against naive code at constants, and against many values of the variables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies_search import asked, candidates, statements

from verifier.errors import InputError
from verifier.numbers import Epsilon, log_epsilon, simplest
from verifier.questions.having import PROPERTIES
from verifier.questions.language import statement
from verifier.questions.statement import Has, Holds, Scaled, Statement, atoms
from verifier.wings.search.atom_verdicts import Facts
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.separating_model import rechecked as verdict
from verifier.wings.search.statement_truth import Truth, Variables, assigned, decide, roots_above

POINTS = tuple(map(Fraction, ("1", "9/8", "5/4", "3/2", "2", "7/3", "5/2", "3", "4", "6", "9", "100")))


@settings(max_examples=150, deadline=None)
@given(candidates(records=2, values=2), asked(variables=False))
def test_the_last_check_agrees_with_the_checkers(one: Candidate, atom: Holds) -> None:
    mine = verdict(one, atom)
    if mine is not None:
        assert Facts(one.model()).verdict(atom) == mine
    else:
        assert "post" in atom.on


@settings(max_examples=100, deadline=None)
@given(candidates(), st.sampled_from(sorted(PROPERTIES)))
def test_properties_twice(one: Candidate, name: str) -> None:
    assert Facts(one.model()).verdict(Has(name)) == verdict(one, Has(name))


def test_the_last_check_says_what_it_does_not_know() -> None:
    for text in ("ddp(ln(2))", "ibddp(ln(2))", "klpr(ln(2))"):
        assert verdict(coin(3, 4), statement(text)) is None  # type: ignore[arg-type]


def everywhere(one: Statement, candidate: Candidate) -> list[dict[str, Epsilon | Fraction]]:
    """Many values of e and d."""
    facts = Facts(candidate.model())
    bends = {Fraction(1)}
    for atom in atoms(one):
        if isinstance(atom, Holds) and isinstance(atom.epsilon, Scaled):
            for curve in facts.curves(atom):
                bends |= {piece[0] for piece in curve.pieces} if not isinstance(curve, str) else set()
    xs = sorted({*POINTS, *bends})
    ds = [Fraction(k, 24) for k in range(0, 25, 3)]
    names = {name for atom in atoms(one) if isinstance(atom, Holds) for name in atom.variables}
    found: list[dict[str, Epsilon | Fraction]] = [
        {"e": log_epsilon(x), "d": d}
        for x, d in product(xs if "e" in names else xs[:1], ds if "d" in names else ds[:1])
    ]
    return found


@settings(max_examples=120, deadline=None)
@given(candidates(records=2, values=2, outputs=2), statements(transforms=False, depth=3))
def test_variables_stand_for_all_values(one: Candidate, claim: Statement) -> None:
    model = one.model()
    facts = Facts(model)
    truth = decide(claim, model, facts=facts)
    assume(truth.value is not None)
    if truth.value is False:
        values = dict(truth.values)
        at = decide(assigned(claim, values), model)
        assert (at.value, at.vacuous, at.values) == (False, truth.vacuous, ())
        return
    for values in everywhere(claim, one):
        assert decide(assigned(claim, values), model, facts=facts).value is True, values


@settings(max_examples=25, deadline=None)
@given(
    candidates(records=1, values=3, outputs=3, knowledge=1, most=4),
    st.sampled_from(["np(e, d)", "ppkdp(e, d)", "tail-cdp(e, d)", "np(2*e, d)"]),
    st.sampled_from(["np(2*e, d)", "cdp(3*e, 1/2*d)", "np(e, 2*d)", "cdp(1/2*e, d + 1/10)", "tail-dp(2*e, d)"]),
)  # fmt: skip
def test_whole_profiles_are_compared(one: Candidate, first: str, second: str) -> None:
    claim, model = statement(f"{first} => {second}"), one.model()
    facts = Facts(model)
    truth = decide(claim, model, facts=facts)
    broken = [v for v in everywhere(claim, one) if decide(assigned(claim, v), model, facts=facts).value is False]
    if truth.value is True:
        assert broken == []
    else:
        assert decide(assigned(claim, dict(truth.values)), model).value is False


def coin(p: int, of: int, outputs: int = 2) -> Candidate:
    """Randomized response: one record, the truth with probability p/of."""
    rows = ((p, of - p), (of - p, p)) if outputs == 2 else ((p, of - p, 0), (0, of - p, p))
    return Candidate(1, 2, outputs, 1, 2, of, (1, 1), rows)


CROSSING = "np(2*e, 2*d) and np(ln(2), {}*d) => np(e, 151/40*d) or np(ln(2), 5/2*d)"


@pytest.mark.parametrize(
    ("text", "model", "shown"),
    [
        ("np(e) => cdp(e)", coin(3, 4), "true"),
        ("np(2*e) => cdp(e)", coin(3, 4), "false at e = ln(2)"),  # √3 ≤ 2 < 3
        ("np(2*e) => cdp(e)", coin(2, 3), "false at e = ln(3/2)"),  # √2 ≤ 3/2 < 2
        ("np(3/2*e) => cdp(e)", coin(3, 4), "false at e = ln(9/4)"),  # x² with 3^(1/3) ≤ x < 3^(1/2): 3/2
        ("np", coin(3, 4), "true"),
        ("np", coin(1, 2, 3), "false"),
        ("np(e)", coin(3, 4), "false at e = 0"),
        ("not np(e)", coin(3, 4), "false at e = ln(3)"),
        ("not np(e)", coin(1, 2, 3), "true"),
        ("np(e, d) => tail-np(e, d)", coin(3, 4), None),
        ("np(e, d) => tail-apkdp(e, d)", coin(3, 4), "false at e = 0, d = 1/2"),
        ("np(e, d) => np(2*e, d/2)", coin(3, 4), "false at e = 0, d = 1/2"),
        ("np(ln(2), d) => np(ln(2), d/2)", coin(3, 4), "false at d = 1/3"),  # the simplest of [1/4, 1/2)
        ("np(delta=d) => np(delta=d/2)", coin(1, 2, 3), "false at d = 1/2"),
        ("np(1/10, d) => d", coin(3, 4), None),
        ("np(1/10, d) => np(1/10, d/2)", coin(3, 4), "not decided"),
        ("np(ln(2), d + 1/10) => np(ln(2), d)", coin(3, 4), "false at d = 1/5"),
        # two curves that cross others at √2.2 and at about 1.4915: only there, between two bends, the claim breaks
        (CROSSING.format("1001/400"), coin(3, 4), "false at e = ln(46/31), d = 100/1001"),
        (CROSSING.format("5/2"), coin(3, 4), "true"),
        ("np(e) => dp(f)", coin(3, 4), "false at e = ln(3), f = 0"),
        ("np(e) and np(f) => dp(f) and dp(e)", coin(3, 4), "true"),
        ("np(e) => dp(e/2) or np(2*e, 1/2)", coin(3, 4), "true"),
    ],
)
def test_values_that_break_a_claim(text: str, model: Candidate, shown: str | None) -> None:
    if shown is None:
        with pytest.raises(InputError):
            statement(text)
        return
    assert str(decide(statement(text), model.model())).split(":")[0] == shown


def test_vacuous_counts_as_holding_and_is_said() -> None:
    told = Candidate(1, 2, 2, 2, 2, 1, (1, 0, 0, 1), ((1, 0), (0, 1))).model()  # B tells the record
    asked_of = {text: decide(statement(text), told) for text in ("np(e)", "not np(e)", "np(e) => dp(e)", "dp => np(e)")}
    assert asked_of["np(e)"] == Truth(True, vacuous=True)
    assert asked_of["not np(e)"].value is False
    assert asked_of["not np(e)"].vacuous
    assert asked_of["np(e) => dp(e)"].vacuous
    assert asked_of["np(e) => dp(e)"].value is False
    assert asked_of["dp => np(e)"] == Truth(True)


def test_what_cannot_be_told_says_why() -> None:
    one = coin(3, 4).model()
    truth = decide(statement("ddp(e) or not np(ln(3))"), one)
    assert truth.value in {None, True, False}
    assert decide(statement("dps and np(ln(3))"), one).value is None
    assert "dps" in decide(statement("dps and np(ln(3))"), one).reason
    assert decide(statement("dps and np(ln(2))"), one).value is False
    assert decide(statement("dps or np(ln(3))"), one).value is True
    with pytest.raises(TypeError, match="not decided"):
        bool(truth)


def test_too_many_variables_are_refused() -> None:
    with pytest.raises(InputError, match="one ε with any number of δ"):
        Variables.of(statement("np(e, d) => cdp(f, d)"))
    both = statement("np(e)").implies(statement("np(0, e)"))
    with pytest.raises(InputError, match="e is an ε and a δ"):
        Variables.of(both)


def test_post_lists_every_function_of_the_outputs() -> None:
    many = Candidate(1, 2, 9, 1, 2, 9, (1, 1), ((1,) * 9, (9, *(0,) * 8)))
    facts = Facts(many.model())
    assert facts.verdict(statement("post(np)")) == "unsupported"  # type: ignore[arg-type]
    assert "9 outputs" in facts.reasons[0]
    three = Candidate(1, 2, 3, 1, 2, 4, (1, 1), ((2, 2, 0), (2, 0, 2)))
    assert len(Facts(three.model()).engines("post")) == 5


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(-6, 6), min_size=2, max_size=5), min_size=1, max_size=4))
def test_roots_are_all_there_and_apart(polynomials: list[list[int]]) -> None:
    assume(all(any(p[1:]) for p in polynomials))
    rows: list[tuple[Fraction, ...]] = []
    for given_ in polynomials:
        while given_[-1] == 0:
            given_.pop()
        rows.append(tuple(map(Fraction, given_)))

    def at(p: tuple[Fraction, ...], x: Fraction) -> Fraction:
        return sum((c * x**k for k, c in enumerate(p)), Fraction(0))

    found = roots_above(rows, Fraction(1))
    ends = [Fraction(1), *(end for root in found for end in (root.low, root.high)), None]
    for low, high in at_least_one(zip(ends[::2], ends[1::2], strict=True)):
        assert low is not None
        inside = [simplest(low, high), *([] if high is None else [low + (high - low) / 3, high - (high - low) / 99])]
        inside += [low + 1000, low + 10] if high is None else []
        for p in rows:  # no polynomial changes its sign between two roots
            assert len({at(p, x) > 0 for x in inside}) == 1
    for root in found:
        if root.exact is not None:
            assert any(at(p, root.exact) == 0 for p in rows)
        else:
            assert any(at(p, root.low) * at(p, root.high) < 0 for p in rows) or _touches(rows)


def test_roots_that_are_close_are_told_apart() -> None:
    near = Fraction(isqrt(2 * 10**80), 10**40)
    small, large = roots_above([(Fraction(-2), Fraction(0), Fraction(1)), (-near, Fraction(1))], Fraction(1))
    assert small.exact == near
    assert near < large.low < large.high < near + Fraction(1, 10**39)


def _touches(rows: list[tuple[Fraction, ...]]) -> bool:
    """Whether a polynomial may touch 0 without changing its sign: it then has degree 4 here."""
    return any(len(p) == 5 for p in rows)
