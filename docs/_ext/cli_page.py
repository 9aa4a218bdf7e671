"""The page of the commands: every command and every option, from the program itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

PAGES = {
    "check": ("definitions/index.md", "the definitions"), "acceptable": ("glossary.md", "acceptable normalizations"),
    "definitions": ("definitions/index.md", "definitions"),
    "pair": ("compose.md", "several runs"),
    "examples": ("first-model.md", "the first model"), "new": ("first-model.md", "the first model"),
    "explore": ("explorer.md", "the explorer"), "course": ("course.md", "the course"),
    "grade": ("teaching.md", "teaching with the course"), "search": ("smallest-model.md", "the search"),
    "worst": ("worst.md", "the worst mechanism"), "convert": ("exchange.md", "conversions"),
    "compose": ("compose.md", "several runs"), "relations": ("relations.md", "how the definitions relate"),
    "claims": ("proofs/statements.md", "the theorems, one by one"), "report": ("report.md", "the report"),
    "verify": ("proofs/FORMAT.md", "certificate files"),
}  # fmt: skip
"""Where a command is explained."""


@lru_cache(maxsize=1)
def program() -> Any:
    """The command line as it is parsed."""
    import typer

    from verifier.cli.main import program as command_line

    return typer.main.get_command(command_line())


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    from verifier.cli.commands import GROUPS, REMOVED, RENAMED
    from verifier.cli.main import COMMANDS

    group = program()
    commands: dict[str, Any] = group.commands
    parts = ["# Commands", intro(group), IN_COMMON]
    for title in GROUPS:
        parts.append(f"## {title}")
        parts += [command(name, one) for name, one in commands.items() if COMMANDS[name].group == title]
    older = [f"| `pkdp {name}` | `pkdp {now}` |" for name, now in RENAMED.items()]
    older += [f"| `pkdp {name}` | is gone: {prose(instead)} |" for name, instead in REMOVED.items()]
    parts += ["## Older names", "\n".join(["| before | now |", "|---|---|", *older])]
    yield "commands.md", "\n\n".join(parts) + "\n"


IN_COMMON = """\
`pkdp --version` prints the version, `pkdp COMMAND --help` what stands here.

Questions are one language in all commands: `--definition "np(ln(2), 1/10)"` is `--definition np --epsilon "ln(2)"
--delta 1/10`, and `cdp delta at ln(2)` asks how small δ is at this ε. `--definition` may be given again, or hold
several with commas.

MODEL is a model file, the name of a bundled model (`pkdp examples`), `-` for standard input, or `FILE.py`, Python
code that makes a model and is run.

pkdp prints a verdict as soon as it is decided; the independent checker's result follows (`--no-replay` leaves it out;
`--json` waits for it). Work of more than two seconds says on standard error how far it is.
`--format table|markdown|latex|csv` gives tables to paste.

pkdp checks each file alone. It names a wrong file on standard error, as `PLACE: the problem. Expected …. Hint: ….`.
With `--json` the four parts are the fields `error`, `place`, `wanted` and `tip` of an object.

| exit status | means |
|---|---|
| 0 | holds or vacuous, or an overview (without `--definition`) that was computed |
| 1 | fails; the witness is shown |
| 2 | the question or the file is wrong; nothing is on standard output |
| 3 | undecided, unsupported, beyond the stated limits, or a package of an [extra](install.md) is missing |
| 4 | the machine failed while it worked |
| 130 | interrupted, within two seconds |"""
"""What all commands have in common."""


def intro(group: Any) -> str:
    """What the program says of itself, without the exit statuses, which stand in the table."""
    text = re.sub(r"\s*Exit status:.*", "", str(group.help), flags=re.DOTALL)
    return "\n\n".join(prose(part) for part in text.split("\n\n"))


def prose(text: str) -> str:
    """A text of the program in Markdown: nothing in it is markup."""
    return re.sub(r"([*_<>\[\]|$`\\])", r"\\\1", " ".join(text.split()))


def command(name: str, one: Any) -> str:
    """One command: what it does, how it is called, its arguments and options."""
    arguments = [p for p in one.params if p.param_type_name == "argument"]
    options = [p for p in one.params if p.param_type_name == "option" and "--help" not in p.opts]
    needed = [f"{p.opts[0]} {value_of(p)}".rstrip() for p in options if p.required]
    called = " ".join([f"pkdp {name}", *(call(p) for p in arguments), *needed, "[OPTIONS]" if options else ""]).rstrip()
    parts = [f"(command-{name})=\n### `pkdp {name}`", *map(prose, str(one.help or "").split("\n\n"))]
    parts.append(f"```\n{called}\n```\n\nFor example:\n\n```\n{example_of(name)}\n```")
    if arguments:
        parts.append(listing("argument", [(call(p), p) for p in arguments]))
    if options:
        parts.append(listing("option", [(f"{spelled(p)} {value_of(p)}".rstrip(), p) for p in options]))
    if name in PAGES:
        page, words = PAGES[name]
        parts.append(f"More: [{words}]({page}).")
    return "\n\n".join(parts)


def example_of(name: str) -> str:
    """A line to type."""
    from verifier.cli.main import COMMANDS

    return COMMANDS[name].example


def call(one: Any) -> str:
    """An argument as it is written: MODEL, [CLAIM], MODEL…."""
    text = str(one.metavar or one.name.upper())
    if one.nargs == -1 and "…" not in text:
        text += "…"
    return text if one.required or text.startswith("[") else f"[{text}]"


def spelled(one: Any) -> str:
    """All spellings of an option."""
    return ", ".join([*one.opts, *getattr(one, "secondary_opts", ())])


def value_of(one: Any) -> str:
    """What stands behind an option."""
    if getattr(one, "is_flag", False):
        return ""
    words = re.search(r"<(.*)>|\[(.*)\]", record(one)[0])
    kind = (words[1] or words[2]) if words else "text"
    kind = re.sub(r"^list\[(.*)\]$", r"\1", kind)
    names = {"str": "TEXT", "int": "N", "int range": "N", "path": "FILE", "float": "NUMBER"}
    named = one.metavar or names.get(kind, kind.upper() if kind.isidentifier() else "TEXT")
    return " ".join([str(named)] * (one.nargs if one.nargs > 0 else 1))


def record(one: Any) -> tuple[str, str]:
    """The two columns of the help."""
    import typer

    context = typer.Context(program(), info_name="pkdp")
    found = one.get_help_record(context)
    return (str(found[0]), str(found[1])) if found else ("", "")


def listing(head: str, rows: list[tuple[str, Any]]) -> str:
    """The arguments or options as a table; the default as the program has it."""
    lines = [f"| {head} | meaning |", "|---|---|"]
    for shown, one in rows:
        text = re.sub(r"\s*\[[^\]]*\]$", "", record(one)[1]) if "  [" in record(one)[1] else record(one)[1]
        extra = re.search(r"  \[([^\]]*)\]$", record(one)[1])
        said = prose(text) + (f" ({prose(extra[1])})" if extra else "")
        mark = shown.replace("|", "\\|")
        lines.append(f"| `{mark}` | {said} |")
    return "\n".join(lines)
