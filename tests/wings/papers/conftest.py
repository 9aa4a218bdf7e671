"""A ledger of its own beside the real models, for the tests that change one."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.wings.papers.ledger import build, decide, evidence_hashes, proof_pages, read, statements


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its folder, with a folder for each paper."""
    mine = tmp_path / "proofs"
    for paper in read.PAPERS:
        (mine / paper).mkdir(parents=True)
    for module in (read, evidence_hashes, build, decide, proof_pages, statements):
        monkeypatch.setattr(module, "proofs_folder", lambda: mine)
    return mine
