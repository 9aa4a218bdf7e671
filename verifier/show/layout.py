"""How pages are laid out: one way to fill a template, with everything escaped that is not marked up here."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from verifier.errors import is_printable, printable
from verifier.machine.extras import need
from verifier.show.plots import INK

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The templates of the report; `inline` sets code and numbers in a text, `plain` is as it stands."""
    need("jinja2")
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from verifier.show.markup import inline

    made = Environment(
        loader=PackageLoader("verifier.show", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    made.filters["plain"] = lambda text: Markup(escape(text, quote=False))
    made.filters["inline"] = lambda text: Markup(inline(text))
    return made


def _printable(value: Any) -> Any:
    """What a template shows, with an escape for what a page should not hide."""
    if not isinstance(value, str) or is_printable(value, lines=True):
        return value
    return type(value)(printable(value, lines=True))


def unique(svg: str, name: str) -> str:
    """Give the ids of a drawing a name of their own, since several stand in one page, and its ink the page's colour."""
    svg = svg.replace(INK, "currentColor")
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'"#([^"]+)"', rf'"#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
