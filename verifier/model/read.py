"""From a model file, or the same keys in Python, to a `Model`; what is wrong is refused with its place."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verifier.errors import InputError, UnsupportedError
from verifier.machine.files import text_of
from verifier.model.attacks import refuse_attacks
from verifier.model.distribution import Table, Theta
from verifier.model.mechanism import OTHERWISE
from verifier.model.model import Expectation, Generated, Model, Normalization, Parameter, RecordSecrets, Secret
from verifier.model.place import Keys, Place, listed, many, meant, string
from verifier.model.read_distribution import read_thetas
from verifier.model.read_mechanism import read_mechanism
from verifier.model.read_zeta import every_database, paired, read_zetas
from verifier.model.scope import Scope, make_scope
from verifier.model.toml_tips import toml_tip
from verifier.numbers import DecimalLiteral, cut, epsilon, probability, shorten
from verifier.tables import Label

MAX_FILE_BYTES = 4 << 20
MAX_RECORDS = 10_000_000
REQUIRED = ("size", "values", "[[distribution]]", "[mechanism]")
KEYS = ("title", "source", "notes", "size", "values", "distribution", "knowledge", "mechanism", "sensitive",
        "normalization", "expect", "parameters", "conditions")  # fmt: skip
GUIDE = "pkdp guide format lists the keys"
SHORTER = "a large distribution is written shorter as `iid`, `independent`, `mixture` or `network`"


def read(path: str | Path) -> Model:
    """Read a model file (TOML; the format is described in `models/FORMAT.md`).

    Raises:
        InputError: where the file is not there, is too large, is no TOML, or is no model; with the place.
        LimitError: where the model is larger than the stated limits.

    """
    return loads(file_text(path), str(path))


def file_text(path: str | Path) -> str:
    """The text of a model file, within the limits.

    Raises:
        InputError: where it is no regular file, is too large, or is not UTF-8.

    """
    return text_of(path, "a model file", most=MAX_FILE_BYTES, tip="pkdp check MODEL.toml", large=SHORTER)


def loads(text: str, path: str = "") -> Model:
    r"""Read the text of a model file.

    >>> loads('size = 1\nvalues = [0]\n[[distribution]]\niid = {0 = 1}\n[mechanism]\nkind = "sum"').size
    1
    """
    return of_tables(tables_of(text, path), text, path)


def of_tables(tables: Mapping[str, Any], text: str, path: str = "") -> Model:
    """The model of a text whose tables are read already."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return build_tables(tables, Place(path), path=path, sha256=digest, text=text)


def tables_of(text: str, path: str = "") -> dict[str, Any]:
    """The tables of a model file, with the literal text of each number.

    Raises:
        InputError: for what is no TOML.

    """
    refuse_attacks(text, path or "model")
    try:
        table = tomllib.loads(text, parse_float=DecimalLiteral)
    except tomllib.TOMLDecodeError as error:
        tip = toml_tip(text, str(error))
        raise InputError(f"not valid TOML: {error}", where=path or "model", wanted="a TOML file", tip=tip) from None
    if not table:
        raise InputError("the file is empty", where=path or "model", wanted=", ".join(REQUIRED), tip=GUIDE)
    return table


def build(**keys: Any) -> Model:
    """Make a model in Python; the keys are those of a model file, numbers are Fraction, int or str.

    A mechanism may be a function from a database (a tuple of values) to a label, or to a table of
    probabilities; so may the knowledge. `distribution` may be one table instead of a list.

    >>> vote = build(
    ...     size=3,
    ...     values=[0, 1],
    ...     distribution={"iid": {0: "9/10", 1: "1/10"}},
    ...     knowledge={"records": [0]},
    ...     mechanism=lambda votes: sum(votes) > 1,
    ... )
    >>> vote.mechanism.title
    'Python function'
    """
    place = Place(str(keys.get("title", "model")))
    try:
        return build_tables(keys, place, path="", sha256="", text="")
    except RecursionError:
        raise InputError("lists or tables are nested too deeply", where=str(place), wanted="a flat model") from None


