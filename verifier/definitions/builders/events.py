"""Builders about θ: two events that condition the law of the database, or two distributions.

Each θ is taken with what is known, B̂ by B̂. A pair of which one event has mass 0 is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from verifier.definitions.builders.rows import ONE, Case, Group, Row, Setting, law_of_worlds
from verifier.definitions.verdict import ComparedLaw, KnownValue
from verifier.errors import LimitError
from verifier.model import NOTHING, Database, Theta, World, need_distributions
from verifier.tables import Label, collected

MOST_WORLDS = 1 << 14
"""Most worlds of one θ, for definitions that list its events."""
MOST_PAIRS = 1 << 16
"""Most ordered pairs of distributions that are compared where the file lists none."""
MOST_ADVERSARIES = 1 << 12
"""Most pairs (i, K) of a record and known records."""


@dataclass(frozen=True)
class Known:
    """The worlds of one θ with one B̂ (None: nothing is known), with weights that sum to its mass."""

    theta: Theta
    knowledge: Label | None
    worlds: tuple[tuple[World, int], ...]
    law: ComparedLaw
    """The event that they are conditioned on, as data."""

    def given(self, worlds: Iterable[tuple[World, int]], **event: Any) -> Known:
        """Some of the worlds, with what they have in common as data."""
        return Known(self.theta, self.knowledge, tuple(worlds), replace(self.law, **event))

    def words(self, event: str) -> str:
        """The law of outputs of these worlds, given an event that is named in words; empty for no event."""
        told = [event] if event else []
        told += [f"B = {self.knowledge}"] if self.knowledge is not None else []
        return f'M(D) in "{self.theta.name}"{" given " if told else ""}{", ".join(told)}'


def backgrounds(setting: Setting) -> Iterator[Known]:
    """Each θ with each B̂ that it leaves possible.

    Raises:
        UnsupportedError: for a model without a distribution.
        LimitError: for too many worlds.

    """
    model = setting.model
    need_distributions(model, "this definition")
    for theta in model.thetas:
        _refuse_many(setting, theta)
        by_knowledge = collected((knowledge, (world, weight)) for world, knowledge, weight in known_worlds(theta))
        for knowledge, worlds in by_knowledge.items():
            yield Known(theta, knowledge, tuple(worlds), ComparedLaw(distribution=theta.name, knowledge=knowledge))


def distributions_alone(setting: Setting) -> Iterator[Known]:
    """Each θ once, with nothing known: for definitions that name their own adversaries, or none.

    Raises:
        UnsupportedError: for a model without a distribution.
        LimitError: for too many worlds.

    """
    need_distributions(setting.model, "this definition")
    for theta in setting.model.distributions:
        yield alone(setting, theta)


def alone(setting: Setting, theta: Theta) -> Known:
    """One θ with nothing known.

    Raises:
        LimitError: for too many worlds.

    """
    _refuse_many(setting, theta)
    worlds = tuple((world, weight) for world, _, weight in known_worlds(theta))
    return Known(theta, None, worlds, ComparedLaw(distribution=theta.name))


def _refuse_many(setting: Setting, theta: Theta) -> None:
    if theta.count() > MOST_WORLDS:
        raise LimitError(
            f'{setting.key} lists the worlds of "{theta.name}", which are {theta.count():,}',
            wanted=f"at most {MOST_WORLDS:,}",
        )


def known_worlds(theta: Theta) -> Iterator[tuple[World, Label | None, int]]:
    """The worlds (D, B̂) of a θ with their integer weights; B̂ is None where nothing is known."""
    listed = list(theta.known_worlds())
    shared = lcm(*(weight.denominator for _, _, weight in listed))
    for world, knowledge, weight in listed:
        yield world, None if knowledge == NOTHING else knowledge, weight.numerator * (shared // weight.denominator)


def _pair(first: Known, second: Known, names: tuple[str, str], scale: Fraction = ONE) -> Case:
    """Both orders of the laws of two sets of worlds."""
    p, q, laws = law_of_worlds(first.worlds), law_of_worlds(second.worlds), (first.law, second.law)
    return Case((Row(p, q, scale, names, laws=laws), Row(q, p, scale, names[::-1], laws=laws[::-1])))


@dataclass(frozen=True)
class Secrets:
    """The builder of PFPr: θ given φ₁ against θ given φ₂, for each listed pair of predicates, in both orders."""

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group for each θ and B̂."""
        secrets: tuple[tuple[frozenset[Database], frozenset[Database]], ...] = setting.need("secrets")
        for known in backgrounds(setting):
            cases = []
            for number, predicates in enumerate(secrets):
                first, second = (_conditioned(known, p, (number, side)) for side, p in enumerate(predicates))
                if first.worlds and second.worlds:
                    names = known.words(f"φ₁ of secret {number}"), known.words(f"φ₂ of secret {number}")
                    cases.append(_pair(first, second, names))
            yield Group(tuple(cases), known.theta.name)


