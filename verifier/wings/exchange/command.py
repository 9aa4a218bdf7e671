"""`pkdp convert`: the rate at which one definition's guarantee turns into another's, over all mechanisms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.cli.common import (
    Reply,
    about,
    write_certificate,
    write_file,
)
from verifier.cli.reading import fixed, read_source
from verifier.cli.waiting import counting
from verifier.definitions import find
from verifier.errors import InputError
from verifier.model.parameters import Family
from verifier.numbers import delta_bound
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.exchange.certificates import CURVES, CURVES_OF_DELTA, RATES, Certificates, RateAnswer
from verifier.wings.exchange.curve.decide import convert_curve
from verifier.wings.exchange.delta.decide import convert_delta, refuse_infinite
from verifier.wings.exchange.models import one_model, read_models, set_values
from verifier.wings.exchange.options import Convert
from verifier.wings.exchange.plots import curve_plot, delta_plot, exchange_plot, refuse_plot
from verifier.wings.exchange.rate import convert as solve
from verifier.wings.exchange.rate import refuse_epsilon
from verifier.wings.exchange.sheets import curve_sheets, delta_sheets, exchange_sheets

if TYPE_CHECKING:
    from verifier.wings.exchange.curve.answer import Curve


def convert(typed: Convert) -> Reply:
    """Answer what was typed."""
    plot, curve = typed.plot, typed.curve
    if plot is not None and plot.suffix != ".svg":
        raise InputError(f"{plot.name} does not end in .svg", where="--plot", wanted="a file that ends in .svg")
    for name in (typed.source, typed.target):
        find(name)
    if typed.epsilon_b and typed.delta is None:
        raise InputError("--epsilon-b needs --delta", wanted="both", tip="--delta 0 asks about A without a δ")
    if typed.delta is not None:
        if curve is not None or typed.over is not None:
            raise InputError(
                f"--delta does not go with --{'over' if curve is None else 'curve'}", wanted="one of the two"
            )
        return _about_delta(typed, _epsilons(typed), typed.delta)
    if curve is not None or typed.over is not None:
        return _curve(_function(typed), typed)
    return _rows(typed, _epsilons(typed))


def _epsilons(typed: Convert) -> list[str]:
    """The values of --epsilon, at least one.

    Raises:
        InputError: where there is none.

    """
    if not typed.epsilon:
        raise InputError("the option '--epsilon' is missing", tip="pkdp convert --help")
    return typed.epsilon


def _certify(typed: Convert, certificates: Certificates[RateAnswer], answer: RateAnswer) -> None:
    """Write the certificate of an answer, where one is asked for."""
    if (file := typed.certificate) is not None:
        write_certificate(file, lambda: certificates.file(answer, file.parent, set_values(typed.sets or ())))


def _function(typed: Convert) -> Curve:
    """The rate as a function of ε, or of a parameter."""
    curve, over, epsilon = typed.curve, typed.over, typed.epsilon or ()
    if curve is not None and (over is not None or epsilon):
        raise InputError(
            f"--curve does not go with --{'over' if over is not None else 'epsilon'}", wanted="one of the two"
        )
    if curve is not None:
        low, dots, high = curve.partition("..")
        if curve != "all" and not dots:
            raise InputError(f"{curve} is not a range", where="--curve", wanted='"all", or a range "ln(3/2)..ln(4)"')
        model = one_model(typed.file, typed.sets or (), "for a curve")
        with about(model.label), counting("rows") as tick:
            ends = (low, high) if dots else None
            return convert_curve(
                model, typed.source, typed.target, range_of_epsilon=ends, max_rows=typed.max_rows, tick=tick
            )
    if len(epsilon) != 1:
        raise InputError(f"there are {len(epsilon)} ε", where="--over", wanted="one --epsilon")
    family = fixed(read_source(typed.file), typed.sets or ())
    if not isinstance(family, Family) or family.names != (over,):
        names = ", ".join(family.names) if isinstance(family, Family) else "none"
        problem = f"{over} is not the only parameter without a value"
        raise InputError(problem, where="--over", wanted="one such parameter", tip=f"without a value: {names}")
    with about(family.label), counting("rows") as tick:
        return convert_curve(family, typed.source, typed.target, epsilon=epsilon[0], max_rows=typed.max_rows, tick=tick)


def _curve(answer: Curve, typed: Convert) -> Reply:
    """Draw and certify a rate as a function, and return it."""
    _certify(typed, CURVES, answer)
    if typed.plot is not None and not answer.cells:
        raise InputError(f"there is no drawing: {answer.reason}", where="--plot", wanted="a rate that is computed")
    if typed.plot is not None:
        write_file(typed.plot, curve_plot(answer).alone, "the drawing")
    return Reply.of(answer, lambda: curve_sheets(answer, typeset=typed.kind == "latex"), typed.digits)


def _rows(typed: Convert, epsilon: list[str]) -> Reply:
    """Return a row for each ε and each value of a parameter; as JSON an object for each."""
    asked = [refuse_epsilon(read_epsilon(text, "--epsilon"), "--epsilon") for text in epsilon]
    models = read_models(typed.file, typed.sets or ())
    if typed.certificate is not None and len(asked) * len(models) > 1:
        raise InputError("there are several questions", where="--certificate", wanted="one ε and one model")
    if typed.plot is not None:
        refuse_plot(list(models[0][0]), len(asked) * len(models))
    questions = []
    with about(models[0][1].label), counting("linear programs") as tick:
        for values, model in models:
            for bound in asked:
                answer = solve(model, typed.source, typed.target, epsilon=bound, max_rows=typed.max_rows, tick=tick)
                questions.append((values, answer))
    _certify(typed, RATES, questions[0][1])
    if typed.plot is not None:
        write_file(typed.plot, exchange_plot(questions).alone, "the drawing")
    return Reply(
        lambda: (answer.to_json(digits=typed.digits) for _, answer in questions),
        lambda: exchange_sheets(questions, typed.digits),
        max(answer.exit_status for _, answer in questions),
    )


def _about_delta(typed: Convert, epsilon: list[str], delta: str) -> Reply:
    """Draw and certify the smallest δ′ as a function of ε′, and at each of --epsilon-b; and return it."""
    if len(epsilon) != 1:
        raise InputError(f"there are {len(epsilon)} ε", where="--delta", wanted="one --epsilon")
    bound = refuse_infinite(read_epsilon(epsilon[0], "--epsilon"), "--epsilon")
    allowed = delta_bound(delta, "--delta")
    places = [read_epsilon(text, "--epsilon-b") for text in typed.epsilon_b or ()]
    model = one_model(typed.file, typed.sets or (), "with --delta")
    with about(model.label), counting("linear programs") as tick:
        answer = convert_delta(
            model, typed.source, typed.target, epsilon=bound, delta=allowed, max_rows=typed.max_rows, tick=tick
        )
    answer = replace(answer, asked=tuple(places))
    _certify(typed, CURVES_OF_DELTA, answer)
    if typed.plot is not None:
        if not answer.pieces:
            raise InputError(f"there is no drawing: {answer.reason}", where="--plot", wanted="a δ′ that is computed")
        write_file(typed.plot, delta_plot(answer).alone, "the drawing")
    return Reply.of(answer, lambda: delta_sheets(answer, typed.digits), typed.digits)
