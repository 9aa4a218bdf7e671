"""Deciding a definition for a whole family with one parameter: for which values it holds, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from verifier.definitions import Definition, Verdict, find
from verifier.definitions.measure import HOCKEY_STICK
from verifier.engine import MAX_ROWS
from verifier.errors import LimitError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Delta, Epsilon, delta_bound, exact_text
from verifier.questions.ask import check
from verifier.wings.families.answer import FamilyAnswer
from verifier.wings.families.comparisons import Compared, comparisons, distinct, general_member, refuse_kind
from verifier.wings.families.curves import Piece, Span, cells, deltas, epsilons, finite
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.factor import Factor, read_factor
from verifier.wings.families.formulas import formula
from verifier.wings.families.intervals import Interval, joined, text_of
from verifier.wings.families.points import NOTHING, ONE, Line, Point, between, order, point_text
from verifier.wings.families.valid import refuse_invalid, refuse_negative

MAX_DEGREE = 128
VERDICTS = ("holds", "fails", "vacuous", "undecided")


NOWHERE: Mapping[str, tuple[Interval, ...]] = dict.fromkeys(VERDICTS, ())


@dataclass(frozen=True)
class FamilyVerdict(FamilyAnswer):
    """Where a definition holds, fails, is vacuous, or was not decided; and the tightest δ and ε as pieces.

    `witness` is a value of the parameter at which it fails, with the answer about that model, which is re-checked.
    """

    where: Mapping[str, tuple[Interval, ...]] = field(default_factory=lambda: NOWHERE)
    tight_delta: tuple[Piece, ...] | None = None
    tight_epsilon: tuple[Piece, ...] | None = None
    witness: tuple[Fraction, Verdict] | None = None

    @property
    def name(self) -> str:
        """The parameter."""
        return self.family.names[0]

    def text(self, which: str, show: Callable[[Point], str] = point_text) -> str:
        """Where it has one of the four verdicts, in words; `show` writes the ends."""
        return text_of(self.where[which], self.name, show)

    def __str__(self) -> str:
        if self.reason:
            return f"{self.definition} is unsupported: {self.reason}"
        parts = [f"{one} for {self.text(one)}" for one in VERDICTS if self.where[one]]
        return f"{self.asked}: {'; '.join(parts)}"

    def to_json(self, max_digits: int = 200) -> dict[str, Any]:
        """One object of `pkdp check --json` for a family."""
        return {
            **self.question_json("symbolic"),
            "where": {one: [interval.text(self.name) for interval in self.where[one]] for one in VERDICTS},
            "tight_delta": self._pieces(self.tight_delta, partial(delta_text, self.name)),
            "tight_epsilon": self._pieces(self.tight_epsilon, partial(epsilon_text, self.name)),
            "witness": None
            if self.witness is None
            else {self.name: exact_text(self.witness[0]), "answer": self.witness[1].to_json(max_digits)},
        }

    def _pieces(self, pieces: Sequence[Piece] | None, show: Any) -> list[dict[str, str]] | None:
        if pieces is None:
            return None
        return [{"where": one.where.text(self.name), "value": show(one)} for one in pieces]


def delta_text(name: str, piece: Piece) -> str:
    """δ on a piece, as a formula."""
    return "inf" if piece.value is None else piece.value.text(name, _inside(piece))


def epsilon_text(name: str, piece: Piece) -> str:
    """ε on a piece, as a formula."""
    if piece.value is None:
        return "inf"
    return "0" if piece.value.a == ONE else f"ln({formula(piece.value.a, name, _inside(piece))})"


def _inside(piece: Piece) -> Fraction:
    sample = piece.where.sample
    return sample if isinstance(sample, Fraction) else Fraction(1, 2)


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
        InputError: for an ε, a δ, a definition or a reading that is none, and for more than one parameter.
        LimitError: where the work would exceed the limits; it is refused before it starts.

    """
    question = find(definition)
    factor = None if epsilon is None else read_factor(epsilon, family)
    bound = delta_bound(delta)
    question.reading(reading)
    values = domain(family)
    refuse_invalid(family, values)
    if factor is not None:
        refuse_negative(factor, values)
    try:
        refuse_kind(question)
        member = general_member(family, [{family.names[0]: inner_value(family)}])
        compared = distinct(comparisons(question, reading, member, ONE, max_rows))
        _refuse_steep(compared)
    except UnsupportedError as error:
        return FamilyVerdict(family, question.key, reading, factor, bound, "unsupported", str(error))
    return _Decider(family, question, reading, factor, bound, compared, max_rows).answer()


def _refuse_steep(compared: Sequence[Compared]) -> None:
    """Refuse polynomials of which the roots would not be found in reasonable time."""
    functions = (part for each in compared for row in each.outcomes for part in row if part is not None)
    degree = max((int(side.degree()) for one in functions for side in (one.top, one.bottom)), default=0)
    if degree > MAX_DEGREE:
        raise LimitError(
            f"the probabilities are quotients of polynomials of degree up to {degree:,}",
            wanted=f"at most {MAX_DEGREE}",
            tip="fewer records, or a parameter in fewer places",
        )


