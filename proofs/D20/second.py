"""The models of D20's refuted claims once more, with plain fractions from the definitions alone."""

from __future__ import annotations

from fractions import Fraction

import z3

from verifier.wings.papers.ledger.laws import (
    BITS,
    HALF,
    ONE,
    QUARTER,
    ZERO,
    bit,
    count_law,
    either_excess,
    excess,
    image,
)
from verifier.wings.papers.ledger.steps import Steps, equal, less, positive_part, unsatisfiable

TWO = Fraction(2)


def not_reducible() -> Steps:
    """Two laws on two outputs, and the same with the first output split in halves: one δ(ε) for every ε."""
    e = z3.Real("E")

    p, q = z3.Q(3, 4), z3.Q(1, 4)
    known = [{"u": (p, q), "v": (q, p)}, {"u": (p / 2, q / 2), "w": (p / 2, q / 2), "v": (q, p)}]
    whole, halves = (z3.Sum([positive_part(x - e * y) for x, y in law.values()]) for law in known)
    return (
        unsatisfiable([e >= 1, whole != halves], "section-3.1.3-not-reducible: δ given D(0) = 0 is δ given D(0) = 1"),
        equal([len(law) for law in known], [2, 3], "possible outputs given D(0) = 0 and given D(0) = 1: no bijection"),
    )


def divergence() -> Steps:
    """The weights of t with the two laws in the order of D_f(O_t‖O_t'): 1/8 and not 3/8, at ε = ln 2."""
    zero, one = bit(ZERO), bit(HALF)
    right = max(Fraction(3, 4) * excess(one, zero, TWO), QUARTER * excess(zero, one, TWO))
    printed = max(Fraction(3, 4) * excess(zero, one, TWO), QUARTER * excess(one, zero, TWO))
    return (
        equal(right, Fraction(3, 8), "proposition-25-weights: Σ P[B̂ | t]·Σ max(0, p - E·q)"),
        equal(printed, Fraction(1, 8), "Σ P[B̂ | t]·Σ max(0, q - E·p)"),
    )


def other_records() -> Steps:
    """The count of an unknown vote of probability p and the target: δ at ε = 0 is 3/4 for p = 1/4, 1/2 for p = 1/2."""

    def delta(p: Fraction) -> Fraction:
        return excess(count_law([p]), count_law([p], 1), ONE)

    return (
        equal(delta(QUARTER), Fraction(3, 4), "who knows the even vote is left with the one of probability 1/4"),
        equal(delta(HALF), HALF, "who knows that one is left with the even vote"),
    )


def threshold() -> Steps:
    """Votes of probability 1/10, shown above 2: two known yes of five voters, or none known of three."""
    p = Fraction(1, 10)
    known = either_excess(count_law([p, p], 1), count_law([p, p]), TWO)
    alone = either_excess(bit(p**2), bit(ZERO), TWO)
    return (
        equal(known, Fraction(81, 100), "example-7-five-voters, both known votes yes, at ε = ln 2"),
        equal(alone, Fraction(1, 100), "remark-2-three-voters, nothing known, at ε = ln 2"),
    )


def no_bijection() -> Steps:
    """Five voters, two known, shown above 2: the pairs of probabilities, given the target's vote."""
    p = Fraction(1, 10)

    def pairs(known: int) -> list[tuple[Fraction, ...]]:
        laws = [image(count_law([p, p], known + vote), lambda count: str(count) if count > 2 else "⊥") for vote in BITS]
        return sorted(tuple(law.get(o, ZERO) for law in laws) for o in {*laws[0], *laws[1]})

    return (
        equal(pairs(0), [(ZERO, Fraction(1, 100)), (ONE, Fraction(99, 100))], "known votes (0, 0): outputs 3 and ⊥"),
        equal(len(pairs(2)), 4, "known votes (1, 1): four outputs, so that no bijection maps them"),
    )


