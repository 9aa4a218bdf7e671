"""The privacy definitions: each is comparisons × measure × aggregation; with the conventions, and verdicts.

- `Comparison`: one pair of laws, or one for each B̂, with weights; what a definition bounds.
- `ComparisonSet`: the comparisons of one θ and one sensitive attribute.
- `Comparisons`: what a definition compares, whatever its text, and what follows from that for each question.
- `Comparing`: the `Comparisons` by a builder, which names laws, and a view, which compares them.
- `About`: what is compared, by its name, which conventions have, and in words.
"""

from verifier.definitions.builders.resolve import COMPARISONS
from verifier.definitions.comparison import (
    AGGREGATIONS,
    AVERAGE,
    CURVES,
    HOCKEY_STICK,
    TAIL,
    WORST,
    Comparison,
    ComparisonSet,
    Term,
)
from verifier.definitions.decide import decide
from verifier.definitions.definition import Definition
from verifier.definitions.measures.divergence import DIVERGENCES, Divergence
from verifier.definitions.own import law_pair, load
from verifier.definitions.registry import (
    CONVENTIONS,
    DEFINITIONS,
    ON_REQUEST,
    Convention,
    conventions_of,
    find,
    named,
    register,
)
from verifier.definitions.verdict import Verdict, Witness

__all__ = [
    "AGGREGATIONS",
    "AVERAGE",
    "COMPARISONS",
    "CONVENTIONS",
    "CURVES",
    "DEFINITIONS",
    "DIVERGENCES",
    "HOCKEY_STICK",
    "ON_REQUEST",
    "TAIL",
    "WORST",
    "Comparison",
    "ComparisonSet",
    "Convention",
    "Definition",
    "Divergence",
    "Term",
    "Verdict",
    "Witness",
    "conventions_of",
    "decide",
    "find",
    "law_pair",
    "load",
    "register",
]


def __getattr__(name: str) -> Definition:
    """A definition of the texts by its key: `verifier.definitions.apkdp`."""
    return named(name)
