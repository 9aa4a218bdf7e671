"""`pkdp worst`: the mechanism that violates one definition most, among all that satisfy others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.cli.common import Certificate, Digits, Reply, about, file_to_write, models_that_begin, write_file
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.numbers import DIGITS

DEFAULT_ROWS = 1 << 14
MODEL = "a model file (pkdp examples --guide format); its mechanism plays no part, and may be left out"


def worst(
    file: Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)],
    maximise: Annotated[str, typer.Option(help='the number that is made as large as possible: "cdp delta at ln(2)"')],
    assuming: Annotated[
        list[str] | None,
        typer.Option(help='what the mechanism has to satisfy: "np(ln(2), 1/10)"; again for more'),
    ] = None,
    outputs: Annotated[
        int | None, typer.Option(min=2, help="allow at most so many outputs; default: any number")
    ] = None,
    output: Annotated[
        Path | None,
        file_to_write("--output", "write the model with the worst mechanism to this file", replaces="nothing"),
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
    from verifier.cli.reading import read_model
    from verifier.recheck.documents import document_text
    from verifier.wings.search.sheets import worst_sheet
    from verifier.wings.search.worst.decide import worst as solve
    from verifier.wings.search.worst.proof import worst_document
    from verifier.wings.search.worst.question import assumed, objective

    assumed(assuming or (), "--assuming")
    objective(maximise, "--maximise")
    model = read_model(file, needs_mechanism=False)
    with about(model.path), counting("linear programs") as tick:
        answer = solve(model, assuming=assuming or (), maximise=maximise, outputs=outputs, max_rows=max_rows, tick=tick)
    if output is not None:
        _write(output, "--output", answer.found.text if answer.found else "")
    if certificate is not None:
        text = document_text(worst_document(answer, certificate.parent)) if answer.form else ""
        _write(certificate, "--certificate", text)
    return Reply(lambda: answer.to_json(digits=digits), lambda: [worst_sheet(answer, digits)])


def _write(path: Path, option: str, text: str) -> None:
    if not text:
        raise InputError("nothing is compared, so that every mechanism is the worst", where=option, wanted="no file")
    write_file(path, text, "the model" if option == "--output" else "the certificate")
