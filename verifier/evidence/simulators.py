"""The evidence of an answer about simulators, as texts for the independent re-check."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict
from verifier.definitions.centres.simulator_ddp import SimulatorWitness, Weighted, model_problem, weighted
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence.texts import number_text
from verifier.numbers import DIGITS, Delta, Enclosure, Epsilon, FieldElement
from verifier.simulators import ContextAnswer, SimulatorProblem

MAX_STEPS = 1 << 16
"""Most (context, output, row) triples that are re-checked by default."""
ALL_DIGITS = 10**9


def work(answer: Verdict, engine: Engine) -> int:
    """The work of the re-check: contexts times outputs times rows, summed over the parts of the problem."""
    simulation = model_problem(engine, answer.reading)
    return sum(
        sum(len(contexts) for contexts in member.classes)
        * sum(len(merged) for merged in member.outputs)
        * len(member.rows)
        for part in simulation.shapes
        for member in part.members
    )


def evidence(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The simulators and the tests that prove the smallest ε, the smallest δ, and the witness.

    Raises:
        UnsupportedError: where a smallest value is enclosed, or is a limit that its tests only reach.

    """
    simulation, bound = model_problem(engine, answer.reading), answer.delta
    tight, witness = answer.tight_epsilon, answer.witness or answer.tightest
    evidence_texts: dict[str, Any] = dict.fromkeys(
        (
            "enough",
            "needed",
            "delta_enough",
            "delta_needed",
            "delta_low",
            "delta_high",
            "zero_epsilon",
            "zero_enough",
            "shown",
        )
    )
    if answer.verdict == "vacuous":
        return evidence_texts
    if not isinstance(tight, Epsilon):
        raise UnsupportedError("an enclosure has no certificate")
    if not isinstance(witness, SimulatorWitness):
        raise UnsupportedError("there is no evidence")
    if tight.is_infinite:
        part, limit = simulation.limit()
        if limit > bound:
            evidence_texts["needed"] = tests(weighted(part.limit.game, part.limit.mixture))
        elif bound:
            part = simulation.worst(bound)[0]
            evidence_texts["needed"] = tests(weighted(*part.excluding(bound)))
        else:
            evidence_texts["needed"] = []
    else:
        part = simulation.worst(bound)[0]
        solution = part.smallest(bound)
        evidence_texts["enough"] = _simulator(simulation.simulator(bound, tight))
        evidence_texts["needed"] = None if tight == 0 else tests(weighted(solution.game, solution.mixture))
    epsilon = answer.epsilon
    if epsilon is not None and answer.tight_delta is not None:
        evidence_texts |= _delta(simulation, epsilon, answer.tight_delta)
        if answer.witness is not None and not epsilon.is_infinite:
            value = number_text(witness.value.a) if isinstance(witness.value, Delta) else ""
            at = witness.epsilon.text(ALL_DIGITS)
            evidence_texts["shown"] = {"at": at, "value": value, "tests": tests(witness.tests)}
    return evidence_texts


def _delta(simulation: SimulatorProblem, epsilon: Epsilon, tight_delta: Delta | Enclosure) -> dict[str, Any]:
    value = None if isinstance(tight_delta, Enclosure) else tight_delta.a
    ends: dict[str, str] = {}
    if epsilon.is_infinite:
        if value == 0 and all(part.easy for part in simulation.shapes):
            return {}
        worst = simulation.limit()[0]
        plays = [(part, part.limit) for part in simulation.shapes]
        needed = weighted(worst.limit.game, worst.limit.mixture) if value else ()
    elif value == 0:
        zero = simulation.worst(Fraction(0))[1]
        if isinstance(zero, Epsilon) and zero <= epsilon:
            simulator = _simulator(simulation.simulator(Fraction(0), zero))
            return {"zero_epsilon": zero.text(ALL_DIGITS), "zero_enough": simulator}
        raise UnsupportedError("that the smallest δ is 0 has no certificate")
    else:
        low, high = _around(simulation, epsilon, tight_delta)
        worst = simulation.delta(high)[0]
        plays = [(part, part.at(low)) for part in simulation.shapes]
        highest = worst.at(high)
        needed = weighted(highest.game, highest.mixture)
        ends = {"delta_low": number_text(low), "delta_high": number_text(high)}
    simulator = _simulator(
        told_law
        for part, play in plays
        for member in part.members
        for told_law in simulation.context_answers(member, play.game, play.simulator, play.E)
    )
    return {"delta_enough": simulator, "delta_needed": tests(needed), **ends}


def _around(
    simulation: SimulatorProblem, epsilon: Epsilon, tight_delta: Delta | Enclosure
) -> tuple[Fraction, Fraction]:
    """Rationals around e^ε at which the smallest δ is as it is claimed at ε."""
    if epsilon.exp is not None:
        return epsilon.exp, epsilon.exp
    precision = 16 + 4 * DIGITS
    while True:
        low, high = epsilon.exp_bracket(precision)
        low = max(Fraction(1), low)
        most, least = simulation.delta(low)[1], simulation.delta(high)[1]
        if isinstance(tight_delta, Enclosure):
            if tight_delta.low.value <= least and most <= tight_delta.high.value:
                return low, high
        elif tight_delta.a == most == least:
            return low, high
        precision *= 2


def _simulator(told_laws: Iterable[ContextAnswer]) -> list[Any]:
    return [
        [
            [
                told_law.context.record,
                [v.text for v in told_law.others],
                told_law.context.distribution,
                None if told_law.context.knowledge is None else told_law.context.knowledge.text,
            ],
            {o.text: number(p) for o, p in told_law.law},
        ]
        for told_law in told_laws
    ]


def tests(weighted_tests: Iterable[Weighted]) -> list[Any]:
    """The tests as evidence writes them, with their weights; tests whose weight is only a name are left out."""
    return [
        [
            test.row.distribution,
            test.row.knowledge.text,
            test.row.record,
            test.row.a.text,
            [o.text for o in test.event],
            test.forward,
            number(test.weight),
        ]
        for test in weighted_tests
        if not isinstance(test.weight, str)
    ]


def number(value: Fraction | FieldElement | str) -> Any:
    """The text of a number, or the coefficients of a number that is a polynomial in e^ε."""
    if isinstance(value, FieldElement):
        return [("-" if c < 0 else "") + number_text(abs(c)) for c in value.coefficients]
    return number_text(Fraction(value))
