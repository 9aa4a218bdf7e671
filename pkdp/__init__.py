"""`import pkdp`: the package under the name with which it is installed. It is `verifier`, the same module.

So is each part of it: `pkdp.model` is `verifier.model`, and no module is loaded twice.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

import verifier


class _SameModule(MetaPathFinder, Loader):
    """Finds `verifier.NAME` for `pkdp.NAME`."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """The spec of a part of the package; None for any other module."""
        return ModuleSpec(fullname, self) if fullname.startswith("pkdp.") else None

    def create_module(self, spec: ModuleSpec) -> object:  # type: ignore[override]
        """The module under its first name, which keeps its own spec."""
        module = import_module(f"verifier.{spec.name.removeprefix('pkdp.')}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: object) -> None:
        """Give the module, which has run already, its own spec back."""
        module.__spec__ = module.__spec__.loader_state  # type: ignore[attr-defined]


if not any(isinstance(finder, _SameModule) for finder in sys.meta_path):
    sys.meta_path.insert(0, _SameModule())
sys.modules["pkdp"] = verifier
