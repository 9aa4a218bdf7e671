"""What published counts leave, decided again from the model's text: right answers, and forged ones, which are refused.

`tests/questions/test_left.py` compares the program with all databases; here the checker reads the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import verifier as pk
from verifier.checker import left
from verifier.checker.models import Model
from verifier.checker.numbers import BeyondLimits, Rejected, Wrong
from verifier.questions.left import Left
from verifier.questions.rule import model_of
from verifier.recheck import RejectedError, text_of
from verifier.tables import label

pytestmark = pytest.mark.quick
ONE_AREA = """size = 4
values = ["no", "yes"]
[[distribution]]
iid = { no = "3/4", yes = "1/4" }
[mechanism]
kind = "tables"
rule = "hide 1 to 2"
tables = [{ cells = ["yes"] }]
"""
TWO_AREAS = """size = 4
values = ["no", "yes"]
[people]
north = { from = 0, to = 1 }
south = { from = 2, to = 3 }
[[distribution]]
iid = { no = "3/4", yes = "1/4" }
[mechanism]
kind = "tables"
rule = "hide 1 to 2"
tables = [{ cells = ["yes"], by = ["north", "south"], total = true }]
"""
OF_ONE: dict[str, Any] = {
    "people": 4,
    "left": [
        {"published": 0, "from": 0, "to": 0},
        {"published": "*", "from": 1, "to": 2},
        {"published": 3, "from": 3, "to": 3},
        {"published": 4, "from": 4, "to": 4},
    ],
}


def entry(published: list[Any], area: int, first: int, last: int) -> dict[str, Any]:
    return {"published": published, "area": area, "from": first, "to": last}


# A count of two is 0, 1, 2 with 9/16, 6/16, 1/16. Total 1: 2·(9·6)/256. Total 2: one area has both, or each has one.
# Total 3 leaves (1, 2) and (2, 1), the only total that does not say what each area has.
OF_TWO: dict[str, Any] = {
    "people": [2, 2],
    "given_away": "163/256",
    "left": [
        entry([0, "*", 1], 2, 1, 1),
        entry(["*", 0, 1], 1, 1, 1),
        entry(["*", "*", 2], 1, 1, 1),
        entry(["*", "*", 2], 2, 1, 1),
        entry(["*", "*", 3], 1, 1, 2),
        entry(["*", "*", 3], 2, 1, 2),
        entry([0, "*", 2], 2, 2, 2),
        entry(["*", 0, 2], 1, 2, 2),
        entry(["*", "*", 4], 1, 2, 2),
        entry(["*", "*", 4], 2, 2, 2),
    ],
}


def test_by_hand() -> None:
    assert left.verify(OF_ONE, Model(ONE_AREA)) == "what 4 published outputs leave"
    assert left.verify(OF_TWO, Model(TWO_AREAS)) == "what 7 published outputs leave"
    assert Fraction(54 * 2 + 36 + 9 * 2 + 1, 256) == Fraction(OF_TWO["given_away"])


def put(place: int, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda answer: answer["left"][place].update({key: value})


def swapped(answer: dict[str, Any]) -> None:
    answer["left"] = [*answer["left"][2:], *answer["left"][:2]]


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (put(1, "to", 3), r"\* leaves 1 to 2, and not 1 to 3"),
        (put(1, "from", 0), r"\* leaves 1 to 2, and not 0 to 2"),
        (put(1, "area", 1), r"\* leaves 1 to 2, and not 1 to 2 in area 1"),
        (put(3, "published", 5), "5 is never published|lacks what 4 leaves"),
        (lambda answer: answer["left"].pop(1), r"the answer lacks what \* leaves"),
        (lambda answer: answer["left"].append(answer["left"][1]), r"\* leaves 1 to 2, and not 1 to 2, 1 to 2"),
        (lambda answer: answer.update(people=5), "the areas have 5 people, and the model 4"),
    ],
)
def test_forgeries_of_one_area(forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    answer = deepcopy(OF_ONE)
    forge(answer)
    with pytest.raises(Rejected, match=reason):
        left.verify(answer, Model(ONE_AREA))


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (lambda answer: answer.update(given_away="162/256"), "given_away is 163/256, and the answer says 162/256"),
        (lambda answer: answer.update(given_away="0"), "given_away is 163/256, and the answer says 0"),
        (put(2, "to", 2), r'\["\*","\*",2\] leaves 1 to 1 in area 1, 1 to 1 in area 2, and not 1 to 2 in area 1'),
        (put(4, "from", 2), r'\["\*","\*",3\] leaves 1 to 2 in area 1'),
        (put(0, "area", 1), r'\[0,"\*",1\] leaves 1 to 1 in area 2, and not 1 to 1 in area 1'),
        (lambda answer: answer["left"].pop(), r'\["\*","\*",4\] leaves 2 to 2 in area 1, 2 to 2 in area 2'),
        (lambda answer: answer["left"].append(entry([0, 0, 0], 1, 0, 0)), "is never published with a hidden count"),
        (swapped, r'\[0,"\*",1\] is likelier than \["\*","\*",4\] before it'),
        (lambda answer: answer.update(people=[1, 3]), "the cells are not one table of these areas"),
    ],
)
def test_forgeries_of_two_areas(forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    answer = deepcopy(OF_TWO)
    forge(answer)
    with pytest.raises((Rejected, Wrong), match=reason):
        left.verify(answer, Model(TWO_AREAS))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("hide 1 to 2", "hide 1 to 1", "leaves|lacks|never"),
        ("total = true", 'total = true, secondary = "smallest"', "leaves|lacks|never"),
        ('no = "3/4", yes = "1/4"', 'no = "1/2", yes = "1/2"', "likelier|given_away"),
        ('no = "3/4", yes = "1/4"', 'no = "1", yes = "0"', "everybody is counted with probability 0"),
        ('cells = ["yes"]', 'cells = ["no"]', "the cells count other values than yes"),
        ('cells = ["yes"], by', 'cells = ["yes"], without = ["south"], by', "person of the table is once|one table"),
    ],
)
def test_other_models_are_noticed(old: str, new: str, reason: str) -> None:
    with pytest.raises((Rejected, Wrong), match=reason):
        left.verify(OF_TWO, Model(TWO_AREAS.replace(old, new)))


ASKED: list[tuple[Any, dict[str, Any]]] = [
    ("hide 0 to 9, then round to base 5", {"people": 40, "known": 3}),
    ("hide below 3, then random rounding to base 3", {"people": 9}),
    ("geometric noise 1/2, then hide below 3", {"people": 6}),
    (lambda count: "odd" if count % 2 else count // 4, {"people": 6}),
    ("hide 1 to 2", {"people": [3, 4], "total": True}),
    ("hide 1 to 2", {"people": [3, 4, 3], "total": True, "secondary": "smallest"}),
    ("secondary", {"people": [8, 9]}),
    ("remainder-group", {"people": [6, 7]}),
    ("random rounding to base 2, then hide 2 to 2", {"people": [3, 4], "secondary": "smallest"}),
    ("geometric noise 1/2, then hide below 3", {"people": [3, 3]}),
    ("round to base 5", {"people": [300, 300]}),
]


@pytest.mark.parametrize(("rule", "question"), ASKED)
def test_answers_of_the_program_are_confirmed(rule: Any, question: dict[str, Any]) -> None:
    answer = pk.rule(rule, probability="1/4", **question)
    assert answer.left or answer.given_away == 0
    again = left.verify(answer.to_json(10**6), Model(text_of(model_of(answer, two=False))[0]))
    assert again == f"what {len({one.published for one in answer.left})} published outputs leave"


def test_a_forged_answer_is_not_shown() -> None:
    honest = pk.rule("hide 1 to 2", people=5, known=1, probability="1/4")
    assert honest.rechecked().replayed
    (hidden,) = (one for one in honest.left if one.published.text == "*")
    forged = replace(honest, left=tuple(replace(one, last=3) if one is hidden else one for one in honest.left))
    with pytest.raises(RejectedError, match=r"\* leaves 1 to 2, and not 1 to 3"):
        forged.rechecked()
    areas = pk.rule("hide 1 to 2", people=[3, 3], probability="1/4", total=True)
    assert areas.of_areas is not None
    rarer = replace(areas, of_areas=replace(areas.of_areas, given_away=areas.of_areas.given_away / 2))
    with pytest.raises(RejectedError, match="given_away is "):
        rarer.rechecked()
    never = pk.rule("round to base 5", people=[3, 3], probability="1/4")
    assert never.of_areas is not None
    one = Left(label(["*", 0]), 1, 1, 1)
    with pytest.raises(RejectedError, match="is never published with a hidden count"):
        replace(never, left=(one,)).rechecked()


def test_other_tails_of_noise_are_left_undecided() -> None:
    """A tail may be cut elsewhere in an answer; what does not fit is then not called wrong."""
    answer = pk.rule("geometric noise 1/2, then hide below 3", people=6, probability="1/4")
    told = answer.to_json(10**6)
    (tail,) = (one for one in told["left"] if one["published"] == "> 6")
    tail["published"] = "> 9"
    with pytest.raises(BeyondLimits, match="tails of noise, such as"):
        left.verify(told, Model(text_of(model_of(answer, two=False))[0]))
