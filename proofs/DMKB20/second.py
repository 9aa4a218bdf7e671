"""Refutations of sections 3.5 to 4.2 (DMKB20), added up a second time from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import Any

from verifier.wings.papers.ledger.steps import at_most, each, equal, less

ZERO, ONE = Fraction(0), Fraction(1)
World = tuple[tuple[int, ...], Any, Fraction]
"""A database, what is known, and a probability."""
Channel = Callable[[tuple[int, ...]], dict[Any, Fraction]]


def law(worlds: Iterable[World], channel: Channel, record: int, value: int, known: Any) -> dict[Any, Fraction]:
    """The law of M(D) given D(record) = value and B = known; empty where that is impossible."""
    found: dict[Any, Fraction] = {}
    total = ZERO
    for database, heard, weight in worlds:
        if weight and heard == known and database[record] == value:
            total += weight
            for output, p in channel(database).items():
                found[output] = found.get(output, ZERO) + weight * p
    return {output: p / total for output, p in found.items()}


def excess(p: dict[Any, Fraction], q: dict[Any, Fraction], factor: Fraction) -> Fraction:
    """Σ max(0, P(o) - E·Q(o))."""
    return sum((max(ZERO, x - factor * q.get(o, ZERO)) for o, x in p.items()), ZERO)


def active(worlds: list[World], channel: Channel, record: int, factor: Fraction) -> Fraction:
    """The largest excess over B̂ and the values a, b that are possible with it (Definition 12)."""
    best = ZERO
    values = {w[0][record] for w in worlds}
    for known in {w[1] for w in worlds}:
        laws = [law(worlds, channel, record, v, known) for v in values]
        best = max([best, *(excess(p, q, factor) for p, q in product(laws, repeat=2) if p and q)])
    return best


def passive(worlds: list[World], channel: Channel, record: int, factor: Fraction) -> Fraction:
    """The largest mean of the excess over B̂ given D(i) = a; a B̂ that excludes b adds nothing (Definition 13)."""
    best = ZERO
    values = {w[0][record] for w in worlds}
    for a, b in product(values, repeat=2):
        given = sum((w[2] for w in worlds if w[0][record] == a), ZERO)
        mean = ZERO
        for known in {w[1] for w in worlds}:
            p, q = (law(worlds, channel, record, v, known) for v in (a, b))
            if p and q:
                here = sum((w[2] for w in worlds if w[0][record] == a and w[1] == known), ZERO)
                mean += here / given * excess(p, q, factor)
        best = max(best, mean)
    return best


def votes(chances: list[Fraction], known: Callable[[tuple[int, ...]], Any]) -> list[World]:
    """Independent votes, with what is known of them."""
    found = []
    for ballot in product((0, 1), repeat=len(chances)):
        weight = ONE
        for vote, p in zip(ballot, chances, strict=True):
            weight *= p if vote else 1 - p
        found.append((ballot, known(ballot), weight))
    return found


def theorem_3_two_records() -> tuple[str, ...]:
    """N = 2, λ = 1/4, ε = 2: X and Y are single bits with success 1/2, and X/Y ≥ 2 exactly where Y = 0."""
    bit = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    claimed = {
        counted: sum(
            (p * q for (x, p), (y, q) in product(bit.items(), repeat=2) if y == 0 and (x > 0 or counted)), ZERO
        )
        for counted in (True, False)
    }
    worlds = votes([Fraction(13, 50)] * 2, lambda _: None)
    found = active(worlds, lambda d: {sum(d): ONE}, 0, Fraction(8))
    return (
        equal(claimed[True], Fraction(1, 2), "claimed, with 0/0 counted"),
        equal(claimed[False], Fraction(1, 4), "claimed, with 0/0 not counted"),
        equal(found, Fraction(37, 50), "exact δ for p = 13/50 at E = 8 > e², and so at ε = 2"),
        less(claimed[True], found, "the claim does not cover it"),
    )


def theorem_4_more_than_the_threshold() -> tuple[str, ...]:
    """N = 3, p = 1/4, |B| = 1, T = 0, b_max = 2: r_b < 1 and r' < 1, both terms 0; the exact δ with p_i = 249/1000."""
    n, p, known, threshold, top = 3, Fraction(1, 4), 1, 0, 2
    r_b = p * known / ((1 - p) * top)
    r = p * (n - known - 1) / ((1 - p) * (threshold - top))
    worlds = votes([Fraction(249, 1000)] * n, lambda d: d[0])

    def channel(d: tuple[int, ...]) -> dict[Any, Fraction]:
        return {sum(d) if sum(d) > threshold else "hidden": ONE}

    found = passive(worlds, channel, 1, Fraction(1))
    return (
        less(r_b, ONE, "r_b"),
        less(r, ONE, "r'"),
        equal((comb(known, top), comb(n - known - 1, 1 + top)), (0, 0), "f(b_max, |B|) and f(T - b_max, …) are 0"),
        equal(found, Fraction(751, 1000), "exact δ of PPKDP at ε = 0, where ε = δ = 0 is claimed"),
    )


def _e(terms: int) -> tuple[Fraction, Fraction]:
    """E from below and above: the series, and what is left of it."""
    low = sum((Fraction(1, factorial(k)) for k in range(terms)), ZERO)
    return low, low + Fraction(2, factorial(terms))


