"""Definitions over databases of several sizes: neighbours are D and D ∪ {t} (LQS12, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.definitions.comparison import Comparison, Family, Term
from verifier.definitions.pairs import pair_of
from verifier.engine import Engine
from verifier.engine.sizes import Resized, databases_of, resized
from verifier.errors import UnsupportedError
from verifier.model import Database, Mechanism
from verifier.numbers import Epsilon, exact_text

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition
    from verifier.definitions.verdict import Verdict

NO_NEIGHBOURS = "nothing is compared: all databases have one size, so that none is another without a tuple"


def one_tuple_apart(engine: Engine, reading: str) -> Iterator[Family]:  # noqa: ARG001
    """A^β(D) against A^β(D′) for all databases with D = D′ ∪ {t}, in both orders."""
    yield _family(engine, engine.model.mechanism)


def chosen_recodings(engine: Engine, reading: str) -> Iterator[Family]:  # noqa: ARG001
    """A_m(D) against A_m(D′) for all databases with D = D′ ∪ {t}, in both orders."""
    yield _family(engine, chooser_of(engine.model.mechanism))


def _family(engine: Engine, mechanism: Mechanism) -> Family:
    values = engine.model.values
    found = []
    for pair in resized(engine.model, mechanism, engine.max_rows):

        def databases(pair: Resized = pair) -> tuple[Database, Database]:
            return (pair.larger, pair.smaller) if pair.removed else (pair.smaller, pair.larger)

        a, b = (values[pair.value], None) if pair.removed else (None, values[pair.value])
        term = Term(1, pair_of(None, pair.first, pair.second))
        found.append(Comparison(None, None, a, b, (term,), pair.multiplicity, databases))
    return Family(None, None, tuple(found))


def unsampled(mechanism: Mechanism) -> Mechanism:
    """A, where the mechanism is A^β."""
    return mechanism.sample.of if mechanism.sample else mechanism


def chooser_of(mechanism: Mechanism) -> Mechanism:
    """A_m: the mechanism that chooses the recoding; a constant where it is always the same.

    Raises:
        UnsupportedError: for a mechanism that is no k-anonymization.

    """
    whole = unsampled(mechanism)
    if whole.recoding is None:
        raise UnsupportedError(
            "this is about the choice of a recoding, and the mechanism is none of apply and k-anonymization",
            tip='kind = "k-anonymization" says how the recoding is chosen; steps behind it hide that',
        )
    if whole.recoding.chooser is not None:
        return whole.recoding.chooser
    from verifier.model.recoding import always

    return always(whole)


def decide_over_sizes(
    engine: Engine, definition: Definition, epsilon: Epsilon | None, delta: Fraction, reading: str
) -> Verdict:
    """The verdict on all pairs of neighbours; for `dps` also the condition β > δ, which needs no pair."""
    from verifier.definitions.decide import decide

    plain = replace(definition, decider=None)
    found = decide(engine, plain, epsilon=epsilon, delta=delta, reading=reading)
    if found.verdict in {"unsupported", "undecided"}:
        return found
    sampled = definition.key == "dps"
    mechanism = engine.model.mechanism
    rate = mechanism.sample.rate if mechanism.sample else Fraction(1)
    over = databases_of(engine.model, mechanism if sampled else unsampled(mechanism))
    note = f"over {over}" + (f", sampled at rate β = {exact_text(rate)}" if sampled else ", unsampled")
    reason = NO_NEIGHBOURS if found.verdict == "vacuous" else found.reason
    found = replace(found, note=note, reason=reason)
    if found.verdict == "vacuous":
        return found
    if not sampled or reading == "any-delta" or rate > delta:
        return found
    return replace(
        found,
        verdict="fails",
        reason=f"β = {exact_text(rate)} is not above δ = {exact_text(delta)}, which LQS12, Definition 3 asks for; "
        "sampling alone gives this δ at ε = 0 (the reading any-delta asks without that condition)",
    )
