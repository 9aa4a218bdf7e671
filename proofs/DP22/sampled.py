"""Differential privacy under sampling beside noiseless privacy (DP22, sections 6.1 and 6.3, Table 3), in fractions."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, Law, bit, mixture
from verifier.wings.papers.ledger.plain import smallest
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, unsatisfiable

COIN: Law = {"u": HALF, "v": HALF}
SURE: Law = {"u": ONE}
Rows = tuple[Law, Law]
"""The laws of M on the empty database and on the database of one tuple."""


def sampled(rows: Rows, rate: Fraction) -> Rows:
    """The laws of M on a sample of each database: the tuple is kept with probability `rate`."""
    return rows[0], mixture({0: 1 - rate, 1: rate}, lambda kept: rows[kept])


def every_rate() -> Steps:
    """The bounds on r = P[u | M(∅)]/P[u | M({t})] at each rate below 1: the upper one, and that of 1/r, differ.

    1/r ≤ K₁ = (E - 1 + β)/β, and r ≤ K₂ = E·β/(1 - E·(1 - β)), or no bound where the denominator is not positive.
    """
    x, y, e, b = z3.Reals("x y E b")
    hypotheses = [e > 1, b > 0, b < 1]
    mean = (1 - b) * x + b * y
    return (
        unsatisfiable([*hypotheses, x > 0, (mean <= e * x) != (b * y <= (e - 1 + b) * x)], "every event: 1/r ≤ K₁"),
        unsatisfiable(
            [*hypotheses, y > 0, x > 0, (x <= e * mean) != ((1 - e * (1 - b)) * x <= e * b * y)], "every event: r ≤ K₂"
        ),
        unsatisfiable(
            [*hypotheses, 1 - e * (1 - b) > 0, (e - 1 + b) * (1 - e * (1 - b)) >= e * b * b],
            "every rate below 1 and every ε above 0: K₁ < K₂",
        ),
    )


def every_size() -> Steps:
    """Databases of any size, with their parts: a coin on the empty database alone, and the same with v surely there.

    A comparison of noiseless privacy is of two laws on databases of which at most one has weight on the empty one.
    """
    x, q, e = z3.Reals("x q E")
    sizes = range(12)

    def laws(empty: Law) -> list[Law]:
        """The laws of M on a sample at rate 1/2 of 0, 1, 2, … tuples; M is u on all databases but the empty one."""
        mixed = (mixture(bit(HALF**k), (SURE, empty).__getitem__) for k in sizes)
        return [{output: p for output, p in law.items() if p} for law in mixed]

    surely_v = laws({"v": ONE})
    return (
        unsatisfiable(
            [x > 0, 2 * x <= 1, 1 - x / 2 > 2 * (1 - x)],
            "every number of tuples: P[u] grows by less than the factor 2, where P[v] = x is halved",
        ),
        every_case(
            list(zip(laws(COIN), laws(COIN)[1:], strict=False)),
            lambda pair: smallest([pair]) == 2,
            "e^ε under sampling of the coin is 2",
        ),
        equal(smallest([(surely_v[1], surely_v[0])]), None, "e^ε under sampling, where nobody is told surely"),
        unsatisfiable(
            [e >= 1, q > 0, q / 2 <= e * 0],
            "every weight q > 0 of the empty database: v is possible on one side alone, and no ε serves the coin",
        ),
        equal(smallest([(SURE, SURE)]), ONE, "without weight on it all laws are those of u: e^ε, whatever nobody says"),
    )


def rate_one() -> Steps:
    """At rate 1 a sample is the database; and what each neighbour's law is within, its mean with another is within."""
    rows = [{"u": HALF, "v": HALF}, {"u": Fraction(1, 4), "v": Fraction(3, 4)}]
    x, y, e, b = z3.Reals("x y E b")
    hypotheses = [e >= 1, b >= 0, b <= 1, x >= 0, y >= 0, x <= e * y, y <= e * x]
    mean = (1 - b) * x + b * y
    return (
        equal(sampled((rows[0], rows[1]), ONE), (rows[0], rows[1]), "the laws on samples at rate 1"),
        unsatisfiable(
            [*hypotheses, z3.Or(mean > e * x, x > e * mean)],
            "every rate: where each T with t and without t are within e^ε, so are a sample with t perhaps and without",
        ),
    )


def published_twice_by_hand() -> Steps:
    """P[the table of t] is β with t, and 0 without, so that β ≤ e^ε·0 + δ asks for δ ≥ β."""
    b, d, e = z3.Reals("b d E")
    return (unsatisfiable([b > 0, e >= 1, d < b, b <= e * 0 + d], "for no ε is a δ below the rate enough"),)
