"""Tables in files of their own, CSV or JSON: the rows of a mechanism, or two laws. Nothing is completed or rounded.

A CSV file of a mechanism has the columns `database,output,probability`, or `database,output` where the output is
certain; or it is a matrix: its first column is the database, and each other column an output. A database is a JSON
list. Two laws have the columns `output,p,q`. A number keeps its literal text, so that `0.1` is one tenth.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from verifier.errors import InputError, LimitError
from verifier.machine.files import text_of
from verifier.model.rules import rule_of
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral, shorten
from verifier.tables import label
from verifier.tables.law import INTEGER

MAX_BYTES = 16 << 20
MAX_LEVELS = 100
SUFFIXES = (".csv", ".json")
"""The endings of files of tables."""
FILE_SCHEMA = {"description": "A file beside the model.", "type": "string", "pattern": r"\.(csv|CSV|json|JSON)$"}
LISTED = ("database", "output", "probability")
PAIR = ("output", "p", "q")
AS_LIST = "a database as a JSON list, such as [0, 1]"
IN_QUOTES = 'a cell with a comma stands in double quotes: "[0, 1]",yes,1/2'
WITH_TABLES = ("table", "rows")
"""The keys of a mechanism that may name a file."""
OF_KEYS = "cell-key"
"""The kind of step whose `table` is an office's p-table."""
P_TABLES = (("pcv", "ckey", "pvalue"), ("i", "j", "p"))
OF_COUNTS = ("count", "output", "probability")
"""The columns of the laws of published counts."""
HOLDERS = ("mechanism", "knowledge")
"""The parts of a model that have such keys, also in the mechanisms inside them."""


class Cells(NamedTuple):
    """One row of a CSV file by its columns, and the place of it."""

    where: str
    by_column: dict[str, str]


def named_file(raw: object) -> bool:
    """Whether an entry of a model is the name of a file of tables."""
    return isinstance(raw, str) and raw.lower().endswith(SUFFIXES)


