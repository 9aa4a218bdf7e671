"""What published areas leave of hidden counts, against all databases and rules that are written out here."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

import verifier as pk

Published = tuple[Any, ...]
Masses = dict[Published, Fraction]
Found = tuple[Masses, dict[tuple[Published, int], set[int]]]


def small(count: int) -> dict[Any, Fraction]:
    """1 and 2 are hidden."""
    return {"*" if count in {1, 2} else count: Fraction(1)}


def rounded_first(count: int) -> dict[Any, Fraction]:
    """Unbiased rounding to base 2, then 2 is hidden."""
    if count % 2 == 0:
        return {"*" if count == 2 else count: Fraction(1)}
    return {"*" if near == 2 else near: Fraction(1, 2) for near in (count - 1, count + 1)}


def one_alone(count: int) -> dict[Any, Fraction]:
    """Only 2 is hidden, so that its mark tells it."""
    return {"*" if count == 2 else count: Fraction(1)}


RULES = {
    "hide 1 to 2": small,
    "random rounding to base 2, then hide 2 to 2": rounded_first,
    "hide 2 to 2": one_alone,
}
AREAS = [(2, 2), (4, 4), (3, 1), (3, 4, 3), (1, 2, 2)]
KEYS: list[dict[str, Any]] = [{}, {"total": True}, {"secondary": "smallest"}, {"total": True, "secondary": "smallest"}]


def by_all_databases(areas: tuple[int, ...], p: Fraction, words: str, keys: dict[str, Any]) -> Found:
    """The probability of each published list, and what it leaves of each hidden area, person by person."""
    masses: Masses = defaultdict(Fraction)
    left: dict[tuple[Published, int], set[int]] = defaultdict(set)
    for people in product((0, 1), repeat=sum(areas)):
        chance = prod((p if one else 1 - p for one in people), start=Fraction(1))
        rest, counts = list(people), []
        for size in areas:
            counts.append(sum(rest[:size]))
            rest = rest[size:]
        for shown in product(*(RULES[words](count).items() for count in counts)):
            cells = [value for value, _ in shown]
            if "secondary" in keys and cells.count("*") == 1:
                others = [k for k, cell in enumerate(cells) if cell != "*"]
                smallest = min(counts[k] for k in others)
                cells[next(k for k in others if counts[k] == smallest)] = "*"
            output = (*cells, *([sum(people)] if keys.get("total") else []))
            masses[output] += chance * prod(share for _, share in shown)
            for k, cell in enumerate(cells):
                if cell == "*":
                    left[output, k + 1].add(counts[k])
    return dict(masses), dict(left)


@pytest.mark.parametrize("keys", KEYS, ids=" ".join)
@pytest.mark.parametrize("areas", AREAS)
@pytest.mark.parametrize("words", RULES)
def test_all_databases(words: str, areas: tuple[int, ...], keys: dict[str, Any]) -> None:
    answer = pk.rule(words, people=areas, probability="2/7", **keys)
    masses, left = by_all_databases(areas, Fraction(2, 7), words, keys)
    told = {output for (output, _), possible in left.items() if len(possible) == 1}
    assert answer.given_away == sum((masses[output] for output in told), Fraction(0))
    found: dict[tuple[Published, int], set[int]] = defaultdict(set)
    for one in answer.left:
        found[listed(one), one.area].update(range(one.first, one.last + 1))
    assert found == left
    likeliest = [masses[listed(one)] for one in answer.left]
    assert likeliest == sorted(likeliest, reverse=True)


def listed(one: Any) -> Published:
    """The published numbers of one entry."""
    return tuple(one.published.shown)


def left_of(answer: Any, *published: Any) -> list[tuple[int, int, int]]:
    return [(one.area, one.first, one.last) for one in answer.left if one.published.shown == list(published)]


def test_two_hidden_areas_and_their_total() -> None:
    """Total 3: each has 1 or 2. Total 5, with secondary suppression: 1 to 4. Totals 2 and 4 alone tell both."""
    question = {"people": (4, 4), "probability": "1/4", "total": True}
    without = pk.rule("hide 1 to 2", **question)
    hidden = pk.rule("hide 1 to 2", secondary="smallest", **question)
    assert left_of(without, "*", "*", 3) == left_of(hidden, "*", "*", 3) == [(1, 1, 2), (2, 1, 2)]
    assert left_of(without, "*", "*", 5) == []
    assert left_of(hidden, "*", "*", 5) == [(1, 1, 4), (2, 1, 4)]
    assert left_of(without, "*", "*", 2) == [(1, 1, 1), (2, 1, 1)]
    assert left_of(without, "*", 0, 2) == [(1, 2, 2)]
    assert without.given_away == Fraction(11259, 2**14)
    assert hidden.given_away == 0


def test_who_is_known_changes_nothing() -> None:
    """The reader who computes hidden counts knows none of the people, and the sentence says so."""
    question = {"people": (3, 4), "probability": "1/4", "total": True}
    nobody, some = (pk.rule("hide 1 to 2", known=known, **question) for known in ([0, 0], [2, 3]))
    assert (nobody.given_away, nobody.left) == (some.given_away, some.left)
    assert any("to a reader who knows none of the people" in sentence for sentence in some.sentences)


@pytest.mark.parametrize(
    ("rule", "keys", "words"),
    [
        ("hide 1 to 2", {"total": True}, "The areas and their total give a hidden count away with probability "),
        ("hide 1 to 2", {"total": True}, "the likeliest numbers that do are *, *, 2 (area 1: 1, area 2: 1)."),
        ("hide 1 to 2", {}, "The published numbers never give a hidden count away"),
        ("hide 1 to 2", {}, "The likeliest numbers with a hidden count are *, * (area 1: 1 to 2, area 2: 1 to 2)."),
        ("hide 2 to 2", {}, "The published numbers give a hidden count away with probability 0.377"),
    ],
)
def test_sentences(rule: str, keys: dict[str, Any], words: str) -> None:
    answer = pk.rule(rule, people=(4, 4), probability="1/4", **keys)
    assert any(words in sentence for sentence in answer.sentences)


def test_what_hides_nothing_has_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor are its counts listed, however many there are."""
    monkeypatch.setattr("verifier.questions.rule.MOST_VECTORS", 1)
    answer = pk.rule("round to base 5", people=(4, 4), probability="1/4", total=True)
    assert answer.given_away == 0
    assert answer.left == ()
    assert not any("hidden" in sentence for sentence in answer.sentences)


