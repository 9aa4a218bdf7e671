"""The independent re-check of an exchange rate with δ: lines that no mechanism exceeds, each attained by one.

Let M be (ε, δ)-A, S any set of outputs, m(D) = P[M(D) ∈ S], x = e^ε. The definition says of S and of its complement

    a·m - x^c·b·m ≤ δ   and   a·(1 - m) - x^c·b·(1 - m) ≤ δ   for each row (a, b, c) of A.

So for λ, μ ≥ 0 and 0 ≤ m ≤ 1 a row (p, q, c) of B has, at y = e^(c·ε′),

    p·m - y·q·m ≤ Σ λ·δ + Σ μ·(δ + x^c - 1) + Σ_D max(0, p - y·q - Σ (λ - μ)·(a - x^c·b)).

That is added up at each y where a line begins, the first at 1, each where the line before ends. What a row needs is
convex in y: on a line between two such y no row needs more; after the last none does, since it falls and the last line
is constant. Each line is attained by a mechanism with two outputs that is (ε, δ)-A. The rows are listed here from the
worlds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from verifier.checker import events
from verifier.checker.curves import Curve, power
from verifier.checker.definitions import DEFINITIONS, linear
from verifier.checker.exchange import (
    DatabaseLaw,
    Row,
    add,
    column_of,
    entry_of,
    factor_of,
    finite_epsilon,
    line_of,
    row_of,
    rows_of,
)
from verifier.checker.numbers import Rejected, expectation, number
from verifier.checker.rejected import reading
from verifier.checker.setting import Setting, telling
from verifier.checker.survey import SURVEY, WORST
from verifier.checker.written import ONE, ZERO, need

NO_ROW = "a row is named that is none"
OF_BELIEFS = (events.of_records, events.of_databases, events.membership)
"""Builders of rows about beliefs: there δ is added to the probability of a belief, not of an event."""


class Line(NamedTuple):
    """δ′ = above - below·y for all y = e^(c·ε′) ≥ start, until the next line begins."""

    start: Fraction
    above: Fraction
    below: Fraction

    def at(self, y: Fraction) -> Fraction:
        """δ′ at a y."""
        return self.above - self.below * y


class Assumed(NamedTuple):
    """A row (a, b, c) of A as the line a - x^c·b with its factor x^c = e^(c·ε), and the δ of A."""

    line: DatabaseLaw
    factor: Fraction
    delta: Fraction

    def allows(self, column: DatabaseLaw) -> bool:
        """Whether a·m - x^c·b·m ≤ δ for an event with the probabilities m(D)."""
        return bool(expectation(self.line, column) <= self.delta)


@reading("the certificate is damaged")
def replay_exchange_delta(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of an exchange rate with δ.

    Raises:
        Rejected: where it does not prove its curve.

    """
    if certificate["schema"] != "pkdp exchange delta 1":
        raise Rejected("this is no certificate of an exchange rate with δ")
    setting = telling(Setting({**certificate, "mechanism": []}))
    assumed_epsilon, delta = finite_epsilon(certificate["epsilon"]), number(certificate["delta"])
    need(delta <= 1, "δ is above 1")
    if delta:
        _bounds_events(certificate["from"], setting)
    _bounds_events(certificate["to"], setting)
    assumed, target = (rows_of(certificate[side], setting) for side in ("from", "to"))
    assumptions: dict[Hashable, Assumed] = {}
    for key, row in assumed.items():
        factor = _factor(assumed_epsilon, row.scale)
        assumptions[key] = Assumed(line_of(row, factor), factor, delta)
    rows = [row_of(entry) for entry in certificate["rows"]]
    need({row.key for row in rows} == target.keys() and len(rows) == len(target), "the rows are not the definition's")
    need(len({row.scale for row in rows if row.scale}) <= 1, "the rows allow several multiples of ε")
    lines = [Line(*(number(entry[key]) for key in ("start", "above", "below"))) for entry in certificate["pieces"]]
    if not target:
        need(not lines and not certificate["assumed"], "nothing is compared, so that the smallest δ is 0")
        return
    _joined(lines)
    named_rows = [row_of(entry) for entry in certificate["assumed"]]
    need(all(row.key in assumptions for row in named_rows), "a row is assumed that the definition does not have")
    for line, entry in zip(lines, certificate["pieces"], strict=True):
        need(len(entry["multipliers"]) == len(rows), "a row of the definition has no bound")
        for row, multipliers in zip(rows, entry["multipliers"], strict=True):
            terms = [
                (assumptions[entry_of(named_rows, which, NO_ROW).key], output, number(text))
                for which, output, text in multipliers
            ]
            need(_bound(row, line.start, terms) <= line.at(line.start), "the multipliers do not prove their bound")
        _attained(line, entry_of(rows, entry["row"], NO_ROW), column_of(entry["column"], setting), assumptions.values())


def _factor(text: str, scale: Fraction) -> Fraction:
    """e^(c·ε), which is rational; 1 at ε = 0."""
    return ONE if power(text).value == 1 or not scale else factor_of(text, scale)


def _bounds_events(key: str, setting: Setting) -> None:
    """Refuse a definition of which δ bounds something else than each hockey-stick divergence of two laws of outputs."""
    scheme = SURVEY.get(key)
    if key in DEFINITIONS:
        bounds_events = linear(key) and not DEFINITIONS[key].averages
    elif scheme is not None:
        builder = scheme.rows.func if isinstance(scheme.rows, partial) else scheme.rows
        bounds_events = scheme.measure(setting) == Curve() and scheme.counts == WORST and builder not in OF_BELIEFS
    else:
        bounds_events = False
    need(bounds_events, f"{str(key)[:40]} is no list of hockey-stick divergences")


def _joined(lines: list[Line]) -> None:
    """The lines begin at y = 1, fall less and less, meet where they change, and end in a constant."""
    need(lines and lines[0].start == 1 and lines[-1].below == 0, "the lines do not lead from ε = 0 to a constant")
    for line, after in pairwise(lines):
        need(line.start < after.start and line.below > after.below, "a line is out of order")
        need(line.at(after.start) == after.at(after.start), "two lines do not meet")


def _bound(row: Row, y: Fraction, terms: Iterable[tuple[Assumed, Any, Fraction]]) -> Fraction:
    """What no event exceeds: the right-hand side above; `output` is 1 for an event, 0 for its complement."""
    excess, paid = line_of(row, y if row.scale else ONE), ZERO
    for (line, factor, delta), output, price in terms:
        need(output in ("1", "0"), "a multiplier is of an event, or of its complement")
        paid += price * (delta if output == "1" else delta + factor - 1)
        add(excess, line, -price if output == "1" else price)
    return paid + sum((value for value in excess.values() if value > 0), ZERO)


def _attained(line: Line, row: Row, column: DatabaseLaw, assumptions: Iterable[Assumed]) -> None:
    """The mechanism with this column satisfies every row of A, and the row of B needs the whole line of it."""
    other = {database: 1 - chance for database, chance in column.items()}
    for bounding in assumptions:
        fine = bounding.allows(column) and bounding.allows(other)
        need(fine, "a mechanism does not satisfy what is assumed")
    above, below = expectation(row.p, column), expectation(row.q, column)
    needed = (above, below) if row.scale else (above - below, ZERO)
    need(needed == (line.above, line.below), "a mechanism does not need its line")
