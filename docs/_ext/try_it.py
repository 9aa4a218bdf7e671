"""The line below a model file on a page of the site that opens it in the explorer, where the site has one."""

from __future__ import annotations

import posixpath
import re
from html import escape

from verifier.errors import PkdpError
from verifier.model.read import loads_any
from verifier.wings.explore.links import explorer_link

EXPLORER = "explore/index.html"
"""Where the explorer stands in the site."""
_MODEL = re.compile(r"^```toml\n(?P<text>.*?)^```[ ]*$", re.DOTALL | re.MULTILINE)


def try_line(page: str, text: str) -> str:
    """The line for a model file's text on a page; empty where a link cannot hold the model."""
    address = explorer_link(posixpath.relpath(EXPLORER, posixpath.dirname(page) or "."), text)
    return f'<p><a class="try" href="{escape(address)}">Try it in the browser</a></p>' if address else ""


def with_links(page: str, text: str) -> str:
    """A page with a line below each of its blocks that is a whole model file."""

    def below(found: re.Match[str]) -> str:
        line = try_line(page, found["text"]) if _is_model(found["text"]) else ""
        return f"{found[0]}\n\n{line}" if line else found[0]

    return _MODEL.sub(below, text)


def _is_model(text: str) -> bool:
    try:
        loads_any(text)
    except PkdpError:
        return False
    return True
