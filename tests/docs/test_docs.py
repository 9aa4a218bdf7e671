"""What the documents show is what the program says; model files give the answers that they promise."""

import re
import shlex
import tomllib
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from documents import ROOT, blocks, commands_of, shown_of
from sweeps import chosen

import verifier as pk
from verifier.cli.main import run
from verifier.model.library import examples, models_folder
from verifier.questions import expect
from verifier.questions.expect import compare
from verifier.version import CITED, VERSION

SPELLED = rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])"
LARGE = {
    "section-3.1.3-two-thousand-voters", "example-7-thousand-voters", "example-8-thousand-voters", "example-1",
    "noise", "three-candidates", "k-anonymous", "ten-million", "fifty-towns",
}  # fmt: skip
"""Models that take seconds to decide."""
EVERY_MODEL = sorted(path for path in models_folder().rglob("*.toml") if "family" not in path.parts)


RE_CHECKED = 6
"""Of one in how many models the checker is asked, where not of all: re-checking takes most of the time."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(one, marks=[pytest.mark.sweep(0)] * (one.stem in LARGE), id=one.stem) for one in EVERY_MODEL],
)
def test_a_model_file_gives_its_own_answers(
    path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checker decides them again, and `check` raises where it refuses one; with `--whole` of every file."""
    every = any(map(request.config.getoption, ("--whole", "--thorough")))
    named = {one.as_posix(): dict[str, int]() for one in EVERY_MODEL}
    if not every and path.as_posix() not in chosen(named, RE_CHECKED, request.config.getoption("--turn") or 0):
        monkeypatch.setattr(expect, "check", partial(pk.check, replay=False))
    outcomes = compare(pk.read(path))
    assert outcomes, "every model file carries answers"
    assert [str(one) for one in outcomes if not one.agrees] == []


def test_a_wrong_promise_is_found() -> None:
    text = (models_folder() / "DMKB20" / "example-1-average.toml").read_text(encoding="utf-8")
    wrong = pk.loads(text.replace('tight_epsilon = "inf"', 'tight_epsilon = "ln(2)"', 1))
    assert sum(not one.agrees for one in compare(wrong)) == 1


def test_every_example_of_the_paper_is_there() -> None:
    numbers = {int(found[1]) for path in examples() if (found := re.match(r"example-(\d+)", path.name))}
    assert numbers == set(range(1, 9))


def test_readme_model_and_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (model,) = blocks("README.md", "toml")
    Path("mine.toml").write_text(model, encoding="utf-8")
    shown = next(block for block in blocks("README.md", "") if "pkdp check mine.toml" in block)
    commands = list(commands_of(shown))
    (answers,) = (output for _, output, _ in commands)
    assert {word for word in ("holds", "fails") if any(f"│ {word} " in line for line in answers)} == {"holds", "fails"}
    for arguments, output, status in commands:
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        assert stop.value.code == status
        said = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        assert shown_of(output, said)


def test_readme_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(blocks("README.md", "toml")[0], encoding="utf-8")
    (code,) = blocks("README.md", "python")
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)", code)