def test_json_has_the_likeliest_and_says_how_many_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = pk.rule("hide 1 to 2", people=(4, 4), probability="1/4", total=True)
    whole = answer.to_json()
    assert (whole["given_away"], whole["given_away_decimal"]) == ("11259/16384", "0.687194824219")
    assert whole["left"][0] == {"published": ["*", "*", 2], "area": 1, "from": 1, "to": 1}
    assert (len(whole["left"]), "left_further" in whole) == (len(answer.left), False)
    monkeypatch.setattr("verifier.questions.rule.MOST_LEFT", 3)
    cut = answer.to_json()
    assert (cut["left"], cut["left_further"]) == (whole["left"][:3], len(answer.left) - 3)


def test_too_many_counts_are_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five times five vectors of counts; of a random rule, twice two outputs of each."""
    monkeypatch.setattr("verifier.questions.rule.MOST_VECTORS", 25)
    question = {"people": (4, 4), "probability": "1/4", "total": True}
    assert pk.rule("hide 1 to 2", **question).given_away is not None
    monkeypatch.setattr("verifier.questions.rule.left_by_areas", None)
    answer = pk.rule("random rounding to base 3, then hide 0 to 2", **question)
    assert answer.given_away is None
    assert answer.left == ()
    assert answer.to_json()["left"] is None
    assert "more than 32,768 combinations" in answer.to_json()["left_unknown"]
    assert any("is not answered" in sentence for sentence in answer.sentences)


def test_the_recheck_decides_again_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"people": (3, 3), "probability": "1/4", "total": True}
    for words in ("hide 1 to 2", "round to base 5"):
        answer = pk.rule(words, **question).rechecked()
        assert (answer.replayed, answer.unchecked) == (True, "")
    monkeypatch.setattr("verifier.questions.rule.left_unchecked", lambda *_: "too many counts")
    answer = pk.rule("hide 1 to 2", **question).rechecked()
    again = "what is left of hidden counts was not decided again: too many counts"
    assert (answer.replayed, answer.unchecked) == (True, again)
