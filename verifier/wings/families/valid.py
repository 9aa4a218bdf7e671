"""Refuse a family or an ε that is invalid somewhere in the range, with the values of the parameters that show it.

That rows sum to 1 is an identity of functions, which the reader checks. Of one parameter the values are found by the
roots of polynomials, of several by z3.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.wings.families.curves import cells
from verifier.wings.families.factor import ParametricEpsilon
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, between, point_text, polynomial_sign
from verifier.wings.families.region import Inequality, Region


def refuse_invalid(family: Family, domain: Sequence[Interval]) -> None:
    """Refuse a range of one parameter that is empty, and an entry that is not a probability at some value in the range.

    Raises:
        InputError: with the place of the entry and the value of the parameter.

    """
    if not domain:
        conditions = " and ".join(map(str, family.conditions))
        raise InputError(
            "no value of the parameter meets all conditions", where=str(family.location), wanted=conditions
        )
    (name,) = family.names
    for where_in_file, expression in family.expressions:
        entry = Function.read(expression, family.names)
        for interval in domain:
            at = interval.sample
            if not polynomial_sign(entry.bottom, at):
                raise InputError(f"{expression} divides by 0 at {name} = {point_text(at)}", where=str(where_in_file))
            for line, wanted in ((entry, "at least 0"), (1 - entry, "at most 1")):
                if Line(line).sign(at) < 0:
                    raise InputError(
                        f"{expression} is not a probability at {name} = {point_text(at)}",
                        where=str(where_in_file),
                        wanted=f"{wanted} for {interval.text(name)}",
                    )


def refuse_negative(factor: ParametricEpsilon, domain: Sequence[Interval]) -> None:
    """Refuse an ε that is negative, or has a pole, for some value of the only parameter.

    Raises:
        InputError: with the value.

    """
    value = factor.number_or_function
    if not isinstance(value, Function):
        return
    (name,) = factor.names
    below, pole = Line(value - 1), Line(value.divisor)
    for interval in domain:
        spans = [] if interval.point is not None else cells((interval.low, interval.high), [below, pole])
        for at in [interval.point] if interval.point is not None else [between(*span) for span in spans]:
            if not pole.sign(at) or below.sign(at) < 0:
                where = f"{name} = {point_text(at)}"
                raise InputError(f"ε = {factor} is negative at {where}", where="epsilon", wanted="ε ≥ 0")


def refuse_invalid_in(region: Region) -> str:
    """Refuse a range of several parameters that is empty, and an entry that is not a probability at some point of it.

    Returns the reason where z3 cannot decide it; empty where the family is valid.

    Raises:
        InputError: with the place of the entry and the values of the parameters.

    """
    family = region.family
    if region.find((), region.domain).answer == "none":
        conditions = " and ".join(map(str, family.conditions))
        raise InputError(
            "no value of the parameters meets all conditions", where=str(family.location), wanted=conditions
        )
    first = {expression.text: (where_in_file, expression) for where_in_file, expression in reversed(family.expressions)}
    for where_in_file, expression in reversed(first.values()):
        entry = region.read(expression)
        for wanted, words in (
            (Inequality(entry.bottom, "="), "divides by 0"),
            (Inequality(entry.top * entry.bottom, "<"), "is negative"),
            (Inequality((entry.bottom - entry.top) * entry.bottom, "<"), "is above 1"),
        ):
            search = region.find([wanted], region.domain)
            if search.answer == "none":
                continue
            if search.answer == "point":
                raise InputError(
                    f"{expression} {words} at {region.point_text(search.at)}", where=str(where_in_file), wanted="0 to 1"
                )
            return f"it was not found out whether {expression} {words} somewhere in the range: {search.near}"
    return ""


def refuse_negative_in(factor: ParametricEpsilon, region: Region) -> None:
    """Refuse an ε that is negative, or has a pole, for some values of several parameters.

    Raises:
        InputError: with the values.

    """
    if factor.epsilon is not None:
        return
    function = factor.exp(sparse=True)
    for wanted in (
        Inequality(function.bottom, "="),
        Inequality((function.top - function.bottom) * function.bottom, "<"),
    ):
        search = region.find([wanted], region.domain)
        if search.answer != "none":
            where = region.point_text(search.at) if search.at else search.near
            raise InputError(f"ε = {factor} is negative, or not defined, at {where}", where="epsilon", wanted="ε ≥ 0")
