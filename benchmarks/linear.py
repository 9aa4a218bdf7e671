"""Linear programs at the door: a guessed and proved basis, the simplex method, and HiGHS alone, which proves nothing.

The programs ask whether one mechanism is a post-processing of another: a channel from `outputs` to `images` for five
databases. Run as `python benchmarks/linear.py`; `--all` asks the simplex method for the largest, too (minutes).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from time import process_time
from typing import Any

from verifier.numbers import fmpq_of, linear
from verifier.numbers.guess import bases, has_highs
from verifier.numbers.linear import LinearProgram

SIZES = ((2, 5, 5), (3, 10, 10), (5, 16, 16), (5, 31, 32))
"""Databases, outputs and images."""
MOST_ALONE = 5_000
"""Cells of a program that the simplex method solves in a moment."""


def program_of(databases: int, outputs: int, images: int) -> tuple[list[Any], dict[Any, Any], dict[Any, Fraction]]:
    """Variables, rows and objective: what of the second of two random mechanisms a channel reproduces."""
    draw = Random(1)  # noqa: S311

    def law(size: int) -> list[Fraction]:
        weights = [draw.randint(1, 12) for _ in range(size)]
        return [Fraction(weight, sum(weights)) for weight in weights]

    first, second = ([law(size) for _ in range(databases)] for size in (outputs, images))
    rows: dict[Any, Any] = {o: ({(o, i): Fraction(1) for i in range(images)}, Fraction(1)) for o in range(outputs)}
    for d in range(databases):
        for i in range(images):
            rows[d, i, "law"] = {(o, i): first[d][o] for o in range(outputs)}, second[d][i]
    cost = {(o, i): sum((p[o] for p in first), Fraction(0)) for o in range(outputs) for i in range(images)}
    return list(cost), rows, cost


def seconds(ask: Callable[[], Any]) -> tuple[str, Any]:
    began = process_time()
    answer = ask()
    return f"{process_time() - began:8.3f}", answer


def alone(variables: list[Any], rows: dict[Any, Any], cost: dict[Any, Fraction]) -> int:
    """The first basis that HiGHS names, with the time to hand it the program."""
    program, places = LinearProgram(variables, rows), {variable: j for j, variable in enumerate(variables)}
    numbered = [
        linear.Constraint({places[variable]: value for variable, value in row.items()}, bound, equal)
        for row, bound, equal in program.rows.values()
    ]
    costs = {places[variable]: fmpq_of(value) for variable, value in cost.items()}
    return len(next(bases(len(variables), numbered, costs))[0])


def main() -> None:
    print("rows × variables    proved   simplex   HiGHS alone   (seconds of processor time)")
    linear.GUESSED_FROM = 0
    for size in SIZES:
        variables, rows, cost = program_of(*size)
        guessed = LinearProgram(variables, rows)
        proved, found = seconds(partial(guessed.maximise, cost))
        exact = "       –"
        if len(rows) * len(variables) <= MOST_ALONE or "--all" in sys.argv:
            plain = LinearProgram(variables, rows)
            exact, answer = seconds(partial(plain._simplex, cost))  # noqa: SLF001
            if answer.value != found.value:
                sys.exit("the values differ")
        highs = seconds(partial(alone, variables, rows, cost))[0] if has_highs() else "       –"
        print(
            f"{len(rows):4} × {len(variables):<10} {proved}  {exact}  {highs}   {'guessed' if guessed.guessed else ''}"
        )


if __name__ == "__main__":
    main()
