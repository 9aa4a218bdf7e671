"""`pkdp pair`: two distributions from a file, and how well an attacker tells them apart."""

from __future__ import annotations

from pathlib import Path

from verifier.cli.common import Reply, about, write_file
from verifier.cli.options import Pair
from verifier.cli.waiting import notice
from verifier.definitions.answer import json_of
from verifier.errors import InputError
from verifier.numbers import delta_bound, probability
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.pair import FALSE_ALARMS, ORDERS, of_file, read_order
from verifier.recheck import text_of
from verifier.show.drawings import STILL
from verifier.show.pairs import mirrored, pair_sheets, profile_plot, trade_off_drawing


def pair(typed: Pair) -> Reply:
    """Answer what was typed."""
    for option, path, endings in (
        ("--model", typed.model, (".toml",)),
        ("--plot", typed.plot, (".svg", *STILL)),
        ("--trade-off", typed.tests, (".svg",)),
        ("--bars", typed.bars, (".svg",)),
    ):
        if path is not None and path.suffix not in endings:
            wanted = f"a name that ends in {' or '.join(endings)}"
            raise InputError(f"the ending of {path.name} is unknown", where=option, wanted=wanted)
    epsilons = [read_epsilon(text, "--epsilon") for text in typed.epsilon or ()]
    deltas = [delta_bound(text, "--delta") for text in typed.delta or ("0",)]
    orders = [read_order(text, "--order") for text in typed.order or ()]
    fprs = [probability(text, "--fpr") for text in typed.fpr or ()]
    prior = probability(typed.prior, "--prior")
    with about(typed.file):
        given = of_file(Path(typed.file), prior)
        asked = given if typed.runs == 1 else given.runs(typed.runs)
        answer = asked.answer(
            epsilons=epsilons,
            deltas=deltas,
            orders=orders or ORDERS,
            fprs=fprs or (FALSE_ALARMS,),
            replay=typed.replay,
        )
    if typed.model is not None:
        write_file(typed.model, text_of(asked.model)[0], "the model")
    if typed.plot is not None:
        profile_plot(asked, answer).save(typed.plot)
        notice(f"the drawing is in {typed.plot}")
    first = epsilons[0] if epsilons else None
    if typed.tests is not None:
        write_file(typed.tests, trade_off_drawing(asked, epsilon=first).printed, "the drawing")
    if typed.bars is not None:
        write_file(typed.bars, mirrored(asked, epsilon=first or 0).printed, "the drawing")
    return Reply(
        lambda: json_of(answer, typed.max_digits, typed.digits),
        lambda: pair_sheets(answer, typed.max_digits, typed.digits),
    )
