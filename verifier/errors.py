"""The errors of the project, each as `WHERE: what is wrong. Expected Y. Hint: what to type`.

One root, `PkdpError`, carries the exit status of the command line. A retry signal inside the program is
never one of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Self, TypeAlias

LINES = "\t\n"
BREAKS = "\x85\u2028\u2029"
"""What ends a line in some places and not in others."""
LONGEST = 700
"""Characters of one part of a message; what a file holds may be much longer."""
MOST_NAMES = 12
"""Most names that a message lists."""


COMMANDS = {
    "pk.DEFINITIONS": "pkdp definitions",
    "pk.atlas lists": "pkdp check MODEL --atlas lists",
    "pk.k_anonymity": "pkdp property anonymity",
    "pk.strongly_safe": "pkdp property anonymity",
    "pk.search": "pkdp search",
    'pk.read("MODEL.toml")': "pkdp new MODEL.toml makes one, pkdp examples lists the bundled ones",
    "help(pk.build)": "pkdp examples --guide format",
    "docs/own-definitions.md": "pkdp examples --guide own-definitions",
}
"""What a message calls something in Python, and the command for it: errors speak Python until a command prints them."""


def with_commands(text: str) -> str:
    """A message as the command line and its pages say it: with commands in place of names of Python.

    >>> with_commands("pk.DEFINITIONS lists them")
    'pkdp definitions lists them'
    """
    for name, command in COMMANDS.items():
        text = text.replace(name, command)
    return text


Path: TypeAlias = tuple[str | int, ...]
"""The keys and the positions, counted from 0, that lead to a place in the tables of a file."""


class Where(str):
    """A place in words that also knows the path to it.

    >>> Where("row 2, probability", ("table", 1, "probability")).path
    ('table', 1, 'probability')
    """

    __slots__ = ("path",)
    path: Path

    def __new__(cls, text: str, path: Path) -> Self:
        """Make the text, and keep the path beside it."""
        made = super().__new__(cls, text)
        made.path = path
        return made

    def __getnewargs__(self) -> tuple[str, Path]:  # type: ignore[override]
        """The arguments from which a copy is made."""
        return str(self), self.path


class InCommand(str):
    """A place that is a command as it is typed, such as `pkdp rule`: its options do not go together, or one is missing.

    >>> str(PkdpError("--k is missing", where=InCommand("pkdp rule")).within("m.toml"))
    'pkdp rule: --k is missing.'
    """

    __slots__ = ()


def printable(text: str, *, lines: bool = False) -> str:
    r"""The text with an escape for each character that no terminal or file should get; `lines` keeps its lines.

    >>> printable("a\x1b[31m b\n"), printable("a\nb", lines=True) == "a\nb"
    ('a\\x1b[31m b\\n', True)
    """
    return text if is_printable(text, lines=lines) else "".join(map(_shown_lines if lines else _shown, text))


def is_printable(text: str, *, lines: bool = False) -> bool:
    r"""Whether a text has no control character and none that hides or turns others; with `lines`, no other than these.

    >>> is_printable("ε, für alle"), is_printable("a\u202eb"), is_printable("a\nb"), is_printable("a\nb", lines=True)
    (True, False, False, True)
    """
    kept = text.replace("\n", "").replace("\t", "") if lines else text
    return kept.isprintable() or all(_shown(c) == c for c in kept)


def _shown(character: str) -> str:
    """The character, or its escape; a space of whatever width is printable."""
    known = character.isprintable() or (character.isspace() and character > "\x7f" and character not in BREAKS)
    return character if known else ascii(character)[1:-1]


def _shown_lines(character: str) -> str:
    return character if character in LINES else _shown(character)


def _one_line(text: str) -> str:
    """Escape what is not printable, and leave out the middle of what is too long."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 200]} … {text[-150:]}"
    return printable(text)


def one_of(known: Iterable[str], given: object = "") -> str:
    """The names that are expected; of more than `MOST_NAMES` the three that are spelled most like what was given.

    >>> one_of(["up", "down"]), one_of(["up"])
    ('one of up, down', 'up')
    >>> one_of(map(str, range(100)), "17")
    'one of 100 names, the closest: 17, 7, 1'
    """
    names = list(known)
    if len(names) <= MOST_NAMES:
        return f"one of {', '.join(names)}" if len(names) > 1 else "".join(names)
    near = get_close_matches(str(given)[:100].lower(), names, 3, 0)
    return f"one of {len(names)} names, the closest: {', '.join(near)}"


class PkdpError(Exception):
    """The root of all errors that a user can cause.

    >>> str(PkdpError("3/2 is more than 1", where="model.toml: row 1", wanted="at most 1", tip="check the sum"))
    'model.toml: row 1: 3/2 is more than 1. Expected at most 1. Hint: check the sum.'
    """

    exit_status = 2

    def __init__(self, message: str, *, where: str = "", wanted: str = "", tip: str = "") -> None:
        """Keep the parts, so that a page can show them in their own places."""
        self.path = where.path if isinstance(where, Where) else None
        is_command = isinstance(where, InCommand)
        message, where, wanted, tip = (_one_line(part) for part in (message, where, wanted, tip))
        if self.path is not None:
            where = Where(where, self.path)
        elif is_command:
            where = InCommand(where)
        self.message, self.where, self.wanted, self.tip = message, where, wanted, tip
        parts = [f"{where}: {message}" if where else message]
        parts += [f"Expected {wanted}"] * bool(wanted) + [f"Hint: {tip}"] * bool(tip)
        super().__init__(" ".join(part if part.endswith(("?", ".")) else f"{part}." for part in parts))

    def within(self, file: str) -> Self:
        """The same error with a file, or another outer place, in front, where it does not name it already.

        A command stays in front of all files that were given to it.

        >>> str(PkdpError("3/2 is more than 1", where="delta").within("m.toml"))
        'm.toml: delta: 3/2 is more than 1.'
        """
        file = _one_line(file)
        if not file or isinstance(self.where, InCommand) or self.where == file or self.where.startswith(f"{file}: "):
            return self
        where = f"{file}: {self.where}" if self.where else file
        return self.but(where=where if self.path is None else Where(where, self.path))

    def but(self, **changed: str) -> Self:
        """The same error with another `message`, `where`, `wanted` or `tip`."""
        parts = {name: getattr(self, name) for name in ("message", "where", "wanted", "tip")} | changed
        return type(self)(parts.pop("message"), **parts)


class InputError(PkdpError, ValueError):
    """A model file, a question or an argument is wrong (exit status 2)."""


class NoSuchKeyError(InputError, KeyError):
    """A name is none of a mapping's (exit status 2); the mapping's `get` answers None, or what it is given.

    >>> str(NoSuchKeyError("the key xx is unknown", wanted="one of a, b"))
    'the key xx is unknown. Expected one of a, b.'
    """

    __str__ = PkdpError.__str__


class InexactError(PkdpError, TypeError):
    """A floating-point number was given where an exact one is wanted (exit status 2)."""


class LimitError(PkdpError):
    """The work would exceed the stated limits and was not started (exit status 3)."""

    exit_status = 3


class UndecidedError(PkdpError):
    """A comparison was not settled at the precision limit (exit status 3); nothing is guessed."""

    exit_status = 3


class UnsupportedError(PkdpError):
    """The definition does not apply to this model, or not yet (exit status 3)."""

    exit_status = 3


class NotInstalledError(PkdpError):
    """The question needs a package that this installation does not have (exit status 3)."""

    exit_status = 3


class MachineError(PkdpError):
    """The machine failed while it worked: a full disk, a process or a cluster that was lost (exit status 4)."""

    exit_status = 4
