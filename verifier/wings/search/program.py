"""The linear program of the worst mechanism: its variables are M(d)(o), its objective one comparison (proofs/worst.md).

With `outputs` outputs, M(d)(o) is a variable for all o but the last, which has the rest. Output o says of each part of
the objective whether it is in that part's event: its pattern.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from verifier.errors import LimitError
from verifier.model import Database
from verifier.numbers.simplex import Simplex
from verifier.wings.search.forms import Form
from verifier.wings.search.symmetry import Alike, Symmetry

MAX_CELLS = 600_000
"""Largest table of the simplex method."""
MAX_PATTERNS = 256
"""Most outputs of a mechanism that is looked for."""
MAX_PROGRAMS = 4_096
"""Most objectives."""
Pattern = tuple[bool, ...]
Chances = dict[Database, tuple[Fraction, ...]]


@dataclass(frozen=True)
class Bound:
    """An assumed comparison: its form at E = e^ε is at most δ."""

    form: Form
    E: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Multiplier:
    """How often P(o) - E·Q(o), of one part of an assumed comparison, is added up."""

    bound: int
    part: int
    output: int
    times: Fraction


@dataclass(frozen=True)
class Proved:
    """The optimum of one objective, a mechanism that attains it, and the multipliers that prove it."""

    form: Form
    patterns: tuple[Pattern, ...]
    value: Fraction
    multipliers: tuple[Multiplier, ...]
    mechanism: Chances


def patterns_of(form: Form, outputs: int | None) -> Iterator[tuple[Pattern, ...]]:
    """The sets of patterns that are enough: all, or where fewer outputs are allowed, each choice of so many."""
    parts = len(form.parts)
    refuse_patterns(parts)
    every = list(product((True, False), repeat=parts))
    yield from combinations(every, len(every) if outputs is None else min(outputs, len(every)))


def refuse_patterns(parts: int) -> None:
    """Refuse a mechanism with too many outputs."""
    if 1 << parts > MAX_PATTERNS:
        raise LimitError(
            f"the objective is an average over {parts} knowledge values, so that a worst mechanism may need "
            f"2^{parts} outputs",
            wanted=f"at most {MAX_PATTERNS}",
            tip="apkdp and cdp look at one B̂ at a time, and need two outputs",
        )


class Program:
    """The constraints for one number of outputs; several objectives are asked one after the other.

    Where records are `alike`, M is constant on databases that differ by an exchange, and equal constraints stand once.
    """

    def __init__(
        self, databases: Sequence[Database], bounds: Sequence[Bound], outputs: int, alike: Alike | None = None
    ) -> None:
        self.databases, self.bounds, self.outputs = list(databases), list(bounds), outputs
        self.free = outputs - 1
        self.alike = alike or Alike(())
        self.first = {database: self.alike.first(database) for database in self.databases}
        reached = dict.fromkeys(self.first.values())
        self.places = {database: k * self.free for k, database in enumerate(reached)}
        self.variables = len(self.places) * self.free
        self.rows: list[tuple[dict[int, Fraction], Fraction]] = []
        self.origins: list[tuple[int, int, int] | None] = []
        for place in self.places.values():
            self._add({place + o: Fraction(1) for o in range(self.free)}, Fraction(1), None)
        seen: set[object] = set()
        for number, bound in enumerate(self.bounds):
            lines = [(part.share, self._lumped(part.line(bound.E))) for part in bound.form.parts]
            counts = Counter((share, frozenset(line.items())) for share, line in lines)
            key = bound.E, bound.delta, frozenset(counts.items())
            if key not in seen:
                seen.add(key)
                self._assume(number, bound)
        self._refuse()
        self.simplex = Simplex(self.variables, self.rows)

    def _lumped(self, line: dict[Database, Fraction]) -> dict[Database, Fraction]:
        """The sums over databases that are alike."""
        found: dict[Database, Fraction] = {}
        for database, value in line.items():
            first = self.first[database]
            found[first] = found.get(first, Fraction(0)) + value
        return found

    def _add(self, row: dict[int, Fraction], most: Fraction, origin: tuple[int, int, int] | None) -> None:
        if any(value > 0 for value in row.values()):  # else it holds for every mechanism
            self.rows.append((row, most))
            self.origins.append(origin)

    def _assume(self, number: int, bound: Bound) -> None:
        """P(o) - E·Q(o) ≤ 0 for δ = 0, share·(P(S) - E·Q(S)) ≤ δ for one pair and two outputs; else by variables t.

        They are t ≥ P(o) - E·Q(o) and t ≥ 0 with Σ share·t ≤ δ.
        """
        single = len(bound.form.parts) == 1 and self.outputs == 2
        budget: dict[int, Fraction] = {}
        for j, part in enumerate(bound.form.parts):
            line = self._lumped(part.line(bound.E))
            for o in range(self.outputs):
                row, most = self._chance(line, o)
                if single or not bound.delta:
                    most += bound.delta / part.share
                else:
                    budget[self.variables], row[self.variables] = part.share, Fraction(-1)
                    self.variables += 1
                self._add(row, most, (number, j, o))
        self._add(budget, bound.delta, None)

    def _chance(self, line: dict[Database, Fraction], o: int) -> tuple[dict[int, Fraction], Fraction]:
        """Σ line(d)·M(d)(o) ≤ 0 as a row; the last output has what the others leave."""
        if o < self.free:
            return {self.places[d] + o: value for d, value in line.items()}, Fraction(0)
        row = {self.places[d] + k: -value for d, value in line.items() for k in range(self.free)}
        return row, -sum(line.values(), Fraction(0))

    def _refuse(self) -> None:
        cells = (len(self.rows) + 1) * (self.variables + 1)
        if cells > MAX_CELLS:
            raise LimitError(
                f"the linear program has {self.variables:,} variables and {len(self.rows):,} constraints, "
                f"a table of {cells:,} numbers ({len(self.places):,} databases, {self.outputs} outputs)",
                wanted=f"at most {MAX_CELLS:,}",
                tip="fewer records or values; np, apkdp and ppkdp reach possible databases only; δ = 0 needs fewest",
            )

    def _shared(self, used: list[tuple[tuple[int, int, int], Fraction]]) -> tuple[Multiplier, ...]:
        """Each multiplier in equal parts on all comparisons that exchanges make of its own."""
        if not self.alike.swaps:
            return tuple(Multiplier(*origin, y) for origin, y in used)
        symmetry, found = Symmetry(self.bounds), dict[tuple[int, int, int], Fraction]()
        for (bound, part, output), y in used:
            orbit = symmetry.orbit(bound, part, self.alike)
            for k, j in orbit:
                found[k, j, output] = found.get((k, j, output), Fraction(0)) + y / len(orbit)
        return tuple(Multiplier(*place, y) for place, y in sorted(found.items()))

    def maximise(self, form: Form, E: Fraction, patterns: tuple[Pattern, ...]) -> Proved:
        """The worst mechanism for one comparison at E, with its proof, re-added here."""
        gains = gains_of(form, E, patterns)
        row: dict[int, Fraction] = {}
        for database, each in gains.items():
            for o in range(self.free):
                place = self.places[self.first[database]] + o
                row[place] = row.get(place, Fraction(0)) + each[o] - each[-1]
        rest = sum((each[-1] for each in gains.values()), Fraction(0))
        value, point, multipliers = self.simplex.maximise(row)
        used = self._shared([(origin, y) for origin, y in zip(self.origins, multipliers, strict=True) if origin and y])
        found: Chances = {}
        for database in self.databases:
            place = self.places[self.first[database]]
            chances = point[place : place + self.free]
            found[database] = (*chances, 1 - sum(chances, Fraction(0)))
        proved = Proved(form, patterns, value + rest, used, found)
        attained = sum((x * g for d, each in gains.items() for x, g in zip(found[d], each, strict=True)), Fraction(0))
        if not upper(self.bounds, proved, E) == attained == proved.value:
            raise ArithmeticError("the simplex method found an optimum that its multipliers do not prove")
        return proved


def gains_of(form: Form, E: Fraction, patterns: tuple[Pattern, ...]) -> dict[Database, list[Fraction]]:
    """What one unit of M(d)(o) adds to the objective, by d and o."""
    found: dict[Database, list[Fraction]] = {}
    for k, part in enumerate(form.parts):
        for database, value in part.line(E).items():
            each = found.setdefault(database, [Fraction(0)] * len(patterns))
            for o, pattern in enumerate(patterns):
                each[o] += part.share * value * pattern[k]
    return found


def upper(bounds: Sequence[Bound], proved: Proved, E: Fraction) -> Fraction:
    """What the multipliers prove of every mechanism: Σ_d max_o (gain - Σ y·(P - E·Q)(d)) + Σ δ·max y/share."""
    left = gains_of(proved.form, E, proved.patterns)
    prices: dict[int, Fraction] = {}
    for one in proved.multipliers:
        bound = bounds[one.bound]
        part = bound.form.parts[one.part]
        for database, value in part.line(bound.E).items():
            left.setdefault(database, [Fraction(0)] * len(proved.patterns))[one.output] -= one.times * value
        prices[one.bound] = max(prices.get(one.bound, Fraction(0)), one.times / part.share)
    paid = sum((bounds[k].delta * price for k, price in prices.items()), Fraction(0))
    return sum((max(each) for each in left.values()), Fraction(0)) + paid
