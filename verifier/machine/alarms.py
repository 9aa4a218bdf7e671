"""What an alarm raises where Python has to drop it, as inside a function that is called while garbage is collected.

Python prints such an error and goes on. An alarm that rings again needs no word about its first ring.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def ringing(kind: type[BaseException]) -> Callable[[], None]:
    """Say nothing of a dropped error of one kind from now on; what is returned ends this.

    Every other dropped error is shown as it was before.
    """
    before = sys.unraisablehook

    def show(dropped: Any) -> None:
        if not issubclass(dropped.exc_type, kind):
            before(dropped)

    def end() -> None:
        sys.unraisablehook = before

    sys.unraisablehook = show
    return end
