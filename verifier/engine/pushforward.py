"""The pushforward of a law of sums through a mechanism: which totals have outputs of their own, which share one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from verifier.profile import Edges, Window
from verifier.profile.shared import Stretch, aligned
from verifier.tables import Integer, Label, Law, SumLaw, gathered, label
from verifier.tables.law import half_line

Span: TypeAlias = tuple[int, int]
"""Keys of totals, from the first to the last, both included."""


class Plan:
    """The map from totals, by their keys, to the outputs of a mechanism that is deterministic but for noise at its end.

    `output` has the label of every total before the noise, in increasing order of keys. `apart` are the spans whose
    totals have an output of their own; `lumps` has, for each output that several totals share, their spans. With
    `noise` no two totals share an output, and two-sided geometric noise with this p is added.
    """

    def __init__(self, outputs: Mapping[int, Label], noise: Fraction | None, law: Callable[[int], Law]) -> None:
        self.output, self.noise, self.law = outputs, noise, law
        self._pairs: dict[tuple[int, int], tuple[SumLaw, SumLaw, Edges]] = {}
        times = Counter(outputs.values())
        lump = {name: k for k, name in enumerate(name for name, number in times.items() if number > 1)}
        spans: list[tuple[int | None, int, int]] = []
        for total, name in outputs.items():
            which = lump.get(name)
            if spans and spans[-1][0] == which:
                spans[-1] = which, spans[-1][1], total
            else:
                spans.append((which, total, total))
        self.names = list(lump)
        self.apart: list[Span] = [(low, high) for which, low, high in spans if which is None]
        self.lumps: list[list[Span]] = [[] for _ in lump]
        for which, low, high in spans:
            if which is not None:
                self.lumps[which].append((low, high))

    def edges(self, first: SumLaw, second: SumLaw) -> Edges:
        """The outcomes of two laws of totals, after noise; made once for all knowledge values that share the laws."""
        key = id(first), id(second)
        if key not in self._pairs:
            edges = Edges.between(first, second) if self.noise is None else noisy(first, second, self.noise)
            self._pairs[key] = first, second, edges
        return self._pairs[key][2]

    def window(self, first: SumLaw, second: SumLaw, shift: int) -> tuple[Window, tuple[int, ...]]:
        """The two laws of the outputs where `shift` is added to both totals, and which of `lumps` they have."""
        edges = self.edges(first, second)
        if self.noise is not None:
            return Window(edges, (edges.stretch(edges.keys[0], edges.keys[-1]),)), ()
        apart = [edges.stretch(low - shift, high - shift) for low, high in self.apart]
        lumps: list[tuple[Stretch, ...]] = []
        which = []
        for k, spans in enumerate(self.lumps):
            stretches = [edges.stretch(low - shift, high - shift) for low, high in spans]
            if any(i < j for i, j in stretches):
                lumps.append(tuple(stretch for stretch in stretches if stretch[0] < stretch[1]))
                which.append(k)
        return Window(edges, tuple(stretch for stretch in apart if stretch[0] < stretch[1]), tuple(lumps)), tuple(which)

    def name(self, edges: Edges, position: int, shift: int) -> Label:
        """The label of the outcome at a position of the edges, where `shift` is added to the totals."""
        key = edges.keys[position] + shift
        if self.noise is None:
            return self.output[key]
        if 0 < position < len(edges.keys) - 1:
            return label(self.number(key))
        return half_line("<", self.number(key + 1)) if position == 0 else half_line(">", self.number(key - 1))

    def outcomes(self, edges: Edges, position: int, shift: int) -> tuple[Label, ...]:
        """The outputs of the mechanism that the outcome at a position stands for.

        It is one output, but for the two tails of noise: these may reach into the mechanism's own range of integers.
        """
        if self.noise is None or 0 < position < len(edges.keys) - 1:
            return (self.name(edges, position, shift),)
        key = self.number(edges.keys[position] + shift)
        low, high = self.number(self.apart[0][0]), self.number(self.apart[-1][1])
        if position == 0:
            return half_line("<", low), *(label(k) for k in range(low, key + 1))
        return *(label(k) for k in range(key, high + 1)), half_line(">", high)

    def number(self, key: int) -> int:
        """The integer that the mechanism gives before noise for a total with this key."""
        return key + self.offset

    @cached_property
    def offset(self) -> int:
        """The constant `offset` for which the integer of a total is key + offset."""
        low = self.apart[0][0]
        return int(self.output[low].text) - low


def spread(weighted_laws: Iterable[tuple[Integer, Law]]) -> dict[Label, int]:
    """The integer weights of the mixture of laws with integer weights, over the common denominator of the laws."""
    images = [(int(weight), law) for weight, law in weighted_laws]
    shared = lcm(*(law.denominator for _, law in images))
    scaled = ((law, weight * (shared // law.denominator)) for weight, law in images)
    return gathered((outcome, scale * part) for law, scale in scaled for outcome, part in law.items())


@dataclass(frozen=True, eq=False)
class Pushforward:
    """The law of outputs M(X + shift), where `law` is the law of X and `plan` maps totals to outputs."""

    law: SumLaw
    shift: int
    plan: Plan

    @cached_property
    def weights(self) -> dict[Label, Integer]:
        """The integer weight of each output."""
        if self.plan.noise is not None:
            return spread((weight, self.plan.law(key + self.shift)) for key, weight in self.law.items())
        weights: dict[Label, int] = {}
        for key, weight in self.law.items():
            name = self.plan.output[key + self.shift]
            weights[name] = weights.get(name, 0) + int(weight)
        return weights


def noisy(first: SumLaw, second: SumLaw, p: Fraction) -> Edges:
    """Two laws on integers after two-sided geometric noise (DMKB20, Definition 19), the tails beyond both laws lumped.

    Beyond the keys of both laws P/Q is constant, so that each tail is one outcome: the first and the last key.
    """
    from flint import fmpz, fmpz_poly

    keys, *weights = aligned(first, second)
    low, high = keys[0], keys[-1]
    width, a, c = high - low, p.numerator, p.denominator
    power = [fmpz(a) ** k * fmpz(c) ** (width - k) for k in range(width + 1)]
    spread = fmpz_poly([*power[:0:-1], *power])  # the coefficient of x^(k + width) belongs to the noise k
    laws = []
    for law_weights in weights:
        dense = [fmpz()] * (width + 1)
        for key, weight in zip(keys, law_weights, strict=True):
            dense[key - low] = fmpz(weight)
        drawn = fmpz_poly(dense) * spread
        below = c * sum(weight * power[k] for k, weight in enumerate(dense)) * a
        above = c * sum(weight * power[width - k] for k, weight in enumerate(dense)) * a
        # over (c + a)·c^(width + 1): P[X = k] = (c - a)·c·power[|k|], P[X < -k] = P[X > k] = a·c·power[k]
        inside = [(c - a) * c * drawn[k + width] for k in range(width + 1)]
        laws.append([below, *inside, above])
    denominators = [law.total * (c + a) * fmpz(c) ** (width + 1) for law in (first, second)]
    spots = range(low - 1, high + 2)
    return Edges.between(
        SumLaw(spots, laws[0]) if sum(laws[0]) == denominators[0] else _wrong(),
        SumLaw(spots, laws[1]) if sum(laws[1]) == denominators[1] else _wrong(),
    )


def _wrong() -> SumLaw:
    raise ArithmeticError("the noise does not add up to 1")
