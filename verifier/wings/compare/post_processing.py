"""Whether one mechanism is a post-processing of another, on all databases at once: one exact linear program.

With the laws A(D, o) and B(D, b), B is a post-processing of A iff a channel K has A·K = B. The program

    max Σ_D Σ_o Σ_b A(D, o)·K(o, b)   with   Σ_b K(o, b) ≤ 1,   Σ_o A(D, o)·K(o, b) ≤ B(D, b),   K ≥ 0

has the number of databases as its value iff there is one. Else the multipliers w(D, b) of the last rows give a decision
problem (Blackwell): a database is drawn uniformly, and who names b gains g(D, b) = 1 - w(D, b). Naming what B puts out
gains more than anything that is done with the output of A: Σ B·g > Σ_o max_b Σ_D A(D, o)·g(D, b). What is added to the
gains on one database, or multiplied with all, changes nothing, and databases on which all gains are alike play no part.

Where the columns of A are independent, at most one K is there: elimination finds it without the program (`_inverted`).
Databases with the same two laws are one row, and outputs that are proportional on all rows are one output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from verifier.definitions.answer import Valued, Whole
from verifier.errors import LimitError, UndecidedError
from verifier.machine.extras import how_to_install
from verifier.numbers.guess import has_highs
from verifier.numbers.linear import LinearProgram
from verifier.numbers.rational import fmpq_of, fraction_of

ZERO, ONE = Fraction(0), Fraction(1)
MOST_CELLS, MOST_GUESSED, MOST_STEPS = 60_000, 1_000_000, 1 << 22
"""Largest program (rows times variables) that the simplex method solves alone, and with the guesses of HiGHS; most
steps of an elimination."""
Laws = Sequence[Mapping[str, Fraction]]
"""Laws of outputs, which are texts, one for each row."""
Table = dict[str, dict[str, Fraction]]
Prices = list[dict[int, Fraction]]
"""For each output of B the price on each row; none where there is a channel."""


@dataclass(frozen=True)
class Decision(Valued):
    """A choice between `outputs` that one mechanism serves better: naming b on a database D gains `gains[D][b]`.

    A database is drawn uniformly from those of `databases`. `gained` is what naming the output of the better mechanism
    gains on average, and `other` the most that anybody gains who sees the output of the other one.
    """

    databases: tuple[list[Any], ...]
    gains: tuple[dict[str, Fraction], ...]
    gained: Fraction
    other: Fraction

    def fields(self) -> dict[str, Any]:
        """The choice in JSON; no number is cut."""
        rows = zip(self.databases, self.gains, strict=True)
        return {
            "gains": [{"database": database, "gain": Whole(gain)} for database, gain in rows],
            "gained": Whole(self.gained),
            "other": Whole(self.other),
        }


@dataclass(frozen=True)
class PostProcessing(Valued):
    """Whether a mechanism is a post-processing of the other: by a channel, or not for a decision; None: undecided.

    `closed` has the definitions in which it is then at least as private, since they are closed under post-processing;
    `where` has those of which that is proved under a condition.
    """

    holds: bool | None
    channel: Table | None = None
    """The law of the output for each output of the other mechanism."""
    decision: Decision | None = None
    reason: str = ""
    closed: tuple[str, ...] = ()
    where: Mapping[str, str] | None = None

    def __bool__(self) -> bool:
        """Whether it is one.

        Raises:
            UndecidedError: where that is not decided.

        """
        if self.holds is None:
            raise UndecidedError(f"whether it is a post-processing is undecided: {self.reason}")
        return self.holds

    def fields(self) -> dict[str, Any]:
        """What proves the answer, in JSON."""
        channel = None if self.channel is None else Whole(self.channel)
        return {
            "channel": channel,
            "decision": self.decision,
            "reason": self.reason or None,
            "closed": self.closed,
            "where": self.where or {},
        }


class _Merged(NamedTuple):
    """Outputs that are proportional on all rows: the share of each, and their probability together on each row."""

    shares: dict[str, Fraction]
    masses: dict[int, Fraction]


def _merged(laws: Laws) -> list[_Merged]:
    columns: dict[str, dict[int, Fraction]] = {}
    for row, law in enumerate(laws):
        for output, chance in law.items():
            columns.setdefault(output, {})[row] = chance
    alike: dict[tuple[tuple[int, Fraction], ...], dict[str, Fraction]] = {}
    for output, column in columns.items():
        total = sum(column.values(), ZERO)
        alike.setdefault(tuple((row, chance / total) for row, chance in column.items()), {})[output] = total
    found = []
    for profile, totals in alike.items():
        total = sum(totals.values(), ZERO)
        shares = {output: each / total for output, each in totals.items()}
        found.append(_Merged(shares, {row: share * total for row, share in profile}))
    return found


def post_processing(source: Laws, image: Laws, databases: Sequence[list[Any]]) -> PostProcessing:
    """Decide whether the laws of `image` are a post-processing of those of `source`, row by row of `databases`.

    Raises:
        LimitError: where the linear program is too large; before it is solved.

    """
    ours, theirs = _merged(source), _merged(image)
    point, prices = _inverted(ours, theirs, len(source)) or _programmed(ours, theirs, len(source))
    if not prices:
        return PostProcessing(holds=True, channel=dict(_channel(ours, theirs, point)))
    gains = _gains(prices, theirs)
    kept = [k for k, gain in enumerate(gains) if any(gain.values())]
    gains = [gains[k] for k in kept]
    gained, other = gain_of_output([image[k] for k in kept], gains), most_gain([source[k] for k in kept], gains)
    if gained <= other:
        raise ArithmeticError("the prices are no decision that the image serves better")
    named = tuple(databases[k] for k in kept)
    decision = Decision(named, tuple(gains), gained / len(kept), other / len(kept))
    return PostProcessing(holds=False, decision=decision)


def _inverted(
    ours: Sequence[_Merged], theirs: Sequence[_Merged], number: int
) -> tuple[dict[Any, Fraction], Prices] | None:
    """What the program finds, where the columns of A are independent: T·A = (I, 0) leaves one K, the top of T·B.

    Below K the entries of a row add up to 0. A negative entry (i, b) is a decision: with the prices T(i, D) of b alone,
    naming b pays nothing for an output of A. None where columns depend on each other, or there are too many.
    """
    width = len(ours)
    if width > number or number * number * (width + number) > MOST_STEPS:
        return None
    matrix = fmpq_mat(number, width + number)
    for i, seen in enumerate(ours):
        for d, chance in seen.masses.items():
            matrix[d, i] = fmpq_of(chance)
    for d in range(number):
        matrix[d, width + d] = fmpq(1)
    reduced, _ = matrix.rref()
    if any(reduced[i, i] != 1 for i in range(width)):
        return None
    point: dict[Any, Fraction] = {}
    for j, out in enumerate(theirs):
        for i in range(number):
            value = sum((reduced[i, width + d] * fmpq_of(chance) for d, chance in out.masses.items()), fmpq(0))
            if value < 0:
                prices: Prices = [dict.fromkeys(range(number), ZERO) for _ in theirs]
                prices[j] = {d: fraction_of(reduced[i, width + d]) for d in range(number)}
                return {}, prices
            point[i, j] = fraction_of(value)
    return point, []


def _programmed(
    ours: Sequence[_Merged], theirs: Sequence[_Merged], number: int
) -> tuple[Mapping[Any, Fraction], Prices]:
    """The channel that the linear program finds, else the prices w(D, b) of its multipliers.

    Where B never puts out b, w is the least at which no output of A pays that may come there.
    """
    rows: dict[Any, Any] = {("sum", i): ({}, ONE) for i in range(len(ours))}
    rows |= {(d, j): ({}, chance) for j, out in enumerate(theirs) for d, chance in out.masses.items()}
    variables = [
        (i, j) for i, seen in enumerate(ours) for j, out in enumerate(theirs) if seen.masses.keys() <= out.masses.keys()
    ]
    _afford(len(variables), len(rows))
    for i, j in variables:
        rows["sum", i][0][i, j] = ONE
        for d, chance in ours[i].masses.items():
            rows[d, j][0][i, j] = chance
    costs = [sum(seen.masses.values(), ZERO) for seen in ours]
    best = LinearProgram(variables, rows).maximise({(i, j): costs[i] for i, j in variables})
    if best.value == number:
        return best.point, []
    prices = [{d: best.multipliers.get((d, j), ZERO) for d in out.masses} for j, out in enumerate(theirs)]
    for j, out in enumerate(theirs):
        never = ZERO
        for i, seen in enumerate(ours):
            beside = sum((chance for d, chance in seen.masses.items() if d not in out.masses), ZERO)
            if beside:
                paid = sum((chance * prices[j][d] for d, chance in seen.masses.items() if d in out.masses), ZERO)
                never = max(never, (costs[i] - best.multipliers.get(("sum", i), ZERO) - paid) / beside)
        prices[j].update((d, never) for d in range(number) if d not in out.masses)
    return {}, prices


def _afford(variables: int, rows: int) -> None:
    """Refuse a linear program that would take too long."""
    cells, most = variables * rows, MOST_GUESSED if has_highs() else MOST_CELLS
    if cells > most:
        raise LimitError(
            f"the linear program has {variables:,} variables and {rows:,} constraints",
            wanted=f"at most {most:,} for their product",
            tip="fewer records, values or outputs" if has_highs() else how_to_install("linear"),
        )


def _channel(
    ours: Sequence[_Merged], theirs: Sequence[_Merged], point: Mapping[Any, Fraction]
) -> Iterator[tuple[str, dict[str, Fraction]]]:
    """The channel on the outputs themselves: what is merged has one row, and is split by its shares."""
    for i, seen in enumerate(ours):
        law = {
            output: chance * share
            for j, out in enumerate(theirs)
            if (chance := point.get((i, j), ZERO))
            for output, share in out.shares.items()
        }
        yield from ((output, law) for output in seen.shares)


def _gains(prices: Prices, theirs: Sequence[_Merged]) -> list[dict[str, Fraction]]:
    """The gains of prices, moved on each row so that the least is 0, with 1 as the largest."""
    rows = range(len(prices[0]))
    highest = [max(price[d] for price in prices) for d in rows]
    scale = max(highest[d] - price[d] for price in prices for d in rows)
    return [
        {o: (highest[d] - price[d]) / scale for price, out in zip(prices, theirs, strict=True) for o in out.shares}
        for d in rows
    ]


def gain_of_output(laws: Laws, gains: Sequence[Mapping[str, Fraction]]) -> Fraction:
    """Σ_D Σ_b B(D, b)·g(D, b): what naming the output itself gains, summed over the rows."""
    return sum((chance * gain[o] for law, gain in zip(laws, gains, strict=True) for o, chance in law.items()), ZERO)


def most_gain(laws: Laws, gains: Sequence[Mapping[str, Fraction]]) -> Fraction:
    """Σ_o max_b Σ_D A(D, o)·g(D, b): the most that the output of A lets anybody gain, summed over the rows."""
    seen: dict[str, dict[str, Fraction]] = {}
    for law, gain in zip(laws, gains, strict=True):
        for output, chance in law.items():
            sums = seen.setdefault(output, dict.fromkeys(gain, ZERO))
            for b, each in gain.items():
                sums[b] += chance * each
    return sum((max(sums.values()) for sums in seen.values()), ZERO)
