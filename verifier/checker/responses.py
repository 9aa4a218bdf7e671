"""Randomized response, of each record or of an output, and reports that are shuffled."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from .number_text import epsilon_of
from .numbers import Label, Law, Power, Wrong, afford_product, distinct, entries, is_list, joined, label, listed

if TYPE_CHECKING:  # a mechanism is made with its kind
    from .mechanisms import Database, Mechanism, Spec, Statistic
    from .models import Home
    from .steps import Step

RESPONSE_KEYS = frozenset({"keep", "truth", "epsilon"})
"""The keys that say how likely a value is kept."""


def randomized_response(mechanism: Mechanism, database: Database) -> Law:
    """The list of reports of some records."""
    keep, home = mechanism.once("keep", lambda: keep_of(mechanism.spec, mechanism.home)), mechanism.home
    return joined(
        [reported(home, keep, database[i]) for i in home.indices(mechanism.spec.get("records"), len(database))]
    )


def keep_of(spec: Spec, home: Home) -> Fraction:
    """The probability with which a value is kept: `keep`, or by `truth` or `epsilon` (FORMAT.md)."""
    k = len(home.values)
    if "keep" in spec:
        return home.chance(spec["keep"])
    if "truth" in spec:
        truth = home.chance(spec["truth"])
        return (k * truth - 1) / (k - 1) if k > 1 else Fraction(1)
    growth = growth_of(spec["epsilon"])
    return (growth - 1) / (growth + k - 1)


def growth_of(text: object) -> Fraction:
    """e^ε of an ε that a mechanism has, where it is rational: ln(9)/2 is ln(3)."""
    value = Power(epsilon_of(text)).value
    if value is None:
        raise Wrong(f"e to the power of {text} is not rational")
    return value


def reported(home: Home, keep: Fraction, value: Label) -> Law:
    """The law of a report: the value, or any one of all."""
    if value not in home.values:
        raise Wrong(f"randomized response is given {value}, which is no value")
    kept, total, k = keep.numerator, keep.denominator, len(home.values)
    return Law({**dict.fromkeys(home.values, total - kept), value: total - kept + kept * k}, total * k)


def each_value(mechanism: Mechanism, record: int, value: Label) -> Statistic:
    """Which value a record has."""
    return tuple(int(value == v) for v in mechanism.home.values)


def _report(mechanism: Mechanism, value: Label) -> Law:
    """The law of what one record reports."""
    spec, home = mechanism.spec, mechanism.home
    if "of" in spec:
        return mechanism.parts["of"].law((value,))
    if "reports" in spec:
        tables = distinct((label(v), law) for v, law in spec["reports"].items())
        if set(tables) != set(home.values):
            raise Wrong(f"reports: a table for {listed(tables)}", expected="one for each value")
        return home.law(tables[value])
    return reported(home, keep_of(spec, home), value)


def shuffled(mechanism: Mechanism, total: Statistic, size: int) -> Law:
    """The law of the sorted list of reports, given how many records have each value.

    A report is a polynomial, the sum of its weights times a power of x, and all reports are the product. The powers of
    report j are (size + 1)^j, but 1 for the last, so that a power of the product says how often each report comes; and
    x is a power of 2 that no coefficient reaches, so that the product is one of integers.
    """

    def read() -> tuple[list[Label], list[list[int]], int]:
        laws = [_report(mechanism, v) for v in mechanism.home.values]
        reports = sorted({o for law in laws for o in law.counts}, key=_place)
        common = math.lcm(*(law.total for law in laws))
        return reports, [[law.counts.get(o, 0) * (common // law.total) for o in reports] for law in laws], common

    reports, weights, common = mechanism.once("reports", read)
    places = (size + 1) ** (len(reports) - 1) if len(reports) < 64 else 1 << 64
    width = (common**size).bit_length() // 8 + 1
    afford_product([places, width], "the ways in which reports are shuffled")
    powers = [8 * width * (size + 1) ** j for j in range(len(reports) - 1)] + [0]
    whole = 1
    for times, row in zip(total, weights, strict=True):
        whole *= sum(w << at for w, at in zip(row, powers, strict=True)) ** int(times)
    data = whole.to_bytes(places * width, "little")
    counts: dict[Label, int] = {}
    for place in range(places):
        weight = int.from_bytes(data[place * width : (place + 1) * width], "little")
        if weight:
            counts[mechanism.once(f"{place} of {size}", partial(_list_of, reports, place, size))] = weight
    return Law(counts, common**size)


def _list_of(reports: Sequence[Label], place: int, size: int) -> Label:
    """The sorted list of reports at a power of the product of all reports."""
    times = []
    for _ in reports[1:]:
        place, count = divmod(place, size + 1)
        times.append(count)
    return listed(o for o, n in zip(reports, [*times, size - sum(times)], strict=True) for _ in range(n))


@lru_cache(1 << 16)
def _place(text: Label) -> tuple[object, ...]:
    """The place of a label in a sorted list: numbers, then lists, then texts."""
    if re.fullmatch(r"-?[0-9]+(/0*[1-9][0-9]*)?", text):
        return 0, Fraction(text), text
    return (1, [*map(_place, entries(text))], text) if is_list(text) else (2, text)


def response_step(step: Step, output: Label) -> Law:
    """Randomized response of an output, or of each entry of a list."""
    keep = keep_of(step.spec, step.home)
    laws = [reported(step.home, keep, entry) for entry in entries(output)]
    return joined(laws) if is_list(output) and output not in step.home.values else laws[0]
