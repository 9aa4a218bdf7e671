"""The certificate of an exchange rate: worlds and policy, all multipliers, and the mechanism, as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.errors import UnsupportedError
from verifier.evidence.files import file_text
from verifier.evidence.schemes import MAX_DATABASES, MAX_WORLDS, policy_table
from verifier.evidence.texts import database_texts, number_text
from verifier.model import NOTHING, Model
from verifier.model.multisets import number_of
from verifier.replay.exchange import replay_exchange
from verifier.replay.rejected import Beyond
from verifier.wings.relations.exchange import UNSUPPORTED, Exchange
from verifier.wings.relations.exchange_rows import DatabaseLaw, LinearRow


def replayed(answer: Exchange) -> Exchange:
    """The answer marked as `replayed`, after the independent replay has listed its rows and added it up again.

    An answer about a model that is too large for the replay comes back unchanged.

    Raises:
        verifier.replay.answers.Rejected: for an answer that does not add up.

    """
    if answer.verdict == UNSUPPORTED or beyond(answer.model):
        return answer
    try:
        replay_exchange(json.loads(json.dumps(certificate_of(answer))))
    except Beyond:
        return answer
    return replace(answer, replayed=True)


def beyond(model: Model) -> str:
    """The reason why the replay does not list the rows of a model; empty where it does."""
    size = number_of(len(model.values), *model.sizes) if model.sizes else len(model.values) ** min(model.size, 64)
    if size > MAX_DATABASES:
        return f"the model has more than {MAX_DATABASES} databases"
    if sum(theta.count() for theta in model.thetas) > MAX_WORLDS:
        return f"the model has more than {MAX_WORLDS:,} worlds"
    return ""


def exchange_file(answer: Exchange, beside: Path | None = None) -> str:
    """The certificate file of an exchange rate (proofs/FORMAT.md).

    Raises:
        UnsupportedError: where nothing was computed, or the model is too large for the replay.

    """
    if answer.verdict == UNSUPPORTED:
        raise UnsupportedError(f"no certificate: {answer.reason}")
    if reason := beyond(answer.model):
        raise UnsupportedError(f"no certificate: {reason}")
    return file_text("exchange", answer.model, certificate_of(answer), beside)


def certificate_of(answer: Exchange) -> dict[str, Any]:
    """The certificate of a rate as plain data; rows of the source are named by their numbers in `assumed`."""
    model = answer.model
    used = sorted({number for rate in answer.rates for number, _ in rate.multipliers})
    places = {number: place for place, number in enumerate(used)}
    return {
        "schema": "pkdp exchange 1",
        **tables(model, number_text),
        "from": answer.source,
        "to": answer.target,
        "epsilon": answer.epsilon.text(10**9),
        "tight_epsilon": "0" if answer.tight_epsilon is None else answer.tight_epsilon.text(10**9),
        "assumed": [row_entry(model, answer.assumed[number]) for number in used],
        "rates": [
            {
                "row": row_entry(model, rate.row),
                "factor": number_text(rate.factor),
                "multipliers": [[places[number], number_text(times)] for number, times in rate.multipliers],
            }
            for rate in answer.rates
            if rate.factor is not None
        ],
        "extreme": [
            [database_texts(model, database), number_text(chance)]
            for database, chance in (answer.chances or {}).items()
        ],
    }


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


def row_entry(model: Model, row: LinearRow) -> dict[str, Any]:
    """A row as a certificate has it: two laws on databases, and the multiple of ε."""
    return {"p": _law(model, row.p), "q": _law(model, row.q), "scale": number_text(row.scale)}


def _law(model: Model, law: DatabaseLaw) -> list[Any]:
    return [[database_texts(model, database), number_text(chance)] for database, chance in law]
