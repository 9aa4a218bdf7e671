"""What it is worth in another definition: the part of the page is opened, asked, drawn, refused and cancelled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Open
from browser.explorer import Explorer
from browser.harness import NARROW, clean, in_both_schemes, too_wide, until
from verifier.wings.exchange.rate import convert

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.xdist_group("explorer")
BITS = "exchange/family/two-bits-that-agree"


def opened(explorer: str, open_page: Open, **how: int) -> Explorer:
    """The page with the family of two bits, and the part open by the keyboard."""
    page = Explorer(open_page(explorer, **how).page)
    page.settle()
    page.example(BITS)
    summary = page.page.locator("#exchange-part > summary")
    summary.focus()
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector("#exchange-to optgroup", state="attached")
    page.settle()
    return page


def select(page: Explorer, name: str, value: str) -> None:
    page.at(name).select_option(value)
    page.settle()


def test_the_rate_follows_the_question_and_the_model(explorer: str, open_page: Open) -> None:
    page = opened(explorer, open_page)
    model = page.page.locator("#exchange-rate")
    select(page, "exchange-from", "dp")
    select(page, "exchange-to", "np")
    before = model.inner_text()
    page.fill("exchange-epsilon", "ln(3)")
    assert model.inner_text() != before
    assert "dp → np" in page.at("exchange-answer").inner_text()
    page.example("DMKB20/example-7-five-voters")
    rate = convert(page.model(), "dp", "np", epsilon="ln(3)").tight_epsilon
    assert model.inner_text().split("≈")[0].strip() == f"ε′ = {rate}"
    assert page.at("exchange-over").locator("option").count() == 2
    page.fill("exchange-epsilon", "1/2")
    assert "e^ε is not rational" in page.at("exchange-answer").inner_text()
    select(page, "exchange-from", "ibcdp")
    page.fill("exchange-epsilon", "ln(2)")
    assert "unsupported" in page.at("exchange-answer").inner_text()
    assert "posteriors with posteriors" in page.at("exchange-answer").inner_text()
    page.fill("exchange-epsilon", "0")
    assert "a finite ε above 0" in page.at("exchange-answer").inner_text()


@pytest.mark.sweep(0)
@pytest.mark.parametrize("width", [1280, NARROW])
def test_a_rate_as_a_function_is_drawn_and_readable(explorer: str, open_page: Open, width: int) -> None:
    page = opened(explorer, open_page, width=width)
    select(page, "exchange-over", "agree")
    plot = page.at("exchange-plot").locator("svg")
    assert plot.get_attribute("aria-label") == (
        "the smallest ε′ of cdp against agree, for every mechanism that is np at ε = ln(2): "
        "ln(2*(1 - agree)/agree) for 0 < agree <= 1/2; ln(2*agree/(1 - agree)) for 1/2 < agree < 1"
    )
    assert plot.locator("circle.m").count() == 2  # where each piece begins
    assert "ln(2*agree/(1 - agree))" in page.at("exchange-answer").inner_text()
    problems = {"wide": too_wide(page.page), "scheme": in_both_schemes(page.page, "#exchange")}
    select(page, "exchange-from", "cdp")
    select(page, "exchange-to", "dp")
    select(page, "exchange-over", "ε")
    assert page.at("exchange-epsilon").is_disabled()
    assert plot.locator("path.m").count() >= 1
    clean({**problems, "wide again": too_wide(page.page)})


@pytest.mark.sweep(0)
def test_nothing_is_asked_while_the_part_is_closed(explorer: str, open_page: Open) -> None:
    watched = open_page(explorer)
    page = Explorer(watched.page)
    page.settle()
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.example(BITS)
    assert any("passport" in url for url in asked)
    assert not any("/exchange" in url for url in asked)


@pytest.mark.sweep(0)
def test_a_rate_that_takes_long_is_given_up_and_asked_again(explorer: str, open_page: Open) -> None:
    """What is there turns grey, and stays so until the person asks again."""
    page = opened(explorer, open_page)
    held: list[Route] = []
    page.page.route(re.compile(r"/api/exchange$"), lambda route: held.append(route))  # noqa: PLW0108 - playwright marks the function
    page.at("exchange-to").select_option("dp")
    until(page.page, lambda: bool(held), "the rate is asked")
    assert "late" in str(page.at("exchange-answer").get_attribute("class"))
    page.at("cancel").click()
    page.settle()
    assert "np → cdp" in page.at("exchange-answer").inner_text()
    assert "late" in str(page.at("exchange-answer").get_attribute("class"))
    page.page.unroute_all(behavior="ignoreErrors")
    page.click("compute")
    assert "np → dp" in page.at("exchange-answer").inner_text()
    assert "late" not in str(page.at("exchange-answer").get_attribute("class"))


@pytest.mark.sweep(0)
def test_the_page_without_a_server_answers_alike(explorer: str, page_address: str, open_page: Open) -> None:
    """The files that a rate needs are in the page, and come after the first verdict."""
    said = []
    for address in (explorer, page_address):
        page = opened(address, open_page)
        select(page, "exchange-over", "agree")
        said.append((page.at("exchange-answer").inner_text(), page.at("exchange-plot").inner_html()))
    assert said[0] == said[1]
    assert "ln(2*agree/(1 - agree))" in said[0][0]
