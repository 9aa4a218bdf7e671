"""diffprivlib 0.6.6, LinearRegression: sums of squares (IBM/differential-privacy-library #105, PR #110).

`_construct_regression_obj` computes max(|lower|, |lower|)² as the sensitivity of a sum of x². On bounds that
start at 0 this is 0, and the sum is released without noise. The larger of |lower| and |upper|, squared, repairs
it.
"""

import pytest

import pkdp

DATA = {"values": [0, 1], "size": 3}


def squares(db, rng):
    """Release Σ x² on the bounds [0, 1] as in version 0.6.6."""
    lower = 0
    sensitivity = max(abs(lower), abs(lower)) ** 2
    return sum(x * x for x in db) + (rng.geometric_noise("1/2") if sensitivity else 0)


def repaired(db, rng):
    """Release the same sum with the noise of PR #110."""
    lower, upper = 0, 1
    sensitivity = max(abs(lower), abs(upper)) ** 2
    return sum(x * x for x in db) + (rng.geometric_noise("1/2") if sensitivity else 0)


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="IBM/differential-privacy-library #105")
def test_squares():
    """No ε holds: the sum is released as it is."""
    pkdp.claim(squares, "dp", epsilon="ln(2)", **DATA)


def test_squares_repaired():
    """Sensitivity 1 is right on [0, 1]."""
    pkdp.claim(repaired, "dp", epsilon="ln(2)", tight=True, **DATA)
