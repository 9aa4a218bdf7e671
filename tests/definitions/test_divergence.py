"""Divergences, measures that are one number: what the checker derives again in own definitions, and refuses."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.cli.main import run
from verifier.definitions import AGGREGATIONS, COMPARISONS, Definition
from verifier.definitions.measures.divergence import TOTAL_VARIATION, Algebraic, Divergence, measure_named, power, renyi
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model.library import models_folder
from verifier.numbers import Epsilon, epsilon
from verifier.show.witnesses import witness_words

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


@settings(max_examples=30)
@given(case=cases(max_size=2), order=st.integers(2, 5))
def test_the_checker_derives_each_answer_again(case: Case, order: int) -> None:
    """And the total variation distance is the smallest δ of the mean excess at ε = 0, pair by pair and on average."""
    model = pk.build(**case.keys)
    for comparisons in ("conditional", "counterfactual", "posterior", "neighbours"):
        if comparisons == "conditional" or case.plain.secrets is not None:
            for measure in ("total-variation", f"renyi-{order}"):
                assert pk.check(model, definition(measure, comparisons)).replayed
    for key, aggregation in (("apkdp", "worst"), ("ppkdp", "average")):
        mine = pk.check(model, definition("total-variation", "conditional", aggregation))
        assert mine.tight_epsilon == pk.check(model, key, epsilon=0).tight_delta.a  # type: ignore[union-attr]


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


@pytest.mark.parametrize("asked", ["1/2", "ln(2)", "ln(3/2)", "499/1000", "2*ln(2)/3", "inf"])
def test_the_verdict_is_at_most_epsilon(asked: str) -> None:
    """Randomized response that keeps 1/2 has 3/4 against 1/4: a distance of 1/2."""
    answer = pk.check(pk.build(**COIN), definition("total-variation", "neighbours"), epsilon=asked)
    assert answer.verdict == ("holds" if epsilon(asked) >= Fraction(1, 2) else "fails")
    shown = answer.tightest or answer.witness
    assert shown is not None
    assert shown.value == shown.epsilon == Fraction(1, 2)
    assert (answer.witness is None) == (answer.verdict == "holds")
    assert "the total variation distance of the first distribution from the second is 1/2" in witness_words(shown)


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
    with pytest.raises(InputError, match="3 is unknown"):
        measure_named(3)


def test_at_infinity_the_question_is_whether_it_is_finite() -> None:
    shown = {**COIN, "mechanism": {"kind": "identity"}}
    for measure, verdict in (("renyi-2", "fails"), ("total-variation", "holds")):
        for asked in ("inf", None):
            answer = pk.check(pk.build(**shown), definition(measure, "neighbours"), epsilon=asked)
            assert (answer.verdict, answer.replayed) == (verdict, True)


@pytest.mark.sweep(0)
def test_what_is_too_long_is_refused() -> None:
    """A sum of long powers is refused before it is made; the longest that is not is decided again."""
    voters = pk.read(models_folder() / "DMKB20" / "example-7-thousand-voters.toml")
    with pytest.raises(LimitError, match=r"bits\. Expected at most"):
        pk.check(voters, definition("renyi-2", "conditional"))
    distance = pk.check(voters, definition("total-variation", "conditional"), replay=False)
    assert distance.verdict == "holds"
    keep = {"kind": "randomized-response", "keep": "123456789/1000000007"}
    answer = pk.check(pk.build(**{**COIN, "mechanism": keep}), definition("renyi-256", "neighbours"), epsilon=1)
    assert (answer.verdict, answer.replayed) == ("holds", True)


def test_how_long_a_divergence_gets_by_hand() -> None:
    """Σ (p/t)^4·(u/q)^3 has the denominator t^4·q₁^3·q₂^3: 4·100,000 + 3·(1 + 2) bits for q = (1, 3)."""
    p, q = (1 << 99_999, 512), (1, 3)
    with pytest.raises(LimitError, match="has up to 400,009 bits"):
        renyi(4).between(zip(p, q, strict=True), (sum(p), sum(q)))


@pytest.mark.parametrize(("measure", "most"), [(TOTAL_VARIATION, Fraction(1, 2)), (power(1), Fraction(1))])
def test_where_the_conjugate_of_a_distance_is_infinite(measure: Algebraic, most: Fraction) -> None:
    """sup over t of s·t - c·|t - 1| is s up to s = c, which t = 1 attains, and above c it grows with t."""
    assert measure.conjugate is not None
    assert (measure.most, measure.conjugate(most), measure.conjugate(most + Fraction(1, 10**9))) == (most, most, None)


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
