"""Every command, declared once: its group, its options, its answer, what it does, and an example to type.

Nothing is loaded for the list. The options of a command stand in a light file, which its help loads; what answers them
is loaded when the command is run: both by their names, and no other file is. What a command can be asked for beside its
own options (`--quiet`, and where it answers with a `Reply`, `--json` and `--format`) follows from them
(`verifier.cli.common.with_shared_options`).
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
    """A command: its group in the help, where its options and its answer are, and the first sentence of its help.

    `options` names what can be typed, as `module:Class`, in a file that is loaded for the help alone; `answer` names
    what answers it, as `module:function`, and is loaded when it is asked.
    """

    group: str
    options: str
    answer: str
    does: str
    example: str = ""
    """What may be typed where an argument is missing, on a bundled model."""
    serves: bool = False
    """Whether it waits for its user, so that no progress is reported."""


GROUPS = ("Check", "Explore", "Search", "Papers", "Trust")
"""The groups of the commands, in the order of the help."""
COMMANDS = {
    "check": Command(
        "Check",
        "verifier.cli.options:Check",
        "verifier.cli.check:check",
        "Decide which definitions a model satisfies, with an attack if one fails.",
        example="pkdp check example-7-five-voters",
    ),
    "loss": Command(
        "Check",
        "verifier.cli.options:Loss",
        "verifier.cli.asking:loss",
        "Print exact output distributions and privacy losses for each knowledge value.",
        example="pkdp loss example-7-five-voters",
    ),
    "acceptable": Command(
        "Check",
        "verifier.cli.options:Acceptable",
        "verifier.cli.asking:acceptable",
        "Decide whether each record has an acceptable normalization (DMKB20, Definition 8).",
        example="pkdp acceptable example-7-five-voters",
    ),
    "property": Command(
        "Check",
        "verifier.cli.options:PropertyOf",
        "verifier.cli.asking:property_",
        "Decide a property without ε, such as Θ-reducibility or k-anonymity.",
        example="pkdp property reducible example-7-five-voters",
    ),
    "pair": Command(
        "Check",
        "verifier.cli.options:Pair",
        "verifier.cli.pair:pair",
        "Compare two distributions exactly: smallest ε and δ, advantage, Rényi, zCDP, trade-offs.",
        example='pkdp pair two.csv --epsilon "ln(2)"',
    ),
    "rule": Command(
        "Check",
        "verifier.cli.options:Rule",
        "verifier.cli.rule:rule",
        "Show what published counts reveal about one person under a rule.",
        example='pkdp rule "hide 0 to 9" --people 1000 --known 100 --probability "1/20"',
    ),
    "definitions": Command(
        "Check",
        "verifier.cli.options:Definitions",
        "verifier.cli.definitions:definitions",
        "List the definitions, or print the cards of some.",
        example="pkdp definitions apkdp",
    ),
    "new": Command(
        "Explore",
        "verifier.cli.options:New",
        "verifier.cli.new:new",
        "Write a model file from your answers to five questions.",
        example="pkdp new mine.toml",
        serves=True,
    ),
    "examples": Command(
        "Explore",
        "verifier.cli.options:Examples",
        "verifier.cli.examples:examples",
        "List, search or copy the models that come with pkdp.",
        example="pkdp examples voters",
    ),
    "verify": Command(
        "Trust",
        "verifier.cli.options:Verify",
        "verifier.cli.verify:verify",
        "Re-check saved answers and certificates with the independent checker.",
        example="pkdp verify answer.json",
    ),
}
"""The commands of the core; those of the wings stand in `verifier.wings`."""
RENAMED = {
    "anonymity": "property anonymity",
    "axioms": "relations --axioms",
    "bound": "claims --bound",
    "conventions": "definitions --conventions",
    "exchange": "convert",
    "guide": "examples --guide",
    "law": "relations --axioms",
    "ledger": "claims",
    "reducible": "property reducible",
    "replay": "verify",
    "separate": "relations --separate",
    "stronger": "property stronger",
}
"""What was a command of its own, or had another name, and what is typed for it now; it works, and says so."""
_JUDGES = "pkdp check MODEL --json gives the answer with its witness, pkdp verify re-checks certificates"
REMOVED = {
    "crosscheck": _JUDGES,
    "export": _JUDGES,
    "figures": "docs/figures.md shows them, pkdp claims DMKB20 says which of the claims hold",
    "judge": _JUDGES,
}
"""What was a command and is none any more, and what to use instead."""
