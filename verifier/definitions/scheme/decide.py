"""From rows to a verdict: the bound of each row, what the aggregation makes of a group, and the worst group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from verifier.definitions.measure import TAIL
from verifier.definitions.pairs import Pair, Sum
from verifier.definitions.scheme.bounds import Bound, Curve, Number, bound_of, comparison_of, settled
from verifier.definitions.scheme.concentrated import (
    approximately_concentrated,
    concentrated,
    concentrated_to_omega,
    mean_concentrated,
    truncated,
    truncated_by_xi,
)
from verifier.definitions.scheme.conditions import CONDITIONS, Condition, restricted, trimmed
from verifier.definitions.scheme.gaussian import GAUSSIAN
from verifier.definitions.scheme.measures import Measure, Scalar, measure_in
from verifier.definitions.scheme.reals import Real, enclosure, larger, may_be_largest, order, times
from verifier.definitions.scheme.rows import MOST_KEPT, ONE, Builder, Case, Group, Row, Setting, groups_of
from verifier.definitions.scheme.views import VIEWS, View, databases_in
from verifier.definitions.verdict import NO_DELTA, Verdict, answering
from verifier.definitions.witness import Compared, Witness
from verifier.engine import Engine
from verifier.errors import LimitError, UndecidedError, UnsupportedError
from verifier.numbers import INFINITY, ZERO, Delta, Enclosure, Epsilon, Order, exact_text, plural

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition

MOST_COMPARED = 1 << 17
"""Most pairs of laws of one definition."""
Value = TypeVar("Value")
SPECIAL: dict[str, Callable[[Setting], Measure]] = {
    "trimmed": trimmed,
    "restricted": restricted,
    "gaussian": lambda _setting: GAUSSIAN,
    "concentrated": concentrated,
    "concentrated-approximately": approximately_concentrated,
    "concentrated-to-omega": concentrated_to_omega,
    "concentrated-truncated": truncated,
    "concentrated-below-xi": truncated_by_xi,
    "sub-gaussian": mean_concentrated,
}
"""Measures with parameters of their own."""
KIND = "scheme"
"""The kind of such a definition's witnesses."""
NOTHING = "nothing is compared: no two databases, or laws, are related"


class SeenRow(NamedTuple):
    """A row with one view of it, the two laws of what the attacker sees."""

    row: Row
    view: View

    @property
    def compared(self) -> Compared:
        """The comparison as a sentence, with the multiple of ε that it is allowed."""
        allowed = "" if self.row.scale == 1 else f", and {exact_text(self.row.scale)}·ε is allowed"
        if self.view.compared is not None:
            return self.view.compared._replace(sentence=f"{self.view.compared.sentence}{allowed}.")
        first, second = self.row.names
        return Compared(f"{first} is compared with {second}{_beside(self.view)}{allowed}.")


class Judged(NamedTuple):
    """The bound of a row, or of the average of a group, with the row, its group and its case."""

    bound: Bound
    seen: SeenRow
    group: Group
    case: Case


def _seen(setting: Setting, view: str, case: Case) -> Iterator[SeenRow]:
    for row in case.rows:
        for seen in VIEWS[view](setting, row) if row.seen is None else row.seen:
            yield SeenRow(row, seen)


def _seen_in(setting: Setting, view: str, group: Group) -> Iterable[tuple[Case, SeenRow]]:
    """The rows of a group as they are seen, with their cases; of few rows they are kept with the group."""
    if view in group.kept:
        return list(group.kept[view])
    listed = ((case, seen) for case in group.cases for seen in _seen(setting, view, case))
    if sum(len(case.rows) for case in group.cases) > MOST_KEPT:
        return listed
    group.kept[view] = list(listed)
    return list(group.kept[view])


