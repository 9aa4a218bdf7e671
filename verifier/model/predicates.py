"""Predicates: properties of a database in a line of text, in place of the list of the databases that have them.

    "record 0 = diabetes"    "record 0 in [diabetes, asthma] and not record 1 = none"    "count of yes >= 2"

A comparison is of the value of a record, or of how many records have a value, or one of several. `not` binds most, then
`and`, then `or`; brackets go before. A value that is one of the words here, or has blanks or signs in it, is quoted.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import TypeAlias

from verifier.errors import InputError, LimitError
from verifier.model.forms import DATABASE, Domain, Form, each
from verifier.model.keys import Keys, Location, string
from verifier.model.mechanism import Database, database_text
from verifier.model.multisets import Multisets
from verifier.numbers import shorten
from verifier.numbers.reader import Reader, tokens_of
from verifier.tables import Label

Predicate: TypeAlias = Callable[[Database], bool]
"""Whether a database has the property."""
SIGNS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
WORDS = ("record", "count", "of", "in", "and", "or", "not")
REST = "other"
"""The value of a protected function where none of its predicates holds."""
MOST_LETTERS = 4096
MOST_LEVELS = 64
"""Most brackets and `not` inside of each other."""
MOST_DATABASES = 1 << 16
"""Most databases of which a predicate is asked one by one."""
_TOKEN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([<>!]=|[=<>()\[\],])|([^\s"'=<>!()\[\],]+))""")
QUOTED = (1, 2)
"""The groups of the pattern that are texts in quotes."""
EXAMPLE = '"record 0 = yes", "record 0 in [a, b]" or "count of yes >= 2", with and, or, not and brackets'


def _any(_or: str, first: Predicate, second: Predicate) -> Predicate:
    return lambda database: first(database) or second(database)


def _all(_and: str, first: Predicate, second: Predicate) -> Predicate:
    return lambda database: first(database) and second(database)


class _Reader(Reader):
    """A predicate's text as tokens, taken one by one; a token in quotes is a value, and no word or sign."""

    def __init__(self, text: str, domain: Domain, location: Location) -> None:
        self.domain, self.location, self.levels = domain, location, 0
        super().__init__(
            tokens_of(_TOKEN, text, lambda at: self.refused(f"character {at + 1} fits no predicate", EXAMPLE))
        )

    def refused(self, problem: str, wanted: str, tip: str = "") -> InputError:
        return InputError(f"the predicate cannot be read: {problem}", where=str(self.location), wanted=wanted, tip=tip)

    @property
    def quoted(self) -> bool:
        """Whether the next token is in quotes."""
        return self.token.kind in QUOTED

    def take(self, *wanted: str) -> str:
        """Take the next token, where it is one of these words or signs; else nothing, and return ""."""
        return "" if self.quoted else super().take(*wanted)

    def need(self, wanted: str, *words: str) -> str:
        """Take one of these words or signs."""
        taken = self.take(*words)
        if not taken:
            raise self.refused(self.here(), wanted)
        return taken

    def here(self) -> str:
        """What stands at the place, in words."""
        if not self.token.kind:
            return "it ends too early"
        at = self.token.at + (not self.quoted)
        return f"{shorten(self.next())} at character {at} does not fit"

    def whole(self) -> Predicate:
        """The predicate that is the whole text."""
        found = self.either()
        if self.token.kind:
            raise self.refused(self.here(), "and, or, or the end")
        return found

    def either(self) -> Predicate:
        """Predicates with `or` between them."""
        return self.chain(self.both, _any, "or")

    def both(self) -> Predicate:
        """Predicates with `and` between them."""
        return self.chain(self.one, _all, "and")

    def one(self) -> Predicate:
        """A comparison, one in brackets, or one after `not`."""
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise self.refused(f"more than {MOST_LEVELS} brackets or `not` are inside of each other", "fewer")
        word = self.need(EXAMPLE, "not", "(", "record", "count")
        if word == "not":
            inner = self.one()
            found: Predicate = lambda database: not inner(database)  # noqa: E731
        elif word == "(":
            found = self.either()
            self.need("a closing bracket )", ")")
        else:
            found = self.of_record() if word == "record" else self.of_count()
        self.levels -= 1
        return found

    def of_record(self) -> Predicate:
        """The value of a record, after the word `record`."""
        if self.domain.sizes is not None:
            raise self.refused("databases of several sizes have no record by index", "count of VALUE")
        record = self.domain.record(self.number("the index of a record"), self.location)
        if self.take("in"):
            values = self.values()
            return lambda database: database[record] in values
        equal, value = self.need("=, != or in", "=", "!=") == "=", self.value()
        return lambda database: (database[record] == value) is equal

    def of_count(self) -> Predicate:
        """The number of records with a value, after the word `count`."""
        self.need("`of` and a value", "of")
        values = self.values() if self.next() == "[" and not self.quoted else frozenset({self.value()})
        holds = SIGNS[self.need(f"one of {' '.join(SIGNS)}", *SIGNS)]
        number = self.number("a number of records")
        return lambda database: holds(sum(v in values for v in database), number)

    def number(self, noun: str) -> int:
        """An integer from 0."""
        text = self.next()
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise self.refused(self.here(), noun)
        self.place += 1
        return int(text)

    def value(self) -> int:
        """A value of T."""
        token = self.token
        if not token.kind or (not self.quoted and token.text in {*WORDS, *SIGNS, *"()[],"}):
            raise self.refused(self.here(), "a value", 'quote a value that is a word here: record 0 = "in"')
        self.place += 1
        return self.domain.value(token.text, self.location)

    def values(self) -> frozenset[int]:
        """A list of values."""
        self.need("a list of values such as [a, b]", "[")
        values = {self.value()}
        while self.take(","):
            values.add(self.value())
        self.need("a comma, or ]", "]")
        return frozenset(values)


