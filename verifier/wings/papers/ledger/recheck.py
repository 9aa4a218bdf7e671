"""Re-checking the certificates that a reading rests on, by the independent replay."""

from __future__ import annotations

from functools import cache

from verifier.model.library import models_folder
from verifier.replay.files import Replayed, replay_file
from verifier.replay.numbers import Rejected
from verifier.wings.papers.ledger.bind import certificate_path
from verifier.wings.papers.ledger.table import Row


def recheck(row: Row) -> tuple[Replayed, ...]:
    """What the replay says of the certificates of a row: it accepts all of them, each read once.

    Raises:
        Rejected: for one that does not follow, with its name.

    """
    return tuple(_replayed(name) for name in row.certificates)


@cache
def _replayed(name: str) -> Replayed:
    try:
        return replay_file(certificate_path(name), [models_folder().parent])
    except Rejected as error:
        raise Rejected(f"{name}: {error}") from None
