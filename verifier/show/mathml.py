"""Formulas as MathML: no script, no font and no picture is needed to read them.

`formula` sets LaTeX, and `mixed` sets words with formulas between dollar signs. Each `<math>` carries its plain text as
`alttext`.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.definitions import Definition


@lru_cache(maxsize=512)
def formula(latex: str, alt: str = "", *, display: bool = False) -> str:
    r"""Return a formula in LaTeX's math mode as MathML; `alt` is its plain text, by default that of `plain`.

    >>> formula(r"\frac{1}{2}", "1/2")
    "<math alttext='1/2'><mrow><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></mrow></math>"
    """
    from latex2mathml.converter import convert

    element: str = convert(latex)
    inside = element[element.index(">") + 1 : -len("</math>")]
    inside = inside.replace("<mo>max</mo>", "<mi>max</mi>").replace("&#x0005E;", "^")
    inside = re.sub(r"&#x0*([0-9A-F]+);", lambda m: html.escape(chr(int(m[1], 16)), quote=False), inside)
    shape = " display='block'" if display else ""
    return f"<math{shape} alttext='{html.escape(alt or plain(latex))}'>{inside}</math>"


def mixed(text: str) -> str:
    """Return words with formulas between dollar signs as HTML.

    >>> mixed("at most $1$ & more")
    "at most <math alttext='1'><mrow><mn>1</mn></mrow></math> &amp; more"
    """
    pieces = text.split("$")
    typeset = [formula(piece) if k % 2 else html.escape(piece, quote=False) for k, piece in enumerate(pieces)]
    return "".join(typeset)


def definition_formula(definition: Definition) -> str:
    """Return the formula of a definition as HTML; a user's own definition without LaTeX is shown as plain text."""
    return mixed(definition.latex) if definition.latex else html.escape(definition.formula, quote=False)


_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "theta": "θ", "kappa": "κ", "lambda": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "tau": "τ", "varphi": "φ", "omega": "ω", "Delta": "Δ",
    "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_PLAIN = (
    (r"\\hat\{?B\}?", "B̂"), (r"\\hat\{?O\}?", "Ô"), (r"\\approx_\{\\varepsilon,\s*\\delta\}", "≈(ε,δ)"),
    (r"\\mathbb\{E\}|\\operatorname\{E\}", "E"), (r"\\mathbb\{P\}", "P"),
    (r"\\(?:operatorname|mathrm|text|mathsf)\{([^{}]*)\}", r"\1"), (r"\\(max|min)\b", r"\1"),
    *((rf"\\{name}(?![a-z])", letter) for name, letter in _GREEK.items()), (r"\\approx_\{([^{}]*)\}", r"≈\1"),
    (r"\\cup", "∪"), (r"\\in\b", "∈"), (r"\\notin\b", "∉"), (r"\\le\b", "≤"), (r"\\ge\b", "≥"), (r"\\ne\b", "≠"),
    (r"\\cdot\b", "·"), (r"\\mid", "|"), (r"\\parallel", "‖"), (r"\\sim", "~"), (r"\\setminus", "without"),
    (r"\\([{}])", r"\1"), (r"\\(?:bigl|bigr|left|right)\b", ""), (r"\\[,;! ]", " "), ("([DE])'", r"\1′"),
    (r"\^n\b", "ⁿ"), ("_1", "₁"), ("_2", "₂"), (r"\^2", "²"), (r"\{=\}", "="), (r"_m\b", "_m"),
    (r"\^\{-ε\}", "^-ε"), (r"\^\{([^{}]*)\}", r"^(\1)"), (r"\^\*", "*"), (r"\s+", " "),
)  # fmt: skip


def plain(latex: str) -> str:
    r"""Return the plain text of a LaTeX formula of the package; a test compares it with each definition's `formula`.

    >>> plain(r"M(D_1) \approx_{\varepsilon,\delta} M(D_2)")
    'M(D₁) ≈(ε,δ) M(D₂)'
    """
    for pattern, replacement in _PLAIN:
        latex = re.sub(pattern, replacement, latex)
    return latex.strip()
