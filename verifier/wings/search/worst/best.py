"""The best mechanism: the one with the least loss among all that satisfy definitions, for a given θ and knowledge.

A statistic s(d), such as a count, is to be learnt from the output o, at a loss that is 0 or more:

    zero-one 1[o ≠ s(d)]     absolute |o - s(d)|     squared (o - s(d))²     or a table of s(d), o

The expected loss Σ θ(d)·M(d)(o)·loss(s(d), o), or the largest over the databases, is linear in M(d)(o), as the assumed
definitions are at a rational e^ε: it is the program of `worst` with another objective. The outputs are the values of
the statistic, or those of the table; one output for each is enough, since outputs may be joined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verifier.definitions.answer import Decimal, Valued
from verifier.errors import InputError, LimitError
from verifier.model import Database, Model, arguments, need_model
from verifier.model.arguments import flag, takes
from verifier.model.compose import with_mechanism
from verifier.numbers import Epsilon, epsilon, exact_text, rational, shorten, with_decimal
from verifier.questions.statement import Holds
from verifier.show.frame import Drawing
from verifier.tables import label
from verifier.wings.search.linear_bounds import refuse_databases
from verifier.wings.search.program import MAX_PATTERNS, AssumedComparison, Multiplier, Program
from verifier.wings.search.symmetry import Exchanges
from verifier.wings.search.worst.decide import MAX_ROWS, bounds_of, laws_of
from verifier.wings.search.worst.drawings import best_drawing, price_drawing
from verifier.wings.search.worst.files import satisfying
from verifier.wings.search.worst.notebook import best_html, prices_html
from verifier.wings.search.worst.proof import replayed_best
from verifier.wings.search.worst.question import Assumed, assumed

STATISTICS = ("count", "sum")
LOSSES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "zero-one": lambda s, o: Fraction(int(s != o)),
    "absolute": lambda s, o: abs(o - s),
    "squared": lambda s, o: (o - s) ** 2,
}
Losses = Mapping[Fraction, Mapping[Fraction, Fraction]]
"""A table of losses, by the value of the statistic and the output."""


@dataclass(frozen=True)
class Best(Valued):
    """The least loss among all mechanisms that satisfy `assuming`, a mechanism that has it, and the proof.

    `of` is the statistic as a mechanism; `loss` the name of the loss, or its table; `worst` says whether it is the
    largest over the databases, and not the expected one. `weights` is the prior of the proof: θ, or, for the largest
    loss, one for which no mechanism has less on average.
    """

    model: Model
    assuming: tuple[Assumed, ...]
    of: dict[str, Any]
    loss: str | Losses
    worst: bool
    optimum: Fraction
    labels: tuple[str, ...]
    mechanism: dict[Database, tuple[Fraction, ...]] = field(repr=False)
    values: dict[Database, Fraction] = field(repr=False)
    weights: dict[Database, Fraction] = field(repr=False)
    bounds: tuple[AssumedComparison, ...] = field(repr=False)
    multipliers: tuple[Multiplier, ...] = field(repr=False)
    compared: tuple[int, ...] = ()
    found: Model | None = field(default=None, repr=False)
    promise: dict[str, str] | None = field(default=None, repr=False)

    @property
    def named(self) -> str:
        """The loss in words."""
        name = self.loss if isinstance(self.loss, str) else "tabled"
        statistic = " ".join(str(part) for part in self.of.values())
        return f"{'worst-case' if self.worst else 'expected'} {name} loss of the {statistic}"

    def __str__(self) -> str:
        assumptions = " and ".join(map(str, self.assuming)) or "nothing"
        return f"assuming {assumptions}, the least {self.named} is {with_decimal(self.optimum)}; one mechanism has it"

    def _repr_html_(self) -> str:
        return best_html(self)

    def bars(self) -> Drawing:
        """Return the drawing of the mechanism; `.save(path)` writes it."""
        return best_drawing(self)

    @property
    def heading(self) -> tuple[str, str]:
        """The title of the model file with the mechanism, and what its notes say of it."""
        return f"the mechanism with the least {self.named}", f"no mechanism has less than {exact_text(self.optimum)}."

    @property
    def epsilon(self) -> Epsilon:
        """The ε of what is assumed first."""
        return self.assuming[0].epsilon

    @property
    def claim(self) -> str:
        """The sentence that says over which mechanisms the optimum is taken."""
        if not isinstance(self.loss, str) or self.loss == "squared" or (self.worst and self.loss == "absolute"):
            return f"This is complete: no mechanism with the outputs {', '.join(self.labels)} does better."
        return "This is complete: no mechanism at all does better."

    @property
    def by_value(self) -> list[tuple[Fraction, tuple[Fraction, ...]]] | None:
        """The law of each value of the statistic, where it is the same on all its databases."""
        laws: dict[Fraction, set[tuple[Fraction, ...]]] = {}
        for database, law in self.mechanism.items():
            laws.setdefault(self.values[database], set()).add(law)
        alone = all(len(each) == 1 for each in laws.values())
        return [(value, laws[value].pop()) for value in sorted(laws)] if alone else None

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp best --json`."""
        return {
            "schema": 1,
            "model": self.model.title,
            "assuming": list(map(str, self.assuming)),
            "compared": self.compared,
            "of": self.of,
            "loss_of": self.loss if isinstance(self.loss, str) else "table",
            "worst": self.worst,
            "loss": self.optimum,
            "loss_decimal": Decimal(self.optimum),
            "outputs": list(self.labels),
            "mechanism": laws_of(self.model, self.labels, self.mechanism, "input"),
            "file": self.found.text if self.found else None,
        }


