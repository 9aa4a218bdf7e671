"""A probability mass function of privacy losses, as `dp_accounting` makes one, read as what it is.

Its masses are doubles, so that they are exact dyadic numbers; its losses are the multiples i·h of a discretization h,
also a double; and with some mass the loss is infinite. The ratios of likelihoods are e^(i·h), which are no rational
numbers: with z = e^(-h), δ at a multiple j·h is a polynomial in z, Σ mᵢ·(1 - z^(i-j)) over i > j, and is enclosed.
The masses need not sum to 1. What is missing is said, and nothing is normalized.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb
from typing import Any

from verifier.errors import InputError, LimitError, UndecidedError
from verifier.model import arguments
from verifier.numbers import (
    INFINITY,
    ZERO,
    Enclosure,
    Epsilon,
    arb_of,
    ball_ends,
    common_denominator,
    decimal_of,
    delta_bound,
    shorten,
)
from verifier.numbers import epsilon as read_epsilon

PRECISIONS = (256, 1024, 4096)
"""Bits of the balls; more where fewer do not tell two numbers apart."""
FIGURES = 6
MOST_LOSSES = 1 << 20
MOST_BITS = 1 << 28
"""Most bits of the masses of several runs."""
MASSES = ("_loss_probs", "_probs", "loss_probs")
"""The attributes by which such an object is known: of a sparse one, of a dense one, and of one made by hand."""


def is_loss_mass(given: object) -> bool:
    """Whether an object has the attributes of a mass function of privacy losses."""
    return any(hasattr(given, name) for name in MASSES) and (
        hasattr(given, "_discretization") or hasattr(given, "discretization")
    )


@dataclass(frozen=True)
class LossMass:
    """The masses of the losses i·h, and of an infinite one; exact, and not normalized.

    δ(ε) = m_∞ + Σ over i·h > ε of mᵢ·(1 - e^(ε - i·h)), of the one direction that the masses are of.

    >>> coin = LossMass(Fraction(1), {1: Fraction(3, 4), -1: Fraction(1, 4)}, Fraction(0))
    >>> coin.delta_at(0).decimal(6), coin.missing
    ('[0.47409, 0.474091]', Fraction(0, 1))
    """

    discretization: Fraction
    masses: Mapping[int, Fraction]
    infinity: Fraction
    pessimistic: bool | None = None
    """Whether whoever made it rounded losses up; None where it does not say."""

    def __repr__(self) -> str:
        step, missing = (decimal_of(number, FIGURES) for number in (self.discretization, self.missing))
        return f"<LossMass of {len(self.masses)} losses: h ≈ {step}, missing ≈ {missing}>"

    @property
    def missing(self) -> Fraction:
        """What the masses lack of 1; negative where they have more."""
        return 1 - self.infinity - sum(self.masses.values(), Fraction(0))

    @cached_property
    def losses(self) -> tuple[int, ...]:
        """The i with a mass, in increasing order."""
        return tuple(sorted(i for i, mass in self.masses.items() if mass))

    @cached_property
    def _above(self) -> list[Fraction]:
        """Σ of the masses from the k-th loss on, exactly."""
        masses = (self.masses[i] for i in reversed(self.losses))
        return list(accumulate(masses, initial=Fraction(0)))[::-1]

    def _weighted(self) -> list[Any]:
        """Σ of mᵢ·z^i from the k-th loss on, as balls of the precision in force."""
        h = arb_of(self.discretization)
        terms = (arb_of(self.masses[i]) * (-i * h).exp() for i in reversed(self.losses))
        return list(accumulate(terms, initial=h * 0))[::-1]

    def _refined(self, ask: Callable[[list[Any]], Any]) -> Any:
        """What is found at the first precision that is enough."""
        from flint import ctx

        for bits in PRECISIONS:
            with ctx.workprec(bits):
                found = ask(self._weighted())
            if found is not None:
                return found
        raise UndecidedError(f"two numbers are not told apart at {PRECISIONS[-1]:,} bits")

    def delta_at(self, epsilon: object) -> Enclosure:
        """The δ at ε ≥ 0, enclosed; at ε = ∞ the mass of the infinite loss."""
        at = read_epsilon(epsilon, "epsilon")
        if at.is_infinite:
            return _between(self.infinity, self.infinity)

        def ask(weighted: list[Any]) -> Enclosure | None:
            from flint import ctx

            low, high = at.bracket(ctx.prec)
            first = next((k for k, i in enumerate(self.losses) if i * self.discretization > low), len(self.losses))
            if first < len(self.losses) and low < self.losses[first] * self.discretization < high:
                return None
            growth = arb_of(low).union(arb_of(high)).exp()
            return _between(*ball_ends(arb_of(self._above[first] + self.infinity) - growth * weighted[first]))

        smallest: Enclosure = self._refined(ask)
        return smallest

    def epsilon_at(self, delta: object) -> Epsilon | Enclosure:
        """The smallest ε ≥ 0 at δ, enclosed: ln((A - δ)/B) on the piece δ(ε) = A - B·e^ε of the curve.

        δ at a multiple of h is never a rational number but where no loss is above it (Lindemann), so that more bits
        decide on which piece ε lies.
        """
        level = delta_bound(delta)
        if self.infinity > level:
            return INFINITY

        def ask(weighted: list[Any]) -> Epsilon | Enclosure | None:
            h = arb_of(self.discretization)
            ends = [(0, self._first_above(0))]
            ends += [(i, k + 1) for k, i in enumerate(self.losses) if i > 0]

            def exceeds(place: int) -> bool | None:
                i, first = ends[place]
                if first == len(self.losses):
                    return False
                value = arb_of(self._above[first] + self.infinity - level) - (i * h).exp() * weighted[first]
                return True if value > 0 else False if value <= 0 else None

            low, high = -1, len(ends) - 1
            while high - low > 1:
                middle = (low + high) // 2
                more = exceeds(middle)
                if more is None:
                    return None
                low, high = (middle, high) if more else (low, middle)
            if low < 0:
                more = exceeds(0)
                if more is None:
                    return None
                if not more:
                    return ZERO
                low = 0
            first = ends[low][1]
            return _between(*ball_ends((arb_of(self._above[first] + self.infinity - level) / weighted[first]).log()))

        smallest: Epsilon | Enclosure = self._refined(ask)
        return smallest

    def _first_above(self, loss: int) -> int:
        """The place of the first loss above one."""
        return next((k for k, i in enumerate(self.losses) if i > loss), len(self.losses))

    def runs(self, times: object) -> LossMass:
        """The masses of k independent runs, exactly: the k-th power of Σ mᵢ·x^i; what is missing grows with k.

        Raises:
            LimitError: where there are too many losses, or their masses are too long; before the work.

        """
        from flint import fmpz_poly

        number = arguments.number(1)(times, "times")
        low, width = self.losses[0], self.losses[-1] - self.losses[0]
        shared = common_denominator(mass.denominator for mass in self.masses.values())
        bits = min(width * number, comb(number + len(self.losses) - 1, number)) * number * shared.bit_length()
        if width * number > MOST_LOSSES or bits > MOST_BITS:
            problem = f"{number} runs have up to {width * number + 1:,} losses, with masses of {bits:,} bits in all"
            wanted = f"at most {MOST_LOSSES:,} losses and {MOST_BITS:,} bits"
            raise LimitError(problem, wanted=wanted, tip="use a coarser discretization, or fewer runs")
        single = [0] * (width + 1)
        for i in self.losses:
            single[i - low] = int(self.masses[i] * shared)
        power, total = fmpz_poly(single) ** number, shared**number
        masses = {k + number * low: Fraction(int(w), total) for k, w in enumerate(power.coeffs()) if w}
        finite = sum(self.masses.values(), Fraction(0))
        infinite = (finite + self.infinity) ** number - finite**number
        return LossMass(self.discretization, masses, infinite, self.pessimistic)


def _between(low: Fraction, high: Fraction) -> Enclosure:
    """The interval between two rationals, rounded outwards."""
    return Enclosure.around(low, high, PRECISIONS[0])


def loss_mass(given: object) -> LossMass:
    """The masses of an object with the attributes of `dp_accounting`'s mass functions, sparse or dense, exactly.

    Raises:
        InputError: for another object, such as a whole `PrivacyLossDistribution`, which has a mass function for each
            direction; for a mass that is negative or no number, and for a discretization that is not positive.

    """
    if not is_loss_mass(given):
        wanted = "a mass function of privacy losses, such as a SparsePLDPmf or a DensePLDPmf of dp_accounting"
        tip = "pld._pmf_remove and pld._pmf_add are its two directions" if hasattr(given, "_pmf_remove") else ""
        raise InputError(f"{shorten(given)} has no masses of losses", where="given", wanted=wanted, tip=tip)
    step = _exact(_attribute(given, "discretization"), "discretization")
    if step <= 0:
        raise InputError(
            f"the discretization {shorten(step)} is not positive", where="given", wanted="a positive number"
        )
    listed = _attribute(given, "loss_probs")
    if listed is None:
        lowest = int(_attribute(given, "lower_loss"))
        listed = {lowest + k: mass for k, mass in enumerate(_attribute(given, "probs"))}
    if len(listed) > MOST_LOSSES:
        raise LimitError(f"there are {len(listed):,} losses", where="given", wanted=f"at most {MOST_LOSSES:,}")
    masses = {int(i): _exact(mass, f"the mass of the loss {i}") for i, mass in listed.items()}
    infinity = _exact(_attribute(given, "infinity_mass"), "infinity_mass")
    negative = next((i for i, mass in masses.items() if mass < 0), "∞" if infinity < 0 else None)
    if negative is not None:
        raise InputError(f"the mass of the loss {negative} is negative", where="given", wanted="masses from 0")
    return LossMass(step, {i: mass for i, mass in masses.items() if mass}, infinity, _pessimistic(given))


def _pessimistic(given: object) -> bool | None:
    said = _attribute(given, "pessimistic_estimate")
    return None if said is None else bool(said)


def _attribute(given: object, name: str) -> Any:
    """An attribute, which some versions hide behind an underscore."""
    return getattr(given, f"_{name}", getattr(given, name, None))


def _exact(value: Any, where: str) -> Fraction:
    """A double, or another number, as the rational that it is."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{shorten(value)} is not a finite number", where=where, wanted="a number") from None
