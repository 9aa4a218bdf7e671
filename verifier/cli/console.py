"""What the terminal shows: rich tables, and items one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verifier.errors import printable
from verifier.show.sheet import Sheet
from verifier.show.signs import SIGNS, in_text, signed

STYLES = {word: sign.style for word, sign in SIGNS.items()}


class _Console(Console):
    """A console that leaves what happens to a closed pipe to the command line."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise what was raised."""
        raise BrokenPipeError


def _console() -> Console:
    import shutil

    return _Console(highlight=False, soft_wrap=False, width=max(60, shutil.get_terminal_size((120, 24)).columns))


def print_sheet(sheet: Sheet) -> None:
    """Print a table with its notes."""
    table = Table(title=escape(sheet.title) or None, title_justify="left", title_style="bold", show_lines=False)
    for column in sheet.columns:
        table.add_column(escape(column), overflow="fold")
    for row in sheet.rows:
        texts = zip(signed(sheet.columns, row), row, strict=True)
        table.add_row(*(Text(text, style=STYLES.get(cell, "")) for text, cell in texts))
    console = _console()
    console.print(table)
    for note in sheet.notes:
        console.print(Text(note))


def print_items(title: str, items: Sequence[tuple[str, str]], conventions: Sequence[str]) -> None:
    """Print one answer, item by item, with the conventions that it rests on."""
    console = _console()
    console.print(Text(printable(title), style="bold"))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, answer in items:
        text = in_text(answer) if name == "verdict" else printable(answer, lines=True)
        grid.add_row(name, Text(text, style=STYLES.get(answer, "")))
    console.print(grid)
    console.print(Text("conventions", style="dim"))
    for line in conventions:
        console.print(Padding(Text(printable(line, lines=True)), (0, 0, 0, 2)))


def print_line(line: str) -> None:
    """Print one paragraph."""
    _console().print(Text(printable(line, lines=True)))
