"""A statement for all models of a block at once: where it is false (or true), and where that must be asked one by one.

The truth of a statement is that of `wings.search.meaning`: for all values of its variables, and only vacuously so
where a vacuous verdict, counted as failing, would change it. What blocks cannot answer (acceptability, an ε whose e^ε
is too close to a ratio, two variables) may be true and may be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from verifier.numbers import Epsilon
from verifier.questions.statement import And, Has, Holds, Not, Scaled, Statement, atoms
from verifier.wings.search.batch import NO, YES, Block, Column, Mask
from verifier.wings.search.batch_measure import Asked, empty, fails
from verifier.wings.search.batch_tight import (
    Threshold,
    can_tell_epsilon,
    constant,
    delta_size,
    epsilon_size,
    smallest_delta,
    smallest_factor,
)
from verifier.wings.search.enumeration import Layer
from verifier.wings.search.features import FEATURES, bound_of

Atom: TypeAlias = Holds | Has
Blocks: TypeAlias = Callable[[int], Block]
"""The same models in integers that are large enough for a bound."""
PRECISION = 12
"""Bits after the point of the rational bounds of an e^ε that is irrational."""


@dataclass(frozen=True)
class May:
    """In which models something may be true, and in which it may be false; where it is known, one of the two."""

    be_true: Mask
    be_false: Mask


OPEN = May(YES, YES)


@dataclass(frozen=True)
class Known:
    """Verdicts of one atom: where it may fail, may hold if it compares anything, and where it compares nothing."""

    may: May
    vacuous: Mask

    def read(self, *, vacuous: bool) -> May:
        """With a vacuous verdict counted as true or as false."""
        if vacuous:
            return May(self.may.be_true | self.vacuous, self.may.be_false & ~self.vacuous)
        return May(self.may.be_true & ~self.vacuous, self.may.be_false | self.vacuous)


def _exactly(true: Mask, vacuous: Mask = NO) -> Known:
    return Known(May(true, ~true), vacuous)


@dataclass(frozen=True)
class Found:
    """What a block says: models that are wanted for sure, and all that may be."""

    sure: Mask
    possible: Mask


@dataclass(frozen=True)
class Wanted:
    """Models in which the statement is false, or (`true`) those in which it is; `vacuous` takes vacuous ones too."""

    statement: Statement
    true: bool = False
    vacuous: bool = False

    def find(self, blocks: Blocks, layer: Layer) -> Found:
        """Ask a block.

        A model is wanted if the statement is false at some place, or true at all, under both readings of "vacuous".
        """
        asked = Questions(self.statement, layer)
        sure, possible = (NO, NO) if not self.true else (YES, YES)
        for known, valid in asked.places(blocks):
            readings = [truth(self.statement, known, vacuous=one) for one in (True, *([False] * (not self.vacuous)))]
            now, maybe = YES, YES
            for may in readings:
                now = now & ~(may.be_false if self.true else may.be_true)
                maybe = maybe & (may.be_true if self.true else may.be_false)
            if self.true:
                sure, possible = sure & (now | ~valid), possible & (maybe | ~valid)
            else:
                sure, possible = sure | (now & valid), possible | (maybe & valid)
        return Found(sure, possible)


def truth(one: Statement, known: Mapping[Atom, Known], *, vacuous: bool) -> May:
    """Whether a statement may be true and may be false, from its atoms."""
    if isinstance(one, Holds | Has):
        return known[one].read(vacuous=vacuous)
    if isinstance(one, Not):
        inside = truth(one.of, known, vacuous=vacuous)
        return May(inside.be_false, inside.be_true)
    true, false = (YES, NO) if isinstance(one, And) else (NO, YES)
    for part in one.parts:
        may = truth(part, known, vacuous=vacuous)
        if isinstance(one, And):
            true, false = true & may.be_true, false | may.be_false
        else:
            true, false = true | may.be_true, false & may.be_false
    return May(true, false)


@dataclass(frozen=True)
class Questions:
    """What a statement asks of the models of a layer."""

    statement: Statement
    layer: Layer

    def places(self, blocks: Blocks) -> Iterator[tuple[dict[Atom, Known], Mask]]:
        """Enough values of the variable to see every truth, with the models in which the place is one.

        What holds from a threshold on changes at thresholds alone, and lasts to the right of them: 0 and the
        thresholds are enough.
        """
        every = list(atoms(self.statement))
        moving = [one for one in every if isinstance(one, Holds) and one.variables]
        known: dict[Atom, Known] = {one: self._constant(one, blocks) for one in every if one not in moving}
        if not moving:
            yield known, YES
        elif not self._one_variable(moving):
            yield {**known, **{one: Known(OPEN, self._vacuous(one, blocks)) for one in moving}}, YES
        else:
            yield from self._moved(moving, known, blocks)

    def _constant(self, one: Atom, blocks: Blocks) -> Known:
        if isinstance(one, Has):
            if one.name not in FEATURES:
                return Known(OPEN, NO)
            return _exactly(FEATURES[one.name](blocks(bound_of(self.layer.law_total, self.layer.row_total))))
        vacuous = self._vacuous(one, blocks)
        if isinstance(one.epsilon, Scaled) or isinstance(one.delta, Scaled):
            return Known(OPEN, vacuous)
        low, high = _factors(one.epsilon)
        broken = [self._fails(one, Asked(one.definition, e, one.delta, one.reading), blocks) for e in {low: 0, high: 0}]
        if broken[0] is None or broken[-1] is None:
            return Known(OPEN, vacuous)
        # what holds at a smaller ε holds, what fails at a larger one fails
        return Known(May(~broken[-1], broken[0]), vacuous)

    def _fails(self, one: Holds, asked: Asked, blocks: Blocks) -> Mask | None:
        if not asked.supported:
            return None
        found = NO
        for block in blocks(self._bound(one, asked.bound)).on(one.on):
            found = found | fails(block, asked)
        return found

    def _bound(self, one: Holds, bound: Callable[[Layer], int]) -> int:
        """For the mechanism that is asked, whose rows have a larger total where it is run twice."""
        layer, times = self.layer, 2 ** one.on.split().count("twice")
        return bound(Layer(layer.shape, layer.support, layer.law_total, layer.row_total**times))

    def _vacuous(self, one: Holds, blocks: Blocks) -> Mask:
        if not is_batched(one):
            return NO
        return empty(blocks(bound_of(self.layer.law_total, 1)), Asked(one.definition, None, Fraction(0), one.reading))

    def _outputs(self, one: Holds) -> int:
        return int(self.layer.shape.outputs ** (2 ** one.on.split().count("twice")))

    def _asked(self, one: Holds) -> Asked:
        """The question without its variable."""
        factor = one.epsilon.exp if isinstance(one.epsilon, Epsilon) else None
        delta = one.delta if isinstance(one.delta, Fraction) else Fraction(0)
        return Asked(one.definition, factor, delta, one.reading)

    def _one_variable(self, moving: list[Holds]) -> bool:
        """Whether blocks can tell the thresholds: of one ε at constant δ, or of one δ at constant ε."""
        if len({name for one in moving for name in one.variables}) > 1:
            return False
        for one in moving:
            told = self._asked(one).supported
            if isinstance(one.epsilon, Scaled):
                told = can_tell_epsilon(self._asked(one), self.layer, self._outputs(one))
                told = told and not isinstance(one.delta, Scaled) and not one.epsilon.plus
            elif one.epsilon is None or not (one.epsilon.is_infinite or one.epsilon.exp is not None):
                told = False
            if not told:
                return False
        return True

    def _moved(
        self, moving: list[Holds], known: dict[Atom, Known], blocks: Blocks
    ) -> Iterator[tuple[dict[Atom, Known], Mask]]:
        powers = _powers(moving)
        sizes = {one: self._size(one) for one in moving}
        bound = max(sizes[x] ** powers[y] * sizes[y] ** powers[x] for x in moving for y in moving)
        block = blocks(bound)
        thresholds = {one: self._threshold(one, block) for one in moving}
        vacuous = {one: self._vacuous(one, blocks) for one in moving}
        epsilon = isinstance(moving[0].epsilon, Scaled)
        at: list[tuple[Threshold, int, Mask]] = [(constant(block, Fraction(int(epsilon))), 1, YES)]
        for one in moving:
            found = thresholds[one]
            # a vacuous definition has no threshold; where ε is infinite, or δ above 1, no value is
            valid = found.finite if epsilon else found.num <= found.den
            at.append((found, powers[one], valid & ~vacuous[one]))
        for place, power, valid in at:
            if valid.any():
                here: dict[Atom, Known] = {
                    one: _exactly(found.at_most(place, powers[one], power), vacuous[one])
                    for one, found in thresholds.items()
                }
                yield {**known, **here}, valid

    def _size(self, one: Holds) -> int:
        asked = self._asked(one)
        if isinstance(one.epsilon, Scaled):
            return self._bound(one, lambda layer: epsilon_size(asked, layer))
        size = self._bound(one, lambda layer: delta_size(asked, layer))
        if isinstance(one.delta, Scaled):
            plus, factor = one.delta.plus, one.delta.factor
            size *= 2 * max(plus.denominator, plus.numerator) * max(factor.denominator, factor.numerator)
        return size

    def _threshold(self, one: Holds, block: Block) -> Threshold:
        """The least e^ε, or the least value of the δ variable, at which a definition holds."""
        asked, best = self._asked(one), None
        for made in block.on(one.on):
            found = smallest_factor(made, asked) if isinstance(one.epsilon, Scaled) else smallest_delta(made, asked)
            best = found if best is None else best.larger(found.num, found.den, None)
        if best is None:
            raise ArithmeticError("a mechanism has a post-processing")
        if isinstance(one.delta, Scaled):
            plus, factor = one.delta.plus, one.delta.factor
            num: Column = (best.num * plus.denominator - best.den * plus.numerator) * factor.denominator
            return Threshold(num * (num > 0), best.den * (plus.denominator * factor.numerator))
        return best


def is_batched(one: Holds) -> bool:
    """Whether the definition, in this reading, is one that blocks decide."""
    return Asked(one.definition, None, Fraction(0), one.reading).supported


def _powers(moving: list[Holds]) -> dict[Holds, int]:
    """The r of each atom, where ε is r times a common unit; 1 for δ."""
    factors = {one: one.epsilon.factor if isinstance(one.epsilon, Scaled) else Fraction(1) for one in moving}
    unit = lcm(*(factor.denominator for factor in factors.values()))
    return {one: int(factor * unit) for one, factor in factors.items()}


def _factors(epsilon: Epsilon | None) -> tuple[Fraction | None, Fraction | None]:
    """e^ε twice where it is rational (None for ∞, and for some finite ε), else rational bounds."""
    if epsilon is None or epsilon.is_infinite:
        return None, None
    if epsilon.exp is not None:
        return epsilon.exp, epsilon.exp
    low, high = epsilon.exp_bracket(64)
    return Fraction((low * 2**PRECISION).__floor__(), 2**PRECISION), Fraction(
        (high * 2**PRECISION).__ceil__(), 2**PRECISION
    )
