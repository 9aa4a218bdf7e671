"""Neighbours as pools of comparisons, each made when it is asked for, of which the worst is asked for at an ε.

`Columns` holds neighbours of a mechanism that is a table: P and Q of all pairs as integers over a common denominator of
each pair, a row an output. An e^ε between two rationals encloses δ(ε) of every pair; only those whose upper end reaches
the largest lower end are then compared exactly, the first of equal ones first. Everything is an integer: int64 where
the largest denominator of a pair, the larger of numerator and denominator of e^ε, and the denominator of δ have at
most 50 bits together, so that 12 bits are left to tell pairs apart and no sum overflows; else Python's integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from verifier.definitions.comparison import HOCKEY_STICK, Comparison, CurveMeasure, Sum, worst_line
from verifier.engine.enumerated import UpToNames
from verifier.numbers import INFINITY, ZERO, Epsilon, exp_bounds_integers, log_epsilon
from verifier.numbers.order import SHIFT
from verifier.tables import Integer

if TYPE_CHECKING:
    from verifier.engine import Neighbours
    from verifier.engine.adjacent import Adjacent
    from verifier.engine.enumerated import LawPair
    from verifier.engine.factored import Factored

WORD = 62
"""Bits of an int64 that are used."""
TELLING = 12
"""Bits that must be left to tell values apart before they are compared exactly."""
FINE = 64
"""Bits that are taken for it where integers are of any size."""


@dataclass(frozen=True, eq=False)
class OnDemand(Sequence[Comparison]):
    """The comparisons of the neighbours of one record, each made when it is asked for; `pairs` has their laws."""

    pairs: Any
    comparison: Callable[[Neighbours], Comparison]
    measure: CurveMeasure

    def neighbours(self, k: int) -> Neighbours:
        """The k-th pair of laws."""
        found: Neighbours = self.pairs.neighbours(k)
        return found

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""
        return int(self.pairs.multiplicity)

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what it is allowed."""
        raise NotImplementedError

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:
        """The ε that this comparison needs, and so the pool."""
        return comparison.epsilon(delta)

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""
        raise NotImplementedError

    @property
    def has_profile(self) -> bool:
        """True: neighbours are allowed ε."""
        return True

    @property
    def firsts(self) -> Sequence[Comparison]:
        """Comparisons among which is, for each of all, one that has its two laws up to the names of the outputs."""
        return self

    @overload
    def __getitem__(self, key: int) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Comparison]: ...
    def __getitem__(self, key: int | slice) -> Comparison | Sequence[Comparison]:
        if isinstance(key, slice):
            return [self[k] for k in range(*key.indices(len(self)))]
        return replace(self.comparison(self.neighbours(range(len(self))[key])), measure=self.measure)


