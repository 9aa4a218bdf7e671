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
