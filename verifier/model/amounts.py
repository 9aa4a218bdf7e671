"""How much a mechanism hides, said in one of several ways: the keys of randomized response and of geometric noise.

Randomized response on k values is known by `keep`, by `truth`, or by ε; geometric noise by its ratio p, or by ε. With
E = e^ε, which is rational:

    truth = keep + (1 - keep)/k        keep = (k·truth - 1)/(k - 1)
    truth = E/(E + k - 1)              keep = (E - 1)/(E + k - 1)              p = 1/E

One report of randomized response then has the largest ratio truth : (1 - truth)/(k - 1) = E, so that it is ε-DP, and no
less, where one value is replaced. Noise on an integer has the largest ratio 1/p = E between integers that differ by 1:
on a count it is ε-DP, and no less, where one record is replaced, added or removed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.errors import InputError
from verifier.model.forms import CHANCE, PROBABILITY, Domain, Form, Key, defined
from verifier.model.keys import Location
from verifier.numbers import Epsilon, Symbolic, epsilon, rational, shorten, simplest

LARGEST_NAMED = 100
"""The largest ε for which a message names a logarithm near it."""
BITS = 128


def _power(_domain: Domain, raw: Any, location: Location) -> Fraction:
    """e^ε, which must be rational.

    Raises:
        InputError: for an ε that is none, and for one whose e^ε is irrational or infinite.

    """
    amount = epsilon(raw, str(location))
    if amount.exp is None:
        problem = "e^ε is infinite" if amount.is_infinite else f"e^ε is irrational for ε = {amount.text(40)}"
        wanted = 'the logarithm of a rational number, such as "ln(3)"'
        raise InputError(problem, where=str(location), wanted=wanted, tip=_near(amount))
    return amount.exp


def _near(amount: Epsilon) -> str:
    """A tip that names the logarithm of a simple number within a hundredth of e^ε."""
    if amount > LARGEST_NAMED:
        return ""
    low, high = amount.exp_bracket(BITS)
    return f'"ln({simplest(low * Fraction(99, 100), high * Fraction(101, 100))})" is near it'


POWER = Form(_power, defined("epsilon"))


def _kept(domain: Domain, power: Fraction, _location: Location) -> Fraction:
    """The keep of randomized response that is ε-DP: (E - 1)/(E + k - 1)."""
    return Fraction(1, 2) if domain.positive else (power - 1) / (power + len(domain.values) - 1)


def _kept_of_truth(domain: Domain, truth: Fraction, location: Location) -> Fraction:
    """The keep that reports the true value with this probability; it may be negative.

    Raises:
        InputError: for a single value and a truth below 1, since there is nothing else to report.

    """
    number = len(domain.values)
    if domain.positive:
        return Fraction(1, 2)
    if number == 1 and truth != 1:
        raise InputError(f"{shorten(truth)} leaves a rest for other values", where=str(location), wanted="1: T has one")
    return Fraction(1) if number == 1 else (number * truth - 1) / (number - 1)


def _ratio(_domain: Domain, raw: Any, location: Location) -> Fraction:
    p = rational(raw, str(location), "a probability")
    if not isinstance(p, Symbolic) and not 0 < p < 1:
        raise InputError(
            f"{shorten(p)} is out of range", where=str(location), wanted="0 < p < 1 (DMKB20, Definition 19)"
        )
    return p


KEEP = Key(
    "keep",
    CHANCE.limited(examples=["1/2"]),
    "the probability with which a value is kept",
    instead=Key(
        "truth",
        PROBABILITY.then(_kept_of_truth).limited(examples=["3/4"]),
        "the probability with which the true value is reported, keep + (1 - keep)/k for k values",
        instead=Key(
            "epsilon",
            POWER.then(_kept).limited(examples=["ln(3)"]),
            "the smallest ε of a report, whose keep is (e^ε - 1)/(e^ε + k - 1); e^ε is rational",
        ),
    ),
    tip='`keep = "1/2"`, `truth = "3/4"` and `epsilon = "ln(3)"` are the same for two values',
)
"""The keep of randomized response."""
RATIO = Key(
    "p",
    Form(_ratio, defined("probability")).limited(examples=["1/2"]),
    "the ratio of the noise: P[X = k] is proportional to p^abs(k)",
    instead=Key(
        "epsilon",
        POWER.where(lambda power: power > 1, "ε > 0").to(lambda power: 1 / power).limited(examples=["ln(2)"]),
        "the smallest ε of a noisy count, whose p is e^-ε; e^ε is rational",
    ),
    tip='`p = "1/3"` and `epsilon = "ln(3)"` are the same',
)
"""The p of geometric noise."""


__all__ = ["KEEP", "RATIO"]
