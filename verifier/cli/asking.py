"""The questions about a model, other than `pkdp check`: losses, acceptable normalizations and properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.cli.common import (
    Reply,
    about,
    write_certificate,
)
from verifier.cli.options import PROPERTIES_BY_NAME, Acceptable, Loss, PropertyOf
from verifier.cli.reading import read_model, refuse_twice
from verifier.cli.targets import read_subjects
from verifier.cli.waiting import progress
from verifier.definitions.answer import ALL_DIGITS
from verifier.engine import Engine
from verifier.errors import InCommand, InputError, UnsupportedError
from verifier.questions.properties import PROPERTIES, stronger
from verifier.questions.properties.bijection import read_formula
from verifier.recheck.documents import document_text, source_of
from verifier.show.answers import properties_sheet

if TYPE_CHECKING:
    from pathlib import Path

    from verifier.model import Model
    from verifier.questions.properties import Property


def loss(typed: Loss) -> Reply:
    """Answer what was typed."""
    if typed.definition is None and typed.delta is not None:
        raise InputError("--delta needs --definition", where=InCommand("pkdp loss"), wanted="both")
    if typed.definition is not None and (typed.record is not None or typed.values is not None):
        raise InputError(
            "--definition is given with --record or --values",
            where=InCommand("pkdp loss"),
            wanted="one of the two",
            tip="a definition determines the two distributions itself",
        )
    (subject,) = read_subjects([typed.file], typed.sets or (), way=typed.way, max_rows=typed.max_rows)
    with about(subject.path):
        if typed.definition is None:
            table = subject.losses(typed.record, typed.values)
        else:
            table = subject.losses_of(typed.definition, "0" if typed.delta is None else typed.delta)
    return Reply(
        lambda: table.to_json(typed.max_digits, typed.digits),
        lambda: subject.loss_sheets(table, typed.max_digits, typed.digits),
    )


def acceptable(typed: Acceptable) -> Reply:
    """Answer what was typed."""
    (subject,) = read_subjects(
        [typed.file],
        typed.sets or (),
        max_rows=typed.max_rows,
        options={"--certificate": typed.certificate is not None},
    )
    with about(subject.path):
        answers = subject.acceptable()
        if (certificate := typed.certificate) is not None:
            model = subject.model  # type: ignore[attr-defined]
            write_certificate(certificate, lambda: _acceptability_file(model, answers, certificate.parent))
    return Reply.of_all(answers, lambda: [subject.acceptable_sheet(answers)])


def _acceptability_file(model: Model, answers: Sequence[Any], beside: Path) -> str:
    """Return the text of a file with the answers, for a place `beside`, from which they are decided again.

    Raises:
        UnsupportedError: where the worlds of a normalization are too many to list.

    """
    if any(answer.described for answer in answers):
        raise UnsupportedError("no certificate: the worlds are too many to list", tip="ask about one record")
    source = source_of(model, beside)
    return document_text([{**answer.to_json(ALL_DIGITS), **source} for answer in answers])


READERS = {"k": ("k-anonymity",), "bijection": ("reducible",), "reading": ("reducible", "stronger")}
"""The properties that read each option of `pkdp property`."""


def property_(typed: PropertyOf) -> Reply:
    """Answer what was typed."""
    is_named = typed.name is None and (len(typed.arguments) > 1 or typed.arguments[0] in PROPERTIES_BY_NAME)
    asked, files = (typed.arguments[0], typed.arguments[1:]) if is_named else ("", typed.arguments)
    keys = PROPERTIES_BY_NAME.get(asked, (asked,)) if typed.name is None else tuple(dict.fromkeys(typed.name))
    if unknown := [key for key in keys if (key,) not in PROPERTIES_BY_NAME.values()]:
        wanted = f"one of {', '.join(filter(None, PROPERTIES_BY_NAME))}"
        raise InputError(f"{unknown[0]} is unknown", where="--name" if typed.name else "NAME", wanted=wanted)
    options = {
        "k": typed.k,
        "bijection": typed.bijection,
        "reading": None if typed.reading == "default" else typed.reading,
    }
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if not {*keys} & {*READERS[option]}:
            wanted = " or ".join(READERS[option])
            raise InputError(f"it is given with {', '.join(keys)}", where=f"--{option}", wanted=wanted)
    if len(files) != 1 + ("stronger" in keys):
        wanted = "one, or two after stronger"
        raise InputError(f"the number of models is {len(files)}", where="MODEL", wanted=wanted)
    if typed.bijection is not None:
        read_formula(typed.bijection)
    title, answers = _properties(files, keys, given, typed.max_rows)
    if len(keys) == 1 and typed.name is None:
        return Reply.of(answers[0], lambda: [properties_sheet(title, answers)])
    reply = Reply.of_all(answers, lambda: [properties_sheet(title, answers)])
    verdicts = {answer.verdict for answer in answers}
    of_anonymity = 1 if "fails" in verdicts else 3 if verdicts == {"unsupported"} else 0
    return reply if typed.name else replace(reply, status=of_anonymity if asked else 0)


def _properties(
    files: Sequence[str], keys: Sequence[str], options: Mapping[str, Any], max_rows: int
) -> tuple[str, list[Property]]:
    """Return the title of the model, or of both, and its properties; each gets of the options those that it reads."""
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
