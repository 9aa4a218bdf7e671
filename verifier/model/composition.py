"""Mechanisms made of mechanisms: released together, one after the other, on some records, or chosen at random.

Where all components are statistics, their composition is a statistic: a record adds the list of what it adds in each
component, and the finish looks at the sums that it needs. Else the law is made database by database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product as cartesian
from math import lcm, prod

from verifier.errors import InputError
from verifier.model.mechanism import (
    MAX_LAW,
    MAX_OUTPUTS,
    Database,
    Draw,
    Element,
    Mechanism,
    Range,
    Statistic,
    among,
    check_law,
    lists,
    union,
)
from verifier.numbers import cut
from verifier.tables import Label, Law, label, product
from verifier.tables.law import INTEGER, in_order, splits

Finish = Callable[[Sequence[Callable[[], Law]]], Law]
"""The output law, from those of the parts; one that is not asked for is not made."""


def jointly(mechanisms: Sequence[Mechanism]) -> Mechanism:
    """Several mechanisms released together, independent given the database (`kind = "all"`)."""
    lists_of_outputs = Lists()

    def finish(laws: Sequence[Callable[[], Law]]) -> Law:
        return lists_of_outputs.law([law() for law in laws])

    title = "all of (" + "; ".join(part.title for part in mechanisms) + ")"
    together = _composed(
        title, mechanisms, mechanisms, finish, lambda database: all(part.takes(database) for part in mechanisms)
    )
    return replace(together, components=tuple(mechanisms), codomain=_codomain(mechanisms, lists))


def adaptive(first: Mechanism, following: Mapping[Label, Mechanism], otherwise: Mechanism | None, at: str) -> Mechanism:
    """`first`, then on the same database the mechanism that its output names; the output lists both outputs.

    M(D) = [O₁, O₂] with O₁ ~ first(D) and O₂ ~ M_{O₁}(D), independent given D and O₁.
    """
    mechanisms = [first, *following.values(), *([otherwise] if otherwise else [])]
    position = {outcome: k for k, outcome in enumerate(following, start=1)}

    def next_to(outcome: Label) -> int:
        if outcome in position:
            return position[outcome]
        split = next((named for named in position if splits(outcome, named, first.tails)), None)
        if split is not None:
            raise InputError(
                f"`next` names {cut(split.text)}, a part of the lumped tail {outcome} of the noise",
                where=at,
                wanted="outputs of the first mechanism; a tail as a whole",
            )
        if otherwise is None:
            raise InputError(
                f"`next` has no mechanism for the output {cut(outcome.text)} of the first",
                where=at,
                wanted="one for every output that the first mechanism can have",
                tip="add it, or `otherwise = { … }`",
            )
        return len(mechanisms) - 1

    def finish(laws: Sequence[Callable[[], Law]]) -> Law:
        return laws[0]().then(lambda outcome: _paired([Law.point(outcome), laws[next_to(outcome)]()]))

    def defined(database: Database) -> bool:
        outcomes = first.law(database).outcomes if first.takes(database) else ()
        return bool(outcomes) and all(mechanisms[next_to(outcome)].takes(database) for outcome in outcomes)

    then = "; ".join(f"{outcome}: {second.title}" for outcome, second in following.items())
    last = [f"otherwise: {otherwise.title}"] if otherwise else []
    title = f"{first.title}, then by its output ({'; '.join([then] * bool(then) + last)})"
    for outcome in first.listed_outputs or ():
        next_to(outcome)

    def outputs(ranges: Sequence[Range]) -> Range:
        firsts = [among([outcome]) for outcome in following] + [ranges[0]] * bool(otherwise)
        return union([lists(pair) for pair in zip(firsts, ranges[1:], strict=True)])

    return replace(_composed(title, mechanisms, [first], finish, defined), codomain=_codomain(mechanisms, outputs))


def choice(choices: Sequence[tuple[Label, Fraction, Mechanism]], at: str, *, shown: bool) -> Mechanism:
    """One of several mechanisms at random, whatever the database; with `shown` the output lists name and output.

    P[M(D) = O] = Σₖ wₖ·P[Mₖ(D) = O], with weights that sum to 1 (Kifer and Lin's axiom of choice; DMKB20,
    Proposition 5).
    """
    if not shown and any(part.tails for _, _, part in choices):
        raise InputError(
            "a mechanism of a choice ends in geometric noise",
            where=at,
            wanted="a choice that is shown, or noise after the choice: the tails of one would cut those of another",
            tip="`shown = true`, or put the noise into the `then` of the choice",
        )
    names = [name for name, _, _ in choices]
    shared = lcm(*(weight.denominator for _, weight, _ in choices))
    weights = [weight.numerator * (shared // weight.denominator) for _, weight, _ in choices]

    def finish(laws: Sequence[Callable[[], Law]]) -> Law:
        chosen = [(weight, _paired([Law.point(name), law()]) if shown else law()) for name, weight, law in used(laws)]
        return Law.mixed(chosen)

    def used(laws: Sequence[Callable[[], Law]]) -> list[tuple[Label, int, Callable[[], Law]]]:
        return [row for row in zip(names, weights, laws, strict=True) if row[1]]

    def defined(database: Database) -> bool:
        return all(part.takes(database) for part in always)

    listed = "; ".join(f"{weight}: {part.title}" for _, weight, part in choices)
    title = f"one at random of ({listed})" + ", and which" * shown
    always = [part for _, weight, part in choices if weight]
    every = [part for _, _, part in choices]

    def outputs(ranges: Sequence[Range]) -> Range:
        return union(
            [lists([among([n]), outputs]) for n, outputs in zip(names, ranges, strict=True)] if shown else ranges
        )

    return replace(_composed(title, every, always, finish, defined), codomain=_codomain(every, outputs))


def on_records(inner: Mechanism, records: Sequence[int], size: int) -> Mechanism:
    """A mechanism on a part of the database: it sees these records, in this order, and no others."""
    position = {record: k for k, record in enumerate(records)}
    every = tuple(records) == tuple(range(size))
    where = "" if every else f" of records {', '.join(map(str, records))}"

    def restricted(database: Database) -> Database:
        return tuple(database[i] for i in records)

    mechanism = Mechanism(
        f"{inner.title}{where}",
        size,
        inner.values,
        inner.statistic if every or inner.statistic is None else _partial(inner.statistic, position),
        (lambda database: inner.law(restricted(database))) if inner.table else None,
        records=None if inner.records is None else tuple(records[k] for k in inner.records),
        tails=inner.tails,
        codomain=inner.codomain,
    )
    return _within(mechanism, [inner], [], lambda database: inner.takes(restricted(database)))


def _partial(old: Statistic, position: Mapping[int, int]) -> Statistic:
    """The statistic in which only the records of `position` add something, each as the record of its part."""
    nothing = ((old.zero, old.denominator),)

    def draw(i: int, v: int) -> Draw:
        return old.draw(position[i], v) if i in position else nothing

    return replace(old, draw=draw, uniform=False, threshold=None)


def _composed(
    title: str,
    mechanisms: Sequence[Mechanism],
    always: Sequence[Mechanism],
    finish: Finish,
    defined: Callable[[Database], bool],
) -> Mechanism:
    """One mechanism from several: a statistic where all are, else database by database."""
    first, tails = mechanisms[0], frozenset[str]().union(*(part.tails for part in mechanisms))
    statistics = [part.statistic for part in mechanisms if part.statistic]
    statistic = _listed(statistics, finish) if len(statistics) == len(mechanisms) else None

    def table(database: Database) -> Law:
        return finish([lambda part=part: part.law(database) for part in mechanisms])  # type: ignore[misc]

    return _within(
        Mechanism(title, first.size, first.values, statistic, table, tails=tails), mechanisms, always, defined
    )


def _within(
    mechanism: Mechanism,
    components: Sequence[Mechanism],
    always: Sequence[Mechanism],
    defined: Callable[[Database], bool],
) -> Mechanism:
    """The mechanism with the list of the databases that it is defined on, where a part has one and it can be listed.

    `always` are the parts that every database must be defined for.
    """
    lists = [part.domain for part in always if part.domain is not None]
    if not any(isinstance(part.domain, tuple) for part in components):
        return replace(mechanism, domain=min(lists, key=len)) if lists else mechanism
    if lists:
        return replace(mechanism, domain=tuple(database for database in min(lists, key=len) if defined(database)))
    if len(mechanism.values) ** mechanism.size <= MAX_OUTPUTS:
        return replace(mechanism, domain=tuple(filter(defined, mechanism.all_databases())))
    return mechanism


def _codomain(mechanisms: Sequence[Mechanism], combined: Callable[[Sequence[Range]], Range]) -> Range | None:
    """The range of composed outputs, from the ranges of the components; None where a component has none."""
    ranges = [part.codomain for part in mechanisms if part.codomain]
    return combined(ranges) if len(ranges) == len(mechanisms) else None


def _listed(statistics: Sequence[Statistic], finish: Finish) -> Statistic:
    """The statistic whose sum is the list of the sums of several statistics."""

    def add(left: Element, right: Element) -> Element:
        pairs = zip(statistics, left, right, strict=True)
        return tuple(s.add(x, y) for s, x, y in pairs)

    def draw(i: int, v: int) -> Draw:
        choices = [s.draw(i, v) for s in statistics]
        check_law(prod(len(drawn) for drawn in choices), "the parts have too many random results for one record")
        return tuple((tuple(e for e, _ in choice), prod(w for _, w in choice)) for choice in cartesian(*choices))

    def finished(state: Element) -> Law:
        return finish([lambda s=s, x=x: s.finish(x) for s, x in zip(statistics, state, strict=True)])  # type: ignore[misc]

    return Statistic(
        tuple(s.zero for s in statistics),
        add,
        draw,
        finished,
        prod(s.denominator for s in statistics),
        all(s.any_size for s in statistics),
        _operations(statistics),
        all(s.uniform for s in statistics),
    )


def _operations(statistics: Sequence[Statistic]) -> tuple[str, ...] | None:
    """The operations of all parts, where each has a name."""
    names: tuple[str, ...] = ()
    for statistic in statistics:
        if statistic.operations is None:
            return None
        names += statistic.operations
    return names


def _paired(laws: Sequence[Law]) -> Law:
    """The law of the list of independent outputs, refused where it is too long."""
    check_law(prod(len(law.outcomes) for law in laws), "the parts have too many outputs together")
    return product(laws, listed)


class Lists:
    """Laws of lists of independent outputs; the lists are made once for all laws on the same outputs, by `combine`.

    Laws in lowest terms have products in lowest terms (Gauss's lemma), so that the weights need no common divisor. The
    plain way is `tables.product`, which makes each list anew.
    """

    def __init__(self, combine: Callable[[Sequence[Label]], Label] | None = None) -> None:
        self._combine = combine or listed
        self._kept: dict[tuple[tuple[Label, ...], ...], tuple[tuple[Label, ...], list[int]]] = {}
        self._number = 0

    def law(self, laws: Sequence[Law]) -> Law:
        """The law of the list of independent outputs, one from each law, refused where it is too long."""
        number = prod(len(law.outcomes) for law in laws)
        check_law(number, "the parts have too many outputs together")
        if not all(type(weight) is int for law in laws for weight in law.weights):
            return product(laws, self._combine)  # functions of parameters
        outcomes, order = self._outcomes(tuple(law.outcomes for law in laws), number)
        weights = [1]
        for law in laws:
            weights = [weight * part for weight in weights for part in law.weights]
        return Law(outcomes, tuple(weights[k] for k in order), prod(law.denominator for law in laws))

    def _outcomes(self, supports: tuple[tuple[Label, ...], ...], number: int) -> tuple[tuple[Label, ...], list[int]]:
        """All lists of some outputs in order, with the position of each among the lists as they are made."""
        if supports not in self._kept:
            if self._number + number > MAX_LAW:
                self._kept.clear()
                self._number = 0
            self._number += number
            made = [self._combine(outputs) for outputs in cartesian(*supports)]
            positions = {outcome: k for k, outcome in enumerate(made)}
            outcomes = tuple(in_order(made))
            self._kept[supports] = outcomes, [positions[outcome] for outcome in outcomes]
        return self._kept[supports]


def listed(outputs: Sequence[Label]) -> Label:
    """The list of some outputs, one label however each was spelled: an integer stands in it as a number.

    >>> listed([label("0"), label(1), label("yes")]).text, listed([label(0), label("1"), label("yes")]).text
    ('[0,1,"yes"]', '[0,1,"yes"]')
    """
    return label([label(int(output.text)) if INTEGER.fullmatch(output.text) else output for output in outputs])
