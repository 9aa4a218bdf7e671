"""opendp 0.16.0, make_population_amplification: the map at more than one change.

The map is ln(1 + m/n*(e^ε(d) - 1)) at every distance d. For d people, at least one of them is sampled with more
than m/n. The formula holds at one change, and for maps that grow like d*ε. It fails for a map that does not
grow, such as that of randomized response of a property of the whole sample. Group privacy of the amplified ε
repairs it.
"""

import pytest

import pkdp

POPULATION = {"values": [0, 1], "size": 4}


def sampled(db, rng):
    """Ask by randomized response whether one of two sampled of four has the property: ln(3) at every distance."""
    some = 1 if 1 in rng.sample(db, 2) else 0
    return some if rng.flip("3/4") else 1 - some


def test_one_change():
    """ln(1 + 2/4*(3 - 1)) is ln(2), and no smaller ε holds."""
    pkdp.claim(sampled, "dp", epsilon="ln(2)", tight=True, **POPULATION)


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="one of two changed people is sampled with 5/6")
def test_two_changes():
    """The map has ln(2) here, too."""
    pkdp.claim(sampled, "dp", epsilon="ln(2)", distance=2, **POPULATION)


def test_two_changes_repaired():
    """Twice the ε of one change."""
    pkdp.claim(sampled, "dp", epsilon="ln(4)", distance=2, **POPULATION)
