"""How pages are laid out: one way to fill a template, with everything escaped that is not marked up here."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.report.plots import INK

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The templates of the report; `inline` sets code and numbers in a text, `plain` is as it stands."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from verifier.report.markup import inline

    made = Environment(
        loader=PackageLoader("verifier.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["plain"] = lambda text: Markup(escape(text, quote=False))
    made.filters["inline"] = lambda text: Markup(inline(text))
    return made


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


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
    return "".join(part if k % 3 == 1 else _bare(part) for k, part in enumerate(pieces) if k % 3 != 2)


_TAG = re.compile(r"<[a-z][^<>]*>")
_QUOTED = re.compile(r"=([\"'])([\w.#/:%,;+-]*[\w.#:%,;+-])\1")
_END = re.compile(r"</(?:li|td|th|tr|dd|dt|thead|tbody)>\s*")


def _bare(html: str) -> str:
    return _END.sub("", _TAG.sub(lambda tag: _QUOTED.sub(r"=\2", tag[0]), html))
