"""How large the house is, and how it hangs together: the numbers that a change of structure is to lower.

`python benchmarks/house.py [FOLDER …]` measures this checkout and every other one that is named (a git worktree of an
earlier commit, for example), and prints one table with a column for each. Nothing is imported from a checkout but by a
process of its own, for the way of one δ; everything else is read as text.

- *Tokens*: of Python, without comments, docstrings, line ends and indentation.
- *One importer*: files of the package that exactly one other file of it imports, wherever in it.
- *Circles*: sets of wings that import each other, directly or through others.
- *Arrows*: files of the command line that import from the wings, or from their list.
- *Naming one measure*: files of the package in which `total-variation`, or a name that begins so, is a name or a text.
- *Words of pages*: of Markdown that is written by hand, without code blocks, without what `make generated` writes, and
  of the changelog without the releases before the coming one.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).resolve().parent.parent
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
SPELLINGS = ("totalvariation", "variation")
"""How the measure that is looked for begins, in lower case and without hyphens; the second where the name is whole."""
PRINT_WAY = """
import contextlib, io, sys
from pathlib import Path
import verifier
from verifier.cli.main import run
root, entered = str(Path(verifier.__file__).resolve().parent), set()
def enter(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(root) and code.co_name != "<module>" and not loading(frame):
        entered.add(code.co_filename)
def loading(frame):
    while frame:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
arguments = ["check", sys.argv[1], "--definition", "ppkdp", "--epsilon", "ln(2)"]
with contextlib.redirect_stdout(io.StringIO()):
    sys.setprofile(enter)
    with contextlib.suppress(SystemExit):
        run(arguments)
    sys.setprofile(None)
checker = [path for path in entered if path.startswith((root + "/checker/", root + "/replay/"))]
print(len(entered), len(checker), sum(len(Path(path).read_text(encoding="utf-8").splitlines()) for path in checker))
"""


@dataclass(frozen=True)
class Checkout:
    """A folder with the whole project, at some commit."""

    root: Path

    def files(self, *folders: str) -> list[Path]:
        """Every Python file below the folders."""
        return sorted(path for folder in folders for path in (self.root / folder).rglob("*.py"))

    def tokens(self, *folders: str) -> int:
        """The Python tokens below the folders."""
        return sum(tokens_of(path.read_text(encoding="utf-8")) for path in self.files(*folders))

    @property
    def checker(self) -> str:
        """The folder of the independent checker."""
        return next(name for name in ("verifier/checker", "verifier/replay") if (self.root / name).is_dir())

    @cached_property
    def imports(self) -> Mapping[Path, frozenset[Path]]:
        """The files of the package that each of its files imports, wherever in it."""
        modules = {_module_of(path, self.root): path for path in self.files("verifier")}
        return {path: frozenset(_imported(path, modules)) - {path} for path in modules.values()}

    def wing_of(self, path: Path) -> str | None:
        """The wing that a file belongs to; None for the list of the wings and for what is outside."""
        parts = path.relative_to(self.root / "verifier").parts
        return parts[1] if parts[0] == "wings" and len(parts) > 2 else None

    def circles_of_wings(self) -> str:
        """The sets of wings that import each other."""
        arrows = nx.DiGraph()
        for path, imported in self.imports.items():
            for other in imported:
                ends = self.wing_of(path), self.wing_of(other)
                if None not in ends and ends[0] != ends[1]:
                    arrows.add_edge(*ends)
        circles = [sorted(circle) for circle in nx.strongly_connected_components(arrows) if len(circle) > 1]
        return "; ".join(", ".join(circle) for circle in sorted(circles)) or "none"

    def arrows_to_wings(self) -> int:
        """How many files of the command line import from the wings or their list."""
        wings = self.root / "verifier" / "wings"
        return sum(any(wings in other.parents for other in self.imports[path]) for path in self.files("verifier/cli"))

    def with_one_importer(self) -> int:
        """How many files of the package exactly one other file imports."""
        importers = Counter(other for imported in self.imports.values() for other in imported)
        return sum(count == 1 for path, count in importers.items() if path.name != "__init__.py")

    def naming_one_measure(self) -> int:
        """How many files of the package name total variation."""
        return sum(names_measure(path.read_text(encoding="utf-8")) for path in self.files("verifier"))

    @cached_property
    def way(self) -> list[int]:
        """Files that `pkdp check` enters for one δ of ppkdp, without imports; the checker's of them; their lines."""
        model = self.root / "models" / "DMKB20" / "example-1-side-known.toml"
        found = self.ran(sys.executable, "-c", PRINT_WAY, str(model))
        return [int(number) for number in found.split()]

    def commands(self) -> int:
        """How many commands `pkdp --help` lists."""
        command = "from verifier.cli.main import run; run(['--help'])"
        helped = self.ran(sys.executable, "-c", command)
        return len(set(re.findall(r"^[│ ]*([a-z]+)  +[A-Z]", helped, re.MULTILINE)))

    def ran(self, *command: str) -> str:
        """What a command prints that is run in the checkout, with its package."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "COLUMNS": "200"}
        return subprocess.run(
            command, env=environment, cwd=self.root, capture_output=True, text=True, check=True
        ).stdout

    def imports_inside(self) -> int:
        """How many imports of the package's own modules stand inside functions."""
        return sum(map(_imports_inside, self.files("verifier")))

    def bytes_of_tree(self) -> str:
        """The size of what git has at the commit, unpacked, in megabytes of 10^6 bytes."""
        sizes = [int(line.split()[3]) for line in self.ran("git", "ls-tree", "-r", "-l", "HEAD").splitlines()]
        return f"{sum(sizes) / 10**6:.1f} MB"

    def words_by_page(self) -> dict[str, int]:
        """The words of each Markdown page in git, without code blocks, generated parts and old releases."""
        listed = subprocess.run(
            ["git", "ls-files", "*.md"], cwd=self.root, capture_output=True, text=True, check=True
        ).stdout.split()
        pages = {name: (self.root / name).read_text(encoding="utf-8") for name in listed if (self.root / name).exists()}
        return {name: len(by_hand(name, text).split()) for name, text in pages.items()}

    def words_of_pages(self) -> int:
        """The words of all pages that are written by hand."""
        return sum(self.words_by_page().values())

    def lines_of_checker(self) -> int:
        """The lines of the checker's files, comments and docstrings with them."""
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in self.files(self.checker))


