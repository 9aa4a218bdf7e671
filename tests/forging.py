"""Forgeries of certificates that both replay tests use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Certificate = dict[str, Any]
Forge = Callable[[Certificate], None]


def put(*path: Any) -> Forge:
    """Replace what stands at a place: the last entry is the new value."""

    def forge(one: Certificate) -> None:
        *keys, last, value = path
        target: Any = one
        for key in keys:
            target = target[key]
        assert target[last] != value, "no forgery"
        target[last] = value

    return forge


def drop(*path: Any) -> Forge:
    def forge(one: Certificate) -> None:
        *keys, last = path
        target: Any = one
        for key in keys:
            target = target[key]
        del target[last]

    return forge
