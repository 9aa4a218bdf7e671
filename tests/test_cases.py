"""Cases by hand, as data: each is asked of every source of laws, and of the checker.

A table `[[case]]` in `tests/cases/*.toml` has the text of a model file, the questions about it with their answers, as
in [[expect]] of a model file, and `why` they are the answers; a case without one belongs to the case before it. Of a
witness it says as much as counts; a question that is too large is `refused` with these words. With an `observer` the
case is as they see it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.engine import Engine
from verifier.model.read import observed

QUESTION = ("epsilon", "delta", "reading")
ALIKE = ("verdict", "tight_epsilon", "tight_delta")
"""What is the same whatever lists the laws; the others are promised of the source that the program takes by itself."""
UNDERIVED = {"unsupported", "undecided"}
CASES = [
    (f"{path.stem} {number}", case)
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for number, case in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["case"])
]

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
@pytest.mark.parametrize("source", ["", "rows", "columns", "sum"], ids=lambda source: source or "any")
def test_a_case_has_its_answers(case: dict[str, Any], source: str) -> None:
    model = pk.loads(case["file"])
    if "observer" in case:
        model = observed(model, case["observer"])
    engine = Engine(model, force=source)
    for asked in at_least_one(case["asked"]):
        question = {key: asked[key] for key in QUESTION if key in asked}
        if "refused" in asked:
            if not source:
                with pytest.raises(pk.PkdpError, match=asked["refused"]):
                    pk.check(model, asked["definition"], **question)
            continue
        try:
            answer = pk.check(model, asked["definition"], engine=engine, **question)
        except pk.LimitError:
            assert source, asked
            continue
        if source and answer.verdict == "unsupported":
            continue
        found = answer.to_json()
        promised = [key for key in asked if key not in {"definition", *QUESTION} and (key in ALIKE or not source)]
        assert told({key: found[key] for key in promised}, asked) == {key: asked[key] for key in promised}, asked
        underived = answer.verdict in UNDERIVED or "replayed" in asked
        assert answer.replayed or underived or answer.method in {"enclosure", source}, asked


def told(found: Any, promised: Any) -> Any:
    """What is promised, as it was found: of a table its promised keys alone, and "none" of what is null."""
    if isinstance(promised, dict) and isinstance(found, dict):
        return {key: told(value, promised[key]) for key, value in found.items() if key in promised}
    return "none" if found is None else found


def test_every_room_of_cases_begins_with_a_reason() -> None:
    assert all("why" in case for name, case in CASES if name.endswith(" 0"))
    assert sum(len(case["asked"]) for _, case in CASES) > 150
