"""Comparisons whose probabilities are functions of the parameter, and the multiples of ε that they are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm

from verifier.errors import UnsupportedError
from verifier.numbers import ZERO, Function, exact_text
from verifier.numbers.reals import times
from verifier.wings.families.factor import ParametricEpsilon

UNSCALED = Fraction(1)


@dataclass(frozen=True)
class WeightedPair:
    """One pair of laws given B̂ with its weight in an average; `lost` where B̂ excludes b, so that Q is undefined."""

    knowledge: str | None
    weight: Function
    rows: tuple[tuple[str, Function, Function], ...]
    lost: bool = False


@dataclass(frozen=True)
class FamilyComparison:
    """One comparison: a pair of laws, or an average of pairs, with θ, record, a and b; allowed `scale`·ε, scale > 0.

    Of a sum of positive parts that is compared with ε, or with a number `least`, P has the terms and Q is 0.
    """

    distribution: str | None
    record: int | None
    a: str
    b: str
    terms: tuple[WeightedPair, ...]
    scale: Fraction = UNSCALED
    least: Fraction = Fraction(0)

    @cached_property
    def outcomes(self) -> tuple[tuple[Function, Function | None], ...]:
        """The weighted probabilities (P, Q) of all outputs of all terms; Q is None where it does not exist."""
        weighted: list[tuple[Function, Function | None]] = []
        for term in self.terms:
            if term.weight == 1 and not term.lost:  # the functions themselves, which keep their hashes
                weighted += [(p, q) for _, p, q in term.rows]
                continue
            weighted += [(term.weight * p, None if term.lost else term.weight * q) for _, p, q in term.rows]
        return tuple(weighted)

    def allowing(self, factor: Function | Fraction) -> FamilyComparison:
        """The comparison with factor·Q in place of Q."""
        terms = (replace(term, rows=tuple((o, p, q * factor) for o, p, q in term.rows)) for term in self.terms)
        return replace(self, terms=tuple(terms), scale=UNSCALED)


class Compared(tuple[FamilyComparison, ...]):  # noqa: SLOT001 - it keeps its pairs
    """Comparisons with the different pairs (P, Q) of their outputs, of which many have the same ones."""

    @cached_property
    def pairs(self) -> dict[tuple[Function, Function | None], None]:
        """The different pairs, in the order in which they are met."""
        return pairs_in(iter(self))


def pairs_in(compared: Iterable[FamilyComparison]) -> dict[tuple[Function, Function | None], None]:
    """The different pairs (P, Q) of outputs, in the order in which they are met."""
    if isinstance(compared, Compared):
        return compared.pairs
    return dict.fromkeys(chain.from_iterable(comparison.outcomes for comparison in compared))


def by_scale(compared: Iterable[FamilyComparison]) -> dict[Fraction, list[FamilyComparison]]:
    """The comparisons that are allowed the same multiple of ε, by that multiple."""
    found: dict[tuple[int, int], list[FamilyComparison]] = {}  # a fraction takes longer to hash
    for comparison in compared:
        found.setdefault(comparison.scale.as_integer_ratio(), []).append(comparison)
    return {Fraction(*ratio): same for ratio, same in found.items()}


def unit_of(compared: Sequence[FamilyComparison]) -> Fraction:
    """The smallest number that is an integer multiple of every scale: e^(unit·ε) is a power of each quotient P/Q.

    A smallest ε with P ≤ e^(c·ε)·Q is ln(P/Q)/c, which is ln((P/Q)^(unit/c))/unit.
    """
    scales = [comparison.scale for comparison in compared]
    return Fraction(
        lcm(*(scale.numerator for scale in scales)), gcd(*(scale.denominator for scale in scales)) if scales else 1
    )


def at_one_scale(compared: Sequence[FamilyComparison], factor: ParametricEpsilon) -> tuple[Compared, ParametricEpsilon]:
    """The comparisons with every e^(c·ε) taken into Q, and the ε that is left: 0, or c·ε where all have one scale.

    Raises:
        UnsupportedError: for different multiples c of an ε of which e^(c·ε) is no rational number or function.

    """
    scales = {comparison.scale for comparison in compared}
    same = compared if isinstance(compared, Compared) else Compared(compared)
    if scales <= {UNSCALED} or factor.infinite:
        return same, factor
    epsilon = factor.epsilon
    if epsilon is not None and epsilon.root is None and len(scales) == 1:
        return same, ParametricEpsilon(factor.name, times(epsilon, min(scales)))
    powers = {scale: _power(factor, scale) for scale in sorted(scales, reverse=True)}
    none = ParametricEpsilon(factor.name, ZERO)
    return Compared(comparison.allowing(powers[comparison.scale]) for comparison in compared), none


def _power(factor: ParametricEpsilon, scale: Fraction) -> Function | Fraction:
    """e^(scale·ε), where it is a rational number or a function of the parameter."""
    value = factor.number_or_function
    power: Function | Fraction | None = None
    if isinstance(value, Function):
        power = value ** int(scale) if scale.denominator == 1 else None
    elif value.root is None:
        power = times(value, scale).exp
    if power is None:
        raise UnsupportedError(
            f"{exact_text(scale)}·ε is allowed for ε = {factor}, and its exponential is no rational number or function",
            wanted="an ε such as ln(2), and multiples that are integers",
        )
    return power
