"""The commutative monoid in which a mechanism adds: elements are packed into integers where it is addition."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Protocol

from verifier.engine.enumerated import InOrder
from verifier.engine.pushforward import Plan, Pushforward, spread
from verifier.errors import LimitError
from verifier.model import Element, Model, Statistic, check_size, groups_of
from verifier.tables import Integer, Label, SumLaw, convolved, divided, gathered, mixed, sum_law

MAX_TOTALS = 1 << 20
"""Most totals that a mechanism may tell apart."""


@dataclass(frozen=True, eq=False)
class PlainLaw:
    """The law of a sum in a monoid that is not addition of numbers: weights by element."""

    cells: Mapping[Element, int]
    statistic: Statistic

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.cells.values())

    def items(self) -> Iterable[tuple[Element, int]]:
        """The elements of the monoid that the sum can be, with their weights."""
        return self.cells.items()

    def plus(self, part: Mapping[Element, int]) -> PlainLaw:
        """The law of the sum plus an independent part."""
        fact = f"a sum has {len(self.cells):,} × {len(part):,} results"
        check_size(len(self.cells) * len(part), MAX_TOTALS, fact, fixed="results")
        return PlainLaw(convolved(self.cells, part.items(), self.statistic.add), self.statistic)


class Algebra(Protocol):
    """How elements are added, and what the mechanism makes of a total."""

    @property
    def zero(self) -> Any:
        """The neutral element."""

    def add(self, x: Any, y: Any) -> Any:
        """The sum of two elements."""

    def draws(self, i: int, v: int) -> dict[Any, int]:
        """What record i adds with value v: elements with integer weights."""

    def alike(self, i: int) -> Hashable:
        """A key for what record i adds: records with equal keys add the same, value by value."""

    def sum(self, laws: Sequence[Mapping[Any, int]]) -> Any:
        """The law of a sum of independent parts."""

    def mixed(self, weighted_laws: Sequence[tuple[int, Any]]) -> Any:
        """The mixture Σ factor·law."""

    def without(self, law: Any, part: Mapping[Any, int]) -> Any:
        """The law of the sum without one of its independent parts, or None where that cannot be taken out."""

    def split(self, law: Mapping[Any, int]) -> tuple[Any, Mapping[Any, int]]:
        """The law of a part as a constant and a law that starts at the neutral element, as far as there is one."""

    def output(self, law: Any, shift: Any) -> Any:
        """The output law (`Output`, up to a factor) where `shift` is added to the sum."""


def _spread(statistic: Statistic, outcomes: Iterable[tuple[Element, Integer]]) -> InOrder:
    """Outputs, random ones too, over the laws' common denominator."""
    return InOrder.of(spread((weight, statistic.finish(total)) for total, weight in outcomes))


@dataclass(frozen=True, eq=False)
class Monoid:
    """Any commutative monoid, whose elements are added one by one by the statistic's own `add`."""

    statistic: Statistic
    values: int

    @property
    def zero(self) -> Element:
        """The neutral element."""
        return self.statistic.zero

    def add(self, x: Element, y: Element) -> Element:
        """The sum of two elements."""
        return self.statistic.add(x, y)

    def draws(self, i: int, v: int) -> dict[Element, int]:
        """What record i adds with value v: elements with integer weights."""
        return dict(self.statistic.draw(i, v))

    def alike(self, i: int) -> Hashable:
        """A key for what record i adds: the elements and their weights, value by value."""
        return tuple(self.statistic.draw(i, v) for v in range(self.values))

    def sum(self, laws: Sequence[Mapping[Element, int]]) -> PlainLaw:
        """The law of a sum of independent parts."""
        law = PlainLaw({self.zero: 1}, self.statistic)
        for part in laws:
            law = law.plus(part)
        return law

    def mixed(self, weighted_laws: Sequence[tuple[int, PlainLaw]]) -> PlainLaw:
        """The mixture Σ factor·law."""
        weights = ((key, factor * weight) for factor, law in weighted_laws if factor for key, weight in law.items())
        return PlainLaw(gathered(weights), self.statistic)

    def without(self, _law: PlainLaw, _part: Mapping[Element, int]) -> None:
        """Return None: a monoid has no subtraction, so that no part can be taken out."""

    def split(self, law: Mapping[Element, int]) -> tuple[Element, Mapping[Element, int]]:
        """The law of a part as a constant and a law: a constant part is split off; any other stays whole."""
        if len(law) == 1:
            ((key, weight),) = law.items()
            return key, {self.zero: weight}
        return self.zero, law

    def output(self, law: PlainLaw, shift: Element) -> InOrder:
        """The output law, up to a factor, where `shift` is added to the sum."""
        return _spread(self.statistic, ((self.add(shift, key), weight) for key, weight in law.items()))


