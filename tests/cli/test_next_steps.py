"""Every command that the program prints as a next step is run: those of its source, and those of pairs of relations.

A command in a message is found by its form. Words in capitals and `{…}` are filled in; an unknown one fails, so that a
new message is looked at. A command without arguments is a mention, and is asked for its help. What is no name of a
command and has no arguments is a verb where its sentence goes on: "pkdp counts a tail".
"""

from __future__ import annotations

import ast
import io
import re
import shlex
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from examined import at_least_one

import verifier
from verifier.cli.main import COMMANDS, run
from verifier.model import read
from verifier.model.library import models_folder
from verifier.wings.implications.facts import COMPARED, DELTA, SAME, SEARCHES
from verifier.wings.implications.matrix.matrix import matrix
from verifier.wings.implications.matrix.sheets import matrix_pair_sheet
from verifier.wings.implications.pair import pair_sheet
from verifier.wings.implications.table import relations
from verifier.wings.search.command import asked_again

PACKAGE = Path(verifier.__file__).parent
ONE_COIN = models_folder() / "atlas" / "one-coin.toml"
LOWER = "absolute|np|cdp|np,cdp|format|certificates|search|course|safe|proofs/"
WORD = (
    r"--[a-z-]+|\"[^\"]*\"|\{[^}]*\}[\w.]*|DMKB20|[A-Z]+(?:\.toml)?|[a-z0-9]+(?:-[a-z0-9]+)+|mine\.toml|models/[^`\s]+"
    rf"|[a-z]+=[\d/]+|{LOWER}|\d+"
)
COMMAND = re.compile(rf"\bpkdp ([a-z]+)((?: (?:{WORD})(?![\w-]))*)")
FILLED = {
    "MODEL": "example-7-five-voters",
    "MODEL.toml": "new.toml",
    "NAME": "one-coin",
    "KEY": "adp",
    "FILE": "certificate.json",
    "row.answers_file": "proofs/DKM19/answers.json",
    "DIR": "folder",
    "FOLDER": "folder",
    "A": "np",
    "B": "cdp",
    "CLAIM": "Theorem 3",
    "E": "ln(2)",
    "_name(fact)": "example-7-five-voters",
    "shown.model": "example-7-five-voters",
    "short_name(failure.model)": "example-7-five-voters",
    "short_name(model)": "example-7-five-voters",
    "named": 'DMKB20 "Theorem 5"',
    "failure.model": "DMKB20/example-7-five-voters",
    "quote(path_of(table.model) or 'MODEL')": "example-7-five-voters",
    "self.model": 'two-bits-that-agree --set agree=3/4 --epsilon "ln(2)"',
    "self.source": "np",
    "self.target": "cdp",
    "source": "np",
    "target": "cdp",
    "other": "np",
    "outside[0]": "osdp",
    "keys": "np,cdp",
    "keys[0]": "cdp",
    "'np' if keys[0] != 'np' else 'cdp'": "np",
    "asked.key": "np",
    "cards": "np",
    "by_fields[0]": "osdp",
    "tour": "tour",
    "paper": "DMKB20",
    "entry.paper": "DMKB20",
    "statement.entry.paper": "DMKB20",
    "entry.claim": "Theorem 3",
    "statement.entry.claim": "Theorem 3",
    "claim": "Theorem 3",
    "variables": "(e)",
    "name": "format",
    "number": "1",
    "file": "mine.toml",
    "argument": "claims.toml",
    "copy": "mine.toml",
    "asked_again(result.model)": asked_again(read(ONE_COIN)),
    **dict.fromkeys(("at", "how", "record", "values", "title", "title[1]", "edit"), ""),
}
"""What a word in capitals, or an expression in a message, stands for."""
LATER = {"--copy": "tour", "--times": "3", "--verdict": "fails", "--seconds": "60"}
"""The value of an option that ends a command."""
ANSWERS = ("no, yes", "4", "9/10, 1/10", "0, 1", "threshold-count yes above 1")
"""What `pkdp new` is answered."""
LONG = {"explore", "report", "--separate", "grade", "course", "verify"}
"""Commands, or options of them, that serve, write or re-check much: they are looked up in the help."""


def texts(source: str) -> Iterator[str]:
    """The strings of a module but for docstrings; of an f-string each expression in braces."""
    tree = ast.parse(source)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        if isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
            parts = (
                str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"  # type: ignore[attr-defined]
                for part in node.values
            )
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value


