"""The answers of the core as tables: a verdict, an overview, losses, acceptability, properties, laws, conventions.

Each medium prints these tables: the terminal, Markdown, LaTeX, CSV, notebooks, the explorer and the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any

from verifier.definitions import Convention, Definition, Verdict, conventions_of, find
from verifier.definitions.registry import tail_of
from verifier.model import Model, database_text, subject_of
from verifier.model import counted as big
from verifier.model.bundled import called
from verifier.numbers import INFINITY, MAX_DIGITS, NO_VALUE, ZERO, exact_text, latex_of, plural, with_decimal
from verifier.recheck import ENCLOSED, TOO_LARGE, UNDECIDED
from verifier.show.axis_words import AXES, choices_of, missing_fields
from verifier.show.cards import template
from verifier.show.sheet import (
    ITEMS,
    SIGNS,
    Formula,
    Number,
    Sheet,
    Word,
    amount,
    compact,
    decimal,
    exact,
    in_text,
    law_text,
    ranges,
)
from verifier.show.witnesses import NO_TERM, knowledge_text, knowledge_title, why, witness_words
from verifier.tables import collected, label

if TYPE_CHECKING:
    from verifier.profile import Profile, Steps
    from verifier.questions.laws import LawTest
    from verifier.questions.losses import LossTable, OutputLoss
    from verifier.questions.normalization import Acceptability
    from verifier.questions.pair_losses import PairLoss
    from verifier.questions.properties import Property

ASKED = "Asked here: "
"""How the note begins that says the question, for media that show it nowhere else."""
MOST_WORLDS = 16
"""Most rows of a map (φ₀, φ₁) → D that is printed; a longer map has no table."""
TITLE = "Acceptable normalizations (DMKB20, Definition 8)"
MOST_MAPS = 12
"""Most bijections, and most outputs of one, that are shown in a cell."""
METHODS = {
    "table": "table: every world is listed",
    "sum": "sum: exact distributions of sums, no table",
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

    `recheck` replaces the item about the checker: before the re-check has ended, or where it is left out; an empty text
    leaves the item out. `conventions` adds the conventions, in full, or (False) by name in one line; None leaves them
    out.
    """
    definition = find(answer.definition)
    condition = "some finite ε" if answer.epsilon is None else f"ε = {answer.epsilon.text(max_digits)}"
    lines = [
        ("definition", f"{answer.definition}: {definition.title} ({definition.source}){_relation_words(answer)}"),
        ("question", f"{condition}, δ = {exact_text(answer.delta, max_digits)}"),
        ("verdict", Word(answer.restricted_verdict)),
    ]
    reason = why(answer)
    if reason:
        lines.append(("why", reason))
    if answer.reason:
        lines.append(("reason", answer.reason))
    if answer.verdict == "unsupported" and (missing := missing_fields(answer.model, answer)):
        copied = template(answer.model, definition, missing)
        lines += [("" if k else "to copy", text) for k, text in enumerate(copied.split("\n"))]
    if answer.verdict != "vacuous" and answer.tight_delta is not None and answer.epsilon is not None:
        lines.append(("smallest δ", with_decimal(answer.tight_delta, max_digits, digits)))
    if answer.verdict != "vacuous" and answer.tight_epsilon is not None:
        lines.append(("smallest ε", with_decimal(answer.tight_epsilon, max_digits, digits)))
    for name, witness in (("witness", answer.witness), ("tightest", answer.tightest)):
        if witness is not None:
            words = witness_words(
                witness,
                model=answer.model,
                holds=name == "tightest",
                definition=answer.definition,
                asked=answer.epsilon,
            )
            if words.removesuffix(NO_TERM) not in reason:
                lines.append((name, words))
    if answer.note:
        lines.append(("note", answer.note))
    formula = definition.formula or "not decided by this version"
    is_typeset = definition.reads_policy and not definition.own and definition.latex
    lines.append(("formula", Formula(formula, definition.latex) if is_typeset else formula))
    if definition.reads_policy and (choices := choices_of(definition)):
        lines += [(label, getattr(choices, axis)) for axis, label in AXES.items()]
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