class Addition:
    """Addition of elements that are numbers, or lists of numbers, each packed into one integer key.

    Coordinate c of an element of record i is counted in units, from the least that record i can add; the keys of a sum
    then never carry from one coordinate into the next.
    """

    zero = 0

    def __init__(self, model: Model, statistic: Statistic) -> None:
        self.statistic = statistic
        self.template = statistic.zero
        tables = model.mechanism.draws
        width = len(flattened(statistic.zero))
        grouped = list(groups_of(tables))
        flat = {id(table): [[(flattened(e), w) for e, w in draw] for draw in table] for table, _ in grouped}
        often = {id(table): times for table, times in grouped}
        spans = {key: [_span(table, c) for c in range(width)] for key, table in flat.items()}
        self.units = [
            lcm(*(x[c].denominator for table in flat.values() for draw in table for x, _ in draw)) for c in range(width)
        ]
        self.least = [sum(spans[key][c][0] * times for key, times in often.items()) for c in range(width)]
        most = [sum(spans[key][c][1] * times for key, times in often.items()) for c in range(width)]
        self.radix, step = [], 1
        for unit, low, high in zip(self.units, self.least, most, strict=True):
            self.radix.append(step)
            step *= int((high - low) * unit) + 1

        def key_of(numbers: Sequence[Fraction | int], lows: list[tuple[Any, Any]]) -> int:
            coordinates = zip(numbers, lows, self.units, self.radix, strict=True)
            return sum(int((x - low) * unit) * radix for x, (low, _), unit, radix in coordinates)

        keys = {
            at: [gathered((key_of(x, spans[at]), weight) for x, weight in draw) for draw in table]
            for at, table in flat.items()
        }
        self._draws = [keys[id(table)] for table in tables]
        self.plain = width == 1 and isinstance(self.template, int) and self.units == [1]

    def add(self, x: int, y: int) -> int:
        """The sum of two keys."""
        return x + y

    def draws(self, i: int, v: int) -> dict[int, int]:
        """What record i adds with value v: keys with integer weights."""
        return self._draws[i][v]

    def alike(self, i: int) -> Hashable:
        """A key for what record i adds: the identity of its table of draws, which records that add the same share."""
        return id(self._draws[i])

    def sum(self, laws: Sequence[Mapping[int, int]]) -> SumLaw:
        """The law of a sum of independent parts, by a tree of products."""
        return sum_law(laws)

    def mixed(self, weighted_laws: Sequence[tuple[int, SumLaw]]) -> SumLaw:
        """The mixture Σ factor·law."""
        return mixed(weighted_laws)

    def without(self, law: SumLaw, part: Mapping[int, int]) -> SumLaw:
        """The law of the sum without one of its independent parts, by exact division."""
        return divided(law, part)

    def split(self, law: Mapping[int, int]) -> tuple[int, Mapping[int, int]]:
        """The law of a part as its least key and a law whose least key is 0."""
        low = min(law)
        return low, {key - low: weight for key, weight in law.items()} if low else law

    def total(self, key: int) -> Element:
        """The total that a key stands for."""
        if self.plain:
            return key + self.least[0]
        numbers = []
        for c, (radix, unit, least) in enumerate(zip(self.radix, self.units, self.least, strict=True)):
            digit = key // radix if c + 1 == len(self.radix) else key % self.radix[c + 1] // radix
            numbers.append(Fraction(digit, unit) + least)
        return _rebuilt(self.template, iter(numbers))

    @cached_property
    def plan(self) -> Plan | None:
        """The map from totals to outputs; None where outputs are random in another way than by noise at the end."""
        finish = self.statistic.before_noise or self.statistic.finish
        outputs: dict[int, Label] = {}
        for key in self.reachable:
            outcomes = finish(self.total(key)).outcomes
            if len(outcomes) > 1:
                return None
            outputs[key] = outcomes[0]
        if self.statistic.before_noise is not None:
            offsets = {None if (k := _integer(name)) is None else k - key for key, name in outputs.items()}
            if len(offsets) > 1 or None in offsets:
                return None
        return Plan(outputs, self.statistic.noise, lambda key: self.statistic.finish(self.total(key)))

    @cached_property
    def reachable(self) -> Sequence[int]:
        """The keys of the totals of all databases of T^n, in increasing order.

        Raises:
            LimitError: where there are more than `MAX_TOTALS`.

        """
        steps = [sorted({key for draw in table for key in draw}) for table in self._draws]
        if sum(step_keys[-1] for step_keys in steps) <= 1 << 24:
            bits = 1
            for step_keys in steps:
                bits = sum(bits << key for key in step_keys) if len(step_keys) == 1 else _shifts(bits, step_keys)
            return [k for k, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]
        keys = {0}
        for step_keys in steps:
            keys = {key + step for key in keys for step in step_keys}
            if len(keys) > MAX_TOTALS:
                tip = "use fewer records or a coarser mechanism"
                raise LimitError(f"the mechanism adds up to more than {MAX_TOTALS:,} totals", tip=tip)
        return sorted(keys)

    def output(self, law: SumLaw, shift: int) -> Pushforward | InOrder:
        """The output law, up to a factor, where `shift` is added to the sum."""
        if self.plan is not None:
            return Pushforward(law, shift, self.plan)
        return _spread(self.statistic, ((self.total(key + shift), weight) for key, weight in law.items()))


def _shifts(bits: int, steps: Sequence[int]) -> int:
    sums = 0
    for step in steps:
        sums |= bits << step
    return sums


def _integer(output: Label) -> int | None:
    text = output.text
    return int(text) if text.isascii() and text.lstrip("-").isdigit() and len(text) < 4000 else None


def flattened(element: Element) -> list[Fraction | int]:
    """The numbers of an element, coordinate by coordinate."""
    if isinstance(element, tuple):
        return [number for part in element for number in flattened(part)]
    return [element]


def _span(table: list[list[tuple[list[Fraction | int], int]]], c: int) -> tuple[Any, Any]:
    """The least and the most that one record may add to a coordinate."""
    numbers = [x[c] for draw in table for x, _ in draw]
    return min(numbers), max(numbers)


def _rebuilt(template: Element, numbers: Any) -> Element:
    """An element of the shape of the template."""
    if isinstance(template, tuple):
        return tuple(_rebuilt(part, numbers) for part in template)
    number = next(numbers)
    return int(number) if isinstance(template, int) else Fraction(number)


def algebra_of(model: Model) -> Algebra:
    """The monoid of the model's mechanism."""
    statistic = model.mechanism.statistic
    if statistic is None:
        raise TypeError("this model needs a table")
    if statistic.additive:
        return Addition(model, statistic)
    return Monoid(statistic, len(model.values))
