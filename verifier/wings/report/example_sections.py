"""DMKB20's Examples 1 to 8 on one page: the answer that each model file expects, and the answer that was computed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.model.model import Expectation
from verifier.numbers import NO_VALUE, plural
from verifier.questions.expect import ExpectationResult, outcome
from verifier.show.sections import (
    Badge,
    Block,
    Document,
    FileName,
    Folded,
    Grid,
    Link,
    Paragraph,
    RowGroup,
    Section,
    Span,
    Strong,
    Text,
)
from verifier.wings.report.claims import PAPER, TOO_LARGE
from verifier.wings.report.pages import ModelPage, groups

PATH = "examples.html"
COLUMNS = ("model", "definition", "ε", "δ", "expected", "computed")
NUMBERED = re.compile(r"Example [1-8]")
INTRODUCTION = (
    "Each model file promises answers, and pkdp computed them again for this page. An answer without ε is about some "
    "finite ε. `pkdp check --expect MODEL` compares them again."
)
_ANSWERS = {
    "verdict": "",
    "tight_epsilon": "smallest ε = ",
    "tight_delta": "smallest δ = ",
    "tight_delta_decimal": "smallest δ ≈ ",
    "acceptable": "",
}
"""The words before an answer, by its key in `[[expect]]`."""


def examples_document(pages: Sequence[ModelPage]) -> Document:
    """The page of every expected answer of the Examples 1 to 8 beside the answer that is computed for it."""
    numbered = [(name, members) for name, members in groups(pages) if NUMBERED.fullmatch(name)]
    answers = {page.name: _outcomes(page) for _, members in numbered for page in members}
    sections = tuple(
        Section(name, _folded(name, members, answers), name.lower().replace(" ", "-")) for name, members in numbered
    )
    return Document(
        path=PATH,
        title=f"{PAPER}, Examples 1–8: what is expected, and what was computed",
        below=(
            Paragraph((Strong(_agreeing([result for results in answers.values() for result in results])), "."), "lead"),
            Paragraph(INTRODUCTION, "source"),
        ),
        sections=(*sections, Section("Not on this page", (Paragraph(_large()),), "large")),
        filter="the expected answers",
    )


def _agreeing(results: Sequence[ExpectationResult]) -> str:
    """How many computed answers are the expected ones.

    >>> _agreeing([ExpectationResult("np", ()), ExpectationResult("cdp", (("verdict", "holds", "fails"),))])
    '1 of 2 computed answers is as expected'
    """
    agreeing = sum(result.agrees for result in results)
    noun = plural(len(results), "computed answer")
    return f"{agreeing} of {noun} {'is' if agreeing == 1 else 'are'} as expected"


def _folded(
    name: str, members: Sequence[ModelPage], answers: Mapping[str, Sequence[ExpectationResult]]
) -> tuple[Block, ...]:
    """The answers of one example behind a line that counts them; those that differ are not folded."""
    results = [result for page in members for result in answers[page.name]]
    grid = _grid(name, members, answers)
    if not all(result.agrees for result in results):
        return (Paragraph(f"{_agreeing(results)}."), grid)
    return (Folded(_agreeing(results), (grid,)),)


def _large() -> list[Span]:
    """The models that are asked elsewhere, with the command that asks them."""
    texts: list[Span] = ["The models with a thousand voters take about a minute together: "]
    for name in TOO_LARGE:
        texts += [FileName(f"pkdp check --expect models/{PAPER}/{name}.toml"), " and "]
    return [*texts[:-1], " compare their answers."]


def _outcomes(page: ModelPage) -> list[ExpectationResult]:
    return [outcome(page.model, promised, page.engine) for promised in page.model.expectations]


def _grid(name: str, members: Sequence[ModelPage], answers: Mapping[str, Sequence[ExpectationResult]]) -> Grid:
    """The models of one example, with a row for each promised answer."""
    rows = tuple(
        RowGroup(
            (Link(page.model.title, page.address),),
            tuple(map(_row, page.model.expectations, answers[page.name])),
        )
        for page in members
        if page.model.expectations
    )
    return Grid(f"Expected answers of {name}", COLUMNS, rows, "expected")


def _row(promised: Expectation, result: ExpectationResult) -> tuple[Text, ...]:
    """The question, the promised answer, and the computed one where it is another."""
    question = dict(promised.question)
    epsilon, delta = (str(question.pop(key, NO_VALUE)) for key in ("epsilon", "delta"))
    others = "".join(f", {key} {value}" for key, value in question.items())
    computed: Text = "✓ the same" if result.agrees else (Badge(_words(dict(result.computed)), "fails"),)
    return (
        promised.definition + others,
        epsilon,
        delta,
        _words(promised.answer),
        computed,
    )


def _words(answer: Mapping[str, Any]) -> str:
    """An answer without the keys of the model file.

    >>> _words({"verdict": "fails", "tight_epsilon": "inf"}), _words({"acceptable": True})
    ('fails, smallest ε = ∞', 'yes')
    """
    texts = {"True": "yes", "False": "no", "inf": "∞"}
    return ", ".join(_ANSWERS.get(key, f"{key} ") + texts.get(str(value), str(value)) for key, value in answer.items())
