"""The linear program of the worst mechanism: its variables are M(d)(o), its objective one comparison (proofs/worst.md).

M(d)(o) is a variable for all outputs o but the last, whose probability is 1 minus the others. The pattern of an output
says of each part of the objective whether the output is in that part's event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from operator import mul
from typing import NamedTuple

from verifier.errors import LimitError
from verifier.model import Database
from verifier.numbers.linear import LinearProgram
from verifier.wings.search.linear_bounds import Form
from verifier.wings.search.symmetry import Alike, Exchanges

MAX_CELLS = 600_000
"""Largest number of cells in the table of the linear program."""
MAX_PATTERNS = 256
"""Largest number of outputs of a mechanism that is looked for."""
MAX_PROGRAMS = 4_096
"""Largest number of objectives."""
Pattern = tuple[bool, ...]
Chances = dict[Database, tuple[Fraction, ...]]
Gains = Mapping[Database, Sequence[Fraction]]
"""The coefficient of M(d)(o) in an objective, by d and o."""


@dataclass(frozen=True)
class AssumedComparison:
    """An assumed comparison: its form at E = e^ε is at most δ."""

    form: Form
    E: Fraction
    delta: Fraction


class Origin(NamedTuple):
    """What P(o) - E·Q(o) is of: assumed comparison number `bound`, its pair of laws number `part`, and the output o."""

    bound: int
    part: int
    output: int


@dataclass(frozen=True)
class Multiplier:
    """The multiplier `times` of P(o) - E·Q(o): `output` o, pair of laws number `part`, assumed comparison `bound`."""

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


class Found(NamedTuple):
    """The optimum of an objective, the multipliers that prove it, a mechanism, and the weights of the databases.

    The weights are 1, or, of the least sum over databases, a prior for which no mechanism does better on average.
    """

    value: Fraction
    multipliers: tuple[Multiplier, ...]
    mechanism: Chances
    weights: dict[Database, Fraction]


def patterns_of(form: Form, outputs: int | None) -> Iterator[tuple[Pattern, ...]]:
    """The sets of patterns to solve for: all patterns together; with fewer `outputs`, each choice of so many.

    Raises:
        LimitError: for more than `MAX_PATTERNS` patterns.

    """
    count = len(form.parts)
    refuse_patterns(count)
    all_patterns = list(product((True, False), repeat=count))
    yield from combinations(all_patterns, len(all_patterns) if outputs is None else min(outputs, len(all_patterns)))


def refuse_patterns(count: int) -> None:
    """Refuse an average over `count` knowledge values, whose worst mechanism may need 2^count outputs.

    Raises:
        LimitError: for more than `MAX_PATTERNS` outputs.

    """
    if 1 << count > MAX_PATTERNS:
        raise LimitError(
            f"the objective is an average over {count} knowledge values, so that a worst mechanism may need "
            f"2^{count} outputs",
            wanted=f"at most {MAX_PATTERNS}",
            tip="apkdp and cdp look at one B̂ at a time, and need two outputs",
        )


class Program:
    """The constraints on mechanisms with one number of outputs, for which several objectives are maximised in turn.

    Where records are `alike`, M is constant on databases that differ by an exchange, and equal constraints are listed
    once.

    Raises:
        LimitError: for a table of more than `MAX_CELLS` cells.

    """

    def __init__(
        self,
        databases: Sequence[Database],
        bounds: Sequence[AssumedComparison],
        outputs: int,
        alike: Alike | None = None,
    ) -> None:
        self.databases, self.bounds, self.outputs = list(databases), list(bounds), outputs
        self.free = range(outputs - 1)
        self.alike = alike or Alike(())
        self.first = {database: self.alike.first(database) for database in self.databases}
        self.variables: list[Hashable] = [(d, o) for d in dict.fromkeys(self.first.values()) for o in self.free]
        self.rows: dict[Hashable, tuple[dict[Hashable, Fraction], Fraction]] = {}
        for d in dict.fromkeys(self.first.values()):
            self._add(("law", d), {(d, o): Fraction(1) for o in self.free}, Fraction(1))
        listed_keys: set[object] = set()
        for number, bound in enumerate(self.bounds):
            lines = [(pair.share, self._lumped(pair.line(bound.E))) for pair in bound.form.parts]
            counts = Counter((share, frozenset(line.items())) for share, line in lines)
            key = bound.E, bound.delta, frozenset(counts.items())
            if key not in listed_keys:
                listed_keys.add(key)
                self._assume(number, bound)
        self._refuse()
        self.program = LinearProgram(self.variables, self.rows)

    def _lumped(self, line: dict[Database, Fraction]) -> dict[Database, Fraction]:
        """The line summed over databases that exchanges of records make alike."""
        lumped: dict[Database, Fraction] = {}
        for database, value in line.items():
            first = self.first[database]
            lumped[first] = lumped.get(first, Fraction(0)) + value
        return lumped

    def _add(self, name: Hashable, row: dict[Hashable, Fraction], most: Fraction) -> None:
        if any(value > 0 for value in row.values()):  # else it holds for every mechanism
            self.rows[name] = row, most

    def _assume(self, number: int, bound: AssumedComparison) -> None:
        """Add the constraints of an assumed comparison; those of a pair of laws and an output are named by an `Origin`.

        They are P(o) - E·Q(o) ≤ 0 for δ = 0, and share·(P(S) - E·Q(S)) ≤ δ for one pair and two outputs; else they
        have variables t ≥ P(o) - E·Q(o) and t ≥ 0 with Σ share·t ≤ δ.
        """
        single = len(bound.form.parts) == 1 and self.outputs == 2
        budget: dict[Hashable, Fraction] = {}
        for j, pair in enumerate(bound.form.parts):
            line = self._lumped(pair.line(bound.E))
            for o in range(self.outputs):
                row, most = self._chance(line, o)
                name = Origin(number, j, o)
                if single or not bound.delta:
                    most += bound.delta / pair.share
                else:
                    budget[name], row[name] = pair.share, Fraction(-1)
                    self.variables.append(name)
                self._add(name, row, most)
        self._add(("budget", number), budget, bound.delta)

    def _chance(self, line: dict[Database, Fraction], o: int) -> tuple[dict[Hashable, Fraction], Fraction]:
        """Σ line(d)·M(d)(o) ≤ 0 as a row; the last output has 1 minus the sum of the others."""
        if o in self.free:
            return {(d, o): value for d, value in line.items()}, Fraction(0)
        return {(d, k): -value for d, value in line.items() for k in self.free}, -sum(line.values(), Fraction(0))

    def _refuse(self) -> None:
        width, databases = len(self.variables), len(set(self.first.values()))
        cells = (len(self.rows) + 1) * (width + 1)
        if cells > MAX_CELLS:
            raise LimitError(
                f"the linear program has {width:,} variables and {len(self.rows):,} constraints, "
                f"a table of {cells:,} numbers ({databases:,} databases, {self.outputs} outputs)",
                wanted=f"at most {MAX_CELLS:,}",
                tip="fewer records or values; np, apkdp and ppkdp reach possible databases only; δ = 0 needs fewest",
            )

    def _shared(self, used: Mapping[Origin, Fraction]) -> tuple[Multiplier, ...]:
        """Split each multiplier equally over all comparisons that exchanges of records make of its own."""
        if not self.alike.swaps:
            return tuple(Multiplier(*origin, y) for origin, y in used.items())
        symmetry, shared = Exchanges(self.bounds), dict[Origin, Fraction]()
        for (bound, pair, output), y in used.items():
            orbit = symmetry.orbit(bound, pair, self.alike)
            for k, j in orbit:
                origin = Origin(k, j, output)
                shared[origin] = shared.get(origin, Fraction(0)) + y / len(orbit)
        return tuple(Multiplier(*origin, y) for origin, y in sorted(shared.items()))

    def maximise(self, form: Form, E: Fraction, patterns: tuple[Pattern, ...]) -> Proved:
        """The worst mechanism for one comparison at E = e^ε, with multipliers that prove it; both are added up here."""
        value, used, mechanism, _ = self.optimum(gains_of(form, E, patterns))
        return Proved(form, patterns, value, used, mechanism)

    def optimum(self, gains: Gains, *, of_worst: bool = False) -> Found:
        """The mechanism with the largest Σ gains[d][o]·M(d)(o), or, `of_worst`, the largest min over d of its sum.

        Raises:
            ArithmeticError: for an optimum that its multipliers do not prove.

        """
        row: dict[Hashable, Fraction] = {}
        constant = Fraction(0)
        program = self.program
        if of_worst:
            program, row["loss"] = self._with_loss(gains), Fraction(-1)
        else:
            for database, by_output in gains.items():
                for o in self.free:
                    variable = self.first[database], o
                    row[variable] = row.get(variable, Fraction(0)) + by_output[o] - by_output[-1]
            constant = sum((by_output[-1] for by_output in gains.values()), Fraction(0))
        value, point, multipliers = program.maximise(row)
        used = self._shared({name: y for name, y in multipliers.items() if isinstance(name, Origin) and y})
        mechanism: Chances = {}
        for database in self.databases:
            chances = [point[self.first[database], o] for o in self.free]
            mechanism[database] = (*chances, 1 - sum(chances, Fraction(0)))
        weights = dict.fromkeys(gains, Fraction(1))
        if of_worst:
            orbits = Counter(self.first[d] for d in gains)
            weights = {d: multipliers["loss", self.first[d]] / orbits[self.first[d]] for d in gains}
        weighted = {d: [weights[d] * gain for gain in by_output] for d, by_output in gains.items()}
        sums = {d: sum(map(mul, mechanism[d], by_output), Fraction(0)) for d, by_output in gains.items()}
        attained = min(sums.values()) if of_worst else sum(sums.values(), Fraction(0))
        if not upper(self.bounds, weighted, used) == attained == value + constant:
            raise ArithmeticError("an optimum was found that its multipliers do not prove")
        return Found(attained, used, mechanism, {d: weight for d, weight in weights.items() if weight})

    def _with_loss(self, gains: Gains) -> LinearProgram:
        """The program with a variable `loss` that is at least -Σ gains[d][o]·M(d)(o) for each d."""
        rows = dict(self.rows)
        for d, by_output in gains.items():
            row: dict[Hashable, Fraction] = {(self.first[d], o): by_output[-1] - by_output[o] for o in self.free}
            rows["loss", self.first[d]] = {**row, "loss": Fraction(-1)}, by_output[-1]
        return LinearProgram([*self.variables, "loss"], rows)


def gains_of(form: Form, E: Fraction, patterns: tuple[Pattern, ...]) -> dict[Database, list[Fraction]]:
    """The coefficient of M(d)(o) in the objective, by d and o."""
    gains: dict[Database, list[Fraction]] = {}
    for k, pair in enumerate(form.parts):
        for database, value in pair.line(E).items():
            by_output = gains.setdefault(database, [Fraction(0)] * len(patterns))
            for o, pattern in enumerate(patterns):
                by_output[o] += pair.share * value * pattern[k]
    return gains


def upper(bounds: Sequence[AssumedComparison], gains: Gains, multipliers: Sequence[Multiplier]) -> Fraction:
    """The bound that multipliers prove for all mechanisms: Σ_d max_o (gain - Σ y·(P - E·Q)(d)) + Σ δ·max y/share."""
    left = {database: list(by_output) for database, by_output in gains.items()}
    outputs = max(map(len, left.values()), default=0)
    prices: dict[int, Fraction] = {}
    for multiplier in multipliers:
        bound = bounds[multiplier.bound]
        pair = bound.form.parts[multiplier.part]
        for database, value in pair.line(bound.E).items():
            left.setdefault(database, [Fraction(0)] * outputs)[multiplier.output] -= multiplier.times * value
        prices[multiplier.bound] = max(prices.get(multiplier.bound, Fraction(0)), multiplier.times / pair.share)
    paid = sum((bounds[k].delta * price for k, price in prices.items()), Fraction(0))
    return sum((max(by_output) for by_output in left.values()), Fraction(0)) + paid
