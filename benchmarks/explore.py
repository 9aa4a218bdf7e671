"""How long the explorer takes to answer: each question, on models of 10, 30, 100 and 300 worlds.

Run it from anywhere: `python benchmarks/explore.py [--runs 5]`. Each document is new, as after a keystroke; the
aim is a median under 200 ms for a hundred worlds. Side by side: records of two values, and two records of many.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from verifier.wings.explore.answers import definitions
from verifier.wings.explore.routes import Session

ROWS = (10, 30, 100, 300)
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "passport, first rows": ("passport", {"budget": 80}),
    "passport, all, re-checked": ("passport", {}),
    "answer np": ("answer", {"definition": "np", "epsilon": "ln(2)"}),
    "answer cdp": ("answer", {"definition": "cdp", "epsilon": "ln(2)"}),
    "answer ddp": ("answer", {"definition": "ddp"}),
    "profile of apkdp": ("profile", {"definition": "apkdp"}),
    "loss table": ("loss", {}),
    "acceptable": ("acceptable", {}),
    "to a table": ("expand", {"to": "mechanism-table"}),
    "save": ("write", {}),
}


def document(rows: int, seed: int, *, binary: bool) -> dict[str, Any]:
    """A random distribution on so many databases, record 0 known, and a random answer on each database."""
    draw = random.Random(seed)  # noqa: S311
    size = (rows - 1).bit_length() if binary else 2
    values = [0, 1] if binary else list(range(next(k for k in range(2, 99) if k * k >= rows)))
    every = list(itertools.product(values, repeat=size))
    weights = [draw.randint(1, 9) for _ in range(rows)]
    worlds = zip(draw.sample(every, rows), weights, strict=True)
    told = ([draw.randint(1, 9) for _ in "xyz"] for _ in every)
    return {
        "size": size,
        "values": values,
        "distribution": [{"table": [{"database": [*d], "probability": f"{w}/{sum(weights)}"} for d, w in worlds]}],
        "knowledge": {"records": [0]},
        "mechanism": {
            "table": [
                {"database": [*d], "outputs": {o: f"{k}/{sum(law)}" for o, k in zip("xyz", law, strict=True)}}
                for d, law in zip(every, told, strict=True)
            ]
        },
    }


def timed(name: str, asked: dict[str, Any], documents: Iterator[dict[str, Any]]) -> list[int]:
    """Milliseconds of work for each answer, every document new; 0 where it was refused."""
    found = []
    for one in documents:
        session = Session()
        start = time.process_time_ns()
        answer = session.post(name, {"document": one, **asked})
        found.append(0 if "problems" in answer else (time.process_time_ns() - start) // 1_000_000)
    return found


def main() -> None:
    """Print the medians as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    definitions()
    print("Milliseconds of work (one core), median and worst; – is refused.\n")
    heads = [f"{rows} worlds, {kind}" for kind in ("bits", "pairs") for rows in ROWS]
    print("| question | " + " | ".join(heads) + " |\n|---|" + "---|" * len(heads))
    for label, (name, asked) in ASKED.items():
        cells = []
        for binary, rows in itertools.product((True, False), ROWS):
            times = timed(name, asked, (document(rows, seed, binary=binary) for seed in range(runs)))
            cells.append(f"{median(times):.0f} ({max(times)})" if all(times) or not max(times) else "–")
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
