"""A question in a link, as the page shows it: opened, answered, and made. The page itself decides nothing."""

from __future__ import annotations

from typing import Any

from verifier.errors import InputError
from verifier.model.document import tables_from
from verifier.wings.explore.open_documents import OpenDocuments, admitted
from verifier.wings.explore.request_fields import RequestFields, field_of
from verifier.wings.explore.sums import sums_of
from verifier.wings.teach.codes import MOST_NAME, MOST_TRIES, AnswerCode, checked_name
from verifier.wings.teach.question import RIGHT, UNDECIDED, UNREADABLE, WRONG, Question, open_question

MOST_WORD = 60


def asked_of(documents: OpenDocuments, fields: RequestFields) -> dict[str, Any]:
    """The answer to a request of `asked.js` or `set_question.js`; `do` says which.

    Raises:
        InputError: for what is no model, no question or no such request, with its place.

    """
    requests = {"open": _opened, "check": _checked, "set": _set}
    do = fields.get("do")
    if do == "look":  # while the verdict is hidden, the model is read and nothing is decided
        document = {key: part for key, part in tables_from(fields.get("document")).items() if key != "question"}
        return {"sums": sums_of(documents.open(document).document)}
    if not isinstance(do, str) or do not in requests:
        raise InputError("there is no such request", where=field_of("do"), wanted=f"one of {', '.join(requests)}, look")
    return requests[do](open_question(tables_from(fields.get("document"))), fields)


def _opened(question: Question, fields: RequestFields) -> dict[str, Any]:
    """What the page shows of a question; `mine` is the model as this student has it."""
    asked = question.asked
    return {
        "identity": question.identity,
        "text": asked.text,
        "kind": asked.kind,
        "number": asked.number,
        "choices": list(asked.choices or {}),
        "change": list(asked.change),
        "hide": list(asked.hide),
        "hints": list(asked.hints),
        "limit": dict(asked.limit or {}),
        "varies": bool(asked.vary),
        "mine": question.of(_text(fields, "name", MOST_NAME)),
    }


def _checked(question: Question, fields: RequestFields) -> dict[str, Any]:
    """An answer, decided; with a name, the code to hand in, but not for what cannot be read."""
    name = _text(fields, "name", MOST_NAME)
    if question.asked.vary and not name.strip():
        raise InputError("there is no name", where=field_of("name"), wanted="your name: it chooses your numbers")
    answer = fields.get("answer")
    attempt = question.attempt(name, answer, admitted)
    found = {"state": attempt.state, "lines": list(attempt.lines), "why": list(attempt.why), "code": None}
    if name.strip() and attempt.state != UNREADABLE:
        name = checked_name(name, field_of("name"))
        code = AnswerCode(question.identity, name, answer, _count(fields, "tries"), _count(fields, "looks"))
        found["code"] = code.text(_text(fields, "word", MOST_WORD))
    return found


def _set(question: Question, _: RequestFields) -> dict[str, Any]:
    """What a lecturer sees while the question is made: whether the model as it is answers it already."""
    asked = question.asked
    if asked.goal:
        attempt = question.attempt("", {}, admitted)
        return {"state": attempt.state, "lines": list(attempt.lines)}
    if asked.choices:
        attempts = {choice: question.attempt("", choice, admitted) for choice in asked.choices}
        states = {attempt.state for attempt in attempts.values()}
        said = [f"{choice}: {'; '.join(attempt.lines)}" for choice, attempt in attempts.items()]
        state = next(one for one in (RIGHT, UNDECIDED, WRONG, UNREADABLE) if one in states)
        return {"state": state, "lines": said}
    return {"state": "number", "lines": []}


def _text(fields: RequestFields, name: str, most: int) -> str:
    text = fields.get(name, "")
    if not isinstance(text, str) or len(text) > most:
        raise InputError("the text is too long", where=field_of(name), wanted=f"at most {most} characters")
    return text


def _count(fields: RequestFields, name: str) -> int:
    count = fields.get(name, 0)
    if type(count) is not int or not 0 <= count <= MOST_TRIES:
        raise InputError("this is not a count", where=field_of(name), wanted="a whole number")
    return count
