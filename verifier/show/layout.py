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


def smaller(page: str) -> str:
    """A page that a browser reads as the same: no quotes and no end tags where HTML does without.

    >>> smaller("<ul class='a'><li>b</li></ul><p title='a b'>c</p>")
    "<ul class=a><li>b</ul><p title='a b'>c</p>"
    """
    pieces = re.split(r"(<(pre|svg|math|script)\b.*?</\2>)", page, flags=re.DOTALL)
    kept = {1: lambda part: _inked(part) if part.startswith("<svg") else part, 0: _bare}
    return "".join(kept[k % 3](part) for k, part in enumerate(pieces) if k % 3 in kept)


_BLOCK = "p|dl|ul|h[1-6]|div|blockquote|details|section|nav|footer|/article|/section|/main|/header|/div|/footer"
_TAG = re.compile(r"<[a-z][^<>]*>")
_QUOTED = re.compile(r"=([\"'])([\w.#/:%,;+-]*[\w.#:%,;+-])\1(?!/)")
_END = re.compile(rf"</(?:li|td|th|tr|dd|dt|thead|tbody)>\s*|</p>\s*(?=<(?:{_BLOCK})\b)")
_PLACE = re.compile(r"(?<=\d\.\d)\d+|(?<=\d)\.0+(?=[^\d])")


def _unquoted(html: str) -> str:
    return _TAG.sub(lambda tag: _QUOTED.sub(r"=\2", tag[0]), html)


def _bare(html: str) -> str:
    return _END.sub("", _unquoted(html))


def _inked(svg: str) -> str:
    """A drawing in a page: it needs no namespace, and no place finer than a tenth of a dot."""
    svg = re.sub(r" xmlns(?::\w+)?=(['\"])[^'\"]*\1", "", svg)
    placed = re.sub(r"<(?!title|desc)[a-z][^<>]*>", lambda tag: _PLACE.sub("", tag[0]), svg)
    return re.sub(r">\n\s*<", "><", _unquoted(placed))
