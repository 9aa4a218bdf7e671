"""The model files that come with the package, by their names, which may stand wherever a path of one is taken."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from verifier.errors import InputError, one_of
from verifier.model.keys import closest
from verifier.model.library import models_folder

NEAR = 6
"""Most names that a tip lists."""
PAPERS = {
    "DMKB20": "DMKB20, Differential privacy with partial knowledge: its examples, and where its claims fail",
    "DKM19": "DKM19, Passive and active attackers in noiseless privacy",
    "D20": "D20, Lowering the cost of anonymization, section 3.1.3",
    "LQS12": "LQS12, On sampling, anonymization and differential privacy",
    "DP22": "DP22, SoK: Differential privacies: where its claims fail",
}
"""The papers whose statements have models."""
FOLDERS = {
    **PAPERS,
    "atlas": "The atlas: a tour, and models that separate two definitions of DP22",
    "axioms": "Mechanisms that refute an axiom of a definition, and their combinations",
    "bounds": "Where bounds fail as they are printed",
    "composition": "Composition: two mechanisms, or two runs, on one database",
    "course": "The course",
    "exchange": "Conversions between definitions",
    "family": "Families with a parameter",
    "matrix": "Drawn models that separate two definitions, of the matrix of implications",
    "referendum": "Large referendums",
    "relations": "Models that separate two definitions",
    "restricted": "Databases that cannot exist",
}
"""What the models of each folder show, the papers first."""


@cache
def bundled() -> Mapping[str, Path]:
    """Return the file of each bundled model, folder by folder; a full name is the path below `models/` without `.toml`.

    >>> "DMKB20/example-7-five-voters" in bundled()
    True
    """
    folder = models_folder()
    files = sorted(folder.rglob("*.toml"), key=lambda path: (path.parent.as_posix(), path.stem))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in files}


def bundled_names(name: str) -> list[str]:
    """Return the full names that a name stands for: itself where it is one, else all that end in `/` and the name.

    Statements of the papers share their numbers: `example-1` is the name of one model, and each paper's Example 1 may
    be meant.

    >>> bundled_names("randomized-response")
    ['DP22/randomized-response', 'family/randomized-response', 'relations/randomized-response']
    >>> bundled_names("example-1")[:2]
    ['DKM19/example-1', 'DMKB20/example-1-average']
    """
    if name in bundled():
        return [name]
    named = [full for full in bundled() if full.endswith(f"/{name}")]
    papers = {full.partition("/")[0] for full in named} & PAPERS.keys()
    alike = [full for full in bundled() if full.partition("/")[::2][1].startswith(f"{name}-")]
    return named + [full for full in alike if full.partition("/")[0] in PAPERS.keys() - papers] if papers else named


def called(path: str) -> str:
    """Return what a person calls a model file: the short name of a bundled model, else the path."""
    folder = models_folder()
    file = Path(path)
    if not path.endswith(".toml") or not file.resolve().is_relative_to(folder):
        return path
    full = file.resolve().relative_to(folder).with_suffix("").as_posix()
    return short_name(full) if full in bundled() else path


def short_name(full: str) -> str:
    """Return the shortest name that stands for one bundled model alone.

    >>> short_name("DMKB20/example-7-five-voters"), short_name("family/randomized-response")
    ('example-7-five-voters', 'family/randomized-response')
    """
    parts = full.split("/")
    names = ("/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))
    return next(name for name in names if bundled_names(name) == [full])


def bundled_file(name: str) -> Path:
    """Return the file of the bundled model that a name stands for.

    Raises:
        InputError: for a name that stands for none, with names like it, or for several, with all of them.

    """
    names = bundled_names(name)
    if len(names) > 1:
        raise InputError(f"it may mean {len(names)} bundled models", where=name, wanted=one_of(names, name))
    if not names:
        wanted = "the path of a model file, or the name of a bundled model (pkdp examples)"
        raise InputError("there is no such file and no such bundled model", where=name, wanted=wanted, tip=_near(name))
    return bundled()[names[0]]


def _near(name: str) -> str:
    """A tip with the bundled models whose names hold the given one, or look like it."""
    within = [short_name(full) for full in bundled() if name.lower() in full.lower()]
    if within:
        have = "has it in its name" if len(within) == 1 else "have it in their names"
        return f"{', '.join(within[:NEAR])}{', …' if len(within) > NEAR else ''} {have}"
    near = closest(name.lower().rpartition("/")[2], {full.rpartition("/")[2]: full for full in bundled()})
    return f"is `{near}` meant?" if near else "pkdp examples lists the bundled models"
