"""Definitions of DP22 in SMT-LIB 2: the rows that the checker's copy of a definition lists, and the inequality on each.

That copy shares nothing with the decider: it says which laws are compared, and by which measure. The laws are listed.
A measure is the term that declares it (`definitions.ring`) as an expression, which the judge computes; what is no such
term, a curve or a trade-off function, has its formula here. A row may have a multiple c of ε: then e^(c·ε) is a number
of its own, `E1`, `E2`, … for the different multiples.

In semantic privacy (DP22, Definition 37) the prior is the solver's unknown.

Where it fails the solver finds a prior under which two posteriors are further apart than ε (`sat`); where it holds
there is none (`unsat`). Two databases are enough: with (a, c) the chances of X and S, with and without the record, and
(b, d) those of S and not X, a/(a + b) - c/(c + d) grows with a and falls with b for the same c and d. Priors on X have
no larger a/c than that of one database, and priors on the rest no smaller b/d. So X is one database D, and its prior is
t times that of another.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, permutations
from math import lcm
from typing import Any, NamedTuple

from verifier.checker.laws import Row
from verifier.checker.laws import Tables as CheckerTables
from verifier.checker.measures import Curve
from verifier.checker.survey import divergences
from verifier.checker.survey.definitions import ALL_BUT, AVERAGE, SURVEY, WORST, Scheme
from verifier.definitions.measures.conditions import HalfPlane, half_planes
from verifier.definitions.measures.divergence import KL, Algebraic, known_divergence, rooted_power
from verifier.definitions.measures.ring import ANY, is_infinite
from verifier.errors import LimitError, UnsupportedError
from verifier.wings.judges.numbers import BELOW, Factor, amount, factor, number
from verifier.wings.judges.smt.claims import ask, factor_lines
from verifier.wings.judges.smt.text import (
    APART,
    FALSE,
    FINITE,
    INFINITE,
    ONE,
    TEXTS,
    ZERO,
    Mode,
    Terms,
    call,
    condition,
    define,
    distance,
    every,
    excess,
    heading,
    over,
    real,
    smt_file,
    some,
    times,
)
from verifier.wings.judges.smt.text import total as add
from verifier.wings.judges.tables import enclosed, listed_by_the_replay, plain, survey_question

MOST_ROWS = 600
"""Largest number of different rows that are written out."""
MOST_ORDER = 6
"""Largest order of a power that is written out."""
MOST_DENOMINATOR = 256
"""Largest common denominator of laws whose Kullback-Leibler divergence is written out."""
MOST_LEFT_OUT = 6
"""Largest number of outputs of which all sets are left out in turn."""
MOST_NUMBERS = 20_000
"""Largest number of probabilities that are written out."""


# --- rows -------------------------------------------------------------------------------------------------------------


class SchemeRow(NamedTuple):
    """A row: the numbers of the laws P and Q, the multiple of ε that they are allowed, and the share of the row."""

    p: int
    q: int
    scale: Fraction
    weight: Fraction

    @property
    def laws(self) -> str:
        """The numbers of the laws, which end the names of what is defined for them."""
        return f"{self.p}_{self.q}"


class Laws:
    """Laws and outputs by numbers, each once; a law has the outputs that it can produce."""

    def __init__(self) -> None:
        self.outputs: dict[str, int] = {}
        self.listed: list[dict[int, Fraction]] = []
        self._known: dict[tuple[tuple[str, Fraction], ...], int] = {}

    def row(self, row: Row) -> SchemeRow:
        """A row of the checker's copy, with its laws by number."""
        return SchemeRow(self._number(row.p), self._number(row.q), row.scale, row.weight)

    def _number(self, law: dict[str, Fraction]) -> int:
        key = tuple(sorted((o, p) for o, p in law.items() if p))
        if key not in self._known:
            self._known[key] = len(self.listed)
            self.listed.append({self.outputs.setdefault(o, len(self.outputs)): p for o, p in key})
        return self._known[key]

    def cells(self, row: SchemeRow, without: Sequence[int] = ()) -> list[tuple[str, str]]:
        """The names of P(o) and Q(o) for all outputs that one of the laws can produce."""
        outputs = dict.fromkeys([*self.listed[row.p], *self.listed[row.q]])
        return [(self.cell(row.p, o), self.cell(row.q, o)) for o in outputs if o not in without]

    def cell(self, law: int, output: int) -> str:
        """The name of a law's probability of an output; 0 where the output is impossible."""
        return f"L_{law}_{output}" if output in self.listed[law] else ZERO


