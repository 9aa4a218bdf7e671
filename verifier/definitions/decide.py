"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce

from verifier.definitions.comparison import Comparison, Family
from verifier.definitions.definition import Definition
from verifier.definitions.enclosed import decide_enclosed
from verifier.definitions.measure import HOCKEY_STICK, Curve
from verifier.definitions.pairs import Sum
from verifier.definitions.verdict import NO_DELTA, NOTHING_COMPARED, Share, Verdict, Witness
from verifier.engine import Engine
from verifier.errors import UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Epsilon, Order
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
    comparisons = [one for family in families for one in family.comparisons]
    empty = sum(family.members for family in families if not family.comparisons)
    if not comparisons:
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
    closest, tight_epsilon = _largest_epsilon(comparisons, bound)
    show = partial(_witness, model, definition)
    tight_delta = witness = tightest = None
    if asked is None:
        holds = not tight_epsilon.is_infinite
        if holds:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            witness = partial(show, _largest_delta(comparisons, INFINITY)[0], INFINITY)
    else:
        worst, tight_delta = _largest_delta(comparisons, asked)
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
        len(comparisons),
        sum(one.multiplicity for one in comparisons),
        empty,
        definition.note,
        _witness=witness,
        _tightest=tightest,
        _profile=lambda: whole_profile(comparisons),
        _at=None if comparisons[0].measure is HOCKEY_STICK else lambda at: _largest_delta(comparisons, at)[1],
    )


def whole_profile(comparisons: Sequence[Comparison]) -> Curve:
    """The profile of the worst case; what shares outcomes at once, the rest folded so that denominators stay small."""
    measure = comparisons[0].measure
    if measure is not HOCKEY_STICK:
        return measure.worst(one.profile for one in comparisons)
    windows, curves, others = [], [], []
    for one in comparisons:
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


def _largest_epsilon(comparisons: Sequence[Comparison], bound: Fraction) -> tuple[Comparison, Epsilon]:
    """The smallest ε that is enough for all, and the first comparison that needs it.

    The worst comparison at an ε that is not enough says which larger one to try next.
    """
    infinite = _largest_delta(comparisons, INFINITY)[1]
    if infinite.order(bound).settled() is Order.GREATER:
        found = INFINITY
    else:
        worst, delta = _largest_delta(comparisons, ZERO)
        found = ZERO
        while delta.order(bound).settled() is Order.GREATER:
            last, found = found, worst.epsilon(bound)
            if not last < found:
                raise ArithmeticError("the smallest ε of a comparison is not enough for it")
            worst, delta = _largest_delta(comparisons, found)
    first = next((one for one in comparisons if one.needs(found, bound)), None)
    if first is None:
        raise ArithmeticError(f"no comparison needs the smallest ε, {found.text(40)}")
    return first, found


def _largest_delta(comparisons: Sequence[Comparison], epsilon: Epsilon) -> tuple[Comparison, Delta]:
    """The largest δ(ε) of all, and the first comparison that attains it."""
    best, found = comparisons[0], comparisons[0].line(epsilon)
    for one in comparisons[1:]:
        new = one.line(epsilon)
        if new.exceeds(found, epsilon):
            best, found = one, new
    return best, found.delta(epsilon)


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
