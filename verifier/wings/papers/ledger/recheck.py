"""Re-checking the certificates that a reading rests on, by the independent replay."""

from __future__ import annotations

from functools import cache

from verifier.checker import Rejected
from verifier.checker.files import Replayed, replay_file
from verifier.model.library import models_folder
from verifier.wings.papers.ledger.bind import certificate_path
from verifier.wings.papers.ledger.table import ReadingRow


def recheck(row: ReadingRow) -> tuple[Replayed, ...]:
    """Replay the certificates of a row; each file is read once.

    Raises:
        Rejected: for a certificate that the replay does not accept, with its name.

    """
    return tuple(_replayed(name) for name in row.certificates)


@cache
def _replayed(name: str) -> Replayed:
    try:
        return replay_file(certificate_path(name), [models_folder().parent])
    except Rejected as error:
        raise Rejected(f"{name}: {error}") from None
