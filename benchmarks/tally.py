"""How long one pass over many models takes, in which all definitions with rational measures are asked at four (ε, δ).

    python benchmarks/tally.py [--jobs 1] [--weights 4] [--mechanism-weights 3] [--sample 40]

Each definition of DP22 that blocks decide, and the project's own, is asked at four (ε, δ), or at four ε where it has no
δ, or once where it has no ε. A sample of the models is asked by `check`, and must answer the same. Printed are models,
wall and processor seconds, and what a million models would take at this rate.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from model_ways import enumerate_models, tally

from verifier.definitions import find
from verifier.definitions.atlas import atlas
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.model import build
from verifier.questions.check import check
from verifier.questions.language import statement
from verifier.questions.statement import Holds
from verifier.wings.search.batch.statement import is_batched
from verifier.wings.search.orbits import NONE, count
from verifier.wings.search.policies import admit_policy, policy_keys, policy_text
from verifier.wings.search.scope import Scope

MILLION = 10**6
POLICY: dict[str, Any] = {
    "absent": 0,
    "at-most": "1",
    "attributes": {"0": ["x", "z"], "1": ["y", "z"]},
    "bits": {"0": "0", "1": "1"},
    "distance": "hamming",
    "divergence": "chi-squared",
    "error": "1/4",
    "gamma": "1/4",
    "graph": [[0, 1]],
    "group": 2,
    "image": {"u": "a", "v": "a", "w": "b"},
    "leak": {"u": "a", "v": "a", "w": "b"},
    "order": 2,
    "predicate": [["1", "-2", "1/4"]],
    "prior": {"0": "1/3", "1": "2/3"},
    "scale": [[[0, 1], "2"]],
    "sensitive": [1],
    "tests": [{"u": "1", "v": "1/2"}],
    "tradeoff": [["0", "1/2"], ["1/2", "1/8"], ["1", "0"]],
}
"""The fields of `[policy]` that a model of one record and one of two can both have."""
WITH_DELTA = ("(0, 1/10)", "(ln(2), 0)", "(ln(2), 1/10)", "(ln(3), 1/4)")
WITHOUT_DELTA = ("(epsilon=0)", "(epsilon=ln(2))", "(epsilon=ln(3))", "(epsilon=1/2)")


def questions(scope: Scope) -> list[str]:
    """Every definition that blocks decide and that has what it reads, at its four points."""
    keys = dict.fromkeys([*(atlas[key].key for key in atlas), "tail-apkdp", "tail-ppkdp", "tail-cdp"])
    asked = []
    for key in keys:
        definition = find(key)
        if not is_batched(Holds(key, None)):
            continue
        points: tuple[str, ...] = WITH_DELTA if definition.has_delta else WITHOUT_DELTA
        if isinstance(definition.compare, Scheme) and not definition.compare.has_epsilon:
            points = ("",)
        try:
            admit_policy(policy_text(POLICY), scope, [statement(f"{key}{point}") for point in points])
        except UnsupportedError:
            continue
        asked += [f"{key}{point}" for point in points]
    return asked


def compare(told: Any, scope: Scope, sample: int) -> None:
    """Ask some models one by one; a way of the pass must have their verdicts."""
    text, models = policy_text(POLICY), [model for model, _ in enumerate_models(scope, NONE)]
    began = time.process_time()
    for candidate in Random(1).sample(models, sample):  # noqa: S311
        engine = Engine(build(**candidate.keys(), **policy_keys(text)))
        verdicts = tuple(
            check(engine.model, q.definition, epsilon=q.epsilon, delta=q.delta, engine=engine, replay=False).verdict
            for q in told.questions
        )
        if verdicts not in told.ways:
            raise SystemExit(f"{candidate} answers {verdicts}, and no model of the pass does")
    seconds = (time.process_time() - began) / sample
    print(f"{sample} of them one by one, with the same verdicts: {seconds:.2f} processor seconds a model")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--weights", type=int, default=4)
    parser.add_argument("--mechanism-weights", type=int, default=3)
    parser.add_argument("--outputs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=40)
    given = parser.parse_args()
    scope = Scope(2, 2, given.outputs, 1, weights=given.weights, mechanism_weights=given.mechanism_weights)
    asked = questions(scope)
    definitions = {question.partition("(")[0] for question in asked}
    print(f"{scope}: {count(scope, NONE).models:,} models; {len(definitions)} definitions, {len(asked)} questions")
    wall, processor = time.perf_counter(), time.process_time()
    told = tally(asked, scope, policy=POLICY, jobs=given.jobs)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    models = sum(way.models for way in told.ways.values())
    opened = [str(q) for k, q in enumerate(told.questions) if any(way[k] == "open" for way in told.ways)]
    print(f"{models:,} models in {len(told.ways):,} ways: {wall:.1f} s, {processor:.1f} s of this process")
    print(f"{len(told.separations()):,} of {len(asked) * (len(asked) - 1):,} ordered pairs of questions are separated")
    print(f"left open in some model: {', '.join(opened) or 'nothing'}")
    minutes, busy = (seconds * MILLION / models / 60 for seconds in (wall, processor))
    print(f"a million models at this rate, extrapolated: {minutes:.1f} minutes, {busy:.1f} of this process")
    if not opened:
        compare(told, scope, given.sample)


if __name__ == "__main__":
    main()
