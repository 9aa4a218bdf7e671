"""For each ordered pair of definitions: implied, by which arrows; or not, by which model; or open.

That one definition does not imply another is never written down: the models are asked, and each answer is re-checked
by the replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.definitions import DEFINITIONS
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import Model, read
from verifier.model.library import models_folder
from verifier.numbers import Delta, Enclosure, Epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.ask import check
from verifier.wings.papers.relations.arrows import ARROWS, CLAIMS, COMPARED, Arrow, factor_text

if TYPE_CHECKING:
    from networkx import DiGraph

ASKED = ("0", "ln(2)", "inf")
PER_RECORD = 1000
"""What a factor n costs on the way from one definition to another: any constant factor is better."""
MORE = ("DMKB20/proposition-4-np-not-cdp.toml", "DMKB20/example-5-one-triple.toml")


@dataclass(frozen=True)
class Fact:
    """One model and what is tightest in it: ε at δ = 0, and δ at a few ε, by definition; vacuous ones are left out."""

    path: str
    model: Model
    epsilon: Mapping[str, Epsilon]
    delta: Mapping[tuple[str, str], Delta]


@dataclass(frozen=True)
class Cell:
    """One ordered pair at one level: implied by `arrows`, or refuted by `fact`, with the numbers of `how`, or open."""

    source: str
    target: str
    arrows: tuple[Arrow, ...] = ()
    fact: Fact | None = None
    how: str = ""

    @property
    def factor(self) -> int | str:
        """By what ε is multiplied; a text such as `n` where it grows with the number of records."""
        text = factor_text(self.arrows)
        return int(text or 1) if text.isdecimal() or not text else text

    @property
    def status(self) -> str:
        """`implied`, `not implied` or `open`."""
        return "implied" if self.arrows else "not implied" if self.fact else "open"


@dataclass(frozen=True)
class Relations:
    """The whole table: `pure[a, b]` at δ = 0 for some function of ε, `approximate[a, b]` from (ε, δ) to (ε, δ)."""

    definitions: tuple[str, ...]
    facts: tuple[Fact, ...]
    pure: Mapping[tuple[str, str], Cell]
    approximate: Mapping[tuple[str, str], Cell]

    def conditional(self, source: str, target: str) -> tuple[Arrow, ...]:
        """The arrows from one to the other that need a condition."""
        return tuple(a for a in ARROWS if (a.source, a.target) == (source, target) and a.condition)


def graph(arrows: Sequence[Arrow]) -> DiGraph:
    """The arrows as a directed graph; of several between two nodes the first."""
    import networkx as nx

    found: DiGraph = nx.DiGraph()
    for arrow in reversed(arrows):
        found.add_edge(arrow.source, arrow.target, arrow=arrow, cost=arrow.factor + PER_RECORD * arrow.per_record)
    return found


def paths(arrows: Sequence[Arrow]) -> dict[tuple[str, str], tuple[Arrow, ...]]:
    """The shortest way from each definition to each that it implies."""
    import networkx as nx

    made = graph(arrows)
    return {
        (source, target): tuple(made.edges[step]["arrow"] for step in pairwise(way))
        for source, ways in nx.all_pairs_dijkstra_path(made, weight="cost")
        for target, way in ways.items()
        if source != target
    }


def evidence() -> list[Path]:
    """The model files that are asked: those of models/relations, and those that refute a claim."""
    root = models_folder()
    listed = [*(claim.model for claim in CLAIMS if claim.refuted), *MORE]
    return sorted({*(root / "relations").glob("*.toml"), *(root / name for name in listed)})


def fact(path: Path, definitions: Sequence[str]) -> Fact:
    """Ask a model for the tightest values of each definition that is not vacuous."""
    model = read(path)
    if model.restriction:
        words = f"the definitions speak of every record, and this model is {model.restriction.text}"
        raise InputError(words, where=path.name, wanted="a model without [sensitive]")
    engine = Engine(model)
    smallest: dict[str, Epsilon] = {}
    deltas: dict[tuple[str, str], Delta] = {}
    for name in definitions:
        answer = check(model, name, engine=engine)
        if answer.verdict in {"holds", "fails"} and isinstance(answer.tight_epsilon, Epsilon):
            smallest[name] = answer.tight_epsilon
            for at in ASKED:
                delta = check(model, name, epsilon=at, engine=engine).tight_delta
                if delta is not None and not isinstance(delta, Enclosure):
                    deltas[name, at] = delta
    return Fact(path.relative_to(models_folder()).as_posix(), model, smallest, deltas)


def _size(one: Fact) -> tuple[int, int, int, str]:
    worlds = sum(theta.count() for theta in one.model.thetas)
    return one.model.size, len(one.model.values), worlds, one.path


@lru_cache(maxsize=1)
def relations() -> Relations:
    """Every ordered pair, implied, not implied, or open.

    >>> table = relations()
    >>> table.pure["apkdp", "ppkdp"].status, table.pure["np", "cdp"].fact.path
    ('implied', 'DMKB20/example-4-repaired.toml')
    """
    definitions = tuple(name for name in COMPARED if name in DEFINITIONS)
    facts = tuple(sorted((fact(path, definitions) for path in evidence()), key=_size))
    at_zero = paths([arrow for arrow in ARROWS if not arrow.condition])
    with_delta = paths([one for one in ARROWS if not one.condition and one.delta and not factor_text((one,))])
    pure, approximate = {}, {}
    for source, target in permutations(definitions, 2):
        pure[source, target] = _pure(source, target, at_zero.get((source, target), ()), facts)
        approximate[source, target] = _approximate(source, target, with_delta.get((source, target), ()), facts)
    return Relations(definitions, facts, pure, approximate)


def _pure(source: str, target: str, arrows: tuple[Arrow, ...], facts: Sequence[Fact]) -> Cell:
    """No function of ε: a model where the first holds with ε = 0, or a finite one, and the second with no finite ε."""
    strong = []
    for one in facts:
        if source in one.epsilon and target in one.epsilon and one.epsilon[target].is_infinite:
            least = one.epsilon[source]
            if not least.is_infinite:
                strong.append((least.text() != "0", one, f"{source} at ε = {least}, {target} at no finite ε"))
    if arrows or not strong:
        if arrows and strong:
            raise ArithmeticError(f"{source} implies {target} by proof, and {strong[0][1].path} refutes it")
        return Cell(source, target, arrows)
    _, found, how = min(strong, key=lambda one: (one[0], _size(one[1])))
    return Cell(source, target, (), found, how)


def _approximate(source: str, target: str, arrows: tuple[Arrow, ...], facts: Sequence[Fact]) -> Cell:
    """A model and an ε at which the second needs a larger δ."""
    for one in facts:
        for at in ASKED:
            small, large = one.delta.get((source, at)), one.delta.get((target, at))
            if small is not None and large is not None and large > small:
                if arrows:
                    raise ArithmeticError(f"{source} implies {target} by proof, and {one.path} refutes it")
                how = f"at ε = {read_epsilon(at)}: {source} with δ = {small}, {target} with δ = {large}"
                return Cell(source, target, (), one, how)
    return Cell(source, target, arrows)
