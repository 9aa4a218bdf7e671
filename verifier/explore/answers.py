"""What the page asks about a model: the passport, one answer, its profile, the losses, acceptability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.definitions import DEFINITIONS, ON_REQUEST, Verdict, conventions_of, find
from verifier.errors import InputError, LimitError
from verifier.explore.desk import Opened
from verifier.explore.highlight import highlight
from verifier.explore.texts import MARKS, conventions_json, copies, definition_json, exact, sheet_json
from verifier.losses import loss
from verifier.normalization import acceptable
from verifier.numbers import INFINITY, ZERO, exact_text
from verifier.numbers import epsilon as read_epsilon
from verifier.properties.anonymity import properties_of
from verifier.questions import check, passport
from verifier.report.acceptance import acceptance_sheets
from verifier.report.facts import model_facts
from verifier.report.sheet import Sheet
from verifier.report.witnesses import witness_words
from verifier.report.words import loss_sheets, passport_sheet, verdict_lines

Asked = Mapping[str, Any]
"""The body of a request."""
MOST_POINTS = 512


def definitions(_: Opened | None = None, __: Asked | None = None) -> dict[str, Any]:
    """Every definition, with its formula and readings."""
    listed = [definition_json(one) for one in DEFINITIONS.values()]
    return {"definitions": listed, "on_request": [definition_json(one) for one in ON_REQUEST.values()]}


def passport_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """Every definition at once."""
    epsilon, delta = asked.get("epsilon") or None, asked.get("delta") or "0"
    found = passport(opened.model, epsilon=epsilon, delta=delta, engine=opened.engine, replay=False)
    sheet = passport_sheet(opened.model, found)
    return {
        "facts": [list(fact) for fact in model_facts(opened.model)],
        "rows": [_row(answer) for answer in found],
        "properties": [f"{one}." for one in properties_of(opened.model)],
        "notes": list(sheet.notes),
        "conventions": _shared(found),
        **copies([sheet]),
    }


def _row(answer: Verdict) -> dict[str, Any]:
    definition = find(answer.definition)
    ends = {"delta_at_zero": ZERO, "delta_at_inf": INFINITY}
    tight = answer.tight_epsilon
    return {
        **definition_json(definition),
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "reason": answer.reason,
        **exact(tight, "smallest_epsilon"),
        **exact(answer.tight_delta if answer.epsilon is not None else None, "delta_at_epsilon"),
        **{
            key: one
            for name, end in ends.items()
            for key, one in exact(None if tight is None else answer.delta_or_none(end), name).items()
        },
        "comparisons": answer.comparisons,
        "empty": answer.empty,
        "method": answer.method,
        "replayed": answer.replayed,
    }


def _shared(found: tuple[Verdict, ...]) -> list[dict[str, Any]]:
    """Each convention once, with the definitions that rest on it."""
    on: dict[str, list[str]] = {}
    for answer in found:
        for one in conventions_of(answer.definition):
            on.setdefault(one.key, []).append(answer.definition)
    listed = {one["key"]: one for answer in found for one in conventions_json(answer.definition)}
    return [{**listed[key], "definitions": names} for key, names in on.items()]


def answer_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """One definition in full: the verdict, the evidence, and the rows that it rests on."""
    answer = _ask(opened, asked)
    lines = verdict_lines(answer)
    found = answer.witness or answer.tightest
    return {
        "definition": definition_json(find(answer.definition)),
        "reading": answer.reading,
        "verdict": answer.verdict,
        "mark": MARKS[answer.verdict],
        "reason": answer.reason,
        "epsilon": None if answer.epsilon is None else answer.epsilon.text(),
        "delta": exact_text(answer.delta),
        **exact(answer.tight_delta if answer.epsilon is not None else None, "tight_delta"),
        **exact(answer.tight_epsilon, "tight_epsilon"),
        "lines": [list(line) for line in lines],
        "words": "" if found is None else witness_words(found, holds=answer.witness is None),
        "witness": None if found is None else found.to_json(),
        "highlight": None if found is None else highlight(opened, found),
        "profile": _segments(answer),
        "replayed": answer.replayed,
        "conventions": conventions_json(answer.definition),
        **copies([Sheet(opened.model.title, ("item", "answer"), tuple(lines))]),
    }


def _ask(opened: Opened, asked: Asked, epsilon: object = None) -> Verdict:
    return check(
        opened.model,
        str(asked.get("definition", "apkdp")),
        epsilon=epsilon or asked.get("epsilon") or None,
        delta=asked.get("delta") or "0",
        reading=str(asked.get("reading") or "default"),
        engine=opened.engine,
        replay=False,
    )


def _segments(answer: Verdict) -> dict[str, Any] | None:
    """The whole profile, piece by piece: δ = constant - slope·e^ε from an ε on."""
    if not answer.has_profile or answer.tight_epsilon is None:
        return None
    segments = answer.profile.segments
    return {
        "segments": [
            {
                **exact(start, "from_epsilon"),
                **exact(answer.delta_at(start), "delta"),
                **exact(a, "constant"),
                **exact(b, "slope"),
            }
            for start, a, b in segments[:MOST_POINTS]
        ],
        "pieces": len(segments),
        **exact(answer.delta_or_none(ZERO), "delta_at_zero"),
        **exact(answer.delta_or_none(INFINITY), "delta_at_inf"),
    }


def profile_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """The smallest δ, exactly, at each of many ε."""
    answer = _ask(opened, {**asked, "epsilon": None})
    listed = asked.get("epsilons") or [f"ln({20 + k}/20)" for k in range(81)]
    if not isinstance(listed, list) or len(listed) > MOST_POINTS:
        raise LimitError("given too many ε", where="epsilons", wanted=f"a list of at most {MOST_POINTS}")
    points = []
    for one in listed:
        at = read_epsilon(one, "epsilons")
        delta = answer.delta_or_none(at) if answer.tight_epsilon is not None else None
        points.append({**exact(at, "epsilon"), **exact(delta, "delta")})
    return {"verdict": answer.verdict, "reason": answer.reason, "points": points, "profile": _segments(answer)}


def loss_of(opened: Opened, asked: Asked) -> dict[str, Any]:
    """The exact conditional laws and losses of a record, for two values."""
    model = opened.model
    record, values = asked.get("record"), asked.get("values")
    if values is not None and not (isinstance(values, list) and len(values) == 2):
        raise InputError("given other than two values", where="values", wanted="[a, b]")
    if record is None and model.secrets:
        record = model.secrets[0].record
    table = loss(model, record=record, values=None if values is None else (values[0], values[1]), engine=opened.engine)
    return {
        "record": table.record,
        "records": [secret.record for secret in model.secrets[:1000]],
        "a": table.a.shown,
        "b": table.b.shown,
        "domain": [one.shown for one in model.secrets[0].domain],
        "knowledge": [
            {
                "distribution": one.distribution,
                "knowledge": one.knowledge.text.strip("\x00"),
                **exact(one.probability, "probability"),
                "excludes": [value.shown for value in one.excludes],
                "members": one.members,
                "rows": [
                    {
                        "output": row.output.text,
                        **exact(row.probability_a, "probability_a"),
                        **exact(row.probability_b, "probability_b"),
                        **exact(row.loss, "loss"),
                    }
                    for row in one.rows
                ],
            }
            for one in table.knowledge
        ],
        **copies(loss_sheets(table)),
    }


def acceptable_of(opened: Opened, _: Asked) -> dict[str, Any]:
    """Whether each θ has an acceptable normalization at each protected value."""
    found = acceptable(opened.model, opened.engine.max_rows)
    sheets = acceptance_sheets(found)
    return {"sheets": [sheet_json(sheet) for sheet in sheets], **copies(sheets)}


__all__ = ["acceptable_of", "answer_of", "definitions", "loss_of", "passport_of", "profile_of"]