class Alike(OnDemand):
    """Neighbours of which those with the same two laws, up to the names of the outputs, are looked at once.

    They have the same curve and the same divergences, so that the first of them answers for all. The plain way is
    `Listed`.
    """

    pairs: Sequence[LawPair]

    def __len__(self) -> int:
        return len(self.pairs)

    def neighbours(self, k: int) -> Neighbours:
        """The k-th pair of laws."""
        return self.pairs[k].neighbours

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""
        return sum(pair.multiplicity for pair in self.pairs)

    @cached_property
    def firsts(self) -> Sequence[Comparison]:
        """The first comparison of each class of those that are alike, in their order."""
        classes: dict[object, int] = {}
        up_to_names = UpToNames()
        for k, pair in enumerate(self.pairs):
            classes.setdefault(up_to_names(pair), k)
        return tuple(self[k] for k in classes.values())

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what it is allowed."""
        return worst_line(((comparison, comparison.line(epsilon)) for comparison in self.firsts), epsilon)

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""
        return next((comparison for comparison in self.firsts if comparison.needs(epsilon, delta)), None)


class Factors(OnDemand):
    """Neighbours of a random sum, whose δ(ε) at an ε is looked at without any law of outputs.

    At an e^ε between two rationals δ(ε) of each pair is enclosed, and only those whose upper end reaches the largest
    lower end are compared exactly. Other measures than the hockey-stick divergence go pair by pair, as in `Listed`.
    """

    pairs: Factored

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def firsts(self) -> Sequence[Comparison]:
        """The first comparison of each class of those that are one up to names, in their order."""
        return Chosen(self, self.pairs.firsts)

    @cached_property
    def _known(self) -> dict[tuple[int, int], list[Fraction]]:
        return {}

    def _deltas(self, u: int, v: int) -> list[Fraction]:
        """δ of each of `firsts` at e^ε = u/v, or at ∞; kept, since the next question is often about the same ε."""
        if (u, v) not in self._known:
            self._known[u, v] = self.pairs.deltas(u, v)
        return self._known[u, v]

    def _reaching(self, epsilon: Epsilon) -> list[Comparison]:
        """The comparisons among `firsts` that may have the largest δ(ε), in their order."""
        if epsilon.is_infinite:
            above = below = self._deltas(1, 0)
        elif epsilon.exp is not None:
            above = below = self._deltas(epsilon.exp.numerator, epsilon.exp.denominator)
        else:
            low, high = exp_bounds_integers(epsilon)
            above, below = self._deltas(low, 1 << SHIFT), self._deltas(high, 1 << SHIFT)
        most = max(below)
        reaching = [k for k, delta in enumerate(above) if delta >= most]
        return [self.firsts[k] for k in (reaching[:1] if above is below else reaching)]

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what it is allowed."""
        chosen = self._reaching(epsilon) if self.measure is HOCKEY_STICK else self.firsts
        return worst_line(((comparison, comparison.line(epsilon)) for comparison in chosen), epsilon)

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all.

        For a curve that is convex in e^ε such a comparison has δ(ε) = `delta`.
        """
        chosen: Sequence[Comparison] = self.firsts
        if self.measure is HOCKEY_STICK and epsilon.exp not in {None, 1}:
            deltas = self._deltas(epsilon.exp.numerator, epsilon.exp.denominator)
            chosen = Chosen(self, [self.pairs.firsts[k] for k, value in enumerate(deltas) if value == delta])
        return next((comparison for comparison in chosen if comparison.needs(epsilon, delta)), None)


class Chosen(Sequence[Comparison]):
    """Some of the comparisons of a pool, each made when it is asked for."""

    def __init__(self, pool: OnDemand, places: Sequence[int]) -> None:
        self.pool, self.places = pool, places

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, key: int) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Comparison]: ...
    def __getitem__(self, key: int | slice) -> Comparison | Sequence[Comparison]:
        if isinstance(key, slice):
            return Chosen(self.pool, self.places[key])
        return self.pool[self.places[key]]


class Columns(OnDemand):
    """Neighbours of a mechanism that is a table, in columns of integers."""

    pairs: Adjacent

    def __len__(self) -> int:
        return len(self.pairs.values)

    @cached_property
    def _laws(self) -> tuple[Any, Any, Any]:
        """P and Q of every pair, a row an output, and the denominators of the pairs."""
        table, first, second = self.pairs.table, self.pairs.first, self.pairs.second
        p_total, q_total = table.denominators[first], table.denominators[second]
        return table.weights[:, first] * q_total, table.weights[:, second] * p_total, p_total * q_total

    @cached_property
    def _bits(self) -> int:
        """Bits of the largest denominator."""
        return int(self._laws[2].max()).bit_length()

    def _integers(self, bits: int) -> tuple[Any, Any, Any]:
        """P, Q and the denominators in integers that can be multiplied by one of so many bits."""
        return self._laws if self._bits + bits <= WORD - TELLING else self._long

    @cached_property
    def _long(self) -> tuple[Any, Any, Any]:
        p, q, total = self._laws
        return p.astype(object), q.astype(object), total.astype(object)

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line A - B·e^ε."""
        low, high, unit = self._bracket(epsilon)
        bits = max(high, unit).bit_length()
        p, q, total = self._integers(bits)
        maybe = (p > 0) & (q == 0) if epsilon.is_infinite else p * unit > q * low
        surely = maybe if low == high else p * unit > q * high
        most = self._summed(p, q, total, maybe)
        least = most if low == high else self._summed(p, q, total, surely)
        fine = FINE if total.dtype == object else WORD - self._bits - unit.bit_length()
        gains = most.p * unit - most.q * low
        if not gains.any():  # every δ(ε) is 0, as at ε = ∞ where every output is possible
            return self[0], self[0].line(epsilon)
        above = (gains << fine) // (total * unit)
        below = above if low == high else ((least.p * unit - least.q * high) << fine) // (total * unit)
        candidates = (above >= below.max()).nonzero()[0]
        ambiguous = [] if low == high else (maybe != surely).any(axis=0)[candidates].nonzero()[0].tolist()
        lines = _lowest(most, candidates)
        for k in ambiguous:
            lines[k] = tuple(self[int(candidates[k])].line(epsilon))
        first = dict(zip(reversed(lines), reversed(candidates.tolist()), strict=True))
        best = Sum(*lines[0])
        for line in map(Sum._make, first):
            if line.exceeds(best, epsilon):
                best = line
        return self[first[best]], best

    def _bracket(self, epsilon: Epsilon) -> tuple[int, int, int]:
        """Integers with low ≤ unit·e^ε ≤ high, equal where they can be; 0 where only Q = 0 counts."""
        if epsilon.is_infinite:
            return 0, 0, 1
        if epsilon.exp is not None:
            return epsilon.exp.numerator, epsilon.exp.numerator, epsilon.exp.denominator
        low, high = exp_bounds_integers(epsilon)
        shift = max(0, high.bit_length() - (WORD - TELLING - self._bits))
        shift = 0 if shift > SHIFT - TELLING else shift
        return low >> shift, -(-high >> shift), 1 << (SHIFT - shift)

    def _summed(self, p: Any, q: Any, total: Any, mask: Any) -> Any:
        """What is bounded by δ, for the event of each pair."""
        return self.measure.of(Sum((p * mask).sum(axis=0), (q * mask).sum(axis=0), total))

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""
        if epsilon.exp == 1:
            return self[0]
        if epsilon.exp is None and not epsilon.is_infinite:
            raise ArithmeticError("a tightest ε is 0, the logarithm of a rational, or inf")
        _, high, unit = self._bracket(epsilon)
        p, q, total = self._integers(max(high, unit).bit_length() + delta.denominator.bit_length())
        if epsilon.is_infinite:
            line = self._summed(p, q, total, (p > 0) & (q == 0))
            attained: Any = line.p * delta.denominator > line.denominator * delta.numerator
        else:
            mask = p * unit >= q * high
            closed = Sum((p * mask).sum(axis=0), (q * mask).sum(axis=0), total)
            attained = self.measure.attained(closed, Fraction(high, unit), delta)
        positions = attained.nonzero()[0]
        return self[int(positions[0])] if len(positions) else None

    def lines(self) -> list[Sum]:
        """Lines of which δ(ε) of the hockey-stick divergence is the maximum, for every ε ≥ 0.

        δ is convex in e^ε: between two of its lines there is another one iff it is above them where they cross.
        """
        first, last = self.largest(ZERO)[1], self.largest(INFINITY)[1]
        lines, gaps = [first, last], [(first, last)]
        while gaps:
            left, right = gaps.pop()
            top = left.p * right.denominator - right.p * left.denominator
            bottom = left.q * right.denominator - right.q * left.denominator
            if bottom <= 0 or top <= bottom:
                continue
            crossing = log_epsilon(Fraction(int(top), int(bottom)))
            above = self.largest(crossing)[1]
            if above.exceeds(left, crossing):
                lines.append(above)
                gaps += [(left, above), (above, right)]
        return lines


def _lowest(line: Sum, chosen: Any) -> list[tuple[Integer, ...]]:
    """Some of the lines of columns, in lowest terms, so that equal ones are equal tuples."""
    from numpy import gcd

    p, q, denominator = (part if isinstance(part, int) else part[chosen] for part in line)
    shared = gcd(gcd(p, q), denominator)
    return list(zip(*((part // shared).tolist() for part in (p, q, denominator)), strict=True))
