"""The buttons that save a drawing of the site as a file, by the script of the report and of the explorer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifier.wings.report.site import saving

SCRIPT = "save.js"


def _write(app: Any) -> None:
    path = Path(app.outdir) / "_static" / SCRIPT
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(saving(), encoding="utf-8")


def _on_a_page_with_a_drawing(app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    if "<svg" in context.get("body", ""):
        app.add_js_file(SCRIPT)


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("builder-inited", _write)
    app.connect("html-page-context", _on_a_page_with_a_drawing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
