"""All models of a scope: one by one, and in one pass the ways in which they answer a list of questions.

Every question is a definition at constant ε and δ. Blocks answer; what they cannot decide is `open`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from verifier.errors import InputError
from verifier.questions.language import statement
from verifier.questions.statement import Holds, Statement
from verifier.wings.search.batch.statement import Blocks, LayerQuestions
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.enumerate_scope import refuse_miscount
from verifier.wings.search.enumeration import laws, mechanisms, stabilizer
from verifier.wings.search.in_columns import models_of, pieces
from verifier.wings.search.layers import Layer, admit, candidate, layers
from verifier.wings.search.layers import codes as number_of_codes
from verifier.wings.search.orbits import FULL, Count, Symmetry, count
from verifier.wings.search.question import SearchQuestion, question_of
from verifier.wings.search.scope import MAX_MODELS, Scope
from verifier.wings.search.shards import Shard, shards
from verifier.wings.search.workers import answers

HOLDS, FAILS, *_ = VERDICTS = ("holds", "fails", "vacuous", "open")
Codes: TypeAlias = bytes
"""The position of each question's verdict in `VERDICTS`."""


class Way(NamedTuple):
    """The models with the same verdicts: how many, also up to renaming, and the first of them."""

    models: int
    orbits: int
    first: Candidate

    def plus(self, other: Way) -> Way:
        """The models of this way and of another part of the scope together."""
        first = min(self.first, other.first, key=lambda model: model.size)
        return Way(self.models + other.models, self.orbits + other.orbits, first)


@dataclass(frozen=True)
class Tally:
    """The ways in which the models of a scope answer; the verdicts of a way are in the order of the questions."""

    questions: tuple[Statement, ...]
    scope: Scope
    ways: dict[tuple[str, ...], Way]

    def separations(self) -> dict[tuple[Statement, Statement], Candidate]:
        """For each pair of questions the smallest model where the first holds, not vacuously, and the second fails."""
        smallest: dict[tuple[int, int], Candidate] = {}
        known = np.zeros((len(self.questions),) * 2, dtype=np.bool_)
        for verdicts, way in sorted(self.ways.items(), key=lambda entry: entry[1].first.size):
            held, failed = (np.array([verdict == word for verdict in verdicts]) for word in (HOLDS, FAILS))
            new = np.outer(held, failed) & ~known
            smallest |= {(int(a), int(b)): way.first for a, b in np.argwhere(new)}
            known |= new
        return {(self.questions[a], self.questions[b]): model for (a, b), model in sorted(smallest.items())}


def tally(
    questions: Sequence[str | Statement],
    scope: Scope,
    *,
    policy: object = None,
    jobs: int = 1,
    workers: str | None = None,
    max_models: int = MAX_MODELS,
) -> Tally:
    """Answer all questions on every model of a scope, up to renaming.

    Each question is a definition at constant ε and δ, such as `"osdp(epsilon=ln(2))"` or `"adp(ln(2), 1/10)"`; `policy`
    is the `[policy]` of every model. The answer is the same for every number of jobs, and on a Dask cluster
    (`workers="dask://host:port"`).

    >>> counts = tally(["dp(epsilon=ln(2))", "klpr(epsilon=ln(2))"], Scope(1, 2, 2, 1, weights=1, mechanism_weights=4))
    >>> {verdicts: way.orbits for verdicts, way in counts.ways.items()}
    {('fails', 'fails'): 7, ('fails', 'holds'): 1, ('holds', 'holds'): 5}

    Raises:
        InputError: for a question that is no definition at constants, and without a question.
        LimitError: for a scope that is too large; it is refused before any work.

    """
    atoms = tuple(statement(question, "questions=") for question in questions)
    wrong = next((atom for atom in atoms if not isinstance(atom, Holds) or atom.variables), None)
    if wrong is not None or not atoms:
        raise InputError(
            f"{wrong} is not a definition at constants" if wrong else "there is no question",
            where="tally",
            wanted="definitions at constant ε and δ",
        )
    scope.admit(max_models)
    admit(scope)
    question = question_of(atoms, None, None, scope, policy)
    ways: dict[Codes, Way] = {}
    for shard_ways in answers(question, shards(question), jobs, workers, tally_of):
        _add(ways, shard_ways)
    size = count(scope, question.symmetry)
    refuse_miscount(Count(sum(way.models for way in ways.values()), sum(way.orbits for way in ways.values())), size)
    named = {tuple(VERDICTS[code] for code in codes): ways[codes] for codes in sorted(ways, reverse=True)}
    return Tally(atoms, scope, dict(sorted(named.items())))


