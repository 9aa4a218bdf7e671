"""The address of the published site: `Documentation` in [project.urls] of pyproject.toml, and nowhere else.

Until the repository has a public home there is none. The site then learns its address from the place that publishes it
(.github/workflows/pages.yml). CITATION.cff and README.md repeat the address, because other programs read them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPEATED = {"CITATION.cff": r'^url: "?([^"\n]*)"?$', "README.md": r"\]\((https://[^)#]*\.github\.io/[^)#]*)"}
"""The files that repeat the address, with what finds it there."""


def address(root: Path = ROOT) -> str:
    """The address, with a slash at its end; empty if there is none."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = str(project.get("urls", {}).get("Documentation", ""))
    return f"{found.rstrip('/')}/" if found else ""


def problems(root: Path = ROOT) -> Iterator[str]:
    """Yield each file that names another address, or that lacks the one that there is."""
    right = address(root)
    for name, pattern in REPEATED.items():
        found = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        if right and right not in found:
            yield f"{name}: the address {right} of pyproject.toml is not there"
        yield from (f"{name}: {other} is not the address of pyproject.toml" for other in found if other != right)
