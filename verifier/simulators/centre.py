"""One class of contexts: the simulator is one law s, near the law P_r of every row, however many outputs there are.

At a given E only the order of the numbers P_a(o)/E and E·P_a(o) matters: outputs in which it is the same are gathered
into one, and what is best there is spread over them again (`proofs/simulators.md`). So a play has a handful of outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.numbers import Algebraic, FieldElement, polynomial_of, roots_between, simplest
from verifier.simulators.game import Game, Limit, Play
from verifier.simulators.problem import Component
from verifier.simulators.smallest import (
    MAX_DEGREE,
    NARROW,
    ROUNDS,
    Smallest,
    adapted,
    crossing,
    needed,
    numerator,
    one_class,
    parametric,
    proved,
    widest_simulator,
)
from verifier.tables import Integer

Groups: TypeAlias = tuple[tuple[int, ...], ...]
"""The outputs of each group, by their positions."""


@dataclass(frozen=True)
class Gathered(Component):
    """A component whose outputs are groups of the outputs of `parent`."""

    parent: Component | None = None
    groups: Groups = ()
    ordered: bool = True
    """Whether the outputs of a group have one order of the P_a(o)/E and E·P_a(o); else only what is 0 is the same."""

    def answers(self, pairs: Sequence[tuple[int, int]], strategy: Sequence[Any], E: Any) -> list[dict[int, Any]]:
        """The law on the outputs of the parent, which loses against each row what the strategy loses."""
        law: dict[int, Any] = {}
        for (_, group), s in zip(pairs, strategy, strict=True):
            if s:
                law |= self._spread(group, s, E)
        return [law]

    def _spread(self, group: int, s: Any, E: Any) -> dict[int, Any]:
        """The answer with the outputs of a group: all of them fill up alike from each P_a/E and E·P_a on."""
        if self.parent is None:
            raise TypeError("gathered outputs are those of a parent")
        laws, members = self.parent.laws, self.groups[group]
        if not self.ordered:
            weights = [sum(law[o] for law in laws) for o in members]
            return {o: s * (Fraction(w) / sum(weights)) for o, w in zip(members, weights, strict=True)}
        E = FieldElement.generator(E) if isinstance(E, Algebraic) else E
        inverse = _inverse(E)
        marks = [(factor, law) for factor in (inverse, E) for law in laws]
        total = self.parent.total
        sums = [factor * (Fraction(sum(law[o] for o in members)) / total) for factor, law in marks]
        order = sorted(range(len(marks)), key=_by_size(sums))
        below: int | None = None
        for k in order:
            if s < sums[k]:
                break
            below = k
        above = order[0] if below is None else next((k for k in order if sums[k] > s), None)

        def mark(k: int | None, o: int) -> Any:
            return Fraction(0) if k is None else marks[k][0] * (Fraction(marks[k][1][o]) / total)

        start = Fraction(0) if below is None else sums[below]
        if above is None:
            share = s * _inverse(start)
            return {o: share * mark(below, o) for o in members}
        share = (s - start) * _inverse(sums[above] - start)
        return {o: mark(below, o) + share * (mark(above, o) - mark(below, o)) for o in members}


def _by_size(sums: Sequence[Any]) -> Callable[[int], Any]:
    """Numbers of one field, by their size."""
    from functools import cmp_to_key

    return cmp_to_key(lambda j, k: (sums[j] > sums[k]) - (sums[j] < sums[k]))


def _inverse(number: Any) -> Any:
    """1/x, in the field of x."""
    if not isinstance(number, FieldElement):
        return 1 / Fraction(number)
    minimal = polynomial_of(number.root.polynomial)
    common, inverse, _ = number.polynomial.xgcd(minimal)
    if common.degree() != 0:
        raise ZeroDivisionError("a number of a field is 0")
    return FieldElement.of(number.root, inverse)


def gathered(component: Component, key: Callable[[tuple[Integer, ...]], Hashable], *, ordered: bool = True) -> Gathered:
    """The component with the outputs of equal key merged into one, in the order of their first outputs.

    `key` is computed from the weights P_r(o) of an output in all rows; outputs that no row can produce are left out.
    """
    groups: dict[Hashable, list[int]] = {}
    for o, weights in enumerate(zip(*component.laws, strict=True)):
        if any(weights):
            groups.setdefault(key(weights), []).append(o)
    return Gathered(
        component.rows,
        component.multiplicity,
        component.classes,
        tuple(tuple(output for o in group for output in component.outputs[o]) for group in groups.values()),
        tuple(
            tuple(Fraction(sum(law[o] for o in group)) / component.total for group in groups.values())
            for law in component.laws
        ),
        component.beliefs,
        parent=component,
        groups=tuple(map(tuple, groups.values())),
        ordered=ordered,
    )


def _order(weights: Sequence[Integer], square: Fraction) -> tuple[int, ...]:
    """The order of the P_a(o)/E and E·P_a(o) of an output, where E² is `square`; the a without it left out."""
    marks = [(w * square.denominator, a) for a, w in enumerate(weights) if w]
    marks += [(w * square.numerator, len(weights) + a) for a, w in enumerate(weights) if w]
    return tuple(k for _, k in sorted(marks))


def play_at(component: Component, E: Fraction) -> Play:
    """The optimal strategies of simulator and tester at E, for a component with one class of contexts."""
    return Game(gathered(component, lambda weights: _order(weights, E * E)), pure=False).play(E)


def limit_of(component: Component) -> Play:
    """The play at E = ∞, where only the outputs with P_r(o) = 0 count."""
    return Limit(excluding(component), pure=False).play(Fraction(1))


def excluding(component: Component) -> Gathered:
    """The component with the outputs merged that the same rows exclude, that is with P_r(o) = 0 for the same r."""
    return gathered(component, lambda weights: tuple(map(bool, weights)), ordered=False)


def smallest_pure(component: Component) -> Smallest:
    """The smallest E = e^ε at δ = 0: max(√(max P/min P), Σ max P, 1/Σ min P), over outputs and rows."""
    columns = [weights for weights in zip(*component.laws, strict=True) if any(weights)]
    if not all(map(all, columns)):
        return Smallest(Game(excluding(component), pure=True), None)
    top, bottom = 0, 1
    for weights in columns:
        most, least = max(weights), min(weights)
        if most * bottom > top * least:
            top, bottom = most, least

    def key(weights: tuple[Integer, ...]) -> Hashable:
        sharpest = max(weights) * bottom == top * min(weights)
        return sharpest, tuple(sorted(range(len(weights)), key=lambda a: weights[a]))

    return one_class(Game(gathered(component, key), pure=True))


def smallest_at(component: Component, delta: Fraction, play: Callable[[Fraction], Play], limit: Play) -> Smallest:
    """The smallest E = e^ε at which a simulator exists for δ > 0; `play` gives the play at E, `limit` the one at ∞."""
    even = play(Fraction(1))
    if even.value <= delta:
        return Smallest(even.game, Fraction(1), even.simulator)
    if limit.value > delta:
        return Smallest(limit.game, None)
    if limit.value == delta:
        widest = Game(excluding(component), pure=False)
        if needed(widest, widest_simulator(widest, delta), delta) is None:
            return Smallest(widest, None)
    low, high = Fraction(1), Fraction(2)
    while (best := play(high)).value > delta:
        low, high = high, high * high
    last = best
    for step in range(MOST_STEPS):
        crossed = crossing(last.game, last.mixture, last.E, delta)
        if low < crossed <= high:
            low = crossed
        if low == high:
            return Smallest(best.game, high, best.simulator, adapted(last.mixture, last.E / high))
        candidate = _exact(component, last, low, high, delta)
        if isinstance(candidate, Smallest):
            return candidate
        if high - low < high * NARROW:
            break
        at = _middle(low, high) if step % 2 or candidate is None else candidate
        last = play(at)
        low, high, best = (at, high, best) if last.value > delta else (low, at, last)
    return Smallest(best.game, high, best.simulator, adapted(last.mixture, last.E / low), low)


MOST_STEPS = 4 * ROUNDS


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """A short number between both: of their logarithms, where they are far apart."""
    if high > 4 * low:
        return low * (1 << ((high / low).__floor__().bit_length() // 2))
    third = (high - low) / 3
    return simplest(low + third, high - third, least=True, most=True)


def _exact(component: Component, play: Play, low: Fraction, high: Fraction, delta: Fraction) -> Any:
    """The smallest E, where it is a root of the tight part of a play; else a guess between low and high, or None."""
    if len(play.tests) > MAX_DEGREE:
        return None
    solution, guess = parametric(play.game, play), None
    for root in roots_between(numerator(solution, delta), low, high):
        if _same_groups(component, play.E, root):
            answer = proved(play.game, play, solution, root, delta)
            if answer:
                return answer
        ends = (root, root) if isinstance(root, Fraction) else root.bracket(GUESS_BITS)
        near = simplest(*ends, least=True, most=True)
        guess = near if low < near < high else guess
    return guess


GUESS_BITS = 64


def _same_groups(component: Component, E: Fraction, root: Fraction | Algebraic) -> bool:
    """Whether the groups of a play at E are valid at a root: no ratio of two rows at an output is passed on the way.

    A ratio is passed that lies strictly between the squares of both. At a play's own E² it is gathered with the smaller
    ones, which is right above E alone; at the square of the root both sides are right.
    """
    if root == E:
        return True
    upwards = root > E
    low, high = (E, root) if upwards else (root, E)

    def passed(ratio: Fraction) -> bool:
        """Whether ratio is above one square and not above the other; on the way down the play's own square counts."""
        between = _above_square(ratio, low) and not _above_square(ratio, high)
        return between and not (upwards and ratio == _square(high))

    return not any(
        passed(Fraction(p) / q)
        for weights in zip(*component.laws, strict=True)
        for p in weights
        for q in weights
        if q and p > q
    )


def _square(E: Fraction | Algebraic) -> Fraction | None:
    """E² where it is rational."""
    if isinstance(E, Fraction):
        return E * E
    c, b, *a = E.polynomial
    return Fraction(-c, a[0]) if len(a) == 1 and b == 0 else None


def _above_square(ratio: Fraction, E: Fraction | Algebraic) -> bool:
    """Whether a ratio is above E²."""
    if isinstance(E, Fraction):
        return ratio > E * E
    if ratio == _square(E):
        return False
    precision = 32
    while True:
        below, above = E.bracket(precision)
        if ratio > above * above or ratio < below * below:
            return ratio > above * above
        precision *= 2