def _add(ways: dict[Codes, Way], further: dict[Codes, Way]) -> None:
    for codes, way in further.items():
        ways[codes] = ways[codes].plus(way) if codes in ways else way


def tally_of(question: SearchQuestion, shard: Shard) -> dict[Codes, Way]:
    """The ways in which the models of a shard answer."""
    representatives, groups, tables = models_of(question, shard)
    ways: dict[Codes, Way] = {}
    for numbers, table in zip(groups, tables, strict=True):
        for chosen, low, deep, blocks in pieces(
            question, shard.layer, representatives.weights[numbers], numbers, table
        ):
            sizes = representatives.size[chosen][:, None] * table.size[low : low + deep][None, :]
            for codes, place, orbits, models in _ways(question, shard.layer, blocks, sizes):
                law, at = int(chosen[place // deep]), low + place % deep
                first = candidate(
                    shard.layer, representatives.weights[law], table.rows[at], first_only=question.scope.first_only
                )
                _add(ways, {codes: Way(models, orbits, first)})
    return ways


def _ways(
    question: SearchQuestion, layer: Layer, blocks: Blocks, sizes: NDArray[np.int64]
) -> Iterator[tuple[Codes, int, int, int]]:
    """The verdicts that models of a block have, the number of the first such model, and how many orbits and models."""
    asked = LayerQuestions(question.claim, layer, blocks)
    verdicts = np.empty((*sizes.shape, len(question.satisfied)), dtype=np.uint8)
    for k, atom in enumerate(question.satisfied):
        known = asked.constant(atom)  # type: ignore[arg-type]
        answer = np.where(known.may.be_true, np.where(known.may.be_false, 3, 0), 1)
        verdicts[:, :, k] = np.where(known.vacuous, 2, answer)
    flat = verdicts.reshape(-1, len(question.satisfied))
    # whole rows as single values
    rows = np.ascontiguousarray(flat).view(np.dtype((np.void, flat.shape[1]))).reshape(-1)
    _, first, which, orbits = np.unique(rows, return_index=True, return_inverse=True, return_counts=True)
    models = np.zeros(len(first), dtype=np.int64)
    np.add.at(models, which.reshape(-1), sizes.reshape(-1))
    for k, place in enumerate(first):
        yield flat[place].tobytes(), int(place), int(orbits[k]), int(models[k])


def enumerate_models(scope: Scope, symmetry: Symmetry = FULL) -> Iterator[tuple[Candidate, int]]:
    """Every orbit once, in order, as its first model and the number of models in it.

    >>> every = list(enumerate_models(Scope(2, 2, 2, 1, weights=2, mechanism_weights=1)))
    >>> len(every), sum(size for _, size in every), every[0][0].law
    (34, 159, (1, 0))
    """
    admit(scope)
    for shape in scope.shapes():
        for layer in layers(shape, scope):
            representatives = laws(
                shape, layer.support, layer.law_total, first_only=scope.first_only, symmetry=symmetry
            )
            for k in range(len(representatives.size)):
                group = stabilizer(representatives, k, shape, first_only=scope.first_only, symmetry=symmetry)
                for begin in range(0, number_of_codes(layer), 1 << 18):
                    end = min(begin + (1 << 18), number_of_codes(layer))
                    batch = mechanisms(shape.outputs, layer.row_total, group, begin, end, symmetry)
                    for rows, size in zip(batch.rows, batch.size, strict=True):
                        model = candidate(layer, representatives.weights[k], rows, first_only=scope.first_only)
                        yield model, int(representatives.size[k] * size)
