"""The verdict, the tightest values and the evidence of an answer, re-checked from all that is compared.

Every engine of the replay derives what is compared in its own way, and ends here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import Any

from verifier.checker.definitions import DEFINITIONS, HOCKEY_STICK, TAIL
from verifier.checker.divergences import check_divergence
from verifier.checker.numbers import Compared, Exponential, Law, Line, Rejected, average, line_of, number, total_of
from verifier.checker.written import EVENT, agrees, delta, lacks, same, shown


def judge(certificate: dict[str, Any], compared: list[Compared], *, measure: str = "") -> None:
    """Re-check the verdict, the tightest values and the evidence of an answer, given all that is compared.

    `measure` is for definitions that the replay does not know by their names.

    Raises:
        Rejected: where one of them does not follow.

    """
    question, answer = certificate["question"], certificate["answer"]
    measure = measure or DEFINITIONS[question["definition"]].measure
    curve = measure in {HOCKEY_STICK, TAIL}
    if not compared:
        none = "0" if curve else None
        agrees(answer, verdict="vacuous", tight_epsilon="0", tight_delta=none, witness=None, tightest=None)
    elif curve:
        _Judge(question, answer, compared, tail=measure == TAIL).check()
    else:
        check_divergence(question, answer, compared, partial(_named, compared), measure)


class _Judge:
    """One answer against all that is compared; each line, and each ε, is made once."""

    def __init__(
        self, question: dict[str, Any], answer: dict[str, Any], compared: list[Compared], *, tail: bool
    ) -> None:
        self.asked_epsilon, self.answer, self.compared, self.tail = question["epsilon"], answer, compared, tail
        self.bound = number(question["delta"])
        self.exponential = cache(Exponential)
        self.lines: dict[tuple[int, str, bool], Line] = {}

    def check(self) -> None:
        """Accept silently or raise `Rejected`."""
        answer, asked_epsilon = self.answer, self.asked_epsilon
        self._tight_epsilon(answer["tight_epsilon"])
        if asked_epsilon is None:
            holds = answer["tight_epsilon"] != "inf"
            agrees(answer, tight_delta=None)
        else:
            same("tight_delta", answer["tight_delta"] is None, False)
            a, b = self._tight_delta(self.compared)
            holds = self.exponential(asked_epsilon).sign(a - self.bound, b) <= 0
        agrees(answer, verdict="holds" if holds else "fails")
        same("witness", answer["witness"] is None, holds)
        self._evidence(shown(answer, "comparison", holds=holds), holds=holds)

    def line(self, comparison: Compared, at: str, *, closed: bool = False) -> Line:
        """δ = A - B·E of a comparison at an ε."""
        key = id(comparison), at, closed
        if key not in self.lines:
            self.lines[key] = line_of(comparison, self.exponential(at), tail=self.tail, closed=closed)
        return self.lines[key]

    def _tight_epsilon(self, claimed: str) -> None:
        """δ(ε) ≤ bound for all, and for every smaller ε it is exceeded by one of them."""
        e = self.exponential(claimed)
        exceeded = any(self.line(comparison, claimed).sign(e, self.bound) > 0 for comparison in self.compared)
        if exceeded != (claimed == "inf"):
            raise Rejected(
                f"tight_epsilon: {claimed} is too small" if exceeded else "tight_epsilon: a finite ε is enough"
            )
        if claimed not in {"0", "inf"} and not any(
            self._needed(self.line(comparison, claimed, closed=True), e) for comparison in self.compared
        ):
            raise Rejected(f"tight_epsilon: a smaller ε than {claimed} is enough")

    def _needed(self, line: Line, e: Exponential) -> bool:
        """Whether the event of the losses of at least ε, with P and Q of this line, exceeds δ at every smaller ε."""
        sign = line.sign(e, self.bound)
        return sign > 0 if self.tail else line.b > 0 and sign == 0

    def _tight_delta(self, compared: list[Compared]) -> tuple[Fraction, Fraction]:
        """A and B of the claimed δ = A - B·e^ε, which is enough for all and needed for one."""
        claimed = self.answer["tight_delta"]
        e, (a, b, exponent) = self.exponential(self.asked_epsilon), delta(claimed)
        if exponent not in {"", self.asked_epsilon}:
            raise Rejected(f"tight_delta: {claimed} is no value at ε = {self.asked_epsilon}")
        signs = [self.line(comparison, self.asked_epsilon).sign(e, a, b) for comparison in compared]
        if 1 in signs:
            raise Rejected(f"tight_delta: {claimed} is too small")
        if 0 not in signs:
            raise Rejected(f"tight_delta: no comparison attains {claimed}")
        return a, b

    def _evidence(self, evidence: dict[str, Any], *, holds: bool) -> None:
        """Re-add the events of the comparison that the answer names, at the ε that the question or the answer fixes."""
        asked_epsilon, answer = self.asked_epsilon, self.answer
        at_tightest = holds and (asked_epsilon is None or answer["tight_delta"] == "0")
        at = answer["tight_epsilon"] if at_tightest else ("inf" if asked_epsilon is None else asked_epsilon)
        agrees(evidence, at_epsilon=at)
        comparison = _named(self.compared, evidence)
        e, reaches = self.exponential(at), at_tightest and at != "0"
        line = self._events(comparison, evidence, e, closed=reaches)
        if e.infinite and line.b != 0 and not self.tail:
            raise Rejected("at ε = inf the event must be impossible under the second law")
        if not holds and line.sign(e, self.bound) <= 0:
            raise Rejected("the event does not exceed δ")
        if line.sign(e, *self.line(comparison, at, closed=self.tail and reaches).ends) != 0:
            raise Rejected("the event is not the best of its comparison")
        if reaches and not self._needed(line, e):
            raise Rejected("the comparison does not need the tightest ε")
        if not at_tightest and asked_epsilon is not None:
            self._tight_delta([comparison])

    def _events(self, comparison: Compared, evidence: dict[str, Any], e: Exponential, *, closed: bool) -> Line:
        """P and Q of the events that the evidence lists, pair by pair."""
        pairs, terms, events = comparison.pairs, evidence["terms"], [evidence["event"]]
        if terms is not None:
            comparison.same_terms(terms)
            events = [t["event"] for t in terms]
        lines = []
        for (weight, _, p, second, _), event in zip(pairs, events, strict=True):
            q: Law = second or {}
            if len(set(event)) != len(event) or not set(event) <= {*p, *q}:
                raise Rejected("an event lists an output twice, or one that no law has")
            total, q_total = total_of(p), total_of(q) or total_of(p)
            mass_p, mass_q = (sum([law.get(o, 0) for o in event]) for law in (p, q))
            if terms is None:
                same("probability_a", number(evidence["probability_a"]), Fraction(mass_p, total))
                claimed = evidence["probability_b"]
                chance_b = None if second is None else Fraction(mass_q, q_total)
                same("probability_b", None if claimed is None else number(claimed), chance_b)
            x, y = (1, 1) if total == q_total else (q_total, total)
            if self.tail and q and any(e.sign(x * p.get(o, 0), y * q.get(o, 0)) < int(not closed) for o in event):
                raise Rejected("the event has an output whose loss is not above ε")
            lines.append((weight, Line(x * mass_p, y * mass_q, x * total)))
        return average(lines, tail=self.tail)


def _named(compared: list[Compared], evidence: dict[str, Any]) -> Compared:
    """The one comparison that the evidence names."""
    matching = [comparison for comparison in compared if _matches(comparison, evidence)]
    if len(matching) != 1:
        raise Rejected(f"the answer names {len(matching)} comparisons instead of one")
    _nothing_else(matching[0], evidence)
    return matching[0]


def _nothing_else(comparison: Compared, evidence: dict[str, Any]) -> None:
    """Reject evidence with a value in a field that does not apply to this comparison."""
    first = comparison.pairs[0]
    alone = evidence["terms"] is None
    apply = {
        "databases": alone and comparison.databases is not None,
        "knowledge": alone and comparison.databases is None,
        "direction": bool(first.direction),
        "output": alone and isinstance(first.knowledge, tuple),
        **dict.fromkeys(EVENT, alone),
    }
    lacks(evidence, *(key for key, applies in apply.items() if not applies))


def _matches(comparison: Compared, evidence: dict[str, Any]) -> bool:
    databases, first = comparison.databases, comparison.pairs[0]
    named = tuple(evidence[key] for key in ("distribution", "record", "a", "b"))
    if comparison[:4] != named or (databases is not None and [list(d) for d in databases] != evidence["databases"]):
        return False
    if first.direction != (evidence["direction"] or ""):
        return False
    alone = evidence["terms"] is not None or databases is not None
    heard = evidence["knowledge"] if evidence["output"] is None else (evidence["knowledge"], evidence["output"])
    return alone or bool(first.knowledge == heard)
