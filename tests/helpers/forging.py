"""Forgeries of certificates that both replay tests use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

from filing import place_in

Certificate = dict[str, Any]
Forge = Callable[[Certificate], None]


def put(*path: Any) -> Forge:
    """Replace what stands at a place: the last entry is the new value."""

    def forge(one: Certificate) -> None:
        *place, value = path
        target, last = place_in(one, place)
        assert target[last] != value, "no forgery"
        target[last] = value

    return forge


def named_forgery(evidence: Certificate, name: str, *path: Any) -> tuple[str, Certificate]:
    """A copy with one value replaced, as `put` does, and the name of what is forged."""
    forged = deepcopy(evidence)
    put(*path)(forged)
    return name, forged


def respelled(text: str) -> Iterator[str]:
    """Other spellings of the same number: not in lowest terms, with a sign, a zero, a decimal point, a factor."""
    if found := re.fullmatch(r"(.*\*)?ln\(([0-9/]+)\)", text):
        yield from (f"{found[1] or ''}ln({other})" for other in respelled(found[2]))
        if found[1]:
            yield from (f"{other}*ln({found[2]})" for other in respelled(found[1][:-1]))
            half = Fraction(found[1][:-1]) / 2
            yield f"{half}*ln({Fraction(found[2]) ** 2})"
        else:
            yield f"1*{text}"
            yield f"1/2*ln({Fraction(found[2]) ** 2})"
        return
    value = Fraction(text)
    top, bottom = value.as_integer_ratio()
    yield from (f"{2 * top}/{2 * bottom}", f"{3 * top}/{3 * bottom}", f"+{text}", f"0{text}", f" {text}", f"{text} ")
    yield from (f"{top}/0{bottom}", f"-{text}" if not value else f"{top}.0/{bottom}")
    if bottom == 1:
        yield from (f"{top}/1", f"{top}.0", f"{top}e0")
    elif 10**6 % bottom == 0:
        digits = int(value * 10**6)
        yield f"{digits // 10**6}.{digits % 10**6:06d}"
        yield f"{digits // 10**6}.{digits % 10**6:06d}".rstrip("0")


def near(value: Any, pool: list[str], draw: Random) -> Any:
    """A wrong value near the right one: a number a little off, a label that stands elsewhere, one more or less."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw.choice((-1, 1))
    if isinstance(value, str) and re.fullmatch(r"[0-9]+(/[0-9]+)?", value) and draw.random() < 0.7:
        exact = Fraction(value)
        return str(
            draw.choice((exact + Fraction(1, 1000), abs(exact - Fraction(1, 1000)), exact * Fraction(999, 1000)))
        )
    if isinstance(value, str) and (found := re.fullmatch(r"ln\(([0-9/]+)\)", value)):
        return f"ln({Fraction(found[1]) + Fraction(1, 1000)})"
    return draw.choice(pool)
