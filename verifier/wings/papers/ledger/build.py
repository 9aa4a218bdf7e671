"""The whole ledger, decided again and written: `python -m verifier.wings.papers.ledger.build [--check] [PAPER …]`.

With `--check` nothing is overwritten, and the exit status is 1 where a file differs. Nothing is written where a piece
of evidence does not show what it is said to show, or where a sentence states what its evidence does not have.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from verifier.errors import PkdpError
from verifier.machine.cores import on_all_cores
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger.bind import (
    CERTIFICATES,
    FORMAT,
    Bound,
    bind,
    bound_file,
    certificate_path,
    contents,
    hashed,
)
from verifier.wings.papers.ledger.certify import certificates_of
from verifier.wings.papers.ledger.decide import decide
from verifier.wings.papers.ledger.entry import Entry, Reading
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.papers.ledger.sentences import exceptions, unbound


def decided(entry: Entry, reading: Reading) -> tuple[Bound, dict[str, str]]:
    """One reading decided again, with the certificates that it rests on, by name.

    Raises:
        Unshown: where a piece of evidence does not show what it is said to show.

    """
    said = tuple(decide(one) for one in reading.evidence)
    files: dict[str, str] = {}
    rests_on: dict[str, str] = {}
    for one in reading.evidence:
        rests_on |= contents(one)
        files |= certificates_of(one)
    return bind(entry, reading, rests_on | {name: hashed(text) for name, text in files.items()}, said), files


def built(every: Sequence[Entry]) -> tuple[dict[str, dict[str, Bound]], dict[str, str], list[str]]:
    """What is found of these entries, the certificates, and what does not show what it is said to show."""
    found: dict[str, dict[str, Bound]] = {}
    files: dict[str, str] = {}
    wrong: list[str] = []
    for entry, (bounds, mine, errors) in zip(every, on_all_cores(_of_entry, every, _length), strict=True):
        if bounds:
            found[entry.slug] = bounds
        files |= mine
        wrong += errors
    return found, files, wrong


def _length(entry: Entry) -> int:
    return sum(len(reading.evidence) for reading in entry.readings)


def _of_entry(entry: Entry) -> tuple[dict[str, Bound], dict[str, str], list[str]]:
    bounds: dict[str, Bound] = {}
    files: dict[str, str] = {}
    wrong = []
    for reading in entry.readings:
        try:
            bound, mine = decided(entry, reading)
        except PkdpError as error:
            wrong.append(f"{entry.file}: {entry.key(reading)}: {error}")
            continue
        wrong += unbound(entry, reading, bound)
        bounds[entry.key(reading)] = bound
        files |= mine
    return bounds, files, wrong


def as_text(paper: str, found: dict[str, dict[str, Bound]]) -> str:
    """The content of `evidence.json`."""
    listed = {slug: {key: one.to_json() for key, one in readings.items()} for slug, readings in found.items()}
    return json.dumps({"format": FORMAT, "paper": paper, "entries": listed}, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or compare them."""
    check = "--check" in arguments
    papers = [one for one in arguments if one != "--check"] or list(PAPERS)
    files: dict[Path, str] = {}
    status = 0
    excepted = 0
    for paper in papers:
        every = entries(paper)
        excepted += len(exceptions(every))
        found, certificates, wrong = built(every)
        for line in wrong:
            print(line)  # noqa: T201
        status |= bool(wrong)
        if found:
            files[bound_file(paper)] = as_text(paper, found)
        files |= {certificate_path(name): text for name, text in certificates.items()}
    print(f"words of sentences that no evidence has: {excepted}, each with its reason")  # noqa: T201
    if status and not check:
        return status
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    over = _left_over(files) if papers == list(PAPERS) else []
    for path in [*stale, *over]:
        name = path.relative_to(proofs_folder())
        print(f"{name} is stale: run `make generated`" if check else f"wrote {name}")  # noqa: T201
    if check:
        return int(bool(status or stale or over))
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    for path in over:
        path.unlink()
    return 0


def _left_over(files: dict[Path, str]) -> list[Path]:
    """Certificates that no entry rests on any more."""
    return [path for path in sorted(certificate_path(CERTIFICATES).rglob("*.json")) if path not in files]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
