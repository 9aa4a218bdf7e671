"""The definitions of DP22 ("SoK: Differential Privacies"), by their keys; each is a file in `entries/dp22`.

Where the project has the object already, a key of DP22 is an alias: `atlas["npr"]` is `np`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from verifier.definitions.definition import Definition
from verifier.definitions.registry import ALIASES, OF_DP22, find
from verifier.errors import InputError, NoSuchKeyError, one_of
from verifier.numbers import shorten

DIMENSIONS = {
    "": "no dimension",
    "Q": "quantification of privacy loss",
    "N": "neighbourhood definition",
    "V": "variation of privacy loss",
    "B": "background knowledge",
    "F": "formalism of privacy loss",
    "R": "relativization of knowledge gain",
    "C": "computational power",
}
"""The seven dimensions of DP22, section 2.2."""


class Atlas(Mapping[str, Definition]):
    """The definitions by DP22's keys, in the order of the dimensions that they change; read when first asked for.

    >>> atlas["osdp"].title, atlas["npr"].key, atlas.dimensions("osdp")
    ('one-sided differential privacy', 'np', 'N')
    """

    @property
    def entries(self) -> Mapping[str, Definition]:
        """The definitions that have a file in `entries/dp22`, by key."""
        return OF_DP22

    @cached_property
    def _ordered(self) -> list[str]:
        order = "QNVBFRC"
        keys = [*OF_DP22, *ALIASES]
        return sorted(keys, key=lambda key: ([order.index(letter) for letter in self.dimensions(key)], key))

    def dimensions(self, key: str) -> str:
        """The dimensions of DP22 that the definition with this key changes, as letters of QNVBFRC."""
        return ALIASES[key].dimensions if key in ALIASES else OF_DP22[key].dimensions

    def changing(self, letters: str) -> list[str]:
        """The keys of the definitions that change every dimension in `letters`, in order; all keys for no letter."""
        return [key for key in self if set(letters) <= set(self.dimensions(key))]

    def __getitem__(self, key: str) -> Definition:
        if key not in self:
            raise NoSuchKeyError(f"the key {shorten(key)} is unknown", wanted=one_of([*OF_DP22, *ALIASES], key))
        return find(ALIASES[key].key) if key in ALIASES else OF_DP22[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ordered)

    def __len__(self) -> int:
        return len(OF_DP22) + len(ALIASES)

    def __contains__(self, key: object) -> bool:
        return key in ALIASES or key in OF_DP22

    def __repr__(self) -> str:
        return f"<Atlas of {len(self)} definitions of DP22>"


atlas = Atlas()


def dimension_named(text: str, where: str = "--dimension") -> str:
    """The letters of the dimensions that a text names, by letters or by the beginning of one name.

    >>> dimension_named("n"), dimension_named("QV"), dimension_named("background")
    ('N', 'QV', 'B')

    Raises:
        InputError: for a text that names no dimension, or the beginning of several names.

    """
    letters = text.strip().upper()
    if letters and set(letters) <= set(DIMENSIONS):
        return letters
    spelled = text.strip().lower().replace("relativis", "relativiz")
    named = [letter for letter, name in DIMENSIONS.items() if letter and name.startswith(spelled)]
    if len(named) != 1 or not text.strip():
        wanted = ", ".join(f"{letter} ({name})" for letter, name in DIMENSIONS.items() if letter)
        raise InputError(f"the dimension {shorten(text)} is unknown", where=where, wanted=f"some of {wanted}")
    return named[0]
