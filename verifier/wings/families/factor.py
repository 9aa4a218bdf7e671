"""e^ε of a question about a family: a number, or a function of the parameter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError, PkdpError
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import Expression, read_expression
from verifier.wings.families.curves import cells
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Line, between, point_text
from verifier.wings.families.ratio import Ratio


@dataclass(frozen=True)
class Factor:
    """ε as it was asked, with e^ε as a function of the parameter, or ε itself."""

    text: str
    value: Epsilon | Ratio

    def __str__(self) -> str:
        return self.text

    def epsilon_at(self, at: Fraction) -> Epsilon:
        """ε at one value of the parameter."""
        return self.value if isinstance(self.value, Epsilon) else log_epsilon(self.value.at(at))

    def refuse_negative(self, domain: Sequence[Interval], name: str) -> None:
        """Refuse an ε that is negative for some value of the parameter.

        Raises:
            InputError: with the value.

        """
        if isinstance(self.value, Epsilon):
            return
        below = Line(self.value - Ratio.of(1), Ratio.of(0))
        pole = Line(Ratio(self.value.bottom, Ratio.of(1).bottom), Ratio.of(0))
        for one in domain:
            spans = [] if one.point is not None else cells((one.low, one.high), [below, pole])
            for at in [one.point] if one.point is not None else [between(*span) for span in spans]:
                if not pole.sign(at) or below.sign(at) < 0:
                    where = f"{name} = {point_text(at)}"
                    raise InputError(f"ε = {self.text} is negative at {where}", where="epsilon", wanted="ε ≥ 0")


def read_factor(given: object, family: Family) -> Factor:
    """Read ε for a family: as for a model, or `ln(expression)` in the parameter.

    Raises:
        InputError: for what is none.

    """
    found = read_logarithm(given, family)
    if isinstance(found, Epsilon):
        return Factor(str(found), found)
    return Factor(f"ln({found})", Ratio.read(found, family.names[0]))


def read_logarithm(given: object, family: Family) -> Epsilon | Expression:
    """ε, or the expression in a family's parameters whose logarithm it is.

    Raises:
        InputError: for what is neither.

    """
    try:
        return read_epsilon(given, "epsilon")
    except PkdpError:
        match = re.fullmatch(r"\s*ln\s*\((.*)\)\s*", given) if isinstance(given, str) else None
        if match is None or not re.search(r"[^\W\d]", match[1]):
            raise
        return read_expression(match[1], "epsilon", family.names)
