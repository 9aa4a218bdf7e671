"""The command line `pkdp`: one command is loaded and run; errors become one message and an exit status."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from verifier.cli.stopping import INTERRUPTED, name_options, refuse_closed_output, stop
from verifier.cli.waiting import watching
from verifier.errors import InputError, PkdpError
from verifier.replay.answers import Rejected
from verifier.version import VERSION
from verifier.wings import COMMANDS as COMMANDS_OF_WINGS

COMMANDS = {
    "check": (
        "Check",
        "verifier.cli.asking:check",
        "Decide definitions: verdict, tightest ε and δ, and a witness. Without --definition: the passport.",
    ),
    "loss": (
        "Check",
        "verifier.cli.asking:loss",
        "Print the exact laws and privacy losses of every output, for each knowledge value.",
    ),
    "acceptable": (
        "Check",
        "verifier.cli.asking:acceptable",
        "Decide whether each record has an acceptable normalization (DMKB20, Definition 8).",
    ),
    "conventions": (
        "Check",
        "verifier.cli.listing:conventions",
        "List every convention that can change a verdict, with its choice and source.",
    ),
    "definitions": (
        "Check",
        "verifier.cli.listing:definitions",
        "List the definitions with their sources, formulas and readings.",
    ),
    "guide": (
        "Explore",
        "verifier.cli.listing:guide",
        "Print a page of the guide: the format of model files, that of certificates, the language of questions, ….",
    ),
    "law": (
        "Check",
        "verifier.cli.lawful:law",
        "Test a law on a model: post-processing, convexity, sequential or parallel composition.",
    ),
    "anonymity": (
        "Check",
        "verifier.cli.anonymity:anonymity",
        "Decide whether all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).",
    ),
    "property": (
        "Check",
        "verifier.cli.properties:property_",
        "Decide a property of a model that has no ε, such as Θ-reducibility (DMKB20, Definition 14).",
    ),
    "reducible": (
        "Check",
        "verifier.cli.properties:reducible",
        "Decide whether the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition 14).",
    ),
    "stronger": (
        "Check",
        "verifier.cli.properties:stronger",
        "Decide whether the attacker of the first model has more background knowledge (DMKB20, Definition 9).",
    ),
    "replay": (
        "Trust",
        "verifier.cli.replaying:replay",
        "Re-check certificates by the independent replay, which shares no code with the engine.",
    ),
    **COMMANDS_OF_WINGS,
}
"""Each command: its group, the module with the function, which is loaded when the command is run, and what it does."""
GROUPS = ("Check", "Explore", "Search", "Papers", "Trust")
"""The groups of the commands, in the order of the help."""
HELP_OPTIONS = ["-h", "--help"]
FIRST_STEP = (
    "A first step: pkdp guide format shows the smallest model file; pkdp check FILE decides every definition on it."
)
HELP = (
    "Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous (and a passport that was computed), 1 fails, 2 the "
    "question or file is wrong, 3 undecided, unsupported or beyond the limits, 4 the machine failed, 130 interrupted."
)


class Grouped(TyperGroup):
    """The program, whose help lists all commands by their groups; none is loaded for it."""

    def format_commands(self, _context: Any, formatter: Any) -> None:
        """Write each group with what its commands do, in whole sentences."""
        for group in GROUPS:
            with formatter.section(group):
                formatter.write_dl([(name, does) for name, (of, _, does) in COMMANDS.items() if of == group])


def program(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """The program with the named commands."""
    app = typer.Typer(
        cls=Grouped,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=HELP,
        epilog=FIRST_STEP,
        context_settings={"help_option_names": HELP_OPTIONS},
    )
    app.callback(invoke_without_command=True)(main)
    for name in names:
        home, _, function = COMMANDS[name][1].partition(":")
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
        alone = not given or given[0] in {*HELP_OPTIONS, "--version"}
        names = () if alone else given[:1] if given[0] in COMMANDS else tuple(COMMANDS)
        status = program(names)(args=given or ["--help"], standalone_mode=False)
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
