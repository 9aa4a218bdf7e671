"""What a release must pass: `make release-check`, and for the Python at hand and the wheel alone `.ci/run` (`--here`).

The source distribution is built, and from it the wheel. Each Python that is found installs both in clean environments,
asks the commands, lets model files test their own answers, and measures what the core takes. With `--tests` the tests
of the unpacked source run too, in an environment of their own (`--tests=--fast` for a sample of them).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from verifier.machine.commit import commit_of_checkout
from verifier.model.library import GUIDES
from verifier.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "release"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
"""Versions of Python that are looked for; the first is the oldest that will do."""
MOST_MEGABYTES = 250
"""What the core may take with its dependencies, beside pip."""
INSTALLERS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
"""What a new environment holds before anything is installed."""
INSIDE = {
    "model files": "verifier/data/models/DMKB20/",
    "the ledger": "verifier/data/proofs/DMKB20/",
    "the explorer's page": "verifier/wings/explore/static/",
    "the course's notebooks": "verifier/data/course/01_privacy_loss.py",
}
BESIDE = ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile", "tests/conftest.py", "docs/install.md")
"""Files that only the source distribution holds."""
Environment = Path
"""The folder of a virtual environment."""


def version_of(python: str | Path) -> str:
    """The version of a Python, such as 3.12; empty where it does not start."""
    code = "import sys; print('{}.{}'.format(*sys.version_info))"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def pythons() -> Iterator[Path]:
    """The Pythons of this machine that are new enough, one of each version: this one, on the path, and pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        named = shutil.which(f"python{version}")
        candidates = [Path(sys.executable), *([Path(named)] if named else []), *pyenv.glob(f"{version}.*/bin/python")]
        yield from [candidate for candidate in candidates if version_of(candidate) == version][:1]


