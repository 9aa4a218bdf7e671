"""How long it takes to decide what follows from what, of all mechanisms: each pair of linear definitions on each shape.

    python benchmarks/linear_pairs.py [SHAPES.toml]      default: linear_pairs.toml, beside this file

For each ordered pair of the definitions whose rows on a shape are linear in the mechanism the exchange rate at
ε = ln 2 is decided over every mechanism, with multipliers, an extreme mechanism that is asked about, and the replay.
Both cores work. Printed are, for each shape, how many definitions are linear there, and of how many pairs the target
follows with the same ε, with another finite one, or with none; and the time beside the target.
"""

from __future__ import annotations

import resource
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from verifier import build, exchange
from verifier.model import Model
from verifier.numbers import epsilon
from verifier.wings.relations.matrix_build import linear_definitions
from verifier.wings.relations.matrix_parts import passport_key

CORES, TARGET, LEAST = 2, 60, 36
"""Processes; seconds for all of it; definitions that are linear on some shape."""
EPSILON = "ln(2)"
ANSWERS = ("the same ε", "another ε", "no finite ε", "nothing is compared")
Shape = dict[str, Any]


def model_of(shape: Shape) -> Model:
    """The shape as a model; its mechanism, a count, plays no part."""
    given = {key: value for key, value in shape.items() if key != "name"}
    return build(**given, mechanism={"kind": "count", "value": shape["values"][-1]})


def answers_from(shape: Shape, source: str, targets: Sequence[str]) -> list[tuple[str, str, str]]:
    """The answer of each pair of one source."""
    model, listed = model_of(shape), []
    for target in targets:
        answer = exchange(model, passport_key(source), passport_key(target), epsilon=EPSILON)
        rate = answer.tight_epsilon
        if answer.verdict == "vacuous":
            word = ANSWERS[3]
        elif rate is None:
            raise SystemExit(f"{shape['name']}: {source} and {target} are {answer.verdict}: {answer.reason}")
        elif rate.is_infinite:
            word = ANSWERS[2]
        else:
            word = ANSWERS[0] if rate <= epsilon(EPSILON) else ANSWERS[1]
        listed.append((source, target, word))
    return listed


def main(path: Path) -> None:
    """Decide every pair, and print the counts and the time."""
    shapes: list[Shape] = tomllib.loads(path.read_text(encoding="utf-8"))["shape"]
    began = time.perf_counter()
    every: set[str] = set()
    pairs = 0
    with ProcessPoolExecutor(CORES) as pool:
        asked = []
        for shape in shapes:
            linear = linear_definitions(model_of(shape))
            every |= set(linear)
            asked.append(
                [pool.submit(answers_from, shape, one, [key for key in linear if key != one]) for one in linear]
            )
        for shape, parts in zip(shapes, asked, strict=True):
            counts = Counter(word for *_, word in chain.from_iterable(part.result() for part in parts))
            pairs += counts.total()
            words = ", ".join(f"{counts[word]} {word}" for word in ANSWERS)
            print(f"{shape['name']}: {len(parts)} linear definitions, {counts.total()} pairs: {words}")
    spent = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = used.ru_utime + used.ru_stime
    print(
        f"{pairs} pairs of {len(every)} definitions on {len(shapes)} shapes: {spent:.1f} s (target: {TARGET} s), "
        f"{busy:.1f} s of processor time on {CORES} cores"
    )
    if len(every) < LEAST:
        raise SystemExit(f"only {len(every)} definitions are linear on a shape; wanted at least {LEAST}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".toml"))
