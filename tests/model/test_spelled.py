"""One model has one answer however its labels are spelled and its sections ordered, and it is the checker's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from spelled import toml
from strategies import ODD, Case, cases
from twin_laws import text

import verifier as pk
from verifier.errors import InputError
from verifier.tables import label

DEFINITIONS = ("dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp")


def by_text(given: Any) -> Any:
    """An answer without its file, each label by its text."""
    if isinstance(given, dict):
        return {name: by_text(one) for name, one in given.items() if name not in {"sha256", "model"}}
    if isinstance(given, list) and any(isinstance(one, dict) for one in given):
        return [by_text(one) for one in given]
    return given if given is None else text(tuple(given) if isinstance(given, list) else given)


@settings(max_examples=30)
@given(cases(among=ODD), st.randoms(use_true_random=False), st.sampled_from(["0", "ln(5/3)", "inf"]))
def test_spellings_and_the_order_of_sections_change_no_answer(case: Case, draw: random.Random, epsilon: str) -> None:
    """The keys as they are in Python, and a file in which each label is spelled anew."""
    built, read = pk.build(**case.keys), pk.loads(toml(case.keys, draw))
    for definition in at_least_one(DEFINITIONS):
        one, other = (pk.check(model, definition, epsilon=epsilon, delta="1/100") for model in (built, read))
        assert by_text(one.to_json()) == by_text(other.to_json())
        assert other.replayed or other.verdict == "unsupported"


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
