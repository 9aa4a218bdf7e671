"""Model files with `[parameters]`: a family of models, one for each value of the parameters.

Probabilities may be expressions in the parameters. A family gives the ordinary model at each value, which the reader
of all files reads, so that everything that can be asked of a model can be asked of a member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from verifier.errors import InputError, LimitError, PkdpError, one_of
from verifier.model.keys import Keys, Location, listed, string
from verifier.model.model import Model, Restriction, restriction_in, seen_by
from verifier.numbers import Function, rational, shorten
from verifier.numbers.expression import Expression, read_expression
from verifier.programs import Drawn, ProgramText, parameters_in, with_parameters

MAX_INTERPRETED = 1 << 12
"""Most databases on which a program is interpreted for all values of a parameter."""
UNNAMED = "model"
"""The name, in messages, of the file of a family that was not read from one."""
SCALARS = frozenset({"probability", "weight", "keep", "truth", "sample"})
"""Keys whose value is a probability."""
TABLES = frozenset({"iid", "outputs", "table"})
"""Keys whose value, where it is a table, has probabilities as values."""
PLAIN = frozenset({"title", "source", "notes", "values", "size", "sensitive", "expect", "parameters", "conditions"})
"""Keys of a model file without probabilities that may depend on parameters."""
ENDS = (("from", "above"), ("to", "below"))
"""The keys of the ends of a range: the lower and the upper one, each where it belongs to the range and where not."""
ORDERS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": lambda x, y: x <= y,
    ">=": lambda x, y: x >= y,
    "<": lambda x, y: x < y,
    ">": lambda x, y: x > y,
}


@dataclass(frozen=True)
class Parameter:
    """A parameter with its range: an end that is None does not bound it, and an open end does not belong to it."""

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
        """The ends of the range as conditions."""
        parameter = Expression("name", name=self.name, text=self.name)
        low = (Condition(parameter, ">" if self.low_open else ">=", self.low),) if self.low else ()
        return (*low, Condition(parameter, "<" if self.high_open else "<=", self.high)) if self.high else low


@dataclass(frozen=True)
class Condition:
    """An inequality between two expressions."""

    left: Expression
    order: str
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"

    def met(self, values: Mapping[str, Fraction]) -> bool:
        """Whether the inequality holds at these values of the parameters."""
        return ORDERS[self.order](self.left.at(values), self.right.at(values))


@dataclass(frozen=True)
class Family:
    """A family of models, Θ with parameters: `at` gives the model for a value of each parameter.

    Made by `verifier.model.read.loads_any`, from the tables `raw` of a model file. `side` are the conditions on
    several parameters, `expected` the answers that the file promises.
    """

    parameters: tuple[Parameter, ...]
    side: tuple[Condition, ...]
    raw: Mapping[str, Any]
    location: Location
    make: Callable[[Mapping[str, Any]], Model]
    title: str = ""
    sha256: str = ""
    expected: tuple[Mapping[str, str], ...] = ()
    fixed_values: Mapping[str, Fraction] = field(default_factory=dict)
    """The parameters that were fixed, with their values."""
    observer: str = ""
    """Who sees some draws of the program beside its output, in the model at each value."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def label(self) -> str:
        """The name of the family in answers: the path of its file, else its title."""
        return self.location.file if self.location.file != UNNAMED else self.title

    def seen(self, text: str) -> str:
        """A text with who sees the outputs, where an observer was named, as `Model.seen`."""
        return seen_by(text, self.observer)

    @property
    def observed_json(self) -> dict[str, str]:
        """The key `observer` of an answer; without an observer, no key."""
        return {"observer": self.observer} if self.observer else {}

    @property
    def restriction(self) -> Restriction:
        """The records, or the function, to which `[sensitive]` restricts what is protected."""
        return restriction_in(self.raw)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions on the parameters: their ranges and the side conditions."""
        return (*(condition for parameter in self.parameters for condition in parameter.conditions), *self.side)

    def refuse(self, values: Mapping[str, Fraction]) -> None:
        """Refuse values that are not those of the parameters, or that a condition excludes.

        Raises:
            InputError: for a missing or unknown parameter, and with the condition that is not met.

        """
        for name in sorted(values.keys() ^ set(self.names)):
            missing = name in self.names
            raise InputError(
                f"the parameter {name} {'has no value' if missing else 'is unknown'}",
                where=str(self.location),
                wanted=f"a value for {', '.join(self.names)}",
                tip=f"{name}=1/7" if missing else "",
            )
        for condition in self.conditions:
            if not condition.met(values):
                text = ", ".join(f"{name} = {values[name]}" for name in self.names)
                raise InputError(f"{text} does not meet a condition", where=str(self.location), wanted=str(condition))

    def at(self, values: Mapping[str, Fraction]) -> Model:
        """The model at these values.

        Raises:
            InputError: for values outside the range, and where the file is no model there, with the values.

        """
        self.refuse(values)
        return self.beyond(values)

    def beyond(self, values: Mapping[str, Fraction]) -> Model:
        """The model at values that need not be in the range.

        Raises:
            PkdpError: where the file is no model there, as for a single model, with the values in the message.

        """
        try:
            return self.make(instantiated(self.raw, values, self.location, self.names))
        except PkdpError as error:
            text = ", ".join(f"{name} = {values[name]}" for name in self.names)
            raise error.but(message=f"{error.message} (at {text})") from None

    def fixed(self, values: Mapping[str, Fraction]) -> Family:
        """The family with some parameters fixed, in the other ones; it promises no answers.

        Raises:
            InputError: for a name that is no parameter, and for values that contradict a condition.

        """
        for name in values:
            if name not in self.names:
                raise InputError(
                    f"the parameter {shorten(name)} is unknown",
                    where=str(self.location),
                    wanted=one_of(self.names, name),
                )

        def known(expression: Expression) -> Expression:
            return substituted(expression, values)

        free = tuple(
            Parameter(
                parameter.name,
                parameter.low and known(parameter.low),
                parameter.high and known(parameter.high),
                parameter.low_open,
                parameter.high_open,
            )
            for parameter in self.parameters
            if parameter.name not in values
        )
        of_fixed = tuple(c for parameter in self.parameters if parameter.name in values for c in parameter.conditions)
        side = []
        for c in (*self.side, *of_fixed):
            condition = Condition(known(c.left), c.order, known(c.right))
            if condition.left.names | condition.right.names:
                side.append(condition)
            elif not condition.met({}):
                text = ", ".join(f"{name} = {value}" for name, value in values.items())
                raise InputError(f"{text} is out of range", where=str(self.location), wanted=str(c))
        raw = instantiated(self.raw, values, self.location, self.names)
        # `expected` is left out: the promised answers are about all values of the parameters.
        fixed_values = {**self.fixed_values, **values}
        return replace(self, parameters=free, side=tuple(side), raw=raw, expected=(), fixed_values=fixed_values)

    @property
    def expressions(self) -> tuple[tuple[Location, Expression], ...]:
        """Every probability of the file that depends on a parameter, with its place; those of programs are `drawn`."""
        expressions: list[tuple[Location, Expression]] = []

        def note(text: str, location: Location) -> str:
            expression = expression_of(text, location, self.names)
            if expression is not None and expression.names:
                expressions.append((location, expression))
            return text

        _each(self.raw, Location(self.location.file), note, ())
        return tuple(expressions)

    @property
    def used(self) -> frozenset[str]:
        """The parameters on which a probability depends, or which a program names."""
        named = (parameters_in(text, self.names) for text in _programs(self.raw.get("mechanism")))
        return frozenset().union(*(expression.names for _, expression in self.expressions), *named)

    @cached_property
    def general(self) -> Model:
        """The model whose probabilities are functions of the only parameter.

        Raises:
            PkdpError: for a file that is no model.

        """
        (name,) = self.names

        def entry(text: str, place: Location) -> object:
            expression = expression_of(text, place, self.names)
            if expression is None:
                return text
            function = Function.read(expression, name)
            return function if function.constant is None else function.constant

        return self.make(self.with_entries(entry))

    @cached_property
    def drawn(self) -> tuple[tuple[str, Drawn], ...]:
        """The probabilities and ratios of draws in programs that are functions of the only parameter, with places.

        They are known once the program was interpreted on every database.

        Raises:
            LimitError: for more than `MAX_INTERPRETED` databases.

        """
        texts = [text for text in _programs(self.raw.get("mechanism")) if parameters_in(text, self.names)]
        if not texts:
            return ()
        mechanism = self.general.mechanism
        number = len(mechanism.values) ** mechanism.size
        if number > MAX_INTERPRETED:
            raise LimitError(
                f"the program would be interpreted on {number:,} databases, for every value of {self.names[0]} at once",
                where=str(self.location),
                wanted=f"at most {MAX_INTERPRETED:,}",
                tip=f"fix the parameter: --set {self.names[0]}=1/7",
            )
        for database in product(range(len(mechanism.values)), repeat=mechanism.size):
            mechanism.law(database)
        general = _programs((self.general.tables or {}).get("mechanism"))
        return tuple(
            (at, drawn) for text in general if isinstance(text, ProgramText) for drawn, at in text.drawn.items()
        )

    def with_entries(self, change: Callable[[str, Location], object]) -> dict[str, Any]:
        """The tables of the file with each text that stands for a probability replaced by `change(text, location)`."""
        return _each(self.raw, Location(self.location.file), change, self.names)


def _programs(raw: object) -> list[str]:
    """The texts of the programs in a mechanism of the file."""
    if isinstance(raw, Mapping):
        inner = [text for key, value in raw.items() if key != "program" for text in _programs(value)]
        return [*([raw["program"]] if isinstance(raw.get("program"), str) else []), *inner]
    return [text for entry in raw for text in _programs(entry)] if isinstance(raw, list | tuple) else []


def substituted(expression: Expression, values: Mapping[str, Fraction]) -> Expression:
    """An expression with some parameters replaced by numbers, written out again."""
    if not expression.names - values.keys():
        value = expression.at(values)
        return Expression("number", number=value, text=str(value))
    if not expression.names & values.keys():
        return expression
    return read_expression(_written(expression, values))


def _written(expression: Expression, values: Mapping[str, Fraction]) -> str:
    if expression.operation == "number":
        return str(expression.number) if expression.number.denominator == 1 else f"({expression.number})"
    if expression.operation == "name":
        value = values.get(expression.name)
        return expression.name if value is None else f"({value})"
    operands = [_written(part, values) for part in expression.operands]
    if expression.operation == "negative":
        return f"(-{operands[0]})"
    if expression.operation == "^":
        return f"({operands[0]})^{expression.power}"
    return f"({operands[0]} {expression.operation} {operands[1]})"


def expression_of(text: str, location: Location, names: tuple[str, ...]) -> Expression | None:
    """The expression that a text spells, or None for a plain number.

    Raises:
        InputError: for a text that is neither, or with a name that is not among `names`.

    """
    try:
        rational(text)
    except PkdpError:
        return read_expression(text, str(location), names)
    return None


def instantiated(
    raw: Mapping[str, Any], values: Mapping[str, Fraction], location: Location, names: tuple[str, ...]
) -> dict[str, Any]:
    """The tables of a model file with the parameters that have values replaced in every expression."""

    def value(text: str, at: Location) -> str:
        expression = expression_of(text, at, names)
        return text if expression is None else substituted(expression, values).text

    return _each(raw, location, value, names)


def _each(
    raw: Mapping[str, Any], location: Location, change: Callable[[str, Location], object], names: tuple[str, ...]
) -> dict[str, Any]:
    """A copy of the file's tables with each text that stands for a probability changed, and names in programs."""
    kept = {key: value for key, value in raw.items() if key in PLAIN}
    changed = {
        key: _walk(value, location.at(key), change, names if key == "mechanism" else ())
        for key, value in raw.items()
        if key not in PLAIN
    }
    return {key: (kept | changed)[key] for key in raw}


