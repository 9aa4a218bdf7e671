"""What a convention can be about, by name: what definitions compare, so that a new one has the conventions of it.

Conventions are also about properties (acceptable, reducible, …), by their own names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verifier.definitions.definition import Definition

CONDITIONAL, AVERAGE, COUNTERFACTUAL = "conditional", "conditional, on average", "counterfactual"
NEIGHBOURS, POSTERIOR, DEPENDENCY = "neighbours", "posterior", "dependency"
SIMULATOR, SIMULATED_BELIEFS = "simulator", "posterior, simulated"
ADDED_TUPLE, RECODING, TAILS = "neighbours by one tuple", "recodings of neighbours", "tail"


def compared_by(definition: Definition) -> tuple[str, ...]:
    """What conventions can be about in a definition: what it compares, and whether it counts tails.

    One's own definitions have no conventions here: they name their readings themselves.
    """
    if definition.own:
        return ()
    if definition.changes_size:
        compared = RECODING if definition.recodes else ADDED_TUPLE
    elif definition.kind == POSTERIOR and definition.compare is None:
        compared = SIMULATED_BELIEFS
    else:
        compared = f"{definition.kind}, on average" if definition.aggregation.averages else definition.kind
    return (compared, TAILS) if definition.measure.key == TAILS else (compared,)


def keys_about(subjects: tuple[str, ...]) -> Iterator[str]:
    """The definitions that compare each of the subjects, but for their tail forms, and properties by their name."""
    from verifier.definitions.registry import DEFINITIONS, ON_REQUEST

    for subject in subjects:
        every = [*DEFINITIONS.values(), *ON_REQUEST.values()]
        keys = [definition.key for definition in every if compared_by(definition)[-1:] == (subject,)]
        yield from keys or [subject]


def subjects_of(name: str) -> tuple[str, ...]:
    """What a definition compares, by its key; of a property its own name."""
    from verifier.definitions.registry import DEFINITIONS, ON_REQUEST

    definition = DEFINITIONS.get(name) or ON_REQUEST.get(name)
    return (name,) if definition is None else compared_by(definition)
