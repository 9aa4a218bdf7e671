"""The matrix as sentences, tables and JSON: how two definitions relate and why, and all cells."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.definitions import find
from verifier.definitions.atlas import atlas
from verifier.model import read
from verifier.model.library import models_folder
from verifier.model.policy import FIELDS
from verifier.model.write import toml_text
from verifier.numbers import plural
from verifier.show.axis_words import fields_read
from verifier.show.sheet import ITEMS, Sheet, Word
from verifier.wings.implications.conditions import where_text
from verifier.wings.implications.facts import (
    COMPARED,
    DELTA,
    LEVELS,
    SAME,
    SOME,
    Implication,
    always_finite,
    result_text,
)
from verifier.wings.implications.maps import SOME_MAP, map_text
from verifier.wings.implications.matrix.closure import Chain
from verifier.wings.implications.matrix.matrix import (
    ALWAYS,
    CLOSURE,
    COMPLETE,
    DEPENDS,
    DEPENDS_FINITE,
    FINITE,
    ONE,
    OPEN,
    PROVED,
    QUESTIONS,
    SEPARATED,
    STATES,
    VACUOUS,
    WITH_DELTA,
    Matrix,
    MatrixCell,
    ModelSeparation,
    Pair,
    cover,
    matrix,
    need_pair,
    pair_cell,
)
from verifier.wings.implications.parts import matrix_key, passport_key

SHORT = {SOME: "some ε", SAME: "the same ε", DELTA: "the same ε and δ"}
"""The questions in two or three words."""
PROOFS = "proofs/implications"
LEGEND = (
    "All of it speaks of models in which every record is protected, of one [policy], and of models on which both "
    "definitions are decided. A definition that compares nothing in a model is vacuous, and satisfied: it follows from "
    "anything, and implies no other one that compares something there. ε is the number that pkdp asks of a definition, "
    "ρ, τ or μ where it has another name. A definition without an ε has 0 where it holds, and none where it fails; one "
    "without a δ is asked at δ = 0."
)
NO_BOUND = "no bound on ε′ by ε is known from this"
WORDS = {
    PROVED: "one fact, with a bound on ε′",
    CLOSURE: "facts in a row, with a bound on ε′",
    ONE: "two keys with one implementation",
    WITH_DELTA: "ε′ is finite, or on a condition; (ε′, δ′) is bounded",
    FINITE: "ε′ is finite and depends on the mechanism",
    ALWAYS: "nothing follows: the second is finite anyway",
    SEPARATED: "a model refutes it",
    COMPLETE: "of all mechanisms on a few shapes, at one ε",
    DEPENDS: "on one or two conditions, with a bound on ε′",
    DEPENDS_FINITE: "on one or two; ε′ depends on the mechanism",
    OPEN: "neither a proof nor a model",
}


def proof_of(fact: Implication) -> str:
    """The page of a fact's proof, with its heading."""
    if fact.proof.startswith("proofs/"):
        return fact.proof
    page, _, heading = fact.proof.partition("#")
    return f"{PROOFS}/{page}.md#{heading}"


def chain_text(chain: Chain) -> str:
    """The facts of a chain, one after the other, each with its proof."""
    if not chain.facts:
        return "the two compare the same rows with the same measure"
    return "; ".join(f"{fact.sentence} ({proof_of(fact)})" for fact in chain.facts)


def shown_text(source: str, target: str, shown: ModelSeparation) -> str:
    """The evidence of a model against a pair, in a sentence without its full stop."""
    file = models_folder() / f"{shown.model}.toml"
    policy = tomllib.loads(file.read_text(encoding="utf-8")).get("policy", {})
    at = "" if shown.delta == "0" else f" at δ = {shown.delta}"
    second = "no finite ε" if shown.second == "inf" else f"ε = {shown.second}"
    return (
        f"{shown.model} ({read(file).title}) has {source} {least_text(shown.first)}{parameters_text(source, policy)}, "
        f"and {target} with {second}{parameters_text(target, policy)}{at}"
    )


def least_text(first: str) -> str:
    """The smallest ε of a definition in words; one that is vacuous is satisfied."""
    return "vacuous, so that it is satisfied" if first == VACUOUS else f"with ε = {first}"


def parameters_text(key: str, policy: Mapping[str, Any]) -> str:
    """The parameters of a definition in a model beside its ε, such as the ξ of zCDP; empty where it has none.

    >>> parameters_text("zcodp", {"xi": "2", "order": 3})
    ' (and [policy] xi = "2")'
    """
    read_here = fields_read(atlas[key]) if key in atlas else {}
    parameters = {field: policy[field] for field in read_here if FIELDS[field].parameter and field in policy}
    if not parameters:
        return ""
    lines = toml_text({"policy": parameters}).strip().splitlines()[1:]
    return f" (and [policy] {', '.join(' '.join(line.split()) for line in lines)})"


