"""Pools of comparisons: the worst of many, asked for at an ε.

A `Listed` pool looks at its comparisons, all of one scale, one by one; of an `AllBut` some may be left out. Neighbours
are pools of their own (`neighbour_pools`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, cmp_to_key, reduce
from itertools import accumulate, chain, groupby
from typing import Protocol, TypeVar

from verifier.definitions.comparison import Comparison, ComparisonSet, Least, worst_line
from verifier.definitions.measures.divergence import Divergence
from verifier.definitions.neighbour_pools import OnDemand
from verifier.definitions.pairs import Pair, Sum
from verifier.numbers import INFINITY, ZERO, Delta, Epsilon, Order
from verifier.numbers.reals import Real, larger, may_be_largest, order, settled
from verifier.profile import Profile

Kept = TypeVar("Kept")
FEW = 64
"""Comparisons that are looked at one by one without asking which have one curve."""


class Pool(Protocol):
    """Comparisons of which the worst is asked for."""

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""

    @property
    def has_profile(self) -> bool:
        """Whether the largest δ(ε) is a maximum of profiles: at ε itself, and with none left out."""

    @property
    def firsts(self) -> Sequence[Comparison]:
        """Comparisons among which is, for each of all, one with the same curve and divergences, the first in order."""

    def __len__(self) -> int:
        """How many comparisons there are."""

    def __iter__(self) -> Iterator[Comparison]:
        """Iterate over the comparisons, one by one."""

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what it is allowed."""

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:
        """An ε that the pool needs at `delta`, and that is enough for this comparison."""

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""


@dataclass(frozen=True)
class Listed:
    """Comparisons that are looked at one by one."""

    comparisons: Sequence[Comparison]

    @property
    def multiplicity(self) -> int:
        """How many comparisons there are, equal ones counted each."""
        return sum(comparison.multiplicity for comparison in self.comparisons)

    @property
    def has_profile(self) -> bool:
        """Whether ε is allowed, not a multiple of it, and no comparison is the least of several."""
        return self.comparisons[0].scale == 1 and not any(isinstance(one, Least) for one in self.comparisons)

    @property
    def firsts(self) -> Sequence[Comparison]:
        """All comparisons."""
        return self.comparisons

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The first comparison that attains the largest δ(ε), and its line at what they are all allowed."""
        at = self.comparisons[0].at(epsilon)
        return worst_line(((comparison, comparison.line(at)) for comparison in self._curves), at)

    @cached_property
    def _curves(self) -> Sequence[Comparison]:
        """The comparisons without those that have one pair of laws whose profile is that of an earlier pair."""
        if len(self.comparisons) < FEW:
            return self.comparisons
        known: set[Profile] = set()
        listed = []
        for one in self.comparisons:
            term = one.terms[0]
            if len(one.terms) == 1 and term.mass == one.total and type(term.pair) is Pair and type(one) is Comparison:
                if term.pair.profile in known:
                    continue
                known.add(term.pair.profile)
            listed.append(one)
        return listed

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:
        """The ε that this comparison needs, and so the pool."""
        return comparison.epsilon(delta)

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The first comparison for which no smaller ε is enough, given that this one is enough for all."""
        return next((comparison for comparison in self._curves if comparison.needs(epsilon, delta)), None)


@dataclass(frozen=True)
class AllBut(Listed):
    """Comparisons in cases, of which a total share γ = `left_out` may be left out; all have the scale 1.

    What counts is the largest value that more than the share γ reaches, or the least of all.
    """

    left_out: Fraction

    @property
    def has_profile(self) -> bool:
        """False: which cases are left out depends on ε."""
        return False

    def largest(self, epsilon: Epsilon) -> tuple[Comparison, Sum]:
        """The comparison that counts at ε, and its line."""
        return self._by_line(epsilon)[-1]

    def above(self, epsilon: Epsilon) -> list[Comparison]:
        """The comparisons with the largest δ(ε), one of each case, up to the one that counts: more than γ in all."""
        return [comparison for comparison, _ in self._by_line(epsilon)]

    def _by_line(self, epsilon: Epsilon) -> list[tuple[Comparison, Sum]]:
        lines = [(one, one.line(epsilon)) for one in self.comparisons]
        return self._counting(lines, lambda x, y: x.exceeds(y, epsilon))

    def smallest(self, comparison: Comparison, delta: Fraction) -> Epsilon:  # noqa: ARG002
        """The smallest ε: that of the comparison which counts at δ."""
        return self._by_epsilon(delta)[1]

    def needing(self, epsilon: Epsilon, delta: Fraction) -> Comparison | None:
        """The comparison that counts at δ, where it needs this ε."""
        counting, smallest = self._by_epsilon(delta)
        return counting if smallest == epsilon else None

    def _by_epsilon(self, delta: Fraction) -> tuple[Comparison, Epsilon]:
        listed = [(one, one.epsilon(delta)) for one in self.comparisons]
        return self._counting(listed, lambda x, y: x > y)[-1]

    def value(self, numbers: Sequence[Real]) -> tuple[Comparison, Real]:
        """The comparison that counts where these are the numbers of all, and its number."""
        return self._by_number(numbers)[-1]

    def beyond(self, numbers: Sequence[Real]) -> list[Comparison]:
        """The comparisons with the largest numbers, one of each case, up to the one that counts: more than γ in all."""
        return [comparison for comparison, _ in self._by_number(numbers)]

    def _by_number(self, numbers: Sequence[Real]) -> list[tuple[Comparison, Real]]:
        listed = list(zip(self.comparisons, numbers, strict=True))
        return self._counting(listed, lambda x, y: settled(order(x, y)) is Order.GREATER)

    def _counting(
        self, listed: Sequence[tuple[Comparison, Kept]], exceeds: Callable[[Kept, Kept], bool]
    ) -> list[tuple[Comparison, Kept]]:
        """The worst of each case, the largest first, until their shares are more than γ."""

        def first(entries: Iterable[tuple[Comparison, Kept]]) -> tuple[Comparison, Kept]:
            return reduce(lambda best, entry: entry if exceeds(entry[1], best[1]) else best, entries)

        def downwards(x: tuple[Comparison, Kept], y: tuple[Comparison, Kept]) -> int:
            return exceeds(y[1], x[1]) - exceeds(x[1], y[1])

        if not self.left_out:
            return [first(listed)]
        cases = sorted(
            (first(rows) for _, rows in groupby(listed, key=lambda entry: entry[0].case)), key=cmp_to_key(downwards)
        )
        reached = accumulate(comparison.share for comparison, _ in cases)
        enough = next((k for k, share in enumerate(reached) if share > self.left_out), len(cases) - 1)
        return cases[: enough + 1]


