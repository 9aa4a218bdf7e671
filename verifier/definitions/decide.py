"""From comparisons to a verdict: the worst comparison, its event, and the tightest parameters.

A pool is asked for the worst of its comparisons at an ε: a `Listed` one looks at all, which have one scale; of an
`AllBut` some may be left out; neighbours are pools of their own (`neighbour_pools`). The worst has a witness, which
anyone adds up again. Of a curve it has the set of outputs whose loss is above ε, of an average one set for each of its
terms; of a number what its measure shows (`Divergence.shown`): an output, a set, or all outputs with their
probabilities; of a condition the set that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, cmp_to_key, partial, reduce
from itertools import accumulate, chain, groupby
from typing import Protocol, TypeAlias, TypeVar

from verifier.definitions.compared_kinds import Unlisted
from verifier.definitions.comparison import (
    CURVES,
    HOCKEY_STICK,
    AnyPair,
    Comparison,
    ComparisonSet,
    Curve,
    CurveMeasure,
    Least,
    MeasurePair,
    Pair,
    Sum,
    Term,
    worst_line,
)
from verifier.definitions.definition import Definition
from verifier.definitions.interval_decision import decide_enclosed
from verifier.definitions.measures.divergence import Algebraic, Condition, Divergence, possible
from verifier.definitions.neighbour_pools import Columns, OnDemand
from verifier.definitions.verdict import (
    NO_DELTA,
    Chances,
    Part,
    Piece,
    Question,
    Share,
    TwoLaws,
    Verdict,
    Witness,
    law_on,
)
from verifier.engine import Engine
from verifier.errors import UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import DIGITS, INFINITY, ZERO, Delta, Enclosure, Epsilon, Order
from verifier.numbers.reals import Real, enclosure, larger, may_be_largest, order, settled
from verifier.profile import NO_LOSS, Profile, envelope, largest
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
    reads_policy, model, answer = question.definition.reads_policy, engine.model, question.answer
    if reading == "one-order":
        _refuse_unordered(model)
    definition = question.definition.on(engine)
    outputs: Outputs = tuple
    by_name = not definition.reads_policy
    if by_name and engine.balls:
        return decide_enclosed(replace(question, definition=definition))
    measure = definition.measure_in(engine, reading)
    definition.admits_epsilon(measure, epsilon)
    merging = engine.merging if definition.comparisons.merges_outputs and _allows_merging(measure) else None
    if merging is not None:
        engine, outputs = merging[0], merging[1].outputs
    sets = definition.sets(engine, reading)
    if by_name:
        answer = partial(answer, method=question.engine.method)
    if not reads_policy:
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
        elif tight_delta.is_zero or (reads_policy and (epsilon, tight_epsilon) != (ZERO, ZERO)):  # 0 is needed by all
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


def _allows_merging(measure: CurveMeasure | Divergence | Condition) -> bool:
    """Whether a measure may be taken of laws whose outputs of one ratio on all databases are merged.

    All that do not name outputs have the same value, but a number that is no term over a ring may be written in another
    form where fewer terms are added: it keeps all outputs. So does a condition, whose witness names the outputs.
    """
    return isinstance(measure, Algebraic) or measure.key in CURVES


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


def event_witness(
    model: Model,
    definition: Definition,
    comparison: Comparison,
    epsilon: Epsilon,
    *,
    closed: bool = False,
    pools: Sequence[Pool] = (),
) -> Witness:
    """The event of a comparison at ε; closed at the tightest ε, so that the outputs that attain it are in."""
    measure, at = comparison.measure, comparison.at(epsilon)
    closed = closed and not at.is_infinite and (measure is HOCKEY_STICK or at.exp != 1)
    named = _named(model, definition, comparison, at, comparison.delta(epsilon))
    if isinstance(comparison, Least):
        return _least_witness(named, comparison, at, closed=closed)
    if len(comparison.terms) > 1 or definition.aggregation.averages:
        terms = tuple(_share(model, definition, comparison, term, at, closed=closed) for term in comparison.terms)
        return replace(named, terms=terms)
    named = _with_event(named, comparison.terms[0].pair, comparison.terms[0].pair.event(at, closed=closed))
    pool = _pool_of(comparison, pools)
    if pool is None:
        return named
    pieces = tuple(
        _piece(model, definition, each, each.terms[0].pair.event(at, closed=closed)) for each in pool.above(at)
    )
    return replace(named, share=comparison.share, pieces=pieces)


def _least_witness(named: Witness, comparison: Least, at: Epsilon, *, closed: bool) -> Witness:
    """The event that is left by the best choice of what is left out; the pieces have that of every choice."""
    every, pieces = comparison.terms[0].pair, []
    outputs = [output for output, _, _ in possible(MeasurePair.of(every))]
    for alternative in comparison.alternatives:
        pair = alternative.terms[0].pair
        kept = {output for output, _, _ in possible(MeasurePair.of(pair))}
        event = pair.event(at, closed=closed)
        left_out = tuple(output for output in outputs if output not in kept)
        pieces.append(Piece(event, *_both(pair, event), left_out=left_out))
    pair = comparison.least(at).terms[0].pair
    return replace(_with_event(named, pair, pair.event(at, closed=closed)), pieces=tuple(pieces))


def _share(
    model: Model, definition: Definition, comparison: Comparison, term: Term, at: Epsilon, *, closed: bool
) -> Share:
    """One term of an average, with its own δ, event and laws."""
    event = term.pair.event(at, closed=closed)
    delta = comparison.measure.of(Sum(*term.pair.line(at), term.pair.denominator)).delta(at)
    weight, masses = Fraction(int(term.mass), int(comparison.total)), term.pair.masses(event)
    laws = _laws_of_term(model, definition, comparison, term)
    return Share(term.pair.knowledge, weight, delta, event, *masses, term.members, laws)


def number_witness(
    model: Model,
    definition: Definition,
    measure: Divergence,
    comparison: Comparison,
    value: Epsilon | Enclosure,
    *,
    pools: Sequence[Pool] = (),
    delta: Fraction = Fraction(0),
) -> Witness:
    """The comparison and its number, with what shows it; of an average the numbers and the outputs of its pairs."""
    at = value if isinstance(value, Epsilon) else ZERO
    named = replace(_named(model, definition, comparison, at, value), measure=measure.key)
    if definition.aggregation.averages or len(comparison.terms) > 1:
        shares = zip(comparison.terms, measure.shares(comparison, delta), strict=True)
        parts = tuple(
            Part(
                term.pair.knowledge,
                weight,
                enclosure(part),
                term.members,
                _laws_of_term(model, definition, comparison, term),
                _chances(term.pair),
            )
            for term, (weight, part) in shares
        )
        return replace(named, parts=parts)
    pair = comparison.terms[0].pair
    pool = _pool_of(comparison, pools)
    if pool is not None:
        numbers = [measure.number(each, delta) for each in pool]
        pieces = tuple(
            _piece(model, definition, each, measure.shown(MeasurePair.of(each.terms[0].pair)).event or ())
            for each in pool.beyond(numbers)
        )
        named = replace(named, share=comparison.share, pieces=pieces)
    if pair.unmatched:
        return _with_event(named, pair, pair.event(ZERO))
    laws = MeasurePair.of(pair)
    event, outputs = measure.shown(laws)
    if comparison.row is not None and comparison.row.view.event is not None:
        return replace(named, event=comparison.row.view.event, pieces=_of_databases(model, comparison, outputs or ()))
    impossible = tuple(output for output, p, q in possible(laws) if p and not q)
    if event is None and at.is_infinite and impossible:
        event = impossible
    if event is not None:
        named = _with_event(named, pair, event)
    return named if outputs is None else replace(named, chances=_chances(pair, outputs))


def _of_databases(model: Model, comparison: Comparison, outputs: Sequence[Label]) -> tuple[Piece, ...]:
    """The event on two databases, and without the record: of a set of outputs for all priors (SemPr)."""
    row, pair, absent = comparison.row, MeasurePair.of(comparison.terms[0].pair), model.absent
    if row is None or row.view.event is None:
        raise TypeError("no set of outputs is compared")
    pieces = []
    for output in outputs:
        database = tuple(model.values.index(entry) for entry in output.entries or ())
        law = law_on(model, [(database, 1)])
        laws: TwoLaws = law, replace(law, record=comparison.record, set_to=absent)
        pieces.append(Piece(row.view.event, *_both(pair, (output,)), laws=laws))
    return tuple(pieces)


def condition_witness(model: Model, definition: Definition, condition: Condition, comparison: Comparison) -> Witness:
    """The comparison and the set of outputs that breaks a condition."""
    pair = MeasurePair.of(comparison.terms[0].pair)
    broken = condition.broken(pair)
    if broken is None:
        raise ArithmeticError("a condition that holds has no witness")
    event, excess = broken
    return _with_event(replace(_named(model, definition, comparison, ZERO, excess), measure=condition.key), pair, event)


def _with_event(named: Witness, pair: AnyPair, event: tuple[Label, ...]) -> Witness:
    mass_a, mass_b = pair.masses(event)
    return replace(named, event=event, probability_a=mass_a, probability_b=mass_b)


def _piece(model: Model, definition: Definition, comparison: Comparison, event: tuple[Label, ...]) -> Piece:
    """One pair of laws of which a share may be left out."""
    pair = comparison.terms[0].pair
    laws = definition.comparisons.laws(model, comparison, pair)
    return Piece(event, *_both(pair, event), laws=laws, weight=comparison.share)


def _both(pair: AnyPair, event: tuple[Label, ...]) -> tuple[Fraction, Fraction]:
    mass_a, mass_b = pair.masses(event)
    if mass_b is None:
        raise ArithmeticError("a law of databases exists")
    return mass_a, mass_b


def _chances(pair: AnyPair, outputs: Sequence[Label] | None = None) -> tuple[Chances, ...]:
    """The named outputs with their probabilities, else all that one of the laws can produce."""
    if pair.unmatched:
        return tuple(Chances(output, pair.masses((output,))[0], None) for output in pair.event(ZERO))
    rows = {output: (p, q) for output, p, q in MeasurePair.of(pair).rows()}
    chosen = [output for output, (p, q) in rows.items() if p or q] if outputs is None else outputs
    return tuple(Chances(output, *rows[output]) for output in chosen)


def _pool_of(comparison: Comparison, pools: Sequence[Pool]) -> AllBut | None:
    """The pool of a comparison where some of its comparisons may be left out."""
    listed = (pool for pool in pools if isinstance(pool, AllBut))
    return next((pool for pool in listed if any(each is comparison for each in pool.comparisons)), None)


def _laws_of_term(model: Model, definition: Definition, comparison: Comparison, term: Term) -> TwoLaws | None:
    if term.row is not None:
        return term.row.laws(model)
    return definition.comparisons.laws(model, comparison, term.pair)


def _laws_of(model: Model, definition: Definition, comparison: Comparison) -> TwoLaws | None:
    """The two laws of a comparison; of an average over B̂ without B̂, of one over several rows None."""
    if comparison.row is not None and len(comparison.terms) == 1 and comparison.terms[0].row is not None:
        return comparison.terms[0].row.laws(model)
    pair = None if definition.aggregation.averages else comparison.terms[0].pair
    return definition.comparisons.laws(model, comparison, pair)


def _named(
    model: Model,
    definition: Definition,
    comparison: Comparison,
    epsilon: Epsilon,
    value: Delta | Enclosure | Epsilon | Fraction,
) -> Witness:
    """A witness that says which comparison it is of, and what this attains; an average is of no B̂ in particular."""
    averages, pair, row = definition.aggregation.averages, comparison.terms[0].pair, comparison.row
    two = row.databases if row else comparison.databases() if comparison.databases and not averages else None
    first, second = two or ((), ())
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
        databases if two is not None else None,
        (row.direction if row else pair.direction) or None,
        None if averages else comparison.output,
        comparison.measure.key,
        compared=row.compared if row else None,
        laws=_laws_of(model, definition, comparison),
        scale=comparison.scale,
    )


Kept = TypeVar("Kept")
FEW = 64
"""Comparisons that are looked at one by one without asking which have one curve."""


class Pool(Protocol):
    """Comparisons of which the worst is asked for."""

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""

    @property
    def has_profile(self) -> bool:
        """Whether the largest δ(ε) is a maximum of profiles: at ε itself, and with none left out."""

    @property
    def firsts(self) -> Sequence[Comparison]:
        """Comparisons among which is, for each of all, one with the same curve and divergences, the first in order."""

    def __len__(self) -> int:
        """How many comparisons there are."""

    def __iter__(self) -> Iterator[Comparison]:
        """Iterate over the comparisons, one by one."""

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what it is allowed."""

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:
        """An ε that the pool needs at `delta`, and that is enough for this comparison."""

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""


