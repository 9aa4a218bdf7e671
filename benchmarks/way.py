"""The way of one δ through the program: which files and functions a question enters, and how often it moves.

`python benchmarks/way.py [MODEL]` asks for the δ of ppkdp at ε = ln(2), from the model file to the JSON of the answer
with its re-check, and prints each file with the first function that is entered there, or with the one of `NUMBER`
through which the number goes. A move is a call from one
function of the package to another. docs/architecture.md shows this list, and a test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import verifier as pk
from verifier.definitions.comparison import profile_of_weights

PACKAGE = Path(pk.__file__).resolve().parent
MODEL = PACKAGE.parent / "models" / "DMKB20" / "example-1-side-known.toml"
SKIPPED = frozenset({"<module>", "<lambda>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})

NUMBER = {
    "definitions/comparison.py": "Pair.profile",
    "definitions/decide.py": "largest_delta",
    "profile/profile.py": "profile_of",
}
"""The functions through which δ goes, of files in which another one is entered before."""


@dataclass
class Way:
    """What was entered: files in order with their first function, all functions, and the number of moves."""

    files: dict[str, str] = field(default_factory=dict)
    functions: set[tuple[str, str]] = field(default_factory=set)
    moves: int = 0

    def __str__(self) -> str:
        return f"{len(self.files)} files, {len(self.functions)} functions, {self.moves:,} moves"

    def shown(self) -> Iterator[str]:
        """Yield a line for each file, with one of its functions."""
        for file, first in self.files.items():
            through = NUMBER.get(file, first)
            yield f"{file:<44} {through if (file, through) in self.functions else first}"

    def enter(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call into the package."""
        if event != "call" or not _is_ours(frame.f_code) or frame.f_code.co_name in SKIPPED:
            return
        file = Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()
        self.files.setdefault(file, frame.f_code.co_qualname)
        self.functions.add((file, frame.f_code.co_qualname))
        self.moves += 1


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(f"{PACKAGE}/")


@contextmanager
def walked() -> Iterator[Way]:
    """Record the way of what is asked inside."""
    way = Way()
    sys.setprofile(way.enter)
    try:
        yield way
    finally:
        sys.setprofile(None)


def ask(model: Path) -> None:
    """Ask one question, from the file to the answer as JSON."""
    pk.check(pk.read(model), "ppkdp", epsilon="ln(2)").to_json()


def way_of(model: Path = MODEL) -> Way:
    """The way of one question; it is asked once before, so that what is loaded or listed once is not counted.

    The profiles that were kept are forgotten, so that they are made on the way.
    """
    ask(model)
    profile_of_weights.cache_clear()
    with walked() as way:
        ask(model)
    return way


if __name__ == "__main__":
    way = way_of(Path(sys.argv[1]) if len(sys.argv) > 1 else MODEL)
    print(*way.shown(), sep="\n")
    print(way)
