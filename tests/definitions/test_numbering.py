"""How the records of a file are numbered decides nothing: the answers are the same when everything is renumbered."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from examined import at_least_one
from renumbered import renumbered
from strategies_policy import OUTPUTS, PolicyModel, leak_laws, with_centres

import verifier as pk
from verifier.definitions.atlas import atlas
from verifier.definitions.registry import DEFINITIONS, ON_REQUEST
from verifier.model.write import toml_text
from verifier.numbers import epsilon

SIMULATED = ("zkpr", "cwpr", "ibcwpr", "typst", "ddp", "ibddp")
ONE_KIND = {"dps", "safe", "dependency"}
"""Of databases of several sizes, which number no records, and of two mechanisms at once."""
EVERY = [key for key in dict.fromkeys([*DEFINITIONS, *ON_REQUEST, *atlas]) if key not in ONE_KIND]
EPSILONS = (None, "ln(3/2)")


ABOUT_THETA = {"ddp", "ibddp", "distdp"}
"""Simulators that imitate M on the worlds of a θ, which a drawn model may lack."""


def drawn(seed: int, *, places: bool = False) -> dict[str, Any]:
    """The tables of a random model: of three records with two values, or of two that may be missing."""
    random = Random(seed)  # noqa: S311
    kind = "gaps" if seed % 4 == 3 else "lists"
    model = PolicyModel(random, kind)
    while model.size != (2 if kind == "gaps" else 3):
        model = PolicyModel(random, kind)
    tables = tomllib.loads(with_centres(random, model, places=places))
    if random.random() < 1 / 2:
        tables["policy"]["leak"] = leak_laws(random, tables["mechanism"]["table"])
    tables["policy"]["views"] = [{o: random.choice("pq") for o in OUTPUTS} for _ in tables["policy"].get("blocks", [])]
    return tables


@cache
def model_of(seed: int, order: tuple[int, ...], *, places: bool) -> pk.Model:
    """The model of a seed, with its records in this order."""
    return pk.loads(toml_text(renumbered(drawn(seed, places=places), order)), "")


def orders_of(seed: int) -> list[tuple[int, ...]]:
    """All orders of the records, the first as they are."""
    return list(permutations(range(drawn(seed)["size"])))


def answers(seed: int, order: tuple[int, ...], key: str, *, replay: bool = False) -> dict[Any, tuple[str, ...]]:
    """Verdict, smallest ε and δ by reading and ε; what one of both readings of zkpr refuses is asked in the other."""
    found: dict[Any, tuple[str, ...]] = {}
    definition = _definition(key)
    for reading in definition.readings:
        model = model_of(seed, order, places=reading == "in-place")
        for asked in EPSILONS if definition.has_epsilon else (None,):
            answer = pk.check(model, definition, epsilon=asked, reading=reading, replay=replay)
            found[reading, asked] = answer.verdict, str(answer.tight_epsilon), str(answer.tight_delta)
    return found


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(20))
def test_a_simulator_is_told_nothing_of_the_numbering(seed: int) -> None:
    """In every reading, under every order; the checker derives each answer, too."""
    first, *others = orders_of(seed)
    without = {"cwpr", "ibcwpr", "typst"} | (set() if model_of(seed, first, places=False).thetas else ABOUT_THETA)
    for key in at_least_one(SIMULATED):
        before = answers(seed, first, key, replay=True)
        assert key in without or any(verdict != "unsupported" for verdict, *_ in before.values())
        for order in others:
            assert answers(seed, order, key) == before, (key, order)


@pytest.mark.sweep(20)
@pytest.mark.parametrize("seed", range(40))
def test_no_definition_depends_on_the_numbering(seed: int) -> None:
    first, *others = orders_of(seed)
    order = Random(seed).choice(others)  # noqa: S311
    for key in at_least_one(EVERY):
        assert answers(seed, order, key) == answers(seed, first, key), (key, order)


def test_the_numbering_is_asked_of_definitions_that_are_decided() -> None:
    """All that are ever decided for lists are decided for some of these models, in each of their readings."""
    decided = {
        (key, reading)
        for seed in range(4)
        for key in EVERY
        for (reading, _), (verdict, *_) in answers(seed, orders_of(seed)[0], key).items()
        if verdict in {"holds", "fails", "vacuous"}
    }
    every = {(key, reading) for key in EVERY if not _definition(key).undecided for reading in _definition(key).readings}
    assert every == decided


def _definition(key: str) -> pk.Definition:
    return atlas[key] if key in atlas else {**DEFINITIONS, **ON_REQUEST}[key]


# --- the right values, by separate code -------------------------------------------------------------------------------


def closest(laws: list[dict[str, Fraction]]) -> Fraction | None:
    """E² for the smallest E at which one law is within E of all of them; None where there is none.

    A law s with max P/E ≤ s ≤ E·min P and the sum 1 is there if and only if Σ max P ≤ E, 1/E ≤ Σ min P, and
    max P ≤ E²·min P for each output.
    """
    outputs = {o for law in laws for o in law}
    most, least = ({o: limit(law.get(o, Fraction(0)) for law in laws) for o in outputs} for limit in (max, min))
    if not all(least.values()):
        return None
    ratios = (most[o] / least[o] for o in outputs)
    highest, lowest = (sum(limits.values(), Fraction(0)) for limits in (most, least))
    return max(highest * highest, 1 / (lowest * lowest), *ratios)


@pytest.mark.parametrize("seed", range(20))
def test_the_smallest_epsilon_is_that_of_what_is_told(seed: int) -> None:
    """With the identity in Agg: by the laws that one simulator's answer must imitate, in both readings."""
    tables = drawn(seed)
    tables["policy"]["agg"] = ["identity"]
    rows = {
        tuple(row["database"]): {o: Fraction(p) for o, p in row["outputs"].items()}
        for row in tables["mechanism"]["table"]
    }
    records = tables.get("sensitive", {}).get("records", range(tables["size"]))
    model, absent = pk.loads(toml_text(tables), ""), tables["policy"].get("absent")
    for reading in ("default", "in-place"):
        told = defaultdict(list)
        for database, law in rows.items():
            for i in (i for i in records if database[i] != absent):
                others = database[:i] + database[i + 1 :]
                told[tuple(sorted(others)) if reading == "default" else (i, others)].append(law)
        squares = [closest(laws) for laws in told.values()]
        found = pk.check(model, "zkpr", reading=reading).tight_epsilon
        finite = [square for square in squares if square is not None]
        assert found == epsilon(f"1/2*ln({max(finite)})" if finite == squares else "inf"), reading