def build_tables(table: Mapping[str, Any], place: Place, *, path: str, sha256: str, text: str) -> Model:
    """The model that the tables of a file, or the keys in Python, describe."""
    keys = Keys(table, place, "a table of keys", KEYS)
    for key in ("parameters", "conditions"):
        if keys.has(key):
            raise UnsupportedError(
                f"the file has {'[parameters]' if key == 'parameters' else key}, so that it is a family of models",
                where=str(place),
                wanted="one model",
                tip="pkdp check, loss, acceptable and report take families; elsewhere write the values into the file",
            )
    title = string(keys.take("title", Path(path).stem if path else "model"), place.at("title"), "a title")
    source = string(keys.take("source", ""), place.at("source"), "a source")
    notes = string(keys.take("notes", ""), place.at("notes"), "notes", lines=True)
    scope = make_scope(keys.take("values"), keys.take("size"), place, MAX_RECORDS)
    if scope.sizes:
        _without_distributions(keys, scope, place)
        mechanism = read_mechanism(keys.take("mechanism"), scope, place.at("[mechanism]", "mechanism"))
        expectations = read_expectations(keys.take("expect", []), place, "[[expect]]")
        keys.done()
        named = {"expectations": expectations, "notes": notes, "path": path, "sha256": sha256, "text": text}
        return Model(title, source, scope.size, scope.values, (), mechanism, (), **named, sizes=scope.sizes)  # type: ignore[arg-type]
    thetas = read_thetas(keys.take("distribution"), scope, place)
    thetas = paired(
        thetas, read_zetas(keys, scope, place, thetas, column=_has_column(thetas, "knowledge", place)), place
    )
    at = place.at("[mechanism]", "mechanism")
    mechanism = read_mechanism(keys.take("mechanism"), scope, at)
    if mechanism.domain is not None:
        every_database(set(mechanism.domain), scope, at, thetas, OTHERWISE)
    secrets = _secrets(keys, scope, place, thetas)
    normalizations = _normalizations(keys, scope, place, thetas, secrets)
    expectations = read_expectations(keys.take("expect", []), place, "[[expect]]")
    keys.done()
    return Model(
        title,
        source,
        scope.size,
        scope.values,
        thetas,
        mechanism,
        secrets,
        normalizations,
        expectations,
        notes,
        path,
        sha256,
        text,
    )


def _without_distributions(keys: Keys, scope: Scope, place: Place) -> None:
    """Databases of several sizes: every pair that differs in one tuple is compared, whatever its probability."""
    for key, shown in (("distribution", "[[distribution]]"), *((k, f"[{k}]") for k in ("knowledge", "sensitive")),
                       ("normalization", "[[normalization]]")):  # fmt: skip
        if key in keys.left:
            raise InputError(
                f"given {shown} with size = {list(scope.sizes or ())}",
                where=str(place),
                wanted="`values` and a mechanism: all databases of these sizes are compared, whatever is known",
                tip="one integer as `size` has distributions, knowledge and protected records",
            )


def _has_column(thetas: tuple[Theta, ...], column: str, place: Place) -> bool:
    """Whether the tables carry a column; all θ alike."""
    found = {isinstance(theta.shape, Table) and getattr(theta.shape.rows[0], column) is not None for theta in thetas}
    if len(found) > 1:
        raise InputError(
            f"some distributions carry the column `{column}` and some do not",
            where=str(place),
            wanted="all or none",
        )
    return found.pop()


def _secrets(keys: Keys, scope: Scope, place: Place, thetas: tuple[Theta, ...]) -> Sequence[Secret]:
    column = _has_column(thetas, "sensitive", place)
    at = place.at("[sensitive]", "sensitive")
    given = keys.take("sensitive", None)
    if column:
        if given is not None:
            raise InputError(
                "given [sensitive] although the rows carry `sensitive`",
                where=str(at),
                wanted="one of the two",
            )
        seen = dict.fromkeys(world.sensitive for theta in thetas for world in theta.worlds() if world.sensitive)
        return (Secret(None, tuple(seen)),)
    if given is None:
        return RecordSecrets(range(scope.size), scope.values)
    inner = Keys(given, at)
    which = inner.one_of(("records", "rows", "table"), "`records = [1]`, or `rows` of a function of the database")
    if which == "records":
        chosen = scope.records(inner.take("records"), at.at("records"))
        if not chosen:
            raise InputError("given no record", where=str(at), wanted="at least one")
        inner.done()
        return RecordSecrets(chosen, scope.values)
    function = {}
    for number, row in enumerate(listed(inner.take(which), at.at(which), "a list of rows"), start=1):
        here = at.at(which).at(f"row {number}", number - 1)
        entry = Keys(row, here, "a row such as { database = [0, 1], value = 1 }")
        database = scope.database(entry.take("database"), here.at("database"))
        if database in function:
            raise InputError("given the same database twice", where=str(here), wanted="one row a database")
        function[database] = scope.label(entry.take("value"), here.at("value"))
        entry.done()
    inner.done()
    every_database(function, scope, at, thetas, "add the row")
    return (Secret(None, tuple(dict.fromkeys(function.values())), function),)


