"""Several definitions about one family."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.definitions import DEFINITIONS, find
from verifier.engine import MAX_ROWS
from verifier.errors import UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import delta_bound
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
) -> tuple[FamilyVerdict, ...]:
    """For which values of the parameter each definition holds; all of them where none is named.

    Raises:
        InputError: as `decide_family` does.

    """
    names = definitions or [key for key, one in DEFINITIONS.items() if not one.changes_size]
    return tuple(
        decide_family(family, name, epsilon=epsilon, delta=delta, reading=reading, max_rows=max_rows) for name in names
    )


def several_passport(
    family: Family,
    *,
    definitions: Sequence[str] = (),
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> tuple[SeveralVerdict | BoxVerdict, ...]:
    """Whether each definition holds for all values of several parameters: by corners where they decide, else by z3.

    Raises:
        InputError: as `decide_several` does.

    """
    seconds = SHORT if len(definitions) != 1 else SECONDS
    found: list[SeveralVerdict | BoxVerdict] = []
    for name in definitions or [key for key, one in DEFINITIONS.items() if not one.changes_size]:
        try:
            if reading == "default":
                found.append(decide_box(family, name, epsilon=epsilon, delta=delta, max_rows=max_rows))
                continue
        except UnsupportedError:
            pass
        try:
            found.append(decide_several(family, name, epsilon=epsilon, delta=delta, reading=reading, seconds=seconds))
        except UnsupportedError as error:
            key = find(name).key
            found.append(SeveralVerdict(family, key, reading, None, delta_bound(delta), "unsupported", str(error)))
    return tuple(found)
