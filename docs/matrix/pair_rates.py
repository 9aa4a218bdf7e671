"""The exchange rates of all pairs of linear definitions on one model, at one ε.

Pairs with one source share its cone, and definitions with the same rows have the same rates: each distinct row is
treated once for each cone. Each rate is proved by multipliers; the mechanism that needs the whole rate is left to
`convert`, which checks it and has its certificate replayed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from verifier.definitions import find
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Model
from verifier.numbers import ZERO, Epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.exchange.program import Cone, factor_of
from verifier.wings.exchange.rate import refuse_epsilon, up_to_infinite, worst_of
from verifier.wings.exchange.rows import LinearRow, databases_of, linear_rows
from verifier.wings.exchange.symmetry import Renamings

MOST_ROWS = 1 << 12
LinearRows: TypeAlias = tuple[LinearRow, ...]
RowSet: TypeAlias = frozenset[Hashable]
PairRate: TypeAlias = tuple[str, str, Epsilon | None]
"""The keys of two definitions, and the smallest ε′ of the second; None where it is not computed."""


def rows_by_definition(model: Model, keys: Iterable[str]) -> dict[str, LinearRows]:
    """The rows of each definition whose rows are linear in the mechanism; other definitions are left out."""
    listed = {}
    for key in keys:
        try:
            listed[key] = linear_rows(model, find(key), MOST_ROWS)
        except (UnsupportedError, LimitError):
            continue
    return listed


def pair_rates(rows: Mapping[str, LinearRows], epsilon: object, sources: Iterable[str]) -> Iterator[PairRate]:
    """The smallest ε′, maybe infinite, with which every mechanism that is ε-A is ε′-B, for each ordered pair (A, B).

    A is one of the `sources`, B any other key of `rows`. ε′ is 0 for a definition that compares nothing, and None where
    the linear program is too large, or e^(c·ε) is not rational for a multiple c of ε in a row of A.

    """
    asked = refuse_epsilon(read_epsilon(epsilon, "epsilon"), "epsilon")
    sets = {key: frozenset(row.key for row in listed) for key, listed in rows.items()}
    databases = databases_of(row for listed in rows.values() for row in listed)
    known: dict[RowSet, Mapping[RowSet, Epsilon]] = {}
    for source in sources:
        if sets[source] not in known:
            try:
                factors = [factor_of(asked, row.scale, source) for row in rows[source]]
                cone = Cone(rows[source], factors, databases)
            except (LimitError, UnsupportedError):
                known[sets[source]] = {}
            else:
                distinct = {sets[target]: listed for target, listed in rows.items()}
                known[sets[source]] = dict(_tight(cone, distinct))
        for target in rows:
            if target != source:
                yield source, target, known[sets[source]].get(sets[target])


def _tight(cone: Cone, distinct: Mapping[RowSet, LinearRows]) -> Iterator[tuple[RowSet, Epsilon]]:
    """The largest ε that some row of a set needs, for each set; a row is treated once, exactly."""
    renamings, proofs = Renamings(cone), dict[Hashable, Any]()
    for target, rows in distinct.items():
        rates = up_to_infinite(renamings.proofs(rows, cone.rate, known=proofs))
        yield target, worst_of(rates)[0] if rates else ZERO
