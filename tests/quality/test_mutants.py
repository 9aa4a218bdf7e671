"""What `make mutants` rests on is still there: its arguments are about wrong changes (rooms: tests/test_house.py)."""

from __future__ import annotations

from mutants.__main__ import Arguments
from mutants.operators import sites_of
from mutants.rooms import ROOT


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
