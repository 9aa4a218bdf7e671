"""Reading what a definition of DP22's scheme compares from its entry: builder, view, measure, aggregation."""

from __future__ import annotations

from collections.abc import Callable, Collection

from verifier.definitions.divergence import DIVERGENCES, divergence_named
from verifier.definitions.measure import CURVES
from verifier.definitions.scheme.conditions import CONDITIONS
from verifier.definitions.scheme.decide import AGGREGATIONS, SPECIAL, Scheme
from verifier.definitions.scheme.events import Adversaries, Distributions, Secrets
from verifier.definitions.scheme.posteriors import ABOUT, CELLS, Beliefs, Clients, EventsOfOutputs, Membership
from verifier.definitions.scheme.random_pairs import RandomDatabases, RandomPair, RedrawnRecord, Sampled
from verifier.definitions.scheme.relations import RESTRICTIONS, SCALES, STEPS, Relation
from verifier.definitions.scheme.rows import Builder
from verifier.definitions.scheme.views import VIEWS
from verifier.errors import InputError, UnsupportedError
from verifier.model.keys import Keys, chosen, listed, string
from verifier.numbers import shorten

MEASURES = tuple(dict.fromkeys((*CURVES, *DIVERGENCES, *CONDITIONS, *SPECIAL, "renyi", "divergence", "root-abs")))
"""The measures by their names in entries; `renyi-2`, `abs-3` and the like name their number."""


NUMBERED_TIP = "renyi-2, renyi-3, … and abs-1, abs-2, … name their number; renyi and root-abs read `order` in [policy]"


FOR_BUILDERS = {
    "average": ("random-pair-by-direction", "redrawn-record"),
    "all-but": ("random-pair", "random-databases"),
}
"""The builders whose pairs have shares, by the aggregation that takes them."""
FOR_MEASURES = {
    "beliefs": ("ratio", "hockey-stick"),
    "membership": ("ratio", "hockey-stick"),
    "events-of-outputs": ("semantic",),
}
"""The measures of builders whose rows are seen as events, not as laws of outputs."""


def read_scheme(keys: Keys, others: Collection[str] = ()) -> tuple[Scheme, bool]:
    """What an entry compares by a builder of rows, and whether its definition has a δ.

    `others` are the builders that are no builders of rows.

    Raises:
        InputError: where a part has no such name, or does not go with the others.

    """
    name = keys.read("builder", chosen, (*BUILDERS, *others))
    builder = BUILDERS[name](keys)
    view = keys.read("view", chosen, VIEWS, default="outputs")
    measure = _measure(keys)
    aggregation = keys.read("aggregation", chosen, dict.fromkeys(AGGREGATIONS), default="worst")
    if name not in FOR_BUILDERS.get(aggregation, (name,)):
        wanted = f"worst, or a builder with shares: {', '.join(FOR_BUILDERS[aggregation])}"
        raise InputError(
            f"{aggregation} does not go with the builder {name}",
            where=str(keys.location.at("aggregation")),
            wanted=wanted,
        )
    if measure not in FOR_MEASURES.get(name, (measure,)) or (measure == "semantic" and name != "events-of-outputs"):
        wanted = f"one of {', '.join(FOR_MEASURES[name])}" if name in FOR_MEASURES else "another measure"
        raise InputError(
            f"{measure} does not go with the builder {name}", where=str(keys.location.at("measure")), wanted=wanted
        )
    return Scheme(builder, view, measure, aggregation), measure in {*CURVES, "trimmed", "concentrated-approximately"}


def _measure(keys: Keys) -> str:
    """The name of a measure, that of a curve, a condition or one number; one that no model decides is refused."""
    name = keys.read("measure", string, "a measure")
    if name in MEASURES:
        return name
    try:
        return divergence_named(name).key
    except UnsupportedError:
        wanted = f"one of {', '.join(MEASURES)}, renyi-2, abs-3"
        raise InputError(
            f"{shorten(name)} is not a measure", where=str(keys.location.at("measure")), wanted=wanted, tip=NUMBERED_TIP
        ) from None


def _relation(keys: Keys) -> Relation:
    steps = keys.read("steps", string, "the steps", default="neighbours")
    if steps not in {"neighbours", "any", "pairs"} and not set(steps.split()) <= set(STEPS):
        raise InputError(
            f"{shorten(steps)} has unknown steps",
            where=str(keys.location.at("steps")),
            wanted="neighbours, any, pairs, or steps",
        )
    restrict = tuple(keys.read("restrict", listed, "a list of names", default=[]))
    for name in restrict:
        if name not in RESTRICTIONS:
            wanted = f"one of {', '.join(RESTRICTIONS)}"
            raise InputError(f"{shorten(name)} is unknown", where=str(keys.location.at("restrict")), wanted=wanted)
    within = keys.read("within", string, "a number, or a field of [policy]", default="1")
    if not (within.isdecimal() and int(within)) and within != "group":
        wanted = 'a number such as "2", or "group", the field of [policy]'
        raise InputError(
            f"{shorten(within)} is not a number of steps", where=str(keys.location.at("within")), wanted=wanted
        )
    return Relation(steps, within, restrict, keys.read("scale", chosen, SCALES, default=""))


BUILDERS: dict[str, Callable[[Keys], Builder]] = {
    "relation": _relation,
    "sampled": lambda keys: Sampled(_relation(keys)),
    "secrets": lambda _: Secrets(),
    "distributions": lambda keys: Distributions(scaled=bool(keys.take("scaled", default=False))),
    "adversaries": lambda _: Adversaries(),
    "random-pair": lambda _: RandomPair(),
    "random-pair-by-direction": lambda _: RandomPair(by_direction=True),
    "random-databases": lambda _: RandomDatabases(),
    "redrawn-record": lambda _: RedrawnRecord(),
    "beliefs": lambda keys: Beliefs(keys.read("about", chosen, ABOUT)),
    "membership": lambda keys: Membership(tuple(keys.read("cells", listed, f"some of {', '.join(CELLS)}"))),
    "clients": lambda keys: Clients(together=bool(keys.take("together", default=False))),
    "events-of-outputs": lambda _: EventsOfOutputs(),
}
"""Builders by their names in entries, each with the reader of its own keys."""
