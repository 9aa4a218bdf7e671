"""Each definition is comparisons × measure × aggregation; conventions; verdicts."""

from verifier.definitions.conventions import CONVENTIONS, Convention, conventions_of
from verifier.definitions.decide import decide
from verifier.definitions.definition import Definition
from verifier.definitions.definitions import ANNOUNCED, DEFINITIONS, apkdp, cdp, dp, find, ibcdp, np, ppkdp
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
    "find",
    "ibcdp",
    "np",
    "ppkdp",
]
