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
    """A step that does not follow."""


def identity(left: Any, right: Any, said: str) -> str:
    """Two sympy expressions that are equal wherever both are defined: their difference is 0 in normal form.

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
        raise Underived(f"{said}: the difference is {difference}")
    return f"{said}: the difference is identically 0"


def unsatisfiable(constraints: Sequence[Any], said: str, milliseconds: int = 20_000) -> str:
    """No real numbers satisfy all constraints, by z3: give it the hypotheses and the negated conclusion.

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
        shown = f", for instance {solver.model()}" if answer == z3.sat else ""
        raise Underived(f"{said}: z3 says {answer}{shown}")
    return f"{said}: the negation has no real solution"


def each(cases: Iterable[Case], test: Callable[[Case], bool], said: str) -> str:
    """A test that every one of finitely many cases passes; at least one is there.

    >>> each(range(4), lambda n: n * n >= n, "n² ≥ n")
    'n² ≥ n: all of 4 cases'

    """
    count = 0
    for case in cases:
        if test(case) is not True:
            raise Underived(f"{said}: not for {case}")
        count += 1
    if not count:
        raise Underived(f"{said}: there is no case")
    return f"{said}: all of {count:,} cases"


def for_all(cases: Iterable[tuple[Any, ...]], test: Callable[..., bool], said: str) -> str:
    """The same for cases that are tuples: the arguments of the test.

    >>> for_all([(1, 2), (2, 3)], lambda n, m: n < m, "n < m")
    'n < m: all of 2 cases'

    """
    return each(cases, lambda case: test(*case), said)


def equal(left: Any, right: Any, said: str) -> str:
    """Two exact values that are equal.

    >>> equal(1 + 1, 2, "1 + 1")
    '1 + 1: 2'

    """
    _exact(left, right, said)
    if left != right:
        raise Underived(f"{said}: {_shown(left)} is not {_shown(right)}")
    return f"{said}: {_shown(left)}"


def less(left: Any, right: Any, said: str) -> str:
    """One exact number below another.

    >>> from fractions import Fraction
    >>> less(Fraction(1, 3), Fraction(1, 2), "a third of it")
    'a third of it: 1/3 < 1/2'

    """
    _exact(left, right, said)
    if not left < right:
        raise Underived(f"{said}: {left} is not below {right}")
    return f"{said}: {left} < {right}"


def at_most(left: Any, right: Any, said: str) -> str:
    """One exact number at most another.

    >>> at_most(2, 2, "two")
    'two: 2 ≤ 2'

    """
    _exact(left, right, said)
    if not left <= right:
        raise Underived(f"{said}: {left} is more than {right}")
    return f"{said}: {left} ≤ {right}"


def _shown(value: object) -> str:
    """A value as a reader writes it: fractions inside tables and lists as fractions, nothing as `none`.

    >>> from fractions import Fraction
    >>> _shown({"a": Fraction(1, 2)}), _shown((Fraction(2), None))
    ('{a: 1/2}', '(2, none)')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_shown(key)}: {_shown(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "(" + ", ".join(map(_shown, value)) + ")"
    return "none" if value is None else str(value)


def _exact(left: object, right: object, said: str) -> None:
    """Refuse floating-point numbers, by the name of their type."""
    for one in (left, right):
        if type(one).__name__.startswith("float"):
            raise Underived(f"{said}: {one!r} is not exact")


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
    """A fraction as z3 has it."""
    import z3

    return z3.Q(value.numerator, value.denominator)
