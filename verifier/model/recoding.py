"""k-anonymization: tuples are generalized, and those that appear fewer than k times removed (LQS12, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from verifier.errors import InputError
from verifier.model import kinds
from verifier.model.kinds import Setting
from verifier.model.mechanism import Database, Mechanism, Recoding
from verifier.model.place import Keys, Place
from verifier.model.ranges import Range, among, lists, union
from verifier.model.scope import Scope
from verifier.numbers import shorten
from verifier.tables import Label, Law, in_order, label

Classes = tuple[Label, ...]
"""g: the generalized tuple of each value, in the order of `values`."""
TABLE, MAPPING_AND_TABLE = "table", "mapping and table"
"""What a mechanism publishes."""


def read_generalization(given: object, scope: Scope, place: Place) -> Classes:
    """A table from every value to its class."""
    table = Keys(given, place, "a table from values to classes").left
    found = {scope.value(key, place): scope.label(to, place.at(key)) for key, to in table.items()}
    missing = next((v for k, v in enumerate(scope.values) if k not in found), None)
    if missing is not None:
        raise InputError(
            f"no class for the value {shorten(missing.shown)}",
            where=str(place),
            wanted="a class for every value",
            tip=f'a value that is kept is its own class: "{missing.text}" = "{missing.text}"',
        )
    return tuple(found[k] for k in range(len(scope.values)))


def published(counts: Mapping[Label, int], k: int) -> list[Label]:
    """The generalized tuples that appear at least k times, each as often as it does, in order.

    >>> [one.text for one in published({label("b"): 2, label("a"): 1}, 2)]
    ['b', 'b']
    """
    return [one for one in in_order(counts) for _ in range(counts[one]) if counts[one] >= k]


def tables(classes: Classes, k: int, records: int) -> Range:
    """The published tables of at most so many tuples: classes in order, each at least k times."""
    known = frozenset(classes)

    def holds(one: Label) -> bool:
        tuples = one.parts
        if tuples is None or len(tuples) > records or not known.issuperset(tuples):
            return False
        return published(Counter(tuples), k) == list(tuples)

    names = ", ".join(one.text for one in in_order(known))
    return Range(f"tables of at most {records:,} classes of {names}, in this order, each at least {k} times", holds)


def apply(setting: Setting, classes: Classes, k: int) -> Mechanism:
    """Apply(g, D, k): each tuple t becomes g(t); all that appear fewer than k times are removed."""
    different = tuple(dict.fromkeys(classes))
    place = {one: position for position, one in enumerate(different)}

    number = len(different)

    def finish(counts: tuple[int, ...]) -> list[Label]:
        return published(dict(zip(different, counts, strict=True)), k)

    statistic = kinds.summed(
        (0,) * number,
        kinds.both,
        lambda _, v: kinds.unit(place[classes[v]], number),
        finish,
        ("+",) * number,
    )
    title = f"generalized tuples, those with fewer than {k} removed"
    told = kinds.mechanism(title, setting, statistic, tables(classes, k, setting.size))
    return replace(told, publishes=TABLE, recoding=Recoding(k))


def anonymization(
    setting: Setting, chooser: Mechanism, generalizations: Mapping[Label, Classes], k: int, *, shows: bool
) -> Mechanism:
    """A(D, k) = Apply(A_m(D), D, k); with `shows` the name of the chosen recoding is put out too."""
    known = ", ".join(one.text for one in generalizations)

    def table(database: Database) -> Law:
        return chooser.law(database).then(lambda name: Law.point(setting.spell(release(name, database))))

    def release(name: Label, database: Database) -> Label:
        if name not in generalizations:
            raise InputError(
                f"`choose` puts out {name}",
                where=setting.where,
                wanted=f"the name of one of `generalizations`: {known}",
            )
        found = published(Counter(generalizations[name][v] for v in database), k)
        return label([name, found]) if shows else label(found)

    ranges = {name: tables(classes, k, setting.size) for name, classes in generalizations.items()}
    outputs = union([lists([among([name]), one]) if shows else one for name, one in ranges.items()])
    return Mechanism(
        f"k-anonymization with k = {k} by one of {known}, chosen by {chooser.title}",
        setting.size,
        setting.values,
        table=table,
        domain=chooser.domain,
        publishes=MAPPING_AND_TABLE if shows else TABLE,
        recoding=Recoding(k, chooser),
        codomain=chooser.codomain and outputs,
    )


def check_names(outputs: Iterable[Label], names: Sequence[Label], place: Place) -> None:
    """Refuse a chooser that can put out what is no name of a recoding."""
    unknown = next((one for one in outputs if one not in names), None)
    if unknown is not None:
        raise InputError(
            f"`choose` can put out {unknown}",
            where=str(place),
            wanted=f"the names of `generalizations` only: {', '.join(one.text for one in names)}",
        )


def always(mechanism: Mechanism) -> Mechanism:
    """The choice of a mechanism that has only one recoding."""
    alone = Law.point(label("the only recoding"))
    return Mechanism("the only recoding", mechanism.size, mechanism.values, table=lambda _: alone)
