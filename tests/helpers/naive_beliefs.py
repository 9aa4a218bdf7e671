"""Separate naive code for DP22's definitions about θ, beliefs and random databases, in `Fraction`."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import lcm

from naive_atlas import Database, Law, databases, law, worst_ratio

from verifier.model import Model, Theta
from verifier.numbers import INFINITY, ZERO, Epsilon, ln_bracket, log_epsilon

Joint = dict[tuple[Database, str], Fraction]


def prior(theta: Theta) -> dict[Database, Fraction]:
    total: dict[Database, Fraction] = {}
    for world in theta.worlds():
        total[world.database] = total.get(world.database, Fraction(0)) + Fraction(world.weight, theta.denominator)
    return {database: mass for database, mass in total.items() if mass}


def mixed(model: Model, weights: dict[Database, Fraction]) -> Law | None:
    """The law of outputs of a random database; None where the weights are all 0."""
    whole = sum(weights.values(), Fraction(0))
    if not whole:
        return None
    total: Law = {}
    for database, weight in weights.items():
        for output, mass in law(model, database).items():
            total[output] = total.get(output, Fraction(0)) + weight * mass / whole
    return total


def told_apart(laws: Iterator[tuple[Law | None, Law | None]]) -> Epsilon:
    """The smallest ε for which no pair is told apart, in both orders."""
    worst = ZERO
    for p, q in laws:
        if p is not None and q is not None:
            worst = max(worst, worst_ratio(p, q), worst_ratio(q, p))
    return worst


def pfpr(model: Model) -> Epsilon:
    def laws() -> Iterator[tuple[Law | None, Law | None]]:
        for theta in model.thetas:
            for first, second in model.policy.secrets or ():
                yield (
                    mixed(model, {d: p for d, p in prior(theta).items() if d in first}),
                    mixed(model, {d: p for d, p in prior(theta).items() if d in second}),
                )

    return told_apart(laws())


def adversaries(model: Model) -> Epsilon:
    def laws() -> Iterator[tuple[Law | None, Law | None]]:
        for theta, i in product(model.thetas, range(model.size)):
            others = [j for j in range(model.size) if j != i]
            for number in range(len(others) + 1):
                for known in combinations(others, number):
                    for x, y in product(prior(theta), repeat=2):
                        if all(x[j] == y[j] for j in known):
                            alike = [
                                {d: p for d, p in prior(theta).items() if all(d[j] == z[j] for j in (i, *known))}
                                for z in (x, y)
                            ]
                            yield mixed(model, alike[0]), mixed(model, alike[1])

    return told_apart(laws())


def posteriors(model: Model, theta: Theta) -> tuple[Joint, dict[str, Fraction]]:
    """P[D, O], and P[O]."""
    joint = {(d, o): p * m for d, p in prior(theta).items() for o, m in law(model, d).items() if p * m}
    outputs: dict[str, Fraction] = {}
    for (_, o), mass in joint.items():
        outputs[o] = outputs.get(o, Fraction(0)) + mass
    return joint, outputs


def ln(value: Fraction) -> Epsilon:
    return log_epsilon(value) if value > 1 else ZERO


def bounded(after: Fraction, before: Fraction) -> Epsilon:
    """The smallest ε with after ≤ e^ε·before."""
    return ZERO if not after else INFINITY if not before else ln(after / before)


def anpr(model: Model) -> Epsilon:
    worst = ZERO
    for theta in model.thetas:
        joint, outputs = posteriors(model, theta)
        for o, i, v in product(outputs, range(model.size), range(len(model.values))):
            after = sum((m for (d, other), m in joint.items() if other == o and d[i] == v), Fraction(0)) / outputs[o]
            before = sum((p for d, p in prior(theta).items() if d[i] == v), Fraction(0))
            worst = max(worst, bounded(after, before), bounded(before, after))
    return worst


def infpr(model: Model) -> Epsilon:
    worst = ZERO
    for theta in model.thetas:
        joint, outputs = posteriors(model, theta)
        for o, (d, p) in product(outputs, prior(theta).items()):
            after = joint.get((d, o), Fraction(0)) / outputs[o]
            worst = max(worst, bounded(after, p), bounded(p, after))
    return worst


def membership(model: Model, key: str) -> Epsilon:
    worst = ZERO
    for theta in model.thetas:
        joint, outputs = posteriors(model, theta)
        for o, t in product(outputs, range(len(model.values))):
            before = sum((p for d, p in prior(theta).items() if t in d), Fraction(0))
            after = sum((m for (d, other), m in joint.items() if other == o and t in d), Fraction(0)) / outputs[o]
            positive = max(bounded(after, before), bounded(1 - before, 1 - after))
            negative = max(bounded(1 - after, 1 - before), bounded(before, after))
            worst = max(worst, *{"pmpr": [positive], "nmpr": [negative], "mpr": [positive, negative]}[key])
    return worst


def adversarial(model: Model, exp: Fraction) -> Fraction:
    """The smallest δ of adversarial privacy."""
    worst = Fraction(0)
    for theta in model.thetas:
        joint, outputs = posteriors(model, theta)
        for o, t in product(outputs, range(len(model.values))):
            before = sum((p for d, p in prior(theta).items() if t in d), Fraction(0))
            after = sum((m for (d, other), m in joint.items() if other == o and t in d), Fraction(0)) / outputs[o]
            worst = max(worst, after - exp * before)
    return worst


def drawn(model: Model) -> dict[Database, Fraction]:
    """The law of n records from π."""
    law_of_one = model.policy.prior or ()
    total = {}
    for d in databases(model):
        mass = Fraction(1)
        for v in d:
            mass *= law_of_one[v]
        total[d] = mass
    return total


def random_pairs(model: Model) -> list[tuple[Fraction, Database, Database]]:
    """D₁, and D₂ with one record drawn again."""
    law_of_one = model.policy.prior or ()
    return [
        (mass * law_of_one[v] / model.size, d, (*d[:i], v, *d[i + 1 :]))
        for d, mass in drawn(model).items()
        for i in range(model.size)
        for v in range(len(model.values))
    ]


def quantile(cases: list[tuple[Fraction, Epsilon]], gamma: Fraction) -> Epsilon:
    """The smallest ε that at most a share γ exceeds, among 0 and the values."""
    for value in sorted({ZERO, *(v for _, v in cases)}):
        if sum((share for share, v in cases if v > value), Fraction(0)) <= gamma:
            return value
    raise AssertionError


def randp(model: Model) -> Epsilon:
    cases = [(s, told_apart(iter([(law(model, x), law(model, y))]))) for s, x, y in random_pairs(model)]
    return quantile(cases, model.policy.gamma or Fraction(0))


def two_databases(model: Model) -> Epsilon:
    cases = [
        (p * q, told_apart(iter([(law(model, x), law(model, y))])))
        for (x, p), (y, q) in product(drawn(model).items(), repeat=2)
    ]
    return quantile(cases, model.policy.gamma or Fraction(0))


def kl(p: Law, q: Law) -> list[tuple[Fraction, Fraction]] | None:
    """The terms P·ln(P/Q); None where it is infinite."""
    if any(m and not q.get(o) for o, m in p.items()):
        return None
    return [(m, m / q[o]) for o, m in p.items() if m]


def as_epsilon(terms: list[tuple[Fraction, Fraction]]) -> Epsilon:
    """Σ r·ln(s), over the common denominator."""
    whole = lcm(*(r.denominator for r, _ in terms))
    power = Fraction(1)
    for r, s in terms:
        power *= s ** int(r * whole)
    return ZERO if power == 1 else log_epsilon(power, Fraction(1, whole))


def semantic(model: Model) -> Fraction | None:
    """The largest R of semantic privacy, of events that can happen with and without the record; None is infinite."""
    worst: Fraction | None = Fraction(1)
    absent = model.policy.need("absent")
    for i in range(model.size):
        inside = [d for d in databases(model) if d[i] != absent]
        outputs = sorted({o for d in databases(model) for o in law(model, d)})
        for number in range(1, len(outputs) + 1):
            for event in combinations(outputs, number):
                chances = []
                for d in inside:
                    without = (*d[:i], absent, *d[i + 1 :])
                    p, q = (sum((law(model, z).get(o, Fraction(0)) for o in event), Fraction(0)) for z in (d, without))
                    chances += [(p, q)] if p or q else []
                if not any(p for p, _ in chances) or not any(q for _, q in chances):
                    continue  # a posterior given what cannot happen is none
                ratios = [p / q for p, q in chances if p and q]
                worst = None if worst is None or len(ratios) < len(chances) else max(worst, max(ratios) / min(ratios))
    return worst


def bracketed(terms: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Rational bounds of Σ r·ln(s), of either sign of ln(s)."""
    low = high = Fraction(0)
    for r, s in terms:
        ends = ln_bracket(s, 400)
        low, high = low + r * ends[0], high + r * ends[1]
    return low, high
