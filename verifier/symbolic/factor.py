"""e^ε of a question about a family: a number, or a function of the parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError, PkdpError
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import read_expression
from verifier.symbolic.ratio import Ratio


@dataclass(frozen=True)
class Factor:
    """ε as it was asked, with e^ε as a function of the parameter, or ε itself."""

    text: str
    value: Epsilon | Ratio

    def __str__(self) -> str:
        return self.text

    def epsilon_at(self, at: Fraction) -> Epsilon:
        """ε at one value of the parameter.

        Raises:
            InputError: where e^ε is below 1 there.

        """
        if isinstance(self.value, Epsilon):
            return self.value
        exp = self.value.at(at)
        if exp < 1:
            raise InputError(
                f"at {at} the ε {self.text} is negative", where="epsilon", wanted="ε ≥ 0 in the whole range"
            )
        return log_epsilon(exp)


def read_factor(given: object, family: Family) -> Factor:
    """Read ε for a family: as for a model, or `ln(expression)` in the parameter.

    Raises:
        InputError: for what is none.

    """
    try:
        found = read_epsilon(given, "epsilon")
    except PkdpError:
        match = re.fullmatch(r"\s*ln\s*\((.*)\)\s*", given) if isinstance(given, str) else None
        if match is None or not re.search(r"[^\W\d]", match[1]):
            raise
        one = read_expression(match[1], "epsilon", family.names)
        return Factor(f"ln({one})", Ratio.read(one, family.names[0]))
    return Factor(str(found), found)
