"""Definitions of DP22 in SMT-LIB 2: the rows that the replay's copy of a definition lists, and the inequality on each.

The laws of a row are listed; its measure is written as an expression, which the judge computes. A row may have a
multiple c of ε: then e^(c·ε) is a number of its own, `E1`, `E2`, … for the different multiples.

In semantic privacy (DP22, Definition 37) the prior is the solver's unknown.

Where it fails the solver finds a prior under which two posteriors are further apart than ε (`sat`); where it holds
there is none (`unsat`). Two databases are enough: with (a, c) the chances of X and S, with and without the record, and
(b, d) those of S and not X, a/(a + b) - c/(c + d) grows with a and falls with b for the same c and d. Priors on X have
no larger a/c than that of one database, and priors on the rest no smaller b/d. So X is one database D, and its prior is
t times that of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

from verifier.checker.laws import Row
from verifier.checker.laws import Tables as CheckerTables
from verifier.checker.survey.definitions import SURVEY
from verifier.errors import LimitError
from verifier.wings.judges.numbers import BELOW, Factor, amount, factor
from verifier.wings.judges.scheme_rows import Question, ScaledEpsilon, SchemeRow, question_of_scheme
from verifier.wings.judges.smt.claims import ask, factor_lines
from verifier.wings.judges.smt.text import call, condition, define, every, heading, real, smt_file, some
from verifier.wings.judges.smt.text import total as add
from verifier.wings.judges.tables import enclosed, listed_by_the_replay, plain, survey_question

MOST_LEFT_OUT = 6
"""Largest number of outputs of which all sets are left out in turn."""
MOST_NUMBERS = 20_000
"""Largest number of probabilities that are written out."""


def smt_scheme(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate about a definition of DP22.

    Raises:
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    question = question_of_scheme(certificate)
    statement = _Statement(question)
    lines = statement.lines() + _Claims(question, statement).lines()
    nonlinear = question.rooted or any("-polynomial" in line for line in lines)
    return smt_file(certificate, question.title, "QF_NIRA" if nonlinear else "QF_LIRA", lines)


@dataclass(frozen=True)
class _Statement:
    """The laws, and `holds` as a function of e^(c·ε) for each c, and of δ; at ε = inf `holds-inf`."""

    question: Question

    @property
    def parameters(self) -> list[str]:
        """The parameters of `holds`: e^(c·ε) for each multiple c, or ε itself where it bounds a rational number."""
        return [f"({name} Real)" for name in self.question.names]

    def lines(self) -> list[str]:
        """The lines before the claims."""
        question = self.question
        count = sum(len(law) for law in question.laws)
        if count > MOST_NUMBERS:
            raise LimitError(f"the laws have {count:,} numbers", wanted=f"at most {MOST_NUMBERS:,}")
        lines = heading("Laws, as the definition lists them: law k gives L_k_o to output o")
        lines += [f"; output {o}: {plain(name)}" for o, name in enumerate(question.outputs)]
        for k, law in enumerate(question.laws):
            lines += [define(f"L_{k}_{o}", [], "Real", real(p)) for o, p in law.items()]
        lawful = [f"(>= L_{k}_{o} 0.0)" for k, law in enumerate(question.laws) for o in law]
        lawful += [f"(<= {add(f'L_{k}_{o}' for o in law)} 1.0)" for k, law in enumerate(question.laws) if law]
        if question.measure == "kl":
            lawful += [
                f"(= {int(p * n)}.0 (* {n}.0 L_{k}_{o}))"
                for k, n in {row.p: question.denominator(row) for rows in question.groups for row in rows}.items()
                for o, p in question.laws[k].items()
            ]
        lines += [*heading("No law has more than 1 in total; beliefs are parts of laws"), condition("lawful", lawful)]
        lines += self._holds("", infinite=False)
        if question.has_epsilon:
            lines += self._holds("-inf", infinite=True)
        return [*lines, condition("compared", ["true" if question.groups else "false"])]

    def _holds(self, suffix: str, *, infinite: bool) -> list[str]:
        question = self.question
        conditions = [self._group(rows, infinite=infinite) for rows in question.groups]
        if question.share is not None:
            missed = [
                f"(ite {condition} 0.0 {real(rows[0].weight)})"
                for rows, condition in zip(question.groups, conditions, strict=True)
            ]
            conditions = [f"(<= {add(missed)} {real(question.share)})"]
        parameters = [] if infinite else self.parameters
        title = f"The definition{' at epsilon = inf' if infinite else ''}: {question.words}"
        body = every(dict.fromkeys(conditions))
        return [*heading(title), define(f"holds{suffix}", [*parameters, "(d Real)"], "Bool", body)]

    def _group(self, rows: Sequence[SchemeRow], *, infinite: bool) -> str:
        """The condition of rows that count together."""
        question = self.question
        if question.averages:
            terms = [f"(* {real(row.weight)} {self._excess(row, infinite=infinite)})" for row in rows]
            return f"(<= {add(terms)} d)"
        return every(dict.fromkeys(self._row(row, infinite=infinite) for row in rows))

    def _row(self, row: SchemeRow, *, infinite: bool) -> str:
        kind = self.question.measure
        if kind in {"hockey-stick", "tail"}:
            return self._at_most_delta(row, infinite=infinite)
        if kind == "ratio":
            return f"(<= {self._excess(row, infinite=infinite)} 0.0)"
        return _OTHERS[kind](self.question, row, self._factor(row, infinite=infinite))

    def _at_most_delta(self, row: SchemeRow, *, infinite: bool) -> str:
        """The condition that the positive parts sum to at most δ, or do so without some set that may be left out."""
        question = self.question
        if question.left_out is None:
            return f"(<= {self._excess(row, infinite=infinite)} d)"
        outputs, ways = list(question.laws[row.p]), []
        if len(outputs) > MOST_LEFT_OUT:
            raise LimitError(f"{len(outputs)} outputs of which all sets may be left out", wanted=f"{MOST_LEFT_OUT}")
        for chosen in chain.from_iterable(combinations(outputs, k) for k in range(len(outputs) + 1)):
            mass = add(question.cell(row.p, o) for o in chosen)
            excess = self._excess(row, infinite=infinite, without=chosen)
            ways.append(f"(and (<= {mass} {real(question.left_out)}) (<= {excess} d))")
        return some(ways)

    def _factor(self, row: SchemeRow, *, infinite: bool) -> str | None:
        """The term of e^(c·ε) of a row, or of ε where it bounds a rational number; None where it is infinite."""
        if not self.question.has_epsilon or (infinite and row.scale):
            return None
        if not row.scale:
            return "0.0" if self.question.plain else "1.0"
        return self.question.name_of(row)

    def _excess(self, row: SchemeRow, *, infinite: bool, without: Sequence[int] = ()) -> str:
        """The term of the sum of the positive parts of P - E·Q; for a tail of P where it is above E·Q."""
        E, terms = self._factor(row, infinite=infinite), []
        for o in self.question.reached(row):
            p, q = self.question.cell(row.p, o), self.question.cell(row.q, o)
            if p == "0.0" or o in without:
                continue
            above = f"(> {p} (* {E} {q}))" if E is not None else f"(= {q} 0.0)"
            counted = p if E is None or self.question.measure == "tail" else f"(- {p} (* {E} {q}))"
            terms.append(f"(ite {above} {counted} 0.0)")
        return add(terms)


def _spread(question: Question, row: SchemeRow, E: str | None) -> str:
    """P(o)·Q(u) ≤ E·P(u)·Q(o) for all outputs o and u, and no output has one chance of 0 alone."""
    cells = [(question.cell(row.p, o), question.cell(row.q, o)) for o in question.reached(row)]
    alike = [f"(= (> {p} 0.0) (> {q} 0.0))" for p, q in cells]
    pairs = [] if E is None else [f"(<= (* {p} {w}) (* {E} (* {v} {q})))" for p, q in cells for v, w in cells]
    return every([*alike, *pairs])


def _renyi(question: Question, row: SchemeRow, E: str | None) -> str:
    """Σ P^α·Q^(1 - α) ≤ e^((α - 1)·c·ε)."""
    cells = [(question.cell(row.p, o), question.cell(row.q, o)) for o in question.reached(row)]
    possible = [f"(> {q} 0.0)" for p, q in cells if p != "0.0"]
    order = question.order
    terms = [_quotient([p] * order, [q] * (order - 1)) for p, q in cells if p != "0.0" and q != "0.0"]
    return every([*possible, *([] if E is None else [f"(<= {add(terms)} {E})"])])


def _kullback_leibler(question: Question, row: SchemeRow, E: str | None) -> str:
    """Π (P/Q)^(N·P) ≤ e^(N·c·ε); a claim says that the powers are N·P."""
    cells = [(question.cell(row.p, o), question.cell(row.q, o)) for o in question.laws[row.p]]
    possible = [f"(> {q} 0.0)" for _, q in cells]
    if E is None or any(q == "0.0" for _, q in cells):
        return every(possible)
    factors: list[str] = []
    for (p, q), chance in zip(cells, question.laws[row.p].values(), strict=True):
        factors += [f"(/ {p} {q})"] * int(chance * question.denominator(row))
    return every([*possible, f"(<= {_quotient(factors, [])} {E})"])


def _absolute_power(question: Question, row: SchemeRow, e: str | None) -> str:
    """Σ Q·|P/Q - 1|^k ≤ c·ε, or (c·ε)^k of the root; where Q = 0 < P it is infinite, but for k = 1 it is P."""
    order, terms, possible = question.order, [], []
    for o in question.reached(row):
        p, q = question.cell(row.p, o), question.cell(row.q, o)
        if q == "0.0":
            possible += [] if order == 1 else [f"(<= {p} 0.0)"]
            terms += [p] if order == 1 else []
            continue
        apart = f"(ite (> {p} {q}) (- {p} {q}) (- {q} {p}))"
        terms.append(_quotient([apart] * order, [q] * (order - 1)))
    if e is None:
        return every(possible)
    bound = _multiple(row.scale, e)
    if question.rooted:
        bound = _quotient([bound] * order, [])
    return every([*possible, f"(<= {add(terms)} {bound})"])


def _total_variation(question: Question, row: SchemeRow, e: str | None) -> str:
    """½·Σ |P - Q| ≤ c·ε."""
    cells = [(question.cell(row.p, o), question.cell(row.q, o)) for o in question.reached(row)]
    terms = [f"(ite (> {p} {q}) (- {p} {q}) (- {q} {p}))" for p, q in cells]
    return "true" if e is None else f"(<= (* 0.5 {add(terms)}) {_multiple(row.scale, e)})"


def _above_a_curve(question: Question, row: SchemeRow, _: str | None) -> str:
    """a·P(S) + b·Q(S) ≤ c for all events S: the sum of the positive parts is at most c."""
    conditions = []
    for a, b, c in question.half_planes:
        sides = []
        for o in question.reached(row):
            value = f"(+ (* {real(a)} {question.cell(row.p, o)}) (* {real(b)} {question.cell(row.q, o)}))"
            sides.append(f"(ite (> {value} 0.0) {value} 0.0)")
        conditions.append(f"(<= {add(sides)} {real(c)})")
    return every(conditions)


def _restricted(question: Question, row: SchemeRow, e: str | None) -> str:
    """Σ P·h - Σ Q·f*(h) ≤ c·ε for each h that is listed."""
    conditions = []
    for gains, costs in question.tests:
        paid = [(o, cost) for o in question.laws[row.q] if (cost := costs[o]) is not None]
        terms = [f"(* {real(gains.get(o, Fraction(0)))} L_{row.p}_{o})" for o in question.laws[row.p]]
        terms += [f"(* {real(-cost)} L_{row.q}_{o})" for o, cost in paid]
        if e is not None and len(paid) == len(question.laws[row.q]):
            conditions.append(f"(<= {add(terms)} {_multiple(row.scale, e)})")
    return every(conditions)


_OTHERS = {
    "restricted": _restricted,
    "spread": _spread,
    "renyi": _renyi,
    "kl": _kullback_leibler,
    "absolute power": _absolute_power,
    "total variation": _total_variation,
    "half-planes": _above_a_curve,
}


def _multiple(scale: Fraction, e: str) -> str:
    return e if scale == 1 else f"(* {real(scale)} {e})"


def _quotient(above: Sequence[str], below: Sequence[str]) -> str:
    product = above[0] if len(above) == 1 else f"(* {' '.join(above)})"
    for factor_ in below:
        product = f"(/ {product} {factor_})"
    return product


class _Claims:
    """The claims: one for each part of the answer."""

    def __init__(self, question: Question, statement: _Statement) -> None:
        self.question, self.statement = question, statement

    def lines(self) -> list[str]:
        """The lines of the claims; each number e^(c·ε) is defined before the first claim about it."""
        question = self.question
        lines = ["", *ask("the numbers are those of laws", "(not lawful)")]
        if question.verdict == "vacuous":
            return lines + ask("nothing is compared", "compared")
        lines += ask("something is compared", "(not compared)")
        if not question.has_epsilon:
            return lines + self._verdict("(holds 0.0)", enough=True)
        delta = real(question.delta)
        for name, epsilon in (("Asked", question.epsilon), ("Tight", question.tight), ("Above", question.above)):
            if epsilon is not None and epsilon.text != "inf":
                lines += self._numbers(name, epsilon)
        lines += [f"(declare-const {name} Real)" for name in (*self._names("X"), "x")]
        tight = question.tight
        if question.epsilon is None:
            least = tight.text != "inf"
            lines += self._verdict(self._at("Tight", delta) if least else "false", enough=least)
        else:
            lines += self._verdict(self._asked(delta), enough=True)
            lines += self._smallest_delta()
        if tight.text == "inf":
            return lines + ask("no finite epsilon is enough", *self._unknown(), self._at("X", delta))
        enough = f"(not {self._at('Tight', delta)})"
        if question.above is not None:
            lines += ask("the upper end of the smallest epsilon is enough", enough)
            return lines + ask("the lower end of the smallest epsilon is not enough", self._at("Above", delta))
        lines += ask("the smallest epsilon is enough", enough)
        if tight.text != "0":
            smaller = [f"(< {x} {t})" for x, t in zip(self._names("X"), self._names("Tight"), strict=True)]
            lines += ask("no smaller epsilon is enough", *self._unknown(), *smaller, self._at("X", delta))
        return lines

    def _names(self, prefix: str) -> list[str]:
        return [f"{prefix}-{name}" for name in self.question.names]

    def _numbers(self, prefix: str, epsilon: ScaledEpsilon) -> list[str]:
        lines: list[str] = []
        for name, scale in zip(self._names(prefix), self.question.scales, strict=True):
            if self.question.plain:
                lines += [*heading(f"{name} = epsilon"), define(name, [], "Real", real(epsilon.number()))]
            else:
                lines += factor_lines(name, factor(epsilon.times(scale)))
        return lines

    def _unknown(self) -> list[str]:
        """An unknown ε: each of its numbers is at least what it is at ε = 0."""
        least = "0.0" if self.question.plain else "1.0"
        return [f"(>= {name} {least})" for name in self._names("X")]

    def _at(self, prefix: str, delta: str) -> str:
        return call("holds", *self._names(prefix), delta)

    def _asked(self, delta: str) -> str:
        epsilon = self.question.epsilon
        return f"(holds-inf {delta})" if epsilon is None or epsilon.text == "inf" else self._at("Asked", delta)

    def _verdict(self, statement: str, *, enough: bool) -> list[str]:
        """The claim of the verdict, with its negation asserted."""
        holds = self.question.verdict == "holds"
        claim = f"{self.question.key} {self.question.verdict}"
        if not enough:  # without ε, where none is enough
            return (
                ask(claim, "true") if holds else ask(claim, *self._unknown(), self._at("X", real(self.question.delta)))
            )
        return ask(claim, f"(not {statement})" if holds else statement)

    def _smallest_delta(self) -> list[str]:
        question = self.question
        if question.epsilon is None or question.tight_delta is None:
            return []
        value = None
        for name, scale in zip(self._names("Asked"), question.scales, strict=True):
            least = amount(question.tight_delta, question.epsilon.times(scale)) if self._is_at(scale) else None
            if least is not None:
                value = real(least.a) if not least.b else f"(- {real(least.a)} (* {real(least.b)} {name}))"
                break
        if value is None:
            return ["; the smallest delta is not written by one of these numbers: nothing is claimed of it"]
        lines = ask("the smallest delta is enough", f"(not {self._asked(value)})")
        return lines + ask("no smaller delta is enough", f"(< x {value})", self._asked("x"))

    def _is_at(self, scale: Fraction) -> bool:
        """Whether the smallest δ is rational, or written with e^(c·ε) of this c."""
        text, epsilon = self.question.tight_delta or "", self.question.epsilon
        return "exp" not in text or (epsilon is not None and text.endswith(f"exp({epsilon.times(scale)})"))


SEMANTIC = "sempr"
MOST_PAIRS = 400
"""Largest number of different pairs of databases that are written out, over all records and events."""


class Chances(NamedTuple):
    """The probabilities of an event on a database D and on another one, with the record and without it."""

    with_d: Fraction
    with_other: Fraction
    without_d: Fraction
    without_other: Fraction


def smt_semantic(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate about semantic privacy.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    question, answer = survey_question(certificate, {SEMANTIC})
    asked = None if question["epsilon"] in {None, "inf"} else ScaledEpsilon(question["epsilon"]).number()
    at = "some finite epsilon" if question["epsilon"] is None else f"epsilon = {question['epsilon']}"
    with listed_by_the_replay():
        rows = list(SURVEY[SEMANTIC].rows(CheckerTables(certificate)))
    lines = _statement(rows)
    if answer["verdict"] == "vacuous":
        lines += ask("nothing is compared", "compared")
    else:
        ends = enclosed(answer["tight_epsilon"])
        lines += _claims(answer["verdict"], asked, *map(_plain_number, ends))
    return smt_file(certificate, f"{SEMANTIC} at {at}: {answer['verdict']}", "QF_NRA", lines)


def _plain_number(end: Factor) -> Fraction:
    return ScaledEpsilon(end.text).number()


def _pairs(rows: list[Row]) -> dict[Chances, str]:
    """The different probabilities of an event on two databases, with the words of the first row that has them."""
    pairs: dict[Chances, str] = {}
    for row in rows:
        for d, other in permutations(row.p, 2):
            chances = Chances(row.p[d], row.p[other], row.q[d], row.q[other])
            pairs.setdefault(chances, f"record {row.record}, {row.words}, {d} and {other}")
    if len(pairs) > MOST_PAIRS:
        raise LimitError(f"{len(pairs):,} different pairs of databases", wanted=f"at most {MOST_PAIRS}, for a judge")
    return pairs


def _statement(rows: list[Row]) -> list[str]:
    """The lines that define when some prior makes two posteriors differ by more than e.

    A row has the probabilities of a record and an event on all databases, with the record and without it.
    """
    lines = heading("A prior: database D is t times as probable as another one")
    lines += ["(declare-const t Real)"]
    lines += heading("apart: with the record the posterior of D is larger by more than e than without it")
    lines.append("; A and B are the chances of the event, up to a factor: no posterior is given what cannot happen")
    parameters = [f"({name} Real)" for name in ("e", "PD", "PO", "QD", "QO")]
    above, below = "(+ (* t PD) PO)", "(+ (* t QD) QO)"
    further = "(> (- (* t PD B) (* t QD A)) (* e A B))"
    body = f"(let ((A {above}) (B {below})) (and (> t 0.0) (> A 0.0) (> B 0.0) {further}))"
    lines.append(define("apart", parameters, "Bool", body))
    conditions = []
    for k, (chances, words) in enumerate(_pairs(rows).items()):
        lines += ["", f"; {plain(words)}"]
        numbers = " ".join(map(real, chances))
        lines.append(define(f"apart_{k}", ["(e Real)"], "Bool", f"(apart e {numbers})"))
        conditions.append(f"(apart_{k} e)")
    return [
        *lines,
        *heading("Some prior, record, event and database tell more than e"),
        define("told", ["(e Real)"], "Bool", some(conditions)),
        define("compared", [], "Bool", "true" if rows else "false"),
    ]


def _claims(verdict: str, asked: Fraction | None, lower: Fraction, upper: Fraction) -> list[str]:
    """The claims on the answer; the smallest ε lies from `lower` to `upper`, which are equal where it is exact."""
    claim = f"{SEMANTIC} {verdict}"
    at = upper if asked is None else asked
    lines = ["", *ask("something is compared", "(not compared)")]
    lines += ask(claim, f"(told {real(at)})", status="unsat" if verdict == "holds" else "sat")
    exact = lower == upper
    end = "the smallest epsilon" if exact else "the upper end of the smallest epsilon"
    lines += ask(f"{end} is enough", f"(told {real(upper)})")
    if not lower:
        return lines
    if exact:
        told = f"(told {real(lower * BELOW)})"
        return lines + ask("no epsilon is enough that is smaller by one part in 2^20", told, status="sat")
    return lines + ask("the lower end of the smallest epsilon is not enough", f"(told {real(lower)})", status="sat")
