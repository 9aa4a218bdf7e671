"""Exact values and formulas as MathML: no script, no font and no picture is needed to read them.

`exact` sets the canonical texts of numbers (`3/64`, `1/2*ln(9/2)`, `3/8 - 1/5*exp(1/10)`, `inf`), `formula` sets LaTeX,
and `mixed` sets words with formulas between dollar signs. Each `<math>` carries its plain text as `alttext`.
"""

from __future__ import annotations

import html
import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from verifier.numbers import exact_text
from verifier.numbers.reader import Reader, tokens_of

if TYPE_CHECKING:
    from verifier.definitions import Definition


class Exact(Protocol):
    """A δ, an ε, a loss or an enclosure."""

    def text(self, max_digits: int = 200) -> str:
        """The exact form."""
        ...


_TOKEN = re.compile(
    r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?…?)|(root of|in\b|inf\b|ln|exp|sqrt|e\^ε|[xεδ∞])"
    r"|(\([\d,]+ digits\))|([-+*/^(),\[\]]))"
)
NUMBER, CUT = 1, 3
"""Groups of a token: a number, and how many digits there are where one is cut."""
_SPACE = "<mspace width='.17em'></mspace>"


def exact(text: str) -> str:
    """An exact value in its canonical form; what is none stays a text.

    >>> exact("3/64")
    "<math alttext='3/64'><mfrac><mn>3</mn><mn>64</mn></mfrac></math>"
    >>> exact("inf")
    "<math alttext='∞'><mi>∞</mi></math>"
    """
    shown = text.replace("inf", "∞")
    try:
        body = _Reader(text).whole()
    except ValueError:
        body = f"<mtext>{html.escape(shown, quote=False)}</mtext>"
    return f"<math alttext='{html.escape(shown)}'>{body}</math>"


def number(value: Fraction | Exact | None, max_digits: int = 60) -> str:
    """A number as MathML; `None` is a dash.

    >>> number(Fraction(-1, 2)) == exact("-1/2"), number(None)
    (True, '–')
    """
    if value is None:
        return "–"
    return exact(exact_text(value, max_digits) if isinstance(value, Fraction) else value.text(max_digits))


@lru_cache(maxsize=512)
def formula(latex: str, said: str = "", *, display: bool = False) -> str:
    r"""A formula in LaTeX (math mode); `said` is its plain text where the LaTeX is not one to be read.

    >>> formula(r"\frac{1}{2}", "1/2")
    "<math alttext='1/2'><mrow><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></mrow></math>"
    """
    from latex2mathml.converter import convert

    found: str = convert(latex)
    inside = found[found.index(">") + 1 : -len("</math>")]
    inside = inside.replace("<mo>max</mo>", "<mi>max</mi>").replace("&#x0005E;", "^")
    inside = re.sub(r"&#x0*([0-9A-F]+);", lambda m: html.escape(chr(int(m[1], 16)), quote=False), inside)
    shape = " display='block'" if display else ""
    return f"<math{shape} alttext='{html.escape(said or plain(latex))}'>{inside}</math>"


def mixed(text: str) -> str:
    """Words with formulas between dollar signs.

    >>> mixed("at most $1$ & more")
    "at most <math alttext='1'><mrow><mn>1</mn></mrow></math> &amp; more"
    """
    pieces = text.split("$")
    set_ = [formula(one) if k % 2 else html.escape(one, quote=False) for k, one in enumerate(pieces)]
    return "".join(set_)


def definition_formula(definition: Definition) -> str:
    """The formula of a definition; one of somebody's own may have none in LaTeX, and is shown as it was written."""
    return mixed(definition.latex) if definition.latex else html.escape(definition.formula, quote=False)


_PLAIN = (
    (r"\\hat\{?B\}?", "B̂"), (r"\\hat\{?O\}?", "Ô"), (r"\\approx_\{\\varepsilon,\s*\\delta\}", "≈(ε,δ)"),
    (r"\\approx_\{\\varepsilon\}", "≈ε"), (r"\\mathbb\{E\}|\\operatorname\{E\}", "E"), (r"\\mathbb\{P\}", "P"),
    (r"\\(?:operatorname|mathrm|text|mathsf)\{([^{}]*)\}", r"\1"), (r"\\max\b", "max"),
    (r"\\varepsilon", "ε"), (r"\\delta", "δ"), (r"\\theta", "θ"), (r"\\mu", "μ"), (r"\\nu", "ν"), (r"\\beta", "β"),
    (r"\\cup", "∪"), (r"\\in\b", "∈"), (r"\\le\b", "≤"), (r"\\mid", "|"), (r"\\sim", "~"), (r"\\setminus", "without"),
    (r"\\([{}])", r"\1"), (r"\\(?:bigl|bigr|left|right)\b", ""), (r"\\[,;! ]", " "), ("D'", "D′"), (r"\^n\b", "ⁿ"),
    ("_1", "₁"), ("_2", "₂"), (r"\{=\}", "="), (r"_m\b", "_m"), (r"\^\{([^{}]*)\}", r"^(\1)"), (r"\^\\?(β)", r"^\1"),
    (r"\s+", " "),
)  # fmt: skip