def read_predicate(domain: Domain, raw: object, location: Location) -> Predicate:
    """Read a predicate.

    Raises:
        InputError: for a text that is none, with what is there and what is expected.
        LimitError: for a text of very many letters.

    """
    text = string(raw, location, "a predicate")
    if len(text) > MOST_LETTERS:
        raise LimitError(
            f"the predicate has {len(text):,} letters", where=str(location), wanted=f"at most {MOST_LETTERS:,}"
        )
    return _Reader(text, domain, location).whole()


def databases_with(domain: Domain, raw: object, location: Location) -> tuple[Database, ...]:
    """The databases that satisfy a predicate, or those that a list names.

    Raises:
        InputError: for a text that is no predicate, and for a list of something else.
        LimitError: for a model with too many databases, before they are listed.

    """
    if not isinstance(raw, str):
        return LISTED.read(domain, raw, location)
    holds = read_predicate(domain, raw, location)
    return tuple(database for database in _every(domain, location) if holds(database))


def _every(domain: Domain, location: Location) -> Iterator[Database]:
    values = len(domain.values)
    multisets = None if domain.sizes is None else Multisets(values, *domain.sizes)
    number = values ** min(domain.size, MOST_DATABASES) if multisets is None else len(multisets)
    if number > MOST_DATABASES or domain.size > MOST_DATABASES:
        raise LimitError(
            f"a predicate is asked of all {values}^{domain.size} databases, one by one",
            where=str(location),
            wanted=f"at most {MOST_DATABASES:,}",
        )
    return iter(product(range(values), repeat=domain.size) if multisets is None else multisets)


LISTED = each(DATABASE, "a predicate, or a list of databases")
PREDICATE: Form[tuple[Database, ...]] = Form(databases_with, {"anyOf": [{"type": "string"}, LISTED.schema]})
"""A set of databases: a predicate, or the list of the databases that satisfy it."""


def read_parts(domain: Domain, raw: object, location: Location, possible: Iterator[Database]) -> dict[Database, Label]:
    """The value of a protected function on each possible database: the name of its predicate, or `other`.

    Raises:
        InputError: for two predicates that hold of one database, and for the name `other` of a predicate.

    """
    table = Keys(raw, location, 'a table from names to predicates such as { ill = "record 0 = yes" }').left
    if REST in table:
        raise InputError(f"`{REST}` names a predicate", where=str(location), wanted="another name: it is the rest")
    if not table:
        raise InputError("there is no predicate", where=str(location), wanted='{ ill = "record 0 = yes" }')
    parts = {
        domain.label(name, location): read_predicate(domain, text, location.at(name)) for name, text in table.items()
    }
    rest = domain.label(REST, location)
    function: dict[Database, Label] = {}
    for database in possible:
        names = [name for name, holds in parts.items() if holds(database)]
        if len(names) > 1:
            text = database_text(database, domain.values)
            both = f"`{names[0]}` and `{names[1]}` both hold of the database {text}"
            raise InputError(both, where=str(location), wanted="predicates of which one holds, or none")
        function[database] = names[0] if names else rest
    order = {name: k for k, name in enumerate((*parts, rest))}
    return dict(sorted(function.items(), key=lambda row: order[row[1]]))
