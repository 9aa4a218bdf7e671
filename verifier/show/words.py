"""Answers in words and tables: the sheets of every command, and the witness as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.definitions import Convention, Verdict, conventions_of, find
from verifier.definitions.verdict import both
from verifier.model import Model, subject_of
from verifier.model import counted as big
from verifier.numbers import INFINITY, ZERO, Delta, Enclosure, Epsilon, exact_text, latex_of
from verifier.questions.losses import LossTable
from verifier.questions.normalization import Answer
from verifier.show.sheet import Sheet, tex_text
from verifier.show.signs import NOT_TESTED, SIGNS, in_text
from verifier.show.witnesses import exact_and_decimal, knowledge_text, witness_words

METHODS = {
    "table": "table: every world is listed",
    "sum": "sum: exact laws of sums, no table",
    "enclosure": "enclosure: both ends are certain, the number lies between them",
}


def compact(value: Delta | Enclosure | Epsilon, digits: int = 12, most: int = 32) -> str:
    """Exact value and decimal for a narrow table; where the exact form is long, the decimal and its length."""
    exact, decimal = value.text(), value.decimal(digits)
    if exact == decimal:
        return exact
    return f"{exact} ({decimal})" if len(exact) <= most else f"{decimal} (exact form: {len(exact)} characters)"


def passport_sheet(
    model: Model,
    answers: Sequence[Verdict],
    max_digits: int = 60,
    digits: int = 12,
    *,
    recheck: str | None = None,
) -> Sheet:
    """Every definition at once; `recheck` stands in place of the replay's word, which is not known yet or not asked."""
    asked = answers[0].epsilon if answers else None
    bound = exact_text(answers[0].delta) if answers else "0"
    columns = ["definition", "verdict", f"smallest ε at δ = {bound}", "decimal"]
    columns += [f"smallest δ at ε = {asked}", "decimal"] if asked is not None else ["δ at ε = 0", "δ at ε = inf"]
    rows: list[tuple[str, ...]] = []
    tex: list[tuple[str, ...]] = []
    for answer in answers:
        name = answer.definition if answer.reading == "default" else f"{answer.definition} ({answer.reading})"
        if answer.tight_epsilon is None or answer.verdict == "vacuous":
            rows.append((name, answer.verdict, "–", "–", "–", "–"))
            tex.append((tex_text(name), answer.verdict, "--", "--", "--", "--"))
            continue
        tight = answer.tight_epsilon
        cells = [name, answer.verdict, tight.text(max_digits), tight.decimal(digits)]
        typeset = [
            tex_text(name),
            answer.verdict,
            f"${tight.latex}$",
            f"${tex_decimal(tight.decimal(digits))}$",
        ]
        if asked is not None and answer.tight_delta is not None:
            cells += [answer.tight_delta.text(max_digits), answer.tight_delta.decimal(digits)]
            typeset += [
                f"${answer.tight_delta.latex}$",
                f"${tex_decimal(answer.tight_delta.decimal(digits))}$",
            ]
        else:
            ends = [answer.delta_or_none(end) for end in (ZERO, INFINITY)]
            cells += ["–" if end is None else compact(end, digits) for end in ends]
            typeset += ["--" if end is None else f"${end.latex}$" for end in ends]
        rows.append(tuple(cells))
        tex.append(tuple(typeset))
    notes = tuple(_notes(model, answers, recheck))
    return Sheet(title_of(model), tuple(columns), tuple(rows), tuple(tex), notes, keys_of(model))


def title_of(model: Model) -> str:
    """The title, with the file where there is one, since two files may have one title, and what alone is protected."""
    named = f"{model.title} ({model.path})" if model.path else model.title
    return model.restriction.beside(named)


def keys_of(model: Model) -> tuple[tuple[str, str], ...]:
    """What a table without a title says in a column: what alone is protected."""
    return (("restricted to", model.restriction.what),) if model.restriction else ()


