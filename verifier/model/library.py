"""The model files that come with the package."""

from __future__ import annotations

import tomllib
from pathlib import Path

from verifier.errors import InputError
from verifier.model import arguments
from verifier.model.arguments import takes


def models_folder() -> Path:
    """Where the model files are: data of the installed package, or `models/` of a checkout."""
    return _shipped("models", "models", "the model files")


def proofs_folder() -> Path:
    """Where the ledger is: data of the installed package, or `proofs/` of a checkout."""
    return models_folder().parent / "proofs"


def course_folder() -> Path:
    """Where the notebooks of the course are: data of the installed package, or `docs/course/` of a checkout."""
    return _shipped("course", "docs/course", "the notebooks of the course")


def drawings_folder() -> Path:
    """Where the papers' figures are: data of the installed package, or `docs/figures/drawings/` of a checkout."""
    return _shipped("figures", "docs/figures/drawings", "the drawings of the papers' figures")


def _shipped(installed: str, place: str, what: str) -> Path:
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "data" / installed, here.parent / place):
        if folder.is_dir():
            return folder
    raise InputError(f"{what} are missing", where=str(here), wanted="a complete installation")


GUIDES = {
    "format": "models/FORMAT.md",
    "certificates": "proofs/FORMAT.md",
    "search": "docs/search.md",
    "worst": "docs/worst.md",
    "atlas": "docs/atlas.md",
    "own-definitions": "docs/own-definitions.md",
    "definitions": "docs/definitions.md",
    "course": "docs/course/README.md",
}
"""The pages that messages and help texts lead to, by their topic: `pkdp examples --guide TOPIC` prints them."""


def guide(topic: str) -> str:
    """The page of a topic, in Markdown; it comes with the package.

    >>> guide("format").splitlines()[0]
    '# Model files'

    Raises:
        InputError: for a topic that is none.

    """
    if topic not in GUIDES:
        raise InputError(f"the topic {topic[:80]} is unknown", where="TOPIC", wanted=f"one of {', '.join(GUIDES)}")
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "data", here.parent):
        path = folder / GUIDES[topic]
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise InputError(f"the page {GUIDES[topic]} is missing", where=str(here), wanted="a complete installation")


LISTED = 64
"""Most records of an example that a report shows world by world."""


@takes(paper=arguments.text, most=arguments.number(0))
def examples(paper: str = "DMKB20", most: int = LISTED) -> list[Path]:
    """The model files of a paper's examples, or of `course`, with at most `most` records, in the order of their names.

    >>> "example-2-identity.toml" in [path.name for path in examples()]
    True

    Raises:
        InputError: where there are none, with the names that can stand for `paper`.

    """
    every = sorted((models_folder() / paper).glob("*.toml"), key=lambda path: path.stem)
    files = [path for path in every if _largest(path) <= most]
    if not files:
        papers = ", ".join(sorted(folder.name for folder in models_folder().iterdir() if folder.is_dir()))
        raise InputError(f'there are no model files for "{paper}"', wanted=f"one of {papers}")
    return files


def _largest(path: Path) -> int:
    """The size of a model file; of `[from, to]` the larger."""
    size: int | list[int] = tomllib.loads(path.read_text(encoding="utf-8"))["size"]
    return size if isinstance(size, int) else size[1]
