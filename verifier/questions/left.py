"""Which counts published values leave possible, to a reader who knows none of the people.

A count is published under a rule; every count has a positive probability (0 < p < 1). So a count is possible after a
published value o exactly if the rule publishes it as o with positive probability. Of areas, o is the whole list of
published numbers (of the areas, then the total), and a vector of counts is possible, c = (c_1, …, c_k) with 0 ≤ c_a ≤
n_a. A hidden count is *given away* by o where all vectors that are possible have one c_a in that area.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, prod
from typing import Any

from verifier.definitions.answer import Valued
from verifier.model.publication import HIDDEN
from verifier.tables import Label, Law

MOST_VECTORS = 1 << 15
"""Most vectors of counts of areas that are listed; of random rules, with what each is published as."""


@dataclass(frozen=True)
class Left(Valued):
    """The counts, from first to last, that a published value leaves possible."""

    published: Label
    first: int
    last: int
    area: int = 0
    """Of which area, from 1 on; there, the published value is the list of all numbers. 0: of all people."""

    def fields(self) -> dict[str, Any]:
        """The published value and the counts that are possible."""
        of_area = {"area": self.area} if self.area else {}
        return {"published": self.published, **of_area, "from": self.first, "to": self.last}


def left_by(laws: Sequence[Law]) -> tuple[Left, ...]:
    """For each published value the counts that are possible: one entry for each stretch of them."""
    counts: dict[Label, list[int]] = {}
    for count, law in enumerate(laws):
        for output, weight in law.items():
            if weight:
                counts.setdefault(output, []).append(count)
    found = [Left(output, *ends) for output, possible in counts.items() for ends in _stretches(possible)]
    return tuple(sorted(found, key=lambda one: one.first))


def _stretches(counts: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The ends of each run of neighbouring counts."""
    for _, stretch in groupby(enumerate(sorted(counts)), lambda pair: pair[1] - pair[0]):
        run = [count for _, count in stretch]
        yield run[0], run[-1]


@dataclass(frozen=True)
class LeftByAreas:
    """What the published numbers of areas leave of the hidden counts, and how often they give one away."""

    given_away: Fraction
    """The probability that some hidden count can be computed from all that is published."""
    left: tuple[Left, ...]
    """For each published list with a hidden area, the likeliest first, the counts in each hidden area."""
    example: Label | None
    """The likeliest published list that gives a hidden count away; None if none does."""


def left_by_areas(areas: Sequence[int], p: Fraction, publish: Callable[[tuple[int, ...]], Law]) -> LeftByAreas:
    """What is left of the hidden counts of areas, of which `publish` gives the law of the list that is published.

    The probability of a vector is the product of Bin(n_a, p)(c_a), each as a whole number over (denominator of p)^n_a.
    """
    yes, no = p.numerator, p.denominator - p.numerator
    binomials = [[comb(n, c) * yes**c * no ** (n - c) for c in range(n + 1)] for n in areas]
    masses: dict[Label, Fraction] = {}
    possible: dict[Label, list[set[int]]] = {}
    for counts in product(*(range(n + 1) for n in areas)):
        weight = prod(row[c] for row, c in zip(binomials, counts, strict=True))
        law = publish(counts)
        for output, share in law.items():
            if not share or (output not in masses and not any(hidden_areas(output, len(areas)))):
                continue
            masses[output] = masses.get(output, Fraction(0)) + Fraction(weight * share, law.denominator)
            for seen, c in zip(possible.setdefault(output, [set() for _ in areas]), counts, strict=True):
                seen.add(c)
    likeliest = sorted(masses, key=lambda output: (-masses[output], output.text))
    left: list[Left] = []
    given = []
    for output in likeliest:
        hidden = hidden_areas(output, len(areas))
        sets = [(area, seen) for area, seen in enumerate(possible[output], start=1) if hidden[area - 1]]
        left += [Left(output, *ends, area) for area, seen in sets for ends in _stretches(seen)]
        if any(len(seen) == 1 for _, seen in sets):
            given.append(output)
    whole = p.denominator ** sum(areas)
    away = sum((masses[output] for output in given), Fraction(0)) / whole
    return LeftByAreas(away, tuple(left), given[0] if given else None)


def hidden_areas(published: Label, areas: int) -> list[bool]:
    """Whether each area is hidden in a published list, whose first entries are the areas."""
    return [one == HIDDEN for one in (published.entries or ())[:areas]]
