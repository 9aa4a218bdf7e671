"""Acceptable normalizations as tables of the report (DMKB20, Definition 8); small normalizations in full."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verifier.model import database_text
from verifier.questions.normalization import Acceptability
from verifier.show.cells import exact, law_text, ranges
from verifier.show.sheet import Sheet
from verifier.tables import collected, label

MOST_ROWS = 16
"""Most rows of a map (φ₀, φ₁) → D that is printed; a longer map has no table."""
TITLE = "Acceptable normalizations (DMKB20, Definition 8)"


def acceptance_sheets(answers: Sequence[Acceptability]) -> list[Sheet]:
    """Return the answers as a table, one row for all records with equal answers; then each small map (φ₀, φ₁) → D."""
    rows: list[tuple[str, ...]] = []
    maps: list[Sheet] = []
    for group in collected((_key(answer), answer) for answer in answers).values():
        first, records = group[0], _records(group)
        yes = "yes" if first.acceptable else "no"
        rows.append((first.distribution, records, yes, _evidence(first, group)))
        for why in first.objections:
            answered = "yes (the file's own normalization)" if why is None else f"no: {why}"
            rows.append((first.distribution, records, answered, "checked condition by condition"))
        world_map = _map(first, records)
        maps += [world_map] if world_map else []
    notes = _numbering(answers)
    return [Sheet(TITLE, ("distribution", "record", "acceptable", "why"), tuple(rows), notes=notes), *maps]


def _numbering(answers: Sequence[Acceptability]) -> tuple[str, ...]:
    """Return the note that explains `0#1`, where a value of φ₀ has such a name."""
    for answer in answers:
        for name, _, _, value in answer.normalization.worlds if answer.normalization else ():
            if name.text.startswith(f"{value}#"):
                subject = "S" if answer.record is None else "D(i)"
                return (
                    f"`{value}#1` is the first of several worlds with {subject} = {value}, `{value}#2` the second.",
                )
    return ()


def _records(group: Sequence[Acceptability]) -> str:
    numbers = [answer.record for answer in group if answer.record is not None]
    return ("records " if len(numbers) > 1 else "record ") + ranges(numbers) if numbers else "S"


def _evidence(answer: Acceptability, group: Sequence[Acceptability] = ()) -> str:
    normalization = answer.normalization
    if normalization is None:
        reason = answer.described or answer.reason or ""
        return reason.replace(f"D({answer.record})", "D(i)") if len(group) > 1 else reason
    if _is_whole_database(answer):
        return "φ₀ = D, the whole database, with the law of θ; nothing is known"
    law = normalization.phi_0
    knowledge = "φ₁ = B" if normalization.phi_1 else "nothing is known"
    return f"φ₀ ~ {{{law_text(law, MOST_ROWS if len(law.outcomes) <= MOST_ROWS else 4)}}}, {knowledge}"


def _is_whole_database(answer: Acceptability) -> bool:
    """Whether φ₀ is the database itself and nothing is known, so that no map is printed."""
    normalization, values = answer.normalization, answer.model.values
    if normalization is None or normalization.phi_1 is not None:
        return False
    return all(name == label([values[v] for v in database]) for name, _, database, _ in normalization.worlds)


def _key(answer: Acceptability) -> tuple[str, ...]:
    """Return all values of an answer that its row prints, except the record: equal keys share a row."""
    normalization = answer.normalization
    worlds = (
        []
        if normalization is None
        else sorted(f"{name} {knowledge} {database}" for name, knowledge, database, _ in normalization.worlds)
    )
    record = "S" if answer.record is None else ""
    shared = (answer.distribution, record, str(answer.acceptable), _evidence(answer, (answer, answer)))
    return (*shared, repr(answer.objections), *worlds)


def _map(answer: Acceptability, records: str) -> Sheet | None:
    """Return the map (φ₀, φ₁) → D as a table, or None where it is long, or the identity."""
    normalization = answer.normalization
    if normalization is None or len(normalization.worlds) > MOST_ROWS or _is_whole_database(answer):
        return None
    values = answer.model.values
    columns = ["φ₀", "P[φ₀]", "φ₁ = B", "P[φ₁]", "D", "S"]
    rows: list[list[str]] = []
    for name, knowledge, database, value in normalization.worlds:
        chance_of_knowledge = exact(normalization.phi_1.probability(knowledge)) if normalization.phi_1 else ""
        chance_of_name = exact(Fraction(normalization.phi_0.probability(name)))
        rows.append(
            [
                name.text,
                chance_of_name,
                knowledge.text,
                chance_of_knowledge,
                database_text(database, values),
                value.text,
            ]
        )
    columns_kept = [
        k for k, name in enumerate(columns) if _is_shown(name, answer, knows=normalization.phi_1 is not None)
    ]
    variables = "φ₀, φ₁" if normalization.phi_1 else "φ₀"
    return Sheet(
        f'θ = "{answer.distribution}", {records}: the world that each ({variables}) generates',
        tuple(columns[k] for k in columns_kept),
        tuple(tuple(row[k] for k in columns_kept) for row in rows),
    )


def _is_shown(column: str, answer: Acceptability, *, knows: bool) -> bool:
    """Whether a column is printed: φ₁ where something is known, S where it is no record of D."""
    if column in {"φ₁ = B", "P[φ₁]"}:
        return knows
    return column != "S" or answer.record is None