def with_text(chain: Chain) -> str:
    """What becomes of ε along a chain, with the δ′ that it needs, where it needs one."""
    return result_text(chain.map, chain.error)


def sentence(cell: MatrixCell) -> str:
    """The answer of a cell with its reason, in a sentence or two; and a bound with δ′ above 0, where none is at 0."""
    answer = _at_zero(cell)
    chain = cell.with_delta
    if chain is None:
        return answer
    where = f", where {where_text(chain.when)}" if chain.when else ""
    every = " for every δ between 0 and 1" if "delta" in chain.error else ""
    return f"{answer} With δ above 0 there is a bound, {with_text(chain)}{every}{where}: {chain_text(chain)}."


def _without(cell: MatrixCell, refuted: str) -> str:
    """What is so without the condition of a cell."""
    if cell.chain is not None:
        always = cell.target in always_finite()
        return "the second is finite for every mechanism" if always else "it is finite, and depends on the mechanism"
    return f"no: {refuted}" if refuted else "it is open"


def _at_zero(cell: MatrixCell) -> str:
    if cell.conditional:
        first = cell.conditional[0]
        refuted = "" if cell.separation is None else shown_text(cell.source, cell.target, cell.separation)
        where = f"yes, with {map_text(first.map)}, where {where_text(first.when)}: {chain_text(first)}"
        return f"It depends: {where}. Without it {_without(cell, refuted)}."
    if cell.chain is not None and cell.state == ONE:
        return f"Yes: one definition here, under two names; {chain_text(cell.chain)}."
    if cell.chain is not None and cell.chain.map == SOME_MAP and cell.target in always_finite():
        return f"The second is finite for every mechanism, so that the first plays no part: {chain_text(cell.chain)}."
    if cell.chain is not None and cell.chain.map == SOME_MAP:
        return f"Yes, of each mechanism alone, with {map_text(SOME_MAP)}; {NO_BOUND}: {chain_text(cell.chain)}."
    if cell.chain is not None:
        return f"Yes, with {map_text(cell.chain.map)}: {chain_text(cell.chain)}."
    refuted = "" if cell.separation is None else shown_text(cell.source, cell.target, cell.separation)
    if refuted:
        return f"No: {refuted}."
    if cell.state == COMPLETE:
        return (
            f"No proof is known; but every mechanism agrees on {plural(len(cell.shapes), 'shape')}, at ε = ln(2) "
            f"({', '.join(cell.shapes)})."
        )
    return (
        f"Open: neither a proof nor a model is known; both are decided on {cell.checked} of the "
        f"{cover().looked} models that were looked at."
    )


def pair_rows(source: str, target: str) -> list[tuple[str, str]]:
    """The rows on whether the first implies the second: with the same ε and δ, with the same ε, and for some ε.

    A row that says the same as the one before is left out, and so are the weaker questions after a proof.
    """
    rows = []
    stronger = ""
    for level in reversed(LEVELS):
        cell = pair_cell(source, target, level)
        answer = sentence(cell)
        if answer != stronger:
            rows.append((f"{source} ⟹ {target}, {SHORT[level]}", answer))
        stronger = answer
        if cell.chain is not None:
            break
    return rows


def pair_beyond_papers(names: Sequence[str]) -> Pair | None:
    """The keys of two definitions of which one is not compared in the papers' own table; None for other names.

    Raises:
        InputError: for a name that is no definition, the same one twice, and a definition that is not decided.

    """
    keys = [find(name).key for name in names]
    if len(keys) != 2 or all(key in COMPARED for key in keys):
        return None
    source, target = map(matrix_key, keys)
    need_pair(source, target)
    return source, target


def matrix_pair_sheet(source: str, target: str) -> Sheet:
    """The table of how two definitions relate, in both orders, with the command that shows a model."""
    rows = []
    for pair in ((source, target), (target, source)):
        rows += pair_rows(*pair)
        shown = next((cell.separation for cell in _cells(pair) if cell.separation is not None), None)
        if shown is not None:
            rows += [("see", command) for command in _commands(pair, shown)]
    return Sheet(f"{source} and {target}", ITEMS, tuple(rows), (LEGEND,))


def _commands(pair: Pair, shown: ModelSeparation) -> list[str]:
    """The commands that show two definitions on a model: one, or two if only one definition has the δ above 0."""
    asked = [passport_key(key) for key in pair]
    with_delta = [key for key in asked if shown.delta != "0" and find(key).has_delta]
    commands = []
    for named, at in (([key for key in asked if key not in with_delta], ""), (with_delta, f" --delta {shown.delta}")):
        if keys := ",".join(named):
            commands.append(f"pkdp check {shown.model} --definition {keys}{at}")
    return commands


