r"""A table of exact results and its cells, which the terminal, Markdown, LaTeX, CSV and HTML print alike.

A cell is its plain text. A `Number` also knows how LaTeX typesets it, and a `Word` is a verdict, which has a sign and a
colour. A plain `str` is a text, such as a label, a name or a sentence: no medium guesses what a cell is from its text,
or from the head of a column. In HTML, code in backticks and names that become links are marked up, a table scrolls, and
no number is split.

Nothing else says how a verdict looks: the scripts of the pages are filled in from here, and a test holds the style
sheets against it. `holds` and `fails` are decisions; the other three are none, so that where there are no colours they
carry their sign before the word.

>>> exact(Fraction(1, 4)), exact(Fraction(1, 4)).latex, decimal(Fraction(1, 3), 3)
('1/4', '\\frac{1}{4}', '0.333')
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from html import escape
from typing import Protocol, Self

from verifier.errors import printable
from verifier.numbers import DIGITS, NO_VALUE, Value, decimal_form, exact_form, exact_text, latex_of, with_decimal
from verifier.tables import Law, collected

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


def number_cell(value: Fraction | Typeset | None, digits: int = DIGITS) -> str:
    """Return a number as `compact` does, also where it is a plain fraction.

    >>> number_cell(Fraction(3, 100)), number_cell(None)
    ('3/100 (0.03)', '–')
    """
    if not isinstance(value, Fraction):
        return compact(value, digits)
    shown = with_decimal(value, digits=digits, most=MOST_COMPACT, longer="{decimal} (exact form: {length} characters)")
    return Number(shown, latex_of(value), value)


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
    texts = [f"{outcome.text}: {exact_text(chance, 40)}" for outcome, chance in law.chances()]
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


SHORT = 34
"""Characters of a cell that stays on one line."""
MOST_NUMBER = 110
"""Characters of a number with its exact form that is never broken."""
DIGIT, LETTER, GAP = 10, 8, 24
"""Widths of a digit, of another character and of the space between columns, in tenths of a digit."""
PHONE, DESKTOP = 410, 1190
"""Widths from which a table may not fit on a phone, and on a desktop, in tenths of a digit."""
MOST_SHIFT = 12
"""Fractions are moved by at most so many digits, to stand bar under bar."""


def inline(text: str) -> str:
    """Return escaped text in which `code` is marked up, and a number such as 1e-12 is not split.

    >>> inline("the key `sample` < 1")
    'the key <code>sample</code> &lt; 1'
    """
    body = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\b(\d[\d.]*e-\d+)", r"<span class='nb'>\1</span>", body)


def anchor(name: str) -> str:
    """Return a name that can be an id and the name of a file.

    >>> anchor("my model/α")
    'my-model-α'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """Return a table as HTML in a box that scrolls; the first cell of a row is its head."""
    heads = "".join(f"<th scope='col'{_head(cell)}>{inline(cell)}</th>" if cell else "<td></td>" for cell in columns)
    numerators = [_longest_numerator([row[k] for row in rows]) for k in range(len(columns))]
    body = "".join(
        "<tr>" + "".join(_cell(cell, numerators[k], first=k == 0) for k, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    caption = f"<caption><span>{inline(title)}</span></caption>" if title else ""
    below = f"<p class='note of'>{'<br>'.join(map(inline, notes))}</p>" if notes else ""
    box = f"<div class='scroll{_width(title or columns[0], columns, rows)}>"
    return f"{box}<table class='r'>{caption}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{below}"


def _width(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the end of the box's class; a box that may be wider than a screen can be scrolled by the keyboard."""
    cells = [[columns[k], *(row[k] for row in rows)] for k in range(len(columns))]
    wide = sum(GAP + max(_breadth(cell) for cell in column) for column in cells)
    if wide <= PHONE:
        return "'"
    label = f"' tabindex='0' role='group' aria-label='{html.escape(title, quote=True)}'"
    return (" very" if wide > DESKTOP else "") + " wide" + label


def _breadth(cell: str) -> int:
    """Return about how wide a cell is, in tenths of a digit; prose is broken, a number's second line is smaller."""
    if not isinstance(cell, Number):
        return LETTER * min(len(cell), SHORT)
    digits = [sum(DIGIT if mark.isdigit() else LETTER for mark in line) for line in cell.split("\n")]
    return max(digits[0], *(9 * width // 10 for width in digits[1:]), 0)


def _head(text: str) -> str:
    return "" if len(text) <= SHORT else " class='h'"


def _longest_numerator(cells: Sequence[str]) -> int:
    """Return the most digits before a bar in a column of fractions, so that bar stands under bar; else 0."""
    fractions = [cell for cell in cells if cell not in {"", NO_VALUE}]
    if not any("/" in cell for cell in fractions):
        return 0
    digits = [cell.numerator_digits if isinstance(cell, Number) else 0 for cell in fractions]
    return min(MOST_SHIFT, max(digits)) if all(digits) else 0


def _cell(cell: str, numerator: int, *, first: bool) -> str:
    """Return a cell as HTML; `numerator` is the number of digits of the longest numerator in its column."""
    kind = _class(cell)
    shift = numerator - cell.numerator_digits if isinstance(cell, Number) else 0
    if numerator and shift > 0:
        kind = f"{kind} m{shift}".strip()
    names = f" class='{kind}'" if kind else ""
    first_line, more, second_line = inline(cell).partition("\n")
    body = f"{first_line}<br><small>{second_line}</small>" if more else first_line
    return f"<th scope='row'{names}>{body}</th>" if first else f"<td{names}>{body}</td>"


def _class(cell: str) -> str:
    """Return the class of a cell: a verdict by its word, a long number, a long text; empty for a short text."""
    if isinstance(cell, Word):
        return str(cell) if cell in SIGNS else ""
    if isinstance(cell, Number):
        return "" if len(cell) <= MOST_NUMBER else "n t"
    return "" if len(cell) <= SHORT else "t"


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
    >>> from verifier.show.sheet import exact
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
