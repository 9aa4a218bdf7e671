"""Properties of a model as equalities between the weights of a pattern; others are checked afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.wings.search.encoding import Encoding

OF_THETA = {
    "acceptable", "independent", "independent-records", "full-support", "exchangeable", "no-knowledge",
    "functional-knowledge", "knowledge-of-others", "informed", "every-value-possible",
}  # fmt: skip
"""Properties that do not depend on the mechanism."""
Equal = tuple[Any, Any]


def independent(given: Encoding) -> Iterator[Equal]:
    """P[a, rest | B̂] = P[a | B̂]·P[rest | B̂] for each protected record."""
    for i, known in product(given.records, range(given.pattern.shape.knowledge)):
        cells = {(d[i], (*d[:i], *d[i + 1 :])): w for d, w in given.worlds(known)}
        values, rests = dict.fromkeys(a for a, _ in cells), dict.fromkeys(rest for _, rest in cells)
        whole = given.plus(list(cells.values()))
        for a, rest in product(values, rests):
            left = given.plus([w for (x, _), w in cells.items() if x == a])
            right = given.plus([w for (_, y), w in cells.items() if y == rest])
            yield given.times(cells.get((a, rest), 0), whole), given.times(left, right)


def _law(given: Encoding) -> dict[tuple[int, ...], Any]:
    """The weight of each database."""
    found: dict[tuple[int, ...], list[Any]] = {database: [] for database in given.databases}
    for known in range(given.pattern.shape.knowledge):
        for database, weight in given.worlds(known):
            found[database].append(weight)
    return {database: given.plus(parts) for database, parts in found.items()}


def independent_records(given: Encoding) -> Iterator[Equal]:
    """P[d] = Πᵢ P[dᵢ]."""
    law, shape = _law(given), given.pattern.shape
    whole = given.plus(list(law.values()))
    for database, weight in law.items():
        single = [given.plus([w for d, w in law.items() if d[i] == v]) for i, v in enumerate(database)]
        yield given.times(weight, *[whole] * (shape.records - 1)), given.times(*single)


def exchangeable(given: Encoding) -> Iterator[Equal]:
    """P[d] is that of d in any order."""
    law = _law(given)
    for database, weight in law.items():
        for order in permutations(range(len(database))):
            yield weight, law[tuple(database[i] for i in order)]


def no_knowledge(given: Encoding) -> Iterator[Equal]:
    """P[d, B̂] = P[d]·P[B̂]."""
    law = _law(given)
    whole = given.plus(list(law.values()))
    for known in range(given.pattern.shape.knowledge):
        mine = dict(given.worlds(known))
        for database, weight in law.items():
            yield given.times(mine.get(database, 0), whole), given.times(weight, given.plus(list(mine.values())))


EQUALITIES: dict[str, Callable[[Encoding], Iterator[Equal]]] = {
    "independent": independent,
    "independent-records": independent_records,
    "exchangeable": exchangeable,
    "no-knowledge": no_knowledge,
}


def full_support(given: Encoding) -> bool:
    """Every database is possible."""
    return len({d for d, _ in given.law}) == given.pattern.shape.databases


def functional(given: Encoding) -> bool:
    """Each database has one B̂."""
    return len({d for d, _ in given.law}) == len(given.law)


def every_value(given: Encoding) -> bool:
    """Each B̂ leaves all values of each protected record."""
    shape = given.pattern.shape
    return all(
        len({d[i] for d, _ in given.worlds(known)}) == shape.values
        for i, known in product(given.records, range(shape.knowledge))
    )


def deterministic(given: Encoding) -> bool:
    """Each database has one output."""
    return all(sum(row) == 1 for row in given.pattern.rows)


def full_outputs(given: Encoding) -> bool:
    """All databases have the same outputs."""
    return len(set(given.pattern.rows)) == 1


SUPPORTS: dict[str, Callable[[Encoding], bool]] = {
    "full-support": full_support,
    "functional-knowledge": functional,
    "every-value-possible": every_value,
    "deterministic": deterministic,
    "full-outputs": full_outputs,
}
"""Properties that the pattern decides."""
