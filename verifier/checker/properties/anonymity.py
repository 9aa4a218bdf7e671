"""The independent re-check of k-anonymity and of a strongly safe recoding (LQS12, Definitions 3.6 and 3.7).

A certificate has `property`, `values`, `sizes` ([from, to]), `ordered` (whether databases are lists or multisets),
`rate` (β), `mechanism`: `[database, {output: probability}]` without the sample, and `answer`: verdict, k, largest, and
the witness. For k-anonymity also `named` (whether a name precedes each published table); outputs are then JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from verifier.checker import Rejected, reading, require_equal, require_fields
from verifier.checker.laws import law_of
from verifier.checker.model.labels import entries
from verifier.checker.numbers import number

Database = tuple[str, ...]
Law = dict[str, Fraction]


@reading("the certificate is malformed")
def replay_anonymity(certificate: dict[str, Any]) -> None:
    """Re-check an answer about k-anonymity, or about a strongly safe recoding.

    Raises:
        Rejected: where the answer does not follow from the mechanism, with the reason.

    """
    values, (first, last), ordered = certificate["values"], certificate["sizes"], certificate["ordered"]
    rate, answer = number(certificate["rate"]), certificate["answer"]
    if len(set(values)) != len(values) or not values or not 0 <= first <= last or rate > 1:
        raise Rejected("values must be distinct, sizes an interval, and the rate at most 1")
    wanted = list(_databases(values, first if rate == 1 else 0, last, ordered=ordered))
    laws: dict[Database, Law] = {}
    for database, law in certificate["mechanism"]:
        laws[tuple(database)] = law_of(law, f"the law on {database} is no law")
    if list(laws) != wanted or len(certificate["mechanism"]) != len(wanted):
        raise Rejected("there must be a law on every database, in their order")
    if certificate["property"] == "strongly-safe":
        _constant(laws, answer)
    elif certificate["property"] == "k-anonymity":
        _crowds(certificate, laws, [database for database in wanted if first <= len(database)], rate)
    else:
        raise Rejected(f"the checker does not know {certificate['property']}")


def _databases(values: list[str], first: int, last: int, *, ordered: bool) -> Iterator[Database]:
    for size in range(first, last + 1):
        yield from product(values, repeat=size) if ordered else combinations_with_replacement(values, size)


def _constant(laws: dict[Database, Law], answer: dict[str, Any]) -> None:
    """A_m(D) = A_m(D′) for all databases; the witness has two with different probabilities of one recoding."""
    all_laws = list(laws.values())
    alike = all(law == all_laws[0] for law in all_laws)
    require_fields(answer, verdict="vacuous" if len(all_laws) == 1 else "holds" if alike else "fails")
    require_equal("witness", answer["witness"] is None, alike)
    if not alike:
        witness = answer["witness"]
        chosen = [laws[tuple(database)].get(witness["recoding"], Fraction(0)) for database in witness["databases"]]
        require_equal("probabilities", [number(p) for p in witness["probabilities"]], chosen)
        if chosen[0] == chosen[1]:
            raise Rejected("the witness chooses alike")


def _crowds(certificate: dict[str, Any], laws: dict[Database, Law], databases: list[Database], rate: Fraction) -> None:
    """Check that each tuple stands at least k times in each possible output; the largest k is the smallest count."""
    answer, k, crowds = certificate["answer"], certificate["answer"]["k"], []
    for database in databases:
        for output in _possible(database, laws, rate):
            table = _table(output, named=certificate["named"])
            crowds += [table.count(row) for row in table]
    smallest = min(crowds, default=None)
    holds = smallest is None or smallest >= k
    require_fields(answer, largest=smallest, verdict="vacuous" if smallest is None else "holds" if holds else "fails")
    require_equal("witness", answer["witness"] is None, holds)
    if not holds:
        witness = answer["witness"]
        database = tuple(witness["database"])
        if database not in databases or witness["output"] not in _possible(database, laws, rate):
            raise Rejected("the output of the witness is impossible on its database")
        table = _table(witness["output"], named=certificate["named"])
        require_fields(witness, times=table.count(witness["tuple"]))
        if not 0 < witness["times"] < k:
            raise Rejected("the tuple of the witness appears often enough")


def _table(output: str, *, named: bool) -> list[str]:
    """The texts of the tuples of a published table, which is the second of two where a name precedes it."""
    rows = entries(output)
    if rows is not None and named:
        rows = entries(rows[1]) if len(rows) == 2 else None
    if rows is None:
        raise Rejected(f"{output} is no table")
    return rows


def _possible(database: Database, laws: dict[Database, Law], rate: Fraction) -> set[str]:
    """The outputs on some sample of the database that has a positive probability."""
    if rate == 1:
        return set(laws[database])
    if rate == 0:
        return set(laws[()])
    outputs: set[str] = set()
    for kept in product((False, True), repeat=len(database)):
        outputs |= set(laws[tuple(t for t, drawn in zip(database, kept, strict=True) if drawn)])
    return outputs
