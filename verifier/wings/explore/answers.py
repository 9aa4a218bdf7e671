"""What the page asks about a model: the passport and one answer in full."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any

from verifier.definitions import DEFINITIONS, ON_REQUEST, Definition, Verdict, conventions_of, find
from verifier.errors import InputError
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, exact_text
from verifier.questions.properties.anonymity import properties_of
from verifier.show.facts import model_facts
from verifier.show.sheet import Sheet
from verifier.show.signs import NOT_TESTED
from verifier.show.witnesses import in_words, witness_words
from verifier.show.words import passport_sheet, verdict_lines
from verifier.wings.explore.asked import Asked, delta_of, epsilon_of, field_of, question_of
from verifier.wings.explore.curve import whole
from verifier.wings.explore.desk import Opened, Question
from verifier.wings.explore.highlight import highlight
from verifier.wings.explore.sums import sums_of
from verifier.wings.explore.texts import MARKS, WAITING, conventions_json, copies, definition_json, exact

NANOSECONDS = 1_000_000
MOST_ENTRIES = 64
"""Entries of a list of the evidence; `pkdp check --json` has all."""


def definitions() -> dict[str, Any]:
    """Every definition, with its formula and readings."""
    listed = [definition_json(one) for one in DEFINITIONS.values()]
    return {"definitions": listed, "on_request": [definition_json(one) for one in ON_REQUEST.values()]}


def applicable(model: Model) -> list[Definition]:
    """The definitions of a passport: those that add a record only where databases have several sizes."""
    return [one for one in DEFINITIONS.values() if model.sizes is not None or not one.changes_size]


def passport_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """Every definition at once; with a budget as many as fit into it, and the same question asked again goes on."""
    epsilon, delta = epsilon_of(asked), delta_of(asked)
    questions = [Question(one, "default", epsilon, delta) for one in applicable(opened.model)]
    pending = _work(opened, questions, _budget(asked))
    answers = [found for one in questions if (found := opened.known(one)) is not None]
    sheet = passport_sheet(opened.model, answers)
    return {
        "facts": [list(fact) for fact in model_facts(opened.model)],
        "rows": [_row(one, opened.known(one)) for one in questions],
        "pending": pending,
        "properties": [f"{one}." for one in properties_of(opened.model)],
        "notes": list(sheet.notes),
        "sums": sums_of(opened.document),
        "parameters": opened.parameters,
        "conventions": _shared(answers),
        **copies([sheet]),
    }


def _budget(asked: Asked) -> int | None:
    """Nanoseconds for this request, where it says so."""
    given = asked.get("budget")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InputError("given no budget", where=field_of("budget"), wanted="milliseconds as an integer")
    return given * NANOSECONDS


def _work(opened: Opened, questions: Sequence[Question], budget: int | None) -> list[str]:
    """Decide, then re-check what is small, while there is time; at least one step is made. The keys that are left."""
    start, steps = perf_counter_ns(), 0

    def on() -> bool:
        return budget is None or not steps or perf_counter_ns() - start < budget

    for one in sorted(questions, key=lambda one: one.definition.decider is not None):  # what asks for more comes last
        if opened.known(one) is None and on():
            opened.decide(one)
            steps += 1
    for one in questions if opened.quick_to_replay else ():
        if opened.waits(one) and on():
            opened.again(one)
            steps += 1
    waiting = opened.quick_to_replay
    return [one.definition.key for one in questions if opened.known(one) is None or (waiting and opened.waits(one))]


def _row(question: Question, answer: Verdict | None) -> dict[str, Any]:
    about = definition_json(question.definition)
    if answer is None:
        return {**about, "verdict": None, "mark": WAITING, "reason": None}
    tight = None if answer.verdict == "vacuous" else answer.tight_epsilon  # 0 of nothing would look like an answer
    ends = [None if tight is None else answer.delta_or_none(end) for end in (ZERO, INFINITY)]
    return {
        **about,
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "reason": answer.reason,
        **exact(tight, "smallest_epsilon"),
        **exact(answer.tight_delta if answer.epsilon is not None and tight is not None else None, "delta_at_epsilon"),
        **exact(ends[0], "delta_at_zero"),
        **exact(ends[1], "delta_at_inf"),
        "comparisons": answer.comparisons,
        "empty": answer.empty,
        "method": answer.method,
        "replayed": answer.replayed,
    }


def _shared(answers: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Each convention once, with the definitions that rest on it."""
    on: dict[str, list[str]] = {}
    for answer in answers:
        for one in conventions_of(answer.definition):
            on.setdefault(one.key, []).append(answer.definition)
    listed = {one["key"]: one for answer in answers for one in conventions_json(answer.definition)}
    return [{**listed[key], "definitions": names} for key, names in on.items()]


