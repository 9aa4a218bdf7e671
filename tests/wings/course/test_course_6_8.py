"""Notebooks 6 to 8: exercises answer typical mistakes, results agree with naive sums, and no slider breaks a cell."""

from collections.abc import Callable
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from math import comb
from typing import Any

import pytest
from course_run import run

from verifier.model.library import course_folder
from verifier.wings.course.toolkit import fraction, pick, table

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker

Law = dict[Any, Fraction]
COUNTING, COMPOSITION, SEARCHING = "06_counting", "07_composition", "08_counterexamples"


def pairs(rule: Callable[[str, str], str]) -> list[dict[str, str]]:
    return [{"D(0)": a, "D(1)": b, "published rows": rule(a, b)} for a, b in product(("well", "ill"), repeat=2)]


ANSWERS = [
    (COUNTING, "exercise_threshold", "5", "right", ""),
    (COUNTING, "exercise_threshold", "4", "wrong", "still more than 1/100"),
    (COUNTING, "exercise_threshold", "6", "wrong", "A smaller T does as well"),
    (COUNTING, "exercise_threshold", "1/2", "unreadable", "a whole number from 0 to 20"),
    (COUNTING, "exercise_people", "27", "right", ""),
    (COUNTING, "exercise_people", "26", "wrong", "still more than 1/100"),
    (COUNTING, "exercise_people", "28", "wrong", "Fewer people"),
    (COUNTING, "exercise_people", "many", "unreadable", "many"),
    (COUNTING, "exercise_tables", pairs(lambda a, _: f"{a} {a}"), "right", ""),
    (COUNTING, "exercise_tables", pairs(lambda a, _: f"{a}, {a}, {a}"), "right", ""),
    (COUNTING, "exercise_tables", pairs(lambda a, b: f"{a}, {b}"), "wrong", "not 2-anonymous"),
    (COUNTING, "exercise_tables", pairs(lambda _a, b: f"{b}, {b}"), "wrong", "δ at ε = ∞ is 0"),
    (COUNTING, "exercise_tables", pairs(lambda a, b: f"{a}, {b}" if a == b else ""), "wrong", "δ at ε = ∞ is 1/2"),
    (COUNTING, "exercise_tables", pairs(lambda _a, _b: ""), "wrong", "Nothing is published"),
    (COUNTING, "exercise_tables", pairs(lambda a, _: f"{a} sick"), "wrong", "found “sick”"),
    (COMPOSITION, "exercise_group", "3, 4", "right", ""),
    (COMPOSITION, "exercise_group", "0 1 2 5", "right", ""),
    (COMPOSITION, "exercise_group", "0 1 2", "wrong", "both together 1"),
    (COMPOSITION, "exercise_group", "2, 3", "wrong", "both together 3/16"),
    (COMPOSITION, "exercise_group", "4", "wrong", "at least two"),
    (COMPOSITION, "exercise_group", "3, 7", "unreadable", "a whole number from 0 to 5"),
    (COMPOSITION, "exercise_noise", "2/3", "right", ""),
    (COMPOSITION, "exercise_noise", "4/9", "wrong", "ln(81/16)"),
    (COMPOSITION, "exercise_noise", "0.75", "wrong", "noisier than needed"),
    (COMPOSITION, "exercise_noise", "0", "wrong", "between 0 and 1"),
    (COMPOSITION, "exercise_rule", "groups", "right", ""),
    (COMPOSITION, "exercise_rule", "outputs", "wrong", "together ∞"),
    (COMPOSITION, "exercise_rule", "twice", "wrong", "twice ∞"),
    (COMPOSITION, "exercise_rule", None, "open", ""),
    (SEARCHING, "exercise_words", "deterministic => np(e) => cdp(e)", "right", ""),
    (SEARCHING, "exercise_words", "np(e) and deterministic => cdp(e)", "right", ""),
    (SEARCHING, "exercise_words", "np(e) => cdp(e)", "wrong", "[1, 0] → u: 1/2, v: 1/2"),
    (SEARCHING, "exercise_words", "deterministic => cdp(e) => np(e)", "wrong", "0 for np, and ∞ for cdp"),
    (SEARCHING, "exercise_words", "np(e) =>", "unreadable", "Not yet"),
    (SEARCHING, "exercise_words", "deterministic => np(e) => cdp(2*e)", "wrong", "judge differently"),
    (SEARCHING, "exercise_words", "deterministic => np(0) => cdp(0)", "wrong", "judge differently"),
    (SEARCHING, "exercise_words", "deterministic => (np(e) iff cdp(e))", "wrong", "judge differently"),
    (SEARCHING, "exercise_words", "deterministic => np => cdp", "wrong", "judge differently"),
    (SEARCHING, "exercise_scope", "4", "right", ""),
    (SEARCHING, "exercise_scope", "3", "wrong", "None among 9000"),
    (SEARCHING, "exercise_scope", "5", "wrong", "larger steps break it"),
    (SEARCHING, "exercise_repair", "independent", "right", ""),
    (SEARCHING, "exercise_repair", "acceptable", "wrong", "Still broken"),
]


