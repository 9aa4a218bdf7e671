"""k-anonymization: tuples are generalized, and those that appear fewer than k times removed (LQS12, section 3.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from verifier.errors import InputError
from verifier.model import kinds
from verifier.model.forms import Domain
from verifier.model.keys import Keys, Location
from verifier.model.kinds import KindSetting
from verifier.model.mechanism import Database, Mechanism, Range, Recoding, among, lists, union
from verifier.numbers import shorten
from verifier.tables import Label, Law, in_order, label

Classes = tuple[Label, ...]
"""g: the generalized tuple of each value, in the order of `values`."""
TABLE, MAPPING_AND_TABLE = "table", "mapping and table"
"""The values of `Mechanism.publishes`."""


def read_generalization(raw: object, location: Location, domain: Domain) -> Classes:
    """Read a generalization: a table from every value to its class.

    Raises:
        InputError: where it is no such table, with the first value that has no class.

    """
    table = Keys(raw, location, "a table from values to classes").left
    classes = {domain.value(key, location): domain.label(to, location.at(key)) for key, to in table.items()}
    missing = next((v for k, v in enumerate(domain.values) if k not in classes), None)
    if missing is not None:
        raise InputError(
            f"the value {shorten(missing.shown)} has no class",
            where=str(location),
            wanted="a class for every value",
            tip=f'a value that is kept is its own class: "{missing.text}" = "{missing.text}"',
        )
    return tuple(classes[k] for k in range(len(domain.values)))


def published(counts: Mapping[Label, int], k: int) -> list[Label]:
    """The generalized tuples that appear at least k times, each as often as it does, in order.

    >>> [generalized.text for generalized in published({label("b"): 2, label("a"): 1}, 2)]
    ['b', 'b']
    """
    return [
        generalized for generalized in in_order(counts) for _ in range(counts[generalized]) if counts[generalized] >= k
    ]


def tables(classes: Classes, k: int, records: int) -> Range:
    """The range of a k-anonymization: the tables of at most `records` tuples, in order, each class at least k times."""
    known = frozenset(classes)

    def holds(output: Label) -> bool:
        tuples = output.entries
        if tuples is None or len(tuples) > records or not known.issuperset(tuples):
            return False
        return published(Counter(tuples), k) == list(tuples)

    names = ", ".join(generalized.text for generalized in in_order(known))
    return Range(f"tables of at most {records:,} classes of {names}, in this order, each at least {k} times", holds)


def apply(setting: KindSetting, classes: Classes, k: int) -> Mechanism:
    """The mechanism Apply(g, D, k): each tuple t becomes g(t); all that then appear fewer than k times are removed."""
    different = tuple(dict.fromkeys(classes))
    position = {generalized: k for k, generalized in enumerate(different)}

    number = len(different)

    def finish(counts: tuple[int, ...]) -> list[Label]:
        return published(dict(zip(different, counts, strict=True)), k)

    statistic = kinds.summed(
        (0,) * number,
        kinds.added_counts,
        lambda _, v: kinds.unit(position[classes[v]], number),
        finish,
        ("+",) * number,
    )
    title = f"generalized tuples, those with fewer than {k} removed"
    mechanism = kinds.mechanism(title, setting, statistic, tables(classes, k, setting.size))
    return replace(mechanism, publishes=TABLE, recoding=Recoding(k))


def anonymization(
    setting: KindSetting, chooser: Mechanism, generalizations: Mapping[Label, Classes], k: int, *, shows: bool
) -> Mechanism:
    """The mechanism A(D, k) = Apply(A_m(D), D, k), where `chooser` is A_m, which puts out the name of a recoding.

    With `shows` the output is the list of this name and the table.
    """
    known = ", ".join(name.text for name in generalizations)

    def table(database: Database) -> Law:
        return chooser.law(database).then(lambda name: Law.point(setting.spell(release(name, database))))

    def release(name: Label, database: Database) -> Label:
        if name not in generalizations:
            raise InputError(
                f"`choose` puts out {name}",
                where=setting.where,
                wanted=f"the name of one of `generalizations`: {known}",
            )
        tuples = published(Counter(generalizations[name][v] for v in database), k)
        return label([name, tuples]) if shows else label(tuples)

    ranges = {name: tables(classes, k, setting.size) for name, classes in generalizations.items()}
    outputs = union(
        [
            lists([among([name]), published_tables]) if shows else published_tables
            for name, published_tables in ranges.items()
        ]
    )
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


def check_names(outputs: Iterable[Label], names: Sequence[Label], location: Location) -> None:
    """Refuse a chooser that has an output which is no name of a recoding.

    Raises:
        InputError: with the first such output.

    """
    unknown = next((output for output in outputs if output not in names), None)
    if unknown is not None:
        raise InputError(
            f"`choose` can put out {unknown}",
            where=str(location),
            wanted=f"the names of `generalizations` only: {', '.join(name.text for name in names)}",
        )


def always(mechanism: Mechanism) -> Mechanism:
    """The chooser of a k-anonymization that has only one recoding: the same label on every database."""
    alone = Law.point(label("the only recoding"))
    return Mechanism("the only recoding", mechanism.size, mechanism.values, table=lambda _: alone)
