"""All models of a scope, one after the other without symmetry, and δ by the naive twin; only `Candidate` is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from naive import Exp, families, sum_formula, tail_line
from strategies_search import plain

from verifier.wings.search.candidate import Candidate
from verifier.wings.search.scope import Scope


def grid(total: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """All laws on so many labels whose probabilities are multiples of 1/total."""
    for weights in product(range(total + 1), repeat=parts):
        if sum(weights) == total:
            yield tuple(Fraction(weight, total) for weight in weights)


def over(law: tuple[Fraction, ...]) -> tuple[int, tuple[int, ...]]:
    """A law over its least common denominator."""
    total = lcm(*(p.denominator for p in law))
    return total, tuple(int(p * total) for p in law)


def models(scope: Scope) -> Iterator[Candidate]:
    """Every model of the scope, as the words of `Scope` say it."""
    shapes = product(
        range(1, scope.records + 1),
        range(2, scope.values + 1),
        range(1, scope.outputs + 1),
        range(1, scope.knowledge + 1),
    )
    for n, t, o, k in shapes:
        rows = list(grid(scope.mechanism_weights, o))
        for law in grid(scope.weights, t**n * k):
            if not all(any(law[b::k]) for b in range(k)):
                continue
            total, weights = over(law)
            for table in product(rows, repeat=t**n):
                if not all(any(row[u] for row in table) for u in range(o)):
                    continue
                shared = lcm(*(p.denominator for row in table for p in row))
                whole = tuple(tuple(int(p * shared) for p in row) for row in table)
                yield Candidate(n, t, o, k, total, shared, weights, whole, scope.first_only)


def smallest(scope: Scope, wanted: Callable[[Candidate], bool]) -> tuple[Candidate | None, int, int]:
    """The smallest wanted model, how many models there are, and how many are wanted."""
    best, count, found = None, 0, 0
    for one in models(scope):
        count += 1
        if wanted(one):
            found += 1
            best = one if best is None or one.size < best.size else best
    return best, count, found


def reduced(one: Candidate) -> bool:
    """Whether the denominators are the least."""
    return gcd(one.law_total, *one.law) == 1 and gcd(one.row_total, *(w for row in one.mechanism for w in row)) == 1


def needed(one: Candidate, definition: str, E: Fraction | None) -> Fraction | None:
    """The smallest δ at e^ε = E (None: ε is infinite), by the naive twin; None where nothing is compared."""
    compared = [each for family in families(plain(one), definition) for each in family]
    if definition.startswith("tail-"):
        at = Exp("inf") if E is None else Exp("log", Fraction(1), E)
        return max((tail_line(each, at)[0] for each in compared), default=None)
    if E is None:
        return max((sum((p for p, q in each.outcomes if not q), Fraction(0)) for each in compared), default=None)
    return max((sum_formula(each, E) for each in compared), default=None)
