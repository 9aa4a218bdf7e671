"""The definitions of the texts: each is a file in `entries/`, read as one's own definitions are.

The independent replay never reads these files: it has its own table of what each definition compares.
"""

from __future__ import annotations

from pathlib import Path

from verifier.definitions.recipe import read_definition
from verifier.definitions.registry import find, register
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
dp, np, apkdp, ppkdp, cdp, ibcdp, ddp, dps, safe, dependency = map(
    find, ("dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "ddp", "dps", "safe", "dependency")
)
