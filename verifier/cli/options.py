"""What the commands of the core can be asked: the arguments, options and help of each, without what answers them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

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
    Replay,
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
    """Print exact output distributions and privacy losses for each knowledge value."""

    file: File
    record: Annotated[int | None, typer.Option(help="attacked record, counted from 0; default: each")] = None
    values: Annotated[tuple[str, str] | None, typer.Option(help="compared values a and b; default: all pairs")] = None
    definition: Annotated[
        str | None,
        typer.Option("--definition", help="definition whose worst pair of distributions is shown; default: all pairs"),
    ] = None
    delta: Annotated[str | None, typer.Option(help="δ of that pair, with --definition; default: 0")] = None
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
    """Decide a property without ε, such as Θ-reducibility or k-anonymity.

    NAME is one of three. reducible: the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition
    14). anonymity: all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).
    stronger: the attacker of the first model has more background knowledge than the one of the second (DMKB20,
    Definition 9). ε-safety is `pkdp check --definition safe`.

    In a formula O is the output, n the number of records, M1 and M2 the mechanism on only the known records, with
    their values in B1 and in B2; x3 and y3 are the values of the known record 3 in B1 and in B2.

    Exit status: 1 if one fails, 3 if one is undecided or unsupported (for anonymity: both), always 0 without NAME.
    """

    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME] MODEL…",
            help="reducible, anonymity (k-anonymity, strongly-safe) or, for two models, stronger; default: all for one",
            autocompletion=properties_that_begin,
        ),
    ]
    name: Annotated[list[str] | None, typer.Option(help="an older way to name properties", hidden=True)] = None
    k: Annotated[int | None, typer.Option("--k", help="k of anonymity; default: the mechanism's own, else 2")] = None
    bijection: Annotated[
        str | None, typer.Option(help='formula to check as the bijection of reducible: "O - M1 + M2"; default: any')
    ] = None
    reading: Reading = "default"
    max_rows: MaxRows = DEFAULT_ROWS


@dataclass(frozen=True)
class Definitions(Replied):
    """List the definitions, or print the cards of some.

    The list has sources, formulas and readings. A card has the formula, the choice on each of DP22's axes, the lines of
    [policy] to copy, and the small model that separates the definition from its neighbours.
    """

    keys: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY…",
            help="definitions whose cards are printed; default: a list of all",
            autocompletion=definitions_that_begin,
        ),
    ] = None
    dimension: Annotated[
        str | None, typer.Option(help="dimension of DP22, as letters of QNVBFRC or a name; default: all definitions")
    ] = None
    conventions: Annotated[
        bool,
        typer.Option("--conventions", help="conventions that can change a verdict, each with its choice and source"),
    ] = False
    own: With = None


def topics_that_begin(context: typer.Context, incomplete: str) -> list[str]:
    """Return the topics of the guide that begin so, for a shell, once --guide is typed."""
    from verifier.model.library import GUIDES

    return [name for name in GUIDES if name.startswith(incomplete)] if context.params.get("as_guide") else []


@dataclass(frozen=True)
class Examples(Replied):
    """List, search or copy the models that come with pkdp.

    Wherever a command accepts a model, you can type the name of one of these.
    """

    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT…",
            help="words in name, title or notes; with --guide a topic",
            autocompletion=topics_that_begin,
        ),
    ] = None
    copy: Annotated[
        str | None, typer.Option("--copy", metavar="NAME", help="model to copy, so that you can edit it; default: none")
    ] = None
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="folder of the copy; default: here")] = None
    in_full: Annotated[bool, typer.Option("--all", help="every model, if there is no TEXT")] = False
    as_guide: Annotated[
        bool, typer.Option("--guide", help="page of the guide, such as format; without a topic, a list of pages")
    ] = False


@dataclass(frozen=True)
class New:
    """Write a model file from your answers to five questions.

    What values has a record? How many records? How probable is each value? What does the attacker know? What is
    published? Without a terminal, pkdp reads the answers from five lines of standard input.
    """

    file: Annotated[Path, typer.Argument(metavar="FILE", help="file to write; - is standard output")] = Path(
        "mine.toml"
    )
    answers: Annotated[
        list[str] | None,
        typer.Option("--answer", help="answer to the next question, empty for its default; repeatable, five in all"),
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replacement of the file, if it exists")] = False


Files = Annotated[
    list[str],
    typer.Argument(metavar="MODEL…", help=f"one or more: {MODEL}", autocompletion=models_that_begin),
]
JsonOfModels = Annotated[bool, typer.Option("--json", help="one JSON object for each model on standard output")]


@dataclass(frozen=True)
class Check:
    """Decide which definitions a model satisfies, with an attack if one fails.

    Without --definition you get an overview of all definitions. pkdp prints each verdict at once; the independent
    checker's result follows. With --json, or a format other than the table, both come together.
    """

    GROUPS: ClassVar = {
        "Question": "definition epsilon delta reading record observer sets own",
        "Other questions": "gain profile atlas conventions expect claims answer word",
        "Files to write": "certificate picture",
    }
    QUIET: ClassVar = "only the verdicts, one line each; with --expect or --claims only what is not as promised"

    files: Files
    definition: Annotated[
        list[str] | None,
        typer.Option(
            help='definition, such as np or "np(ln(2), 1/10)"; several with commas; repeatable; default: all',
            autocompletion=definitions_that_begin,
        ),
    ] = None
    epsilon: Annotated[
        str | None, typer.Option(help='ε: "ln(p/q)", "r*ln(p/q)", a rational, or inf; default: some finite ε')
    ] = None
    delta: Annotated[str | None, typer.Option(help="δ, a rational in [0, 1]; default: 0")] = None
    reading: Reading = "default"
    record: Annotated[int | None, typer.Option(min=0, help="only record to protect, counted from 0; default: each")] = (
        None
    )
    observer: Annotated[
        str | None,
        typer.Option(help='observer who also sees the draws of a program with seen_by="NAME"; default: nobody'),
    ] = None
    expect: Annotated[
        bool, typer.Option("--expect", help="comparison with the answers that the files promise in [[expect]]")
    ] = False
    claims: Annotated[
        bool, typer.Option("--claims", help="lists of claims as files in place of models ([[claim]], or CSV)")
    ] = False
    answer: Annotated[
        str | None, typer.Option(metavar="CODE", help="answer code to the question of the file; default: none")
    ] = None
    word: Annotated[str | None, typer.Option(metavar="WORD", help="word on the board, with --answer")] = None
    profile: Annotated[bool, typer.Option("--profile", help="whole privacy profile: δ at every ε")] = False
    gain: Annotated[
        bool, typer.Option("--gain", help="how often the attacker guesses right, without the output and with it")
    ] = False
    certificate: Certificate = None
    picture: Annotated[
        Path | None, file_to_write("--picture", "drawing of the worlds of a small model to write (.svg)", ending=".svg")
    ] = None
    replay: Replay = True
    in_full: Annotated[
        bool, typer.Option("--all", help="one row for each definition, all numbers of the witnesses, and nothing cut")
    ] = False
    conventions: Annotated[bool, typer.Option("--conventions", help="conventions that the verdict rests on")] = False
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
    """Compare two distributions exactly: smallest ε and δ, advantage, Rényi, zCDP, trade-offs.

    The two distributions are a model of one record with the values P and Q. --model writes this model, for which you
    can check every definition. Numbers are for both directions, with the worse one named. Nothing is normalized.
    """

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='file with two distributions: CSV "output,p,q", or JSON {"p": {…}, "q": {…}}'
        ),
    ]
    epsilon: Annotated[
        list[str] | None, typer.Option(help="ε at which the smallest δ is shown; repeatable; default: none")
    ] = None
    delta: Annotated[
        list[str] | None, typer.Option(help="δ at which the smallest ε is shown; repeatable; default: 0")
    ] = None
    order: Annotated[list[str] | None, typer.Option(help="Rényi order; repeatable; default: 2, 8, 32")] = None
    fpr: Annotated[list[str] | None, typer.Option(help="false positive rate; repeatable; default: 1/100")] = None
    prior: Annotated[str, typer.Option(help="prior probability of P")] = "1/2"
    runs: Annotated[int, typer.Option(min=1, help="number of independent runs of the pair")] = 1
    model: Annotated[Path | None, file_to_write("--model", "model file to write (.toml)")] = None
    plot: Annotated[Path | None, file_to_write("--plot", "drawing of δ against ε to write (.svg, .png or .pdf)")] = None
    bars: Annotated[Path | None, file_to_write("--bars", "drawing of both as bars, δ hatched, to write (.svg)")] = None
    tests: Annotated[Path | None, file_to_write("--trade-off", "drawing of the trade-off curve to write (.svg)")] = None
    replay: Replay = True
    digits: Digits = DIGITS
    max_digits: MaxDigits = MAX_DIGITS


@dataclass(frozen=True)
class Rule(Replied):
    """Show what published counts reveal about one person under a rule.

    A rule is a text such as "hide 0 to 9, then round to base 5".
    Everybody is counted with the same probability, independently. A passive attacker happens to know some of the
    people; an active one also chooses which of these are counted. Two tables differ by one person, or by --overlap.
    Words of a rule: hide A to B | hide below K with zero shown | round to base B halves up | midpoint B | random
    rounding to base B | cell keys FILE.csv | top-code at T | bands 1-49:5 50+:25 | geometric noise R; joined by
    ", then ".
    """

    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", help="rule in words, or the key of a known rule (--list)")
    ] = None
    people: Annotated[str | None, typer.Option(metavar="N", help="number of people; default: those in --areas")] = None
    known: Annotated[
        str, typer.Option(metavar="M", help="number of people whom the attacker knows; with --areas i,j,k")
    ] = "0"
    probability: Annotated[str | None, typer.Option(help="probability that a person is counted")] = None
    epsilon: Annotated[
        str | None,
        typer.Option(help="ε at which the smallest δ is shown; default without --delta: ln(2), odds that double"),
    ] = None
    delta: Annotated[str | None, typer.Option(help="δ at which the smallest ε is shown; default: 0")] = None
    overlap: Annotated[
        int,
        typer.Option(
            metavar="G",
            min=0,
            help="number of people whom the second table leaves out, the target among them; 0: nobody",
        ),
    ] = 1
    known_in_overlap: Annotated[
        int, typer.Option(metavar="K", min=0, help="number of these people whom the attacker knows")
    ] = 0
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="fresh|kept",
            help="fresh noise for each table, or noise kept for the same people (cell keys); default: fresh",
        ),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="p-table (columns pcv,ckey,pvalue or i,j,p), or count,output,probability; default: by the rule",
        ),
    ] = None
    areas: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="number of people in each area, the target in the first; default: one area"),
    ] = None
    total: Annotated[bool, typer.Option("--total", help="total of the areas, published too")] = False
    secondary: Annotated[
        str | None, typer.Option(metavar="smallest", help="second area to hide if only one is hidden; default: none")
    ] = None
    sweep: Annotated[
        str | None, typer.Option(metavar="known=0..99", help="range with one row for each number; also people=…")
    ] = None
    plot: Annotated[
        Path | None, file_to_write("--plot", "drawing of δ against known people, or --sweep, to write (.svg)")
    ] = None
    model: Annotated[Path | None, file_to_write("--model", "model file to write (.toml)")] = None
    design: Annotated[bool, typer.Option("--design", help="p-table that leaks least, in place of a rule")] = False
    max_noise: Annotated[int | None, typer.Option(metavar="D", help="largest noise, in people, with --design")] = None
    variance: Annotated[
        str | None, typer.Option(metavar="V", help="largest variance of the noise of --design; default: no limit")
    ] = None
    exact_variance: Annotated[
        bool, typer.Option("--exact-variance", help="variance of exactly V for every count except 0, with --design")
    ] = False
    never_1_to: Annotated[
        int,
        typer.Option(
            "--never-1-to", metavar="J", help="largest J of the counts 1 to J that --design never publishes; 0: none"
        ),
    ] = 0
    listed: Annotated[bool, typer.Option("--list", help="known rules, with who publishes under them")] = False
    replay: Replay = True
    digits: Annotated[
        int | None, typer.Option("--digits", min=1, max=1000, help="significant digits; default: 6, in JSON 12")
    ] = None
    max_digits: MaxDigits = MAX_DIGITS


@dataclass(frozen=True)
class Verify:
    """Re-check saved answers and certificates with the independent checker.

    The checker shares no code with the engine that decided them. Exit status: 0 all are accepted, 1 some are rejected,
    2 a path is missing, a file has no answers, or its model file is not found, 3 one is not checked.
    """

    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH…",
            help="files that check --json or --certificate wrote, or folders (pkdp examples --guide certificates)",
        ),
    ]
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="model of the answers; default: the file in the answers")
    ] = None
    sets: Sets = None
    as_json: AsJson = False
