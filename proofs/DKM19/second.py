"""The refuted claims' models once more, from the definitions alone: plain fractions, no part of the checkers.

A model is its worlds (probability, database, knowledge) and a mechanism, a function from a database to a law.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    Law,
    bits,
    either_excess,
    excess,
    loss_tail,
    total,
    votes,
)
from verifier.wings.papers.ledger.plain import Database, Plain, Rule, World, uniform
from verifier.wings.papers.ledger.steps import Steps, equal, less

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


def _passive(worlds: Worlds, rule: Rule, record: int, e: Fraction, excluded: Fraction = ZERO) -> Fraction:
    """The passive δ at e^ε = e: the largest average over B̂. A B̂ that is possible with a alone counts as `excluded`."""
    return Plain(worlds, rule, BITS, (record,)).passive(record, e, excluded)


def _two(first: Fraction) -> Worlds:
    """The worlds where D(0) is known and is 1 with probability `first`, and D(1) is a fair bit."""
    return tuple((p, d, str(d[0])) for d, p in votes([first, HALF]).items())


def _sure(output: object) -> Law:
    return {str(output): ONE}


def _shows(d: Database) -> Law:
    """The law of the output on d: D(1) where D(0) = 1, else ⊥."""
    return _sure(d[1] if d[0] else "⊥")


def _often(*shares: Fraction) -> Rule:
    """The mechanism that publishes D(1) with the probability shares[D(0)], else ⊥."""
    return lambda d: {str(d[1]): shares[d[0]], "⊥": 1 - shares[d[0]]}


def excluded() -> Steps:
    """A mechanism that says nothing: δ is 0 where an excluding value counts 0, and 1/2 where it counts as ∞."""
    worlds: Worlds = ((QUARTER, (0,), "x"), (QUARTER, (0,), "y"), (HALF, (1,), "x"))

    def constant(_: Database) -> Law:
        return _sure("⊥")

    return (
        equal(_mass(worlds, 0, 1, "y"), ZERO, "definition-5-excluded-value: P[D(0) = 1, y], so no law is given it"),
        equal(_active(worlds, constant, 0, ONE), ZERO, "the active δ, of the values that are possible with both"),
        equal(_passive(worlds, constant, 0, TWO), ZERO, "the passive δ with the loss 0 of DKM19"),
        equal(_passive(worlds, constant, 0, TWO, ONE), HALF, "the passive δ with the loss ∞ of DMKB20"),
        equal(
            [_passive(worlds, constant, 0, ratio, ONE) for ratio in (ONE, Fraction(10**9))],
            [HALF, HALF],
            "and at every ε, for it is the mass of y: equal laws add max(0, p - e^ε·p) = 0",
        ),
    )


def impossible() -> Steps:
    """One record that is always 0 is published: the classical loss is ∞, and Definition 5 compares nothing."""
    worlds: Worlds = ((ONE, (0,), ""),)

    def identity(d: Database) -> Law:
        return _sure(d[0])

    return (
        equal(_mass(worlds, 0, 1, ""), ZERO, "definition-5-impossible-value: P[D(0) = 1, B], so no law is given it"),
        equal(_active(worlds, identity, 0, ONE), ZERO, "nothing is compared"),
        equal(excess(identity((0,)), identity((1,)), Fraction(10**9)), ONE, "the databases (0), (1): δ at e^ε = 10⁹"),
    )


def all_but_one() -> Steps:
    """Two attackers who know one of two noisy records: at her own record nothing counts (DKM19), or all (DMKB20)."""

    def noisy(d: Database) -> Law:
        return votes([QUARTER + HALF * x for x in d])

    own = _two(HALF)
    return (
        equal(_active(own, noisy, 1, THREE), ZERO, "definition-6-all-but-one, the other record, at e^ε = 3"),
        less(ZERO, _active(own, noisy, 1, Fraction(299, 100)), "and below e^ε = 3"),
        equal(_passive(own, noisy, 0, THREE), ZERO, "her own record, with the loss 0"),
        equal(_passive(own, noisy, 0, THREE, ONE), ONE, "her own record, with the loss ∞: no δ below 1"),
    )


def set_votes() -> Steps:
    """D(0) = D(1) xor D(2): given D(0) the number of ones is even; after setting D(0) it is odd half of the time."""

    def publish(d: Database) -> Law:
        return _sure(d[1] if sum(d) % 2 else "⊥")

    conditioned = uniform([(x ^ y, x, y) for x in BITS for y in BITS], lambda d: str(d[0]))
    after_setting = uniform(product((1,), BITS, BITS), lambda _: "1")
    return (
        *(
            equal(_active(conditioned, publish, i, ONE), ZERO, f"record {i}, conditioned on D(0): δ at ε = 0")
            for i in (1, 2)
        ),
        *(
            equal(
                _active(after_setting, publish, i, Fraction(10**9)), HALF, f"record {i}, D(0) set to 1: δ at e^ε = 10⁹"
            )
            for i in (1, 2)
        ),
    )


def product_family() -> Steps:
    """The parity of three votes, of which one is certain: two pairs (θ, ζ) are private, the product Θ × Z is not."""

    def parity(d: Database) -> Law:
        return _sure(sum(d) % 2)

    def pair(uncertain: int, known: int) -> Worlds:
        return uniform([d for d in bits(3) if d[2 - uncertain] == 0], lambda d: str(d[known]))

    return (
        equal(
            [_active(pair(0, 2), parity, 1, ONE), _active(pair(2, 0), parity, 1, ONE)],
            [0, 0],
            "the two pairs: δ at ε = 0",
        ),
        equal(
            [_active(pair(0, 0), parity, 1, ONE), _active(pair(2, 2), parity, 1, ONE)],
            [1, 1],
            "the two others of Θ × Z",
        ),
    )


def strict() -> Steps:
    """Knowledge of probability 1/10 shows all: δ = 1/10 passively, 1 actively, also with each value a distribution."""
    worlds = _two(Fraction(1, 10))
    rare = uniform([(1, y) for y in BITS])
    return (
        equal(_passive(worlds, _shows, 1, ONE), Fraction(1, 10), "lemma-5-strict: the passive δ at ε = 0"),
        equal(_active(worlds, _shows, 1, Fraction(10**9)), ONE, "the active δ at e^ε = 10⁹"),
        equal(_passive(rare, _shows, 1, ONE), ONE, "lemma-3-conditioned: the passive δ of θ given D(0) = 1"),
    )


def same_laws() -> Steps:
    """Knowledge of probability 1/10 or 1/5 shows all: the same laws given each B̂ and value, yet two passive δ."""
    rare, less_rare = _two(Fraction(1, 10)), _two(Fraction(1, 5))
    laws = [[_law(worlds, _shows, 1, a, b) for a in BITS for b in ("0", "1")] for worlds in (rare, less_rare)]
    return (
        equal(laws[0] == laws[1], True, "the laws of M(D) given each value and each B̂ are the same in both models"),
        equal(_passive(rare, _shows, 1, TWO), Fraction(1, 10), "the passive δ of the one at ε = ln 2"),
        equal(_passive(less_rare, _shows, 1, TWO), Fraction(1, 5), "the passive δ of the other"),
    )


def one_value() -> Steps:
    """lemma-5-strict: at D(0) = 0 alone the laws are the same, and yet neither definition holds at δ = 0."""
    usual = uniform([(0, y) for y in BITS])
    return (
        equal(_active(usual, _shows, 1, ONE), ZERO, "given D(0) = 0: δ at ε = 0"),
        equal(_passive(_two(Fraction(1, 10)), _shows, 1, Fraction(10**9)), Fraction(1, 10), "passive δ at e^ε = 10⁹"),
    )


def reformulation() -> Steps:
    """At ε = ln 2, δ = 1/10, PPK-DP holds and its reformulation fails, and the other way round."""
    bound = Fraction(1, 10)
    passive_and_tail = []
    for mechanism, first in ((_often(ZERO, HALF), Fraction(1, 5)), (_often(bound, ONE), bound)):
        worlds = _two(first)
        probability_above = ZERO
        for known in ("0", "1"):
            laws = [_law(worlds, mechanism, 1, value, known) for value in BITS]
            if either_excess(laws[0], laws[1], TWO) > bound:
                probability_above += _mass(worlds, 1, 0, known) / _mass(worlds, 1, 0)
        passive_and_tail.append((_passive(worlds, mechanism, 1, TWO), probability_above))
    return (
        equal(
            passive_and_tail[0],
            (bound, Fraction(1, 5)),
            "section-4.3-lucky-knowledge: passive δ, probability that 1/10 fails",
        ),
        equal(passive_and_tail[1], (Fraction(19, 100), bound), "section-4.3-delta-twice: the same two numbers"),
    )


def joint() -> Steps:
    """section-4.3-joint-release: the pair of knowledge and output, to one who knows nothing, has the passive δ."""
    half = _often(ZERO, HALF)

    def with_knowledge(d: Database) -> Law:
        return {f"{d[0]} {o}": p for o, p in half(d).items()}

    worlds = _two(Fraction(1, 5))
    blind = tuple((p, d, "") for p, d, _ in worlds)
    return (
        equal(
            _active(blind, with_knowledge, 1, TWO),
            _passive(worlds, half, 1, TWO),
            "δ at ε = ln 2 of the pair and of the average",
        ),
        equal(_active(blind, with_knowledge, 1, ONE), _passive(worlds, half, 1, ONE), "δ at ε = 0"),
    )


def tail() -> Steps:
    """Two laws (1/2, 1/2) and (1/4, 3/4) at e^ε = 3/2: δ = 1/8, and a loss above ε has probability 1/2."""
    first, second, e = {"u": HALF, "v": HALF}, {"u": QUARTER, "v": Fraction(3, 4)}, Fraction(3, 2)
    delta = either_excess(first, second, e)
    mass = max(loss_tail(first, second, e), loss_tail(second, first, e))
    return (
        equal(delta, Fraction(1, 8), "section-4.4-tail: the smallest δ"),
        equal(mass, HALF, "the probability of a loss above ε"),
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


def printed_sum() -> Steps:
    """The proof of Lemma 6 writes APK_b as Σ P[d | a]·P[b | d]·P[o | d]·m: that is P[b | a]·APK_b, 3/4 instead of 1."""
    worlds = tuple((Fraction(3 if x == y else 1, 8), (x, y), str(x)) for x in BITS for y in BITS)
    mass = _mass(worlds, 1, 1)
    laws = [_law(worlds, _shows, 1, value, "1") for value in BITS]
    m = {o: max(ZERO, 1 - laws[0].get(o, ZERO) / p) for o, p in laws[1].items()}
    printed = sum(p / mass * q * m[o] for p, d, b in worlds if d[1] == 1 and b == "1" for o, q in _shows(d).items())
    return (
        equal(printed, Fraction(3, 4), "lemma-4-weights, a = 1, b = 1, ε = 0: the sum as printed"),
        equal(excess(laws[1], laws[0], ONE), ONE, "APK"),
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


def individual() -> Steps:
    """Noise with P[k] = (1/3)·2^-|k| on the sum of two bits: the largest ratio is 2 for one record, 4 for both."""

    def noise(k: int) -> Fraction:
        return Fraction(1, 3 * 2 ** abs(k))

    reach = range(-9, 10)
    return (
        equal(max(noise(k) / noise(k - 1) for k in reach), TWO, "sums that differ by 1, outputs from -9 to 9"),
        equal(max(noise(k) / noise(k - 2) for k in reach), Fraction(4), "sums that differ by 2"),
    )
