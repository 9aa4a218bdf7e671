"""Which cases of a sweep are looked at, where not all of them are."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def chosen(cases: Mapping[str, Mapping[str, int]], share: int) -> set[str]:
    """One in `share` of the cases, rounded up: the same ones every time, whatever other tests there are.

    A case has a name and, for each parameter, the number of its value. Where parameters vary independently, each value
    of each of them is kept in some case, also where these are more cases.
    """
    ordered = sorted(cases, key=lambda name: sha256(name.encode()).digest())
    columns = zip(*(cases[name].values() for name in ordered), strict=True)
    kept: set[str] = set()
    if len(set(columns)) > 1:
        seen: set[tuple[str, int]] = set()
        for name in ordered:
            if not cases[name].items() <= seen:
                seen |= cases[name].items()
                kept.add(name)
    others = [name for name in ordered if name not in kept]
    return kept | set(others[: max(0, -(-len(cases) // share) - len(kept))])
