"""One hypothesis profile for all tests: no deadline, the same examples every time. `--fast` is for while you work.

A property whose examples take long looks at some tens of them. What looks at many cases of one kind, and takes long, is
marked `sweep(n)`: it looks at one in n of its examples or cases, at none of them where n is 0; a property that has no
mark, at one in three of its examples. `--turn` looks at other cases at each number, and at one in three of the tests
that are left out otherwise. `--whole` looks at all of them, and `--thorough` at five times as many examples of each
property.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sweeps import chosen, seldom

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
A_THIRD = pytest.mark.sweep(3)
"""The mark of a property that has no other."""
THOROUGH = 5
"""How many times as many examples under `--thorough`: hours, for a change of what everything rests on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="the house's rules and a sample of the tests, in seconds")
    parser.addoption("--few", type=int, metavar="N", help="at most N examples of each property")
    parser.addoption("--turn", type=int, metavar="N", help="other cases at each number, and some of the tests left out")
    parser.addoption("--whole", action="store_true", help="every example and case of what is marked as a sweep")
    parser.addoption("--thorough", action="store_true", help="five times as many examples of each property, in hours")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Under `--fast` do not even import a file of tests of which none is quick."""
    if config.getoption("--fast") and collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        return "pytest.mark.quick" not in collection_path.read_text(encoding="utf-8") or None
    return None


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the marks, as `-m sweep` asks it to
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the quick tests under `--fast`; few examples under it and `--few`, many under `--thorough`.

    Of a sweep keep some cases, unless all are asked for, or some by name.
    """
    most = config.getoption("--few")
    if config.getoption("--fast"):
        _keep(config, items, [item for item in items if _is_quick(item)])
        most = FEW_EXAMPLES
    times = THOROUGH if config.getoption("--thorough") else 1
    whole = config.getoption("--whole") or times > 1 or most is not None
    properties: dict[int, tuple[Any, int]] = {}
    sweeps: dict[int, list[pytest.Function]] = {}
    left_out: set[str] = set()
    for item in items:
        test: Any = getattr(item, "obj", None)
        function = getattr(test, "__func__", test)
        share = _share(item)
        if getattr(test, "_hypothesis_internal_use_settings", None) is not None:
            if share == 1:
                item.add_marker(A_THIRD)
            properties[id(function)] = function, share if share > 1 else 3  # all cases of a test are one function
        elif share == 0:
            left_out.add(item.nodeid)
        elif share > 1 and isinstance(item, pytest.Function):
            sweeps.setdefault(id(function), []).append(item)
    for function, share in properties.values():
        asked = function._hypothesis_internal_use_settings
        examples = asked.max_examples * times // (1 if whole else share)
        examples = examples if most is None else min(most, examples)
        function._hypothesis_internal_use_settings = settings(asked, max_examples=examples)
    if not whole and not any("::" in name for name in config.args):
        turn = config.getoption("--turn")
        if turn is not None:
            left_out -= seldom(left_out, turn)
        for cases in sweeps.values():
            kept = chosen({item.nodeid: item.callspec.indices for item in cases}, _share(cases[0]), turn or 0)
            left_out |= {item.nodeid for item in cases} - kept
        _keep(config, items, [item for item in items if item.nodeid not in left_out])


def _keep(config: pytest.Config, items: list[pytest.Item], kept: list[pytest.Item]) -> None:
    names = set(map(id, kept))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in names])
    items[:] = kept


def _is_quick(item: pytest.Item) -> bool:
    """Whether it is marked as quick, or a doctest."""
    return item.get_closest_marker("quick") is not None or not item.path.name.startswith("test_")


def _share(item: pytest.Item) -> int:
    """One in how many cases is looked at, unless all are asked for."""
    marker = item.get_closest_marker("sweep")
    return int(marker.args[0]) if marker else 1


@pytest.fixture(autouse=True)
def _own_definitions_are_forgotten() -> Iterator[None]:
    """What a test registers is gone after it; the tests of a worker share one registry."""
    before = dict(DEFINITIONS)
    yield
    DEFINITIONS.clear()
    DEFINITIONS.update(before)
