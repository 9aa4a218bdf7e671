"""Model files with `[parameters]`: a family of models, one for each value of the parameters.

Probabilities may be expressions in the parameters. A family gives the ordinary model at each value, which the reader
of all files reads, so that everything that can be asked of a model can be asked of a member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verifier.errors import InputError, PkdpError
from verifier.model.model import Model
from verifier.model.place import Keys, Place, listed, string
from verifier.model.restriction import Restriction, restriction_in
from verifier.numbers import rational, shorten
from verifier.numbers.expression import Expression, read_expression

UNNAMED = "model"
"""The place of what was not read from a file."""
SCALARS = frozenset({"probability", "weight", "keep", "sample"})
"""Keys whose value is a probability."""
TABLES = frozenset({"iid", "outputs", "table"})
"""Keys whose value, where it is a table, has probabilities as values."""
PLAIN = frozenset({"title", "source", "notes", "values", "size", "sensitive", "expect", "parameters", "conditions"})
"""Keys of a model file without probabilities that may depend on parameters."""
ORDERS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": lambda x, y: x <= y,
    ">=": lambda x, y: x >= y,
    "<": lambda x, y: x < y,
    ">": lambda x, y: x > y,
}


@dataclass(frozen=True)
class Parameter:
    """A parameter with its range; an end that is None is not there, and an open end does not belong to it."""

    name: str
    low: Expression | None
    high: Expression | None
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        left = f"{self.low} {'<' if self.low_open else '<='} " if self.low else ""
        right = f" {'<' if self.high_open else '<='} {self.high}" if self.high else ""
        return f"{left}{self.name}{right}"

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Its ends as conditions."""
        here = Expression("name", name=self.name, text=self.name)
        low = (Condition(here, ">" if self.low_open else ">=", self.low),) if self.low else ()
        return (*low, Condition(here, "<" if self.high_open else "<=", self.high)) if self.high else low


@dataclass(frozen=True)
class Condition:
    """An inequality between two expressions."""

    left: Expression
    order: str
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"

    def met(self, values: Mapping[str, Fraction]) -> bool:
        """Whether it is met."""
        return ORDERS[self.order](self.left.at(values), self.right.at(values))


