"""One member of a family of models: the values of its parameters on the page, and the values to step to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.errors import InputError, Where
from verifier.model.keys import Location
from verifier.model.parameters import UNNAMED, Condition, Family, Parameter, instantiated, read_parameters
from verifier.numbers import exact_text, rational
from verifier.wings.explore.problems import Document

STEPS = 20
"""Steps of a slider over a range with two ends; each is 1/20 of it."""
BEYOND = Fraction(10)
"""The length of a slider where the range is unbounded."""
PARTS = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 7), Fraction(6, 7), Fraction(0), Fraction(1))
"""The shares of its range at which a parameter may start; the first that all conditions allow is taken."""
MOST_STARTS = 1 << 12
MOST_DIGITS = 60
Values = Mapping[str, Fraction]


def member(tables: Document, values_given: Any, place: Location) -> tuple[Document, list[dict[str, Any]]]:
    """The tables of one member, and its parameters: name, range, value and the exact steps of a slider.

    >>> iid = {"a": "p", "b": "1 - p"}
    >>> family = {"parameters": {"p": {"from": "0", "to": "1"}}, "distribution": [{"iid": iid}]}
    >>> found, (p,) = member(family, {"p": "1/4"}, Location(""))
    >>> found["distribution"][0]["iid"], p["range"], p["steps"][:3]
    ({'a': '1/4', 'b': '3/4'}, '0 <= p <= 1', ['0', '1/20', '1/10'])

    Raises:
        InputError: for values outside their ranges.

    """
    tables_without_parameters = {key: value for key, value in tables.items() if key not in {"parameters", "conditions"}}
    parameters, side = read_parameters(tables["parameters"], tables.get("conditions", []), place)
    family = Family(parameters, side, tables_without_parameters, Location(UNNAMED), lambda _: None)  # type: ignore[arg-type, return-value]
    values = _values(family, values_given)
    return instantiated(tables_without_parameters, values, place, family.names), [
        _shown(parameter, values, family) for parameter in parameters
    ]


def _values(family: Family, values_given: Any) -> Values:
    """The given values of parameters, and for the other parameters values that the conditions allow."""
    if values_given is not None and not isinstance(values_given, Mapping):
        raise InputError("given no values", where=Where("set", ("set",)), wanted='a table such as { "p": "1/7" }')
    named_values = {
        str(name): rational(value, Where(f"the parameter {name}", ("set", name)))
        for name, value in (values_given or {}).items()
    }
    values = next(_starts(family, named_values), named_values)
    try:
        family.refuse(values)
    except InputError as error:
        broken = next((sorted(c.left.names) for c in family.conditions if not _met(c, values)), [])
        name = next(iter([*broken, *named_values, *family.names]))
        raise InputError(error.message, where=Where("[parameters]", ("set", name)), wanted=error.wanted) from None
    return values


def _starts(family: Family, named_values: Values) -> Iterator[Values]:
    """The values of all parameters that meet all conditions and agree with the named ones."""
    free_parameters = [parameter for parameter in family.parameters if parameter.name not in named_values]
    for tries, shares in enumerate(product(PARTS, repeat=len(free_parameters))):
        if tries == MOST_STARTS:
            return
        values = dict(named_values)
        for parameter, share in zip(free_parameters, shares, strict=True):
            low, high = _ends(parameter, values)
            values[parameter.name] = low + share * (high - low)
        if all(_met(condition, values) for condition in family.conditions):
            yield values


def _ends(parameter: Parameter, values: Values) -> tuple[Fraction, Fraction]:
    """The ends of a parameter's range at values of the other parameters; an unbounded range is cut."""
    low, high = (
        None if end is None or end.names - values.keys() else end.at(values) for end in (parameter.low, parameter.high)
    )
    if low is None:
        low = Fraction(0) if high is None else high - BEYOND
    return low, low + BEYOND if high is None else high


def _met(condition: Condition, values: Values) -> bool:
    """Whether a condition is met; one that divides by 0 is not."""
    try:
        return condition.met(values)
    except InputError:
        return False


def _shown(parameter: Parameter, values: Values, family: Family) -> dict[str, Any]:
    """A parameter as the page shows it; a step is offered where all conditions allow it."""
    name, (low, high) = parameter.name, _ends(parameter, values)
    every = {values[name], *(low + Fraction(k, STEPS) * (high - low) for k in range(STEPS + 1))}
    steps = [at for at in sorted(every) if all(_met(c, {**values, name: at}) for c in family.conditions)]
    return {
        "name": name,
        "range": str(parameter),
        "value": exact_text(values[name], MOST_DIGITS),
        "steps": [exact_text(at, MOST_DIGITS) for at in steps],
    }
