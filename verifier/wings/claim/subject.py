"""What a claim is about: a function, a table, a pair of laws or a model, as the keys of a model."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from textwrap import dedent
from typing import Any

from verifier.errors import InputError
from verifier.model import Model, build
from verifier.model.parameters import Family
from verifier.model.plain import is_frame, plain
from verifier.model.read import loads_any, read_any, tables_of
from verifier.model.write import toml_text
from verifier.numbers import plural, shorten
from verifier.programs.own_source import text_without_ends
from verifier.programs.runner import Program, name_of
from verifier.questions.pair import RawPair, pair
from verifier.recheck import text_of
from verifier.tables import label
from verifier.wings.claim.relation import Compared

OF_A_FILE = frozenset({"program", "kind", "table", "rows"})
"""Keys by which a table is a mechanism as a model file writes it, and no table of laws."""
MOST_NAMED = 8
"""Most values or databases that a sentence names."""
DEFINED = re.compile(r"^\s*def\s+(\w+)", re.MULTILINE)
"""The functions of a program, of which the last is the mechanism."""
Tables = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """A mechanism by its name, as the keys of a model without `[policy]`, or as a model that is there already.

    `among` has the databases that alone are compared, where not all are; `keyed`, where the keys of a table are no
    databases, each key by the text of the one record that stands for it.
    """

    name: str
    tables: Tables
    model: Model | Family | None = None
    among: tuple[Any, ...] | None = None
    keyed: Mapping[str, Any] | None = None
    laws: bool = False
    """Whether it is a pair of laws."""
    function: Callable[..., object] | None = None

    @property
    def scope(self) -> str:
        """The databases that are compared, in words."""
        if self.laws:
            return "the two laws"
        if self.keyed is not None:
            return f"the {plural(len(self.keyed), 'database')} of the table"
        if self.among is not None:
            return f"the {plural(len(self.among), 'given database')}"
        size, values = self.tables["size"], [label(value).text for value in plain(self.tables["values"])]
        more = ", …" if len(values) > MOST_NAMED else ""
        sizes = f"size {size}" if isinstance(size, int) else f"sizes {size[0]} to {size[1]}"
        return f"all databases of {sizes} over {{{', '.join(values[:MOST_NAMED])}{more}}}"

    def made(self, compared: Compared, others: Tables) -> Model | Family:
        """The model with the databases that are compared, and `others` of its keys.

        Raises:
            InputError, LimitError: as `build` does, and for what the mechanism does on a database.

        """
        size, values = self.tables["size"], plain(self.tables["values"])
        policy = {**others.get("policy", {}), **compared.policy_of(size, values, self.among)}
        if self.model is not None and not policy and len(others) == 0:
            return self.model
        tables = {"title": self.name, **self.tables, **others}
        if policy:
            tables["policy"] = {**self.tables.get("policy", {}), **policy}
        return _made(tables)


def _made(tables: Tables) -> Model | Family:
    if "parameters" not in tables:
        return build(**tables)
    return loads_any(toml_text(_texts(tables)))


def _texts(raw: Any) -> Any:
    """Keys with texts in place of exact numbers, as a file has them."""
    if isinstance(raw, Mapping):
        return {name if isinstance(name, str) else label(name).text: _texts(entry) for name, entry in raw.items()}
    if isinstance(raw, list | tuple | range):
        return [_texts(entry) for entry in raw]
    return raw if isinstance(raw, str | bool | int) else str(raw)


def source_of(function: Callable[..., object] | None, free: Iterable[str] = ()) -> str | None:
    """The text of a function as a program; `free` are names of parameters, which it does not define.

    None where the text is not the whole function: it cannot be read, is a lambda, has a decorator, or names what is
    defined outside of it, such as a `sum` of its module.
    """
    if not inspect.isfunction(function):
        return None
    try:
        text = dedent(inspect.getsource(function.__code__))  # its own, also where it wraps another function
    except (OSError, TypeError):
        return None
    if not text.startswith("def "):
        return None
    defined = ast.parse(text).body[0]
    if not isinstance(defined, ast.FunctionDef):
        return None
    nodes = [node for part in (*defined.body, *defined.args.defaults) for node in ast.walk(part)]  # no annotations
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {*free, *function.__code__.co_varnames, *(node.arg for node in nodes if isinstance(node, ast.arg))}
    own |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    outside = {*function.__globals__, *function.__code__.co_freevars}
    exact = {name for name, value in function.__globals__.items() if value is Fraction}  # a program knows it as F
    return None if {node.id for node in names} & outside - own - exact else text


def subject_of(
    given: Any, *, values: object, size: object, databases: object, pairs: Sequence[Any] | None, free: Iterable[str]
) -> Subject:
    """What a claim is about; which databases there are says `values` with `size`, or `databases`, or `pairs`.

    Raises:
        InputError: for what is not a mechanism, and for databases that are missing, or are said twice.

    """
    if isinstance(given, str | PathLike):
        if not isinstance(given, str) or not given.lstrip().startswith("def "):
            return _given(read_any(given), values, size, databases)  # type: ignore[arg-type]  # a path, as `read` takes it
        given = {"program": dedent(given)}
    if isinstance(given, Model | Family | RawPair):
        return _given(given, values, size, databases)
    if isinstance(given, tuple | list) and len(given) == 2:
        return _given(pair(*given), values, size, databases)
    if is_frame(given) or (isinstance(given, Mapping) and not OF_A_FILE & given.keys()):
        return _of_table(given, values, size, databases)
    if isinstance(given, Mapping):
        name = ["mechanism", *DEFINED.findall(str(given.get("program", "")))][-1]
        return _on(Subject(name, {"mechanism": dict(given)}), values, size, databases, pairs)
    if not callable(given):
        wanted = "a function, a model, a model file, a pair of laws, or a table { database: { output: probability } }"
        raise InputError(f"{shorten(given)} is not a mechanism", where="mechanism", wanted=wanted)
    function = given.function if isinstance(given, Program) else given
    mechanism: Any = given
    if free:
        text = source_of(function, free)
        if text is None:
            problem = "the text of the function cannot be read, and every value of a parameter at once needs it"
            raise InputError(problem, where="mechanism", wanted='{"program": """def …"""}')
        mechanism = {"program": text}
    named = Subject(name_of(function), {"mechanism": mechanism}, function=function)
    return _on(named, values, size, databases, pairs)


def _given(given: Model | Family | RawPair, values: object, size: object, databases: object) -> Subject:
    """A model that is there."""
    if not values is size is databases is None:
        name = next(name for name, one in (("values", values), ("size", size), ("databases", databases)) if one)
        raise InputError(f"the model says it, and {name} is given, too", where=name, wanted="one of them")
    if isinstance(given, Family):
        return Subject(given.title, dict(given.raw), given)
    model = given.model if isinstance(given, RawPair) else given
    tables = model.tables if model.tables is not None else tables_of(text_of(model)[0])
    kept = {name: entry for name, entry in tables.items() if name != "expect"}
    return Subject(model.title, kept, model, laws=isinstance(given, RawPair))


def _of_table(given: Any, values: object, size: object, databases: object) -> Subject:
    """A table from databases to laws, or a data frame with a row for each; a key that is no list is one record."""
    if not values is size is databases is None:
        raise InputError("the table has its databases, and more are given", where="values", wanted="the table alone")
    if is_frame(given):
        rows = [(row["database"], row["outputs"]) for row in plain(given)["rows"]]
    else:
        rows = list(given.items())
    if not rows:
        raise InputError("the table is empty", where="mechanism", wanted="{ database: { output: probability } }")
    listed = all(isinstance(database, tuple | list) for database, _ in rows)
    keys = [list(database) if listed else [database] for database, _ in rows]
    table = [{"database": key, "outputs": plain(law)} for key, (_, law) in zip(keys, rows, strict=True)]
    made = _among(Subject("table", {"mechanism": {"table": table}}), [tuple(key) for key in keys])
    return made if listed else replace(made, among=None, keyed={label(key[0]).text: key[0] for key in keys})


def _on(subject: Subject, values: object, size: object, databases: object, pairs: Sequence[Any] | None) -> Subject:
    """A mechanism on the databases that are said."""
    if databases is None and values is None and pairs is not None:
        databases = [tuple(database) for two in pairs for database in two]
    if (databases is None) == (values is None):
        problem = "values and databases are given together" if values is not None else "no databases are given"
        raise InputError(problem, where=subject.name, wanted="values=[…] with size=…, or databases=[…]")
    if databases is None:
        tables = {**subject.tables, "values": plain(values), "size": plain(1 if size is None else size)}
        return replace(subject, tables=tables)
    if size is not None:
        raise InputError("size is given with databases, which have sizes", where=subject.name, wanted="one of them")
    if not isinstance(databases, Iterable) or isinstance(databases, str | Mapping):
        raise InputError(f"{shorten(databases)} is not a list", where="databases", wanted="a list of databases")
    listed = _distinct(tuple(database) for database in databases)
    given = subject.tables["mechanism"]
    if callable(given):
        subject = replace(subject, tables={"mechanism": _tabled(given, listed, subject)})
    return _among(subject, listed)


def _distinct(databases: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The databases without repetitions; `True` is not `1`, and `"1"` beside `1` is left for `build` to refuse."""
    return list({tuple(map(_told_apart, database)): database for database in databases}.values())


