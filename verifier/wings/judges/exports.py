"""The formats in which certificates are handed to a foreign judge."""

from __future__ import annotations

from verifier.wings.judges.coq import coq
from verifier.wings.judges.smt.export import smt

EXPORTS = {"smt": smt, "coq": coq}
SUFFIXES = {"smt": ".smt2", "coq": ".v"}
