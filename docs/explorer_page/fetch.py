"""What the page runs beside this project's code: fetched from the package registries, once, and checked by its hash."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import NoReturn

HERE = Path(__file__).resolve().parent
PINS = HERE / "pins.toml"
PLATFORM = ("--python-version", "3.14", "--implementation", "cp", "--platform", "pyemscripten_2026_0_wasm32")
"""The machine for which the wheels are: CPython 3.14 as WebAssembly."""


@dataclass(frozen=True)
class Pin:
    """One package: where it comes from (`npm` or `pip`), its version, its file and the hash of that."""

    name: str
    index: str
    version: str
    file: str
    sha256: str


def pins() -> dict[str, Pin]:
    """The packages by their names, as `pins.toml` has them."""
    tables = tomllib.loads(PINS.read_text(encoding="utf-8"))["package"]
    return {table["name"]: Pin(**table) for table in tables}


def fetched(folder: Path) -> dict[str, Path]:
    """The files of all packages in a folder; those that are there with the right hash are not fetched again.

    Raises:
        SystemExit: where a hash is another one (1), and where a package cannot be fetched (4, the machine fails).

    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for pin in pins().values():
        path = folder / pin.file
        if not path.exists() or digest(path) != pin.sha256:
            path.unlink(missing_ok=True)
            _fetch(pin, folder)
        if digest(path) != pin.sha256:
            sys.exit(f"{pin.file} has the hash {digest(path)}; pins.toml wants {pin.sha256}")
        files[pin.name] = path
    return files


def _fetch(pin: Pin, folder: Path) -> None:
    """Fetch one package with the registry that this machine is set up for."""
    if pin.index == "npm":
        if which("npm") is None:
            _away("npm is needed to build the page (Debian: apt install npm); `pkdp explore` needs none")
        command = ["npm", "pack", "--silent", f"{pin.name}@{pin.version}"]
    else:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", *PLATFORM]
        command += [f"{pin.name}=={pin.version}", "-d", str(folder)]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    if done.returncode or not (folder / pin.file).exists():
        _away(f"{pin.name} {pin.version} could not be fetched: {' '.join(command)}")


def _away(why: str) -> NoReturn:
    """End with status 4: what is missing is not this project's."""
    sys.stderr.write(f"{why}\n")
    sys.exit(4)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
