"""The definitions of the texts: each is a file in `entries/`, read as one's own definitions are.

The independent replay never reads these files: it has its own table of what each definition compares.
"""

from __future__ import annotations

from pathlib import Path

from verifier.definitions.definition import Definition
from verifier.definitions.recipe import read_definition
from verifier.definitions.registry import DEFINITIONS, ON_REQUEST, register
from verifier.model.place import Place

ENTRIES = Path(__file__).with_name("entries")
PASSPORT = (
    "dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp",
    "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp", "dps", "safe",
)  # fmt: skip
"""The definitions of a passport, in its order; the others are decided where they are asked for."""


def _register_all() -> None:
    others = sorted({file.stem for file in ENTRIES.glob("*.toml")} - set(PASSPORT))
    for key in (*PASSPORT, *others):
        file = ENTRIES / f"{key}.toml"
        definition = read_definition(file.read_text(encoding="utf-8"), Place(file.name), own=False)
        register(definition, on_request=key not in PASSPORT)


_register_all()
dependency = ON_REQUEST["dependency"]


def named(key: str) -> Definition:
    """A definition of the texts, for those who write its key as a name.

    Raises:
        AttributeError: for other names.

    """
    definition = DEFINITIONS.get(key) or ON_REQUEST.get(key)
    if definition is None or definition.own:
        raise AttributeError(f"module 'verifier.definitions' has no attribute {key!r}")
    return definition
