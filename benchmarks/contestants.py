"""The contestants: each answers the same question, in its own way.

A contestant is a function that takes a problem and returns what is timed; what it does before it returns is
not timed (imports, and for the `ready` ones the building of the columns).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from importlib import import_module
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from problem import KNOWN, Answer, Problem, best, cells, score, score_floats, score_fractions
from wide import codes_of, product_column

Timed = Callable[[], Answer | tuple[float, float]]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contestant:
    """How to answer, and the largest n that is tried for one target and for all of them."""

    label: str
    prepare: Callable[[Problem], Timed]
    one: int = 20
    every: int = 20
    exact: bool = True
    slow: bool = False
    imports: tuple[str, ...] = ()


def _model(problem: Problem) -> Any:
    import verifier

    laws = [{v: Fraction(w, sum(pair)) for v, w in enumerate(pair)} for pair in problem.factors]
    return verifier.build(
        size=problem.n,
        values=[0, 1],
        distribution={"independent": laws},
        knowledge={"records": list(range(KNOWN))},
        sensitive={"records": problem.targets},
        mechanism={"kind": "threshold-count", "value": 1, "above": problem.above},
    )


def public(problem: Problem) -> Timed:
    """The project as it is used: build the model, check two definitions."""
    import verifier
    from verifier.engine import Engine

    def run() -> Answer:
        model = _model(problem)
        engine = Engine(model)
        found = []
        for name in ("apkdp", "ppkdp"):
            delta = verifier.check(model, name, epsilon="ln(2)", engine=engine, replay=False).tight_delta
            found.append(Fraction(str(delta)))
        return found[0], found[1]

    run()  # lazy imports
    return run


def engine_alone(problem: Problem) -> Timed:
    """The project's engine on a model that is there, and the scoring."""
    from verifier.engine import Engine

    model = _model(problem)

    def run() -> Answer:
        engine, answers = Engine(model, force="columns"), []
        for secret in model.secrets:
            joint = engine.factual(model.thetas[0], secret)
            pairs: Iterator[tuple[list[int], list[int]]] = (
                ([cell[a].get(o, 0) for o in outputs], [cell[b].get(o, 0) for o in outputs])
                for cell in joint.cells.values()
                for a, b in [model.values]
                for outputs in [{**cell[a], **cell[b]}]
            )
            answers.append(score(pairs))
        return best(answers)

    return run


def _half(problem: Problem) -> Any:
    from verifier.engine.columns import Half
    from verifier.model.shapes import Independent

    laws = tuple((pair, sum(pair)) for pair in problem.factors)
    return Half.product(Independent(laws), range(problem.n))


def _scored(problem: Problem, sums: list[int]) -> Answer:
    return score(cells(sums, problem.n, problem.above))


def wide_ready(problem: Problem) -> Timed:
    """The project's wide column of all rows: grouping and scoring."""
    from verifier.tables.columns import WideColumn

    column = WideColumn.of(_half(problem).weights)
    ready = [codes_of(problem.steps(target)) for target in problem.targets]
    return lambda: best([_scored(problem, column.grouped(codes, problem.groups)) for codes in ready])


def wide_built(problem: Problem) -> Timed:
    """The same with the building: this project's rows, weights and limbs."""
    from verifier.tables.columns import WideColumn

    def run() -> Answer:
        half = _half(problem)
        column, answers = WideColumn.of(half.weights), []
        for target in problem.targets:
            steps = problem.steps(target)
            codes = np.zeros(len(half.weights), dtype=np.int64)
            for record, values in half.columns.items():
                codes += values * steps[record]
            answers.append(_scored(problem, column.grouped(codes, problem.groups)))
        return best(answers)

    return run


def product_ready(problem: Problem) -> Timed:
    """The product column of all rows: grouping and scoring."""
    column = product_column(problem.factors)
    ready = [codes_of(problem.steps(target)) for target in problem.targets]
    return lambda: best([_scored(problem, column.grouped(codes, problem.groups)) for codes in ready])


def product_built(problem: Problem) -> Timed:
    """The same with the building."""

    def run() -> Answer:
        column, answers = product_column(problem.factors), []
        for target in problem.targets:
            sums = column.grouped(codes_of(problem.steps(target)), problem.groups)
            answers.append(_scored(problem, sums))
        return best(answers)

    return run


