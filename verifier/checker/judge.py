"""Decide a question again: the smallest ε and δ of all comparisons, and the verdict.

The hockey-stick and the tail have a δ at each ε (`laws.line`), and need the least ε whose δ is small enough. Others are
one function of a comparison each (`measures.MEASURES`).
"""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

from .comparisons import ONE, Asked, Comparison, Term
from .definitions import Definition
from .laws import Grouped, Laws, Resolved, least_growth, line
from .measures import MEASURES, OVER_ORDERS, below_tradeoff, breaks_predicate, without_some
from .mechanisms import NO_ANSWER
from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Enclosed,
    Line,
    Log,
    Measure,
    Number,
    Power,
    Unsupported,
    afford,
    largest,
    ln,
    rational,
)
from .orders import largest_of
from .sums import SUMS

MOST_LISTED = 1 << 10
"""The most databases that are listed where sums would do."""

MEASURED = {
    "concentrated-on-events": "concentrated",
    "concentrated-to-omega-without-xi": "concentrated-to-omega",
    "left-out": "hockey-stick",
    "mean-kl": "kl",
    "renyi": "renyi-{order}",
    "root": "root-abs-{order}",
    "share": "ratio",
    "tests": "restricted",
    "divergence": "{divergence}",
}
"""What a witness calls a measure, where that is another word; a field of [policy] in braces."""


