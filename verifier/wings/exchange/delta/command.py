"""`pkdp exchange A B MODEL --epsilon E --delta D`: the smallest δ′ of B as a function of ε′, over all mechanisms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from verifier.cli.common import Reply, about, write_certificate, write_file
from verifier.cli.waiting import counting
from verifier.errors import InputError


def reply_about_delta(
    source: str,
    target: str,
    file: str,
    epsilon: list[str],
    delta: str,
    asked: list[str],
    sets: list[str],
    certificate: Path | None,
    plot: Path | None,
    max_rows: int,
    digits: int,
) -> Reply:
    """Draw and certify the smallest δ′ as a function of ε′, and at each ε′ that is `asked`; and return it."""
    from verifier.numbers import delta_bound
    from verifier.numbers import epsilon as read_epsilon
    from verifier.wings.exchange.delta.certificate import CURVES_OF_DELTA
    from verifier.wings.exchange.delta.decide import exchange_delta, refuse_infinite
    from verifier.wings.exchange.delta.sheets import delta_sheets
    from verifier.wings.exchange.models import read_models

    if len(epsilon) != 1:
        raise InputError(f"given {len(epsilon)} ε", where="--delta", wanted="one --epsilon")
    bound = refuse_infinite(read_epsilon(epsilon[0], "--epsilon"), "--epsilon")
    allowed = delta_bound(delta, "--delta")
    places = [read_epsilon(text, "--epsilon-b") for text in asked]
    models = read_models(file, sets)
    if len(models) > 1:
        raise InputError(
            f"given {len(models)} models", where="--set", wanted="one value of each parameter with --delta"
        )
    model = models[0][1]
    with about(model.label), counting("linear programs") as tick:
        answer = exchange_delta(model, source, target, epsilon=bound, delta=allowed, max_rows=max_rows, tick=tick)
    answer = replace(answer, asked=tuple(places))
    if certificate is not None:
        write_certificate(certificate, lambda: CURVES_OF_DELTA.file(answer, certificate.parent))
    if plot is not None:
        if not answer.pieces:
            raise InputError(f"no drawing: {answer.reason}", where="--plot", wanted="a δ′ that is computed")
        from verifier.wings.exchange.plots import delta_plot

        write_file(plot, delta_plot(answer) + "\n", "the drawing")
    return Reply.of(answer, lambda: delta_sheets(answer, digits), digits)
