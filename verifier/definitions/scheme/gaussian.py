"""Gaussian differential privacy: the smallest μ whose trade-off curve G_μ lies below that of two laws (DRS21).

G_μ(α) = Φ(Φ⁻¹(1 - α) - μ) is convex and the curve of two laws is piecewise linear, so that its vertices suffice.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from verifier.definitions.divergence import TITLES, Scalar
from verifier.definitions.pairs import MeasurePair
from verifier.definitions.scheme.conditions import Vertices, vertices_of
from verifier.numbers import INFINITY, ZERO, arb_of, ball_ends
from verifier.numbers.reals import Enclosed, Real

CORNERS = {(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))}


def gaussian(pair: MeasurePair) -> Real:
    """The largest Φ⁻¹(1 - α) - Φ⁻¹(β) = -(Φ⁻¹(α) + Φ⁻¹(β)) of the vertices (α, β), at least 0.

    It is ∞ where an output is possible under one law alone.
    """
    corners = [corner for corner in vertices_of(pair) if corner not in CORNERS]
    if any(not alpha or not beta for alpha, beta in corners):
        return INFINITY
    unordered = {(min(corner), max(corner)) for corner in corners if sum(corner) != 1}
    lowest = [corner for corner in unordered if not any(_below(other, corner) for other in unordered)]
    return _largest(tuple(sorted(lowest))) if lowest else ZERO


def _below(corner: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    return corner != other and corner[0] <= other[0] and corner[1] <= other[1]


@lru_cache(maxsize=1 << 12)
def _largest(corners: Vertices) -> Real:
    """The sum is symmetric in α and β: a pair of laws and its reverse have the same number."""

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        from flint import ctx

        with ctx.workprec(precision + 64):
            ends = [ball_ends(-(_quantile(alpha) + _quantile(beta))) for alpha, beta in corners]
        return max(low for low, _ in ends), max(high for _, high in ends)

    return Enclosed(bracket)


def _quantile(x: Fraction) -> Any:
    """Φ⁻¹(x) = √2·erf⁻¹(2·x - 1); near 0 by the complement."""
    from flint import arb

    if x > Fraction(1, 2):
        return -_quantile(1 - x)
    return -(arb(2).sqrt() * arb_of(2 * x).erfcinv())


GAUSSIAN = Scalar("gaussian", *TITLES["gaussian"], gaussian)
