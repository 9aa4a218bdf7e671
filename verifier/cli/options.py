"""What the commands of the core can be asked: the arguments, options and help of each, without what answers them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import (
    DEFAULT_ROWS,
    MODEL,
    AsJson,
    Certificate,
    Digits,
    File,
    Format,
    MaxDigits,
    MaxRows,
    Reading,
    Replied,
    Sets,
    Ways,
    With,
    definitions_that_begin,
    file_to_write,
    models_that_begin,
)
from verifier.numbers import DIGITS, MAX_DIGITS

OF_ONE = "reducible", "k-anonymity", "strongly-safe"
PROPERTIES_BY_NAME = {
    "": OF_ONE,
    "reducible": OF_ONE[:1],
    "anonymity": OF_ONE[1:],
    "k-anonymity": OF_ONE[1:2],
    "strongly-safe": OF_ONE[2:],
    "stronger": ("stronger",),
}
"""What `pkdp property NAME` decides: a property, or for `anonymity` two; without a name all of one model."""


def properties_that_begin(incomplete: str) -> list[str]:
    """Return the properties and the models that begin so, for a shell that completes an argument."""
    return [name for name in PROPERTIES_BY_NAME if name and name.startswith(incomplete)] + models_that_begin(incomplete)


@dataclass(frozen=True)
class Loss(Replied):
    """Print the exact output distributions and privacy losses, for each knowledge value."""

    file: File
    record: Annotated[int | None, typer.Option(help="the record that is attacked, counted from 0")] = None
    values: Annotated[tuple[str, str] | None, typer.Option(help="the two values a and b that are compared")] = None
    definition: Annotated[
        str | None,
        typer.Option("--definition", help="between the two distributions of which this definition requires most"),
    ] = None
    delta: Annotated[str | None, typer.Option(help="the δ at which it does, with --definition")] = None
    sets: Sets = None
    way: Ways = "auto"
    max_rows: MaxRows = DEFAULT_ROWS
    digits: Digits = DIGITS
    max_digits: MaxDigits = MAX_DIGITS


@dataclass(frozen=True)
class Acceptable(Replied):
    """Decide whether each record has an acceptable normalization (DMKB20, Definition 8)."""

    file: File
    certificate: Certificate = None
    sets: Sets = None
    max_rows: MaxRows = DEFAULT_ROWS


@dataclass(frozen=True)
class PropertyOf(Replied):
    """Decide a property without ε: of one model Θ-reducibility and anonymity, of two who knows more.

    reducible: the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition 14). anonymity: all
    outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7); ε-safety is
    `pkdp check --definition safe`. stronger: the attacker of the first model has more background knowledge (DMKB20,
    Definition 9).

    In a formula O is the output, n the number of records, M1 and M2 the mechanism on the known records alone, with
    their values in B1 and in B2; x3 and y3 are the values of the known record 3 in B1 and in B2.
    Exit status: 1 where one fails, 3 where one is undecided or unsupported, of anonymity where both are. 0 without
    NAME.
    """

    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME] MODEL…",
            help="reducible; anonymity (k-anonymity, strongly-safe); of two models stronger. Without: all of one",
            autocompletion=properties_that_begin,
        ),
    ]
    name: Annotated[list[str] | None, typer.Option(help="an older way to name properties", hidden=True)] = None
    k: Annotated[int | None, typer.Option("--k", help="of anonymity; default: the mechanism's own, else 2")] = None
    bijection: Annotated[str | None, typer.Option(help='of reducible: check a formula, "O - M1 + M2"')] = None
    reading: Reading = "default"
    max_rows: MaxRows = DEFAULT_ROWS


@dataclass(frozen=True)
class Definitions(Replied):
    """List the definitions with their sources, formulas and readings; or print the cards of some.

    A card has the formula, the choice on each of DP22's axes, the lines of [policy] to copy, and the small model that
    tells the definition apart from its neighbours.
    """

    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY…", help="print the card of each", autocompletion=definitions_that_begin),
    ] = None
    dimension: Annotated[
        str | None, typer.Option(help="DP22's definitions that change it: letters of QNVBFRC, or a name")
    ] = None
    conventions: Annotated[
        bool, typer.Option("--conventions", help="every convention that can change a verdict, its choice and source")
    ] = False
    own: With = None


def topics_that_begin(context: typer.Context, incomplete: str) -> list[str]:
    """Return the topics of the guide that begin so, for a shell, once --guide is typed."""
    from verifier.model.library import GUIDES

    return [name for name in GUIDES if name.startswith(incomplete)] if context.params.get("as_guide") else []


@dataclass(frozen=True)
class Examples(Replied):
    """List the models that come with the program, search in them, or copy one to edit.

    Each is named wherever a command takes a model: pkdp check example-7-five-voters.
    """

    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT…", help="words in name, title or notes; of --guide a topic", autocompletion=topics_that_begin
        ),
    ] = None
    copy: Annotated[str | None, typer.Option("--copy", metavar="NAME", help="copy this model to edit it")] = None
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="the folder of the copy; default: here")] = None
    in_full: Annotated[bool, typer.Option("--all", help="list every model, where no text is given")] = False
    as_guide: Annotated[
        bool, typer.Option("--guide", help="print a page of the guide, such as format; without a topic, list them")
    ] = False


@dataclass(frozen=True)
class New:
    """Ask five questions, and write a model file with comments.

    The values of a record, how many records, how probable each value is, what the attacker knows, what is published.
    Without a terminal the answers are the five lines of standard input.
    """

    file: Annotated[Path, typer.Argument(metavar="FILE", help="the file to write; - is standard output")] = Path(
        "mine.toml"
    )
    answers: Annotated[
        list[str] | None, typer.Option("--answer", help="an answer in place of asking: five times; empty: the default")
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace the file where there is one")] = False


Files = Annotated[
    list[str],
    typer.Argument(metavar="MODEL…", help=f"one or more of: {MODEL}", autocompletion=models_that_begin),
]
JsonOfModels = Annotated[bool, typer.Option("--json", help="one JSON object a model on standard output")]


@dataclass(frozen=True)
class Check:
    """Decide definitions: verdict, smallest ε and δ, and a witness. Without --definition: an overview of all.

    A verdict is shown as soon as it is decided; the result of the independent checker follows. With --json, or another
    format than the table, both come together.
    """

    files: Files
    definition: Annotated[
        list[str] | None,
        typer.Option(
            help='a definition, or "np(ln(2), 1/10)"; several: again, or with commas; default: all',
            autocompletion=definitions_that_begin,
        ),
    ] = None
    epsilon: Annotated[str | None, typer.Option(help='"ln(p/q)", "r*ln(p/q)", a rational, or inf')] = None
    delta: Annotated[str | None, typer.Option(help="a rational in [0, 1]; default: 0")] = None
    reading: Reading = "default"
    record: Annotated[int | None, typer.Option(min=0, help="protect this record alone, counted from 0")] = None
    expect: Annotated[bool, typer.Option("--expect", help="test the answers that the files promise")] = False
    profile: Annotated[bool, typer.Option("--profile", help="show the whole privacy profile")] = False
    gain: Annotated[
        bool, typer.Option("--gain", help="show how often the attacker guesses right, without the output and with it")
    ] = False
    certificate: Certificate = None
    replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="do the independent re-check, or leave it out")
    ] = True
    in_full: Annotated[
        bool, typer.Option("--all", help="a row for each definition, and every number of the witnesses")
    ] = False
    conventions: Annotated[
        bool, typer.Option("--conventions", help="say each convention that the verdict rests on")
    ] = False
    atlas: Annotated[
        bool, typer.Option("--atlas", help="all definitions of DP22, by the dimensions that they change")
    ] = False
    own: With = None
    sets: Sets = None
    as_json: JsonOfModels = False
    kind: Format = "table"
    way: Ways = "auto"
    max_rows: MaxRows = DEFAULT_ROWS
    digits: Digits = DIGITS
    max_digits: MaxDigits = MAX_DIGITS


@dataclass(frozen=True)
class Pair(Replied):
    """Tell two distributions apart, exactly: ε at δ, δ at ε, advantage, Rényi, zCDP, and the trade-off curve.

    The two are a model of one record with the values P and Q, which --model writes: every definition can be asked of
    it. Numbers are of both directions, and name the direction that is worse. Nothing is normalised.
    """

    file: Annotated[
        str, typer.Argument(metavar="FILE", help='two distributions: CSV "output,p,q", or JSON {"p": {…}, "q": {…}}')
    ]
    epsilon: Annotated[list[str] | None, typer.Option(help="the smallest δ at this ε; again for more")] = None
    delta: Annotated[list[str] | None, typer.Option(help="the smallest ε at this δ; again for more; default: 0")] = None
    order: Annotated[list[str] | None, typer.Option(help="a Rényi order; again for more; default: 2, 8, 32")] = None
    fpr: Annotated[list[str] | None, typer.Option(help="a false positive rate; again for more; default: 1/100")] = None
    prior: Annotated[str, typer.Option(help="the prior probability of P")] = "1/2"
    runs: Annotated[int, typer.Option(min=1, help="so many independent runs of the pair")] = 1
    model: Annotated[Path | None, file_to_write("--model", "write the model to this .toml file")] = None
    plot: Annotated[Path | None, file_to_write("--plot", "draw δ against ε into this .svg, .png or .pdf file")] = None
    tests: Annotated[Path | None, file_to_write("--trade-off", "draw the trade-off curve into this .svg file")] = None
    replay: Annotated[
        bool, typer.Option("--replay/--no-replay", help="do the independent re-check, or leave it out")
    ] = True
    digits: Digits = DIGITS
    max_digits: MaxDigits = MAX_DIGITS


@dataclass(frozen=True)
class Verify:
    """Decide answers of check --json, and of --certificate, again by code that shares nothing with the engine.

    Exit status: 0 all are accepted, 1 some are rejected, 2 a path is missing, a file has no answers, or its model file
    is not found, 3 one is not checked.
    """

    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH…",
            help="answers (pkdp examples --guide certificates), as check --json prints them, or folders of them",
        ),
    ]
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the model of answers, in place of the file that they name")
    ] = None
    sets: Sets = None
    as_json: AsJson = False
