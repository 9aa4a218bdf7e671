"""Numbers, lines, places, tails and statements of the replay, against values worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from verifier.checker import Rejected
from verifier.checker.engines.sums import Mechanism
from verifier.checker.judge import judge
from verifier.checker.laws import Compared, Pair, Weighted
from verifier.checker.measures import line_of
from verifier.checker.numbers import DIGITS, Exponential, decimal, ends, polynomial_of
from verifier.checker.search.statement import (
    ReplayedStatement,
    Undecided,
    _places,
    _smallest_of,
    level,
    lines,
    parsed,
    places,
    ratios,
    steps,
)
from verifier.checker.simulators.simulator import Root, above

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)

# --- numbers ------------------------------------------------------------------------------------------------------


def root_below(value: int, degree: int) -> int:
    """The largest integer of which the power is at most the value."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low


@pytest.mark.parametrize(
    ("epsilon", "power", "degree"),
    [("3/2*ln(2)", 8, 2), ("2/3*ln(5)", 25, 3), ("1/2*ln(7)", 7, 2), ("5/3*ln(2)", 32, 3)],
)
def test_signs_very_near_an_algebraic_number(epsilon: str, power: int, degree: int) -> None:
    """E = power^(1/degree); rationals nearer to it than 2^-2048 are compared by integer powers."""
    e = Exponential(epsilon)
    assert polynomial_of(epsilon) == [-power, *[0] * (degree - 1), 1]
    for bits in (10, 3000):
        bottom = 1 << bits
        top = root_below(power * bottom**degree, degree)
        for a, sign in ((top, -1), (top + 1, 1)):
            assert e.sign(a, bottom) == e.sign(Fraction(a, bottom), 1) == sign
            assert e.sign(-a, -bottom) == -sign
    low, high = e.bounds(100)
    assert low**degree <= power <= high**degree
    assert high - low <= Fraction(1, 1 << 100)


def test_signs_at_a_root_of_a_polynomial() -> None:
    """The golden ratio, between two convergents."""
    e = Exponential("ln(root of x^2 - x - 1 in [8/5, 17/10])")
    a, b = 1, 1
    for k in range(300):
        assert e.sign(a, b) == (1 if k % 2 else -1)
        a, b = a + b, a
    assert e.sign(0, 1) == e.sign(-1, 0) == -1
    assert e.sign(1, 0) == e.sign(0, -1) == e.sign(1, -1) == 1
    assert e.sign(0, 0) == 0


@pytest.mark.parametrize("epsilon", ["1/2*ln(2)", "2/3*ln(5)", "ln(root of x^2 - x - 1 in [8/5, 17/10])"])
@pytest.mark.parametrize("precision", [32, 64])
def test_an_irrational_root_lies_strictly_between_its_bounds(epsilon: str, precision: int) -> None:
    """Also where a polynomial is exactly 0 at an end of the bounds that are looked at: its sign is not known yet."""
    low, high = Root(epsilon).bounds(precision)
    assert [Root(epsilon).sign([-end, Fraction(1)]) for end in (low, high)] == [1, -1]
    assert [Root(epsilon).sign([end, Fraction(-1)]) for end in (low, high)] == [-1, 1]


def test_the_larger_of_two_epsilons() -> None:
    """Rational, algebraic and transcendental powers, in their order; two lie 10^-20 from ln(2)/2."""
    texts = ["0", "1/10", "3465735902799726547/10000000000000000000", "1/2*ln(2)",
             "866433975699931637/2500000000000000000", "ln(3/2)", "ln(root of x^2 - x - 1 in [1, 2])", "1/2", "ln(2)",
             "1", "2/3*ln(5)"]  # fmt: skip
    for k, left in enumerate(texts):
        assert [above(left, right) for right in texts] == [k > other for other in range(len(texts))]


def test_signs_at_transcendental_and_infinite_numbers() -> None:
    e = Exponential("1")
    for bits in (10, 200):
        numerator = 1 << bits
        total = term = Fraction(numerator)
        for k in range(1, 100):
            term /= k
            total += term
        below = int(total)
        assert (e.sign(below, numerator), e.sign(below + 1, numerator)) == (-1, 1)
    infinite = Exponential("inf")
    assert [infinite.sign(x, 0) for x in (-1, 0, 1)] == [-1, 0, 1]


