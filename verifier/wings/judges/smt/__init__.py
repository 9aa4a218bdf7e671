"""A certificate as an SMT-LIB 2 file: the definition spelled out, and claims.

A solver must refute the negation of a claim; where the claim is that a simulator, or a prior, exists, it must find one.
Every `(check-sat)` has the status that confirms its claim in `(set-info :status …)`, after a comment `; claim: …`. The
file has the tables, the question and the answer alone: the solver computes sums, conditional laws and simulators.
"""

from __future__ import annotations

from typing import Any

from verifier.wings.judges.centre_rows import CENTRES
from verifier.wings.judges.smt.claims import claims
from verifier.wings.judges.smt.laws import laws_statement, sizes_statement
from verifier.wings.judges.smt.schemes import SEMANTIC, smt_scheme, smt_semantic
from verifier.wings.judges.smt.simulators import beliefs_statement, simulator_statement, smt_centre
from verifier.wings.judges.smt.text import smt_file
from verifier.wings.judges.tables import question_of, read, read_sized, undamaged


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
        lines = sizes_statement(read_sized(certificate)) + claims(question)
    else:
        tables = read(certificate)
        if question.simulated:
            lines = simulator_statement(tables)
        elif question.believed:
            lines = beliefs_statement(tables)
        else:
            lines = laws_statement(tables) + claims(question)
    kinds = {factor.kind for factor in (question.epsilon, question.tight_epsilon) if factor is not None}
    nonlinear = "root" in kinds and not (question.simulated or question.believed)
    return smt_file(certificate, question, "QF_NIRA" if nonlinear else "QF_LIRA", lines)
