"""Two laws, P and Q, as they come: a model of one record with these two values, and how well an attacker tells them.

Every definition applies to that model as to any other. What is asked here besides is of the two laws alone: ε at δ and
δ at ε, the curve of the best tests, what an attacker gains who sees one output, Rényi divergences of several orders,
and the ρ of zero-concentrated privacy. An event S speaks for P against Q where it is likely under P and unlikely under
Q; the other direction exchanges the two, and the larger number counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.definitions import Verdict
from verifier.definitions.answer import Decimal, Valued, header
from verifier.definitions.comparison import MeasurePair
from verifier.definitions.measures.concentrated import smallest_rho
from verifier.definitions.measures.divergence import renyi_of_order
from verifier.definitions.measures.losses import losses_of
from verifier.definitions.own import law_pair
from verifier.errors import InputError
from verifier.model import Model, arguments, build
from verifier.model.arguments import takes
from verifier.model.plain import plain
from verifier.model.table_files import named_file, pair_laws
from verifier.numbers import (
    NO_VALUE,
    ZERO,
    Delta,
    Enclosure,
    Epsilon,
    delta_bound,
    exact_text,
    probability,
    rational,
    shorten,
    with_decimal,
)
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.reals import enclosure
from verifier.profile import Classes, Profile, TradeOff, Vertex, classes_of, maximum, runs_of
from verifier.questions.check import check
from verifier.questions.loss_mass import is_loss_mass
from verifier.tables import Law, label

P, Q = "P", "Q"
FORWARD, BACKWARD, EITHER = "P against Q", "Q against P", "both"
"""The directions: which law an event is likely under, and unlikely."""
HALF = Fraction(1, 2)
ORDERS = (Fraction(2), Fraction(8), Fraction(32))
"""The Rényi orders of an answer, where none are asked for."""
MOST_FOR_ALL_ORDERS = 2000
"""Most outputs of a pair for which the ρ of all orders is enclosed."""
FALSE_ALARMS = Fraction(1, 100)
"""The rate of false alarms at which an attacker is asked about, where none is asked for."""


@dataclass(frozen=True)
class Direction:
    """One law against the other: the events that are likely under the first and unlikely under the second."""

    name: str
    laws: MeasurePair

    @cached_property
    def profile(self) -> Profile:
        """The least δ at each ε: Σ max(0, P - e^ε·Q)."""
        return self.laws.profile

    def delta_at(self, epsilon: object) -> Delta:
        """The least δ at ε, of this direction alone."""
        return self.profile.delta(epsilon)

    def epsilon_at(self, delta: object) -> Epsilon:
        """The least ε ≥ 0 at δ, of this direction alone."""
        return self.profile.epsilon(delta)

    def renyi(self, order: object) -> Epsilon | Enclosure:
        """The Rényi divergence of a rational order above 1, in nats."""
        return enclosure(renyi_of_order(read_order(order)).value(self.laws, Fraction(0)))

    @cached_property
    def zcdp(self) -> Epsilon | Enclosure:
        """The least ρ with D_α ≤ ρ·α for all orders α > 1."""
        return enclosure(smallest_rho(losses_of(self.laws), Fraction(0), None))

    @cached_property
    def best_tests(self) -> TradeOff:
        """The tests that recognize the first law best."""
        return TradeOff.of(zip(self.laws.p, self.laws.q or (), strict=True))

    @cached_property
    def trade_off(self) -> tuple[Vertex, ...]:
        """The vertices (α, β) of the best tests: false alarms α under the second law, misses β under the first."""
        return self.best_tests.vertices

    def tpr(self, fpr: object) -> Fraction:
        """The largest P[S] of the first law among the events with Q[S] at most `fpr` under the second."""
        return self.best_tests.true_positive_rate(probability(fpr, "fpr"))


@dataclass(frozen=True)
class RawPair:
    """Two laws P and Q, and the model of one record with these two values, of which any definition can be asked.

    >>> coin = pair({"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"})
    >>> coin.epsilon_at("1/10"), coin.delta_at("ln(2)"), coin.advantage, coin.tpr("1/100")
    (<Epsilon ln(13/5)>, <Delta 1/4>, Fraction(1, 2), Fraction(3, 100))
    >>> coin.runs(10).epsilon_at("1/10")
    <Epsilon ln(755107/155)>
    """

    model: Model
    laws: MeasurePair
    prior: Fraction = HALF
    """The probability of P in the model, which counts for definitions with a prior and for the Bayes risk."""

    def __repr__(self) -> str:
        return f"<RawPair of {len(self.laws.outputs)} outputs: smallest ε {self.epsilon_at(0).text(20)}>"

    @property
    def p_against_q(self) -> Direction:
        """The events that are likely under P and unlikely under Q."""
        return self._directions[0]

    @property
    def q_against_p(self) -> Direction:
        """The events that are likely under Q and unlikely under P."""
        return self._directions[1]

    @cached_property
    def _directions(self) -> tuple[Direction, Direction]:
        laws = self.laws
        swapped = MeasurePair(None, laws.outputs, laws.q or (), laws.p, total=laws.total)
        return Direction(FORWARD, laws), Direction(BACKWARD, swapped)

    if TYPE_CHECKING:  # `verifier.show.on_demand` gives them, since this room comes before that one

        def bars(self, *, epsilon: object = ...) -> Any:
            """Draw both laws as bars, with `.save(path)`; what is hatched is δ at ε."""

        def tests(self, *, epsilon: object = ...) -> Any:
            """Draw the trade-off curve, with `.save(path)`."""

        def _repr_html_(self) -> str: ...

    @cached_property
    def profile(self) -> Profile:
        """The least δ at each ε, of both directions."""
        return maximum(direction.profile for direction in self._directions)

    def delta_at(self, epsilon: object) -> Delta:
        """The least δ at ε."""
        return self.profile.delta(epsilon)

    def epsilon_at(self, delta: object) -> Epsilon:
        """The least ε ≥ 0 at δ."""
        return self.profile.epsilon(delta)

    @property
    def advantage(self) -> Fraction:
        """The total variation distance: the largest P[S] - Q[S]."""
        return self.q_against_p.best_tests.advantage

    @property
    def trade_off(self) -> tuple[Vertex, ...]:
        """The vertices (α, β) of T(P, Q): false alarms α = P[S], misses β = 1 - Q[S]."""
        return self.q_against_p.trade_off

    def bayes_risk(self, prior: object = None) -> Fraction:
        """The least chance of a wrong guess, where P has this prior probability: min over tests of π·α + (1 - π)·β."""
        weight = self.prior if prior is None else probability(prior, "prior")
        return min(weight * alpha + (1 - weight) * beta for alpha, beta in self.trade_off)

    def tpr(self, fpr: object = FALSE_ALARMS) -> Fraction:
        """The largest rate at which one law is recognized, where the other is mistaken for it with rate `fpr`."""
        return max(direction.tpr(fpr) for direction in self._directions)

    def runs(self, times: object) -> RawPair:
        """The pair of independent runs, each class of lists of outputs with one likelihood ratio as one output.

        Raises:
            LimitError: where there are too many classes, or their masses are too long; before the work.

        """
        number = arguments.number(1)(times, "times")
        single = classes_of(zip(self.laws.p, self.laws.q or (), strict=True), self.laws.total)
        together = runs_of([(single, number)])
        return of_classes(together, self.prior, f"{number} runs of {self.model.title}")

    def answer(
        self,
        *,
        epsilons: Sequence[object] = (),
        deltas: Sequence[object] = (0,),
        orders: Sequence[object] = ORDERS,
        fprs: Sequence[object] = (FALSE_ALARMS,),
        replay: bool = True,
    ) -> PairAnswer:
        """What `pkdp pair` prints: the numbers are those of `dp`, `renyidp` and `zcodp` on the model, re-checked."""
        return answer_about(self, epsilons, deltas, orders, fprs, replay=replay)


def of_classes(classes: Classes, prior: Fraction, title: str) -> RawPair:
    """The pair with an output for each likelihood ratio, numbered by falling P/Q."""
    rows = classes.rows
    total = classes.denominator
    laws = [{f"#{k}": Fraction(row[side], total) for k, row in enumerate(rows, start=1)} for side in (0, 1)]
    return _made(laws[0], laws[1], prior, title)


def _made(p: Mapping[Any, Any], q: Mapping[Any, Any], prior: Fraction, title: str) -> RawPair:
    """The pair of two tables of probabilities."""
    model = build(**_tables(p, q, prior, title))
    both = MeasurePair.of(law_pair(model.mechanism.law((0,)), model.mechanism.law((1,))))
    return RawPair(model, both, prior)


def _tables(p: Mapping[Any, Any], q: Mapping[Any, Any], prior: Fraction, title: str) -> dict[str, Any]:
    """The model of one record with the values P and Q, as a model file has it."""
    rows = [{"database": [name], "outputs": dict(law)} for name, law in ((P, p), (Q, q))]
    return {
        "title": title,
        "size": 1,
        "values": [P, Q],
        "distribution": [{"name": "prior", "iid": {P: prior, Q: 1 - prior}}],
        "mechanism": {"table": rows},
    }


@takes(prior=arguments.optional(probability), title=arguments.text)
def pair(p: Any, q: Any = None, *, mechanism: Any = None, prior: object = None, title: str = "P and Q") -> RawPair:
    """Two laws as a pair: tables from outputs to probabilities, or lists of probabilities of the same outputs.

    With `mechanism`, a model or a function of a database, `p` and `q` are two databases. `p` alone is the name of a
    file: CSV with the columns output,p,q, or JSON `{"p": {…}, "q": {…}}`. Probabilities sum to 1 exactly; nothing is
    normalized. `prior` is the probability of P in the model, which only definitions with a prior read.

    >>> pair(["1/2", "1/2", 0], [0, "1/2", "1/2"]).epsilon_at("1/2"), pair([1, 0], [1, 0]).advantage
    (<Epsilon 0>, Fraction(0, 1))

    Raises:
        InputError: for what is no law, and for probabilities that do not sum to 1.
        InexactError: for a float.

    """
    weight = HALF if prior is None else prior
    if not isinstance(weight, Fraction):
        raise TypeError("the prior is read")
    if mechanism is not None:
        laws = [_law_on(mechanism, database, place) for database, place in ((p, "p"), (q, "q"))]
    elif q is None and (isinstance(p, Path) or named_file(p)):
        return of_file(Path(p), weight)
    elif q is None:
        wanted = "two laws, or the name of a file that ends in .csv or .json"
        tip = 'pk.pair({"yes": "3/4", …}, {…})'
        if is_loss_mass(p):
            tip = "pk.loss_mass(…) reads the masses of privacy losses, whose ratios e^(i·h) are not rational"
        raise InputError("there is one law", where="q", wanted=wanted, tip=tip)
    else:
        laws = [_law(given, place) for given, place in ((p, "p"), (q, "q"))]
        if len({isinstance(given, Mapping) for given in (p, q)}) == 2:
            raise InputError("one law is a table and one is not", where="q", wanted="two tables, or two lists")
        if not isinstance(p, Mapping) and len(laws[0]) != len(laws[1]):
            problem = f"the lists have {len(laws[0])} and {len(laws[1])} entries"
            raise InputError(problem, where="q", wanted="the same outputs, in the same order")
    return _made(laws[0], laws[1], weight, title)


def of_file(path: Path, prior: object) -> RawPair:
    """The pair in a file, CSV or JSON, named as the file; errors as `pair`."""
    laws = [_law(given, place) for given, place in zip(pair_laws(path), "pq", strict=True)]
    made = _made(laws[0], laws[1], probability(prior, "prior"), path.stem)
    return replace(made, model=replace(made.model, path=str(path)))


def _law(given: Any, place: str) -> dict[str, Fraction]:
    """A law as a table of exact probabilities; the outputs of a list are numbered from 0."""
    read = plain(given, place)
    if isinstance(read, str) or not isinstance(read, Mapping | list):
        wanted = "a table from outputs to probabilities, or a list of probabilities"
        raise InputError(f"{shorten(given)} is not a law", where=place, wanted=wanted)
    table = read if isinstance(read, Mapping) else dict(enumerate(read))
    law = {label(o, place): probability(weight, f"{place}[{shorten(o)}]") for o, weight in table.items()}
    Law.from_fractions(law, place)
    return {output.text: weight for output, weight in law.items()}


def _law_on(mechanism: Any, database: Any, place: str) -> dict[str, Fraction]:
    """The law of a mechanism, a model or a function, on a database."""
    if not isinstance(database, list | tuple):
        raise InputError(f"{shorten(database)} is not a database", where=place, wanted="a list of values")
    if not isinstance(mechanism, Model):
        values = list(dict.fromkeys(label(value, place) for value in database))
        mechanism = build(size=len(database), values=[value.shown for value in values], mechanism=mechanism)
    size = mechanism.size
    if len(database) != size and mechanism.sizes is None:
        raise InputError(f"the database has {len(database)} records", where=place, wanted=f"{size}")
    texts = {value.text: k for k, value in enumerate(mechanism.values)}
    spelled = [label(value, place) for value in database]
    stranger = next((value for value in spelled if value.text not in texts), None)
    if stranger is not None:
        known = ", ".join(value.text for value in mechanism.values[:12])
        raise InputError(f"{stranger.text} is not a value of the model", where=place, wanted=f"one of {known}")
    law = mechanism.mechanism.law(tuple(texts[value.text] for value in spelled))
    return {output.text: chance for output, chance in law.chances()}


def read_order(raw: object, where: str = "order") -> Fraction:
    """A rational Rényi order above 1."""
    order = rational(raw, where, "an order")
    if order <= 1:
        raise InputError(f"the order {shorten(raw)} is not above 1", where=where, wanted="a rational above 1")
    return order


@dataclass(frozen=True)
class AtPoint(Valued):
    """One number of a pair at a point, with its direction: the δ at an ε, the ε at a δ, a divergence of an order."""

    at: Any
    value: Any
    direction: str

    def fields(self) -> dict[str, Any]:
        """The point as an entry of a list in `pkdp pair --json`."""
        return {"at": self.at, "value": self.value, "decimal": Decimal(self.value), "direction": self.direction}


def smallest_fields(epsilons: Sequence[Any], deltas: Sequence[Any]) -> dict[str, Any]:
    """The first smallest ε and the first smallest δ that were asked for, then all of them, in JSON."""
    tight, asked = (points[0] if points else None for points in (epsilons, deltas))
    return {
        "delta": tight and tight.at,
        "tight_epsilon": tight and tight.value,
        "tight_epsilon_decimal": tight and Decimal(tight.value),
        "epsilon": asked and asked.at,
        "tight_delta": asked and asked.value,
        "tight_delta_decimal": asked and Decimal(asked.value),
        "epsilon_at": epsilons,
        "delta_at": deltas,
    }


@dataclass(frozen=True)
class PairAnswer(Valued):
    """What is asked of two laws: each number with the direction where it is larger."""

    pair: RawPair
    deltas: tuple[AtPoint, ...]
    """The smallest δ at each ε that was asked for."""
    epsilons: tuple[AtPoint, ...]
    """The smallest ε at each δ that was asked for."""
    orders: tuple[AtPoint, ...]
    """The Rényi divergence of each order."""
    zcdp: AtPoint
    rates: tuple[AtPoint, ...]
    """The largest true positive rate at each false positive rate."""
    verdicts: tuple[Verdict, ...]
    """The answers from which the numbers are, as the checker left them."""

    def __str__(self) -> str:
        """Plain text: a line for each number."""
        return "\n".join(f"{name}: {text(value)}" for name, value in self.numbers())

    def numbers(self) -> Iterator[tuple[str, Any]]:
        """Yield the name of each number, with its direction where it is of one, and the number."""

        def named(name: str, point: AtPoint) -> tuple[str, Any]:
            return f"{name}, {point.direction}" if point.direction != EITHER else name, point.value

        yield from (named(f"smallest ε at δ = {exact_text(one.at)}", one) for one in self.epsilons)
        yield from (named(f"smallest δ at ε = {one.at}", one) for one in self.deltas)
        yield "advantage", self.pair.advantage
        yield f"Bayes risk, prior {exact_text(self.pair.prior)} of P", self.pair.bayes_risk()
        yield from (named(f"true positives at {exact_text(one.at)} false ones", one) for one in self.rates)
        yield from (named(f"Rényi, order {exact_text(one.at)}", one) for one in self.orders)
        yield named("zCDP ρ", self.zcdp)

    @property
    def replayed(self) -> bool | None:
        """Whether the checker has decided all answers again; None where it has not decided one of them."""
        words = [verdict.replayed for verdict in self.verdicts]
        return True if all(words) else None

    @property
    def unchecked(self) -> str:
        """The reason why a number is not known, or not re-checked."""
        reasons = [f"{v.definition}: {v.reason or v.unchecked}" for v in self.verdicts if v.reason or v.unchecked]
        if any(verdict.replayed is None and not verdict.unchecked for verdict in self.verdicts):
            reasons.append("it was left out (--no-replay)")
        if self.zcdp.value is None:
            reasons.append(f"zCDP is not enclosed: there are more than {MOST_FOR_ALL_ORDERS:,} outputs")
        return "; ".join(dict.fromkeys(reasons))

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp pair --json`."""
        asked, tight = (self.deltas or (None,))[0], self.epsilons[0]
        return {
            **header(self.pair.model),
            "outputs": len(self.pair.laws.outputs),
            "prior": self.pair.prior,
            **smallest_fields(self.epsilons, self.deltas),
            "advantage": self.pair.advantage,
            "bayes_risk": self.pair.bayes_risk(),
            "tpr": {exact_text(rate.at): rate.value for rate in self.rates},
            "renyi": {exact_text(order.at): order.value for order in self.orders},
            "zcdp": self.zcdp.value,
            "directions": {
                "tight_epsilon": tight.direction,
                "tight_delta": asked and asked.direction,
                "tpr": {exact_text(rate.at): rate.direction for rate in self.rates},
                "renyi": {exact_text(order.at): order.direction for order in self.orders},
                "zcdp": self.zcdp.direction,
                "trade_off": "alpha = P[S], beta = 1 - Q[S]",
            },
            "profile": [{"from": start, "a": a, "b": b} for start, a, b in self.pair.profile.segments],
            "trade_off": [{"alpha": alpha, "beta": beta} for alpha, beta in self.pair.trade_off],
            "replayed": self.replayed,
            "unchecked": self.unchecked or None,
        }


