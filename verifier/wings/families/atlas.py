"""All definitions of DP22 about one family: each answered, or `unsupported` with the reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.engine import MAX_ROWS
from verifier.errors import LimitError, UndecidedError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import delta_bound, exact_text, plural
from verifier.questions.atlas import AtlasEntry
from verifier.show.atlas import DECIDED, counted
from verifier.show.sheet import Sheet
from verifier.wings.families.answer import ranges_text
from verifier.wings.families.boxes import BoxVerdict
from verifier.wings.families.decide import FamilyVerdict
from verifier.wings.families.factor import read_factor
from verifier.wings.families.passport import SHORT, family_answer
from verifier.wings.families.several import SeveralVerdict
from verifier.wings.families.sheets import ends_sheets, verdict_sheets

MISSING = "in [policy], which the file does not give"


@dataclass(frozen=True)
class FamilyEntry(AtlasEntry):
    """The answer of one definition about a family, with DP22's key and the dimensions that it changes."""

    verdict: FamilyVerdict | SeveralVerdict | BoxVerdict  # type: ignore[assignment]


def family_atlas(
    family: Family,
    *,
    epsilon: object = None,
    delta: object = 0,
    max_rows: int = MAX_ROWS,
    tick: Callable[[int, int], object] | None = None,
) -> tuple[FamilyEntry, ...]:
    """Ask all definitions of DP22 about a family, at one ε and δ, in the order of their dimensions.

    A definition without a δ is asked at δ = 0, one without an ε without it, and one that exceeds the limits is
    `unsupported`, as for one model. `tick(done, total)` is called after each definition.

    Raises:
        InputError: for an invalid ε or δ, and for a family that is invalid somewhere in its range.

    """
    entries: list[FamilyEntry] = []
    for key, definition in atlas.items():
        asked: dict[str, Any] = {
            "epsilon": epsilon if definition.has_epsilon else None,
            "delta": delta if definition.has_delta else 0,
        }
        try:
            answer = family_answer(family, definition.key, seconds=SHORT, max_rows=max_rows, **asked)
        except (LimitError, UnsupportedError, UndecidedError) as error:
            factor = None if asked["epsilon"] is None else read_factor(asked["epsilon"], family)
            kind = FamilyVerdict if len(family.names) == 1 else SeveralVerdict
            bound = delta_bound(asked["delta"])
            answer = kind(family, definition.key, "default", factor, bound, "unsupported", str(error))
        entries.append(FamilyEntry(key, atlas.dimensions(key), answer))
        if tick:
            tick(len(entries), len(atlas))
    return tuple(entries)


def family_atlas_sheets(family: Family, entries: Sequence[FamilyEntry], *, in_full: bool = False) -> list[Sheet]:
    """A table for each dimension: for which values each definition holds; `in_full` with the unsupported ones."""
    listed = [entry for entry in entries if in_full or entry.verdict.verdict != "unsupported"] or list(entries[:1])
    sheets: list[Sheet] = []
    for letter, group in groupby(listed, lambda entry: entry.dimensions[:1]):
        sheets.append(
            replace(_table(family, group), title=f"{letter}: {DIMENSIONS[letter]}" if letter else "", notes=())
        )
    title = family.restriction.beside(f"{family.title}: {ranges_text(family)}")
    sheets[0] = replace(sheets[0], title=f"{title}. {sheets[0].title}" if sheets[0].title else title)
    if len(family.names) == 1:
        decided: list[Any] = [entry.verdict for entry in listed]
        sheets += ends_sheets(decided)
    sheets[-1] = replace(sheets[-1], notes=tuple(_notes(entries)))
    return sheets


def family_atlas_sheet(family: Family, entries: Sequence[FamilyEntry]) -> Sheet:
    """One table with a row for each definition of DP22, by dimension: for which values it holds."""
    return replace(_table(family, entries), notes=tuple(_notes(entries)))


def _table(family: Family, entries: Iterable[FamilyEntry]) -> Sheet:
    """The first table of answers, with the names of the definitions in DP22."""
    return verdict_sheets(family, [replace(entry.verdict, definition=_name(entry)) for entry in entries])[0]


def _name(entry: FamilyEntry) -> str:
    """DP22's key, with the project's own behind it."""
    key = entry.verdict.definition
    return entry.key if entry.key == key else f"{entry.key} ({key})"


def _notes(entries: Sequence[FamilyEntry]) -> Iterator[str]:
    """The notes below the tables: the question, how many definitions are decided, and why the others are not."""
    factor = next((entry.verdict.factor for entry in entries if entry.verdict.factor is not None), None)
    delta = max(entry.verdict.delta for entry in entries)
    at = "for some finite ε" if factor is None else f"at ε = {factor}"
    yield f"The verdicts are {at} where a definition has an ε, and δ = {exact_text(delta)} where a definition has a δ."
    decided = [entry for entry in entries if entry.verdict.verdict in DECIDED]
    yield from counted([(entry.dimensions, entry in decided) for entry in entries])
    fields: dict[str, list[str]] = defaultdict(list)
    reasons: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry not in decided and entry.verdict.reason:
            reason = entry.verdict.reason.partition(" Tip: ")[0].removeprefix(f"{entry.verdict.definition} ")
            if MISSING in reason:
                fields[reason.split("`")[1]].append(entry.key)
            else:
                reasons[reason].append(entry.key)
    if fields:
        named = "; ".join(f"{field} ({', '.join(keys)})" for field, keys in fields.items())
        number = plural(sum(map(len, fields.values())), "needs", "need")
        yield f"{number} fields of [policy] that the file does not give: {named}. Tip: pkdp guide format."
    for reason, keys in sorted(reasons.items()):
        yield f"{', '.join(keys)}: {reason}"
    if reasons:
        yield "One model is decided for more definitions: --set fixes each parameter."