@pytest.mark.parametrize(("notebook", "name", "given", "state", "words"), ANSWERS)
def test_an_answer_gets_the_reply_that_fits(notebook: str, name: str, given: Any, state: str, words: str) -> None:
    found = run(notebook)[1][name].tried(given)
    assert found.state == state, found.explanation
    assert words in found.explanation


def excess(p: Law, q: Law, factor: int) -> Fraction:
    """The larger δ of two laws, both ways, by adding up."""
    return max(
        sum((max(Fraction(0), a.get(o, Fraction(0)) - factor * b.get(o, Fraction(0))) for o in a), Fraction(0))
        for a, b in ((p, q), (q, p))
    )


def law(others: int, chance: Fraction, told: Callable[[int], Any]) -> tuple[Law, Law]:
    """The laws of what is told of the count, if one more person is well, or ill."""
    laws: tuple[Law, Law] = ({}, {})
    for mine, found in enumerate(laws):
        for k in range(others + 1):
            weight = comb(others, k) * chance**k * (1 - chance) ** (others - k)
            found[told(k + mine)] = found.get(told(k + mine), Fraction(0)) + weight
    return laws


def test_counts_and_thresholds_agree_with_sums_by_hand() -> None:
    defs = run(COUNTING)[1]
    for people, answer in zip(defs["sizes"], defs["counted"], strict=True):
        assert answer.tight_delta == excess(*law(people - 1, Fraction(1, 2), lambda k: k), factor=2)
    assert defs["hidden_count"].tight_delta == excess(
        *law(19, Fraction(1, 20), lambda k: k if k > 2 else "⊥"), factor=1
    )
    assert defs["flooded"].tight_delta == excess(*law(19, Fraction(19, 20), lambda k: k if k > 5 else "⊥"), factor=1)
    # two people, λ = 1/4: the worst office has chances of 1/4, and nobody is ill with 3/4 if the colleague is well
    assert defs["smallest_case"].worst.exact == Fraction(3, 4)
    assert defs["smallest_case"].claimed.delta.exact == Fraction(1, 2)


def test_what_is_dropped_can_be_worked_out() -> None:
    defs = run(COUNTING)[1]
    four = law(3, Fraction(1, 4), lambda k: k)  # the plain count: dropping is one-to-one but where nothing is left
    assert [one == excess(*four, factor=2) for one in defs["dropped_deltas"].values()] == [True] * 3
    assert defs["hidden_delta"] == defs["plain_delta"] == Fraction(9, 10)
    for with_absent, without in defs["clinic_deltas"].values():
        assert without < with_absent


def test_only_pairs_that_add_up_to_the_vote_leak() -> None:
    """Six questions say nothing of D(1): constants, D(0), whether the votes differ, and their opposites."""
    defs = run(COMPOSITION)[1]
    assert sorted(defs["harmless"]) == ["0000", "0011", "0110", "1001", "1100", "1111"]
    assert sorted(defs["leaks"]) == [("0011", "0110"), ("0011", "1001"), ("0110", "1100"), ("1001", "1100")]


