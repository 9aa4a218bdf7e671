"""The one door to linear programs over the rationals: an exact optimum, or the proof that there is none.

    max c·x   with x ≥ 0, and for each row a·x ≤ b or a·x = b

What comes out is proved from the program alone, with `==` and `≤` (`proves`), by whatever way it was found:

- an `Optimum`: a point x in all rows, and multipliers y (y ≥ 0 on the rows with ≤) with y·A ≥ c and c·x = y·b;
- `Infeasible`: multipliers with y·A ≥ 0 and y·b < 0, so that 0 ≤ y·A·x ≤ y·b < 0 for each x (Farkas);
- `Unbounded`: a point in all rows, and a direction ≥ 0 that leaves no row and gains.

A large program is guessed first: HiGHS, where it is installed, names a basis in floating point (`guess`), and the
basis is solved and proved here. A basis that is not proved is thrown away. What remains is for the exact simplex
(`simplex`), which is the twin. Small programs never ask HiGHS, so that their points are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from verifier.numbers.guess import bases, has_highs
from verifier.numbers.rational import fmpq_of, fraction_of
from verifier.numbers.simplex import Coefficients, Optimum, Simplex, UnboundedError
from verifier.numbers.sparse import solved

GUESSED_FROM = 10_000
"""Smallest number of cells (rows times variables) of a program whose basis is guessed."""


class Constraint(NamedTuple):
    """The row a·x ≤ b, or a·x = b where it is `equal`."""

    coefficients: Coefficients
    bound: Any
    equal: bool = False


class Infeasible(NamedTuple):
    """No x ≥ 0 is in all rows: the multipliers y have y·A ≥ 0 and y·b < 0."""

    multipliers: dict[Any, Fraction]


class Unbounded(NamedTuple):
    """The objective is not bounded: the point is in all rows, and the direction stays in them and gains."""

    point: dict[Any, Fraction]
    direction: dict[Any, Fraction]


Outcome: TypeAlias = Optimum | Infeasible | Unbounded
Basis: TypeAlias = tuple[list[int], list[int]]
"""The variables of a basis and as many rows without slack, by their numbers."""


class LinearProgram:
    """The program max c·x with x ≥ 0 and rows a·x ≤ b or a·x = b, for one objective c after the other.

    `variables` and `rows` have names, which are anything hashable; a row is a `Constraint`, or a tuple of its parts;
    numbers are fractions or rationals of python-flint.

    >>> one, two = Fraction(1), Fraction(2)
    >>> program = LinearProgram("xy", {"sum": ({"x": one, "y": one}, two, True), "least": ({"y": -one}, -one)})
    >>> value, point, multipliers = program.maximise({"x": two, "y": one})
    >>> print(value, *map(str, point.values()), *map(str, multipliers.values()))
    3 1 1 2 1
    >>> LinearProgram("x", {"above": ({"x": -one}, -two), "below": ({"x": one}, one)}).solve({})
    Infeasible(multipliers={'above': Fraction(1, 1), 'below': Fraction(1, 1)})
    """

    def __init__(self, variables: Iterable[Hashable], rows: Mapping[Any, Sequence[Any]]) -> None:
        self.variables: list[Any] = list(variables)
        self.rows: dict[Any, Constraint] = {}
        for name, row in rows.items():
            coefficients, bound, equal = Constraint(*row)
            exact = {variable: fmpq_of(value) for variable, value in coefficients.items()}
            self.rows[name] = Constraint(exact, fmpq_of(bound), equal)
        self.corner: tuple[list[Any], list[Any]] = ([], [])
        """The basis of the last optimum: its variables, and as many rows without slack, whose solution is its point."""
        self.guessed = False
        """Whether the last answer is from a guessed basis."""

    def maximise(self, objective: Coefficients) -> Optimum:
        """The optimum of c·x, for a program that has one.

        Raises:
            ArithmeticError: where there is none.
            LimitError: after too many pivots.

        """
        found = self.solve(objective)
        if isinstance(found, Optimum):
            return found
        raise ArithmeticError("no point is in all rows" if isinstance(found, Infeasible) else "it is not bounded")

    def solve(self, objective: Coefficients) -> Outcome:
        """The optimum of c·x, where `objective` has the coefficients by variable; or why there is none.

        Raises:
            LimitError: after too many pivots.

        """
        large = len(self.variables) * len(self.rows) >= GUESSED_FROM
        guess = self._guess(objective) if large and has_highs() else None
        self.guessed = guess is not None
        if guess is not None:
            return guess
        found = self._simplex(objective)
        if not proves(self, objective, found):
            raise ArithmeticError("the simplex method found numbers that do not prove its answer")
        return found

    @cached_property
    def tight(self) -> dict[Any, int]:
        """The rows that x = 0 does not satisfy, or that have no slack, each with the sign that makes its bound ≥ 0."""
        return {name: -1 if b < 0 else 1 for name, (_, b, equal) in self.rows.items() if equal or b < 0}

    @cached_property
    def start(self) -> tuple[list[Any], dict[Any, Constraint], dict[Any, Any]]:
        """A program in whose rows x = 0 is, and an objective that tells whether this one has a point.

        It has iff the objective can be the sum of the bounds of the tight rows.

        A tight row is a·x ≤ b there, with its sign; where it was a·x ≤ b with b < 0 it is -a·x - s ≤ -b with s ≥ 0.
        """
        variables, rows, objective = list(self.variables), dict[Any, Constraint](), dict[Any, Any]()
        for name, (coefficients, bound, equal) in self.rows.items():
            sign = self.tight.get(name, 1)
            row = {variable: sign * value for variable, value in coefficients.items()}
            if name in self.tight:
                if not equal:
                    variables.append(("surplus", name))
                    row["surplus", name] = fmpq_of(Fraction(-1))
                for variable, value in row.items():
                    objective[variable] = objective.get(variable, 0) + value
            rows[name] = Constraint(row, sign * bound)
        return variables, rows, objective

    def _original(self, multipliers: Mapping[Any, Fraction], share: Fraction) -> dict[Any, Fraction]:
        """The multipliers of these rows, by those of `start` for c + share·(its own objective)."""
        return {name: self.tight.get(name, 1) * (y - share * (name in self.tight)) for name, y in multipliers.items()}

    def _refutation(self, value: Fraction, multipliers: Mapping[Any, Fraction]) -> Infeasible | None:
        """The proof that no point is in all rows, by the optimum of `start`; None where one is."""
        wanted = sum((sign * fraction_of(self.rows[name].bound) for name, sign in self.tight.items()), Fraction(0))
        return Infeasible(self._original(multipliers, Fraction(1))) if value < wanted else None

    @cached_property
    def _table(self) -> tuple[Simplex, Infeasible | None]:
        """The table of the simplex method, once x is in all rows; or the proof that none is."""
        variables, rows, objective = self.start
        simplex = Simplex(variables, {name: (row.coefficients, row.bound) for name, row in rows.items()})
        if not self.tight:
            return simplex, None
        value, _, multipliers = simplex.maximise(objective)
        simplex.keep()
        return simplex, self._refutation(value, multipliers)

    def _simplex(self, objective: Coefficients) -> Outcome:
        simplex, refutation = self._table
        if refutation is not None:
            return refutation
        try:
            value, point, multipliers = simplex.maximise(objective)
        except UnboundedError as error:
            points = simplex.named(simplex.point()), simplex.named(error.direction)
            return Unbounded(*({variable: x.get(variable, Fraction(0)) for variable in self.variables} for x in points))
        support, active = simplex.corner
        known = set(self.variables)
        slack = {variable[1] for variable in support if variable not in known}  # rows below their bound: their surplus
        self.corner = [x for x in support if x in known], [name for name in active if name not in slack]
        kept = {variable: point[variable] for variable in self.variables}
        return Optimum(value, kept, self._original(multipliers, simplex.share))

    def _guess(self, objective: Coefficients) -> Optimum | Infeasible | None:
        """The optimum of a guessed basis, or the proof that no point is in all rows; None where nothing is proved."""
        places = {variable: j for j, variable in enumerate(self.variables)}
        numbered = [
            Constraint({places[variable]: value for variable, value in row.items() if value}, bound, equal)
            for row, bound, equal in self.rows.values()
        ]
        costs = {places[variable]: fmpq_of(value) for variable, value in objective.items() if value}
        for basis in bases(len(self.variables), numbered, costs):
            found = self._at(basis, numbered, costs)
            if found is not None and proves(self, objective, found):
                return found
        if self.tight:
            variables, rows, sums = self.start
            value, _, multipliers = LinearProgram(variables, rows).maximise(sums)
            found_none = self._refutation(value, multipliers)
            if found_none is not None and proves(self, objective, found_none):
                return found_none
        return None

    def _at(self, basis: Basis, numbered: Sequence[Constraint], costs: Mapping[int, Any]) -> Optimum | None:
        """The solutions of a basis, by its rows and by its variables; None where there is not exactly one."""
        support, active = basis
        inside = set(support)
        matrix = [{j: value for j, value in numbered[i].coefficients.items() if j in inside} for i in active]
        if len(support) != len(active):
            return None
        point = solved(dict(enumerate(matrix)), {k: numbered[i].bound for k, i in enumerate(active)})
        columns: dict[int, dict[int, Any]] = {j: {} for j in support}
        for k, row in enumerate(matrix):
            for j, value in row.items():
                columns[j][k] = value
        prices = solved(columns, {j: costs.get(j, 0) for j in support})
        if point is None or prices is None:
            return None
        names = list(self.rows)
        zero, chosen = Fraction(0), {active[k]: fraction_of(y) for k, y in prices.items()}
        x = {variable: fraction_of(point[j]) if j in point else zero for j, variable in enumerate(self.variables)}
        value = sum((fraction_of(cost * point[j]) for j, cost in costs.items() if j in point), zero)
        self.corner = [self.variables[j] for j in support], [names[i] for i in active]
        return Optimum(value, x, {name: chosen.get(i, zero) for i, name in enumerate(names)})


def proves(program: LinearProgram, objective: Coefficients, found: Outcome) -> bool:
    """Whether an outcome is right: it is added up again from the rows and the objective, and nothing else is read."""
    if isinstance(found, Infeasible):
        return _bounds(program, {}, found)
    if isinstance(found, Optimum):
        return _inside(program.rows, found.point, moved=False) and _bounds(program, objective, found)
    stays = _inside(program.rows, found.point, moved=False) and _inside(program.rows, found.direction, moved=True)
    return stays and bool(_sum(objective, _rationals(found.direction)) > 0)


def _inside(rows: Mapping[Any, Constraint], x: Mapping[Any, Fraction], *, moved: bool) -> bool:
    """Whether x ≥ 0 is in all rows; as a direction, which is `moved` along, with bounds 0."""
    if any(value < 0 for value in x.values()):
        return False
    exact = _rationals(x)
    for row, bound, equal in rows.values():
        over = _sum(row, exact) - (0 if moved else bound)
        if over > 0 or (equal and over):
            return False
    return True


def _bounds(program: LinearProgram, objective: Coefficients, found: Optimum | Infeasible) -> bool:
    """Whether the multipliers prove that the objective is at most its value, or that 0 is below 0."""
    exact, paid = _rationals(found.multipliers), fmpq_of(Fraction(0))
    covered = dict.fromkeys(program.variables, paid)
    for name, y in exact.items():
        row, bound, equal = program.rows[name]
        if y < 0 and not equal:
            return False
        paid += y * bound
        for variable, value in row.items():
            covered[variable] += y * value
    if any(price < fmpq_of(objective.get(variable, Fraction(0))) for variable, price in covered.items()):
        return False
    if isinstance(found, Infeasible):
        return bool(paid < 0)
    return bool(_sum(objective, _rationals(found.point)) == fmpq_of(found.value) == paid)


def _sum(row: Coefficients, x: Mapping[Any, Any]) -> Any:
    return sum((fmpq_of(value) * x[variable] for variable, value in row.items() if variable in x), fmpq_of(Fraction(0)))


def _rationals(numbers: Mapping[Any, Fraction]) -> dict[Any, Any]:
    """The numbers that are not 0, as rationals of python-flint."""
    return {name: fmpq_of(value) for name, value in numbers.items() if value}
