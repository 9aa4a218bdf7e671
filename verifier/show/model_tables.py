"""Distributions, mechanisms and causal comparisons as tables with all numbers, so that readers can recompute them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Verdict, find
from verifier.model import (
    NOTHING,
    Exchangeable,
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
from verifier.model.dependent import Node
from verifier.model.distribution import Shape
from verifier.numbers import NO_VALUE
from verifier.show.sheet import Sheet, exact, law_text, ranges
from verifier.show.witnesses import has_no_name
from verifier.tables import Label, Law, collected

MOST_WORLDS = 24
MOST_ROWS = 32


def world_sheets(model: Model, most: int = MOST_WORLDS) -> list[Sheet]:
    """Return tables of each θ: up to `most` worlds one by one, a larger θ by the laws of its records or components."""
    sheets = []
    for theta in model.thetas:
        if theta.count() <= most:
            sheets.append(_worlds_sheet(model, theta))
        else:
            sheets += _shape_sheets(model, theta, theta.shape, f"{_named(model, theta)}, {theta.count():,} worlds")
    return sheets


def _named(model: Model, theta: Theta) -> str:
    """A distribution by its name, if its file names it, or has several."""
    return "θ" if has_no_name(model) else f'θ = "{theta.name}"'


def _worlds_sheet(model: Model, theta: Theta) -> Sheet:
    """Return a θ world by world: D, component, B and S where they exist, the probability, and M(D)."""
    worlds = list(theta.worlds())
    secret = model.secrets[0]
    columns = [("D", [database_text(world.database, model.values) for world in worlds])]
    if theta.zeta.kind != "component" and worlds[0].component is not None:
        columns.append(("component", [_text(world.component) for world in worlds]))
    if knows(model):
        columns.append(("B (known)", [law_text(theta.known(world)) for world in worlds]))
    if not model.protects_records:
        columns.append(("S (protected)", [secret.of(world).text for world in worlds]))
    columns.append(("probability", [exact(Fraction(world.weight, theta.denominator)) for world in worlds]))
    columns.append(("M(D)", [law_text(model.mechanism.law(world.database)) for world in worlds]))
    rows = tuple(zip(*(column for _, column in columns), strict=True))
    return Sheet(f"{_named(model, theta)}, world by world", tuple(name for name, _ in columns), rows)


def _text(label: Label | None) -> str:
    return NO_VALUE if label is None else label.text


def knows(model: Model) -> bool:
    """Whether the attacker knows anything in any listed world."""
    return any(theta.known(next(theta.worlds())) != Law.point(NOTHING) for theta in model.thetas)


def _shape_sheets(model: Model, theta: Theta, shape: Shape, title: str) -> list[Sheet]:
    """Return the laws of a large distribution: by records, by rows of a network, or by components."""
    values = tuple(v.text for v in model.values)
    if isinstance(shape, Independent):
        columns = ("record", *(f"P[{value}]" for value in values))
        return [Sheet(f"{title}: independent records", columns, _record_rows(shape))]
    if isinstance(shape, Network):
        columns = ("record", "given", *(f"P[{value}]" for value in values))
        rows = [row for node in shape.nodes for row in _node_rows(node, values)]
        return [Sheet(f"{title}: records drawn one after the other", columns, tuple(rows))]
    if isinstance(shape, Exchangeable):
        columns = (*(f"how many {value}" for value in values), "probability")
        return [Sheet(f"{title}: all orders of the records are alike", columns, _histogram_rows(shape))]
    if isinstance(shape, Mixture):
        return _mixture_sheets(model, theta, shape, title)
    if isinstance(shape, Groups):
        return _group_sheets(model, theta, shape, title)
    return [_table_sheet(model, theta, shape, title)]


def _chances(law: tuple[tuple[int, ...], int]) -> tuple[str, ...]:
    weights, denominator = law
    return tuple(exact(Fraction(weight, denominator)) for weight in weights)


def _record_rows(shape: Independent) -> tuple[tuple[str, ...], ...]:
    """Return one row for each law; records with the same law share a row."""
    alike = collected((_chances(law), record) for record, law in enumerate(shape.laws))
    return tuple((ranges(records), *chances) for chances, records in alike.items())


def _histogram_rows(shape: Exchangeable) -> tuple[tuple[str, ...], ...]:
    """Return a row for each histogram that has a positive probability."""
    return tuple((*map(str, histogram), exact(Fraction(weight, shape.total))) for histogram, weight in shape.histograms)


def _node_rows(node: Node, values: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a row for each combination of the parents' values."""
    return [
        (
            str(node.record),
            ", ".join(f"D({parent}) = {values[v]}" for parent, v in zip(node.parents, when, strict=True)) or NO_VALUE,
            *_chances(law),
        )
        for when, law in node.laws.items()
    ]


