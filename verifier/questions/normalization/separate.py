"""Acceptability of independent groups of records without listing worlds, group by group.

M(B̂) = {(S(ω), P[ω | B̂])} is the product of such multisets, one a group. A multiset of positive numbers is an element of
the group ring ℤ[ℝ], Σ x^(ln p), and the ring has no zero divisors, so that a factor may be cancelled: M(B̂) is the same
for every B̂ iff each group's multiset is the same for all values of its known records (`proofs/acceptability.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.engine.decomposition import Group, components, separable
from verifier.model import Database, Mixture, Model, Secret, Theta
from verifier.tables import Label, label

Entry = tuple[Label, int, Database]
Compare = Callable[[Mapping[Label, list[Entry]], Secret], str]
"""A function that returns the reason why the fibres of knowledge values differ; empty where they are alike."""


class Separate:
    """Acceptability of one distribution whose groups of records are independent, decided group by group."""

    def __init__(self, model: Model, theta: Theta, compare: Compare) -> None:
        self.model, self.compare = model, compare
        self.known = frozenset(theta.zeta.records)
        self.groups = components(theta.shape)[0].groups
        self.group_of = {i: group for group in self.groups for i in group.records}
        self._reasons: dict[object, str] = {}
        self.broken: tuple[Group, str] | None = None
        for group in self.groups:
            why = self._why(group, None)
            if why:
                self.broken = group, why
                break

    def reason(self, record: int) -> str:
        """The reason why there is no acceptable normalization at a record; empty where there is one."""
        own = self.group_of[record]
        why = self._why(own, record)
        if not why and self.broken:
            own, why = self.broken
        if why and len(own.records) > 1:
            return f"among the records {', '.join(map(str, own.records))}: {why}"
        return why

    def _why(self, group: Group, record: int | None) -> str:
        """The reason why a group's fibres differ between values of its known records; S is the protected record."""
        inside = tuple(i in self.known for i in group.records)
        position = None if record is None else group.records.index(record)
        key = group.rows, inside, position
        if not any(inside):
            return ""
        if key not in self._reasons or position is not None:
            fibres: dict[Label, list[Entry]] = {}
            for row, weight in group.rows:
                knowledge = label([self.model.values[v] for v, is_known in zip(row, inside, strict=True) if is_known])
                value = NO_SECRET if position is None else self.model.values[row[position]]
                fibres.setdefault(knowledge, []).append((value, weight, row))
            domain = (NO_SECRET,) if position is None else self.model.values
            self._reasons[key] = self.compare(fibres, Secret(record, domain))
        return self._reasons[key]


NO_SECRET = Label("", "")


def separates(model: Model, theta: Theta) -> bool:
    """Whether acceptability of a distribution may be decided group by group."""
    tells_records = theta.zeta.plain and theta.zeta.kind != "component"
    return (
        tells_records
        and model.protects_records
        and not isinstance(theta.shape, Mixture)
        and separable(model, theta.shape)
    )
