"""Views: from a row, two laws on databases, to two laws of what the attacker sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from verifier.definitions.builders.rows import MOST_KEPT, Row, Setting, Weights
from verifier.definitions.comparison import MeasurePair
from verifier.definitions.verdict import Compared, TwoLaws
from verifier.errors import UnsupportedError
from verifier.model import Database
from verifier.model.leaks import LeakLaws
from verifier.numbers import Symbolic, lowest
from verifier.tables import Label, gathered, grouped, in_order

SeenLaw: TypeAlias = Mapping[Label, int]
"""A law of what the attacker sees, as integer weights up to their total."""


class Arranged(dict[Label, int]):
    """A law of what the attacker sees, with what each pair of it needs: its outputs in order, and their weights."""

    @cached_property
    def outputs(self) -> tuple[Label, ...]:
        """The outputs in order."""
        return tuple(in_order(self))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """How the outputs are spelled, in order."""
        return tuple(repr(output.shown) for output in self.outputs)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weights of the outputs, in order."""
        return tuple(self[output] for output in self.outputs)

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return _total(tuple(self.values()))


class View(NamedTuple):
    """Two laws of what the attacker sees, with words that stand beside them."""

    pair: MeasurePair
    words: str = ""
    compared: Compared | None = None
    """The comparison in words, where the row does not name it."""
    laws: TwoLaws | None = None
    """The two laws as data, where the row does not name them."""
    leak: Label | None = None
    """What has leaked of the output."""
    image: bool | None = None
    """Whether the image of the output is seen."""
    group: tuple[int, ...] | None = None
    """The clients that see the output."""
    event: tuple[Label, ...] | None = None
    """The set of outputs whose chances are compared, database by database."""


def law_of(setting: Setting, weights: Weights) -> SeenLaw:
    """The law of outputs Σ p(D)·M(D) of a law p on databases, up to its total; each is made once."""
    return setting.engine.memo(("seen", weights), lambda: _mixed(setting, weights))


