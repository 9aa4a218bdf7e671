"""The questions about a model, other than `pkdp check`: losses, acceptable normalizations and properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli.common import (
    DEFAULT_ROWS,
    Certificate,
    Digits,
    File,
    MaxDigits,
    MaxRows,
    Reading,
    Reply,
    Sets,
    Ways,
    about,
    models_that_begin,
    write_certificate,
)
from verifier.errors import InputError, UnsupportedError
from verifier.numbers import DIGITS, MAX_DIGITS

if TYPE_CHECKING:
    from pathlib import Path

    from verifier.model import Model
    from verifier.questions.properties import Property


def loss(
    file: File,
    record: Annotated[int | None, typer.Option(help="the record that is attacked, counted from 0")] = None,
    values: Annotated[tuple[str, str] | None, typer.Option(help="the two values a and b that are compared")] = None,
    definition: Annotated[
        str | None,
        typer.Option("--definition", help="between the two distributions of which this definition requires most"),
    ] = None,
    delta: Annotated[str | None, typer.Option(help="the δ at which it does, with --definition")] = None,
    sets: Sets = None,
    way: Ways = "auto",
    max_rows: MaxRows = DEFAULT_ROWS,
    digits: Digits = DIGITS,
    max_digits: MaxDigits = MAX_DIGITS,
) -> Reply:
    """Print the exact output distributions and privacy losses, for each knowledge value."""
    from verifier.cli.targets import subjects

    if definition is None and delta is not None:
        raise InputError("--delta needs --definition", where="pkdp loss", wanted="both")
    if definition is not None and (record is not None or values is not None):
        raise InputError(
            "--definition is given with --record or --values",
            where="pkdp loss",
            wanted="one of the two",
            tip="a definition determines the two distributions itself",
        )
    (subject,) = subjects([file], sets or (), way=way, max_rows=max_rows)
    with about(subject.path):
        if definition is None:
            table = subject.losses(record, values)
        else:
            table = subject.losses_of(definition, "0" if delta is None else delta)
    return Reply(lambda: table.to_json(max_digits, digits), lambda: subject.loss_sheets(table, max_digits, digits))


def acceptable(
    file: File, certificate: Certificate = None, sets: Sets = None, max_rows: MaxRows = DEFAULT_ROWS
) -> Reply:
    """Decide whether each record has an acceptable normalization (DMKB20, Definition 8)."""
    from verifier.cli.targets import subjects

    (subject,) = subjects([file], sets or (), max_rows=max_rows, options={"--certificate": certificate is not None})
    with about(subject.path):
        answers = subject.acceptable()
        if certificate is not None:
            model = subject.model  # type: ignore[attr-defined]
            write_certificate(certificate, lambda: _acceptability_file(model, answers, certificate.parent))
    return Reply.of_all(answers, lambda: [subject.acceptable_sheet(answers)])


def _acceptability_file(model: Model, answers: Sequence[Any], beside: Path) -> str:
    """Return the text of a file with the answers, for a place `beside`, from which they are decided again.

    Raises:
        UnsupportedError: where the worlds of a normalization are too many to list.

    """
    from verifier.definitions.answer import ALL_DIGITS
    from verifier.recheck.documents import document_text, source_of

    if any(answer.described for answer in answers):
        raise UnsupportedError("no certificate: the worlds are too many to list", tip="ask about one record")
    source = source_of(model, beside)
    return document_text([{**answer.to_json(ALL_DIGITS), **source} for answer in answers])


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
READERS = {"k": ("k-anonymity",), "bijection": ("reducible",), "reading": ("reducible", "stronger")}
"""The properties that read each option of `pkdp property`."""


def properties_that_begin(incomplete: str) -> list[str]:
    """Return the properties and the models that begin so, for a shell that completes an argument."""
    return [name for name in PROPERTIES_BY_NAME if name and name.startswith(incomplete)] + models_that_begin(incomplete)


def property_(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME] MODEL…",
            help="reducible; anonymity (k-anonymity, strongly-safe); of two models stronger. Without: all of one",
            autocompletion=properties_that_begin,
        ),
    ],
    name: Annotated[list[str] | None, typer.Option(help="an older way to name properties", hidden=True)] = None,
    k: Annotated[int | None, typer.Option("--k", help="of anonymity; default: the mechanism's own, else 2")] = None,
    bijection: Annotated[str | None, typer.Option(help='of reducible: check a formula, "O - M1 + M2"')] = None,
    reading: Reading = "default",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> Reply:
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
    from verifier.questions.properties.bijection import read_formula
    from verifier.show.answers import properties_sheet

    is_named = name is None and (len(arguments) > 1 or arguments[0] in PROPERTIES_BY_NAME)
    asked, files = (arguments[0], arguments[1:]) if is_named else ("", arguments)
    keys = PROPERTIES_BY_NAME.get(asked, (asked,)) if name is None else tuple(dict.fromkeys(name))
    if unknown := [key for key in keys if (key,) not in PROPERTIES_BY_NAME.values()]:
        wanted = f"one of {', '.join(filter(None, PROPERTIES_BY_NAME))}"
        raise InputError(f"{unknown[0]} is unknown", where="--name" if name else "NAME", wanted=wanted)
    options = {"k": k, "bijection": bijection, "reading": None if reading == "default" else reading}
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if not {*keys} & {*READERS[option]}:
            wanted = " or ".join(READERS[option])
            raise InputError(f"it is given with {', '.join(keys)}", where=f"--{option}", wanted=wanted)
    if len(files) != 1 + ("stronger" in keys):
        wanted = "one, or two after stronger"
        raise InputError(f"the number of models is {len(files)}", where="MODEL", wanted=wanted)
    if bijection is not None:
        read_formula(bijection)
    title, answers = _properties(files, keys, given, max_rows)
    if len(keys) == 1 and name is None:
        return Reply.of(answers[0], lambda: [properties_sheet(title, answers)])
    reply = Reply.of_all(answers, lambda: [properties_sheet(title, answers)])
    verdicts = {answer.verdict for answer in answers}
    of_anonymity = 1 if "fails" in verdicts else 3 if verdicts == {"unsupported"} else 0
    return reply if name else replace(reply, status=of_anonymity if asked else 0)


def _properties(
    files: Sequence[str], keys: Sequence[str], options: Mapping[str, Any], max_rows: int
) -> tuple[str, list[Property]]:
    """Return the title of the model, or of both, and its properties; each gets of the options those that it reads."""
    from verifier.cli.reading import read_model, refuse_twice
    from verifier.cli.waiting import progress
    from verifier.engine import Engine
    from verifier.questions.properties import PROPERTIES, stronger

    refuse_twice(files)
    models = list(map(read_model, files))
    title = " against ".join(model.title for model in models)
    with about(" and ".join(model.path for model in models)):
        model = models[0]
        if len(models) > 1:
            return title, [stronger(model, models[1], options.get("reading", "default"), max_rows)]
        answers: list[Property] = []
        with progress(Engine(model, max_rows), len(model.secrets)) as (watched, tick):
            for done, key in enumerate(keys):
                tick(done, len(keys))
                own = {option: value for option, value in options.items() if key in READERS[option]}
                answers.append(PROPERTIES[key](model, watched, **own))
    return title, answers
