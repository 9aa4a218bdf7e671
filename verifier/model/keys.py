"""The keys of a table in a model file, each taken once, and the location that an error names."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from verifier.errors import MOST_NAMES, InputError, Path, Where, is_printable, one_of
from verifier.model.field_words import hint_of
from verifier.numbers import cut, shorten
from verifier.tables import label

Read = TypeVar("Read")
MISSING = object()
ALIKE = 0.65
"""How alike a known key must be spelled to be named in a tip; it decides nothing else."""


@dataclass(frozen=True)
class Location:
    """A place in a file: the way to it in words (`trail`), and as the path through the tables of the file.

    >>> mechanism_row = Location("m.toml").at("[mechanism]", "mechanism").at("row 2", 1)
    >>> str(mechanism_row), str(mechanism_row).path
    ('m.toml: [mechanism], row 2', ('mechanism', 1))
    """

    file: str
    trail: tuple[str, ...] = ()
    path: Path = ()

    def at(self, step: str, *keys: str | int) -> Location:
        """The location one step further in; `keys` is the path of the step, where it is not the text of the step."""
        return Location(self.file, (*self.trail, step), (*self.path, *(keys or (step,))))

    def over(self, *keys: str | int) -> Where:
        """The location in words, with the path that leads on to `keys`."""
        return Where(str(self), (*self.path, *keys))

    def __str__(self) -> Where:
        inside = ", ".join(self.trail)
        return Where(f"{self.file}: {inside}" if self.file and inside else self.file or inside, self.path)


class Keys:
    """A table of a model file, whose keys are taken one by one; `done` refuses the keys that were not taken."""

    def __init__(
        self,
        table: object,
        location: Location,
        wanted: str = "a table",
        known: Container[str] | None = None,
        tip: str = "",
    ) -> None:
        if not isinstance(table, Mapping):
            raise InputError(f"{shorten(table)} is not a table", where=str(location), wanted=wanted, tip=tip)
        self.left: dict[str, Any] = {label(key, str(location)).text: value for key, value in table.items()}
        if len(self.left) < len(table):
            raise InputError("a key is given twice", where=str(location), wanted='distinct keys (0 and "0" are one)')
        self.location = location
        self._asked: list[str] = []
        self._tip = tip
        self._known = known

    def take(self, key: str, default: Any = MISSING) -> Any:
        """Remove a key, and return its value; without a default the key is required.

        Raises:
            InputError: where a required key is missing.

        """
        self._asked.append(key)
        if key in self.left:
            return self.left.pop(key)
        if default is MISSING:
            self._refuse_words([key])
            near = self._misspelt([key])
            raise InputError(
                f"the key `{key}` is missing{'' if near else self._unknown()}",
                where=self.location.over(key),
                wanted=f"`{key} = …`",
                tip=near or "help(pk.build) lists the keys",
            )
        return default

    def read(
        self, key: str, reader: Callable[..., Read], *more: object, default: Any = MISSING, **options: object
    ) -> Read:
        """Take a key, and return what a reader of (value, location of the key, `more` and `options`) makes of it."""
        return reader(self.take(key, default), self.location.at(key), *more, **options)

    def _unknown(self) -> str:
        """The end of a message that lists the unknown keys of the table, where all known keys are listed."""
        unknown = [f"`{cut(key)}`" for key in self.left if self._known is not None and key not in self._known][:5]
        return f" and {', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} unknown" if unknown else ""

    def has(self, key: str) -> bool:
        """Whether a key is there and was not taken."""
        self._asked.append(key)
        return key in self.left

    def one_of(self, keys: Iterable[str], tip: str) -> str:
        """The only one of several keys that the table has.

        Raises:
            InputError: where it has none of them, or more than one.

        """
        keys = list(keys)
        present = [key for key in keys if self.has(key)]
        if not present:
            self._refuse_words(keys)
        if len(present) != 1:
            problem = (
                f"{' and '.join(f'`{key}`' for key in present)} are given together" if present else "a key is missing"
            )
            raise InputError(
                problem,
                where=str(self.location),
                wanted=f"exactly one of {', '.join(keys)}",
                tip=tip if present else self._misspelt(keys) or tip,
            )
        return present[0]

    def _misspelt(self, wanted: Iterable[str]) -> str:
        """A tip where a key of the table looks like a missing key."""
        pairs = ((closest(key, self.left), key) for key in wanted)
        return next((f"is `{near}` meant to be `{key}`?" for near, key in pairs if near), "")

    def done(self, tips: Mapping[str, str] | None = None) -> None:
        """Refuse the keys that were not taken; `tips` has what to write for some of them in this table.

        Raises:
            InputError: with the first of them.

        """
        for key in self.left:
            raise self._unknown_key(key, self._asked, (tips or {}).get(key, ""))

    def _refuse_words(self, wanted: Iterable[str]) -> None:
        """Refuse a word of the field before a key is said to be missing: it may stand in place of that key."""
        for key in self.left:
            if hint_of(key, "key"):
                raise self._unknown_key(key, wanted)

    def _unknown_key(self, key: str, known: Iterable[str], tip: str = "") -> InputError:
        known = dict.fromkeys(known)
        tip = tip or hint_of(key, "key") or meant(key, known) or (self._tip if len(known) > MOST_NAMES else "")
        return InputError(
            f"the key `{cut(key)}` is unknown", where=self.location.over(key), wanted=one_of(known, key), tip=tip
        )


def meant(name: str, known: Iterable[str]) -> str:
    """A tip with the known name that a misspelt name looks like, or the empty text."""
    near = closest(name, known)
    return f"is `{near}` meant?" if near else ""


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that a misspelt name looks like, or the empty text."""
    return next(iter(difflib.get_close_matches(name, list(known), 1, ALIKE)), "") if len(name) < 100 else ""


