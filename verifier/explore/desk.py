"""The desk: the documents that were asked about last, opened once, with what was already worked out."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.explore.document import tables_from
from verifier.explore.problems import Document
from verifier.model import Model, counted
from verifier.model.parameters import UNNAMED, Family, instantiated, read_parameters
from verifier.model.place import Place
from verifier.model.read import build_tables
from verifier.numbers import rational

KEPT = 16
"""Documents that are remembered."""
MOST_ROWS = 1 << 12
"""Worlds of a distribution that the explorer takes."""
MOST_MILLISECONDS = 1_000
"""About how long one question about a sum may take."""


@dataclass(frozen=True)
class Opened:
    """A document with its model and the engine that keeps what was worked out about it."""

    document: Document
    model: Model
    engine: Engine


@dataclass
class Desk:
    """The last documents by the hash of their content."""

    kept: OrderedDict[str, Opened] = field(default_factory=OrderedDict)

    def open(self, document: Any, values: Any = None) -> Opened:
        """The model of a document, within the limits of the explorer.

        Raises:
            InputError: where it is no model, with the place.
            LimitError: where it is too large, before any work.
            UnsupportedError: for a family of models without values of its parameters.

        """
        tables = tables_from(document)
        name = hashlib.sha256(json.dumps([tables, values]).encode()).hexdigest()
        if name not in self.kept:
            model = self._model(tables, values)
            engine = Engine(model, MOST_ROWS)
            admit(engine)
            self.kept[name] = Opened(tables, model, engine)
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(name)
        return self.kept[name]

    def _model(self, tables: Document, values: Any) -> Model:
        place = Place("")
        tables = {key: value for key, value in tables.items() if key != "expect"}
        try:
            if "parameters" in tables:
                tables = _member(tables, values, place)
            return build_tables(tables, place, path="", sha256="", text="")
        except RecursionError:
            raise InputError("lists or tables are nested too deeply", wanted="a flat model") from None


def _member(tables: Document, values: Any, place: Place) -> Document:
    """The tables of one member of a family."""
    rest = {key: value for key, value in tables.items() if key not in {"parameters", "conditions"}}
    parameters, side = read_parameters(tables["parameters"], tables.get("conditions", []), place)
    ranges = ", ".join(map(str, (*parameters, *side)))
    if not isinstance(values, Mapping):
        raise UnsupportedError(
            f"the file is a family of models: {ranges}",
            where=place.over("parameters"),
            wanted="a value for each parameter",
            tip="the explorer shows one member; pkdp check decides the whole family",
        )
    family = Family(parameters, side, rest, Place(UNNAMED), lambda _: None)  # type: ignore[arg-type, return-value]
    numbers = {str(name): rational(one, f"the parameter {name}") for name, one in values.items()}
    family.refuse(numbers)
    return instantiated(rest, numbers, place, family.names)


def admit(engine: Engine) -> None:
    """Refuse a model that is too large for answers while one watches, before any work."""
    model = engine.model
    if model.sizes is not None:
        return
    worlds = max(theta.count() for theta in model.thetas)
    if engine.balls or worlds <= MOST_ROWS:
        return
    if engine.sums and engine.cost.milliseconds <= MOST_MILLISECONDS:
        engine.cost.refuse(1 << 22)
        return
    raise LimitError(
        f"a distribution has {counted(worlds)} worlds",
        where="size",
        wanted=f"at most {MOST_ROWS:,} in the explorer",
        tip="use fewer records or values here; pkdp check takes larger models",
    )


__all__ = ["Desk", "Opened", "admit"]
