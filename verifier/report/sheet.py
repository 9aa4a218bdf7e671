"""A table of exact results, shown alike in the terminal, in Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass

FORMATS = ("table", "markdown", "latex", "csv")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "ε": r"$\varepsilon$", "δ": r"$\delta$",
    "θ": r"$\theta$", "φ": r"$\phi$", "⊥": r"$\bot$", "∞": r"$\infty$", "≤": r"$\le$", "≥": r"$\ge$",
    "≠": r"$\ne$", "→": r"$\to$", "∈": r"$\in$", "·": r"$\cdot$", "B̂": r"$\hat{B}$", "<": "$<$", ">": "$>$",
    "₀": r"$_0$", "₁": r"$_1$", "ⁿ": r"$^n$", "𝒪": r"$\mathcal{O}$",
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

    def render(self, kind: str) -> str:
        """The table as `markdown`, `latex` or `csv`."""
        return {"markdown": self.markdown, "latex": self.tex, "csv": self.csv}[kind]()

    def markdown(self) -> str:
        """A pipe table."""

        def line(cells: Sequence[str]) -> str:
            return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

        parts = [f"**{self.title}**\n"] if self.title else []
        parts += [line(self.columns), "|" + "---|" * len(self.columns), *(line(row) for row in self.rows)]
        parts += [f"\n{note}" for note in self.notes]
        return "\n".join(parts)

    def tex(self) -> str:
        """A tabular with rules from `booktabs`."""
        body = self.latex if self.latex is not None else tuple(tuple(map(tex_text, row)) for row in self.rows)
        lines = [f"% {self.title}"] if self.title else []
        lines += [rf"\begin{{tabular}}{{{'l' * len(self.columns)}}}", r"\toprule"]
        lines += [" & ".join(map(tex_text, self.columns)) + r" \\", r"\midrule"]
        lines += [" & ".join(row) + r" \\" for row in body]
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])

    def csv(self) -> str:
        """Comma-separated values with a head line."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue().rstrip("\n")

    def html(self) -> str:
        """A table element; numbers keep their column aligned."""
        head = "".join(f"<th scope='col'>{html.escape(cell)}</th>" for cell in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td{_class(cell)}>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        notes = "".join(f"<p class='note'>{html.escape(note)}</p>" for note in self.notes)
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div class='scroll'>{table}</div>{notes}"


def _class(cell: str) -> str:
    if cell in {"holds", "fails", "vacuous", "undecided", "unsupported"}:
        return f" class='{cell}'"
    number = cell[:1].isdigit() or cell[:3] in {"ln(", "inf", "-in"}
    names = [name for name, true in (("n", number), ("short", len(cell) <= 36)) if true]
    return f" class='{' '.join(names)}'" if names else ""


def tex_text(text: str) -> str:
    r"""Plain text for LaTeX.

    >>> tex_text("δ_1 50%")
    '$\\delta$\\_1 50\\%'
    """
    text = text.replace("B̂", "\x00")
    return "".join(_LATEX["B̂"] if mark == "\x00" else _LATEX.get(mark, mark) for mark in text)
