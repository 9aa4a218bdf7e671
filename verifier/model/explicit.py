"""Mechanisms that are given database by database: a table, the text of a program, or a Python function."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from inspect import signature
from itertools import chain, combinations_with_replacement, repeat
from itertools import product as cartesian
from math import comb
from pathlib import PurePath
from types import TracebackType
from typing import Any

from verifier.errors import InputError, LimitError, PkdpError, UnsupportedError
from verifier.model.forms import Domain
from verifier.model.mechanism import ADD_THE_ROW, Database, Mechanism, among, database_text
from verifier.numbers import cut, shorten
from verifier.programs import Interpreter, Outcomes, Source, may_return_noise, on_database, thawed
from verifier.programs.noisy_outputs import CLAMP, Returned, by_values
from verifier.programs.runner import (
    UNREAD,
    Generator,
    Program,
    copied,
    exact_output,
    name_of,
    on_path,
    outcomes,
    own_random,
    random_state,
)
from verifier.tables import NO_ANSWER, Label, Law
from verifier.tables.law import INTEGER


def from_rows(
    title: str,
    size: int,
    values: tuple[Label, ...],
    rows: Mapping[Database, Law],
    otherwise: Law | None,
) -> Mechanism:
    """The mechanism that a table gives: `rows` has the law of each database, `otherwise` that of all others."""

    def table(database: Database) -> Law:
        law = rows.get(database, otherwise)
        if law is None:
            text = database_text(database, values)
            raise UnsupportedError(f"the {title} has no row for the database {text}", tip=ADD_THE_ROW)
        return law

    return Mechanism(
        title,
        size,
        values,
        table=table,
        domain=None if otherwise else tuple(rows),
        publishes="table",
        codomain=among(
            outcome for law in [*rows.values(), *([otherwise] if otherwise else [])] for outcome in law.outcomes
        ),
    )


MAX_NOISY_DATABASES = 1 << 12
"""Most databases of a program that returns noisy numbers: the tails of all their laws are looked at together."""
MAX_KEPT = 1 << 12
"""How many laws of a program are kept."""


def from_program(
    source: Source, domain: Domain, spelled: Callable[[object], Label], *, by_sorted: bool = False
) -> Mechanism:
    """The mechanism of a program's text, interpreted on each database that is reached.

    The program gets the values as the file spells them; `spelled` makes a label of what it returns. Where it may return
    a noisy number it is interpreted on all databases at once, so that the tails can be lumped without loss;
    with `by_sorted` on those alone that are sorted, whose laws all others have.

    Raises:
        LimitError: where that are too many databases.
        UnsupportedError: for noisy numbers with tails that no single outcome stands for.

    """
    interpreter = Interpreter(source)
    values = domain.values
    shown = tuple(value.shown for value in values)

    def returned(database: Database) -> Returned:
        try:
            return interpreter.returned([shown[v] for v in database])
        except PkdpError as error:
            raise on_database(error, f"the database {cut(database_text(database, values), 200)}") from None

    noisy: dict[Database, Returned] = {}
    outcomes: Outcomes | None = None
    if may_return_noise(source):
        sizes = range(domain.sizes[0], domain.sizes[1] + 1) if domain.sizes else (domain.size,)
        number = sum(comb(len(values) + size - 1, size) if by_sorted else len(values) ** size for size in sizes)
        if number > MAX_NOISY_DATABASES:
            raise LimitError(
                f"the program returns a noisy number, and there are {number:,} databases",
                where=source.where,
                wanted=f"at most {MAX_NOISY_DATABASES:,}, whose tails are looked at together",
                tip=CLAMP,
            )
        every = range(len(values))
        databases = (
            database
            for size in sizes
            for database in (combinations_with_replacement(every, size) if by_sorted else cartesian(every, repeat=size))
        )
        noisy = {database: by_values(returned(database), source.where) for database in databases}
        outcomes = Outcomes(noisy.values(), _integers(domain.named), source.where)

    known: dict[Database, Law] = {}

    def table(database: Database) -> Law:
        if database not in known:
            if len(known) >= MAX_KEPT:
                known.clear()
            known[database] = law_of(database)
        return known[database]

    def law_of(database: Database) -> Law:
        given = noisy.get(database) or returned(database)
        pairs = outcomes.law(given) if outcomes else given.items()
        text = f"the database {cut(database_text(database, values), 200)}"
        return labelled(source, ((thawed(key), chance) for key, chance in pairs), text, spelled)

    tails = frozenset(outcomes.tails) if outcomes else frozenset[str]()
    return Mechanism(f"program {source.main.name}", domain.size, values, table=table, publishes="table", tails=tails)


def labelled(
    source: Source, outputs: Iterable[tuple[Any, Fraction]], text: str, spelled: Callable[[object], Label]
) -> Law:
    """The law of what a program returns, as labels; `text` names in messages what it was given.

    Raises:
        InputError: for a path that returns nothing.

    """
    law: dict[Label, Fraction] = {}
    for returned, chance in outputs:
        output, seen = returned if source.observer else (returned, ())
        if output is None:
            raise InputError(
                f"the function {source.main.name} returns None on {text}",
                where=source.where,
                wanted="a label, or a list of labels, on every path",
                tip=f'return "{NO_ANSWER}" where there is no answer',
            )
        name = spelled([output, list(seen)] if source.observer else output)
        law[name] = law.get(name, Fraction(0)) + chance
    return Law.from_fractions(law, source.where)


def _integers(labels: Iterable[Label]) -> list[int]:
    """The integers among labels, and among the entries of lists."""
    entries = [entry for one in labels for entry in one.entries or (one,)]
    return [int(entry.text) for entry in entries if INTEGER.fullmatch(entry.text)]


def _shown(law: Law) -> str:
    """A law in a message."""
    if len(law.outcomes) == 1:
        return cut(law.outcomes[0].text)
    return cut("{" + ", ".join(f"{o}: {p}" for o, p in law.chances()) + "}")


_surroundings: list[Callable[[], AbstractContextManager[object]]] = [nullcontext]


@contextmanager
def called_within(surroundings: Callable[[], AbstractContextManager[object]]) -> Iterator[None]:
    """Call every Python function of a model within a context, such as one that redirects what the function prints."""
    _surroundings.append(surroundings)
    try:
        yield
    finally:
        _surroundings.remove(surroundings)


def line_of(trace: TracebackType | None) -> str:
    """Return the file and line of the user's code that raised: the last line of the file in which it was entered.

    >>> line_of(None)
    ''
    """
    frames = traceback.extract_tb(trace)
    lines = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    return f"{PurePath(frames[0].filename).name}, line {lines[-1]}" if lines else ""


def _refuse_other_arguments(function: Callable[..., object], where: str) -> None:
    """Refuse a function that cannot be called with one argument; of some that are built in this is not known.

    Raises:
        InputError: with the names of its arguments.

    """
    try:
        takes = signature(function)
    except (TypeError, ValueError):
        return
    try:
        takes.bind(())
    except TypeError:
        named = getattr(function, "__name__", type(function).__name__)
        called = "f" if named == "<lambda>" else named
        raise InputError(
            f"the function {named} takes {shorten(str(takes))}",
            where=where,
            wanted="a function of the database (a tuple of the values of all records), or of it and a generator",
            tip=f"lambda d: {called}(…) with d[0], d[1], …",
        ) from None


def _answer(called: Callable[[], object], text: str, where: str, tip: str = "", noun: str = "database") -> object:
    """What a function answers on a database, or on an output, of which this is the text.

    Raises:
        InputError: where it raises an error, ends the program, or returns None.

    """
    try:
        answer = called()
    except PkdpError:
        raise
    except (Exception, SystemExit) as error:
        line = line_of(error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next)
        at = f" ({line})" if line else ""
        raise InputError(
            f"the function raised {type(error).__name__} on the {noun} {text}: {error}{at}",
            where=where,
            wanted=f"an answer on every {noun} that is reached",
            tip=tip,
        ) from error
    if answer is None:
        raise InputError(
            f"the function returned None on the {noun} {text}",
            where=where,
            wanted="a label" if tip else "a label, or a table from labels to probabilities",
            tip=f'"{NO_ANSWER}" means no answer',
        )
    return answer


DRAWS_IN_A_MECHANISM = (
    'a random mechanism takes a generator, f(db, rng), or returns its law, {0: "1/4", 1: "3/4"}; that of a library '
    "runs as it is with pkdp.exact.random, numpy_random or secrets in place of the module"
)
DRAWS_IN_A_STEP = 'a random step returns its law, {0: "1/4", 1: "3/4"}, or is a program'


class _StoodInError(InputError):
    """A function that was to answer has drawn from a stand-in for a module: it is a program."""


def asking(
    function: Callable[..., object], where: str, noun: str = "database", tip: str = DRAWS_IN_A_MECHANISM
) -> Callable[[object, str, Callable[[object], Law]], Law]:
    """What a Python function answers: from its argument, the argument's text, and what makes a law of an answer.

    It is called twice (eight times on each of the first eight arguments), so that a function that draws its answer is
    refused. `noun` is what its argument is, and `tip` what to do instead of drawing.
    """
    repetitions = chain([7] * 8, repeat(1))

    def call(argument: object, text: str, read: Callable[[object], Law]) -> Law:
        with _surroundings[-1](), on_path(Generator([], {}), f"{where}, the function on {text}") as path:
            try:
                answer = _answer(lambda: function(argument), text, where, noun=noun)
            except PkdpError:
                if not path.stood_in:
                    raise
        if path.stood_in:
            raise _StoodInError("the function draws from pkdp.exact", where=where, wanted=tip)
        return read(answer)

    def ask(argument: object, text: str, read: Callable[[object], Law]) -> Law:
        state = random_state()
        first = call(argument, text, read)
        for _ in range(next(repetitions)):
            second = call(argument, text, read)
            if random_state() != state:  # a rare draw may give one answer eight times
                raise own_random(where)
            if first != second:
                raise InputError(
                    f"the function, called again on the {noun} {text}, gave {_shown(first)}, then {_shown(second)}",
                    where=where,
                    wanted=f"a function of the {noun} alone",
                    tip=tip,
                )
        return first

    return ask


def from_function(
    function: Callable[..., object],
    size: int,
    values: tuple[Label, ...],
    read: Callable[[object, str], Law],
    where: str,
    drawn: Callable[[Program], Mechanism],
) -> Mechanism:
    """The mechanism that a Python function gives; the function takes a database, a tuple of the values of the file.

    It is called twice on each database that is reached (`asking`). `read` makes a law of an answer and the text of the
    database. Where the function draws from a stand-in for a module, `drawn` makes the mechanism.
    """
    _refuse_other_arguments(function, where)
    spelled = tuple(v.shown for v in values)
    name = name_of(function)
    title = "Python function" if name == "<lambda>" else f"Python function {name}"
    ask = asking(function, where)

    paths: list[Mechanism] = []

    def table(database: Database) -> Law:
        text = database_text(database, values)
        if not paths:
            try:
                return ask(tuple(spelled[v] for v in database), text, lambda answer: read(answer, text))
            except _StoodInError:
                paths.append(drawn(Program(function, alone=True)))
        return paths[0].law(database)

    return Mechanism(title, size, values, table=table, publishes="table")


GENERATOR = "a program takes the database and the generator, f(db, rng): db[0] is a record, rng.flip(p) a draw"


def from_paths(
    program: Program,
    size: int,
    values: tuple[Label, ...],
    read: Callable[[object, str], Label],
    where: str,
    observer: str,
    observers: set[str] | None,
) -> Mechanism:
    """The mechanism that a function of a database and a generator gives: it is run once for each path of its draws.

    `read` makes a label of an output and the text of the database. With an observer the output is the list of the
    output and of the draws that it sees; `observers` gets the names that were met.
    """
    spelled = tuple(v.shown for v in values)

    def exactly() -> Callable[..., object]:
        try:
            return program.exactly()
        except PkdpError as error:
            raise error.within(where) from None

    def table(database: Database) -> Law:
        text, records = database_text(database, values), tuple(spelled[v] for v in database)
        function = exactly()

        def run(rng: Generator) -> Label:
            answer = _answer(lambda: function(copied(records), rng), text, where, GENERATOR)
            output = exact_output(answer)
            if observers is not None:
                observers.update(name for names, _ in rng.seen for name in names)
            return read([output, exact_output(rng.seen_by(observer))] if observer else output, text)

        law: dict[Label, Fraction] = {}
        try:
            with _surroundings[-1]():
                for output, chance in outcomes(run):
                    law[output] = law.get(output, Fraction(0)) + chance
        except PkdpError as error:
            raise error.within("" if error.where.startswith(where) else f"{where}, the function on {text}") from None
        return Law.from_fractions(law)

    named = "Python program" if program.name == "<lambda>" else f"Python program {program.name}"
    exactly()
    unread = f" ({UNREAD})" if program.is_unread else ""
    return Mechanism(named + unread, size, values, table=table, publishes="table")
