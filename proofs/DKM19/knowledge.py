"""Conditioning on what is known: Aux, Lemma 3, full knowledge, and what values with probability 0 change."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import sympy
import z3

from verifier.wings.papers.ledger.laws import BITS, HALF, QUARTER, bits
from verifier.wings.papers.ledger.steps import (
    Steps,
    equal,
    every_case,
    for_all,
    identity,
    positive,
    positive_part,
    unsatisfiable,
)


def conditioned() -> Steps:
    """Lemma 3: θ conditioned on ζ(D) = b and then on D(i) = a is θ conditioned on both; ζ may be random."""
    p = positive("p:4")
    z = positive("z:4")
    known = sum(x * y for x, y in zip(p, z, strict=True))
    inner = [x * y / known for x, y in zip(p, z, strict=True)]
    joint_mass = p[0] * z[0] + p[1] * z[1]
    weight, event, total_weight = positive("x s w")
    steps = [
        identity(
            (weight / total_weight) / (event / total_weight),
            weight / event,
            "P[D = d, b]/P[b] over P[D(i) = a, b]/P[b], for any number of databases",
        )
    ]
    steps += [
        identity(
            inner[d] / (inner[0] + inner[1]), p[d] * z[d] / joint_mass, f"P[D = d | D(i) = a] under θ given b, d = {d}"
        )
        for d in BITS
    ]
    return (*steps, identity(inner[0] + inner[1] + inner[2] + inner[3], sympy.Integer(1), "θ given b sums to 1"))


def aux() -> Steps:
    """A fixed Aux: all probabilities given D(i) = a and Aux are those given D(i) = a under θ' = θ given Aux."""
    p = positive("p:4")
    fixed = p[0] + p[1] + p[2]
    inner = [chance / fixed for chance in p[:3]]
    weight, event, total_weight = positive("x s w")
    return (
        identity(
            (weight / total_weight) / (event / total_weight), weight / event, "the same for any number of databases"
        ),
        identity(inner[0] / (inner[0] + inner[1]), p[0] / (p[0] + p[1]), "P'[d | a] = P[d | a, Aux]"),
        identity(inner[0] + inner[1] + inner[2], sympy.Integer(1), "θ' sums to 1"),
    )


def full() -> Steps:
    """B = D without i, and D(i) = a: one database is left, so that the law of M(D) is that of M of this database."""
    p, r = positive("p r")
    return (identity(p * r / p, r, "P[M(D) = o | D(i) = a, B = D₋ᵢ] = p·P[M(d) = o]/p, where P[D = d] = p > 0"),)


def setting() -> Steps:
    """Where the known part is independent of the rest, the rest has one law given a value and after setting it."""
    k, chance, other_chance = positive("k q0 q1")
    return (
        identity(
            k * chance / (k * chance + k * other_chance),
            chance / (chance + other_chance),
            "P[rest | known value of probability k] does not depend on k",
        ),
    )


def channel() -> Steps:
    """Every law of (D, B) is θ with a random ζ: P[d, b] = P[d]·(P[d, b]/P[d]); a ζ without coins may not be enough."""
    j, k = positive("j k")
    law = {((0,), "x"): QUARTER, ((0,), "y"): QUARTER, ((1,), "x"): HALF}
    return (
        identity((j + k) * (j / (j + k)), j, "P[d]·P[b | d] = P[d, b]"),
        identity(j / (j + k) + k / (j + k), sympy.Integer(1), "the channel sums to 1"),
        equal(len({b for d, b in law if d == (0,)}), 2, "definition-5-excluded-value: values of B at one database"),
    )


def acceptable() -> Steps:
    """Where B and D(i) are independent, each possible value of B is possible with each possible value of D(i)."""
    a, b, joint = z3.Reals("a b both")
    return (unsatisfiable([a > 0, b > 0, joint == a * b, joint <= 0], "P[D(i) = a, B = b] = P[D(i) = a]·P[B = b] > 0"),)


def odds() -> Steps:
    """Bayes: the odds of a against b after the output are those before it, x/y, times p/q = e^loss."""
    x, y, p, q = positive("x y p q")
    total = x * p + y * q
    return (identity((x * p / total) / (y * q / total), (x / y) * (p / q), "P[a | o, B̂]/P[b | o, B̂] = x/y·p/q"),)


def odds_stay() -> Steps:
    """Where B excludes b, P[D(i) = b | B, o] = 0 for every output: the mechanism adds nothing about a against b."""
    x, y, r, s = z3.Reals("x y r s")
    return (
        unsatisfiable([x > 0, y == 0, r > 0, s >= 0, x * r + y * s > 0, y * s != 0], "Bayes: P[b, o | B] = 0·s = 0"),
        unsatisfiable([x == 0, y == 0, r >= 0, s >= 0, z3.Or(x * r != 0, y * s != 0)], "so for both, if both are out"),
    )


def five_cases() -> Steps:
    """The conditions of Definition 5, in order, cover every case; the two reasons cover the failure of the first."""

    def loss(a: bool, b: bool, p: bool, q: bool) -> str:  # noqa: FBT001
        if not (a and b):
            return "0"
        if not p:
            return "-∞"
        return "ln(p/q)" if q else "∞"

    e = z3.Real("E")
    conditions: dict[str, Callable[[bool, bool, bool, bool], bool]] = {
        "0": lambda a, b, _p, _q: not a or not b,
        "∞": lambda a, b, p, q: a and b and p and not q,
        "-∞": lambda a, b, p, _: a and b and not p,
        "ln(p/q)": lambda a, b, p, q: a and b and p and q,
    }
    cases = list(product((True, False), repeat=4))
    return (
        every_case(
            cases,
            lambda case: [name for name, holds in conditions.items() if holds(*case)] == [loss(*case)],
            "(a, b, p, q possible): one case applies, and no other",
        ),
        for_all(
            [case for case in cases if case[0] and case[1] and (case[2] or case[3])],
            lambda a, b, p, q: (loss(a, b, p, q) == "-∞") == (not p) and (loss(a, b, p, q) == "∞") == (not q),
            "∞ where only p is positive, -∞ where only q is",
        ),
        every_case(
            [case for case in cases if not (case[0] and case[1])],
            lambda case: (not case[0] and not case[1]) or (case[0] != case[1]),
            "condition 1 fails: neither value is possible, or exactly one",
        ),
        unsatisfiable([e >= 1, positive_part(1 - e) != 0], "the loss 0 adds max(0, 1 - e^ε) = 0"),
    )


def one_record_each() -> Steps:
    """Where each person has one record, databases that differ in one record and in one person are the same pairs."""
    databases = bits(3)

    def differ(d: tuple[int, ...], e: tuple[int, ...], owner: tuple[int, ...]) -> int:
        return len({owner[i] for i in range(3) if d[i] != e[i]})

    records, people = z3.Ints("records people")
    record, person = z3.Bools("record person")
    return (
        unsatisfiable(
            [records == people, person == record, records + z3.If(record, 1, 0) != people + z3.If(person, 1, 0)],
            "one record more, of one person more, who differs where it does: as many records differ as people, for any"
            " number of records",
        ),
        every_case(
            product(databases, databases),
            lambda pair: (differ(*pair, (0, 1, 2)) == 1) == (sum(x != y for x, y in zip(*pair, strict=True)) == 1),
            "three records of three people: all pairs of databases",
        ),
        equal(differ((0, 0, 0), (1, 1, 0), (0, 0, 1)), 1, "two records of one person: two records differ, one person"),
    )
