"""Checking a normalization that a file gives, condition by condition (DMKB20, Definitions 7 and 8)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import TypeAlias

from verifier.errors import InputError
from verifier.model import Database, Model, Normalization, Secret, Theta, World, database_text
from verifier.numbers import exact_text, quotient
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


Triple: TypeAlias = tuple[Database, Label, Label]
"""Database, B̂ and S of a world."""


def check_given(model: Model, theta: Theta, secret: Secret, normalization: Normalization) -> str | None:
    """The first condition that the file's normalization breaks at a record, as a sentence; None where it is acceptable.

    Raises:
        InputError: where a row lacks `knowledge`, which the database does not determine.

    """
    names = [parameter.name for parameter in normalization.parameters]
    if names[0] in normalization.knowledge:
        return f"{names[0]} is φ₀, so it cannot be part of the knowledge"
    rows = {row.when: row for row in normalization.table}
    if len(rows) != len(normalization.table):
        return "the generating table has two rows with the same parameter values"
    for when in product(*(parameter.law.outcomes for parameter in normalization.parameters)):
        if when not in rows:
            return f"the generating table has no row for ({_listed(when)})"
    worlds: dict[Triple, tuple[Label, ...]] = {}
    sensitive: dict[Label, Label] = {}
    knowledge_of_part: dict[tuple[Label, ...], Label] = {}
    known_at = [names.index(name) for name in normalization.knowledge]
    law: dict[Triple, Fraction] = {}
    for when, row in rows.items():
        chance = prod(
            (p.law.probability(v) for p, v in zip(normalization.parameters, when, strict=True)), start=Fraction(1)
        )
        if not chance:
            return f"({_listed(when)}) has probability 0; leave the row out"
        knowledge = _knowledge(theta, row.database, row.knowledge)
        value = secret.of(World(row.database, 1, None, row.sensitive))
        for column, claimed, generated in (
            ("knowledge", row.knowledge, knowledge),
            ("sensitive", row.sensitive, value),
        ):
            if claimed is not None and claimed != generated:
                return f"({_listed(when)}) says {column} = {claimed}, but its database has {generated}"
        world = (row.database, knowledge, value)
        if world in worlds:
            first = _listed(worlds[world])
            return f"not injective: ({first}) and ({_listed(when)}) generate the same world"
        worlds[world], law[world] = when, chance
        if sensitive.setdefault(when[0], value) != value:
            return f"{names[0]} = {when[0]} does not determine the sensitive value: {sensitive[when[0]]} and {value}"
        part = tuple(when[k] for k in known_at)
        if knowledge_of_part.setdefault(part, knowledge) != knowledge:
            return f"{_parameters(normalization.knowledge, part)} does not determine the knowledge"
    if len(set(knowledge_of_part.values())) != len(knowledge_of_part):
        return f"the map from ({', '.join(normalization.knowledge)}) to the knowledge is not injective"
    return _same_law(model, theta, secret, law)


def _listed(values: tuple[Label, ...]) -> str:
    return ", ".join(value.text for value in values)


def _parameters(names: tuple[str, ...], values: tuple[Label, ...]) -> str:
    return ", ".join(f"{n} = {v}" for n, v in zip(names, values, strict=True)) or "knowing no parameter"


def _knowledge(theta: Theta, database: tuple[int, ...], knowledge: Label | None) -> Label:
    if theta.zeta.kind in {"column", "component"}:
        if knowledge is None:
            raise InputError(
                "a row of the generating table lacks `knowledge`",
                wanted="`knowledge` in each row of the table",
            )
        return knowledge
    law = theta.known(World(database, 1))
    if len(law.outcomes) == 1:
        return law.outcomes[0]
    if knowledge is None:
        raise InputError("the knowledge is random, and a row of the generating table lacks `knowledge`")
    return knowledge


def _same_law(model: Model, theta: Theta, secret: Secret, law: dict[Triple, Fraction]) -> str | None:
    """The first world of θ that the normalization generates with another probability; None where the laws agree."""
    worlds, denominator = worlds_of(theta, secret)
    for (knowledge, value, database), weight in worlds.items():
        wanted, generated = quotient(weight, denominator), law.get((database, knowledge, value), Fraction(0))
        if wanted != generated:
            return (
                f"the database {database_text(database, model.values)} gets probability {exact_text(generated)}, "
                f"but the distribution gives it {exact_text(wanted)}"
            )
    return None
