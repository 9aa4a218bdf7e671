"""What a certificate file may look like, kind by kind: every key, and what stands there; all else is refused.

A shape is a type (`str`, `int`, `bool`), a `Number`, a value, `Either` of several, `[shape]` for a list,
`(shape, …)` for one of this length, `{key: shape}` for exactly these keys, but for an `Optional` one that may be left
out, or `Table(shape)` for any.
proofs/FORMAT.md says what they mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verifier.checker import Rejected
from verifier.checker.numbers import amount, delta, ends, epsilon, number, signed

LONGEST = 1 << 18
"""Most characters of one text."""


@dataclass(frozen=True)
class Either:
    """The shape of a value that has one of several shapes."""

    shapes: tuple[Any, ...]


def maybe(shape: Any) -> Either:
    """The shape of a value that may be missing."""
    return Either((None, shape))


@dataclass(frozen=True)
class Optional:
    """The shape of an entry that may be left out of its table, with its key."""

    shape: Any


@dataclass(frozen=True)
class Table:
    """The shape of a table with any keys, whose entries all have one shape."""

    shape: Any


@dataclass(frozen=True)
class Number:
    """The shape of a text that `read` accepts: the one text of a number."""

    read: Callable[[str], object]


RATIONAL, SIGNED, EPSILON, DELTA, ENDS = (Number(reader) for reader in (number, signed, epsilon, delta, ends))


ANYTHING = object()
"""The shape of a value that another reader checks strictly."""
OR_NONE = Either((str, None))
RECORD = Either((int, "S", None))
LAW = Table(RATIONAL)
RATIONAL_OR_NONE = Either((RATIONAL, None))
DATABASE = [str]
WORLDS = Table([(DATABASE, OR_NONE, OR_NONE, RATIONAL)])
DISTRIBUTIONS = Optional(Table(str))
"""The name of θ by that of each pair (θ, ζ), where the model file has several attackers."""
QUESTION = {"definition": str, "reading": str, "epsilon": Either((EPSILON, None)), "delta": RATIONAL}
WITNESS = {
    "distribution": OR_NONE,
    "record": RECORD,
    "a": OR_NONE,
    "b": OR_NONE,
    "knowledge": OR_NONE,
    "event": maybe([str]),
    "probability_a": RATIONAL_OR_NONE,
    "probability_b": RATIONAL_OR_NONE,
    "at_epsilon": EPSILON,
    "direction": OR_NONE,
    "output": OR_NONE,
    "databases": maybe((DATABASE, DATABASE)),
    "terms": maybe([{"knowledge": OR_NONE, "weight": RATIONAL, "event": [str]}]),
}
ANSWER = {
    "verdict": str,
    "tight_delta": Either((DELTA, None)),
    "tight_epsilon": EPSILON,
    "comparisons": int,
    "multiplicity": int,
    "empty": int,
    "witness": maybe(WITNESS),
    "tightest": maybe(WITNESS),
}
QUESTION_AND_ANSWER = {"engine": str, "question": QUESTION, "answer": ANSWER}
ABSENT = Optional(str)
"""The value of a record that is absent, where the model file names one."""
SETTING = {
    "size": int,
    "values": [str],
    "absent": ABSENT,
    "secrets": [Either((int, "S"))],
    "domain": [str],
    "worlds": WORLDS,
}
TABLES = {**QUESTION_AND_ANSWER, **SETTING, "mechanism": [(DATABASE, LAW)]}
SHOWN = maybe({**WITNESS, "value": Number(amount)})
SCHEMES = {
    "engine": str,
    "question": QUESTION,
    "answer": {
        **ANSWER,
        "tight_epsilon": Either((Number(amount), None)),
        "witness": SHOWN,
        "tightest": SHOWN,
    },
    "size": Either((int, [int])),
    "values": [str],
    "secrets": [Either((int, "S"))],
    "worlds": WORLDS,
    "distributions": DISTRIBUTIONS,
    "mechanism": [(DATABASE, LAW)],
    "policy": Table(ANYTHING),
}
NAMES = {str: "a text", int: "an integer", bool: "true or false"}


def check(value: Any, shape: Any, where: str = "") -> None:
    """Reject a value that is not of the shape, with the place."""
    if shape is ANYTHING:
        return
    if isinstance(shape, Either):
        check(value, _chosen(value, shape), where)
    elif isinstance(shape, Table | dict):
        _check_keys(value, shape, where)
    elif isinstance(shape, list | tuple):
        if type(value) is not list:
            raise _refused(where, value, "a list")
        if isinstance(shape, tuple) and len(value) != len(shape):
            raise Rejected(f"{where}: {len(value)} entries do not fit. Expected {len(shape)}")
        if shape == [str] and all(type(text) is str and len(text) <= LONGEST for text in value):
            return  # as below, without a place for each
        for k, entry in enumerate(value):
            check(entry, shape[0] if isinstance(shape, list) else shape[k], f"{where}, entry {k + 1}")
    elif isinstance(shape, type | Number):
        kind = str if isinstance(shape, Number) else shape
        if type(value) is not kind:
            raise _refused(where, value, NAMES[kind])
        if isinstance(value, str) and len(value) > LONGEST:
            raise Rejected(f"{where}: a text has {len(value):,} characters, more than {LONGEST:,}")
        if isinstance(shape, Number):
            _read(str(value), shape, where)
    elif type(value) is not type(shape) or value != shape:
        raise _refused(where, value, _described(shape))


def _read(value: str, shape: Number, where: str) -> None:
    try:
        shape.read(value)
    except Rejected as error:
        raise type(error)(f"{where}: {error}") from None  # `Beyond` stays that


def _chosen(value: Any, shape: Either) -> Any:
    """The shape that a value looks like from the outside; the last, which then refuses it, where there is none."""
    like = [option for option in shape.shapes if _like(value, option)]
    if type(value) is dict and like:
        return max(
            like,
            key=lambda option: (
                (set(option) == set(value), len(set(option) & set(value))) if type(option) is dict else ()
            ),
        )
    return [*like, shape.shapes[-1]][0]


def _like(value: Any, shape: Any) -> bool:
    if isinstance(shape, Table | dict):
        return type(value) is dict
    if isinstance(shape, list | tuple):
        return type(value) is list
    if isinstance(shape, Number):
        return type(value) is str
    return type(value) is shape if isinstance(shape, type) else type(value) is type(shape) and value == shape


def _check_keys(value: Any, shape: Any, where: str) -> None:
    """Exactly the keys of a shape, or any."""
    if type(value) is not dict:
        raise _refused(where, value, "a table")
    if isinstance(shape, Table):
        shape = dict.fromkeys(value, shape.shape)
    for key in value:
        if key not in shape:
            raise Rejected(f"{where or 'the file'}: the key {key[:40]!r} is unknown")
        if len(key) > LONGEST:
            raise Rejected(f"{where}: a key has {len(key):,} characters, more than {LONGEST:,}")
    for key, inner in shape.items():
        optional = isinstance(inner, Optional)
        if optional and key not in value:
            continue
        if key not in value:
            raise Rejected(f"{where or 'the file'}: the key {key!r} is missing")
        check(value[key], inner.shape if optional else inner, f"{where}, {key[:40]}" if where else key[:40])


def _refused(where: str, value: Any, wanted: str) -> Rejected:
    return Rejected(f"{where}: {_described(value)} does not fit. Expected {wanted}")


def _described(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value[:40] if isinstance(value, str) else value)
