"""A reader of model files (models/FORMAT.md), for the comparison of certificates with their file.

It reads the whole file strictly (`File.whole`), and expands the distributions, what is known and what is protected,
with its own short code. Where it does not go so far it raises `Uncovered`. What a file promises, answers to its own
questions and normalizations to be checked, is read so that the file has its form: no answer rests on it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from verifier.checker import Rejected
from verifier.checker.laws import mixture
from verifier.checker.model.labels import (
    NOTHING,
    Decimal,
    Raw,
    Uncovered,
    chance,
    chosen,
    connected,
    distinct,
    epsilon,
    exact,
    indices,
    integer,
    keyed,
    labelled,
    listed_rows,
    listing,
    name,
    outcome,
    record,
    refused,
    sizes_of,
    table_of,
    text,
)
from verifier.checker.model.mechanisms import ROWS, Database, Kinds, Made
from verifier.checker.model.policy import JointLeak, Policy, Reader, label, pair_of
from verifier.checker.numbers import ONE

MOST = 1 << 20
"""Most worlds of one θ that are listed."""
Group = tuple[tuple[int, ...], dict[Database, Fraction]]
"""Records that are independent of all others, and their joint law."""


def law_of(table: dict[Database, Fraction]) -> dict[Database, Fraction]:
    """The law without databases of probability 0; the probabilities must sum to 1."""
    if sum(table.values()) != 1:
        raise Rejected("the model file has a table of probabilities that is no law")
    return {database: p for database, p in table.items() if p}


def joined(groups: Sequence[Group], most: int = MOST) -> Iterator[tuple[Database, Fraction]]:
    """The databases of independent groups that make up all records, with their probabilities."""
    if prod(len(law) for _, law in groups) > most:
        raise Uncovered("a distribution with very many worlds")
    order = [i for records, _ in groups for i in records]
    places = [order.index(i) for i in sorted(order)]
    for rows in product(*(law.items() for _, law in groups)):
        values = [v for row, _ in rows for v in row]
        yield tuple(values[k] for k in places), prod((p for _, p in rows), start=ONE)


MOST_ROWS = 1 << 16
"""Most worlds of which each is looked for in a table."""
REQUIRED = ("size", "values", "mechanism")
OPTIONAL = ("title", "source", "notes", "distribution", "knowledge", "sensitive", "normalization", "expect", "policy")
SHAPES = ("table", "iid", "independent", "mixture", "network", "groups")


class Component(NamedTuple):
    """One component of a mixture: independent groups of records."""

    name: str | None
    weight: Fraction
    groups: list[Group]


class Theta(NamedTuple):
    """One pair (θ, ζ): its name, the keys of θ, those of ζ (None where nothing is known), and the name of θ alone."""

    name: str
    shape: Mapping[str, Any]
    known: Mapping[str, Any] | None
    own: str


class File:
    """A model file; `part` restricts it to one θ or one record."""

    def __init__(self, model_bytes: bytes, part: Mapping[str, Any] | None) -> None:
        try:
            table = tomllib.loads(model_bytes.decode("utf-8"), parse_float=Decimal)
        except (ValueError, RecursionError) as error:
            raise Rejected(f"the model file is no TOML: {error}") from None
        if isinstance(table.get("parameters", {}), dict) and {"parameters", "conditions"} & set(table):
            raise Uncovered("the file has parameters")
        self.table, self.part = keyed(table, REQUIRED, OPTIONAL), part or {}
        if any(isinstance(v, list) for v in listing(table["values"])):
            raise refused(table["values"], "integers, texts or booleans")
        self.values = [outcome(v) for v in table["values"]]
        self.texts: list[str] = distinct(map(text, self.values), "distinct values")
        self.size = table["size"]
        self.sizes = sizes_of(self.size)
        self.kinds = Kinds(self.values, None if self.sizes is None else self.sizes[0])
        self.largest: int = self.sizes[1] if self.sizes else self.size
        self.thetas = [theta for theta in self._thetas() if theta.name == self.part.get("distribution", theta.name)]

    def whole(self) -> None:
        """Read all of the file, so that what its format does not allow is rejected, whatever a certificate needs.

        Raises:
            Rejected: for a part that the format does not allow.

        """
        for text_key in ("title", "source", "notes"):
            name(self.table.get(text_key, ""), lines=text_key == "notes")
        for theta in self.thetas:
            self.components(theta.shape, self.largest, whole=False, columns=True)
        columns = {column: self._has(column) for column in ("knowledge", "sensitive")}
        order_alone = set(self.table.get("sensitive", {})) == {"values"}
        given = [column for column in columns if column in self.table and not (column == "sensitive" and order_alone)]
        if any(columns[column] for column in given):
            raise refused(list(self.table), "a column of the rows, or a table of its own")
        for read in (
            self._whole_channels,
            lambda: self.policy,
            lambda: self.protected,
            lambda: self.function,
            lambda: self.domain,
        ):
            try:
                read()
            except Uncovered:
                continue
        for spec in listing(self.table.get("normalization", [])):
            normalization(spec, self.kinds, self.largest, self._every_secret, [theta.name for theta in self._thetas()])
        for spec in listing(self.table.get("expect", [])):
            promise(spec)

    def _same_outputs(self) -> None:
        """What leaks with the output has the outputs of the mechanism, with their probabilities."""
        leak = self.policy.get("leak")
        if not isinstance(leak, JointLeak):
            return
        for database in leak.laws:
            law = {text(output): p for output, p in self.mechanism.law(self.reached(list(database))) if p}
            if leak.outputs(database) != law:
                raise refused(list(database), "in leak the law of the output that the mechanism has")

    def _whole_channels(self) -> None:
        """The mechanism and what is known, with a row for each possible database."""
        channels = [self.mechanism]
        for table in self.tables_of_outputs:
            self.kinds.told(self.mechanism, self.largest, table, self.table["mechanism"], self.named)
        self._same_outputs()
        for theta in {id(theta.known): theta for theta in self.thetas}.values():
            if theta.known is None:
                continue
            if theta.known.get("kind") == "component":
                keyed(theta.known, ("kind",))
                if not all("mixture" in theta.shape for theta in self.thetas):
                    raise refused("component", "a mixture in every distribution")
                continue
            channels.append(self.knowledge_channel(theta.known))
        for theta in self.thetas:
            for database in self._possible(theta):
                for channel in channels:
                    if channel.partial:
                        channel.law(database)

    def _possible(self, theta: Theta) -> list[Database]:
        """The possible databases of θ; none where they are very many."""
        try:
            return list({database for database, *_ in self.worlds(theta, MOST_ROWS)})
        except Uncovered:
            return []

    @cached_property
    def mechanism(self) -> Made:
        """The mechanism of the file; its noise keeps apart what [policy] names of its outputs."""
        return self.made(self.table["mechanism"])

    def made(self, spec: Any, *, sampled: bool = True) -> Made:
        """The mechanism of a table in the place of the file's own."""
        return self.kinds.read(spec, self.largest, self.named, sampled=sampled)

    @cached_property
    def tables_of_outputs(self) -> list[tuple[Any, ...]]:
        """The outputs that each table from outputs names in [policy]: tests, views, leak and image."""
        policy = self.table.get("policy", {})
        tables = [*policy.get("tests", ()), *policy.get("views", ()), policy.get("image", {})]
        leak = policy.get("leak", {})
        if not isinstance(leak, list):
            return [tuple(map(outcome, table)) for table in (*tables, leak) if table]
        laws = [row["outputs"] if "outputs" in row else [row["output"]] for row in map(table_of, leak)]
        named = dict.fromkeys(pair_of(label(written))[0] for law in laws for written in law)
        return [tuple(map(outcome, table)) for table in (*tables, named) if table]

    @property
    def named(self) -> tuple[Any, ...]:
        """The outputs that [policy] names."""
        return tuple(value for table in self.tables_of_outputs for value in table)

    @property
    def absent(self) -> str | None:
        """The value of a record that is not there; None where the file names none, or leaves such records out."""
        policy = self.table.get("policy", {}) if self.sizes is None else {}
        return text(outcome(policy["absent"])) if "absent" in policy else None

    @cached_property
    def policy(self) -> Policy:
        """The fields of `[policy]`."""
        names = [theta.own for theta in self._thetas()]
        return Reader(self.texts, self.largest, self.kinds.least, names).read(self.table.get("policy", {}))

    def _thetas(self) -> Iterator[Theta]:
        alone = {"distribution", "knowledge", "sensitive", "normalization"} & set(self.table)
        if alone and self.sizes is not None:
            raise refused(sorted(alone), "databases of one size, or none of these keys")
        if alone - {"sensitive"} and "distribution" not in self.table:
            raise refused(sorted(alone), "a distribution")
        known = self.table.get("knowledge")
        zetas = known if isinstance(known, list) else [known]
        shapes = listing(self.table.get("distribution", []))
        if not zetas or ("distribution" in self.table and not shapes):
            raise refused(list(self.table), "at least one distribution and, if any, one knowledge")
        theta_names = [name(table_of(shape).get("name", f"#{k}")) for k, shape in enumerate(shapes, start=1)]
        zeta_names = [name(table_of(zeta).get("name", f"#{j}")) if isinstance(known, list) else ""
                      for j, zeta in enumerate(zetas, start=1)]  # fmt: skip
        if shapes:
            distinct(theta_names, "distinct names")
        distinct(zeta_names, "distinct names")
        pairs = []
        for theta_name, shape in zip(theta_names, shapes, strict=True):
            for zeta_name, zeta in zip(zeta_names, zetas, strict=True):
                knowledge = {k: v for k, v in zeta.items() if k != "name"} if isinstance(known, list) else known
                also = f" / {zeta_name}" if len(zetas) > 1 else ""
                pairs.append(Theta(theta_name + also, shape, knowledge, theta_name))
        if pairs:
            distinct((pair.name for pair in pairs), "distinct names of pairs")
        return iter(pairs)

    # --- distributions --------------------------------------------------------------------------------------------

    def components(
        self, shape: Any, size: int, own: str | None = None, *, whole: bool = True, columns: bool = False,
        beside: tuple[str, ...] = ("name",),
    ) -> list[Component]:  # fmt: skip
        """The components of a distribution, by the keys of its table; columns for B and S are not looked at.

        Not `whole`: each law once, also where many records have it, so that it is read and no more. `columns` may
        stand in the rows; the keys `beside` beside the shape.
        """
        keyed(shape, (), beside, one_of=SHAPES)
        if "iid" in shape:
            law = self._of_record(shape["iid"])
            return [Component(own, ONE, [((i,), law) for i in range(size if whole else 1)])]
        if "independent" in shape:
            laws = listing(shape["independent"], size)
            return [Component(own, ONE, [((i,), self._of_record(law)) for i, law in enumerate(laws)])]
        if "mixture" in shape:
            return self._mixture(shape["mixture"], size, own, whole=whole)
        if "groups" in shape:
            return [Component(own, ONE, self._groups(shape["groups"], size, whole=whole))]
        if "network" in shape:
            return [Component(own, ONE, self._network(shape["network"], size))]
        return [Component(own, ONE, [(tuple(range(size)), self._rows(shape["table"], size, columns=columns))])]

    def _mixture(self, parts: Any, size: int, own: str | None, *, whole: bool) -> list[Component]:
        weights, names, components = [], [], []
        for k, part in enumerate(listing(parts), start=1):
            weights.append(chance(table_of(part).get("weight")))
            names.append(text(outcome(name(part.get("name", f"#{k}")))))
            inner = self.components(
                part, size, own or part.get("name", f"#{k}"), whole=whole, beside=("name", "weight")
            )
            components += [entry._replace(weight=weights[-1] * entry.weight) for entry in inner if weights[-1]]
        distinct(names, "distinct names of parts")
        if sum(weights) != 1:
            raise Rejected("the weights of a mixture in the model file do not sum to 1")
        return components

    def database(self, values: Sequence[Any], size: int | None = None) -> Database:
        """A database as places in T."""
        return self.kinds.database(values, self.largest if size is None else size)

    def reached(self, values: Sequence[Any]) -> Database:
        """A database on which the mechanism is asked: a sample of a multiset has any size."""
        spec = self.table["mechanism"]
        sampled = self.sizes is not None and isinstance(spec, dict) and "sample" in spec
        return (Kinds(self.values, 0) if sampled else self.kinds).database(values, self.largest)

    def _of_record(self, table: Any) -> dict[Database, Fraction]:
        """The law of one record: its table, or all values alike."""
        if table == "uniform":
            return {(v,): Fraction(1, len(self.values)) for v in range(len(self.values))}
        return law_of({(self.kinds.place(key),): chance(p) for key, (_, p) in labelled(table).items()})

    def _rows(self, rows: Any, size: int, *, columns: bool) -> dict[Database, Fraction]:
        """The law of the databases that rows list; rows are distinct as (database, knowledge, sensitive)."""
        law: dict[Database, Fraction] = {}
        seen, carried = set(), set()
        for row in listing(rows):
            keyed(row, ("database", "probability"), COLUMNS if columns else ())
            extra = tuple(text(outcome(row[column])) if column in row else None for column in COLUMNS)
            carried.add(tuple(column in row for column in COLUMNS))
            database = self.database(row["database"], size)
            seen.add((database, *extra))
            law[database] = law.get(database, Fraction(0)) + chance(row["probability"])
        if len(seen) < len(rows) or len(carried) != 1:
            raise refused("a table", "distinct rows, at least one, all with the same columns")
        return law_of(law)

    def _groups(self, specs: Any, full_size: int, *, whole: bool) -> list[Group]:
        start, groups = 0, []
        for spec in listing(specs):
            times, size = (integer(table_of(spec).get(key, 1), 1) for key in ("times", "size"))
            if start + times * size > full_size:
                raise refused(spec, f"groups of {full_size} records together")
            inner = self.components(spec, size, whole=whole, beside=("times", "size"))
            inside = inner[0].groups
            if len(inner) > 1 and whole:  # the latent choice inside a group is summed out
                joint = mixture((dict(joined(component.groups)), component.weight) for component in inner)
                inside = [(tuple(range(size)), joint)]
            for k in range(times if whole else 1):
                groups += [(tuple(start + k * size + i for i in records), law) for records, law in inside]
            start += times * size
        if start != full_size:
            raise refused(start, f"groups of {full_size} records together")
        return groups

    def _network(self, nodes: Any, size: int) -> list[Group]:
        """The connected parts of a network as groups; each law is made node by node."""
        read = [self._node(node, size) for node in listing(nodes)]
        order = [node for node, _, _ in read]
        if sorted(order) != list(range(size)):
            raise refused(order, "a node for each record")
        if any(parent not in order[:k] for k, (_, parents, _) in enumerate(read) for parent in parents):
            raise refused(order, "parents before their children")
        at = connected(range(size), [(node, *parents) for node, parents, _ in read])
        groups = []
        for first in dict.fromkeys(at.values()):
            records = tuple(i for i in range(size) if at[i] == first)
            assignments: list[tuple[dict[int, int], Fraction]] = [({}, ONE)]
            for node, parents, laws in read:
                if node not in records:
                    continue
                assignments = [
                    ({**values, node: v}, p * q)
                    for values, p in assignments
                    for (v,), q in laws[tuple(values[i] for i in parents)].items()
                ]
                if len(assignments) > MOST:
                    raise Uncovered("a network with very many worlds")
            groups.append((records, {tuple(values[i] for i in records): p for values, p in assignments}))
        return groups

    def _node(self, node: Any, size: int) -> tuple[int, list[int], dict[Database, dict[Database, Fraction]]]:
        """A node of a network: its record, its parents, and its law for each case of their values."""
        own, parents = record(table_of(node).get("record"), size), list(indices(node.get("given", []), size))
        keyed(node, ("record", "rows" if parents else "table"), ("given",))
        if not parents:
            return own, parents, {(): self._of_record(node["table"])}
        laws = {}
        for row in listing(node["rows"]):
            keyed(row, ("when", "table"))
            laws[tuple(map(self.kinds.place, listing(row["when"], len(parents))))] = self._of_record(row["table"])
        if len(laws) < len(node["rows"]):
            raise refused(node["rows"], "distinct rows")
        return own, parents, laws

    def worlds(self, theta: Theta, most: int = MOST) -> Iterator[tuple[Database, Any, Any, str | None, Fraction]]:
        """The worlds of θ: database, the columns B and S (None where there is none), component, probability."""
        if "table" in theta.shape and set(COLUMNS) & set(theta.shape["table"][0]):
            for row in theta.shape["table"]:
                columns = [text(outcome(row[key])) if key in row else None for key in COLUMNS]
                if p := exact(row["probability"]):
                    yield self.database(row["database"]), columns[0], columns[1], None, p
            return
        if self.largest > most:  # each record has a value
            raise Uncovered("a distribution with very many records")
        for component in self.components(theta.shape, self.largest, columns=True):
            for database, p in joined(component.groups, most):
                yield database, None, None, component.name, component.weight * p

    # --- what is known, and what is protected ---------------------------------------------------------------------

    def heard(self, theta: Theta) -> Callable[[Database, Any, str | None], Raw]:
        """The law of B in a world, as a function of its database, its column B and its component."""
        knowledge = theta.known
        if knowledge is None:
            return lambda _database, column, _component: [(NOTHING if column is None else column, ONE)]
        if knowledge.get("kind") == "component":
            return lambda _database, _column, component: [(outcome(component), ONE)]
        channel = self.knowledge_channel(knowledge)
        return lambda database, _column, _component: channel.law(database)

    def knowledge_channel(self, knowledge: Any) -> Made:
        """The knowledge function as a mechanism; the key `records` alone stands for the values of these records."""
        return self.kinds.read(knowledge, self.largest, known=True)

    def _has(self, column: str) -> bool:
        """Whether the rows of the tables carry a column; all θ alike."""
        carried = {"table" in theta.shape and column in theta.shape["table"][0] for theta in self.thetas}
        if len(carried) > 1:
            raise refused(column, "a column in all distributions, or in none")
        return carried == {True}

    @property
    def protected(self) -> list[Any]:
        """The indices of the records that are protected, or `["S"]`; of a part that is about a record that alone."""
        secrets, one = self._every_secret, self.part.get("record")
        return [one] if one in secrets else secrets

    @property
    def _every_secret(self) -> list[Any]:
        """The indices of the records that the file protects, or `["S"]`."""
        sensitive = keyed(self.table.get("sensitive", {}), (), ("records", *ROWS, "values"))
        if self._has("sensitive") or set(ROWS) & set(sensitive):
            return ["S"]
        if "sensitive" in self.table and not indices(sensitive.get("records", []), self.largest):
            raise refused(sensitive, "records, or rows")
        return list(indices(sensitive["records"], self.largest) if sensitive else range(self.largest))

    @property
    def function(self) -> dict[Database, str]:
        """S as a function of the database; empty where it is none."""
        if not set(ROWS) & set(sensitive := self.table.get("sensitive", {})):
            return {}
        listed = listed_rows(keyed(sensitive, (), ("values",), one_of=ROWS))
        rows = [keyed(row, ("database", "value")) for row in listed]
        function = {self.database(row["database"]): text(outcome(row["value"])) for row in rows}
        if len(function) < len(rows) or not self.thetas:
            raise refused(sensitive, "one row a database, of a file with a distribution")
        if any(database not in function for theta in self.thetas for database in self._possible(theta)):
            raise refused(sensitive, "a row for each possible database")
        return function

    @property
    def domain(self) -> list[str]:
        """The sensitive values, in the order that the file gives them, or in which they appear; T for records."""
        if self.protected != ["S"]:
            if "values" in self.table.get("sensitive", {}):
                raise refused("values", "`values` in [sensitive] for a protected function alone")
            return self.texts
        columns = [
            row
            for shape in self.table.get("distribution", [])
            for row in shape.get("table", [])
            if exact(row["probability"])
        ]
        labels = self.function.values() or [text(outcome(row["sensitive"])) for row in columns]
        occurring = list(dict.fromkeys(labels))
        if not self.ordered:
            return occurring
        order = distinct((text(outcome(value)) for value in listing(self.table["sensitive"]["values"])), "values once")
        if set(order) != set(occurring):
            raise refused(order, "all values of what is protected")
        return order

    @property
    def ordered(self) -> bool:
        """Whether the file says in which order the values of a protected function stand."""
        return "values" in self.table.get("sensitive", {})

    @property
    def distributions(self) -> dict[str, str]:
        """The name of θ by that of each pair (θ, ζ), where these are other names."""
        return {theta.name: theta.own for theta in self.thetas if theta.name != theta.own}

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


