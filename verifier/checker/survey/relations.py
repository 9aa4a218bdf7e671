"""Which databases definitions of DP22 compare, and at which multiple of ε: relations, once more from the survey.

A relation says of two databases D and D′, in this order, the multiple c of ε at which M(D) is compared with M(D′); None
where it does not compare them. (DP22, Definitions 14 to 22 and 24, and sections 4 and 5.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected
from verifier.checker.laws import Row, Tables
from verifier.checker.model.labels import exact
from verifier.checker.model.policy import Database
from verifier.checker.numbers import ONE

MOST_PAIRS = 1 << 16
"""Most pairs of databases of which each is asked whether a relation compares them."""
Relation: TypeAlias = Callable[[Tables, Database, Database], Fraction | None]


class Move(NamedTuple):
    """One record that differs: its value before and after (None where it is not there), and its index in a list."""

    before: str | None
    after: str | None
    record: int | None


def differing(d: Database, e: Database) -> list[int]:
    """The indices at which two lists of records differ."""
    return [i for i, (a, b) in enumerate(zip(d, e, strict=True)) if a != b]


def move(tables: Tables, d: Database, e: Database) -> Move | None:
    """How D becomes D′ ≠ D by one record; None where more than one differs."""
    if tables.lists:
        absent, records = tables.policy.get("absent"), differing(d, e)
        if len(records) != 1:
            return None
        before, after = d[records[0]], e[records[0]]
        return Move(None if before == absent else before, None if after == absent else after, records[0])
    gone, come = list((Counter(d) - Counter(e)).elements()), list((Counter(e) - Counter(d)).elements())
    if len(gone) > 1 or len(come) > 1:
        return None
    return Move(gone[0] if gone else None, come[0] if come else None, None)


def apart(tables: Tables, d: Database, e: Database) -> int:
    """The distance of two databases: the least number of records to change, add or remove."""
    if tables.lists:
        return len(differing(d, e))
    return max(len(d), len(e)) - (Counter(d) & Counter(e)).total()


def need_sizes(tables: Tables) -> None:
    """Refuse lists of which every record is always there."""
    if tables.lists and "absent" not in tables.policy:
        raise Rejected("records are added and removed, but all databases have one size")


def need_all(tables: Tables, relation: Relation) -> None:
    """Refuse what a relation cannot do without, also where no two databases would be compared."""
    adds = relation in (add_remove, asymmetric, personal, tailored)
    if adds or (relation in (neighbours, individual, per_instance, group) and kind_of(tables) != "change"):
        need_sizes(tables)
    if relation is personal:
        tables.need("levels")
    if relation in (blocks, dependent, per_instance, personal) and not tables.lists:
        raise Rejected("records are known by their indices, and multisets have none")


# --- relations --------------------------------------------------------------------------------------------------------


def change(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record replaced: it is there before and after."""
    moved = move(tables, d, e)
    return ONE if moved and moved.before is not None and moved.after is not None else None


