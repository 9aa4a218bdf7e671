"""The independent re-check of definitions with a simulator (DMKB20, Definition 4), from plain tables.

Beside the keys of `replay`, a certificate has `evidence`:

* `enough`: the simulator that is enough at e^ε = E for the smallest ε, `[[record, others, θ, B̂], {output: number}]`;
* `needed`: weighted tests `[θ, B̂, record, a, event, forward, weight]` that no simulator passes below E; at ε = inf none
  passes them at all;
* `delta_enough`, `delta_needed`: the same for the smallest δ at the asked ε.

A number is a text, or a list of texts: the coefficients of a polynomial in E. Why this proves the answer stands in
`proofs/simulators.md`; two lemmas are used: a simulator need not answer what no row of the context can produce, and at
δ = 0 it may not answer what some row of the context cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.checker import Rejected, require
from verifier.checker.laws import Tables, chance
from verifier.checker.numbers import (
    ONE,
    ZERO,
    Bounds,
    Exponential,
    down,
    epsilon,
    logarithm_of,
    number,
    order,
    polynomial_of,
    signed,
    up,
)
from verifier.checker.shapes import (
    ANSWER,
    DATABASE,
    ENDS,
    EPSILON,
    OR_NONE,
    RATIONAL,
    RATIONAL_OR_NONE,
    SIGNED,
    TABLES,
    Either,
    Table,
    maybe,
)

# --- what a certificate holds ---

POLYNOMIAL = Either((RATIONAL, [SIGNED]))
CONTEXT = (Either((int, None)), DATABASE, OR_NONE, OR_NONE)
SIMULATOR_SHAPE = maybe([(CONTEXT, Table(POLYNOMIAL))])
LISTED_TESTS = [(str, str, int, str, [str], bool, POLYNOMIAL)]
TESTS = maybe(LISTED_TESTS)
SIMULATED = {
    **TABLES,
    "answer": {
        **ANSWER,
        "tight_delta": Either((ENDS, None)),
        "witness": maybe({}),
        "tightest": maybe({}),
    },
    "evidence": {
        "enough": SIMULATOR_SHAPE,
        "needed": TESTS,
        "delta_enough": SIMULATOR_SHAPE,
        "delta_needed": TESTS,
        "delta_low": RATIONAL_OR_NONE,
        "delta_high": RATIONAL_OR_NONE,
        "zero_epsilon": Either((EPSILON, None)),
        "zero_enough": SIMULATOR_SHAPE,
        "shown": maybe({"at": EPSILON, "value": RATIONAL, "tests": TESTS}),
    },
}

Poly: TypeAlias = list[Fraction]
Context: TypeAlias = tuple[Any, ...]
DOUBLED = tuple(1 << k for k in range(5, 13))
"""Bits of the bounds of E by which the sign of a polynomial is found."""


class Root:
    """A number E ≥ 1 that is given by a polynomial with the root E; it finds the signs of polynomials at E."""

    def __init__(self, text: str) -> None:
        self.polynomial, self.bounds = polynomial_of(text), Exponential(text).bounds

    @classmethod
    def rational(cls, value: Fraction) -> Root:
        """A rational E as a `Root`."""
        return cls(logarithm_of(value))

    def reduced(self, value: Poly) -> Poly:
        """The remainder of a polynomial modulo the polynomial of E: it has the same value at E."""
        value, m = list(value), self.polynomial
        while len(value) >= len(m):
            factor = value[-1] / m[-1]
            for k in range(len(m)):
                value[len(value) - len(m) + k] -= factor * m[k]
            value.pop()
        return value

    def sign(self, value: Poly) -> int:
        """The sign of a polynomial at E; 0 only where its remainder is 0."""
        remainder = self.reduced(value)
        while remainder and remainder[-1] == 0:
            remainder.pop()
        if not remainder:
            return 0
        if len(remainder) == 1:  # a number, as it always is where E is rational
            return 1 if remainder[0] > 0 else -1

        def bounds(bits: int) -> Bounds:
            low, high = self.bounds(bits)
            below = above = ZERO
            for c in reversed(remainder):
                ends = (below * low, below * high, above * low, above * high)
                below, above = down(min(ends), bits) + c, up(max(ends), bits) + c
            return below, above

        return order(bounds, lambda _: (ZERO, ZERO), DOUBLED)


def plus(x: Poly, y: Poly) -> Poly:
    """The sum of two polynomials."""
    if len(x) < len(y):
        x, y = y, x
    return [a + b for a, b in zip(x, y, strict=False)] + x[len(y) :]


def scaled(x: Poly, factor: Fraction) -> Poly:
    """A polynomial times a rational."""
    return [a * factor for a in x]


def shifted(x: Poly) -> Poly:
    """A polynomial times E."""
    return [Fraction(0), *x]


def read(value: Any) -> Poly:
    """The polynomial in E that a text (a number) or a list of coefficients writes."""
    if isinstance(value, str):
        return [number(value)]
    return [signed(c) for c in value]


@dataclass
class ContextRow:
    """The laws of the output and of the context in one row (θ, B̂, i, a); until `Problem` divides, up to a factor."""

    law: dict[str, Fraction]
    contexts: dict[Context, Fraction]

    def add(self, law: Mapping[str, Fraction], contexts: Mapping[Context, Fraction], weight: Fraction) -> None:
        """Add both laws with a weight."""
        both: tuple[tuple[dict[Any, Fraction], Mapping[Any, Fraction]], ...] = (
            (self.law, law),
            (self.contexts, contexts),
        )
        for total, added in both:
            for key, p in added.items():
                if p:
                    total[key] = total.get(key, ZERO) + weight * p


RowKey: TypeAlias = tuple[Any, ...]
"""The name of a row: θ, B̂, the record or the number of what is protected, and its value."""


def rows_of_records(tables: Tables, reading: str) -> dict[RowKey, ContextRow]:
    """The laws of M(D) and of the other records, both with the total P[B̂, D(i) = a], for all rows (θ, B̂, i, a).

    A record that is absent has no row: without it D has no record less. A simulator that is not told i is told a
    multiset: an order would tell how records are numbered.
    """
    rows: dict[RowKey, ContextRow] = {}
    for theta, worlds in tables.thetas.items():
        for database, knowledge, _, mass in worlds:
            for i in (i for i in tables.records if database[i] != tables.absent):
                row = rows.setdefault((theta, knowledge, i, database[i]), ContextRow({}, {}))
                others = (*database[:i], *database[i + 1 :])
                indexed = reading != "index-free"
                context = (
                    i if indexed else None,
                    others if indexed else tuple(sorted(others, key=tables.values.index)),
                    theta if reading == "per-distribution" else None,
                    knowledge if reading == "per-knowledge" else None,
                )
                row.add(tables.law(database), {context: ONE}, mass)
    return rows


def context_of(written: Any) -> Context:
    """The context, which a simulator is told, as evidence writes it: a text, or `[record, others, θ, B̂]`."""
    if isinstance(written, str):
        return (written,)
    record, other_values, theta, knowledge = written
    return record, tuple(other_values), theta, knowledge


class Problem:
    """All rows, and what a simulator may answer in each context.

    Of each context `some` has the outputs that some row with it can produce, `every` those that every such row can.
    """

    def __init__(self, rows: dict[RowKey, ContextRow]) -> None:
        """Divide both laws of each row by the factor that they share."""
        self.rows = rows
        self.some: dict[Context, dict[str, None]] = {}
        self.every: dict[Context, set[str]] = {}
        for row in self.rows.values():
            total = sum(row.contexts.values(), Fraction(0))
            row.law = {o: p / total for o, p in row.law.items()}
            row.contexts = {c: p / total for c, p in row.contexts.items()}
            for c in row.contexts:
                self.some.setdefault(c, {}).update(dict.fromkeys(row.law))
                self.every[c] = self.every.get(c, set(row.law)) & set(row.law)

    def row(self, *named: Any) -> ContextRow:
        """The row (θ, B̂, i, a) that a test is about."""
        if named not in self.rows:
            raise Rejected(f"a test is about a row that is impossible: {list(named)}")
        return self.rows[named]

    def impossible(self) -> bool:
        """Whether at δ = 0 no finite ε is enough: nothing left to answer, or an output that is never answered."""
        if not all(self.every.values()):
            return True
        return any(not any(o in self.every[c] for c in row.contexts) for row in self.rows.values() for o in row.law)

    def enough(self, claimed: Any, root: Root, delta: Fraction, *, limit: bool = False) -> None:
        """Reject the simulator unless both inequalities hold in every row (`limit`: only what P excludes counts)."""
        simulator: dict[Context, dict[str, Poly]] = {}
        for context, law in claimed:
            simulator[context_of(context)] = {o: read(p) for o, p in law.items()}
        if set(simulator) != set(self.some) or len(claimed) != len(simulator):
            raise Rejected("the simulator is not given for each context once")
        for law in simulator.values():
            total = [Fraction(-1)]
            for p in law.values():
                total = plus(total, p)
            if root.sign(total) != 0 or any(root.sign(p) < 0 for p in law.values()):
                raise Rejected("the simulator answers by no law")
        for row in self.rows.values():
            answer: dict[str, Poly] = {}
            for c, share in row.contexts.items():
                for o, p in simulator[c].items():
                    answer[o] = plus(answer.get(o, []), scaled(p, share))
            forward, backward = [-delta], [-delta]
            for o in {**row.law, **answer}:
                p, q = [row.law.get(o, Fraction(0))], answer.get(o, [])
                if limit:
                    backward = plus(backward, [] if p[0] else q)
                    continue
                forward_gain, backward_gain = (
                    plus(p, scaled(shifted(q), Fraction(-1))),
                    plus(q, scaled(shifted(p), Fraction(-1))),
                )
                forward = plus(forward, forward_gain) if root.sign(forward_gain) > 0 else forward
                backward = plus(backward, backward_gain) if root.sign(backward_gain) > 0 else backward
            if root.sign(forward) > 0 or root.sign(backward) > 0:
                raise Rejected("the simulator is not enough")

    def gain(self, tests: Any, root: Root, delta: Fraction, *, pure: bool) -> tuple[Poly, Poly, Poly]:
        """The least value of the tests over all simulators at E, less δ; and A and A + B of proofs/simulators.md."""
        total: Poly = []
        rising: Poly = []
        falling: Poly = []
        offers: dict[Context, dict[str, Poly]] = {}
        # evidence for another answer may have simulators where this one has tests
        require(all(len(test) == 7 for test in tests), "a test names a row by four, an event, a side and a weight")
        for theta, knowledge, record, a, event, forward, weight in tests:
            row, y = self.row(theta, knowledge, record, a), read(weight)
            if root.sign(y) < 0 or len(set(event)) != len(event) or type(forward) is not bool:
                raise Rejected("a test has a negative weight, or an output twice")
            mass = chance(row.law, event)
            if forward:
                total, rising = plus(total, scaled(y, mass - delta)), plus(rising, shifted(scaled(y, mass - delta)))
            else:
                total = plus(plus(total, scaled(shifted(y), -mass)), scaled(y, -delta))
                falling = plus(falling, scaled(y, mass))
            for c, share in row.contexts.items():
                offer_of = offers.setdefault(c, {})
                for o in event:
                    offer_of[o] = plus(offer_of.get(o, []), scaled(shifted(y), -share) if forward else scaled(y, share))
        for c, offer_of in offers.items():
            outputs = [o for o in self.some[c] if not pure or o in self.every[c]]
            if not outputs:
                raise Rejected("nothing is left to answer in a context")
            least = offer_of.get(outputs[0], [])
            for o in outputs[1:]:
                offer = offer_of.get(o, [])
                least = offer if root.sign(plus(least, scaled(offer, Fraction(-1)))) > 0 else least
            total = root.reduced(plus(total, least))
        if not any(root.sign(read(weight)) for *_, weight in tests):
            raise Rejected("there is no test")
        return total, rising, plus(rising, falling)

    def needs(self, tests: Any, root: Root, delta: Fraction) -> bool:
        """Whether the tests show that no ε below the one of E is enough."""
        value, rising, falling = self.gain(tests, root, delta, pure=delta == 0)
        return root.sign(value) >= 0 and root.sign(rising) >= 0 and root.sign(falling) > 0


class Evidence(dict[str, Any]):
    """The evidence of a certificate, which notes the keys that are read."""

    def __init__(self, evidence: dict[str, Any]) -> None:
        super().__init__(evidence)
        self.seen: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        return super().__getitem__(key)

    def nothing_else(self) -> None:
        """Reject evidence that no check has read."""
        left = next((key for key, value in self.items() if value is not None and key not in self.seen), None)
        if left is not None:
            raise Rejected(f"evidence, {left}: it shows nothing of this answer")


def check_witness(problem: Problem, bound: Fraction, asked_epsilon: str | None, evidence: Any) -> None:
    """The tests of a witness: at ε or above, they get their value from every simulator, and it is more than δ."""
    if asked_epsilon in {None, "inf"}:
        return
    witness, value = evidence["shown"], number(evidence["shown"]["value"])
    root = Root(witness["at"])
    if value <= bound or above(str(asked_epsilon), witness["at"]):
        raise Rejected("the witness shows nothing")
    if root.sign(problem.gain(witness["tests"], root, value, pure=False)[0]) < 0:
        raise Rejected("the tests of the witness get less than they claim")


def check_never(problem: Problem, bound: Fraction, tests: Any) -> None:
    """Reject unless no finite ε is enough: at δ = 0 by excluded outputs, else by tests of events impossible for M."""
    if bound == 0 and problem.impossible():
        return
    sign = limit_sign(problem, tests, bound)
    if sign < 0 or (sign == 0 and not _excluded(problem, tests, bound)):
        raise Rejected("tight_epsilon: a finite ε may be enough")


def limit_sign(problem: Problem, tests: Any, bound: Fraction) -> int:
    """The sign of the least value of tests at ε = inf, less δ: their events are what the mechanism cannot produce."""
    if any(problem.row(*t[:4]).law.get(o) for t in tests for o in t[4]) or any(t[5] for t in tests):
        raise Rejected("a test of every ε has an event that the mechanism can produce")
    root = Root("0")
    return root.sign(problem.gain(tests, root, bound, pure=False)[0])


def _excluded(problem: Problem, tests: Any, bound: Fraction) -> bool:
    """Whether the answers that are best against tests which get exactly δ leave out more than δ of a law of M."""
    offers: dict[Context, dict[str, Fraction]] = {
        c: dict.fromkeys(outputs, Fraction(0)) for c, outputs in problem.some.items()
    }
    for theta, knowledge, record, a, event, _, weight in tests:
        for c, share in problem.row(theta, knowledge, record, a).contexts.items():
            for o in event:
                if o in offers[c]:
                    offers[c][o] += number(weight) * share
    best = {
        c: {o for o, offer in offer_of.items() if offer == min(offer_of.values())} for c, offer_of in offers.items()
    }
    return any(
        sum(p for o, p in row.law.items() if not any(o in best[c] for c in row.contexts)) > bound
        for row in problem.rows.values()
    )


def above(left: str, right: str) -> bool:
    """Whether the first ε is above the second; both finite."""
    return left != right and order(epsilon(left).bounds, epsilon(right).bounds) > 0
