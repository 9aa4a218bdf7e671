"""Steps that compute with numbers: clamp, mod and round, on a number or on each entry of a list of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from fractions import Fraction
from math import ceil, floor

from verifier.errors import InputError
from verifier.numbers import cut
from verifier.tables import NO_ANSWER, Label, Law, label

_NUMBER = re.compile(r"-?[0-9]{1,4300}(/[1-9][0-9]{0,4299})?")
MARK = re.compile(r"⊥|\*|[0-9]+\+")
"""What is published in place of a number, and passes steps as it is: no answer, a hidden count, a top-coded one."""
TIES: dict[str, Callable[[Fraction], int]] = {
    "up": lambda x: floor(x + Fraction(1, 2)),
    "down": lambda x: ceil(x - Fraction(1, 2)),
    "even": round,
}
"""The integer next to a number; of two that are equally near the larger, the smaller, or the even one."""


def clamped(low: Fraction, high: Fraction, tails: Collection[str]) -> Callable[[Label], Label | None]:
    """The number of [low, high] that is next to a number; of a lumped tail, where it lies outside as a whole.

    >>> clamp = clamped(Fraction(0), Fraction(3), ["< 1", "> 2", "> 1"])
    >>> [str(clamp(label(output))) for output in (-1, 2, 7, "1/2", "< 1", "> 2", "> 1")]
    ['0', '2', '3', '1/2', '0', '3', 'None']
    """

    def apply(output: Label) -> Label | None:
        if output.text in tails:
            side, end = output.text.split()
            outside = int(end) - 1 <= low if side == "<" else int(end) + 1 >= high
            return label(low if side == "<" else high) if outside else None
        number = number_of(output)
        return None if number is None else label(min(max(number, low), high))

    return apply


def remainder(base: Fraction) -> Callable[[Label], Label | None]:
    """The remainder in [0, base): x - base·⌊x/base⌋.

    >>> [str(remainder(Fraction(3))(label(output))) for output in (7, -1, "7/2")]
    ['1', '2', '1/2']
    """

    def apply(output: Label) -> Label | None:
        number = number_of(output)
        return None if number is None else label(number - base * floor(number / base))

    return apply


def rounded(base: Fraction, ties: str | None, where: str) -> Callable[[Label], Label | None]:
    """The multiple of `base` that is next to a number.

    >>> [str(rounded(Fraction(10), ties, "")(label(25))) for ties in ("up", "down", "even")]
    ['30', '20', '20']
    """

    def apply(output: Label) -> Label | None:
        number = number_of(output)
        return None if number is None else label(rounded_to(base, ties, number, where))

    return apply


def rounded_to(base: Fraction, ties: str | None, number: Fraction, where: str) -> Fraction:
    """The multiple of `base` that is next to a number.

    Raises:
        InputError: where two are equally near and no `ties` says which.

    """
    places = number / base
    if ties is None and (2 * places) % 2 == 1:
        raise InputError(
            f"{number} lies halfway between {base * floor(places)} and {base * ceil(places)}",
            where=where,
            wanted='ties = "up", "down" or "even"',
        )
    return base * (floor(places + Fraction(1, 2)) if ties is None else TIES[ties](places))


def number_of(output: Label) -> Fraction | None:
    """The number that a label spells, an integer or a fraction in lowest terms; None for any other."""
    if not _NUMBER.fullmatch(output.text):
        return None
    number = Fraction(output.text)
    return number if str(number) == output.text else None


def on_numbers(kind: str, apply: Callable[[Label], Label | None], where: str) -> Callable[[Label], Law]:
    """The channel of a step on a number, or on each entry of a list; `⊥`, `*` and `15+` stay as they are."""

    def changed(output: Label) -> Label:
        entries = output.entries
        if entries is not None:
            return label([changed(entry) for entry in entries])
        new = output if MARK.fullmatch(output.text) else apply(output)
        if new is None:
            raise InputError(
                f'kind = "{kind}" cannot take the output {cut(output.text)}',
                where=where,
                wanted=f'numbers, or lists of numbers (and "{NO_ANSWER}", which passes through)',
                tip="put it after a count, a sum or a histogram; rows can rename anything",
            )
        return new

    return lambda output: Law.point(changed(output))


def value_of(output: Label) -> object:
    """An output as a function gets it: a number, a boolean, a tuple of these, or else its text.

    Labels are compared by their texts, and so is what a function gets: 3 for `"3"`, one half for `"1/2"`.

    >>> value_of(label([1, "1/2", True, "01"]))
    (1, Fraction(1, 2), True, '01')
    """
    if output.entries is not None:
        return tuple(value_of(entry) for entry in output.entries)
    number = number_of(output)
    if number is not None:
        return number.numerator if number.denominator == 1 else number
    return output.text == "true" if output.text in {"true", "false"} else output.text
