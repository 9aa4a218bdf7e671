"""What only some commands need is asked for by name where it is missing."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from verifier.cli.exits import refusal_of
from verifier.errors import NotInstalledError
from verifier.machine.extras import EXTRAS, how_to_install, need
from verifier.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXAMPLE = str(ROOT / "models" / "DMKB20" / "example-4-repaired.toml")
FAMILY = str(ROOT / "models" / "family" / "randomized-response.toml")
SEPARATED = ("search", "--satisfies", "np(epsilon=0)", "--violates", "cdp(epsilon=0)")
WITHOUT = """\
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from verifier.cli.main import run
run(sys.argv[2:])
"""
"""Run a command where some packages cannot be imported."""


def without(packages: str, *arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, packages, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("check", EXAMPLE),
        ("check", FAMILY, "--definition", "np"),
        ("loss", EXAMPLE, "--record", "0"),
        ("acceptable", EXAMPLE),
        ("acceptable", FAMILY),
        ("definitions",),
        ("relations",),
        ("claims", "Theorem 3"),
        SEPARATED,
        ("course", "--list"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_core_needs_no_extra(arguments: tuple[str, ...]) -> None:
    done = without(",".join(EXTRAS), *arguments)
    notes = r"pkdp \w+: .*, \d+ s|pkdp: to see why, add --output .*"
    said = [line for line in done.stderr.splitlines() if not re.fullmatch(notes, line)]
    assert (done.returncode in {0, 1}, said) == (True, [])
    assert done.stdout


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("package", "extra", "arguments"),
    [
        ("z3", "test", ("claims", "Example 6", "--again")),
        ("distributed", "dask", (*SEPARATED, "--workers", "dask://127.0.0.1:1")),
    ],
)
def test_a_command_without_its_extra_names_it(
    package: str, extra: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    done = without(package, *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    assert f"the package `{package}` is not installed. Expected the extra `{extra}`" in done.stderr
    assert how_to_install(extra) in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is begun"


def test_what_is_missing_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(NotInstalledError, match=r"the package `matplotlib` is not installed.*'\.\[figures\]'"):
        need("json", "matplotlib")


def test_another_module_that_is_missing_is_an_error_of_the_program() -> None:
    named, other = (refusal_of(ModuleNotFoundError("none", name=name)) for name in ("highspy.x", "verifier.nothing"))
    assert (named.exit_status, named.tip) == (3, how_to_install("linear"))
    assert other.exit_status == 4


def test_the_tip_names_no_index() -> None:
    """Nothing is published: what is installed is a clone, or a wheel that was built from one."""
    tip = how_to_install("figures")
    assert tip.count("pip install") == 2
    assert "'.[figures]'" in tip
    assert f"'pkdp-{VERSION}-py3-none-any.whl[figures]'" in tip


def packages_of(extra: str) -> set[str]:
    """The packages that an extra brings, also by other extras."""
    found = set()
    for wanted in PROJECT["optional-dependencies"][extra]:
        name, _, others = wanted.partition(">=")[0].rstrip("]").partition("[")
        found |= {package for other in others.split(",") for package in packages_of(other)} if others else {name}
    return found


def test_every_extra_that_is_named_brings_its_package() -> None:
    distribution = {"z3": "z3-solver"}
    for module, extra in EXTRAS.items():
        package = distribution.get(module, module)
        assert package in packages_of(extra), module
        assert not any(one.startswith(package) for one in PROJECT["dependencies"]), module
    for_users = {extra for extra in EXTRAS.values() if extra not in {"dask", "test"}}
    assert packages_of("all") == {package for extra in for_users for package in packages_of(extra)}
    assert packages_of("all") | packages_of("dask") < packages_of("test")


def test_the_core_keeps_the_packages_that_it_is_said_to_use() -> None:
    """Each is named, with its purpose beside it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = [one.partition(">=")[0] for one in PROJECT["dependencies"]]
    assert {"sympy", "mpmath", "networkx", "numpy", "python-flint"} <= set(listed)
    for name in listed:
        assert re.search(rf'^  "{name}>=[\d.]+(?:,<[\d.]+)?", *# \w.{{10,}}$', text, re.MULTILINE), name
