"""The re-check: the checker is given an answer's JSON and the text of the model, and decides the question again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.answer import ALL_DIGITS
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.kernel import models as kernel
from verifier.kernel.answers import MALFORMED, Word, checked
from verifier.kernel.numbers import BeyondLimits, Rejected, Wrong
from verifier.model import Model
from verifier.recheck.model_text import text_of
from verifier.recheck.proofs import fields_of
from verifier.recheck.rejected import rechecking

BEYOND = "beyond limits: "
"""How the checker's reason begins where it would take too long."""
LEFT = " (not checked: "
"""Where a confirmed answer's word names what of it was not looked at."""
MAX_SUM_WORK = 1 << 21
"""Most additions of long integers for which the checker is asked about sums."""
TOO_LARGE = "it is too large for the checker"
ENCLOSED = "it is an enclosure"
UNDECIDED = "nothing is decided"
OF_THE_ATLAS = "the checker has no copy of a recipe with a comparison of the atlas; it re-checks other recipes"
NOT_DERIVED = "the checker does not derive "
"""How the reason begins where it is that the checker lacks the question."""


ROOT = "root of"
"""What stands in the text of an ε that the checker does not read."""


def replayed(answer: Verdict, engine: Engine, share: int = 1) -> Verdict:
    """The answer with `replayed` set to True, once the checker has decided it again from the text of the model.

    Else the answer as it is, and `unchecked` says why; of a re-checked answer it says what the checker took over.
    `share` is the number of answers that share the limit on the work for sums.

    Raises:
        RejectedError: where the checker decides otherwise.

    """
    if answer.verdict in {"unsupported", "undecided"}:
        return _with(answer, unchecked=ENCLOSED if answer.method == "enclosure" else UNDECIDED)
    if engine.method == "enclosure":
        return _with(answer, unchecked=ENCLOSED)
    if answer.method == "sum" and _work_of_sums(engine) * share > MAX_SUM_WORK:
        return _with(answer, unchecked=TOO_LARGE)
    if answer.epsilon is not None and ROOT in answer.epsilon.text(ALL_DIGITS):
        return _with(answer, unchecked=f"{NOT_DERIVED}answers at an ε whose e^ε is the root of a polynomial")
    asked = fields_of(answer, engine)
    if find(answer.definition).comparisons.imitated and "proof" not in asked:
        return _with(answer, unchecked=TOO_LARGE)
    with rechecking(answer.definition):
        word, taken_over = word_on({**answer.to_json(ALL_DIGITS), **asked}, engine.model, engine.memo)
    if word.word == "confirmed":
        left = word.why.partition(LEFT)[2].removesuffix(")")
        also = f"not checked: {left}" if left else ""
        return _with(answer, replayed=True, unchecked="; ".join(filter(None, (taken_over, also))))
    return _with(answer, unchecked=_why_not(answer, word.why))


def _why_not(answer: Verdict, why: str) -> str:
    """Why the checker has no word on an answer, as a clause."""
    definition = find(answer.definition)
    if definition.own:
        return OF_THE_ATLAS if definition.reads_policy else TOO_LARGE
    if why.startswith(BEYOND):
        return ENCLOSED if answer.method == "enclosure" else TOO_LARGE
    return f"{NOT_DERIVED}{why}"


def _work_of_sums(engine: Engine) -> int:
    """The approximate number of additions of long integers that the checker needs for an answer about sums."""
    cost = engine.cost
    known = min(len(zeta.records) for zeta in engine.model.zetas)
    unknown_records = (engine.model.size - known) * cost.totals * cost.components
    compared = 4 * cost.classes * cost.totals * cost.components
    additions = (unknown_records + compared) * cost.targets * max(1, len(engine.model.thetas))
    return additions + engine.model.size**2 // 50


def _with(answer: Verdict, **changes: Any) -> Verdict:
    """The answer with changes; what it has computed stays with it."""
    again = replace(answer, **changes)
    again.__dict__.update({key: answer.__dict__[key] for key in ("witness", "tightest") if key in answer.__dict__})
    return again


def word_on(
    answer: Mapping[str, Any], model: Model, memo: Callable[[object, Callable[[], Any]], Any] | None = None
) -> tuple[Word, str]:
    """The checker's word on the JSON of an answer about a model, and what the model's text takes over; `memo` keeps it.

    Raises:
        Rejected: where the checker decides otherwise.
        Wrong: where it cannot read the model, or the answer.

    """

    def read() -> tuple[kernel.Model | None, str]:
        try:
            text, taken_over = text_of(model)
            return kernel.Model(text), taken_over
        except (UnsupportedError, BeyondLimits) as error:
            return None, str(error)
        except MALFORMED as error:
            raise Wrong(f"the model: {type(error).__name__}: {error}") from None

    with _long_numbers():
        again, taken_over = memo("read again", read) if memo else read()
        if again is None:
            return Word("not checked", taken_over), ""
        try:
            word = checked(answer, again)
        except kernel.Unsupported as error:
            word = Word("not checked", str(error))
    if word.word == "rejected":
        raise Rejected(word.why)
    return word, taken_over


@contextmanager
def _long_numbers() -> Iterator[None]:
    """Let the checker read numbers of more digits than Python reads by itself."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


__all__ = ["ENCLOSED", "NOT_DERIVED", "TOO_LARGE", "UNDECIDED", "checked", "fields_of", "replayed", "word_on"]