@dataclass(frozen=True)
class ScaledEpsilon:
    """An ε as a certificate writes it, and its multiples."""

    text: str

    def times(self, scale: Fraction) -> str:
        """The multiple c·ε for c = `scale`, as a certificate writes it.

        >>> ScaledEpsilon("1/2*ln(3)").times(Fraction(2)), ScaledEpsilon("1/10").times(Fraction(3))
        ('ln(3)', '3/10')

        Raises:
            UnsupportedError: for a multiple of another ε, such as ln(root of …).

        """
        if scale == 1 or self.text in {"0", "inf"}:
            return self.text
        if not scale:
            return "0"
        if re.fullmatch(r"[0-9/]+", self.text):
            return str(number(self.text) * scale)
        match = re.fullmatch(r"(?:([0-9/]+)\*)?ln\(([0-9/]+)\)", self.text)
        if not match:
            raise UnsupportedError(f"a multiple of ε = {self.text[:60]} has no export")
        power = number(match[1] or "1") * scale
        if power.denominator == 1:
            return f"ln({number(match[2]) ** power.numerator})"
        return f"{power}*ln({match[2]})"

    def number(self) -> Fraction:
        """The number ε, where it is rational.

        Raises:
            UnsupportedError: for an irrational ε.

        """
        if not re.fullmatch(r"[0-9/]+", self.text):
            raise UnsupportedError(f"a rational number is compared with ε = {self.text[:60]}, which has no export")
        return number(self.text)


# --- measures ---------------------------------------------------------------------------------------------------------


class Measure(ABC):
    """What is bounded for two laws P and Q; `words` say it in ASCII."""

    words: str
    rational: bool = False
    """Whether a power of c·ε itself bounds a number, and not e^(m·c·ε)."""
    power: int = 1

    @abstractmethod
    def lines(self, laws: Laws, row: SchemeRow) -> list[str]:
        """The lines that define what is bounded for the laws of a row."""

    @abstractmethod
    def before(self, lines: Sequence[str]) -> list[str]:
        """The lines that define the functions which these lines name."""

    @abstractmethod
    def holds(self, row: SchemeRow, bound: str | None) -> str:
        """The condition on a row: `bound` is the term of e^(c·ε), or of c·ε; None where it is ∞."""

    def exponent(self, laws: Laws, row: SchemeRow) -> int:  # noqa: ARG002
        """The multiple m of c·ε in the power e^(m·c·ε) that bounds a row."""
        return self.power

    def lawful(self, laws: Laws, row: SchemeRow) -> list[str]:  # noqa: ARG002
        """What must be so of the numbers of a row, beside that they are those of laws."""
        return []


@dataclass(frozen=True)
class Number(Measure):
    """A number that ε bounds: it is finite, and its terms are at most e^(m·c·ε), or (c·ε)^m if it is `rational`.

    The largest of the `terms` is the number, or e to m times it; `finite` says for which laws (`definitions.ring`).
    """

    words: str
    terms: Callable[[Laws, SchemeRow], Sequence[str]]
    finite: str = ANY
    rational: bool = False
    power: int = 1

    def before(self, lines: Sequence[str]) -> list[str]:
        """The line that defines `apart`."""
        return [APART] if any("(apart " in line for line in lines) else []

    def lines(self, laws: Laws, row: SchemeRow) -> list[str]:
        """The definitions of `infinite_p_q`, and of `within_p_q`: the terms of law p against law q are at most x."""
        within = [self.holds(row, None), *(f"(<= {term} x)" for term in self.terms(laws, row))]
        infinite = is_infinite(TEXTS, _weights(laws, row), self.finite).text
        return [
            *([] if self.finite == ANY else [define(f"infinite_{row.laws}", [], "Bool", infinite)]),
            define(f"within_{row.laws}", ["(x Real)"], "Bool", every(within)),
        ]

    def holds(self, row: SchemeRow, bound: str | None) -> str:
        """The condition on a row."""
        if bound is None:
            return every([] if self.finite == ANY else [f"(not infinite_{row.laws})"])
        return call(f"within_{row.laws}", times(*[bound] * self.power) if self.rational else bound)


def declared(divergence: Algebraic) -> Number:
    """The measure that is declared by a term over a ring."""

    def terms(laws: Laws, row: SchemeRow) -> Sequence[str]:
        largest: Terms = divergence.term(TEXTS, _weights(laws, row), Terms((ONE,)))
        return largest.listed

    words = in_ascii(divergence.formula)
    return Number(words, terms, divergence.finite, not divergence.logarithmic, divergence.power)


