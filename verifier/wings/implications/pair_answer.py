"""The answer on how two definitions relate: whether each implies the other, with the proof or the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.definitions.answer import Answer
from verifier.show.sheet import Sheet
from verifier.wings.implications.matrix.facts import LEVELS, SAME
from verifier.wings.implications.matrix.matrix import MatrixCell, pair_cell
from verifier.wings.implications.matrix.parts import matrix_key
from verifier.wings.implications.matrix.sheets import matrix_pair_sheet, pair_beyond_papers, pair_json
from verifier.wings.implications.pair import pair_of, pair_sheet
from verifier.wings.implications.table.sheets import relations_json
from verifier.wings.implications.table.table import relations as table_of


@dataclass(frozen=True)
class PairRelations(Answer):
    """Whether each of two definitions implies the other, as `pkdp relations A B` says it.

    Pairs that the papers themselves compare are answered by the papers' table, others by the matrix of all pairs.
    """

    definitions: tuple[str, str]
    of_papers: bool

    @property
    def verdict(self) -> str:
        """The state of "the first implies the second with the same ε, at δ = 0" in the matrix of all pairs.

        One of `proved`, `by closure`, `same definition here`, `separated`, `complete on these shapes`, `depends` and
        `open`.
        """
        return self.cells()[SAME].state

    def cells(self, *, other_way: bool = False) -> Mapping[str, MatrixCell]:
        """The cells of "the first implies the second" (or the other way round) at `some`, `same` and `with-delta`."""
        source, target = map(matrix_key, self.definitions[::-1] if other_way else self.definitions)
        return {level: pair_cell(source, target, level) for level in LEVELS}

    @property
    def exit_status(self) -> int:
        """The exit status 0 of the command line, since every state is an answer."""
        return 0

    def sheet(self) -> Sheet:
        """The table of both orders in sentences, with the reasons."""
        return pair_sheet(table_of(self.definitions)) if self.of_papers else matrix_pair_sheet(*self.definitions)

    def __str__(self) -> str:
        return "\n".join(f"{item}: {text}" for item, text in self.sheet().rows)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp relations A B --json`."""
        return relations_json(table_of(self.definitions)) if self.of_papers else pair_json(*self.definitions)


def relations(first: object, second: object) -> PairRelations:
    """How two definitions relate: whether each implies the other, for all models, with the proof or a model.

    >>> answer = relations("renyidp", "zcodp")
    >>> answer.verdict
    'separated'
    >>> evidence = answer.cells()["same"].separation
    >>> evidence.model, evidence.first, evidence.second
    ('atlas/one-order', 'ln(2000/1001)', '[1.18519035468, 1.18519035469]')
    >>> answer.cells(other_way=True)["some"].chain.map
    'xi+order*e'

    Raises:
        InputError: for a name that is no definition, the same one twice, and a definition that is not decided.

    """
    names = (str(getattr(first, "key", first)), str(getattr(second, "key", second)))
    beyond = pair_beyond_papers(names)
    if beyond is not None:
        return PairRelations(beyond, of_papers=False)
    one, other = pair_of(names)
    return PairRelations((one, other), of_papers=True)
