"""Synthesis: weights for a given support that tell statements apart, found by z3 over the reals, then made simple.

It finds parameters that no grid holds. It is untrusted: the checkers decide each candidate again. Effort is bounded by
z3's own count of steps, not by time, so that the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from math import comb, gcd, lcm
from typing import Any

from verifier.machine.extras import need
from verifier.questions.language import statement as read
from verifier.questions.statement import And, Not, Or, Statement
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.encoding import Encoding, reached_by, refuse
from verifier.wings.search.patterns import Pattern, patterns
from verifier.wings.search.policies import absent_value
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope, Shape

RLIMIT = 3_000_000
"""Steps of z3 for one pattern, of the order of a second."""
MAX_TOTAL = 64
"""Largest denominator of θ that is looked for."""
MAX_ROW_TOTAL = 60
"""Largest denominator of the mechanism that is looked for."""
FEW = 220
"""Largest number of laws with one denominator that are all tried; of more, those nearest to z3's law."""
NEAREST = 24
MAX_CHECKS = 40
"""Largest number of candidates of one pattern that are checked, where a property is not encoded for z3."""


@dataclass(frozen=True)
class Synthesised:
    """The result of a synthesis: a candidate or None; how many patterns were tried, and on how many z3 gave up.

    `rejected` counts patterns whose weights were found but did not stand the check (some properties are not encoded,
    and a point may be irrational).
    """

    candidate: Candidate | None
    patterns: int
    unknown: int
    rejected: int

    def __str__(self) -> str:
        gave_up = f", of which z3 gave up on {self.unknown:,}" if self.unknown else ""
        refused = f"; {self.rejected:,} were found but did not stand the check" if self.rejected else ""
        outcome = "found" if self.candidate else "none found"
        return f"{outcome} among {self.patterns:,} supports{gave_up}{refused}"


def find(
    satisfied: Sequence[object],
    violated: Sequence[object],
    scope: Scope,
    *,
    rlimit: int = RLIMIT,
    vacuous: bool = False,
) -> Synthesised:
    """The first support in the scope for which weights make all `satisfied` hold and all `violated` fail.

    Supports come by records, values, outputs, knowledge values, then the number of possible worlds and outputs; the
    grid of the scope plays no part. A separation that is only vacuous counts if `vacuous`.

    >>> hit = find(["np(ln(2))"], ["dp(ln(2))"], Scope(1, 2, 2, 1))
    >>> hit.candidate is None, str(hit)
    (True, 'none found among 9 supports')
    >>> coins = find(["np(0)"], ["cdp(0)"], Scope(2, 2, 2, 1)).candidate
    >>> coins and (coins.law_total, coins.law, coins.mechanism)
    (2, (1, 0, 0, 1), ((1, 0), (1, 0), (0, 1), (1, 0)))

    Raises:
        UnsupportedError: for statements that are no polynomial inequalities.
        LimitError: for a scope with too many supports.

    """
    targets = tuple(map(read, violated))
    target = targets[0] if len(targets) == 1 else Or(targets) if targets else None
    return synthesised(SearchQuestion(tuple(map(read, satisfied)), target, scope, vacuous), rlimit)


def synthesised(question: SearchQuestion, rlimit: int = RLIMIT) -> Synthesised:
    """The candidate of the first support in the question's scope that has one, and how many supports were tried."""
    formula = formula_of(question)
    refuse(formula)
    tried = unknown = rejected = 0
    for pattern in patterns(question.scope, _reached(formula, question.scope)):
        tried += 1
        attempt = Attempt(question, pattern, rlimit)
        answer = attempt.solve()
        if answer == "unknown":
            unknown += 1
        if answer != "sat":
            continue
        candidate = attempt.rounded()
        if candidate is not None:
            return Synthesised(candidate, tried, unknown, rejected)
        rejected += 1
    return Synthesised(None, tried, unknown, rejected)


def formula_of(question: SearchQuestion) -> Statement:
    """The statement for z3: all `satisfied` statements, and the negation of the violated one."""
    return And((*question.satisfied, *([] if question.violated is None else [Not(question.violated)])))


