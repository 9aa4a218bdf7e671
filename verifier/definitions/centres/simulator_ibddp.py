"""Deciding IBDDP (DMKB20, remark in section 3.3), as far as it is decided: at δ = 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verifier.definitions.centres.simulator_ddp import NOTHING_IMITATED
from verifier.definitions.compared_kinds import SIMULATED_BELIEFS, About, Unlisted
from verifier.definitions.verdict import NO_DELTA, Question, Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import INFINITY, ZERO, Enclosure, Epsilon, ln_bracket
from verifier.simulators.posteriors import Inference, exists_for, games_of

POSITIVE_DELTA = "the (Ô, B̂) that may fail are free for δ > 0: one problem for each set of them, which is not decided"
NEVER = (
    "no simulator is enough at any ε: M can give some output with a value of what is secret, but all that the "
    "simulator is told then also fits a case in which M never gives it"
)
WITHIN = 24
"""Bits of e^ε to which the smallest one is enclosed."""
LARGEST = Fraction(1 << 64)
"""The e^ε from which the smallest one is looked for; a larger one where it is not enough."""
PRECISION = 128
"""Bits of logarithms, and of e^ε where it is irrational."""


@dataclass(frozen=True)
class SimulatedBeliefs(Unlisted):
    """A simulator after whose answer the beliefs are those after M's (IBDDP; DMKB20, remark in section 3.3)."""

    kind = "posterior"
    about = About(SIMULATED_BELIEFS, "the belief about a record after an output with that after a simulator's")
    imitated = "beliefs"
    procedure = "The belief about D(i) after the mechanism's output against that after a simulator's."

    @property
    def replaces_a_record(self) -> bool:
        """The beliefs are about a record."""
        return True

    def decide(self, question: Question) -> Verdict:
        """The verdict on IBDDP at δ = 0: whether after Sim's answer the posteriors are within e^ε of those after M's.

        The smallest ε is enclosed.

        Raises:
            UnsupportedError: for δ > 0.
            LimitError: for too many worlds.

        """
        engine, reading, answer = question.engine, question.reading, question.answer
        engine.admit_table()
        listed = engine.memo(("inferences", reading), lambda: games_of(engine.model, reading))
        if not listed:
            return answer("vacuous", NOTHING_IMITATED, NO_DELTA, ZERO)
        return verdict_of_games(answer, kept_games(engine, listed), question.epsilon, question.delta)


def kept_games(engine: Engine, games: Iterable[Inference | None]) -> tuple[Inference | None, ...]:
    """The different games, each as the object that the engine keeps for it, with the bounds that were found before."""
    return tuple(engine.memo(("game", game), lambda game=game: game) for game in dict.fromkeys(games))  # type: ignore[misc]


def verdict_of_games(
    answer: Callable[..., Verdict], listed: Sequence[Inference | None], epsilon: Epsilon | None, bound: Fraction
) -> Verdict:
    """The verdict at ε, with the smallest ε enclosed, which is ∞ where no simulator wins some game at any ε.

    Raises:
        UnsupportedError: for δ > 0.

    """
    if bound:
        raise UnsupportedError(
            POSITIVE_DELTA, tip="verifier.simulators.posteriors.judge decides a given simulator at any δ"
        )
    most, enough = enough_for_all(listed), partial(exists_for, listed)
    if most is None:
        return answer("fails", NEVER, None, INFINITY)
    answer = partial(answer, method="enclosure")
    if epsilon is not None and not epsilon.is_infinite:
        low, high = exp_bracket(epsilon)
        holds = True if enough(low) else None if high != low and enough(high) else False
        if holds is None:
            return answer("undecided", f"e^ε is closer than 2^-{PRECISION // 2} to the smallest one")
        tight = _smallest(enough, low if holds else max(most, high), Fraction(1) if holds else high)
        return answer("holds" if holds else "fails", None if holds else "no simulator is enough", None, tight)
    return answer("holds", None, None, _smallest(enough, most, Fraction(1)))


def enough_for_all(listed: Iterable[Inference | None]) -> Fraction | None:
    """An e^ε at which a simulator wins each game: 2^64, or a larger power of two; None where there is none."""
    most = LARGEST
    for game in listed:
        end = None if game is None else game.enough_for_uniform
        if end is None:
            return None
        if end > most and not game.answerable(most):  # type: ignore[union-attr]
            most = Fraction(1 << (end.numerator // end.denominator).bit_length())
    return most


def exp_bracket(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Rationals around e^ε for a finite ε; e^ε itself where it is rational."""
    return (epsilon.exp, epsilon.exp) if epsilon.exp is not None else epsilon.exp_bracket(PRECISION)


def _smallest(enough: Callable[[Fraction], bool], high: Fraction, low: Fraction) -> Enclosure | None:
    """Both ends of the smallest ε, given an e^ε that may be enough and one that is not, or is 1."""
    ends = smallest_bracket(enough, high, low)
    if ends is None:
        return None
    low, high = ends
    if high == 1:
        return Enclosure.between(Fraction(0), Fraction(0))
    return Enclosure.between(ln_bracket(low, PRECISION)[0], ln_bracket(high, PRECISION)[1])


def smallest_bracket(
    enough: Callable[[Fraction], bool], high: Fraction = LARGEST, low: Fraction = Fraction(1)
) -> tuple[Fraction, Fraction] | None:
    """An e^ε that is not enough (or 1) and one that is, within a factor 1 + 2^-24; None where `high` is not enough.

    `enough` says it of any e^ε; both are 1 where 1 is enough.
    """
    if not enough(high):
        return None
    if enough(low):
        return Fraction(1), Fraction(1)
    while high - low > low / (1 << WITHIN):
        wide = high > 4 * low
        middle = 2 * low if wide else Fraction(round((low + high) / 2 * (1 << 2 * WITHIN)), 1 << 2 * WITHIN)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low, high