def _notes(model: Model, answers: Sequence[Verdict], recheck: str | None) -> Iterator[str]:
    """What the table does not say: what was asked, reasons, what is empty, and how much was re-checked."""
    if answers:
        asked = "for some finite ε" if answers[0].epsilon is None else f"at ε = {answers[0].epsilon}"
        yield f"The verdicts are {asked} and δ = {exact_text(answers[0].delta)}."
    if untested := [answer.definition for answer in answers if answer.verdict == "vacuous"]:
        yield f"{in_text('vacuous')} ({', '.join(untested)}): {SIGNS['vacuous'].sentence}."
    reasons: dict[str, list[str]] = {}
    for answer in answers:
        if answer.reason:
            reasons.setdefault(answer.reason, []).append(answer.definition)
    for reason, names in reasons.items():
        yield f"{', '.join(names)}: {reason}"
    empty: dict[int, list[str]] = {}
    for answer in answers:
        if (
            model.thetas
            and answer.empty
            and answer.verdict != "vacuous"
            and find(answer.definition).kind != "neighbours"
        ):
            empty.setdefault(answer.empty, []).append(answer.definition)
    for count, names in empty.items():
        whole = len(model.thetas) * len(model.secrets)
        yield f"{', '.join(names)}: {count} of {whole} (θ, i) have nothing to compare"
    if recheck is None:
        yield replay_note(answers)
    elif recheck:
        yield recheck


def replay_note(answers: Sequence[Verdict]) -> str:
    """How many answers the replay has derived a second time, and why not the others."""
    decided = [answer for answer in answers if answer.verdict != "unsupported"]
    if len(answers) == 1 and decided:
        return f"Re-checked: {_replayed(answers[0])}."
    again = sum(1 for answer in decided if answer.replayed)
    limit = "" if again == len(decided) else "; the others are too large for it, or enclosures"
    return f"Re-checked by the independent replay: {again} of {len(decided)}{limit}."


def _replayed(answer: Verdict) -> str:
    """Whether the replay has derived one answer a second time."""
    if answer.replayed:
        return "yes, by the independent replay"
    return "no: it is an enclosure" if answer.method == "enclosure" else "no: it is too large for the replay"


def tex_decimal(text: str) -> str:
    r"""A decimal for math mode: `1e-6` becomes `1\cdot 10^{-6}`."""
    if text in {"inf", "-inf"}:
        return text.replace("inf", r"\infty")
    mantissa, e, exponent = text.partition("e")
    return rf"{mantissa}\cdot 10^{{{exponent}}}" if e else text


def verdict_lines(
    answer: Verdict, max_digits: int = 200, digits: int = 12, *, recheck: str | None = None
) -> list[tuple[str, str]]:
    """One answer, item by item; `recheck` stands in place of the replay's word, which is not known yet or not asked."""
    definition = find(answer.definition)
    asked = "some finite ε" if answer.epsilon is None else f"ε = {answer.epsilon.text(max_digits)}"
    lines = [
        ("definition", f"{answer.definition}: {definition.title} ({definition.source})"),
        ("formula", definition.formula or "not decided by this version"),
        ("reading", f"{answer.reading}: {definition.readings[answer.reading]}"),
        ("question", f"{asked}, δ = {exact_text(answer.delta, max_digits)}"),
        ("verdict", answer.said),
    ]
    tested = answer.verdict != "vacuous"
    if not tested:
        lines.append(("meaning", NOT_TESTED))
    if answer.reason:
        lines.append(("reason", answer.reason))
    if answer.verdict != "unsupported":
        lines.append(("method", METHODS[answer.method]))
    if answer.tight_delta is not None and answer.epsilon is not None and tested:
        lines.append(("smallest δ", exact_and_decimal(answer.tight_delta, max_digits, digits)))
    if answer.tight_epsilon is not None:
        if tested:
            lines.append(("smallest ε", exact_and_decimal(answer.tight_epsilon, max_digits, digits)))
        counted = (
            f"{answer.comparisons:,} ordered pairs of laws"
            if not definition.aggregation.averages
            else (f"{answer.comparisons:,} ordered pairs (a, b), each averaged over the knowledge")
        )
        if answer.multiplicity is not None and answer.multiplicity != answer.comparisons:
            counted += f" ({big(answer.multiplicity)} before equal ones were lumped)"
        if answer.empty and answer.model.thetas:
            counted += f"; {answer.empty} (θ, i) have nothing to compare"
        if answer.comparisons or answer.verdict == "vacuous":
            lines.append(("compared", counted))
    if answer.witness is not None:
        lines.append(("witness", witness_words(answer.witness, of=answer.definition)))
    if answer.tightest is not None:
        lines.append(("tightest", witness_words(answer.tightest, holds=True, of=answer.definition)))
    if answer.note:
        lines.append(("note", answer.note))
    if answer.verdict != "unsupported" and recheck != "":
        lines.append(("re-checked", recheck or _replayed(answer)))
    return lines


