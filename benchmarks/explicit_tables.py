"""Time and memory of conditional losses on an explicit table of 2ⁿ databases, exact and not.

Run it from anywhere: `python benchmarks/explicit_tables.py [--n 8 12 16 20] [--repeat K] [--markdown FILE]`.
Every contestant works in a process of its own, several times over; the processes take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
BUDGET = 4.0
"""Seconds after which a process starts no further repeat."""
TOLERANCE = 1e-9
PATIENCE = 600
KEEP = {"MALLOC_MMAP_THRESHOLD_": "4000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}
"""Memory that was freed is used again: else page faults of fresh arrays are half of float64's time."""


def work(name: str, n: int, denominators: str, *, every: bool, repeat: int, clock: str) -> dict[str, Any]:
    """In the process of one contestant: its times in seconds, its answer, and its memory in KiB."""
    now = time.process_time if clock == "cpu" else time.perf_counter
    sys.path.insert(0, str(HERE))
    from contestants import CONTESTANTS
    from problem import Problem

    contestant = CONTESTANTS[name]
    for module in contestant.imports:
        import_module(module)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = contestant.prepare(Problem(n, denominators, every))
    times: list[float] = []
    answer = () if contestant.slow and n > 16 else run()  # not counted: caches and lazy imports
    first = time.perf_counter()
    while not times or (len(times) < repeat and time.perf_counter() - first < BUDGET):
        start = now()
        answer = run()
        times.append(now() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"times": times, "answer": [str(x) for x in answer], "before": before, "peak": peak}


def ask(name: str, n: int, denominators: str, *, every: bool, repeat: int, clock: str) -> dict[str, Any]:
    """Run one contestant in a fresh process."""
    question = [name, str(n), denominators, str(int(every)), str(repeat), clock]
    command = [sys.executable, str(Path(__file__).resolve()), "--worker", *question]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, env={**os.environ, **KEEP}
    )
    if done.returncode:
        raise SystemExit(f"{name}, n = {n}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def agree(results: dict[str, dict[str, Any]], exact: dict[str, bool]) -> None:
    """All exact answers are equal, and floating point is close."""
    true = {name: [Fraction(x) for x in found["answer"]] for name, found in results.items() if exact[name]}
    reference = next(iter(true.values()))
    for name, answer in true.items():
        if answer != reference:
            raise SystemExit(f"{name} answers {answer}, not {reference}")
    for name, found in results.items():
        if not exact[name] and any(
            abs(float(x) - y) > TOLERANCE for x, y in zip(found["answer"], reference, strict=True)
        ):
            raise SystemExit(f"{name} is not within {TOLERANCE}: {found['answer']}")


def measure(
    names: dict[str, Any], n: int, denominators: str, *, every: bool, repeat: int, clock: str
) -> dict[str, Any]:
    """One case: all contestants that are tried, in turns."""
    results: dict[str, dict[str, Any]] = {}
    for turn in range(3):
        for name, contestant in names.items():
            if n > (contestant["every"] if every else contestant["one"]) or (contestant["slow"] and turn):
                continue
            found = ask(name, n, denominators, every=every, repeat=max(1, repeat // 3), clock=clock)
            if name in results:
                assert results[name]["answer"] == found["answer"]
                results[name]["times"] += found["times"]
                results[name]["peak"] = max(results[name]["peak"], found["peak"])
            else:
                results[name] = found
            note = f"n={n} {denominators} {'every' if every else 'one'} {name} {median(found['times']):.6f} s"
            print(note, file=sys.stderr)
    agree(results, {name: contestant["exact"] for name, contestant in names.items()})
    return results


def shown(seconds: float) -> str:
    """A time with two or three digits and a unit."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            value = seconds * factor
            return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"
    return ""


def ratio(value: float) -> str:
    """A ratio with two digits, or none behind the point."""
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


RIVALS = ("integers", "icepool", "lea", "fractions")


def table(names: dict[str, Any], sizes: list[int], cases: dict[int, dict[str, Any]]) -> list[str]:
    """Markdown: times by size, then ratios and memory at the largest size."""
    top = max(sizes)
    found = cases[top]
    medians = {name: median(result["times"]) for name, result in found.items()}
    rivals = {name: seconds for name, seconds in medians.items() if name in RIVALS}
    head = ["contestant", *(f"n = {n}" for n in sizes), "÷ float64", "÷ fastest rival"]
    head += ["icepool ÷", "lea ÷", "Fraction ÷", "MiB peak", "MiB before"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name, contestant in names.items():
        cells = [contestant["label"]]
        for n in sizes:
            result = cases[n].get(name)
            mark = "¹" if result and len(result["times"]) == 1 else ""
            cells.append(shown(median(result["times"])) + mark if result else "–")
        if name in found:
            limit = medians["float-ready" if name.endswith("ready") else "float"]
            cells += [ratio(medians[name] / limit)]
            cells += [ratio(medians[name] / min(rivals.values())) if rivals else "–"]
            for rival in ("icepool", "lea", "fractions"):
                cells.append(ratio(medians[rival] / medians[name]) if rival in medians else "–")
            cells += [f"{found[name][key] / 1024:.0f}" for key in ("peak", "before")]
        else:
            cells += ["–"] * 7
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    """Measure, check, and print Markdown."""
    if sys.argv[1:2] == ["--worker"]:
        name, n, denominators, scope, repeat, clock = sys.argv[2:]
        found = work(name, int(n), denominators, every=scope == "1", repeat=int(repeat), clock=clock)
        print(json.dumps(found))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=[8, 12, 16, 20])
    parser.add_argument("--repeat", type=int, default=30, help="repeats of a fast contestant, in three turns")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: on a shared machine")
    parser.add_argument("--only", nargs="+", help="contestants by name; float-ready and float are needed")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    asked = parser.parse_args()
    # the list is read in a process of its own, so that this one stays small: a child's peak memory
    # counts from what its parent held when it was started
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from contestants import CONTESTANTS as C; "
        "print(json.dumps({k: {'label': c.label, 'exact': c.exact, 'slow': c.slow, 'one': c.one, "
        "'every': c.every} for k, c in C.items()}))"
    )
    names = json.loads(subprocess.check_output([sys.executable, "-c", code, str(HERE)], text=True))
    if asked.only:
        names = {name: names[name] for name in names if name in asked.only}
    lines: list[str] = []
    for every in (False, True):
        for denominators in ("common", "coprime"):
            cases = {
                n: measure(names, n, denominators, every=every, repeat=asked.repeat, clock=asked.clock)
                for n in sorted(asked.n)
            }
            targets = "all targets (records 3 … n-1)" if every else "one target (record n-1)"
            kind = "one common denominator" if denominators == "common" else "pairwise coprime denominators"
            lines += [f"### {targets[0].upper()}{targets[1:]}, {kind}", ""]
            lines += [*table(names, sorted(asked.n), cases), ""]
    bare = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    memory = int(subprocess.check_output([sys.executable, "-c", bare], text=True)) / 1024
    lines.append(f"¹ one run. – not tried. A bare interpreter peaks at {memory:.0f} MiB.")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if asked.markdown:
        asked.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
