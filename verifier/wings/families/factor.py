"""The ε of a question about a family: a number, or the logarithm of a function of the parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import PkdpError, UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, Function, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import Expression, read_expression


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
    """Read ε for a family: as for a model, or `ln(expression)` in the parameter.

    Raises:
        InputError: for a text that is neither an ε nor `ln(expression)`.

    """
    (name,) = family.names
    try:
        return ParametricEpsilon(name, read_epsilon(epsilon, "epsilon"))
    except PkdpError:
        match = re.fullmatch(r"\s*ln\s*\((.*)\)\s*", epsilon) if isinstance(epsilon, str) else None
        if match is None or not re.search(r"[^\W\d]", match[1]):
            raise
        return ParametricEpsilon(name, read_expression(match[1], "epsilon", family.names))
