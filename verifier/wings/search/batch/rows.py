"""The rows that a definition of DP22's scheme compares in all models of a shape, listed once.

A builder looks at θ and `[policy]`, never at the mechanism. So it is asked on one model in which every world (D, B̂) is
possible, world number k with the weight 2^k. A law that it lists is a sum of different worlds, and its weight on each
database says which ones. In a model where some worlds are impossible, a row is compared if both laws have a positive
mass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import NamedTuple

from verifier.definitions import Definition, find
from verifier.definitions.builders.events import Adversaries, Distributions, Secrets
from verifier.definitions.builders.random_pairs import RandomDatabases, RandomPair, RedrawnRecord
from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.resolve import Point
from verifier.definitions.builders.rows import Setting, Weights
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.errors import LimitError, PkdpError
from verifier.model import build
from verifier.model.leaks import LeakLaws
from verifier.tables import Label
from verifier.wings.search.batch.block import Block, Column, ColumnPair, LawColumns, sum_of_columns
from verifier.wings.search.batch.curve import ColumnMeasure, Curve
from verifier.wings.search.batch.number import ColumnNumber, decided_in_integers, measure_of
from verifier.wings.search.candidate import Candidate, output_names
from verifier.wings.search.policies import policy_keys

OF_DATABASES = (Relation, RandomPair, RandomDatabases, RedrawnRecord)
"""Builders whose laws are single databases, whatever θ is."""
OF_WORLDS = (Secrets, Distributions, Adversaries)
"""Builders whose laws are θ given an event."""
AVERAGED = ("hockey-stick", "tail")
"""Measures whose averages are decided in integers."""
TABLES = {"leaked": "leak", "images": "image"}
"""The field of `[policy]` that each view reads."""
MOST_ROWS = 1 << 12
"""Largest number of rows of a definition in a block."""


class Frame(NamedTuple):
    """The common features of the models of a block that a builder looks at."""

    records: int
    values: int
    knowledge: int
    first_only: bool = False
    policy: str = ""

    @staticmethod
    def of(block: Block) -> Frame:
        """The frame of the models of a block."""
        shape = block.shape
        return Frame(shape.records, shape.values, shape.knowledge, block.first_only, block.policy)


class Event(NamedTuple):
    """The event of a law θ given an event: its worlds (number of the database, knowledge value)."""

    worlds: tuple[tuple[int, int], ...]


class ListedRow(NamedTuple):
    """A row: P against Q, which are allowed `scale`·ε."""

    p: Point | Event
    q: Point | Event
    scale: Fraction


class ListedCase(NamedTuple):
    """A case: rows of which the worst counts, and its share of the group."""

    rows: tuple[ListedRow, ...]
    share: Fraction


def scheme_in_blocks(definition: Definition) -> Scheme | None:
    """The scheme of a definition of DP22 that blocks can decide; None for other definitions."""
    scheme = definition.compare
    if not isinstance(scheme, Scheme) or not isinstance(scheme.builder, (*OF_DATABASES, *OF_WORLDS)):
        return None
    averaged = scheme.aggregation == "average" and scheme.measure not in AVERAGED
    if averaged or not decided_in_integers(scheme.measure):
        return None
    return scheme


@dataclass(frozen=True, eq=False)
class Listing:
    """The rows of a definition in all models of a frame, with its measure and the parameters that it reads.

    `table` maps each output to the leak or the image that the attacker sees, where she does not see the outputs alone;
    `gamma` is the share of the cases of a group that may be left out.
    """

    scheme: Scheme
    measure: ColumnMeasure
    groups: tuple[tuple[ListedCase, ...], ...]
    table: dict[Label, Label] | None = None
    gamma: Fraction = Fraction(0)

    @property
    def averages(self) -> bool:
        """Whether the average of the cases of a group is bounded."""
        return self.scheme.aggregation == "average"

    @property
    def leaves_out(self) -> bool:
        """Whether a share of the cases of a group may be left out."""
        return self.scheme.aggregation == "all-but"

    @property
    def names_outputs(self) -> bool:
        """Whether the names of outputs matter, so that a derived mechanism is asked model by model."""
        return self.table is not None or self.measure.names_outputs

    @cached_property
    def rows(self) -> tuple[ListedRow, ...]:
        """All rows, each once."""
        return tuple(dict.fromkeys(row for group in self.groups for case in group for row in case.rows))

    @cached_property
    def scales(self) -> set[Fraction]:
        """The multiples of ε that are allowed."""
        return {row.scale for row in self.rows}

    @property
    def of_databases(self) -> bool:
        """Whether all laws are of single databases."""
        return not isinstance(self.scheme.builder, OF_WORLDS)

    @cached_property
    def shares(self) -> int:
        """The least common denominator of the shares of cases."""
        return lcm(*(case.share.denominator for group in self.groups for case in group))

    def decides(self, outputs: int) -> bool:
        """Whether blocks decide the definition for mechanisms with so many outputs."""
        if self.table is not None and any(name not in self._seen for name in output_names(outputs)):
            return False
        return self.measure.decides(outputs, self.scales, of_databases=self.of_databases)

    def tells_epsilon(self, t: int) -> bool:
        """Whether the smallest ε is that of the worst pair of laws, and is the logarithm of a fraction."""
        number = isinstance(self.measure, ColumnNumber) and self.measure.logarithmic and self.measure.power(t) == 1
        single = self.scales <= {Fraction(1)} and self.scheme.aggregation == "worst"
        return single and (number or isinstance(self.measure, Curve))

    def row_total(self, block: Block) -> int:
        """The factor t of the laws: their weights sum to t times their total."""
        return 1 if self.scheme.view == "leaked" else block.row_total

    def pairs(self, block: Block) -> Iterator[ColumnPair]:
        """The pairs of laws that are compared; equal rows give them once."""
        for row in self.rows:
            yield from self.seen(block, row)

    def seen(self, block: Block, row: ListedRow) -> Iterator[ColumnPair]:
        """The pairs of laws of a row, as the attacker sees them."""
        first, second = _law(block, row.p), _law(block, row.q)
        where = None if isinstance(row.p, Point) else (first.total > 0) & (second.total > 0)
        if self.table is None:
            yield ColumnPair(first, second, where, row.scale)
            return
        classes = self._classes(block.shape.outputs)
        if self.scheme.view == "images":
            p, q = (LawColumns(tuple(map(sum_of_columns, _parts(law, classes))), law.total) for law in (first, second))
            yield ColumnPair(p, q, where, row.scale)
            return
        for p_part, q_part in zip(_parts(first, classes), _parts(second, classes), strict=True):
            yield ColumnPair.of_posteriors(tuple(p_part), tuple(q_part), where, row.scale)

    @cached_property
    def _seen(self) -> dict[str, int]:
        """The number of the leak or image of each output, by the name of the output."""
        numbers: dict[Label, int] = {}
        return {name.text: numbers.setdefault(seen, len(numbers)) for name, seen in (self.table or {}).items()}

    def _classes(self, outputs: int) -> tuple[int, ...]:
        """The numbers of the leaks or images of the outputs, in their order."""
        return tuple(self._seen[name] for name in output_names(outputs))


def _parts(law: LawColumns, classes: Sequence[int]) -> list[list[Column]]:
    """The weights of the outputs of each class."""
    return [[w for w, k in zip(law.weights, classes, strict=True) if k == part] for part in dict.fromkeys(classes)]


def _law(block: Block, name: Point | Event) -> LawColumns:
    """The law of outputs of a name, made once for a block."""
    if isinstance(name, Point):
        return block.memo(name, lambda: block.at(name.database))
    return block.memo(("event", name), lambda: _given(block, name))


def _given(block: Block, event: Event) -> LawColumns:
    total = sum_of_columns([block.law[d][k] for d, k in event.worlds])
    return LawColumns(block.pushed((d, k, d) for d, k in event.worlds), total)


def listing(frame: Frame, key: str, reading: str = "default") -> Listing | None:
    """The listing of a definition in the models of a frame; None where the models are decided one by one."""
    definition = find(key)
    scheme = scheme_in_blocks(definition)
    if scheme is None or reading not in definition.readings:
        return None
    return _listed(frame, scheme, definition.key, reading)


@lru_cache(maxsize=1 << 10)
def _listed(frame: Frame, scheme: Scheme, key: str, reading: str) -> Listing | None:
    """The listing of a scheme; the key names it in errors alone."""
    try:
        model = build(**_every_world(frame).keys(), **policy_keys(frame.policy))
        setting = Setting(key, model, Engine(model), reading)
        measure = measure_of(scheme, setting)
        if measure is None:
            return None
        table = TABLES.get(scheme.view)
        if table and isinstance(setting.need(table), LeakLaws):  # a table of one mechanism
            return None
        return Listing(
            scheme,
            measure,
            tuple(_groups(setting, scheme, frame)),
            None if table is None else dict(setting.need(table)),
            setting.need("gamma") if scheme.aggregation == "all-but" else Fraction(0),
        )
    except PkdpError:  # one by one, each model says why
        return None


def _every_world(frame: Frame) -> Candidate:
    """The model in which world number k has the weight 2^k."""
    databases = frame.values**frame.records
    worlds = databases * frame.knowledge
    law = tuple(1 << k for k in range(worlds))
    sizes = frame.records, frame.values, 1, frame.knowledge
    return Candidate(*sizes, sum(law), 1, law, ((1,),) * databases, frame.first_only)


def _groups(setting: Setting, scheme: Scheme, frame: Frame) -> Iterator[tuple[ListedCase, ...]]:
    name: Callable[[Weights], Point | Event] = _point
    if isinstance(scheme.builder, OF_WORLDS):

        def name(weights: Weights) -> Event:
            return _event(weights, frame)

    rows = 0
    for group in scheme.builder(setting):
        cases = []
        for case in group.cases:
            cases.append(ListedCase(tuple(ListedRow(name(r.p), name(r.q), r.scale) for r in case.rows), case.share))
            rows += len(case.rows)
            if rows > MOST_ROWS:
                raise LimitError(f"{setting.key} compares more than {MOST_ROWS:,} pairs of laws")
        if cases:
            yield tuple(cases)


def _point(weights: Weights) -> Point:
    ((database, _),) = weights
    return Point(database)


def _event(weights: Weights, frame: Frame) -> Event:
    worlds: list[tuple[int, int]] = []
    for database, mass in weights:
        number = sum(v * frame.values ** (frame.records - 1 - i) for i, v in enumerate(database))
        known = range(frame.knowledge)
        worlds += [(number, k) for k in known if mass >> (number * frame.knowledge + k) & 1]
    return Event(tuple(sorted(worlds)))
