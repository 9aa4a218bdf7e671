"""What a long command says of itself, on standard error alone: counts as lines, or as a bar on a terminal.

Two seconds pass without a word. Then what is being done is said, with how much of it is done, again and again while it
lasts. The commands name their work by `counting`; one without pieces to count is said to be still working.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, RLock, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.progress import Progress

    from verifier.engine import Engine

PATIENCE = 2_000
"""Milliseconds that may pass without a word."""
PAUSE = 5_000
"""Milliseconds between two lines, at first; in long work a twentieth of the time that has passed."""
FRAME = 200
"""Milliseconds between two looks at a bar."""
SERVERS = frozenset({"explore", "course"})
"""Commands that wait for their user, and so are not waited for."""
Tick: TypeAlias = Callable[..., None]
"""Takes how much is done, how much there is (None where that is not known), and perhaps a word beside."""


@dataclass
class Work:
    """What is being done: `done` of `total` pieces, called `noun`, with a word beside."""

    noun: str
    total: int | None = None
    done: int = 0
    beside: str = ""

    def tick(self, done: int, total: int | None = None, beside: str = "") -> None:
        """Take what is done, of how much."""
        self.done, self.beside = done, beside
        self.total = self.total if total is None else total

    def __str__(self) -> str:
        of = "" if self.total is None else f" of {self.total:,}"
        return f"{self.done:,}{of} {self.noun}" + (f" ({self.beside})" if self.beside else "")


@dataclass
class Watch:
    """A thread that speaks of the work of one command while it lasts."""

    command: str = ""
    works: list[Work] = field(default_factory=list)
    started: int = field(default_factory=monotonic_ns)
    spoken: int | None = None
    _bar: Progress | None = None
    _over: Event = field(default_factory=Event)
    _lock: RLock = field(default_factory=RLock)
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread = Thread(target=self._watch, name="pkdp-waiting", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Say nothing any more."""
        self._over.set()
        self.quiet()

    def quiet(self) -> None:
        """Take the bar away, so that something else can be printed."""
        with self._lock:
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    @property
    def milliseconds(self) -> int:
        """How long the command has worked."""
        return (monotonic_ns() - self.started) // 10**6

    def _watch(self) -> None:
        while not self._over.wait(FRAME / 1000):
            try:
                with self._lock:
                    if not self._over.is_set() and self.milliseconds >= PATIENCE:
                        self._speak()
            except (OSError, ValueError):  # standard error is closed: there is nobody to speak to
                return

    def _speak(self) -> None:
        """Move the bar, or write a line where none was written for a while."""
        if self.works and sys.stderr.isatty():
            self._draw(self.works[-1])
            return
        pause = max(PAUSE, self.milliseconds // 20)
        if self.spoken is None or self.milliseconds - self.spoken >= pause:
            self.spoken = self.milliseconds
            what = str(self.works[-1]) if self.works else "still working"
            sys.stderr.write(f"pkdp{self.command and ' '}{self.command}: {what}, {self.spoken // 1000:,} s\n")
            sys.stderr.flush()

    def _draw(self, work: Work) -> None:
        if self._bar is None:
            self._bar = _bar()
            self._bar.add_task("", total=None)
            self._bar.start()
        (task,) = self._bar.task_ids
        self._bar.update(task, description=str(work), completed=work.done, total=work.total or None)


_watches: list[Watch] = []


@contextmanager
def watching(command: str = "") -> Iterator[Watch]:
    """Watch a command from here to its end; what it counts is told to the watch that is there."""
    watch = Watch(command)
    if command not in SERVERS:
        watch.start()
    _watches.append(watch)
    try:
        yield watch
    finally:
        _watches.remove(watch)
        watch.stop()


@contextmanager
def counting(noun: str, total: int | None = None) -> Iterator[Tick]:
    """A function to call with what is done and the total; nothing may be printed before the end of this."""
    if not _watches:
        with watching(), counting(noun, total) as tick:
            yield tick
        return
    watch, work = _watches[-1], Work(noun, total)
    watch.works.append(work)
    try:
        yield work.tick
    finally:
        watch.works.remove(work)
        watch.quiet()


@contextmanager
def progress(engine: Engine, questions: int) -> Iterator[tuple[Engine, Tick]]:
    """The engine, watched, with a function that counts the questions; work that will take long is announced."""
    milliseconds = engine.milliseconds * questions
    if milliseconds > PATIENCE:
        cost = engine.cost if engine.sums else engine.table_cost
        again = ", and as long again for the re-check where it is not too large" if engine.sums else ""
        sys.stderr.write(f"pkdp: {cost}; about {milliseconds // 1000:,} s{again}\n")
    with counting("questions", questions) as tick:
        state = [0, 0]

        def law() -> None:
            state[1] += 1
            tick(state[0], questions, f"{state[1]:,} laws asked for")

        def question(done: int, total: int) -> None:
            state[0] = done
            tick(done, total, f"{state[1]:,} laws asked for" if state[1] else "")

        yield replace(engine, tick=law), question


def _bar() -> Progress:
    """A bar on the terminal of standard error, gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)
