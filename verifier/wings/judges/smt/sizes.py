"""Databases of several sizes in SMT-LIB 2: sampling and neighbours by one tuple (LQS12, Definitions 1, 3 and 3.10)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from verifier.wings.judges.sized import Counts, Sized
from verifier.wings.judges.smt.text import (
    FINITE,
    INFINITE,
    call,
    condition,
    define,
    distance,
    every,
    excess,
    heading,
    looked_up,
    real,
)
from verifier.wings.judges.smt.text import total as add
from verifier.wings.judges.tables import plain


def sizes_statement(sized: Sized) -> list[str]:
    """The lines of the file: the mechanism on every multiset, its samples, and the definition."""
    met, rate, outputs = sized.databases(), sized.rate, range(len(sized.outputs))
    number = {multiset: n for n, multiset in enumerate(sized.databases(0))}
    drawn = met if rate == 1 else list(number)
    lines = heading("Labels are numbers; a database is a multiset of values")
    lines += [f"; value {v} is {plain(name)}" for v, name in enumerate(sized.values)]
    lines += [f"; output {o} is {plain(name)}" for o, name in enumerate(sized.outputs)]
    lines += heading("P[A(D) = o] without the sample, for each multiset D (written as how often each value appears)")
    for multiset in drawn:
        law = looked_up("o", {o: real(p) for o, p in sized.laws[multiset].items()})
        lines += [f"; {multiset}", define(f"A_{number[multiset]}", ["(o Int)"], "Real", law)]
    lines += _samples(rate, met, number)
    lawful = [f"(= 1.0 {add(call(f'A_{number[multiset]}', o) for o in outputs)})" for multiset in drawn]
    lawful += [f"(>= {call(f'A_{number[multiset]}', o)} 0.0)" for multiset in drawn for o in outputs]
    lawful += ["(<= 0.0 rate)", "(<= rate 1.0)"]
    lines += [*heading("The tables are laws"), condition("lawful", lawful), *excess(tail=False)]
    present = set(met)
    pairs = [
        (multiset, more)
        for multiset in met
        for v in range(len(sized.values))
        if (more := (*multiset[:v], multiset[v] + 1, *multiset[v + 1 :])) in present
    ]
    for mode in (FINITE, INFINITE):
        inequalities = []
        for first, second in (pair for small, large in pairs for pair in ((large, small), (small, large))):
            laws = ([call(f"S_{number[at]}", o) for o in outputs] for at in (first, second))
            inequalities.append(f"(<= {distance(mode, *laws)} d)")
        lines += [
            *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}: one tuple more, both orders"),
            define(f"holds{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)),
        ]
    return [*lines, define("compared", [], "Bool", "true" if pairs else "false")]


def _samples(rate: Fraction, met: list[Counts], number: dict[Counts, int]) -> list[str]:
    """The lines that define P[A^β(D) = o] = Σ over the parts S of D of P[S is drawn]·P[A(S) = o].

    Each tuple is kept with probability β.
    """
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
    for multiset in met:
        terms = []
        for sample in product(*(range(times + 1) for times in multiset)) if rate != 1 else [multiset]:
            kept = sum(sample)
            ways = 1
            for times, taken in zip(multiset, sample, strict=True):
                ways *= comb(times, taken)
            chance = f"(* {ways}.0 kept_{kept} left_{sum(multiset) - kept})"
            terms.append(f"(* {chance} {call(f'A_{number[sample]}', 'o')})")
        lines.append(define(f"S_{number[multiset]}", ["(o Int)"], "Real", add(terms)))
    return lines