def integer(raw: object, location: Location, noun: str, low: int | None = None) -> int:
    """Return an integer, at least `low`; booleans are refused.

    Raises:
        InputError: for anything else; `noun` says what is wanted.

    """
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise InputError(f"{shorten(raw)} is not an integer", where=str(location), wanted=f"{noun} as an integer")
    if low is not None and raw < low:
        raise InputError(f"{shorten(raw)} is too small", where=str(location), wanted=f"{noun}, at least {low}")
    return raw


def listed(raw: object, location: Location, wanted: str) -> list[Any]:
    """Return a list, or a tuple from Python, as a list.

    Raises:
        InputError: for anything else.

    """
    if not isinstance(raw, list | tuple):
        raise InputError(f"{shorten(raw)} is not a list", where=str(location), wanted=wanted)
    return list(raw)


def of_length(raw: Any, length: int, location: Location, wanted: str) -> list[Any]:
    """Return a list of so many entries.

    Raises:
        InputError: for anything else; `wanted` says what is.

    """
    entries = listed(raw, location, wanted)
    if len(entries) != length:
        raise InputError(f"{shorten(raw)} has the wrong length", where=str(location), wanted=wanted)
    return entries


def rows(raw: object, location: Location, wanted: str, step: str, each: str = "a table") -> Iterator[Keys]:
    """Yield the keys of each table of a list; its location is a step further in, such as `row 2`.

    Raises:
        InputError: where `raw` is no list, or where an entry is no table; `wanted` and `each` say what is.

    """
    for number, table in enumerate(listed(raw, location, wanted), start=1):
        yield Keys(table, location.at(f"{step} {number}", number - 1), each)


def sections(raw: object, location: Location, header: str) -> Iterator[Keys]:
    """Yield the keys of each table under a header such as `[[expect]]`, which is named with its number.

    Raises:
        InputError: where `raw` is no list of tables.

    """
    key = header.strip("[]")
    for number, table in enumerate(listed(raw, location.at(header, key), "tables"), start=1):
        yield Keys(table, location.at(f"{header} {number}", key, number - 1))


def chosen(raw: object, location: Location, known: Collection[str], wanted: str = "") -> str:
    """Return a name, one of those that are known; `wanted` says which, by default a list of the closest.

    Raises:
        InputError: where it is none of them.

    """
    if not isinstance(raw, str) or raw not in known:
        raise InputError(f"{shorten(raw)} is unknown", where=str(location), wanted=wanted or one_of(known, raw))
    return raw


def string(raw: object, location: Location, noun: str, *, lines: bool = False) -> str:
    """Return a plain string of printable characters; only with `lines` may it have several lines.

    Raises:
        InputError: for anything else; `noun` says what is wanted.

    """
    if type(raw) is not str:
        raise InputError(f"{shorten(raw)} is not a string", where=str(location), wanted=f"{noun} as a string")
    if not is_printable(raw, lines=lines):
        wanted = f"{noun} of printable characters{'' if lines else ', on one line'}"
        raise InputError(f"{shorten(raw)} cannot be shown", where=str(location), wanted=wanted)
    return raw
