"""Background knowledge: one function ζ of the family Z, which says what an attacker knows of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.model.mechanism import Mechanism, Statistic
from verifier.tables import Label, Law

if TYPE_CHECKING:
    from verifier.model.distribution import World

NOTHING = Label("\x00", "")
"""The knowledge value of an attacker who knows nothing; shown as null."""
UNNAMED = {
    "nothing": "nothing",
    "column": "the column `knowledge` of the table",
    "component": "the component of the mixture",
}


@dataclass(frozen=True)
class Zeta:
    """One knowledge function ζ: B = ζ(D), independent of the mechanism's own randomness given D.

    `kind` says where B comes from: nothing, a column of the table, the component of a mixture, or a channel of the
    database. A channel may be random: then B ~ ζ(D) of the original database, whatever a definition sets afterwards
    (DKM19, Definition 7).
    """

    kind: str = "nothing"
    channel: Mechanism | None = None
    name: str = ""

    @property
    def title(self) -> str:
        """The knowledge in words: the title of its channel, or the name of where it comes from."""
        return self.channel.title if self.channel else UNNAMED[self.kind]

    @property
    def records(self) -> Sequence[int]:
        """The known records, in the order in which B lists them; none where B is something else."""
        return (self.channel.records or ()) if self.channel else ()

    @property
    def plain(self) -> bool:
        """Whether B is nothing, the component, or a list of records, for which no table of worlds is needed."""
        return self.kind != "column" and (self.channel is None or self.channel.records is not None)

    @property
    def deterministic_statistic(self) -> Statistic | None:
        """The statistic of which B is a function, where B comes from a sum over the records without randomness."""
        return self.channel.deterministic_statistic if self.channel else None

    def law(self, world: World) -> Law:
        """The law of B in a world."""
        if self.kind == "column" and world.knowledge is not None:
            return Law.point(world.knowledge)
        if self.kind == "component" and world.component is not None:
            return Law.point(world.component)
        if self.channel is not None:
            return self.channel.law(world.database)
        return Law.point(NOTHING)


UNAWARE = Zeta()
"""The attacker who knows nothing."""
