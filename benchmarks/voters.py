"""How long a passport of n identical voters takes, from 1 to 10,000, by each way that can answer.

    python benchmarks/voters.py [N …] [--mechanism count|threshold-count] [--known 2] [--delta 1/20]

Each voter says yes with probability 1/10; seconds of processor time, one fresh engine a passport. `chosen` is the way
that the costs choose, with the independent re-check; the other columns force a way and leave the re-check out. What
would take long is left out by its cost (–).
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import verifier as pk
from verifier.engine import Engine

SIZES = (*range(1, 21), 25, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
WAYS = ("table", "sum", "ball")
PATIENCE = 5_000
"""Milliseconds of one question beyond which a forced way is left out."""


def voters(size: int, kind: str, known: int) -> pk.Model:
    """A count of identical voters, or one above a quarter of them."""
    mechanism: dict[str, Any] = {"kind": kind, "value": 1}
    if kind == "threshold-count":
        mechanism["above"] = size // 4
    return pk.build(
        size=size,
        values=[0, 1],
        distribution={"iid": {0: "9/10", 1: "1/10"}},
        mechanism=mechanism,
        **({"knowledge": {"records": list(range(min(known, size)))}} if known else {}),
    )


def seconds(model: pk.Model, way: str, delta: str) -> str:
    """The processor time of a passport, as text; – where it would take long or cannot be."""
    engine = Engine(model, force=way)
    began = time.process_time_ns()
    try:
        cost = engine.table_cost if way == "table" else engine.cost
        if way != "ball" and cost.milliseconds > PATIENCE:
            return "–"
        answers = pk.overview(model, delta=delta, engine=engine, replay=not way)
        for answer in answers:
            answer.to_json()
    except pk.PkdpError:
        return "–"
    left = sum(answer.verdict == "unsupported" for answer in answers)
    spent = (time.process_time_ns() - began) // 10_000_000
    return f"{spent // 100}.{spent % 100:02d}{f' ({left} unsupported)' if left else ''}"


def main() -> None:
    """Print the times as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--mechanism", choices=("count", "threshold-count"), default="count")
    parser.add_argument("--known", type=int, default=0)
    parser.add_argument("--delta", default="0")
    asked = parser.parse_args()
    print(f"| n | way | chosen | {' | '.join(WAYS)} |\n|---|---|---|---|---|---|")
    for size in asked.sizes:
        model = voters(size, asked.mechanism, asked.known)
        times = [seconds(model, way, asked.delta) for way in ("", *WAYS)]
        print(f"| {size:,} | {Engine(model).method} | {' | '.join(times)} |", flush=True)


if __name__ == "__main__":
    main()
