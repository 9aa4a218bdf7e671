"""Laws on finitely many outcomes, in fractions, for the derivations; they share no code with the engine.

A law is a table from outcomes to probabilities; outcomes that are not in it have the probability 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

Law = dict[Any, Fraction]
ZERO, ONE, HALF, QUARTER = Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 4)

BITS = (0, 1)


def bits(count: int) -> list[tuple[int, ...]]:
    """All tuples of `count` bits, in lexicographic order.

    >>> bits(2)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return list(product(BITS, repeat=count))


def subsets(items: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All subsets of a sequence as tuples, smaller ones first.

    >>> subsets("uv")
    [(), ('u',), ('v',), ('u', 'v')]
    """
    return [part for size in range(len(items) + 1) for part in combinations(items, size)]


def total(weights: Iterable[Fraction]) -> Fraction:
    """The sum of fractions, which is a fraction also where there are none.

    >>> total([])
    Fraction(0, 1)
    """
    return sum(weights, ZERO)


def dot(weights: Iterable[Any], values: Iterable[Any]) -> Any:
    """The sum of the products Σ w·v, of numbers or of terms; both lists have one length.

    >>> dot([HALF, QUARTER], [1, 2])
    Fraction(1, 1)
    """
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def gathered(weighted: Iterable[tuple[Hashable, Fraction]]) -> Law:
    """The law of outcomes that are listed with their weights: the weights of equal outcomes are added.

    >>> gathered([("u", HALF), ("v", QUARTER), ("u", QUARTER)])
    {'u': Fraction(3, 4), 'v': Fraction(1, 4)}
    """
    law: Law = {}
    for outcome, weight in weighted:
        law[outcome] = law.get(outcome, ZERO) + weight
    return law


def pushforward(law: Mapping[Any, Fraction], function: Callable[[Any], Hashable]) -> Law:
    """The pushforward of a law: the law of function(outcome).

    >>> pushforward({-1: HALF, 0: QUARTER, 1: QUARTER}, abs)
    {1: Fraction(3, 4), 0: Fraction(1, 4)}
    """
    return gathered((function(outcome), p) for outcome, p in law.items())


def mixture(law: Mapping[Any, Fraction], rule: Callable[[Any], Mapping[Any, Fraction]]) -> Law:
    """The law of M(D) for the law of D: Σ P(d)·M(d).

    >>> mixture({0: HALF, 1: HALF}, lambda bit: {"u": ONE} if bit else {"u": HALF, "v": HALF})
    {'u': Fraction(3, 4), 'v': Fraction(1, 4)}
    """
    return gathered((output, p * q) for outcome, p in law.items() for output, q in rule(outcome).items())


def mass(law: Mapping[Any, Fraction], event: Iterable[Any]) -> Fraction:
    """The probability of an event, a collection of different outcomes.

    >>> mass({"u": HALF, "v": QUARTER}, "uw")
    Fraction(1, 2)
    """
    return total(law.get(outcome, ZERO) for outcome in event)


def conditional(part: Mapping[Any, Fraction]) -> Law:
    """The conditional law: a part of a law divided by its mass; empty where the mass is 0.

    >>> conditional({"u": QUARTER, "v": QUARTER})
    {'u': Fraction(1, 2), 'v': Fraction(1, 2)}
    """
    mass = total(part.values())
    return {key: p / mass for key, p in part.items()} if mass else {}


def bit(p: Fraction) -> Law:
    """The law of a bit that is 1 with probability p."""
    return {0: 1 - p, 1: p}


def independent(*laws: Mapping[Any, Fraction]) -> Law:
    """The product of laws: the law of a tuple of independent outcomes, by enumerating every tuple.

    >>> independent(bit(HALF), {"u": ONE})
    {(0, 'u'): Fraction(1, 2), (1, 'u'): Fraction(1, 2)}
    """
    tuples: Law = {(): ONE}
    for law in laws:
        tuples = {(*first, outcome): weight * p for first, weight in tuples.items() for outcome, p in law.items()}
    return tuples


def mixed(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], weight: Fraction) -> Law:
    """The mixture w·P + (1 - w)·Q of two laws.

    >>> mixed({"u": ONE}, {"u": HALF, "v": HALF}, HALF)
    {'u': Fraction(3, 4), 'v': Fraction(1, 4)}
    """
    return gathered((o, share * p) for law, share in ((left, weight), (right, 1 - weight)) for o, p in law.items())


def laws_on(outcomes: Iterable[Hashable], denominator: int) -> list[Law]:
    """All laws on some outcomes whose probabilities are multiples of 1/denominator, 0 among them.

    >>> laws_on("uv", 1)
    [{'u': Fraction(0, 1), 'v': Fraction(1, 1)}, {'u': Fraction(1, 1), 'v': Fraction(0, 1)}]
    """
    names = tuple(outcomes)
    return [
        {name: Fraction(weight, denominator) for name, weight in zip(names, weights, strict=True)}
        for weights in product(range(denominator + 1), repeat=len(names))
        if sum(weights) == denominator
    ]


def votes(chances: Iterable[Fraction]) -> Law:
    """The law of a tuple of independent bits that are 1 with these chances, by enumerating every tuple."""
    return independent(*map(bit, chances))


def count_law(chances: Iterable[Fraction], ones: int = 0) -> Law:
    """The law of `ones` plus a sum of independent bits with these chances, by enumerating every tuple of bits.

    >>> count_law([HALF, HALF], 3)
    {3: Fraction(1, 4), 4: Fraction(1, 2), 5: Fraction(1, 4)}
    """
    return pushforward(votes(chances), lambda bits: ones + sum(bits))


def binomial_chance(count: int, trials: int, p: Fraction) -> Fraction:
    """The binomial probability of k = `count` ones in n = `trials` bits: C(n, k)·p^k·(1 - p)^(n - k).

    It is 0 for a count below 0 or above n.

    >>> binomial_chance(1, 2, QUARTER), binomial_chance(3, 2, QUARTER)
    (Fraction(3, 8), Fraction(0, 1))
    """
    return comb(trials, count) * p**count * (1 - p) ** (trials - count) if 0 <= count <= trials else ZERO


def binomial_law(trials: int, p: Fraction) -> Law:
    """The binomial law: the law of a sum of `trials` independent bits that are 1 with probability p.

    >>> binomial_law(3, QUARTER) == count_law([QUARTER] * 3)
    True
    """
    return {count: binomial_chance(count, trials, p) for count in range(trials + 1)}


def blanket_law(trials: int, share: Fraction) -> Law:
    """The multinomial law of (X, Y), the numbers of trials with two outcomes of probability `share` each.

    >>> blanket_law(1, QUARTER)
    {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)}
    """
    return {
        (x, y): comb(trials, x) * comb(trials - x, y) * share ** (x + y) * (1 - 2 * share) ** (trials - x - y)
        for x in range(trials + 1)
        for y in range(trials + 1 - x)
    }


def tail(least: int, trials: int, p: Fraction) -> Fraction:
    """The binomial tail P[X ≥ least], X the number of ones among `trials` bits that are 1 with probability p.

    >>> tail(2, 3, QUARTER) == binomial_chance(2, 3, QUARTER) + binomial_chance(3, 3, QUARTER)
    True
    """
    u, v = p.numerator, p.denominator  # one division in all
    ways = (comb(trials, k) * u**k * (v - u) ** (trials - k) for k in range(max(least, 0), trials + 1))
    return Fraction(sum(ways), v**trials)


def excess(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], factor: Fraction | int) -> Fraction:
    """The hockey-stick divergence Σ max(0, P(o) - E·Q(o)): the smallest δ of P against Q at e^ε = E, in this order.

    >>> coin, sure = {"u": HALF, "v": HALF}, {"u": ONE}
    >>> excess(coin, sure, 2), excess(sure, coin, 2)
    (Fraction(1, 2), Fraction(0, 1))
    """
    return total(max(ZERO, p - factor * right.get(outcome, ZERO)) for outcome, p in left.items())


def either_excess(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], factor: Fraction | int) -> Fraction:
    """The smallest δ at e^ε = E of two laws in both orders: the larger of the two hockey-stick divergences."""
    return max(excess(left, right, factor), excess(right, left, factor))


def loss_tail(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], factor: Fraction | int) -> Fraction:
    """The tail P[L > ε] of the privacy loss L of P against Q, e^ε = E: the mass of the outcomes with P(o) > E·Q(o).

    >>> loss_tail({"u": HALF, "v": HALF}, {"u": ONE}, 2)
    Fraction(1, 2)
    """
    return total(p for outcome, p in left.items() if p > factor * right.get(outcome, ZERO))


def differing(first: Sequence[Any], second: Sequence[Any]) -> list[int]:
    """The records in which two databases of one size differ.

    >>> differing((0, 1, 0), (1, 1, 1))
    [0, 2]
    """
    return [record for record, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]


def neighbours(databases: Iterable[Sequence[Any]]) -> list[tuple[Any, Any]]:
    """The ordered pairs of databases of one size that differ in one record.

    >>> neighbours([(0, 0), (0, 1), (1, 0)])[:2]
    [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    """
    return [(d, e) for d, e in product(tuple(databases), repeat=2) if len(differing(d, e)) == 1]


def without(database: Sequence[Any], record: int) -> tuple[Any, ...]:
    """The database without one record.

    >>> without((0, 1, 2), 1)
    (0, 2)
    """
    return (*database[:record], *database[record + 1 :])


def replaced(database: Sequence[Any], record: int, value: Any) -> tuple[Any, ...]:
    """The database with one record set to a value.

    >>> replaced((0, 0, 0), 1, 2)
    (0, 2, 0)
    """
    return (*database[:record], value, *database[record + 1 :])


def exp_bracket(x: Fraction, terms: int = 40) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^x for 0 ≤ x ≤ 3: the series, whose remainder is below twice the next term.

    >>> low, high = exp_bracket(ONE)
    >>> Fraction("2.718281828") < low < high < Fraction("2.718281829")
    True
    """
    below, term = ZERO, ONE
    for k in range(terms):
        below += term
        term = term * x / (k + 1)
    return below, below + 2 * term
