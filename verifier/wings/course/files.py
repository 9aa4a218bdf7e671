"""The notebooks as files: their list, copies of them to work in, and the command of the editor."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from verifier.errors import InputError
from verifier.model.library import course_folder

STYLE = "course.css"


def notebooks() -> list[Path]:
    """Return the notebooks of the course, in their order.

    >>> [path.stem for path in notebooks()][:2]
    ['01_privacy_loss', '02_uncertainty']
    """
    return sorted(course_folder().glob("[0-9][0-9]_*.py"))


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
    raise InputError(f"there is no notebook {name}", where="pkdp course", wanted=f"a number, or one of {known}")


def copies(folder: Path, sources: list[Path]) -> list[Path]:
    """Copy notebooks into a folder to work in, and return the paths there; a file that exists is never replaced.

    Raises:
        InputError: where the folder cannot be written.

    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in [*sources, course_folder() / STYLE]:
            target = folder / source.name
            if not target.exists():
                shutil.copyfile(source, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"the folder {folder} cannot be written ({reason})", where="edit=", wanted="a folder that can be written"
        ) from None
    return [folder / source.name for source in sources]


def editor_command(target: Path, *, port: int | None = None, browser: bool = True) -> list[str]:
    """Return the command that opens marimo's editor on a notebook, on this machine alone.

    An editor runs what is typed, so the address that is opened has a token. It does not look for updates. Only errors
    are told in the terminal: marimo warns of the titles and sentences that its own list of notebooks reads.

    >>> " ".join(editor_command(Path("c.py"), port=2718)[1:])
    '-m marimo --log-level ERROR edit c.py --skip-update-check --host 127.0.0.1 --port 2718'
    """
    options = ["edit", str(target), "--skip-update-check", "--host", "127.0.0.1"]
    options += ([] if port is None else ["--port", str(port)]) + ([] if browser else ["--headless"])
    return [sys.executable, "-m", "marimo", "--log-level", "ERROR", *options]
