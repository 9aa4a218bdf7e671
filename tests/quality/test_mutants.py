"""What `make mutants` rests on is still there: its arguments are about wrong changes, its rooms name tests."""

from __future__ import annotations

import ast

from mutants.__main__ import Arguments
from mutants.operators import sites_of
from mutants.rooms import ROOMS, ROOT


def test_each_argument_is_about_a_wrong_change() -> None:
    """An edit of a statement makes others of its wrong changes: whether the argument holds is to be read again."""
    entries = Arguments.read().entries
    modules = {entry["module"] for entry in entries if (ROOT / entry["module"]).exists()}
    known = {site.identity for module in modules for site in sites_of(module, (ROOT / module).read_text("utf-8"))}
    stale = [f"{entry['function']}: {entry['change']}" for entry in entries if entry["identity"] not in known]
    assert not stale


def test_no_wrong_change_is_argued_about_twice() -> None:
    identities = [entry["identity"] for entry in Arguments.read().entries]
    assert sorted(identities) == sorted(set(identities))


def test_each_room_names_tests_that_exist() -> None:
    """pytest runs none of the tests of a room where one of them has another name."""
    missing = []
    for test in {test.removeprefix("--deselect=") for room in ROOMS.values() for test in room.tests}:
        file, _, name = test.partition("::")
        path = ROOT / file
        if test.startswith("--few"):
            continue
        tree = ast.parse(path.read_text("utf-8")) if path.suffix == ".py" and path.exists() else ast.Module([], [])
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if not path.exists() or (name and name.partition("[")[0] not in functions):
            missing.append(test)
    assert not missing
