"""Whether a statement holds in a model, exactly, for all values of its variables; and where not, for which values.

A definition with an ε or a δ that varies holds from a threshold on. Along x, where e^ε is a power of x for each
variable ε, all thresholds are rational or roots of polynomials, and δ(ε) is A - B·e^ε in pieces. So the truth changes
only at finitely many x, and one rational x in every gap, together with the rational x at which it changes, decides. No
other x is needed: if a statement is false at some x, then at all slightly larger ones too, since holding from a
threshold on and a gap between two δ both last to the right of x. These roots are exact real numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import lcm
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.model import Model
from verifier.numbers import INFINITY, Epsilon, ball_ends, exact_text, log_epsilon, simplest
from verifier.numbers.reals import times as multiple
from verifier.questions.statement import And, Has, Holds, Not, Or, Scaled, Statement, atoms
from verifier.wings.search.atom_verdicts import OPEN, DeltaCurve, Facts

Coefficients = tuple[Fraction, ...]
"""The coefficients of a polynomial, the constant first."""
MAX_DEGREE, MAX_PRECISION = 128, 1 << 14


@dataclass(frozen=True)
class Root:
    """A real root between two rational bounds, which are both the root itself if it is rational."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> Fraction | None:
        """The root if it is rational, else None."""
        return self.low if self.low == self.high else None


def roots_above(polynomials: Iterable[Coefficients], start: Fraction) -> list[Root]:
    """All real roots above `start` of some polynomials, each once, in increasing order and in disjoint bounds.

    >>> [str(root.exact) for root in roots_above([(Fraction(2), Fraction(-3), Fraction(1))], Fraction(1))]
    ['2']

    Raises:
        LimitError: for a degree above 128, or roots that are too close to be told apart.

    """
    factors = _irreducible(polynomials)
    rational = sorted({r for factor in factors if factor.degree() == 1 for r in [_linear(factor)] if r > start})
    curved = [factor for factor in factors if factor.degree() > 1]
    precision = 64
    while precision <= MAX_PRECISION:
        intervals = sorted([*_enclosed(curved, precision), *((r, r) for r in rational), (start, start)])
        if all(first[1] < second[0] for first, second in pairwise(intervals)):
            return [Root(low, high) for low, high in intervals if low > start]
        precision *= 2
    raise LimitError("two values of e^ε at which a verdict changes are too close to be separated")


def _irreducible(polynomials: Iterable[Coefficients]) -> list[Any]:
    """The different irreducible factors over the integers; distinct ones have distinct roots."""
    from flint import fmpz_poly

    factors: dict[str, Any] = {}
    for coefficients in set(polynomials):
        if len(coefficients) > MAX_DEGREE + 1:
            raise LimitError("the factors of ε are too far apart", wanted=f"powers of e^ε up to {MAX_DEGREE}")
        scale = lcm(*(c.denominator for c in coefficients))
        polynomial = fmpz_poly([int(c * scale) for c in coefficients])
        if polynomial.degree() > 0:
            for factor, _ in polynomial.factor()[1]:
                factors[str(factor)] = factor
    return list(factors.values())


def _linear(factor: Any) -> Fraction:
    constant, slope = (int(c) for c in factor.coeffs())
    return Fraction(-constant, slope)


