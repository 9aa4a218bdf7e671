"""Example 1 in closed form: n voters, p each, the count shown above t, k known votes, and one unknown target.

P(m, j) is the probability that j of m votes are yes. Plain integers and fractions, from the paper's words alone.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import z3

from verifier.wings.papers.ledger.laws import ONE
from verifier.wings.papers.ledger.steps import Steps, at_most, equal, every_case, less, unsatisfiable

PEOPLE, KNOWN, ABOVE = 1000, 100, 100
YES = Fraction(1, 10**6)
OTHERS = PEOPLE - KNOWN - 1


def _scaled(m: int, j: int, numerator: int, denominator: int) -> int:
    """P(m, j)·denominator^m, an integer, for p = numerator/denominator."""
    return int(comb(m, j) * numerator**j * (denominator - numerator) ** (m - j))


def _between(low: str, exact: Fraction, high: str, statement: str) -> str:
    """Check that an exact number is between two decimals: it is too long to be written out."""
    return equal(Fraction(low) < exact < Fraction(high), True, f"{statement}, is between {low} and {high}")


def falling() -> Steps:
    """P(m, j) falls in j where (m + 1)·p ≤ 1, so that one more yes is never more likely."""
    m, j, p = z3.Reals("m j p")
    return (
        unsatisfiable(
            [p > 0, p < 1, m >= 1, (m + 1) * p <= 1, j >= 1, j <= m, (m - j + 1) * p > j * (1 - p)],
            "P(m, j)/P(m, j-1) = (m - j + 1)·p/(j·(1 - p)) ≤ 1",
        ),
        at_most((OTHERS + 1) * YES, ONE, "here (899 + 1)·10⁻⁶"),
        every_case(
            range(1, OTHERS + 1),
            lambda j: _scaled(OTHERS, j, 1, 10**6) <= _scaled(OTHERS, j - 1, 1, 10**6),
            "P(899, j) ≤ P(899, j-1)",
        ),
    )


def active() -> Steps:
    """All 100 known votes are yes: at every ε the smallest δ is P(899, 0) = (1 - 10⁻⁶)^899."""
    exact = (1 - YES) ** OTHERS
    reach = range(OTHERS + 2)
    outputs = [KNOWN + j if KNOWN + j > ABOVE else 0 for j in reach]
    return (
        *falling(),
        equal(
            len(set(outputs)),
            len(reach),
            "with 100 known yes votes the output tells the count",
        ),
        equal(outputs[0], 0, "the target votes no and nobody else yes: the output is 0, which the vote yes excludes"),
        _between(
            "0.999101403530335381", exact, "0.999101403530335382", "the output 0 alone gives δ ≥ P(899, 0) at every ε"
        ),
        equal(_telescopes(0), True, "and δ ≤ Σ max(0, P(899, j-1) - P(899, j)) = P(899, 0), since P falls"),
    )


def passive() -> Steps:
    """On average over the known votes: at every ε δ ≤ P(999, 100), with equality at ε = 0."""
    mixed = sum(comb(KNOWN, s) * comb(OTHERS, ABOVE - s) for s in range(KNOWN + 1))
    exact = comb(PEOPLE - 1, ABOVE) * YES**ABOVE * (1 - YES) ** OTHERS
    return (
        *falling(),
        every_case(
            range(KNOWN + 1),
            lambda s: _telescopes(ABOVE - s),
            "s known yes votes: Σ over shown outputs of P(899, j-1) - P(899, j) = P(899, 100 - s)",
        ),
        equal(mixed, comb(PEOPLE - 1, ABOVE), "Σ C(100, s)·C(899, 100 - s) = C(999, 100)"),
        _between("5.7413e-461", exact, "5.7414e-461", "P(999, 100), the passive δ at ε = 0"),
        equal(exact < Fraction(1, 10**460), True, "it is below 10^-460, and its inverse above 10^460"),
    )


@cache
def _all() -> list[int]:
    """The integers P(899, j)·10^(6·899) for j = 0, …, 899, and a 0 after them."""
    return [_scaled(OTHERS, j, 1, 10**6) for j in range(OTHERS + 1)] + [0]


def _telescopes(first: int) -> bool:
    """Whether Σ P(899, j-1) - P(899, j) over the shown counts j = first + 1, …, 900 is P(899, first)."""
    values = _all()
    return sum(values[j - 1] - values[j] for j in range(max(first, 0) + 1, OTHERS + 2)) == values[max(first, 0)]


def ninety_nine() -> Steps:
    """With 99 known votes, all yes, the counts 99 and 100 are both shown as 0: at most, at ε = 0, δ is P(900, 1)."""
    other_votes = PEOPLE - 99 - 1
    exact = other_votes * YES * (1 - YES) ** (other_votes - 1)
    outputs = [99 + j if 99 + j > ABOVE else 0 for j in range(other_votes + 2)]
    return (
        equal(outputs[:3], [0, 0, 101], "99 known yes votes: one more is not shown, two more are"),
        _between("0.000899191263", exact, "0.000899191264", "P(900, 1), far below the δ with 100 known votes"),
    )


def knowledge() -> Steps:
    """What the passive attacker knows: probably 100 no votes; more than two yes votes are very unlikely."""
    none = (1 - YES) ** KNOWN
    few = sum(comb(KNOWN, j) * YES**j * (1 - YES) ** (KNOWN - j) for j in range(3))
    return (
        less(Fraction(9999, 10**4), none, "all 100 known votes are no with probability (1 - 10⁻⁶)^100"),
        less(1 - few, Fraction(17, 10**14), "more than 2 of them are yes with probability"),
    )


def output() -> Steps:
    """The output is not 0 with a probability of at most C(1000, 101)·p^101, below 10⁻⁴⁶⁵."""
    bound = comb(PEOPLE, ABOVE + 1) * YES ** (ABOVE + 1)
    return (
        _between(
            "5.6e-466",
            bound,
            "1e-465",
            "the bound C(1000, 101)·p^101 = C(1000, 101)·10^-606",
        ),
    )


def no_collision() -> Steps:
    """Returning 0 (DKM19) or ⊥ (DMKB20): a count of 0 is never shown, so that both are one partition of the counts."""
    zero = [count if count > ABOVE else 0 for count in range(PEOPLE + 1)]
    none = [count if count > ABOVE else "⊥" for count in range(PEOPLE + 1)]
    return (
        equal(
            [zero.index(output) for output in zero] == [none.index(output) for output in none],
            True,
            "all counts from 0 to 1000: two have one output with 0 exactly where they have one with ⊥",
        ),
    )


def other_number() -> Steps:
    """With p = 10⁻⁷, as DMKB20 prints it, P(899, j) falls as well, and both closed forms hold."""
    yes = Fraction(1, 10**7)
    passive_delta = comb(PEOPLE - 1, ABOVE) * yes**ABOVE * (1 - yes) ** OTHERS
    return (
        falling()[0],
        equal(Fraction(1, OTHERS + 1), Fraction(1, 900), "so P(899, j) falls for every p up to"),
        at_most((OTHERS + 1) * yes, ONE, "here (899 + 1)·10⁻⁷"),
        _between("0.99991", (1 - yes) ** OTHERS, "0.99992", "P(899, 0), the active δ"),
        _between("5.746e-561", passive_delta, "5.747e-561", "P(999, 100), the passive δ at ε = 0"),
    )
