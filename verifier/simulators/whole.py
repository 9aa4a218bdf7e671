"""All components of a model: the smallest ε and the smallest δ are the largest of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verifier.model import Model
from verifier.numbers import INFINITY, Algebraic, Element, Enclosure, Epsilon, root_epsilon
from verifier.simulators.centre import excluding, limit_of, play_at, smallest_at, smallest_pure
from verifier.simulators.game import Game, Limit, Play, Test
from verifier.simulators.problem import Component, Context, components, rows_of
from verifier.simulators.smallest import Number, Smallest, excluding_mixture, smallest
from verifier.tables import Label, in_order


@dataclass(frozen=True)
class Part:
    """Components of one shape; what is found for one of them is found for all."""

    members: tuple[Component, ...]
    _known: dict[Fraction, Smallest] = field(default_factory=dict, compare=False, repr=False)
    _plays: dict[Fraction, Play] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def pure(self) -> Game:
        """The game for δ = 0."""
        return Game(self.members[0], pure=True)

    @cached_property
    def game(self) -> Game:
        """The game whose value is δ."""
        return Game(self.members[0], pure=False)

    @property
    def centred(self) -> bool:
        """Whether all contexts are one: then the simulator is one law, for any number of outputs."""
        return len(self.members[0].classes) == 1

    @cached_property
    def limit(self) -> Play:
        """The play at E = ∞."""
        one = self.members[0]
        return limit_of(one) if self.centred else Limit(one, pure=False).play(Fraction(1))

    def at(self, E: Fraction) -> Play:
        """The play at E; its value is the smallest δ there."""
        if not self.centred:
            return self.game.play(E)
        if E not in self._plays:
            self._plays[E] = play_at(self.members[0], E)
        return self._plays[E]

    def excluding(self, delta: Fraction) -> tuple[Game, tuple[tuple[Test, Fraction], ...]]:
        """Tests of the least probability δ of what M cannot answer, which exclude as many answers as there are."""
        game = Game(excluding(self.members[0]), pure=False) if self.centred else self.game
        return game, excluding_mixture(game, delta)

    @property
    def easy(self) -> bool:
        """Whether every class has an output that all its rows can produce: then the limit of δ is 0."""
        return all(self.members[0].allowed(pure=True))

    def smallest(self, delta: Fraction) -> Smallest:
        """The smallest E at δ."""
        if delta not in self._known:
            self._known[delta] = self._smallest(delta)
        return self._known[delta]

    def _smallest(self, delta: Fraction) -> Smallest:
        if not self.centred:
            return smallest(self.game if delta else self.pure, delta)
        one = self.members[0]
        return smallest_at(one, delta, self.at, self.limit) if delta else smallest_pure(one)

    def value(self, E: Fraction) -> Fraction:
        """The smallest δ at E; 0 is known from the smaller game."""
        if Fraction(0) in self._known:
            known = self._known[Fraction(0)].E
            if known is not None and not known > E:
                return Fraction(0)
        return self.at(E).value


@dataclass(frozen=True)
class Told:
    """One context: what the simulator is told, and the law of its answer."""

    context: Context
    others: tuple[Label, ...]
    law: tuple[tuple[Label, Number], ...]
    members: int = 1
    """How many contexts it stands for, of which it is the first."""


@dataclass(frozen=True)
class Whole:
    """The problem of a model under a reading."""

    model: Model
    reading: str
    made: Callable[[], Iterable[Component]] | None = None
    """Makes the components without a table; without it they are made of the worlds."""

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The components by their shapes."""
        found: dict[object, list[Component]] = {}
        for one in self.made() if self.made else self._listed():
            found.setdefault(one.shape, []).append(one)
        return tuple(Part(tuple(members)) for members in found.values())

    def _listed(self) -> Iterator[Component]:
        for rows in rows_of(self.model, self.reading):
            yield from components(rows)

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
            if known.simulator is None or known.E is None:
                continue
            game, strategy, E = known.game, known.simulator, known.E
            if isinstance(strategy[0], Element) and _logarithms(known) != ceiling:
                play = _rational_play(part, known, ceiling)
                game, strategy, E = play.game, play.simulator, play.E
            for one in part.members:
                yield from self.told(one, game, strategy, E)

    def told(self, one: Component, game: Game, strategy: Sequence[Number], E: Fraction | Algebraic) -> Iterator[Told]:
        """A strategy of a component at E, context by context and output by output."""
        for contexts, law in zip(one.classes, game.component.answers(game.pairs, strategy, E), strict=True):
            answers = {output: s * share for o, s in law.items() for output, share in one.outputs[o]}
            listed = tuple((o, answers[o]) for o in in_order(answers) if answers[o])
            for context in contexts:
                others = tuple(self.model.values[v] for v in context.others)
                yield Told(context, others, listed, one.contexts or 1)


def _rational_play(part: Part, known: Smallest, ceiling: Epsilon) -> Play:
    """The play at a rational E between the part's own irrational smallest one and the ceiling's."""
    own, precision = _logarithms(known), 16
    while True:
        E = ceiling.exp_bracket(precision)[0]
        if isinstance(own, Epsilon) and E >= 1 and own < root_epsilon(E):
            return part.at(E)
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
