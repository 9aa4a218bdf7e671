"""Weights of the states of a program in which some numbers are not known: noises, and inequalities between them.

A state with noise has a weight that is a function of its noises: a sum of terms, each a product of functions of one
noise where some differences are large enough, x - y ≥ c. A noise that is looked at no more is summed: what it adds is a
function of its neighbours, which their own functions take up. So every conjunction of inequalities is summed exactly,
with cycles too, and terms that differ in one function alone are added up, whatever their history was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from verifier.errors import LimitError
from verifier.programs.piecewise import Element, Piecewise, larger, smaller

Noise: TypeAlias = int
"""The name of a noise within a state."""
Inequality: TypeAlias = "tuple[Noise | None, Noise | None, int]"
"""(x, y, c) says x - y ≥ c; None is the constant 0."""
Edges: TypeAlias = Mapping[tuple[Noise, Noise], int]
Closure: TypeAlias = "dict[Noise | None, dict[Noise | None, int]]"
Written: TypeAlias = tuple[
    tuple[Element, tuple[tuple[Noise, Piecewise], ...], tuple[tuple[tuple[Noise, Noise], int], ...]], ...
]
"""A weight as a key: of each term the factor, the functions and the edges, in their order."""
EVERYWHERE = Piecewise.constant(Fraction(1))
MAX_TERMS = 1 << 12
"""Most terms of one weight."""


@dataclass(frozen=True)
class Term:
    """factor·Π f(x) over its noises x, where x - y ≥ c for each edge (x, y): c, and 0 elsewhere."""

    factor: Element = Fraction(1)
    functions: Mapping[Noise, Piecewise] = field(default_factory=dict)
    edges: Edges = field(default_factory=dict)

    def where(self, inequality: Inequality) -> Term | None:
        """The term where an inequality is met; None where that is nowhere."""
        x, y, c = inequality
        if x is None or y is None:
            noise = y if x is None else x
            if noise is None:
                return self if c <= 0 else None
            bounds = (None, -c) if x is None else (c, None)
            met = self.with_function(noise, self.function(noise).between(*bounds))
            if not met.functions[noise]:
                return None
        elif x == y:
            return self if c <= 0 else None
        else:
            met = replace(self, edges={**self.edges, (x, y): max(c, self.edges.get((x, y), c))})
        return met if met.closed() is not None else None

    def function(self, noise: Noise) -> Piecewise:
        """The function of a noise: 1 everywhere for a noise whose function another weight has."""
        return self.functions.get(noise, EVERYWHERE)

    def with_function(self, noise: Noise, function: Piecewise) -> Term:
        """The term with another function of a noise."""
        return replace(self, functions={**self.functions, noise: function})

    def closed(self, left_out: tuple[Noise, Noise] | None = None) -> Closure | None:
        """The largest c with x - y ≥ c that follow from the edges and the supports; None where they contradict."""
        best: Closure = {}

        def note(x: Noise | None, y: Noise | None, c: int) -> None:
            best.setdefault(y, {})
            best.setdefault(x, {})
            best[x][y] = max(best[x].get(y, c), c)

        for (x, y), c in self.edges.items():
            if (x, y) != left_out:
                note(x, y, c)
        for noise, function in self.functions.items():
            if function.low is not None:
                note(noise, None, function.low)
            if function.high is not None:
                note(None, noise, -function.high)
        for middle, after in best.items():
            for before in best.values():
                if middle in before:
                    for last, c in after.items():
                        before[last] = max(before.get(last, before[middle] + c), before[middle] + c)
        return None if any(after.get(noise, 0) > 0 for noise, after in best.items()) else best

    def needed(self) -> Term:
        """The term without the edges that follow from the others and the supports."""
        for edge, c in self.edges.items():
            best = self.closed(edge)
            if best is not None and best.get(edge[0], {}).get(edge[1], c - 1) >= c:
                return replace(self, edges={other: d for other, d in self.edges.items() if other != edge}).needed()
        return self

    def times(self, other: Term) -> Term:
        """The product with a term of other noises."""
        return Term(self.factor * other.factor, {**self.functions, **other.functions}, {**self.edges, **other.edges})

    def cases(self, noise: Noise) -> int:
        """How many cases summing a noise makes: its largest lower and its smallest upper neighbour may be any."""
        return max(1, sum(x == noise for x, _ in self.edges)) * max(1, sum(y == noise for _, y in self.edges))

    def without(self, noise: Noise) -> Iterator[Term]:
        """The terms whose sum is the sum of this one over all values of a noise."""
        function = self.function(noise)
        lows = [(y, c) for (x, y), c in self.edges.items() if x == noise]
        highs = [(x, c) for (x, y), c in self.edges.items() if y == noise]
        kept = {edge: c for edge, c in self.edges.items() if noise not in edge}
        others = {other: g for other, g in self.functions.items() if other != noise}
        if not lows and not highs:
            yield replace(self, factor=self.factor * function.total(), functions=others)
            return
        for i, (low, c) in enumerate(lows or [(None, 0)]):
            for j, (high, d) in enumerate(highs or [(None, 0)]):
                inequalities: list[Inequality] = [
                    # low + c is the largest lower bound, the first such one, and high - d the smallest upper bound
                    *((low, other, o - c + (k < i)) for k, (other, o) in enumerate(lows) if k != i),
                    *((other, high, o - d + (k < j)) for k, (other, o) in enumerate(highs) if k != j),
                ]
                if low is not None and high is not None:
                    inequalities.append((high, low, c + d))
                case: Term | None = replace(self, functions=others, edges=kept)
                for inequality in inequalities:
                    case = case and case.where(inequality)
                if case is not None:
                    yield from case.taking(function, low, c, high, d)

    def taking(self, function: Piecewise, low: Noise | None, c: int, high: Noise | None, d: int) -> Iterator[Term]:
        """The terms whose sum is this one times Σ f(x) over low + c ≤ x ≤ high - d; None for an end at infinity."""
        if low is None:
            if high is not None:
                yield self.with_function(high, self.function(high).times(function.lower().shifted(-d)))
            return
        from_low = function.upper().shifted(c)
        if high is None:
            yield self.with_function(low, self.function(low).times(from_low))
            return
        beyond_high = function.upper().shifted(1 - d)
        if low == high:
            yield self.with_function(low, self.function(low).times(from_low.plus(beyond_high, -1)))
            return
        yield self.with_function(low, self.function(low).times(from_low))
        yield self.with_function(high, self.function(high).times(beyond_high.scaled(-1)))


@dataclass(frozen=True)
class Weight:
    """The weight of a state: a sum of terms. Without noise it is one number, its `number`.

    >>> noise = Weight().with_noise(0, Fraction(1, 2)).with_noise(1, Fraction(1, 2))
    >>> noise.where([(0, 1, 0)]).summed().number, noise.where([(1, 0, 1)]).summed().number
    (Fraction(16, 27), Fraction(11, 27))
    """

    terms: tuple[Term, ...] = (Term(),)

    def __bool__(self) -> bool:
        return bool(self.terms)

    @cached_property
    def written(self) -> Written:
        """The weight as a key, by which what is made of it is kept; `of_written` makes it again."""
        return tuple((term.factor, tuple(term.functions.items()), tuple(term.edges.items())) for term in self.terms)

    @classmethod
    def of_written(cls, written: Written) -> Weight:
        """The weight of a key."""
        return cls(tuple(Term(factor, dict(functions), dict(edges)) for factor, functions, edges in written))

    @property
    def number(self) -> Element:
        """The weight, of a state without noise."""
        return sum((term.factor for term in self.terms), Fraction(0))

    @property
    def size(self) -> int:
        """About how many steps a comparison, or a sum over one noise, takes."""
        return sum(
            (1 + len(term.edges)) ** 2 + sum(len(f.pieces) for f in term.functions.values()) for term in self.terms
        )

    @property
    def noises(self) -> frozenset[Noise]:
        """The noises of all terms."""
        return frozenset(noise for term in self.terms for noise in term.functions)

    def __mul__(self, factor: Element) -> Weight:
        """The weight times a number, or times a weight of other noises."""
        if isinstance(factor, Weight):
            return Weight(tuple(x.times(y) for x in self.terms for y in factor.terms))
        return Weight(tuple(replace(term, factor=term.factor * factor) for term in self.terms if factor))

    __rmul__ = __mul__

    def __add__(self, other: Weight | Element) -> Weight:
        """The sum of two weights, or with a number."""
        more = other.terms if isinstance(other, Weight) else (Term(other),)
        return _added((*self.terms, *more))

    __radd__ = __add__

    def unused(self) -> Noise:
        """The first name after those of all noises."""
        return max(self.noises, default=-1) + 1

    def with_noise(self, noise: Noise, ratio: Element) -> Weight:
        """The weight with one noise more, two-sided geometric noise of a ratio."""
        return Weight(tuple(term.with_function(noise, Piecewise.noise(ratio)) for term in self.terms))

    def where(self, inequalities: Iterable[Inequality]) -> Weight:
        """The weight where all inequalities are met."""
        terms = self.terms
        for inequality in inequalities:
            terms = tuple(met for term in terms if (met := term.where(inequality)) is not None)
        return Weight(terms)

    def summed(self, kept: Collection[Noise] = ()) -> Weight:
        """The sum over all values of the noises that are not kept."""
        done: list[Term] = []
        waiting = [term.needed() for term in self.terms]
        while waiting:
            term = waiting.pop()
            left = [noise for noise in term.functions if noise not in kept]
            if not left:
                done.append(term)
                continue
            waiting += (more.needed() for more in term.without(min(left, key=term.cases)))
            if len(waiting) > MAX_TERMS:
                raise _too_many()
        return _added(done)

    def renamed(self, names: Mapping[Noise, tuple[Noise, int]]) -> Weight:
        """The weight in other noises: each x is called `name`, and is `name` - shift, as names[x] = (name, shift)."""

        def moved(term: Term) -> Term:
            functions = {names[x][0]: f.shifted(-names[x][1]) for x, f in term.functions.items()}
            edges = {(names[x][0], names[y][0]): c + names[x][1] - names[y][1] for (x, y), c in term.edges.items()}
            return Term(term.factor, functions, edges)

        return _added(map(moved, self.terms))

    def mirrored(self, noise: Noise) -> Weight | None:
        """The weight in -x in place of x; None where x is compared with another noise."""
        if any(noise in edge for term in self.terms for edge in term.edges):
            return None
        return Weight(tuple(term.with_function(noise, term.function(noise).mirrored()) for term in self.terms))

    def every(self, noise: Noise, new: Noise, step: int, start: int) -> Weight | None:
        """The weight where x is step·new + start, in the noise `new`; None where x is compared with another noise."""
        if any(noise in edge for term in self.terms for edge in term.edges):
            return None
        terms = []
        for term in self.terms:
            functions = {x: f for x, f in term.functions.items() if x != noise}
            functions[new] = term.function(noise).every(step, start)
            if functions[new]:
                terms.append(replace(term, functions=functions))
        return Weight(tuple(terms))

    def value(self, noise: Noise) -> int | None:
        """The only value that a noise can have; None where it can have several, as far as its functions show."""
        ends = {end for term in self.terms for f in [term.function(noise)] for end in (f.low, f.high)}
        return ends.pop() if len(ends) == 1 else None

    def spans(self, noise: Noise) -> list[range] | None:
        """The values that a noise can have, as ranges in order; None where it has no smallest, or no largest one."""
        found: list[tuple[int, int]] = []
        for term in self.terms:
            best = term.closed() or {}
            low, high = best.get(noise, {}).get(None), best.get(None, {}).get(noise)
            for piece in term.function(noise).pieces:
                ends = larger(low, piece.low), smaller(None if high is None else -high, piece.high)
                if ends[0] is None or ends[1] is None:
                    return None
                found.append((ends[0], ends[1] + 1))
        spans: list[range] = []
        for start, stop in sorted(found):
            if spans and start <= spans[-1].stop:
                spans[-1] = range(spans[-1].start, max(stop, spans[-1].stop))
            elif start < stop:
                spans.append(range(start, stop))
        return spans


def _added(terms: Iterable[Term]) -> Weight:
    """The sum of terms, where those that differ in one function alone are one term."""
    first: dict[object, Term] = {}
    for term in terms:
        if not term.factor:
            continue
        noise = min(term.functions, default=None)
        others = frozenset((x, f) for x, f in term.functions.items() if x != noise)
        key = noise, others, frozenset(term.edges.items())
        first[key] = _joined(first.get(key), term, noise)
    if len(first) > MAX_TERMS:
        raise _too_many()
    return Weight(tuple(term for term in first.values() if term.factor and all(term.functions.values())))


def _joined(old: Term | None, term: Term, noise: Noise | None) -> Term:
    """The sum of two terms that differ in the function of one noise alone, which takes up the factor."""
    if noise is None:
        return term if old is None else replace(term, factor=old.factor + term.factor)
    function = term.function(noise).scaled(term.factor)
    if old is not None:
        function = old.function(noise).plus(function)
    return replace(term.with_function(noise, function), factor=Fraction(1))


def _too_many() -> LimitError:
    return LimitError(
        "too many noises are compared with each other while all of them are still in use",
        wanted=f"at most {MAX_TERMS:,} cases",
        tip="keep only the largest so far, not the list of all noisy numbers",
    )
