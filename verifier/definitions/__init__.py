"""Each definition is comparisons × measure × aggregation; conventions; verdicts."""

from verifier.definitions.conventions import CONVENTIONS, Convention, conventions_of
from verifier.definitions.decide import decide
from verifier.definitions.definitions import (
    ANNOUNCED,
    DEFINITIONS,
    ON_REQUEST,
    Definition,
    apkdp,
    cdp,
    dependency,
    dp,
    find,
    np,
    ppkdp,
)
from verifier.definitions.verdict import Verdict, Witness

__all__ = [
    "ANNOUNCED",
    "CONVENTIONS",
    "DEFINITIONS",
    "ON_REQUEST",
    "Convention",
    "Definition",
    "Verdict",
    "Witness",
    "apkdp",
    "cdp",
    "conventions_of",
    "decide",
    "dependency",
    "dp",
    "find",
    "np",
    "ppkdp",
]
