"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from verifier.definitions.comparison import Comparison, Family
from verifier.definitions.definitions import DEFINITIONS, Definition, applies, find
from verifier.definitions.verdict import Share, Verdict, Witness
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order, probability
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import NO_LOSS, Profile, maximum
from verifier.tables import Label

NO_DELTA = Delta(Fraction(0), Fraction(0), ZERO)


def check(
    model: Model,
    definition: Definition | str,
    *,
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    engine: Engine | None = None,
    replay: bool = True,
) -> Verdict:
    """Decide a definition on a model, exactly, with the tightest parameters and a witness.

    `epsilon` is `"ln(p/q)"`, `"r*ln(p/q)"`, a rational, `"inf"`, or None for "some finite ε"; `delta` is a
    rational in [0, 1]. With `replay` the answer is derived again by `verifier.replay`, which shares no code.

    >>> from verifier.model import build
    >>> coin = build(
    ...     size=1,
    ...     values=[0, 1],
    ...     distribution={"iid": {0: "1/2", 1: "1/2"}},
    ...     mechanism=lambda d: {"yes": "3/4", "no": "1/4"} if d[0] else {"yes": "1/4", "no": "3/4"},
    ... )
    >>> print(check(coin, "apkdp", epsilon="ln(2)", delta="1/4"))
    apkdp holds at ε = ln(2), δ = 1/4; smallest δ 1/4 (0.25); smallest ε ln(2) (0.69314718056)

    Raises:
        InputError: for an ε, a δ, a definition or a reading that is none.
        LimitError: where the model has more worlds than the engine's limit.

    """
    question = find(definition)
    asked = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    bound = probability(delta, "delta", "δ")
    question.reading(reading)
    engine = engine or Engine(model)
    try:
        families = _families(engine, question, reading)
    except UnsupportedError as error:
        return Verdict(model, question.key, reading, asked, bound, "unsupported", str(error), note=question.note)
    answer = _decide(model, question, reading, asked, bound, families)
    if replay:
        from verifier.certificates import replayed

        return replayed(answer, engine)
    return answer


def passport(
    model: Model,
    *,
    epsilon: object = None,
    delta: object = 0,
    engine: Engine | None = None,
    replay: bool = True,
) -> list[Verdict]:
    """Every definition at once, in the default readings."""
    engine = engine or Engine(model)
    return [
        check(model, definition, epsilon=epsilon, delta=delta, engine=engine, replay=replay)
        for definition in DEFINITIONS.values()
    ]


def _families(engine: Engine, definition: Definition, reading: str) -> tuple[Family, ...]:
    made = engine.shared.setdefault((definition.families, reading), [])
    if not made:
        made.append(tuple(applies(definition, engine)(engine, reading)))
    found: tuple[Family, ...] = made[0]
    return found


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
            "nothing is compared: no sensitive value has an alternative",
            NO_DELTA if asked is not None else None,
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
        holds = tight_delta.order(bound) in {Order.LESS, Order.EQUAL}
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
    best, found = comparisons[0], comparisons[0].profile.epsilon(bound)
    for one in comparisons[1:]:
        if found.is_infinite:
            break
        new = one.profile.epsilon(bound)
        if new.is_infinite or (new.exp or 0) > (found.exp or 0):
            best, found = one, new
    return best, found


def _largest_delta(comparisons: Sequence[Comparison], epsilon: Epsilon) -> tuple[Comparison, Delta]:
    """The largest δ(ε) of all, and the first comparison that attains it."""
    best, found = comparisons[0], comparisons[0].profile.delta(epsilon)
    for one in comparisons[1:]:
        new = one.profile.delta(epsilon)
        if new.order(found) is Order.GREATER:
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
    value = found.profile.delta(epsilon)
    if definition.kind == "average":
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
