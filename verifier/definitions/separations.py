"""The bundled models that tell a definition of DP22 apart from its neighbours, with the two answers there.

They stand in the entry of the definition, under `[told-apart]`: by the key of the neighbour a small model of the
package, and the two smallest ε there, this definition's first. With `epsilon` the two smallest δ at this ε, with
`delta` the two smallest ε at this δ where a definition has one; a condition without ε has its verdict. `same-as` is a
definition with the same rows and measure. A test computes the answers, and compares with `==`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from verifier.definitions.atlas import atlas
from verifier.definitions.registry import entry_of
from verifier.model.keys import Keys, Location, listed, string


@dataclass(frozen=True)
class Separation:
    """A bundled model on which a definition and its neighbour have different answers to one question.

    `answers` are the smallest ε of the definition and of the neighbour at `delta`; the smallest δ where the question
    has an `epsilon`; the verdicts where neither has an ε.
    """

    definition: str
    neighbour: str
    model: str
    answers: tuple[str, str]
    epsilon: str | None = None
    delta: str = "0"

    @property
    def question(self) -> str:
        """What the two answers are, in words: `smallest ε`, `smallest δ at ε = ln(2)` or `verdict`."""
        if self.epsilon is not None:
            return f"smallest δ at ε = {self.epsilon}"
        if set(self.answers) <= {"holds", "fails"}:
            return "verdict"
        return "smallest ε" if self.delta == "0" else f"smallest ε, with δ = {self.delta} where there is a δ"


@dataclass(frozen=True)
class Apart:
    """The separations of one definition, or the key of a definition that has the same rows and measure."""

    separations: tuple[Separation, ...] = ()
    same_as: str = ""


@cache
def told_apart() -> Mapping[str, Apart]:
    """The separations of each definition of DP22, by its key.

    >>> told_apart()["renyidp"].separations[0].answers
    ('ln(64/15)', '1/2*ln(64/15)')
    """
    told = ((key, entry_of(key).get("told-apart")) for key in atlas)
    return {key: _apart(key, Keys(table, Location(key).at("told-apart"))) for key, table in told if table is not None}


def _apart(key: str, keys: Keys) -> Apart:
    same_as = keys.read("same-as", string, "a key", default="")
    rows = tuple(_separation(key, neighbour, row, keys.location.at(neighbour)) for neighbour, row in keys.left.items())
    return Apart(rows, same_as)


def _separation(key: str, neighbour: str, row: Any, location: Location) -> Separation:
    keys = Keys(row, location)
    first, second = (
        string(answer, location.at("answers"), "an answer") for answer in keys.read("answers", listed, "two answers")
    )
    separation = Separation(
        key,
        neighbour,
        keys.read("model", string, "a bundled model"),
        (first, second),
        None if not keys.has("epsilon") else keys.read("epsilon", string, "an ε"),
        keys.read("delta", string, "a δ", default="0"),
    )
    keys.done()
    return separation
