"""Reading the steps behind a mechanism, `then = [ … ]`: rows on its outputs, or kinds."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import partial
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, listed, meant, string
from verifier.model.mechanism import Mechanism
from verifier.model.ranges import refuse_others
from verifier.model.steps import Step, geometric_step, response_step, rows_step
from verifier.numbers import Symbolic, cut, rational, shorten
from verifier.tables import Label, Law


def row_law(keys: Keys, domain: Domain) -> Law:
    """Read the law of a row: `output`, one label, or `outputs`, a table of probabilities."""
    if keys.one_of(("output", "outputs"), "`output` is one label, `outputs` a table of probabilities") == "output":
        return Law.point(keys.read("output", domain.label))
    return keys.read("outputs", domain.label_law)


def otherwise_law(keys: Keys, domain: Domain) -> Law | None:
    """Read the law `otherwise`, a label or a table of probabilities; None where the key is not there."""
    if not keys.has("otherwise"):
        return None
    if isinstance(keys.left["otherwise"], dict):
        return keys.read("otherwise", domain.label_law)
    return Law.point(keys.read("otherwise", domain.label))


def follow(
    mechanism: Mechanism,
    steps: list[Any],
    domain: Domain,
    location: Location,
    up_to: Callable[[int], Mechanism],
    kinds: Container[str],
) -> Mechanism:
    """The mechanism followed by the steps of `then`; each step is checked on every output that can reach it.

    `up_to(k)` makes the mechanism before step k with every probability positive; `kinds` are the kinds of mechanisms,
    which are no steps.

    Raises:
        InputError: for a step that is none, or does not take an output of the mechanism before it.
        LimitError: for a step that is too large.

    """
    for number, raw in enumerate(steps, start=1):
        at = location.at(f"then, step {number}", "then", number - 1)
        keys = Keys(raw, at, "a step")
        which = keys.one_of(("rows", "table", "kind"), "a step is a list of rows or a kind")
        if which != "kind":
            step = _step_rows(keys, which, domain, mechanism, partial(up_to, number))
        else:
            kind = keys.read("kind", string, "the name of a kind")
            if kind not in STEPS:
                raise InputError(
                    f'given kind = "{cut(kind)}" as a step',
                    where=str(at.at("kind")),
                    wanted=f"rows, or one of {', '.join(STEPS)}",
                    tip="this is a mechanism: it stands before `then`" if kind in kinds else _step_tip(kind),
                )
            later = enumerate(steps[number:], start=number + 1)
            named = [
                label
                for k, after in later
                for label in _named_inputs(after, domain, location.at(f"then, step {k}", "then", k - 1))
            ]
            named += domain.named if number == len(steps) else ()
            step = STEPS[kind](keys, domain, at, mechanism, named)
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


def _named_inputs(step: object, domain: Domain, location: Location) -> list[Label]:
    """The inputs that the rows of a later step name; what is wrong with them is said when it is read."""
    raw = (step.get("rows") or step.get("table")) if isinstance(step, dict) else None
    rows = enumerate(raw if isinstance(raw, list | tuple) else (), start=1)
    return [
        domain.label(row["input"], location.at(f"row {k}", "rows", k - 1).at("input"))
        for k, row in rows
        if isinstance(row, dict) and "input" in row
    ]


def _step_tip(kind: str) -> str:
    """Return what an unknown step may mean: a misspelt kind, or noise whose outputs are real numbers."""
    if any(word in kind.lower() for word in ("laplac", "gauss", "normal")):
        return "its outputs are real numbers; geometric-noise is the two-sided one on integers"
    return meant(kind, STEPS) or "help(pk.build) says what each does; `rows` can be any channel"


def _step_rows(keys: Keys, which: str, domain: Domain, before: Mechanism, positive: Callable[[], Mechanism]) -> Step:
    rows: dict[Label, Law] = {}
    places: dict[Label, Location] = {}
    for number, row in enumerate(keys.read(which, listed, "a list of rows"), start=1):
        row_at = keys.location.at(f"row {number}", which, number - 1)
        inner = Keys(row, row_at, 'a row such as { input = "3", output = "many" }')
        outcome = inner.read("input", domain.label)
        if outcome in rows:
            raise InputError(f"given the input {outcome} twice", where=str(row_at), wanted="one row an input")
        rows[outcome], places[outcome] = row_law(inner, domain), row_at.at("input")
        inner.done()
    if not domain.positive:
        refuse_others(places, before, positive, "the mechanism before it")
    return rows_step(rows, otherwise_law(keys, domain), str(keys.location), before.tails)


def _response_step(keys: Keys, domain: Domain, location: Location, before: Mechanism, _named: list[Label]) -> Step:
    if before.tails:
        raise InputError(
            "given randomized response after geometric noise", where=str(location), wanted="a step of rows between them"
        )
    keep = keys.read("keep", domain.chance)
    return response_step(domain.values, keep, str(location))


def _noise_step(keys: Keys, _scope: Domain, location: Location, before: Mechanism, named: list[Label]) -> Step:
    at = location.at("p")
    p = rational(keys.take("p"), str(at), "a probability")
    if not isinstance(p, Symbolic) and not 0 < p < 1:
        raise InputError(f"given p = {shorten(p)}", where=str(at), wanted="0 < p < 1 (DMKB20, Definition 19)")
    try:
        inputs = before.outputs()
    except LimitError as error:
        raise error.within(str(location)) from None
    return geometric_step(p, inputs, named, str(location))


StepBuilder = Callable[[Keys, Domain, Location, Mechanism, list[Label]], Step]
STEPS: dict[str, StepBuilder] = {"randomized-response": _response_step, "geometric-noise": _noise_step}
