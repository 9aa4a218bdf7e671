"""The start page of the course: what one can do after each notebook, how long it takes, what it needs, and a link."""

from __future__ import annotations

import html
from pathlib import Path

from verifier.wings.course.files import notebooks
from verifier.wings.course.fragment import style
from verifier.wings.course.openings import opening_of
from verifier.wings.course.prose import inline

TITLE = "Privacy definitions with partial knowledge: the course"
DARK = """
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark", dark.matches);
dark.addEventListener("change", follow);
follow();
"""
LOOK = """
body { margin: 0; background: var(--pk-paper); color: var(--pk-ink); }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.2rem 4rem; overflow-wrap: anywhere; }
.pk ol.pk-notebooks { list-style: none; padding: 0; }
.pk ol.pk-notebooks > li { border-top: 1px solid var(--pk-line); padding: .9rem 0; margin: 0; }
.pk ol.pk-notebooks h2 { margin: 0 0 .2rem; }
.pk a:focus-visible { outline: 2px solid var(--pk-link); outline-offset: 2px; }
"""
LECTURERS = "teaching"
"""The address of the page for lecturers, below the start page."""


def address_of(path: Path) -> str:
    """Return the address of a notebook, below the start page.

    >>> address_of(Path("docs/course/01_privacy_loss.py"))
    '01_privacy_loss/'
    """
    return f"{path.stem}/"


def start_page() -> str:
    """Return the start page as HTML."""
    openings = [(path, opening_of(path)) for path in notebooks()]
    minutes = sum(opening.minutes for _, opening in openings)
    items = "".join(
        f"<li><h2><a href='{address_of(path)}'>{number}. {inline(opening.title)}</a></h2>"
        f"<p>After this notebook you can {inline(opening.able)}</p>"
        f"<p class='pk-soft'>About {opening.minutes} minutes · {inline(opening.needs)}<br>"
        f"The one-hour path: {inline(opening.hour)}</p></li>"
        for number, (path, opening) in enumerate(openings, 1)
    )
    body = (
        "<header><h1>Who learns what about you?</h1>"
        f"<p>{len(openings)} notebooks about privacy when the attacker does not know everything. You need fractions, "
        "conditional probability and the logarithm; you need no Python and no knowledge of differential privacy. "
        "Take them in this order. Each has tables to change, questions, and exercises that are checked by computing, "
        "exactly. At the end of each you can download a sheet with your answers to hand in.</p>"
        f"<p class='pk-soft'>About {minutes} minutes in all. Each notebook says which part belongs to a path of one "
        f"hour. Everything runs on this machine.</p></header><ol class='pk-notebooks'>{items}</ol>"
        f"<footer><p>For lecturers: <a href='{LECTURERS}'>how to teach with the course, hand out, collect and "
        "grade</a>.</p></footer>"
    )
    return page(TITLE, body)


def lecturers_page() -> str:
    """Return the lecturer's page, which is `README.md` beside the notebooks, as HTML."""
    from markdown import markdown  # type: ignore[import-untyped]  # it comes with marimo

    text = (notebooks()[0].parent / "README.md").read_text(encoding="utf-8")
    body = markdown(text, extensions=["tables", "fenced_code"], output_format="html")
    body = body.replace("<pre>", "<pre class='pk-file' tabindex='0'>")
    body = body.replace("<table>", "<div class='scroll' tabindex='0'><table>").replace("</table>", "</table></div>")
    return page("Teaching with the course", f"<p><a href='./'>All notebooks</a></p>{body}")


def page(title: str, body: str) -> str:
    """Return a page in the style of the course; it loads nothing."""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{html.escape(title)}</title><link rel='icon' href='data:,'>{style()}<style>{LOOK}</style>"
        f"<script>{DARK}</script></head><body><main class='pk'>{body}</main></body></html>"
    )
