"""Several definitions about one family: for which values of its parameter each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.definitions import DEFINITIONS
from verifier.engine import MAX_ROWS
from verifier.model.parameters import Family
from verifier.wings.families.answer import FamilyVerdict
from verifier.wings.families.decide import decide_family


def family_passport(
    family: Family,
    *,
    definitions: Sequence[str] = (),
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> tuple[FamilyVerdict, ...]:
    """The answers about a family for each definition; without names, for each that keeps the number of records.

    Raises:
        InputError: for an invalid ε, δ, definition or reading, for a family in which more than one parameter is free,
            and for one that is invalid somewhere in its range.

    """
    question: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "reading": reading, "max_rows": max_rows}
    names = definitions or [key for key, definition in DEFINITIONS.items() if not definition.changes_size]
    return tuple(decide_family(family, name, **question) for name in names)
