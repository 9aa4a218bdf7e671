"""Semantic privacy in SMT-LIB 2 (DP22, Definition 37): the prior is the solver's unknown.

Where it fails the solver finds a prior under which two posteriors are further apart than ε (`sat`); where it holds
there is none (`unsat`). Two databases are enough: with (a, c) the chances of X and S, with and without the record, and
(b, d) those of S and not X, a/(a + b) - c/(c + d) grows with a and falls with b for the same c and d. Priors on X have
no larger a/c than that of one database, and priors on the rest no smaller b/d. So X is one database D, and its prior is
t times that of another.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from verifier.checker.laws import Row, Tables
from verifier.checker.survey.definitions import SURVEY
from verifier.errors import LimitError
from verifier.wings.judges.numbers import BELOW, Factor
from verifier.wings.judges.scheme_rows import ScaledEpsilon
from verifier.wings.judges.smt_claims import ask
from verifier.wings.judges.smt_text import define, heading, real, smt_file, some
from verifier.wings.judges.tables import enclosed, listed_by_the_replay, plain, survey_question

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
        rows = list(SURVEY[SEMANTIC].rows(Tables(certificate)))
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
