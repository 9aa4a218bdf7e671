"""Where we are in a model file, and taking keys from a table so that none is overlooked."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.errors import InputError, Path, Where, is_printable
from verifier.numbers import cut, shorten
from verifier.tables import label

MISSING = object()
ALIKE = 0.65
"""How alike a known key must be spelled to be named in a tip; it decides nothing else."""


@dataclass(frozen=True)
class Place:
    """A file and the way to a place in it, in words and as the path through its tables.

    >>> here = Place("m.toml").at("[mechanism]", "mechanism").at("row 2", 1)
    >>> str(here), str(here).path
    ('m.toml: [mechanism], row 2', ('mechanism', 1))
    """

    file: str
    trail: tuple[str, ...] = ()
    path: Path = ()

    def at(self, step: str, *keys: str | int) -> Place:
        """One step further in; `keys` lead there, where that is not the step itself."""
        return Place(self.file, (*self.trail, step), (*self.path, *(keys or (step,))))

    def over(self, *keys: str | int) -> Where:
        """The place in words, for an error that is at `keys` inside it."""
        return Where(str(self), (*self.path, *keys))

    def __str__(self) -> Where:
        inside = ", ".join(self.trail)
        return Where(f"{self.file}: {inside}" if self.file and inside else self.file or inside, self.path)


class Keys:
    """A table of a model file; whatever is not taken by the end is refused."""

    def __init__(self, table: object, place: Place, what: str = "a table", known: Container[str] | None = None) -> None:
        if not isinstance(table, Mapping):
            raise InputError(f"given {shorten(table)}", where=str(place), wanted=what)
        self.left: dict[str, Any] = {label(key, str(place)).text: value for key, value in table.items()}
        if len(self.left) < len(table):
            raise InputError("given a key twice", where=str(place), wanted='distinct keys (0 and "0" are one)')
        self.place = place
        self._asked: list[str] = []
        self._known = known

    def take(self, key: str, default: Any = MISSING) -> Any:
        """The value of a key, removed; without a default the key is required."""
        self._asked.append(key)
        if key in self.left:
            return self.left.pop(key)
        if default is MISSING:
            near = self._misspelt([key])
            raise InputError(
                f"the key `{key}` is missing{'' if near else self._unknown()}",
                where=self.place.over(key),
                wanted=f"`{key} = …`",
                tip=near or "pkdp guide format lists the keys",
            )
        return default

    def _unknown(self) -> str:
        """The keys that are there and mean nothing, where all that mean something are known."""
        found = [f"`{cut(key)}`" for key in self.left if self._known is not None and key not in self._known][:5]
        return f" and {', '.join(found)} {'is' if len(found) == 1 else 'are'} unknown" if found else ""

    def has(self, key: str) -> bool:
        """Whether a key is there and was not taken."""
        self._asked.append(key)
        return key in self.left

    def one_of(self, keys: Iterable[str], what: str) -> str:
        """The one key of several that is there."""
        keys = list(keys)
        found = [key for key in keys if self.has(key)]
        if len(found) != 1:
            given = " and ".join(f"`{key}`" for key in found) or "none of the keys"
            raise InputError(
                f"given {given}",
                where=str(self.place),
                wanted=f"exactly one of {', '.join(keys)}",
                tip=what if found else self._misspelt(keys) or what,
            )
        return found[0]

    def _misspelt(self, wanted: Iterable[str]) -> str:
        """A tip where a key that is there looks like one that is not."""
        pairs = ((closest(key, self.left), key) for key in wanted)
        return next((f"is `{near}` meant to be `{key}`?" for near, key in pairs if near), "")

    def done(self) -> None:
        """Refuse what was not taken."""
        for key in self.left:
            known = ", ".join(dict.fromkeys(self._asked))
            raise InputError(
                f"the key `{cut(key)}` is unknown",
                where=self.place.over(key),
                wanted=f"one of {known}",
                tip=meant(key, self._asked),
            )


def meant(given: str, known: Iterable[str]) -> str:
    """A tip where a name looks misspelt."""
    near = closest(given, known)
    return f"is `{near}` meant?" if near else ""


def closest(given: str, known: Iterable[str]) -> str:
    """The known name that a misspelt one looks like, or nothing."""
    return next(iter(difflib.get_close_matches(given, list(known), 1, ALIKE)), "") if len(given) < 100 else ""


def many(number: int, noun: str) -> str:
    """A number with its noun.

    >>> many(1, "record"), many(3, "record")
    ('1 record', '3 records')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def integer(given: object, place: Place, what: str, low: int | None = None) -> int:
    """An integer, not a boolean, at least `low`."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=f"{what} as an integer")
    if low is not None and given < low:
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=f"{what}, at least {low}")
    return given


def listed(given: object, place: Place, what: str) -> list[Any]:
    """A list (a tuple from Python)."""
    if not isinstance(given, list | tuple):
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=what)
    return list(given)


def string(given: object, place: Place, what: str, *, lines: bool = False) -> str:
    """A plain string of printable characters; only with `lines` may it have several lines."""
    if type(given) is not str:
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=f"{what} as a string")
    if not is_printable(given, lines=lines):
        wanted = f"{what} of printable characters{'' if lines else ', on one line'}"
        raise InputError(f"given {shorten(given)}", where=str(place), wanted=wanted)
    return given