class Decision:
    """What the checker finds: verdict, smallest ε at δ, smallest δ at ε (None: there is none), and the comparisons."""

    def __init__(self, asked: Asked, definition: Definition, epsilon: Number | None, delta: Fraction) -> None:
        self.asked, self.definition, self.epsilon, self.delta = asked, definition, epsilon, delta
        self.measure = definition.measure
        self.policy = {name: asked.model.field(name) for name in definition.fields}
        self._refuse()
        self.summed = False
        self.comparisons = [c for c in self._listed() if c.scale is not None]
        afford(sum(len(c.terms) for c in self.comparisons), "the comparisons")
        self.laws = Laws(asked, self.comparisons, definition.plain)
        self.cases = self.laws.distinct(self.comparisons, self.measure not in ("tests", "left-out", "semantic"))
        self.powers: dict[Fraction | None, Power] = {}
        self.needs: dict[object, tuple[list[Resolved], Number]] = {}
        self.tight_epsilon: Number | None = None
        self.tight_delta: Number | None = None
        self.verdict = self._decide()

    def _refuse(self) -> None:
        """A measure that cannot be taken is a reason to refuse, also where nothing is compared."""
        if self.policy and self.measure in MEASURES:
            one = Measure({NO_ANSWER: 1}, 1)
            MEASURES[self.measure](
                self.asked.policy, self.delta, [Resolved(ONE, one, one, Grouped(((ONE, 1, 1),), 1, 1))]
            )
        if self.measure in ("left-out", "semantic"):
            laws = self.asked.model.plain(self.asked.model.databases()).values()
            if any("< " in o or "> " in o for law in laws for o in law.counts):
                raise Unsupported("a tail of noise has infinitely many parts, and this looks at sets of outputs")

    def _listed(self) -> list[Comparison]:
        """By a table of worlds, or, of many people, by sums where these are defined."""
        model, listing = self.asked.model, self.definition.listing
        if listing in SUMS and (model.size > MOST_LISTED or len(model.values) ** model.size > MOST_LISTED):
            try:
                found = list(SUMS[listing](self.asked))
            except BeyondLimits as beyond:
                try:
                    return list(listing(self.asked))
                except BeyondLimits:
                    raise beyond from None
            self.summed = True
            return found
        return list(listing(self.asked))

    @property
    def measured(self) -> tuple[str, ...]:
        """What a witness may call the measure: of an order also its family, of a condition each way to write it."""
        if not self.has_epsilon:
            return "tradeoff", "privacy-predicate", "predicate"
        name = MEASURED.get(self.measure, self.measure).format(**self.policy)
        family, _, order = name.rpartition("-")
        return (name, family) if order[:1].isdecimal() else (name,)

    @property
    def is_curve(self) -> bool:
        """Whether there is a δ."""
        return self.measure in ("hockey-stick", "tail", "left-out")

    @property
    def has_epsilon(self) -> bool:
        """Whether there is an ε."""
        return self.measure not in ("tradeoff", "predicate")

    def with_names(self, wanted: Container[object]) -> dict[object, list[tuple[Comparison, Term]]]:
        """The comparisons with each of their terms whose laws have one of these pairs of names, by the pair."""
        out: dict[object, list[tuple[Comparison, Term]]] = {}
        for c in self.comparisons:
            for t in c.terms:
                names = t.names or (t.p, t.q)
                if names in wanted:
                    out.setdefault(names, []).append((c, t))
        return out

    def power(self, c: Comparison) -> Power:
        """e^(scale·ε) at the asked ε; 0·∞ is 0."""
        if c.scale not in self.powers:
            e = self.epsilon
            scaled = ZERO if c.scale == 0 else e.times(c.scale or 1) if e is not None else INFINITY
            self.powers[c.scale] = Power(scaled)
        return self.powers[c.scale]

    def smallest(self, c: Comparison) -> Number:
        """The smallest ε ≥ 0 that a comparison needs at δ: one object for the same laws, which keeps its bounds."""
        terms = self.laws.resolve(c)
        laws = (c.scale, c.only, *((t.share, id(t.p), id(t.q), id(t.by_ratio)) for t in terms))
        if laws not in self.needs:  # with the terms, so that no other laws get these numbers of objects
            self.needs[laws] = terms, self._smallest(c, terms)
        return self.needs[laws][1]

    def _smallest(self, c: Comparison, terms: list[Resolved]) -> Number:
        if self.measure in ("hockey-stick", "tail", "ratio", "left-out"):
            delta = Fraction(0) if self.measure == "ratio" else self.delta
            every = [least_growth(x, delta, self.measure == "tail") for x in self._choices(terms)]
            growth = min((g for g in every if g is not None), default=None)
            value: Number = INFINITY if growth is None else ln(growth)
        else:
            value = MEASURES[self.measure](self.asked.policy, self.delta, terms)
        if c.scale == 0:
            return INFINITY if value > ZERO else ZERO
        return value if c.scale in (None, 1) else value.times(1 / c.scale)

    def need(self, c: Comparison) -> Number:
        """The same as a number that is compared as the smallest ε of all comparisons is."""
        value = self.smallest(c)
        return largest_of([value]) if self.measure in OVER_ORDERS else value

    def line(self, c: Comparison) -> Line:
        """δ of a comparison at the asked ε."""
        power, tail = self.power(c), self.measure == "tail"
        lines = [line(x, power, tail) for x in self._choices(self.laws.resolve(c))]
        best = lines[0]
        for other in lines[1:]:
            best = other if other.minus(best) < 0 else best
        return best

    def _choices(self, terms: list[Resolved]) -> list[list[Resolved]]:
        """The terms, or, where outputs may be left out, each choice that leaves out most; the best one counts."""
        if self.measure != "left-out":
            return [terms]
        return [[t] for t in without_some(terms[0], self.asked.model.home.chance(self.policy["error"]))]

    def fails(self, c: Comparison) -> bool:
        """Whether this comparison alone is a failure at the asked ε and δ; without ε: at every finite ε."""
        if not self.has_epsilon:
            return self.breaks(c)
        if self.is_curve and self.epsilon is not None:
            return self.line(c).exceeds(self.delta)
        need = self.smallest(c)
        return need.infinite or (self.epsilon is not None and not self.epsilon.infinite and need > self.epsilon)

    def breaks(self, c: Comparison) -> bool:
        """The same for a condition without ε."""
        (term,) = self.laws.resolve(c)
        if self.measure == "predicate":
            return breaks_predicate(term.groups, [[rational(x) for x in row] for row in self.policy["predicate"]])
        return below_tradeoff(term.groups, self.vertices())

    def vertices(self) -> list[tuple[Fraction, Fraction]]:
        """f of [policy] tradeoff."""
        return [(rational(x), rational(y)) for x, y in self.policy["tradeoff"]]

    def _decide(self) -> str:
        if not self.comparisons:
            if self.has_epsilon:
                self.tight_epsilon = ZERO
                self.tight_delta = ZERO if self.is_curve else None
            return "vacuous"
        if not self.has_epsilon:
            return "fails" if any(map(self.breaks, self.cases)) else "holds"
        self.tight_epsilon = (largest_of if self.measure in OVER_ORDERS else largest)(map(self.smallest, self.cases))
        if self.epsilon is None:
            return "fails" if self.tight_epsilon.infinite else "holds"
        if self.is_curve:
            return self._curve()
        fails = self.tight_epsilon.infinite or (not self.epsilon.infinite and self.tight_epsilon > self.epsilon)
        return "fails" if fails else "holds"

    def _curve(self) -> str:
        lines = [self.line(c) for c in self.cases]
        worst: dict[int, Line] = {}
        for x in lines:
            so_far = worst.get(id(x.power))
            if so_far is None or x.minus(so_far) > 0:
                worst[id(x.power)] = x
        self.tight_delta = largest(number_of(x) for x in worst.values())
        return "fails" if any(x.exceeds(self.delta) for x in worst.values()) else "holds"


def number_of(x: Line) -> Number:
    """A line as a number: rational where e^ε is."""
    if x.b == 0 or x.power.value is not None:
        return Log(max(x.a - x.b * (x.power.value or 0), Fraction(0)))
    return Enclosed(x.bounds, x)
