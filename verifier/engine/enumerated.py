"""The result of every engine, exact joint weights of knowledge, sensitive value and output; and the plain engine.

The plain engine is one pass over the worlds with Python integers. It takes every model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product as cartesian
from math import lcm, prod
from typing import TypeAlias

from verifier.engine.pushforward import Pushforward
from verifier.model import Database, Element, Model, Secret, Statistic, Theta, World, check_size, counted, replaced
from verifier.numbers import plural
from verifier.tables import Integer, Label, Law, in_order

Weights: TypeAlias = Mapping[Label, int]
Output: TypeAlias = "Weights | Pushforward"
"""An output law up to a factor: weights by label, or the pushforward of the law of a sum."""


class InOrder(dict[Label, int]):
    """Weights by label whose labels are in order, so that nobody needs to sort them again."""

    @classmethod
    def of(cls, weights: Weights) -> InOrder:
        """The weights with their labels in order."""
        return weights if isinstance(weights, InOrder) else cls((o, weights[o]) for o in in_order(weights))


@dataclass(frozen=True, eq=False)
class KnowledgeCase:
    """One knowledge value B̂, or a class of them, with the sensitive values s that are possible under it.

    `laws[s]` is the law of the output given B̂ and S = s, up to a factor; `masses[s]` is the weight of (B̂, s). Where
    knowledge values are lumped, B̂ is the first of its class, `members` their number, and the masses are of the class.
    """

    key: Hashable
    name: Callable[[], Label]
    laws: Mapping[Label, Output]
    masses: Mapping[Label, Integer]
    members: int = 1

    @cached_property
    def label(self) -> Label:
        """The knowledge value B̂, or the first of its class; made when it is asked for."""
        return self.name()

    def weights(self, value: Label) -> Weights:
        """The output law given B̂ and S = value, up to a factor, as weights by label."""
        law = self.laws[value]
        return law.weights if isinstance(law, Pushforward) else law


class Joint:
    """The joint law P[B = B̂, S = s, O = o], as integers over one denominator, of one θ and one sensitive attribute.

    Knowledge values come in order of first appearance. O is M(D), or M(D with i set to b) for a counterfactual.
    """

    def __init__(self, cases: Iterable[KnowledgeCase], denominator: Integer | None = None) -> None:
        self.cases = {case.key: case for case in cases}
        self.denominator = denominator or sum(sum(case.masses.values()) for case in self.cases.values())

    @classmethod
    def of(cls, denominator: int, cells: Mapping[Label, Mapping[Label, Weights]]) -> Joint:
        """The joint law with the positive weights `cells[B̂][s][o]` over a denominator."""
        return cls(
            (
                KnowledgeCase(
                    known,
                    lambda known=known: known,  # type: ignore[misc]
                    {s: InOrder.of(law) for s, law in cell.items()},
                    {s: sum(law.values()) for s, law in cell.items()},
                )
                for known, cell in cells.items()
            ),
            denominator,
        )

    @classmethod
    def gathered(cls, denominator: int, weighted_laws: Iterable[tuple[Law, Label, Law, int]]) -> Joint:
        """The joint law that is a sum of terms (law of B, s, law of O, factor), B and O independent within each term.

        The weight of (B̂, s, o) is Σ factor·(weight of B̂)·(weight of o) over the terms with this s. Terms with the same
        B̂, s and law of O are one: their factors are added before any output is looked at.
        """
        terms: dict[tuple[Label, Label], dict[tuple[int, tuple[int, ...]], tuple[Law, int]]] = {}
        for known_law, value, output, factor in weighted_laws:
            for known, part in known_law.items():
                laws = terms.setdefault((known, value), {})
                key = id(output.outcomes), output.weights  # a law that is kept here keeps its outcomes
                so_far = laws.get(key)
                laws[key] = output, factor * part + (so_far[1] if so_far else 0)
        cells: dict[Label, dict[Label, dict[Label, int]]] = {}
        for (known, value), laws in terms.items():
            cell: dict[Label, int] = cells.setdefault(known, {}).setdefault(value, {})
            for output, factor in laws.values():
                for outcome, weight in output.items():
                    cell[outcome] = cell.get(outcome, 0) + factor * weight
        return cls.of(denominator, cells)

    @cached_property
    def cells(self) -> dict[Label, dict[Label, Weights]]:
        """The output laws, output by output: `cells[B̂][s][o]`, up to a factor for each B̂ and s."""
        return {case.label: {s: case.weights(s) for s in case.laws} for case in self.cases.values()}

    def probability(self, case: KnowledgeCase) -> Fraction:
        """P[B = B̂]; for a class of knowledge values, the sum over its members."""
        return Fraction(int(sum(case.masses.values())), int(self.denominator))

    def value_mass(self, value: Label) -> Integer:
        """The weight of S = value, over the denominator of the joint law."""
        return sum(case.masses.get(value, 0) for case in self.cases.values())


@dataclass(frozen=True)
class Neighbours:
    """Two output laws on databases that differ in one record; equal pairs are lumped."""

    record: int
    a: int
    b: int
    first: Output
    second: Output
    multiplicity: int
    database: Callable[[], Database]
    """The first database (with a at the record) of the lumped pairs, in lexicographic order."""


MAX_ROWS = 1 << 22
DP_STEPS = 16
"""Additions that partial results of dp may take for each row of the limit."""
CELL = 4
"""Rows of the limit that a probability of an output, for one value of what is protected, counts as."""
FEW_VALUES = 64
"""Values of a record that are looked at for the one that draws the most elements."""
Contexts: TypeAlias = dict[Element, tuple[int, Database]]
"""By partial sum: the number of contexts, which are values of some records, that have it, and the first of them."""


def joint(
    model: Model,
    theta: Theta,
    secret: Secret,
    b: int | None,
    knowledge_values: frozenset[Label] | None,
    max_rows: int = MAX_ROWS,
) -> Joint:
    """The joint weights of (B, S, M(D)); with b, a position in T, of (B, S, M(D with the record set to b)) for S ≠ b.

    `knowledge_values` are the knowledge values that are asked for with b: worlds that have none of them are left out,
    so that the mechanism is not asked for their databases.

    Raises:
        LimitError: where there are more results than `max_rows`.

    """
    count, most = theta.count(), most_results(model)
    check_size(count * most, max_rows, f'"{theta.name}" has {counted(count)} worlds with up to {most:,} results each')
    rows: list[tuple[World, Law, Law]] = []
    results = 0
    for world in theta.worlds():
        known, database = theta.known(world), world.database
        if b is not None and secret.record is not None:
            if database[secret.record] == b or (
                knowledge_values is not None and knowledge_values.isdisjoint(known.outcomes)
            ):
                continue
            database = replaced(database, secret.record, b)
        output = model.mechanism.law(database)
        results += len(known.outcomes) * len(output.outcomes)
        check_size(results, max_rows, f'the worlds of "{theta.name}" have at least {counted(results)} results')
        rows.append((world, known, output))
    known_shared = lcm(*(known.denominator for _, known, _ in rows))
    output_shared = lcm(*(output.denominator for _, _, output in rows))
    weighted_laws = (
        (
            known,
            secret.of(world),
            output,
            world.weight * (known_shared // known.denominator) * (output_shared // output.denominator),
        )
        for world, known, output in rows
    )
    return Joint.gathered(theta.denominator * known_shared * output_shared, weighted_laws)


def most_results(model: Model) -> int:
    """How many outputs a random statistic has on a database whose records draw the most elements; 1 for all others."""
    statistic = model.mechanism.statistic
    if statistic is None or statistic.denominator == 1:
        return 1
    looked_at = 1 if len(statistic.draw(0, 0)) > FEW_VALUES else FEW_VALUES  # where many are drawn, one value is enough
    values = range(min(len(model.values), looked_at))
    database = tuple(max(values, key=lambda v, i=i: len(statistic.draw(i, v))) for i in range(model.size))  # type: ignore[misc]
    if statistic.operations is None:  # every draw is kept apart in the sum
        return prod(len(statistic.draw(i, v)) for i, v in enumerate(database))
    return len(model.mechanism.law(database).outcomes)


def results_of_one(model: Model) -> int:
    """How many outputs the mechanism has on a database, where that can be told from one; else 1."""
    statistic = model.mechanism.statistic
    if statistic is None or model.size > MANY:
        return 1
    if statistic.denominator > 1:
        return most_results(model)
    return len(model.mechanism.law((0,) * model.size).outcomes) if len(model.values) > FEW_VALUES else 1


def refuse_outputs(model: Model, max_rows: int) -> None:
    """Refuse a table of joint weights with too many cells, and outputs that are too many long lists, before any work.

    The cells are (value of what is protected, output); a cell counts as `CELL` rows. Outputs that are the values of
    records count as `PAIR` rows each.

    Raises:
        LimitError: with the number of cells, or of outputs.

    """
    statistic, number = model.mechanism.statistic, len(model.values)
    if statistic is not None and statistic.width > 1:
        cells = number * statistic.width
        check_size(cells, max_rows, f"what a record adds has {counted(cells)} entries over its values", enough=True)
    if not model.thetas:
        return
    told = model.mechanism.records
    if told is not None and len(told) > 1:
        outputs = min(number ** len(told), max(theta.count() for theta in model.thetas))
        rows = PAIR * outputs
        fact = f"the mechanism tells {counted(len(told), 'record')}, with {counted(outputs, 'output')}"
        check_size(
            rows, max(max_rows, FEW), f"{fact}, which count as {counted(rows)} rows, {PAIR} for each", enough=True
        )
    values = max((len(secret.domain) for secret in model.secrets), default=0)
    results = results_of_one(model) if values > FEW_VALUES else 1
    rows = CELL * values * results
    if results > 1:
        fact = f"{counted(values, 'value')} with {counted(results, 'output')} each"
        fact = f"{fact} have {counted(values * results)} probabilities"
        fact = f"{fact}, which count as {counted(rows)} rows, {CELL} for each"
        check_size(rows, max(max_rows, FEW), fact, enough=True)


def refuse_laws(model: Model, max_rows: int) -> None:
    """Refuse to compare too many pairs of laws, one for each two values of a record, before any is made.

    Raises:
        LimitError: with the number of pairs.

    """
    pairs = len(model.present) * (len(model.present) - 1)
    results = results_of_one(model) if len(model.values) > FEW_VALUES else 1
    fact = f"dp compares {counted(pairs)} pairs of values with {counted(results)} outputs each"
    refuse_pairs(pairs, pairs * results, max_rows, fact)


@dataclass(frozen=True, slots=True)
class LawPair:
    """Two output laws on databases that differ in one record, `first` with a there and `second` with b."""

    record: int
    a: int
    b: int
    first: Law
    second: Law
    multiplicity: int
    database: Database
    """The first database (with a at the record) of the lumped pairs, in lexicographic order."""

    @property
    def neighbours(self) -> Neighbours:
        """The two laws as weights over one denominator."""
        weights = scaled(self.first, self.second)
        return Neighbours(self.record, self.a, self.b, *weights, self.multiplicity, lambda: self.database)


class UpToNames:
    """Two laws without the names of the outputs: how often each pair of weights comes, and the denominators.

    Of a law that has one weight at most outputs only the others are looked at.
    """

    def __init__(self) -> None:
        self._others: dict[int, tuple[Law, int, dict[Label, int]]] = {}

    def __call__(self, pair: LawPair) -> object:
        """What two pairs have in common that are the same up to the names of the outputs."""
        first, second = pair.first, pair.second
        weights: Counter[tuple[int, int]]
        if first.outcomes is second.outcomes or first.outcomes == second.outcomes:
            (p, others_p), (q, others_q) = self._usual(first), self._usual(second)
            if len(others_p) + len(others_q) < len(first.outcomes) // 2:
                others = others_p.keys() | others_q.keys()
                weights = Counter((others_p.get(output, p), others_q.get(output, q)) for output in others)
                weights[p, q] += len(first.outcomes) - len(others)
            else:
                weights = Counter(zip(first.weights, second.weights, strict=True))
        else:
            left, right = dict(first.items()), dict(second.items())
            weights = Counter((left.get(output, 0), right.get(output, 0)) for output in {**left, **right})
        return first.denominator, second.denominator, frozenset(weights.items())

    def _usual(self, law: Law) -> tuple[int, dict[Label, int]]:
        """The most frequent weight of a law, and the outputs with another one."""
        if id(law) not in self._others:
            ((usual, _),) = Counter(law.weights).most_common(1)
            self._others[id(law)] = law, usual, {output: weight for output, weight in law.items() if weight != usual}
        return self._others[id(law)][1:]


def neighbours(model: Model, max_rows: int) -> Iterator[LawPair]:
    """All pairs of databases in Tⁿ that differ in one record, there in both, equal pairs of laws lumped.

    The order is record, a, b, then the values of the other records lexicographically.

    Raises:
        LimitError: where there are too many databases, pairs of values, or partial sums.

    """
    statistic = model.mechanism.deterministic_statistic
    if statistic is None:
        refuse_databases(model, max_rows)
    refuse_values(model, max_rows)
    work = Work(max_rows)
    identity: dict[Law, Law] = {}
    known: dict[object, Contexts] = {}
    laws_of_sums: dict[Element, Law] = {}
    present = list(enumerate(model.present))
    for record in model.protected_records:
        contexts = (
            _states(model, statistic, record, max_rows, known, laws_of_sums) if statistic else _databases(model, record)
        )
        lumped: dict[tuple[int, int, int, int], tuple[Law, Law, int, Database]] = {}
        for laws, count, others_of in contexts:
            shared = [identity.get(law) or work.law(identity.setdefault(law, law)) for law in laws]
            for (i, a), (j, b) in cartesian(present, repeat=2):
                key = i, j, id(shared[a]), id(shared[b])
                if i == j:
                    continue
                if key in lumped:
                    first, second, number_so_far, database = lumped[key]
                    lumped[key] = (first, second, number_so_far + count, database)
                else:
                    work.pair(shared[a])
                    database = (*others_of[:record], a, *others_of[record:])
                    lumped[key] = (shared[a], shared[b], count, database)
        for (i, j, _, _), found in sorted(lumped.items(), key=lambda entry: entry[0][:2]):
            yield LawPair(record, present[i][1], present[j][1], *found)


@dataclass
class Work:
    """The probabilities of the different laws, and the different pairs of them: counted while they are listed."""

    max_rows: int
    probabilities: int = 0
    pairs: int = 0
    rows: int = 0

    def law(self, law: Law) -> Law:
        """The law, counted.

        Raises:
            LimitError: for too many probabilities of all laws.

        """
        self.probabilities += len(law.outcomes)
        if self.probabilities > max(self.max_rows, FEW):
            fact = f"the laws of all databases have at least {counted(self.probabilities)} probabilities"
            check_size(self.probabilities, self.max_rows, fact)
        return law

    def pair(self, first: Law) -> None:
        """Count a pair of laws; it counts as `PAIR` rows, and as another one for each `PAIR` outputs.

        Raises:
            LimitError: for too many pairs.

        """
        self.pairs += 1
        self.rows += PAIR + len(first.outcomes) // PAIR
        if self.rows > max(self.max_rows, FEW):
            fact = f"dp compares at least {counted(self.pairs)} pairs of laws, which count as {counted(self.rows)} rows"
            check_size(self.rows, self.max_rows, fact)


def refuse_values(model: Model, max_rows: int, records: int | None = None) -> None:
    """Refuse too many pairs of values of the protected records, or of so many of them, before any law is made.

    Raises:
        LimitError: with the number of pairs.

    """
    values, records = len(model.present), len(model.secrets) if records is None else records
    pairs = records * values * (values - 1)
    each = f"{values:,} values of each of {plural(records, 'record')}"
    check_size(pairs, max_rows, f"dp compares {counted(pairs)} pairs of values, {each}", enough=True)


def refuse_databases(model: Model, max_rows: int) -> None:
    """Refuse to list all databases where they, or their results, are too many, before any work.

    Raises:
        LimitError: where |T|^n·n, or |T|^n times the results on a database, is above `max_rows`.

    """
    number, size = len(model.values), model.size
    check_size(number**size * size, max_rows, f"dp compares {size} times {number}^{size} databases")
    most, statistic = most_results(model), model.mechanism.statistic
    check_size(number**size * most, max_rows, f"there are {number}^{size} databases with up to {most:,} results each")
    if statistic is None:
        most = len(model.mechanism.law((0,) * size).outcomes)
        fact = f"there are {number}^{size} databases, the first of which has {most:,} results"
        check_size(number**size * most, max_rows, fact)
    if most > 1 and statistic is not None and statistic.operations is None:  # then no two laws are equal
        pairs = size * number**size * (number - 1)
        fact = f"dp compares {counted(pairs)} pairs of laws with up to {counted(most)} results each"
        refuse_pairs(pairs, pairs * most, max_rows, fact)


def scaled(first: Law, second: Law) -> tuple[InOrder, InOrder]:
    """The integer weights of two laws over their common denominator."""
    shared = lcm(first.denominator, second.denominator)
    scales = shared // first.denominator, shared // second.denominator
    return (
        InOrder((output, weight * scales[0]) for output, weight in first.items()),
        InOrder((output, weight * scales[1]) for output, weight in second.items()),
    )


def _databases(model: Model, record: int) -> Iterator[tuple[list[Law], int, Database]]:
    """Each context of a record, with the law for each of its values."""
    for others in cartesian(range(len(model.values)), repeat=model.size - 1):
        laws = [model.mechanism.law((*others[:record], v, *others[record:])) for v in range(len(model.values))]
        yield laws, 1, others


def _states(
    model: Model,
    statistic: Statistic,
    record: int,
    max_rows: int,
    known: dict[object, Contexts],
    laws: dict[Element, Law],
) -> Iterator[tuple[list[Law], int, Database]]:
    """The contexts of a record up to their sum: all that the mechanism sees of them. Each sum has its law made once."""
    number = len(model.values)
    signature = [tuple(statistic.draw(i, v)[0][0] for v in range(number)) for i in range(model.size)]
    other_elements = tuple(signature[:record] + signature[record + 1 :])
    if other_elements not in known:
        known[other_elements] = _contexts(statistic, other_elements, max_rows)
    for state, (count, first) in known[other_elements].items():
        sums = [statistic.add(state, element) for element in signature[record]]
        for total in sums:
            if total not in laws:
                laws[total] = statistic.finish(total)
        yield [laws[total] for total in sums], count, first


def _contexts(statistic: Statistic, other_elements: tuple[tuple[Element, ...], ...], max_rows: int) -> Contexts:
    """The sums of some records, each with its number of contexts and the first of them.

    States are kept in the order of their first contexts, so that the first way to a new state is its
    lexicographically first (`proofs/engines.md`).
    """
    states: Contexts = {statistic.zero: (1, ())}
    steps = 0
    for elements in other_elements:
        steps += len(states) * len(elements)
        check_size(steps, DP_STEPS * max_rows, f"dp would take more than {counted(DP_STEPS * max_rows)} steps")
        after: Contexts = {}
        for state, (count, first) in states.items():
            for v, element in enumerate(elements):
                new = statistic.add(state, element)
                if new in after:
                    after[new] = (after[new][0] + count, after[new][1])
                else:
                    after[new] = (count, (*first, v))
        states = after
        rows = PAIR * len(states) * (len(other_elements) + 1)
        fact = f"dp reaches at least {len(states):,} partial results for each of {len(other_elements) + 1:,} records"
        check_size(rows, max_rows, f"{fact}, which count as {counted(rows)} rows, {PAIR} for each result")
    return states


MANY = 100_000
"""Above this many records, the targets are not counted but guessed: the estimate is of no law anyway."""


PAIR = 16
"""Rows of the limit that a pair of laws counts as; so many of its probabilities count as another row."""


FEW = 1 << 12
"""Rows that are always compared, however low the limit is."""


def refuse_pairs(pairs: int, probabilities: int, max_rows: int, fact: str) -> None:
    """Refuse to compare too many pairs of laws, which have so many probabilities together, before any pair is made.

    A pair counts as `PAIR` rows, and `PAIR` of its probabilities as another one. `fact` begins the message.

    Raises:
        LimitError: with the number of rows.

    """
    rows = pairs * PAIR + probabilities // PAIR
    check_size(rows, max(max_rows, FEW), f"{fact}, which count as {counted(rows)} rows", enough=True)
