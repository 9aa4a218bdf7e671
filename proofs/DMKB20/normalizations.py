"""Definitions 7 to 9, the normalizations of Example 1 and Example 6, and acceptability by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import z3
from sympy import symbols

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, QUARTER, ZERO, bits, gathered, pushforward, total
from verifier.wings.papers.ledger.plain import Database
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive,
    unsatisfiable,
)

Case = tuple[tuple[Fraction, ...], tuple[int, ...], tuple[int, ...]]
"""The probabilities of the worlds, what is known in each, and what is protected in each."""
Parameters = dict[Database, tuple[Hashable, ...]]


Grid = tuple[tuple[int, ...], ...]
Side = frozenset[frozenset[int]]


@cache
def grids(weights: tuple[Fraction, ...]) -> tuple[Grid, ...]:
    """All ways to place the worlds as the cells of a grid, so that row and column are independent."""
    number, grid_of_sides = len(weights), dict[tuple[Side, Side], Grid]()
    for rows in (r for r in range(1, number + 1) if number % r == 0):
        columns = number // rows
        for order in permutations(range(number)):
            grid = tuple(order[k * columns : (k + 1) * columns] for k in range(rows))
            across = [sum(weights[w] for w in row) for row in grid]
            down = [sum(weights[w] for w in column) for column in zip(*grid, strict=True)]
            if all(weights[w] == across[r] * down[c] for r, row in enumerate(grid) for c, w in enumerate(row)):
                sides = (frozenset(map(frozenset, grid)), frozenset(map(frozenset, zip(*grid, strict=True))))
                grid_of_sides.setdefault(sides, grid)
    return tuple(grid_of_sides.values())


def acceptable(case: Case) -> bool:
    """Whether Definition 8 holds, by brute force: some grid of two independent parameters has all worlds as its cells.

    φ₀ is the row. Two parameters are enough: those of B together are the column, all others join φ₀.
    """
    weights, known, protected = case
    return any(_fits(grid, known, protected) for grid in grids(weights))


def _fits(grid: Grid, known: Sequence[int], protected: Sequence[int]) -> bool:
    known_values = [{known[w] for w in column} for column in zip(*grid, strict=True)]
    return (
        all(len({protected[w] for w in row}) == 1 for row in grid)
        and all(len(values) == 1 for values in known_values)
        and (len(set().union(*known_values)) in {1, len(known_values)})
    )


def sorted_fibres(case: Case) -> bool:
    """Whether the worlds given each B̂ have the same multiset of (protected value, probability): the short procedure."""
    weights, known, protected = case
    fibres = []
    for value in set(known):
        inside = [w for w, known_value in enumerate(known) if known_value == value]
        mass = sum(weights[w] for w in inside)
        fibres.append(Counter((protected[w], weights[w] / mass) for w in inside))
    return all(fibre == fibres[0] for fibre in fibres)


SPECIAL = {4: ((4, 2, 2, 1), (1, 1, 1, 1)), 5: ((1,) * 5,), 6: ((2, 2, 2, 1, 1, 1), (4, 4, 2, 2, 1, 1))}


def laws(number: int) -> Iterator[tuple[Fraction, ...]]:
    """All laws of `number` worlds in multiples of 1/8, likelier worlds first, and some that are products."""
    for cuts in combinations(range(1, 8), number - 1):
        sizes = tuple(b - a for a, b in zip((0, *cuts), (*cuts, 8), strict=True))
        if list(sizes) == sorted(sizes, reverse=True):
            yield tuple(Fraction(size, 8) for size in sizes)
    for sizes in SPECIAL.get(number, ()):
        yield tuple(Fraction(size, sum(sizes)) for size in sizes)


def cases(number: int) -> Iterator[Case]:
    """All laws of `number` worlds with known and protected values in {0, 1}, up to exchanging the values."""
    for weights, known, protected in product(laws(number), bits(number), bits(number)):
        if not known[0] and not protected[0]:
            yield weights, known, protected


def short_procedure() -> Steps:
    """Definition 8 by brute force and by sorting agree on laws of 1 to 6 worlds, B and S in {0, 1}."""
    return tuple(
        every_case(
            cases(k), lambda case: acceptable(case) == sorted_fibres(case), f"{k} worlds: brute force and sorting agree"
        )
        for k in range(1, 7)
    )


def independent_of_knowledge() -> Steps:
    """In an acceptable normalization B says nothing of the protected value, so no known record depends on D(i)."""

    def apart(case: Case) -> bool:
        weights, known, protected = case
        joint = gathered(zip(zip(known, protected, strict=True), weights, strict=True))
        law_of_known, law_of_protected = (pushforward(joint, lambda pair, k=k: pair[k]) for k in BITS)  # type: ignore[misc]
        return all(
            joint.get((b, s), ZERO) == law_of_known[b] * law_of_protected[s]
            for b in law_of_known
            for s in law_of_protected
        )

    p, q, r, s = positive("p1 p2 q1 q2")
    fine = [case for k in (2, 3, 4) for case in cases(k) if sorted_fibres(case)]
    return (
        identity(p * r + q * r + p * s + q * s, (p + q) * (r + s), "φ₀ in f⁻¹(a), φ_I in g⁻¹(B̂): the sums factor"),
        every_case(fine, apart, "every acceptable law of up to 4 worlds: S and B are independent"),
    )


def whole_world() -> Steps:
    """Every θ has a normalization, φ₀ = the world; without knowledge it is acceptable, whatever is protected."""
    blind = [(w, k, s) for k_ in (1, 2, 3, 4) for w, k, s in cases(k_) if len(set(k)) == 1]
    return (every_case(blind, acceptable, "nothing known: acceptable, whatever is protected"),)


def known_record() -> Steps:
    """A record that is known and not constant is not acceptable, nor is one that B determines."""
    known_cases = [case for k in (2, 3, 4) for case in cases(k) if case[1] == case[2] and len(set(case[1])) == 2]
    return (
        equal(acceptable(((HALF, HALF), (0, 1), (0, 1))), False, "one fair bit, B = D(0): acceptable at 0"),
        every_case(known_cases, lambda case: not acceptable(case), "B = S, not constant, up to 4 worlds: never"),
    )


def nothing_to_protect() -> Steps:
    """Three worlds, two of them with the same B̂: no protected value at all is acceptable, not even a constant one."""
    third = (Fraction(1, 3),) * 3
    all_cases = [
        (w, (0, 1, 1), s) for w in {case[0] for case in cases(3)} | {third} for s in product((0, 1, 2), repeat=3)
    ]
    return (
        every_case(all_cases, lambda case: not acceptable(case), "B̂ with one world and B̂ with two: never acceptable"),
    )


def example_one_as_suggested() -> Steps:
    """The normalization by (μ, noise at i) and the other noises: injective iff a noise, or μ, is known.

    Two (μ, noises) give one D where all noises differ by 2. With a known noise B tells them apart.
    """
    e, f = symbols("e f", real=True)
    parameters = list(product((-1, 1), (-2, 0, 2), (-2, 0, 2)))
    blind = {(m + x, m + y) for m, x, y in parameters}
    noise = {(m + x, m + y, y) for m, x, y in parameters}
    side = {(m + x, m + y, m) for m, x, y in parameters}
    return (
        identity(1 + e, -1 + (e + 2), "μ = 1 with noise e, μ = -1 with noise e + 2: one D(i)"),
        identity(1 + f, -1 + (f + 2), "and one D(j)"),
        less(len(blind), len(parameters), "n = 2, noises in {-2, 0, 2}: fewer databases than parameter values"),
        equal(len(noise), len(parameters), "with B = the noise at j: as many"),
        equal(len(side), len(parameters), "with B = μ: as many"),
        less(1, len({x for m, x, y in parameters if (m + x, m + y) == (1, 1)}), "D = (1, 1) has several D(i) - μ"),
    )


def example_six() -> Steps:
    """Example 6 in symbols: the first vote and the agreement are independent; the two votes in general are not."""
    p, c = positive("p p_c")
    law = {(1, 1): p * c, (1, 0): p * (1 - c), (0, 0): (1 - p) * c, (0, 1): (1 - p) * (1 - c)}
    agree = law[1, 1] + law[0, 0]
    second = law[1, 1] + law[0, 1]
    return (
        identity(sum(law.values()), 1, "a law"),
        identity(agree, c, "P[D(0) = D(1)] = p_c"),
        identity(law[1, 1], p * agree, "P[D(0) = 1, agree] = P[D(0) = 1]·P[agree]"),
        identity(law[0, 1], (1 - p) * (1 - agree), "P[D(0) = 0, differ] = P[D(0) = 0]·P[differ]"),
        identity(law[1, 0], p * (1 - agree), "P[D(0) = 1, differ]"),
        identity(law[0, 0], (1 - p) * agree, "P[D(0) = 0, agree]"),
        identity(law[1, 1] - p * second, p * (1 - p) * (2 * c - 1), "the covariance of both votes, 0 at p_c = 1/2"),
        every_case(bits(2), lambda d: (d[0], d[0] ^ (d[0] ^ d[1])) == d, "the pair from vote and agreement"),
    )


def example_six_whole() -> Steps:
    """Example 6, both normalizations with two pairs, p = 1/3, p_c = 3/4: independent, injective, from the worlds."""
    third, often = Fraction(1, 3), Fraction(3, 4)

    def pair(d: Database) -> Fraction:
        return (third if d[0] else 1 - third) * (often if d[0] == d[1] else 1 - often)

    worlds = {(*a, *b): pair(a) * pair(b) for a, b in product(bits(2), repeat=2)}
    first: Parameters = {d: (d[:2], d[2:]) for d in worlds}
    second: Parameters = {d: (d[0] == d[1], d[0], d[2] == d[3], d[2]) for d in worlds}
    return (
        every_case(
            (first, second),
            lambda parameters: len(set(parameters.values())) == 16,
            "both are injective on the 16 databases",
        ),
        every_case(
            (first, second), lambda parameters: _independent(worlds, parameters), "and their parameters are independent"
        ),
    )


def _independent(worlds: dict[Database, Fraction], parameters: Parameters) -> bool:
    length = len(next(iter(parameters.values())))
    single = [pushforward(worlds, lambda d, k=k: parameters[d][k]) for k in range(length)]  # type: ignore[misc]
    for d, p in worlds.items():
        chance = ONE
        for k, value in enumerate(parameters[d]):
            chance *= single[k][value]
        if chance != p:
            return False
    return True


def one_for_both() -> Steps:
    """Definition 9: one θ̂ cannot generate (D, B₁) and (D, B₂) unless B₁ = B₂; read as one family of parameters."""
    worlds = bits(2)
    left = {d: (d, d[1]) for d in worlds}
    right = {d: (d, 0) for d in worlds}
    return (
        less(
            0,
            sum(left[d] != right[d] for d in worlds),
            "two bits, B₁ = D(1), B₂ = nothing: values (D, B) that differ",
        ),
        equal([d for d, _ in left.values()], [d for d, _ in right.values()], "while D is the same"),
    )


def transitive() -> Steps:
    """Definition 9 is transitive: fibres of h ∘ k are products of the fibres' multisets, and so do not depend on B₃."""
    p, q, r, s = positive("p q r s")
    a, b, c, d = z3.Reals("a b c d")
    return (
        identity(p * r + p * s + q * r + q * s, (p + q) * (r + s), "P[B₁ given B₃] = P[B₁ given B₂]·P[B₂ given B₃]"),
        unsatisfiable([a == b, c == d, a * c != b * d], "equal factors have equal products"),
    )


