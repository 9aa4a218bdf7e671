"""Which rows of the tables the evidence rests on: the worlds on side a and on side b, and the outputs."""

from __future__ import annotations

from typing import Any

from verifier.definitions import Witness
from verifier.definitions.verdict import shown
from verifier.explore.desk import Opened


def highlight(_opened: Opened, found: Witness) -> dict[str, Any]:
    """The rows of the document that a witness speaks of."""
    return {
        "distribution": [],
        "knowledge": shown(found.knowledge),
        "record": found.record,
        "outputs": [] if found.event is None else [one.text for one in found.event],
        "databases": [],
    }
