"""Outputs that are noisy numbers, as finitely many outcomes without loss.

A number that is returned with its noise has infinitely many values. Beyond the last place at which the laws that are
compared change their form, a tail may be one outcome, `"< 0"` or `"> 7"`, if in each law it is a single term c·bⁿ with
one b: then the likelihood ratio of any two laws is constant there. So the laws of all databases are needed at once.
A tail with several terms, as of a number that was compared with another noise before, is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, product
from math import prod
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.programs.draws import is_infinite
from verifier.programs.noise import Noise, Term, Weight
from verifier.programs.noisy_number import NoiseKey, noise_keys, settled, with_keys
from verifier.programs.paths import StateWeight
from verifier.programs.piecewise import Element, Piecewise
from verifier.programs.syntax import Function, Source
from verifier.programs.values import Frozen
from verifier.tables.law import half_line

Returned: TypeAlias = Mapping[Frozen, StateWeight]
"""What a program returns on a database, with weights, as keys."""
CLAMP = "clamp the number before you return it: min(max(x, -10), 10)"
MOST_CELLS = 1 << 18
"""Most outcomes of one law."""
MOST_APART = 1 << 12
"""Most outputs of one law in which numbers that were compared with each other stand by their values."""


@dataclass(frozen=True)
class Range:
    """The integers that are outcomes of their own, and whether there is a tail at each end."""

    low: int
    high: int
    below: bool
    above: bool

    @property
    def cells(self) -> int:
        """How many outcomes there are."""
        return self.high - self.low + 1 + self.below + self.above

    def parts(self, function: Piecewise) -> list[Element]:
        """The weight of each outcome: the tail below, the integers, the tail above."""
        below = [function.between(None, self.low - 1).total()] if self.below else []
        above = [function.between(self.high + 1, None).total()] if self.above else []
        return [*below, *map(function.at, range(self.low, self.high + 1)), *above]

    def shown(self, number: NoiseKey) -> list[object]:
        """The outcomes of a number with this noise, as values of the program."""
        shift = int(number.shift)
        below = [half_line("<", self.low + shift).text] if self.below else []
        above = [half_line(">", self.high + shift).text] if self.above else []
        return [*below, *(k + shift for k in range(self.low, self.high + 1)), *above]


def by_values(returned: Returned, where: str) -> Returned:
    """The same law, where a number that was compared with another one that is returned is each of its values.

    So it is for numbers between two ends, such as those that are clamped; the others stay as they are.

    Raises:
        LimitError: for more than `MOST_APART` outputs.

    """
    law: dict[Frozen, StateWeight] = {}
    waiting = [*returned.items()]
    while waiting:
        key, weight = waiting.pop()
        noise = _compared_with_ends(weight) if isinstance(weight, Weight) else None
        if noise is None or not isinstance(weight, Weight):
            law[key] = law[key] + weight if key in law else weight
            continue
        values = weight.spans(noise) or []
        if len(law) + len(waiting) + sum(map(len, values)) > MOST_APART:
            raise LimitError(
                "the noisy numbers that were compared have too many values together",
                where=where,
                wanted=f"at most {MOST_APART:,}",
                tip=CLAMP,
            )
        for value in chain(*values):
            met = weight.where([(noise, None, value), (None, noise, -value)])
            waiting += [settled(key, met)] if met else []
    return law


def _compared_with_ends(weight: Weight) -> Noise | None:
    """The first noise between two ends that is compared with another one."""
    compared = {noise for term in weight.terms for edge in term.edges for noise in edge}
    return next((noise for noise in sorted(compared) if weight.spans(noise) is not None), None)


class Outcomes:
    """The ranges of the noises in the outputs of all laws that are compared; `named` integers are kept apart."""

    def __init__(self, laws: Iterable[Returned], named: Collection[int], where: str) -> None:
        self.where = where
        self.tails: set[str] = set()
        functions: dict[Frozen, list[Mapping[Noise, Piecewise]]] = {}
        keys: dict[Frozen, None] = {}
        for law in laws:
            for key, weight in law.items():
                keys[key] = None
                if isinstance(weight, Weight):
                    functions.setdefault(key, []).extend(term.functions for term in self._terms(key, weight))
        self._ranges: dict[Frozen, list[Range]] = {}
        for key, found in functions.items():
            apart = [{*named} for _ in found[0]]
            for number, other in (pair for one in keys if one != key for pair in _meetings(key, one) or ()):
                if isinstance(other, NoiseKey):
                    raise UnsupportedError(
                        "outputs of two forms have noisy numbers at one place", where=where, tip=CLAMP
                    )
                apart[number.noise].add(other - int(number.shift))  # a known output that is one of its values
            ranges = [self._range([each[noise] for each in found], apart[noise]) for noise in sorted(found[0])]
            if prod(one.cells for one in ranges) > MOST_CELLS:
                raise LimitError("the noisy numbers have too many values together", where=where, tip=CLAMP)
            self._ranges[key] = ranges
            for number in noise_keys(key):
                shown = ranges[number.noise].shown(number)
                self.tails.update(text for text in shown if isinstance(text, str))

    def _terms(self, key: Frozen, weight: Weight) -> Sequence[Term]:
        """The terms of an output, whose noises must not hang together."""
        if any(term.edges for term in weight.terms):
            raise UnsupportedError(
                "two noisy numbers that were compared with each other are returned together",
                where=self.where,
                tip=CLAMP,
            )
        for number in noise_keys(key):
            if number.sign < 0 or not isinstance(number.shift, int):
                problem = (
                    "a noise is returned twice, with two signs" if number.sign < 0 else "a noisy fraction is returned"
                )
                raise UnsupportedError(f"{problem}{_drawn(number)}", where=self.where, tip=CLAMP)
        return weight.terms

    def _range(self, functions: Sequence[Piecewise], named: Collection[int]) -> Range:
        """The range of one noise: from the first to the last integer at which a function changes its form."""
        below = any(f.low is None for f in functions)
        above = any(f.high is None for f in functions)
        lows = [end for f in functions for end in (f.pieces[0].low, f.pieces[0].high) if end is not None]
        highs = [end for f in functions for end in (f.pieces[-1].high, f.pieces[-1].low) if end is not None]
        first = [f.pieces[0].high + 1 for f in functions if f.low is None and f.pieces[0].high is not None]
        last = [f.pieces[-1].low for f in functions if f.high is None and f.pieces[-1].low is not None]
        low = min([*(first or lows), *(f.low for f in functions if f.low is not None), *named], default=0)
        high = max([*(last or highs), *(f.high for f in functions if f.high is not None), *named], default=0)
        for tail in (0, -1):
            kinds = {
                base_and_exponent
                for f in functions
                if (f.pieces[tail].low if tail == 0 else f.pieces[tail].high) is None
                for base_and_exponent in f.pieces[tail].terms
            }
            if len(kinds) > 1 or any(exponent for _, exponent in kinds):
                raise UnsupportedError(
                    "a noisy number is returned that was compared with another noise, or has another ratio elsewhere: "
                    "its tail is not a single geometric series",
                    where=self.where,
                    wanted="a number with noise of its own",
                    tip=f"draw fresh noise for what you return, or {CLAMP}",
                )
        return Range(low, high, below, above)

    def law(self, returned: Returned) -> list[tuple[Frozen, Element]]:
        """The outcomes of one law, as keys with their weights."""
        law: list[tuple[Frozen, Element]] = []
        for key, weight in returned.items():
            if not isinstance(weight, Weight):
                self._refuse_alike(key)
                law.append((key, weight))
                continue
            ranges = self._ranges[key]
            self._refuse_alike(key)
            parts = [[one.parts(term.functions[noise]) for noise, one in enumerate(ranges)] for term in weight.terms]
            for cell in product(*(range(one.cells) for one in ranges)):
                chance: Element = Fraction(0)
                for term, of_noise in zip(weight.terms, parts, strict=True):
                    chance += prod((of_noise[noise][at] for noise, at in enumerate(cell)), start=term.factor)
                law.append((with_keys(key, partial(_outcome, ranges, cell)), chance))
        return law

    def _refuse_alike(self, key: Any) -> None:
        """Refuse a text of the program that reads as a tail."""
        if isinstance(key, tuple):
            for part in key:
                self._refuse_alike(part)
        elif isinstance(key, str) and key in self.tails:
            raise InputError(f'the output "{key}" is also a tail of the noise', where=self.where, wanted="another text")


def _outcome(ranges: Sequence[Range], cell: Sequence[int], number: NoiseKey) -> object:
    """What a noisy number is in one cell of the values of all noises."""
    return ranges[number.noise].shown(number)[cell[number.noise]]


def _meetings(noisy: Any, other: Any) -> list[tuple[NoiseKey, int | NoiseKey]] | None:
    """What stands in another output where one has noisy numbers, as pairs; None if the two are never equal."""
    if isinstance(noisy, NoiseKey):
        return [(noisy, other)] if isinstance(other, int | NoiseKey) else []
    if isinstance(other, NoiseKey):
        return [] if isinstance(noisy, int) else None
    if not isinstance(noisy, tuple) or not isinstance(other, tuple):
        return [] if noisy == other else None
    if len(noisy) != len(other):
        return None
    found = [_meetings(one, two) for one, two in zip(noisy, other, strict=True)]
    return None if None in found else [pair for pairs in found for pair in pairs or ()]


def _drawn(number: NoiseKey) -> str:
    return f" (drawn on {number.drawn})" if number.drawn else ""


# --- may a program return a noisy number? ----------------------------------------------------------------------------


def _named(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call that have names."""
    return {str(one.arg): one.value for one in call.keywords}