@pytest.mark.parametrize(
    ("text", "value"),
    [("5.7e-561", Fraction(57, 10**562)), ("9.99e-6", Fraction(999, 10**8)), ("0.00001", Fraction(1, 10**5)),
     ("0", 0), ("12.5", Fraction(25, 2)), ("3", 3)],
)  # fmt: skip
def test_decimals(text: str, value: Fraction | int) -> None:
    assert decimal(text) == value


@pytest.mark.parametrize("exponent", ["", "e-7"])
def test_enclosures_are_narrow(exponent: str) -> None:
    """The ends are at most two units of the last digit apart, and not the same."""
    digits = "0" * (DIGITS - 2)
    low, high = ends(f"[1.{digits}1{exponent}, 1.{digits}3{exponent}]")
    assert high - low == 2 * Fraction(1, 10 ** (DIGITS - 1 + (7 if exponent else 0)))
    for wrong in (f"1.{digits}4", f"1.{digits}1", f"1.{digits}", "1"):
        with pytest.raises(Rejected):
            ends(f"[1.{digits}1{exponent}, {wrong}{exponent}]")


# --- δ, lines, levels ---------------------------------------------------------------------------------------------

P = {"a": Fraction(8, 16), "b": Fraction(4, 16), "c": Fraction(3, 16), "d": Fraction(1, 16)}
Q = {"a": Fraction(1, 16), "b": Fraction(1, 16), "c": Fraction(6, 16), "e": Fraction(8, 16)}
ONE = Compared("θ", 0, "0", "1", None, [Pair(Fraction(1), "x", P, Q, "")])
SAME = Compared("θ", 1, "0", "1", None, [Pair(Fraction(1), "x", P, P, "")])
"""P/Q is 8, 4, 1/2, infinite and 0."""
AVERAGE = Compared("θ", 0, "0", "1", None, [Pair(THIRD, "x", P, Q, ""), Pair(HALF, "y", Q, P, "")])


@pytest.mark.parametrize(
    ("E", "closed", "a", "b"),
    [(1, False, 13, 2), (4, False, 9, 1), (4, True, 13, 2), (7, False, 9, 1), (8, False, 1, 0), (8, True, 9, 1),
    (9, True, 1, 0)],
)  # fmt: skip
def test_lines(E: int, closed: bool, a: int, b: int) -> None:  # noqa: FBT001
    e = Exponential("0" if E == 1 else f"ln({E})")
    assert line_of(ONE, e, tail=False, closed=closed).ends == (Fraction(a, 16), Fraction(b, 16))
    assert line_of(ONE, e, tail=True, closed=closed).ends == (Fraction(a, 16), Fraction(0))


def test_lines_of_other_weights() -> None:
    """Laws up to a factor are made probabilities; measures are not; an average adds its weights."""
    doubled = ONE._replace(
        pairs=[Pair(Fraction(1), "x", {o: 32 * p for o, p in P.items()}, {o: 80 * q for o, q in Q.items()}, "")]
    )
    assert line_of(doubled, Exponential("ln(4)"), tail=False).ends == (Fraction(9, 16), Fraction(1, 16))
    measured = ONE._replace(pairs=[Pair(Fraction(1), "x", P, Weighted({"a": HALF, "b": Fraction(1, 8)}, 1), "")])
    assert line_of(measured, Exponential("0"), tail=False).ends == (HALF, Fraction(1, 8))
    assert line_of(AVERAGE, Exponential("0"), tail=False).ends == (
        THIRD * Fraction(13, 16) + HALF * Fraction(14, 16), THIRD * Fraction(2, 16) + HALF * Fraction(3, 16),
    )  # fmt: skip
    missing = ONE._replace(pairs=[Pair(THIRD, "x", P, None, "")])
    assert line_of(missing, Exponential("0"), tail=False).ends == (THIRD, Fraction(0))
    infinite = Exponential("inf")
    assert line_of(ONE, infinite, tail=False).ends == line_of(ONE, infinite, tail=True, closed=True).ends
    assert line_of(ONE, infinite, tail=False).ends == (Fraction(1, 16), Fraction(0))


def test_ratios_and_lines_of_all_events() -> None:
    assert ratios(ONE) == [1, 4, 8]
    assert ratios(SAME) == [1]
    assert ratios(AVERAGE) == [1, 2, 4, 8]
    every = {(Fraction(13, 16), Fraction(2, 16)), (Fraction(9, 16), Fraction(1, 16)), (Fraction(1, 16), Fraction(0))}
    assert set(lines([ONE])) == every
    assert [level(lines([ONE]), Fraction(E)) for E in (1, 4, 6, 8, 9)] == [
        Fraction(x, 16) for x in (11, 5, 3, 1, 1)
    ]  # fmt: skip