def answer_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """One definition in full: the verdict, the evidence, and the rows that it rests on."""
    question = question_of(asked)
    replay = asked.get("replay")
    again = opened.quick_to_replay if replay is None else replay is True
    answer = opened.again(question) if again else opened.decide(question)
    lines = verdict_lines(answer)
    found = answer.witness or answer.tightest
    profile, reason = whole(answer)
    tested = answer.verdict != "vacuous"
    return {
        "definition": answer.definition,
        "about": definition_json(find(answer.definition)),
        "reading": answer.reading,
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "restriction": opened.model.restriction.text,
        "reason": answer.reason,
        "epsilon": None if answer.epsilon is None else answer.epsilon.text(),
        "epsilon_decimal": None if answer.epsilon is None else answer.epsilon.decimal(),
        "delta": exact_text(answer.delta),
        **exact(answer.tight_delta if answer.epsilon is not None and tested else None, "tight_delta"),
        **exact(answer.tight_epsilon if tested else None, "tight_epsilon"),
        "lines": [list(line) for line in lines],
        "words": restricted(in_words(answer) or (closest(answer) if tested else NOT_TESTED), answer),
        "evidence": "" if found is None else witness_words(found, holds=answer.witness is None, of=answer.definition),
        "witness": None if answer.witness is None else _cut(answer.witness.to_json()),
        "tightest": None if answer.tightest is None else _cut(answer.tightest.to_json()),
        "highlight": None if found is None else highlight(opened, found),
        "profile": profile,
        "profile_reason": reason,
        "method": answer.method,
        "replayed": answer.replayed,
        "conventions": conventions_json(answer.definition),
        **copies([Sheet(opened.model.title, ("item", "answer"), tuple(lines))]),
    }


def closest(answer: Verdict) -> str:
    """Where an answer is `holds`, the comparison that is closest to the bound, as a sentence; else nothing."""
    found = answer.tightest
    if answer.verdict != "holds" or found is None:
        return ""
    if answer.tight_epsilon == ZERO and answer.delta == 0 and find(answer.definition).decider is None:
        return "What is compared does not differ at all: ε = 0 and δ = 0 are enough."
    words = witness_words(found, holds=True, of=answer.definition).removesuffix(" No term counts.")
    return f"Closest to failing: {words}"


def restricted(sentence: str, answer: Verdict) -> str:
    """The sentence of an answer, with what the answer is restricted to."""
    only = answer.model.restriction.text
    return f"{sentence} This answer is {only}." if sentence and only else sentence


def _cut(witness: dict[str, Any]) -> dict[str, Any]:
    """The evidence with long lists cut; how many entries are left out stands beside them."""
    found: dict[str, Any] = {}
    for name, one in witness.items():
        if isinstance(one, dict):
            found[name] = _cut(one)
        elif isinstance(one, list):
            found[name] = [_cut(entry) if isinstance(entry, dict) else entry for entry in one[:MOST_ENTRIES]]
            if len(one) > MOST_ENTRIES:
                found[f"{name}_left_out"] = len(one) - MOST_ENTRIES
        else:
            found[name] = one
    return found
