"""What DMKB20's Examples 1 to 8 and Proposition 4 say, in our words, and what was found: data only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from verifier.library import examples

HOLDS, FAILS, FINITE, OPEN = "holds", "fails as printed", "holds, made finite", "not decided here"


@dataclass(frozen=True)
class Evidence:
    """A computed answer that a finding rests on, for some finite ε at δ = 0 unless `at` names an ε.

    `definition` may be `acceptable`: then the answer is `yes` or `no` at every protected record, and a normalization
    that the file gives must be accepted. `text` is a model file in place of the name of one.
    """

    model: str
    definition: str
    answer: str
    at: str = ""
    text: str = ""

    @property
    def said(self) -> str:
        """The answer in words; `findings` says what was computed in the same words."""
        if self.definition == "acceptable":
            return f"acceptable: {self.answer}"
        if self.at:
            return f"{self.definition}: smallest δ at ε = {self.at} is {self.answer}"
        return f"{self.definition}: {self.answer}"


@dataclass(frozen=True)
class Claim:
    """One statement, our verdict on it, and the models that show it; `repaired` hold the repaired statement."""

    place: str
    claim: str
    verdict: str
    because: str
    sections: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    repaired: tuple[str, ...] = ()

    @property
    def linked(self) -> tuple[str, ...]:
        """All models that the finding names, each once."""
        named = [piece.model for piece in self.evidence if not piece.text]
        return tuple(dict.fromkeys([*self.sections, *self.repaired, *named]))


def holds(model: str, definition: str, smallest: str) -> Evidence:
    """The definition holds for some finite ε; `smallest` is the least."""
    return Evidence(model, definition, f"holds, smallest ε {smallest}")


def never(model: str, definition: str) -> Evidence:
    """The definition fails for every finite ε at δ = 0."""
    return Evidence(model, definition, "fails, smallest ε inf")


def accepts(model: str, answer: str, text: str = "") -> Evidence:
    """Acceptability at every protected record."""
    return Evidence(model, "acceptable", answer, text=text)


KNOWN_RECORD = """
size = 1
values = [0, 1]
[[distribution]]
iid = { 0 = "1/2", 1 = "1/2" }
[knowledge]
records = [0]
[mechanism]
kind = "identity"
"""

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Proposition 4",
        "For acceptable Θ, NP and CDP are equivalent.",
        FAILS,
        "In both directions: NP with ε = 0 and CDP for no ε, and the reverse. Repaired: equivalent at i where the "
        "other records are independent of D(i) given B̂.",
        ("proposition-4-np-not-cdp", "proposition-4-cdp-not-np"),
        (
            holds("proposition-4-np-not-cdp", "np", "0"),
            never("proposition-4-np-not-cdp", "cdp"),
            accepts("proposition-4-np-not-cdp", "yes"),
            holds("proposition-4-cdp-not-np", "cdp", "0"),
            never("proposition-4-cdp-not-np", "np"),
            accepts("proposition-4-cdp-not-np", "yes"),
            holds("example-4-repaired", "np", "0"),
            never("example-4-repaired", "cdp"),
            accepts("example-4-repaired", "yes"),
            holds("example-5-one-triple", "cdp", "0"),
            never("example-5-one-triple", "np"),
            accepts("example-5-one-triple", "yes"),
        ),
    ),
    Claim(
        "Example 1",
        "To NP, an attacker with less knowledge is the more powerful one.",
        FINITE,
        "For the rounded, randomized average: smallest ε ln(3197/544) without the knowledge and ln(536/221) with it. "
        "For the exact average only at small ε.",
        ("example-1-side", "example-1-side-known"),
        (
            holds("example-1-side", "np", "ln(3197/544)"),
            holds("example-1-side-known", "np", "ln(536/221)"),
            accepts("example-1-side-known", "no"),
        ),
    ),
    Claim(
        "after Proposition 1",
        "For bounded b, the average of Example 1 can be CDP for some ε.",
        FAILS,
        "At δ = 0 no ε is enough for an exact average: it and its shift have no bounded ratio. Repaired: a rounded, "
        "noisy average is CDP with ε = ln(8797/4072).",
        ("example-1-average",),
        (never("example-1-average", "cdp"), holds("example-1-side", "cdp", "ln(8797/4072)")),
        ("example-1-side",),
    ),
    Claim(
        "after Definition 4",
        "The average of Example 1 is DDP: the simulator averages the other records.",
        FAILS,
        "At δ = 0 no ε is enough for an exact average: a value of D(i) that is far away moves it out of the "
        "simulator's reach (with normal records as well). Repaired: a rounded, noisy average is DDP with "
        "ε = 1/2*ln(11679/8144), less than for CDP.",
        ("example-1-average",),
        (never("example-1-average", "ddp"), holds("example-1-side", "ddp", "1/2*ln(11679/8144)")),
        ("example-1-side",),
    ),
    Claim(
        "after Definition 5",
        "CDP implies DDP with the same ε.",
        FAILS,
        "CDP compares only the values b that are possible given B̂, and the simulator, which is to set the missing "
        "record to b, is not told B̂. It holds if CDP compares all of T, or if the simulator is told B̂ and θ.",
        ("remark-cdp-not-ddp",),
        (
            holds("remark-cdp-not-ddp", "cdp", "0"),
            never("remark-cdp-not-ddp", "ddp"),
        ),
    ),
    Claim(
        "Example 2",
        "On duplicated records the identity is ({θ}, 0)-DDP.",
        HOLDS,
        "The simulator reads the duplicate. Neither NP nor CDP holds for any ε.",
        ("example-2-identity",),
        (
            holds("example-2-identity", "ddp", "0"),
            never("example-2-identity", "np"),
            never("example-2-identity", "cdp"),
        ),
    ),
    Claim(
        "Example 3",
        "Counting outliers is in NP but not in CDP.",
        FINITE,
        "Where the spread of the records is bounded. With normal records on all of ℝ, n ≥ 2 and δ = 0, NP fails as "
        "well: a far D(i) makes every record an outlier.",
        ("example-3-outliers", "example-3-outliers-spread"),
        (
            holds("example-3-outliers", "np", "0"),
            never("example-3-outliers", "cdp"),
            holds("example-3-outliers-spread", "np", "0"),
            holds("example-3-outliers-spread", "cdp", "ln(95099005/960597)"),
        ),
    ),
    Claim(
        "Example 4",
        "The sum of duplicated records might be in NP.",
        FAILS,
        "At δ = 0, the case of section 2, with independent pairs and no knowledge, for every R on ℕ with two possible "
        "values. Repaired: the parity of the sum is in NP with ε = 0 and not in CDP.",
        ("example-4-as-printed", "example-4-as-printed-two-pairs"),
        (
            never("example-4-as-printed", "np"),
            never("example-4-as-printed-two-pairs", "np"),
            holds("example-4-repaired", "np", "0"),
            never("example-4-repaired", "cdp"),
        ),
        ("example-4-repaired",),
    ),
    Claim(
        "Example 4",
        "The sum of duplicated records cannot be in CDP.",
        HOLDS,
        "Changing one record of a pair by 1 makes the sum odd, as in no possible database. (Where R is constant, "
        "nothing is compared.)",
        ("example-4-as-printed", "example-4-as-printed-two-pairs"),
        (never("example-4-as-printed", "cdp"), never("example-4-as-printed-two-pairs", "cdp")),
    ),
    Claim(
        "Example 5, one triple",
        "The correcting mechanism is ({θ}, 0)-CDP, although it reveals the whole database.",
        HOLDS,
        "CDP holds with ε = 0, and NP for no ε.",
        ("example-5-one-triple",),
        (holds("example-5-one-triple", "cdp", "0"), never("example-5-one-triple", "np")),
    ),
    Claim(
        "Example 5, two or more triples",
        "The correcting mechanism is ({θ}, 0)-CDP.",
        FAILS,
        "At every ε, where R has two values of positive probability: changing a to b is corrected only where no other "
        "triple has the value a or b. Repaired: correct each triple to its own majority.",
        ("example-5-two-triples", "example-5-two-triples-three-values"),
        (
            never("example-5-two-triples", "cdp"),
            never("example-5-two-triples-three-values", "cdp"),
            holds("example-5-two-triples-repaired", "cdp", "0"),
            never("example-5-two-triples-repaired", "np"),
        ),
        ("example-5-two-triples-repaired",),
    ),
    Claim(
        "Definition 8",
        "Θ is acceptable if it is acceptable at all indices, as in Example 7.",
        FAILS,
        "Read literally, never where the attacker knows a record that is not constant, Example 7 included: already one "
        "fair bit with B = D(0) is not. Repaired: at all indices that the attacker does not know.",
        (),
        (accepts("one known bit", "no", KNOWN_RECORD), accepts("example-7-five-voters", "yes")),
    ),
    Claim(
        "Example 6",
        "Voting in pairs has two acceptable normalizations, for two sensitive values.",
        HOLDS,
        "Both are acceptable. With the partner's vote known there is none at a single vote: what is protected has to "
        "change.",
        ("example-6-first-normalization", "example-6-partner-known", "example-6-second-normalization"),
        (
            accepts("example-6-first-normalization", "yes"),
            accepts("example-6-partner-known", "no"),
            accepts("example-6-second-normalization", "yes"),
        ),
    ),
    Claim(
        "Example 7",
        "In a thresholded referendum, passive and active attackers differ.",
        FINITE,
        "With 12 voters instead of 1,000: at ε = ln(2), δ is 0.993 against the active attacker, who may choose the "
        "votes that she knows, and 3.27e-10 against the passive one.",
        ("example-7-five-voters", "example-7-twelve-voters", "example-7-twelve-voters-zero"),
        (
            Evidence("example-7-five-voters", "apkdp", "0.81", "ln(2)"),
            Evidence("example-7-five-voters", "ppkdp", "0.0449", "ln(2)"),
            Evidence("example-7-twelve-voters", "apkdp", "0.993020965035", "ln(2)"),
            Evidence("example-7-twelve-voters", "ppkdp", "3.27237223517e-10", "ln(2)"),
            Evidence("example-7-twelve-voters-zero", "apkdp", "0.993020965035", "ln(2)"),
            Evidence("example-7-twelve-voters-zero", "ppkdp", "3.27237223517e-10", "ln(2)"),
        ),
    ),
    Claim(
        "Example 8",
        "Each of two counts is private, and their joint release reveals the vote of t.",
        FINITE,
        "With 6 voters: at ε = ln(2), δ is 1/8 for the first count, 0 for the second, and 1 for both together.",
        ("example-8-count", "example-8-count-of-others", "example-8-joint"),
        (
            Evidence("example-8-count", "apkdp", "0.125", "ln(2)"),
            holds("example-8-count-of-others", "np", "0"),
            never("example-8-joint", "np"),
            Evidence("example-8-joint", "apkdp", "1", "ln(2)"),
        ),
    ),
)


def shown() -> list[Path]:
    """The model files of the report: those of DMKB20 that a claim names; the others belong to the ledger's pages."""
    named = {name for claim in CLAIMS for name in claim.linked}
    return [path for path in examples() if path.stem in named]
