"""`pkdp worst`, `pkdp best`: the mechanism that violates a definition most, or has the least loss, among all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifier.cli.common import Reply, about, write_file
from verifier.cli.reading import read_model
from verifier.cli.waiting import counting
from verifier.errors import InCommand, InputError
from verifier.model.table_files import loss_table
from verifier.recheck.documents import document_text
from verifier.wings.search.options import Best, Worst
from verifier.wings.search.sheets import best_sheet, price_sheet, worst_sheet
from verifier.wings.search.worst.best import best as find_best
from verifier.wings.search.worst.best import best_curve
from verifier.wings.search.worst.decide import worst as solve
from verifier.wings.search.worst.proof import best_document, worst_document
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


def best(typed: Best) -> Reply:
    """Answer what was typed."""
    assumed(typed.assuming or (), "--assuming")
    loss = loss_table(Path(typed.loss)) if typed.loss.endswith(".csv") else typed.loss
    model = read_model(typed.file, needs_mechanism=False)
    asked: dict[str, Any] = {"loss": loss, "of": typed.of, "value": typed.value, "worst": typed.worst}
    asked |= {"assuming": typed.assuming or (), "max_rows": typed.max_rows}
    with about(model.path), counting("linear programs"):
        if typed.over is not None:
            if typed.output is not None or typed.certificate is not None:
                problem = "--over asks for several mechanisms, and one is written"
                raise InputError(problem, where=InCommand("pkdp best"), wanted="one of them")
            answers = best_curve(model, epsilons=typed.over.split(","), **asked)
            if typed.plot is not None:
                write_file(typed.plot, answers.plot().alone, "the drawing")
            return Reply(
                lambda: [answer.to_json(digits=typed.digits) for answer in answers],
                lambda: [price_sheet(answers, typed.digits)],
            )
        answer = find_best(model, **asked)
    if typed.output is not None and answer.found is not None:
        write_file(typed.output, answer.found.text, "the model")
    if typed.plot is not None:
        write_file(typed.plot, answer.bars().alone, "the drawing")
    if typed.certificate is not None:
        text = document_text(best_document(answer, typed.certificate.parent))
        write_file(typed.certificate, text, "the certificate")
    return Reply(lambda: answer.to_json(digits=typed.digits), lambda: [best_sheet(answer, typed.digits)])


def _write(path: Path, option: str, text: str) -> None:
    if not text:
        raise InputError("nothing is compared, so that every mechanism is the worst", where=option, wanted="no file")
    write_file(path, text, "the model" if option == "--output" else "the certificate")