def _walk(raw: Any, location: Location, change: Callable[[str, Location], object], names: tuple[str, ...]) -> Any:
    if isinstance(raw, list | tuple):
        return [_walk(entry, location.at(f"row {k}", k - 1), change, names) for k, entry in enumerate(raw, start=1)]
    if not isinstance(raw, Mapping):
        return raw
    noise = raw.get("kind") == "geometric-noise"
    changed: dict[str, Any] = {}
    for key, value in raw.items():
        at = location.at(str(key))
        if (key in SCALARS or (noise and key == "p")) and isinstance(value, str):
            changed[key] = change(value, at)
        elif key in TABLES and isinstance(value, Mapping):
            changed[key] = _law(value, at, change)
        elif key == "program" and isinstance(value, str):
            changed[key] = with_parameters(
                value, {name: change(name, at) for name in parameters_in(value, names)}, str(at)
            )
        elif key == "reports" and isinstance(value, Mapping):
            changed[key] = {of: _law(table, at.at(str(of)), change) for of, table in value.items()}
        elif key == "independent" and isinstance(value, list | tuple):
            changed[key] = [_law(table, at.at(f"record {k}", k), change) for k, table in enumerate(value)]
        elif key == "chain" and isinstance(value, Mapping):
            changed[key] = _chain(value, at, change)
        else:
            changed[key] = _walk(value, at, change, names)
    return changed


