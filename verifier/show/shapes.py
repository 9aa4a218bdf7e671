"""Distributions, mechanisms and causal comparisons as tables from which every probability can be added up again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict, find
from verifier.model import (
    NOTHING,
    Groups,
    Independent,
    Mixture,
    Model,
    Network,
    Table,
    Theta,
    World,
    database_text,
    replaced,
)
from verifier.model.distribution import Node, Shape
from verifier.numbers import exact_text
from verifier.show.amounts import law_text, ranges
from verifier.show.sheet import Sheet
from verifier.tables import Label, Law

MOST_WORLDS = 24
MOST_ROWS = 32


def world_sheets(model: Model) -> list[Sheet]:
    """Each θ: small ones world by world, large ones by the laws that they are made of."""
    sheets = []
    for theta in model.thetas:
        if theta.count() <= MOST_WORLDS:
            sheets.append(_listed(model, theta))
        else:
            sheets += _shape_sheets(model, theta, theta.shape, f'θ = "{theta.name}", {theta.count():,} worlds')
    return sheets


def _listed(model: Model, theta: Theta) -> Sheet:
    """World by world: D, what else the world holds, its probability, and the output."""
    worlds = list(theta.worlds())
    secret = model.secrets[0]
    columns = [("D", [database_text(world.database, model.values) for world in worlds])]
    if theta.zeta.kind != "component" and worlds[0].component is not None:
        columns.append(("component", [_text(world.component) for world in worlds]))
    if knows(model):
        columns.append(("B (known)", [law_text(theta.known(world)) for world in worlds]))
    if not model.protects_records:
        columns.append(("S (protected)", [secret.of(world).text for world in worlds]))
    columns.append(("probability", [exact_text(Fraction(world.weight, theta.denominator)) for world in worlds]))
    columns.append(("M(D)", [law_text(model.mechanism.law(world.database)) for world in worlds]))
    rows = tuple(zip(*(column for _, column in columns), strict=True))
    return Sheet(f'θ = "{theta.name}", world by world', tuple(name for name, _ in columns), rows)


def _text(one: Label | None) -> str:
    return "–" if one is None else one.text


def knows(model: Model) -> bool:
    """Whether the attacker knows anything in any listed world."""
    return any(theta.known(next(theta.worlds())) != Law.point(NOTHING) for theta in model.thetas)


def _shape_sheets(model: Model, theta: Theta, shape: Shape, title: str) -> list[Sheet]:
    """The laws of a large distribution: a record, a row of a network, or a component at a time."""
    values = tuple(v.text for v in model.values)
    if isinstance(shape, Independent):
        columns = ("record", *(f"P[{value}]" for value in values))
        return [Sheet(f"{title}: independent records", columns, _record_rows(shape))]
    if isinstance(shape, Network):
        columns = ("record", "given", *(f"P[{value}]" for value in values))
        rows = [row for node in shape.nodes for row in _node_rows(node, values)]
        return [Sheet(f"{title}: records drawn one after the other", columns, tuple(rows))]
    if isinstance(shape, Mixture):
        return _mixture_sheets(model, theta, shape, title)
    if isinstance(shape, Groups):
        return _group_sheets(model, theta, shape, title)
    return [_table_sheet(model, theta, shape, title)]


def _chances(law: tuple[tuple[int, ...], int]) -> tuple[str, ...]:
    weights, denominator = law
    return tuple(exact_text(Fraction(weight, denominator)) for weight in weights)


def _record_rows(shape: Independent) -> tuple[tuple[str, ...], ...]:
    """One row a law; records with the same law share it."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for record, law in enumerate(shape.laws):
        alike.setdefault(_chances(law), []).append(record)
    return tuple((ranges(records), *chances) for chances, records in alike.items())


def _node_rows(node: Node, values: Sequence[str]) -> list[tuple[str, ...]]:
    """One row for each combination of the parents' values."""
    return [
        (
            str(node.record),
            ", ".join(f"D({parent}) = {values[v]}" for parent, v in zip(node.given, when, strict=True)) or "–",
            *_chances(law),
        )
        for when, law in node.laws.items()
    ]


def _mixture_sheets(model: Model, theta: Theta, shape: Mixture, title: str) -> list[Sheet]:
    """One table where all components have independent records, else one table a component."""
    weights = [exact_text(Fraction(weight, shape.total)) for weight in shape.weights]
    parts = list(zip(shape.names, weights, shape.parts, strict=True))
    flat = [(name, weight, part) for name, weight, part in parts if isinstance(part, Independent)]
    if len(flat) == len(parts):
        columns = ("component", "weight", "records", *(f"P[{value.text}]" for value in model.values))
        rows = [(name.text, weight, *row) for name, weight, part in flat for row in _record_rows(part)]
        return [Sheet(f"{title}: a mixture; records are independent given the component", columns, tuple(rows))]
    sheets = []
    for name, weight, part in parts:
        sheets += _shape_sheets(model, theta, part, f"{title}; component {name.text} of weight {weight}")
    return sheets


def _group_sheets(model: Model, theta: Theta, shape: Groups, title: str) -> list[Sheet]:
    """One table a group of consecutive records; records are counted from the start of the group."""
    sheets, start = [], 0
    for times, size, part in shape.parts:
        stop = start + times * size - 1
        records = f"record {start}" if stop == start else f"records {start} to {stop}"
        often = f"{times:,} groups of {size:,}" if times > 1 else "one group"
        sheets += _shape_sheets(model, theta, part, f"{title}; {records}, {often}")
        start = stop + 1
    return sheets


