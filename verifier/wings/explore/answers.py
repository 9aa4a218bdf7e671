"""The answers of the page about a model: the passport, one answer in full, and then the independent checker's word.

A verdict never waits for the checker: the page shows it, and asks `recheck_of` afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any

from verifier.definitions import DEFINITIONS, ON_REQUEST, Verdict, conventions_of
from verifier.errors import InputError, with_commands
from verifier.numbers import INFINITY, MAX_DIGITS, ZERO, cut, exact_text
from verifier.questions.check import applicable
from verifier.questions.properties.anonymity import properties_of
from verifier.recheck import RejectedError
from verifier.show.answers import overview_sheet, replayed_words, verdict_sheet
from verifier.show.facts import model_facts
from verifier.show.witnesses import why, witness_words
from verifier.wings.explore.atlas import about_json, dimension_of, questions_in, sheets_of
from verifier.wings.explore.curve import curve_json
from verifier.wings.explore.highlight import highlight
from verifier.wings.explore.open_documents import OpenDocument, PageQuestion
from verifier.wings.explore.request_fields import RequestFields, delta_of, epsilon_of, field_of, question_of
from verifier.wings.explore.sums import sums_of
from verifier.wings.explore.texts import (
    AFTERWARDS,
    LATER,
    MARKS,
    WAITING,
    conventions_json,
    copies,
    definition_json,
    exact,
    in_table,
)

NANOSECONDS = 1_000_000
MOST_ENTRIES = 64
"""Largest number of entries of a list of the evidence; `pkdp check --json` has all."""
NUMBERS = {"probability_a", "probability_b", "probability", "at_epsilon", "weight"}
"""The numbers of the evidence that `--json` never cuts, and the page does."""


def definitions() -> dict[str, Any]:
    """Every definition, with its formula and readings."""
    listed = [definition_json(definition) for definition in DEFINITIONS.values()]
    return {"definitions": listed, "on_request": [definition_json(definition) for definition in ON_REQUEST.values()]}


def passport_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The passport, or with a `dimension` the definitions of DP22 that change it.

    With a `budget` in milliseconds there are as many answers as fit, and the same request continues them.
    """
    epsilon, delta, letters = epsilon_of(fields), delta_of(fields), dimension_of(fields)
    if letters is None:
        questions = [PageQuestion(definition, "default", epsilon, delta) for definition in applicable(opened.model)]
    else:
        questions = questions_in(letters, epsilon, delta)
    pending = _work(opened, questions, _budget(fields))
    answers = [answer for question in questions if (answer := opened.known(question)) is not None]
    sheets = (
        [overview_sheet(opened.model, answers, recheck=AFTERWARDS)]
        if letters is None
        else sheets_of(opened.engine, answers)
    )
    return {
        "dimension": letters,
        "facts": [list(fact) for fact in model_facts(opened.model)],
        "rows": [_row(opened, question) for question in questions],
        "pending": pending,
        "properties": [f"{answer}." for answer in properties_of(opened.model)],
        "notes": [note for sheet in sheets for note in sheet.notes],
        "sums": sums_of(opened.document),
        "parameters": opened.parameters,
        "conventions": _shared(answers),
        **copies(sheets),
    }


def _budget(fields: RequestFields) -> int | None:
    """The budget of a request in nanoseconds; None where it names none."""
    milliseconds = fields.get("budget")
    if milliseconds is None:
        return None
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int) or milliseconds < 0:
        raise InputError("there is no budget", where=field_of("budget"), wanted="milliseconds as an integer")
    return milliseconds * NANOSECONDS


def _work(opened: OpenDocument, questions: Sequence[PageQuestion], budget: int | None) -> list[str]:
    """Decide at least one question, and as many as fit into a budget; return the keys that are left."""
    start, steps = perf_counter_ns(), 0
    for question in sorted(
        questions, key=lambda question: not question.definition.compares_named_laws
    ):  # what asks for more comes last
        if opened.known(question) is None and (budget is None or not steps or perf_counter_ns() - start < budget):
            opened.decide(question)
            steps += 1
    return [question.definition.key for question in questions if opened.known(question) is None]