def by_hand(name: str, text: str) -> str:
    """The part of a page that somebody wrote: nothing of a page or a table that is made, and no code block."""
    if text.startswith("<!-- Made by `make generated`"):
        return ""
    if name == "CHANGELOG.md":
        text = "".join(re.split(r"(?m)^(?=## )", text)[:2])
    text = re.sub(r"<!-- table: .*?-->\n\n(?:\|.*\n)+", "", text)  # a test compares it with the program's
    text = re.sub(r"<!-- .*?made by `make generated`.*?-->.*?<!-- end of .*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"^( *)(```|~~~).*?^\1\2[`~]*[ ]*$", "", text, flags=re.DOTALL | re.MULTILINE)


def tokens_of(text: str) -> int:
    """How many tokens a Python file has, without comments, docstrings and layout."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        token.type not in {*LAYOUT, tokenize.ENDMARKER}
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def names_measure(text: str) -> bool:
    """Whether total variation is named in a file, outside its comments and docstrings."""
    first, second = SPELLINGS
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                pass
            case ast.Constant(value=str(name)) if id(node) not in docstrings:
                pass
            case _:
                continue
        plain = name.lower().replace("-", "").replace("_", "").replace(" ", "")
        if plain.startswith(first) or plain == second:
            return True
    return False


def _imports_inside(path: Path) -> int:
    """The imports of the package's own modules that stand inside functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = {
        node for function in functions for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)
    }
    named = (node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name for node in inside)
    return sum(name.partition(".")[0] in {"verifier", "pkdp"} for name in named)


def _module_of(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, modules: Mapping[str, Path]) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (modules[name if name in modules else node.module] for name in names if node.module in modules)
        elif isinstance(node, ast.Import):
            yield from (modules[alias.name] for alias in node.names if alias.name in modules)


NUMBERS: dict[str, Callable[[Checkout], int | str]] = {
    "verifier + proofs, tokens": lambda c: c.tokens("verifier", "proofs"),
    "the checker, tokens": lambda c: c.tokens(c.checker),
    "the checker, lines": Checkout.lines_of_checker,
    "tests, tokens": lambda c: c.tokens("tests"),
    "files entered by `pkdp check` of one ppkdp δ": lambda c: c.way[0],
    "of these the checker's; all their lines": lambda c: "{1}; {2:,}".format(*c.way),
    "own modules imported inside functions": Checkout.imports_inside,
    "files with one importer": Checkout.with_one_importer,
    "circles between wings": Checkout.circles_of_wings,
    "files of the command line that import from the wings": Checkout.arrows_to_wings,
    "files of the package that name one measure": Checkout.naming_one_measure,
    "words of pages": Checkout.words_of_pages,
    "commands in the help": Checkout.commands,
    "size of the tree, unpacked": Checkout.bytes_of_tree,
}


def main() -> None:
    """Print the table, a row for each number and a column for each checkout."""
    checkouts = [Checkout(ROOT), *(Checkout(Path(folder).resolve()) for folder in sys.argv[1:])]
    print("|", " | ".join(["", *(checkout.root.name for checkout in checkouts)]), "|")
    print("|" + "---|" * (len(checkouts) + 1))
    for name, number in NUMBERS.items():
        found = [number(checkout) for checkout in checkouts]
        print("|", " | ".join([name, *(f"{n:,}" if isinstance(n, int) else n for n in found)]), "|")


if __name__ == "__main__":
    main()
