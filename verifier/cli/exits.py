"""How a command without an answer ends: one message on standard error, and an exit status that names the cause."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Iterable
from typing import NoReturn

import typer

from verifier.checker.numbers import Rejected
from verifier.errors import InCommand, InputError, MachineError, PkdpError, with_commands
from verifier.machine.extras import missing

INTERRUPTED = 130
FAILED = 4
TRACEBACK = "PKDP_TRACEBACK"
"""The environment variable that, once set, makes errors of the program show their traceback."""


def refuse_closed_output() -> None:
    """Refuse to work where no answer can be printed.

    Raises:
        MachineError: where standard output is closed.

    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # for as long as the process lives
    if sys.stdout is None:
        raise MachineError("it is closed", where="standard output", wanted="somewhere to answer")


def stop(error: BaseException, *, as_json: bool = False) -> NoReturn:
    """Print why there is no answer, and end with the exit status of the error."""
    if isinstance(error, typer.Exit):
        _leave(error.exit_code)
    if isinstance(error, BrokenPipeError):
        _leave(FAILED)  # whoever was reading has gone, and knows
    if isinstance(error, KeyboardInterrupt):
        _write("pkdp: interrupted")
        _leave(INTERRUPTED)
    refusal = refusal_of(error)
    _write(text_of_error(refusal, as_json=as_json))
    if os.environ.get(TRACEBACK) and refusal.exit_status == FAILED:
        _write("".join(traceback.format_exception(error)).rstrip())
    _leave(refusal.exit_status)


_options: set[str] = set()


def name_options(names: Iterable[str]) -> None:
    """Keep the names of the running command's options, so that messages can name them."""
    _options.clear()
    _options.update(names)


def spoken(text: str) -> str:
    """Return a message of the package in the words of the command line; the package writes it for Python.

    `max_rows=` is an option, `p=1/7` one of `--set`, and what is a function in Python is a command.

    >>> name_options(["--max-rows", "--set"])
    >>> spoken("raise max_rows= or fix p, q: p=1/7 q=1/7"), spoken("wanted `size = …`")
    ('raise --max-rows or fix p, q: --set p=1/7 --set q=1/7', 'wanted `size = …`')
    >>> spoken("pk.search takes it")
    'pkdp search takes it'
    """
    with_options = re.sub(
        r"(?<![\w-])([a-z]\w*(?:-\w+)*)=(?=[\s,.;:)]|$)",
        lambda match: option if (option := f"--{match[1].replace('_', '-')}") in _options else match[0],
        with_commands(text),
    )
    if "--set" not in _options:
        return with_options
    return re.sub(r"(?:^|(?<=: )|(?<==1/7 ))(\w+=1/7)\b", r"--set \1", with_options)


def text_of_error(error: PkdpError, *, as_json: bool) -> str:
    """Return an error as one line: a sentence, or with `--json` an object with its message, place, wish and tip.

    >>> text_of_error(PkdpError("2 is too large", where="m.toml: --delta", wanted="at most 1"), as_json=False)
    'pkdp: m.toml: --delta: 2 is too large. Expected at most 1.'
    >>> text_of_error(PkdpError("--k is missing", where=InCommand("pkdp rule")), as_json=False)
    'pkdp rule: --k is missing.'
    >>> text_of_error(PkdpError("2 is too large", where="m.toml: --delta", wanted="at most 1"), as_json=True)
    '{"error": "2 is too large", "place": "m.toml: --delta", "wanted": "at most 1", "tip": null}'
    """
    if not as_json:
        text = spoken(str(error))
        return text if isinstance(error.where, InCommand) else f"pkdp: {text}"
    fields = {"error": error.message, "place": error.where, "wanted": error.wanted, "tip": error.tip}
    return json.dumps({name: spoken(str(value)) or None for name, value in fields.items()}, ensure_ascii=False)


def refusal_of(error: BaseException) -> PkdpError:
    """Return an error of any kind as a `PkdpError`, which has a message, a tip and an exit status."""
    if isinstance(error, PkdpError):
        return error
    if isinstance(error, Rejected):
        from verifier.recheck import not_shown

        return not_shown(error)
    if isinstance(error, ModuleNotFoundError) and (refusal := missing(error)) is not None:
        return refusal
    if isinstance(error, RecursionError):
        return InputError("the input is nested too deeply", wanted="at most 100 levels")
    if isinstance(error, MemoryError):
        return MachineError("out of memory", tip="use a smaller model")
    if isinstance(error, OSError):
        location, done = ("standard output", "") if error.filename is None else (str(error.filename), "read or ")
        return MachineError(f"it cannot be {done}written ({error.strerror or error})", where=location)
    return MachineError(
        f"an error of the program, {type(error).__name__}: {error}",
        tip=f"please report it, with the command and the file; {TRACEBACK}=1 shows where it arose",
    )


def _write(line: str) -> None:
    try:
        sys.stderr.write(f"{line}\n")
    except OSError:
        return  # nobody listens


def _leave(status: int) -> NoReturn:
    """End the process; an output that cannot be written any more is no second error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)
