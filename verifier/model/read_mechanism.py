"""Reading mechanisms: a kind, a table, a program, or a Python function; before them a sample, after them steps.

Each kind is declared once, in `KINDS`: its keys, its output in words, and a first example.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import Any

from verifier.errors import InputError, PkdpError, one_of
from verifier.model import kinds, recoding
from verifier.model.amounts import KEEP
from verifier.model.arithmetic import value_of
from verifier.model.composition import adaptive, choice, jointly, on_records
from verifier.model.explicit import (
    DRAWS_IN_A_STEP,
    asking,
    from_function,
    from_paths,
    from_program,
    from_rows,
    labelled,
)
from verifier.model.field_words import hint_of
from verifier.model.forms import (
    CHANCE,
    DATABASE,
    DISTINCT_VALUES,
    FLAG,
    LABEL,
    LAW_OF_OUTPUTS,
    OTHERWISE,
    OUTPUT,
    RATIONAL,
    RECORDS,
    VALUE,
    Domain,
    Form,
    Key,
    Kind,
    Place,
    by_value,
    defined,
    each,
    names,
    values_of,
    whole,
)
from verifier.model.keys import Keys, Location, listed, meant, rows, string
from verifier.model.mechanism import Mechanism, refuse_others
from verifier.model.multisets import on_multisets, sampled
from verifier.model.people import NOISE, RULE, TABLES, TableOf, tables_of_people
from verifier.model.plain import plain
from verifier.model.rules import Rule
from verifier.model.steps import STEPS, Channel, follow, response_step
from verifier.model.symmetric import by_counts, check_symmetric, is_symmetric, sees_counts_alone, shuffled
from verifier.model.table_files import named_file
from verifier.numbers import cut, plural, probability, rational, shorten
from verifier.programs import Interpreter, ProgramText, Source, on_database
from verifier.programs.draws import refuse_observer
from verifier.programs.own_source import text_without_ends
from verifier.programs.runner import Program, takes_generator
from verifier.tables import NO_ANSWER, Label, Law

AMOUNTS = ("noise", "epsilon", "p")
"""Keys by which noise is asked of a mechanism that has none."""
ADD_A_STEP = 'noise is a step: then = [ { kind = "geometric-noise", epsilon = "ln(3)" } ]'
WAYS = ("kind", "table", "rows", "program")
"""The keys of which a mechanism has exactly one."""
COMPONENT = "component"
"""A kind of knowledge only: which part of a mixture was drawn."""


def read_mechanism(raw: object, domain: Domain, location: Location, noun: str = "mechanism") -> Mechanism:
    """Read a mechanism: `kind = …`, a table of rows, or a program; from Python also a function, or a `Mechanism`.

    A function of the database returns a label or a law; one of the database and a generator is run on each path.

    `noun` is `mechanism`, or `knowledge` for a function ζ.

    Raises:
        InputError: for anything that is no mechanism on databases of this domain, with its location.
        LimitError: where it is too large.

    """
    if isinstance(raw, Mechanism):
        unordered = raw.domain is not None and not isinstance(raw.domain, tuple)
        if (raw.size, raw.values) != (domain.size, domain.values) or (unordered and not domain.sizes):
            raise InputError(
                f"{raw.title} is a mechanism of {plural(raw.size, 'record')} in "
                f"{{{cut(', '.join(v.text for v in raw.values))}}}",
                where=str(location),
                wanted=f"one of {plural(domain.size, 'record')} in {{{cut(', '.join(v.text for v in domain.values))}}}",
            )
        return on_multisets(raw, domain.sizes, str(location), ANY_SIZE) if domain.sizes else raw
    if isinstance(raw, Program) or callable(raw):
        return _of_python(raw, domain, location)
    tip = f'kind = "{raw}"' if isinstance(raw, str) and raw in KINDS else ""
    if isinstance(getattr(raw, "mechanism", None), Mechanism):
        tip = "model.mechanism"
    keys = Keys(raw, location, f"a table with `kind` or `table` for the {noun}", tip=tip)
    spelled = dict(keys.left)
    if noun == "knowledge" and not keys.left.keys() & set(WAYS):
        if not keys.has("records"):
            keys.one_of(("records", *WAYS), "`records = [0]` means that D(0) is known")
        keys.left["kind"] = "records"
    which = keys.one_of(WAYS, "name a kind, list the rows, or write a program")
    full_domain = domain
    if "sample" in keys.left:
        domain = domain.smaller()
    if which == "program":
        read_so_far = _program(keys, domain)
    elif which != "kind":
        read_so_far = _rows(keys, which, domain, noun)
    else:
        kind = keys.read("kind", string, "the name of a kind")
        if kind not in KINDS:
            raise _unknown_kind(kind, location.at("kind"), noun)
        place = Place(replace(domain, named=()) if keys.left.get("then") else domain, location)
        read_so_far = KINDS[kind].read(keys, place)
    if SYMMETRIC.read(keys, domain):
        read_so_far = _symmetric(read_so_far, which, domain, location.at("symmetric"))
    if domain.sizes:
        of_order = which == "program"
        read_so_far = on_multisets(read_so_far, domain.sizes, str(location), ANY_SIZE, function=of_order)
    rate = SAMPLE.read(keys, domain)
    if rate is not None and not domain.sizes:
        read_so_far = read_so_far.sampled(rate, str(location.at("sample")), ANY_SIZE)
    steps = keys.read("then", _steps, "a list of steps", default=[])
    has_an_amount = which == "kind" and KEEP in KINDS[kind].keys
    keys.done({} if has_an_amount else dict.fromkeys(AMOUNTS, ADD_A_STEP))

    def up_to(number: int) -> Mechanism:
        """The mechanism before a step, with every probability positive; of several sizes, the sample is taken later."""
        later = {"then", "sample"} if domain.sizes else {"then"}
        kept = {key: spelling for key, spelling in spelled.items() if key not in later}
        earlier = replace(domain, positive=True, named=())
        return read_mechanism({**kept, "then": steps[: number - 1]}, earlier, location, noun)

    function = partial(_of_output, domain=domain)
    followed = follow(read_so_far, steps, domain, location, up_to, KINDS, function) if steps else read_so_far
    # the sample comes first, so that the steps belong to what is applied to it
    return sampled(followed, rate, full_domain.sizes) if full_domain.sizes and rate is not None else followed


def _of_python(raw: Any, domain: Domain, location: Location) -> Mechanism:
    """The mechanism of a Python function of the database, or of a database and a generator."""
    function = raw.__wrapped__ if is_symmetric(raw) else raw
    program = function if isinstance(function, Program) else Program(function) if takes_generator(function) else None
    met: set[str] = set()

    def read_output(output: object, database: str) -> Label:
        return domain.label(plain(output), location.at(f"the function on {database}"))

    def by_paths(drawn: Program) -> Mechanism:
        return from_paths(drawn, domain.size, domain.values, read_output, str(location), domain.observer, met)

    if program is not None:
        text = text_without_ends(program.function)
        if text is not None:  # its noise has no ends: the source is interpreted, as in a file
            source = Source(text, f"{location}, the source of {program.name}", observer=domain.observer)
            made = from_program(source, domain, lambda output: domain.label(output, location))
            return _of_own(replace(made, title=f"Python program {program.name}, interpreted"), raw, domain, location)
        mechanism = by_paths(program)
        if domain.observer:
            _refuse_unmet(mechanism, domain, met, str(location))
    else:

        def read(answer: object, database: str) -> Law:
            return _answer_law(answer, domain, location.at(f"the function on {database}"))

        mechanism = from_function(function, domain.size, domain.values, read, str(location), by_paths)
    return _of_own(mechanism, raw, domain, location)


def _of_own(mechanism: Mechanism, raw: Any, domain: Domain, location: Location) -> Mechanism:
    """The mechanism of a Python function on databases of several sizes, or checked to be symmetric."""
    if domain.sizes:
        return on_multisets(mechanism, domain.sizes, str(location), ANY_SIZE, function=True)
    return _symmetric(mechanism, "function", domain, location) if is_symmetric(raw) else mechanism


MOST_ASKED = 1 << 12
"""Most databases on which a function is run to find a draw that names the observer."""


def _refuse_unmet(mechanism: Mechanism, domain: Domain, met: set[str], where: str) -> None:
    """Refuse an observer that no draw of a Python function names; the function is run until one does."""
    sizes = range(domain.sizes[0], domain.sizes[1] + 1) if domain.sizes else (domain.size,)
    every = (database for size in sizes for database in product(range(len(domain.values)), repeat=size))
    for database in islice(every, MOST_ASKED):
        mechanism.law(database)
        if domain.observer in met:
            return
    refuse_observer(domain.observer, met, where)


def _symmetric(given: Mechanism, which: str, domain: Domain, location: Location) -> Mechanism:
    """A mechanism of which the file says that it is symmetric: checked, and then a function of the counts.

    A program may be known to be so. A table without a row for each database stays a table.
    """
    if which == "kind":
        wanted = "a table, a program or a function"
        raise InputError("a kind knows by itself whether it is symmetric", where=str(location), wanted=wanted)
    if domain.sizes or given.statistic is not None:
        return given
    check_symmetric(given, str(location))
    return by_counts(given) if given.domain is None else given


def _steps(raw: object, location: Location, wanted: str) -> list[Any]:
    """The steps of `then`: a list, or in Python one function of the output."""
    return [raw] if callable(raw) else listed(raw, location, wanted)


def _of_output(keys: Keys, domain: Domain) -> tuple[str, Channel]:
    """A step that is a function of the output: the text of a program, or in Python a function."""
    location, raw = keys.location.at("program"), keys.take("program")
    if callable(raw):
        ask, name = asking(raw, str(location), "output", DRAWS_IN_A_STEP), getattr(raw, "__name__", type(raw).__name__)

        def channel(output: Label) -> Law:
            text = cut(output.text)
            read = partial(_answer_law, domain=domain, location=location.at(f"the function on the output {text}"))
            return ask(value_of(output), text, read)

        return f"the function {name}", channel
    text = PROGRAM.form.read(domain, raw, location)
    source = Source("".join(text), str(location), text.constants, text.drawn, of_output=True)
    interpreter = Interpreter(source)

    def interpreted(output: Label) -> Law:
        given = f"the output {cut(output.text)}"
        try:
            outputs = interpreter.of(value_of(output))
        except PkdpError as error:
            raise on_database(error, given) from None
        return labelled(source, outputs, given, lambda value: domain.label(value, location))

    return f"program {source.main.name}", interpreted


def _unknown_kind(kind: str, location: Location, noun: str) -> InputError:
    """The refusal of a kind that is none, with what may be meant."""
    known = [*KINDS, *([COMPONENT] if noun == "knowledge" else [])]
    tip = "this is a step: put it into `then`" if kind in STEPS else hint_of(kind, "mechanism") or meant(kind, known)
    if noun == "knowledge" and not tip:
        tip = f"{COMPONENT} = the latent choice of a mixture"
    if kind in {"table", "rows"}:
        tip = f"leave `kind` out, and list the rows: {kind} = [{{ database = […], output = … }}, …]"
    tip = tip or "help(pk.build) says what each does; `table` can be any mechanism"
    return InputError(f"the kind {shorten(kind)} is unknown", where=str(location), wanted=one_of(known, kind), tip=tip)


def _answer_law(answer: object, domain: Domain, location: Location) -> Law:
    """What a Python function returned: a label, or a table of probabilities."""
    answer = plain(answer, str(location))
    if not isinstance(answer, Mapping):
        _refuse_pairs(answer, location)
        return Law.point(domain.label(answer, location))
    table = {domain.label(key, location): weight for key, weight in answer.items()}
    if len(table) < len(answer):
        raise InputError("an output is given twice", where=str(location), wanted='distinct outputs (0 and "0" are one)')
    return Law.of(table, str(location))


def _refuse_pairs(answer: object, location: Location) -> None:
    """Refuse a list of pairs (output, probability), which is no table: as a label it would be one output.

    Raises:
        InputError: where the second entries are numbers that sum to 1, and not all are integers.

    """
    if not isinstance(answer, list) or not all(isinstance(entry, list) and len(entry) == 2 for entry in answer):
        return
    try:
        numbers = [rational(chance) for _, chance in answer]
    except PkdpError:
        return
    if sum(numbers) == 1 and any(number.denominator > 1 for number in numbers):
        raise InputError(
            f"the list {shorten(answer)} is a label here, and looks like a table of probabilities",
            where=str(location),
            wanted='a table such as {"yes": "3/4", "no": "1/4"}, or one label',
            tip="dict(…) makes a table of pairs; str(…) makes one label",
        )


# --- programs --------------------------------------------------------------------------------------------------------


def _program_text(raw: object, location: Location) -> ProgramText:
    """The text of a program, and what its parameters stand for."""
    plain_text = "".join(raw) if isinstance(raw, ProgramText) else raw
    text = string(plain_text, location, "the text of a program", lines=True)
    return raw if isinstance(raw, ProgramText) else ProgramText.of(text, {})


PROGRAM = Key(
    "program",
    Form(
        lambda _, raw, location: _program_text(raw, location),
        {"type": "string", "pattern": "def "},
    ),
    "the text of a function of a database and a source of random draws; it is interpreted, never executed",
)


def _program(keys: Keys, domain: Domain) -> Mechanism:
    """The mechanism that a program's text describes."""
    location = keys.location.at("program")
    text = PROGRAM.read(keys, domain)
    source = Source("".join(text), str(location), text.constants, text.drawn, observer=domain.observer)

    def spelled(output: object) -> Label:
        return domain.label(output, location)

    # who sees draws sees in which order the records met them
    by_sorted = not domain.sizes and not domain.observer and sees_counts_alone(source, domain.values)
    made = from_program(source, domain, spelled, by_sorted=by_sorted)
    return by_counts(made) if by_sorted else made


