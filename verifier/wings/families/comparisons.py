"""The comparisons of a definition, with every probability as a function of the parameter.

The file is read with its expressions as elements of another ring, the rational functions of the parameter. The
definitions then compare sums of products of entries, up to their totals, as in every model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition
from verifier.definitions.builders.resolve import COMPARISONS
from verifier.definitions.comparison import HOCKEY_STICK, TAIL, AnyPair, Pair, Term
from verifier.engine import Engine
from verifier.errors import LimitError, PkdpError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.numbers import Function, quotient
from verifier.wings.families.pairs import Compared, FamilyComparison, WeightedPair
from verifier.wings.families.scheme import MAX_FUNCTIONS, scheme_comparisons, scheme_of, sum_comparisons


def general_member(family: Family, inside: Iterable[Mapping[str, Fraction]]) -> Model:
    """The model whose probabilities are functions of the only parameter.

    Where the reader refuses it, the first values `inside` the range at which it refuses the model are named.

    Raises:
        InputError: for a file that is no model.
        UnsupportedError: for databases of several sizes.

    """
    if not isinstance(family.raw["size"], int):
        raise UnsupportedError("databases of several sizes are not decided for families", wanted="one size")

    try:
        return family.general
    except PkdpError:
        for values in inside:
            family.beyond(values)
        raise


def comparisons(
    definition: Definition, reading: str, member: Model, constant_one: Function, max_rows: int, *, sums: bool = False
) -> Iterator[FamilyComparison]:
    """All comparisons of a definition in the general member of a family, from `general_member`.

    With `sums` they are the comparisons of a definition that bounds a sum of positive parts, as `is_sum` says.

    Raises:
        UnsupportedError: for a definition that is not decided for families, such as one with a simulator.
        LimitError: for more than `MAX_FUNCTIONS` probabilities.

    """
    refuse_kind(definition, sums=sums)
    engine = Engine(member, max_rows, "rows")
    definition.applies(engine)
    if sums:
        yield from sum_comparisons(definition, reading, engine, constant_one)
        return
    if definition.reads_policy:
        yield from scheme_comparisons(definition, reading, engine, constant_one)
        return
    sets = definition.on(engine).sets(engine, reading)
    listed = [comparison for each in sets for comparison in each.comparisons]
    _refuse(2 * _different([term for comparison in listed for term in comparison.terms]))
    sides = _Sides(constant_one)
    for comparison in listed:
        a, b = ("" if label is None else label.text for label in (comparison.a, comparison.b))
        shares = (
            constant_one if term.mass == comparison.total else constant_one * quotient(term.mass, comparison.total)
            for term in comparison.terms
        )
        terms = tuple(
            _term(_table(term.pair), share, sides) for term, share in zip(comparison.terms, shares, strict=True)
        )
        yield FamilyComparison(comparison.distribution, comparison.record, a, b, terms)


def _different(terms: Sequence[Term]) -> int:
    """How many different pairs of weights the outputs have, with the mass of the laws: each is made functions once."""
    by_mass: defaultdict[object, set[object]] = defaultdict(set)
    for term in terms:
        pair = _table(term.pair)
        by_mass[term.mass].update(zip(pair.p, pair.q or pair.p, strict=True))
    return sum(map(len, by_mass.values()))


def distinct(compared: Iterable[FamilyComparison]) -> Compared:
    """The comparisons without repetition: of those with the same functions, which need the same ε and δ, the first."""
    first_by_functions: dict[object, FamilyComparison] = {}
    numbers: defaultdict[tuple[Function, Function | None], int] = defaultdict()
    numbers.default_factory = numbers.__len__
    for comparison in compared:
        functions = tuple(sorted(map(numbers.__getitem__, comparison.outcomes)))
        numbers_beside = comparison.scale.as_integer_ratio(), comparison.least.as_integer_ratio()
        first_by_functions.setdefault((*numbers_beside, functions), comparison)
    return Compared(first_by_functions.values())


def refuse_kind(definition: Definition, *, sums: bool) -> None:
    """Refuse definitions that do not compare two laws by a curve δ(ε), or by the logarithm of a quotient.

    Raises:
        UnsupportedError: for a definition with a simulator, or with another divergence.

    """
    if definition.reads_policy:
        scheme_of(definition, sums=sums)
        return
    if definition.kind not in COMPARISONS or not definition.compares_named_laws:
        raise UnsupportedError(
            f"{definition.key} is not decided for families", wanted="dp, np, apkdp, ppkdp, cdp, ibcdp or a tail form"
        )
    definition.curve()


def is_tail(definition: Definition) -> bool:
    """Whether a definition bounds the tail P[loss > ε] by δ, and not the hockey-stick divergence."""
    if definition.reads_policy:
        return scheme_of(definition, sums=True).measure == TAIL.key
    return definition.curve() is not HOCKEY_STICK


def _refuse(count: int) -> None:
    if count > MAX_FUNCTIONS:
        raise LimitError(
            f"{count:,} probabilities would be made functions of the parameter",
            wanted=f"at most {MAX_FUNCTIONS:,}",
            tip="fewer records, values, outputs or knowledge values; or fix the parameter: p=1/7",
        )


def _table(pair: AnyPair) -> Pair:
    if not isinstance(pair, Pair):
        raise UnsupportedError("the laws of this model are not tables")
    return pair


class _Sides:
    """The probabilities of laws, from their weights up to the totals; laws and equal functions are made once."""

    def __init__(self, constant_one: Function) -> None:
        self._one = constant_one
        self._known: dict[tuple[object, ...], tuple[Function, ...]] = {}
        self._first: dict[Function, Function] = {}

    def __call__(self, weights: tuple[Any, ...]) -> tuple[Function, ...]:
        """The probabilities of a law with these weights."""
        known = self._known.get(weights)
        if known is None:
            total = sum(weights) or 1
            made = (self._one * quotient(weight, total) for weight in weights)
            known = self._known[weights] = tuple(self._first.setdefault(function, function) for function in made)
        return known


def _term(pair: Pair, weight: Function, sides: _Sides) -> WeightedPair:
    """The probabilities of both laws, from their weights up to the totals."""
    outputs, known = [output.text for output in pair.outputs], pair.knowledge.text if pair.knowledge else None
    p, q = sides(pair.p), sides(pair.q or (0,) * len(outputs))
    return WeightedPair(known, weight, tuple(zip(outputs, p, q, strict=True)), lost=pair.q is None)
