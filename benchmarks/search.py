"""How many models the search decides in a second, how far it gets in a minute, how fast the first hits come.

Run it from anywhere: `python benchmarks/search.py [--seconds 60] [--jobs 2] [--sample 2000] [--markdown FILE]`.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from model_ways import enumerate_models
from search_naive import deltas

from verifier.errors import LimitError
from verifier.questions.check import check
from verifier.questions.language import statement
from verifier.questions.statement import Statement
from verifier.wings.search import enumeration
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import Progress, find
from verifier.wings.search.layers import admit
from verifier.wings.search.orbits import NONE, Symmetry, count
from verifier.wings.search.question import SearchQuestion
from verifier.wings.search.scope import Scope
from verifier.wings.search.shards import ask, shards

FACTOR = Fraction(2)
SATISFIED, VIOLATED = statement("np(ln(2))"), statement("cdp(ln(2))")
SPEED = [
    ("2 records, 2 values, 2 outputs", Scope(2, 2, 2, 1, weights=12, mechanism_weights=4)),
    ("2 records, 3 values, 2 outputs", Scope(2, 3, 2, 1, weights=4, mechanism_weights=2)),
]
MOST = 10**12
SMALL = Scope(2, 2, 2, 1, weights=4, mechanism_weights=2)
USUAL = Scope(2, 2, 2, 2)
FIRST = [
    ("np(0)", "cdp(0)", USUAL),
    ("np(e)", "cdp(2*e)", USUAL),
    ("cdp(ln(2))", "np(ln(2))", Scope(2, 2, 2, 2, weights=4, mechanism_weights=6)),
    ("dp(e)", "np(e)", Scope(2, 2, 2, 2, weights=4, mechanism_weights=6)),
    ("cdp(0)", "dp(0)", USUAL),
    ("ppkdp(0, 1/2)", "apkdp(0, 1/2)", USUAL),
    ("ppkdp(ln(2), 1/10)", "apkdp(ln(2), 1/10)", Scope(2, 2, 2, 2, weights=11, mechanism_weights=1)),
    ("tail-ppkdp(0, 1/2)", "tail-apkdp(0, 1/2)", USUAL),
    ("apkdp(ln(2), 1/4)", "tail-apkdp(ln(2), 1/4)", USUAL),
    ("ibcdp(0, 1/4)", "np(0, 1/4)", USUAL),
    ("acceptable and np(0)", "cdp(0)", USUAL),
    ("np(e)", "twice(np(e))", USUAL),
]
EXHAUSTED = [
    ("np(ln(2))", "cdp(ln(2))"),
    ("", "independent => np(e) iff cdp(e)"),
    ("apkdp(ln(2), 1/10)", "ppkdp(ln(2), 1/10)"),
    ("dp(e)", "cdp(e)"),
    ("cdp(ln(2))", "ibcdp(ln(2))"),
]


@dataclass(frozen=True)
class WithoutSymmetry(SearchQuestion):
    """The same question, asked of every model."""

    @property
    def symmetry(self) -> Symmetry:
        """No renaming."""
        return NONE


class OutOfTimeError(Exception):
    """The budget of one search is spent."""


def forget() -> None:
    """Clear the caches of distributions and mechanisms."""
    for kept in (enumeration.laws, enumeration._all_mechanisms, enumeration._some_mechanisms):  # noqa: SLF001
        kept.cache_clear()


def timed(scope: Scope, kind: type[SearchQuestion]) -> tuple[float, int, int]:
    """Seconds, models that were decided, and wanted ones, for the whole scope in this process."""
    forget()
    question = kind((SATISFIED,), VIOLATED, scope, exhaust=True)
    start = time.perf_counter()
    results = [ask(question, shard) for shard in shards(question)]
    return time.perf_counter() - start, sum(one.orbits for one in results), sum(one.found for one in results)


def row(*cells: object) -> str:
    """One line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*cells: str) -> list[str]:
    """The first two lines of a table."""
    return [row(*cells), "|" + "---|" * len(cells)]