# --- tables --------------------------------------------------------------------------------------------------------


DATABASE_ROW = (Key("database", DATABASE, "the values of all records"), OUTPUT)
"""The keys of a row of a mechanism, or of a function ζ."""


def _rows(keys: Keys, which: str, domain: Domain, noun: str) -> Mechanism:
    laws: dict[tuple[int, ...], Law] = {}
    spelled: dict[tuple[int, ...], object] = {}
    example = 'a row such as { database = [0, 1], output = "odd" }'
    if isinstance(keys.left.get(which), str) and named_file(
        keys.left[which]
    ):  # the reader of a model file has put the rows of its files in their places
        tip = "a link, a bare text and standard input have no files: write the rows into the model"
        problem = f"this text points to the file {shorten(keys.left[which])}"
        raise InputError(problem, where=str(keys.location.at(which)), wanted="a model in a file beside it", tip=tip)
    for inner in keys.read(which, rows, "a list of rows", "row", example):
        raw = inner.left.get("database")
        database, law = values_of(inner, DATABASE_ROW, domain).values()
        if database in laws:
            raise _twice(spelled[database], raw, domain, inner.location)
        spelled[database], laws[database] = raw, law
        inner.done()
    otherwise = OTHERWISE.read(keys, domain)
    if not laws and otherwise is None:
        raise InputError("the table is empty", where=str(keys.location.at(which)), wanted="rows, or `otherwise`")
    return from_rows(f"{noun} table", domain.size, domain.values, laws, otherwise)


