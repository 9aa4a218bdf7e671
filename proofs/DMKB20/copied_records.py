"""Examples 2, 4 and 5 and Figure 1: records that are copies of each other, and mechanisms on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import ONE, replaced, total
from verifier.wings.papers.ledger.plain import Database, Plain, smallest, smallest_delta, surely, uniform
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, unsatisfiable


def copies(values: tuple[int, ...], count: int, times: int) -> list[Database]:
    """All databases of `count` values, each of which stands in `times` equal records."""
    return [tuple(v for v in originals for _ in range(times)) for originals in product(values, repeat=count)]


def pairs(values: tuple[int, ...], count: int) -> list[Database]:
    """All databases of `count` pairs of equal records."""
    return copies(values, count, 2)


def triples(values: tuple[int, ...], count: int) -> list[Database]:
    """All databases of `count` triples of equal records."""
    return copies(values, count, 3)


def partner() -> Steps:
    """Example 2 for any values and any n: D(2j + 1) = D(2j) for all j puts D(i) beside i, for even and for odd i."""
    value = z3.DeclareSort("Value")
    record = z3.Function("D", z3.IntSort(), value)
    j, i = z3.Ints("j i")
    copied = z3.ForAll([j], record(2 * j + 1) == record(2 * j))
    return (
        unsatisfiable([copied, i == 2 * j, record(i) != record(i + 1)], "an even record is the one after it"),
        unsatisfiable([copied, i == 2 * j + 1, record(i) != record(i - 1)], "an odd record is the one before it"),
    )


def identity_is_simulated() -> Steps:
    """Example 2: Sim puts the partner at i and returns the database that was there, for up to 3 pairs and 3 values."""
    cases = [(d, i) for k in (1, 2, 3) for d in pairs((0, 1, 2), k) for i in range(2 * k)]

    def restores(database: Database, i: int) -> bool:
        other_records = (*database[:i], *database[i + 1 :])
        beside = i - 1 if i % 2 else i  # in D without i, the partner of an even i moves to its place
        return (*other_records[:i], other_records[beside], *other_records[i:]) == database

    model = Plain(uniform(pairs((0, 1), 1)), surely(lambda d: d))
    return (
        for_all(cases, restores, "Sim(D without i) = D"),
        equal(smallest(model.cdp()), None, "while the identity is in CDP for no ε"),
        equal(smallest(model.np()), None, "and in NP for no ε"),
    )


def smallest_sum() -> Steps:
    """Example 4 for every R on ℕ with two values: the smallest sum separates, in NP and in CDP.

    With the smallest value m and another value b: given D(i) = m the smallest possible sum is 2·m·k for k independent
    pairs, given D(i) = b it is 2·b + 2·m·(k - 1), and with D(i) = m set to b it is m + b + 2·m·(k - 1). Only the
    first law can produce 2·m·k, so that no e^ε is enough.
    """
    m, b, k = z3.Ints("m b k")
    hypotheses = [m >= 0, b > m, k >= 1]
    return (
        unsatisfiable([*hypotheses, 2 * b + 2 * m * (k - 1) <= 2 * m * k], "given b the sum is above 2·m·k"),
        unsatisfiable([*hypotheses, m + b + 2 * m * (k - 1) <= 2 * m * k], "and so is it with m set to b"),
    )


def parity_of_a_change() -> Steps:
    """Example 4: a change from a to b makes the sum odd iff a and b differ in parity: never for R on even numbers."""
    a, b, number, half = z3.Ints("a b rest half")
    changed = a + b + 2 * number
    return (
        unsatisfiable([(a - b) % 2 == 0, changed % 2 == 1], "a and b of one parity: the sum stays even"),
        unsatisfiable([(a - b) % 2 == 1, changed % 2 == 0], "of different parity: it becomes odd"),
        unsatisfiable([a == 2 * half, b == 2 * number, (a + b) % 2 == 1], "two even values have an even sum"),
        equal(
            [sum(d) for d in ((0, 0), (2, 2), (0, 2))],
            [0, 4, 2],
            "R on {0, 2}, a pair: the sums, and the sum after a change",
        ),
    )


def parity() -> Steps:
    """The repair of Example 4, for every R: the parity of the sum is in NP with ε = 0; in CDP it depends on R.

    Where two possible values differ in parity no ε is enough, else ε = 0 is. The other pairs add 2·`half_sum`.
    """
    a, b, half_sum = z3.Ints("a b rest")
    changed = (a + b + 2 * half_sum) % 2
    steps = [
        unsatisfiable(
            [(2 * a + 2 * half_sum) % 2 != 0], "for every R the parity is 0 on possible databases: NP, ε = 0"
        ),
        unsatisfiable(
            [(a - b) % 2 == 1, changed == 0], "a, b of different parity: 1 after the change, so CDP for no ε"
        ),
        unsatisfiable([(a - b) % 2 == 0, changed == 1], "of one parity: 0 after it as before, so CDP with ε = 0"),
    ]
    for values, count in product(((0, 1), (0, 2), (1, 3), (1, 2, 5)), (1, 2)):
        model = Plain(uniform(pairs(values, count)), surely(lambda d: sum(d) % 2), values, tuple(range(2 * count)))
        needed = None if len({value % 2 for value in values}) > 1 else ONE
        steps += [
            equal(smallest(model.np()), ONE, f"R on {values}, {count} pairs: NP, the smallest e^ε"),
            equal(smallest(model.cdp()), needed, "CDP, the smallest e^ε"),
        ]
    return tuple(steps)


def printed(database: Database) -> Database:
    """Example 5 as printed: a value that appears once becomes the value that appears twice; nothing else changes."""
    counts = Counter(database)
    once = [v for v, k in counts.items() if k == 1]
    twice = [v for v, k in counts.items() if k == 2]
    if len(once) != 1 or len(twice) != 1:
        return database
    return tuple(twice[0] if v == once[0] else v for v in database)


def corrected(rule: Callable[[Database], Hashable], values: tuple[int, ...], count: int) -> Plain:
    """The model of `count` uniform triples of equal records, all protected, with a rule that corrects databases."""
    return Plain(uniform(triples(values, count)), surely(rule), values, tuple(range(3 * count)))


def one_triple() -> Steps:
    """Example 5 with one triple of any values: a change is undone, so CDP at ε = 0; the database is put out."""
    cases = product(triples(tuple(range(5)), 1), range(3), range(5))
    model = corrected(printed, (0, 1, 2), 1)
    return (
        for_all(cases, lambda d, i, b: printed(replaced(d, i, b)) == d, "five values: undone"),
        equal(smallest(model.cdp()), ONE, "three values: CDP, the smallest e^ε"),
        equal(smallest(model.np()), None, "NP: no finite e^ε, for the database is put out"),
        every_case(triples((0, 1, 2), 1), lambda d: printed(d) == d, "a possible database is put out as it is"),
    )


def more_triples() -> Steps:
    """Example 5 with two and three uniform triples: δ = 1 - (1 - p(a) - p(b))^(n-1) at every ε."""
    steps = []
    for values, count in (((0, 1), 2), ((0, 1, 2), 2), ((0, 1, 2), 3), ((0, 1, 2, 3), 3)):
        model = Plain(uniform(triples(values, count)), surely(printed), values, (0,))
        claimed = 1 - (1 - Fraction(2, len(values))) ** (count - 1)
        never = max(total(p for o, p in law.items() if o not in other_law) for law, other_law in model.cdp())
        ends = smallest_delta(model.cdp(), ONE), never
        steps.append(
            equal(ends, (claimed, claimed), f"{count} triples of {len(values)} values: δ at ε = 0, ∞: at every ε")
        )
    first = printed((1, 0, 0, 1, 1, 1))
    return (
        *steps,
        equal(first, (1, 0, 0, 1, 1, 1), "000111 with record 0 set to 1: no value appears once"),
        equal(printed((1, 0, 0, 0, 0, 0)), (1, 0, 0, 0, 0, 0), "000000 with record 0 set to 1: no value appears twice"),
    )


def natural_mechanisms() -> Steps:
    """Mode and median of three copies are in CDP with ε = 0 and tell all records, with no correction in them."""
    cases = list(product(range(4), range(3), range(4)))

    def middle(database: Database) -> int:
        return sorted(database)[1]

    model = Plain(uniform(triples((0, 1, 2, 3), 1)), surely(middle), (0, 1, 2, 3))
    return (
        for_all(
            cases,
            lambda v, i, b: middle(replaced((v, v, v), i, b)) == v,
            "the median of three copies, one changed, is the value",
        ),
        for_all(
            cases, lambda v, i, b: Counter(replaced((v, v, v), i, b)).most_common(1)[0][0] == v, "and so is the mode"
        ),
        equal(smallest(model.cdp()), ONE, "CDP: the smallest e^ε"),
        equal(smallest(model.np()), None, "NP: no finite e^ε"),
    )