def _weights(laws: Laws, row: SchemeRow) -> list[tuple[Terms, Terms]]:
    return [(Terms((p,)), Terms((q,))) for p, q in laws.cells(row)]


def in_ascii(formula: str) -> str:
    """The formula of a divergence for a comment.

    >>> in_ascii("½·Σ |P - Q|")
    '1/2*sum |P - Q| is at most epsilon'
    """
    for sign, written in (("Σ", "sum"), ("·", "*"), ("½", "1/2"), ("÷", "/"), ("²", "^2")):
        formula = formula.replace(sign, written)
    return f"{formula} is at most epsilon"


class KullbackLeibler(Number):
    """Π (P/Q)^(N·P) ≤ e^(N·c·ε), where N is the common denominator of P; a claim says that the powers are N·P."""

    def exponent(self, laws: Laws, row: SchemeRow) -> int:
        """N.

        Raises:
            LimitError: where N is large, and with it the powers that are written out.

        """
        n = lcm(*(p.denominator for p in laws.listed[row.p].values()))
        if n > MOST_DENOMINATOR:
            raise LimitError(
                f"a law has the common denominator {n:,}, a power that is written out",
                wanted=f"at most {MOST_DENOMINATOR}, for a prover",
            )
        return n

    def lawful(self, laws: Laws, row: SchemeRow) -> list[str]:
        """That the powers are N·P."""
        n = self.exponent(laws, row)
        return [f"(= {int(p * n)}.0 (* {n}.0 {laws.cell(row.p, o)}))" for o, p in laws.listed[row.p].items()]


def kullback_leibler() -> Number:
    """The measure Σ P·ln(P/Q), whose power e^(N·KL) is rational."""

    def terms(laws: Laws, row: SchemeRow) -> Sequence[str]:
        n, law = measure.exponent(laws, row), laws.listed[row.p]
        powers = [[over(laws.cell(row.p, o), laws.cell(row.q, o))] * int(p * n) for o, p in law.items()]
        return [times(*chain.from_iterable(powers))]

    words = "the product of (P/Q)^(N*P) is at most e^(N*epsilon), for the common denominator N of P"
    measure = KullbackLeibler(words, terms, KL.finite)
    return measure


def restricted(divergence: str, functions: Sequence[dict[str, Fraction]]) -> Number:
    """The measure that is the largest Σ P·h - Σ Q·f*(h) of the listed functions h; the checker computes f*(h)."""

    def terms(laws: Laws, row: SchemeRow) -> Sequence[str]:
        names, differences = list(laws.outputs), []
        for h in functions:
            gained = [times(real(h.get(names[o], Fraction(0))), laws.cell(row.p, o)) for o in laws.listed[row.p]]
            costs = {o: divergences.conjugate(divergence, h.get(names[o], Fraction(0))) for o in laws.listed[row.q]}
            paid = [times(real(-cost), laws.cell(row.q, o)) for o, cost in costs.items() if cost is not None]
            if len(paid) == len(costs):
                differences.append(add([*gained, *paid]))
        return differences

    return Number("E_P[h] - E_Q[f*(h)] is at most epsilon for each h listed", terms, rational=True)


@dataclass(frozen=True)
class LossCurve(Measure):
    """The smallest δ at E, which the asked δ bounds: what `excess` adds up to, without some outputs if any may go."""

    words: str
    tail: bool
    left_out: Fraction | None
    averages: bool

    def lines(self, laws: Laws, row: SchemeRow) -> list[str]:
        """The definitions of `delta_p_q` for all outputs, or of `within_p_q` with all sets that may be left out."""
        lines = []
        for mode in (FINITE, INFINITE):
            if self.left_out is None:
                body = _delta(mode, laws.cells(row))
                lines.append(define(f"delta{mode.suffix}_{row.laws}", mode.parameters, "Real", body))
                continue
            outputs, ways = list(laws.listed[row.p]), []
            if len(outputs) > MOST_LEFT_OUT:
                raise LimitError(f"{len(outputs)} outputs of which all sets may be left out", wanted=f"{MOST_LEFT_OUT}")
            for chosen in chain.from_iterable(combinations(outputs, k) for k in range(len(outputs) + 1)):
                mass = add(laws.cell(row.p, o) for o in chosen)
                ways.append(f"(and (<= {mass} {real(self.left_out)}) (<= {_delta(mode, laws.cells(row, chosen))} d))")
            lines.append(define(f"within{mode.suffix}_{row.laws}", [*mode.parameters, "(d Real)"], "Bool", some(ways)))
        return lines

    def before(self, lines: Sequence[str]) -> list[str]:  # noqa: ARG002
        """The lines that define `excess`."""
        return excess(tail=self.tail)

    def delta(self, row: SchemeRow, bound: str | None) -> str:
        """The term of the smallest δ of a row."""
        return f"delta-inf_{row.laws}" if bound is None else call(f"delta_{row.laws}", bound)

    def holds(self, row: SchemeRow, bound: str | None) -> str:
        """The condition on a row."""
        if self.left_out is None:
            return f"(<= {self.delta(row, bound)} d)"
        return f"(within-inf_{row.laws} d)" if bound is None else call(f"within_{row.laws}", bound, "d")


