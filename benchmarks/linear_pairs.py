"""How long it takes to decide what follows from what, of all mechanisms: each pair of linear definitions on each shape.

    python benchmarks/linear_pairs.py [SHAPES.toml]      default: linear_pairs.toml, beside this file

For each ordered pair of the definitions whose rows on a shape are linear in the mechanism the exchange rate at
ε = ln 2 is decided over every mechanism, with multipliers; of one pair in fifty the extreme mechanism is asked about
and the certificate replayed, too. Both cores work. Printed are, for each shape, how many definitions are linear there,
and of how many pairs the target follows with the same ε, with another finite one, or with none; and the time beside the
target.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "matrix"))

from pair_rates import PairRate, pair_rates, rows_by_definition

from verifier import build, convert
from verifier.model import Model
from verifier.numbers import Epsilon, epsilon
from verifier.wings.implications.parts import decided, passport_key

CORES, TARGET, LEAST = 2, 60, 36
"""Processes; seconds for all of it; definitions that are linear on some shape."""
EPSILON = "ln(2)"
PARTS = 4
"""Parts of the definitions of a shape, each for one process."""
CHECKED = 50
"""Of so many pairs one is asked about again, with an extreme mechanism and the checker."""
ANSWERS = ("the same ε", "another ε", "no finite ε")
Shape = dict[str, Any]


def model_of(shape: Shape) -> Model:
    """The shape as a model; its mechanism, a count, plays no part."""
    given = {key: value for key, value in shape.items() if key != "name"}
    return build(**given, mechanism={"kind": "count", "value": shape["values"][-1]})


def rates_from(shape: Shape, sources: Sequence[str]) -> list[PairRate]:
    """The smallest ε of each pair with one of the sources; `convert` has the same of every `CHECKED`-th pair."""
    model = model_of(shape)
    rates = list(pair_rates(rows_by_definition(model, map(passport_key, decided())), EPSILON, sources))
    for source, target, rate in rates[::CHECKED]:
        answer = convert(model, source, target, epsilon=EPSILON)
        if answer.tight_epsilon != rate:
            raise SystemExit(f"{shape['name']}: {source} and {target} have {rate} and {answer.tight_epsilon}")
    return rates


def word_of(rate: Epsilon | None) -> str:
    """What a rate says of a pair.

    Raises:
        SystemExit: where it is not decided.

    """
    if rate is None:
        raise SystemExit("a pair is not decided")
    if rate.is_infinite:
        return ANSWERS[2]
    return ANSWERS[0] if rate <= epsilon(EPSILON) else ANSWERS[1]


def main(path: Path) -> None:
    """Decide every pair, and print the counts and the time."""
    shapes: list[Shape] = tomllib.loads(path.read_text(encoding="utf-8"))["shape"]
    began = time.perf_counter()
    every: set[str] = set()
    pairs = 0
    with ProcessPoolExecutor(CORES) as pool:
        asked = []
        for shape in shapes:
            linear = list(rows_by_definition(model_of(shape), map(passport_key, decided())))
            every |= set(linear)
            asked.append([pool.submit(rates_from, shape, linear[k::PARTS]) for k in range(PARTS)])
        for shape, parts in zip(shapes, asked, strict=True):
            rates = list(chain.from_iterable(part.result() for part in parts))
            counts = Counter(word_of(rate) for *_, rate in rates)
            pairs += counts.total()
            sources = {source for source, *_ in rates}
            words = ", ".join(f"{counts[word]} {word}" for word in ANSWERS)
            print(f"{shape['name']}: {len(sources)} linear definitions, {len(rates)} pairs: {words}")
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
