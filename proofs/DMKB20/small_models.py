"""Small models of section 2, each computed again from the definitions by separate code."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import z3

from verifier.wings.papers.ledger.laws import BITS, HALF, ONE, Law, bits, conditional, total
from verifier.wings.papers.ledger.plain import Database, Plain, World, smallest, surely, uniform
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, less, rational, unsatisfiable

PAIRS = bits(2)


def impossible_value() -> Steps:
    """models/relations/impossible-value.toml: M tells whether the record is 2, which it never is."""
    model = Plain(uniform([(0,), (1,)]), surely(lambda d: d[0] == 2), (0, 1, 2), (0,))
    neighbours = [(dict(model.rule((a,))), dict(model.rule((b,)))) for a, b in product(range(3), repeat=2)]
    return (
        equal(smallest(neighbours), None, "DP: no finite e^ε"),
        equal(smallest(model.np()), ONE, "NP: the smallest e^ε"),
        equal(smallest(model.cdp()), ONE, "CDP: the smallest e^ε"),
        equal(smallest(model.cdp(every=True)), None, "CDP for all b of T: none"),
    )


def outliers() -> Steps:
    """models/DMKB20/example-3-outliers.toml: three equal records; how many are more than 1/2 from the average."""

    def count(d: Database) -> int:
        mean = Fraction(sum(d), 3)
        return sum(abs(v - mean) > HALF for v in d)

    model = Plain(uniform([(0, 0, 0), (1, 1, 1)]), surely(count))
    return (
        equal(smallest(model.np()), ONE, "NP: the smallest e^ε"),
        equal(smallest(model.cdp()), None, "CDP: no finite e^ε"),
        equal(count((0, 0, 1)), 1, "one changed record is one outlier"),
    )


def knowledge_about_others() -> Steps:
    """Proposition 3 tried out: two bits, B₁ any function of them independent of D(0), B₂ any function of B₁, M any.

    For fair bits and bits with 1/3, and all mechanisms that answer with 1/4 or 3/4 (up to the outputs' names): NP,
    and CDP over all b of T, need at least as much against B₁. For CDP also where B₁ depends on D(0).
    """
    tried = [case for p in (HALF, Fraction(1, 3)) for case in product((p,), _partitions(), range(8))]
    free = [case for case in tried if _independent(case[0], case[1])]
    return (
        less(0, len(free), "cases with B₁ independent of D(0)"),
        every_case(free, _np_grows, "NP: at least as much for every B₂ = h(B₁)"),
        every_case(tried, _cdp_grows, "CDP over all b of T: the same, for every B₁"),
    )


Labels = tuple[int, ...]
Tried = tuple[Fraction, Labels, int]


def _partitions() -> list[Labels]:
    """All functions of the two bits, up to the names of their values: each label at most one above those before."""
    return [
        labels
        for labels in product(range(4), repeat=4)
        if all(v <= max((-1, *labels[:k])) + 1 for k, v in enumerate(labels))
    ]


def _worlds(p: Fraction, labels: Labels) -> tuple[World, ...]:
    chance = {1: p, 0: 1 - p}
    return tuple((chance[d[0]] * chance[d[1]], d, label) for d, label in zip(PAIRS, labels, strict=True))


def _independent(p: Fraction, labels: Labels) -> bool:
    for label in set(labels):
        inside = [(q, d) for q, d, known in _worlds(p, labels) if known == label]
        mass = total(q for q, _ in inside)
        if total(q for q, d in inside if d[0] == 1) != p * mass:
            return False
    return True


def _model(case: Tried, labels: Labels) -> Plain:
    p, _, table = case
    chance = {d: Fraction(3 if table >> k & 1 else 1, 4) for k, d in enumerate(PAIRS)}
    return Plain(_worlds(p, labels), lambda d: {"t": chance[d], "u": 1 - chance[d]}, BITS, (0,))


def _coarser(labels: Labels) -> set[Labels]:
    """All functions of a labelling, up to the names of their values."""
    renamings = product(range(max(labels) + 1), repeat=max(labels) + 1)
    named = [tuple(names[label] for label in labels) for names in renamings]
    return {tuple(sorted(set(labelling), key=labelling.index).index(v) for v in labelling) for labelling in named}


def _at_least(more: Fraction | None, less_known: Fraction | None) -> bool:
    return more is None or (less_known is not None and less_known <= more)


def _np_grows(case: Tried) -> bool:
    needed = smallest(_model(case, case[1]).np())
    return all(_at_least(needed, smallest(_model(case, coarser).np())) for coarser in _coarser(case[1]))


def _cdp_grows(case: Tried) -> bool:
    needed = smallest(_model(case, case[1]).cdp(every=True))
    return all(_at_least(needed, smallest(_model(case, coarser).cdp(every=True))) for coarser in _coarser(case[1]))


def average_side_simulated() -> Steps:
    """models/DMKB20/example-1-side.toml in DDP: e^ε = 1.1975 is not enough, 1.1976 is; √(11679/8144) is between.

    At a fixed e^ε a simulator is a solution of linear inequalities, one law for each pair of other records.
    """
    rare = {-1: Fraction(1, 20), 0: Fraction(3, 20), 1: Fraction(8, 10)}
    other_records = list(product((-1, 0, 1), repeat=2))
    sides = (-1, 0, 1)
    joint = {
        (a, d): total(HALF * rare[m * a] * rare[m * d[0]] * rare[m * d[1]] for m in (-1, 1))
        for a in sides
        for d in other_records
    }
    rows = {a: conditional({d: joint[a, d] for d in other_records}) for a in sides}

    def answer_law(a: int, d: Database) -> Law:
        majority = (a + sum(d) > 0) - (a + sum(d) < 0)
        return {o: Fraction(8 if o == majority else 1, 10) for o in sides}

    factual = {a: {o: total(q * answer_law(a, d)[o] for d, q in row.items()) for o in sides} for a, row in rows.items()}
    sim = {(d, o): z3.Real(f"s{d}{o}") for d in other_records for o in sides}
    lawful = [sum(sim[d, o] for o in sides) == 1 for d in other_records] + [chance >= 0 for chance in sim.values()]

    def within(ratio: Fraction) -> list[z3.BoolRef]:
        constraints, E = [], rational(ratio)
        for a, o in product(sides, sides):
            answer = sum(rational(q) * sim[d, o] for d, q in rows[a].items())
            p = rational(factual[a][o])
            constraints += [p <= E * answer, answer <= E * p]
        return constraints

    low, high = Fraction(11975, 10000), Fraction(11976, 10000)
    solver = z3.Solver()
    solver.add(*lawful, *within(high))
    solver.check()
    values = solver.model()
    chosen = {key: Fraction(values.eval(chance, model_completion=True).as_string()) for key, chance in sim.items()}
    answers = {a: {o: total(q * chosen[d, o] for d, q in row.items()) for o in sides} for a, row in rows.items()}
    return (
        unsatisfiable([*lawful, z3.And(*within(low))], "no simulator at e^ε = 1.1975"),
        every_case(other_records, lambda d: sum(chosen[d, o] for o in sides) == 1, "a simulator: nine laws"),
        every_case(
            sides, lambda a: (smallest([(factual[a], answers[a])]) or high + 1) <= high, "its answers are within 1.1976"
        ),
        less(low**2, Fraction(11679, 8144), "the square of the lower end"),
        less(Fraction(11679, 8144), high**2, "below that of the upper one"),
    )
