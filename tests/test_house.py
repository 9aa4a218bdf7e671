"""The rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted((ROOT / "verifier").rglob("*.py"))
PLACED = {"plots.py", "drawings.py", "relation_plot.py", "family_plots.py", "figure_plots.py", "place.py"}


def names_in(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            found.append("a float literal")
        elif isinstance(node, ast.Div) and "replay" in path.name:
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


def test_files_are_short() -> None:
    long = [
        path
        for path in [*CODE, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
        if len(path.read_text(encoding="utf-8").splitlines()) > 400
    ]
    assert long == []


def test_no_verdict_is_decided_by_assert() -> None:
    """`python -O` deletes assertions."""
    for path in CODE:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree)), path


def test_nothing_evaluates_text() -> None:
    for path in CODE:
        called = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "parse_expr", "sympify"}, path


ORDER = [
    "errors", "version", "files", "cores", "replay_written", "replay_numbers", "replay_labels",
    "replay_dependency", "replay_blocks", "replay_laws", "replay_simulator",
    "replay_sums", "replay_sizes", "replay_anonymity", "replay_worst", "replay_acceptability",
    "replay_kinds", "replay_model", "replay_compare", "replay_shapes", "replay",
    "replay_levels", "replay_statement", "replay_search", "replay_files",
    "signs", "numbers", "tables", "profile", "library", "model", "engine", "simulators", "definitions",
    "certificates", "foreign", "normalization", "losses", "questions", "laws", "properties", "expect", "relations",
    "search", "certified", "bounds", "figures", "symbolic", "ledger", "report", "course", "explore", "cli",
]  # fmt: skip


def test_one_direction_through_the_house() -> None:
    """A room imports only rooms before it; only the package's own face may name them all."""
    place = {room: k for k, room in enumerate(ORDER)}
    for part in ("blocks", "laws", "simulator", "sums", "sizes"):
        place[f"replay_{part}"] = place["replay"]  # one checker in several files
    for path in CODE:
        room = path.relative_to(ROOT / "verifier").parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else ([name.name for name in node.names] if isinstance(node, ast.Import) else [])
            )
            for module in modules:
                parts = module.split(".")
                if parts[0] != "verifier":
                    continue
                names = parts[1:2] or [n.name for n in node.names]  # type: ignore[attr-defined]
                for other in names:
                    assert place[other] <= place[room], f"{path} imports {module}"


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
        assert done.stderr == ""


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
    assert not loaded & {"engine", "model", "definitions", "search", "relations", "simulators", "certificates"}
