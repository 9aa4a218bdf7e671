"""Positions of marks in a drawing: floats that place ink; no text shows them."""

from __future__ import annotations

from fractions import Fraction

from verifier.numbers import Delta, Enclosure, Epsilon, Loss


def axis_position(value: Fraction | Delta | Enclosure | Epsilon | Loss) -> float | None:
    """The position of a value on an axis; None for an infinite value.

    >>> axis_position(Fraction(1, 4)), axis_position(Loss(None))
    (0.25, None)
    """
    if isinstance(value, Fraction):
        return float(value)
    text = value.decimal()
    if text.startswith("["):  # an enclosure: its lower end
        text = text[1:].partition(",")[0]
    return None if text.endswith("inf") else float(text)
