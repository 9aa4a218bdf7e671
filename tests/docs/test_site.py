"""The site: what the guide shows is what the program says, and the pages that the program makes are complete."""

import ast
import doctest
import json
import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import typer
from documents import blocks, commands_of, shown_of, site_modules
from examined import at_least_one

import verifier as pk
from verifier.checker.numbers import MOST_WORK
from verifier.checker.scopes import MOST_DECIDED
from verifier.checker.sums import MOST_VECTORS
from verifier.cli.commands import GROUPS, REMOVED, RENAMED
from verifier.cli.main import program, run
from verifier.definitions import DEFINITIONS, ON_REQUEST
from verifier.definitions.builders.resolve import MAX_POSTERIORS
from verifier.engine.enumerated import MAX_ROWS
from verifier.errors import PkdpError
from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.model.mechanism import MAX_OUTPUTS
from verifier.model.multisets import MAX_MULTISETS
from verifier.model.read import MAX_FILE_BYTES, MAX_RECORDS, loads_any
from verifier.simulators.problem import MAX_VISITS
from verifier.wings.course.files import notebooks
from verifier.wings.search.atom_verdicts import MAX_DATABASES
from verifier.wings.search.program import MAX_CELLS

pytestmark = pytest.mark.xdist_group("site")  # it is staged once, not by every worker

ROOT = Path(__file__).resolve().parents[2]
EXTENSIONS = ROOT / "docs" / "_ext"
with site_modules() as imported:
    OF_SITE = imported("generated").OF_SITE


@pytest.fixture(scope="module")
def site() -> Iterator[Any]:
    with site_modules() as found:
        yield found