def _delta(mode: Mode, cells: Sequence[tuple[str, str]]) -> str:
    possible = [(p, q) for p, q in cells if p != ZERO]
    return distance(mode, *([pair[k] for pair in possible] for k in (0, 1)))


@dataclass(frozen=True)
class HalfPlanes(Measure):
    """The conditions a·P(S) + b·Q(S) ≤ c for all events S: the sum of the positive parts is at most c."""

    words: str
    planes: Sequence[HalfPlane]

    def lines(self, laws: Laws, row: SchemeRow) -> list[str]:
        """The definition of `below_p_q`."""
        conditions = []
        for a, b, c in self.planes:
            sides = [f"(positive {add([times(real(a), p), times(real(b), q)])})" for p, q in laws.cells(row)]
            conditions.append(f"(<= {add(sides)} {real(c)})")
        return [define(f"below_{row.laws}", [], "Bool", every(conditions))]

    def before(self, lines: Sequence[str]) -> list[str]:  # noqa: ARG002
        """The line that defines `positive`."""
        return [define("positive", ["(x Real)"], "Real", "(ite (> x 0.0) x 0.0)")]

    def holds(self, row: SchemeRow, bound: str | None) -> str:  # noqa: ARG002
        """The condition on a row."""
        return f"below_{row.laws}"


NAMES = {measure: name for name, measure in divergences.DIVERGENCES.items()}
"""The names of divergences of the checker's copy; a name means the same here."""


def _measure(key: str, scheme: Scheme, setting: CheckerTables) -> Measure:
    """The measure of a definition; refused where it is no rational inequality once the rows are listed."""
    made = scheme.measure
    if made in {SURVEY["fdp"].measure, SURVEY["gcdp-kl"].measure}:
        made(setting)
        return HalfPlanes("the trade-off curve is above f", half_planes(setting.need("tradeoff")))
    if made is divergences.predicate:
        return HalfPlanes("a*P(S) + b*Q(S) <= c for all events S", setting.need("predicate"))
    if made is SURVEY["cbdp"].measure:
        divergence = setting.need("divergence")
        if divergence == KL.key:
            raise UnsupportedError(f"{key} has no export with the divergence {divergence}: e^h is irrational")
        return restricted(divergence, setting.need("tests"))
    if made is SURVEY["kdivdp"].measure:
        return declared(rooted_power(_written_out(key, setting.need("order"))))
    if made is SURVEY["renyidp"].measure:
        return _number(key, f"renyi-{_written_out(key, setting.need('order'))}", scheme)
    if made is SURVEY["divdp"].measure:
        return _number(key, setting.need("divergence"), scheme, f" with the divergence {setting.need('divergence')}")
    measure = made(setting)
    if not isinstance(measure, Curve):
        return _number(key, NAMES.get(measure, ""), scheme)
    words = "the chance of losses above epsilon" if measure.tail else "the sum of the positive parts of P - e^epsilon*Q"
    return LossCurve(f"{words} is at most d", measure.tail, measure.left_out, scheme.counts == AVERAGE)


def _number(key: str, name: str, scheme: Scheme, which: str = "") -> Number:
    """The measure with this name, where rows do not count on average."""
    divergence = None if scheme.counts == AVERAGE else known_divergence(name)
    if divergence is KL:
        return kullback_leibler()
    if isinstance(divergence, Algebraic):
        order = name.rpartition("-")[2]
        _written_out(key, Fraction(order) if order.isdecimal() else Fraction(1))
        return declared(divergence)
    why = "all orders, the normal law and means of logarithms are no rational inequalities here"
    raise UnsupportedError(f"{key} has no export{which}: {why}")


