"""From the tables of a certificate to what a definition of DMKB20 compares: laws, by the plainest means.

`Tables` reads the tables: T, what is protected, the worlds of each θ, and the law of M(D) on each database. `Cells`
adds up the worlds of a θ with one B̂ and one sensitive value; `conditional` lists the pairs of laws that a definition
compares (DMKB20, Definitions 3, 5, 12 and 13), wherever a law given B̂ and D(i) = a is known, from tables or from sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import lcm
from typing import Any, NamedTuple, Protocol, TypeAlias

from verifier.checker import Beyond, Rejected, require
from verifier.checker.model.labels import MOST_RECORDS, NOTHING
from verifier.checker.model.policy import Database, Policy, Reader
from verifier.checker.numbers import ONE, ZERO, number

Law: TypeAlias = dict[Any, Any]
"""The probabilities of outcomes, or weights (`Weighted`)."""
World: TypeAlias = tuple[Database, str, Any, Fraction]
"""A world: the database, B̂, the sensitive value (None where records are protected), and the probability."""
FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"
MOST_STEPS = 1 << 12
"""Most steps by which the outputs of an event are told apart."""
MOST_DATABASES = 1 << 12
"""Most databases of which all are listed."""

# --- what a definition compares ---------------------------------------------------------------------------------------

DATABASES, GIVEN, CHANGED, BELIEFS = "neighbouring databases", "given values", "a changed record", "beliefs"
SIMULATOR, DEPENDENCY = "a simulator", "two mechanisms"
SIMULATED_BELIEFS = "a simulator, by beliefs"
ONE_MORE, RECODINGS = "databases with a tuple more", "the recodings of databases with a tuple more"
HOCKEY_STICK, TAIL = "hockey-stick", "tail"
IN_STATEMENTS = (DATABASES, GIVEN, CHANGED, BELIEFS)
"""What a statement about one model may ask for: pairs of laws in the tables of the model."""
BY_SUMS = (GIVEN, CHANGED)
"""Comparisons about which a certificate may have sums in place of tables."""
REPLACING = (DATABASES, CHANGED, BELIEFS, SIMULATOR, SIMULATED_BELIEFS)
"""Comparisons that replace a record, or give a simulator all other records: where S is a function of the database,
they do not apply, not even vacuously."""


class Definition(NamedTuple):
    """A definition of DMKB20 or LQS12.

    What it compares, its readings, its measure, and whether δ bounds the average over B̂.
    """

    compares: str
    readings: tuple[str, ...]
    measure: str = HOCKEY_STICK
    averages: bool = False

    @property
    def linear(self) -> bool:
        """Whether it bounds sums of the mechanism's probabilities: no beliefs, and no tails."""
        return self.compares in {DATABASES, GIVEN, CHANGED} and self.measure == HOCKEY_STICK

    def values(self, values: Sequence[str], absent: str | None) -> list[str]:
        """The values of a record that it speaks of: all, or those of a record that is there, if it replaces it.

        To replace a record that is absent, or to replace one by nothing, would add or remove a record. DP22's
        Definition 14 keeps that apart from a change, and a simulator that is told n - 1 records imitates M on a
        database that has n.
        """
        return [v for v in values if v != absent or self.compares not in REPLACING]


ORDERS = ("default", "one-order")
DEFINITIONS = {
    "dp": Definition(DATABASES, ORDERS),
    "np": Definition(GIVEN, ORDERS),
    "apkdp": Definition(GIVEN, ORDERS),
    "ppkdp": Definition(GIVEN, (*ORDERS, "infinite-loss"), averages=True),
    "cdp": Definition(CHANGED, (*ORDERS, "all-values")),
    "ibcdp": Definition(BELIEFS, (*ORDERS, "possible-values")),
    "ddp": Definition(SIMULATOR, ("default", "index-free", "per-distribution", "per-knowledge")),
    "ibddp": Definition(SIMULATED_BELIEFS, ("default",)),
    "dependency": Definition(DEPENDENCY, (*ORDERS, "no-loss", "infinite-loss", "equal-infinities", "both-ways")),
    "dps": Definition(ONE_MORE, ("default", "any-delta")),
    "safe": Definition(RECODINGS, ("default",)),
}
DEFINITIONS |= {f"tail-{name}": DEFINITIONS[name]._replace(measure=TAIL) for name in ("dp", "apkdp", "ppkdp", "cdp")}
"""The definitions that this checker derives, by their keys; it rejects all others."""


