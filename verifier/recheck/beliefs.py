"""The proof of an answer about a simulator that leaves the same beliefs, at δ = 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions import Verdict, find
from verifier.definitions.answer import ALL_DIGITS
from verifier.definitions.builders.rows import Setting
from verifier.definitions.centres.centre import InferredCentre, coupled_rows
from verifier.definitions.centres.simulator_ddp import M_AGAINST, SIM_AGAINST
from verifier.definitions.centres.simulator_ibddp import enough_for_all, exp_bracket, kept_games, smallest_bracket
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import INFINITY, root_epsilon
from verifier.recheck.simulators import told
from verifier.recheck.texts import known_shown, number_text
from verifier.simulators import SimulatorRow, rows_of
from verifier.simulators.posteriors import NamedGame, exists_for, named_games

MAX_STEPS = 1 << 16
"""Largest `work` for which a proof is written."""
Entry = dict[str, Any]


def work(answer: Verdict, engine: Engine) -> int:
    """The work of a check of the proof: the outputs, times the contexts and outputs of all rows."""
    rows = [row for listed in _rows(answer, engine) for row in listed]
    return len({o for row in rows for o in row.law}) * sum(len(row.contexts) + len(row.law) for row in rows)


def _rows(answer: Verdict, engine: Engine) -> list[list[SimulatorRow]]:
    """The rows of the definition, in lists that share no context."""
    if isinstance(find(answer.definition).compare, InferredCentre):
        return [coupled_rows(Setting(answer.definition, engine.model, engine, answer.reading))]
    return engine.memo(("rows of beliefs", answer.reading), lambda: list(rows_of(engine.model, answer.reading)))


def proof(answer: Verdict, engine: Engine) -> Entry:
    """The numbers s(Ô | c) at an ε that is enough, and weighted inequalities about one output at one that is not.

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
        return {"enough": None, "needed": [{**_first(INFINITY.text()), **_never_at_any(games)}]}
    enough, needed = _ends(answer, partial(exists_for, solutions), most)
    return {
        "enough": None if enough is None else [{**_first(_text(enough)), "simulator": _answers(answer, games, enough)}],
        "needed": None if needed is None else [{**_first(_text(needed)), **_never(games, needed)}],
    }


def _first(at: str) -> Entry:
    """The first keys of an entry: there is one problem, and no choice."""
    return {"group": None, "choice": 0, "at": at}


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
        raise UnsupportedError("there is no proof that a simulator is enough")
    return ends[1], None if ends[1] == 1 else ends[0]


def _text(E: Fraction) -> str:
    return root_epsilon(E).text(ALL_DIGITS)


def _answers(answer: Verdict, games: list[NamedGame], E: Fraction) -> list[Entry]:
    """s(Ô | c) by contexts, up to a factor for each Ô."""
    contexts: dict[str, Entry] = {}
    for named in games:
        if named.game is None:
            raise ArithmeticError("a game that nobody wins is won")
        for context, s in zip(named.contexts, named.game.proof(E).numbers, strict=True):
            if s:
                entry = told(answer, context)
                contexts.setdefault(str(entry), {**entry, "answers": {}})["answers"][named.output.text] = number_text(s)
    return list(contexts.values())


def _never(games: list[NamedGame], E: Fraction) -> Entry:
    """An output and a row in which it is never answered, with the weighted inequalities that show it."""
    for named in games:
        row, tests = 0, []
        if named.game is not None:
            if named.game.answerable(E):
                continue
            proof = named.game.proof(E)
            row = proof.row or 0
            goal = _mass(named.groups[row])
            tests = [
                _test(named, row_of, number_text(y * mass / goal), forward=forward)
                for (row_of, forward, mass), y in zip(_inequalities(named), proof.numbers, strict=True)
                if y
            ]
        return {"output": named.output.text, "row": _row(named.groups[row][0]), "tests": tests}
    raise ArithmeticError("a game that nobody wins is won")


def _never_at_any(games: list[NamedGame]) -> Entry:
    """An output and a row that leaves a value possible in no context of which the simulator may answer."""
    named = next(each for each in games if each.game is None or each.game.enough_for_uniform is None)
    contexts = set(named.contexts)
    group = next(
        group
        for group in named.groups
        if any(row.law.get(named.output) and contexts.isdisjoint(row.contexts) for row in group)
    )
    return {"output": named.output.text, "row": _row(group[0]), "tests": []}


def _row(row: SimulatorRow) -> Entry:
    return {"distribution": row.distribution, "knowledge": known_shown(row.knowledge), "record": row.record}


def _test(named: NamedGame, row: SimulatorRow, weight: str, *, forward: bool) -> Entry:
    direction = M_AGAINST if forward else SIM_AGAINST
    return {**_row(row), "a": row.a.shown, "event": [named.output.text], "direction": direction, "weight": weight}


def _mass(group: list[SimulatorRow]) -> Fraction:
    return sum((row.mass for row in group), Fraction(0))


def _inequalities(named: NamedGame) -> Iterator[tuple[SimulatorRow, bool, Fraction]]:
    """The inequalities of a game in its order, with P[B̂]: both of each value that Ô leaves possible."""
    for group in named.groups:
        for row in group:
            if row.law.get(named.output):
                yield from ((row, forward, _mass(group)) for forward in (True, False))
