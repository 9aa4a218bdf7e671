"""What the definitions compare: pairs of laws on databases, by name, before any mechanism is looked at.

A law on databases is named, not computed: *θ given B̂ and S = a* (`Given`), *that, with the record set to b*
(`Replaced`), *this database* (`Point`). S is the value of the protected record, or another sensitive attribute. The
law of outputs that belongs to a name is Σ_D p(D)·M(D), up to its total; the caller says what p(D) and M(D) are:
integers, columns of many models, unknowns of a solver. Nothing is divided here and nothing is decided.

An engine answers a name by its own means (rows, columns, sums). A comparison lists all its knowledge values with their
weights P[B̂ | θ, S = a]; the aggregation decides whether the worst of them counts or the average.

A builder lists the groups of rows of one θ and one sensitive attribute. A row is compared where every name in its
`where` has positive mass. Each group is one comparison, of which the aggregation takes the worst row or the average.

Where a record is changed (`counterfactual_name`, `posterior_name`, `neighbouring_name`) it is there before and after:
the value that says that a record is absent is none of its values. Where θ is conditioned on a value
(`conditional_name`), it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from verifier.definitions.compared_kinds import CONDITIONAL, COUNTERFACTUAL, NEIGHBOURS, POSTERIOR, About, Comparisons
from verifier.definitions.comparison import HOCKEY_STICK, AnyPair, Comparison, ComparisonSet, Pair, Term, pair_of
from verifier.definitions.neighbour_pools import Alike, Columns, Factors
from verifier.definitions.verdict import RECORD, ComparedLaw, TwoLaws
from verifier.engine import Engine, Joint, KnowledgeCase, Neighbours
from verifier.engine.enumerated import Output, refuse_pairs, scaled
from verifier.engine.pushforward import Pushforward
from verifier.errors import InputError, LimitError
from verifier.model import Database, Model, Secret, Theta, check_size, counted, replaced
from verifier.model.neighbours import CHANGE, NamedRelation, relation_on
from verifier.numbers import Symbolic, inverses, lowest
from verifier.tables import Integer, Label, Law, collected, in_order

if TYPE_CHECKING:
    from verifier.definitions.definition import Definition
    from verifier.definitions.verdict import Question, Verdict

FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"
"""The two orders of a row whose laws are of different kinds, as witnesses name them."""


class Given(NamedTuple):
    """θ given B̂ and S = value; where `known` is None, given S = value alone."""

    known: Any
    value: Any

    @property
    def event(self) -> Given:
        """The event whose mass is the total of the law."""
        return self


class Replaced(NamedTuple):
    """The law of D with the record set to `by`, where D is from θ given B̂ and S = value."""

    known: Any
    value: Any
    by: Any

    @property
    def event(self) -> Given:
        """The event whose mass is the total of the law."""
        return Given(self.known, self.value)


class Point(NamedTuple):
    """One database, possible or not."""

    database: tuple[int, ...]

    @property
    def event(self) -> None:
        """A point has mass 1."""


Name: TypeAlias = Given | Replaced | Point
"""A law on databases."""


class NamedRow(NamedTuple):
    """P against Q: one law each, or for beliefs one law for each value of S, in the same order."""

    p: tuple[Name, ...]
    q: tuple[Name, ...]
    where: tuple[Given, ...] = ()

    @property
    def event(self) -> Given | None:
        """The event that P is conditioned on; its mass is the weight of the row in an average."""
        return self.p[0].event


class RowGroup(NamedTuple):
    """The rows of one comparison, and the `orders` in which P and Q are compared.

    It is compared only where every event in `where` has positive mass.
    """

    a: Any
    b: Any
    rows: tuple[NamedRow, ...]
    orders: tuple[str, ...] = ("",)
    where: tuple[Given, ...] = ()


@dataclass(frozen=True)
class BuilderCase:
    """What a builder sees of one θ and one sensitive attribute S."""

    values: Sequence[Any]
    """T, the values that a record can have."""
    domain: Sequence[Any]
    """The values of S."""
    knowledge: Sequence[Hashable]
    """The knowledge values B̂ that are possible."""
    positions: tuple[int, int]
    """The number of records, and the position of the protected one."""
    absent: Any
    """The value of a record that is not there, spelled as in `values`; None where there is no such value."""

    def present(self, values: Sequence[Any]) -> list[Any]:
        """The values that a record can have which is there: only between these is a record changed."""
        return [value for value in values if value != self.absent]

    def possible(self, known: Hashable, *values: Any) -> bool:
        """Whether S can take each of the values given B̂; without B̂ (None), for some B̂."""
        raise NotImplementedError


Builder: TypeAlias = Callable[[BuilderCase, str], Iterator[RowGroup]]
"""Lists what is compared for one θ and one sensitive attribute, under a reading."""


def ordered(values: Sequence[Any], reading: str) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs (a, b) of different values: in both orders, or under `one-order` with a listed before b."""
    for x, a in enumerate(values):
        for y, b in enumerate(values):
            if x != y and (reading != "one-order" or x < y):
                yield a, b