def test_readme_says_what_to_type_for_each_wish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the files that the pages make; the course waits for its user, and so its help is asked."""
    monkeypatch.chdir(tmp_path)
    files = {
        "mine.toml": blocks("README.md", "toml")[0],
        "two.csv": "output,p,q\n0,1/2,1/3\n1,1/2,2/3\n",
        "claims.toml": '[[claim]]\nmechanism = "mine.toml"\ndefinition = "ppkdp"\nepsilon = "1"\ndelta = "1/4"\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "| I want to … | start with | command |" in text
    typed = re.findall(r"^\| .* \| \[.*\]\(.*\) \| `pkdp (.*)` \|$", text, re.MULTILINE)
    assert len(typed) >= 8
    for command in typed:
        with pytest.raises(SystemExit) as stop:
            run([*shlex.split(command), *(["--help"] if command == "course" else [])])
        assert stop.value.code == 0, command
        assert capsys.readouterr().out


def test_readme_says_in_words_what_its_witness_is(tmp_path: Path) -> None:
    """With one known yes, ⊥ has probability 9/10 if the friend said no, and 0 if he said yes."""
    (tmp_path / "mine.toml").write_text(blocks("README.md", "toml")[0], encoding="utf-8")
    witness = pk.check(pk.read(tmp_path / "mine.toml"), "apkdp", epsilon="ln(2)", delta="1/4").witness
    assert witness is not None
    assert witness.knowledge is not None
    assert witness.knowledge.text == '["no","yes"]'
    assert [str(output) for output in witness.event or ()] == ["⊥"]
    assert [witness.probability_a, witness.probability_b] == [Fraction(9, 10), Fraction(0)]
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "⊥, which has probability 9/10 if my friend said no and 0 if he said yes" in text


def test_readme_is_short_and_in_order() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    opening = text.split("\n\n")[1]
    assert re.fullmatch(r"\*\*[^*]+\*\*", opening), "the first paragraph is one bold sentence"
    assert len(re.findall(r"[.!?](?=\s|\*\*$)", opening)) == 1
    heads = ["Install", "One model, two answers", "Who it is for", "Limits", "Help, status, citation"]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == heads
    assert all(f"{word} is " in text for word in ("PPKDP", "APKDP", "NP", "CDP"))
    assert all(f"import {name}" in text for name in ("pkdp", "verifier"))
    assert [line for block in blocks("README.md", "") for line in block.splitlines() if line.startswith("make ")] == [
        line for line in text.splitlines() if line.startswith("make ")
    ]
    assert re.findall(r"^make (\w+)", text, re.MULTILINE) == ["report", "test"]
    assert text.count("![") == 1


def test_the_glossary_has_the_words_of_the_tool_and_each_word_once() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE))
    terms = {head: re.findall(r"^([^\n:]+)\n: \S", part, re.MULTILINE) for head, part in parts.items()}
    assert set(terms["Words of this tool"]) >= {
        "overview", "atlas", "claims", "independent checker", "scope", "family", "enclosure",
        "conversion", "reading", "convention", "certificate", "matrix", "witness", "notes to the authors",
    }  # fmt: skip
    every = [term for part in terms.values() for term in part]
    assert sorted(every) == sorted(set(every))
    assert page.count("\n: ") == len(every), "a term without an explanation, or an explanation without a term"


def test_links_of_the_readme_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    addresses = re.findall(r"\]\(([^)\s#]+)", text)
    assert len(addresses) > 10
    assert [one for one in addresses if not (ROOT / one).exists()] == []


def test_format_page_examples() -> None:
    smallest = blocks("models/FORMAT.md", "toml")[0]
    assert pk.loads(smallest).size == 2
    knows = pk.loads(smallest + "\n[knowledge]\nrecords = [0]\n")
    assert pk.check(knows, "np").empty == 1
    noise = pk.loads(smallest.rstrip() + '\nthen = [ { kind = "geometric-noise", p = "1/2" } ]\n')
    assert str(pk.check(noise, "dp").tight_epsilon) == "ln(2)"
    pair = re.sub(
        r"iid = .*",
        'table = [ { database = [0, 0], probability = "1/2" }, { database = [1, 1], probability = "1/2" } ]',
        smallest.replace('kind  = "count"', 'kind = "parity"'),
    )
    assert [str(pk.check(pk.loads(pair), d).tight_epsilon) for d in ("np", "cdp")] == ["0", "inf"]
    known = pk.loads(pair + "\n[knowledge]\nrecords = [0]\n")
    assert [pk.check(known, d).verdict for d in ("np", "cdp")] == ["vacuous", "vacuous"]


def test_the_lines_to_cite_say_what_the_citation_file_says() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r'^([a-z-]+): "?(.*?)"?$', cited, re.MULTILINE))
    (author,) = re.findall(r'^authors:\n  - name: "(.*?)"', cited, re.MULTILINE)
    line = f"{author}, {fields['title']}, {fields['date-released'][:4]}, version "
    assert f"{line}{VERSION}" == CITED
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").replace("*", "").split())
    assert f"Citing. {line}as `pkdp --version` prints it" in readme


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    assert pk.__version__ == VERSION
    said = [
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.toml", "*.md", "*.cff", "docs/*.md", "verifier/**/*.py", "models/*.md")
        for path in ROOT.glob(pattern)
        if path.name != "CHANGELOG.md" and re.search(SPELLED, path.read_text(encoding="utf-8"))
    ]
    assert said == ["verifier/version.py"], "the version is changed in one line; the generated pages follow"


def test_notebook_display() -> None:
    model = pk.read(models_folder() / "DMKB20" / "example-1-average.toml")
    shown = [model, pk.check(model, "np", epsilon="ln(2)"), pk.loss(model, record=0)]
    pages = [one._repr_html_() for one in shown]  # type: ignore[attr-defined]
    assert all(page.startswith(("<table", "<div")) for page in pages)
    assert "41/16" not in pages[0]
    assert "holds" in pages[1] or "fails" in pages[1]
