"""Every solution of the course is right, every tempting answer is wrong: here, and in the interpreter of a page."""

from __future__ import annotations

import pytest
from course_run import NOTEBOOKS, run
from examined import at_least_one

from verifier import course as kit


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_solutions_pass_their_own_checks_and_wrong_answers_are_told_why(name: str) -> None:
    _, defs = run(name)
    for key, task in at_least_one(defs.items()):
        if not isinstance(task, kit.Exercise):
            continue
        assert task.tried(task.solution).state == "right", key
        assert len(task.hints) >= 2, key
        assert task.html.count("<details>") == 1, f"{key}: before the first answer only a nudge can be opened"
        assert task.tempting, f"{key}: wrong answers that a reader may give"
        for wrong in task.tempting:
            tried = task.tried(wrong)
            assert tried.state in {"wrong", "unreadable"}, (key, wrong)
            assert len(tried.explanation) > 10, (key, wrong)
        if isinstance(task.solution, str):
            assert task.tried("x/0").state in {"unreadable", "wrong", "right"}, "never an exception"
            assert task.tried("  ").state == "open", key
