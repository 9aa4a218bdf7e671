"""The simulator problem of a model (DMKB20, Definition 4): its smallest ε and δ are the largest of its components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verifier.model import Model
from verifier.numbers import INFINITY, Algebraic, Enclosure, Epsilon, FieldElement, root_epsilon
from verifier.simulators.centre import excluding, limit_of, play_at, smallest_at, smallest_pure
from verifier.simulators.game import Game, Limit, Play, Test
from verifier.simulators.problem import Component, Context, components, rows_of
from verifier.simulators.smallest import Number, Smallest, excluding_mixture, smallest
from verifier.tables import Label, collected, in_order


@dataclass(frozen=True)
class ComponentShape:
    """The components with equal laws and beliefs: they have one smallest ε and one smallest δ, computed once."""

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
        component = self.members[0]
        return limit_of(component) if self.centred else Limit(component, pure=False).play(Fraction(1))

    def at(self, E: Fraction) -> Play:
        """The play at E; its value is the smallest δ there."""
        if not self.centred:
            return self.game.play(E)
        if E not in self._plays:
            self._plays[E] = play_at(self.members[0], E)
        return self._plays[E]

    def excluding(self, delta: Fraction) -> tuple[Game, tuple[tuple[Test, Fraction], ...]]:
        """The game, and tests at E = ∞, where `delta` is the least δ: they exclude as many answers as possible."""
        game = Game(excluding(self.members[0]), pure=False) if self.centred else self.game
        return game, excluding_mixture(game, delta)

    @property
    def easy(self) -> bool:
        """Whether every class has an output that all its rows can produce: then the limit of δ is 0."""
        return all(self.members[0].allowed(pure=True))

    def smallest(self, delta: Fraction) -> Smallest:
        """The smallest E = e^ε at δ."""
        if delta not in self._known:
            self._known[delta] = self._smallest(delta)
        return self._known[delta]

    def _smallest(self, delta: Fraction) -> Smallest:
        if not self.centred:
            return smallest(self.game if delta else self.pure, delta)
        component = self.members[0]
        return smallest_at(component, delta, self.at, self.limit) if delta else smallest_pure(component)

    def value(self, E: Fraction) -> Fraction:
        """The smallest δ at E; where it is 0 the smaller game for δ = 0 may say so."""
        if Fraction(0) in self._known:
            known = self._known[Fraction(0)].E
            if known is not None and not known > E:
                return Fraction(0)
        return self.at(E).value


@dataclass(frozen=True)
class ContextAnswer:
    """One context: what the simulator is told, and the law of its answer."""

    context: Context
    others: tuple[Label, ...]
    law: tuple[tuple[Label, Number], ...]
    members: int = 1
    """How many contexts it stands for, of which it is the first."""


@dataclass(frozen=True)
class SimulatorProblem:
    """All laws that a simulator must imitate, for a model in one reading of Definition 4 (DMKB20)."""

    model: Model
    reading: str
    make_components: Callable[[], Iterable[Component]] | None = None
    """Makes the components without a table; without it they are made of the worlds."""
    known: dict[tuple[object, Fraction], Epsilon | Enclosure] = field(default_factory=dict, compare=False, repr=False)
    """The smallest ε of shapes at a δ; problems of one model may share them."""

    @cached_property
    def shapes(self) -> tuple[ComponentShape, ...]:
        """The components by their shapes."""
        listed = self.make_components() if self.make_components else self._listed()
        by_shape = collected((component.shape, component) for component in listed)
        return tuple(ComponentShape(tuple(members)) for members in by_shape.values())

    def _listed(self) -> Iterator[Component]:
        for rows in rows_of(self.model, self.reading):
            yield from components(rows)

    @cached_property
    def laws(self) -> int:
        """The number of rows (θ, B̂, i, a), each of which is a law that the simulator must imitate."""
        return sum(component.multiplicity for shape in self.shapes for component in shape.members)

    def worst(self, delta: Fraction) -> tuple[ComponentShape, Epsilon | Enclosure]:
        """The smallest ε (nats) that is enough for all components at δ, and the first shape that needs it."""
        ranked: list[tuple[ComponentShape, Epsilon | Enclosure]] = []
        for shape in self.shapes:
            key = shape.members[0].shape, delta
            if key not in self.known:
                self.known[key] = _logarithms(shape.smallest(delta))
            if self.known[key].is_infinite:
                return shape, INFINITY
            ranked.append((shape, self.known[key]))
        best = ranked[0]
        for candidate in ranked[1:]:
            best = candidate if _above(candidate[1], best[1]) else best
        return best

    def delta(self, E: Fraction) -> tuple[ComponentShape, Fraction]:
        """The smallest δ at a rational E = e^ε, and the first shape that needs it."""
        values = [(shape.value(E), -k) for k, shape in enumerate(self.shapes)]
        value, at = max(values)
        return self.shapes[-at], value

    def limit(self) -> tuple[ComponentShape, Fraction]:
        """The limit of the smallest δ as E grows, and the first shape that needs it."""
        values = [(Fraction(0) if shape.easy else shape.limit.value, -k) for k, shape in enumerate(self.shapes)]
        value, at = max(values)
        return self.shapes[-at], value

    def simulator(self, delta: Fraction, ceiling: Epsilon) -> Iterator[ContextAnswer]:
        """A simulator for every context that is enough at δ and e^`ceiling`, the smallest ε of all components."""
        for shape in self.shapes:
            known = shape.smallest(delta)
            if known.simulator is None or known.E is None:
                continue
            game, strategy, E = known.game, known.simulator, known.E
            if isinstance(strategy[0], FieldElement) and _logarithms(known) != ceiling:
                play = _rational_play(shape, known, ceiling)
                game, strategy, E = play.game, play.simulator, play.E
            for component in shape.members:
                yield from self.context_answers(component, game, strategy, E)

    def context_answers(
        self, component: Component, game: Game, strategy: Sequence[Number], E: Fraction | Algebraic
    ) -> Iterator[ContextAnswer]:
        """A strategy of a component at E, context by context and output by output."""
        for contexts, law in zip(component.classes, game.component.answers(game.pairs, strategy, E), strict=True):
            answers = {output: s * share for o, s in law.items() for output, share in component.outputs[o]}
            listed = tuple((o, answers[o]) for o in in_order(answers) if answers[o])
            for context in contexts:
                other_values = tuple(self.model.values[v] for v in context.others)
                yield ContextAnswer(context, other_values, listed, component.contexts or 1)


def _rational_play(shape: ComponentShape, known: Smallest, ceiling: Epsilon) -> Play:
    """The play at a rational E between a component's own irrational smallest E and e^ceiling."""
    own, precision = _logarithms(known), 16
    while True:
        E = ceiling.exp_bracket(precision)[0]
        if isinstance(own, Epsilon) and E >= 1 and own < root_epsilon(E):
            return shape.at(E)
        precision *= 2


def _logarithms(known: Smallest) -> Epsilon | Enclosure:
    if known.E is None:
        return INFINITY
    if known.low is None:
        return root_epsilon(known.E)
    ends = [root_epsilon(E).bracket(256) for E in (known.low, known.E)]
    return outward(ends[0][0], ends[1][1])


def outward(low: Fraction, high: Fraction, bits: int = 256) -> Enclosure:
    """The enclosure [⌊low·2^bits⌋, ⌈high·2^bits⌉]/2^bits around two rationals; its lower end is at least 0."""
    return Enclosure.around(max(Fraction(0), low), high, bits)


def _above(x: Epsilon | Enclosure, y: Epsilon | Enclosure) -> bool:
    """Whether x is the larger one; of enclosures, by their upper ends."""
    if isinstance(x, Epsilon) and isinstance(y, Epsilon):
        return y < x
    return _upper(x) > _upper(y)


def _upper(x: Epsilon | Enclosure) -> Fraction:
    return x.bracket(256)[1] if isinstance(x, Epsilon) else x.high.value
