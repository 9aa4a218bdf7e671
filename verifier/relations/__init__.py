"""How the definitions relate: what implies what, under which condition, and what does not, with evidence for each."""

from verifier.relations.arrows import ARROWS, CLAIMS, CONDITIONS, Arrow, Claim, Condition
from verifier.relations.table import COMPARED, Cell, Fact, Relations, relations

__all__ = [
    "ARROWS",
    "CLAIMS",
    "COMPARED",
    "CONDITIONS",
    "Arrow",
    "Cell",
    "Claim",
    "Condition",
    "Fact",
    "Relations",
    "relations",
]
