"""Answers as tables: one verdict item by item, privacy profiles, losses, acceptability and conventions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from verifier.definitions import Convention, Verdict, conventions_of, find
from verifier.model import Model, subject_of
from verifier.model import counted as big
from verifier.numbers import MAX_DIGITS, NO_VALUE, exact_text, latex_of, with_decimal
from verifier.profile import Profile, Steps
from verifier.questions.losses import LossTable, OutputLoss
from verifier.questions.normalization import Acceptability
from verifier.questions.pair_losses import PairLoss
from verifier.show.cards import template
from verifier.show.cells import Formula, Number, Word, compact, decimal, exact
from verifier.show.choices import AXES, choices_of, missing_fields
from verifier.show.passport import empty_words, keys_of, replayed_words
from verifier.show.reasons import NO_TERM, why
from verifier.show.sheet import ITEMS, Sheet
from verifier.show.witnesses import knowledge_text, witness_words

METHODS = {
    "table": "table: every world is listed",
    "sum": "sum: exact laws of sums, no table",
    "enclosure": "enclosure: both ends are certain, the number lies between them",
}


def verdict_sheet(
    answer: Verdict,
    max_digits: int = MAX_DIGITS,
    digits: int = 12,
    *,
    recheck: str | None = None,
    conventions: bool | None = None,
) -> Sheet:
    """Return one verdict as a table of items: question, verdict, reason, smallest ε and δ, witness, formula.

    `recheck` replaces the item about the replay: before the replay has ended, or where it is left out; an empty text
    leaves the item out. `conventions` adds the conventions, in full, or (False) by name in one line; None leaves them
    out.
    """
    definition = find(answer.definition)
    condition = "some finite ε" if answer.epsilon is None else f"ε = {answer.epsilon.text(max_digits)}"
    lines = [
        ("definition", f"{answer.definition}: {definition.title} ({definition.source})"),
        ("question", f"{condition}, δ = {exact_text(answer.delta, max_digits)}"),
        ("verdict", Word(answer.restricted_verdict)),
    ]
    reason = why(answer)
    if reason:
        lines.append(("why", reason))
    if answer.reason:
        lines.append(("reason", answer.reason))
    if missing := missing_fields(answer.model, answer):
        copied = template(answer.model, definition, missing)
        lines += [("" if k else "to copy", text) for k, text in enumerate(copied.split("\n"))]
    if answer.verdict != "vacuous" and answer.tight_delta is not None and answer.epsilon is not None:
        lines.append(("smallest δ", with_decimal(answer.tight_delta, max_digits, digits)))
    if answer.verdict != "vacuous" and answer.tight_epsilon is not None:
        lines.append(("smallest ε", with_decimal(answer.tight_epsilon, max_digits, digits)))
    for name, witness in (("witness", answer.witness), ("tightest", answer.tightest)):
        if witness is not None:
            words = witness_words(witness, holds=name == "tightest", definition=answer.definition, asked=answer.epsilon)
            if words.removesuffix(NO_TERM) not in reason:
                lines.append((name, words))
    if answer.note:
        lines.append(("note", answer.note))
    formula = definition.formula or "not decided by this version"
    is_typeset = definition.dimensions is not None and not definition.own and definition.latex
    lines.append(("formula", Formula(formula, definition.latex) if is_typeset else formula))
    if definition.dimensions is not None and (choices := choices_of(definition)):
        lines += [(axis, getattr(choices, axis)) for axis in AXES]
    lines.append(("reading", f"{answer.reading}: {definition.readings[answer.reading]}"))
    if answer.verdict != "unsupported":
        lines.append(("method", METHODS[answer.method]))
    if answer.tight_epsilon is not None and (answer.comparisons or answer.verdict == "vacuous"):
        lines.append(("compared", compared_words(answer)))
    if answer.verdict != "unsupported" and recheck != "":
        lines.append(("re-checked", recheck or replayed_words(answer)))
    if conventions is not None:
        full = "\n".join(convention_lines(answer.definition))
        lines.append(("conventions", full if conventions else conventions_in_a_line(answer.definition)))
    return Sheet(answer.model.title, ITEMS, tuple(lines))


def compared_words(answer: Verdict) -> str:
    """Return in words the number of comparisons of an answer, and of the pairs (θ, i) without a comparison."""
    words = (
        f"{answer.comparisons:,} ordered pairs (a, b), each averaged over the knowledge"
        if find(answer.definition).aggregation.averages
        else f"{answer.comparisons:,} ordered pairs of laws"
    )
    if answer.multiplicity is not None and answer.multiplicity != answer.comparisons:
        words += f" ({big(answer.multiplicity)} before equal ones were lumped)"
    if answer.empty and answer.model.thetas:
        words += f"; {empty_words(answer.empty, len(answer.model.thetas), len(answer.model.secrets))}"
    return words


def profile_sheet(answer: Verdict, max_digits: int = 60, digits: int = 12) -> Sheet:
    """Return the whole privacy profile δ(ε) of a verdict as a table with a row for each piece.

    Raises:
        UnsupportedError: where the verdict has no whole profile.

    """
    keys = (("definition", answer.definition),)
    return replace(pieces_sheet(answer.profile, answer.definition, max_digits, digits), keys=keys)


def pieces_sheet(curve: Profile | Steps, name: str, max_digits: int = 60, digits: int = 12) -> Sheet:
    """Return a curve as a table with a row for each piece δ(ε) = A - B·e^ε, and the δ at its first ε."""
    rows: list[tuple[str, ...]] = []
    lengths = (max_digits, MAX_DIGITS)
    for start, a, b in curve.segments:
        piece, whole = (exact_text(a, most) + (f" - {exact_text(b, most)}*e^ε" if b else "") for most in lengths)
        typeset = latex_of(a) + (rf" - {latex_of(b)}\,e^{{\varepsilon}}" if b else "")
        delta = compact(curve.delta(start), digits)
        rows.append((exact(start, max_digits), decimal(start, digits), Number(piece, typeset, whole), delta))
    return Sheet(f"privacy profile of {name}", ("from ε =", "decimal", "δ(ε) =", "δ there"), tuple(rows))


def conventions_sheet(conventions: Sequence[Convention]) -> Sheet:
    """Return the conventions as a table, each with its question, choice, source and other readings."""
    rows = tuple(
        (
            convention.key,
            convention.question,
            convention.choice,
            convention.source,
            "; ".join(f"{name}: {meaning}" for name, meaning in convention.readings) or NO_VALUE,
        )
        for convention in conventions
    )
    return Sheet("Conventions", ("convention", "question", "choice (default)", "source", "other readings"), rows)


def convention_lines(definition: str) -> list[str]:
    """Return the conventions on which a definition's verdicts rest, a line each: the question, then the choice."""
    return [f"{convention.key}: {convention.question} {convention.choice}" for convention in conventions_of(definition)]


