"""The command line `pkdp`: one command is loaded and run; errors become one message and an exit status."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from pkgutil import resolve_name
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from verifier.checker.numbers import Rejected
from verifier.cli.commands import COMMANDS as OF_THE_CORE
from verifier.cli.commands import GROUPS, REMOVED, RENAMED, extension
from verifier.cli.exits import INTERRUPTED, name_options, refuse_closed_output, stop
from verifier.cli.waiting import watching
from verifier.errors import InputError, PkdpError
from verifier.version import VERSION

COMMANDS = {**OF_THE_CORE, **extension().COMMANDS}
"""Every command."""
EXPECTED = {
    "list": ["examples"],
    "ls": ["examples"],
    "models": ["examples"],
    "help": ["--help"],
    "version": ["--version"],
    "-V": ["--version"],
}
"""What other programs call a command or an option, and what it is here; `help COMMAND` is the help of the command."""
OPTIONS_ELSEWHERE = {"-v": "--version"}
"""An option of other programs that may mean two things, and so does nothing here; and the option that may be meant."""
COMPLETING = "_PKDP_COMPLETE"
"""The variable by which a shell that completes words asks for what may come next."""
HELP_OPTIONS = ["-h", "--help"]
FIRST_STEPS = (
    ("pkdp check example-7-five-voters", "Decide every definition on an example."),
    ("pkdp new mine.toml", "Make a model of your own from five answers."),
    ("pkdp explore", "Open the explorer in your browser."),
    ("pkdp relations np cdp", "See how two definitions differ."),
    ("pkdp claims DMKB20", "Read which theorems fail, and what holds."),
)
"""The first commands to try, each with a sentence on what it does."""
HELP = (
    "Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous (and an overview that was computed), 1 fails, 2 the "
    "question or file is wrong, 3 undecided, unsupported or beyond the limits, 4 the machine failed, 130 interrupted."
)


METAVARS = {
    "definition": "NAME",
    "reading": "NAME",
    "observer": "NAME",
    "epsilon": "ε",
    "one-run": "ε",
    "delta": "δ",
    "order": "NUMBER",
    "fpr": "NUMBER",
    "prior": "NUMBER",
    "probability": "NUMBER",
    "set": "NAME=VALUE",
    "values": "A B",
    "value": "VALUE",
    "dimension": "LETTERS",
    "answer": "TEXT",
    "bijection": "FORMULA",
    "maximise": "STATEMENT",
    "assuming": "STATEMENT",
    "verdict": "VERDICT",
    "weight": "NUMBER",
    "with": "PATH",
}
"""What the help shows in place of the value of an option that is a text, by the option's name."""