@dataclass(frozen=True)
class Family:
    """Θ with parameters: `at` gives the model for a value of each.

    Made by `read_family` and `family`.
    """

    parameters: tuple[Parameter, ...]
    side: tuple[Condition, ...]
    raw: Mapping[str, Any]
    place: Place
    make: Callable[[Mapping[str, Any]], Model]
    title: str = ""
    sha256: str = ""
    expected: tuple[Mapping[str, str], ...] = ()
    given: Mapping[str, Fraction] = field(default_factory=dict)
    """The parameters that were fixed, with their values."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(one.name for one in self.parameters)

    @property
    def label(self) -> str:
        """The path of its file, else its title, as answers name it."""
        return self.place.file if self.place.file != UNNAMED else self.title

    @property
    def restriction(self) -> Restriction:
        """The only records that `[sensitive]` protects, or a function."""
        return restriction_in(self.raw)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Everything that the values must meet: the ranges and the side conditions."""
        return (*(condition for one in self.parameters for condition in one.conditions), *self.side)

    def refuse(self, values: Mapping[str, Fraction]) -> None:
        """Refuse values that are not those of the parameters, or that a condition excludes.

        Raises:
            InputError: with the condition.

        """
        for name in sorted(values.keys() ^ set(self.names)):
            missing = name in self.names
            raise InputError(
                f"the parameter {name} {'has no value' if missing else 'is unknown'}",
                where=str(self.place),
                wanted=f"a value for {', '.join(self.names)}",
                tip=f"{name}=1/7" if missing else "",
            )
        for condition in self.conditions:
            if not condition.met(values):
                shown = ", ".join(f"{name} = {values[name]}" for name in self.names)
                raise InputError(f"given {shown}", where=str(self.place), wanted=str(condition))

    def at(self, values: Mapping[str, Fraction]) -> Model:
        """The model at these values.

        Raises:
            InputError: for values outside the range, and where the file is no model there, with the values.

        """
        self.refuse(values)
        return self.beyond(values)

    def beyond(self, values: Mapping[str, Fraction]) -> Model:
        """The model at values that need not be in the range."""
        try:
            return self.make(instantiated(self.raw, values, self.place, self.names))
        except PkdpError as error:
            shown = ", ".join(f"{name} = {values[name]}" for name in self.names)
            raise type(error)(
                f"{error.message} (at {shown})", where=error.where, wanted=error.wanted, tip=error.tip
            ) from None

    def fixed(self, values: Mapping[str, Fraction]) -> Family:
        """The family with some parameters fixed.

        Raises:
            InputError: for a name that is no parameter.

        """
        for name in values:
            if name not in self.names:
                raise InputError(
                    f"the parameter {shorten(name)} is unknown",
                    where=str(self.place),
                    wanted=f"one of {', '.join(self.names)}",
                )

        def known(given: Expression) -> Expression:
            return substituted(given, values)

        left = tuple(
            Parameter(one.name, one.low and known(one.low), one.high and known(one.high), one.low_open, one.high_open)
            for one in self.parameters
            if one.name not in values
        )
        gone = tuple(c for one in self.parameters if one.name in values for c in one.conditions)
        side = []
        for c in (*self.side, *gone):
            condition = Condition(known(c.left), c.order, known(c.right))
            if condition.left.names | condition.right.names:
                side.append(condition)
            elif not condition.met({}):
                shown = ", ".join(f"{name} = {value}" for name, value in values.items())
                raise InputError(f"given {shown}", where=str(self.place), wanted=str(c))
        raw = instantiated(self.raw, values, self.place, self.names)
        # Without the promises, which are about all values.
        given = {**self.given, **values}
        return Family(left, tuple(side), raw, self.place, self.make, self.title, self.sha256, given=given)

    @property
    def expressions(self) -> tuple[tuple[Place, Expression], ...]:
        """Every expression of the file that depends on a parameter, with its place."""
        found: list[tuple[Place, Expression]] = []

        def note(given: str, place: Place) -> str:
            one = expression_of(given, place, self.names)
            if one is not None and one.names:
                found.append((place, one))
            return given

        self.with_entries(note)
        return tuple(found)

    def with_entries(self, change: Callable[[str, Place], object]) -> dict[str, Any]:
        """The tables of the file with each text that stands for a probability changed; `change` is told its place."""
        return _each(self.raw, Place(self.place.file), change)


def substituted(given: Expression, values: Mapping[str, Fraction]) -> Expression:
    """An expression with some parameters replaced by numbers, written out again."""
    if not given.names - values.keys():
        value = given.at(values)
        return Expression("number", number=value, text=str(value))
    if not given.names & values.keys():
        return given
    return read_expression(_written(given, values))


def _written(given: Expression, values: Mapping[str, Fraction]) -> str:
    if given.operation == "number":
        return str(given.number) if given.number.denominator == 1 else f"({given.number})"
    if given.operation == "name":
        value = values.get(given.name)
        return given.name if value is None else f"({value})"
    parts = [_written(part, values) for part in given.parts]
    if given.operation == "negative":
        return f"(-{parts[0]})"
    if given.operation == "^":
        return f"({parts[0]})^{given.power}"
    return f"({parts[0]} {given.operation} {parts[1]})"


def expression_of(given: str, place: Place, names: tuple[str, ...]) -> Expression | None:
    """The expression that a text is, or None for a plain number."""
    try:
        rational(given)
    except PkdpError:
        return read_expression(given, str(place), names)
    return None


def instantiated(
    raw: Mapping[str, Any], values: Mapping[str, Fraction], place: Place, names: tuple[str, ...]
) -> dict[str, Any]:
    """The tables of a model file with the parameters that have values replaced in every expression."""

    def value(given: str, at: Place) -> str:
        one = expression_of(given, at, names)
        return given if one is None else substituted(one, values).text

    return _each(raw, place, value)