def _twice(first: object, second: object, domain: Domain, location: Location) -> InputError:
    if domain.sizes is None:
        return InputError("this database is given twice", where=str(location), wanted="one row a database")
    return InputError(
        f"one multiset is given twice, as {shorten(first)} and as {shorten(second)}",
        where=str(location),
        wanted="one row a multiset",
        tip="with `size = [from, to]` a database has no order, so that no output may depend on it",
    )


# --- the keys of kinds ---------------------------------------------------------------------------------------------


def _chosen(domain: Domain, values: Sequence[int], _location: Location) -> tuple[Label, ...]:
    return tuple(domain.values[value] for value in values)


def _one_a_record(domain: Domain, weights: Any, location: Location) -> tuple[Fraction, ...]:
    if len(weights) != domain.size:
        listing = f"the list has {plural(len(weights), 'weight')}"
        raise InputError(listing, where=str(location), wanted=f"{domain.size}, one a record")
    return tuple(weights)


SOME_VALUES = DISTINCT_VALUES.then(_chosen)
SAMPLE = Key("sample", CHANCE, "the probability with which each record is kept, before the mechanism", None)
SYMMETRIC = Key("symmetric", FLAG, "whether the order of the records means nothing, which is checked", False)
COUNTED = Key(
    "value",
    VALUE.to(lambda value: (value,)).then(_chosen),
    "the value that is counted",
    instead=Key("values", SOME_VALUES, "the values that are counted"),
    tip="`value = 1` or `values = [1, 2]`",
)
SHOWN = Key("values", SOME_VALUES, "the values that are counted, all when left out", None)
OF_RECORDS = Key("records", RECORDS, "the records, all when left out", None)
SMALLEST = Key("k", whole("k", 1), "the smallest crowd")
WEIGHTS = each(RATIONAL, "a list of weights, one a record", step="weight").then(_one_a_record)
GENERALIZATION = Form(
    lambda domain, raw, location: recoding.read_generalization(raw, location, domain),
    {"type": "object", "additionalProperties": LABEL.schema},
)


