"""Certificate files, read strictly and re-checked (proofs/FORMAT.md): the door of the independent re-check.

A file is JSON with `format`, `kind`, `model`, `sha256`, `part` and the content of its kind. Unknown keys, keys that are
there twice, numbers that are no integers, long integers and deep nesting are refused before any work. The model file
must have the hash that is claimed, and the tables of the certificate must be those of the file.

It imports nothing but its other parts, the standard library, and Arb balls where e^ε is irrational.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier import replay_shapes
from verifier.replay import replay
from verifier.replay_acceptability import replay_acceptability
from verifier.replay_compare import compare
from verifier.replay_labels import Uncovered
from verifier.replay_numbers import Rejected
from verifier.replay_search import replay_search
from verifier.replay_shapes import Either, check
from verifier.replay_worst import replay_worst

FORMAT = 1
MAX_BYTES = 64 << 20
MAX_MODEL_BYTES = 4 << 20
MAX_DIGITS = 4000
"""Most digits of an integer: that many comparisons are counted."""
PART = Either((None, {"distribution": str}, {"record": int}, {"distribution": str, "record": int}))
HEADER = {"format": int, "kind": str, "model": Either((None, str)), "sha256": Either((None, str)), "part": PART}
ENGINES = {
    "table": replay_shapes.TABLES,
    "sums": replay_shapes.SUMS,
    "sizes": replay_shapes.SIZES,
    "laws": replay_shapes.LAWS,
}
Judge = Callable[[dict[str, Any]], "str | None"]
"""Accepts a content, or raises `Rejected`; says what was left out."""
KINDS: dict[str, tuple[dict[str, Any], Judge]] = {
    "acceptability": (replay_shapes.ACCEPTABILITY, replay_acceptability),
    "search": (replay_shapes.SEARCH, replay_search),
    "worst": (replay_shapes.WORST, replay_worst),
}


class Unreadable(Rejected):
    """There is no such file, or it is no JSON."""


@dataclass(frozen=True)
class Replayed:
    """A certificate that was accepted, and what was left out: tables that were not compared, models that were counted.

    `title` says what it is about; `uncompared` and `counted` say why, and are empty where nothing was left out.
    """

    kind: str
    title: str
    model: str | None
    uncompared: str
    counted: str


def replay_file(path: Path, roots: Iterable[Path] = ()) -> Replayed:
    """Re-check one file; its model is looked for from each root, then from the file's own folder.

    Raises:
        Rejected: with the reason.

    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(f"the file cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(data) > MAX_BYTES:
        raise Rejected(f"the file has more than {MAX_BYTES:,} bytes")
    return replay_data(data, [*roots, path.parent])


def replay_data(data: bytes, roots: Iterable[Path]) -> Replayed:
    """Re-check the content of a file.

    Raises:
        Rejected: with the reason.

    """
    given = parsed(data)
    if not isinstance(given, dict):
        raise Rejected("the file has no table of keys")
    if given.get("format") != FORMAT or type(given.get("format")) is not int:
        raise Rejected(f"format: given {str(given.get('format'))[:40]}, wanted {FORMAT}")
    kind = given.get("kind")
    judge: Judge = _replay_verdict
    if kind == "verdict":
        shape = _verdict_shape(given)
    elif isinstance(kind, str) and kind in KINDS:
        shape, judge = KINDS[kind]
    else:
        raise Rejected(f"kind: given {str(kind)[:40]}, wanted one of verdict, {', '.join(KINDS)}")
    check(given, {**HEADER, **shape})
    model = _model(given, list(roots))
    content = {key: value for key, value in given.items() if key not in HEADER}
    uncompared = _uncompared(kind, content, model, given["part"])
    try:
        counted = judge(content)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {error!r}") from None
    except MemoryError:
        raise Rejected("the certificate needs more memory than there is") from None
    return Replayed(kind, _title(kind, content), given["model"], uncompared, counted or "")


def parsed(data: bytes) -> Any:
    """JSON, strictly: no key twice, no number but short integers, no deep nesting."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from None
    try:
        return json.loads(
            text, object_pairs_hook=_table, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"this is no JSON: {error.msg} at line {error.lineno}") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply") from None


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Rejected(f"the key {next(k for k in keys if keys.count(k) > 1)[:40]!r} is there twice")
    return found


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise Rejected(f"an integer has {len(text):,} digits, more than {MAX_DIGITS:,}")
    return int(text)


def _no_number(text: str) -> Any:
    raise Rejected(f"given the number {text[:40]}, wanted an integer or a text such as '1/3'")


def _verdict_shape(given: dict[str, Any]) -> dict[str, Any]:
    engine, question = given.get("engine"), given.get("question")
    if not isinstance(engine, str) or engine not in ENGINES:
        raise Rejected(f"engine: given {str(engine)[:40]}, wanted one of {', '.join(ENGINES)}")
    simulated = engine == "table" and isinstance(question, dict) and question.get("definition") == "ddp"
    return replay_shapes.SIMULATED if simulated else ENGINES[engine]


def _replay_verdict(content: dict[str, Any]) -> str:
    replay({key: value for key, value in content.items() if key != "engine" or value != "table"})
    return ""


def _model(given: dict[str, Any], roots: list[Path]) -> bytes | None:
    """The content of the model file, which has the hash that is claimed."""
    name, claimed = given["model"], given["sha256"]
    if name is None:
        if claimed is not None or given["part"] is not None:
            raise Rejected("sha256 and part are about a model file, and none is named")
        return None
    if claimed is None or not re.fullmatch(r"[0-9a-f]{64}", claimed):
        raise Rejected("sha256: wanted 64 hexadecimal digits")
    if not name or name.startswith("/") or "\\" in name or ":" in name or "\0" in name or len(name) > 1000:
        raise Rejected(f"model: given {name[:60]!r}, wanted a path from the root of the repository")
    for root in roots:
        try:
            with (root / name).open("rb") as stream:
                data: bytes = stream.read(MAX_MODEL_BYTES + 1)
        except (OSError, ValueError):
            continue
        found = hashlib.sha256(data).hexdigest()
        if found != claimed:
            raise Rejected(f"the model file {name} has the hash {found[:12]}…, the certificate says {claimed[:12]}…")
        return data
    raise Rejected(f"the model file {name} is not there")


def _uncompared(kind: str, content: dict[str, Any], data: bytes | None, part: dict[str, Any] | None) -> str:
    """Why the tables were not compared with the model file; nothing where they were, and where none is needed."""
    if kind == "search":
        if data is not None:
            raise Rejected("a search is about no model file")
        return ""
    if data is None:
        return "the certificate names no model file"
    if content.get("engine") == "laws":
        return "the laws of a definition of one's own come from its code"
    try:
        compare(content, data, part)
    except Uncovered as why:
        return str(why)
    return ""


def _title(kind: str, content: dict[str, Any]) -> str:
    """What the certificate is about, in short words."""
    if kind == "verdict":
        question, verdict = content["question"], content["answer"]["verdict"]
        reading = "" if question["reading"] == "default" else f" ({question['reading']})"
        epsilon = "some finite ε" if question["epsilon"] is None else f"ε = {question['epsilon']}"
        return f"{question['definition']}{reading} {verdict} at {epsilon}, δ = {question['delta']}"
    if kind == "acceptability":
        yes = sum(one["acceptable"] for one in content["answers"])
        return f"{yes} of {len(content['answers'])} acceptable"
    if kind == "worst":
        return f"the largest δ of {content['definition']} at ε = {content['epsilon']} is {content['optimum']}"
    return f"{content['verdict']} among {content['models']:,} models"
