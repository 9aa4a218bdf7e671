"""A small model as integers, which finders make and from which a model file is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.model import Model, build

OUTPUTS = "uvw"
KNOWN = "xyz"


@dataclass(frozen=True, order=True)
class Candidate:
    """A model as integers: one θ on Tⁿ × B and a mechanism on all of Tⁿ, by weights over common denominators.

    `law[d * knowledge + b]` is the weight of the world (database d, knowledge value b), where d counts the databases
    of Tⁿ lexicographically with record 0 first; `mechanism[d][o]` the weight of output o on database d. The weights of
    `law` sum to `law_total`, those of each row to `row_total`. Record 0 is protected if `first_only`, else all are.

    >>> coin = Candidate(1, 2, 2, 1, 2, 1, (1, 1), ((1, 0), (0, 1)))
    >>> coin.keys()["distribution"]
    [{'table': [{'database': [0], 'probability': '1/2'}, {'database': [1], 'probability': '1/2'}]}]
    >>> from verifier import check
    >>> print(check(coin.model(), "np", epsilon="ln(2)"))
    np fails at ε = ln(2), δ = 0; smallest δ 1; smallest ε inf
    """

    records: int
    values: int
    outputs: int
    knowledge: int
    law_total: int
    row_total: int
    law: tuple[int, ...]
    mechanism: tuple[tuple[int, ...], ...]
    first_only: bool = False

    @property
    def size(self) -> tuple[object, ...]:
        """The sort key of the search: the smaller of two models has the smaller tuple."""
        shape = (self.records, self.values, self.outputs, self.knowledge)
        support = sum(weight > 0 for weight in self.law)
        rows = tuple(tuple(-weight for weight in row) for row in self.mechanism)
        return (*shape, support, self.law_total, self.row_total, tuple(-weight for weight in self.law), rows)

    @property
    def databases(self) -> list[tuple[int, ...]]:
        """The databases of Tⁿ, lexicographically."""
        return list(product(range(self.values), repeat=self.records))

    def keys(self) -> dict[str, Any]:
        """The keys of a model file: values 0, 1, …; outputs u, v, w or o1, o2, …; knowledge x, y, z or k1, k2, …."""
        names = output_names(self.outputs)
        known = _names(KNOWN, self.knowledge, "k")
        worlds: list[dict[str, Any]] = []
        for k, weight in enumerate(self.law):
            if weight:
                row: dict[str, Any] = {"database": list(self.databases[k // self.knowledge])}
                if self.knowledge > 1:
                    row["knowledge"] = known[k % self.knowledge]
                worlds.append({**row, "probability": str(Fraction(weight, self.law_total))})
        rows = []
        for database, weights in zip(self.databases, self.mechanism, strict=True):
            law = {name: str(Fraction(w, self.row_total)) for name, w in zip(names, weights, strict=True) if w}
            entry = {"output": next(iter(law))} if len(law) == 1 else {"outputs": law}
            rows.append({"database": list(database), **entry})
        keys: dict[str, Any] = {
            "size": self.records,
            "values": list(range(self.values)),
            "distribution": [{"table": worlds}],
            "mechanism": {"table": rows},
        }
        return {**keys, "sensitive": {"records": [0]}} if self.first_only else keys

    def model(self) -> Model:
        """The model, read from its keys."""
        return build(**self.keys())


def output_names(number: int) -> Sequence[str]:
    """The names of so many outputs: u, v, w; for more than three o1, o2, ….

    >>> output_names(2)
    ['u', 'v']
    """
    return _names(OUTPUTS, number, "o")


def _names(first: str, number: int, letter: str) -> Sequence[str]:
    """The first letters of `first`; where these are too few the numbered names o1, o2, …."""
    return list(first[:number]) if number <= len(first) else [f"{letter}{k + 1}" for k in range(number)]
