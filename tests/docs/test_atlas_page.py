"""The page of the atlas: its outputs are the program's, every definition is in the questions, each has a card."""

import importlib
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from documents import ROOT, blocks, commands_of, shown_of

import verifier as pk
from verifier.cli.main import run
from verifier.definitions.atlas import DIMENSIONS
from verifier.definitions.separations import told_apart
from verifier.model.library import models_folder
from verifier.numbers import Enclosure
from verifier.show.axis_words import AXES, choices_of
from verifier.wings.implications.axioms.axioms import rows
from verifier.wings.implications.parts import decided as matrix_decided

PAGE = (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8")


def test_the_outputs_are_those_of_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line of an ellipsis stands for any lines."""
    monkeypatch.setenv("COLUMNS", "100")
    shown = [one for block in blocks("docs/atlas.md", "") if "$ pkdp" in block for one in commands_of(block)]
    assert [arguments[0] for arguments, _, _ in shown] == ["check", "definitions"]
    for arguments, output, status in shown:
        with pytest.raises(SystemExit) as ended:
            run(arguments)
        assert ended.value.code == status
        printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        assert len([line for line in output if line != "…"]) > 5
        assert shown_of(output, printed), arguments


def test_the_bound_of_the_library_is_below_what_is_asked() -> None:
    """(ln 8)²/8 < 0.5406 < the smallest ρ ≤ (ln 15)²/8, the last since the loss has the range ln 15."""
    low, high = pk.epsilon("ln(8)").bracket(60)
    assert Fraction("0.5405") < low**2 / 8 <= high**2 / 8 < Fraction("0.5406")
    model = pk.read(models_folder() / "atlas" / "exponential-noisy-max.toml")
    least = pk.check(model, "zcodp").tight_epsilon
    assert isinstance(least, Enclosure)
    low_least, high_least = least.low.value, least.high.value
    assert pk.check(model, "rbpr").tight_epsilon == pk.epsilon("ln(15)")
    assert Fraction("0.5406") < low_least <= high_least < pk.epsilon("ln(15)").bracket(60)[0] ** 2 / 8


def test_the_counts_are_those_of_the_survey() -> None:
    """DP22's Table 3 has 88 rows; the atlas has five more of its text, and all but two rows are decided."""
    of_table = set(rows())
    added = [key for key in pk.atlas if key not in of_table]
    left = [key for key in pk.atlas if pk.atlas[key].undecided]
    assert (len(of_table), len(added), len(pk.atlas)) == (88, 5, 93)
    assert set(left) <= of_table
    opening = " ".join(PAGE.partition("\n## How many definitions are there?")[2].partition("\n## ")[0].split())
    assert f"Its Table 3 has {len(of_table)} rows, of which {len(of_table) - len(left)} are decided" in opening
    assert "the other two, `ocdp` and `rldp`, have no formula there" in opening
    assert left == ["ocdp", "rldp"]
    assert "Five more were added here from its text: `dp-any`, which the others change, " in opening
    for key in added:
        assert f"`{key}`" in opening
    for key in pk.atlas:
        if other := pk.atlas[key].equal_to:
            assert f"`{key}`" in opening
            assert f"`{other}`" in opening


PLACES = ("README.md", "docs", "models/FORMAT.md", "verifier", "proofs", "benchmarks")
WRONG_COUNT = re.compile(
    r"survey's 93|93 definitions of (the survey|DP22)|(the|of) 93 of DP22|83 of the 88|88 of the 93"
)


def test_no_page_counts_the_atlas_as_the_survey() -> None:
    found = []
    for place in PLACES:
        files = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*"))
        texts = (path for path in files if path.suffix in {".md", ".py", ".toml", ".html", ".js"})
        found += [path.name for path in texts if WRONG_COUNT.search(path.read_text(encoding="utf-8"))]
    assert found == []
    assert WRONG_COUNT.search("a survey's 93")


def test_every_definition_is_an_answer_to_a_question() -> None:
    questions = PAGE.partition("## Which definition do I mean?")[2].partition("\n## ")[0]
    assert len(re.findall("^### ", questions, re.MULTILINE)) == 3
    assert questions.count("<details>") == questions.count("</details>") == questions.count("<summary>") > 10
    named = {key for key in re.findall(r"`([a-z0-9-]+)`", questions) if key in pk.atlas}
    assert named == set(pk.atlas)


def test_the_pairs_are_those_of_the_models() -> None:
    table = PAGE.partition("## Pairs that are easily confused")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| `([a-z-]+)`.*? \| ([a-z-]+) \| (.*?), (.*?) \|$", table, re.MULTILINE)
    assert len(rows) >= 10
    known = {
        (row.definition, row.neighbour): (row.model.removeprefix("atlas/"), *row.answers)
        for apart in told_apart().values()
        for row in apart.separations
    }
    assert [known[one, other] for one, other, *_ in rows] == [tuple(answers) for _, _, *answers in rows]


@pytest.fixture(scope="module")
def cards() -> Iterator[dict[str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "_ext"))
        yield dict(importlib.import_module("atlas_pages").pages())


def test_a_page_for_each_card(cards: dict[str, str]) -> None:
    assert list(cards) == [f"atlas/{key}.md" for key in pk.atlas]
    for key in pk.atlas:
        page, choices = cards[f"atlas/{key}.md"], choices_of(pk.atlas[key])
        assert pk.atlas[key].formula in page
        assert "<math" in page
        if choices is None:
            assert "## Why it is not decided" in page
            continue
        assert all(f"| {label} | " in page for label in AXES.values())
        assert f"pkdp check MODEL --definition {key}" in page
        assert "## Separated" in page or "## The same as" in page


def test_the_site_lists_all_by_dimension(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    pages = importlib.import_module("atlas_pages")
    listed = pages.by_dimension()
    assert list(re.findall(r"^\| \[`([a-z0-9-]+)`\]", listed, re.MULTILINE)) == list(pk.atlas)
    assert all(f"### {letter}: {name}" in listed for letter, name in DIMENSIONS.items() if letter)
    filled = pages.filled("docs/atlas.md", PAGE)
    assert "[`osdp`](atlas/osdp.md)" in filled
    assert "$ pkdp definitions osdp" in filled
    assert pages.filled("docs/python.md", PAGE) == PAGE


def test_the_page_is_a_page_of_the_guide() -> None:
    for name in ("docs/index.md", "docs/definitions.md"):
        assert "atlas.md" in (Path(ROOT) / name).read_text(encoding="utf-8"), name


def test_the_pages_count_the_definitions_as_the_program_does() -> None:
    """The definitions of the matrix, which has other texts and leaves out those that are equal to another."""
    decided = [key for key, definition in pk.atlas.items() if choices_of(definition) is not None]
    assert sum(bool(pk.atlas.dimensions(key)) for key in pk.atlas) == len(pk.atlas) - 1
    left = [key for key in decided if not pk.atlas[key].equal_to]
    others = len(matrix_decided()) - len(left)
    words = " ".join(PAGE.split())
    assert f"compares {len(matrix_decided())}: the {len(left)} that are left, and {others} of other papers" in words
    assert f"Each of the {len(pk.atlas)} has a card" in words
    for page in ("docs/index.md", "docs/glossary.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert re.search(r"\b88\b[^.]*\b(5|five)\b", text), page
