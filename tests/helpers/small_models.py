"""All models of a small scope and all renamings of one, from the words alone; what the naive twin says of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import gcd

from naive import Exp, Plain, Row, families, sum_formula, tail_line

from verifier.numbers import Epsilon
from verifier.questions.language import statement
from verifier.questions.statement import Holds
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


def smallest(scope: Scope, wanted: Callable[[Candidate], bool]) -> tuple[Candidate | None, int, int]:
    """The smallest wanted model, how many models there are, and how many are wanted."""
    best, count, found = None, 0, 0
    for one in models(scope):
        count += 1
        if wanted(one):
            found += 1
            best = one if best is None or one.size < best.size else best
    return best, count, found


def reduced(one: Candidate) -> bool:
    """Whether the denominators are the least."""
    return gcd(one.law_total, *one.law) == 1 and gcd(one.row_total, *(w for row in one.mechanism for w in row)) == 1


def plain(one: Candidate) -> Plain:
    """The candidate as plain tables."""
    values = [str(v) for v in range(one.values)]
    databases = list(product(values, repeat=one.records))
    worlds = [
        Row(d, str(k), None, Fraction(one.law[j * one.knowledge + k], one.law_total))
        for j, d in enumerate(databases)
        for k in range(one.knowledge)
    ]
    table = {
        d: {str(o): Fraction(w, one.row_total) for o, w in enumerate(row) if w}
        for d, row in zip(databases, one.mechanism, strict=True)
    }
    secrets = [0] if one.first_only else list(range(one.records))
    return Plain(one.records, values, {"#1": [row for row in worlds if row.p]}, table.__getitem__, secrets, values)


def needed(one: Candidate | Plain, definition: str, E: Fraction | None) -> Fraction | None:
    """The smallest δ at e^ε = E (None: ε is infinite), by the naive twin; None where nothing is compared."""
    tables = plain(one) if isinstance(one, Candidate) else one
    compared = [each for family in families(tables, definition) for each in family]
    if definition.startswith("tail-"):
        at = Exp("inf") if E is None else Exp("log", Fraction(1), E)
        return max((tail_line(each, at)[0] for each in compared), default=None)
    if E is None:
        return max((sum((p for p, q in each.outcomes if not q), Fraction(0)) for each in compared), default=None)
    return max((sum_formula(each, E) for each in compared), default=None)


def verdict(one: Candidate, asked: str) -> str:
    """The verdict on a definition at a rational e^ε, or at ε = ∞, from the definition alone."""
    atom = statement(asked)
    assert isinstance(atom, Holds)
    assert isinstance(atom.epsilon, Epsilon)
    found = needed(one, atom.definition, None if atom.epsilon.is_infinite else atom.epsilon.exp)
    return "vacuous" if found is None else "fails" if found > atom.delta else "holds"  # type: ignore[operator]
