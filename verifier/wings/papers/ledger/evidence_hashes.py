"""Binding a reading to its evidence: one hash over its words and the contents of all files that it rests on.

`proofs/<paper>/evidence.json` holds the hashes, and the lines that each piece of evidence gave when it was decided. A
reading whose words, model, certificate, derivation or proof has changed since is stale, and is not shown as decided.
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

FORMAT = 1
CERTIFICATES = "proofs/certificates/"
"""The folder of the certificates, with the same subfolders as `models/`."""


@dataclass(frozen=True)
class BoundReading(Valued):
    """The record of a decided reading: the hashes of all contents that it rests on, and the lines of each evidence."""

    sha256: str
    rests_on: Mapping[str, str]
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
        self.sha256, self.helpers = cache(_file), cache(helpers_of)

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
    entry: Entry, reading: ClaimReading, rests_on: Mapping[str, str], conclusions: tuple[tuple[str, ...], ...]
) -> BoundReading:
    """The record of a decided reading, with one hash over its words, its evidence and the evidence's lines.

    `rests_on` has the hashes of the files by name, `conclusions` the lines that each piece of evidence gave.
    """
    words = {
        "format": FORMAT,
        "entry": [entry.paper, entry.slug, entry.claim, entry.place, entry.statement],
        "reading": asdict(reading),
        "rests_on": dict(sorted(rests_on.items())),
        "said": conclusions,
    }
    text = json.dumps(words, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return BoundReading(hashed(text), dict(sorted(rests_on.items())), conclusions)


def bound_file(paper: str) -> Path:
    """The path of the file with the records of all decided readings of a paper."""
    return proofs_folder() / paper / "evidence.json"


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
                key: BoundReading(record["sha256"], record["rests_on"], tuple(tuple(lines) for lines in record["said"]))
                for key, record in readings.items()
            }
            for slug, readings in content["entries"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"the file is damaged: {error!r}", where=f"{paper}/{path.name}", wanted="a file of `make generated`"
        ) from None


def is_bound(entry: Entry, reading: ClaimReading, record: BoundReading | None, files: Files) -> bool:
    """Whether the words and the evidence of a reading still have the hash with which it was decided."""
    if record is None:
        return False
    try:
        rests_on = {name: files.sha256(files.proofs.parent / name) for name in certificates_in(record)}
        for evidence in reading.evidence:
            rests_on |= files.contents(evidence)
    except InputError:
        return False
    return bind(entry, reading, rests_on, record.said) == record


def certificates_in(record: BoundReading) -> tuple[str, ...]:
    """The names of the certificates among the files that a reading rests on."""
    return tuple(name for name in record.rests_on if name.startswith(CERTIFICATES))


def certificate_path(name: str) -> Path:
    """The path of a certificate, from its name below the root of the repository."""
    return proofs_folder().parent / name
