"""What Python has where a model file has lists, tables and integers: ranges, arrays of numpy, data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from numbers import Integral
from typing import Any

from verifier.errors import InputError
from verifier.numbers import shorten
from verifier.numbers.rational import is_inexact
from verifier.tables import label


def plain(raw: Any, place: str = "") -> Any:
    """The same keys with lists, tables and integers as a model file has them; what they hold is read later.

    A range, a tuple and an array of numpy is a list, an integer of numpy an integer, and a data frame of pandas a table
    of rows: a row of the frame is a database, a column an output, and a cell the probability. A tuple that is a key is
    the text of its list, as keys are texts in a file.

    >>> plain({"values": range(2), "size": 1})
    {'values': [0, 1], 'size': 1}
    >>> plain({(0, 1): "1/2"})
    {'[0,1]': '1/2'}

    Raises:
        InputError: for a set, which has no order, for a generator, which can be read once only, and for two keys that
            are one.

    """
    if isinstance(raw, str | bool | int) or raw is None:
        return raw
    if isinstance(raw, Mapping):
        table = {_key(key, place): plain(entry, f"{place}, {key}" if place else str(key)) for key, entry in raw.items()}
        if len(table) < len(raw):
            raise InputError("a key is given twice", where=place, wanted='distinct keys ((0, 0) and "[0,0]" are one)')
        return table
    if is_frame(raw):
        return _rows(raw)
    if isinstance(raw, Integral):
        return int(raw)
    if isinstance(raw, AbstractSet):
        raise InputError(
            f"{shorten(raw)} is a set, which has no order", where=place, wanted="a list", tip="sorted(…) makes one"
        )
    if hasattr(raw, "__next__"):
        raise InputError(
            f"a {type(raw).__name__} can be read only once", where=place, wanted="a list", tip="list(…) makes one"
        )
    to_python = getattr(raw, "tolist", None)  # an array, or a number, of numpy; a column of pandas
    if callable(to_python):
        return plain(to_python(), place) if not is_inexact(raw) else raw
    if isinstance(raw, Sequence) and not isinstance(raw, bytes):
        return [plain(entry, place) for entry in raw]
    return raw


def _key(raw: Any, place: str) -> Any:
    """A key of a table; a list, which Python takes as no key, as the text of its label."""
    key = plain(raw, place)
    return label(key, place).text if isinstance(key, list | dict) else key


def is_frame(raw: object) -> bool:
    """Whether an object is a data frame of pandas, which is not loaded for it."""
    return all(hasattr(raw, name) for name in ("columns", "index", "itertuples", "iloc"))


def _rows(frame: Any) -> dict[str, Any]:
    """The mechanism of a data frame; what its index has is a database, or the value of the only record."""
    outputs = list(frame.columns)
    rows = [
        {
            "database": plain(list(database) if isinstance(database, tuple | list) else [database]),
            "outputs": dict(zip((_key(output, "") for output in outputs), map(plain, cells), strict=True)),
        }
        for database, *cells in frame.itertuples(name=None)
    ]
    return {"rows": rows}
