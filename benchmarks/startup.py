"""Wall time of whole processes: `pkdp --help` and a `pkdp check` of two records.

Run it from anywhere: `python benchmarks/startup.py [--runs 15]`. The aim for `pkdp --help` is a median of 0.2 s.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

MODEL = """\
title = "Two records"
size = 2
values = [0, 1]

[[distribution]]
independent = [ { 0 = "2/3", 1 = "1/3" }, { 0 = "3/5", 1 = "2/5" } ]

[knowledge]
records = [0]

[mechanism]
kind = "count"
value = 1
"""


def timed(arguments: list[str], runs: int, statuses: set[int]) -> list[float]:
    """The wall times of a command, in seconds; the first run, which fills the caches, is not counted."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        times.append(time.perf_counter() - start)
        if done.returncode not in statuses:
            raise SystemExit(f"{' '.join(arguments[1:])} ended with {done.returncode}: {done.stderr}")
    return times[1:]


def main() -> None:
    """Print the medians as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    pkdp = str(Path(sys.executable).with_name("pkdp"))
    print("| process | median (s) | least | most |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "two.toml"
        model.write_text(MODEL, encoding="utf-8")
        asked = ["--definition", "apkdp", "--epsilon", "ln(2)"]
        for label, arguments, statuses in (
            ("`python -c pass`", [sys.executable, "-c", "pass"], {0}),
            ("`pkdp --help`", [pkdp, "--help"], {0}),
            (
                "`pkdp check`, two records, one definition, JSON",
                [pkdp, "check", str(model), *asked, "--json"],
                {0, 1},
            ),
            ("`pkdp check`, two records, one definition", [pkdp, "check", str(model), *asked], {0, 1}),
            ("`pkdp check`, two records, the passport", [pkdp, "check", str(model)], {0}),
        ):
            times = timed(arguments, runs, statuses)
            print(f"| {label} | {median(times):.3f} | {min(times):.3f} | {max(times):.3f} |")


if __name__ == "__main__":
    main()
