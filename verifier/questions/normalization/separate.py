"""Acceptability of independent groups of records without listing worlds, group by group.

M(B̂) = {(S(ω), P[ω | B̂])} is the product of such multisets, one a group. A multiset of positive numbers is an element of
the group ring ℤ[ℝ], Σ x^(ln p), and the ring has no zero divisors, so that a factor may be cancelled: M(B̂) is the same
for every B̂ iff each group's multiset is the same for all values of its known records (`proofs/acceptability.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.engine.parts import Group, components, separable
from verifier.model import Database, Mixture, Model, Secret, Theta
from verifier.tables import Label, label

Entry = tuple[Label, int, Database]
Compare = Callable[[Mapping[Label, list[Entry]], Secret], str]
"""Says why fibres differ, or nothing."""


class Separate:
    """One distribution whose groups are looked at one by one."""

    def __init__(self, model: Model, theta: Theta, compare: Compare) -> None:
        self.model, self.compare = model, compare
        self.known = frozenset(theta.zeta.records)
        self.groups = components(theta.shape)[0].groups
        self.place = {i: group for group in self.groups for i in group.records}
        self._seen: dict[object, str] = {}
        self.broken: tuple[Group, str] | None = None
        for group in self.groups:
            why = self._why(group, None)
            if why:
                self.broken = group, why
                break

    def reason(self, record: int) -> str:
        """Why there is no acceptable normalization at a record; nothing where there is one."""
        own = self.place[record]
        why = self._why(own, record)
        if not why and self.broken and self.broken[0] is not own:
            own, why = self.broken
        if why and len(own.records) > 1:
            return f"among the records {', '.join(map(str, own.records))}: {why}"
        return why

    def _why(self, group: Group, record: int | None) -> str:
        """Why a group's worlds do not look alike for all values of its known records; S is the protected record."""
        inside = tuple(i in self.known for i in group.records)
        place = None if record is None else group.records.index(record)
        key = group.rows, inside, place
        if not any(inside):
            return ""
        if key not in self._seen or place is not None:
            fibres: dict[Label, list[Entry]] = {}
            for row, weight in group.rows:
                heard = label([self.model.values[v] for v, told in zip(row, inside, strict=True) if told])
                value = NO_SECRET if place is None else self.model.values[row[place]]
                fibres.setdefault(heard, []).append((value, weight, row))
            domain = (NO_SECRET,) if place is None else self.model.values
            self._seen[key] = self.compare(fibres, Secret(record, domain))
        return self._seen[key]


NO_SECRET = Label("", "")


def separates(model: Model, theta: Theta) -> bool:
    """Whether the groups of a distribution may be looked at one by one."""
    told = theta.zeta.plain and theta.zeta.kind != "component"
    return told and model.protects_records and not isinstance(theta.shape, Mixture) and separable(model, theta.shape)
