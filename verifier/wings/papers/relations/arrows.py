"""The arrows between definitions that are proved, and those that papers claim. Proofs: `proofs/relations.md`.

What does not imply what is no data: it is computed from model files (`verifier.wings.papers.relations.table`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from verifier.model import Model
from verifier.questions import conditions


@dataclass(frozen=True)
class Condition:
    """A property of models under which an arrow holds."""

    key: str
    text: str
    holds: Callable[[Model], bool]


CONDITIONS: dict[str, Condition] = {
    one.key: one
    for one in (
        Condition("independent", "D(i) and D₋ᵢ are independent given each B̂", conditions.independent),
        Condition("values", "each B̂ leaves every value of T possible", conditions.every_value_possible),
        Condition(
            "outputs",
            "given each B̂, M(D) and M(D with i set to b) can produce the same outputs, the same ones given each a of T",
            conditions.every_output_possible,
        ),
        Condition("informed", "B̂ tells D₋ᵢ and no more of D(i), and all of Tⁿ is possible", conditions.full_knowledge),
    )
}


@dataclass(frozen=True)
class Arrow:
    """(ε, δ)-`source` implies (`factor`·ε, δ)-`target`, for δ = 0 alone unless `delta`; where `condition` holds.

    With `per_record` it is `factor`·n·ε, where n is the number of records, all of which are protected. `proof` is the
    heading in proofs/relations.md, `source_text` the number in a paper where it has one.
    """

    source: str
    target: str
    proof: str
    factor: int = 1
    delta: bool = True
    condition: str = ""
    source_text: str = ""
    per_record: bool = False

    def factor_of(self, model: Model) -> int | None:
        """By what ε is multiplied for a model; None where the arrow does not speak of what the model protects."""
        if not self.per_record:
            return self.factor
        return None if model.restriction else self.factor * model.size

    @property
    def text(self) -> str:
        """`(ε, δ)-apkdp ⟹ (ε, δ)-ppkdp`."""
        multiple = f"{factor_text((self,))}ε"
        first, second = ("(ε, δ)", f"({multiple}, δ)") if self.delta else ("ε", multiple)
        where = f", where {CONDITIONS[self.condition].text}" if self.condition else ""
        return f"{first}-{self.source} ⟹ {second}-{self.target}{where}"


def factor_text(arrows: Sequence[Arrow]) -> str:
    """By what arrows one after the other multiply ε, n being the number of records: nothing, `2`, `n`, `2n`.

    >>> factor_text(()), factor_text((Arrow("dp", "np", "", per_record=True), Arrow("np", "apkdp", "")))
    ('', 'n')
    """
    number, records = prod(one.factor for one in arrows), sum(one.per_record for one in arrows)
    return ("" if number == 1 else str(number)) + "·".join("n" * records)


TAILS = ("dp", "apkdp", "ppkdp", "cdp")
ARROWS: tuple[Arrow, ...] = (
    Arrow("dp", "cdp", "dp to cdp"),
    Arrow("dp", "ddp", "cdp and ddp"),
    Arrow("cdp", "ddp", "cdp and ddp", condition="values"),
    Arrow("np", "apkdp", "np and apkdp", source_text="DMKB20, Definition 12"),
    Arrow("apkdp", "np", "np and apkdp", source_text="DMKB20, Definition 12"),
    Arrow("apkdp", "ppkdp", "apkdp and ppkdp", source_text="DMKB20, Theorem 1"),
    Arrow("ppkdp", "apkdp", "apkdp and ppkdp", delta=False, source_text="DMKB20, Theorem 1"),
    *(Arrow(f"tail-{one}", one, "tails") for one in TAILS),
    *(Arrow(one, f"tail-{one}", "tails", delta=False) for one in TAILS),
    Arrow("tail-apkdp", "tail-ppkdp", "tails"),
    Arrow("dp", "np", "dp to np", delta=False, per_record=True),
    Arrow("dp", "ibcdp", "cdp and ibcdp", factor=2, delta=False),
    Arrow("cdp", "np", "np and cdp", condition="independent", source_text="DMKB20, Proposition 2"),
    Arrow("np", "cdp", "np and cdp", condition="independent", source_text="DMKB20, Proposition 2"),
    Arrow("tail-cdp", "tail-apkdp", "np and cdp", condition="independent"),
    Arrow("tail-apkdp", "tail-cdp", "np and cdp", condition="independent"),
    Arrow("apkdp", "dp", "full knowledge", condition="informed"),
    Arrow("dp", "apkdp", "full knowledge", condition="informed"),
    Arrow("cdp", "ibcdp", "cdp and ibcdp", factor=2, delta=False, condition="values"),
    Arrow("ibcdp", "cdp", "cdp and ibcdp", factor=2, delta=False, condition="outputs"),
    Arrow("cdp", "ibcdp", "cdp and ibcdp", delta=False, condition="independent"),
    Arrow("ibcdp", "cdp", "cdp and ibcdp", factor=2, delta=False, condition="independent"),
)


@dataclass(frozen=True)
class Claim:
    """An arrow that a paper claims: proved by arrows, or refuted by a model, maybe with a repair.

    `statement` is the claim in our words; `model` refutes it (a path under models/), `repaired` says what holds.
    """

    source: str
    target: str
    statement: str
    where: str
    model: str = ""
    repaired: str = ""
    label: str = "refuted"
    """What is said of a claim with a model against it."""

    @property
    def refuted(self) -> bool:
        """Whether a model is against it."""
        return bool(self.model)

    @property
    def verdict(self) -> str:
        """`proved`, or what is said of a claim with a model against it."""
        return self.label if self.refuted else "proved"


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "cdp",
        "ibcdp",
        "ε-CDP implies 2ε-IBCDP",
        "DMKB20, Proposition 1",
        "relations/impossible-replacement.toml",
        "it holds where each B̂ leaves every value of T possible, or where b must be possible (`possible-values`); even "
        "with ε where D(i) and D₋ᵢ are independent given each B̂",
    ),
    Claim(
        "ibcdp",
        "cdp",
        "ε-IBCDP implies 2ε-CDP",
        "DMKB20, Proposition 1",
        "DMKB20/example-4-as-printed.toml",
        "it holds where D(i) and D₋ᵢ are independent given each B̂; or where, given each B̂, M(D) and M(D with i set to "
        "b) can produce the same outputs, the same ones given each value of D(i)",
    ),
    Claim(
        "cdp",
        "ddp",
        "CDP implies DDP: the simulator replaces the missing record by any value",
        "DMKB20, section 2.2",
        "DMKB20/remark-cdp-not-ddp.toml",
        "it holds where each B̂ leaves every value of T possible; one value that every B̂ leaves possible is enough",
    ),
    Claim("np", "cdp", "NP and CDP are equivalent for independent records", "DMKB20, Proposition 2"),
    Claim("cdp", "np", "NP and CDP are equivalent for independent records", "DMKB20, Proposition 2"),
    Claim(
        "np",
        "cdp",
        "for acceptable distributions NP implies CDP",
        "DMKB20, Proposition 4",
        "DMKB20/example-4-repaired.toml",
        "it holds where D(i) and D₋ᵢ are independent given each B̂; acceptability plays no part",
    ),
    Claim(
        "cdp",
        "np",
        "for acceptable distributions CDP implies NP",
        "DMKB20, Proposition 4",
        "DMKB20/proposition-4-cdp-not-np.toml",
        "it holds where D(i) and D₋ᵢ are independent given each B̂; acceptability plays no part",
    ),
    Claim("apkdp", "ppkdp", "APKDP implies PPKDP", "DMKB20, Theorem 1"),
    Claim("ppkdp", "apkdp", "ε-PPKDP implies ε-APKDP", "DMKB20, Theorem 1"),
    Claim(
        "apkdp",
        "tail-apkdp",
        "(ε, δ)-APKDP bounds the mass of the privacy loss above ε by δ",
        "DMKB20, section 3.4",
        "relations/randomized-response.toml",
        "it bounds the mean excess; the mass above ε + γ is at most δ/(1 - e^-γ)",
        "misworded",
    ),
    Claim(
        "apkdp",
        "dp",
        "APKDP with full knowledge (B = D₋ᵢ) is DP",
        "DMKB20, section 3.2, after TSD17",
        "relations/impossible-value.toml",
        "it holds where all of Tⁿ is possible, which section 3 assumes: any B̂ is compatible with any D(i) = a",
        "needs section 3's assumption",
    ),
)
