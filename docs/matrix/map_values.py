"""The values of maps of ε (`verifier.wings.implications.maps`) on a model, enclosed: what a proved chain allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, TypeAlias

from verifier.numbers import arb_of, ball_ends
from verifier.wings.implications.maps import SOME_MAP, Call, Sum, read

PRECISION = 128
"""Bits at which the value of a map is enclosed."""
Numbers: TypeAlias = Mapping[str, Any]
"""The parameters of a model that maps read: fractions, for `f` the name of the divergence, for `d` a list of distances.

One that the model does not have is None, or left out.
"""


class Unknown(Exception):  # noqa: N818
    """The value of a map is not known, since a parameter is missing."""


def _number(numbers: Numbers, name: str) -> Any:
    value = numbers.get(name)
    if value is None:
        raise Unknown(name)
    return value


def _ball(numbers: Numbers, name: str) -> Any:
    return arb_of(Fraction(_number(numbers, name)))


def _larger(first: Any, second: Any) -> Any:
    return (first + second + abs(first - second)) / 2


def _largest_f(x: Any, numbers: Numbers) -> Any:
    """max(f(e^x), f(e^-x)) of the divergence; where it has no f, the most that ratios within e^±x leave it."""
    name = str(_number(numbers, "f"))
    stem, _, power = name.rpartition("-")
    most = x.exp() - 1
    if name == "total-variation":
        return most / 2
    if name == "chi-squared":
        return most * most
    if stem == "abs":
        return most ** int(power)
    if name == "kl":
        return x * x.exp()
    if name == "ratio" or stem == "renyi":
        return x
    if name == "spread":
        return 2 * x
    if name == "semantic":
        return (x / 2).tanh()
    raise Unknown(name)


def _at_distances(x: Any, numbers: Numbers) -> Any:
    """The largest of `_largest_f` at d·x over d, for the positive finite distances d of the model."""
    distances = [arb_of(Fraction(d)) for d in _number(numbers, "d") if d]
    if not distances:
        return x * 0
    values = [_largest_f(d * x, numbers) / d for d in distances]
    worst = values[0]
    for value in values[1:]:
        worst = _larger(worst, value)
    return worst


def _gaussian(x: Any, numbers: Numbers) -> Any:
    """2·Φ⁻¹(e^x/(1 + e^x)), from Φ⁻¹(1 - t) = √2·erfc⁻¹(2·t) with t = 1/(1 + e^x)."""
    from flint import arb

    return 2 * arb(2).sqrt() * (2 / (1 + x.exp())).erfcinv() if x > 0 else x * 0


def _line(x: Any, numbers: Numbers) -> Any:
    return _larger(_ball(numbers, "mu") - _ball(numbers, "xi"), x * x / 2)


def _line_through_0(x: Any, numbers: Numbers) -> Any:
    return _larger(_ball(numbers, "mu"), x * x / 2)


def _orders(x: Any, numbers: Numbers) -> Any:
    return _ball(numbers, "mu") + (_ball(numbers, "order") - 1) * x * x / 2


def _moments(x: Any, numbers: Numbers) -> Any:
    order = _ball(numbers, "order")
    return (((order - 1) * x).exp() - 1) ** (1 / order) if x > 0 else x * 0


def _norm(x: Any, numbers: Numbers) -> Any:
    order = _ball(numbers, "order")
    return order * (1 + x).log() / (order - 1)


def _log_inverse_delta(numbers: Numbers) -> Any:
    return -_ball(numbers, "delta").log()


def _gaussian_error(x: Any, numbers: Numbers) -> Any:
    """2·Φ(x/2) - 1 = erf(x/√8)."""
    from flint import arb

    return (x / arb(8).sqrt()).erf()


def _omega_tail(x: Any, numbers: Numbers) -> Any:
    omega = _ball(numbers, "omega")
    return omega * x + _log_inverse_delta(numbers) / (omega - 1)


VALUES: dict[str, Callable[[Any, Numbers], Any]] = {
    "tanh": lambda x, _: (x / 2).tanh(),
    "power": lambda x, _: x.exp() - 1,
    "largest_f": _largest_f,
    "largest_f_at_distances": _at_distances,
    "gaussian": _gaussian,
    "line": _line,
    "line_through_0": _line_through_0,
    "orders": _orders,
    "half_square": lambda x, _: x * x / 2,
    "log_square": lambda x, _: (1 + x * x).log(),
    "moments": _moments,
    "norm": _norm,
    "pinsker": lambda x, _: (x / 2).sqrt(),
    "half": lambda x, _: x / 2,
    "gaussian_error": _gaussian_error,
    "order_tail": lambda x, n: x + _log_inverse_delta(n) / (_ball(n, "order") - 1),
    "omega_tail": _omega_tail,
    "line_tail": lambda x, n: x + 2 * (x * _log_inverse_delta(n)).sqrt(),
    "centred_tail": lambda x, n: x * (2 * _log_inverse_delta(n)).sqrt(),
}
"""The value of each named bound at a ball."""


def value_at_most(text: str, epsilon: Fraction, numbers: Numbers) -> Fraction | None:
    """A rational upper bound of a map at ε, close to its value; None of `some`, and where a parameter is missing."""
    if text == SOME_MAP:
        return None
    try:
        return _value(read(text), epsilon, numbers)
    except Unknown:
        return None


def _value(terms: Sum, epsilon: Fraction, numbers: Numbers) -> Fraction:
    total = Fraction(0)
    for term in terms:
        factor = prod((Fraction(_number(numbers, name)) for name in term.parameters), start=Fraction(term.number))
        if isinstance(term.last, Call):
            factor *= _bound(term.last, epsilon, numbers)
        elif term.last:
            factor *= epsilon
        total += factor
    return total


def _bound(call: Call, epsilon: Fraction, numbers: Numbers) -> Fraction:
    from flint import ctx

    inner = _value(call.of, epsilon, numbers)
    with ctx.workprec(PRECISION):
        return ball_ends(VALUES[call.name](arb_of(inner), numbers))[1]