def _generalizations(domain: Domain, raw: Any, location: Location) -> dict[Label, recoding.Classes]:
    tables = Keys(raw, location, "a table from names to generalizations").left
    if not tables:
        raise InputError("there is no generalization", where=str(location), wanted="at least one")
    return {
        domain.label(name, location): GENERALIZATION.read(domain, table, location.at(name))
        for name, table in tables.items()
    }


GENERALIZATIONS = Form(
    _generalizations, {"type": "object", "additionalProperties": GENERALIZATION.schema, "minProperties": 1}
)


@dataclass(frozen=True)
class Inner:
    """A mechanism inside another one, as the file writes it: it is read once the domain of its databases is known."""

    raw: Any
    location: Location

    def mechanism(self, domain: Domain) -> Mechanism:
        """The mechanism on databases of a domain."""
        return read_mechanism(self.raw, domain, self.location)


MECHANISM: Form[Inner] = Form(lambda _, raw, location: Inner(raw, location), defined("mechanism"))


def _inner_list(_domain: Domain, raw: Any, location: Location) -> list[Inner]:
    entries = listed(raw, location, "a list of mechanisms")
    if not entries:
        raise InputError("there is no mechanism", where=str(location), wanted="at least one")
    return [Inner(entry, location.at(f"part {k}", k - 1)) for k, entry in enumerate(entries, start=1)]


