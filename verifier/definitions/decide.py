"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import chain

from verifier.definitions.comparison import Comparison, ComparisonSet
from verifier.definitions.definition import Definition
from verifier.definitions.divergence import Divergence
from verifier.definitions.measure import HOCKEY_STICK, Curve, CurveMeasure
from verifier.definitions.pairs import Sum
from verifier.definitions.pools import Columns, Pool, largest_delta, largest_epsilon, pools_of
from verifier.definitions.verdict import NO_DELTA, Verdict, answering
from verifier.definitions.witness import Part, Share, Witness
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

    Without ε the question is whether some finite ε is enough. `digits` is the number of certain digits of an enclosure,
    where the engine encloses. A model that the definition does not speak of, or that it does not decide, gives the
    verdict `unsupported` or `undecided`, with the reason.

    Raises:
        InputError: for a reading that the definition does not have.
        LimitError: where the work would exceed the limits.

    """
    unanswered = answering(engine, definition, epsilon, delta, reading)
    try:
        definition.applies(engine)
        definition.admits(delta)
        if definition.decider is not None:
            return definition.decider(engine, definition, epsilon, delta, definition.reading(reading))
        if engine.balls:
            from verifier.definitions.enclosed import decide_enclosed

            return decide_enclosed(engine, definition, epsilon, delta, definition.reading(reading), digits)
        families = definition.families(engine, definition.reading(reading))
        answer = _decide(unanswered, engine.model, definition, epsilon, delta, families)
        return replace(answer, method=engine.method)
    except UnsupportedError as error:
        return unanswered("unsupported", str(error))
    except UndecidedError as error:
        return unanswered("undecided", str(error))


def _decide(
    answer: partial[Verdict],
    model: Model,
    definition: Definition,
    epsilon: Epsilon | None,
    bound: Fraction,
    families: Sequence[ComparisonSet],
) -> Verdict:
    pools, measure = pools_of([family.comparisons for family in families]), definition.measure
    empty = sum(family.members for family in families if not family.comparisons)
    answer = partial(answer, empty=empty)
    if not pools:
        reason = definition.about.nothing
        if isinstance(measure, Divergence):
            return answer("vacuous", reason, None, ZERO)
        return answer("vacuous", reason, NO_DELTA, ZERO, _profile=lambda: measure.curve(NO_LOSS))
    answer = partial(answer, comparisons=sum(map(len, pools)), multiplicity=sum(pool.multiplicity for pool in pools))
    if isinstance(measure, Divergence):
        showing = partial(_divergence_witness, model, definition, measure)
        return _bounded_by_epsilon(answer, showing, measure, epsilon, list(chain.from_iterable(pools)))
    closest, tight_epsilon = largest_epsilon(pools, bound)
    show = partial(_event_witness, model, definition)
    tight_delta = witness = tightest = None
    if epsilon is None:
        holds = not tight_epsilon.is_infinite
        if holds:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            witness = partial(show, largest_delta(pools, INFINITY)[0], INFINITY)
    else:
        worst, tight_delta = largest_delta(pools, epsilon)
        holds = tight_delta.order(bound).settled() in {Order.LESS, Order.EQUAL}
        if not holds:
            witness = partial(show, worst, epsilon)
        elif tight_delta.is_zero:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            tightest = partial(show, worst, epsilon)
    return answer(
        "holds" if holds else "fails",
        None,
        tight_delta,
        tight_epsilon,
        _witness=witness,
        _tightest=tightest,
        _profile=lambda: whole_profile(measure, pools),
        _at=None if measure is HOCKEY_STICK else lambda at: largest_delta(pools, at)[1],
    )


def _bounded_by_epsilon(
    answer: Callable[..., Verdict],
    show: Callable[[Comparison], Witness],
    divergence: Divergence,
    epsilon: Epsilon | None,
    comparisons: Sequence[Comparison],
) -> Verdict:
    """The verdict for a divergence, whose largest value is the smallest ε, with the first comparison that attains it.

    At ε = ∞ the question is whether the divergence is finite, as it is for a curve whether δ(ε) ever falls to δ.
    """
    values = [divergence.of(comparison) for comparison in comparisons]
    tight_epsilon = max(values)
    holds = not tight_epsilon.is_infinite and (epsilon is None or tight_epsilon <= epsilon)
    evidence_of = partial(show, comparisons[values.index(tight_epsilon)])
    evidence = {"_tightest" if holds else "_witness": evidence_of}
    return answer("holds" if holds else "fails", None, None, tight_epsilon, **evidence)


def whole_profile(measure: CurveMeasure, pools: Sequence[Pool]) -> Curve:
    """δ(ε) as the pointwise maximum of the curves of all comparisons.

    Those that share outcomes are taken at once, the others one by one, so that denominators stay small.
    """
    if measure is not HOCKEY_STICK:
        return measure.worst(comparison.profile for pool in pools for comparison in pool)
    columns = [pool for pool in pools if isinstance(pool, Columns)]
    curves = [(line.denominator, [(line.q, line.p)]) for pool in columns for line in pool.lines()]
    windows, remaining = [], []
    for comparison in (comparison for pool in pools if not isinstance(pool, Columns) for comparison in pool):
        alone = len(comparison.terms) == 1 and comparison.terms[0].mass == comparison.total
        window = comparison.terms[0].pair.window if alone else None
        curve = None if alone else comparison.points
        if window is not None:
            windows.append(window)
        elif curve is not None:
            curves.append(curve)
        else:
            remaining.append(comparison)
    curves += largest(windows)
    start = envelope(curves) if curves else NO_LOSS
    return reduce(lambda x, y: measure.worst([x, y]), (comparison.profile for comparison in remaining), start)


def _event_witness(
    model: Model, definition: Definition, comparison: Comparison, epsilon: Epsilon, *, closed: bool = False
) -> Witness:
    """The event of a comparison at ε; closed at the tightest ε, so that the outputs that attain it are in."""
    measure = comparison.measure
    closed = closed and not epsilon.is_infinite and (measure is HOCKEY_STICK or epsilon.exp != 1)
    named = _named(model, definition, comparison, epsilon, comparison.delta(epsilon))
    events = [term.pair.event(epsilon, closed=closed) for term in comparison.terms]
    if definition.aggregation.averages:
        terms = []
        for term, event in zip(comparison.terms, events, strict=True):
            delta = measure.of(Sum(*term.pair.line(epsilon), term.pair.denominator)).delta(epsilon)
            weight = Fraction(int(term.mass), int(comparison.total))
            masses = term.pair.masses(event)
            terms.append(Share(term.pair.knowledge, weight, delta, event, *masses, term.members))
        return replace(named, terms=tuple(terms))
    mass_a, mass_b = comparison.terms[0].pair.masses(events[0])
    return replace(named, event=events[0], probability_a=mass_a, probability_b=mass_b)


def _divergence_witness(
    model: Model, definition: Definition, divergence: Divergence, comparison: Comparison
) -> Witness:
    """The comparison and its divergence, where it is an average with those of its pairs; no event attains it."""
    value = divergence.of(comparison)
    named = replace(_named(model, definition, comparison, value, value), measure=divergence.key)
    if not definition.aggregation.averages:
        return named
    shares = zip(comparison.terms, divergence.of_pairs(comparison), strict=True)
    parts = (Part(term.pair.knowledge, weight, part, term.members) for term, (weight, part) in shares)
    return replace(named, parts=tuple(parts))


def _named(
    model: Model, definition: Definition, comparison: Comparison, epsilon: Epsilon, value: Delta | Epsilon
) -> Witness:
    """A witness that says which comparison it is of, and what this attains; an average is of no B̂ in particular."""
    averages, pair, databases = definition.aggregation.averages, comparison.terms[0].pair, None
    if comparison.databases is not None and not averages:
        first, second = comparison.databases()
        databases = tuple(model.values[v] for v in first), tuple(model.values[v] for v in second)
    return Witness(
        definition.kind,
        comparison.distribution,
        comparison.record,
        comparison.a,
        comparison.b,
        None if averages else pair.knowledge,
        None,
        None,
        None,
        epsilon,
        value,
        None,
        databases,
        pair.direction or None,
        None if averages else comparison.output,
        comparison.measure.key,
    )