def _conditioned(known: Known, databases: frozenset[Database], secret: tuple[int, int]) -> Known:
    worlds = ((world, weight) for world, weight in known.worlds if world.database in databases)
    return known.given(worlds, secret=secret)


@dataclass(frozen=True)
class Distributions:
    """The builder of θ₁ against θ₂, for the listed pairs or for all (DnPr).

    With `scaled` ε is multiplied by the distance of θ₁ and θ₂; a pair without a distance in the file is not compared.
    """

    scaled: bool = False

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group: each θ as it is, whatever is known."""
        need_distributions(setting.model, "this definition")
        thetas = {theta.name: theta for theta in setting.model.distributions}
        listed = setting.policy.theta_pairs
        if listed is None:
            number = len(thetas) * (len(thetas) - 1)
            if number > MOST_PAIRS:
                raise LimitError(
                    f"{setting.key} compares {number:,} pairs of distributions",
                    wanted=f"at most {MOST_PAIRS:,}",
                    tip="use fewer distributions, or list `theta-pairs` in [policy]",
                )
            listed = tuple(combinations(thetas, 2))
        distances = {(a, b): d for a, b, d in setting.need("theta_distances")} if self.scaled else {}
        cases = []
        for names in listed:
            scale: Fraction | None = distances.get(names, distances.get(names[::-1])) if self.scaled else ONE
            if scale is None or names[0] == names[1] or not thetas.keys() >= set(names):
                continue
            first, second = (alone(setting, thetas[name]) for name in names)  # only of θ that are compared
            cases.append(_pair(first, second, (first.words(""), second.words("")), scale))
        yield Group(tuple(cases))


@dataclass(frozen=True)
class Adversaries:
    """The builder of θ given D(i) = a and the records in K, against D(i) = b: for the listed (i, K), or for all.

    The attacked record i is one that `[sensitive]` protects. K is all that the adversary knows: B̂ plays no part.
    """

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group for each θ, and each adversary."""
        protected = sorted(setting.protected() or ())
        for known in distributions_alone(setting):
            for record, others in _attacks(setting, protected):
                cases = tuple(_adversary(setting, known, record, others))
                yield Group(cases, known.theta.name, record)


def _attacks(setting: Setting, protected: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    listed = setting.policy.adversaries
    if listed is None:
        return _all_adversaries(setting.model.size, protected)
    setting.need_indices("has adversaries (i, K), and multisets have no records by index")
    return [(record, others) for record, others in listed if record in protected]


def _all_adversaries(size: int, protected: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    if len(protected) << (size - 1) > MOST_ADVERSARIES:
        raise LimitError(f"there are more than {MOST_ADVERSARIES:,} adversaries (i, K)", tip="list `adversaries`")
    return [
        (record, subset)
        for record in protected
        for number in range(size)
        for subset in combinations([i for i in range(size) if i != record], number)
    ]


def _adversary(setting: Setting, known: Known, record: int, others: tuple[int, ...]) -> Iterator[Case]:
    classes = collected((tuple(row[0].database[i] for i in others), row) for row in known.worlds)
    values = setting.model.values
    for known_values, worlds in classes.items():
        by_value = collected((row[0].database[record], row) for row in worlds)
        beside = "".join(f", D({i}) = {values[v]}" for i, v in zip(others, known_values, strict=True))
        given = tuple(KnownValue(i, values[v]) for i, v in zip(others, known_values, strict=True)) or None
        for a, b in combinations(sorted(by_value), 2):
            sides = [known.given(by_value[v], given=given, record=record, value=values[v]) for v in (a, b)]
            names = known.words(f"D({record}) = {values[a]}{beside}"), known.words(f"D({record}) = {values[b]}{beside}")
            yield _pair(sides[0], sides[1], names)