def whole(tables: Mapping[str, Any], folder: Path, where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The tables of a model with those of the files that it points to in their places, and the names of these files.

    Raises:
        InputError: for a file outside of the folder of the model, and for one that has no table.

    """
    names: list[str] = []

    def filled(raw: Any, at: str) -> Any:
        if isinstance(raw, list):
            return [filled(entry, at) for entry in raw]
        if not isinstance(raw, Mapping):
            return raw
        raw = _in_steps(raw, at)
        reader = p_table if raw.get("kind") == OF_KEYS else mechanism_rows
        return {
            key: file_rows(entry, at, reader) if key in WITH_TABLES and named_file(entry) else filled(entry, at)
            for key, entry in raw.items()
        }

    def file_rows(name: str, at: str, reader: Callable[[Path], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        steps = PurePosixPath(name.replace("\\", "/"))
        if steps.is_absolute() or ".." in steps.parts or PureWindowsPath(name).drive:
            wanted = "the name of a file beside the model, or in a folder below it"
            raise InputError(f"{shorten(name)} is outside of the folder of the model", where=at, wanted=wanted)
        names.append(name)
        return reader(folder / name)

    place = f"{where}: " if where else ""
    changed = {key: filled(tables[key], f"{place}[{key}]") for key in HOLDERS if key in tables}
    return {**tables, **changed}, tuple(names)


def _in_steps(table: Mapping[str, Any], at: str) -> Mapping[str, Any]:
    """Tables of counts whose rule has a file in its words, with the steps of the rule in place of the words."""
    rule = table.get("rule")
    if table.get("kind") != "tables" or not isinstance(rule, str) or not re.search(r"(?i)\bcell keys ", rule):
        return table
    return {
        **{key: entry for key, entry in table.items() if key != "rule"},
        "then": list(rule_of(rule, f"{at}, rule").steps),
    }


def mechanism_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a mechanism, as a model file lists them, from a CSV or JSON file.

    Raises:
        InputError: where the file cannot be read, or is no such table; with its line.

    """
    text = _text(path, "a table of a mechanism")
    if path.suffix.lower() == ".json":
        return _rows_in_json(read_json(text, str(path)), str(path))
    at, rows = _read_csv(text, str(path))
    heads = tuple(at.by_column)
    if heads[0] != "database":
        raise InputError(
            f"the first column is {shorten(heads[0])}",
            where=at.where,
            wanted=f"{','.join(LISTED)}, or a matrix whose first column is database",
        )
    if heads in {LISTED, LISTED[:2]}:
        return _listed_rows(rows)
    return [
        {
            "database": _database(row.by_column["database"], row.where),
            "outputs": {head: cell for head, cell in row.by_column.items() if head != "database"},
        }
        for row in rows
    ]


def p_table(path: Path) -> list[dict[str, Any]]:
    """The rows of an office's p-table, as a model file lists them: columns pcv,ckey,pvalue or i,j,p.

    Raises:
        InputError: where the file cannot be read, or is no such table; with its line.

    """
    wanted = " or ".join(map(",".join, P_TABLES))
    text = _text(path, f"a p-table with the columns {wanted}")
    if path.suffix.lower() == ".json":
        listed: list[dict[str, Any]] = read_json(text, str(path))
        return listed
    at, lines = _read_csv(text, str(path))
    if tuple(at.by_column) not in P_TABLES:
        raise InputError(f"the columns are {shorten(','.join(at.by_column))}", where=at.where, wanted=wanted)
    return [{column: _entry(column, cell, row.where) for column, cell in row.by_column.items()} for row in lines]


def loss_table(path: Path) -> dict[str, dict[str, str]]:
    """A table of losses: columns value,output,loss, with a row for each value of a statistic and each output.

    Raises:
        InputError: for other columns, and for two rows about one value and output.

    """
    heads, rows = _read_csv(_text(path, "a table of losses"), str(path))
    if set(heads.by_column) != {"value", "output", "loss"}:
        raise InputError("the columns are not those of losses", where=heads.where, wanted="value,output,loss")
    losses: dict[str, dict[str, str]] = {}
    for where, cells in rows:
        row = losses.setdefault(cells["value"], {})
        if cells["output"] in row:
            problem = f"the loss of {shorten(cells['output'])} for {shorten(cells['value'])} is given twice"
            raise InputError(problem, where=where, wanted="one row")
        row[cells["output"]] = cells["loss"]
    return losses


def rule_step(path: Path) -> dict[str, Any]:
    """The step that a table of a rule is: cell keys, or rows `count,output,probability` for each count.

    Raises:
        InputError: where the file cannot be read, or is no such table; with its line.

    """
    text = _text(path, "a table of a rule")
    at, lines = _read_csv(text, str(path)) if path.suffix.lower() != ".json" else (None, iter(()))
    if at is None or tuple(at.by_column)[:2] != OF_COUNTS[:2]:
        return {"kind": OF_KEYS, "table": p_table(path)}
    laws: dict[int | str, dict[int | str, str]] = {}
    for row in lines:
        count, cell = row.by_column["count"], row.by_column["output"]
        law = laws.setdefault(_entry("count", count, row.where), {})
        output = int(cell) if INTEGER.fullmatch(cell) else cell
        if output in law:
            raise InputError(f"the output {shorten(cell)} of {count} is given twice", where=row.where, wanted="once")
        law[output] = row.by_column.get("probability", "1")
    return {"rows": [{"input": count, "outputs": law} for count, law in laws.items()]}


def _entry(column: str, cell: str, where: str) -> int | str:
    """A cell of a p-table: an integer, or the text of a probability."""
    if column == "p":
        return cell
    digits = cell.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise InputError(f"{column} is {shorten(cell)}", where=where, wanted="an integer")
    return int(cell)


def _listed_rows(rows: Sequence[Cells]) -> list[dict[str, Any]]:
    """A row for each database, from one for each database and output."""
    gathered: dict[str, dict[str, Any]] = {}
    for where, cells in rows:
        database = _database(cells["database"], where)
        outputs = gathered.setdefault(label(database, where).text, {"database": database, "outputs": {}})["outputs"]
        output = label(cells["output"], where).text
        if output in outputs:
            raise InputError(
                f"the output {shorten(output)} of {cells['database']} is given twice", where=where, wanted="one row"
            )
        outputs[output] = cells.get("probability", "1")
    return list(gathered.values())


def _database(cell: str, where: str) -> list[Any]:
    """A database from its JSON list."""
    value = read_json(cell, where) if cell.startswith("[") else None
    if not isinstance(value, list):
        tip = f"write [{cell}] for a database of one record" if cell and "," not in cell else IN_QUOTES
        raise InputError(f"{shorten(cell)} is not a database", where=where, wanted=AS_LIST, tip=tip)
    return value


def _rows_in_json(value: Any, where: str) -> list[dict[str, Any]]:
    """The rows of a mechanism: a list as a model file has it, or a table from databases to laws or outputs."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        raise InputError("the file is not a table", where=where, wanted='{"[0, 1]": {"yes": "1/2", "no": "1/2"}, …}')
    return [
        {"database": _database(key, where), **({"outputs": law} if isinstance(law, Mapping) else {"output": law})}
        for key, law in value.items()
    ]


def pair_laws(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The laws P and Q in a file: CSV with the columns output,p,q, or JSON `{ "p": {…}, "q": {…} }`.

    Raises:
        InputError: where the file cannot be read, or is no such table; with its line.

    """
    text = _text(path, "two distributions: a CSV file with the columns output,p,q, or JSON")
    if path.suffix.lower() == ".json":
        value = read_json(text, str(path))
        if not isinstance(value, Mapping) or value.keys() != {"p", "q"} or not all(map(_is_law, value.values())):
            wanted = '{"p": {"yes": "3/4", "no": "1/4"}, "q": {"yes": "1/4", "no": "3/4"}}'
            raise InputError("the file does not have two distributions", where=str(path), wanted=wanted)
        return value["p"], value["q"]
    at, rows = _read_csv(text, str(path))
    if at.by_column.keys() != set(PAIR):
        raise InputError(f"the columns are {shorten(','.join(at.by_column))}", where=at.where, wanted=",".join(PAIR))
    p: dict[str, Any] = {}
    q: dict[str, Any] = {}
    for where, cells in rows:
        output = label(cells["output"], where).text
        if output in p:
            raise InputError(f"the output {shorten(output)} is given twice", where=where, wanted="distinct outputs")
        p[output], q[output] = cells["p"], cells["q"]
    return p, q


def csv_rows(path: Path, noun: str) -> list[Cells]:
    """The rows of a CSV file that has a line of heads, each with its place.

    Raises:
        InputError: where the file cannot be read, or is no table.

    """
    return _read_csv(_text(path, f"{noun}: a CSV file"), str(path))[1]


def _is_law(value: object) -> bool:
    return isinstance(value, Mapping)


def _text(path: Path, wanted: str) -> str:
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"the ending of {path.name} is unknown", where=str(path), wanted=f"one of {', '.join(SUFFIXES)}"
        )
    return text_of(path, wanted, most=MAX_BYTES).removeprefix("\ufeff")  # a spreadsheet writes this mark first


