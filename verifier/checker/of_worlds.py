"""Comparisons of θ given what is known: of two values, of a record and the same that is set, of beliefs, of two θ."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from typing import Any

from .comparisons import NOTHING, ONE, Asked, Comparison, Name, Term, both, mixture, multiple, named, pair
from .mechanisms import Database, Mechanism
from .models import Model, Row, Theta, conditioned
from .neighbours import replacing
from .numbers import Label, Law, Measure, Unsupported, afford, law_of, listed


def cells(theta: Theta, record: int | None) -> dict[tuple[Label | None, Label], list[Row]]:
    """The worlds by what is known and the protected value."""
    out: dict[tuple[Label | None, Label], list[Row]] = defaultdict(list)
    for row in theta.rows:
        value = row.secret if record is None else row.database[record]
        if value is not None:
            out[row.known, value].append(row)
    return out


def of_theta(theta: Theta, known: Label | None, record: int | None, **more: object) -> Name:
    """The name of a law of θ given what is known."""
    return named(distribution=theta.name, knowledge=known, record=record, **more)


def _mass(rows: Iterable[Row]) -> Fraction:
    return sum((row.probability for row in rows), Fraction(0))


def given(average: bool, asked: Asked) -> Iterator[Comparison]:
    """M(D) given θ, B̂, D(i) = a against the same given b; on average over B̂ given a, or for each B̂.

    A B̂ that excludes b is not compared (in an average it adds 0); in the reading infinite-loss its whole weight counts.
    """
    for theta in asked.model.thetas():
        for i in asked.secrets:
            by = cells(theta, i)
            sides = {at: mixture(conditioned(rows)) for at, rows in by.items()}
            names = {(k, v): of_theta(theta, k, i, value=v) for k, v in by}
            total: dict[Label, Fraction] = defaultdict(Fraction)
            for (_, value), rows in by.items():
                total[value] += _mass(rows)
            afford(len(by) * len(total), "the comparisons of a distribution")
            for a, b in permutations(total, 2):
                if not asked.in_order(a, b, i):
                    continue
                terms = [
                    Term(
                        _mass(rows) / total[a],
                        sides[k, a],
                        sides.get((k, b), NOTHING),
                        (names[k, a], of_theta(theta, k, i, value=b)),
                    )
                    for (k, value), rows in by.items()
                    if value == a and ((k, b) in by or asked.reading == "infinite-loss")
                ]
                if average and terms:
                    yield Comparison(tuple(terms))
                elif not average:
                    yield from (pair(t.p, t.q, ONE, t.names) for t in terms)


def changed(rows: Iterable[Row], record: int, value: Label) -> dict[Database, Fraction]:
    """The law of D with a record set to a value."""
    out: dict[Database, Fraction] = defaultdict(Fraction)
    for d, w in conditioned(rows).items():
        out[replacing(d, record, value)] += w
    return out


def counterfactual(asked: Asked) -> Iterator[Comparison]:
    """M(D) against M(D with i set to b), both given θ, B̂, D(i) = a; both directions."""
    for theta in asked.model.thetas():
        for i in asked.records:
            by = cells(theta, i)
            for (k, a), rows in by.items():
                for b in asked.model.there:
                    if a not in (asked.model.absent, b) and ((k, b) in by or asked.reading == "all-values"):
                        sides = mixture(conditioned(rows)), mixture(changed(rows, i, b))
                        names = of_theta(theta, k, i, value=a), of_theta(theta, k, i, value=a, set_to=b)
                        one_order = asked.reading == "one-order"
                        yield from [pair(*sides, ONE, names)] if one_order else both(*sides, ONE, names)


def beliefs_of_changed(asked: Asked) -> Iterator[Comparison]:
    """The belief about D(i) after M(D) = t against that after M(D with i set to b) = t, where both are possible."""
    m = asked.model
    there = None if m.absent is None else True
    for theta in m.thetas():
        for i in asked.records:
            by = cells(theta, i)
            for k in dict.fromkeys(k for k, _ in by):
                own = {v: by[k, v] for v in m.there if (k, v) in by}
                first = {v: m.law(conditioned(rows)) for v, rows in own.items()}
                for b in own if asked.reading == "possible-values" else m.there:
                    second = {v: m.law(changed(rows, i, b)) for v, rows in own.items()}
                    for t in {t: None for law in first.values() for t in law.counts}:
                        p, q = (belief({v: _mass(own[v]) * law[v].of(t) for v in own}) for law in (first, second))
                        if p is not None and q is not None:
                            about = {"about": "record", "present": there, "output": t}
                            names = of_theta(theta, k, i, **about), of_theta(theta, k, i, **about, set_to=b)
                            yield from (
                                [pair(p, q, ONE, names)] if asked.reading == "one-order" else both(p, q, ONE, names)
                            )


def belief(weights: Mapping[Any, Fraction]) -> Law | None:
    """Weights that are made a law; None where all are 0."""
    return law_of(normalized(weights)) if any(weights.values()) else None


def normalized(weights: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """Weights over their sum, without zeros."""
    total = sum(weights.values())
    return {v: w / total for v, w in weights.items() if w}


def dependency(asked: Asked) -> Iterator[Comparison]:
    """DMKB20, Definitions 17 and 18: P is the law of (O₁, O₂) given a, and R = P·e^(-Dep)."""
    one, two = two_mechanisms(asked.model)
    orders = [(one, two, "M2 on M1")] + ([(two, one, "M1 on M2")] if asked.reading == "both-ways" else [])
    for theta in asked.model.thetas():
        for i in asked.secrets:
            by = cells(theta, i)
            for first, second, which in orders:
                laws = {at: joint(first, second, conditioned(rows)) for at, rows in by.items()}
                for (k, a), (x, b) in permutations(by, 2):
                    if k == x and asked.in_order(a, b, i):
                        names = of_theta(theta, k, i, value=a), of_theta(theta, k, i, value=b, dependency=which)
                        sides = dependence(laws[k, a], laws[x, b], asked.reading, which)
                        yield pair(sides[0], sides[1], ONE, names)


def two_mechanisms(model: Model) -> list[Mechanism]:
    """M₁ and M₂."""
    m = model.mechanism
    if m.name != "all" or len(m.parts) != 2 or m.steps or m.rate != 1:
        raise Unsupported("this is about a list of two mechanisms, without steps and sample")
    return list(m.parts.values())


Joint = dict[tuple[Label, Label], Fraction]


def joint(one: Mechanism, two: Mechanism, weights: Mapping[Database, Fraction]) -> Joint:
    """The law of two outputs that are independent given the database."""
    out: Joint = defaultdict(Fraction)
    for d, w in weights.items():
        first, second = one.law(d).chances(), two.law(d).chances()
        afford(len(first) * len(second), "the pairs of outputs")
        for (o, x), (t, y) in product(first.items(), second.items()):
            out[o, t] += w * x * y
    return out


def dependence(p: Joint, q: Joint, reading: str, which: str) -> list[Measure]:
    """Dep = L(O₂ | B̂, O₁) - L(O₂ | B̂): the first loss is ln (P/P₁)/(Q/Q₁), the second ln P₂/Q₂, with the marginals."""
    (p1, p2), (q1, q2) = ([_marginal(table, at) for at in (0, 1)] for table in (p, q))
    against = {}
    for (one, two), x in p.items():
        second_infinite = two not in q2
        if one in q1:
            y = q.get((one, two), Fraction(0))
            if y and not second_infinite:
                against[one, two] = p1[one] * y / q1[one] * p2[two] / q2[two]
            elif second_infinite and reading == "equal-infinities":
                against[one, two] = x
        elif reading == "no-loss" and not second_infinite:
            against[one, two] = x * p2[two] / q2[two]
        elif reading != "infinite-loss":
            # not compared, or under no-loss a dependency of -∞: it adds 0, as a dependency of 0 does
            against[one, two] = x
    sides = []
    for table in (p, against):
        total = math.lcm(*(w.denominator for w in table.values())) if table else 1
        turned = ((o if which == "M2 on M1" else o[::-1], w) for o, w in table.items())
        sides.append(Measure({listed(o): int(w * total) for o, w in turned}, total))
    return sides


def _marginal(table: Mapping[tuple[Label, Label], Fraction], at: int) -> dict[Label, Fraction]:
    out: dict[Label, Fraction] = defaultdict(Fraction)
    for o, w in table.items():
        out[o[at]] += w
    return out


def by_known(theta: Theta) -> dict[Label | None, list[Row]]:
    """The worlds by what is known."""
    out: dict[Label | None, list[Row]] = defaultdict(list)
    for row in theta.rows:
        out[row.known].append(row)
    return out


def predicates(asked: Asked) -> Iterator[Comparison]:
    """M(D) given φ₁ against M(D) given φ₂, of the pairs of predicates that are both possible."""
    m = asked.model
    secrets = [[m.satisfying(predicate) for predicate in two] for two in m.field("secrets")]
    for theta in m.thetas():
        for k, rows in by_known(theta).items():
            for n, two in enumerate(secrets):
                one, other = ([row for row in rows if row.database in predicate] for predicate in two)
                if one and other:
                    names = of_theta(theta, k, None, secret=[n, 0]), of_theta(theta, k, None, secret=[n, 1])
                    yield from both(mixture(conditioned(one)), mixture(conditioned(other)), ONE, names)


def adversaries(asked: Asked) -> Iterator[Comparison]:
    """θ given D(i) = a and the records of K, against b, for each adversary (i, K): those of the file, or all."""
    m, protected = asked.model, asked.records
    everyone = range(m.size)
    who = asked.policy.get("adversaries")
    if who is None:
        afford(len(protected) << min(m.size, 64), "the adversaries")
        who = [
            (i, k) for i in protected for r in range(m.size) for k in combinations([j for j in everyone if j != i], r)
        ]
    for theta, prior in m.priors().items():
        for i, known in who:
            if i not in protected:
                continue
            at = sorted(m.home.indices(known, 0))
            rows = [Row(d, listed(d[j] for j in at), None, p) for d, p in prior.items()]
            by = cells(Theta(theta, rows), i)
            sides = {
                (x, a): (
                    mixture(conditioned(cell)),
                    named(distribution=theta, given=[[j, cell[0].database[j]] for j in at] or None, record=i, value=a),
                )
                for (x, a), cell in by.items()
            }
            for (x, a), (y, b) in permutations(by, 2):
                if x == y:
                    (p, first), (q, second) = sides[x, a], sides[y, b]
                    yield pair(p, q, ONE, (first, second))


def theta_pairs(scaled: bool, asked: Asked) -> Iterator[Comparison]:
    """M(θ₁) against M(θ₂), in both orders, for the pairs that the file lists, or all."""
    far = {frozenset((a, b)): multiple(x) for a, b, x in asked.model.field("theta-distances")} if scaled else {}
    priors = asked.model.priors()
    for a, b in asked.policy.get("theta-pairs", combinations(priors, 2)):
        if a != b:
            names = named(distribution=a), named(distribution=b)
            scale = far.get(frozenset((a, b))) if scaled else ONE
            yield from both(mixture(priors[a]), mixture(priors[b]), scale, names)


def _beliefs(
    asked: Asked, of: Callable[[Database], Any], record: int | None = None, **about: object
) -> Iterator[tuple[Term, Term]]:
    """The belief in something of D after each possible output against that before, and before against after."""
    m = asked.model
    for theta in m.thetas():
        for k, rows in by_known(theta).items():
            prior: dict[Any, Fraction] = defaultdict(Fraction)
            joint: dict[Label, dict[Any, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
            for d, w in conditioned(rows).items():
                prior[of(d)] += w
                for o, p in m.mechanism.law(d).chances().items():
                    joint[o][of(d)] += w * p
            before, name = law_of(prior), of_theta(theta, k, record, **about)
            for o, weights in joint.items():
                after, own = law_of(normalized(weights)), of_theta(theta, k, record, **about, output=o)
                yield Term(ONE, after, before, (own, name)), Term(ONE, before, after, (name, own))


def beliefs_in_records(asked: Asked) -> Iterator[Comparison]:
    """About D(i)."""
    asked.model.thetas()
    for i in asked.records:
        for terms in _beliefs(asked, lambda d, i=i: d[i], record=i, about="record"):  # type: ignore[misc]
            yield from (Comparison((term,)) for term in terms)


def beliefs_in_databases(asked: Asked) -> Iterator[Comparison]:
    """About D."""
    return (Comparison((term,)) for terms in _beliefs(asked, listed, about="database") for term in terms)


def membership(up: str, down: str, asked: Asked) -> Iterator[Comparison]:
    """About t ∈ D (`in`), t ∉ D (`out`): the belief in `up` must not rise too much, that in `down` not fall."""
    for t in asked.model.there:
        about: Callable[[Database], str] = lambda d, t=t: "in" if t in d else "out"  # type: ignore[misc]  # noqa: E731
        for terms in _beliefs(asked, about, about="element", element=t):
            for term, events in zip(terms, (up, down), strict=True):
                yield from (Comparison((term,), ONE, event) for event in events.split())


active = partial(given, False)


passive = partial(given, True)
