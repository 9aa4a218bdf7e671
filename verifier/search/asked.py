"""The questions of `worst`: what is assumed, `np(epsilon=ln(2), delta=1/10)`, and what is made large, `cdp delta at 0`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verifier.definitions import find
from verifier.errors import InputError, UnsupportedError
from verifier.numbers import Epsilon, delta_bound, exact_text, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.search.statement import And, Has, Holds, Not, Or, Statement

ASSUME = "np(epsilon=ln(2), delta=1/10)"
MAXIMISE = "cdp delta at ln(2)"
_BOUND = re.compile(r"\s*([a-z][a-z0-9-]*)\s*\((.*)\)\s*", re.DOTALL)
_OBJECTIVE = re.compile(r"\s*([a-z][a-z0-9-]*)\s+delta\s+at\s+(\S.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Assumed:
    """A definition at a constant ε and δ."""

    definition: str
    epsilon: Epsilon
    delta: Fraction

    def __str__(self) -> str:
        delta = f", delta={exact_text(self.delta)}" if self.delta else ""
        return f"{self.definition}(epsilon={self.epsilon}{delta})"


def assumed(given: object, where: str = "assuming") -> tuple[Assumed, ...]:
    """The definitions that are assumed, with a rational δ (default 0) and an ε.

    >>> [str(one) for one in assumed(["np(epsilon=ln(2), delta=1/10)", "dp(epsilon=2*ln(3))"])]
    ['np(epsilon=ln(2), delta=1/10)', 'dp(epsilon=ln(9))']

    Raises:
        InputError: for a text that is none.
        UnsupportedError: for statements that do not bound the mechanism linearly.

    """
    if isinstance(given, str):
        return (_bound(given, where),)
    if isinstance(given, Holds):
        return (_constant(given, where),)
    if isinstance(given, And):
        return tuple(one for part in given.parts for one in assumed(part, where))
    if isinstance(given, Not | Or | Has):
        raise UnsupportedError(
            f"given {_said(given)}, which is no linear bound on the mechanism",
            where=where,
            wanted=f"definitions with their ε and δ, such as {ASSUME}",
            tip="pkdp search takes every statement; what is about θ alone is settled by the model",
        )
    if isinstance(given, Iterable):
        return tuple(one for part in given for one in assumed(part, where))
    raise InputError(f"given {shorten(given)}", where=where, wanted=f"a text such as {ASSUME}, or several")


def _said(given: Statement) -> str:
    """What stands in a message for a statement."""
    if isinstance(given, Has):
        return f"the property {given.name}"
    return {Not: "not", Or: "or", And: "and"}.get(type(given), type(given).__name__)


def _bound(text: str, where: str) -> Assumed:
    found = _BOUND.fullmatch(text)
    if not found:
        raise InputError(f"given {shorten(text)}", where=where, wanted=f"a definition with its ε, such as {ASSUME}")
    name, inside = found.groups()
    given: dict[str, str] = {}
    for part in _parts(inside):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in {"epsilon", "delta"} or key in given:
            raise InputError(f"given {shorten(part.strip())}", where=where, wanted="epsilon=… and delta=…, once each")
        given[key] = value
    if "epsilon" not in given:
        raise InputError(f"given {shorten(text)} without epsilon", where=where, wanted=f"such as {ASSUME}")
    epsilon, delta = read_epsilon(given["epsilon"], where), delta_bound(given.get("delta", "0"))
    return Assumed(find(name).key, epsilon, delta)


def _parts(text: str) -> list[str]:
    """The text at commas that are outside of parentheses."""
    parts, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == "," and not depth:
            parts.append("")
        else:
            parts[-1] += mark
    return parts


def _constant(given: Holds, where: str) -> Assumed:
    """Refuse variables, other readings, and mechanisms that are made of the model's."""
    if not isinstance(given.epsilon, Epsilon) or not isinstance(given.delta, Fraction):
        raise UnsupportedError(
            f"given {given.definition} without a constant ε and δ", where=where, wanted=f"such as {ASSUME}"
        )
    if given.reading != "default" or given.on:
        raise UnsupportedError(
            f"given {given.definition} {given.on or given.reading}",
            where=where,
            wanted="the default reading, of the mechanism itself",
        )
    return Assumed(find(given.definition).key, given.epsilon, given.delta)


def objective(given: object, where: str = "maximise") -> tuple[str, Epsilon]:
    """What is made as large as possible: the smallest δ of a definition at an ε.

    >>> objective("cdp delta at ln(2)")
    ('cdp', <Epsilon ln(2)>)

    Raises:
        InputError: for a text that is none.

    """
    found = _OBJECTIVE.fullmatch(given) if isinstance(given, str) else None
    if not found:
        raise InputError(f"given {shorten(given)}", where=where, wanted=f"<definition> delta at <ε>, such as {MAXIMISE}")
    return find(found[1]).key, read_epsilon(found[2], where)
