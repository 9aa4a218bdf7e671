"""opendp 0.16.0, make_laplace_threshold: the δ of a key that one person adds (opendp/opendp #2922).

`noise_threshold/mod.rs` releases a key if its noisy count is at least T. `tail_bounds/mod.rs` computes P[X > T
- Δ]. The event is X ≥ T - Δ, so that the reported δ is e^(1/scale) times too small. A tail of T - Δ - 1 in
place of T - Δ repairs it.
"""

import pytest

import pkdp

ONE_KEY = {"values": ["here"], "size": [0, 1], "relation": "add-or-remove-one"}


def key(db, rng):
    """Show a key of one person if its noisy count reaches 5; scale 1/ln(2) is the ratio 1/2."""
    if len(db) == 0:
        return "not shown"
    return "shown" if len(db) + rng.geometric_noise("1/2") >= 5 else "not shown"


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="opendp/opendp #2922")
def test_reported_delta():
    """make_laplace_threshold(…, scale=1/ln(2), threshold=5).map((1, 1, 1)) returns (ln(2), 1/48)."""
    pkdp.claim(key, "dp", epsilon="ln(2)", delta="1/48", **ONE_KEY)


def test_repaired_delta():
    """The tail from T - Δ on is 1/24, and no smaller δ holds."""
    pkdp.claim(key, "dp", epsilon="ln(2)", delta="1/24", tight=True, **ONE_KEY)