def test_places_where_lines_meet() -> None:
    """1 - E/8 meets 1/2 at 4 and 3/4 at 2; what meets below 1, or never, does not count."""
    falling, one, other = (Fraction(1), Fraction(1, 8)), (HALF, Fraction(0)), (Fraction(3, 4), Fraction(0))
    assert places([falling, one, other, (Fraction(2), Fraction(9))]) == [1, 2, 4, Fraction(3, 2), 3, 5]
    assert places([one, other]) == [1, 2]
    assert places([falling]) == [1, 2]


def test_steps_between_levels() -> None:
    assert steps([HALF, Fraction(-1), Fraction(3), Fraction(1)]) == [0, HALF, 1, QUARTER, Fraction(3, 4)]
    assert steps([]) == [0, 1, HALF]


@pytest.mark.parametrize(
    ("delta", "ordinary", "tail"),
    [("13/16", 1, 1), ("12/16", 1, 4), ("11/16", 1, 4), ("10/16", Fraction(3, 2), 4), ("9/16", 2, 4), ("5/16", 4, 8),
     ("4/16", 5, 8), ("1/16", 8, 8), ("1/32", None, None), ("0", None, None)],
)  # fmt: skip
def test_the_smallest_factor(delta: str, ordinary: Fraction | None, tail: Fraction | None) -> None:
    """11/16 - (E - 1)/8 up to E = 4, then 9/16 - E/16 up to 8; the tail is 13/16, then 9/16, then 1/16."""
    assert _smallest_of(ONE, Fraction(delta), tail=False) == ordinary
    assert _smallest_of(ONE, Fraction(delta), tail=True) == tail


def answer(verdict: str, delta: str, epsilon: str, event: str, at: str) -> dict[str, Any]:
    evidence = {
        "distribution": "θ", "record": 0, "a": "0", "b": "1", "knowledge": "x", "event": list(event),
        "at_epsilon": at,
        "probability_a": str(sum((P.get(o, Fraction(0)) for o in event), Fraction(0))),
        "probability_b": str(sum((Q.get(o, Fraction(0)) for o in event), Fraction(0))),
        "direction": None, "output": None, "databases": None, "terms": None,
    }  # fmt: skip
    shown = {"witness": evidence, "tightest": None} if verdict == "fails" else {"witness": None, "tightest": evidence}
    return {"verdict": verdict, "tight_delta": delta, "tight_epsilon": epsilon, **shown}


TAIL: list[tuple[str, str, dict[str, Any]]] = [
    ("ln(4)", "1/2", answer("fails", "9/16", "ln(8)", "ad", "ln(4)")),
    ("ln(4)", "9/16", answer("holds", "9/16", "ln(4)", "ad", "ln(4)")),
    ("ln(5)", "9/16", answer("holds", "9/16", "ln(4)", "ad", "ln(5)")),
    ("0", "3/4", answer("fails", "13/16", "ln(4)", "abd", "0")),
    ("ln(8)", "1/16", answer("holds", "1/16", "ln(8)", "d", "ln(8)")),
    ("inf", "0", answer("fails", "1/16", "inf", "d", "inf")),
]
WRONG = {
    "verdict": ["holds", "fails", "vacuous"],
    "tight_delta": ["0", "1/16", "9/16", "13/16", "1/2"],
    "tight_epsilon": ["0", "ln(3)", "ln(4)", "ln(5)", "ln(8)", "ln(9)", "inf"],
}


@pytest.mark.parametrize(("epsilon", "delta", "told"), TAIL, ids=range(len(TAIL)))
def test_answers_in_the_tail_form(epsilon: str, delta: str, told: dict[str, Any]) -> None:
    """The honest answer is accepted; with another number, or another event, it is not."""
    question = {"definition": "mine", "reading": "default", "epsilon": epsilon, "delta": delta}
    judge({"question": question, "answer": told}, [ONE, SAME], measure="tail")
    for key, others in WRONG.items():
        for other in (other for other in others if other != told[key]):
            with pytest.raises(Rejected):
                judge({"question": question, "answer": {**told, key: other}}, [ONE, SAME], measure="tail")
    shown = "witness" if told["witness"] else "tightest"
    honest = told[shown]["event"]
    for event in ("", "a", "b", "d", "ad", "abd", "abcd", "ade"):
        if list(event) != honest:
            wrong = answer(
                told["verdict"], told["tight_delta"], told["tight_epsilon"], event, told[shown]["at_epsilon"]
            )
            with pytest.raises(Rejected):
                judge({"question": question, "answer": wrong}, [ONE, SAME], measure="tail")


