"""Asking a question: read it, decide it, and have the answer re-checked; `pkdp check` shows it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.definitions import DEFINITIONS, Definition, Verdict, decide, find
from verifier.definitions.verdict import Overview
from verifier.engine import Engine
from verifier.errors import InputError, LimitError
from verifier.model import Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.model.read import observed
from verifier.numbers import DIGITS, delta_bound
from verifier.numbers import epsilon as read_epsilon
from verifier.recheck import RejectedError, replayed

REJECTED = "REJECTED by the independent checker"
"""How the reason of an answer begins that stands in the place of a rejected one."""


@takes(
    reading=arguments.text,
    engine=arguments.optional(arguments.one(Engine, "an Engine of the model")),
    replay=arguments.flag,
    digits=arguments.number(1),
    share=arguments.number(1),
    observer=arguments.text,
)
def check(
    model: Model,
    definition: Definition | str,
    *,
    epsilon: object = None,
    delta: object = 0,
    reading: str = "default",
    engine: Engine | None = None,
    replay: bool = True,
    digits: int = DIGITS,
    share: int = 1,
    observer: str = "",
) -> Verdict:
    """Decide a definition on a model, exactly, with the tightest parameters and a witness.

    `epsilon` is `"ln(p/q)"`, `"r*ln(p/q)"`, a rational, `"inf"` (in nats), or None for "some finite ε"; `delta` is a
    rational in [0, 1]. With `replay` the independent checker decides it again from the model's text;
    `share` is how many answers share its limit on sums. `digits` is the number of certain digits of an enclosure.
    `observer` is who asks: beside the output of a program somebody sees the draws that name them, `seen_by="insider"`.

    >>> from verifier.model import build
    >>> coin = build(
    ...     size=1,
    ...     values=[0, 1],
    ...     distribution={"iid": {0: "1/2", 1: "1/2"}},
    ...     mechanism=lambda d: {"yes": "3/4", "no": "1/4"} if d[0] else {"yes": "1/4", "no": "3/4"},
    ... )
    >>> print(check(coin, "apkdp", epsilon="ln(2)", delta="1/4"))
    apkdp holds at ε = ln(2), δ = 1/4; smallest δ 1/4 (0.25); smallest ε ln(2) (0.69314718056)

    Raises:
        InputError: for an ε or δ that cannot be read, and for an unknown definition or reading.
        LimitError: where the work would exceed the limits; it is refused before it starts.
        RejectedError: where the independent checker rejects the answer.

    """
    model = need_model(model)
    if observer and model.observer != observer:
        model = observed(model, observer)
    question = find(definition)
    engine = engine or Engine(model)
    if engine.model is not model:
        raise InputError("the engine is of another model", wanted="Engine(model), or none")
    answer = decide(
        engine,
        question,
        epsilon=None if epsilon is None else read_epsilon(epsilon, "epsilon"),
        delta=delta_bound(delta),
        reading=reading,
        digits=digits,
    )
    return replayed(answer, engine, share) if replay else answer


def applicable(model: Model) -> list[Definition]:
    """The definitions of an overview; those that add a record are left out where all databases have one size."""
    return [definition for definition in DEFINITIONS.values() if model.sizes is not None or not definition.changes_size]


@takes(
    engine=arguments.optional(arguments.one(Engine, "an Engine of the model")),
    replay=arguments.flag,
    digits=arguments.number(1),
    observer=arguments.text,
    tick=arguments.optional(arguments.function),
)
def overview(
    model: Model,
    *,
    epsilon: object = None,
    delta: object = 0,
    engine: Engine | None = None,
    replay: bool = True,
    digits: int = DIGITS,
    observer: str = "",
    tick: Callable[[int, int], object] | None = None,
) -> Overview:
    """The overview: the answers of the definitions in `DEFINITIONS`, each in its default reading.

    Definitions that add or remove a record are included only where databases have several sizes.

    A definition that alone would exceed the limits is `unsupported`, with its size as the reason; a model that has too
    many worlds is refused. `observer` is who asks, as in `check`. `tick(done, total)` is called after each definition.

    Raises:
        InputError: for an ε or δ that cannot be read.
        LimitError: for too many worlds, and where every definition would exceed the limits.

    """
    model = need_model(model)
    if observer and model.observer != observer:
        model = observed(model, observer)
    engine = engine or Engine(model)
    engine.admit()
    answers: list[Verdict] = []
    beyond_limits = []
    definitions = applicable(model)
    for definition in definitions:
        options: dict[str, Any] = {
            "epsilon": epsilon, "delta": delta, "engine": engine, "digits": digits, "share": len(DEFINITIONS),
        }  # fmt: skip
        try:
            answers.append(accepted(model, definition, replay=replay, **options))
        except LimitError as error:
            beyond_limits.append(error)
            answers.append(beyond(model, definition, epsilon, delta, error))
        if tick:
            tick(len(answers), len(definitions))
    if len(beyond_limits) == len(answers):
        raise beyond_limits[0]
    return Overview(answers)


def accepted(model: Model, definition: Definition, *, replay: bool, engine: Engine, **options: Any) -> Verdict:
    """The answer to one of several questions; where the independent checker rejects it, it says so."""
    answer = check(model, definition, engine=engine, replay=False, **options)
    try:
        return replayed(answer, engine, options.get("share", 1)) if replay else answer
    except RejectedError as error:
        return rejected(answer, error)


def rejected(answer: Verdict, error: RejectedError) -> Verdict:
    """The answer `undecided` in the place of one that the independent checker rejects, without its numbers."""
    reason = f"{REJECTED}: {error.reason}"
    asked = answer.model, answer.definition, answer.reading, answer.epsilon, answer.delta
    return Verdict(*asked, "undecided", reason, replayed=False)


def was_rejected(answer: object) -> bool:
    """Whether an answer stands in the place of a rejected one."""
    return isinstance(answer, Verdict) and (answer.reason or "").startswith(REJECTED)


def beyond(model: Model, definition: Definition, epsilon: object, delta: object, error: LimitError) -> Verdict:
    """The answer `unsupported` to a question whose work would exceed the limits; `error` gives the reason."""
    epsilon_bound = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    return Verdict(model, definition.key, "default", epsilon_bound, delta_bound(delta), "unsupported", str(error))