def printed_commands() -> list[str]:
    """The commands in the messages of the package, as they are written there."""
    found: dict[str, None] = {}
    sources = (path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    for source in sources:
        for text in texts(source) if "pkdp" in source else ():
            for match in COMMAND.finditer(text):
                verb = match[1] not in COMMANDS and not match[2] and re.match(r",? [a-z]", text[match.end() :])
                if not verb and match[2].strip() != "1":
                    found[match[0]] = None
    return list(found)


def filled(command: str) -> list[str]:
    """The arguments of a command with everything filled in."""
    command = re.sub(r"models/\S+", str(models_folder() / "DMKB20" / "example-7-five-voters.toml"), command)
    text = re.sub(r"\{([^}]*)\}", lambda match: FILLED[match[1]], command.removeprefix("pkdp "))
    arguments = [FILLED.get(word, word) for word in shlex.split(text)]
    if "--definition" in arguments and "one-coin" in arguments[1:]:
        arguments[arguments.index("--definition") + 1] = "np"
    return [*arguments, LATER[arguments[-1]]] if arguments[-1] in LATER else arguments


def ran(arguments: list[str]) -> int:
    """The exit status of a command."""
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    return int(stop.value.code or 0)


PRINTED = printed_commands()


def test_what_is_found() -> None:
    """The form finds the commands of messages, and the words after the name of the program are commands."""
    assert len(PRINTED) > 60
    assert "pkdp relations np cdp" in PRINTED
    assert any(command.startswith("pkdp search --satisfies") for command in PRINTED)


@pytest.mark.parametrize("command", PRINTED)
def test_a_command_of_a_message_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = filled(command)
    if len(arguments) == 1 or {*LONG, "--again", "--replay"} & {*arguments}:
        assert ran([arguments[0], "--help"]) == 0
        told = capsys.readouterr().out
        assert all(word in told for word in arguments if word.startswith("--"))
        return
    answers = io.BytesIO("\n".join(ANSWERS).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(answers, encoding="utf-8"))
    if "mine.toml" in arguments and arguments[0] != "new":
        (tmp_path / "mine.toml").write_text(ONE_COIN.read_text("utf-8"), "utf-8")
    (tmp_path / "claims.toml").write_text('[[claim]]\nmechanism = "one-coin"\n', "utf-8")
    assert ran(arguments) in {0, 1, 3}, capsys.readouterr().err


def commands_of(rows: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    """The commands in the rows of a sheet."""
    found = [match[0] for row in rows for match in re.finditer(r'\bpkdp (?:"[^"]*"|[\w./,=-]+|\s)+', row[1])]
    return [shlex.split(text.partition(" finds ")[0])[1:] for text in found]


@pytest.mark.sweep(25)
@pytest.mark.parametrize("pair", list(combinations(COMPARED, 2)))
def test_the_commands_of_a_pair_of_the_papers_show_what_they_are_for(
    pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A search finds a model, and a model shows what separates; of each order of the pair."""
    known = relations(pair)
    found = commands_of(pair_sheet(known).rows)
    orders = [pair, pair[::-1]]
    separated = [order for order in orders if known.pure[order].fact or known.approximate[order].fact]
    assert len(found) == 2 * len(separated)
    for arguments in found:
        status = ran(arguments)
        assert status == 0 if arguments[0] == "search" else status in {0, 1}, (arguments, capsys.readouterr())


def test_the_options_of_searches_are_needed_and_of_pairs_that_are_separated() -> None:
    known = relations()
    for pair in at_least_one(SEARCHES):
        assert known.pure[pair].fact or known.approximate[pair].fact, pair


PARTS = 24
"""In how many tests the commands of the matrix are asked."""


@pytest.mark.sweep(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_commands_of_pairs_of_the_matrix_decide_both(part: int) -> None:
    """A pair for each model and question, whose evidence the model is."""
    shown = {(cell.separation.model, level): pair for level in (SAME, DELTA)
             for pair, cell in matrix().cells[level].items() if cell.separation is not None}  # fmt: skip
    for pair in at_least_one(sorted(set(shown.values()))[part::PARTS]):
        for arguments in at_least_one(commands_of(matrix_pair_sheet(*pair).rows)):
            assert ran(arguments) in {0, 1}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("options", [["--knowledge", "2"], ["--output", "mine.toml"]])
def test_the_hints_of_a_search_are_followed(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where nothing is found it names options to look further with; where something is, a file to look into."""
    monkeypatch.chdir(tmp_path)
    statements = ["--satisfies", "ppkdp(e, d)", "--violates", "apkdp(e, d)"]
    if "--knowledge" in options:
        assert ran(["search", *statements]) == 1
        assert "--knowledge 2" in capsys.readouterr().err
        assert ran(["search", *statements, *options]) == 0
        return
    assert ran(["search", *statements, "--knowledge", "2"]) == 0
    assert "pkdp check mine.toml" in capsys.readouterr().err
    assert ran(["search", *statements, "--knowledge", "2", *options]) == 0
    assert ran(["check", "mine.toml"]) == 0
