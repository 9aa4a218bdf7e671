"""The line of a page that opens its model in the explorer, if the report has the address of one."""

from __future__ import annotations

from urllib.parse import urlsplit

from verifier.errors import InputError
from verifier.model import Model
from verifier.numbers import shorten
from verifier.show.sections import Link, Paragraph
from verifier.wings.explore.links import explorer_link

WORDS = "Try it in the explorer"


def explorer_page(address: str) -> str:
    """The address of the explorer's page, checked, for the links of a report; a folder stands for its `index.html`.

    >>> explorer_page("../explore/"), explorer_page("https://example.org/explore/")
    ('../explore/index.html', 'https://example.org/explore/index.html')

    Raises:
        InputError: where it is neither a web address nor a relative path of a page.

    """
    parts = urlsplit(address)
    web = parts.scheme in {"http", "https"} and parts.netloc
    beside = not parts.scheme and not parts.netloc and not parts.path.startswith("/")
    if not parts.path.strip() or parts.query or parts.fragment or not (web or beside):
        raise InputError(
            f"{shorten(address)} is not an address of a page",
            where="--explorer",
            wanted="the address of the explorer's page, such as https://example.org/explore/",
            tip="beside the report it is a path as seen from the report's folder, such as ../explore/",
        )
    return f"{address}index.html" if address.endswith("/") else address


def try_it(model: Model, explorer: str) -> tuple[Paragraph, ...]:
    """The line with the link; empty where there is no `explorer`, or no link can hold the model."""
    address = explorer_link(explorer, model.text) if explorer else None
    return () if address is None else (Paragraph((Link(WORDS, address),), "note"),)