def plain(latex: str) -> str:
    r"""The plain text of one of our formulas; a test holds it against the `formula` of each definition.

    >>> plain(r"M(D_1) \approx_{\varepsilon,\delta} M(D_2)")
    'M(D₁) ≈(ε,δ) M(D₂)'
    """
    for pattern, said in _PLAIN:
        latex = re.sub(pattern, said, latex)
    return latex.strip()


class _Reader(Reader):
    """Reads the canonical texts of `verifier.numbers`; ValueError for anything else."""

    def __init__(self, text: str) -> None:
        super().__init__(tokens_of(_TOKEN, text, ValueError))

    def whole(self) -> str:
        body = self.value()
        if self.next():
            raise ValueError
        return body

    def number(self) -> str:
        """The next token, which is a number."""
        token = self.token
        if token.kind != NUMBER:
            raise ValueError(token.text)
        self.place += 1
        return token.text

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise ValueError(wanted)

    def value(self) -> str:
        """A number, an enclosure [l, u], or `root of … in [l, u]`."""
        if self.take("["):
            low = self.value()
            self.need(",")
            high = self.value()
            self.need("]")
            return f"<mrow><mo>[</mo>{low}<mo>,</mo>{high}<mo>]</mo></mrow>"
        if self.take("root of"):
            polynomial = self.sum()
            self.need("in")
            return f"<mrow><mtext>root of </mtext>{polynomial}<mtext> in </mtext>{self.value()}</mrow>"
        return self.sum()

    def sum(self) -> str:
        parts = ["<mo>−</mo>"] if self.take("-") else []
        parts.append(self.product())
        while sign := self.take("+", "-"):
            parts += [f"<mo>{'−' if sign == '-' else '+'}</mo>", self.product()]
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def product(self) -> str:
        parts = [self.atom()]
        while self.take("*"):
            parts += [_SPACE, self.atom()]
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def atom(self) -> str:
        if self.token.kind == NUMBER:
            return self.fraction(_digits(self.number()))
        text = self.next()
        self.place += 1
        if text in {"inf", "∞"}:
            return "<mi>∞</mi>"
        if text == "e^ε":
            return "<msup><mi>e</mi><mi>ε</mi></msup>"
        if text in {"x", "ε", "δ"}:
            return self.power(f"<mi>{text}</mi>")
        if text not in {"ln", "exp", "sqrt"}:
            raise ValueError(text)
        self.need("(")
        inside = self.value()
        self.need(")")
        if text == "sqrt":
            return f"<msqrt>{inside}</msqrt>"
        if text == "exp":
            return f"<msup><mi>e</mi>{inside}</msup>"
        simple = inside.startswith("<mn>") and inside.count("<mn>") == 1
        return f"<mrow><mi>ln</mi>{_SPACE}{inside}</mrow>" if simple else _called("ln", inside)

    def fraction(self, top: str) -> str:
        """`p` or `p/q`, and how many digits where it is cut."""
        body = top
        if self.take("/"):
            body = f"<mfrac>{top}{_digits(self.number())}</mfrac>"
        if self.token.kind == CUT:
            body = f"<mrow>{body}<mtext> {self.take(self.next())}</mtext></mrow>"
        return body

    def power(self, base: str) -> str:
        if not self.take("^"):
            return base
        return f"<msup>{base}<mn>{self.number()}</mn></msup>"


def _digits(text: str) -> str:
    """A numeral; `5.7e-561` is 5.7·10⁻⁵⁶¹."""
    mantissa, e, exponent = text.partition("e")
    if not e:
        return f"<mn>{text}</mn>"
    power = f"<mrow><mo>−</mo><mn>{exponent[1:]}</mn></mrow>" if exponent.startswith("-") else f"<mn>{exponent}</mn>"
    return f"<mrow><mn>{mantissa}</mn><mo>·</mo><msup><mn>10</mn>{power}</msup></mrow>"


def _called(name: str, inside: str) -> str:
    return f"<mrow><mi>{name}</mi><mo>(</mo>{inside}<mo>)</mo></mrow>"
