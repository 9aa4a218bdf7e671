"""The sums of all laws in a document, so that a table can say what is missing while it is filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.errors import Path, PkdpError
from verifier.numbers import exact_text, rational

MOST = 4096
"""Most laws that are added up."""
LAWS = frozenset({"iid", "outputs"})
"""Keys of a table from labels to probabilities; so are `table` and `otherwise` where they hold no rows and no kind."""
PARTS = ("distribution", "knowledge", "mechanism", "normalization")
MOST_DIGITS = 60


def sums_of(document: Any) -> list[dict[str, Any]]:
    """Each law that must sum to 1: where it is, its sum, and what is missing; texts that are no number are left.

    >>> sums_of({"distribution": [{"iid": {"a": "1/2", "b": "1/3"}}]})
    [{'path': ['distribution', 0, 'iid'], 'sum': '5/6', 'ok': False, 'missing': '1/6'}]
    """
    if not isinstance(document, Mapping) or "parameters" in document:
        return []
    found: list[dict[str, Any]] = []
    for part in PARTS:
        for path, weights in _laws(document.get(part), (part,), part):
            total = _sum(weights)
            if total is not None:
                missing = exact_text(1 - total, MOST_DIGITS)
                entry = {"path": list(path), "sum": exact_text(total, MOST_DIGITS), "ok": total == 1}
                found.append({**entry, "missing": missing})
            if len(found) == MOST:
                return found
    return found


def _sum(weights: Sequence[Any]) -> Fraction | None:
    try:
        return sum((rational(one) for one in weights), Fraction(0)) if weights else None
    except PkdpError:
        return None


def _laws(given: Any, path: Path, key: str) -> Iterator[tuple[Path, list[Any]]]:
    if isinstance(given, Mapping):
        plain = not any(isinstance(one, Mapping | list) for one in given.values())
        if key in LAWS or (plain and key in {"table", "otherwise"} and "kind" not in given):
            yield path, list(given.values())
            return
        for name, one in given.items():
            yield from _laws(one, (*path, str(name)), str(name))
    elif isinstance(given, list):
        for column in ("probability", "weight"):
            rows = [one[column] for one in given if isinstance(one, Mapping) and column in one]
            if rows and len(rows) == len(given):
                yield path, rows
        inside = "iid" if key == "independent" else ""
        for k, one in enumerate(given):
            yield from _laws(one, (*path, k), inside)