def _each(raw: Mapping[str, Any], place: Place, change: Callable[[str, Place], object]) -> dict[str, Any]:
    """A copy of the file's tables with each text that stands for a probability changed."""
    kept = {key: value for key, value in raw.items() if key in PLAIN}
    changed = {key: _walk(value, place.at(key), change) for key, value in raw.items() if key not in PLAIN}
    return {key: (kept | changed)[key] for key in raw}


def _walk(given: Any, place: Place, change: Callable[[str, Place], object]) -> Any:
    if isinstance(given, list | tuple):
        return [_walk(one, place.at(f"row {k}", k - 1), change) for k, one in enumerate(given, start=1)]
    if not isinstance(given, Mapping):
        return given
    noise = given.get("kind") == "geometric-noise"
    found: dict[str, Any] = {}
    for key, value in given.items():
        at = place.at(str(key))
        if (key in SCALARS or (noise and key == "p")) and isinstance(value, str):
            found[key] = change(value, at)
        elif key in TABLES and isinstance(value, Mapping):
            found[key] = _law(value, at, change)
        elif key == "independent" and isinstance(value, list | tuple):
            found[key] = [_law(one, at.at(f"record {k}", k), change) for k, one in enumerate(value)]
        else:
            found[key] = _walk(value, at, change)
    return found


def _law(given: Any, place: Place, change: Callable[[str, Place], object]) -> Any:
    if not isinstance(given, Mapping):
        return given
    return {key: change(value, place.at(str(key))) if isinstance(value, str) else value for key, value in given.items()}


def read_parameters(
    given: object, conditions: object, place: Place
) -> tuple[tuple[Parameter, ...], tuple[Condition, ...]]:
    """Read `[parameters]` and `conditions`."""
    at = place.at("[parameters]", "parameters")
    table = Keys(given, at, "a table of parameters").left
    if not table:
        raise InputError("given no parameter", where=str(at), wanted='p = { from = "0", to = "1" }')
    for name in table:
        if not name.isidentifier():
            raise InputError(f"given the name {shorten(name)}", where=str(at), wanted="a name such as p or p_1")
    parameters = tuple(_parameter(name, one, at.at(name), tuple(table)) for name, one in table.items())
    side = tuple(
        _condition(string(one, place.at("conditions"), "an inequality"), place.at("conditions"), tuple(table))
        for one in listed(conditions, place.at("conditions"), "a list of inequalities")
    )
    return parameters, side


def _parameter(name: str, given: object, place: Place, names: tuple[str, ...]) -> Parameter:
    keys = Keys(given, place, 'a range such as { from = "0", to = "1/10" }')
    ends: list[tuple[Expression | None, bool]] = []
    for closed, open_ in (("from", "above"), ("to", "below")):
        if keys.has(closed) and keys.has(open_):
            raise InputError(f"given `{closed}` and `{open_}`", where=str(place), wanted="one of the two")
        which = closed if keys.has(closed) else open_
        end = keys.take(which, None)
        if end is None:
            ends.append((None, False))
            continue
        text = end if isinstance(end, str) else str(rational(end, str(place.at(which))))
        read = read_expression(text, str(place.at(which)), [one for one in names if one != name])
        ends.append((read, which == open_))
    keys.done()
    (low, low_open), (high, high_open) = ends
    if low and high and not (low.names | high.names):
        first, last = low.at({}), high.at({})
        if first > last or (first == last and (low_open or high_open)):
            raise InputError(f"given the range from {low} to {high}", where=str(place), wanted="from < to")
    return Parameter(name, low, high, low_open, high_open)


def _condition(text: str, place: Place, names: tuple[str, ...]) -> Condition:
    for order in ORDERS:
        left, found, right = text.partition(order)
        if found:
            ends = (read_expression(side, str(place), names) for side in (left, right))
            return Condition(next(ends), order, next(ends))
    raise InputError(f"given {shorten(text)}", where=str(place), wanted='an inequality such as "p + q <= 1"')
