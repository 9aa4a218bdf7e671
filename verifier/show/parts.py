"""What a card says of the parts of a definition: what of it is made finite, and why; and what an absent record is.

Each part has its sentences here, under its name, and a measure in its declaration; a definition has those of its parts.
`finite` says what is merged, left out or made finite of what a definition quantifies over (tails are argued in
proofs/tails.md), `absence_of` what the definition makes of a record that is absent (`[policy] absent`).
"""

from __future__ import annotations

from collections.abc import Iterator

from verifier.definitions import Definition
from verifier.definitions.builders.events import Adversaries, Distributions, Secrets
from verifier.definitions.builders.posteriors import Beliefs, Clients, EventsOfOutputs, Membership
from verifier.definitions.builders.random_pairs import RandomDatabases, RandomPair, RedrawnRecord, Sampled
from verifier.definitions.builders.relations import Relation
from verifier.definitions.centres.centre import Centre, InferredCentre
from verifier.definitions.compared_kinds import (
    ADDED_TUPLE,
    CONDITIONAL,
    COUNTERFACTUAL,
    DEPENDENCY,
    NEIGHBOURS,
    POSTERIOR,
    RECODING,
    SIMULATED_BELIEFS,
    SIMULATOR,
    compared_by,
)
from verifier.definitions.scheme import Scheme, declared_measure

ONE_OUTPUT = "pkdp counts a tail of infinite noise as one output"
PAIRS = (
    f"{ONE_OUTPUT}: all outputs in it have the same ratio P(o)/Q(o), and the measure depends only on ratios and their "
    "probabilities"
)
NAMED = (
    f"{ONE_OUTPUT}, after keeping apart what [policy] names: all outputs in the tail then have one entry in [policy], "
    "and the same ratio P(o)/Q(o)"
)
BELIEFS = f"{ONE_OUTPUT}: every output in it leads to the same belief"
IMITATED = (
    f"{ONE_OUTPUT}: a simulator of the tail can draw an output in it, since the noise does so alike on all databases"
)
SIZES = "The databases are those of the file's sizes, so that the answer is about these sizes"
LISTED_THETA = "Θ is the list in the file"
IMPOSSIBLE = f"{LISTED_THETA}. What θ and B̂ make impossible is not compared: given it, there is no output distribution"
ALL_SIMULATORS = (
    "Of all simulators, a linear program finds the best, and a mixture of tests proves that no other is better. "
    "Outputs, and things that a simulator is told, count as one if their probabilities are proportional everywhere"
)
ONCE = "Equal pairs of distributions with the same multiple of ε count once, since they need the same ε"
DRAWN = "π is a table, so that all databases and values are listed with their shares; those of share 0 are left out"
NO_BELIEF = f"{LISTED_THETA}. An output or a B̂ of probability 0 is not compared, since no belief follows it"
SINGLE = "A belief after a set of outputs is an average of beliefs after its outputs, so that single outputs suffice"
BUILDERS: dict[type, str] = {
    Relation: SIZES,
    Sampled: f"{SIZES}. All samples of each are listed",
    Clients: SIZES,
    Secrets: IMPOSSIBLE,
    Adversaries: IMPOSSIBLE,
    Distributions: LISTED_THETA,
    RandomPair: DRAWN,
    RandomDatabases: DRAWN,
    RedrawnRecord: DRAWN,
    Beliefs: f"{NO_BELIEF}. {SINGLE}",
    Membership: f"{NO_BELIEF}. {SINGLE}",
    EventsOfOutputs: "A belief given an event that cannot happen is not compared",
}
VIEWS = {
    "outputs": "",
    "leaked": (
        "A leak that only one of the two databases can produce is not compared. The joint law of output and leak is a "
        "table, so that their common coins are summed out; in it the outputs have the law of the mechanism"
    ),
    "images": "",
}
AGGREGATIONS = {
    "worst": ONCE,
    "average": "The shares of an average sum to 1, and a pair of one database with itself adds 0",
    "all-but": "Of all ways to leave out a share γ of the pairs, the best leaves out the pairs that need most",
}
CENTRES = {
    "without-a-record": f"Agg has the listed functions only. {ALL_SIMULATORS}",
    "coupled-worlds": f"Γ has the listed pairs only. {IMPOSSIBLE}. {ALL_SIMULATORS}",
    "typical": f"The sets of databases that may be left out are listed, the largest ones only. {ALL_SIMULATORS}",
}
POSTERIORS = (
    "Linear inequalities for each output decide whether some simulator is enough. An output that the simulator cannot "
    "answer fails"
)
SUBJECTS: dict[str, str] = {
    NEIGHBOURS: f"{SIZES}; they may be impossible",
    CONDITIONAL: IMPOSSIBLE,
    COUNTERFACTUAL: IMPOSSIBLE,
    POSTERIOR: (
        f"{LISTED_THETA}. An output that only one side can produce is not compared. Of all sets of values of the "
        "record, the worst has the values whose belief rises by more than e^ε"
    ),
    DEPENDENCY: IMPOSSIBLE,
    SIMULATOR: f"{IMPOSSIBLE}. {ALL_SIMULATORS}",
    SIMULATED_BELIEFS: f"{IMPOSSIBLE}. {POSTERIORS}",
    ADDED_TUPLE: SIZES,
    RECODING: f"{SIZES}, and about the smaller ones that a sample leaves",
}
"""The sentences of the definitions that are no choice of such parts, by what they compare."""
ON_AVERAGE = "A B̂ that excludes b adds 0 to the average, as in DKM19"


