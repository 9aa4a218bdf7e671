"""Which databases definitions of DP22 compare, and at which multiple of ε: relations, once more from the survey.

A relation says of two databases D and D′, in this order, the multiple c of ε at which M(D) is compared with M(D′); None
where it does not compare them. (DP22, Definitions 14 to 22 and 24, and sections 4 and 5.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from verifier.checker.labels import exact
from verifier.checker.numbers import Rejected
from verifier.checker.policy import Database
from verifier.checker.setting import Row, Setting
from verifier.checker.written import ONE

Relation: TypeAlias = Callable[[Setting, Database, Database], Fraction | None]


class Move(NamedTuple):
    """One record that differs: its value before and after (None where it is not there), and its index in a list."""

    before: str | None
    after: str | None
    record: int | None


def differing(d: Database, e: Database) -> list[int]:
    """The indices at which two lists of records differ."""
    return [i for i, (a, b) in enumerate(zip(d, e, strict=True)) if a != b]


def move(setting: Setting, d: Database, e: Database) -> Move | None:
    """How D becomes D′ ≠ D by one record; None where more than one differs."""
    if setting.lists:
        absent, records = setting.policy.get("absent"), differing(d, e)
        if len(records) != 1:
            return None
        before, after = d[records[0]], e[records[0]]
        return Move(None if before == absent else before, None if after == absent else after, records[0])
    gone, come = list((Counter(d) - Counter(e)).elements()), list((Counter(e) - Counter(d)).elements())
    if len(gone) > 1 or len(come) > 1:
        return None
    return Move(gone[0] if gone else None, come[0] if come else None, None)


def apart(setting: Setting, d: Database, e: Database) -> int:
    """The distance of two databases: the least number of records to change, add or remove."""
    if setting.lists:
        return len(differing(d, e))
    return max(len(d), len(e)) - (Counter(d) & Counter(e)).total()


def need_sizes(setting: Setting) -> None:
    """Refuse lists of which every record is always there."""
    if setting.lists and "absent" not in setting.policy:
        raise Rejected("records are added and removed, but all databases have one size")


# --- relations --------------------------------------------------------------------------------------------------------


def change(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record replaced: it is there before and after."""
    moved = move(setting, d, e)
    return ONE if moved and moved.before is not None and moved.after is not None else None


