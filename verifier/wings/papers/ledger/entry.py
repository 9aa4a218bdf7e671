"""A claim, its readings, and what each verdict rests on: data only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from verifier.model.model import Expectation

VERDICTS = {
    "proved": "a derivation that runs, or a finite case analysis that is complete, shows it",
    "checked": "it holds in all that was exhausted, which the scope names; it is not proved",
    "refuted": "a model, or numbers that are added up again, show that it fails in this reading",
    "misprint": "what is printed fails, and what it must say holds",
    "undecided": "neither was found",
    "not decidable here": "it is no statement about finite models, or out of reach; the entry says why",
}
"""The verdicts on a reading, and what each says."""
SHOWS = ("claim", "failure", "repair", "tight")
"""What a piece of evidence may show: the claim, that it fails, the repaired statement, that a constant is attained.

`carries` quotes what the reading's sentences say of all (`for no ε`, `always`) and this piece settles."""


@dataclass(frozen=True)
class OfModel:
    """Answers about one model file, each decided again and compared: `asks` are as in its `[[expect]]`.

    `restricted` says why the claim is about no more than what the model protects, where that is not every record.
    """

    shows: str
    model: str
    asks: tuple[Expectation, ...]
    restricted: str = ""
    carries: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The model file."""
        return f"models/{self.model}.toml"


@dataclass(frozen=True)
class OfSearch:
    """A scope that was exhausted without finding a model; `models` counts those of the scope."""

    shows: str
    search: Mapping[str, Any]
    models: int
    carries: tuple[str, ...] = ()

    @property
    def asked(self) -> str:
        """The statement that was looked for."""
        return str(self.search.get("claim") or self.search.get("violates") or self.search.get("satisfies"))

    @property
    def title(self) -> str:
        """What was looked for, and among how many."""
        return f"search “{self.asked}”, {self.models:,} models"


@dataclass(frozen=True)
class OfBound:
    """A bound of `pkdp bound` beside the exact value, for every combination of `given`; `covers` says yes or no."""

    shows: str
    bound: str
    reading: str
    given: Mapping[str, tuple[str, ...]]
    covers: str
    carries: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of combinations."""
        count = 1
        for texts in self.given.values():
            count *= len(texts)
        return count

    @property
    def title(self) -> str:
        """The bound, and how often it was asked."""
        return f"bound {self.bound}{f', {self.reading}' if self.reading else ''} ({self.rows:,})"


@dataclass(frozen=True)
class OfDerivation:
    """A function `function()` in `proofs/<paper>/<module>.py` that derives, and raises where it cannot."""

    shows: str
    paper: str
    module: str
    function: str
    carries: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The function's place."""
        return f"proofs/{self.paper}/{self.module}.py, {self.function}"


@dataclass(frozen=True)
class OfProof:
    """A written proof under a heading of a page in `proofs/`; it stands beside other evidence."""

    shows: str
    page: str
    anchor: str
    carries: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The page and the heading."""
        return f"proofs/{self.page}#{self.anchor}"


Evidence: TypeAlias = OfModel | OfSearch | OfBound | OfDerivation | OfProof


@dataclass(frozen=True)
class Unbound:
    """An exception: words of a sentence whose number, or whose `for every`, no evidence has, and why."""

    says: str
    because: str


@dataclass(frozen=True)
class Reading:
    """One precise reading of a claim, or of a part of it, with its verdict."""

    part: str
    reading: str
    means: str
    verdict: str
    found: str
    repaired: str
    tight: str
    scope: str
    evidence: tuple[Evidence, ...]
    unbound: tuple[Unbound, ...] = ()

    def showing(self, what: str) -> tuple[Evidence, ...]:
        """The evidence that shows this."""
        return tuple(one for one in self.evidence if one.shows == what)


@dataclass(frozen=True)
class Entry:
    """A claim of a paper in our own words, with all its readings."""

    paper: str
    slug: str
    claim: str
    place: str
    statement: str
    readings: tuple[Reading, ...]

    @property
    def file(self) -> str:
        """The entry's file, from the root of the repository."""
        return f"proofs/{self.paper}/{self.slug}.toml"

    def key(self, reading: Reading) -> str:
        """The name of one reading, distinct in its entry.

        The part and the reading, as `first half / as printed`.
        """
        return f"{reading.part} / {reading.reading}" if reading.part else reading.reading

    @property
    def order(self) -> tuple[object, ...]:
        """Numbered claims first, kind by kind; a proof after its statement; then sections in order.

        >>> claims = ["section 3.1, remark", "proof of Theorem 4", "Theorem 10", "Theorem 4", "Definition 2"]
        >>> made = [Entry("DMKB20", "", claim, "", "", ()) for claim in claims]
        >>> [one.claim for one in sorted(made, key=lambda one: one.order)]
        ['Definition 2', 'Theorem 4', 'proof of Theorem 4', 'Theorem 10', 'section 3.1, remark']
        """
        text = self.claim.lower()
        kind = next((k for k, name in enumerate(KINDS) if name in text), len(KINDS))
        numbers = tuple(int(number) for number in re.findall(r"\d+", text))
        return kind, numbers, text.startswith("proof"), text


KINDS = ("definition", "lemma", "proposition", "theorem", "corollary", "example", "algorithm", "table", "figure")
