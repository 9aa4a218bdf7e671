"""The p-table of the cell key method that leaks least under an office's conditions: its conditions, δ and proof.

An answer names the conditions: noise of at most D either way, without bias, of a variance of at most V (or of V), and
no published count in 1..js. Its table shows that its δ is enough: of two counts that differ by one, the largest
Σ_j max(0, M(a, j) - t·M(b, j)) at t = e^ε. Its dual proves that no such table has less. With weights ≥ 0 of pairs that
sum to at most 1, and a share of each published j from 0 to the weight of its pair, which is all of it where b is never
published as j,

    δ ≥ Σ share(a, b, j)·(M(a, j) - t·M(b, j)) = Σ_i Σ_j c(i, j)·M(i, j),

and where c(i, j) ≥ sum(i) + mean(i)·(j - i) - variance(i)·(j - i)² for each j that i may become, row i has at least
sum(i) - variance(i)·V of it, since M(i, ·) sums to 1, has the mean i and the variance at most V. Larger counts than
those of the table have the noise of its last row, so that the row after the last is the last one, shifted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from .number_text import epsilon_of, require_number
from .numbers import Log, Power, Wrong, afford, distinct, rational, require
from .rules import integer, noise_of_keys

Row = Mapping[int, Fraction]


class Design(NamedTuple):
    """The conditions, and how many counts the table has."""

    most: int
    variance: Fraction
    exact: bool
    never: int
    growth: Fraction
    last: int

    def becomes(self, count: int) -> Iterator[int]:
        """What a count may be published as."""
        yield from (j for j in range(max(0, count - self.most), count + self.most + 1) if not 0 < j <= self.never)

    def in_table(self, count: int, published: int) -> tuple[int, int]:
        """The entry that a count has there; the row after the last is the last one, shifted."""
        return (count, published) if count <= self.last else (self.last, published - count + self.last)

    def delta(self, rows: Mapping[int, Row]) -> Fraction:
        """The largest δ of two counts that differ by one."""
        rows = {**rows, self.last + 1: {j + 1: p for j, p in rows[self.last].items()}}
        pairs = [(a, b) for i in range(self.last + 1) for a, b in ((i, i + 1), (i + 1, i))]
        return max(
            sum((max(Fraction(0), p - self.growth * rows[b].get(j, 0)) for j, p in rows[a].items()), Fraction(0))
            for a, b in pairs
        )


def verify(answer: Mapping[str, Any]) -> str:
    """What is confirmed of a p-table; Rejected where it, or its dual, does not show that."""
    growth = Power(epsilon_of(answer["epsilon"])).value
    if growth is None or growth < 1:
        raise Wrong(f"epsilon is {str(answer['epsilon'])[:60]}", expected="ε ≥ 0 of which e^ε is rational")
    most, never, exact = integer(answer, "max_noise", 0), integer(answer, "never_1_to", 0), answer["exact_variance"]
    if type(exact) is not bool:
        raise Wrong("exact_variance", expected="true or false")
    noise = noise_of_keys(answer["table"])
    afford(len(noise) * (2 * most + 1), "the entries of a p-table")
    rows = {i: {i + d: p for d, p in law.chances().items()} for i, law in noise.items()}
    design = Design(most, rational(answer["variance"], "variance"), exact, never, growth, max(rows))
    require(min(rows) == 0, "the table lacks the count 0")
    require(design.last > most + never, "the table ends before its noise is that of all larger counts")
    for i, row in rows.items():
        require(set(row) <= set(design.becomes(i)), f"the count {i} is published as what it may not be")
        mean, spread = (sum((p * (j - i) ** n for j, p in row.items()), Fraction(0)) for n in (1, 2))
        require(mean == 0, f"the noise of the count {i} has a bias of {mean}")
        wanted = spread == design.variance if exact and i else spread <= design.variance
        require(wanted, f"the noise of the count {i} has the variance {spread}")
    least = design.delta(rows)
    require_number(answer, "least_delta", Log(least))
    shown = _proved(design, answer["dual"])
    require(shown == least, f"the dual proves that δ is at least {shown}, and the table has {least}")
    require_number(answer, "bound", Log(_bound(min(design.variance, Fraction(most)))))
    return f"the table leaks {least}, and no table leaks less"


def _bound(variance: Fraction) -> Fraction:
    """(2a - V)/(a(a + 1)) with a = 1 + ⌊V⌋: what a count of 1 gives away, at every ε."""
    a = 1 + variance.numerator // variance.denominator
    return (2 * a - variance) / (a * (a + 1))


def _proved(design: Design, dual: Mapping[str, Any]) -> Fraction:
    """What the dual proves of every table; Rejected where it proves nothing."""
    weights: dict[tuple[int, int], Fraction] = {}
    gains: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for pair in dual["pairs"]:
        a, b = integer(pair, "of", 0), integer(pair, "against", 0)
        require(abs(a - b) == 1 and max(a, b) <= design.last + 1, f"the dual compares {a} and {b}")
        require((a, b) not in weights, f"the dual compares {a} and {b} twice")
        weights[a, b] = rational(pair["weight"], "weight")
        events = distinct((integer(event, "j", 0), rational(event["share"], "share")) for event in pair["events"])
        alone = set(design.becomes(a)).difference(design.becomes(b))
        require(alone.isdisjoint(events), f"the dual has a share of what {b} never becomes")
        for j, share in (*events.items(), *((j, weights[a, b]) for j in alone)):
            require(0 <= share <= weights[a, b], f"the share of {j} is not from 0 to the weight of {a} and {b}")
            gains[design.in_table(a, j)] += share
            gains[design.in_table(b, j)] -= design.growth * share
    require(min(weights.values(), default=0) >= 0, "a weight of the dual is below 0")
    require(sum(weights.values()) <= 1, "the weights of the dual sum to more than 1")
    prices = distinct(
        (integer(row, "i", 0), [rational(row[name], name) for name in ("sum", "mean", "variance")])
        for row in dual["rows"]
    )
    require(max(prices, default=0) <= design.last, "the dual has a row that the table has not")
    shown = Fraction(0)
    for i in range(design.last + 1):
        whole, mean, variance = prices.get(i, [Fraction(0)] * 3)
        require(variance >= 0 or (design.exact and i), f"the variance of the row of {i} has a price below 0")
        for j in design.becomes(i):
            below = whole + mean * (j - i) - variance * (j - i) ** 2
            require(gains[i, j] >= below, f"the dual proves nothing about {i} published as {j}")
        shown += whole - variance * design.variance
    return shown
