"""Properties of models, for all models of a block at once; each says the same as `verifier.questions.having`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from verifier.wings.search.batch import NO, YES, Block, Column, Mask, added


def _all(masks: list[Mask]) -> Mask:
    found = YES
    for one in masks:
        found = found & one
    return found


def _any(masks: list[Mask]) -> Mask:
    found = NO
    for one in masks:
        found = found | one
    return found


def _known(block: Block) -> range:
    return range(block.shape.knowledge)


def _cells(block: Block, record: int, law: list[Column]) -> list[list[Column]]:
    """P[D(i) = a, the others] by a and by the others."""
    return [[law[d] for d in block.databases(record, a)] for a in range(block.shape.values)]


def _is_product(cells: list[list[Column]]) -> Mask:
    """Whether a table is the product of its margins, over its sum."""
    rows = [added(row) for row in cells]
    columns = [added([row[k] for row in cells]) for k in range(len(cells[0]))]
    whole = added(rows)
    return _all(
        [
            cell * whole == rows[a] * columns[k]
            for a, row in enumerate(cells)
            for k, cell in enumerate(row)
        ]
    )  # fmt: skip


def independent(block: Block) -> Mask:
    """D(i) and the other records are independent given each B̂, for each protected record."""
    every = product(block.records, _known(block))
    return _all([_is_product(_cells(block, i, block.every_law(k))) for i, k in every])


def independent_records(block: Block) -> Mask:
    """P[D = d] = Πᵢ P[D(i) = dᵢ]: each record is independent of those after it."""
    law, size, values = block.every_law(), block.shape.records, block.shape.values
    found = []
    for first in range(size - 1):
        # the joint law of the records from `first` on
        wide = values ** (size - first)
        rest = [added(law[start::wide]) for start in range(wide)]
        narrow = wide // values
        found.append(_is_product([rest[a * narrow : (a + 1) * narrow] for a in range(values)]))
    return _all(found)


def full_support(block: Block) -> Mask:
    """Every database of Tⁿ is possible."""
    return _all([weight > 0 for weight in block.every_law()])


def _swapped(block: Block, database: int, record: int) -> int:
    """D with record i and the next one exchanged."""
    first, second = block.value(database, record), block.value(database, record + 1)
    return block.replaced(block.replaced(database, record, second), record + 1, first)


def exchangeable(block: Block) -> Mask:
    """P[D = d] is the same for all orders of the records: for exchanges of neighbours, which make all orders."""
    law, every = block.every_law(), range(block.shape.databases)
    return _all([law[d] == law[_swapped(block, d, i)] for d in every for i in range(block.shape.records - 1)])


def no_knowledge(block: Block) -> Mask:
    """B and D are independent."""
    return _is_product([list(weights) for weights in block.law])


def functional_knowledge(block: Block) -> Mask:
    """Each possible database has one B̂."""
    pairs = [(j, k) for j, k in product(_known(block), repeat=2) if j < k]
    return ~_any([(weights[j] > 0) & (weights[k] > 0) for weights in block.law for j, k in pairs])


def knowledge_of_others(block: Block) -> Mask:
    """Given the other records, B and D(i) are independent, for each protected record."""
    found = []
    for i in block.records:
        columns = [block.databases(i, a) for a in range(block.shape.values)]
        found += [_is_product([list(block.law[d]) for d in same]) for same in zip(*columns, strict=True)]
    return _all(found)


def every_value_possible(block: Block) -> Mask:
    """Each possible B̂ leaves every value of T possible for each protected record."""
    found = []
    for i, k in product(block.records, _known(block)):
        masses = [block.mass(i, k, a) > 0 for a in range(block.shape.values)]
        found.append(_all(masses) | ~_any(masses))
    return _all(found)


def informed(block: Block) -> Mask:
    """Each B̂ tells all other records, and all databases are possible: so that each (B̂, others) has every value."""
    found = []
    for i in block.records:
        told = []
        for k in _known(block):
            cells = _cells(block, i, block.every_law(k))
            rests = [[row[r] > 0 for row in cells] for r in range(len(cells[0]))]
            told.append([_any(one) for one in rests])
            found += [_all(one) | ~_any(one) for one in rests]
            found += [~(x & y) for r, x in enumerate(told[-1]) for y in told[-1][:r]]
        found += [_any([one[r] for one in told]) for r in range(len(told[0]))]
    return _all(found)


def deterministic(block: Block) -> Mask:
    """M puts out one output on each database of Tⁿ."""
    return _all([weight * (block.row_total - weight) == 0 for row in block.rows for weight in row])


def symmetric(block: Block) -> Mask:
    """M does not depend on the order of the records."""
    return _all(
        [
            x == y
            for d in range(block.shape.databases)
            for i in range(block.shape.records - 1)
            for x, y in zip(block.rows[d], block.rows[_swapped(block, d, i)], strict=True)
        ]
    )


def constant(block: Block) -> Mask:
    """M has the same law on all databases of Tⁿ."""
    return _all([x == y for row in block.rows[1:] for x, y in zip(row, block.rows[0], strict=True)])


def full_outputs(block: Block) -> Mask:
    """Every output that is possible on some database of Tⁿ is possible on all of them."""
    return _all([(x > 0) == (y > 0) for row in block.rows[1:] for x, y in zip(row, block.rows[0], strict=True)])


FEATURES: dict[str, Callable[[Block], Mask]] = {
    "independent": independent,
    "independent-records": independent_records,
    "full-support": full_support,
    "exchangeable": exchangeable,
    "no-knowledge": no_knowledge,
    "functional-knowledge": functional_knowledge,
    "knowledge-of-others": knowledge_of_others,
    "every-value-possible": every_value_possible,
    "informed": informed,
    "deterministic": deterministic,
    "symmetric": symmetric,
    "constant": constant,
    "full-outputs": full_outputs,
}
"""The properties that are decided for many models at once; others are asked model by model."""


def bound_of(law_total: int, row_total: int) -> int:
    """No number in these properties is larger."""
    return 2 * max(law_total, row_total) ** 2
