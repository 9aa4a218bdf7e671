"""The laws of mechanisms as the checker reads them from a model file: it shares no code with the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.mechanisms import Mechanism
from verifier.checker.models import Home
from verifier.checker.numbers import covers, entries, is_list
from verifier.checker.numbers import label as label_of

Spec = Mapping[str, Any]
Database = tuple[Any, ...]
"""A database of values as they are spelled in `values`."""


def text(label: Any) -> str:
    """The text of a label, however it is spelled; of the mark that stands for no knowledge, itself."""
    return label if isinstance(label, str) and not label.isprintable() else label_of(label)


def parts(label: str) -> tuple[str, ...] | None:
    """The entries of a list, or of a text that spells one; None for what is no list."""
    read = label_of(label)
    return tuple(entries(read)) if is_list(read) else None


def label_order(label: str) -> tuple[Any, ...]:
    """Within one world, labels come by number, then lists entry by entry, then by text."""
    if label.isprintable() and is_list(read := label_of(label)):
        return 1, tuple(map(label_order, entries(read))), label
    if re.fullmatch("-?[0-9]+(/[0-9]+)?", label):
        return 0, Fraction(label), label
    return 2, label, label


def joined(law: Mapping[str, Fraction], names: Iterable[str]) -> dict[str, Fraction]:
    """The law with its outputs joined to coarser ones: a tail of noise may be cut elsewhere."""
    found = {name: sum((p for o, p in law.items() if covers(name, o)), Fraction(0)) for name in names}
    assert sum(found.values()) == 1
    return {name: p for name, p in found.items() if p}


class Twin:
    """A mechanism of `size` records with values in `values`."""

    def __init__(
        self, spec: Spec, values: Sequence[Any], size: int, *, known: bool = False, people: Spec | None = None
    ) -> None:
        bare = known and not {"kind", "table", "rows"} & set(spec)
        self._made = Mechanism(
            {**spec, "kind": "records"} if bare else spec,
            Home({"size": size, "values": values, "people": people or {}}, {}),
        )

    def law(self, database: Database) -> dict[str, Fraction]:
        """The law of M(D) on label texts."""
        return {o: p for o, p in self._made.law(tuple(map(text, database))).chances().items() if p}