def add_remove(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record added or removed."""
    need_sizes(tables)
    moved = move(tables, d, e)
    return ONE if moved and (moved.before is None or moved.after is None) else None


def kind_of(tables: Tables) -> str:
    """How neighbours differ: as [policy] says; else `any` where records can be absent, and `change` where not."""
    several = not tables.lists or "absent" in tables.policy
    kind: str = tables.policy.get("neighbours", "any" if several else "change")
    return kind


def neighbours(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """The neighbours of the file, or those that its policy names."""
    kind = kind_of(tables)
    if kind == "change":
        return change(tables, d, e)
    return add_remove(tables, d, e) or (change(tables, d, e) if kind == "any" else None)


def one_apart(tables: Tables, d: Database, e: Database, *, field: str) -> Fraction | None:
    """One record replaced, by a value that differs in exactly one attribute, or bit."""
    table, moved = tables.need(field), move(tables, d, e)
    if not moved or moved.before is None or moved.after is None:
        return None
    return ONE if sum(x != y for x, y in zip(table[moved.before], table[moved.after], strict=True)) == 1 else None


def one_sided(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """D has a sensitive record that D′ has replaced by any other; in this order alone."""
    moved = move(tables, d, e)
    return ONE if change(tables, d, e) and moved and moved.before in tables.need("sensitive") else None


def asymmetric(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """D has a sensitive record that D′ lacks; in this order alone."""
    need_sizes(tables)
    moved = move(tables, d, e)
    return ONE if moved and moved.after is None and moved.before in tables.need("sensitive") else None


def blocks(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Lists that differ in records of one client alone."""
    return ONE if any(set(differing(d, e)) <= block for block in tables.need("blocks")) else None


def group(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """At most k records differ (`group`), each as between neighbours; for k = 1 these are the neighbours."""
    most, kind, absent = tables.need("group"), kind_of(tables), tables.policy.get("absent")
    if kind != "change":
        need_sizes(tables)
    if tables.lists:
        gaps = [absent in {d[i], e[i]} for i in differing(d, e)]
        if kind == "add-remove":  # a record that is changed is removed, and another added
            return ONE if sum(1 if gap else 2 for gap in gaps) <= most else None
        return ONE if (kind == "any" or not any(gaps)) and len(gaps) <= most else None
    if kind == "add-remove":
        return ONE if (Counter(d) - Counter(e)).total() + (Counter(e) - Counter(d)).total() <= most else None
    return ONE if apart(tables, d, e) <= most and (kind == "any" or len(d) == len(e)) else None


def dependent(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record is changed, and at most c - 1 others that depend on it; c is `group`. None is added or removed."""
    records, most = set(differing(d, e)), tables.need("group")
    if any(tables.policy.get("absent") in {d[i], e[i]} for i in records):
        return None
    pairs = tables.need("dependence")
    return ONE if len(records) <= most and any(
        all(i == j or (i, j) in pairs for j in records) for i in records
    ) else None  # fmt: skip


def anything(_setting: Tables, _d: Database, _e: Database) -> Fraction | None:
    """Any two databases."""
    return ONE


def individual(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Neighbours, one of which is the database at hand."""
    return neighbours(tables, d, e) if tables.need("fixed") in {d, e} else None


def per_instance(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Neighbours, one of which is the database at hand, that differ in the record at hand."""
    return individual(tables, d, e) if differing(d, e) == [tables.need("record")] else None


def listed(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Listed pairs, in both orders."""
    pairs = tables.need("pairs")
    return ONE if (d, e) in pairs or (e, d) in pairs else None


def blowfish(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record replaced along the policy graph, between databases of I_Q where it is given."""
    moved, inside = move(tables, d, e), tables.policy.get("databases")
    if not moved or (inside is not None and not {d, e} <= set(inside)):
        return None
    absent = tables.policy.get("absent") if tables.lists else None
    edge = frozenset(absent if value is None else value for value in moved[:2])
    return ONE if edge in tables.need("graph") else None


def constrained(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """At a distance of at most Δ."""
    far = distance(tables, d, e)
    return ONE if far is not None and far <= tables.need("at-most") else None


def distributional(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """At a distance of at most Δ, both in S_D, with an element in common."""
    inside = tables.need("databases")
    missing = {tables.policy.get("absent")} if tables.lists else set()
    common = (set(d) & set(e)) - missing
    return constrained(tables, d, e) if d in inside and e in inside and common else None


def statistic(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """|f(D) - f(D′)| ≤ s."""
    statistic_of, most = tables.need("statistic"), tables.need("at-most")
    missing = [row for row in (d, e) if row not in statistic_of]
    if missing:
        raise Rejected(f"[policy] statistic has no row for {list(missing[0])}")
    return ONE if abs(statistic_of[d] - statistic_of[e]) <= most else None


def induced(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Both in I_Q, and no third database of I_Q lies between them.

    Between are lists that agree at each record with one of the two, and multisets from D ∩ D′ to D ∪ D′.
    """
    inside = tables.need("databases")
    if d not in inside or e not in inside:
        return None
    if tables.lists:
        between = [f for f in inside if f not in {d, e} and all(x in {a, b} for a, b, x in zip(d, e, f, strict=True))]
    else:
        least, most = Counter(d) & Counter(e), Counter(d) | Counter(e)
        between = [f for f in inside if f not in {d, e} and least <= Counter(f) <= most]
    return None if between else ONE


def personal(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """D lacks a record that D′ has; at the level of its index, in this order alone."""
    need_sizes(tables)
    levels, moved = tables.need("levels"), move(tables, d, e)
    if not moved or moved.before is not None or moved.record is None:
        return None
    at: Fraction | None = levels[moved.record]
    return at


def tailored(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record added or removed, at the level of its value in the database that has it (else 1); both orders."""
    need_sizes(tables)
    levels, moved = tables.need("tailored"), move(tables, d, e)
    if not moved or (moved.before is not None and moved.after is not None):
        return None
    at: Fraction | None = levels.get((moved.after, e) if moved.before is None else (moved.before, d), ONE)
    return at


def discriminative(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """One record replaced, at the level of its two values, else 1; None is infinite."""
    scale, moved = tables.need("scale"), move(tables, d, e)
    if not moved or not change(tables, d, e):
        return None
    at: Fraction | None = scale.get(frozenset(moved[:2]), ONE)
    return at


def distance(tables: Tables, d: Database, e: Database) -> Fraction | None:
    """Any two databases, at their distance; None is infinite."""
    kind = tables.need("distance")
    if isinstance(kind, dict):
        far: Fraction | None = kind.get((d, e))
        return far
    if kind == "hamming":
        return Fraction(apart(tables, d, e))
    if kind != "largest" or not tables.lists:
        raise Rejected(f"[policy] distance: {kind[:40]} is none between these databases")
    return max((abs(exact(a) - exact(b)) for a, b in zip(d, e, strict=True)), default=Fraction(0))


OF_ONE_RECORD = (
    change, add_remove, neighbours, one_sided, asymmetric, individual, per_instance, blowfish, personal, tailored,
    discriminative,
)  # fmt: skip
"""Relations of databases of which one becomes the other by one record: all others need not be looked at."""


def is_of_one_record(relation: Relation) -> bool:
    """Whether a relation compares databases alone that differ in one record."""
    return relation in OF_ONE_RECORD or (isinstance(relation, partial) and relation.func is one_apart)


def one_record_away(tables: Tables, d: Database) -> Iterator[Database]:
    """The databases that D becomes where one record is replaced, added or removed."""
    if tables.lists:
        yield from ((*d[:i], v, *d[i + 1 :]) for i in range(tables.size) for v in tables.values if v != d[i])
        return
    for gone, come in product([(), *((v,) for v in dict.fromkeys(d))], [(), *((v,) for v in tables.values)]):
        if gone != come:
            kept = Counter(d) - Counter(gone) + Counter(come)
            e = tuple(v for v in tables.values for _ in range(kept[v]))
            if tables.is_database(e):
                yield e


def pairs_of(tables: Tables, relation: Relation) -> Iterator[tuple[Database, Database, Fraction]]:
    """All ordered pairs that a relation compares; they agree on the records that are not protected."""
    if tables.lists and tables.secrets == ["S"] and relation is not listed:
        raise Rejected("relations are about records, and the model protects a function of the database")
    need_all(tables, relation)
    databases, restricted = tables.databases, tables.lists and tables.of_records
    kept = [i for i in range(tables.size) if i not in tables.secrets] if restricted else []
    near = is_of_one_record(relation)
    if not near and len(databases) ** 2 > MOST_PAIRS:
        raise Beyond("there are too many pairs of databases")
    for d in databases:
        for e in one_record_away(tables, d) if near else databases:
            if d != e and all(d[i] == e[i] for i in kept) and (c := relation(tables, d, e)) is not None:
                yield d, e, c


def related(tables: Tables, relation: Relation) -> Iterator[Row]:
    """The rows of a relation: M(D) against M(D′)."""
    for d, e, c in pairs_of(tables, relation):
        yield tables.row(d, e, c)
