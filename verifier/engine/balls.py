"""The engine of enclosures: a count, or a count above a threshold, of independent records, at national scale.

The attacker knows some records; what counts of them is only how many are counted, c. With U the count of the other
records but the target, the output is c + U + (is the target counted), shown if it is above the threshold t. Since the
law of U is log-concave, the outputs that speak for a value are a half-line (Neyman–Pearson), and δ(ε) for a given c is
a difference of two tails (`proofs/balls.md`). Nothing is enumerated, and nothing is guessed: every number is a ball.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from verifier.engine.poisson_binomial import MOST_GROUPS, count_law
from verifier.engine.tails import (
    Ball,
    CountLaw,
    ball,
    between,
    first_fall,
    last_rise,
    positive,
    power,
)
from verifier.errors import UnsupportedError
from verifier.model import Groups, Independent, Model, Secret, Theta, Threshold, check_size, groups_of
from verifier.numbers import CoarseError, Epsilon
from verifier.tables import Label, collected, gathered, label
from verifier.tables.law import half_line

MAX_DIFFERENT = 100_000
"""Most unknown records, or known ones, of which some are different."""
MAX_TARGETS = 64
"""Most sensitive records with different laws; each needs a product of its own."""
MAX_TERMS = 1 << 22
"""Most numbers of counted known records over which an average runs."""


def supports(model: Model) -> bool:
    """Whether the model is a count, or one above a threshold, of independent records, of which some may be known."""
    statistic = model.mechanism.statistic
    if statistic is None or statistic.threshold is None or statistic.denominator > 1 or not model.protects_records:
        return False
    threshold = statistic.threshold
    text = threshold.otherwise.text
    if text.isascii() and text.isdigit() and (len(text) > 18 or int(text) > threshold.above):
        return False
    return all(theta.zeta.plain and _plain(theta) for theta in model.thetas)


def _plain(theta: Theta) -> bool:
    shape = theta.shape
    return isinstance(shape, Independent) or (isinstance(shape, Groups) and shape.independent)


@dataclass(frozen=True)
class Target:
    """A sensitive record that stands for `members` interchangeable ones.

    `known` says whether the attacker knows it; `values` are the values, as positions in T, that it can have.
    """

    secret: Secret
    members: int
    known: bool
    values: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Counted:
    """The laws of two counts for one target, of the other unknown records and of the known ones, with the output rule.

    Records that are counted with probability 1 are in neither count: `certain` is their number. c is the known count.
    """

    unknown: CountLaw
    known_count: CountLaw
    certain: int
    rule: Threshold
    _edges: dict[tuple[Epsilon, bool], int] = field(default_factory=dict)

    @property
    def threshold(self) -> int:
        """The largest count of records, besides the certain ones, that is not shown."""
        return self.rule.above - self.certain

    def worst(self, epsilon: Epsilon, *, counted: bool) -> Ball:
        """δ(ε) for the worst c: all known records are counted, since then the fewest outputs are lumped.

        `counted` says whether P is the law where the target is counted, and Q that where it is not, or the reverse.
        """
        return self._delta_given(epsilon, self.known_count.size, counted=counted)

    def _delta_given(self, epsilon: Epsilon, c: int, *, counted: bool) -> Ball:
        left = self.threshold - c
        if epsilon.is_infinite:
            return self._only(counted=counted) if self._shows(left, counted=counted) else ball(0)
        edge, slack = self._edge(epsilon, counted=counted)
        if counted:
            return self.up(max(edge, left + 1), epsilon) + slack
        return (self.down(edge, epsilon) if left < edge else positive(self.down(left, epsilon))) + slack

    def average(self, epsilon: Epsilon, *, counted: bool) -> Ball:
        """The average Σ_c P[c]·δ(ε given c) over the counts c of known records, as a ball at the precision in force."""
        if epsilon.is_infinite:
            least = self.threshold - (self.unknown.size if counted else 0)
            return self._only(counted=counted) * self.known_count.above(least)
        edge, slack = self._edge(epsilon, counted=counted)
        # the c from `full` on have no lumped output that speaks for P
        full = self.threshold + 1 - edge
        all_of_it = self.up(edge, epsilon) if counted else self.down(edge, epsilon)
        all_shown = all_of_it * self.known_count.above(full) + slack
        if full <= 0:
            return all_shown
        return all_shown + self._partly(min(full - 1, self.known_count.size), epsilon, all_shown, counted=counted)

    def _partly(self, top: int, epsilon: Epsilon, known: Ball, *, counted: bool) -> Ball:
        """Σ over c ≤ top of P[c]·δ(ε) given c; δ grows with c, so that what is left out below is bounded."""
        from flint import ctx

        def left_below(c: int) -> Ball:
            return self._delta_given(epsilon, c, counted=counted) * self.known_count.below(c)

        scale = known + self._delta_given(epsilon, top, counted=counted) * self.known_count.term(top)
        small = scale * ball(Fraction(1, 1 << ctx.prec))
        stop, step = top, 1
        while stop >= 0 and not left_below(stop) <= small:
            stop, step = stop - step, 2 * step
            if step > MAX_TERMS:
                raise CoarseError
        left_out = between(ball(0), left_below(stop)) if stop >= 0 else ball(0)
        return left_out + self._sum(max(stop, -1) + 1, top, epsilon, counted=counted)

    def _sum(self, low: int, high: int, epsilon: Epsilon, *, counted: bool) -> Ball:
        """Σ over c from low to high, tail by tail in the direction in which the tails grow by adding."""
        e, total = power(epsilon), ball(0)
        order = range(low, high + 1) if counted else range(high, low - 1, -1)
        weights = _Walk(self.known_count, order[0]) if len(order) else None
        k = self.threshold - order[0] + (1 if counted else 0) if len(order) else 0
        tails = _Tails(self.unknown, k, upper=counted)
        for c in order:
            if weights is not None:
                total += weights.at(c) * positive(tails.now - e * tails.smaller)
                tails.grow()
        return total

    def down(self, k: int, epsilon: Epsilon) -> Ball:
        """P(S) - e^ε·Q(S) = P[U ≤ k] - e^ε·P[U ≤ k - 1], for S = {count ≤ k}, where Q alone counts the target."""
        return self.unknown.below(k) - power(epsilon) * self.unknown.below(k - 1)

    def up(self, k: int, epsilon: Epsilon) -> Ball:
        """P(S) - e^ε·Q(S) = P[U ≥ k - 1] - e^ε·P[U ≥ k], for S = {count ≥ k}, where P alone counts the target."""
        return self.unknown.above(k - 1) - power(epsilon) * self.unknown.above(k)

    def _edge(self, epsilon: Epsilon, *, counted: bool) -> tuple[int, Ball]:
        """Where the outputs that speak for P begin, or end; and [0, what one more may gain], nearly always 0.

        Where one more output is a tie, or nearly, it makes no difference but for this.
        """
        key = epsilon, counted
        if key not in self._edges:
            k, gain = (first_fall if counted else last_rise)(self.unknown, epsilon)
            if not gain.is_zero():
                return k, between(ball(0), gain)
            self._edges[key] = k
        return self._edges[key], ball(0)

    def mass(self, epsilon: Epsilon, *, counted: bool, first: bool) -> Ball:
        """P(S) with `first`, else Q(S), for the worst event S where all known records are counted."""
        left = self.threshold - self.known_count.size
        if counted:
            low = self._edge(epsilon, counted=True)[0]
            return self.unknown.above(max(low, left + 1) - int(first))
        high = max(self._edge(epsilon, counted=False)[0], left)
        return self.unknown.below(high - int(not first))

    def _only(self, *, counted: bool) -> Ball:
        """P of the one count that only P can have: all others counted, or none."""
        return self.unknown.term(self.unknown.size if counted else 0)

    def _shows(self, left: int, *, counted: bool) -> bool:
        """Whether that count is shown, or lumped with nothing that Q can have."""
        return left <= (self.unknown.size if counted else 0)

    def lost(self, *, counted: bool) -> bool:
        """Whether some output is possible only under P, for some c: then no finite ε is enough at δ = 0."""
        return self._shows(self.threshold - self.known_count.size, counted=counted)

    def event(self, epsilon: Epsilon, *, counted: bool) -> tuple[Label, ...]:
        """The worst event where all known records are counted: outputs with P(o) > e^ε·Q(o), as half-lines."""
        first = self.known_count.size + self.certain
        left = self.threshold - self.known_count.size
        above, otherwise = self.rule.above, self.rule.otherwise
        if counted:
            low = max(self._edge(epsilon, counted=True)[0], left + 1)
            return (half_line(">", first + low - 1),) if low <= self.unknown.size + 1 else ()
        rise = self._edge(epsilon, counted=False)[0]
        if left >= rise:
            return (otherwise,)
        half = half_line("<", first + rise + 1)
        return (half,) if left < 0 else (otherwise, _stretch(above + 1, first + rise))


def _stretch(low: int, high: int) -> Label:
    return label(low) if low == high else Label(f"{low}..{high}", f"{low}..{high}")


class _Walk:
    """P[X = c] for c that go up or down by one, each from the last."""

    def __init__(self, law: CountLaw, start: int) -> None:
        self.law, self.c = law, start
        self.term = law.term(start)

    def at(self, c: int) -> Ball:
        """P[X = c]; c is that of the last call, or one beside it."""
        p, q = getattr(self.law, "odds", (0, 0))
        n = self.law.size
        if c == self.c:
            return self.term
        if not p or not 0 <= c <= n or not 0 <= self.c <= n:
            self.c, self.term = c, self.law.term(c)
            return self.term
        if c > self.c:
            self.term = self.term * ((n - c + 1) * p) / (c * q)
        else:
            self.term = self.term * ((c + 1) * q) / ((n - c) * p)
        self.c = c
        return self.term


class _Tails:
    """Two neighbouring tails, P[X ≤ k] and P[X ≤ k - 1] for rising k, or P[X ≥ k - 1] and P[X ≥ k] for falling k."""

    def __init__(self, law: CountLaw, k: int, *, upper: bool) -> None:
        self.upper, self.k = upper, k
        self.smaller = law.above(k) if upper else law.below(k - 1)
        self.terms = _Walk(law, k - 1 if upper else k)
        self.now = self.smaller + self.terms.term

    def grow(self) -> None:
        """Add the next term to both tails."""
        self.k += -1 if self.upper else 1
        self.smaller = self.now
        self.now = self.now + self.terms.at(self.k - 1 if self.upper else self.k)


class Balls:
    """The targets of one distribution of a model that is a count, and the laws of the counts for each."""

    def __init__(self, model: Model, theta: Theta) -> None:
        self.model, self.theta = model, theta
        threshold = model.mechanism.statistic.threshold if model.mechanism.statistic else None
        if threshold is None:
            raise TypeError("this model is no count")
        self.threshold = threshold
        self.known = theta.zeta.records
        first = model.mechanism.draws[0]
        self.counted = tuple(draw[0][0] for draw in first)

    @cached_property
    def stretches(self) -> list[tuple[tuple[tuple[int, ...], int], range | list[int]]]:
        """The different laws of records, each with its records."""
        return _stretches(self.theta)

    def chance(self, law: tuple[tuple[int, ...], int]) -> Fraction:
        """The probability that a record with this law is counted."""
        weights, total = law
        return Fraction(sum(w for w, e in zip(weights, self.counted, strict=True) if e), total)

    @cached_property
    def targets(self) -> list[Target]:
        """The sensitive records, one of each class of interchangeable ones.

        Raises:
            LimitError: where there are more than `MAX_TARGETS` classes, with different laws.

        """
        secrets = self.model.secrets
        wanted = getattr(secrets, "records", None)
        records: Sequence[int] = wanted if wanted is not None else [s.record for s in secrets if s.record is not None]
        targets = []
        for (weights, _), stretch in self.stretches:
            values = tuple(v for v, w in enumerate(weights) if w)
            for known in (False, True):
                members, first = _meet(stretch, records, self.known, inside=known)
                if members and first is not None:
                    targets.append(Target(Secret(first, self.model.values), members, known, values))
        alone = len(self.stretches) == 1
        fact = f"enclosures of {len(targets):,} different sensitive records"
        check_size(0 if alone else len(targets), MAX_TARGETS, fact, fixed="records")
        return sorted(targets, key=lambda target: target.secret.record or 0)

    def counted_of(self, target: Target) -> Counted:
        """The laws of the counts of the other records, for one target.

        Raises:
            UnsupportedError: for more than `MAX_DIFFERENT` records with more than `MOST_GROUPS` different laws.

        """
        unknown: list[tuple[Fraction, int]] = []
        known_chances: list[tuple[Fraction, int]] = []
        certain = 0
        for law, stretch in self.stretches:
            p = self.chance(law)
            inside = _number_in_both(stretch, self.known)
            own = target.secret.record in stretch
            for part, number in (
                (known_chances, inside - int(own and target.known)),
                (unknown, len(stretch) - inside - int(own and not target.known)),
            ):
                if number and p == 1:
                    certain += number
                elif number and p > 0:
                    part.append((p, number))
        laws = []
        for part in (list(gathered(unknown).items()), list(gathered(known_chances).items())):
            number = sum(times for _, times in part)
            if len(part) > MOST_GROUPS and number > MAX_DIFFERENT:
                raise UnsupportedError(
                    f"enclosures take {number:,} records only where they have at most {MOST_GROUPS} different laws",
                    tip=f"up to {MAX_DIFFERENT:,} records may be different",
                )
            laws.append(count_law(part))
        return Counted(laws[0], laws[1], certain, self.threshold)


def _stretches(theta: Theta) -> list[tuple[tuple[tuple[int, ...], int], range | list[int]]]:
    shape = theta.shape
    stretches: list[tuple[tuple[tuple[int, ...], int], range | list[int]]] = []
    start = 0
    blocks = shape.blocks if isinstance(shape, Groups) else ((1, 0, shape),)
    for times, _, part in blocks:
        if not isinstance(part, Independent):
            raise TypeError("the records are not independent")
        size = len(part.laws)
        grouped = list(groups_of(part.laws))
        if len(grouped) == 1:
            stretches.append((grouped[0][0], range(start, start + size * times)))
        else:
            stretches.extend(collected((part.laws[i % size], start + i) for i in range(size * times)).items())
        start += size * times
    return stretches


def _number_in_both(left: range | list[int], right: Sequence[int]) -> int:
    """How many numbers two lists have in common."""
    if isinstance(left, range) and isinstance(right, range):
        return max(0, min(left.stop, right.stop) - max(left.start, right.start))
    small, big = (left, right) if len(left) <= len(right) else (right, left)
    inside = big if isinstance(big, range) else frozenset(big)
    return sum(1 for i in small if i in inside)


def _meet(
    stretch: range | list[int], records: Sequence[int], known: Sequence[int], *, inside: bool
) -> tuple[int, int | None]:
    """How many of these records are sensitive and (not) known, and the first of them."""
    if isinstance(stretch, range) and isinstance(records, range) and isinstance(known, range):
        low, high = max(stretch.start, records.start), min(stretch.stop, records.stop)
        cut = range(max(low, known.start), min(high, known.stop))
        if inside:
            return len(cut), cut.start if cut else None
        number = max(0, high - low) - len(cut)
        first = low if not cut or cut.start > low else cut.stop
        return number, first if number else None
    known_records, wanted = known if isinstance(known, range) else frozenset(known), records
    if isinstance(stretch, range) and not isinstance(records, range):
        sensitive = sorted(i for i in records if i in stretch and (i in known_records) == inside)
    else:
        chosen = wanted if isinstance(wanted, range) else frozenset(wanted)
        sensitive = [i for i in stretch if i in chosen and (i in known_records) == inside]
    return len(sensitive), sensitive[0] if sensitive else None


def pairs_of(balls: Balls, values: Sequence[int], *, one_order: bool) -> Iterator[tuple[int, int, bool | None]]:
    """The values a ≠ b of these, and whether P counts a; None where both add the same."""
    for a in values:
        for b in values:
            if a != b and not (one_order and a > b):
                e_a, e_b = balls.counted[a], balls.counted[b]
                yield a, b, None if e_a == e_b else bool(e_a)