def conditional_name(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) given B̂ and S = a against M(D) given B̂ and S = b (DMKB20, Definitions 3, 12 and 13).

    Under `infinite-loss` a B̂ that excludes b is compared too: Q then has mass 0.
    """
    lossy = reading == "infinite-loss"
    for a, b in ordered([value for value in case.domain if case.possible(None, value)], reading):
        rows = tuple(
            NamedRow((Given(known, a),), (Given(known, b),), (Given(known, a),) if lossy else _both(known, a, b))
            for known in case.knowledge
            if (case.possible(known, a) if lossy else case.possible(known, a, b))
        )
        yield RowGroup(a, b, rows, where=(Given(None, b),) if lossy else ())


def counterfactual_name(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) against M(D with i set to b), both given B̂ and D(i) = a, in both directions (DMKB20, Definition 5).

    b is possible given B̂; under `all-values` any value of T.
    """
    every = reading == "all-values"
    for a, b in product(case.present(case.domain), case.present(case.values)):
        if a == b or not case.possible(None, a):
            continue
        rows = tuple(
            NamedRow((Given(known, a),), (Replaced(known, a, b),), (Given(known, a),) if every else _both(known, a, b))
            for known in case.knowledge
            if (case.possible(known, a) if every else case.possible(known, a, b))
        )
        yield RowGroup(a, b, rows, _orders(reading))


