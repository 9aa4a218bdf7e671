"""The sections of the written proofs in `proofs/`, by their anchors."""

from __future__ import annotations

import re

from verifier.errors import InputError
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger.entry import OfProof


def section(evidence: OfProof) -> str:
    """The text under a heading, down to the next heading of the same level or a higher one.

    Raises:
        InputError: where the page or the heading is missing.

    """
    path = proofs_folder() / evidence.page
    if not path.is_file():
        raise InputError("there is no such page", where=evidence.title, wanted="a page of proofs/")
    lines = path.read_text(encoding="utf-8").splitlines()
    level, section_lines = 0, list[str]()
    for line in lines:
        mark = re.match(r"(#+) (.*)", line)
        if level and mark and len(mark[1]) <= level:
            break
        if mark and not level and anchor(mark[2]) == evidence.anchor:
            level = len(mark[1])
        if level:
            section_lines.append(line)
    if not section_lines:
        known = ", ".join(anchor(mark[2]) for line in lines if (mark := re.match(r"(#+) (.*)", line)))
        raise InputError(f"there is no heading {evidence.anchor}", where=evidence.title, wanted=f"one of {known}")
    return "\n".join(section_lines)


def anchor(heading: str) -> str:
    """The anchor of a heading, as renderers of Markdown make it.

    >>> anchor("Theorem 3, numerical form: `2λ`")
    'theorem-3-numerical-form-2λ'
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
