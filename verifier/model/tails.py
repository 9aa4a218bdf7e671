"""Half-lines: the outcomes `"< 0"` and `"> 7"` in which the two tails of a geometric noise are lumped.

A mechanism knows the texts of its own tails, so that a user's label `"> 5"` is a label like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from verifier.tables import Label

_TAIL = re.compile(r"([<>]) (0|-?[1-9][0-9]{0,4000})")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")


def half_line(sign: str, bound: int) -> Label:
    """`"< 0"` or `"> 7"`."""
    return Label(f"{sign} {bound}", f"{sign} {bound}")


def splits(outcome: Label, named: Label, tails: Collection[str]) -> bool:
    """Whether `named` is a part of a lumped outcome, so that naming it would tell apart what is lumped.

    >>> from verifier.tables import label
    >>> [splits(label("> 2"), label(one), {"> 2"}) for one in (9, "> 5", 2, "x")]
    [True, True, False, False]
    >>> splits(label([["> 2"], "x"]), label('[[9],"x"]'), {"> 2"}), splits(label("> 2"), label(9), set())
    (True, False)
    """
    if not tails or outcome == named:
        return False
    whole = _parts(outcome)
    return _has_tail(whole, tails) and _meets(whole, _parts(named), tails)


def _parts(outcome: Label) -> Any:
    """A list output as its parts, however it was spelled; any other output as its text."""
    if isinstance(outcome.shown, list):
        return outcome.shown
    if outcome.text.startswith("["):
        with suppress(ValueError, RecursionError):
            return json.loads(outcome.text)
    return outcome.text


def _has_tail(whole: Any, tails: Collection[str]) -> bool:
    return any(_has_tail(part, tails) for part in whole) if isinstance(whole, list) else str(whole) in tails


def _meets(whole: Any, part: Any, tails: Collection[str]) -> bool:
    """Whether some single output lies in both, a tail standing for all its integers."""
    if isinstance(whole, list) or isinstance(part, list):
        alike = isinstance(whole, list) and isinstance(part, list) and len(whole) == len(part)
        return alike and all(_meets(x, y, tails) for x, y in zip(whole, part, strict=True))
    tail = _TAIL.fullmatch(str(whole)) if str(whole) in tails else None
    if tail is None:
        return str(whole) == str(part)
    other = _TAIL.fullmatch(str(part))
    if other:
        return other[1] == tail[1]
    if not INTEGER.fullmatch(str(part)):
        return False
    return int(str(part)) > int(tail[2]) if tail[1] == ">" else int(str(part)) < int(tail[2])