def _told_apart(value: object) -> tuple[str, bool]:
    return label(value, "databases").text, isinstance(value, str)


def _tabled(mechanism: Callable[..., Any], databases: Sequence[tuple[Any, ...]], subject: Subject) -> Tables:
    """A function as a table of its laws; where its noise has no ends, as the text of a program, of one law for all."""
    text = None if subject.function is None else text_without_ends(subject.function)
    if text is not None:
        return {"program": text}
    values = _values(databases)
    places = {label(value).text: place for place, value in enumerate(values)}
    models: dict[int, Model] = {}
    rows = []
    for database in databases:
        size = len(database)
        if size not in models:
            models[size] = build(title=subject.name, size=size or [0, 1], values=values, mechanism=mechanism)
        law = models[size].mechanism.law(tuple(places[label(value).text] for value in database))
        outputs = {output.text: chance for output, chance in law.chances()}
        rows.append({"database": list(database), "outputs": outputs})
    return {"table": rows}


def _values(databases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The values of the records, in the order in which they are met."""
    return [one for (one,) in _distinct((value,) for database in databases for value in database)]


def _among(subject: Subject, databases: Sequence[tuple[Any, ...]]) -> Subject:
    """A mechanism on some databases; where these are all of their size and values, on all."""
    values, databases = _values(databases), _distinct(databases)
    sizes = sorted({len(database) for database in databases})
    if not values:
        raise InputError("there are no values", where="databases", wanted="a database that has a record")
    size: Any = sizes[0] if len(sizes) == 1 else [sizes[0], sizes[-1]]
    whole = len(sizes) == 1 and len(databases) == len(values) ** sizes[0]
    tables = {**subject.tables, "values": values, "size": size}
    return replace(subject, tables=tables, among=None if whole else tuple(databases))