def test_the_identity_has_the_dependency_once() -> None:
    defs = run(COMPOSITION)[1]
    dep, one, two, both = (defs[name] for name in ("dep", "loss_1", "loss_2", "loss_both"))
    assert dep * one * two == both != dep**2 * one * two
    assert defs["delta_both"] == 1


def test_a_forged_certificate_is_rejected() -> None:
    defs = run(SEARCHING)[1]
    assert defs["honest"].startswith("accepted")
    for old, new in (
        ('"1/2"', '"1/3"'),
        ('{"v": "1"}', '{"u": "1"}'),
        ('"models": 2', '"models": 3'),
        ('"violates": "cdp(e)"', '"violates": "np(e)"'),
    ):
        assert old in defs["certificate"]
        assert defs["replayed"](defs["certificate"].replace(old, new, 1)).startswith("rejected")
    assert (defs["in_quarters"].verdict, defs["in_fifths"].verdict) == ("none in scope", "separated")
    assert all(one.agrees for one in defs["promises"])


def slider(value: object) -> Any:
    return fraction("x", value, steps=[str(value)])


PEOPLE = [{"person": n, "Monday": "", "Tuesday": ""} for n in range(6)]
ALL = [{"person": n, "Monday": "x", "Tuesday": "x"} for n in range(6)]
ROWS = [{"D(0)": a, "D(1)": b} for a, b in product((0, 1), repeat=2)]
EXTREMES: list[tuple[str, dict[str, Any]]] = [
    (
        COUNTING,
        {
            "chance": slider("1/20"),
            "staff": slider(2),
            "rarest": slider("1/10"),
            "factor": pick("ε", ["ln(2)"], "ln(2)"),
            "threshold": slider(0),
            "known": slider(0),
        },
    ),
    (
        COUNTING,
        {
            "chance": slider("19/20"),
            "staff": slider(40),
            "rarest": slider("2/5"),
            "factor": pick("ε", ["2"], "2"),
            "threshold": slider(6),
            "known": slider(6),
        },
    ),
    (
        COMPOSITION,
        {"members": slider(2), "popular": slider("1/20"), "decay": slider("1/10"), "counted_on": table(PEOPLE)},
    ),
    (
        COMPOSITION,
        {"members": slider(10), "popular": slider("19/20"), "decay": slider("9/10"), "counted_on": table(ALL)},
    ),
    (
        SEARCHING,
        {
            "assumed": pick("a", {"x": "acceptable => "}, "x"),
            "strong": pick("s", {"x": "dp"}, "x"),
            "weak": pick("w", {"x": "dp"}, "x"),
            "price": slider(3),
            "worlds": table([{**row, "probability": p} for row, p in zip(ROWS, (1, 0, 0, 0), strict=True)]),
            "outputs": table([{**row, "output": "u"} for row in ROWS]),
            "parts": slider(1),
            "forgery": pick("f", {"x": ("", "")}, "x"),
        },
    ),
    (
        SEARCHING,
        {
            "assumed": pick("a", {"x": "exchangeable => "}, "x"),
            "strong": pick("s", {"x": "cdp"}, "x"),
            "weak": pick("w", {"x": "np"}, "x"),
            "price": slider(2),
            "worlds": table([{**row, "probability": "1/4"} for row in ROWS]),
            "outputs": table([{**row, "output": k} for k, row in enumerate(ROWS)]),
            "parts": slider(6),
            "forgery": pick("f", {"x": ('"models": 2', '"models": 3')}, "x"),
        },
    ),
]


@pytest.mark.parametrize(("notebook", "controls"), EXTREMES)
def test_extreme_positions_break_no_cell(notebook: str, controls: dict[str, Any]) -> None:
    spec = spec_from_file_location(f"course_{notebook}", course_folder() / f"{notebook}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs, defs = module.app.run(defs=controls)
    assert all(defs[name] is control for name, control in controls.items())
    assert sum(one is not None for one in outputs) > 10
