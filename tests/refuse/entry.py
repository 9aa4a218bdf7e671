"""One entry of the registry of bad input, and short ways to write the model files around a mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

HEAD = "size = 2\nvalues = [0, 1]\n"
IID = '[[distribution]]\nname = "x"\niid = { 0 = "1/2", 1 = "1/2" }\n'
TOLD = '[mechanism]\nkind = "identity"\n'
SUM = '[mechanism]\nkind = "sum"\n'
GOOD = HEAD + IID + SUM
CHECK = ("check", "{file}")


@dataclass(frozen=True)
class Bad:
    """What is given, and what must be said.

    `model` is the text (or the bytes) of the file, or a function that makes it where it is large; None where
    there is no file. In `arguments`, `{file}` is its path. `message` is a regex that the whole of standard
    error must match, without the leading `pkdp: ` and with `FILE` for the path. A `process` entry is run
    as a real process, under limits of time and memory.
    """

    name: str
    model: str | bytes | Callable[[], str | bytes] | None
    message: str
    arguments: tuple[str, ...] = CHECK
    status: int = 2
    process: bool = False
    file: str = "model.toml"
    """The name of the file; one that ends in `.py` is run."""


def own(name: str, code: str, message: str, more: str = "") -> Bad:
    """Python code that makes no model; `more` follows the name of the file in the command."""
    return Bad(name, f"import verifier as pk\n{code}\n", message, ("check", "{file}" + more), file="own.py")


def distribution(body: str) -> str:
    """A file whose one distribution is `body`."""
    return f'{HEAD}[[distribution]]\nname = "x"\n{body}\n{SUM}'


def table(*rows: str) -> str:
    """A file whose one distribution is a table."""
    return distribution("table = [\n" + "".join(f"  {{ {row} }},\n" for row in rows) + "]")


def mechanism(body: str, head: str = HEAD) -> str:
    """A file whose mechanism is `body`."""
    return f"{head}{IID}[mechanism]\n{body}\n"


def top(size: str = "2", values: str = "[0, 1]", more: str = "") -> str:
    """A file with another size, other values, or more keys at the top."""
    return f"size = {size}\nvalues = {values}\n{more}\n{IID}{SUM}"


def ask(*arguments: str) -> tuple[str, ...]:
    """The question `pkdp check FILE …`."""
    return ("check", "{file}", *arguments)
