"""Acceptability for a report: equal answers in one row, and small normalizations in full."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verifier.model import database_text
from verifier.numbers import exact_text
from verifier.questions.normalization import Answer
from verifier.show.amounts import law_text, ranges
from verifier.show.sheet import Sheet
from verifier.tables import label

MOST_ROWS = 16
"""Generating maps with more rows are not shown."""
TITLE = "Acceptable normalizations (DMKB20, Definition 8)"


def acceptance_sheets(answers: Sequence[Answer]) -> list[Sheet]:
    """One row for all records with the same answer; then the map (φ₀, φ₁) → D of each small normalization."""
    alike: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        alike.setdefault(_key(answer), []).append(answer)
    rows: list[tuple[str, ...]] = []
    maps: list[Sheet] = []
    for same in alike.values():
        first, records = same[0], _records(same)
        yes = "yes" if first.acceptable else "no"
        rows.append((first.distribution, records, yes, _evidence(first, same)))
        for why in first.given:
            given = "yes (the file's own normalization)" if why is None else f"no: {why}"
            rows.append((first.distribution, records, given, "checked condition by condition"))
        drawn = _map(first, records)
        maps += [drawn] if drawn else []
    notes = _numbering(answers)
    return [Sheet(TITLE, ("distribution", "record", "acceptable", "why"), tuple(rows), notes=notes), *maps]


def _numbering(answers: Sequence[Answer]) -> tuple[str, ...]:
    """What `0#1` means, where a value of φ₀ is called so."""
    for answer in answers:
        for name, _, _, value in answer.normalization.worlds if answer.normalization else ():
            if name.text.startswith(f"{value}#"):
                subject = "S" if answer.record is None else "D(i)"
                return (
                    f"`{value}#1` is the first of several worlds with {subject} = {value}, `{value}#2` the second.",
                )
    return ()


def _records(same: Sequence[Answer]) -> str:
    numbers = [answer.record for answer in same if answer.record is not None]
    return ("records " if len(numbers) > 1 else "record ") + ranges(numbers) if numbers else "S"


def _evidence(answer: Answer, same: Sequence[Answer] = ()) -> str:
    found = answer.normalization
    if found is None:
        reason = answer.described or answer.reason or ""
        return reason.replace(f"D({answer.record})", "D(i)") if len(same) > 1 else reason
    if _whole(answer):
        return "φ₀ = D, the whole database, with the law of θ; nothing is known"
    return f"φ₀ ~ {{{law_text(found.phi_0, MOST_ROWS if len(found.phi_0.outcomes) <= MOST_ROWS else 4)}}}, " + (
        "φ₁ = B" if found.phi_1 else "nothing is known"
    )


def _whole(answer: Answer) -> bool:
    """Whether φ₀ is the database itself and nothing is known, so that there is no map to show."""
    found, values = answer.normalization, answer.model.values
    if found is None or found.phi_1 is not None:
        return False
    return all(name == label([values[v] for v in database]) for name, _, database, _ in found.worlds)


def _key(answer: Answer) -> tuple[str, ...]:
    """What must agree for two records to share a row: all that is shown of them but the index."""
    found = answer.normalization
    worlds = [] if found is None else sorted(f"{name} {heard} {database}" for name, heard, database, _ in found.worlds)
    record = "S" if answer.record is None else ""
    kept = (answer.distribution, record, str(answer.acceptable), _evidence(answer, (answer, answer)))
    return (*kept, repr(answer.given), *worlds)


def _map(answer: Answer, records: str) -> Sheet | None:
    """(φ₀, φ₁) → D, row by row."""
    found = answer.normalization
    if found is None or len(found.worlds) > MOST_ROWS or _whole(answer):
        return None
    values = answer.model.values
    columns = ["φ₀", "P[φ₀]", "φ₁ = B", "P[φ₁]", "D", "S"]
    rows: list[list[str]] = []
    for name, heard, database, value in found.worlds:
        known = exact_text(found.phi_1.probability(heard)) if found.phi_1 else ""
        chance = exact_text(Fraction(found.phi_0.probability(name)))
        rows.append([name.text, chance, heard.text, known, database_text(database, values), value.text])
    kept = [k for k, name in enumerate(columns) if _shown(name, answer, knows=found.phi_1 is not None)]
    return Sheet(
        f'θ = "{answer.distribution}", {records}: the world that each (φ₀{", φ₁" if found.phi_1 else ""}) generates',
        tuple(columns[k] for k in kept),
        tuple(tuple(row[k] for k in kept) for row in rows),
    )


def _shown(column: str, answer: Answer, *, knows: bool) -> bool:
    """φ₁ only where something is known; S only where it is no record of D."""
    if column in {"φ₁ = B", "P[φ₁]"}:
        return knows
    return column != "S" or answer.record is None
