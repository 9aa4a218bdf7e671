"""The general theorems in Coq: what is assumed is named; the ledger rests on theorems. `make theorems` asks of all."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from shutil import which

import pytest
from examined import at_least_one

from verifier.errors import InputError, UnsupportedError
from verifier.wings.papers import theorems
from verifier.wings.papers.ledger import read
from verifier.wings.papers.ledger.decide import decide
from verifier.wings.papers.ledger.entry import OfTheorem
from verifier.wings.papers.ledger.evidence_hashes import Files

needs_coq = pytest.mark.skipif(which("coqc") is None, reason="coqc is not installed")
STATEMENTS = ("DMKB20", "LQS12")
"""The files that state the theorems of a paper in full."""


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[theorems.Checked]]]:
    """What Coq says of other files than those of the repository."""
    places = count()

    def checked(**texts: str) -> list[theorems.Checked]:
        place = tmp_path / str(next(places))
        place.mkdir()
        for name, text in texts.items():
            (place / f"{name}.v").write_text(text, encoding="utf-8")
        monkeypatch.setattr(theorems, "folder", lambda: place)
        theorems.needs.cache_clear()
        return list(theorems.checked())

    yield checked
    theorems.needs.cache_clear()


FALSE = "Theorem anything : 0 = 1.\nProof. {} Qed.\n"


@needs_coq
def test_what_is_assumed_is_named(of: Callable[..., list[theorems.Checked]]) -> None:
    later = "From PK Require Import One.\nTheorem fine : 0 = 0.\nProof. reflexivity. Qed.\n"
    one, two = of(One="Axiom choice : False.\n" + FALSE.format("destruct choice."), Two=later)
    assert "choice" in one.assumed
    assert not one.assumes_nothing
    assert two.assumes_nothing
    (admitted,) = of(One="Theorem anything : 0 = 1.\nProof. Admitted.\n")
    assert "anything" in admitted.assumed


@needs_coq
def test_a_proof_that_does_not_go_through_is_refused(of: Callable[..., list[theorems.Checked]]) -> None:
    with pytest.raises(UnsupportedError, match=r"refuses proofs/coq/One\.v"):
        of(One=FALSE.format("reflexivity."))


def test_the_program_that_asks_coq_needs_nothing_installed() -> None:
    """`make theorems` runs with any Python, where nothing was ever installed."""
    asked = (
        "import sys; before = {*sys.modules}; import verifier.wings.papers.theorems; print(*{*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {module.partition(".")[0] for module in done.stdout.split()}
    assert "verifier" in loaded
    assert loaded - {*sys.stdlib_module_names} == {"verifier"}


def test_no_theorem_is_overlooked() -> None:
    for file in at_least_one(theorems.files()):
        text = theorems.COMMENT.sub("", theorems.text_of(file))
        assert len(theorems.theorems_of(file)) == len(re.findall(r"\bTheorem\b", text)), file


def test_a_file_comes_after_those_that_it_needs() -> None:
    every = theorems.files()
    for place, file in enumerate(every):
        assert set(theorems.needs(file)) <= set(every[: place + 1])
    assert {path.stem for path in theorems.folder().glob("*.v")} == set(every)


def test_the_ledger_names_theorems_that_are_stated_and_each_statement_of_a_paper_is_named() -> None:
    pieces = [
        piece
        for entry in read.entries()
        for reading in entry.readings
        for piece in reading.evidence
        if isinstance(piece, OfTheorem)
    ]
    present = Files()
    for piece in set(pieces):
        assert decide(piece)
        assert f"proofs/coq/{piece.file}.v" in present.contents(piece)
    named = {(piece.file, piece.name) for piece in pieces}
    assert {(file, name) for file in STATEMENTS for name in theorems.theorems_of(file)} <= named


def test_a_theorem_is_quoted_with_the_words_above_it() -> None:
    for file in ("DMKB20", "LQS12", "DP22"):
        for name, flat in theorems.theorems_of(file).items():
            words, code = theorems.quoted(file, name)
            assert " ".join(code.split()) == f"Theorem {name} {flat}.", name
            assert words
            assert "(*" not in words + code
    words, code = theorems.quoted("LQS12", "theorem_2")
    assert words.startswith("Theorem 2 (as printed): a further step")
    assert code.startswith("Theorem theorem_2 : forall (O' : Type)")


def test_a_theorem_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no theorem nothing"):
        decide(OfTheorem("claim", "DMKB20", "nothing"))
    with pytest.raises(InputError, match="no file Nothing"):
        decide(OfTheorem("claim", "Nothing", "nothing"))