@pytest.fixture(scope="module")
def staged(site: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "source"
    site("stage").stage(folder)
    return folder


@pytest.mark.parametrize(
    "page", ["docs/first-model.md", "docs/programs.md", "docs/python.md", "docs/claims-in-tests.md"]
)
def test_python_of_the_guide(page: str) -> None:
    code = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(code, {}, page, None, 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("docs/first-model.md", 13),
        ("docs/from-dp.md", 14),
        ("docs/for-disclosure-control.md", 15),
        ("docs/attackers.md", 4),
        ("docs/why.md", 4),
    ],
)
def test_a_page_of_the_guide_and_its_outputs(
    page: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = (ROOT / page).read_text(encoding="utf-8")
    names = re.findall(r"[Ss]ave(?: this)? as\s`(\w+\.toml)`", text)
    for name, model in zip(names, blocks(page, "toml"), strict=True):
        Path(name).write_text(model, encoding="utf-8")
    for code in blocks(page, "python"):
        Path("own.py").write_text(code, encoding="utf-8")
    commands = [command for block in blocks(page, "") if "$ pkdp" in block for command in commands_of(block)]
    assert len(commands) == number
    for arguments, output, status in commands:
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        assert stop.value.code == status, arguments
        said = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        assert shown_of(output, said), (arguments, output, said)
    if "noisy.toml" in names:
        smallest = pk.check(pk.read("noisy.toml"), "apkdp", epsilon="1/2").tight_delta
        assert f"`{smallest}`" in text


def test_what_is_left_out_of_an_output_is_marked() -> None:
    said = ["a", "b", "c", "d"]
    for output in (["a", "b"], ["b", "c"], ["a", "…", "d"], ["…", "c"], []):
        assert shown_of(output, said)
    for output in (["a", "c"], ["b", "…", "a"], ["a", "…", "e"], ["e"]):
        assert not shown_of(output, said)


def test_limits_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    numbers = MAX_RECORDS, MAX_ROWS, MAX_MULTISETS, MAX_OUTPUTS, MAX_POSTERIORS, MAX_VISITS, MOST_WORK
    for number in (*numbers, MOST_DECIDED, MAX_DATABASES, MAX_CELLS, MOST_VECTORS):
        assert f"{number:,}" in page, number
    assert f"{MAX_FILE_BYTES >> 20} MiB" in page


def test_links_work_on_a_code_host() -> None:
    """Those of docs/index.md, the first page of the site, may lead to the pages that only the site has."""
    folders = (".", "benchmarks", "docs", "docs/course", "docs/errata", "models", "proofs", "proofs/axioms",
               "proofs/implications")  # fmt: skip
    for path in at_least_one(path for folder in folders for path in (ROOT / folder).glob("*.md")):
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        near = [address for address in re.findall(r"\]\(([^)\s#]+)", text) if not re.match(r"[a-z]+:", address)]
        made = (
            {(ROOT / name).resolve() for name in (*OF_SITE, "docs/commands.md")} if path.name == "index.md" else set()
        )
        there = ((path.parent / address).resolve() for address in near)
        assert [one for one in there if not one.exists() and one not in made] == [], path.name


def test_a_page_for_each_definition(staged: Path) -> None:
    for key, one in {**DEFINITIONS, **ON_REQUEST}.items():
        if one.own:
            continue
        page = (staged / "definitions" / f"{key}.md").read_text(encoding="utf-8")
        assert "<math" in page
        assert one.formula in page
        assert one.source in page
        for part in ("## What is compared", "## When it is vacuous"):
            assert part in page
        for name in one.readings:
            assert name == "default" or f"`{name}`" in page
    assert "no: [" in (staged / "definitions" / "np.md").read_text(encoding="utf-8")


def test_every_command_and_option_is_in_the_reference(staged: Path, site: Any) -> None:
    page = (staged / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == list(GROUPS)
    assert all(f"\n| `pkdp {name}` |" in page for name in at_least_one([*RENAMED, *REMOVED]))
    for name, command in at_least_one(site("cli_page").program().commands.items()):
        part = page.split(f"### `pkdp {name}`\n", 1)[1].split("\n### ", 1)[0]
        for one in at_least_one(command.params):
            for option in one.opts:
                if option.startswith("--") and option != "--help":
                    assert f"`{option}" in part, (name, option)
            assert one.param_type_name == "option" or one.help.split()[0] in part


def test_every_name_of_the_package_is_in_the_reference(staged: Path) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((staged / "api").glob("*.md")))
    for name in at_least_one(pk.__all__):
        assert f"verifier.{name}\n" in pages or f"`pk.{name}`" in pages or name == "search", name


def test_every_model_file_is_in_the_site(staged: Path) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((staged / "models").glob("*.md")))
    for path in at_least_one(sorted((ROOT / "models").rglob("*.toml"))):
        assert f"`{path.relative_to(ROOT).as_posix()}`" in pages


def test_the_gallery_draws_ten_models_with_their_promised_answers(staged: Path, site: Any) -> None:
    page, models = (staged / "gallery.md").read_text(encoding="utf-8"), site("gallery").MODELS
    assert len(models) == page.count("<svg") == page.count("\n## ") == 10
    for name in models:
        text = (models_folder() / f"{name}.toml").read_text(encoding="utf-8")
        for promised in re.findall(r'^tight_(?:epsilon|delta) = "(.*)"', text, re.MULTILINE):
            assert f"| {promised} |" in page, name


def test_the_fields_of_the_reference_are_those_of_an_answer(site: Any) -> None:
    module = site("json_page")
    answer = module.answer()
    (term, *_) = answer["witness"]["terms"]
    held = pk.check(pk.read(models_folder() / "relations" / "randomized-response.toml"), "dp")
    found = {"answer": answer, "witness": answer["witness"], "term": term}
    found |= {command: module.printed(command) for command in module.COMMANDS}
    assert {name: list(fields) for name, fields in module.FIELDS.items()} == {
        name: list(fields) for name, fields in found.items()
    }
    assert list(held.to_json()["tightest"]) == list(answer["witness"])


