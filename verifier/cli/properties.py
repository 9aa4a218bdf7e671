"""`pkdp property`, `pkdp reducible` and `pkdp stronger`: questions about models without ε."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import (
    DEFAULT_ROWS,
    AsJson,
    File,
    Format,
    MaxRows,
    Reading,
    about,
    as_text,
    check_format,
    print_sheets,
)
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
    from verifier.engine import Engine
    from verifier.model import read
    from verifier.questions.properties import PROPERTIES

    check_format(kind)
    unknown = [one for one in name or () if one not in PROPERTIES]
    if unknown:
        raise InputError(f"given {unknown[0]}", where="--name", wanted=f"one of {', '.join(PROPERTIES)}")
    model = read(file)
    engine = Engine(model, max_rows)
    with about(file):
        answers = [PROPERTIES[one](model, engine) for one in dict.fromkeys(name or PROPERTIES)]
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

    In a formula O is the output, n the number of records, k that of the known ones, M1 and M2 the mechanism on the
    known records alone; in sum(…) and prod(…) over the known records x and y are the values in B1 and B2, w the weight.
    """
    from verifier.engine import Engine
    from verifier.model import read
    from verifier.questions.properties import check_bijection
    from verifier.questions.properties import reducible as decide
    from verifier.questions.properties.formula import read_formula

    check_format(kind)
    if bijection is not None:
        read_formula(bijection)
    model = read(file)
    engine = Engine(model, max_rows)
    with about(file):
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
    from verifier.model import read
    from verifier.questions.properties import stronger as decide

    check_format(kind)
    one, two = read(first), read(second)
    with about(f"{first} and {second}"):
        answer = decide(one, two, reading, max_rows)
    return _show(f"{one.title} against {two.title}", [answer], kind, as_json=as_json, alone=True)


def _show(title: str, answers: Sequence[Property], kind: str, *, as_json: bool, alone: bool) -> int:
    if as_json:
        objects = [one.to_json() for one in answers]
        typer.echo(as_text(objects[0] if alone else objects))
    else:
        from verifier.show.properties import properties_sheet

        print_sheets([properties_sheet(title, answers)], kind)
    return max(one.exit_status for one in answers)
