"""The entries of the ledger as data: a claim, its readings, and the evidence of each verdict."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from verifier.model.model import Expectation

VERDICTS = {
    "proved": "a theorem that a proof assistant checks, a derivation that runs, or a complete case analysis shows it; "
    "or a model, where the claim is that there is one",
    "checked": "it holds in all that was exhausted, which the scope names; it is not proved",
    "refuted": "a model, or numbers that are added up again, show that it fails in this reading",
    "misprint": "what is printed fails, and what it must say holds",
    "ambiguous": "a definition of which the paper admits two readings that differ",
    "ill-posed": "a definition, or a formula, that has no value somewhere in the range that the paper gives it",
    "undecided": "neither was found",
    "not decidable here": "it is no statement about finite models, or out of reach; the entry says why",
}
"""The verdicts on a reading, with the meaning of each."""
FAILING = ("refuted", "misprint", "ambiguous", "ill-posed")
"""The verdicts of a reading that cannot stand as it is."""
HOLDING = ("proved", "checked")
"""The verdicts of a reading that holds."""
PRINTED, EDGE, RESTORED, EXTRACTED, VARIANT, NOTE = (
    "as printed", "edge case", "restored", "as extracted", "variant", "note",
)  # fmt: skip
LABELS = {
    PRINTED: "what the page says; what it says of all is asked of all",
    EDGE: "the end of a range that the page includes (δ = 1, n = 1, a probability of 0, T infinite), asked by itself",
    RESTORED: "a guess at what was meant, with its reason",
    EXTRACTED: "what one layer of the PDF has, where another layer of the same PDF, which is named, has something else",
    VARIANT: "a statement beside the page's: the converse, another quantifier, another condition or convention",
    NOTE: "a comparison of ours with another paper, or a statement of no paper; it has no verdict",
}
"""The labels, which say what a reading is of the page, with their meanings; proofs/README.md has the criterion."""
REASONS = ("another version", "repeated elsewhere", "the proof's use")
"""The reasons why something must have been meant; each restored reading, and each misprint, names one of them."""
ONE = "one is enough"
"""The reason why one case proves a claim, which says that there is one: a model is such a case."""
CASES = (ONE, "these are all")
"""The reasons why cases prove a claim: it says that there is one, or there are no others."""
SHOWS = ("claim", "failure", "repair", "tight", "size")
"""The purposes of evidence: it shows the claim, that it fails, the repaired statement, that a constant is attained, or
what a bound gives at a size of practice, whether the claim fails or not."""


@dataclass(frozen=True)
class OfModel:
    """Evidence by answers about a model file: `asks` are questions with expected answers, as in its `[[expect]]`.

    Each is decided again and compared. Where the model does not protect every record, `restricted` says why the claim
    is about no more than the model protects.
    """

    shows: str
    model: str
    asks: tuple[Expectation, ...]
    restricted: str = ""

    @property
    def title(self) -> str:
        """The path of the model file, from the root of the repository."""
        return f"models/{self.model}.toml"


@dataclass(frozen=True)
class OfSearch:
    """Evidence by a search that found no model in its whole scope; `models` is the number of models in the scope."""

    shows: str
    search: Mapping[str, Any]
    models: int

    @property
    def statement_text(self) -> str:
        """The statement for which the search looked."""
        return str(self.search.get("claim") or self.search.get("violates") or self.search.get("satisfies"))

    @property
    def title(self) -> str:
        """The statement and the number of models of the search."""
        return f"search “{self.statement_text}”, {self.models:,} models"


@dataclass(frozen=True)
class OfBound:
    """Evidence by a bound (`pkdp claims --bound`): whether it `covers` the exact δ, yes or no, for all of `given`.

    `given` has a list of values for each parameter; every combination is compared.
    """

    shows: str
    bound: str
    reading: str
    given: Mapping[str, tuple[str, ...]]
    covers: str

    @property
    def rows(self) -> int:
        """The number of combinations of the given parameters."""
        return prod(map(len, self.given.values()))

    @property
    def title(self) -> str:
        """The bound, its reading, and the number of combinations."""
        return f"bound {self.bound}{f', {self.reading}' if self.reading else ''} ({self.rows:,})"


@dataclass(frozen=True)
class OfDerivation:
    """Evidence by a derivation: `function()` in `proofs/<paper>/<module>.py` returns its steps or raises."""

    shows: str
    paper: str
    module: str
    function: str

    @property
    def title(self) -> str:
        """The file and the name of the function."""
        return f"proofs/{self.paper}/{self.module}.py, {self.function}"


@dataclass(frozen=True)
class OfProof:
    """Evidence by a written proof, under a heading of a page in `proofs/`; it stands beside other evidence."""

    shows: str
    page: str
    anchor: str

    @property
    def title(self) -> str:
        """The page and the anchor of the heading."""
        return f"proofs/{self.page}#{self.anchor}"


@dataclass(frozen=True)
class OfTheorem:
    """Evidence by a theorem in Coq: `name` in `proofs/coq/<file>.v`, which `make theorems` checks."""

    shows: str
    file: str
    name: str

    @property
    def title(self) -> str:
        """The file and the name of the theorem."""
        return f"proofs/coq/{self.file}.v, {self.name}"


Evidence: TypeAlias = OfModel | OfSearch | OfBound | OfDerivation | OfTheorem | OfProof


@dataclass(frozen=True)
class ClaimReading:
    """One precise reading of a claim, or of a part of it, with its verdict, a key of `VERDICTS`; a note has none.

    `means` says what is asked, `found` what the answer is, `repaired` what holds where it fails, `tight` which
    constants are attained, `scope` how far it was looked. `label` is one of `LABELS`; `because` is the reason of a
    restored reading or of a misprint, or names the other layer of one as extracted; `edge` says at which end of its
    range alone a reading as printed fails. `quote` is what the page prints, in its words; `cases` says why the cases
    of its evidence settle a reading that is proved by cases: it starts with one of `CASES`. `signs` has what `means`
    says of Table 3 and of what follows from what, for the tables that derive it: `zkpr ≻ dp-any`, `bodp ⇏ dp-any`,
    `azcodp post-processing no`.
    """

    part: str
    reading: str
    means: str
    verdict: str
    found: str
    repaired: str
    tight: str
    scope: str
    evidence: tuple[Evidence, ...]
    label: str = PRINTED
    because: str = ""
    edge: str = ""
    quote: str = ""
    cases: str = ""
    signs: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name of the reading, followed by its label where that is another word."""
        return self.reading if self.reading == self.label else f"{self.reading} ({self.label})"

    def showing(self, purpose: str) -> tuple[Evidence, ...]:
        """The pieces of evidence with this purpose, one of `SHOWS`."""
        return tuple(evidence for evidence in self.evidence if evidence.shows == purpose)