def common_parameters() -> Steps:
    """Definition 9 as it can be read: φ₀ = D(0), φ₁ = D(1) for two fair bits, I₁ = {1} and I₂ empty, both injective."""
    places = bits(2)
    return (
        for_all(
            ((True, 4), (False, 4)),
            lambda known, worlds: len({(d, d[1] if known else "") for d in places}) == worlds,
            "worlds",
        ),
        equal(sorted_fibres(((QUARTER,) * 4, (0, 1, 0, 1), (0, 0, 1, 1))), True, "B₁ = D(1): acceptable at 0"),
        equal(sorted_fibres(((QUARTER,) * 4, (0, 0, 0, 0), (0, 0, 1, 1))), True, "B₂ = nothing: acceptable at 0"),
    )


def pairs_not_databases() -> Steps:
    """Parameter values stand for pairs (D, B), not for databases, where B is drawn apart from D."""
    places = bits(2)
    worlds = [(d, coin) for d in places for coin in BITS]
    return (
        less(
            len({d for d, _ in worlds}),
            len(worlds),
            "two bits and an independent coin as B: fewer databases than pairs",
        ),
        equal(len({(d, b) for d, b in worlds}), 8, "8 pairs for 8 parameter values"),
        equal(len(set(places)), len({(d, d[0] ^ d[1]) for d in places}), "B a function of D: as many"),
    )


