"""e^ε of a question about a family with several parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError
from verifier.model.parameters import Family, substituted
from verifier.numbers import Epsilon, log_epsilon
from verifier.numbers.expression import Expression
from verifier.wings.families.factor import read_logarithm
from verifier.wings.families.quotient import Names, Quotient
from verifier.wings.families.region import Point, Region, Sign


@dataclass(frozen=True)
class Factor:
    """ε itself, or the expression in the parameters whose logarithm it is."""

    names: Names
    value: Epsilon | Expression

    def __str__(self) -> str:
        return str(self.value) if isinstance(self.value, Epsilon) else f"ln({self.value})"

    @property
    def infinite(self) -> bool:
        """Whether it is ∞."""
        return isinstance(self.value, Epsilon) and self.value.is_infinite

    @property
    def irrational(self) -> Epsilon | None:
        """ε, where e^ε is a number that is not rational."""
        return self.value if isinstance(self.value, Epsilon) and not self.infinite and self.value.exp is None else None

    def exp(self, names: Names) -> Quotient:
        """e^ε as a function of the parameters.

        Raises:
            ArithmeticError: where it is irrational.

        """
        if isinstance(self.value, Expression):
            return Quotient.read(self.value, names)
        if self.value.exp is None:
            raise ArithmeticError("e^ε is not rational")
        return Quotient.of(names, self.value.exp)

    def epsilon_at(self, at: Point) -> Epsilon:
        """ε at a point."""
        return self.value if isinstance(self.value, Epsilon) else log_epsilon(self.exp(self.names).at(at))

    def fixed(self, values: Mapping[str, Fraction]) -> object:
        """The question where some parameters are fixed."""
        return self.value if isinstance(self.value, Epsilon) else f"ln({substituted(self.value, values)})"

    def refuse_negative(self, region: Region) -> None:
        """Refuse an ε that is negative, or has a pole, somewhere in the range.

        Raises:
            InputError: with the values.

        """
        if isinstance(self.value, Epsilon):
            return
        one = self.exp(region.names)
        for wanted in (Sign(one.bottom, "="), Sign((one.top - one.bottom) * one.bottom, "<")):
            found = region.find([wanted], region.domain)
            if found.answer != "none":
                where = region.shown(found.at) if found.at else found.near
                raise InputError(f"ε = {self} is negative, or not defined, at {where}", where="epsilon", wanted="ε ≥ 0")


def read_factor(given: object, family: Family) -> Factor:
    """Read ε for a family: as for a model, or `ln(expression)` in the parameters.

    Raises:
        InputError: for what is none.

    """
    return Factor(family.names, read_logarithm(given, family))