def _reached(formula: Statement, scope: Scope) -> Callable[[Shape, Collection[int]], Collection[int]]:
    """The function from the possible databases to those on which the question needs the mechanism."""
    kind = reached_by(formula)

    def reached(shape: Shape, possible: Collection[int]) -> Collection[int]:
        if kind == "all":
            return range(shape.databases)
        if kind == "possible":
            return possible
        needed = set(possible)
        for i in range(1 if scope.first_only else shape.records):
            # a value that the record never takes is not set
            taken = {shape.value(database, i) for database in possible}
            needed |= {shape.replaced(d, i, v) for d in possible for v in taken}
        return needed

    return reached


class Attempt:
    """The attempt to find weights for one pattern, first as unknowns of z3, then as simple numbers."""

    def __init__(self, question: SearchQuestion, pattern: Pattern, rlimit: int) -> None:
        self.question, self.pattern, self.rlimit = question, pattern, rlimit
        knowledge = pattern.shape.knowledge
        self.worlds = [divmod(number, knowledge) for number, yes in enumerate(pattern.law) if yes]
        self.point: list[Fraction] = []
        self.values: dict[str, Fraction] = {}

    def solve(self) -> str:
        """The answer of z3: `sat`, `unsat` or `unknown`; after `sat`, `point` is its law, or close to it."""
        z3 = need("z3")
        context = z3.Context()
        # the weights are up to a factor: the first is 1
        weights = [Fraction(1), *(z3.Real(f"w{k}", context) for k in range(1, len(self.worlds)))]
        rows, limits = self._rows(z3, context)
        limits += [weight > 0 for weight in weights[1:]]
        encoding = self._encoding(z3, context, dict(zip(self.worlds, weights, strict=True)), rows, {})
        answer, value = self._asked(encoding, limits)
        if answer == "sat":
            unscaled = list(map(value, weights))
            self.point = [weight / sum(unscaled) for weight in unscaled]
            self.values = {name: value(unknown) for name, unknown in encoding.unknowns.items()}
        return answer

    def _encoding(self, z3: Any, context: Any, law: Any, rows: Any, fixed: Mapping[str, Fraction]) -> Encoding:
        absent = absent_value(self.question.policy)
        return Encoding(z3, context, self.pattern, law, rows, fixed, vacuous=self.question.vacuous, absent=absent)

    def _asked(self, encoding: Encoding, limits: Sequence[Any]) -> tuple[str, Callable[[Any], Fraction]]:
        """The answer of z3 to the question in an encoding; after `sat` also a function that evaluates weights."""
        z3 = encoding.z3
        solver = z3.Solver(ctx=encoding.context)
        solver.set("rlimit", self.rlimit)
        solver.add(encoding.truth(formula_of(self.question)), *encoding.side, *limits)
        answer = str(solver.check())
        return answer, partial(_value, z3, solver.model() if answer == "sat" else None)

    def _rows(self, z3: Any, context: Any, total: int = 0) -> tuple[list[list[Any]], list[Any]]:
        """The mechanism: unknown where a database has several outputs; multiples of 1/total where that is given."""
        rows, limits = [], []
        for d, support in enumerate(self.pattern.rows):
            several = sum(support) > 1
            row: list[Any] = [Fraction(int(yes)) for yes in support]
            if several:
                places = [o for o, yes in enumerate(support) if yes]
                for o in places[:-1]:
                    if total:
                        weight = z3.Int(f"m{d}.{o}", context)
                        row[o] = z3.ToReal(weight) / z3.RealVal(str(total), context)
                        limits.append(weight >= 1)
                    else:
                        row[o] = z3.Real(f"m{d}.{o}", context)
                        limits.append(row[o] > 0)
                row[places[-1]] = z3.RealVal("1", context) - z3.Sum([row[o] for o in places[:-1]])
                limits.append(row[places[-1]] > 0)
            rows.append(row)
        return rows, limits

    def rounded(self) -> Candidate | None:
        """The candidate with the smallest denominators near the point that stands the check.

        None if none does, or if `MAX_CHECKS` candidates have failed.
        """
        checks = 0
        for fixed in self._simple_values():
            for total in range(len(self.worlds), MAX_TOTAL + 1):
                for law in self._laws(total):
                    candidate = self._mechanism(law, total, fixed)
                    if candidate is not None:
                        if self.question.is_wanted(candidate):
                            return candidate
                        checks += 1
                        if checks >= MAX_CHECKS:
                            return None
        return None

    def _simple_values(self) -> Iterator[dict[str, Fraction]]:
        """Values of the variables near z3's, with larger and larger denominators."""
        names = {name: value for name, value in self.values.items() if not name.startswith("exp(")}
        tried: list[dict[str, Fraction]] = []
        for most in (1, 2, 3, 5, 8, 20, 100, 10**6):
            simple = {name: value.limit_denominator(most) for name, value in names.items()}
            if simple not in tried:
                tried.append(simple)
                yield simple

    def _laws(self, total: int) -> Iterator[tuple[int, ...]]:
        """Positive weights of this sum without a common factor, the nearest to the point first."""
        count = len(self.worlds)
        goal = [total * share for share in self.point]
        if comb(total - 1, count - 1) <= FEW:
            cuts = combinations(range(1, total), count - 1)
            laws = [tuple(b - a for a, b in zip((0, *cut), (*cut, total), strict=True)) for cut in cuts]
        else:
            laws = list(_near(goal, total))
        laws = [law for law in laws if gcd(*law, total) == 1]
        laws.sort(key=lambda law: (sum(abs(x - g) for x, g in zip(law, goal, strict=True)), law))
        yield from laws[:NEAREST] if len(laws) > FEW else laws

    def _mechanism(self, law: tuple[int, ...], total: int, fixed: Mapping[str, Fraction]) -> Candidate | None:
        """The mechanism with the smallest denominator for one law, from z3; for constants this is linear."""
        weights = {world: Fraction(weight) for world, weight in zip(self.worlds, law, strict=True)}
        exact = self._rows_for(weights, fixed, 0)
        if exact is None:
            return None
        most = lcm(*(x.denominator for row in exact for x in row))
        for denominator in range(1, min(most, MAX_ROW_TOTAL + 1)):
            rows = self._rows_for(weights, fixed, denominator)
            if rows is not None:
                return self._candidate(law, total, rows, denominator)
        return self._candidate(law, total, exact, most)

    def _rows_for(
        self, weights: Mapping[tuple[int, int], Fraction], fixed: Mapping[str, Fraction], denominator: int
    ) -> list[list[Fraction]] | None:
        z3 = need("z3")
        if denominator and any(sum(support) > denominator for support in self.pattern.rows):
            return None
        context = z3.Context()
        rows, limits = self._rows(z3, context, denominator)
        answer, value = self._asked(self._encoding(z3, context, weights, rows, fixed), limits)
        return [list(map(value, row)) for row in rows] if answer == "sat" else None

    def _candidate(
        self, law: tuple[int, ...], total: int, rows: Sequence[Sequence[Fraction]], denominator: int
    ) -> Candidate | None:
        shape = self.pattern.shape
        weight_of = dict(zip(self.worlds, law, strict=True))
        weights = tuple(
            weight_of.get((d, known), 0) for d in range(shape.databases) for known in range(shape.knowledge)
        )
        scaled = tuple(tuple(int(x * denominator) for x in row) for row in rows)
        if any(sum(row) != denominator for row in scaled):
            return None
        return Candidate(
            shape.records,
            shape.values,
            shape.outputs,
            shape.knowledge,
            total,
            denominator,
            weights,
            scaled,
            self.pattern.first_only,
        )


def _value(z3: Any, solution: Any, expression: Any) -> Fraction:
    """The value of an expression in a model of z3, or a rational number near an irrational value; a number itself."""
    if isinstance(expression, Fraction):
        return expression
    value = solution.eval(expression, model_completion=True)
    if z3.is_algebraic_value(value):
        value = value.approx(30)
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def _near(goal: Sequence[Fraction], total: int) -> Iterator[tuple[int, ...]]:
    """Roundings of a law to positive integers with the sum `total`: each weight up or down."""
    low = [max(1, int(share)) for share in goal]
    missing = total - sum(low)
    if not 0 <= missing <= len(goal):
        return
    order = sorted(range(len(goal)), key=lambda k: int(goal[k]) - goal[k])
    for chosen in islice(combinations(order, missing), NEAREST):
        yield tuple(weight + (k in chosen) for k, weight in enumerate(low))