def some_models(scope: Scope, number: int) -> list[Candidate]:
    """Models of the largest shape at random, the same each time."""
    draw = Random(1)  # noqa: S311
    shape = (scope.records, scope.values, scope.outputs, scope.knowledge)
    databases = scope.values**scope.records

    def weights(total: int, parts: int) -> tuple[int, ...]:
        places = [draw.randrange(parts) for _ in range(total)]
        return tuple(places.count(k) for k in range(parts))

    totals = (scope.weights, scope.mechanism_weights)
    return [
        Candidate(
            *shape,
            *totals,
            weights(totals[0], databases * scope.knowledge),
            tuple(weights(totals[1], scope.outputs) for _ in range(databases)),
        )
        for _ in range(number)
    ]


def naive(one: Candidate) -> bool:
    """NP and not CDP at e^ε = 2, by the Fractions."""
    found = deltas(one, FACTOR)
    return found is not None and found[0] <= 0 < found[1]


def checked(one: Candidate) -> bool:
    """The same by `check`, without its replay."""
    model = one.model()
    verdicts = [check(model, name, epsilon="ln(2)", replay=False).verdict for name in ("np", "cdp")]
    return verdicts == ["holds", "fails"]


def cells(models: int, seconds: float, naive_rate: float) -> list[str]:
    """Models, seconds, models per second, how many times as many as the naive loop."""
    rate = models / seconds
    return [f"{models:,}", f"{seconds:.2f}", f"{rate:,.0f}", f"{rate / naive_rate:,.0f}"]


def speed(sample: int) -> list[str]:
    """Part 1: models per second."""
    every = [one for one, _ in enumerate_models(SMALL, NONE)]
    if sum(map(naive, every)) != timed(SMALL, WithoutSymmetry)[2]:
        raise SystemExit("the naive loop and the batches find different numbers of models")
    lines = head("models", "contestant", "models", "seconds", "models/s", "÷ naive", "orbits/s")
    for name, scope in SPEED:
        size = count(scope)
        some = some_models(scope, sample)
        question = SearchQuestion((SATISFIED,), VIOLATED, scope)
        start = time.perf_counter()
        slow = [naive(one) for one in some]
        middle = time.perf_counter()
        mine = [checked(one) for one in some]
        end = time.perf_counter()
        if not slow == mine == [question.is_wanted(one) for one in some]:
            raise SystemExit("the naive loop and the checkers disagree")
        rate = len(some) / (middle - start)
        plain, decided, wanted = timed(scope, WithoutSymmetry)
        quick, orbits, _ = timed(scope, SearchQuestion)
        if decided != size.models or orbits != size.orbits:
            raise SystemExit("the search did not look at all models")
        checks, factor = len(some) / (end - middle), size.models / size.orbits
        search = f"the search: batches, symmetry ÷ {factor:.1f}"
        batches = f"batches, no symmetry ({wanted:,} wanted)"
        lines += [
            row(name, "naive loop in Fractions", f"{len(some):,}", f"{middle - start:.2f}", f"{rate:,.0f}", 1, ""),
            row(
                "",
                "`check` twice",
                f"{len(some):,}",
                f"{end - middle:.2f}",
                f"{checks:,.0f}",
                f"{checks / rate:.1f}",
                "",
            ),
            row("", batches, *cells(decided, plain, rate), ""),
            row("", search, *cells(size.models, quick, rate), f"{size.orbits / quick:,.0f}"),
        ]
        print("\n".join(lines[-4:]), flush=True)
    return lines


def ladder() -> list[tuple[int, Scope]]:
    """Scopes that can be looked through, by their number of orbits."""
    found = []
    sizes = product((2, 3), (2, 3), (2, 3), (1, 2, 3), (4, 6, 8, 12), (1, 2, 4))
    for n, t, o, c, k, m in sizes:
        scope = Scope(n, t, o, c, weights=k, mechanism_weights=m)
        try:
            scope.admit(MOST)
            admit(scope)
        except LimitError:
            continue
        found.append((count(scope).orbits, scope))
    return sorted(found, key=lambda one: one[0])


