"""All models of a small scope and all renamings of one, from the words alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import gcd

from verifier.wings.search.candidate import Candidate
from verifier.wings.search.orbits import FULL, Symmetry
from verifier.wings.search.scope import Scope


def weights(total: int, parts: int) -> list[tuple[int, ...]]:
    """All weights with this sum."""
    return [one for one in product(range(total + 1), repeat=parts) if sum(one) == total]


def models(scope: Scope) -> Iterator[Candidate]:
    """Every model of the scope, as the words of `Scope` say it; its weights are over the least denominators."""
    sizes = (range(1, scope.records + 1), range(2, scope.values + 1), range(1, scope.outputs + 1))
    for n, t, o, c in product(*sizes, range(1, scope.knowledge + 1)):
        laws = [law for law in weights(scope.weights, t**n * c) if all(any(law[k::c]) for k in range(c))]
        for rows in product(weights(scope.mechanism_weights, o), repeat=t**n):
            if all(any(row[k] for row in rows) for k in range(o)):
                e = gcd(scope.mechanism_weights, *(w for row in rows for w in row))
                table = tuple(tuple(w // e for w in row) for row in rows)
                for law in laws:
                    d = gcd(scope.weights, *law)
                    totals = scope.weights // d, scope.mechanism_weights // e
                    yield Candidate(n, t, o, c, *totals, tuple(w // d for w in law), table, scope.first_only)


def every_model(scope: Scope) -> set[Candidate]:
    """All models of a scope at once."""
    return set(models(scope))


def renamed(one: Candidate, symmetry: Symmetry = FULL) -> set[Candidate]:
    """All its renamings, written with databases as tuples."""
    databases = list(product(range(one.values), repeat=one.records))

    def of(size: int, yes: bool) -> list[tuple[int, ...]]:  # noqa: FBT001
        return list(permutations(range(size))) if yes else [tuple(range(size))]

    found = set()
    for records in of(one.records, symmetry.records):
        if one.first_only and records[0] != 0:
            continue
        for names in of(one.values, symmetry.values):
            moved = [tuple(names[d[i]] for i in records) for d in databases]
            source = [databases.index(d) for d in moved]
            for outputs, known in product(
                of(one.outputs, symmetry.outputs), of(one.knowledge, symmetry.knowledge)
            ):  # fmt: skip
                law = tuple(one.law[d * one.knowledge + k] for d in source for k in known)
                table = tuple(tuple(one.mechanism[d][o] for o in outputs) for d in source)
                found.add(
                    Candidate(
                        one.records, one.values, one.outputs, one.knowledge, one.law_total, one.row_total,
                        law, table, one.first_only,
                    )
                )  # fmt: skip
    return found
