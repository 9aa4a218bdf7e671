"""A certificate about databases of several sizes as numbered tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.wings.judges.numbers import number

Counts: TypeAlias = tuple[int, ...]
"""A multiset: how often each value appears."""
MOST_PARTS = 20_000
"""Largest number of pairs (multiset, part of it) that are written out."""


@dataclass(frozen=True)
class Sized:
    """The law of the mechanism, without its sample, on each multiset of the certificate.

    Databases have `first` to `last` tuples; each tuple is sampled with probability `rate`.
    """

    values: tuple[str, ...]
    outputs: tuple[str, ...]
    first: int
    last: int
    rate: Fraction
    laws: dict[Counts, dict[int, Fraction]]

    def databases(self, first: int | None = None) -> list[Counts]:
        """All multisets of the databases' sizes, or from the smaller size `first` on."""
        return list(_multisets(len(self.values), self.first if first is None else first, self.last))


def _multisets(values: int, first: int, last: int) -> Iterator[Counts]:
    for size in range(first, last + 1):
        for chosen in combinations_with_replacement(range(values), size):
            yield tuple(chosen.count(v) for v in range(values))


def read_sized(certificate: dict[str, Any]) -> Sized:
    """Read the laws on multisets and the rate of a certificate about databases of several sizes.

    Raises:
        InputError: for a damaged certificate.
        LimitError: for too many parts of multisets.

    """
    values, (first, last), rate = tuple(certificate["values"]), certificate["sizes"], number(certificate["rate"])
    count = comb(last + 2 * len(values), last)
    if count > MOST_PARTS:
        raise LimitError(f"{count:,} parts of multisets", wanted=f"at most {MOST_PARTS:,}")
    outputs: dict[str, int] = {}
    laws: dict[Counts, dict[int, Fraction]] = {}
    for texts, law in certificate["mechanism"]:
        at = tuple(texts.count(v) for v in values)
        if sum(at) != len(texts) or at in laws:
            raise InputError(f"{texts!r} is no multiset, or there twice", where="the certificate")
        laws[at] = {outputs.setdefault(o, len(outputs)): number(p) for o, p in law.items()}
    return Sized(values, tuple(outputs), first, last, rate, laws)
