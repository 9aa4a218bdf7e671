"""Decide a question again: the laws of the comparisons, what is measured, the smallest ε and δ, the verdict.

The hockey-stick and the tail have a δ at each ε (`line`), and need the least ε whose δ is small enough (`Decision`).
`MEASURES` has the others as one function of a comparison: what ε it needs, or whether it is within a bound without ε.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple

from .comparisons import ONE, Asked, Comparison, Side, Term
from .definitions import Definition
from .mechanisms import NO_ANSWER, Database
from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Enclosed,
    Label,
    Line,
    Log,
    Measure,
    Number,
    Power,
    Rooted,
    Unsupported,
    afford,
    exp_bounds,
    found,
    label,
    largest,
    ln,
    log_bounds,
    mixed,
    rational,
    sign,
)
from .orders import below_xi, concentrated, gauss, largest_of, order_of, sub_gaussian
from .sums import SUMS

MOST_OUTPUTS = 12
"""The most outputs of which all sets are listed, for measures of sets."""
MOST_LISTED = 1 << 10
"""The most databases that are listed where sums would do."""


class Group(NamedTuple):
    """All outputs with one ratio P/Q (None: Q is 0), and the probabilities that they have together."""

    ratio: Fraction | None
    p: Fraction
    q: Fraction


class Grouped(NamedTuple):
    """The outputs of two laws by their ratio, the largest first: (ratio, P, Q) in integers over two totals."""

    counts: tuple[tuple[Fraction | None, int, int], ...]
    p_total: int
    q_total: int

    def groups(self) -> list[Group]:
        """With probabilities."""
        return [Group(ratio, Fraction(x, self.p_total), Fraction(y, self.q_total)) for ratio, x, y in self.counts]


def in_order(weighed: Iterable[tuple[Fraction | None, int, int]]) -> tuple[tuple[Fraction | None, int, int], ...]:
    """Ratios with what P and Q have there: each once, the infinite one (None) first, then from above."""
    every, out = list(weighed), list[tuple[Fraction | None, int, int]]()
    infinite, finite = ([mass for mass in every if (mass[0] is None) == first] for first in (True, False))
    for ratio, x, y in (*infinite, *sorted(finite, key=itemgetter(0), reverse=True)):
        if out and (ratio is out[-1][0] or ratio == out[-1][0]):
            _, p, q = out[-1]
            out[-1] = ratio, p + x, q + y
        else:
            out.append((ratio, x, y))
    return tuple(out)


class Resolved(NamedTuple):
    """A term with its laws."""

    share: Fraction
    p: Measure
    q: Measure
    by_ratio: Grouped

    @property
    def groups(self) -> list[Group]:
        """Its outputs by their ratios."""
        return self.by_ratio.groups()


class Laws:
    """The laws behind the sides of comparisons; equal laws are one object, and each pair of laws is grouped once."""

    def __init__(self, asked: Asked, comparisons: Sequence[Comparison], plain: bool) -> None:
        self.asked = asked
        sides = [
            side
            for side in dict.fromkeys(s for c in comparisons for t in c.terms for s in (t.p, t.q))
            if isinstance(side, tuple)
        ]
        reached: dict[Database, None] = {d: None for side in sides for d, _ in side}
        self.outputs = (asked.model.plain if plain else asked.model.outputs)(reached) if reached else {}
        size = max((len(law.counts) for law in self.outputs.values()), default=1)
        afford(size * sum(len(side) for side in sides), "the outputs of all laws")
        self.interned: dict[object, Measure] = {}
        self.by_side: dict[Side, Measure] = {}
        self.grouped: dict[object, Grouped] = {}
        self.coded: dict[int, int] = {}
        self.weights: list[int] = []
        self.codes: dict[int, dict[Label, int]] = {}
        self.ratios: dict[tuple[int, int], Fraction | None] = {}
        self.pairs: dict[tuple[int, int, Label | None], Grouped] = {}
        self.total, self.usual = self._usual()
        self.unusual: dict[int, dict[Label, int]] = {}

    def of(self, side: Side) -> Measure:
        """The law of a side."""
        known = self.by_side.get(side)
        if known is None:
            if not isinstance(side, tuple):
                law = side
            elif len(side) == 1:
                law = self.outputs[side[0][0]]
            else:
                law = mixed((Fraction(w), self.outputs[d]) for d, w in side)
            known = self.interned.setdefault((law.total, tuple(law.counts.items())), law)
            self.by_side[side] = known
        return known

    def _usual(self) -> tuple[int, dict[Label, int]]:
        """The total of all databases' laws, if they have one, and the most usual weight of each output over these.

        Two rows of randomized response with 165 values differ from the usual in two outputs; only these are compared,
        and all others have the ratio 1.
        """
        laws = {id(law): law for law in self.outputs.values()}
        totals = {law.total for law in laws.values()}
        weights: dict[Label, Counter[int]] = defaultdict(Counter)
        for law in laws.values() if len(totals) == 1 else ():
            for o, c in law.counts.items():
                weights[o][c] += 1
        for counter in weights.values():
            counter[0] += len(laws) - counter.total()
        return (max(totals, default=0) if weights else 0), {o: x.most_common(1)[0][0] for o, x in weights.items()}

    def _unusual(self, law: Measure) -> dict[Label, int]:
        """The outputs of which a law has another weight than the usual one."""
        known = self.unusual.get(id(law))
        if known is None:
            known = {o: c for o, c in law.counts.items() if c != self.usual.get(o)}
            known.update((o, 0) for o, c in self.usual.items() if c and o not in law.counts)
            self.unusual[id(law)] = known
        return known

    def distinct(self, comparisons: Iterable[Comparison], by_ratios: bool = True) -> list[Comparison]:
        """One comparison for each table of ratios with its shares; else for each pair of laws and event."""
        out: dict[object, Comparison] = {}
        for c in comparisons:
            terms = [(_plain(t.share), self.of(t.p), self.of(t.q)) for t in c.terms]
            if by_ratios:
                key: list[object] = [(share, id(self.groups(p, q, c.only))) for share, p, q in terms]
            else:
                key = [c.only, *((share, id(p), id(q)) for share, p, q in terms)]
            out.setdefault((_plain(c.scale), *key), c)
        return list(out.values())

    def resolve(self, c: Comparison) -> list[Resolved]:
        """The terms of a comparison with their laws."""
        out = []
        for t in c.terms:
            p, q = self.of(t.p), self.of(t.q)
            out.append(Resolved(t.share, p, q, self.groups(p, q, c.only)))
        return out

    def groups(self, p: Measure, q: Measure, only: Label | None = None) -> Grouped:
        """The outputs of two laws by their ratio; each pair of laws, and each table of weights, once."""
        at = id(p), id(q), only
        known = self.pairs.get(at)
        if known is None:
            sparse = only is None and p.total == q.total == self.total
            pairs = self._weights(p, q, only, sparse)
            key = p.total, q.total, sparse, frozenset(pairs.items())
            if key not in self.grouped:
                if sparse:  # where both have the usual weight, their ratio is 1
                    rest = self._code(p.total - sum(self.weights[n] * times for (n, _), times in pairs.items()))
                    pairs[rest, rest] += 1
                self.grouped[key] = self._grouped(pairs, p.total, q.total)
            known = self.pairs[at] = self.grouped[key]
        return known

    def _grouped(self, pairs: Mapping[tuple[int, int], int], p_total: int, q_total: int) -> Grouped:
        weighed = []
        for (n, m), times in pairs.items():
            x, y = self.weights[n], self.weights[m]
            if x or y:
                ratio = self._ratio(n, m) if p_total == q_total else Fraction(x * q_total, y * p_total) if y else None
                weighed.append((ratio, x, y) if times == 1 else (ratio, x * times, y * times))
        return Grouped(in_order(weighed), p_total, q_total)

    def _weights(self, p: Measure, q: Measure, only: Label | None, sparse: bool) -> Counter[tuple[int, int]]:
        """How often each pair of weights comes; `sparse` leaves out outputs with the usual weight on both sides."""
        one, other, none = self._codes(p), self._codes(q), self._code(0)
        looked_at = {**self._unusual(p), **self._unusual(q)} if sparse else {**one, **other} if only is None else [only]
        return Counter(zip(map(one.get, looked_at, repeat(none)), map(other.get, looked_at, repeat(none)), strict=True))

    def _code(self, weight: int) -> int:
        """The number of a weight, in the order in which they come: weights of a thousand people are long to hash."""
        code = self.coded.setdefault(weight, len(self.weights))
        if code == len(self.weights):
            self.weights.append(weight)
        return code

    def _codes(self, law: Measure) -> dict[Label, int]:
        """The numbers of the weights of a law."""
        if id(law) not in self.codes:
            numbers = {c: self._code(c) for c in set(law.counts.values())}
            self.codes[id(law)] = {o: numbers[c] for o, c in law.counts.items()}
        return self.codes[id(law)]

    def _ratio(self, n: int, m: int) -> Fraction | None:
        """The ratio of two weights by their numbers."""
        if (n, m) not in self.ratios:
            self.ratios[n, m] = Fraction(self.weights[n], self.weights[m]) if self.weights[m] else None
        return self.ratios[n, m]


# --- the curve δ(ε) ---------------------------------------------------------------------------------------------------


def line(terms: Iterable[Resolved], power: Power, tail: bool) -> Line:
    """δ at one ε: Σ share·Σ max(0, P - e^ε·Q); of a tail Σ share·P[P > e^ε·Q]."""
    a = b = Fraction(0)
    for share, _, _, (counts, p_total, q_total) in terms:
        above = counts[: bisect_left(counts, True, key=lambda mass: not _is_above(mass[0], power))]
        a += share * Fraction(sum([x for _, x, _ in above]), p_total)
        b += share * Fraction(sum([y for _, _, y in above]), q_total)
    return Line(a, Fraction(0) if tail else b, power)


def _is_above(ratio: Fraction | None, power: Power) -> bool:
    return ratio is None or (ratio > 1 and power.sign(ratio, 1) > 0)


def from_above(terms: Iterable[Resolved]) -> tuple[int, list[tuple[Fraction | None, int, int]]]:
    """Ratios P/Q above 1 (None: infinite) from above, with the shares of P and Q down to each, over one total."""
    several = list(terms)
    total = math.lcm(*(t.share.denominator * x for t in several for x in t.by_ratio[1:]))
    masses: list[tuple[Fraction | None, int, int]] = []
    for share, _, _, (counts, p_total, q_total) in several:
        p_times, q_times = (total // (share.denominator * x) * share.numerator for x in (p_total, q_total))
        above = counts[: bisect_left(counts, True, key=lambda mass: mass[0] is not None and mass[0] <= 1)]
        masses += [(ratio, x * p_times, y * q_times) for ratio, x, y in above]
    a = b = 0
    out = []
    for ratio, x, y in in_order(masses) if len(several) > 1 else masses:
        a, b = a + x, b + y
        out.append((ratio, a, b))
    return total, out


def least_growth(terms: Iterable[Resolved], delta: Fraction, tail: bool) -> Fraction | None:
    """The smallest e^ε ≥ 1 with δ(ε) ≤ δ, or None: between two ratios the curve is A - B·e^ε, with their sums."""
    total, sums = from_above(terms)
    most, a, b = delta * total, 0, 0
    for ratio, next_a, next_b in sums:
        if ratio is None and next_a > most:
            return None
        if ratio is not None and tail and next_a > most:
            return ratio
        if ratio is not None and not tail and a - most > b * ratio:
            break  # the curve meets δ above this ratio
        a, b = next_a, next_b
    return max(ONE, (a - most) / b) if not tail and b else ONE


# --- other measures ---------------------------------------------------------------------------------------------------


def _value(x: Fraction | None) -> Number:
    return INFINITY if x is None else Log(x)


def _impossible(groups: Iterable[Group]) -> bool:
    """Whether P has an output that Q cannot give."""
    return any(g.ratio is None for g in groups)


def kl(groups: Sequence[Group]) -> Number:
    """Σ P·ln(P/Q)."""
    total = ZERO
    for ratio, p, _ in groups:
        if ratio is None:
            return INFINITY
        if p:
            total = total + ln(ratio, p)
    return total


def renyi(groups: Sequence[Group], order: Fraction) -> Number:
    """ln(Σ Q·(P/Q)^α)/(α - 1)."""
    if order <= 1:
        raise Unsupported("the order has to be above 1")
    if _impossible(groups):
        return INFINITY
    if order > 256 and order.denominator == 1:
        raise BeyondLimits(f"the order {order}")
    met = [(ratio, q) for ratio, _, q in groups if ratio]
    first = met[0][0]  # of a fraction α each (P/Q)^α may have one and the same irrational factor
    powers = [Power(ln(ratio / first, order)).value for ratio, _ in met]
    exact = [x for x in powers if x is not None]
    if len(exact) == len(met):
        total = sum((q * x for (_, q), x in zip(met, exact, strict=True)), Fraction(0))
        return (ln(first, order) + ln(total)).times(1 / (order - 1))

    def bounds(bits: int) -> tuple[Fraction, Fraction]:
        low = high = Fraction(0)
        for ratio, _, q in groups:
            if ratio:
                ends = log_bounds(ratio, bits)
                x, y = exp_bounds(order * ends[0], order * ends[1], bits)
                low, high = low + q * x, high + q * y
        return log_bounds(low, bits)[0] / (order - 1), log_bounds(high, bits)[1] / (order - 1)

    return Enclosed(bounds)


def moment(groups: Iterable[Group], k: int) -> Fraction | None:
    """Σ Q·|P/Q - 1|^k."""
    total = Fraction(0)
    for ratio, p, q in groups:
        if ratio is None and k > 1:
            return None
        total += p if ratio is None else q * abs(ratio - 1) ** k
    return total


def divergence(groups: Sequence[Group], name: str) -> Number:
    """The divergence that the file names, under Q."""
    family, _, order = name.partition("-")
    if name in DIVERGENCES:
        return DIVERGENCES[name](groups)
    if family == "renyi":
        return renyi(groups, rational(order))
    if family == "abs" and order.isdecimal() and 0 < int(order) <= 256:
        return _value(moment(groups, int(order)))
    raise BeyondLimits(f"the divergence {name}")


def extent(groups: Sequence[Group]) -> Fraction | None:
    """The largest P/Q over the smallest; None where it is infinite."""
    ratios = [g.ratio for g in groups]
    finite = [r for r in ratios if r]
    return max(finite) / min(finite) if len(finite) == len(ratios) else None


def _logarithm(x: Fraction | None) -> Number:
    return INFINITY if x is None else ln(x)


def tested(p: Measure, q: Measure, tests: Iterable[dict[Label, Fraction]], name: str) -> Number:
    """The largest E_P[h] - E_Q[f*(h)] of the listed h, and at least 0; f* is the conjugate of f."""

    def conjugate(s: Fraction) -> Number:
        if name == "chi-squared":  # f(t) = (t - 1)²
            return Log(s + s * s / 4 if s >= -2 else Fraction(-1))
        if name == "kl":  # f(t) = t·ln t
            return Enclosed(lambda bits: exp_bounds(s - 1, s - 1, bits)) if s != 1 else Log(1)
        if name in ("total-variation", "abs-1"):  # f(t) = |t - 1|/2, |t - 1|
            cap = ONE if name == "abs-1" else ONE / 2
            return INFINITY if s > cap else Log(max(s, -cap))
        raise Unsupported(f"the divergence {name} has no conjugate here")

    values: list[Number] = [ZERO]
    for h in tests:
        mean = sum((c * (found(h, o) or Fraction(0)) for o, c in p.chances().items()), Fraction(0))
        stars = [(y, conjugate(found(h, o) or Fraction(0))) for o, y in q.chances().items()]
        if any(star.infinite for _, star in stars):
            continue
        if all(isinstance(star, Log) for _, star in stars):
            values.append(Log(mean - sum((y * star.rational for y, star in stars), Fraction(0))))  # type: ignore[attr-defined]
        else:
            values.append(Enclosed(lambda bits, mean=mean, stars=stars: _difference(mean, stars, bits)))  # type: ignore[misc]
    return largest(values)


def _difference(mean: Fraction, stars: Iterable[tuple[Fraction, Number]], bits: int) -> tuple[Fraction, Fraction]:
    ends = [(y, star.bounds(bits)) for y, star in stars]
    return mean - sum(y * e[1] for y, e in ends), mean - sum(y * e[0] for y, e in ends)


def _sets(outputs: Sequence[Label]) -> Iterable[tuple[Label, ...]]:
    if len(outputs) > MOST_OUTPUTS:
        raise BeyondLimits(f"all sets of {len(outputs)} outputs")
    return chain.from_iterable(combinations(outputs, k) for k in range(len(outputs) + 1))


def without_some(term: Resolved, most: Fraction) -> Iterable[Resolved]:
    """The term without sets of outputs that have at most some probability under P; the largest such sets suffice."""
    p = term.p.chances()
    small = [set(s) for s in _sets(list(p)) if sum(p[o] for o in s) <= most]
    for s in small:
        if not any(s < other for other in small):
            kept = Measure({o: c for o, c in term.p.counts.items() if o not in s}, term.p.total)
            rest = Counter({o: c for o, c in term.q.counts.items() if o not in s})
            groups = in_order(
                (Fraction(c * term.q.total, rest[o] * kept.total) if rest[o] else None, c, rest[o])
                for o, c in kept.counts.items()
            )
            yield Resolved(ONE, kept, Measure(rest, term.q.total), Grouped(groups, kept.total, term.q.total))


def semantic(terms: Sequence[Resolved]) -> Number:
    """SemPr: with R the largest ratio of two P[S]/Q[S], of one S, a belief moves by (√R - 1)/(√R + 1)."""
    laws = {(id(t.p), id(t.q)): (t.p.chances(), t.q.chances()) for t in terms}
    outputs = sorted({o for two in laws.values() for x in two for o in x})
    top: Fraction | None = ONE
    for s in _sets(outputs):
        sums = [[sum((x.get(o, Fraction(0)) for o in s), Fraction(0)) for x in two] for two in laws.values()]
        for a, b in sums:
            for c, d in sums:
                if a * d and top is not None:
                    top = max(top, a * d / (b * c)) if b * c else None
    return belief_moves(top)


def belief_moves(r: Fraction | None) -> Number:
    """(√R - 1)/(√R + 1), 1 for an infinite R."""
    if r is None or r == 1:
        return Log(0 if r else 1)
    return Rooted("belief", r, lambda e: -1 if e >= 1 else sign(r * (1 - e) ** 2 - (1 + e) ** 2))


DIVERGENCES: dict[str, Callable[[Sequence[Group]], Number]] = {
    "total-variation": lambda groups: Log(Fraction(moment(groups, 1) or 0) / 2),
    "chi-squared": lambda groups: _value(moment(groups, 2)),
    "kl": kl,
    "ratio": lambda groups: INFINITY if _impossible(groups) else ln(max(g.ratio or Fraction(0) for g in groups)),
    "spread": lambda groups: _logarithm(extent(groups)),
    "semantic": lambda groups: belief_moves(extent(groups)),
}
"""Divergences by the names that [policy] gives; `renyi-α` and `abs-k` name their number."""


def share_allowed(terms: Iterable[Resolved], gamma: Fraction, flipped: Callable[[Resolved], Resolved]) -> Number:
    """The smallest ε that all pairs need but a share γ, each in its worse direction."""
    need = [
        (least_growth([t], Fraction(0), False), least_growth([flipped(t)], Fraction(0), False), t.share) for t in terms
    ]
    worst = [(None if a is None or b is None else max(a, b), share) for a, b, share in need]
    gone = Fraction(0)
    for growth, share in sorted(worst, key=lambda x: (x[0] is None, x[0] or 0), reverse=True):
        gone += share
        if gone > gamma:
            return INFINITY if growth is None else ln(growth)
    return ZERO


def below_tradeoff(groups: Iterable[Group], f: Sequence[tuple[Fraction, Fraction]]) -> bool:
    """Whether 1 - Q[S] < f(P[S]) for some S: f is convex, so that the corners of the curve of P and Q decide."""
    a = b = Fraction(0)
    corners = [(a, b)]
    for _, p, q in sorted(groups, key=lambda g: (g.ratio is None, g.ratio or 0)):
        a, b = a + p, b + q
        corners.append((a, b))
    return any(1 - y < at(f, x) for x, y in corners)


def at(f: Sequence[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
    """The value of a piecewise linear function that is given by its vertices."""
    return next(y0 + (y1 - y0) * (x - x0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(f) if x0 <= x <= x1)


def breaks_predicate(groups: Iterable[Group], rows: Iterable[Sequence[Fraction]]) -> bool:
    """Whether a·P[S] + b·Q[S] > c for some S and a row (a, b, c): the worst S has the outputs with a·P + b·Q > 0."""
    listed = list(groups)
    return any(sum((max(Fraction(0), a * p + b * q) for _, p, q in listed), Fraction(0)) > c for a, b, c in rows)


# --- the decision -----------------------------------------------------------------------------------------------------


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
        self.tight_epsilon: Number | None = None
        self.tight_delta: Number | None = None
        self.verdict = self._decide()

    def _refuse(self) -> None:
        """A measure that cannot be taken is a reason to refuse, also where nothing is compared."""
        if self.policy and self.measure in MEASURES:
            one = Measure({NO_ANSWER: 1}, 1)
            MEASURES[self.measure](self, [Resolved(ONE, one, one, Grouped(((ONE, 1, 1),), 1, 1))])
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
        """The smallest ε ≥ 0 that a comparison needs at δ."""
        terms = self.laws.resolve(c)
        if self.measure in ("hockey-stick", "tail", "ratio", "left-out"):
            delta = Fraction(0) if self.measure == "ratio" else self.delta
            every = [least_growth(x, delta, self.measure == "tail") for x in self._choices(terms)]
            growth = min((g for g in every if g is not None), default=None)
            value: Number = INFINITY if growth is None else ln(growth)
        else:
            value = MEASURES[self.measure](self, terms)
        if c.scale == 0:
            return INFINITY if value > ZERO else ZERO
        return value if c.scale in (None, 1) else value.times(1 / c.scale)

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


def _plain(x: Fraction | None) -> object:
    """1 for the 1 that most comparisons share: the hash of a fraction is slow."""
    return 1 if x is ONE else x


def number_of(x: Line) -> Number:
    """A line as a number: rational where e^ε is."""
    if x.b == 0 or x.power.value is not None:
        return Log(max(x.a - x.b * (x.power.value or 0), Fraction(0)))
    return Enclosed(x.bounds, x)


def _flipped(t: Resolved) -> Resolved:
    counts, p_total, q_total = t.by_ratio
    turned = tuple((Fraction(y * p_total, x * q_total) if x else None, y, x) for _, x, y in reversed(counts))
    return Resolved(t.share, t.q, t.p, Grouped(turned, q_total, p_total))


def _mean_kl(decision: Decision, terms: Sequence[Resolved]) -> Number:
    total = ZERO
    for t in terms:
        value = kl(t.groups)
        if not isinstance(value, Log):
            return INFINITY
        total = total + value.times(t.share)
    return total


def _root(decision: Decision, terms: Sequence[Resolved]) -> Number:
    order = rational(decision.policy["order"])
    if order.denominator != 1 or order < 2:
        raise Unsupported("the order has to be an integer from 2")
    k, x = int(order), moment(terms[0].groups, int(order))
    return INFINITY if x is None else Rooted(f"root {k}", x, lambda e: sign(x - e**k))


def _tested(decision: Decision, terms: Sequence[Resolved]) -> Number:
    tests = [{label(o): rational(x) for o, x in h.items()} for h in decision.policy["tests"]]
    return tested(terms[0].p, terms[0].q, tests, decision.policy["divergence"])


def _of_two_laws(value: Callable[[Sequence[Group]], Number]) -> Callable[[Decision, Sequence[Resolved]], Number]:
    return lambda decision, terms: value(terms[0].groups)


def _xi(decision: Decision) -> Fraction:
    """ξ of [policy], 0 where it is left out."""
    return order_of(decision.asked.policy, "xi") if "xi" in decision.asked.policy else Fraction(0)


def _omega(decision: Decision) -> Fraction:
    return order_of(decision.policy, "omega")


OVER_ORDERS: dict[str, Callable[[Decision, Sequence[Resolved]], Number]] = {
    "concentrated": lambda decision, terms: concentrated(terms[0].groups, _xi(decision), None),
    "concentrated-on-events": lambda decision, terms: concentrated(
        terms[0].groups, _xi(decision), None, decision.delta
    ),
    "concentrated-to-omega": lambda decision, terms: concentrated(terms[0].groups, _xi(decision), _omega(decision)),
    "concentrated-to-omega-without-xi": lambda decision, terms: concentrated(
        terms[0].groups, Fraction(0), _omega(decision)
    ),
    "concentrated-below-xi": lambda decision, terms: below_xi(terms[0].groups, order_of(decision.policy, "xi")),
    "sub-gaussian": lambda decision, terms: sub_gaussian(terms[0].groups, order_of(decision.policy, "mu")),
    "gaussian": lambda decision, terms: gauss(terms[0].groups),
}
"""Measures that are enclosed."""
MEASURES: dict[str, Callable[[Decision, Sequence[Resolved]], Number]] = {
    **{name: _of_two_laws(value) for name, value in DIVERGENCES.items()},
    "mean-kl": _mean_kl,
    "renyi": lambda decision, terms: renyi(terms[0].groups, rational(decision.policy["order"])),
    "divergence": lambda decision, terms: divergence(terms[0].groups, decision.policy["divergence"]),
    "root": _root,
    "tests": _tested,
    "semantic": lambda decision, terms: semantic(terms),
    "share": lambda decision, terms: share_allowed(terms, rational(decision.policy["gamma"]), _flipped),
    **OVER_ORDERS,
}
