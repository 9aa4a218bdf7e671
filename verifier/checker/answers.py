"""Compare an answer of `pkdp check --json` with what the checker decides: verdict, smallest ε and δ, and the witness.

What is claimed is read from names and numbers; sentences (`direction`, `reason`, `note`) are for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from . import gains, own, p_tables, properties, scopes, simulators
from .comparisons import NOTHING, ONE, Asked, Comparison, Mixture, Name, Term, mixture, named, relation_of
from .definitions import ALIASES, DEFINITIONS, NOT_LISTED
from .judge import Decision, number_of
from .measures import at, belief_moves, without_some
from .models import Model
from .number_text import epsilon_of, require_number
from .numbers import (
    FIRST_BITS,
    INFINITY,
    ZERO,
    BeyondLimits,
    Enclosed,
    Line,
    Log,
    Measure,
    NoRow,
    NotRead,
    Number,
    Power,
    Rejected,
    Unchecked,
    Unsupported,
    Wrong,
    afford,
    covers,
    integers_in,
    label,
    long_numbers,
    rational,
)
from .orders import gap
from .polynomials import begin, spent
from .reading import MALFORMED
from .sums import SumNames

CURVES = ("hockey-stick", "tail", "left-out")
"""The measures that have a smallest δ."""
WITH_DELTA = (*CURVES, "concentrated-on-events")
"""The measures for which a δ may be asked."""
VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")


class Word(NamedTuple):
    """What the checker says of one answer: `confirmed`, `rejected` or `not checked`, and why.

    `beyond`: it is not checked since that would take more than the limits allow. `left`: what of a confirmed answer is
    not compared.
    """

    word: str
    why: str
    beyond: bool = False
    left: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Why, for people, with the limits and with what is not compared."""
        left = f" (not checked: {', '.join(self.left)})" if self.left else ""
        return f"{'beyond limits: ' if self.beyond else ''}{self.why}{left}"


def said(decide: Callable[[], Word]) -> Word:
    """The word on one answer; what is of another shape than an answer is a wrong file, never a refuted answer."""
    if spent[0]:
        begin()
    try:
        with long_numbers():
            return decide()
    except MALFORMED as error:
        raise Wrong(
            f"an answer lacks something, or has something of another kind: {type(error).__name__} {error}"
        ) from None
    except Rejected as error:
        return Word("rejected", str(error))
    except BeyondLimits as error:
        return Word("not checked", str(error), beyond=not isinstance(error, NotRead))
    except (Unchecked, Unsupported) as error:
        return Word("not checked", str(error))


def checked(answer: Mapping[str, Any], model: Model | None) -> Word:
    """The word on one answer; a search has no model file, or brings it, and a p-table is in its answer."""
    return said(lambda: decided(answer, model))


def decided(answer: Mapping[str, Any], model: Model | None) -> Word:
    """The same where what is raised says why an answer is not confirmed."""
    if answer.get("kind") == "p-table":
        return _confirmed(p_tables.verify(answer))
    if model is None:
        return _proved(answer, None)
    if "observer" in answer:
        model = model.observed_by(answer["observer"])
    if "gain" in answer:
        gains.verify(answer["gain"], Asked(model, records=_restricted(answer.get("restricted_to"), model)))
        if "definition" not in answer:
            return _confirmed("gain")
    if "property" in answer:
        return _confirmed(properties.verify(answer, model))
    if "acceptable" in answer:
        return _confirmed(properties.verify_acceptable(answer, model))
    return _checked(answer, model)


def _confirmed(why: str, *left: str) -> Word:
    return Word("confirmed", why, left=left)


def _proved(answer: Mapping[str, Any], asked: Asked | None) -> Word:
    """What the proof in an answer shows, where deciding again does not reach: scopes, laws of one's own, simulators."""
    if asked is None:
        return _confirmed(scopes.verify(answer))
    if "laws" in answer:
        return _confirmed(own.verify(answer, *parameters_of(answer)))
    if "proof" not in answer and answer["verdict"] != "unsupported":
        raise Unchecked(f"{answer['definition']}: {NOT_LISTED[answer['definition']]}")
    return _confirmed(simulators.verify(answer, asked, *parameters_of(answer)))


def parameters_of(answer: Mapping[str, Any]) -> tuple[Number | None, Fraction]:
    """ε and δ of the question."""
    epsilon = None if answer.get("epsilon") is None else epsilon_of(answer["epsilon"])
    delta = rational(answer.get("delta", "0"), "delta")
    if not 0 <= delta <= 1:
        raise Wrong(f"delta: {delta} is no probability")
    return epsilon, delta


