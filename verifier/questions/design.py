"""The p-table of the cell key method that leaks least under an office's constraints, and the proof of it.

M[i][j] is the probability that a count i is published as j ≥ 0. Each row sums to 1, is unbiased, has variance at most V
(or exactly V, but for row 0, which publishes 0), and publishes no j with |i - j| > D and none of 1..js. At e^ε = t

    δ = max over i and both orders of Σ_j max(0, M[a][j] - t·M[b][j]),  {a, b} = {i, i + 1}.

Counts above the last row use its noise. Two linear programs, at the door: rows up to the last with its shift give the
table; a few first rows alone bound δ for all tables, whatever their other rows are, and their multipliers are the dual.
The two values are equal, which is the proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions.answer import ALL_DIGITS, Decimal, Valued
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.machine.extras import how_to_install
from verifier.model.arguments import flag, number, takes
from verifier.numbers import Epsilon, exact_text, rational
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.guess import has_highs
from verifier.numbers.linear import LinearProgram
from verifier.numbers.simplex import Optimum
from verifier.recheck import confirm_p_table

MOST_NOISE = 20
"""Largest D."""
MOST_FORBIDDEN = 10
"""Largest js."""
MOST_CELLS = 60_000
"""Largest program that the simplex method solves alone."""
ZERO, ONE = Fraction(0), Fraction(1)
Table = dict[int, dict[int, Fraction]]


class Constraints(NamedTuple):
    """What an office asks of its p-table: D, V, whether the variance is exactly V, js, and the ε of δ."""

    max_noise: int
    variance: Fraction
    exact_variance: bool
    never_1_to: int
    epsilon: Epsilon

    @property
    def bound(self) -> Fraction:
        """(2a - V)/(a(a + 1)) with V at most D and a = 1 + ⌊V⌋, which no table is below at any ε.

        X > 0 published for a count of 1 is never published for 0. For integers x ≥ 0 is 1[x > 0] ≥
        x(2a + 1 - x)/(a(a + 1)), and E[X] = 1, E[X²] ≤ 1 + V, and ≤ 1 + D, as X ≤ 1 + D.
        """
        variance = min(self.variance, Fraction(self.max_noise))
        a = 1 + variance.__floor__()
        return (2 * a - variance) / (a * (a + 1))

    def published(self, i: int) -> list[int]:
        """The values as which a count i may be published."""
        near = range(max(0, i - self.max_noise), i + self.max_noise + 1)
        return [j for j in near if not 0 < j <= self.never_1_to]


class DualTest(NamedTuple):
    """What count `of` shows against count `against` in the dual: its weight, and at most that on each output."""

    of: int
    against: int
    weight: Fraction
    events: dict[int, Fraction]


class RowPrices(NamedTuple):
    """The multipliers of the constraints of the row of a count."""

    i: int
    sum: Fraction
    mean: Fraction
    variance: Fraction


@dataclass(frozen=True)
class DesignedTable(Valued):
    """The table that leaks least under constraints, its δ, and the dual that proves it.

    >>> designed = design_table(max_noise=1, variance=1, epsilon="ln(2)")
    >>> print(designed)
    the p-table that leaks least has δ = 1/2 at ε = ln(2); no table is below 1/2 at any ε
    >>> print(designed.csv.splitlines()[2])
    1,0,1/2
    """

    constraints: Constraints
    least_delta: Fraction
    table: Table
    pairs: tuple[DualTest, ...] = field(repr=False)
    rows: tuple[RowPrices, ...] = field(repr=False)

    def __str__(self) -> str:
        asked = self.constraints
        return (
            f"the p-table that leaks least has δ = {exact_text(self.least_delta)} at ε = {asked.epsilon}; "
            f"no table is below {exact_text(asked.bound)} at any ε"
        )

    @property
    def lines(self) -> list[tuple[int, int, Fraction]]:
        """The count i, the published j, and its probability p, where it is not 0."""
        return [(i, j, p) for i, row in self.table.items() for j, p in row.items()]

    @property
    def csv(self) -> str:
        """The table as a file that `cell keys FILE` of a rule reads."""
        return "".join(["i,j,p\n", *(f"{i},{j},{exact_text(p)}\n" for i, j, p in self.lines)])

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp rule --design --json`, which the checker reads."""
        asked = self.constraints
        return {
            "schema": 1,
            "kind": "p-table",
            **asked._asdict(),
            "least_delta": self.least_delta,
            "least_delta_decimal": Decimal(self.least_delta),
            "bound": asked.bound,
            "bound_decimal": Decimal(asked.bound),
            "table": [{"i": i, "j": j, "p": p} for i, j, p in self.lines],
            "dual": {
                "pairs": [
                    {**one._asdict(), "events": [{"j": j, "share": share} for j, share in one.events.items()]}
                    for one in self.pairs
                ],
                "rows": [one._asdict() for one in self.rows],
            },
            "replayed": True,
        }


@takes(max_noise=number(1), exact_variance=flag, never_1_to=number(0))
def design_table(
    *, max_noise: int, variance: object, epsilon: object, never_1_to: int = 0, exact_variance: bool = False
) -> DesignedTable:
    """The p-table with the least δ at ε among all that are unbiased, with bounded noise and variance.

    The noise is at most `max_noise`, and no count is published as 1, …, `never_1_to`; the variance is at most, or
    exactly, `variance`. The checker adds up the table and the dual again.

    Raises:
        InputError: for constraints that no table satisfies; it says which count is in the way.
        UnsupportedError: for an ε whose e^ε is not rational.
        LimitError: for a program that is too large.

    """
    asked = Constraints(
        max_noise,
        rational(variance, "variance", "a variance"),
        exact_variance,
        never_1_to,
        read_epsilon(epsilon, "epsilon"),
    )
    _refuse(asked)
    last = max_noise + never_1_to + 1
    optimum = _optimum(asked, last, reused=True)
    table = {i: {j: p for j in asked.published(i) if (p := optimum.point["published", i, j])} for i in range(last + 1)}
    for rows in range(1, last + 1):
        proof = _optimum(asked, rows, reused=False)
        if proof.value == optimum.value:
            designed = DesignedTable(asked, -optimum.value, table, *_dual(proof.multipliers, rows))
            confirm_p_table(designed.to_json(ALL_DIGITS))
            return designed
    raise LimitError(
        f"a table leaks δ = {exact_text(-optimum.value)}, and it is proved only that none is below "
        f"{exact_text(-proof.value)}",
        tip="other constraints",
    )


