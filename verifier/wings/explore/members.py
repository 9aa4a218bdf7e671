"""One member of a family of models: the values of its parameters that the page looks at, and those it can step to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.errors import InputError, Where
from verifier.model.parameters import UNNAMED, Condition, Family, Parameter, instantiated, read_parameters
from verifier.model.place import Place
from verifier.numbers import exact_text, rational
from verifier.wings.explore.problems import Document

STEPS = 20
"""Steps of a slider over a range with two ends; each is 1/20 of it."""
BEYOND = Fraction(10)
"""How far a slider goes where the range has no end there."""
PARTS = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 7), Fraction(6, 7), Fraction(0), Fraction(1))
"""Where in its range a parameter starts; the first that all conditions allow."""
MOST_STARTS = 1 << 12
MOST_DIGITS = 60
Values = Mapping[str, Fraction]


def member(tables: Document, given: Any, place: Place) -> tuple[Document, list[dict[str, Any]]]:
    """The tables of one member, and its parameters: name, range, value and the exact steps of a slider.

    >>> iid = {"a": "p", "b": "1 - p"}
    >>> family = {"parameters": {"p": {"from": "0", "to": "1"}}, "distribution": [{"iid": iid}]}
    >>> found, (p,) = member(family, {"p": "1/4"}, Place(""))
    >>> found["distribution"][0]["iid"], p["range"], p["steps"][:3]
    ({'a': '1/4', 'b': '3/4'}, '0 <= p <= 1', ['0', '1/20', '1/10'])

    Raises:
        InputError: for values outside their ranges.

    """
    rest = {key: value for key, value in tables.items() if key not in {"parameters", "conditions"}}
    parameters, side = read_parameters(tables["parameters"], tables.get("conditions", []), place)
    family = Family(parameters, side, rest, Place(UNNAMED), lambda _: None)  # type: ignore[arg-type, return-value]
    values = _values(family, given)
    return instantiated(rest, values, place, family.names), [_shown(one, values, family) for one in parameters]


def _values(family: Family, given: Any) -> Values:
    """The values that are named, and for the others some that the conditions allow."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError("given no values", where=Where("set", ("set",)), wanted='a table such as { "p": "1/7" }')
    named = {
        str(name): rational(one, Where(f"the parameter {name}", ("set", name))) for name, one in (given or {}).items()
    }
    found = next(_starts(family, named), named)
    try:
        family.refuse(found)
    except InputError as error:
        broken = next((sorted(c.left.names) for c in family.conditions if not _met(c, found)), [])
        name = next(iter([*broken, *named, *family.names]))
        raise InputError(error.message, where=Where("[parameters]", ("set", name)), wanted=error.wanted) from None
    return found


def _starts(family: Family, named: Values) -> Iterator[Values]:
    """Values that meet all conditions, with those that are named."""
    left = [one for one in family.parameters if one.name not in named]
    for tries, parts in enumerate(product(PARTS, repeat=len(left))):
        if tries == MOST_STARTS:
            return
        values = dict(named)
        for one, part in zip(left, parts, strict=True):
            low, high = _ends(one, values)
            values[one.name] = low + part * (high - low)
        if all(_met(condition, values) for condition in family.conditions):
            yield values


def _ends(one: Parameter, values: Values) -> tuple[Fraction, Fraction]:
    """The ends of its range, where the others have these values; a range without an end is cut."""
    low, high = (None if end is None or end.names - values.keys() else end.at(values) for end in (one.low, one.high))
    if low is None:
        low = Fraction(0) if high is None else high - BEYOND
    return low, low + BEYOND if high is None else high


def _met(condition: Condition, values: Values) -> bool:
    """Whether a condition is met; one that divides by 0 is not."""
    try:
        return condition.met(values)
    except InputError:
        return False


def _shown(one: Parameter, values: Values, family: Family) -> dict[str, Any]:
    """A parameter as the page shows it; a step is offered where all conditions allow it."""
    name, (low, high) = one.name, _ends(one, values)
    every = {values[name], *(low + Fraction(k, STEPS) * (high - low) for k in range(STEPS + 1))}
    kept = [at for at in sorted(every) if all(_met(c, {**values, name: at}) for c in family.conditions)]
    return {
        "name": name,
        "range": str(one),
        "value": exact_text(values[name], MOST_DIGITS),
        "steps": [exact_text(at, MOST_DIGITS) for at in kept],
    }
