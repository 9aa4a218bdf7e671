"""A claim of a paper about ε and δ as a frozen object: its readings, its conditions, and its evaluators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from verifier.errors import InputError
from verifier.numbers import Order, epsilon, probability, rational, shorten
from verifier.profile import Profile
from verifier.wings.papers.bounds.parameters import PARAMETERS
from verifier.wings.papers.bounds.real import Real

Parameters = Mapping[str, Any]
"""The values of a claim's parameters, read and checked, by the names in `READERS`."""
ClaimCondition = tuple[str, bool | None]
"""A condition in words, and whether it is met; None where that is undecided."""
Covers = Literal["yes", "no", "condition not met", "undecided"]


@dataclass(frozen=True)
class ClaimedBound:
    """The ε (in nats), e^ε and δ that a claim promises, and its conditions; None where a number has no value.

    `least` is the smallest δ that it promises at any ε, where δ is a parameter.
    """

    conditions: tuple[ClaimCondition, ...]
    epsilon: Real | None = None
    exp: Real | None = None
    delta: Real | None = None
    least: Real | None = None

    @property
    def met(self) -> bool | None:
        """Whether all conditions are met; None where that is undecided."""
        answers = [answer for _, answer in self.conditions]
        return False if False in answers else None if None in answers else True


Evaluate = Callable[[Parameters, str], ClaimedBound | None]
Exact = Callable[[Parameters, str, Fraction], Fraction]
Worst = Callable[[Parameters, Fraction], tuple[Fraction, str]]


@dataclass(frozen=True)
class BoundClaim:
    """A statement of a paper about ε and δ, as printed, under each reading that the print admits.

    `evaluate` gives the claimed ε and δ (None where a reading does not apply), `model` the exact δ of one model at e^ε,
    `worst` the supremum over the claim's family (None where it is not known), `profiles` the model's privacy profiles.
    The parameters `wants` have to be given; those of `may` can be, and stand there with the value that holds otherwise.
    """

    key: str
    paper: str
    number: str
    statement: str
    family: str
    readings: Mapping[str, str]
    wants: tuple[str, ...]
    may: Mapping[str, str]
    evaluate: Evaluate
    model: Exact | None = None
    worst: Worst | None = None
    profiles: Callable[[Parameters], list[Profile]] | None = None

    def reading(self, name: str) -> str:
        """The name itself, if a reading of this claim has it.

        Raises:
            InputError: where no reading has the name.

        """
        if name not in self.readings:
            raise InputError(
                f"{self.key} has no reading {shorten(name)}",
                where="reading=",
                wanted=f"one of {', '.join(self.readings)}",
            )
        return name


@dataclass(frozen=True)
class BoundRow:
    """One reading of a claim compared with the exact δ.

    `model` is the exact δ of the model, `worst` the supremum over the claim's family, approached `where` it says.
    `ratio` is the claimed δ divided by the exact one (the worst, where that is known); `tight` is the smallest ε, in
    nats, at which the model's δ is at most the claimed one.
    """

    claim: BoundClaim
    reading: str
    claimed: ClaimedBound
    covers: Covers
    model: Real | None = None
    worst: Real | None = None
    where: str = ""
    ratio: Real | None = None
    tight: Real | Literal["inf"] | None = None


def less(small: Real, large: Real) -> bool | None:
    """Whether small < large; None where that is undecided."""
    order = small.order(large)
    return None if order is Order.UNDECIDED else order is Order.LESS


def whole_number(text: str, where: str) -> int:
    """Read a whole number that is at least 0; `where` names the parameter in a refusal.

    Raises:
        InputError: for any other text.

    """
    value = rational(text, where, "a whole number")
    if value.denominator != 1 or value < 0:
        raise InputError(f"{shorten(value)} is not a whole number", where=where, wanted="a whole number, at least 0")
    return int(value)


def positive(text: str, where: str) -> int:
    """Read a whole number that is at least 1.

    Raises:
        InputError: for any other text.

    """
    value = whole_number(text, where)
    if value < 1:
        raise InputError("0 is too small", where=where, wanted="a whole number, at least 1")
    return value


def inner(text: str, where: str) -> Fraction:
    """Read a rational strictly between 0 and 1.

    Raises:
        InputError: for any other text.

    """
    value = probability(text, where)
    if value in {0, 1}:
        raise InputError(f"{value} is an end of the range", where=where, wanted="a rational strictly between 0 and 1")
    return value


def chances(text: str, where: str) -> tuple[Fraction, ...]:
    """Read one probability, or several with commas.

    Raises:
        InputError: for any other text.

    """
    return tuple(probability(probability_text, where) for probability_text in text.split(","))


def finite(text: str, where: str) -> Any:
    """Read a finite ε, in nats.

    Raises:
        InputError: for any other text, and for `inf`.

    """
    value = epsilon(text, where)
    if value.is_infinite:
        raise InputError("ε is infinite", where=where, wanted="a finite ε")
    return value


READERS: dict[str, Callable[[str, str], Any]] = {
    "n": positive,
    "p": chances,
    "threshold": whole_number,
    "known": whole_number,
    "b-max": positive,
    "p-max": inner,
    "lambda": inner,
    "options": positive,
    "k": positive,
    "beta": inner,
    "beta-1": probability,
    "beta-2": inner,
    "epsilon": finite,
    "epsilon-1": finite,
    "delta": inner,
    "delta-1": probability,
    "delta-2": inner,
}
"""What reads each parameter of a bound."""

LETTERS = {
    "threshold": "T", "known": "|B|", "b-max": "b_max", "p-max": "p", "lambda": "λ", "options": "K", "beta": "β",
    "beta-1": "β₁", "beta-2": "β₂", "epsilon": "ε", "epsilon-1": "ε₁", "delta": "δ", "delta-1": "δ₁", "delta-2": "δ₂",
}  # fmt: skip
"""The letters of parameters in a sentence; n, p and k are their own."""


def read_parameters(claim: BoundClaim, texts: Mapping[str, str]) -> Parameters:
    """Read the parameters of a claim from their texts.

    Raises:
        InputError: for an unknown or missing parameter, an invalid value, and where all records would be known.

    """
    names = [*claim.wants, *claim.may]
    options = ", ".join(f"{name}=" for name in names)
    for name in texts:
        if name not in names:
            raise InputError(f"{claim.key} has no {name}", where=f"{name}=", wanted=f"only {options}")
    for name in claim.wants:
        if name not in texts:
            raise InputError(
                f"{name}= is missing",
                where=claim.key,
                wanted=f"a value for {name}= ({PARAMETERS[name]})",
                tip=f"{claim.key} takes {options}",
            )
    parameters = {name: READERS[name](text, f"{name}=") for name, text in texts.items()}
    if "p" in parameters and "n" in parameters and claim.key != "theorem-5":
        parameters["p"] = _one_for_each_record(parameters["p"], parameters["n"])
    if parameters.get("known", 0) >= parameters.get("n", 1 + parameters.get("known", 0)):
        raise InputError(
            f"{parameters['known']} known records of {parameters['n']} are too many",
            where="known=",
            wanted="at least one unknown record",
        )
    return parameters


def _one_for_each_record(probabilities: tuple[Fraction, ...], n: int) -> tuple[Fraction, ...]:
    if len(probabilities) not in {1, n}:
        raise InputError(f"{len(probabilities)} probabilities do not fit {n} records", where="p=", wanted=f"1 or {n}")
    return probabilities * n if len(probabilities) == 1 else probabilities
