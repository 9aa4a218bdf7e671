"""Tests that share what is slow to make, a server or a report, run in one process: the marks `xdist_group` count."""

from __future__ import annotations

import pytest

GROUP = "counted-here"


@pytest.mark.xdist_group(GROUP)
def test_the_name_of_a_test_has_its_group(request: pytest.FixtureRequest) -> None:
    """The scheduler reads the group from the name; a pytest that hides the name from it splits every group silently."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("one process runs all tests")
    assert request.node.nodeid.endswith(f"@{GROUP}")
