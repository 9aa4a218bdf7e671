"""A table of exact results, which the terminal, Markdown, LaTeX, CSV and HTML print alike.

Its cells know their kinds (`verifier.show.cells`): no medium guesses them from a text, or from the head of a column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from verifier.errors import printable
from verifier.show.cells import Formula, Number, Word, in_text
from verifier.show.markup import table
from verifier.tables import collected

FORMATS = ("table", "markdown", "latex", "csv")
FORMULA = ("=", "+", "-", "@", "\t")
"""The first characters of a spreadsheet's formulas."""
_NUMBER = re.compile(r"[-+]?(?:\d|[-+*/^(). ]|\b(?:e|ln|exp|sqrt|inf)\b|\d+e-?\d+)*")
"""A number in our exact forms; a spreadsheet that computes it does no harm."""
PROSE = 60
"""A column with a longer text is set as a paragraph."""
ITEMS = ("item", "answer")
"""The column heads of an answer that is listed item by item."""
PACKAGES = {r"\text{": "amsmath", r"\mathbb": "amssymb"}
"""The LaTeX package that each mark in a formula needs."""
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"$\mid$", "<": "$<$", ">": "$>$", "`": "",
    "ε": r"$\varepsilon$", "δ": r"$\delta$", "θ": r"$\theta$", "Θ": r"$\Theta$", "φ": r"$\phi$", "μ": r"$\mu$",
    "ζ": r"$\zeta$",
    "Σ": r"$\Sigma$", "ω": r"$\omega$", "⊥": r"$\bot$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$",
    "≈": r"$\approx$", "→": r"$\to$", "∈": r"$\in$", "·": r"$\cdot$", "×": r"$\times$", "…": r"\ldots{}", "–": "--",
    "₀": "$_0$", "₁": "$_1$", "₂": "$_2$", "ᵢ": "$_i$", "ⁿ": "$^n$", "⟹": r"$\Rightarrow$", "₋": "$_{-}$",
    "′": "$'$", "\x00": r"$\hat{B}$", "β": r"$\beta$", "λ": r"$\lambda$", "√": r"$\surd$", "⁻": "$^{-}$",
    "○": r"$\circ$", "α": r"$\alpha$", "γ": r"$\gamma$", "κ": r"$\kappa$", "ξ": r"$\xi$", "π": r"$\pi$",
    "ρ": r"$\rho$", "τ": r"$\tau$", "Δ": r"$\Delta$", "Ψ": r"$\Psi$", "Ω": r"$\Omega$", "∉": r"$\notin$",
    "‖": r"$\parallel$", "⊗": r"$\otimes$", "χ": r"$\chi$", "±": r"$\pm$", "Γ": r"$\Gamma$", "−": "$-$",
    **{mark: f"$^{{{power}}}$" for power, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip

JOINED = (
    r"\$\\[A-Za-z]+\$(?:\$_\d\$|\\_[A-Za-z0-9](?![A-Za-z0-9]))?"
    r"(?: (?:=|\$[<>]\$|\$\\[gl]e\$) (?:\$\\infty\$|ln\(\d+(?:/\d+)?\)|-?\d+(?:[/.]\d+)?)(?![A-Za-z0-9/*^$(\\]|\.\d))?"
)
"""A symbol in LaTeX with its index, and with `= 0` or another number behind it: these are set as one formula."""


@dataclass(frozen=True)
class Sheet:
    """The title, column heads, rows of cells and notes of a table.

    >>> print(Sheet("", ("ε", "δ"), (("ln(2)", "1/4"),)).markdown())
    | ε | δ |
    |---|---|
    | ln(2) | 1/4 |
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """Names and values that all rows share: the first columns of a CSV, which has no title."""

    def __post_init__(self) -> None:
        """Escape control characters and characters that hide others; in titles and heads also line ends."""
        object.__setattr__(self, "title", printable(self.title))
        object.__setattr__(self, "columns", tuple(map(printable, self.columns)))
        object.__setattr__(self, "rows", tuple(tuple(map(_lines, row)) for row in self.rows))
        object.__setattr__(self, "keys", tuple((name, printable(value)) for name, value in self.keys))
        object.__setattr__(self, "notes", tuple(map(_lines, self.notes)))

    def render(self, kind: str) -> str:
        """Return the table as `markdown`, `latex` or `csv`."""
        return {"markdown": self.markdown, "latex": self.tex, "csv": self.csv}[kind]()

    def markdown(self) -> str:
        """Return the table as a pipe table of Markdown."""

        def line(cells: Sequence[str]) -> str:
            return (
                "| " + " | ".join(markdown_text(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
            )

        lines = [f"**{markdown_text(self.title)}**\n"] if self.title else []
        lines += [
            line(self.columns),
            "|" + "---|" * len(self.columns),
            *(line(list(map(text_of, row))) for row in self.rows),
        ]
        lines += [f"\n{markdown_text(note)}" for note in self.notes]
        return "\n".join(lines)

    def tex(self) -> str:
        """Return the table as a LaTeX tabular with rules from `booktabs`; columns of prose are set as paragraphs."""
        prose = [any(_is_prose(row[k]) for row in self.rows) for k in range(len(self.columns))]
        width = f"p{{{max(30, 75 // max(1, sum(prose)))}ex}}"
        layout = "".join(width if long else "l" for long in prose)
        formulas = "".join(cell.latex for row in self.rows for cell in row if isinstance(cell, Formula))
        packages = [name for mark, name in PACKAGES.items() if mark in formulas]
        needed = rf"% needs \usepackage{{{','.join([*packages, 'booktabs'])}}}"
        lines = [needed + (f"; {self.title}" if self.title else "")]
        lines += [rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
        lines += [" & ".join(map(tex_text, self.columns)) + r" \\", r"\midrule"]
        lines += [" & ".join(map(tex_cell, row)).replace("\n", " ") + r" \\" for row in self.rows]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def csv(self) -> str:
        """Return comma-separated values with a head line; a spreadsheet's formula gets an apostrophe."""
        return csv_tables([self])

    def html(self) -> str:
        """Return the table as HTML, in a box that scrolls."""
        return table(self.title, self.columns, self.rows, self.notes)

    def html_to_copy(self) -> str:
        """Return the table as HTML with the LaTeX of each number, from which `copy.js` makes Markdown and LaTeX."""
        if not any(isinstance(cell, Number) for row in self.rows for cell in row):
            return self.html()
        typeset = "\n".join(cell.latex if isinstance(cell, Number) else "" for row in self.rows for cell in row)
        return f"{self.html()}<template>{escape(typeset, quote=False)}</template>"


def csv_tables(sheets: Sequence[Sheet]) -> str:
    r"""Return tables as CSV; tables with equal columns become one table, whose first columns are their keys.

    >>> csv_tables([Sheet("", ("ε",), (("0",),), keys=(("model", name),)) for name in ("a.toml", "b.toml")])
    'model,ε\na.toml,0\nb.toml,0'
    """
    texts = []
    for columns, alike in collected((sheet.columns, sheet) for sheet in sheets).items():
        shared = list(dict.fromkeys(name for sheet in alike for name, _ in sheet.keys))
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(csv_text, [*shared, *columns]))
        for sheet in alike:
            keys = dict(sheet.keys)
            writer.writerows(map(csv_text, [*(keys.get(name, "") for name in shared), *row]) for row in sheet.rows)
        texts.append(text.getvalue().rstrip("\n"))
    return "\n\n".join(texts)


