"""Tables in the terminal: rich tables, and answers item by item."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from verifier.errors import printable
from verifier.show.cells import Word
from verifier.show.sheet import ITEMS, Sheet, text_of
from verifier.show.signs import sign_of


class _Console(Console):
    """A console that raises the error of a closed pipe, which the command line handles."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise the error of a closed pipe."""
        raise BrokenPipeError


def _console() -> Console:
    import shutil

    return _Console(highlight=False, soft_wrap=False, width=max(60, shutil.get_terminal_size((120, 24)).columns))


def print_sheet(sheet: Sheet) -> None:
    """Print a table with its notes; an answer that is listed item by item is printed without rules."""
    if sheet.columns == ITEMS:
        _print_items(sheet)
        return
    table = Table(show_lines=False)
    for column in sheet.columns:
        table.add_column(escape(column), overflow="fold")
    for row in sheet.rows:
        table.add_row(*map(_text, row))
    console = _console()
    if sheet.title:  # above the table, and not its title, which would be broken where a narrow table ends
        console.print(Text(sheet.title, style="bold"))
    console.print(table)
    for note in sheet.notes:
        console.print(Text(note))


def _text(cell: str) -> Text:
    """Return a cell as styled text: a verdict has its sign and its colour."""
    sign = sign_of(cell) if isinstance(cell, Word) else None
    return Text(text_of(cell), style=sign.style if sign else "")


def _print_items(sheet: Sheet) -> None:
    """Print one answer, item by item."""
    console = _console()
    if sheet.title:
        console.print(Text(sheet.title, style="bold"))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, answer in sheet.rows:
        grid.add_row(name, _text(answer))
    console.print(grid)
    for note in sheet.notes:
        console.print(Text(note))


def print_line(line: str) -> None:
    """Print one paragraph."""
    _console().print(Text(printable(line, lines=True)))
