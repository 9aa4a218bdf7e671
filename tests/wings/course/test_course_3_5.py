"""Notebooks 3 to 5: what they compute, what their exercises say to wrong answers, and their sliders at the ends."""

import importlib.util
import math
from fractions import Fraction
from typing import Any

import pytest
from course_run import run

from verifier import check
from verifier import course as kit
from verifier.model.library import course_folder

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker

NOTEBOOKS = ("03_correlations", "04_normalizations", "05_active_passive")
HALF, NONE, ALL = Fraction(1, 2), Fraction(0), Fraction(1)


def defs(name: str) -> dict[str, Any]:
    return run(name)[1]


def exercises(name: str) -> dict[str, Any]:
    return {key: value for key, value in defs(name).items() if isinstance(value, kit.Exercise)}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_solutions_pass_and_tempting_answers_are_told_why(name: str) -> None:
    found = exercises(name)
    assert len(found) >= 3
    for exercise in found.values():
        assert exercise.tried(exercise.solution).state == "right"
        assert len(exercise.tempting) >= 2
        for wrong in exercise.tempting:
            tried = exercise.tried(wrong)
            assert tried.state == "wrong"
            assert len(tried.explanation) > 20, tried.explanation


def rows(first: str, second: str, *cells: tuple[object, str]) -> list[dict[str, str]]:
    return [{first: str(one), second: two} for one, two in cells]


@pytest.mark.parametrize(
    ("name", "exercise", "given", "hint"),
    [
        ("03_correlations", "exercise_1", rows("your twin is", "the simulator says", (0, "10"), (1, "01")), "δ = 9/10"),
        ("03_correlations", "exercise_1", rows("your twin is", "the simulator says", (0, "0"), (1, "11")), "your twin"),
        (
            "03_correlations",
            "exercise_2",
            rows("count of ones", "published", (0, "a"), (1, "a"), (2, "a")),
            "never drawn",
        ),
        (
            "03_correlations",
            "exercise_3",
            rows("count of ones", "published", (0, "a"), (1, "a"), (2, "a"), (3, "b")),
            "2",
        ),
        ("03_correlations", "exercise_4", "4/5", "ln(4)"),
        ("03_correlations", "exercise_4", "5/4", "from 0 to 1"),
        ("03_correlations", "exercise_4", "three quarters", "wanted"),
        ("04_normalizations", "exercise_3", "2/3", "2/3"),
        ("04_normalizations", "exercise_3", "-1", "from 0 to 1"),
        ("05_active_passive", "exercise_1", "1", "below 1/2"),
        ("05_active_passive", "exercise_1", "5/2", "whole number"),
        ("05_active_passive", "exercise_2", [{"luck": "1/50", "shown": "1/2"}], "δ = 1/2"),
        ("05_active_passive", "exercise_2", [{"luck": "1/50", "shown": "2"}], "from 0 to 1"),
        ("05_active_passive", "exercise_2", [], "two probabilities"),
    ],
)
def test_a_wrong_answer_gets_its_hint(name: str, exercise: str, given: object, hint: str) -> None:
    tried = exercises(name)[exercise].tried(given)
    assert tried.state in {"wrong", "unreadable"}
    assert hint in tried.explanation


def test_other_right_answers_are_right_too() -> None:
    correlations, active = exercises("03_correlations"), exercises("05_active_passive")
    assert correlations["exercise_4"].tried("0.25").state == "right"
    swapped = rows("count of ones", "published", (0, "x"), (1, "x"), (2, ""), (3, ""))
    assert correlations["exercise_3"].tried(swapped).state == "right"
    assert active["exercise_2"].tried([{"luck": "1/1000", "shown": "1"}]).state == "right"


@pytest.mark.parametrize(
    ("follows", "truth"), [(Fraction(9, 10), Fraction(9, 10)), (Fraction(3, 5), Fraction(3, 4)), (HALF, HALF)]
)
def test_the_household_is_what_its_formula_says(follows: Fraction, truth: Fraction) -> None:
    model = defs("03_correlations")["household"](follows, truth, season_known=False)
    most = {}
    for you in (0, 1):  # P[most | you], by adding up seasons and the other two
        p = NONE
        for bad in (0, 1):
            ill = follows if bad else 1 - follows
            here = (ill if you else 1 - ill) * HALF / HALF
            both, one = ill * ill, 2 * ill * (1 - ill)
            p += here * (both + one if you else both)
        most[you] = p * truth + (1 - p) * (1 - truth)
    ratio = max(most[1] / most[0], most[0] / most[1], (1 - most[1]) / (1 - most[0]), (1 - most[0]) / (1 - most[1]))
    assert check(model, "np").tight_epsilon == kit_epsilon(ratio)


def kit_epsilon(ratio: Fraction) -> object:
    from verifier import epsilon

    return epsilon(f"ln({ratio})")


