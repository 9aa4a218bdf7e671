"""The question of `worst`: assumptions such as `np(ln(2), 1/10)`, and an objective such as `cdp delta at ln(2)`.

Both are texts in the language of questions (verifier.questions.language).
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
    """An assumption: a definition at a constant ε and δ."""

    definition: str
    epsilon: Epsilon
    delta: Fraction

    def __str__(self) -> str:
        return str(Holds(self.definition, self.epsilon, self.delta))


def assumed(assumption: object, where: str = "assuming=") -> tuple[Assumed, ...]:
    """The definitions that are assumed, with a constant ε and a rational δ: texts, statements, or several of them.

    >>> [str(definition) for definition in assumed(["np(epsilon=ln(2), delta=1/10) and cdp(0)", "dp(2*ln(3))"])]
    ['np(ln(2), 1/10)', 'cdp(0)', 'dp(ln(9))']

    Raises:
        InputError: for a text that is no statement.
        UnsupportedError: for statements that do not bound the mechanism linearly, and for variables.

    """
    if isinstance(assumption, str):
        return assumed(statement(assumption, where), where)
    if isinstance(assumption, Holds):
        return (_constant(assumption, where),)
    if isinstance(assumption, And):
        return tuple(definition for operand in assumption.operands for definition in assumed(operand, where))
    if isinstance(assumption, Not | Or | Has):
        raise UnsupportedError(
            f"{shorten(str(assumption))} is not a linear bound on the mechanism",
            where=where,
            wanted=f"definitions with their ε and δ, joined by `and`, such as {ASSUME}",
            tip="pk.search takes every statement; what is about θ alone is settled by the model",
        )
    if isinstance(assumption, Iterable):
        return tuple(definition for entry in assumption for definition in assumed(entry, where))
    raise InputError(
        f"{shorten(assumption)} is not a statement", where=where, wanted=f"a text such as {ASSUME}, or several"
    )


def _constant(atom: Holds, where: str) -> Assumed:
    """The assumption of an atom; variables, other readings and derived mechanisms are refused."""
    if not isinstance(atom.epsilon, Epsilon) or not isinstance(atom.delta, Fraction):
        raise UnsupportedError(f"{atom} has no constant ε and δ", where=where, wanted=f"a statement such as {ASSUME}")
    if atom.reading != "default" or atom.on:
        raise UnsupportedError(
            f"{atom} has another reading, or another mechanism",
            where=where,
            wanted="the default reading, of the mechanism itself",
        )
    return Assumed(find(atom.definition).key, atom.epsilon, atom.delta)


def objective(text: object, where: str = "maximise=") -> tuple[str, Epsilon]:
    """Read the objective: a definition and the ε at which its smallest δ is made as large as possible.

    >>> objective("cdp delta at ln(2)"), objective("cdp(ln(2))") == objective("cdp delta at ln(2)")
    (('cdp', <Epsilon ln(2)>), True)

    Raises:
        InputError: for a text that is no definition at an ε.
        UnsupportedError: for another reading than the default.

    """
    if not isinstance(text, str) or not text.strip():
        raise InputError(
            f"{shorten(text)} is not a question", where=where, wanted=f"a definition at an ε, such as {MAXIMISE}"
        )
    parsed = question(text, where)
    if not isinstance(parsed.epsilon, Epsilon):
        raise InputError(f"{shorten(text)} has no ε", where=where, wanted=f"a definition at an ε, such as {MAXIMISE}")
    if parsed.delta is not None:
        raise InputError(
            f"{shorten(text)} has a δ",
            where=where,
            wanted=f"only an ε, such as {MAXIMISE}",
            tip="δ is made large",
        )
    if parsed.reading not in {None, "default"}:
        raise UnsupportedError(f"{shorten(text)} has another reading", where=where, wanted="the default reading")
    return parsed.definition, parsed.epsilon
