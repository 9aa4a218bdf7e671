"""Every question of the page, by its path: a plain function from what was asked to what is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from time import perf_counter_ns
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.explore import answers
from verifier.explore.desk import Desk, Opened
from verifier.explore.document import document_of, text_of
from verifier.explore.examples import example, examples
from verifier.explore.expand import expanded
from verifier.explore.problems import problem

Answer = dict[str, Any]
QUESTIONS: dict[str, Callable[[Opened, Mapping[str, Any]], Answer]] = {
    "passport": answers.passport_of,
    "answer": answers.answer_of,
    "profile": answers.profile_of,
    "loss": answers.loss_of,
    "acceptable": answers.acceptable_of,
    "expand": lambda opened, asked: {"document": expanded(opened, asked.get("to"))},
}
"""What is asked about a document."""
LISTS: dict[str, Callable[[], Any]] = {"examples": lambda: list(examples()), "definitions": answers.definitions}


class Clerk:
    """Answers one question at a time: the numbers' precision is one setting for the whole program."""

    def __init__(self, start: Mapping[str, Any] | None = None) -> None:
        """Open an empty desk; `start` is the document that the page shows first."""
        self._desk, self._lock, self._start = Desk(), Lock(), start

    def get(self, name: str, parameters: Mapping[str, str]) -> Any:
        """What is asked without a document."""
        if name == "example":
            return self._told({}, lambda: example(parameters.get("id")))
        if name == "start":
            return {"document": self._start}
        return LISTS[name]()

    def post(self, name: str, asked: Any) -> Answer:
        """What is asked with a document, or with the text of a file."""
        if not isinstance(asked, Mapping):
            return {"problems": [problem(InputError("given no table", where="request", wanted="a JSON object"))]}
        document = asked.get("document")
        if name == "read":
            return self._told(None, lambda: self._read(asked))
        if name == "write":
            return self._told(document, lambda: {"text": text_of(document)})
        return self._told(document, lambda: QUESTIONS[name](self._desk.open(document, asked.get("set")), asked))

    def _read(self, asked: Mapping[str, Any]) -> Answer:
        text = asked.get("text")
        if not isinstance(text, str):
            raise InputError("given no text", where="text", wanted="the text of a model file")
        document = document_of(text)
        opened = self._told(document, lambda: {"model": self._desk.open(document).model.title})
        return {"document": document, **({"problems": opened["problems"]} if "problems" in opened else {})}

    def _told(self, document: Any, make: Callable[[], Answer]) -> Answer:
        """The answer, or what is wrong."""
        start = perf_counter_ns()
        try:
            found = make()
        except PkdpError as error:
            found = {"problems": [problem(error, document)]}
        except RecursionError:
            found = {"problems": [problem(InputError("lists or tables are nested too deeply", wanted="a flat model"))]}
        return {**found, "milliseconds": (perf_counter_ns() - start) // 1_000_000}


__all__ = ["LISTS", "QUESTIONS", "Clerk"]
