"""Divergences, measures that are one number: against sums over a naive list of laws, and against other definitions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.checker import Rejected
from verifier.checker import judge as replay
from verifier.checker.measures import Scalar
from verifier.checker.numbers import epsilon as written
from verifier.cli.main import run
from verifier.definitions import AGGREGATIONS, COMPARISONS, Definition
from verifier.definitions.divergence import Divergence, measure_named, measure_title
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.evidence import certificate
from verifier.model.library import models_folder
from verifier.numbers import Epsilon, epsilon
from verifier.questions.laws import keeps_convexity, keeps_post_processing
from verifier.show.witnesses import witness_words

COMPARED = {"apkdp": "conditional", "cdp": "counterfactual", "ibcdp": "posterior", "dp": "neighbours"}
"""The kind of comparisons of each definition whose naive list of laws serves."""
COIN = {
    "size": 1,
    "values": [0, 1],
    "distribution": {"iid": {0: "1/2", 1: "1/2"}},
    "mechanism": {"kind": "randomized-response", "keep": "1/2"},
}


def definition(measure: str, comparisons: str, aggregation: str = "worst") -> Definition:
    """A definition of one's own with a divergence."""
    parts = COMPARISONS[comparisons], measure_named(measure), AGGREGATIONS[aggregation]
    replaces = comparisons != "conditional"
    return Definition("mine", "mine", "mine", "mine", comparisons, *parts, replaces_a_record=replaces)


def pairs_of(case: Case, key: str) -> list[list[tuple[Fraction, Fraction]]]:
    """The outputs of each pair of laws that a definition compares, by the naive twin."""
    listed = (one for family in naive.families(case.plain, key) for one in family)
    return [[(one.p.get(o, Fraction(0)), q.get(o, Fraction(0))) for o in {**one.p, **q}]
            for each in listed for one in each.pairs for q in [one.q or {}]]  # fmt: skip


@given(case=cases(max_size=2))
def test_total_variation_is_what_the_naive_sum_says(case: Case) -> None:
    for key, comparisons in COMPARED.items():
        if key != "apkdp" and case.plain.secrets is None:
            continue
        answer = pk.check(pk.build(**case.keys), definition("total-variation", comparisons))
        sums = [sum((abs(p - q) for p, q in rows), Fraction(0)) / 2 for rows in pairs_of(case, key)]
        assert (answer.verdict == "vacuous") == (not sums)
        assert answer.tight_epsilon == max(sums, default=Fraction(0))
        assert answer.tight_delta is None
        assert answer.replayed


