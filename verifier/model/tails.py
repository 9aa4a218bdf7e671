"""Half-lines: the outcomes `"< 0"` and `"> 7"` in which the two tails of a geometric noise are lumped."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from verifier.tables import Label

_TAIL = re.compile(r"([<>]) (0|-?[1-9][0-9]{0,4000})")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")


def has_tail(outcome: Label) -> bool:
    """Whether an output is a half-line, or a list with one."""
    parts = _parts(outcome)
    return any(_TAIL.fullmatch(str(part)) for part in (parts if isinstance(parts, list) else [parts]))


def _parts(outcome: Label) -> Any:
    """A list output as its parts, however it was spelled; any other output as its text."""
    if isinstance(outcome.shown, list):
        return outcome.shown
    if outcome.text.startswith("["):
        with suppress(ValueError, RecursionError):
            return json.loads(outcome.text)
    return outcome.text


def splits(outcome: Label, named: Label) -> bool:
    """Whether `named` is a part of the lumped outcome, so that naming it would tell apart what is lumped.

    >>> from verifier.tables import label
    >>> splits(label("> 2"), label(9)), splits(label("> 2"), label("> 5")), splits(label("> 2"), label(2))
    (True, True, False)
    >>> splits(label(["> 2", "x"]), label([9, "x"])), splits(label(["> 2", "x"]), label([9, "y"]))
    (True, False)
    >>> splits(label(["> 2"]), label("[9]"))
    True
    """
    if outcome == named:
        return False
    whole, part = _parts(outcome), _parts(named)
    if isinstance(whole, list) and isinstance(part, list):
        return len(whole) == len(part) and all(_meets(x, y) for x, y in zip(whole, part, strict=True))
    return not isinstance(whole, list) and not isinstance(part, list) and _meets(whole, part)


def _meets(whole: object, part: object) -> bool:
    tail = _TAIL.fullmatch(str(whole))
    if tail is None:
        return str(whole) == str(part)
    other = _TAIL.fullmatch(str(part))
    if other:
        return other[1] == tail[1]
    if not _INTEGER.fullmatch(str(part)):
        return False
    return int(str(part)) > int(tail[2]) if tail[1] == ">" else int(str(part)) < int(tail[2])