class Described(TyperCommand):
    """A command whose help has an example, and for each option what kind of value it has."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for parameter in self.params:
            if parameter.metavar is None and not getattr(parameter, "is_flag", False):
                parameter.metavar = _metavar(parameter)

    def format_help_text(self, context: Any, formatter: Any) -> None:
        """Write what the command does, and an example; a line to type is never broken."""
        super().format_help_text(context, formatter)
        if self.name in COMMANDS:
            formatter.write(f"\nExample:\n  {COMMANDS[self.name].example}\n")

    def format_options(self, context: Any, formatter: Any) -> None:
        """Write the arguments, then the options by the groups that the command declares; the rest are in Options.

        Options comes last, unless the groups name its place.
        """
        groups = getattr(resolve_name(COMMANDS[self.name].options), "GROUPS", {}) if self.name in COMMANDS else {}
        titles = {name: title for title, names in groups.items() for name in names.split()}
        sections: dict[str, list[Any]] = {"Arguments": [], **{title: [] for title in groups}, "Options": []}
        for parameter in self.get_params(context):
            if (record := parameter.get_help_record(context)) is not None:
                of_all = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections[titles.get(parameter.name, of_all)].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _metavar(parameter: Any) -> str | None:
    """Return what the help shows for the value of an option; None for what it shows by itself."""
    if "Path" in type(parameter.type).__name__:
        return "PATH"
    if parameter.type.name.startswith("int"):
        return "N"
    return METAVARS.get(max(parameter.opts, key=len).removeprefix("--").removesuffix("-b"))


class Grouped(TyperGroup):
    """The program, whose help lists first steps and all commands by their groups; none is loaded for it."""

    def first_page(self, context: Any) -> str:
        """Return the text that `pkdp` alone prints: first steps, then the commands."""
        formatter = context.make_formatter()
        self.format_epilog(context, formatter)
        self.format_commands(context, formatter)
        formatter.write("\nOptions of a command: pkdp COMMAND --help. What the answers mean: pkdp --help.\n")
        return str(formatter.getvalue()).strip("\n")

    def format_epilog(self, _context: Any, formatter: Any) -> None:
        """Write the first steps."""
        width = max(len(command) for command, _ in FIRST_STEPS)
        lines = (f"  {command:<{width}}  {does}\n" for command, does in FIRST_STEPS)
        formatter.write("".join(("\nFirst steps:\n", *lines)))

    def format_commands(self, _context: Any, formatter: Any) -> None:
        """Write each group of commands, with a sentence for each command."""
        for group in GROUPS:
            with formatter.section(group):
                formatter.write_dl(
                    [(name, command.does) for name, command in COMMANDS.items() if command.group == group]
                )


def program(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """Return the program with the named commands."""
    app = typer.Typer(
        cls=Grouped,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=HELP,
        context_settings={"help_option_names": HELP_OPTIONS},
    )
    app.callback(invoke_without_command=True)(main)
    for name in names:
        from verifier.cli.common import with_shared_options

        command = COMMANDS[name]
        app.command(name, cls=Described)(with_shared_options(resolve_name(command.options), command.answer))
    return app


def run(arguments: Sequence[str] | None = None, *, supervised: bool = False) -> None:
    """Run the command line; errors become one message and an exit status, never a traceback.

    Where it is `supervised`, an interruption is reported by the supervisor.
    """
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv[:1] == ["help"] and len(argv) > 1:
        argv = [*argv[1:2], "--help"]
    argv[:1] = EXPECTED.get(argv[0], argv[:1]) if argv else []
    if COMPLETING in os.environ:
        complete(argv)
    # Numbers are measured before they are read (verifier.numbers), so that results may be of any length.
    sys.set_int_max_str_digits(0)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without θ gets \\u03b8, not a traceback
    try:
        refuse_closed_output()
        argv[:1] = as_today(argv)
        alone = not argv or argv[0].startswith("-")
        names = () if alone else argv[:1] if argv[0] in COMMANDS else tuple(COMMANDS)
        status = program(names)(args=argv, standalone_mode=False)
        sys.stdout.flush()
    except (PkdpError, Rejected, OSError, RecursionError, MemoryError, typer.Exit) as error:
        stop(error, as_json="--json" in argv)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SystemExit:  # what the parser of the command line makes of a closed pipe
        stop(BrokenPipeError())
    except Exception as error:  # noqa: BLE001  # whatever it is, it is printed as one message
        stop(_usage(error, argv) if hasattr(error, "format_message") else error, as_json="--json" in argv)
    if status == INTERRUPTED:  # what the parser of the command line makes of a KeyboardInterrupt
        sys.exit(status) if supervised else stop(KeyboardInterrupt())
    sys.exit(status if isinstance(status, int) else 0)


def as_today(arguments: Sequence[str]) -> list[str]:
    """Return what the first argument is today: itself, or the words for a command that had this name before.

    Of the new words one line on standard error tells, unless the answer is JSON or the command is to be quiet.

    >>> as_today(["axioms", "np", "--json"]), as_today(["check"]), as_today([])
    (['relations', '--axioms'], ['check'], [])

    Raises:
        InputError: for a command that there was and is none any more, with what to use instead.

    """
    name = "".join(arguments[:1])
    if name in COMMANDS:
        return [name]
    if name in REMOVED:
        raise InputError(f"there is no pkdp {name} any more", tip=REMOVED[name])
    if name in RENAMED and not {"--json", "--quiet", "-q"} & set(arguments):
        sys.stderr.write(f"`pkdp {name}` is `pkdp {RENAMED[name]}` now.\n")
    return RENAMED[name].split() if name in RENAMED else list(arguments[:1])


def complete(arguments: Sequence[str]) -> NoReturn:
    """Tell the shell that asks what may come next; what it cannot be told ends silently, as it shows no message."""
    try:
        program()(args=arguments, prog_name="pkdp")
    except Exception:  # noqa: BLE001  # whatever it is, the person at the shell is still typing
        sys.exit(1)
    sys.exit(0)


def _usage(error: Any, arguments: Sequence[str]) -> PkdpError:
    """Return an error of the command line's parser as an `InputError`, with the value that it refuses."""
    options = getattr(getattr(error, "param", None), "opts", ())
    value = next((argument for option, argument in pairwise(arguments) if option in options), "")
    command = next((name for name in arguments[:1] if name in COMMANDS), "")
    message = (
        str(error.format_message()).removesuffix(".").removesuffix("?").replace(". Did you mean ", "; did you mean ")
    )
    example = COMMANDS[command].example if command and "Missing argument" in message else ""
    more = f", or for instance {example}" if example else ""
    invalid = re.fullmatch("Invalid value for '(-.*?)': (.*)", message, re.DOTALL)
    where, problem = invalid.groups() if invalid else ("", re.sub("^Missing (.*)", r"the \1 is missing", message))
    if value not in problem:
        problem += f" (you gave {value})"
    tip = f"pkdp{command and ' '}{command} --help{more}"
    is_first = not command and bool(arguments) and ("No such command" in message or arguments[0] in OPTIONS_ELSEWHERE)
    return InputError(problem, where=where, tip=(_word(arguments[0]) if is_first else "") or tip)


def _word(name: str) -> str:
    """Return what to write for a first argument that is none here: a word of the field, or one of other programs."""
    from verifier.model.field_words import hint_of
    from verifier.model.keys import closest

    other = OPTIONS_ELSEWHERE.get(name) or closest(name, [word for word in EXPECTED if word.isalpha()])
    near = "" if closest(name, COMMANDS) and name not in OPTIONS_ELSEWHERE else other
    return hint_of(name) or (f"is pkdp {' '.join(EXPECTED.get(near, [near]))} meant?" if near else "")


def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="version, with its commit where it is known")] = False,  # noqa: FBT002
) -> None:
    """Print the version for `--version`, and start the watch that reports on long work."""
    command = context.invoked_subcommand or ""
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    if command in commands:
        name_options(name for parameter in commands[command].params for name in parameter.opts)
    serves = command in COMMANDS and COMMANDS[command].serves
    # It is silent until its options are read: one of them is --quiet.
    context.with_resource(watching(command, silent=True, reports=not serves))
    if version:
        from verifier.machine.commit import commit

        made_from = commit()
        typer.echo(f"pkdp {VERSION}{made_from and f' (commit {made_from})'}")
        raise typer.Exit(0)
    if not command and isinstance(context.command, Grouped):
        typer.echo(context.command.first_page(context))


if __name__ == "__main__":
    from verifier.cli.supervisor import run as supervised

    supervised()
