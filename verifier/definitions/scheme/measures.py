"""Measures that are one number of an ordered pair of laws, and measures by their names in entries.

A scalar D asks D(P‖Q) ≤ ε. Its value is exact where it is rational, or r·ln of a rational that is not too long; else it
is enclosed, at any precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, TypeGuard

from verifier.definitions.divergence import Divergence, NumberMeasure, Renyi, TotalVariation
from verifier.definitions.measure import CURVES, CurveMeasure
from verifier.definitions.pairs import AnyPair, MeasurePair
from verifier.definitions.scheme.losses import losses_of, renyi_of
from verifier.definitions.scheme.reals import Enclosed, Real, log_sum, root
from verifier.definitions.scheme.rows import Setting
from verifier.errors import UnsupportedError
from verifier.numbers import INFINITY, ZERO, Epsilon, epsilon, log_epsilon, shorten


@dataclass(frozen=True)
class Scalar(NumberMeasure):
    """A measure with one number `of`(P, Q) in [0, ∞]; `title` names it in a sentence, without an article."""

    key: str
    title: str
    formula: str
    source: str
    of: Callable[[MeasurePair], Real]

    def value(self, pair: AnyPair, delta: Fraction) -> Real:  # noqa: ARG002
        """The number of one pair of laws, whatever δ is."""
        return self.of(MeasurePair.of(pair))

    def average(self, shares: Iterable[tuple[Fraction, Real]]) -> Real:
        """Σ share·value; exact for rational values, and for logarithms as `log_sum` says.

        Raises:
            UnsupportedError: where values are neither all rational nor all logarithms.

        """
        listed = [(share, value) for share, value in shares if share]
        if any(isinstance(value, Epsilon) and value.is_infinite for _, value in listed):
            return INFINITY
        rational = [(share, value.coefficient) for share, value in listed if _is_rational(value)]
        if len(rational) == len(listed):
            return epsilon(sum((share * number for share, number in rational), Fraction(0)))
        terms: list[tuple[Fraction, Fraction]] = []
        for share, value in listed:
            if isinstance(value, Enclosed) and value.terms:
                terms += [(share * r, s) for r, s in value.terms]
            elif isinstance(value, Epsilon) and value.kind == "log":
                terms.append((share * value.coefficient, value.argument))
            elif value != ZERO:
                raise UnsupportedError(f"an average of the {self.title} is not decided")
        return log_sum(terms)


@dataclass(frozen=True)
class ScalarWithDelta(Scalar):
    """A measure whose number falls with δ: `at` gives it for the laws given events of probability at least 1 - δ."""

    at: Callable[[MeasurePair, Fraction], Real]

    def value(self, pair: AnyPair, delta: Fraction) -> Real:
        """The number of one pair of laws at δ."""
        return self.at(MeasurePair.of(pair), delta)


def _is_rational(value: Real) -> TypeGuard[Epsilon]:
    return isinstance(value, Epsilon) and value.kind == "rational"


def _weights(pair: MeasurePair) -> list[tuple[int, int]]:
    """The outputs that one of the laws can produce, over one denominator."""
    return [(p, q) for p, q in zip(pair.p, pair.q or (), strict=True) if p or q]


@lru_cache(maxsize=1 << 12)
def ratio(pair: MeasurePair) -> Real:
    """The largest privacy loss ln max P(o)/Q(o), in nats, at least 0; ∞ where P can produce what Q cannot."""
    weights = [(p, q) for p, q in _weights(pair) if p]
    if any(not q for _, q in weights):
        return INFINITY
    most = max((Fraction(p, q) for p, q in weights), default=Fraction(1))
    return log_epsilon(most) if most > 1 else ZERO


def kullback_leibler(pair: MeasurePair) -> Real:
    """Σ P·ln(P/Q), in nats, where 0·ln 0 = 0; ∞ where P can produce what Q cannot."""
    weights = [(p, q) for p, q in _weights(pair) if p]
    if any(not q for _, q in weights):
        return INFINITY
    return log_sum((Fraction(p, pair.total), Fraction(p, q)) for p, q in weights)


def spread(pair: MeasurePair) -> Real:
    """ln(max P/Q ÷ min P/Q) over the outputs that a law can produce; ∞ where only one of the laws can produce some."""
    weights = _weights(pair)
    if any(not p or not q for p, q in weights):
        return INFINITY
    ratios = [Fraction(p, q) for p, q in weights]
    return log_epsilon(max(ratios) / min(ratios))


def _power_sum(pair: MeasurePair, k: int) -> Fraction | None:
    """Σ Q·|P/Q - 1|^k; None where it is infinite: k > 1 and P can produce what Q cannot."""
    total = Fraction(0)
    for p, q in _weights(pair):
        if not q and k > 1:
            return None
        total += Fraction(abs(p - q) ** k, q ** (k - 1) * pair.total) if q else Fraction(p, pair.total)
    return total


def power(k: int) -> Scalar:
    """The scalar Σ Q·|P/Q - 1|^k (DP22, after Definition 13, with the expectation under Q); χ² is k = 2."""

    def of(pair: MeasurePair) -> Real:
        total = _power_sum(pair, k)
        return INFINITY if total is None else epsilon(total)

    return Scalar(f"abs-{k}", f"divergence E[|P/Q - 1|^{k}]", f"Σ Q·|P/Q - 1|^{k}", "DP22, Definition 13", of)


def rooted_power(k: int) -> Scalar:
    """The scalar (Σ Q·|P/Q - 1|^k)^(1/k): (f_k, ε)-divergence DP bounds the sum by ε^k (DP22, after Definition 13)."""

    def of(pair: MeasurePair) -> Real:
        total = _power_sum(pair, k)
        return INFINITY if total is None else root(total, k)

    title = f"root of order {k} of E[|P/Q - 1|^{k}]"
    return Scalar(f"root-abs-{k}", title, f"(Σ Q·|P/Q - 1|^{k})^(1/{k})", "DP22, after Definition 13", of)


def renyi(order: int) -> Scalar:
    """The Rényi divergence of an integer order from 2 to 256 as a scalar (DP22, Definition 11)."""
    return _of_divergence(Renyi(order))


def _of_divergence(divergence: Divergence) -> Scalar:
    """A divergence as a scalar."""

    def of(pair: MeasurePair) -> Real:
        return divergence.between(_weights(pair), (pair.total, pair.total))

    return Scalar(divergence.key, divergence.title, divergence.formula, divergence.source, of)


def renyi_of_order(order: Fraction) -> Scalar:
    """The Rényi divergence of a rational order as a scalar; exact where it is r·ln of a rational."""
    if order.denominator == 1:
        return renyi(int(order))

    def of(pair: MeasurePair) -> Real:
        losses = losses_of(pair)
        return INFINITY if losses is None else renyi_of(losses, order)

    return Scalar("renyi", *TITLES["renyi"], of)


def semantic(pair: MeasurePair) -> Real:
    """(√R - 1)/(√R + 1), where ln R is the range of the privacy loss: the least ε with R ≤ ((1 + ε)/(1 - ε))².

    It is 0 where P or Q is 0 everywhere, since one of the two posteriors does not exist then.
    """
    weights = _weights(pair)
    if not any(p for p, _ in weights) or not any(q for _, q in weights):
        return ZERO
    wide = spread(pair)
    if isinstance(wide, Enclosed) or wide.is_infinite:
        return epsilon(1)
    square = root(wide.exp or Fraction(1), 2)
    if isinstance(square, Epsilon):
        return epsilon((square.coefficient - 1) / (square.coefficient + 1))

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        low, high = square.bracket(precision)
        return (low - 1) / (low + 1), (high - 1) / (high + 1)

    return Enclosed(bracket)


RATIO = Scalar("ratio", "largest privacy loss", "ln max P/Q", "DP22, Definition 1", ratio)
KL = Scalar("kl", "Kullback–Leibler divergence", "Σ P·ln(P/Q)", "DP22, Definition 10", kullback_leibler)
SPREAD = Scalar("spread", "range of the privacy loss", "ln(max P/Q ÷ min P/Q)", "DP22, section 7.3", spread)
CHI_SQUARED = Scalar("chi-squared", "χ² divergence", "Σ (P - Q)²/Q", "DP22, Definition 13", power(2).of)
VARIATION = _of_divergence(TotalVariation())
SEMANTIC = Scalar(
    "semantic", "largest distance of posteriors", "(√R - 1)/(√R + 1), R = max r/min r", "DP22, Definition 37", semantic
)
TITLES: dict[str, tuple[str, str, str]] = {
    "renyi": ("Rényi divergence", "ln(Σ P·(P/Q)^(α - 1))/(α - 1)", "DP22, Definition 11"),
    "concentrated": ("smallest ρ for all orders α > 1", "sup over α > 1 of (D_α - ξ)/α", "DP22, Definition 12"),
    "concentrated-to-omega": (
        "smallest ρ for all orders 1 < α ≤ ω",
        "sup over 1 < α ≤ ω of (D_α - ξ)/α",
        "DP22, section 3.3 (BS16, BDRS18)",
    ),
    "concentrated-below-xi": (
        "smallest τ for all orders α ≥ 1",
        "sup over α ≥ 1 of D_α/α, where max ln P/Q ≤ ξ",
        "DP22, section 3.3 (Col16)",
    ),
    "sub-gaussian": (
        "sub-Gaussian parameter τ",
        "sup over λ ≠ 0 of √(2·ln E[e^(λ·(L - E[L]))])/|λ|, where E[L] ≤ μ",
        "DP22, section 3.3 (DR16)",
    ),
    "gaussian": ("smallest Gaussian μ", "max Φ⁻¹(1 - α) - Φ⁻¹(β)", "DP22, section 7.1"),
    "restricted": ("restricted divergence", "sup over h of E_P[h] - E_Q[f*(h)]", "DP22, section 3.4"),
}
"""Title, formula and source of scalars with parameters of their own."""
SCALARS: dict[str, Scalar] = {each.key: each for each in (RATIO, KL, SPREAD, CHI_SQUARED, VARIATION, SEMANTIC)}
NUMBERED: dict[str, tuple[Callable[[int], Scalar], int]] = {"renyi": (renyi, 2), "abs": (power, 1)}
"""Scalars with a number behind their name, and the least number."""
MOST_NUMBER = 256
Measure: TypeAlias = Scalar | CurveMeasure


def scalar_named(name: str) -> Scalar:
    """A scalar by its name in `[policy] divergence` or in an entry.

    >>> scalar_named("abs-3").formula, scalar_named("renyi-2").key
    ('Σ Q·|P/Q - 1|^3', 'renyi-2')

    Raises:
        UnsupportedError: for a name that no scalar has.

    """
    stem, _, number = name.rpartition("-")
    if name in SCALARS:
        return SCALARS[name]
    if stem in NUMBERED and number.isdecimal() and NUMBERED[stem][1] <= int(number) <= MOST_NUMBER:
        return NUMBERED[stem][0](int(number))
    known = [*SCALARS, *(f"{each}-{least}" for each, (_, least) in NUMBERED.items())]
    raise UnsupportedError(f"the divergence {shorten(name)} is not decided: one of {', '.join(known)} is")


def title_of(name: str) -> str | None:
    """The title of a scalar in a sentence; None where no scalar has this name."""
    stem, _, number = name.rpartition("-")
    if stem == "root-abs" and number.isdecimal():
        return rooted_power(int(number)).title
    if name in SCALARS:
        return SCALARS[name].title
    if name in TITLES:
        return TITLES[name][0]
    return NUMBERED[stem][0](int(number)).title if stem in NUMBERED and number.isdecimal() else None


BY_SETS = {
    "semantic": "every set of outputs is an event of its own, and a tail has infinitely many parts",
    "trimmed": "a part of a tail may be left out",
}
"""Measures to which a set of outputs is more than its outputs, with the reason why a tail is not one output to them.

