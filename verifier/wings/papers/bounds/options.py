"""What `pkdp claims --bound` can be asked: an option for each parameter of a bound, and one for its reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, make_dataclass
from typing import Annotated, Any, TypeVar, cast

import typer

READING = "reading"
"""The option that chooses one reading of a bound; the other options are its parameters."""
PARAMETERS = {
    "n": "the number of records, the target included",
    "p": "the model: one probability for all records, or one each, with commas",
    "threshold": "T: a count of at most T is hidden",
    "known": "the number of records that the attacker knows: the first ones",
    "b-max": "the b_max of Theorem 4",
    "p-max": "the p of Theorem 4, above every p_i",
    "lambda": "λ: every probability is above λ (and below 1 - λ)",
    "options": "K, the number of values",
    "k": "the k of k-anonymity",
    "beta": "β, the sampling rate",
    "beta-1": "β₁, the sampling rate that is known to do",
    "beta-2": "β₂, the smaller sampling rate",
    "epsilon": 'ε in nats: "ln(p/q)", "r*ln(p/q)" or a rational',
    "epsilon-1": "ε₁ in nats, as ε",
    "delta": "δ, a rational",
    "delta-1": "δ₁, a rational",
    "delta-2": "the δ₂ of Proposition 7, a rational",
}
"""What each parameter of a bound is."""
Typed = TypeVar("Typed", bound=type)


def _field(name: str) -> str:
    return f"bound_{name.replace('-', '_')}"


def with_bound_options(typed: Typed) -> Typed:
    """Return what can be typed, with an option for each parameter of a bound and for its reading."""
    helps = {**PARAMETERS, READING: "one reading by its name; default: all"}
    options = [
        (
            _field(name),
            Annotated[str | None, typer.Option(f"--{name}", help=f"of a bound: {text}")],
            field(default=None),
        )
        for name, text in helps.items()
    ]
    namespace = {"__doc__": typed.__doc__, "__module__": typed.__module__}
    return cast(Typed, make_dataclass(typed.__name__, options, bases=(typed,), namespace=namespace, frozen=True))


def given_of(typed: Any) -> Mapping[str, str]:
    """The texts of the parameters, and of the reading, that were typed, by their names."""
    texts = {name: getattr(typed, _field(name)) for name in (*PARAMETERS, READING)}
    return {name: text for name, text in texts.items() if text is not None}
