"""The whole ledger, decided again and written: `python -m verifier.wings.papers.ledger.build [--check] [PAPER …]`.

With `--check` nothing is overwritten, and the exit status is 1 where a file differs. Nothing is written where a piece
of evidence does not show what it is said to show, or where a placeholder of a sentence has no value in it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from verifier.errors import PkdpError
from verifier.machine.cores import on_all_cores
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger.decide import decide, refuse_cases
from verifier.wings.papers.ledger.entry import ClaimReading, Entry
from verifier.wings.papers.ledger.evidence_answers import is_confirmed, texts_of, title_of
from verifier.wings.papers.ledger.evidence_hashes import (
    FORMAT,
    Answers,
    BoundReading,
    Files,
    answers_file,
    bind,
    bound_file,
    hashed,
)
from verifier.wings.papers.ledger.evidence_values import SENTENCES, filled, reading_values
from verifier.wings.papers.ledger.read import PAPERS, entries


def decided(entry: Entry, reading: ClaimReading) -> tuple[BoundReading, list[str]]:
    """Decide one reading again: its record, and its answers, each as a line.

    Raises:
        Unshown: where a piece of evidence does not show what its entry claims, or the checker rejects an answer.
        InputError: where a placeholder of a sentence stands for no value.

    """
    conclusions = tuple(decide(evidence) for evidence in reading.evidence)
    refuse_cases(reading, conclusions)
    filled(reading, SENTENCES, reading_values(reading, conclusions))
    rests_on: dict[str, str] = {}
    present = Files()
    for evidence in reading.evidence:
        rests_on |= present.contents(evidence)
    texts = list(dict.fromkeys(text for evidence in reading.evidence for text in texts_of(evidence)))
    lines = [text for text in texts if is_confirmed(text)]
    unchecked = tuple(title_of(text) for text in texts if text not in lines)
    return bind(entry, reading, rests_on, Answers(tuple(map(hashed, lines)), unchecked), conclusions), lines


def built(all_entries: Sequence[Entry]) -> tuple[dict[str, dict[str, BoundReading]], list[str], list[str]]:
    """Decide all entries again: the records by entry and reading, the answers, each once, and the errors."""
    bounds_by_entry: dict[str, dict[str, BoundReading]] = {}
    lines: list[str] = []
    wrong: list[str] = []
    for entry, (bounds, answers, errors) in zip(
        all_entries, on_all_cores(_of_entry, all_entries, _length), strict=True
    ):
        if bounds:
            bounds_by_entry[entry.slug] = bounds
        lines += answers
        wrong += errors
    return bounds_by_entry, list(dict.fromkeys(lines)), wrong


def _length(entry: Entry) -> int:
    return sum(len(reading.evidence) for reading in entry.readings)


def _of_entry(entry: Entry) -> tuple[dict[str, BoundReading], list[str], list[str]]:
    bounds: dict[str, BoundReading] = {}
    lines: list[str] = []
    wrong = []
    for reading in entry.readings:
        try:
            bound, answers = decided(entry, reading)
        except PkdpError as error:
            wrong.append(f"{entry.file}: {entry.key(reading)}: {error}")
            continue
        bounds[entry.key(reading)] = bound
        lines += answers
    return bounds, lines, wrong


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
        bounds_by_entry, answers, wrong = built(entries(paper))
        for line in wrong:
            print(line)  # noqa: T201
        status |= bool(wrong)
        if bounds_by_entry:
            files[bound_file(paper)] = as_text(paper, bounds_by_entry)
            files[answers_file(paper)] = "".join(f"{line}\n" for line in answers)
    if status and not check:
        return status
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        name = path.relative_to(proofs_folder())
        print(f"{name} is stale: run `make generated`" if check else f"wrote {name}")  # noqa: T201
    if check:
        return int(bool(status or stale))
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