class Prices(tuple[Best, ...]):
    """The price of privacy: the best mechanism at each ε, in the order in which they were asked for."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return prices_html(self)

    def plot(self) -> Drawing:
        """Return the drawing of the least loss against ε; `.save(path)` writes it."""
        return price_drawing(self)


@takes(of=arguments.text, worst=flag, max_rows=arguments.number(0))
def best(
    model: Model,
    *,
    loss: object,
    of: str = "count",
    value: object = None,
    assuming: object = (),
    worst: bool = False,
    max_rows: int = MAX_ROWS,
) -> Best:
    """The least loss of a statistic among all mechanisms that satisfy `assuming`; θ, B and T are the model's.

    inf { E_θ[loss(s(D), M(D))] : M satisfies every assumed (ε, δ) }, exactly (ε in nats, e^ε rational), or, with
    `worst`, of the largest expected loss over the databases. The statistic is a `count` of `value`, or the `sum`;
    `loss` is `zero-one`, `absolute`, `squared`, or a table {s: {o: loss}}. The mechanism of `model` plays no part.

    The multipliers and the mechanism are added up again by `verifier.checker`, which shares no code.

    >>> from verifier import build
    >>> coins = build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda d: 0)
    >>> print(best(coins, loss="absolute", value=1, assuming="dp(ln(2))"))
    assuming dp(ln(2)), the least expected absolute loss of the count 1 is 1/2 (0.5); one mechanism has it

    Raises:
        InputError: for an invalid question.
        UnsupportedError: for an ε whose e^ε is not rational, and for definitions that are not linear in the mechanism.
        LimitError: where the linear program is too large; it is refused before it starts.

    """
    need_model(model)
    held = assumed(assuming)
    bounds, counts = bounds_of(model, held, max_rows)
    prior = _prior(model, worst=worst)
    databases = sorted({*prior, *(d for bound in bounds for d in bound.form.databases)})
    refuse_databases(len(databases))
    if not databases:
        problem = "nothing is assumed that compares databases, and no distribution says which are possible"
        raise InputError(problem, where="assuming", wanted='a definition such as "dp(ln(2))", or a [[distribution]]')
    statistic = _statistic(of, value)
    values = _values(model, statistic, databases)
    table = _table(loss)
    outputs = sorted({o for row in table.values() for o in row} if not isinstance(table, str) else {*values.values()})
    _refuse_outputs(len(outputs))
    losses = {d: tuple(_loss(table, values[d], o) for o in outputs) for d in databases}
    weights = dict.fromkeys(databases, Fraction(1)) if worst else prior
    gains = {d: [-weight * lost for lost in losses[d]] for d, weight in weights.items()}
    alike = Exchanges(bounds).alike_for([prior if not worst else {}, losses])
    found = Program(databases, bounds, max(len(outputs), 2), alike).optimum(_wide(gains), of_worst=worst)
    answer = Best(
        model,
        held,
        statistic,
        table,
        worst,
        -found.value,
        tuple(exact_text(o) for o in outputs),
        {d: law[: len(outputs)] for d, law in found.mechanism.items()},
        values,
        found.weights if worst else prior,
        bounds,
        found.multipliers,
        counts,
    )
    replayed_best(answer)
    return Best(**{**answer.__dict__, "found": satisfying(answer)})


@takes(of=arguments.text, worst=flag, max_rows=arguments.number(0), epsilons=arguments.several("values of ε"))
def best_curve(
    model: Model,
    *,
    epsilons: Sequence[object],
    loss: object,
    of: str = "count",
    value: object = None,
    assuming: object = (),
    worst: bool = False,
    max_rows: int = MAX_ROWS,
) -> Prices:
    """The price of privacy: `best` at each ε, which replaces that of every assumed definition.

    >>> from verifier import build
    >>> coins = build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda d: 0)
    >>> curve = best_curve(coins, epsilons=[0, "ln(3)"], loss="absolute", value=1, assuming="np(0)")
    >>> [str(one.optimum) for one in curve]
    ['1/2', '1/4']

    Raises:
        InputError, UnsupportedError, LimitError: as `best` does.

    """
    listed, held = [epsilon(one, "epsilons") for one in epsilons], assumed(assuming)
    if not listed or not held:
        problem = "there is no ε" if not listed else "nothing is assumed, so that ε plays no part"
        raise InputError(problem, where="over", wanted='values of ε as "0,ln(2)", and a definition that is assumed')
    asked: dict[str, Any] = {"loss": loss, "of": of, "value": value, "worst": worst, "max_rows": max_rows}
    return Prices(
        best(model, assuming=[Holds(one.definition, at, one.delta) for one in held], **asked) for at in listed
    )


def _prior(model: Model, *, worst: bool) -> dict[Database, Fraction]:
    """P[D = d] of the one θ; for the largest loss the databases that any θ allows."""
    if not worst and len(model.thetas) != 1:
        raise InputError(
            f"the model has {len(model.thetas)} distributions, and the expected loss needs one",
            wanted="one [[distribution]]",
            tip="--worst asks for the largest loss over the databases",
        )
    prior: dict[Database, Fraction] = {}
    for theta in model.thetas:
        for world in theta.worlds():
            share = Fraction(world.weight, theta.denominator)
            prior[world.database] = prior.get(world.database, Fraction(0)) + share
    return {d: share for d, share in prior.items() if share}


def _statistic(of: str, value: object) -> dict[str, Any]:
    """The statistic as a mechanism of a model file."""
    if of not in STATISTICS:
        raise InputError(f"{shorten(of)} is not a statistic", where="of", wanted=" or ".join(STATISTICS))
    if (value is not None) != (of == "count"):
        problem = "a count needs the value that is counted" if of == "count" else "a sum has no value"
        raise InputError(problem, where="value", wanted="the value of a count, such as 1; none for a sum")
    return {"kind": "count", "value": value} if of == "count" else {"kind": "sum"}


def _values(model: Model, statistic: dict[str, Any], databases: list[Database]) -> dict[Database, Fraction]:
    mechanism = with_mechanism(model, statistic).mechanism
    return {d: rational(next(iter(mechanism.law(d).outcomes)).text) for d in databases}


def _table(loss: object) -> str | Losses:
    if isinstance(loss, str):
        if loss not in LOSSES:
            raise InputError(f"{shorten(loss)} is not a loss", where="loss", wanted=", ".join([*LOSSES, "or a table"]))
        return loss
    if not isinstance(loss, Mapping) or not loss or not all(isinstance(row, Mapping) and row for row in loss.values()):
        raise InputError(
            f"{shorten(loss)} is not a loss", where="loss", wanted="a name, or a table such as {0: {0: 0, 1: 2}}"
        )
    table = {
        rational(label(s).text, "loss"): {rational(label(o).text, "loss"): rational(x, "loss") for o, x in row.items()}
        for s, row in loss.items()
    }
    outputs = {tuple(sorted(row)) for row in table.values()}
    if len(outputs) != 1:
        raise InputError("the rows of the table have different outputs", where="loss", wanted="the same ones in each")
    if any(x < 0 for row in table.values() for x in row.values()):
        raise InputError("a loss is below 0", where="loss", wanted="losses of at least 0", tip="add a constant to all")
    return table


def _loss(table: str | Losses, s: Fraction, o: Fraction) -> Fraction:
    if isinstance(table, str):
        return LOSSES[table](s, o)
    if s not in table:
        raise InputError(f"the table has no row for {exact_text(s)}", where="loss", wanted="one for each value")
    return table[s][o]


def _refuse_outputs(count: int) -> None:
    if count > MAX_PATTERNS:
        raise LimitError(f"the statistic has {count:,} values", wanted=f"at most {MAX_PATTERNS}")


def _wide(gains: dict[Database, list[Fraction]]) -> dict[Database, list[Fraction]]:
    """The same with a second output, which is as good as the first, where there is one alone."""
    return {d: by_output if len(by_output) > 1 else by_output * 2 for d, by_output in gains.items()}
