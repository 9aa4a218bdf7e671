"""The command line, every command and every option, from the program itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

PAGES = {
    "examples": ("first-model.md", "the first model"), "new": ("first-model.md", "the first model"),
    "check": ("definitions/index.md", "the definitions"), "acceptable": ("glossary.md", "acceptable normalizations"),
    "search": ("smallest-model.md", "the search"), "separate": ("smallest-model.md", "the search"),
    "worst": ("worst.md", "the worst mechanism"), "convert": ("exchange.md", "conversions"),
    "compose": ("compose.md", "several runs"),
    "export": ("judges.md", "external provers"), "crosscheck": ("judges.md", "external provers"),
    "verify": ("proofs/FORMAT.md", "certificate files"), "claims": ("proofs/statements.md", "the theorems, one by one"),
    "relations": ("relations.md", "how the definitions relate"),
    "axioms": ("axioms.md", "axioms"),
    "report": ("examples.md", "the report as Markdown"),
    "conventions": ("definitions/conventions.md", "conventions"),
    "definitions": ("definitions/index.md", "definitions"),
    "course": ("course.md", "the course"), "grade": ("teaching.md", "teaching with the course"),
    "explore": ("explorer.md", "the explorer"),
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
    from verifier.cli.commands import GROUPS
    from verifier.cli.main import COMMANDS

    group = program()
    commands: dict[str, Any] = group.commands
    parts = ["# Command line", intro(group), STATUS]
    for title in GROUPS:
        parts.append(f"## {title}")
        parts += [command(name, one) for name, one in commands.items() if COMMANDS[name].group == title]
    yield "cli.md", "\n\n".join(parts) + "\n"


STATUS = """\
| exit status | means |
|---|---|
| 0 | holds or vacuous, or an overview (without `--definition`) that was computed |
| 1 | fails; the witness is shown |
| 2 | the question or the file is wrong; nothing is on standard output |
| 3 | undecided, unsupported, or beyond the stated limits |

`pkdp --version` prints the version, `pkdp COMMAND --help` what stands here."""


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
    parts.append(f"```\n{called}\n```")
    if arguments:
        parts.append(listing("argument", [(call(p), p) for p in arguments]))
    if options:
        parts.append(listing("option", [(f"{spelled(p)} {value_of(p)}".rstrip(), p) for p in options]))
    if name in PAGES:
        page, words = PAGES[name]
        parts.append(f"More: [{words}]({page}).")
    return "\n\n".join(parts)


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
    """The arguments or options as a table; again and default as the program has them."""
    lines = [f"| {head} | meaning |", "|---|---|"]
    for shown, one in rows:
        text = re.sub(r"\s*\[[^\]]*\]$", "", record(one)[1]) if "  [" in record(one)[1] else record(one)[1]
        extra = re.search(r"  \[([^\]]*)\]$", record(one)[1])
        said = prose(text) + (f" ({prose(extra[1])})" if extra else "")
        if getattr(one, "multiple", False) and "again" not in text:
            said += " (may be given again)"
        mark = shown.replace("|", "\\|")
        lines.append(f"| `{mark}` | {said} |")
    return "\n".join(lines)
