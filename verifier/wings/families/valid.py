"""Refuse a family or an ε that is invalid somewhere in the range, with a value of the parameter that shows it.

That rows sum to 1 is an identity of functions, which the reader checks. The values are found by the roots of
polynomials.
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


def refuse_invalid(family: Family, domain: Sequence[Interval]) -> None:
    """Refuse a range that is empty, and an entry that is not a probability at some value in the range.

    Raises:
        InputError: with the place of the entry and the value of the parameter.

    """
    if not domain:
        conditions = " and ".join(map(str, family.conditions))
        raise InputError(
            "no value of the parameter meets all conditions", where=str(family.location), wanted=conditions
        )
    (name,) = family.names
    expressions = [(str(at), str(text), Function.read(text, name), False) for at, text in family.expressions]
    drawn = [(at, str(found.value), found.value, found.ratio) for at, found in family.drawn]
    for where_in_file, expression, entry, ratio in [*expressions, *drawn]:
        for interval in domain:
            at = interval.sample
            if not polynomial_sign(entry.bottom, at):
                raise InputError(f"{expression} divides by 0 at {name} = {point_text(at)}", where=where_in_file)
            for line, wanted in ((entry, "at least 0"), (1 - entry, "at most 1")):
                if Line(line).sign(at) < ratio:
                    raise InputError(
                        f"{expression} is {'no ratio' if ratio else 'not a probability'} at {name} = {point_text(at)}",
                        where=where_in_file,
                        wanted=f"{'0 < r < 1' if ratio else wanted} for {interval.text(name)}",
                    )


def refuse_negative(factor: ParametricEpsilon, domain: Sequence[Interval]) -> None:
    """Refuse an ε that is negative, or has a pole, for some value of the only parameter.

    Raises:
        InputError: with the value.

    """
    value = factor.number_or_function
    if not isinstance(value, Function):
        return
    name = factor.name
    below, pole = Line(value - 1), Line(value.divisor)
    for interval in domain:
        spans = [] if interval.point is not None else cells((interval.low, interval.high), [below, pole])
        for at in [interval.point] if interval.point is not None else [between(*span) for span in spans]:
            if not pole.sign(at) or below.sign(at) < 0:
                where = f"{name} = {point_text(at)}"
                raise InputError(f"ε = {factor} is negative at {where}", where="epsilon", wanted="ε ≥ 0")
