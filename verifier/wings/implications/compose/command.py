"""`pkdp compose`: the exact privacy curve of several independent runs of a mechanism on one database."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.cli.common import Reply, about
from verifier.cli.reading import read_set, refuse_twice, with_values
from verifier.cli.waiting import counting, notice
from verifier.definitions.registry import find_for_all
from verifier.errors import InCommand, InputError, UnsupportedError
from verifier.model import Model
from verifier.numbers import NO_VALUE, delta_bound, exact_text, plural
from verifier.numbers import epsilon as read_epsilon
from verifier.show.drawings import STILL, Bound, Plot, profile_drawing
from verifier.show.sheet import Sheet, Word, compact, exact
from verifier.tables import collected, label, runs_text
from verifier.wings.implications.compose.options import Compose
from verifier.wings.implications.compose.runs import (
    DEFINITIONS,
    MOST_TIMES,
    ComposedDefinition,
    Composition,
    CurvePoint,
    compose_runs,
)
from verifier.wings.implications.compose.together import AllRuns, RunsPoint, all_runs


def compose_sheets(answer: Composition, digits: int) -> list[Sheet]:
    """Two tables: the smallest ε of each definition at δ = 0, and its δ at points of its curve."""
    k = answer.times
    columns = ("definition", "one run", f"{k}·ε", f"{k} runs, exact", "Theorem 6", f"more than {k}·ε")
    rows = tuple(_row(definition, digits) for definition in answer.definitions)
    notes = (
        f"{answer.model.title}: {k} independent runs on the same database",
        "Theorem 6 of DMKB20 speaks of apkdp (np): with the dependency of each run on those before it once, as proved.",
        *([answer.without_theorem] if answer.without_theorem else ()),
        *(f"{d.definition}: {d.together.reason}" for d in answer.definitions if d.together.reason),
    )
    sheets = [Sheet("The smallest ε at δ = 0", columns, rows, notes)]
    points = [(definition, point) for definition in answer.definitions for point in definition.points]
    if points:
        heads = ("definition", "ε of one run", "δ", f"{k}·ε", f"{k}·δ", f"δ of {k} runs, exact", "Theorem 6",
                 f"more than {k}·δ")  # fmt: skip
        sheets.append(Sheet("The curve at k·ε", heads, tuple(_point(d, point, digits) for d, point in points)))
    return sheets


def _row(composed: ComposedDefinition, digits: int) -> tuple[str, ...]:
    if composed.added_epsilon is None:
        return composed.definition, Word(composed.together.verdict), *[NO_VALUE] * 4
    return (
        composed.definition,
        compact(composed.single.tight_epsilon, digits),
        compact(composed.added_epsilon, digits),
        compact(composed.together.tight_epsilon, digits),
        compact(composed.theorem_epsilon, digits),
        _yes(exceeds=composed.exceeds),
    )


def _point(composed: ComposedDefinition, point: CurvePoint, digits: int) -> tuple[str, ...]:
    return (
        composed.definition,
        exact(point.epsilon),
        compact(point.delta, digits),
        exact(point.added_epsilon),
        compact(point.added_delta, digits),
        compact(point.exact_delta, digits),
        compact(point.theorem_delta, digits),
        _yes(exceeds=point.exceeds),
    )


def _yes(*, exceeds: bool | None) -> str:
    return NO_VALUE if exceeds is None else "yes" if exceeds else "no"


def compose(typed: Compose) -> Reply:
    """Answer what was typed."""
    named = [name.strip() for names in typed.definition or DEFINITIONS for name in names.split(",")]
    keys = [find_for_all(name).key for name in named]
    refuse_twice(typed.files)
    models = [_read(file, typed.sets or ()) for file in typed.files]
    if typed.delta or typed.epsilon or typed.plot or len(models) > 1:
        return _together(typed, models, keys)
    ((times),) = typed.times if len(typed.times) == 1 else (0,)
    if not 2 <= times <= MOST_TIMES:
        problem = (
            f"{plural(times, 'run')} cannot be compared with k·ε and k·δ"
            if times
            else "--times is given twice for one model"
        )
        raise InputError(problem, where="--times", wanted=f"2 to {MOST_TIMES}", tip="--delta 1e-6 asks for any number")
    asked = [read_epsilon(text, "--one-run") for text in typed.one_run or ()]
    (model,) = models
    with about(model.path), counting("definitions") as tick:
        answer = compose_runs(model, times, definitions=keys, epsilons=asked or None, tick=tick)
    return Reply(lambda: answer.to_json(digits=typed.digits), lambda: compose_sheets(answer, typed.digits))


def _read(file: str, sets: Sequence[str]) -> Model:
    model = read_set(file, sets)
    if not isinstance(model, Model):
        raise UnsupportedError(
            "the file is a family of models", where=file, wanted="one model", tip=f"--set {model.names[0]}=1/7"
        )
    return model


def _together(typed: Compose, models: Sequence[Model], keys: Sequence[str]) -> Reply:
    """Answer about all runs together."""
    if typed.one_run:
        raise InputError(
            "--one-run is given with another question",
            where=InCommand("pkdp compose"),
            wanted="neither --delta nor --epsilon",
        )
    if typed.plot is not None and typed.plot.suffix not in (".svg", *STILL):
        wanted = f"a name that ends in {' or '.join(('.svg', *STILL))}"
        raise InputError(f"the ending of {typed.plot.name} is unknown", where="--plot", wanted=wanted)
    sets = typed.sets or ()
    deltas = [delta_bound(with_values(text, sets, "--delta"), "--delta") for text in typed.delta or ("0",)]
    epsilons = [read_epsilon(with_values(text, sets, "--epsilon"), "--epsilon") for text in typed.epsilon or ()]
    times = typed.times if len(typed.times) > 1 else typed.times[0]
    with counting("definitions") as tick:
        answer = all_runs(
            models, times, definitions=keys, deltas=deltas, epsilons=epsilons, replay=typed.replay, tick=tick
        )
    if typed.plot is not None:
        runs_plot(answer).save(typed.plot)
        notice(f"the drawing is in {typed.plot}")
    return Reply.of(answer, lambda: together_sheets(answer, typed.digits), typed.digits)


def together_sheets(answer: AllRuns, digits: int) -> list[Sheet]:
    """A table of the numbers of all runs together, a row for each definition that has them."""
    found = [one for one in answer.definitions if one.epsilons]
    left = [one for one in answer.definitions if not one.epsilons]
    notes = [f"{one.definition}: {one.verdict}{f', {one.reason}' if one.reason else ''}" for one in left]
    words = collected((("yes" if one.replayed else "no", one.unchecked), one.definition) for one in found)
    for (word, left_out), names in words.items():
        notes.append(f"Re-checked, {', '.join(names)}: {word}{f'; {left_out}' if left_out else ''}.")
    rows = [
        (one.definition, name, compact(point.value, digits), _between(point))
        for one in found
        for name, point in (
            *((f"smallest ε at δ = {exact_text(p.at, 40)}", p) for p in one.epsilons),
            *((f"smallest δ at ε = {p.at.text(40)}", p) for p in one.deltas),
        )
    ]
    heads = ("definition", "of all runs together", "exact", "between")
    return [Sheet(f"{answer.title}, independent, on the same database", heads, tuple(rows), tuple(notes))]


def _between(point: RunsPoint) -> str:
    if point.databases is None:
        return NO_VALUE
    return " and ".join(runs_text([label(value) for value in database]) for database in point.databases)


def runs_plot(answer: AllRuns) -> Plot:
    """The drawing of δ against ε of all runs together, a curve for each definition whose curve is known.

    Raises:
        UnsupportedError: where no curve is known.

    """
    curves = [(one.definition, one.profile) for one in answer.definitions if one.profile is not None]
    if not curves:
        raise UnsupportedError(
            "no definition has a curve of all runs", where="--plot", wanted="a definition such as dp"
        )
    first = next(one for one in answer.definitions if one.profile is not None)
    point = (*first.deltas, None)[0]
    bound = None if point is None else Bound(point.at, None, smallest=point.value)
    return Plot(profile_drawing(curves, bound), tuple(curves), bound)
