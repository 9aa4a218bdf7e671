"""Mechanisms that see a database as a multiset: reports that are shuffled, and what is checked to be symmetric.

That a table or a function is symmetric is checked on all databases: each pair of neighbouring records is swapped. A
program that looks at its database only through counts, sums and sorted lists is found to be so from its text.

The law depends on the histogram of the database alone. So it is a statistic whose sum is a list of counts, of reports
or of values, and many records need no table.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from math import lcm

from verifier.errors import InputError, LimitError
from verifier.model.kinds import KindSetting, added_counts, mechanism, unit
from verifier.model.mechanism import (
    Database,
    Draw,
    Element,
    Mechanism,
    Range,
    Statistic,
    among,
    counted,
    database_text,
)
from verifier.numbers import shorten
from verifier.programs import Source
from verifier.tables import Label, Law, in_order, label

MAX_CHECKED = 1 << 16
"""Most databases on which a mechanism is checked to be symmetric."""


def shuffled(setting: KindSetting, randomizer: Mechanism) -> Mechanism:
    """The multiset of the reports: each record goes through a local randomizer, and nobody sees whose report is whose.

    `randomizer` is a mechanism of one record, R. The output is the list of R(D(0)), …, R(D(n - 1)), sorted: numbers,
    then lists, then texts. As a statistic a record adds one to the count of its report.

    Raises:
        UnsupportedError: where the randomizer has no law for a value.

    """
    laws = [randomizer.law((v,)) for v in range(len(setting.values))]
    reports = tuple(in_order({report for law in laws for report in law.outcomes}))
    position = {report: k for k, report in enumerate(reports)}
    denominator = lcm(*(law.denominator for law in laws))
    units = [unit(k, len(reports)) for k in range(len(reports))]
    draws: list[Draw] = [
        tuple((units[position[report]], weight * (denominator // law.denominator)) for report, weight in law.items())
        for law in laws
    ]

    @lru_cache(maxsize=1 << 16)
    def finish(counts: Element) -> Law:
        return Law.point(label([r for r, times in zip(reports, counts, strict=True) for _ in range(times)]))

    operations = ("+",) * len(reports)
    statistic = Statistic(
        (0,) * len(reports),
        added_counts,
        lambda _, v: draws[v],
        finish,
        denominator,
        operations=operations,
        uniform=True,
    )
    title = f"shuffled reports of {randomizer.title}"
    return replace(mechanism(title, setting, statistic, sorted_lists(reports, setting.size)), tails=randomizer.tails)


def sorted_lists(entries: tuple[Label, ...], length: int) -> Range:
    """The lists of `length` of these entries, in the order in which they stand; of a sample, of at most `length`."""
    position = {entry: k for k, entry in enumerate(entries)}

    def holds_of(least: int) -> Range:
        def holds(output: Label) -> bool:
            items = output.entries
            if items is None or not least <= len(items) <= length or not position.keys() >= set(items):
                return False
            places = [position[item] for item in items]
            return places == sorted(places)

        words = f"{length:,}" if least else f"at most {length:,}"
        return Range(f"sorted lists of {words}, each of {among(entries).words}", holds)

    return replace(holds_of(length), of_sample=holds_of(0))


# --- symmetric mechanisms --------------------------------------------------------------------------------------------


def symmetric(function: Callable[..., object]) -> Callable[..., object]:
    """Say of a Python function of the database that the order of the records means nothing to it.

    It is checked on all databases, and refused with two of them where it is not so; then n records need no table of
    |T|^n databases to be compared.

    >>> import pkdp
    >>> most = pkdp.symmetric(lambda db: max(db))
    >>> model = pkdp.build(size=8, values=[0, 1], mechanism=most)
    >>> str(pkdp.check(model, "dp").tight_epsilon)
    'inf'

    Raises:
        InputError: for anything else than a function.

    """
    given: object = function
    if not callable(given):
        tip = "a program and a table say symmetric = true in [mechanism]"
        raise InputError(f"{shorten(function)} is not a function", where="function", wanted="one of db", tip=tip)

    @wraps(function)
    def marked(*arguments: object) -> object:
        return function(*arguments)

    marked.symmetric = True  # type: ignore[attr-defined]
    return marked


def is_symmetric(function: object) -> bool:
    """Whether `symmetric` was said of a function."""
    return bool(getattr(function, "symmetric", False))


def by_counts(given: Mechanism) -> Mechanism:
    """A symmetric mechanism as a statistic: records add to the counts of the values, and the finish has the law.

    Its law is asked for on the sorted database of the counts.
    """
    length, law = len(given.values), given.law
    units = [unit(v, length) for v in range(length)]

    @lru_cache(maxsize=1 << 16)
    def finish(counts: Element) -> Law:
        return law(tuple(v for v, times in enumerate(counts) for _ in range(times)))

    statistic = Statistic(
        (0,) * length,
        added_counts,
        lambda _, v: ((units[v], 1),),
        finish,
        any_size=False,
        operations=("+",) * length,
        uniform=True,
    )
    return replace(given, statistic=statistic, table=statistic.law, _cache={})


def check_symmetric(given: Mechanism, where: str) -> None:
    """Refuse a mechanism that tells the order of the records, with two databases that differ in a swap of neighbours.

    All orders of a database are reached by such swaps, so that these are enough.

    Raises:
        InputError: with the two databases.
        LimitError: where there are too many databases, before any is looked at.

    """
    number = len(given.values) ** given.size
    if number > MAX_CHECKED:
        raise LimitError(
            f"`symmetric = true` is checked on all databases, and there are {counted(number)}",
            where=where,
            wanted=f"at most {MAX_CHECKED:,}",
            tip="a program that looks at db only through db.count(…), len, sum or sorted is known to be so",
        )
    for database in given.all_databases():
        for i in range(given.size - 1):
            if database[i] < database[i + 1]:
                swapped = (*database[:i], database[i + 1], database[i], *database[i + 2 :])
                if _law_or_none(given, database) != _law_or_none(given, swapped):
                    texts = [database_text(one, given.values) for one in (database, swapped)]
                    raise InputError(
                        f"the mechanism depends on the order of the records: it tells {texts[0]} from {texts[1]}",
                        where=where,
                        wanted="one law for all orders of a database",
                        tip="leave `symmetric` out",
                    )


def _law_or_none(given: Mechanism, database: Database) -> Law | None:
    """The law on a database; None where a table has no row for it."""
    return given.law(database) if given.takes(database) else None


COUNTING = {"len", "sum", "sorted", "min", "max"}
"""Functions of a list whose answer has nothing of its order, if no two entries are equal and yet told apart."""
STOPPING = {"any", "all"}
"""Functions that stop at an entry, so that what is asked of each must not end in an error."""
SAFE = (
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.Not,
    ast.UnaryOp,
    ast.Name,
    ast.Load,
    ast.Constant,
)
"""What asks for no more than whether values are equal."""


def sees_counts_alone(source: Source, values: Sequence[Label]) -> bool:
    """Whether a program looks at its database only through `db.count(…)`, `len(db)`, `sum(db)`, `sorted(db)` and such.

    Then its law is that of every other order of the database. Of a program that does more this is not known. True is 1
    for `sorted`, `min`, `max` and `set`, which may keep either: so there must not be both among the values.
    """
    shown = [value.shown for value in values]
    if len(set(shown)) < len(shown):  # True == 1
        return False
    main = source.main.node
    name = main.args.args[0].arg
    return not _free(name, main.body)


def _free(name: str, nodes: Iterable[ast.AST]) -> bool:
    """Whether in some of these nodes the database is looked at in another way, or its name means something else."""
    return any(_looks(name, node) for node in nodes)


def _looks(name: str, node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, ast.Call) and not node.keywords:
        called, arguments = node.func, node.args
        if isinstance(called, ast.Attribute) and called.attr == "count" and _is(called.value, name):
            return _free(name, arguments)
        if isinstance(called, ast.Name) and len(arguments) == 1:
            (argument,) = arguments
            if called.id in COUNTING and (_is(argument, name) or _is_set(argument, name)):
                return False
            if isinstance(argument, ast.GeneratorExp | ast.ListComp) and _is(argument.generators[0].iter, name):
                loop, *more = argument.generators
                parts = (loop.target, *loop.ifs, argument.elt)
                safe = called.id == "sum" or (
                    called.id in STOPPING and all(isinstance(x, SAFE) for part in parts[1:] for x in ast.walk(part))
                )
                return not safe or bool(more) or _free(name, parts)
    return _free(name, ast.iter_child_nodes(node))


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_set(node: ast.AST, name: str) -> bool:
    """Whether a node is `set(db)`."""
    return isinstance(node, ast.Call) and _is(node.func, "set") and len(node.args) == 1 and _is(node.args[0], name)
