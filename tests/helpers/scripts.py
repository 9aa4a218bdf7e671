"""The scripts of the repository that are no part of the package, as modules."""

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from documents import ROOT


@cache
def script(place: str) -> ModuleType:
    """The module of the script at a place below the root, such as `docs/matrix/build.py`; always the same one."""
    name = place.removesuffix(".py").replace("/", "_")
    spec = spec_from_file_location(name, ROOT / place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module
