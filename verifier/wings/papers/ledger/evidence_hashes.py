"""Binding a reading to its evidence: one hash over its words and the contents of all files that it rests on.

`proofs/<paper>/evidence.json` holds the hashes, and the lines that each piece of evidence gave when it was decided;
`proofs/<paper>/answers.json` beside it the answers that the independent checker confirmed. A reading whose words,
answers, model, derivation or proof has changed since is stale, and is not shown as decided.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from verifier.definitions.answer import Valued
from verifier.errors import InputError
from verifier.model.library import models_folder, proofs_folder
from verifier.wings.papers.ledger.entry import (
    ClaimReading,
    Entry,
    Evidence,
    OfDerivation,
    OfModel,
    OfProof,
    OfTheorem,
)
from verifier.wings.papers.ledger.proof_pages import section
from verifier.wings.papers.theorems import needs

FORMAT = 2


@dataclass(frozen=True)
class Answers(Valued):
    """The answers that a reading rests on, after the independent checker has decided them again.

    `confirmed` has the hashes of their lines in `answers.json`; `unchecked` says what those are about that the checker
    leaves undecided.
    """

    confirmed: tuple[str, ...]
    unchecked: tuple[str, ...]


@dataclass(frozen=True)
class BoundReading(Valued):
    """The record of a decided reading: the hashes of all contents that it rests on, and the lines of each evidence."""

    sha256: str
    rests_on: Mapping[str, str]
    answers: Answers
    said: tuple[tuple[str, ...], ...]


def hashed(content: bytes | str) -> str:
    """The SHA-256 of a text or of bytes, in hexadecimal digits.

    >>> hashed("")[:8]
    'e3b0c442'
    """
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


class Files:
    """The files that readings rest on, by their hashes; each is read once while this object lives."""

    def __init__(self) -> None:
        """Read nothing yet."""
        self.models, self.proofs = models_folder(), proofs_folder()
        self.sha256, self.helpers, self.answers = cache(_file), cache(helpers_of), cache(answers_of)

    def contents(self, evidence: Evidence) -> dict[str, str]:
        """The hashes, by name, of the model, the modules or the written proof that a piece of evidence rests on.

        A search and a bound rest on no file.

        Raises:
            InputError: where a file cannot be read, or a page has no such heading.

        """
        match evidence:
            case OfModel():
                return {evidence.title: self.sha256(self.models / f"{evidence.model}.toml")}
            case OfDerivation():
                path = self.proofs / evidence.paper / f"{evidence.module}.py"
                helpers = {f"{helper.parent.name}/{helper.name}": self.sha256(helper) for helper in self.helpers(path)}
                return {f"proofs/{evidence.paper}/{path.name}": self.sha256(path), **helpers}
            case OfTheorem():
                names = [f"coq/{name}.v" for name in needs(evidence.file)]
                return {f"proofs/{name}": self.sha256(self.proofs / name) for name in names}
            case OfProof():
                return {evidence.title: hashed(section(evidence))}
        return {}


def helpers_of(path: Path) -> list[Path]:
    """The modules of the package's folder `ledger` that a derivation imports, directly or through one of them.

    >>> [helper.stem for helper in helpers_of(proofs_folder() / "DMKB20" / "attackers.py")]
    ['laws', 'plain', 'steps']
    """
    helpers_found = set[Path]()
    left = [path]
    while left:
        importing = left.pop()
        text = importing.read_text(encoding="utf-8") if importing.is_file() else ""
        helpers = {HELPERS / f"{name}.py" for name in IMPORTED.findall(text)} - helpers_found
        helpers_found |= helpers
        left += helpers
    return sorted(helpers_found)


HELPERS = Path(__file__).parent
IMPORTED = re.compile(rf"^[ \t]*from {re.escape(__package__)}\.(\w+) import ", re.MULTILINE)


def _file(path: Path) -> str:
    try:
        return hashed(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path.name, wanted="a file of the ledger") from None


def bind(
    entry: Entry,
    reading: ClaimReading,
    rests_on: Mapping[str, str],
    answers: Answers,
    conclusions: tuple[tuple[str, ...], ...],
) -> BoundReading:
    """The record of a decided reading, with one hash over its words, its evidence and the evidence's lines.

    `rests_on` has the hashes of the files by name, `conclusions` the lines that each piece of evidence gave.
    """
    words = {
        "format": FORMAT,
        "entry": [entry.paper, entry.slug, entry.claim, entry.place, entry.statement],
        "reading": asdict(reading),
        "rests_on": dict(sorted(rests_on.items())),
        "answers": asdict(answers),
        "said": conclusions,
    }
    text = json.dumps(words, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return BoundReading(hashed(text), dict(sorted(rests_on.items())), answers, conclusions)


def bound_file(paper: str) -> Path:
    """The path of the file with the records of all decided readings of a paper."""
    return proofs_folder() / paper / "evidence.json"


def answers_file(paper: str) -> Path:
    """The path of the file with the answers that the readings of a paper rest on, one a line."""
    return proofs_folder() / paper / "answers.json"


def answers_of(paper: str) -> dict[str, str]:
    """The lines of the answers of a paper by their hashes; none where there is no file.

    Raises:
        InputError: where the file is no text.

    """
    path = answers_file(paper)
    try:
        lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    except ValueError as error:
        raise _damaged(error, path) from None
    return {hashed(line): line for line in lines if line}


def bound_of(paper: str) -> dict[str, dict[str, BoundReading]]:
    """The records of the decided readings of a paper, by entry and by reading; empty where there is no file.

    Raises:
        InputError: where the file has another format.

    """
    path = bound_file(paper)
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise InputError(
                f"the format {content['format']} is unknown", where=f"{paper}/{path.name}", wanted=f"format {FORMAT}"
            )
        return {
            slug: {
                key: BoundReading(
                    record["sha256"],
                    record["rests_on"],
                    Answers(*(tuple(record["answers"][name]) for name in ("confirmed", "unchecked"))),
                    tuple(tuple(lines) for lines in record["said"]),
                )
                for key, record in readings.items()
            }
            for slug, readings in content["entries"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(error, path) from None


def _damaged(error: Exception, path: Path) -> InputError:
    place = f"{path.parent.name}/{path.name}"
    return InputError(f"the file is damaged: {error!r}", where=place, wanted="a file of `make generated`")


def is_bound(entry: Entry, reading: ClaimReading, record: BoundReading | None, files: Files) -> bool:
    """Whether the words and the evidence of a reading still have the hash with which it was decided."""
    if record is None:
        return False
    rests_on: dict[str, str] = {}
    try:
        for evidence in reading.evidence:
            rests_on |= files.contents(evidence)
    except InputError:
        return False
    there = all(answer in files.answers(entry.paper) for answer in record.answers.confirmed)
    return there and bind(entry, reading, rests_on, record.answers, record.said) == record
