"""How the pages of a report are ordered, and which readings of the ledger come first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.wings.report.claims import CHOSEN
from verifier.wings.report.findings import Shown
from verifier.wings.report.pages import Page


def first_of(claims: Sequence[Shown]) -> list[Shown]:
    """The chosen readings among them, in their order."""
    named = {(one.row.entry.slug, one.row.entry.key(one.row.reading)): one for one in claims}
    return [named[one] for one in CHOSEN if one in named]


def groups(pages: Sequence[Page]) -> list[tuple[str, list[Page]]]:
    """The pages by example number, where their names have one."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        named = re.match(r"(definition|example|proposition)-(\d+)", page.name)
        found.setdefault(f"{named[1].title()} {named[2]}" if named else "Models", []).append(page)
    return list(found.items())