def conventions_in_a_line(definition: str) -> str:
    """Return the names of the conventions on which a definition's verdicts rest, in one line."""
    names = [convention.key for convention in conventions_of(definition)]
    return f"{', '.join(names)} (--conventions says what each means)" if names else "none can change this verdict"


def loss_sheets(table: LossTable, max_digits: int = 60, digits: int = 12) -> list[Sheet]:
    """Return a table for each B: P[output | D(i) = a, B], P[output | D(i) = b, B], and the loss ln(P/Q) in nats."""
    subject = subject_of(table.record)
    sheets = []
    for entry in table.knowledge:
        known = f"B = {knowledge_text(entry.knowledge)}, probability {with_decimal(entry.probability)}"
        columns = (
            "output",
            f"P[output | {subject} = {table.a}]",
            f"P[output | {subject} = {table.b}]",
            "loss",
            "decimal",
        )
        rows = _loss_rows(entry.rows, max_digits, digits)
        notes = [f"it excludes {subject} = {value}: nothing is compared" for value in entry.excludes]
        notes += _restricted_notes(table.model)
        keys = (
            ("distribution", entry.distribution),
            ("knowledge", knowledge_text(entry.knowledge)),
            ("probability", exact_text(entry.probability)),
            *keys_of(table.model),
        )
        sheets.append(Sheet(f'"{entry.distribution}": {known}', columns, rows, tuple(notes), keys))
    return sheets


def pair_sheet(table: PairLoss, max_digits: int = 60, digits: int = 12) -> Sheet:
    """Return the two laws of which a definition asks most as a table, with the loss ln(P/Q) of each output in nats."""
    rows = _loss_rows(table.rows, max_digits, digits)
    columns = ("output", "P, first law", "Q, second law", "loss", "decimal")
    keys = (("definition", table.answer.definition), *keys_of(table.model))
    notes = tuple(_restricted_notes(table.model))
    return Sheet(f"{table.answer.definition}: {table.words}", columns, rows, notes, keys)


def _loss_rows(rows: Iterable[OutputLoss], max_digits: int, digits: int) -> tuple[tuple[str, ...], ...]:
    """Return a row for each output: its two probabilities, and its loss exactly and as a decimal."""
    return tuple(
        (
            row.output.text,
            exact(row.probability_a, max_digits),
            exact(row.probability_b, max_digits),
            exact(row.loss, max_digits),
            decimal(row.loss, digits),
        )
        for row in rows
    )


def _restricted_notes(model: Model) -> list[str]:
    """Return the note below a table about a model that protects only some records; none for another."""
    return [f"This model is {model.restriction.text}: nothing else is protected."] if model.restriction else []


def acceptable_sheet(answers: Sequence[Acceptability], max_digits: int = 60) -> Sheet:
    """Return the answers about acceptable normalizations as a table, by θ and record (DMKB20, Definition 8)."""
    rows = []
    for answer in answers:
        normalization = answer.normalization
        if normalization is None:
            evidence = answer.described or answer.reason or ""
        else:
            law = ", ".join(
                f"{o}: {exact_text(normalization.phi_0.probability(o), max_digits)}"
                for o in normalization.phi_0.outcomes[:8]
            )
            more = f", … ({len(normalization.phi_0.outcomes)} values)" if len(normalization.phi_0.outcomes) > 8 else ""
            evidence = f"φ₀ ~ {{{law}{more}}}" + (", φ₁ = B" if normalization.phi_1 else ", nothing is known")
        record = "S" if answer.record is None else str(answer.record)
        rows.append((answer.distribution, record, "yes" if answer.acceptable else "no", evidence))
        rows += [
            (
                "",
                "",
                "given",
                "the file's normalization is acceptable" if why is None else f"the file's: {why}",
            )
            for why in answer.objections
        ]
    return Sheet(
        "Acceptable normalizations (DMKB20, Definition 8)",
        ("distribution", "record", "acceptable", "why"),
        tuple(rows),
    )
