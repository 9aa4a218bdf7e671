"""Several definitions about one family."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.definitions import DEFINITIONS
from verifier.engine import MAX_ROWS
from verifier.model.parameters import Family
from verifier.symbolic.decide import FamilyVerdict, decide_family


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
