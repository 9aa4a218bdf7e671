"""Terms, definitions and headings of SMT-LIB 2 as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.wings.judges.tables import title_of


def real(value: Fraction) -> str:
    """A rational as an SMT-LIB real.

    >>> real(Fraction(3, 4)), real(Fraction(-2))
    ('(/ 3.0 4.0)', '(- 2.0)')
    """
    top = f"{abs(value.numerator)}.0"
    size = top if value.denominator == 1 else f"(/ {top} {value.denominator}.0)"
    return size if value >= 0 else f"(- {size})"


def call(name: str, *arguments: object) -> str:
    """The term of a function applied to arguments, or of a constant.

    >>> call("M", 0, 1), call("p")
    ('(M 0 1)', 'p')
    """
    return f"({' '.join([name, *map(str, arguments)])})" if arguments else name


def total(terms: Iterable[str]) -> str:
    """The sum of terms; of none it is 0."""
    return _joined("+", list(terms), "0.0")


def every(terms: Iterable[str]) -> str:
    """The conjunction of terms; of none it is true."""
    return _joined("and", list(terms), "true")


def some(terms: Iterable[str]) -> str:
    """The disjunction of terms; of none it is false."""
    return _joined("or", list(terms), "false")


def _joined(word: str, terms: Sequence[str], nothing: str) -> str:
    if len(terms) < 2:
        return terms[0] if terms else nothing
    return f"({word} {' '.join(terms)})"


def define(name: str, parameters: Sequence[str], sort: str, body: str) -> str:
    """The definition of a function or constant; a parameter is written as `(k Int)`.

    >>> define("p", [], "Real", "1.0")
    '(define-fun p () Real 1.0)'
    """
    return f"(define-fun {name} ({' '.join(parameters)}) {sort} {body})"


def condition(name: str, terms: Iterable[str]) -> str:
    """The definition of a truth without parameters: the conjunction of terms."""
    return define(name, [], "Bool", every(terms))


def looked_up(name: str, values: dict[int, str]) -> str:
    """The term of the value whose number the parameter `name` has; 0 for another number.

    >>> looked_up("o", {0: "p", 1: "q"})
    '(ite (= o 0) p (ite (= o 1) q 0.0))'
    """
    term = "0.0"
    for number, value in reversed(values.items()):
        term = f"(ite (= {name} {number}) {value} {term})"
    return term


def integers(*names: str) -> list[str]:
    """The parameters with these names, integers that number labels."""
    return [f"({name} Int)" for name in names]


def heading(text: str) -> list[str]:
    """The lines of a heading in the file."""
    return ["", f"; --- {text}"]


class Mode(NamedTuple):
    """The mode in which two laws are compared: with a finite factor E, or at ε = inf with any factor."""

    suffix: str
    parameters: list[str]
    arguments: tuple[str, ...]


FINITE = Mode("", ["(E Real)"], ("E",))
INFINITE = Mode("-inf", [], ())


def distance(mode: Mode, first: Iterable[str], second: Iterable[str]) -> str:
    """The term of what all outputs together add to δ, from the probabilities of each under two laws."""
    return total(call(f"excess{mode.suffix}", *mode.arguments, p, q) for p, q in zip(first, second, strict=True))


def excess(*, tail: bool) -> list[str]:
    """The lines that define what an output adds to δ: the positive part of P - E·Q, or for tails P where P > E·Q."""
    return [
        *heading("What one output adds to delta. P(S) <= E*Q(S) + d for all events S says that the sum is at most d:"),
        "; the worst event is the set of outputs with P > E*Q. At epsilon = inf only what Q cannot produce counts.",
        define(
            "excess",
            ["(E Real)", "(P Real)", "(Q Real)"],
            "Real",
            f"(ite (> P (* E Q)) {'P' if tail else '(- P (* E Q))'} 0.0)",
        ),
        define("excess-inf", ["(P Real)", "(Q Real)"], "Real", "(ite (= Q 0.0) P 0.0)"),
    ]


def smt_file(certificate: Mapping[str, Any], title: object, logic: str, lines: Iterable[str]) -> str:
    """The text of a file about a certificate, from its title, its logic and the lines after its preamble."""
    preamble = [
        f"; {title_of(certificate, title)}",
        "; Each claim is confirmed by the status before its (check-sat). How to read this file: pkdp guide judges.",
        f"(set-logic {logic})",
    ]
    return "\n".join([*preamble, *lines, ""])