class Pair(NamedTuple):
    """Two laws that are compared, P against Q, each up to a factor; `q` is None where Q does not exist.

    `weight` is the share of the pair in its comparison; `knowledge` is B̂, for posteriors (B̂, t).
    """

    weight: Fraction
    knowledge: Any
    p: Law
    q: Law | None
    direction: str


class Compared(NamedTuple):
    """One comparison: its θ, its record, the values a and b, two neighbours (or None), and its pairs of laws.

    `scale` is the multiple of ε that it may have, `row` the row of DP22 that it is, where it is one.
    """

    theta: str | None
    record: Any
    a: Any
    b: Any
    databases: Any
    pairs: list[Pair]
    scale: Fraction = ONE
    row: Row | None = None


class Row(NamedTuple):
    """An ordered pair of laws of DP22, P against Q, with the multiple c of ε that it may have, and its names.

    `words` says what is compared, and `event` of which outputs, where it is of some. `weight` is the share of the row
    in its group, the rows that count together.
    """

    p: Law
    q: Law
    words: str
    databases: tuple[Database, Database] | None = None
    scale: Fraction = ONE
    distribution: str | None = None
    record: int | None = None
    weight: Fraction = ONE
    group: Any = None
    event: frozenset[str] | None = None

    def named(self, text: str) -> bool:
        """Whether a text names the row; the outputs of its event stand in any order."""
        if self.event is None:
            return text == self.words
        start, end = f"{self.words}, event {{", "}"
        inside = text.removeprefix(start).removesuffix(end)
        return text == f"{start}{inside}{end}" and _lists(inside, self.event)


def _lists(text: str, labels: frozenset[str]) -> bool:
    """Whether a text lists all of the labels, in some order, with commas; a label may have a comma, too.

    Raises:
        Beyond: where labels are parts of each other in so many ways that this takes long.

    """
    waiting, steps = [(text, labels)], 0
    while waiting:
        steps += 1
        if steps > MOST_STEPS:
            raise Beyond("the outputs of an event can be read in too many ways")
        rest, left = waiting.pop()
        if len(left) == 1:
            if rest in left:
                return True
            continue
        waiting += [(rest[len(label) + 2 :], left - {label}) for label in left if rest.startswith(f"{label}, ")]
    return False


# --- laws -------------------------------------------------------------------------------------------------------------


