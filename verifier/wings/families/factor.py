"""The ε of a question about a family: a number, or the logarithm of a function of the parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import LimitError, PkdpError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, Function, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import MAX_POWER, Expression, read_expression
from verifier.wings.families.formulas import formula

MULTIPLE = re.compile(r"\s*(?:([1-9][0-9]{0,3})\s*\*\s*)?ln\s*\((.*)\)\s*(?:\*\s*([1-9][0-9]{0,3})\s*)?")
"""ln of an expression, or a positive integer times it."""


@dataclass(frozen=True)
class ParametricEpsilon:
    """The ε of a question: a number, or ln of an expression in the parameter (in nats)."""

    name: str
    value: Epsilon | Expression

    def __str__(self) -> str:
        return str(self.value) if isinstance(self.value, Epsilon) else f"ln({self.value})"

    @property
    def epsilon(self) -> Epsilon | None:
        """ε where it is a number or ∞; None where it is a function of the parameter."""
        return self.value if isinstance(self.value, Epsilon) else None

    @property
    def infinite(self) -> bool:
        """Whether ε is ∞."""
        return self.epsilon is not None and self.epsilon.is_infinite

    def rational(self) -> Fraction | None:
        """ε itself, where it is a rational number; None where it is ∞.

        Raises:
            UnsupportedError: for an irrational ε, and for a function of the parameter.

        """
        if self.infinite:
            return None
        if self.epsilon is None or self.epsilon.kind != "rational":
            raise UnsupportedError(
                f"ε = {self} is compared with sums of probabilities, and is not rational", wanted="an ε such as 1/2"
            )
        return self.epsilon.coefficient

    @property
    def number_or_function(self) -> Epsilon | Function:
        """ε where it is a number, else e^ε as a function of the parameter."""
        return self.value if isinstance(self.value, Epsilon) else Function.read(self.value, self.name)

    def epsilon_at(self, at: Fraction) -> Epsilon:
        """ε at a value of the parameter."""
        value = self.number_or_function
        return log_epsilon(value.at(at)) if isinstance(value, Function) else value


def read_factor(epsilon: object, family: Family) -> ParametricEpsilon:
    """Read ε for a family: as for a model, or `ln(expression)` in the parameter, also with an integer before it.

    A multiple is written as one logarithm: `4*ln(1/z)` is `ln(1/z^4)`.

    Raises:
        InputError: for a text that is neither an ε nor such a logarithm.

    """
    (name,) = family.names
    try:
        return ParametricEpsilon(name, read_epsilon(epsilon, "epsilon"))
    except PkdpError:
        match = MULTIPLE.fullmatch(epsilon) if isinstance(epsilon, str) else None
        if match is None or not re.search(r"[^\W\d]", match[2]):
            raise
        expression = read_expression(match[2], "epsilon", family.names)
        times = int(match[1] or match[3] or 1)
        if times == 1:
            return ParametricEpsilon(name, expression)
        if times > MAX_POWER:
            raise LimitError(
                f"{times} is too large before ln", where="epsilon", wanted=f"at most {MAX_POWER}"
            ) from None
        power = formula(Function.read(expression, name) ** times, name)
        return ParametricEpsilon(name, read_expression(power, "epsilon", family.names))
