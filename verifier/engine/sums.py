"""The engine without a table: sums of independent records (given a latent component), at any number of records.

The mechanism sees the database through Σᵢ element(i, D(i)) only, so the law of the sum is a product of small
polynomials. Known records enter through their partial sum and what they say about the component: all knowledge
values that agree in both are one class, with its number of values, its exact weight and its first member.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from verifier.engine.joint import Joint, Weights
from verifier.model import NOTHING, Database, Element, Independent, Mixture, Model, Secret, Statistic, Theta, check_size
from verifier.model.distribution import Shape
from verifier.tables import Label, label

Law = dict[Element, int]
"""Integer weights of sums."""
MAX_DEGREE = 1 << 22


@dataclass(frozen=True)
class Component:
    """One independent part of a mixture, with the factor that brings it over the common denominator."""

    name: Label | None
    scale: int
    laws: tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True)
class Class:
    """Knowledge values with one partial sum and one likelihood direction over the components.

    The likelihood of component c is `direction[c]` times `factor`, summed over the members.
    """

    state: Element
    direction: tuple[int, ...]
    factor: int
    members: int
    first: Database


def supports(model: Model) -> bool:
    """Whether the model is a sum of independent records, with nothing, the component, or records known."""
    statistic = model.mechanism.statistic
    if statistic is None or not model.protects_records or model.knowledge_kind == "column":
        return False
    if model.knowledge is not None and (model.knowledge.records is None or statistic.denominator > 1):
        return False
    return all(_independent(theta.shape) for theta in model.thetas)


def steps(model: Model) -> int:
    """About how many big additions the joint laws of all protected records take; known before any work."""
    known = len(model.knowledge.records or ()) if model.knowledge else 0
    parts = sum(1 for theta in model.thetas for _ in components(theta.shape))
    return len(model.secrets) * parts * len(model.values) * (known + 1) * (model.size - known + 1)


def bits(model: Model) -> int:
    """About how many bits one law of a sum has: a state a record, each over the common denominator."""
    return max(theta.denominator.bit_length() for theta in model.thetas) * model.size


def _independent(shape: Shape) -> bool:
    return isinstance(shape, Independent) or (
        isinstance(shape, Mixture) and all(_independent(part) for part in shape.parts)
    )


def components(shape: Shape, scale: int = 1, name: Label | None = None) -> Iterator[Component]:
    """The independent parts of a distribution."""
    if isinstance(shape, Mixture):
        for part_name, factor, part in zip(shape.names, shape.scales(), shape.parts, strict=True):
            if factor:
                yield from components(part, scale * factor, name or part_name)
    elif isinstance(shape, Independent):
        yield Component(name, scale, shape.laws)


def factual(model: Model, theta: Theta, secret: Secret) -> Joint:
    """The joint weights of (B, S, M(D)), B up to classes."""
    return _joint(model, theta, secret, None)


def counterfactual(model: Model, theta: Theta, secret: Secret, b: int) -> Joint:
    """The joint weights of (B, S, M(D with the record set to b)), B up to classes."""
    return _joint(model, theta, secret, b)


def _joint(model: Model, theta: Theta, secret: Secret, b: int | None) -> Joint:
    target, statistic = secret.record, model.mechanism.statistic
    if target is None or statistic is None:
        raise TypeError("this model needs a table")
    known = model.knowledge.records or () if model.knowledge else ()
    parts = list(components(theta.shape))
    groups = [[part] for part in parts] if model.knowledge_kind == "component" else [parts]
    result = _Builder(model, statistic, target, b)
    for group in groups:
        result.add(group, known)
    return result.joint(theta.denominator * statistic.denominator**model.size)


class _Builder:
    """Collects the cells of one target, class by class."""

    def __init__(self, model: Model, statistic: Statistic, target: int, b: int | None) -> None:
        self.model, self.statistic, self.target, self.b = model, statistic, target, b
        self.cells: dict[Label, dict[Label, Weights]] = {}
        self.members: dict[Label, int] = {}
        self._factors: dict[tuple[Label, Label], int] = {}
        self._denominators: dict[tuple[Label, Label], int] = {}
        self._finished: dict[object, tuple[Weights, int]] = {}
        self._rests: list[object] = []

    def add(self, group: Sequence[Component], known: Sequence[int]) -> None:
        """The classes of one group of components that the attacker does not tell apart."""
        others = [j for j in range(self.model.size) if j != self.target]
        known_others = [j for j in others if j in set(known)]
        rest = [law_of_sum(self.statistic, c.laws, [j for j in others if j not in set(known)]) for c in group]
        self._rests.append(rest)  # kept alive, since the laws are told apart by identity
        for one in classes(self.statistic, group, known_others):
            for v, value in enumerate(self.model.values):
                if v == self.b:
                    continue
                likelihood = [d * c.laws[self.target][0][v] for d, c in zip(one.direction, group, strict=True)]
                if any(likelihood):
                    self._cell(one, known, group[0].name, v, value, likelihood, rest)

    def _cell(
        self,
        one: Class,
        known: Sequence[int],
        component: Label | None,
        v: int,
        value: Label,
        likelihood: list[int],
        rest: Sequence[Law],
    ) -> None:
        shared = gcd(*likelihood)
        heard = self._heard(one, known, component, v)
        direction = tuple(x // shared for x in likelihood)
        seen = self.b if self.b is not None else v
        self.cells.setdefault(heard, {})[value], self._denominators[heard, value] = self._outputs(
            one.state, seen, direction, rest
        )
        self._factors[heard, value] = one.factor * shared
        self.members[heard] = one.members

    def _heard(self, one: Class, known: Sequence[int], component: Label | None, v: int) -> Label:
        """The first knowledge value of a class; where the target is known, it is part of it."""
        if self.model.knowledge is None:
            named = component if self.model.knowledge_kind == "component" else None
            return named if named is not None else NOTHING
        at = dict(
            zip([j for j in range(self.model.size) if j in set(known) and j != self.target], one.first, strict=True)
        )
        at[self.target] = v
        return label([self.model.values[at[j]] for j in known])

    def _outputs(self, state: Element, v: int, direction: tuple[int, ...], rest: Sequence[Law]) -> tuple[Weights, int]:
        """Weights of outputs given a class and a value, and their denominator; equal ones are made once and shared."""
        statistic = self.statistic
        draws = tuple((statistic.add(state, element), weight) for element, weight in statistic.draw(self.target, v))
        key = (draws, direction, id(rest[0]))
        if key not in self._finished:
            images = [
                (part * d * weight, statistic.finish(statistic.add(start, one)))
                for start, part in draws
                for d, law in zip(direction, rest, strict=True)
                if d
                for one, weight in law.items()
            ]
            shared = lcm(*(image.denominator for _, image in images))
            weights: Weights = {}
            for weight, image in images:
                for outcome, part in image.items():
                    more = weight * part * (shared // image.denominator)
                    weights[outcome] = weights.get(outcome, 0) + more
            self._finished[key] = weights, shared
        return self._finished[key]

    def joint(self, denominator: int) -> Joint:
        """Everything over one denominator."""
        shared = lcm(*self._denominators.values())
        factors = {key: factor * (shared // self._denominators[key]) for key, factor in self._factors.items()}
        return Joint(denominator * shared, self.cells, factors, self.members)


def classes(statistic: Statistic, group: Sequence[Component], known: Sequence[int]) -> list[Class]:
    """The values of the known records, up to their sum and to what they say about the component.

    They come in the order of their first members, which are the lexicographically first.
    """
    start = tuple(c.scale for c in group)
    shared = gcd(*start)
    found: dict[tuple[Element, tuple[int, ...]], tuple[int, int, Database]] = {
        (statistic.zero, tuple(x // shared for x in start)): (shared, 1, ())
    }
    for j in known:
        after: dict[tuple[Element, tuple[int, ...]], tuple[int, int, Database]] = {}
        for (state, direction), (factor, members, first) in found.items():
            for v in range(len(group[0].laws[j][0])):
                likelihood = [d * c.laws[j][0][v] for d, c in zip(direction, group, strict=True)]
                if not any(likelihood):
                    continue
                shared = gcd(*likelihood)
                key = statistic.add(state, statistic.draw(j, v)[0][0]), tuple(x // shared for x in likelihood)
                old = after.get(key)
                more = factor * shared
                after[key] = (old[0] + more, old[1] + members, old[2]) if old else (more, members, (*first, v))
        found = after
    return [Class(state, direction, *rest) for (state, direction), rest in found.items()]


def law_of_sum(statistic: Statistic, laws: Sequence[tuple[tuple[int, ...], int]], records: Sequence[int]) -> Law:
    """The law of Σ element(i, D(i)) over some records, as integer weights over the product of denominators."""
    factors = [_factor(statistic, laws[j][0], j) for j in records]
    scalar = _scalar(factors)
    if scalar is not None:
        return scalar
    while len(factors) > 1:
        factors = [
            _product(statistic, factors[k], factors[k + 1]) if k + 1 < len(factors) else factors[k]
            for k in range(0, len(factors), 2)
        ]
    return factors[0] if factors else {statistic.zero: 1}


def _factor(statistic: Statistic, weights: tuple[int, ...], j: int) -> Law:
    law: Law = {}
    for v, weight in enumerate(weights):
        for element, part in statistic.draw(j, v) if weight else ():
            law[element] = law.get(element, 0) + weight * part
    return law


def _product(statistic: Statistic, left: Law, right: Law) -> Law:
    result: Law = {}
    check_size(len(left) * len(right), MAX_DEGREE, f"a sum has {len(left):,} times {len(right):,} partial results")
    for x, p in left.items():
        for y, q in right.items():
            key = statistic.add(x, y)
            result[key] = result.get(key, 0) + p * q
    return result


def _scalar(factors: Sequence[Law]) -> Law | None:
    """Sums of numbers as one product of integer polynomials; None where they are no numbers, or too sparse."""
    if not factors or not all(isinstance(e, int | Fraction) for law in factors for e in law):
        return None
    from flint import fmpz_poly

    unit = lcm(*(Fraction(e).denominator for law in factors for e in law))
    lows = [min(int(e * unit) for e in law) for law in factors]
    degree = sum(max(int(e * unit) for e in law) - low for law, low in zip(factors, lows, strict=True))
    if degree > MAX_DEGREE or degree > 64 * len(factors) * max(len(law) for law in factors):
        return None
    level = []
    for law, low in zip(factors, lows, strict=True):
        coefficients = [0] * (max(int(e * unit) for e in law) - low + 1)
        for e, weight in law.items():
            coefficients[int(e * unit) - low] += weight
        level.append(fmpz_poly(coefficients))
    while len(level) > 1:
        level = [level[k] * level[k + 1] if k + 1 < len(level) else level[k] for k in range(0, len(level), 2)]
    low, whole = sum(lows), all(isinstance(e, int) for law in factors for e in law)
    return {(k + low if whole else Fraction(k + low, unit)): int(c) for k, c in enumerate(level[0].coeffs()) if c != 0}
