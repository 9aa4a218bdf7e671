"""Explicit tables: shapes and kinds written out row by row, so that single rows can be changed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.errors import InputError, LimitError, UnsupportedError, Where
from verifier.model import Database, Mechanism, Model, Theta, counted
from verifier.model.document import Document
from verifier.model.multisets import Multisets
from verifier.numbers import MAX_DIGITS_READ, exact_text, shorten
from verifier.tables import Label, Law
from verifier.wings.explore.open_documents import OpenDocument
from verifier.wings.explore.request_fields import field_of

MOST_ROWS = 1 << 10
"""Largest number of rows of an expanded table."""
TABLE, MECHANISM, KNOWLEDGE = "table", "mechanism-table", "knowledge-table"
WAYS = (TABLE, MECHANISM, KNOWLEDGE)


def expanded(opened: OpenDocument, to: object) -> Document:
    """The document with its distributions, its mechanism or its knowledge as explicit tables; all answers stay.

    Raises:
        LimitError: where the table would be long, with its size.
        UnsupportedError: where there is no such table.

    """
    if to not in WAYS:
        raise InputError(f"{shorten(to)} is unknown", where=field_of("to"), wanted=f"one of {', '.join(WAYS)}")
    document, model = dict(opened.document), opened.model
    if to == MECHANISM:
        if model.mechanism.sample is not None:
            raise UnsupportedError(
                "a sample of databases of several sizes is not a table of them",
                where=Where("[mechanism]", ("mechanism",)),
                tip="take `sample` out first; dps asks about it",
            )
        document["mechanism"] = {"table": _channel(model, model.mechanism, "mechanism")}
    elif to == TABLE:
        document = _tables(document, model)
    else:
        document["knowledge"] = _knowledge(document, model)
    return document


def _channel(model: Model, channel: Mechanism, key: str) -> list[dict[str, Any]]:
    """The law on each database on which it is defined."""
    databases: Any = Multisets(len(model.values), *model.sizes) if model.sizes else None
    number = len(databases) if model.sizes else len(model.values) ** model.size
    _fits(number, f"there are {counted(number)} databases of {model.size} records", key)
    listed = [database for database in (databases or channel.all_databases(MOST_ROWS)) if channel.takes(database)]
    return [{"database": model.shown(database), **_law(channel.law(database))} for database in listed]


def _fits(number: int, problem: str, key: str) -> None:
    """Refuse a long table before it is made."""
    if number > MOST_ROWS:
        raise LimitError(
            problem,
            where=Where(key, (key,)),
            wanted=f"at most {MOST_ROWS:,} rows",
            tip="use fewer records or values, or keep the short form",
        )


def _law(law: Law) -> dict[str, Any]:
    """`output`, or `outputs` with their probabilities."""
    if len(law.outcomes) == 1:
        return {"output": _name(law.outcomes[0])}
    return {"outputs": {output.text: _number(law.probability(output)) for output in law.outcomes}}


def _name(label: Label) -> Any:
    """A label as a model file spells it; for a list its text."""
    return label.text if isinstance(label.shown, list) else label.shown


def _number(value: Fraction) -> str:
    return exact_text(value, 2 * MAX_DIGITS_READ)


def _knowledge(document: Document, model: Model) -> Any:
    """The channel, or channels, as tables of databases."""
    if not any(zeta.channel for zeta in model.zetas):
        raise UnsupportedError(
            "what is known is not a function of the database here",
            where=Where("[knowledge]", ("knowledge",)),
            tip="expand the distribution: its rows may carry `knowledge`",
        )
    tables: list[Any] = []
    for position, zeta in enumerate(model.zetas):
        knowledge = document["knowledge"]
        if zeta.channel is None:
            tables.append(knowledge[position])
            continue
        name = {"name": zeta.name} if isinstance(knowledge, list) else {}
        tables.append({**name, "table": _channel(model, zeta.channel, "knowledge")})
    return tables if isinstance(document["knowledge"], list) else tables[0]


def _tables(document: Document, model: Model) -> Document:
    """Every θ as a table of worlds; a component that is known becomes a column."""
    if model.sizes:
        raise UnsupportedError(
            "databases of several sizes have no distribution", where=Where("size", ("size",)), tip="one integer as size"
        )
    several = max(1, len(model.zetas))
    component = any(zeta.kind == "component" for zeta in model.zetas)
    if component and several > 1:
        raise UnsupportedError(
            "a component that only some attackers know is not a column of a table",
            where=Where("[[knowledge]]", ("knowledge",)),
            tip="leave one [knowledge] first",
        )
    distributions = document["distribution"]
    listed = distributions if isinstance(distributions, list) else [distributions]
    expanded_distributions = []
    for old, theta in zip(listed, model.thetas[::several], strict=True):
        name = {"name": old["name"]} if "name" in old else {}
        expanded_distributions.append(
            dict(old) if "table" in old else {**name, "table": _worlds(model, theta, component=component)}
        )
    kept = {key: value for key, value in document.items() if not (component and key == "knowledge")}
    return {**kept, "distribution": expanded_distributions}


def _worlds(model: Model, theta: Theta, *, component: bool) -> list[dict[str, Any]]:
    """The rows of the worlds of θ; the probabilities of equal worlds are added."""
    _fits(theta.count(), f"the distribution has up to {counted(theta.count())} worlds", "distribution")
    weights: dict[tuple[Database, Label | None], int] = {}
    for world in theta.worlds():
        key = world.database, world.component if component else None
        weights[key] = weights.get(key, 0) + world.weight
    return [
        {
            "database": model.shown(database),
            **({} if known is None else {"knowledge": _name(known)}),
            "probability": _number(Fraction(weight, theta.denominator)),
        }
        for (database, known), weight in weights.items()
    ]
