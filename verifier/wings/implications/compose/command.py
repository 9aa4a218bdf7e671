"""`pkdp compose`: the exact privacy curve of several independent runs of a mechanism on one database."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier.cli.common import Digits, File, Reply, Sets, about
from verifier.cli.waiting import counting
from verifier.numbers import DIGITS


def compose(
    file: File,
    times: Annotated[int, typer.Option(min=2, help="how many independent runs on the same database")],
    definition: Annotated[
        list[str] | None, typer.Option(help="again for more; left out: dp, np, apkdp, ppkdp and cdp")
    ] = None,
    epsilon: Annotated[
        list[str] | None, typer.Option(help="the ε of one run at which δ is compared; again for more")
    ] = None,
    sets: Sets = None,
    digits: Digits = DIGITS,
) -> Reply:
    """Run a mechanism several times on one database: the exact privacy curve beside k·ε and k·δ, and Theorem 6.

    The naive rule is a theorem for DP; NP, APKDP, PPKDP and CDP may need more, and any amount of it.
    """
    from verifier.cli.reading import read_set
    from verifier.definitions import find
    from verifier.errors import UnsupportedError
    from verifier.model import Model
    from verifier.numbers import epsilon as read_epsilon
    from verifier.wings.implications.compose.runs import DEFINITIONS, compose_runs
    from verifier.wings.implications.compose.sheets import compose_sheets

    keys = [find(name).key for name in definition or DEFINITIONS]
    asked = [read_epsilon(text, "--epsilon") for text in epsilon or ()]
    model = read_set(file, sets or ())
    if not isinstance(model, Model):
        raise UnsupportedError(
            "the file is a family of models", where=file, wanted="one model", tip=f"--set {model.names[0]}=1/7"
        )
    with about(model.path), counting("definitions") as tick:
        answer = compose_runs(model, times, definitions=keys, epsilons=asked or None, tick=tick)
    return Reply(lambda: answer.to_json(digits=digits), lambda: compose_sheets(answer, digits))