def text(value: Any) -> str:
    """A number in plain text: exact with its decimal; of an undecided one a dash."""
    return NO_VALUE if value is None else with_decimal(value, most=60)


def _with_order(asked: RawPair, order: Fraction) -> Model:
    """The model of the pair with an order for the Rényi divergence."""
    return build(**{**(asked.model.tables or {}), "policy": {"order": order}})


def answer_about(
    asked: RawPair,
    epsilons: Iterable[object],
    deltas: Iterable[object],
    orders: Iterable[object],
    fprs: Iterable[object],
    *,
    replay: bool,
) -> PairAnswer:
    """The numbers of a pair, from the answers about its model."""
    verdicts: list[Verdict] = []

    def decided(key: str, model: Model = asked.model, **parameters: Any) -> Verdict:
        verdicts.append(check(model, key, replay=replay, **parameters))
        return verdicts[-1]

    def point(at: Any, value: Any, of: Callable[[Direction, Any], Any]) -> AtPoint:
        """A number with the direction that has it."""
        ways = [way for way in (asked.p_against_q, asked.q_against_p) if of(way, at) == value]
        return AtPoint(at, value, ways[0].name if len(ways) == 1 else EITHER)

    bounds = [read_epsilon(epsilon, "epsilon") for epsilon in epsilons]
    levels = [delta_bound(delta) for delta in deltas]
    return PairAnswer(
        asked,
        tuple(point(e, decided("dp", epsilon=e).tight_delta, Direction.delta_at) for e in bounds),
        tuple(point(d, decided("dp", delta=d).tight_epsilon, Direction.epsilon_at) for d in levels),
        tuple(
            point(order, decided("renyidp", _with_order(asked, order)).tight_epsilon, Direction.renyi)
            for order in map(read_order, orders)
        ),
        AtPoint(ZERO, None, EITHER)
        if len(asked.laws.outputs) > MOST_FOR_ALL_ORDERS
        else point(ZERO, decided("zcodp").tight_epsilon, lambda way, _: way.zcdp),
        tuple(point(rate, asked.tpr(rate), Direction.tpr) for rate in (probability(fpr, "fpr") for fpr in fprs)),
        tuple(verdicts),
    )
