"""All components of a model: the smallest ε and the smallest δ are the largest of theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verifier.model import Model
from verifier.numbers import INFINITY, Element, Enclosure, Epsilon, root_epsilon
from verifier.simulators.game import Game, Limit, Play
from verifier.simulators.problem import Component, Context, components, rows_of
from verifier.simulators.smallest import Number, Smallest, smallest
from verifier.tables import Label, in_order


@dataclass(frozen=True)
class Part:
    """Components of one shape; what is found for one of them is found for all."""

    members: tuple[Component, ...]
    _known: dict[Fraction, Smallest] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def pure(self) -> Game:
        """The game for δ = 0."""
        return Game(self.members[0], pure=True)

    @cached_property
    def game(self) -> Game:
        """The game whose value is δ."""
        return Game(self.members[0], pure=False)

    @cached_property
    def limit(self) -> Play:
        """The play at E = ∞."""
        return Limit(self.members[0], pure=False).play(Fraction(1))

    @property
    def easy(self) -> bool:
        """Whether every class has an output that all its rows can produce: then the limit of δ is 0."""
        return all(self.members[0].allowed(pure=True))

    def smallest(self, delta: Fraction) -> Smallest:
        """The smallest E at δ."""
        if delta not in self._known:
            self._known[delta] = smallest(self.game if delta else self.pure, delta)
        return self._known[delta]

    def value(self, E: Fraction) -> Fraction:
        """The smallest δ at E; 0 is known from the smaller game."""
        if Fraction(0) in self._known:
            known = self._known[Fraction(0)].E
            if known is not None and not known > E:
                return Fraction(0)
        return self.game.play(E).value


@dataclass(frozen=True)
class Told:
    """One context: what the simulator is told, and the law of its answer."""

    context: Context
    others: tuple[Label, ...]
    law: tuple[tuple[Label, Number], ...]


@dataclass(frozen=True)
class Whole:
    """The problem of a model under a reading."""

    model: Model
    reading: str

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The components by their shapes."""
        found: dict[object, list[Component]] = {}
        for rows in rows_of(self.model, self.reading):
            for one in components(rows):
                found.setdefault(one.shape, []).append(one)
        return tuple(Part(tuple(members)) for members in found.values())

    @cached_property
    def laws(self) -> int:
        """How many rows (θ, B̂, i, a) there are."""
        return sum(one.multiplicity for part in self.parts for one in part.members)

    def worst(self, delta: Fraction) -> tuple[Part, Epsilon | Enclosure]:
        """The smallest ε that is enough for all parts, and the first part that needs it."""
        found: list[tuple[Part, Epsilon | Enclosure]] = []
        for part in self.parts:
            known = part.smallest(delta)
            if known.E is None:
                return part, INFINITY
            found.append((part, _logarithms(known)))
        best = found[0]
        for one in found[1:]:
            best = one if _above(one[1], best[1]) else best
        return best

    def delta(self, E: Fraction) -> tuple[Part, Fraction]:
        """The smallest δ at a rational E, and the first part that needs it."""
        values = [(part.value(E), -k) for k, part in enumerate(self.parts)]
        value, at = max(values)
        return self.parts[-at], value

    def limit(self) -> tuple[Part, Fraction]:
        """The limit of the smallest δ as E grows, and the first part that needs it."""
        values = [(Fraction(0) if part.easy else part.limit.value, -k) for k, part in enumerate(self.parts)]
        value, at = max(values)
        return self.parts[-at], value

    def simulator(self, delta: Fraction, ceiling: Epsilon) -> Iterator[Told]:
        """A simulator for every context that is enough at δ and e^`ceiling`, the smallest ε of all parts."""
        for part in self.parts:
            known = part.smallest(delta)
            strategy: Sequence[Number] = known.simulator or ()
            if isinstance(known.E, Fraction) or _logarithms(known) == ceiling:
                pass
            elif known.simulator is not None and isinstance(known.simulator[0], Element):
                strategy = _rational_strategy(known, ceiling)
            for one in part.members:
                yield from self.told(one, known.game, strategy)

    def told(self, one: Component, game: Game, strategy: Sequence[Number]) -> Iterator[Told]:
        """A strategy of a component, context by context and output by output."""
        laws: dict[int, dict[Label, Number]] = {}
        for (c, o), s in zip(game.pairs, strategy, strict=True):
            if s:
                law = laws.setdefault(c, {})
                for output, share in one.outputs[o]:
                    law[output] = s * share
        for c, contexts in enumerate(one.classes):
            answers = tuple((o, laws[c][o]) for o in in_order(laws[c]))
            for context in contexts:
                yield Told(context, tuple(self.model.values[v] for v in context.others), answers)


def _rational_strategy(known: Smallest, ceiling: Epsilon) -> tuple[Fraction, ...]:
    """A rational simulator at a rational E between the part's own irrational smallest one and the ceiling's."""
    own, precision = _logarithms(known), 16
    while True:
        E = ceiling.exp_bracket(precision)[0]
        if isinstance(own, Epsilon) and E >= 1 and own < root_epsilon(E):
            return known.game.play(E).simulator
        precision *= 2


def _logarithms(known: Smallest) -> Epsilon | Enclosure:
    if known.E is None:
        return INFINITY
    if known.low is None:
        return root_epsilon(known.E)
    ends = [root_epsilon(E).bracket(256) for E in (known.low, known.E)]
    return outward(ends[0][0], ends[1][1])


def outward(low: Fraction, high: Fraction, bits: int = 256) -> Enclosure:
    """An enclosure with dyadic ends around two rationals."""
    scale = 1 << bits
    below, above = low.numerator * scale // low.denominator, -(-high.numerator * scale // high.denominator)
    return Enclosure.between(Fraction(max(0, below), scale), Fraction(above, scale))


def _above(x: Epsilon | Enclosure, y: Epsilon | Enclosure) -> bool:
    """Whether x is the larger one; of enclosures, by their upper ends."""
    if isinstance(x, Epsilon) and isinstance(y, Epsilon):
        return y < x
    return _upper(x) > _upper(y)


def _upper(x: Epsilon | Enclosure) -> Fraction:
    return x.bracket(256)[1] if isinstance(x, Epsilon) else x.high.value
