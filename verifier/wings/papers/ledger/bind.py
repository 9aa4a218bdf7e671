"""Binding evidence to what it proves: one hash a reading, over its words and the contents of all that it rests on.

`proofs/<paper>/evidence.json` holds what was said when everything was decided, and the hashes. A reading whose words,
model, certificate, derivation or proof has changed since is stale, and is not shown as decided.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.library import models_folder, proofs_folder
from verifier.wings.papers.ledger.decide import section
from verifier.wings.papers.ledger.entry import Entry, Evidence, OfDerivation, OfModel, OfProof, Reading

FORMAT = 1
CERTIFICATES = "proofs/certificates/"
"""Where certificates are; below it the folders are those of `models/`."""


@dataclass(frozen=True)
class Bound:
    """What one reading rests on: contents by their names, hashed; and what was said of each piece of evidence."""

    sha256: str
    rests_on: Mapping[str, str]
    said: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """As it stands in `evidence.json`."""
        return {"sha256": self.sha256, "rests_on": dict(self.rests_on), "said": [list(one) for one in self.said]}


def hashed(content: bytes | str) -> str:
    """The SHA-256 of a content.

    >>> hashed("")[:8]
    'e3b0c442'
    """
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def contents(evidence: Evidence) -> dict[str, str]:
    """What a piece of evidence rests on but for certificates, by name, hashed: a model, a module, a written proof."""
    match evidence:
        case OfModel():
            return {evidence.title: _file(models_folder() / f"{evidence.model}.toml")}
        case OfDerivation():
            path = proofs_folder() / evidence.paper / f"{evidence.module}.py"
            helpers = {f"{one.parent.name}/{one.name}": _file(one) for one in helpers_of(path)}
            return {f"proofs/{evidence.paper}/{path.name}": _file(path), **helpers}
        case OfProof():
            return {evidence.title: hashed(section(evidence))}
    return {}


def helpers_of(path: Path) -> list[Path]:
    """The modules of this folder that a derivation imports, directly or through another: what derivations share.

    >>> [helper.stem for helper in helpers_of(proofs_folder() / "DMKB20" / "attackers.py")]
    ['laws', 'plain', 'steps']
    """
    found = set[Path]()
    left = [path]
    while left:
        importing = left.pop()
        text = importing.read_text(encoding="utf-8") if importing.is_file() else ""
        helpers = {HELPERS / f"{name}.py" for name in IMPORTED.findall(text)} - found
        found |= helpers
        left += helpers
    return sorted(found)


HELPERS = Path(__file__).parent
IMPORTED = re.compile(rf"^\s*from {re.escape(__package__)}\.(\w+) import ", re.MULTILINE)


def _file(path: Path) -> str:
    try:
        return hashed(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=path.name, wanted="a file of the ledger") from None


def bind(entry: Entry, reading: Reading, rests_on: Mapping[str, str], said: tuple[tuple[str, ...], ...]) -> Bound:
    """The reading's words, what they rest on, and what was said, under one hash."""
    words = {
        "format": FORMAT,
        "entry": [entry.paper, entry.slug, entry.claim, entry.place, entry.statement],
        "reading": _plain(asdict(reading)),
        "rests_on": dict(sorted(rests_on.items())),
        "said": said,
    }
    text = json.dumps(words, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Bound(hashed(text), dict(sorted(rests_on.items())), said)


def _plain(value: Any) -> Any:
    """Mappings and tuples as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def bound_file(paper: str) -> Path:
    """The file with what was decided of a paper."""
    return proofs_folder() / paper / "evidence.json"


def bound_of(paper: str) -> dict[str, dict[str, Bound]]:
    """What was decided, by entry and by reading; empty where nothing was.

    Raises:
        InputError: where the file is none.

    """
    path = bound_file(paper)
    if not path.is_file():
        return {}
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if given["format"] != FORMAT:
            raise InputError(f"given format {given['format']}", where=f"{paper}/{path.name}", wanted=f"format {FORMAT}")
        return {
            slug: {
                key: Bound(one["sha256"], one["rests_on"], tuple(tuple(lines) for lines in one["said"]))
                for key, one in readings.items()
            }
            for slug, readings in given["entries"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"given {error!r}", where=f"{paper}/{path.name}", wanted="a file of `make ledger`") from None


def is_bound(entry: Entry, reading: Reading, found: Bound | None) -> bool:
    """Whether nothing changed since it was decided."""
    if found is None:
        return False
    try:
        rests_on = {name: _file(certificate_path(name)) for name in certificates_in(found)}
        for one in reading.evidence:
            rests_on |= contents(one)
    except InputError:
        return False
    return bind(entry, reading, rests_on, found.said) == found


def certificates_in(found: Bound) -> tuple[str, ...]:
    """The names of the certificates among what a reading rests on."""
    return tuple(name for name in found.rests_on if name.startswith(CERTIFICATES))


def certificate_path(name: str) -> Path:
    """Where a certificate of the ledger is."""
    return proofs_folder() / name.removeprefix("proofs/")
