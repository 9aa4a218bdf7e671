"""The correct count and the six bugs of dp-recorder's tests, reduced to a few lines: each claims ln(2).

dp-recorder finds such bugs by running a mechanism on pairs of databases and comparing samples. Here each law is
exact.
"""

from fractions import Fraction

import pytest

import pkdp

ADDED = {"relation": "add-or-remove-one", "epsilon": "ln(2)"}
bug = pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True)


def correct_count(db, rng):
    """Count, with noise."""
    return db.count(1) + rng.geometric_noise("1/2")


def private_mean(db, rng):
    """Divide a noisy sum by the number of people, which has no noise."""
    total = min(2, max(0, sum(db) + rng.geometric_noise("1/2")))
    return Fraction(total, len(db))


def inferred_domain(db, rng):
    """Count each class that occurs."""
    return [(one, min(2, max(0, db.count(one) + rng.geometric_noise("1/2")))) for one in sorted(set(db))]


def double_spending(db, rng):
    """Spend the whole budget on the sum, and again on the number of people."""
    return (sum(db) + rng.geometric_noise("1/2"), len(db) + rng.geometric_noise("1/2"))


def scale_zero(db, rng):
    """Compute the scale as a difference that is zero."""
    columns, most = 5, 5
    return sum(db) + (rng.geometric_noise("1/2") if columns - most else 0)


def not_clipped(db, rng):
    """Clip the values to find the noise, and sum the ones that are not clipped."""
    clipped = [min(1, max(0, x)) for x in db]
    ratio = "1/2" if max(clipped) <= 1 else "9/10"
    return sum(db) + rng.geometric_noise(ratio)


def nan_injected(db, rng):
    """Let a NaN pass the clipping, and the noise."""
    if "nan" in db:
        return "nan"
    return sum(min(1, max(0, x)) for x in db) + rng.geometric_noise("1/2")


def test_correct_count():
    """Holds, and no smaller ε does."""
    pkdp.claim(correct_count, values=[0, 1], size=[0, 2], tight=True, **ADDED)


@bug
def test_private_mean():
    """The number of people is seen."""
    pkdp.claim(private_mean, values=[0, 1], size=[1, 2], **ADDED)


@bug
def test_inferred_domain():
    """A class appears only if somebody has it."""
    pkdp.claim(inferred_domain, values=["a", "b"], size=[1, 2], **ADDED)


@bug
def test_double_spending():
    """Two answers cost ln(4)."""
    pkdp.claim(double_spending, values=[0, 1], size=[0, 2], **ADDED)


@bug
def test_scale_zero():
    """The sum is released as it is."""
    pkdp.claim(scale_zero, values=[0, 1], size=[0, 2], **ADDED)


@bug
def test_not_clipped():
    """A value of 3 moves the sum by 3."""
    pkdp.claim(not_clipped, values=[0, 1, 3], size=2, epsilon="ln(2)")


@bug
def test_nan_injected():
    """A NaN is seen with certainty."""
    pkdp.claim(nan_injected, values=[0, 1, "nan"], size=1, epsilon="ln(2)")
