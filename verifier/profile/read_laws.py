"""Two laws as a person writes them, as integer weights over the same outputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from verifier.errors import InputError
from verifier.numbers import exact_text, rational, shorten

Number: TypeAlias = int | Fraction | str
"""An exact number."""
Weights: TypeAlias = Iterable[Number] | Mapping[Any, Number]
"""A law: the weights or probabilities of outputs, in their order or by their names."""


def read_laws(
    p: object, q: object, p_total: object = None, q_total: object = None
) -> tuple[list[int], list[int], int, int]:
    """The weights and the total of each law, as integers; an output that a table leaves out has weight 0.

    >>> read_laws({"a": "1/3", "b": "2/3"}, {"b": 1})
    ([1, 2], [0, 1], 3, 1)

    Raises:
        InputError, InexactError: as `profile_of` does.

    """
    if isinstance(p, Mapping) != isinstance(q, Mapping):
        raise InputError("one law is a table and one is not", where="q", wanted="two tables, or two lists")
    outputs = list(dict.fromkeys([*p, *q])) if isinstance(p, Mapping) and isinstance(q, Mapping) else None
    weights, total = _weights(p, p_total, outputs, "p")
    others, of_others = _weights(q, q_total, outputs, "q")
    return weights, others, total, of_others


def _weights(law: object, total: object, outputs: list[Any] | None, name: str) -> tuple[list[int], int]:
    """The integer weights of a law and their total."""
    if isinstance(law, str | bytes) or not isinstance(law, Iterable):
        wanted = "a list of weights, or a table from outputs to probabilities"
        raise InputError(f"{shorten(law)} is not a law", where=name, wanted=wanted)
    table = law if isinstance(law, Mapping) else dict(enumerate(law))
    numbers = {output: rational(weight, f"{name}[{shorten(output)}]", "a weight") for output, weight in table.items()}
    whole = sum(numbers.values(), Fraction(0))
    given = whole if total is None else rational(total, f"{name}_total", "a total")
    if total is None and whole != 1 and any(number.denominator > 1 for number in numbers.values()):
        raise InputError(
            f"the probabilities sum to {exact_text(whole)}",
            where=name,
            wanted="the sum 1 exactly",
            tip=f"integers are weights, whatever their sum; {name}_total=1 is for a part of a law",
        )
    shared = lcm(given.denominator, *(number.denominator for number in numbers.values()))
    order = list(numbers) if outputs is None else outputs
    return [int(numbers.get(output, Fraction(0)) * shared) for output in order], int(given * shared)
