"""A plain linear program for definitions with a simulator: all contexts, all outputs, nothing merged; Bland's rule.

Nothing here is imported from the package. The tableau holds FLINT's fractions, which are the quickest.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq
from naive import Plain

Rows = list[tuple[dict[str, Fraction], dict[Any, Fraction]]]
ZERO = Fraction(0)


def rows_of(plain: Plain, reading: str) -> Rows:
    """The law of M(D) and of what the simulator is told, for each (θ, B̂, i, a)."""
    found: dict[Any, tuple[dict[str, Fraction], dict[Any, Fraction]]] = {}
    for theta, worlds in plain.worlds.items():
        for world in worlds:
            for i in plain.secrets or [] if world.p else []:
                if world.database[i] == plain.absent:
                    continue
                law, contexts = found.setdefault((theta, world.knowledge, i, world.database[i]), ({}, {}))
                told: list[Any] = [world.database[:i] + world.database[i + 1 :]]
                told += [] if reading == "index-free" else [i]
                told += [theta] if reading == "per-distribution" else []
                told += [world.knowledge] if reading == "per-knowledge" else []
                contexts[tuple(told)] = contexts.get(tuple(told), ZERO) + world.p
                for o, p in plain.mechanism(world.database).items():
                    if p:
                        law[o] = law.get(o, ZERO) + world.p * p
    rows = []
    for law, contexts in found.values():
        total = sum(contexts.values(), ZERO)
        rows.append(({o: p / total for o, p in law.items()}, {c: p / total for c, p in contexts.items()}))
    return rows


def smallest_delta(rows: Rows, E: Fraction) -> Fraction:
    """min δ with Σ t ≤ δ, t ≥ P - E·Q and t′ ≥ Q - E·P, over all simulators: a plain linear program."""
    outputs = [*dict.fromkeys(o for law, _ in rows for o in law), None]
    contexts = list(dict.fromkeys(c for _, given in rows for c in given))
    names: list[Any] = [("s", c, o) for c in contexts for o in outputs]
    names += [(d, r, o) for d in "fb" for r in range(len(rows)) for o in outputs] + ["δ"]
    place = {name: k for k, name in enumerate(names)}
    above: list[tuple[dict[int, Fraction], Fraction]] = []  # Σ ≥ bound
    one = Fraction(1)
    equal = [({place["s", c, o]: one for o in outputs}, one) for c in contexts]
    for r, (law, given) in enumerate(rows):
        for o in outputs:
            p = law.get(o, ZERO) if o is not None else ZERO
            above.append(({place["f", r, o]: one, **{place["s", c, o]: E * q for c, q in given.items()}}, p))
            above.append(({place["b", r, o]: one, **{place["s", c, o]: -q for c, q in given.items()}}, -E * p))
        above += [({place["δ"]: one, **{place[d, r, o]: -one for o in outputs}}, ZERO) for d in "fb"]
    return minimum(len(names), equal, above, place["δ"])


def feasible(rows: Rows, E: Fraction, delta: Fraction) -> bool:
    """Whether a simulator is enough."""
    return smallest_delta(rows, E) <= delta


def minimum(count: int, equal: Any, above: Any, objective: int) -> Fraction:
    """min x[objective] over x ≥ 0: two phases on one tableau, with Bland's rule."""
    rows, width = len(equal) + len(above), count + len(above)
    zero: Any = fmpq(0)
    unit: Any = fmpq(1)
    tableau: list[list[Any]] = []
    for k, (entries, bound) in enumerate([*equal, *above]):
        row = [zero] * (width + rows + 1)
        for at, value in entries.items():
            row[at] = fmpq(value.numerator, value.denominator)
        if k >= len(equal):
            row[count + k - len(equal)] = -unit
        row[-1] = fmpq(bound.numerator, bound.denominator)
        if bound < 0:
            row = [-x for x in row]
        row[width + k] = unit
        tableau.append(row)
    basis = [width + k for k in range(rows)]
    cost = [zero] * (width + rows + 1)
    for row in tableau:
        cost = [a - b for a, b in zip(cost, row, strict=True)]
    for k in range(rows):
        cost[width + k] = zero
    _descend(tableau, basis, cost, width)
    assert cost[-1] == 0, "a simulator with δ = 1 always exists"
    for k, at in enumerate(basis):  # artificial variables at 0 leave where they can
        if at >= width:
            entering = next((j for j in range(width) if tableau[k][j]), None)
            if entering is not None:
                _pivot(tableau, basis, cost, k, entering)
    cost = [zero] * (width + rows + 1)
    cost[objective] = unit
    for k, at in enumerate(basis):
        if cost[at]:
            cost = [a - cost[at] * b for a, b in zip(cost, tableau[k], strict=True)]
    _descend(tableau, basis, cost, width)
    return Fraction(-int(cost[-1].p), int(cost[-1].q))


def _descend(tableau: list[list[Any]], basis: list[int], cost: list[Any], width: int) -> None:
    while True:
        entering = next((j for j in range(width) if cost[j] < 0), None)
        if entering is None:
            return
        ratios = [(row[-1] / row[entering], basis[k], k) for k, row in enumerate(tableau) if row[entering] > 0]
        _pivot(tableau, basis, cost, min(ratios)[2], entering)


def _pivot(tableau: list[list[Any]], basis: list[int], cost: list[Any], leaving: int, entering: int) -> None:
    factor = tableau[leaving][entering]
    tableau[leaving] = [x / factor if x else x for x in tableau[leaving]]
    pivot = tableau[leaving]
    for k, row in enumerate(tableau):
        if k != leaving and row[entering]:
            scale = row[entering]
            tableau[k] = [a - scale * b if b else a for a, b in zip(row, pivot, strict=True)]
    scale = cost[entering]
    cost[:] = [a - scale * b if b else a for a, b in zip(cost, pivot, strict=True)]
    basis[leaving] = entering