def excluded() -> Steps:
    """Three worlds, y excludes D(0) = 1: given x the excess is 1/2, and y takes half of the weight: 1/2 and 1/4."""
    coin, sure = bit(HALF), bit(ZERO)
    active = either_excess(coin, sure, TWO)
    return (
        equal(active, HALF, "theorem-2-impossible-values: APK given x, at ε = ln 2"),
        equal(HALF * excess(coin, sure, TWO), QUARTER, "PPK for 0 against 1: P[x | D(0) = 0] = 1/2"),
    )


def known_target() -> Steps:
    """Record 0 is known to be 0: P[D(0) = 1, B̂] = 0."""
    worlds = [((x, y), (x,)) for x in BITS for y in BITS]
    both = Fraction(sum(1 for d, known in worlds if d[0] == 1 and known == (0,)), 4)
    return (equal(both, ZERO, "proposition-6-known-target: P[D(0) = 1, B = (0)]"),)


def infinite() -> Steps:
    """A constant mechanism, y excludes D(0) = 1: with x/0 = ∞ the average is 1/2, APK of x is 0."""
    weight, constant = {"x": HALF, "y": HALF}, {"⊥": ONE}
    return (
        equal(weight["x"] * excess(constant, constant, TWO) + weight["y"] * 1, HALF, "the passive δ with x/0 = ∞"),
        equal(excess(constant, constant, ONE), ZERO, "APK given x, the one value that is compatible with both"),
    )


def ibddp() -> Steps:
    """A fair bit, told with probability 1/10, else hinted at: (0, 1/10) with probability 9/10, more on average."""
    prior, hinted, told = map(bit, (HALF, Fraction(2, 5), ZERO))
    weight = Fraction(1, 10)
    return (
        equal(excess(hinted, prior, ONE), weight, "after a hint: (0, 1/10)-indistinguishable from the prior"),
        equal(excess(told, prior, ONE), HALF, "told, with probability 1/10: not so"),
        less(weight, weight * HALF + (1 - weight) * weight, "on average more than δ"),
        equal(
            sum(p for law, p in ((hinted, 1 - weight), (told, weight)) if max(law.values()) > max(prior.values())),
            ONE,
            "the probability, not δ, that the posterior of some value is above its prior",
        ),
    )


def negations() -> Steps:
    """Two fair bits, their parity known and shown: one law given either bit, another one after setting it."""
    parity = {(x, y): (x + y) % 2 for x in BITS for y in BITS}
    return (
        equal(
            {parity[d] for d in parity if parity[d] == 0}, {0}, "proposition-4-np-not-cdp, B = even: the output is 0"
        ),
        equal({parity[1 - x, y] for x, y in parity if parity[x, y] == 0}, {1}, "with D(0) replaced it is 1"),
    )


def triple() -> Steps:
    """The majority of a triple, and a bit that is known to agree or not: to set one record changes nothing."""
    worlds = [(x, x, x, y) for x in BITS for y in BITS]

    def majority(d: tuple[int, ...]) -> int:
        return int(sum(d[:3]) >= 2)

    changed = [(*d[:i], 1 - d[i], *d[i + 1 :]) for d in worlds for i in range(4)]
    same = [majority(d) for d in worlds for _ in range(4)]
    return (
        equal([majority(d) for d in changed], same, "proposition-4-cdp-not-np: no record changes the output"),
        equal({majority(d) for d in worlds if d[0] == 0}, {0}, "given D(0) = 0 the output is 0"),
        equal({majority(d) for d in worlds if d[0] == 1}, {1}, "given D(0) = 1 it is 1"),
    )


def greatest_privacy() -> Steps:
    """lemma-5-strict: the knowledge with the greatest privacy has δ = 0, the one with the greatest loss δ = 1."""
    nothing, told = ({"⊥": ONE}, {"⊥": ONE}), ({0: ONE}, {1: ONE})
    return (
        equal(excess(*nothing, ONE), ZERO, "given D(0) = 0"),
        equal(excess(*told, ONE), ONE, "given D(0) = 1, as Definition 57 asks for all B̂"),
    )
