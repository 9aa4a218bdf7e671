"""How long questions about mechanisms that are written as programs take, beside plain scripts, in one run.

    python benchmarks/programs.py [shuffles …]

Each part has a function, which yields rows: what is asked, the answer, seconds of the processor from the command line
(`pkdp check … --no-replay`, with the start of the program), and those of a plain script that computes the same number,
or nothing where that would take too long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import comb
from pathlib import Path

Row = tuple[str, str, float, float | None]
Masses = list[tuple[Fraction, Fraction]]
PKDP = Path(sys.executable).with_name("pkdp")


def children_seconds() -> float:
    """Seconds of the processor of all commands so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def asked(model: str, *options: str) -> tuple[str, float]:
    """The line `smallest δ` of an answer from the command line, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        file.write_text(model, encoding="utf-8")
        start = children_seconds()
        command = [str(PKDP), "check", str(file), "--no-replay", *options]
        printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        seconds = children_seconds() - start
    line = next((line for line in printed.splitlines() if line.startswith("smallest δ")), "smallest δ -")
    return line.removeprefix("smallest δ").strip(), seconds


def shuffled_plainly(values: int, size: int) -> Fraction:
    """δ at e^ε = 2 of shuffled randomized response with e^ε₀ = 3: counts of reports, added one by one, as fractions."""
    law = [[Fraction(3 if x == y else 1, values + 2) for y in range(values)] for x in range(values)]
    added: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {(): {(0,) * values: Fraction(1)}}

    def counts(database: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
        if database not in added:
            result: dict[tuple[int, ...], Fraction] = {}
            for so_far, p in counts(database[1:]).items():
                for y, q in enumerate(law[database[0]]):
                    key = (*so_far[:y], so_far[y] + 1, *so_far[y + 1 :])
                    result[key] = result.get(key, Fraction(0)) + p * q
            added[database] = result
        return added[database]

    worst = Fraction(0)
    for others in combinations_with_replacement(range(values), size - 1):
        for a, b in permutations(range(values), 2):
            first, second = (counts(tuple(sorted((*others, v)))) for v in (a, b))
            worst = max(worst, sum((max(Fraction(0), p - 2 * second[key]) for key, p in first.items()), Fraction(0)))
    return worst


def shuffles() -> Iterator[Row]:
    """`dp` of shuffled randomized response, each report ln(3)-DP, at ε = ln(2)."""
    for values, size, plain in (
        (2, 10, True),
        (2, 100, False),
        (2, 500, False),
        (3, 10, True),
        (3, 20, False),
        (3, 50, False),
    ):
        model = f'size = {size}\nvalues = {list(range(values))}\n[mechanism]\nkind = "shuffle"\nepsilon = "ln(3)"\n'
        answer, seconds = asked(model, "--definition", "dp", "--epsilon", "ln(2)")
        own: float | None = None
        if plain:
            start = time.process_time()
            delta = shuffled_plainly(values, size)
            own = time.process_time() - start
            if not answer.startswith(f"{delta} "):
                raise AssertionError(f"{answer}, and {delta} plainly")
        yield f"{size} reports of {values} values", answer, seconds, own


def composed(model: str, *options: str) -> tuple[str, float]:
    """The exact ε of `pkdp compose`, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        file.write_text(model, encoding="utf-8")
        start = children_seconds()
        command = [str(PKDP), "compose", str(file), *options, "--max-digits", "100000"]
        printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        seconds = children_seconds() - start
    answer = json.loads(printed)
    if not answer["replayed"]:
        raise AssertionError(f"not re-checked: {answer['unchecked']}")
    return answer["tight_epsilon"], seconds


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


def plain_epsilon(masses: Masses, times: int, delta: Fraction) -> Fraction:
    """The smallest e^ε of one direction at δ, by sorting all lists by their ratios, with fractions alone."""
    a = b = Fraction(0)
    for p, q in sorted(lists(masses, times), key=lambda row: row[0] / row[1], reverse=True):
        if b and a - b * (p / q) > delta:
            break
        a, b = a + p, b + q
    return (a - delta) / b


def runs() -> Iterator[Row]:
    """`dp` of many runs at δ = 1/1000000, re-checked: randomized response, and three unrelated likelihood ratios."""
    delta = Fraction(1, 10**6)
    first, second = ([Fraction(weight, 30) for weight in weights] for weights in ((2, 3, 25), (5, 11, 14)))
    unrelated = list(zip(first, second, strict=True))
    response = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    for name, masses, times in (
        ("randomized response", response, 20),
        ("randomized response", response, 1000),
        ("three unrelated ratios", unrelated, 100),
    ):
        rows = ""
        for side in (0, 1):
            outputs = ", ".join(f'o{k} = "{row[side]}"' for k, row in enumerate(masses))
            rows += f"  {{ database = [{side}], outputs = {{ {outputs} }} }},\n"
        model = f"size = 1\nvalues = [0, 1]\n[mechanism]\ntable = [\n{rows}]\n"
        options = ("--times", str(times), "--definition", "dp", "--delta", str(delta), "--json")
        answer, seconds = composed(model, *options)
        start = time.process_time()
        growth = max(plain_epsilon(way, times, delta) for way in (masses, [(q, p) for p, q in masses]))
        own = time.process_time() - start
        if answer != f"ln({growth})":
            raise AssertionError(f"{answer}, and {growth} plainly")
        yield f"{times} runs of {name}", answer, seconds, own


PARTS: dict[str, Callable[[], Iterator[Row]]] = {"shuffles": shuffles, "runs": runs}


def main() -> None:
    """Print the rows of the parts that are named, or of all."""
    for name in sys.argv[1:] or PARTS:
        print(f"{name}: {(PARTS[name].__doc__ or '').splitlines()[0]}")
        for what, answer, seconds, plain in PARTS[name]():
            beside = "" if plain is None else f"   plainly {plain:.2f} s"
            print(f"  {what:<28} {answer[-40:]:>40} {seconds:8.2f} s{beside}")


if __name__ == "__main__":
    main()
