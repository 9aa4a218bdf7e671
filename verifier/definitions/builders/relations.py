"""Relations between databases, with a multiple of ε for each ordered pair: the builder of most of DP22's N and V.

A relation lists ordered pairs (D, D′), each with the multiple of ε that is allowed. Its primitive is a set of steps (a
record is changed, added, removed), any two databases, or listed pairs; restrictions, such as a largest distance, and a
scale are added by name, and read `[policy]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, starmap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from verifier.definitions.builders.rows import MOST_KEPT, ONE, Case, Group, Row, Setting, point
from verifier.errors import UnsupportedError
from verifier.model import Database
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
    numbers = [number_or_none(value.text) for value in setting.model.values]
    if setting.model.sizes is not None or any(number is None for number in numbers):
        raise UnsupportedError(
            f"{setting.key} takes the largest difference of two records: it needs one size, and values that are numbers"
        )
    values = [number for number in numbers if number is not None]
    return lambda first, second: max(
        (abs(values[a] - values[b]) for a, b in zip(first, second, strict=True)), default=Fraction(0)
    )


CHANGE, ADD, REMOVE = "change", "add", "remove"
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
    match setting.policy.neighbours:
        case "change":
            return (CHANGE,)
        case "add-remove":
            return (ADD, REMOVE)
        case "any":
            return STEPS
    return STEPS if _has_sizes(setting) else (CHANGE,)


def _has_sizes(setting: Setting) -> bool:
    return setting.model.sizes is not None or setting.policy.absent is not None


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
        kinds = neighbours_of(setting) if self.steps == "neighbours" else (self.steps,)
        plain = self.within == "1" and not self.restrict and not self.scale
        return plain and kinds == (CHANGE,) and setting.model.sizes is None

    def rows(self, setting: Setting) -> Iterator[Row]:
        """The rows, by the order of the first database, then of the second."""
        primitive = _primitive(self.steps, self.within, setting)
        restrictions = [RESTRICTIONS[name](setting) for name in self.restrict]
        scale = SCALES[self.scale](setting)
        listed_whatever = self.steps == "pairs" and not setting.model.protects_records
        allowed = None if listed_whatever else setting.protected()
        for pair in _candidates(self.steps, setting):
            first, second = pair.first, pair.second
            if allowed is not None and any(step.record not in allowed for step in pair.steps):
                continue
            if not pair.steps or not primitive(pair) or not all(test(pair) for test in restrictions):
                continue
            if setting.reading == "one-order" and any((step.a or 0) > (step.b or 0) for step in pair.steps):
                continue
            multiple = scale(pair)
            if multiple is not None:
                names = (f"M({setting.words(first)})", f"M({setting.words(second)})")
                yield Row(point(first), point(second), multiple, names)


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


def _primitive(steps: str, within: str, setting: Setting) -> Restriction:
    if steps in {"any", "pairs"}:
        return _always
    kinds = frozenset(neighbours_of(setting) if steps == "neighbours" else steps.split())
    is_any = steps == "neighbours" and setting.policy.neighbours == "any"
    if (CHANGE not in kinds or is_any) and not _has_sizes(setting):
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
