"""Which cases of a sweep are looked at, where not all of them are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

SELDOM = 3
"""One in how many of the tests that are left out otherwise is looked at in one turn."""


def chosen(cases: Mapping[str, Mapping[str, int]], share: int, turn: int = 0) -> set[str]:
    """One in `share` of the cases, rounded up: in one turn the same ones every time, whatever other tests there are.

    A case has a name and, for each parameter, the number of its value. Where parameters vary independently, each value
    of each of them is kept in some case, also where these are more cases.

    >>> cases = {f"case {n}": {"n": n} for n in range(7)}
    >>> [len(chosen(cases, 3, turn)) for turn in range(3)]
    [3, 3, 3]
    >>> set.union(*(chosen(cases, 3, turn) for turn in range(4, 7))) == set(cases)
    True
    >>> pairs = {f"{a}{b}": {"a": a, "b": b} for a in range(4) for b in range(5)}
    >>> all({name[0] for name in chosen(pairs, 20, turn)} == set("0123") for turn in range(20))
    True
    """
    ordered = _from_turn(cases, share, turn)
    columns = zip(*(cases[name].values() for name in ordered), strict=True)
    kept: set[str] = set()
    if len(set(columns)) > 1:
        seen: set[tuple[str, int]] = set()
        for name in ordered:
            if not cases[name].items() <= seen:
                seen |= cases[name].items()
                kept.add(name)
    others = [name for name in ordered if name not in kept]
    return kept | set(others[: max(0, -(-len(cases) // share) - len(kept))])


def seldom(tests: Iterable[str], turn: int) -> set[str]:
    """One in three of the tests, rounded up; all of them in three turns that follow each other.

    >>> [len(seldom("abcdefgh", turn)) for turn in range(3)]
    [3, 3, 3]
    >>> sorted(set.union(*(seldom("abcdefgh", turn) for turn in range(2, 5)))) == list("abcdefgh")
    True
    """
    ordered = _from_turn(tests, SELDOM, turn)
    return set(ordered[: -(-len(ordered) // SELDOM)])


def _from_turn(names: Iterable[str], share: int, turn: int) -> list[str]:
    """The names in an order of their own, from where the turn before has ended."""
    ordered = sorted(names, key=lambda name: sha256(name.encode()).digest())
    begun = turn * -(-len(ordered) // share) % max(1, len(ordered))
    return ordered[begun:] + ordered[:begun]