def _inner_table(domain: Domain, raw: Any, location: Location) -> dict[Label, Inner]:
    table = Keys(raw, location, "a table from outputs of the first mechanism to mechanisms").left
    return {
        domain.label(outcome, location): Inner(entry, location.at(cut(outcome), outcome))
        for outcome, entry in table.items()
    }


def _of_one_record(domain: Domain, inner: Inner, _location: Location) -> Mechanism:
    """A local randomizer: a mechanism that is applied to each record alone."""
    return inner.mechanism(replace(domain, size=1, sizes=None, named=(), people={}))


def _reporting(title: str, domain: Domain, laws: Iterable[Law]) -> Mechanism:
    """The local randomizer that has the law of the report of each value."""
    return from_rows(title, 1, domain.values, {(v,): law for v, law in enumerate(laws)}, None)


def _responding(domain: Domain, keep: Fraction, _location: Location) -> Mechanism:
    """Randomized response on one record, whose report is a value."""
    step = response_step(domain.values, keep, "")
    title = f"randomized response ({kinds.kept_text(keep, len(domain.values))})"
    return _reporting(title, domain, map(step.law, domain.values))


def _local(way: Key) -> Key:
    """A key of randomized response, as one that gives a local randomizer."""
    return replace(way, form=way.form.then(_responding), instead=way.instead and _local(way.instead), tip="")


RANDOMIZER = Key(
    "of",
    MECHANISM.then(_of_one_record),
    "the local randomizer, a mechanism of one record",
    instead=Key(
        "reports",
        by_value(LAW_OF_OUTPUTS).then(lambda domain, laws, _: _reporting("a table", domain, laws)),
        "the local randomizer, as a table from each value to the law of its report",
        instead=_local(KEEP),
    ),
    tip='`reports = { 0 = { yes = "1/4", no = "3/4" }, … }`, `epsilon = "ln(3)"`, or `of = { … }`',
)
"""How each record is reported before the reports are shuffled."""
MECHANISMS: Form[list[Inner]] = Form(_inner_list, {"type": "array", "items": MECHANISM.schema, "minItems": 1})
NEXT: Form[dict[Label, Inner]] = Form(_inner_table, {"type": "object", "additionalProperties": MECHANISM.schema})


def _choices(domain: Domain, raw: Any, location: Location) -> dict[Label, tuple[Fraction, Inner]]:
    """The choices by their names, each with its weight and its mechanism."""
    choices: dict[Label, tuple[Fraction, Inner]] = {}
    example = 'a choice such as { weight = "1/3", mechanism = { … } }'
    for number, inner in enumerate(rows(raw, location, "a list of choices", "choice", example), start=1):
        name = inner.read("name", domain.label, default=f"#{number}")
        if name in choices:
            raise InputError(
                f"the name {shorten(name.text)} is given twice", where=str(inner.location), wanted="distinct names"
            )
        weight = probability(inner.take("weight"), str(inner.location.at("weight")))
        if "kind" in inner.left and not inner.has("mechanism"):
            raise InputError(
                "the mechanism of this choice stands beside its weight",
                where=inner.location.over("kind"),
                wanted="a table of its own for the mechanism",
                tip='{ weight = "2/3", mechanism = { kind = … } }',
            )
        choices[name] = weight, inner.read("mechanism", Inner)
        inner.done()
    if not choices:
        raise InputError("there is no mechanism", where=str(location), wanted="at least one")
    if domain.positive:
        choices = {name: (Fraction(1, len(choices)), inside) for name, (_, inside) in choices.items()}
    Law.from_fractions({name: weight for name, (weight, _) in choices.items()}, str(location.at("weights")))
    return choices


