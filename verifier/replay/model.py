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
from verifier.replay.labels import NOTHING, ONE, Raw, Uncovered, connected, exact, indices, labelled, outcome, text
from verifier.replay.numbers import Rejected, mixture

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
    """One pair (θ, ζ): its name, the table of keys of θ, and the one of ζ (None where nothing is known)."""

    name: str
    shape: Mapping[str, Any]
    known: Mapping[str, Any] | None


class File:
    """A model file; `part` restricts it to one θ or one record."""

    def __init__(self, model_bytes: bytes, part: Mapping[str, Any] | None) -> None:
        try:
            table = tomllib.loads(model_bytes.decode("utf-8"), parse_float=Decimal)
        except (ValueError, RecursionError) as error:
            raise Rejected(f"the model file is no TOML: {error}") from None
        self.table, self.part = table, part or {}
        self.values = [outcome(v) for v in table["values"]]
        self.texts = [text(v) for v in self.values]
        self.kinds = Kinds(self.values)
        self.size = table["size"]
        self.thetas = [theta for theta in self._thetas() if theta.name == self.part.get("distribution", theta.name)]

    @property
    def absent(self) -> str | None:
        """The value of a record that is not there; None where the file names none."""
        policy = self.table.get("policy", {})
        return text(outcome(policy["absent"])) if "absent" in policy else None

    def _thetas(self) -> Iterator[Theta]:
        known = self.table.get("knowledge")
        zetas = known if isinstance(known, list) else [known]
        shapes = self.table.get("distribution", [])
        for k, shape in enumerate(shapes, start=1):
            for j, zeta in enumerate(zetas, start=1):
                knowledge = None if zeta is None else {key: value for key, value in zeta.items() if key != "name"}
                also = f" / {zeta.get('name', f'#{j}')}" if len(zetas) > 1 else ""
                yield Theta(shape.get("name", f"#{k}") + also, shape, knowledge)

    # --- distributions --------------------------------------------------------------------------------------------

    def components(self, shape: Mapping[str, Any], size: int, name: str | None = None) -> list[Component]:
        """The components of a distribution, by the keys of its table; columns for B and S are not looked at."""
        if "iid" in shape or "independent" in shape:
            laws = [shape["iid"]] * size if "iid" in shape else shape["independent"]
            return [Component(name, ONE, [((i,), self._of_record(law)) for i, law in enumerate(laws)])]
        if "mixture" in shape:
            options = [
                (option.get("name", f"#{k}"), exact(option["weight"]), option)
                for k, option in enumerate(shape["mixture"], 1)
            ]
            if sum(weight for _, weight, _ in options) != 1:
                raise Rejected("the weights of a mixture in the model file do not sum to 1")
            return [
                Component(component.name, weight * component.weight, component.groups)
                for own, weight, option in options if weight
                for component in self.components(option, size, name or own)
            ]  # fmt: skip
        if "groups" in shape:
            return [Component(name, ONE, list(self._groups(shape["groups"])))]
        if "network" in shape:
            return [Component(name, ONE, self._network(shape["network"], size))]
        return [Component(name, ONE, [(tuple(range(size)), self._rows(shape["table"]))])]

    def database(self, values: Sequence[Any]) -> Database:
        """A database as places in T."""
        texts = [text(outcome(v)) for v in values]
        if not self.kinds.position.keys() >= set(texts):
            raise Rejected(f"{texts} has a value that is none of the model file's values")
        return tuple(self.kinds.position[label] for label in texts)

    def _of_record(self, table: Mapping[str, Any]) -> dict[Database, Fraction]:
        return law_of({(self.kinds.position[key],): exact(p) for key, (_, p) in labelled(table).items()})

    def _rows(self, rows: Sequence[Any]) -> dict[Database, Fraction]:
        return law_of({self.database(row["database"]): exact(row["probability"]) for row in rows})

    def _groups(self, specs: Sequence[Any]) -> Iterator[Group]:
        start = 0
        for spec in specs:
            size = spec.get("size", 1)
            inner = self.components(spec, size)
            groups = inner[0].groups
            if len(inner) > 1:  # the latent choice inside a group is summed out
                joint = mixture((dict(joined(component.groups)), component.weight) for component in inner)
                groups = [(tuple(range(size)), joint)]
            for _ in range(spec.get("times", 1)):
                yield from ((tuple(start + i for i in records), law) for records, law in groups)
                start += size

    def _network(self, nodes: Sequence[Any], size: int) -> list[Group]:
        """The connected parts of a network as groups; each law is made node by node."""
        at = connected(range(size), [(node["record"], *indices(node.get("given", []))) for node in nodes])
        groups = []
        for first in dict.fromkeys(at.values()):
            records = tuple(i for i in range(size) if at[i] == first)
            assignments: list[tuple[dict[int, int], Fraction]] = [({}, ONE)]
            for node in (node for node in nodes if node["record"] in records):
                parents = list(indices(node.get("given", [])))
                laws = {self.database(row["when"]): self._of_record(row["table"]) for row in node.get("rows", [])}
                if not parents:
                    laws = {(): self._of_record(node["table"])}
                assignments = [
                    ({**values, node["record"]: v}, p * q)
                    for values, p in assignments
                    for (v,), q in laws[tuple(values[i] for i in parents)].items()
                ]
                if len(assignments) > MOST:
                    raise Uncovered("a network with very many worlds")
            groups.append((records, {tuple(values[i] for i in records): p for values, p in assignments}))
        return groups

    def worlds(self, theta: Theta) -> Iterator[tuple[Database, Any, Any, str | None, Fraction]]:
        """The worlds of θ: database, the columns B and S (None where there is none), component, probability."""
        if "table" in theta.shape and any("knowledge" in row or "sensitive" in row for row in theta.shape["table"]):
            for row in theta.shape["table"]:
                columns = [text(outcome(row[key])) if key in row else None for key in ("knowledge", "sensitive")]
                if p := exact(row["probability"]):
                    yield self.database(row["database"]), columns[0], columns[1], None, p
            return
        for component in self.components(theta.shape, self.size):
            for database, p in joined(component.groups):
                yield database, None, None, component.name, component.weight * p

    # --- what is known, and what is protected ---------------------------------------------------------------------

    def heard(self, theta: Theta) -> Callable[[Database, Any, str | None], Raw]:
        """The law of B in a world, as a function of its database, its column B and its component."""
        knowledge = theta.known
        if knowledge is None:
            return lambda _database, column, _component: [(NOTHING if column is None else column, ONE)]
        if knowledge.get("kind") == "component":
            return lambda _database, _column, component: [(component, ONE)]
        channel = self.knowledge_channel(knowledge)
        return lambda database, _column, _component: channel.law(database)

    def knowledge_channel(self, knowledge: Mapping[str, Any]) -> Made:
        """The knowledge function as a mechanism; the key `records` alone stands for the values of these records."""
        short = "records" in knowledge and not {"kind", "table", "rows"} & set(knowledge)
        return self.kinds.read({**knowledge, "kind": "records"} if short else knowledge, self.size)

    @property
    def protected(self) -> list[Any]:
        """The indices of the records that are protected, or `["S"]`."""
        sensitive = self.table.get("sensitive", {})
        columns = any(
            "sensitive" in row for shape in self.table.get("distribution", []) for row in shape.get("table", [])
        )
        if columns or "rows" in sensitive or "table" in sensitive:
            return ["S"]
        records = list(indices(sensitive.get("records", range(self.size))))
        return [self.part["record"]] if "record" in self.part and self.part["record"] in records else records

    @property
    def function(self) -> dict[Database, str]:
        """S as a function of the database; empty where it is none."""
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
            row
            for shape in self.table.get("distribution", [])
            for row in shape.get("table", [])
            if exact(row["probability"])
        ]
        labels = self.function.values() or [text(outcome(row["sensitive"])) for row in columns]
        return list(dict.fromkeys(labels))

    def tables(self) -> dict[str, dict[tuple[Any, ...], Fraction]]:
        """For each θ the probability of each (database, B̂, S); S is None where records are protected."""
        tables = {}
        function, of_records = self.function, self.protected != ["S"]
        for theta in self.thetas:
            heard, law = self.heard(theta), dict[tuple[Any, ...], Fraction]()
            for database, column, sensitive, component, p in self.worlds(theta):
                secret = None if of_records else sensitive if sensitive is not None else function[database]
                for known, q in heard(database, column, component):
                    key = tuple(self.texts[v] for v in database), text(known), secret
                    law[key] = law.get(key, Fraction(0)) + p * q
                if len(law) > MOST:
                    raise Uncovered("a distribution with very many worlds")
            tables[theta.name] = law
        return tables


def law_of(table: dict[Database, Fraction]) -> dict[Database, Fraction]:
    """The law without databases of probability 0; the probabilities must sum to 1."""
    if sum(table.values()) != 1 or any(p < 0 for p in table.values()):
        raise Rejected("the model file has a table of probabilities that is no law")
    return {database: p for database, p in table.items() if p}


def joined(groups: Sequence[Group]) -> Iterator[tuple[Database, Fraction]]:
    """The databases of independent groups that make up all records, with their probabilities."""
    if prod(len(law) for _, law in groups) > MOST:
        raise Uncovered("a distribution with very many worlds")
    order = [i for records, _ in groups for i in records]
    places = [order.index(i) for i in sorted(order)]
    for chosen in product(*(law.items() for _, law in groups)):
        values = [v for row, _ in chosen for v in row]
        yield tuple(values[k] for k in places), prod((p for _, p in chosen), start=ONE)
