"""`pkdp worst`: the mechanism that violates one definition most, among all that satisfy others."""

from __future__ import annotations

from pathlib import Path

from verifier.cli.common import Reply, about, write_file
from verifier.cli.reading import read_model
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.evidence.documents import document_text
from verifier.wings.search.options import Worst
from verifier.wings.search.sheets import worst_sheet
from verifier.wings.search.worst.decide import worst as solve
from verifier.wings.search.worst.proof import worst_document
from verifier.wings.search.worst.question import assumed, objective


def worst(typed: Worst) -> Reply:
    """Answer what was typed."""
    assumed(typed.assuming or (), "--assuming")
    objective(typed.maximise, "--maximise")
    model = read_model(typed.file, needs_mechanism=False)
    with about(model.path), counting("linear programs") as tick:
        answer = solve(
            model,
            assuming=typed.assuming or (),
            maximise=typed.maximise,
            outputs=typed.outputs,
            max_rows=typed.max_rows,
            tick=tick,
        )
    if typed.output is not None:
        _write(typed.output, "--output", answer.found.text if answer.found else "")
    if typed.certificate is not None:
        text = document_text(worst_document(answer, typed.certificate.parent)) if answer.form else ""
        _write(typed.certificate, "--certificate", text)
    return Reply(lambda: answer.to_json(digits=typed.digits), lambda: [worst_sheet(answer, typed.digits)])


def _write(path: Path, option: str, text: str) -> None:
    if not text:
        raise InputError("nothing is compared, so that every mechanism is the worst", where=option, wanted="no file")
    write_file(path, text, "the model" if option == "--output" else "the certificate")