def summed(weights: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The sum of the weights of each outcome."""
    total: dict[Any, Any] = {}
    for outcome, weight in weights:
        total[outcome] = total[outcome] + weight if outcome in total else weight
    return total


def mixture(laws: Iterable[tuple[Mapping[Any, Any], Any]]) -> dict[Any, Any]:
    """Σ weight·law, without the laws that have no weight."""
    return summed((outcome, weight * p) for law, weight in laws if weight for outcome, p in law.items())


def conditioned(weights: Mapping[Any, Any]) -> dict[Any, Any]:
    """The weights over their sum."""
    total = sum(weights.values())
    return {outcome: w * Fraction(1) / total for outcome, w in weights.items()}  # a weight may be a function


def expectation(law: Mapping[Any, Any], values: Mapping[Any, Any]) -> Any:
    """Σ P·h, for a function h that is 0 where it has no value."""
    return sum((p * values[outcome] for outcome, p in law.items() if outcome in values), ZERO)


def chance(law: Mapping[Any, Any], event: Iterable[Any]) -> Fraction:
    """P[S], for a law without a total of its own."""
    return sum((law.get(outcome, ZERO) for outcome in event), ZERO)


def law_of(table: Mapping[str, str], reason: str) -> Law:
    """The law that a certificate writes, without outcomes of probability 0; rejected for a reason where it is none."""
    law = {outcome: p for outcome, written in table.items() if (p := number(written))}
    if sum(law.values()) != 1:
        raise Rejected(reason)
    return law


class Weighted(dict[Any, Any]):
    """Weights with the total that they are over: the sum of a law's weights; 1 for a measure that need not sum to 1."""

    def __init__(self, weights: dict[Any, Any], total: Any) -> None:
        super().__init__(weights)
        self.total = total


def total_of(law: Law) -> Any:
    """The total of a law's weights: a probability is a weight over this total."""
    return law.total if isinstance(law, Weighted) else sum(law.values())


def is_product(joint: Mapping[tuple[Any, Any], Fraction]) -> bool:
    """Whether the two parts of an outcome are independent; the weights need not sum to 1."""
    left, right = (summed((pair[side], p) for pair, p in joint.items()) for side in (0, 1))
    total = sum(joint.values())
    return all(joint.get((a, b), 0) * total == p * q for a, p in left.items() for b, q in right.items())


# --- tables -----------------------------------------------------------------------------------------------------------


def protected(secrets: list[Any], size: int) -> list[int]:
    """The records that are protected; none where S is."""
    records = [secret for secret in secrets if type(secret) is int and 0 <= secret < size]
    distinct = records == secrets and len(set(records)) == len(records) > 0
    require(distinct or secrets == ["S"], "secrets must be distinct records, or S")
    return records


class Tables:
    """The tables of a certificate, once they are well formed.

    `size` is a number of records, or `[from, to]` for multisets; `policy` stands as in a model file, with labels as
    texts. `worlds` are lists of [database, B̂, S or None, probability], whose numbers `read` reads. Where S is
    protected, `domain` has its values.
    """

    def __init__(self, certificate: Mapping[str, Any], read: Callable[[Any], Any] = number) -> None:
        self.values: list[str] = list(certificate["values"])
        self.delta = number(certificate.get("question", {}).get("delta", "0"))
        size = certificate["size"]
        self.lists = type(size) is int
        first, last = (size, size) if type(size) is not list or len(size) != 2 else size
        sizes = type(first) is int and type(last) is int and 0 <= first <= last and last > 0
        require(sizes, "size and values: size is a number of records, or two with 0 ≤ from ≤ to")
        require(last <= MOST_RECORDS, f"size: more than {MOST_RECORDS:,} records")
        require(self.values and len(set(self.values)) == len(self.values), "size and values: values must be distinct")
        self.first, self.size = first, last
        self.secrets: list[Any] = list(certificate["secrets"])
        self.of_records = self.secrets != ["S"]
        if self.lists:
            protected(self.secrets, last)
        absent = {"absent": certificate["absent"]} if "absent" in certificate else {}
        fields = certificate.get("policy", absent)
        least = None if self.lists else first
        self.policy: Policy = Reader(self.values, last, least).read(fields) if fields != {} else {}
        self.absent: str | None = self.policy.get("absent")
        self.worlds = {theta: self._worlds(rows, read) for theta, rows in certificate["worlds"].items()}
        self.names: dict[str, str] = certificate.get("distributions", {theta: theta for theta in self.worlds})
        require(self.names.keys() == self.worlds.keys(), "distributions: a name for each pair of θ and ζ")
        self.domain: list[str] = certificate.get("domain", self.values if self.of_records else self.function_values)
        require(
            not self.of_records or self.domain == self.values, "domain: the sensitive values of records are the values"
        )
        self.mechanism: dict[Database, Law] = {}
        different: dict[Any, Law] = {}
        for database, law in certificate["mechanism"]:
            valid = self.is_database(key := tuple(database))
            require(
                valid,
                "the mechanism has a law on what is no database: of another size, or with what is none of the values",
            )
            require(key not in self.mechanism, f"the mechanism has two laws on {database}")
            read_law = Weighted(law_of(law, f"the mechanism's law on {database} is no law"), ONE)
            self.mechanism[key] = different.setdefault(frozenset(read_law.items()), read_law)  # equal laws are one
        self._cells: dict[tuple[str, Any], Cells] = {}

    def is_database(self, database: Database) -> bool:
        """Whether this is a list of n values, or a multiset in the order of the values."""
        if not set(database) <= set(self.values) or not self.first <= len(database) <= self.size:
            return False
        return self.lists or list(database) == sorted(database, key=self.values.index)

    def _worlds(self, rows: Sequence[Any], read: Callable[[Any], Any]) -> list[World]:
        worlds = [(tuple(d), NOTHING if known is None else known, secret, read(p)) for d, known, secret, p in rows]
        require(sum(world[3] for world in worlds) == 1, "the worlds are no distribution: they do not sum to 1")
        for database in {world[0] for world in worlds}:
            require(
                self.is_database(database),
                "a distribution is no law on databases: one has another size, or a value outside the domain",
            )
        require(
            all((world[2] is None) == self.of_records for world in worlds),
            "a world has a sensitive value of its own, or lacks it",
        )
        return [world for world in worlds if world[3]]

    @property
    def function_values(self) -> list[Any]:
        """The values of S, in the order of the worlds."""
        return list(dict.fromkeys(world[2] for worlds in self.worlds.values() for world in worlds))

    @cached_property
    def databases(self) -> list[Database]:
        """All databases."""
        long = self.size >= MOST_DATABASES.bit_length() and len(self.values) > 1
        if long or self.size > MOST_DATABASES or len(self.values) ** self.size > MOST_DATABASES:
            raise Beyond("there are too many databases")
        if self.lists:
            return list(product(self.values, repeat=self.size))
        sizes = range(self.first, self.size + 1)
        return [d for n in sizes for d in combinations_with_replacement(self.values, n)]

    def law(self, database: Database) -> Law:
        """The law of M(D)."""
        if database not in self.mechanism:
            raise Rejected(f"the mechanism has no law for {list(database)}")
        return self.mechanism[database]

    def row(self, d: Database, e: Database, scale: Fraction = ONE) -> Row:
        """M(D) against M(D′), at a multiple of ε."""
        return Row(self.law(d), self.law(e), against(d, e) + allowed(scale), (d, e), scale)

    @property
    def records(self) -> list[int]:
        """The records that are protected."""
        if not self.lists or not self.of_records:
            raise Rejected("this definition is about records, and the model has none")
        return self.secrets

    def need(self, field: str) -> Any:
        """A field of the policy that the definition needs."""
        if field not in self.policy:
            raise Rejected(f"this definition needs `{field}` in [policy]")
        return self.policy[field]

    @property
    def thetas(self) -> dict[str, list[World]]:
        """The possible worlds of each θ, of which there must be one."""
        if not self.worlds:
            raise Rejected("there is no distribution")
        return self.worlds

    @cached_property
    def distributions(self) -> dict[str, list[World]]:
        """The possible worlds of each θ once, with nothing known; whoever knows what, θ is the same."""
        laws: dict[str, dict[Any, Any]] = {}
        for pair, worlds in self.thetas.items():
            law = summed(((database, secret), p) for database, _, secret, p in worlds)
            require(laws.setdefault(self.names[pair], law) == law, "distributions: two pairs of one θ differ")
        return {
            theta: [(database, NOTHING, secret, p) for (database, secret), p in law.items()]
            for theta, law in laws.items()
        }

    def families(self, definition: Definition, reading: str) -> Iterator[list[Compared]]:
        """The comparisons of a definition of DMKB20, a list for each θ and record."""
        domain = definition.values(self.domain, self.absent)
        if definition.compares == DATABASES:
            require(self.mechanism, "there is no mechanism")
            require(len(self.mechanism) == len(self.values) ** self.size, "dp needs the mechanism on all of T^n")
            for i in self.secrets:
                yield list(_neighbours(self.mechanism, domain, i, reading))
            return
        for theta in self.thetas:
            for record in self.secrets:
                cells = self.cells(theta, record)
                if definition.compares == DEPENDENCY:
                    from verifier.checker.properties.dependency import dependent

                    yield list(dependent(reading, cells, self.mechanism, self.domain))
                elif definition.compares == BELIEFS:
                    yield list(_posteriors(cells, reading, domain))
                else:
                    yield conditional(cells, definition, reading, domain)

    def cells(self, theta: str, record: Any) -> Cells:
        """The worlds of one θ by B̂ and one sensitive value."""
        if (theta, record) not in self._cells:
            weights = self._integers
            self._cells[theta, record] = Cells(theta, record, self.worlds[theta], self.domain, *weights)
        return self._cells[theta, record]

    @cached_property
    def _integers(self) -> tuple[Callable[[Database], Iterable[tuple[Any, int]]], int]:
        """The laws of M as integers over one denominator."""
        bottom = lcm(*(p.denominator for law in self.mechanism.values() for p in law.values()))
        rows = {
            database: [(o, p.numerator * (bottom // p.denominator)) for o, p in law.items()]
            for database, law in self.mechanism.items()
        }

        def row(database: Database) -> list[tuple[Any, int]]:
            if database not in rows:
                raise Rejected(f"the mechanism has no law for {database}")
            return rows[database]

        return row, bottom


def database_text(database: Database) -> str:
    """A database as it is named: `[a, b]`."""
    return f"[{', '.join(database)}]"


def against(d: Database, e: Database) -> str:
    """The name of a row that compares the mechanism on two databases."""
    return f"M({database_text(d)}) against M({database_text(e)})"


def allowed(scale: Fraction) -> str:
    """The words for a multiple of ε in the name of a row; none for 1."""
    return "" if scale == 1 else f", allowed {scale}·ε"


# --- laws given B̂ and a value -----------------------------------------------------------------------------------------


class Laws(Protocol):
    """One θ and one record (or S): the values B̂, P[B̂, D(i) = a] up to a factor, and the laws given both."""

    theta: str
    record: Any
    knowledges: list[Any]
    mass: dict[tuple[Any, Any], int]

    def law(self, knowledge: Any, a: Any, b: Any = None) -> Weighted:
        """M(D), or M(D with the record set to b), given B̂ and D(i) = a."""


class Cells:
    """The worlds of one θ by B̂ and the sensitive value, as integer weights; `row` is M on a database, over `bottom`."""

    def __init__(
        self,
        theta: str,
        record: Any,
        worlds: Sequence[World],
        domain: Sequence[str],
        row: Callable[[Database], Iterable[tuple[Any, int]]],
        bottom: int,
    ) -> None:
        self.theta, self.record, self.row, self.bottom = theta, record, row, bottom
        common = lcm(*(p.denominator for *_, p in worlds))
        self.cells: dict[tuple[Any, str], list[tuple[Database, Any]]] = {}
        for d, knowledge, s, p in worlds:
            value = s if record == "S" else d[record]
            require(value in domain, f"{theta} has a sensitive value outside its domain")
            self.cells.setdefault((knowledge, value), []).append((d, p.numerator * (common // p.denominator)))
        require(len(set(domain)) == len(domain), "the domain lists a value twice")
        self.mass = {key: sum(p for _, p in cell) for key, cell in self.cells.items()}
        self.knowledges = list(dict.fromkeys(knowledge for knowledge, _ in self.cells))
        self._laws: dict[tuple[Any, str, str | None], Weighted] = {}

    def law(self, knowledge: Any, a: str, b: str | None = None) -> Weighted:
        """M(D), or M(D with the record set to b), given B̂ and S = a; over P[B̂, S = a] and the rows' bottom."""
        key = knowledge, a, b
        if key not in self._laws:
            weights: dict[Any, int] = {}
            for database, p in self.cells[knowledge, a]:
                at = database if b is None else (*database[: self.record], b, *database[self.record + 1 :])
                for output, w in self.row(at):
                    weights[output] = weights.get(output, 0) + p * w
            self._laws[key] = Weighted(weights, self.mass[knowledge, a] * self.bottom)
        return self._laws[key]


def _neighbours(at: Mapping[Database, Law], values: list[str], i: int, reading: str) -> Iterator[Compared]:
    """Databases with D(i) = a against those with D(i) = b and the same other records (DMKB20, Definition 2).

    For a protected record i, in both orders; `one-order` leaves the pairs in which a stands before b among the values.
    """
    for x, a in enumerate(values):
        for y, b in enumerate(values):
            if a != b and (reading != "one-order" or x < y):
                for d in (d for d in at if d[i] == a):
                    other = (*d[:i], b, *d[i + 1 :])
                    yield Compared(None, i, a, b, (d, other), [Pair(ONE, None, at[d], at[other], "")])


def conditional(laws: Laws, definition: Definition, reading: str, domain: Sequence[Any]) -> list[Compared]:
    """The comparisons of laws given two values, or before and after a record is changed: by a, b and B̂.

    What `one-order` keeps differs: of laws given two values those with a before b among the values; of a change, for
    every a and b, the law before it against the law after it.

    Under `infinite-loss` a B̂ that leaves a and not b has no second law. Averages over B̂ given a: so (a, b) may have an
    infinite loss where (b, a) has none.
    """
    changes, averages = definition.compares == CHANGED, definition.averages
    masses = {a: sum(mass for (_, value), mass in laws.mass.items() if value == a) for a in domain}
    comparisons: list[Compared] = []
    possible = [(i, a) for i, a in enumerate(domain) if masses[a]]
    for i, a in possible:
        for j, b in enumerate(domain) if reading == "all-values" else possible:
            if a == b:
                continue
            if not changes and reading == "one-order" and i > j:
                continue
            pairs: list[Pair] = []
            for k in (k for k in laws.knowledges if (k, a) in laws.mass):
                both = (k, b) in laws.mass
                if not both and reading not in {"all-values", "infinite-loss"}:
                    continue
                p = laws.law(k, a)
                if changes:
                    changed = laws.law(k, a, b)
                    pairs.append(Pair(ONE, k, p, changed, FORWARD))
                    if reading != "one-order":
                        pairs.append(Pair(ONE, k, changed, p, BACKWARD))
                else:
                    weight = ONE * laws.mass[k, a] / masses[a] if averages else ONE
                    pairs.append(Pair(weight, k, p, laws.law(k, b) if both else None, ""))
            if averages:
                comparisons += [Compared(laws.theta, laws.record, a, b, None, pairs)] * bool(pairs)
            else:
                comparisons += [Compared(laws.theta, laws.record, a, b, None, [pair]) for pair in pairs]
    return comparisons


def _posteriors(cells: Cells, reading: str, domain: Sequence[str]) -> Iterator[Compared]:
    """The law of D(i) given B̂ and M(D) = t against the law given B̂ and M(D with i set to b) = t (Definition 6).

    P[D(i) = v | B̂, M = t] has the weight P[B̂, D(i) = v]·P[M = t | B̂, D(i) = v]. Of the outputs t that both can produce.
    `domain` has no absent value: where records may be absent, both beliefs are given that record i is there, too.
    `one-order` compares the first with the second alone.
    """
    for b in domain:
        for k in cells.knowledges:
            if reading == "possible-values" and (k, b) not in cells.mass:
                continue
            possible = [v for v in domain if (k, v) in cells.mass]
            first, second = ({v: cells.law(k, v, to) for v in possible} for to in (None, b))
            for t in dict.fromkeys(output for law in first.values() for output in law):
                x, y = ({v: w for v, law in laws.items() if (w := law.get(t))} for laws in (first, second))
                if x and y:
                    pair = Pair(ONE, (k, t), x, y, FORWARD)
                    yield Compared(cells.theta, cells.record, None, b, None, [pair])
                    if reading != "one-order":
                        yield Compared(cells.theta, cells.record, None, b, None, [Pair(ONE, (k, t), y, x, BACKWARD)])
