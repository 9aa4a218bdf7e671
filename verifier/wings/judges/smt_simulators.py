"""Distributional differential privacy in SMT-LIB 2 (DMKB20, Definition 4): a simulator of real unknowns.

The solver is told neither the simulator nor the reason why there is none: where it holds it has to find one, and where
it fails it has to find that none exists. A simulator is asked for the outputs that the mechanism can give, and for one
more, which stands for everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from verifier.errors import InputError
from verifier.wings.judges.numbers import amount
from verifier.wings.judges.smt_claims import ask
from verifier.wings.judges.smt_tables import mechanism, names, of_world, worlds
from verifier.wings.judges.smt_text import FINITE, INFINITE, call, define, every, excess, heading, real
from verifier.wings.judges.smt_text import total as add
from verifier.wings.judges.tables import CertifiedAnswer, Tables

Context: TypeAlias = tuple[int | None, tuple[int, ...], int | None, int | None]
"""What the simulator is told: the record, the other values, θ, B̂ (None where the reading does not tell it)."""
Exists: TypeAlias = Callable[[str, Fraction | None, Fraction], list[str]]
None_: TypeAlias = Callable[..., list[str]]
BELOW = 1 - Fraction(1, 1 << 20)


def context_of(tables: Tables, theta: int, world: int, record: int) -> Context:
    """The context of a world: what the simulator is told there."""
    row, reading = tables.thetas[theta][world], tables.question.reading
    return (
        None if reading == "index-free" else record,
        row.database[:record] + row.database[record + 1 :],
        theta if reading == "per-distribution" else None,
        row.knowledge if reading == "per-knowledge" else None,
    )


def statement(tables: Tables) -> list[str]:
    """Tables, rows to be imitated, the simulator, and all claims."""
    contexts: dict[Context, int] = {}
    lines = [*names(tables), *mechanism(tables), *worlds(tables)]
    rows: list[list[str]] = [[], []]
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
    lines += _simulator(len(contexts), len(tables.outputs) + 1) + excess(tail=False)
    for theta, record in tables.targets():
        lines += _rows(tables, theta, record or 0, rows)
    for mode, inequalities in zip((FINITE, INFINITE), rows, strict=True):
        lines.append(define(f"alike{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(inequalities)))
    return lines + _claims(tables.question)


def _simulator(contexts: int, outputs: int) -> list[str]:
    """One unknown for each context and output, and what makes them laws."""
    lines = heading(
        "The simulator: s_c_o is the probability of its answer o in context c; the last o is any other answer"
    )
    lines += [f"(declare-const s_{c}_{o} Real)" for c in range(contexts) for o in range(outputs)]
    body = "0.0"
    for c in reversed(range(contexts)):
        inner = "0.0"
        for o in reversed(range(outputs)):
            inner = f"(ite (= o {o}) s_{c}_{o} {inner})"
        body = f"(ite (= c {c}) {inner} {body})"
    law = [f"(= 1.0 {add(f's_{c}_{o}' for o in range(outputs))})" for c in range(contexts)]
    law += [f"(>= s_{c}_{o} 0.0)" for c in range(contexts) for o in range(outputs)]
    return [
        *lines,
        define("Sim", ["(c Int)", "(o Int)"], "Real", body),
        define("simulator", [], "Bool", every(law)),
    ]


def _rows(tables: Tables, theta: int, record: int, by_mode: list[list[str]]) -> list[str]:
    """M(D) and Sim(D without the record) given θ, B̂ = k and D(record) = a, alike in both directions."""
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
            terms = [
                call(f"excess{mode.suffix}", *mode.arguments, f"({first}{at} k a {o})", f"({second}{at} k a {o})")
                for o in outputs
            ]
            lines.append(define(f"{name}{mode.suffix}{at}", [*mode.parameters, *parameters], "Real", add(terms)))
        for k in tables.knowledge_values(theta):
            for a in tables.values:
                directions = [
                    f"(<= {call(f'{way}{mode.suffix}{at}', *mode.arguments, k, a)} d)"
                    for way in ("forward", "backward")
                ]
                inequalities.append(f"(=> (> (mass{at} {k} {a}) 0.0) {every(directions)})")
    return lines


def _claims(question: CertifiedAnswer) -> list[str]:
    """Every part of the answer; a simulator is found where the status is `sat`, and cannot be where it is `unsat`.

    All that is asked is linear: an irrational e^ε is replaced by a rational on the side that proves more.
    """
    epsilon, tight, delta = question.epsilon, question.tight_epsilon, question.delta

    def exists(claim: str, e: Fraction | None, d: Fraction) -> list[str]:
        return ask(claim, "simulator", _alike(e, real(d)), status="sat")

    def none(claim: str, e: Fraction | None, d: str, *more: str) -> list[str]:
        return ask(claim, "simulator", *more, _alike(e, d))

    claim = f"ddp {question.verdict}"
    lines = ["", "(declare-const x Real)"]
    if epsilon is None or epsilon.kind == "inf":
        lines.append(
            "; a simulator that is alike at epsilon = inf is alike at some finite epsilon: the tables are finite"
        )
        e = None if epsilon is not None or tight.kind == "inf" else tight.high
        lines += exists(claim, e, delta) if question.verdict == "holds" else none(claim, e, real(delta))
    elif question.verdict == "fails":
        lines += none(claim, epsilon.high, real(delta))
    elif tight.high <= epsilon.low:
        lines += exists(claim, epsilon.low, delta)
    else:
        lines += exists(
            f"{claim}, at a rational just above the asked e^epsilon, which is the smallest", epsilon.high, delta
        )
    lines += _smallest_delta(question, exists, none)
    if tight.kind == "inf":
        return lines + none("no finite epsilon is enough", None, real(delta))
    above = "" if tight.kind == "rational" else ", at a rational just above it"
    lines += exists(f"the smallest epsilon is enough{above}", tight.high, delta)
    if tight.low > 1:
        below = max(Fraction(1), tight.low * BELOW)
        lines += none("no epsilon is enough whose e^epsilon is smaller by one part in 2^20", below, real(delta))
    return lines


def _alike(e: Fraction | None, d: str) -> str:
    return f"(alike-inf {d})" if e is None else f"(alike {real(e)} {d})"


def _smallest_delta(question: CertifiedAnswer, exists: Exists, none: None_) -> list[str]:
    """Both sides at a rational e^ε; at inf no simulator need attain the limit."""
    epsilon = question.epsilon
    least = None if epsilon is None or question.tight_delta is None else amount(question.tight_delta, epsilon.text)
    if epsilon is None or least is None or least.b or epsilon.kind not in {"rational", "inf"}:
        return ["; nothing is claimed of a smallest delta"]
    e = None if epsilon.kind == "inf" else epsilon.low
    lines = [] if e is None else exists("the smallest delta is enough", e, least.a)
    if least.a:
        lines += none("no smaller delta is enough", e, "x", f"(< x {real(least.a)})")
    return lines
