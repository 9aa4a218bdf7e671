"""What every answer about a family begins with."""

from __future__ import annotations

from typing import Any

from verifier.model.parameters import Family
from verifier.numbers import exact_text
from verifier.version import VERSION


def head(family: Family) -> dict[str, Any]:
    """Which family it is about: the file with its hash, the ranges, and the parameters that were fixed."""
    return {
        "schema": 1,
        "version": VERSION,
        "model": family.label,
        "sha256": family.sha256,
        "parameters": [str(one) for one in family.parameters],
        **family.restriction.json,
        "fixed": {name: exact_text(value) for name, value in family.given.items()},
    }
