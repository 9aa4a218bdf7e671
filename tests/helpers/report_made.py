"""The pages of the models of the report: made once for all tests of a process, which change none of them."""

from __future__ import annotations

from functools import cache

from verifier.model import read
from verifier.wings.report.claims import model_files
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.write import model_pages


@cache
def small_pages() -> tuple[ModelPage, ...]:
    """Those but for the twelve voters, whose two pages take most of the time."""
    return tuple(model_pages([read(path) for path in model_files() if "twelve" not in path.stem]))


@cache
def report_pages() -> tuple[ModelPage, ...]:
    """All of them, in the order of the report."""
    small = {page.name: page for page in small_pages()}
    large = [read(path) for path in model_files() if path.stem not in small]
    made = small | {page.name: page for page in model_pages(large)}
    return tuple(made[path.stem] for path in model_files())
