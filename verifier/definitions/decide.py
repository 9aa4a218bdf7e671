"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce

from verifier.definitions.comparison import Comparison, Family
from verifier.definitions.definition import Definition
from verifier.definitions.enclosed import decide_enclosed
from verifier.definitions.measure import HOCKEY_STICK, Curve, Measure
from verifier.definitions.pairs import Sum
from verifier.definitions.pools import Columns, Pool, largest_delta, largest_epsilon, pools_of
from verifier.definitions.verdict import NO_DELTA, NOTHING_COMPARED, Share, Verdict, Witness
from verifier.engine import Engine
from verifier.errors import UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import DIGITS, INFINITY, ZERO, Epsilon, Order
from verifier.profile import NO_LOSS, envelope, largest


def decide(
    engine: Engine,
    definition: Definition,
    *,
    epsilon: Epsilon | None = None,
    delta: Fraction = Fraction(0),
    reading: str = "default",
    digits: int = DIGITS,
) -> Verdict:
    """Decide a definition on the engine's model; `verifier.check` also has the answer re-checked.

    Without ε the question is whether some finite ε is enough. `digits` is how sharp an enclosure must be, where the
    engine encloses.
    """
    unanswered = partial(Verdict, engine.model, definition.key, reading, epsilon, delta, note=definition.note)
    try:
        definition.applies(engine)
        if definition.decider is not None:
            return definition.decider(engine, definition, epsilon, delta, definition.reading(reading))
        if engine.balls:
            return decide_enclosed(engine, definition, epsilon, delta, definition.reading(reading), digits)
        families = definition.families(engine, definition.reading(reading))
    except UnsupportedError as error:
        return unanswered("unsupported", str(error))
    try:
        answer = _decide(engine.model, definition, reading, epsilon, delta, families)
        return replace(answer, method=engine.method)
    except UndecidedError as error:
        return unanswered("undecided", str(error))


def _decide(
    model: Model,
    definition: Definition,
    reading: str,
    asked: Epsilon | None,
    bound: Fraction,
    families: Sequence[Family],
) -> Verdict:
    pools = pools_of([family.comparisons for family in families])
    empty = sum(family.members for family in families if not family.comparisons)
    if not pools:
        return Verdict(
            model,
            definition.key,
            reading,
            asked,
            bound,
            "vacuous",
            "nothing is compared: there is one value" if definition.kind == "neighbours" else NOTHING_COMPARED,
            NO_DELTA,
            ZERO,
            empty=empty,
            note=definition.note,
            _profile=lambda: definition.measure.curve(NO_LOSS),
        )
    closest, tight_epsilon = largest_epsilon(pools, bound)
    show = partial(_witness, model, definition)
    tight_delta = witness = tightest = None
    if asked is None:
        holds = not tight_epsilon.is_infinite
        if holds:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            witness = partial(show, largest_delta(pools, INFINITY)[0], INFINITY)
    else:
        worst, tight_delta = largest_delta(pools, asked)
        holds = tight_delta.order(bound).settled() in {Order.LESS, Order.EQUAL}
        if not holds:
            witness = partial(show, worst, asked)
        elif tight_delta.is_zero:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            tightest = partial(show, worst, asked)
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
        sum(map(len, pools)),
        sum(pool.multiplicity for pool in pools),
        empty,
        definition.note,
        _witness=witness,
        _tightest=tightest,
        _profile=lambda: whole_profile(definition.measure, pools),
        _at=None if definition.measure is HOCKEY_STICK else lambda at: largest_delta(pools, at)[1],
    )


def whole_profile(measure: Measure, pools: Sequence[Pool]) -> Curve:
    """The profile of the worst case; what shares outcomes at once, the rest folded so that denominators stay small."""
    if measure is not HOCKEY_STICK:
        return measure.worst(one.profile for pool in pools for one in pool)
    columns = [pool for pool in pools if isinstance(pool, Columns)]
    curves = [(line.denominator, [(line.q, line.p)]) for pool in columns for line in pool.lines()]
    windows, others = [], []
    for one in (one for pool in pools if not isinstance(pool, Columns) for one in pool):
        alone = len(one.terms) == 1 and one.terms[0].mass == one.whole
        window = one.terms[0].pair.window if alone else None
        curve = None if alone else one.points
        if window is not None:
            windows.append(window)
        elif curve is not None:
            curves.append(curve)
        else:
            others.append(one)
    curves += largest(windows)
    start = envelope(curves) if curves else NO_LOSS
    return reduce(lambda x, y: measure.worst([x, y]), (one.profile for one in others), start)


def _witness(
    model: Model, definition: Definition, found: Comparison, epsilon: Epsilon, *, closed: bool = False
) -> Witness:
    """The event of a comparison at ε; closed at the tightest ε, so that the outputs that attain it are in."""
    closed = closed and not epsilon.is_infinite and (found.measure is HOCKEY_STICK or epsilon.exp != 1)
    databases = None
    if found.databases is not None:
        first, second = found.databases()
        databases = tuple(model.values[v] for v in first), tuple(model.values[v] for v in second)
    common = (definition.kind, found.distribution, found.record, found.a, found.b)
    value = found.delta(epsilon)
    if definition.aggregation.averages:
        terms = []
        direction = found.terms[0].pair.direction or None
        for term in found.terms:
            event = term.pair.event(epsilon, closed=closed)
            own = found.measure.of(Sum(*term.pair.line(epsilon), term.pair.denominator)).delta(epsilon)
            weight = Fraction(int(term.mass), int(found.whole))
            members = term.pair.heard.members if term.pair.heard else 1
            terms.append(Share(term.pair.knowledge, weight, own, event, members))
        return Witness(
            *common, None, None, None, None, epsilon, value, tuple(terms), None, direction, None, found.measure.key
        )
    pair = found.terms[0].pair
    event = pair.event(epsilon, closed=closed)
    mass_a, mass_b = pair.masses(event)
    return Witness(
        *common,
        pair.knowledge,
        event,
        mass_a,
        mass_b,
        epsilon,
        value,
        None,
        databases,
        pair.direction or None,
        found.output,
        found.measure.key,
    )
