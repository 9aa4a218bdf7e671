"""The closure of the facts: from each definition to each other, the cheapest chain of facts, with its map of ε.

A node is a choice of parts. A fact about a part is an edge between any two nodes that differ in this part alone, so
that a few facts give hundreds of implications. A chain may rest on two conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import product

from verifier.wings.implications.axioms.facts import Part
from verifier.wings.implications.axioms.facts import facts as axiom_facts
from verifier.wings.implications.facts import DELTA, LEVELS, SOME, WITH_ERROR, Implication, implications
from verifier.wings.implications.maps import SAME_MAP, SOME_MAP, composed, is_multiple
from verifier.wings.implications.parts import ONE_ORDER, SCALES, Node, decided, node_of

LOSSES = ("ratio", "hockey-stick", "tail")
"""Measures that each choice of rows gets a node with, as a step between definitions."""
COSTS = {SAME_MAP: 1, SOME_MAP: 10_000}
"""The costs of steps: one that keeps ε is preferred to a multiple, and this to one without a bound on ε."""
MULTIPLE = 100
MOST_CONDITIONS = 2
Conditions = frozenset[str]


@dataclass(frozen=True)
class Chain:
    """Facts in a row from one definition to another, with the nodes between them."""

    facts: tuple[Implication, ...]
    nodes: tuple[Node, ...]

    @property
    def map(self) -> str:
        """The map from ε of the first to ε of the last, such as `2*n*e`."""
        text = SAME_MAP
        for fact in self.facts:
            text = composed(text, fact.map)
        return text

    @property
    def error(self) -> str:
        """The map from ε of the first to the δ′ that the bound needs; empty where it holds at δ = 0."""
        text = SAME_MAP
        for fact in self.facts:
            if fact.error:
                return composed(text, fact.error)
            text = composed(text, fact.map)
        return ""

    @property
    def when(self) -> Conditions:
        """The keys of the conditions of its facts."""
        return frozenset[str]().union(*(fact.when for fact in self.facts))


Place = tuple[Node, Conditions]
"""Where a chain ends, and on which conditions it rests."""


@cache
def nodes() -> frozenset[Node]:
    """The nodes of definitions, and those between them: the same rows with other views, measures and aggregations."""
    listed = {node_of(key) for key in decided()}
    between = set()
    for rows in {node.rows for node in listed if not node.key}:
        views = {node.view for node in listed if node.rows == rows}
        measures = {node.measure for node in listed if node.rows == rows} | set(LOSSES)
        aggregations = {node.aggregation for node in listed if node.rows == rows} | {"worst"}
        between |= {Node(rows, *parts) for parts in product(views | {"outputs"}, measures, aggregations)}
    return frozenset(listed | between)


def _convex(measure: str) -> bool:
    """Whether the measure of two mixtures is at most the largest measure of the laws that are mixed."""
    fact = axiom_facts().get((Part("measure", measure), "convexity"))
    return fact is not None and fact.holds == "yes"


def _step(fact: Implication, node: Node) -> Node | None:
    """The node to which a fact leads from a node; None where it does not apply."""
    if fact.measures and node.measure not in fact.measures:
        return None
    match fact.axis:
        case "rows" if node.rows == fact.source:
            if fact.how == "mixture" and not (_convex(node.measure) and node.aggregation == "worst"):
                return None
            if fact.how == "path" and (node.measure != "ratio" or node.aggregation != "worst"):
                return None
            return node._replace(rows=fact.target)
        case "measures" if node.measure == fact.source:
            if fact.orders and node.rows in ONE_ORDER:
                return None
            if (fact.map != SAME_MAP or fact.error) and node.aggregation != "worst":
                return None
            scaled = not SCALES.isdisjoint(node.rows.split())
            if node.rows not in fact.rows if fact.rows else scaled and not is_multiple(fact.map):
                return None
            return node._replace(measure=fact.target)
        case "aggregations" if node.aggregation == fact.source:
            return node._replace(aggregation=fact.target)
        case "views" if node.view == fact.source and node.aggregation == "worst":
            return node._replace(view=fact.target)
    return None


@cache
def edges() -> Mapping[Node, tuple[tuple[Implication, Node], ...]]:
    """The facts that lead on from each node, each with the node to which it leads."""
    known = nodes()
    by_key = {key: node_of(key) for key in decided()}
    outgoing: dict[Node, list[tuple[Implication, Node]]] = {node: [] for node in known}
    for fact in implications():
        if fact.axis == "definitions":
            first, second = by_key[fact.source], by_key[fact.target]
            if first != second:
                outgoing[first].append((fact, second))
            continue
        for node in known:
            target = None if node.key else _step(fact, node)
            if target is not None and target in known and target != node:
                outgoing[node].append((fact, target))
    return {node: tuple(listed) for node, listed in outgoing.items()}


def _cost(fact: Implication) -> int:
    return COSTS.get(fact.map, MULTIPLE)


def chains_from(start: Node, level: str) -> dict[Place, Chain]:
    """The cheapest chain from a node to each other at a level, by node and conditions.

    A chain that is not cheaper than one with fewer conditions is left out.
    """
    enough = LEVELS[LEVELS.index(level) :]
    steps = edges()
    best: dict[Node, dict[Conditions, int]] = {start: {frozenset(): 0}}
    before: dict[Place, tuple[Place, Implication]] = {}
    queue: list[tuple[int, int, Place]] = [(0, 0, (start, frozenset()))]
    while queue:
        cost, _, (node, when) = heappop(queue)
        if cost > best[node][when]:
            continue
        for fact, target in steps[node]:
            after = (target, when | fact.when)
            total = cost + _cost(fact)
            known = best.setdefault(target, {})
            if fact.level not in enough or len(after[1]) > MOST_CONDITIONS:
                continue
            if any(least <= total and conditions <= after[1] for conditions, least in known.items()):
                continue
            known[after[1]] = total
            before[after] = ((node, when), fact)
            heappush(queue, (total, len(before), after))
    return {
        (node, when): _chain((node, when), before)
        for node, known in best.items()
        for when, total in known.items()
        if (node, when) in before
        and not any(least <= total and conditions < when for conditions, least in known.items())
    }


def _chain(place: Place, before: Mapping[Place, tuple[Place, Implication]]) -> Chain:
    facts, visited = [], [place[0]]
    while place in before:
        place, fact = before[place]
        facts.append(fact)
        visited.append(place[0])
    return Chain(tuple(reversed(facts)), tuple(reversed(visited)))


def sorted_chains(start: Node, level: str) -> list[tuple[Place, Chain]]:
    """The chains from a node, with the empty chain to itself, those with the fewest conditions first."""
    reached = chains_from(start, level)
    reached[start, frozenset()] = Chain((), (start,))
    return sorted(reached.items(), key=lambda item: (len(item[0][1]), sorted(item[0][1]), item[0][0]))


def with_error(start: Node) -> dict[Place, Chain]:
    """The cheapest chain from a node to each other that gives (ε′, δ′) with a δ′ above 0, by node and conditions.

    Facts with a bound at δ = 0 come first, then one with an error, then facts that keep ε and δ.
    """
    found: dict[Place, tuple[int, Chain]] = {}
    for (node, when), chain in sorted_chains(start, SOME):
        if chain.map == SOME_MAP:
            continue
        for fact, target in edges()[node]:
            if fact.level != WITH_ERROR:
                continue
            for (end, more), rest in _keeping(target):
                facts = (*chain.facts, fact, *rest.facts)
                place, cost = (end, when | fact.when | more), sum(map(_cost, facts))
                if len(place[1]) <= MOST_CONDITIONS and (place not in found or cost < found[place][0]):
                    found[place] = cost, Chain(facts, (*chain.nodes, *rest.nodes))
    return {place: chain for place, (_, chain) in found.items()}


@cache
def _keeping(node: Node) -> tuple[tuple[Place, Chain], ...]:
    """The chains from a node that keep ε and δ."""
    return tuple(sorted_chains(node, DELTA))


@cache
def proved(level: str = SOME) -> tuple[tuple[str, str, Chain], ...]:
    """Every proved pair at a level with a chain, for each source those without a condition first."""
    return tuple(_proved(level))


def _proved(level: str) -> Iterator[tuple[str, str, Chain]]:
    ends: dict[Node, list[str]] = {}
    for key in decided():
        ends.setdefault(node_of(key), []).append(key)
    for node, sources in ends.items():
        for (target_node, _), chain in sorted_chains(node, level):
            for source, target in product(sources, ends.get(target_node, ())):
                if source != target:
                    yield source, target, chain
