"""Terms, definitions and headings of SMT-LIB 2 as text, and the ring of terms in which measures are written out.

A measure that is a term over a ring (`definitions.ring`) becomes text here, as it becomes a number elsewhere: none of
its sums is computed. What is 0 in any case, and a factor 1, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as pairs_of
from typing import Any, NamedTuple

from verifier.wings.judges.tables import title_of

ZERO, ONE, FALSE = "0.0", "1.0", "false"


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
    """The sum of terms, without zeros; of none it is 0."""
    return _joined("+", [term for term in terms if term != ZERO], ZERO)


def times(*factors: str) -> str:
    """The product of terms, without ones; of none it is 1.

    >>> times("p", "1.0", "q"), times("1.0", "2.0"), times("p", "0.0")
    ('(* p q)', '2.0', '0.0')
    """
    return ZERO if ZERO in factors else _joined("*", [factor for factor in factors if factor != ONE], ONE)


def over(above: str, below: str) -> str:
    """The quotient of terms; 0/0 counts as 0, and nothing else is divided by 0.

    >>> over("p", "q"), over("p", "1.0"), over("0.0", "0.0")
    ('(/ p q)', 'p', '0.0')
    """
    return ZERO if ZERO in {above, below} else above if below == ONE else f"(/ {above} {below})"


def every(terms: Iterable[str]) -> str:
    """The conjunction of terms; of none it is true."""
    return _joined("and", list(terms), "true")


def some(terms: Iterable[str]) -> str:
    """The disjunction of terms; of none it is false."""
    return _joined("or", list(terms), FALSE)


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
    term = ZERO
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


# --- measures as text -------------------------------------------------------------------------------------------------


class Terms(NamedTuple):
    """The largest of some terms, of which none is negative; most often it is one term."""

    listed: tuple[str, ...]

    @property
    def term(self) -> str:
        """The one term; a sum, a power or a difference of several is not written out."""
        (term,) = self.listed
        return term

    def __mul__(self, other: Any) -> Terms:
        """The product with such a number, or with an integer."""
        factors = other.listed if isinstance(other, Terms) else (real(Fraction(other)),)
        return Terms(tuple(times(x, y) for x, y in pairs_of(self.listed, factors)))

    def __pow__(self, power: int) -> Terms:
        """A power of one term."""
        return Terms((times(*[self.term] * power),))

    def __truediv__(self, other: Terms) -> Terms:
        """The quotient by one term."""
        return Terms(tuple(over(above, other.term) for above in self.listed))


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition, `false` where it certainly is not met; false < true."""

    text: str

    def __gt__(self, other: Condition) -> Condition:
        """Whether it is met, and the other one not."""
        if FALSE in {self.text, other.text}:
            return self
        return Condition(f"(and {self.text} (not {other.text}))")

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        """Whether one of two conditions is met alone."""
        texts = [each.text for each in (self, other) if isinstance(each, Condition) and each.text != FALSE]
        return Condition(f"(not (= {' '.join(texts)}))" if len(texts) == 2 else some(texts))


class Texts:
    """The weights of an exported file: names of probabilities, which the judge knows."""

    def possible(self, weight: Terms) -> Condition:
        """Whether the weight is positive."""
        return Condition(FALSE if weight.term == ZERO else f"(> {weight.term} {ZERO})")

    def some(self, conditions: Iterable[Condition]) -> Condition:
        """Whether one of the conditions is met."""
        return Condition(some(each.text for each in conditions if each.text != FALSE))

    def apart(self, p: Terms, q: Terms) -> Terms:
        """|P - Q|, by the function `apart` of the file."""
        possible = [weight.term for weight in (p, q) if weight.term != ZERO]
        return Terms((call("apart", *possible) if len(possible) == 2 else total(possible),))

    def total(self, weights: Iterable[Terms]) -> Terms:
        """The sum of weights."""
        return Terms((total(weight.term for weight in weights),))

    def ratio(self, above: Terms, below: Terms) -> Terms:
        """The quotient of two weights; 0/0 counts as 0."""
        return above / below

    def summed(self, ratios: Iterable[Terms]) -> Terms:
        """The sum of ratios."""
        return self.total(ratios)

    def largest(self, ratios: Iterable[Terms]) -> Terms:
        """The largest of some ratios: a bound on it is a bound on each."""
        return Terms(tuple(dict.fromkeys(term for ratio in ratios for term in ratio.listed if term != ZERO)))


TEXTS = Texts()
APART = define("apart", ["(P Real)", "(Q Real)"], "Real", "(ite (> P Q) (- P Q) (- Q P))")
"""The function |P - Q|, for files that name it."""
