"""The answer, part by part, as claims: the negation of each is asserted, and the solver must refute it."""

from __future__ import annotations

from verifier.wings.judges.numbers import Factor, amount
from verifier.wings.judges.smt.text import define, heading, real
from verifier.wings.judges.tables import CertifiedAnswer


def ask(claim: str, *assertions: str, status: str = "unsat") -> list[str]:
    """The lines of one claim; the assertions are its negation for the status `unsat`, the claim itself for `sat`."""
    asserted = [f"(assert {assertion})" for assertion in assertions]
    return ["", f"; claim: {claim}", "(push 1)", *asserted, f"(set-info :status {status})", "(check-sat)", "(pop 1)"]


def factor_lines(name: str, factor: Factor) -> list[str]:
    """The lines that define E = e^ε as a constant, or an unknown with bounds, and claim that it exists."""
    comment = heading(f"{name} = e^epsilon for epsilon = {factor.text}")
    if factor.kind == "rational":
        return [*comment, define(name, [], "Real", real(factor.low))]
    low, high = real(factor.low), real(factor.high)
    if factor.kind == "between":
        return [
            *comment,
            "; it is transcendental: what follows is shown for every number between two rationals around it",
            f"(declare-const {name} Real)",
            *ask(f"{name} exists: the ends are in order", f"(not (< {low} {high}))"),
            f"(assert (and (< {low} {name}) (< {name} {high})))",
        ]
    polynomial = f"{name}-polynomial"
    signs = f"(<= (* ({polynomial} {low}) ({polynomial} {high})) 0.0)"
    return [
        *comment,
        "; the root of this polynomial between these rationals",
        define(polynomial, ["(E Real)"], "Real", _horner(factor)),
        f"(declare-const {name} Real)",
        *ask(f"{name} exists: the polynomial changes its sign between the ends", f"(not {signs})"),
        f"(assert (= 0.0 ({polynomial} {name})))",
        f"(assert (and (<= {low} {name}) (<= {name} {high})))",
    ]


def _horner(factor: Factor) -> str:
    """The value of the polynomial at E, as a term."""
    body = real(factor.polynomial[-1])
    for c in reversed(factor.polynomial[:-1]):
        body = f"(* E {body})"
        if c:
            body = f"(+ {real(c)} {body})"
    return body


def claims(question: CertifiedAnswer) -> list[str]:
    """The lines of a claim for each part of the answer."""
    epsilon, tight, delta = question.epsilon, question.tight_epsilon, real(question.delta)
    lines = ["", *ask("the tables are laws", "(not lawful)")]
    if question.verdict == "vacuous":
        return lines + ask("nothing is compared", "compared")
    lines += ask("something is compared", "(not compared)")
    for name, factor in (("Asked", epsilon), ("Tight", tight)):
        if factor is not None and factor.kind != "inf":
            lines += factor_lines(name, factor)
    lines += ["(declare-const X Real)", "(declare-const x Real)"]
    lines += ask(*_verdict(question, delta))
    if epsilon is not None and question.tight_delta is not None:
        lines += _smallest_delta(question)
    holds = f"(holds Tight {delta})"
    if tight.kind == "inf":
        return lines + ask("no finite epsilon is enough", "(>= X 1.0)", f"(holds X {delta})")
    lines += ask("the smallest epsilon is enough", f"(not {holds})")
    if tight.text != "0":
        lines += ask("no smaller epsilon is enough", "(>= X 1.0)", "(< X Tight)", f"(holds X {delta})")
    return lines


def _verdict(question: CertifiedAnswer, delta: str) -> tuple[str, str]:
    """The words of the verdict and its negation; without ε the question is whether some finite ε is enough."""
    epsilon, yes = question.epsilon, question.verdict == "holds"
    claim = f"{question.definition.key} {question.verdict}"
    if epsilon is None:
        if question.tight_epsilon.kind == "inf":
            return claim, f"(and (>= X 1.0) (holds X {delta}))" if not yes else "true"
        return claim, f"(not (holds Tight {delta}))" if yes else "true"
    statement = f"(holds-inf {delta})" if epsilon.kind == "inf" else f"(holds Asked {delta})"
    if question.bounded_by_rate:
        statement = f"(and (< {delta} rate) {statement})"
    return claim, f"(not {statement})" if yes else statement


def _smallest_delta(question: CertifiedAnswer) -> list[str]:
    epsilon = question.epsilon
    if epsilon is None or question.tight_delta is None:
        return []
    least = amount(question.tight_delta, epsilon.text)
    if least is None:
        return ["; the smallest delta was enclosed, not found: nothing is claimed of it"]
    value = real(least.a) if least.b == 0 else f"(- {real(least.a)} (* {real(least.b)} Asked))"
    at = "(holds-inf {})" if epsilon.kind == "inf" else "(holds Asked {})"
    lines = ask("the smallest delta is enough", f"(not {at.format(value)})")
    if least.a or least.b:
        lines += ask("no smaller delta is enough", f"(< x {value})", at.format("x"))
    return lines
