"""What the attacker gains by the output, in probabilities of being right, beside what an ε says.

S is a protected record, or the protected function; θ draws the data; B̂ is what the attacker knows, O the output.

- Best guess: without the output the attacker is right with V = Σ over B̂ of max over s of P[S = s, B̂], with it with
  V' = Σ over B̂ and o of max over s of P[S = s, B̂, O = o]: the prior and the posterior Bayes vulnerability. The
  min-entropy leakage is ln(V'/V), in nats (Smith, On the foundations of quantitative information flow, 2009).
- Two values a, b of S, given B̂: a test says "a" on some outputs. Its false positive rate is P[it says a | b, B̂], its
  true positive rate P[it says a | a, B̂]; at an output it may flip a coin. The largest true positive rate at a false
  positive rate (Carlini et al., Membership inference attacks from first principles, 2022), and the advantage, the
  largest difference of the two rates (Yeom et al., Privacy risk in machine learning, 2018), which is the total
  variation distance, and δ of APKDP at ε = 0. Both are of the worst B̂, a and b.
- The posterior P[S = s | B̂, O = o] of each output, beside the prior P[S = s | B̂].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Any

from verifier.definitions.answer import Valued, Whole
from verifier.engine import Engine
from verifier.engine.enumerated import Joint, KnowledgeCase
from verifier.errors import LimitError, UnsupportedError
from verifier.model import need_distributions
from verifier.numbers import Loss, exact_text
from verifier.profile import TradeOff
from verifier.tables import Integer, Label

FALSE_POSITIVE_RATE = Fraction(1, 100)
"""The false positive rate at which the true positive rate is given where none is asked for."""
MOST_POSTERIORS = 1 << 14
"""Most outputs, counted for each B̂, of which an answer has the posteriors of one record."""
MOST_BITS = 1 << 28
"""Most bits of all the probabilities, of pairs of values and outputs, that are compared for one record."""


@dataclass(frozen=True)
class Posterior(Valued):
    """An output that comes with a probability given θ, and what the attacker then believes about the secret."""

    knowledge: Label
    output: Label
    probability: Fraction
    prior: Mapping[Label, Fraction]
    posterior: Mapping[Label, Fraction]
    members: int = 1
    """How many knowledge values have these beliefs: `knowledge` is the first, `probability` of all of them."""

    def fields(self) -> dict[str, Any]:
        """The beliefs by the texts of the values; no number is cut."""
        beliefs = {"prior": self.prior, "posterior": self.posterior}
        named = {name: {value.text: Whole(p) for value, p in belief.items()} for name, belief in beliefs.items()}
        seen = {"knowledge": self.knowledge, "members": self.members, "output": self.output}
        return {**seen, "probability": Whole(self.probability), **named}


@dataclass(frozen=True)
class Gain(Valued):
    """What an attacker who knows B gains about one record (None: about the protected function) under one θ."""

    distribution: str
    record: int | None
    members: int
    """How many records have these numbers; `record` is the first of them."""
    prior_success: Fraction
    success: Fraction
    advantage: Fraction
    min_entropy_leakage: Loss
    true_positive_rates: Mapping[Fraction, Fraction]
    """By false positive rate."""
    posteriors: tuple[Posterior, ...] | None
    """What the attacker believes after each output; None where they are more than `MOST_POSTERIORS`."""

    def fields(self) -> dict[str, Any]:
        """The gain as `pkdp check --gain --json` prints it; no number is cut."""
        return {
            "distribution": self.distribution,
            "record": self.record,
            "members": self.members,
            "prior_success": Whole(self.prior_success),
            "success": Whole(self.success),
            "advantage": Whole(self.advantage),
            "min_entropy_leakage": Whole(self.min_entropy_leakage),
            "tpr": {exact_text(rate): Whole(found) for rate, found in self.true_positive_rates.items()},
            "posteriors": self.posteriors,
        }


def gains(engine: Engine, rates: Sequence[Fraction] = (FALSE_POSITIVE_RATE,)) -> tuple[Gain, ...]:
    """What the attacker gains, for each θ and each protected record; equal records are one entry.

    Args:
        engine: the engine of the model, which makes the laws.
        rates: the false positive rates at which the largest true positive rate is given.

    Raises:
        UnsupportedError: for a model without a distribution, and where laws are only enclosed.
        LimitError: where the laws of the model are too large.

    """
    need_distributions(engine.model, "a gain")
    if engine.balls:
        raise UnsupportedError(
            "what the attacker gains is computed from exact laws, and those of this model are only enclosed",
            tip="use fewer records",
        )
    return tuple(
        _gain(theta.name, secret.record, members, engine.factual(theta, secret), rates)
        for theta in engine.model.thetas
        for secret, members in engine.targets(theta)
    )


def _gain(theta: str, record: int | None, members: int, joint: Joint, rates: Sequence[Fraction]) -> Gain:
    cases = list(joint.cases.values())
    denominator = int(joint.denominator)
    number = sum(len({output for value in case.laws for output in case.weights(value)}) for case in cases)
    bits = number * denominator.bit_length() * max((len(case.laws) ** 2 for case in cases), default=0)
    if bits > MOST_BITS:
        raise LimitError(
            f"the gain compares numbers of {bits:,} bits in all",
            wanted=f"at most {MOST_BITS:,}",
            tip="use fewer records, or protect one with --record",
        )
    prior = Fraction(int(sum(max(case.masses.values()) for case in cases)), denominator)
    success = sum((_success(case) for case in cases), Fraction(0)) / denominator
    pairs = [tests for case in cases for tests in _best_tests(case)]
    return Gain(
        theta,
        record,
        members,
        prior,
        success,
        max((tests.advantage for tests in pairs), default=Fraction(0)),
        Loss.between(success, prior),
        {rate: max((tests.true_positive_rate(rate) for tests in pairs), default=rate) for rate in rates},
        tuple(seen for case in cases for seen in _posteriors(case, joint)) if number <= MOST_POSTERIORS else None,
    )


def _success(case: KnowledgeCase) -> Fraction:
    """Σ over o of max over s of P[S = s, B̂, O = o], times the denominator of the joint law.

    It is added up in integers and made a fraction once: in a sum of many people fractions have a thousand digits.
    """
    totals = {value: sum(case.weights(value).values()) for value, mass in case.masses.items() if mass}
    shared = lcm(*map(int, totals.values()))
    best: dict[Label, Integer] = {}
    for value, total in totals.items():
        factor = case.masses[value] * (shared // int(total))
        for output, weight in case.weights(value).items():
            best[output] = max(best.get(output, 0), factor * weight)
    return Fraction(int(sum(best.values())), shared)


def _posteriors(case: KnowledgeCase, joint: Joint) -> Iterator[Posterior]:
    """The posterior after each output, given B̂, in the order in which outputs are met."""
    known = joint.probability(case)
    prior = {value: Fraction(int(mass), int(joint.denominator)) / known for value, mass in case.masses.items() if mass}
    laws = {value: case.weights(value) for value in prior}
    totals = {value: int(sum(law.values())) for value, law in laws.items()}
    for output in dict.fromkeys(output for law in laws.values() for output, weight in law.items() if weight):
        cells = {v: prior[v] * Fraction(int(law.get(output, 0)), totals[v]) for v, law in laws.items()}
        seen = sum(cells.values(), Fraction(0))
        posterior = {value: cell / seen for value, cell in cells.items()}
        yield Posterior(case.label, output, seen * known, prior, posterior, case.members)


def _best_tests(case: KnowledgeCase) -> Iterator[TradeOff]:
    """The best tests of each ordered pair of values that B̂ leaves possible, by the laws of the output."""
    laws = [case.weights(value) for value, mass in case.masses.items() if mass]
    for p, q in permutations(laws, 2):
        yield TradeOff.of((p.get(o, 0), q.get(o, 0)) for o in dict.fromkeys([*p, *q]))
