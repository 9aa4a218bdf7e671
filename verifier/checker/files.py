"""A file of answers, or of documents of proofs: one word on each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import compared
from .answers import Word, checked
from .curves import verify_curve
from .losses import verify_best
from .models import Model
from .multipliers import Check, verify_delta, verify_rate, verify_worst
from .numbers import BeyondLimits, Rejected, Unsupported, Wrong, long_numbers
from .reading import (
    DOCUMENTS,
    MALFORMED,
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
        try:
            if answer.get("kind") in DOCUMENTS:
                yield proved(answer, models, beside)
            elif answer.get("kind") == OF_TWO:
                yield of_two(answer, [models.of(each, beside) for each in answer["models"]])
            else:
                alone = answer.get("kind") in WITHOUT_MODEL  # a search's scope is counted again, or it brings its model
                yield checked(answer, None if alone else models.of(answer, beside))
        except BeyondLimits as error:
            yield Word("not checked", str(error), beyond=True)


def of_two(answer: Mapping[str, Any], both: Sequence[Model]) -> Word:
    """The word on a comparison of two models."""
    try:
        with long_numbers():
            left = compared.verify(answer, both)
    except MALFORMED as error:
        raise Wrong(f"the comparison is malformed: {type(error).__name__} {error}") from None
    except Rejected as error:
        return Word("rejected", str(error))
    except Unsupported as error:
        return Word("not checked", str(error))
    return Word("confirmed", "the comparison of two mechanisms", left=left)


def proved(document: Mapping[str, Any], models: Models, beside: Path) -> Word:
    """The word on a document of a proof."""
    named = {} if "model_text" in document else {"model": str(models.file(document, beside).absolute())}
    try:
        said = VERIFY[document["kind"]]({**document, **named}, beside)
    except Rejected as error:
        return Word("rejected", str(error))
    except Unsupported as error:
        return Word("not checked", str(error))
    return Word("confirmed", said)
