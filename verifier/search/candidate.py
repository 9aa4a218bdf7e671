"""A small model as integers: what the finders make, and what becomes a model file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Candidate:
    """One θ on Tⁿ × B and a mechanism on all of Tⁿ, by weights over common denominators.

    `law[d * knowledge + b]` is the weight of the world (database d, knowledge value b), where d counts the databases
    of Tⁿ lexicographically with record 0 first; `mechanism[d][o]` the weight of output o on database d. The weights of
    `law` sum to `law_total`, those of each row to `row_total`. Record 0 is protected if `first_only`, else all are.
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
