"""Counting queries: DMKB20, Theorem 3, Proposition 7 and Corollary 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.numbers import arb_of
from verifier.profile import Profile
from verifier.wings.papers.bounds.bernoulli import blanket, count_delta, count_profile, ratio_tail, worst_count
from verifier.wings.papers.bounds.claim import BoundClaim, ClaimCondition, ClaimedBound, Parameters, less
from verifier.wings.papers.bounds.real import Real, ball, exponential, nats

HALF = Fraction(1, 2)


def _chances(parameters: Parameters) -> tuple[Fraction, ...]:
    """The p_i of the model; where none are given, all are at the lower end of their range, as a limit."""
    chances: tuple[Fraction, ...] = parameters.get("p") or (parameters["lambda"],) * parameters["n"]
    return chances


def _range(parameters: Parameters) -> list[ClaimCondition]:
    share = parameters["lambda"]
    return [
        ("λ < 1/2", share < HALF),
        (
            "λ < p_i < 1 - λ (with = as a limit)",
            all(share <= p <= 1 - share for p in set(parameters.get("p") or [share])),
        ),
    ]


def theorem_3(parameters: Parameters, reading: str) -> ClaimedBound:
    """The smallest δ that Theorem 3 claims at ε, in nats: P[X/Y ≥ ε] as it is printed (DMKB20, Theorem 3).

    X and Y are independent and binomial with n - 1 trials and success 2λ. The other readings have the level e^ε,
    another success, or another law of X and Y: `THEOREM_3.readings` says which.

    >>> from verifier.numbers import epsilon
    >>> at = {"n": 2, "lambda": Fraction(1, 4), "epsilon": epsilon("ln(2)")}
    >>> [theorem_3(at, reading).delta.text() for reading in ("exponential", "blanket", "repaired")]
    ['1/2', '3/4', '3/4']
    """
    conditions = _range(parameters)
    epsilon, exp = nats(parameters["epsilon"]), exponential(parameters["epsilon"])
    if conditions[0][1] is False:
        return ClaimedBound(tuple(conditions), epsilon, exp)
    n, share = parameters["n"], parameters["lambda"]

    def tail(level: Fraction) -> Fraction:
        if reading in {"repaired", "sharper"}:
            return blanket(n, share, level, tail=reading == "repaired")
        success = share if reading.startswith("blanket") else 2 * share
        plus, zero_over_zero = int(reading == "blanket-plus-one"), reading != "printed-without-0/0"
        return ratio_tail(n, success, level, plus=plus, zero_over_zero=zero_over_zero)

    level = epsilon if reading.startswith("printed") else exp
    return ClaimedBound(tuple(conditions), epsilon, exp, level.through(tail, falling=True))


def closed_form(parameters: Parameters, reading: str) -> ClaimedBound:  # noqa: ARG001
    """The closed form ε = max(√(14·ln(1/δ)/(λ(n - 1))), 27/(λ(n - 1))) ≤ 1 of Theorem 3 and Corollary 1, in nats.

    >>> closed_form({"n": 541, "lambda": Fraction(1, 10), "delta": Fraction(1, 100)}, "printed").epsilon.decimal()
    '1.09267241714'
    """
    share, size = parameters["lambda"], parameters["lambda"] * (parameters["n"] - 1)
    conditions: list[ClaimCondition]
    if "options" in parameters:
        conditions = [("1 < K", parameters["options"] > 1), ("K·λ < 1", parameters["options"] * share < 1)]
    else:
        conditions = _range(parameters)
    if not size:
        return ClaimedBound((*conditions, ("n > 1", False)))
    root = ball(lambda: arb_of(14 / size).sqrt() * (-arb_of(parameters["delta"]).log()).sqrt())
    floor = Real.of(27 / size)
    epsilon = floor if less(root, floor) else root
    exp = ball(lambda: epsilon.arb().exp())
    conditions.append(("ε ≤ 1", Real.of(1).at_least(epsilon)))
    return ClaimedBound(tuple(conditions), epsilon, exp, Real.of(parameters["delta"]))


def normal_rest(n: int, mu2: Fraction, epsilon: Any) -> Any:
    """The Gaussian part δ₂ = 1.25·exp(-n·μ₂·ε²/2) of the claimed δ, from ε as an Arb ball (DMKB20, Proposition 7)."""
    return arb_of(Fraction(5, 4)) * (-arb_of(n * mu2 / 2) * epsilon**2).exp()


def normal_error(n: int, mu2: Fraction, mu3: Fraction, power: Fraction, exp: Any) -> Any:
    """The Berry–Esseen part 1.12·μ₃·(1 + e^ε)/(√n·μ₂^power) of δ, e^ε an Arb ball (DMKB20, Proposition 7)."""
    error = arb_of(mu3 * Fraction(28, 25)) / (arb_of(Fraction(n)).sqrt() * arb_of(mu2) ** arb_of(power))
    return error * (1 + exp) if mu3 else arb_of(mu3)


def proposition_7(parameters: Parameters, reading: str) -> ClaimedBound:
    """ε = √(2·ln(1.25/δ₂)/(n·μ₂)), δ = 1.12·μ₃·(1 + e^ε)/(√n·μ₂^3) + δ₂ (DMKB20, Proposition 7; ε in nats).

    μ₂ is the average of p(1 - p), and μ₃ as printed is the average of p(1 - p)|1 - 2p|. δ₂ is a parameter, or follows
    from ε where that is given, and is 4/(5√n) where neither is.

    >>> fair = {"n": 100, "p": (Fraction(1, 2),) * 100, "delta-2": Fraction(2, 25)}
    >>> proposition_7(fair, "printed").delta.text(), proposition_7(fair, "absolute-moment").delta.decimal()
    ('2/25', '0.37101046323')
    """
    n, chances = parameters["n"], parameters["p"]
    spread = [p * (1 - p) for p in chances]
    absolute = reading.endswith("absolute-moment")
    third = [m * ((1 - 2 * m) if absolute else abs(1 - 2 * p)) for p, m in zip(chances, spread, strict=True)]
    mu2, mu3 = sum(spread, Fraction(0)) / n, sum(third, Fraction(0)) / n
    if not mu2:
        return ClaimedBound((("μ₂ > 0", False),))
    power = Fraction(3, 2) if reading in {"sigma-cubed", "absolute-moment"} else Fraction(3)

    def delta_2() -> Any:
        if "epsilon" in parameters:
            return normal_rest(n, mu2, nats(parameters["epsilon"]).arb())
        return (
            arb_of(parameters["delta-2"])
            if "delta-2" in parameters
            else arb_of(Fraction(4, 5)) / arb_of(Fraction(n)).sqrt()
        )

    def root() -> Any:
        return (2 * (arb_of(Fraction(5, 4)) / delta_2()).log() / arb_of(n * mu2)).sqrt()

    epsilon = nats(parameters["epsilon"]) if "epsilon" in parameters else ball(root)
    exp = exponential(parameters["epsilon"]) if "epsilon" in parameters else ball(lambda: root().exp())

    def delta() -> Any:
        return normal_error(n, mu2, mu3, power, exp.arb()) + delta_2()

    delta_claimed = (
        Real.of(parameters["delta-2"])
        if not mu3 and "delta-2" in parameters and "epsilon" not in parameters
        else ball(delta)
    )
    condition = Real.of(1).at_least(epsilon)
    return ClaimedBound((("δ₂ ≥ 1.25·exp(-n·μ₂/2), so that ε ≤ 1", condition),), epsilon, exp, delta_claimed)


def _model(parameters: Parameters, _: str, factor: Fraction) -> Fraction:
    return count_delta(_chances(parameters), factor)


def _profiles(parameters: Parameters) -> list[Profile]:
    return count_profile(_chances(parameters))


def _worst(parameters: Parameters, factor: Fraction) -> tuple[Fraction, str]:
    return worst_count(parameters["n"], parameters["lambda"], 1 - parameters["lambda"], factor)


def _worst_histogram(parameters: Parameters, factor: Fraction) -> tuple[Fraction, str]:
    """The worst δ of a histogram, and its model: K = 2 is a count, K ≥ 3 has the blanket bound (`proofs/bounds.md`)."""
    if parameters["options"] == 2:
        return _worst(parameters, factor)
    value = blanket(parameters["n"], parameters["lambda"], factor)
    return value, "all others at λ but for one value that is not compared"


COUNTS = "every p_i strictly between λ and 1 - λ"
THEOREM_3 = BoundClaim(
    "theorem-3",
    "DMKB20",
    "Theorem 3, numerical form",
    "A count of independent records, each with λ < p_i < 1 - λ, is (ε, δ)-APKDP where δ is at least the probability "
    "that the ratio of two independent binomial variables with n - 1 trials reaches a level set by ε.",
    COUNTS,
    {
        "printed": "X/Y ≥ ε, success 2λ, x/0 = ∞ and 0/0 counted",
        "printed-without-0/0": "X/Y ≥ ε, success 2λ, x/0 = ∞ but 0/0 not counted",
        "exponential": "X/Y ≥ e^ε, success 2λ, x/0 = ∞ and 0/0 counted",
        "blanket": "X/Y ≥ e^ε, success λ = γ/k of the blanket argument",
        "blanket-plus-one": "(X + 1)/Y ≥ e^ε, success λ: the target's own record is counted",
        "repaired": "(X + 1)/Y ≥ e^ε, (X, Y, rest) multinomial with shares (λ, λ, 1 - 2λ): proved in proofs/bounds.md",
        "sharper": "E[max(0, 1 - e^ε·Y/(X + 1))] of the same X and Y: proved in proofs/bounds.md",
    },
    ("n", "lambda", "epsilon"),
    {"p": "all at λ, as a limit"},
    theorem_3,
    _model,
    _worst,
    _profiles,
)
CLOSED = BoundClaim(
    "theorem-3-closed",
    "DMKB20",
    "Theorem 3, closed form",
    "For ε ≤ 1, the count of Theorem 3 is (ε, δ)-APKDP for ε from √(14·ln(1/δ)/(λ(n - 1))) and 27/(λ(n - 1)) on.",
    COUNTS,
    {"printed": "ln(1/δ)"},
    ("n", "lambda", "delta"),
    {"p": "all at λ, as a limit"},
    closed_form,
    _model,
    _worst,
    _profiles,
)
COROLLARY_1 = BoundClaim(
    "corollary-1",
    "DMKB20",
    "Corollary 1",
    "The histogram of independent records with K values, each of probability above λ, has the parameters of the closed "
    "form of Theorem 3.",
    "every P[D(i) = k] above λ",
    {"printed": "ln(1/δ)"},
    ("n", "lambda", "options", "delta"),
    {},
    closed_form,
    None,
    _worst_histogram,
)
PROPOSITION_7 = BoundClaim(
    "proposition-7",
    "DMKB20",
    "Proposition 7 (GK17, Theorem 3)",
    "A count is (ε, δ)-APKDP with ε from a Gaussian of the same variance and a δ that adds a Berry–Esseen error to δ₂.",
    "the model itself",
    {
        "printed": "μ₂^3, and μ₃ with |1 - 2p|",
        "sigma-cubed": "μ₂^(3/2), and μ₃ with |1 - 2p|",
        "absolute-moment": "μ₂^(3/2), and the absolute third moment, μ₃ with p² + (1 - p)²: proved in proofs/bounds.md",
        "printed-absolute-moment": "μ₂^3, and the absolute third moment: proved in proofs/bounds.md",
    },
    ("n", "p"),
    {"delta-2": "4/(5√n)", "epsilon": "from δ₂; where it is given, δ₂ follows from it"},
    proposition_7,
    _model,
    None,
    _profiles,
)
