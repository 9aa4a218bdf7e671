"""The text of a model file that says what a model is: the file itself, or what is written of a model made in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, UnsupportedError
from verifier.model import NOTHING, Database, Mechanism, Model, replaced
from verifier.model.leaks import LeakLaws
from verifier.model.multisets import Multisets, number_of
from verifier.model.write import toml_text
from verifier.recheck.texts import number_text, worlds_of
from verifier.tables import Label, label

OF_OUTPUTS = frozenset({"tests", "leak", "image", "views"})
"""The fields of `[policy]` that are about the outputs of the model's own mechanism."""
MAX_ROWS = 200_000
"""Most visits of a record of a database, of a world, or of a replaced value for which a table is written."""
LISTS = ("distribution", "normalization")
"""The keys that are lists in a file, and in Python may be one table."""
MADE_IN_PYTHON = "the mechanism was made in Python: its table was decided again, not what made it"


def text_of(model: Model) -> tuple[str, str]:
    """The text of a model, and what the text takes over without saying how it came about; else nothing.

    Raises:
        UnsupportedError: where the model was made in Python, and its tables are too large to be written.

    """
    if model.tables is None:
        return (model.text, "") if model.text else (setting_text(model, mechanism=_table(model)), MADE_IN_PYTHON)
    tables = _in_a_file({name: entry for name, entry in model.tables.items() if name != "expect"})
    tables |= {name: [tables[name]] for name in LISTS if isinstance(tables.get(name), Mapping)}
    try:
        return toml_text(tables), ""
    except InputError:  # there is a function, which no file can hold
        table = _table(model)
    try:
        return toml_text({**tables, "mechanism": table}), MADE_IN_PYTHON
    except InputError:
        return setting_text(model, mechanism=table), MADE_IN_PYTHON


def _in_a_file(keys: Any) -> Any:
    """The keys of a model with numbers and keys of tables as texts; functions are left as they are."""
    if isinstance(keys, Mapping):
        return {
            name if isinstance(name, str) else label(name).text: _in_a_file(entry)
            for name, entry in keys.items()
            if entry is not None
        }
    if isinstance(keys, list | tuple):
        return [_in_a_file(entry) for entry in keys]
    return str(keys) if isinstance(keys, Fraction) else keys


def _table(model: Model) -> dict[str, Any]:
    """The mechanism as a table: on every database; where these are too many, on those that a definition may reach.

    Mechanisms side by side are a list of tables, since a definition may ask for each.
    """
    databases = list(_reached(model))

    def written(mechanism: Mechanism) -> dict[str, Any]:
        if mechanism.components:
            return {"kind": "all", "of": [written(one) for one in mechanism.components]}
        laws = ((d, _law(mechanism, d)) for d in databases)
        return {"table": [{"database": model.shown(d), "outputs": law} for d, law in laws if law]}

    return written(model.mechanism)


def _law(mechanism: Mechanism, database: Database) -> dict[str, str]:
    """The law of the output on a database; an empty one where the mechanism is not defined there."""
    try:
        law = mechanism.law(database)
    except (UnsupportedError, InputError):
        return {}
    return {o.text: number_text(Fraction(w, law.denominator)) for o, w in law.items()}


def _reached(model: Model) -> Iterable[Database]:
    number, size = len(model.values), model.size
    if model.sizes is not None:
        if number_of(number, *model.sizes) * size > MAX_ROWS:
            raise UnsupportedError("the model was made in Python, and has too many databases to be written")
        return Multisets(number, *model.sizes)
    if min(number**size, MAX_ROWS) * size * number <= MAX_ROWS:
        return model.mechanism.all_databases()
    if sum(theta.count() for theta in model.thetas) * size * number > MAX_ROWS:
        raise UnsupportedError("the model was made in Python, and has too many worlds to be written")
    support = list(model.support())
    changed = (replaced(d, i, v) for d in support for i in range(size) for v in range(number))
    return dict.fromkeys([*support, *changed])


def setting_text(model: Model, *, mechanism: Mapping[str, Any] | None = None) -> str:
    """The text of a model file with the worlds of a model, what is protected, its policy, and a mechanism or none.

    Raises:
        UnsupportedError: for a model that names pairs of θ, each with several functions of what is known.

    """
    named = policy_table(model)
    if any(theta.own for theta in model.thetas) and {"theta-pairs", "theta-distances"} & set(named):
        raise UnsupportedError("no document: the model came from no file, and names pairs of θ and of what is known")
    tables: dict[str, Any] = {
        "title": model.title,
        "size": model.size if model.sizes is None else list(model.sizes),
        "values": [v.shown for v in model.values],
        "distribution": [{"name": theta.name, "table": list(_worlds(model, theta))} for theta in model.thetas],
    }
    if model.protects_records and len(model.secrets) < model.size:
        tables["sensitive"] = {"records": [secret.record for secret in model.secrets]}
    policy = {field: value for field, value in named.items() if mechanism is not None or field not in OF_OUTPUTS}
    tables |= {"policy": policy} if policy else {}
    return toml_text(tables if mechanism is None else {**tables, "mechanism": mechanism})


