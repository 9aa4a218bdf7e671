"""The definitions of DP22 on one model, in a table for each dimension; what is not decided stands in the notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from verifier.definitions.atlas import DIMENSIONS, atlas
from verifier.model import Model
from verifier.numbers import NO_VALUE, ZERO, exact_text, plural
from verifier.questions.atlas import AtlasEntry
from verifier.show.answers import keys_of, replay_note, title_of
from verifier.show.axis_words import missing_fields
from verifier.show.cards import example_of
from verifier.show.sheet import Sheet, Word, compact, decimal, exact
from verifier.tables import collected

Entry = TypeVar("Entry", bound=AtlasEntry)
DECIDED = frozenset({"holds", "fails", "vacuous"})


def atlas_sheets(
    model: Model,
    entries: Sequence[AtlasEntry],
    max_digits: int = 60,
    digits: int = 12,
    *,
    in_full: bool = False,
    recheck: str | None = None,
) -> list[Sheet]:
    """A table for each dimension, under its name: a definition that changes several stands under the first of them.

    Without `in_full` unsupported definitions have no row, but are named in the notes, which stand below the last table.
    The last note says how many answers the checker has re-checked; `recheck` stands in its place.
    """
    listed = [entry for entry in entries if in_full or entry.verdict.verdict != "unsupported"]
    sheets = by_dimension(listed, lambda group: _table(model, group, max_digits, digits, in_full=in_full))
    if not sheets:
        sheets = [replace(_table(model, entries[:1], max_digits, digits, in_full=in_full), rows=(), notes=())]
    beginning = title_of(model) if not listed or not listed[0].dimensions else f"{title_of(model)}. {sheets[0].title}"
    sheets[0] = replace(sheets[0], title=beginning)
    sheets[-1] = replace(sheets[-1], notes=tuple(_notes(model, entries, in_full=in_full, recheck=recheck)))
    return sheets


def by_dimension(entries: Iterable[Entry], table: Callable[[list[Entry]], Sheet]) -> list[Sheet]:
    """A table for each first dimension of some entries, under its name and without notes."""
    return [
        replace(table(list(group)), title=f"{letter}: {DIMENSIONS[letter]}" if letter else "", notes=())
        for letter, group in groupby(entries, lambda entry: entry.dimensions[:1])
    ]


def atlas_sheet(
    model: Model, entries: Sequence[AtlasEntry], max_digits: int = 60, digits: int = 12, recheck: str | None = None
) -> Sheet:
    """One row for each definition, by dimension; the notes say what was asked, and why some are not decided.

    The last note says how many answers the checker has re-checked; `recheck` stands in its place.
    """
    notes = tuple(_notes(model, entries, in_full=True, recheck=recheck))
    return replace(_table(model, entries, max_digits, digits, in_full=True), notes=notes)


def _table(model: Model, entries: Sequence[AtlasEntry], max_digits: int, digits: int, *, in_full: bool) -> Sheet:
    """The table of verdicts with the smallest ε, `in_full` exact and as a decimal, and δ, at ε = 0 if none is asked."""
    asked = next((entry.verdict.epsilon for entry in entries if entry.verdict.epsilon is not None), ZERO)
    epsilons = ("smallest ε", "decimal") if in_full else ("smallest ε",)
    columns = ("dimensions", "definition", "verdict", *epsilons, f"smallest δ at ε = {asked}")
    rows = []
    for entry in entries:
        answer, numbers = entry.verdict, [NO_VALUE] * (len(epsilons) + 1)
        if answer.verdict != "vacuous":
            tight = answer.tight_epsilon
            whole = [exact(tight, max_digits), decimal(tight, digits)] if in_full else [compact(tight, digits)]
            numbers = [*whole, compact(entry.delta, digits)]
        rows.append((entry.dimensions or NO_VALUE, name_of(entry), Word(answer.verdict), *numbers))
    return Sheet(title_of(model), columns, tuple(rows), (), keys_of(model))


def name_of(entry: AtlasEntry) -> str:
    """DP22's key, with the project's own key behind it where that is another."""
    key = entry.verdict.definition
    return entry.key if entry.key == key else f"{entry.key} ({key})"


def counted(entries: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """How many definitions are decided, of all and by the first dimension that they change.

    >>> list(counted([("", True), ("QN", True), ("Q", False)]))[1]
    'By dimension, the first where there are several: Q 1 of 2, none 1 of 1.'
    """
    number = sum(is_decided for _, is_decided in entries)
    decided = f"{number} of {plural(len(entries), 'definition')} {'is' if number == 1 else 'are'} decided here"
    yield f"{decided}; pkdp definitions KEY prints the card of one."
    parts = []
    for letter in sorted(DIMENSIONS, key=lambda letter: not letter):
        group = [is_decided for dimensions, is_decided in entries if dimensions[:1] == letter]
        if group:
            parts.append(f"{letter or 'none'} {sum(group)} of {len(group)}")
    yield f"By dimension, the first where there are several: {', '.join(parts)}."


def asked_and_decided(entries: Sequence[AtlasEntry], epsilons: Iterable[object]) -> Iterator[str]:
    """Yield at which ε and δ the verdicts are, and how many definitions are decided; `epsilons` has each one's ε."""
    epsilon = next((epsilon for epsilon in epsilons if epsilon is not None), None)
    delta = max(entry.verdict.delta for entry in entries)
    at = "for some finite ε" if epsilon is None else f"at ε = {epsilon}"
    yield f"The verdicts are {at} where a definition has an ε, and δ = {exact_text(delta)} where a definition has a δ."
    yield from counted([(entry.dimensions, entry.verdict.verdict in DECIDED) for entry in entries])