All others see two laws, or beliefs, by the ratios of the probabilities of the outputs, and these are constant on a tail
(proofs/tails.md).
"""


def refuse_tails(name: str, setting: Setting) -> None:
    """Refuse a measure of `BY_SETS` on a mechanism whose noise has lumped tails.

    Raises:
        UnsupportedError: with what to do.

    """
    if name in BY_SETS and setting.model.mechanism.tails:
        raise UnsupportedError(
            f"{setting.key} cannot take a tail of infinite noise as one output: {BY_SETS[name]}",
            tip='clamp the noise by a step of rows behind it, such as { input = "> 3", output = 3 }',
        )


def measure_in(name: str, setting: Setting) -> Measure:
    """The measure of an entry; `renyi`, `divergence` and `root-abs` read their parameter in `[policy]`.

    Raises:
        UnsupportedError: where the file does not give the parameter, or gives one that is not decided.

    """
    refuse_tails(name, setting)
    if name in CURVES:
        return CURVES[name]
    if name == "divergence":
        chosen: str = setting.need("divergence")
        return scalar_named(chosen)
    if name in {"renyi", "root-abs"}:
        order: Fraction = setting.need("order")
        if order > MOST_NUMBER or (order.denominator != 1 and name == "root-abs"):
            wanted = f"an integer from 2 to {MOST_NUMBER} is" if name == "root-abs" else f"one up to {MOST_NUMBER} is"
            raise UnsupportedError(f"the order {order} is not decided: {wanted}")
        return renyi_of_order(order) if name == "renyi" else rooted_power(int(order))
    return scalar_named(name)
