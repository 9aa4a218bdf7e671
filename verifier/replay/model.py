"""A reader of model files (models/FORMAT.md) for the independent re-check of certificates against their file.

It expands the distributions, what is known and what is protected, with its own short code. Where it does not go so far
it raises `Uncovered`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from verifier.replay.kinds import Database, Kinds, Made
from verifier.replay.labels import ONE, Raw, Uncovered, exact, indices, labelled, outcome, text
from verifier.replay.numbers import Rejected

NOTHING = "\x00"
MOST = 1 << 20
"""Most worlds of one θ that are listed."""
Group = tuple[tuple[int, ...], dict[Database, Fraction]]
"""Records that are independent of all others, and their joint law."""


class Component(NamedTuple):
    """One component of a mixture: independent groups of records."""

    name: str | None
    weight: Fraction
    groups: list[Group]


class Decimal(str):
    """A decimal of a model file, by its literal text."""

    __slots__ = ()


class Theta(NamedTuple):
    """One pair (θ, ζ): its name, its shape, and what is known."""

    name: str
    shape: Mapping[str, Any]
    known: Mapping[str, Any] | None


class File:
    """A model file; `part` restricts it to one θ or one record."""

    def __init__(self, data: bytes, part: Mapping[str, Any] | None) -> None:
        try:
            table = tomllib.loads(data.decode("utf-8"), parse_float=Decimal)
        except (ValueError, RecursionError) as error:
            raise Rejected(f"the model file is no TOML: {error}") from None
        self.table, self.part = table, part or {}
        self.values = [outcome(v) for v in table["values"]]
        self.texts = [text(v) for v in self.values]
        self.kinds = Kinds(self.values)
        self.size = table["size"]
        self.thetas = [one for one in self._thetas() if one.name == self.part.get("distribution", one.name)]

    def _thetas(self) -> Iterator[Theta]:
        known = self.table.get("knowledge")
        zetas = known if isinstance(known, list) else [known]
        shapes = self.table.get("distribution", [])
        for k, shape in enumerate(shapes, start=1):
            for j, zeta in enumerate(zetas, start=1):
                told = None if zeta is None else {key: one for key, one in zeta.items() if key != "name"}
                also = f" / {zeta.get('name', f'#{j}')}" if len(zetas) > 1 else ""
                yield Theta(shape.get("name", f"#{k}") + also, shape, told)

    # --- distributions --------------------------------------------------------------------------------------------

    def components(self, shape: Mapping[str, Any], size: int, name: str | None = None) -> list[Component]:
        """The components of a shape without columns."""
        if "iid" in shape or "independent" in shape:
            laws = [shape["iid"]] * size if "iid" in shape else shape["independent"]
            return [Component(name, ONE, [((i,), self._of_record(law)) for i, law in enumerate(laws)])]
        if "mixture" in shape:
            parts = [(one.get("name", f"#{k}"), exact(one["weight"]), one) for k, one in enumerate(shape["mixture"], 1)]
            if sum(weight for _, weight, _ in parts) != 1:
                raise Rejected("the weights of a mixture in the model file do not sum to 1")
            return [
                Component(one.name, weight * one.weight, one.groups)
                for own, weight, part in parts if weight
                for one in self.components(part, size, name or own)
            ]  # fmt: skip
        if "groups" in shape:
            return [Component(name, ONE, list(self._groups(shape["groups"])))]
        if "network" in shape:
            return [Component(name, ONE, self._network(shape["network"], size))]
        return [Component(name, ONE, [(tuple(range(size)), self._rows(shape["table"]))])]

    def database(self, given: Sequence[Any]) -> Database:
        """A database as places in T."""
        texts = [text(outcome(v)) for v in given]
        if not self.kinds.place.keys() >= set(texts):
            raise Rejected(f"{texts} has a value that is none of the model file's values")
        return tuple(self.kinds.place[one] for one in texts)

    def _of_record(self, table: Mapping[str, Any]) -> dict[Database, Fraction]:
        return law_of({(self.kinds.place[key],): exact(p) for key, (_, p) in labelled(table).items()})

    def _rows(self, rows: Sequence[Any]) -> dict[Database, Fraction]:
        return law_of({self.database(row["database"]): exact(row["probability"]) for row in rows})

    def _groups(self, given: Sequence[Any]) -> Iterator[Group]:
        start = 0
        for part in given:
            size = part.get("size", 1)
            inner = self.components(part, size)
            groups = inner[0].groups
            if len(inner) > 1:  # the latent choice inside a group is summed out
                joint: dict[Database, Fraction] = {}
                for one in inner:
                    for database, p in joined(one.groups):
                        joint[database] = joint.get(database, Fraction(0)) + one.weight * p
                groups = [(tuple(range(size)), joint)]
            for _ in range(part.get("times", 1)):
                yield from ((tuple(start + i for i in records), law) for records, law in groups)
                start += size

    def _network(self, nodes: Sequence[Any], size: int) -> list[Group]:
        """Each part of the network that nothing connects to others; its law is drawn node by node."""
        at = list(range(size))
        for node in nodes:
            family = {at[i] for i in (node["record"], *indices(node.get("given", [])))}
            at = [min(family) if one in family else one for one in at]
        found = []
        for first in dict.fromkeys(at):
            records = tuple(i for i in range(size) if at[i] == first)
            drawn: list[tuple[dict[int, int], Fraction]] = [({}, ONE)]
            for node in (one for one in nodes if one["record"] in records):
                given = list(indices(node.get("given", [])))
                laws = {self.database(row["when"]): self._of_record(row["table"]) for row in node.get("rows", [])}
                if not given:
                    laws = {(): self._of_record(node["table"])}
                drawn = [
                    ({**values, node["record"]: v}, p * q)
                    for values, p in drawn
                    for (v,), q in laws[tuple(values[i] for i in given)].items()
                ]
                if len(drawn) > MOST:
                    raise Uncovered("a network with very many worlds")
            found.append((records, {tuple(values[i] for i in records): p for values, p in drawn}))
        return found

    def worlds(self, theta: Theta) -> Iterator[tuple[Database, Any, Any, str | None, Fraction]]:
        """Database, knowledge and sensitive value where they are columns, component, probability."""
        if "table" in theta.shape and any("knowledge" in row or "sensitive" in row for row in theta.shape["table"]):
            for row in theta.shape["table"]:
                columns = [text(outcome(row[key])) if key in row else None for key in ("knowledge", "sensitive")]
                if p := exact(row["probability"]):
                    yield self.database(row["database"]), columns[0], columns[1], None, p
            return
        for one in self.components(theta.shape, self.size):
            for database, p in joined(one.groups):
                yield database, None, None, one.name, one.weight * p

    # --- what is known, and what is protected ---------------------------------------------------------------------

    def heard(self, theta: Theta) -> Callable[[Database, Any, str | None], Raw]:
        """The law of B in a world, from its database, its column and its component."""
        told = theta.known
        if told is None:
            return lambda _database, column, _component: [(NOTHING if column is None else column, ONE)]
        if told.get("kind") == "component":
            return lambda _database, _column, component: [(component, ONE)]
        made = self.told(told)
        return lambda database, _column, _component: made.law(database)

    def told(self, known: Mapping[str, Any]) -> Made:
        """Knowledge as a mechanism; `records` alone is the values of these records."""
        short = "records" in known and not {"kind", "table", "rows"} & set(known)
        return self.kinds.read({**known, "kind": "records"} if short else known, self.size)

    @property
    def protected(self) -> list[Any]:
        """The records that are protected, or S."""
        sensitive = self.table.get("sensitive", {})
        columns = any("sensitive" in row for one in self.table["distribution"] for row in one.get("table", []))
        if columns or "rows" in sensitive or "table" in sensitive:
            return ["S"]
        every = list(indices(sensitive.get("records", range(self.size))))
        return [self.part["record"]] if "record" in self.part and self.part["record"] in every else every

    @property
    def function(self) -> dict[Database, str]:
        """S as a function of the database, where it is one."""
        rows = self.table.get("sensitive", {})
        return {
            self.database(row["database"]): text(outcome(row["value"]))
            for row in rows.get("rows", rows.get("table", []))
        }

    @property
    def domain(self) -> list[str]:
        """The sensitive values, in the order in which they appear; T for records."""
        if self.protected != ["S"]:
            return self.texts
        columns = [
            row for one in self.table["distribution"] for row in one.get("table", []) if exact(row["probability"])
        ]
        seen = self.function.values() or [text(outcome(row["sensitive"])) for row in columns]
        return list(dict.fromkeys(seen))

    def tables(self) -> dict[str, dict[tuple[Any, ...], Fraction]]:
        """For each θ the probability of each (database, B̂, S); S is None where records are protected."""
        found = {}
        function, whole = self.function, self.protected != ["S"]
        for theta in self.thetas:
            heard, law = self.heard(theta), dict[tuple[Any, ...], Fraction]()
            for database, column, sensitive, component, p in self.worlds(theta):
                secret = None if whole else sensitive if sensitive is not None else function[database]
                for known, q in heard(database, column, component):
                    key = tuple(self.texts[v] for v in database), text(known), secret
                    law[key] = law.get(key, Fraction(0)) + p * q
                if len(law) > MOST:
                    raise Uncovered("a distribution with very many worlds")
            found[theta.name] = law
        return found


def law_of(table: dict[Database, Fraction]) -> dict[Database, Fraction]:
    """The same law without what is impossible; it must sum to 1."""
    if sum(table.values()) != 1 or any(p < 0 for p in table.values()):
        raise Rejected("the model file has a table of probabilities that is no law")
    return {one: p for one, p in table.items() if p}


def joined(groups: Sequence[Group]) -> Iterator[tuple[Database, Fraction]]:
    """The joint law of groups that make up all records, each database as often as it is drawn."""
    if prod(len(law) for _, law in groups) > MOST:
        raise Uncovered("a distribution with very many worlds")
    order = [i for records, _ in groups for i in records]
    places = [order.index(i) for i in sorted(order)]
    for chosen in product(*(law.items() for _, law in groups)):
        drawn = [v for row, _ in chosen for v in row]
        yield tuple(drawn[k] for k in places), prod((p for _, p in chosen), start=ONE)
