"""Several runs of one mechanism, decided again: each list of outputs by how often each likelihood ratio comes in it.

The law of k independent outputs gives a list with counts c₁, …, c_m of the ratios the probability k!/Π cⱼ! · Π pⱼ^cⱼ,
and the same with q. Both are added up as integers, list by list; then the comparisons are decided as those of one run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .comparisons import Asked, Comparison
from .definitions import DEFINITIONS
from .judge import Decision
from .laws import Grouped, Laws, Resolved, in_order
from .models import Model
from .number_text import epsilon_of, require_number
from .numbers import BeyondLimits, Number, Unsupported, long_numbers, rational

MOST_LISTS = 200_000
"""Most lists of ratios of all runs, for each comparison."""


class RunLaws:
    """The laws of one run, put together for all runs."""

    def __init__(self, single: Laws, times: int) -> None:
        self.single, self.times = single, times
        self.known: dict[int, Grouped] = {}

    def resolve(self, c: Comparison) -> list[Resolved]:
        """The two laws of a comparison, whose outputs are lists by their ratios."""
        (term,) = self.single.resolve(c)
        at = id(term.by_ratio)
        if at not in self.known:
            self.known[at] = composed(term.by_ratio, self.times)
        return [term._replace(by_ratio=self.known[at])]


def composed(grouped: Grouped, times: int) -> Grouped:
    """The masses of k runs by the ratio: what both laws can produce list by list, and all that one alone can."""
    both = [(ratio, p, q) for ratio, p, q in grouped.counts if p and q]
    p_total, q_total = grouped.p_total**times, grouped.q_total**times
    number = math.comb(times + len(both) - 1, times)
    if number > MOST_LISTS:
        raise BeyondLimits(f"{number:,} lists of all runs, and at most {MOST_LISTS:,} are added up")
    rows = list(lists([(p, q) for _, p, q in both], times)) if both else []
    scale = Fraction(q_total, p_total)
    weighed: list[tuple[Fraction | None, int, int]] = [(Fraction(p, q) * scale, p, q) for p, q in rows]
    alone = p_total - sum(p for p, _ in rows), q_total - sum(q for _, q in rows)
    weighed += [(None, alone[0], 0)] if alone[0] else []
    weighed += [(Fraction(0), 0, alone[1])] if alone[1] else []
    return Grouped(in_order(weighed), p_total, q_total)


def lists(masses: Sequence[tuple[int, int]], times: int) -> Iterator[tuple[int, int]]:
    """The masses of the lists with each way to choose how often each ratio comes."""
    if len(masses) == 1:
        yield masses[0][0] ** times, masses[0][1] ** times
        return
    for count in range(times + 1):
        orders, (p, q) = math.comb(times, count), masses[0]
        for p_rest, q_rest in lists(masses[1:], times - count):
            yield orders * p**count * p_rest, orders * q**count * q_rest


class OfRuns(Decision):
    """A decision about all runs together."""

    def __init__(self, asked: Asked, key: str, epsilon: Number | None, delta: Fraction, times: int) -> None:
        self.times = times
        super().__init__(asked, DEFINITIONS[key], epsilon, delta)

    def _decide(self) -> str:
        self.laws = RunLaws(self.laws, self.times)  # type: ignore[assignment]
        return super()._decide()


def verify(answer: Mapping[str, Any], model: Model) -> None:
    """Compare the smallest ε at each δ, and the smallest δ at each ε, of k runs with what is decided here.

    Raises:
        Rejected: where one is another number.

    """
    key, times = str(answer["definition"]), int(answer["times"])
    if key not in DEFINITIONS or DEFINITIONS[key].measure != "hockey-stick":
        raise Unsupported(f"runs of {key}")
    asked = Asked(model, "default", None)
    with long_numbers():
        for point in answer["epsilon_at"]:
            decided = OfRuns(asked, key, None, rational(point["at"], "delta"), times)
            require_number({"tight_epsilon": point["value"]}, "tight_epsilon", decided.tight_epsilon)
        for point in answer["delta_at"]:
            decided = OfRuns(asked, key, epsilon_of(point["at"]), Fraction(0), times)
            require_number({"tight_delta": point["value"]}, "tight_delta", decided.tight_delta)
