"""The refuted claims' models once more, from the definitions alone: plain fractions, no part of the checkers.

A model is its worlds (probability, database, knowledge) and a mechanism, a function from a database to a law.
"""

from __future__ import annotations

from fractions import Fraction

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    ZERO,
    Law,
    excess,
    total,
    votes,
)
from verifier.wings.papers.ledger.plain import Database, Plain, Rule, World, uniform
from verifier.wings.papers.ledger.steps import Steps, equal

Worlds = tuple[World, ...]
TWO, THREE = Fraction(2), Fraction(3)


def _mass(worlds: Worlds, record: int, value: int, known: str | None = None) -> Fraction:
    """P[D(i) = value], or P[D(i) = value, B = known]."""
    return total(p for p, d, b in worlds if d[record] == value and known in {None, b})


def _law(worlds: Worlds, rule: Rule, record: int, value: int, known: str) -> Law:
    """The law of M(D) given D(i) = value and B = known."""
    return Plain(worlds, rule, BITS, (record,)).given_value(known, record, value)


def _active(worlds: Worlds, rule: Rule, record: int, e: Fraction) -> Fraction:
    """The active δ at e^ε = e: the largest one of all B̂ that are possible with both values, in both orders."""
    return Plain(worlds, rule, BITS, (record,)).active(e)


def _passive(worlds: Worlds, rule: Rule, record: int, e: Fraction) -> Fraction:
    """The passive δ at e^ε = e: the largest average over B̂."""
    return Plain(worlds, rule, BITS, (record,)).passive(record, e)


def _two(first: Fraction) -> Worlds:
    """The worlds where D(0) is known and is 1 with probability `first`, and D(1) is a fair bit."""
    return tuple((p, d, str(d[0])) for d, p in votes([first, HALF]).items())


def _sure(output: object) -> Law:
    return {str(output): ONE}


def _shows(d: Database) -> Law:
    """The law of the output on d: D(1) where D(0) = 1, else ⊥."""
    return _sure(d[1] if d[0] else "⊥")


def same_laws() -> Steps:
    """Knowledge of probability 1/10 or 1/5 shows all: the same laws given each B̂ and value, yet two passive δ."""
    rare, less_rare = _two(Fraction(1, 10)), _two(Fraction(1, 5))
    laws = [[_law(worlds, _shows, 1, a, b) for a in BITS for b in ("0", "1")] for worlds in (rare, less_rare)]
    return (
        equal(laws[0] == laws[1], True, "the laws of M(D) given each value and each B̂ are the same in both models"),
        equal(_passive(rare, _shows, 1, TWO), Fraction(1, 10), "the passive δ of the one at ε = ln 2"),
        equal(_passive(less_rare, _shows, 1, TWO), Fraction(1, 5), "the passive δ of the other"),
    )


def weights() -> Steps:
    """The average given D(1) = 1 is 3/4; with the weights P[D(0)] it would be 1/2."""
    worlds = tuple((Fraction(3 if x == y else 1, 8), (x, y), str(x)) for x in BITS for y in BITS)
    laws = {k: [_law(worlds, _shows, 1, value, k) for value in BITS] for k in ("0", "1")}
    unconditional = sum(HALF * excess(pair[1], pair[0], ONE) for pair in laws.values())
    return (
        equal(_passive(worlds, _shows, 1, ONE), Fraction(3, 4), "lemma-4-weights: Σ_b P[b | D(1) = 1]·APK_b"),
        equal(unconditional, HALF, "Σ_b P[b]·APK_b"),
    )


def three_values() -> Steps:
    """T = {0, 1, 2} and B excludes 2: the comparison of 0 with 2 is empty, that of 0 with 1 is not."""
    worlds = uniform([(0,), (1,)], lambda _: "x")

    def identity(d: Database) -> Law:
        return _sure(d[0])

    return (
        equal(_mass(worlds, 0, 2, "x"), ZERO, "P[D(0) = 2, x]"),
        equal(_active(worlds, identity, 0, TWO), ONE, "the published record: δ at ε = ln 2, of 0 against 1"),
        equal(_mass(worlds, 0, 0, "x"), HALF, "before the output, the attacker does not know that the record is 0"),
    )


def on_b() -> Steps:
    """The proof of Lemma 4 writes PPK without b: three values, of which 0 and 1 share an output."""
    laws = {value: _sure("v" if value == 2 else "u") for value in (0, 1, 2)}
    return (
        equal(excess(laws[0], laws[1], TWO), ZERO, "PPK for a = 0, b = 1"),
        equal(excess(laws[0], laws[2], TWO), ONE, "PPK for a = 0, b = 2"),
    )
