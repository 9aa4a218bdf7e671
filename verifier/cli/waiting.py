"""How a long command reports its progress, on standard error alone: counts as lines, or as a bar on a terminal.

Nothing is written in the first two seconds. Then the current work and its progress are written again and again, until
it ends. Commands name their work by `counting`; a command without countable pieces is `still working`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from threading import Event, RLock, Thread
from time import monotonic_ns
from typing import TYPE_CHECKING, TypeAlias

from verifier.errors import LimitError, printable

if TYPE_CHECKING:
    from rich.progress import Progress

    from verifier.engine import Engine

PATIENCE = 2_000
"""Milliseconds before the first report."""
PAUSE = 5_000
"""Milliseconds between two lines, at first; in long work a twentieth of the time that has passed."""
FRAME = 200
"""Milliseconds between two updates of a bar."""
Tick: TypeAlias = Callable[..., None]
"""A function of the number of pieces done, their total (None where it is not known), and perhaps a word beside."""


@dataclass
class Work:
    """A piece of work in progress: `done` of `total` pieces, called `noun`, with a word beside."""

    noun: str
    total: int | None = None
    done: int = 0
    beside: str = ""

    def tick(self, done: int, total: int | None = None, beside: str = "") -> None:
        """Set how many pieces are done, of how many, and a word beside."""
        self.done, self.beside = done, beside
        self.total = self.total if total is None else total

    def __str__(self) -> str:
        of_total = "" if self.total is None else f" of {self.total:,}"
        return f"{self.done:,}{of_total} {self.noun}" + (f" ({self.beside})" if self.beside else "")


@dataclass
class Watch:
    """A thread that reports the progress of one command while it runs."""

    command: str = ""
    works: list[Work] = field(default_factory=list)
    started: int = field(default_factory=monotonic_ns)
    spoken: int | None = None
    silent: bool = False
    """Whether standard error hears of nothing but errors (`--quiet`)."""
    contexts: ExitStack = field(default_factory=ExitStack)
    """Contexts that are left when the command ends."""
    _bar: Progress | None = None
    _over: Event = field(default_factory=Event)
    _lock: RLock = field(default_factory=RLock)
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread = Thread(target=self._watch, name="pkdp-waiting", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop reporting, and remove the bar."""
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
        """The milliseconds since the command started."""
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
        if self.silent:
            return
        if self.works and sys.stderr.isatty():
            self._draw(self.works[-1])
            return
        pause = max(PAUSE, self.milliseconds // 20)
        if self.spoken is None or self.milliseconds - self.spoken >= pause:
            self.spoken = self.milliseconds
            status = str(self.works[-1]) if self.works else "still working"
            sys.stderr.write(f"pkdp{self.command and ' '}{self.command}: {status}, {self.spoken // 1000:,} s\n")
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
def watching(command: str = "", *, silent: bool = False, reports: bool = True) -> Iterator[Watch]:
    """Watch a command while the context is entered; `counting` reports to the innermost watch.

    Nothing `reports` on a command that waits for its user.
    """
    watch = Watch(command, silent=silent)
    if reports:
        watch.start()
    _watches.append(watch)
    try:
        yield watch
    finally:
        _watches.remove(watch)
        watch.stop()
        watch.contexts.close()


def be_silent(*, silent: bool) -> None:
    """Choose whether standard error gets errors alone, and neither progress nor notices."""
    for watch in _watches:
        watch.silent = silent


def is_silent() -> bool:
    """Whether the command was given `--quiet`."""
    return any(watch.silent for watch in _watches)


def notice(line: str) -> None:
    """Write a line that is no error to standard error, unless the command is silent."""
    if not is_silent():
        sys.stderr.write(f"pkdp: {printable(line)}\n")
        sys.stderr.flush()


def until_the_end(resource: AbstractContextManager[object]) -> None:
    """Enter a context that is left when the command ends; outside of a command it stays entered."""
    (_watches[-1].contexts if _watches else _outside).enter_context(resource)


_outside = ExitStack()


@contextmanager
def counting(noun: str, total: int | None = None) -> Iterator[Tick]:
    """Yield a function that takes the count of pieces done and their total; the caller prints nothing meanwhile."""
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
    """Yield the engine, which counts its laws, and a function that counts the questions; announce long work."""
    milliseconds = engine.milliseconds * questions
    cost = (engine.cost if engine.sums else engine.table_cost) if milliseconds > PATIENCE else None
    if cost is not None and cost.fits(engine.max_rows) and _admitted(engine):
        again = ", and as long again for the re-check where it is not too large" if engine.sums else ""
        notice(f"{cost}; about {milliseconds // 1000:,} s{again}")
    with counting("questions", questions) as tick:
        state = [0, 0]

        def count_law() -> None:
            state[1] += 1
            tick(state[0], questions, f"{state[1]:,} distributions computed")

        def count_question(done: int, total: int) -> None:
            state[0] = done
            tick(done, total, f"{state[1]:,} distributions computed" if state[1] else "")

        yield replace(engine, tick=count_law), count_question


def _admitted(engine: Engine) -> bool:
    """Whether the engine begins the work: no time is announced for what is refused."""
    try:
        engine.admit()
    except LimitError:
        return False
    return True


def _bar() -> Progress:
    """A bar on the terminal of standard error, gone when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)
