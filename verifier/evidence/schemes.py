"""Certificates of the definitions of DP22: the model as tables, with its policy, and the row that the answer shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import ALL_DIGITS
from verifier.definitions.compared_kinds import NEIGHBOURS
from verifier.definitions.measures.curves import CURVES
from verifier.definitions.verdict import Verdict
from verifier.definitions.witness import Witness
from verifier.engine import Engine
from verifier.evidence.texts import database_texts, law_where_defined, number_text, world_rows
from verifier.model import NOTHING, Database, Model
from verifier.model.leaks import LeakLaws
from verifier.model.multisets import Multisets, number_of
from verifier.numbers import DIGITS, Delta, Enclosure, Epsilon
from verifier.tables import Label, label

MAX_DATABASES = 1 << 7
"""Most databases of a model whose answers are re-checked where all pairs of them are looked at."""
MAX_NEIGHBOURS = 200_000
"""Most pairs of databases that are looked at where they differ in one record."""
MAX_WORLDS = 1 << 12


def derived(answer: Verdict) -> bool:
    """Whether the checker derives the answer: its definition and reading, and a model that is not too large.

    An enclosed ε must have all digits, but for simulators that leave the same beliefs.
    """
    from verifier.checker.judge import IMITATED, INFERRED, READINGS
    from verifier.checker.survey.definitions import OF_MULTISETS, SURVEY

    model, epsilon = answer.model, answer.tight_epsilon
    worlds = sum(theta.count() for theta in model.thetas)
    scheme = SURVEY.get(answer.definition) or OF_MULTISETS.get(answer.definition)
    near = scheme is not None and scheme.of_one_record
    return (
        answer.definition in {*SURVEY, *OF_MULTISETS, *IMITATED, INFERRED}
        and answer.reading in READINGS.get(answer.definition, ("default",))
        and not (answer.definition != INFERRED and isinstance(epsilon, Enclosure) and not epsilon.sharp(DIGITS))
        and (_databases(model) <= MAX_DATABASES or (near and _neighbours(model) <= MAX_NEIGHBOURS))
        and worlds <= MAX_WORLDS
    )


def _neighbours(model: Model) -> int:
    """Bounds the number of pairs of databases that differ in one record."""
    largest = model.size if model.sizes is None else model.sizes[1]
    return _databases(model) * largest * len(model.values)


def _databases(model: Model) -> int:
    number = len(model.values)
    if model.sizes is not None:
        return number_of(number, *model.sizes)
    return int(min(number**model.size, MAX_NEIGHBOURS + 1))


def tables(engine: Engine) -> dict[str, Any]:
    """The tables of a certificate: sizes, values, what is protected, worlds, mechanism and policy."""
    model: Model = engine.model
    return {
        "engine": "schemes",
        "size": model.size if model.sizes is None else list(model.sizes),
        "values": [v.text for v in model.values],
        "secrets": ["S"] if not model.protects_records else [secret.record for secret in model.secrets],
        "worlds": {theta.name: world_rows(model, theta, nothing=NOTHING.text) for theta in model.thetas},
        **names_of_thetas(model),
        "mechanism": [
            [database_texts(model, d), law] for d in _every(model) if (law := law_where_defined(model, d)) is not None
        ],
        "policy": policy_table(model),
    }


def names_of_thetas(model: Model) -> dict[str, Any]:
    """The table of the name of θ by that of each pair (θ, ζ); no table where one function ζ leaves both alike."""
    names = {theta.name: theta.own for theta in model.thetas if theta.own}
    return {"distributions": names} if names else {}


def _every(model: Model) -> Iterable[Database]:
    if model.sizes is not None:
        return Multisets(len(model.values), *model.sizes)
    return model.mechanism.all_databases()


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
        return [database_texts(self.model, row) for row in sorted(rows)]

    def database(self, row: Database) -> list[str]:
        """A database as the texts of its values."""
        return database_texts(self.model, row)

    def writers(self) -> dict[str, Callable[[Any], Any]]:
        """The function that writes each field."""
        plain = dict.fromkeys(("neighbours", "record", "group", "divergence"), lambda value: value)
        names = ("at_most", "gamma", "rate", "order", "error", "xi", "omega", "mu")
        return {
            **plain,
            **dict.fromkeys(names, _number),
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
            "statistic": lambda rows: [[self.database(d), _number(value)] for d, value in rows],
            "adversaries": lambda rows: [[i, list(known)] for i, known in rows],
            "theta_pairs": lambda rows: [list(row) for row in rows],
            "theta_distances": lambda rows: [[x, y, _level(c)] for x, y, c in rows],
            "prior": lambda law: {self.value(v): _number(p) for v, p in enumerate(law) if p},
            "tests": lambda rows: [{o.text: _number(value) for o, value in row} for row in rows],
            "tradeoff": lambda rows: [list(map(_number, row)) for row in rows],
            "predicate": lambda rows: [list(map(_number, row)) for row in rows],
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
        return [[self.database(d), {o.text: _number(p) for o, p in law}] for d, law in aggregate.table]

    def _leak(self, leak: Any) -> Any:
        """What leaks of each output, or with it on each database."""
        if not isinstance(leak, LeakLaws):
            return _labels(leak)
        return [
            {
                "database": self.database(database),
                "outputs": {
                    label([output, leaked]).text: _number(Fraction(weight, law.denominator))
                    for output, leaked, weight in law.rows
                },
            }
            for database, law in leak.laws
        ]

    def _distance(self, distance: Any) -> Any:
        if isinstance(distance, str):
            return distance
        return [[self.database(d), self.database(e), _level(c)] for d, e, c in distance]


def _number(value: Fraction) -> str:
    return f"-{number_text(-value)}" if value < 0 else number_text(value)


def _level(value: Fraction | None) -> str:
    return "inf" if value is None else _number(value)


def _texts(row: Iterable[Label]) -> list[str]:
    return [label.text for label in row]


def _labels(rows: Iterable[tuple[Label, Label]]) -> dict[str, str]:
    return {output.text: seen.text for output, seen in rows}


def event_table(witness: Witness) -> dict[str, Any]:
    """The event that the checker adds up, as texts: that of a curve, for one pair of laws with all its outputs."""
    added = (
        witness.measure in CURVES and witness.terms is None and all(p.left_out is None for p in witness.pieces or ())
    )
    event, masses = (witness.event, (witness.probability_a, witness.probability_b)) if added else (None, (None, None))
    first, second = (None if mass is None else number_text(mass) for mass in masses)
    return {"event": None if event is None else _texts(event), "probability_a": first, "probability_b": second}


def witness_table(witness: Witness | None) -> dict[str, Any] | None:
    """The row that an answer shows, as texts; of a condition none."""
    if witness is None or isinstance(witness.value, Fraction):
        return None
    return {
        "distribution": witness.distribution,
        "record": None if witness.kind == NEIGHBOURS else witness.record,
        "a": None,
        "b": None,
        "knowledge": None,
        **event_table(witness),
        "at_epsilon": witness.epsilon.text(ALL_DIGITS),
        "value": _value(witness.value),
        "direction": witness.direction
        if witness.databases is None or witness.direction
        else _against(witness.databases),
        "output": None,
        "databases": None if witness.databases is None else [_texts(d) for d in witness.databases],
        "terms": None,
    }


def _against(databases: Iterable[Iterable[Label]]) -> str:
    """The laws of two neighbours in words, as rows of a relation are named."""
    return " against ".join(f"M([{', '.join(_texts(database))}])" for database in databases)


def _value(value: Delta | Enclosure | Epsilon) -> str:
    return value.text(ALL_DIGITS)