@dataclass(frozen=True)
class Listed:
    """Comparisons that are looked at one by one."""

    comparisons: Sequence[Comparison]

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""
        return sum(comparison.multiplicity for comparison in self.comparisons)

    @property
    def has_profile(self) -> bool:
        """Whether ε is allowed, not a multiple of it, and no comparison is the least of several."""
        return self.comparisons[0].scale == 1 and not any(isinstance(one, Least) for one in self.comparisons)

    @property
    def firsts(self) -> Sequence[Comparison]:
        """All comparisons."""
        return self.comparisons

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what they are all allowed."""
        at = self.comparisons[0].at(epsilon)
        return worst_line(((comparison, comparison.line(at)) for comparison in self._curves), at)

    @cached_property
    def _curves(self) -> Sequence[Comparison]:
        """The comparisons without those that have one pair of laws whose profile is that of an earlier pair."""
        if len(self.comparisons) < FEW:
            return self.comparisons
        known: set[Profile] = set()
        listed = []
        for one in self.comparisons:
            term = one.terms[0]
            if len(one.terms) == 1 and term.mass == one.total and type(term.pair) is Pair and type(one) is Comparison:
                if term.pair.profile in known:
                    continue
                known.add(term.pair.profile)
            listed.append(one)
        return listed

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:
        """The ε that this comparison needs, and so the pool."""
        return comparison.epsilon(delta)

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""
        return next((comparison for comparison in self._curves if comparison.needs(epsilon, delta)), None)


@dataclass(frozen=True)
class AllBut(Listed):
    """Comparisons in cases, of which a total share γ = `left_out` may be left out; all have the scale 1.

    What counts is the largest value that more than the share γ reaches, or the least of all.
    """

    left_out: Fraction

    @property
    def has_profile(self) -> bool:
        """False: which cases are left out depends on ε."""
        return False

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The comparison that counts at ε, and its line."""
        return self._by_line(epsilon)[-1]

    def above(self, epsilon: Epsilon) -> list[Comparison]:
        """The comparisons with the largest δ(ε), one of each case, up to the one that counts: more than γ in all."""
        return [comparison for comparison, _ in self._by_line(epsilon)]

    def _by_line(self, epsilon: Epsilon) -> list[tuple[Comparison, Sum]]:
        lines = [(one, one.line(epsilon)) for one in self.comparisons]
        return self._counting(lines, lambda x, y: x.exceeds(y, epsilon))

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:  # noqa: ARG002
        """The smallest ε: that of the comparison which counts at δ."""
        return self._by_epsilon(delta)[1]

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The comparison that counts at δ, where it needs this ε."""
        counting, smallest = self._by_epsilon(delta)
        return counting if smallest == epsilon else None

    def _by_epsilon(self, delta: Fraction) -> tuple[Comparison, Epsilon]:
        listed = [(one, one.epsilon(delta)) for one in self.comparisons]
        return self._counting(listed, lambda x, y: x > y)[-1]

    def value(self, numbers: Sequence[Real]) -> tuple[Comparison, Real]:
        """The comparison that counts where these are the numbers of all, and its number."""
        return self._by_number(numbers)[-1]

    def beyond(self, numbers: Sequence[Real]) -> list[Comparison]:
        """The comparisons with the largest numbers, one of each case, up to the one that counts: more than γ in all."""
        return [comparison for comparison, _ in self._by_number(numbers)]

    def _by_number(self, numbers: Sequence[Real]) -> list[tuple[Comparison, Real]]:
        listed = list(zip(self.comparisons, numbers, strict=True))
        return self._counting(listed, lambda x, y: settled(order(x, y)) is Order.GREATER)

    def _counting(
        self, listed: Sequence[tuple[Comparison, Kept]], exceeds: Callable[[Kept, Kept], bool]
    ) -> list[tuple[Comparison, Kept]]:
        """The worst of each case, the largest first, until their shares are more than γ."""

        def first(entries: Iterable[tuple[Comparison, Kept]]) -> tuple[Comparison, Kept]:
            return reduce(lambda best, entry: entry if exceeds(entry[1], best[1]) else best, entries)

        def downwards(x: tuple[Comparison, Kept], y: tuple[Comparison, Kept]) -> int:
            return exceeds(y[1], x[1]) - exceeds(x[1], y[1])

        if not self.left_out:
            return [first(listed)]
        cases = sorted(
            (first(rows) for _, rows in groupby(listed, key=lambda entry: entry[0].case)), key=cmp_to_key(downwards)
        )
        reached = accumulate(comparison.share for comparison, _ in cases)
        enough = next((k for k, share in enumerate(reached) if share > self.left_out), len(cases) - 1)
        return cases[: enough + 1]


def pools_of(listed_sets: Iterable[ComparisonSet]) -> list[Pool]:
    """The comparisons of several sets, in their order, as pools.

    Neighbours on demand stay as they are; of a set some of whose cases may be left out there is one pool; others are
    joined as far as they have one scale, so that their lines are at one e^(c·ε).
    """
    pools: list[Pool] = []
    for left_out, alike in groupby(listed_sets, key=lambda one: one.left_out):
        if left_out is not None:
            pools += [AllBut(one.comparisons, left_out) for one in alike if one.comparisons]
            continue
        for on_demand, sets in groupby(alike, key=lambda one: isinstance(one.comparisons, OnDemand)):
            if on_demand:
                pools += [one.comparisons for one in sets if isinstance(one.comparisons, OnDemand)]
                continue
            listed = chain.from_iterable(one.comparisons for one in sets)
            pools += [Listed(list(of_scale)) for _, of_scale in groupby(listed, key=lambda one: one.scale)]
    return pools


def largest_delta(pools: Sequence[Pool], epsilon: Epsilon) -> tuple[Comparison, Delta]:
    """The first comparison that attains the largest δ(ε) of all, and that δ."""
    comparison, delta, _ = _largest_delta(pools, epsilon)
    return comparison, delta


def _largest_delta(pools: Sequence[Pool], epsilon: Epsilon) -> tuple[Comparison, Delta, Pool]:
    """The same with the pool; lines at one e^(c·ε) are compared as integers, others as numbers."""
    best, at = None, epsilon
    for pool in pools:
        comparison, line = pool.largest(epsilon)
        here = comparison.at(epsilon)
        if best is None:
            greater = True
        elif here == at:
            greater = line.exceeds(best[1], at)
        else:
            greater = line.delta(here).order(best[1].delta(at)).settled() is Order.GREATER
        if greater:
            best, at = (comparison, line, pool), here
    if best is None:
        raise ArithmeticError("the largest δ of no comparisons")
    return best[0], best[1].delta(at), best[2]


def largest_epsilon(pools: Sequence[Pool], bound: Fraction) -> tuple[Comparison, Epsilon]:
    """The first comparison that needs the smallest ε at which all have δ(ε) ≤ `bound`, and that ε.

    The worst comparison at an ε that is not enough says which larger one to try next.
    """
    infinite = largest_delta(pools, INFINITY)[1]
    if infinite.order(bound).settled() is Order.GREATER:
        smallest = INFINITY
    else:
        worst_comparison, delta, pool = _largest_delta(pools, ZERO)
        smallest = ZERO
        while delta.order(bound).settled() is Order.GREATER:
            last, smallest = smallest, pool.smallest(worst_comparison, bound)
            if not last < smallest:
                raise ArithmeticError("the smallest ε of a comparison is not enough for it")
            worst_comparison, delta, pool = _largest_delta(pools, smallest)
    first = next((comparison for pool in pools if (comparison := pool.needing(smallest, bound)) is not None), None)
    if first is None:
        raise ArithmeticError(f"no comparison needs the smallest ε, {smallest.text(40)}")
    return first, smallest


def largest_number(measure: Divergence, pools: Sequence[Pool], delta: Fraction) -> tuple[Comparison, Real]:
    """The first comparison with the largest number of all, which is the smallest ε at `delta`, and that number.

    Numbers that are only enclosed and cannot be told apart are enclosed together.
    """
    listed: list[tuple[Comparison, Real]] = []
    known: dict[object, Real] = {}

    def number(comparison: Comparison) -> Real:
        """The number of a comparison; one object for all with the same laws, so that it is known to equal itself."""
        (term, *more), scale = comparison.terms, comparison.scale
        if more or not isinstance(term.pair, Pair):
            return measure.number(comparison, delta)
        key = term.pair.outputs, term.pair.p, term.pair.q, term.pair.totals, term.mass, comparison.total, scale
        if key not in known:
            known[key] = measure.number(comparison, delta)
        return known[key]

    for pool in pools:
        counting = pool if measure.one_by_one else pool.firsts
        numbers = [number(comparison) for comparison in counting]
        listed += [pool.value(numbers)] if isinstance(pool, AllBut) else zip(counting, numbers, strict=True)
    firsts: dict[int, tuple[Comparison, Real]] = {}
    for entry in listed:
        firsts.setdefault(id(entry[1]), entry)
    different = list(firsts.values())
    candidates = [different[k] for k in may_be_largest([value for _, value in different])]
    best = candidates[0]
    for candidate in candidates:
        compared = order(candidate[1], best[1])
        if compared is Order.GREATER:
            best = candidate
        elif compared is Order.UNDECIDED:
            best = best[0], larger(best[1], candidate[1])
    return best
