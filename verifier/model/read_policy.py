"""From `[policy]` of a model file to a `Policy`: one method reads each field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

from verifier.errors import InputError
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, chosen, integer, listed, of_length, string
from verifier.model.mechanism import Database
from verifier.model.policy import Aggregate, Pairs, Policy, Table
from verifier.model.read_aggregate import aggregate
from verifier.numbers import INFINITY, plural, probability, rational, refuse_other_sum, shorten
from verifier.tables import Label

NEIGHBOURS = ("change", "add-remove", "any")
DISTANCES = ("hamming", "largest")
DIVERGENCES = 'a name such as "total-variation", "chi-squared", "abs-3" (|t - 1|^3), "kl" or "renyi-2"'
Listed = TypeVar("Listed", bound=tuple[tuple[Any, ...], ...])
Entries = TypeVar("Entries", tuple[str, ...], tuple[tuple[Label, ...], ...])


def read_policy(raw: object, domain: Domain, location: Location, thetas: tuple[str, ...]) -> Policy:
    """Read `[policy]`; `thetas` are the names of the distributions.

    Raises:
        InputError: for an unknown field, or a value that its field cannot have; with its location.

    """
    reader = _Reader(domain, thetas)
    names = [field.name.replace("_", "-") for field in fields(Policy)]
    keys = Keys(raw, location, "a table of parameters", names)
    values: dict[str, Any] = {}
    for field, name in zip(fields(Policy), names, strict=True):
        if keys.has(name):
            reading: Callable[[Any, Location], Any] = getattr(reader, field.name)
            values[field.name] = keys.read(name, reading)
    keys.done()
    return Policy(**values)


def meaning_of(field: str) -> str:
    """The meaning of a field of `[policy]`, in words, with the definitions that read it."""
    reading: Callable[..., Any] = getattr(_Reader, field.replace("-", "_"))
    return (reading.__doc__ or "").split("\n", maxsplit=1)[0]


@dataclass(frozen=True)
class _Reader:
    """One method for each field, by its name; each docstring says what the field is."""

    domain: Domain
    thetas: tuple[str, ...]

    def neighbours(self, raw: Any, location: Location) -> str:
        """Which databases are neighbours where DP22 says "differ in one record"."""
        return chosen(raw, location, NEIGHBOURS)

    def absent(self, raw: Any, location: Location) -> int:
        """The value of a record that is not there: D without i is D with i set to it."""
        return self.domain.value(raw, location)

    def sensitive(self, raw: Any, location: Location) -> frozenset[int]:
        """The sensitive values (OSDP, AsDP)."""
        return frozenset(self.domain.value(v, location) for v in listed(raw, location, "a list of values"))

    def graph(self, raw: Any, location: Location) -> frozenset[frozenset[int]]:
        """Edges between values, without a direction (BFPr)."""
        edges = listed(raw, location, "a list of edges [a, b]")
        return frozenset(frozenset(self._two(edge, location)) for edge in edges)

    def attributes(self, raw: Any, location: Location) -> tuple[tuple[Label, ...], ...]:
        """The attributes of each value, as lists of one length (AttDP)."""
        entries = self._by_value(raw, location)
        lists = tuple(
            tuple(self.domain.label(part, location) for part in listed(entry, location, "a list of attributes"))
            for entry in entries
        )
        return _of_one_length(lists, location, "attributes")

    def bits(self, raw: Any, location: Location) -> tuple[str, ...]:
        """The bits of each value, as strings of one length (BitDP)."""
        entries = tuple(string(entry, location, "bits") for entry in self._by_value(raw, location))
        if any(set(entry) - {"0", "1"} or not entry for entry in entries):
            raise InputError(f"given {shorten(list(entries))}", where=str(location), wanted='bits such as "01"')
        return _of_one_length(entries, location, "bits")

    def databases(self, raw: Any, location: Location) -> tuple[Database, ...]:
        """I_Q or S_D: the databases of which pairs are compared (BFPr, INDP, DlPr[ZLW])."""
        return tuple(dict.fromkeys(self._databases(raw, location)))

    def fixed(self, raw: Any, location: Location) -> Database:
        """The database at hand (InDP, PIDP)."""
        return self.domain.database(raw, location)

    def record(self, raw: Any, location: Location) -> int:
        """The record at hand (PIDP)."""
        return self.domain.record(raw, location)

    def pairs(self, raw: Any, location: Location) -> Pairs:
        """Pairs of databases (GcDP[KM], GcDP[KL], AbsDP)."""
        rows = listed(raw, location, "a list of pairs of databases")
        return tuple(
            (first, second) for first, second in (self._pair(row, location.at(f"{n}", n)) for n, row in enumerate(rows))
        )

    def secrets(self, raw: Any, location: Location) -> tuple[tuple[frozenset[Database], frozenset[Database]], ...]:
        """Pairs of predicates, each the list of the databases that satisfy it (PFPr)."""
        pairs = []
        for n, row in enumerate(listed(raw, location, "a list of pairs of predicates")):
            here = location.at(f"{n}", n)
            first, second = of_length(row, 2, here, "two predicates, each a list of databases")
            pairs.append((frozenset(self._databases(first, here)), frozenset(self._databases(second, here))))
        return tuple(pairs)

    def dependence(self, raw: Any, location: Location) -> frozenset[tuple[int, int]]:
        """Pairs [i, j]: where record i changes, record j may change too (DepDP)."""
        rows = _rows(raw, 2, location, "a list of pairs", "a pair [i, j] of records")
        return frozenset((self.domain.record(i, location), self.domain.record(j, location)) for i, j in rows)

    def levels(self, raw: Any, location: Location) -> tuple[Fraction | None, ...]:
        """A multiple of ε for each record (PerDP)."""
        entries = listed(raw, location, "a list of multiples of ε")
        if len(entries) != self.domain.size:
            wanted = f"{self.domain.size}, one a record"
            raise InputError(f"given {plural(len(entries), 'level')}", where=str(location), wanted=wanted)
        return tuple(_multiple(entry, location.at(f"record {i}", i)) for i, entry in enumerate(entries))

    def scale(self, raw: Any, location: Location) -> tuple[tuple[frozenset[int], Fraction | None], ...]:
        """A multiple of ε for unordered pairs of values, 1 where left out (IDDP)."""
        rows = _rows(raw, 2, location, "a list of rows", '[["a", "b"], "2"]')
        return _once(
            tuple((frozenset(self._two(pair, location)), _multiple(level, location)) for pair, level in rows), location
        )

    def tailored(self, raw: Any, location: Location) -> tuple[tuple[int, Database, Fraction | None], ...]:
        """Rows [t, D, level]: a multiple of ε for a value t in a database D, 1 where left out (TaiDP, OutPr, ParDP)."""
        rows = _rows(raw, 3, location, "a list", "a row [value, database, level]")
        read = self.domain
        levels = tuple(
            (read.value(t, location), read.database(d, location), _multiple(level, location)) for t, d, level in rows
        )
        return _once(levels, location)

    def blocks(self, raw: Any, location: Location) -> tuple[tuple[int, ...], ...]:
        """Lists of records that belong together, each record in one of them at most (ClDP, ElDP)."""
        blocks = tuple(
            tuple(self.domain.records(block, location)) for block in listed(raw, location, "a list of lists")
        )
        records = [record for block in blocks for record in block]
        if len(set(records)) != len(records):
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted="each record in one block at most")
        return blocks

    def group(self, raw: Any, location: Location) -> int:
        """The most records that differ (GrDP, DepDP)."""
        return integer(raw, location, "a number of records", 1)

    def distance(self, raw: Any, location: Location) -> str | Table:
        """`hamming`, `largest` (of numbers), or rows [D, D′, d]; other pairs are infinitely far apart."""
        if isinstance(raw, str):
            return chosen(raw, location, DISTANCES)
        rows = _rows(raw, 3, location, "a name, or a list of rows", "a row [D, D′, d]")
        read = self.domain.database
        distances = tuple(
            (read(first, location), read(second, location), _multiple(d, location)) for first, second, d in rows
        )
        return _symmetric(distances, location)

    def at_most(self, raw: Any, location: Location) -> Fraction:
        """Δ, the largest distance of neighbours (ConsDP, DlPr[ZLW]), or difference of `statistic` (SIDP)."""
        return _at_least_zero(raw, location)

    def statistic(self, raw: Any, location: Location) -> tuple[tuple[Database, Fraction], ...]:
        """Rows [D, f(D)] (SIDP)."""
        rows = _rows(raw, 2, location, "a list of rows", "a row [database, number]")
        read = self.domain.database
        return _once(tuple((read(d, location), rational(number, str(location))) for d, number in rows), location)

    def adversaries(self, raw: Any, location: Location) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Rows [i, K]: who attacks record i and knows the records of K (BayDP[YSN15], CorDP, PriDP, BayDP[LL12])."""
        adversaries = []
        rows = _rows(raw, 2, location, "a list of rows [record, [known records]]", "a row [record, [known records]]")
        for record, known in rows:
            target, records = self.domain.record(record, location), tuple(self.domain.records(known, location))
            if target in records:
                raise InputError(f"record {target} is attacked and known", where=str(location), wanted="other records")
            adversaries.append((target, records))
        return tuple(adversaries)

    def theta_pairs(self, raw: Any, location: Location) -> tuple[tuple[str, str], ...]:
        """Pairs of distributions, by name (DnPr and its forms)."""
        rows = _rows(raw, 2, location, "a list of pairs of names", "two names")
        return tuple((self._theta(first, location), self._theta(second, location)) for first, second in rows)

    def theta_distances(self, raw: Any, location: Location) -> tuple[tuple[str, str, Fraction | None], ...]:
        """Rows [θ, θ′, d] (EDnPr, EDDnPr); other pairs are infinitely far apart."""
        rows = _rows(raw, 3, location, "a list of rows", "a row [name, name, distance]")
        distances = tuple(
            (self._theta(a, location), self._theta(b, location), _multiple(d, location)) for a, b, d in rows
        )
        return _symmetric(distances, location)

    def prior(self, raw: Any, location: Location) -> tuple[Fraction, ...]:
        """π, the law of one record (RanDP, WBDP, BayDP[TF20], on-average KL, DlPr[Rot])."""
        table = Keys(raw, location, "a table from values to probabilities").left
        weights = {self.domain.value(key, location): probability(p, str(location.at(key))) for key, p in table.items()}
        refuse_other_sum(sum(weights.values(), Fraction(0)), "probabilities that", str(location))
        return tuple(weights.get(v, Fraction(0)) for v in range(len(self.domain.values)))

    def gamma(self, raw: Any, location: Location) -> Fraction:
        """The share that may be left out (RanDP, DlPr[Rot], TypSt)."""
        return probability(raw, str(location))

    def rate(self, raw: Any, location: Location) -> Fraction:
        """β, the probability with which a record is sampled (SamDP)."""
        return probability(raw, str(location))

    def order(self, raw: Any, location: Location) -> Fraction:
        """α > 1, of the Rényi divergence."""
        value = rational(raw, str(location), "an order")
        if value <= 1:
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted="an order above 1")
        return value

    def divergence(self, raw: Any, location: Location) -> str:
        """The divergence of DivDP and of the definitions that combine it."""
        return string(raw, location, DIVERGENCES)

    def tests(self, raw: Any, location: Location) -> tuple[tuple[tuple[Label, Fraction], ...], ...]:
        """H: functions from outputs to numbers (CBDP)."""
        tables = [
            Keys(test, location, "a table from outputs to numbers").left for test in listed(raw, location, "a list")
        ]
        label = self.domain.label
        return tuple(
            tuple((label(output, location), rational(number, str(location))) for output, number in table.items())
            for table in tables
        )

    def tradeoff(self, raw: Any, location: Location) -> tuple[tuple[Fraction, Fraction], ...]:
        """The vertices [x, f(x)] of a piecewise linear f on [0, 1] (fDP), or of 1 - M (GcDP[KL10])."""
        rows = _rows(raw, 2, location, "a list of vertices", "a vertex [x, f(x)]")
        vertices = tuple((probability(x, str(location)), probability(y, str(location))) for x, y in rows)
        rising = all(a[0] < b[0] for a, b in pairwise(vertices))
        if len(vertices) < 2 or not rising or vertices[0][0] != 0 or vertices[-1][0] != 1:
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted="vertices with x rising from 0 to 1")
        return vertices

    def error(self, raw: Any, location: Location) -> Fraction:
        """δ_p: the mass of outputs that may be left out first (RelDP, AzCoDP)."""
        return probability(raw, str(location))

    def predicate(self, raw: Any, location: Location) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
        """Rows [a, b, c]: a·P[S] + b·Q[S] ≤ c for all sets S of outputs (AbsDP)."""
        rows = _rows(raw, 3, location, "a list of rows", "a row [a, b, c]")
        numbers = [[rational(part, str(location)) for part in row] for row in rows]
        return tuple((a, b, c) for a, b, c in numbers)

    def leak(self, raw: Any, location: Location) -> tuple[tuple[Label, Label], ...]:
        """A table from outputs to what leaks of them (BLDP)."""
        return self._on_outputs(raw, location)

    def image(self, raw: Any, location: Location) -> tuple[tuple[Label, Label], ...]:
        """A table from outputs to their images (SubDP)."""
        return self._on_outputs(raw, location)

    def agg(self, raw: Any, location: Location) -> tuple[Aggregate, ...]:
        """Agg: functions of a database without a record, of which one is told to the simulator (ZKPr)."""
        others = replace(self.domain, size=self.domain.size - 1)
        return tuple(aggregate(row, others, location) for row in listed(raw, location, "a list of functions"))

    def coupled(self, raw: Any, location: Location) -> tuple[tuple[Aggregate, Aggregate], ...]:
        """Γ: pairs of functions of the database (CWPr, IBCWPr)."""
        pairs = []
        for n, row in enumerate(listed(raw, location, "a list of tables { agg, priv }")):
            at = location.at(f"{n}", n)
            keys = Keys(row, at, "a table { agg, priv }", ["agg", "priv"])
            agg, priv = (aggregate(keys.take(name), self.domain, at.at(name)) for name in ("agg", "priv"))
            keys.done()
            if priv.table is not None and any(len(law) > 1 for _, law in priv.table):
                raise InputError("given a random `priv`", where=str(at), wanted="one value for each database")
            pairs.append((agg, priv))
        return tuple(pairs)

    def views(self, raw: Any, location: Location) -> tuple[tuple[tuple[Label, Label], ...], ...]:
        """What each client sees of an output, in the order of `blocks` (wFDP, sFDP)."""
        return tuple(self._on_outputs(row, location) for row in listed(raw, location, "a list of tables"))

    def omega(self, raw: Any, location: Location) -> Fraction:
        """ω > 1, the largest order α of the concentrated definitions."""
        return self.order(raw, location)

    def xi(self, raw: Any, location: Location) -> Fraction:
        """ξ of the concentrated definitions."""
        return _at_least_zero(raw, location)

    def mu(self, raw: Any, location: Location) -> Fraction:
        """μ, the most that the loss is on average (mCoDP)."""
        return _at_least_zero(raw, location)

    def _on_outputs(self, raw: Any, location: Location) -> tuple[tuple[Label, Label], ...]:
        table = Keys(raw, location, "a table from outputs to labels").left
        return tuple(
            (self.domain.label(key, location), self.domain.label(value, location)) for key, value in table.items()
        )

    def _two(self, raw: Any, location: Location) -> tuple[int, int]:
        first, second = (self.domain.value(v, location) for v in of_length(raw, 2, location, "two values [a, b]"))
        if first == second:
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted="two different values")
        return first, second

    def _by_value(self, raw: Any, location: Location) -> list[Any]:
        """The entries of a table that has one for each value, in the order of T."""
        table: Mapping[str, Any] = Keys(raw, location, "a table with a key for each value").left
        entries = {self.domain.value(key, location): entry for key, entry in table.items()}
        missing = [value.text for v, value in enumerate(self.domain.values) if v not in entries]
        if missing:
            raise InputError(f"no entry for the value {missing[0]}", where=str(location), wanted="one for each value")
        return [entries[v] for v in range(len(self.domain.values))]

    def _databases(self, raw: Any, location: Location) -> list[Database]:
        return [
            self.domain.database(row, location.at(f"{n}", n))
            for n, row in enumerate(listed(raw, location, "databases"))
        ]

    def _pair(self, raw: Any, location: Location) -> tuple[Database, Database]:
        first, second = of_length(raw, 2, location, "two databases")
        return self.domain.database(first, location), self.domain.database(second, location)

    def _theta(self, raw: Any, location: Location) -> str:
        if raw not in self.thetas:
            wanted = f"the name of a distribution: {', '.join(self.thetas) or 'there is none'}"
            raise InputError(f"given {shorten(raw)}", where=str(location), wanted=wanted)
        return str(raw)