def _mixed(setting: Setting, weights: Weights) -> SeenLaw:
    laws = [(setting.model.mechanism.law(database), weight) for database, weight in weights]
    shared = lcm(*(law.denominator for law, _ in laws))
    scaled = ((law, weight * (shared // law.denominator)) for law, weight in laws)  # a weight may be a function of θ
    total = gathered((output, scale * mass) for law, scale in scaled for output, mass in law.items())
    masses = lowest(tuple(total.values()))
    if any(isinstance(mass, Symbolic) for mass in masses):  # equal functions are one object: they compare fast
        known: dict[int, int] = setting.engine.memo("functions that are seen", dict)
        masses = tuple(known.setdefault(mass, mass) for mass in masses)
    return Arranged(zip(total, masses, strict=True))


def pair_of(first: SeenLaw, second: SeenLaw, totals: tuple[int, int] | None = None) -> MeasurePair:
    """P against Q over one denominator; `totals` are needed where the weights are not of all outputs."""
    if totals is None and isinstance(first, Arranged) and isinstance(second, Arranged):
        return _arranged_pair(first, second)
    p_total, q_total = totals or (_total(tuple(first.values())), _total(tuple(second.values())))
    outputs = tuple(in_order({**first, **second}))
    p, q = (tuple(law.get(o, 0) * by for o in outputs) for law, by in ((first, q_total), (second, p_total)))
    return _pair(outputs, tuple(repr(o.shown) for o in outputs), p, q, p_total * q_total)


def _arranged_pair(first: Arranged, second: Arranged) -> MeasurePair:
    """The same of two laws whose outputs are in order already, where they have the same ones."""
    p_total, q_total = first.total, second.total
    if first.outputs != second.outputs:
        return pair_of(first, second, (p_total, q_total))
    p, q = (
        law.weights if by == 1 else tuple(weight * by for weight in law.weights)
        for law, by in ((first, q_total), (second, p_total))
    )
    return _pair(first.outputs, first.shown, p, q, p_total * q_total)


def _total(weights: tuple[int, ...]) -> int:
    """The sum of the weights of a law; functions of a parameter are summed once, and their sum may be the number 1."""
    return _sum_of_functions(weights) if any(isinstance(weight, Symbolic) for weight in weights) else sum(weights)


@lru_cache(maxsize=1 << 14)
def _sum_of_functions(weights: tuple[Any, ...]) -> Any:
    total = sum(weights)
    return 1 if total == 1 else total


@lru_cache(maxsize=1 << 14)
def _pair(
    outputs: tuple[Label, ...],
    shown: tuple[str, ...],  # noqa: ARG001 - a part of the key: equal labels of two files may be spelled otherwise
    p: tuple[int, ...],
    q: tuple[int, ...],
    total: int,
) -> MeasurePair:
    return MeasurePair(None, outputs, p, q, total=total)


Look: TypeAlias = Callable[[Row], Iterator[View]]
"""Yields the views of a row."""


def outputs(setting: Setting) -> Look:
    """Look at the two laws of outputs."""
    kept: dict[tuple[Weights, Weights], View] = setting.engine.memo("views of outputs", dict)

    def look(row: Row) -> Iterator[View]:
        key = row.p, row.q
        view = kept.get(key) or View(pair_of(law_of(setting, row.p), law_of(setting, row.q)))
        if len(kept) < MOST_KEPT:
            kept[key] = view
        yield view

    return look


def leaked(setting: Setting) -> Look:
    """Look at the two laws of outputs given what leaks of them, for each leak that both can produce (BLDP)."""
    leaking = _leaking(setting)

    def look(row: Row) -> Iterator[View]:
        first, second = (leaking(weights) for weights in (row.p, row.q))
        for leak in in_order(first):
            if leak in second:
                yield View(pair_of(first[leak], second[leak]), f"given the leak {leak}", leak=leak)

    return look


def _leaking(setting: Setting) -> Callable[[Weights], dict[Label, dict[Label, int]]]:
    """Return the law of outputs and leaks Σ p(D)·P[M(D) = o, P(D) = l], up to its total, as the weights of o by l."""
    given = setting.need("leak")
    if isinstance(given, LeakLaws):
        return lambda weights: _jointly(setting, given, weights)
    leaks = _on_outputs(setting, "leak")
    return lambda weights: grouped((leaks(output), output, mass) for output, mass in law_of(setting, weights).items())


def _jointly(setting: Setting, given: LeakLaws, weights: Weights) -> dict[Label, dict[Label, int]]:
    laws = [(given.law(database, setting.model.values), weight) for database, weight in weights]
    if any(
        law.other(setting.model.mechanism.law(d)) is not None for (law, _), (d, _) in zip(laws, weights, strict=True)
    ):
        raise UnsupportedError("[policy] leak has the outputs of another mechanism than this one")
    shared = lcm(*(law.denominator for law, _ in laws))
    scaled = ((law, weight * (shared // law.denominator)) for law, weight in laws)  # a weight may be a function of θ
    return grouped((leak, output, scale * mass) for law, scale in scaled for output, leak, mass in law.rows)


def images(setting: Setting) -> Look:
    """Look at the two laws of the images of the outputs under a function of the file (SubDP)."""
    image = _on_outputs(setting, "image")

    def look(row: Row) -> Iterator[View]:
        first, second = (
            gathered((image(output), mass) for output, mass in law_of(setting, weights).items())
            for weights in (row.p, row.q)
        )
        yield View(pair_of(first, second), image=True)

    return look


def _on_outputs(setting: Setting, name: str) -> Callable[[Label], Label]:
    table: Mapping[Label, Label] = dict(setting.need(name))

    def of(output: Label) -> Label:
        if output not in table:
            raise UnsupportedError(f"[policy] {name} has no entry for the output {output}")
        return table[output]

    return of


VIEWS: dict[str, Callable[[Setting], Look]] = {
    "outputs": outputs,
    "leaked": leaked,
    "images": images,
}
"""Views by their names in entries; each reads the field of `[policy]` that it needs before it looks at a row."""


def databases_in(row: Row) -> tuple[Database, Database] | None:
    """The two databases, where both laws are of one database."""
    if len(row.p) == len(row.q) == 1:
        return row.p[0][0], row.q[0][0]
    return None
