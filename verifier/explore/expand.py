"""Explicit tables: shapes and kinds written out row by row, so that single rows can be changed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.errors import InputError
from verifier.explore.desk import Opened
from verifier.explore.problems import Document
from verifier.model import Mechanism, Model, check_size
from verifier.numbers import exact_text
from verifier.tables import Label, Law

MOST = 1 << 10
WAYS = ("table", "mechanism-table", "knowledge-table")


def expanded(opened: Opened, to: object) -> Document:
    """The document with its distributions, its mechanism or its knowledge as explicit tables."""
    if to not in WAYS:
        raise InputError(f"given {to}", where="to", wanted=f"one of {', '.join(WAYS)}")
    document, model = dict(opened.document), opened.model
    if to == "mechanism-table":
        document["mechanism"] = {"table": _channel(model, model.mechanism)}
    elif to == "table":
        document["distribution"] = _distributions(model)
    elif model.zetas and model.zetas[0].channel is not None and len(model.zetas) == 1:
        document["knowledge"] = {"table": _channel(model, model.zetas[0].channel)}
    return document


def _channel(model: Model, channel: Mechanism) -> list[dict[str, Any]]:
    count = len(model.values) ** model.size
    check_size(count, MOST, f"there are {count:,} databases")
    return [
        {"database": model.shown(database), **_law(channel.law(database))}
        for database in channel.all_databases(MOST)
        if channel.takes(database)
    ]


def _law(law: Law) -> dict[str, Any]:
    if len(law.outcomes) == 1:
        return {"output": _name(law.outcomes[0])}
    return {"outputs": {one.text: exact_text(law.probability(one), 4300) for one in law.outcomes}}


def _name(one: Label) -> Any:
    return one.text if isinstance(one.shown, list) else one.shown


def _distributions(model: Model) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for theta in model.thetas[:: max(1, len(model.zetas))]:
        check_size(theta.count(), MOST, f"there are {theta.count():,} worlds")
        rows: dict[Any, Fraction] = {}
        for world in theta.worlds():
            rows[world.database] = rows.get(world.database, Fraction(0)) + Fraction(world.weight, theta.denominator)
        name = theta.name.partition(" / ")[0]
        found[name] = {
            "name": name,
            "table": [
                {"database": model.shown(database), "probability": exact_text(weight, 4300)}
                for database, weight in rows.items()
            ],
        }
    return list(found.values())
