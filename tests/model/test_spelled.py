"""One model has one answer however its labels are spelled and its sections ordered, and it is the naive twin's."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import naive
import pytest
from naive import Exp
from spelled import Maker, toml
from strategies import Case
from twin_laws import text

import verifier as pk
from verifier.definitions import Verdict
from verifier.errors import InputError, LimitError
from verifier.numbers import Delta
from verifier.tables import label

DEFINITIONS = ("dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp")
EPSILONS = {
    "0": Exp("rational", Fraction(0), rational=Fraction(1)),
    "ln(2)": Exp("log", x=Fraction(2), rational=Fraction(2)),
    "ln(5/3)": Exp("log", x=Fraction(5, 3), rational=Fraction(5, 3)),
    "inf": Exp("inf"),
}
DELTAS = (Fraction(0), Fraction(1, 100), Fraction(1, 4))
MOST_WORLDS = 4000
"""Most outputs and worlds, multiplied, that the naive twin is asked about."""


def by_text(given: Any) -> Any:
    """An answer without its file, each label by its text."""
    if isinstance(given, dict):
        return {name: by_text(one) for name, one in given.items() if name not in {"sha256", "model"}}
    if isinstance(given, list) and any(isinstance(one, dict) for one in given):
        return [by_text(one) for one in given]
    return given if given is None else text(tuple(given) if isinstance(given, list) else given)


def is_the_twins(verdict: Verdict, case: Case, definition: str, epsilon: str, delta: Fraction) -> None:
    """The verdict, the tightest values and the counts are those of the definition itself."""
    if case.plain.secrets is None and definition in {"dp", "cdp", "ibcdp"}:
        assert verdict.verdict == "unsupported"
        return
    e = EPSILONS[epsilon]
    answer = naive.answer(naive.families(case.plain, definition), e, delta)
    assert verdict.verdict == answer.verdict
    assert str(verdict.tight_epsilon) == naive.epsilon_text(answer.factor)
    assert (verdict.comparisons, verdict.empty) == (answer.comparisons, answer.empty)
    if answer.verdict != "vacuous":
        assert isinstance(verdict.tight_delta, Delta)
        assert answer.line is not None
        a, b = answer.line
        assert (verdict.tight_delta.a, verdict.tight_delta.b) == (a - b * (e.rational or 0), Fraction(0))


def asked(seed: int) -> tuple[int, set[str]]:
    """Ask one random model, spelled in two ways, about every definition; how many questions that were."""
    maker, draw = Maker(seed), random.Random(seed)  # noqa: S311
    case = maker.model()
    variants = [pk.loads(toml(case.keys, draw)) for _ in range(2)]
    questions = 0
    for definition in DEFINITIONS:
        epsilon, delta = draw.choice(list(EPSILONS)), draw.choice(DELTAS)
        try:
            verdicts = [pk.check(one, definition, epsilon=epsilon, delta=delta, replay=False) for one in variants]
        except LimitError:
            continue
        assert by_text(verdicts[0].to_json()) == by_text(verdicts[1].to_json())
        is_the_twins(verdicts[0], case, definition, epsilon, delta)
        questions += 2
    return questions, maker.used


@pytest.mark.parametrize("part", range(4))
def test_spellings_and_the_order_of_sections_change_no_answer(part: int) -> None:
    used: set[str] = set()
    for seed in range(part, 48, 4):
        used |= asked(seed)[1]
    assert len(used) > 12, used


CLASSES = """size = 2
values = ["yes", "no"]
[[distribution]]
iid = { yes = "1/2", no = "1/2" }
[mechanism]
kind = "apply"
k = 2
generalization = { yes = 1, no = 2 }
then = [ { rows = [ { input = '%s', output = "A" } ], otherwise = "B" } ]
[knowledge]
table = []
otherwise = { %s = "1/2", %s = "1/2" }
"""


@pytest.mark.parametrize("noise", [("1", "2"), ("x", "y"), ('"[1,1]"', '"[ 2 ]"')])
@pytest.mark.parametrize("given", ["[1,1]", "[1, 1]", '["1",1]', ' [ "1" , "1" ] '])
def test_what_else_is_known_changes_no_output(given: str, noise: tuple[str, str]) -> None:
    """A label that was spelled as a text elsewhere, here in a noise that says nothing, stays the label that it is."""
    verdict = pk.check(pk.loads(CLASSES % (given, *noise)), "np", epsilon=0, replay=False)
    assert (verdict.verdict, str(verdict.tight_delta)) == ("fails", "1/2")


@pytest.mark.parametrize(("first", "second", "equal"), [
    ([1, 1], ["1", 1], True),
    ([1, 1], "[1, 1]", True),
    ([1, 1], '["1","1"]', True),
    ([True, "a"], '["true", "a"]', True),
    ([[1], "[ 2 ]"], '[["1"],[2]]', True),
    ([-1], "[-1]", True),
    ([1], ["01"], False),
    ([1], [[1]], False),
    ([1], "[1.0]", False),
    (["1/2"], "[1/2]", False),
    ([""], [], False),
    ("[1", "[1 ", False),
    (1, "1", True),
    (1, "+1", False),
    (True, "true", True),
    (True, "True", False),
])  # fmt: skip
def test_labels_are_equal_when_their_texts_are(first: Any, second: Any, equal: bool) -> None:  # noqa: FBT001
    assert (label(first) == label(second)) == equal
    assert (text(first) == text(second)) == equal
    assert (label([first]) == label([second])) == equal
    assert label(first).text == label(label(first).text).text == text(first)
    assert (label(first).order == label(second).order) == equal


def test_lists_in_a_text_are_not_nested_without_end() -> None:
    assert label("[" * 100 + "]" * 100).entries is not None
    for levels in (101, 100_000):
        with pytest.raises(InputError, match="nested too deeply"):
            label("[" * levels + "]" * levels)
