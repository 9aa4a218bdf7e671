"""The evidence of an answer about a simulator that leaves the same beliefs, at δ = 0, for the checker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres.centre import InferredCentre, coupled_rows
from verifier.definitions.centres.simulator_ibddp import enough_for_all, exp_bracket, kept_games, smallest_bracket
from verifier.definitions.registry import find
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence.texts import number_text
from verifier.numbers import INFINITY, root_epsilon
from verifier.simulators import Context, SimulatorRow, rows_of
from verifier.simulators.posteriors import NamedGame, exists_for, named_games

ALL_DIGITS = 10**9
MAX_STEPS = 1 << 16
"""Largest `work` that is re-checked by default."""


def work(answer: Verdict, engine: Engine) -> int:
    """The work of the re-check: the number of outputs, times the sum over the rows of their contexts and outputs."""
    rows = [row for listed in _rows(answer, engine) for row in listed]
    return len({o for row in rows for o in row.law}) * sum(len(row.contexts) + len(row.law) for row in rows)


def _rows(answer: Verdict, engine: Engine) -> list[list[SimulatorRow]]:
    """The rows of the definition, in lists that share no context."""
    if isinstance(find(answer.definition).compare, InferredCentre):
        return [coupled_rows(Setting(answer.definition, engine.model, engine, answer.reading))]
    return engine.memo(("rows of beliefs", answer.reading), lambda: list(rows_of(engine.model, answer.reading)))


def evidence(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The simulator at an ε that is enough, and the multipliers at a smaller one that is not.

    Raises:
        UnsupportedError: where no ε with a rational e^ε is seen to be enough.

    """
    if answer.verdict == "vacuous":
        return {"enough": None, "needed": None}
    games_by_name = [game for rows in _rows(answer, engine) for game in named_games(rows)]
    solutions = kept_games(engine, [each.game for each in games_by_name])
    by_game = dict(zip(dict.fromkeys(each.game for each in games_by_name), solutions, strict=True))
    games = [replace(each, game=by_game[each.game]) for each in games_by_name]
    most = enough_for_all(solutions)
    if most is None:
        return {"enough": None, "needed": {"at": INFINITY.text(), **_never_at_any(games)}}
    enough, needed = _ends(answer, partial(exists_for, solutions), most)
    return {
        "enough": None if enough is None else {"at": _text(enough), "answers": _answers(answer, games, enough)},
        "needed": None if needed is None else {"at": _text(needed), **_never(games, needed)},
    }


def _ends(
    answer: Verdict, enough: Callable[[Fraction], bool], most: Fraction
) -> tuple[Fraction | None, Fraction | None]:
    """An e^ε that is enough and one that is not, as the answer has found them; None for what it does not claim."""
    epsilon = answer.epsilon
    finite = epsilon is not None and not epsilon.is_infinite
    low, high = exp_bracket(epsilon) if epsilon is not None and finite else (most, most)
    if answer.verdict == "holds":
        ends = smallest_bracket(enough, low)
    elif answer.tight_epsilon is None:
        return None, high
    else:
        ends = smallest_bracket(enough, max(most, high), high)
    if ends is None:
        raise UnsupportedError("that a simulator is enough has no certificate")
    return ends[1], None if ends[1] == 1 else ends[0]


def _text(E: Fraction) -> str:
    return root_epsilon(E).text(ALL_DIGITS)


def _told(answer: Verdict, context: Context) -> Any:
    """What a simulator is told, as the tables have it: a label, or the other records with what the reading adds."""
    knowledge = None if context.knowledge is None else context.knowledge.text
    if isinstance(find(answer.definition).compare, InferredCentre):
        return knowledge
    others = [answer.model.values[v].text for v in context.others]
    return [context.record, others, context.distribution, knowledge]


def _answers(answer: Verdict, games: list[NamedGame], E: Fraction) -> list[Any]:
    """s(Ô | c), up to a factor for each Ô."""
    answers: dict[str, list[Any]] = {}
    for named in games:
        if named.game is None:
            raise ArithmeticError("a game that nobody wins is won")
        numbers = named.game.proof(E).numbers
        told = [[_told(answer, c), number_text(s)] for c, s in zip(named.contexts, numbers, strict=True) if s]
        answers.setdefault(named.output.text, []).extend(told)
    return [list(entry) for entry in answers.items()]


def _never(games: list[NamedGame], E: Fraction) -> dict[str, Any]:
    """An output and a row in which it is never answered, with the multipliers that show it."""
    for named in games:
        row, multipliers = 0, []
        if named.game is not None:
            if named.game.answerable(E):
                continue
            proof = named.game.proof(E)
            row = proof.row or 0
            goal = _mass(named.groups[row])
            multipliers = [
                [*name, number_text(y * mass / goal)]
                for (name, mass), y in zip(_inequalities(named), proof.numbers, strict=True)
                if y
            ]
        return {"output": named.output.text, "row": _key(named.groups[row][0]), "multipliers": multipliers}
    raise ArithmeticError("a game that nobody wins is won")


def _never_at_any(games: list[NamedGame]) -> dict[str, Any]:
    """An output and a row that leaves a value possible in no context of which the simulator may answer."""
    named = next(each for each in games if each.game is None or each.game.enough_for_uniform is None)
    contexts = set(named.contexts)
    group = next(
        group
        for group in named.groups
        if any(row.law.get(named.output) and contexts.isdisjoint(row.contexts) for row in group)
    )
    return {"output": named.output.text, "row": _key(group[0]), "multipliers": []}


def _key(row: SimulatorRow) -> list[Any]:
    return [row.distribution, row.knowledge.text, row.record]


def _mass(group: list[SimulatorRow]) -> Fraction:
    return sum((row.mass for row in group), Fraction(0))


def _inequalities(named: NamedGame) -> Iterator[tuple[list[Any], Fraction]]:
    """The inequalities of a game by name, in its order, with P[B̂]: both of each value that Ô leaves possible."""
    for group in named.groups:
        for row in group:
            if row.law.get(named.output):
                yield from (([*_key(row), row.a.text, forward], _mass(group)) for forward in (True, False))
