"""Exact output laws of the comparisons asked for. The engine never knows a definition's name.

Three ways to one answer: `rows` is plain and takes every model; `columns` is fast and takes those whose mechanism and
knowledge are sums over the records; `sums` needs no table at all, for independent records (given a component) of which
some, the component, or nothing is known. The tests compare them with `==`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from verifier.engine import rows
from verifier.engine.joint import Joint, Neighbours
from verifier.engine.rows import MAX_ROWS
from verifier.errors import UnsupportedError
from verifier.model import Model, Secret, Theta, check_size, counted
from verifier.tables import Label

Made = TypeVar("Made")
SUM_STEPS, SUM_BITS = 1, 64
"""Steps and bits of the sums for each row of the limit."""
FEW_ROWS = 512
"""Below this many worlds the plain engine is as fast, and numpy need not be imported."""


@dataclass(frozen=True)
class Engine:
    """Answers for one model, within a limit on its worlds; every joint table is made once.

    `force` names an engine: `sum` needs no table of worlds; `rows` and `columns` are the two ways through a table, of
    which otherwise the fast one is taken where it applies and pays.
    """

    model: Model
    max_rows: int = MAX_ROWS
    force: str = ""
    _made: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """What `make` gives, kept with this engine for the next question; `key` names it."""
        if key not in self._made:
            self._made[key] = make()
        found: Made = self._made[key]
        return found

    def admit(self) -> None:
        """Refuse a model that is too large for a table and no sum of independent records, before any work."""
        if not self.sums:
            self.admit_table()
            return
        from verifier.engine import sums

        steps, bits = sums.steps(self.model), sums.bits(self.model)
        check_size(steps, SUM_STEPS * self.max_rows, f"the sums take about {counted(steps)} steps")
        check_size(bits, SUM_BITS * self.max_rows, f"the law of a sum has about {counted(bits)} bits")

    def admit_table(self) -> None:
        """Refuse a model with too many worlds, before any work."""
        for theta in self.model.thetas:
            count = theta.count()
            check_size(count, self.max_rows, f'the distribution "{theta.name}" has {counted(count)} worlds')

    @cached_property
    def sums(self) -> bool:
        """Whether the engine for sums is taken; it is, where it is asked for.

        Raises:
            UnsupportedError: where the model is no sum over independent records.

        """
        if self.force != "sum":
            return False
        from verifier.engine import sums

        if not sums.supports(self.model):
            raise UnsupportedError("the engine for sums takes sums over independent records, of which some are known")
        return True

    @property
    def method(self) -> str:
        """How joint laws are made, as answers name it."""
        return "sum" if self.sums else "table"

    def factual(self, theta: Theta, secret: Secret) -> Joint:
        """The joint weights of (B, S, M(D))."""
        return self._remember(theta, secret, -1)

    def counterfactual(self, theta: Theta, secret: Secret, b: int, heard: frozenset[Label] | None = None) -> Joint:
        """The joint weights of (B, S, M(D with the secret's record set to b)) for S ≠ b and the B̂ in `heard`."""
        return self._remember(theta, secret, b, heard)

    def neighbours(self) -> Iterator[Neighbours]:
        """All pairs of databases that differ in one record, up to equal pairs of laws."""
        return rows.neighbours(self.model, self.max_rows)

    def _remember(self, theta: Theta, secret: Secret, b: int, heard: frozenset[Label] | None = None) -> Joint:
        def make() -> Joint:
            self.admit()
            return self._joint(theta, secret, b, heard)

        return self.once(("joint", theta.name, self.model.secrets.index(secret), b, heard), make)

    def _joint(self, theta: Theta, secret: Secret, b: int, heard: frozenset[Label] | None) -> Joint:
        if self.sums:
            from verifier.engine import sums

            if b < 0:
                return sums.factual(self.model, theta, secret)
            return sums.counterfactual(self.model, theta, secret, b)
        if self._columns(theta):
            from verifier.engine import columns

            halves = self.once(("halves", theta.name), lambda: list(columns.parts(theta.shape, self.model.size)))
            if b < 0:
                return columns.factual(self.model, theta, secret, halves)
            return columns.counterfactual(self.model, theta, secret, halves, b)
        if b < 0:
            return rows.factual(self.model, theta, secret, self.max_rows)
        return rows.counterfactual(self.model, theta, secret, b, heard, self.max_rows)

    def _columns(self, theta: Theta) -> bool:
        if self.force == "rows" or (not self.force and theta.count() < FEW_ROWS):
            return False
        from verifier.engine import columns

        able = columns.supports(self.model)
        if self.force == "columns" and not able:
            raise UnsupportedError("the columns engine does not take this model")
        return able


__all__ = ["MAX_ROWS", "Engine", "Joint", "Neighbours"]
