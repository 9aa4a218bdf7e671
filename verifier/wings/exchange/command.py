"""`pkdp convert`: the rate at which one definition's guarantee turns into another's, over all mechanisms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli.common import (
    Certificate,
    Digits,
    Format,
    Reply,
    Sets,
    about,
    definitions_that_begin,
    file_to_write,
    models_that_begin,
    write_certificate,
    write_file,
)
from verifier.cli.waiting import counting
from verifier.errors import InputError
from verifier.numbers import DIGITS
from verifier.wings.exchange import MAX_WORLDS

if TYPE_CHECKING:
    from verifier.wings.exchange.curve.answer import Curve

MODEL = "a model file (pkdp examples --guide format); its mechanism plays no part, and may be left out"
AGAIN = 'the ε of A, above 0, or with --delta from 0 on: "ln(p/q)"; again for one row each'
CURVE = 'the rate as a function of ε: "all", or a range "ln(3/2)..ln(4)"'
DELTA = "the δ of A, a rational: the smallest δ′ of B as a function of ε′"
EPSILON_B = "with --delta: the smallest δ′ of B at this ε′ too; again for one row each"
OVER = "the rate as a function of this parameter of the file, at one ε"


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="A", help="the definition that every mechanism satisfies", autocompletion=definitions_that_begin
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="B", help="the definition that is asked about", autocompletion=definitions_that_begin),
    ],
    file: Annotated[str, typer.Argument(metavar="MODEL", help=MODEL, autocompletion=models_that_begin)],
    epsilon: Annotated[list[str] | None, typer.Option(help=AGAIN)] = None,
    delta: Annotated[str | None, typer.Option(help=DELTA)] = None,
    epsilon_b: Annotated[list[str] | None, typer.Option(help=EPSILON_B)] = None,
    curve: Annotated[str | None, typer.Option(metavar="RANGE", help=CURVE)] = None,
    over: Annotated[str | None, typer.Option(metavar="PARAMETER", help=OVER)] = None,
    sets: Sets = None,
    kind: Format = "table",
    certificate: Certificate = None,
    plot: Annotated[Path | None, file_to_write("--plot", "draw the rates into this .svg file")] = None,
    max_rows: Annotated[int, typer.Option(min=1, help="most worlds, pairs or sums to list")] = MAX_WORLDS,
    digits: Digits = DIGITS,
) -> Reply:
    """Turn one definition's guarantee into another's: the smallest ε′ for which every ε-A mechanism is ε′-B.

    For the model's θ and B, over all mechanisms; exact, with multipliers as proof and a mechanism that attains it.
    A and B ask P[o] ≤ e^(c·ε)·Q[o] of each output o, as np and cdp do, and many of DP22. With a parameter,
    --set p=1/7 again for one row each; --curve all and --over p give the rate as a function, piece by piece, as closed
    forms. With --delta D, over all mechanisms that are (E, D)-A, the smallest δ′ of B as a function of ε′, for
    hockey-stick definitions.
    """
    from verifier.definitions import find

    if plot is not None and plot.suffix != ".svg":
        raise InputError(f"{plot.name} does not end in .svg", where="--plot", wanted="a file that ends in .svg")
    for name in (source, target):
        find(name)
    if epsilon_b and delta is None:
        raise InputError("--epsilon-b needs --delta", wanted="both", tip="--delta 0 asks about A without a δ")
    if delta is not None:
        if curve is not None or over is not None:
            raise InputError(
                f"--delta does not go with --{'over' if curve is None else 'curve'}", wanted="one of the two"
            )
        if not epsilon:
            raise InputError("the option '--epsilon' is missing", tip="pkdp convert --help")

        asked = epsilon_b or []
        return reply_about_delta(
            source, target, file, epsilon, delta, asked, sets or [], certificate, plot, max_rows, digits
        )
    if curve is not None or over is not None:
        answer = _function(source, target, file, epsilon or [], (curve, over), sets or [], max_rows)
        return _curve(answer, kind, certificate, plot, digits, sets or [])
    if not epsilon:
        raise InputError("the option '--epsilon' is missing", tip="pkdp convert --help")
    return _rows(source, target, file, epsilon, sets or [], certificate, plot, max_rows, digits)


def _function(
    source: str,
    target: str,
    file: str,
    epsilon: list[str],
    ranges: tuple[str | None, str | None],
    sets: list[str],
    max_rows: int,
) -> Curve:
    """The rate as a function of ε, or of a parameter."""
    from verifier.cli.reading import fixed, read_source
    from verifier.model.parameters import Family
    from verifier.wings.exchange.curve.decide import convert_curve
    from verifier.wings.exchange.models import one_model

    curve, over = ranges
    if curve is not None and (over is not None or epsilon):
        raise InputError(
            f"--curve does not go with --{'over' if over is not None else 'epsilon'}", wanted="one of the two"
        )
    if curve is not None:
        low, dots, high = curve.partition("..")
        if curve != "all" and not dots:
            raise InputError(f"{curve} is not a range", where="--curve", wanted='"all", or a range "ln(3/2)..ln(4)"')
        model = one_model(file, sets, "for a curve")
        with about(model.label), counting("rows") as tick:
            ends = (low, high) if dots else None
            return convert_curve(model, source, target, range_of_epsilon=ends, max_rows=max_rows, tick=tick)
    if len(epsilon) != 1:
        raise InputError(f"there are {len(epsilon)} ε", where="--over", wanted="one --epsilon")
    family = fixed(read_source(file), sets)
    if not isinstance(family, Family) or family.names != (over,):
        names = ", ".join(family.names) if isinstance(family, Family) else "none"
        problem = f"{over} is not the only parameter without a value"
        raise InputError(problem, where="--over", wanted="one such parameter", tip=f"without a value: {names}")
    with about(family.label), counting("rows") as tick:
        return convert_curve(family, source, target, epsilon=epsilon[0], max_rows=max_rows, tick=tick)


def _curve(
    answer: Curve, kind: str, certificate: Path | None, plot: Path | None, digits: int, sets: list[str]
) -> Reply:
    """Draw and certify a rate as a function, and return it."""
    from verifier.wings.exchange.sheets import curve_sheets

    if certificate is not None:
        from verifier.wings.exchange.certificates import CURVES
        from verifier.wings.exchange.models import set_values

        write_certificate(certificate, lambda: CURVES.file(answer, certificate.parent, set_values(sets)))
    if plot is not None and not answer.cells:
        raise InputError(f"there is no drawing: {answer.reason}", where="--plot", wanted="a rate that is computed")
    if plot is not None:
        from verifier.wings.exchange.plots import curve_plot

        write_file(plot, curve_plot(answer).alone, "the drawing")
    return Reply.of(answer, lambda: curve_sheets(answer, typeset=kind == "latex"), digits)


def _rows(
    source: str,
    target: str,
    file: str,
    epsilon: list[str],
    sets: list[str],
    certificate: Path | None,
    plot: Path | None,
    max_rows: int,
    digits: int,
) -> Reply:
    """Return a row for each ε and each value of a parameter; as JSON an object for each."""
    from verifier.numbers import epsilon as read_epsilon
    from verifier.wings.exchange.models import read_models
    from verifier.wings.exchange.rate import convert as solve
    from verifier.wings.exchange.rate import refuse_epsilon
    from verifier.wings.exchange.sheets import exchange_sheets

    asked = [refuse_epsilon(read_epsilon(text, "--epsilon"), "--epsilon") for text in epsilon]
    models = read_models(file, sets)
    if certificate is not None and len(asked) * len(models) > 1:
        raise InputError("there are several questions", where="--certificate", wanted="one ε and one model")
    if plot is not None:
        from verifier.wings.exchange.plots import refuse_plot

        refuse_plot(list(models[0][0]), len(asked) * len(models))
    questions = []
    with about(models[0][1].label), counting("linear programs") as tick:
        for values, model in models:
            for bound in asked:
                answer = solve(model, source, target, epsilon=bound, max_rows=max_rows, tick=tick)
                questions.append((values, answer))
    if certificate is not None:
        from verifier.wings.exchange.certificates import RATES
        from verifier.wings.exchange.models import set_values

        write_certificate(certificate, lambda: RATES.file(questions[0][1], certificate.parent, set_values(sets)))
    if plot is not None:
        from verifier.wings.exchange.plots import exchange_plot

        write_file(plot, exchange_plot(questions).alone, "the drawing")
    return Reply(
        lambda: (answer.to_json(digits=digits) for _, answer in questions),
        lambda: exchange_sheets(questions, digits),
        max(answer.exit_status for _, answer in questions),
    )


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
    from verifier.wings.exchange.certificates import CURVES_OF_DELTA
    from verifier.wings.exchange.delta.decide import convert_delta, refuse_infinite
    from verifier.wings.exchange.models import one_model, set_values
    from verifier.wings.exchange.sheets import delta_sheets

    if len(epsilon) != 1:
        raise InputError(f"there are {len(epsilon)} ε", where="--delta", wanted="one --epsilon")
    bound = refuse_infinite(read_epsilon(epsilon[0], "--epsilon"), "--epsilon")
    allowed = delta_bound(delta, "--delta")
    places = [read_epsilon(text, "--epsilon-b") for text in asked]
    model = one_model(file, sets, "with --delta")
    with about(model.label), counting("linear programs") as tick:
        answer = convert_delta(model, source, target, epsilon=bound, delta=allowed, max_rows=max_rows, tick=tick)
    answer = replace(answer, asked=tuple(places))
    if certificate is not None:
        write_certificate(certificate, lambda: CURVES_OF_DELTA.file(answer, certificate.parent, set_values(sets)))
    if plot is not None:
        if not answer.pieces:
            raise InputError(f"there is no drawing: {answer.reason}", where="--plot", wanted="a δ′ that is computed")
        from verifier.wings.exchange.plots import delta_plot

        write_file(plot, delta_plot(answer).alone, "the drawing")
    return Reply.of(answer, lambda: delta_sheets(answer, digits), digits)
