"""A certificate as an SMT-LIB 2 file: the definition spelled out, and claims.

A solver must refute the negation of a claim; where the claim is that a simulator, or a prior, exists, it must find one.
Every `(check-sat)` has the status that confirms its claim in `(set-info :status …)`, after a comment `; claim: …`. The
file has the tables, the question and the answer alone: the solver computes sums, conditional laws and simulators.
"""

from __future__ import annotations

from typing import Any

from verifier.wings.judges import smt_beliefs, smt_laws, smt_simulators, smt_sizes
from verifier.wings.judges.centre_rows import CENTRES
from verifier.wings.judges.sized import read_sized
from verifier.wings.judges.smt_centres import smt_centre
from verifier.wings.judges.smt_claims import claims
from verifier.wings.judges.smt_schemes import smt_scheme
from verifier.wings.judges.smt_semantic import SEMANTIC, smt_semantic
from verifier.wings.judges.smt_text import smt_file
from verifier.wings.judges.tables import question_of, read, undamaged


@undamaged()
def smt(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate: its tables, the definition, and a claim for each part of the answer.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    if certificate.get("engine") == "schemes":
        key = certificate["question"]["definition"]
        if key == SEMANTIC:
            return smt_semantic(certificate)
        return smt_centre(certificate) if key in CENTRES else smt_scheme(certificate)
    question = question_of(certificate)
    if question.definition.changes_size:
        lines = smt_sizes.statement(read_sized(certificate)) + claims(question)
    else:
        tables = read(certificate)
        if question.simulated:
            lines = smt_simulators.statement(tables)
        elif question.believed:
            lines = smt_beliefs.statement(tables)
        else:
            lines = smt_laws.statement(tables) + claims(question)
    kinds = {factor.kind for factor in (question.epsilon, question.tight_epsilon) if factor is not None}
    nonlinear = "root" in kinds and not (question.simulated or question.believed)
    return smt_file(certificate, question, "QF_NIRA" if nonlinear else "QF_LIRA", lines)
