"""Which rows of the tables the evidence rests on: the worlds on either side, and the outputs that tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from verifier.definitions import Witness
from verifier.definitions.simulated import SimulatorWitness
from verifier.definitions.verdict import Share, probability_text, shown
from verifier.model import NOTHING, Database, Model, Secret, Table, Theta, World, database_text, replaced, subject_of
from verifier.model.model import RecordSecrets
from verifier.numbers import Delta
from verifier.show.witnesses import knowledge_text
from verifier.tables import Label, label
from verifier.wings.explore.desk import MOST_WORLDS, Opened
from verifier.wings.explore.problems import Document

RowPath = list[str | int]


@dataclass(frozen=True)
class Sides:
    """What is compared: the worlds and the databases of either side, in a few words."""

    rows_a: list[RowPath]
    rows_b: list[RowPath]
    side_a: str
    side_b: str


class _Compared(NamedTuple):
    """Which comparison it is."""

    record: int | None
    a: Label | None
    b: Label | None
    distribution: str | None


def highlight(opened: Opened, found: Witness) -> dict[str, Any]:
    """The rows of the document that a witness speaks of."""
    term = leading(found)
    knowledge = found.knowledge if term is None else term.knowledge
    event = found.event if term is None else term.event
    if isinstance(found, SimulatorWitness) and found.tests:
        row, event = found.tests[0].row, found.tests[0].event
        sides = _simulated(opened, row.distribution, row.record, row.a, row.knowledge)
        knowledge, compared = row.knowledge, _Compared(row.record, row.a, None, row.distribution)
    else:
        sides = _sides(opened, found, knowledge)
        compared = _Compared(found.record, found.a, found.b, found.distribution)
    outputs = [found.output] if found.output is not None else list(event or ())
    return {
        "a": None if compared.a is None else compared.a.shown,
        "b": None if compared.b is None else compared.b.shown,
        "record": compared.record,
        "distribution": _position(opened.model, compared.distribution),
        "knowledge": shown(knowledge),
        "outputs": [one.text for one in outputs],
        "rows_a": sides.rows_a,
        "rows_b": sides.rows_b,
        "event_rows": _event_rows(opened, frozenset(outputs)),
        "side_a": sides.side_a,
        "side_b": sides.side_b,
        "probability_a": probability_text(found.probability_a),
        "probability_b": probability_text(found.probability_b),
    }


def leading(found: Witness) -> Share | None:
    """Of an average, the knowledge value that counts most, which the sentence names too."""
    counting = [term for term in found.terms or () if not term.delta.is_zero]

    def part(term: Share) -> Delta:
        return Delta(term.weight * term.delta.a, term.weight * term.delta.b, term.delta.epsilon)

    return max(counting, key=part) if counting else None


def _position(model: Model, name: str | None) -> int | None:
    """The position of θ in the document; a pair (θ, ζ) is at that of θ."""
    several = max(1, len(model.zetas))
    return next((k // several for k, theta in enumerate(model.thetas) if theta.name == name), None)


def _sides(opened: Opened, found: Witness, knowledge: Label | None) -> Sides:
    model = opened.model
    if found.databases is not None:
        pair = [tuple(model.values.index(v) for v in database) for database in found.databases]
        rows = [_rows_with(opened, database) for database in pair]
        words = [f"the database {database_text(database, model.values)}" for database in pair]
        return Sides(rows[0], rows[1], words[0], words[1])
    theta = next((one for one in model.thetas if one.name == found.distribution), None)
    secret = secret_of(model, found.record)
    if theta is None or secret is None:
        return Sides([], [], "", "")
    subject, known = subject_of(found.record), _known(knowledge)
    heard = _heard(theta, knowledge)
    if found.output is not None:
        return _posterior(opened, found, theta, heard)
    side_a = f"{subject} = {found.a}{known}"
    with_a = _worlds(opened, theta, lambda world: secret.of(world) == found.a and heard(world))
    if found.direction is not None and found.kind == "counterfactual":
        there = _databases(opened, theta, lambda world: secret.of(world) == found.a and heard(world))
        changed = _set(model, there, found)
        told = [_mechanism_rows(opened, some.__contains__) for some in (there, changed)]
        ways = Sides(with_a + told[0], told[1], side_a, f"the same, with {subject} set to {found.b}")
        back = found.direction.startswith("counter")
        return Sides(ways.rows_b, ways.rows_a, ways.side_b, ways.side_a) if back else ways
    with_b = _worlds(opened, theta, lambda world: secret.of(world) == found.b and heard(world))
    return Sides(with_a, with_b, side_a, f"{subject} = {found.b}{known}")


def secret_of(model: Model, record: int | None) -> Secret | None:
    """What is protected at a record, or the function that is; ten million records are not looked through."""
    some = model.secrets.only(record) if isinstance(model.secrets, RecordSecrets) else model.secrets
    return next((one for one in some if one.record == record), None)


def _simulated(opened: Opened, name: str, record: int, a: Label, knowledge: Label) -> Sides:
    """The worlds of the first test; the other side is what a simulator says, which is in no table."""
    theta = next(one for one in opened.model.thetas if one.name == name)
    secret, heard = Secret(record, opened.model.values), _heard(theta, knowledge)
    rows = _worlds(opened, theta, lambda world: secret.of(world) == a and heard(world))
    words = f"{subject_of(record)} = {a}{_known(knowledge)}"
    return Sides(rows, [], words, "what the simulator answers, told only the other records")


def _posterior(opened: Opened, found: Witness, theta: Theta, heard: Callable[[World], bool]) -> Sides:
    """The worlds in which the record has a value of the event, and M can produce the output: as it is, or changed."""
    model, record, output = opened.model, found.record, found.output
    if record is None or output is None or found.b is None:
        return Sides([], [], "", "")
    b, event = model.values.index(found.b), frozenset(found.event or ())

    def side(change: Callable[[Database], Database]) -> list[RowPath]:
        def here(world: World) -> bool:
            told = model.mechanism.law(change(world.database))
            return model.values[world.database[record]] in event and heard(world) and bool(told.probability(output))

        return _worlds(opened, theta, here)

    sides = [
        (side(lambda database: database), f"M(D) = {output}"),
        (side(lambda database: replaced(database, record, b)), f"M(D with D({record}) set to {found.b}) = {output}"),
    ]
    if (found.direction or "").startswith("counter"):
        sides.reverse()
    (rows_a, side_a), (rows_b, side_b) = sides
    return Sides(rows_a, rows_b, side_a, side_b)


def _databases(opened: Opened, theta: Theta, keep: Callable[[World], bool]) -> set[Database]:
    """The databases of the worlds that are kept, where a table of the mechanism has rows to be marked."""
    rows, _ = _table(opened.document, "mechanism", None)
    if not rows or theta.count() > MOST_WORLDS:
        return set()
    return {world.database for world in theta.worlds() if keep(world)}


def _set(model: Model, databases: Iterable[Database], found: Witness) -> set[Database]:
    """The databases with the record of a witness set to b."""
    if found.record is None or found.b is None:
        return set()
    b = model.values.index(found.b)
    return {replaced(database, found.record, b) for database in databases}


def _heard(theta: Theta, knowledge: Label | None) -> Callable[[World], bool]:
    """Whether the attacker can know a value in a world."""
    if knowledge is None or knowledge == NOTHING:
        return lambda _: True
    return lambda world: bool(theta.known(world).probability(knowledge))


def _known(knowledge: Label | None) -> str:
    text = knowledge_text(knowledge)
    return "" if text == "nothing" else f", the attacker knows B = {text}"


def _worlds(opened: Opened, theta: Theta, keep: Callable[[World], bool]) -> list[RowPath]:
    """The rows of an explicit table whose worlds are kept; other shapes have no rows."""
    position = _position(opened.model, theta.name)
    rows, path = _table(opened.document, "distribution", position)
    if not isinstance(theta.shape, Table) or not rows:
        return []
    kept = {(world.database, world.knowledge, world.sensitive) for world in theta.shape.rows if keep(world)}
    keys = (
        (_database(opened.model, row["database"]), _label(row, "knowledge"), _label(row, "sensitive")) for row in rows
    )
    return [[*path, k] for k, key in enumerate(keys) if key in kept]


def _rows_with(opened: Opened, database: Database) -> list[RowPath]:
    """The rows of explicit tables, of the mechanism and of the distributions, with a database."""
    given = opened.document.get("distribution")
    tables = [("mechanism", None), *(("distribution", k) for k in range(len(given) if isinstance(given, list) else 1))]
    found: list[RowPath] = []
    for name, position in tables:
        rows, path = _table(opened.document, name, position)
        found += [[*path, k] for k, row in enumerate(rows) if _database(opened.model, row["database"]) == database]
    return found


def _event_rows(opened: Opened, outputs: frozenset[Label]) -> list[RowPath]:
    """The rows of an explicit mechanism table that can produce one of the outputs."""
    mechanism = opened.model.mechanism
    return _mechanism_rows(
        opened, lambda one: mechanism.takes(one) and bool(outputs & set(mechanism.law(one).outcomes))
    )


def _mechanism_rows(opened: Opened, keep: Callable[[Database], bool]) -> list[RowPath]:
    """The rows of an explicit mechanism table whose databases are kept."""
    rows, path = _table(opened.document, "mechanism", None)
    return [[*path, k] for k, row in enumerate(rows) if keep(_database(opened.model, row["database"]))]


def _table(document: Document, name: str, position: int | None) -> tuple[list[Mapping[str, Any]], RowPath]:
    """The rows of a table and the path to them; none where it has another shape."""
    given, path = document.get(name), RowPath((name,))
    if isinstance(given, list) and position is not None:
        given = given[position]
        path.append(position)
    if isinstance(given, Mapping):
        for key in ("table", "rows"):
            if isinstance(given.get(key), list):
                return given[key], [*path, key]
    return [], path


def _database(model: Model, given: Any) -> Database:
    """A database of a row; as a multiset where databases have several sizes."""
    index = {value.text: k for k, value in enumerate(model.values)}
    found = tuple(index[label(one).text] for one in given)
    return tuple(sorted(found)) if model.sizes else found


def _label(row: Mapping[str, Any], column: str) -> Label | None:
    return label(row[column]) if column in row else None