def _table_sheet(model: Model, theta: Theta, shape: Table, title: str) -> Sheet:
    """The first rows of a long table; the model file has them all."""
    worlds = shape.rows[:MOST_ROWS]
    rows = tuple(
        (
            database_text(world.database, model.values),
            law_text(theta.known(world)) if knows(model) else "nothing",
            exact_text(Fraction(world.weight, shape.denominator)),
        )
        for world in worlds
    )
    more = len(shape.rows) - len(worlds)
    notes = (f"{more:,} more rows are in the model file.",) if more else ()
    return Sheet(f"{title}: a table", ("D", "B (known)", "probability"), rows, notes=notes)


def causal_sheet(model: Model, answers: Sequence[Verdict]) -> Sheet | None:
    """The comparison of CDP's witness (or tightest comparison) world by world, before and after the record is set."""
    for answer in answers:
        causal = find(answer.definition).kind == "counterfactual"
        found = (answer.witness or answer.tightest) if causal else None
        if found is None or found.record is None or found.direction is None:
            continue
        theta = next(one for one in model.thetas if one.name == found.distribution)
        if theta.count() > MOST_WORLDS:
            return None
        heard = NOTHING if found.knowledge is None else found.knowledge
        a, b, record = model.values.index(found.a), model.values.index(found.b), found.record
        compared = []
        for world in theta.worlds():
            chance = Fraction(world.weight, theta.denominator) * theta.known(world).probability(heard)
            if world.database[record] == a and chance:
                compared.append((world, chance))
        total = sum((chance for _, chance in compared), Fraction(0))
        after = f"D({record}→{found.b})"
        given = f"D({record}) = {found.a}" + (f", B = {heard}" if heard != NOTHING else "")
        head = ("D", "probability", "B", f"given {given}", "M(D)", after, f"M({after})")
        table: list[tuple[str, ...]] = [head]
        table += [_causal_row(model, world, chance / total, theta, (record, b)) for world, chance in compared]
        if heard == NOTHING:
            table = [_without(row, 2) for row in table]
        columns, *rows = table
        return Sheet(f"CDP, world by world: {given}, then record {record} is set to {found.b}", columns, tuple(rows))
    return None


def _causal_row(model: Model, world: World, chance: Fraction, theta: Theta, change: tuple[int, int]) -> tuple[str, ...]:
    record, b = change
    after = replaced(world.database, record, b)
    return (
        database_text(world.database, model.values),
        exact_text(Fraction(world.weight, theta.denominator)),
        law_text(theta.known(world)),
        exact_text(chance),
        law_text(model.mechanism.law(world.database)),
        database_text(after, model.values),
        law_text(model.mechanism.law(after)),
    )


def _without(row: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*row[:place], *row[place + 1 :])


def step_sheets(model: Model) -> list[Sheet]:
    """The rows of tables and of `then` steps, as the model file gives them."""
    try:
        document = tomllib.loads(model.text, parse_float=str)
    except tomllib.TOMLDecodeError:
        return []
    sheets = []
    for name, symbol in (("mechanism", "M"), ("knowledge", "B")):
        given = document.get(name)
        if isinstance(given, dict):
            sheets += _channel_sheets(given, symbol)
    return sheets


def _channel_sheets(given: dict[str, Any], symbol: str) -> list[Sheet]:
    """A short table of databases, and every step."""
    sheets = []
    rows = given.get("table") or given.get("rows")
    if rows and len(rows) <= MOST_ROWS:
        sheets.append(_rows_sheet(f"{symbol}, a table of databases", "database", rows, given.get("otherwise")))
    steps = given.get("then", [])
    for number, step in enumerate(steps, start=1):
        name = f"{symbol}, step {number} of {len(steps)} after {given.get('kind', 'the table')}"
        rows = step.get("rows") or step.get("table")
        if rows:
            sheets.append(_rows_sheet(name, "input", rows, step.get("otherwise")))
        else:
            settings = ", ".join(f"{key} = {value}" for key, value in step.items() if key != "kind")
            sheets.append(Sheet(name, ("step", "settings"), ((str(step.get("kind")), settings or "–"),)))
    return sheets


def _rows_sheet(title: str, key: str, rows: Sequence[dict[str, Any]], otherwise: object) -> Sheet:
    """Inputs with the same output share a row."""
    alike: dict[str, list[str]] = {}
    for row in rows:
        alike.setdefault(_output(row.get("output", row.get("outputs"))), []).append(_given(row.get(key)))
    if otherwise is not None:
        alike.setdefault(_output(otherwise), []).append("any other")
    columns = (key, "output")
    return Sheet(title, columns, tuple((", ".join(inputs), output) for output, inputs in alike.items()))


def _output(given: object) -> str:
    if isinstance(given, dict):
        return ", ".join(f"{key}: {value}" for key, value in given.items())
    return _given(given)


def _given(one: object) -> str:
    if isinstance(one, list):
        return "[" + ", ".join(map(_given, one)) + "]"
    return str(one).lower() if isinstance(one, bool) else str(one)


def file_text(model: Model) -> str:
    """The model file without its notes and the answers at its end, which the page shows anyway."""
    head, mark, answers = model.text.partition("\n[[expect]]\n")
    others = [line for line in answers.splitlines() if line.startswith("[") and line.strip() != "[[expect]]"]
    text = model.text if not mark or others else head.rstrip() + "\n"
    return _NOTES.sub("", text, count=1)


_NOTES = re.compile(r'^notes *= *""".*?""" *\n', re.DOTALL | re.MULTILINE)