CHOICES: Form[dict[Label, tuple[Fraction, Inner]]] = Form(
    _choices,
    {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": {
                "name": LABEL.schema,
                "weight": defined("probability"),
                "mechanism": MECHANISM.schema,
            },
            "required": ["weight", "mechanism"],
            "additionalProperties": False,
        },
    },
)


# --- what some kinds make of their keys ----------------------------------------------------------------------------


def _records(place: Place, records: Sequence[int]) -> Mechanism:
    if isinstance(records, range):
        title = f"records {records[0]} to {records[-1]}"
    else:
        title = "records " + ", ".join(str(i) for i in records) if records else "no records"
    return kinds.records(place.setting, records, title)


def _shuffled(place: Place, of: Mechanism) -> Mechanism:
    for v, value in enumerate(place.domain.values):
        if not of.takes((v,)):
            raise InputError(
                f"the local randomizer has no row for a record with the value {value}",
                where=str(place.location.at("of")),
                wanted="a row for each value, or `otherwise`",
            )
    return shuffled(place.setting, of)


def _suppressed(place: Place, k: int, values: tuple[Label, ...] | None, keep: str) -> Mechanism:
    smallest = k if keep == ">=" else k + 1
    title = f"histogram, counts below {smallest} suppressed"
    return kinds.histogram(place.setting, values or place.domain.values, smallest, title)


def _anonymized(
    place: Place, k: int, generalizations: dict[Label, recoding.Classes], choose: Inner, *, shows_mapping: bool
) -> Mechanism:
    chooser = choose.mechanism(place.domain)
    # where there are too many databases now, an unknown name is refused when it is reached
    recoding.check_names(chooser.listed_outputs or (), list(generalizations), choose.location)
    return recoding.anonymization(place.setting, chooser, generalizations, k, shows=shows_mapping)


def _all(place: Place, of: list[Inner]) -> Mechanism:
    """Mechanisms that are released together."""
    return jointly([inside.mechanism(place.domain.entry(k, len(of))) for k, inside in enumerate(of)])


def _adaptive(place: Place, first: Inner, next: dict[Label, Inner] | None, otherwise: Inner | None) -> Mechanism:  # noqa: A002 - a key of files
    """Two mechanisms, of which the first one's output names the second."""
    first_domain, domain = place.domain.entry(0, 2), place.domain.entry(1, 2)
    before = first.mechanism(first_domain)
    inside = next or {}
    following = {outcome: second.mechanism(domain) for outcome, second in inside.items()}
    other = None if otherwise is None else otherwise.mechanism(domain)
    if not following and other is None:
        at = str(place.location.at("next"))
        raise InputError("there is no mechanism", where=at, wanted="at least one, or `otherwise = { … }`")
    composed = adaptive(before, following, other, str(place.location))
    if not domain.positive:
        places = {outcome: second.location for outcome, second in inside.items()}
        positive_domain = replace(first_domain, positive=True)
        refuse_others(places, before, lambda: first.mechanism(positive_domain), "`first`")
    return composed


def _part(place: Place, records: Sequence[int] | None, of: Inner) -> Mechanism:
    """A mechanism on some records, or on all."""
    domain, at = place.domain, str(place.location.at("records"))
    if records is None:
        return of.mechanism(domain)
    if domain.sizes:
        raise InputError(
            f"records do not go with databases of {domain.sizes[0]} to {domain.sizes[1]} tuples",
            where=at,
            wanted="one integer as `size`: the tuples of a multiset have no numbers",
        )
    if not records:
        raise InputError("there is no record", where=at, wanted="at least one", tip='kind = "constant" sees none')
    return on_records(of.mechanism(replace(domain, size=len(records), people={})), records, domain.size)


def _tables(place: Place, rule: tuple[Rule, Location], noise: str | None, tables: tuple[TableOf, ...]) -> Mechanism:
    """Tables of counts, of which each is published under a rule."""
    named = tuple(entry for output in place.domain.named for entry in output.entries or (output,))
    function = partial(_of_output, domain=place.domain)

    def under(counting: Mechanism, steps: list[Any], domain: Domain) -> Mechanism:
        def up_to(number: int) -> Mechanism:
            return under(counting, steps[: number - 1], replace(domain, positive=True, named=()))

        return follow(counting, steps, domain, rule[1], up_to, KINDS, function) if steps else counting

    domain = replace(place.domain, named=named)
    return tables_of_people(
        place, rule[0], noise, tables, lambda counting: under(counting, list(rule[0].steps), domain)
    )


