"""From a model file, or the same keys in Python, to a `Model` or a `Family`; what is wrong is refused with its place.

What would exhaust the parser of TOML is refused, and slips of TOML get a tip.
"""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement, islice
from itertools import product as cartesian
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.errors import InputError, LimitError, UnsupportedError, one_of, printable
from verifier.machine.files import text_of
from verifier.model import arguments
from verifier.model.arguments import takes
from verifier.model.distribution import (
    CHECKED_WORLDS,
    SHAPES,
    Table,
    Theta,
    every_database,
    paired,
    read_thetas,
    read_zetas,
)
from verifier.model.forms import (
    DATABASE,
    FLAG,
    LABEL,
    LAW_OF_LABELS,
    Domain,
    Form,
    Key,
    Schema,
    flat,
    make_domain,
    values_of,
    words,
)
from verifier.model.keys import Keys, Location, listed, meant, rows, sections, string
from verifier.model.leaks import refuse_other_outputs
from verifier.model.mechanism import ADD_THE_ROW, Database, Mechanism, refuse_outputs
from verifier.model.model import Expectation, Generated, Model, Normalization, RandomParameter, RecordSecrets, Secret
from verifier.model.parameters import UNNAMED, Family, read_parameters
from verifier.model.people import read_people
from verifier.model.plain import plain
from verifier.model.policy import FIELDS, NO_POLICY, Policy, read_policy
from verifier.model.predicates import read_parts
from verifier.model.read_mechanism import read_mechanism
from verifier.model.table_files import SUFFIXES, whole
from verifier.model.write import toml_text
from verifier.numbers import MAX_DIGITS_READ, DecimalLiteral, cut, epsilon, plural, probability, shorten
from verifier.programs.runner import Program, takes_generator
from verifier.tables import Label, Law, Spelling

if TYPE_CHECKING:
    from verifier.model.student_question import StudentQuestion

MAX_FILE_BYTES = 4 << 20
REQUIRED = ("size", "values", "[mechanism]")
SEVERAL = ("distribution", "normalization", "expect")
"""The keys of lists of tables, of which each table has a header in double brackets."""
SINGLE = ("mechanism", "sensitive", "policy", "parameters", "people", "question")
"""The keys of one table, with a header in single brackets."""
GUIDE = "help(pk.build) lists the keys"
SHORTER = "a large distribution is written shorter as `iid`, `independent`, `mixture` or `network`"


def file_text(path: str | Path) -> str:
    """The text of a model file, within the limits.

    Raises:
        InputError: where it is no regular file, is too large, or is not UTF-8.

    """
    return text_of(path, "a model file", most=MAX_FILE_BYTES, tip='pk.read("MODEL.toml")', large=SHORTER)


def tables_of(text: str, path: str = "") -> dict[str, Any]:
    """The tables of a model file, with the literal text of each number.

    Raises:
        InputError: for what is no TOML.

    """
    refuse_attacks(text, path or "model")
    try:
        table = tomllib.loads(text, parse_float=DecimalLiteral)
    except tomllib.TOMLDecodeError as error:
        tip = toml_tip(text, str(error)) or GUIDE
        raise InputError(
            f"the text is not valid TOML: {error}", where=path or "model", wanted="a TOML file", tip=tip
        ) from None
    if not table:
        raise InputError("the file is empty", where=path or "model", wanted=", ".join(REQUIRED), tip=GUIDE)
    _refuse_brackets(table, Location(path or "model"))
    return table


def _refuse_brackets(tables: Mapping[str, Any], location: Location) -> None:
    """Refuse `[distribution]` for `[[distribution]]`, and `[[mechanism]]` for `[mechanism]`."""
    for key, value in tables.items():
        several = isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)
        if (key in SEVERAL and isinstance(value, dict)) or (key in SINGLE and several):
            single = key in SINGLE
            raise InputError(
                f"`{key}` is {'a list of tables' if single else 'one table'}",
                where=str(location.at(key)),
                wanted="one table" if single else "a list of tables",
                tip=f"write [{key}] in single brackets" if single else f"write [[{key}]] in double brackets",
            )


# --- what is refused before it is parsed: nesting and numbers that would exhaust the parser ------------------------

MAX_LEVELS = 100