BRIEF = frozenset({"verdict", "why", "reason", "to copy", "", "smallest δ", "smallest ε", "conventions"})
"""The items that a short answer has as they are, by their names."""
ATTACK = frozenset({"why", "witness", "tightest"})
"""The items that a short answer cuts."""
BRIEF_LINES, BRIEF_WIDTH, BRIEF_DIGITS = 10, 87, 60
"""Lines of a short answer with its title and the word of the checker, a line's characters, and an exact number's."""
REST = "… (--all has the rest)"


def brief_sheet(answer: Verdict, max_digits: int = MAX_DIGITS, digits: int = 12, *, conventions: bool = False) -> Sheet:
    """Return one verdict for a terminal, in about ten lines: question, verdict, attack in words, numbers.

    A long attack is cut, with how to see the rest. The definition's formula and conventions are left out. What changes
    how the verdict is read is not: that some records have nothing to compare, another reading, a note on this model.
    """
    most = BRIEF_DIGITS if max_digits == MAX_DIGITS else max_digits
    whole = verdict_sheet(answer, most, digits, recheck="", conventions=conventions or None)
    items = {row[0]: row[1] for row in whole.rows}
    asked = f", at {items['question']}" if answer.epsilon is not None else ""
    named = BRIEF_WIDTH * (1 if answer.verdict == "unsupported" else 2) - len(asked) - 10  # lines break between words
    shown = BRIEF | ({"reading"} if answer.reading != "default" else set()) | (set() if "why" in items else ATTACK)
    rows = [("definition", f"{_named(items['definition'], max(named, BRIEF_WIDTH // 2))}{asked}")]
    rows += [(row[0], row[1]) for row in whole.rows if row[0] in shown]
    if answer.empty and answer.model.thetas and answer.verdict != "vacuous":
        empty = empty_words(answer.empty, len(answer.model.thetas), len(answer.model.secrets))
        rows.append(("compared", empty.partition(":")[0]))
    if note := answer.note.removeprefix(find(answer.definition).note).lstrip("; "):
        rows.append(("note", note))
    said = 2 + (answer.epsilon is None)  # the title, what the checker says, and the question without an ε
    left = BRIEF_LINES - said - sum(len(_lines(text)) for name, text in rows if name not in ATTACK | {"conventions"})
    cut = [(name, _cut(text, max(2, left)) if name in ATTACK else text) for name, text in rows]
    return replace(whole, rows=tuple(cut))


def _named(text: str, length: int) -> str:
    """Return the name of a definition with its source and neighbours, cut between words."""
    return shorten(text, length, placeholder=" …", break_on_hyphens=False)


def _lines(text: str) -> list[str]:
    """Return the lines that a text takes."""
    return [part for line in text.split("\n") for part in wrap(line, BRIEF_WIDTH) or [""]]


def _cut(text: str, lines: int) -> str:
    """Return a text of at most so many lines."""
    return text if len(_lines(text)) <= lines else " ".join(wrap(text, BRIEF_WIDTH, max_lines=lines, placeholder=REST))


def _relation_words(answer: Verdict) -> str:
    """Return which databases are neighbours, in our words and in those of libraries; empty where none are compared."""
    return "" if answer.relation is None else f", when {answer.relation.text}"