def _normalizations(
    keys: Keys, scope: Scope, place: Place, thetas: tuple[Theta, ...], secrets: Sequence[Secret]
) -> tuple[Normalization, ...]:
    found = []
    given = keys.take("normalization", [])
    for number, one in enumerate(listed(given, place.at("[[normalization]]", "normalization"), "tables"), start=1):
        at = place.at(f"[[normalization]] {number}", "normalization", number - 1)
        inner = Keys(one, at)
        name = inner.take("distribution", thetas[0].name if len(thetas) == 1 else None)
        if name not in {theta.name for theta in thetas}:
            raise InputError(
                f"given the distribution {shorten(name)}",
                where=str(at),
                wanted=f"one of {', '.join(theta.name for theta in thetas)}",
            )
        record = None
        if secrets[0].record is not None:
            record = scope.record(inner.take("record"), at.at("record"))
            if record not in {secret.record for secret in secrets}:
                raise InputError(f"record {record} is not sensitive", where=str(at), wanted="a sensitive record")
        parameters, named = [], []
        for position, part in enumerate(listed(inner.take("parameters"), at.at("parameters"), "a list of parameters")):
            entry = Keys(part, at.at("parameters", "parameters", position), "{ name, table }")
            parameter = string(entry.take("name"), at, "a name")
            here = at.at(parameter, "parameters", position, "table")
            table = entry.take("table")
            parameters.append(Parameter(parameter, scope.label_law(table, here)))
            named.append(tuple(scope.label(one, here) for one in Keys(table, here).left))
            entry.done()
        names = [parameter.name for parameter in parameters]
        if len(set(names)) != len(names) or not names:
            raise InputError(
                f"given the parameters {shorten(names)}", where=str(at), wanted="distinct names, at least one"
            )
        generated = _generated(inner.take("table"), scope, at.at("table"), named)
        known = tuple(string(k, at, "a name") for k in listed(inner.take("knowledge", []), at, "a list of names"))
        for k in known:
            if k not in names:
                raise InputError(f"knowledge names {shorten(k)}", where=str(at), wanted=f"some of {', '.join(names)}")
        inner.done()
        found.append(Normalization(str(name), record, tuple(parameters), generated, known))
    return tuple(found)


def _generated(
    given: object, scope: Scope, place: Place, parameters: Sequence[tuple[Label, ...]]
) -> tuple[Generated, ...]:
    """The rows of the generating table; `parameters` are the values that each parameter can have."""
    rows = []
    for number, row in enumerate(listed(given, place, "a list of rows"), start=1):
        here = place.at(f"row {number}", number - 1)
        inner = Keys(row, here, 'a row such as { when = ["same", 0], database = [0, 0] }')
        when = tuple(scope.label(v, here) for v in listed(inner.take("when"), here.at("when"), "a list"))
        if len(when) != len(parameters):
            raise InputError(
                f"given {many(len(when), 'value')}", where=str(here), wanted=f"{len(parameters)}, one a parameter"
            )
        for value, known in zip(when, parameters, strict=True):
            if value not in known:
                texts = [one.text for one in known]
                raise InputError(
                    f"given the value {cut(value.text)}",
                    where=str(here.at("when")),
                    wanted=f"a value of the parameter: {cut(', '.join(texts))}",
                    tip=meant(value.text, texts) or meant(value.text.lower(), texts),
                )
        database = scope.database(inner.take("database"), here.at("database"))
        extra = [
            scope.label(inner.take(column), here) if inner.has(column) else None
            for column in ("knowledge", "sensitive")
        ]
        inner.done()
        rows.append(Generated(when, database, extra[0], extra[1]))
    return tuple(rows)


QUESTION = ("definition", "reading", "epsilon", "delta", "record", "distribution", "k")
ANSWER = ("verdict", "method", "tight_delta", "tight_epsilon", "tight_delta_decimal", "tight_epsilon_decimal",
          "comparisons", "multiplicity", "empty", "acceptable", "reason", "largest")  # fmt: skip


def read_expectations(given: object, place: Place, what: str) -> tuple[Expectation, ...]:
    """Questions with the answers that are promised, from a list of tables called `what`."""
    found = []
    for number, one in enumerate(listed(given, place.at(what, what.strip("[]")), "tables"), start=1):
        at = place.at(f"{what} {number}", what.strip("[]"), number - 1)
        inner = Keys(one, at)
        definition = string(inner.take("definition"), at.at("definition"), "the name of a definition")
        question = {key: inner.take(key) for key in QUESTION[1:] if inner.has(key)}
        if "epsilon" in question:
            epsilon(question["epsilon"], str(at.at("epsilon")))
        if "delta" in question:
            probability(question["delta"], str(at.at("delta")), "δ")
        answer = {key: inner.take(key) for key in ANSWER if inner.has(key)}
        inner.done()
        if not answer:
            raise InputError("given no answer", where=str(at), wanted=f"at least one of {', '.join(ANSWER)}")
        found.append(Expectation(definition, question, answer))
    return tuple(found)