# --- statements ---------------------------------------------------------------------------------------------------


def model(
    worlds: Mapping[tuple[str, str], str], outputs: Mapping[str, Mapping[str, str]], **more: Any
) -> dict[str, Any]:
    """Worlds by database and B̂; the mechanism by database."""
    return {
        "size": len(next(iter(outputs))), "values": ["0", "1"], "secrets": list(range(len(next(iter(outputs))))),
        "domain": ["0", "1"],
        "worlds": {"θ": [[list(d), known, None, p] for (d, known), p in worlds.items()]},
        "mechanism": [[list(d), dict(law)] for d, law in outputs.items()],
        **more,
    }  # fmt: skip


def true(statement: str, one: dict[str, Any]) -> bool:
    found = ReplayedStatement(parsed(statement)).decided(one, {})
    assert all(lenient == strict for lenient, strict in found)
    return all(lenient for lenient, _ in found)


SURE = {"00": {"x": "1"}, "01": {"y": "1"}, "10": {"y": "1"}, "11": {"x": "1"}}
UNSURE = {**SURE, "11": {"x": "1/2", "y": "1/2"}}
UNIFORM = {(d, "k"): "1/4" for d in SURE}
TWINS = {("00", "k"): "1/2", ("11", "k"): "1/2"}
TOLD = {(d, d[0]): "1/4" for d in SURE}
BIASED = {("00", "k"): "1/2", ("01", "k"): "1/4", ("10", "l"): "1/8", ("11", "l"): "1/8"}
PROPERTIES = [
    ("deterministic", UNIFORM, SURE, True),
    ("deterministic", UNIFORM, UNSURE, False),
    ("independent", UNIFORM, SURE, True),
    ("independent", TWINS, SURE, False),
    ("independent", BIASED, SURE, True),
    ("no-knowledge", UNIFORM, SURE, True),
    ("no-knowledge", TOLD, SURE, False),
    ("acceptable", UNIFORM, SURE, True),
    ("acceptable", TWINS, SURE, True),
    ("acceptable", TOLD, SURE, False),
    ("acceptable", {("00", "k"): "1/4", ("10", "k"): "1/4", ("01", "l"): "1/4", ("11", "l"): "1/4"}, SURE, False),
    ("informed", UNIFORM, SURE, False),
    ("independent and no-knowledge", UNIFORM, SURE, True),
    ("independent and no-knowledge", TWINS, SURE, False),
    ("independent or no-knowledge", TWINS, SURE, True),
    ("independent or not no-knowledge", TWINS, SURE, False),
    ("independent => deterministic", TWINS, UNSURE, True),
    ("independent => deterministic", UNIFORM, UNSURE, False),
    ("independent iff deterministic", TWINS, UNSURE, True),
    ("independent iff deterministic", TWINS, SURE, False),
    ("not (independent or deterministic)", TWINS, UNSURE, True),
    ("not independent or deterministic and no-knowledge", UNIFORM, SURE, True),
]


@pytest.mark.parametrize(("statement", "worlds", "outputs", "expected"), PROPERTIES, ids=range(len(PROPERTIES)))
def test_properties(
    statement: str, worlds: Any, outputs: Any, expected: bool,  # noqa: FBT001
) -> None:  # fmt: skip
    assert true(statement, model(worlds, outputs)) == expected


def test_who_is_informed() -> None:
    """One record that is known to nobody: B̂ says all of the others, and each value is possible."""
    one = {"0": {"x": "1"}, "1": {"y": "1"}}
    both = {("0", "k"): "1/4", ("1", "k"): "1/4", ("0", "l"): "1/4", ("1", "l"): "1/4"}
    assert true("informed", model({("0", "k"): "1/3", ("1", "k"): "2/3"}, one))
    assert true("informed", model(both, one))
    assert not true("informed", model({("0", "k"): "1"}, one))
    told = {(d, d[1]): "1/4" for d in SURE}
    assert true("informed", model(told, SURE, secrets=[0]))
    assert not true("informed", model(told, SURE))
    assert not true("informed", model({("00", "0"): "1/2", ("10", "0"): "1/2"}, SURE, secrets=[0]))
    assert true("acceptable", model(told, SURE, secrets=[0]))
    biased = {("00", "0"): "1/8", ("10", "0"): "3/8", ("01", "1"): "1/4", ("11", "1"): "1/4"}
    assert not true("acceptable", model(biased, SURE, secrets=[0]))


