"""Deciding a definition for a whole family with one parameter: for which values it holds, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verifier.definitions import DEFINITIONS, Definition, Verdict, find
from verifier.engine import MAX_ROWS, Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Delta, Epsilon, delta_bound
from verifier.numbers.reals import times
from verifier.wings.families.answer import VERDICTS, FamilyVerdict
from verifier.wings.families.comparisons import comparisons, distinct, general_member, is_tail, refuse_kind
from verifier.wings.families.curves import Piece, Span, cells, deltas, epsilons, finite, sums
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.factor import ParametricEpsilon, read_factor
from verifier.wings.families.intervals import Interval, continues, joined, only, united
from verifier.wings.families.pairs import FamilyComparison, at_one_scale, pairs_in, unit_of
from verifier.wings.families.points import NOTHING, ONE, Line, Point, between
from verifier.wings.families.scheme import is_condition, is_sum
from verifier.wings.families.valid import refuse_invalid, refuse_negative

MAX_DEGREE = 128


def decide_family(
    family: Family,
    definition: Definition | str,
    *,
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> FamilyVerdict:
    """For which values of its one parameter a family satisfies a definition.

    `epsilon` is as for `check`, or `ln(expression in the parameter)`: then "for all ε at once" is one question.

    Raises:
        InputError: for an invalid ε or δ, an unknown definition or reading, a family in which more than one parameter
            is free, and one that is invalid somewhere in its range.
        LimitError: where the work would exceed the limits; it is refused before it starts.

    """
    question = find(definition)
    values = domain(family)
    factor = None if epsilon is None else read_factor(epsilon, family)
    bound = delta_bound(delta)
    question.reading(reading)
    refuse_invalid(family, values)
    if factor is not None:
        refuse_negative(factor, values)
    answer = FamilyVerdict(family, question.key, reading, factor, bound, "unsupported")
    try:
        refuse_kind(question, sums=True)
        question.admits(bound)
        member = general_member(family, [{family.names[0]: inner_value(family)}])
        answer = replace(answer, relation=question.comparisons.relation(member))
        summed = is_sum(question, Engine(member, max_rows, "rows"))
        compared = distinct(comparisons(question, reading, member, ONE, max_rows, sums=summed))
        if summed and factor is not None:
            factor.rational()  # refuses another
        scaled, scaled_factor = (compared, None) if factor is None or summed else at_one_scale(compared, factor)
        _refuse_steep(scaled)
    except UnsupportedError as error:
        return replace(answer, reason=str(error))
    kind = "curve" if not summed else "condition" if is_condition(question) else "sum"
    return _Decider(answer, question, compared, scaled, scaled_factor, kind).decide()


def family_passport(
    family: Family,
    *,
    definitions: Sequence[str] = (),
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
) -> tuple[FamilyVerdict, ...]:
    """The answers about a family for each definition; without names, for each that keeps the number of records.

    Raises:
        InputError: for an invalid ε, δ, definition or reading, for a family in which more than one parameter is free,
            and for one that is invalid somewhere in its range.

    """
    question: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "reading": reading, "max_rows": max_rows}
    names = definitions or [key for key, definition in DEFINITIONS.items() if not definition.changes_size]
    return tuple(decide_family(family, name, **question) for name in names)


def _refuse_steep(compared: Sequence[FamilyComparison]) -> None:
    """Refuse probabilities whose polynomials have a degree above `MAX_DEGREE`."""
    functions = {side for pair in pairs_in(compared) for side in pair if side is not None}
    polynomials = (polynomial for function in functions for polynomial in (function.top, function.bottom))
    degree = max((int(polynomial.degree()) for polynomial in polynomials), default=0)
    if degree > MAX_DEGREE:
        raise LimitError(
            f"the probabilities are quotients of polynomials of degree up to {degree:,}",
            wanted=f"at most {MAX_DEGREE}",
            tip="fewer records, or a parameter in fewer places",
        )


@dataclass
class _Decider:
    answer: FamilyVerdict
    definition: Definition
    compared: tuple[FamilyComparison, ...]
    scaled: tuple[FamilyComparison, ...]
    scaled_factor: ParametricEpsilon | None
    """The ε at which the comparisons `scaled` are each allowed ε itself; None where none was asked, or for a sum."""
    kind: str
    """`curve` for δ as a function of ε, `sum` where ε is compared with a sum itself, `condition` for inequalities."""

    def decide(self) -> FamilyVerdict:
        where: dict[str, list[Interval]] = {verdict: [] for verdict in VERDICTS}
        smallest: list[Piece] = []
        factors: list[Piece] | None = []
        for interval in domain(self.answer.family):
            if interval.point is not None:
                verdict, delta, exp = self._at_point(interval.point)
                where[verdict].append(interval)
                smallest += [Piece(interval, delta[0])] if delta else []
                factors = None if factors is None else factors + ([Piece(interval, exp[0])] if exp else [])
                continue
            pieces, tightest = self._between((interval.low, interval.high))
            smallest += pieces if self.kind == "curve" else []
            factors = None if factors is None or tightest is None else factors + tightest
            for verdict, subinterval in self._split(pieces, interval):
                where[verdict].append(subinterval)
        regions = {verdict: joined(intervals) for verdict, intervals in where.items()}
        return replace(
            self.answer,
            verdict=next((verdict for verdict in ("fails", "undecided", "holds") if regions[verdict]), "vacuous"),
            where=regions,
            tight_delta=tuple(_joined(smallest))
            if self.answer.factor is not None and self.definition.has_delta
            else None,
            tight_epsilon=None if factors is None else tuple(_joined(factors)),
            witness=self._witness(regions["fails"]),
            unit=unit_of(self.compared),
            linear=self.kind == "sum",
        )

    @property
    def tail(self) -> bool:
        return is_tail(self.definition)

    def _between(self, span: Span) -> tuple[list[Piece], list[Piece] | None]:
        """The pieces of the smallest δ and of the smallest e^ε on an open interval."""
        everywhere = [Piece(Interval(*span), Line(NOTHING))]
        if not self.compared:
            return everywhere, [Piece(Interval(*span), Line(NOTHING if self.kind == "sum" else ONE))]
        if self.kind != "curve":
            added_up = sums(self.compared, span)
            return added_up, added_up if self.kind == "sum" else None
        delta_pieces = everywhere
        if self.scaled_factor is not None:
            delta_pieces = deltas(self.scaled, self.scaled_factor.number_or_function, span, tail=self.tail)
        try:
            return delta_pieces, epsilons(self.compared, self.answer.delta, span, tail=self.tail)
        except UnsupportedError:
            return delta_pieces, None

    def _split(self, smallest: Sequence[Piece], interval: Interval) -> Iterable[tuple[str, Interval]]:
        """The verdict on each subinterval: whether the smallest δ there is at most the asked one."""
        factor, delta = self.answer.factor, self.answer.delta
        if not self.compared:
            yield "vacuous", interval
            return
        if self.kind == "condition" or (self.kind == "sum" and factor is not None):
            bound = Fraction(0) if factor is None or self.kind == "condition" else factor.rational()
            for piece in smallest:
                yield from ([("holds", piece.where)] if bound is None else _compare(piece, bound))
            return
        if self.kind == "sum":
            yield from (("fails" if piece.value is None else "holds", piece.where) for piece in smallest)
            return
        if factor is None:
            for piece in finite(self.compared, delta, (interval.low, interval.high)):
                yield ("fails" if piece.value is None else "holds"), piece.where
            return
        for piece in smallest:
            yield from _compare(piece, delta)

    def _at_point(self, at: Point) -> tuple[str, tuple[Line | None] | None, tuple[Line | None] | None]:
        """The verdict, the smallest δ and the smallest e^(unit·ε) at one value, from the model there.

        For a sum, ε itself; at an irrational value the verdict is `undecided`.
        """
        if not isinstance(at, Fraction):
            return "undecided", None, None
        answer = self.answer.at(self.definition, at)
        if answer.verdict not in VERDICTS:
            return "undecided", None, None
        delta = (_line(answer.tight_delta),) if isinstance(answer.tight_delta, Delta) else None
        tight = answer.tight_epsilon
        exp: tuple[Line | None] | None = None
        if self.kind == "sum" and isinstance(tight, Epsilon):
            exp = (None if tight.is_infinite else Line(ONE * tight.coefficient),)
        elif isinstance(tight, Epsilon) and tight.root is None:
            power = times(tight, unit_of(self.compared))
            if power.is_infinite or power.exp is not None:
                exp = (None if power.exp is None else Line(ONE * power.exp),)
        return answer.verdict, delta, exp

    def _witness(self, fails: Sequence[Interval]) -> tuple[Fraction, Verdict] | None:
        at = next((at for interval in fails if isinstance(at := interval.sample, Fraction)), None)
        return None if at is None else (at, self.answer.failing(self.definition, at))


def _line(value: Delta) -> Line:
    return Line(ONE * value.a, ONE * value.b, value.epsilon if value.b else None)


def _compare(piece: Piece, bound: Fraction) -> Iterable[tuple[str, Interval]]:
    """The verdict on each part of a piece: whether its line is at most δ."""
    if piece.value is None:
        yield "fails", piece.where
        return
    above = piece.value.less(bound)

    def verdict_at(at: Point) -> str:
        return "fails" if above.sign(at) > 0 else "holds"

    where = piece.where
    if where.point is not None:
        yield verdict_at(where.point), where
        return
    if where.low_closed and where.low is not None:
        yield verdict_at(where.low), only(where.low)
    for number, (low, high) in enumerate(cells((where.low, where.high), [above])):
        if number and low is not None:
            yield verdict_at(low), only(low)
        yield verdict_at(between(low, high)), Interval(low, high)
    if where.high_closed and where.high is not None:
        yield verdict_at(where.high), only(where.high)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with neighbours of the same line merged; a point merges where its neighbour's line has its value."""

    def union(last: Piece, piece: Piece) -> Piece:
        return Piece(last.where.to(piece.where), last.value if last.where.point is None else piece.value)

    return united(pieces, _continues, union)


def _continues(last: Piece, following: Piece) -> bool:
    def equal_at(at: Point) -> bool:
        return last.value is not None and following.value is not None and last.value.meets(following.value, at)

    return continues(last.where, following.where, alike=last.value == following.value, equal_at=equal_at)