def statements(satisfied: str, violated: str) -> tuple[tuple[Statement, ...], Statement]:
    """The two sides."""
    return ((statement(satisfied),) if satisfied else ()), statement(violated)


def exhausted(satisfied: str, violated: str, seconds: float, jobs: int) -> str:
    """Part 2: the largest scope of the ladder that is looked through in the time."""
    rungs, given = ladder(), f"`{satisfied}`" if satisfied else "–"
    best = row(given, f"`{violated}`", "nothing in the time", *[""] * 5)
    low, high, rate = -1, len(rungs), 100_000.0
    while True:
        # what should take 60 % of the time at the rate so far, or less where that was too much
        reach = [k for k in range(low + 1, high) if rungs[k][0] <= 0.6 * seconds * rate]
        if not reach:
            break
        at = reach[-1]
        orbits, scope = rungs[at]
        forget()
        start = time.perf_counter()

        def stop(_: Progress, start: float = start) -> None:
            if time.perf_counter() - start > seconds:
                raise OutOfTimeError

        sides = statements(satisfied, violated)
        try:
            hit = find(SearchQuestion(*sides, scope, exhaust=True), jobs=jobs, progress=stop, max_models=MOST)
        except OutOfTimeError:
            if low >= 0:
                break
            high, rate = at, rate / 8
            continue
        low, took = at, time.perf_counter() - start
        rate = orbits / took
        shape = f"{scope.records}, {scope.values}, {scope.outputs}, {scope.knowledge}"
        grid = f"{scope.weights}, {scope.mechanism_weights}"
        counts = (f"{hit.checked:,}", f"{hit.orbits:,}", f"{hit.checked / hit.orbits:.1f}", f"{took:.1f}")
        best = row(given, f"`{violated}`", f"{hit.found:,}", f"{shape}; {grid}", *counts)
    return best


def first_hits() -> list[str]:
    """Part 3: the time until the smallest model is found, for some pairs."""
    size = "smallest model: records, values, outputs, knowledge, worlds; denominators"
    lines = head("satisfied", "violated", size, "models up to it", "orbits", "seconds")
    for satisfied, violated, scope in FIRST:
        forget()
        start = time.perf_counter()
        hit = find(SearchQuestion(*statements(satisfied, violated), scope))
        took = time.perf_counter() - start
        found = hit.candidate.size if hit.candidate else ()
        shown = f"{', '.join(map(str, found[:5]))}; {found[5]}, {found[6]}" if found else "none in scope"
        counts = (f"{hit.checked:,}", f"{hit.orbits:,}", f"{took:.2f}")
        lines.append(row(f"`{satisfied}`", f"`{violated}`", shown, *counts))
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each question of part 2")
    parser.add_argument("--jobs", type=int, default=2, help="processes of part 2")
    parser.add_argument("--sample", type=int, default=2000, help="models that the naive loop decides")
    parser.add_argument("--parts", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--markdown", type=Path, help="write the tables to a file")
    given = parser.parse_args()
    lines: list[str] = []
    if 1 in given.parts:
        lines += ["### Models per second: `np(ln(2))` and not `cdp(ln(2))`", "", *speed(given.sample), ""]
    if 2 in given.parts:
        scope = "scope: records, values, outputs, knowledge; weights"
        lines += [f"### The largest scope in {given.seconds:g} s, {given.jobs} processes", ""]
        lines += head("satisfied", "violated", "wanted orbits", scope, "models", "orbits", "÷", "seconds")
        for pair in EXHAUSTED:
            lines.append(exhausted(*pair, given.seconds, given.jobs))
            print(lines[-1], flush=True)
        lines.append("")
    if 3 in given.parts:
        lines += ["### First hits", "", *first_hits(), ""]
    if given.markdown:
        given.markdown.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
