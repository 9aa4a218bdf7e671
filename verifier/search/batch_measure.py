"""Definitions at constant ε and δ, for all models of a block at once.

Each function reads like its definition: which laws are compared (P against Q, with weights p and q and totals |P| and
|Q|), and what is bounded. With e^ε = x/y, δ = u/w, and rows of total t:

    Σₒ max(0, p/(|P|·t) - x/y·q/(|Q|·t)) ≤ u/w    iff    w·Σₒ max(0, y·|Q|·p - x·|P|·q) ≤ u·y·|P|·|Q|·t.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np

from verifier.search.batch import NO, Block, Column, Law, Mask, added
from verifier.search.enumeration import Layer

WORST = ("np", "apkdp", "cdp", "ibcdp", "dp")
BATCHED = (*WORST, "ppkdp", "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp")
"""The definitions that are decided for many models at once."""
READINGS = {
    "ppkdp": ("default", "one-order", "infinite-loss"),
    "cdp": ("default", "one-order", "all-values"),
    "ibcdp": ("default", "one-order", "possible-values"),
}


@dataclass(frozen=True)
class Asked:
    """A definition in a reading at e^ε (None for ε = ∞, and for "some finite ε", which asks the same) and δ."""

    definition: str
    factor: Fraction | None
    delta: Fraction
    reading: str = "default"

    @property
    def kind(self) -> str:
        """The comparisons: those of the definition without `tail-`."""
        return self.definition.removeprefix("tail-")

    @property
    def tail(self) -> bool:
        """Whether P[loss > ε] is bounded."""
        return self.definition.startswith("tail-")

    @property
    def supported(self) -> bool:
        """Whether blocks can answer it."""
        return self.definition in BATCHED and self.reading in READINGS.get(self.kind, ("default", "one-order"))

    def bound(self, layer: Layer) -> int:
        """No number in the answer is larger in absolute value.

        p, q ≤ total·t, totals ≤ total, and so are sums over outputs; averages over B̂ have the factor Λ.
        """
        x, y = (self.factor.numerator, self.factor.denominator) if self.factor is not None else (1, 1)
        mass, t = layer.law_total, layer.row_total
        largest = max(x, y) * (mass * t) ** 2 * (lcm(*range(1, mass + 1)) if self.kind == "ppkdp" else 1)
        return 2 * largest * max(self.delta.denominator, self.delta.numerator, 1)


@dataclass(frozen=True)
class Compared:
    """P against Q where `where` is true, or everywhere; P counts with a share p.total of `whole`."""

    p: Law
    q: Law
    where: Mask | None = None


def excess(one: Compared, asked: Asked) -> Column:
    """The numerator of δ(ε), over |P|·t for tails and ε = ∞, else over y·|P|·|Q|·t."""
    total: Column | None = None
    for p, q in zip(one.p.weights, one.q.weights, strict=True):
        if asked.factor is None:
            part = p * (q == 0)
        else:
            x, y = asked.factor.numerator, asked.factor.denominator
            left = p * _scaled(one.q.total, y)
            right = q * _scaled(one.p.total, x)
            part = p * (left > right) if asked.tail else np.maximum(left - right, 0)
        total = part if total is None else total + part
    if total is None:
        raise ArithmeticError("a law has outputs")
    return total


def _scaled(column: Column, factor: int) -> Column:
    return column if factor == 1 else column * factor


def _surpasses(one: Compared, asked: Asked) -> Mask:
    """Whether some output has p·e^-ε > q: that δ(ε) > 0."""
    found: Mask | None = None
    for p, q in zip(one.p.weights, one.q.weights, strict=True):
        if asked.factor is None:
            part = (p > 0) & (q == 0)
        else:
            x, y = asked.factor.numerator, asked.factor.denominator
            part = p * _scaled(one.q.total, y) > q * _scaled(one.p.total, x)
        found = part if found is None else found | part
    return NO if found is None else found


def _breaks(one: Compared, asked: Asked, t: int) -> Mask:
    """Whether δ(ε) > δ."""
    if asked.delta == 0:
        found = _surpasses(one, asked)
    else:
        u, w = asked.delta.numerator, asked.delta.denominator
        allowed = one.p.total * (u * t)
        if asked.factor is not None and not asked.tail:
            allowed = allowed * one.q.total * asked.factor.denominator
        found = excess(one, asked) * w > allowed
    return found if one.where is None else found & one.where


def compared(block: Block, asked: Asked) -> Iterator[Compared]:
    """What a definition with the worst case bounds one by one."""
    one_order = asked.reading == "one-order"
    if asked.kind in {"np", "apkdp"}:
        for i, k, a, b in block.possible():
            if not (one_order and a > b):
                yield Compared(block.output(i, k, a), block.output(i, k, b), block.both(i, k, a, b))
    elif asked.kind == "cdp":
        yield from _counterfactuals(block, asked.reading)
    elif asked.kind == "ibcdp":
        yield from _posteriors(block, asked.reading)
    else:
        yield from _neighbours(block, one_order=one_order)


def _counterfactuals(block: Block, reading: str) -> Iterator[Compared]:
    values = range(block.shape.values)
    every = product(block.records, range(block.shape.knowledge), values, values)
    for i, k, a, b in every if reading == "all-values" else block.possible():
        if a == b:
            continue
        where = block.mass(i, k, a) > 0 if reading == "all-values" else block.both(i, k, a, b)
        p, q = block.output(i, k, a), block.counterfactual(i, k, a, b)
        yield Compared(p, q, where)
        if reading != "one-order":
            yield Compared(q, p, where)


def _posteriors(block: Block, reading: str) -> Iterator[Compared]:
    """P[D(i) = v | B̂, M(D) = o] against P[D(i) = v | B̂, M(D with i set to b) = o], for outputs of both."""
    values = range(block.shape.values)
    for i, k, b in product(block.records, range(block.shape.knowledge), values):
        possible = None if reading != "possible-values" else block.mass(i, k, b) > 0
        for o in range(block.shape.outputs):
            first = tuple(block.output(i, k, v).weights[o] for v in values)
            second = tuple(block.counterfactual(i, k, v, b).weights[o] for v in values)
            p, q = Law(first, added(first)), Law(second, added(second))
            where = (p.total > 0) & (q.total > 0)
            if possible is not None:
                where = where & possible
            yield Compared(p, q, where)
            if reading != "one-order":
                yield Compared(q, p, where)


def _neighbours(block: Block, *, one_order: bool) -> Iterator[Compared]:
    one = np.ones((1, 1), dtype=block.rows[0][0].dtype)
    for i, d, b in product(block.records, range(block.shape.databases), range(block.shape.values)):
        a = block.value(d, i)
        if a != b and not (one_order and a > b):
            yield Compared(Law(block.rows[d], one), Law(block.rows[block.replaced(d, i, b)], one))


def fails(block: Block, asked: Asked) -> Mask:
    """In which models of the block the definition fails; where nothing is compared it does not."""
    if asked.kind == "ppkdp":
        return _average_fails(block, asked)
    # posteriors are laws of D(i): their totals are their own, without the factor t
    t = 1 if asked.kind == "ibcdp" else block.row_total
    found = NO
    for one in compared(block, asked):
        found = found | _breaks(one, asked, t)
    return found


def _average_fails(block: Block, asked: Asked) -> Mask:
    """Σ over B̂ of P[B̂ | D(i) = a]·δ(ε) > δ, for some i, a ≠ b."""
    found = NO
    for total, denominator, where in averages(block, asked):
        broken = total * asked.delta.denominator > denominator * asked.delta.numerator
        found = found | (broken if where is None else broken & where)
    return found


def averages(block: Block, asked: Asked) -> Iterator[tuple[Column, Column, Mask | None]]:
    """The average δ(ε) over B̂ as a fraction of columns, for each i, a ≠ b, and where it is asked (None: everywhere).

    The share of B̂ is |P|/m with m the mass of a. Over the denominator y·t·Λ·m each B̂ has excess·Λ/|Q|.
    """
    values, t = range(block.shape.values), block.row_total
    linear = asked.factor is not None and not asked.tail
    y = asked.factor.denominator if asked.factor is not None and linear else 1
    common = block.common if linear else 1
    listed = set(block.possible())
    for i, a, b in product(block.records, values, values):
        if a == b or (asked.reading == "one-order" and a > b):
            continue
        parts: list[Column] = []
        for k in range(block.shape.knowledge):
            p, q = block.output(i, k, a), block.output(i, k, b)
            if (i, k, a, b) in listed:
                share = block.shares[q.total.astype(np.int64)] if linear else q.total > 0
                parts.append(excess(Compared(p, q), asked) * share)
            if asked.reading == "infinite-loss":
                parts.append(p.total * (q.total == 0) * (t * y * common))
        if parts:
            where = block.whole(i, b) > 0 if asked.reading == "infinite-loss" else None
            yield added(parts), block.whole(i, a) * (t * y * common), where


def empty(block: Block, kind: str, reading: str = "default") -> Mask:
    """In which models a definition compares nothing.

    DP always compares two values of T; so does the reading `all-values` of CDP. IBCDP always compares: for i, B̂ and a
    possible b = D(i), M(D) and M(D with i set to b) have a common output.
    """
    if kind.removeprefix("tail-") in {"dp", "ibcdp"} or reading == "all-values":
        return NO
    some = NO
    if reading == "infinite-loss":
        values = range(block.shape.values)
        for i, a, b in product(block.records, values, values):
            if a < b:
                some = some | ((block.whole(i, a) > 0) & (block.whole(i, b) > 0))
    else:
        for i, k, a, b in block.possible():
            if a < b:
                some = some | block.both(i, k, a, b)
    return ~some
