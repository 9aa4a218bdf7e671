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
"""Seconds for each of many definitions."""


def family_passport(
    family: Family,
    *,
    definitions: Sequence[str] = (),
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> tuple[Any, ...]:
    """The answer for each definition; for all of them where none is named.

    Raises:
        InputError: for an ε, a δ, a definition or a reading that is none, and for a family that is none somewhere.

    """
    seconds = SHORT if len(definitions) != 1 else SECONDS
    asked = {"epsilon": epsilon, "delta": delta, "max_rows": max_rows}

    def decided(name: str) -> FamilyVerdict | SeveralVerdict | BoxVerdict:
        if len(family.names) == 1:
            return decide_family(family, name, reading=reading, **asked)  # type: ignore[arg-type]
        if reading == "default":
            with suppress(UnsupportedError):
                return decide_box(family, name, **asked)  # type: ignore[arg-type]
        return decide_several(family, name, reading=reading, seconds=seconds, **asked)  # type: ignore[arg-type]

    names = definitions or [key for key, one in DEFINITIONS.items() if not one.changes_size]
    return tuple(map(decided, names))
