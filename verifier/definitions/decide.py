"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce

from verifier.definitions.comparison import Comparison, Family
from verifier.definitions.definitions import Definition, applies
from verifier.definitions.verdict import Share, Verdict, Witness
from verifier.engine import Engine
from verifier.errors import UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order
from verifier.profile import NO_LOSS, Profile, maximum
from verifier.tables import Label

NO_DELTA = Delta(Fraction(0), Fraction(0), ZERO)


def decide(
    engine: Engine,
    definition: Definition,
    *,
    epsilon: Epsilon | None = None,
    delta: Fraction = Fraction(0),
    reading: str = "default",
) -> Verdict:
    """Decide a definition on the engine's model; `verifier.check` also has the answer re-checked.

    Without ε the question is whether some finite ε is enough.
    """
    unanswered = partial(Verdict, engine.model, definition.key, reading, epsilon, delta, note=definition.note)
    try:
        families = _families(engine, definition, definition.reading(reading))
    except UnsupportedError as error:
        return unanswered("unsupported", str(error))
    try:
        answer = _decide(engine.model, definition, reading, epsilon, delta, families)
        return replace(answer, method=engine.method)
    except UndecidedError as error:
        return unanswered("undecided", str(error))


def _families(engine: Engine, definition: Definition, reading: str) -> tuple[Family, ...]:
    return engine.once((definition.families, reading), lambda: tuple(applies(definition, engine)(engine, reading)))


def _decide(
    model: Model,
    definition: Definition,
    reading: str,
    asked: Epsilon | None,
    bound: Fraction,
    families: Sequence[Family],
) -> Verdict:
    comparisons = [one for family in families for one in family.comparisons]
    empty = sum(1 for family in families if not family.comparisons)
    if not comparisons:
        return Verdict(
            model,
            definition.key,
            reading,
            asked,
            bound,
            "vacuous",
            "nothing is compared: there is one value"
            if definition.key == "dp"
            else "nothing is compared: nowhere are two sensitive values possible with what is known",
            NO_DELTA,
            ZERO,
            empty=empty,
            note=definition.note,
            _profile=lambda: NO_LOSS,
        )
    closest, tight_epsilon = _largest_epsilon(comparisons, bound)
    tight_delta = witness = tightest = None
    if asked is None:
        holds = not tight_epsilon.is_infinite
        if holds:
            tightest = _witness(model, definition, closest, tight_epsilon, closed=True)
        else:
            witness = _witness(model, definition, _largest_delta(comparisons, INFINITY)[0], INFINITY)
    else:
        worst, tight_delta = _largest_delta(comparisons, asked)
        holds = tight_delta.order(bound).settled() in {Order.LESS, Order.EQUAL}
        if not holds:
            witness = _witness(model, definition, worst, asked)
        elif tight_delta.is_zero:
            tightest = _witness(model, definition, closest, tight_epsilon, closed=True)
        else:
            tightest = _witness(model, definition, worst, asked)
    return Verdict(
        model,
        definition.key,
        reading,
        asked,
        bound,
        "holds" if holds else "fails",
        None,
        tight_delta,
        tight_epsilon,
        len(comparisons),
        sum(one.multiplicity for one in comparisons),
        empty,
        witness,
        tightest,
        definition.note,
        _profile=lambda: whole_profile(comparisons),
    )


def whole_profile(comparisons: Sequence[Comparison]) -> Profile:
    """The profile of the worst case, folded so that denominators stay small."""
    return reduce(lambda x, y: maximum([x, y]), (one.profile for one in comparisons), NO_LOSS)


def _largest_epsilon(comparisons: Sequence[Comparison], bound: Fraction) -> tuple[Comparison, Epsilon]:
    """The smallest ε that is enough for all, and the first comparison that needs it."""
    best, found = comparisons[0], comparisons[0].epsilon(bound)
    for one in comparisons[1:]:
        if found.is_infinite:
            break
        new = one.epsilon(bound)
        if new.is_infinite or (new.exp or 0) > (found.exp or 0):
            best, found = one, new
    return best, found


def _largest_delta(comparisons: Sequence[Comparison], epsilon: Epsilon) -> tuple[Comparison, Delta]:
    """The largest δ(ε) of all, and the first comparison that attains it."""
    best, found = comparisons[0], comparisons[0].delta(epsilon)
    for one in comparisons[1:]:
        new = one.delta(epsilon)
        if new.order(found).settled() is Order.GREATER:
            best, found = one, new
    return best, found


def _witness(
    model: Model, definition: Definition, found: Comparison, epsilon: Epsilon, *, closed: bool = False
) -> Witness:
    """The event of a comparison at ε; closed at the tightest ε, so that the outputs that attain it are in."""
    closed = closed and not epsilon.is_infinite
    databases = None
    if found.databases is not None:
        first, second = found.databases
        databases = tuple(model.values[v] for v in first), tuple(model.values[v] for v in second)
    common = (definition.kind, found.distribution, found.record, found.a, found.b)
    value = found.delta(epsilon)
    if definition.average:
        terms = []
        for term in found.terms:
            event = term.pair.event(epsilon, closed=closed)
            own = term.pair.profile.delta(epsilon)
            terms.append(Share(term.pair.knowledge, term.weight, own, _outputs(term.pair.outputs, event)))
        return Witness(*common, None, None, None, None, epsilon, value, tuple(terms))
    pair = found.terms[0].pair
    event = pair.event(epsilon, closed=closed)
    mass_a, mass_b = pair.masses(event)
    return Witness(
        *common,
        pair.knowledge,
        _outputs(pair.outputs, event),
        mass_a,
        mass_b,
        epsilon,
        value,
        None,
        databases,
        pair.direction or None,
    )


def _outputs(outputs: Sequence[Label], event: Sequence[int]) -> tuple[Label, ...]:
    return tuple(outputs[k] for k in event)