def _read_csv(text: str, where: str) -> tuple[Cells, list[Cells]]:
    """The heads of the columns, and the rows; each has as many cells as there are columns."""
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    lines = _lines(reader, where)
    first, heads = next(lines, (0, list[str]()))
    if not heads:
        raise InputError("the file is empty", where=where, wanted="a line with the names of the columns, then rows")
    twice = [head for head, number in Counter(heads).items() if number > 1]
    if twice:
        raise InputError(
            f"the column {shorten(twice[0])} is given twice", where=f"{where}: line {first}", wanted="one of each"
        )
    if len(heads) == 1 and any(mark in heads[0] for mark in ";\t"):
        raise InputError(
            "the columns are not separated by commas", where=f"{where}: line {first}", wanted="commas between the cells"
        )
    rows = []
    for number, cells in lines:
        at = f"{where}: line {number}"
        if len(cells) != len(heads):
            problem = f"the row has {len(cells)} cells, the file {len(heads)} columns"
            raise InputError(problem, where=at, wanted="a cell for each column", tip=IN_QUOTES)
        rows.append(Cells(at, dict(zip(heads, cells, strict=True))))
    if not rows:
        raise InputError("there is no row", where=where, wanted="rows below the names of the columns")
    return Cells(f"{where}: line {first}", dict.fromkeys(heads, "")), rows


def _lines(reader: Any, where: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that have cells, with their numbers."""
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise InputError(
            f"the row is not CSV: {error}", where=f"{where}: line {reader.line_num}", wanted="CSV"
        ) from None


def read_json(text: str, where: str = "") -> Any:
    """The value of a JSON text; a number with a point keeps its literal text.

    >>> read_json('{"probability": 0.1, "size": 2}')
    {'probability': '0.1', 'size': 2}

    Raises:
        InputError: for a text that is no JSON, and for a key that stands twice in one table.

    """
    try:
        return json.loads(
            text, parse_float=DecimalLiteral, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_table
        )
    except json.JSONDecodeError as error:
        raise InputError(f"the text is not valid JSON: {error.msg}", where=where, wanted="JSON") from None
    except RecursionError:
        raise InputError(
            "lists or tables are nested too deeply", where=where, wanted=f"at most {MAX_LEVELS} levels"
        ) from None
    except (InputError, LimitError) as error:
        raise error.within(where) if where else error from None


def _table(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON, in which each key stands once, as in a model file."""
    table = dict(entries)
    if len(table) < len(entries):
        twice = next(key for key, number in Counter(key for key, _ in entries).items() if number > 1)
        raise InputError(f"the key {shorten(twice)} is given twice", wanted="each key once in a table")
    return table


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS_READ:
        raise LimitError(f"a number has {len(digits):,} digits", wanted=f"at most {MAX_DIGITS_READ:,}")
    return int(digits)


def _constant(name: str) -> Any:
    raise InputError(f"{name} is not a number", wanted="a finite number")
