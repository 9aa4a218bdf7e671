"""Beliefs that a simulator must leave alike, in SMT-LIB 2 (DMKB20, section 3.3: IBDDP; DP22, Definition 43).

With p_a the chance of the value a and M(D) = o, and q_a that of a and Sim = o, the beliefs are p_a/Σp and q_a/Σq. Times
both sums everything is linear in the simulator.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.wings.judges.smt_exists import simulator_claims
from verifier.wings.judges.smt_simulators import contexts_and_simulator, tables_are_laws
from verifier.wings.judges.smt_tables import mechanism, names, of_world, worlds
from verifier.wings.judges.smt_text import FINITE, INFINITE, Mode, call, define, every, heading
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import Tables


def alike_beliefs(mode: Mode, chances: Sequence[tuple[str, str]]) -> str:
    """The condition that beliefs are alike: where M can give the output, so can the simulator, within a factor E.

    `chances` has for each value a the terms of P[a and M(D) = o] and P[a and Sim = o].
    At ε = inf each value is possible by both, or by none.
    """
    produced, answered = add(p for p, _ in chances), add(q for _, q in chances)
    conditions = [f"(> {answered} 0.0)"]
    for p, q in chances:
        first, second = f"(* {p} {answered})", f"(* {q} {produced})"
        if mode is INFINITE:
            conditions.append(f"(= (> {p} 0.0) (> {q} 0.0))")
        else:
            conditions += [f"(<= {first} (* E {second}))", f"(<= {second} (* E {first}))"]
    return f"(=> (> {produced} 0.0) {every(conditions)})"


def statement(tables: Tables) -> list[str]:
    """The lines of the file: tables, simulator, the condition that beliefs about a record are alike, claims (IBDDP)."""
    lines = [*names(tables), *mechanism(tables), *worlds(tables), *contexts_and_simulator(tables)]
    conditions: dict[str, list[str]] = {FINITE.suffix: [], INFINITE.suffix: []}
    for theta, record in tables.targets():
        at, count = f"_{theta}_{record}", len(tables.thetas[theta])
        lines += heading(
            f"Distribution {theta}, record {record}: the chance of k, a and output o, of M and of the simulator"
        )
        produced = [call("M", *of_world(tables, theta, w), "o") for w in range(count)]
        answered = [f"(Sim c{theta}_{record}_{w} o)" for w in range(count)]
        for name, chances in (("produced", produced), ("answered", answered)):
            terms = [
                f"(ite (and (= k{theta}_{w} k) (= d{theta}_{w}_{record} a)) (* p{theta}_{w} {chance}) 0.0)"
                for w, chance in enumerate(chances)
            ]
            lines.append(define(f"{name}{at}", ["(k Int)", "(a Int)", "(o Int)"], "Real", add(terms)))
        for mode in (FINITE, INFINITE):
            beliefs = [(f"(produced{at} k {a} o)", f"(answered{at} k {a} o)") for a in tables.values]
            body = alike_beliefs(mode, beliefs)
            lines.append(define(f"believed{mode.suffix}{at}", [*mode.parameters, "(k Int)", "(o Int)"], "Bool", body))
            conditions[mode.suffix] += [
                call(f"believed{mode.suffix}{at}", *mode.arguments, k, o)
                for k in tables.knowledge_values(theta)
                for o in tables.outputs
            ]
    lines += heading("The definition: the beliefs are alike, whatever is known and put out; delta is 0")
    for mode in (FINITE, INFINITE):
        body = every(conditions[mode.suffix])
        lines.append(define(f"alike{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", body))
    return lines + tables_are_laws(tables) + simulator_claims(tables.question)
