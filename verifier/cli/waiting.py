"""What is said before work that takes more than two seconds: its size, about how long, and a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from verifier.engine import Engine

PATIENCE = 2_000
"""Milliseconds that may pass without a word."""


@contextmanager
def progress(engine: Engine, questions: int) -> Iterator[Engine]:
    """The engine, watched where its sums will take a while; everything is written to standard error."""
    cost = engine.cost if engine.sums and not engine.balls else None
    if cost is None or cost.milliseconds * questions <= PATIENCE:
        yield engine
        return
    seconds = cost.milliseconds * questions // 1000
    sys.stderr.write(
        f"pkdp: {cost}; about {seconds:,} s, and as long again for the re-check where it is not too large\n"
    )
    if not sys.stderr.isatty():
        yield engine
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.completed} of {task.total} laws"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=questions * cost.targets * len(engine.model.thetas))
        yield replace(engine, tick=lambda: bar.advance(task))


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], object] | None]:
    """A function to call with what is done and the total, for a bar on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn(f"{{task.completed}} of {{task.total}} {what}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