def worst(setting: Setting, measure: Measure, view: str, group: Group) -> Iterator[Judged]:
    """Yield the bound of each row; rows with the same laws and the same multiple of ε are judged once."""
    known: set[tuple[int, Fraction]] = set()
    for case, seen_row in _seen_in(setting, view, group):
        key = id(seen_row.view.pair), seen_row.row.scale
        if key not in known:
            known.add(key)
            yield Judged(bound_of(measure, seen_row.view.pair, seen_row.row.scale), seen_row, group, case)


def average(setting: Setting, measure: Measure, view: str, group: Group) -> Iterator[Judged]:
    """Yield the bound of the average Σ share·D over the cases of a group, each of one row, whose shares sum to 1."""
    shares = [(case.share, seen_row) for case, seen_row in _seen_in(setting, view, group)]
    if not shares:
        return
    beginning = _words(shares[0][1])
    names = f"On average over {plural(len(shares), 'pair')} of laws, the first of them {beginning}", ""
    first = " with ".join(shares[0][1].row.names)
    sentence = f"The average over {plural(len(shares), 'pair')} of laws counts, the first of which is {first}"
    together = SeenRow(Row((), (), ONE, names), View(shares[0][1].view.pair, "", Compared(sentence)))
    if sum((share for share, _ in shares), Fraction(0)) != 1:
        raise ArithmeticError("an average is of cases of one row, whose shares sum to 1")
    if isinstance(measure, Scalar):
        value = measure.average((share, measure.of(seen_row.view.pair)) for share, seen_row in shares)
        yield Judged(Number(value, ONE), together, group, group.cases[0])
        return
    total = lcm(*(share.denominator for share, _ in shares))
    terms = [(int(share * total), seen_row.view.pair) for share, seen_row in shares]
    yield Judged(Curve(comparison_of(terms, total, measure), ONE), together, group, group.cases[0])


def shares(setting: Setting, measure: Measure, view: str, group: Group) -> Iterator[Judged]:
    """Yield the bound of each row; cases of a total share γ may then be left out."""
    for case, seen_row in _seen_in(setting, view, group):
        yield Judged(bound_of(measure, seen_row.view.pair, seen_row.row.scale), seen_row, group, case)


Judge = Callable[[Setting, Measure, str, Group], Iterator[Judged]]
JUDGES: dict[str, Judge] = {"worst": worst, "average": average, "all-but": shares}
"""How the cases of a group count together, by names in entries."""


