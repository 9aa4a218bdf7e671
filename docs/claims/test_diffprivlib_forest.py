"""diffprivlib 0.6.6, RandomForestClassifier: the class of a leaf.

`models/forest.py` draws the class by PermuteAndFlip(epsilon, sensitivity=1, monotonic=True) on the counts of
the leaf. That is right if a record is added or removed: all counts move one way. A replaced record moves one
count up and one down, and the ε is larger. `tools.mean` and others of the library use sensitivities of replaced
records. `monotonic=False` repairs it.
"""

from fractions import Fraction

import pytest

import pkdp


def leaf(db, rng):
    """Permute and flip as monotonic=True draws at ε = ln(2), and monotonic=False at ε = ln(4)."""
    counts = [db.count("a"), db.count("b")]
    for place in rng.permutation([0, 1]):
        if rng.flip(Fraction(1, 2 ** (max(counts) - counts[place]))):
            return place
    return "none"


def test_a_vote_added():
    """Right, and no smaller ε holds."""
    pkdp.claim(leaf, "dp", epsilon="ln(2)", values=["a", "b"], size=[0, 3], relation="add-or-remove-one", tight=True)


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="one count moves up and one down")
def test_a_vote_replaced():
    """The same ε, if a record is replaced."""
    pkdp.claim(leaf, "dp", epsilon="ln(2)", values=["a", "b"], size=3, relation="replace-one")


def test_a_vote_replaced_repaired():
    """The ε for which monotonic=False draws the same."""
    pkdp.claim(leaf, "dp", epsilon="ln(4)", values=["a", "b"], size=3, relation="replace-one")
