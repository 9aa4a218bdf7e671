"""The independent re-check of an answer about a definition of DP22: rows, measures and aggregations again.

A certificate with `engine = "schemes"` holds the model with its policy (`setting`), the question, the answer and the
row that shows it. `survey` says which rows the definition compares; here the verdict, the smallest ε and δ, and the row
that is shown are derived again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.centres import IMITATED, check_imitated
from verifier.checker.curves import Curve, Line, power
from verifier.checker.inference import INFERRED, check_inferred
from verifier.checker.numbers import Rejected, chance, number
from verifier.checker.rejected import Beyond
from verifier.checker.scalars import Scalar
from verifier.checker.setting import Row, Setting
from verifier.checker.survey import ALL_BUT, AVERAGE, SURVEY, WORST, Scheme
from verifier.checker.written import EVENT, ZERO, Written, agrees, delta, ends, epsilon, lacks, need, same, shown

Evidence = dict[str, Any]
OF_COMPARISONS = ("a", "b", "knowledge", "output", "terms")
"""The fields of evidence that rows do not have."""


def check(certificate: dict[str, Any]) -> None:
    """Re-check an answer about a definition of DP22.

    Raises:
        Rejected: where the answer does not follow, or the replay does not derive the definition.

    """
    question, answer = certificate["question"], certificate["answer"]
    if question["definition"] in {*IMITATED, INFERRED} and question["reading"] == "default":
        (check_inferred if question["definition"] == INFERRED else check_imitated)(certificate)
        return
    scheme = SURVEY.get(question["definition"])
    if scheme is None or question["reading"] != "default":
        raise Rejected(f"the replay does not derive {str(question['definition'])[:40]} of DP22 in this reading")
    setting = Setting(certificate)
    measure, rows = scheme.measure(setting), list(scheme.rows(setting))
    groups = list(_groups(rows, together=scheme.counts in {AVERAGE, ALL_BUT}).values())
    most = len(groups) if scheme.counts == AVERAGE else len(rows)
    least = len({_laws(row) for row in rows}) if scheme.counts == WORST else most
    counts = answer["comparisons"], answer["multiplicity"]
    need(least <= counts[0] <= counts[1] <= most, f"comparisons: {counts[0]}, and there are {least} to {most}")
    agrees(answer, empty=0)
    if not rows:
        _check_nothing(answer, scheme, curve=isinstance(measure, Curve))
    elif isinstance(measure, Curve):
        _Curves(question, answer, measure, groups, mean=scheme.counts == AVERAGE).check()
    else:
        need(question["delta"] == "0" or scheme.has_delta, "this definition has no δ")
        agrees(answer, tight_delta=None)
        if not scheme.has_epsilon:
            _check_condition(question, answer, [measure(row.p, row.q) for row in rows])
            return
        share = setting.need("gamma") if scheme.counts == ALL_BUT else None
        measured = [[(row, measure(row.p, row.q)) for row in group] for group in groups]
        _Scalars(question, answer, measured, share, mean=scheme.counts == AVERAGE).check()


def _laws(row: Row) -> object:
    """The pair of laws of a row, and its multiple of ε: rows in which these are the same may be numbered once."""
    return tuple(sorted(row.p.items())), tuple(sorted(row.q.items())), row.scale


def _groups(rows: Sequence[Row], *, together: bool) -> dict[Any, list[Row]]:
    """The rows that count together."""
    groups: dict[Any, list[Row]] = {}
    for k, row in enumerate(rows):
        groups.setdefault(row.group if together else k, []).append(row)
    return groups


def _check_nothing(answer: Evidence, scheme: Scheme, *, curve: bool) -> None:
    smallest = "0" if scheme.has_epsilon else None
    agrees(answer, verdict="vacuous", tight_epsilon=smallest, tight_delta="0" if curve else None)
    need(answer["witness"] is None and answer["tightest"] is None, "nothing is compared, and nothing can be shown")


def _check_condition(question: Evidence, answer: Evidence, outcomes: list[bool]) -> None:
    """A definition without an ε."""
    agrees(question, epsilon=None)
    agrees(answer, tight_epsilon=None, verdict="holds" if all(outcomes) else "fails")
    need(answer["witness"] is None and answer["tightest"] is None, "this definition has no row to show")


def _matching(groups: Sequence[Sequence[Row]], row_evidence: Evidence, *, mean: bool) -> list[int]:
    """The groups that the evidence names: by a row, or, where rows count together, by their number and the first."""
    databases = None if row_evidence["databases"] is None else tuple(tuple(d) for d in row_evidence["databases"])
    matching = []
    for k, rows in enumerate(groups):
        first, named = rows[0], row_evidence["direction"]
        fine = any(databases == row.databases and row.named(named) for row in rows)
        if mean:
            pairs = f"{len(rows):,} {'pair' if len(rows) == 1 else 'pairs'} of laws"
            fine = (named, databases) == (f"On average over {pairs}, the first of them {first.words}", None)
        if fine and (row_evidence["distribution"], row_evidence["record"]) == (first.distribution, first.record):
            matching.append(k)
    if not matching:
        raise Rejected("the answer shows a row that is not compared")
    return matching


def _any_reaches(amounts: Sequence[Any], at: Written, least: int) -> bool:
    """Whether one of the numbers is above an ε, or at it; a row that is too near decides nothing while others do."""
    beyond: Beyond | None = None
    for amount in amounts:
        try:
            if amount.sign(at) >= least:
                return True
        except Beyond as error:
            beyond = error
    if beyond:
        raise beyond
    return False


class _Scalars:
    """An answer about a measure that is one number for two laws."""

    def __init__(
        self,
        question: Evidence,
        answer: Evidence,
        groups: list[list[tuple[Row, Scalar]]],
        share: Fraction | None,
        *,
        mean: bool,
    ) -> None:
        self.asked_epsilon, self.answer, self.share, self.mean = question["epsilon"], answer, share, mean
        self.rows = [[row for row, _ in group] for group in groups]
        self.amounts: list[list[Scalar]] = [
            [_mean(group)] if self.mean else [scalar.over(row.scale) for row, scalar in group] for group in groups
        ]

    def exceeded(self, at: Written, least: int = 1) -> bool:
        """Whether some number is above ε, or at it with `least` 0; where rows may be left out, more than that share."""
        if self.share is None:
            # The row that is shown comes first: where it reaches ε, no other one is looked at.
            shown = [row["direction"] for row in (self.answer["witness"], self.answer["tightest"]) if row]
            listed = [
                (any(map(row.named, shown)), amount)
                for rows, amounts in zip(self.rows, self.amounts, strict=True)
                for row, amount in zip(rows, amounts, strict=False)
            ]
            every = [amount for _, amount in sorted(listed, key=lambda entry: not entry[0])]
            return any(x.infinite for x in every) or _any_reaches(every, at, least)
        over = [any(amount.sign(at) >= least for amount in amounts) for amounts in self.amounts]
        return sum((rows[0].weight for rows, high in zip(self.rows, over, strict=True) if high), ZERO) > self.share

    def check(self) -> None:
        """Accept silently or raise `Rejected`."""
        claimed = self.answer["tight_epsilon"]
        need(claimed is not None, "tight_epsilon: there is a smallest ε")
        enclosed = claimed.startswith("[")
        low, high = (Written(end) for end in ends(claimed)) if enclosed else (epsilon(claimed), epsilon(claimed))
        if claimed != "inf":
            need(not self.exceeded(high), f"tight_epsilon: {claimed[:60]} is too small")
        need(claimed == "0" or self.exceeded(low, 0), f"tight_epsilon: a smaller ε than {claimed[:60]} is enough")
        holds = claimed != "inf" if self.asked_epsilon is None else not self.exceeded(epsilon(self.asked_epsilon))
        if self.asked_epsilon == "inf":
            holds = claimed != "inf"
        agrees(self.answer, verdict="holds" if holds else "fails")
        row_evidence = shown(self.answer, "row", holds=holds)
        lacks(row_evidence, *OF_COMPARISONS, *EVENT)
        agrees(row_evidence, at_epsilon="0" if enclosed else claimed, value=claimed)
        amounts = [self._number_of(k, row_evidence) for k in _matching(self.rows, row_evidence, mean=self.mean)]
        fine = any(self._attains(amount, low, high, claimed) for amount in amounts)
        need(fine, "the row that is shown does not attain the smallest ε")

    def _number_of(self, k: int, row_evidence: Evidence) -> Scalar:
        """The number of the row that is shown; it may be one of two orders."""
        if len(self.amounts[k]) == 1:
            return self.amounts[k][0]
        return self.amounts[k][[row.named(row_evidence["direction"]) for row in self.rows[k]].index(True)]

    @staticmethod
    def _attains(amount: Scalar, low: Written, high: Written, claimed: str) -> bool:
        if claimed == "0":
            return amount.sign(high) <= 0
        return amount.sign(low) >= 0 and amount.sign(high) <= 0


def _mean(group: list[tuple[Row, Scalar]]) -> Scalar:
    """The average of sums of logarithms."""
    if any(scalar.infinite for _, scalar in group):
        return Scalar()
    terms = [(row, scalar.logarithms) for row, scalar in group]
    if any(logarithms is None for _, logarithms in terms):
        raise Rejected("no average of this measure is defined")
    return Scalar(logarithms=tuple((row.weight * r, s) for row, logs in terms for r, s in logs or ()))


class _Curves:
    """An answer about a curve δ(ε)."""

    def __init__(
        self, question: Evidence, answer: Evidence, curve: Curve, groups: list[list[Row]], *, mean: bool
    ) -> None:
        self.asked_epsilon, self.answer, self.curve, self.groups = question["epsilon"], answer, curve, groups
        self.bound, self.mean = number(question["delta"]), mean

    def check(self) -> None:
        """Accept silently or raise `Rejected`."""
        claimed, asked_epsilon = self.answer["tight_epsilon"], self.asked_epsilon
        exceeded = any(self.curve.exceeds(rows, claimed, self.bound) for rows in self.groups)
        need(exceeded == (claimed == "inf"), f"tight_epsilon: {claimed[:60]} is not enough, or a finite one is")
        if claimed not in {"0", "inf"}:
            needed = any(self.curve.needs(rows, claimed, self.bound) for rows in self.groups)
            need(needed, f"tight_epsilon: a smaller ε than {claimed[:60]} is enough")
        if asked_epsilon is None:
            agrees(self.answer, tight_delta=None)
            holds = claimed != "inf"
        else:
            holds = not any(self.curve.exceeds(rows, asked_epsilon, self.bound) for rows in self.groups)
            self._tight_delta(self.groups)
        agrees(self.answer, verdict="holds" if holds else "fails")
        self._check_evidence(shown(self.answer, "row", holds=holds), holds=holds)

    def _tight_delta(self, groups: list[list[Row]]) -> None:
        """The claimed δ is enough for all, and needed for one."""
        claimed = _line(self.answer["tight_delta"])
        signs = [self.curve.least(rows, self.asked_epsilon).against(claimed) for rows in groups]
        need(max(signs) <= 0, "tight_delta: the claimed one is too small")
        need(max(signs) == 0, "tight_delta: no row attains the claimed one")

    def _check_evidence(self, row_evidence: Evidence, *, holds: bool) -> None:
        """The row that is shown needs the smallest ε where the definition holds; else it exceeds δ."""
        at = self.answer["tight_epsilon"] if holds else ("inf" if self.asked_epsilon is None else self.asked_epsilon)
        lacks(row_evidence, *OF_COMPARISONS)
        matching = [self.groups[k] for k in _matching(self.groups, row_evidence, mean=self.mean)]
        for rows in matching:
            try:
                self._shows(rows, row_evidence, at, holds=holds)
            except Rejected:
                if rows is matching[-1]:
                    raise
            else:
                return

    def _shows(self, rows: list[Row], row_evidence: Evidence, at: str, *, holds: bool) -> None:
        need(
            power(at, rows[0].scale).same(power(row_evidence["at_epsilon"])),
            f"at_epsilon: {row_evidence['at_epsilon'][:60]} is not at {at}",
        )
        value, line = _line(row_evidence["value"]), self.curve.least(rows, at)
        need(line.against(value) == 0, "value: the row that is shown has another δ")
        reaches = holds and at != "0"
        if reaches:
            need(self.curve.needs(rows, at, self.bound), "the row does not need the tightest ε")
        elif not holds and self.asked_epsilon is None:
            need(self.curve.exceeds(rows, at, self.bound), "the row does not exceed δ")
        elif not holds:
            self._tight_delta([rows])
        if len(rows) > 1 or self.curve.left_out is not None:
            lacks(row_evidence, *EVENT)
        else:
            self._event(rows[0], row_evidence, at, value, reaches=reaches)

    def _event(self, row: Row, row_evidence: Evidence, at: str, value: Line, *, reaches: bool) -> None:
        """P and Q of the event; it is the best of the row."""
        event, e = row_evidence["event"], power(at, row.scale)
        need(len(set(event)) == len(event) and set(event) <= {*row.p, *row.q}, "an event has what no law has")
        chance_p, chance_q = (chance(law, event) for law in (row.p, row.q))
        same("probability_a", number(row_evidence["probability_a"]), chance_p)
        same("probability_b", number(row_evidence["probability_b"]), chance_q)
        if self.curve.tail:
            over = all(e.sign(row.p.get(o, ZERO), row.q.get(o, ZERO)) >= (not reaches) for o in event)
            need(over, "the event has an output whose loss is not above ε")
            best = chance_p > self.bound if reaches else Line(chance_p, ZERO, e).against(value) == 0
        else:
            best = Line(chance_p, chance_q, e).against(value) == 0
            need(not e.infinite or chance_q == 0, "at ε = inf the event must be impossible under the second law")
        need(best, "the event is not the best of its row")


def _line(text: str) -> Line:
    """A δ as it is written: a, or a - b·e^ε."""
    a, b, exponent = delta(text)
    return Line(a, b, power(exponent or "0"))
