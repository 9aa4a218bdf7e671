"""Claims about all orders, and bounds that the checker makes itself, against values that are known otherwise."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from statistics import NormalDist
from typing import Any

import pytest

from verifier.checker import Beyond, Rejected
from verifier.checker.judge import judge_survey
from verifier.checker.laws import Law
from verifier.checker.measures import Scalar, kullback_leibler
from verifier.checker.numbers import Written, epsilon
from verifier.checker.survey import bounds as enclosed
from verifier.checker.survey.bounds import Claim, Concentrated, Loss, MeanConcentrated, approximate, loss_of

ZERO, ONE = Fraction(0), Fraction(1)
SLACK = Fraction(1, 10**9)


def law(*weights: int) -> Law:
    return {o: Fraction(w, sum(weights)) for o, w in zip("ynz", weights, strict=False) if w}


LAWS = [(law(4, 2, 2), law(1, 6, 1)), (law(1, 3), law(3, 1)), (law(9, 1), law(5, 5)), (law(1, 2, 3), law(3, 2, 1))]


def cumulant(p: Law, q: Law, t: float) -> float:
    return log(sum(float(x) * float(x / q[o]) ** t for o, x in p.items()))


def grid(p: Law, q: Law, xi: float, last: float) -> float:
    """The largest (D - ξ)/α on many orders."""
    orders = [t for t in (k / 100 for k in range(1, 4000)) if t <= last]
    return max([0, *((cumulant(p, q, t) / t - xi) / (1 + t) for t in orders)])


@pytest.mark.parametrize("xi", [ZERO, Fraction(1, 10), Fraction(1, 2)])
@pytest.mark.parametrize("omega", [None, Fraction(3, 2), Fraction(3)])
@pytest.mark.parametrize(("p", "q"), LAWS)
def test_the_smallest_rho_of_all_orders(p: Law, q: Law, omega: Fraction | None, xi: Fraction) -> None:
    """Below what some order needs a claim is refuted, a little above the largest it is proved."""
    needed = Fraction(grid(p, q, float(xi), 40 if omega is None else float(omega) - 1))
    smallest = Concentrated(p, q, xi, omega)
    if needed > SLACK:
        assert smallest.sign(Written(needed * (1 - SLACK))) == 1
    mean = kullback_leibler(p, q)
    limit = max(needed, mean.bounds(64)[1] - xi)
    assert smallest.sign(Written(limit * (1 + Fraction(1, 1000)) + SLACK)) == -1


def test_the_limit_at_order_one_is_exact() -> None:
    """Where no order needs more than KL, the smallest ρ is KL itself."""
    p, q = law(5, 4), law(4, 5)
    divergence = kullback_leibler(p, q)
    assert divergence.sign(epsilon("1/9*ln(5/4)")) == 0
    assert Concentrated(p, q, ZERO).sign(epsilon("1/9*ln(5/4)")) == 0
    assert Concentrated(p, q, ZERO).sign(epsilon("1/9*ln(3/2)")) == -1


def test_the_largest_loss_decides_where_no_rho_is_needed() -> None:
    p, q = law(1, 3), law(3, 1)
    assert Concentrated(p, q, Fraction(11, 10)).sign(Written(ZERO)) == 0
    assert Concentrated(p, q, Fraction(1)).sign(Written(ZERO)) == 1
    assert Concentrated(p, q, ZERO, most=Fraction(1)).infinite
    assert Concentrated(law(1, 1), law(1), ZERO).infinite


@pytest.mark.parametrize(("p", "q"), LAWS)
def test_the_smallest_tau_of_both_signs(p: Law, q: Law) -> None:
    mean = sum(float(x) * log(x / q[o]) for o, x in p.items())
    orders = [sign * k / 100 for k in range(1, 3000) for sign in (1, -1)]
    needed = Fraction(max(2 * (cumulant(p, q, t) - t * mean) / t**2 for t in orders) ** 0.5)
    smallest = MeanConcentrated(p, q, Fraction(9))
    assert smallest.sign(Written(needed * (1 - SLACK))) == 1
    assert smallest.sign(Written(needed * (1 + Fraction(1, 100)))) == -1
    assert MeanConcentrated(p, q, ZERO).infinite


def test_a_tie_of_second_order_is_left_open() -> None:
    """L is ±ln 2 with equal chances: the variance is τ² at τ = ln 2, and no bound decides it."""
    p, q = {"y": Fraction(1, 2), "n": Fraction(1, 2)}, {"y": Fraction(4, 5), "n": Fraction(1, 5)}
    with pytest.raises(Beyond):
        MeanConcentrated(p, q, Fraction(9)).sign(epsilon("ln(2)"))


def test_approximate_laws_are_cut_at_a_multiple() -> None:
    """P = (1/2, 1/2), Q = (1/4, 3/4), δ = 1/8: x = 3/2 cuts 1/8 off the first output, y = 5/4 off the second of Q."""
    p, q = law(1, 1), law(1, 3)
    cut = approximate(p, q, xi=ZERO, delta=Fraction(1, 8))
    assert isinstance(cut, Concentrated)
    assert cut.p == {"y": Fraction(3, 7), "n": Fraction(4, 7)}
    assert cut.q == {"y": Fraction(2, 7), "n": Fraction(5, 7)}
    assert approximate(p, q, xi=ZERO, delta=Fraction(1, 4)) == Scalar(plain=ZERO)
    assert approximate(p, {"y": ONE}, xi=ZERO, delta=Fraction(1, 8)).infinite


# --- enclosures -------------------------------------------------------------------------------------------------------


def test_the_gaussian_parameter_of_randomized_response() -> None:
    """One vertex: α = β = 1/4, μ = 2·Φ⁻¹(3/4); equal laws give 0, an impossible output ∞."""
    mu = Fraction(2 * NormalDist().inv_cdf(0.75))
    smallest = enclosed.gaussian(law(3, 1), law(1, 3))
    assert (smallest.sign(Written(mu - SLACK)), smallest.sign(Written(mu + SLACK))) == (1, -1)
    assert enclosed.gaussian(law(1, 1), law(1, 1)).sign(Written(ZERO)) == 0
    assert enclosed.gaussian(law(1, 1), law(1)).infinite


def test_rational_orders() -> None:
    """Order 3/2 of (4/5, 1/5) against (1/5, 4/5): the ratios are squares, and all is exact."""
    exact = enclosed.renyi_of(Fraction(3, 2), law(4, 1), law(1, 4))
    assert exact.sign(epsilon("ln(289/100)")) == 0
    other = enclosed.renyi_of(Fraction(3, 2), law(3, 1), law(1, 3))
    assert other.sign(epsilon("1")) == (1 if 2 * cumulant(law(3, 1), law(1, 3), 0.5) > 1 else -1)


def test_capacity_bounds_with_kl() -> None:
    """h = 1 is exact: E_P[1] - E_Q[1] = 0; else a bound of e^(h - 1) counts."""
    p, q = law(3, 1), law(1, 3)
    one, other = dict.fromkeys("yn", ONE), {"y": Fraction(2), "n": ZERO}
    assert enclosed.capacity([one], p, q).plain == 0
    value = Fraction(1.5 - exp(1) / 4 - 0.75 * exp(-1))
    number = enclosed.capacity([one, other], p, q)
    assert (number.sign(Written(value - SLACK)), number.sign(Written(value + SLACK))) == (1, -1)


def federated(verdict: str, definition: str) -> dict[str, Any]:
    """Two clients of one record each; the outputs are pairs of bits, and a client sees its own bit."""
    views = [{f"{a}{b}": str((a, b)[k]) for a in range(2) for b in range(2)} for k in (0, 1)]
    laws = {"00": {"00": "1/2", "11": "1/2"}, "01": {"01": "1"}, "10": {"01": "1/2", "10": "1/2"}, "11": {"11": "1"}}
    laws["01"] = {"00": "1/2", "11": "1/2"}
    laws["11"] = laws["10"]
    return {
        "engine": "schemes", "size": 2, "values": ["0", "1"], "secrets": [0, 1], "worlds": {},
        "mechanism": [[list(d), row] for d, row in laws.items()],
        "policy": {"blocks": [[0], [1]], "views": views, "tradeoff": [["0", "1"], ["1", "0"]]},
        "question": {"definition": definition, "reading": "default", "epsilon": None, "delta": "0"},
        "answer": {
            "verdict": verdict, "tight_epsilon": None, "tight_delta": None, "comparisons": 8, "multiplicity": 8,
            "empty": 0, "witness": None, "tightest": None,
        },
    }  # fmt: skip


def test_clients_that_see_their_own_bits_learn_nothing_alone() -> None:
    """The parity of the two bits is the first record: one bit is uniform whatever it is."""
    for definition in ("wfdp", "sfdp"):
        judge_survey(federated("holds", definition))
        with pytest.raises(Rejected):
            judge_survey(federated("fails", definition))
    both = federated("fails", "wfdp")
    both["policy"]["views"] = [both["policy"]["views"][0], {o: o for o in ("00", "01", "10", "11")}]
    judge_survey(both)


def plain_sign(claim: Claim, loss: Loss) -> int | None:
    """The sign by chords alone, of a loss of which nothing is known; None where they do not tell."""
    try:
        return claim._sign(loss)
    except Beyond:
        return None


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize(("p", "q"), LAWS)
def test_what_is_kept_of_a_loss_changes_no_sign(
    p: Law, q: Law, *, centred: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One loss is asked many claims, in any order; each as of a new loss without the bound by its range."""
    bounds = [Fraction(k, 16) for k in (0, 1, 2, 3, 5, 8, 13, 21, 34)]
    claims = [
        Claim((b, b), (c, c), last)
        for b in (ZERO, Fraction(1, 4), Fraction(3))
        for c in bounds
        for last in (None, Fraction(3, 2))
    ]
    kept: list[int | None] = []
    for claim in [*claims, *reversed(claims)]:
        try:
            kept.append(claim.sign(loss_of(p, q, centred=centred)))
        except Beyond:
            kept.append(None)
    monkeypatch.setattr(Claim, "_by_range", lambda *_: False)
    plain = [plain_sign(claim, Loss(p, q, centred=centred)) for claim in claims]
    told = [(x, y) for x, y in zip(kept, [*plain, *reversed(plain)], strict=True) if y is not None]
    assert len(told) > len(kept) / 2
    assert all(x == y for x, y in told)
    assert {1, -1} <= {y for _, y in told}
