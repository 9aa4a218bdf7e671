"""The values of a program as hashable keys, and back: what decides whether two states of a run are one.

A program has integers, exact rationals, booleans, texts, None, tuples, lists, dicts and sets. Two states are one only
if nothing that the program may still do can tell them apart:

- `True` is not `1`: they are equal and hash alike, but are different labels. Kinds are part of a key at every depth.
- Two names for one list are not two equal lists. Lists, dicts and sets are numbered in the order in which they are met,
  and a second meeting is a reference to the number.
- A dict keeps the order of its keys. A set has no order.

A whole rational is an integer, so that `4 / 2` is `2`. Writing a value down is work: `frozen` counts the parts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.errors import LimitError
from verifier.programs.noisy_number import NoiseKey, NoisyNumber

Value: TypeAlias = Any
"""A value of a program."""
Frozen: TypeAlias = Hashable
"""A hashable key of a value."""
MOST_PARTS = 20_000
"""Most parts of one value: entries of lists in lists, each counted as often as it is written out."""
MOST_LEVELS = 100
"""Deepest nesting of a value, as of a label."""
CONTAINERS = (tuple, list, dict, set)
CHANGEABLE = (list, dict, set)
"""The containers that a program can change, so that it matters which of them are one object."""
SIGNS_A_PART = 64
"""Characters of a text, or bits of a number, that count as one part."""


class Handle:
    """The key of a fixed tuple: it is equal to itself alone."""

    def __init__(self, value: Fixed) -> None:
        self.value = value


class Fixed(tuple[Value, ...]):  # noqa: SLOT001 - a tuple has no other slots
    """A tuple of which there is one object for equal entries, so that a state has it as one part.

    The database is one, and what a loop goes through if no name is left for it.
    """

    handle: Handle


def is_plain(value: Value) -> bool:
    """Whether a value is a number, a text, None, or a tuple of these.

    >>> is_plain((1, ("a", None))), is_plain(([1],))
    (True, False)
    """
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, int | Fraction | str)


def fixed(values: Iterable[Value], known: dict[Frozen, Fixed]) -> tuple[Value, ...]:
    """The one tuple with these entries, from those that are known; entries that can be changed make another tuple."""
    entries = tuple(values)
    if not is_plain(entries):
        return entries
    key = frozen(entries)
    if key not in known:
        known[key] = Fixed(entries)
        known[key].handle = Handle(known[key])
    return known[key]


def entries_of(value: Value) -> Iterable[Value]:
    """The entries of a container; of a dict its keys and its values."""
    return (*value, *value.values()) if isinstance(value, dict) else value


def parts(value: Value) -> int:
    """How many parts a value has when it is written out: shared parts count each time, but are looked at once.

    >>> parts(3), parts([1, (2, 3)])
    (1, 5)

    Raises:
        LimitError: where there are more than `MOST_PARTS`, where they are nested too deeply, or where a list contains
            itself.

    """
    if isinstance(value, str):
        return 1 + len(value) // SIGNS_A_PART
    return _parts(value, {}, 0) if isinstance(value, CONTAINERS) else 1


def _parts(value: Value, known: dict[int, int | None], level: int) -> int:
    """The parts of a container; `known` has those of the containers in it by their ids, None while one is counted."""
    if id(value) in known:
        count = known[id(value)]
        if count is None:
            raise LimitError("a value contains itself", wanted="a list of other values")
        return count
    if level > MOST_LEVELS:
        raise LimitError(f"a value is nested more than {MOST_LEVELS} levels deep", tip="keep flat lists")
    known[id(value)] = None
    count = 1
    for entry in entries_of(value):
        if isinstance(entry, CONTAINERS):
            count += _parts(entry, known, level + 1)
        else:
            count += 1 + len(entry) // SIGNS_A_PART if isinstance(entry, str) else 1
        if count > MOST_PARTS:
            raise LimitError(f"a value has more than {MOST_PARTS:,} parts", tip="keep counts instead of lists")
    known[id(value)] = count
    return count


def reached(value: Value) -> dict[int, Value]:
    """The lists, dicts and sets in a value, by their ids."""
    found: dict[int, Value] = {}
    seen: set[int] = set()
    left = [value]
    while left:
        one = left.pop()
        if not isinstance(one, CONTAINERS) or id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, CHANGEABLE):
            found[id(one)] = one
        left.extend(entries_of(one))
    return found


class Freezing:
    """Makes keys of the values of one state; `parts` counts what was written down."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.parts = 0

    def frozen(self, value: Value, level: int = 0) -> Frozen:
        """The key of a value.

        Raises:
            LimitError: where a value has too many parts, or is nested too deeply.

        """
        self.parts += 1
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, bool):
            return ("bool", value)
        if isinstance(value, int | Fraction):
            return value
        if isinstance(value, NoisyNumber):
            return value.key
        if level > MOST_LEVELS:
            raise LimitError(f"a value is nested more than {MOST_LEVELS} levels deep", tip="keep flat lists")
        if self.parts > MOST_PARTS:
            raise LimitError(f"the variables have more than {MOST_PARTS:,} parts", tip="keep counts instead of lists")
        if isinstance(value, Fixed):
            return ("fixed", value.handle)
        if isinstance(value, tuple):
            return ("tuple", *[self.frozen(entry, level + 1) for entry in value])
        if not isinstance(value, CHANGEABLE):
            return ("other", value)
        if id(value) in self._numbers:
            return ("again", self._numbers[id(value)])
        number = self._numbers[id(value)] = len(self._numbers)
        if isinstance(value, list):
            return ("list", number, *[self.frozen(entry, level + 1) for entry in value])
        if isinstance(value, dict):
            pairs = [(self.frozen(key, level + 1), self.frozen(entry, level + 1)) for key, entry in value.items()]
            return ("dict", number, *pairs)
        return ("set", number, *sorted((self.frozen(entry, level + 1) for entry in value), key=repr))


