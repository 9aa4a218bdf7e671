"""Relations between databases, with a multiple of ε for each ordered pair: the builder of most of DP22's N and V.

A relation lists ordered pairs (D, D′), each with the multiple of ε that is allowed. Its primitive is a set of steps (a
record is changed, added, removed; the entries of a vector move), any two databases, or listed pairs; restrictions,
such as a largest distance, and a scale are added by name, and read `[policy]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product, starmap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from verifier.definitions.builders.rows import MOST_KEPT, ONE, Case, Group, Row, Setting, point
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, Model
from verifier.model.neighbours import (
    ADD_REMOVE,
    ANY,
    EVERY_ENTRY,
    OF_VECTORS,
    ONE_DIRECTION,
    ONE_ENTRY,
    NamedRelation,
    relation_on,
)
from verifier.model.neighbours import CHANGE as CHANGED
from verifier.numbers import plural
from verifier.numbers.rational import number_or_none

if TYPE_CHECKING:
    from verifier.model.policy import Table


Distance: TypeAlias = Callable[[Database, Database], Fraction | None]
"""A distance; None is infinite."""


def distance_of(setting: Setting) -> Distance:
    """The distance that `[policy] distance` names.

    `hamming` is the least number of records to change, add or remove. `largest` is the largest |D(i) - D′(i)|, of
    values that are numbers. Rows of the file count in both orders, and other pairs are infinitely far apart.

    Raises:
        UnsupportedError: where the file has no distance, or asks `largest` of multisets or of values without numbers.

    """
    name_or_rows = setting.need("distance")
    if name_or_rows == "hamming":
        return _hamming if setting.model.sizes is None else _edits
    if name_or_rows == "largest":
        return _largest(setting)
    rows: Table = name_or_rows
    table = {ends: d for first, second, d in rows for ends in ((first, second), (second, first))}
    return lambda first, second: Fraction(0) if first == second else table.get((first, second))


def _hamming(first: Database, second: Database) -> Fraction:
    return Fraction(sum(a != b for a, b in zip(first, second, strict=True)))


def _edits(first: Database, second: Database) -> Fraction:
    gone, new = Counter(first) - Counter(second), Counter(second) - Counter(first)
    return Fraction(max(gone.total(), new.total()))


def _largest(setting: Setting) -> Distance:
    values = _numbers(setting, "takes the largest difference of two records")
    return lambda first, second: max(
        (abs(values[a] - values[b]) for a, b in zip(first, second, strict=True)), default=Fraction(0)
    )


def _numbers(setting: Setting, why: str) -> list[Fraction]:
    """The values of a record as numbers, in the order of T."""
    numbers = [number_or_none(value.text) for value in setting.model.values]
    if setting.model.sizes is not None or any(number is None for number in numbers):
        raise UnsupportedError(f"{setting.key} {why}: it needs one size, and values that are numbers")
    return [number for number in numbers if number is not None]


CHANGE, ADD, REMOVE = "change", "add", "remove"
MOST_MOVES = 1 << 18
"""Most pairs of vectors of answers that are listed."""
STEPS = (CHANGE, ADD, REMOVE)


class Step(NamedTuple):
    """A record of D that differs in D′: its index (None in a multiset) and its value in each, None where absent."""

    record: int | None
    a: int | None
    b: int | None

    @property
    def kind(self) -> str:
        """Whether the record is changed, added or removed."""
        return ADD if self.a is None else REMOVE if self.b is None else CHANGE


class DatabasePair(NamedTuple):
    """An ordered pair of different databases, with the steps that lead from the first to the second."""

    first: Database
    second: Database
    steps: tuple[Step, ...]


Restriction: TypeAlias = Callable[[DatabasePair], bool]
Scale: TypeAlias = Callable[[DatabasePair], Fraction | None]
"""The multiple of ε of a pair; None is infinite, so that the pair is no row."""


def steps_between(first: Database, second: Database, setting: Setting) -> tuple[Step, ...]:
    """The fewest steps from the first database to the second: by record in lists; in multisets changes come first."""
    if setting.model.sizes is None:
        absent = setting.absent
        values = [(None if a == absent else a, None if b == absent else b) for a, b in zip(first, second, strict=True)]
        return tuple(Step(record, a, b) for record, (a, b) in enumerate(values) if a != b)
    gone, new = (sorted((Counter(x) - Counter(y)).elements()) for x, y in ((first, second), (second, first)))
    shared = min(len(gone), len(new))
    changed = [Step(None, a, b) for a, b in zip(gone[:shared], new[:shared], strict=True)]
    removed, added = [Step(None, a, None) for a in gone[shared:]], [Step(None, None, b) for b in new[shared:]]
    return (*changed, *removed, *added)


def neighbours_of(setting: Setting) -> tuple[str, ...]:
    """The steps by which neighbours differ: as `[policy] neighbours` says; else all, or changes if none is missing."""
    kinds = {CHANGED.name: (CHANGE,), ADD_REMOVE.name: (ADD, REMOVE), ANY.name: STEPS}
    return kinds[_name_of_neighbours(setting.model)]


def _name_of_neighbours(model: Model) -> str:
    """The name of the relation of neighbours; where the file names none, all steps, or changes if none is missing."""
    return model.policy.neighbours or (ANY.name if _has_sizes(model) else CHANGED.name)


def _has_sizes(model: Model) -> bool:
    return model.sizes is not None or model.policy.absent is not None


@dataclass(frozen=True)
class Relation:
    """The builder of the ordered pairs that a primitive and all restrictions allow, with their multiples of ε.

    `steps` names the primitive: `neighbours`, `change`, `add`, `remove` (several with spaces), `any` or `pairs`;
    `within` is the largest number of steps: a number, or `group`, the field of `[policy]`.
    """

    steps: str = "neighbours"
    within: str = "1"
    restrict: tuple[str, ...] = ()
    scale: str = ""

    def __call__(self, setting: Setting) -> Iterator[Group]:
        """One group, each ordered pair a case of its own."""
        cases = tuple(Case((row,)) for row in self.rows(setting))
        yield Group(cases)

    def changes_one_record(self, setting: Setting) -> bool:
        """Whether the pairs are all databases of one size that differ in the value of one record, both allowed ε."""
        named = _name_of_neighbours(setting.model) if self.steps == "neighbours" else self.steps
        plain = self.within == "1" and not self.restrict and not self.scale
        return plain and named == CHANGED.name and setting.model.sizes is None

    def named(self, model: Model) -> NamedRelation | None:
        """What is a step from a database to the next one on a model; None where any two, or listed ones, are compared.

        Several steps together have no name.
        """
        names = {"neighbours": _name_of_neighbours(model), CHANGE: CHANGED.name, " ".join(STEPS): ANY.name}
        names |= dict.fromkeys((ADD, REMOVE, f"{ADD} {REMOVE}"), ADD_REMOVE.name)
        if self.within != "1" or self.steps not in names:
            return None
        return relation_on(model, names[self.steps])

    def rows(self, setting: Setting) -> Iterator[Row]:
        """The rows, by the order of the first database, then of the second."""
        named = _name_of_neighbours(setting.model) if self.steps == "neighbours" else CHANGED.name
        if setting.reading == "one-order" and named not in {CHANGED.name, ONE_ENTRY.name}:
            raise UnsupportedError(f"the reading one-order compares a before b of one record, and neighbours = {named}")
        moves = named in OF_VECTORS
        primitive = _always if moves else _primitive(self.steps, self.within, setting)
        restrictions = [RESTRICTIONS[name](setting) for name in self.restrict]
        scale = SCALES[self.scale](setting)
        points, named_laws = cache(point), cache(lambda database: f"M({setting.words(database)})")
        listed_whatever = self.steps == "pairs" and not setting.model.protects_records
        allowed = None if listed_whatever else setting.protected()
        for pair in _moves(self.within, setting) if moves else _candidates(self.steps, setting):
            first, second = pair.first, pair.second
            if allowed is not None and any(step.record not in allowed for step in pair.steps):
                continue
            if not pair.steps or not primitive(pair) or not all(test(pair) for test in restrictions):
                continue
            if setting.reading == "one-order" and any((step.a or 0) > (step.b or 0) for step in pair.steps):
                continue
            multiple = scale(pair)
            if multiple is not None:
                yield Row(points(first), points(second), multiple, (named_laws(first), named_laws(second)))


def _candidates(steps: str, setting: Setting) -> Iterator[DatabasePair]:
    def pair(first: Database, second: Database) -> DatabasePair:
        return DatabasePair(first, second, steps_between(first, second, setting))

    if steps == "pairs":
        pairs: tuple[tuple[Database, Database], ...] = setting.need("pairs")
        yield from starmap(pair, dict.fromkeys(ordered for x, y in pairs for ordered in ((x, y), (y, x))))
        return
    listed = starmap(pair, product(setting.databases(), repeat=2))
    if setting.number_of_databases**2 > MOST_KEPT:
        yield from listed
        return
    yield from setting.engine.memo("pairs of databases", lambda: list(listed))


def _moves(within: str, setting: Setting) -> Iterator[DatabasePair]:
    """The pairs of vectors of numbers whose entries move by at most 1, by the relation that the file names.

    Each vector lists those that it can move to, so that no two others are looked at.

    Raises:
        UnsupportedError: for values that are no numbers, databases of several sizes, an `absent` value, several steps.
        LimitError: for more than `MOST_MOVES` pairs, before they are listed.

    """
    name = setting.policy.neighbours
    numbers = _numbers(setting, f"has neighbours {name}, whose entries move by at most 1")
    if setting.policy.absent is not None:
        raise UnsupportedError(f"neighbours = {name} compares vectors of answers, of which no entry is `absent`")
    if within != "1":
        raise UnsupportedError(f"{setting.key} counts records that differ, and neighbours = {name} moves answers")
    near = [[w for w, other in enumerate(numbers) if abs(other - number) <= 1] for number in numbers]
    pairs = sum(map(len, near)) ** setting.model.size
    if pairs > MOST_MOVES:
        raise LimitError(f"{setting.key} has about {pairs:,} pairs of vectors", wanted=f"at most {MOST_MOVES:,}")

    def one_direction(first: Database, second: Database) -> bool:
        return len({numbers[b] > numbers[a] for a, b in zip(first, second, strict=True) if a != b}) == 1

    for first in setting.databases():
        for second in product(*(near[v] for v in first)):
            steps = steps_between(first, second, setting)
            if (
                name == EVERY_ENTRY.name
                or len(steps) == 1
                or (name == ONE_DIRECTION.name and one_direction(first, second))
            ):
                yield DatabasePair(first, second, steps)


def _primitive(steps: str, within: str, setting: Setting) -> Restriction:
    if steps in {"any", "pairs"}:
        return _always
    kinds = frozenset(neighbours_of(setting) if steps == "neighbours" else steps.split())
    is_any = steps == "neighbours" and setting.policy.neighbours == ANY.name
    if (CHANGE not in kinds or is_any) and not _has_sizes(setting.model):
        raise UnsupportedError(
            f"this definition adds and removes records, but all databases of this model have "
            f"{plural(setting.model.size, 'record')}",
            tip=f'size = [0, {setting.model.size}] has several sizes; [policy] absent = "none" names a missing record',
        )
    most = int(within) if within.isdigit() else setting.need(within)

    def near(pair: DatabasePair) -> bool:
        used = [step.kind for step in pair.steps]
        if CHANGE not in kinds:  # a change is a removal and an addition, in a list as in a multiset
            used = [kind for step in used for kind in ((REMOVE, ADD) if step == CHANGE else (step,))]
        return len(used) <= most and kinds.issuperset(used)

    return near


def _always(pair: DatabasePair) -> bool:  # noqa: ARG001
    return True


def _sensitive(setting: Setting) -> Restriction:
    """The record that differs has a sensitive value in the first database (OSDP, AsDP)."""
    values: frozenset[int] = setting.need("sensitive")
    return lambda pair: all(step.a in values for step in pair.steps)


def _graph(setting: Setting) -> Restriction:
    """The two values of each record that differs are joined by an edge; the value `absent` may be one (BFPr)."""
    edges: frozenset[frozenset[int]] = setting.need("graph")
    absent = setting.absent

    def joined(step: Step) -> bool:
        return {absent if value is None else value for value in (step.a, step.b)} in edges

    return lambda pair: all(joined(step) for step in pair.steps)


def _alike_but_for_one(name: str) -> Callable[[Setting], Restriction]:
    def restriction(setting: Setting) -> Restriction:
        parts: tuple[tuple[object, ...], ...] = setting.need(name)

        def near(step: Step) -> bool:
            if step.a is None or step.b is None:
                return False
            return sum(x != y for x, y in zip(parts[step.a], parts[step.b], strict=True)) == 1

        return lambda pair: all(near(step) for step in pair.steps)

    return restriction


def _databases(setting: Setting) -> Restriction:
    """Both databases are listed."""
    listed: frozenset[Database] = frozenset(setting.need("databases"))
    return lambda pair: pair.first in listed and pair.second in listed


def _inside(setting: Setting) -> Restriction:
    """Both databases are among the listed ones, where the file lists any (BFPr)."""
    return _always if setting.policy.databases is None else _databases(setting)


def _induced(setting: Setting) -> Restriction:
    """Both are listed, and no third listed database is between them (INDP).

    A list is between two others where it agrees at each record with one of them; a multiset where it contains what they
    share and is contained in what they have together.
    """
    databases: tuple[Database, ...] = setting.need("databases")

    def between(third: Database, pair: DatabasePair) -> bool:
        if setting.model.sizes is None:
            return all(v in ends for v, *ends in zip(third, pair.first, pair.second, strict=True))
        own, first, second = (Counter(database) for database in (third, pair.first, pair.second))
        return (first & second) <= own <= (first | second)

    def induced(pair: DatabasePair) -> bool:
        ends = {pair.first, pair.second}
        return ends.issubset(databases) and not any(d not in ends and between(d, pair) for d in databases)

    return induced


def _fixed(setting: Setting) -> Restriction:
    """One of the two is the database at hand (InDP, PIDP)."""
    fixed = setting.need("fixed")
    return lambda pair: fixed in {pair.first, pair.second}


def _record(setting: Setting) -> Restriction:
    """Only the record at hand differs (PIDP)."""
    record = setting.need("record")
    setting.need_indices("fixes the index of a record, which multisets do not have")
    return lambda pair: all(step.record == record for step in pair.steps)


def _blocks(setting: Setting) -> Restriction:
    """All records that differ are of one block (ClDP, ElDP)."""
    blocks: tuple[tuple[int, ...], ...] = setting.need("blocks")
    setting.need_indices("has blocks of records, which multisets do not have")
    return lambda pair: any({step.record for step in pair.steps} <= set(block) for block in blocks)


def _dependence(setting: Setting) -> Restriction:
    """At most `group` records are changed, and all others may follow one of them (DepDP); none is added or removed."""
    edges: frozenset[tuple[int, int]] = setting.need("dependence")
    most: int = setting.need("group")
    setting.need_indices("names records that depend on each other, which multisets do not have")

    def follow(pair: DatabasePair) -> bool:
        if len(pair.steps) > most or any(step.kind != CHANGE for step in pair.steps):
            return False
        records = [step.record for step in pair.steps]
        return any(all(j == i or (i, j) in edges for j in records) for i in records)

    return follow


def _at_most(setting: Setting) -> Restriction:
    """The distance is at most Δ (ConsDP, DlPr[ZLW])."""
    distance, most = distance_of(setting), setting.need("at_most")
    return lambda pair: (d := distance(pair.first, pair.second)) is not None and d <= most


def _statistic(setting: Setting) -> Restriction:
    """The statistic of the two differs by at most s (SIDP)."""
    rows: Mapping[Database, Fraction] = dict(setting.need("statistic"))
    most: Fraction = setting.need("at_most")

    def near(pair: DatabasePair) -> bool:
        for database in pair[:2]:
            if database not in rows:
                raise UnsupportedError(f"[policy] statistic has no row for the database {setting.words(database)}")
        return abs(rows[pair.first] - rows[pair.second]) <= most

    return near


def _shared(setting: Setting) -> Restriction:
    """The two databases have an element in common (DlPr[ZLW]); a record that is absent is no element."""
    missing = {setting.absent}
    return lambda pair: not (set(pair.first) & set(pair.second)) <= missing


RESTRICTIONS: dict[str, Callable[[Setting], Restriction]] = {
    "sensitive": _sensitive,
    "graph": _graph,
    "attributes": _alike_but_for_one("attributes"),
    "bits": _alike_but_for_one("bits"),
    "databases": _databases,
    "inside": _inside,
    "induced": _induced,
    "fixed": _fixed,
    "record": _record,
    "blocks": _blocks,
    "dependence": _dependence,
    "at-most": _at_most,
    "statistic": _statistic,
    "shared": _shared,
}
"""Restrictions by their names in entries; each reads the fields of `[policy]` that it needs."""


def _unscaled(setting: Setting) -> Scale:  # noqa: ARG001
    return lambda pair: ONE  # noqa: ARG005


def _levels(setting: Setting) -> Scale:
    """Ψ(i) of the record that differs (PerDP)."""
    levels: tuple[Fraction | None, ...] = setting.need("levels")
    setting.need_indices("has a level for each record, and multisets have no records by index")
    return lambda pair: levels[pair.steps[0].record or 0]


def _values(setting: Setting) -> Scale:
    """The r of the two values of the record that differs, 1 where the file gives none (IDDP)."""
    table: Mapping[frozenset[int | None], Fraction | None] = dict(setting.need("scale"))
    return lambda pair: table.get(frozenset({pair.steps[0].a, pair.steps[0].b}), ONE)


def _tailored(setting: Setting) -> Scale:
    """Ψ(t, D) of the value t that one of the two has more, and that database D; 1 where the file gives none (TaiDP)."""
    rows: tuple[tuple[int, Database, Fraction | None], ...] = setting.need("tailored")
    table: Mapping[tuple[int | None, Database], Fraction | None] = {(t, database): level for t, database, level in rows}

    def scale(pair: DatabasePair) -> Fraction | None:
        step = pair.steps[0]
        key = (step.b, pair.second) if step.a is None else (step.a, pair.first)
        return table.get(key, ONE)

    return scale


def _distance(setting: Setting) -> Scale:
    """The distance of the two databases (d_D-privacy)."""
    distance = distance_of(setting)
    return lambda pair: distance(pair.first, pair.second)


SCALES: dict[str, Callable[[Setting], Scale]] = {
    "": _unscaled,
    "levels": _levels,
    "values": _values,
    "tailored": _tailored,
    "distance": _distance,
}
"""Scales by their names in entries."""
