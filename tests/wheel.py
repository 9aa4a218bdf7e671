"""Is everything in the wheel, and does it start in a virtual environment that has nothing else? Run by `.ci/run`."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from verifier.model.library import GUIDES

ROOT = Path(__file__).resolve().parent.parent
INSIDE = {
    "model files": "verifier/data/models/DMKB20/",
    "the ledger": "verifier/data/proofs/DMKB20/",
    "the explorer's page": "verifier/wings/explore/static/",
    "the course's notebooks": "verifier/data/course/01_privacy_loss.py",
}


def look(wheel: Path) -> None:
    """Only our package in it, with its data."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    others = {top for top in tops if top != "verifier" and not top.endswith(".dist-info")}
    if others:
        raise SystemExit(f"the wheel would install {sorted(others)} beside verifier")
    for what, prefix in INSIDE.items():
        if not any(name.startswith(prefix) for name in names):
            raise SystemExit(f"{what} ({prefix}…) are not in the wheel")
    print(f"wheel: {len(names)} files; inside: {', '.join(INSIDE)}")


def attempt(wheel: Path) -> None:
    """Install it as a user would, and start it from another folder."""
    folder = wheel.parent / "fresh"
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    pip: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "-c",
        ROOT / "constraints.txt",
    ]
    subprocess.run([*pip, wheel], check=True)
    pkdp = folder / "bin" / "pkdp"
    where = "from verifier.model.library import models_folder; print(models_folder())"
    models = subprocess.run(
        [python, "-c", where], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()
    example = f"{models}/DMKB20/example-4-repaired.toml"
    for arguments in (
        ["--help"],
        ["explore", "--help"],
        ["course", "--help"],
        ["check", example],
        ["ledger"],
        *(["guide", topic] for topic in GUIDES),
    ):
        done = subprocess.run([pkdp, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"pkdp {' '.join(arguments)}, from the wheel: {done.returncode}\n{done.stderr}")
    print("wheel: installed alone, it starts")


if __name__ == "__main__":
    found = Path(sys.argv[1]).resolve()
    look(found)
    attempt(found)