@dataclass(frozen=True)
class Scheme:
    """The procedure for a definition of DP22's scheme, from its builder, view, measure and aggregation."""

    builder: Builder
    view: str
    measure: str
    aggregation: str = "worst"

    @property
    def has_epsilon(self) -> bool:
        """Whether it bounds something by ε; a condition holds or not at the parameters of the file."""
        return self.measure not in CONDITIONS

    def __call__(
        self, engine: Engine, definition: Definition, epsilon: Epsilon | None, delta: Fraction, reading: str
    ) -> Verdict:
        """Decide the definition that has this scheme; its key and its note stand in the verdict."""
        setting = Setting(definition.key, engine.model, engine, reading)
        answer = answering(engine, definition, epsilon, delta, reading)
        if self.measure in CONDITIONS:
            if epsilon is not None:
                raise UnsupportedError(f"{setting.key} has no ε: its parameters stand in [policy]", tip="ask without ε")
            return self._met(setting, CONDITIONS[self.measure](setting), answer)
        measure = self._measure(setting)
        groups = self._groups(setting, measure)
        judged = [each for group in groups for each in group]
        if not judged:
            return answer("vacuous", NOTHING, None if isinstance(measure, Scalar) else NO_DELTA, ZERO)
        gamma = self._gamma(setting)
        at, tight = _Worst[Real](lambda each: each.bound.epsilon(delta), order, gamma, larger, may_be_largest).of(
            groups
        )
        answer = partial(answer, comparisons=len(judged), multiplicity=len(judged))
        smallest = shown_at = enclosure(tight)
        if isinstance(smallest, Enclosure):
            answer = partial(answer, method="enclosure")
        tight_delta: Delta | None = None
        if isinstance(measure, Scalar) or epsilon is None:
            against = order(tight, INFINITY if epsilon is None else epsilon)
            if against is Order.UNDECIDED:
                return answer(
                    "undecided", f"the smallest ε lies in {smallest}, and is not known better", None, smallest
                )
            holds = against is not Order.GREATER and order(tight, INFINITY) is Order.LESS
        else:
            asked = epsilon
            worst_delta = _Worst[Delta](lambda each: each.bound.delta(asked), Delta.order, gamma, _no_larger)
            worst_at, tight_delta = worst_delta.of(groups)
            holds = tight_delta.order(delta).settled() is not Order.GREATER
            if not holds:
                at, shown_at = worst_at, epsilon
        show = partial(_witness, setting, measure, at, shown_at, attained=holds)
        return answer(
            "holds" if holds else "fails",
            None,
            tight_delta,
            smallest,
            **{"_tightest" if holds else "_witness": show},
        )

    def worst_laws(self, engine: Engine, definition: Definition, delta: Fraction) -> tuple[str, Pair]:
        """The two laws that need the largest ε at δ, with their names.

        Raises:
            UnsupportedError: where no one pair of laws counts, or nothing is compared.

        """
        setting = Setting(definition.key, engine.model, engine)
        if self.measure in CONDITIONS:
            raise UnsupportedError(f"{setting.key} holds or not, so that no pair of laws is the worst")
        if self.aggregation != "worst":
            raise UnsupportedError(f"{setting.key} bounds many pairs of laws together, of which no one counts alone")
        groups = self._groups(setting, self._measure(setting))
        if not groups:
            raise UnsupportedError(f"{setting.key}: {NOTHING}")
        at, _ = _Worst[Real](lambda each: each.bound.epsilon(delta), order, Fraction(0), larger).of(groups)
        pair = at.seen.view.pair
        if sum(pair.p) != pair.total or sum(pair.q or ()) != pair.total:
            raise UnsupportedError(f"{setting.key} compares chances of one event or value, which are no two laws")
        return _words(at.seen), pair

    def _measure(self, setting: Setting) -> Measure:
        """The measure, with its parameters of the file."""
        special = SPECIAL.get(self.measure)
        return special(setting) if special else measure_in(self.measure, setting)

    def _met(self, setting: Setting, condition: Condition, answer: partial[Verdict]) -> Verdict:
        """Whether a condition holds of every row; there is no ε in it."""
        rows = [
            Judged(Number(ZERO, ONE), seen, group, case)
            for group in groups_of(setting, self.builder)
            for case, seen in _seen_in(setting, self.view, group)
        ]
        if not rows:
            return answer("vacuous", NOTHING)
        answer = partial(answer, comparisons=len(rows), multiplicity=len(rows))
        failing = next((row for row in rows if not condition.holds(row.seen.view.pair)), None)
        if failing is None:
            return answer("holds", None)
        return answer("fails", f"the {condition.title} of {_words(failing.seen)} does not hold")

    def _groups(self, setting: Setting, measure: Measure) -> list[list[Judged]]:
        """The bounds of each group that compares anything."""
        judged = (self._judged(setting, measure, group) for group in groups_of(setting, self.builder))
        return [group for group in judged if group]

    def _judged(self, setting: Setting, measure: Measure, group: Group) -> list[Judged]:
        listed: list[Judged] = []
        for judged in JUDGES[self.aggregation](setting, measure, self.view, group):
            listed.append(judged)
            if len(listed) > MOST_COMPARED:
                raise LimitError(f"{setting.key} compares too many pairs of laws", wanted=f"at most {MOST_COMPARED:,}")
        return listed

    def _gamma(self, setting: Setting) -> Fraction:
        """The share that may be left out."""
        if self.aggregation != "all-but":
            return Fraction(0)
        gamma: Fraction = setting.need("gamma")
        return gamma


def _no_larger(first: Delta, second: Delta) -> Delta:
    raise UndecidedError(f"{first} and {second} cannot be told apart")


