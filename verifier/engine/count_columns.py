"""What published counts tell about one person among independent people, by the columns of a rule.

Everybody is counted with probability p, independently. Of the others m are known, k of them counted; j ~ Bin(u, p) of
the u unknown ones are. The row c = j + k has for each output o the weights a(c, o) if she is counted, and b(c, o) if
she is not. So an output is a column, and

    P_k(o) = Σ_j Bin(u, p)(j)·a(j + k, o),    Q_k(o) = Σ_j Bin(u, p)(j)·b(j + k, o).

A column consists of runs of equal weights; each costs one difference of the cumulated binomial. Columns that are
shifts of one pattern by s depend on s - k alone, and are summed along arithmetic progressions of s. The work is about
patterns × (n + m), and no law of outputs is made. The engine of sums is the plain twin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, chain
from math import lcm
from operator import mul
from typing import TypeAlias

from verifier.numbers import Delta, Epsilon, Order, compare_integers
from verifier.tables import Law

Weights: TypeAlias = tuple[int, int]
"""What an output weighs in a row: if she is counted, and if she is not."""
Row: TypeAlias = Mapping[Hashable, Weights]
Line: TypeAlias = tuple[int, int]
"""(P(S), Q(S)) of an event S, as numerators."""
BITS = 96
"""Bits of the bracket of a level that decides most comparisons."""
GUESS_BITS = 200
"""Bits of the numbers with which a level is guessed, before it is decided with whole ones."""


class Level:
    """A level t = e^ε, at least 1, or infinite: which outputs have P > t·Q."""

    def __init__(self, low: int, high: int, exceeds: Callable[[int, int], bool]) -> None:
        self.low, self.high, self.exceeds = low, high, exceeds

    @classmethod
    def of(cls, value: Fraction | Epsilon) -> Level:
        """The level that is a rational t, or e^ε."""
        if isinstance(value, Epsilon):
            if value.is_infinite:
                return cls(1, 0, lambda p, q: p > 0 and q == 0)
            if value.exp is None:
                low, high = (int(end * 2**BITS) for end in value.exp_bracket(BITS))
                greater = partial(_is_greater, epsilon=value)
                return cls(low, high + 1, greater)
            value = value.exp
        x, y = value.numerator, value.denominator
        low = (x << BITS) // y
        return cls(low, low + 1, lambda p, q: y * p > x * q)

    def below(self, p: int, q: int) -> bool:
        """Whether P > t·Q, for P, Q ≥ 0."""
        if self.high < self.low:
            return self.exceeds(p, q)
        wide = p << BITS
        return wide > self.high * q or (wide > self.low * q and self.exceeds(p, q))

    def higher(self, one: Line, other: Line) -> bool:
        """Whether the first line is above the second at t: P₁ - t·Q₁ > P₂ - t·Q₂; where both are equal, either."""
        p, q = one[0] - other[0], one[1] - other[1]
        if p <= 0 <= q or self.high < self.low:
            return p > 0 and q <= 0
        return not self.below(-p, -q) if p < 0 else q <= 0 or self.below(p, q)


def _is_greater(p: int, q: int, epsilon: Epsilon) -> bool:
    return compare_integers(p, q, epsilon).settled() is Order.GREATER


@dataclass(frozen=True)
class Progression:
    """The columns that are shifts of one pattern by first, first + step, …, last.

    `runs` are (start, stop, a, b): from the row `shift + start` up to before `shift + stop` the weights are a and b.
    """

    first: int
    last: int
    step: int
    runs: tuple[tuple[int, int, int, int], ...]

    def places(self, known: int, unknown: int) -> Iterator[int]:
        """The differences s - k, for k known people who are counted, at which the columns have any mass."""
        low, high = 1 - self.runs[-1][1], unknown - self.runs[0][0]
        if self.first == self.last or self.step <= known + 1:
            return iter(range(max(low, self.first - known), min(high, self.last) + 1))
        shifts = range(self.first, self.last + 1, self.step)
        return chain.from_iterable(range(max(low, s - known), min(high, s) + 1) for s in shifts)


def binomial(number: int, p: Fraction) -> list[int]:
    """P[X = k] for X ~ Bin(number, p), 0 < p < 1, k = 0 … number, as numerators over denominator^number.

    >>> binomial(2, Fraction(1, 3))
    [4, 4, 1]
    """
    a, b = p.numerator, p.denominator - p.numerator
    terms = [b**number]
    for k in range(number):
        terms.append(terms[-1] * ((number - k) * a) // ((k + 1) * b))
    return terms


def progressions(rows: Sequence[Row]) -> Iterator[Progression]:
    """The columns of a rule, those that are shifts of one pattern together."""
    columns: dict[Hashable, list[tuple[int, int, int]]] = {}
    for c, row in enumerate(rows):
        for output, (a, b) in row.items():
            columns.setdefault(output, []).append((c, a, b))
    shifts: dict[tuple[tuple[int, int, int, int], ...], Counter[int]] = {}
    for cells in columns.values():
        shift = cells[0][0]
        runs: list[tuple[int, int, int, int]] = []
        for c, a, b in cells:
            at = c - shift
            if runs and runs[-1][1:] == (at, a, b):
                runs[-1] = (runs[-1][0], at + 1, a, b)
            else:
                runs.append((at, at + 1, a, b))
        shifts.setdefault(tuple(runs), Counter())[shift] += 1
    for pattern, often in shifts.items():
        for times in sorted(set(often.values())):
            weighted = tuple((start, stop, times * a, times * b) for start, stop, a, b in pattern)
            left = sorted(shift for shift, number in often.items() if number == times)
            while left:
                step = left[1] - left[0] if len(left) > 1 else 1
                size = next((i for i in range(1, len(left)) if left[i] - left[i - 1] != step), len(left))
                yield Progression(left[0], left[size - 1], step, weighted)
                left = left[size:]


class CountColumns:
    """The lines of the events P_k > t·Q_k for all k, of `known` and `unknown` others; weights are over `scale`."""

    def __init__(self, rows: Sequence[Row], scale: int, known: int, unknown: int, p: Fraction) -> None:
        self.known, self.unknown = known, unknown
        self.parts = list(progressions(rows))
        self.below = [0, *accumulate(binomial(unknown, p))]
        self.total: int = scale * p.denominator**unknown

    @property
    def work(self) -> int:
        """About how many differences of the binomial one set of lines needs."""
        return sum((part.last - part.first + self.known + 1) * len(part.runs) for part in self.parts)

    def coarse(self, bits: int) -> CountColumns:
        """The same columns with shorter numbers, for guesses."""
        short = object.__new__(CountColumns)
        short.__dict__.update(self.__dict__)
        shift = max(0, self.below[-1].bit_length() - bits)
        short.below, short.total = [weight >> shift for weight in self.below], self.total >> shift
        return short

    def masses(self, part: Progression) -> Iterator[tuple[int, int, int]]:
        """The place s - k, P and Q of the columns of a part."""
        known, unknown = self.known, self.unknown
        below = [*[0] * known, *self.below, *[self.below[-1]] * known]  # at the place c + known: rows below c
        runs = [(start + known, stop + known, a, b) for start, stop, a, b in part.runs]
        for place in part.places(known, unknown):
            p = q = 0
            for start, stop, a, b in runs:
                mass = below[place + stop] - below[place + start]
                p += a * mass
                q += b * mass
            yield place, p, q

    def lines(self, level: Level, *, swapped: bool) -> list[Line]:
        """(P(S), Q(S)) of the event S where P > t·Q, for each k; `swapped` exchanges P and Q."""
        ps, qs = [0] * (self.known + 1), [0] * (self.known + 1)
        for part in self.parts:
            low = part.first - self.known
            width = part.last - low + 1
            step = part.step if part.first < part.last else width
            p_at, q_at = [0] * width, [0] * width
            for place, p, q in self.masses(part):
                more, less = (q, p) if swapped else (p, q)
                if level.below(more, less):
                    p_at[place - low], q_at[place - low] = more, less
            for sums, at in ((ps, p_at), (qs, q_at)):
                for i in range(step, width):
                    at[i] += at[i - step]
                for k in range(self.known + 1):
                    before = part.first - k - low - step
                    sums[k] += at[part.last - k - low] - (at[before] if before >= 0 else 0)
        return list(zip(ps, qs, strict=True))

    def largest_ratio(self, least: Fraction, *, swapped: bool) -> Fraction | None:
        """The largest P/Q of any output and any k, if it is above `least`, else `least`; None where it is infinite."""
        level = Level.of(least)
        for part in self.parts:
            for _, p, q in self.masses(part):
                more, less = (q, p) if swapped else (p, q)
                if level.below(more, less):
                    if not less:
                        return None
                    least = Fraction(more, less)
                    level = Level.of(least)
        return least


@dataclass(frozen=True, eq=False)
class PublishedCounts:
    """What one kind of release tells: columns for each number of known people among those who are left out.

    `shares` are the weights of these numbers, and `chances` those of k; an average weighs by both, a maximum by none.
    """

    columns: Sequence[CountColumns]
    shares: Sequence[int]
    chances: Sequence[int]

    @property
    def work(self) -> int:
        """About how many differences of the binomial one line needs."""
        return sum(columns.work for columns in self.columns)

    @cached_property
    def averaged_total(self) -> int:
        """The denominator of an averaged line."""
        return self.columns[0].total * sum(self.shares) * sum(self.chances)

    def lines(self, level: Level, *, swapped: bool) -> list[list[Line]]:
        """The lines of the events P > t·Q, by the known people who are counted."""
        return [columns.lines(level, swapped=swapped) for columns in self.columns]

    def averaged(self, lines: Sequence[Sequence[Line]]) -> Line:
        """The line on average over the knowledge, over `averaged_total`."""
        sums = [[sum(map(mul, self.chances, side)) for side in zip(*part, strict=True)] for part in lines]
        p, q = (sum(map(mul, self.shares, side)) for side in zip(*sums, strict=True))
        return p, q

    def line(self, level: Level, *, swapped: bool, averages: bool) -> tuple[Line, int]:
        """The line on average, or of the worst knowledge, with its denominator."""
        lines = self.lines(level, swapped=swapped)
        return (self.averaged(lines), self.averaged_total) if averages else (_highest(lines, level), self.total)

    @property
    def total(self) -> int:
        """The denominator of the line of one k."""
        return self.columns[0].total

    def deltas(self, epsilon: Epsilon) -> tuple[tuple[Delta, Delta], tuple[Delta, Delta]]:
        """The smallest δ for an attacker who knows by chance, and for one who chooses, each in both directions."""
        level = Level.of(epsilon)
        both = [self.lines(level, swapped=swapped) for swapped in (False, True)]
        averaged = [_delta(self.averaged(lines), self.averaged_total, epsilon) for lines in both]
        largest = [_delta(_highest(lines, level), self.total, epsilon) for lines in both]
        return (averaged[0], averaged[1]), (largest[0], largest[1])

    def level(self, delta: Fraction, *, averages: bool) -> Fraction | None:
        """The smallest e^ε ≥ 1 at which δ(ε) ≤ `delta`, for both directions; None where none is enough.

        δ is convex and piecewise linear in t = e^ε. A step from the left goes to where the line of the present event
        is `delta`; it never passes the answer, and ends there.
        """
        answer = Fraction(1)
        for swapped in (False, True):
            if delta == 0:
                found = self._largest_ratio(answer, swapped=swapped)
            else:
                found = self._root(answer, delta, swapped=swapped, averages=averages)
            if found is None:
                return None
            answer = found
        return answer

    def _largest_ratio(self, least: Fraction, *, swapped: bool) -> Fraction | None:
        for columns in self.columns:
            found = columns.largest_ratio(least, swapped=swapped)
            if found is None:
                return None
            least = found
        return least

    def _root(self, start: Fraction, delta: Fraction, *, swapped: bool, averages: bool) -> Fraction | None:
        guess = self._coarse(delta).newton(start, delta, swapped=swapped, averages=averages, rounded=True)
        near = guess and Fraction(int(guess * (2**60 - 2**12)), 2**60)
        if near and near > start:
            (p, q), total = self.line(Level.of(near), swapped=swapped, averages=averages)
            if p - near * q > delta * total:
                start = near
        return self.newton(start, delta, swapped=swapped, averages=averages)

    def newton(
        self, at: Fraction, delta: Fraction, *, swapped: bool, averages: bool, rounded: bool = False
    ) -> Fraction | None:
        """The root right of `at`, by steps to the root of the present line; `rounded` down to 64 bits, for a guess."""
        while True:
            (p, q), total = self.line(Level.of(at), swapped=swapped, averages=averages)
            if p * at.denominator - at.numerator * q <= delta * total * at.denominator:
                return at
            if not q:
                return None
            after = (p - delta * total) / q
            if rounded:
                after = Fraction(int(after * 2**64), 2**64)
                if after <= at:
                    return at
            at = after

    def _coarse(self, delta: Fraction) -> PublishedCounts:
        bits = GUESS_BITS + delta.denominator.bit_length()
        shift = max(0, sum(self.chances).bit_length() - bits)
        columns = [columns.coarse(bits) for columns in self.columns]
        return PublishedCounts(columns, self.shares, [weight >> shift for weight in self.chances])


def _highest(lines: Sequence[Sequence[Line]], level: Level) -> Line:
    """The line that is highest at a level; the first of equal ones."""
    best: Line = (0, 0)
    for line in chain.from_iterable(lines):
        if level.higher(line, best):
            best = line
    return best


def _delta(line: Line, total: int, epsilon: Epsilon) -> Delta:
    return Delta.of(Fraction(line[0], total), Fraction(line[1], total), epsilon)


def one_table(laws: Sequence[Law], known: int, p: Fraction) -> PublishedCounts:
    """One published count of all people; `laws[c]` is the law of what is published for the count c."""
    scale = lcm(*(law.denominator for law in laws))
    rows = [_both(_scaled(laws[c + 1], scale), _scaled(laws[c], scale)) for c in range(len(laws) - 1)]
    columns = CountColumns(rows, scale, known, len(rows) - 1 - known, p)
    return PublishedCounts([columns], [1], binomial(known, p))


def two_tables(
    laws: Sequence[Law], known: int, p: Fraction, group: int = 1, known_group: int = 0, *, kept: bool = False
) -> PublishedCounts:
    """The count of all people, and that without `group` people, she among them; of the others there so many are known.

    With `kept` noise the two are published alike where the same people are counted in both: where she is not counted,
    and no other of the group is.
    """
    scale = lcm(*(law.denominator for law in laws))
    scaled = [_scaled(law, scale) for law in laws]
    people, free = len(laws) - 1, group - 1 - known_group
    ways = binomial(free, p)
    columns = []
    for counted in range(known_group + 1):
        rows = []
        for c in range(people - group + 1):
            sides: list[dict[Hashable, int]] = [{}, {}]
            for more, ways_of in enumerate(ways):
                for she, law in ((1, sides[0]), (0, sides[1])):
                    added = counted + more + she
                    if kept and not added:
                        pairs = [((o, o), weight * scale) for o, weight in scaled[c].items()]
                    else:
                        large, small = scaled[c + added].items(), scaled[c].items()
                        pairs = [((x, y), v * w) for x, v in large for y, w in small]
                    for pair, weight in pairs:
                        law[pair] = law.get(pair, 0) + weight * ways_of
            rows.append(_both(*sides))
        total = scale * scale * p.denominator**free
        columns.append(CountColumns(rows, total, known - known_group, people - group - known + known_group, p))
    return PublishedCounts(columns, binomial(known_group, p), binomial(known - known_group, p))


def _scaled(law: Law, scale: int) -> dict[Hashable, int]:
    return {output: int(weight) * (scale // law.denominator) for output, weight in law.items()}


def _both(counted: Mapping[Hashable, int], other: Mapping[Hashable, int]) -> dict[Hashable, Weights]:
    outputs = dict.fromkeys([*counted, *other])
    return {output: (counted.get(output, 0), other.get(output, 0)) for output in outputs}
