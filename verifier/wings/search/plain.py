"""A second, naive evaluator: the definitions word by word on a candidate, in fractions, sharing no code with the rest.

It is slow and short, and only a check: what a search found is shown where this and the checkers agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from verifier.numbers import Epsilon
from verifier.questions.statement import Has, Holds
from verifier.wings.search.candidate import Candidate

Weights: TypeAlias = list[Fraction]
Database: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[Weights, Weights]
E: TypeAlias = Fraction | None
"""The number e^ε; None where ε is infinite."""
PRECISION = 200
MAX_OUTPUTS = 5
"""Most outputs of which all functions are tried."""


class Plain:
    """A candidate as tables of fractions: `worlds` lists (D, B, probability), `rows[D]` is the law of M(D)."""

    def __init__(self, one: Candidate, rows: Sequence[Weights] | None = None) -> None:
        self.one, self.values = one, range(one.values)
        databases = list(product(range(one.values), repeat=one.records))
        self.databases = databases
        self.worlds = [
            (databases[k // one.knowledge], k % one.knowledge, Fraction(weight, one.law_total))
            for k, weight in enumerate(one.law)
            if weight
        ]
        own = [[Fraction(weight, one.row_total) for weight in row] for row in one.mechanism]
        self.rows = dict(zip(databases, own if rows is None else rows, strict=True))
        self.protected = [0] if one.first_only else list(range(one.records))

    def chance(self, event: Callable[[Database, int], bool]) -> Fraction:
        """P[event]."""
        return sum((p for d, b, p in self.worlds if event(d, b)), Fraction(0))

    def output(self, event: Callable[[Database, int], bool], change: Callable[[Database], Database]) -> Weights:
        """The law of M(change(D)) given the event."""
        total = [Fraction(0)] * len(next(iter(self.rows.values())))
        for d, b, p in self.worlds:
            if event(d, b):
                total = [t + p * q for t, q in zip(total, self.rows[change(d)], strict=True)]
        whole = self.chance(event)
        return [t / whole for t in total]

    def known(self) -> list[int]:
        """The possible B̂."""
        return sorted({b for _, b, _ in self.worlds})


def replaced(i: int, v: int) -> Callable[[Database], Database]:
    """D with record i set to v."""
    return lambda d: (*d[:i], v, *d[i + 1 :])


def same(d: Database) -> Database:
    """D itself."""
    return d


def excess(p: Weights, q: Weights, e: E) -> Fraction:
    """Σ max(0, P - E·Q)."""
    if e is None:
        return sum((x for x, y in zip(p, q, strict=True) if y == 0), Fraction(0))
    return sum((max(Fraction(0), x - e * y) for x, y in zip(p, q, strict=True)), Fraction(0))


def tail(p: Weights, q: Weights, e: E) -> Fraction:
    """P[P > E·Q]."""
    return sum((x for x, y in zip(p, q, strict=True) if (y == 0 if e is None else x > e * y)), Fraction(0))


def given(i: int, a: int, b: int) -> Callable[[Database, int], bool]:
    """The event D(i) = a, B = B̂."""
    return lambda d, known: d[i] == a and known == b


def possible(m: Plain) -> Iterator[tuple[int, int, int, int]]:
    """Each B̂, record i and ordered pair of different values that i can take given B̂."""
    for b, i, a, c in product(m.known(), m.protected, m.values, m.values):
        if a != c and m.chance(given(i, a, b)) and m.chance(given(i, c, b)):
            yield b, i, a, c


def dp(m: Plain) -> Iterator[Pair]:
    """M(D₁), M(D₂) for databases that differ in one protected record."""
    for d, i, v in product(m.databases, m.protected, m.values):
        if d[i] != v:
            yield m.rows[d], m.rows[replaced(i, v)(d)]


def np(m: Plain) -> Iterator[Pair]:
    """M(D) given B̂, D(i) = a, and given B̂, D(i) = c."""
    for b, i, a, c in possible(m):
        yield m.output(given(i, a, b), same), m.output(given(i, c, b), same)


def cdp(m: Plain) -> Iterator[Pair]:
    """M(D) and M(D with i set to c), both given B̂, D(i) = a, in both directions."""
    for b, i, a, c in possible(m):
        first, second = m.output(given(i, a, b), same), m.output(given(i, a, b), replaced(i, c))
        yield first, second
        yield second, first


def ibcdp(m: Plain) -> Iterator[Pair]:
    """D(i) given B̂, M(D) = t, and given B̂, M(D with i set to c) = t, in both directions."""
    for b, i, c in product(m.known(), m.protected, m.values):
        for t in range(len(m.rows[m.databases[0]])):
            beliefs = []
            for change in (same, replaced(i, c)):
                mass = [
                    sum((p * m.rows[change(d)][t] for d, k, p in m.worlds if k == b and d[i] == a), Fraction(0))
                    for a in m.values
                ]
                beliefs.append([x / sum(mass) for x in mass] if sum(mass) else None)
            first, second = beliefs
            if first is not None and second is not None:
                yield first, second
                yield second, first


PAIRS: dict[str, Callable[[Plain], Iterator[Pair]]] = {"dp": dp, "np": np, "apkdp": np, "cdp": cdp, "ibcdp": ibcdp}
COUNTED = ("dp", "apkdp", "ppkdp", "cdp")
"""Definitions that have a tail form."""


def ppkdp(m: Plain, e: E, count: Callable[[Weights, Weights, E], Fraction]) -> Fraction | None:
    """The average over B̂ given D(i) = a; a B̂ that excludes c adds nothing."""
    found: dict[tuple[int, int, int], Fraction] = {}
    for b, i, a, c in possible(m):
        weight = m.chance(given(i, a, b)) / m.chance(lambda d, _, i=i, a=a: d[i] == a)  # type: ignore[misc]
        pair = m.output(given(i, a, b), same), m.output(given(i, c, b), same)
        found[i, a, c] = found.get((i, a, c), Fraction(0)) + weight * count(*pair, e)
    return max(found.values(), default=None)


def delta(m: Plain, definition: str, e: E) -> Fraction | None:
    """The smallest δ at e^ε = E; None where nothing is compared.

    >>> coin = Candidate(1, 2, 2, 1, 2, 4, (1, 1), ((3, 1), (1, 3)))
    >>> delta(Plain(coin), "np", Fraction(2)), delta(Plain(coin), "tail-dp", Fraction(2))
    (Fraction(1, 4), Fraction(3, 4))
    """
    count = tail if definition.startswith("tail-") else excess
    name = definition.removeprefix("tail-")
    if name == "ppkdp":
        return ppkdp(m, e, count)
    return max((count(p, q, e) for p, q in PAIRS[name](m)), default=None)


def supported(atom: Holds | Has) -> bool:
    """Whether this evaluator knows it: the default readings, and no variables."""
    if isinstance(atom, Has):
        return atom.name in PROPERTIES
    name = atom.definition.removeprefix("tail-")
    known = name in COUNTED if name != atom.definition else name in {*PAIRS, "ppkdp"}
    return known and atom.reading == "default" and not atom.variables


def variants(m: Plain, on: str) -> list[Plain]:
    """The mechanism with all functions of its outputs (`post`), or run twice."""
    found = [m]
    for name in on.split():
        found = [made for one in found for made in (_post(one) if name == "post" else [_twice(one)])]
    return found


def _post(m: Plain) -> Iterator[Plain]:
    outputs = range(len(m.rows[m.databases[0]]))
    seen = set()
    for function in product(outputs, repeat=len(outputs)):
        first = {o: k for k, o in enumerate(dict.fromkeys(function))}
        named = tuple(first[o] for o in function)  # functions that differ in the names of their results are alike
        if named in seen:
            continue
        seen.add(named)
        rows = [
            [sum((row[o] for o in outputs if function[o] == t), Fraction(0)) for t in outputs]
            for row in m.rows.values()
        ]
        yield Plain(m.one, rows)


def _twice(m: Plain) -> Plain:
    return Plain(m.one, [[x * y for x in row for y in row] for row in m.rows.values()])


def verdict(m: Plain, atom: Holds | Has) -> str | None:
    """`holds`, `fails` or `vacuous`; None where it is not known here, or e^ε is too close to call in fractions."""
    if not supported(atom):
        return None
    if isinstance(atom, Has):
        return "holds" if PROPERTIES[atom.name](m) else "fails"
    if "post" in atom.on and m.one.outputs ** (1 + atom.on.startswith("twice")) > MAX_OUTPUTS:
        return None
    answers = [_verdict(one, atom) for one in variants(m, atom.on)]
    if "fails" in answers:
        return "fails"
    return None if None in answers else "vacuous" if set(answers) == {"vacuous"} else "holds"


def _verdict(m: Plain, atom: Holds) -> str | None:
    low, high = ends(atom.epsilon)  # type: ignore[arg-type]
    most, least = delta(m, atom.definition, low), delta(m, atom.definition, high)
    if most is None or least is None:
        return "vacuous"
    bound = atom.delta
    if not isinstance(bound, Fraction):
        return None
    return "holds" if most <= bound else "fails" if least > bound else None


def ends(epsilon: Epsilon | None) -> tuple[E, E]:
    """Fractions around e^ε, equal where it is rational; "some finite ε" asks for what is left at ε = ∞."""
    if epsilon is None or epsilon.is_infinite:
        return None, None
    return epsilon.exp_bracket(PRECISION)


def _independent(m: Plain) -> bool:
    for b, i in product(m.known(), m.protected):
        mine = [(d, p) for d, k, p in m.worlds if k == b]
        whole = sum(p for _, p in mine)
        for a, rest in product(m.values, {(*d[:i], *d[i + 1 :]) for d, _ in mine}):
            both = sum(p for d, p in mine if d[i] == a and (*d[:i], *d[i + 1 :]) == rest)
            one = sum(p for d, p in mine if d[i] == a)
            other = sum(p for d, p in mine if (*d[:i], *d[i + 1 :]) == rest)
            if both * whole != one * other:
                return False
    return True


PROPERTIES: dict[str, Callable[[Plain], bool]] = {
    "independent": _independent,
    "full-support": lambda m: {d for d, _, _ in m.worlds} == set(m.databases),
    "deterministic": lambda m: all(sum(p > 0 for p in row) == 1 for row in m.rows.values()),
    "constant": lambda m: len({tuple(row) for row in m.rows.values()}) == 1,
    "every-value-possible": lambda m: all(
        m.chance(given(i, a, b)) > 0 for b, i, a in product(m.known(), m.protected, m.values)
    ),
    "functional-knowledge": lambda m: all(len({b for d, b, _ in m.worlds if d == one}) <= 1 for one in m.databases),
}
"""Properties that are decided here once more."""
