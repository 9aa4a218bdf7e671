"""The scope of a search: its models, their order, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import TYPE_CHECKING

from verifier.errors import InputError, LimitError
from verifier.numbers import plural

if TYPE_CHECKING:
    from verifier.wings.search.candidate import Candidate

MAX_MODELS = 10**10
"""Largest number of models of a search, before symmetry."""
MOST = {"records": 4, "values": 5, "outputs": 6, "knowledge": 6, "weights": 1000, "mechanism_weights": 1000}
LEAST = {"values": 2}


@dataclass(frozen=True, order=True)
class Shape:
    """The exact numbers of records, values, outputs and knowledge values of some models."""

    records: int
    values: int
    outputs: int
    knowledge: int

    @property
    def databases(self) -> int:
        """The number of databases, |Tⁿ|."""
        return int(self.values**self.records)

    @cached_property
    def _strides(self) -> list[int]:
        return [self.values ** (self.records - 1 - i) for i in range(self.records)]

    def value(self, database: int, record: int) -> int:
        """The value D(i) of a database, by number; databases are counted lexicographically with record 0 first."""
        return database // self._strides[record] % self.values

    def replaced(self, database: int, record: int, value: int) -> int:
        """The number of the database D with record i set to a value."""
        return database + (value - self.value(database, record)) * self._strides[record]

    def having(self, record: int, value: int) -> list[int]:
        """The numbers of the databases with D(i) = value."""
        return [d for d in range(self.databases) if self.value(d, record) == value]

    def number(self, database: Sequence[int]) -> int:
        """The number of a database."""
        return sum(value * stride for value, stride in zip(database, self._strides, strict=True))


@dataclass(frozen=True)
class Scope:
    """All models with at most so many records, values, outputs and knowledge values, and weights on a grid.

    A model of the scope is one θ on Tⁿ × B whose probabilities are multiples of 1/`weights`, and a mechanism on all of
    Tⁿ whose probabilities are multiples of 1/`mechanism_weights`; B is a column of θ (DMKB20, section 2: the attacker's
    knowledge may depend on anything). Every record is protected, or record 0 alone with `first_only`. Each output is
    possible on some database of Tⁿ, and each knowledge value under θ: models where one is not are models of a smaller
    shape. T has at least two values; a value of T may be impossible under θ, since definitions may still ask for it.

    >>> print(Scope(2, 2, 2, 2))
    at most 2 records, 2 values, 2 outputs, 2 knowledge values; θ in multiples of 1/4, the mechanism of 1/2
    >>> [tuple(vars(shape).values()) for shape in Scope(1, 2, 2, 2).shapes()]
    [(1, 2, 1, 1), (1, 2, 1, 2), (1, 2, 2, 1), (1, 2, 2, 2)]
    >>> Scope(1, 2, 2, 1, weights=2).models
    24

    Raises:
        InputError: for a number that is no positive integer, or fewer than two values.
        LimitError: for a single number that is too large; `admit` bounds the number of models.

    """

    records: int = 2
    values: int = 2
    outputs: int = 2
    knowledge: int = 1
    weights: int = 4
    mechanism_weights: int = 2
    first_only: bool = False

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value, least = getattr(self, name), LEAST.get(name, 1)
            where = f"{name}="
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(
                    f"{value!r} is out of range",
                    where=where,
                    wanted=f"an integer from {least} to {most}",
                )
            if value > most:
                problem = f"{value:,} is too many: pk.search decides every model up to that size"
                tip = "begin with the defaults, and raise one number at a time"
                raise LimitError(problem, where=where, wanted=f"at most {most:,}", tip=tip)

    @property
    def sizes(self) -> str:
        """The scope in words, without its grid."""
        counts = (
            plural(self.records, "record"),
            plural(self.values, "value"),
            plural(self.outputs, "output"),
            plural(self.knowledge, "knowledge value"),
        )
        return f"at most {', '.join(counts)}" + ("; record 0 alone is protected" if self.first_only else "")

    @property
    def steps(self) -> str:
        """The grid of the scope in words."""
        return f"θ in multiples of {_step(self.weights)}, the mechanism of {_step(self.mechanism_weights)}"

    def __str__(self) -> str:
        return f"{self.sizes}; {self.steps}"

    def beyond(self, candidate: Candidate) -> str:
        """How the weights of a model that was shrunk are no weights of this scope, in words; empty if they are.

        >>> from verifier.wings.search.candidate import Candidate
        >>> Scope(weights=4).beyond(Candidate(1, 2, 1, 1, 3, 1, (1, 2), ((1,), (1,))))
        'θ in multiples of 1/3'
        """
        law = f"θ in multiples of {_step(candidate.law_total)}" if self.weights % candidate.law_total else ""
        finer = self.mechanism_weights % candidate.row_total
        mechanism = f"the mechanism in multiples of {_step(candidate.row_total)}" if finer else ""
        return ", ".join(part for part in (law, mechanism) if part)

    def shapes(self) -> Iterator[Shape]:
        """The shapes from the smallest: by records, then values, outputs, knowledge values."""
        counts = (range(1, self.records + 1), range(2, self.values + 1))
        for sizes in product(*counts, range(1, self.outputs + 1), range(1, self.knowledge + 1)):
            yield Shape(*sizes)

    def laws_of(self, shape: Shape) -> int:
        """The number of θ of a shape, by inclusion and exclusion over the knowledge values that are possible."""
        return sum(
            sign * comb(self.weights + shape.databases * k - 1, self.weights) for k, sign in used(shape.knowledge)
        )

    def mechanisms_of(self, shape: Shape) -> int:
        """The number of mechanisms of a shape, by inclusion and exclusion over the outputs that are possible."""
        return sum(
            sign * comb(self.mechanism_weights + k - 1, k - 1) ** shape.databases for k, sign in used(shape.outputs)
        )

    def models_of(self, shape: Shape) -> int:
        """The number of models of a shape, before symmetry."""
        return self.laws_of(shape) * self.mechanisms_of(shape)

    @property
    def models(self) -> int:
        """The number of models of the scope, before symmetry."""
        return sum(map(self.models_of, self.shapes()))

    def admit(self, most: int = MAX_MODELS) -> None:
        """Refuse a scope with too many models, before any work.

        Raises:
            LimitError: with the number of models.

        """
        if self.models > most:
            raise LimitError(
                f"the scope has {_size(self.models)} models ({self})",
                where="scope",
                wanted=f"at most {_size(most)} (max_models=)",
                tip="ask for fewer records, values or outputs, or for a coarser grid of weights",
            )


def used(labels: int) -> list[tuple[int, int]]:
    """Pairs (k, coefficient): what uses all labels is a sum over what uses at most some k of them."""
    return [(k, (-1) ** (labels - k) * comb(labels, k)) for k in range(1, labels + 1)]


def _step(steps: int) -> str:
    return "1" if steps == 1 else f"1/{steps}"


def _size(number: int) -> str:
    """A number in words that stays short where it has thousands of digits."""
    return f"{number:,}" if number < 10**15 else f"about 10^{(number.bit_length() - 1) * 30103 // 100000}"
