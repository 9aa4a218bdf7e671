"""The evidence of an answer about simulators, as texts for the independent re-check."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict
from verifier.definitions.simulated import SimulatorWitness, Weighted, told_at, weighted, whole_of
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence.texts import number_text
from verifier.numbers import DIGITS, Delta, Element, Enclosure, Epsilon
from verifier.simulators import Told, Whole

MAX_STEPS = 1 << 16
"""Most (context, output) pairs of a simulator that is re-checked by default."""
ALL_DIGITS = 10**9
KEYS = ("enough", "needed", "delta_enough", "delta_needed", "delta_low", "delta_high", "zero_epsilon", "zero_enough")


def work(answer: Verdict, engine: Engine) -> int:
    """The size of the re-check: contexts times outputs."""
    whole = whole_of(engine, answer.reading)
    return sum(
        sum(len(contexts) for contexts in one.classes) * sum(len(merged) for merged in one.outputs) * len(one.rows)
        for part in whole.parts
        for one in part.members
    )


def evidence(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """Simulators and tests for the smallest ε, for the smallest δ, and for what is shown.

    Raises:
        UnsupportedError: where a smallest value is enclosed, or is a limit that its tests only reach.

    """
    whole, bound = whole_of(engine, answer.reading), answer.delta
    tight, shown = answer.tight_epsilon, answer.witness or answer.tightest
    if not isinstance(tight, Epsilon):
        raise UnsupportedError("an enclosure has no certificate")
    if not isinstance(shown, SimulatorWitness):
        raise UnsupportedError("there is no evidence")
    found: dict[str, Any] = dict.fromkeys(
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
    if tight.is_infinite:
        part, limit = whole.limit()
        if limit > bound:
            found["needed"] = _tests(weighted(part.limit.game, part.limit.mixture))
        elif bound:
            part = whole.worst(bound)[0]
            found["needed"] = _tests(weighted(*part.excluding(bound)))
        else:
            found["needed"] = []
    else:
        part = whole.worst(bound)[0]
        known = part.smallest(bound)
        found["enough"] = _simulator(told_at(whole, bound, tight))
        found["needed"] = None if tight == 0 else _tests(weighted(known.game, known.mixture))
    asked = answer.epsilon
    if asked is not None and answer.tight_delta is not None:
        found |= _delta(whole, asked, answer.tight_delta)
        if answer.witness is not None and not asked.is_infinite:
            tests = _tests(shown.tests)
            value = number_text(shown.value.a) if isinstance(shown.value, Delta) else ""
            found["shown"] = {"at": shown.epsilon.text(ALL_DIGITS), "value": value, "tests": tests}
    return found


def _delta(whole: Whole, asked: Epsilon, found: Delta | Enclosure) -> dict[str, Any]:
    value = None if isinstance(found, Enclosure) else found.a
    ends: dict[str, str] = {}
    if asked.is_infinite:
        if value == 0 and all(part.easy for part in whole.parts):
            return {}
        worst = whole.limit()[0]
        plays = [(part, part.limit) for part in whole.parts]
        needed = weighted(worst.limit.game, worst.limit.mixture) if value else ()
    elif value == 0:
        zero = whole.worst(Fraction(0))[1]
        if isinstance(zero, Epsilon) and zero <= asked:
            simulator = _simulator(told_at(whole, Fraction(0), zero))
            return {"zero_epsilon": zero.text(ALL_DIGITS), "zero_enough": simulator}
        raise UnsupportedError("that the smallest δ is 0 has no certificate")
    else:
        low, high = _around(whole, asked, found)
        worst = whole.delta(high)[0]
        plays = [(part, part.at(low)) for part in whole.parts]
        highest = worst.at(high)
        needed = weighted(highest.game, highest.mixture)
        ends = {"delta_low": number_text(low), "delta_high": number_text(high)}
    simulator = _simulator(
        one
        for part, play in plays
        for member in part.members
        for one in whole.told(member, play.game, play.simulator, play.E)
    )
    return {"delta_enough": simulator, "delta_needed": _tests(needed), **ends}


def _around(whole: Whole, asked: Epsilon, found: Delta | Enclosure) -> tuple[Fraction, Fraction]:
    """Rationals around e^ε at which the smallest δ is as it is claimed at ε."""
    if asked.exp is not None:
        return asked.exp, asked.exp
    precision = 16 + 4 * DIGITS
    while True:
        low, high = asked.exp_bracket(precision)
        low = max(Fraction(1), low)
        most, least = whole.delta(low)[1], whole.delta(high)[1]
        if isinstance(found, Enclosure):
            if found.low.value <= least and most <= found.high.value:
                return low, high
        elif found.a == most == least:
            return low, high
        precision *= 2


def _simulator(told: Iterable[Told]) -> list[Any]:
    return [
        [
            [
                one.context.record,
                [v.text for v in one.others],
                one.context.distribution,
                None if one.context.knowledge is None else one.context.knowledge.text,
            ],
            {o.text: _number(p) for o, p in one.law},
        ]
        for one in told
    ]


def _tests(tests: Iterable[Weighted]) -> list[Any]:
    return [
        [
            one.row.distribution,
            one.row.knowledge.text,
            one.row.record,
            one.row.a.text,
            [o.text for o in one.event],
            one.forward,
            _number(one.weight),
        ]
        for one in tests
        if not isinstance(one.weight, str)
    ]


def _number(value: Fraction | Element | str) -> Any:
    if isinstance(value, Element):
        return [("-" if c < 0 else "") + number_text(abs(c)) for c in value.coefficients]
    return number_text(Fraction(value))
