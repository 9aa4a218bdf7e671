"""What a definition makes of a record that is absent (`[policy] absent`), as a sentence of its card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.definitions.scheme.centres import Centre
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.events import Distributions
from verifier.definitions.scheme.posteriors import Clients, EventsOfOutputs, Membership
from verifier.definitions.scheme.random_pairs import RandomDatabases, RandomPair, RedrawnRecord, Sampled
from verifier.definitions.scheme.relations import Relation
from verifier.definitions.subjects import (
    ADDED_TUPLE,
    COUNTERFACTUAL,
    NEIGHBOURS,
    POSTERIOR,
    RECODING,
    SIMULATED_BELIEFS,
    SIMULATOR,
    compared_by,
)

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition

CHANGED = "The record that is changed is there before and after: `absent` is none of its values."
TOLD = "The simulator is told the n - 1 other records, and so knows n: the record that it is not told is there."
REDRAWN = "The record that is redrawn is there before and after: π gives `absent` no probability."
NEIGHBOURING = "A step to or from `absent` removes or adds a record; [policy] neighbours says which steps count."
MOVED = "A record is added or removed: it has the value `absent` in one of the two databases."
REMOVED = "D without i is D with record i set to `absent`; only databases that hold record i have a prior."
SEVERAL = "Several records may differ: `absent` is a value like any other, in the databases that are compared."
EDGES = "A record is added or removed only along an edge of the graph that names `absent`."
MEMBERS = "`absent` is no value t that a database has; θ may give it to a record."
BELIEVED = "`absent` is a value that θ may give a record: whether the record is there is kept secret, too."
SIZED = "Databases have several sizes, and leave out a record that is not there: no value is `absent`."
WORDS = {
    COUNTERFACTUAL: CHANGED,
    POSTERIOR: CHANGED,
    NEIGHBOURS: CHANGED,
    SIMULATOR: TOLD,
    SIMULATED_BELIEFS: TOLD,
    ADDED_TUPLE: SIZED,
    RECODING: SIZED,
}
"""The sentences of definitions of the texts by what they compare; of all others the sentence is `BELIEVED`."""


def absence_of(definition: Definition) -> str:
    """The sentence about absent records; empty for a definition that is not decided, or that is one's own.

    >>> from verifier.definitions import find
    >>> absence_of(find("ubodp"))
    'A record is added or removed: it has the value `absent` in one of the two databases.'
    """
    compared = definition.compare
    if definition.undecided:
        return ""
    if isinstance(compared, Scheme):
        return _of_builder(compared.builder)
    if isinstance(compared, Centre):
        return TOLD if compared.centre == "without-a-record" else BELIEVED
    return next((WORDS[subject] for subject in compared_by(definition) if subject in WORDS), BELIEVED)


def _of_builder(builder: object) -> str:
    match builder:
        case Relation():
            return _of_relation(builder)
        case Sampled() | Clients():
            return NEIGHBOURING
        case RandomPair() | RedrawnRecord():
            return REDRAWN
        case RandomDatabases() | Distributions():
            return SEVERAL
        case EventsOfOutputs():
            return REMOVED
        case Membership():
            return MEMBERS
    return BELIEVED


def _of_relation(relation: Relation) -> str:
    if "graph" in relation.restrict:
        return EDGES
    if "dependence" in relation.restrict:
        return CHANGED
    if relation.steps in {"any", "pairs"}:
        return SEVERAL
    return {"neighbours": NEIGHBOURING, "change": CHANGED}.get(relation.steps, MOVED)
