"""A model file with its records numbered in another way: everything in it that names a record or a place follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

Order = Sequence[int]
"""By the new number of a record its old one."""


def renumbered(tables: Mapping[str, Any], order: Order) -> dict[str, Any]:
    """The tables of a model file with lists, in which record `order[k]` is now record k.

    Distributions and the mechanism are tables; knowledge names records, or none.
    """
    new = deepcopy(dict(tables))
    moved, places = _moving(order), _naming(order)
    for distribution in new.get("distribution", []):
        for row in distribution["table"]:
            row["database"] = moved(row["database"])
    for row in new["mechanism"]["table"]:
        row["database"] = moved(row["database"])
    for name in ("knowledge", "sensitive"):
        part = new.get(name, {})
        if "records" in part:
            part["records"] = places(part["records"])
    policy = new.get("policy", {})
    for field, change in _fields(order).items():
        if field in policy:
            policy[field] = change(policy[field])
    return new


def _moving(order: Order) -> Callable[[Sequence[Any]], list[Any]]:
    return lambda database: [database[k] for k in order]


def _naming(order: Order) -> Callable[[Sequence[int]], list[int]]:
    return lambda records: [list(order).index(record) for record in records]


def _fields(order: Order) -> dict[str, Callable[[Any], Any]]:
    """The fields of `[policy]` that name records or databases, each with what becomes of its value."""
    moved, places = _moving(order), _naming(order)

    def function(given: Any) -> Any:
        """A function of the database: the places that it tells, or its rows."""
        if isinstance(given, Mapping):
            return {"records": places(given["records"])}
        return given if isinstance(given, str) else [[moved(database), value] for database, value in given]

    def of_others(given: Any) -> Any:
        """A function of the other records, whose rows have no order."""
        return function(given) if isinstance(given, Mapping) else given

    def leak(given: Any) -> Any:
        """What leaks, of each database or of each output."""
        return given if isinstance(given, Mapping) else [{**row, "database": moved(row["database"])} for row in given]

    return {
        "databases": lambda rows: [moved(row) for row in rows],
        "fixed": moved,
        "record": lambda record: places([record])[0],
        "pairs": lambda rows: [[moved(d), moved(e)] for d, e in rows],
        "secrets": lambda rows: [[[moved(d) for d in side] for side in sides] for sides in rows],
        "dependence": lambda rows: [places(pair) for pair in rows],
        "levels": moved,
        "tailored": lambda rows: [[t, moved(d), level] for t, d, level in rows],
        "blocks": lambda rows: [places(block) for block in rows],
        "distance": lambda rows: rows if isinstance(rows, str) else [[moved(d), moved(e), c] for d, e, c in rows],
        "statistic": lambda rows: [[moved(d), value] for d, value in rows],
        "adversaries": lambda rows: [[*places([record]), places(known)] for record, known in rows],
        "agg": lambda rows: [of_others(row) for row in rows],
        "coupled": lambda rows: [{name: function(value) for name, value in row.items()} for row in rows],
        "leak": leak,
    }
