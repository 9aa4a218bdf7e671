"""Every convention that can change a verdict: named, chosen here and nowhere else, with its source.

A convention is about what is compared (laws given S, neighbours, posteriors, …), and so about every definition that
compares it, or about a property by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from verifier.definitions.answer import Valued
from verifier.definitions.compared_kinds import (
    ADDED_TUPLE,
    AVERAGE,
    CONDITIONAL,
    COUNTERFACTUAL,
    DEPENDENCY,
    NEIGHBOURS,
    OF_SIZES,
    POSTERIOR,
    READS_POLICY,
    RECODING,
    SIMULATED_BELIEFS,
    SIMULATOR,
    TAILS,
)


class Reading(NamedTuple):
    """Another answer to the question of a convention; `about` names its subjects where it is not for all of them."""

    name: str
    meaning: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice(Valued):
    """One question that the papers leave open or settle, our choice with its source, and the other readings.

    `about` lists its subjects: what definitions compare (`definitions.compared_kinds`), and properties by name. A
    `Convention` (`definitions.registry`) is a choice that also names the definitions.
    """

    key: str
    question: str
    choice: str
    source: str
    about: tuple[str, ...]
    alternatives: tuple[Reading, ...] = ()
    named: str = ""
    """The name of the choice, where it may be asked for by name as the other readings are."""


_LAWS = (CONDITIONAL, AVERAGE, COUNTERFACTUAL)
_PAIRS = (*_LAWS, NEIGHBOURS)
_SIMULATED = (SIMULATOR, SIMULATED_BELIEFS)
_ALL = (*_PAIRS, POSTERIOR, DEPENDENCY)
_CHANGING = ("attdp", "avgklpr", "baydp-tf", "bitdp", "depdp", "iddp", "osdp", "randp", "wbdp", "zkpr", "czkpr")
"""Definitions of DP22 that change one record, or tell a simulator the others."""
_ANONYMITY = ("k-anonymity", "strongly-safe")
_DISTANCE = ("consdp", "ddpr", "dlpr-zlw", "edivdp", "psdp", "smdp")
_THETA_DISTANCE = ("eddnpr", "ednpr")
_OWN_ADVERSARIES = ("baydp-ll", "baydp-ysn", "cordp", "pridp")
_THETA_ALONE = ("ddnpr", "dnpr", "eddnpr", "ednpr", "pbdp", "pdnpr", "typst")
_LISTED_PAIRS = ("absdp", "gcdp-kl", "gcdp-km")
_MULTIPLES = ("ddpr", "eddnpr", "edivdp", "ednpr", "iddp", "outpr", "pardp", "perdp", "psdp", "smdp", "taidp")
_WITHOUT_EPSILON = ("absdp", "fdp", "gcdp-kl", "sfdp", "wfdp")
_STEPS = (
    "adp", "azcodp", "bcodp", "bldp", "cbdp", "divdp", "dp-any", "fdp", "gaussdp", "grdp", "indcdp", "individual-dp",
    "indpr", "kdivdp", "klpr", "mcodp", "pidp", "prodp", "rbpr", "reldp", "renyidp", "samdp", "sfdp", "simcdp", "subdp",
    "tcodp-bdrs", "tcodp-col", "wfdp", "zcodp",
)  # fmt: skip
"""Definitions of DP22 whose neighbours `[policy] neighbours` names."""
_ANY_SECRET = (
    *_LISTED_PAIRS, *_THETA_ALONE, "advpr", "cwpr", "dlpr-rot", "ibcwpr", "infpr", "mpr", "nmpr", "pfpr", "pmpr",
)  # fmt: skip
"""Definitions of DP22 that are decided where a function of the database is protected: they compare no records."""
CHOSEN_HERE = "no paper decides this, and pkdp chooses so because "
"""How the source of a convention begins that no paper decides, or a part of it."""

CHOICES: tuple[Choice, ...] = (
    Choice(
        "possible-values",
        "Which values a, b of a record are compared?",
        "those that the record can take (given B̂ for np, apkdp and cdp)",
        "DMKB20, Definitions 3 and 5: B̂ compatible with D(i) = a and D(i) = b",
        _LAWS,
        (Reading("all-values", "a possible given B̂, b any value of T", (COUNTERFACTUAL,)),),
    ),
    Choice(
        "impossible-knowledge",
        "What does a B̂ that is possible with a but not with b contribute?",
        "np, apkdp, cdp: it is not compared; ppkdp: it contributes 0",
        "DMKB20, Definition 3; DKM19, Definition 5, condition 1 (the loss is then 0)",
        _LAWS,
        (Reading("infinite-loss", "x/0 = ∞ (DMKB20, Definition 11): it contributes its whole weight", (AVERAGE,)),),
    ),
    Choice(
        "orders",
        "Is (a, b) compared in one order or in both?",
        "in both; for cdp and ibcdp both directions of each pair of distributions",
        "DMKB20, Definition 1 (two inequalities); Definitions 12 and 13 (all a, b)",
        _ALL,
        (
            Reading(
                "one-order",
                "only a before b in `values`. A protected function needs `values` in [sensitive] for it; cdp and ibcdp "
                "compare only M(D) against M(D with i set to b)",
            ),
        ),
    ),
    Choice(
        "impossible-outputs",
        "What is the loss of an output that only one side can produce?",
        "+∞ where only P can produce it: its whole mass counts towards δ, at every ε; -∞ where only Q can",
        "DMKB20, Definition 10; DKM19, Definition 4",
        (*_PAIRS, *OF_SIZES),
    ),
    Choice(
        "posteriors",
        "Which posteriors of D(i) does ibcdp compare?",
        "for every b of T and every t that, given B̂, both M(D) and M(D with i set to b) can produce; the event is a "
        "set of values of D(i)",
        "DMKB20, Definition 6 as printed: all b ∈ T, B̂ compatible with both outputs",
        (POSTERIOR,),
        (Reading("possible-values", "b possible given B̂, as in Definition 5", (POSTERIOR,)),),
    ),
    Choice(
        "tail",
        "What does the tail form count?",
        "the probability of the outputs whose loss is above ε, infinite losses included; exactly ε is not above",
        "DMKB20, section 3.4, the words on what APKDP bounds; `tail-` definitions compare what the others compare",
        (TAILS,),
    ),
    Choice(
        "infinite-epsilon",
        "What does ε = inf ask?",
        "only outputs that the other side cannot produce count",
        "the limit of δ(ε) as ε grows",
        (*_ALL, *OF_SIZES),
    ),
    Choice(
        "no-epsilon",
        "What is asked where no ε is given?",
        "whether the definition holds for some finite ε at the given δ",
        "a choice of this program",
        (*_ALL, *OF_SIZES, *_SIMULATED),
    ),
    Choice(
        "boundary",
        "Does a value exactly at the bound hold?",
        "yes: all inequalities are ≤",
        "DMKB20, Definitions 1, 12 and 13",
        (*_ALL, *OF_SIZES, *_SIMULATED),
    ),
    Choice(
        "attackers",
        "What if several knowledge functions ζ are given?",
        "each is one attacker: all pairs (θ, ζ), never two functions joined",
        "DKM19, Definitions 6 and 7: for all θ ∈ Θ and all ζ ∈ Z",
        (*_LAWS, "acceptable"),
    ),
    Choice(
        "random-knowledge",
        "What is B where ζ is random?",
        "drawn once from ζ(D) of the original database, apart from M's randomness; cdp does not draw it again",
        "DKM19, Definition 7 and the proof of Lemma 4",
        (*_LAWS, "acceptable"),
    ),
    Choice(
        "absent-records",
        "What is a record that has the value of `[policy] absent`?",
        "it is not there. It is not changed, and no record is changed to it. A simulator that is told the n - 1 other "
        "records imitates M on a database that holds the record. If θ is conditioned on D(i), absence is a value",
        "DP22, Definition 14 (to change a record is not to add or remove one) and Definition 41 (told D without i, a "
        "simulator knows n). DMKB20, Theorem 5 (D(i) = ⊥). models/FORMAT.md has every definition",
        (COUNTERFACTUAL, NEIGHBOURS, POSTERIOR, *_SIMULATED, *_CHANGING),
    ),
    Choice(
        "neighbours",
        "Which databases are neighbours?",
        "all of Tⁿ, one protected record replaced by any value, unless `[policy] neighbours` gives vectors of answers. "
        "The distribution plays no part. Of several sizes all multisets of one size that differ in one tuple",
        "DMKB20, Definition 2 with databases of fixed size. DP22, Definition 14 (to replace is neither to add nor to "
        "remove). `[sensitive] records` restricts the indices",
        (NEIGHBOURS,),
    ),
    Choice(
        "neighbours-where-nobody-is-missing",
        "What if `neighbours` is `any` or `add-remove`, and no record can be missing?",
        "unsupported: the file has one size and no `absent`",
        f"{CHOSEN_HERE}to compare only the changes would answer another question than the question of the file",
        _STEPS,
    ),
    Choice(
        "vectors-of-answers",
        "What do `every-entry-by-one`, `one-entry` and `one-direction` compare?",
        "different vectors of numbers whose entries differ by at most 1 each: any entries, one, or all that differ in "
        "one direction. An entry may stay, and no entry is absent. grdp and, of several entries, one-order are "
        "unsupported",
        "WDKZ20 (CheckDP): all answers differ by at most 1, or one does, or all in one direction; BSBV21 (DP-Sniper)",
        (NEIGHBOURS, *_STEPS),
    ),
    Choice(
        "groups",
        "Which groups add and remove records?",
        "grdp takes up to c steps between neighbours: if these only add and remove, a change is two steps. depdp "
        "changes records that are there. cldp and eldp compare databases that differ inside one block, and to be "
        "absent is a value there",
        f"DP22, section 4.1: c records differ, no more; {CHOSEN_HERE}the same people have one answer as a "
        "list with absence and as a multiset",
        ("cldp", "depdp", "eldp", "grdp"),
    ),
    Choice(
        "restricted-relations",
        "Which databases does `[sensitive] records` let a relation compare?",
        "two that agree on all other records, also where the file lists pairs; dlpr-rot draws the other records once, "
        "for both databases",
        f"{CHOSEN_HERE}an answer that is restricted to record i is then only about record i, as with randp",
        (*_LISTED_PAIRS, *_DISTANCE, "dlpr-rot", "flpr", "sidp", "induced-neighbours-dp"),
    ),
    Choice(
        "hamming-distance",
        "What is the distance `hamming`?",
        "the number of records that differ, where to be absent is a value; of multisets the fewest records to change, "
        "add or remove",
        f"{CHOSEN_HERE}that is the least distance between two lists of the same people",
        _DISTANCE,
    ),
    Choice(
        "directions",
        "Has a row of `distance` or `theta-distances`, or an edge of `graph`, a direction?",
        "no: it counts in both orders, and two distances for one pair are refused; `pairs` and `theta-pairs` are "
        "compared in both orders",
        "DP22, section 5.1: the original d_D is symmetric; only `sensitive` (osdp, asdp) has a direction here",
        (*_DISTANCE, *_THETA_DISTANCE, *_LISTED_PAIRS, "bfpr"),
    ),
    Choice(
        "multiple-0",
        "What does the multiple 0 of ε ask, and what at ε = inf?",
        "that the two laws are equal, at every ε: 0·∞ = 0",
        f"{CHOSEN_HERE}then what is asked at ε = inf is the limit of what is asked at growing ε",
        _MULTIPLES,
    ),
    Choice(
        "knowledge-of-the-file",
        "What does the attacker of `[knowledge]` know if a definition has its own adversaries, or none?",
        "nothing: an adversary (i, K) knows only the records of K, and each θ counts once, by its own name",
        "YSN15, as DP22 cites it after Definition 16 (an adversary is i and K); DP22, section 6.3 (M(θ₁) and M(θ₂))",
        (*_OWN_ADVERSARIES, *_THETA_ALONE),
    ),
    Choice(
        "databases-of-share-0",
        "Do databases count that π cannot draw?",
        "yes: D is any database, and π draws the one record that is drawn again",
        f"DP22, section 5.3 (TF20: all possible datasets); {CHOSEN_HERE}π is a law of that record, and D has none",
        ("baydp-tf", "wbdp"),
    ),
    Choice(
        "absent-in-prior",
        "May π give `absent` a probability?",
        "for dlpr-rot yes: both databases are drawn whole, and absence is a value. If one record is drawn again, "
        "which stays there, that is unsupported",
        f"{CHOSEN_HERE}a record that is drawn as absent would be removed, not replaced (DP22, Definition 14)",
        ("avgklpr", "baydp-tf", "dlpr-rot", "randp", "wbdp"),
    ),
    Choice(
        "impossible-beliefs",
        "What of an output O, or a value t, of probability 0?",
        "after an impossible O there is no belief, and it is not compared; a t that no database holds has the belief 0 "
        "before and after, which is within every bound",
        f"P[t ∈ D | M(D) = O] has no meaning for an impossible O. For t {CHOSEN_HERE}0 ≤ e^ε·0 holds as it is written",
        ("advpr", "mpr", "nmpr", "pmpr"),
    ),
    Choice(
        "entries-for-absent",
        "What do the entries for `absent` in `attributes` and `bits` say?",
        "nothing: every value needs an entry, and no record is changed from `absent` or to it",
        f"{CHOSEN_HERE}a table of values is then read alike with and without `absent`",
        ("attdp", "bitdp"),
    ),
    Choice(
        "protected-function",
        "Which definitions are decided where a function of the database is protected?",
        "those that compare no records: θ given two values of S, and the databases, distributions, predicates or "
        "functions of the file; the answers of the second kind are not restricted to S, which plays no part there",
        f"DMKB20 protects records; {CHOSEN_HERE}a record cannot be changed where none is singled out",
        (CONDITIONAL, AVERAGE, DEPENDENCY, *_ANY_SECRET, "acceptable"),
    ),
    Choice(
        "refusals",
        "Which answer comes first: a reason to refuse, or `vacuous`?",
        "every reason to refuse, a missing field among them, comes before `vacuous`; of several reasons the answer "
        "has one, and another may follow when you mend it",
        f"{CHOSEN_HERE}a model in which nothing can be compared would else hide what the file lacks",
        (READS_POLICY,),
    ),
    Choice(
        "numbers-without-epsilon",
        "Which number has a definition without ε where nothing is compared?",
        "none: its smallest ε and δ are null, as where it holds or fails",
        f"{CHOSEN_HERE}a condition has no smallest parameter",
        _WITHOUT_EPSILON,
    ),
    Choice(
        "multisets",
        "What is a database of `size = [from, to]`?",
        "a multiset of from to to tuples: equal tuples may appear, and their order plays no part",
        "LQS12, section 3.2: a tuple appears at least k times; D ∪ {t} adds one",
        (*OF_SIZES, *_ANONYMITY),
    ),
    Choice(
        "add-or-remove",
        "Which databases of several sizes are neighbours?",
        "D′ and D = D′ ∪ {t} for every t in T, in both orders, both of the model's sizes; dp replaces a tuple instead",
        "LQS12, Definitions 1 and 2 with section 2.2 (D and D ∪ {t})",
        OF_SIZES,
    ),
    Choice(
        "rate-above-delta",
        "Does (β, ε, δ)-DPS ask for β > δ?",
        "yes: where δ ≥ β the verdict is `fails` with that reason; β is the `sample` of the mechanism, 1 without one",
        "LQS12, Definition 3",
        (ADDED_TUPLE,),
        (Reading("any-delta", "only the inequality, for any δ"),),
    ),
    Choice(
        "chooser-unsampled",
        "On which databases is the choice of a recoding compared?",
        "on all that it meets: the databases of the model, and with `sample` every smaller one. The choice does not "
        "include the sample",
        "LQS12, Definitions 3.7 and 3.10 (only A_m), Definition 3 (A is applied to the sampled dataset)",
        (RECODING, "strongly-safe"),
    ),
    Choice(
        "one-recoding",
        "Is the choice of a recoding safe where there is one recoding?",
        "yes, at ε = 0: `apply` is a choice that is always the same; of databases of one size it is unsupported",
        f"LQS12, Definition 3.10, is about a choice; {CHOSEN_HERE}a constant choice is ε-DP for every ε",
        (RECODING,),
    ),
    Choice(
        "mapping-hidden",
        "Does the output of a k-anonymization have the recoding that was chosen?",
        "no: A(D, k) = Apply(A_m(D), D, k) is only the table; with `shows-mapping = true` the name comes before it",
        "LQS12, section 3.2: Apply returns S",
        (*OF_SIZES, *_ANONYMITY),
    ),
    Choice(
        "constant-choice",
        "When is a random choice of the recoding constant?",
        "when its output distribution is the same on all databases, also where it is random",
        "LQS12, Definition 3.7: the mapping does not depend on its input; Theorem 2.4 allows a random choice",
        ("strongly-safe",),
    ),
    Choice(
        "all-attributes",
        "Which attributes of a published tuple must agree k times?",
        "all: every tuple of every possible output appears at least k times; k is the mechanism's own, else 2",
        "LQS12, Definition 3.6 with all attributes as QIDs, as the whole of section 3 reads it",
        ("k-anonymity",),
    ),
    Choice(
        "vacuous",
        "What if nothing is compared?",
        "the verdict is `vacuous`, never `holds`. Both tightest values are 0, as of a supremum over nothing, so that a "
        "vacuous definition is satisfied, and implies nothing that compares something. (θ, i) with nothing are counted",
        "a choice of this program",
        (*_ALL, *OF_SIZES),
    ),
    Choice(
        "simulator-told",
        "What may the simulator know?",
        "the index i and the other records; one simulator for all θ and B̂, with separate coins",
        "DMKB20, Definition 4: “there is a simulator Sim such as for all θ, B̂, i, a”, Sim(D without i); that it "
        "is told i is a choice of this program, which DMKB20's simulators for Example 2 and for CDP need",
        _SIMULATED,
        (
            Reading(
                "index-free",
                "it is told the multiset of the other values: neither which record is missing nor an order",
                (SIMULATOR,),
            ),
            Reading(
                "per-distribution",
                "it may also depend on θ, a distribution of D and B (of several attackers: on the pair)",
                (SIMULATOR,),
            ),
            Reading("per-knowledge", "it is also told B̂", (SIMULATOR,)),
        ),
    ),
    Choice(
        "record-removed",
        "What is D without i, of which a simulator is told an aggregate?",
        "the multiset of the other records: neither i nor an order is told. M runs on the list of the file, and may "
        "read its order",
        "DP22, Definition 41 (Sim is told agg(D₋ᵢ), and not i) with databases as multisets (LQS12, section 3.2); the "
        "list of the others with its gap closed would depend on how the records are numbered",
        ("zkpr", "czkpr"),
        (
            Reading(
                "in-place",
                "all records D(j) but i, each in its place, with nothing in the place of i, so that agg may tell the "
                "place (DP22, section 2: a dataset is an indexed family)",
            ),
        ),
        named="multiset",
    ),
    Choice(
        "unanswered-outputs",
        "What holds for ibddp where Sim cannot give an output that M can, and at ε = inf?",
        "Sim fails there, since the belief after it is undefined; ε = inf asks for some finite ε",
        "DMKB20, remark in section 3.3, leaves both open; a simulator that answers nothing of M would always do",
        (SIMULATED_BELIEFS,),
    ),
    Choice(
        "simulator-laws",
        "Which output distributions must be alike?",
        "M(D) and Sim(D without i), both given θ, B̂ and D(i) = a, for each a possible given B̂, in both directions; "
        "one value a is enough",
        "DMKB20, Definition 4 with Definition 1",
        (SIMULATOR,),
    ),
    Choice(
        "simulator-limit",
        "What does ε = inf ask of a simulator, and what is the smallest δ there?",
        "that the outputs which only one side can produce have at most the probability δ, as for some finite ε; the "
        "smallest δ is the limit as ε grows, which no simulator need attain (then the answer has a note)",
        "a choice of this program",
        (SIMULATOR,),
    ),
    Choice(
        "one-notion",
        "Is np with δ the same as apkdp?",
        "yes: one notion under two names",
        "DMKB20, Definition 12 and the sentence after it",
        (CONDITIONAL,),
    ),
    Choice(
        "excluded-by-the-first-output",
        "What is the dependency where (B̂, O₁) excludes b?",
        "it is not compared and contributes 0",
        "DMKB20, Definition 17: B̂ compatible with D(i) = a and D(i) = b, here for (B̂, O₁); only so "
        "independent parts have no dependency (Proposition 9), and δ₁ of Theorem 6 counts that mass already",
        (DEPENDENCY,),
        (
            Reading("no-loss", "the first loss is 0 (DKM19, Definition 5, condition 1): Dep = -L(O₂, B̂)"),
            Reading("infinite-loss", "the first loss is ∞ (x/0 = ∞; DMKB20, Definition 11): the whole mass counts"),
        ),
    ),
    Choice(
        "infinite-minus-infinite",
        "What is the dependency where both losses are infinite?",
        "∞, so that the whole mass counts: ±∞ - x = ±∞ for all x",
        "DMKB20, Definition 17, as printed; then M₂ depends even on a constant M₁",
        (DEPENDENCY,),
        (Reading("equal-infinities", "0: the first output adds nothing to what the second reveals on its own"),),
    ),
    Choice(
        "dependency-of-which",
        "Which mechanism depends on which?",
        "the second on the first, in the order of `of`",
        "DMKB20, Definitions 17 and 18; the same both ways, but where a loss is infinite",
        (DEPENDENCY,),
        (Reading("both-ways", "also the first on the second"),),
    ),
    Choice(
        "excluded-values",
        "Which a must the bijection of Θ-reducibility respect, where a B̂ excludes some?",
        "a B̂ that excludes a has no bijection to one that does not",
        "DMKB20, Definition 14 asks for all a, whose probability is undefined; Theorem 2 needs the same a for all B̂",
        ("reducible",),
        (Reading("ignore-impossible", "only the a that are possible with both B₁ and B₂; Theorem 2 then fails"),),
    ),
    Choice(
        "bijection-and-theta",
        "May the bijection of Θ-reducibility depend on θ?",
        "yes: one for each θ",
        "DMKB20, the proof of Proposition 6 fixes θ; in Definition 14 the bijection has no index θ",
        ("reducible",),
        (Reading("one-bijection", "one for all θ"),),
    ),
    Choice(
        "outputs-of-a-bijection",
        "Which outputs must the bijection of Θ-reducibility map?",
        "all that some a can produce; the others are equally many on both sides, so that any map of them will do",
        "DMKB20, section 3.1: 𝒪 is the union of the supports; a larger countable 𝒪 gives the same answer",
        ("reducible",),
    ),
    Choice(
        "common-normalization",
        "When is a normalization common to θ₁ and θ₂?",
        "the same parameters and the same D of them; with B₁, and with B₂, it is an injective function of them",
        "DMKB20, Definition 9 with Definitions 7 and 8: it is an acceptable normalization of each",
        ("stronger",),
        (
            Reading(
                "joint",
                "only with B₁ it is injective: parameters may be told to the first attacker that D does not show",
            ),
        ),
    ),
    Choice(
        "one-normalization",
        "Is it the same normalization for all i?",
        "no: one for each i",
        "DMKB20, Definition 9: for all i there exists",
        ("stronger",),
        (Reading("one-for-all", "one for all i: φ₀ determines all protected values"),),
    ),
    Choice(
        "worlds",
        "What must a normalization generate injectively?",
        "the worlds (D, B, S) of positive probability; equal rows of a mixture are one world",
        "DMKB20, Definition 7; parameters have no values of probability 0",
        ("acceptable",),
    ),
    Choice(
        "indices",
        "At which records is acceptability asked for?",
        "at each sensitive record, one answer each (DMKB20, Definition 8 asks for all indices)",
        "a choice of this program; `[sensitive] records` restricts the indices",
        ("acceptable",),
    ),
)


@cache
def readings_about(subjects: tuple[str, ...]) -> dict[str, str]:
    """The readings besides `default`, name and meaning, of a definition that compares these subjects."""
    return {
        reading.name: reading.meaning
        for choice in CHOICES
        for reading in choice.alternatives
        if set(reading.about or choice.about) & set(subjects)
    }


def default_about(subjects: tuple[str, ...]) -> tuple[str, str]:
    """The name, which may be "", and the meaning of the `default` reading of a definition with these subjects."""
    named = (choice for choice in CHOICES if choice.named and set(choice.about) & set(subjects))
    choice = next(named, None)
    return ("", "as listed by `pkdp definitions --conventions`") if choice is None else (choice.named, choice.choice)
