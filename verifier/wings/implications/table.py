"""The papers' table of relations: each ordered pair is implied by arrows, refuted by a model, or open; and as sheets.

That one definition does not imply another is never written down: the models are asked, and each answer is re-checked
by the checker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.definitions import DEFINITIONS
from verifier.engine import Engine
from verifier.errors import InputError
from verifier.model import Model, read
from verifier.model.library import models_folder
from verifier.numbers import NO_VALUE, Delta, Enclosure, Epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.check import check
from verifier.show.sheet import Sheet, Word
from verifier.wings.implications.conditions import CONDITIONS, OF_PAPERS
from verifier.wings.implications.facts import ARROWS, CLAIMS, COMPARED, DELTA, Implication, factor_text, terms_of

if TYPE_CHECKING:
    from networkx import DiGraph

ASKED = ("0", "ln(2)", "inf")
VACUOUS = "vacuous"
PER_RECORD = 1000
"""The cost of a factor n (the number of records) in a path of arrows; a constant factor costs itself, which is less."""
MORE = ("DMKB20/proposition-4-np-not-cdp.toml", "DMKB20/example-5-one-triple.toml")


@dataclass(frozen=True)
class Fact:
    """The smallest ε at δ = 0, and the smallest δ at each ε of `ASKED`, in one model, by definition.

    Both are 0 of a definition that is vacuous, which compares nothing and is satisfied.
    """

    path: str
    model: Model
    epsilon: Mapping[str, Epsilon]
    delta: Mapping[tuple[str, str], Delta]
    vacuous: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PairCell:
    """An ordered pair of definitions: implied by `arrows`, refuted by `fact` with the numbers in `how`, or open.

    `at` is the ε at which the smallest δ refute it; empty where a smallest ε is infinite.
    """

    source: str
    target: str
    arrows: tuple[Implication, ...] = ()
    fact: Fact | None = None
    how: str = ""
    at: str = ""

    @property
    def factor(self) -> int | str:
        """The factor by which ε grows along the arrows; a text such as `2n` if it depends on the number of records."""
        text = factor_text(self.arrows)
        return int(text or 1) if text.isdecimal() or not text else text

    @property
    def status(self) -> str:
        """`implied`, `not implied` or `open`."""
        return "implied" if self.arrows else "not implied" if self.fact else "open"

    @property
    def mark(self) -> str:
        """The sign of a pair that no model refutes: ⟹ with the factor, or `?`."""
        return "?" if not self.arrows else "⟹" if self.factor == 1 else f"⟹ {self.factor}ε"


@dataclass(frozen=True)
class Relations:
    """The table of ordered pairs (a, b) of definitions, asked in two ways.

    `pure[a, b]` says whether ε-a gives ε′-b at δ = 0, for some function ε′ of ε; `approximate[a, b]` whether (ε, δ)-a
    gives (ε, δ)-b.
    """

    definitions: tuple[str, ...]
    facts: tuple[Fact, ...]
    pure: Mapping[tuple[str, str], PairCell]
    approximate: Mapping[tuple[str, str], PairCell]

    @property
    def questions(self) -> dict[str, Mapping[tuple[str, str], PairCell]]:
        """The two tables, by the question that each answers."""
        return {
            "Does ε of one imply some ε of the other, at δ = 0?": self.pure,
            "Does (ε, δ) of one imply (ε, δ) of the other?": self.approximate,
        }

    @property
    def separating(self) -> list[Fact]:
        """The models that some cell names, in their own order."""
        named = {cell.fact.path for table in self.questions.values() for cell in table.values() if cell.fact}
        return [fact for fact in self.facts if fact.path in named]

    def conditional(self, source: str, target: str) -> tuple[Implication, ...]:
        """The arrows from `source` to `target` that need a condition."""
        return tuple(a for a in ARROWS if (a.source, a.target) == (source, target) and a.condition)


def graph(arrows: Sequence[Implication]) -> DiGraph:
    """The directed graph of the arrows, with their costs; of several arrows between two nodes it has the first."""
    import networkx as nx

    directed: DiGraph = nx.DiGraph()
    for arrow in reversed(arrows):
        directed.add_edge(arrow.source, arrow.target, arrow=arrow, cost=_cost(arrow))
    return directed


def _cost(arrow: Implication) -> int:
    ((number, symbols),) = terms_of(arrow.map)
    return number + PER_RECORD * symbols.count("n")


def paths(arrows: Sequence[Implication]) -> dict[tuple[str, str], tuple[Implication, ...]]:
    """The path of arrows of least cost from each definition to each other one that it implies."""
    import networkx as nx

    directed = graph(arrows)
    return {
        (source, target): tuple(directed.edges[step]["arrow"] for step in pairwise(way))
        for source, ways in nx.all_pairs_dijkstra_path(directed, weight="cost")
        for target, way in ways.items()
        if source != target
    }


def evidence() -> list[Path]:
    """The model files that may refute an arrow: all of models/relations, those that refute a claim, and `MORE`."""
    root = models_folder()
    listed = [*(claim.model for claim in CLAIMS if claim.refuted), *MORE]
    return sorted({*(root / "relations").glob("*.toml"), *(root / name for name in listed)})


def fact(path: Path, definitions: Sequence[str]) -> Fact:
    """Ask the model of a file for the smallest ε and δ of each definition.

    Raises:
        InputError: for a model that does not protect every record.

    """
    model = read(path)
    if model.restriction:
        words = f"the definitions speak of every record, and this model is {model.restriction.text}"
        raise InputError(words, where=path.name, wanted="a model without [sensitive]")
    engine = Engine(model)
    smallest: dict[str, Epsilon] = {}
    deltas: dict[tuple[str, str], Delta] = {}
    vacuous = set()
    for name in definitions:
        answer = check(model, name, engine=engine)
        if answer.verdict in {"holds", "fails", VACUOUS} and isinstance(answer.tight_epsilon, Epsilon):
            smallest[name] = answer.tight_epsilon
            vacuous |= {name} if answer.verdict == VACUOUS else set()
            for at in ASKED:
                delta = check(model, name, epsilon=at, engine=engine).tight_delta
                if delta is not None and not isinstance(delta, Enclosure):
                    deltas[name, at] = delta
    return Fact(path.relative_to(models_folder()).as_posix(), model, smallest, deltas, frozenset(vacuous))


def _size(fact: Fact) -> tuple[int, int, int, str]:
    worlds = sum(theta.count() for theta in fact.model.thetas)
    return fact.model.size, len(fact.model.values), worlds, fact.path


@lru_cache(maxsize=2)
def relations(names: tuple[str, ...] = ()) -> Relations:
    """The table of relations: every ordered pair of the named definitions, or of all, is implied, not implied, or open.

    >>> table = relations()
    >>> table.pure["apkdp", "ppkdp"].status, table.pure["np", "cdp"].fact.path
    ('implied', 'DMKB20/example-4-repaired.toml')
    """
    definitions = names or tuple(name for name in COMPARED if name in DEFINITIONS)
    facts = tuple(sorted((fact(path, definitions) for path in evidence()), key=_size))
    at_zero = paths([arrow for arrow in ARROWS if not arrow.condition])
    with_delta = paths([arrow for arrow in ARROWS if not arrow.condition and arrow.level == DELTA])
    pure, approximate = {}, {}
    for source, target in permutations(definitions, 2):
        pure[source, target] = _pure(source, target, at_zero.get((source, target), ()), facts)
        approximate[source, target] = _approximate(source, target, with_delta.get((source, target), ()), facts)
    return Relations(definitions, facts, pure, approximate)


def _pure(source: str, target: str, arrows: tuple[Implication, ...], facts: Sequence[Fact]) -> PairCell:
    """The cell of a pair at δ = 0: implied by arrows, or refuted by a model in which the target has no finite ε."""
    counterexamples = []
    for fact in facts:
        if source in fact.epsilon and target in fact.epsilon and fact.epsilon[target].is_infinite:
            least = fact.epsilon[source]
            if not least.is_infinite:
                order = (source in fact.vacuous, least.text() != "0", _size(fact))
                counterexamples.append((order, fact, f"{source} at ε = {least}, {target} at no finite ε"))
    if arrows or not counterexamples:
        if arrows and counterexamples:
            raise ArithmeticError(f"{source} implies {target} by proof, and {counterexamples[0][1].path} refutes it")
        return PairCell(source, target, arrows)
    _, fact, how = min(counterexamples, key=itemgetter(0))
    return PairCell(source, target, (), fact, how)


def _approximate(source: str, target: str, arrows: tuple[Implication, ...], facts: Sequence[Fact]) -> PairCell:
    """The cell of a pair with δ: implied by arrows, refuted by a model whose δ of the target is larger, or open."""
    for fact in sorted(facts, key=lambda fact: source in fact.vacuous):
        for at in ASKED:
            small, large = fact.delta.get((source, at)), fact.delta.get((target, at))
            if small is not None and large is not None and large > small:
                if arrows:
                    raise ArithmeticError(f"{source} implies {target} by proof, and {fact.path} refutes it")
                how = f"at ε = {read_epsilon(at)}: {source} with δ = {small}, {target} with δ = {large}"
                return PairCell(source, target, (), fact, how, at)
    return PairCell(source, target, arrows)


LEGEND = (
    "A row implies a column (⟹; with 2ε or nε where it says so, n being the number of records), or a model shows that "
    "it does not: its number in the list below; ? is open. The definitions and the models speak of every record, and "
    "no record may be missing. A vacuous definition is satisfied, and implies nothing that compares something."
)


def relation_sheets(relations: Relations) -> list[Sheet]:
    """The two tables of ordered pairs, the models that separate, the proved arrows, and the claims."""
    numbers = {fact.path: str(k) for k, fact in enumerate(relations.separating, 1)}
    models = tuple((numbers[fact.path], fact.path, fact.model.title) for fact in relations.separating)
    return [
        *(_matrix(title, relations, table, numbers) for title, table in relations.questions.items()),
        Sheet("The models that separate", ("number", "file under models/", "title"), models),
        arrows_sheet(),
        claims_sheet(),
    ]


def _matrix(
    title: str, relations: Relations, table: Mapping[tuple[str, str], PairCell], numbers: Mapping[str, str]
) -> Sheet:
    rows = []
    for source in relations.definitions:
        cells = ["" if source == target else _mark(table[source, target], numbers) for target in relations.definitions]
        rows.append((source, *cells))
    return Sheet(title, ("", *relations.definitions), tuple(rows), notes=(LEGEND,), keys=(("question", title),))


def _mark(cell: PairCell, numbers: Mapping[str, str]) -> str:
    return cell.mark if cell.fact is None else numbers[cell.fact.path]


def arrows_sheet() -> Sheet:
    """The table of the proved arrows: the arrow, its proof, and its number in the papers."""
    rows = tuple((arrow.text, arrow.proof, arrow.in_texts or NO_VALUE) for arrow in ARROWS)
    return Sheet("What implies what", ("arrow", "proof", "in the papers"), rows)


def claims_sheet() -> Sheet:
    """The table of the papers' claims about the relations, with verdict, evidence and repair."""
    rows = tuple(
        (
            claim.where,
            claim.statement,
            Word(claim.verdict),
            f"models/{claim.model}" if claim.refuted else "proofs/relations.md",
            claim.repaired or NO_VALUE,
        )
        for claim in CLAIMS
    )
    return Sheet("What the papers claim", ("where", "claim", "verdict", "evidence", "what holds"), rows)


def relations_json(relations: Relations) -> dict[str, Any]:
    """The relations as the object of `pkdp relations --json`."""
    return {
        "definitions": list(relations.definitions),
        "pairs": [
            {
                "from": source,
                "to": target,
                "delta_zero": _cell(relations.pure[source, target]),
                "with_delta": _cell(relations.approximate[source, target]),
                "under_conditions": [arrow.text for arrow in relations.conditional(source, target)],
            }
            for source, target in relations.pure
        ],
        "conditions": {condition.key: condition.text for condition in map(CONDITIONS.__getitem__, OF_PAPERS)},
        "claims": [
            {
                "where": claim.where,
                "statement": claim.statement,
                "verdict": claim.verdict,
                "model": f"models/{claim.model}" if claim.refuted else None,
                "repaired": claim.repaired or None,
            }
            for claim in CLAIMS
            if {claim.source, claim.target} <= set(relations.definitions)
        ],
    }


def _cell(cell: PairCell) -> dict[str, Any]:
    return {
        "status": cell.status,
        "factor": cell.factor if cell.arrows else None,
        "arrows": [arrow.text for arrow in cell.arrows],
        "model": f"models/{cell.fact.path}" if cell.fact else None,
        "numbers": cell.how or None,
    }
