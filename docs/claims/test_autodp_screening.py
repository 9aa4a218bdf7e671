"""autodp 0.2.3.1, rdp_bank: noisy screening.

`RDP_noisy_screen` returns the ratio p/q at order infinity, where the Rényi divergence is the largest logarithm
of a ratio over both outputs. `RDP_independent_noisy_screen` collects a list over counts, and takes
`np.max(log_term)`, the last element, in place of `np.max(rdp)`; at orders 1 and infinity it returns in the
first round. With T = 6, k = 10, σ = 1 and order 8 it returns 1.0489.
"""

import pytest

import pkdp

SCREEN = {"low": {"shown": "1/4", "hidden": "3/4"}, "high": {"shown": "3/4", "hidden": "1/4"}}
FEW = {
    "count 1": {"shown": "0.000000287", "hidden": "0.999999713"},
    "count 0": {"shown": "0.000000001", "hidden": "0.999999999"},
}
"""P[N(0, 1) > 5] and P[N(0, 1) > 6], rounded to nine digits: the first count of the list, int(k/10)."""


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="the ratio in place of its logarithm")
def test_order_infinity():
    """RDP_noisy_screen({'logp': log(1/4), 'logq': log(3/4)}, inf) is 1/3."""
    pkdp.claim(SCREEN, "dp", epsilon="1/3")


def test_order_infinity_repaired():
    """The largest logarithm."""
    pkdp.claim(SCREEN, "dp", epsilon="ln(3)", tight=True)


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="the last in place of the largest")
def test_largest_over_counts():
    """The number of the library is below the divergence of its own first count."""
    pkdp.claim(FEW, "rdp", order=8, epsilon="1.0489")
