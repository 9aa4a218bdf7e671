"""Distributional differential privacy in SMT-LIB 2 (DMKB20, Definition 4): a simulator of real unknowns.

The solver is told neither the simulator nor the reason why there is none: where the definition holds the solver has to
find one, and where it fails to find that none exists. A simulator has the outputs that the mechanism can give, and one
more, which stands for all others.

A claim is that there is a simulator (`sat`), or that there is none (`unsat`). A file defines when the unknowns are a
simulator, `simulator`, and when its answers are alike, `(alike E d)`, or at ε = inf `(alike-inf d)`. All claims are
linear: an irrational e^ε is replaced by a rational number on the side that proves more.

Beliefs that a simulator must leave alike, in SMT-LIB 2 (DMKB20, section 3.3: IBDDP; DP22, Definition 43).

With p_a the chance of the value a and M(D) = o, and q_a that of a and Sim = o, the beliefs are p_a/Σp and q_a/Σq. Times
both sums everything is linear in the simulator.

Definitions of DP22 with a simulator in SMT-LIB 2: the simulator's laws are unknowns, the laws to imitate are listed.

Zero-knowledge privacy, coupled worlds and typical stability (Definitions 41, 42 and 44) compare laws of outputs;
coupled worlds by inference (Definition 43) compare beliefs. The solver is told neither the simulator nor why there is
none, nor which databases are left out, nor which of several functions is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.errors import InputError
from verifier.wings.judges.centre_rows import ImitatedGroup, ImitatedRow, Imitation, imitation_of
from verifier.wings.judges.numbers import BELOW, amount
from verifier.wings.judges.smt.claims import ask
from verifier.wings.judges.smt.laws import lawful, mechanism, names, of_world, worlds
from verifier.wings.judges.smt.text import (
    FINITE,
    INFINITE,
    Mode,
    call,
    condition,
    define,
    distance,
    every,
    excess,
    heading,
    looked_up,
    real,
    smt_file,
    some,
)
from verifier.wings.judges.smt.text import total as add
from verifier.wings.judges.tables import ClaimedAnswer, Tables, plain


def unknowns(contexts: int, outputs: int) -> list[str]:
    """The lines that declare an unknown for each context and output."""
    return [
        *heading(
            "The simulator: s_c_o is the probability of its answer o in context c; the last o is any other answer"
        ),
        *(f"(declare-const s_{c}_{o} Real)" for c in range(contexts) for o in range(outputs)),
    ]


def unknowns_are_laws(contexts: int, outputs: int) -> str:
    """The definition of `simulator`: the unknowns of each context are a law."""
    laws = [f"(= 1.0 {add(f's_{c}_{o}' for o in range(outputs))})" for c in range(contexts)]
    laws += [f"(>= s_{c}_{o} 0.0)" for c in range(contexts) for o in range(outputs)]
    return condition("simulator", laws)


def simulator_claims(answer: ClaimedAnswer) -> list[str]:
    """The lines of a claim for each part of the answer."""
    epsilon, upper, delta = answer.epsilon, answer.tight_epsilon, answer.delta
    claim = f"{answer.key} {answer.verdict}"
    lines = ["", "(declare-const x Real)"]
    if epsilon is None or epsilon.kind == "inf":
        lines.append(
            "; a simulator that is alike at epsilon = inf is alike at some finite epsilon: the tables are finite"
        )
        e = None if epsilon is not None or upper.kind == "inf" else upper.high
        lines += _exists(claim, e, delta) if answer.verdict == "holds" else _none(claim, e, real(delta))
    elif answer.verdict == "fails":
        lines += _none(claim, epsilon.high, real(delta))
    elif upper.high <= epsilon.low or epsilon.kind == "rational":
        lines += _exists(claim, epsilon.low, delta)
    else:
        lines += _exists(
            f"{claim}, at a rational just above the asked e^epsilon, which is the smallest", epsilon.high, delta
        )
    return lines + _smallest_delta(answer) + _smallest_epsilon(answer)


def _exists(claim: str, e: Fraction | None, d: Fraction) -> list[str]:
    return ask(claim, "simulator", _alike(e, real(d)), status="sat")


def _none(claim: str, e: Fraction | None, d: str, *more: str) -> list[str]:
    return ask(claim, "simulator", *more, _alike(e, d))


def _alike(e: Fraction | None, d: str) -> str:
    return f"(alike-inf {d})" if e is None else f"(alike {real(e)} {d})"


def _smallest_epsilon(answer: ClaimedAnswer) -> list[str]:
    """The claims that a simulator exists at the smallest ε, or its upper end; and none below, or at its lower end."""
    lower, upper, delta = answer.lower, answer.tight_epsilon, answer.delta
    if answer.exact and upper.kind == "inf":
        return _none("no finite epsilon is enough", None, real(delta))
    lines = []
    if upper.kind == "inf":
        lines.append("; nothing is claimed of a smallest epsilon: the answer has none")
    elif answer.exact:
        above = "" if upper.kind == "rational" else ", at a rational just above it"
        lines += _exists(f"the smallest epsilon is enough{above}", upper.high, delta)
    else:
        lines += _exists("the upper end of the smallest epsilon is enough", upper.low, delta)
    if lower.low > 1 and answer.exact:
        below = max(Fraction(1), lower.low * BELOW)
        lines += _none("no epsilon is enough whose e^epsilon is smaller by one part in 2^20", below, real(delta))
    elif lower.low > 1:
        lines += _none("the lower end of the smallest epsilon is not enough", lower.high, real(delta))
    return lines


def _smallest_delta(answer: ClaimedAnswer) -> list[str]:
    """The claims on the smallest δ at a rational e^ε; at inf the lower one, as no simulator need attain the limit."""
    epsilon = answer.epsilon
    least = None if epsilon is None or answer.tight_delta is None else amount(answer.tight_delta, epsilon.text)
    if epsilon is None or least is None or least.b or epsilon.kind not in {"rational", "inf"}:
        return ["; nothing is claimed of a smallest delta"]
    e = None if epsilon.kind == "inf" else epsilon.low
    lines = [] if e is None else _exists("the smallest delta is enough", e, least.a)
    if least.a:
        lines += _none("no smaller delta is enough", e, "x", f"(< x {real(least.a)})")
    return lines


Context: TypeAlias = tuple[int | None, tuple[int, ...], int | None, int | None]
"""A context, which the simulator is told: the record, the other values, θ, B̂ (None where the reading hides it)."""


def context_of(tables: Tables, theta: int, world: int, record: int) -> Context:
    """The context of a world and a record, which the simulator is told."""
    row, reading = tables.thetas[theta][world], tables.question.reading
    others, indexed = row.database[:record] + row.database[record + 1 :], reading != "index-free"
    return (
        record if indexed else None,
        others if indexed else tuple(sorted(others)),
        theta if reading == "per-distribution" else None,
        row.knowledge if reading == "per-knowledge" else None,
    )


def simulator_statement(tables: Tables) -> list[str]:
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


def beliefs_statement(tables: Tables) -> list[str]:
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


def smt_centre(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate about a definition of DP22 with a simulator.

    Raises:
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    imitation = imitation_of(certificate)
    return smt_file(certificate, imitation.answer, "QF_LIRA", _Statement(imitation).lines())


class _Statement:
    """The statement of a question: rows, simulator, the condition that it imitates them, and claims."""

    def __init__(self, imitation: Imitation) -> None:
        self.imitation = imitation
        self.numbers = {id(row): k for k, row in enumerate(imitation.rows)}

    def lines(self) -> list[str]:
        """The lines of the file after its preamble."""
        imitation = self.imitation
        lines = heading("Labels are numbers")
        lines += [f"; output {o}: {plain(name)}" for o, name in enumerate(imitation.outputs)]
        lines += [f"; context {c}: {plain(name)}" for c, name in enumerate(imitation.contexts)]
        for row in imitation.rows:
            lines += self._table(row)
        size = len(imitation.contexts), len(imitation.outputs) + 1
        lines += [*self._lawful(), *unknowns(*size), unknowns_are_laws(*size), *excess(tail=False)]
        for row in imitation.rows:
            lines += self._answers(row)
        lines += self._left_out()
        title = "beliefs of each group" if imitation.believed else "law of M and the law of the simulator's answer"
        lines += heading(f"The definition: the {title} are alike, in both directions")
        for mode in (FINITE, INFINITE):
            conditions = [self._group(k, group, mode) for k, group in enumerate(imitation.groups)]
            lines.append(define(f"alike{mode.suffix}", [*mode.parameters, "(d Real)"], "Bool", every(conditions)))
        lines += ["", *ask("the tables are laws", "(not lawful)")]
        compared = some(map(self._compared, imitation.groups))
        if imitation.answer.verdict == "vacuous":
            return lines + ask("nothing is compared", compared)
        return lines + ask("something is compared", f"(not {compared})") + simulator_claims(imitation.answer)

    def _table(self, row: ImitatedRow) -> list[str]:
        r = self.numbers[id(row)]
        return [
            *heading(f"Row {r} ({plain(row.words)}): L_{r}_o and T_{r}_c are the chances of the row with o, with c"),
            *(define(f"L_{r}_{o}", [], "Real", real(p)) for o, p in row.law.items()),
            *(define(f"T_{r}_{c}", [], "Real", real(p)) for c, p in row.told.items()),
            define(f"mass_{r}", [], "Real", add(f"T_{r}_{c}" for c in row.told)),
            define(f"share_{r}", [], "Real", real(row.share)),
        ]

    def _lawful(self) -> list[str]:
        conditions = []
        for row in self.imitation.rows:
            r = self.numbers[id(row)]
            numbers = [*(f"L_{r}_{o}" for o in row.law), *(f"T_{r}_{c}" for c in row.told)]
            conditions += [f"(>= {name} 0.0)" for name in numbers]
            conditions += [f"(= mass_{r} {add(f'L_{r}_{o}' for o in row.law)})", f"(<= mass_{r} 1.0)"]
        for group in self.imitation.groups:
            if group.left_out is not None:
                conditions.append(f"(= 1.0 {self._shares(group)})")
        return [*heading("What is listed are laws, up to the chance of their row"), condition("lawful", conditions)]

    def _shares(self, group: ImitatedGroup) -> str:
        return add(f"share_{self.numbers[id(row)]}" for choice in group.choices for row in choice)

    def _answers(self, row: ImitatedRow) -> list[str]:
        """The probability that the simulator answers o, and the row; and the distance of both laws."""
        r = self.numbers[id(row)]
        outputs = range(len(self.imitation.outputs) + 1)
        lines = ["", f"; row {r}: the simulator's answers"]
        lines += [define(f"A_{r}_{o}", [], "Real", add(f"(* T_{r}_{c} s_{c}_{o})" for c in row.told)) for o in outputs]
        if self.imitation.believed:
            return lines
        for mode in (FINITE, INFINITE):
            for way, first, second in (("forward", "L", "A"), ("backward", "A", "L")):
                laws = ([self._cell(row, side, o) for o in outputs] for side in (first, second))
                lines.append(define(f"{way}{mode.suffix}_{r}", mode.parameters, "Real", distance(mode, *laws)))
        return lines

    def _cell(self, row: ImitatedRow, side: str, output: int) -> str:
        return "0.0" if side == "L" and output not in row.law else f"{side}_{self.numbers[id(row)]}_{output}"

    def _left_out(self) -> list[str]:
        """An unknown for each row that may be left out."""
        lines: list[str] = []
        for k, group in enumerate(self.imitation.groups):
            if group.left_out is not None:
                rows = [self.numbers[id(row)] for choice in group.choices for row in choice]
                lines += heading(f"Group {k}: rows whose shares sum to at most gamma may be left out")
                lines += [f"(declare-const left-out_{r} Bool)" for r in rows]
                missed = add(f"(ite left-out_{r} share_{r} 0.0)" for r in rows)
                lines.append(condition(f"few_{k}", [f"(<= {missed} {real(group.left_out)})"]))
        return lines

    def _group(self, k: int, group: ImitatedGroup, mode: Mode) -> str:
        if self.imitation.believed:
            return self._beliefs(group, mode)
        if group.left_out is None:
            return some(every(self._row(row, mode) for row in choice) for choice in group.choices)
        (rows,) = group.choices
        kept = [f"(or left-out_{self.numbers[id(row)]} {self._row(row, mode)})" for row in rows]
        return every([f"few_{k}", *kept])

    def _row(self, row: ImitatedRow, mode: Mode) -> str:
        """The condition that a row is imitated; both sides have the probability of the row as a factor."""
        r = self.numbers[id(row)]
        return every(
            f"(<= {call(f'{way}{mode.suffix}_{r}', *mode.arguments)} (* mass_{r} d))" for way in ("forward", "backward")
        )

    def _beliefs(self, group: ImitatedGroup, mode: Mode) -> str:
        (rows,) = group.choices
        return every(
            alike_beliefs(mode, [(self._cell(row, "L", o), self._cell(row, "A", o)) for row in rows])
            for o in range(len(self.imitation.outputs))
        )

    def _compared(self, group: ImitatedGroup) -> str:
        """Whether a group has rows that cannot all be left out."""
        if group.left_out is not None:
            return f"(> {self._shares(group)} {real(group.left_out)})"
        return "true" if any(group.choices) else "false"