# Possessive repeats keep nothing to come back to, so that a text of megabytes needs no memory.
_QUOTED = re.compile(
    r'''"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5}|\Z)|"(?:[^"\\\n]++|\\.)*+"?'''
    r"""|'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5}|\Z)|'[^'\n]*+'?"""
    r"|\#[^\n]*+",
    re.DOTALL,
)
_BRACKET = re.compile(r"[\[\]{}]")
_PARTS = re.compile(rf"(?:\.[^.\n\[\]{{}},=]*+){{{MAX_LEVELS}}}")
_DIGITS = re.compile(rf"[0-9][0-9_]{{{MAX_DIGITS_READ},}}+|0[xob][0-9A-Fa-f_]{{{MAX_DIGITS_READ * 4 // 5},}}+")


def refuse_attacks(text: str, where: str) -> None:
    """Refuse a text that would exhaust the parser of TOML.

    Raises:
        InputError: where brackets are nested, or keys dotted, more than 100 levels deep; for a byte order mark.
        LimitError: where a number outside quotes has too many digits.

    """
    if text.startswith("\ufeff"):
        raise InputError(
            "the text begins with a byte order mark", where=where, wanted="UTF-8 without it", tip="save it without BOM"
        )
    bare = bare_text(text)
    depth = most_nested(bare)
    if depth > MAX_LEVELS:
        raise InputError(f"brackets are nested {depth:,} deep", where=where, wanted=f"at most {MAX_LEVELS} levels")
    if match := _PARTS.search(bare):
        raise InputError(
            f"a key has more than {MAX_LEVELS} parts",
            where=f"{where}: line {_line(bare, match)}",
            wanted=f"at most {MAX_LEVELS} levels",
        )
    if match := _DIGITS.search(bare):
        raise LimitError(
            f"a number has {len(match[0]):,} digits",
            where=f"{where}: line {_line(bare, match)}",
            wanted=f"at most {MAX_DIGITS_READ:,}",
        )


def bare_text(text: str) -> str:
    """A text of TOML without its comments and without what stands in quotes; its lines keep their numbers.

    >>> bare_text('a = "b" # c')
    'a = "" '
    """
    return _QUOTED.sub(_emptied, text)


