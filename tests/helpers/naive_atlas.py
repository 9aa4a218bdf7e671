"""Separate naive code for DP22's definitions: databases, laws as dictionaries, and the formulas, in `Fraction`."""

# ruff: noqa: E501 - a relation stands in one line, beside the others

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from verifier.model import Model
from verifier.numbers import INFINITY, ZERO, Epsilon, log_epsilon

Database = tuple[int, ...]
Law = dict[str, Fraction]
Pairs = list[tuple[Database, Database, Fraction]]


def law(model: Model, database: Database) -> Law:
    read = model.mechanism.law(database)
    return {output.text: read.probability(output) for output in read.outcomes}


def databases(model: Model) -> list[Database]:
    values = range(len(model.values))
    if model.sizes is None:
        return list(product(values, repeat=model.size))
    return [d for n in range(model.sizes[0], model.sizes[1] + 1) for d in combinations_with_replacement(values, n)]


def hamming(x: Database, y: Database) -> int:
    return sum(a != b for a, b in zip(x, y, strict=True))


def is_larger(x: Database, y: Database) -> bool:
    """Whether y is x and one tuple more."""
    return any(tuple(sorted((*x, t))) == y for t in set(y))


def is_changed(x: Database, y: Database) -> bool:
    """Whether one tuple of x is another in y."""
    return any(tuple(sorted((*x[:k], t, *x[k + 1 :]))) == y for k in range(len(x)) for t in set(y) if t != x[k])


def neighbours(model: Model) -> Pairs:
    found = []
    for x, y in product(databases(model), repeat=2):
        if model.sizes is None:
            near = hamming(x, y) == 1
        else:
            near = x != y and (is_larger(x, y) or is_larger(y, x) or is_changed(x, y))
        if near:
            found.append((x, y, Fraction(1)))
    return found


def worst_ratio(p: Law, q: Law) -> Epsilon:
    """ln of the largest P(o)/Q(o)."""
    worst = ZERO
    for output, mass in p.items():
        if not q.get(output, 0):
            return INFINITY
        ratio = mass / q[output]
        if ratio > 1:
            worst = max(worst, log_epsilon(ratio))
    return worst


def over(value: Epsilon, scale: Fraction) -> Epsilon:
    if value == ZERO or value.is_infinite:
        return value
    return INFINITY if scale == 0 else log_epsilon(value.argument, value.coefficient / scale)


def smallest(model: Model, pairs: Pairs) -> Epsilon:
    """The smallest ε with P(o) ≤ e^(c·ε)·Q(o) for all rows."""
    return max((over(worst_ratio(law(model, x), law(model, y)), c) for x, y, c in pairs), default=ZERO)


def hockey(p: Law, q: Law, e: Fraction) -> Fraction:
    return sum((max(Fraction(0), mass - e * q.get(o, Fraction(0))) for o, mass in p.items()), Fraction(0))


def tail(p: Law, q: Law, e: Fraction) -> Fraction:
    return sum((mass for o, mass in p.items() if mass > e * q.get(o, Fraction(0))), Fraction(0))


def related(model: Model, key: str) -> Pairs:
    """The ordered rows of a definition with a relation, for a model whose databases are lists."""
    return list(_RELATIONS[key](model))


def _each(model: Model) -> Iterator[tuple[Database, Database, list[tuple[int, int, int]]]]:
    for x, y in product(databases(model), repeat=2):
        moved = [(i, a, b) for i, (a, b) in enumerate(zip(x, y, strict=True)) if a != b]
        if moved:
            yield x, y, moved


def _where(condition: Any, scale: Any = lambda *_: Fraction(1)) -> Any:
    def rows(model: Model) -> Iterator[tuple[Database, Database, Fraction]]:
        for x, y, moved in _each(model):
            if condition(model.policy, x, y, moved):
                c = scale(model.policy, x, y, moved)
                if c is not None:
                    yield x, y, c

    return rows


def _absent(policy: Any, value: int) -> bool:
    return bool(value == policy.absent)


def _apart(names: Any, a: int, b: int) -> bool:
    return Counter(x != y for x, y in zip(names[a], names[b], strict=True))[True] == 1


def _induced(p: Any, x: Database, y: Database, _: Any) -> bool:
    inside = set(p.databases)
    between = {z for z in inside - {x, y} if all(c in {a, b} for a, b, c in zip(x, y, z, strict=True))}
    return x in inside and y in inside and not between


