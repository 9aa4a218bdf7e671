"""Programming Differential Privacy (bb27a8e), chapter 9: report noisy max with Laplace noise of scale Δu/ε.

The chapter claims ε-DP for every score of sensitivity Δu, and cites Dwork and Roth, Claim 3.9, which is about
counts: there a person moves all scores one way. If one score moves up and another down, ε is not enough. The
scale 2*Δu/ε repairs it, or the condition that the scores are counts.
"""

import pytest

import pkdp

SCORES = {"databases": [[a, b] for a in range(3) for b in range(3)]}


def report(db, rng):
    """Report the place of the largest score after noise of scale 1/ln(2), on the integers."""
    scores = [score + rng.geometric_noise("1/2") for score in db]
    return 0 if scores[0] >= scores[1] else 1


def test_counts():
    """Right for scores that move one way."""
    pkdp.claim(report, "dp", epsilon="ln(2)", relation="one-direction", **SCORES)


@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True, reason="one score up, another down")
def test_every_score():
    """The claim of the chapter."""
    pkdp.claim(report, "dp", epsilon="ln(2)", relation="every-entry-by-one", **SCORES)


def test_every_score_repaired():
    """Twice the ε."""
    pkdp.claim(report, "dp", epsilon="ln(4)", relation="every-entry-by-one", **SCORES)