def naive_moment(order: int, rows: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    """Σ Q·(P/Q)^α; None where it is infinite."""
    if any(p and not q for p, q in rows):
        return None
    return sum((q * (p / q) ** order for p, q in rows if q), Fraction(0))


@given(case=cases(max_size=2), order=st.integers(2, 5))
def test_renyi_is_what_the_naive_moments_say(case: Case, order: int) -> None:
    """The smallest ε is (1/(α-1))·ln of the largest moment, for every order."""
    for key, comparisons in COMPARED.items():
        if key != "apkdp" and case.plain.secrets is None:
            continue
        answer = pk.check(pk.build(**case.keys), definition(f"renyi-{order}", comparisons))
        moments = [naive_moment(order, rows) for rows in pairs_of(case, key)]
        finite = [moment for moment in moments if moment is not None]
        assert answer.verdict == ("vacuous" if not moments else "holds" if len(finite) == len(moments) else "fails")
        if len(finite) < len(moments):
            assert answer.tight_epsilon == "inf"
        else:
            assert answer.tight_epsilon == epsilon(f"1/{order - 1}*ln({max(finite, default=1)})")
        assert answer.replayed


@given(case=cases(max_size=2))
def test_orders_of_renyi_rise_to_the_largest_loss(case: Case) -> None:
    """D_2 ≤ D_3 ≤ D_9 ≤ the smallest ε at δ = 0; all are finite or none, all are 0 or none."""
    model = pk.build(**case.keys)
    pure = pk.check(model, "apkdp").tight_epsilon
    rising = [pk.check(model, definition(f"renyi-{order}", "conditional")).tight_epsilon for order in (2, 3, 9)]
    for lower, upper in zip(rising, [*rising[1:], pure], strict=True):
        assert isinstance(lower, Epsilon)
        assert isinstance(upper, Epsilon)
        assert lower <= upper
        assert lower.is_infinite == upper.is_infinite
        assert (lower == 0) == (upper == 0)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("renyi-1", "from 2 to 256"),
        ("renyi-257", "from 2 to 256"),
        ("renyi-2/3", "an integer"),
        ("renyi-", "an integer"),
        ("renyi", "one of"),
        ("renyi-٣", "an integer"),
    ],
)
def test_an_order_that_is_none(name: str, wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        measure_named(name)


def test_renyi_of_randomized_response() -> None:
    """3/4 against 1/4: order 2 has 9/4 + 1/12 = 7/3, order 3 has 27/4 + 1/36 = 61/9."""
    for measure, smallest in (("renyi-2", "ln(7/3)"), ("renyi-3", "1/2*ln(61/9)")):
        answer = pk.check(pk.build(**COIN), definition(measure, "neighbours"))
        assert answer.tight_epsilon == smallest
        assert measure_named(measure).key in str(answer.tightest)


@given(case=cases(max_size=2))
def test_total_variation_is_the_hockey_stick_at_zero(case: Case) -> None:
    """½·Σ |P - Q| = max over S of P(S) - Q(S), pair by pair and on average."""
    model = pk.build(**case.keys)
    for key, aggregation in (("apkdp", "worst"), ("ppkdp", "average")):
        mine = pk.check(model, definition("total-variation", "conditional", aggregation))
        known = pk.check(model, key, epsilon=0)
        assert known.tight_delta is not None
        assert mine.tight_epsilon == known.tight_delta.a  # type: ignore[union-attr]
        assert mine.verdict == ("vacuous" if known.verdict == "vacuous" else "holds")


@given(
    top=st.integers(1, 40), asked=st.sampled_from(["0", "1/3", "inf", "ln(2)", "ln(9/8)", "1/2*ln(3)", "1/7*ln(11)"])
)
def test_the_replay_compares_numbers_as_the_engine_does(top: int, asked: str) -> None:
    """A rational, and a part of a logarithm, against every form of ε."""
    plain, power_of = Fraction(top, 40), 1 + Fraction(top, 13)
    values = ((Scalar(plain=plain), epsilon(plain)), (_root(power_of, 3), _third(power_of)))
    for amount, value in values:
        at = epsilon(asked)
        assert amount.sign(written(at.text())) == (value > at) - (value < at)
        assert amount.sign(written(value.text())) == 0
    assert Scalar().sign(written(asked)) == (asked != "inf")


def _root(power: Fraction, degree: int) -> Scalar:
    """The logarithm of a root."""
    return Scalar(logarithms=((Fraction(1, degree), power),))


def _third(value: Fraction) -> Epsilon:
    return epsilon(f"1/3*ln({value})")


@pytest.mark.parametrize("asked", ["1/2", "ln(2)", "ln(3/2)", "499/1000", "2*ln(2)/3", "inf"])
def test_the_verdict_is_at_most_epsilon(asked: str) -> None:
    """Randomized response that keeps 1/2 has 3/4 against 1/4: a distance of 1/2."""
    answer = pk.check(pk.build(**COIN), definition("total-variation", "neighbours"), epsilon=asked)
    assert answer.verdict == ("holds" if epsilon(asked) >= Fraction(1, 2) else "fails")
    shown = answer.tightest or answer.witness
    assert shown is not None
    assert shown.value == shown.epsilon == Fraction(1, 2)
    assert (answer.witness is None) == (answer.verdict == "holds")
    assert "the total variation distance of the first law from the second is 1/2" in witness_words(shown)


def test_what_a_divergence_cannot_say() -> None:
    model, tv = pk.build(**COIN), definition("total-variation", "conditional")
    answer = pk.check(model, tv, epsilon="ln(2)", delta="1/10")
    assert answer.verdict == "unsupported"
    assert "has no δ" in str(answer.reason)
    assert pk.check(model, tv).delta_or_none(epsilon(1)) is None
    with pytest.raises(UnsupportedError, match="one number and no curve"):
        tv.curve()
    with pytest.raises(InputError, match="hockey-stick, tail, total-variation, renyi-2"):
        measure_named("chi")
    with pytest.raises(InputError, match="given 3"):
        measure_named(3)


def test_at_infinity_the_question_is_whether_it_is_finite() -> None:
    shown = {**COIN, "mechanism": {"kind": "identity"}}
    for measure, verdict in (("renyi-2", "fails"), ("total-variation", "holds")):
        for asked in ("inf", None):
            answer = pk.check(pk.build(**shown), definition(measure, "neighbours"), epsilon=asked)
            assert (answer.verdict, answer.replayed) == (verdict, True)


def test_what_is_too_long_is_refused_or_not_re_checked() -> None:
    """A sum of long powers is refused before it is made; an answer beyond the re-check's numbers says so."""
    voters = pk.read(models_folder() / "DMKB20" / "example-7-thousand-voters.toml")
    with pytest.raises(LimitError, match="bits; wanted at most"):
        pk.check(voters, definition("renyi-2", "conditional"))
    distance = pk.check(voters, definition("total-variation", "conditional"), replay=False)
    assert distance.verdict == "holds"
    keep = {"kind": "randomized-response", "keep": "123456789/1000000007"}
    answer = pk.check(pk.build(**{**COIN, "mechanism": keep}), definition("renyi-256", "neighbours"), epsilon=1)
    assert (answer.verdict, answer.replayed) == ("holds", None)


def test_a_measure_without_a_delta_has_no_profile(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text('key = "mine-tv"\ntitle = "t"\ncomparisons = "neighbours"\nmeasure = "total-variation"\n')
    model = str(models_folder() / "DMKB20" / "example-1-side-known.toml")
    with pytest.raises(SystemExit) as stop:
        run(["check", model, "--with", str(recipe), "--definition", "mine-tv", "--profile"])
    assert stop.value.code == 3
    assert "one number and no curve" in capsys.readouterr().err


class Largest(Divergence):
    """A divergence of which no average is defined."""

    key, formula, source, title = "largest", "max |P - Q|", "", "largest difference"
    against_nothing = epsilon(1)

    def between(self, outputs: Any, totals: tuple[int, int]) -> Epsilon:
        """The largest difference of two probabilities."""
        return epsilon(max(abs(Fraction(p, totals[0]) - Fraction(q, totals[1])) for p, q in outputs))


def test_an_average_that_is_not_defined_is_refused() -> None:
    known = {**COIN, "size": 2, "knowledge": {"kind": "records", "records": [1]}, "sensitive": {"records": [0]}}
    parts = COMPARISONS["conditional"], Largest(), AGGREGATIONS["average"]
    answer = pk.check(pk.build(**known), Definition("mine", "mine", "mine", "mine", "conditional", *parts))
    assert answer.verdict == "unsupported"
    assert "an average of the largest difference is not defined" in str(answer.reason)
    worst = Definition("mine", "mine", "mine", "mine", "conditional", parts[0], Largest())
    assert pk.check(pk.build(**COIN), worst, replay=False).tight_epsilon == Fraction(1, 2)
    with pytest.raises(Rejected, match="does not know the measure largest"):
        pk.check(pk.build(**COIN), worst)


@pytest.mark.parametrize("aggregation", ["worst", "average"])
def test_the_total_variation_of_sums_is_that_of_the_table(aggregation: str) -> None:
    """Of four records one is known: by sums, knowledge values share the laws of the others."""
    model = pk.build(
        size=4,
        values=[0, 1],
        distribution={"iid": {0: "1/3", 1: "2/3"}},
        knowledge={"records": [0]},
        mechanism={"kind": "sum"},
    )
    mine = definition("total-variation", "conditional", aggregation)
    by_table, by_sums = (pk.check(model, mine, engine=Engine(model, force=way)) for way in ("rows", "sum"))
    assert (by_table.method, by_sums.method) == ("table", "sum")
    assert by_table.tight_epsilon == by_sums.tight_epsilon == Fraction(4, 9)


def test_a_law_that_does_not_exist_is_at_distance_one() -> None:
    keys = {
        "size": 2,
        "values": [0, 1],
        "distribution": {
            "table": [
                {"database": [0, 0], "probability": "1/2"},
                {"database": [1, 0], "probability": "1/4"},
                {"database": [1, 1], "probability": "1/4"},
            ]
        },
        "knowledge": {"kind": "records", "records": [1]},
        "sensitive": {"records": [0]},
        "mechanism": {"kind": "constant", "output": "x"},
    }
    mine = definition("total-variation", "conditional", "average")
    lossy = Definition("mine", "mine", "mine", "mine", "conditional", _lossy, mine.measure, mine.aggregation)
    answer = pk.check(pk.build(**keys), lossy)
    assert answer.tight_epsilon == Fraction(1, 2)
    assert answer.replayed


def _lossy(engine: Engine, _reading: str) -> Any:
    return COMPARISONS["conditional"](engine, "infinite-loss")


@given(case=cases(max_size=2))
def test_a_wrong_certificate_is_refused(case: Case) -> None:
    model = pk.build(**case.keys)
    for measure, aggregation in (("total-variation", "worst"), ("total-variation", "average"), ("renyi-3", "worst")):
        mine = definition(measure, "conditional", aggregation)
        answer = pk.check(model, mine, epsilon="1/4")
        if answer.verdict == "vacuous":
            continue
        good = certificate(answer, Engine(model))
        replay.replay(good)
        shown = "witness" if answer.verdict == "fails" else "tightest"
        evidence = good["answer"][shown]
        bad: list[dict[str, Any]] = [
            {"tight_epsilon": "1/97"}, {"tight_epsilon": "ln(98/97)"}, {"tight_delta": "0"},
            {"tightest": evidence, "witness": evidence},
            {"verdict": "holds" if shown == "witness" else "fails"}, {"verdict": "vacuous"}, {shown: None},
            {shown: {**evidence, "at_epsilon": "1/97"}}, {shown: {**evidence, "event": []}},
            {shown: {**evidence, "probability_a": "1"}}, {shown: {**evidence, "a": evidence["b"]}},
        ]  # fmt: skip
        if answer.tight_epsilon != "inf":
            bad.append({"tight_epsilon": "inf"})
        if answer.tight_epsilon != 0:
            bad.append({"tight_epsilon": "0"})
        if evidence["terms"] is not None:
            first, *others = evidence["terms"]
            wrong = ({"weight": "1/97"}, {"knowledge": "other"}, {"event": ["x"]})
            bad += [{shown: {**evidence, "terms": [{**first, **term}, *others]}} for term in wrong]
        for change in bad:
            with pytest.raises(Rejected):
                replay.replay({**good, "answer": {**good["answer"], **change}})
        for other in ("hockey-stick", "tail", "other", "renyi-1", "renyi-257", "renyi-02"):
            with pytest.raises(Rejected):
                replay.replay({**good, "measure": other})


@given(case=cases(max_size=2))
def test_post_processing_and_convexity(case: Case) -> None:
    """Data processing and joint convexity: the distance does not grow."""
    model, mine = pk.build(**case.keys), definition("total-variation", "conditional")
    merged = {"rows": [], "otherwise": "any"}
    other = {"kind": "constant", "output": "c"}
    for law in (keeps_post_processing(model, mine, merged), keeps_convexity(model, mine, other)):
        assert law.kept is not False
        assert law.measured is None or isinstance(law.measured, Epsilon)


def test_an_average_is_not_shown_as_one_pair_of_laws() -> None:
    """What its pairs attain together, none of them need attain: evidence without their weights is rejected."""
    known = {**COIN, "size": 2, "knowledge": {"kind": "records", "records": [1]}, "sensitive": {"records": [0]}}
    model = pk.build(**{**known, "mechanism": {"kind": "threshold-count", "value": 1, "above": 1}})
    mine = definition("total-variation", "conditional", "average")
    answer = pk.check(model, mine, epsilon="1/4", replay=False)
    written = certificate(answer, Engine(model))
    replay.replay(written)
    shown = written["answer"]["witness"]
    assert [term["weight"] for term in shown["terms"]] == ["1/2", "1/2"]
    shown.update(knowledge=shown["terms"][0]["knowledge"], terms=None)
    with pytest.raises(Rejected, match="one pair of laws of an average"):
        replay.replay(written)


def test_high_orders_are_re_checked_without_needless_powers() -> None:
    """The smallest ε has the root of the order: the numbers are compared, not their powers of 255."""
    of = Fraction(3**4000 + 1, 2**4000)
    assert _root(of, 255).sign(written(f"1/255*ln({of})")) == 0
    assert _root(of + 1, 255).sign(written(f"1/255*ln({of})")) == 1
    assert _root(of, 255).sign(written(f"1/510*ln({of})")) == 1
    assert _root(Fraction(3), 4).sign(written("1/6*ln(3)")) == 1


def test_divergences_have_titles_and_curves_their_names() -> None:
    for name in ("total-variation", "renyi-3"):
        measure = measure_named(name)
        assert isinstance(measure, Divergence)
        assert measure_title(name) == measure.title != name
    assert [measure_title(name) for name in ("hockey-stick", "tail")] == ["hockey-stick", "tail"]
