"""How models, verdicts and loss tables show themselves in a notebook.

They do not know this file: it gives them their `_repr_html_` when it is imported, as `import verifier` does on
first use.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from fractions import Fraction

from verifier.definitions import Verdict
from verifier.definitions.verdict import Passport
from verifier.model import Independent, Mixture, Model, Network, World, database_text
from verifier.model.distribution import Shape
from verifier.numbers import exact_text
from verifier.questions.losses import LossTable
from verifier.questions.normalization import Answer, Answers
from verifier.show.facts import model_facts
from verifier.show.words import acceptable_sheet, convention_lines, loss_sheets, passport_sheet, verdict_lines

MOST = 12
"""Most worlds, record laws or rows of a network on the card of a model."""
_STYLE = "style='border-collapse:collapse;text-align:left;vertical-align:top'"


def _items(title: str, items: list[tuple[str, str]]) -> str:
    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{'<br>'.join(html.escape(line) for line in text.splitlines())}</td></tr>"
        for name, text in items
    )
    return f"<table {_STYLE}><caption style='text-align:left'><b>{html.escape(title)}</b></caption>{rows}</table>"


def distribution_lines(model: Model) -> list[tuple[str, str]]:
    """Each θ with its numbers: up to 12 worlds, or the laws of the records.

    >>> from verifier.model import build
    >>> pair = build(size=2, values=[0, 1], mechanism={"kind": "sum"}, distribution={"iid": {0: "2/3", 1: "1/3"}})
    >>> distribution_lines(pair)
    [('distribution "#1"', 'each record ~ {0: 2/3, 1: 1/3}')]
    """
    return [(f'distribution "{theta.name}"', "\n".join(_shape(model, theta.shape))) for theta in model.thetas]


def _shape(model: Model, shape: Shape) -> list[str]:
    if isinstance(shape, Independent):
        return _records(model, shape)
    if isinstance(shape, Mixture):
        parts = zip(shape.names, shape.weights, shape.parts, strict=True)
        return _first(
            f"{name} ({exact_text(Fraction(weight, shape.total))}): {line}"
            for name, weight, part in parts
            for line in _shape(model, part)
        )
    if isinstance(shape, Network) and shape.count() > MOST:
        return _first(
            f"D({node.record}){_given(model, node.given, when)} ~ {_law(model, law)}"
            for node in shape.nodes
            for when, law in node.laws.items()
        )
    return _first((_world(model, world, shape.denominator) for world in shape.worlds()), shape.count())


def _records(model: Model, shape: Independent) -> list[str]:
    if len(set(shape.laws)) == 1:
        each = "each record" if len(shape.laws) > 1 else "D(0)"
        return [f"{each} ~ {_law(model, shape.laws[0])}"]
    return _first((f"D({i}) ~ {_law(model, law)}" for i, law in enumerate(shape.laws)), len(shape.laws))


def _first(lines: Iterable[str], number: int | None = None) -> list[str]:
    """The first twelve, and whether there are more."""
    shown: list[str] = []
    for line in lines:
        if len(shown) == MOST:
            return [*shown, "…" if number is None else f"… ({number:,} in all)"]
        shown.append(line)
    return shown


def _law(model: Model, law: tuple[tuple[int, ...], int]) -> str:
    weights, denominator = law
    found = [(v, w) for v, w in zip(model.values, weights, strict=True) if w]
    parts = [f"{v}: {exact_text(Fraction(w, denominator), 40)}" for v, w in found[:MOST]]
    return "{" + ", ".join(parts) + (", …}" if len(found) > MOST else "}")


def _given(model: Model, given: tuple[int, ...], when: tuple[int, ...]) -> str:
    parts = [f"D({record}) = {model.values[v]}" for record, v in zip(given, when, strict=True)]
    return " given " + ", ".join(parts) if parts else ""


def _world(model: Model, world: World, denominator: int) -> str:
    database = database_text(world.database, model.values)
    columns = [("B", world.knowledge), ("S", world.sensitive)]
    extra = "".join(f", {name} = {value}" for name, value in columns if value is not None)
    return f"{database}{extra}: {exact_text(Fraction(world.weight, denominator), 40)}"


def verdict_html(answer: Verdict) -> str:
    """One verdict, item by item, with its conventions folded away."""
    conventions = "".join(f"<li>{html.escape(line)}</li>" for line in convention_lines(answer.definition))
    return (
        _items(answer.model.title, verdict_lines(answer))
        + f"<details><summary>conventions</summary><ul>{conventions}</ul></details>"
    )


def model_html(model: Model) -> str:
    """A model in a few lines, with its distributions."""
    facts = [(name, text) for name, text in model_facts(model) if text not in {"", "–"}]
    return _items(model.title, [*facts[:1], *distribution_lines(model), *facts[1:]])


def loss_html(table: LossTable) -> str:
    """The loss tables, one a knowledge value."""
    return "".join(sheet.html() for sheet in loss_sheets(table))


def passport_html(answers: Passport) -> str:
    """Every definition at once."""
    return passport_sheet(answers[0].model, answers).html() if answers else html.escape(repr(answers))


def acceptable_html(answers: Answers) -> str:
    """Acceptability, one row a distribution and record."""
    return acceptable_sheet(answers).html()


def answer_html(answer: Answer) -> str:
    """Acceptability at one record."""
    return acceptable_sheet([answer]).html()


for _kind, _show in (
    (Model, model_html),
    (Verdict, verdict_html),
    (LossTable, loss_html),
    (Passport, passport_html),
    (Answers, acceptable_html),
    (Answer, answer_html),
):
    setattr(_kind, "_repr_html_", _show)  # noqa: B010 - mypy does not let a method be assigned
