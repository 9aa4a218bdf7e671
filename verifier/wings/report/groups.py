"""The groups of a report's pages, and the readings of the ledger that come first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.wings.report.claims import CHOSEN
from verifier.wings.report.findings import ConfirmedReading
from verifier.wings.report.pages import ModelPage


def first_of(claims: Sequence[ConfirmedReading]) -> list[ConfirmedReading]:
    """The readings that `CHOSEN` names, in its order."""
    named = {(claim.row.entry.slug, claim.row.entry.key(claim.row.reading)): claim for claim in claims}
    return [named[key] for key in CHOSEN if key in named]


def groups(pages: Sequence[ModelPage]) -> list[tuple[str, list[ModelPage]]]:
    """The pages by the definition, example or proposition in their names; all others are `Models`."""
    by_name: dict[str, list[ModelPage]] = {}
    for page in pages:
        named = re.match(r"(definition|example|proposition)-(\d+)", page.name)
        by_name.setdefault(f"{named[1].title()} {named[2]}" if named else "Models", []).append(page)
    return list(by_name.items())
