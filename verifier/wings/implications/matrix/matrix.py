"""The matrix of all ordered pairs of definitions: whether the first implies the second, at three questions, and why.

What follows is derived from facts (`matrix_closure`); what does not is read from the smallest ε of every definition on
a few models (`data/cover.json`, which `build` makes). A pair that no model of the scope separates is
open: that nothing was found is no evidence.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from verifier.errors import InputError
from verifier.numbers import INFINITY
from verifier.numbers import epsilon as read_epsilon
from verifier.wings.implications.facts import DELTA, FOLDER, LEVELS, SAME, SOME, always_finite
from verifier.wings.implications.maps import SOME_MAP
from verifier.wings.implications.matrix.closure import Chain, Place, proved, sorted_chains, with_error
from verifier.wings.implications.parts import Node, decided, node_of

VACUOUS, INF = "vacuous", "inf"
PRECISION = 96
"""Bits of the bounds at which smallest ε are compared: two that are closer separate nothing."""


@cache
def bounds(text: str) -> tuple[Fraction, Fraction] | None:
    """Rational bounds of a smallest ε from its text; None where it is infinite, and 0 where it is vacuous.

    >>> bounds("[0.25, 0.5]"), bounds("inf"), bounds("1/2"), bounds("vacuous")
    ((Fraction(1, 4), Fraction(1, 2)), None, (Fraction(1, 2), Fraction(1, 2)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if text == INF:
        return None
    if text == VACUOUS:
        return Fraction(0), Fraction(0)
    if text.startswith("["):
        low, high = text.strip("[]").split(",")
        return Fraction(low), Fraction(high)
    value = read_epsilon(text, "epsilon")
    return None if value == INFINITY else value.bracket(PRECISION)


def larger(first: str, second: str) -> bool:
    """Whether the second smallest ε is certainly larger than the first."""
    low, high = bounds(first), bounds(second)
    if low is None or high is None:
        return low is not None
    return low[1] < high[0]


PROVED, CLOSURE, ONE, WITH_DELTA, FINITE, ALWAYS, SEPARATED, COMPLETE, DEPENDS, DEPENDS_FINITE, OPEN = (
    "proved",
    "by closure",
    "same definition here",
    "finite, a bound with δ",
    "finite, without a bound",
    "finite for every mechanism",
    "separated",
    "complete on these shapes",
    "depends",
    "depends, without a bound",
    "open",
)
STATES = (PROVED, CLOSURE, ONE, WITH_DELTA, FINITE, ALWAYS, SEPARATED, COMPLETE, DEPENDS, DEPENDS_FINITE, OPEN)
"""The states of a cell.

One fact, or facts in a row, with a bound on ε′ by ε; two keys with one implementation; facts that give each mechanism a
finite ε′, which is bounded at some δ′ above 0; the same without any bound; a second definition that is finite whatever
the first one is; a model; all mechanisms on a few shapes; a condition, with a bound and without; nothing.
"""
QUESTIONS = {
    SOME: "Does a finite ε of the first give a finite ε of the second, at δ = 0?",
    SAME: "Does ε of the first give the same ε of the second, at δ = 0?",
    DELTA: "Does (ε, δ) of the first give (ε, δ) of the second?",
}
COVER = FOLDER / "cover.json"
Pair = tuple[str, str]


@dataclass(frozen=True)
class CoverModel:
    """A model that separates pairs, with the smallest ε of every definition at each δ, as texts."""

    name: str
    values: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class ModelSeparation:
    """The evidence of a model against a pair: at δ the smallest ε is `first` for the first, `second` for the second.

    A `first` that is vacuous compares nothing, and is satisfied with ε = 0.
    """

    model: str
    delta: str
    first: str
    second: str


@dataclass(frozen=True)
class MatrixCell:
    """The answer about one ordered pair at one question.

    `chain` proves it, `conditional` has chains that need a condition (those with a bound on ε first, then the shorter
    ones; beside a `chain` without a bound those with one), `with_delta` gives (ε′, δ′) with a δ′ above 0 where ε′ is
    not bounded at δ = 0, `separation` refutes it, `shapes` are the models on whose θ, knowledge and [policy] every
    mechanism was looked at, and `checked` is the number of models of the scope on which both are decided, where nothing
    is known.
    """

    source: str
    target: str
    level: str
    state: str
    chain: Chain | None = None
    conditional: tuple[Chain, ...] = ()
    separation: ModelSeparation | None = None
    with_delta: Chain | None = None
    shapes: tuple[str, ...] = ()
    checked: int = 0

    @property
    def shown(self) -> Chain | None:
        """The chain that says most: one with a bound at δ = 0, else one with a bound at some δ′, else the first."""
        listed = [*([] if self.chain is None else [self.chain]), *self.conditional[:1]]
        bounded = [each for each in listed if each.map != SOME_MAP]
        return next(iter([*bounded, *([] if self.with_delta is None else [self.with_delta]), *listed]), None)


@dataclass(frozen=True)
class Cover:
    """The result of the pass over the scope: the number of models looked at, models that separate, and pairs.

    `complete` has for each question the pairs that hold for all mechanisms on the shapes, by exchange rates; `checked`
    has for each open pair the number of models on which both are decided.
    """

    looked: int
    models: tuple[CoverModel, ...]
    shapes: tuple[str, ...] = ()
    complete: Mapping[str, frozenset[Pair]] = field(default_factory=dict)
    checked: Mapping[Pair, int] = field(default_factory=dict)


@cache
def cover() -> Cover:
    """The result that `build` wrote.

    >>> cover().looked >= len(cover().models) > 10
    True
    """
    content: dict[str, Any] = json.loads(COVER.read_text(encoding="utf-8"))
    models = tuple(CoverModel(each["name"], each["values"]) for each in content["models"])
    complete = {level: frozenset(map(_pair, pairs)) for level, pairs in content["complete"].items()}
    checked = {_pair(pair): number for pair, number in content["checked"].items()}
    return Cover(content["looked"], models, tuple(content["shapes"]), complete, checked)


def _pair(text: str) -> Pair:
    source, target = text.split()
    return source, target


def separates(values: Mapping[str, Mapping[str, str]], pair: Pair, level: str) -> ModelSeparation | None:
    """The evidence of one model against a pair, without its name; None if there is none.

    A vacuous first definition is satisfied with ε = 0; a vacuous second one follows from anything.
    """
    found = None
    for delta, at in values.items():
        if level != DELTA and delta != "0":
            continue
        first, second = at.get(pair[0]), at.get(pair[1])
        if first is None or second is None or second == VACUOUS:
            continue
        enough = bounds(first) is not None and bounds(second) is None if level == SOME else larger(first, second)
        if enough and first != VACUOUS:
            return ModelSeparation("", delta, first, second)
        if enough and found is None:
            found = ModelSeparation("", delta, first, second)
    return found


def separated(values: Mapping[str, Mapping[str, str]], level: str, *, vacuous: bool = True) -> set[Pair]:
    """All pairs that one model refutes at a question; unless `vacuous` the first definition compares something."""
    pairs: set[Pair] = set()
    for delta, at in values.items():
        if level != DELTA and delta != "0":
            continue
        known = [(key, bounds(text)) for key, text in at.items() if vacuous or text != VACUOUS]
        finite = sorted((ends[1], key) for key, ends in known if ends is not None)
        highs = [high for high, _ in finite]
        for target, ends in known:
            if at[target] == VACUOUS:
                continue
            if level == SOME or ends is None:
                pairs.update((source, target) for _, source in finite if ends is None)
            else:
                pairs.update((source, target) for _, source in finite[: bisect_left(highs, ends[0])])
    return pairs


@dataclass(frozen=True)
class Matrix:
    """All cells, by question and pair; `looked` is how many models the scope has."""

    definitions: tuple[str, ...]
    cells: Mapping[str, Mapping[Pair, MatrixCell]]
    looked: int

    def counts(self, level: str) -> dict[str, int]:
        """The number of cells of a question in each state."""
        number = Counter(cell.state for cell in self.cells[level].values())
        return {state: number[state] for state in STATES}


def matrix_of(known: Cover) -> Matrix:
    """The matrix of all decided definitions that follows from the facts and from some models.

    Raises:
        ArithmeticError: for a pair that is both proved and separated, since one of the two is a mistake.

    """
    cells: dict[str, dict[Pair, MatrixCell]] = {}
    for level in LEVELS:
        chains: dict[Pair, list[Chain]] = {}
        for source, target, chain in proved(level):
            chains.setdefault((source, target), []).append(chain)
        errors = with_errors() if level == SOME else {}
        shown: dict[Pair, ModelSeparation] = {}
        for vacuous, model in product((False, True), known.models):
            for pair in separated(model.values, level, vacuous=vacuous) - shown.keys():
                evidence = separates(model.values, pair, level)
                if evidence is not None:
                    shown[pair] = replace(evidence, model=model.name)
        cells[level] = {
            pair: _cell(pair, level, chains.get(pair, []), shown.get(pair), known, errors.get(pair))
            for pair in permutations(decided(), 2)
        }
    return Matrix(decided(), cells, known.looked)


@cache
def with_errors() -> Mapping[Pair, Chain]:
    """The chain of each pair that gives (ε′, δ′) with a δ′ above 0: the one with the fewest conditions."""
    found: dict[Pair, Chain] = {}
    for source in decided():
        ends = _by_end(with_error(node_of(source)))
        found |= {(source, target): ends[node_of(target)] for target in decided() if node_of(target) in ends}
    return found


def _by_end(chains: Mapping[Place, Chain]) -> dict[Node, Chain]:
    """The chain to each node with the fewest conditions, of those the shortest."""
    ends: dict[Node, Chain] = {}
    order = sorted(chains.items(), key=lambda item: (len(item[0][1]), len(item[1].facts), sorted(item[0][1])))
    for (node, _), chain in order:
        ends.setdefault(node, chain)
    return ends


def _cell(
    pair: Pair,
    level: str,
    chains: list[Chain],
    separation: ModelSeparation | None,
    known: Cover,
    error: Chain | None = None,
) -> MatrixCell:
    chain = next((each for each in chains if not each.when), None)
    unbounded = chain is not None and chain.map == SOME_MAP
    where = (each for each in chains if each.when and (chain is None or (unbounded and each.map != SOME_MAP)))
    conditional = tuple(
        sorted(where, key=lambda each: (each.map == SOME_MAP, len(each.when), len(each.facts), sorted(each.when)))
    )
    if chain is not None:
        if separation is not None:
            facts = "; ".join(fact.sentence for fact in chain.facts) or "the two have the same parts"
            raise ArithmeticError(f"{pair[0]} implies {pair[1]} ({facts}), and {separation.model} refutes it")
        state = DEPENDS if conditional else _kind_of(chain, pair[1])
        if state in {FINITE, ALWAYS} and error is not None:
            state = WITH_DELTA
        return MatrixCell(*pair, level, state, chain, conditional, with_delta=error if unbounded else None)
    if conditional:
        bounded = conditional[0].map != SOME_MAP
        state = DEPENDS if bounded else DEPENDS_FINITE if error is None else WITH_DELTA
        return MatrixCell(*pair, level, state, None, conditional, separation, None if bounded else error)
    if separation is not None:
        return MatrixCell(*pair, level, SEPARATED, None, (), separation, error)
    if pair in known.complete.get(level, frozenset()):
        return MatrixCell(*pair, level, COMPLETE, shapes=known.shapes)
    return MatrixCell(*pair, level, OPEN, checked=known.checked.get(pair, 0))


def _kind_of(chain: Chain, target: str) -> str:
    """The state of a pair with a chain without a condition."""
    if not chain.facts:
        return ONE
    if chain.map == SOME_MAP:
        return ALWAYS if target in always_finite() else FINITE
    return PROVED if len(chain.facts) == 1 else CLOSURE


@cache
def matrix() -> Matrix:
    """The matrix of all decided definitions.

    >>> cells = matrix().cells["some"]
    >>> cells["flpr", "npr"].state, cells["npr", "causdp"].state, cells["npr", "osdp"].separation.second
    ('by closure', 'depends', 'inf')
    """
    return matrix_of(cover())


@cache
def pair_cell(source: str, target: str, level: str) -> MatrixCell:
    """The cell of a pair at a question, computed without the others of the matrix.

    >>> pair_cell("npr", "causdp", "some") == matrix().cells["some"]["npr", "causdp"]
    True
    """
    start, goal = node_of(source), node_of(target)
    error = _by_end(with_error(start)).get(goal) if level == SOME else None
    chains = [chain for (node, _), chain in sorted_chains(start, level) if node == goal]
    shown = [
        replace(evidence, model=model.name)
        for model in cover().models
        if (evidence := separates(model.values, (source, target), level)) is not None
    ]
    first = min(shown, key=lambda evidence: evidence.first == VACUOUS, default=None)
    return _cell((source, target), level, chains, first, cover(), error)


def need_pair(source: str, target: str) -> None:
    """Refuse a pair of keys without cells in the matrix.

    Raises:
        InputError: for a definition that is not decided, and for the same one twice.

    """
    for key in (source, target):
        if key not in decided():
            raise InputError(f"{key} is not decided", where="DEFINITION", wanted="a definition that is decided here")
    if source == target:
        raise InputError(f"{source} is given twice", where="DEFINITION", wanted="two different definitions")
