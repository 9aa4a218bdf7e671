"""The evidence of an answer about simulators, as texts for the independent re-check."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from verifier.certificates.texts import number_text
from verifier.definitions import Verdict
from verifier.definitions.simulated import SimulatorWitness, Weighted, told_at, weighted, whole_of
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import Element, Enclosure, Epsilon
from verifier.simulators import Told, Whole

MAX_STEPS = 1 << 16
"""Most (context, output) pairs of a simulator that is re-checked by default."""
ALL_DIGITS = 10**9


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
    if not isinstance(tight, Epsilon) or isinstance(answer.tight_delta, Enclosure):
        raise UnsupportedError("an enclosure has no certificate")
    if not isinstance(shown, SimulatorWitness):
        raise UnsupportedError("there is no evidence")
    found: dict[str, Any] = dict.fromkeys(
        ("enough", "needed", "delta_enough", "delta_needed", "zero_epsilon", "zero_enough", "shown")
    )
    if tight.is_infinite:
        limit = whole.limit()
        if bound and limit[1] == bound:
            raise UnsupportedError("that a limit is not attained has no certificate")
        found["needed"] = _tests(weighted(limit[0].game, limit[0].limit.mixture)) if limit[1] > bound else []
    else:
        part = whole.worst(bound)[0]
        known = part.smallest(bound)
        found["enough"] = _simulator(told_at(whole, bound, tight))
        found["needed"] = _tests(weighted(known.game, known.mixture))
    asked = answer.epsilon
    if asked is not None and answer.tight_delta is not None:
        found |= _delta(whole, asked, Fraction(answer.tight_delta.a))
        if answer.witness is not None and not asked.is_infinite:
            tests = _tests(shown.tests)
            value = number_text(shown.value.a) if not isinstance(shown.value, Enclosure) else ""
            found["shown"] = {"at": shown.epsilon.text(ALL_DIGITS), "value": value, "tests": tests}
    return found


def _delta(whole: Whole, asked: Epsilon, value: Fraction) -> dict[str, Any]:
    if asked.is_infinite:
        if value == 0 and all(part.easy for part in whole.parts):
            return {}
        worst = whole.limit()[0]
        plays = [(part, part.limit) for part in whole.parts]
        needed = weighted(worst.game, worst.limit.mixture) if value else ()
    elif value == 0:
        zero = whole.worst(Fraction(0))[1]
        if isinstance(zero, Epsilon) and zero <= asked:
            simulator = _simulator(told_at(whole, Fraction(0), zero))
            return {"zero_epsilon": zero.text(ALL_DIGITS), "zero_enough": simulator}
        raise UnsupportedError("that the smallest δ is 0 has no certificate")
    elif asked.exp is None:
        raise UnsupportedError("the smallest δ at an irrational e^ε has no certificate")
    else:
        E = asked.exp
        worst = whole.delta(E)[0]
        plays = [(part, part.game.play(E)) for part in whole.parts]
        needed = weighted(worst.game, worst.game.play(E).mixture)
    simulator = _simulator(
        one for part, play in plays for member in part.members for one in whole.told(member, part.game, play.simulator)
    )
    return {"delta_enough": simulator, "delta_needed": _tests(needed)}


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