def latex_marks() -> dict[str, str]:
    """Return the LaTeX of each special character, for the script of a page."""
    return dict(_LATEX)


def markdown_text(text: str) -> str:
    """Return plain text for Markdown: no part of it is read as a tag, and a sign between numbers stays as it is.

    >>> markdown_text("<up>"), markdown_text("0 < p <= 1/2")
    ('&lt;up>', '0 < p <= 1/2')
    """
    return _TAG.sub("&lt;", text)


_TAG = re.compile(r"<(?=[A-Za-z/!?]|$)")
"""A sign that can begin a tag; at the end of a text a letter may follow."""


def csv_text(text: str) -> str:
    """Return plain text for a spreadsheet: a text that it would take for a formula gets an apostrophe; numbers do not.

    A number stands in its exact form, however long it is.

    >>> csv_text("-1/2*ln(3)"), csv_text("=A1"), csv_text("@SUM(A1)"), csv_text("-cmd")
    ('-1/2*ln(3)', "'=A1", "'@SUM(A1)", "'-cmd")
    """
    text = text.whole if isinstance(text, Number) else text
    return f"'{text}" if text[:1] in FORMULA and not _NUMBER.fullmatch(text) else text


def text_of(cell: str) -> str:
    """Return a cell as text without colours: a verdict that is no decision has its sign in front."""
    return in_text(cell) if isinstance(cell, Word) else cell


def tex_cell(cell: str) -> str:
    r"""Return a cell for LaTeX: a number in math mode, anything else as plain text.

    >>> from fractions import Fraction
    >>> from verifier.show.cells import exact
    >>> tex_cell(exact(Fraction(1, 4))), tex_cell("1/4"), tex_cell(Word("undecided"))
    ('$\\frac{1}{4}$', '1/4', '? undecided')
    """
    if isinstance(cell, Formula):
        return cell.latex
    return f"${cell.latex}$" if isinstance(cell, Number) else tex_text(text_of(cell))


def _is_prose(cell: str) -> bool:
    return len(cell) > PROSE and not isinstance(cell, Number)


def _lines(cell: str) -> str:
    """Return a cell with control characters escaped; numbers and verdicts have none."""
    return cell if isinstance(cell, Formula | Number | Word) else printable(cell, lines=True)


def _as_one(formula: re.Match[str]) -> str:
    r"""Return pieces of mathematics, such as `$\delta$ = 0`, as one formula."""
    inner = formula[0].replace("$", "").replace(r"\_", "_").replace("ln(", r"\ln(")
    return f"${inner}$"


def tex_text(text: str) -> str:
    r"""Return plain text for LaTeX; a bracket at its start is no argument of the row before.

    >>> tex_text("δ_1 50%"), tex_text("[1,0]"), tex_text("ε = inf")
    ('$\\delta_1$ 50\\%', '{[}1,0]', '$\\varepsilon = \\infty$')
    >>> tex_text("ε = ln(5/2), δ₀ ≥ 1/4"), tex_text("δ = 2x at ε_c")
    ('$\\varepsilon = \\ln(5/2)$, $\\delta_0 \\ge 1/4$', '$\\delta$ = 2x at $\\varepsilon_c$')
    """
    marked = re.sub(r"\binf\b", "∞", text.replace("B̂", "\x00"))
    typeset = re.sub(JOINED, _as_one, "".join(_LATEX.get(mark, mark) for mark in marked))
    return "{[}" + typeset[1:] if typeset.startswith("[") else typeset
