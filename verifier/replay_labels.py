"""Labels and numbers as a model file writes them, for the independent re-check of a certificate against its file.

An outcome is an integer, a boolean, a text or a tuple of these, and is known by its text; a law is a list of outcomes
with exact probabilities.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

from verifier.replay_numbers import Rejected

Raw: TypeAlias = list[tuple[Any, Fraction]]
"""Outcomes with their probabilities."""
NO_ANSWER = "⊥"
ONE = Fraction(1)
MOST = 1 << 17
"""Most sums, databases or outcomes that are listed for one mechanism."""
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,4000}")
NUMBER = re.compile(r"(-?[0-9]{1,4000})(?:/0*([1-9][0-9]{0,3999}))?")
_DECIMAL = re.compile(r"([-+]?)([0-9]{1,5000})(?:\.([0-9]{1,5000}))?(?:[eE]([+-]?[0-9]{1,4}))?")
_RATIO = re.compile(r"([-+]?[0-9]{1,4300})\s*/\s*([0-9]{1,4300})")


class Uncovered(Exception):  # noqa: N818 - it names the outcome
    """The reader does not go so far; nothing is compared, and the message says why."""


def exact(given: object) -> Fraction:
    """A number of a model file: an integer, a text `p/q`, or a decimal, read exactly."""
    if type(given) is int:
        return Fraction(given)
    text = str(given).strip().replace("_", "") if isinstance(given, str) else ""
    if (found := _RATIO.fullmatch(text)) and int(found[2]):
        return Fraction(int(found[1]), int(found[2]))
    if found := _DECIMAL.fullmatch(text):
        places = found[3] or ""
        size = int(found[2] + places) * Fraction(10) ** (int(found[4] or "0") - len(places))
        return -size if found[1] == "-" else size
    raise Rejected(f"the model file has {str(given)[:40]!r} where a number stands")


def outcome(given: Any) -> Any:
    """A label of a model file; a rational is an integer, or its text."""
    if isinstance(given, Fraction):
        return given.numerator if given.denominator == 1 else f"{given.numerator}/{given.denominator}"
    if isinstance(given, list | tuple):
        return tuple(map(outcome, given))
    if isinstance(given, bool | int | str):
        return given
    raise Rejected(f"the model file has {str(given)[:40]!r} where a label stands")


def text(one: Any) -> str:
    """What an outcome is compared by: booleans as in TOML, lists as compact JSON."""
    if isinstance(one, bool):
        return "true" if one else "false"
    if isinstance(one, tuple):
        return json.dumps(one, ensure_ascii=False, separators=(",", ":"))
    return str(one)


def together(*parts: Any) -> tuple[Any, ...]:
    """The list that several outputs make: integers stand in it as numbers, however they were spelled."""
    return tuple(int(text(one)) if INTEGER.fullmatch(text(one)) else one for one in parts)


def gathered(raw: Iterable[tuple[Any, Fraction]]) -> Raw:
    """The same law with one entry for each text, and without what is impossible."""
    found: dict[str, tuple[Any, Fraction]] = {}
    for one, p in raw:
        if p:
            key = text(one)
            found[key] = (found[key][0], found[key][1] + p) if key in found else (one, p)
    if len(found) > MOST:
        raise Uncovered("a law has too many outcomes")
    return list(found.values())


def in_order(one: Any) -> tuple[Any, ...]:
    """Numbers by size, then lists, then texts."""
    if isinstance(one, tuple):
        return 1, tuple(map(in_order, one)), text(one)
    if found := re.fullmatch(
        r"(-?[0-9]{1,4000})(?:/0*([1-9][0-9]{0,3999}))?", "" if isinstance(one, bool) else str(one)
    ):
        return 0, Fraction(int(found[1]), int(found[2] or 1)), text(one)
    return 2, text(one), text(one)


def published(counts: Mapping[str, int], classes: Sequence[Any], k: int) -> tuple[Any, ...]:
    """The classes that appear at least k times, each as often as it does, in order."""
    return tuple(c for c in sorted(classes, key=in_order) for _ in range(counts[text(c)]) if counts[text(c)] >= k)


def geometric(at: int, p: Fraction, low: int, high: int) -> Raw:
    """P[X = k] = (1 - p)/(1 + p)·p^|k| around `at`; what lies beyond low and beyond high as one outcome each."""
    share = (1 - p) * Fraction(1, 1 + p)
    law: Raw = [(k, share * p ** abs(k - at)) for k in range(low, high + 1)]
    tail = Fraction(1, 1 + p)  # of p^d·(1 + p + p² + …)·share
    return [*law, (f"< {low}", tail * p ** (at - low + 1)), (f"> {high}", tail * p ** (high - at + 1))]


def root(value: Fraction, degree: int) -> Any:
    """The degree-th root of a rational ≥ 0: a number, `sqrt(5/2)` or `root(5/2, 3)`, the degree as small as it gets."""
    for step in range(degree, 0, -1):
        if degree % step == 0:
            top, bottom = (_whole_root(x, step) for x in value.as_integer_ratio())
            if top is not None and bottom is not None:
                inside, left = Fraction(top, bottom), degree // step
                if left == 1:
                    return outcome(inside)
                return f"sqrt({inside})" if left == 2 else f"root({inside}, {left})"
    raise Rejected("every number is its own first root")


def _whole_root(x: int, degree: int) -> int | None:
    """The integer with this power, if there is one."""
    if degree == 2:
        return isqrt(x) if isqrt(x) ** 2 == x else None
    low, high = 0, 1 << (x.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= x else (low, middle - 1)
    return low if low**degree == x else None


def indices(given: Any) -> Sequence[int]:
    """A list of records, or a stretch with both ends."""
    return range(given["from"], given["to"] + 1) if isinstance(given, dict) else given
