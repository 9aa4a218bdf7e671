"""How pages are laid out: one way to fill a template, with everything escaped that is not marked up here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.report.plots import INK

if TYPE_CHECKING:
    from jinja2 import Environment


def environment() -> Environment:
    """The templates of the report; `inline` sets code and numbers in a text."""
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
