"""The whole ledger, decided again and written: `python -m verifier.wings.papers.ledger.build [--check] [PAPER …]`.

With `--check` nothing is overwritten, and the exit status is 1 where a file differs. Nothing is written where a piece
of evidence does not show what it is said to show, or where a placeholder of a sentence has no value in it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from verifier.errors import PkdpError, UnsupportedError
from verifier.evidence.files import verdict_file
from verifier.machine.cores import on_all_cores
from verifier.model.library import proofs_folder
from verifier.model.model import Expectation
from verifier.questions.expect import answered
from verifier.questions.normalization.certificate import acceptability_file
from verifier.questions.properties import PROPERTIES
from verifier.wings.papers.ledger.decide import decide, engine_of, refuse_cases, searched
from verifier.wings.papers.ledger.entry import ClaimReading, Entry, Evidence, OfModel, OfSearch
from verifier.wings.papers.ledger.evidence_hashes import (
    CERTIFICATES,
    FORMAT,
    BoundReading,
    Files,
    bind,
    bound_file,
    certificate_path,
    hashed,
)
from verifier.wings.papers.ledger.evidence_values import SENTENCES, filled, reading_values
from verifier.wings.papers.ledger.read import PAPERS, entries
from verifier.wings.search.certificates import search_file

FOLDER = "proofs/certificates"


def certificates_of(evidence: Evidence) -> dict[str, str]:
    """The texts of the certificates of a piece of evidence, by their names from the root of the repository.

    A bound, a derivation and a written proof have none; nor has an answer that is too large.
    """
    certificates = {}
    if isinstance(evidence, OfSearch):
        certificates[search_name(evidence)] = search_file(searched(evidence))
    elif isinstance(evidence, OfModel):
        for expectation in evidence.asks:
            text = _certificate(evidence.model, expectation)
            if text is not None:
                certificates[name_of(evidence.model, expectation)] = text
    return certificates


def _certificate(name: str, expectation: Expectation) -> str | None:
    """The text of an answer's certificate; None for properties, and where the answer is too large for one."""
    if expectation.definition in PROPERTIES:
        return None
    model, engine = engine_of(name)
    try:
        if expectation.definition == "acceptable":
            return acceptability_file(model, expectation.question)
        return verdict_file(*answered(model, expectation, engine))
    except UnsupportedError:
        return None


def name_of(model: str, expectation: Expectation) -> str:
    """The file name of a certificate: the folder of the model, then the definition and the parameters that are given.

    >>> name_of("DMKB20/example-2", Expectation("cdp", {"epsilon": "1/2*ln(2)", "reading": "one-order"}, {}))
    'proofs/certificates/DMKB20/example-2/cdp.epsilon-1-2-ln-2.reading-one-order.json'
    """
    words_of_question = [
        expectation.definition,
        *(f"{key}-{value}" for key, value in sorted(expectation.question.items())),
    ]
    words = [re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words_of_question]
    return f"{FOLDER}/{model}/{'.'.join(words)}.json"


def search_name(evidence: OfSearch) -> str:
    """The file name of a search's certificate: the first words of its statement, and a short hash of its parameters."""
    text = repr(sorted(evidence.search.items()))
    words = re.sub(r"[^a-z0-9]+", "-", evidence.statement_text.lower()).strip("-")
    return f"{FOLDER}/search/{words[:60].strip('-')}.{sha256(text.encode()).hexdigest()[:8]}.json"


def decided(entry: Entry, reading: ClaimReading) -> tuple[BoundReading, dict[str, str]]:
    """Decide one reading again: its record, and the texts of its certificates by name.

    Raises:
        Unshown: where a piece of evidence does not show what its entry claims.
        InputError: where a placeholder of a sentence stands for no value.

    """
    conclusions = tuple(decide(evidence) for evidence in reading.evidence)
    refuse_cases(reading, conclusions)
    filled(reading, SENTENCES, reading_values(reading, conclusions))
    files: dict[str, str] = {}
    rests_on: dict[str, str] = {}
    present = Files()
    for evidence in reading.evidence:
        rests_on |= present.contents(evidence)
        files |= certificates_of(evidence)
    return bind(entry, reading, rests_on | {name: hashed(text) for name, text in files.items()}, conclusions), files


def built(all_entries: Sequence[Entry]) -> tuple[dict[str, dict[str, BoundReading]], dict[str, str], list[str]]:
    """Decide all entries again: the records by entry and reading, the certificates' texts by name, and the errors."""
    bounds_by_entry: dict[str, dict[str, BoundReading]] = {}
    files: dict[str, str] = {}
    wrong: list[str] = []
    for entry, (bounds, certificates, errors) in zip(
        all_entries, on_all_cores(_of_entry, all_entries, _length), strict=True
    ):
        if bounds:
            bounds_by_entry[entry.slug] = bounds
        files |= certificates
        wrong += errors
    return bounds_by_entry, files, wrong


def _length(entry: Entry) -> int:
    return sum(len(reading.evidence) for reading in entry.readings)


def _of_entry(entry: Entry) -> tuple[dict[str, BoundReading], dict[str, str], list[str]]:
    bounds: dict[str, BoundReading] = {}
    files: dict[str, str] = {}
    wrong = []
    for reading in entry.readings:
        try:
            bound, certificates = decided(entry, reading)
        except PkdpError as error:
            wrong.append(f"{entry.file}: {entry.key(reading)}: {error}")
            continue
        bounds[entry.key(reading)] = bound
        files |= certificates
    return bounds, files, wrong


def as_text(paper: str, bounds_by_entry: dict[str, dict[str, BoundReading]]) -> str:
    """The text of a paper's `evidence.json`."""
    listed = {
        slug: {key: record.to_json() for key, record in readings.items()} for slug, readings in bounds_by_entry.items()
    }
    return json.dumps({"format": FORMAT, "paper": paper, "entries": listed}, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files of the ledger, or compare them with `--check`; return the exit status."""
    check = "--check" in arguments
    papers = [argument for argument in arguments if argument != "--check"] or list(PAPERS)
    files: dict[Path, str] = {}
    status = 0
    for paper in papers:
        bounds_by_entry, certificates, wrong = built(entries(paper))
        for line in wrong:
            print(line)  # noqa: T201
        status |= bool(wrong)
        if bounds_by_entry:
            files[bound_file(paper)] = as_text(paper, bounds_by_entry)
        files |= {certificate_path(name): text for name, text in certificates.items()}
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