def test_every_command_with_json_has_its_fields_in_the_reference(site: Any) -> None:
    """A command that answers with JSON has a table, with an example of this machine that names none of its folders."""
    module = site("json_page")
    parsed = typer.main.get_command(program())
    answering = {
        name
        for name, command in parsed.commands.items()  # type: ignore[attr-defined]
        if name not in {*RENAMED, *REMOVED} and any("--json" in one.opts for one in command.params)
    }
    assert {*map(module.command_of, module.COMMANDS), "check"} == answering
    for name in module.COMMANDS:
        assert str(models_folder()) not in json.dumps(module.printed(name)), name


def test_links_become_links_of_the_site(site: Any, tmp_path: Path) -> None:
    stage = site("stage")
    done = stage.Stage(tmp_path, {**stage.repository_pages(), **stage.FIXED}, {"examples.md": {"example-1-side"}})
    text = "[a](../proofs/epsilon.md#proof) [b](definitions.md#np) [c](search.md) `docs/worst.md` [d](examples.md)\n"
    assert stage.relink(text, "docs/trust.md", done) == (
        "[a](proofs/epsilon.md#proof) [b](definitions/np.md) [c](smallest-model.md) "
        "[`docs/worst.md`](worst.md) [d](examples.md)\n"
    )
    assert stage.relink("`docs/worst.md`", "proofs/worst.md", done) == "[`docs/worst.md`](../worst.md)"
    assert stage.relink("see proofs/worst.md, `pkdp\ncheck docs/worst.md`", "docs/search.md", done) == (
        "see [proofs/worst.md](proofs/worst.md), `pkdp\ncheck docs/worst.md`"
    )
    done.pages["models/DKM19/example-1.toml"] = "models/DKM19.md#model-dkm19-example-1"
    listed = "| 1 | DKM19/example-1.toml | words |"
    assert "[DKM19/example-1.toml](#model-dkm19-example-1)" in stage.relink(listed, "docs/relations.md", done)
    assert stage.relink("[x](../docs/examples.md#example-1-side)", "proofs/sizes.md", done) == "[x](#example-1-side)"
    done.pages |= stage.claim_places()
    claim = "[x](../proofs/DMKB20/theorem-5.toml)"
    assert stage.relink(claim, "docs/trust.md", done) == "[x](#dmkb20-theorem-5)"
    done.cells["proofs/ledger.md"] = {"dmkb20-theorem-5"}
    assert stage.relink(claim, "docs/trust.md", done) == '<a href="proofs/ledger.html#dmkb20-theorem-5">x</a>'
    assert stage.relink("```\n[x](nowhere.md)\n```", "docs/worst.md", done) == "```\n[x](nowhere.md)\n```"
    with pytest.raises(SystemExit, match=r"worst\.md: a link to nowhere\.md"):
        stage.relink("[x](nowhere.md)", "docs/worst.md", done)