def _mixture_sheets(model: Model, theta: Theta, shape: Mixture, title: str) -> list[Sheet]:
    """Return one table where all components have independent records, else one table for each component."""
    weights = [exact(Fraction(weight, shape.total)) for weight in shape.weights]
    components = list(zip(shape.names, weights, shape.components, strict=True))
    flat = [(name, weight, part) for name, weight, part in components if isinstance(part, Independent)]
    if len(flat) == len(components):
        columns = ("component", "weight", "records", *(f"P[{value.text}]" for value in model.values))
        rows = [(name.text, weight, *row) for name, weight, part in flat for row in _record_rows(part)]
        return [Sheet(f"{title}: a mixture; records are independent given the component", columns, tuple(rows))]
    sheets = []
    for name, weight, part in components:
        sheets += _shape_sheets(model, theta, part, f"{title}; component {name.text} of weight {weight}")
    return sheets


def _group_sheets(model: Model, theta: Theta, shape: Groups, title: str) -> list[Sheet]:
    """Return one table for each group of consecutive records, which are counted from the start of the group."""
    sheets, start = [], 0
    for times, size, part in shape.blocks:
        stop = start + times * size - 1
        records = f"record {start}" if stop == start else f"records {start} to {stop}"
        often = f"{times:,} groups of {size:,}" if times > 1 else "one group"
        sheets += _shape_sheets(model, theta, part, f"{title}; {records}, {often}")
        start = stop + 1
    return sheets


def _table_sheet(model: Model, theta: Theta, shape: Table, title: str) -> Sheet:
    """Return the first rows of a long table; the model file has all rows."""
    worlds = shape.rows[:MOST_ROWS]
    rows = tuple(
        (
            database_text(world.database, model.values),
            law_text(theta.known(world)) if knows(model) else "nothing",
            exact(Fraction(world.weight, shape.denominator)),
        )
        for world in worlds
    )
    more = len(shape.rows) - len(worlds)
    notes = (f"{more:,} more rows are in the model file.",) if more else ()
    return Sheet(f"{title}: a table", ("D", "B (known)", "probability"), rows, notes=notes)


def causal_sheet(model: Model, answers: Sequence[Verdict]) -> Sheet | None:
    """Return the comparison of CDP's witness (DMKB20, Definition 5) world by world, before and after the record is set.

    Without a witness, the tightest comparison takes its place. None where no answer has either, or θ is too large.
    """
    for answer in answers:
        causal = find(answer.definition).kind == "counterfactual"
        witness = (answer.witness or answer.tightest) if causal else None
        if witness is None or witness.record is None or witness.direction is None:
            continue
        theta = next(candidate for candidate in model.thetas if candidate.name == witness.distribution)
        if theta.count() > MOST_WORLDS:
            return None
        knowledge = NOTHING if witness.knowledge is None else witness.knowledge
        a, b, record = model.values.index(witness.a), model.values.index(witness.b), witness.record
        worlds = []
        for world in theta.worlds():
            chance = Fraction(world.weight, theta.denominator) * theta.known(world).probability(knowledge)
            if world.database[record] == a and chance:
                worlds.append((world, chance))
        total = sum((chance for _, chance in worlds), Fraction(0))
        after = f"D({record}→{witness.b})"
        condition = f"D({record}) = {witness.a}" + (f", B = {knowledge}" if knowledge != NOTHING else "")
        heads = ("D", "probability", "B", f"given {condition}", "M(D)", after, f"M({after})")
        table: list[tuple[str, ...]] = [heads]
        table += [_causal_row(model, world, chance / total, theta, (record, b)) for world, chance in worlds]
        if knowledge == NOTHING:
            table = [_without(row, 2) for row in table]
        columns, *rows = table
        return Sheet(
            f"CDP, world by world: {condition}, then record {record} is set to {witness.b}", columns, tuple(rows)
        )
    return None


