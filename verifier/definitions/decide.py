"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from itertools import chain
from typing import TypeAlias

from verifier.definitions.attack import condition_witness, event_witness, number_witness
from verifier.definitions.compared_kinds import Unlisted
from verifier.definitions.comparison import Comparison
from verifier.definitions.definition import Definition
from verifier.definitions.interval_decision import decide_enclosed
from verifier.definitions.measures.curves import HOCKEY_STICK, Curve, CurveMeasure
from verifier.definitions.measures.divergence import Condition, Divergence, merges_outputs
from verifier.definitions.neighbour_pools import Columns
from verifier.definitions.pairs import MeasurePair
from verifier.definitions.pools import (
    Pool,
    largest_delta,
    largest_epsilon,
    largest_number,
    pools_of,
)
from verifier.definitions.verdict import NO_DELTA, Question, Verdict
from verifier.definitions.witness import Witness
from verifier.engine import Engine
from verifier.errors import UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import DIGITS, INFINITY, ZERO, Enclosure, Epsilon, Order
from verifier.numbers.reals import enclosure, order
from verifier.profile import NO_LOSS, envelope, largest
from verifier.tables import Label

Outputs: TypeAlias = Callable[[tuple[Label, ...]], tuple[Label, ...]]
"""The outputs that an event stands for, where some were merged."""


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
    question = Question(engine, definition, epsilon, delta, definition.reading(reading), digits)
    try:
        definition.applies(engine)
        definition.admits(delta)
        compared = definition.comparisons
        if isinstance(compared, Unlisted):
            return compared.decide(question)
        return compared.qualified(question, decide_listed(question))
    except UnsupportedError as error:
        return question.answer("unsupported", str(error))
    except UndecidedError as error:
        return question.answer("undecided", str(error))


def decide_listed(question: Question) -> Verdict:
    """The verdict by the worst of the comparisons that the definition lists on the engine's model.

    Raises:
        UnsupportedError: for `one-order` where the file does not say which of two protected values is the first.

    """
    engine, epsilon, delta, reading = question.engine, question.epsilon, question.delta, question.reading
    by_builder, model, answer = question.definition.reads_policy, engine.model, question.answer
    if reading == "one-order":
        _refuse_unordered(model)
    definition = question.definition.on(engine)
    outputs: Outputs = tuple
    by_name = not definition.reads_policy
    if by_name and engine.balls:
        return decide_enclosed(replace(question, definition=definition))
    measure = definition.measure_in(engine, reading)
    definition.admits_epsilon(measure, epsilon)
    merging = engine.merging if definition.comparisons.merges_outputs and merges_outputs(measure) else None
    if merging is not None:
        engine, outputs = merging[0], merging[1].outputs
    sets = definition.sets(engine, reading)
    if by_name:
        answer = partial(answer, method=question.engine.method)
    if not by_builder:
        answer = partial(answer, empty=sum(each.members for each in sets if not each.comparisons))
    pools = pools_of(sets)
    if not pools:
        reason = definition.about.nothing
        if isinstance(measure, Divergence | Condition):
            return answer("vacuous", reason, None, ZERO if isinstance(measure, Divergence) else None)
        return answer("vacuous", reason, NO_DELTA, ZERO, _profile=lambda: measure.curve(NO_LOSS))
    answer = partial(answer, comparisons=sum(map(len, pools)), multiplicity=sum(pool.multiplicity for pool in pools))
    if isinstance(measure, Condition):
        return _met(answer, model, definition, measure, pools)
    if isinstance(measure, Divergence):
        showing = partial(number_witness, model, definition, measure, pools=pools, delta=delta)
        showing = showing if merging is None else partial(_plain_witness, question)
        return _bounded_by_epsilon(answer, showing, measure, epsilon, delta, pools)
    closest, tight_epsilon = largest_epsilon(pools, delta)
    show = _with_outputs(outputs, partial(event_witness, model, definition, pools=pools))
    tight_delta = witness = tightest = None
    if epsilon is None:
        holds = not tight_epsilon.is_infinite
        if holds:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            witness = partial(show, largest_delta(pools, INFINITY)[0], INFINITY)
    else:
        worst, tight_delta = largest_delta(pools, epsilon)
        holds = tight_delta.order(delta).settled() in {Order.LESS, Order.EQUAL}
        if not holds:
            witness = partial(show, worst, epsilon)
        elif tight_delta.is_zero or by_builder:
            tightest = partial(show, closest, tight_epsilon, closed=True)
        else:
            tightest = partial(show, worst, epsilon)
    one_curve = all(pool.has_profile for pool in pools)
    return answer(
        "holds" if holds else "fails",
        None,
        tight_delta,
        tight_epsilon,
        _witness=witness,
        _tightest=tightest,
        _profile=(lambda: whole_profile(measure, pools)) if one_curve else None,
        _at=None if measure is HOCKEY_STICK and one_curve else lambda at: largest_delta(pools, at)[1],
    )


