"""Everyday questions: how long the program takes to decide them, beside a plain script in Fractions.

    python benchmarks/everyday.py [RUNS] [--recheck]      default: 3 runs of each, of which the fastest counts

Each question is asked of the program without the re-check (`replay=False`) and of a few plain lines in this file, which
enumerate databases and outputs. Both numbers are compared with `==`. The time of both is that of this process without
the imports: the program reads the model's text, decides, and makes the witness. With `--recheck` the re-check's own
time has a column, and how many times the deciding that is; "left out" where the checker does not take the question.
The exit status is 1 where a number differs, or a ratio is above `MOST` or `MOST_RECHECK`.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod
from typing import NamedTuple

import verifier as pk
from verifier.cli.supervisor import NEW_OBJECTS
from verifier.engine import Engine
from verifier.recheck import replayed

MOST = 3
"""The largest ratio of the program to the plain script."""
MOST_RECHECK = 1.5
"""The largest ratio of the re-check to the deciding."""
HALF = Fraction(1, 2)
Column = list[Fraction]


def noisy(count: int, high: int) -> Column:
    """A count from 0 to `high` plus geometric noise with p = 1/2, moved to the nearer end where it is outside."""

    def inside(k: int) -> Fraction:
        return Fraction(1, 3) * HALF ** abs(k - count)

    def beyond(k: int) -> Fraction:  # the noise goes at least so far
        return Fraction(2, 3) * HALF**k

    return [beyond(count), *(inside(k) for k in range(1, high)), beyond(high - count)]


def listed(columns: Sequence[Column]) -> Column:
    """The law of the list of independent outputs."""
    law = [Fraction(1)]
    for column in columns:
        law = [p * q for p in law for q in column]
    return law


def neighbours(size: int, values: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All ordered pairs of databases that differ in one record."""
    for database in product(values, repeat=size):
        for record, value in product(range(size), values):
            if value != database[record]:
                yield database, (*database[:record], value, *database[record + 1 :])


def ratio(p: Column, q: Column) -> Fraction:
    """The largest ratio of two laws that have the same outputs."""
    return max(x / y for x, y in zip(p, q, strict=True) if x)


def of_all(laws: dict[tuple[int, ...], Column], size: int, values: Sequence[int]) -> Fraction:
    """e^ε of `dp`."""
    return max(ratio(laws[d], laws[e]) for d, e in neighbours(size, values))


# --- questions --------------------------------------------------------------------------------------------------------

NOISE = 'then = [ { kind = "geometric-noise", p = "1/2" } ]'


PARTS = ((0, 1, 2, 3), (0, 1), (2, 3), (0,), (1,), (2,), (3,))


def tree() -> Fraction:
    """Seven noisy counts over four bits."""
    bits = product((0, 1), repeat=4)
    laws = {d: listed([noisy(sum(d[i] for i in part), len(part)) for part in PARTS]) for d in bits}
    return of_all(laws, 4, (0, 1))


TREE = f"""
size = 4
values = [0, 1]
[mechanism]
kind = "all"
of = [
  {{ kind = "sum", {NOISE} }},
  {", ".join(f'{{ kind = "part", records = {list(part)}, of = {{ kind = "sum", {NOISE} }} }}' for part in PARTS[1:])}
]
"""
CELLS = ("00", "01", "10", "11")
MARGINS = f"""
size = 4
values = {json.dumps(CELLS)}
[[distribution]]
iid = {{ 00 = "1/4", 01 = "1/4", 10 = "1/4", 11 = "1/4" }}
[knowledge]
kind = "all"
of = [ {{ kind = "count", values = ["00", "01"] }}, {{ kind = "count", values = ["00", "10"] }} ]
[mechanism]
kind = "all"
of = [ {", ".join(f'{{ kind = "count", value = "{cell}", {NOISE} }}' for cell in CELLS)} ]
"""


def cells() -> dict[tuple[int, ...], Column]:
    """The law of four noisy cells, by the counts of the cells."""
    counts = {tuple(d.count(v) for v in range(4)) for d in product(range(4), repeat=4)}
    return {k: listed([noisy(count, 4) for count in k]) for k in counts}


def margins_dp() -> Fraction:
    """Any two tables of which one has a person in another cell."""
    laws = cells()
    moved = [(k, a, b) for k in laws for a, b in permutations(range(4), 2) if k[a]]
    return max(ratio(laws[k], laws[tuple(n - (v == a) + (v == b) for v, n in enumerate(k))]) for k, a, b in moved)


def margins_np() -> Fraction:
    """The law given both margins and the cell of one person, against that given another cell."""
    laws = cells()
    worlds: dict[tuple[int, int], dict[int, Counter[tuple[int, ...]]]] = {}
    for d in product(range(4), repeat=4):
        k = tuple(d.count(v) for v in range(4))
        worlds.setdefault((k[0] + k[1], k[0] + k[2]), {}).setdefault(d[0], Counter())[k] += 1
    worst = Fraction(1)
    for by_value in worlds.values():
        mixed = {}
        for value, counted in by_value.items():
            columns = [[weight * p for p in laws[k]] for k, weight in counted.items()]
            mixed[value] = [sum(row) / counted.total() for row in zip(*columns, strict=True)]
        worst = max([worst, *(ratio(mixed[a], mixed[b]) for a, b in permutations(mixed, 2))])
    return worst


