"""The notebooks as files: which there are, copies of them to work in, and the command that opens them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from verifier.errors import InputError
from verifier.model.library import course_folder

STYLE = "course.css"


def notebooks() -> list[Path]:
    """The notebooks of the course, in their order.

    >>> [path.stem for path in notebooks()][:2]
    ['01_privacy_loss', '02_uncertainty']
    """
    return sorted(course_folder().glob("[0-9][0-9]_*.py"))


def notebook(name: str) -> Path:
    """A notebook by its number or its name.

    >>> notebook("1") == notebook("privacy_loss") == notebook("01_privacy_loss.py")
    True

    Raises:
        InputError: for a name that is none, with those that there are.

    """
    asked = Path(name).name.removesuffix(".py").removesuffix(".ipynb")
    for path in notebooks():
        number, _, rest = path.stem.partition("_")
        if asked in {path.stem, rest, rest.replace("_", "-"), number, str(int(number))}:
            return path
    known = ", ".join(path.stem for path in notebooks())
    raise InputError(f"no notebook {name}", where="pkdp course", wanted=f"a number, or one of {known}")


def copies(folder: Path, wanted: list[Path]) -> list[Path]:
    """Copies to work in. What is there already is kept as it is: nothing is ever written over."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in [*wanted, course_folder() / STYLE]:
            target = folder / source.name
            if not target.exists():
                shutil.copyfile(source, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"the folder {folder} cannot be written ({reason})", where="edit=", wanted="a folder that can be written"
        ) from None
    return [folder / source.name for source in wanted]


def command(target: Path, *, edit: bool, port: int | None = None, browser: bool = True) -> list[str]:
    """The command that serves a notebook, or a folder of them, on this machine alone.

    Read-only pages need no token; an editor, which runs what is typed, has one in the address that is opened.
    Neither looks for updates. Only errors are told in the terminal: marimo warns of the titles and sentences that its
    own list of notebooks reads from their heads.

    >>> " ".join(command(Path("c"), edit=False, port=2718)[1:])
    '-m marimo --log-level ERROR run c --host 127.0.0.1 --no-token --port 2718'
    """
    options = ["edit", str(target), "--skip-update-check"] if edit else ["run", str(target)]
    options += ["--host", "127.0.0.1"] + ([] if edit else ["--no-token"])
    options += ([] if port is None else ["--port", str(port)]) + ([] if browser else ["--headless"])
    return [sys.executable, "-m", "marimo", "--log-level", "ERROR", *options]