def _worlds(model: Model, theta: Any) -> Iterable[dict[str, Any]]:
    for database, known, secret, chance in worlds_of(model, theta):
        yield {
            "database": model.shown(database),
            **({} if known == NOTHING else {"knowledge": known.text}),
            **({} if secret is None else {"sensitive": secret.text}),
            "probability": number_text(chance),
        }


def policy_table(model: Model) -> dict[str, Any]:
    """The fields of [policy] that the model gives, as a model file writes them, with labels as texts."""
    writers = _Writer(model).writers()
    values = ((field, getattr(model.policy, field)) for field in writers)
    return {field.replace("_", "-"): writers[field](value) for field, value in values if value is not None}


class _Writer:
    """Writes the fields of a policy."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def value(self, position: int) -> str:
        """The text of a value."""
        return self.model.values[position].text

    def values(self, positions: Iterable[int]) -> list[str]:
        """The texts of some values, in the order of T."""
        return [self.value(v) for v in sorted(positions)]

    def databases(self, rows: Iterable[Database]) -> list[list[str]]:
        """Some databases, in order."""
        return [[self.model.values[v].text for v in row] for row in sorted(rows)]

    def database(self, row: Database) -> list[str]:
        """A database as the texts of its values."""
        return [self.model.values[v].text for v in row]

    def writers(self) -> dict[str, Callable[[Any], Any]]:
        """The function that writes each field."""
        plain = dict.fromkeys(("neighbours", "record", "group", "divergence"), lambda value: value)
        names = ("at_most", "gamma", "rate", "order", "error", "xi", "omega", "mu")
        return {
            **plain,
            **dict.fromkeys(names, number_text),
            "absent": self.value,
            "sensitive": self.values,
            "graph": lambda edges: sorted(self.values(edge) for edge in edges),
            "attributes": lambda rows: self._each([_texts(row) for row in rows]),
            "bits": lambda rows: self._each(list(rows)),
            "databases": lambda rows: [self.database(row) for row in rows],
            "fixed": self.database,
            "pairs": lambda rows: [[self.database(d), self.database(e)] for d, e in rows],
            "secrets": lambda rows: [[self.databases(first), self.databases(second)] for first, second in rows],
            "dependence": lambda rows: sorted(map(list, rows)),
            "levels": lambda rows: [_level(c) for c in rows],
            "scale": lambda rows: [[self.values(pair), _level(c)] for pair, c in rows],
            "tailored": lambda rows: [[self.value(t), self.database(d), _level(c)] for t, d, c in rows],
            "blocks": lambda rows: [list(row) for row in rows],
            "distance": self._distance,
            "statistic": lambda rows: [[self.database(d), number_text(value)] for d, value in rows],
            "adversaries": lambda rows: [[i, list(known)] for i, known in rows],
            "theta_pairs": lambda rows: [list(row) for row in rows],
            "theta_distances": lambda rows: [[x, y, _level(c)] for x, y, c in rows],
            "prior": lambda law: {self.value(v): number_text(p) for v, p in enumerate(law) if p},
            "tests": lambda rows: [{o.text: number_text(value) for o, value in row} for row in rows],
            "tradeoff": lambda rows: [list(map(number_text, row)) for row in rows],
            "predicate": lambda rows: [list(map(number_text, row)) for row in rows],
            "agg": lambda rows: [self._function(row) for row in rows],
            "coupled": lambda rows: [{"agg": self._function(a), "priv": self._function(b)} for a, b in rows],
            "views": lambda rows: [_labels(row) for row in rows],
            "leak": self._leak,
            "image": _labels,
        }

    def _each(self, rows: list[Any]) -> dict[str, Any]:
        return {self.value(v): row for v, row in enumerate(rows)}

    def _function(self, aggregate: Any) -> Any:
        """A function of a database: the positions that it tells, or its table."""
        if aggregate.table is None:
            return {"records": list(aggregate.positions)}
        return [[self.database(d), {o.text: number_text(p) for o, p in law}] for d, law in aggregate.table]

    def _leak(self, leak: Any) -> Any:
        """What leaks of each output, or with it on each database."""
        if not isinstance(leak, LeakLaws):
            return _labels(leak)
        return [
            {
                "database": self.database(database),
                "outputs": {
                    label([output, leaked]).text: number_text(Fraction(weight, law.denominator))
                    for output, leaked, weight in law.rows
                },
            }
            for database, law in leak.laws
        ]

    def _distance(self, distance: Any) -> Any:
        if isinstance(distance, str):
            return distance
        return [[self.database(d), self.database(e), _level(c)] for d, e, c in distance]


def _level(value: Fraction | None) -> str:
    return "inf" if value is None else number_text(value)


def _texts(row: Iterable[Label]) -> list[str]:
    return [label.text for label in row]


def _labels(rows: Iterable[tuple[Label, Label]]) -> dict[str, str]:
    return {output.text: seen.text for output, seen in rows}