def most_nested(bare: str) -> int:
    """The deepest nesting of brackets in a text without quotes.

    >>> most_nested("a = [[1], {b = 2}]")
    2
    """
    depth = deepest = 0
    for bracket in _BRACKET.finditer(bare):
        if bracket[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth = max(0, depth - 1)
    return deepest


def _emptied(quoted: re.Match[str]) -> str:
    """What is left of a string or a comment: quotes, and the line ends."""
    return "" if quoted[0].startswith("#") else '""' + "\n" * quoted[0].count("\n")


def _line(bare: str, match: re.Match[str]) -> int:
    return bare.count("\n", 0, match.start()) + 1


# --- tips on the line that the parser names ------------------------------------------------------------------------

_LINE = re.compile(r"at line ([0-9]+), column ([0-9]+)")
_HEADER = re.compile(r"\s*\[\[?[^\[\],]*\]?\]?\s*")
_BEFORE = r"(?:^|[=\[,])\s*"
_AFTER = r"\s*(?=[,\]}]|$)"
_FRACTION = re.compile(_BEFORE + r"([+-]?[0-9]+ ?/ ?[0-9]+)")
_POINT = re.compile(_BEFORE + r"[+-]?(\.[0-9]+)")
_NAME = re.compile(_BEFORE + r"((?!(?:true|false|inf|nan)\b)[^\W0-9][\w-]*)" + _AFTER)
_COMMA = re.compile(r",\s*\}")
_LONGEST = 10_000
_UNCLOSED = {
    "Unclosed array": "the list before this place lacks a comma or its ]",
    "Unclosed inline table": "the table before this place lacks a comma or its }, or a value in it lacks quotes",
}


def toml_tip(text: str, error: str) -> str:
    r"""A tip on the line of a TOML error, or nothing.

    >>> toml_tip("values = [0, 1]\nlow = 1/6", "Expected newline (at line 2, column 8)")
    'a fraction stands in quotes: "1/6"'
    >>> toml_tip("records = [0, 1\\nsize = 2", "Unclosed array (at line 2, column 1)")
    'the list before this place lacks a comma or its ]'
    """
    unclosed = next((tip for problem, tip in _UNCLOSED.items() if error.startswith(problem)), "")
    position = _LINE.search(error)
    lines = bare_text(text).split("\n")
    if position is None or int(position[1]) > len(lines):
        return unclosed
    line = lines[int(position[1]) - 1]
    if len(line) > _LONGEST or _HEADER.fullmatch(line):
        return unclosed
    if fraction := _FRACTION.search(line):
        return f'a fraction stands in quotes: "{fraction[1].replace(" ", "")}"'
    if point := _POINT.search(line):
        return f"a decimal starts with a digit: 0{point[1]}"
    if name := _NAME.search(line):
        if name[1] in {"True", "False"}:
            return f"write {name[1].lower()}"
        return f'names stand in quotes: "{name[1]}"'
    if any(quote in line for quote in "“”„"):
        return 'write straight quotes: "'
    if _COMMA.search(line):
        return "no comma stands before } (TOML 1.0)"
    if line.lstrip()[:1] not in {"{", "["} and line.count("{") > line.count("}"):
        return "{ … } must be on one line (TOML 1.0)"
    if "key part" in error and int(position[2]) > len(line.rstrip()) > 0 and line.rstrip().endswith(","):
        return "{ … } must be on one line (TOML 1.0); only [ … ] may go over several"
    return unclosed


STANDARD_INPUT = "standard input"
"""The `path` of a model whose text was read from standard input: a name for messages, not a file."""
MAX_RECORDS = 10_000_000
KEYS = ("title", "source", "notes", "size", "values", "distribution", "knowledge", "mechanism", "sensitive",
        "normalization", "expect", "parameters", "conditions", "policy", "people", "question")  # fmt: skip
ELSEWHERE = {
    **dict.fromkeys(FIELDS, "it is a key of [policy]"),
    **dict.fromkeys(SHAPES.keys() - {"table"}, "it is a shape of a distribution, a key of [[distribution]]"),
}
"""What to write for keys of one table alone that stand at the top of a file."""


@takes(path=arguments.path)
def read(path: str | Path) -> Model:
    """Read a model file (TOML; the format is described in `models/FORMAT.md`).

    Raises:
        InputError: where the file is not there, is too large, is no TOML, or is no model; with the place.
        LimitError: where the model is larger than the stated limits.

    """
    return loads(file_text(path), str(path))


@takes(text=arguments.text, path=arguments.optional(arguments.path))
def loads(text: str, path: str = "") -> Model:
    r"""Read the text of a model file; `path` names it in messages.

    >>> loads('size = 1\nvalues = [0]\n[[distribution]]\niid = {0 = 1}\n[mechanism]\nkind = "sum"').size
    1

    Raises:
        InputError, LimitError: as `read` does.

    """
    return of_tables(*_with_files(text, path), path)


def of_tables(tables: Mapping[str, Any], text: str, files: tuple[str, ...], path: str = "") -> Model:
    """The model of a text whose tables are read already."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    model = build_tables(tables, Location(path), path=path, sha256=digest, text=text)
    return replace(model, files=files) if files else model


def _with_files(text: str, path: str) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    """The tables of a model file, a text that has all of them, and the names of the files that it points to.

    Where it points to files, the text is written anew with their rows, so that its hash is of them, too, and the
    checker reads it alone.
    """
    tables = tables_of(text, path)
    if not any(ending in text.lower() for ending in SUFFIXES) or not os.path.isfile(path):  # noqa: PTH113  # any text
        return tables, text, ()
    filled, names = whole(tables, Path(path).parent, path)
    return (filled, toml_text(filled), names) if names else (tables, text, ())


def build(**keys: Any) -> Model:
    """Make a model in Python; the keys are those of a model file, numbers are Fraction, int or str.

    The keys are `title`, `source`, `notes`, `size`, `values`, `distribution`, `knowledge`, `mechanism`, `sensitive`,
    `policy`, `people`, `normalization`, `expect` and `question`; models/FORMAT.md explains each.

    A mechanism may be a function from a database (a tuple of values) to a label, or to a table of
    probabilities; so may the knowledge. It may also be a function of a database and a generator, `f(db, rng)`, which is
    run once for each path of its draws (`rng.flip("1/3")`). `distribution` may be one table instead of a list.

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
    location = Location(str(keys.get("title", "model")))
    try:
        tables, _ = whole(plain(keys), Path(), "")
        return asked_at_once(build_tables(tables, location, path="", sha256="", text=""))
    except RecursionError:
        raise InputError("lists or tables are nested too deeply", where=str(location), wanted="a flat model") from None


ASKED_AT_ONCE = 8
"""Databases on which a Python function is called when its model is made."""
LISTED_RECORDS = 64
"""Most records of a database for which worlds are listed only to call a function."""


def asked_at_once(model: Model) -> Model:
    """The model, after its Python functions were called on the first databases, so that a slip is said at once.

    They are possible databases, each of which every definition reaches; without a distribution the first ones of T^n.

    Raises:
        InputError, InexactError: for what a function returns that is no output, and no table of probabilities.

    """
    channels = [model.mechanism, *(theta.zeta.channel for theta in model.thetas)]
    functions = [channel for channel in channels if channel is not None and channel.codomain is None]
    if functions and model.size <= LISTED_RECORDS:
        for database in islice(_first_databases(model), ASKED_AT_ONCE):
            for channel in functions:
                try:
                    channel.law(database)
                except UnsupportedError:
                    continue
                except LimitError:  # which a question repeats; the other databases take as long
                    return model
    return model


def _first_databases(model: Model) -> Iterator[Database]:
    """Some databases that every definition reaches, in their order."""
    if model.sizes is not None:
        first, last = model.sizes
        for size in range(first, last + 1):
            yield from combinations_with_replacement(range(len(model.values)), size)
    elif not model.thetas:
        yield from cartesian(range(len(model.values)), repeat=model.size)
    for theta in model.thetas:
        yield from (world.database for world in theta.worlds())


def observed(model: Model, observer: str) -> Model:
    """The model as somebody sees it who sees some draws of its program beside the output, `seen_by` their name.

    An output is then the list of the output and of the results of these draws, in the order in which they were drawn.

    Raises:
        InputError: for a mechanism that is no program, or goes on after one; and for an observer that no draw names.

    """
    tables = tables_of(model.text, model.path) if model.tables is None and model.text else model.tables or {}
    location = Location(model.path or model.title)
    _refuse_without_draws(tables, location)
    again = build_tables(tables, location, path=model.path, sha256=model.sha256, text=model.text, observer=observer)
    return replace(model, mechanism=again.mechanism, observer=observer)


def observed_family(family: Family, observer: str) -> Family:
    """The family of the models as an observer sees them; it promises no answers.

    Raises:
        InputError: as `observed` does, for the mechanism of the family.

    """
    _refuse_without_draws(family.raw, family.location)

    def make(member: Mapping[str, Any]) -> Model:
        return observed(family.make(member), observer)

    return replace(family, make=make, observer=observer, expected=())


def _refuse_without_draws(tables: Mapping[str, Any], location: Location) -> None:
    """Refuse an observer of a mechanism that is no program, or that goes on after one."""
    raw = tables.get("mechanism")
    at = location.at("[mechanism]", "mechanism")
    is_text = isinstance(raw, Mapping) and "program" in raw
    if not is_text and not isinstance(raw, Program) and not (callable(raw) and takes_generator(raw)):
        problem = "an observer sees draws of a program, and the mechanism is none"
        wanted = 'program = """def f(db, rng): …""", or in Python f(db, rng)'
        raise InputError(problem, where=str(at), wanted=wanted, tip='rng.flip(p, seen_by="insider") is seen by insider')
    if isinstance(raw, Mapping) and raw.get("then"):
        problem = "an observer sees draws beside the output of the program, and here steps follow"
        raise InputError(problem, where=str(at.at("then")), wanted="no steps", tip="write them into the program")


def build_tables(
    table: Mapping[str, Any], location: Location, *, path: str, sha256: str, text: str, observer: str = ""
) -> Model:
    """The model that the tables of a file, or the keys in Python, describe; `observed` names an observer.

    Raises:
        InputError, LimitError: as `read` does.
        UnsupportedError: for a family of models, with `parameters` or `conditions`.

    """
    keys = Keys(table, location, "a table of keys", KEYS, GUIDE)
    for key in ("parameters", "conditions"):
        if keys.has(key):
            raise UnsupportedError(
                f"the file has {'[parameters]' if key == 'parameters' else key}, so that it is a family of models",
                where=str(location),
                wanted="one model",
                tip="pkdp check, loss, acceptable and report take families; elsewhere write the values into the file",
            )
    untitled = printable(Path(path).stem) if path else "model"
    title = string(keys.take("title", untitled), location.at("title"), "a title")
    source = keys.read("source", string, "a source", default="")
    notes = keys.read("notes", string, "notes", lines=True, default="")
    domain = make_domain(keys.take("values"), keys.take("size"), location, MAX_RECORDS)
    domain = replace(domain, observer=observer)
    asked = _asked(keys, table, location)
    if keys.has("people"):
        domain = replace(domain, people=read_people(keys.take("people"), domain, location.at("[people]", "people")))
    if domain.sizes:
        _without_distributions(keys, domain, location)
        policy = _policy(keys, domain, location, ())
        mechanism = _mechanism(keys, domain, location, policy)
        expectations = read_expectations(keys.take("expect", []), location, "[[expect]]")
        keys.done(ELSEWHERE)
        named: dict[str, Any] = {
            "expectations": expectations,
            "notes": notes,
            "asked": asked,
            "path": path,
            "sha256": sha256,
            "text": text,
            "tables": None if text else table,
        }
        return Model(
            title, source, domain.size, domain.values, (), mechanism, (), **named, sizes=domain.sizes, policy=policy
        )
    alone = _thetas(keys, domain, location)
    zetas = read_zetas(keys, domain, location, alone, column=_has_column(alone, "knowledge", location))
    thetas = paired(alone, zetas, location)
    policy = _policy(keys, domain, location, tuple(theta.name for theta in alone))
    mechanism = _mechanism(keys, domain, location, policy)
    if mechanism.domain is not None:
        every_database(set(mechanism.domain), domain, location.at("[mechanism]", "mechanism"), thetas, ADD_THE_ROW)
    secrets = _secrets(keys, domain, location, thetas)
    normalizations = _normalizations(keys, domain, location, thetas, secrets)
    expectations = read_expectations(keys.take("expect", []), location, "[[expect]]")
    keys.done(ELSEWHERE)
    return Model(
        title,
        source,
        domain.size,
        domain.values,
        thetas,
        mechanism,
        secrets,
        normalizations,
        expectations,
        notes,
        path,
        sha256,
        text,
        None if text else table,
        policy=policy,
        asked=asked,
    )


def _asked(keys: Keys, tables: Mapping[str, Any], location: Location) -> StudentQuestion | None:
    """What `[question]` asks a student; its reader is loaded for a file that has one."""
    if not keys.has("question"):
        return None
    from verifier.model.student_question import read_student_question

    return read_student_question(keys.take("question"), tables, location.at("[question]", "question"))


def _policy(keys: Keys, domain: Domain, location: Location, thetas: tuple[str, ...]) -> Policy:
    """The parameters of DP22's definitions; outputs are shown as the mechanism spells them, not as [policy] does."""
    if not keys.has("policy"):
        return NO_POLICY
    domain = replace(domain, spelling=Spelling(domain.spelling), thetas=thetas)
    return read_policy(keys.take("policy"), domain, location.at("[policy]", "policy"))


def _mechanism(keys: Keys, domain: Domain, location: Location, policy: Policy) -> Mechanism:
    """The mechanism; its noise keeps the outputs that `[policy]` names apart from the tails.

    Raises:
        InputError: where `[policy]` names an output that never comes, or a part of a tail.

    """
    at, raw = location.at("[mechanism]", "mechanism"), keys.take("mechanism")
    if policy is NO_POLICY:
        return read_mechanism(raw, domain, at)
    domain = replace(domain, named=tuple(output for _, outputs in policy.outputs for output in outputs))
    mechanism = read_mechanism(raw, domain, at)
    positive = partial(read_mechanism, raw, replace(domain, positive=True), at)
    refuse_outputs(policy.outputs, mechanism, positive, location)
    refuse_other_outputs(policy.leak, mechanism, location)
    return mechanism


def _thetas(keys: Keys, domain: Domain, location: Location) -> tuple[Theta, ...]:
    """The distributions; a mechanism alone is a model of which everything that mentions no θ is decided."""
    if keys.has("distribution"):
        return read_thetas(keys.take("distribution"), domain, location)
    for key, named in (("knowledge", "[knowledge]"), ("normalization", "[[normalization]]")):
        if keys.has(key):
            raise InputError(
                f"{named} needs a distribution",
                where=str(location),
                wanted="[[distribution]]: what is known is about the database that it draws",
            )
    return ()


def _without_distributions(keys: Keys, domain: Domain, location: Location) -> None:
    """Databases of several sizes: every pair that differs in one tuple is compared, whatever its probability."""
    for key, header in (("distribution", "[[distribution]]"), *((k, f"[{k}]") for k in ("knowledge", "sensitive")),
                       ("normalization", "[[normalization]]")):  # fmt: skip
        if key in keys.left:
            raise InputError(
                f"{header} does not go with size = {list(domain.sizes or ())}",
                where=str(location),
                wanted="`values` and a mechanism: all databases of these sizes are compared, whatever is known",
                tip="one integer as `size` has distributions, knowledge and protected records",
            )


def _has_column(thetas: tuple[Theta, ...], column: str, location: Location) -> bool:
    """Whether the tables carry a column; all θ alike."""
    if not thetas:
        return False
    carried = {isinstance(theta.shape, Table) and getattr(theta.shape.rows[0], column) is not None for theta in thetas}
    if len(carried) > 1:
        raise InputError(
            f"some distributions carry the column `{column}` and some do not",
            where=str(location),
            wanted="all or none",
        )
    return carried.pop()


FUNCTION_ROW = (
    Key("database", DATABASE, "the values of all records"),
    Key("value", LABEL, "the value of the function that is protected"),
)


def _secrets(keys: Keys, domain: Domain, location: Location, thetas: tuple[Theta, ...]) -> Sequence[Secret]:
    column = _has_column(thetas, "sensitive", location)
    at = location.at("[sensitive]", "sensitive")
    raw = keys.take("sensitive", None)
    if column:
        inner = Keys({} if raw is None else raw, at)
        if raw is not None and set(inner.left) != {"values"}:
            raise InputError(
                "[sensitive] is given although the rows carry `sensitive`",
                where=str(at),
                wanted="one of the two; only `values`, their order, can stand in [sensitive] beside such rows",
            )
        occurring = dict.fromkeys(world.sensitive for theta in thetas for world in theta.worlds() if world.sensitive)
        return (_in_order(inner, domain, tuple(occurring), None),)
    if raw is None:
        return RecordSecrets(range(domain.size), domain.values)
    inner = Keys(raw, at)
    tip = "`records = [1]`, `where` with predicates, or `rows` of a function of the database"
    which = inner.one_of(("records", "rows", "table", "where"), tip)
    if which == "records":
        chosen = inner.read("records", domain.records)
        if not chosen:
            raise InputError("there is no record", where=str(at), wanted="at least one")
        inner.done()
        return RecordSecrets(chosen, domain.values)
    if not thetas:
        raise InputError(
            "a sensitive function needs a distribution", where=str(at), wanted="[[distribution]], or `records`"
        )
    if which == "where":
        parts = read_parts(domain, inner.take("where"), at.at("where"), _possible(thetas, at))
        return (_in_order(inner, domain, tuple(dict.fromkeys(parts.values())), parts),)
    function = {}
    for entry in inner.read(which, rows, "a list of rows", "row", "a row such as { database = [0, 1], value = 1 }"):
        database, value = values_of(entry, FUNCTION_ROW, domain).values()
        if database in function:
            raise InputError("this database is given twice", where=str(entry.location), wanted="one row a database")
        function[database] = value
        entry.done()
    every_database(function, domain, at, thetas, "add the row")
    return (_in_order(inner, domain, tuple(dict.fromkeys(function.values())), function),)


def _possible(thetas: tuple[Theta, ...], location: Location) -> Iterator[Database]:
    """The databases that some θ can draw.

    Raises:
        LimitError: for more worlds of one θ than are looked at when a file is read.

    """
    for theta in thetas:
        if theta.count() > CHECKED_WORLDS:
            raise LimitError(
                f'a predicate is asked of each world of "{theta.name}", which are {theta.count():,}',
                where=str(location),
                wanted=f"at most {CHECKED_WORLDS:,}",
            )
        yield from (world.database for world in theta.worlds())


SECRET_VALUES = Key(
    "values", flat(LABEL, "a list of values"), "the values of S in their order, for the reading one-order", None
)


def _in_order(
    keys: Keys, domain: Domain, occurring: tuple[Label, ...], function: Mapping[Database, Label] | None
) -> Secret:
    """The protected function of the world, whose values have the order of `values`, where that is given."""
    (named,) = values_of(keys, (SECRET_VALUES,), domain).values()
    keys.done()
    if named is not None and (len(set(named)) < len(named) or set(named) != set(occurring)):
        raise InputError(
            "`values` has other values than what is protected, or one of them twice",
            where=str(keys.location.at("values")),
            wanted=f"each of these once: {', '.join(value.text for value in occurring)}",
        )
    return Secret(None, named or occurring, function, ordered=named is not None)


def _law_and_labels(domain: Domain, raw: Any, location: Location) -> tuple[Law, tuple[Label, ...]]:
    """A law, and the labels that its table names, those of probability 0 among them."""
    law = domain.label_law(raw, location)
    return law, tuple(domain.label(value, location) for value in Keys(raw, location).left)


PARAMETER_NAME = Key("name", words("a name"), "the name of a random parameter φ")
PARAMETER_LAW = Key("table", Form(_law_and_labels, LAW_OF_LABELS.schema), "its law")
KNOWN_PARAMETERS = Key(
    "knowledge", flat(words("a name"), "a list of names"), "the parameters that determine what the attacker knows", ()
)
GENERATED = (
    Key("when", flat(LABEL, "a list"), "a value of each parameter"),
    Key("database", DATABASE, "the database that they generate"),
    Key("knowledge", LABEL, "what the attacker knows then, where the database does not say it", None),
    Key("sensitive", LABEL, "what is protected then", None),
)
"""The keys of a row of the generating table."""


def _normalizations(
    keys: Keys, domain: Domain, location: Location, thetas: tuple[Theta, ...], secrets: Sequence[Secret]
) -> tuple[Normalization, ...]:
    normalizations = []
    for inner in sections(keys.take("normalization", []), location, "[[normalization]]"):
        at = inner.location
        name = inner.take("distribution", thetas[0].name if len(thetas) == 1 else None)
        if name not in {theta.name for theta in thetas}:
            raise InputError(
                f"the distribution {shorten(name)} is unknown",
                where=str(at),
                wanted=one_of((theta.name for theta in thetas), name),
            )
        record = None
        if secrets[0].record is not None:
            record = inner.read("record", domain.record)
            if record not in {secret.record for secret in secrets}:
                raise InputError(f"record {record} is not sensitive", where=str(at), wanted="a sensitive record")
        parameters, named = [], []
        for position, part in enumerate(inner.read("parameters", listed, "a list of parameters")):
            entry = Keys(part, at.at("parameters", "parameters", position), "{ name, table }")
            parameter = PARAMETER_NAME.read(entry, domain)
            table_at = at.at(parameter, "parameters", position, "table")
            law, values = PARAMETER_LAW.form.read(domain, entry.take("table"), table_at)
            parameters.append(RandomParameter(parameter, law))
            named.append(values)
            entry.done()
        names = [parameter.name for parameter in parameters]
        if len(set(names)) != len(names) or not names:
            raise InputError(
                f"the parameters {shorten(names)} are none, or not distinct",
                where=str(at),
                wanted="distinct names, at least one",
            )
        generated = _generated(inner.take("table"), domain, at.at("table"), named)
        known = KNOWN_PARAMETERS.read(inner, domain)
        for k in known:
            if k not in names:
                raise InputError(
                    f"the knowledge {shorten(k)} is unknown", where=str(at), wanted=f"some of {', '.join(names)}"
                )
        inner.done()
        normalizations.append(Normalization(str(name), record, tuple(parameters), generated, known))
    return tuple(normalizations)


def _generated(
    raw: object, domain: Domain, location: Location, parameters: Sequence[tuple[Label, ...]]
) -> tuple[Generated, ...]:
    """The rows of the generating table; `parameters` are the values that each parameter can have."""
    generated = []
    example = 'a row such as { when = ["same", 0], database = [0, 0] }'
    for inner in rows(raw, location, "a list of rows", "row", example):
        row_at = inner.location
        when, database, knowledge, sensitive = values_of(inner, GENERATED, domain).values()
        if len(when) != len(parameters):
            raise InputError(
                f"the row has {plural(len(when), 'value')}",
                where=str(row_at),
                wanted=f"{len(parameters)}, one a parameter",
            )
        for value, known in zip(when, parameters, strict=True):
            if value not in known:
                texts = [value.text for value in known]
                raise InputError(
                    f"the value {cut(value.text)} is unknown",
                    where=str(row_at.at("when")),
                    wanted=f"a value of the parameter: {cut(', '.join(texts))}",
                    tip=meant(value.text, texts) or meant(value.text.lower(), texts),
                )
        inner.done()
        generated.append(Generated(when, database, knowledge, sensitive))
    return tuple(generated)


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
ANYTHING: Schema = {}
QUESTION = {"reading": TEXT, "epsilon": ANYTHING, "delta": ANYTHING, "record": WHOLE, "distribution": TEXT, "k": WHOLE}
"""What an expectation may say of its question beside the definition, with the schemas of the values."""
ANSWER = {
    "verdict": TEXT,
    "method": TEXT,
    **dict.fromkeys(("tight_delta", "tight_epsilon", "tight_delta_decimal", "tight_epsilon_decimal"), ANYTHING),
    **dict.fromkeys(("comparisons", "multiplicity", "empty"), WHOLE),
    "acceptable": FLAG.schema,
    "reason": TEXT,
    "largest": WHOLE,
}
"""What an expectation may promise, with the schemas of the values."""


def read_expectations(raw: object, location: Location, header: str) -> tuple[Expectation, ...]:
    """Read questions with their promised answers, from a list of tables that messages call `header` (`[[expect]]`).

    Raises:
        InputError: for a table without an answer, an unknown key, and an ε or δ that is none.

    """
    expectations = []
    for inner in sections(raw, location, header):
        at = inner.location
        definition = inner.read("definition", string, "the name of a definition")
        question = {key: inner.take(key) for key in QUESTION if inner.has(key)}
        if "epsilon" in question:
            epsilon(question["epsilon"], str(at.at("epsilon")))
        if "delta" in question:
            probability(question["delta"], str(at.at("delta")), "δ")
        answer = {key: inner.take(key) for key in ANSWER if inner.has(key)}
        inner.done()
        if not answer:
            raise InputError("there is no answer", where=str(at), wanted=f"at least one of {', '.join(ANSWER)}")
        expectations.append(Expectation(definition, question, answer))
    return tuple(expectations)


def read_any(path: str | Path) -> Model | Family:
    """Read a model file: a model, or where it has `[parameters]` a family.

    Raises:
        InputError, LimitError: as `read` does, and for parameters that are none.

    """
    return loads_any(file_text(path), str(path))


def loads_any(text: str, path: str = "") -> Model | Family:
    r"""Read the text of a model file, with or without `[parameters]`.

    >>> coin = '''
    ... size = 1
    ... values = [0, 1]
    ... [parameters]
    ... p = { above = "0", below = "1" }
    ... [[distribution]]
    ... iid = { 0 = "1 - p", 1 = "p" }
    ... [mechanism]
    ... kind = "sum"
    ... '''
    >>> family = loads_any(coin)
    >>> str(family.parameters[0]), family.names
    ('0 < p < 1', ('p',))
    """
    tables, text, files = _with_files(text, path)
    location = Location(path or UNNAMED)
    if "parameters" not in tables:
        if "conditions" in tables:
            raise InputError(
                "there are conditions without [parameters]", where=str(location), wanted="both, or neither"
            )
        return of_tables(tables, text, files, path)
    if "question" in tables:
        raise InputError(
            "[question] is given beside [parameters]",
            where=str(location),
            wanted="a question about one model",
            tip="write the values of the parameters into the file",
        )
    parameters, side = read_parameters(tables.pop("parameters"), tables.pop("conditions", []), location)
    untitled = printable(Path(path).stem) if path else "family"
    title = string(tables.get("title", untitled), location.at("title"), "a title")
    digest = "" if files else hashlib.sha256(text.encode()).hexdigest()  # what points to files is named by its text

    def make(member: Mapping[str, Any]) -> Model:
        model = build_tables(member, location, path=path, sha256=digest, text=text)
        return replace(model, tables=member)

    expected = _expected(tables.pop("expect", []), location)
    family = Family(parameters, side, tables, location, make, title, digest, expected)
    _refuse_unused(family)
    return family


def _refuse_unused(family: Family) -> None:
    """A parameter that no probability depends on is a slip."""
    used = family.used
    for name in family.names:
        if name not in used:
            raise InputError(
                f"the parameter {name} stands in no probability",
                where=str(family.location.at("[parameters]", "parameters", name)),
                wanted=f'an expression such as "1 - {name}"',
            )


FAMILY_QUESTION, FAMILY_ANSWER = ("epsilon", "delta", "reading"), ("holds", "fails", "vacuous", "undecided")
"""What the expectation of a family says of its question beside the definition, and what it may promise, in words."""


def _expected(raw: object, location: Location) -> tuple[Mapping[str, str], ...]:
    """The promised answers: for which values of the parameter a definition holds, in words."""
    expectations = []
    for keys in sections(raw, location, "[[expect]]"):
        at = keys.location
        promised = {"definition": string(keys.take("definition"), at, "the name of a definition")}
        promised |= {key: str(keys.take(key)) for key in (*FAMILY_QUESTION, *FAMILY_ANSWER) if keys.has(key)}
        keys.done()
        if not promised.keys() & set(FAMILY_ANSWER):
            raise InputError("there is no answer", where=str(at), wanted=f"at least one of {', '.join(FAMILY_ANSWER)}")
        expectations.append(promised)
    return tuple(expectations)


def named(model: Model, parameter_values: str) -> Model:
    """The model with `parameter_values`, a text such as `p = 1/3`, added to its title."""
    return replace(model, title=f"{model.title} ({parameter_values})")
