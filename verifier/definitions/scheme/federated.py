"""The builder of wFDP and sFDP: each client sees a part of each output, and attacks the records of the others.

Each block of `[policy] blocks` holds the records of one client, and each table of `views` says what this client sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.definitions.scheme.relations import Relation
from verifier.definitions.scheme.rows import Case, Group, Setting
from verifier.definitions.scheme.views import View, law_of, pair_of
from verifier.errors import UnsupportedError
from verifier.tables import Label, gathered, label

Views = Sequence[Mapping[Label, Label]]


@dataclass(frozen=True)
class Clients:
    """Neighbours that differ in records of client i, as each other client sees them, or all others `together`."""

    together: bool

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group, with a case for each ordered pair of neighbours and for who sees them."""
        blocks: tuple[tuple[int, ...], ...] = setting.need("blocks")
        views: Views = [dict(view) for view in setting.need("views")]
        setting.need_indices("knows clients by the indices of their records: multisets have none")
        if len(views) != len(blocks):
            raise UnsupportedError(f"[policy] has {len(blocks)} blocks and {len(views)} views: one view for each block")
        yield Group(tuple(self._cases(setting, blocks, views)))

    def _cases(self, setting: Setting, blocks: tuple[tuple[int, ...], ...], views: Views) -> Iterator[Case]:
        for row in Relation().rows(setting):
            first, second = row.p[0][0], row.q[0][0]
            moved = {i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}
            for client, block in enumerate(blocks):
                if moved <= set(block):
                    others = [j for j in range(len(blocks)) if j != client]
                    groups = [others] if self.together else [[j] for j in others]
                    for group in filter(None, groups):
                        words = f"as client{'s' if len(group) > 1 else ''} {', '.join(map(str, group))} see it"
                        theirs = [views[j] for j in group]
                        seen = [_seen(setting, law_of(setting, law), theirs) for law in (row.p, row.q)]
                        yield Case((row._replace(seen=(View(pair_of(seen[0], seen[1]), words),)),))


def _seen(setting: Setting, law: Mapping[Label, int], views: Views) -> dict[Label, int]:
    """The law of what some clients see together."""
    for output in law:
        if any(output not in view for view in views):
            raise UnsupportedError(f"{setting.key}: a table of [policy] views has no entry for the output {output}")
    return gathered((label([view[output].shown for view in views]), mass) for output, mass in law.items())
