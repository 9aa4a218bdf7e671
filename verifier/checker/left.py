"""Which counts remain possible after what a rule publishes, and how often a hidden one can be worked out.

Everybody is counted independently, with one probability that is neither 0 nor 1. So all counts can come, and counts are
possible after a published output exactly where the rule publishes them so with a positive probability. An answer about
one area has every output. Of several areas it has those with a hidden area, the likeliest first. A hidden count is
given away where all counts that are possible agree in that area.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import comb, prod
from typing import Any

from .cells import Tables, of_tables
from .mechanisms import Mechanism
from .models import Model
from .numbers import (
    BeyondLimits,
    Label,
    Law,
    Rejected,
    Wrong,
    afford_product,
    distinct,
    entries,
    is_list,
    label,
    rational,
    require,
)
from .rules import HIDDEN, TAIL

ONE = Fraction(1)
COUNTED = "yes"
"""The value of the people who are counted."""
Stretch = tuple[int, int, int]
"""An area (0 where there is one), and the first and the last of neighbouring counts that are possible there."""
Case = tuple[Sequence[int], Fraction, Law]
"""How many are counted in each area, how often that is so, and the law of what is published then."""


def verify(answer: Mapping[str, Any], model: Model) -> str:
    """What is confirmed; Rejected where the model leaves other counts, or gives them away with another probability."""
    several = isinstance(answer["people"], list)
    areas = answer["people"] if several else [answer["people"]]
    require(sum(areas) == model.size, f"the areas have {sum(areas)} people, and the model {model.size}")
    chances: dict[Label, Fraction] = defaultdict(Fraction)
    possible: dict[Label, list[set[int]]] = {}
    for counts, chance, law in _cases(areas, model):
        for output, weight in law.counts.items():
            if weight and (not several or True in _hidden(output, len(areas))):
                chances[output] += chance * Fraction(weight, law.total)
                for seen, count in zip(possible.setdefault(output, [set() for _ in areas]), counts, strict=True):
                    seen.add(count)
    found = {output: list(_stretches(output, sets, several)) for output, sets in possible.items()}
    claimed: dict[Label, list[Stretch]] = defaultdict(list)
    for one in answer["left"]:
        claimed[label(one["published"])].append((one.get("area", 0), one["from"], one["to"]))
    for output in {**claimed, **found}:
        if found.get(output) != claimed.get(output) and any(map(_has_tail, (*claimed, *found))):
            raise BeyondLimits(f"tails of noise, such as {output[:60]}")
        require(output in found, f"{output[:60]} is never published with a hidden count")
        require(output in claimed, f"the answer lacks what {output[:60]} leaves")
        require(found[output] == claimed[output], f"{output[:60]} leaves {_words(found[output])}, and not "
                                                  f"{_words(claimed[output])}")  # fmt: skip
    if several:
        for one, after in pairwise(claimed):
            require(chances[one] >= chances[after], f"{after[:60]} is likelier than {one[:60]} before it")
        away = sum((chances[o] for o, sets in possible.items() if _is_given_away(o, sets)), Fraction(0))
        if rational(answer["given_away"], "given_away") != away:
            raise Rejected(f"given_away is {away}, and the answer says {str(answer['given_away'])[:60]}")
    return f"what {len(found)} published outputs leave"


def _cases(areas: Sequence[int], model: Model) -> Iterator[Case]:
    """All that can be counted, where an area may be hidden; of a mechanism without tables, on each possible database.

    The chances of one area are left out, since nothing is said of them.
    """
    ends = list(accumulate(areas))
    mechanism = model.mechanism
    if mechanism.name != "tables":
        (prior,) = model.priors().values()
        for database, chance in prior.items():
            each = [database[end - n : end].count(COUNTED) for n, end in zip(areas, ends, strict=True)]
            yield each, chance, mechanism.law(database)
        return
    tables = of_tables(mechanism)
    inner = [n for n, cell in enumerate(tables.cells) if not cell.margin]
    groups = [frozenset(range(end - n, end)) for n, end in zip(areas, ends, strict=True)]
    if [tables.cells[n].people for n in inner] != groups or len(tables.tables) != 1:
        raise Wrong("the cells are not one table of these areas")
    if any(tables.cells[n].values != {COUNTED} for n in inner):
        raise Wrong(f"the cells count other values than {COUNTED}")
    places = [part for n in inner for part in tables.of_cell[n]]
    require(sorted(places) == list(range(len(tables.parts))), "a cell has people who are counted in another")
    p, several = _probability(model), len(areas) > 1
    if several and not _may_hide(tables, mechanism, max(areas)):
        return
    afford_product([n + 1 for n in areas], "the counts of all areas")
    chances = [[comb(n, c) * p**c * (1 - p) ** (n - c) if several else ONE for c in range(n + 1)] for n in areas]
    for counts in product(*(range(n + 1) for n in areas)):
        at = distinct(zip(places, counts, strict=True))
        chance = prod((row[c] for row, c in zip(chances, counts, strict=True)), start=ONE)
        yield counts, chance, tables.law(mechanism, tuple(at[k] for k in range(len(places))))


def _may_hide(tables: Tables, mechanism: Mechanism, most: int) -> bool:
    """Whether an area can be hidden: by the steps on its count, or by what the table says of hidden cells."""
    by_table = {"secondary", "remainder"} & set(tables.tables[0].spec)
    return bool(by_table) or any(HIDDEN in mechanism.of_count(c).counts for c in range(most + 1))


def _probability(model: Model) -> Fraction:
    """The probability with which each person is counted."""
    shapes = model.raw.get("distribution", [])
    if len(shapes) != 1 or "iid" not in shapes[0]:
        raise Wrong("the people are not independent and alike", expected="one distribution, iid")
    law = model.home.values_law(shapes[0]["iid"])
    p = Fraction(law.counts.get(COUNTED, 0), law.total)
    require(0 < p < 1, f"everybody is counted with probability {p}")
    return p


def _hidden(output: Label, areas: int) -> list[bool]:
    """Whether each area is hidden in a published list, whose first entries are the areas."""
    shown = entries(output) if is_list(output) else [output]
    return [one == HIDDEN for one in shown[:areas]]


def _stretches(output: Label, sets: Sequence[set[int]], several: bool) -> Iterator[Stretch]:
    """The counts that are possible, in stretches of neighbours: of one area, or of each hidden one of several."""
    for area, (seen, hidden) in enumerate(zip(sets, _hidden(output, len(sets)), strict=True), 1):
        if hidden or not several:
            firsts = [c for c in sorted(seen) if c - 1 not in seen]
            lasts = [c for c in sorted(seen) if c + 1 not in seen]
            yield from ((area * several, first, last) for first, last in zip(firsts, lasts, strict=True))


def _is_given_away(output: Label, sets: Sequence[set[int]]) -> bool:
    return any(hidden and len(seen) == 1 for seen, hidden in zip(sets, _hidden(output, len(sets)), strict=True))


def _has_tail(output: Label) -> bool:
    return any(TAIL.fullmatch(one) for one in (entries(output) if is_list(output) else [output]))


def _words(stretches: Sequence[Stretch]) -> str:
    return ", ".join(f"{first} to {last}{f' in area {area}' if area else ''}" for area, first, last in stretches)
