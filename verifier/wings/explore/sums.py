"""The sums of all laws in a document, so that a table shows what it lacks to 1 while it is filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import Path, PkdpError
from verifier.numbers import exact_text, rational

MOST = 4096
"""Largest number of laws that are summed."""
LAWS = frozenset({"iid", "outputs", "start"})
"""Keys of a table from labels to probabilities; so are `table` and `otherwise` where they hold no rows and no kind."""
PARTS = ("distribution", "knowledge", "mechanism", "normalization")
MOST_DIGITS = 60


def sums_of(document: Any) -> list[dict[str, Any]]:
    """The sums of the laws in a document: path, sum, difference to 1; families and laws in other texts have none.

    >>> sums_of({"distribution": [{"iid": {"a": "1/2", "b": "1/3"}}]})
    [{'path': ['distribution', 0, 'iid'], 'sum': '5/6', 'ok': False, 'missing': '1/6'}]
    """
    if not isinstance(document, Mapping) or "parameters" in document:
        return []
    sums: list[dict[str, Any]] = []
    for key in PARTS:
        for path, weights in _laws(document.get(key), (key,), key):
            total = _sum(weights)
            if total is not None:
                missing = exact_text(1 - total, MOST_DIGITS)
                entry = {"path": list(path), "sum": exact_text(total, MOST_DIGITS), "ok": total == 1}
                sums.append({**entry, "missing": missing})
            if len(sums) == MOST:
                return sums
    return sums


def _sum(weights: Sequence[Any]) -> Fraction | None:
    try:
        return sum((rational(weight) for weight in weights), Fraction(0)) if weights else None
    except PkdpError:
        return None


def _laws(tables: Any, path: Path, key: str) -> Iterator[tuple[Path, list[Any]]]:
    if isinstance(tables, Mapping):
        plain = not any(isinstance(entry, Mapping | list) for entry in tables.values())
        if key in LAWS or (plain and key in {"table", "otherwise"} and "kind" not in tables):
            yield path, list(tables.values())
            return
        for name, entry in tables.items():
            yield from _laws(entry, (*path, str(name)), "iid" if key == "step" else str(name))
    elif isinstance(tables, list):
        for column in ("probability", "weight"):
            rows = [row[column] for row in tables if isinstance(row, Mapping) and column in row]
            if rows and len(rows) == len(tables):
                yield path, rows
        inside = "iid" if key == "independent" else ""
        for k, entry in enumerate(tables):
            yield from _laws(entry, (*path, k), inside)
