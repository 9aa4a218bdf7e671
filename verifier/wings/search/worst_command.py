"""`pkdp worst`: the mechanism that violates one definition most, among all that satisfy others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import AsJson, Format, about, as_text, check_format, print_sheets
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.machine.files import refuse_file, write_whole

if TYPE_CHECKING:
    from verifier.show.sheet import Sheet
    from verifier.wings.search.worst import Worst

DEFAULT_ROWS = 1 << 14


def worst(
    file: Annotated[
        str, typer.Argument(metavar="MODEL", help="a model file (pkdp guide format); its mechanism is left out")
    ],
    maximise: Annotated[str, typer.Option(help='what is made large: "cdp delta at ln(2)"')],
    assuming: Annotated[list[str] | None, typer.Option(help='"np(epsilon=ln(2), delta=1/10)"; again for more')] = None,
    outputs: Annotated[
        int | None, typer.Option(min=2, help="allow at most so many outputs; default: any number")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="write the model with the worst mechanism to this file")] = None,
    certificate: Annotated[Path | None, typer.Option(help="write the certificate to this file")] = None,
    as_json: AsJson = False,  # noqa: FBT002
    kind: Format = "table",
    max_rows: Annotated[int, typer.Option(min=1, help="refuse models with more worlds than this")] = DEFAULT_ROWS,
    digits: Annotated[int, typer.Option(min=1, max=1000, help="significant digits of decimals")] = 12,
) -> None:
    """Find the mechanism that violates one definition most, among all that satisfy others, for the model's θ and B.

    dp, np, apkdp, ppkdp and cdp at ε = ln(p/q); an exact linear program, with multipliers that prove its optimum.
    """
    from verifier.model import read
    from verifier.wings.search.asked import assumed, objective
    from verifier.wings.search.certificates import worst_file
    from verifier.wings.search.worst import worst as solve

    check_format(kind)
    refuse_file(output, "--output")
    refuse_file(certificate, "--certificate")
    assumed(assuming or (), "--assuming")
    objective(maximise, "--maximise")
    model = read(file)
    with about(file), counting("linear programs") as tick:
        answer = solve(model, assuming=assuming or (), maximise=maximise, outputs=outputs, max_rows=max_rows, tick=tick)
    if output is not None:
        _write(output, "--output", answer.found.text if answer.found else "")
    if certificate is not None:
        _write(certificate, "--certificate", worst_file(answer, certificate.parent) if answer.form else "")
    if as_json:
        typer.echo(as_text(answer.to_json(digits)))
    else:
        print_sheets([sheet_of(answer, digits)], kind)


def _write(path: Path, option: str, text: str) -> None:
    if not text:
        raise InputError("nothing is compared, so that every mechanism is the worst", where=option, wanted="no file")
    write_whole(path, text)


def sheet_of(answer: Worst, digits: int = 12) -> Sheet:
    """The worst mechanism as a table, with what is proved of it below."""
    from verifier.numbers import decimal_of, exact_text
    from verifier.show.sheet import Sheet

    given = " and ".join(map(str, answer.assuming)) or "nothing"
    title, asked = (
        "The worst mechanism",
        f"{answer.model.title}: the largest δ of {answer.definition} at {answer.epsilon}",
    )
    asked += f", assuming {given}"
    if answer.form is None:
        note = f"{answer.definition} compares nothing for this θ: it is vacuous for every mechanism."
        return Sheet(title, ("database",), (), notes=(asked, note))
    rows = tuple(
        (", ".join(str(one) for one in answer.model.shown(d)), *(exact_text(x, 60) for x in law))
        for d, law in answer.mechanism.items()
    )
    theta, record, a, b, known, direction, first = answer.form.place
    words = [f'"{theta}"' if theta is not None else "", f"record {record}" if record is not None else "S"]
    words += [f"{a} against {b}", f"B = {known}" if known not in {None, "\x00"} else "", str(direction or "")]
    words += [f"from the database {first}" if first else ""]
    compared = "; ".join(
        f"{one} compares nothing" if not number else f"{one}: {number} comparisons"
        for one, number in zip(answer.assuming, answer.compared, strict=True)
    )
    average = len(answer.form.parts) > 1
    said = "the k-th digit of an output says" if average else "output 1 says"
    at = f"at {', '.join(word for word in words if word)}"
    used = sum(len(one.multipliers) for one in answer.proofs)
    notes = (
        asked,
        f"{said} whether it is in the event that the comparison {'has for the k-th B̂' if average else 'counts'}",
        f"optimum: {exact_text(answer.optimum)} ({decimal_of(answer.optimum, digits)}), {at}",
        *([f"assumed: {compared}"] if compared else []),
        f"proof: {len(answer.proofs)} linear programs, {used} multipliers, added up again by the independent replay",
        answer.claim,
    )
    return Sheet(title, ("database", *(f"P[{label}]" for label in answer.labels)), rows, notes=notes)