def _notes(model: Model, entries: Sequence[AtlasEntry], *, in_full: bool, recheck: str | None) -> Iterator[str]:
    yield from asked_and_decided(entries, (entry.verdict.epsilon for entry in entries))
    decided = [entry for entry in entries if entry.verdict.verdict in DECIDED]
    yield from _of_their_own(decided)
    undecided = [entry for entry in entries if entry not in decided]
    missing = {entry.key: missing_fields(model, entry.verdict) for entry in undecided}
    by_fields = sorted((entry.key for entry in undecided if missing[entry.key]), key=lambda key: missing[key])
    if by_fields:
        named = (
            f"{', '.join(map(example_of, fields))} ({', '.join(alike)})"
            for fields, alike in groupby(by_fields, missing.__getitem__)
        )
        need = "needs fields" if len(by_fields) == 1 else "need fields"
        yield (
            f"{len(by_fields)} {need} of [policy] that the file does not give: {'; '.join(named)}. "
            f"Hint: pkdp definitions {by_fields[0]} prints the lines to copy for {by_fields[0]}, and "
            f"pkdp examples --copy tour writes a model whose [policy] has a value of almost each field."
        )
    reasons = {entry.key: (entry.verdict.reason or "").removeprefix(f"{entry.key} ") for entry in undecided}
    others = sorted((entry.key for entry in undecided if not missing[entry.key]), key=reasons.__getitem__)
    for reason, group in groupby(others, key=reasons.__getitem__):
        yield f"{', '.join(group)}: {reason}"
    if any(entry.verdict.verdict == "unsupported" for entry in undecided) and not in_full:
        yield "Unsupported definitions have no row; --all gives each its own."
    yield recheck or replay_note([entry.verdict for entry in entries])


def _of_their_own(decided: Sequence[AtlasEntry]) -> Iterator[str]:
    """Yield the notes of the decided definitions: what ε stands for, or that some finite ε is always enough."""
    of_a_scheme = [entry for entry in decided if entry.verdict.note and atlas[entry.key].reads_policy]
    for note, keys in collected((entry.verdict.note, entry.key) for entry in of_a_scheme).items():
        yield f"{', '.join(keys)}: {note}."
