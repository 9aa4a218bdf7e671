"""The definitions of the texts, each a frozen object."""

from __future__ import annotations

from dataclasses import replace

from verifier.definitions.aggregation import AVERAGE
from verifier.definitions.compare import conditional, counterfactual, neighbouring, posterior
from verifier.definitions.definition import Definition
from verifier.definitions.dependency import dependent
from verifier.definitions.inferred import inference
from verifier.definitions.measure import TAIL
from verifier.definitions.registry import register
from verifier.definitions.simulated import imitation
from verifier.definitions.sizes import chosen_recodings, decide_over_sizes, one_tuple_apart

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
    latex=r"$M(D_1) \approx_{\varepsilon,\delta} M(D_2)$ for all $D_1, D_2 \in T^n$ that differ in one record",
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
    latex=r"$M(D) \mid \theta, \hat{B}, D(i)=a$ $\approx_{\varepsilon,\delta} M(D) \mid \theta, \hat{B}, D(i)=b$ "
    r"for all $\theta, \hat{B}, i$ and $a, b$ possible given $\hat{B}$",
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
    latex=r"$\mathbb{E}[\max(0, 1 - e^{\varepsilon - L(O, \hat{B})})] \le \delta$ over $O \sim M(D) \mid \theta, "
    r"\hat{B}, D(i)=a$, for all $\theta, \hat{B}, i, a, b$",
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
    latex=r"$\mathbb{E}[\max(0, 1 - e^{\varepsilon - L(O, B)})] \le \delta$ over $(B, O) \mid \theta, D(i)=a$, for "
    r"all $\theta, i, a, b$",
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
    latex=r"$M(D) \mid \theta, \hat{B}, D(i)=a$ $\approx_{\varepsilon,\delta} M(D \text{ with } i \text{ set to } "
    r"b) \mid \theta, \hat{B}, D(i)=a$ for all $\theta, \hat{B}, i$ and $a, b$ possible given $\hat{B}$",
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
    latex=r"$D(i) \mid \theta, \hat{B}, M(D)=t$ $\approx_{\varepsilon,\delta} D(i) \mid \theta, \hat{B}, M(D \text{ "
    r"with } i \text{ set to } b)=t$ for all $\theta, \hat{B}, i$, $b \in T$ and $t$ that both can produce",
)

dps = Definition(
    "dps",
    "differential privacy under sampling",
    "LQS12, Definition 3",
    "β > δ, and A^β(D) ≈(ε,δ) A^β(D′) for all D = D′ ∪ {t}, where A^β is A on a sample at rate β",
    "neighbours",
    one_tuple_apart,
    decider=decide_over_sizes,
    aliases=("dp-under-sampling",),
    changes_size=True,
    vacuous="all databases have one size",
    open="how many tuples a database may have: the answer is about the model's sizes",
    latex=r"$\beta > \delta$, and $A^\beta(D) \approx_{\varepsilon,\delta} A^\beta(D')$ for all $D = D' \cup "
    r"\{t\}$, where $A^\beta$ is $A$ on a sample at rate $\beta$",
)
"""(β, ε, δ)-DPS (LQS12, Definition 3): β > δ, and the sampled mechanism is (ε, δ)-DP.

For all databases D = D′ ∪ {t} of the model's sizes, t in T, and all sets O of outputs, in both orders (ε in nats):

    P[A^β(D) ∈ O] ≤ e^ε·P[A^β(D′) ∈ O] + δ,   and β > δ.

β is the `sample` of the mechanism; without one β = 1, and this is (ε, δ)-DP of LQS12, Definition 2, for δ < 1. Where
δ ≥ β the verdict is `fails` with that reason, without a witness: the inequality then holds for every mechanism. The
reading `any-delta` asks for the inequality alone. Vacuous where all databases have one size.

Left open by the paper: how many tuples a database may have; here the file says it (`size = [from, to]`), and the answer
is about these sizes. Databases are multisets: equal tuples may appear (section 3.2), and their order plays no part.

>>> from verifier import build, check
>>> told = build(size=(0, 2), values=["t", "u"], mechanism={"kind": "count", "value": "t", "sample": "1/10"})
>>> print(check(told, dps, epsilon="ln(2)", delta="1/20"))
dps fails at ε = ln(2), δ = 1/20; smallest δ 1/10 (0.1); smallest ε inf
"""
safe = Definition(
    "safe",
    "ε-safe k-anonymization",
    "LQS12, Definition 3.10",
    "A_m(D) ≈(ε,δ) A_m(D′) for all D = D′ ∪ {t}, where A_m chooses the recoding",
    "neighbours",
    chosen_recodings,
    decider=decide_over_sizes,
    aliases=("epsilon-safe",),
    changes_size=True,
    vacuous="all databases have one size",
    open="δ: Definition 3.10 has none; whether A_m meets the samples or the databases: the samples",
    latex=r"$A_m(D) \approx_{\varepsilon,\delta} A_m(D')$ for all $D = D' \cup \{t\}$, where $A_m$ chooses the "
    r"recoding",
)
"""ε-safe k-anonymization (LQS12, Definition 3.10): the choice A_m of the recoding is ε-DP.

For all databases D = D′ ∪ {t} and all sets G of recodings, in both orders, ε in nats (δ is ours):

    P[A_m(D) ∈ G] ≤ e^ε·P[A_m(D′) ∈ G] + δ.

A_m is `choose` of a k-anonymization, without the sample that may precede it; it meets every sample, hence with `sample`
also all smaller sizes. With one recoding (`apply`) it holds at ε = 0. Unsupported for other mechanisms.

>>> from verifier import build, check
>>> always = {"kind": "apply", "k": 2, "generalization": {"t": "any", "u": "any"}}
>>> print(check(build(size=(0, 3), values=["t", "u"], mechanism=always), safe, epsilon=0))
safe holds at ε = 0, δ = 0; smallest δ 0; smallest ε 0
"""


