"""The registry of forgeries: honest certificates, and what must be refused in each, with which reason.

A table `NAME.jsonl` has a forgery in each line: the honest certificate that it starts from, the changes that are made
one after the other (`["put", place, value]`, `["drop", place]`, `["twice", place]` for an entry of a list, and
`["swap", place, place]`), and a regex for the reason. The honest certificates are asked for in `asked.toml`, or
written in `NAME.json`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filing import place_in, replayed
from forging import Certificate
from refuse.registry import whole

import verifier as pk
from verifier.checker import judge as replay
from verifier.checker.properties.acceptability import replay_acceptability
from verifier.checker.properties.anonymity import replay_anonymity
from verifier.definitions import DEFINITIONS, load
from verifier.engine import Engine
from verifier.evidence import certificate
from verifier.model import Model
from verifier.model.library import models_folder
from verifier.model.parameters import Family
from verifier.model.read import read_any
from verifier.questions.properties import anonymity

from .files import FOLDER, VACUOUS
from .files import honest as honest_file

HERE = Path(__file__).parent
ASKED: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((HERE / "asked.toml").read_text(encoding="utf-8"))
OWN = Path(__file__).parents[2] / "docs" / "own-definitions" / "passive_cdp.toml"


@dataclass(frozen=True)
class Forgery:
    """A change of an honest certificate, and a regex for the reason why it is refused."""

    table: str
    base: str
    changes: list[Any]
    reason: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.table}, {self.base}, {self.name or self.changes}"[:90]

    def of(self, one: Certificate) -> Certificate:
        """The certificate with the changes made."""
        forged = deepcopy(one)
        for kind, place, *more in self.changes:
            target, key = place_in(forged, place)
            if kind == "put":
                target[key] = whole(more[0]) if isinstance(more[0], str) else deepcopy(more[0])
            elif kind == "drop":
                del target[key]
            elif kind == "twice":
                target.append(deepcopy(target[key]))
            else:
                other, there = place_in(forged, more[0])
                target[key], other[there] = other[there], target[key]
        assert json.dumps(forged) != json.dumps(one), "no forgery"
        return forged


def forgeries(table: str) -> Iterator[Forgery]:
    """Those of one table."""
    for line in (HERE / f"{table}.jsonl").read_text(encoding="utf-8").splitlines():
        yield Forgery(table, **json.loads(line))


def source_named(name: str) -> Model | Family:
    own = HERE / "models" / f"{name}.toml"
    return read_any(own if own.exists() else models_folder() / f"{name}.toml")


def model_named(name: str) -> Model:
    found = source_named(name)
    assert isinstance(found, Model)
    return found


def answered_question(table: str, base: str) -> Certificate:
    """The certificate of an answer, and that its verdict is the one that is written beside the question."""
    asked = dict(ASKED[table][base])
    model, definition, verdict = model_named(asked.pop("model")), asked.pop("definition"), asked.pop("verdict", None)
    if table == "own" and definition not in DEFINITIONS:
        load(OWN)
    engine = Engine(model)
    answer = pk.check(model, definition, engine=engine, **asked)
    assert verdict in {None, answer.verdict}
    return certificate(answer, engine)


def property_of(base: str) -> Certificate:
    """The certificate of strong safety, or of k-anonymity."""
    model, k = model_named(ASKED["properties"][base]["model"]), ASKED["properties"][base].get("k")
    return anonymity.certificate(pk.strongly_safe(model) if k is None else pk.k_anonymity(model, k))


def by_sums(base: str) -> Certificate:
    """A certificate about a mechanism as a sum, of which `sums.json` has several."""
    found: Certificate = json.loads((HERE / "sums.json").read_text(encoding="utf-8"))[base]
    return found


def written(base: str) -> Certificate:
    """A certificate that stands in a file."""
    found: Certificate = json.loads((HERE / f"{base}.json").read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Table:
    """Where the honest certificates of a table are from, and what re-checks them."""

    honest: Callable[[str], Certificate]
    replay: Callable[[Certificate], object] = replay.replay


def asked(table: str) -> Callable[[str], Certificate]:
    return lambda base: answered_question(table, base)


TABLES = {
    "table": Table(asked("table")),
    "tails": Table(asked("tails")),
    "sizes": Table(asked("sizes")),
    "dependency": Table(asked("dependency")),
    "simulators": Table(asked("simulators")),
    "schemes": Table(asked("schemes")),
    "own": Table(asked("own")),
    "sums": Table(by_sums),
    "properties": Table(property_of, replay_anonymity),
    "laws": Table(written),
    "acceptability": Table(written, replay_acceptability),
    "files": Table(honest_file, lambda one: replayed(one, FOLDER)),
}
FORGERIES = [one for table in TABLES for one in forgeries(table)]


@cache
def honest_text(table: str, base: str) -> str:
    return json.dumps(TABLES[table].honest(base))


def honest(table: str, base: str) -> Certificate:
    """An honest certificate, as it stands in a file."""
    found: Certificate = json.loads(honest_text(table, base))
    return found


def honest_names() -> list[tuple[str, str]]:
    """Every honest certificate that is asked for or made here, and those that a forgery starts from."""
    listed = [
        *((table, base) for table, bases in ASKED.items() if table in TABLES for base in bases),
        *(("files", base) for base in VACUOUS),
    ]
    return list(dict.fromkeys([*listed, *((one.table, one.base) for one in FORGERIES)]))
