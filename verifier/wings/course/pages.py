"""The course as pages: its start, and each notebook as it is shown first.

A page reads, and answers its questions, without a program: these are style sheets. `course.js` asks the program when a
reader changes something (`verifier.wings.course.cells.reply`).
"""

from __future__ import annotations

import html
from hashlib import sha256
from pathlib import Path

from verifier.errors import InputError
from verifier.wings.course.cells import run_notebook
from verifier.wings.course.files import notebooks, source_of
from verifier.wings.course.fragment import html_of
from verifier.wings.course.openings import opening_of
from verifier.wings.course.prose import inline

TITLE = "Privacy definitions with partial knowledge: the course"
START = "index.html"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{static}/icon.svg">
<link rel="stylesheet" href="{static}/course.css">
{script}</head>
<body class="pk-page">
<nav class="pk-doors" aria-label="Course">
<a href="index.html">All notebooks</a> <a href="{explorer}">Explorer</a> <!-- doors -->
</nav>
<main class="pk"{data}>
{body}
</main>
{bar}</body>
</html>
"""
SCRIPT = '<script type="module" src="{static}/course.js"></script>\n'
BAR = (
    '<div class="pk-bar"><p id="told" role="status"></p>'
    '<button type="button" id="anew">Begin this notebook anew</button></div>\n'
)


def address_of(path: Path) -> str:
    """Return the address of a notebook, beside the start page.

    >>> address_of(Path("docs/course/01_privacy_loss.py"))
    '1.html'
    """
    return f"{int(path.stem[:2])}.html"


def addresses() -> dict[str, Path | None]:
    """Return the notebook of each page of the course, by the page's address; the start page has none."""
    return {START: None} | {address_of(path): path for path in notebooks()}


def page(address: str, static: str, explorer: str) -> str:
    """Return a page of the course; from it lead `explorer` to the explorer, and `static` to its scripts and styles.

    A notebook writes `explorer:…` for a model in the explorer, and `guide:…` for a page of the site. The latter is a
    link where the site has the page (`docs/_ext/doors.py`), and plain text where the page is by itself.

    Raises:
        InputError: for the address of no page.

    """
    if address not in addresses():
        raise InputError(f"there is no page {address[:40]}", where="address", wanted=f"one of {', '.join(addresses())}")
    path, links = addresses()[address], {"static": static, "explorer": explorer}
    if path is None:
        return PAGE.format(title=TITLE, **links, script="", data="", body=_start(), bar="")
    outputs, _ = run_notebook(path)
    shown = ("" if output is None else f"<div class='pk'>{html_of(output)}</div>" for output in outputs)
    cells = "\n".join(f'<div id="cell-{number}">{cell}</div>' for number, cell in enumerate(shown))
    cells = cells.replace('href="explorer:', f'href="{explorer}#').replace('href="guide:', 'data-guide="')
    number, digest = int(path.stem[:2]), sha256(source_of(path)).hexdigest()[:16]
    return PAGE.format(
        title=f"{number}. {html.escape(opening_of(path).title)}",
        **links,
        script=SCRIPT.format(static=static),
        data=f' data-notebook="{number}" data-digest="{digest}"',
        body=cells,
        bar=BAR,
    )


def _start() -> str:
    """Return what the start page says: what one can do after each notebook, how long it takes, and what it needs."""
    openings = [(path, opening_of(path)) for path in notebooks()]
    minutes = sum(opening.minutes for _, opening in openings)
    items = "".join(
        f"<li><h2><a href='{address_of(path)}'>{number}. {inline(opening.title)}</a></h2>"
        f"<p>After this notebook you can {inline(opening.able)}</p>"
        f"<p class='pk-soft'>About {opening.minutes} minutes · {inline(opening.needs)}<br>"
        f"The one-hour path: {inline(opening.hour)}</p></li>"
        for number, (path, opening) in enumerate(openings, 1)
    )
    return (
        "<header><h1>Who learns what about you?</h1>"
        f"<p>{len(openings)} notebooks about privacy when the attacker does not know everything. You need fractions, "
        "conditional probability and the logarithm; you need no Python and no knowledge of differential privacy. "
        "Take them in this order. Each has tables to change, questions, and exercises that are checked by computing, "
        "exactly. At the end of each you can download a sheet with your answers to hand in.</p>"
        f"<p class='pk-soft'>About {minutes} minutes in all. Each notebook says which part belongs to a path of one "
        "hour. Everything runs in your browser or on your machine. Your answers stay in this browser.</p></header>"
        f"<ol class='pk-notebooks'>{items}</ol>"
        "<footer><p>For lecturers: <code>pkdp examples --guide course</code> prints how to hand out, collect and "
        "grade.</p></footer>"
    )
