"""Properties of models, said once for the columns of a block.

Each function returns the condition of its docstring, a mask of models; `verifier.questions.having` has the
same properties for one model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.wings.search.batch.block import Block


def _known(of: Block) -> range:
    return range(of.shape.knowledge)


def _law(of: Block, known: int | None = None) -> list[Any]:
    """P[D = d, B = B̂] by d, or P[D = d]."""
    databases = range(of.shape.databases)
    if known is not None:
        return [of.weight(d, known) for d in databases]
    return [of.plus([of.weight(d, k) for k in _known(of)]) for d in databases]


def _cells(of: Block, record: int, law: Sequence[Any]) -> list[list[Any]]:
    """P[D(i) = a, the other records] as a table: a row for each a, a column for each value of the others."""
    return [[law[d] for d in of.shape.having(record, a)] for a in range(of.shape.values)]


def _is_product(of: Block, cells: Sequence[Sequence[Any]]) -> Any:
    """The condition that a table is the product of its margins divided by its sum."""
    rows, columns = [of.plus(row) for row in cells], [of.plus(column) for column in zip(*cells, strict=True)]
    total = of.plus(rows)
    checks = ((cell, rows[a], columns[k]) for a, row in enumerate(cells) for k, cell in enumerate(row))
    return of.every([of.equal(of.times(cell, total), of.times(first, second)) for cell, first, second in checks])


def _all_or_none(of: Block, truths: Sequence[Any]) -> Any:
    return of.some([of.every(truths), of.opposite(of.some(truths))])


def independent(of: Block) -> Any:
    """D(i) and the other records are independent given each B̂, for each protected record."""
    return of.every([_is_product(of, _cells(of, i, _law(of, k))) for i, k in product(of.records, _known(of))])


def independent_records(of: Block) -> Any:
    """P[D = d] = Πᵢ P[D(i) = dᵢ]: each record is independent of those after it."""
    law, size, values = _law(of), of.shape.records, of.shape.values
    tables = []
    for first in range(size - 1):
        # the joint law of the records from `first` on
        wide = values ** (size - first)
        joint = [of.plus(law[start::wide]) for start in range(wide)]
        narrow = wide // values
        tables.append([joint[a * narrow : (a + 1) * narrow] for a in range(values)])
    return of.every([_is_product(of, cells) for cells in tables])


def full_support(of: Block) -> Any:
    """Every database of Tⁿ is possible."""
    return of.every([of.positive(weight) for weight in _law(of)])


def _exchanged(of: Block) -> list[tuple[int, int]]:
    """Pairs of databases that differ by an exchange of two neighbouring records, which generate all orders."""
    shape, pairs = of.shape, []
    for d, i in product(range(shape.databases), range(shape.records - 1)):
        first, second = shape.value(d, i), shape.value(d, i + 1)
        pairs.append((d, shape.replaced(shape.replaced(d, i, second), i + 1, first)))
    return pairs


def exchangeable(of: Block) -> Any:
    """P[D = d] is the same for all orders of the records."""
    law = _law(of)
    return of.every([of.equal(law[first], law[second]) for first, second in _exchanged(of)])


def no_knowledge(of: Block) -> Any:
    """B and D are independent."""
    return _is_product(of, [[of.weight(d, k) for k in _known(of)] for d in range(of.shape.databases)])


def functional_knowledge(of: Block) -> Any:
    """Each possible database has one B̂."""
    return of.every([_one_at_most(of, [of.weight(d, k) for k in _known(of)]) for d in range(of.shape.databases)])


def _one_at_most(of: Block, weights: Sequence[Any]) -> Any:
    pairs = combinations(map(of.positive, weights), 2)
    return of.every([of.opposite(of.every(pair)) for pair in pairs])


def knowledge_of_others(of: Block) -> Any:
    """Given the other records, B and D(i) are independent, for each protected record."""
    tables = []
    for i in of.records:
        columns = [of.shape.having(i, a) for a in range(of.shape.values)]
        tables += [[[of.weight(d, k) for k in _known(of)] for d in same] for same in zip(*columns, strict=True)]
    return of.every([_is_product(of, cells) for cells in tables])


def every_value_possible(of: Block) -> Any:
    """Each possible B̂ leaves every value of T possible for each protected record."""
    cells = (_cells(of, i, _law(of, k)) for i, k in product(of.records, _known(of)))
    return of.every([_all_or_none(of, [of.positive(of.plus(row)) for row in table]) for table in cells])


def informed(of: Block) -> Any:
    """Each B̂ determines all other records, and every database is possible."""
    conditions = []
    for i in of.records:
        by_knowledge = []
        for k in _known(of):
            columns = [
                [of.positive(weight) for weight in column] for column in zip(*_cells(of, i, _law(of, k)), strict=True)
            ]
            by_knowledge.append([of.some(column) for column in columns])
            conditions += [_all_or_none(of, column) for column in columns]
            conditions += [of.opposite(of.every(pair)) for pair in combinations(by_knowledge[-1], 2)]
        conditions += [of.some(column) for column in zip(*by_knowledge, strict=True)]
    return of.every(conditions)


def deterministic(of: Block) -> Any:
    """M puts out one output on each database of Tⁿ."""
    return of.every([_one_at_most(of, row) for row in of.rows])


def symmetric(of: Block) -> Any:
    """M does not depend on the order of the records."""
    return _same_rows(of, _exchanged(of), of.equal)


def constant(of: Block) -> Any:
    """M has the same output distribution on all databases of Tⁿ."""
    return _same_rows(of, _with_the_first(of), of.equal)


def full_outputs(of: Block) -> Any:
    """Every output that is possible on some database of Tⁿ is possible on all of them."""
    return _same_rows(of, _with_the_first(of), lambda x, y: of.equal(of.positive(x), of.positive(y)))


def _with_the_first(of: Block) -> list[tuple[int, int]]:
    return [(0, d) for d in range(1, of.shape.databases)]


def _same_rows(of: Block, pairs: Sequence[tuple[int, int]], same: Callable[[Any, Any], Any]) -> Any:
    return of.every(
        [same(x, y) for first, second in pairs for x, y in zip(of.rows[first], of.rows[second], strict=True)]
    )


OF_THETA: dict[str, Callable[[Block], Any]] = {
    "independent": independent,
    "independent-records": independent_records,
    "full-support": full_support,
    "exchangeable": exchangeable,
    "no-knowledge": no_knowledge,
    "functional-knowledge": functional_knowledge,
    "knowledge-of-others": knowledge_of_others,
    "every-value-possible": every_value_possible,
    "informed": informed,
}
FEATURES: dict[str, Callable[[Block], Any]] = {
    **OF_THETA,
    "deterministic": deterministic,
    "symmetric": symmetric,
    "constant": constant,
    "full-outputs": full_outputs,
}
"""The properties that are decided from weights; others are asked model by model."""


def bound_of(law_total: int, row_total: int) -> int:
    """A bound on the numbers in these properties."""
    return 2 * max(law_total, row_total) ** 2
