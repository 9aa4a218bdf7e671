"""The configuration of the site; `make docs` builds it (docs/build.py)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from docstrings import setup as setup  # noqa: PLC0414
from doors import DOORS

from verifier.version import VERSION

project = "pkdp"
version = release = VERSION
author = "The pkdp maintainers"
project_copyright = "the pkdp maintainers, MIT licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "asked", "saving"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
language = "en"
today = "-"
highlight_language = "text"
default_role = "code"
smartquotes = False

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4

autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_type_aliases = {"Asked": "Asked", "Statement": "Statement"}
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "pkdp"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_favicon = "../verifier/show/templates/icon.svg"
html_context = {"doors": [(door.name, door.address, door.folder, door.about) for door in DOORS]}
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/doors.html",
                        "sidebar/navigation.html", "sidebar/scroll-end.html"]}  # fmt: skip
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_use_index = True
html_domain_indices = False
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
_STACK = 'Charter, Georgia, "Times New Roman", serif'
_CODE = 'ui-monospace, "DejaVu Sans Mono", Menlo, monospace'


def _colours(ink: str, soft: str, paper: str, line: str, card: str, link: str) -> dict[str, str]:
    """The tokens of the project (verifier/show/templates/report.css) by the names of the theme."""
    return {
        "font-stack": _STACK,
        "font-stack--monospace": _CODE,
        "font-stack--headings": _STACK,
        "color-foreground-primary": ink,
        "color-foreground-secondary": soft,
        "color-foreground-muted": soft,
        "color-foreground-border": soft,
        "color-background-primary": paper,
        "color-background-secondary": paper,
        "color-background-hover": card,
        "color-background-border": line,
        "color-background-item": line,
        "color-brand-primary": link,
        "color-brand-content": link,
        "color-brand-visited": link,
        "color-link": link,
        "color-link--hover": link,
        "color-link--visited": link,
        "color-link--visited--hover": link,
        "color-link-underline": line,
        "color-code-background": card,
        "color-code-foreground": ink,
        "color-inline-code-background": card,
        "color-api-background": paper,
        "color-api-background-hover": card,
        "color-api-overall": soft,
        "color-api-name": ink,
        "color-api-pre-name": soft,
        "color-api-paren": soft,
        "color-api-keyword": ink,
        "color-highlight-on-target": card,
        "color-sidebar-background": paper,
        "color-sidebar-caption-text": soft,
        "color-sidebar-link-text": ink,
        "color-sidebar-link-text--top-level": ink,
        "color-sidebar-item-background--current": card,
        "color-sidebar-item-background--hover": card,
        "color-sidebar-search-background": card,
        "color-sidebar-search-background--focus": paper,
        "color-sidebar-search-border": line,
        "color-toc-item-text": soft,
        "color-toc-item-text--active": ink,
    }


html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": _colours("#1c1c1e", "#5b5b61", "#fdfdfc", "#dcdcd8", "#f4f4f1", "#1b5e8c"),
    "dark_css_variables": _colours("#e8e8e6", "#a9a9a6", "#17181a", "#37383b", "#202225", "#7db8e0"),
}