def _causal_row(model: Model, world: World, chance: Fraction, theta: Theta, change: tuple[int, int]) -> tuple[str, ...]:
    record, b = change
    after = replaced(world.database, record, b)
    return (
        database_text(world.database, model.values),
        exact(Fraction(world.weight, theta.denominator)),
        law_text(theta.known(world)),
        exact(chance),
        law_text(model.mechanism.law(world.database)),
        database_text(after, model.values),
        law_text(model.mechanism.law(after)),
    )


def _without(row: tuple[str, ...], column: int) -> tuple[str, ...]:
    return (*row[:column], *row[column + 1 :])


def step_sheets(model: Model) -> list[Sheet]:
    """Return the tables of the mechanism and the knowledge, and their `then` steps, as the model file has them."""
    try:
        document = tomllib.loads(model.text, parse_float=str)
    except tomllib.TOMLDecodeError:
        return []
    sheets = []
    for name, symbol in (("mechanism", "M"), ("knowledge", "B")):
        channel = document.get(name)
        if isinstance(channel, dict):
            sheets += _channel_sheets(channel, symbol)
    return sheets


def _channel_sheets(channel: dict[str, Any], symbol: str) -> list[Sheet]:
    """Return the table of databases, where it is short, and a table for each step."""
    sheets = []
    rows = channel.get("table") or channel.get("rows")
    if rows and len(rows) <= MOST_ROWS:
        sheets.append(_rows_sheet(f"{symbol}, a table of databases", "database", rows, channel.get("otherwise")))
    steps = channel.get("then", [])
    for number, step in enumerate(steps, start=1):
        name = f"{symbol}, step {number} of {len(steps)} after {channel.get('kind', 'the table')}"
        rows = step.get("rows") or step.get("table")
        if rows:
            sheets.append(_rows_sheet(name, "input", rows, step.get("otherwise")))
        else:
            settings = ", ".join(f"{key} = {value}" for key, value in step.items() if key != "kind")
            sheets.append(Sheet(name, ("step", "settings"), ((str(step.get("kind")), settings or NO_VALUE),)))
    return sheets


def _rows_sheet(title: str, key: str, rows: Sequence[dict[str, Any]], otherwise: object) -> Sheet:
    """Return a table of inputs and outputs; inputs with the same output share a row."""
    pairs = [(_output(row.get("output", row.get("outputs"))), _value_text(row.get(key))) for row in rows]
    alike = collected([*pairs, *([(_output(otherwise), "any other")] if otherwise is not None else [])])
    columns = (key, "output")
    return Sheet(title, columns, tuple((", ".join(inputs), output) for output, inputs in alike.items()))


def _output(output: object) -> str:
    if isinstance(output, dict):
        return ", ".join(f"{key}: {value}" for key, value in output.items())
    return _value_text(output)


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def file_text(model: Model) -> str:
    """Return the text of the model file without its notes and its promised answers, which the page shows elsewhere."""
    before, separator, answers = model.text.partition("\n[[expect]]\n")
    other_tables = [line for line in answers.splitlines() if line.startswith("[") and line.strip() != "[[expect]]"]
    text = model.text if not separator or other_tables else before.rstrip() + "\n"
    return _NOTES.sub("", text, count=1)


_NOTES = re.compile(r'^notes *= *""".*?""" *\n', re.DOTALL | re.MULTILINE)