def test_the_columns_of_the_twins_say_what_the_definitions_say() -> None:
    found = defs("03_correlations")
    for agree in (HALF, Fraction(3, 4), Fraction(9, 10)):
        worlds = found["twins"](agree)
        for rule in found["RULES"].values():
            model = found["release"](worlds, rule)
            same, moved, changed = (found["law"](worlds, rule, a, put) for a, put in ((0, 0), (1, 1), (0, 1)))
            for definition, other in (("np", moved), ("cdp", changed)):
                outputs = {*same, *other}
                excess = sum(max(NONE, same.get(o, NONE) - other.get(o, NONE)) for o in outputs)
                assert check(model, definition, epsilon=0, replay=False).tight_delta.rational == excess  # type: ignore[union-attr]


def test_what_the_notebooks_find() -> None:
    correlations, normalizations, active = (defs(name) for name in NOTEBOOKS)
    assert [row[0] for row in correlations["claim_rows"] if row[1].startswith("✗")] == [
        "Example 4",
        "Example 5",
        "section 2.2",
    ]
    assert {name: str(one.tight_epsilon) for name, one in correlations["belief_answers"].items()} == {
        "ibcdp": "0",
        "cdp": "inf",
        "np": "inf",
    }
    assert [len(found) for found in normalizations["wrong_way"].values()] == [1, 0]
    assert normalizations["vacuous_np"].verdict == "vacuous"
    assert normalizations["holds_naively"](normalizations["confession"])
    assert [row[3] for row in normalizations["season_rows"]].count("✗ not") == 1
    assert [str(one) for one in active["apart"].values()] == ["u", "v", "v", "u"]
    assert (active["too_early"](active["apart"]), active["on_average"](active["apart"])) == (0, 1)
    assert [one.tight_delta.rational for one in active["checked"].values()] == list(active["by_hand"])
    assert (active["reducible_count"], active["reducible_threshold"]) == ("holds", "fails")
    assert active["noisy_rows"][0][1] == active["noisy_rows"][0][2]


def test_a_thousand_voters_by_their_formula() -> None:
    """The passive attacker needs a hundred yes among those that she knows, or as many as are missing from the rest."""
    delta = defs("05_active_passive")["deltas"][1000][1].rational
    known, rest, above, scale = 100, 899, 100, 10**7

    def binomial(n: int, k: int) -> int:
        """P[k of n say yes], times scale**n, where a yes has the probability 1/scale."""
        return math.comb(n, k) * (scale - 1) ** (n - k) if 0 <= k <= n else 0

    excess = 0
    for heard in range(known + 1):
        # From the worse side: you say yes. Shown is a count above 100, else ⊥; e^ε = 2. Larger counts hardly matter.
        shown = range(above + 1, above + 13)
        least = (binomial(rest, count - heard - 1) - 2 * binomial(rest, count - heard) for count in shown)
        excess += binomial(known, heard) * sum(max(0, one) for one in least)
    assert abs(Fraction(excess, scale ** (known + rest)) / delta - 1) < Fraction(1, 10**30)


ENDS: list[tuple[str, dict[str, object]]] = [
    ("03_correlations", {"follows": HALF, "truth": HALF, "agree": NONE, "rule": "count the ones"}),
    ("03_correlations", {"follows": ALL, "truth": ALL, "agree": ALL, "rule": "say nothing"}),
    (
        "04_normalizations",
        {"yes": NONE, "agree": NONE, "she_knows": "both votes", "is_protected": "both votes", "follow": HALF},
    ),
    (
        "04_normalizations",
        {"yes": ALL, "agree": ALL, "she_knows": "nothing", "is_protected": "your vote", "follow": ALL},
    ),
    ("05_active_passive", {"yes": NONE, "epsilon": "0", "luck": Fraction(1, 100), "offer": "nothing"}),
    ("05_active_passive", {"yes": ALL, "epsilon": "ln(10)", "luck": ALL, "offer": "the count, always"}),
]


@pytest.mark.parametrize(("name", "values"), ENDS)
def test_sliders_at_their_ends(name: str, values: dict[str, Any]) -> None:
    spec = importlib.util.spec_from_file_location(f"ends_{name}", course_folder() / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    put = {
        key: kit.fraction(key, value, steps=[value]) if isinstance(value, Fraction) else kit.pick(key, [value], value)
        for key, value in values.items()
    }
    put |= {"offer_check": kit.check_button("nothing to choose")} if "offer" in put else {}
    outputs, found = module.app.run(defs=put)
    assert not any("traceback" in repr(one).lower() for one in outputs)
    if name == "03_correlations":
        berta = found["household_rows"][1][1]
        assert berta == ("nothing is compared" if values["follows"] == 1 else "0")
    if name == "05_active_passive":
        assert {answer.verdict for answer in found["checked"].values()} == {"vacuous"}
