"""How long all definitions of DP22 take: one model with the re-check, and a hundred random ones without it.

    python benchmarks/atlas.py [MODELS]      default: 100

Each model has three records, two values, three outputs, two distributions and every field of `[policy]`; as in
`pkdp check MODEL --atlas` the definitions of one model share an engine. Printed are seconds of processor time beside
the targets, the slowest definitions, and how many are decided.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import product
from random import Random
from typing import Any

from verifier import atlas, build, check
from verifier.engine import Engine
from verifier.model import Model
from verifier.questions.atlas import atlas_of

ONE, ALL = 2, 60
"""Targets in seconds: one model with the re-check, a hundred without it."""
OUTPUTS = "xyz"
DATABASES = [list(d) for d in product((0, 1), repeat=3)]
POLICY: dict[str, Any] = {
    "absent": 0,
    "adversaries": [[0, []], [0, [1]]],
    "agg": ["identity", "constant"],
    "at-most": "1",
    "attributes": {"0": ["x"], "1": ["y"]},
    "bits": {"0": "0", "1": "1"},
    "blocks": [[0, 1], [2]],
    "coupled": [{"agg": {"records": [j for j in range(3) if j != i]}, "priv": {"records": [i]}} for i in range(3)],
    "databases": DATABASES[:5],
    "dependence": [[0, 1]],
    "distance": "hamming",
    "divergence": "chi-squared",
    "error": "1/10",
    "fixed": [0, 1, 1],
    "gamma": "1/10",
    "graph": [[0, 1]],
    "group": 2,
    "image": {"x": "a", "y": "a", "z": "b"},
    "leak": {"x": "a", "y": "a", "z": "b"},
    "levels": ["1", "2", "1/2"],
    "mu": 1,
    "neighbours": "any",
    "omega": 3,
    "order": 2,
    "pairs": [[[0, 0, 0], [1, 1, 1]]],
    "predicate": [["1", "-2", "1/4"]],
    "prior": {"0": "1/2", "1": "1/2"},
    "rate": "1/2",
    "record": 0,
    "scale": [[[0, 1], "2"]],
    "secrets": [[[[0, 0, 0]], [[1, 1, 1], [0, 1, 1]]]],
    "sensitive": [1],
    "statistic": [[d, str(sum(d))] for d in DATABASES],
    "tailored": [[0, [0, 0, 0], "2"]],
    "tests": [{"x": "1", "y": "1/2"}],
    "theta-distances": [["up", "down", "1"]],
    "theta-pairs": [["up", "down"]],
    "tradeoff": [["0", "1/2"], ["1/2", "1/8"], ["1", "0"]],
    "views": [{"x": "1", "y": "1", "z": "2"}, {"x": "1", "y": "2", "z": "2"}],
    "xi": "1/10",
}


def random_model(seed: int) -> Model:
    """Three records, and laws of three outputs by small integers."""
    random, rows = Random(seed), []  # noqa: S311 - not a secret
    for database in DATABASES:
        weights = [random.randint(1, 5) for _ in OUTPUTS]
        law = {o: f"{w}/{sum(weights)}" for o, w in zip(OUTPUTS, weights, strict=True)}
        rows.append({"database": database, "outputs": law})
    thetas = [{"name": "up", "iid": {0: "1/3", 1: "2/3"}}, {"name": "down", "iid": {0: "2/3", 1: "1/3"}}]
    return build(size=3, values=[0, 1], distribution=thetas, mechanism={"table": rows}, policy=POLICY)


def main(models: int) -> None:
    """Ask everything, and print the times beside the targets."""
    atlas_of(random_model(models + 1), replay=False)  # what is imported and read once
    began = time.process_time()
    entries = atlas_of(random_model(0))
    one = time.process_time() - began
    print(f"all {len(entries)} definitions on one model, with the re-check: {one:.2f} s (target: {ONE} s)")
    print(dict(Counter(entry.verdict.verdict for entry in entries)))
    spent = dict.fromkeys(atlas, 0.0)
    for seed in range(1, models + 1):
        model = random_model(seed)
        engine = Engine(model)
        for key in atlas:
            began = time.process_time()
            check(model, atlas[key], engine=engine, replay=False)
            spent[key] += time.process_time() - began
    target = f"(target: {ALL * models / 100:g} s)"
    print(f"on {models} models without it: {sum(spent.values()):.1f} s {target}; the slowest:")
    for key, seconds in sorted(spent.items(), key=lambda entry: -entry[1])[:10]:
        print(f"  {key}: {seconds / models:.3f} s a model")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
