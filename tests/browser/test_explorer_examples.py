"""Examples that the explorer lists: each opens, its answers are the package's, and it fits a narrow window."""

from __future__ import annotations

from fractions import Fraction

import pytest

import verifier as pk
from browser.conftest import Open
from browser.explorer import Explorer
from browser.harness import NARROW, clean, too_wide
from verifier.errors import PkdpError
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any

SHARE, PARTS = 8, 12
"""One in how many examples is opened, and in how many tests: tests/wings/explore opens all of them."""


@pytest.mark.sweep(PARTS)
@pytest.mark.parametrize(
    "part", [pytest.param(k, marks=pytest.mark.xdist_group(f"examples-{k % 2}")) for k in range(PARTS)]
)
def test_an_example(explorer: str, open_page: Open, part: int) -> None:
    page = Explorer(open_page(explorer, width=NARROW).page)
    page.settle()
    found: dict[str, list[str]] = {}
    for name in page.listed()[::SHARE][part::PARTS]:
        page.example(name)
        found[name] = [*compared(page, name), *too_wide(page.page)]
    clean(found)


def compared(page: Explorer, name: str) -> list[str]:
    """Where the page says other words than the package."""
    refused = page.at("problems").is_visible()
    try:
        model = read_any(models_folder() / f"{name}.toml")
        if isinstance(model, Family):
            model = model.at({one: Fraction(page.at(f"parameter-{one}").input_value()) for one in model.names})
        answers = pk.overview(model, epsilon=page.at("epsilon").input_value(), replay=False)
    except PkdpError as error:
        return [] if refused else [f"refused by the package only: {error}"]
    if refused:
        return [f"refused by the page only: {page.at('problems').inner_text()}"]
    words = {one.definition: one.verdict for one in answers}
    if page.verdicts() == words:
        return []
    return [f"on the page {page.verdicts()}", f"in Python {words}"]