def _enclosed(factors: list[Any], precision: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Rational bounds of the real roots, from Arb balls."""
    from flint import ctx

    with ctx.workprec(precision):
        for factor in factors:
            for root, _ in factor.complex_roots():
                if root.imag == 0:
                    yield ball_ends(root.real)


Value: TypeAlias = Epsilon | Fraction
Atom: TypeAlias = Holds | Has
ONE, ZERO = Fraction(1), Fraction(0)
MAX_PLACES = 20_000
"""Largest number of values of the variables that are looked at in one model."""


@dataclass(frozen=True)
class Truth:
    """Whether a statement holds: True, False, or None for "not decided", with the reason.

    A vacuous verdict counts as holding; `vacuous` says that the answer would change if it counted as failing. Where the
    statement does not hold, `values` are simple values of its variables that show it.
    """

    value: bool | None
    vacuous: bool = False
    reason: str = ""
    values: tuple[tuple[str, Value], ...] = ()

    def __bool__(self) -> bool:
        """Refuse to be a truth value."""
        raise TypeError("a truth is yes, no, or not decided; Hint: write truth.value is True")

    def __str__(self) -> str:
        words = {True: "true", False: "false", None: "not decided"}[self.value]
        at = " at " + ", ".join(f"{name} = {value_text(value)}" for name, value in self.values) if self.values else ""
        why = f": {self.reason}" if self.reason else ""
        return f"{words}{at}{' (only vacuously)' if self.vacuous else ''}{why}"


def value_text(value: Value) -> str:
    """The exact text of a value of a variable."""
    return value.text() if isinstance(value, Epsilon) else exact_text(value)


def decide(statement: Statement, model: Model, *, facts: Facts | None = None) -> Truth:
    """Decide a statement on a model, for all values of its variables.

    >>> from verifier.model import build
    >>> from verifier.questions.language import statement as read
    >>> coin = build(
    ...     size=1,
    ...     values=[0, 1],
    ...     distribution={"iid": {0: "1/2", 1: "1/2"}},
    ...     mechanism=lambda d: {"yes": "3/4", "no": "1/4"} if d[0] else {"yes": "1/4", "no": "3/4"},
    ... )
    >>> print(decide(read("np(ln(3)) and deterministic"), coin), decide(read("np(e) => twice(np(e))"), coin))
    false false at e = ln(3)
    >>> print(decide(read("np(e) => twice(np(2*e))"), coin), decide(read("np(e, d) => np(2*e, d/2)"), coin))
    true false at e = 0, d = 1/2

    Raises:
        InputError: where a name is both an ε and a δ, or two ε vary together with a δ.
        LimitError: for more than `MAX_PLACES` values of the variables.

    """
    facts = facts or Facts(model)
    plan = Variables.of(statement)
    known: dict[Atom, str] = {
        atom: facts.verdict(atom) for atom in atoms(statement) if isinstance(atom, Has) or not atom.variables
    }
    moving: dict[Holds, tuple[DeltaCurve, ...]] = {}
    for atom in plan.moving:
        curves = facts.curves(atom)
        if isinstance(curves, str):
            known[atom] = curves
        else:
            moving[atom] = curves
    broken: list[Valuation] = []
    loose: list[Valuation] = []
    strict = unknown = False
    for valuation in plan.valuations(moving):
        verdicts = known | {atom: valuation.verdict(atom, curves) for atom, curves in moving.items()}
        first, second = (truth_of(statement, verdicts, vacuous=vacuous) for vacuous in (True, False))
        if first is False:
            (broken if second is False else loose).append(valuation)
        strict, unknown = strict or second is False, unknown or first is None
    if broken or loose:
        return Truth(False, vacuous=not broken, values=min(broken or loose, key=Valuation.size).values)
    if unknown:
        return Truth(None, reason="; ".join(dict.fromkeys(facts.reasons)))
    return Truth(True, vacuous=strict)


def truth_of(statement: Statement, verdicts: Mapping[Atom, str], *, vacuous: bool) -> bool | None:
    """The truth of a statement from the verdicts of its atoms, None where an open verdict matters.

    A vacuous verdict counts as `vacuous`.
    """
    if isinstance(statement, Holds | Has):
        verdict = verdicts[statement]
        return None if verdict in OPEN else vacuous if verdict == "vacuous" else verdict == "holds"
    if isinstance(statement, Not):
        inside = truth_of(statement.of, verdicts, vacuous=vacuous)
        return None if inside is None else not inside
    truths = [truth_of(operand, verdicts, vacuous=vacuous) for operand in statement.operands]
    decisive = isinstance(statement, Or)
    return decisive if decisive in truths else None if None in truths else not decisive


@dataclass(frozen=True)
class Valuation:
    """Values of all variables: e^ε = x^k for each ε, with k in `roots`, and each δ."""

    values: tuple[tuple[str, Value], ...]
    points: Mapping[str, Fraction]
    """The x of each ε, and the value of each δ."""
    roots: Mapping[str, int]

    def size(self) -> list[tuple[int, int]]:
        """The sort key that puts simple values first: small denominators of e^ε and δ, then small numerators."""
        simple = [self.points[name] ** self.roots.get(name, 1) for name, _ in self.values]
        return [(value.denominator, value.numerator) for value in simple]

    def exp(self, atom: Holds) -> Fraction:
        """The e^ε at which the atom's curve is read; 1 where its ε is a constant, since the curve is constant then."""
        if not isinstance(atom.epsilon, Scaled):
            return ONE
        return self.points[atom.epsilon.name] ** int(atom.epsilon.factor * self.roots[atom.epsilon.name])

    def verdict(self, atom: Holds, curves: Sequence[DeltaCurve]) -> str:
        """The verdict `holds` if δ is enough for all curves, else `fails`."""
        delta = atom.delta
        # where δ is a constant, the curve is 0 from the ε on that is enough for it
        bound = self.points[delta.name] * delta.factor + delta.plus if isinstance(delta, Scaled) else ZERO
        e = self.exp(atom)
        return "holds" if bound >= 1 or all(curve.at(e) <= bound for curve in curves) else "fails"


@dataclass(frozen=True)
class Variables:
    """The variables of a statement, and its atoms that contain one (`moving`)."""

    epsilons: tuple[str, ...]
    deltas: tuple[str, ...]
    moving: tuple[Holds, ...]
    roots: Mapping[str, int]
    """For each ε the k with e^ε = x^k, so that e to every multiple of ε is an integer power of x."""

    @classmethod
    def of(cls, statement: Statement) -> Variables:
        """The variables of a statement.

        Raises:
            InputError: where a name is both an ε and a δ, or two ε vary together with a δ.

        """
        moving = [atom for atom in atoms(statement) if isinstance(atom, Holds) and atom.variables]
        epsilons = list(dict.fromkeys(atom.epsilon.name for atom in moving if isinstance(atom.epsilon, Scaled)))
        deltas = list(dict.fromkeys(atom.delta.name for atom in moving if isinstance(atom.delta, Scaled)))
        ambiguous = [name for name in epsilons if name in deltas]
        if ambiguous:
            raise InputError(
                f"{ambiguous[0]} is an ε and a δ",
                where=str(statement),
                wanted="one name for each",
                tip="np(e, d)",
            )
        if len(epsilons) > 1 and deltas:
            raise InputError(
                f"the variables {', '.join([*epsilons, *deltas])} are too many",
                where=str(statement),
                wanted="one ε with any number of δ, or several ε with constant δ",
            )
        roots = {
            name: lcm(*(atom.epsilon.factor.denominator for atom in moving if _is(atom.epsilon, name)))  # type: ignore[union-attr]
            for name in epsilons
        }
        return cls(tuple(epsilons), tuple(deltas), tuple(moving), roots)

    def valuations(self, moving: Mapping[Holds, Sequence[DeltaCurve]]) -> Iterator[Valuation]:
        """Enough values of the variables to see every truth, each as simple as possible.

        Raises:
            LimitError: for more than `MAX_PLACES` of them.

        """
        lines = [list(self.points(name, moving)) for name in self.epsilons]
        count = 0
        for xs in product(*lines):
            points = dict(zip(self.epsilons, xs, strict=True))
            half = Valuation((), points, self.roots)
            for ds in product(*(self.levels(name, moving, half) for name in self.deltas)):
                count += 1
                if count > MAX_PLACES:
                    raise LimitError(f"the variables have more than {MAX_PLACES:,} places at which to look")
                named = dict(zip(self.deltas, ds, strict=True))
                values: list[tuple[str, Value]] = [(n, log_epsilon(points[n] ** self.roots[n])) for n in self.epsilons]
                yield Valuation((*values, *named.items()), {**points, **named}, self.roots)

    def points(self, name: str, moving: Mapping[Holds, Sequence[DeltaCurve]]) -> Iterator[Fraction]:
        """The points x = 1, every rational x at which a verdict may change, and a simple x in every gap."""
        roots = roots_above(self.changes(name, moving), ONE)
        bounds: list[tuple[Fraction | None, Fraction]] = [(ONE, ONE), *((root.exact, root.high) for root in roots)]
        ends = [*(root.low for root in roots), None]
        for (exact, low), high in zip(bounds, ends, strict=True):
            between = simplest(low, high)
            yield from sorted({between, between if exact is None else exact}, key=lambda x: (x.denominator, x))

    def changes(self, name: str, moving: Mapping[Holds, Sequence[DeltaCurve]]) -> set[Coefficients]:
        """Polynomials in x at whose roots a verdict may change: a curve bends, or two δ meet."""
        polynomials: set[Coefficients] = set()
        lines: dict[str, set[Coefficients]] = {}
        for atom, curves in moving.items():
            moves = _is(atom.epsilon, name)
            power = int(atom.epsilon.factor * self.roots[name]) if moves and isinstance(atom.epsilon, Scaled) else 0
            for start, a, b in {piece for curve in curves for piece in curve.pieces}:
                if moves:
                    polynomials.add(_polynomial({0: -start, power: ONE}))
                if isinstance(atom.delta, Scaled):
                    level = {0: (a - atom.delta.plus) / atom.delta.factor}
                    level[power] = level.get(power, ZERO) - b / atom.delta.factor
                    lines.setdefault(atom.delta.name, {_polynomial({}), (ONE,)}).add(_polynomial(level))
        for levels in lines.values():
            polynomials |= {_minus(first, second) for first, second in combinations(sorted(levels), 2)}
        return {polynomial for polynomial in polynomials if len(polynomial) > 1}

    def levels(self, name: str, moving: Mapping[Holds, Sequence[DeltaCurve]], valuation: Valuation) -> list[Fraction]:
        """Values of one δ variable that see every truth at one x: a simple one in each step of [0, 1]."""
        steps = {ZERO}
        for atom, curves in moving.items():
            if isinstance(atom.delta, Scaled) and atom.delta.name == name:
                needed = max(curve.at(valuation.exp(atom)) for curve in curves)
                least = (min(needed, ONE) - atom.delta.plus) / atom.delta.factor
                steps |= {least} if 0 < least <= 1 else set()
        ordered = sorted(steps)
        ends: list[Fraction | None] = [*ordered[1:], None]
        simple = [simplest(low, high, least=True) for low, high in zip(ordered, ends, strict=True)]
        return [*simple[:-1], min(simple[-1], ONE)]


def _is(value: object, name: str) -> bool:
    return isinstance(value, Scaled) and value.name == name


def _polynomial(terms: Mapping[int, Fraction]) -> Coefficients:
    coefficients = [terms.get(k, ZERO) for k in range(max(terms, default=0) + 1)]
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return tuple(coefficients)


def _minus(first: Coefficients, second: Coefficients) -> Coefficients:
    size = max(len(first), len(second))
    left, right = ((*c, *([ZERO] * (size - len(c)))) for c in (first, second))
    return _polynomial(dict(enumerate(a - b for a, b in zip(left, right, strict=True))))


def assigned(statement: Statement, values: Mapping[str, Value]) -> Statement:
    """The statement with its variables replaced by numbers.

    >>> from verifier.questions.language import statement as read
    >>> print(assigned(read("np(e, d) => cdp(2*e, d/2)"), {"e": log_epsilon(Fraction(3)), "d": Fraction(1, 2)}))
    np(ln(3), 1/2) => cdp(ln(9), 1/4)
    """
    if isinstance(statement, Has):
        return statement
    if isinstance(statement, Holds):
        epsilon, delta = statement.epsilon, statement.delta
        if isinstance(epsilon, Scaled):
            epsilon = times(values[epsilon.name], epsilon.factor)
        if isinstance(delta, Scaled):
            bound = values[delta.name]
            delta = min(ONE, bound * delta.factor + delta.plus) if isinstance(bound, Fraction) else delta
        return Holds(statement.definition, epsilon, delta, statement.reading, statement.on)
    if isinstance(statement, Not):
        return Not(assigned(statement.of, values))
    operands = tuple(assigned(operand, values) for operand in statement.operands)
    return And(operands) if isinstance(statement, And) else Or(operands)


def times(value: Value, factor: Fraction) -> Epsilon:
    """The product of an ε, or of a rational number read as ε, and a rational number above 0.

    Raises:
        UndecidedError: for a multiple of the logarithm of a root of a polynomial.

    """
    epsilon = value if isinstance(value, Epsilon) else Epsilon("rational", value)
    return INFINITY if epsilon.is_infinite else multiple(epsilon, factor)
