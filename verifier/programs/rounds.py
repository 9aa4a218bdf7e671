"""Loops that are left by chance: the expected number of visits of each state at the head of a loop, exactly.

A round takes a state at the head to other states at the head, and else out of the loop. With the first weights s and
the chances T of one round, the expected visits are x = s + x·T: one linear system, solved by eliminating states. If no
rounds lead out of a state, the loop may never end, and there is no law.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Row = dict[int, Fraction]
"""The chances of one round, from one state, by the number of the state that comes next."""


def stuck(rows: Sequence[Mapping[int, Fraction]], leaves: Sequence[bool]) -> list[int]:
    """The states from which no rounds lead out; `leaves` says which go out in one round.

    >>> half = Fraction(1, 2)
    >>> stuck([{1: half}, {1: half}, {2: Fraction(1)}], [True, True, False])
    [2]
    """
    before: dict[int, list[int]] = {}
    for state, row in enumerate(rows):
        for after in row:
            before.setdefault(after, []).append(state)
    free = {state for state, out in enumerate(leaves) if out}
    pending = list(free)
    while pending:
        for state in before.get(pending.pop(), ()):
            if state not in free:
                free.add(state)
                pending.append(state)
    return [state for state in range(len(rows)) if state not in free]


def visits(
    rows: Sequence[Mapping[int, Fraction]],
    starts: Mapping[int, Fraction],
    pay: Callable[[int], None] = lambda _: None,
) -> list[Fraction]:
    """The expected visits of each state; every state must have a way out. `pay` is told the work before each part.

    The last state is eliminated first. Its visits are then a sum over earlier states, of their visits times a chance,
    and over -1, which stands for the first weights; this sum is put into the equations of the earlier states.

    >>> [str(x) for x in visits([{0: Fraction(1, 3)}], {0: Fraction(1)})]
    ['3/2']
    """
    into: list[Row] = [{} for _ in rows]
    for state, row in enumerate(rows):
        for after, chance in row.items():
            into[after][state] = chance
    for state, weight in starts.items():
        into[state][-1] = weight
    out: list[set[int]] = [set(row) for row in rows]
    for state in range(len(rows) - 1, -1, -1):
        again = into[state].pop(state, None)
        if again is not None:
            into[state] = {before: chance / (1 - again) for before, chance in into[state].items()}
        earlier = [after for after in out[state] if after < state]
        pay((1 + len(earlier)) * len(into[state]))
        for after in earlier:
            chance = into[after].pop(state)
            for before, weight in into[state].items():
                into[after][before] = into[after].get(before, Fraction(0)) + weight * chance
                if before >= 0:
                    out[before].add(after)
    total: dict[int, Fraction] = {-1: Fraction(1)}
    for state, row in enumerate(into):
        total[state] = sum((total[before] * weight for before, weight in row.items()), Fraction(0))
    return [total[state] for state in range(len(rows))]
