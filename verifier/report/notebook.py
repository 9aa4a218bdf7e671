"""How models, verdicts and loss tables show themselves in a notebook.

They do not know this file: it gives them their `_repr_html_` when it is imported, as `import verifier` does on
first use.
"""

from __future__ import annotations

import html

from verifier.definitions import Verdict
from verifier.losses import LossTable
from verifier.model import Model
from verifier.report.facts import model_facts
from verifier.report.words import convention_lines, loss_sheets, verdict_lines

_STYLE = "style='border-collapse:collapse;text-align:left;vertical-align:top'"


def _items(title: str, items: list[tuple[str, str]]) -> str:
    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
        for name, text in items
    )
    return f"<table {_STYLE}><caption style='text-align:left'><b>{html.escape(title)}</b></caption>{rows}</table>"


def verdict_html(answer: Verdict) -> str:
    """One verdict, item by item, with its conventions folded away."""
    conventions = "".join(f"<li>{html.escape(line)}</li>" for line in convention_lines(answer.definition))
    return (
        _items(answer.model.title, verdict_lines(answer))
        + f"<details><summary>conventions</summary><ul>{conventions}</ul></details>"
    )


def model_html(model: Model) -> str:
    """A model in a few lines."""
    return _items(model.title, model_facts(model))


def loss_html(table: LossTable) -> str:
    """The loss tables, one a knowledge value."""
    return "".join(sheet.html() for sheet in loss_sheets(table))


for _kind, _show in ((Model, model_html), (Verdict, verdict_html), (LossTable, loss_html)):
    setattr(_kind, "_repr_html_", _show)  # noqa: B010 - mypy does not let a method be assigned
