"""The passport of a model as a table: all definitions, in full, or with equal rows folded into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.definitions import tail_of
from verifier.model import Model
from verifier.numbers import INFINITY, NO_VALUE, ZERO, exact_text, plural
from verifier.show.cells import Word, compact, decimal, exact
from verifier.show.sheet import Sheet
from verifier.show.signs import SIGNS, in_text
from verifier.tables import collected


def passport_sheet(
    model: Model,
    answers: Sequence[Verdict],
    max_digits: int = 60,
    digits: int = 12,
    *,
    recheck: str | None = None,
) -> Sheet:
    """Return the passport as a table with a row for each definition, its verdict, smallest ε and smallest δ.

    `recheck` replaces the note about the replay: before the replay has ended, or where it is left out.
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
    alone: str = "--all shows each alone",
) -> Sheet:
    """Return the passport as a short table: equal rows are one, tail forms are left out, the rarest verdict is first.

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
        notes.insert(1, f"Equal rows stand together{', tail forms are left out' if left_out else ''}; {alone}.")
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
    title = f"{model.title} ({model.path})" if model.path else model.title
    return model.restriction.beside(title)


def keys_of(model: Model) -> tuple[tuple[str, str], ...]:
    """Return the restriction of a model as a column of a table without a title; none without a restriction."""
    return (("restricted to", model.restriction.protected),) if model.restriction else ()


def _notes(model: Model, answers: Sequence[Verdict], recheck: str | None) -> Iterator[str]:
    """Yield the notes of a passport: its ε and δ, reasons, pairs (θ, i) without comparisons, the re-check."""
    if answers:
        epsilon, delta = answers[0].epsilon, exact_text(answers[0].delta)
        if epsilon is None:
            yield f"Asked here: is there a finite ε at δ = {delta}?"
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


def replay_note(answers: Sequence[Verdict]) -> str:
    """Return a sentence on how many answers the replay has re-checked, and why not the others."""
    decided = [answer for answer in answers if answer.verdict != "unsupported"]
    if len(answers) == 1 and decided:
        return f"Re-checked: {replayed_words(answers[0])}."
    if not decided:
        return "Nothing is decided here, so that there is nothing to re-check."
    replayed = sum(1 for answer in decided if answer.replayed)
    limit = "" if replayed == len(decided) else "; the others are too large for it, or enclosures"
    if any(answer.replayed is None and _is_recipe_of_parts(answer) for answer in decided):
        limit += ", or of recipes with `builder`, of which it has no copy"
    reasons = dict.fromkeys(answer.uncompared for answer in decided if answer.uncompared)
    trusted = "".join(f"; tables not compared with the file: {why}" for why in reasons)
    tails = _number_of_tails(decided)
    if tails and not limit:
        limit = f", with the {tails} tail forms" if tails > 1 else ", with the tail form"
    return f"Re-checked by the independent replay: {replayed} of {len(decided)}{limit}{trusted}."


def _is_recipe_of_parts(answer: Verdict) -> bool:
    """Whether the definition is a recipe of one's own from the parts of the atlas."""
    definition = find(answer.definition)
    return definition.own and definition.dimensions is not None


def replayed_words(answer: Verdict) -> str:
    """Return in words whether the replay has re-checked an answer, and why not."""
    if answer.replayed:
        trusted = f"; tables not compared with the file: {answer.uncompared}" if answer.uncompared else ""
        return f"yes, by the independent replay{trusted}"
    if _is_recipe_of_parts(answer):
        return "no: the replay has no copy of a recipe with `builder`; it re-checks a recipe with `comparisons`"
    if find(answer.definition).dimensions is not None:
        return "no: the replay does not derive this definition, or the model is too large for it"
    return "no: it is an enclosure" if answer.method == "enclosure" else "no: it is too large for the replay"
