"""What the certificates of exchange rates share: their refusal, replay and file, and a model's tables as texts.

A rate at one ε, a rate as a function, and a rate with δ have a certificate each, in a file of its own beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from verifier.checker.rejected import Beyond
from verifier.errors import UnsupportedError
from verifier.evidence.files import file_text
from verifier.evidence.rejected import rechecking
from verifier.evidence.schemes import MAX_DATABASES, MAX_WORLDS, policy_table
from verifier.evidence.texts import database_texts, number_text
from verifier.model import NOTHING, Database, Model
from verifier.model.multisets import number_of
from verifier.wings.exchange.rate import UNSUPPORTED
from verifier.wings.exchange.rows import LinearRow


class Rate(Protocol):
    """An answer about an exchange rate."""

    @property
    def verdict(self) -> str:
        """`computed`, `vacuous` or `unsupported`."""

    @property
    def reason(self) -> str | None:
        """Why it is unsupported."""


RateAnswer = TypeVar("RateAnswer", bound=Rate)


@dataclass(frozen=True)
class Certificates(Generic[RateAnswer]):
    """The certificates of one kind of rate: `entry` writes one as plain data, `replay` derives it again.

    `beyond` is the reason why the replay does not check a rate, and empty where it does. `model` is the model whose
    file a certificate names.
    """

    kind: str
    entry: Callable[[RateAnswer], dict[str, Any]]
    replay: Callable[[Any], object]
    beyond: Callable[[RateAnswer], str]
    model: Callable[[RateAnswer], Model | None]

    @rechecking()
    def replayed(self, answer: RateAnswer) -> RateAnswer:
        """The answer marked as `replayed`, after the independent replay has derived all of it again.

        An answer that the replay does not check comes back unchanged.

        Raises:
            RejectedError: for an answer that does not add up.

        """
        if answer.verdict == UNSUPPORTED or self.beyond(answer):
            return answer
        try:
            self.replay(json.loads(json.dumps(self.entry(answer))))
        except Beyond:
            return answer
        return replace(answer, replayed=True)  # type: ignore[type-var]

    def file(self, answer: RateAnswer, beside: Path | None = None) -> str:
        """The certificate file of an answer (proofs/FORMAT.md), for a place `beside` which its model is named.

        Raises:
            UnsupportedError: where nothing was computed, or the model is too large for the replay.

        """
        reason = answer.reason if answer.verdict == UNSUPPORTED else self.beyond(answer)
        if reason:
            raise UnsupportedError(f"no certificate: {reason}")
        return file_text(self.kind, self.model(answer), self.entry(answer), beside)


def too_large(model: Model) -> str:
    """The reason why the replay does not list the rows of a model; empty where it does."""
    size = number_of(len(model.values), *model.sizes) if model.sizes else len(model.values) ** min(model.size, 64)
    if size > MAX_DATABASES:
        return f"the model has more than {MAX_DATABASES} databases"
    if sum(theta.count() for theta in model.thetas) > MAX_WORLDS:
        return f"the model has more than {MAX_WORLDS:,} worlds"
    return ""


def tables(model: Model, chance_text: Callable[[Fraction], object]) -> dict[str, Any]:
    """The size, values, secrets, worlds and policy of a model; `chance_text` writes the probability of a world."""
    return {
        "size": model.size if model.sizes is None else list(model.sizes),
        "values": [v.text for v in model.values],
        "secrets": [secret.record for secret in model.secrets] if model.protects_records else ["S"],
        "worlds": {
            theta.name: [
                [
                    database_texts(model, world.database),
                    None if known == NOTHING else known.text,
                    None if model.protects_records else model.secrets[0].of(world).text,
                    chance_text(p),
                ]
                for world, known, p in theta.known_worlds()
            ]
            for theta in model.thetas
        },
        "policy": policy_table(model),
    }


def row_entry(model: Model, row: LinearRow, chance_text: Callable[[Any], object] = number_text) -> dict[str, Any]:
    """A row as a certificate has it: two laws on databases, and the multiple of ε."""
    return {
        "p": law_entry(model, row.p, chance_text),
        "q": law_entry(model, row.q, chance_text),
        "scale": number_text(row.scale),
    }


def law_entry(
    model: Model, law: Iterable[tuple[Database, Any]], chance_text: Callable[[Any], object] = number_text
) -> list[list[Any]]:
    """A law on databases, or a column of a mechanism: each database with its probability."""
    return [[database_texts(model, database), chance_text(chance)] for database, chance in law]