@dataclass(frozen=True)
class Entry:
    """A claim of a paper in our own words, with all its readings."""

    paper: str
    slug: str
    claim: str
    place: str
    statement: str
    readings: tuple[ClaimReading, ...]

    @property
    def file(self) -> str:
        """The entry's file, from the root of the repository."""
        return f"proofs/{self.paper}/{self.slug}.toml"

    @property
    def anchor(self) -> str:
        """The paper and the name of the entry, such as `DMKB20-theorem-5`."""
        return f"{self.paper}-{self.slug}"

    def is_named(self, names: Collection[str]) -> bool:
        """Whether one of these names is that of its claim or of its file; no names stand for all."""
        own = {self.claim.lower(), self.slug.lower()}
        return not names or any(name.lower() in own for name in names)

    def key(self, reading: ClaimReading) -> str:
        """The name of a reading, distinct in its entry: the part and the reading, as `first half / as printed`."""
        return f"{reading.part} / {reading.reading}" if reading.part else reading.reading

    @property
    def order(self) -> tuple[object, ...]:
        """The sorting key of entries: numbered claims first, kind by kind, a proof after its statement; then sections.

        >>> claims = ["section 3.1, remark", "proof of Theorem 4", "Theorem 10", "Theorem 4", "Definition 2"]
        >>> entries = [Entry("DMKB20", "", claim, "", "", ()) for claim in claims]
        >>> [entry.claim for entry in sorted(entries, key=lambda entry: entry.order)]
        ['Definition 2', 'Theorem 4', 'proof of Theorem 4', 'Theorem 10', 'section 3.1, remark']
        """
        text = self.claim.lower()
        kind = next((k for k, name in enumerate(KINDS) if name in text), len(KINDS))
        numbers = tuple(int(number) for number in re.findall(r"\d+", text))
        return kind, numbers, text.startswith("proof"), text


KINDS = ("definition", "lemma", "proposition", "theorem", "corollary", "example", "algorithm", "table", "figure")
