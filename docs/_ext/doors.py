"""The doors of the site: the guide, the explorer, the course and the report lead to each other from every page."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from posixpath import relpath

MARK = "<!-- doors -->"
"""The place of the links in the pages of the explorer and of the report."""


@dataclass(frozen=True)
class Door:
    """A part of the site: its name, what a reader does there, its address, and the page about it.

    `folder` is the folder that the site has if that part was built with it; without it the page about it is the door.
    """

    name: str
    words: str
    address: str
    folder: str = ""
    about: str = ""

    def leads_to(self, built: Collection[str]) -> str:
        """The address in a site that has the folders `built`."""
        return self.address if not self.folder or self.folder in built else self.about


EXPLORE = ("explore/index.html", "explore", "explorer.html")
"""The explorer: its address, its folder, and the page about it."""
GUIDE = Door("Guide", "Read how to use pkdp", "index.html")
COURSE = ("explore/course/index.html", "explore", "course.html")
"""The course, as pages beside the explorer, and the page about it."""
DOORS = (
    Door("Explorer", "Change a model and watch every answer", *EXPLORE),
    Door("Course", "Eight notebooks for readers who are new to the field", *COURSE),
    Door("Report", "What holds and what fails in five papers", "report/index.html", "report", "report.html"),
)


ENTRANCES = (
    Door("Try it", "In your browser, with nothing to install", *EXPLORE),
    Door("Learn it", "The course, for one hour or four lectures", *COURSE),
    Door("Install it", "For your own mechanism, in a terminal or Python", "install.html"),
)
"""The three doors of the front page, for who has a browser, a class, or a mechanism."""


def opened(built: Collection[str]) -> str:
    """The doors of the front page, as large links with their words."""
    links = "".join(
        f'<a href="{escape(door.leads_to(built))}"><b>{door.name}</b> <span>{door.words}</span></a>'
        for door in ENTRANCES
    )
    return f'<nav class="entrances" aria-label="Where to begin">{links}</nav>'


def lead_back(folder: Path, built: Collection[str]) -> None:
    """Put the links into each page of a folder of the site that is not of the guide; the folder itself is left out.

    What a page calls `data-guide` becomes a link to that page of the guide.
    """
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if MARK in text:
            here = path.parent.relative_to(folder.parent).as_posix()
            text = re.sub('data-guide="([^"]*)"', lambda found: f'href="{relpath(found[1], here)}"', text)  # noqa: B023
            path.write_text(text.replace(MARK, "".join(_links(here, folder.name, built)), 1), encoding="utf-8")


def _links(here: str, own: str, built: Collection[str]) -> Iterator[str]:
    for door in (GUIDE, *DOORS):
        if door.folder != own:
            yield f'<a class="door" href="{escape(relpath(door.leads_to(built), here))}">{door.name}</a> '
