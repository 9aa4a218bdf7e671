"""Which databases are neighbours: the names of `[policy] neighbours`, their meaning, and the words of libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from verifier.model.model import Model


class NamedRelation(NamedTuple):
    """A relation between two databases: how they differ, in words, and what libraries call it."""

    name: str
    words: str
    libraries: str = ""

    @property
    def text(self) -> str:
        """How two neighbours differ, with the libraries' words beside."""
        return f"{self.words} ({self.libraries})" if self.libraries else self.words


CHANGE = NamedRelation("change", "one record is replaced", "replace one: bounded, REPLACE_ONE, change-one")
ADD_REMOVE = NamedRelation(
    "add-remove", "one record is added or removed", "add or remove one: unbounded, ADD_OR_REMOVE_ONE"
)
ANY = NamedRelation("any", "one record is replaced, added or removed", "replace one, or add or remove one")
EVERY_ENTRY = NamedRelation("every-entry-by-one", "every entry of a vector of answers moves by at most 1")
ONE_ENTRY = NamedRelation("one-entry", "one entry of a vector of answers moves by at most 1")
ONE_DIRECTION = NamedRelation(
    "one-direction", "the entries of a vector of answers move by at most 1, all in the same direction"
)
NEIGHBOURS = {one.name: one for one in (CHANGE, ADD_REMOVE, ANY, EVERY_ENTRY, ONE_ENTRY, ONE_DIRECTION)}
"""The relations by their names in files."""
OF_VECTORS = frozenset(one.name for one in (EVERY_ENTRY, ONE_ENTRY, ONE_DIRECTION))
"""The relations between vectors of numbers, of which several entries may differ."""


def relation_on(model: Model, name: str) -> NamedRelation:
    """The relation with a name, in the words that fit a model, which may name the value of a record that is not there.

    >>> from verifier.model import build
    >>> keys = {"size": 1, "values": ["a", "none"], "mechanism": {"kind": "identity"}}
    >>> relation_on(build(**keys, policy={"absent": "none"}), "add-remove").text
    'one record becomes "none", or stops being it (replace with a special value: REPLACE_SPECIAL)'
    """
    absent = model.absent
    if absent is None or name not in {ADD_REMOVE.name, ANY.name}:
        return NEIGHBOURS[name]
    special = f'one record becomes "{absent}", or stops being it'
    if name == ADD_REMOVE.name:
        return NamedRelation(name, special, "replace with a special value: REPLACE_SPECIAL")
    return NamedRelation(name, f"one record is replaced, or {special}", "replace one, or replace with a special value")