def posterior_name(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """D(i) given B̂ and M(D) = t against D(i) given B̂ and M(D with i set to b) = t (DMKB20, Definition 6).

    b is any value of T (under `possible-values` one that B̂ leaves possible); t is any output that both can produce.
    """
    only_possible = reading == "possible-values"
    for b, known in product(case.present(case.values), case.knowledge):
        if only_possible and not case.possible(known, b):
            continue
        values = [value for value in case.present(case.domain) if case.possible(known, value)]
        if not values:  # of many models at once, no one may have this B̂
            continue
        factual = tuple(Given(known, value) for value in values)
        changed = tuple(Given(known, value) if value == b else Replaced(known, value, b) for value in values)
        row = NamedRow(factual, changed, (Given(known, b),) if only_possible else ())
        yield RowGroup(None, b, (row,), _orders(reading))


def neighbouring_name(case: BuilderCase, reading: str) -> Iterator[RowGroup]:
    """M(D) against M(D′) for all databases of Tⁿ that differ in one record (DMKB20, Definition 2)."""
    size, record = case.positions
    for a, b in ordered(case.present(case.values), reading):
        for others in product(range(len(case.values)), repeat=size - 1):
            first, second = ((*others[:record], case.values.index(v), *others[record:]) for v in (a, b))
            yield RowGroup(a, b, (NamedRow((Point(first),), (Point(second),)),))


def _both(known: Hashable, a: Any, b: Any) -> tuple[Given, ...]:
    return Given(known, a), Given(known, b)


def _orders(reading: str) -> tuple[str, ...]:
    return (FORWARD,) if reading == "one-order" else (FORWARD, BACKWARD)


def weights(name: Name, worlds: Sequence[tuple[Any, Hashable, Hashable, Any]], record: int) -> dict[Any, Any]:
    """Expand a name: p(D) for each database D, up to its total; the weights may be of any commutative ring.

    `worlds` lists (D, B̂, S, weight). Every engine that is faster is compared with this one.

    >>> worlds = [((0, 0), "k", 0, 2), ((1, 0), "k", 1, 3), ((1, 1), "k", 1, 5)]
    >>> weights(Given("k", 1), worlds, 0)
    {(1, 0): 3, (1, 1): 5}
    >>> weights(Replaced("k", 1, 0), worlds, 0)
    {(0, 0): 3, (0, 1): 5}

    Raises:
        InputError: for a name that is no `Given`, `Replaced` or `Point`.

    """
    if isinstance(name, Point):
        return {name.database: 1}
    if not isinstance(name, Given | Replaced):
        raise InputError(f"{name!r} is not the name of a law", wanted="Given, Replaced or Point")
    total: dict[Any, Any] = {}
    for database, known, value, weight in worlds:
        if value == name.value and name.known in {None, known}:
            at = database
            if isinstance(name, Replaced):
                at = (*database[:record], name.by, *database[record + 1 :])
            total[at] = total[at] + weight if at in total else weight
    return total


@dataclass(frozen=True)
class Worlds(BuilderCase):
    """A case that is listed: the possible worlds of θ as rows (D, B̂, S, weight)."""

    worlds: Sequence[tuple[Any, Hashable, Hashable, Any]]

    @cached_property
    def _events(self) -> dict[tuple[Hashable, Hashable], list[tuple[Any, Hashable, Hashable, Any]]]:
        """The worlds of each (B̂, S), and of each S alone."""
        return collected(((known, world[2]), world) for world in self.worlds for known in (world[1], None))

    def mass(self, event: Given) -> Any:
        """The total weight of the worlds in an event."""
        return sum(weight for *_, weight in self._events.get(event, ()))

    def possible(self, known: Hashable, *values: Any) -> bool:
        """Whether S can take each of the values given B̂; without B̂ (None), for some B̂."""
        return all((known, value) in self._events for value in values)

    def law(self, name: Name) -> dict[Any, Any]:
        """The weights of a law on databases, up to their total."""
        worlds = () if name.event is None else self._events.get(name.event, ())
        return weights(name, worlds, self.positions[1])


KEPT = 4
"""How much more a probability of a pair counts that is kept until all pairs are compared."""
MAX_POSTERIORS = 1 << 17
"""Largest number of posterior probabilities that are compared."""


@dataclass(frozen=True)
class EngineCase(BuilderCase):
    """One θ and one sensitive attribute of an engine's model, with the laws of its names; B̂ by their keys."""

    engine: Engine
    theta: Theta
    secret: Secret
    members: int
    joint: Joint

    @cached_property
    def _masses(self) -> dict[Label, Integer]:
        return {value: self.joint.value_mass(value) for value in self.secret.domain}

    def refuse(self) -> None:
        """Refuse too many pairs of laws, of two values given B̂, before any is listed.

        Raises:
            LimitError: with the number of pairs.

        """
        pairs = probabilities = 0
        for case in self.joint.cases.values():
            pairs += len(case.laws) * (len(case.laws) - 1)
            lengths = (len(law.law.keys) if isinstance(law, Pushforward) else len(law) for law in case.laws.values())
            probabilities += sum(lengths) * (len(case.laws) - 1)
        fact = f"there are {counted(pairs)} pairs of values given what is known"
        refuse_pairs(pairs, KEPT * probabilities, self.engine.max_rows, fact)

    def possible(self, known: Hashable, *values: Label) -> bool:
        """Whether S can take each of the values given B̂; without B̂, for some B̂."""
        if known is None:
            return all(self._masses[value] for value in values)
        laws = self.joint.cases[known].laws
        return all(value in laws for value in values)

    def mass(self, event: Given | None) -> Integer:
        """The weight of the event that a law is conditioned on; 1 for a single database."""
        if event is None:
            return 1
        return self._masses[event.value] if event.known is None else self.case_of(event).masses[event.value]

    def case_of(self, event: Given | None) -> KnowledgeCase:
        """The knowledge value B̂ of the event that a law is conditioned on.

        Raises:
            TypeError: for a single database, which has none.

        """
        if event is None:
            raise TypeError("a database alone has no knowledge value: the engine lists neighbours by itself")
        return self.joint.cases[event.known]

    def resolved(self, groups: Sequence[RowGroup]) -> Callable[[Name], Output | None]:
        """The law of outputs of each name in the groups; None where the conditioning event is impossible.

        Only the counterfactuals that the groups name are made, so that no other database is reached.
        """
        replaced_given: dict[Label, dict[Any, KnowledgeCase]] = {}
        for group in groups:
            for row in group.rows:
                for name in row.q:
                    if isinstance(name, Replaced):
                        replaced_given.setdefault(name.by, {})[name.known] = self.case_of(name.event)
        changed = {
            by: self.engine.counterfactual(self.theta, self.secret, self.values.index(by), cases.values())
            for by, cases in replaced_given.items()
        }

        def law(name: Name) -> Output | None:
            joint = changed[name.by] if isinstance(name, Replaced) else self.joint
            event = name.event
            if event is None:
                raise TypeError("a database alone has no conditional law: the engine lists neighbours by itself")
            return joint.cases[event.known].laws.get(event.value)

        return law


def listed_cases(engine: Engine) -> Iterator[EngineCase]:
    """Yield the case of each θ and sensitive attribute; one record stands for all that are interchangeable with it."""
    for theta in engine.model.thetas:
        for secret, members in engine.targets(theta):
            joint, positions = engine.factual(theta, secret), (engine.model.size, secret.record or 0)
            seen = engine.model.values, secret.domain, tuple(joint.cases), positions, engine.model.absent
            yield EngineCase(*seen, engine, theta, secret, members, joint)


Naming: TypeAlias = "Callable[[Model, Named, Label | None, str], TwoLaws]"
"""Names both laws of a comparison as data, from B̂ and the order in which they are compared."""
View: TypeAlias = Callable[[EngineCase, list[RowGroup]], Iterator[Comparison]]
"""Makes comparisons of the laws that groups of rows name: of laws of outputs, or of posteriors."""


def outputs(laws: EngineCase, groups: list[RowGroup]) -> Iterator[Comparison]:
    """Yield the comparisons of laws of outputs: for each group and each of its orders one, with all rows as terms."""
    law = laws.resolved(groups)
    for group in groups:
        resolved = [(laws.case_of(row.event), law(row.p[0]), law(row.q[0]), laws.mass(row.event)) for row in group.rows]
        if not resolved:
            continue
        total = laws.mass(Given(None, group.a))
        for order in group.orders:
            terms = tuple(Term(mass, _pair(case, p, q, order)) for case, p, q, mass in resolved)
            yield Comparison(laws.theta.name, laws.secret.record, group.a, group.b, terms, laws.members, total=total)


def _pair(case: KnowledgeCase, p: Output | None, q: Output | None, order: str) -> AnyPair:
    """P against Q in an order; only the law that is compared against may not exist."""
    first, second = (q, p) if order == BACKWARD else (p, q)
    if first is None:
        raise ArithmeticError("a law is compared that is conditioned on an impossible event")
    return pair_of(case, first, second, order)


def posteriors(laws: EngineCase, groups: list[RowGroup]) -> Iterator[Comparison]:
    """Yield the comparisons of laws of S given an output t, for each order and each t that both sides can produce.

    Raises:
        LimitError: for more than `MAX_POSTERIORS` probabilities, before they are made.

    """
    _refuse_posteriors(laws.joint, len(laws.values))
    law = laws.resolved(groups)
    factual: dict[tuple[Name, ...], dict[Label, dict[Label, int]]] = {}
    for group in groups:
        for row in group.rows:
            case = laws.case_of(row.event)
            if row.p not in factual:
                factual[row.p] = _jointly(case, row.p, law)
            first, second = factual[row.p], _jointly(case, row.q, law)
            for t in in_order(first):
                if t not in second:
                    continue
                for order in group.orders:
                    p, q = (second[t], first[t]) if order == BACKWARD else (first[t], second[t])
                    values = tuple(v for v in laws.secret.domain if v in p or v in q)
                    weights = [tuple(beliefs.get(v, 0) for v in values) for beliefs in (p, q)]
                    pair = Pair(case, values, weights[0], weights[1], order)
                    yield Comparison(
                        laws.theta.name,
                        laws.secret.record,
                        group.a,
                        group.b,
                        (Term(1, pair),),
                        laws.members,  # those of B̂ are counted where each pair is taken by itself
                        output=t,
                    )


def _refuse_posteriors(joint: Joint, values: int) -> None:
    """Refuse too many posteriors before they are made: each output of each B̂, for each b and each value of D(i)."""
    laws = [law for case in joint.cases.values() for law in case.laws.values()]
    number = values * sum(len(law.law.keys) if isinstance(law, Pushforward) else len(law) for law in laws)
    if number > MAX_POSTERIORS:
        raise LimitError(
            f"the posteriors have {number:,} probabilities",
            wanted=f"at most {MAX_POSTERIORS:,}",
            tip="use fewer records, values, outputs or knowledge values",
        )


def _jointly(
    case: KnowledgeCase, names: Sequence[Name], law: Callable[[Name], Output | None]
) -> dict[Label, dict[Label, int]]:
    """P[S = v, output = t | B̂] by t and v, up to a factor for each t."""
    laws: dict[Label, Mapping[Label, int]] = {}
    for name in names:
        event, output = name.event, law(name)
        if event is None or output is None:
            raise ArithmeticError("a belief is asked for that is conditioned on an impossible event")
        laws[event.value] = output.weights if isinstance(output, Pushforward) else output
    scales = inverses({value: sum(weights.values()) for value, weights in laws.items()})
    joint: dict[Label, dict[Label, int]] = {}
    for value, weights in laws.items():
        mass = case.masses[value]
        mass = (mass if isinstance(mass, Symbolic) else int(mass)) * scales[value]
        for t, weight in weights.items():
            if weight:
                joint.setdefault(t, {})[value] = mass * weight
    return {t: dict(zip(beliefs, lowest(tuple(beliefs.values())), strict=True)) for t, beliefs in joint.items()}


@dataclass(frozen=True)
class Comparing(Comparisons):
    """Lists comparisons: a builder names the laws, a view compares them; `kind` is that of their witnesses.

    `about` is what it compares: its name in recipes and conventions, and in words.
    """

    kind: str
    about: About
    builder: Builder
    view: View
    reach: str = "possible"
    """Where the mechanism matters: on `possible` databases, on those after a `change` of a record, or on `all`."""
    lists_knowledge: bool = False
    """Whether a comparison has a pair of laws for each B̂ that is possible, over which an average may be taken."""
    naming: Naming | None = None
    """Names the two laws as data, where they are of some θ."""

    def laws(self, model: Model, compared: Comparison, pair: AnyPair | None = None) -> TwoLaws | None:
        """The two laws of a comparison as data: of two databases, or as `naming` names them."""
        if self.naming is None or compared.databases is not None:
            return super().laws(model, compared)
        known = None if pair is None else pair.knowledge
        return self.naming(model, compared, known, "" if pair is None else pair.direction)

    @property
    def merges_outputs(self) -> bool:  # type: ignore[override]
        """Whether laws of whole outputs are compared; else beliefs after each of them."""
        return self.view is outputs

    @property
    def replaces_a_record(self) -> bool:
        """Whether the value of a record is replaced, so that databases matter that need not be possible."""
        return self.reach != "possible"

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        """List the comparisons on the engine's model, for each θ and sensitive attribute; of `all` databases without θ.

        Raises:
            LimitError: for more pairs of databases than the engine's limit.

        """
        if self.reach == "all":
            yield from databases(engine, self.builder, reading)
            return
        for secret in engine.model.secrets[:1]:
            pairs = len(secret.domain) * (len(secret.domain) - 1)
            fact = f"there are {counted(pairs)} pairs of values of what is protected"
            check_size(pairs, engine.max_rows, fact, enough=True)
        for laws in listed_cases(engine):
            laws.refuse()
            groups = list(self.builder(laws, reading))
            yield ComparisonSet(laws.theta.name, laws.secret.record, tuple(self.view(laws, groups)), laws.members)


@dataclass(frozen=True)
class ComparingNeighbours(Comparing):
    """Lists the comparisons of neighbours, whatever θ is; the engine lumps pairs with equal laws into one.

    Of multisets these are the pairs of one size that differ in one tuple, by the relation of DP22's Definition 14.
    """

    def fits(self, definition: Definition, model: Model) -> None:
        """Refuse no model of databases; a recipe of one's own has those of one size alone."""
        if model.sizes is None or definition.own:
            super().fits(definition, model)

    def relation(self, model: Model) -> NamedRelation:
        """One record is replaced, where the file names no other neighbours."""
        return relation_on(model, model.policy.neighbours or CHANGE.name)

    def qualified(self, question: Question, verdict: Verdict) -> Verdict:
        """The verdict about all pairs of neighbours; of multisets the answer says which these are."""
        model = question.engine.model
        if model.sizes is None:
            return verdict
        relation = self.relation(model)
        steps = "one is replaced (dps adds and removes one)" if relation.name == CHANGE.name else relation.words
        compared = f"over all multisets of {model.sizes[0]} to {model.sizes[1]} tuples; {steps}"
        return replace(verdict, note="; ".join(filter(None, (verdict.note, compared))))

    def __call__(self, engine: Engine, reading: str) -> Iterator[ComparisonSet]:
        """List the comparisons on the engine's model, for each record."""
        one_order = reading == "one-order"
        columns = engine.adjacent(one_order=one_order)
        if columns is not None:
            for adjacent in columns:
                comparison = partial(_neighbouring, engine.model, 1)
                yield ComparisonSet(None, adjacent.record, Columns(adjacent, comparison, HOCKEY_STICK))
            return
        factored = engine.factored(one_order=one_order)
        if factored:
            for factors in factored:
                comparison = partial(_neighbouring, engine.model, factors.members)
                pool = Factors(factors, comparison, HOCKEY_STICK) if len(factors) else ()
                yield ComparisonSet(None, factors.record, pool, factors.members)
            return
        in_laws = engine.pairs_of_laws(one_order=one_order)
        if in_laws is not None:
            comparison, none = partial(_neighbouring, engine.model, 1), True
            for record, pairs in in_laws:
                none = False
                yield ComparisonSet(None, record, Alike(pairs, comparison, HOCKEY_STICK) if pairs else ())
            if none:
                yield from (ComparisonSet(None, secret.record, ()) for secret in engine.model.secrets)
            return
        listed: dict[int, list[Comparison]] = {}
        alike: dict[int, int] = {}
        for pair, members in engine.neighbours():
            alike[pair.record] = members
            of_record = listed.setdefault(pair.record, [])
            if not one_order or pair.a < pair.b:
                of_record.append(_neighbouring(engine.model, members, pair))
        for record, comparisons in listed.items():
            yield ComparisonSet(None, record, tuple(comparisons), alike[record])
        if not listed:
            yield from (ComparisonSet(None, secret.record, ()) for secret in engine.model.secrets)


def databases(engine: Engine, builder: Builder, reading: str) -> Iterator[ComparisonSet]:
    """Yield the comparisons of the databases that a builder names, possible or not, for each sensitive attribute.

    Pairs with the same values and laws are one comparison; its databases are those of the first.
    """
    model, listed = engine.model, 0
    for secret in model.secrets:
        alike: dict[tuple[Any, Any, Law, Law], list[tuple[Database, Database]]] = {}
        positions = model.size, secret.record or 0
        for group in builder(BuilderCase(model.values, secret.domain, (), positions, model.absent), reading):
            for row in group.rows:
                listed += 1
                check_size(listed, engine.max_rows, f"there are at least {counted(listed)} pairs of databases")
                first, second = pair = _two_databases(row)
                key = group.a, group.b, model.mechanism.law(first), model.mechanism.law(second)
                alike.setdefault(key, []).append(pair)
        comparisons = []
        for (a, b, p, q), pairs in alike.items():
            shown = partial(tuple[Database, Database], pairs[0])
            terms = (Term(1, pair_of(None, *scaled(p, q))),)
            comparisons.append(Comparison(None, secret.record, a, b, terms, len(pairs), shown))
        yield ComparisonSet(None, secret.record, tuple(comparisons))


def _two_databases(row: NamedRow) -> tuple[Database, Database]:
    """The databases of a row of points.

    Raises:
        TypeError: for a law that is conditioned on something, which is of some θ.

    """
    p, q = row.p[0], row.q[0]
    if not isinstance(p, Point) or not isinstance(q, Point):
        raise TypeError("a law given B̂ and S = a is of some θ: where `reach` is all, a builder names databases alone")
    return p.database, q.database


def two_values(model: Model, named: Named, known: Label | None, order: str) -> TwoLaws:  # noqa: ARG001
    """θ given B̂ and S = a, and given B̂ and S = b."""
    law = ComparedLaw(distribution=named.distribution, knowledge=known, record=named.record)
    return replace(law, value=named.a), replace(law, value=named.b)


def left_or_set(model: Model, named: Named, known: Label | None, order: str) -> TwoLaws:
    """θ given B̂ and D(i) = a, and the same after D(i) is set to b.

    Of a posterior there is no a: the record is there, and an output is seen.
    """
    law = ComparedLaw(distribution=named.distribution, knowledge=known, record=named.record, value=named.a)
    if named.output is not None:
        law = replace(law, about=RECORD, output=named.output, present=None if model.absent is None else True)
    changed = replace(law, set_to=named.b)
    return (changed, law) if order == BACKWARD else (law, changed)


def _neighbouring(model: Model, members: int, pair: Neighbours) -> Comparison:
    """The comparison of two neighbours, whose record stands for `members` records."""

    def databases() -> tuple[Database, Database]:
        first = pair.database()
        return first, replaced(first, pair.record, pair.b)

    term, count = Term(1, pair_of(None, pair.first, pair.second)), pair.multiplicity * members
    return Comparison(None, pair.record, model.values[pair.a], model.values[pair.b], (term,), count, databases)


class Named(Protocol):
    """What names a comparison: θ, the record, and two values of it; the output whose posteriors are compared."""

    @property
    def distribution(self) -> str | None:
        """The name of θ."""

    @property
    def record(self) -> int | None:
        """The record; None where a function is protected."""

    @property
    def a(self) -> Label | None:
        """The first value."""

    @property
    def b(self) -> Label | None:
        """The second value."""

    @property
    def output(self) -> Label | None:
        """The output that is seen."""


def comparing(definition: Definition) -> Comparing | None:
    """The `Comparing` that lists a definition's comparisons; None where something else lists or decides them."""
    return definition.compare if isinstance(definition.compare, Comparing) else None


conditional = Comparing(
    "conditional",
    About(CONDITIONAL, "θ given B̂ and one value of a record with θ given B̂ and another"),
    conditional_name,
    outputs,
    lists_knowledge=True,
    naming=two_values,
)
counterfactual = Comparing(
    "counterfactual",
    About(
        COUNTERFACTUAL,
        "θ given B̂ and a value of a record with the same databases after the record is set to another",
    ),
    counterfactual_name,
    outputs,
    "change",
    lists_knowledge=True,
    naming=left_or_set,
)
posterior = Comparing(
    "posterior",
    About(POSTERIOR, "the belief about a record after an output with the belief if the record had been another"),
    posterior_name,
    posteriors,
    "change",
    naming=left_or_set,
)
neighbouring = ComparingNeighbours(
    "neighbours",
    About(
        NEIGHBOURS,
        "two databases that differ in the value of one record",
        "nothing is compared: there is one value",
    ),
    neighbouring_name,
    outputs,
    "all",
)
COMPARISONS: dict[str, Comparing] = {
    comparing.about.subject: comparing for comparing in (conditional, counterfactual, posterior, neighbouring)
}
"""The comparisons by name, for recipes."""