def _weights(problem: Problem) -> Floats:
    def outer(laws: list[Floats]) -> Floats:
        return reduce(lambda a, b: np.multiply.outer(a, b).ravel(), laws, np.ones(1))

    laws = [np.array(pair, dtype=np.float64) / sum(pair) for pair in problem.factors]
    cut = problem.n // 2
    return np.multiply.outer(outer(laws[:cut]), outer(laws[cut:])).ravel()


def _grouped(problem: Problem, weights: Floats, codes: npt.NDArray[np.int64]) -> tuple[float, float]:
    # np.add.at is faster than np.bincount in numpy 2, also in floating point
    sums = np.zeros(problem.groups)
    np.add.at(sums, codes, weights)
    return score_floats(sums, problem.n, problem.above)


def _worst(answers: list[tuple[float, float]]) -> tuple[float, float]:
    return max(a for a, _ in answers), max(b for _, b in answers)


def float_ready(problem: Problem) -> Timed:
    """Plain numpy in floating point: grouping and scoring. The limit; not exact."""
    weights = _weights(problem)
    ready = [codes_of(problem.steps(target)) for target in problem.targets]
    return lambda: _worst([_grouped(problem, weights, codes) for codes in ready])


def float_built(problem: Problem) -> Timed:
    """The same with the building, by one outer product of two halves."""

    def run() -> tuple[float, float]:
        weights = _weights(problem)
        return _worst([_grouped(problem, weights, codes_of(problem.steps(t))) for t in problem.targets])

    return run


def fractions(problem: Problem) -> Timed:
    """fractions.Fraction, one dictionary a target; prefixes are multiplied once."""
    laws = [(Fraction(zero, zero + one), Fraction(one, zero + one)) for zero, one in problem.factors]
    none = Fraction(0)

    def run() -> Answer:
        tables: list[dict[tuple[int, int], dict[int, Fraction]]] = [{} for _ in problem.targets]

        def visit(i: int, row: tuple[int, ...], weight: Fraction) -> None:
            if i < problem.n:
                for value in (0, 1):
                    visit(i + 1, (*row, value), weight * laws[i][value])
                return
            count = sum(row)
            known, output = 4 * row[0] + 2 * row[1] + row[2], count if count > problem.above else -1
            for table, target in zip(tables, problem.targets, strict=True):
                cell = table.setdefault((known, row[target]), {})
                cell[output] = cell.get(output, none) + weight

        visit(0, (), Fraction(1))
        return best([score_fractions(table) for table in tables])

    return run


def integers(problem: Problem) -> Timed:
    """Python integers and dictionaries: all rows as a head times a tail, nothing stored."""

    def half(records: range, steps: list[int]) -> list[tuple[int, int]]:
        rows = [(0, 1)]
        for i in records:
            zero, one = problem.factors[i]
            rows = [new for c, w in rows for new in ((c, w * zero), (c + steps[i], w * one))]
        return rows

    def run() -> Answer:
        answers, cut = [], problem.n // 2
        for target in problem.targets:
            steps, sums = problem.steps(target), [0] * problem.groups
            tail = half(range(cut, problem.n), steps)
            for code, weight in half(range(cut), steps):
                for more, part in tail:
                    sums[code + more] += weight * part
            answers.append(_scored(problem, sums))
        return best(answers)

    return run


def _sums(problem: Problem, items: Iterator[tuple[tuple[int, ...], int]]) -> list[int]:
    """The table of codes from rows (x0, x1, x2, target, count)."""
    sums, width = [0] * problem.groups, problem.n + 1
    for (x, y, z, t, count), weight in items:
        sums[(8 * x + 4 * y + 2 * z + t) * width + count] += weight
    return sums


def _lea(problem: Problem) -> Any:
    lea = import_module("lea")
    lea.set_prob_type("r")
    return lea, [
        lea.pmf({0: Fraction(pair[0], sum(pair)), 1: Fraction(pair[1], sum(pair))}) for pair in problem.factors
    ]


