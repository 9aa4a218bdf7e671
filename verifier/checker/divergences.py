"""Answers about a measure that is one number for two laws, re-checked: the smallest ε is the largest of these numbers.

`scalars` compares a number with an ε exactly.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verifier.checker.numbers import Compared, Law, Rejected, total_of
from verifier.checker.scalars import INFINITE, MOST_ORDER, Measure, Scalar, renyi, total_variation
from verifier.checker.written import EVENT, ONE, ZERO, agrees, epsilon, lacks, need, shown

DIVERGENCES: dict[str, Measure] = {"total-variation": total_variation}
ADDED = {total_variation}
"""The measures whose numbers may be averaged over B̂; without a Q they are 1, and all others ∞."""


def divergence_named(name: str) -> Measure:
    """The measure of a name: `total-variation`, or `renyi-α` with an order α from 2 to 256."""
    if match := re.fullmatch("renyi-([1-9][0-9]{0,2})", name):
        need(2 <= int(match[1]) <= MOST_ORDER, f"the measure {name} has no order from 2 to {MOST_ORDER}")
        return renyi(int(match[1]))
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
    agrees(answer, tight_delta=None)
    amounts = {id(comparison): _amount(comparison, between) for comparison in compared}
    signs = [amount.sign(epsilon(claimed)) for amount in amounts.values()]
    need(max(signs) <= 0, f"tight_epsilon: {claimed} is too small")
    need(0 in signs, f"tight_epsilon: a smaller ε than {claimed} is enough")
    holds = claimed != "inf" and (
        asked_epsilon is None or all(amount.sign(epsilon(asked_epsilon)) <= 0 for amount in amounts.values())
    )
    agrees(answer, verdict="holds" if holds else "fails")
    evidence = shown(answer, "comparison", holds=holds)
    comparison_shown = matching(evidence)
    need(amounts[id(comparison_shown)].sign(epsilon(claimed)) == 0, "the comparison does not attain the smallest ε")
    agrees(evidence, at_epsilon=claimed)
    lacks(evidence, *EVENT)
    if evidence["terms"] is None:
        need(
            [pair.weight for pair in comparison_shown.pairs] == [1], "the evidence names one pair of laws of an average"
        )
    else:
        comparison_shown.same_terms(evidence["terms"])
        need(not any(term["event"] for term in evidence["terms"]), "a term has an event where there is none")


def _amount(compared: Compared, between: Measure) -> Scalar:
    """The number of a comparison: of its pair, or the average over its pairs."""
    missing = Scalar(plain=ONE) if between in ADDED else INFINITE
    shares = [(weight, missing if q is None else between(_law(p), _law(q))) for weight, _, p, q, _ in compared.pairs]
    if len(shares) == 1 and shares[0][0] == 1:
        return shares[0][1]
    need(between in ADDED, "no average of this measure is defined")
    return Scalar(plain=sum((weight * amount.plain for weight, amount in shares if amount.plain), ZERO))


def _law(weights: Law) -> Law:
    """The probabilities of the outputs that a law makes possible."""
    total = total_of(weights)
    return {o: Fraction(w, total) for o, w in weights.items() if w}
