"""The laws of mechanisms as the checker reads them from a model file: it shares no code with the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.model.labels import in_order, outcome
from verifier.checker.model.labels import text as text_of
from verifier.checker.model.mechanisms import Kinds

Spec = Mapping[str, Any]
Database = tuple[Any, ...]
"""A database of values as they are spelled in `values`."""


def text(label: Any) -> str:
    """The text of a label, however it is spelled; of the mark that stands for no knowledge, itself."""
    return label if isinstance(label, str) and not label.isprintable() else text_of(outcome(label))


def parts(label: str) -> tuple[Any, ...] | None:
    """The entries of a list, or of a text that spells one; None for what is no list."""
    read = outcome(label)
    return read if isinstance(read, tuple) else None


def label_order(label: str) -> tuple[Any, ...]:
    """Within one world, labels come by number, then lists entry by entry, then by text."""
    return in_order(outcome(label)) if label.isprintable() else (label,)


class Twin:
    """A mechanism of `size` records with values in `values`."""

    def __init__(self, spec: Spec, values: Sequence[Any], size: int, *, known: bool = False) -> None:
        kinds = Kinds([outcome(v) for v in values])
        self._made = kinds.read(dict(spec), size, known=known)
        self._places = {text(v): k for k, v in enumerate(values)}

    def law(self, database: Database) -> dict[str, Fraction]:
        """The law of M(D) on label texts."""
        return {text_of(o): p for o, p in self._made.law(tuple(self._places[text(v)] for v in database)) if p}
