"""The forms that a model file may have (models/FORMAT.md): tables with their keys, lists, integers, names, records.

The re-check refuses what the format does not allow, as a reader of its own: a file that is read in two ways has no
answer. Messages name what was given and what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verifier.checker.labels import outcome, text
from verifier.checker.rejected import Rejected

BREAKS = "\x85\u2028\u2029"
"""What ends a line in some places and not in others."""


def refused(given: Any, wanted: str) -> Rejected:
    """The refusal of a part of a model file."""
    return Rejected(f"the model file has {str(given)[:60]!r}, wanted {wanted}")


def keyed(value: Any, needed: Iterable[str] = (), allowed: Iterable[str] = (), *, one_of: Iterable[str] = ()) -> Any:
    """A table with all keys that are needed, exactly one of `one_of` (if any), and no others but those allowed."""
    needed, one_of = list(needed), list(one_of)
    if not isinstance(value, dict):
        raise refused(value, f"a table with {', '.join([*needed, *one_of])}")
    if missing := set(needed) - set(value):
        raise Rejected(f"the model file has a table without {sorted(missing)}: {list(value)[:6]}")
    if unknown := set(value) - {*needed, *one_of, *allowed}:
        raise Rejected(f"the model file has an unknown key: {min(unknown)[:40]!r}")
    if one_of and len(set(one_of) & set(value)) != 1:
        raise refused(list(value), f"exactly one of {', '.join(one_of)}")
    return value


def listing(value: Any, length: int | None = None) -> list[Any]:
    """A list, of a length where one is wanted."""
    if not isinstance(value, list) or length not in (None, len(value)):
        raise refused(value, "a list" if length is None else f"a list of {length}")
    return value


def listed_rows(spec: Mapping[str, Any]) -> list[Any]:
    """The rows of a table, which stand under `rows` or `table`."""
    return listing(spec["rows"] if "rows" in spec else spec["table"])


def integer(value: Any, least: int | None = None) -> int:
    """An integer, no truth value, and not less than the least."""
    if type(value) is not int or (least is not None and value < least):
        raise refused(value, "an integer" if least is None else f"an integer from {least}")
    return value


def chosen(value: Any, options: Iterable[Any]) -> Any:
    """One of a few values."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise refused(value, f"one of {list(options)}")
    return value


def name(value: Any, *, lines: bool = False) -> str:
    """A text of printable characters and spaces, with `lines` on several lines."""
    if type(value) is not str:
        raise refused(value, "a text")
    for c in value:
        space = c.isspace() and c > "\x7f" and c not in BREAKS
        if not (c.isprintable() or space or (lines and c in "\n\t")):
            raise refused(value, "a text of printable characters")
    return value


def distinct(values: Iterable[Any], wanted: str) -> list[Any]:
    """Values of which no two are equal, in their order; at least one."""
    values = list(values)
    if not values or len(set(values)) < len(values):
        raise refused(values, wanted)
    return values


def record(value: Any, size: int) -> int:
    """The index of a record."""
    if integer(value, 0) >= size:
        raise refused(value, f"a record from 0 to {size - 1}")
    return int(value)


def indices(value: Any, size: int) -> Sequence[int]:
    """Indices of records: a list without repetition, or the table `{from, to}` of a range with both ends."""
    if isinstance(value, dict):
        keyed(value, ("from", "to"))
        first, last = record(value["from"], size), record(value["to"], size)
        if last < first:
            raise refused(value, "from ≤ to")
        return range(first, last + 1)
    return distinct((record(i, size) for i in value), "records, each once") if listing(value) else []


def labelled(table: Any) -> dict[str, tuple[Any, Any]]:
    """A table by the texts of its labels: each key's label and its entry; no two keys are one label."""
    if not isinstance(table, dict):
        raise refused(table, "a table")
    by_text = {text(label): (label, entry) for label, entry in ((outcome(key), entry) for key, entry in table.items())}
    if len(by_text) < len(table):
        raise Rejected(f"the model file has a table with two keys that are one label: {list(table)[:6]}")
    return by_text


def sizes_of(size: Any) -> tuple[int, int] | None:
    """The smallest and the largest size of multisets; None where all databases have one size."""
    if not isinstance(size, list):
        integer(size, 1)
        return None
    first, last = (integer(end, 0) for end in listing(size, 2))
    if last < max(first, 1):
        raise refused(size, "[from, to] with 0 ≤ from ≤ to and to ≥ 1")
    return first, last


def table_of(value: Any) -> Any:
    """A table, whatever its keys."""
    return keyed(value, (), value if isinstance(value, dict) else ())