RESPONSE = {"0": {"x": "3/4", "y": "1/4"}, "1": {"x": "1/4", "y": "3/4"}}
FAIR = {("0", "k"): "1/2", ("1", "k"): "1/2"}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("np(ln(3))", True), ("np(ln(2))", False), ("np", True), ("np(ln(2), 1/4)", True), ("np(ln(2), 1/5)", False),

        ("np(e) => dp(e)", True), ("dp(e) => np(2*e)", True), ("np(2*e) => np(e)", False),
        ("np(e, d) => np(e, 2*d)", True),
        ("np(e, 2*d) => np(e, d)", False), ("np(e, d) => np(e, d + 1/4)", True), ("np(e, d + 1/4) => np(e, d)",
        False),
        ("tail-apkdp(ln(3))", True), ("tail-apkdp(ln(2), 3/4)", True), ("tail-apkdp(ln(2), 1/2)", False),
        ("np(e) or tail-apkdp(e, 1/2)", False), ("tail-apkdp(e, 1/4) iff np(e)", True), ("tail-apkdp(e, 3/4)", True),
        ("np(e, 1/4) iff np(e)", False), ("np(e) or np(ln(2), d)", False), ("np(e) => np(ln(3), d)", True),
        ('np(e, reading="one-order") iff np(e)', True), ("np(1/2*e) => np(e)", True), ("np(e) => np(1/2*e)", False),
        ("np(e, d) or np(e, 1/2)", True), ("np(e, d) or np(e, 49/100)", False),
    ],
)  # fmt: skip
def test_statements_about_randomized_response(statement: str, expected: bool) -> None:  # noqa: FBT001
    """E = 3 is what it needs; below it needs δ = 3/4 - E/4, so 1/2 at E = 1; its tail is 3/4 below E = 3, then 0."""
    assert true(statement, model(FAIR, RESPONSE)) == expected


@pytest.mark.parametrize("statement", ["post(np(e))", "np(e) => np(f)", "symmetric", "np(e, d) => np(2*e, d)"])
def test_what_goes_further_is_undecided(statement: str) -> None:
    with pytest.raises(Undecided):
        ReplayedStatement(parsed(statement)).decided(model(FAIR, RESPONSE), {})


@pytest.mark.parametrize(
    "statement", ["", "np(e", "np and", "(np", "np)", "=> np", "np np", "np(2/4*e)", "np(ln(2), 01)",
                  "np(ln(2), 1/10, 1/5)", "np(delta=1/10, ln(2))", "np(ln(2), 1/10, delta=1/5)",
                  "np(delta=1/10, delta=1/5)"]
)  # fmt: skip
def test_what_is_no_statement_is_refused(statement: str) -> None:
    with pytest.raises(Rejected):
        true(statement, model(FAIR, RESPONSE))


def test_what_is_no_sum_of_elements_has_no_code() -> None:
    """Between two sums, and beyond the largest."""
    elements = [[[[["0"], "1"]], [[["1"], "1"]]]] * 3
    mechanism = Mechanism({"operations": ["+"], "zero": ["0"], "elements": elements, "finish": []}, 3, 2)
    codes = [mechanism.code((Fraction(k),)) for k in range(4)]
    assert len(set(codes)) == 4
    assert [mechanism.state_of(code) for code in codes] == [(k,) for k in range(4)]
    assert [mechanism.code((Fraction(x),)) for x in ("1/2", "5/3", "4", "-4")] == [None] * 4


def test_a_place_is_looked_at_between_any_two() -> None:
    """At 1, at 2 and 5, between them and above; what never holds, or always, adds none."""
    places = _places({"a": Fraction(5), "b": None, "c": Fraction(2), "d": Fraction(1)})  # type: ignore[dict-item]
    assert {1, 2, 5} <= set(places)
    others = sorted(set(places) - {1, 2, 5})
    assert len(others) == 3
    assert 1 < others[0] < 2 < others[1] < 5 < others[2]
