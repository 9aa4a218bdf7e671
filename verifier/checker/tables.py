"""What the definitions compare, from the papers: on plain tables, and wherever a law given B̂ and D(i) = a is known.

`Tables` reads the tables of a certificate; `Cells` has the laws given B̂ and the sensitive value; `conditional` lists
the pairs of laws that a definition compares (DMKB20, Definitions 3, 5, 12 and 13), for tables and for sums alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, Protocol, TypeAlias

from verifier.checker.definitions import BELIEFS, CHANGED, DATABASES, DEPENDENCY, Definition, values_of
from verifier.checker.numbers import Compared, Law, Pair, Rejected, Weighted, number, summed
from verifier.checker.quotients import Quotient
from verifier.checker.written import protected

FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"
Database: TypeAlias = tuple[str, ...]


class Laws(Protocol):
    """One θ and one record (or S): the values B̂, P[B̂, D(i) = a] up to a factor, and the laws given both."""

    theta: str
    record: Any
    knowledges: list[Any]
    mass: dict[tuple[Any, Any], int]

    def law(self, knowledge: Any, a: Any, b: Any = None) -> Weighted:
        """M(D), or M(D with the record set to b), given B̂ and D(i) = a."""


def conditional(laws: Laws, definition: Definition, reading: str, domain: Sequence[Any]) -> list[Compared]:
    """The comparisons of laws given two values, or before and after a record is changed: by a, b and B̂."""
    changes, averages = definition.compares == CHANGED, definition.averages
    masses = {a: sum(mass for (_, value), mass in laws.mass.items() if value == a) for a in domain}
    comparisons: list[Compared] = []
    for i, a in enumerate(domain):
        for j, b in enumerate(domain):
            if a == b or not masses[a] or (not masses[b] and reading != "all-values"):
                continue
            if not changes and reading == "one-order" and i > j:
                continue
            pairs: list[Pair] = []
            for k in (k for k in laws.knowledges if (k, a) in laws.mass):
                possible = (k, b) in laws.mass
                if not possible and reading not in {"all-values", "infinite-loss"}:
                    continue
                p = laws.law(k, a)
                if changes:
                    changed = laws.law(k, a, b)
                    pairs.append(Pair(Fraction(1), k, p, changed, FORWARD))
                    if reading != "one-order":
                        pairs.append(Pair(Fraction(1), k, changed, p, BACKWARD))
                else:
                    weight = Fraction(1) * laws.mass[k, a] / masses[a] if averages else Fraction(1)
                    pairs.append(Pair(weight, k, p, laws.law(k, b) if possible else None, ""))
            if averages:
                comparisons += [Compared(laws.theta, laws.record, a, b, None, pairs)] * bool(pairs)
            else:
                comparisons += [Compared(laws.theta, laws.record, a, b, None, [pair]) for pair in pairs]
    return comparisons


def neighbours(
    databases: Iterable[Database], values: list[str], i: int, reading: str
) -> Iterator[tuple[str, str, Database, Database]]:
    """Pairs of neighbours, as a, b, a database with D(i) = a, and that with D(i) = b (DMKB20, Definition 2)."""
    for x, a in enumerate(values):
        for y, b in enumerate(values):
            if a != b and (reading != "one-order" or x < y):
                yield from ((a, b, d, (*d[:i], b, *d[i + 1 :])) for d in databases if d[i] == a)


def is_product(joint: dict[tuple[Any, Any], Fraction]) -> bool:
    """Whether the two parts of an outcome are independent; the weights need not sum to 1."""
    left, right = (summed((pair[side], p) for pair, p in joint.items()) for side in (0, 1))
    total = sum(joint.values())
    return all(joint.get((a, b), 0) * total == p * q for a, p in left.items() for b, q in right.items())


class Tables:
    """The tables of a certificate, once they are well formed."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.values, self.secrets = _scope(certificate)
        self.size, self.domain, self.worlds = certificate["size"], certificate["domain"], certificate["worlds"]
        self.absent: str | None = certificate.get("absent")
        self.mechanism: dict[Database, Law] = {}
        for database, law in certificate["mechanism"]:
            key = tuple(database)
            if key in self.mechanism:
                raise Rejected(f"the mechanism has two laws on {database}")
            self.mechanism[key] = {output: number(p) for output, p in law.items()}
            if sum(self.mechanism[key].values()) != 1:
                raise Rejected(f"the mechanism's law on {database} is no law")
        self.rows: dict[Database, list[tuple[str, int]]] = {}
        self.bottom = 1
        self.cells: dict[tuple[str, Any], Cells] = {}

    def families(self, definition: Definition, reading: str) -> Iterator[list[Compared]]:
        """The comparisons of a definition, a list for each θ and record."""
        domain = values_of(definition, self.domain, self.absent)
        if definition.compares == DATABASES:
            every = len(self.mechanism) == len(self.values) ** self.size
            if not every or set(self.mechanism) != set(product(self.values, repeat=self.size)):
                raise Rejected("dp needs the mechanism on all of T^n")
            at = self.mechanism
            for i in self.secrets:
                listed = neighbours(at, domain, i, reading)
                yield [
                    Compared(None, i, a, b, (d, o), [Pair(Fraction(1), None, at[d], at[o], "")])
                    for a, b, d, o in listed
                ]
            return
        if not self.worlds:
            raise Rejected("there is no distribution")
        if not self.rows:
            self.bottom = lcm(*(p.denominator for law in self.mechanism.values() for p in law.values()))
            self.rows = {
                database: [(o, p.numerator * (self.bottom // p.denominator)) for o, p in law.items()]
                for database, law in self.mechanism.items()
            }
        for theta in self.worlds:
            for record in self.secrets:
                if (theta, record) not in self.cells:
                    worlds = self.worlds[theta]
                    self.cells[theta, record] = Cells(theta, record, worlds, self.domain, self._row, self.bottom)
                cells = self.cells[theta, record]
                if definition.compares == DEPENDENCY:
                    from verifier.checker.dependency import dependent

                    yield list(dependent(reading, cells, self.mechanism, self.domain))
                elif definition.compares == BELIEFS:
                    yield list(_posteriors(cells, reading, domain))
                else:
                    yield conditional(cells, definition, reading, domain)

    def _row(self, database: Database) -> list[tuple[str, int]]:
        if database not in self.rows:
            raise Rejected(f"the mechanism has no law for {database}")
        return self.rows[database]


def _scope(certificate: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """The values T and what is protected: distinct records, or S."""
    values, secrets, size = list(certificate["values"]), list(certificate["secrets"]), certificate["size"]
    if type(size) is not int or size < 1 or not values or len(set(values)) != len(values):
        raise Rejected("size and values must be a number of records and distinct values")
    records = protected(secrets, size)
    if certificate.get("absent", values[0]) not in values:
        raise Rejected("absent is none of the values")
    if records and certificate["domain"] != values:
        raise Rejected("domain: the sensitive values of records are the values")
    if any((row[2] is None) != bool(records) for rows in certificate["worlds"].values() for row in rows):
        raise Rejected("a world has a sensitive value of its own, or lacks it")
    tables = [certificate["mechanism"], *certificate["worlds"].values()]
    if not certificate["mechanism"] or any(
        len(row[0]) != size or not set(row[0]) <= set(values) for rows in tables for row in rows
    ):
        raise Rejected("there is no mechanism, or a database has another size, or a value that is none of the values")
    return values, secrets


class Cells:
    """The worlds of one θ by B̂ and the sensitive value, as integer weights; `row` is M on a database, over `bottom`."""

    def __init__(
        self,
        theta: str,
        record: Any,
        worlds: Sequence[Any],
        domain: Sequence[str],
        row: Callable[[Database], Iterable[tuple[Any, int]]],
        bottom: int,
    ) -> None:
        self.theta, self.record, self.row, self.bottom = theta, record, row, bottom
        chances = [p if isinstance(p, Quotient) else number(p) for _, _, _, p in worlds]
        if sum(chances) != 1:
            raise Rejected(f"the worlds of {theta} are no distribution")
        common = lcm(*(p.denominator for p in chances))
        self.cells: dict[tuple[Any, str], list[tuple[Database, Any]]] = {}
        for (d, knowledge, s, _), p in zip(worlds, chances, strict=True):
            value = s if record == "S" else d[record]
            if value not in domain:
                raise Rejected(f"{theta} has a sensitive value outside its domain")
            if p:
                self.cells.setdefault((knowledge, value), []).append(
                    (tuple(d), p.numerator * (common // p.denominator))
                )
        if len(set(domain)) != len(domain):
            raise Rejected(f"{theta} has a sensitive value outside its domain")
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


def _posteriors(cells: Cells, reading: str, domain: Sequence[str]) -> Iterator[Compared]:
    """The law of D(i) given B̂ and M(D) = t against the law given B̂ and M(D with i set to b) = t (Definition 6).

    P[D(i) = v | B̂, M = t] has the weight P[B̂, D(i) = v]·P[M = t | B̂, D(i) = v]. Of the outputs t that both can produce.
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
                    pair = Pair(Fraction(1), (k, t), x, y, FORWARD)
                    yield Compared(cells.theta, cells.record, None, b, None, [pair])
                    if reading != "one-order":
                        pair = Pair(Fraction(1), (k, t), y, x, BACKWARD)
                        yield Compared(cells.theta, cells.record, None, b, None, [pair])
