"""The steps of a derivation: each checks one thing, exactly, and returns it in words; one that fails raises.

A derivation is a function without arguments that returns its steps. The functions are small on purpose: what they
take for granted is sympy's arithmetic of rational functions, z3's `unsat`, and `==` of exact numbers. A step that
checks nothing is refused as far as a program can see that: z3's hypotheses may not contradict each other, nor say the
conclusion word for word. `tests/wings/papers/test_derivation_steps.py` looks for numbers compared with numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

Case = TypeVar("Case")
Steps = tuple[str, ...]
"""What a derivation returns: each step in words."""


class Step(str):
    """The text of a step that was checked. Only the functions of this module make one, so that no other text is one."""

    __slots__ = ()


class General(Step):
    """A step about all numbers of a kind; every other step is about the cases that it lists."""

    __slots__ = ()


class Underived(ArithmeticError):  # noqa: N818 - a derivation that fails is no error of the program
    """The error of a step that does not follow."""


def identity(left: Any, right: Any, statement: str) -> Step:
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
    return General(f"{statement}: the difference is identically 0")


def unsatisfiable(constraints: Sequence[Any], statement: str, milliseconds: int = 20_000) -> Step:
    """Check by z3 that no real numbers satisfy all constraints: the hypotheses and, last, the negated conclusion.

    Returns the statement with what was checked; raises `Underived` with a solution, or where z3 does not decide, or
    where the step checks nothing: where the conclusion is a hypothesis, or the hypotheses contradict each other.

    >>> import z3
    >>> x, y = z3.Reals("x y")
    >>> unsatisfiable([x > 0, y > 0, x * y <= 0], "a product of positive numbers is positive")
    'a product of positive numbers is positive: the negation has no real solution'
    >>> unsatisfiable([x >= y, y > x], "they are in order")
    Traceback (most recent call last):
        ...
    verifier.wings.papers.ledger.steps.Underived: they are in order: the conclusion is one of the hypotheses

    """
    import z3

    *hypotheses, negated = constraints
    if assumed(hypotheses, negated):
        raise Underived(f"{statement}: the conclusion is one of the hypotheses")
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.add(*constraints)
    answer = solver.check()
    if answer != z3.unsat:
        example = f", for instance {solver.model()}" if answer == z3.sat else ""
        raise Underived(f"{statement}: z3 says {answer}{example}")
    alone = z3.Solver()
    alone.set("timeout", milliseconds // 10)
    alone.add(*hypotheses)
    if alone.check() == z3.unsat:
        raise Underived(f"{statement}: the hypotheses contradict each other")
    return General(f"{statement}: the negation has no real solution")


def every_case(cases: Iterable[Case], test: Callable[[Case], bool], statement: str) -> Step:
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
    return Step(f"{statement}: all of {count:,} {'case' if count == 1 else 'cases'}")


def for_all(cases: Iterable[tuple[Any, ...]], test: Callable[..., bool], statement: str) -> Step:
    """Check that every case passes a test, as `every_case` does; a case is the tuple of the test's arguments.

    >>> for_all([(1, 2), (2, 3)], lambda n, m: n < m, "n < m")
    'n < m: all of 2 cases'

    """
    return every_case(cases, lambda case: test(*case), statement)


def equal(left: Any, right: Any, statement: str) -> Step:
    """Check that two exact values are equal; returns the statement with the value, raises `Underived` with both.

    >>> equal(1 + 1, 2, "1 + 1")
    '1 + 1: 2'

    """
    _exact(left, right, statement)
    if left != right:
        raise Underived(f"{statement}: {_text(left)} is not {_text(right)}")
    return Step(f"{statement}: {_text(left)}")


def less(left: Any, right: Any, statement: str) -> Step:
    """Check that an exact number is below another one: left < right; returns the statement with both numbers.

    Raises `Underived` where it is not.

    >>> from fractions import Fraction
    >>> less(Fraction(1, 3), Fraction(1, 2), "a third of it")
    'a third of it: 1/3 < 1/2'

    """
    _exact(left, right, statement)
    if not left < right:
        raise Underived(f"{statement}: {left} is not below {right}")
    return Step(f"{statement}: {left} < {right}")


def at_most(left: Any, right: Any, statement: str) -> Step:
    """Check that an exact number is at most another one: left ≤ right; returns the statement with both numbers.

    Raises `Underived` where it is not.

    >>> at_most(2, 2, "two")
    'two: 2 ≤ 2'

    """
    _exact(left, right, statement)
    if not left <= right:
        raise Underived(f"{statement}: {left} is more than {right}")
    return Step(f"{statement}: {left} ≤ {right}")


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


def assumed(hypotheses: Sequence[Any], negated: Any) -> bool:
    """Whether a conclusion stands word for word among the hypotheses, or says that a term is itself.

    Both are read up to the order of sums, products and sides. A conclusion of several parts is assumed if each is.

    >>> import z3
    >>> p, q, E = z3.Reals("p q E")
    >>> assumed([p <= E * q], q * E < p), assumed([], z3.If(p > q, p, q) != z3.If(p > q, p, q))
    (True, True)
    >>> assumed([p <= E * q, q <= p], z3.Or(p > E * q, p < q)), assumed([p <= E * q], p - E * q > 0)
    (True, False)

    """
    import z3

    stated = {fact for hypothesis in hypotheses for fact in _facts(hypothesis)}
    return all(fact in stated or fact == _ITSELF for fact in _facts(z3.Not(negated)))


_ITSELF = "a term is itself"


def _facts(term: Any, *, holds: bool = True) -> list[str]:
    """The facts that a term states, or its negation: the parts of a conjunction, each as a text."""
    import z3

    if z3.is_not(term):
        return _facts(term.arg(0), holds=not holds)
    if z3.is_and(term) if holds else z3.is_or(term):
        return [fact for part in term.children() for fact in _facts(part, holds=holds)]
    kind = term.decl().name() if z3.is_app(term) and term.num_args() == 2 else ""
    kind = kind if holds else _NEGATED.get(kind, "")
    if not kind:
        return [f"{'' if holds else 'not '}{_in_order(term)}"]
    left, right = map(_in_order, term.children())
    if kind in {">", ">="}:
        kind, left, right = kind.replace(">", "<"), right, left
    elif kind in {"=", "distinct"}:
        left, right = sorted((left, right))
    return [_ITSELF if left == right and kind in {"=", "<="} else f"{left} {kind} {right}"]


_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "distinct", "distinct": "="}


def _in_order(term: Any) -> str:
    """The text of a term of z3, with the parts of each sum and product in one order."""
    import z3

    if not z3.is_app(term) or not term.num_args():
        return str(term)
    name = term.decl().name()
    parts, left = list[str](), term.children()
    while left:
        part = left.pop(0)
        if name in {"+", "*"} and z3.is_app(part) and part.decl().name() == name:
            left = part.children() + left
        else:
            parts.append(_in_order(part))
    return f"{name}({', '.join(sorted(parts) if name in {'+', '*'} else parts)})"


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
