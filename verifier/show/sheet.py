"""A table of exact results, shown alike in the terminal, in Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from verifier.errors import printable
from verifier.show.markup import table
from verifier.show.signs import SIGNS, in_text, signed

FORMATS = ("table", "markdown", "latex", "csv")
FORMULA = ("=", "+", "-", "@", "\t")
"""What a formula of a spreadsheet begins with."""
_NUMBER = re.compile(r"[-+]?(?:\d|[-+*/^(). ]|\b(?:e|ln|exp|sqrt|inf)\b|\d+e-?\d+)*")
"""A number in our exact forms; a spreadsheet that computes it does no harm."""
PROSE = 60
"""Cells that are longer are prose."""
SIGNED = frozenset(map(in_text, SIGNS))
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"$\mid$", "<": "$<$", ">": "$>$", "`": "",
    "ε": r"$\varepsilon$", "δ": r"$\delta$", "θ": r"$\theta$", "Θ": r"$\Theta$", "φ": r"$\phi$", "μ": r"$\mu$",
    "Σ": r"$\Sigma$", "ω": r"$\omega$", "⊥": r"$\bot$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$",
    "≈": r"$\approx$", "→": r"$\to$", "∈": r"$\in$", "·": r"$\cdot$", "×": r"$\times$", "…": r"\ldots{}", "–": "--",
    "₀": "$_0$", "₁": "$_1$", "₂": "$_2$", "ᵢ": "$_i$", "ⁿ": "$^n$", "⟹": r"$\Rightarrow$", "₋": "$_{-}$",
    "′": "$'$", "\x00": r"$\hat{B}$", "β": r"$\beta$", "λ": r"$\lambda$", "√": r"$\surd$", "⁻": "$^{-}$",
    "○": r"$\circ$",
    **{mark: f"$^{{{power}}}$" for power, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """Column heads and rows of texts; `latex` may hold the same rows typeset. Notes stand below.

    >>> print(Sheet("", ("ε", "δ"), (("ln(2)", "1/4"),)).markdown())
    | ε | δ |
    |---|---|
    | ln(2) | 1/4 |
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    latex: tuple[tuple[str, ...], ...] | None = None
    notes: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """What all rows share, by name: the first columns of a CSV, which has no title."""

    def __post_init__(self) -> None:
        """Escape what no medium should be sent: in a line of its own what ends a line, everywhere what hides others."""
        object.__setattr__(self, "title", printable(self.title))
        object.__setattr__(self, "columns", tuple(map(printable, self.columns)))
        object.__setattr__(self, "rows", tuple(tuple(map(_lines, row)) for row in self.rows))
        object.__setattr__(self, "keys", tuple((name, printable(value)) for name, value in self.keys))
        object.__setattr__(self, "notes", tuple(map(_lines, self.notes)))

    def render(self, kind: str) -> str:
        """The table as `markdown`, `latex` or `csv`."""
        return {"markdown": self.markdown, "latex": self.tex, "csv": self.csv}[kind]()

    def markdown(self) -> str:
        """A pipe table."""

        def line(cells: Sequence[str]) -> str:
            return (
                "| " + " | ".join(markdown_text(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
            )

        parts = [f"**{markdown_text(self.title)}**\n"] if self.title else []
        parts += [
            line(self.columns),
            "|" + "---|" * len(self.columns),
            *(line(signed(self.columns, row)) for row in self.rows),
        ]
        parts += [f"\n{markdown_text(note)}" for note in self.notes]
        return "\n".join(parts)

    def tex(self) -> str:
        """A tabular with rules from `booktabs`; columns of prose are set as paragraphs."""
        body = [[tex_text(cell) for cell in signed(self.columns, row)] for row in self.rows]
        if self.latex is not None:  # what is typeset already has plain words for verdicts
            body = [
                [tex_text(cell) if cell in SIGNED else cell for cell in signed(self.columns, row)] for row in self.latex
            ]
        prose = [max((len(row[k]) for row in self.rows), default=0) > PROSE for k in range(len(self.columns))]
        width = f"p{{{max(30, 75 // max(1, sum(prose)))}ex}}"
        layout = "".join(width if long and self.latex is None else "l" for long in prose)
        lines = [r"% needs \usepackage{booktabs}" + (f"; {self.title}" if self.title else "")]
        lines += [rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
        lines += [" & ".join(map(tex_text, self.columns)) + r" \\", r"\midrule"]
        lines += [" & ".join(row).replace("\n", " ") + r" \\" for row in body]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def csv(self) -> str:
        """Comma-separated values with a head line; what a spreadsheet would compute stands after an apostrophe."""
        return csv_tables([self])

    def html(self) -> str:
        """A table element in a box that scrolls."""
        return table(self.title, self.columns, self.rows, self.notes)

    def html_to_copy(self) -> str:
        """The table, and below it LaTeX where numbers are typeset; `copy.js` makes the other texts from the table."""
        if self.latex is None:
            return self.html()
        which = f"<span class='hidden'>: {escape(self.title, quote=False)}</span>" if self.title else ""
        text = escape(self.tex(), quote=False)
        summary = f"<summary>LaTeX{which}</summary>"
        return f"{self.html()}<details class='copy'>{summary}<pre tabindex='0'>{text}</pre></details>"


def csv_tables(sheets: Sequence[Sheet]) -> str:
    r"""Tables as CSV: those with the same columns are one table, with what tells them apart in its first columns.

    >>> csv_tables([Sheet("", ("ε",), (("0",),), keys=(("model", name),)) for name in ("a.toml", "b.toml")])
    'model,ε\na.toml,0\nb.toml,0'
    """
    tables: dict[tuple[str, ...], list[Sheet]] = {}
    for sheet in sheets:
        tables.setdefault(sheet.columns, []).append(sheet)
    texts = []
    for columns, alike in tables.items():
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
    """How a mark is set in LaTeX, for the page's own script."""
    return dict(_LATEX)


def markdown_text(text: str) -> str:
    """Plain text for Markdown: what a label says is never read as a tag.

    >>> markdown_text("<up>")
    '&lt;up>'
    """
    return text.replace("<", "&lt;")


def csv_text(text: str) -> str:
    """Plain text for a spreadsheet, which takes some beginnings for a formula; numbers stay as they are.

    >>> csv_text("-1/2*ln(3)"), csv_text("=A1"), csv_text("@SUM(A1)"), csv_text("-cmd")
    ('-1/2*ln(3)', "'=A1", "'@SUM(A1)", "'-cmd")
    """
    return f"'{text}" if text[:1] in FORMULA and not _NUMBER.fullmatch(text) else text


def _lines(text: str) -> str:
    return printable(text, lines=True)


def tex_text(text: str) -> str:
    r"""Plain text for LaTeX; a bracket at the start is no optional argument of the row before.

    >>> tex_text("δ_1 50%"), tex_text("[1,0]"), tex_text("ε = inf")
    ('$\\delta$\\_1 50\\%', '{[}1,0]', '$\\varepsilon$ = $\\infty$')
    """
    marked = re.sub(r"\binf\b", "∞", text.replace("B̂", "\x00"))
    typeset = "".join(_LATEX.get(mark, mark) for mark in marked)
    return "{[}" + typeset[1:] if typeset.startswith("[") else typeset
