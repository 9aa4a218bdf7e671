"""The rules of the house that a machine can check."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from examined import at_least_one

pytestmark = [pytest.mark.quick, pytest.mark.xdist_group("house")]  # each file is read once, not by every worker
ROOT = Path(__file__).resolve().parent.parent
CODE = sorted((ROOT / "verifier").rglob("*.py"))
SCRIPTS = [ROOT / "docs" / name for name in ("matrix/build.py", "figures/make.py", "figures/sums.py")]
"""What makes data of the package or numbers of the site, outside of the package."""
WINGS = [
    {"families"}, {"search"}, {"exchange"}, {"implications"}, {"claim"}, {"compare"}, {"papers"}, {"teach"},
    {"course"}, {"explore"}, {"report"},
]  # fmt: skip
"""The wings in their order; each imports only those of the sets before its own."""
LIST_OF_WINGS = ROOT / "verifier" / "cli" / "commands.py"
"""The one file of the core that names the list of the wings."""
PLACED = {"make.py", "plot.py", "plots.py", "drawings.py", "frame.py", "bars.py", "lines.py", "keys.py"}


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
    for path in at_least_one([*CODE, *SCRIPTS]):
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
        for path in [*CODE, *SCRIPTS, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
        if len(path.read_text(encoding="utf-8").splitlines()) > 900
    ]
    assert long == []


def test_no_verdict_is_decided_by_assert() -> None:
    """`python -O` deletes assertions."""
    for path in at_least_one([*CODE, *SCRIPTS]):
        assert not any(isinstance(node, ast.Assert) for node in nodes_of(path)), path


def test_nothing_evaluates_text() -> None:
    for path in at_least_one([*CODE, *SCRIPTS]):
        called = {
            node.func.id for node in nodes_of(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "parse_expr", "sympify"}, path


CORE = [
    "errors", "version", "machine", "checker", "numbers", "tables", "programs", "profile", "model", "engine",
    "simulators",
    "definitions", "recheck", "questions", "show", "cli",
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
    """Who lists the package sees at most seventeen names, and guesses each."""
    rooms = {room_of(path) for path in CODE} - {"__init__", "__main__"}
    assert rooms == {*CORE, "wings"}
    assert len(rooms) <= 17


def test_one_direction_through_the_core() -> None:
    place = {room: number for number, room in enumerate(CORE)}
    arrows = [(path, module) for path in CODE if room_of(path) in place for module in imported_by(path)]
    for path, module in at_least_one(arrows):
        other = module.split(".")[1]
        assert other == "wings" or place[other] <= place[room_of(path)], f"{path} imports {module}"


def test_the_core_knows_no_wing() -> None:
    """No file of it imports one, or names one to import it later; one names their list."""
    for path in at_least_one(CODE):
        if room_of(path) in CORE:
            texts = {node.value for node in nodes_of(path) if isinstance(node, ast.Constant)}
            named = {text for text in texts if isinstance(text, str) and text.startswith("verifier.wings")}
            assert not any(module.startswith("verifier.wings") for module in imported_by(path)), path
            assert named == ({"verifier.wings"} if path == LIST_OF_WINGS else set()), path


def test_the_wings_have_an_order() -> None:
    """No wing imports one that comes after it, or one beside it; what they are is all in their list."""
    place = {wing: number for number, wings in enumerate(WINGS) for wing in wings}
    arrows = [(path, module.split(".")) for path in CODE for module in imported_by(path)]
    between = [
        (path, parts[1], names[2])
        for path, names in arrows
        if (parts := path.relative_to(ROOT / "verifier").parts)[0] == "wings" and len(parts) > 2
        if names[1] == "wings" and names[2] != parts[1]
    ]
    for path, wing, other in at_least_one(between):
        assert place[other] < place[wing], f"{path} imports {other}"


def test_the_replay_imports_nothing_of_the_other_rooms() -> None:
    for path in at_least_one(path for path in CODE if room_of(path) == "checker"):
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
        said = done.stderr.splitlines()
        assert [line for line in said if not line.startswith("pkdp check: ")] == []  # progress on a busy machine


def test_no_addresses_and_no_paths_of_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    for name in listed.stdout.split():
        if name.endswith((".py", ".toml", ".md", ".txt", ".cff", "run", "Makefile")) and "tests/" not in name:
            text = (ROOT / name).read_text(encoding="utf-8")
            assert not re.search(r"(index-url|find-links|https?://[^ \"]*/simple)", text), name
            assert not re.search(r"(^|[^A-Za-z0-9_.])/(work|farm|root|home/[a-z]+)/", text, re.MULTILINE), name


def test_what_make_runs_is_there_and_what_is_said_of_make_too() -> None:
    """Each module and file that a recipe runs exists, and each `make TARGET` of a page or a script is a target."""
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {name for names in re.findall(r"^([a-z][\w -]*):", recipes, re.MULTILINE) for name in names.split()}
    (listed,) = re.findall(r"^\.PHONY: (.*)$", recipes, re.MULTILINE)
    assert {*listed.split()} == targets
    for module in at_least_one(re.findall(r"-m (verifier[\w.]*)", recipes)):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file(), module
    for name in at_least_one(re.findall(r"python ([\w/]+\.py)", recipes)):
        assert (ROOT / name).is_file(), name
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "proofs").rglob("*.md"), *CODE]
    for path in at_least_one([*pages, *(ROOT / ".ci").glob("run")]):
        if path.name != "CHANGELOG.md":  # what was there once
            said = r"^(?:[^#\n]*\s)?make ([a-z-]+)" if path.name == "run" else r"`make ([a-z-]+)"
            assert {*re.findall(said, path.read_text(encoding="utf-8"), re.MULTILINE)} <= targets, path


def test_the_command_line_starts_without_the_engine() -> None:
    """What `pkdp --help` does not need is imported when it is needed."""
    code = "import sys, verifier.cli.main; print(*sorted(m for m in sys.modules if m.startswith('verifier.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert not loaded & {"engine", "model", "definitions", "simulators", "recheck", "questions"}
    assert "verifier.checker.judge" not in done.stdout.split()


LISTS_OF_TESTS = ("mutants.rooms", "browser.test_explorer_alone")
"""The modules that give names of tests to a pytest of their own: one that is missing stops all of that run."""


def names_of_tests(value: object) -> Iterator[str]:
    """Every name of a test or of a file of tests in a list, whatever holds it."""
    if isinstance(value, str):
        yield from [value.removeprefix("--deselect=")] if re.match(r"(--deselect=)?tests/", value) else []
    elif isinstance(value, Mapping | list | tuple | set | frozenset):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from names_of_tests(inner)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from names_of_tests(vars(value))


@pytest.mark.parametrize("module", LISTS_OF_TESTS)
def test_the_names_of_tests_in_lists_are_those_of_tests(module: str) -> None:
    """Seen without a browser, and before half an hour of mutants: the file is there, and the function in it."""
    for test in at_least_one({*names_of_tests(vars(import_module(module)))}):
        file, _, name = test.partition("::")
        assert (ROOT / file).exists(), f"{module}: {test}"
        if name:
            functions = {node.name for node in nodes_of(ROOT / file) if isinstance(node, ast.FunctionDef)}
            assert name.partition("[")[0] in functions, f"{module}: {test}"


def test_every_list_of_tests_is_read() -> None:
    """Each file of the tests that has the name of a folder or file of tests as a text of its code."""
    listing = {
        path.relative_to(ROOT / "tests").with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "tests").rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and re.match(r"(--deselect=)?tests/\w+(/test_|$)", str(node.value))
    }
    assert listing == {*LISTS_OF_TESTS}


ELSEWHERE = {"CHANGELOG.md", "tests/programs/claims.toml"}


def test_files_of_tests_that_are_named_exist() -> None:
    """In pages, comments, recipes and data; the changelog names what was there once, claims other people's tests."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    for name in listed.stdout.split():
        if name.endswith((".py", ".md", ".toml", ".mjs", ".v", "run", "Makefile")) and name not in ELSEWHERE:
            text = (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).exists() else ""
            named = re.findall(r"(?<![\w/])tests/[a-z0-9_/-]+\.(?:py|toml|jsonl?|txt)(?!\w)", text)
            assert [one for one in named if not (ROOT / one).exists()] == [], name


TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
CHECKS = re.compile(r"assert|raises|fail|check|clean|until|expect")
"""Names of calls that are checks by themselves; so is a helper of the tests that asserts."""


@cache
def asserting_helpers() -> frozenset[str]:
    """Names of functions of the tests that are no tests, and that assert or raise."""
    return frozenset(
        node.name
        for path in (ROOT / "tests").rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test_")
        if any(isinstance(inner, ast.Assert | ast.Raise) for inner in ast.walk(node))
    )


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def is_check(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Assert)
    named = [keyword for keyword in node.keywords if keyword.arg == "check" and ast.unparse(keyword.value) == "True"]
    name = name_of(node.func)
    return bool(named or name in asserting_helpers() or CHECKS.match(name))


def has_an_item(node: ast.expr) -> bool:
    """Whether what a loop goes through has an item, as far as its text shows."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return any(not isinstance(item, ast.Starred) for item in node.elts)
    if isinstance(node, ast.Dict):
        return bool(node.keys)
    if not isinstance(node, ast.Call):
        return False
    through = [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr == "items" else node.args
    match name_of(node.func):
        case "at_least_one" | "split":
            return True
        case "range":
            return all(isinstance(argument, ast.Constant) for argument in node.args)
        case "enumerate" | "sorted" | "reversed" | "zip" | "product" | "items" | "permutations":
            return all(has_an_item(argument) for argument in through if not isinstance(argument, ast.Constant))
    return False


def looks_at_something(node: ast.AST) -> bool:
    """Whether a check is reached from a node, whatever the loops on the way go through."""
    if is_check(node):
        return True
    skipped = node.body if isinstance(node, ast.For) and not has_an_item(node.iter) else []
    skipped = node.body if isinstance(node, ast.While) else skipped
    return any(looks_at_something(child) for child in ast.iter_child_nodes(node) if child not in skipped)


def test_no_test_looks_at_nothing() -> None:
    """A test whose checks are all in a loop passes where the loop is empty: `at_least_one` refuses that."""
    empty = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in TESTS
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not looks_at_something(node)
    ]
    assert empty == []


def test_marks_of_a_file_are_given_once() -> None:
    """The second `pytestmark` of a file takes the place of the first."""
    for path in at_least_one(TESTS):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        marks = [
            node for node in tree.body if isinstance(node, ast.Assign) and name_of(node.targets[0]) == "pytestmark"
        ]
        assert len(marks) <= 1, path


DECLARED = {
    "flint": "python-flint",
    "z3": "z3-solver",
    "axe_playwright_python": "axe-playwright-python",
    "xdist": "pytest-xdist",
    "dp_accounting": "dp-accounting",
}
"""Distributions that are called otherwise than their module."""


def test_every_package_that_is_imported_is_declared() -> None:
    """Of the standard library, of this repository, or a dependency by name: not one that another package brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    declared = {re.split(r"[><\[]", one)[0] for one in wanted} | set(sys.stdlib_module_names)
    own = {path.stem for path in (ROOT / "tests").rglob("*.py")} | {path.name for path in (ROOT / "tests").rglob("*/")}
    own |= {path.stem for folder in ("docs", "benchmarks", "proofs") for path in (ROOT / folder).rglob("*.py")}
    own |= {"verifier", "pkdp", "proofs", "docs", "benchmarks", "tests"}
    undeclared = set()
    for path in [*CODE, *SCRIPTS, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]:
        for node in nodes_of(path):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            if isinstance(node, ast.Call) and name_of(node.func) in {"importorskip", "import_module"}:
                names += [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
            undeclared |= {
                f"{path.relative_to(ROOT)} imports {top}"
                for top in (name.partition(".")[0] for name in names)
                if DECLARED.get(top, top) not in declared and top not in own
            }
    assert undeclared == set()
