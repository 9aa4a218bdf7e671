"""The engines without a table: exact δ of a referendum, beside the fastest product of its factors, and its rivals.

Run it from anywhere: `python benchmarks/referendum.py [--quick] [--parts 1 2 3 4] [--markdown FILE]`. Every contestant
works in a process of its own; the processes take turns. It prints Markdown and draws `benchmarks/referendum.svg`
(`build/referendum.svg` with `--quick`, whose sizes are small).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from explicit_tables import BUDGET, KEEP, ratio, shown
from referendum_large import DIGITS, LARGE, Large, UnavailableError
from referendum_problem import Case, decimal_text, wrong
from referendum_rivals import CONTESTANTS, exact_classes, was_replayed

HERE = Path(__file__).resolve().parent
NEEDED = ("limit", "flint")
GROWTH = {"limit": "one product tree of n factors", "flint": "python-flint by hand", "ours": "this project"}
Found = dict[str, Any]


def work(job: Mapping[str, Any]) -> Found:
    """In the process of one contestant: its times in seconds, its answer, and its memory in KiB."""
    large, name = job["part"] == "large", job["name"]
    contestant: Any = (LARGE if large else CONTESTANTS)[name]
    try:
        for module in contestant.imports:
            import_module(module)
    except ModuleNotFoundError as error:
        return {"said": f"not installed: {error.name}"}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    case: Any = (Large if large else Case)(**job["case"])
    now = time.process_time if job["clock"] == "cpu" else time.perf_counter
    try:
        run = contestant.prepare(case)
        start = now()
        answer = run()  # counted only where it is slow: caches and lazy imports
        times = [now() - start]
    except UnavailableError as error:
        return {"said": str(error), "missing": True}
    if times[0] < BUDGET:
        times, first = [], time.perf_counter()
        while not times or (len(times) < job["repeat"] and time.perf_counter() - first < BUDGET):
            start = now()
            answer = run()
            times.append(now() - start)
    found: Found = {"times": times, "before": before, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}
    if large:
        found["digits"] = answer
    elif answer is not None and contestant.exact:
        found["lines"] = [[f"{x.numerator:x}/{x.denominator:x}" for x in line] for line in answer]
        found["decimals"] = [decimal_text(line) for line in answer]
    elif answer is not None:
        found["values"], found["classes"] = answer[:2], answer[2]
    if job["part"] == "table" and name == "flint":
        found["classes"] = exact_classes(case)
    if job["part"] == "table" and name == "ours-replay":
        found["note"] = was_replayed(case)
    return found


def ask(job: Mapping[str, Any], patience: float) -> Found:
    """Run one contestant in a fresh process; what cannot be answered is said."""
    command = [sys.executable, str(Path(__file__).resolve()), "--worker", json.dumps(job)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=patience, check=False, env={**os.environ, **KEEP}
        )
    except subprocess.TimeoutExpired:
        return {"said": f"no answer within {patience:.0f} s"}
    if done.returncode:
        if job["name"] in NEEDED:
            raise SystemExit(f"{job}: {done.stderr}")
        return {"said": f"fails: {(done.stderr.strip() or str(done.returncode)).splitlines()[-1]}"}
    found: Found = json.loads(done.stdout)
    return found


def measure(part: str, case: Case | Large, names: Sequence[str], asked: argparse.Namespace) -> dict[str, Found]:
    """One case: all contestants, in turns; who is slow or says something has one turn."""
    results: dict[str, Found] = {}
    turns = 1 if asked.quick else 3
    given = {key: value for key, value in asdict(case).items() if value is not None}
    for turn in range(turns):
        for name in names:
            job = {"part": part, "name": name, "case": given, "clock": asked.clock}
            old = results.get(name, {})
            if turn and ("said" in old or (sum(old["times"]) > 2 * BUDGET and name != "limit")):
                continue
            found = ask({**job, "repeat": max(1, asked.repeat // turns)}, asked.patience)
            if old and "times" in found:
                found["times"] += old["times"]
                found["peak"] = max(found["peak"], old["peak"])
                assert found.get("lines") == old.get("lines")
            results[name] = found
            told = found.get("said") or f"{median(found['times']):.6f} s"
            print(f"{case} {name}: {told}", file=sys.stderr)
    agree(results)
    return results


def agree(results: Mapping[str, Found]) -> None:
    """All exact answers are equal."""
    true = {
        name: [Fraction(*(int(part, 16) for part in text.split("/"))) for line in found["lines"] for text in line]
        for name, found in results.items()
        if "lines" in found
    }
    for name, answer in true.items():
        if answer != true.get("flint", answer):
            raise SystemExit(f"{name} has another answer than flint: {results[name]['decimals']}")


def row(*cells: str) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def cost(found: Found) -> list[str]:
    """The median time and the memory."""
    mark = "¹" if len(found["times"]) == 1 else ""
    return [shown(median(found["times"])) + mark, f"{(found['peak'] - found['before']) / 1024:.0f}"]


def table(case: Case, asked: argparse.Namespace) -> list[str]:
    """Parts 1 and 2: all contestants on one question."""
    names = [k for k, one in CONTESTANTS.items() if case.kind in one.kinds and case.n <= one.most]
    results = measure("table", case, names, asked)
    exact = results["flint"]
    if "lines" not in exact:
        raise SystemExit(f"no exact answer: {exact['said']}")
    p = "p = 10⁻⁷ for all" if case.kind == "identical" else f"pᵢ = (i + 1)/{10 * case.n:,}"
    lines = [
        f"### {case.n:,} voters, {p}, {case.known} known, told above {case.above}",
        "",
        "Exact: δ of APKDP {}, of PPKDP {}.".format(*exact["decimals"]),
        "",
        row("contestant", "median", "÷ limit", "MiB", "APKDP", "PPKDP", f"wrong of {case.known + 1} classes"),
        "|" + "---|" * 7,
    ]
    notes = []
    for name in names:
        found, label = results[name], CONTESTANTS[name].label
        if "said" in found:
            lines.append(row(label, found["said"], *["–"] * 5))
            continue
        over = ratio(median(found["times"]) / median(results["limit"]["times"])) if "times" in results["limit"] else "–"
        seconds, memory = cost(found)
        cells = ["–"] * 3
        if "lines" in found:
            cells = ["==", "==", "exact"]
        elif "values" in found:
            bad = [wrong(x, y) for x, y in zip(found["classes"], exact["classes"], strict=True)]
            zeros = sum(x == 0 != Decimal(y) for x, y in zip(found["classes"], exact["classes"], strict=True))
            cells = [
                f"{x:.11e}" + (" ✗" if wrong(x, y) else "")
                for x, y in zip(found["values"], exact["decimals"], strict=True)
            ]
            cells.append(f"{sum(bad)}" + (f" ({zeros} are 0)" if zeros else ""))
        lines.append(row(label, seconds, over, memory, *cells))
        if "note" in found:
            notes += [f"With the checker, {found['note']}.", ""]
    return [*lines, "", *notes]


def digits_of(answer: Sequence[str], true: Sequence[str]) -> int:
    """How many digits of both δ are right."""
    least = DIGITS
    for x, y in zip(map(Decimal, answer), map(Decimal, true), strict=True):
        if x != y:
            least = min(least, max(0, -((x - y) / y if y else Decimal(1)).adjusted() - 1))
    return least


def millions(size: int, asked: argparse.Namespace) -> list[str]:
    """Part 3: 30 digits of δ for very many identical voters."""
    lines = [
        f"### {size:,} identical voters, {DIGITS} digits",
        "",
        row("p", "known", "told", "contestant", "median", "MiB", "APKDP", "PPKDP", "right digits"),
        "|" + "---|" * 9,
    ]
    names, notes = [name for name, one in LARGE.items() if size <= one.most], set[str]()
    for yes in (1, 30):
        for known in (0, size * 99 // 100):
            for threshold in (False, True):
                case = Large(size, yes, known, threshold)
                results = measure("large", case, names, asked)
                judge = "by-hand" if "by-hand" in results else "mpmath"
                true = results[judge].get("digits")
                told = f"above {case.above:,}" if threshold else "always"
                start = [f"{Fraction(yes, 100)}", f"{known:,}", told]
                for name in names:
                    found, label = results[name], LARGE[name].label
                    if "missing" in found:
                        notes.add(f"{label}: {found['said']}.")
                        continue
                    if "said" in found:
                        lines.append(row(*start, label, found["said"], *["–"] * 4))
                        continue
                    right = str(digits_of(found["digits"], true)) if true else "–"
                    shown_digits = "reference" if name == judge else right
                    lines.append(row(*start, label, *cost(found), *found["digits"], shown_digits))
                    if name in {"ours", "mpmath"} and right not in {str(DIGITS), "–"}:
                        raise SystemExit(f"{name} has {found['digits']}, not {true}, in {case}")
    return [*lines, "", *(part for note in sorted(notes) for part in (note, ""))]


def growth(asked: argparse.Namespace) -> list[str]:
    """Part 4: how cost grows with n and with the number of known voters; and the drawing."""
    size = 100 if asked.quick else 1000
    sizes = (20, 50, 100) if asked.quick else (100, 200, 500, 1000, 2000, 5000)
    knowns = (0, 5, 20, 40) if asked.quick else (0, 10, 50, 100, 200, 400)
    cases = {
        "voters": {n: Case(n, n // 10, n // 10, "rising") for n in sizes},
        "known voters": {known: Case(size, known, size // 10, "rising") for known in knowns},
    }
    titles = {"voters": "a tenth of the voters known", "known voters": f"{size:,} voters"}
    panels: dict[str, dict[str, list[tuple[int, float]]]] = {}
    lines = ["### How cost grows", "", "pᵢ = (i + 1)/(10 n), told above n/10.", ""]
    for x, by_size in cases.items():
        panels[x] = {name: [] for name in GROWTH}
        lines += [
            f"{titles[x][0].upper()}{titles[x][1:]}:",
            "",
            row(x, *GROWTH.values(), "ours ÷ limit"),
            "|" + "---|" * 5,
        ]
        for at, case in by_size.items():
            results = measure("growth", case, list(GROWTH), asked)
            found = {name: median(one["times"]) for name, one in results.items() if "times" in one}
            for name, seconds in found.items():
                panels[x][name].append((at, seconds))
            over = ratio(found["ours"] / found["limit"]) if {"ours", "limit"} <= set(found) else "–"
            cells = [shown(found[name]) if name in found else results[name]["said"] for name in GROWTH]
            lines.append(row(f"{at:,}", *cells, over))
        lines.append("")
    from referendum_plot import drawing

    path: Path = asked.plot or (Path("build") if asked.quick else HERE) / "referendum.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(drawing(panels, titles, GROWTH), encoding="utf-8")
    return [*lines, f"![seconds against size]({path.name})", ""]


def main() -> None:
    """Measure, check, print Markdown, and draw."""
    if sys.argv[1:2] == ["--worker"]:
        print(json.dumps(work(json.loads(sys.argv[2]))))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one turn")
    parser.add_argument("--parts", type=int, nargs="+", choices=(1, 2, 3, 4), default=[1, 2, 3, 4])
    parser.add_argument("--repeat", type=int, default=15, help="repeats of a fast contestant, in three turns")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: on a shared machine")
    parser.add_argument("--patience", type=float, default=600, help="seconds after which a process is ended")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    parser.add_argument("--plot", type=Path, help="write the drawing to this file")
    asked = parser.parse_args()
    first, second, third = (60, 120, 2000) if asked.quick else (1000, 10**4, 10**7)
    lines: list[str] = []
    if 1 in asked.parts:
        for kind in ("rising", "identical"):
            lines += table(Case(first, first // 10, first // 10, kind), asked)
    if 2 in asked.parts:
        lines += table(Case(second, min(100, second // 10), second // 10, "rising"), asked)
    if 3 in asked.parts:
        lines += millions(third, asked)
    if 4 in asked.parts:
        lines += growth(asked)
    lines.append("¹ one run. – not answered. ✗ wrong in the 6th digit.")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if asked.markdown:
        asked.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