dependency = Definition(
    "dependency",
    "bounded dependency of two mechanisms",
    "DMKB20, Definitions 17 and 18",
    "E[max(0, 1 - e^(μ - Dep(O₁, O₂ | B̂)))] ≤ ν over (O₁, O₂) | θ, B̂, D(i)=a, for all θ, i, a, b, B̂; ε is μ, δ is ν",
    "dependency",
    dependent,
    aliases=("bounded-dependency",),
    note="ε stands for μ and δ for ν; probability_b is the measure R with P·e^(-Dep) = R",
    vacuous=_NEVER_TWO,
    open="what Dep is where O₁ excludes b, and where both losses are infinite; which mechanism depends on which",
    latex=r"$\mathbb{E}[\max(0, 1 - e^{\mu - \operatorname{Dep}(O_1, O_2 \mid \hat{B})})] \le \nu$ over $(O_1, O_2) "
    r"\mid \theta, \hat{B}, D(i)=a$, for all $\theta, i, a, b, \hat{B}$; $\varepsilon$ is $\mu$, $\delta$ is "
    r"$\nu$",
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
        latex=rf"$P[\text{{loss}} > \varepsilon] \le \delta$ for the comparisons of {of.key}"
        + (", on average over $B$" if of.aggregation is AVERAGE else ""),
        measure=TAIL,
        aliases=("pdp", "prodp") if of.key == "dp" else (),
        note="at least the δ of the expectation form; post-processing may increase it",
    )


ddp = Definition(
    "ddp",
    "distributional differential privacy",
    "DMKB20, Definition 4",
    "there is a Sim with M(D) | θ, B̂, D(i)=a ≈(ε,δ) Sim(D without i) | θ, B̂, D(i)=a for all θ, B̂, i and possible a",
    "simulator",
    decider=imitation,
    aliases=("distdp",),
    note="DDP means other things elsewhere",
    vacuous="never: a model has rows",
    open="whether Sim is told i, and may depend on θ or B̂; δ: Definition 4 has none, here it is Definition 1's",
    latex=r"there is a $\operatorname{Sim}$ with $M(D) \mid \theta, \hat{B}, D(i)=a$ $\approx_{\varepsilon,\delta} "
    r"\operatorname{Sim}(D \text{ without } i) \mid \theta, \hat{B}, D(i)=a$ for all $\theta, \hat{B}, i$ and "
    r"possible $a$",
)

ibddp = Definition(
    "ibddp",
    "inference-based distributional differential privacy",
    "DMKB20, remark in section 3.3",
    "there is a Sim with D(i) | θ, M(D)=Ô, B̂ ≈ε D(i) | θ, Sim(D without i)=Ô, B̂ for all θ, i and possible (Ô, B̂)",
    "posterior",
    decider=inference,
    note="decided at δ = 0 alone; its answers have no certificate that the replay could check",
    vacuous="never: a model has rows",
    open="what holds where Sim cannot answer Ô given B̂ (here that fails); for δ > 0 which (Ô, B̂) are left out",
    replaces_a_record=True,
    latex=r"there is a $\operatorname{Sim}$ with $D(i) \mid \theta, M(D)=\hat{O}, \hat{B}$ $\approx_{\varepsilon} "
    r"D(i) \mid \theta, \operatorname{Sim}(D \text{ without } i)=\hat{O}, \hat{B}$ for all $\theta, i$ and "
    r"possible $(\hat{O}, \hat{B})$",
)

_BUILT_IN = (dp, np, apkdp, ppkdp, cdp, ibcdp, ddp, *map(_tail, (dp, apkdp, ppkdp, cdp)), dps, safe)
for _one in _BUILT_IN:
    register(_one)
register(dependency, on_request=True)
register(ibddp, on_request=True)
