"""Refusing a family with several parameters that is none: an entry that is negative, above 1, or has a pole."""

from __future__ import annotations

from verifier.errors import InputError
from verifier.wings.families.quotient import Quotient
from verifier.wings.families.region import Region, Sign


def refuse_invalid(region: Region) -> str:
    """Refuse a range that is empty, and entries that are no probabilities in all of it, with values that show it.

    That rows sum to 1 for all values is checked where the grid is computed: a sum of entries has at most the degree
    that a joint mass has, so that it is 1 for all values where it is 1 on the grid. What could not be found out is the
    answer.

    Raises:
        InputError: with the place of the entry and the values of the parameters.

    """
    family = region.family
    if region.find((), region.domain).answer == "none":
        shown = " and ".join(map(str, family.conditions))
        raise InputError("no value of the parameters meets all conditions", where=str(family.place), wanted=shown)
    done = set()
    for place, given in family.expressions:
        if given.text in done:
            continue
        done.add(given.text)
        read = Quotient.read(given, region.names)
        for wanted, words in (
            (Sign(read.bottom, "="), "divides by 0"),
            (Sign(read.top * read.bottom, "<"), "is negative"),
            (Sign((read.bottom - read.top) * read.bottom, "<"), "is above 1"),
        ):
            found = region.find([wanted], region.domain)
            if found.answer == "none":
                continue
            if found.answer == "point":
                raise InputError(f"{given} {words} at {region.shown(found.at)}", where=str(place), wanted="0 to 1")
            return f"it was not found out whether {given} {words} somewhere in the range: {found.near}"
    return ""
