"""The rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick


pytestmark = pytest.mark.xdist_group("house")  # each file is read once, not by every worker
ROOT = Path(__file__).resolve().parent.parent
CODE = sorted((ROOT / "verifier").rglob("*.py"))
WINGS = [
    {"families", "judges"}, {"search"}, {"exchange"}, {"implications"}, {"papers"}, {"explore", "course"}, {"report"},
]  # fmt: skip
"""The wings in their order; each imports only those of the sets before its own."""
LIST_OF_WINGS = ROOT / "verifier" / "cli" / "commands.py"
"""The one file of the core that names the list of the wings."""
PLACED = {"plot.py", "plots.py", "drawings.py", "frame.py", "bars.py", "lines.py", "keys.py"}


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's syntax."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def names_in(path: Path) -> list[str]:
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            found.append("a float literal")
        elif isinstance(node, ast.Div) and "checker" in path.parts:
            found.append("/")
    return found


def test_floats_are_made_only_where_plots_are_drawn() -> None:
    for path in CODE:
        if path.name in PLACED:  # plots, and how alike two spellings of a key are
            continue
        names = names_in(path)
        assert "a float literal" not in names, path
        made = [
            line for line in path.read_text(encoding="utf-8").splitlines() if re.search(r"\bfloat\(|np\.float", line)
        ]
        assert made == [], path


def test_a_file_holds_one_idea() -> None:
    """It can be read from top to bottom: at most 900 lines."""
    long = [
        path
        for path in [*CODE, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
        if len(path.read_text(encoding="utf-8").splitlines()) > 900
    ]
    assert long == []


def test_no_verdict_is_decided_by_assert() -> None:
    """`python -O` deletes assertions."""
    for path in CODE:
        assert not any(isinstance(node, ast.Assert) for node in nodes_of(path)), path


def test_nothing_evaluates_text() -> None:
    for path in CODE:
        called = {
            node.func.id for node in nodes_of(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "parse_expr", "sympify"}, path


CORE = [
    "errors", "version", "machine", "checker", "numbers", "tables", "profile", "model", "engine", "simulators",
    "definitions", "evidence", "questions", "show", "cli",
]  # fmt: skip
"""The rooms of the core; each imports only those before it. `wings` and the package's face come after them."""
PACKAGES = {".".join(path.parent.relative_to(ROOT).parts) for path in CODE if path.name == "__init__.py"}


@cache
def imported_by(path: Path) -> frozenset[str]:
    """The modules of the package that a file imports, wherever in it."""
    modules: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom):
            name = node.module or ""
            modules |= {f"{name}.{alias.name}" for alias in node.names} if name in PACKAGES else {name}
        elif isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
    return frozenset(name for name in modules if name.split(".")[0] == "verifier")


def room_of(path: Path) -> str:
    return path.relative_to(ROOT / "verifier").parts[0].removesuffix(".py")


def test_the_rooms_are_few() -> None:
    """Who lists the package sees at most sixteen names, and guesses each."""
    rooms = {room_of(path) for path in CODE} - {"__init__", "__main__"}
    assert rooms == {*CORE, "wings"}
    assert len(rooms) <= 16


def test_one_direction_through_the_core() -> None:
    place = {room: number for number, room in enumerate(CORE)}
    for path in CODE:
        room = room_of(path)
        if room not in place:
            continue
        for module in imported_by(path):
            other = module.split(".")[1]
            if other != "wings":
                assert place[other] <= place[room], f"{path} imports {module}"


def test_the_core_knows_no_wing() -> None:
    """No file of it imports one, or names one to import it later; one names their list."""
    for path in CODE:
        if room_of(path) in CORE:
            texts = {node.value for node in nodes_of(path) if isinstance(node, ast.Constant)}
            named = {text for text in texts if isinstance(text, str) and text.startswith("verifier.wings")}
            assert not any(module.startswith("verifier.wings") for module in imported_by(path)), path
            assert named == ({"verifier.wings"} if path == LIST_OF_WINGS else set()), path


def test_the_wings_have_an_order() -> None:
    """No wing imports one that comes after it, or one beside it; what they are is all in their list."""
    place = {wing: number for number, wings in enumerate(WINGS) for wing in wings}
    for path in CODE:
        parts = path.relative_to(ROOT / "verifier").parts
        if parts[0] != "wings" or len(parts) == 2:
            continue
        for module in imported_by(path):
            names = module.split(".")
            if names[1] == "wings" and names[2] != parts[1]:
                assert place[names[2]] < place[parts[1]], f"{path} imports {module}"


def test_the_replay_imports_nothing_of_the_other_rooms() -> None:
    for path in CODE:
        if room_of(path) == "checker":
            assert {module.split(".")[1] for module in imported_by(path)} <= {"checker"}, path


def test_help_and_a_small_check_import_nothing_heavy() -> None:
    heavy = "numpy matplotlib jinja2 sympy hypothesis"
    code = (
        "import sys\nfrom verifier.cli.main import run\n"
        "try:\n    run(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"sys.stderr.write(' '.join(m for m in '{heavy}'.split() if m in sys.modules))"
    )
    model = str(ROOT / "models" / "DMKB20" / "example-4-repaired.toml")
    for arguments in (["--help"], ["check", model, "--json"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert [line for line in done.stderr.splitlines() if "still working" not in line] == []  # a busy machine


def test_no_addresses_and_no_paths_of_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    for name in listed.stdout.split():
        if name.endswith((".py", ".toml", ".md", ".txt", ".cff", "run", "Makefile")) and "tests/" not in name:
            text = (ROOT / name).read_text(encoding="utf-8")
            assert not re.search(r"(index-url|find-links|https?://[^ \"]*/simple)", text), name
            assert not re.search(r"(^|[^A-Za-z0-9_.])/(work|farm|root|home/[a-z]+)/", text, re.MULTILINE), name


def test_the_command_line_starts_without_the_engine() -> None:
    """What `pkdp --help` does not need is imported when it is needed."""
    code = "import sys, verifier.cli.main; print(*sorted(m for m in sys.modules if m.startswith('verifier.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert not loaded & {"engine", "model", "definitions", "simulators", "evidence", "questions"}
    assert "verifier.checker.judge" not in done.stdout.split()
