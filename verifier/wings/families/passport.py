"""Several definitions about one family.

One parameter: for which values each holds. Several: whether it holds for all values, by the corners of a box where they
decide, else by z3.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from verifier.definitions import DEFINITIONS
from verifier.engine import MAX_ROWS
from verifier.errors import UnsupportedError
from verifier.model.parameters import Family
from verifier.wings.families.boxes import BoxVerdict, decide_box
from verifier.wings.families.decide import FamilyVerdict, decide_family
from verifier.wings.families.several import SECONDS, SeveralVerdict, decide_several

SHORT = 10
"""Seconds of z3 for each definition, where several are asked."""


def family_passport(
    family: Family,
    *,
    definitions: Sequence[str] = (),
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> tuple[Any, ...]:
    """The answers about a family for each definition; without names, for each that keeps the number of records.

    Raises:
        InputError: for an invalid ε, δ, definition or reading, and for a family that is invalid somewhere in its range.

    """
    seconds = SHORT if len(definitions) != 1 else SECONDS
    question: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "max_rows": max_rows}
    names = definitions or [key for key, definition in DEFINITIONS.items() if not definition.changes_size]
    return tuple(family_answer(family, name, reading=reading, seconds=seconds, **question) for name in names)


def family_answer(
    family: Family, name: str, *, reading: str = "default", seconds: int = SECONDS, **question: Any
) -> FamilyVerdict | SeveralVerdict | BoxVerdict:
    """The answer about a family for one definition; for several parameters, `seconds` bounds the time for z3."""
    if len(family.names) == 1:
        return decide_family(family, name, reading=reading, **question)
    if reading == "default":
        with suppress(UnsupportedError):
            return decide_box(family, name, **question)
    return decide_several(family, name, reading=reading, seconds=seconds, **question)
