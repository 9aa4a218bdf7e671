"""Half-lines: the outcomes `"< 0"` and `"> 7"` in which the two tails of a geometric noise are lumped.

A mechanism knows the texts of its own tails, so that a user's label `"> 5"` is a label like any other.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from verifier.tables import Label

HALF_LINE = re.compile(r"([<>]) (0|-?[1-9][0-9]{0,4000})")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")


def half_line(sign: str, bound: int) -> Label:
    """The label of a half-line, such as `"< 0"` or `"> 7"`."""
    return Label(f"{sign} {bound}", f"{sign} {bound}")


def splits(outcome: Label, named: Label, tails: Collection[str]) -> bool:
    """Whether `named` is a part of a lumped outcome, so that naming it would tell apart what is lumped.

    `tails` are the texts of the lumped tails of the mechanism; all other labels are single outputs.

    >>> from verifier.tables import label
    >>> [splits(label("> 2"), label(named), {"> 2"}) for named in (9, "> 5", 2, "x")]
    [True, True, False, False]
    >>> splits(label([["> 2"], "x"]), label('[[9],"x"]'), {"> 2"}), splits(label("> 2"), label(9), set())
    (True, False)
    """
    if not tails or outcome == named:
        return False
    return _has_tail(outcome, tails) and _meets(outcome, named, tails)


def _has_tail(outcome: Label, tails: Collection[str]) -> bool:
    entries = outcome.entries
    return outcome.text in tails if entries is None else any(_has_tail(entry, tails) for entry in entries)


def _meets(outcome: Label, named: Label, tails: Collection[str]) -> bool:
    """Whether some single output lies in both, a tail standing for all its integers."""
    tail = HALF_LINE.fullmatch(outcome.text) if outcome.text in tails else None
    if tail is not None:
        named_tail = HALF_LINE.fullmatch(named.text)
        if named_tail:
            return named_tail[1] == tail[1]
        if not INTEGER.fullmatch(named.text):
            return False
        return int(named.text) > int(tail[2]) if tail[1] == ">" else int(named.text) < int(tail[2])
    entries, named_entries = outcome.entries, named.entries
    if entries is None or named_entries is None:
        return outcome == named
    return len(entries) == len(named_entries) and all(map(lambda x, y: _meets(x, y, tails), entries, named_entries))
