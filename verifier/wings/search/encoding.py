"""Statements about one pattern as polynomial inequalities in its weights, for z3; all conditioning is multiplied out.

With W_v the weight of (D(i) = v, B̂) and A_v(o) that of (D(i) = v, B̂, output o), an (ε, δ) of NP bounds
Σₒ max(0, W_b·A_a(o) - E·W_a·A_b(o)) by δ·W_a·W_b. The sum is at most a bound iff each event's is, and exceeds it iff
some event's does. An output is impossible under a law iff it is by the pattern.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import filterfalse, product
from math import lcm, prod
from typing import Any

from verifier.definitions import TAIL, find
from verifier.definitions.compare import Comparing, comparing, outputs
from verifier.definitions.rows import BACKWARD, Case, Given, Name, weights
from verifier.definitions.rows import Row as NamedRow
from verifier.errors import LimitError, UnsupportedError
from verifier.numbers import Epsilon
from verifier.questions.statement import And, Has, Holds, Not, Scaled, Statement, atoms
from verifier.wings.search.features import FEATURES, OF_THETA
from verifier.wings.search.patterns import Pattern

MAX_EVENTS = 4096
"""Largest number of events of one comparison."""
Row = tuple[Any, Any]
"""The terms of P(o) and Q(o), up to a common factor; the number 0 where the pattern makes o impossible."""


@dataclass(frozen=True)
class EncodedComparison:
    """One comparison: for each of its pairs of laws the rows (P(o), Q(o)) of the outputs, and the factor of δ."""

    pairs: tuple[tuple[Row, ...], ...]
    factor: Any


def refuse(statement: Statement) -> None:
    """Refuse statements that have no encoding, before any work.

    Raises:
        UnsupportedError: for definitions that list no comparisons of laws of outputs, for readings other than the
            default, for derived mechanisms, and where no power of e^ε is rational.

    """
    for atom in atoms(statement):
        if isinstance(atom, Has):
            continue
        _comparing(atom.definition)
        if atom.reading != "default" or atom.on:
            subject = f"{atom.on}({atom.definition})" if atom.on else f"the reading {atom.reading}"
            raise UnsupportedError(f"{subject} is not encoded as polynomials", tip="enumeration decides it")
        if (
            isinstance(atom.epsilon, Epsilon)
            and atom.epsilon.kind not in {"log", "inf", "root"}
            and atom.epsilon.exp is None
        ):
            raise UnsupportedError(f"e^ε is no algebraic number at ε = {atom.epsilon}", wanted='"r*ln(p/q)"')


def _comparing(definition: str) -> Comparing:
    """The rows of a definition that compares laws of outputs."""
    compare = comparing(find(definition))
    if compare is None or compare.view is not outputs:
        raise UnsupportedError(f"{definition} is not encoded as polynomials", tip="enumeration decides it")
    return compare


def reached_by(statement: Statement) -> str:
    """The databases on which the mechanism matters: `all`, the `possible` ones, or these and those after a `change`."""
    of_theta = {*OF_THETA, "acceptable"}
    reached = {
        "possible"
        if isinstance(atom, Has) and atom.name in of_theta
        else "all"
        if isinstance(atom, Has)
        else _comparing(atom.definition).reach
        for atom in atoms(statement)
    }
    return next((reach for reach in ("all", "change") if reach in reached), "possible")


class Encoding:
    """One pattern with its weights `law[d, b]` and `rows[d][o]`, each a number or an unknown of z3.

    `fixed` has values of variables (of e^ε or δ); the others become `unknowns`, with their conditions in `side`.
    """

    def __init__(
        self,
        z3: Any,
        context: Any,
        pattern: Pattern,
        law: Mapping[tuple[int, int], Any],
        rows: Sequence[Sequence[Any]],
        fixed: Mapping[str, Fraction],
        *,
        vacuous: bool,
        absent: int | None = None,
    ) -> None:
        self.absent = absent
        self.z3, self.context, self.pattern = z3, context, pattern
        self.law, self.rows, self.fixed, self.vacuous = law, rows, fixed, vacuous
        self.unknowns: dict[str, Any] = {}
        self.side: list[Any] = []
        self.roots: dict[str, int] = {}
        self.shape = pattern.shape
        self.records = range(1 if pattern.first_only else pattern.shape.records)
        self.databases = list(product(range(pattern.shape.values), repeat=pattern.shape.records))
        self.position = {database: d for d, database in enumerate(self.databases)}
        self.encoded: dict[tuple[Comparing, bool], tuple[EncodedComparison, ...]] = {}

    def worlds(self, known: int) -> Iterator[tuple[tuple[int, ...], Any]]:
        """The possible databases of one B̂ with their weights."""
        return ((self.databases[d], weight) for (d, b), weight in self.law.items() if b == known)

    def _has(self, name: str, *, wanted: bool) -> Any:
        """The formula for a property; for one that is not encoded an unknown truth."""
        if name not in FEATURES:
            return self.z3.Bool(f"has {name}", self.context) == wanted
        holds = FEATURES[name](self)
        return holds if wanted else self.opposite(holds)

    def weight(self, database: int, known: int) -> Any:
        """The weight of a world."""
        return self.law.get((database, known), 0)

    def equal(self, first: Any, second: Any) -> Any:
        """The formula that two weights, or two truths, are equal; decided at once where both are numbers."""
        if _is_number(first) and _is_number(second):
            return self.z3.BoolVal(first == second, self.context)
        return self.number(first) == self.number(second)

    def positive(self, weight: Any) -> Any:
        """The truth that a weight is not 0, which the pattern says."""
        return self.z3.BoolVal(not _is_zero(weight), self.context)

    def opposite(self, truth: Any) -> Any:
        """The negation of a formula."""
        return self.z3.Not(truth)

    def truth(self, statement: Statement, *, wanted: bool = True) -> Any:
        """The formula for a statement, or with `wanted=False` for its negation.

        A property that is not in `FEATURES` becomes an unknown truth.
        """
        if not self.roots:
            self._scale(statement)
        if isinstance(statement, Has):
            return self._has(statement.name, wanted=wanted)
        if isinstance(statement, Holds):
            return self._holds(statement) if wanted else self._fails(statement)
        if isinstance(statement, Not):
            return self.truth(statement.of, wanted=not wanted)
        truths = [self.truth(operand, wanted=wanted) for operand in statement.operands]
        return self.every(truths) if isinstance(statement, And) == wanted else self.some(truths)

    def every(self, truths: Sequence[Any]) -> Any:
        """The conjunction of formulas."""
        return self.z3.And(*truths, self.z3.BoolVal(True, self.context))

    def some(self, truths: Sequence[Any]) -> Any:
        """The disjunction of formulas."""
        return self.z3.Or(*truths, self.z3.BoolVal(False, self.context))

    def _scale(self, statement: Statement) -> None:
        """Choose for each variable ε the k with e^ε = x^k for which all its factors become integers."""
        for atom in atoms(statement):
            if isinstance(atom, Holds) and isinstance(atom.epsilon, Scaled):
                name = atom.epsilon.name
                self.roots[name] = lcm(self.roots.get(name, 1), atom.epsilon.factor.denominator)

    def _unknown(self, name: str, low: int, high: int | None) -> Any:
        if name in self.fixed:
            return self.fixed[name]
        if name not in self.unknowns:
            unknown = self.unknowns[name] = self.z3.Real(name, self.context)
            self.side += [unknown >= low, *([unknown <= high] if high is not None else [])]
        return self.unknowns[name]

    def _factor(self, epsilon: Epsilon | Scaled | None) -> Any:
        """E = e^ε, as a number or a power of an unknown; None for ∞."""
        if isinstance(epsilon, Scaled):
            root = self._unknown(epsilon.name, 1, None)
            return root ** int(epsilon.factor * self.roots[epsilon.name])
        if epsilon is None or epsilon.is_infinite:
            return None
        if epsilon.exp is not None:
            return epsilon.exp
        root = self._unknown(f"exp({epsilon})", 1, None)
        if epsilon.root is not None:
            value = sum(c * root**k for k, c in enumerate(epsilon.root.polynomial))
            self.side += [value == 0, root >= self.number(epsilon.root.low), root <= self.number(epsilon.root.high)]
            return root
        r = epsilon.coefficient
        value = epsilon.argument**r.numerator
        self.side.append(root**r.denominator == self.number(value))
        return root

    def _bound(self, delta: Fraction | Scaled) -> Any:
        if isinstance(delta, Scaled):
            return self.times(delta.factor, self._unknown(delta.name, 0, 1), 1) + delta.plus
        return delta

    def number(self, value: Any) -> Any:
        """The term of z3 for a rational number; an expression stays as it is."""
        return self.z3.RealVal(str(value), self.context) if _is_number(value) else value

    def times(self, *factors: Any) -> Any:
        """The product; numbers are multiplied first, so that 0 stays the number 0."""
        numbers = prod(filter(_is_number, factors), start=Fraction(1))
        terms = list(filterfalse(_is_number, factors))
        if numbers == 0 or not terms:
            return numbers
        product = prod(terms[1:], start=terms[0])
        return product if numbers == 1 else self.number(numbers) * product

    def plus(self, summands: Sequence[Any]) -> Any:
        """The sum; numbers are added first, so that a sum of zeros stays the number 0."""
        numbers = sum(filter(_is_number, summands), Fraction(0))
        terms = list(filterfalse(_is_number, summands))
        if not terms:
            return numbers
        total = self.z3.Sum(terms)
        return total if numbers == 0 else total + self.number(numbers)

    def _less(self, left: Any, right: Any) -> Any:
        """Whether left ≤ right, decided at once where both are numbers."""
        if _is_number(left) and _is_number(right):
            return self.z3.BoolVal(left <= right, self.context)
        return self.number(left) <= self.number(right)

    def _holds(self, atom: Holds) -> Any:
        sums = self.sums(atom)
        if not sums and not self.vacuous:
            return self.z3.BoolVal(False, self.context)
        return self.every(
            [self._event(atom, comparison, gains) for comparison in sums for gains in self._events(atom, comparison)]
        )

    def _fails(self, atom: Holds) -> Any:
        sums = self.sums(atom)
        return self.some(
            [
                self.z3.Not(self._event(atom, comparison, gains))
                for comparison in sums
                for gains in self._events(atom, comparison)
            ]
        )

    def _event(self, atom: Holds, comparison: EncodedComparison, event: Sequence[Row]) -> Any:
        """The formula that an event does not exceed δ; tail forms count it if all its outputs have a loss above ε."""
        E, tail = self._factor(atom.epsilon), find(atom.definition).curve() is TAIL
        most = self.times(self._bound(atom.delta), comparison.factor)
        if E is None:
            return self._less(self.plus([p for p, _ in event]), most)
        gains = [self.plus([p, self.times(-1, E, q)]) for p, q in event]
        if not tail:
            return self._less(self.plus(gains), most)
        return self.some([self._less(self.plus([p for p, _ in event]), most), *(self._less(g, 0) for g in gains)])

    def _events(self, atom: Holds, comparison: EncodedComparison) -> Iterator[list[Row]]:
        """The sets of outputs, over all pairs of laws, that can exceed δ."""
        rows = [row for pair in comparison.pairs for row in pair if not _is_zero(row[0])]
        if self._factor(atom.epsilon) is None:
            yield [row for row in rows if _is_zero(row[1])]
            return
        always = [row for row in rows if _is_zero(row[1])]
        optional = [row for row in rows if not _is_zero(row[1])]
        if 1 << len(optional) > MAX_EVENTS:
            raise LimitError(
                f"one comparison has 2^{len(optional)} events", where="synthesis", wanted=f"{MAX_EVENTS:,}"
            )
        for chosen in product((False, True), repeat=len(optional)):
            event = [*always, *(row for row, yes in zip(optional, chosen, strict=True) if yes)]
            if event:
                yield event

    def sums(self, atom: Holds) -> tuple[EncodedComparison, ...]:
        """The encoded comparisons of a definition."""
        compare, averages = _comparing(atom.definition), find(atom.definition).aggregation.averages
        if (compare, averages) not in self.encoded:
            encoded = []
            shape = self.pattern.shape
            values, knowledge = range(shape.values), range(shape.knowledge)
            for record in self.records:
                case = PatternCase(values, values, knowledge, (shape.records, record), self.absent, self)
                for group in compare.builder(case, atom.reading):
                    condition = [Given(None, group.a)] if averages else []
                    alike = [group.rows] if averages else [(row,) for row in group.rows]
                    encoded += [case.sums(rows, order, condition) for rows in alike if rows for order in group.orders]
            self.encoded[compare, averages] = tuple(encoded)
        return self.encoded[compare, averages]


@dataclass(frozen=True)
class PatternCase(Case):
    """One protected record of a pattern, as the builders of definitions look at it; weights are terms of z3."""

    encoding: Encoding

    def possible(self, known: Hashable, *values: int) -> bool:
        """Whether the pattern lets the record take each of the values given B̂; without B̂ (None), for some B̂."""
        return all(not _is_zero(self.mass(Given(known, value))) for value in values)

    def mass(self, event: Given | None) -> Any:
        """The weight of D(i) = v and B̂, as a term; 1 for a law of a single database (None)."""
        if event is None:
            return 1
        known_values = self.knowledge if event.known is None else [event.known]
        return self.encoding.plus(
            [self.encoding.plus(list(self._on(Given(b, event.value)).values())) for b in known_values]
        )

    def _on(self, name: Name) -> dict[Any, Any]:
        """The weights of a law on databases, up to their total."""
        record, known = self.positions[1], name.event and name.event.known
        worlds = [(d, known, d[record], weight) for d, weight in self.encoding.worlds(known)]  # type: ignore[arg-type]
        return weights(name, worlds, record)

    def law(self, name: Name) -> list[Any]:
        """The law of outputs of a name, times the mass of its event."""
        of = self.encoding
        sources = [(of.rows[of.position[database]], weight) for database, weight in self._on(name).items()]
        outcomes = range(of.pattern.shape.outputs)
        return [of.plus([of.times(weight, row[o]) for row, weight in sources]) for o in outcomes]

    def sums(self, rows: tuple[NamedRow, ...], order: str, condition: Sequence[Given]) -> EncodedComparison:
        """The comparison of Σ over the rows of A_p(o) - E·(W_p/W_q)·A_q(o), times Π W_q.

        Where both laws of a row have the same event, W_p/W_q is 1.
        """
        of = self.encoding
        pairs = [(row.q[0], row.p[0]) if order == BACKWARD else (row.p[0], row.q[0]) for row in rows]
        crossed = [(self.mass(p.event), self.mass(q.event)) if p.event != q.event else (1, 1) for p, q in pairs]
        scaled_pairs = []
        for number, (p, q) in enumerate(pairs):
            cofactors = [weight for index, (_, weight) in enumerate(crossed) if index != number]
            (mass_p, mass_q) = crossed[number]
            first = [of.times(x, mass_q, *cofactors) for x in self.law(p)]
            second = [of.times(y, mass_p, *cofactors) for y in self.law(q)]
            scaled_pairs.append(tuple(zip(first, second, strict=True)))
        total = [self.mass(event) for event in condition] or [self.mass(rows[0].event)]
        return EncodedComparison(tuple(scaled_pairs), of.times(*total, *(weight for _, weight in crossed)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction)


def _is_zero(value: Any) -> bool:
    return _is_number(value) and bool(value == 0)
