"""The templates of pages: every text is escaped, unless it is marked up here."""

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
    """Return the templates of the report; the filter `inline` marks up code and numbers, `plain` only escapes."""
    need("jinja2")
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from verifier.show.markup import inline

    templates = Environment(
        loader=PackageLoader("verifier.show", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    templates.filters["plain"] = lambda text: Markup(escape(text, quote=False))
    templates.filters["inline"] = lambda text: Markup(inline(text))
    return templates


def _printable(value: Any) -> Any:
    """Return a value for a page; characters that hide or reorder others are escaped."""
    if not isinstance(value, str) or is_printable(value, lines=True):
        return value
    return type(value)(printable(value, lines=True))


def unique(svg: str, name: str) -> str:
    """Give the ids of a drawing a name of their own, since several stand in one page, and its ink the page's colour."""
    svg = svg.replace(INK, "currentColor")
    svg = re.sub(r'id="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'"#([^"]+)"', rf'"#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)


def smaller(page: str) -> str:
    """Return a shorter page that a browser reads alike: without the quotes and end tags that HTML does not need.

    >>> smaller("<ul class='a'><li>b</li></ul><p title='a b'>c</p>")
    "<ul class=a><li>b</ul><p title='a b'>c</p>"
    """
    pieces = re.split(r"(<(pre|svg|math|script)\b.*?</\2>)", page, flags=re.DOTALL)
    kept = {1: lambda part: _inked(part) if part.startswith("<svg") else part, 0: _bare}
    return "".join(kept[k % 3](part) for k, part in enumerate(pieces) if k % 3 in kept)


_BLOCK = (
    "p|dl|ul|h[1-6]|div|blockquote|details|section|article|figure|pre|nav|footer|"
    "/article|/section|/main|/header|/div|/footer|/details|/blockquote|/figure"
)
"""What ends a paragraph without a tag of its own: the elements that begin after it, or end around it."""
_TAG = re.compile(r"<[a-z][^<>]*>")
_QUOTED = re.compile(r"=([\"'])([\w.#/:%,;+-]*[\w.#:%,;+-])\1(?!/)")
_END = re.compile(
    rf"</(?:li|td|th|tr|dd|dt|thead|tbody)>\s*|</p>\s*(?=<(?:{_BLOCK})\b)"
    rf"|(?<=>)\n(?=<(?:meta|title|link|a class=skip|header|main|/main|{_BLOCK})\b)"
    r"|<head>\n?|</head>\s*<body>\n?|\n</body>\s*</html>\n?$"
)
_PLACE = re.compile(r"(?<=\d\.\d)\d+|(?<=\d)\.0+(?=[^\d])")


def _unquoted(html: str) -> str:
    return _TAG.sub(lambda tag: _QUOTED.sub(r"=\2", tag[0]), html)


def _bare(html: str) -> str:
    return _END.sub("", _unquoted(html))


def _inked(svg: str) -> str:
    """Return a drawing for a page: without a namespace, its coordinates cut to a tenth of a dot."""
    svg = re.sub(r" xmlns(?::\w+)?=(['\"])[^'\"]*\1", "", svg)
    placed = re.sub(r"<(?!title|desc)[a-z][^<>]*>", lambda tag: _PLACE.sub("", tag[0]), svg)
    return re.sub(r">\n\s*<", "><", _unquoted(placed))
