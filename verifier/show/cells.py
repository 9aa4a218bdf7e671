r"""The cells of a table: texts, numbers and verdicts, each with its sign; every medium prints them from here.

A cell is its plain text. A `Number` also knows how LaTeX typesets it, and a `Word` is a verdict, which has a sign and a
colour. A plain `str` is a text, such as a label, a name or a sentence.

Nothing else says how a verdict looks: the scripts of the pages are filled in from here, and a test holds the style
sheets against it. `holds` and `fails` are decisions; the other three are none, so that where there are no colours they
carry their sign before the word.

>>> exact(Fraction(1, 4)), exact(Fraction(1, 4)).latex, decimal(Fraction(1, 3), 3)
('1/4', '\\frac{1}{4}', '0.333')
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Protocol, Self

from verifier.numbers import DIGITS, NO_VALUE, Value, decimal_form, exact_form, exact_text, latex_of, with_decimal
from verifier.tables import Law

MOST_EXACT, MOST_AMOUNT = 200, 60
"""Digits of an exact number that stands alone, and of one beside its decimal; a longer one says how many it has."""
MOST_OUTCOMES = 12
"""Outcomes of a law that are written into one cell."""
MOST_COMPACT = 32
"""Characters of an exact form that a narrow table shows."""
MOST_BESIDE = 14
"""Characters of an exact form that stands beside its decimal; a longer one has a line of its own."""
_FRACTION = re.compile(r"-?(\d+)(/\d+)?")


class Typeset(Value, Protocol):
    """A number that LaTeX can typeset: a δ, an ε, a privacy loss or an enclosure."""

    @property
    def latex(self) -> str:
        """The exact form in LaTeX's math mode."""
        ...


class Number(str):
    """A number as it is printed; `latex` is the same number, typeset in LaTeX's math mode.

    `value` is the number itself, or its whole text, if the printed text may be shorter.
    """

    __slots__ = ("latex", "value")
    latex: str
    value: Fraction | Value | str | None

    def __new__(cls, text: str, latex: str, value: Fraction | Value | str | None = None) -> Self:
        """Make a cell of a text and its LaTeX."""
        number = super().__new__(cls, text)
        number.latex = latex
        number.value = value
        return number

    @property
    def whole(self) -> str:
        """The exact form for programs, which is never shortened to fit a column."""
        value = str(self) if self.value is None else self.value
        return value if isinstance(value, str) else exact_form(value)

    @property
    def numerator_digits(self) -> int:
        """The number of characters before the bar of a fraction; 0 where this is no plain fraction."""
        fraction = _FRACTION.fullmatch(self)
        return len(self.partition("/")[0]) if fraction else 0


class Formula(str):
    """A formula in plain text; `latex` is the same as LaTeX text with math between dollar signs."""

    __slots__ = ("latex",)
    latex: str

    def __new__(cls, text: str, latex: str) -> Self:
        """Make a cell of a text and its LaTeX."""
        formula = super().__new__(cls, text)
        formula.latex = latex
        return formula


class Word(str):
    """A verdict: `holds`, `fails`, `vacuous`, …, or a word of the ledger such as `proved`."""

    __slots__ = ()


def exact(value: Fraction | Typeset | None, max_digits: int = MOST_EXACT) -> str:
    """Return the exact form of a number as a cell; `–` for None."""
    if value is None:
        return NO_VALUE
    return Number(exact_form(value, max_digits), _latex(value), value)


def decimal(value: Fraction | Typeset | None, digits: int = DIGITS) -> str:
    """Return the decimal of a number, correctly rounded, as a cell; `–` for None."""
    if value is None:
        return NO_VALUE
    text = decimal_form(value, digits)
    return Number(text, tex_decimal(text))


def compact(value: Typeset | None, digits: int = DIGITS) -> str:
    """Return the exact form with its decimal as a cell; of a long exact form the decimal and its length."""
    if value is None:
        return NO_VALUE
    longer = "{decimal} (exact form: {length} characters)"
    shown = with_decimal(value, digits=digits, most=MOST_COMPACT, longer=longer)
    return Number(shown, value.latex, value)


