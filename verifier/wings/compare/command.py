"""`pkdp compare A B`: two mechanisms on the same databases, as tables and as a drawing of both curves."""

from __future__ import annotations

from verifier.cli.common import Reply
from verifier.cli.reading import refuse_twice
from verifier.cli.targets import ModelSubject, read_subjects
from verifier.cli.waiting import notice
from verifier.errors import InputError
from verifier.show.drawings import STILL
from verifier.wings.compare.decide import compare as compared
from verifier.wings.compare.options import Compare
from verifier.wings.compare.sheets import comparison_plot, sheets


def compare(typed: Compare) -> Reply:
    """Answer what was typed."""
    if typed.plot is not None and typed.plot.suffix not in {".svg", *STILL}:
        wanted = f"a name that ends in .svg, {' or '.join(STILL)}"
        raise InputError(f"the ending of {typed.plot.name} is unknown", where="--plot", wanted=wanted)
    refuse_twice((typed.first, typed.second))
    models = []
    for file in (typed.first, typed.second):
        (subject,) = read_subjects([file], typed.sets or ())
        if not isinstance(subject, ModelSubject):
            raise InputError("a parameter has no value", where=file, wanted="--set NAME=VALUE for each parameter")
        models.append(subject.model)
    named = typed.definition and [name.strip() for names in typed.definition for name in names.split(",")]
    answer = compared(models[0], models[1], named, replay=typed.replay)
    if typed.plot is not None:
        comparison_plot(answer, where="--plot").save(typed.plot)
        notice(f"the drawing is in {typed.plot}")
    return Reply(
        lambda: answer.to_json(typed.max_digits, typed.digits),
        lambda: list(sheets(answer, typed.digits)),
        answer.exit_status,
    )
