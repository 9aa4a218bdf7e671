"""What only some commands need is asked for by name where it is missing."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from verifier.cli.stopping import refusal_of
from verifier.errors import InputError
from verifier.machine.extras import EXTRAS, need

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = str(ROOT / "models" / "DMKB20" / "example-4-repaired.toml")
WITHOUT = (
    "import sys\nfor name in ('jinja2', 'markupsafe', 'matplotlib', 'networkx', 'sympy', 'z3'):\n"
    "    sys.modules[name] = None\nfrom verifier.cli.main import run\nrun(sys.argv[1:])"
)


def without_extras(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("check", EXAMPLE), ("loss", EXAMPLE, "--record", "0"), ("acceptable", EXAMPLE), ("definitions",)],
)
def test_the_core_needs_no_extra(arguments: tuple[str, ...]) -> None:
    done = without_extras(*arguments)
    assert (done.returncode in {0, 1}, done.stderr) == (True, "")
    assert done.stdout


def test_what_is_missing_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("jinja2", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(InputError, match=rf"the package `{name}` is not installed.*'pkdp-verifier\[report\]'"):
            need(name)


def test_another_module_that_is_missing_is_an_error_of_the_program() -> None:
    named, other = (refusal_of(ModuleNotFoundError("none", name=name)) for name in ("z3.z3", "verifier.nothing"))
    assert (named.exit_status, named.tip) == (2, "pip install 'pkdp-verifier[z3]'")
    assert other.exit_status == 4


def test_every_extra_that_is_named_brings_its_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    brought = {"markupsafe": "jinja2", "z3": "z3-solver"}
    for module, extra in EXTRAS.items():
        assert any(one.startswith(brought.get(module, module)) for one in extras[extra]), module
        assert not any(one.startswith(brought.get(module, module)) for one in project["dependencies"]), module
    assert extras["test"][0] == "pkdp-verifier[all]"
    assert extras["all"] == [f"pkdp-verifier[{','.join(dict.fromkeys(EXTRAS.values()))}]"]
