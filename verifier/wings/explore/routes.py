"""Every question of the page, by its path: a plain function from what was asked to what is answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import Any, TypeAlias

from verifier.errors import InputError, PkdpError, UndecidedError
from verifier.replay.answers import Rejected
from verifier.wings.explore.answers import answer_of, definitions, passport_of
from verifier.wings.explore.asked import Asked, field_of
from verifier.wings.explore.curve import points_of
from verifier.wings.explore.desk import Desk, Opened
from verifier.wings.explore.document import document_of, read_json, text_of
from verifier.wings.explore.examples import example, examples
from verifier.wings.explore.expand import expanded
from verifier.wings.explore.losses import acceptable_of, loss_of
from verifier.wings.explore.problems import problem
from verifier.wings.explore.sums import sums_of

Answer: TypeAlias = dict[str, Any]
QUESTIONS: dict[str, Callable[[Opened, Asked], Answer]] = {
    "passport": passport_of,
    "answer": answer_of,
    "profile": points_of,
    "loss": loss_of,
    "acceptable": acceptable_of,
    "expand": lambda opened, asked: {"document": expanded(opened, asked.get("to"))},
}
"""What is asked about a document."""
FILES = ("read", "write")
"""What is asked to load and to save one."""
LISTS: dict[str, Callable[[Mapping[str, str]], Any]] = {
    "examples": lambda _: list(examples()),
    "example": lambda asked: _told(None, lambda: example(asked.get("id"))),
    "definitions": lambda _: definitions(),
}
"""What is asked without a document, and needs no work."""


def sent(found: Any) -> bytes:
    """An answer as it is sent."""
    return json.dumps(found, ensure_ascii=False).encode(errors="replace")


class Clerk:
    """Answers one question after the other."""

    def __init__(self) -> None:
        """Open an empty desk."""
        self._desk = Desk()

    def said(self, name: str, body: bytes) -> bytes:
        """The answer to what was sent."""
        try:
            try:
                asked = read_json(body.decode())
            except UnicodeDecodeError:
                raise InputError("the body is not UTF-8", where="request", wanted="JSON in UTF-8") from None
        except PkdpError as error:
            return sent({"problems": [problem(error)]})
        return sent(self.post(name, asked))

    def post(self, name: str, asked: Any) -> Answer:
        """What is asked with a document, or with the text of a file."""
        if not isinstance(asked, Mapping):
            return {"problems": [problem(InputError("given no table", where="request", wanted="a JSON object"))]}
        document = asked.get("document")
        if name == "read":
            return _told(None, lambda: self._read(asked.get("text")))
        if name == "write":
            return _told(document, lambda: {"text": text_of(document)})
        return _told(document, lambda: QUESTIONS[name](self._desk.open(document, asked.get("set")), asked))

    def _read(self, text: object) -> Answer:
        """The document of a file; what is no model yet is loaded with its problems."""
        if not isinstance(text, str):
            raise InputError("given no text", where=field_of("text"), wanted="the text of a model file")
        document = document_of(text)
        opened = _told(document, lambda: {"title": self._desk.open(document).model.title})
        return {"document": document, **({"problems": opened["problems"]} if "problems" in opened else {})}


def _told(document: Any, make: Callable[[], Answer]) -> Answer:
    """The answer, or what is wrong with the document or the question."""
    start = perf_counter_ns()
    try:
        found = make()
    except PkdpError as error:
        found = _refused(error, document)
    except Rejected as error:
        found = _refused(
            UndecidedError(f"the independent replay rejected the answer: {error}", tip="report it"), document
        )
    except RecursionError:
        found = _refused(InputError("lists or tables are nested too deeply", wanted="a flat model"), document)
    except MemoryError:
        found = _refused(UndecidedError("out of memory", tip="use a smaller model"), document)
    return {**found, "milliseconds": (perf_counter_ns() - start) // 1_000_000}


def _refused(error: PkdpError, document: Any) -> Answer:
    return {"problems": [problem(error, document)], "sums": sums_of(document)}
