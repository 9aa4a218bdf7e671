"""The rows of the tables on which the evidence rests: the worlds of both laws, and the outputs of the event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions import Witness
from verifier.definitions.answer import json_of
from verifier.definitions.centres.simulator_ddp import SimulatorWitness
from verifier.definitions.compared_kinds import SCHEME
from verifier.definitions.verdict import Share
from verifier.model import NOTHING, Database, Model, Secret, Table, Theta, World, replaced, subject_of
from verifier.model.document import Document
from verifier.model.model import RecordSecrets
from verifier.numbers import Enclosure, decimal_form
from verifier.show.witnesses import contribution, knowledge_text
from verifier.tables import Label, label, runs_text
from verifier.wings.explore.open_documents import MOST_WORLDS, OpenDocument

RowPath = list[str | int]


@dataclass(frozen=True)
class Sides:
    """The two sides of a comparison: the rows of each, and a few words about each."""

    rows_a: list[RowPath]
    rows_b: list[RowPath]
    side_a: str
    side_b: str


class _ComparisonKey(NamedTuple):
    """The record, the values a and b, and the distribution of a comparison."""

    record: int | None
    a: Label | None
    b: Label | None
    distribution: str | None


def highlight(opened: OpenDocument, witness: Witness) -> dict[str, Any]:
    """The rows of the document that a witness speaks of."""
    term = leading(witness)
    knowledge = witness.knowledge if term is None else term.knowledge
    event = witness.event if term is None else term.event
    if isinstance(witness, SimulatorWitness) and witness.tests:
        row, event = witness.tests[0].row, witness.tests[0].event
        sides = _simulated(opened, row.distribution, row.record, row.a, row.knowledge)
        knowledge, compared = row.knowledge, _ComparisonKey(row.record, row.a, None, row.distribution)
    else:
        sides = _sides(opened, witness, knowledge)
        compared = _ComparisonKey(witness.record, witness.a, witness.b, witness.distribution)
    outputs = [witness.output] if witness.output is not None else list(event or ())
    return {
        "a": None if compared.a is None else compared.a.shown,
        "b": None if compared.b is None else compared.b.shown,
        "record": compared.record,
        "distribution": _position(opened.model, compared.distribution),
        "knowledge": json_of(knowledge),
        "outputs": [output.text for output in outputs],
        "rows_a": sides.rows_a,
        "rows_b": sides.rows_b,
        "event_rows": _event_rows(opened, frozenset(outputs)),
        "side_a": sides.side_a,
        "side_b": sides.side_b,
        "probability_a": json_of(witness.probability_a),
        "probability_a_decimal": _decimal(witness.probability_a),
        "probability_b": json_of(witness.probability_b),
        "probability_b_decimal": _decimal(witness.probability_b),
    }


def _decimal(probability: Fraction | Enclosure | None) -> str | None:
    return None if probability is None else decimal_form(probability)


def leading(witness: Witness) -> Share | None:
    """The term of an average that contributes most to δ, which the sentence names too; None without an average."""
    counting = (term for term in witness.terms or () if not term.delta.is_zero)
    return max(counting, key=contribution, default=None)


def _position(model: Model, name: str | None) -> int | None:
    """The position of θ in the document; a pair (θ, ζ) has the position of its θ."""
    several = max(1, len(model.zetas))
    return next((k // several for k, theta in enumerate(model.thetas) if theta.name == name), None)


def _sides(opened: OpenDocument, witness: Witness, knowledge: Label | None) -> Sides:
    model = opened.model
    if witness.databases is not None:
        pair = [tuple(model.values.index(v) for v in database) for database in witness.databases]
        rows = [_rows_with(opened, database) for database in pair]
        words = [f"the database {runs_text(database)}" for database in witness.databases]
        return Sides(rows[0], rows[1], words[0], words[1])
    if witness.kind == SCHEME:
        first, _, second = (witness.direction or "").partition(" against ")
        return Sides([], [], first, second)
    theta = next((theta for theta in model.thetas if theta.name == witness.distribution), None)
    secret = secret_of(model, witness.record)
    if theta is None or secret is None:
        return Sides([], [], "", "")
    subject, knowledge_words = subject_of(witness.record), _known(knowledge)
    is_consistent = _consistent_with(theta, knowledge)
    if witness.output is not None:
        return _posterior(opened, witness, theta, is_consistent)
    side_a = f"{subject} = {witness.a}{knowledge_words}"
    has_a, has_b = (_having(secret, value, is_consistent) for value in (witness.a, witness.b))
    with_a = _worlds(opened, theta, has_a)
    if witness.direction is not None and witness.kind == "counterfactual":
        databases = _databases(opened, theta, has_a)
        changed = _set(model, databases, witness)
        mechanism_rows = [
            _mechanism_rows(opened, databases_of_side.__contains__) for databases_of_side in (databases, changed)
        ]
        ways = Sides(
            with_a + mechanism_rows[0], mechanism_rows[1], side_a, f"the same, with {subject} set to {witness.b}"
        )
        back = witness.direction.startswith("counter")
        return Sides(ways.rows_b, ways.rows_a, ways.side_b, ways.side_a) if back else ways
    return Sides(with_a, _worlds(opened, theta, has_b), side_a, f"{subject} = {witness.b}{knowledge_words}")


def secret_of(model: Model, record: int | None) -> Secret | None:
    """The secret of a record, or the protected function for None; found without a pass over all records."""
    secrets = model.secrets.only(record) if isinstance(model.secrets, RecordSecrets) else model.secrets
    return next((secret for secret in secrets if secret.record == record), None)


def _simulated(opened: OpenDocument, name: str, record: int, a: Label, knowledge: Label) -> Sides:
    """The worlds of the first test; the other side is what a simulator says, which is in no table."""
    theta = next(theta for theta in opened.model.thetas if theta.name == name)
    secret, is_consistent = Secret(record, opened.model.values), _consistent_with(theta, knowledge)
    rows = _worlds(opened, theta, _having(secret, a, is_consistent))
    words = f"{subject_of(record)} = {a}{_known(knowledge)}"
    return Sides(rows, [], words, "what the simulator answers, told only the other records")


def _posterior(opened: OpenDocument, witness: Witness, theta: Theta, is_consistent: Callable[[World], bool]) -> Sides:
    """The worlds in which the record has a value of the event, and M can produce the output: as it is, or changed."""
    model, record, output = opened.model, witness.record, witness.output
    if record is None or output is None or witness.b is None:
        return Sides([], [], "", "")
    b, event = model.values.index(witness.b), frozenset(witness.event or ())

    def side(change: Callable[[Database], Database]) -> list[RowPath]:
        def is_compared(world: World) -> bool:
            law = model.mechanism.law(change(world.database))
            return (
                model.values[world.database[record]] in event and is_consistent(world) and bool(law.probability(output))
            )

        return _worlds(opened, theta, is_compared)

    sides = [
        (side(lambda database: database), f"M(D) = {output}"),
        (side(lambda database: replaced(database, record, b)), f"M(D with D({record}) set to {witness.b}) = {output}"),
    ]
    if (witness.direction or "").startswith("counter"):
        sides.reverse()
    (rows_a, side_a), (rows_b, side_b) = sides
    return Sides(rows_a, rows_b, side_a, side_b)


def _databases(opened: OpenDocument, theta: Theta, keep: Callable[[World], bool]) -> set[Database]:
    """The databases of the worlds that are kept, where a table of the mechanism has rows to be marked."""
    rows, _ = _table(opened.document, "mechanism", None)
    if not rows or theta.count() > MOST_WORLDS:
        return set()
    return {world.database for world in theta.worlds() if keep(world)}


def _set(model: Model, databases: Iterable[Database], witness: Witness) -> set[Database]:
    """The databases with the record of a witness set to b."""
    if witness.record is None or witness.b is None:
        return set()
    b = model.values.index(witness.b)
    return {replaced(database, witness.record, b) for database in databases}


def _consistent_with(theta: Theta, knowledge: Label | None) -> Callable[[World], bool]:
    """A test whether the attacker can have a knowledge value in a world."""
    if knowledge is None or knowledge == NOTHING:
        return lambda _: True
    return lambda world: bool(theta.known(world).probability(knowledge))


def _having(secret: Secret, value: Label | None, is_consistent: Callable[[World], bool]) -> Callable[[World], bool]:
    """A test whether a record has a value in a world that the attacker's knowledge allows."""
    return lambda world: secret.of(world) == value and is_consistent(world)


