"""Derivations: where they are found, what they share, and what makes them stale."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from verifier.errors import InputError
from verifier.model.library import proofs_folder
from verifier.wings.papers.ledger import build, decide, evidence_hashes, read, table
from verifier.wings.papers.ledger.entry import OfDerivation

ENTRY = """claim = "Theorem 1"
place = "section 1"
statement = "It holds."
[[reading]]
reading = "as printed"
means = "for all"
found = "so"
verdict = "proved"
cases = "one is enough"
[[reading.evidence]]
shows = "claim"
derivation = "{}"
"""


def _written(folder: Path, derivation: str) -> Path:
    path = folder / "DMKB20" / "theorem-1.toml"
    path.write_text(ENTRY.format(derivation))
    return path


def test_a_derivation_of_another_paper_is_named_with_its_folder(folder: Path) -> None:
    (folder / "DKM19" / "sums.py").write_text(
        "from verifier.wings.papers.ledger.steps import equal\ndef right(): return (equal(1 + 1, 2, 'sum'),)\n"
    )
    (evidence,) = read.read_entry(_written(folder, "DKM19/sums.right")).readings[0].evidence
    assert evidence == OfDerivation("claim", "DKM19", "sums", "right")
    assert decide.decide(evidence) == ("sum: 2",)
    assert list(evidence_hashes.Files().contents(evidence)) == ["proofs/DKM19/sums.py", "ledger/steps.py"]
    with pytest.raises(InputError, match=r'given elsewhere/sums\.right; wanted "module\.function"'):
        read.read_entry(_written(folder, "elsewhere/sums.right"))


def test_a_changed_helper_makes_its_derivations_stale(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hash of a derivation covers the helpers that it imports, directly or through one of them, and no others."""
    package = "verifier.wings.papers.ledger"
    (folder / "DMKB20" / "two.py").write_text(
        f"from {package}.plain import surely\nfrom {package}.steps import equal\n"
        "def sums(): return (equal(surely(sum)((1, 1)), {2: 1}, 'sum'),)\n"
    )
    _written(folder, "two.sums")
    helpers = tmp_path / "ledger"
    helpers.mkdir()
    for name in ("laws", "plain", "steps", "table"):
        (helpers / f"{name}.py").write_bytes((Path(evidence_hashes.__file__).parent / f"{name}.py").read_bytes())
    monkeypatch.setattr(evidence_hashes, "HELPERS", helpers)
    assert build.main([]) == 0
    record = json.loads((folder / "DMKB20" / "evidence.json").read_text())["entries"]["theorem-1"]["as printed"]
    assert list(record["rests_on"]) == ["ledger/laws.py", "ledger/plain.py", "ledger/steps.py", "proofs/DMKB20/two.py"]
    for name, fresh in (("table", True), ("steps", False), ("laws", False)):
        helper = helpers / f"{name}.py"
        genuine = helper.read_text()
        helper.write_text(genuine + "\n")
        assert [row.fresh for row in table.rows()] == [fresh], name
        helper.write_text(genuine)
        assert [row.fresh for row in table.rows()] == [True], name


def test_derivations_and_their_helpers_share_nothing_with_the_engine() -> None:
    """What derivations import of the package are the helpers, which import nothing of it but each other."""
    allowed = {evidence_hashes.HELPERS / f"{name}.py" for name in ("laws", "plain", "steps")}
    for path in [*sorted(proofs_folder().glob("*/*.py")), *allowed]:
        named = re.findall(r"^\s*(?:from|import) (verifier\S*)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(named) == len(evidence_hashes.IMPORTED.findall(path.read_text(encoding="utf-8"))), path
        assert set(evidence_hashes.helpers_of(path)) <= allowed, path
