from typing import Any

from verifier import *  # noqa: F403

def __getattr__(name: str) -> Any: ...