def test_the_course_is_listed_by_its_own_words(site: Any, tmp_path: Path, staged: Path) -> None:
    opening = site("course_page").opening_of
    notebook = tmp_path / "01_x.py"
    notebook.write_text('kit.opening(1, "What?", ["that", "this"], minutes=9, needs="nothing")\n', encoding="utf-8")
    assert opening(notebook) == site("course_page").Opening("What?", ("that", "this"), 9, "nothing")
    notebook.write_text('"""A notebook.\n\nMore."""\n', encoding="utf-8")
    assert opening(notebook).title == "A notebook"
    page = (staged / "course.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "course").glob("[0-9][0-9]_*.py"):
        assert f"### {int(path.stem[:2])}. " in page


def test_the_course_leads_to_pages_of_the_guide(staged: Path) -> None:
    for path in at_least_one(notebooks()):
        for target, place in re.findall(r"\(guide:([\w./-]+)\.html#?([\w.-]*)\)", path.read_text(encoding="utf-8")):
            text = (staged / f"{target}.md").read_text(encoding="utf-8")
            assert not place or f'id="{place}"' in text, (path.stem, target, place)


def test_the_copies_for_jupyter_have_the_cells_of_the_notebooks(site: Any, staged: Path) -> None:
    """Nothing in them needs marimo, and what a reader types stands between empty quotes."""
    for path in at_least_one(notebooks()):
        copy = json.loads((staged / "course" / f"{path.stem}.ipynb").read_text(encoding="utf-8"))
        wanted = list(site("jupyter_copies").parts(path.read_text(encoding="utf-8")))
        assert [(one["cell_type"], "".join(one["source"])) for one in copy["cells"][1:]] == [
            (kind, text) for kind, text, _ in wanted
        ]
        code = ["".join(one["source"]) for one in copy["cells"] if one["cell_type"] == "code"]
        assert not any("marimo" in text for text in code)
        assert not any("](guide:" in text or "](explorer:" in text for one in copy["cells"] for text in one["source"])
        calls = [node for text in code for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        empty = {"kit.entry": 2, "kit.student": 1}
        asked = [node for node in calls if ast.unparse(node.func) in empty]
        assert "kit.student" in {ast.unparse(node.func) for node in asked}
        for node in asked:
            assert len(node.args) == empty[ast.unparse(node.func)]
            assert ast.unparse(node.args[-1]) == "''"
        assert (staged / "course" / path.name).read_bytes() == path.read_bytes()


def test_what_is_wrong_with_a_site_is_found(site: Any, tmp_path: Path) -> None:
    problems = site("check_site").problems
    page = tmp_path / "index.html"
    good = '<link rel="stylesheet" href="a.css?v=1"><a href="#here" id="here">x</a><a href="sub/b.html#there">y</a>'
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.html").write_text('<p id="there"><a href="../index.html">z</a>', encoding="utf-8")
    (tmp_path / "a.css").write_text("p { color: red }", encoding="utf-8")
    said = '<a href="https://example.org">said, not loaded</a><link rel="canonical" href="https://example.org/">'
    page.write_text(good + said, encoding="utf-8")
    assert problems(tmp_path) == []
    for wrong, why in (
        ('<a href="gone.html">', "gone.html is not there"),
        ('<a href="sub/b.html#gone">', "has no such place"),
        ('<a href="../../etc/x">', "leads out of the site"),
        ('<script src="https://example.org/a.js"></script>', "loads https://example.org/a.js"),
        ('<img src="//example.org/a.png">', "loads //example.org/a.png"),
        ('<link rel="preconnect" href="https://example.org">', "loads https://example.org"),
        ("<style>p { background: url(https://example.org/a.png) }</style>", "a style or script loads"),
        ('<p style="background: url(//example.org/a.png)">', "a style or script loads"),
        ('<p id="here">', "the id here is there twice"),
        (f"<p>{tmp_path}-work/source/index.md", "names the folder in which it was made"),
    ):
        page.write_text(good + wrong, encoding="utf-8")
        assert any(why in problem for problem in problems(tmp_path)), wrong
    page.write_text(good, encoding="utf-8")
    (tmp_path / "a.css").write_text("@import 'https://example.org/a.css';", encoding="utf-8")
    assert problems(tmp_path) == ["a.css: loads https://example.org/a.css"]


def test_the_address_is_one(site: Any, tmp_path: Path) -> None:
    address = site("address")
    assert list(address.problems()) == []
    files = {"README.md": "[the site]({})", "CITATION.cff": 'title: "pkdp"\nurl: "{}"\n'}
    home = "https://somebody.github.io/pkdp/"
    for name, text in files.items():
        (tmp_path / name).write_text(text.format(home), encoding="utf-8")
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nname = "pkdp"\n', encoding="utf-8")
    assert len(list(address.problems(tmp_path))) == len(files)  # an address that pyproject.toml lacks
    project.write_text(f'[project.urls]\nDocumentation = "{home.rstrip("/")}"\n', encoding="utf-8")
    assert address.address(tmp_path) == home
    assert list(address.problems(tmp_path)) == []
    (tmp_path / "README.md").write_text("no address", encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text(files["CITATION.cff"].format("https://other.example/"), encoding="utf-8")
    assert [problem.split(":")[0] for problem in address.problems(tmp_path)] == ["CITATION.cff"] * 2 + ["README.md"]


def test_every_answer_of_the_search_is_a_page(site: Any, staged: Path) -> None:
    for part in site("asked").entries(staged).values():
        for one in at_least_one(part):
            page = one.address.partition("#")[0].removesuffix(".html")
            assert (staged / f"{page}.md").is_file(), one


def test_a_page_below_another_is_in_the_list_of_one(site: Any) -> None:
    stage = site("stage")
    below = [child for children in at_least_one(stage.CHILDREN.values()) for child in children]
    front = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    top = re.findall(
        r"^(?:.* <)?([\w/-]+)>?$", "".join(re.findall(r":caption:.*?\n\n(.*?)```", front, re.DOTALL)), re.MULTILINE
    )
    assert len(set(below)) == len(below)
    assert set(below).isdisjoint(top)
    assert {page.removesuffix(".md") for page in stage.CHILDREN} <= set(top)
    assert len(top) <= 26
    assert "/worst" in stage.below("smallest-model.md")


def test_docstrings_become_what_sphinx_reads(site: Any) -> None:
    pytest.importorskip("docutils")
    to_rst = site("docstrings").to_rst
    lines = [
        "ε of `a*b`, in a*b_:",
        "",
        "    x | y",
        "",
        ">>> 1",
        "1",
        "",
        "Raises:",
        "    InputError: for `x`,",
        "        or y.",
    ]
    assert to_rst(lines) == [
        "ε of ``a*b``, in a\\*b\\_:", "", ".. code-block:: text", "", "   x | y", "", ">>> 1", "1", "",
        ":raises InputError: for ``x``,", "    or y.", "",
    ]  # fmt: skip


def test_each_link_opens_the_model_that_stands_above_it(site: Any, staged: Path, tmp_path: Path) -> None:
    """Where the site has an explorer, every whole model file on its pages has a link; where not, none has."""
    site("stage").stage(tmp_path / "with", {"explore"})
    assert not any("explore/index.html" in path.read_text("utf-8") for path in staged.rglob("*.md"))
    opened = re.compile(r'<a class="try" href="((?:\.\./)*)explore/index\.html#([^"]+)">')
    block = re.compile(r"^(?P<fence>`{3,})toml\n(?P<text>.*?)^(?P=fence)", re.DOTALL | re.MULTILINE)
    held, named = 0, set()
    for path in sorted((tmp_path / "with").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        depth = len(path.relative_to(tmp_path / "with").parts) - 1
        for link in opened.finditer(text):
            assert link[1] == "../" * depth
            fields = parse_qs(link[2])
            if "example" in fields:
                named.add(fields["example"][0])
                continue
            above = [found["text"] for found in block.finditer(text, 0, link.start())][-1]
            assert unpacked(fields["m"][0]) == document_of(above)
            held += 1
    files = {path.relative_to(models_folder()).with_suffix("").as_posix() for path in models_folder().rglob("*.toml")}
    assert named == files
    pages = [path.read_text("utf-8") for path in (tmp_path / "with").rglob("*.md")]
    assert held + len(named) == sum(is_model(found["text"]) for page in pages for found in block.finditer(page))
    assert held > 20


def unpacked(packed: str) -> Any:
    """The document in a link, read without what writes it."""
    return json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15))


def is_model(text: str) -> bool:
    """Whether the program reads a text as a model or a family."""
    try:
        loads_any(text)
    except PkdpError:
        return False
    return True
