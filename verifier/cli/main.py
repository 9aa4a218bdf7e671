"""The command line `pkdp`: one command is loaded and run; errors become one message and an exit status."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any

import typer

from verifier.cli.stopping import INTERRUPTED, name_options, refuse_closed_output, stop
from verifier.cli.waiting import watching
from verifier.errors import InputError, PkdpError
from verifier.replay.answers import Rejected
from verifier.version import VERSION
from verifier.wings import COMMANDS as COMMANDS_OF_WINGS

COMMANDS = {
    "check": "verifier.cli.asking:check",
    "loss": "verifier.cli.asking:loss",
    "acceptable": "verifier.cli.asking:acceptable",
    "conventions": "verifier.cli.listing:conventions",
    "definitions": "verifier.cli.listing:definitions",
    "guide": "verifier.cli.listing:guide",
    "law": "verifier.cli.lawful:law",
    "anonymity": "verifier.cli.anonymity:anonymity",
    "property": "verifier.cli.properties:property_",
    "reducible": "verifier.cli.properties:reducible",
    "stronger": "verifier.cli.properties:stronger",
    "replay": "verifier.cli.replaying:replay",
    **COMMANDS_OF_WINGS,
}
"""The commands and where they are written; a module is loaded when its command is run, or when help is asked."""
HELP = (
    "Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous (and a passport that was computed), 1 fails, 2 the "
    "question or file is wrong, 3 undecided, unsupported or beyond the limits, 4 the machine failed, 130 interrupted."
)


def program(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """The program with the named commands."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, help=HELP)
    app.callback(invoke_without_command=True)(main)
    for name in names:
        home, _, function = COMMANDS[name].partition(":")
        app.command(name)(getattr(import_module(home), function))
    return app


def run(arguments: Sequence[str] | None = None, *, supervised: bool = False) -> None:
    """Run the command line; errors become one message and an exit status, never a traceback.

    Where it is `supervised`, the supervisor is the one that says that it was interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Numbers are measured before they are read (verifier.numbers), so that results may be of any length.
    sys.set_int_max_str_digits(0)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without θ gets \\u03b8, not a traceback
    try:
        refuse_closed_output()
        asked = given[:1] if given[:1] and given[0] in COMMANDS else tuple(COMMANDS)
        status = program(asked)(args=given or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except (PkdpError, Rejected, OSError, RecursionError, MemoryError, typer.Exit) as error:
        stop(error, as_json="--json" in given)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SystemExit:  # what the parser of the command line makes of a closed pipe
        stop(BrokenPipeError())
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told in one message
        stop(_usage(error, given) if hasattr(error, "format_message") else error, as_json="--json" in given)
    if status == INTERRUPTED:  # what the parser of the command line makes of a KeyboardInterrupt
        sys.exit(status) if supervised else stop(KeyboardInterrupt())
    sys.exit(status if isinstance(status, int) else 0)


def _usage(error: Any, arguments: Sequence[str]) -> PkdpError:
    """What the parser of the command line refuses, in the form of all our messages."""
    options = getattr(getattr(error, "param", None), "opts", ())
    value = next((f" (given {after})" for one, after in pairwise(arguments) if one in options), "")
    command = next((f" {one}" for one in arguments[:1] if one in COMMANDS), "")
    said = str(error.format_message()).removesuffix(".").removesuffix("?").replace(". Did you mean ", "; did you mean ")
    return InputError(said + value, tip=f"pkdp{command} --help")


def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,  # noqa: FBT002
) -> None:
    """Print the version where asked; see to it that no command is silent for long."""
    command = context.invoked_subcommand or ""
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    if command in commands:
        name_options(name for parameter in commands[command].params for name in parameter.opts)
    context.with_resource(watching(command))
    if version:
        typer.echo(f"pkdp {VERSION}")
        raise typer.Exit(0)


if __name__ == "__main__":
    from verifier.cli.supervisor import run as supervised

    supervised()
