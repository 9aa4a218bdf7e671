"""The answers that readings rest on, as the independent checker decides them again: `proofs/<paper>/answers.json`.

They are those of `pkdp check`, `acceptable`, `property` and `search` with `--json`, one a line, without sentences: the
model file is the certificate. Those stand there that the checker confirms; what is beyond its limits is named in the
record of the reading.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from verifier.checker.answers import Word
from verifier.checker.files import words_on
from verifier.checker.numbers import Wrong
from verifier.checker.reading import Models, read_json
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.model.model import Expectation
from verifier.questions.expect import answered, restricted
from verifier.questions.normalization import acceptable
from verifier.questions.properties import PROPERTIES
from verifier.recheck import fields_of
from verifier.wings.papers.ledger.decide import Unshown, engine_of, searched
from verifier.wings.papers.ledger.entry import Evidence, OfModel, OfSearch
from verifier.wings.papers.ledger.table import ReadingRow

Document = dict[str, Any]
LEFT_OUT = frozenset({"schema", "version", "reason", "note", "scope", "replayed"})
"""The fields of an answer that are sentences, or change with the version."""
MOST_TERMS = 20_000
"""The most characters of the terms of a witness. One with longer terms, of thousands of people, is left out."""


def texts_of(evidence: Evidence) -> tuple[str, ...]:
    """The answers that a piece of evidence rests on, each as a line of `answers.json`."""
    return tuple(json.dumps(document, ensure_ascii=False, separators=(",", ":")) for document in _documents(evidence))


def recheck(row: ReadingRow) -> None:
    """Have the checker decide the answers again that a reading rests on, each once.

    Raises:
        Unshown: for one that it does not confirm, with what it is about.

    """
    for line in row.answers:
        if not is_confirmed(line):
            raise Unshown(f"the checker does not decide it: {word_on(line).text[:400]}", where=title_of(line))


def is_confirmed(text: str) -> bool:
    """Whether the checker confirms an answer; not where it leaves it undecided.

    Raises:
        Unshown: where the checker rejects it.

    """
    word = word_on(text)
    if word.word == "rejected":
        raise Unshown(f"the independent checker rejects an answer: {word.why[:400]}", where=title_of(text))
    return word.word == "confirmed"


@cache
def word_on(text: str) -> Word:
    """The checker's word on an answer, which it decides again from the text of the model; each is asked once."""
    try:
        (word,) = words_on([read_json(text)], Models([], {}), models_folder().parent)
    except Wrong as error:
        return Word("rejected", str(error))
    return word


def title_of(text: str) -> str:
    """What an answer is about: its model, and the definition or property; or the statements of a search."""
    answer = json.loads(text)
    if answer.get("kind") == "search":
        return "search " + " and ".join([*answer["satisfies"], *filter(None, [answer["violates"]])])
    return f"{answer['model']}, {answer.get('definition') or answer.get('property') or 'acceptable'}"


def _documents(evidence: Evidence) -> Iterator[Document]:
    """Yield the answers of a piece of evidence; a bound, a derivation, a theorem and a written proof have none."""
    if isinstance(evidence, OfSearch):
        yield _shortened(searched(evidence).to_json())
    elif isinstance(evidence, OfModel):
        model, engine = engine_of(evidence.model)
        about = {"model": f"models/{evidence.model}.toml", "sha256": model.sha256}
        for promised in evidence.asks:
            yield from ({**_shortened(answer), **about} for answer in _answers(model, promised, engine))


def _answers(model: Model, promised: Expectation, engine: Engine) -> Iterator[Document]:
    """Yield the answers to one question: of acceptability one for each θ and record, else one."""
    question, key = promised.question, promised.definition
    if key == "acceptable":
        yield from (answer.to_json() for answer in acceptable(restricted(model, question)))
    elif key in PROPERTIES:
        asked = restricted(model, question)
        options = {name: value for name, value in question.items() if name == "k"}
        yield PROPERTIES[key](asked, engine if asked is model else Engine(asked), **options).to_json()
    else:
        answer, about = answered(model, promised, engine)
        alone = {"distribution": question["distribution"]} if "distribution" in question else {}
        yield {**alone, **answer.to_json(), **fields_of(answer, about)}


def _shortened(answer: Document) -> Document:
    """The answer without what no check reads; a witness with long terms is left out, which the file says."""
    kept = {name: value for name, value in answer.items() if name not in LEFT_OUT}
    witness = kept.get("witness") or {}
    if len(json.dumps(witness.get("terms"))) > MOST_TERMS:
        kept |= {"witness": None, "left_out": "witness"}
    return kept
