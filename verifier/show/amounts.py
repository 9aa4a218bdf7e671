"""Exact values with their decimals, and lists of indices, as a report shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol

from verifier.numbers import decimal_of, exact_text
from verifier.tables import Law

SHORT = 14
"""Exact forms that are longer stand on a line of their own."""
MOST_OUTCOMES = 12


class Value(Protocol):
    """A δ, an ε or a loss."""

    def text(self, max_digits: int = 200) -> str:
        """The exact form."""
        ...

    def decimal(self, digits: int = 12) -> str:
        """The decimal, correctly rounded."""
        ...


def amount(value: Fraction | Value | None, max_digits: int = 60) -> str:
    """The decimal first, then the exact form; a long one on a line of its own.

    >>> amount(Fraction(3, 4)), amount(Fraction(1, 3)), amount(Fraction(2))
    ('0.75 = 3/4', '0.333333333333 ≈ 1/3', '2')
    """
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        exact, decimal = exact_text(value, max_digits), decimal_of(value)
    else:
        exact, decimal = value.text(max_digits), value.decimal()
    if "…" in exact:
        long = re.findall(r"\((\d+) digits\)", exact)
        return f"{decimal} (exact: {sum(map(int, long))} digits)"
    if exact in {decimal, "inf", "-inf"}:
        return exact.replace("inf", "∞")
    return f"{decimal}{' ' if len(exact) <= SHORT else chr(10)}{'=' if _same(exact, decimal) else '≈'} {exact}"


def _same(exact: str, decimal: str) -> bool:
    try:
        return Fraction(exact) == Fraction(decimal)
    except ValueError:
        return False


def ranges(numbers: Iterable[int]) -> str:
    """Indices as ranges.

    >>> ranges([0, 1, 2, 5, 7, 8])
    '0–2, 5, 7–8'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)


def law_text(law: Law, most: int = MOST_OUTCOMES) -> str:
    """A law in one cell: its outcome where it is constant, else each outcome with its probability.

    >>> from verifier.tables import label
    >>> law_text(Law.of({label("odd"): "1/3", label("even"): "2/3"})), law_text(Law.point(label(3)))
    ('even: 2/3, odd: 1/3', '3')
    """
    if len(law.outcomes) == 1:
        return law.outcomes[0].text
    parts = [f"{o.text}: {exact_text(Fraction(w, law.denominator), 40)}" for o, w in law.items()]
    more = f", … ({len(parts)} outcomes)" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more
