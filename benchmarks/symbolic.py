"""Whole families: for which p a definition holds. This project beside sympy alone, in one run; processor time.

    python benchmarks/symbolic.py [--limit 60] [--largest 8]

Three tables. 1: three records with one parameter, every definition. 2: the thresholded referendum of eight voters,
every definition. 3: NP and PPKDP of a thresholded count of n voters, one vote known, against two programs that use
sympy alone (symbolic_naive.py); a contestant that runs into the limit is not asked for a larger n. What they answer is
compared at rational p, with the project's ordinary engine as well.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from symbolic_naive import Question, by_cells, by_inequality

from verifier import DEFINITIONS, check
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import loads_any, read_any
from verifier.wings.families.decide import decide_family

EPSILON, FACTOR, DELTA = "ln(2)", Fraction(2), Fraction(1, 10)
POINTS = [Fraction(k, 61) for k in range(1, 61)]

HEAD = 'size = 3\nvalues = [0, 1]\n[parameters]\np = { from = "0", to = "1" }\n[[distribution]]\n'
THREE = {
    "independent, the count": HEAD + 'iid = { 0 = "1 - p", 1 = "p" }\n[mechanism]\nkind = "count"\nvalue = 1\n',
    "independent, one known, count above 1": HEAD
    + 'iid = { 0 = "1 - p", 1 = "p" }\n[knowledge]\nrecords = [0]\n'
    + '[mechanism]\nkind = "threshold-count"\nvalue = 1\nabove = 1\n',
    "a chain, one known, the count": HEAD
    + 'network = [ { record = 0, table = { 0 = "1/2", 1 = "1/2" } }, '
    + ", ".join(
        f"{{ record = {k}, given = [{k - 1}], rows = [ "
        '{ when = [0], table = { 0 = "1 - p", 1 = "p" } }, { when = [1], table = { 0 = "p", 1 = "1 - p" } } ] }'
        for k in (1, 2)
    )
    + ' ]\n[knowledge]\nrecords = [0]\n[mechanism]\nkind = "count"\nvalue = 1\n',
    "different votes, sampled with 1 - p, the sum": HEAD
    + 'independent = [ { 0 = "1/3", 1 = "2/3" }, { 0 = "1/2", 1 = "1/2" }, { 0 = "1 - p", 1 = "p" } ]\n'
    + '[mechanism]\nkind = "sum"\nsample = "1 - p"\n',
}


class TimeIsUpError(Exception):
    """The limit was reached."""


def timed(limit: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time and answer; None for an answer that took too long or was not found."""

    def stop(*_: object) -> None:
        raise TimeIsUpError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    start = time.process_time()
    try:
        answer = work()
    except (TimeIsUpError, NotImplementedError):
        answer = None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return time.process_time() - start, answer


def every_definition(families: dict[str, Family]) -> None:
    """Each definition once on each family."""
    for title, family in families.items():
        total, slowest = 0.0, (0.0, "")
        decided = 0
        for name in DEFINITIONS:
            spent, answer = timed(600, partial(decide_family, family, name, epsilon=EPSILON, delta=DELTA))
            if answer.reason:
                continue
            decided += 1
            total += spent
            slowest = max(slowest, (spent, name))
        print(f"| {title} | {decided} | {total:.2f} | {slowest[1]}, {slowest[0]:.2f} |", flush=True)


def referendum(n: int) -> Family:
    """The referendum of n voters with the same p, the first known, a count above n/2."""
    text = (
        THREE["independent, one known, count above 1"]
        .replace("size = 3", f"size = {n}")
        .replace("above = 1", f"above = {n // 2}")
    )
    family = loads_any(f"{text}[sensitive]\nrecords = [{n - 1}]\n")
    if not isinstance(family, Family):
        raise TypeError("no family")
    return family


def holds(family: Family, definition: str) -> Callable[[Fraction], bool]:
    """Where the symbolic answer says that it holds."""
    answer = decide_family(family, definition, epsilon=EPSILON, delta=DELTA)
    return lambda at: any(interval.has(at) for interval in answer.where["holds"])


def side_by_side(largest: int, limit: int) -> None:
    """The three contestants for growing n."""
    contestants = {"cells": by_cells, "inequality": by_inequality}
    gone: set[str] = set()
    for n in range(2, largest + 1):
        family = referendum(n)
        for definition in ("np", "ppkdp"):
            spent, ours = timed(limit, partial(holds, family, definition))
            exact = [check(family.at({"p": at}), definition, epsilon=EPSILON, delta=DELTA) for at in POINTS]
            if [one.verdict == "holds" for one in exact] != [ours(at) for at in POINTS]:
                raise SystemExit(f"n = {n}, {definition}: the engine says otherwise")
            cells = [f"{spent:.2f} s"]
            question = Question(n, 1, n // 2, definition, FACTOR, DELTA)
            for name, contestant in contestants.items():
                if name in gone:
                    cells.append("–")
                    continue
                spent, answer = timed(limit, partial(contestant, question))
                if answer is None:
                    gone.add(name)
                    cells.append(f"not within {limit} s")
                    continue
                same = [answer(at) for at in POINTS] == [ours(at) for at in POINTS]
                cells.append(f"{spent:.2f} s, {'==' if same else '✗'}")
            print(f"| {n} | {definition} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=60, help="seconds for each contestant")
    parser.add_argument("--largest", type=int, default=8, help="the largest n of the third table")
    given = parser.parse_args()
    print("### Three records, one parameter\n")
    print("| family | definitions | all, s | slowest, s |\n|---|---|---|---|")
    three = {title: loads_any(text) for title, text in THREE.items()}
    every_definition({title: one for title, one in three.items() if isinstance(one, Family)})
    print("\n### Eight voters, for every p\n")
    print("| family | definitions | all, s | slowest, s |\n|---|---|---|---|")
    eight = read_any(models_folder() / "family" / "thresholded-referendum.toml")
    every_definition({"thresholded referendum": eight} if isinstance(eight, Family) else {})
    print("\n### Beside sympy alone\n")
    print("| n | definition | this project | sympy, cells | sympy, one inequality |\n|---|---|---|---|---|")
    side_by_side(given.largest, given.limit)


if __name__ == "__main__":
    main()
