"""A statement for all models of a block at once: where it is false (or true), and which models must be asked alone.

The truth of a statement is that of `wings.search.meaning`: for all values of its variables, and only vacuously so
where a vacuous verdict, counted as failing, would change it. What blocks cannot answer (acceptability, an ε whose e^ε
is too close to a ratio, two variables) may be true and may be false.

A threshold, the smallest e^ε or δ at which a definition holds, is a fraction num/den of integer columns; ∞ is n/0 with
n > 0. Fractions are compared by products; their bounds are stated, so that integers can be chosen that do not overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np

from verifier.definitions import find
from verifier.numbers import Epsilon
from verifier.questions.statement import And, Has, Holds, Not, Scaled, Statement, atoms
from verifier.wings.search.batch.block import NO, YES, Block, Column, Mask
from verifier.wings.search.batch.measure import Query, averages, compared, empty, fails, row_total
from verifier.wings.search.batch.number import ColumnNumber, over_common_total
from verifier.wings.search.batch.rows import Frame, Listing, listing, scheme_in_blocks
from verifier.wings.search.layers import Layer
from verifier.wings.search.theta_properties import FEATURES, bound_of

MOST_EVENTS = 6
"""Largest number of outcomes (2⁶ events) for which the smallest ε is computed at δ > 0."""


@dataclass(frozen=True)
class ColumnRatio:
    """The threshold num/den ≥ 0 of each model; ∞ where den is 0."""

    num: Column
    den: Column

    @property
    def finite(self) -> Mask:
        """The models whose threshold is finite."""
        mask: Mask = self.den > 0
        return mask

    def at_most(self, threshold: ColumnRatio, own_power: int = 1, other_power: int = 1) -> Mask:
        """The models in which self^(1/own_power) ≤ threshold^(1/other_power), for a finite threshold.

        This is decided as self^other_power ≤ threshold^own_power.
        """
        mask: Mask = (
            self.num**other_power * threshold.den**own_power <= threshold.num**own_power * self.den**other_power
        )
        return mask

    def larger(self, num: Column, den: Column, where: Mask | None) -> ColumnRatio:
        """The larger of this ratio and num/den in the models of `where`; 0/0 and negative numbers are left out."""
        better = num * self.den > self.num * den
        if where is not None:
            better = better & where
        return ColumnRatio(np.where(better, num, self.num), np.where(better, den, self.den))


def constant(block: Block, value: Fraction) -> ColumnRatio:
    """The threshold `value`, for all models of a block."""
    kind = block.law[0][0].dtype
    return ColumnRatio(np.full((1, 1), value.numerator, dtype=kind), np.full((1, 1), value.denominator, dtype=kind))


def can_tell_epsilon(query: Query, layer: Layer, outputs: int) -> bool:
    """Whether blocks decide the smallest ε of a query at its δ."""
    if not query.supported or query.reading == "infinite-loss":
        return False
    if query.listing is not None and not query.listing.tells_epsilon(layer.row_total):
        return False
    if query.delta == 0:
        return True
    outcomes = layer.shape.values if query.beliefs else outputs
    if query.averages:
        outcomes *= layer.shape.knowledge
    return not query.tail and outcomes <= MOST_EVENTS


def epsilon_size(query: Query, layer: Layer) -> int:
    """A bound on the numerators and denominators of the smallest e^ε."""
    if isinstance(query.measure, ColumnNumber):
        weight = (layer.law_total * layer.row_total) ** 2
        return query.measure.largest(weight, layer.row_total, layer.shape.outputs)
    size = 2 * (layer.law_total * layer.row_total) ** 2 * query.delta.denominator
    return size * lcm(*range(1, layer.law_total + 1)) if query.averages and query.delta else size


def smallest_factor(block: Block, query: Query) -> ColumnRatio:
    """The smallest e^ε ≥ 1 at which the definition holds with its δ (DMKB20, Definition 1: for each event S).

    P(S) - E·Q(S) ≤ δ for all S, hence E ≥ (P(S) - δ)/Q(S); at δ = 0 for single outcomes. Averages and tails at δ = 0
    ask the same of each B̂.
    """
    best = constant(block, Fraction(1))
    if query.averages and query.delta:
        return _average_factor(block, query, best)
    t = row_total(block, query)
    u, w = query.delta.numerator, query.delta.denominator
    for pair in compared(block, query):
        if isinstance(query.measure, ColumnNumber):
            best = best.larger(*query.measure.value(*over_common_total(pair, t)), pair.where)
            continue
        outcomes = list(zip(pair.p.weights, pair.q.weights, strict=True))
        for p, q in _events(outcomes) if u else outcomes:
            # over the denominators |P|·t and |Q|·t: E ≥ (w·p - u·|P|·t)·|Q| / (w·|P|·q)
            num = (p * w - pair.p.total * (u * t)) * pair.q.total
            best = best.larger(num, q * pair.p.total * w, pair.where)
    return best


def _events(outcomes: list[tuple[Column, Column]]) -> Iterator[tuple[Column, Column]]:
    """The pairs (P(S), Q(S)) of every event S that is not empty."""
    sums: list[tuple[Column, Column]] = []
    for p, q in outcomes:
        sums += [(p, q), *((x + p, y + q) for x, y in list(sums))]
    yield from sums


def _average_factor(block: Block, query: Query, best: ColumnRatio) -> ColumnRatio:
    """The smallest e^ε of an average at δ > 0: an event is a set of pairs (B̂, output), B̂ possible with both values."""
    t, common = block.row_total, block.common
    u, w = query.delta.numerator, query.delta.denominator
    for case, group in query.groups(block):
        outcomes = []
        for row in group.rows:
            p, q = case.law(row.p[0]), case.law(row.q[0])
            share = block.shares[q.total.astype(np.int64)]
            outcomes += [
                (x * (q.total > 0) * common, y * p.total * share)
                for x, y in zip(p.weights, q.weights, strict=True)
            ]  # fmt: skip
        for p_, q_ in _events(outcomes):
            best = best.larger(p_ * w - case.record_mass(group.a) * (u * t * common), q_ * w, None)
    return best


def smallest_delta(block: Block, query: Query) -> ColumnRatio:
    """The smallest δ at which the definition holds with its ε."""
    best = constant(block, Fraction(0))
    if query.averages:
        for total, den, where in averages(block, query):
            best = best.larger(total, den, where)
        return best
    t = row_total(block, query)
    for pair in compared(block, query):
        den = pair.p.total * (t * query.y)
        den = den * pair.q.total if query.linear else den
        best = best.larger(query.curve.excess(pair, query.factor), den, pair.where)
    return best


Atom: TypeAlias = Holds | Has
Blocks: TypeAlias = Callable[[int], Block]
"""A function of a bound: the block of the same models in integers that hold the bound."""
PRECISION = 12
"""Bits after the point of the rational bounds of an e^ε that is irrational."""


@dataclass(frozen=True)
class May:
    """The models in which a statement may be true, and those in which it may be false; if decided, one of the two."""

    be_true: Mask
    be_false: Mask


OPEN = May(YES, YES)


@dataclass(frozen=True)
class Known:
    """The verdicts of one atom: where it may hold or fail if it compares anything, and where it compares nothing."""

    may: May
    vacuous: Mask

    def read(self, *, vacuous: bool) -> May:
        """The models in which the atom may be true and may be false, with a vacuous verdict counted as `vacuous`."""
        if vacuous:
            return May(self.may.be_true | self.vacuous, self.may.be_false & ~self.vacuous)
        return May(self.may.be_true & ~self.vacuous, self.may.be_false | self.vacuous)


def _exactly(true: Mask, vacuous: Mask = NO) -> Known:
    return Known(May(true, ~true), vacuous)


@dataclass(frozen=True)
class WantedModels:
    """Masks over a block: the models that are wanted for sure, and all that may be wanted."""

    sure: Mask
    possible: Mask


@dataclass(frozen=True)
class Wanted:
    """The wanted models: those in which the statement is false or, with `true`, is true.

    With `vacuous`, models in which it is so only because a definition compares nothing are wanted, too.
    """

    statement: Statement
    true: bool = False
    vacuous: bool = False

    def find(self, blocks: Blocks, layer: Layer) -> WantedModels:
        """The wanted models of a block of a layer.

        A model is wanted if the statement is false for some values of the variables (with `true`: true for all of
        them), whether a vacuous verdict counts as holding or as failing; with `vacuous` it counts as holding.
        """
        questions = LayerQuestions(self.statement, layer, blocks)
        sure, possible = (NO, NO) if not self.true else (YES, YES)
        for known, valid in questions.valuations():
            readings = [
                truth(self.statement, known, vacuous=counted) for counted in (True, *([False] * (not self.vacuous)))
            ]
            now, maybe = YES, YES
            for may in readings:
                now = now & ~(may.be_false if self.true else may.be_true)
                maybe = maybe & (may.be_true if self.true else may.be_false)
            if self.true:
                sure, possible = sure & (now | ~valid), possible & (maybe | ~valid)
            else:
                sure, possible = sure | (now & valid), possible | (maybe & valid)
        return WantedModels(sure, possible)


def truth(statement: Statement, known: Mapping[Atom, Known], *, vacuous: bool) -> May:
    """The models in which a statement may be true and may be false, from its atoms; a vacuous one is `vacuous`."""
    if isinstance(statement, Holds | Has):
        return known[statement].read(vacuous=vacuous)
    if isinstance(statement, Not):
        inside = truth(statement.of, known, vacuous=vacuous)
        return May(inside.be_false, inside.be_true)
    true, false = (YES, NO) if isinstance(statement, And) else (NO, YES)
    for operand in statement.operands:
        may = truth(operand, known, vacuous=vacuous)
        if isinstance(statement, And):
            true, false = true & may.be_true, false | may.be_false
        else:
            true, false = true | may.be_true, false & may.be_false
    return May(true, false)


@dataclass(frozen=True)
class LayerQuestions:
    """The questions that a statement asks of the models of a layer."""

    statement: Statement
    layer: Layer
    blocks: Blocks

    def valuations(self) -> Iterator[tuple[dict[Atom, Known], Mask]]:
        """The verdicts at enough values of the variable to see every truth, each with the models that have the value.

        A definition holds from its threshold on, so that truth changes only at thresholds, and lasts to the right of
        them: 0 and the thresholds are enough.
        """
        all_atoms = list(atoms(self.statement))
        moving = [atom for atom in all_atoms if isinstance(atom, Holds) and atom.variables]
        known: dict[Atom, Known] = {atom: self.constant(atom) for atom in all_atoms if atom not in moving}
        if not moving:
            yield known, YES
        elif not self._one_variable(moving):
            yield {**known, **{atom: Known(OPEN, self._vacuous(self._query(atom))) for atom in moving}}, YES
        else:
            yield from self._moved(moving, known)

    def constant(self, atom: Atom) -> Known:
        """The verdicts of an atom without variables; for an atom with variables only where it compares nothing."""
        if isinstance(atom, Has):
            if atom.name not in FEATURES:
                return Known(OPEN, NO)
            return _exactly(FEATURES[atom.name](self.blocks(bound_of(self.layer.law_total, self.layer.row_total))))
        query = self._query(atom)
        vacuous = self._vacuous(query)
        if isinstance(atom.epsilon, Scaled) or isinstance(atom.delta, Scaled) or not query.supported:
            return Known(OPEN, vacuous)
        low, high = _factors(atom.epsilon) if query.measure.logarithmic else _levels(atom.epsilon)
        broken = [
            self._fails(atom, query if e == query.factor else replace(query, factor=e)) for e in {low: 0, high: 0}
        ]
        # what holds at a smaller ε holds, what fails at a larger one fails
        return Known(May(~broken[-1], broken[0]), vacuous)

    def _fails(self, atom: Holds, query: Query) -> Mask:
        failing = NO
        for block in self.blocks(self._bound(atom, query.bound)).on(atom.on):
            failing = failing | fails(block, query)
        return failing

    def _bound(self, atom: Holds, bound: Callable[[Layer], int]) -> int:
        """The bound for the derived mechanism of an atom, whose rows have a larger total where it is run twice."""
        if not atom.on:
            return bound(self.layer)
        layer, times = self.layer, 2 ** atom.on.split().count("twice")
        shape = replace(layer.shape, outputs=self._outputs(atom))
        return bound(Layer(shape, layer.support, layer.law_total, layer.row_total**times))

    def _vacuous(self, query: Query) -> Mask:
        if not query.supported:
            return NO
        rows = 1 if query.listing is None else self.layer.row_total
        return empty(self.blocks(bound_of(self.layer.law_total * rows, 1)), query)

    def _outputs(self, atom: Holds) -> int:
        return int(self.layer.shape.outputs ** (2 ** atom.on.split().count("twice")))

    def _query(self, atom: Holds) -> Query:
        """The query of an atom, without its variable."""
        factor = atom.epsilon.exp if isinstance(atom.epsilon, Epsilon) else None
        delta = atom.delta if isinstance(atom.delta, Fraction) else Fraction(0)
        return Query(atom.definition, factor, delta, atom.reading, self._listing(atom))

    def _listing(self, atom: Holds) -> Listing | None:
        """The rows of a definition of DP22, where blocks of this layer decide it on the mechanism that is asked."""
        if scheme_in_blocks(find(atom.definition)) is None:
            return None
        listed = listing(Frame.of(self.blocks(1)), atom.definition, atom.reading)
        if listed is None or not listed.decides(self._outputs(atom)) or (atom.on and listed.names_outputs):
            return None
        return listed

    def _one_variable(self, moving: list[Holds]) -> bool:
        """Whether blocks can tell the thresholds: of one ε at constant δ, or of one δ at constant ε."""
        if len({name for atom in moving for name in atom.variables}) > 1:
            return False
        for atom in moving:
            decidable = self._query(atom).supported
            if isinstance(atom.epsilon, Scaled):
                decidable = can_tell_epsilon(self._query(atom), self.layer, self._outputs(atom))
                decidable = decidable and not isinstance(atom.delta, Scaled) and not atom.epsilon.plus
            elif self._listing(atom) is not None:
                decidable = False  # a variable δ, which is asked model by model
            elif atom.epsilon is None or not (atom.epsilon.is_infinite or atom.epsilon.exp is not None):
                decidable = False
            if not decidable:
                return False
        return True

    def _moved(self, moving: list[Holds], known: dict[Atom, Known]) -> Iterator[tuple[dict[Atom, Known], Mask]]:
        powers = _powers(moving)
        sizes = {atom: self._size(atom) for atom in moving}
        bound = max(sizes[x] ** powers[y] * sizes[y] ** powers[x] for x in moving for y in moving)
        block = self.blocks(bound)
        thresholds = {atom: self._threshold(atom, block) for atom in moving}
        vacuous = {atom: self._vacuous(self._query(atom)) for atom in moving}
        epsilon = isinstance(moving[0].epsilon, Scaled)
        at: list[tuple[ColumnRatio, int, Mask]] = [(constant(block, Fraction(int(epsilon))), 1, YES)]
        for atom in moving:
            threshold = thresholds[atom]
            # a vacuous definition has no threshold; where ε is infinite, or δ above 1, no value is
            valid = threshold.finite if epsilon else threshold.num <= threshold.den
            at.append((threshold, powers[atom], valid & ~vacuous[atom]))
        for point, power, valid in at:
            if valid.any():
                moved: dict[Atom, Known] = {
                    atom: _exactly(threshold.at_most(point, powers[atom], power), vacuous[atom])
                    for atom, threshold in thresholds.items()
                }
                yield {**known, **moved}, valid

    def _size(self, atom: Holds) -> int:
        query = self._query(atom)
        if isinstance(atom.epsilon, Scaled):
            return self._bound(atom, lambda layer: epsilon_size(query, layer))
        size = self._bound(atom, query.bound)
        if isinstance(atom.delta, Scaled):
            plus, factor = atom.delta.plus, atom.delta.factor
            size *= 2 * max(plus.denominator, plus.numerator) * max(factor.denominator, factor.numerator)
        return size

    def _threshold(self, atom: Holds, block: Block) -> ColumnRatio:
        """The least e^ε, or the least value of the δ variable, at which a definition holds."""
        query, best = self._query(atom), None
        for derived in block.on(atom.on):
            threshold = (
                smallest_factor(derived, query) if isinstance(atom.epsilon, Scaled) else smallest_delta(derived, query)
            )
            best = threshold if best is None else best.larger(threshold.num, threshold.den, None)
        if best is None:
            raise ArithmeticError("a mechanism has a post-processing")
        if isinstance(atom.delta, Scaled):
            plus, factor = atom.delta.plus, atom.delta.factor
            num: Column = (best.num * plus.denominator - best.den * plus.numerator) * factor.denominator
            return ColumnRatio(num * (num > 0), best.den * (plus.denominator * factor.numerator))
        return best


def is_batched(atom: Holds) -> bool:
    """Whether blocks decide the definition in this reading; a definition of DP22 if its parameters allow it."""
    if scheme_in_blocks(find(atom.definition)) is not None:
        return True
    return Query(atom.definition, None, Fraction(0), atom.reading).supported


def _powers(moving: list[Holds]) -> dict[Holds, int]:
    """The r of each atom, where ε is r times a common unit; 1 for δ."""
    factors = {atom: atom.epsilon.factor if isinstance(atom.epsilon, Scaled) else Fraction(1) for atom in moving}
    unit = lcm(*(factor.denominator for factor in factors.values()))
    return {atom: int(factor * unit) for atom, factor in factors.items()}


def _factors(epsilon: Epsilon | None) -> tuple[Fraction | None, Fraction | None]:
    """Rational bounds of e^ε, equal where it is rational; None for ∞, and for some finite ε."""
    if epsilon is None or epsilon.is_infinite:
        return None, None
    if epsilon.exp is not None:
        return epsilon.exp, epsilon.exp
    return _rounded(epsilon.exp_bracket(64))


def _levels(epsilon: Epsilon | None) -> tuple[Fraction | None, Fraction | None]:
    """Rational bounds of ε, equal where it is rational; None for ∞, and for some finite ε."""
    if epsilon is None or epsilon.is_infinite:
        return None, None
    if epsilon.kind == "rational":
        return epsilon.coefficient, epsilon.coefficient
    return _rounded(epsilon.bracket(64))


def _rounded(ends: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Bounds with few bits after the point."""
    low, high = (end * 2**PRECISION for end in ends)
    return Fraction(low.__floor__(), 2**PRECISION), Fraction(high.__ceil__(), 2**PRECISION)
