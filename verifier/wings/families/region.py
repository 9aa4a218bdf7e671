"""Regions of several parameters: polynomial inequalities, decided by z3 and tested exactly at rational points.

z3's answer `unsat` is a proof by its nonlinear real arithmetic, which is not checked again; its answer `sat` is only a
hint: the point is made rational and every inequality is evaluated there with exact numbers. If z3 does neither, or no
rational point passes, the answer is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import eq, ne
from time import monotonic_ns
from typing import Any

from verifier.machine.extras import need
from verifier.model import Model
from verifier.model.parameters import ORDERS, Family
from verifier.numbers import Epsilon, Function, compare, fmpq_of
from verifier.numbers.expression import Expression
from verifier.numbers.functions import Names, factors_of, terms_of, terms_text, value_of
from verifier.wings.families.comparisons import general_member

Point = tuple[Fraction, ...]
MEANING: Mapping[str, Callable[[Any, Any], Any]] = {**ORDERS, "=": eq, "!=": ne}
NANO = 10**9
PRECISIONS, BOUNDED = (12, 40, 160), 3000
"""Bits of the bounds of an irrational e^ε; milliseconds for each question with bounds."""
ROUNDINGS = (1, 2, 3, 5, 10, 100, 1000, 10**6, 10**12, 10**24)
"""Denominators up to which a coordinate is rounded, so that points are simple."""


@dataclass(frozen=True)
class Inequality:
    """An inequality `a - b·e^ε order 0` with polynomials a and b of the parameters; without b, `a order 0`."""

    a: Any
    order: str
    b: Any = None

    def met(self, at: Point, epsilon: Epsilon | None = None) -> bool:
        """Whether the inequality holds at a point, with exact numbers."""
        if self.b is None or epsilon is None:
            return bool(MEANING[self.order](value_of(self.a, at), 0))
        side = compare(value_of(self.a, at), value_of(self.b, at), epsilon).settled()
        return bool(MEANING[self.order](int(side.value), 0))

    def bounded(self, ends: tuple[Fraction, Fraction]) -> Inequality:
        """The inequality with a rational in place of e^ε: the first end for `>` and `>=`, else the second end."""
        if self.b is None:
            return self
        return Inequality(self.a - self.b * fmpq_of(ends[0] if self.order.startswith(">") else ends[1]), self.order)


@dataclass(frozen=True)
class PointSearch:
    """The result of a search for a point: `none` (proved by z3), `point` (the rational point `at`), or `unknown`.

    `near` says why it is unknown.
    """

    answer: str
    at: Point = ()
    near: str = ""


class Clock:
    """A clock that counts down from a number of seconds."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self.end = monotonic_ns() + seconds * NANO

    def left(self) -> int:
        """The milliseconds that are left."""
        return max(0, (self.end - monotonic_ns()) // (NANO // 1000))


class Region:
    """The set of the parameters' values: `domain` with all ends, `inner` its open part where no entry is 0 or 1."""

    def __init__(self, family: Family, clock: Clock, epsilon: Epsilon | None = None) -> None:
        self.family, self.clock, self.epsilon = family, clock, epsilon
        self.names: Names = family.names
        z3 = self.z3 = need("z3")
        self.context = z3.Context()
        self.unknowns = [z3.Real(f"x{k}", self.context) for k in range(len(self.names))]
        self.factor = z3.Real("e", self.context)
        self._known: dict[str, int] = {}
        self.queries = 0

    def read(self, expression: Expression) -> Function:
        """An expression as a function of the parameters."""
        return Function.read(expression, self.names, sparse=True)

    @cached_property
    def constant_one(self) -> Function:
        """The constant 1."""
        return Function.parameters(self.names, sparse=True)[0].constantly(1)

    @cached_property
    def domain(self) -> tuple[Inequality, ...]:
        """The ranges of the parameters and the side conditions, as inequalities."""
        signs = []
        for condition in self.family.conditions:
            line = self.read(condition.left) - self.read(condition.right)
            signs.append(Inequality(line.top * line.bottom, condition.order))
        return tuple(signs)

    @cached_property
    def entries(self) -> tuple[Function, ...]:
        """The distinct entries of the file that depend on a parameter."""
        every = (self.read(expression) for _, expression in self.family.expressions)
        return tuple(dict.fromkeys(entry for entry in every if entry.constant is None))

    @cached_property
    def between(self) -> tuple[Inequality, ...]:
        """The inequalities that say that every entry is above 0 and below 1."""
        tops = (
            top
            for entry in self.entries
            for top in (entry.top * entry.bottom, (entry.bottom - entry.top) * entry.bottom)
        )
        return tuple({str(top): Inequality(top, ">") for top in tops}.values())

    @cached_property
    def inner(self) -> tuple[Inequality, ...]:
        """The domain without its ends, where every entry is above 0 and below 1: an open set."""
        strict = (*(Inequality(sign.a, sign.order[0]) for sign in self.domain), *self.between)
        return tuple({f"{sign.a}{sign.order}": sign for sign in strict if not sign.a.is_constant()}.values())

    @cached_property
    def support(self) -> tuple[Inequality, ...]:
        """The domain with its ends, but where every entry is above 0 and below 1."""
        return (*self.domain, *self.between)

    @cached_property
    def convex(self) -> bool:
        """Whether all conditions are linear, so that the domain is convex."""
        return all(sign.a.is_constant() or int(sign.a.total_degree()) <= 1 for sign in self.domain)

    def inside(self, at: Point) -> bool:
        """Whether a point is in the inner part."""
        return all(sign.met(at) for sign in self.inner)

    @cached_property
    def centre(self) -> PointSearch:
        """A point of the inner part."""
        return self.find((), self.inner)

    def around(self) -> Iterator[Point]:
        """The centre, and inner points near it, with another distance for each parameter."""
        yield self.centre.at
        for step in (Fraction(side, 3 * 2**k) for k in range(5) for side in (-1, 1)):
            at = tuple(x + step / (j + 1) for j, x in enumerate(self.centre.at))
            if self.inside(at):
                yield at

    @cached_property
    def member(self) -> Model:
        """The model whose probabilities are functions of the parameters."""
        return general_member(
            self.family, (dict(zip(self.names, at, strict=True)) for at in self.around()), sparse=True
        )

    def find(self, wanted: Iterable[Inequality], where: Sequence[Inequality], most: int = 10**9) -> PointSearch:
        """Search a point that meets all inequalities; `most` bounds the milliseconds of one question to z3.

        Where e^ε is irrational, every b must be at least 0. Then z3 is asked with rational bounds of e^ε: with one of
        them more points meet the inequalities, with the other one fewer. If none meets the first, there is none; a
        point that z3 names is tested with e^ε itself. If no bounds decide it and e^ε is a root of a rational number,
        z3 is asked with the equation that defines e^ε.
        """
        every = [*where, *wanted]
        if self.epsilon is None or all(sign.b is None for sign in every):
            return self._ask(every, every, most)
        search = PointSearch("unknown", near="z3 gave up")
        for precision in PRECISIONS:
            ends = self.epsilon.exp_bracket(precision)
            for bounds in (ends, ends[::-1]):
                search = self._ask([sign.bounded(bounds) for sign in every], every, min(most, BOUNDED))
                if search.answer == "point" or (search.answer == "none" and bounds == ends):
                    return search
        return self._ask(every, every, most) if self.epsilon.kind == "log" else search

    def _ask(self, sent: Sequence[Inequality], tested: Sequence[Inequality], most: int) -> PointSearch:
        """Ask z3 one question; a point that it names must pass the tests."""
        left = min(self.clock.left(), most)
        if not left:
            return PointSearch("unknown", near="the time limit was reached")
        solver = self.z3.SolverFor("QF_NRA", ctx=self.context)
        solver.set("timeout", left)
        solver.add(*(self._z3_inequality(sign) for sign in sent))
        if any(sign.b is not None for sign in sent):
            solver.add(*self._equation())
        self.queries += 1
        answer = str(solver.check())
        if answer == "unsat":
            return PointSearch("none")
        if answer != "sat":
            return PointSearch("unknown", near="z3 gave up" if self.clock.left() else "the time limit was reached")
        model = solver.model()
        for at in self._rounded(model):
            if all(sign.met(at, self.epsilon) for sign in tested):
                return PointSearch("point", at)
        values = zip(self.names, self.unknowns, strict=True)
        values_text = ", ".join(f"{name} = {model.eval(x, model_completion=True)}" for name, x in values)
        return PointSearch("unknown", near=f"no rational point was found; z3 names {values_text}")

    def _rounded(self, model: Any) -> Iterator[Point]:
        values = [model.eval(x, model_completion=True) for x in self.unknowns]
        exact = []
        for value in values:
            near = value.approx(40) if self.z3.is_algebraic_value(value) else value
            exact.append(Fraction(near.numerator_as_long(), near.denominator_as_long()))
        for most in ROUNDINGS:
            yield tuple(coordinate.limit_denominator(most) for coordinate in exact)
        yield tuple(exact)

    def _z3_inequality(self, sign: Inequality) -> Any:
        left = self._expression(sign.a)
        if sign.b is not None:
            left = left - self.factor * self._expression(sign.b)
        return MEANING[sign.order](left, self.z3.RealVal(0, self.context))

    def _equation(self) -> list[Any]:
        """The equation that defines e^ε, the root of a rational, for z3."""
        if self.epsilon is None:
            raise ArithmeticError("e^ε is unknown")
        m, k = self.epsilon.power()
        return [self.factor > 0, self._power(self.factor, k) == self._number(m)]

    def _number(self, value: Fraction) -> Any:
        return self.z3.RealVal(str(value), self.context)

    def _power(self, x: Any, k: int) -> Any:
        product = x
        for _ in range(k - 1):
            product = product * x
        return product

    def _expression(self, polynomial: Any) -> Any:
        terms = []
        for powers, c in terms_of(polynomial).items():
            term = self._number(c)
            for x, k in zip(self.unknowns, powers, strict=True):
                if k:
                    term = term * self._power(x, k)
            terms.append(term)
        return self.z3.Sum(terms) if terms else self._number(Fraction(0))

    def sign(self, polynomial: Any) -> int:
        """The sign of a polynomial, 1 or -1, if it is proved to be the same on the whole inner part; else 0."""
        if polynomial.is_constant():
            value = value_of(polynomial, (Fraction(0),) * len(self.names)) if not polynomial.is_zero() else Fraction(0)
            return (value > 0) - (value < 0)
        key = str(polynomial)
        if key not in self._known:
            value_at_centre = value_of(polynomial, self.centre.at)
            side = (value_at_centre > 0) - (value_at_centre < 0)
            if side:
                opposite = self.find([Inequality(polynomial, "<=" if side > 0 else ">=")], self.inner, 2000)
                side = side if opposite.answer == "none" else 0
            self._known[key] = side
        return self._known[key]

    def simpler(self, a: Any, b: Any = None) -> tuple[Any, Any]:
        """The polynomials a and b without common factors of one sign: (a, b) up to a positive factor on `inner`."""
        shared = a if b is None else a.gcd(b)
        if shared.is_zero():
            return a, b
        scale = 1
        for factor, times in factors_of(shared)[1]:
            side = self.sign(factor)
            if side:
                cancelled = factor**times
                a = divmod(a, cancelled)[0]
                b = None if b is None else divmod(b, cancelled)[0]
                scale *= side**times
        return a * scale, None if b is None else b * scale

    def faces(self) -> list[Any]:
        """The factors of each entry x, and of 1 - x, that are 0 at some point of the domain.

        Factors that fix one parameter come first; another factor is listed only if it is 0 at a point where none of
        the first is.
        """
        factors: dict[str, Any] = {}
        for entry in self.entries:
            for top in (entry.top, entry.bottom - entry.top):
                factors |= {str(factor): factor for factor, _ in factors_of(top)[1]}
        fixing = [factor for factor in factors.values() if self.fixes(factor) is not None and self._met(factor, ())]
        return fixing + [
            factor for factor in factors.values() if self.fixes(factor) is None and self._met(factor, fixing)
        ]

    def _met(self, factor: Any, nonzero: Iterable[Any]) -> bool:
        """Whether z3 leaves it possible that a factor is 0 at a point of the domain where other factors are not."""
        wanted = [Inequality(factor, "="), *(Inequality(polynomial, "!=") for polynomial in nonzero)]
        return self.find(wanted, self.domain).answer != "none"

    def fixes(self, factor: Any) -> int | None:
        """The index of the parameter that `factor = 0` fixes, where the factor is linear in it alone; else None."""
        names = [k for k, degree in enumerate(factor.degrees()) if degree]
        return names[0] if len(names) == 1 and int(factor.total_degree()) == 1 else None

    def root(self, factor: Any) -> Fraction:
        """The value of the parameter at which a linear polynomial in one parameter is 0."""
        terms = terms_of(factor)
        lead = next(c for powers, c in terms.items() if any(powers))
        return -terms.get((0,) * len(self.names), Fraction(0)) / lead

    def text(self, polynomial: Any) -> str:
        """The text of a polynomial in the parameters."""
        return terms_text(polynomial, self.names)

    def point_text(self, at: Point) -> str:
        """The text of a point, such as `p = 1/2, q = 1/3`."""
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, at, strict=True))