@dataclass
class _Decider:
    family: Family
    definition: Definition
    reading: str
    factor: Factor | None
    bound: Fraction
    compared: tuple[Compared, ...]
    max_rows: int

    def answer(self) -> FamilyVerdict:
        where: dict[str, list[Interval]] = {one: [] for one in VERDICTS}
        smallest: list[Piece] = []
        factors: list[Piece] | None = []
        for one in domain(self.family):
            if one.point is not None:
                verdict, delta, exp = self._there(one.point)
                where[verdict].append(one)
                smallest += [Piece(one, delta[0])] if delta else []
                factors = None if factors is None else factors + ([Piece(one, exp[0])] if exp else [])
                continue
            mine, tightest = self._between((one.low, one.high))
            smallest += mine
            factors = None if factors is None or tightest is None else factors + tightest
            for verdict, found in self._split(mine, one):
                where[verdict].append(found)
        regions = {one: joined(found) for one, found in where.items()}
        return FamilyVerdict(
            self.family,
            self.definition.key,
            self.reading,
            self.factor,
            self.bound,
            next((one for one in ("fails", "undecided", "holds") if regions[one]), "vacuous"),
            where=regions,
            tight_delta=tuple(_joined(smallest)) if self.factor is not None else None,
            tight_epsilon=None if factors is None else tuple(_joined(factors)),
            witness=self._witness(regions["fails"]),
        )

    @property
    def tail(self) -> bool:
        return self.definition.curve() is not HOCKEY_STICK

    def _between(self, span: Span) -> tuple[list[Piece], list[Piece] | None]:
        """The pieces of δ and ε on an open interval."""
        everywhere = [Piece(Interval(*span), Line(NOTHING))]
        if not self.compared:
            return everywhere, [Piece(Interval(*span), Line(ONE))]
        found = everywhere
        if self.factor is not None:
            found = deltas(self.compared, self.factor.number_or_function, span, tail=self.tail)
        try:
            return found, epsilons(self.compared, self.bound, span, tail=self.tail)
        except UnsupportedError:
            return found, None

    def _split(self, smallest: Sequence[Piece], whole: Interval) -> Iterable[tuple[str, Interval]]:
        """Where δ is enough, piece by piece and point by point."""
        if not self.compared:
            yield "vacuous", whole
            return
        if self.factor is None:
            for piece in finite(self.compared, self.bound, (whole.low, whole.high)):
                yield ("fails" if piece.value is None else "holds"), piece.where
            return
        for piece in smallest:
            yield from _compare(piece, self.bound)

    def _there(self, at: Point) -> tuple[str, tuple[Line | None] | None, tuple[Line | None] | None]:
        """The verdict at one value, from the ordinary model there; at an irrational one it is not decided."""
        if not isinstance(at, Fraction):
            return "undecided", None, None
        answer = self._asked(at)
        if answer.verdict not in VERDICTS:
            return "undecided", None, None
        delta = (_line(answer.tight_delta),) if isinstance(answer.tight_delta, Delta) else None
        tight = answer.tight_epsilon
        exp: tuple[Line | None] | None = None
        if isinstance(tight, Epsilon) and (tight.is_infinite or tight.exp is not None):
            exp = (None if tight.exp is None else Line(ONE * tight.exp),)
        return answer.verdict, delta, exp

    def _asked(self, at: Fraction) -> Verdict:
        epsilon = None if self.factor is None else self.factor.epsilon_at(at)
        model = self.family.at({self.family.names[0]: at})
        return check(model, self.definition, epsilon=epsilon, delta=self.bound, reading=self.reading)

    def _witness(self, fails: Sequence[Interval]) -> tuple[Fraction, Verdict] | None:
        for one in fails:
            at = one.sample
            if isinstance(at, Fraction):
                answer = self._asked(at)
                if answer.verdict != "fails":
                    raise ArithmeticError(f"the family fails at {at}, and the model there {answer.verdict}")
                return at, answer
        return None


def _line(value: Delta) -> Line:
    return Line(ONE * value.a, ONE * value.b, value.epsilon if value.b else None)


def _compare(piece: Piece, bound: Fraction) -> Iterable[tuple[str, Interval]]:
    """Where the line of a piece is at most δ."""
    if piece.value is None:
        yield "fails", piece.where
        return
    above = piece.value.less(bound)

    def said(at: Point) -> str:
        return "fails" if above.sign(at) > 0 else "holds"

    where = piece.where
    if where.point is not None:
        yield said(where.point), where
        return
    if where.low_closed and where.low is not None:
        yield said(where.low), Interval(where.low, where.low, low_closed=True, high_closed=True)
    for number, (low, high) in enumerate(cells((where.low, where.high), [above])):
        if number and low is not None:
            yield said(low), Interval(low, low, low_closed=True, high_closed=True)
        yield said(between(low, high)), Interval(low, high)
    if where.high_closed and where.high is not None:
        yield said(where.high), Interval(where.high, where.high, low_closed=True, high_closed=True)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Neighbouring pieces of the same line as one; a point at which the line of its neighbour has its value, too."""
    found: list[Piece] = []
    for one in pieces:
        if found:
            last = found[-1]
            if _continues(last, one):
                value = last.value if last.where.point is None else one.value
                where = Interval(last.where.low, one.where.high, last.where.low_closed, one.where.high_closed)
                found[-1] = Piece(where, value)
                continue
        found.append(one)
    return found


def _continues(last: Piece, one: Piece) -> bool:
    x, y = last.where, one.where
    if x.high is None or y.low is None or order(x.high, y.low) or x.high_closed == y.low_closed:
        return False
    if last.value == one.value:
        return True
    if last.value is None or one.value is None:
        return False
    at = x.point if x.point is not None else y.point
    if at is None:
        return False
    try:
        return last.value.minus(one.value).sign(at) == 0
    except ZeroDivisionError:
        return False
