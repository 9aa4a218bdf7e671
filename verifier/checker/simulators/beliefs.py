"""The independent re-check of simulators that leave the same beliefs (DP22, Definition 43; DMKB20, section 3.3), δ = 0.

For all θ, all that is protected (a record, a pair of Γ), and all B̂ and Ô that M can produce with it, the beliefs
priv(D) | M(D) = Ô, B̂ and priv(D) | Sim = Ô, B̂ are within e^ε of each other. A *row* is one (θ, B̂, what is protected);
p_a is the first belief, R_a the probability of Sim = Ô and the value a, R their sum. So R > 0 (else there is no second
belief), p_a·R ≤ E·R_a and R_a ≤ E·p_a·R. Sim may answer what M never does: so each Ô stands alone, and s(Ô | ·) may be
scaled.

`evidence` has `enough`, an ε with the numbers s(Ô | c) for each Ô; and `needed`, an ε, an Ô and a row, with multipliers
of the inequalities that show R ≤ 0 there for every s. Where p_a = 0, no context of a may answer Ô. With the ε `inf`
it has no multipliers: then no context of some value a with p_a > 0 may answer Ô, so that R_a = 0 ≥ p_a·R at every ε.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Rejected, require, require_fields
from verifier.checker.laws import Tables, summed
from verifier.checker.numbers import ZERO, number, rational_power, wide_ends
from verifier.checker.shapes import ANSWER, EPSILON, RATIONAL, SCHEMES, TABLES, Either, Number, maybe
from verifier.checker.simulators.centres import coupled_rows
from verifier.checker.simulators.simulator import (
    CONTEXT,
    Context,
    ContextRow,
    Evidence,
    RowKey,
    above,
    context_of,
    rows_of_records,
)

TOLD = Either((str, CONTEXT))
BELIEVED = {
    "answer": {
        **ANSWER,
        "tight_epsilon": Either((Number(wide_ends), None)),
        "tight_delta": None,
        "witness": None,
        "tightest": None,
    },
    "evidence": {
        "enough": maybe({"at": EPSILON, "answers": [(str, [(TOLD, RATIONAL)])]}),
        "needed": maybe(
            {
                "at": EPSILON,
                "output": str,
                "row": (str, str, int),
                "multipliers": [(str, str, int, str, bool, RATIONAL)],
            }
        ),
    },
}
INFERRED_SHAPE = {**SCHEMES, **BELIEVED}
BELIEFS_SHAPE = {**TABLES, **BELIEVED}

INFERRED = "ibcwpr"
"""The key of the survey's definition with such a simulator."""
Key: TypeAlias = tuple[Any, ...]
"""θ, B̂, and what is protected."""


class Belief(NamedTuple):
    """One value a of a row, for one Ô: `chance` is p_a; `told`, by contexts c, P[the value is a, Sim is told c | B̂]."""

    chance: Fraction
    told: Mapping[Context, Fraction]


class Inferences:
    """The rows by (θ, B̂, what is protected), each with its values."""

    def __init__(self, rows: Mapping[RowKey, ContextRow]) -> None:
        self.rows: dict[Key, dict[Any, ContextRow]] = {}
        for (*key, value), row in rows.items():
            self.rows.setdefault(tuple(key), {})[value] = row
        self.outputs = list(dict.fromkeys(o for row in rows.values() for o in row.law))

    def beliefs(self, output: str) -> dict[Key, dict[Any, Belief]]:
        """The rows with which M can produce an output, and what is believed then."""
        beliefs: dict[Key, dict[Any, Belief]] = {}
        for key, values in self.rows.items():
            total = sum((row.law.get(output, ZERO) for row in values.values()), ZERO)
            if total:
                mass = sum((sum(row.contexts.values(), ZERO) for row in values.values()), ZERO)
                beliefs[key] = {
                    a: Belief(row.law.get(output, ZERO) / total, {c: p / mass for c, p in row.contexts.items()})
                    for a, row in values.items()
                }
        return beliefs

    def enough(self, entries: Any, E: Fraction) -> None:
        """Reject numbers s(Ô | c) that are not enough at E."""
        answers = {output: {context_of(c): number(s) for c, s in told} for output, told in entries}
        once = all(len(told) == len(answers[output]) for output, told in entries)
        require(once, "the simulator answers in one context twice")
        require(len(entries) == len(answers) and set(answers) == set(self.outputs), "not each output is answered once")
        for output, s in answers.items():
            for beliefs in self.beliefs(output).values():
                answered = {
                    a: sum((w * s.get(c, ZERO) for c, w in belief.told.items()), ZERO) for a, belief in beliefs.items()
                }
                total = sum(answered.values(), ZERO)
                require(total > 0, "the simulator never gives an output that the mechanism can produce")
                for a, belief in beliefs.items():
                    p, q = belief.chance * total, answered[a]
                    require(p <= E * q and q <= E * p, "the simulator is not enough")

    def excluded(self, beliefs: Mapping[Key, Mapping[Any, Belief]]) -> set[Context]:
        """The contexts that may not answer: those of a value that the output excludes."""
        return {
            c for values in beliefs.values() for b in values.values() if not b.chance for c, p in b.told.items() if p
        }

    def never(self, output: str, key: Key, multipliers: Any, E: Fraction) -> None:
        """Reject multipliers that do not show that no simulator at E answers in a row."""
        beliefs = self.beliefs(output)
        require(key in beliefs, "the mechanism cannot produce this output in this row")
        gain = _answered(beliefs[key])
        for theta, known, protected, a, forward, weight in multipliers:
            values = beliefs.get((theta, known, protected), {})
            if a not in values or not values[a].chance or type(forward) is not bool:
                raise Rejected("a multiplier is about an inequality that there is not")
            believed = {c: values[a].chance * w for c, w in _answered(values).items()}
            p, q = (believed, values[a].told) if forward else (values[a].told, believed)
            y = number(weight)
            taken = [*((c, y * x) for c, x in p.items()), *((c, -y * E * x) for c, x in q.items())]
            gain = summed([*gain.items(), *((c, -x) for c, x in taken)])
        excluded = self.excluded(beliefs)
        require(all(x <= 0 for c, x in gain.items() if c not in excluded), "the multipliers show nothing")

    def never_at_any(self, output: str, key: Key) -> None:
        """Reject a row in which each value that an output leaves possible has a context that may answer."""
        beliefs = self.beliefs(output)
        require(key in beliefs, "the mechanism cannot produce this output in this row")
        excluded = self.excluded(beliefs)
        values = [b for b in beliefs[key].values() if b.chance]
        none_answers = any(all(c in excluded for c, p in b.told.items() if p) for b in values)
        require(none_answers, "some simulator answers where the mechanism does, so that some ε is enough")


