"""The certificates of exchange rates at one ε, as functions, and with δ: their re-check, their refusal, their file.

A certificate is the document of `proofs.py`, which `verifier/checker` verifies.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from verifier.checker.curves import verify_curve
from verifier.checker.multipliers import Check, verify_delta, verify_rate
from verifier.checker.numbers import BeyondLimits, Unsupported
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.model.multisets import number_of
from verifier.model.parameters import Family
from verifier.recheck import rechecking
from verifier.recheck.documents import document_text
from verifier.wings.exchange.answer import UNSUPPORTED, Exchange, Exchanged
from verifier.wings.exchange.curve.answer import Curve
from verifier.wings.exchange.delta.answer import DeltaCurve
from verifier.wings.exchange.proofs import Parameters, curve_document, delta_document, member, rate_document
from verifier.wings.families.domain import domain

MAX_DATABASES = 1 << 7
"""Most databases of a model whose rates are derived again."""
MAX_WORLDS = 1 << 12
"""Most worlds of it, over all distributions."""
RateAnswer = TypeVar("RateAnswer", bound=Exchanged[Any])


@dataclass(frozen=True)
class Certificates(Generic[RateAnswer]):
    """The certificates of one kind of rate: `document` writes one as plain data, `verify` derives it again.

    `beyond` is the reason why a rate is not derived again, and empty where it is.
    """

    document: Callable[[RateAnswer, Path | None, Parameters], dict[str, Any]]
    verify: Check
    beyond: Callable[[RateAnswer], str]

    @rechecking()
    def replayed(self, answer: RateAnswer) -> RateAnswer:
        """The answer marked as `replayed`, after the checker has derived all of it again.

        An answer that the checker does not check comes back unchanged.

        Raises:
            RejectedError: for an answer that does not add up.

        """
        if answer.verdict == UNSUPPORTED or self.beyond(answer):
            return answer
        try:
            self.verify(json.loads(json.dumps(self.document(answer, None, None))), Path())
        except (BeyondLimits, Unsupported, UnsupportedError):
            return answer
        return replace(answer, replayed=True)

    def file(self, answer: RateAnswer, beside: Path | None = None, parameters: Parameters = None) -> str:
        """The certificate file of an answer (proofs/FORMAT.md), for a place `beside` which its model is named.

        Of a file with parameters, `parameters` are the values that were set.

        Raises:
            UnsupportedError: where nothing was computed, or the model is too large for the checker.

        """
        reason = answer.reason if answer.verdict == UNSUPPORTED else self.beyond(answer)
        if reason:
            raise UnsupportedError(f"no certificate: {reason}")
        return document_text(self.document(answer, beside, parameters))


def too_large(model: Model) -> str:
    """The reason why the rows of a model are not listed again; empty where they are."""
    size = number_of(len(model.values), *model.sizes) if model.sizes else len(model.values) ** min(model.size, 64)
    if size > MAX_DATABASES:
        return f"the model has more than {MAX_DATABASES} databases"
    if sum(theta.count() for theta in model.thetas) > MAX_WORLDS:
        return f"the model has more than {MAX_WORLDS:,} worlds"
    return ""


def _beyond(answer: Curve) -> str:
    """The reason why a curve is not derived again; empty where it is."""
    if any(cell.verdict == UNSUPPORTED for cell in answer.cells):
        return "the rate is unsupported somewhere"
    if isinstance(answer.model, Family) and all(span.point is not None for span in domain(answer.model)):
        return "the range of the parameter has no inner value"
    return too_large(member(answer))


RATES: Certificates[Exchange] = Certificates(rate_document, verify_rate, lambda answer: too_large(answer.model))
"""The certificates of exchange rates at one ε."""

CURVES: Certificates[Curve] = Certificates(curve_document, verify_curve, _beyond)
"""The certificates of exchange rates as functions."""

CURVES_OF_DELTA: Certificates[DeltaCurve] = Certificates(
    delta_document, verify_delta, lambda answer: too_large(answer.model)
)
"""The certificates of exchange rates with δ."""
