"""The answers of the search in a notebook: the model, with its probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.show.display import box, fold, items, note, text
from verifier.show.notebook import model_html
from verifier.wings.search.sheets import search_sheet

if TYPE_CHECKING:
    from verifier.wings.search.api import Result


def result_html(result: Result) -> str:
    """The HTML of a search's answer: question, answer, the model with its distribution, and the model file, folded."""
    parts = [items("Search", search_sheet(result).rows), note(str(result))]
    if result.model is not None:
        parts += [model_html(result.model), fold("the model file", f"<pre>{text(result.model.text)}</pre>")]
    return box(*parts)