def response(values: int, keep: Fraction) -> list[Column]:
    """The rows of randomized response."""
    other = (1 - keep) / values
    return [[keep * (v == w) + other for w in range(values)] for v in range(values)]


def wide(values: int, keep: Fraction) -> Callable[[], Fraction]:
    """Randomized response on one record with many values: every pair of values at every output."""

    def plain() -> Fraction:
        rows = response(values, keep)
        return max(ratio(p, q) for p, q in permutations(rows, 2))

    return plain


def wide_text(values: int, keep: str) -> str:
    """The same as a model."""
    return f'size = 1\nvalues = {list(range(values))}\n[mechanism]\nkind = "randomized-response"\nkeep = "{keep}"\n'


def people(size: int) -> Fraction:
    """Randomized response of several people with one bit each."""
    rows = response(2, HALF)
    laws = {d: listed([rows[v] for v in d]) for d in product((0, 1), repeat=size)}
    return of_all(laws, size, (0, 1))


def shuffled(size: int) -> Fraction:
    """The same reports without their order: how many say 1."""
    rows = response(2, HALF)
    laws = {}
    for d in product((0, 1), repeat=size):
        law = [Fraction(0)] * (size + 1)
        for reports in product((0, 1), repeat=size):
            law[sum(reports)] += prod(rows[v][w] for v, w in zip(d, reports, strict=True))
        laws[d] = law
    return of_all(laws, size, (0, 1))


def shuffled_text(size: int) -> str:
    """Reports as a list, then sorted."""
    reports = product((0, 1), repeat=size)
    rows = ",\n".join(f"{{ input = {list(r)}, output = {sorted(r)} }}" for r in reports)
    return f"""
size = {size}
values = [0, 1]
[mechanism]
kind = "randomized-response"
keep = "1/2"
then = [ {{ rows = [
{rows}
] }} ]
"""


class Question(NamedTuple):
    """A question with the plain script that has the right e^ε."""

    name: str
    text: str
    definition: str
    epsilon: str | None
    plain: Callable[[], Fraction]


QUESTIONS = (
    Question("tree of seven noisy counts", TREE, "dp", None, tree),
    Question("margins known, cells noisy", MARGINS, "np", None, margins_np),
    Question("four noisy cells", MARGINS, "dp", None, margins_dp),
    Question("reports of five, shuffled", shuffled_text(5), "dp", None, lambda: shuffled(5)),
    Question("randomized response, 64 values", wide_text(64, "0.9"), "dp", "7", wide(64, Fraction(9, 10))),
    Question(
        "randomized response, 165 values", wide_text(165, "0.9998628"), "dp", "14", wide(165, Fraction("0.9998628"))
    ),
    Question("randomized response, 8 people", wide_text(2, "1/2").replace("size = 1", "size = 8"), "dp", None,
             lambda: people(8)),
)  # fmt: skip


def timed(make: Callable[[], object], runs: int) -> float:
    """The seconds of the processor of the fastest run."""
    return min(once(make) for _ in range(runs))


def once(make: Callable[[], object]) -> float:
    """The seconds of the processor of one run."""
    began = time.process_time()
    make()
    return time.process_time() - began


def ask(question: Question) -> pk.Verdict:
    """The program's answer, with its witness."""
    answer = pk.check(pk.loads(question.text), question.definition, epsilon=question.epsilon, replay=False)
    if answer.witness is None and answer.tightest is None:
        raise SystemExit(f"{question.name}: no witness")
    return answer


def recheck(question: Question, runs: int) -> float | None:
    """The seconds of the fastest re-check, each of which reads the model anew; None where the checker leaves it out."""
    answer = ask(question)
    if not replayed(answer, Engine(answer.model)).replayed:
        return None
    engines = [Engine(answer.model) for _ in range(runs)]
    return min(once(partial(replayed, answer, engine)) for engine in engines)


def main(runs: int, *, rechecks: bool) -> int:
    """Ask everything; 1 where a number is wrong or a ratio too large."""
    gc.set_threshold(NEW_OBJECTS)  # as the command line has it
    wrong = 0
    print(f"{'question':34}{'ε':>28}{'program':>10}{'plain':>10}{'ratio':>7}{'re-check':>10}{'ratio':>7}")
    for question in QUESTIONS:
        answer, plain = ask(question), question.plain()
        same = answer.tight_epsilon == pk.epsilon(f"ln({plain})")
        seconds = [timed(partial(ask, question), runs), timed(question.plain, runs)]
        proportion = seconds[0] / seconds[1]
        wrong += not same or proportion > MOST
        again = "–"
        if rechecks:
            spent = recheck(question, runs)
            again = "left out" if spent is None else f"{spent:.2f} s{spent / seconds[0]:>7.2f}"
            wrong += spent is not None and spent / seconds[0] > MOST_RECHECK
        name = f"{question.name}, {question.definition}"
        print(
            f"{name:34}{answer.tight_epsilon!s:>28}{seconds[0]:>8.2f} s{seconds[1]:>8.2f} s{proportion:>7.1f}"
            f"{again if same else 'WRONG':>{17 if rechecks else 10}}",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--recheck"]
    sys.exit(main(int(given[0]) if given else 3, rechecks="--recheck" in sys.argv))
