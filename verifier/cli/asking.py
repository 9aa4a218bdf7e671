"""The questions about a model, other than `pkdp check`: losses, acceptable normalizations, properties and laws."""

from __future__ import annotations

import tomllib
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
from verifier.errors import InputError
from verifier.numbers import DIGITS, MAX_DIGITS

if TYPE_CHECKING:
    from verifier.model import Model
    from verifier.questions.laws import LawTest

WANTED = {
    "post-processing": ("then", "then = [ content, … ]"),
    "convexity": ("mechanism", "[mechanism]; another model file has one"),
    "sequential": ("mechanism", "[mechanism]; another model file has one"),
    "parallel": ("parts", "parts = [ { records = [0, 1], of = { … } }, … ]"),
}
"""For each law: the key that the second file must have, and how it is written."""


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
            from verifier.questions.normalization.certificate import acceptability_file

            model = subject.model  # type: ignore[attr-defined]
            write_certificate(certificate, lambda: acceptability_file(model, beside=certificate.parent))
    return Reply.of_all(answers, lambda: [subject.acceptable_sheet(answers)])


def property_(
    file: File,
    name: Annotated[list[str] | None, typer.Option(help="one property, or several (again); default: all")] = None,
    max_rows: MaxRows = DEFAULT_ROWS,
) -> Reply:
    """Decide a property of a model that has no ε, such as Θ-reducibility (DMKB20, Definition 14)."""
    from verifier.cli.reading import read_model
    from verifier.cli.waiting import progress
    from verifier.engine import Engine
    from verifier.questions.properties import PROPERTIES
    from verifier.show.answers import properties_sheet

    unknown = [key for key in name or () if key not in PROPERTIES]
    if unknown:
        raise InputError(f"{unknown[0]} is unknown", where="--name", wanted=f"one of {', '.join(PROPERTIES)}")
    model = read_model(file)
    engine = Engine(model, max_rows)
    with about(model.path):
        names, answers = list(dict.fromkeys(name or PROPERTIES)), []
        with progress(engine, len(model.secrets)) as (watched, tick):
            for done, key in enumerate(names):
                tick(done, len(names))
                answers.append(PROPERTIES[key](model, watched))
    reply = Reply.of_all(answers, lambda: [properties_sheet(model.title, answers)])
    return reply if name else replace(reply, status=0)