def _known(knowledge: Label | None) -> str:
    text = knowledge_text(knowledge)
    return "" if text == "nothing" else f", the attacker knows B = {text}"


def _worlds(opened: OpenDocument, theta: Theta, keep: Callable[[World], bool]) -> list[RowPath]:
    """The rows of an explicit table whose worlds are kept; other shapes have no rows."""
    position = _position(opened.model, theta.name)
    rows, path = _table(opened.document, "distribution", position)
    if not isinstance(theta.shape, Table) or not rows:
        return []
    kept_worlds = {(world.database, world.knowledge, world.sensitive) for world in theta.shape.rows if keep(world)}
    keys = (
        (_database(opened.model, row["database"]), _label(row, "knowledge"), _label(row, "sensitive")) for row in rows
    )
    return [[*path, k] for k, key in enumerate(keys) if key in kept_worlds]


def _rows_with(opened: OpenDocument, database: Database) -> list[RowPath]:
    """The rows of explicit tables, of the mechanism and of the distributions, with a database."""
    distributions = opened.document.get("distribution")
    tables = [
        ("mechanism", None),
        *(("distribution", k) for k in range(len(distributions) if isinstance(distributions, list) else 1)),
    ]
    return [
        path
        for name, position in tables
        for path in _rows_of(opened, name, position, lambda of_row: of_row == database)
    ]


