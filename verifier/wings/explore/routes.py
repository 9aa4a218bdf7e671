"""The questions of the page by their path: each a function from the request's fields to the answer."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from time import perf_counter_ns
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from verifier.errors import InputError, PkdpError, UndecidedError, UnsupportedError
from verifier.model.bundled import bundled
from verifier.model.document import document_of, text_of
from verifier.model.read import file_text
from verifier.model.table_files import read_json
from verifier.numbers import plural, shorten
from verifier.wings.explore.answers import answer_of, definitions, passport_of, recheck_of
from verifier.wings.explore.atlas import dimensions
from verifier.wings.explore.curve import points_of
from verifier.wings.explore.expand import expanded
from verifier.wings.explore.losses import acceptable_of, loss_of
from verifier.wings.explore.mechanism_forms import first_keys
from verifier.wings.explore.open_documents import OpenDocument, OpenDocuments
from verifier.wings.explore.problems import problem
from verifier.wings.explore.request_fields import RequestFields, field_of, question_of
from verifier.wings.explore.student_questions import asked_of
from verifier.wings.explore.sums import sums_of


@cache
def examples() -> tuple[dict[str, Any], ...]:
    """Every model file with its title and source."""
    return tuple(_entry(name, path) for name, path in sorted(bundled().items(), key=lambda item: item[1]))


def _entry(name: str, path: Path) -> dict[str, Any]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    size = tables["size"]
    family = f", for every {', '.join(tables['parameters'])}" if "parameters" in tables else ""
    records = f"{size[0]} to {plural(size[1], 'record')}" if isinstance(size, list) else plural(size, "record")
    return {
        "id": name,
        "group": name.rpartition("/")[0],
        "title": tables.get("title", path.stem),
        "source": tables.get("source", ""),
        "size_note": f"{records}{family}",
    }


def example(name: object) -> dict[str, Any]:
    """The document and the text of one bundled model file.

    Raises:
        InputError: for the name of no bundled file.

    """
    path = bundled().get(str(name))
    if path is None:
        raise InputError(f"the example {shorten(name)} is unknown", where=field_of("id"), wanted="one of /api/examples")
    text = file_text(path)
    return {"document": document_of(text), "text": text}


Answer: TypeAlias = dict[str, Any]


def _rate(opened: OpenDocument, fields: RequestFields) -> Answer:
    """The exchange rate of two definitions; what it needs is loaded when it is first asked."""
    from verifier.wings.explore.exchange import exchange_of

    return exchange_of(opened, fields)


def _picture(opened: OpenDocument, fields: RequestFields) -> Answer:
    """The worlds that an answer is about, drawn; or why they are not drawn."""
    from verifier.show.worlds import bars_of, worlds_of

    answer = opened.decide(question_of(fields))
    try:
        drawings = [worlds_of(answer), bars_of(answer)]
    except UnsupportedError as error:
        return {"drawings": [], "reason": error.message}
    return {"drawings": [{"kind": one.kind, "svg": one.svg, "caption": one.caption} for one in drawings if one]}


def _found(fields: RequestFields) -> Answer:
    """The models that are found next; the search is loaded when it is first asked."""
    from verifier.wings.explore.finder import found_of

    return found_of(fields)


def _names() -> list[dict[str, str]]:
    """The definitions of an exchange rate."""
    from verifier.wings.explore.exchange import names

    return names()


def _course(fields: RequestFields) -> Answer:
    """What a notebook of the course shows after a change."""
    from verifier.wings.course.cells import reply

    return reply(fields)


def _notebook(fields: RequestFields) -> Answer:
    """A page of the course."""
    from verifier.wings.course.pages import page

    return {"page": page(str(fields.get("address")), "../static", "../")}


QUESTIONS: dict[str, Callable[[OpenDocument, RequestFields], Answer]] = {
    "passport": passport_of,
    "answer": answer_of,
    "recheck": recheck_of,
    "profile": points_of,
    "loss": loss_of,
    "acceptable": acceptable_of,
    "exchange": _rate,
    "worlds": _picture,
    "expand": lambda opened, fields: {"document": expanded(opened, fields.get("to"))},
}
"""The questions about a document, by path."""
UNREAD = ("read", "write", "kind", "question", "find", "course", "notebook")
"""What loads or saves a document, begins a mechanism in it, asks a student, finds another, or is of the course."""
LISTS: dict[str, Callable[[Mapping[str, str]], Any]] = {
    "examples": lambda _: list(examples()),
    "example": lambda fields: _answer_or_problems(None, lambda: example(fields.get("id"))),
    "definitions": lambda _: definitions(),
    "dimensions": lambda _: dimensions(),
    "names": lambda _: _names(),
}
"""The questions without a document, by path; they are answered without a process of `Workers`."""


def json_bytes(answer: Any) -> bytes:
    """The bytes of an answer as JSON in UTF-8."""
    return json.dumps(answer, ensure_ascii=False).encode(errors="replace")


def listed(name: str, query: str) -> bytes:
    """The answer to one of `LISTS`, whose fields stand in the query of an address."""
    fields = parse_qsl(query)
    if len(dict(fields)) < len(fields):
        return json_bytes({"problems": [problem(InputError("a field is given twice", wanted="each field once"))]})
    return json_bytes(LISTS[name](dict(fields)))


class Session:
    """What a page asks, one question after the other, with a cache of its documents."""

    def __init__(self) -> None:
        """Begin with no document."""
        self._documents = OpenDocuments()

    def reply(self, address: str, body: str | None) -> str:
        """The answer to a question of a page that holds the program itself; without a body the question is a list."""
        if body is not None:
            return self.answer(address, body.encode(errors="replace")).decode()
        name, _, query = address.partition("?")
        return listed(name, query).decode()

    def answer(self, name: str, body: bytes) -> bytes:
        """The answer to a request's body, as bytes."""
        try:
            try:
                fields = read_json(body.decode())
            except UnicodeDecodeError:
                raise InputError("the body is not UTF-8", where="request", wanted="JSON in UTF-8") from None
        except PkdpError as error:
            return json_bytes({"problems": [problem(error)]})
        return json_bytes(self.post(name, fields))

    def post(self, name: str, fields: Any) -> Answer:
        """The answer to a question with a document, or with the text of a file."""
        if not isinstance(fields, Mapping):
            return {"problems": [problem(InputError("this is not a table", where="request", wanted="a JSON object"))]}
        document = fields.get("document")
        if name == "read":
            return _answer_or_problems(None, lambda: self._read(fields.get("text")))
        if name == "write":
            return _answer_or_problems(document, lambda: {"text": text_of(document)})
        if name == "question":
            return _answer_or_problems(document, lambda: asked_of(self._documents, fields))
        if name == "kind":
            return _answer_or_problems(document, lambda: first_keys(fields))
        if name == "course":
            return _answer_or_problems(None, lambda: _course(fields))
        if name == "notebook":
            return _answer_or_problems(None, lambda: _notebook(fields))
        if name == "find":
            return _answer_or_problems(document, lambda: _found(fields))
        return _answer_or_problems(
            document, lambda: QUESTIONS[name](self._documents.open(document, fields.get("set")), fields)
        )

    def _read(self, text: object) -> Answer:
        """The document of a file; an invalid model is loaded with its problems."""
        if not isinstance(text, str):
            raise InputError("there is no text", where=field_of("text"), wanted="the text of a model file")
        document = document_of(text)
        opened = _answer_or_problems(document, lambda: {"title": self._documents.open(document).model.title})
        return {"document": document, **({"problems": opened["problems"]} if "problems" in opened else {})}


def _answer_or_problems(document: Any, make: Callable[[], Answer]) -> Answer:
    """The answer, or the problems of the document or of the question."""
    start = perf_counter_ns()
    try:
        answer = make()
    except PkdpError as error:
        answer = _refused(error, document)
    except RecursionError:
        answer = _refused(InputError("lists or tables are nested too deeply", wanted="a flat model"), document)
    except MemoryError:
        answer = _refused(UndecidedError("out of memory", tip="use a smaller model"), document)
    return {**answer, "milliseconds": (perf_counter_ns() - start) // 1_000_000}


def _refused(error: PkdpError, document: Any) -> Answer:
    return {"problems": [problem(error, document)], "sums": sums_of(document)}