def proposition_7_fair_coins() -> tuple[str, ...]:
    """p_i = 1/2, ε = 1: μ₃ as printed is 0, so that δ = δ₂ = 1.25·exp(-n/8). Refuted at n = 555, not at n = 554."""
    low, high = _e(40)

    def exact(n: int, e: Fraction) -> Fraction:
        ways = [comb(n - 1, k) for k in range(n)]
        above = sum((max(ZERO, ways[o] - e * (ways[o - 1] if o else 0)) for o in range(n)), ZERO)
        return above / Fraction(2) ** (n - 1)

    def refuted(n: int) -> bool:  # 1.25·exp(-n/8) < δ, by 8th powers, with e from below and the exact δ from below
        return (exact(n, high) * Fraction(4, 5)) ** 8 * low**n > 1

    def covered(n: int) -> bool:
        return (exact(n, low) * Fraction(4, 5)) ** 8 * high**n < 1

    return (
        equal(Fraction(1, 2) * Fraction(1, 2) * abs(1 - 2 * Fraction(1, 2)), ZERO, "p(1 - p)|1 - 2p| at p = 1/2"),
        each([555, 900], refuted, "exact δ > 1.25·exp(-n/8)"),
        each([2, 10, 100, 300, 554], covered, "while it is below for smaller n"),
    )


def theorem_2_ignoring_impossible_values() -> tuple[str, ...]:
    """Three worlds; B = y excludes D(0) = 1. Active 1/2, passive 1/4 at ε = ln(2)."""
    third = Fraction(1, 3)
    worlds: list[World] = [((0,), "x", third), ((1,), "x", third), ((0,), "y", third)]

    def channel(d: tuple[int, ...]) -> dict[Any, Fraction]:
        return {"u": ONE} if d[0] else {"u": ONE / 2, "v": ONE / 2}

    laws = [law(worlds, channel, 0, 0, b) for b in "xy"]
    return (
        equal(laws[0], laws[1], "given the one value that both B̂ allow, the laws are the same"),
        equal(active(worlds, channel, 0, Fraction(2)), Fraction(1, 2), "δ of APKDP"),
        equal(passive(worlds, channel, 0, Fraction(2)), Fraction(1, 4), "δ of PPKDP"),
    )


def proposition_6_known_target() -> tuple[str, ...]:
    """Two fair votes, D(0) known: given B = 0 the target D(0) = 1 is impossible, given B = 1 it is certain."""
    worlds = votes([Fraction(1, 2)] * 2, lambda d: d[0])

    def count(d: tuple[int, ...]) -> dict[Any, Fraction]:
        return {sum(d): ONE}

    laws = [law(worlds, count, 0, 1, b) for b in (0, 1)]
    return (
        equal(laws[0], {}, "P[M(D) = O | D(0) = 1, B = 0] has no value"),
        equal(laws[1], {1: ONE / 2, 2: ONE / 2}, "P[M(D) = O | D(0) = 1, B = 1]"),
    )


def not_fixed_records() -> tuple[str, ...]:
    """B names one of two others and tells its vote: the laws of the count have 1/2 or 3/4, and no bijection fits."""
    chances = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 2)]
    worlds = [(d, (who, d[who]), w / 2) for who in (0, 1) for d, _, w in votes(chances, lambda _: None)]

    def count(d: tuple[int, ...]) -> dict[Any, Fraction]:
        return {sum(d): ONE}

    laws = [sorted(law(worlds, count, 2, 0, b).values()) for b in ((0, 0), (1, 0))]
    return (
        equal(laws[0], [Fraction(1, 4), Fraction(3, 4)], "D(0) is known: what is left is D(1)"),
        equal(laws[1], [Fraction(1, 2), Fraction(1, 2)], "D(1) is known: what is left is D(0)"),
    )


def proposition_9_tied_by_knowledge() -> tuple[str, ...]:
    """Three fair votes, B = D(0) ⊕ D(1), target D(2): M₁ = D(0) and M₂ = D(1) ⊕ D(2) together tell D(2)."""
    worlds = votes([Fraction(1, 2)] * 3, lambda d: d[0] ^ d[1])
    both: Channel = lambda d: {(d[0], d[1] ^ d[2]): ONE}  # noqa: E731
    alone: Channel = lambda d: {d[1] ^ d[2]: ONE}  # noqa: E731
    return (
        equal(active(worlds, both, 2, Fraction(10**6)), ONE, "δ of both, E = 10^6"),
        equal(active(worlds, alone, 2, ONE), ZERO, "δ of M₂ alone, ε = 0"),
        equal(active(worlds, lambda d: {d[0]: ONE}, 2, ONE), ZERO, "δ of M₁ alone, ε = 0"),
    )


def example_7() -> tuple[str, ...]:
    """1,000 voters, p = 10^-7, 100 known, shown above 100: active, the least δ is P[899 others say no], or nearly.

    The active attacker's voters say yes: ⊥ is the count 100, and 101 tells a yes. So M is the count of the others.
    """
    p, others = Fraction(1, 10**7), 899
    none = (1 - p) ** others

    def relabelled(case: tuple[int, int]) -> bool:
        n, known = case
        seen = {s: s + known if s + known > known else "hidden" for s in range(n - known + 1)}
        return len(set(seen.values())) == len(seen)

    return (
        each(
            [(n, k) for n in range(2, 9) for k in range(1, n)],
            relabelled,
            "T = |B| known ones: M is one to one",
        ),
        each([none], lambda x: 1 - x < Fraction(9, 10**5), "everybody else says no but for 9·10^-5"),
        each([(1 - p) ** 100], lambda x: 1 - x < Fraction(1, 10**5), "the known ones all say no but for 10^-5"),
        each([p**100], lambda x: x == Fraction(1, 10**700), "they all say yes with probability 10^-700"),
        at_most(1, 100, "one yes among the known is far from the threshold"),
    )
