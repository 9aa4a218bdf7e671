"""How pages are laid out: one way to fill a template, with everything escaped that is not marked up here."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
