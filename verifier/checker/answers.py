"""The independent re-check: derives an answer again from plain tables, by the definitions alone.

It imports nothing but its other parts, uses `fractions` (and Arb balls where e^ε is irrational) and raises `Rejected`
for what does not follow. `sums`, `sizes`, `laws` and `schemes` read certificates with an `engine`. A certificate is a
plain dictionary:

* `question`: definition, reading, epsilon, delta (texts; epsilon may be None);
* `size`, `values` (texts), `secrets`: a list of record indices, or `["S"]` where rows carry S;
* `worlds`: for each θ a list of `[database, B̂, S or None, probability]`, texts throughout;
* `mechanism`: a list of `[database, {output: probability}]` with every database that is reached;
* `answer`: verdict, tight_delta, tight_epsilon, comparisons, multiplicity, empty, and the witness or the tightest.
"""

from __future__ import annotations

from typing import Any

from verifier.checker.definitions import DEFINITIONS, OF_SIZES, REPLACING, SIMULATED_BELIEFS, SIMULATOR
from verifier.checker.numbers import Compared, Exponential, Rejected, number
from verifier.checker.rejected import Beyond, reading
from verifier.checker.tables import Tables
from verifier.checker.verdict import judge
from verifier.checker.written import agrees, same


@reading("the certificate is malformed")
def replay(certificate: dict[str, Any]) -> None:
    """Derive the answer of a certificate again, and compare.

    Raises:
        Rejected: where the answer does not follow, with the reason.
        Beyond: where it needs longer numbers than the re-check computes.

    """
    question, answer = certificate["question"], certificate["answer"]
    if number(question["delta"]) > 1:
        raise Rejected("δ is more than 1")
    if question["epsilon"] is not None:
        Exponential(question["epsilon"])
    if certificate.get("engine") == "laws":
        from verifier.checker.laws import check as check_laws

        check_laws(certificate)
        return
    if certificate.get("engine") == "schemes":
        from verifier.checker.schemes import check as check_scheme

        check_scheme(certificate)
        return
    definition = DEFINITIONS.get(question["definition"])
    if definition is None or question["reading"] not in definition.readings:
        raise Rejected(f"the replay does not know {question['definition']} in the reading {question['reading']}")
    engine = certificate.get("engine", "table")
    if (engine == "sizes") != (definition.compares in OF_SIZES):
        raise Rejected("dps and safe are about databases of several sizes, and nothing else is")
    if engine != "table":
        if engine == "sizes":
            from verifier.checker.sizes import check
        else:
            from verifier.checker.sums import check
        check(certificate)
        return
    if definition.compares in REPLACING and certificate["secrets"] == ["S"]:
        raise Rejected(f"{question['definition']} is about records, and the model protects a function of the database")
    if definition.compares == SIMULATOR:
        from verifier.checker.simulator import check_simulator

        tables = Tables(certificate)
        check_simulator(certificate, tables.secrets, tables.mechanism)
        return
    if definition.compares == SIMULATED_BELIEFS:
        from verifier.checker.inference import check_posteriors

        check_posteriors(certificate)
        return
    listed = list(Tables(certificate).families(definition, question["reading"]))
    compared = [comparison for family in listed for comparison in family]
    agrees(answer, comparisons=len({_lumped(comparison) for comparison in compared}))
    same("multiplicity (comparisons before lumping)", answer["multiplicity"], len(compared))
    agrees(answer, empty=sum(1 for family in listed if not family))
    judge(certificate, compared)


def _lumped(comparison: Compared) -> object:
    """The key by which comparisons are lumped: record, a, b and both laws of neighbours; else the comparison itself."""
    _, record, a, b, databases, pairs = comparison
    if databases is None:
        return id(comparison)
    return record, a, b, *(tuple(sorted(law.items())) for law in (pairs[0].p, pairs[0].q) if law is not None)


__all__ = ["Beyond", "Exponential", "Rejected", "Tables", "replay"]