def _chain(raw: Mapping[str, Any], location: Location, change: Callable[[str, Location], object]) -> Any:
    """The laws of a chain: of its first record, and by the value of each record of the next one."""
    changed = dict(raw)
    if "start" in raw:
        changed["start"] = _law(raw["start"], location.at("start"), change)
    if isinstance(raw.get("step"), Mapping):
        at = location.at("step")
        changed["step"] = {value: _law(law, at.at(str(value)), change) for value, law in raw["step"].items()}
    return changed


def _law(raw: Any, location: Location, change: Callable[[str, Location], object]) -> Any:
    if not isinstance(raw, Mapping):
        return raw
    return {
        key: change(value, location.at(str(key))) if isinstance(value, str) else value for key, value in raw.items()
    }


def read_parameters(
    raw: object, conditions: object, location: Location
) -> tuple[tuple[Parameter, ...], tuple[Condition, ...]]:
    """Read `[parameters]` and `conditions`: the parameters with their ranges, and the side conditions.

    Raises:
        InputError: for an empty table, a name or range that is none, and a condition that is no inequality.

    """
    at = location.at("[parameters]", "parameters")
    table = Keys(raw, at, "a table of parameters").left
    if not table:
        raise InputError("there is no parameter", where=str(at), wanted='p = { from = "0", to = "1" }')
    for name in table:
        if not name.isidentifier():
            raise InputError(
                f"{shorten(name)} cannot name a parameter", where=str(at), wanted="a name such as p or p_1"
            )
    parameters = tuple(_parameter(name, range_table, at.at(name), tuple(table)) for name, range_table in table.items())
    side = tuple(
        _condition(
            string(inequality, location.at("conditions"), "an inequality"), location.at("conditions"), tuple(table)
        )
        for inequality in listed(conditions, location.at("conditions"), "a list of inequalities")
    )
    return parameters, side