@dataclass(frozen=True)
class _Worst(Generic[Value]):
    """The worst of all groups by a value, in each of which a share γ of the cases may be left out."""

    value: Callable[[Judged], Value]
    order: Callable[[Value, Value], Order]
    gamma: Fraction
    larger: Callable[[Value, Value], Value]
    may_be_largest: Callable[[Sequence[Value]], Sequence[int]] | None = None
    """The positions of the values that may be the largest; the others are certainly smaller."""

    def of(self, groups: Sequence[Sequence[Judged]]) -> tuple[Judged, Value]:
        """The first row that attains the worst value, and this."""
        return self._largest([self._in(group) for group in groups])

    def _in(self, group: Sequence[Judged]) -> tuple[Judged, Value]:
        """The largest value of a group that more than the share γ of its cases reach."""
        listed = [(judged, self.value(judged)) for judged in group]
        if not self.gamma:
            return self._largest(listed)
        by_case = groupby(listed, key=lambda entry: id(entry[0].case))
        cases = [self._largest(list(rows)) for _, rows in by_case]

        def downwards(x: tuple[Judged, Value], y: tuple[Judged, Value]) -> int:
            return -(settled(self.order(x[1], y[1])).value or 0)

        cases.sort(key=cmp_to_key(downwards))
        left_out = Fraction(0)
        for entry in cases:
            left_out += entry[0].case.share
            if left_out > self.gamma:
                return entry
        return cases[-1]

    def _largest(self, entries: Sequence[tuple[Judged, Value]]) -> tuple[Judged, Value]:
        if self.may_be_largest:
            entries = [entries[k] for k in self.may_be_largest([value for _, value in entries])]
        first = entries[0]
        for entry in entries:
            compared = self.order(entry[1], first[1])
            if compared is Order.GREATER:
                first = entry
            elif compared is Order.UNDECIDED:
                first = first[0], self.larger(first[1], entry[1])
        return first


def _words(seen: SeenRow) -> str:
    return f"{seen.row.words}{_beside(seen.view)}"


def _beside(view: View) -> str:
    return f", {view.words}" if view.words else ""


def _witness(
    setting: Setting, measure: Measure, judged: Judged, value: Epsilon | Enclosure, *, attained: bool
) -> Witness:
    """The pair of laws that is worst, in words, and the two databases where it is of two; of one curve its event.

    Outputs whose loss is exactly ε add nothing to a hockey-stick divergence, and are in the event. P[loss > ε] counts
    them only where ε is `attained`: at the smallest ε, which they demand.
    """
    row, pair = judged.seen.row, judged.seen.view.pair
    databases, labels = databases_in(row), None
    if databases is not None:
        first, second = (tuple(setting.model.values[v] for v in database) for database in databases)
        labels = first, second
    words = [_words(judged.seen), "" if row.scale == 1 else f"allowed {exact_text(row.scale)}·ε"]
    witness = Witness(
        KIND,
        judged.group.distribution,
        judged.group.record,
        *(None,) * 6,
        value if isinstance(value, Epsilon) else ZERO,
        value,
        databases=labels,
        direction=", ".join(part for part in words if part),
        measure=measure.key,
        compared=judged.seen.compared,
    )
    if isinstance(measure, Scalar) or not isinstance(value, Epsilon):
        return witness
    at, bound = times(value, row.scale), judged.bound
    if not isinstance(bound, Curve) or len(bound.comparison.terms) > 1:  # no one event attains it
        return replace(witness, value=bound.delta(value))
    closed = (attained or measure is not TAIL) and not at.is_infinite and at.exp != 1
    event = pair.event(at, closed=closed)
    mass_a, mass_b = pair.masses(event)
    delta = measure.of(Sum(*pair.line(at), pair.denominator)).delta(at)
    return replace(witness, event=event, probability_a=mass_a, probability_b=mass_b, epsilon=at, value=delta)
