"""One hypothesis profile for all tests: no deadline, the same examples every time. `--fast` is for while you work."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from verifier.cli import waiting

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
FAST = (
    "test_house.py",
)  # fmt: skip
"""What `--fast` runs: at least one file a room, of those that take seconds; browsers, processes and searches do not."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="the house's rules and a sample of the tests, in seconds")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under `--fast` keep the quick files, and look at few examples of each property."""
    if not config.getoption("--fast"):
        return
    kept = [item for item in items if item.path.name in FAST or item.path.suffix == ".py" and "tests" not in item.path.parts]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
    for item in items:
        test = getattr(item, "obj", None)
        asked = getattr(test, "_hypothesis_internal_use_settings", None)
        if test is not None and asked is not None and asked.max_examples > FEW_EXAMPLES:
            function = getattr(test, "__func__", test)
            function._hypothesis_internal_use_settings = settings(asked, max_examples=FEW_EXAMPLES)
