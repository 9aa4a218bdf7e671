"""Where marks stand in a drawing: the only numbers here that are not exact; no text shows them."""

from __future__ import annotations

from fractions import Fraction

from verifier.numbers import Delta, Enclosure, Epsilon, Loss


def placed(value: Fraction | Delta | Enclosure | Epsilon | Loss) -> float | None:
    """A place on an axis; None for what is infinite.

    >>> placed(Fraction(1, 4)), placed(Loss(None))
    (0.25, None)
    """
    if isinstance(value, Fraction):
        return float(value)
    text = value.decimal()
    if text.startswith("["):  # an enclosure: its lower end
        text = text[1:].partition(",")[0]
    return None if text.endswith("inf") else float(text)
