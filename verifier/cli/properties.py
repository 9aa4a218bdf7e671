"""`pkdp property`, `reducible`, `stronger` and `anonymity`: questions about models without ε."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import DEFAULT_ROWS, AsJson, File, Format, MaxRows, Reading, about, check_format, print_answer
from verifier.errors import InputError

if TYPE_CHECKING:
    from verifier.questions.properties import Property


def property_(
    file: File,
    name: Annotated[list[str] | None, typer.Option(help="one property, or several (again); default: all")] = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Decide a property of a model that has no ε, such as Θ-reducibility (DMKB20, Definition 14)."""
    from verifier.cli.reading import read_model
    from verifier.engine import Engine
    from verifier.questions.properties import PROPERTIES

    check_format(kind)
    unknown = [key for key in name or () if key not in PROPERTIES]
    if unknown:
        raise InputError(f"given {unknown[0]}", where="--name", wanted=f"one of {', '.join(PROPERTIES)}")
    model = read_model(file)
    engine = Engine(model, max_rows)
    with about(model.path):
        answers = [PROPERTIES[key](model, engine) for key in dict.fromkeys(name or PROPERTIES)]
    status = _show(model.title, answers, kind, as_json=as_json, alone=False)
    return status if name else 0


def reducible(
    file: File,
    bijection: Annotated[str | None, typer.Option(help='check a formula: "O + sum(w*(y - x))"')] = None,
    reading: Reading = "default",
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Decide whether the mechanism is Θ-reducible, or a formula is its bijection (DMKB20, Definition 14).

    In a formula O is the output, n the number of records, k the number of known ones, M1 and M2 the mechanism on the
    known records alone; in sum(…) and prod(…) over the known records x and y are the values in B1 and B2, w the weight.
    """
    from verifier.cli.reading import read_model
    from verifier.engine import Engine
    from verifier.questions.properties import check_bijection
    from verifier.questions.properties import reducible as decide
    from verifier.questions.properties.formula import read_formula

    check_format(kind)
    if bijection is not None:
        read_formula(bijection)
    model = read_model(file)
    engine = Engine(model, max_rows)
    with about(model.path):
        answer = (
            decide(model, engine, reading) if bijection is None else check_bijection(model, bijection, reading, engine)
        )
    return _show(model.title, [answer], kind, as_json=as_json, alone=True)


def stronger(
    first: Annotated[str, typer.Argument(metavar="MODEL_1", help="the model that is to have more knowledge")],
    second: Annotated[str, typer.Argument(metavar="MODEL_2", help="the model with less knowledge")],
    reading: Reading = "default",
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: MaxRows = DEFAULT_ROWS,
) -> int:
    """Decide whether the attacker of the first model has more background knowledge (DMKB20, Definition 9)."""
    from verifier.cli.reading import read_model, refuse_twice
    from verifier.questions.properties import stronger as decide

    check_format(kind)
    refuse_twice([first, second])
    first_model, second_model = read_model(first), read_model(second)
    with about(f"{first_model.path} and {second_model.path}"):
        answer = decide(first_model, second_model, reading, max_rows)
    return _show(f"{first_model.title} against {second_model.title}", [answer], kind, as_json=as_json, alone=True)


def _show(title: str, answers: Sequence[Property], kind: str, *, as_json: bool, alone: bool) -> int:
    from verifier.show.properties import properties_sheet

    objects = [answer.to_json() for answer in answers]
    print_answer(
        lambda: objects[0] if alone else objects, lambda: [properties_sheet(title, answers)], kind, as_json=as_json
    )
    return max(answer.exit_status for answer in answers)


def anonymity(
    file: File,
    k: Annotated[int | None, typer.Option("--k", help="default: the mechanism's own, else 2")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list on standard output")] = False,  # noqa: FBT002
    kind: Format = "table",
) -> int:
    """Decide whether all outputs are k-anonymous, and the recoding is strongly safe (LQS12, Definitions 3.6, 3.7).

    `pkdp check --definition safe` decides ε-safety. Exit status: 1 where one of the two fails, 3 where both are
    unsupported.
    """
    from verifier.cli.reading import read_model
    from verifier.questions.properties.anonymity import k_anonymity, strongly_safe
    from verifier.show.properties import anonymity_sheet

    check_format(kind)
    model = read_model(file)
    with about(model.path):
        answers = [k_anonymity(model, k), strongly_safe(model)]
    print_answer(
        lambda: [answer.to_json() for answer in answers],
        lambda: [anonymity_sheet(model.title, answers)],
        kind,
        as_json=as_json,
    )
    verdicts = {answer.verdict for answer in answers}
    return 1 if "fails" in verdicts else 3 if verdicts == {"unsupported"} else 0
