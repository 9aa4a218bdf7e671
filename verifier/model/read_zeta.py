"""Reading what the attacker knows: `[knowledge]`, one function ζ, or `[[knowledge]]`, the family Z."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from verifier.errors import InputError
from verifier.model.distribution import Mixture, Theta
from verifier.model.domain import Domain
from verifier.model.keys import Keys, Location, listed, string
from verifier.model.mechanism import ADD_THE_ROW, Database, database_text
from verifier.model.read_mechanism import COMPONENT, read_mechanism
from verifier.model.zeta import UNAWARE, Zeta
from verifier.numbers import cut

CHECKED_WORLDS = 1 << 16
"""Most worlds whose databases are looked up in a table when a file is read."""


def read_zetas(
    keys: Keys, domain: Domain, location: Location, thetas: tuple[Theta, ...], *, column: bool
) -> tuple[Zeta, ...]:
    """Read the family Z: one [knowledge] without a name, or a [[knowledge]] for each function.

    `column` says that the rows of the tables carry `knowledge`; then that is the only function, and no key is allowed.
    """
    at = location.at("[knowledge]", "knowledge")
    if not keys.has("knowledge"):
        return (Zeta("column"),) if column else (UNAWARE,)
    raw = keys.take("knowledge")
    if column:
        raise InputError(
            "given [knowledge] although the rows of the table carry `knowledge`",
            where=str(at),
            wanted="one of the two",
        )
    if not isinstance(raw, list | tuple):
        return (_zeta(raw, domain, at, thetas, ""),)
    if not raw:
        raise InputError("given no [[knowledge]]", where=str(at), wanted="at least one, or no key `knowledge`")
    zetas: list[Zeta] = []
    for number, table in enumerate(listed(raw, at, "tables"), start=1):
        table_at, name = location.at(f"[[knowledge]] {number}", "knowledge", number - 1), f"#{number}"
        if isinstance(table, Mapping) and "name" in table:
            name = string(table["name"], table_at.at("name"), "a name")
            table_at = location.at(f'[[knowledge]] "{cut(name)}"', "knowledge", number - 1)
        if any(zeta.name == name for zeta in zetas):
            raise InputError(f'given the name "{cut(name)}" twice', where=str(table_at), wanted="distinct names")
        unnamed = {key: value for key, value in table.items() if key != "name"} if isinstance(table, Mapping) else table
        zetas.append(_zeta(unnamed, domain, table_at, thetas, name))
    return tuple(zetas)


def paired(thetas: tuple[Theta, ...], zetas: tuple[Zeta, ...], location: Location) -> tuple[Theta, ...]:
    """All pairs (θ, ζ), θ by θ; the name of ζ is left out where it is the only one."""
    alone = len(zetas) == 1
    pairs = tuple(
        replace(theta, name=theta.name if alone else f"{theta.name} / {zeta.name}", zeta=zeta)
        for theta in thetas
        for zeta in zetas
    )
    names = [pair.name for pair in pairs]
    twice = next((name for name in names if names.count(name) > 1), None) if not alone else None
    if twice is not None:
        raise InputError(
            f'two pairs of a distribution and a knowledge have the name "{cut(twice)}"',
            where=str(location),
            wanted="names that tell the pairs apart",
            tip='leave " / " out of the names',
        )
    return pairs


def _zeta(raw: object, domain: Domain, at: Location, thetas: tuple[Theta, ...], name: str) -> Zeta:
    """One function ζ."""
    if not callable(raw):
        inner = Keys(raw, at)
        if inner.left.get("kind") == COMPONENT:
            inner.take("kind")
            if inner.left:
                raise InputError(
                    f'given kind = "{COMPONENT}" and {", ".join(f"`{cut(key)}`" for key in inner.left)}',
                    where=str(at),
                    wanted=f'kind = "{COMPONENT}" alone: it cannot be combined in this version',
                    tip="a `table` distribution with a `knowledge` column can say anything that is known",
                )
            if not all(isinstance(theta.shape, Mixture) for theta in thetas):
                raise InputError('given kind = "component"', where=str(at), wanted="a `mixture` in every distribution")
            return Zeta(COMPONENT, name=name)
    channel = read_mechanism(raw, domain, at, "knowledge")
    if channel.domain is not None:
        every_database(set(channel.domain), domain, at, thetas, ADD_THE_ROW)
    return Zeta("channel", channel, name)


def every_database(
    rows: Container[Database], domain: Domain, location: Location, thetas: tuple[Theta, ...], tip: str
) -> None:
    """Refuse a table in which a possible database has no row; in a model of very many worlds, only when it is reached.

    Raises:
        InputError: with the first database that has no row.

    """
    for theta in thetas:
        worlds = theta.worlds() if theta.count() <= CHECKED_WORLDS else ()
        missing = next((world.database for world in worlds if world.database not in rows), None)
        if missing is not None:
            raise InputError(
                f"no row for the possible database {database_text(missing, domain.values)}",
                where=str(location),
                wanted="a row for every possible database",
                tip=tip,
            )
