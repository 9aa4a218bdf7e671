"""Refusing a family that is none: an entry that is negative, above 1 or has a pole somewhere in the range."""

from __future__ import annotations

from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, point_text
from verifier.wings.families.ratio import Ratio

NOTHING, ONE = Ratio.of(0), Ratio.of(1)


def refuse_invalid(family: Family, domain: list[Interval]) -> None:
    """Refuse a range that is empty, and entries that are no probabilities in all of it, with a value that shows it.

    That rows sum to 1 is checked by the reader at more values than the degree of their sums, so for all values.

    Raises:
        InputError: with the place of the entry and the value of the parameter.

    """
    if not domain:
        shown = " and ".join(map(str, family.conditions))
        raise InputError("no value of the parameter meets all conditions", where=str(family.place), wanted=shown)
    (name,) = family.names
    for place, given in family.expressions:
        read = Ratio.read(given, name)
        for one in domain:
            at = one.sample
            if not Line(Ratio(read.bottom, ONE.bottom), NOTHING).sign(at):
                raise InputError(f"{given} divides by 0 at {name} = {point_text(at)}", where=str(place))
            for line, wanted in ((read, "at least 0"), (ONE - read, "at most 1")):
                if Line(line, NOTHING).sign(at) < 0:
                    raise InputError(
                        f"{given} is no probability at {name} = {point_text(at)}",
                        where=str(place),
                        wanted=f"{wanted} for {one.text(name)}",
                    )
