"""How long the two readings of a program take: as a Python function, path by path, and as a text, where paths merge.

    python benchmarks/program_paths.py

The script beside is what one would write by hand: all combinations of the draws, and their probabilities added up.
Seconds are of the processor, on one database, and all three laws are compared with `==`.
"""

from __future__ import annotations

import inspect
import textwrap
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import verifier as pk
from verifier.programs import Interpreter, Source
from verifier.tables import label

Law = dict[str, Fraction]


def count_of_flips(db: Any, rng: Any) -> Any:
    return sum(rng.flip(1 / 3) for x in db)


def list_of_flips(db: Any, rng: Any) -> Any:
    return [x if rng.flip(1 / 3) else 1 - x for x in db]


def plain(db: Any, *, listed: bool) -> Law:
    law: Law = {}
    for flips in product((True, False), repeat=len(db)):
        p = Fraction(1)
        for flip in flips:
            p *= Fraction(1, 3) if flip else Fraction(2, 3)
        output = [x if flip else 1 - x for x, flip in zip(db, flips, strict=True)] if listed else sum(flips)
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + p
    return law


def interpreted(function: Callable[..., object], db: Any) -> Law:
    law: Law = {}
    text = textwrap.dedent(inspect.getsource(function)).replace(": Any", "").replace(" -> Any", "")
    for output, p in Interpreter(Source(text, "program")).law(db):
        name = label(output).text
        law[name] = law.get(name, Fraction(0)) + p
    return law


def timed(ask: Callable[[], Law]) -> tuple[Law, float]:
    start = time.process_time()
    return ask(), time.process_time() - start


if __name__ == "__main__":
    print(f"{'program':16} {'draws':>5} {'paths':>6} {'function':>9} {'text':>6} {'by hand':>8}")
    for function, number in ((count_of_flips, 8), (count_of_flips, 14), (list_of_flips, 8), (list_of_flips, 12)):
        db = (0, 1) * (number // 2)
        one, seconds = timed(lambda: pk.program(function).law(db))  # noqa: B023 - called at once
        other, by_text = timed(lambda: interpreted(function, db))  # noqa: B023
        third, by_hand = timed(lambda: plain(db, listed=function is list_of_flips))  # noqa: B023
        if not one == other == third:
            raise SystemExit(f"{function.__name__}: the laws differ")
        name = function.__name__
        print(f"{name:16} {number:5} {2**number:6} {seconds:8.2f}s {by_text:5.2f}s {by_hand:7.2f}s")
