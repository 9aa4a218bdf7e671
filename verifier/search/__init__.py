"""The untrusted search for the smallest model that tells statements apart; what it finds is checked before it shows.

The package itself is the function `verifier.search(...)` (see `verifier.search.ask.search`), as well as the room.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.search.ask import Result


class _Room(ModuleType):
    """A package that can be called, since the function and the room have one name."""

    def __call__(self, **question: Any) -> Result:
        """The smallest model that tells statements apart; `verifier.search.ask.search` says more."""
        from verifier.search.ask import search

        return search(**question)


sys.modules[__name__].__class__ = _Room