def profile_sheet(answer: Verdict, max_digits: int = 60, digits: int = 12) -> Sheet:
    """The whole privacy profile, piece by piece."""
    rows: list[tuple[str, ...]] = []
    tex: list[tuple[str, ...]] = []
    curve = answer.profile
    for start, a, b in curve.segments:
        delta = curve.delta(start)
        formula = exact_text(a, max_digits) + (f" - {exact_text(b, max_digits)}*e^ε" if b else "")
        typeset = latex_of(a) + (rf" - {latex_of(b)}\,e^{{\varepsilon}}" if b else "")
        rows.append((start.text(max_digits), start.decimal(digits), formula, compact(delta, digits)))
        tex.append((f"${start.latex}$", f"${tex_decimal(start.decimal(digits))}$", f"${typeset}$", f"${delta.latex}$"))
    columns = ("from ε =", "decimal", "δ(ε) =", "δ there")
    keys = (("definition", answer.definition),)
    return Sheet(f"privacy profile of {answer.definition}", columns, tuple(rows), tuple(tex), keys=keys)


def conventions_sheet(conventions: Sequence[Convention]) -> Sheet:
    """The conventions, each with its choice, its source and other readings."""
    rows = tuple(
        (
            one.key,
            one.question,
            one.choice,
            one.source,
            "; ".join(f"{name}: {meaning}" for name, meaning in one.readings) or "–",
        )
        for one in conventions
    )
    return Sheet("Conventions", ("convention", "question", "choice (default)", "source", "other readings"), rows)


def convention_lines(definition: str) -> list[str]:
    """The conventions beside a verdict, one line each."""
    return [f"{one.key}: {one.choice}" for one in conventions_of(definition)]


def loss_sheets(table: LossTable, max_digits: int = 60, digits: int = 12) -> list[Sheet]:
    """One sheet a knowledge value: both conditional laws and the loss of each output."""
    subject = subject_of(table.record)
    sheets = []
    for one in table.knowledge:
        name = f'"{one.distribution}": B = {knowledge_text(one.knowledge)}, probability {both(one.probability)}'
        columns = (
            "output",
            f"P[output | {subject} = {table.a}]",
            f"P[output | {subject} = {table.b}]",
            "loss",
            "decimal",
        )
        rows = tuple(
            (
                row.output.text,
                exact_text(row.probability_a, max_digits),
                exact_text(row.probability_b, max_digits),
                row.loss.text(max_digits),
                row.loss.decimal(digits),
            )
            for row in one.rows
        )
        tex = tuple(
            (
                tex_text(row.output.text),
                f"${latex_of(row.probability_a)}$",
                f"${latex_of(row.probability_b)}$",
                f"${row.loss.latex}$",
                f"${tex_decimal(row.loss.decimal(digits))}$",
            )
            for row in one.rows
        )
        notes = [f"it excludes {subject} = {value}: nothing is compared" for value in one.excludes]
        if table.model.restriction:
            notes.append(f"This model is {table.model.restriction.text}: nothing else is protected.")
        keys = (
            ("distribution", one.distribution),
            ("knowledge", knowledge_text(one.knowledge)),
            ("probability", exact_text(one.probability, max_digits)),
            *keys_of(table.model),
        )
        sheets.append(Sheet(name, columns, rows, tex, tuple(notes), keys))
    return sheets


def acceptable_sheet(answers: Sequence[Answer], max_digits: int = 60) -> Sheet:
    """Acceptability, one row a distribution and record."""
    rows = []
    for answer in answers:
        found = answer.normalization
        if found is None:
            evidence = answer.described or answer.reason or ""
        else:
            law = ", ".join(
                f"{o}: {exact_text(found.phi_0.probability(o), max_digits)}" for o in found.phi_0.outcomes[:8]
            )
            more = f", … ({len(found.phi_0.outcomes)} values)" if len(found.phi_0.outcomes) > 8 else ""
            evidence = f"φ₀ ~ {{{law}{more}}}" + (", φ₁ = B" if found.phi_1 else ", nothing is known")
        record = "S" if answer.record is None else str(answer.record)
        rows.append((answer.distribution, record, "yes" if answer.acceptable else "no", evidence))
        rows += [
            (
                "",
                "",
                "given",
                "the file's normalization is acceptable" if why is None else f"the file's: {why}",
            )
            for why in answer.given
        ]
    return Sheet(
        "Acceptable normalizations (DMKB20, Definition 8)",
        ("distribution", "record", "acceptable", "why"),
        tuple(rows),
    )
