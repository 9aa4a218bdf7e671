"""From the worst comparison to its witness: which laws, which set of outputs, and what anyone adds up again.

A curve has the set of outputs whose loss is above ε, and an average one set for each of its terms. A number has what
its measure shows (`Divergence.shown`): an output, a set, or all outputs with their probabilities. A condition has the
set that breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.definitions.compared_laws import TwoLaws, law_on
from verifier.definitions.comparison import Comparison, Least, Term
from verifier.definitions.definition import Definition
from verifier.definitions.measures.curves import HOCKEY_STICK
from verifier.definitions.measures.divergence import Condition, Divergence, possible
from verifier.definitions.pairs import AnyPair, MeasurePair, Sum
from verifier.definitions.pools import AllBut, Pool
from verifier.definitions.witness import Chances, Part, Piece, Share, Witness
from verifier.model import Model
from verifier.numbers import ZERO, Delta, Enclosure, Epsilon
from verifier.numbers.reals import enclosure
from verifier.tables import Label


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
        shares = zip(comparison.terms, measure.shares(comparison, Fraction(0)), strict=True)
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
