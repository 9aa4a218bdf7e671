"""The definitions of the texts, each a frozen object."""

from __future__ import annotations

from dataclasses import replace

from verifier.definitions.aggregation import AVERAGE
from verifier.definitions.compare import conditional, counterfactual, neighbouring, posterior
from verifier.definitions.definition import Definition
from verifier.definitions.measure import TAIL
from verifier.definitions.registry import ANNOUNCED, register

_NEVER_TWO = "for every θ, i and B̂, the record has one possible value"
dp = Definition(
    "dp",
    "differential privacy",
    "DMKB20, Definition 2",
    "M(D₁) ≈(ε,δ) M(D₂) for all D₁, D₂ ∈ Tⁿ that differ in one record",
    "neighbours",
    neighbouring,
    replaces_a_record=True,
    vacuous="T has one value",
    open="whether impossible databases count: they do here, since no distribution is mentioned",
)
np = Definition(
    "np",
    "noiseless privacy",
    "DMKB20, Definition 3",
    "M(D) | θ, B̂, D(i)=a ≈(ε,δ) M(D) | θ, B̂, D(i)=b for all θ, B̂, i and a, b possible given B̂",
    "conditional",
    conditional,
    aliases=("npr", "noiseless"),
    note="np with δ and apkdp are one notion (DMKB20, Definition 12)",
    vacuous=_NEVER_TWO,
)
apkdp = Definition(
    "apkdp",
    "active partial knowledge differential privacy",
    "DMKB20, Definition 12",
    "E[max(0, 1 - e^(ε - L(O, B̂)))] ≤ δ over O ~ M(D) | θ, B̂, D(i)=a, for all θ, B̂, i, a, b",
    "conditional",
    conditional,
    aliases=("apk", "apk-dp"),
    note="np with δ and apkdp are one notion (DMKB20, Definition 12)",
    vacuous=_NEVER_TWO,
    open="a B̂ that excludes b: Definition 12 says all B̂; DKM19, Definition 5, gives it the loss 0",
)
ppkdp = Definition(
    "ppkdp",
    "passive partial knowledge differential privacy",
    "DMKB20, Definition 13",
    "E[max(0, 1 - e^(ε - L(O, B)))] ≤ δ over (B, O) | θ, D(i)=a, for all θ, i, a, b",
    "conditional",
    conditional,
    aggregation=AVERAGE,
    aliases=("ppk", "ppk-dp"),
    vacuous="no B̂ is possible with two values of a record",
    open="a B̂ that excludes b: the loss is 0 in DKM19 (Definition 5) and ln(x/0) in DMKB20 (Definition 11)",
)
cdp = Definition(
    "cdp",
    "causal differential privacy",
    "DMKB20, Definition 5",
    "M(D) | θ, B̂, D(i)=a ≈(ε,δ) M(D with i set to b) | θ, B̂, D(i)=a for all θ, B̂, i and a, b possible given B̂",
    "counterfactual",
    counterfactual,
    aliases=("causdp", "causal"),
    note="CDP means concentrated differential privacy elsewhere",
    replaces_a_record=True,
    vacuous=_NEVER_TWO,
    open="whether b must be possible: Definition 5 says so, its motivation (changing the record afterwards) does not",
)
ibcdp = Definition(
    "ibcdp",
    "inference-based causal differential privacy",
    "DMKB20, Definition 6",
    "D(i) | θ, B̂, M(D)=t ≈(ε,δ) D(i) | θ, B̂, M(D with i set to b)=t for all θ, B̂, i, b ∈ T and t that both can produce",
    "posterior",
    posterior,
    aliases=("ib-cdp",),
    note="it compares beliefs about D(i), not outputs; an output that only one side can produce is not compared",
    replaces_a_record=True,
    vacuous="no output can be produced both by M(D) and by M(D with i set to b)",
    open="whether b must be possible (as printed, any b of T); δ: Definition 6 has none, here it is Definition 1's",
)


def _tail(of: Definition) -> Definition:
    """The same comparisons, with the probability that the loss exceeds ε in place of the mean excess."""
    return replace(
        of,
        key=f"tail-{of.key}",
        title=f"{of.title}, tail form",
        source=f"{TAIL.source}; comparisons of {of.source}",
        formula=f"{TAIL.formula} ≤ δ for the comparisons of {of.key}"
        + (", on average over B" if of.aggregation is AVERAGE else ""),
        measure=TAIL,
        aliases=("pdp", "prodp") if of.key == "dp" else (),
        note="at least the δ of the expectation form; post-processing may increase it",
    )


_BUILT_IN = (dp, np, apkdp, ppkdp, cdp, ibcdp, *map(_tail, (dp, apkdp, ppkdp, cdp)))
_LATER = (
    Definition(
        "ddp",
        "distributional differential privacy",
        "DMKB20, Definition 4",
        "",
        "simulator",
        aliases=("distdp",),
        note="DDP means other things elsewhere",
    ),
)

ANNOUNCED.update({d.key: d for d in _LATER})
for _one in _BUILT_IN:
    register(_one)