def _lea_sums(problem: Problem, joint: Any) -> list[int]:
    total = prod(sum(pair) for pair in problem.factors)
    law = joint.pmf_dict().items()
    return _sums(problem, ((row, p.numerator * (total // p.denominator)) for row, p in law))


def lea_table(problem: Problem) -> Timed:
    """Lea, exact: the joint law, which it finds by going through all rows."""

    def run() -> Answer:
        answers = []
        for target in problem.targets:
            lea, x = _lea(problem)
            joint = lea.joint(x[0], x[1], x[2], x[target], sum(x[1:], x[0]))
            answers.append(_scored(problem, _lea_sums(problem, joint)))
        return best(answers)

    _lea(problem)
    return run


def lea_by_hand(problem: Problem) -> Timed:
    """Lea, exact, told by its user to add up the other records first: no table of rows."""

    def run() -> Answer:
        answers = []
        for target in problem.targets:
            lea, x = _lea(problem)
            others = lea.pmf({0: Fraction(1)})
            for i in range(KNOWN, problem.n):
                if i != target:
                    others = (others + x[i]).get_alea()
            joint = lea.joint(x[0], x[1], x[2], x[target], x[0] + x[1] + x[2] + x[target] + others)
            answers.append(_scored(problem, _lea_sums(problem, joint)))
        return best(answers)

    _lea(problem)
    return run


def _icepool(problem: Problem) -> Any:
    icepool = import_module("icepool")
    return icepool, [icepool.Die({0: pair[0], 1: pair[1]}) for pair in problem.factors]


def _die_sums(problem: Problem, die: Any) -> list[int]:
    scale = prod(sum(pair) for pair in problem.factors) // die.denominator()
    return _sums(problem, ((row, weight * scale) for row, weight in die.items()))


def icepool_table(problem: Problem) -> Timed:
    """Icepool, exact integers: a map over all rows."""

    def run() -> Answer:
        answers = []
        for target in problem.targets:
            icepool, dice = _icepool(problem)
            die = icepool.map(lambda *r, t=target: (r[0], r[1], r[2], r[t], sum(r)), *dice)
            answers.append(_scored(problem, _die_sums(problem, die)))
        return best(answers)

    _icepool(problem)
    return run


def icepool_by_hand(problem: Problem) -> Timed:
    """Icepool, told by its user to add up the other records first: no table of rows."""

    def run() -> Answer:
        answers = []
        for target in problem.targets:
            icepool, dice = _icepool(problem)
            others = sum((dice[i] for i in range(KNOWN, problem.n) if i != target), start=icepool.Die([0]))
            die = icepool.map(lambda *r: (*r[:4], sum(r)), dice[0], dice[1], dice[2], dice[target], others)
            answers.append(_scored(problem, _die_sums(problem, die)))
        return best(answers)

    _icepool(problem)
    return run


OURS = ("verifier.definitions", "verifier.engine.columns")
CONTESTANTS = {
    "float-ready": Contestant("numpy float64, from ready columns", float_ready, exact=False),
    "float": Contestant("numpy float64, building included", float_built, exact=False),
    "product-ready": Contestant("product column (`wide.py`), from ready columns", product_ready),
    "product": Contestant("product column (`wide.py`), building included", product_built),
    "wide-ready": Contestant("`WideColumn`, from ready columns", wide_ready, imports=OURS),
    "wide": Contestant("`WideColumn`, building included", wide_built, slow=True, imports=OURS),
    "engine": Contestant("this project's engine (head × tail) and scoring", engine_alone, imports=OURS),
    "public": Contestant("this project: `build`, `check` twice", public, imports=OURS),
    "integers": Contestant("Python integers", integers),
    "icepool": Contestant("icepool", icepool_table, slow=True, every=16, imports=("icepool",)),
    "lea": Contestant("lea", lea_table, slow=True, every=16, imports=("lea",)),
    "fractions": Contestant("fractions.Fraction", fractions, slow=True),
    "icepool-sums": Contestant("icepool, sums by hand (no table)", icepool_by_hand, imports=("icepool",)),
    "lea-sums": Contestant("lea, sums by hand (no table)", lea_by_hand, imports=("lea",)),
}
