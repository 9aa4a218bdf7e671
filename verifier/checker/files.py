"""Certificate files, read strictly and re-checked (proofs/FORMAT.md): the door of the independent re-check.

A file is JSON with `format`, `kind`, `model`, `sha256`, `part` and the content of its kind. What is no regular file,
large files and deep nesting are refused before anything is parsed; unknown keys, keys that are there twice, numbers
that are no integers and long integers before any work. The model file stands in a folder that is named, or beside the
certificate; it must have the hash that is claimed, and the tables of the certificate must be those of the file.

It imports nothing but its other parts and the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from verifier.checker import Rejected, on_one_line, reading, shapes
from verifier.checker.judge import IMITATED, INFERRED, replay
from verifier.checker.laws import DEFINITIONS, SIMULATED_BELIEFS, SIMULATOR
from verifier.checker.model.file_agreement import OWN_LAWS, compare
from verifier.checker.model.labels import MOST_RECORDS, Uncovered
from verifier.checker.shapes import Either, check

FORMAT = 1
MAX_BYTES = 16 << 20
MAX_MODEL_BYTES = 4 << 20
MAX_DEPTH = 32
"""Most lists and tables inside each other."""
MAX_PARTS = 1 << 20
"""Most lists and tables of a file."""
MAX_DIGITS = 4000
"""Most digits of an integer: numbers of comparisons may have so many."""
ENGINES = ("table", "sums", "sizes", "laws", "schemes")
PART = Either((None, {"distribution": str}, {"record": int}, {"distribution": str, "record": int}))
HEADER = {"format": int, "kind": str, "model": Either((None, str)), "sha256": Either((None, str)), "part": PART}
WANTED = (
    "Expected a path without .. from the repository's root, from the folder that is replayed, or from the file's own "
    "or one that it is in"
)
Judge = Callable[[dict[str, Any]], "str | None"]
"""The re-check of one kind: it takes the content, and raises `Rejected` or returns what was left out, if anything."""
KINDS = ("verdict", "acceptability", "search")
OLDER = ("worst", "exchange", "exchange-curve", "exchange-delta")
"""The kinds of certificates of an older version: what is proved of them now is verified by the kernel."""


class Unreadable(Rejected):
    """There is no such file, or it is no certificate: no JSON, or JSON of another kind."""


class Older(Unreadable):
    """It is a certificate of a `kind` that an older version wrote."""

    def __init__(self, kind: str) -> None:
        """Keep the kind."""
        self.kind = kind
        super().__init__(f"this is a certificate of an older version, of the kind {kind}")


class NoModel(Unreadable):
    """The model file that a certificate names is found nowhere, so that nothing is said about the answer."""


@dataclass(frozen=True)
class Replayed:
    """A certificate that was accepted, and what was left out: tables that were not compared, models that were counted.

    `title` says what it proves, with all that this depends on but the model file. `uncompared` and `counted` say why,
    and are empty where nothing was left out.
    """

    kind: str
    title: str
    model: str | None
    uncompared: str
    counted: str


def replay_file(path: Path, roots: Iterable[Path] = ()) -> Replayed:
    """Re-check a certificate file; its model is looked for below each root, then below the file's own folder.

    A certificate names a model that stands elsewhere from the nearest folder that holds both: so the folders that the
    file is in are tried at last.

    Raises:
        Rejected: with the reason.

    """
    try:
        file_bytes = content_of(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise Unreadable(f"the file cannot be read ({getattr(error, 'strerror', None) or error})") from None
    return replay_data(file_bytes, [*roots, path.parent], path.resolve().parents)


def content_of(path: Path, most: int) -> bytes:
    """The bytes of a regular file; its kind and its size are checked before a byte is read.

    Raises:
        Unreadable: for a folder, a pipe, a device.
        Rejected: where it is larger.
        OSError: where the system says no.

    """
    if not stat.S_ISREG(path.stat().st_mode):  # opening a device may do something
        raise Unreadable(f"the file cannot be read ({path.name[:60]} is no regular file)")
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):  # it was another file a moment ago
            raise Unreadable(f"the file cannot be read ({path.name[:60]} is no regular file)")
        content = stream.read(most + 1) if status.st_size <= most else b""
    if max(status.st_size, len(content)) > most:
        raise Rejected(f"the file {path.name[:60]} has more than {most:,} bytes")
    return content


def replay_data(file_bytes: bytes, roots: Iterable[Path], around: Iterable[Path] = ()) -> Replayed:
    """Re-check the content of a certificate file; its model is looked for below each root, then below those `around`.

    Raises:
        Rejected: with the reason.

    """
    certificate = _certificate(file_bytes)
    if certificate.get("format") != FORMAT or type(certificate.get("format")) is not int:
        raise Rejected(f"format: {str(certificate.get('format'))[:40]} is unknown. Expected {FORMAT}")
    kind = certificate.get("kind")
    if isinstance(kind, str) and kind in OLDER:
        raise Older(kind)
    if not isinstance(kind, str) or kind not in KINDS:
        raise Rejected(f"kind: {str(kind)[:40]} is unknown. Expected one of {', '.join(KINDS)}")
    shape, judge = _of_kind(kind, certificate)
    check(certificate, {**HEADER, **shape})
    _not_large(certificate)
    model = _model(certificate, list(roots), list(around))
    content = {key: value for key, value in certificate.items() if key not in HEADER}
    uncompared = _uncompared(kind, content, model, certificate["part"])
    try:
        with reading("the certificate is malformed"):
            counted = judge(content)
    except MemoryError:
        raise Rejected("the certificate needs more memory than there is") from None
    return Replayed(kind, _title(kind, content, certificate["part"]), certificate["model"], uncompared, counted or "")


def _certificate(file_bytes: bytes) -> dict[str, Any]:
    """The table of a certificate file.

    Raises:
        Unreadable: where the file is no certificate: it is no table, or it lacks the two keys that say what it is.
        Rejected: for a certificate that is not written strictly.

    """
    try:
        certificate = parsed(file_bytes)
    except Unreadable:
        raise
    except Rejected as error:
        if not all(b'"%s"' % key in file_bytes for key in (b"format", b"kind")):
            raise Unreadable(f"this is no certificate: {error}") from None
        raise
    if not isinstance(certificate, dict):
        raise Unreadable("this is no certificate: the file has no table of keys")
    lacking = next((key for key in ("format", "kind") if key not in certificate), "")
    if lacking:
        raise Unreadable(f"this is no certificate: it has no key {lacking!r}")
    return certificate


def parsed(file_bytes: bytes) -> Any:
    """The JSON value of a file, read strictly.

    Raises:
        Unreadable: where it is not UTF-8, or no JSON.
        Rejected: for a key that is there twice, a number that is no short integer, and deep nesting.

    """
    try:
        text = file_bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from None
    _not_deep(file_bytes)
    try:
        return json.loads(
            text, object_pairs_hook=_table, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"this is no JSON: {error.msg} at line {error.lineno}") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply") from None


_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[^\[\]{}"]+', re.DOTALL)
"""Texts, and all that is no bracket: what stays when these are taken away is the nesting."""


def _not_deep(file_bytes: bytes) -> None:
    """Count the brackets, before any list is made of them."""
    depth = count = 0
    for first in _TEXTS.sub(b"", file_bytes):
        if first in b"[{":
            depth, count = depth + 1, count + 1
            if depth > MAX_DEPTH:
                raise Rejected(f"the file is nested too deeply: {MAX_DEPTH} lists and tables inside each other at most")
            if count > MAX_PARTS:
                raise Rejected(f"the file has more than {MAX_PARTS:,} lists and tables")
        elif first in b"]}":
            depth -= 1


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        raise Rejected(f"the key {next(k for k in keys if keys.count(k) > 1)[:40]!r} is there twice")
    return table


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise Rejected(f"an integer has {len(text):,} digits, more than {MAX_DIGITS:,}")
    if text == "-0":
        raise Rejected("the number -0 has a sign. Expected 0")
    return int(text)


def _no_number(text: str) -> Any:
    raise Rejected(f"the number {text[:40]} is not exact. Expected an integer or a text such as '1/3'")


def _of_kind(kind: str, certificate: dict[str, Any]) -> tuple[dict[str, Any], Judge]:
    """The shape and the judge of a kind of certificate; only its own part of the checker is loaded."""
    if kind == "acceptability":
        from verifier.checker.properties import acceptability

        return acceptability.SHAPE, acceptability.replay_acceptability
    if kind == "search":
        from verifier.checker.search import scope

        return scope.SHAPE, scope.replay_search
    return _verdict_shape(certificate), _replay_verdict


def _not_large(certificate: dict[str, Any]) -> None:
    """Refuse databases of very many records, before anything counts to their number."""
    sizes = [certificate.get("size"), *certificate.get("sizes", ())]
    for size in [end for entry in sizes for end in (entry if isinstance(entry, list) else [entry])]:
        if size is not None and size > MOST_RECORDS:
            raise Rejected(f"size: a database has at most {MOST_RECORDS:,} records")


def _verdict_shape(certificate: dict[str, Any]) -> dict[str, Any]:
    engine, question = certificate.get("engine"), certificate.get("question")
    if not isinstance(engine, str) or engine not in ENGINES:
        raise Rejected(f"engine: {str(engine)[:40]} is unknown. Expected one of {', '.join(ENGINES)}")
    key = question.get("definition") if isinstance(question, dict) else None
    if engine in {"laws", "sums", "sizes"}:
        from verifier.checker.engines import own, sizes, sums

        of_engines: dict[str, dict[str, Any]] = {"laws": own.SHAPE, "sums": sums.SHAPE, "sizes": sizes.SHAPE}
        return of_engines[engine]
    definition = DEFINITIONS.get(key) if isinstance(key, str) else None
    compares = "" if definition is None or engine != "table" else definition.compares
    inferred = engine == "schemes" and key == INFERRED
    if inferred or compares == SIMULATED_BELIEFS:
        from verifier.checker.simulators import beliefs

        return beliefs.INFERRED_SHAPE if inferred else beliefs.BELIEFS_SHAPE
    imitated = engine == "schemes" and key in IMITATED
    if imitated or compares == SIMULATOR:
        from verifier.checker.simulators import centres, simulator

        return centres.IMITATED_SHAPE if imitated else simulator.SIMULATED
    return shapes.SCHEMES if engine == "schemes" else shapes.TABLES


def _replay_verdict(content: dict[str, Any]) -> str:
    replay({key: value for key, value in content.items() if key != "engine" or value != "table"})
    return ""


def _model(certificate: dict[str, Any], roots: list[Path], around: list[Path]) -> bytes | None:
    """The content of the model file, which has the hash that is claimed; of those `around` no other hash is told."""
    name, claimed = certificate["model"], certificate["sha256"]
    if name is None:
        if claimed is not None or certificate["part"] is not None:
            raise Rejected("sha256 and part are about a model file, and none is named")
        return None
    if claimed is None or not re.fullmatch(r"[0-9a-f]{64}", claimed):
        raise Rejected("sha256: this is not a hash. Expected 64 hexadecimal digits")
    steps = name.split("/")
    if any(mark in name for mark in "\\:\0") or len(name) > 1000 or {"", ".", ".."} & set(steps):
        raise Rejected(f"model: {name[:60]!r} is not such a path. {WANTED}")
    other_digest = ""
    for root in [*roots, *around]:
        try:
            model_path = (root / PurePosixPath(name)).resolve(strict=True)
            if not model_path.is_relative_to(root.resolve()):
                raise Rejected(f"model: {name[:60]!r} is a link that leaves its folder. {WANTED}")
            model_bytes = content_of(model_path, MAX_MODEL_BYTES)
        except (OSError, ValueError, RuntimeError):
            continue
        digest = hashlib.sha256(model_bytes).hexdigest()
        if digest == claimed:
            return model_bytes
        other_digest = other_digest or (digest if root in roots else "")
    if other_digest:
        raise Rejected(f"the model file {name} has the hash {other_digest[:12]}…, the certificate says {claimed[:12]}…")
    raise NoModel(f"the model file {name} is not there")


def _uncompared(kind: str, content: dict[str, Any], model_bytes: bytes | None, part: dict[str, Any] | None) -> str:
    """Why the tables were not compared with the model file; nothing where they were, and where none is needed."""
    if kind == "search":
        if model_bytes is not None:
            raise Rejected("a search is about no model file")
        return ""
    if content.get("engine") == "laws":
        return OWN_LAWS
    if model_bytes is None:
        return "the certificate names no model file"
    try:
        compare(content, model_bytes, part)
    except Uncovered as why:
        return str(why)
    return ""


def _title(kind: str, content: dict[str, Any], part: dict[str, Any] | None) -> str:
    """What the certificate proves, in short words on one line, and of which part of its model."""
    part = part or {}
    record = [f"record {part['record']}"] if "record" in part else []
    theta = [f"the distribution {_name(part['distribution'])}"] if "distribution" in part else []
    return on_one_line(", for ".join([_claim(kind, content), *[" and ".join([*record, *theta])] * bool(part)]))


def _name(text: str) -> str:
    """A name that a file gives, in quotes where it is not one word: it must not read as words of this checker."""
    return text if re.fullmatch(r"[\w.-]+", text) else repr(text)


def _claim(kind: str, content: dict[str, Any]) -> str:
    if kind == "verdict":
        question, verdict = content["question"], content["answer"]["verdict"]
        reading = "" if question["reading"] == "default" else f" ({_name(question['reading'])})"
        epsilon = "some finite ε" if question["epsilon"] is None else f"ε = {question['epsilon']}"
        own = "a definition of one's own, by laws that the certificate gives: " if content["engine"] == "laws" else ""
        return f"{own}{question['definition']}{reading} {verdict} at {epsilon}, δ = {question['delta']}"
    if kind == "acceptability":
        yes = sum(answer["acceptable"] for answer in content["answers"])
        return f"{yes} of {len(content['answers'])} acceptable"
    return _of_the_search(content)


def _of_the_search(content: dict[str, Any]) -> str:
    """The verdict among the models of the scope; the model that was found may be on a finer grid than they are."""
    from verifier.checker.search.scope import is_on_the_grid

    models = f"{content['models']:,} models"
    if content["found"] is None or is_on_the_grid(content):
        return f"{content['verdict']} among {models}"
    return f"{content['verdict']} by a model on a finer grid than that of the scope, which has {models}"
