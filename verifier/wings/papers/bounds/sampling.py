"""Random sampling before the mechanism: LQS12, Theorems 1, 3.9 and 3.11."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, floor

from verifier.errors import LimitError
from verifier.numbers import Epsilon
from verifier.wings.papers.bounds.claim import BoundClaim, ClaimCondition, ClaimedBound, Parameters, less
from verifier.wings.papers.bounds.real import Real, ball, exponential, logarithm, nats

MAX_GROUP = 1500
"""The largest size of a group of equal tuples for which δ is computed."""


def amplification(parameters: Parameters, _: str) -> ClaimedBound:
    """The claimed ε₂ = ln(1 + β₂/β₁·(e^ε₁ - 1)), in nats, and δ₂ = β₂/β₁·δ₁ (LQS12, Theorem 1).

    >>> from verifier.numbers import epsilon
    >>> at = {"beta-1": Fraction(1), "beta-2": Fraction(1, 10), "epsilon-1": epsilon("ln(11)")}
    >>> str(amplification(at, "printed").exp.text())
    '2'
    """
    rate, delta = parameters["beta-2"] / parameters["beta-1"], parameters.get("delta-1", Fraction(0))
    conditions = (
        ("β₂ < β₁", rate < 1),
        ("δ₁ < β₁, as Definition 3 asks", delta < parameters["beta-1"]),
    )
    exp = exponential(parameters["epsilon-1"]).through(lambda e: 1 + rate * (e - 1), falling=False)
    return ClaimedBound(conditions, exp.log(), exp, Real.of(rate * delta))


def _amplified(parameters: Parameters, factor: Fraction) -> tuple[Fraction, str]:  # noqa: ARG001
    rate: Fraction = parameters["beta-2"] / parameters["beta-1"]
    return rate * parameters.get(
        "delta-1", Fraction(0)
    ), "on {t}, an algorithm that shows a sampled t with probability δ₁/β₁"


def upper_tail(n: int, p: Fraction, first: int) -> Fraction:
    """The binomial tail P[X ≥ first], X with n trials and success p.

    >>> upper_tail(3, Fraction(1, 2), 2), upper_tail(3, Fraction(1, 2), 0)
    (Fraction(1, 2), Fraction(1, 1))
    """
    u, v = p.numerator, p.denominator
    return Fraction(sum(comb(n, j) * u**j * (v - u) ** (n - j) for j in range(max(first, 0), n + 1)), v**n)


def largest_group(rate: Fraction, gamma: Fraction, best: Fraction) -> int:
    """A group size n from which on P[X > γ·n] ≤ exp(-2n(γ - β)²) < best (Hoeffding), X binomial with success β.

    Raises:
        LimitError: where it is above `MAX_GROUP`.

    """
    gap = 2 * (gamma - rate) ** 2
    low, high = logarithm(1 / best).bracket(96)
    size = ceil(max(low, high, Fraction(0)) / gap) + 1
    if size > MAX_GROUP:
        raise LimitError(
            f"groups of up to {size:,} equal tuples would have to be tried",
            where="epsilon=",
            wanted=f"an ε for which {MAX_GROUP:,} are enough",
            tip="a larger ε, or a smaller β or k",
        )
    return size


def bad_outcome(k: int, rate: Fraction, factor: Fraction) -> Fraction:
    """The number d(k, β, ε): the largest P[X > γn] over all n ≥ ⌈k/γ - 1⌉ (LQS12, Theorem 3.9).

    X is binomial with n trials and success β; γ = (e^ε - 1 + β)/e^ε, with factor = e^ε > 1. Among the n for which
    X > γn means X ≥ j for the same j, only the largest matters.

    >>> bad_outcome(2, Fraction(1, 2), Fraction(2)), bad_outcome(1, Fraction(1, 10), Fraction(2))
    (Fraction(1, 4), Fraction(1, 10))

    Raises:
        LimitError: where groups of more than `MAX_GROUP` tuples would have to be tried.

    """
    gamma = (factor - 1 + rate) / factor
    best, first, stop = Fraction(0), k, MAX_GROUP
    while (n := ceil(first / gamma) - 1) <= stop:
        best = max(best, upper_tail(n, rate, first))
        stop = largest_group(rate, gamma, best)
        first += 1
    if not best:
        raise LimitError(f"k = {k:,} is too large", where="k=", wanted=f"groups of at most {MAX_GROUP:,} equal tuples")
    return best


def sampled_group(n: int, k: int, rate: Fraction, factor: Fraction) -> Fraction:
    """The smallest δ at e^ε = factor ≥ 1/(1 - β) for n equal tuples against n - 1, sampled, and hidden if fewer than k.

    >>> sampled_group(2, 2, Fraction(1, 2), Fraction(2))
    Fraction(1, 4)
    """
    gamma = (factor - 1 + rate) / factor
    first = max(k, floor(gamma * n) + 1)
    return max(Fraction(0), upper_tail(n, rate, first) - factor * upper_tail(n - 1, rate, first))


def _largest(parameters: Parameters, factor: Fraction) -> tuple[Fraction, str]:
    k, rate = parameters["k"], parameters["beta"]
    best, size, n, stop = Fraction(0), k, k, k
    while n <= stop:
        group_delta = sampled_group(n, k, rate, factor)
        if group_delta > best:
            best, size = group_delta, n
            stop = largest_group(rate, (factor - 1 + rate) / factor, best)
        n += 1
    return best, f"{size} tuples with one recoding, against {size - 1}"


def strongly_safe(parameters: Parameters, _: str) -> ClaimedBound:
    """The claimed δ = d(k, β, ε) for ε ≥ -ln(1 - β), in nats (LQS12, Theorem 3.9).

    Where no ε is given, it is -ln(1 - β).

    >>> bound = strongly_safe({"k": 20, "beta": Fraction(1, 10)}, "printed")
    >>> bound.exp.text(), bound.delta.decimal(3)
    ('10/9', '0.00359')
    """
    least = Real.of(1 / (1 - parameters["beta"]))
    epsilon: Epsilon | None = parameters.get("epsilon")
    exp = least if epsilon is None else exponential(epsilon)
    return _sampled(parameters, ("ε ≥ -ln(1 - β)", exp.at_least(least)), exp, exp)


def safe(parameters: Parameters, _: str) -> ClaimedBound:
    """The claimed δ = d(k, β, ε - ε₁) for ε ≥ -ln(1 - β) + ε₁, in nats (LQS12, Theorem 3.11).

    Where no ε is given, it is -ln(1 - β) + ε₁.

    >>> from verifier.numbers import epsilon
    >>> bound = safe({"k": 2, "beta": Fraction(1, 2), "epsilon-1": epsilon("ln(3/2)")}, "printed")
    >>> bound.exp.text(), bound.delta.text()
    ('3', '1/4')
    """
    first, epsilon = parameters["epsilon-1"], parameters.get("epsilon")
    least = Real.of(1 / (1 - parameters["beta"]))
    spent = exponential(first)
    if epsilon is None:
        sampling_factor, exp = least, spent.through(lambda e: e / (1 - parameters["beta"]), falling=False)
    elif epsilon.exp is not None and first.exp is not None:
        sampling_factor, exp = Real.of(epsilon.exp / first.exp), exponential(epsilon)
    else:
        sampling_factor, exp = ball(lambda: nats(epsilon).arb().exp() / nats(first).arb().exp()), exponential(epsilon)
    return _sampled(parameters, ("ε ≥ -ln(1 - β) + ε₁", sampling_factor.at_least(least)), exp, sampling_factor)


def _sampled(parameters: Parameters, enough: ClaimCondition, exp: Real, sampling_factor: Real) -> ClaimedBound:
    """The claim δ = d(k, β, ·) at the share of e^ε that sampling may spend, where ε is large enough."""
    if enough[1] is not True:
        return ClaimedBound((enough,), exp.log(), exp)
    delta = sampling_factor.through(
        lambda factor: bad_outcome(parameters["k"], parameters["beta"], factor), falling=True
    )
    return ClaimedBound(
        (enough, ("δ < β, as Definition 3 asks", less(delta, Real.of(parameters["beta"])))), exp.log(), exp, delta
    )


def two_groups(parameters: Parameters, _: str, factor: Fraction) -> Fraction:  # noqa: ARG001
    """The δ, at every ε, of an algorithm that prefers the recoding whose crowd was sampled (`proofs/bounds.md`).

    The data are t and two groups of k - 1 tuples. Recoding g merges t with group g. A group that was sampled in full
    has the weight w = 2e^ε₁ - 1 in the choice of g, else 1; that choice is ε₁-DP. If t and all of the chosen group were
    sampled, k equal tuples appear, which never happens without t.
    """
    low, _high = parameters["epsilon-1"].exp_bracket(96)
    rate, full = parameters["beta"], parameters["beta"] ** (parameters["k"] - 1)
    preferred = 1 - 1 / (2 * max(low, Fraction(1)))
    delta: Fraction = rate * (full**2 + 2 * full * (1 - full) * preferred)
    return delta


THEOREM_1 = BoundClaim(
    "lqs-theorem-1",
    "LQS12",
    "Theorem 1",
    "What is (ε₁, δ₁)-DP after sampling at rate β₁ is (ε₂, δ₂)-DP after sampling at a smaller rate β₂: e^ε - 1 and δ "
    "shrink in proportion.",
    "every algorithm that is (ε₁, δ₁)-DP after sampling at rate β₁",
    {"printed": "as printed"},
    ("beta-1", "beta-2", "epsilon-1"),
    {"delta-1": "0"},
    amplification,
    None,
    _amplified,
)
STRONGLY_SAFE = BoundClaim(
    "lqs-theorem-3.9",
    "LQS12",
    "Theorem 3.9",
    "Sampling at rate β and then a k-anonymization whose recoding does not depend on the data is (ε, d(k, β, ε))-DP.",
    "every data set and recoding: groups of n equal tuples against n - 1",
    {"printed": "as printed"},
    ("k", "beta"),
    {"epsilon": "-ln(1 - β)"},
    strongly_safe,
    None,
    _largest,
)
SAFE = BoundClaim(
    "lqs-theorem-3.11",
    "LQS12",
    "Theorem 3.11",
    "Sampling at rate β and then a k-anonymization that chooses its recoding by an ε₁-DP algorithm is "
    "(ε, d(k, β, ε - ε₁))-DP.",
    "not computed; the model is one algorithm, whose e^ε₁ is rounded down to 96 bits where it is irrational",
    {"printed": "as printed"},
    ("k", "beta", "epsilon-1"),
    {"epsilon": "-ln(1 - β) + ε₁"},
    safe,
    two_groups,
)
