"""Mechanisms that see a database as a multiset: reports that are shuffled, and what is checked to be symmetric.

The law depends on the histogram of the database alone. So it is a statistic whose sum is a list of counts, of reports
or of values, and many records need no table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import lcm

from verifier.model.kinds import KindSetting, added_counts, mechanism, unit
from verifier.model.mechanism import Draw, Element, Mechanism, Range, Statistic, among
from verifier.tables import Label, Law, in_order, label


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
