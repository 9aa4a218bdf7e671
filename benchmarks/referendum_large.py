"""Ten million identical voters: 30 correct digits of δ, by the project, by mpmath, and in floating point.

δ of one class is made of binomial tails (see `referendum_problem.py` for R, j and t). With p/q the odds of yes,
R[j-1] > e^ε·R[j] for all j ≥ `first`, and R[j] > e^ε·R[j-1] for all j ≤ `last`. Where the count is told, or nothing is
known, there is one t; else there is one for each number of yes votes among the known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from math import exp, floor
from typing import Any, TypeAlias

from referendum_problem import EPSILON, Answer, decimal_text, score

DIGITS = 30
Timed: TypeAlias = Callable[[], list[str]]


class UnavailableError(Exception):
    """The version at hand has no such thing."""


@dataclass(frozen=True)
class Large:
    """n identical voters with p = yes/100, the first `known` of them known, the last one attacked."""

    n: int
    yes: int
    known: int
    threshold: bool

    @property
    def above(self) -> int:
        """The count is told where it is above n·p, or always."""
        return self.n * self.yes // 100 if self.threshold else -1

    @property
    def others(self) -> int:
        """How many are neither known nor attacked."""
        return self.n - self.known - 1

    @property
    def one_level(self) -> bool:
        """Whether all classes have one δ."""
        return not (self.threshold and self.known)

    @cached_property
    def first(self) -> int:
        """The least j with j·(1 - p) > e^ε·p·(others + 1 - j)."""
        odds = exp(0.1) * self.yes
        return floor((self.others + 1) * odds / (100 - self.yes + odds)) + 1

    @cached_property
    def last(self) -> int:
        """The largest j with (others + 1 - j)·p > e^ε·(1 - p)·j."""
        return floor((self.others + 1) * self.yes / (self.yes + exp(0.1) * (100 - self.yes)))


def ours(case: Large) -> Timed:
    """The project, with the engine that computes with balls."""
    import verifier
    from verifier.engine import Engine
    from verifier.numbers import decimal_of

    threshold = {"kind": "threshold-count", "value": 1, "above": case.above}
    p, more = (
        Fraction(case.yes, 100),
        {"knowledge": {"records": {"from": 0, "to": case.known - 1}}} if case.known else {},
    )
    build, check = (getattr(verifier, name) for name in ("build", "check"))  # their types are not yet these
    model = build(
        size=case.n,
        values=[0, 1],
        distribution={"iid": {1: p, 0: 1 - p}},
        sensitive={"records": [case.n - 1]},
        mechanism=threshold if case.threshold else {"kind": "count", "value": 1},
        **more,
    )

    def run() -> list[str]:
        engine = Engine(model, force="ball")
        found = [
            check(model, name, epsilon=EPSILON, digits=DIGITS + 2, engine=engine, replay=False)
            for name in ("apkdp", "ppkdp")
        ]
        middles = [(answer.tight_delta.low.value + answer.tight_delta.high.value) / 2 for answer in found]
        return [decimal_of(middle, DIGITS) for middle in middles]

    return run


def by_hand(case: Large) -> Timed:
    """Exact, for small n: two powers and the scoring of the other parts."""
    fmpz_poly = import_module("flint").fmpz_poly

    def run() -> list[str]:
        factor = fmpz_poly([100 - case.yes, case.yes])
        known, rest = ([int(c) for c in (factor**k).coeffs()] for k in (case.known, case.others))
        answer: Answer = score(known, rest, case.above)
        return [decimal_text(delta, DIGITS) for delta in answer]

    return run


def _tails(case: Large, mp: Any) -> tuple[Callable[[int], Any], Callable[[int], Any]]:
    """P[R ≥ j] and P[R ≤ j] as regularised incomplete beta functions; `mpmath.betainc` itself does not end here."""
    u, p = case.others, mp.mpf(case.yes) / 100

    def series(a: int, x: Any) -> Any:
        """The incomplete beta I_x(a, u - a + 1) for a above u·x, by its finite series of positive, falling terms."""
        front = a * mp.log(x) + (u - a) * mp.log(1 - x) + mp.loggamma(u + 1)
        term = mp.exp(front - mp.loggamma(a + 1) - mp.loggamma(u - a + 1))
        total, odds, small = mp.mpf(0), x / (1 - x), mp.eps / 1000
        for j in range(a, u + 1):
            total += term
            if term < total * small:
                break
            term *= odds * (u - j) / (j + 1)
        return total

    def upper(j: int) -> Any:
        if j <= 0 or j > u:
            return mp.mpf(j <= 0)
        return series(j, p) if j > u * p else 1 - series(u - j + 1, 1 - p)

    def lower(j: int) -> Any:
        if j < 0 or j >= u:
            return mp.mpf(j >= u)
        return series(u - j, 1 - p) if u - j > u * (1 - p) else 1 - series(j + 1, p)

    return upper, lower


def mpmath(case: Large) -> Timed:
    """Mpmath at 60 digits and more: incomplete beta functions where there is one t, else sums."""
    mp = import_module("mpmath")

    def run() -> list[str]:
        with mp.workdps(80):
            e = mp.exp(mp.mpf(1) / 10)
            found = _one_level(case, mp, e) if case.one_level else _all_levels(case, mp, e)
            return [mp.nstr(x, DIGITS, min_fixed=1, max_fixed=0, strip_zeros=False) for x in found]

    return run


def _one_level(case: Large, mp: Any, e: Any) -> list[Any]:
    upper, lower = _tails(case, mp)
    t = case.above
    start = max(t + 1, case.first)
    yes = upper(start - 1) - e * upper(start)
    no = max(mp.mpf(0), lower(t) - e * lower(t - 1))
    if case.last > t:
        no += lower(case.last) - lower(t) - e * (lower(case.last - 1) - lower(t - 1))
    return [max(yes, no)] * 2


def _all_levels(case: Large, mp: Any, e: Any) -> list[Any]:
    """All t from -1 (the known alone are above the threshold) to `others` (all votes are needed)."""
    u, m, p = case.others, case.known, mp.mpf(case.yes) / 100
    q, zero = 1 - p, mp.mpf(0)
    law = [q**u]
    for j in range(u):
        law.append(law[-1] * (u - j) * p / ((j + 1) * q))
    told_yes, told_no = {u + 1: zero}, {u + 1: zero}  # sums over the j above t
    for j in range(u + 1, -1, -1):
        here, before = law[j] if j <= u else zero, law[j - 1] if j else zero
        told_yes[j - 1] = told_yes[j] + (before - e * here if j >= case.first else 0)
        told_no[j - 1] = told_no[j] + (here - e * before if j <= case.last else 0)
    top = min(m, case.above)
    log = mp.loggamma
    weight = mp.exp(
        log(m + 1) - log(top + 1) - log(m - top + 1) + top * mp.log(p) + (m - top) * mp.log(q)
    )  # of t = above - top; then of the next t, which has one yes vote less among the known
    sums, worst, below, upto = [zero, zero], zero, zero, zero
    for t in range(-1, u + 1):
        below, upto = upto, upto + (law[t] if t >= 0 else 0)
        deltas = told_yes[t], told_no[t] + max(zero, upto - e * below)
        k = case.above - t
        if k > m or k < 0:
            continue
        worst = max(worst, *deltas)
        if t >= 0:
            sums = [total + weight * delta for total, delta in zip(sums, deltas, strict=True)]
            weight *= k * q / ((m - k + 1) * p)
    certain, _ = _tails(Large(m + 1, case.yes, 0, threshold=False), mp)
    sums = [total + certain(case.above + 1) * told[-1] for total, told in zip(sums, (told_yes, told_no), strict=True)]
    return [worst, max(sums)]


def scipy(case: Large) -> Timed:
    """scipy.stats.binom in floating point, by the same formulas."""
    import numpy as np

    binom = import_module("scipy.stats").binom

    def run() -> list[str]:
        u, p, e = case.others, case.yes / 100, exp(0.1)
        t = np.array([case.above]) if case.one_level else np.arange(-1, u + 1)
        start = np.maximum(t + 1, case.first)
        yes = np.maximum(binom.sf(start - 2, u, p) - e * binom.sf(start - 1, u, p), 0)
        cdf = binom(u, p).cdf
        no = np.where(t < case.last, cdf(case.last) - cdf(t) - e * (cdf(case.last - 1) - cdf(t - 1)), 0)
        no = np.maximum(no, 0) + np.maximum(cdf(t) - e * cdf(t - 1), 0)
        worst = average = max(yes.max(), no.max())
        if not case.one_level:
            weights = binom.pmf(case.above - t, case.known, p)
            weights[0] = binom.sf(case.above, case.known, p)
            average = max(weights @ yes, weights @ no)
        return [f"{float(x):.11e}" for x in (worst, average)]

    return run


@dataclass(frozen=True)
class Contestant:
    """How to answer, and the largest n that is tried."""

    label: str
    prepare: Callable[[Large], Timed]
    imports: tuple[str, ...] = ()
    most: int = 10**8


LARGE = {
    "ours": Contestant("this project: `check` twice, 30 digits", ours, ("verifier", "flint")),
    "mpmath": Contestant("mpmath by hand", mpmath, ("mpmath",)),
    "by-hand": Contestant("python-flint by hand, exact", by_hand, ("flint",), most=10**4),
    "scipy": Contestant("scipy `binom`, floats", scipy, ("scipy.stats",)),
}
