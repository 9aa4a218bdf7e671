"""What the documents show is what the program says; model files give the answers that they promise."""

import re
import tomllib
from pathlib import Path

import pytest
from documents import ROOT, blocks, commands_of

import verifier as pk
from verifier.cli.main import run
from verifier.model.library import examples, models_folder
from verifier.questions.expect import compare
from verifier.version import VERSION

EVERY_MODEL = sorted(path for path in models_folder().rglob("*.toml") if "family" not in path.parts)


@pytest.mark.parametrize("path", EVERY_MODEL, ids=lambda path: path.stem)
def test_a_model_file_gives_its_own_answers(path: Path) -> None:
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
    assert len(commands) == 3
    for arguments, output, status in commands:
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        assert stop.value.code == status
        said = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        assert said[: len(output)] == output


def test_readme_python(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks("README.md", "python")
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.strip() == code.rstrip().splitlines()[-1].removeprefix("# ")


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


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION == pk.__version__
    assert f"version: {VERSION}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_notebook_display() -> None:
    model = pk.read(models_folder() / "DMKB20" / "example-1-average.toml")
    shown = [model, pk.check(model, "np", epsilon="ln(2)"), pk.loss(model, record=0)]
    pages = [one._repr_html_() for one in shown]  # type: ignore[attr-defined]
    assert all(page.startswith(("<table", "<div")) for page in pages)
    assert "41/16" not in pages[0]
    assert "holds" in pages[1] or "fails" in pages[1]
