"""The notebooks as files: their list, and what is in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from verifier.errors import InCommand, InputError
from verifier.model.library import course_folder


@cache
def notebooks() -> tuple[Path, ...]:
    """Return the notebooks of the course, in their order.

    >>> [path.stem for path in notebooks()][:2]
    ['01_privacy_loss', '02_uncertainty']
    """
    return tuple(sorted(course_folder().glob("[0-9][0-9]_*.py")))


@cache
def source_of(path: Path) -> bytes:
    """Return what is in a notebook's file; it is read once, since a page may have it in memory alone."""
    return path.read_bytes()


def notebook(name: str) -> Path:
    """Return a notebook by its number or its name.

    >>> notebook("1") == notebook("privacy_loss") == notebook("01_privacy_loss.py")
    True

    Raises:
        InputError: where no notebook has the name; it lists the names.

    """
    stem = Path(name).name.removesuffix(".py").removesuffix(".ipynb")
    for path in notebooks():
        number, _, topic = path.stem.partition("_")
        if stem in {path.stem, topic, topic.replace("_", "-"), number, str(int(number))}:
            return path
    known = ", ".join(path.stem for path in notebooks())
    raise InputError(
        f"there is no notebook {name}", where=InCommand("pkdp course"), wanted=f"a number, or one of {known}"
    )
