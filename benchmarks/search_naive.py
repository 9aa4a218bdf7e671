"""NP and CDP of one small model in Fractions, straight from DMKB20, Definitions 3 and 5."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.wings.search.candidate import Candidate

Law = dict[int, Fraction]


def laws(one: Candidate) -> tuple[dict[tuple[tuple[int, ...], int], Fraction], dict[tuple[int, ...], Law]]:
    """P[D = d, B = k] and the mechanism, as Fractions."""
    databases = list(product(range(one.values), repeat=one.records))
    theta = {
        (d, k): Fraction(one.law[j * one.knowledge + k], one.law_total)
        for j, d in enumerate(databases)
        for k in range(one.knowledge)
        if one.law[j * one.knowledge + k]
    }
    table = {
        d: {o: Fraction(w, one.row_total) for o, w in enumerate(row) if w}
        for d, row in zip(databases, one.mechanism, strict=True)
    }
    return theta, table


def output(
    theta: dict[tuple[tuple[int, ...], int], Fraction],
    table: dict[tuple[int, ...], Law],
    given: tuple[int, int, int],
    set_to: int,
) -> Law:
    """The law of M(D with i set to a value) given D(i) = a and B = k."""
    i, a, k = given
    mine = {d: p for (d, known), p in theta.items() if known == k and d[i] == a}
    total = sum(mine.values())
    found: Law = {}
    for d, p in mine.items():
        for o, q in table[(*d[:i], set_to, *d[i + 1 :])].items():
            found[o] = found.get(o, Fraction(0)) + p / total * q
    return found


def excess(p: Law, q: Law, factor: Fraction) -> Fraction:
    """Σ max(0, P(o) - e^ε·Q(o))."""
    return sum((max(Fraction(0), x - factor * q.get(o, Fraction(0))) for o, x in p.items()), Fraction(0))


def deltas(one: Candidate, factor: Fraction) -> tuple[Fraction, Fraction] | None:
    """The smallest δ of NP and of CDP at e^ε, or None where nothing is compared."""
    theta, table = laws(one)
    np, cdp = [], []
    for i, k in product(range(1 if one.first_only else one.records), range(one.knowledge)):
        values = sorted({d[i] for d, known in theta if known == k})
        for a, b in product(values, repeat=2):
            if a != b:
                p, q = output(theta, table, (i, a, k), a), output(theta, table, (i, b, k), b)
                np.append(excess(p, q, factor))
                changed = output(theta, table, (i, a, k), b)
                cdp += [excess(p, changed, factor), excess(changed, p, factor)]
    return (max(np), max(cdp)) if np else None