def _written_out(key: str, order: Fraction) -> int:
    """An order whose powers are written out.

    Raises:
        UnsupportedError: for another order.

    """
    if order.denominator != 1 or order > MOST_ORDER:
        raise UnsupportedError(f"{key} has no export at the order {order}", tip=f"integers up to {MOST_ORDER} have one")
    return int(order)


# --- the question -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """The question to a foreign judge about a definition of DP22: the rows in groups, and the answer that is claimed.

    The aggregation looks at the rows of one group together; `measure` is bounded for each row.
    """

    key: str
    measure: Measure
    verdict: str
    epsilon: ScaledEpsilon | None
    delta: Fraction
    tight: ScaledEpsilon
    """The smallest ε, or its upper bound where it is enclosed; then `above` is the lower bound."""
    tight_delta: str | None
    laws: Laws
    groups: tuple[tuple[SchemeRow, ...], ...]
    share: Fraction | None
    above: ScaledEpsilon | None
    has_epsilon: bool

    @property
    def title(self) -> str:
        """The question and its verdict in words."""
        at = "" if not self.has_epsilon else " at some finite epsilon" if self.epsilon is None else ""
        at = at or (f" at epsilon = {self.epsilon.text}" if self.epsilon is not None else "")
        return f"{self.key}{at}, delta = {self.delta}: {self.verdict}"

    @cached_property
    def scales(self) -> tuple[Fraction, ...]:
        """The different multiples of ε in the powers of e that bound rows; 1 where ε itself bounds them."""
        if self.measure.rational:
            return (Fraction(1),)
        return tuple(dict.fromkeys(self.exponent(row) for row in self.rows if row.scale and self.has_epsilon))

    @property
    def names(self) -> list[str]:
        """The names of the numbers that the definition is a function of: `e` for ε, or `E1`, `E2`, … for e^(c·ε)."""
        return ["e"] if self.measure.rational else [f"E{k}" for k, _ in enumerate(self.scales, 1)]

    @property
    def rows(self) -> list[SchemeRow]:
        """All rows."""
        return [row for group in self.groups for row in group]

    def exponent(self, row: SchemeRow) -> Fraction:
        """The multiple of ε in the power of e that bounds a row."""
        return row.scale * self.measure.exponent(self.laws, row)

    def bound(self, row: SchemeRow, mode: Mode) -> str | None:
        """The term of what ε allows a row: of e^(c·ε), or of c·ε; None where that is ∞, or nothing is asked of ε."""
        if not self.has_epsilon or (mode is INFINITE and row.scale):
            return None
        if self.measure.rational:
            return times(real(row.scale), "e") if row.scale else ZERO
        return f"E{self.scales.index(self.exponent(row)) + 1}" if row.scale else ONE


def question_of_scheme(certificate: dict[str, Any]) -> Question:
    """The rows and the answer of a certificate with the engine `schemes`.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate that cannot be exported, with the reason.

    """
    key = certificate["question"]["definition"]
    question, answer = survey_question(certificate, SURVEY)
    above, tight = enclosed(answer["tight_epsilon"] or "0")
    scheme, laws = SURVEY[key], Laws()
    with listed_by_the_replay():
        setting = CheckerTables(certificate)
        measure = _measure(key, scheme, setting)
        groups = _grouped(scheme, [(row, laws.row(row)) for row in scheme.rows(setting)])
        share = setting.need("gamma") if scheme.counts == ALL_BUT else None
    if sum(map(len, groups)) > MOST_ROWS:
        raise LimitError(f"{sum(map(len, groups)):,} different rows", wanted=f"at most {MOST_ROWS}, for a prover")
    asked = question["epsilon"]
    return Question(
        key,
        measure,
        answer["verdict"],
        None if asked is None else ScaledEpsilon(asked),
        number(question["delta"]),
        ScaledEpsilon(tight.text),
        answer["tight_delta"],
        laws,
        groups,
        share,
        None if above == tight else ScaledEpsilon(above.text),
        scheme.has_epsilon,
    )


def _grouped(scheme: Scheme, rows: Sequence[tuple[Row, SchemeRow]]) -> tuple[tuple[SchemeRow, ...], ...]:
    """The rows that count together; where the worst counts, each row is a group, and equal rows are listed once."""
    if scheme.counts == WORST:
        return tuple((row,) for row in dict.fromkeys(row._replace(weight=Fraction(1)) for _, row in rows))
    groups: dict[Any, list[SchemeRow]] = {}
    for row, numbered in rows:
        groups.setdefault(row.group, []).append(numbered)
    return tuple(map(tuple, groups.values()))


# --- the file ---------------------------------------------------------------------------------------------------------


def smt_scheme(certificate: dict[str, Any]) -> str:
    """The SMT-LIB 2 file of a certificate about a definition of DP22.

    Raises:
        UnsupportedError, LimitError: for a certificate without such an export, with the reason.

    """
    question = question_of_scheme(certificate)
    lines = _scheme_statement(question) + _Claims(question).lines()
    powers = question.measure.rational and question.measure.power > 1
    nonlinear = powers or any("-polynomial" in line for line in lines)
    return smt_file(certificate, question.title, "QF_NIRA" if nonlinear else "QF_LIRA", lines)


def _scheme_statement(question: Question) -> list[str]:
    """The laws, and `holds` as a function of e^(c·ε) for each c, or of ε, and of δ; at ε = inf `holds-inf`."""
    laws, measure = question.laws, question.measure
    count = sum(map(len, laws.listed))
    if count > MOST_NUMBERS:
        raise LimitError(f"the laws have {count:,} numbers", wanted=f"at most {MOST_NUMBERS:,}")
    lines = heading("Laws, as the definition lists them: law k gives L_k_o to output o")
    lines += [f"; output {o}: {plain(name)}" for o, name in enumerate(laws.outputs)]
    for k, law in enumerate(laws.listed):
        lines += [define(laws.cell(k, o), [], "Real", real(p)) for o, p in law.items()]
    lawful = [f"(>= L_{k}_{o} 0.0)" for k, law in enumerate(laws.listed) for o in law]
    lawful += [f"(<= {add(f'L_{k}_{o}' for o in law)} 1.0)" for k, law in enumerate(laws.listed) if law]
    lawful += [each for row in question.rows for each in measure.lawful(laws, row)]
    lines += heading("No law has more than 1 in total; beliefs are parts of laws")
    lines.append(condition("lawful", dict.fromkeys(lawful)))
    compared = [line for row in {row.laws: row for row in question.rows}.values() for line in measure.lines(laws, row)]
    lines += measure.before(compared)
    lines += [*heading(f"Law p against law q: {measure.words}"), *compared]
    lines += _definition(question, FINITE)
    if question.has_epsilon:
        lines += _definition(question, INFINITE)
    return [*lines, condition("compared", ["true" if question.groups else FALSE])]


def _definition(question: Question, mode: Mode) -> list[str]:
    """The lines that define `holds`, or `holds-inf`: how the rows count together."""
    conditions = [_group(question, rows, mode) for rows in question.groups]
    if question.share is not None:
        missed = [
            f"(ite {condition} 0.0 {real(rows[0].weight)})"
            for rows, condition in zip(question.groups, conditions, strict=True)
        ]
        conditions = [f"(<= {add(missed)} {real(question.share)})"]
    parameters = [f"({name} Real)" for name in question.names] if mode is FINITE else []
    powers = zip(question.names, question.scales, strict=True) if parameters else ()
    return [
        *heading(f"The definition{' at epsilon = inf' if mode is INFINITE else ''}"),
        *(f"; {name} is e^({c}*epsilon)" for name, c in powers if c != 1),
        define(f"holds{mode.suffix}", [*parameters, "(d Real)"], "Bool", every(dict.fromkeys(conditions))),
    ]


def _group(question: Question, rows: Sequence[SchemeRow], mode: Mode) -> str:
    """The condition of rows that count together."""
    measure, bounded = question.measure, [(row, question.bound(row, mode)) for row in rows]
    if isinstance(measure, LossCurve) and measure.averages:
        return f"(<= {add(times(real(row.weight), measure.delta(row, bound)) for row, bound in bounded)} d)"
    return every(dict.fromkeys(measure.holds(row, bound) for row, bound in bounded))


class _Claims:
    """The claims: one for each part of the answer."""

    def __init__(self, question: Question) -> None:
        self.question = question

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
            if self.question.measure.rational:
                lines += [*heading(f"{name} = epsilon"), define(name, [], "Real", real(epsilon.number()))]
            else:
                lines += factor_lines(name, factor(epsilon.times(scale)))
        return lines

    def _unknown(self) -> list[str]:
        """An unknown ε: each of its numbers is at least what it is at ε = 0."""
        least = "0.0" if self.question.measure.rational else "1.0"
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


# --- semantic privacy -------------------------------------------------------------------------------------------------

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
        raise LimitError(f"{len(pairs):,} different pairs of databases", wanted=f"at most {MOST_PAIRS}, for a prover")
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