def _refuse(asked: Constraints) -> None:
    """Refuse constraints that no table satisfies, and too large a program.

    A count i ≤ js is published as 0, or as more than js: X(X - js - 1) ≥ 0, so that its variance is at least
    i(js + 1 - i), which the two values 0 and js + 1 have. With noise of at most D it is at most D for a count of 1.
    """
    noise, variance, exact, forbidden, epsilon = asked
    if noise > MOST_NOISE or forbidden > MOST_FORBIDDEN:
        raise LimitError(
            f"noise of at most {noise} without 1 to {forbidden} is a large program",
            wanted=f"at most {MOST_NOISE} and {MOST_FORBIDDEN}",
        )
    if noise < forbidden:
        raise InputError(
            f"a count of 1 is published as 0 or as more than {forbidden}, which noise of at most {noise} never reaches",
            where="max_noise",
            wanted=f"at least {forbidden}",
        )
    i = (forbidden + 1) // 2
    least = Fraction(i * (forbidden + 1 - i))
    if variance < least:
        raise InputError(
            f"the variance {exact_text(variance)} is too small"
            + (f": a count of {i} is published as 0 or as more than {forbidden}, without bias" if least else ""),
            where="variance",
            wanted=f"at least {least}",
        )
    if exact and variance > noise:
        raise InputError(
            f"a count of 1 with noise of at most {noise} has no variance of {exact_text(variance)}",
            where="variance",
            wanted=f"at most {noise}, or a variance that is not exact",
        )
    if epsilon.rational_exp is None:
        raise UnsupportedError(
            f"e^ε is not rational at ε = {epsilon}",
            where="epsilon",
            wanted='ε = "ln(p/q)", for an exact linear program',
        )


def _optimum(asked: Constraints, last: int, *, reused: bool) -> Optimum:
    """The optimum of max -δ over the rows 0..last; `reused`: the next row is the last one with its noise.

    Raises:
        LimitError: for a program that the simplex method alone would have to solve, where HiGHS is not installed.

    """
    variables, rows = _program(asked, last, reused=reused)
    cells = len(variables) * len(rows)
    if cells > MOST_CELLS and not has_highs():
        raise LimitError(
            f"the linear program has {len(variables):,} variables and {len(rows):,} constraints, and HiGHS, which "
            "guesses its optimum, is not installed",
            wanted="less noise, or the extra `linear`",
            tip=how_to_install("linear"),
        )
    return LinearProgram(variables, rows).maximise({"delta": -ONE})


def _program(asked: Constraints, last: int, *, reused: bool) -> tuple[list[Any], dict[Any, Any]]:
    t = asked.epsilon.rational_exp or ONE
    variables: list[Any] = [("published", i, j) for i in range(last + 1) for j in asked.published(i)]
    known = set(variables)
    rows: dict[Any, Any] = {}
    for i in range(last + 1):
        values = asked.published(i)
        rows["sum", i] = {("published", i, j): ONE for j in values}, ONE, True
        rows["mean", i] = {("published", i, j): Fraction(j - i) for j in values if j != i}, ZERO, True
        if i:
            spread = {("published", i, j): Fraction((j - i) ** 2) for j in values if j != i}
            rows["variance", i] = spread, asked.variance, asked.exact_variance

    def at(i: int, j: int) -> Any:
        name = ("published", last, j - (i - last)) if i > last else ("published", i, j)
        return name if name in known else None

    for i in range(last + reused):
        for a, b in ((i, i + 1), (i + 1, i)):
            leaked: dict[Any, Fraction] = {"delta": -ONE}
            for j in asked.published(a):
                p, q = at(a, j), at(b, j)
                if p is None:
                    continue
                if q is None:
                    leaked[p] = ONE
                    continue
                variables.append(("leak", a, b, j))
                leaked["leak", a, b, j] = ONE
                row = {("leak", a, b, j): -ONE, p: ONE}
                row[q] = row.get(q, ZERO) - t
                rows["leak", a, b, j] = row, ZERO
            rows["pair", a, b] = leaked, ZERO
    return [*variables, "delta"], rows


def _dual(multipliers: Mapping[Any, Fraction], last: int) -> tuple[tuple[DualTest, ...], tuple[RowPrices, ...]]:
    """The tests and the prices of the rows, which are multipliers; an output of `of` alone has its weight."""
    pairs = []
    for (_, *name), weight in _of("pair", multipliers):
        a, b = name
        events = {j: y for (_, of, against, j), y in _of("leak", multipliers) if (of, against) == (a, b) and y}
        if weight:
            pairs.append(DualTest(a, b, weight, events))
    prices = [
        RowPrices(i, -multipliers["sum", i], -multipliers["mean", i], multipliers.get(("variance", i), ZERO))
        for i in range(last + 1)
    ]
    return tuple(pairs), tuple(price for price in prices if any(price[1:]))


def _of(kind: str, multipliers: Mapping[Any, Fraction]) -> Iterable[tuple[Any, Fraction]]:
    return ((name, y) for name, y in multipliers.items() if name[0] == kind)
