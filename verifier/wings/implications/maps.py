"""Maps of ε: what a fact, or facts in a row, make of ε; their texts, their words, and their values.

A map is `some`, or a sum of terms. A term is a product of a number, of parameters of the model (`PARAMETERS`), and of
`e`, or of a named bound (`BOUNDS`) of a map, as its last factor: `2*n*e`, `xi+order*e`, `2*n*tanh(2*e)`. Every map
grows with ε.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple, TypeAlias

from verifier.errors import InputError
from verifier.numbers import arb_of, ball_ends

SAME_MAP, SOME_MAP = "e", "some"
PRECISION = 128
"""Bits at which the value of a map is enclosed."""
Numbers: TypeAlias = Mapping[str, Any]
"""The parameters of a model that maps read: fractions, for `f` the name of the divergence, for `d` a list of distances.

One that the model does not have is None, or left out.
"""


class Unknown(Exception):  # noqa: N818
    """The value of a map is not known, since a parameter is missing."""


# --- parameters -------------------------------------------------------------------------------------------------------

PARAMETERS: dict[str, str] = {
    "n": "n",
    "group": "c",
    "order": "α",
    "omega": "ω",
    "xi": "ξ",
    "mu": "μ",
    "delta": "δ",
    "tailored": "max(1, max Ψ)·",
    "per_tailored": "1/min(1, min Ψ)·",
    "per_level": "1/min Ψ·",
    "per_ratio": "1/min(1, min r)·",
    "per_distance": "1/min d·",
    "theta": "max d·",
    "per_theta": "1/min d·",
}
"""The parameters of a model that are factors of terms, each with its words."""
_ORDER = {name: place for place, name in enumerate(PARAMETERS)}


# --- named bounds -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bound:
    """A function that grows with ε, with its words: `{}` is what it is taken of, a letter or in brackets."""

    words: str
    of: Callable[[Any, Numbers], Any]
    """The value at a ball."""


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


def _gaussian(x: Any, numbers: Numbers) -> Any:  # noqa: ARG001
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


def _gaussian_error(x: Any, numbers: Numbers) -> Any:  # noqa: ARG001
    """2·Φ(x/2) - 1 = erf(x/√8)."""
    from flint import arb

    return (x / arb(8).sqrt()).erf()


def _omega_tail(x: Any, numbers: Numbers) -> Any:
    omega = _ball(numbers, "omega")
    return omega * x + _log_inverse_delta(numbers) / (omega - 1)


BOUNDS: dict[str, Bound] = {
    "tanh": Bound("tanh({}/2)", lambda x, _: (x / 2).tanh()),
    "power": Bound("(e^{} - 1)", lambda x, _: x.exp() - 1),
    "largest_f": Bound("max(f(e^{}), f(e^-{}))", _largest_f),
    "largest_f_at_distances": Bound("max over d of max(f(e^(d·{})), f(e^-(d·{})))/d", _at_distances),
    "gaussian": Bound("2·Φ⁻¹(e^{}/(1 + e^{}))", _gaussian),
    "line": Bound("max(μ - ξ, {}²/2)", _line),
    "line_through_0": Bound("max(μ, {}²/2)", _line_through_0),
    "orders": Bound("(μ + (α - 1)·{}²/2)", _orders),
    "half_square": Bound("{}²/2", lambda x, _: x * x / 2),
    "log_square": Bound("ln(1 + {}²)", lambda x, _: (1 + x * x).log()),
    "moments": Bound("(e^((α - 1)·{}) - 1)^(1/α)", _moments),
    "norm": Bound("α·ln(1 + {})/(α - 1)", _norm),
    "pinsker": Bound("√({}/2)", lambda x, _: (x / 2).sqrt()),
    "half": Bound("{}/2", lambda x, _: x / 2),
    "gaussian_error": Bound("(2·Φ({}/2) - 1)", _gaussian_error),
    "order_tail": Bound("{} + ln(1/δ)/(α - 1)", lambda x, n: x + _log_inverse_delta(n) / (_ball(n, "order") - 1)),
    "omega_tail": Bound("ω·{} + ln(1/δ)/(ω - 1)", _omega_tail),
    "line_tail": Bound("{} + 2·√({}·ln(1/δ))", lambda x, n: x + 2 * (x * _log_inverse_delta(n)).sqrt()),
    "centred_tail": Bound("{}·√(2·ln(1/δ))", lambda x, n: x * (2 * _log_inverse_delta(n)).sqrt()),
}
"""The named bounds: bounds.toml says which fact has which, and proofs/implications/bounds.md proves them."""


# --- terms ------------------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """A named bound of a map."""

    name: str
    of: Sum


class Term(NamedTuple):
    """A product: a number, parameters in their order, and last `e`, a named bound, or nothing."""

    number: int
    parameters: tuple[str, ...]
    last: Call | str = ""


Sum: TypeAlias = tuple[Term, ...]


def read(text: str) -> Sum:
    """The terms of a map that is not `some`.

    >>> read("xi+2*n*tanh(2*e)")[1].last.of
    (Term(number=2, parameters=(), last='e'),)

    Raises:
        InputError: for a text that is no map.

    """
    return tuple(_term(part, text) for part in _split(text, "+"))


def _split(text: str, sign: str) -> list[str]:
    """The parts between signs that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == sign and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _term(text: str, whole: str) -> Term:
    *factors, end = _split(text, "*")
    name, bracket, inner = end.partition("(")
    if name in BOUNDS and bracket and inner.endswith(")"):
        return _product(factors, Call(name, read(inner[:-1])), whole)
    return _product(factors, end, whole) if end == SAME_MAP else _product([*factors, end], "", whole)


