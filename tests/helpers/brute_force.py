"""The smallest of all models of a scope, one after the other without symmetry, and δ by the naive twin."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd

from naive import Exp, families, sum_formula, tail_line
from small_models import models
from strategies_search import plain

from verifier.wings.search.candidate import Candidate
from verifier.wings.search.scope import Scope


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