def _parameter(name: str, raw: object, location: Location, names: tuple[str, ...]) -> Parameter:
    keys = Keys(raw, location, 'a range such as { from = "0", to = "1/10" }')
    ends: list[tuple[Expression | None, bool]] = []
    for closed, open_ in ENDS:
        if keys.has(closed) and keys.has(open_):
            raise InputError(
                f"`{closed}` and `{open_}` are given together", where=str(location), wanted="one of the two"
            )
        which = closed if keys.has(closed) else open_
        end = keys.take(which, None)
        if end is None:
            ends.append((None, False))
            continue
        text = end if isinstance(end, str) else str(rational(end, str(location.at(which))))
        read = read_expression(
            text, str(location.at(which)), [other_name for other_name in names if other_name != name]
        )
        ends.append((read, which == open_))
    keys.done()
    (low, low_open), (high, high_open) = ends
    if low and high and not (low.names | high.names):
        first, last = low.at({}), high.at({})
        if first > last or (first == last and (low_open or high_open)):
            raise InputError(f"the range from {low} to {high} is empty", where=str(location), wanted="from < to")
    return Parameter(name, low, high, low_open, high_open)


def _condition(text: str, location: Location, names: tuple[str, ...]) -> Condition:
    for order in ORDERS:
        left, sign, right = text.partition(order)
        if sign:
            ends = (read_expression(side, str(location), names) for side in (left, right))
            return Condition(next(ends), order, next(ends))
    raise InputError(
        f"{shorten(text)} is not an inequality", where=str(location), wanted='an inequality such as "p + q <= 1"'
    )