def run(*command: str | Path, folder: Path = BUILT, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a program apart from this checkout; another exit status than the wanted one ends the check."""
    apart = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=apart, capture_output=True, text=True, check=False)
    if done.returncode != status:
        said = f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}, not {status}\n{said}")
    return done


def environment(name: str, python: Path) -> Environment:
    """A clean virtual environment of a Python."""
    folder = BUILT / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    return folder


def install(made: Environment, *wanted: str | Path) -> None:
    """Install packages in the versions that the project is tested with."""
    pip = (made / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(*pip, "-c", ROOT / "constraints.txt", *wanted)


def built() -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built from it."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir(parents=True)
    builder = BUILT / "builder"
    venv.create(builder, with_pip=True)
    install(builder, "build")
    run(builder / "bin" / "python", "-m", "build", "--outdir", BUILT, ROOT)
    source, wheel = BUILT / f"pkdp-{VERSION}.tar.gz", BUILT / f"pkdp-{VERSION}-py3-none-any.whl"
    look_into(source, wheel)
    return source, wheel


def look_into(source: Path, wheel: Path) -> None:
    """Refuse a wheel with other packages than `verifier` and `pkdp`, or without data; a source without tests."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    others = {top for top in tops if top not in {"verifier", "pkdp"} and not top.endswith(".dist-info")}
    if others:
        raise SystemExit(f"the wheel would install {sorted(others)} beside verifier and pkdp")
    for what, prefix in INSIDE.items():
        if not any(name.startswith(prefix) for name in names):
            raise SystemExit(f"{what} ({prefix}…) are not in the wheel")
    with tarfile.open(source) as archive:
        files = set(archive.getnames())
    absent = [name for name in BESIDE if f"pkdp-{VERSION}/{name}" not in files]
    if absent:
        raise SystemExit(f"the source distribution lacks {', '.join(absent)}")
    print(f"{wheel.name}: {len(names):,} files; {source.name}: {len(files):,} files")


def megabytes(made: Environment) -> int:
    """What an environment takes beside the installers, in blocks on the disk as `du -sm` counts them."""
    (packages,) = made.glob("lib/python3*/site-packages")
    entries = [path for path in packages.iterdir() if not path.name.startswith(INSTALLERS)]
    files = (file for entry in entries for file in ([entry] if entry.is_file() else entry.rglob("*")))
    return -(-sum(file.lstat().st_blocks * 512 for file in files) // 2**20)


def try_core(made: Environment) -> None:
    """Ask the commands of an environment that has the core alone, from a folder that is no checkout."""
    pkdp, python = made / "bin" / "pkdp", made / "bin" / "python"
    made_from = commit_of_checkout(ROOT)
    if run(pkdp, "--version").stdout != f"pkdp {VERSION}{made_from and f' (commit {made_from})'}\n":
        raise SystemExit("pkdp --version says another version than verifier/version.py, or another commit than git")
    code = "from verifier.model.library import models_folder; print(models_folder())"
    models = Path(run(python, "-c", code).stdout.strip())
    example = models / "DMKB20" / "example-4-repaired.toml"
    questions = [
        ["--help"],
        ["explore", "--help"],
        ["course", "--list"],
        ["grade", "--help"],
        ["claims"],
        ["relations"],
    ]
    questions += [["check", str(example)], ["search", "--satisfies", "np(epsilon=0)", "--violates", "cdp(epsilon=0)"]]
    questions += [["guide", topic] for topic in GUIDES]
    for arguments in questions:
        run(pkdp, *arguments)
    certificate = BUILT / "certificate.json"
    question = ("--definition", "np", "--epsilon", "ln(2)", "--certificate", certificate)
    run(pkdp, "check", models / "DMKB20" / "example-7-five-voters.toml", *question, status=1)
    run(pkdp, "verify", certificate)
    run(pkdp, "check", "--expect", *sorted((models / "DMKB20").glob("*.toml")))
    run(pkdp, "report", example, "--output", BUILT / "report")


def try_python(python: Path, source: Path, wheel: Path, tests: Sequence[str] | None, *, here: bool) -> None:
    """Install the wheel in a clean environment, and the source too but `here`, where the wheel was just made of it."""
    name = f"python{version_of(python)}"
    core = environment(f"{name}-wheel", python)
    install(core, wheel)
    size = megabytes(core)
    if size > MOST_MEGABYTES:
        raise SystemExit(f"{name}: the core takes {size} MB beside pip; at most {MOST_MEGABYTES} are wanted")
    try_core(core)
    if not here:
        from_source = environment(f"{name}-source", python)
        install(from_source, source)
        run(from_source / "bin" / "pkdp", "check", "--expect", ROOT / "models" / "DMKB20" / "example-4-repaired.toml")
    tried = "the wheel installs and answers" if here else "wheel and source install and answer"
    said = "no tests" if tests is None else try_tests(name, python, source, tests)
    print(f"{name}: {tried}; the core takes {size} MB beside pip; {said}", flush=True)


def try_tests(name: str, python: Path, source: Path, arguments: Sequence[str]) -> str:
    """Run the tests of the unpacked source; the last line that they print."""
    with tarfile.open(source) as archive:
        archive.extractall(BUILT / name, filter="data")
    folder = BUILT / name / f"pkdp-{VERSION}"
    made = environment(f"{name}-tests", python)
    install(made, "-e", f"{folder}[test]")
    pytest = (made / "bin" / "python", "-m", "pytest", "-n", "auto", "--dist", "loadgroup")
    return run(*pytest, *arguments, folder=folder).stdout.strip().splitlines()[-1]


def main() -> None:
    """Check the release."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--here", action="store_true", help="with this Python and the wheel alone")
    parser.add_argument("--tests", nargs="?", const="", help="run the tests too, with these options of pytest")
    asked = parser.parse_args()
    chosen = [Path(sys.executable)] if asked.here else list(pythons())
    print(f"with Python {', '.join(map(version_of, chosen))}", flush=True)
    source, wheel = built()
    for python in chosen:
        try_python(python, source, wheel, None if asked.tests is None else asked.tests.split(), here=asked.here)


if __name__ == "__main__":
    main()
