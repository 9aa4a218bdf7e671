"""The help: every command in its group, said in the words of its own docstring, and none loaded to say so."""

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

from verifier.cli.main import COMMANDS, GROUPS, run
from verifier.version import VERSION


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_the_command_says_of_itself(name: str) -> None:
    group, home, does = COMMANDS[name]
    module, _, function = home.partition(":")
    described = inspect.getdoc(getattr(import_module(module), function)) or ""
    assert " ".join(described.split("\n\n")[0].split()) == does
    assert group in GROUPS


def test_all_commands_and_a_first_step_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for arguments in ([], ["-h"], ["--help"]):
        with pytest.raises(SystemExit) as stop:
            run(arguments)
        assert stop.value.code == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1
    lines = shown[0].splitlines()
    assert [line[:-1] for line in lines if line.removesuffix(":") in GROUPS] == list(GROUPS)
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in COMMANDS)
    assert "A first step: pkdp guide format" in " ".join(shown[0].split())


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
    assert printed == f"pkdp {VERSION}\n"
