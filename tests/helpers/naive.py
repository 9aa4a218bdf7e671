"""The naive twin: every answer again, from the definitions alone (DMKB20, Definitions 1, 2, 3, 5, 6, 12, 13).

Nothing here is imported from the package. Worlds are plain rows, laws are dictionaries of Fractions,
δ is a maximum over all events, P(S) - E·Q(S), wherever there are few enough of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

Db = tuple[str, ...]
Law = dict[str, Fraction]
Line = tuple[Fraction, Fraction]
"""(A, B) stands for A - B·E."""

ZERO, ONE = Fraction(0), Fraction(1)
FEW = 7
"""Up to so many outcomes, all their subsets are looked at."""


@dataclass(frozen=True)
class Row:
    """One world: database, B̂, S where it is no record, probability."""

    database: Db
    knowledge: str
    sensitive: str | None
    p: Fraction


@dataclass(frozen=True)
class Plain:
    """A model as plain tables; `secrets` is None where S is a column (then `domain` lists its values)."""

    size: int
    values: list[str]
    worlds: dict[str, list[Row]]
    mechanism: Callable[[Db], Law]
    secrets: list[int] | None
    domain: list[str]
    absent: str | None = None

    @property
    def there(self) -> list[str]:
        """The values of a record that is there: what is changed has one of these before and after."""
        return [v for v in self.values if v != self.absent]


Pair = tuple[Fraction, Law, Law | None]
"""A weight, P, and Q, which is None where it does not exist."""


@dataclass
class Compared:
    """What the definition bounds by δ, and how often it is so."""

    pairs: list[Pair]
    multiplicity: int = 1

    @cached_property
    def outcomes(self) -> list[Line]:
        """The weighted (P, Q) of every (B̂, output)."""
        return [
            (weight * p.get(o, ZERO), weight * (q or {}).get(o, ZERO))
            for weight, p, q in self.pairs
            for o in {**p, **(q or {})}
        ]

    @cached_property
    def events(self) -> list[Line]:
        """(P(S), Q(S)) of every event S: with each outcome and without it."""
        found = [(ZERO, ZERO)]
        for p, q in reversed(self.outcomes):
            found += [(a + p, b + q) for a, b in found]
        return found


# --- E = e^ε ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exp:
    """E = x^r (kind log), e^r (kind rational), or infinite. `rational` is its value where it has one."""

    kind: str
    r: Fraction = ONE
    x: Fraction = ONE
    rational: Fraction | None = None

    def sign(self, a: Fraction, b: Fraction) -> int:
        """The sign of a - b·E."""
        if self.kind == "inf":
            return signum(a) if b == 0 else -signum(b)
        if signum(a) != signum(b) or a == 0:
            return signum(signum(a) - signum(b))
        return signum(a) * self._against(a / b)

    def _against(self, ratio: Fraction) -> int:
        """The sign of ratio - E, for ratio > 0: by integer powers, or by partial sums of the series."""
        if self.kind == "log":
            return signum(ratio**self.r.denominator - self.x**self.r.numerator)
        if self.r == 0:
            return signum(ratio - 1)
        total, term, k = ONE, ONE, 0
        while True:
            k += 1
            term = term * self.r / k
            total += term
            if ratio <= total:
                return -1
            if k > 2 * self.r and ratio >= total + term:  # the rest is below a geometric series of ratio 1/2
                return 1


def signum(value: Fraction | int) -> int:
    return (value > 0) - (value < 0)


# --- tightest parameters of one comparison ----------------------------------------------------------------


def tail_line(one: Compared, e: Exp) -> Line:
    """P[loss > ε], for E = ∞ of the outcomes that only P has."""
    above = [p for p, q in one.outcomes if (p > 0 and q == 0 if e.kind == "inf" else e.sign(p, q) > 0)]
    return sum(above, ZERO), ZERO


def tail_factor(one: Compared, delta: Fraction) -> Fraction | None:
    """The smallest E ≥ 1 with P[P > E·Q] ≤ δ: 1 or a ratio P/Q; None where there is none."""
    for e in [ONE, *sorted({p / q for p, q in one.outcomes if q and p > q})]:
        if sum((p for p, q in one.outcomes if p > e * q), ZERO) <= delta:
            return e
    return None


def best_line(one: Compared, e: Exp) -> Line:
    """The (A, B) with δ(E) = A - B·E: the best event; where there are many, the outcomes with P > E·Q."""
    if e.kind == "inf":
        return sum((p for p, q in one.outcomes if q == 0), ZERO), ZERO
    if len(one.outcomes) > FEW:
        gain = [(p, q) for p, q in one.outcomes if e.sign(p, q) > 0]
        return sum((p for p, _ in gain), ZERO), sum((q for _, q in gain), ZERO)
    best = (ZERO, ZERO)
    for p, q in one.events:
        if e.sign(p - best[0], q - best[1]) > 0:
            best = (p, q)
    return best


def least_factor(one: Compared, delta: Fraction) -> Fraction | None:
    """The smallest E ≥ 1 with P(S) - E·Q(S) ≤ δ for all S; None where there is none."""
    if len(one.outcomes) > FEW:
        return _by_breakpoints(one, delta)
    least = ONE
    for p, q in one.events:
        if q == 0 and p > delta:
            return None
        if q:
            least = max(least, (p - delta) / q)
    return least


def sum_formula(one: Compared, factor: Fraction) -> Fraction:
    """Σ max(0, P(o) - E·Q(o))."""
    return sum((max(ZERO, p - factor * q) for p, q in one.outcomes), ZERO)


def _by_breakpoints(one: Compared, delta: Fraction) -> Fraction | None:
    """δ(E) is linear between ratios P/Q: walk along them until it is at most δ."""
    if sum((p for p, q in one.outcomes if q == 0), ZERO) > delta:
        return None
    if sum_formula(one, ONE) <= delta:
        return ONE
    left = ONE
    for right in sorted({p / q for p, q in one.outcomes if q and p > q}):
        if sum_formula(one, right) <= delta:
            high, low = sum_formula(one, left), sum_formula(one, right)
            return left + (right - left) * (high - delta) / (high - low)
        left = right
    raise AssertionError("δ(E) does not fall to the mass that only P has")


# --- what is compared -------------------------------------------------------------------------------------


def families(plain: Plain, definition: str, reading: str = "default") -> list[list[Compared]]:
    """The comparisons of each (θ, i), in the order θ, i, a, b, B̂; for dp of each protected record."""
    definition = definition.removeprefix("tail-")
    if definition == "dp":
        return [_neighbours(plain, i, reading) for i in plain.secrets or ()]
    found = []
    for rows in plain.worlds.values():
        records: list[int | None] = [None] if plain.secrets is None else list(plain.secrets)
        for record in records:
            compare = _posterior if definition == "ibcdp" else _conditional
            seen = [row for row in rows if row.p]
            if definition in {"cdp", "ibcdp"}:  # a record that is not there is not changed
                seen = [row for row in seen if record is None or row.database[record] != plain.absent]
            found.append(compare(plain, seen, record, definition, reading))
    return found


def _posterior(plain: Plain, rows: list[Row], record: int | None, _definition: str, reading: str) -> list[Compared]:
    """P[D(i) = v | B̂, M(D) = t] against P[D(i) = v | B̂, M(D with i set to b) = t], from all worlds."""
    assert record is not None
    found: list[Compared] = []
    for b, known in product(plain.there, dict.fromkeys(row.knowledge for row in rows)):
        heard = [row for row in rows if row.knowledge == known]
        if reading == "possible-values" and all(row.database[record] != b for row in heard):
            continue
        joint: list[dict[tuple[str, str], Fraction]] = [{}, {}]
        for row in heard:
            for which, database in enumerate((row.database, (*row.database[:record], b, *row.database[record + 1 :]))):
                for t, p in plain.mechanism(database).items():
                    key = t, row.database[record]
                    joint[which][key] = joint[which].get(key, ZERO) + row.p * p
        for t in dict.fromkeys(t for t, _ in joint[0]):
            total = [sum((p for (o, _), p in one.items() if o == t), ZERO) for one in joint]
            if all(total):
                x, y = (
                    {v: p / w for (o, v), p in one.items() if o == t and p} for one, w in zip(joint, total, strict=True)
                )
                found += both_orders(x, y, reading)
    return found


def both_orders(x: Law, y: Law, reading: str) -> list[Compared]:
    """P against Q, and Q against P."""
    found = [Compared([(ONE, x, y)])]
    return found if reading == "one-order" else [*found, Compared([(ONE, y, x)])]


def _neighbours(plain: Plain, i: int, reading: str) -> list[Compared]:
    found: list[Compared] = []
    for a, b in product(plain.there, repeat=2):
        if a == b or (reading == "one-order" and plain.values.index(a) > plain.values.index(b)):
            continue
        seen: list[Compared] = []
        for rest in product(plain.values, repeat=plain.size - 1):
            first, second = (*rest[:i], a, *rest[i:]), (*rest[:i], b, *rest[i:])
            p, q = plain.mechanism(first), plain.mechanism(second)
            same = next((one for one in seen if one.pairs == [(ONE, p, q)]), None)
            if same:
                same.multiplicity += 1
            else:
                seen.append(Compared([(ONE, p, q)]))
        found += seen
    return found


def _conditional(plain: Plain, rows: list[Row], record: int | None, definition: str, reading: str) -> list[Compared]:
    def secret(row: Row) -> str | None:
        return row.sensitive if record is None else row.database[record]

    def law(known: str, value: str, set_to: str | None = None) -> Law:
        result: Law = {}
        mine = [row for row in rows if row.knowledge == known and secret(row) == value]
        total = sum(row.p for row in mine)
        for row in mine:
            database = row.database
            if set_to is not None and record is not None:
                database = (*database[:record], set_to, *database[record + 1 :])
            for output, q in plain.mechanism(database).items():
                if q:
                    result[output] = result.get(output, ZERO) + row.p / total * q
        return result

    def chance(value: str, known: str | None = None) -> Fraction:
        return sum((r.p for r in rows if secret(r) == value and known in {None, r.knowledge}), ZERO)

    order = list(dict.fromkeys(row.knowledge for row in rows))
    domain = plain.values if record is not None else plain.domain
    domain = plain.there if definition == "cdp" else domain
    mass = {(value, k): chance(value, k) for value in domain for k in order}
    laws = {(k, value): law(k, value) for (value, k), p in mass.items() if p}
    found: list[Compared] = []
    for a, b in product(domain, repeat=2):
        wide = reading == "all-values"
        if a == b or not chance(a) or (not chance(b) and not wide):
            continue
        if reading == "one-order" and definition != "cdp" and domain.index(a) > domain.index(b):
            continue
        with_a = [k for k in order if mass[a, k]]
        with_both = [k for k in with_a if mass[b, k]]
        if definition in {"np", "apkdp"}:
            found += [Compared([(ONE, laws[k, a], laws[k, b])]) for k in with_both]
        elif definition == "ppkdp":
            pairs = [
                (mass[a, k] / chance(a), laws[k, a], laws.get((k, b)))
                for k in (with_a if reading == "infinite-loss" else with_both)
            ]
            if pairs:
                found.append(Compared(pairs))
        elif definition == "cdp":
            for k in with_a if wide else with_both:
                found += both_orders(laws[k, a], law(k, a, b), reading)
        else:
            raise AssertionError(definition)
    return found


# --- answers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """The naive answer; `line` is the tightest δ, `factor` the tightest e^ε (None: infinite)."""

    verdict: str
    line: Line | None
    factor: Fraction | None
    comparisons: int
    multiplicity: int
    empty: int


def answer(families_: list[list[Compared]], e: Exp | None, delta: Fraction, *, tail: bool = False) -> Answer:
    """Decide, for ε given by `e` or, for None, for some finite ε."""
    every = [one for family in families_ for one in family]
    empty = sum(1 for family in families_ if not family)
    if not every:
        return Answer("vacuous", None if e is None else (ZERO, ZERO), ONE, 0, 0, empty)
    factors = [(tail_factor if tail else least_factor)(one, delta) for one in every]
    factor = None if None in factors else max(one for one in factors if one is not None)
    line = None
    if e is not None:
        line, *others = ((tail_line if tail else best_line)(one, e) for one in every)
        for a, b in others:
            line = (a, b) if e.sign(a - line[0], b - line[1]) > 0 else line
    holds = factor is not None if e is None or line is None else e.sign(line[0] - delta, line[1]) <= 0
    verdict = "holds" if holds else "fails"
    return Answer(verdict, line, factor, len(every), sum(one.multiplicity for one in every), empty)


def epsilon_text(factor: Fraction | None) -> str:
    """The canonical text of ln(factor)."""
    return "inf" if factor is None else "0" if factor == 1 else f"ln({factor})"