def _cells(pair: Pair) -> list[MatrixCell]:
    return [pair_cell(*pair, level) for level in LEVELS]


def count_sheet(known: Matrix) -> Sheet:
    """The table of the numbers of cells in each state, at each question."""
    counts = {level: known.counts(level) for level in LEVELS}
    rows = [(state, WORDS[state], *(str(counts[level][state]) for level in LEVELS)) for state in STATES]
    total = str(len(known.definitions) * (len(known.definitions) - 1))
    rows.append(("all", "", total, total, total))
    heads = ("state", "because", *(SHORT[level] for level in LEVELS))
    of_atlas = sum(key in atlas for key in known.definitions)
    others = len(known.definitions) - of_atlas
    note = (
        f"{len(known.definitions)} definitions ({of_atlas} of the atlas, and {others} of other papers), "
        f"{known.looked} models looked at, {len(cover().models)} kept."
    )
    return Sheet("What follows from what, all ordered pairs", heads, tuple(rows), (note, LEGEND))


def model_sheet() -> Sheet:
    """The table of the kept models, with the number of pairs that each is the evidence for, at each question."""
    known = matrix()
    used = {
        level: Counter(cell.separation.model for cell in known.cells[level].values() if cell.separation is not None)
        for level in LEVELS
    }
    rows = tuple(
        (f"models/{model.name}.toml", *(str(used[level][model.name]) for level in LEVELS)) for model in cover().models
    )
    return Sheet("The models that separate, and of how many pairs", ("model", *SHORT.values()), rows)


def cell_sheet(known: Matrix) -> Sheet:
    """The table of all cells at all questions, a row for each."""
    rows = []
    for level in LEVELS:
        for (source, target), cell in known.cells[level].items():
            rows.append((source, target, SHORT[level], Word(cell.state), _map_of(cell), *_evidence(cell)))
    heads = ("from", "to", "question", "state", "with", "where", "because", "model", "ε of from", "ε of to", "δ")
    return Sheet("Every ordered pair", heads, tuple(rows))


def _map_of(cell: MatrixCell) -> str:
    chain = cell.shown
    return "" if chain is None else with_text(chain)


def _evidence(cell: MatrixCell) -> tuple[str, str, str, str, str, str]:
    chain = cell.shown
    because = "" if chain is None else "; ".join(fact.sentence for fact in chain.facts)
    where = "" if chain is None else where_text(chain.when)
    shown = cell.separation
    if shown is None:
        return where, because, "", "", "", ""
    return where, because, f"models/{shown.model}.toml", shown.first, shown.second, shown.delta


def matrix_sheets(kind: str) -> list[Sheet]:
    """The table of counts; for CSV the table of all cells."""
    return [cell_sheet(matrix())] if kind == "csv" else [count_sheet(matrix())]


def matrix_json() -> dict[str, Any]:
    """The whole matrix as the object of `pkdp relations --matrix --json`."""
    known = matrix()
    return {
        "definitions": list(known.definitions),
        "questions": dict(QUESTIONS),
        "looked": known.looked,
        "models": [f"models/{model.name}.toml" for model in cover().models],
        "counts": {level: known.counts(level) for level in LEVELS},
        "cells": [cell_json(cell) for level in LEVELS for cell in known.cells[level].values()],
    }


def pair_json(source: str, target: str) -> dict[str, Any]:
    """Both orders of a pair as the object of `pkdp relations A B --json`."""
    pairs = [
        {"from": first, "to": second, **{cell.level: cell_json(cell) for cell in _cells((first, second))}}
        for first, second in ((source, target), (target, source))
    ]
    return {"definitions": [source, target], "pairs": pairs}


def cell_json(cell: MatrixCell) -> Mapping[str, Any]:
    """The object of one cell in JSON, with its evidence."""
    shown = cell.separation
    return {
        "from": cell.source,
        "to": cell.target,
        "question": cell.level,
        "state": cell.state,
        "chain": None if cell.chain is None else _chain_json(cell.chain),
        "conditional": [_chain_json(chain) for chain in cell.conditional],
        "with_delta": None if cell.with_delta is None else _chain_json(cell.with_delta),
        "model": None if shown is None else f"models/{shown.model}.toml",
        "delta": None if shown is None else shown.delta,
        "epsilon_from": None if shown is None else shown.first,
        "epsilon_to": None if shown is None else shown.second,
        "shapes": list(cell.shapes),
        "checked": cell.checked if cell.state == OPEN else None,
    }


def _chain_json(chain: Chain) -> Mapping[str, Any]:
    return {
        "map": chain.map,
        "delta": chain.error or None,
        "where": where_text(chain.when) or None,
        "facts": [{"fact": fact.sentence, "proof": proof_of(fact)} for fact in chain.facts],
        "nodes": [node.text for node in chain.nodes],
    }