def _product(factors: list[str], last: Call | str, whole: str) -> Term:
    numbers = [int(factor) for factor in factors if factor.isdecimal()]
    parameters = [factor for factor in factors if not factor.isdecimal()]
    if not set(parameters) <= set(PARAMETERS):
        raise InputError(
            f"{whole} is no map of ε", wanted="a sum of products, as verifier.wings.implications.maps says"
        )
    return Term(prod(numbers), tuple(sorted(parameters, key=_ORDER.__getitem__)), last)


def written(terms: Sum) -> str:
    """The text of a map from its terms, equal ones added up."""
    numbers: Counter[tuple[tuple[str, ...], Call | str]] = Counter()
    for number, parameters, last in terms:
        numbers[parameters, last] += number
    return "+".join(
        "*".join([*([str(number)] if number != 1 or not (parameters or last) else []), *parameters, *_last(last)])
        for (parameters, last), number in numbers.items()
    )


def _last(last: Call | str) -> list[str]:
    if isinstance(last, Call):
        return [f"{last.name}({written(last.of)})"]
    return [last] if last else []


def composed(first: str, second: str) -> str:
    """The map of two facts in a row: `second` after `first`.

    >>> composed("n*e", "2*e"), composed("2*e", "2*e"), composed("some", "2*e"), composed("xi+order*e", "2*e")
    ('2*n*e', '4*e', 'some', '2*xi+2*order*e')
    >>> composed("2*e", "tanh(e)"), composed("tanh(e)", "2*e"), composed("some", "xi")
    ('tanh(2*e)', '2*tanh(e)', 'some')
    """
    if SOME_MAP in {first, second}:
        return SOME_MAP
    return written(_put(read(first), read(second)))


def _put(first: Sum, second: Sum) -> Sum:
    """The terms of `second`, with those of `first` in the place of ε."""
    terms: list[Term] = []
    for outer in second:
        if isinstance(outer.last, Call):
            terms.append(outer._replace(last=Call(outer.last.name, _put(first, outer.last.of))))
        elif outer.last:
            terms += [
                Term(
                    outer.number * inner.number,
                    tuple(sorted((*outer.parameters, *inner.parameters), key=_ORDER.__getitem__)),
                    inner.last,
                )
                for inner in first
            ]
        else:
            terms.append(outer)
    return tuple(terms)


def is_multiple(text: str) -> bool:
    """Whether a map is a number times ε, so that it may be used where ε is multiplied as well.

    >>> is_multiple("2*e"), is_multiple("xi+e"), is_multiple("tanh(e)"), is_multiple("some")
    (True, False, False, True)
    """
    return text == SOME_MAP or all(term.last == SAME_MAP for term in read(text))


def map_text(text: str) -> str:
    """A map of ε in words.

    >>> map_text("2*n*e"), map_text("some"), map_text("e"), map_text("xi+order*e")
    ('2nε', 'a finite ε′ that depends on the mechanism', 'the same ε', 'ξ + αε')
    >>> map_text("power(2*e)"), map_text("per_level*e"), map_text("0")
    ('(e^(2ε) - 1)', '1/min Ψ·ε', '0')
    """
    if text == SAME_MAP:
        return "the same ε"
    if text == SOME_MAP:
        return "a finite ε′ that depends on the mechanism"
    return words_of(text)


def words_of(text: str) -> str:
    """The formula of a map that is not `some`; ε of the map `e`."""
    return _words(read(text))


def _words(terms: Sum) -> str:
    return " + ".join(map(_term_words, terms))


def _term_words(term: Term) -> str:
    number = str(term.number) if term.number != 1 or not (term.parameters or term.last) else ""
    before = number + "".join(PARAMETERS[name] for name in term.parameters)
    if not isinstance(term.last, Call):
        return before + ("ε" if term.last else "")
    inner = _words(term.last.of)
    words = BOUNDS[term.last.name].words.replace("{}", inner if len(inner) == 1 else f"({inner})")
    dot = "·" if before and not before.endswith("·") else ""
    return f"{before}{dot}{words}"


# --- values -----------------------------------------------------------------------------------------------------------


def value_at_most(text: str, epsilon: Fraction, numbers: Numbers) -> Fraction | None:
    """A rational upper bound of a map at ε, close to its value; None of `some`, and where a parameter is missing.

    >>> value_at_most("xi+2*e", Fraction(3), {"xi": Fraction(1)}), value_at_most("mu", Fraction(3), {})
    (Fraction(7, 1), None)
    >>> 1 < value_at_most("log_square(e)", Fraction(2), {}) * 5 / 8 < Fraction(101, 100)
    True
    """
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
        return ball_ends(BOUNDS[call.name].of(arb_of(inner), numbers))[1]
