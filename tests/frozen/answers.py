"""An answer as it is compared: the fields that it had when it was frozen, and a hash of what stands in them.

Later versions may add fields; what was there keeps its place and its value. So the fields of a group of answers are
frozen as a *shape*, an answer is cut to this shape, and what remains is hashed.

The file of hashes has one table for each question: the model files that it is asked about, each with its answer's hash.
A hash has twelve hexadecimal digits: an answer that changed has its old hash by chance once in 2^48 times.
"""

import contextlib
import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from frozen.questions import Question

Shape: TypeAlias = "dict[str, Shape] | list[Shape] | None"
"""The names in an object, the one shape of all elements of a list, or None for a value."""

HASHES = Path(__file__).with_name("hashes.json")
DIGITS = 12
"""Hexadecimal digits of a hash."""
MODEL = re.compile(r"(?<=models/)\S+(?=\.toml)")
"""The name of a model file in a command line; the first is what a question is about."""
UNSTABLE = frozenset({"seconds", "milliseconds", "version"})
"""Fields that differ from run to run, or from release to release."""


@dataclass(frozen=True)
class Answer:
    """The exit status of a command, the objects that it printed, and its message where it refused."""

    status: int
    printed: Any
    refusal: str


def ask(question: Question) -> Answer:
    """Run a command line inside this process."""
    from verifier.cli.main import run

    printed, said = io.StringIO(), io.StringIO()
    status: object = 0
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            run(list(question.arguments))
        except SystemExit as stop:
            status = stop.code
    text = printed.getvalue()
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not isinstance(status, int):
        raise TypeError(f"{question.name} ended with {status!r}")
    return Answer(status, lines[0] if len(lines) == 1 else lines, "" if status in (0, 1) or lines else said.getvalue())


def shape_of(value: Any) -> Shape:
    """List the names that stand in a value.

    >>> shape_of({"a": 1, "seconds": 2, "b": [{"c": 1}, {"d": 2}]})
    {'a': None, 'b': [{'c': None, 'd': None}]}
    """
    if isinstance(value, dict):
        return {key: shape_of(part) for key, part in value.items() if key not in UNSTABLE}
    if isinstance(value, list):
        return [merged([shape_of(part) for part in value])]
    return None


def merged(shapes: list[Shape]) -> Shape:
    """Unite the shapes of several values; where one is an object and another a plain value, the object's counts.

    >>> merged([None, {"a": None}, {"b": [None]}])
    {'a': None, 'b': [None]}
    """
    objects = [shape for shape in shapes if isinstance(shape, dict)]
    if objects:
        names = dict.fromkeys(name for shape in objects for name in shape)
        return {name: merged([shape[name] for shape in objects if name in shape]) for name in names}
    lists = [shape for shape in shapes if isinstance(shape, list)]
    return [merged([part for shape in lists for part in shape])] if lists else None


def cut(value: Any, shape: Shape) -> Any:
    """Keep of a value what its frozen shape names.

    >>> cut({"a": 1, "new": 2, "b": [{"c": 1, "new": 3}]}, {"a": None, "b": [{"c": None}]})
    {'a': 1, 'b': [{'c': 1}]}
    """
    if isinstance(value, dict) and isinstance(shape, dict):
        return {key: cut(part, shape[key]) for key, part in value.items() if key in shape}
    if isinstance(value, list) and isinstance(shape, list):
        return [cut(part, shape[0]) for part in value]
    return value


def hash_of(answer: Answer, shape: Shape) -> str:
    """Hash the exit status and what remains of an answer; the words of a refusal are free to change."""
    kept = [answer.status, cut(answer.printed, shape)]
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def table_of(answers: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Put the hashes of command lines in a table for each question; one without a model file stands for itself.

    >>> table_of({"loss models/a/b.toml --json": "12", "loss models/c.toml --json": "34", "relations": "56"})
    {'loss models/{}.toml --json': {'a/b': '12', 'c': '34'}, 'relations': {'': '56'}}
    """
    tables: dict[str, dict[str, str]] = {}
    for name, found in sorted(answers.items()):
        about = MODEL.search(name)
        tables.setdefault(MODEL.sub("{}", name, count=1), {})[about[0] if about else ""] = found
    return tables


def read() -> dict[str, Any]:
    """Return what is frozen: the `fields` of each group, and the hash of each of the `answers` by its command line."""
    kept: dict[str, Any] = json.loads(HASHES.read_text(encoding="utf-8"))
    answers = {
        question.replace("{}", model, 1): found for question, t in kept["answers"].items() for model, found in t.items()
    }
    return {"fields": kept["fields"], "answers": answers}


def write(fields: Mapping[str, Shape], answers: Mapping[str, str]) -> None:
    """Keep them, a line for each model of a question."""
    kept = {"fields": fields, "answers": table_of(answers)}
    HASHES.write_text(json.dumps(kept, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
