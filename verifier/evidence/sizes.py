"""Evidence for databases of several sizes: the unsampled mechanism on every multiset, and the rate."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from verifier.definitions.registry import find
from verifier.definitions.sizes import chooser_of, unsampled
from verifier.engine import Engine
from verifier.engine.sizes import databases_of
from verifier.evidence.texts import mechanism_rows, number_text
from verifier.model import Mechanism


def asked_of(engine: Engine, definition: str) -> Mechanism:
    """The mechanism whose outputs a definition compares: the whole one, or the one that chooses the recoding."""
    mechanism = engine.model.mechanism
    return chooser_of(mechanism) if find(definition).recodes else mechanism


def work(engine: Engine, definition: str) -> int:
    """The work of the re-check: the number of pairs (database, sample of it), and of pairs of neighbours."""
    model, mechanism = engine.model, asked_of(engine, definition)
    number, last = len(model.values), databases_of(model, mechanism).last
    samples = comb(last + 2 * number, last) if mechanism.sample else 0
    # the probability of a sample has about so many words
    words = 1 + last // 32 if mechanism.sample else 1
    return samples * words + 2 * number * comb(last + number, last)


def tables(engine: Engine, definition: str) -> dict[str, Any]:
    """The tables of a certificate about databases of several sizes: the rate, the unsampled law on each multiset."""
    model, mechanism = engine.model, asked_of(engine, definition)
    databases, without_sample = databases_of(model, mechanism), unsampled(mechanism)
    rate = mechanism.sample.rate if mechanism.sample else Fraction(1)
    listed_databases = databases_of(model, without_sample) if rate < 1 else databases
    return {
        "engine": "sizes",
        "values": [v.text for v in model.values],
        "sizes": [databases.first, databases.last],
        "rate": number_text(rate),
        "mechanism": mechanism_rows(model, without_sample, listed_databases),
    }
