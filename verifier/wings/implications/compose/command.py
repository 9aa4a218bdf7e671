"""`pkdp compose`: the exact privacy curve of several independent runs of a mechanism on one database."""

from __future__ import annotations

from verifier.cli.common import Reply, about
from verifier.cli.reading import read_set
from verifier.cli.waiting import counting
from verifier.definitions.registry import find_for_all
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.numbers import NO_VALUE
from verifier.numbers import epsilon as read_epsilon
from verifier.show.sheet import Sheet, Word, compact, exact
from verifier.wings.implications.compose.options import Compose
from verifier.wings.implications.compose.runs import (
    DEFINITIONS,
    ComposedDefinition,
    Composition,
    CurvePoint,
    compose_runs,
)


def compose_sheets(answer: Composition, digits: int = 12) -> list[Sheet]:
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
    keys = [find_for_all(name).key for name in typed.definition or DEFINITIONS]
    asked = [read_epsilon(text, "--epsilon") for text in typed.epsilon or ()]
    model = read_set(typed.file, typed.sets or ())
    if not isinstance(model, Model):
        raise UnsupportedError(
            "the file is a family of models", where=typed.file, wanted="one model", tip=f"--set {model.names[0]}=1/7"
        )
    with about(model.path), counting("definitions") as tick:
        answer = compose_runs(model, typed.times, definitions=keys, epsilons=asked or None, tick=tick)
    return Reply(lambda: answer.to_json(digits=typed.digits), lambda: compose_sheets(answer, typed.digits))
