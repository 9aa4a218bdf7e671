"""Tables of counts over named people, published under a rule: overlapping tables, areas, cross tables, histograms.

People keep their numbers: `[people]` names stretches of records, and a table says who is left out and how it is split.
Records that are in the same cells of all tables for each value are one *atom*, and the law of what is published is a
function of how many of each atom have which value. So a record adds one to a count, as in a histogram, and no database
is ever listed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from itertools import product as cartesian
from math import prod
from typing import Any, TypeAlias

from verifier.errors import InputError, one_of
from verifier.model import kinds
from verifier.model.forms import (
    DISTINCT_VALUES,
    Domain,
    Form,
    Key,
    Place,
    defined,
    each,
    keys_schema,
    list_schema,
    values_of,
    whole,
)
from verifier.model.forms import names as one_name
from verifier.model.keys import Keys, Location, listed, rows, string
from verifier.model.kinds import added_counts, unit
from verifier.model.mechanism import ANYTHING, Database, Draw, Element, Mechanism, Statistic, check_law
from verifier.model.mechanism import alike as every_entry
from verifier.model.publication import HIDDEN
from verifier.model.rules import Rule, rule_of
from verifier.numbers import cut, plural, shorten
from verifier.tables import Label, Law, label, product

REST = "rest"
"""In `by`, the people of a table who are in no other group of the side."""
Stretches: TypeAlias = tuple[range, ...]
Groups: TypeAlias = "tuple[int, ...] | None"
"""The group of a record in each side of a table; None for a record that is left out."""


# --- [people] --------------------------------------------------------------------------------------------------------


def _stretches(domain: Domain, raw: Any, location: Location) -> Stretches:
    """A stretch `{ from, to }`, or a list of stretches that do not overlap."""
    given = [raw] if isinstance(raw, Mapping) else listed(raw, location, "{ from = 0, to = 49 }, or a list of these")
    if not all(isinstance(one, Mapping) for one in given) or not given:
        wanted = "{ from = 0, to = 49 }, or a list of these"
        raise InputError(f"{shorten(raw)} is not a range of records", where=str(location), wanted=wanted)
    ranges = tuple(domain.records(one, location) for one in given)
    for one, other in combinations(ranges, 2):
        if one[0] <= other[-1] and other[0] <= one[-1]:
            problem = f"record {max(one[0], other[0])} is named twice"
            raise InputError(problem, where=str(location), wanted="stretches that do not overlap")
    return tuple(one for one in ranges if isinstance(one, range))


STRETCH = {
    "type": "object",
    "properties": {"from": defined("record"), "to": defined("record")},
    "required": ["from", "to"],
    "additionalProperties": False,
}
STRETCHES: Form[Stretches] = Form(_stretches, {"anyOf": [STRETCH, {"type": "array", "items": STRETCH, "minItems": 1}]})


def read_people(raw: object, domain: Domain, location: Location) -> dict[str, Stretches]:
    """Read `[people]`: names of stretches of records, which may overlap.

    Raises:
        InputError: for a name that means something else, and for records that are none.

    """
    if domain.sizes:
        wanted = "one integer as `size`: the tuples of a multiset have no numbers"
        raise InputError("[people] names records", where=str(location), wanted=wanted)
    people = {}
    for name, stretches in Keys(raw, location, "names such as north = { from = 0, to = 49 }").left.items():
        if name == REST or name != name.strip() or not name:
            problem = f"the name {shorten(name)} is taken" if name == REST else f"{shorten(name)} is not a name"
            wanted = f"another name: `{REST}` is who is in no other group" if name == REST else "a name of letters"
            raise InputError(problem, where=str(location), wanted=wanted)
        people[name] = STRETCHES.read(domain, stretches, location.at(cut(name), name))
    return people


def _who(domain: Domain, raw: Any, location: Location) -> str:
    """A name of `[people]`."""
    name = string(raw, location, "a name")
    if name not in domain.people:
        tip = "inside `part`, and in a local randomizer, records have other numbers, and nobody has a name"
        raise InputError(
            f"nobody is named {shorten(name)}",
            where=str(location),
            wanted=one_of(domain.people, name)
            if domain.people
            else f"[people] with {cut(name)} = {{ from = 0, to = 9 }}",
            tip="" if domain.people else tip,
        )
    return name


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableOf:
    """One table as the file says it; `values` are positions in T, and `sides` lists of names."""

    values: tuple[int, ...]
    without: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    total: bool | str
    secondary: str | None
    up_to: int | None
    remainder: int | None
    location: Location


def _sides(domain: Domain, raw: Any, location: Location) -> tuple[tuple[str, ...], ...]:
    """The sides of a table: a list of names is one, a list of lists several."""
    given = listed(raw, location, 'a list of names such as ["north", "rest"], or a list of such lists')
    sides = given if given and all(isinstance(side, list | tuple) for side in given) else [given]
    read = []
    for number, side in enumerate(sides, start=1):
        at = location if sides is not given else location.at(f"side {number}", number - 1)
        groups = [REST if name == REST else _who(domain, name, at) for name in listed(side, at, "a list of names")]
        if not groups or len(set(groups)) < len(groups):
            problem = f"{cut(', '.join(groups))} repeats a name" if groups else "the side has no group"
            raise InputError(problem, where=str(at), wanted="distinct names, at least one")
        read.append(tuple(groups))
    return tuple(read)


def _total(_domain: Domain, raw: Any, location: Location) -> bool | str:
    if isinstance(raw, bool) or raw == "rule":
        return "rule" if raw == "rule" else bool(raw)
    wanted = 'true (exact totals), "rule" (totals under the rule), or false'
    raise InputError(f"{shorten(raw)} is not a way to publish totals", where=str(location), wanted=wanted)


NAMES: Form[tuple[str, ...]] = each(Form(_who, {"type": "string"}), "a list of names of [people]")
NAME_LIST = {"type": "array", "items": {"type": "string"}, "minItems": 1}
TABLE = (
    Key(
        "cells",
        DISTINCT_VALUES,
        "one cell for each of these values: how many people of the table have it; left out, those of the table before",
        None,
    ),
    Key("without", NAMES, "whose records are left out of the table", ()),
    Key(
        "by",
        Form(_sides, {"anyOf": [NAME_LIST, {"type": "array", "items": NAME_LIST, "minItems": 1}]}),
        "a list of groups, in which everybody of the table is exactly once (`rest` are all others); of a cross table a "
        "list of such lists",
        None,
    ),
    Key(
        "total",
        Form(_total, {"enum": [True, False, "rule"]}),
        'totals over each side, and all totals of these: exact ones (true), or under the rule as any cell ("rule")',
        False,
    ),
    Key(
        "secondary",
        one_name("smallest", "next-smallest"),
        "`smallest`: where exactly one cell of a line (without its total) is hidden, the smallest other one, by its "
        "count and the first of equals, is hidden too, until no line has one; `next-smallest`: where the hidden cells "
        "add up to at most `up-to`, all whose count is the smallest above `up-to` are hidden too",
        None,
    ),
    Key("up-to", whole("a count", 0), "of `next-smallest`", None),
    Key(
        "remainder",
        whole("a count", 1),
        "cells whose count is below this are hidden, and a last number is the sum of these counts, hidden if it is "
        "below this and not 0",
        None,
    ),
)
"""The keys of a table."""


def _tables(domain: Domain, raw: Any, location: Location) -> tuple[TableOf, ...]:
    tables: list[TableOf] = []
    example = 'a table such as { cells = ["yes"] }'
    for inner in rows(raw, location, "a list of tables", "table", example):
        values, without, sides, total, secondary, up_to, remainder = values_of(inner, TABLE, domain).values()
        if values is None and not tables:
            missing = f"`cells = [{shorten(domain.values[-1].shown)}]`"
            raise InputError("what is counted is not said", where=str(inner.location), wanted=missing)
        if (secondary == "next-smallest") != (up_to is not None):
            wanted = 'secondary = "next-smallest", up-to = 5'
            raise InputError("`next-smallest` and `up-to` go together", where=str(inner.location), wanted=wanted)
        if secondary is not None and remainder is not None:
            wanted = "what is hidden beside small counts, or one group of the rest"
            raise InputError("`secondary` and `remainder` are given together", where=str(inner.location), wanted=wanted)
        values = tables[-1].values if values is None else values
        tables.append(TableOf(values, without, sides or (), total, secondary, up_to, remainder, inner.location))
        inner.done()
    if not tables:
        raise InputError("there is no table", where=str(location), wanted=example)
    return tuple(tables)


def _rule(_domain: Domain, raw: Any, location: Location) -> tuple[Rule, Location]:
    return rule_of(string(raw, location, "a rule in words"), str(location)), location


def _steps(_domain: Domain, raw: Any, location: Location) -> tuple[Rule, Location]:
    steps = (raw,) if callable(raw) else tuple(listed(raw, location, "a list of steps"))
    return Rule(steps, {}), Location(location.file, location.trail[:-1], location.path[:-1])


TABLES: Form[tuple[TableOf, ...]] = Form(_tables, list_schema(keys_schema(TABLE), 1))
RULE = Key(
    "rule",
    Form(_rule, {"type": "string"}),
    "the rule for each count in words, such as `hide 0 to 9, then round to base 5`, or the key of a known one",
    instead=Key(
        "then",
        Form(_steps, list_schema(defined("step"))),
        "the rule for each count as a list of steps; none publishes exact counts",
    ),
    tip='`rule = "hide 0 to 9, then round to base 5"`, or `then = [ … ]` with its steps',
)
NOISE = Key(
    "noise",
    one_name("fresh", "kept"),
    "of a random rule, where two cells can hold the same records: an independent draw for each cell, or one for each "
    "set of records, so that cells which hold the same are published alike (empty cells, too)",
    None,
)


@dataclass(frozen=True)
class Cell:
    """One count of a table: of the records whose groups and value fit; a group that is None totals its side."""

    table: int
    groups: tuple[int | None, ...]
    values: frozenset[int]
    inner: bool
    """Whether it is no total."""
    ruled: bool
    """Whether the rule applies to it."""

    def holds(self, places: Sequence[Groups], value: int) -> bool:
        """Whether a record is counted that has this value, and these groups in each table."""
        groups = places[self.table]
        return (
            groups is not None
            and value in self.values
            and all(wanted in (None, group) for wanted, group in zip(self.groups, groups, strict=True))
        )


def _cells(number: int, table: TableOf) -> tuple[list[Cell], list[int]]:
    """The cells of a table in the order in which they are published, and how many places each side has.

    The sides of `by` come first, then that of the values, which there is if there are several, or no other side. With
    totals each side has one more place, at its end.
    """
    several = len(table.values) > 1 or not table.sides
    columns: list[frozenset[int]] = [frozenset({v}) for v in table.values]
    margins = bool(table.total)
    if margins and several:
        columns.append(frozenset(table.values))
    sides = [[*range(len(side)), *([None] if margins else [])] for side in table.sides]
    cells = []
    for place in cartesian(*sides, range(len(columns))):
        groups, column = place[:-1], place[-1]
        inner = None not in groups and column < len(table.values)
        cells.append(Cell(number, groups, columns[column], inner, inner or table.total == "rule"))
    shape = [len(side) for side in sides]
    return cells, [*shape, len(columns)] if several else shape


def _lines(shape: Sequence[int], *, margins: bool) -> list[list[int]]:
    """The cells that differ in one side alone, without its total, side by side and in order: positions of cells."""
    lines = []
    for side, length in enumerate(shape):
        step = prod(shape[side + 1 :])
        starts = [k for k in range(prod(shape)) if k // step % length == 0]
        lines += [[start + k * step for k in range(length - margins)] for start in starts]
    return lines


@dataclass(frozen=True)
class Finishing:
    """What is done to the cells of one table, from `first` on, once the rule was applied to each."""

    table: TableOf
    first: int
    cells: Sequence[Cell]
    shape: Sequence[int]

    def __call__(self, counts: Sequence[int], published: list[Label]) -> list[Label]:
        """The published cells, after secondary suppression or with the remainder."""
        after, table = list(published), self.table
        inner = [k for k, cell in enumerate(self.cells) if cell.inner]
        if table.secondary == "smallest":
            lines = _lines(self.shape, margins=bool(table.total))
            changed = True
            while changed:  # all lines, then all again: what hides in one line may leave one alone in another
                changed = False
                for line in lines:
                    changed = _hide_second(line, counts, after) or changed
        elif table.secondary is not None and table.up_to is not None:
            hidden = [k for k in inner if after[k] == HIDDEN]
            larger = [counts[k] for k in inner if after[k] != HIDDEN and counts[k] > table.up_to]
            if hidden and larger and sum(counts[k] for k in hidden) <= table.up_to:
                after = [HIDDEN if k in inner and counts[k] == min(larger) else one for k, one in enumerate(after)]
        elif table.remainder is not None:
            small = {k for k in inner if counts[k] < table.remainder}
            rest = sum(counts[k] for k in small)
            after = [HIDDEN if k in small else one for k, one in enumerate(after)]
            after.append(HIDDEN if 0 < rest < table.remainder else label(rest))
        return after


def _hide_second(line: Sequence[int], counts: Sequence[int], published: list[Label]) -> bool:
    """Hide the smallest other cell of a line of which exactly one is hidden; whether that was so."""
    hidden = [k for k in line if published[k] == HIDDEN]
    if len(hidden) != 1 or len(line) == 1:
        return False
    published[min((k for k in line if k != hidden[0]), key=counts.__getitem__)] = HIDDEN
    return True


def _places(domain: Domain, tables: Sequence[TableOf]) -> list[tuple[Groups, ...]]:
    """The groups of each record in each table.

    Raises:
        InputError: for a record of a table that is in no group of a side, or in two.

    """
    of_tables = []
    for table in tables:
        left_out = [one for name in table.without for one in domain.people[name]]
        sides = [[domain.people.get(name, ()) for name in side] for side in table.sides]
        here: list[Groups] = []
        for i in range(domain.size):
            if any(i in one for one in left_out):
                here.append(None)
                continue
            groups = []
            for side, stretches in zip(table.sides, sides, strict=True):
                found = [k for k, of_group in enumerate(stretches) if any(i in one for one in of_group)]
                rest = [side.index(REST)] if not found and REST in side else []
                if len(found or rest) != 1:
                    raise _not_once(i, [side[k] for k in found], table.location.at("by"))
                groups += found or rest
            here.append(tuple(groups))
        if here.count(None) == len(here):
            raise InputError("nobody is in the table", where=str(table.location), wanted="at least one person")
        of_tables.append(here)
    return list(zip(*of_tables, strict=True))


def _not_once(record: int, groups: Sequence[str], location: Location) -> InputError:
    """The refusal of a record that is not in exactly one group of a side."""
    problem = f"record {record} is in {' and in '.join(groups) or 'no group'}"
    tip = "" if groups else f'add "{REST}", the group of all others'
    return InputError(problem, where=str(location), wanted="everybody of the table in exactly one group", tip=tip)


@dataclass(frozen=True)
class Publication:
    """How counts are published: the rule for a count, the cells in order, and what is done to each table then."""

    rule: Callable[[int], Law]
    cells: Sequence[Cell]
    finishing: Sequence[Finishing]

    def law(self, counts: Sequence[int], alike: Callable[[int, int], bool] | None) -> Law:
        """The law of what is published, from the counts of all cells.

        `alike` says of two cells whether they hold the same records, and so get one draw; None draws for each cell.
        """
        draws: list[list[int]] = []
        for k, cell in enumerate(self.cells):
            same = next((one for one in draws if alike and alike(one[0], k)), None) if cell.ruled else None
            if same is not None:
                same.append(k)
            elif cell.ruled:
                draws.append([k])
        laws = [self.rule(counts[draw[0]]) for draw in draws]
        check_law(prod(len(law.outcomes) for law in laws), "the tables have too many results on one database")
        exact = [label(count) for count in counts]

        def put_out(outcomes: Sequence[Label]) -> Label:
            published = list(exact)
            for draw, outcome in zip(draws, outcomes, strict=True):
                for k in draw:
                    published[k] = outcome
            shown: list[Label] = []
            for finish in self.finishing:
                part = slice(finish.first, finish.first + len(finish.cells))
                shown += finish(counts[part], published[part])
            return shown[0] if len(shown) == 1 else label(shown)

        return product(laws, put_out)


def tables_of_people(
    place: Place,
    rule: Rule,
    noise: str | None,
    tables: Sequence[TableOf],
    under: Callable[[Mechanism], Mechanism],
) -> Mechanism:
    """Tables over named people; `under` makes of a count what the rule publishes.

    As a statistic, each record adds one to the count of its atom and value. Its twin, the law of a database, counts the
    records of each cell and compares them as sets.

    Raises:
        InputError: for groups that are no split, and for noise that is not said or changes nothing.

    """
    domain = place.domain
    tables = [_with_keys(table, rule.table) for table in tables]
    places = _places(domain, tables)
    cells: list[Cell] = []
    finishing = []
    for number, table in enumerate(tables):
        own, shape = _cells(number, table)
        finishing.append(Finishing(table, len(cells), own, shape))
        cells += own
    most = max(sum(groups[t] is not None for groups in places) for t in range(len(tables)))
    one = frozenset([domain.values[tables[0].values[0]]])  # of all values there would be one count alone
    counting = kinds.count(replace(place.setting, size=most), one, None, HIDDEN)
    ruled = under(counting)
    statistic = ruled.statistic
    if statistic is None:
        raise AssertionError  # a count is a statistic, and steps keep it one
    of_count = lru_cache(maxsize=None)(statistic.finish)
    shared = len(tables) > 1 or any(table.total == "rule" for table in tables)
    kept = _kept(noise, rule, ruled, [of_count(c) for c in range(most + 1)] if shared or noise else (), shared, place)
    publication = Publication(of_count, cells, finishing)

    listed_values = sorted({v for table in tables for v in table.values})
    atoms = {groups: k for k, groups in enumerate(dict.fromkeys(places))}
    coordinates = [(groups, v) for groups in atoms for v in listed_values]
    units = [unit(k, len(coordinates)) for k in range(len(coordinates))]
    zero = (0,) * len(coordinates)
    column = {v: k for k, v in enumerate(listed_values)}
    inside = [frozenset(k for k, (groups, v) in enumerate(coordinates) if cell.holds(groups, v)) for cell in cells]

    def draw(i: int, v: int) -> Draw:
        if v not in column:
            return ((zero, 1),)
        return ((units[atoms[places[i]] * len(listed_values) + column[v]], 1),)

    @lru_cache(maxsize=1 << 16)
    def finish(state: Element) -> Law:
        def alike(a: int, b: int) -> bool:
            return not any(state[k] for k in inside[a] ^ inside[b])

        return publication.law([sum(state[k] for k in one) for one in inside], alike if kept else None)

    def of_database(database: Database) -> Law:
        held = [frozenset(i for i, v in enumerate(database) if cell.holds(places[i], v)) for cell in cells]
        return publication.law(list(map(len, held)), (lambda a, b: held[a] == held[b]) if kept else None)

    operations = ("+",) * len(coordinates)
    summed = Statistic(zero, added_counts, draw, finish, any_size=False, operations=operations, uniform=len(atoms) == 1)
    length = len(cells) + sum(table.remainder is not None for table in tables)
    rule_words = ruled.title.partition(", then ")[2]
    title = f"tables of {plural(length, 'published count')}" + f" under `{rule_words}`" * bool(rule_words)
    outputs = every_entry(ANYTHING, length) if length > 1 else ANYTHING
    made = Mechanism(title, domain.size, domain.values, summed, of_database, codomain=outputs)
    return replace(made, tails=ruled.tails)


def _with_keys(table: TableOf, keys: Mapping[str, Any]) -> TableOf:
    """A table with the keys that belong to the rule, where it has none of its own."""
    if not keys or table.secondary is not None or table.remainder is not None:
        return table
    return replace(table, **{name.replace("-", "_"): value for name, value in keys.items()})


def _kept(
    noise: str | None,
    rule: Rule,
    ruled: Mechanism,
    laws: Collection[Law],
    shared: bool,  # noqa: FBT001
    place: Place,
) -> bool:
    """Whether cells that hold the same records are published alike.

    Raises:
        InputError: where that is not said and matters, or is said and changes nothing.

    """
    at = str(place.location.at("noise"))
    if rule.noise and noise not in {None, rule.noise}:
        problem = f"the rule keeps its noise, and noise is {shorten(noise)}"
        raise InputError(problem, where=at, wanted=f'noise = "{rule.noise}", or the words of the rule')
    random = any(len(law.outcomes) > 1 for law in laws)
    if noise is None and rule.noise and shared:
        noise = rule.noise
    if noise is None and random and shared:
        raise InputError(
            "two cells may hold the same records: is their noise drawn once, or for each cell?",
            where=str(place.location),
            wanted='noise = "kept" or "fresh"',
            tip="cell keys and fixed random rounding keep it: the same records always get the same noise",
        )
    if noise != "kept":
        return False
    if not random or not shared:
        problem = "one table without a total under the rule" if random else "a rule without randomness"
        raise InputError(
            f"{problem} publishes the same with noise that is kept: it changes nothing", where=at, wanted="no `noise`"
        )
    if ruled.tails:
        tip = '{ kind = "clamp", low = 0, high = 10 } makes it finite'
        wanted = 'a finite noise, or noise = "fresh"'
        raise InputError("geometric noise has infinitely many outputs", where=at, wanted=wanted, tip=tip)
    return True
