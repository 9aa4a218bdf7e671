"""The answers that a family's file promises, compared with what is computed."""

from __future__ import annotations

from collections.abc import Callable

from verifier.model.parameters import Family
from verifier.questions.expect import ExpectationResult
from verifier.wings.families.decide import VERDICTS, decide_family


def compare_family(family: Family, tick: Callable[[int, int], object] | None = None) -> list[ExpectationResult]:
    """Answer every question of the family's file and compare the sets of values, as texts.

    `tick(done, total)` is called after each question.
    """
    outcomes = []
    for promised in family.expected:
        question = {key: promised[key] for key in ("epsilon", "delta", "reading") if key in promised}
        answer = decide_family(family, promised["definition"], **question)  # type: ignore[arg-type]
        differences = tuple(
            (key, promised[key], answer.text(key))
            for key in VERDICTS
            if key in promised and promised[key] != answer.text(key)
        )
        words = " ".join([promised["definition"], *(f"{key}={value}" for key, value in question.items())])
        outcomes.append(ExpectationResult(words, differences))
        if tick:
            tick(len(outcomes), len(family.expected))
    return outcomes
