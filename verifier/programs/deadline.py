"""A limit on one run of a user's Python function, so that a loop that never ends is refused with its line.

The limit is processor time of the process, not time on the clock: a function that waits for a debugger or for input is
not stopped. The system's timer of processor time asks each second, from the limit on, whether the run is still in the
user's code, and then stops it there. This needs such a timer (Linux, macOS) and the main thread. Elsewhere, as in
the explorer's page, and where the program that imports pkdp uses that timer itself, a run has no limit.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import get_ident, main_thread
from types import FrameType

from verifier.errors import InputError
from verifier.machine.alarms import ringing
from verifier.numbers import plural
from verifier.programs.exact import line_of

MOST_SECONDS = 60
"""Most seconds of processor time of one run."""
_HAS_TIMER = hasattr(signal, "setitimer")  # the interpreter of the page has the timers' names alone
_TIMER, _SIGNAL = getattr(signal, "ITIMER_VIRTUAL", None) if _HAS_TIMER else None, getattr(signal, "SIGVTALRM", None)
_PACKAGE = str(Path(__file__).parents[1])


class OverdueError(BaseException):
    """The run has taken too long; no `except Exception` of the user's code keeps it."""

    def __init__(self, where: str) -> None:
        """Keep the line that was running."""
        self.where = where
        super().__init__(where)


class _Clock:
    """The timer of this process, and the call in which a run was begun; None where none is running."""

    def __init__(self) -> None:
        self.caller: FrameType | None = None
        self.ended: Callable[[], None] = lambda: None

    def ring(self, _number: int, frame: FrameType | None) -> None:
        """Stop the run, where it is in the user's code."""
        running = _users_frame(frame, self.caller)
        if self.caller is not None and running is not None:
            raise OverdueError(line_of(running.f_code, running.f_lineno))


_CLOCK = _Clock()


def begin(caller: FrameType) -> bool:
    """Begin a run of the user's code inside a call; whether it has a limit of its own, which `end` takes away.

    A run inside another one has the limit of that one.
    """
    if _TIMER is None or _SIGNAL is None or _CLOCK.caller is not None or get_ident() != main_thread().ident:
        return False
    if signal.getsignal(_SIGNAL) != _CLOCK.ring:
        if signal.getsignal(_SIGNAL) != signal.SIG_DFL:
            return False  # somebody else waits for this signal
        with suppress(ValueError):  # an interpreter inside another one has no signals
            signal.signal(_SIGNAL, _CLOCK.ring)
        if signal.getsignal(_SIGNAL) != _CLOCK.ring:
            return False
    _CLOCK.caller, _CLOCK.ended = caller, ringing(OverdueError)
    signal.setitimer(_TIMER, MOST_SECONDS, 1)
    return True


def end() -> None:
    """End a run that has a limit; the handler stays, since a signal may be on its way."""
    if _TIMER is not None:
        signal.setitimer(_TIMER, 0)
    _CLOCK.caller = None
    _CLOCK.ended()


def overdue(late: OverdueError) -> InputError:
    """Return the refusal of a run that took too long."""
    return InputError(
        f"the function has computed for {plural(MOST_SECONDS, 'second')} in one run, and has not ended",
        where=late.where,
        wanted="a function that ends soon on every path",
        tip="look at the loop in this line; compute once, outside of the function, what takes so long",
    )


def _users_frame(frame: FrameType | None, caller: FrameType | None) -> FrameType | None:
    """The innermost call in the file of the user's function, of those inside the caller; None where there is none."""
    entered: list[FrameType] = []
    while frame is not None and frame is not caller:
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            entered.append(frame)
        elif entered:
            break
        frame = frame.f_back
    return next((one for one in entered if one.f_code.co_filename == entered[-1].f_code.co_filename), None)