def _choice(place: Place, of: dict[Label, tuple[Fraction, Inner]], *, shown: bool) -> Mechanism:
    """One of several mechanisms, chosen at random."""
    domain = place.domain.entry(1, 2) if shown else place.domain
    chosen = [(name, weight, inside.mechanism(domain)) for name, (weight, inside) in of.items()]
    return choice(chosen, str(place.location), shown=shown)


# --- the kinds -----------------------------------------------------------------------------------------------------


def _last(values: Sequence[Any], _size: int) -> dict[str, Any]:
    return {"value": values[-1]}


def _one_class(values: Sequence[Any]) -> dict[str, str]:
    return {str(value).lower() if isinstance(value, bool) else str(value): "all" for value in values}


def _count(values: Sequence[Any]) -> dict[str, Any]:
    return {"kind": "count", "value": values[-1]}


ROOTS = "; a root as `sqrt(5/2)` or `root(2, 3)`"
_DECLARED = (
    Kind(
        "constant",
        "always the same answer",
        "always {output}",
        lambda place, output: kinds.constant(place.setting, output),
        (Key("output", LABEL, "the answer"),),
        lambda _values, _size: {"output": "ok"},
        any_size=True,
    ),
    Kind(
        "identity",
        "the whole database",
        "the whole database, as a list of values",
        lambda place: kinds.records(place.setting, range(place.domain.size), "the whole database"),
        asked="",
    ),
    Kind(
        "records",
        "some records",
        "the list of the values of the records {records}",
        _records,
        (Key("records", RECORDS, "the records, by their indices from 0"),),
        lambda _values, _size: {"records": [0]},
    ),
    Kind(
        "count",
        "a count",
        "how many records are {value}",
        lambda place, value: kinds.count(place.setting, frozenset(value), None, Label(NO_ANSWER, NO_ANSWER)),
        (COUNTED,),
        _last,
        any_size=True,
        asked="VALUE",
    ),
    Kind(
        "threshold-count",
        "a count, if it is large enough",
        "how many records are {value}, if more than {above}, else {otherwise}",
        lambda place, value, above, otherwise: kinds.count(place.setting, frozenset(value), above, otherwise),
        (
            COUNTED,
            Key("above", whole("the threshold"), "the count is shown if it is more than this"),
            Key("otherwise", LABEL, "the output in all other cases", NO_ANSWER),
        ),
        lambda values, _size: {"value": values[-1], "above": 1},
        any_size=True,
        asked="VALUE above NUMBER",
    ),
    Kind(
        "sum",
        "the sum",
        "the sum of all records",
        lambda place: kinds.linear(place.setting, None, "sum of the records"),
        any_size=True,
        needs="numbers",
        asked="",
    ),
    *(
        Kind(
            name,
            f"the {name.replace('-', ' ')}",
            f"the {name.replace('-', ' ')} of all records, exactly{roots}",
            lambda place, name=name: kinds.mean(place.setting, name),
            needs=needs,
            asked=asked,
        )
        for name, roots, needs, asked in (
            ("mean", "", "numbers", ""),
            ("geometric-mean", ROOTS, "positive numbers", None),
            ("harmonic-mean", "", "positive numbers", None),
            ("quadratic-mean", ROOTS, "numbers", None),
        )
    ),
    Kind(
        "linear",
        "a weighted sum",
        "Σ wᵢ·D(i), the sum of all records, each times its weight",
        lambda place, weights: kinds.linear(place.setting, weights, "linear query"),
        (Key("weights", WEIGHTS, "one weight for each record"),),
        lambda _values, size: {"weights": ["1"] * size},
        needs="numbers",
    ),
    Kind(
        "parity",
        "is a count odd? (0 or 1)",
        "how many records are {value}, mod 2",
        lambda place, value: kinds.parity(place.setting, frozenset(value)),
        (COUNTED,),
        _last,
        any_size=True,
        asked="VALUE",
    ),
    *(
        Kind(
            name,
            f"the {name}",
            f"the {name} of the records, in the order of the values of the file",
            lambda place, name=name: kinds.extreme(place.setting, name),
        )
        for name in ("maximum", "minimum")
    ),
    Kind(
        "mode",
        "the most frequent value",
        "the most frequent value",
        lambda place, ties: kinds.mode(place.setting),  # noqa: ARG005 - the only way to decide a tie
        (Key("ties", names("first"), "which one in the order of the values of the file", "first"),),
        lambda _values, _size: {"ties": "first"},
        asked="",
    ),
    Kind(
        "histogram",
        "a histogram",
        "how often each value appears, as a list of counts",
        lambda place, values: kinds.histogram(place.setting, values or place.domain.values, 0, "histogram"),
        (SHOWN,),
        any_size=True,
        asked="",
    ),
    Kind(
        "k-anonymous-histogram",
        "a k-anonymous histogram",
        "the list of counts, `⊥` in place of a count that is too small for k = {k} (DMKB20, Definition 16)",
        _suppressed,
        (SMALLEST, SHOWN, Key("keep", names(">=", ">"), "a count is shown if it is ≥ k, or > k", ">=")),
        lambda _values, _size: {"k": 2},
        any_size=True,
    ),
    Kind(
        "randomized-response",
        "randomized response",
        "the list of values, each kept ({keep}) or else uniform over the values of the file",
        lambda place, keep, records: kinds.randomized_response(
            place.setting, keep, range(place.domain.size) if records is None else records
        ),
        (KEEP, OF_RECORDS),
        lambda _values, _size: {"keep": "1/2"},
        asked="keep|truth|epsilon NUMBER",
    ),
    Kind(
        "shuffle",
        "shuffled reports",
        "the sorted list of the reports, one of each record, made by a local randomizer: {of}",
        _shuffled,
        (RANDOMIZER,),
        lambda _values, _size: {"epsilon": "ln(3)"},
        any_size=True,
        asked="keep|truth|epsilon NUMBER",
    ),
    Kind(
        "apply",
        "a generalized table",
        "the list of the classes of all records, those that appear fewer than {k} times removed",
        lambda place, k, generalization: recoding.apply(place.setting, generalization, k),
        (SMALLEST, Key("generalization", GENERALIZATION, "a table from each value to its class")),
        lambda values, _size: {"k": 2, "generalization": _one_class(values)},
        any_size=True,
    ),
    Kind(
        "k-anonymization",
        "a k-anonymized table",
        "the same, by the generalization that a mechanism chooses",
        _anonymized,
        (
            SMALLEST,
            Key("generalizations", GENERALIZATIONS, "a table from names to generalizations"),
            Key("choose", MECHANISM, "a mechanism that puts out one of the names"),
            Key("shows-mapping", FLAG, "the output is [name, table]", False),
        ),
        lambda values, _size: {
            "k": 2,
            "generalizations": {"all": _one_class(values)},
            "choose": {"kind": "constant", "output": "all"},
        },
    ),
    Kind(
        "tables",
        "tables of counts under a rule",
        "the list of all published counts, table after table, each under {rule}; of one count that count alone",
        _tables,
        (RULE, NOISE, Key("tables", TABLES, "the tables, over people that `[people]` names")),
        lambda values, _size: {"then": [], "tables": [{"cells": [values[-1]]}]},
    ),
    Kind(
        "all",
        "several mechanisms together",
        "the list of their outputs, independent given the database",
        _all,
        (Key("of", MECHANISMS, "a list of mechanisms"),),
        lambda values, _size: {"of": [_count(values), {**_count(values), "kind": "parity"}]},
    ),
    Kind(
        "adaptive",
        "two mechanisms, the second chosen by the first",
        "the list of two outputs: of the first mechanism, and of the one which that output names, on the same database",
        _adaptive,
        (
            Key("first", MECHANISM, "a mechanism"),
            Key("next", NEXT, "a table from outputs of the first mechanism to mechanisms", None),
            Key("otherwise", MECHANISM, "the mechanism after all other outputs", None),
        ),
        lambda values, _size: {"first": _count(values), "next": {}, "otherwise": {"kind": "identity"}},
    ),
    Kind(
        "part",
        "a mechanism on some records",
        "what a mechanism makes of some records alone",
        _part,
        (OF_RECORDS, Key("of", MECHANISM, "a mechanism")),
        lambda _values, _size: {"records": [0], "of": {"kind": "identity"}},
    ),
    Kind(
        "choice",
        "one of several mechanisms, at random",
        "the output of one of them at random; if its name is shown, the list of its name and its output",
        _choice,
        (
            Key("of", CHOICES, 'a list of { name, weight, mechanism }; the names are "#1", "#2" when left out'),
            Key("shown", FLAG, "the name is shown", False),
        ),
        lambda _values, _size: {
            "of": [
                {"name": "one", "weight": "1/2", "mechanism": {"kind": "identity"}},
                {"name": "other", "weight": "1/2", "mechanism": {"kind": "constant", "output": "ok"}},
            ]
        },
    ),
)
KINDS = {kind.name: kind for kind in _DECLARED}
"""The kinds of mechanisms, by their names in files."""
ANY_SIZE = tuple(kind.name for kind in _DECLARED if kind.any_size)
"""Those that are defined on any number of records, and treat them alike; some compositions of these are so too."""
