"""The help: every command in its group, said in the words of its own docstring, and none loaded to say so."""

import inspect
import io
import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import typer
from examined import at_least_one

from verifier.cli.commands import GROUPS, REMOVED, RENAMED
from verifier.cli.common import models_that_begin
from verifier.cli.main import COMMANDS, FIRST_STEPS, program, run
from verifier.machine.commit import KEPT, commit
from verifier.version import VERSION
from verifier.wings.papers.bounds.parameters import PARAMETERS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_the_command_says_of_itself(name: str) -> None:
    command = COMMANDS[name]
    described = inspect.getdoc(resolve_name(command.options)) or ""
    assert " ".join(described.split("\n\n")[0].split()) == command.does
    assert command.group in GROUPS


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints that does nothing else."""
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    said = capsys.readouterr()
    assert (stop.value.code, said.err) == (0, "")
    return said.out


PARSED: dict[str, Any] = typer.main.get_command(program()).commands  # type: ignore[attr-defined]
"""The commands as the parser has them."""
NUMBERS = {"order", "fpr", "prior", "probability", "weight", *PARAMETERS}
"""Options whose value is a number that has no name of its own."""
VERBS = re.compile(
    "(add|allow|check|compare|copy|cut|decide|do|draw|find|fix|give|hide|leave|list|look|make|open|print|protect|publish|"
    r"read|refuse|replace|say|see|show|take|tell|test|use|write|the|an?)\b (?!of)"
)
"""How an order begins, or a phrase with its article: the text of an option is a noun phrase without one."""
NOTHING_WITHOUT = {
    "satisfies",
    "edit",
    "violates",
    "claim",
    "curve",
    "over",
    "set",
    "one-run",
    "epsilon-b",
    "sweep",
    "policy",
    "probability",
}
"""Options without which nothing is done or written, so that they have no default."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_one_sentence_and_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = COMMANDS[name]
    assert re.fullmatch(r"[A-Z][^.!?;]*\.", command.does)
    assert len(command.does.split()) <= 12
    assert f"\nExample:\n  {command.example}\n" in printed([name, "--help"], capsys)
    program_name, called, *arguments = shlex.split(command.example)
    assert (program_name, called) == ("pkdp", name)
    PARSED[name].make_context(name, arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_is_a_noun_phrase_with_its_kind_and_default(name: str) -> None:
    for one in at_least_one(PARSED[name].params):
        if one.hidden or "--help" in one.opts:
            continue
        option = max(one.opts, key=len).removeprefix("--")
        words = re.findall(r"\w+", one.help)
        assert not VERBS.match(one.help), one.help
        assert not one.help.endswith("."), one.help
        assert "again" not in words, one.help
        if one.param_type_name == "argument" or one.is_flag:
            continue
        assert one.multiple == ("repeatable" in words), one.help
        assert one.metavar not in {None, "TEXT"} or option == "answer", option
        assert (one.metavar == "NUMBER") <= (option in NUMBERS), option
        is_shown = (
            one.required
            or one.default is not None
            or "default" in one.help
            or re.search("(with|for|in|without) --", one.help)
        )
        is_shown = is_shown or (name == "claims" and one.name.startswith("bound_"))  # its heading is "With --bound"
        assert is_shown or one.metavar == "PATH" or option in NOTHING_WITHOUT, f"{option} has no default"


TWENTY_TWO = {
    "Check": ["check", "loss", "acceptable", "property", "pair", "rule", "definitions", "compare"],
    "Explore": ["new", "examples", "explore", "course", "grade"],
    "Search": ["search", "worst", "best", "convert", "compose"],
    "Papers": ["relations", "claims", "report"],
    "Trust": ["verify"],
}
"""The commands of each group, in the order of the help."""


def test_twenty_two_commands() -> None:
    names = [name for name in COMMANDS if name not in {*RENAMED, *REMOVED}]
    assert {group: [name for name in names if COMMANDS[name].group == group] for group in GROUPS} == TWENTY_TWO


@pytest.mark.parametrize("typed", [["--help"], []], ids=["help", "nothing"])
def test_the_page_has_each_command_once_in_its_group(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """As printed: no command is left out, stands in two groups, or is one of yesterday's."""
    with pytest.raises(SystemExit):
        run(typed)
    found: dict[str, list[str]] = {}
    for line in capsys.readouterr().out.splitlines():
        if heading := re.fullmatch(r"(\w[\w ]*):", line):
            found[heading[1]] = []
        elif found and (entry := re.match(r"  ([a-z]+)  +[A-Z]", line)):
            found[[*found][-1]].append(entry[1])
    assert {group: names for group, names in found.items() if names} == TWENTY_TWO


OLDER = [name for name in RENAMED if name not in COMMANDS]
ASKED = {
    "law": ["parallel", "M", "--with", "M"],
    "property": ["M"],
    "anonymity": ["algorithm-1"],
    "axioms": ["npr"],
    "conventions": [],
    "exchange": ["np", "cdp", "two-bits-that-agree", "--epsilon", "ln(2)", "--set", "agree=3/4"],
    "guide": ["format"],
    "ledger": ["DMKB20", "Theorem 4"],
    "reducible": ["one-coin"],
    "replay": ["nowhere.json"],
    "separate": ["np"],
    "stronger": ["example-4-repaired", "example-4-repaired"],
    "bound": [],
}
"""Arguments for each older name."""


def answered(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    """The exit status of a command, and what it prints."""
    with pytest.raises(SystemExit) as stop:
        run(arguments)
    said = capsys.readouterr()
    return stop.value.code, said.out, said.err


@pytest.mark.parametrize("older", OLDER)
@pytest.mark.parametrize("form", [[], ["--json"], ["--quiet"]], ids=["text", "json", "quiet"])
def test_an_older_name_answers_alike_and_says_so(
    older: str, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the answer is, an error too; JSON and quiet answers are left as they are."""
    asked = [*ASKED[older], *form]
    status, out, err = answered([*RENAMED[older].split(), *asked], capsys)
    note = "" if form else f"`pkdp {older}` is `pkdp {RENAMED[older]}` now.\n"
    assert answered([older, *asked], capsys) == (status, out, note + err)


@pytest.mark.parametrize("older", OLDER)
def test_an_older_name_has_the_help_of_its_command(older: str, capsys: pytest.CaptureFixture[str]) -> None:
    now, *options = RENAMED[older].split()
    said = answered([older, "--help"], capsys)
    assert said[:2] == answered([now, "--help"], capsys)[:2]
    words = options[0] if options else ""
    assert words in said[1]


@pytest.mark.parametrize("name", [name for name in REMOVED if name not in COMMANDS])
def test_a_command_that_is_gone_says_what_to_use(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = answered([name, "x", "--to", "y"], capsys)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"pkdp {name} any more" in err
    used = re.findall(r"pkdp (\w+)(?: MODEL)?((?: --[a-z-]+)?)", REMOVED[name])
    assert used
    for command, option in used:
        assert command in COMMANDS
        assert option.strip() in printed([command, "--help"], capsys)
    assert answered([name, "--json"], capsys)[:2] == (2, "")


def test_all_commands_and_first_steps_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    helps = [printed(arguments, capsys) for arguments in (["-h"], ["--help"])]
    assert helps[0] == helps[1]
    for page in (helps[0], printed([], capsys)):
        lines = page.splitlines()
        assert [line[:-1] for line in lines if line.removesuffix(":") in GROUPS] == list(GROUPS)
        assert all(any(line.startswith(f"  {name} ") for line in lines) for name in COMMANDS)
        start = lines.index("First steps:")
        assert [line.split("  ")[1] for line in lines[start + 1 : start + 1 + len(FIRST_STEPS)]] == [
            step for step, _ in FIRST_STEPS
        ]
        assert max(map(len, lines)) <= 80


def test_the_program_alone_begins_with_the_first_steps(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed([], capsys)
    assert page.startswith("First steps:\n")
    assert page.endswith("What the answers mean: pkdp --help.\n")


def test_the_first_steps_can_be_taken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n" * 5), encoding="utf-8"))
    for step, _ in at_least_one(FIRST_STEPS):
        name, *arguments = step.removeprefix("pkdp ").split()
        assert name in COMMANDS
        if name != "explore":
            with pytest.raises(SystemExit) as stop:
                run([name, *arguments])
            assert stop.value.code == 0
            capsys.readouterr()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "-q, --quiet" in printed([name, "-h"], capsys)


def test_the_help_of_check_explains_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """From check it prints verdicts, and from other commands less of what they print beside the answer."""
    of_check, of_best = (" ".join(printed([name, "-h"], capsys).split()) for name in ("check", "best"))
    assert "only the verdicts, one line each; with --expect or --claims only what is not as promised" in of_check
    assert "-q, --quiet no progress and no notes -h" in of_best


def test_no_command_is_loaded_for_the_help() -> None:
    """What it takes is the reader of the command line; no model is read."""
    code = "import sys; from verifier.cli.main import run\ntry: run(['--help'])\nfinally: print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = printed.splitlines()[-1].split()
    assert not [name for name in modules if name.startswith(("verifier.wings.", "verifier.model", "verifier.engine"))]
    assert not {"numpy", "flint", "rich"} & set(modules)


def test_the_package_runs_as_the_command() -> None:
    command = [sys.executable, "-m", "verifier", "--version"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    made_from = commit()
    assert printed == f"pkdp {VERSION}{made_from and f' (commit {made_from})'}\n"


def test_the_commit_is_that_of_a_checkout_or_of_a_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without git, in no checkout, and in a folder of another checkout there is none, and no traceback."""
    program = tmp_path / "program"
    place = program / "verifier" / "machine" / "commit.py"
    place.parent.mkdir(parents=True)
    place.touch()
    git = partial(subprocess.run, check=True, capture_output=True, text=True)
    made = ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "First")
    monkeypatch.setattr("verifier.machine.commit.__file__", str(place))
    git(["git", "init", "-q", tmp_path])
    assert commit() == ""
    git(["git", "init", "-q", program])
    for command in (("add", "."), made, ("tag", "v1")):
        git(["git", "-C", program, *command])
    head = git(["git", "-C", program, "rev-parse", "HEAD"]).stdout
    assert (commit(), head.startswith(commit())) == (head[:12], True)
    place.write_text("# changed", encoding="utf-8")
    assert commit() == f"{head[:12]}, changed"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit() == ""
    place.with_name(KEPT).write_text("0123456789ab\n", encoding="utf-8")
    assert commit() == "0123456789ab"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["list"], ["examples"]),
        (["ls"], ["examples"]),
        (["models", "DMKB20"], ["examples", "DMKB20"]),
        (["help"], ["--help"]),
        (["help", "check"], ["check", "--help"]),
        (["version"], ["--version"]),
        (["-V"], ["--version"]),
    ],
)
def test_what_other_programs_call_it(typed: list[str], meant: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(typed, capsys) == printed(meant, capsys)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("verison", "is pkdp --version meant?"),
        ("-v", "is pkdp --version meant?"),
        ("modles", "is pkdp examples meant?"),
        ("hlep", "is pkdp --help meant?"),
        ("chekc", "pkdp --help"),
        ("-x", "pkdp --help"),
    ],
)
def test_what_is_no_command_may_be_one_of_other_programs(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        run([typed])
    assert stop.value.code == 2
    assert capsys.readouterr().err.endswith(f"Hint: {meant}.\n".replace("?.", "?"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_choices_and_no_types(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = printed([name, "--help"], capsys)
    assert re.search(r"<[a-z]+[ >]", page) is None
    assert ("--format " not in page) or "|markdown|latex" in page


def completed(words: str, number: int) -> list[str]:
    """What a shell is told may stand in place of a word."""
    asked = {"_PKDP_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    code = "from verifier.cli.main import run; run([])"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_shell_completes_commands_models_and_definitions() -> None:
    assert completed("pkdp acc", 1) == ["acceptable"]
    assert completed("pkdp check example-7-f", 2) == ["example-7-five-voters"]
    assert completed("pkdp check x --definition np,apk", 4) == ["np,apkdp"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("check x --format ma", ["markdown"]),
        ("check x --engine s", ["sum"]),
        ("check x --reading def", ["default"]),
        ("definitions apk", ["apkdp"]),
        ("relations --separate apk", ["apkdp"]),
        ("relations np apk", ["apkdp"]),
        ("convert apk", ["apkdp"]),
        ("convert np apk", ["apkdp"]),
        ("convert np cdp example-7-f", ["example-7-five-voters"]),
        ("property stronger example-7-f", ["example-7-five-voters"]),
        ("property stro", ["strongly-safe", "stronger"]),
        ("examples --guide fo", ["format"]),
        ("claims DMK", ["DMKB20"]),
    ],
)
def test_a_shell_completes_other_words(words: str, found: list[str]) -> None:
    assert completed(f"pkdp {words}", len(words.split())) == found


def test_own_files_stand_beside_the_bundled_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "example-7-folder").mkdir()
    for name in ("example-7-fine.toml", "example-7-f.py", "example-7-f.txt", "example-7-folder/a.toml"):
        (tmp_path / name).touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "example-7-f\udce9.toml").touch()  # which no shell can be told
    monkeypatch.chdir(tmp_path)
    own = ["example-7-f.py", "example-7-fine.toml", "example-7-folder/"]
    assert models_that_begin("example-7-f") == [*own, "example-7-five-voters"]
    assert models_that_begin("example-7-folder/") == ["example-7-folder/a.toml"]
    assert models_that_begin("nowhere/") == []
    assert models_that_begin(f"{tmp_path}/example-7-f") == [f"{tmp_path}/{name}" for name in own]


@pytest.mark.parametrize(
    "asked", [{}, {"COMP_WORDS": "pkdp"}, {"COMP_WORDS": "pkdp ch", "COMP_CWORD": "abc"}, {"COMP_CWORD": "1"}]
)
def test_a_shell_that_asks_wrongly_is_told_nothing(asked: dict[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COMP_")}
    code = "from verifier.cli.main import run; run([])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "_PKDP_COMPLETE": "complete_bash", **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_output_that_no_terminal_shows_is_neither_padded_nor_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    with pytest.raises(SystemExit):
        run(["check", "example-7-five-voters", "--definition", "np"])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert max(map(len, lines)) > 150
    assert [line.split()[0] for line in lines[2:6]] == ["definition", "verdict", "why", "smallest"]


@pytest.mark.parametrize("asked", [[], ["--definition", "np"], ["example-4-repaired"], ["example-4-repaired", "--all"]])
def test_the_question_is_printed_once(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Also of several models."""
    with pytest.raises(SystemExit):
        run(["check", "example-7-five-voters", *asked])
    said = capsys.readouterr().out
    assert (said.count("Asked"), "question" in said) == (1, False)


def test_two_formats_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("csv", "table"):
        with pytest.raises(SystemExit) as stop:
            run(["check", "example-7-five-voters", "--json", "--format", kind])
        said = capsys.readouterr()
        assert (stop.value.code, said.out) == (2, "")
        assert f"--json and --format {kind} are given together" in said.err
