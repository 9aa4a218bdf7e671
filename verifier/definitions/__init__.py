"""Each definition is comparisons × measure × aggregation; conventions; verdicts."""

from verifier.definitions.conventions import CONVENTIONS, Convention, conventions_of
from verifier.definitions.decide import decide
from verifier.definitions.definitions import (
    ANNOUNCED,
    DEFINITIONS,
    Definition,
    apkdp,
    cdp,
    dp,
    dps,
    find,
    np,
    ppkdp,
    safe,
)
from verifier.definitions.verdict import Verdict, Witness

__all__ = [
    "ANNOUNCED",
    "CONVENTIONS",
    "DEFINITIONS",
    "Convention",
    "Definition",
    "Verdict",
    "Witness",
    "apkdp",
    "cdp",
    "conventions_of",
    "decide",
    "dp",
    "dps",
    "find",
    "np",
    "ppkdp",
    "safe",
]
