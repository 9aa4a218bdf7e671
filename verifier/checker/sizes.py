"""The independent re-check for databases of several sizes: multisets, their samples, and all pairs of neighbours.

A certificate with `engine = "sizes"` has, beside question and answer: `values` (texts), `sizes` ([from, to]), `rate`
(β), and `mechanism`: a list of `[multiset, {output: probability}]` for the mechanism *without* the sample, on all
multisets of the sizes; where β is not 1, on all smaller ones too. The rest follows from the definitions of LQS12:
P[A^β(D) = o] is the sum over all multisets S ⊆ D of P[S is drawn]·P[A(S) = o], and neighbours differ in one tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

from verifier.checker.definitions import DEFINITIONS, ONE_MORE
from verifier.checker.numbers import Compared, Law, Pair, Rejected, law_of, mixture, number
from verifier.checker.random_pairs import samples
from verifier.checker.verdict import judge
from verifier.checker.written import agrees, same

Multiset = tuple[str, ...]
MOST = 1 << 17
"""Most tuples of a database."""


def check(certificate: dict[str, Any]) -> None:
    """Re-check an answer about databases of several sizes.

    Raises:
        Rejected: where the answer does not follow from the mechanism and the rate.

    """
    values, (first, last) = list(certificate["values"]), certificate["sizes"]
    rate, question, answer = number(certificate["rate"]), certificate["question"], certificate["answer"]
    if type(first) is not int or type(last) is not int or not 0 <= first <= last or last < 1:
        raise Rejected("sizes must be two integers with 0 ≤ from ≤ to and to ≥ 1")
    if not values or len(set(values)) != len(values) or rate > 1:
        raise Rejected("values must be distinct, and the rate at most 1")
    least = first if rate == 1 else 0
    if last > MOST or len(certificate["mechanism"]) < _number(len(values), least, last):
        raise Rejected("the mechanism must have a law on every multiset of the sizes, and no other")
    databases = list(multisets(values, first, last))
    laws = _laws(certificate["mechanism"], databases if rate == 1 else list(multisets(values, 0, last)), values)
    if rate != 1:  # Σ_S P[S is drawn from D]·A(S), over all parts S of the multiset D
        laws = {d: mixture((laws[sample], p) for sample, p in samples(d, rate)) for d in databases}
    compared = list(_neighbours(laws, values))
    different = {(frozenset(p.items()), frozenset(q.items())) for *_, ((_, _, p, q, _),) in compared if q is not None}
    agrees(answer, comparisons=len(different))
    same("multiplicity (comparisons before lumping)", answer["multiplicity"], len(compared))
    agrees(answer, empty=int(not compared))
    printed = DEFINITIONS[question["definition"]].compares == ONE_MORE and question["reading"] == "default"
    if compared and printed and rate <= number(question["delta"]):
        # β > δ is asked for; without it the inequality always holds, and the answer must say so
        agrees(answer, verdict="fails")
        certificate = {**certificate, "answer": {**answer, "verdict": "holds"}}
    judge(certificate, compared)


def multisets(values: list[str], first: int, last: int) -> Iterator[Multiset]:
    """All multisets of `first` to `last` values, in the order of `values`."""
    for size in range(first, last + 1):
        yield from combinations_with_replacement(values, size)


def _number(values: int, first: int, last: int) -> int:
    """The number of these multisets, computed before any is listed."""
    return comb(last + values, values) - (comb(first - 1 + values, values) if first else 0)


def _laws(rows: list[Any], wanted: list[Multiset], values: list[str]) -> dict[Multiset, Law]:
    """The law of each wanted multiset, once, positive with the sum 1."""
    laws: dict[Multiset, Law] = {}
    for database, law in rows:
        key = tuple(sorted(database, key=values.index))
        if key in laws:
            raise Rejected(f"the mechanism has two laws on {database}")
        laws[key] = law_of(law, f"the mechanism's law on {database} is no law")
    if set(laws) != set(wanted):
        raise Rejected("the mechanism must have a law on every multiset of the sizes, and no other")
    return {multiset: laws[multiset] for multiset in wanted}


def _neighbours(laws: dict[Multiset, Law], values: list[str]) -> Iterator[Compared]:
    """Both orders of every pair of neighbours D′ and D = D′ ∪ {t}."""
    for smaller, law in laws.items():
        for value in values:
            larger = tuple(sorted((*smaller, value), key=values.index))
            if larger in laws:
                more = laws[larger]
                yield Compared(None, "S", value, None, (larger, smaller), [Pair(Fraction(1), None, more, law, "")])
                yield Compared(None, "S", None, value, (smaller, larger), [Pair(Fraction(1), None, law, more, "")])
