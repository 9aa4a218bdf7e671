"""Databases of several sizes in SMT-LIB 2: sampling and neighbours by one tuple (LQS12, Definitions 1, 3 and 3.10)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.foreign.numbers import number
from verifier.foreign.smt_text import FINITE, INFINITE, call, define, every, excess, heading, real
from verifier.foreign.smt_text import total as add
from verifier.foreign.tables import plain

Counts: TypeAlias = tuple[int, ...]
"""How often each value appears: a multiset."""
MOST_PARTS = 20_000
"""Most (multiset, part of it) pairs that are written out."""


def statement(certificate: dict[str, Any]) -> list[str]:
    """The mechanism on every multiset, its samples, and the definition.

    Raises:
        InputError: where the certificate is damaged.
        LimitError: where there are too many parts of multisets.

    """
    values, (first, last), rate = certificate["values"], certificate["sizes"], number(certificate["rate"])
    met = list(multisets(len(values), first, last))
    place = {one: n for n, one in enumerate(multisets(len(values), 0, last))}
    parts = comb(last + 2 * len(values), last) if rate != 1 else len(met)
    if parts > MOST_PARTS:
        raise LimitError(f"{parts:,} parts of multisets", wanted=f"at most {MOST_PARTS:,}")
    outputs: dict[str, int] = {}
    laws: dict[Counts, dict[int, Fraction]] = {}
    for texts, law in certificate["mechanism"]:
        at = tuple(texts.count(v) for v in values)
        if sum(at) != len(texts) or at in laws:
            raise InputError(f"{texts!r} is no multiset, or there twice", where="the certificate")
        laws[at] = {outputs.setdefault(o, len(outputs)): number(p) for o, p in law.items()}
    drawn = met if rate == 1 else list(place)
    lines = heading("Labels are numbers; a database is a multiset of values")
    lines += [f"; value {v} is {plain(name)}" for v, name in enumerate(values)]
    lines += [f"; output {o} is {plain(name)}" for name, o in outputs.items()]
    lines += heading("P[A(D) = o] without the sample, for each multiset D (written as how often each value appears)")
    for one in drawn:
        body = "0.0"
        for o, p in reversed(laws[one].items()):
            body = f"(ite (= o {o}) {real(p)} {body})"
        lines += [f"; {one}", define(f"A_{place[one]}", ["(o Int)"], "Real", body)]
    lines += _samples(rate, met, place)
    lawful = [f"(= 1.0 {add(call(f'A_{place[one]}', o) for o in range(len(outputs)))})" for one in drawn]
    lawful += [f"(>= {call(f'A_{place[one]}', o)} 0.0)" for one in drawn for o in range(len(outputs))]
    lawful += ["(<= 0.0 rate)", "(<= rate 1.0)"]
    lines += [*heading("The tables are laws"), define("lawful", [], "Bool", every(lawful)), *excess(tail=False)]
    there = set(met)
    pairs = [
        (one, more)
        for one in met
        for v in range(len(values))
        if (more := (*one[:v], one[v] + 1, *one[v + 1 :])) in there
    ]
    for mode in (FINITE, INFINITE):
        inequalities = []
        for one, other in (both for small, large in pairs for both in ((large, small), (small, large))):
            terms = [
                call(f"excess{mode.suffix}", *mode.arguments, *(call(f"S_{place[at]}", o) for at in (one, other)))
                for o in range(len(outputs))
            ]
            inequalities.append(f"(<= {add(terms)} d)")
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}: one tuple more, both orders"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    return [*lines, define("compared", [], "Bool", "true" if pairs else "false")]


def multisets(values: int, first: int, last: int) -> Iterator[Counts]:
    """All multisets of first to last tuples."""
    for size in range(first, last + 1):
        for chosen in combinations_with_replacement(range(values), size):
            yield tuple(chosen.count(v) for v in range(values))


def _samples(rate: Fraction, met: list[Counts], place: dict[Counts, int]) -> list[str]:
    """P[A^β(D) = o] = Σ over the parts S of D of P[S is drawn]·P[A(S) = o]; each tuple is kept with probability β."""
    lines = [
        *heading("The sample: each tuple is kept with the probability `rate`; kept_n and left_n are powers"),
        define("rate", [], "Real", real(rate)),
        define("kept_0", [], "Real", "1.0"),
        define("left_0", [], "Real", "1.0"),
    ]
    for n in range(1, max(map(sum, met), default=0) + 1):
        lines += [
            define(f"kept_{n}", [], "Real", f"(* kept_{n - 1} rate)"),
            define(f"left_{n}", [], "Real", f"(* left_{n - 1} (- 1.0 rate))"),
        ]
    for one in met:
        terms = []
        for part in product(*(range(times + 1) for times in one)) if rate != 1 else [one]:
            kept = sum(part)
            ways = 1
            for times, taken in zip(one, part, strict=True):
                ways *= comb(times, taken)
            chance = f"(* {ways}.0 kept_{kept} left_{sum(one) - kept})"
            terms.append(f"(* {chance} {call(f'A_{place[part]}', 'o')})")
        lines.append(define(f"S_{place[one]}", ["(o Int)"], "Real", add(terms)))
    return lines
