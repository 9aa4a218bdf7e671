"""Sources of output distributions, timed beside a plain script in one run: seconds here, and seconds there.

Run it from anywhere: `python benchmarks/programs.py [NAME …]`. Each part below is a function that yields rows: what is
asked, the answer here and its seconds, the answer of the plain script and its seconds, and a published time if any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from time import perf_counter
from typing import Any, NamedTuple

import verifier as pk

Masses = list[tuple[Fraction, Fraction]]


class Row(NamedTuple):
    """One question, and what was measured."""

    question: str
    here: str
    seconds: float
    there: str
    plain_seconds: float
    published: str = ""


def timed(ask: Callable[[], Any]) -> tuple[Any, float]:
    """What is answered, and the seconds that it takes."""
    start = perf_counter()
    return ask(), perf_counter() - start


def lists(masses: Masses, times: int) -> Iterator[tuple[Fraction, Fraction]]:
    """The probabilities of the lists of k outputs under both laws, by how often each output comes."""
    if len(masses) == 1:
        yield masses[0][0] ** times, masses[0][1] ** times
        return
    (p, q), rest = masses[0], masses[1:]
    for count in range(times + 1):
        orders = comb(times, count)
        for x, y in lists(rest, times - count):
            yield orders * p**count * x, orders * q**count * y


def plain_epsilon(masses: Masses, times: int, delta: Fraction) -> str:
    """The smallest ε of one direction at δ, by sorting all lists by their ratios, with fractions alone."""
    a = b = Fraction(0)
    for p, q in sorted(lists(masses, times), key=lambda row: row[0] / row[1], reverse=True):
        if b and a - b * (p / q) > delta:
            break
        a, b = a + p, b + q
    return pk.epsilon(f"ln({(a - delta) / b})").decimal() if len(str(a)) < 4000 else "too long to print"


def runs() -> Iterator[Row]:
    """Many runs of mechanisms with two and with three likelihood ratios; the answer here is re-checked."""
    delta = "1/1000000"
    response = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    first, second = ([Fraction(weight, 30) for weight in weights] for weights in ((2, 3, 25), (5, 11, 14)))
    unrelated = list(zip(first, second, strict=True))
    for name, masses, times in (
        ("randomized response", response, 20),
        ("randomized response", response, 1000),
        ("three unrelated ratios", unrelated, 100),
    ):
        laws = [{str(k): row[side] for k, row in enumerate(masses)} for side in (0, 1)]
        model = pk.build(size=1, values=[0, 1], mechanism=lambda database, laws=laws: laws[database[0]])
        answer, seconds = timed(lambda: pk.all_runs(model, times, definitions=["dp"], deltas=[delta]))  # noqa: B023
        (definition,) = answer.definitions
        ways = [masses, [(q, p) for p, q in masses]]
        plain, plain_seconds = timed(lambda: max(plain_epsilon(way, times, Fraction(delta)) for way in ways))  # noqa: B023
        re_checked = "re-checked" if definition.replayed else "not re-checked"
        found = f"{definition.epsilons[0].value.decimal()}, {re_checked}"
        yield Row(f"{times} runs of {name}, ε at δ = {delta}", found, seconds, plain, plain_seconds)


PARTS: dict[str, Callable[[], Iterator[Row]]] = {"runs": runs}
"""The parts by their names."""


def main() -> None:
    """Print the rows of the parts that are named, or of all."""
    for name in sys.argv[1:] or PARTS:
        print(name)
        for row in PARTS[name]():
            published = f"; published: {row.published}" if row.published else ""
            print(f"  {row.question}")
            print(f"    here   {row.seconds:8.3f} s  {row.here}")
            print(f"    plain  {row.plain_seconds:8.3f} s  {row.there}{published}")


if __name__ == "__main__":
    main()
