"""Families with several parameters: whether a definition holds for all values.

On the inner part of the range, where no entry is 0 or 1, the support is the same, and every probability is a quotient
of polynomials. A definition fails at (ε, δ) iff for some comparison and some set S of outputs
P(S) - e^ε·Q(S) > δ; each such inequality is a question for z3. Where none can be met, the definition holds. Where one
can, there is a rational point (the set is open), and the ordinary engine decides the model there, with its replay.

On a face, where an entry is 0 or 1, a comparison is there only if both laws are possible; then its probabilities are
the limits of those around it, and an average loses only terms. So δ(ε) there is at most the limit of δ(ε) around it,
for finite ε and the default reading: what holds on the inner part holds on the faces, where the range is convex, so
that every point of it is a limit of inner points (proofs/several.md).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice
from typing import Any

from verifier.definitions import Definition, Verdict, find
from verifier.engine import MAX_ROWS
from verifier.errors import UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Function, Order, compare, delta_bound, plural
from verifier.wings.families.answer import FamilyAnswer, values_text
from verifier.wings.families.comparisons import comparisons, is_tail, refuse_kind
from verifier.wings.families.decide import decide_family
from verifier.wings.families.factor import ParametricEpsilon, read_factor
from verifier.wings.families.pairs import FamilyComparison, at_one_scale
from verifier.wings.families.region import Clock, Inequality, Point, Region
from verifier.wings.families.valid import refuse_invalid_in, refuse_negative_in

SECONDS = 60
MAX_SETS = 256
"""Largest number of sets of outputs of one comparison for which z3 is asked."""
PROBES, EACH = 60, 2000
"""Number of points that are tried first; milliseconds for each question to z3 about a single output."""
SlopeLine = tuple[Function, Function | None]
"""The weighted probabilities (P, Q) of the outputs with the same loss; Q is None where it is undefined or 0."""
SlopeLines = tuple[SlopeLine, ...]
CONTINUOUS = frozenset({"default", "one-order"})
"""Readings under which an impossible law is not compared."""


@dataclass(frozen=True)
class SeveralVerdict(FamilyAnswer):
    """Whether a definition holds for all values of several parameters; `fails` comes with values that show it.

    `holds` is proved by z3, which was asked `queries` questions; `functions` is how many different probabilities were
    compared. For `undecided`, `reason` says why.
    """

    witness: tuple[Mapping[str, Fraction], Verdict] | None = None
    functions: int = 0
    queries: int = 0

    def __str__(self) -> str:
        names = ", ".join(self.family.names)
        words = {"holds": f"holds for all {names}", "vacuous": f"is vacuous for all {names}"}
        text = f"{self.question_text}: {words.get(self.verdict, self.verdict)}"
        if self.witness:
            text += f" at {values_text(self.witness[0])}"
        return f"{text}: {self.reason}" if self.reason else text

    def fields(self) -> dict[str, Any]:
        """One object of `pkdp check --json` for a family."""
        return {
            **self.question_fields("nonlinear real arithmetic"),
            "functions": self.functions,
            "queries": self.queries,
            "witness": None if self.witness is None else {"at": self.witness[0], "answer": self.witness[1]},
        }


def decide_several(
    family: Family,
    definition: Definition | str,
    *,
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    max_rows: int = MAX_ROWS,
    seconds: int = SECONDS,
) -> SeveralVerdict:
    """Whether a family with several parameters satisfies a definition for all of their values.

    `epsilon` is as for `check`, or `ln(expression in the parameters)`; `seconds` bounds the time for z3.

    Raises:
        InputError: for an invalid ε or δ, an unknown definition or reading, and for a family that is invalid somewhere
            in its range.
        LimitError: where the work would exceed the limits; it is refused before it starts.

    """
    question = find(definition)
    factor = None if epsilon is None else read_factor(epsilon, family)
    bound = delta_bound(delta)
    question.reading(reading)
    region = Region(family, Clock(seconds), factor.irrational if factor else None)
    answer = SeveralVerdict(family, question.key, reading, factor, bound, "undecided")
    unknown = refuse_invalid_in(region)
    if unknown:
        return replace(answer, reason=unknown)
    if factor is not None:
        refuse_negative_in(factor, region)
    if region.centre.answer != "point":
        reason = "the range has no inner point: an end is met by all values, or an entry is 0 or 1 for all of them"
        return replace(answer, reason=reason if region.centre.answer == "none" else region.centre.near)
    try:
        refuse_kind(question)
        question.admits(bound)
        decider = _Decider(family, question, factor, answer, region, max_rows)
        return replace(decider.decide(), queries=region.queries)
    except UnsupportedError as error:
        return replace(answer, verdict="unsupported", reason=str(error))


def functions(compared: Iterable[FamilyComparison]) -> tuple[SlopeLines, ...]:
    """The rows (P, Q) of each distinct comparison, with outputs of the same privacy loss merged."""
    return tuple({frozenset(rows): rows for rows in map(_by_loss, compared)}.values())


def _by_loss(comparison: FamilyComparison) -> SlopeLines:
    rows: dict[Function | None, SlopeLine] = {}
    for p, q in comparison.outcomes:
        if p:
            loss = p / q if q else None
            summed_p, summed_q = rows.get(loss, (0, 0))
            rows[loss] = p + summed_p, q + summed_q if q and summed_q is not None else None
    return tuple(rows.values())


@dataclass
class _Decider:
    family: Family
    definition: Definition
    factor: ParametricEpsilon | None
    answer: SeveralVerdict
    region: Region
    max_rows: int

    compared: tuple[SlopeLines, ...] = ()

    def decide(self) -> SeveralVerdict:
        region = self.region
        compared: Sequence[FamilyComparison] = tuple(
            comparisons(self.definition, self.answer.reading, region.member, region.constant_one, self.max_rows)
        )
        if self.factor is not None:
            compared, self.factor = at_one_scale(compared, self.factor, sparse=True)
            region.epsilon = self.factor.irrational
        self.compared = functions(compared)
        if not self.compared:
            return self._faced(replace(self.answer, verdict="vacuous"))
        distinct = {
            probability for rows in self.compared for row in rows for probability in row if probability is not None
        }
        self.answer = replace(self.answer, functions=len(distinct))
        for at in islice(self._probes(), PROBES):
            if any(self._exceeds(rows, at) for rows in self.compared):
                return self._fails(at)
        unknown = ""
        for rows in self.compared:
            answer, at, near = self._exceeds_somewhere(rows)
            if answer == "point":
                return self._fails(at)
            if answer == "unknown":
                unknown = unknown or near
        if unknown:
            return replace(self.answer, reason=unknown)
        return self._faced(replace(self.answer, verdict="holds"))

    def _values(self, at: Point) -> dict[str, Fraction]:
        return dict(zip(self.family.names, at, strict=True))

    def _fails(self, at: Point) -> SeveralVerdict:
        values = self._values(at)
        return replace(self.answer, verdict="fails", witness=(values, self.answer.failing(self.definition, values)))

    def _probes(self) -> Iterator[Point]:
        """Inner points of the range that are tried before z3 is asked: simple ones, and some near the ends."""
        ends = [(parameter.low, parameter.high) for parameter in self.family.parameters]
        numeric = [(low.at({}), high.at({})) for low, high in ends if low and high and not low.names | high.names]
        if len(numeric) == len(ends):
            dice = random.Random(0)  # noqa: S311 - points to try, nothing secret
            for n in (*(10,) * (3 * PROBES), *(1000,) * PROBES):
                at = tuple(low + (high - low) * Fraction(dice.randint(1, n - 1), n) for low, high in numeric)
                if self.region.inside(at):
                    yield at
        yield from self.region.around()

    @property
    def _tail(self) -> bool:
        return is_tail(self.definition)

    def _line(self, p: Function, q: Function | None) -> tuple[Function, Function | None]:
        """The pair (U, V) with U - V·e^ε = P - e^ε·Q; at ε = ∞ or without ε, only outputs that Q excludes count."""
        if q is None:
            return p, None
        if self.factor is None or self.factor.infinite:
            return -p, None
        if self.factor.irrational is not None:
            return p, q
        return p - self.factor.exp(sparse=True) * q, None

    def _exceeds(self, rows: SlopeLines, at: Point) -> bool:
        """Whether a comparison needs more than δ at a point, exactly."""
        a, b = -self.answer.delta, Fraction(0)
        for p, q in rows:
            u, v = self._line(p, q)
            x, y = u.at(*at), v.at(*at) if v is not None else Fraction(0)
            if self._order(x, y) is Order.GREATER:
                a, b = (a + p.at(*at), b) if self._tail else (a + x, b + y)
        return self._order(a, b) is Order.GREATER

    def _order(self, a: Fraction, b: Fraction) -> Order:
        if not b or self.factor is None or self.factor.irrational is None:
            return Order.GREATER if a > 0 else Order.EQUAL if not a else Order.LESS
        return compare(a, b, self.factor.irrational).settled()

    def _exceeds_somewhere(self, rows: SlopeLines) -> tuple[str, Point, str]:
        """Whether one comparison exceeds δ at an inner point: `point`, `none` or `unknown`, the point, the reason."""
        bound = self.answer.delta
        always: list[SlopeLine] = []
        open_: list[SlopeLine] = []
        for row in rows:
            over = self._find([row], Fraction(0), ">")
            if over.answer == "point" and not bound:
                return "point", over.at, ""
            if over.answer == "unknown" and not bound:
                return "unknown", (), f"{over.near} at P - e^ε·Q > 0 for one output"
            if over.answer == "none":
                continue
            under = self._find([row], Fraction(0), "<=")
            (always if under.answer == "none" else open_).append(row)
        if not bound:
            return "none", (), ""
        if 1 << len(open_) > MAX_SETS:
            return (
                "unknown",
                (),
                f"{plural(len(open_), 'output')} of one comparison can be more or less likely than e^ε allows",
            )
        sets = chain.from_iterable(combinations(open_, size) for size in range(len(open_) + 1))
        for chosen in sets:
            point_search = self._find([*always, *chosen], bound, ">", () if not self._tail else chosen)
            if point_search.answer != "none":
                return (
                    point_search.answer,
                    point_search.at,
                    f"{point_search.near} at P(S) - e^ε·Q(S) > δ for {len(chosen)} outputs",
                )
        return "none", (), ""

    def _find(
        self, rows: Sequence[tuple[Function, Function | None]], bound: Fraction, order: str, above: Any = ()
    ) -> Any:
        """An inner point where P(S) - e^ε·Q(S) - δ has an order to 0; for a tail P(S) - δ, and each loss is above ε."""
        wanted = [self._sign(*self._line(*row), ">") for row in above]
        a, b = self.region.constant_one * -bound, self.region.constant_one * 0
        for p, q in rows:
            u, v = (p, None) if self._tail and bound else self._line(p, q)
            a, b = a + u, b + (v or 0)
        wanted.append(self._sign(a, b or None, order))
        most = EACH if not bound and self.answer.delta else 10**9
        return self.region.find(wanted, self.region.inner, most)

    def _sign(self, a: Function, b: Function | None, order: str) -> Inequality:
        """The inequality `a - b·e^ε order 0` without denominators and without common factors of one sign."""
        if b is None:
            return Inequality(self.region.simpler(a.top * a.bottom)[0], order)
        shared = a.bottom.gcd(b.bottom)
        left, right = divmod(b.bottom, shared)[0], divmod(a.bottom, shared)[0]
        multiplier = a.bottom * left
        x, y = self.region.simpler(a.top * left * multiplier, b.top * right * multiplier)
        return Inequality(x, order, y)

    def _faced(self, inner: SeveralVerdict) -> SeveralVerdict:
        """The answer on the inner part of the range, joined with the answers on the faces that it does not include."""
        finite = self.factor is not None and not self.factor.infinite
        if finite and self.answer.reading in CONTINUOUS and self.region.convex:
            return inner
        missing = None
        for face in self.region.faces():
            on_face = self._on(face)
            if on_face.verdict == "fails":
                return on_face
            if on_face.verdict == "holds":
                inner = replace(inner, verdict="holds")
            elif on_face.verdict != "vacuous":
                missing = on_face if missing is None else missing
        if missing is None and not self.region.convex:
            reason = "a condition is not linear: what holds inside is not known where a condition is met with equality"
            return replace(inner, verdict="undecided", reason=reason)
        return inner if missing is None else missing

    def _on(self, face: Any) -> SeveralVerdict:
        """The answer on the face where a factor of an entry is 0; decided where that fixes one parameter."""
        face_text = f"{self.region.text(face)} = 0"
        fixed_parameter = self.region.fixes(face)
        if fixed_parameter is None:
            some = self.region.find([Inequality(face, "=")], self.region.domain)
            if some.answer == "point" and self.answer.at(self.definition, self._values(some.at)).verdict == "fails":
                return self._fails(some.at)
            return replace(self.answer, reason=f"it holds on the inner part; not decided where {face_text}")
        name, at = self.family.names[fixed_parameter], self.region.root(face)
        question: dict[str, Any] = {"delta": self.answer.delta, "reading": self.answer.reading}
        factor = self.answer.factor
        question["epsilon"] = None if factor is None else factor.fixed({name: at})
        family = self.family.fixed({name: at})
        if len(family.parameters) > 1:
            on_family = decide_several(
                family, self.definition, seconds=self.region.clock.left() // 1000 + 1, **question
            )
            witness = on_family.witness and ({**on_family.witness[0], name: at}, on_family.witness[1])
            return replace(
                self.answer,
                verdict=on_family.verdict,
                reason=on_family.reason and f"where {face_text}: {on_family.reason}",
                witness=witness,
            )
        one_parameter_answer = decide_family(family, self.definition, **question)
        witness = one_parameter_answer.witness and (
            {family.names[0]: one_parameter_answer.witness[0], name: at},
            one_parameter_answer.witness[1],
        )
        reason = (
            f"where {face_text}: {one_parameter_answer}"
            if one_parameter_answer.verdict in {"undecided", "unsupported"}
            else ""
        )
        verdict = one_parameter_answer.verdict if one_parameter_answer.verdict != "fails" or witness else "undecided"
        return replace(self.answer, verdict=verdict, reason=reason, witness=witness)
