"""Distributional differential privacy in SMT-LIB 2 (DMKB20, Definition 4): a simulator of real unknowns.

The solver is told neither the simulator nor the reason why there is none: where the definition holds the solver has to
find one, and where it fails to find that none exists. A simulator has the outputs that the mechanism can give, and one
more, which stands for all others.
"""

from __future__ import annotations

from typing import TypeAlias

from verifier.errors import InputError
from verifier.wings.judges.smt_claims import ask
from verifier.wings.judges.smt_exists import simulator_claims, unknowns, unknowns_are_laws
from verifier.wings.judges.smt_tables import lawful, mechanism, names, of_world, worlds
from verifier.wings.judges.smt_text import FINITE, INFINITE, call, define, distance, every, excess, heading, looked_up
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import Tables

Context: TypeAlias = tuple[int | None, tuple[int, ...], int | None, int | None]
"""A context, which the simulator is told: the record, the other values, θ, B̂ (None where the reading hides it)."""


def context_of(tables: Tables, theta: int, world: int, record: int) -> Context:
    """The context of a world and a record, which the simulator is told."""
    row, reading = tables.thetas[theta][world], tables.question.reading
    return (
        None if reading == "index-free" else record,
        row.database[:record] + row.database[record + 1 :],
        theta if reading == "per-distribution" else None,
        row.knowledge if reading == "per-knowledge" else None,
    )


def statement(tables: Tables) -> list[str]:
    """The lines of the file: tables, rows to be imitated, simulator, and claims."""
    lines = [*names(tables), *mechanism(tables), *worlds(tables)]
    rows: list[list[str]] = [[], []]
    lines += contexts_and_simulator(tables) + excess(tail=False)
    for theta, record in tables.targets():
        lines += _rows(tables, theta, record or 0, rows)
    for mode, inequalities in zip((FINITE, INFINITE), rows, strict=True):
        lines.append(define(f"alike{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)))
    return lines + tables_are_laws(tables) + simulator_claims(tables.question)


def tables_are_laws(tables: Tables) -> list[str]:
    """The claim that the tables are laws."""
    return [*lawful(tables), "", *ask("the tables are laws", "(not lawful)")]


def contexts_and_simulator(tables: Tables) -> list[str]:
    """The lines that define the context of each world, and the simulator's laws as unknowns.

    Raises:
        InputError: for a secret that is no record.

    """
    contexts: dict[Context, int] = {}
    lines: list[str] = []
    for theta, record in tables.targets():
        if record is None:
            raise InputError("a simulator needs records", where="the certificate")
        lines += heading(
            f"Distribution {theta}, record {record}: in world w the simulator is told context c{theta}_{record}_w"
        )
        for w in range(len(tables.thetas[theta])):
            n = contexts.setdefault(context_of(tables, theta, w, record), len(contexts))
            lines.append(define(f"c{theta}_{record}_{w}", [], "Int", str(n)))
    for context, n in contexts.items():
        lines.append(f"; context {n} is (record, others, distribution, knowledge) = {context}")
    size = len(contexts), len(tables.outputs) + 1
    answers = {c: looked_up("o", {o: f"s_{c}_{o}" for o in range(size[1])}) for c in range(size[0])}
    simulated = define("Sim", ["(c Int)", "(o Int)"], "Real", looked_up("c", answers))
    return [*lines, *unknowns(*size), simulated, unknowns_are_laws(*size)]


def _rows(tables: Tables, theta: int, record: int, by_mode: list[list[str]]) -> list[str]:
    """The lines that define the laws of M(D) and Sim(D without the record) given θ, B̂ = k and D(record) = a.

    The inequalities on their distances are added to `by_mode`.
    """
    at, count = f"_{theta}_{record}", len(tables.thetas[theta])

    def summed(terms: list[str]) -> str:
        return add(f"(ite (and (= k{theta}_{w} k) (= d{theta}_{w}_{record} a)) {terms[w]} 0.0)" for w in range(count))

    p = [f"p{theta}_{w}" for w in range(count)]
    real_ = [f"(* {p[w]} {call('M', *of_world(tables, theta, w), 'o')})" for w in range(count)]
    answered = [f"(* {p[w]} (Sim c{theta}_{record}_{w} o))" for w in range(count)]
    parameters = ["(k Int)", "(a Int)"]
    lines = [
        *heading(
            f"Distribution {theta}, record {record}: the law of M(D) and of the simulator's answer, given k and a"
        ),
        define(f"mass{at}", parameters, "Real", summed(p)),
        define(f"law{at}", [*parameters, "(o Int)"], "Real", f"(/ {summed(real_)} (mass{at} k a))"),
        define(f"sim{at}", [*parameters, "(o Int)"], "Real", f"(* (/ 1.0 (mass{at} k a)) {summed(answered)})"),
    ]
    outputs = range(len(tables.outputs) + 1)
    for mode, inequalities in zip((FINITE, INFINITE), by_mode, strict=True):
        for name, first, second in (("forward", "law", "sim"), ("backward", "sim", "law")):
            laws = ([f"({side}{at} k a {o})" for o in outputs] for side in (first, second))
            apart = define(f"{name}{mode.suffix}{at}", [*mode.parameters, *parameters], "Real", distance(mode, *laws))
            lines.append(apart)
        for k in tables.knowledge_values(theta):
            for a in tables.values:
                directions = [
                    f"(<= {call(f'{way}{mode.suffix}{at}', *mode.arguments, k, a)} d)"
                    for way in ("forward", "backward")
                ]
                inequalities.append(f"(=> (> (mass{at} {k} {a}) 0.0) {every(directions)})")
    return lines
