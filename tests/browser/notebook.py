"""A notebook of the course as a student opens it: its controls, its exercises, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from browser.harness import PATIENCE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@dataclass
class Notebook:
    """A page of the course."""

    page: Page

    def open(self, address: str) -> None:
        """Open it and wait until its script listens."""
        self.page.set_default_timeout(4 * PATIENCE)
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def settle(self) -> None:
        """Wait until what was changed is answered."""
        self.page.wait_for_selector("main:not([aria-busy])", state="attached")

    def words(self) -> list[str]:
        """The verdicts that the page shows now, top to bottom."""
        badges = self.page.locator(".pk-badge")
        return [str(one) for one in badges.evaluate_all("all => all.map(one => one.textContent.trim())")]

    def said(self) -> str:
        """The text of the page."""
        return self.page.locator("main").inner_text()

    @property
    def sliders(self) -> Locator:
        """All sliders."""
        return self.page.locator("input[type=range]")

    def move(self, slider: int, key: str) -> None:
        """Press a key on a slider, and wait until the cells that depend on it have run."""
        self.sliders.nth(slider).press(key)
        self.settle()

    def task(self, title: str) -> Locator:
        """The exercise of a title."""
        return self.page.locator(".pk-task").filter(has_text=title)

    def answer(self, title: str, label: str, text: str, state: str) -> Locator:
        """Type an answer into an exercise by keyboard alone, press its button, and wait for what comes of it."""
        task = self.task(title)
        field = task.get_by_label(label)
        field.focus()
        field.fill(text)
        field.press("Tab")
        task.get_by_role("button", name="Check my answer").press("Enter")
        self.settle()
        expect(task.locator(".pk-state")).to_have_text(state)
        return task
