"""The worlds of a distribution as a normalization must generate them."""

from __future__ import annotations

from math import lcm

from verifier.model import Database, Secret, Theta
from verifier.tables import Label


def worlds_of(theta: Theta, secret: Secret) -> tuple[dict[tuple[Label, Label, Database], int], int]:
    """The worlds (B̂, S, D) of positive probability with integer weights, and their denominator."""
    rows = [(world, theta.known(world)) for world in theta.worlds()]
    shared = lcm(*(known.denominator for _, known in rows))
    worlds: dict[tuple[Label, Label, Database], int] = {}
    for world, known in rows:
        value = secret.of(world)
        for heard, part in known.items():
            key = (heard, value, world.database)
            worlds[key] = worlds.get(key, 0) + world.weight * part * (shared // known.denominator)
    return worlds, theta.denominator * shared
