"""Files of answers as strict JSON, and the model files that they name, each with the hash that is claimed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from .models import MOST_BYTES, Model
from .numbers import MOST_DIGITS, Wrong

MOST_ANSWER_BYTES = 64 << 20
MOST_LEVELS_OF_ANSWERS = 60
MOST_PATH = 1000
MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading a file of another shape raises: a wrong file, never a refuted answer."""


class Measured(str):
    """A decimal number of the text, as it is written: only how many seconds a search took may be one."""

    __slots__ = ()


def _refuse(value: object, name: str = "", levels: int = MOST_LEVELS_OF_ANSWERS) -> None:
    """Refuse too many levels, and each decimal number but for `seconds`, which decides nothing."""
    if isinstance(value, Measured) and name != "seconds":
        raise Wrong(f"the answers have the number {value[:30]}", expected="integers, and texts such as 1/3")
    if not levels:
        raise Wrong(f"the answers have more than {MOST_LEVELS_OF_ANSWERS} levels")
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        _refuse(one, str(key), levels - 1)


def read_json(text: str) -> Any:
    """JSON without duplicate keys, NaN, floats, endless integers and nesting; or several objects, one a line."""

    def no(text: str) -> Any:
        raise Wrong(f"the answers have the number {text[:30]}", expected="integers, and texts such as 1/3")

    def whole(text: str) -> int:
        return int(text) if len(text) <= MOST_DIGITS else no(text)

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) != len(pairs):
            raise Wrong("an object of the answers has one key twice")
        return dict(pairs)

    decoder = json.JSONDecoder(object_pairs_hook=table, parse_float=Measured, parse_int=whole, parse_constant=no)
    values, at_ = [], 0
    try:
        while at_ < len(text.rstrip()):
            value, end = decoder.raw_decode(text, at_ + len(text[at_:]) - len(text[at_:].lstrip()))
            values.append(value)
            at_ = end
    except RecursionError:
        raise Wrong("the answers are nested too deeply") from None
    except ValueError as error:
        raise Wrong(f"the file is not JSON: {error}") from None
    if not values:
        raise Wrong("the file is empty", expected="the output of pkdp check MODEL --json")
    _refuse(values)
    return values[0] if len(values) == 1 else values


DOCUMENTS = ("exchange", "exchange-delta", "exchange-curve", "worst", "best")
"""The kinds of documents of proofs: multipliers.py and curves.py verify them."""
WITHOUT_MODEL = ("search", "p-table")
"""The kinds of answers that name no model file: they bring what they are about."""
OF_TWO = "compare"
"""The kind of the answers about two models, which `models` names: compared.py verifies them."""
ANSWERED = frozenset({"definition", "property", "acceptable", "gain"})
"""Keys of which an answer has one."""


def answers_in(value: Any) -> Iterator[dict[str, Any]]:
    """The answers in what `check --json` printed: one, a list, an overview; or a document of a proof."""
    if isinstance(value, list):
        for entry in value:
            yield from answers_in(entry)
    elif not isinstance(value, dict):
        raise Wrong("the file has something that is no answer", expected="the output of pkdp check MODEL --json")
    elif "format" in value:
        raise Wrong(
            "this is a certificate of the old format, no longer read", expected="the output of pkdp check MODEL --json"
        )
    elif isinstance(value.get("definitions"), list) or isinstance(value.get("atlas"), list):
        yield from answers_in(value.get("definitions") or value.get("atlas") or [])
        if "gain" in value:
            yield {name: entry for name, entry in value.items() if name not in {"definitions", "atlas", "properties"}}
    elif value.get("kind") in (*DOCUMENTS, *WITHOUT_MODEL, OF_TWO) or not ANSWERED.isdisjoint(value):
        yield value
    else:
        raise Wrong("an object is no answer: it has no `definition`", expected="the output of pkdp check MODEL --json")


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a regular file."""
    try:
        if not path.is_file():
            raise Wrong(f"{path}: there is no such file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    if len(data) > most:
        raise Wrong(f"{path}: more than {most:,} bytes")
    return data


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that the system refuses is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


class Models:
    """The model files that answers name; each is read once, and its hash is compared.

    A model that was not `given` stands beside the answers, or in one of the `folders`, or in one around the answers.
    """

    def __init__(self, given: Sequence[Path], parameters: Mapping[str, Fraction], folders: Sequence[Path] = ()) -> None:
        self.given, self.parameters, self.folders = given, parameters, folders
        self.contents: dict[Path, tuple[str, bytes]] = {}
        self.read: dict[Path, Model] = {}

    def file(self, answer: Mapping[str, Any], beside: Path) -> Path:
        """The model file of an answer, which has the hash that is claimed."""
        name, wanted = answer.get("model"), answer.get("sha256")
        places = list(self.given)
        if not places and isinstance(name, str) and len(name) < MOST_PATH:
            around = beside.absolute().parents
            places = [beside / name, beside / Path(name).name, *(folder / name for folder in (*self.folders, *around))]
            places.append(Path(name))
        there = [path for path in places if is_file(path)]
        if not there:
            raise Wrong(f"the model {str(name)[:200]!r} is not there", hint="name its file with --model FILE")
        path = next((path for path in there if wanted in (None, self._content(path)[0])), None)
        if path is None:
            digest = self._content(there[0])[0]
            raise Wrong(
                f"{there[0]} is not the file that was asked about: its sha256 is {digest}, not {str(wanted)[:64]}"
            )
        return path

    def _content(self, path: Path) -> tuple[str, bytes]:
        """The hash and the bytes of a file."""
        if path not in self.contents:
            data = read_bytes(path, MOST_BYTES)
            self.contents[path] = hashlib.sha256(data).hexdigest(), data
        return self.contents[path]

    def of(self, answer: Mapping[str, Any], beside: Path) -> Model:
        """The model of an answer, whose file is named, or whose text stands in the answer."""
        if "model_text" in answer:
            return Model(str(answer["model_text"]), self.parameters)
        path = self.file(answer, beside)
        if path not in self.read:
            try:
                self.read[path] = Model(self._content(path)[1].decode("utf-8"), self.parameters)
            except MALFORMED as error:
                raise Wrong(f"{path}: {type(error).__name__}: {error}") from None
        return self.read[path]
