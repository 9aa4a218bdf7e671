"""The dependency of one mechanism on another (DMKB20, Definitions 17 and 18), as a comparison of two measures.

Let P be the law of (M₁(D), M₂(D)) given B̂ and D(i) = a, and Q the one with b. Definition 17 subtracts two losses,

    Dep(o₁, o₂) = ln P(o₂ | o₁)/Q(o₂ | o₁) - ln P(o₂)/Q(o₂),

so that E[max(0, 1 - e^(μ - Dep))] of Definition 18 is Σ max(0, P(o₁, o₂) - e^μ·R(o₁, o₂)) with the rational measure

    R(o₁, o₂) = P(o₁)·Q(o₂ | o₁)·P(o₂)/Q(o₂),

which need not sum to 1. As a function of e^μ it is convex and piecewise linear, like every profile. Where all is
finite, R = P(o₁)·P(o₂)·Q(o₁, o₂)/(Q(o₁)·Q(o₂)): then M₂ depends on M₁ as M₁ does on M₂.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from verifier.definitions.comparison import Comparison, Family, Term
from verifier.definitions.pairs import Pair
from verifier.definitions.rows import ordered
from verifier.engine import Engine, Heard
from verifier.errors import UnsupportedError
from verifier.model import check_size
from verifier.profile import Profile
from verifier.profile.profile import cumulated
from verifier.tables import Label, gathered, in_order, label

FIRST, SECOND = "M2 on M1", "M1 on M2"
Joint2: TypeAlias = Mapping[tuple[Label, Label], Fraction]
"""P(o₁, o₂)."""


@dataclass(frozen=True)
class MeasurePair(Pair):
    """A law P against a measure R of any total, both as integer weights over `whole`; only where P is positive."""

    whole: int = 1

    @cached_property
    def profile(self) -> Profile:
        """Σ max(0, P - e^μ·R)."""
        rows = zip(self.p, self.q or (), strict=True)
        return cumulated([(x, y) for x, y in rows if x > y], self.whole)

    @property
    def totals(self) -> tuple[int, int]:
        """The common denominator of P and R."""
        return self.whole, self.whole


@dataclass(frozen=True)
class Two:
    """The joint law of the two outputs, with its two marginal laws."""

    joint: Joint2
    first: Mapping[Label, Fraction]
    second: Mapping[Label, Fraction]

    @classmethod
    def of(cls, joint: Joint2) -> Two:
        """From the joint law."""
        return cls(joint, *(gathered((outputs[k], p) for outputs, p in joint.items()) for k in range(2)))

    @property
    def swapped(self) -> Two:
        """M₂ named first."""
        return Two({(two, one): p for (one, two), p in self.joint.items()}, self.second, self.first)


def measure(p: Two, q: Two, reading: str) -> dict[tuple[Label, Label], Fraction]:
    """R = P·e^(-Dep) for each pair of outputs that P can produce, under a reading.

    P(o₁, o₂) > 0 leaves four cases. What is fixed by the text: Dep = ∞ (R = 0) where Q(o₁), Q(o₂) > 0 = Q(o₁, o₂).
    """
    found = {}
    for (one, two), chance in p.joint.items():
        q1, q2 = q.first.get(one, Fraction(0)), q.second.get(two, Fraction(0))
        if not q1:
            found[one, two] = _excluded(chance, p.second[two], q2, reading)
        elif not q2:
            found[one, two] = chance if reading == "equal-infinities" else Fraction(0)
        else:
            found[one, two] = p.first[one] * p.second[two] * q.joint.get((one, two), Fraction(0)) / (q1 * q2)
    return found


def _excluded(chance: Fraction, p2: Fraction, q2: Fraction, reading: str) -> Fraction:
    """R where (B̂, o₁) excludes b, so that the first loss of Definition 17 has no meaning."""
    if reading == "infinite-loss":
        return Fraction(0)
    if reading != "no-loss":
        return chance
    return chance * p2 / q2 if q2 else chance  # Dep = 0 - ∞ = -∞ contributes nothing, as does Dep = 0


def outputs_of(output: Label) -> tuple[Label, Label]:
    """(o₁, o₂) of an output of `kind = "all"`.

    >>> [one.text for one in outputs_of(label([3, "no"]))]
    ['3', 'no']
    """
    pair = output.parts
    if pair is None or len(pair) != 2:
        raise ArithmeticError(f"{output} is no pair of outputs")
    return pair[0], pair[1]


def _law(heard: Heard, value: Label) -> Joint2:
    weights = heard.weights(value)
    total = sum(weights.values())
    return gathered((outputs_of(output), Fraction(int(w), int(total))) for output, w in weights.items() if w)


def pair_of_two(heard: Heard, p: Two, q: Two, reading: str, direction: str = FIRST) -> MeasurePair:
    """P against R for one B̂."""
    if direction == FIRST:
        r = measure(p, q, reading)
    else:
        r = {(one, two): x for (two, one), x in measure(p.swapped, q.swapped, reading).items()}
    names = {label([one, two]): (one, two) for one, two in p.joint}
    outputs = tuple(in_order(names))
    whole = lcm(*(x.denominator for law in (p.joint, r) for x in law.values()))
    first, second = (tuple(int(law[names[o]] * whole) for o in outputs) for law in (p.joint, r))
    return MeasurePair(heard, outputs, first, second, direction, whole)


def need_two(engine: Engine) -> None:
    """Refuse a mechanism that is not exactly two released together."""
    parts = len(engine.model.mechanism.parts)
    if parts != 2:
        raise UnsupportedError(
            f"dependency is of two mechanisms, and this one is {f'{parts} of them' if parts else 'one'}",
            tip='kind = "all" with of = [M1, M2], without `then` and `sample` after it',
        )


def dependent(engine: Engine, reading: str) -> Iterator[Family]:
    """The dependency of M₂ on M₁, for every θ, i, a ≠ b and every B̂ that is possible with both."""
    need_two(engine)
    ways = (FIRST, SECOND) if reading == "both-ways" else (FIRST,)
    for theta in engine.model.thetas:
        for secret, members in engine.targets(theta):
            joint = engine.factual(theta, secret)
            found = []
            size = sum(len(heard.weights(value)) for heard in joint.heard.values() for value in heard.laws)
            check_size(size, engine.max_rows, f"the dependency is of {size:,} pairs of outputs")
            twos = {
                key: {value: Two.of(_law(heard, value)) for value in heard.laws} for key, heard in joint.heard.items()
            }
            for a, b in ordered(secret.domain, reading):
                both = [one for one in joint.heard.values() if a in one.laws and b in one.laws]
                for direction in ways if both else ():
                    terms = tuple(
                        Term(
                            one.masses[a],
                            pair_of_two(one, twos[one.key][a], twos[one.key][b], reading, direction),
                        )
                        for one in both
                    )
                    whole = joint.value_mass(a)
                    found.append(Comparison(theta.name, secret.record, a, b, terms, members, whole=whole))
            yield Family(theta.name, secret.record, tuple(found), members)
