"""`pkdp worst`: the mechanism that violates one definition most, among all that satisfy others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import Certificate, Digits, Reply, about, file_to_write, write_file
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.numbers import DIGITS, plural

if TYPE_CHECKING:
    from verifier.show.sheet import Sheet
    from verifier.wings.search.worst import Worst

DEFAULT_ROWS = 1 << 14
MODEL = "a model file (pkdp guide format); its mechanism plays no part, and may be left out"


def worst(
    file: Annotated[str, typer.Argument(metavar="MODEL", help=MODEL)],
    maximise: Annotated[str, typer.Option(help='the number that is made as large as possible: "cdp delta at ln(2)"')],
    assuming: Annotated[
        list[str] | None,
        typer.Option(help='what the mechanism has to satisfy: "np(ln(2), 1/10)"; again for more'),
    ] = None,
    outputs: Annotated[
        int | None, typer.Option(min=2, help="allow at most so many outputs; default: any number")
    ] = None,
    output: Annotated[
        Path | None, file_to_write("--output", "write the model with the worst mechanism to this file")
    ] = None,
    certificate: Certificate = None,
    max_rows: Annotated[int, typer.Option(min=1, help="most worlds, pairs or sums to list")] = DEFAULT_ROWS,
    digits: Digits = DIGITS,
) -> Reply:
    """Find the mechanism that violates one definition most, among all that satisfy others, for the model's θ and B.

    MODEL says who may have which values (θ) and what the attacker knows (B). The definitions are dp, np, apkdp, ppkdp
    and cdp, or linear ones of DP22 such as osdp, at an ε of the form ln(p/q). The optimum is exact, and the multipliers
    of a linear program prove it.

    pkdp worst MODEL --assuming "np(ln(2))" --maximise "cdp delta at ln(2)"
    """
    from verifier.cli.reading import read_data
    from verifier.wings.search.certificates import worst_file
    from verifier.wings.search.worst import worst as solve
    from verifier.wings.search.worst_question import assumed, objective

    assumed(assuming or (), "--assuming")
    objective(maximise, "--maximise")
    model = read_data(file)
    with about(model.path), counting("linear programs") as tick:
        answer = solve(model, assuming=assuming or (), maximise=maximise, outputs=outputs, max_rows=max_rows, tick=tick)
    if output is not None:
        _write(output, "--output", answer.found.text if answer.found else "")
    if certificate is not None:
        _write(certificate, "--certificate", worst_file(answer, certificate.parent) if answer.form else "")
    return Reply(lambda: answer.to_json(digits=digits), lambda: [sheet_of(answer, digits)])


def _write(path: Path, option: str, text: str) -> None:
    if not text:
        raise InputError("nothing is compared, so that every mechanism is the worst", where=option, wanted="no file")
    write_file(path, text, "the model" if option == "--output" else "the certificate")


def sheet_of(answer: Worst, digits: int = 12) -> Sheet:
    """The worst mechanism as a table, with the optimum and its proof in notes below."""
    from verifier.model import database_text
    from verifier.numbers import exact_text, with_decimal
    from verifier.show.sheet import Sheet

    assumptions = " and ".join(map(str, answer.assuming)) or "nothing"
    title, asked = (
        "The worst mechanism",
        f"{answer.model.title}: the largest δ of {answer.definition} at {answer.epsilon}",
    )
    asked += f", assuming {assumptions}"
    if answer.form is None:
        note = f"{answer.definition} compares nothing for this θ: it is vacuous for every mechanism."
        return Sheet(title, ("database",), (), notes=(asked, note))
    rows = tuple(
        (database_text(d, answer.model.values), *(exact_text(x, 60) for x in law))
        for d, law in answer.mechanism.items()
    )
    theta, record, a, b, known, direction, first = answer.form.place
    words = [f'"{theta}"' if theta is not None else "", f"record {record}" if record is not None else "S"]
    words += [f"{a} against {b}", f"B = {known}" if known not in {None, "\x00"} else "", str(direction or "")]
    words += [f"from the database {first}" if first else ""]
    if a is None:  # a row of DP22's scheme is named by its words
        words = [str(direction)]
    compared = "; ".join(
        f"{statement} compares nothing" if not number else f"{statement}: {plural(number, 'comparison')}"
        for statement, number in zip(answer.assuming, answer.compared, strict=True)
    )
    average = len(answer.form.parts) > 1
    digits_say = "the k-th digit of an output says" if average else "output 1 says"
    at = f"at {', '.join(word for word in words if word)}"
    used = plural(sum(len(program.multipliers) for program in answer.proofs), "multiplier")
    programs = plural(len(answer.proofs), "linear program")
    notes = (
        asked,
        f"{digits_say} whether it is in the event that the comparison {'has for the k-th B̂' if average else 'counts'}",
        f"optimum: {with_decimal(answer.optimum, digits=digits)}, {at}",
        *([f"assumed: {compared}"] if compared else []),
        f"proof: {programs}, {used}, added up again by the independent replay",
        answer.claim,
    )
    return Sheet(title, ("database", *(f"P[{label}]" for label in answer.labels)), rows, notes=notes)