def compared_words(answer: Verdict) -> str:
    """Return in words the number of comparisons of an answer, and of the pairs (θ, i) without a comparison."""
    words = (
        f"{answer.comparisons:,} ordered pairs (a, b), each averaged over the knowledge"
        if find(answer.definition).aggregation.averages
        else f"{answer.comparisons:,} ordered pairs of distributions"
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


def law_sheet(test: LawTest) -> Sheet:
    """Return the test of an axiom as a table: its claim, its premises, the conclusion, and the conventions."""
    rows = (
        ("claim", test.claim),
        ("source", test.source),
        *((f"premise {number}", str(premise)) for number, premise in enumerate(test.premises, start=1)),
        ("together", str(test.conclusion)),
        ("the axiom", str(test)),
        ("conventions", "\n".join(convention_lines(test.conclusion.definition))),
    )
    return Sheet(test.law, ITEMS, rows)


def convention_lines(definition: str) -> list[str]:
    """Return the conventions on which a definition's verdicts rest, a line each: the question, then the choice."""
    return [f"{convention.key}: {convention.question} {convention.choice}" for convention in conventions_of(definition)]


def conventions_in_a_line(definition: str) -> str:
    """Return the names of the conventions on which a definition's verdicts rest, in one line."""
    names = [convention.key for convention in conventions_of(definition)]
    return f"{', '.join(names)} (--conventions says what each means)" if names else "none can change this verdict"


def loss_sheets(table: LossTable, max_digits: int = 60, digits: int = 12, *, beside: bool = False) -> list[Sheet]:
    """Return a table for each B: P[output | D(i) = a, B], P[output | D(i) = b, B], and the loss ln(P/Q) in nats.

    The loss has a column of decimals; `beside` puts the decimal of every number beside its exact form instead.
    """
    subject = subject_of(table.record)
    sheets = []
    for entry in table.knowledge:
        columns = (
            "output",
            f"P[output | {subject} = {table.a}]",
            f"P[output | {subject} = {table.b}]",
            "loss",
            *(() if beside else ("decimal",)),
        )
        rows = _amount_rows(entry.rows) if beside else _loss_rows(entry.rows, max_digits, digits)
        notes = [f"It excludes {subject} = {value}: nothing is compared." for value in entry.excludes]
        notes += _restricted_notes(table.model)
        keys = (
            ("distribution", entry.distribution),
            ("knowledge", knowledge_text(entry.knowledge)),
            ("probability", exact_text(entry.probability)),
            *keys_of(table.model),
        )
        sheets.append(Sheet(knowledge_title(entry), columns, rows, tuple(notes), keys))
    return sheets


def pair_sheet(table: PairLoss, max_digits: int = 60, digits: int = 12) -> Sheet:
    """Return the two distributions of which a definition requires most, and the loss ln(P/Q) of each output (nats)."""
    rows = _loss_rows(table.rows, max_digits, digits)
    columns = ("output", "P, first distribution", "Q, second distribution", "loss", "decimal")
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


def _amount_rows(rows: Iterable[OutputLoss]) -> tuple[tuple[str, ...], ...]:
    """Return a row for each output: its two probabilities and its loss, each decimal with its exact form."""
    return tuple(
        (row.output.text, amount(row.probability_a), amount(row.probability_b), amount(row.loss)) for row in rows
    )


def _restricted_notes(model: Model) -> list[str]:
    """Return the note below a table about a model that protects only some records; none for another."""
    return [f"This model is {model.restriction.text}: nothing else is protected."] if model.restriction else []


def overview_sheet(
    model: Model,
    answers: Sequence[Verdict],
    max_digits: int = 60,
    digits: int = 12,
    *,
    recheck: str | None = None,
) -> Sheet:
    """Return the overview as a table with a row for each definition, its verdict, smallest ε and smallest δ.

    `recheck` replaces the note about the checker: before the re-check has ended, or where it is left out.
    """
    columns = ["definition", "verdict", f"smallest ε at δ = {_bound(answers)}", "decimal of ε", *_last_columns(answers)]
    columns += ["decimal of δ"] if answers and answers[0].epsilon is not None else []
    rows = tuple((_name(answer), Word(answer.verdict), *_cells(answer, max_digits, digits)) for answer in answers)
    notes = tuple(_notes(model, answers, recheck))
    return Sheet(title_of(model), tuple(columns), rows, notes, keys_of(model))


def folded_sheet(
    model: Model,
    answers: Sequence[Verdict],
    digits: int = 12,
    *,
    recheck: str | None = None,
    alone: str = "--all shows every row",
) -> Sheet:
    """Return the overview as a short table: equal rows are one, tail forms are left out, the rarest verdict is first.

    Rows are equal where the verdict and all numbers agree; `alone` says where each definition has its own row.
    """
    definitions = {answer.definition: find(answer.definition) for answer in answers}
    alike = collected(
        ((Word(answer.verdict), *_numbers(answer, digits)), _name(answer))
        for answer in answers
        if not _is_tail(answer, definitions.values())
    )
    times = Counter(row[0] for row, names in alike.items() for _ in names)
    order = sorted(alike.items(), key=lambda entry: times[entry[0][0]])
    rows = tuple((", ".join(names), *row) for row, names in order)
    columns = ("definition", "verdict", f"smallest ε at δ = {_bound(answers)}", *_last_columns(answers))
    left_out = len(answers) - sum(map(len, alike.values()))
    notes = list(_notes(model, answers, recheck))
    if left_out or len(rows) + left_out < len(answers):
        tails = ", tail forms are left out" if left_out else ""
        notes.insert(1, f"Definitions with equal numbers share a row{tails}; {alone}.")
    return Sheet(title_of(model), columns, rows, tuple(notes), keys_of(model))


def _is_tail(answer: Verdict, definitions: Iterable[Definition]) -> bool:
    """Whether the answer is about the tail form of one of the definitions, for which a short table has no row."""
    return any(tail_of(find(answer.definition), definition) for definition in definitions)


def _number_of_tails(answers: Sequence[Verdict]) -> int:
    """Return how many of the answers are about the tail forms of definitions that others of them are about."""
    definitions = [find(answer.definition) for answer in answers]
    return sum(_is_tail(answer, definitions) for answer in answers)


def _name(answer: Verdict) -> str:
    return answer.definition if answer.reading == "default" else f"{answer.definition} ({answer.reading})"


def _bound(answers: Sequence[Verdict]) -> str:
    return exact_text(answers[0].delta) if answers else "0"


def _last_columns(answers: Sequence[Verdict]) -> list[str]:
    """Return the heads of the columns of δ: at the question's ε, or, where it has none, at ε = 0 and ε = ∞."""
    epsilon = answers[0].epsilon if answers else None
    return ["δ at ε = 0", "δ at ε = inf"] if epsilon is None else [f"smallest δ at ε = {epsilon}"]


def _is_answered(answer: Verdict) -> bool:
    """Whether a row has numbers; the 0 of a vacuous answer would look like a result."""
    return answer.tight_epsilon is not None and answer.verdict != "vacuous"


def _numbers(answer: Verdict, digits: int) -> list[str]:
    """Return the numbers of a row of the short table, each exact with its decimal."""
    has_epsilon = answer.epsilon is not None
    if not _is_answered(answer):
        return [NO_VALUE] * (2 if has_epsilon else 3)
    ends = [answer.tight_delta] if has_epsilon else [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
    return [compact(number, digits) for number in (answer.tight_epsilon, *ends)]


def _cells(answer: Verdict, max_digits: int, digits: int) -> list[str]:
    """Return the numbers of a row of the full table, exact forms and decimals in columns of their own."""
    if not _is_answered(answer):
        return [NO_VALUE] * 4
    cells = [exact(answer.tight_epsilon, max_digits), decimal(answer.tight_epsilon, digits)]
    if answer.epsilon is not None and answer.tight_delta is not None:
        return [*cells, exact(answer.tight_delta, max_digits), decimal(answer.tight_delta, digits)]
    return [*cells, *(compact(answer.delta_or_none(end), digits) for end in (ZERO, INFINITY))]


def title_of(model: Model) -> str:
    """Return the title of a table about a model, with its file and restriction, such as `restricted to record 3`."""
    title = f"{model.title} ({called(model.path)})" if model.path else model.title
    return model.seen(model.restriction.beside(title))


def keys_of(model: Model) -> tuple[tuple[str, str], ...]:
    """Return the restriction of a model, and its observer, as columns of a table without a title."""
    restricted = (("restricted to", model.restriction.protected),) if model.restriction else ()
    return (*restricted, *model.observed_json.items())


def _notes(model: Model, answers: Sequence[Verdict], recheck: str | None) -> Iterator[str]:
    """Yield the notes of an overview: its ε and δ, reasons, pairs (θ, i) without comparisons, the re-check."""
    if answers:
        epsilon, delta = answers[0].epsilon, exact_text(answers[0].delta)
        if epsilon is None:
            yield f"{ASKED}is there a finite ε at δ = {delta}?"
        else:
            yield f"The verdicts are at ε = {epsilon} and δ = {delta}."
    if untested := [answer for answer in answers if answer.verdict == "vacuous"]:
        unexplained = ", ".join(answer.definition for answer in untested if not answer.reason)
        yield f"{in_text('vacuous')}{f' ({unexplained})' if unexplained else ''}: {SIGNS['vacuous'].sentence}."
    reasons = collected((answer.reason, answer.definition) for answer in answers if answer.reason)
    for reason, names in reasons.items():
        yield f"{', '.join(names)}: {reason}"
    empty = collected(
        (answer.empty, answer.definition)
        for answer in answers
        if model.thetas and answer.empty and answer.verdict != "vacuous" and find(answer.definition).needs_theta
    )
    for count, names in empty.items():
        yield f"{', '.join(names)}: {empty_words(count, len(model.thetas), len(model.secrets))}"
    if recheck is None:
        yield replay_note(answers)
    elif recheck:
        yield recheck


def empty_words(count: int, thetas: int, records: int) -> str:
    """Return in words for how many pairs of a distribution and a protected record nothing is compared.

    >>> empty_words(1, 1, 3)
    'nothing is compared for 1 of 3 records: what is known leaves one value possible there'
    """
    pairs = (
        f"{plural(thetas * records, 'pair')} of a distribution and a record"
        if thetas > 1
        else plural(records, "record")
    )
    return f"nothing is compared for {count} of {pairs}: what is known leaves one value possible there"


NOT_ASKED = "the checker was not asked"
RATHER_LARGE = {TOO_LARGE, ENCLOSED, UNDECIDED, ""}
"""Why an answer was not re-checked, where it is not that the checker lacks the question."""


def replay_note(answers: Sequence[Verdict]) -> str:
    """Return a sentence on how many answers the checker has re-checked, and why not the others."""
    decided = [answer for answer in answers if answer.verdict != "unsupported"]
    if len(answers) == 1 and decided:
        return f"Re-checked: {replayed_words(answers[0])}."
    if not decided:
        return "Nothing is decided here, so that there is nothing to re-check."
    replayed = [answer for answer in decided if answer.replayed]
    left = [answer for answer in decided if not answer.replayed]
    underived = [answer.definition for answer in left if answer.unchecked not in RATHER_LARGE]
    limit = "; the others are too large for it, or enclosures" if len(left) > len(underived) else ""
    limit += f"; it does not derive {', '.join(underived)}" if underived else ""
    reasons = dict.fromkeys(answer.unchecked for answer in replayed if answer.unchecked)
    taken_over = "".join(f"; {why}" for why in reasons)
    tails = _number_of_tails(decided)
    if tails and not limit:
        limit = f", with the {tails} tail forms" if tails > 1 else ", with the tail form"
    return f"Re-checked by the independent checker: {len(replayed)} of {len(decided)}{limit}{taken_over}."


def replayed_words(answer: Verdict) -> str:
    """Return in words whether the checker has re-checked an answer, and why not."""
    if answer.replayed:
        return f"yes, by the independent checker{'; ' if answer.unchecked else ''}{answer.unchecked}"
    return f"no: {answer.unchecked or NOT_ASKED}"


def acceptance_sheet(answers: Sequence[Acceptability], *, folded: bool = False) -> Sheet:
    """Return the answers about acceptable normalizations as a table, by θ and record (DMKB20, Definition 8).

    `folded` has one row for all records with equal answers.
    """
    rows: list[tuple[str, ...]] = []
    for group in _groups(answers) if folded else ([answer] for answer in answers):
        first, records = group[0], _records(group)
        rows.append((first.distribution, records, "yes" if first.acceptable else "no", _evidence(first, group)))
        for objection in first.objections:
            answered = "yes (the file's own normalization)" if objection is None else f"no: {objection}"
            rows.append((first.distribution, records, answered, "checked condition by condition"))
    return Sheet(TITLE, ("distribution", "record", "acceptable", "why"), tuple(rows), notes=_numbering(answers))


def acceptance_sheets(answers: Sequence[Acceptability]) -> list[Sheet]:
    """Return the answers as a table, one row for all records with equal answers; then each small map (φ₀, φ₁) → D."""
    maps = map(_map, _groups(answers))
    return [acceptance_sheet(answers, folded=True), *(world_map for world_map in maps if world_map is not None)]


def _groups(answers: Sequence[Acceptability]) -> Iterable[list[Acceptability]]:
    return collected((_key(answer), answer) for answer in answers).values()


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
    return ranges(numbers) if numbers else "S"


def _evidence(answer: Acceptability, group: Sequence[Acceptability] = ()) -> str:
    normalization = answer.normalization
    if normalization is None:
        reason = answer.described or answer.reason or ""
        return reason.replace(f"D({answer.record})", "D(i)") if len(group) > 1 else reason
    if _is_whole_database(answer):
        return "φ₀ = D, the whole database, with the distribution θ; nothing is known"
    law = normalization.phi_0
    knowledge = "φ₁ = B" if normalization.phi_1 else "nothing is known"
    return f"φ₀ ~ {{{law_text(law, MOST_WORLDS if len(law.outcomes) <= MOST_WORLDS else 4)}}}, {knowledge}"


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


def _map(group: Sequence[Acceptability]) -> Sheet | None:
    """Return the map (φ₀, φ₁) → D as a table, or None where it is long, or the identity."""
    answer = group[0]
    normalization = answer.normalization
    if normalization is None or len(normalization.worlds) > MOST_WORLDS or _is_whole_database(answer):
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
    records = "" if answer.record is None else "records " if len(group) > 1 else "record "
    return Sheet(
        f'θ = "{answer.distribution}", {records}{_records(group)}: the world that each ({variables}) generates',
        tuple(columns[k] for k in columns_kept),
        tuple(tuple(row[k] for k in columns_kept) for row in rows),
    )


def _is_shown(column: str, answer: Acceptability, *, knows: bool) -> bool:
    """Whether a column is printed: φ₁ where something is known, S where it is no record of D."""
    if column in {"φ₁ = B", "P[φ₁]"}:
        return knows
    return column != "S" or answer.record is None


def properties_sheet(title: str, answers: Sequence[Property]) -> Sheet:
    """Return a table with a row for each property: its reading, verdict, source and evidence."""
    rows = tuple(
        (answer.name, answer.reading, Word(answer.verdict), answer.source, evidence_words(answer)) for answer in answers
    )
    return Sheet(title, ("property", "reading", "verdict", "source", "evidence"), rows)


def evidence_words(answer: Property) -> str:
    """Return the size of the crowds and the reason of an answer, or the first of the maps that prove the property."""
    evidence = answer.evidence
    numbers = [f"{name} = {evidence[key]}" for key, name in (("k", "k"), ("largest", "largest k")) if key in evidence]
    if answer.reason or numbers:
        return "; ".join([*numbers, *filter(None, [answer.reason])])
    maps = evidence.get("bijections") or evidence.get("pairs") or ()
    texts = [_map_text(entry) for entry in maps[:MOST_MAPS]]
    return "; ".join([*texts, *([f"and {len(maps) - MOST_MAPS} more"] if len(maps) > MOST_MAPS else [])])


def _map_text(entry: dict[str, Any]) -> str:
    moved = ", ".join(f"{label(x)} ↦ {label(y)}" for x, y in entry["map"][:MOST_MAPS])
    more = ", …" if len(entry["map"]) > MOST_MAPS else ""
    if "theta_1" in entry:
        return f'B₂ from B₁ in "{entry["theta_1"]}" against "{entry["theta_2"]}": {moved}{more}'
    return f"B = {label(entry['B1'])} to {label(entry['B2'])}: {moved}{more}"
