"""What is said before work that takes more than two seconds: its size, about how long, and a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from verifier.engine import Engine

PATIENCE = 2_000
"""Milliseconds that may pass without a word."""


@contextmanager
def progress(engine: Engine, questions: int) -> Iterator[Engine]:
    """The engine, watched where it will take a while; everything is written to standard error."""
    milliseconds = engine.milliseconds * questions
    if milliseconds <= PATIENCE:
        yield engine
        return
    cost = engine.cost if engine.sums else engine.table_cost
    again = ", and as long again for the re-check where it is not too large" if engine.sums else ""
    sys.stderr.write(f"pkdp: {cost}; about {milliseconds // 1000:,} s{again}\n")
    if not sys.stderr.isatty() or not engine.sums:
        yield engine
        return
    with _bar("laws", questions * engine.cost.targets * len(engine.model.thetas)) as (bar, task):
        yield replace(engine, tick=lambda: bar.advance(task))


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], object] | None]:
    """A function to call with what is done and the total, for a bar on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar(what, None) as (bar, task):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    """A bar on the terminal of standard error, gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn(f"{{task.completed}} of {{task.total}} {what}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar, bar.add_task("", total=total)