def _rows(raw: Any, length: int, location: Location, wanted: str, each: str) -> list[list[Any]]:
    """The rows of a list, each of so many entries."""
    return [of_length(row, length, location, each) for row in listed(raw, location, wanted)]


def _of_one_length(entries: Entries, location: Location, noun: str) -> Entries:
    if len({len(entry) for entry in entries}) > 1:
        raise InputError(f"given {noun} of different lengths", where=str(location), wanted="as many for each value")
    return entries


def _once(rows: Listed, location: Location) -> Listed:
    """Rows of which no two are about the same thing; what a row gives stands last in it."""
    if len({row[:-1] for row in rows}) < len(rows):
        raise InputError("given two rows for one thing", where=str(location), wanted="one row for each")
    return rows


def _symmetric(rows: Listed, location: Location) -> Listed:
    """Rows [x, y, distance], of which no two give one pair two distances, in either order."""
    distances: dict[frozenset[Any], Any] = {}
    for *pair, distance in rows:
        if distances.setdefault(frozenset(pair), distance) != distance:
            raise InputError("given two distances for one pair", where=str(location), wanted="one distance for each")
    return rows


def _at_least_zero(raw: Any, location: Location) -> Fraction:
    value = rational(raw, str(location))
    if value < 0:
        raise InputError(f"given {shorten(raw)}", where=str(location), wanted="a number that is at least 0")
    return value


def _multiple(raw: Any, location: Location) -> Fraction | None:
    """A multiple of ε; None for `"inf"`."""
    return None if raw == INFINITY.text() else _at_least_zero(raw, location)
