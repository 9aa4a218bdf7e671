"""Conditions on models under which definitions imply each other; each function decides one on the tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import TypeVar

from verifier.model import Database, Model, Theta
from verifier.tables import Label, gathered, grouped

Left = TypeVar("Left", bound=Hashable)
Right = TypeVar("Right", bound=Hashable)
Cells = dict[tuple[int, Database], Fraction]
"""P[D(i) = a, D₋ᵢ = d | B̂], up to a factor, by the position of a in T and the other records."""


def cells(model: Model, theta: Theta) -> Iterator[tuple[int, Label, Cells]]:
    """For each protected record i and each possible B̂: the joint law P[D(i) = a, D₋ᵢ = d | B̂], up to a factor."""
    for record in model.protected_records:
        joint_laws = grouped(
            (known, (world.database[record], (*world.database[:record], *world.database[record + 1 :])), p)
            for world, known, p in theta.known_worlds()
        )
        for known, joint in joint_laws.items():
            yield record, known, {key: p for key, p in joint.items() if p}


def is_product(joint: Mapping[tuple[Left, Right], Fraction]) -> bool:
    """Whether a joint law is a product: P[a, b] = P[a]·P[b] for all a and b; the law may be scaled by any factor."""
    left = gathered((a, p) for (a, _), p in joint.items())
    right = gathered((b, p) for (_, b), p in joint.items())
    total = sum(left.values())
    return all(joint.get((a, b), Fraction(0)) * total == p * q for a, p in left.items() for b, q in right.items())


def independent(model: Model) -> bool:
    """D(i) and the other records are independent given each B̂ (the hypothesis of DMKB20, Proposition 2)."""
    return all(is_product(joint) for theta in model.thetas for _, _, joint in cells(model, theta))


def every_value_possible(model: Model) -> bool:
    """Each B̂ leaves every value of T possible for each protected record."""
    return all(
        {a for a, _ in joint} == set(range(len(model.values)))
        for theta in model.thetas
        for _, _, joint in cells(model, theta)
    )


def full_knowledge(model: Model) -> bool:
    """Each B̂ tells all other records, and all databases of Tⁿ are possible."""
    number = len(model.values)
    for record in (secret.record for secret in model.secrets):
        known_others = set()
        for theta in model.thetas:
            for joint in (joint for i, _, joint in cells(model, theta) if i == record):
                possible_others = {others_values for _, others_values in joint}
                if len(possible_others) > 1 or len(joint) < number:
                    return False
                known_others |= possible_others
        if len(known_others) < number ** (model.size - 1):
            return False
    return True


def every_output_possible(model: Model) -> bool:
    """Given each B̂ every value of T is possible, and then every output of M(D), for each value that D(i) had.

    The same is asked of M(D with i set to b), for every b of T.
    """
    if not every_value_possible(model):
        return False
    for theta in model.thetas:
        for record, _, joint in cells(model, theta):
            supports = set()
            for a, b in product(range(len(model.values)), repeat=2):
                possible_others = [others_values for value, others_values in joint if value == a]
                databases = [
                    (*others_values[:record], to, *others_values[record:])
                    for others_values in possible_others
                    for to in (a, b)
                ]
                factual = frozenset(o for d in databases[::2] for o in model.mechanism.law(d).outcomes)
                changed = frozenset(o for d in databases[1::2] for o in model.mechanism.law(d).outcomes)
                supports |= {factual, changed}
            if len(supports) > 1:
                return False
    return True