def question_of(answer: Mapping[str, Any], model: Model) -> tuple[str, Asked, Number | None, Fraction]:
    """The definition, the reading, the protected records, ε and δ that an answer is about."""
    key = str(answer.get("definition"))
    key = ALIASES.get(key, key)
    if key in NOT_LISTED:
        raise Unchecked(f"{key}: {NOT_LISTED[key]}")
    if key not in DEFINITIONS:
        raise Unchecked(f"the definition {key} is none of the checker's")
    reading = answer.get("reading", "default")
    if reading != "default" and reading not in DEFINITIONS[key].readings:
        raise Unchecked(f"the reading {reading} of {key}")
    shown = [x for x in (answer.get("witness"), answer.get("tightest")) if x]
    laws = [law for x in shown for entry in (x, *(x.get("terms") or ())) for law in entry.get("laws") or ()]
    if any("output" in law or "leak" in law for law in laws):  # these are listed, with the outputs of their names
        model = model.kept_apart(integers_in([*shown]))
    return key, Asked(model, reading, _restricted(answer.get("restricted_to"), model)), *parameters_of(answer)


def _restricted(named: Any, model: Model) -> Sequence[int] | None:
    """The records to which an answer is restricted; they have to be protected in the file."""
    if named is None or named == "rows":
        return None
    records = model.home.indices(named, 0)
    if model.function or not set(records) <= set(model.records):
        raise Rejected(f"restricted_to names {records}, and the file protects {model.records}")
    return records


def _only(model: Model, name: str) -> Model:
    """The same model with one θ, or one pair (θ, ζ), which is named `θ / ζ`."""
    alone = copy(model)
    pairs = [theta for theta in model.thetas() if theta.name == name]
    if not pairs:
        raise Rejected(f"there is no distribution {name[:60]}")
    alone._thetas = pairs  # noqa: SLF001 - all that the file's worlds are listed in
    shapes = [(str(shape.get("name", f"#{n}")), shape) for n, shape in enumerate(model.raw["distribution"], 1)]
    kept = [{**shape, "name": at} for at, shape in shapes if name == at or name.startswith(f"{at} / ")]
    alone.raw = {**model.raw, "distribution": kept}  # #2 stays #2
    return alone


def _checked(answer: Mapping[str, Any], model: Model) -> Word:
    if "distribution" in answer:  # it is about this θ alone
        alone = {name: value for name, value in answer.items() if name != "distribution"}
        word = _checked(alone, _only(model, answer["distribution"]))
        return word._replace(why=f"{word.why}; of {answer['distribution'][:60]} alone")
    if "laws" in answer or "proof" in answer or answer.get("definition") in simulators.KEYS:
        asked = Asked(model, answer.get("reading", "default"), _restricted(answer.get("restricted_to"), model))
        if "laws" not in answer:  # of a definition of one's own the laws are all that is known
            _require_relation(answer, str(answer["definition"]), asked)
        return _proved(answer, asked)
    key, asked, epsilon, delta = question_of(answer, model)
    claimed = answer.get("verdict")
    if claimed not in VERDICTS:
        raise Wrong(f"the verdict {claimed!r}", expected=f"one of {', '.join(VERDICTS)}")
    if claimed == "undecided":
        raise Unchecked("the answer decides nothing")
    try:
        decision = _decision(key, asked, epsilon, delta)
    except Unsupported as error:
        if claimed == "unsupported":
            return _confirmed(f"{key} is unsupported: {error}")
        if isinstance(error, NoRow) and answer.get("rows") == "some":
            raise Unchecked(str(error)) from None
        raise Rejected(f"the answer says {claimed}, and {key} is unsupported: {error}") from None
    if claimed == "unsupported":
        raise Unchecked(f"the answer decides nothing; the checker finds: {decision.verdict}")
    verdict = decision.verdict
    if key == "dps" and verdict != "vacuous" and asked.reading == "default" and delta >= model.mechanism.rate:
        verdict = "fails"  # LQS12, Definition 3: β > δ
    if claimed != verdict:
        raise Rejected(f"the verdict is {verdict}, and the answer says {claimed}")
    left = [
        require_number(answer, "tight_epsilon", decision.tight_epsilon, key != "dps"),
        require_number(answer, "tight_delta", decision.tight_delta, key != "dps"),
    ]
    for name, fails in (("witness", True), ("tightest", False)):
        witness = answer.get(name)
        if fails and witness is None and decision.verdict == "fails":
            if answer.get("left_out") != "witness":
                raise Rejected("the answer fails without a witness")
            left.append("the witness, which is left out")
        if witness is not None:
            if fails != (decision.verdict == "fails"):
                raise Rejected(f"the answer has a {name}, and the verdict is {verdict}")
            Witness(decision, witness, fails).check()
            for entry in (witness, *(witness.get("terms") or ())):
                require_same_names(entry)
    _require_relation(answer, key, asked)
    return _confirmed(f"{key} {verdict}, smallest ε {decision.tight_epsilon}", *(x for x in left if x))


def _require_relation(answer: Mapping[str, Any], key: str, asked: Asked) -> None:
    """Refuse another relation between databases than the definition has on this model."""
    relation = relation_of(DEFINITIONS[key].listing, asked) if key in DEFINITIONS else None
    if "relation" in answer and answer["relation"] != relation:
        raise Rejected(f"the relation is {relation}, and the answer says {answer['relation']}")


