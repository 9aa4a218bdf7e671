"""Every command, declared once: its group, its function, what it does, what to type where an argument is missing.

Nothing is loaded for the list: the file of a function is imported when its command is run. What a command can be asked
for beside its own options (`--quiet`, and where it answers with a `Reply`, `--json` and `--format`) follows from its
function (`verifier.cli.common.with_shared_options`).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

WINGS = "verifier.wings"
"""What is built on the core, which knows none of it: a list of what it adds to the command line."""


def extension() -> Any:
    """Return the list of what the wings add: it is loaded at the start, so it only names, and imports no wing.

    `COMMANDS` are their commands, `subject_of_family` answers about files with `[parameters]`, `axioms_of` adds to the
    cards of definitions.
    """
    return import_module(WINGS)


class Command(NamedTuple):
    """A command: its group in the help, `module:function`, and the first sentence of the function's docstring."""

    group: str
    home: str
    does: str
    example: str = ""
    """What may be typed where an argument is missing, on a bundled model."""
    serves: bool = False
    """Whether it waits for its user, so that no progress is reported."""
    older: str = ""
    """The name that it had before, which stays."""


GROUPS = ("Check", "Explore", "Search", "Papers", "Trust")
"""The groups of the commands, in the order of the help."""
COMMANDS = {
    "check": Command(
        "Check",
        "verifier.cli.check:check",
        "Decide definitions: verdict, smallest ε and δ, and a witness. Without --definition: an overview of all.",
        example="pkdp check example-7-five-voters",
    ),
    "loss": Command(
        "Check",
        "verifier.cli.asking:loss",
        "Print the exact output distributions and privacy losses, for each knowledge value.",
        example="pkdp loss example-7-five-voters",
    ),
    "acceptable": Command(
        "Check",
        "verifier.cli.asking:acceptable",
        "Decide whether each record has an acceptable normalization (DMKB20, Definition 8).",
        example="pkdp acceptable example-7-five-voters",
    ),
    "examples": Command(
        "Explore",
        "verifier.cli.examples:examples",
        "List the models that come with the program, search in them, or copy one to edit.",
    ),
    "new": Command(
        "Explore", "verifier.cli.new:new", "Ask five questions, and write a model file with comments.", serves=True
    ),
    "conventions": Command(
        "Check",
        "verifier.cli.listing:conventions",
        "List every convention that can change a verdict, with its choice and source.",
    ),
    "definitions": Command(
        "Check",
        "verifier.cli.listing:definitions",
        "List the definitions with their sources, formulas and readings; or print the cards of some.",
    ),
    "guide": Command(
        "Explore",
        "verifier.cli.listing:guide",
        "Print a page of the guide: the formats of model files and certificates, the language of questions, ….",
    ),
    "law": Command(
        "Check",
        "verifier.cli.asking:law",
        "Test an axiom on a model: post-processing, convexity or composition (pkdp axioms has them for all models).",
    ),
    "anonymity": Command(
        "Check",
        "verifier.cli.asking:anonymity",
        "Decide whether all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).",
    ),
    "property": Command(
        "Check",
        "verifier.cli.asking:property_",
        "Decide a property of a model that has no ε, such as Θ-reducibility (DMKB20, Definition 14).",
        example="pkdp property example-7-five-voters",
    ),
    "reducible": Command(
        "Check",
        "verifier.cli.asking:reducible",
        "Decide whether the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition 14).",
    ),
    "stronger": Command(
        "Check",
        "verifier.cli.asking:stronger",
        "Decide whether the attacker of the first model has more background knowledge (DMKB20, Definition 9).",
    ),
    "verify": Command(
        "Trust",
        "verifier.cli.replaying:replay",
        "Re-check certificates by the independent checker, which shares no code with the engine.",
        older="replay",
    ),
}
"""The commands of the core; those of the wings stand in `verifier.wings`."""
