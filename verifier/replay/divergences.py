"""Answers about a measure that is one number for two laws, re-checked: the smallest ε is the largest of these numbers.

A number is compared with an ε exactly: powers of rationals where both are logarithms, rationals where none is, and
else by bounds of e^ε, which then is transcendental or 1 (Lindemann).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any, NamedTuple

from verifier.replay.logarithms import ln
from verifier.replay.numbers import Compared, Exponential, Law, Rejected, number, total_of
from verifier.replay.rejected import Beyond
from verifier.replay.scalars import MOST_ORDER, PRECISIONS
from verifier.replay.written import MAX_BITS, Written, bits, epsilon, need, same


class Amount(NamedTuple):
    """A number in [0, ∞]: `plain` itself, or ln(`power_of`)/`root`; infinite where neither is given."""

    plain: Fraction | None = None
    power_of: Fraction | None = None
    root: int = 1

    def sign(self, at: str) -> int:
        """The sign of the number less ε."""
        written = epsilon(at)
        if self.plain is None and self.power_of is None:
            return 0 if written.infinite else 1
        if written.infinite:
            return -1
        if written.polynomial:
            return self._sign_at_root(written)
        argument, factor = written.argument, written.factor
        if self.plain is not None:
            if argument is None:
                return (self.plain > factor) - (self.plain < factor)
            # e^(k·d) against x^m, where ε = (m/k)·ln x
            return -Exponential(str(self.plain * factor.denominator)).sign(_power(argument, factor.numerator), 1)
        base = self.power_of or Fraction(1)
        if argument is None:
            return Exponential(str(factor * self.root)).sign(base, 1)
        times, against = factor.denominator, factor.numerator * self.root  # of^times against argument^against
        shared = gcd(times, against)
        left, right = _power(base, times // shared), _power(argument, against // shared)
        return (left > right) - (left < right)

    def _sign_at_root(self, at: Written) -> int:
        """The sign of the number less ln(x), for a root x of which no power is rational: it is never 0."""
        for precision in PRECISIONS:
            low, high = at.bounds(precision)
            if self.plain is not None:
                own = self.plain, self.plain
            else:
                below, above = ln(self.power_of or Fraction(1), precision)
                own = below / self.root, above / self.root
            if own[0] > high or own[1] < low:
                return 1 if own[0] > high else -1
        raise Beyond("two numbers are too near each other")


def _power(value: Fraction, exponent: int) -> Fraction:
    if bits(value) * exponent > MAX_BITS:
        raise Beyond("the powers that are to be compared are too long")
    return value**exponent


def total_variation(p: Law, q: Law | None) -> Amount:
    """The total variation ½·Σ |P - Q|; 1 where Q does not exist."""
    if q is None:
        return Amount(plain=Fraction(1))
    p_total, q_total = total_of(p), total_of(q)
    apart = sum((abs(Fraction(p.get(o, 0), p_total) - Fraction(q.get(o, 0), q_total)) for o in {**p, **q}), Fraction(0))
    return Amount(plain=apart / 2)


def renyi(order: int, p: Law, q: Law | None) -> Amount:
    """The Rényi divergence ln(Σ P·(P/Q)^(α-1))/(α - 1) of the order α, in nats; ∞ where Q = 0 < P."""
    if q is None or any(w and not q.get(o) for o, w in p.items()):
        return Amount()
    p_total, q_total = total_of(p), total_of(q)
    mean = Fraction(0)
    for o, w in p.items():
        if w:
            mean += Fraction(w, p_total) * Fraction(w * q_total, p_total * q[o]) ** (order - 1)
    return Amount(power_of=mean, root=order - 1)


DIVERGENCES: dict[str, Callable[[Law, Law | None], Amount]] = {"total-variation": total_variation}
ADDED = {total_variation}
"""The measures whose numbers may be averaged over B̂."""


def divergence_named(name: str) -> Callable[[Law, Law | None], Amount]:
    """The measure of a name: `total-variation`, or `renyi-α` with an order α from 2 to 256."""
    if match := re.fullmatch("renyi-([1-9][0-9]{0,2})", name):
        need(2 <= int(match[1]) <= MOST_ORDER, f"the measure {name} has no order from 2 to {MOST_ORDER}")
        return partial(renyi, int(match[1]))
    if name not in DIVERGENCES:
        raise Rejected(f"the replay does not know the measure {name[:60]}")
    return DIVERGENCES[name]


def check_divergence(
    question: dict[str, Any],
    answer: dict[str, Any],
    compared: list[Compared],
    matching: Callable[[dict[str, Any]], Compared],
    measure: str,
) -> None:
    """Re-check an answer about a measure that is one number; `matching` finds the comparison that evidence names.

    Raises:
        Rejected: where the answer does not follow from all that is compared.

    """
    between, claimed, asked_epsilon = divergence_named(measure), answer["tight_epsilon"], question["epsilon"]
    need(question["delta"] == "0", "a divergence has no δ")
    same("tight_delta", answer["tight_delta"], None)
    amounts = {id(comparison): _amount(comparison, between) for comparison in compared}
    signs = [amount.sign(claimed) for amount in amounts.values()]
    need(max(signs) <= 0, f"tight_epsilon: {claimed} is too small")
    need(0 in signs, f"tight_epsilon: a smaller ε than {claimed} is enough")
    holds = claimed != "inf" and (
        asked_epsilon is None or all(amount.sign(asked_epsilon) <= 0 for amount in amounts.values())
    )
    same("verdict", answer["verdict"], "holds" if holds else "fails")
    evidence = answer["tightest" if holds else "witness"]
    need(evidence is not None, "the answer must show one comparison, the witness or the tightest")
    need(answer["witness" if holds else "tightest"] is None, "the answer must show one comparison")
    comparison_shown = matching(evidence)
    need(amounts[id(comparison_shown)].sign(claimed) == 0, "the comparison does not attain the smallest ε")
    same("at_epsilon", evidence["at_epsilon"], claimed)
    for key in ("event", "probability_a", "probability_b"):
        need(evidence[key] is None, f"the evidence says {key} where there is none")
    if evidence["terms"] is None:
        need(
            [pair.weight for pair in comparison_shown.pairs] == [1], "the evidence names one pair of laws of an average"
        )
    else:
        same(
            "terms",
            [term["knowledge"] for term in evidence["terms"]],
            [pair.knowledge for pair in comparison_shown.pairs],
        )
        same(
            "weights",
            [number(term["weight"]) for term in evidence["terms"]],
            [pair.weight for pair in comparison_shown.pairs],
        )
        need(not any(term["event"] for term in evidence["terms"]), "a term has an event where there is none")


def _amount(compared: Compared, between: Callable[[Law, Law | None], Amount]) -> Amount:
    """The number of a comparison: of its pair, or the average over its pairs."""
    shares = [(weight, between(p, q)) for weight, _, p, q, _ in compared.pairs]
    if len(shares) == 1 and shares[0][0] == 1:
        return shares[0][1]
    need(between in ADDED, "no average of this measure is defined")
    return Amount(plain=sum((weight * amount.plain for weight, amount in shares if amount.plain), Fraction(0)))
