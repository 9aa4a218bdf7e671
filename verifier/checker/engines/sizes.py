"""The independent re-check for databases of several sizes: multisets, their samples, and all pairs of neighbours.

A certificate with `engine = "sizes"` has, beside question and answer: `values` (texts), `sizes` ([from, to]), `rate`
(β), and `mechanism`: a list of `[multiset, {output: probability}]` for the mechanism *without* the sample, on all
multisets of the sizes; where β is not 1, on all smaller ones too. The rest follows from the definitions of LQS12:
P[A^β(D) = o] is the sum over all multisets S ⊆ D of P[S is drawn]·P[A(S) = o], and neighbours differ in one tuple.

`dps` asks for β > δ beside the inequality (LQS12, Definition 3). The verdict is about both. The smallest ε and the
smallest δ are of the inequality alone, the infimum of what it holds at, as in the reading `any-delta`. So where δ ≥ β
the smallest ε is 0 and the verdict is `fails`; and at a smallest δ of β `dps` fails, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

from verifier.checker import require, require_equal, require_fields
from verifier.checker.judge import judge
from verifier.checker.laws import DEFINITIONS, ONE_MORE, Compared, Law, Pair, Tables, mixture
from verifier.checker.numbers import ONE, number
from verifier.checker.shapes import DATABASE, LAW, QUESTION_AND_ANSWER, RATIONAL
from verifier.checker.survey.draws import samples

SHAPE = {**QUESTION_AND_ANSWER, "values": [str], "sizes": (int, int), "rate": RATIONAL, "mechanism": [(DATABASE, LAW)]}

Multiset = tuple[str, ...]
MOST = 1 << 17
"""Most tuples of a database."""


def check(certificate: Mapping[str, Any]) -> None:
    """Re-check an answer about databases of several sizes.

    Raises:
        Rejected: where the answer does not follow from the mechanism and the rate.

    """
    (first, last), rate = certificate["sizes"], number(certificate["rate"])
    question, answer = certificate["question"], certificate["answer"]
    valid = type(first) is int and type(last) is int and 0 <= first <= last and last >= 1
    require(valid, "sizes must be two integers with 0 ≤ from ≤ to and to ≥ 1")
    values = certificate["values"]
    distinct = bool(values) and len(set(values)) == len(values)
    require(distinct and rate <= 1, "values must be distinct, and the rate at most 1")
    least = first if rate == 1 else 0
    every = "the mechanism must have a law on every multiset of the sizes, and no other"
    require(last <= MOST, every)
    tables = Tables({**certificate, "size": [least, last], "secrets": ["S"], "worlds": {}})
    require(len(tables.mechanism) == _number(len(tables.values), least, last), every)
    laws = {database: law for database, law in tables.mechanism.items() if len(database) >= first}
    if rate != 1:  # Σ_S P[S is drawn from D]·A(S), over all parts S of the multiset D
        laws = {d: mixture((tables.law(sample), p) for sample, p in samples(d, rate)) for d in laws}
    compared = list(_neighbours(laws, tables.values))
    different = {tuple(frozenset((law or {}).items()) for law in c.pairs[0][2:4]) for c in compared}
    require_fields(answer, comparisons=len(different))
    require_equal("multiplicity (comparisons before lumping)", answer["multiplicity"], len(compared))
    require_fields(answer, empty=int(not compared))
    printed = DEFINITIONS[question["definition"]].compares == ONE_MORE and question["reading"] == "default"
    if compared and printed and rate <= number(question["delta"]):
        # β > δ is asked for; without it the inequality always holds, and the answer must say so
        require_fields(answer, verdict="fails")
        certificate = {**certificate, "answer": {**answer, "verdict": "holds"}}
    judge(certificate, compared)


def _number(values: int, first: int, last: int) -> int:
    """The number of these multisets, computed before any is listed."""
    return comb(last + values, values) - (comb(first - 1 + values, values) if first else 0)


def _neighbours(laws: dict[Multiset, Law], values: list[str]) -> Iterator[Compared]:
    """Both orders of every pair of neighbours D′ and D = D′ ∪ {t}."""
    for smaller, law in laws.items():
        for value in values:
            larger = tuple(sorted((*smaller, value), key=values.index))
            if larger in laws:
                more = laws[larger]
                yield Compared(None, "S", value, None, (larger, smaller), [Pair(ONE, None, more, law, "")])
                yield Compared(None, "S", None, value, (smaller, larger), [Pair(ONE, None, law, more, "")])
