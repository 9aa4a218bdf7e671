"""What definitions compare: the subjects of conventions by name, and in words, so that a new definition has its own.

Properties (acceptable, reducible, …) are subjects under their own names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verifier.definitions.definition import Definition

CONDITIONAL, AVERAGE, COUNTERFACTUAL = "conditional", "conditional, on average", "counterfactual"
NEIGHBOURS, POSTERIOR, DEPENDENCY = "neighbours", "posterior", "dependency"
SIMULATOR, SIMULATED_BELIEFS = "simulator", "posterior, simulated"
ADDED_TUPLE, RECODING, TAILS = "neighbours by one tuple", "recodings of neighbours", "tail"
NOTHING_COMPARED = "nothing is compared: nowhere are two sensitive values possible with what is known"


class About(NamedTuple):
    """What a definition compares. Definitions with witnesses of one kind may compare different things."""

    subject: str
    """Its name: conventions are about it, and recipes of one's own may ask for it."""
    words: str = ""
    """What completes the sentence "It compares …"; empty where the four axes of DP22 have no words for it."""
    nothing: str = NOTHING_COMPARED
    """Why nothing is compared, where the verdict is vacuous."""


def compared_by(definition: Definition) -> tuple[str, ...]:
    """The subjects of a definition: what it compares, and `tail` where it measures P[loss > ε].

    One's own definitions have no subjects: they name their readings themselves.
    """
    if definition.own:
        return ()
    subject = definition.about.subject
    compared = f"{subject}, on average" if definition.aggregation.averages else subject
    return (compared, TAILS) if definition.measure.key == TAILS else (compared,)


def keys_about(subjects: tuple[str, ...]) -> Iterator[str]:
    """Yield the keys of the definitions that compare each subject, without their tail forms; a property's own name."""
    from verifier.definitions.registry import DEFINITIONS, ON_REQUEST

    for subject in subjects:
        every = [*DEFINITIONS.values(), *ON_REQUEST.values()]
        keys = [definition.key for definition in every if compared_by(definition)[-1:] == (subject,)]
        yield from keys or [subject]


def subjects_of(name: str) -> tuple[str, ...]:
    """The subjects of the definition with this key; of a property its own name."""
    from verifier.definitions.registry import DEFINITIONS, ON_REQUEST

    definition = DEFINITIONS.get(name) or ON_REQUEST.get(name)
    return (name,) if definition is None else compared_by(definition)