KNOWING = frozenset({"len", "any", "all", "bool", "range"})
"""Functions whose results are known."""


def may_return_noise(source: Source) -> bool:
    """Whether some output may be a noisy number, as far as the text shows: no run returns one where this is false."""
    for draw in source.seen:
        if isinstance(draw.func, ast.Attribute) and is_infinite(draw.func.attr, draw.args, _named(draw)):
            return True
    noisy: dict[str, bool] = {}
    for name, function in source.functions.items():
        noisy[name] = _Noisy(function, noisy).returned
    return noisy[source.main.name]


class _Noisy:
    """The variables of a function that may be noisy, or have a noisy entry, wherever they are assigned."""

    def __init__(self, function: Function, functions: Mapping[str, bool]) -> None:
        self.function, self.functions = function, functions
        self.names = set[str]()
        self.returned = False
        before = -1
        while len(self.names) > before:
            before = len(self.names)
            for node in ast.walk(function.node):
                self._note(node)

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Return(value=ast.expr() as value):
                self.returned = self.returned or self.noisy(value)
            case ast.Assign(targets=targets, value=value) if self.noisy(value):
                for target in targets:
                    self._assign(target)
            case ast.AugAssign(target=target, value=value) if self.noisy(value):
                self._assign(target)
            case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
                if self.noisy(items):
                    self._assign(target)
            case ast.Call(func=ast.Attribute(value=owner), args=arguments) if any(map(self.noisy, arguments)):
                self._assign(owner)

    def _assign(self, target: ast.AST) -> None:
        self.names |= {inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name)}

    def noisy(self, node: ast.AST) -> bool:
        """Whether the value of an expression may be noisy."""
        match node:
            case ast.Compare() | ast.Lambda() | ast.Constant() | ast.UnaryOp(op=ast.Not()):
                return False
            case ast.Name(id=name):
                return name in self.names
            case ast.BinOp(op=ast.Mod()):
                return False
            case ast.IfExp(body=body, orelse=orelse):
                return self.noisy(body) or self.noisy(orelse)
            case ast.Subscript(value=value):
                return self.noisy(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=arguments):
                if owner in self.function.generators:
                    return is_infinite(name, arguments, _named(node)) or any(map(self.noisy, arguments))
                return name not in ("count", "index") and (owner in self.names or any(map(self.noisy, arguments)))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                if name in KNOWING:
                    return False
                return self.functions.get(name, False) or any(
                    map(self.noisy, arguments)
                )  # a helper may return what it gets
        return any(map(self.noisy, ast.iter_child_nodes(node)))
