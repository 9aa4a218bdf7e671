"""Which databases a claim compares: relations by our names and those of libraries, and the pairs that some name.

Most are `[policy] neighbours`. Listed pairs, a graph of values, a distance above 1, and the neighbours among some
databases alone are rows of `[policy] distance`, which `psdp` compares in both orders with any δ: a row [D, D′, 1]
allows the pair ε, and pairs without a row are not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any

from verifier.definitions import find
from verifier.engine import Engine
from verifier.errors import InputError, LimitError
from verifier.model import Database, Model, arguments, build
from verifier.model.keys import meant
from verifier.model.neighbours import ADD_REMOVE, ANY, CHANGE, OF_VECTORS
from verifier.numbers import plural, shorten
from verifier.tables import label

MOST_PAIRS = 1 << 14
"""Most ordered pairs of databases that are listed in [policy]."""
REPLACE_ONE, ADD_OR_REMOVE_ONE, SPECIAL = "replace-one", "add-or-remove-one", "replace-special"
NEIGHBOURS = {
    REPLACE_ONE: CHANGE.name,
    ADD_OR_REMOVE_ONE: ADD_REMOVE.name,
    SPECIAL: ADD_REMOVE.name,
    ANY.name: ANY.name,
    **{name: name for name in sorted(OF_VECTORS)},
}
"""The name in `[policy] neighbours` of each relation."""
LIBRARIES = {
    "changeonedistance": REPLACE_ONE,
    "bounded": REPLACE_ONE,
    "bounded:replace": REPLACE_ONE,
    "change-one": REPLACE_ONE,
    "change": REPLACE_ONE,
    "symmetricdistance": ADD_OR_REMOVE_ONE,
    "unbounded": ADD_OR_REMOVE_ONE,
    "unbounded:add": ADD_OR_REMOVE_ONE,
    "unbounded:remove": ADD_OR_REMOVE_ONE,
    "add-remove": ADD_OR_REMOVE_ONE,
}
"""What dp_accounting, OpenDP and dp-recorder call them, in small letters."""
OF_ACCOUNTANTS = ("lower", "upper", "pessimistic-estimate")
"""Words of accountants, which say in which order two laws are compared, or how a number is rounded."""


def relation_named(given: object, absent: object = None) -> str:
    """The relation with a name, ours or a library's, or of a member of a library's enumeration.

    >>> relation_named("REPLACE_ONE"), relation_named("unbounded:add"), relation_named("one-entry")
    ('replace-one', 'add-or-remove-one', 'one-entry')

    Raises:
        InputError: for a word of accountants, for an unknown name, and for an absent value without its relation.

    """
    if given is None:
        return REPLACE_ONE if absent is None else SPECIAL
    text = given.name if isinstance(given, Enum) else str(given)
    word = text.strip().lower().replace("_", "-").removesuffix("()")
    if word in OF_ACCOUNTANTS:
        raise InputError(
            f"{shorten(text)} is a word of accountants",
            where="relation",
            wanted="how two databases differ, such as replace-one",
            tip="leave it out: both orders are always compared, and nothing is estimated",
        )
    name = word if word in NEIGHBOURS else LIBRARIES.get(word)
    if name is None:
        known = [*NEIGHBOURS, "REPLACE_ONE", "ADD_OR_REMOVE_ONE", "REPLACE_SPECIAL", *LIBRARIES]
        raise InputError(
            f"the relation {shorten(text)} is unknown",
            where="relation",
            wanted=f"one of {', '.join(NEIGHBOURS)}",
            tip=meant(word, known) or "pairs=[(D, D′), …] names any pairs",
        )
    if (name == SPECIAL) != (absent is not None):
        problem = "the absent value is not named" if absent is None else f"absent is given with {name}"
        raise InputError(problem, where="relation", wanted='relation="replace-special", absent="none"')
    return name


@dataclass(frozen=True)
class Compared:
    """Which pairs of databases a claim compares: a relation, up to how many steps of it, and among which."""

    relation: str | None = None
    """None where the model says it, or the definition compares no databases."""
    absent: object = None
    distance: int = 1
    pairs: Sequence[tuple[Any, Any]] | None = None
    graph: Sequence[tuple[Any, Any]] | None = None

    @property
    def is_listed(self) -> bool:
        """Whether pairs of databases are listed one by one."""
        return self.pairs is not None or self.graph is not None or self.distance > 1

    @property
    def policy(self) -> dict[str, Any]:
        """The fields of `[policy]` that the relation is."""
        if self.relation is None:
            return {}
        absent = {} if self.absent is None else {"absent": self.absent}
        return {"neighbours": NEIGHBOURS[self.relation], **absent}

    @property
    def key(self) -> str:
        """The key of differential privacy for the relation: `dp` replaces records, `adp` adds and removes them, too."""
        named = NEIGHBOURS.get(self.relation or REPLACE_ONE)
        return "dp" if named == CHANGE.name or named in OF_VECTORS else "adp"

    def words(self, words: str) -> str:
        """How the two databases differ, from the `words` of one step: `when one record is replaced`."""
        if self.pairs is not None:
            return "between the given databases"
        if self.graph is not None:
            return f"when {words}, by an edge of the graph"
        return f"when {words}" if self.distance == 1 else f"when {words}, up to {self.distance} times"

    def policy_of(self, size: Any, values: Sequence[Any], among: Collection[Any] | None) -> dict[str, Any]:
        """The fields of `[policy]` on databases of these values, of which only those `among` are compared."""
        if not self.is_listed and among is None:
            return self.policy
        found = self._listed(size, values, among)
        if len(found) > MOST_PAIRS:
            problem = f"{len(found):,} pairs of databases are compared"
            raise LimitError(problem, wanted=f"at most {MOST_PAIRS:,}", tip="a smaller size, or pairs=[…]")
        absent = {} if self.absent is None else {"absent": self.absent}
        return {"distance": [[*map(list, pair), 1] for pair in found], **absent}

    def _listed(self, size: Any, values: Sequence[Any], among: Collection[Any] | None) -> list[tuple[Any, Any]]:
        if self.pairs is not None:
            return list(self.pairs)
        told_apart = {"kind": "identity" if isinstance(size, int) else "histogram"}
        keys = {"size": size, "values": values, "mechanism": told_apart, "policy": self.policy}
        model = build(title="the databases", **keys)
        steps = neighbours(model, self.key)
        if self.graph is not None:
            steps = self._along(model, steps)
        near = [(x, y) for x, y in within(steps, self.distance) if x < y]
        if among is not None:
            places = {value.text: place for place, value in enumerate(model.values)}
            given = [tuple(places[label(value).text] for value in database) for database in among]
            kept = {database if model.sizes is None else tuple(sorted(database)) for database in given}
            near = [pair for pair in near if kept.issuperset(pair)]
        return [(model.shown(x), model.shown(y)) for x, y in near]

    def _along(self, model: Model, steps: Iterable[tuple[Database, Database]]) -> list[tuple[Database, Database]]:
        """The steps of which the two values of each record that differs are joined by an edge."""
        places = {value.text: place for place, value in enumerate(model.values)}
        edges = set()
        for edge in self.graph or ():
            texts = [label(end, "graph").text for end in arguments.pair("values")(edge, "graph")]
            stranger = next((text for text in texts if text not in places), None)
            if stranger is not None:
                raise InputError(f"{stranger} is not a value", where="graph", wanted=f"one of {', '.join(places)}")
            edges.add(frozenset(places[text] for text in texts))
        return [(x, y) for x, y in steps if len(x) == len(y) and frozenset(_changed(x, y)) in edges]


def _changed(first: Database, second: Database) -> Iterator[int]:
    """Yield the value that a record has in the first database alone, and that in the second alone."""
    for one, other in ((first, second), (second, first)):
        yield from Counter(one) - Counter(other)


def neighbours(model: Model, key: str) -> list[tuple[Database, Database]]:
    """The ordered pairs of databases that a definition of neighbours compares on a model, whose laws all differ."""
    engine, definition = Engine(model), find(key)
    definition.applies(engine)
    sets = definition.on(engine).sets(engine, "default")
    listed = chain.from_iterable(each.comparisons for each in sets)
    pairs = (one.databases() if one.databases else one.row and one.row.databases for one in listed)
    return [pair for pair in pairs if pair is not None]


def within(steps: Iterable[tuple[Database, Database]], distance: int) -> list[tuple[Database, Database]]:
    """The ordered pairs of different databases that so many steps join, in the order in which they are met.

    >>> within([((0,), (1,)), ((1,), (2,))], 2)
    [((0,), (1,)), ((0,), (2,)), ((1,), (2,))]

    Raises:
        LimitError: for more than `MOST_PAIRS` pairs.

    """
    after: dict[Database, list[Database]] = {}
    for first, second in steps:
        after.setdefault(first, []).append(second)
    found: list[tuple[Database, Database]] = []
    for start in after:
        seen, edge = {start: None}, [start]
        for _ in range(distance):
            edge = [new for old in edge for new in after.get(old, ()) if new not in seen]
            seen.update(dict.fromkeys(edge))
        found += [(start, end) for end in seen if end != start]
        if len(found) > 2 * MOST_PAIRS:
            raise LimitError(
                f"more than {plural(MOST_PAIRS, 'pair')} of databases are compared",
                wanted="fewer databases, or a smaller distance",
            )
    return found


def read_pairs(given: object) -> list[tuple[Any, Any]]:
    """The pairs of different databases of `pairs=`; what is no list is the database of one record."""
    read = [arguments.pair("databases")(one, "pairs") for one in arguments.several("pairs")(given, "pairs")]
    for first, second in read:
        if label(first, "pairs") == label(second, "pairs"):
            raise InputError(f"{shorten(first)} is paired with itself", where="pairs", wanted="two different databases")
    return [(_of_records(first), _of_records(second)) for first, second in read]


def _of_records(database: Any) -> list[Any]:
    return list(database) if isinstance(database, list | tuple) else [database]