# --- what a file promises ---------------------------------------------------------------------------------------------

COLUMNS = ("knowledge", "sensitive")
QUESTION = ("reading", "epsilon", "delta", "record", "distribution", "k")
ANSWER = ("verdict", "method", "tight_delta", "tight_epsilon", "tight_delta_decimal", "tight_epsilon_decimal",
          "comparisons", "multiplicity", "empty", "acceptable", "reason", "largest")  # fmt: skip


def promise(spec: Any) -> None:
    """An answer of `[[expect]]`."""
    if not set(keyed(spec, ("definition",), (*QUESTION, *ANSWER))) & set(ANSWER):
        raise refused(list(spec), "an answer")
    name(spec["definition"])
    chance(spec.get("delta", 0))
    epsilon(spec.get("epsilon", 0))


def normalization(spec: Any, kinds: Kinds, size: int, protected: Sequence[Any], thetas: Sequence[str]) -> None:
    """A table of `[[normalization]]`; `protected` and `thetas` are those of the file."""
    records = protected != ["S"]
    keyed(spec, ("parameters", "table", *(["record"] if records else [])), ("distribution", "knowledge"))
    chosen(spec.get("distribution", thetas[0] if len(thetas) == 1 else None), thetas)
    if records:
        chosen(spec["record"], protected)
    parameters = [keyed(parameter, ("name", "table")) for parameter in listing(spec["parameters"])]
    names = distinct((name(parameter["name"]) for parameter in parameters), "distinct names")
    for parameter in parameters:
        kinds.law_of(parameter["table"])
    for row in listing(spec["table"]):
        keyed(row, ("when", "database"), COLUMNS)
        for value, parameter in zip(listing(row["when"], len(names)), parameters, strict=True):
            chosen(text(outcome(value)), labelled(parameter["table"]))
        kinds.database(row["database"], size)
        for column in set(COLUMNS) & set(row):
            outcome(row[column])
    for known in listing(spec.get("knowledge", [])):
        chosen(name(known), names)
