"""Certificates as files: JSON that a reader can read, one world or row a line (proofs/FORMAT.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from os.path import commonpath
from pathlib import Path
from typing import Any

from verifier.checker import Beyond
from verifier.checker import judge as replay
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence import certificate, has_certificate
from verifier.evidence.rejected import rechecking
from verifier.model import Model, loads
from verifier.model.library import models_folder
from verifier.model.read import STANDARD_INPUT

FORMAT = 1
WIDTH = 120
"""Largest number of characters of a value that is written on one line."""


def verdict_file(answer: Verdict, engine: Engine, beside: Path | None = None) -> str:
    """The text of the certificate file of an answer, after the independent checker has accepted it.

    `beside` is the folder that the file is for: models that do not come with the package are named from there,
    or from the nearest folder that has both.

    >>> from verifier.model.library import models_folder
    >>> from verifier.model import read
    >>> from verifier.questions.check import check
    >>> model = read(models_folder() / "DMKB20" / "example-4-as-printed.toml")
    >>> engine = Engine(model)
    >>> text = verdict_file(check(model, "np", epsilon="0", engine=engine), engine)
    >>> [line for line in text.splitlines() if line.startswith(' "model"')]
    [' "model": "models/DMKB20/example-4-as-printed.toml",']

    Raises:
        UnsupportedError: where the answer has no certificate, with the reason; and where the checker would take too
            long.
        RejectedError: where the checker does not accept it.

    """
    if answer.verdict in {"undecided", "unsupported"}:
        raise UnsupportedError(f"no certificate: the answer is {answer.verdict} ({answer.reason})")
    if not has_certificate(answer, engine):
        raise UnsupportedError(
            f"no certificate: the checker does not derive this answer (method {answer.method}), or its tables are too "
            "large for it",
            tip="the checker reads tables, sums of the conditional definitions and of cdp, and multisets",
        )
    content = certificate(answer, engine)
    with rechecking(answer.definition):
        try:
            replay.replay(content)
        except Beyond as error:
            raise UnsupportedError(f"no certificate: the checker would take too long, since {error}") from None
    return file_text("verdict", answer.model, {"engine": "table", **content}, beside)


def file_text(kind: str, model: Model | None, content: Mapping[str, Any], beside: Path | None = None) -> str:
    """The text of a file: format, kind, model, its hash, the part of the model that is meant, then the content.

    No model is named where it came from no file: it was made in Python, or read from standard input.
    """
    header: dict[str, Any] = {"format": FORMAT, "kind": kind, "model": None, "sha256": None, "part": None}
    if model is not None and model.text and model.path not in {"", STANDARD_INPUT}:
        header |= {"model": model_name(model.path, beside), "sha256": model.sha256, "part": _part(model)}
    return written({**header, **content}) + "\n"


def model_name(file: str, beside: Path | None) -> str:
    """The path of a model: from the repository where it is bundled; else from the folder that holds both files."""
    path, folder = Path(file).absolute().resolve(), models_folder().resolve()
    if path.is_relative_to(folder):
        return f"models/{path.relative_to(folder).as_posix()}"
    return path.relative_to(commonpath([path.parent, (beside or Path()).absolute().resolve()])).as_posix()


def _part(model: Model) -> dict[str, Any] | None:
    """Which θ, which record a restricted model is about (`distribution`, `record`); None for the whole file."""
    if model.sizes is not None:
        return None
    full_model = loads(model.text, model.path)
    part: dict[str, Any] = {}
    if len(model.thetas) < len(full_model.thetas):
        part["distribution"] = model.thetas[0].name
    if len(model.secrets) < len(full_model.secrets):
        part["record"] = model.secrets[0].record
    return part or None


def written(value: Any, depth: int = 0, before: int = 0) -> str:
    """A value as JSON text, keys in their order; one that does not fit on one line has an entry on each line.

    >>> print(written({"a": [1, 2], "b": ["x" * 60, "y" * 60]}))
    {
     "a": [1, 2],
     "b": [
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
     ]
    }
    """
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or depth + before + len(flat) < WIDTH:
        return flat
    inner = ",\n".join(_entries(value, depth + 1))
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{inner}\n{' ' * depth}{last}"


def _entries(value: dict[str, Any] | list[Any], depth: int) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield " " * depth + written(entry, depth)
        return
    for key, entry in value.items():
        name = json.dumps(key, ensure_ascii=False) + ": "
        yield " " * depth + name + written(entry, depth, len(name))
