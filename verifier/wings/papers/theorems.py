"""The general theorems in Coq, `proofs/coq`: their statements, and what Coq says of them.

Run as `python -m verifier.wings.papers.theorems`: every file is compiled, after those that it needs, and Coq is asked
what its theorems assume. The exit status is 1 where they assume something, 3 where Coq refuses a file, or is missing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from time import monotonic_ns

from verifier.errors import InputError, PkdpError, UnsupportedError
from verifier.model.library import proofs_folder

SECONDS = 600
"""The seconds that Coq may spend on one file."""
NOTHING = "Closed under the global context"
"""The words of Coq for a theorem that assumes nothing."""
INSTALLING = "apt install coq on Debian and Ubuntu, else rocq-prover.org; `coqc` is looked for on the path"
"""The tip on how to install Coq, which no extra brings."""
THEOREM = re.compile(r"^[ \t]*Theorem[ \t]+(\w+)\b(.*?)\.\s+Proof\b", re.MULTILINE | re.DOTALL)
NEEDED = re.compile(r"^From PK Require (?:Import |Export )?([\w\s]+?)\.$", re.MULTILINE)
COMMENT = re.compile(r"\(\*\*?(.*?)\*\)", re.DOTALL)
EXPLAINED = re.compile(r"\(\*\* (.*?)\*\)", re.DOTALL)
"""A comment that says what the theorems below it state."""


@dataclass(frozen=True)
class Checked:
    """What Coq says of one file: the names of its theorems, what they assume, and the milliseconds that it took."""

    file: str
    theorems: tuple[str, ...]
    assumed: str
    milliseconds: int

    @property
    def assumes_nothing(self) -> bool:
        """Whether no theorem of the file assumes anything."""
        return self.assumed == NOTHING


def folder() -> Path:
    """The folder of the Coq files."""
    return proofs_folder() / "coq"


def text_of(file: str) -> str:
    """The text of a Coq file, named without its ending.

    Raises:
        InputError: where there is no such file.

    """
    path = folder() / f"{file}.v"
    if not path.is_file():
        raise InputError(f"there is no file {file}.v", where="proofs/coq", wanted="a Coq file")
    return path.read_text(encoding="utf-8")


@cache
def needs(file: str) -> tuple[str, ...]:
    """The files that a file needs, each after those that it needs itself, and the file last.

    >>> needs("Notions")
    ('PartialKnowledge', 'Laws', 'Notions')
    """
    named = [name for match in NEEDED.finditer(text_of(file)) for name in match[1].split()]
    return tuple(dict.fromkeys([*(before for name in named for before in needs(name)), file]))


def files() -> tuple[str, ...]:
    """All Coq files, each after those that it needs."""
    every = sorted(path.stem for path in folder().glob("*.v"))
    return tuple(dict.fromkeys(name for file in every for name in needs(file)))


def theorems_of(file: str) -> dict[str, str]:
    """The statements of a file's theorems by name, without comments and needless spaces.

    >>> theorems_of("PartialKnowledge")["ibcdp_reflect"]
    ': reflect (ibcdp r c m) ibcdp_dec'
    """
    return {name: " ".join(words.split()) for name, words in THEOREM.findall(COMMENT.sub("", text_of(file)))}


def statement(file: str, name: str) -> str:
    """The statement of a theorem.

    Raises:
        InputError: where the file has no such theorem.

    """
    found = theorems_of(file)
    if name not in found:
        raise InputError(f"there is no theorem {name}", where=f"proofs/coq/{file}.v", wanted="`Theorem name`")
    return found[name].removeprefix(": ")


def quoted(file: str, name: str) -> tuple[str, str]:
    """What the file says in words of a theorem, in the comment above it, and its statement as the file has it.

    Raises:
        InputError: where the file has no such theorem.

    """
    statement(file, name)
    text = text_of(file)
    (found,) = (match for match in THEOREM.finditer(text) if match[1] == name)
    explained = EXPLAINED.findall(text[: found.start()])
    return " ".join(explained[-1].split()) if explained else "", dedent(found[0].removesuffix("Proof").rstrip())


def checked() -> Iterator[Checked]:
    """Compile every file in a temporary folder, and ask of each theorem what it assumes.

    Raises:
        UnsupportedError: where there is no Coq, or it refuses a file.

    """
    compiler = shutil.which("coqc")
    if compiler is None:
        raise UnsupportedError("coq is not installed", tip=INSTALLING)
    with TemporaryDirectory() as place:
        for file in files():
            yield _checked(file, Path(place), compiler)


def _checked(file: str, place: Path, compiler: str) -> Checked:
    """What Coq says of a file in a folder, which has the compiled files that it needs and is called PK in them."""
    names = list(theorems_of(file))
    copy = place / f"{file}.v"
    copy.write_text(f"{text_of(file)}{_question(names, place)}", encoding="utf-8")
    started = monotonic_ns()
    command = [compiler, "-q", "-Q", str(place), "PK", str(copy)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"Coq needs more than {SECONDS} seconds for proofs/coq/{file}.v") from None
    if done.returncode:
        raise UnsupportedError(f"Coq refuses proofs/coq/{file}.v: {' '.join(done.stderr.split())[-400:]}")
    said = " ".join((place / "assumed.out").read_text(encoding="utf-8").split()) if names else NOTHING
    return Checked(file, tuple(names), said, (monotonic_ns() - started) // 10**6)


def _question(names: list[str], place: Path) -> str:
    """What all theorems of a file assume, together: to ask of each takes Coq as long again for each."""
    if not names:
        return ""
    all_of_them = ", ".join(f"@{name}" for name in names)
    return f"""
Definition every_theorem := ({all_of_them}, tt).
Redirect "{place}/assumed" Print Assumptions every_theorem.
"""


def main() -> int:
    """Print, for each file, its seconds, its theorems and what they assume; return the exit status."""
    status, count, total = 0, 0, 0
    try:
        for one in checked():
            count, total = count + len(one.theorems), total + one.milliseconds
            seconds = f"{one.milliseconds // 1000}.{one.milliseconds // 100 % 10} s"
            assumed = "nothing is assumed" if one.assumes_nothing else f"ASSUMED: {one.assumed}"
            print(f"{one.file}.v, {seconds}, {assumed}", flush=True)  # noqa: T201
            if one.theorems:
                print(f"  {', '.join(one.theorems)}")  # noqa: T201
            status |= not one.assumes_nothing
    except PkdpError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return error.exit_status
    print(f"{count} theorems, {total // 1000} seconds, {'something' if status else 'nothing'} is assumed")  # noqa: T201
    return status


if __name__ == "__main__":
    sys.exit(main())
