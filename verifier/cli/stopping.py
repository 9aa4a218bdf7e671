"""How a command ends that has no answer: one message on standard error, and a status that says whose fault it is."""

from __future__ import annotations

import os
import sys
import traceback
from typing import NoReturn

import typer

from verifier.errors import InputError, LimitError, MachineError, PkdpError
from verifier.replay import Rejected

INTERRUPTED = 130
FAILED = 4
TRACEBACK = "PKDP_TRACEBACK"
"""The environment variable that shows where an error of the program arose."""


def refuse_closed_output() -> None:
    """Refuse to work where nobody can be answered.

    Raises:
        MachineError: where standard output is closed.

    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # for as long as the process lives
    if sys.stdout is None:
        raise MachineError("it is closed", where="standard output", wanted="somewhere to answer")


def stop(error: BaseException) -> NoReturn:
    """Say why there is no answer, and end with the status of the error."""
    if isinstance(error, typer.Exit):
        _leave(error.exit_code)
    if isinstance(error, BrokenPipeError):
        _leave(FAILED)  # whoever was reading has gone, and knows
    told, status = _told(error)
    if os.environ.get(TRACEBACK) and status == FAILED:
        told += "\n" + "".join(traceback.format_exception(error)).rstrip()
    try:
        sys.stderr.write(f"pkdp: {told}\n")
    except OSError:
        _leave(status)
    _leave(status)


def _told(error: BaseException) -> tuple[str, int]:
    """What is said of an error, and the status that it ends with."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", INTERRUPTED
    if isinstance(error, Rejected):
        why = f"the independent replay rejected the answer, so it is not shown: {error}"
        return f"{why}. Tip: report it.", LimitError.exit_status
    told: PkdpError
    if isinstance(error, PkdpError):
        told = error
    elif isinstance(error, RecursionError):
        told = InputError("the input is nested too deeply", wanted="at most 100 levels")
    elif isinstance(error, MemoryError):
        told = MachineError("out of memory", tip="use a smaller model")
    elif isinstance(error, OSError):
        place, done = ("standard output", "") if error.filename is None else (str(error.filename), "read or ")
        told = MachineError(f"it cannot be {done}written ({error.strerror or error})", where=place)
    else:
        told = MachineError(
            f"an error of the program, {type(error).__name__}: {error}",
            tip=f"please report it, with the command and the file; {TRACEBACK}=1 shows where it arose",
        )
    return str(told), told.exit_status


def _leave(status: int) -> NoReturn:
    """End, where an output that cannot be written any more is no second error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)