def pools_of(listed_sets: Iterable[ComparisonSet]) -> list[Pool]:
    """The comparisons of several sets, in their order, as pools.

    Neighbours on demand stay as they are; of a set some of whose cases may be left out there is one pool; others are
    joined as far as they have one scale, so that their lines are at one e^(c·ε).
    """
    pools: list[Pool] = []
    for left_out, alike in groupby(listed_sets, key=lambda one: one.left_out):
        if left_out is not None:
            pools += [AllBut(one.comparisons, left_out) for one in alike if one.comparisons]
            continue
        for on_demand, sets in groupby(alike, key=lambda one: isinstance(one.comparisons, OnDemand)):
            if on_demand:
                pools += [one.comparisons for one in sets if isinstance(one.comparisons, OnDemand)]
                continue
            listed = chain.from_iterable(one.comparisons for one in sets)
            pools += [Listed(list(of_scale)) for _, of_scale in groupby(listed, key=lambda one: one.scale)]
    return pools


def largest_delta(pools: Sequence[Pool], epsilon: Epsilon) -> tuple[Comparison, Delta]:
    """The first comparison that attains the largest δ(ε) of all, and that δ."""
    comparison, delta, _ = _largest_delta(pools, epsilon)
    return comparison, delta


def _largest_delta(pools: Sequence[Pool], epsilon: Epsilon) -> tuple[Comparison, Delta, Pool]:
    """The same with the pool; lines at one e^(c·ε) are compared as integers, others as numbers."""
    best, at = None, epsilon
    for pool in pools:
        comparison, line = pool.largest(epsilon)
        here = comparison.at(epsilon)
        if best is None:
            greater = True
        elif here == at:
            greater = line.exceeds(best[1], at)
        else:
            greater = line.delta(here).order(best[1].delta(at)).settled() is Order.GREATER
        if greater:
            best, at = (comparison, line, pool), here
    if best is None:
        raise ArithmeticError("the largest δ of no comparisons")
    return best[0], best[1].delta(at), best[2]


def largest_epsilon(pools: Sequence[Pool], bound: Fraction) -> tuple[Comparison, Epsilon]:
    """The first comparison that needs the smallest ε at which all have δ(ε) ≤ `bound`, and that ε.

    The worst comparison at an ε that is not enough says which larger one to try next.
    """
    infinite = largest_delta(pools, INFINITY)[1]
    if infinite.order(bound).settled() is Order.GREATER:
        smallest = INFINITY
    else:
        worst_comparison, delta, pool = _largest_delta(pools, ZERO)
        smallest = ZERO
        while delta.order(bound).settled() is Order.GREATER:
            last, smallest = smallest, pool.smallest(worst_comparison, bound)
            if not last < smallest:
                raise ArithmeticError("the smallest ε of a comparison is not enough for it")
            worst_comparison, delta, pool = _largest_delta(pools, smallest)
    first = next((comparison for pool in pools if (comparison := pool.needing(smallest, bound)) is not None), None)
    if first is None:
        raise ArithmeticError(f"no comparison needs the smallest ε, {smallest.text(40)}")
    return first, smallest


def largest_number(measure: Divergence, pools: Sequence[Pool], delta: Fraction) -> tuple[Comparison, Real]:
    """The first comparison with the largest number of all, which is the smallest ε at `delta`, and that number.

    Numbers that are only enclosed and cannot be told apart are enclosed together.
    """
    listed: list[tuple[Comparison, Real]] = []
    known: dict[object, Real] = {}

    def number(comparison: Comparison) -> Real:
        """The number of a comparison; one object for all with the same laws, so that it is known to equal itself."""
        (term, *more), scale = comparison.terms, comparison.scale
        if more or not isinstance(term.pair, Pair):
            return measure.number(comparison, delta)
        key = term.pair.outputs, term.pair.p, term.pair.q, term.pair.totals, term.mass, comparison.total, scale
        if key not in known:
            known[key] = measure.number(comparison, delta)
        return known[key]

    for pool in pools:
        counting = pool if measure.one_by_one else pool.firsts
        numbers = [number(comparison) for comparison in counting]
        listed += [pool.value(numbers)] if isinstance(pool, AllBut) else zip(counting, numbers, strict=True)
    firsts: dict[int, tuple[Comparison, Real]] = {}
    for entry in listed:
        firsts.setdefault(id(entry[1]), entry)
    different = list(firsts.values())
    candidates = [different[k] for k in may_be_largest([value for _, value in different])]
    best = candidates[0]
    for candidate in candidates:
        compared = order(candidate[1], best[1])
        if compared is Order.GREATER:
            best = candidate
        elif compared is Order.UNDECIDED:
            best = best[0], larger(best[1], candidate[1])
    return best
