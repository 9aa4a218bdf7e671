"""The links of a report that open its models in the explorer: each opens the model of its page, and none is dead."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.wings.papers.ledger.entry import OfModel
from verifier.wings.papers.ledger.statements import statements
from verifier.wings.papers.ledger.table import rows
from verifier.wings.report.site import claim_pages
from verifier.wings.report.statement_sections import statements_document
from verifier.wings.report.write import write_report

MINE = """
title = "Mine: is it <b>one</b> of two?"
size = 1
values = ["a", "b"]
[[distribution]]
iid = { a = "1/3", b = "2/3" }
[mechanism]
kind = "identity"
"""
LINK = re.compile(r'<a href="([^"]+)">Try it in the explorer</a>')


def links(text: str) -> list[str]:
    return [unescape(address) for address in LINK.findall(text)]


def opened(address: str) -> Any:
    """The document that the explorer opens for an address, read without what writes the address."""
    fields = parse_qs(address.partition("#")[2])
    if "example" in fields:
        return document_of((models_folder() / f"{fields['example'][0]}.toml").read_text(encoding="utf-8"))
    packed = fields["m"][0]
    return json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15))


def test_a_page_opens_its_own_model(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    bundled = models_folder() / "DMKB20" / "example-1-side.toml"
    models = [pk.read(tmp_path / "mine.toml"), pk.read(bundled)]
    write_report(models, tmp_path / "beside", explorer="../explore/index.html")
    write_report(models[:1], tmp_path / "far", explorer="https://example.org/explore/index.html")
    write_report(models[:1], tmp_path / "alone")
    for name, text in (("mine", MINE), ("example-1-side", bundled.read_text(encoding="utf-8"))):
        (beside,) = links((tmp_path / "beside" / "models" / f"{name}.html").read_text(encoding="utf-8"))
        assert beside.startswith("../../explore/index.html#")
        assert opened(beside) == document_of(text)
    (far,) = links((tmp_path / "far" / "models" / "mine.html").read_text(encoding="utf-8"))
    assert far.startswith("https://example.org/explore/index.html#")
    assert opened(far) == document_of(MINE)
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "alone").rglob("*.*")]
    assert not any("Try it" in text or "explore/index.html" in text for text in texts)


def test_each_counterexample_of_the_ledger_opens_once_on_its_page() -> None:
    """Each model that a claim of DMKB20's Example 4 and Proposition 4 rests on stands in full once, with its link."""
    some = [row for row in rows("DMKB20") if row.entry.slug in {"example-4", "proposition-4"}]
    wanted = {piece.model for row in some for piece in row.reading.evidence if isinstance(piece, OfModel)}
    written = claim_pages(some, explorer="../explore/index.html")
    found = [address for text in written.values() for address in links(text)]
    assert all(address.startswith("../../../explore/index.html#example=") for address in found)
    assert sorted(address.partition("=")[2] for address in found) == sorted(wanted)
    assert not any("Try it" in text for text in claim_pages(some).values())


def test_each_failure_of_a_statement_has_the_link_of_its_model() -> None:
    listed = [statement for statement in statements() if statement.entry.paper == "DMKB20"]
    failures = [failure for statement in listed for failure in statement.failures if failure.model]
    document = statements_document(listed, explorer="../explore/index.html")
    said = repr(document)
    assert said.count("Try it in the explorer") == len(failures) > 3
    for failure in failures:
        assert f"../explore/index.html#example={failure.model}" in said
    assert "Try it" not in repr(statements_document(listed))


@pytest.mark.parametrize("address", ["", "javascript:alert(1)", "/etc", "//x/y", "a#b", "a?b", "file:///x", " "])
def test_an_address_that_is_no_page_is_refused(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        run(["report", str(path), "--output", str(tmp_path / "out"), "--explorer", address])
    assert stop.value.code == 2
    assert "Expected the address of the explorer's page" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out").exists()


def test_a_family_has_no_page_with_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    family = str(models_folder() / "family" / "thresholded-referendum.toml")
    with pytest.raises(SystemExit) as stop:
        run(["report", family, "--output", str(tmp_path / "out"), "--explorer", "../explore/"])
    assert stop.value.code == 2
    assert "--explorer" in capsys.readouterr().err
