"""`[policy]` of a model file, read again: the parameters that definitions of DP22 have beside θ, B, T and M.

One reader reads certificates, where all labels are texts, and model files, where labels stand as they were spelled.
Values are texts, numbers rationals; None stands for `"inf"`, which demands nothing. Databases are tuples of texts,
multisets in the order of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.replay.labels import ONE, exact, indices, labelled, outcome, text
from verifier.replay.numbers import Rejected

Database: TypeAlias = tuple[str, ...]
Policy: TypeAlias = dict[str, Any]
"""The fields that are given, by their names in the file."""
NUMBERS = ("at-most", "gamma", "rate", "order", "error", "xi", "omega", "mu")
INTEGERS = ("record", "group")
WORDS = ("neighbours", "divergence")
NEIGHBOURS = ("change", "add-remove", "any")


def level(value: Any) -> Fraction | None:
    """A multiple of ε; None is infinite."""
    return None if value == "inf" else exact(value)


def label(value: Any) -> str:
    """The text of a label."""
    return text(outcome(value))


class Reader:
    """Reads the fields against the values T; `multisets` sorts databases by the order of the values."""

    def __init__(self, values: Sequence[str], size: int, *, multisets: bool) -> None:
        self.values, self.size, self.multisets = list(values), size, multisets
        self.readers: dict[str, Callable[[Any], Any]] = {
            **dict.fromkeys(NUMBERS, exact),
            **dict.fromkeys(INTEGERS, _integer),
            **dict.fromkeys(WORDS, str),
            "absent": self._absent,
            "sensitive": lambda rows: frozenset(map(self.value, rows)),
            "graph": lambda rows: frozenset(frozenset(map(self.value, row)) for row in rows),
            "attributes": lambda table: self._each(table, lambda row: tuple(map(label, row))),
            "bits": lambda table: self._each(table, str),
            "databases": lambda rows: tuple(map(self.database, rows)),
            "fixed": self.database,
            "pairs": lambda rows: tuple((self.database(d), self.database(e)) for d, e in rows),
            "secrets": lambda rows: tuple((self._event(first), self._event(second)) for first, second in rows),
            "dependence": lambda rows: frozenset((_integer(i), _integer(j)) for i, j in rows),
            "levels": lambda rows: tuple(map(level, rows)),
            "scale": lambda rows: _table((frozenset(map(self.value, pair)), level(c)) for pair, c in rows),
            "tailored": lambda rows: _table(((self.value(t), self.database(d)), level(c)) for t, d, c in rows),
            "blocks": lambda rows: tuple(frozenset(map(_integer, row)) for row in rows),
            "distance": self._distance,
            "statistic": lambda rows: _table((self.database(d), exact(value)) for d, value in rows),
            "adversaries": lambda rows: tuple((_integer(i), tuple(sorted(map(_integer, known)))) for i, known in rows),
            "theta-pairs": lambda rows: tuple((str(first), str(second)) for first, second in rows),
            "theta-distances": lambda rows: _symmetric((str(x), str(y), level(c)) for x, y, c in rows),
            "prior": self._prior,
            "tests": lambda rows: tuple(_numbers(row) for row in rows),
            "tradeoff": lambda rows: tuple((exact(x), exact(y)) for x, y in rows),
            "predicate": lambda rows: tuple((exact(a), exact(b), exact(c)) for a, b, c in rows),
            "agg": lambda rows: tuple(self._function(row, self.size - 1) for row in rows),
            "coupled": lambda rows: tuple(
                (self._function(row["agg"], self.size), self._function(row["priv"], self.size)) for row in rows
            ),
            "views": lambda rows: tuple(map(_labels, rows)),
            "leak": _labels,
            "image": _labels,
        }

    def read(self, table: Mapping[str, Any]) -> Policy:
        """The fields of a policy."""
        policy: Policy = {}
        for field, value in table.items():
            if field not in self.readers:
                raise Rejected(f"[policy] has no field {field[:40]!r}")
            policy[field] = self.readers[field](value)
        if policy.get("neighbours", "any") not in NEIGHBOURS:
            raise Rejected(f"[policy] neighbours is one of {', '.join(NEIGHBOURS)}")
        return policy

    def value(self, value: Any) -> str:
        """The text of a value, which is one of T."""
        if (written := label(value)) not in self.values:
            raise Rejected(f"[policy] has {written[:40]!r}, which is none of the values")
        return written

    def database(self, row: Sequence[Any]) -> Database:
        """A database as texts, a multiset in the order of the values."""
        texts = [self.value(v) for v in row]
        return tuple(sorted(texts, key=self.values.index) if self.multisets else texts)

    def _absent(self, value: Any) -> str:
        if self.multisets:
            raise Rejected("[policy] absent is about lists: a multiset leaves out a record that is not there")
        return self.value(value)

    def _function(self, value: Any, size: int) -> Any:
        """A function of a database of this size: positions whose values it tells, or a table of laws."""
        if isinstance(value, str):
            return tuple(range(size)) if value == "identity" else ()
        if isinstance(value, Mapping):
            return tuple(sorted(indices(value["records"])))
        return _table((self.database(d), _numbers(x) if isinstance(x, Mapping) else {label(x): ONE}) for d, x in value)

    def _event(self, rows: Sequence[Any]) -> frozenset[Database]:
        return frozenset(map(self.database, rows))

    def _each(self, table: Mapping[str, Any], read: Callable[[Any], Any]) -> dict[str, Any]:
        """One entry for each value."""
        rows = {self.value(key): read(row) for key, row in table.items()}
        if set(rows) != set(self.values):
            raise Rejected("[policy] has a table with no entry for some value")
        return rows

    def _distance(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        return _symmetric((self.database(d), self.database(e), level(c)) for d, e, c in value)

    def _prior(self, table: Mapping[str, Any]) -> dict[str, Fraction]:
        law = {self.value(key): p for key, p in _numbers(table).items()}
        if sum(law.values()) != 1 or any(p < 0 for p in law.values()):
            raise Rejected("[policy] prior is no law")
        return {value: p for value in self.values if (p := law.get(value, Fraction(0)))}


def _integer(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise Rejected(f"[policy] has {str(value)[:40]!r} where an integer stands")
    return value


def _numbers(table: Mapping[str, Any]) -> dict[str, Fraction]:
    return {key: exact(value) for key, (_, value) in labelled(table).items()}


def _labels(table: Mapping[str, Any]) -> dict[str, str]:
    return {key: label(value) for key, (_, value) in labelled(table).items()}


def _table(rows: Any) -> dict[Any, Any]:
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
