"""What a definition compares, with every probability as a function of the parameters.

The file is read with its expressions as numbers of another ring, the rational functions of the parameters. So the
definitions compare what they compare in every model: sums of products of entries, up to their totals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.definitions import Definition
from verifier.definitions.compare import COMPARISONS
from verifier.definitions.pairs import AnyPair, Pair
from verifier.engine import Engine
from verifier.errors import LimitError, PkdpError, UnsupportedError
from verifier.model import Model
from verifier.model.parameters import Family, expression_of
from verifier.model.place import Place
from verifier.numbers import Function, quotient

MAX_FUNCTIONS = 20_000
"""Most probabilities that are made functions of the parameters."""


@dataclass(frozen=True)
class Term:
    """One pair of laws given B̂, and the weight with which it counts; `lost` where B̂ excludes b, so that Q is none."""

    knowledge: str | None
    weight: Function
    rows: tuple[tuple[str, Function, Function], ...]
    lost: bool = False


@dataclass(frozen=True)
class Compared:
    """One comparison: a pair of laws, or an average of pairs, with θ, record, a and b."""

    distribution: str | None
    record: int | None
    a: str
    b: str
    terms: tuple[Term, ...]

    @property
    def outcomes(self) -> Iterator[tuple[Function, Function | None]]:
        """The weighted probabilities (P, Q) of all outputs of all terms; Q is None where it does not exist."""
        for term in self.terms:
            for _, p, q in term.rows:
                yield term.weight * p, None if term.lost else term.weight * q


def general_member(family: Family, inside: Iterable[Mapping[str, Fraction]], *, sparse: bool = False) -> Model:
    """The model whose probabilities are functions of the parameters; see `Function.parameters` for `sparse`.

    Raises:
        InputError: as the reader does; with the first of the values `inside` the range that show the same.
        UnsupportedError: for databases of several sizes.

    """
    if not isinstance(family.raw["size"], int):
        raise UnsupportedError("databases of several sizes are not decided for families", wanted="one size")

    def entry(given: str, place: Place) -> object:
        expression = expression_of(given, place, family.names)
        if expression is None:
            return given
        function = Function.read(expression, family.names, sparse=sparse)
        return function if function.constant is None else function.constant

    try:
        return family.make(family.with_entries(entry))
    except PkdpError:
        for values in inside:
            family.beyond(values)
        raise


def comparisons(
    definition: Definition, reading: str, member: Model, one: Function, max_rows: int
) -> Iterator[Compared]:
    """All comparisons of a definition in the general member of a family; `one` is the function 1.

    Raises:
        UnsupportedError: for a definition with a simulator, or of another kind.
        LimitError: where there are too many functions; refused before they are made.

    """
    refuse_kind(definition)
    engine = Engine(member, max_rows, "rows")
    definition.applies(engine)
    listed = [each for family in definition.families(engine, reading) for each in family.comparisons]
    _refuse(sum(1 + 2 * len(_table(term.pair).outputs) for each in listed for term in each.terms))
    for each in listed:
        a, b = ("" if label is None else label.text for label in (each.a, each.b))
        terms = tuple(_term(_table(term.pair), one * quotient(term.mass, each.whole), one) for term in each.terms)
        yield Compared(each.distribution, each.record, a, b, terms)


def distinct(compared: Iterable[Compared]) -> tuple[Compared, ...]:
    """Those with the same functions need the same ε and δ: the first of them."""
    found: dict[object, Compared] = {}
    for each in compared:
        found.setdefault(frozenset(Counter(each.outcomes).items()), each)
    return tuple(found.values())


def refuse_kind(definition: Definition) -> None:
    """Refuse definitions that do not compare given laws by a curve δ(ε).

    Raises:
        UnsupportedError: for a definition with a simulator, of another kind, or of a divergence.

    """
    if definition.kind not in COMPARISONS or definition.decider is not None:
        raise UnsupportedError(
            f"{definition.key} is not decided for families", wanted="dp, np, apkdp, ppkdp, cdp, ibcdp or a tail form"
        )
    definition.curve()


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


def _term(pair: Pair, weight: Function, one: Function) -> Term:
    """The probabilities of both laws, from their weights up to the totals."""
    outputs, known = [output.text for output in pair.outputs], pair.knowledge.text if pair.knowledge else None
    laws = [side or (0,) * len(outputs) for side in (pair.p, pair.q)]
    p, q = ([one * quotient(x, sum(law) or 1) for x in law] for law in laws)
    return Term(known, weight, tuple(zip(outputs, p, q, strict=True)), lost=pair.q is None)
