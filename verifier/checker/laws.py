"""The independent re-check of an answer from the laws that are compared (certificates with `engine = "laws"`).

Definitions of one's own have such certificates: which laws they compare comes from their own code and is not derived
again; everything that follows from the laws is. A comparison is a table with `distribution`, `record`, `a`, `b`,
`output`, `databases`, `multiplicity` and `terms`: weight, knowledge, direction, and the laws `p` and `q`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.checker.definitions import DEFINITIONS
from verifier.checker.numbers import Compared, Law, Pair, Rejected, number
from verifier.checker.verdict import judge
from verifier.checker.written import agrees


def check(certificate: dict[str, Any]) -> None:
    """Judge the answer by the laws in the certificate."""
    question, answer, listed = (certificate[key] for key in ("question", "answer", "compared"))
    if question["definition"] in DEFINITIONS:
        raise Rejected(f"{question['definition']} is derived from the model, never from laws that are given")
    compared = [_compared(row) for row in listed]
    times = [row["multiplicity"] for row in listed]
    if any(type(number_) is not int or number_ < 1 for number_ in [*times, certificate["empty"] + 1]):
        raise Rejected("multiplicities must be positive integers")
    agrees(answer, comparisons=len(compared), multiplicity=sum(times), empty=certificate["empty"])
    judge(certificate, compared, measure=certificate["measure"])


def _compared(row: dict[str, Any]) -> Compared:
    databases = None if row["databases"] is None else tuple(tuple(d) for d in row["databases"])
    pairs = [_pair(term, row["output"]) for term in row["terms"]]
    weight = sum((pair.weight for pair in pairs), Fraction(0))
    if not pairs or weight > 1:
        raise Rejected("a comparison has no terms, or terms that weigh more than 1")
    return Compared(row["distribution"], row["record"], row["a"], row["b"], databases, pairs)


def _pair(term: dict[str, Any], output: str | None) -> Pair:
    laws: list[Law | None] = []
    for law in (term["p"], term["q"]):
        read = None if law is None else {o: number(p) for o, p in law.items()}
        if read is not None and sum(read.values()) != 1:
            raise Rejected("a law does not sum to 1")
        laws.append(read)
    first, second = laws
    if first is None:
        raise Rejected("the first law of a pair must exist")
    heard = term["knowledge"] if output is None else (term["knowledge"], output)
    return Pair(number(term["weight"]), heard, first, second, term["direction"])
