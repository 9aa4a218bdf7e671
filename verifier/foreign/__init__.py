"""Certificates for foreign judges: SMT-LIB 2 files for z3 and cvc5, Coq files.

This room takes the plain dictionaries of certificates and nothing else: no engine, no model, no replay. It writes the
tables down with the definition spelled out, and leaves every sum and every decision to the judge. `docs/judges.md` says
what that confirms.
"""

from __future__ import annotations

from verifier.foreign.coq import coq
from verifier.foreign.judges import JUDGES, LANGUAGE, Finding, Opinion, available, judge, missing
from verifier.foreign.smt import smt

EXPORTS = {"smt": smt, "coq": coq}
SUFFIXES = {"smt": ".smt2", "coq": ".v"}

__all__ = [
    "EXPORTS",
    "JUDGES",
    "LANGUAGE",
    "SUFFIXES",
    "Finding",
    "Opinion",
    "available",
    "coq",
    "judge",
    "missing",
    "smt",
]
