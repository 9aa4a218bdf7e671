"""The registry of bad input: everything that must be refused, and how.

The entries stand in `*.toml` beside this file, one table `[[refused]]` each: `name`; `model`, the text of the file,
left out where there is none; `arguments`, `check {file}` where left out, in which `{file}` is its path; `message`, a
regex that the whole of standard error matches, without the leading `pkdp: ` and with `FILE` for the path; `status`, 2
where left out; `file`, the name of the file, of which one that ends in `.py` is run; and `process = true` where the
command is run as a process of its own, under limits of time and memory. `«5000 × [»` stands for 5000 brackets.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

CHECK = ("check", "{file}")
REPEATED = re.compile("«([0-9]+) × (.*?)»", re.DOTALL)


def whole(text: str) -> str:
    """With what is repeated as often as is said."""
    return REPEATED.sub(lambda found: int(found[1]) * found[2], text)


@dataclass(frozen=True)
class Bad:
    """What is given, and what must be said."""

    name: str
    message: str
    model: str | bytes | None = None
    arguments: tuple[str, ...] = CHECK
    status: int = 2
    process: bool = False
    file: str = "model.toml"

    @property
    def content(self) -> bytes | None:
        """What stands in the file."""
        return whole(self.model).encode() if isinstance(self.model, str) else self.model

    def command(self, path: Path) -> list[str]:
        """The command line, where the file is at `path`."""
        return [whole(one).replace("{file}", str(path)) for one in self.arguments]


def good() -> str:
    """A model file in which nothing is wrong."""
    return (Path(__file__).parent / "good.toml").read_text(encoding="utf-8")


def unlike() -> str:
    """Two thousand probabilities with unlike denominators of a thousand digits."""
    law = ", ".join(f'{k} = "1/{10**1000 + 2 * k + 1}"' for k in range(2000))
    head = f"size = 1\nvalues = {list(range(2000))}\n"
    return f'{head}[[distribution]]\nname = "x"\niid = {{ {law} }}\n[mechanism]\nkind = "sum"\n'


def many(values: int, size: int = 1, kind: str = "identity", *, uniform: bool = False) -> str:
    """A file with the values 0, 1, 2, …; uniform where there is a distribution."""
    law = ", ".join(f'{v} = "1/{values}"' for v in range(values))
    theta = f"[[distribution]]\niid = {{ {law} }}\n" if uniform else ""
    keep = 'keep = "1/2"\n' if kind == "randomized-response" else ""
    return f'size = {size}\nvalues = {list(range(values))}\n{theta}[mechanism]\nkind = "{kind}"\n{keep}'


def coins(number: int) -> str:
    """A file with many distributions of one bit."""
    iids = (f'0 = "{k}/1000", 1 = "{1000 - k}/1000"' for k in range(1, number))
    laws = (f'[[distribution]]\nname = "{k}"\niid = {{ {iid} }}\n' for k, iid in enumerate(iids))
    return f'size = 1\nvalues = [0, 1]\n{"".join(laws)}[mechanism]\nkind = "identity"\n'


NO_TEXT = r"FILE: byte {} is not UTF-8\. Expected a UTF-8 text file\."
LARGE = (
    r"more than the limit of 4,194,304 rows\. Hint: use fewer records or values, or raise --max-rows "
    r"(?:to at least [0-9]+ )?if .*"
)
RESPONSES = {values: many(values, kind="randomized-response", uniform=True) for values in (2000, 20000)}
TOO_MUCH_WORK = tuple(
    Bad(
        f"{definition} on {name}",
        rf"FILE: {fact}, {LARGE}",
        text,
        (*CHECK, "--definition", definition),
        status=3,
        process=True,
    )
    for definition, name, fact, text in (
        ("dp", "20,000 values", "dp compares 399,980,000 pairs of values, 20,000 values of each .*", many(20000)),
        ("klpr", "20,000 values", "dp compares 399,980,000 pairs of values, 20,000 values of each .*", many(20000)),
        ("dp", "2,000 values", "dp compares at least .* pairs of laws, which count as 4,194,320 rows", many(2000)),
        ("dp", "two of 1,500 values", "dp compares 4,497,000 pairs of values, .* of 2 records", many(1500, 2)),
        (
            "dp",
            "the response of one with 2,000 values",
            "dp compares 3,998,000 pairs of laws with up to 2,000 results each, which count as 563,718,000 rows",
            many(2000, kind="randomized-response"),
        ),
        ("np", "20,000 values", "there are 399,980,000 pairs of values .*", many(20000, uniform=True)),
        ("ibcdp", "20,000 values", "there are 399,980,000 pairs of values .*", many(20000, uniform=True)),
        ("ppkdp", "2,000 values", "there are 3,998,000 pairs of values given .*", many(2000, uniform=True)),
        (
            "dp",
            "the mode of one with 20,000 values",
            "dp compares 399,980,000 pairs of values, 20,000 values of each .*",
            many(20000, kind="mode", uniform=True) + 'then = [ { kind = "randomized-response", epsilon = "ln(3)" } ]\n',
        ),
        *(
            (definition, f"the response of a uniform one of {values:,} values", fact, text)
            for definition, values, fact in (
                (
                    "dp",
                    2000,
                    "dp compares 3,998,000 pairs of laws with up to 2,000 results each, which count as .* rows",
                ),
                (
                    "np",
                    2000,
                    "2,000 values with 2,000 outputs each have .*, which count as 16,000,000 rows, 4 for each",
                ),
                ("dp", 20000, r"there are 20000\^1 databases with up to 20,000 results each"),
                ("np", 20000, "there are 399,980,000 pairs of values of what is protected"),
            )
            for text in (RESPONSES[values],)
        ),
    )
) + tuple(
    Bad(
        f"{' '.join(command)} on a uniform response of {values:,} values",
        rf"FILE: {values:,} values with {values:,} outputs each have .*, which count as .* rows, 4 for each, {LARGE}",
        text,
        (command[0], "{file}", *command[1:]),
        status=3,
        process=True,
    )
    for values, text in RESPONSES.items()
    for command in (("check",), ("loss", "--record", "0"), ("property",))
)
"""Questions about many values, of which all pairs would be compared."""
BEYOND_DATA = (
    *TOO_MUCH_WORK,
    Bad(
        "many pairs of distributions",
        r"FILE: dnpr compares 637,602 pairs of distributions\. Expected at most 65,536\. Hint: .*",
        coins(800),
        (*CHECK, "--definition", "dnpr"),
        status=3,
        process=True,
    ),
    Bad("file that is not UTF-8", NO_TEXT.format(20), b"size = 2\nvalues = ['\xff\xfe']\n"),
    Bad("UTF-16 file", NO_TEXT.format(0), good().encode("utf-16")),
    Bad(
        "binary file",
        r"FILE: the text is not valid TOML: .* \(at line 1, column 1\)\. Expected a TOML file\. "
        r"Hint: pkdp examples --guide format lists the keys\.",
        bytes(range(128)),
    ),
    Bad(
        "two thousand unlike denominators",
        r'FILE: \[\[distribution\]\] "x", iid: the common denominator of the probabilities has more than 131,072 bits'
        r"\. Expected shorter or like denominators\.",
        unlike(),
        status=3,
        process=True,
    ),
    Bad(
        "epsilon of a thousand factors",
        r"--epsilon: ε is too long: 80,199 characters\. Expected at most 4,300\.",
        good(),
        (*CHECK, "--definition", "np", "--epsilon", "*".join(["9" * 400] * 200)),
        status=3,
    ),
)
"""What is no text, or is too long for a file of examples."""


def entries(path: Path) -> list[Bad]:
    """The entries of one file."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["refused"]
    return [Bad(**{**one, "arguments": tuple(one.get("arguments", CHECK))}) for one in listed]


FILES = sorted(set(Path(__file__).parent.glob("*.toml")) - {Path(__file__).parent / "good.toml"})
ENTRIES = (*(one for path in FILES for one in entries(path)), *BEYOND_DATA)