def _row(opened: OpenDocument, question: PageQuestion) -> dict[str, Any]:
    about, answer = definition_json(question.definition), opened.known(question)
    if answer is None:
        return {**about, "verdict": None, "mark": WAITING, "reason": None}
    tight = None if answer.verdict == "vacuous" else answer.tight_epsilon  # as in the terminal's table: 0 of nothing
    ends = [None if tight is None else answer.delta_or_none(end) for end in (ZERO, INFINITY)]
    return {
        **about,
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "reason": answer.reason,
        **in_table(tight, "smallest_epsilon"),
        **in_table(
            answer.tight_delta if answer.epsilon is not None and tight is not None else None, "delta_at_epsilon"
        ),
        **exact(ends[0], "delta_at_zero"),
        **in_table(ends[1], "delta_at_inf"),
        "comparisons": answer.comparisons,
        "empty": answer.empty,
        "method": answer.method,
        "recheck": opened.quick_to_recheck and opened.is_decided(question),
    }


def _shared(answers: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Each convention once, with the definitions whose answers rest on it."""
    on: dict[str, list[str]] = {}
    for answer in answers:
        for convention in conventions_of(answer.definition):
            on.setdefault(convention.key, []).append(answer.definition)
    listed = {convention["key"]: convention for answer in answers for convention in conventions_json(answer.definition)}
    return [{**listed[key], "definitions": names} for key, names in on.items()]


def answer_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The answer about one definition in full: the verdict, the evidence, and the rows of the document it rests on.

    `decided` says whether the checker can be asked about it, and `recheck` whether the page does so by itself.
    """
    question = question_of(fields)
    answer = opened.decide(question)
    decided = opened.is_decided(question)
    sheet = verdict_sheet(answer, recheck=LATER if opened.waits(question) else None)
    witness = answer.witness or answer.tightest
    profile, reason = curve_json(answer)
    return {
        "definition": answer.definition,
        "about": {**definition_json(question.definition), **about_json(question.definition, opened.model)},
        "reading": answer.reading,
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "restriction": answer.restriction.text,
        "reason": answer.reason and with_commands(answer.reason),
        "epsilon": None if answer.epsilon is None else answer.epsilon.text(),
        "epsilon_decimal": None if answer.epsilon is None else answer.epsilon.decimal(),
        "delta": exact_text(answer.delta),
        **exact(answer.tight_delta, "tight_delta"),
        **exact(answer.tight_epsilon, "tight_epsilon"),
        "lines": [list(row) for row in sheet.rows],
        "words": restricted(why(answer), answer),
        "evidence": ""
        if witness is None
        else witness_words(
            witness,
            model=answer.model,
            holds=answer.witness is None,
            definition=answer.definition,
            asked=answer.epsilon,
        ),
        "witness": None if answer.witness is None else _cut(answer.witness.to_json()),
        "tightest": None if answer.tightest is None else _cut(answer.tightest.to_json()),
        "highlight": None if witness is None else highlight(opened, witness),
        "profile": profile,
        "profile_reason": reason,
        "method": answer.method,
        "decided": decided,
        "recheck": decided and opened.quick_to_recheck,
        "conventions": conventions_json(answer.definition),
        **copies([sheet]),
    }


def recheck_of(opened: OpenDocument, fields: RequestFields) -> dict[str, Any]:
    """The independent checker's word on one answer, and the answer item by item with it.

    `replayed` is true where the checker derives the answer again, false where it rejects the answer, and null where it
    has no word: it does not derive such answers, or the model is too large for it.
    """
    question = question_of(fields)
    try:
        answer = opened.again(question)
    except RejectedError as error:
        return {"definition": question.definition.key, "replayed": False, "why": error.reason}
    sheet = verdict_sheet(answer)
    return {
        "definition": answer.definition,
        "replayed": answer.replayed,
        "why": replayed_words(answer),
        "lines": [list(row) for row in sheet.rows],
        **copies([sheet]),
    }


def restricted(sentence: str, answer: Verdict) -> str:
    """The sentence of an answer, followed by the records to which the answer is restricted."""
    only = answer.restriction.text
    return f"{sentence} This answer is {only}." if sentence and only else sentence


def _cut(witness: dict[str, Any]) -> dict[str, Any]:
    """The evidence with long lists and numbers cut; `…_left_out` counts the entries that are left out.

    A page is for people: `pkdp check --json` has everything.
    """
    cut_witness: dict[str, Any] = {}
    for name, entries in witness.items():
        if isinstance(entries, dict):
            cut_witness[name] = _cut(entries)
        elif isinstance(entries, list):
            cut_witness[name] = [_cut(entry) if isinstance(entry, dict) else entry for entry in entries[:MOST_ENTRIES]]
            if len(entries) > MOST_ENTRIES:
                cut_witness[f"{name}_left_out"] = len(entries) - MOST_ENTRIES
        else:
            is_number = isinstance(entries, str) and name in NUMBERS
            cut_witness[name] = cut(entries, MAX_DIGITS) if is_number else entries
    return cut_witness
