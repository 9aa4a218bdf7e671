"""What a definition compares, with every probability as a function of the parameter.

Each probability that a definition compares is a quotient of two joint masses, and these are sums of products of entries
of the model file. So it is a quotient of polynomials whose degrees the file bounds, and its values at enough values of
the parameter, which the engine gives for ordinary models, determine it (proofs/symbolic.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verifier.definitions import Definition
from verifier.definitions.pairs import Pair
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, Model, replaced
from verifier.model.parameters import Family
from verifier.wings.families.degrees import bound_of
from verifier.wings.families.domain import points_of
from verifier.wings.families.ratio import Ratio, reconstructed

MAX_FUNCTIONS = 20_000
"""Most probabilities that are made functions of the parameter."""
MAX_DEGREE = 128
KINDS = frozenset({"conditional", "counterfactual", "posterior", "neighbours"})
Place = tuple[Any, ...]


@dataclass(frozen=True)
class Term:
    """One pair of laws given B̂, and the weight with which it counts; `q` is None where B̂ excludes b."""

    knowledge: str | None
    weight: Ratio
    rows: tuple[tuple[str, Ratio, Ratio], ...]
    lost: bool = False


@dataclass(frozen=True)
class Compared:
    """One comparison: a pair of laws, or an average of pairs; `place` says which."""

    place: Place
    terms: tuple[Term, ...]

    @property
    def outcomes(self) -> Iterator[tuple[Ratio, Ratio | None]]:
        """The weighted probabilities (P, Q) of all outputs of all terms; Q is None where it does not exist."""
        for term in self.terms:
            for _, p, q in term.rows:
                yield term.weight * p, None if term.lost else term.weight * q


@dataclass
class Seen:
    """The values of the functions of one term at the points so far."""

    lost: bool
    weights: list[Fraction] = field(default_factory=list)
    rows: dict[str, list[tuple[Fraction, Fraction]]] = field(default_factory=dict)


def comparisons(
    family: Family, definition: Definition, reading: str, max_rows: int, *, every: bool = False
) -> tuple[Compared, ...]:
    """All comparisons of a definition for a family with one parameter, where no entry of the file is 0.

    Those with the same functions need the same ε and δ and stand once, unless `every` one is asked for.

    Raises:
        UnsupportedError: for a definition with a simulator, or of another kind.
        LimitError: where there are too many functions; refused before they are made.

    """
    refuse_kind(definition)
    degree = bound_of(family)
    if degree > MAX_DEGREE:
        raise LimitError(
            f"the probabilities are quotients of polynomials of degree up to {degree:,}",
            wanted=f"at most {MAX_DEGREE}",
            tip="fewer records, or a parameter in fewer places",
        )
    points = points_of(family, 2 * degree + 3)
    models = (family.beyond({family.names[0]: at}) for at in points)
    return tuple(_made(collected(models, definition, reading, max_rows), points, degree, every=every))


def refuse_kind(definition: Definition) -> None:
    """Refuse definitions that do not compare given laws.

    Raises:
        UnsupportedError: for a definition with a simulator, or of another kind.

    """
    if definition.kind not in KINDS or definition.decider is not None:
        raise UnsupportedError(
            f"{definition.key} is not decided for families", wanted="dp, np, apkdp, ppkdp, cdp, ibcdp or a tail form"
        )


def collected(models: Iterable[Model], definition: Definition, reading: str, max_rows: int) -> AllSeen:
    """What a definition compares in models with the same support, one value of each function for each model.

    Raises:
        LimitError: where there are too many functions.
        ArithmeticError: where the support is not the same.

    """
    listed = _neighbours if definition.kind == "neighbours" else _families
    seen: dict[Place, dict[str | None, Seen]] = {}
    count = 0
    for number, model in enumerate(models):
        listed(model, definition, reading, max_rows, _noting(seen, number))
        count = number + 1
        if not number:
            _refuse(seen)
    for place, terms in seen.items():
        if any(len(one.weights) != count for one in terms.values()):
            raise ArithmeticError(f"what is compared changes with the parameter at {place}")
    return seen


AllSeen = Mapping[Place, Mapping["str | None", Seen]]
Rows = Iterator[tuple[str, Fraction, Fraction]]
Which = tuple[Place, "str | None", bool]
"""The comparison, B̂, and whether B̂ excludes b."""
Note = Callable[[Which, Fraction, Rows], None]


def _noting(seen: dict[Place, dict[str | None, Seen]], number: int) -> Note:
    def note(which: Which, weight: Fraction, rows: Rows) -> None:
        place, knowledge, lost = which
        one = seen.setdefault(place, {}).setdefault(knowledge, Seen(lost))
        if len(one.weights) != number:
            raise ArithmeticError(f"what is compared changes with the parameter at {place}")
        one.weights.append(weight)
        for output, p, q in rows:
            one.rows.setdefault(output, [(Fraction(0), Fraction(0))] * number).append((p, q))
        for mine in one.rows.values():
            if len(mine) == number:
                mine.append((Fraction(0), Fraction(0)))

    return note


def _families(model: Model, definition: Definition, reading: str, max_rows: int, note: Note) -> None:
    """The comparisons of any definition that conditions, by the engine."""
    engine = Engine(model, max_rows, "rows")
    definition.applies(engine)
    for family in definition.families(engine, reading):
        for one in family.comparisons:
            labels = [label.text if label else None for label in (one.a, one.b, one.output)]
            for term in one.terms:
                pair = term.pair
                if not isinstance(pair, Pair):
                    raise UnsupportedError("the laws of this model are not tables")
                known = pair.knowledge.text if pair.knowledge else None
                alone = None if definition.aggregation.averages else known
                place = (one.distribution, one.record, *labels, pair.direction, alone)
                note((place, known, pair.q is None), Fraction(int(term.mass), int(one.whole)), _rows(pair))


def _rows(pair: Pair) -> Rows:
    if pair.q is not None:
        yield from ((output.text, x, y) for output, x, y in pair.rows())
        return
    whole = sum(pair.p)
    yield from ((output.text, Fraction(x, whole), Fraction(0)) for output, x in zip(pair.outputs, pair.p, strict=True))


def _neighbours(model: Model, definition: Definition, reading: str, max_rows: int, note: Note) -> None:
    """All pairs of databases that differ in one record; equal pairs of functions are one comparison later."""
    definition.applies(Engine(model, max_rows, "rows"))
    laws: dict[Database, dict[str, Fraction]] = {}
    for database in model.mechanism.all_databases():
        law = model.mechanism.law(database)
        laws[database] = {o.text: law.probability(o) for o in law.outcomes}
    for secret in model.secrets:
        record = secret.record
        if record is None:
            raise UnsupportedError("dp replaces a record, and none is protected")
        for database, first in laws.items():
            for b in range(len(model.values)):
                a = database[record]
                if a == b or (reading == "one-order" and a > b):
                    continue
                other = laws[replaced(database, record, b)]
                texts = tuple(model.values[v].text for v in database)
                outputs = dict.fromkeys((*first, *other))
                rows = ((o, first.get(o, Fraction(0)), other.get(o, Fraction(0))) for o in outputs)
                note(((None, record, texts, model.values[b].text), None, False), Fraction(1), rows)


def _refuse(seen: AllSeen) -> None:
    count = sum(1 + 2 * len(one.rows) for terms in seen.values() for one in terms.values())
    if count > MAX_FUNCTIONS:
        raise LimitError(
            f"{count:,} probabilities would be made functions of the parameter",
            wanted=f"at most {MAX_FUNCTIONS:,}",
            tip="fewer records, values, outputs or knowledge values; or fix the parameter: p=1/7",
        )


def _made(
    seen: Mapping[Place, Mapping[str | None, Seen]], points: tuple[Fraction, ...], degree: int, *, every: bool
) -> Iterator[Compared]:
    known: dict[tuple[Fraction, ...], Ratio] = {}

    def function(values: tuple[Fraction, ...]) -> Ratio:
        if values not in known:
            known[values] = reconstructed(points, values, degree)
        return known[values]

    alike: set[object] = set()
    for place, terms in seen.items():
        found = []
        for knowledge, one in terms.items():
            rows = tuple(
                (output, function(tuple(p for p, _ in values)), function(tuple(q for _, q in values)))
                for output, values in one.rows.items()
            )
            found.append(Term(knowledge, function(tuple(one.weights)), rows, one.lost))
        made = Compared(place, tuple(found))
        key = frozenset(_counted(made.outcomes))
        if every or key not in alike:
            alike.add(key)
            yield made


def _counted(outcomes: Iterator[tuple[Ratio, Ratio | None]]) -> Iterator[tuple[object, int]]:
    counts: dict[object, int] = {}
    for one in outcomes:
        counts[one] = counts.get(one, 0) + 1
    yield from counts.items()
