"""The paths of the draws in one statement, and the work that a run may cost.

A path is a list of choices. `outcomes` runs an action once for each path: it follows the choices that are given, then
takes the first outcome of each further draw; the paths that were passed by are followed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from verifier.errors import LimitError
from verifier.programs.noise import Noise, Weight
from verifier.programs.piecewise import Element

Result = TypeVar("Result")
Value: TypeAlias = Any
StateWeight: TypeAlias = Any
"""The probability of a state; where some of its numbers are not known a `Weight`, a function of their noises."""
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


class NeedsState(Exception):  # noqa: N818 - not an error: the fold that meets it is walked path by path
    """A part of an expression, looked at without the state around it, needs the noises of that state."""


class Path:
    """One path of draws, with its probability: that of the state in which it begins, times that of its draws.

    With `alone` it belongs to a part of an expression for which no state is known.
    """

    def __init__(
        self, choices: tuple[int, ...] = (), weight: StateWeight = Fraction(1), *, alone: bool = False
    ) -> None:
        self.choices = choices
        self.widths: list[int] = []
        self.weight = weight
        self.alone = alone
        self.pay: Callable[[int], None] = lambda _steps: None
        """Takes steps of the run, before sums of noise are made."""
        self._named = 0
        self.seen: list[Value] = []
        """The results of draws that the observer sees."""

    def choice(self, ways: int) -> int:
        """Which of several ways the path goes."""
        at = len(self.widths)
        self.widths.append(ways)
        return self.choices[at] if at < len(self.choices) else 0

    def draw(self, law: Law) -> Value:
        """The outcome of a draw on this path."""
        value, chance = law[self.choice(len(law))]
        self.weight = self.weight * chance
        return value

    # --- numbers that are not known yet ----------------------------------------------------------------------------

    def noisy_weight(self) -> Weight:
        """The weight as a function of noises, of which there may be none."""
        if self.alone:
            raise NeedsState
        return self.weight if isinstance(self.weight, Weight) else Weight() * self.weight

    def split(self, weights: Sequence[Weight]) -> int:
        """Which of several ways the path goes; each has the weight that the state has on it."""
        way = self.choice(len(weights)) if len(weights) > 1 else 0
        self.weight = weights[way]
        return way

    def new_noise(self) -> Noise:
        """A name that no noise of this path has had."""
        self._named = max(self._named, self.noisy_weight().unused()) + 1
        return self._named - 1

    def noise(self, ratio: Element) -> Noise:
        """The name of a new two-sided geometric noise."""
        weight, name = self.noisy_weight(), self.new_noise()
        self.weight = weight.with_noise(name, ratio)
        return name


_followed: list[Path] = [Path(alone=True)]


def current() -> Path:
    """The path that is followed now: comparisons of numbers that are not known split it."""
    return _followed[-1]


def outcomes(
    action: Callable[[Path], Result],
    weight: StateWeight = Fraction(1),
    *,
    alone: bool = False,
    pay: Callable[[int], None] | None = None,
) -> Iterator[tuple[Result, Any]]:
    """The result and the probability of each path of an action that draws from the path which it is given.

    `weight` is that of the state in which the paths begin; `alone` says that there is none. `pay` takes the steps that
    sums of noise cost.

    >>> coin = [("heads", Fraction(1, 3)), ("tails", Fraction(2, 3))]
    >>> [(text, str(p)) for text, p in outcomes(lambda path: path.draw(coin))]
    [('heads', '1/3'), ('tails', '2/3')]
    """
    pending: list[tuple[int, ...]] = [()]
    while pending:
        choices = pending.pop()
        path = Path(choices, weight, alone=alone)
        path.pay = pay or path.pay
        _followed.append(path)
        try:
            result = action(path)
        finally:
            _followed.pop()
        yield result, path.weight
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
