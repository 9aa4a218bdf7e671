"""All runs together: the powers of polynomials, and tables by proportional rows, beside the plain product table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Case, cases

import verifier as pk
from verifier.errors import PkdpError
from verifier.model.compose import compose, with_mechanism
from verifier.recheck import RejectedError, word_of_runs
from verifier.wings.implications.compose.proportional import composed_laws, merged
from verifier.wings.implications.compose.together import AllRuns, all_runs

BITS: dict[str, Any] = {"size": 2, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}
RESPONSE = pk.build(**BITS, mechanism={"kind": "randomized-response", "keep": "1/2"})
COIN = pk.build(size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": "1/2"})
COUNT = pk.build(**BITS, mechanism={"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/3"}]})


def few_outputs(model: pk.Model) -> bool:
    return all(len(model.mechanism.law(d).outcomes) <= 3 for d in model.mechanism.all_databases())


def agrees(answers: AllRuns, plain: pk.Model, deltas: list[str], epsilons: list[str]) -> None:
    """The numbers are those of the definitions about the plain table of all lists of outputs."""
    for one in at_least_one(answers.definitions):
        first = pk.check(plain, one.definition)
        if first.tight_epsilon is None or first.verdict == "vacuous":
            assert (one.verdict, one.epsilons) == (first.verdict, ())
            continue
        for point, delta in zip(one.epsilons, deltas, strict=True):
            assert point.value == pk.check(plain, one.definition, delta=delta).tight_epsilon, one.definition
        for point, epsilon in zip(one.deltas, epsilons, strict=True):
            assert point.value == pk.check(plain, one.definition, epsilon=epsilon).tight_delta, one.definition
        if one.profile is not None:
            assert one.profile == first.profile


@given(case=cases(max_size=2), times=st.sampled_from((1, 2, 3)))
@settings(max_examples=30)
def test_all_runs_are_the_plain_table(case: Case, times: int) -> None:
    """Of dp by the ratios of each pair of databases, of the others by proportional rows."""
    model = pk.build(**case.keys)
    assume(few_outputs(model))
    plain = with_mechanism(model, compose(*[model.mechanism] * times))
    asked: dict[str, Any] = {"deltas": ["0", "1/7"], "epsilons": ["ln(3/2)", "inf"]}
    agrees(all_runs(model, times=times, **asked), plain, *asked.values())


def test_different_mechanisms_are_the_table_of_all_their_outputs() -> None:
    """Pairs of databases that one mechanism says the same of are told apart by the other."""
    noise = {"kind": "randomized-response", "keep": "1/3"}
    first = pk.build(**BITS, mechanism={"kind": "records", "records": [0], "then": [noise]})
    second = pk.build(**BITS, mechanism=lambda d: {"a": Fraction(1 + d[1], 5), "b": Fraction(4 - d[1], 5)})
    mechanisms = [first.mechanism, first.mechanism, second.mechanism, second.mechanism, second.mechanism]
    plain = with_mechanism(first, compose(*mechanisms))
    asked: dict[str, Any] = {"deltas": ["0", "1/9"], "epsilons": ["ln(2)"]}
    agrees(all_runs([first, second], times=[2, 3], **asked), plain, *asked.values())


def test_pairs_are_those_of_every_mechanism() -> None:
    """A mechanism that says nothing does not hide on which databases another one tells a record."""
    silent = pk.build(**BITS, mechanism={"kind": "constant", "output": "-"})
    second = pk.build(
        **BITS, mechanism=lambda d: {"both": "3/4", "-": "1/4"} if all(d) else {"both": "1/4", "-": "3/4"}
    )
    alone = all_runs(second, 3, definitions=["dp"], deltas=["1/9"]).definitions[0].epsilons[0].value
    for models in ([silent, second], [second, silent]):
        (both,) = all_runs(models, 3, definitions=["dp"], deltas=["1/9"]).definitions
        assert both.epsilons[0].value == alone != pk.epsilon(0)


def test_the_facts_of_randomized_response() -> None:
    answer = all_runs(COIN, times=10, definitions=["dp"], deltas=["1/10", "1e-6"]).definitions[0]
    assert answer.epsilons[0].value == pk.epsilon("ln(755107/155)")
    assert (answer.replayed, answer.unchecked) == (True, "")
    assert answer.epsilons[0].databases == ([0], [1])
    assert all_runs(COIN, times=1, definitions=["dp"], deltas=["1/10"]).definitions[0].epsilons[0].value == "ln(13/5)"


@pytest.mark.parametrize("times", [1, 2, 7])
def test_the_checker_finds_a_wrong_number(times: int) -> None:
    """It adds up the lists itself, and refuses a number of other runs, of both kinds."""
    smallest = str(all_runs(COUNT, times, deltas=["1/10"]).definitions[0].epsilons[0].value)
    point = {"at": "1/10", "value": smallest}
    right = {"definition": "dp", "times": times, "epsilon_at": [point], "delta_at": []}
    assert word_of_runs(right, COUNT) == ""
    with pytest.raises(RejectedError, match="tight_epsilon"):
        word_of_runs({**right, "times": times + 1}, COUNT)
    wrong = {**right, "epsilon_at": [], "delta_at": [{"at": "ln(2)", "value": "1/3"}]}
    with pytest.raises(RejectedError, match="tight_delta"):
        word_of_runs(wrong, COUNT)


def test_more_lists_than_the_checker_adds_up_are_said() -> None:
    def unrelated(database: tuple[int]) -> dict[str, Fraction]:
        """Six outputs whose ratios are unrelated."""
        weights = [(k + 1) ** (1 + database[0]) for k in range(6)]
        return {str(k): Fraction(weight, sum(weights)) for k, weight in enumerate(weights)}

    model = pk.build(size=1, values=[0, 1], mechanism=unrelated)
    answer = all_runs(model, times=30, definitions=["dp"], deltas=["1/10"]).definitions[0]
    assert answer.replayed is None
    assert "lists of all runs" in answer.unchecked


def test_what_does_not_apply_is_said_in_one_line() -> None:
    answers = {
        one.definition: one for one in all_runs(RESPONSE, times=2, definitions=["dp", "klpr", "fdp"]).definitions
    }
    assert answers["dp"].verdict == "computed"
    assert (answers["klpr"].verdict, answers["fdp"].verdict) == ("unsupported", "unsupported")
    assert "\n" not in str(answers["klpr"])


def test_proportional_rows_are_one_output() -> None:
    laws = {d: RESPONSE.mechanism.law(d) for d in RESPONSE.mechanism.all_databases()}
    assert len(composed_laws([(laws, 2)])[0, 0].outcomes) == 9, (
        "ten multisets of four outputs, of which two say nothing"
    )
    assert merged([(0, 0), (2, 4), (0, 1), (1, 2)]) == [(3, 6), (0, 1)]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"times": 0}, "0 is too small"),
        ({"times": [1, 2]}, "2 numbers of runs are given"),
        ({"times": 1 << 21}, "runs are too many"),
        ({"times": 2, "deltas": [2]}, "2 is more than 1"),
        ({"times": 2, "definitions": "dp"}, "is not a list"),
    ],
)
def test_a_wrong_question_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(PkdpError, match=message):
        all_runs(COIN, **asked)
    with pytest.raises(PkdpError, match="has other databases"):
        all_runs([COIN, RESPONSE], times=2)
