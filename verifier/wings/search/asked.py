"""The questions of `worst`: what is assumed, `np(ln(2), 1/10)`, and what is made large, `cdp delta at ln(2)`.

Both are of the one language of questions (verifier.questions.language).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verifier.definitions import find
from verifier.errors import InputError, UnsupportedError
from verifier.numbers import Epsilon, shorten
from verifier.questions.language import question, statement
from verifier.questions.statement import And, Has, Holds, Not, Or

ASSUME = "np(epsilon=ln(2), delta=1/10)"
MAXIMISE = "cdp delta at ln(2)"


@dataclass(frozen=True)
class Assumed:
    """A definition at a constant ε and δ."""

    definition: str
    epsilon: Epsilon
    delta: Fraction

    def __str__(self) -> str:
        return str(Holds(self.definition, self.epsilon, self.delta))


def assumed(given: object, where: str = "assuming=") -> tuple[Assumed, ...]:
    """The definitions that are assumed, with a constant ε and a rational δ: texts, statements, or several of them.

    >>> [str(one) for one in assumed(["np(epsilon=ln(2), delta=1/10) and cdp(0)", "dp(2*ln(3))"])]
    ['np(ln(2), 1/10)', 'cdp(0)', 'dp(ln(9))']

    Raises:
        InputError: for a text that is no statement.
        UnsupportedError: for statements that do not bound the mechanism linearly.

    """
    if isinstance(given, str):
        return assumed(statement(given, where), where)
    if isinstance(given, Holds):
        return (_constant(given, where),)
    if isinstance(given, And):
        return tuple(one for part in given.parts for one in assumed(part, where))
    if isinstance(given, Not | Or | Has):
        raise UnsupportedError(
            f"given {shorten(str(given))}, which is no linear bound on the mechanism",
            where=where,
            wanted=f"definitions with their ε and δ, joined by `and`, such as {ASSUME}",
            tip="pkdp search takes every statement; what is about θ alone is settled by the model",
        )
    if isinstance(given, Iterable):
        return tuple(one for part in given for one in assumed(part, where))
    raise InputError(f"given {shorten(given)}", where=where, wanted=f"a text such as {ASSUME}, or several")


def _constant(given: Holds, where: str) -> Assumed:
    """Refuse variables, other readings, and mechanisms that are made of the model's."""
    if not isinstance(given.epsilon, Epsilon) or not isinstance(given.delta, Fraction):
        raise UnsupportedError(f"given {given} without a constant ε and δ", where=where, wanted=f"such as {ASSUME}")
    if given.reading != "default" or given.on:
        raise UnsupportedError(f"given {given}", where=where, wanted="the default reading, of the mechanism itself")
    return Assumed(find(given.definition).key, given.epsilon, given.delta)


def objective(given: object, where: str = "maximise=") -> tuple[str, Epsilon]:
    """What is made as large as possible: the smallest δ of a definition at an ε.

    >>> objective("cdp delta at ln(2)"), objective("cdp(ln(2))") == objective("cdp delta at ln(2)")
    (('cdp', <Epsilon ln(2)>), True)

    Raises:
        InputError: for a text that is none.
        UnsupportedError: for another reading than the default.

    """
    if not isinstance(given, str) or not given.strip():
        raise InputError(f"given {shorten(given)}", where=where, wanted=f"a definition at an ε, such as {MAXIMISE}")
    asked = question(given, where)
    if not isinstance(asked.epsilon, Epsilon):
        raise InputError(
            f"given {shorten(given)} without an ε", where=where, wanted=f"a definition at an ε, such as {MAXIMISE}"
        )
    if asked.delta is not None:
        raise InputError(
            f"given {shorten(given)} with a δ",
            where=where,
            wanted=f"an ε alone, such as {MAXIMISE}",
            tip="δ is made large",
        )
    if asked.reading not in {None, "default"}:
        raise UnsupportedError(f"given {shorten(given)}", where=where, wanted="the default reading")
    return asked.definition, asked.epsilon
