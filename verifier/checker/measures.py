"""Measures beside the curves: each is a function of a comparison, what ε it needs, or whether it is within a bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise

from .comparisons import ONE
from .laws import Group, Grouped, Resolved, in_order, least_growth
from .mechanisms import Spec
from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Enclosed,
    Label,
    Log,
    Measure,
    Number,
    Power,
    Rooted,
    Unsupported,
    exp_bounds,
    found,
    label,
    largest,
    ln,
    log_bounds,
    rational,
    sign,
)
from .orders import below_xi, concentrated, gauss, order_of, sub_gaussian

Measuring = Callable[[Spec, Fraction, Sequence[Resolved]], Number]
"""What a comparison needs, by [policy], the δ that is asked, and its terms with their laws."""
MOST_OUTPUTS = 12
"""The most outputs of which all sets are listed, for measures of sets."""


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


def _flipped(t: Resolved) -> Resolved:
    counts, p_total, q_total = t.by_ratio
    turned = tuple((Fraction(y * p_total, x * q_total) if x else None, y, x) for _, x, y in reversed(counts))
    return Resolved(t.share, t.q, t.p, Grouped(turned, q_total, p_total))


def _mean_kl(policy: Spec, delta: Fraction, terms: Sequence[Resolved]) -> Number:
    total = ZERO
    for t in terms:
        value = kl(t.groups)
        if not isinstance(value, Log):
            return INFINITY
        total = total + value.times(t.share)
    return total


def _root(policy: Spec, delta: Fraction, terms: Sequence[Resolved]) -> Number:
    order = rational(policy["order"])
    if order.denominator != 1 or order < 2:
        raise Unsupported("the order has to be an integer from 2")
    k, x = int(order), moment(terms[0].groups, int(order))
    return INFINITY if x is None else Rooted(f"root {k}", x, lambda e: sign(x - e**k))


def _tested(policy: Spec, delta: Fraction, terms: Sequence[Resolved]) -> Number:
    tests = [{label(o): rational(x) for o, x in h.items()} for h in policy["tests"]]
    return tested(terms[0].p, terms[0].q, tests, policy["divergence"])


def _of_two_laws(value: Callable[[Sequence[Group]], Number]) -> Measuring:
    return lambda policy, delta, terms: value(terms[0].groups)


def _xi(policy: Spec) -> Fraction:
    """ξ of [policy], 0 where it is left out."""
    return order_of(policy, "xi") if "xi" in policy else Fraction(0)


def _omega(policy: Spec) -> Fraction:
    return order_of(policy, "omega")


OVER_ORDERS: dict[str, Measuring] = {
    "concentrated": lambda policy, delta, terms: concentrated(terms[0].groups, _xi(policy), None),
    "concentrated-on-events": lambda policy, delta, terms: concentrated(terms[0].groups, _xi(policy), None, delta),
    "concentrated-to-omega": lambda policy, delta, terms: concentrated(terms[0].groups, _xi(policy), _omega(policy)),
    "concentrated-to-omega-without-xi": lambda policy, delta, terms: concentrated(
        terms[0].groups, Fraction(0), _omega(policy)
    ),
    "concentrated-below-xi": lambda policy, delta, terms: below_xi(terms[0].groups, order_of(policy, "xi")),
    "sub-gaussian": lambda policy, delta, terms: sub_gaussian(terms[0].groups, order_of(policy, "mu")),
    "gaussian": lambda policy, delta, terms: gauss(terms[0].groups),
}
"""Measures that are enclosed."""


MEASURES: dict[str, Measuring] = {
    **{name: _of_two_laws(value) for name, value in DIVERGENCES.items()},
    "mean-kl": _mean_kl,
    "renyi": lambda policy, delta, terms: renyi(terms[0].groups, rational(policy["order"])),
    "divergence": lambda policy, delta, terms: divergence(terms[0].groups, policy["divergence"]),
    "root": _root,
    "tests": _tested,
    "semantic": lambda policy, delta, terms: semantic(terms),
    "share": lambda policy, delta, terms: share_allowed(terms, rational(policy["gamma"]), _flipped),
    **OVER_ORDERS,
}
