"""A file of answers, or of documents of proofs: one word on each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from . import compared
from .answers import Word, decided, said
from .curves import verify_curve
from .losses import verify_best
from .multipliers import Check, verify_delta, verify_rate, verify_worst
from .numbers import Wrong
from .reading import (
    DOCUMENTS,
    MOST_ANSWER_BYTES,
    OF_TWO,
    WITHOUT_MODEL,
    Models,
    answers_in,
    read_bytes,
    read_json,
)

VERIFY: dict[str, Check] = dict(
    zip(DOCUMENTS, (verify_rate, verify_delta, verify_curve, verify_worst, verify_best), strict=True)
)


def answers_of(path: Path) -> list[dict[str, Any]]:
    """The answers and documents of a file."""
    try:
        return list(answers_in(read_json(read_bytes(path, MOST_ANSWER_BYTES).decode("utf-8"))))
    except UnicodeDecodeError as error:
        raise Wrong(f"byte {error.start} of the answers is not UTF-8") from None


def words_on(answers: list[dict[str, Any]], models: Models, beside: Path) -> Iterator[Word]:
    """The word on each of the answers of a file in the folder `beside`."""
    for answer in answers:
        yield said(partial(word_on, answer, models, beside))


def word_on(answer: Mapping[str, Any], models: Models, beside: Path) -> Word:
    """The word on a document of a proof, on a comparison of two models, or on an answer about one."""
    kind = answer.get("kind")
    if kind in DOCUMENTS:
        named = {} if "model_text" in answer else {"model": str(models.file(answer, beside).absolute())}
        return Word("confirmed", VERIFY[kind]({**answer, **named}, beside))
    if kind == OF_TWO:
        left = compared.verify(answer, [models.of(each, beside) for each in answer["models"]])
        return Word("confirmed", "the comparison of two mechanisms", left=left)
    alone = kind in WITHOUT_MODEL  # a search's scope is counted again, or it brings its model
    return decided(answer, None if alone else models.of(answer, beside))
