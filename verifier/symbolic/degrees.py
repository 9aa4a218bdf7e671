"""How far the probabilities of a family can bend: a bound on degrees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model.parameters import Family
from verifier.symbolic.ratio import Ratio, coefficients


def bound_of(family: Family) -> int:
    """A bound on the degree of every joint mass P[D(i) = a, B = B̂, M(D) = o], as top and as bottom of a quotient.

    With Q the product of the denominators of all entries, each entry is N/Q with N and Q of degree at most d, and a
    joint mass is a sum of products of at most F entries, so a polynomial over Q^F: its degrees are at most F·d. The
    quotient of two of them has the same bound, since Q^F cancels.
    """
    name = family.names[0]
    listed = {text: Ratio.read(one, name) for text, one in ((one.text, one) for _, one in family.expressions)}
    if not listed:
        return 0
    whole = sum({coefficients(one.bottom): int(one.bottom.degree()) for one in listed.values()}.values())
    d = max(max(int(one.top.degree()), 0) + whole - int(one.bottom.degree()) for one in listed.values())
    return max(d, whole) * _factors(family)


def _factors(family: Family) -> int:
    """A bound on how many entries are multiplied in one joint mass: the distribution's, B's and the mechanism's."""
    raw = family.raw
    size = raw["size"]
    if not isinstance(size, int):
        raise UnsupportedError("databases of several sizes are not decided for families", wanted="one size")
    parts = {
        "distribution": _of_distribution(raw.get("distribution", []), size),
        "knowledge": _of_channel(raw.get("knowledge", {}), size),
        "mechanism": _of_channel(raw.get("mechanism", {}), size),
    }
    used = {place.trail[0] for place, _ in family.expressions}
    return sum(count for part, count in parts.items() if part in used)


def _of_distribution(given: Any, size: int) -> int:
    rows = given if isinstance(given, list | tuple) else [given]
    return max((_of_shape(one, size) for one in rows), default=1)


def _of_shape(given: Mapping[str, Any], size: int) -> int:
    """Entries of one record are drawn once; each choice of a component is one more, in each group."""
    if "table" in given and not any(key in given for key in ("iid", "independent", "network", "mixture", "groups")):
        return 1
    weights = _occurrences(given, "weight")
    return size * (1 + weights) if "groups" in given else size + weights


def _of_channel(given: Any, size: int) -> int:
    """Each table, list of responses, sample, step or choice in it multiplies at most one entry for each record."""
    kinds = sum(_occurrences(given, key) for key in ("table", "rows", "keep", "sample", "weight", "kind"))
    noise = sum(1 for one in _nodes(given) if one.get("kind") == "geometric-noise")
    if noise:
        raise UnsupportedError(
            "geometric noise with a parameter has no bounded degree here", wanted="a numeric p for the noise"
        )
    return size * max(kinds, 1)


def _nodes(given: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(given, Mapping):
        yield given
        for one in given.values():
            yield from _nodes(one)
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _nodes(one)


def _occurrences(given: Any, key: str) -> int:
    return sum(1 for one in _nodes(given) if key in one)