def _tailored(p: Any, x: Database, y: Database, m: Any) -> Fraction | None:
    ((i, a, b),) = m
    with_it, value = (y, b) if _absent(p, a) else (x, a)
    rows = [level for t, d, level in p.tailored if (t, d) == (value, with_it)]
    assert with_it[i] == value
    return rows[0] if rows else Fraction(1)


_RELATIONS = {
    "dp-any": _where(lambda _p, _x, _y, m: len(m) == 1),
    "ubodp": _where(lambda p, _x, _y, m: len(m) == 1 and (_absent(p, m[0][1]) or _absent(p, m[0][2]))),
    "attdp": _where(lambda p, _x, _y, m: len(m) == 1 and not any(_absent(p, v) for v in m[0][1:]) and _apart(p.attributes, *m[0][1:])),
    "bitdp": _where(lambda p, _x, _y, m: len(m) == 1 and not any(_absent(p, v) for v in m[0][1:]) and _apart(p.bits, *m[0][1:])),
    "osdp": _where(lambda p, _x, _y, m: len(m) == 1 and not any(_absent(p, v) for v in m[0][1:]) and m[0][1] in p.sensitive),
    "asdp": _where(lambda p, _x, _y, m: len(m) == 1 and _absent(p, m[0][2]) and m[0][1] in p.sensitive),
    "cldp": _where(lambda p, _x, _y, m: any(all(i in block for i, _, _ in m) for block in p.blocks)),
    "eldp": _where(lambda p, _x, _y, m: any(all(i in block for i, _, _ in m) for block in p.blocks)),
    "grdp": _where(lambda p, _x, _y, m: len(m) <= p.group),
    "depdp": _where(lambda p, _x, _y, m: len(m) <= p.group and not any(_absent(p, v) for step in m for v in step[1:]) and any(all(j == i or (i, j) in p.dependence for j, _, _ in m) for i, _, _ in m)),
    "flpr": _where(lambda *_: True),
    "individual-dp": _where(lambda p, x, y, m: len(m) == 1 and p.fixed in {x, y}),
    "pidp": _where(lambda p, x, y, m: len(m) == 1 and p.fixed in {x, y} and m[0][0] == p.record),
    "gcdp-km": _where(lambda p, x, y, _m: (x, y) in p.pairs or (y, x) in p.pairs),
    "consdp": _where(lambda p, x, y, _m: hamming(x, y) <= p.at_most),
    "dlpr-zlw": _where(lambda p, x, y, _m: hamming(x, y) <= p.at_most and {x, y} <= set(p.databases) and any(v in y and not _absent(p, v) for v in x)),
    "sidp": _where(lambda p, x, y, _m: abs(dict(p.statistic)[x] - dict(p.statistic)[y]) <= p.at_most),
    "induced-neighbours-dp": _where(_induced),
    "bfpr": _where(lambda p, x, y, m: len(m) == 1 and frozenset(m[0][1:]) in p.graph and {x, y} <= set(p.databases)),
    "perdp": _where(lambda p, _x, _y, m: len(m) == 1 and _absent(p, m[0][1]), lambda p, _x, _y, m: p.levels[m[0][0]]),
    "taidp": _where(lambda p, _x, _y, m: len(m) == 1 and (_absent(p, m[0][1]) or _absent(p, m[0][2])), _tailored),
    "outpr": _where(lambda p, _x, _y, m: len(m) == 1 and (_absent(p, m[0][1]) or _absent(p, m[0][2])), _tailored),
    "pardp": _where(lambda p, _x, _y, m: len(m) == 1 and (_absent(p, m[0][1]) or _absent(p, m[0][2])), _tailored),
    "iddp": _where(
        lambda p, _x, _y, m: len(m) == 1 and not any(_absent(p, v) for v in m[0][1:]),
        lambda p, _x, _y, m: dict(p.scale).get(frozenset(m[0][1:]), Fraction(1)),
    ),
    "ddpr": _where(lambda *_: True, lambda _p, x, y, _m: Fraction(hamming(x, y))),
    "smdp": _where(lambda *_: True, lambda _p, x, y, _m: Fraction(hamming(x, y))),
    "psdp": _where(lambda *_: True, lambda _p, x, y, _m: Fraction(hamming(x, y))),
}  # fmt: skip