def reducible(
    file: File,
    bijection: Annotated[str | None, typer.Option(help='check a formula: "O - M1 + M2"')] = None,
    reading: Reading = "default",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> Reply:
    """Decide whether the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition 14).

    In a formula O is the output, n the number of records, M1 and M2 the mechanism on the known records alone, with
    their values in B1 and in B2; x3 and y3 are the values of the known record 3 in B1 and in B2.
    """
    from verifier.cli.reading import read_model
    from verifier.engine import Engine
    from verifier.questions.properties import check_bijection
    from verifier.questions.properties import reducible as decide
    from verifier.questions.properties.bijection import read_formula
    from verifier.show.answers import properties_sheet

    if bijection is not None:
        read_formula(bijection)
    model = read_model(file)
    engine = Engine(model, max_rows)
    with about(model.path):
        answer = (
            decide(model, engine, reading) if bijection is None else check_bijection(model, bijection, reading, engine)
        )
    return Reply.of(answer, lambda: [properties_sheet(model.title, [answer])])


def stronger(
    first: Annotated[
        str,
        typer.Argument(
            metavar="MODEL_1", help="the model that is to have more knowledge", autocompletion=models_that_begin
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(metavar="MODEL_2", help="the model with less knowledge", autocompletion=models_that_begin),
    ],
    reading: Reading = "default",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> Reply:
    """Decide whether the attacker of the first model has more background knowledge (DMKB20, Definition 9)."""
    from verifier.cli.reading import read_model, refuse_twice
    from verifier.questions.properties import stronger as decide
    from verifier.show.answers import properties_sheet

    refuse_twice([first, second])
    first_model, second_model = read_model(first), read_model(second)
    with about(f"{first_model.path} and {second_model.path}"):
        answer = decide(first_model, second_model, reading, max_rows)
    title = f"{first_model.title} against {second_model.title}"
    return Reply.of(answer, lambda: [properties_sheet(title, [answer])])


def anonymity(
    file: File,
    k: Annotated[int | None, typer.Option("--k", help="default: the mechanism's own, else 2")] = None,
) -> Reply:
    """Decide whether all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).

    `pkdp check --definition safe` decides ε-safety. Exit status: 1 where one of the two fails, 3 where both are
    unsupported.
    """
    from verifier.cli.reading import read_model
    from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
    from verifier.show.answers import anonymity_sheet

    model = read_model(file)
    with about(model.path):
        answers = [k_anonymity(model, k), strongly_safe(model)]
    verdicts = {answer.verdict for answer in answers}
    status = 1 if "fails" in verdicts else 3 if verdicts == {"unsupported"} else 0
    return replace(Reply.of_all(answers, lambda: [anonymity_sheet(model.title, answers)]), status=status)


def law(
    name: Annotated[str, typer.Argument(metavar="LAW", help=", ".join(WANTED))],
    file: File,
    beside: Annotated[str, typer.Option("--with", help="a file with `then`, `[mechanism]` or `parts`")],
    definition: Annotated[str, typer.Option(help="one definition")],
    epsilon: Annotated[
        list[str] | None, typer.Option(help="left out: at every ε; for sequential twice, one for each mechanism")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="convexity: the probability of the model's mechanism")] = None,
    reading: Reading = "default",
) -> Reply:
    """Test an axiom on a model: post-processing, convexity or composition (pkdp axioms has them for all models).

    Exit status: 0 kept, 1 broken, 3 the axiom does not apply here.
    """
    from verifier.cli.reading import read_model
    from verifier.definitions import find
    from verifier.show.answers import law_sheet

    if name not in WANTED:
        raise InputError(f"{name} is unknown", where="LAW", wanted=f"one of {', '.join(WANTED)}")
    with about("--definition"):
        find(definition)
    if weight is not None and name != "convexity":
        raise InputError(f"{name} has no weight", where="--weight", wanted="convexity")
    epsilons = epsilon or []
    if len(epsilons) not in ({0, 2} if name == "sequential" else {0, 1}):
        wanted = "none, or two" if name == "sequential" else "none, or one"
        raise InputError(f"the number of ε is {len(epsilons)}", where="--epsilon", wanted=wanted)
    model = read_model(file)
    content = _content(beside, *WANTED[name])
    with about(f"{model.path} with {beside}"):
        test = _test(name, model, content, definition, epsilons, weight, reading)
    return Reply.of(test, lambda: [law_sheet(test)])


def _content(path: str, key: str, wanted: str) -> Any:
    """Return the value of a key in the second file.

    Raises:
        InputError: where the file is no TOML, or has no such key.

    """
    from verifier.machine.files import text_of
    from verifier.model.toml import refuse_attacks
    from verifier.numbers import DecimalLiteral

    try:
        text = text_of(path, "a TOML file")
        refuse_attacks(text, path)
        table = tomllib.loads(text, parse_float=DecimalLiteral)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the text is not valid TOML: {error}", where=path, wanted="a TOML file") from None
    if key not in table:
        raise InputError(f"the key `{key}` is missing", where=path, wanted=wanted)
    return table[key]


def _test(
    name: str, model: Model, content: Any, definition: str, epsilons: list[str], weight: str | None, reading: str
) -> LawTest:
    from verifier.model.keys import Keys, Location, listed
    from verifier.questions.laws import keeps_convexity, keeps_parallel, keeps_post_processing, keeps_sequential

    options: dict[str, Any] = {"reading": reading}
    if name == "sequential":
        pair = (epsilons[0], epsilons[1]) if epsilons else None
        return keeps_sequential(model, definition, content, epsilons=pair, **options)
    options["epsilon"] = epsilons[0] if epsilons else None
    if name == "convexity":
        return keeps_convexity(model, definition, content, weight=weight or "1/2", **options)
    if name == "post-processing":
        return keeps_post_processing(
            model, definition, *listed(content, Location("", ("then",)), "a list of steps"), **options
        )
    components = []
    for number, component in enumerate(listed(content, Location("", ("parts",)), "a list of parts"), start=1):
        keys = Keys(component, Location("", (f"part {number}",)), "a part such as { records = [0, 1], of = { … } }")
        components.append((keys.take("records"), keys.take("of")))
        keys.done()
    return keeps_parallel(model, definition, components, **options)