def add_remove(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record added or removed."""
    need_sizes(setting)
    moved = move(setting, d, e)
    return ONE if moved and (moved.before is None or moved.after is None) else None


def kind_of(setting: Setting) -> str:
    """How neighbours differ: as [policy] says; else `any` where records can be absent, and `change` where not."""
    several = not setting.lists or "absent" in setting.policy
    kind: str = setting.policy.get("neighbours", "any" if several else "change")
    return kind


def neighbours(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """The neighbours of the file, or those that its policy names."""
    kind = kind_of(setting)
    if kind == "change":
        return change(setting, d, e)
    return add_remove(setting, d, e) or (change(setting, d, e) if kind == "any" else None)


def one_apart(setting: Setting, d: Database, e: Database, *, field: str) -> Fraction | None:
    """One record replaced, by a value that differs in exactly one attribute, or bit."""
    table, moved = setting.need(field), move(setting, d, e)
    if not moved or moved.before is None or moved.after is None:
        return None
    return ONE if sum(x != y for x, y in zip(table[moved.before], table[moved.after], strict=True)) == 1 else None


def one_sided(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """D has a sensitive record that D′ has replaced by any other; in this order alone."""
    moved = move(setting, d, e)
    return ONE if change(setting, d, e) and moved and moved.before in setting.need("sensitive") else None


def asymmetric(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """D has a sensitive record that D′ lacks; in this order alone."""
    need_sizes(setting)
    moved = move(setting, d, e)
    return ONE if moved and moved.after is None and moved.before in setting.need("sensitive") else None


def blocks(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Lists that differ in records of one client alone."""
    return ONE if any(set(differing(d, e)) <= block for block in setting.need("blocks")) else None


def group(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """At most k records differ (`group`), each as between neighbours; for k = 1 these are the neighbours."""
    most, kind, absent = setting.need("group"), kind_of(setting), setting.policy.get("absent")
    if kind != "change":
        need_sizes(setting)
    if setting.lists:
        moved = [absent in {d[i], e[i]} for i in differing(d, e)]
        fine = kind == "any" or all(gap == (kind == "add-remove") for gap in moved)
        return ONE if fine and len(moved) <= most else None
    if kind == "add-remove":
        return ONE if (Counter(d) - Counter(e)).total() + (Counter(e) - Counter(d)).total() <= most else None
    return ONE if apart(setting, d, e) <= most and (kind == "any" or len(d) == len(e)) else None


def dependent(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record is changed, and at most c - 1 others that depend on it; c is `group`. None is added or removed."""
    records, most = set(differing(d, e)), setting.need("group")
    if any(setting.policy.get("absent") in {d[i], e[i]} for i in records):
        return None
    pairs = setting.need("dependence")
    return ONE if len(records) <= most and any(
        all(i == j or (i, j) in pairs for j in records) for i in records
    ) else None  # fmt: skip


def anything(_setting: Setting, _d: Database, _e: Database) -> Fraction | None:
    """Any two databases."""
    return ONE


def individual(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Neighbours, one of which is the database at hand."""
    return neighbours(setting, d, e) if setting.need("fixed") in {d, e} else None


def per_instance(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Neighbours, one of which is the database at hand, that differ in the record at hand."""
    return individual(setting, d, e) if differing(d, e) == [setting.need("record")] else None


def listed(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Listed pairs, in both orders."""
    pairs = setting.need("pairs")
    return ONE if (d, e) in pairs or (e, d) in pairs else None


def blowfish(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record replaced along the policy graph, between databases of I_Q where it is given."""
    moved, inside = move(setting, d, e), setting.policy.get("databases")
    if not moved or (inside is not None and not {d, e} <= set(inside)):
        return None
    absent = setting.policy.get("absent")
    edge = frozenset(absent if value is None else value for value in moved[:2])
    return ONE if edge in setting.need("graph") else None


def constrained(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """At a distance of at most Δ."""
    far = distance(setting, d, e)
    return ONE if far is not None and far <= setting.need("at-most") else None


def distributional(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """At a distance of at most Δ, both in S_D, with an element in common."""
    inside = setting.need("databases")
    common = (set(d) & set(e)) - {setting.policy.get("absent")}
    return constrained(setting, d, e) if d in inside and e in inside and common else None


def statistic(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """|f(D) - f(D′)| ≤ s."""
    statistic_of, most = setting.need("statistic"), setting.need("at-most")
    missing = [row for row in (d, e) if row not in statistic_of]
    if missing:
        raise Rejected(f"[policy] statistic has no row for {list(missing[0])}")
    return ONE if abs(statistic_of[d] - statistic_of[e]) <= most else None


def induced(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Both in I_Q, and no third database of I_Q lies between them.

    Between are lists that agree at each record with one of the two, and multisets from D ∩ D′ to D ∪ D′.
    """
    inside = setting.need("databases")
    if d not in inside or e not in inside:
        return None
    if setting.lists:
        between = [f for f in inside if f not in {d, e} and all(x in {a, b} for a, b, x in zip(d, e, f, strict=True))]
    else:
        least, most = Counter(d) & Counter(e), Counter(d) | Counter(e)
        between = [f for f in inside if f not in {d, e} and least <= Counter(f) <= most]
    return None if between else ONE


def personal(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """D lacks a record that D′ has; at the level of its index, in this order alone."""
    need_sizes(setting)
    levels, moved = setting.need("levels"), move(setting, d, e)
    if not moved or moved.before is not None or moved.record is None:
        return None
    at: Fraction | None = levels[moved.record]
    return at


def tailored(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record added or removed, at the level of its value in the database that has it (else 1); both orders."""
    need_sizes(setting)
    levels, moved = setting.need("tailored"), move(setting, d, e)
    if not moved or (moved.before is not None and moved.after is not None):
        return None
    at: Fraction | None = levels.get((moved.after, e) if moved.before is None else (moved.before, d), ONE)
    return at


def discriminative(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """One record replaced, at the level of its two values, else 1; None is infinite."""
    scale, moved = setting.need("scale"), move(setting, d, e)
    if not moved or not change(setting, d, e):
        return None
    at: Fraction | None = scale.get(frozenset(moved[:2]), ONE)
    return at


def distance(setting: Setting, d: Database, e: Database) -> Fraction | None:
    """Any two databases, at their distance; None is infinite."""
    kind = setting.need("distance")
    if isinstance(kind, dict):
        far: Fraction | None = kind.get((d, e))
        return far
    if kind == "hamming":
        return Fraction(apart(setting, d, e))
    if kind != "largest" or not setting.lists:
        raise Rejected(f"[policy] distance: {kind[:40]} is none between these databases")
    return max((abs(exact(a) - exact(b)) for a, b in zip(d, e, strict=True)), default=Fraction(0))


def pairs_of(setting: Setting, relation: Relation) -> Iterator[tuple[Database, Database, Fraction]]:
    """All ordered pairs that a relation compares; they agree on the records that are not protected."""
    if setting.lists and setting.secrets == ["S"] and relation is not listed:
        raise Rejected("relations are about records, and the model protects a function of the database")
    free = setting.lists and relation is not listed
    kept = [i for i in range(setting.size) if i not in setting.secrets] if free else []
    for d in setting.databases:
        for e in setting.databases:
            if d != e and all(d[i] == e[i] for i in kept) and (c := relation(setting, d, e)) is not None:
                yield d, e, c


def related(setting: Setting, relation: Relation) -> Iterator[Row]:
    """The rows of a relation: M(D) against M(D′)."""
    for d, e, c in pairs_of(setting, relation):
        yield setting.row(d, e, c)
