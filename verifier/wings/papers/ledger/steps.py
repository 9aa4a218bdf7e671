"""The steps of a derivation: each checks one thing, exactly, and returns it in words; one that fails raises.

A derivation is a function without arguments that returns its steps. The functions are small on purpose: what they
take for granted is sympy's arithmetic of rational functions, z3's `unsat`, and `==` of exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

Case = TypeVar("Case")
Steps = tuple[str, ...]
"""What a derivation returns: each step in words."""


class Underived(ArithmeticError):  # noqa: N818 - a derivation that fails is no error of the program
    """The error of a step that does not follow."""


def identity(left: Any, right: Any, statement: str) -> str:
    """Check that two expressions of sympy are equal wherever both are defined: their difference simplifies to 0.

    Returns the statement with what was checked; raises `Underived` where the difference does not become 0.

    >>> from sympy import symbols
    >>> p, k = symbols("p k", positive=True)
    >>> identity(p**k * p / (p * (1 + p)), p**k / (1 + p), "one factor cancels")
    'one factor cancels: the difference is identically 0'
    >>> identity(p, k, "they are one")
    Traceback (most recent call last):
        ...
    verifier.wings.papers.ledger.steps.Underived: they are one: the difference is -k + p

    """
    from sympy import Integer, combsimp, factor, gammasimp, powsimp, simplify

    difference = Integer(0) + left - right
    for form in (simplify, factor, powsimp, gammasimp, combsimp, lambda x: simplify(powsimp(x.expand(), force=False))):
        if difference == 0:
            break
        difference = form(difference)
    if difference != 0:
        raise Underived(f"{statement}: the difference is {difference}")
    return f"{statement}: the difference is identically 0"


def unsatisfiable(constraints: Sequence[Any], statement: str, milliseconds: int = 20_000) -> str:
    """Check by z3 that no real numbers satisfy all constraints: the hypotheses and the negated conclusion.

    Returns the statement with what was checked; raises `Underived` with a solution, or where z3 does not decide.

    >>> import z3
    >>> x, y = z3.Reals("x y")
    >>> unsatisfiable([x > 0, y > 0, x * y <= 0], "a product of positive numbers is positive")
    'a product of positive numbers is positive: the negation has no real solution'

    """
    import z3

    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.add(*constraints)
    answer = solver.check()
    if answer != z3.unsat:
        example = f", for instance {solver.model()}" if answer == z3.sat else ""
        raise Underived(f"{statement}: z3 says {answer}{example}")
    return f"{statement}: the negation has no real solution"


def every_case(cases: Iterable[Case], test: Callable[[Case], bool], statement: str) -> str:
    """Check that every case passes a test; the cases are finitely many, and at least one.

    Returns the statement with the number of cases; raises `Underived` with the first case that fails.

    >>> every_case(range(4), lambda n: n * n >= n, "n² ≥ n")
    'n² ≥ n: all of 4 cases'

    """
    count = 0
    for case in cases:
        if test(case) is not True:
            raise Underived(f"{statement}: not for {case}")
        count += 1
    if not count:
        raise Underived(f"{statement}: there is no case")
    return f"{statement}: all of {count:,} cases"


def for_all(cases: Iterable[tuple[Any, ...]], test: Callable[..., bool], statement: str) -> str:
    """Check that every case passes a test, as `every_case` does; a case is the tuple of the test's arguments.

    >>> for_all([(1, 2), (2, 3)], lambda n, m: n < m, "n < m")
    'n < m: all of 2 cases'

    """
    return every_case(cases, lambda case: test(*case), statement)


def equal(left: Any, right: Any, statement: str) -> str:
    """Check that two exact values are equal; returns the statement with the value, raises `Underived` with both.

    >>> equal(1 + 1, 2, "1 + 1")
    '1 + 1: 2'

    """
    _exact(left, right, statement)
    if left != right:
        raise Underived(f"{statement}: {_text(left)} is not {_text(right)}")
    return f"{statement}: {_text(left)}"


def less(left: Any, right: Any, statement: str) -> str:
    """Check that an exact number is below another one: left < right; returns the statement with both numbers.

    Raises `Underived` where it is not.

    >>> from fractions import Fraction
    >>> less(Fraction(1, 3), Fraction(1, 2), "a third of it")
    'a third of it: 1/3 < 1/2'

    """
    _exact(left, right, statement)
    if not left < right:
        raise Underived(f"{statement}: {left} is not below {right}")
    return f"{statement}: {left} < {right}"


def at_most(left: Any, right: Any, statement: str) -> str:
    """Check that an exact number is at most another one: left ≤ right; returns the statement with both numbers.

    Raises `Underived` where it is not.

    >>> at_most(2, 2, "two")
    'two: 2 ≤ 2'

    """
    _exact(left, right, statement)
    if not left <= right:
        raise Underived(f"{statement}: {left} is more than {right}")
    return f"{statement}: {left} ≤ {right}"


def _text(value: object) -> str:
    """The text of a value in a step: tables and lists with their fractions as p/q, and `none` for None.

    >>> from fractions import Fraction
    >>> _text({"a": Fraction(1, 2)}), _text((Fraction(2), None))
    ('{a: 1/2}', '(2, none)')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(key)}: {_text(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "(" + ", ".join(map(_text, value)) + ")"
    return "none" if value is None else str(value)


def _exact(left: object, right: object, statement: str) -> None:
    """Raise `Underived` where a value is a floating-point number, by the name of its type."""
    for value in (left, right):
        if type(value).__name__.startswith("float"):
            raise Underived(f"{statement}: {value!r} is not exact")


def positive(names: str) -> Any:
    """The symbols of sympy with these names, which stand for numbers > 0.

    >>> p, k = positive("p k")
    >>> p.is_positive, str(k), str(positive("q"))
    (True, 'k', 'q')

    """
    from sympy import symbols

    return symbols(names, positive=True)


def positive_part(x: Any) -> Any:
    """The term max(0, x) of z3.

    >>> import z3
    >>> x = z3.Real("x")
    >>> unsatisfiable([positive_part(x) < 0], "max(0, x) ≥ 0")
    'max(0, x) ≥ 0: the negation has no real solution'

    """
    import z3

    return z3.If(x > 0, x, z3.RealVal(0))


def absolute(x: Any) -> Any:
    """The term |x| of z3."""
    import z3

    return z3.If(x >= 0, x, -x)


def rational(value: Fraction) -> Any:
    """The term of z3 for a fraction."""
    import z3

    return z3.Q(value.numerator, value.denominator)
