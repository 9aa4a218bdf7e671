"""Reading the steps behind a mechanism, `then = [ … ]`: rows on its outputs, or kinds."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import partial
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.model.mechanism import Mechanism
from verifier.model.place import Keys, Place, listed, meant, string
from verifier.model.ranges import refuse_others
from verifier.model.scope import Scope
from verifier.model.steps import Step, geometric_step, response_step, rows_step
from verifier.numbers import Symbolic, cut, rational, shorten
from verifier.tables import Label, Law


def row_law(keys: Keys, scope: Scope, place: Place) -> Law:
    """Read `output` or `outputs` of a row."""
    if keys.one_of(("output", "outputs"), "`output` is one label, `outputs` a table of probabilities") == "output":
        return Law.point(scope.label(keys.take("output"), place.at("output")))
    return scope.label_law(keys.take("outputs"), place.at("outputs"))


def otherwise_law(keys: Keys, scope: Scope, place: Place) -> Law | None:
    """Read `otherwise`, where it is there."""
    if not keys.has("otherwise"):
        return None
    given = keys.take("otherwise")
    if isinstance(given, dict):
        return scope.label_law(given, place.at("otherwise"))
    return Law.point(scope.label(given, place.at("otherwise")))


def follow(
    mechanism: Mechanism,
    steps: list[Any],
    scope: Scope,
    place: Place,
    up_to: Callable[[int], Mechanism],
    kinds: Container[str],
) -> Mechanism:
    """Put the steps behind the mechanism; each is checked on every output that can reach it.

    `up_to` makes the mechanism before a step with every probability positive; `kinds` are those of mechanisms.
    """
    for number, given in enumerate(steps, start=1):
        at = place.at(f"then, step {number}", "then", number - 1)
        keys = Keys(given, at, "a step")
        which = keys.one_of(("rows", "table", "kind"), "a step is a list of rows or a kind")
        if which != "kind":
            step = _step_rows(keys, which, scope, at, mechanism, partial(up_to, number))
        else:
            kind = string(keys.take("kind"), at.at("kind"), "the name of a kind")
            if kind not in STEPS:
                raise InputError(
                    f'given kind = "{cut(kind)}" as a step',
                    where=str(at.at("kind")),
                    wanted=f"rows, or one of {', '.join(STEPS)}",
                    tip="this is a mechanism: it stands before `then`" if kind in kinds else meant(kind, STEPS),
                )
            later = enumerate(steps[number:], start=number + 1)
            named = [
                one
                for k, after in later
                for one in _named_inputs(after, scope, place.at(f"then, step {k}", "then", k - 1))
            ]
            step = STEPS[kind](keys, scope, at, mechanism, named)
        keys.done()
        _check_inputs(mechanism, step)
        tails = mechanism.tails if step.tails is None else step.tails
        outputs = mechanism.codomain and step.outputs
        mechanism = replace(mechanism.then(step.law, step.title, step.noise, outputs), tails=tails)
    return mechanism


def _check_inputs(mechanism: Mechanism, step: Step) -> None:
    """Refuse outputs that the step does not take; where they are many, only when one is reached."""
    for outcome in mechanism.listed_outputs or ():
        step.check(outcome)


def _named_inputs(step: object, scope: Scope, place: Place) -> list[Label]:
    """The inputs that the rows of a later step name; what is wrong with them is said when it is read."""
    given = (step.get("rows") or step.get("table")) if isinstance(step, dict) else None
    rows = enumerate(given if isinstance(given, list | tuple) else (), start=1)
    return [
        scope.label(row["input"], place.at(f"row {k}", "rows", k - 1).at("input"))
        for k, row in rows
        if isinstance(row, dict) and "input" in row
    ]


def _step_rows(
    keys: Keys, which: str, scope: Scope, place: Place, before: Mechanism, positive: Callable[[], Mechanism]
) -> Step:
    rows: dict[Label, Law] = {}
    places: dict[Label, Place] = {}
    for number, row in enumerate(listed(keys.take(which), place.at(which), "a list of rows"), start=1):
        here = place.at(f"row {number}", which, number - 1)
        inner = Keys(row, here, 'a row such as { input = "3", output = "many" }')
        given = scope.label(inner.take("input"), here.at("input"))
        if given in rows:
            raise InputError(f"given the input {given} twice", where=str(here), wanted="one row an input")
        rows[given], places[given] = row_law(inner, scope, here), here.at("input")
        inner.done()
    if not scope.positive:
        refuse_others(places, before, positive, "the mechanism before it")
    return rows_step(rows, otherwise_law(keys, scope, place), str(place), before.tails)


def _response_step(keys: Keys, scope: Scope, place: Place, before: Mechanism, _named: list[Label]) -> Step:
    if before.tails:
        raise InputError(
            "given randomized response after geometric noise", where=str(place), wanted="a step of rows between them"
        )
    keep = scope.chance(keys.take("keep"), place.at("keep"))
    return response_step(scope.values, keep, str(place))


def _noise_step(keys: Keys, _scope: Scope, place: Place, before: Mechanism, named: list[Label]) -> Step:
    at = place.at("p")
    p = rational(keys.take("p"), str(at), "a probability")
    if not isinstance(p, Symbolic) and not 0 < p < 1:
        raise InputError(f"given p = {shorten(p)}", where=str(at), wanted="0 < p < 1 (DMKB20, Definition 19)")
    try:
        inputs = before.outputs()
    except LimitError as error:
        raise error.within(str(place)) from None
    return geometric_step(p, inputs, named, str(place))


StepBuilder = Callable[[Keys, Scope, Place, Mechanism, list[Label]], Step]
STEPS: dict[str, StepBuilder] = {"randomized-response": _response_step, "geometric-noise": _noise_step}