def frozen(value: Value) -> Frozen:
    """The key of a value that stands by itself.

    >>> frozen(True) == frozen(1), frozen([1]) == frozen([1]), frozen([1]) == frozen((1,))
    (False, True, False)
    """
    if type(value) is int or type(value) is str:
        return value
    return Freezing().frozen(value)


class Thawing:
    """Makes the values of one state from their keys, with lists, dicts and sets of its own."""

    def __init__(self) -> None:
        self._made: dict[int, Value] = {}

    def value(self, key: Any) -> Value:
        """The value of a key."""
        if not isinstance(key, tuple):
            return NoisyNumber(key) if isinstance(key, NoiseKey) else key
        kind, *rest = key
        if kind in ("bool", "other"):
            return rest[0]
        if kind == "fixed":
            return rest[0].value
        if kind == "tuple":
            return tuple(map(self.value, rest))
        if kind == "again":
            return self._made[rest[0]]
        number, *rest = rest
        made: Value = {"list": list, "dict": dict, "set": set}[kind]()
        self._made[number] = made
        if kind == "list":
            made.extend(map(self.value, rest))
        elif kind == "dict":
            made.update((self.value(name), self.value(entry)) for name, entry in rest)
        else:
            made.update(map(self.value, rest))
        return made


def thawed(key: Frozen) -> Value:
    """The value of a key that stands by itself.

    >>> thawed(frozen([1, (True, "a")]))
    [1, (True, 'a')]
    """
    return Thawing().value(key) if isinstance(key, tuple | NoiseKey) else key


State: TypeAlias = tuple[tuple[str, Frozen], ...]
"""The variables of a run with their values, as a key."""


def state_of(variables: Mapping[str, Value]) -> tuple[State, int]:
    """The key of some variables, and how many parts were written down."""
    freezing = Freezing()
    state = tuple((name, freezing.frozen(variables[name])) for name in sorted(variables))
    return state, freezing.parts


def variables_of(state: State) -> dict[str, Value]:
    """The variables of a state, with lists of their own."""
    thawing = Thawing()
    return {name: thawing.value(key) for name, key in state}
