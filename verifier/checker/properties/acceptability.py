"""The independent re-check of acceptable normalizations (DMKB20, Definitions 7 and 8), from plain tables.

A certificate has the worlds of each θ, and for each θ and each protected value an answer:

* yes: independent parameters φ₀, φ₁, … with their laws, the generating table with one row for each combination of
  their values (when, database, B̂, S), and the names of the parameters that are the knowledge. By multiplication the
  table makes the law of θ; no two rows make one world; φ₀ determines S; these parameters and B̂ determine each other.
* no: two knowledge values and a sensitive value s. Each B̂ leaves some worlds with S = s, with certain probabilities;
  where there is a normalization these are the same for every B̂ (proofs/acceptability.md), and here they differ.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

from verifier.checker import Rejected, require
from verifier.checker.laws import protected
from verifier.checker.numbers import number
from verifier.checker.shapes import DATABASE, LAW, OR_NONE, RATIONAL, SETTING, Either

YES = {
    "distribution": str,
    "record": Either((int, "S")),
    "acceptable": True,
    "parameters": [{"name": str, "table": LAW}],
    "knowledge": [str],
    "table": [([str], DATABASE, str, OR_NONE)],
}
NO = {
    "distribution": str,
    "record": Either((int, "S")),
    "acceptable": False,
    "reason": {"knowledge": (str, str), "sensitive": str, "chances": ([RATIONAL], [RATIONAL])},
}
SHAPE = {**SETTING, "answers": [Either((YES, NO))]}

World: TypeAlias = tuple[tuple[str, ...], str, str]
"""A possible world: the database, the text of B̂, and the sensitive value."""
Law: TypeAlias = dict[World, Fraction]


def replay_acceptability(certificate: dict[str, Any]) -> str:
    """Re-check the answers about acceptable normalizations; return "", since nothing is left out.

    Raises:
        Rejected: where an answer does not follow from the worlds, with its θ and what is protected.

    """
    values, secrets, size = certificate["values"], certificate["secrets"], certificate["size"]
    require(
        size > 0 and values and len(set(values)) == len(values), "size and values must be records and distinct values"
    )
    protected(secrets, size)
    require(certificate["worlds"], "there is no distribution")
    expected = [(theta, secret) for theta in certificate["worlds"] for secret in secrets]
    answered = [(answer["distribution"], answer["record"]) for answer in certificate["answers"]]
    require(
        answered == expected, "there must be one answer for each distribution and each protected value, in their order"
    )
    for answer in certificate["answers"]:
        law = _law(certificate, answer["distribution"], answer["record"])
        where = f"{answer['distribution']}, record {answer['record']}"
        try:
            _generates(answer, law) if answer["acceptable"] else _differs(answer["reason"], law)
        except Rejected as error:
            raise Rejected(f"{where}: {error}") from None
    return ""


def _law(certificate: dict[str, Any], theta: str, protected: Any) -> Law:
    """The worlds of positive probability, which sum to 1."""
    law: Law = {}
    for database, knowledge, sensitive, p in certificate["worlds"][theta]:
        require(len(database) == certificate["size"], "a database has another size")
        require(set(database) <= set(certificate["values"]), "a database has a value that is none of the values")
        require(
            knowledge is not None and (sensitive is None) == (protected != "S"), "a world lacks its knowledge, or S"
        )
        world = tuple(database), knowledge, sensitive if protected == "S" else database[protected]
        require(world[2] in certificate["domain"], "a sensitive value is outside its domain")
        law[world] = law.get(world, Fraction(0)) + number(p)
    require(sum(law.values()) == 1, "the worlds are no distribution")
    return {world: p for world, p in law.items() if p}


def _generates(answer: dict[str, Any], law: Law) -> None:
    """The parameters are independent and generate θ, φ₀ determines S, and the named ones are the knowledge."""
    parameters = [{value: number(p) for value, p in parameter["table"].items()} for parameter in answer["parameters"]]
    names = [parameter["name"] for parameter in answer["parameters"]]
    require(names and len(set(names)) == len(names), "parameters need distinct names, at least one")
    for name, table in zip(names, parameters, strict=True):
        require(sum(table.values()) == 1 and all(table.values()), f"the parameter {name} has no law")
    known_names = answer["knowledge"]
    require(
        len(set(known_names)) == len(known_names) and set(known_names) <= set(names),
        "the knowledge names parameters, each once",
    )
    require(names[0] not in known_names, f"{names[0]} is φ₀, so that it cannot be part of the knowledge")
    rows = {tuple(when): row for when, *row in answer["table"]}
    require(
        len(rows) == len(answer["table"]) == prod(map(len, parameters)),
        "the generating table needs one row for each combination of the parameters' values",
    )
    world_at = {(*world[:2], world[2] if answer["record"] == "S" else None): world for world in law}
    generated: Law = {}
    sensitive: dict[str, str] = {}
    knowledge_of: dict[tuple[str, ...], str] = {}
    for when in product(*parameters):
        require(when in rows, f"the generating table has no row for {list(when)}")
        database, knowledge, secret = rows[when]
        world = world_at.get((tuple(database), knowledge, secret))
        if world is None:
            raise Rejected(f"{list(when)} generates a world that is impossible")
        require(world not in generated, f"not injective: two rows generate {list(world)}")
        generated[world] = prod(
            (table[value] for table, value in zip(parameters, when, strict=True)), start=Fraction(1)
        )
        require(sensitive.setdefault(when[0], world[2]) == world[2], f"{names[0]} = {when[0]} does not determine S")
        known_values = tuple(value for name, value in zip(names, when, strict=True) if name in known_names)
        require(
            knowledge_of.setdefault(known_values, knowledge) == knowledge,
            f"the parameters {list(known_values)} do not determine the knowledge",
        )
    require(
        len(set(knowledge_of.values())) == len(knowledge_of),
        "the knowledge does not determine the parameters that it is made of",
    )
    wrong = next((world for world in law if generated.get(world) != law[world]), None)
    require(wrong is None, f"the parameters do not multiply up to the probability of {wrong}")


def _differs(reason: dict[str, Any], law: Law) -> None:
    """The two knowledge values leave the worlds with S = s with different probabilities."""
    chances = []
    for knowledge, claimed in zip(reason["knowledge"], reason["chances"], strict=True):
        mass = sum((p for world, p in law.items() if world[1] == knowledge), Fraction(0))
        require(mass, f"the knowledge {knowledge!r} is impossible")
        derived = sorted(p * Fraction(1, mass) for w, p in law.items() if w[1:] == (knowledge, reason["sensitive"]))
        require([number(p) for p in claimed] == derived, f"the probabilities given {knowledge!r} are others")
        chances.append(derived)
    require(chances[0] != chances[1], "the two knowledge values leave the same probabilities")
