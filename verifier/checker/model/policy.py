"""`[policy]` of a model file, read again: the parameters that definitions of DP22 have beside θ, B, T and M.

One reader reads certificates, where all labels are texts, and model files, where labels stand as they were spelled.
Values are texts, numbers rationals; None stands for `"inf"`, which demands nothing. Databases are tuples of texts,
multisets in the order of the values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Rejected
from verifier.checker.model.labels import (
    chance,
    chosen,
    distinct,
    entries,
    exact,
    indices,
    integer,
    keyed,
    labelled,
    listing,
    name,
    outcome,
    record,
    refused,
    text,
)
from verifier.checker.numbers import ONE

Database: TypeAlias = tuple[str, ...]
Policy: TypeAlias = dict[str, Any]
"""The fields that are given, by their names in the file."""
LEAST: dict[str, Callable[[Fraction], bool]] = {
    **dict.fromkeys(("at-most", "xi", "mu"), lambda x: x >= 0),
    **dict.fromkeys(("gamma", "rate", "error"), lambda x: 0 <= x <= 1),
    **dict.fromkeys(("order", "omega"), lambda x: x > 1),
}
"""The fields that are one number, with what the number must be."""
BARE_PAIR = re.compile(r'\[([^][,"]+),([^][,"]+)\]')
"""Two labels as a list, without the quotes of JSON."""
NEIGHBOURS = ("change", "add-remove", "any")


def level(value: Any) -> Fraction | None:
    """A multiple of ε; None is infinite."""
    return None if value == "inf" else _number(value, lambda x: x >= 0)


def label(value: Any) -> str:
    """The text of a label."""
    return text(outcome(value))


class JointLeak(NamedTuple):
    """P[M(D, r) = o, P(D, r) = l] by D and (o, l): the leak has the coins r of the mechanism (Definition 40)."""

    laws: dict[Database, dict[tuple[str, str], Fraction]]

    def outputs(self, database: Database) -> dict[str, Fraction]:
        """The law of the output alone, without what has probability 0."""
        law: dict[str, Fraction] = {}
        for (output, _), p in self.laws[database].items():
            if p:
                law[output] = law.get(output, Fraction(0)) + p
        return law


class Reader:
    """Reads the fields against the values T.

    `least` is the smallest size of databases that are multisets, sorted by the order of the values; None where all are
    lists of one size. `thetas` are the names of the distributions, where they are known.
    """

    def __init__(
        self, values: Sequence[str], size: int, least: int | None, thetas: Collection[str] | None = None
    ) -> None:
        self.values, self.size, self.least, self.thetas = list(values), size, least, thetas
        self.readers: dict[str, Callable[[Any], Any]] = {
            **{field: partial(_number, fits=fits) for field, fits in LEAST.items()},
            "record": self._record,
            "group": lambda value: integer(value, 1),
            "neighbours": lambda value: chosen(value, NEIGHBOURS),
            "divergence": name,
            "absent": self.value,
            "sensitive": lambda rows: frozenset(map(self.value, listing(rows))),
            "graph": lambda rows: frozenset(map(self._edge, listing(rows))),
            "attributes": lambda table: self._each(table, lambda row: tuple(map(label, listing(row)))),
            "bits": lambda table: self._each(table, _bits),
            "databases": self._databases,
            "fixed": self.database,
            "pairs": lambda rows: tuple((self.database(d), self.database(e)) for d, e in _rows(rows, 2)),
            "secrets": lambda rows: tuple(
                (frozenset(self._databases(first)), frozenset(self._databases(second)))
                for first, second in _rows(rows, 2)
            ),
            "dependence": lambda rows: frozenset((self._record(i), self._record(j)) for i, j in _rows(rows, 2)),
            "levels": lambda rows: tuple(map(level, listing(rows, self.size))),
            "scale": lambda rows: _unique((self._edge(pair), level(c)) for pair, c in _rows(rows, 2)),
            "tailored": lambda rows: _unique(
                ((self.value(t), self.database(d)), level(c)) for t, d, c in _rows(rows, 3)
            ),
            "blocks": self._blocks,
            "distance": self._distance,
            "statistic": lambda rows: _unique((self.database(d), exact(value)) for d, value in _rows(rows, 2)),
            "adversaries": lambda rows: tuple(self._adversary(i, known) for i, known in _rows(rows, 2)),
            "theta-pairs": lambda rows: tuple(
                (self._theta(first), self._theta(second)) for first, second in _rows(rows, 2)
            ),
            "theta-distances": lambda rows: _symmetric(
                (self._theta(x), self._theta(y), level(c)) for x, y, c in _rows(rows, 3)
            ),
            "prior": self._prior,
            "tests": lambda rows: tuple(map(_numbers, listing(rows))),
            "tradeoff": _vertices,
            "predicate": lambda rows: tuple((exact(a), exact(b), exact(c)) for a, b, c in _rows(rows, 3)),
            "agg": lambda rows: tuple(map(self._of_others, listing(rows))),
            "coupled": lambda rows: tuple(map(self._coupled, listing(rows))),
            "views": lambda rows: tuple(map(_labels, listing(rows))),
            "leak": self._leak,
            "image": _labels,
        }

    def read(self, table: Any) -> Policy:
        """The fields of a policy."""
        keyed(table, (), self.readers)
        return {field: self.readers[field](value) for field, value in table.items()}

    def value(self, value: Any) -> str:
        """The text of a value, which is one of T."""
        if (written := label(value)) not in self.values:
            raise Rejected(f"[policy] has {written[:40]!r}, which is none of the values")
        return written

    def database(self, row: Any, size: int | None = None) -> Database:
        """A database as texts, a multiset in the order of the values."""
        size = self.size if size is None else size
        texts = [self.value(v) for v in listing(row, size if self.least is None else None)]
        if self.least is None:
            return tuple(texts)
        if not self.least <= len(texts) <= size:
            raise refused(row, f"{self.least} to {size} values")
        return self.unordered(texts)

    def _databases(self, rows: Any) -> tuple[Database, ...]:
        return tuple(dict.fromkeys(map(self.database, listing(rows))))

    def _record(self, value: Any) -> int:
        return record(value, self.size)

    def _theta(self, value: Any) -> str:
        return str(chosen(value, [value] if self.thetas is None else self.thetas))

    def _edge(self, pair: Any) -> frozenset[str]:
        """Two different values."""
        return frozenset(distinct(map(self.value, listing(pair, 2)), "two different values"))

    def _blocks(self, rows: Any) -> tuple[frozenset[int], ...]:
        blocks = tuple(frozenset(indices(row, self.size)) for row in listing(rows))
        if sum(map(len, blocks)) > len(frozenset[int]().union(*blocks)):
            raise refused(rows, "each record in one block at most")
        return blocks

    def _adversary(self, attacked: Any, known: Any) -> tuple[int, tuple[int, ...]]:
        adversary = self._record(attacked), tuple(sorted(indices(known, self.size)))
        if adversary[0] in adversary[1]:
            raise refused(known, "other records than the one that is attacked")
        return adversary

    def _coupled(self, row: Any) -> tuple[Any, Any]:
        keyed(row, ("agg", "priv"))
        agg, priv = (self._function(row[key], self.size) for key in ("agg", "priv"))
        if isinstance(priv, dict) and any(len(law) > 1 for law in priv.values()):
            raise refused(row["priv"], "one value for each database")
        return agg, priv

    def _function(self, value: Any, size: int) -> Any:
        """A function of a database of this size: positions whose values it tells, or a table of laws."""
        if isinstance(value, str):
            return tuple(range(size)) if chosen(value, ["identity", "constant"]) == "identity" else ()
        if isinstance(value, Mapping):
            return tuple(sorted(indices(keyed(value, ("records",))["records"], size)))
        return _unique((self.database(d, size), _law(x)) for d, x in _rows(value, 2))

    def _of_others(self, value: Any) -> Any:
        """A function of a database without a record: places of its records, or a table of laws by the other records.

        The others have no order, so that two rows which differ in the order alone must agree.
        """
        if isinstance(value, str | Mapping):
            return self._function(value, self.size)
        least = self.size - 1 if self.least is None else max(0, self.least - 1)
        listed = _unique((tuple(map(self.value, listing(others))), _law(x)) for others, x in _rows(value, 2))
        table: dict[Database, Any] = {}
        for others, law in listed.items():
            if not least <= len(others) < self.size:
                raise refused(list(others), "the records of a database but one")
            if table.setdefault(self.unordered(others), law) != law:
                raise Rejected("[policy] agg has two values for the same other records in two orders")
        return table

    def unordered(self, records: Iterable[str]) -> Database:
        """A multiset of records, in the order of the values."""
        return tuple(sorted(records, key=self.values.index))

    def _leak(self, value: Any) -> Any:
        """What leaks: a label for each output, or on each database the joint law of the output and the leak."""
        if isinstance(value, Mapping):
            return _labels(value)
        rows = [keyed(row, ("database",), one_of=("output", "outputs")) for row in listing(value)]
        return JointLeak(_unique((self.database(row["database"]), _law_of_pairs(row)) for row in rows))

    def _each(self, table: Any, read: Callable[[Any], Any]) -> dict[str, Any]:
        """One entry for each value, all of one length."""
        rows = {self.value(key): read(row) for key, (_, row) in labelled(table).items()}
        if set(rows) != set(self.values) or len(set(map(len, rows.values()))) > 1:
            raise Rejected("[policy] has a table with no entry for some value, or with entries of different lengths")
        return rows

    def _distance(self, value: Any) -> Any:
        if isinstance(value, str):
            return chosen(value, ["hamming", "largest"])
        return _symmetric((self.database(d), self.database(e), level(c)) for d, e, c in _rows(value, 3))

    def _prior(self, table: Any) -> dict[str, Fraction]:
        law = {self.value(key): chance(p) for key, (_, p) in labelled(table).items()}
        if sum(law.values()) != 1:
            raise Rejected("[policy] prior is no law")
        return {value: p for value in self.values if (p := law.get(value, Fraction(0)))}


def _number(value: Any, fits: Callable[[Fraction], bool]) -> Fraction:
    """A number that fits its field."""
    if not fits(number := exact(value)):
        raise Rejected(f"[policy] has {str(value)[:40]!r}, which is out of range")
    return number


def _rows(rows: Any, length: int) -> list[list[Any]]:
    """A list of lists of one length."""
    return [listing(row, length) for row in listing(rows)]


def _bits(value: Any) -> str:
    if not name(value) or set(value) - {"0", "1"}:
        raise refused(value, 'bits such as "01"')
    return str(value)


def _vertices(rows: Any) -> tuple[tuple[Fraction, Fraction], ...]:
    """The vertices [x, f(x)] of a function on [0, 1]."""
    vertices = tuple((chance(x), chance(y)) for x, y in _rows(rows, 2))
    places = [x for x, _ in vertices]
    if places[:1] != [0] or places[-1:] != [1] or len(set(places)) < len(places) or places != sorted(places):
        raise refused(rows, "vertices with x rising from 0 to 1")
    return vertices


def _law(value: Any) -> dict[str, Fraction]:
    """The law of a row of a function: one label, or a table of probabilities."""
    if not isinstance(value, Mapping):
        return {label(value): ONE}
    law = {key: chance(p) for key, (_, p) in labelled(value).items()}
    if sum(law.values()) != 1:
        raise Rejected("[policy] has a table of probabilities that is no law")
    return law


def _law_of_pairs(row: Mapping[str, Any]) -> dict[tuple[str, str], Fraction]:
    """The law of pairs of an output and what leaks that a row has."""
    law = _law(row["output"] if "output" in row else row["outputs"])
    pairs = {pair_of(written): p for written, p in law.items()}
    if len(pairs) < len(law):
        raise refused(list(law), "each pair once")
    return pairs


def pair_of(written: str) -> tuple[str, str]:
    """The texts of an output and of what leaks, from the text of the list of both."""
    bare = BARE_PAIR.fullmatch(written)
    pair = entries(written) if bare is None else [label(part.strip()) for part in bare.groups()]
    if pair is None or len(pair) != 2:
        raise refused(written, "a list of an output and what leaks")
    return pair[0], pair[1]


def _numbers(table: Any) -> dict[str, Fraction]:
    return {key: exact(value) for key, (_, value) in labelled(table).items()}


def _labels(table: Any) -> dict[str, str]:
    return {key: label(value) for key, (_, value) in labelled(table).items()}


def _unique(rows: Any) -> dict[Any, Any]:
    """A table of which no key stands twice."""
    listed = list(rows)
    if len(dict(listed)) < len(listed):
        raise Rejected("[policy] has a table with two rows for one key")
    return dict(listed)


def _symmetric(rows: Any) -> dict[Any, Any]:
    """A table of pairs in both orders."""
    table: dict[Any, Any] = {}
    for x, y, c in rows:
        for key in {(x, y), (y, x)}:
            if table.get(key, c) != c:
                raise Rejected("[policy] has a distance that is another one in the other order")
            table[key] = c
    return table
