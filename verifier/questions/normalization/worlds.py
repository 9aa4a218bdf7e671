"""The worlds (B̂, S, D) of a distribution, which a normalization must generate."""

from __future__ import annotations

from math import lcm

from verifier.model import Database, Secret, Theta
from verifier.tables import Label, gathered


def worlds_of(theta: Theta, secret: Secret) -> tuple[dict[tuple[Label, Label, Database], int], int]:
    """The worlds (B̂, S, D) of positive probability with integer weights, and their denominator."""
    rows = [(world, theta.known(world)) for world in theta.worlds()]
    shared = lcm(*(known.denominator for _, known in rows))
    worlds = gathered(
        ((knowledge, secret.of(world), world.database), world.weight * part * (shared // known.denominator))
        for world, known in rows
        for knowledge, part in known.items()
    )
    return worlds, theta.denominator * shared
