"""What sympy alone makes of the question: output laws by adding up worlds, then the set of p where δ(p) ≤ δ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from sympy import Expr, Interval, Max, Poly, Rational, S, Symbol, cancel, fraction, piecewise_fold, solveset
from sympy.polys.polytools import real_roots

P = Symbol("p", real=True)


@dataclass(frozen=True)
class Question:
    """n voters with P[1] = p, the first `known` votes known, a count above `above`: NP or PPKDP of the last vote."""

    n: int
    known: int
    above: int
    definition: str
    factor: Fraction
    delta: Fraction

    def laws(self) -> dict[tuple[tuple[int, ...], int], dict[int, Expr]]:
        """P[output, B̂ | D(t) = v] for each B̂ and v, every world added up."""
        found: dict[tuple[tuple[int, ...], int], dict[int, Expr]] = {}
        for votes in product((0, 1), repeat=self.n):
            chance = S.One
            for vote in votes[:-1]:
                chance *= P if vote else 1 - P
            output = sum(votes) if sum(votes) > self.above else -1
            law = found.setdefault((votes[: self.known], votes[-1]), {})
            law[output] = law.get(output, S.Zero) + chance
        return found

    def deltas(self) -> Iterator[list[tuple[Expr, Expr]]]:
        """For each comparison the terms (weight, P - E·Q), so that δ(p) = Σ weight·max(0, P - E·Q)."""
        laws = self.laws()
        factor = Rational(self.factor.numerator, self.factor.denominator)
        for a in (0, 1):
            terms: list[tuple[Expr, Expr]] = []
            for known in product((0, 1), repeat=self.known):
                one, two = laws[known, a], laws[known, 1 - a]
                whole = cancel(sum(one.values()))
                rows = [
                    (whole, cancel((one.get(o, S.Zero) - factor * two.get(o, S.Zero)) / whole))
                    for o in sorted(one.keys() | two.keys())
                ]
                if self.definition == "np":
                    yield [(S.One, line) for _, line in rows]
                terms += rows
            if self.definition == "ppkdp":
                yield terms


Answer = Callable[[Fraction], bool]


def by_cells(question: Question) -> Answer:
    """Cut (0, 1) at the roots of every line, add up δ in each cell, and cut again at the roots of δ(p) - δ."""
    bound = Rational(question.delta.numerator, question.delta.denominator)
    regions = [list(_cells(terms, bound)) for terms in question.deltas()]

    def answer(at: Fraction) -> bool:
        here = Rational(at.numerator, at.denominator)
        return all(any(low <= here <= high for low, high in region) for region in regions)

    return answer


def _cells(terms: list[tuple[Expr, Expr]], bound: Expr) -> Iterator[tuple[Expr, Expr]]:
    cuts = _cut([line for _, line in terms])
    for low, high in pairwise(cuts):
        inside = _between(low, high)
        delta = sum((weight * line for weight, line in terms if line.subs(P, inside) > 0), S.Zero) - bound
        finer = [low, *(one for one in _cut([delta])[1:-1] if low < one < high), high]
        for left, right in pairwise(finer):
            if delta.subs(P, _between(left, right)) <= 0:
                yield left, right


def _cut(lines: list[Expr]) -> list[Expr]:
    """0, 1, and every zero between them, in order."""
    found = {S.Zero, S.One}
    for line in lines:
        top = fraction(cancel(line))[0]
        if top.has(P):
            found |= {root for root in real_roots(Poly(top, P)) if 0 < root < 1}
    return sorted(found)


def _between(low: Expr, high: Expr) -> Expr:
    """A rational number between two."""
    digits = 8
    while True:
        middle = Rational(str(((low + high) / 2).evalf(digits)))
        if low < middle < high:
            return middle
        digits *= 2


def by_inequality(question: Question) -> Answer:
    """δ(p) ≤ δ as one inequality with Max, given to `solveset` as it stands."""
    bound = Rational(question.delta.numerator, question.delta.denominator)
    found: Any = Interval.open(0, 1)
    for terms in question.deltas():
        delta = sum((weight * Max(0, line) for weight, line in terms), S.Zero)
        found = found.intersect(solveset(piecewise_fold(delta.rewrite("Piecewise")) <= bound, P, Interval.open(0, 1)))
    return lambda at: bool(found.contains(Rational(at.numerator, at.denominator)))
