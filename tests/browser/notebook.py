"""A notebook of the course as a student opens it: what its kernel says, and the controls that can be moved."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from browser.harness import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, WebSocket

OURS = ".marimo-cell"
"""The cells are ours. What stands around them is marimo's own (its menu button has no name, its page no landmarks, its
link back little contrast in 0.25) and cannot be changed from a notebook, so the accessibility check looks at these."""


@dataclass
class Notebook:
    """A page of marimo that keeps what the kernel says: which cells have run, and with what errors."""

    page: Page
    status: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    completed: int = 0

    def open(self, address: str) -> None:
        """Open it and wait until every cell has run."""
        self.page.on("websocket", self.listen)
        self.page.goto(address)
        self.finished(0)

    def listen(self, socket: WebSocket) -> None:
        """Keep what matters of each message."""
        socket.on("framereceived", self.heard)

    def heard(self, frame: str | bytes) -> None:
        """One message of the kernel."""
        message = json.loads(frame)
        said = message.get("data", message)
        if message.get("op") == "completed-run":
            self.completed += 1
        elif message.get("op") == "cell-op":
            self.status[said["cell_id"]] = said.get("status") or self.status.get(said["cell_id"], "")
            output = said.get("output") or {}
            if output.get("channel") == "marimo-error" or "error" in str(output.get("mimetype")):
                self.errors.append(str(output)[:500])
            console = said.get("console") or []
            for line in console if isinstance(console, list) else [console]:
                if line.get("channel") == "stderr":
                    self.errors.append(str(line.get("data"))[:500])

    def finished(self, before: int) -> None:
        """Wait until a run after `before` has ended, and all cells are idle."""
        until(
            self.page,
            lambda: (
                self.completed > before
                and bool(self.status)
                and set(self.status.values()) <= {"idle", "disabled-transitively"}
            ),
            "all cells have run",
        )

    def words(self) -> list[str]:
        """The verdicts that the page shows now, top to bottom."""
        badges = self.page.locator(".pk-badge")
        return [str(one) for one in badges.evaluate_all("all => all.map(one => one.textContent.trim())")]

    def said(self) -> str:
        """The text of all cells."""
        return "\n".join(self.page.locator(OURS).all_inner_texts())

    @property
    def sliders(self) -> Locator:
        """The handles of all sliders."""
        return self.page.locator("marimo-slider [role=slider]")

    def move(self, slider: int, key: str) -> None:
        """Press a key on a slider, and wait until the cells that depend on it have run."""
        before = self.completed
        thumb = self.sliders.nth(slider)
        value = thumb.get_attribute("aria-valuenow")
        thumb.press(key)
        if thumb.get_attribute("aria-valuenow") != value:
            self.finished(before)