def _refuse_unordered(model: Model) -> None:
    """Refuse the reading one-order where the file does not order the values of what it protects."""
    secrets = model.secrets[:1]
    if not all(secret.ordered for secret in secrets):
        raise UnsupportedError(
            "the reading one-order compares a with b where a comes first, but the file does not order the values "
            "of what it protects",
            tip=f"values = {[value.shown for value in secrets[0].domain]} in [sensitive] says that order",
        )


def _with_outputs(outputs: Outputs, show: Callable[..., Witness]) -> Callable[..., Witness]:
    """Show a witness with the outputs that its events stand for."""
    return lambda *about, **options: show(*about, **options).with_outputs(outputs)


def _plain_witness(question: Question, *_: object) -> Witness:
    """The witness of a number where nothing is merged, since it may list single outputs with their probabilities."""
    answer = decide_listed(replace(question, engine=replace(question.engine, force="rows", _kept={})))
    shown = answer.witness or answer.tightest
    if shown is None:
        raise ArithmeticError("the plain way has no witness")
    return shown


def _met(
    answer: Callable[..., Verdict], model: Model, definition: Definition, condition: Condition, pools: Sequence[Pool]
) -> Verdict:
    """Whether a condition holds of every pair of laws; there is no ε in it."""
    for comparison in chain.from_iterable(pool.firsts for pool in pools):
        if not condition.holds(MeasurePair.of(comparison.terms[0].pair)):
            words = comparison.row.words if comparison.row else comparison.words(model)
            reason = f"the {condition.title} of {words} does not hold"
            show = partial(condition_witness, model, definition, condition, comparison)
            return answer("fails", reason, _witness=show)
    return answer("holds", None)


def _bounded_by_epsilon(
    answer: Callable[..., Verdict],
    show: Callable[[Comparison, Epsilon | Enclosure], Witness],
    measure: Divergence,
    epsilon: Epsilon | None,
    delta: Fraction,
    pools: Sequence[Pool],
) -> Verdict:
    """The verdict for a measure that is one number: the largest is the smallest ε, of the first comparison that has it.

    At ε = ∞ the question is whether the number is finite, as it is for a curve whether δ(ε) ever falls to δ.
    """
    worst, value = largest_number(measure, pools, delta)
    tight_epsilon = enclosure(value)
    if isinstance(tight_epsilon, Enclosure):
        answer = partial(answer, method="enclosure")
    against = order(value, INFINITY if epsilon is None else epsilon)
    if against is Order.UNDECIDED:
        reason = f"the smallest ε lies in {tight_epsilon}, and is not known better"
        return answer("undecided", reason, None, tight_epsilon)
    holds = against is not Order.GREATER and order(value, INFINITY) is Order.LESS
    evidence = {"_tightest" if holds else "_witness": partial(show, worst, tight_epsilon)}
    return answer("holds" if holds else "fails", None, None, tight_epsilon, **evidence)


def whole_profile(measure: CurveMeasure, pools: Sequence[Pool]) -> Curve:
    """δ(ε) as the pointwise maximum of the curves of all comparisons.

    Those that share outcomes are taken at once, the others one by one, so that denominators stay small.
    """
    if measure is not HOCKEY_STICK:
        return measure.worst(comparison.profile for pool in pools for comparison in pool.firsts)
    columns = [pool for pool in pools if isinstance(pool, Columns)]
    curves = [(line.denominator, [(line.q, line.p)]) for pool in columns for line in pool.lines()]
    windows, remaining = [], []
    for comparison in (comparison for pool in pools if not isinstance(pool, Columns) for comparison in pool.firsts):
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
