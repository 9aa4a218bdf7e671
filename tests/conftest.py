"""One hypothesis profile for all tests: no deadline, the same examples every time. `--fast` is for while you work.

A property whose examples take long looks at some tens of them; `--thorough` looks at five times as many of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from verifier.cli import waiting
from verifier.definitions import DEFINITIONS

settings.register_profile(
    "pkdp",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("pkdp")

# A slow machine says that it is still working; tests read the answer alone. Those about waiting set their own patience.
waiting.PATIENCE = 10**9

FEW_EXAMPLES = 4
"""Examples of a property under `--fast`."""
THOROUGH = 5
"""How many times as many examples under `--thorough`: hours, for a change of what everything rests on."""
FAST = frozenset(
    {
        "test_acceptability.py", "test_algebraic.py", "test_api.py", "test_bijections.py", "test_centre.py",
        "test_composing.py", "test_definitions.py", "test_dependency.py", "test_engines.py",
        "test_normalization_given.py", "test_house.py", "test_ledger.py", "test_mathml.py", "test_numbers.py",
        "test_own.py", "test_profile.py", "test_relations.py", "test_replay_kinds.py", "test_replay_labels.py",
        "test_restricted.py", "test_rows.py", "test_language.py", "test_signs.py", "test_sizes.py",
        "test_statements.py", "test_strength.py", "test_tables.py",
    }
)  # fmt: skip
"""What `--fast` runs beside the doctests: files of every room whose tests take moments on few examples."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="the house's rules and a sample of the tests, in seconds")
    parser.addoption("--few", type=int, metavar="N", help="at most N examples of each property")
    parser.addoption("--thorough", action="store_true", help="five times as many examples of each property, in hours")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `--fast` keep the quick files; under it and `--few` look at few examples, under `--thorough` at many."""
    most = config.getoption("--few")
    if config.getoption("--fast"):
        kept = [item for item in items if item.path.name in FAST or not item.path.name.startswith("test_")]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
        most = FEW_EXAMPLES
    times = THOROUGH if config.getoption("--thorough") else 1
    if most is None and times == 1:
        return
    properties: dict[int, Any] = {}
    for item in items:
        test: Any = getattr(item, "obj", None)
        if getattr(test, "_hypothesis_internal_use_settings", None) is not None:
            function = getattr(test, "__func__", test)
            properties[id(function)] = function  # all cases of a test are one function
    for function in properties.values():
        asked = function._hypothesis_internal_use_settings
        examples = asked.max_examples * times if most is None else min(most, asked.max_examples)
        function._hypothesis_internal_use_settings = settings(asked, max_examples=examples)


@pytest.fixture(autouse=True)
def _own_definitions_are_forgotten() -> Iterator[None]:
    """What a test registers is gone after it; the tests of a worker share one registry."""
    before = dict(DEFINITIONS)
    yield
    DEFINITIONS.clear()
    DEFINITIONS.update(before)