def finite(definition: Definition) -> str:
    """What is merged, left out or made finite in a definition, and why; empty where no model decides it.

    >>> from verifier.definitions import find
    >>> finite(find("klpr")).split(". ")[1]
    "The databases are those of the file's sizes, so that the answer is about these sizes"
    """
    if definition.undecided or (definition.own and not definition.reads_policy):
        return ""
    return " ".join(f"{sentence}." for sentence in _sentences(definition) if sentence)


def _sentences(definition: Definition) -> Iterator[str]:
    compared = definition.compare
    if isinstance(compared, Scheme):
        believed = isinstance(compared.builder, Beliefs | Membership)
        yield from (_tails(compared), BUILDERS[type(compared.builder)], VIEWS[compared.view])
        yield from (
            "" if believed else declared_measure(compared.measure).made_finite,
            AGGREGATIONS[compared.aggregation],
        )
    elif isinstance(compared, Centre):
        yield from (IMITATED, CENTRES[compared.centre])
    elif isinstance(compared, InferredCentre):
        yield from (IMITATED, f"Γ has the listed pairs only. {IMPOSSIBLE}. {POSTERIORS}")
    else:
        subject = definition.about.subject
        yield {POSTERIOR: BELIEFS, SIMULATOR: IMITATED, SIMULATED_BELIEFS: IMITATED}.get(subject, PAIRS)
        yield SUBJECTS.get(subject, "")
        yield ON_AVERAGE if definition.aggregation.averages else ""
        if subject not in {SIMULATOR, SIMULATED_BELIEFS}:
            yield from ("" if subject == POSTERIOR else declared_measure(definition.measure.key).made_finite, ONCE)


def _tails(scheme: Scheme) -> str:
    if by_sets := declared_measure(scheme.measure).by_sets:
        return f"pkdp refuses a tail of infinite noise, because {by_sets}"
    if isinstance(scheme.builder, Beliefs | Membership):
        return BELIEFS
    named = scheme.measure == "restricted" or scheme.view != "outputs" or isinstance(scheme.builder, Clients)
    return NAMED if named else PAIRS


# --- absent records ---------------------------------------------------------------------------------------------------

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
ABSENCE = {
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
    return next((ABSENCE[subject] for subject in compared_by(definition) if subject in ABSENCE), BELIEVED)


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
