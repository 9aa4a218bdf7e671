"""The witness of an answer: what it says of its comparison, laws and events, compared with what the checker finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from .comparisons import (
    NOTHING,
    ONE,
    Asked,
    Comparison,
    Mixture,
    Name,
    Term,
    mixture,
    named,
    point,
)
from .judge import Decision, number_of
from .measures import at, belief_moves, without_some
from .models import Model
from .number_text import epsilon_of, require_number
from .numbers import (
    FIRST_BITS,
    INFINITY,
    ZERO,
    Enclosed,
    Line,
    Log,
    Measure,
    Number,
    Power,
    Rejected,
    afford,
    covers,
    integers_in,
    label,
    rational,
)
from .orders import gap
from .sums import SumNames


class Witness:
    """The attack of a failure, or the closest comparison of what holds: its laws and events, added up again."""

    def __init__(self, decision: Decision, witness: Mapping[str, Any], fails: bool) -> None:
        self.decision, self.witness, self.fails = decision, with_labels(witness), fails
        self.model = decision.asked.model
        self.measure, self.delta = decision.measure, decision.delta
        epsilon = witness.get("at_epsilon")
        self.epsilon: Number | None = None if epsilon is None else epsilon_of(epsilon)
        named_ = (o for entry in (self.witness, *self.terms) for name in OUTPUTS for o in entry.get(name) or ())
        self.outputs = set(named_)
        if decision.summed:
            self._keep_apart(decision)
        asked = self._asked(rational(witness.get("scale") or "1"))
        if fails and decision.is_curve and self.epsilon is not None and not self.epsilon == asked:
            raise Rejected(f"the witness is at ε = {epsilon}, and the question at {asked}")

    def _keep_apart(self, decision: Decision) -> None:
        """Decide again where outputs of a sum are named that lie in the tails of its noise."""
        low, high = self.model.mechanism.span()
        apart = self.model.kept_apart(n for n in integers_in(sorted(self.outputs)) if not low <= n <= high)
        if apart is not self.model:
            asked = Asked(apart, decision.asked.reading, decision.asked.protected)
            self.decision = Decision(asked, decision.definition, decision.epsilon, decision.delta)
            self.model = apart

    @property
    def terms(self) -> Sequence[Mapping[str, Any]]:
        """The terms of an average, a divergence, or a choice."""
        return self.witness.get("terms") or []

    def check(self) -> None:
        """Raise Rejected where it does not show what it says."""
        terms, event = self.terms, self.witness.get("event")
        measure = self.witness.get("measure")
        if measure is not None and measure not in self.decision.measured:
            raise Rejected(f"the measure is {self.decision.measured[0]}, and the witness says {measure}")
        if terms and "weight" in terms[0]:
            return self._average()
        if self.witness.get("share") is not None and self.measure != "share":
            raise Rejected("the witness has a share, and none may be left out")
        if self.measure == "semantic":
            return self._semantic()
        if not self.witness.get("laws"):
            raise Rejected("the witness names no laws")
        comparison, (p, q) = self.single(event)
        self._require_need(comparison)
        if self.fails and not self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names does not fail")
        if not self.fails and self.decision.epsilon is not None and self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names fails")
        if terms and "left_out" in terms[0]:
            return self._left_out(comparison, p, q)
        if event is None and any(self.witness.get(name) is not None for name in ("probability_a", "probability_b")):
            raise Rejected("the witness has a probability, and no event")
        for term in terms:
            self._sums(term, (p, q), term["output"])
        if not {self.measure, self.decision.policy.get("divergence")} & {"spread", "semantic"}:  # two, maybe the same
            self._each_once([o for term in terms for o in term["output"]], (p, q))
        if event is not None:
            self._event(comparison, p, q)
        return None

    # the laws

    def named(self, laws: Sequence[Mapping[str, Any]]) -> list[tuple[Comparison, Term]]:
        """The comparisons of the definition with the term that has these two laws, by their names."""
        found = self.compared.get(self._names(laws))
        if not found:
            raise Rejected(f"the definition does not compare the two laws that the witness names: {str(laws)[:300]}")
        return found

    @cached_property
    def compared(self) -> dict[object, list[tuple[Comparison, Term]]]:
        """The comparisons that the witness names, by the names of their laws."""
        average = bool(self.terms) and "weight" in self.terms[0]
        entries = [*self.terms] if average and self.measure != "share" else [self.witness, *self.terms]
        return self.decision.with_names({self._names(entry["laws"]) for entry in entries if entry.get("laws")})

    def _names(self, laws: Sequence[Mapping[str, Any]]) -> tuple[object, object]:
        if len(laws) != 2:
            raise Rejected("the witness does not name two laws")
        if self.decision.summed:
            return self.sums.of(laws)
        return name_of(laws[0], self.model), name_of(laws[1], self.model)

    @cached_property
    def sums(self) -> SumNames:
        """The names of the laws of many people."""
        return SumNames(self.decision.asked)

    def single(self, event: Any) -> tuple[Comparison, list[Measure]]:
        """The comparison of one term that has the two laws of the witness, its scale and its event; and the laws."""
        scale = rational(self.witness.get("scale") or "1")
        only = event[0] if event and len(event) == 1 else None
        for c, t in self.named(self.witness["laws"]):
            if c.scale == scale and len(c.terms) == 1 and (not event or c.only in (None, only)):
                self._databases(t)
                return c, self.laws_of(t)
        raise Rejected("the definition compares the two laws with another scale or event, or as part of an average")

    def _databases(self, term: Term) -> None:
        """Refuse databases that are not those on which the mechanism runs, where its laws are named otherwise."""
        if any("databases" in law for law in self.witness["laws"]):
            return
        for said, side in zip(self.witness.get("databases") or (), (term.p, term.q), strict=False):
            if isinstance(side, Measure) or side != point(self.model.database(said)):
                raise Rejected(f"the witness has the database {str(said)[:60]}, and a law is of others")

    def laws_of(self, term: Term) -> list[Measure]:
        """The two laws of a term, with every output by its own name, and those that the witness adds up kept apart."""
        laws = [side if isinstance(side, Measure) else self.model.law(dict(side)) for side in (term.p, term.q)]
        if not all(any(o in law.counts for law in laws) for o in self.outputs):
            apart = self.model.kept_apart(integers_in(sorted(self.outputs)))
            if apart is not self.model:
                self.model = apart
                return self.laws_of(term)
        return laws

    # what is added up

    def _sums(
        self, claim: Mapping[str, Any], laws: Sequence[Measure], outputs: Sequence[str], among: Sequence[Measure] = ()
    ) -> list[Fraction]:
        """P and Q of outputs and half-lines, which are those that are claimed: none where there is no law.

        Each output is one of these laws, or of those `among` which it is chosen.
        """
        found = []
        for name, law in zip(("probability_a", "probability_b"), laws, strict=True):
            found.append(law.event(outputs))
            said = claim.get(name)
            if (said is not None) if law is NOTHING else (rational(said, name) != found[-1]):
                raise Rejected(f"{name} is {found[-1]}, and the witness says {said}")
        self._each_once(outputs, among or laws)
        return found

    def _each_once(self, outputs: Sequence[str], laws: Sequence[Measure]) -> None:
        """Refuse an output that is named twice, or that neither law has."""
        if len(set(outputs)) != len(outputs):
            raise Rejected(f"the witness names an output twice: {str(outputs)[:300]}")
        known = {o for law in laws for o in law.counts}
        lines = [e for e in outputs if e not in known]
        afford(len(lines) * len(known), "the outputs in half-lines")
        if odd := [e for e in lines if not any(covers(e, o) for o in known)]:
            raise Rejected(f"the witness names an output that none of its laws has: {odd[0][:300]}")

    def _asked(self, scale: Fraction | None) -> Number:
        """The asked ε times a multiple; ∞ where none is asked."""
        epsilon = self.decision.epsilon if self.decision.epsilon is not None else INFINITY
        if scale == 0:
            return ZERO
        return epsilon.times(scale or 1)

    def _event(self, comparison: Comparison, p: Measure, q: Measure) -> None:
        event = self.witness["event"]
        a, b = self._sums(self.witness, (p, q), event)
        power = Power(self._asked(comparison.scale))
        above = self._above(event, p, q, power)
        if not self.fails:
            self._closest(a, b, comparison, above)
            shown = True
        elif self.measure == "hockey-stick":
            shown = Line(a, b, power).exceeds(self.delta)
        elif self.measure == "tail":
            shown = a > self.delta and above > 0
        elif self.measure == "ratio":
            shown = power.sign(a, b) > 0
        elif self.measure == "gaussian":
            need = gap(a, b)  # what is infinite fails at every ε, ∞ too
            shown = need.infinite or (self.decision.epsilon is not None and need > self.decision.epsilon)
        elif self.measure == "tradeoff":
            shown = 1 - b < at(self.decision.vertices(), a)
        elif self.measure == "predicate":
            rows = [[rational(x) for x in row] for row in self.decision.policy["predicate"]]
            shown = any(x * a + y * b > z for x, y, z in rows)
        elif b == 0:  # a divergence that is infinite
            shown = a > 0
        else:
            shown = self.decision.fails(comparison)
        if not shown:
            raise Rejected(f"the event has the probabilities {a} and {b}, which exceed nothing")
        self._require_value(a, b, above)

    def _above(self, event: Sequence[str], p: Measure, q: Measure, power: Power) -> int:
        """Of a tail the smallest sign of a loss - ε that is counted: 1 where each is above ε, 0 where none is below."""
        if self.measure != "tail":
            return 1
        counted = ((x, q.of(o)) for o, x in p.chances().items() if any(covers(e, o) for e in event))
        return min((power.sign(x, y) for x, y in counted), default=1)

    def _closest(self, a: Fraction, b: Fraction, c: Comparison, above: int = 1) -> None:
        """What is closest has the smallest δ at the asked ε, or it is about the smallest ε, and needs it."""
        delta, tight, power = self.decision.tight_delta, self.decision.tight_epsilon, self.decision.power(c)
        needs = self.measure == "tail" and self.epsilon == tight and a > self.delta and above >= 0  # no smaller ε
        if delta is not None and delta > ZERO and self.epsilon == power.epsilon and not needs:
            line = Line(a, Fraction(0) if self.measure == "tail" else b, power)
            same = (
                not line.minus(delta.line) if isinstance(delta, Enclosed) and delta.line else number_of(line) == delta
            )
            if above <= 0 or not same:
                raise Rejected(f"what is closest has the δ {number_of(line)}, and the smallest δ is {delta}")
        elif self.measure == "tail":
            if a <= self.delta and self.epsilon is not None and self.epsilon > ZERO:
                raise Rejected(f"what is closest has the probability {a} at the smallest ε, {tight}")
        elif self.measure == "gaussian":
            if tight is not None and gap(a, b).bounds(FIRST_BITS)[1] < tight.bounds(FIRST_BITS)[0]:
                raise Rejected(f"what is closest needs {gap(a, b)}, and the smallest ε is {tight}")
        elif self.measure in ("hockey-stick", "ratio") and isinstance(tight, Log) and c.scale != 0:
            need = tight.times(c.scale or 1)
            named = tight if self.measure == "ratio" else need
            if not self.epsilon == named or (tight > ZERO and Power(need).sign(a - self.delta, b)):
                raise Rejected(f"what is closest does not need the smallest ε, {need}")

    def _require_value(
        self, a: Fraction, b: Fraction, above: int, entry: Mapping[str, Any] | None = None, name: str = "value"
    ) -> None:
        """Refuse a number of the witness, or of a term, that is not the δ of its events at the ε of the witness."""
        entry = self.witness if entry is None else entry
        said = entry.get(name)
        if said is None or "…" in said or self.epsilon is None or not self.decision.is_curve:
            return
        tail = self.measure == "tail"
        if above > 0 or not tail:  # of a tail the losses at ε itself are shown, and do not count
            require_number(entry, name, number_of(Line(a, Fraction(0) if tail else b, Power(self.epsilon))))

    def _require_need(
        self, comparison: Comparison, entry: Mapping[str, Any] | None = None, name: str = "value"
    ) -> None:
        """Refuse a number of the witness, or of a term, that is not the ε which a comparison needs."""
        entry = self.witness if entry is None else entry
        said = entry.get(name)
        if said is None or "…" in said or not self.decision.has_epsilon or self.decision.is_curve:
            return
        require_number(entry, name, self.decision.need(comparison))
        place = entry.get("at_epsilon")  # what is enclosed is at no ε of its own
        if place is not None and place != ("0" if said.startswith("[") else said):
            raise Rejected(f"the witness is at ε = {place}, and its value is {said}")

    def _average(self) -> None:
        """Terms with weights: Σ weight·P - e^ε·Σ weight·Q > δ; of shares, each exceeds e^ε and all weigh too much."""
        self._besides_terms()
        a = b = weight = Fraction(0)
        share, above, power = self.measure == "share", 1, Power(self._asked(ONE))
        used: dict[int, tuple[Comparison, list[tuple[Term, Fraction]]]] = {}
        for n, term in enumerate(self.terms):
            w, found = rational(term["weight"], "weight"), self.named(term["laws"])
            if w < 0:
                raise Rejected(f"a term of the witness has the weight {w}")
            for c, t in found:
                used.setdefault(id(c), (c, []))
                if len(used[id(c)][1]) == n:
                    used[id(c)][1].append((t, w))
            if term.get("event") is not None and term.get("probability_a") is not None:
                one, other = self.laws_of(found[0][1])
                above_here = self._above(term["event"], one, other, power)
                p, q = self._sums(term, (one, other), term["event"])
                self._require_value(p, q, above_here, term, "delta")
                above = min(above, above_here)
                if share and self.fails and power.sign(p, q) <= 0:
                    raise Rejected("a term of the witness does not exceed e^ε")
                a, b = a + w * p, b + w * q
            if self.measure == "mean-kl":
                self._of_a_mean(term, found[0][1])
            weight += w
            if not share and any(
                not of_some(*two) for two in zip(self.witness.get("laws") or (), term["laws"], strict=False)
            ):
                raise Rejected("a term of the witness is of other laws than the whole")
        chosen = self._averaged(used.values(), weight)
        self._require_need(chosen)
        if not self.fails:
            self._closest(a, b, chosen, above)
        elif self.measure == "mean-kl":
            if not self.decision.fails(chosen):
                raise Rejected("the comparison that the witness names does not fail")
        elif share:
            if weight <= rational(self.decision.policy["gamma"]):
                raise Rejected(f"the terms of the witness have the share {weight}, which may be left out")
        elif above <= 0 or not Line(a, Fraction(0) if self.measure == "tail" else b, power).exceeds(self.delta):
            raise Rejected(f"the terms of the witness add up to {a} and {b}, which exceed nothing")
        self._require_value(a, b, above)

    def _require_scale(self, comparison: Comparison) -> None:
        scale = self.witness.get("scale")
        if scale is not None and rational(scale) != comparison.scale:
            raise Rejected(f"the multiple of ε is {comparison.scale}, and the witness says {scale}")

    def _besides_terms(self) -> None:
        """What an average says besides its terms: of shares one pair of laws, with its event and its share."""
        share = self.witness.get("share")
        if self.measure == "share" and self.witness.get("event") is not None:
            shown = self.named(self.witness["laws"])
            self._sums(self.witness, self.laws_of(shown[0][1]), self.witness["event"])
            if share is not None and rational(share) not in {t.share for _, t in shown}:
                raise Rejected(f"the two laws of the witness have no share {share}")
        elif any(self.witness.get(name) is not None for name in ("event", "probability_a", "probability_b", "share")):
            raise Rejected("the witness is an average, and has an event or a share besides those of its terms")

    def _averaged(
        self, used: Iterable[tuple[Comparison, Sequence[tuple[Term, Fraction]]]], weight: Fraction
    ) -> Comparison:
        """The comparison of which all terms are, with its multiple of ε and weights that it allows."""
        share = self.measure == "share"
        fitting = (c for c, terms in used if len(terms) == len(self.terms) and self._weights_fit(c, terms, share))
        chosen = next(fitting, None)
        if chosen is None:
            raise Rejected("the terms of the witness are not those of one comparison, with its weights")
        self._require_scale(chosen)
        if not share and (not self.fails or self.measure == "mean-kl") and weight != sum(t.share for t in chosen.terms):
            raise Rejected(f"the terms of the witness weigh {weight} together")
        return chosen

    def _of_a_mean(self, claim: Mapping[str, Any], term: Term) -> None:
        """Refuse another divergence of one pair of laws, or other outputs."""
        self._require_need(Comparison((term._replace(share=ONE),)), claim, "divergence")
        laws = self.laws_of(term)
        for each in claim.get("outputs") or ():
            self._sums(each, laws, [label(each["output"])])

    def _weights_fit(self, c: Comparison, used: Iterable[tuple[Term, Fraction]], share: bool) -> bool:
        """Whether each pair of laws that is used weighs what it does in the comparison; equal ones may be one term.

        Where a share may be left out, not all that exceed e^ε have to be there.
        """

        def two(term: Term) -> object:  # a share counts a pair of laws in its worse direction
            laws = id(self.decision.laws.of(term.p)), id(self.decision.laws.of(term.q))
            return frozenset(laws) if share else laws

        left: dict[object, Fraction] = {}
        for term in c.terms:
            left[two(term)] = left.get(two(term), Fraction(0)) + term.share
        for term, w in used:
            left[two(term)] -= w
        return all(left[two(term)] >= 0 if share else left[two(term)] == 0 for term, _ in used)

    def _left_out(self, comparison: Comparison, p: Measure, q: Measure) -> None:
        most, power = self.model.rational("error"), Power(self._asked(ONE))
        for term in self.terms:
            gone, event = term["left_out"], term["event"]
            a, b = self._sums(term, (p, q), event)
            if set(gone) & set(event) or p.event(gone) > most:
                raise Rejected("the witness leaves out too much, or what it counts")
            if self.fails and not Line(a, b, power).exceeds(self.delta):
                raise Rejected("an event of the witness exceeds nothing")
        a, b = self._sums(self.witness, (p, q), self.witness["event"])
        self._require_value(a, b, 1)
        (resolved,) = self.decision.laws.resolve(comparison)
        choices = {frozenset(p.counts.keys() - kept.p.counts) for kept in without_some(resolved, most)}
        if self.fails and not choices <= {frozenset(term["left_out"]) for term in self.terms}:
            raise Rejected("the witness has not every largest choice of what may be left out")

    def _semantic(self) -> None:
        """Two databases D with M(D) and M(D without i): the ratios of the event differ by R."""
        if len(self.terms) != 2:
            raise Rejected("the witness does not name two databases")
        (one, first), (other, second) = (self.named(term["laws"])[0] for term in self.terms)
        events = [term.get("event") or self.witness["event"] for term in self.terms]
        if one is not other or any(event != events[0] for event in (events[1], self.witness.get("event") or events[0])):
            raise Rejected("the witness compares databases without two records, or two events")
        if any(self.witness.get(name) is not None for name in ("probability_a", "probability_b", "databases")):
            raise Rejected("the witness has probabilities or databases besides those of its terms")
        self._require_scale(one)
        self._require_need(one)
        pairs = self.laws_of(first), self.laws_of(second)
        sums = [
            self._sums(term, laws, events[0], [*pairs[0], *pairs[1]])
            for term, laws in zip(self.terms, pairs, strict=True)
        ]
        (p, q), (other_p, other_q) = sums
        below = other_p * q
        moved = belief_moves(p * other_q / below if below else None)
        if self.fails and self.decision.epsilon is not None and not moved > self.decision.epsilon:
            raise Rejected(f"the belief moves by {moved}, which is within ε")


OUTPUTS = ("event", "left_out", "output")
"""The fields of a witness and of its terms with outputs that are added up."""


def with_labels(witness: Mapping[str, Any]) -> Mapping[str, Any]:
    """A witness with the outputs of its fields, and of its terms, as lists of labels."""
    out = dict(witness)
    for name in OUTPUTS:
        if out.get(name) is not None:
            out[name] = list(map(label, out[name] if name != "output" else [out[name]]))
    return {**out, "terms": list(map(with_labels, out["terms"]))} if out.get("terms") else out


def of_some(whole: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    """Whether a law of an average names nothing that one of its terms says otherwise."""
    return all(x is None or name not in part or label(x) == label(part[name]) for name, x in whole.items())


FLAGS = ("present", "image")
"""The fields of a law that say yes or no; in all others `false` is a label."""


def name_of(spec: Mapping[str, Any], model: Model) -> Name | Mixture:
    """The name of a law that a witness writes: of databases alone they themselves."""
    fields = {field: x for field, x in spec.items() if x is not None and not (field in FLAGS and x is False)}
    if "databases" in fields:
        fields["databases"] = drawn(spec, model)
    if "given" in fields:
        fields["given"] = sorted([row["record"], row["value"]] for row in fields["given"])
    return fields["databases"] if fields.keys() == {"databases"} else named(**fields)


def drawn(spec: Mapping[str, Any], model: Model) -> Mixture:
    """The databases that a witness writes, with their probabilities."""
    rows = [(model.database(row["database"]), rational(row["probability"])) for row in spec["databases"]]
    if len(dict(rows)) != len(rows):
        raise Rejected("the witness lists a database twice")
    return mixture(dict(rows))