def _answered(values: Mapping[Any, Belief]) -> dict[Context, Fraction]:
    """R of a row: the weight of each context."""
    return summed(item for belief in values.values() for item in belief.told.items())


def check_inferred(certificate: Mapping[str, Any]) -> None:
    """Re-check an answer about IBCWPr (DP22, Definition 43): beliefs are about priv(D), and Sim is told agg(D)."""
    _check(certificate, coupled_rows(Tables(certificate)))


def check_posteriors(certificate: Mapping[str, Any], tables: Tables) -> None:
    """Re-check an answer about IBDDP (DMKB20, remark in section 3.3): beliefs about D(i); Sim is told the others."""
    _check(certificate, rows_of_records(tables, certificate["question"]["reading"]))


def _check(certificate: Mapping[str, Any], rows: Mapping[RowKey, ContextRow]) -> None:
    """Accept silently or raise `Rejected`: the verdict and the ends of the smallest ε follow, at δ = 0 alone."""
    question, answer, evidence = certificate["question"], certificate["answer"], Evidence(certificate["evidence"])
    if not rows:
        require_fields(
            answer, verdict="vacuous", tight_epsilon="0", tight_delta="0", comparisons=0, multiplicity=0, empty=0
        )
        require_fields(answer, witness=None, tightest=None)
        evidence.nothing_else()
        return
    require_fields(question, "question", delta="0")
    require_fields(answer, comparisons=0, multiplicity=0, empty=0, tight_delta=None, witness=None, tightest=None)
    inferences, claimed, asked = Inferences(rows), answer["tight_epsilon"], question["epsilon"]
    enough, needed = evidence["enough"], evidence["needed"]
    if claimed == "inf":
        require(needed is not None, "tight_epsilon: it is not shown that no ε is enough")
        require_fields(needed, "evidence", at="inf", multipliers=[])
        require_fields(evidence, "evidence", enough=None)
        inferences.never_at_any(needed["output"], tuple(needed["row"]))
        require_fields(answer, verdict="fails")
        evidence.nothing_else()
        return
    low, high = (None, None) if claimed is None else wide_ends(claimed)
    if enough is not None:
        inferences.enough(enough["answers"], rational_power(enough["at"]))
    if needed is not None:
        inferences.never(needed["output"], tuple(needed["row"]), needed["multipliers"], rational_power(needed["at"]))
    if low is not None:
        require(
            enough is not None and not above(enough["at"], str(high)), "tight_epsilon: it is not shown to be enough"
        )
        shown = not low or (needed is not None and not above(str(low), needed["at"]))
        require(shown, "tight_epsilon: a smaller ε may be enough")
    if answer["verdict"] == "holds":
        valid = asked in {None, "inf"} or not above(enough["at"], asked)
        require(enough is not None and valid, "verdict: the simulator is not enough at ε")
    else:
        require_fields(answer, verdict="fails")
        valid = asked not in {None, "inf"} and needed is not None and not above(asked, needed["at"])
        require(valid, "verdict: some simulator may be enough at ε")
    evidence.nothing_else()
