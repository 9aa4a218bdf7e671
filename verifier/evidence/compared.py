"""The tables of a certificate against the text of the model file, by the replay's own reader of model files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from verifier.engine import Engine

MAX_ROWS = 500
"""Most rows of a certificate (worlds, databases, elements and totals of a sum) that an answer's re-check compares."""


def uncompared(evidence: Mapping[str, Any], engine: Engine) -> str:
    """Why the tables of a certificate were not compared with the text of its model; nothing where they were.

    The engine keeps the outcome: tables that several answers share are compared once.

    Raises:
        Rejected: where the tables are not those of the text.

    """
    worlds, mechanism = evidence.get("worlds"), evidence.get("mechanism")
    return engine.once(("compared", id(worlds), id(mechanism)), lambda: _uncompared(evidence, engine.model.text))


def _uncompared(evidence: Mapping[str, Any], text: str) -> str:
    from verifier.checker.model.compare import compare
    from verifier.checker.model.labels import Uncovered

    if "parameters" in text and "parameters" in tomllib.loads(text):
        return "the file has parameters"
    rows = _rows(evidence)
    if rows > MAX_ROWS:
        return f"they have {rows:,} rows, more than {MAX_ROWS}; pkdp replay compares those of a certificate"
    try:
        compare(evidence, text.encode(), None)
    except Uncovered as why:
        return str(why)
    return ""


def _rows(evidence: Mapping[str, Any]) -> int:
    """The number of rows that are listed: worlds and databases, or what the records add and the totals."""
    mechanism = evidence.get("mechanism", ())
    listed = [*mechanism["elements"], mechanism["finish"]] if isinstance(mechanism, Mapping) else [mechanism]
    return sum(map(len, (*evidence.get("worlds", {}).values(), *listed)))
