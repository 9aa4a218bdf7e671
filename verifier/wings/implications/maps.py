"""Maps of ε: what a fact, or facts in a row, make of ε; their texts and their words.

A map is `some`, or a sum of terms. A term is a product of a number, of parameters of the model (`PARAMETERS`), and of
`e`, or of a named bound (`BOUNDS`) of a map, as its last factor: `2*n*e`, `xi+order*e`, `2*n*tanh(2*e)`. Every map
grows with ε.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import NamedTuple, TypeAlias

from verifier.errors import InputError

SAME_MAP, SOME_MAP = "e", "some"


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

BOUNDS: dict[str, str] = {
    "tanh": "tanh({}/2)",
    "power": "(e^{} - 1)",
    "largest_f": "max(f(e^{}), f(e^-{}))",
    "largest_f_at_distances": "max over d of max(f(e^(d·{})), f(e^-(d·{})))/d",
    "gaussian": "2·Φ⁻¹(e^{}/(1 + e^{}))",
    "line": "max(μ - ξ, {}²/2)",
    "line_through_0": "max(μ, {}²/2)",
    "orders": "(μ + (α - 1)·{}²/2)",
    "half_square": "{}²/2",
    "log_square": "ln(1 + {}²)",
    "moments": "(e^((α - 1)·{}) - 1)^(1/α)",
    "norm": "α·ln(1 + {})/(α - 1)",
    "pinsker": "√({}/2)",
    "half": "{}/2",
    "gaussian_error": "(2·Φ({}/2) - 1)",
    "order_tail": "{} + ln(1/δ)/(α - 1)",
    "omega_tail": "ω·{} + ln(1/δ)/(ω - 1)",
    "line_tail": "{} + 2·√({}·ln(1/δ))",
    "centred_tail": "{}·√(2·ln(1/δ))",
}
"""The named bounds, which grow with ε, each with its words: `{}` is what it is taken of, a letter or in brackets.

bounds.toml says which fact has which, proofs/implications/bounds.md proves them, and docs/matrix/map_values.py has
their values, which the builder of the matrix compares.
"""


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
            f"{whole} is not a map of ε", wanted="a sum of products, as verifier.wings.implications.maps says"
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
    words = BOUNDS[term.last.name].replace("{}", inner if len(inner) == 1 else f"({inner})")
    dot = "·" if before and not before.endswith("·") else ""
    return f"{before}{dot}{words}"
