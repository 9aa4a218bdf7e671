"""The paths of the draws in one statement, and the work that a run may cost.

A path is a list of choices. `outcomes` runs an action once for each path: it follows the choices that are given, then
takes the first outcome of each further draw; the paths that were passed by are followed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from verifier.errors import LimitError
from verifier.programs.values import Value

Result = TypeVar("Result")
Law = Sequence[tuple[Value, Fraction]]
"""The law of a draw: values with their probabilities, none of them 0."""
MOST_STEPS = 600_000
"""Most steps of a run on one database: operations, paths, and parts of values that are copied."""
A_PATH = 60
"""Steps that a path costs, however short its statement."""
A_MERGE = 4
"""Steps that one more entry costs a partial result of a fold."""
A_DRAW = 4
"""Steps that a draw costs on a path, beside its results when they are first listed."""
MOST_STATES = 20_000
"""Most different states before one statement."""
MOST_BITS = 4_096
"""Longest numerator or denominator."""
MOST_WIDE = 20_000
"""Most outcomes of one draw."""


class Path:
    """One path of draws, with its probability."""

    def __init__(self, choices: tuple[int, ...] = ()) -> None:
        self.choices = choices
        self.widths: list[int] = []
        self.weight = Fraction(1)

    def draw(self, law: Law) -> Value:
        """The outcome of a draw on this path."""
        at = len(self.widths)
        choice = self.choices[at] if at < len(self.choices) else 0
        self.widths.append(len(law))
        value, chance = law[choice]
        self.weight *= chance
        return value


def outcomes(action: Callable[[Path], Result]) -> Iterator[tuple[Result, Fraction]]:
    """The result and the probability of each path of an action that draws from the path which it is given.

    >>> coin = [("heads", Fraction(1, 3)), ("tails", Fraction(2, 3))]
    >>> [(text, str(p)) for text, p in outcomes(lambda path: path.draw(coin))]
    [('heads', '1/3'), ('tails', '2/3')]
    """
    pending: list[tuple[int, ...]] = [()]
    while pending:
        choices = pending.pop()
        path = Path(choices)
        yield action(path), path.weight
        for at in range(len(path.widths) - 1, len(choices) - 1, -1):
            passed = choices + (0,) * (at - len(choices))
            pending.extend((*passed, other) for other in range(path.widths[at] - 1, 0, -1))


class Work:
    """The steps that are left of a run on one database."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.left = steps

    def pay(self, steps: int) -> None:
        """Take steps before they are made.

        Raises:
            LimitError: where there are not so many left.

        """
        self.left -= steps
        if self.left < 0:
            raise LimitError(
                f"the program needs more than {MOST_STEPS:,} steps on one database",
                wanted="fewer draws, records or rounds",
                tip="draw in a loop that keeps a count, or in sum(…), so that equal states are one",
            )
