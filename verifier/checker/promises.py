"""What a model file promises: answers to its own questions, and normalizations to be checked.

No answer rests on them; they are read so that the file has the form that it must have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.forms import chosen, distinct, integer, keyed, labelled, listing, name, refused
from verifier.checker.kinds import Kinds
from verifier.checker.labels import chance, exact, outcome, text

COLUMNS = ("knowledge", "sensitive")
QUESTION = ("reading", "epsilon", "delta", "record", "distribution", "k")
ANSWER = ("verdict", "method", "tight_delta", "tight_epsilon", "tight_delta_decimal", "tight_epsilon_decimal",
          "comparisons", "multiplicity", "empty", "acceptable", "reason", "largest")  # fmt: skip
_FACTOR = re.compile(r"\s*(?:([*/])\s*)?(?:ln\s*\(([^()]*)\)|([0-9][0-9.]*(?:[eE][+-]?[0-9]+)?))\s*")


def promise(spec: Any) -> None:
    """An answer of `[[expect]]`."""
    if not set(keyed(spec, ("definition",), (*QUESTION, *ANSWER))) & set(ANSWER):
        raise refused(list(spec), "an answer")
    name(spec["definition"])
    chance(spec.get("delta", 0))
    _epsilon(spec.get("epsilon", 0))


def _epsilon(value: Any) -> None:
    """An ε ≥ 0 in any spelling: a product of numbers and at most one logarithm, a root, or infinity."""
    if not isinstance(value, str):
        integer(value, 0)
        return
    written = value.strip()
    if written in {"inf", "∞", "oo"} or (written.startswith("ln(root of ") and written.endswith(")")):
        return
    factor, argument, at = Fraction(1), Fraction(1), int(written.startswith("-"))
    sign, logarithms = -1 if at else 1, 0
    while match := _FACTOR.match(written, at):
        if (match[1] is None) != (at == written.startswith("-")) or (match[2] is not None and match[1] == "/"):
            break
        logarithms += match[2] is not None
        number = exact(match[3] if match[2] is None else match[2])
        if match[2] is not None:
            argument = number
        elif match[1] != "/" or number:
            factor = factor / number if match[1] == "/" else factor * number
        else:
            break
        at = match.end()
    negative = sign * factor * (argument - 1 if logarithms else 1) < 0
    if at < len(written) or not written or logarithms > 1 or argument <= 0 or negative:
        raise refused(value, "an ε such as ln(2)")


def normalization(spec: Any, kinds: Kinds, size: int, protected: Sequence[Any], thetas: Sequence[str]) -> None:
    """A table of `[[normalization]]`; `protected` and `thetas` are those of the file."""
    records = protected != ["S"]
    keyed(spec, ("parameters", "table", *(["record"] if records else [])), ("distribution", "knowledge"))
    chosen(spec.get("distribution", thetas[0] if len(thetas) == 1 else None), thetas)
    if records:
        chosen(spec["record"], protected)
    parameters = [keyed(parameter, ("name", "table")) for parameter in listing(spec["parameters"])]
    names = distinct((name(parameter["name"]) for parameter in parameters), "distinct names")
    for parameter in parameters:
        kinds.law_of(parameter["table"])
    for row in listing(spec["table"]):
        keyed(row, ("when", "database"), COLUMNS)
        for value, parameter in zip(listing(row["when"], len(names)), parameters, strict=True):
            chosen(text(outcome(value)), labelled(parameter["table"]))
        kinds.database(row["database"], size)
        for column in set(COLUMNS) & set(row):
            outcome(row[column])
    for known in listing(spec.get("knowledge", [])):
        chosen(name(known), names)
