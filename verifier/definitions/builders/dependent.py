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
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from verifier.definitions.builders.resolve import ordered, two_values
from verifier.definitions.compared_kinds import DEPENDENCY, About, Comparisons
from verifier.definitions.comparison import AnyPair, Comparison, ComparisonSet, MeasurePair, Term
from verifier.definitions.verdict import TwoLaws
from verifier.engine import Engine, KnowledgeCase
from verifier.errors import UnsupportedError
from verifier.model import Model, check_size
from verifier.tables import Label, gathered, in_order, label

FIRST, SECOND = "M2 on M1", "M1 on M2"
Joint2: TypeAlias = Mapping[tuple[Label, Label], Fraction]
"""P(o₁, o₂)."""


@dataclass(frozen=True)
class JointLaw:
    """The joint law P(o₁, o₂) of two outputs, with its marginal laws P(o₁) and P(o₂)."""

    joint: Joint2
    first: Mapping[Label, Fraction]
    second: Mapping[Label, Fraction]

    @classmethod
    def of(cls, joint: Joint2) -> JointLaw:
        """The joint law with the marginals that follow from it."""
        return cls(joint, *(gathered((outputs[k], p) for outputs, p in joint.items()) for k in range(2)))

    @property
    def swapped(self) -> JointLaw:
        """The joint law with M₂ as the first output."""
        return JointLaw({(o2, o1): p for (o1, o2), p in self.joint.items()}, self.second, self.first)


def measure(p: JointLaw, q: JointLaw, reading: str) -> dict[tuple[Label, Label], Fraction]:
    """R = P·e^(-Dep) for each pair of outputs that P can produce, under a reading.

    The text fixes R where Q(o₁) and Q(o₂) are positive; where also Q(o₁, o₂) = 0, Dep = ∞ and R = 0. The readings say
    what R is where Q(o₁) or Q(o₂) is 0.
    """
    r = {}
    for (o1, o2), chance in p.joint.items():
        q1, q2 = q.first.get(o1, Fraction(0)), q.second.get(o2, Fraction(0))
        if not q1:
            r[o1, o2] = _excluded(chance, p.second[o2], q2, reading)
        elif not q2:
            r[o1, o2] = chance if reading == "equal-infinities" else Fraction(0)
        else:
            r[o1, o2] = p.first[o1] * p.second[o2] * q.joint.get((o1, o2), Fraction(0)) / (q1 * q2)
    return r


def _excluded(chance: Fraction, p2: Fraction, q2: Fraction, reading: str) -> Fraction:
    """R where (B̂, o₁) excludes b, so that the first loss of Definition 17 has no meaning."""
    if reading == "infinite-loss":
        return Fraction(0)
    if reading != "no-loss":
        return chance
    return chance * p2 / q2 if q2 else chance  # Dep = 0 - ∞ = -∞ contributes nothing, as does Dep = 0


def outputs_of(output: Label) -> tuple[Label, Label]:
    """(o₁, o₂) of an output of `kind = "all"`.

    >>> [output.text for output in outputs_of(label([3, "no"]))]
    ['3', 'no']
    """
    pair = output.entries
    if pair is None or len(pair) != 2:
        raise ArithmeticError(f"{output} is no pair of outputs")
    return pair[0], pair[1]


def _law(case: KnowledgeCase, value: Label) -> Joint2:
    weights = case.weights(value)
    total = sum(weights.values())
    return gathered((outputs_of(output), Fraction(int(w), int(total))) for output, w in weights.items() if w)


def measured_pair(case: KnowledgeCase, p: JointLaw, q: JointLaw, reading: str, direction: str) -> MeasurePair:
    """P against R for one B̂; `direction` says whether the output of M₁ or of M₂ is the first."""
    if direction == FIRST:
        r = measure(p, q, reading)
    else:
        r = {(o1, o2): x for (o2, o1), x in measure(p.swapped, q.swapped, reading).items()}
    names = {label([o1, o2]): (o1, o2) for o1, o2 in p.joint}
    outputs = tuple(in_order(names))
    total = lcm(*(x.denominator for law in (p.joint, r) for x in law.values()))
    first, second = (tuple(int(law[names[o]] * total) for o in outputs) for law in (p.joint, r))
    return MeasurePair(case, outputs, first, second, direction, total)


def need_two(engine: Engine) -> None:
    """Refuse a mechanism that is not exactly two mechanisms released together.

    Raises:
        UnsupportedError: with the number of mechanisms.

    """
    number = len(engine.model.mechanism.components)
    if number != 2:
        raise UnsupportedError(
            f"dependency is of two mechanisms, and this one is {f'{number} of them' if number else 'one'}",
            tip='kind = "all" with of = [M1, M2], without `then` and `sample` after it',
        )


@dataclass(frozen=True)
class Dependency(Comparisons):
    """The outputs of M₁ and M₂ together, with what they would be if M₂ did not depend on M₁."""

    kind = "dependency"
    about = About(DEPENDENCY)

    def laws(self, model: Model, compared: Comparison, pair: AnyPair | None = None) -> TwoLaws | None:
        """The law P of both outputs given B̂ and S = a, and the measure R, for which also b counts."""
        first, second = two_values(model, compared, None if pair is None else pair.knowledge, "")
        return first, replace(second, dependency=None if pair is None else pair.direction)

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        """List the comparisons of the dependency of M₂ on M₁ (DMKB20, Definitions 17 and 18), for each θ, i and a ≠ b.

        The terms of a comparison are the B̂ that are possible with both a and b.

        Raises:
            UnsupportedError: for a mechanism that is not exactly two released together.
            LimitError: for too many pairs of outputs.

        """
        need_two(engine)
        ways = (FIRST, SECOND) if reading == "both-ways" else (FIRST,)
        for theta in engine.model.thetas:
            for secret, members in engine.targets(theta):
                joint = engine.factual(theta, secret)
                comparisons = []
                size = sum(len(case.weights(value)) for case in joint.cases.values() for value in case.laws)
                check_size(size, engine.max_rows, f"the dependency is of {size:,} pairs of outputs")
                twos = {
                    key: {value: JointLaw.of(_law(case, value)) for value in case.laws}
                    for key, case in joint.cases.items()
                }
                for a, b in ordered(secret.domain, reading):
                    shared_values = [case for case in joint.cases.values() if a in case.laws and b in case.laws]
                    for direction in ways if shared_values else ():
                        terms = tuple(
                            Term(
                                case.masses[a],
                                measured_pair(case, twos[case.key][a], twos[case.key][b], reading, direction),
                            )
                            for case in shared_values
                        )
                        total = joint.value_mass(a)
                        comparisons.append(Comparison(theta.name, secret.record, a, b, terms, members, total=total))
                yield ComparisonSet(theta.name, secret.record, tuple(comparisons), members)
