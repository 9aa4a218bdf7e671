"""Supports of small models: which worlds are possible and which outputs each database can have, the smallest first.

Renamings of records, values, outputs and knowledge values make patterns alike; each orbit is listed once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import product

from verifier.errors import LimitError
from verifier.wings.search.enumeration import Group, laws, stabilizer
from verifier.wings.search.orbits import FULL, renamings
from verifier.wings.search.scope import Scope, Shape

MAX_PATTERNS = 10**8
"""Largest number of patterns of a scope, before symmetry."""
MAX_ROWS = 10**5
"""Largest number of supports of the mechanism for one support of θ."""


@dataclass(frozen=True)
class Pattern:
    """The support of a model: `law[d * knowledge + b]` whether a world is possible, `rows[d][o]` whether o is on d."""

    shape: Shape
    first_only: bool
    law: tuple[bool, ...]
    rows: tuple[tuple[bool, ...], ...]


Reached = Callable[[Shape, Collection[int]], Collection[int]]
"""A function from the possible databases to those on which a question needs the mechanism."""


def admit(scope: Scope) -> None:
    """Refuse a scope with too many patterns, before any work.

    Raises:
        LimitError: with their number.

    """
    number = 0
    for shape in scope.shapes():
        rows = (2**shape.outputs - 1) ** shape.databases
        number += 2 ** (shape.databases * shape.knowledge) * rows
        if rows > MAX_ROWS or number > MAX_PATTERNS:
            raise LimitError(
                f"the scope has more than {number:,} supports ({scope})",
                where="synthesis",
                wanted=f"at most {MAX_PATTERNS:,}, and {MAX_ROWS:,} of the mechanism",
                tip="fewer records, values or outputs",
            )


def patterns(scope: Scope, reached: Reached) -> Iterator[Pattern]:
    """One pattern of each orbit, ordered by shape, number of possible worlds, then number of possible outputs.

    A support of θ is represented by the θ with the weight 1 in each possible world. Databases that `reached` does not
    list have the first output.

    >>> every = list(patterns(Scope(1, 2, 2, 1), lambda shape, possible: range(shape.databases)))
    >>> len(every), every[-1].rows
    (9, ((True, True), (True, True)))
    """
    admit(scope)
    first = scope.first_only
    for shape in scope.shapes():
        for worlds in range(shape.knowledge, shape.databases * shape.knowledge + 1):
            supports = laws(shape, worlds, worlds, first_only=first, symmetry=FULL)
            for number, law in enumerate(supports.weights.astype(bool).tolist()):
                possible = {world // shape.knowledge for world, yes in enumerate(law) if yes}
                still = stabilizer(supports, number, shape, first_only=first, symmetry=FULL)
                for rows in _rows(shape, sorted(reached(shape, possible)), still):
                    yield Pattern(shape, first, tuple(law), rows)


def _rows(shape: Shape, reached: list[int], still: Group) -> Iterator[tuple[tuple[bool, ...], ...]]:
    """Supports of the mechanism in which each output is possible, up to the renamings that leave θ unchanged."""
    supports = [row for row in product((True, False), repeat=shape.outputs) if any(row)]
    first = tuple(o == 0 for o in range(shape.outputs))
    moves = [(p, r) for p in still for r in renamings(shape.outputs)]
    chosen = sorted(product(supports, repeat=len(reached)), key=lambda rows: sum(map(sum, rows)))
    for choice in chosen:
        row_of = dict(zip(reached, choice, strict=True))
        rows = tuple(row_of.get(d, first) for d in range(shape.databases))
        if not all(any(column) for column in zip(*rows, strict=True)):
            continue
        needed = tuple(row_of.get(d) for d in range(shape.databases))
        images = (tuple(needed[p[d]] and tuple(needed[p[d]][o] for o in r) for d in range(len(p))) for p, r in moves)  # type: ignore[index]
        if all(_rank(moved) <= _rank(needed) for moved in images):
            yield rows


def _rank(rows: tuple[tuple[bool, ...] | None, ...]) -> tuple[tuple[bool, ...], ...]:
    return tuple(row or () for row in rows)
