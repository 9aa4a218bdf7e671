"""The answer of `compare`: the same law or not, both post-processings, the order by each definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions.answer import Answer, Whole
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.recheck import text_of
from verifier.show.on_demand import OnDemand
from verifier.version import VERSION
from verifier.wings.compare.order import UNDECIDED, UNSUPPORTED, Ordered
from verifier.wings.compare.post_processing import PostProcessing


class Apart(NamedTuple):
    """A database on which the two laws differ, and both laws."""

    database: list[Any]
    first: Mapping[str, Fraction]
    second: Mapping[str, Fraction]


@dataclass(frozen=True)
class Compared(Answer):
    """Two mechanisms on the same databases.

    `same_law` is whether they have the same output distribution on every database (None: undecided, for `reason`);
    `apart` is the first database where they have not. `definitions` has the order by each definition, by its key.
    """

    first: Model
    second: Model
    same_law: bool | None
    second_of_first: PostProcessing
    first_of_second: PostProcessing
    definitions: Mapping[str, Ordered]
    databases: int = 0
    """How many databases were compared; 0 where these are too many."""
    apart: Apart | None = None
    reason: str = ""
    named: bool = False
    """Whether the definitions were named."""
    replayed: bool | None = None
    unchecked: str = ""

    _repr_html_ = OnDemand("verifier.wings.compare.notebook:compared_html")
    plot = OnDemand("verifier.wings.compare.sheets:comparison_plot")

    @property
    def verdict(self) -> str:
        """`compared`, or `undecided` where a part of the answer is."""
        laws = (self.same_law, self.second_of_first.holds, self.first_of_second.holds)
        words = {one.order for one in self.definitions.values()} if self.named else set()
        return UNDECIDED if None in laws or words & {UNDECIDED, UNSUPPORTED} else "compared"

    @property
    def exit_status(self) -> int:
        """3 where a part of the answer is undecided, else 0."""
        return 3 if self.verdict == UNDECIDED else 0

    @property
    def models(self) -> tuple[Model, Model]:
        """Both models."""
        return self.first, self.second

    def __str__(self) -> str:
        said = {
            True: "the same output distribution on every database",
            False: "another output distribution on some database",
            None: "undecided output distributions",
        }
        words = {True: "yes", False: "no", None: "undecided"}
        return "\n".join(
            [
                f"{self.first.title} and {self.second.title}: {said[self.same_law]}",
                f"the second is a post-processing of the first: {words[self.second_of_first.holds]}",
                f"the first is a post-processing of the second: {words[self.first_of_second.holds]}",
                *(
                    f"{key}: {one.order}{_at(one)}{f' ({one.reason})' * bool(one.reason)}"
                    for key, one in self.definitions.items()
                ),
            ]
        )

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp compare --json`."""
        both = {"second_of_first": self.second_of_first, "first_of_second": self.first_of_second}
        apart = None
        if self.apart is not None:
            apart = {"database": self.apart.database, "laws": Whole([dict(law) for law in self.apart[1:]])}
        return {
            "schema": 1,
            "version": VERSION,
            "kind": "compare",
            "models": list(map(_source, self.models)),
            "same_law": self.same_law,
            "apart": apart,
            "databases": self.databases,
            "reason": self.reason or None,
            "post_processing": {name: one.holds for name, one in both.items()},
            "proofs": both,
            "definitions": self.definitions,
            "replayed": self.replayed,
            "unchecked": self.unchecked or None,
        }


def _source(model: Model) -> dict[str, Any]:
    """The file of a model with its hash; of what came from no file alone, or points to others, its text."""
    if model.sha256 and not model.files:
        return {"model": model.label, "sha256": model.sha256}
    try:
        return {"model": model.label, "sha256": None, "model_text": model.text if model.files else text_of(model)[0]}
    except UnsupportedError:  # its tables are too large to be written
        return {"model": model.label, "sha256": None}


def _at(one: Ordered) -> str:
    return f", crossing at ε = {', '.join(e.text(40) for e in one.crossings)}" if one.crossings else ""