def _event_rows(opened: OpenDocument, outputs: frozenset[Label]) -> list[RowPath]:
    """The rows of an explicit mechanism table that can produce one of the outputs."""
    mechanism = opened.model.mechanism
    return _mechanism_rows(
        opened, lambda database: mechanism.takes(database) and bool(outputs & set(mechanism.law(database).outcomes))
    )


def _mechanism_rows(opened: OpenDocument, keep: Callable[[Database], bool]) -> list[RowPath]:
    """The rows of an explicit mechanism table whose databases are kept."""
    return _rows_of(opened, "mechanism", None, keep)


def _rows_of(opened: OpenDocument, name: str, position: int | None, keep: Callable[[Database], bool]) -> list[RowPath]:
    """The rows of an explicit table whose databases are kept."""
    rows, path = _table(opened.document, name, position)
    return [[*path, k] for k, row in enumerate(rows) if keep(_database(opened.model, row["database"]))]


def _table(document: Document, name: str, position: int | None) -> tuple[list[Mapping[str, Any]], RowPath]:
    """The rows of a table and the path to them; none where it has another shape."""
    tables, path = document.get(name), RowPath((name,))
    if isinstance(tables, list) and position is not None:
        tables = tables[position]
        path.append(position)
    if isinstance(tables, Mapping):
        for key in ("table", "rows"):
            if isinstance(tables.get(key), list):
                return tables[key], [*path, key]
    return [], path


def _database(model: Model, row_database: Any) -> Database:
    """A database of a row; as a multiset where databases have several sizes."""
    index = {value.text: k for k, value in enumerate(model.values)}
    positions = tuple(index[label(value).text] for value in row_database)
    return tuple(sorted(positions)) if model.sizes else positions


def _label(row: Mapping[str, Any], column: str) -> Label | None:
    return label(row[column]) if column in row else None