def amount(value: Fraction | Typeset | None, max_digits: int = MOST_AMOUNT) -> str:
    """Return the decimal with the exact form as a cell; a long exact form stands on a line of its own.

    The decimal comes first, unlike elsewhere: the columns of the report are read down, number by number.

    >>> amount(Fraction(3, 4)), amount(Fraction(1, 3)), amount(Fraction(2))
    ('0.75 = 3/4', '0.333333333333 ≈ 1/3', '2')
    """
    if value is None:
        return NO_VALUE
    text, rounded = exact_form(value, max_digits), decimal_form(value, DIGITS)
    if "…" in text:
        digits = re.findall(r"\((\d+) digits\)", text)
        return Number(f"{rounded} (exact: {sum(map(int, digits))} digits)", _latex(value))
    if text in {rounded, "inf", "-inf"}:
        return Number(text.replace("inf", "∞"), _latex(value))
    between = " " if len(text) <= MOST_BESIDE else "\n"
    return Number(f"{rounded}{between}{'=' if _is_same(text, rounded) else '≈'} {text}", _latex(value))


def ranges(numbers: Iterable[int]) -> str:
    """Return indices as ranges.

    >>> ranges([0, 1, 2, 5, 7, 8])
    '0–2, 5, 7–8'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)


def law_text(law: Law, most: int = MOST_OUTCOMES) -> str:
    """Return a law as text: its outcome where it is constant, else each outcome with its exact probability.

    >>> from verifier.tables import label
    >>> law_text(Law.of({label("odd"): "1/3", label("even"): "2/3"})), law_text(Law.point(label(3)))
    ('even: 2/3, odd: 1/3', '3')
    """
    if len(law.outcomes) == 1:
        return law.outcomes[0].text
    texts = [f"{outcome.text}: {exact_text(Fraction(weight, law.denominator), 40)}" for outcome, weight in law.items()]
    more = f", … ({len(texts)} outcomes)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def tex_decimal(text: str) -> str:
    r"""Return a decimal for LaTeX's math mode: `1e-6` becomes `1\cdot 10^{-6}`."""
    if text in {"inf", "-inf"}:
        return text.replace("inf", r"\infty")
    mantissa, e, exponent = text.partition("e")
    return rf"{mantissa}\cdot 10^{{{exponent}}}" if e else text


def _latex(value: Fraction | Typeset) -> str:
    return latex_of(value) if isinstance(value, Fraction) else value.latex


def _is_same(text: str, rounded: str) -> bool:
    """Whether a decimal is the number itself, not rounded."""
    try:
        return Fraction(text) == Fraction(rounded)
    except ValueError:
        return False


@dataclass(frozen=True)
class Sign:
    """The sign of a verdict, its colour by name in style sheets and in the terminal, and what it means."""

    mark: str
    tone: str
    style: str
    sentence: str


SIGNS = {
    "holds": Sign("✓", "good", "green", "the inequality holds for every comparison, boundaries included"),
    "fails": Sign("✗", "bad", "red", "one comparison breaks the inequality, and is named"),
    "vacuous": Sign("○", "void", "cyan", "nothing is compared: the mechanism was not tested"),
    "undecided": Sign("?", "odd", "magenta", "not decided within the limits: neither holds nor fails is said"),
    "unsupported": Sign(
        "–", "soft", "yellow", "no answer: the definition does not speak of the model, or it is too large"
    ),
}
"""The five verdicts, in the order in which they are explained."""


DECISIONS = frozenset({"holds", "fails"})


NOT_TESTED = f"{SIGNS['vacuous'].sentence[:1].upper()}{SIGNS['vacuous'].sentence[1:]}."
"""The sentence about a vacuous answer."""


def in_text(word: str) -> str:
    """Return a verdict as text without colours: a verdict that is no decision has its sign in front.

    >>> in_text("holds"), in_text("vacuous, restricted to record 3"), in_text("proved")
    ('holds', '○ vacuous, restricted to record 3', 'proved')
    """
    sign = sign_of(word)
    return word if sign is None or word.partition(",")[0] in DECISIONS else f"{sign.mark} {word}"


def sign_of(word: str) -> Sign | None:
    """Return the sign of a verdict, also of `holds, restricted to record 3`; None for a word that is no verdict."""
    return SIGNS.get(word.partition(",")[0])


def signs_json() -> str:
    """Return the signs as JSON, for the scripts of the pages."""
    return json.dumps({word: asdict(sign) for word, sign in SIGNS.items()}, ensure_ascii=False)