def _decision(key: str, asked: Asked, epsilon: Number | None, delta: Fraction) -> Decision:
    if delta and DEFINITIONS[key].measure not in WITH_DELTA and key not in simulators.KEYS:
        raise Unsupported("it has no δ")
    return Decision(asked, DEFINITIONS[key], epsilon, delta)


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
        if terms and "weight" in terms[0]:
            return self._average()
        if self.measure == "semantic":
            return self._semantic()
        if not self.witness.get("laws"):
            raise Rejected("the witness names no laws")
        comparison, (p, q) = self.single(event)
        if self.fails and not self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names does not fail")
        if not self.fails and self.decision.epsilon is not None and self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names fails")
        if terms and "left_out" in terms[0]:
            return self._left_out(comparison, p, q)
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
                return c, self.laws_of(t)
        raise Rejected("the definition compares the two laws with another scale or event, or as part of an average")

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

    def _require_value(self, a: Fraction, b: Fraction, above: int) -> None:
        """Refuse a `value` that is another number than the δ of the events at the ε of the witness."""
        said = self.witness.get("value")
        if said is None or "…" in said or self.epsilon is None or self.measure not in ("hockey-stick", "tail"):
            return
        tail = self.measure == "tail"
        if above > 0 or not tail:  # of a tail the losses at ε itself are shown, and do not count
            require_number(self.witness, "value", number_of(Line(a, Fraction(0) if tail else b, Power(self.epsilon))))

    def _average(self) -> None:
        """Terms with weights: Σ weight·P - e^ε·Σ weight·Q > δ; of shares, each exceeds e^ε and all weigh too much."""
        a = b = weight = Fraction(0)
        if self.measure == "share" and self.witness.get("event") is not None:
            pair_ = self.laws_of(self.named(self.witness["laws"])[0][1])
            self._sums(self.witness, pair_, self.witness["event"])
        elif any(self.witness.get(name) is not None for name in ("event", "probability_a", "probability_b")):
            raise Rejected("the witness is an average, and has an event besides those of its terms")
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
                above = min(above, self._above(term["event"], one, other, power))
                p, q = self._sums(term, (one, other), term["event"])
                if share and self.fails and power.sign(p, q) <= 0:
                    raise Rejected("a term of the witness does not exceed e^ε")
                a, b = a + w * p, b + w * q
            weight += w
            if not share and any(
                not of_some(*two) for two in zip(self.witness.get("laws") or (), term["laws"], strict=False)
            ):
                raise Rejected("a term of the witness is of other laws than the whole")
        of_all = (
            c for c, terms in used.values() if len(terms) == len(self.terms) and self._weights_fit(c, terms, share)
        )
        chosen = next(of_all, None)
        if chosen is None:
            raise Rejected("the terms of the witness are not those of one comparison, with its weights")
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

    def _weights_fit(self, c: Comparison, used: Iterable[tuple[Term, Fraction]], share: bool) -> bool:
        """Whether no pair of laws weighs more than in the comparison; equal laws may stand together."""

        def two(term: Term) -> object:  # a share counts a pair of laws in its worse direction
            laws = id(self.decision.laws.of(term.p)), id(self.decision.laws.of(term.q))
            return frozenset(laws) if share else laws

        left: dict[object, Fraction] = {}
        for term in c.terms:
            left[two(term)] = left.get(two(term), Fraction(0)) + term.share
        for term, w in used:
            left[two(term)] -= w
        return all(x >= 0 for x in left.values())

    def _left_out(self, comparison: Comparison, p: Measure, q: Measure) -> None:
        most, power = self.model.rational("error"), Power(self._asked(ONE))
        for term in self.terms:
            gone, event = term["left_out"], term["event"]
            a, b = self._sums(term, (p, q), event)
            if set(gone) & set(event) or p.event(gone) > most:
                raise Rejected("the witness leaves out too much, or what it counts")
            if self.fails and not Line(a, b, power).exceeds(self.delta):
                raise Rejected("an event of the witness exceeds nothing")
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
        if one is not other or events[0] != events[1]:
            raise Rejected("the witness compares databases without two records, or two events")
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


NAMED = ("distribution", "record", "knowledge", "output")
"""The fields of a witness that each of its laws has in common with it, where the law has them."""


def require_same_names(entry: Mapping[str, Any]) -> None:
    """Refuse a witness, or a term of it, whose own fields name other laws than `laws` does."""
    laws, databases = entry.get("laws") or [], entry.get("databases") or []
    said = [(name, entry.get(name), law.get(name)) for name in NAMED for law in laws]
    for database, law in zip(databases, laws, strict=False):
        said += [("databases", [database], [row["database"] for row in law.get("databases") or ()] or None)]
    if databases and entry.get("record") is not None:
        said += [(name, entry.get(name), d[entry["record"]]) for name, d in zip("ab", databases, strict=False)]
    elif len(laws) == 2:
        set_to = [law["set_to"] for law in laws if law.get("set_to") is not None]
        values = laws[0].get("value"), *set_to, laws[1].get("value")
        said += [(name, entry.get(name), value) for name, value in zip("ab", values, strict=False)]
    for name, mine, of_laws in said:
        if mine is not None and of_laws is not None and label(mine) != label(of_laws):
            raise Rejected(f"the witness has the {name} {str(mine)[:60]}, and its laws have {str(of_laws)[:60]}")


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
