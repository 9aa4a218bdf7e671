"""The pages of the models of the report: made once for all tests of a process, which change none of them."""

from __future__ import annotations

from functools import cache

from verifier.model import read
from verifier.wings.report.claims import model_files
from verifier.wings.report.pages import ModelPage
from verifier.wings.report.write import model_pages


@cache
def report_pages() -> tuple[ModelPage, ...]:
    """All of them, in the order of the report."""
    return tuple(model_pages([read(path) for path in model_files()]))
