"""The explorer as a person uses it: what is done to the page, and what is read from it."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import verifier as pk

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@dataclass
class Explorer:
    """A page of the explorer whose answers belong to what is asked, whenever a method has returned."""

    page: Page

    def settle(self) -> None:
        """Wait until no question to the server is due, and all answers are drawn."""
        self.page.wait_for_selector("html:not([data-asking], [data-working]) #passport-table", state="attached")

    def shows(self, title: str) -> None:
        """Wait until a model with this title is open, however it came; its answers may still be due."""
        self.page.wait_for_function("title => document.title.startsWith(`${title} · `)", arg=title)

    def settle_titled(self, title: str) -> None:
        """Wait until a model with this title is open, however it came, and all about it is drawn."""
        self.shows(title)
        self.settle()

    def at(self, name: str) -> Locator:
        """The element with an id."""
        return self.page.locator(f"[id='{name}']")

    def fill(self, name: str, text: str) -> None:
        """Type into a field and wait for what follows."""
        self.at(name).fill(text)
        self.settle()

    def click(self, name: str) -> None:
        """Click and wait for what follows."""
        self.at(name).click()
        self.settle()

    def press(self, name: str, key: str) -> None:
        """Press a key on an element and wait for what follows."""
        self.at(name).press(key)
        self.settle()

    def listed(self) -> list[str]:
        """The names of all examples that are files."""
        self.at("open-examples").click()
        buttons = self.page.locator("#examples-list button[data-id]")
        buttons.first.wait_for()
        names = buttons.evaluate_all("all => all.map(one => one.dataset.id)")
        self.page.keyboard.press("Escape")
        return [str(name) for name in names if "/" in name]

    def example(self, name: str) -> None:
        """Open an example from the menu."""
        self.at("open-examples").click()
        self.page.locator(f"#examples-list button[data-id='{name}']").click()
        self.page.wait_for_selector("#examples:not([open])", state="attached")
        self.settle()

    def new(self, name: str, **typed: str) -> None:
        """Begin a model of one's own from an entry of the list, with a size and values where they are given."""
        self.at("new-model").click()
        for field, text in typed.items():
            self.at(f"new-{field}").fill(text)
        self.at(f"new-{name}").click()
        self.page.wait_for_selector("#new:not([open])", state="attached")
        self.settle()

    def load(self, text: str, name: str = "model.toml") -> None:
        """Open a file of the person's own."""
        self.at("file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        self.told(name)
        self.settle()

    def told(self, words: str) -> None:
        """Wait for a message of the page."""
        self.page.locator("#told", has_text=words).wait_for(state="attached")

    def saved(self) -> str:
        """The text of the file that the page saves."""
        with self.page.expect_download() as found:
            self.at("save-file").click()
        return Path(found.value.path()).read_text(encoding="utf-8")

    def document(self) -> dict[str, Any]:
        """The model of the page, as its file says it."""
        return tomllib.loads(self.saved(), parse_float=str)

    def model(self) -> pk.Model:
        """The model of the page, read by the package."""
        return pk.loads(self.saved())

    def verdicts(self) -> dict[str, str]:
        """The words of the passport."""
        found = self.page.locator("#passport-table tr[data-key]").evaluate_all(
            """rows => rows.map(row => [row.dataset.key,
                [...row.querySelector('.verdict').childNodes].at(-1).textContent.trim()])"""
        )
        return dict(found)

    def verdict(self) -> str:
        """The large word."""
        return str(self.at("verdict-word").locator(".verdict").inner_text().split()[-1])

    def amount(self, name: str) -> str:
        """The exact text of the smallest δ or ε of the chosen definition."""
        line = self.page.locator("#verdict .amounts > div", has_text=f"smallest {name}")
        return "inf" if "∞" in line.inner_text() else line.locator(".exact").inner_text().split("≈")[0].strip()

    def definition(self) -> str:
        """The key of the chosen row."""
        return str(self.page.locator("#passport-table tr[aria-selected=true]").get_attribute("data-key"))

    def copied(self) -> str:
        """What is in the clipboard."""
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def marked(self, kind: str) -> set[str]:
        """The paths of the rows that are marked as side a, side b or the event."""
        found = self.page.locator(f"#editors [data-row].{kind}").evaluate_all("all => all.map(one => one.dataset.row)")
        return {str(one) for one in found}

    def outputs_marked(self) -> set[str]:
        """The outputs whose columns in the mechanism's table are marked as the event."""
        heads = self.page.locator("#editors th.hit")
        return set(
            heads.evaluate_all("all => all.map(one => (one.querySelector('input')?.value ?? one.textContent).trim())")
        )


def path_of(*keys: str | int) -> str:
    """A place in the document, as the page writes it."""
    return json.dumps(keys, separators=(",", ":"))


def agree(page: Explorer, model: pk.Model) -> pk.Verdict:
    """The chosen definition on the page and in Python: the same verdict and exact numbers; none where it is vacuous."""
    answer = pk.check(
        model, page.definition(), epsilon=page.at("epsilon").input_value() or None, delta=page.at("delta").input_value()
    )
    assert page.verdict() == answer.verdict
    if answer.verdict == "vacuous":
        assert page.page.locator("#verdict .amounts, #profile-plot").count() == 0
        return answer
    if answer.epsilon is not None:
        assert page.amount("δ") == str(answer.tight_delta)
    assert page.amount("ε") == str(answer.tight_epsilon)
    return answer
