"""The command line `pkdp`: one command is loaded and run; errors become one message and an exit status."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from verifier.checker.rejected import Rejected
from verifier.cli.extension import extension
from verifier.cli.stopping import INTERRUPTED, name_options, refuse_closed_output, stop
from verifier.cli.waiting import be_silent, watching
from verifier.errors import InputError, PkdpError
from verifier.version import VERSION

COMMANDS = {
    "check": (
        "Check",
        "verifier.cli.asking:check",
        "Decide definitions: verdict, smallest ε and δ, and a witness. Without --definition: an overview of all.",
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
    "examples": (
        "Explore",
        "verifier.cli.examples:examples",
        "List the models that come with the program, search in them, or copy one to edit.",
    ),
    "new": (
        "Explore",
        "verifier.cli.new:new",
        "Ask five questions, and write a model file with comments.",
    ),
    "conventions": (
        "Check",
        "verifier.cli.listing:conventions",
        "List every convention that can change a verdict, with its choice and source.",
    ),
    "definitions": (
        "Check",
        "verifier.cli.listing:definitions",
        "List the definitions with their sources, formulas and readings; or print the cards of some.",
    ),
    "guide": (
        "Explore",
        "verifier.cli.listing:guide",
        "Print a page of the guide: the formats of model files and certificates, the language of questions, ….",
    ),
    "law": (
        "Check",
        "verifier.cli.lawful:law",
        "Test a law on a model: post-processing, convexity, sequential or parallel composition.",
    ),
    "anonymity": (
        "Check",
        "verifier.cli.properties:anonymity",
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
    **extension().COMMANDS,
}
"""Each command: its group, the module with the function, which is loaded when the command is run, and what it does."""
GROUPS = ("Check", "Explore", "Search", "Papers", "Trust")
"""The groups of the commands, in the order of the help."""
HELP_OPTIONS = ["-h", "--help"]
FIRST_STEPS = (
    ("pkdp check example-7-five-voters", "Decide every definition on an example."),
    ("pkdp new mine.toml", "Make a model of your own from five answers."),
    ("pkdp explore", "Open the explorer in your browser."),
    ("pkdp relations np cdp", "See how two definitions differ."),
    ("pkdp ledger DMKB20", "Read which theorems fail, and what holds."),
)
"""The first commands to try, each with a sentence on what it does."""
EXAMPLES = {
    "check": "pkdp check example-7-five-voters",
    "loss": "pkdp loss example-7-five-voters",
    "acceptable": "pkdp acceptable example-7-five-voters",
    "property": "pkdp property example-7-five-voters",
    "exchange": 'pkdp exchange np cdp two-bits-that-agree --epsilon "ln(2)" --set agree=3/4',
    "compose": "pkdp compose one-coin --times 3",
}
"""What may be typed where an argument is missing, on bundled models."""
HELP = (
    "Decide privacy definitions with partial knowledge on small finite models, exactly.\n\n"
    "CDP here is causal, DDP distributional differential privacy (DMKB20); elsewhere CDP is concentrated "
    "differential privacy. Exit status: 0 holds or vacuous (and an overview that was computed), 1 fails, 2 the "
    "question or file is wrong, 3 undecided, unsupported or beyond the limits, 4 the machine failed, 130 interrupted."
)


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
                    [
                        (name, does)
                        for name, (group_of_command, _, does) in COMMANDS.items()
                        if group_of_command == group
                    ]
                )


Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="nothing on standard error but errors; of check the verdicts alone")
]


def with_quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the option `--quiet`, which all commands have."""

    @wraps(function)
    def command(*arguments: Any, quiet: bool = False, **options: Any) -> Any:
        be_silent(silent=quiet)
        return function(*arguments, **options)

    own = signature(function, eval_str=True)
    option = Parameter("quiet", Parameter.KEYWORD_ONLY, default=False, annotation=Quiet)
    parameters = [*own.parameters.values(), option]
    command.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def program(names: Sequence[str] = tuple(COMMANDS)) -> typer.Typer:
    """Return the program with the named commands."""
    app = typer.Typer(
        cls=Grouped,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help=HELP,
        context_settings={"help_option_names": HELP_OPTIONS},
    )
    app.callback(invoke_without_command=True)(main)
    for name in names:
        home, _, function = COMMANDS[name][1].partition(":")
        app.command(name)(with_quiet(getattr(import_module(home), function)))
    return app


def run(arguments: Sequence[str] | None = None, *, supervised: bool = False) -> None:
    """Run the command line; errors become one message and an exit status, never a traceback.

    Where it is `supervised`, an interruption is reported by the supervisor.
    """
    argv = list(sys.argv[1:] if arguments is None else arguments)
    # Numbers are measured before they are read (verifier.numbers), so that results may be of any length.
    sys.set_int_max_str_digits(0)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without θ gets \\u03b8, not a traceback
    try:
        refuse_closed_output()
        alone = not argv or argv[0] in {*HELP_OPTIONS, "--version"}
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


def _usage(error: Any, arguments: Sequence[str]) -> PkdpError:
    """Return an error of the command line's parser as an `InputError`, with the value that it refuses."""
    options = getattr(getattr(error, "param", None), "opts", ())
    value = next((f" (given {argument})" for option, argument in pairwise(arguments) if option in options), "")
    command = next((f" {name}" for name in arguments[:1] if name in COMMANDS), "")
    message = (
        str(error.format_message()).removesuffix(".").removesuffix("?").replace(". Did you mean ", "; did you mean ")
    )
    example = EXAMPLES.get(command.strip(), "") if "Missing argument" in message else ""
    return InputError(message + value, tip=f"pkdp{command} --help{f', or for instance {example}' if example else ''}")


def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,  # noqa: FBT002
) -> None:
    """Print the version for `--version`, and start the watch that reports on long work."""
    command = context.invoked_subcommand or ""
    commands: dict[str, Any] = getattr(context.command, "commands", {})
    if command in commands:
        name_options(name for parameter in commands[command].params for name in parameter.opts)
    context.with_resource(watching(command, silent=True))  # until its options are read: one of them is --quiet
    if version:
        typer.echo(f"pkdp {VERSION}")
        raise typer.Exit(0)
    if not command and isinstance(context.command, Grouped):
        typer.echo(context.command.first_page(context))


if __name__ == "__main__":
    from verifier.cli.supervisor import run as supervised

    supervised()
