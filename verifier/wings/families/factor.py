"""The ε of a question about a family: a number, or the logarithm of a function of the parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import PkdpError, UnsupportedError
from verifier.model.parameters import Family, substituted
from verifier.numbers import Epsilon, Function, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.expression import Expression, read_expression


@dataclass(frozen=True)
class ParametricEpsilon:
    """The ε of a question: a number, or ln of an expression in the parameters (in nats)."""

    names: tuple[str, ...]
    value: Epsilon | Expression

    def __str__(self) -> str:
        return str(self.value) if isinstance(self.value, Epsilon) else f"ln({self.value})"

    @property
    def epsilon(self) -> Epsilon | None:
        """ε where it is a number or ∞; None where it is a function of the parameters."""
        return self.value if isinstance(self.value, Epsilon) else None

    @property
    def infinite(self) -> bool:
        """Whether ε is ∞."""
        return self.epsilon is not None and self.epsilon.is_infinite

    @property
    def irrational(self) -> Epsilon | None:
        """ε where e^ε is an irrational number; else None."""
        return None if self.epsilon is None or self.infinite or self.epsilon.exp is not None else self.epsilon

    def rational(self) -> Fraction | None:
        """ε itself, where it is a rational number; None where it is ∞.

        Raises:
            UnsupportedError: for an irrational ε, and for a function of the parameters.

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
        """ε where it is a number, else e^ε as a function of the only parameter."""
        return self.epsilon or self.exp()

    def exp(self, *, sparse: bool = False) -> Function:
        """e^ε as a function of the parameters.

        Raises:
            ArithmeticError: where e^ε is irrational.

        """
        if isinstance(self.value, Expression):
            return Function.read(self.value, self.names, sparse=sparse)
        if self.value.exp is None:
            raise ArithmeticError("e^ε is not rational")
        return Function.parameters(self.names, sparse=sparse)[0].constantly(self.value.exp)

    def epsilon_at(self, *values: Fraction) -> Epsilon:
        """ε at values of the parameters, in the order of their names."""
        return self.epsilon or log_epsilon(self.exp().at(*values))

    def fixed(self, values: Mapping[str, Fraction]) -> object:
        """The ε of the question after some parameters are fixed, in a form that `read_factor` reads."""
        return self.value if isinstance(self.value, Epsilon) else f"ln({substituted(self.value, values)})"


def read_factor(epsilon: object, family: Family) -> ParametricEpsilon:
    """Read ε for a family: as for a model, or `ln(expression)` in the parameters.

    Raises:
        InputError: for a text that is neither an ε nor `ln(expression)`.

    """
    try:
        return ParametricEpsilon(family.names, read_epsilon(epsilon, "epsilon"))
    except PkdpError:
        match = re.fullmatch(r"\s*ln\s*\((.*)\)\s*", epsilon) if isinstance(epsilon, str) else None
        if match is None or not re.search(r"[^\W\d]", match[1]):
            raise
        return ParametricEpsilon(family.names, read_expression(match[1], "epsilon", family.names))
