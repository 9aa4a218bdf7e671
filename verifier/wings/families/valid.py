"""Refusing a family, or an ε, that is none somewhere in the range: with the values of the parameters that show it.

That rows sum to 1 is an identity of functions, which the reader checks. Of one parameter the values are found by the
roots of polynomials, of several by z3.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.wings.families.curves import cells
from verifier.wings.families.factor import Factor
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, between, point_text, polynomial_sign
from verifier.wings.families.region import Region, Sign


def refuse_invalid(family: Family, domain: Sequence[Interval]) -> None:
    """Refuse a range of one parameter that is empty, and entries that are no probabilities in all of it.

    Raises:
        InputError: with the place of the entry and the value of the parameter.

    """
    if not domain:
        shown = " and ".join(map(str, family.conditions))
        raise InputError("no value of the parameter meets all conditions", where=str(family.place), wanted=shown)
    (name,) = family.names
    for place, given in family.expressions:
        entry = Function.read(given, family.names)
        for part in domain:
            at = part.sample
            if not polynomial_sign(entry.bottom, at):
                raise InputError(f"{given} divides by 0 at {name} = {point_text(at)}", where=str(place))
            for line, wanted in ((entry, "at least 0"), (1 - entry, "at most 1")):
                if Line(line).sign(at) < 0:
                    raise InputError(
                        f"{given} is no probability at {name} = {point_text(at)}",
                        where=str(place),
                        wanted=f"{wanted} for {part.text(name)}",
                    )


def refuse_negative(factor: Factor, domain: Sequence[Interval]) -> None:
    """Refuse an ε that is negative for some value of the only parameter.

    Raises:
        InputError: with the value.

    """
    value = factor.number_or_function
    if not isinstance(value, Function):
        return
    (name,) = factor.names
    below, pole = Line(value - 1), Line(value.divisor)
    for part in domain:
        spans = [] if part.point is not None else cells((part.low, part.high), [below, pole])
        for at in [part.point] if part.point is not None else [between(*span) for span in spans]:
            if not pole.sign(at) or below.sign(at) < 0:
                where = f"{name} = {point_text(at)}"
                raise InputError(f"ε = {factor} is negative at {where}", where="epsilon", wanted="ε ≥ 0")


def refuse_invalid_in(region: Region) -> str:
    """Refuse a range of several parameters that is empty, and entries that are no probabilities in all of it.

    What could not be found out is the answer.

    Raises:
        InputError: with the place of the entry and the values of the parameters.

    """
    family = region.family
    if region.find((), region.domain).answer == "none":
        shown = " and ".join(map(str, family.conditions))
        raise InputError("no value of the parameters meets all conditions", where=str(family.place), wanted=shown)
    first = {given.text: (place, given) for place, given in reversed(family.expressions)}
    for place, given in reversed(first.values()):
        entry = region.read(given)
        for wanted, words in (
            (Sign(entry.bottom, "="), "divides by 0"),
            (Sign(entry.top * entry.bottom, "<"), "is negative"),
            (Sign((entry.bottom - entry.top) * entry.bottom, "<"), "is above 1"),
        ):
            found = region.find([wanted], region.domain)
            if found.answer == "none":
                continue
            if found.answer == "point":
                raise InputError(f"{given} {words} at {region.shown(found.at)}", where=str(place), wanted="0 to 1")
            return f"it was not found out whether {given} {words} somewhere in the range: {found.near}"
    return ""


def refuse_negative_in(factor: Factor, region: Region) -> None:
    """Refuse an ε that is negative, or has a pole, for some values of several parameters.

    Raises:
        InputError: with the values.

    """
    if factor.epsilon is not None:
        return
    function = factor.exp(sparse=True)
    for wanted in (Sign(function.bottom, "="), Sign((function.top - function.bottom) * function.bottom, "<")):
        found = region.find([wanted], region.domain)
        if found.answer != "none":
            where = region.shown(found.at) if found.at else found.near
            raise InputError(f"ε = {factor} is negative, or not defined, at {where}", where="epsilon", wanted="ε ≥ 0")
