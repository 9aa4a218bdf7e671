"""How far the probabilities of a family can bend: a bound on degrees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.errors import UnsupportedError
from verifier.model.parameters import Family
from verifier.numbers.expression import read_expression
from verifier.wings.families.domain import points_of
from verifier.wings.families.ratio import Ratio, coefficients


def bound_of(family: Family) -> int:
    """A bound on the degree of every joint mass P[D(i) = a, B = B̂, M(D) = o], as top and as bottom of a quotient.

    With Q the product of the denominators of all entries, each entry is N/Q with N and Q of degree at most d, and a
    joint mass is a sum of products of at most F entries, so a polynomial over Q^F: its degrees are at most F·d. The
    quotient of two of them has the same bound, since Q^F cancels. Noise that is a parameter adds its own (`_of_noise`).
    """
    name = family.names[0]
    listed = {text: Ratio.read(one, name) for text, one in ((one.text, one) for _, one in family.expressions)}
    if not listed:
        return 0
    whole = sum({coefficients(one.bottom): int(one.bottom.degree()) for one in listed.values()}.values())
    d = max(max(int(one.top.degree()), 0) + whole - int(one.bottom.degree()) for one in listed.values())
    return max(d, whole) * _factors(family) + _of_noise(family)


def _factors(family: Family) -> int:
    """A bound on how many entries are multiplied in one joint mass: the distribution's, B's and the mechanism's."""
    raw = family.raw
    size = raw["size"]
    if not isinstance(size, int):
        raise UnsupportedError("databases of several sizes are not decided for families", wanted="one size")
    used = {place.trail[0] for place, _ in family.expressions}
    drawn = _of_distribution(raw.get("distribution", []), size) if "distribution" in used else 0
    return drawn + sum(_of_channel(raw[part], size) for part in ("knowledge", "mechanism") if part in used)


def _of_noise(family: Family) -> int:
    """What two-sided geometric noise with p = a/c in the parameter adds to the degrees, as the mechanism's last step.

    On W integers from `low` to `high` its chances are (c - a)·a^k·c^(W - k), and tails c·a^k·c^(W - k), k ≤ W,
    all over (c + a)·c^W: polynomials of degree at most (W + 1)·max(deg a, deg c), one in each joint mass.
    """
    noises = _parametric(family.raw)
    if not noises:
        return 0
    steps = family.raw["mechanism"].get("then", [])
    if len(noises) > 1 or not steps or steps[-1] is not noises[0]:
        raise UnsupportedError(
            "geometric noise with a parameter has no bounded degree here",
            wanted="one such step, the last of the mechanism; or a numeric p for the noise",
        )
    p = Ratio.read(read_expression(noises[0]["p"]), family.names[0])
    (inside,) = points_of(family, 1)
    ends = [int(tail[2:]) for tail in family.beyond({family.names[0]: inside}).mechanism.tails]
    return (max(ends) - min(ends) + 2) * max(int(p.top.degree()), int(p.bottom.degree()))


def _parametric(given: Any) -> list[Mapping[str, Any]]:
    """The noise steps whose p is no number."""
    noises = [one for one in _nodes(given) if one.get("kind") == "geometric-noise"]
    return [one for one in noises if isinstance(one.get("p"), str) and read_expression(one["p"]).names]


def factors_in(family: Family, name: str) -> int:
    """A bound on how many entries that name one parameter are multiplied in one joint mass.

    As for all parameters together, but in the shapes `independent` and `network` only the records count in whose laws
    it stands: a world has one entry for each record.
    """
    mine = tuple(place.trail for place, one in family.expressions if name in one.names)
    size = family.raw["size"]
    if not isinstance(size, int):
        raise UnsupportedError("databases of several sizes are not decided for families", wanted="one size")
    drawn = [trail for trail in mine if trail[0] == "distribution"]
    channels = {trail[0] for trail in mine} & {"knowledge", "mechanism"}
    if _parametric([family.raw[one] for one in channels]):
        raise UnsupportedError(
            "geometric noise with a parameter is not decided for several parameters", wanted="a numeric p for the noise"
        )
    given = {trail[:4] for trail in mine if trail[0] == "normalization"}  # one entry for each of its parameters
    found = sum(_of_channel(family.raw[one], size) for one in channels) + _records(family, drawn, size)
    return max(found, len(given))


def _records(family: Family, trails: Sequence[tuple[str, ...]], size: int) -> int:
    """The most records of one distribution in whose laws there is an expression."""
    found: dict[tuple[str, ...], set[str]] = {}
    for trail in trails:
        at = next((k for k, step in enumerate(trail[:3]) if step in {"independent", "network"}), None)
        if at is None:
            return _of_distribution(family.raw.get("distribution", []), size)
        found.setdefault(trail[:at], set()).add(trail[at + 1])
    return max(map(len, found.values()), default=0)


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