def example_six_boundary() -> Steps:
    """Example 6 with p and p_c in {0, 1/2, 1}: vote and agreement are independent, and injective where they occur."""
    grid = (ZERO, HALF, ONE)

    def fine(p: Fraction, c: Fraction) -> bool:
        law: dict[Database, Fraction] = {(a, b): (p if a else 1 - p) * (c if a == b else 1 - c) for a, b in bits(2)}
        worlds = {d: q for d, q in law.items() if q}
        parameters: Parameters = {d: (d[0] == d[1], d[0]) for d in worlds}
        return _independent(worlds, parameters) and len(set(parameters.values())) == len(worlds)

    return (for_all(product(grid, repeat=2), fine, "independent and injective on the possible pairs"),)


def example_six_uncorrelated() -> Steps:
    """Example 6 with p_c = 1/2: the votes are independent, and D(1) is acceptable with D(0) known."""

    def pair(c: Fraction) -> Case:
        third = Fraction(1, 3)
        weights = tuple((third if a else 1 - third) * (c if a == b else 1 - c) for a, b in bits(2))
        return weights, (0, 0, 1, 1), (0, 1, 0, 1)

    return (
        equal(acceptable(pair(HALF)), True, "p = 1/3, p_c = 1/2, B = D(0), D(1) protected: acceptable"),
        equal(acceptable(pair(Fraction(3, 4))), False, "p_c = 3/4: acceptable"),
    )


def independent_but_not_acceptable() -> Steps:
    """B independent of D(i) is less than acceptability: worlds of 1/4, 1/4 given one B̂, 1/4, 1/8, 1/8 given another."""
    weights = tuple(Fraction(k, 8) for k in (2, 2, 2, 1, 1))
    known, protected = (0, 0, 1, 1, 1), (0, 1, 0, 1, 1)
    joint = [total(p for p, b, s in zip(weights, known, protected, strict=True) if b == v and s) for v in BITS]
    return (
        equal([known.count(v) for v in BITS], [2, 3], "worlds given the one B̂ and the other"),
        equal(len(known), 5, "worlds together"),
        equal(joint, [QUARTER] * 2, "P[D(i) = 1, B̂] for both B̂, each of probability 1/2"),
        equal(acceptable((weights, known, protected)), False, "by brute force over all grids: acceptable"),
    )
