"""The exchange rate of two definitions: the smallest ε′ such that every mechanism that is ε-A is ε′-B, for a θ and B.

For linear ratio definitions (`rows`) and rational x = e^ε > 1 this is a linear program for each row (p, q, c)
of B: ε-A implies ε′-B for all mechanisms, with any number of outputs, iff p - y·q ≤ Σ λ·(a - x^c·b) for some λ ≥ 0 with
y = e^(c·ε′). The answer is the largest ln(y)/c. It is always attained, since the cone has finitely many corners: the
best column, scaled, is one output of a mechanism with two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.definitions.registry import find_for_all
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.model.compose import with_mechanism
from verifier.numbers import INFINITY, ZERO, Epsilon, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.check import check
from verifier.wings.exchange import MAX_WORLDS
from verifier.wings.exchange.answer import COMPUTED, NO, VACUOUS, Exchange, Exchanged, mechanism_rows
from verifier.wings.exchange.certificates import RATES
from verifier.wings.exchange.program import ONE, Column, Cone, Rate, factor_of
from verifier.wings.exchange.rows import LinearRow, databases_of, linear_rows
from verifier.wings.exchange.symmetry import Renamings, Tick

MAX_TARGET_ROWS = 4_096
"""Largest number of rows of the target, each of which is a linear program."""


@takes(max_rows=arguments.number(0), tick=arguments.optional(arguments.function))
def convert(
    model: Model,
    source: object,
    target: object,
    *,
    epsilon: object,
    max_rows: int = MAX_WORLDS,
    tick: Tick = None,
) -> Exchange:
    """The smallest ε′ such that every mechanism that is ε-`source` is ε′-`target`, for the θ and B of a model, in nats.

    `epsilon` is above 0 with a rational e^ε. The mechanism of the model plays no part. The multipliers are added up
    again before they are used; the extreme mechanism is checked by asking about the model with it.

    >>> from verifier.model import build
    >>> pair = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> twins = build(size=2, values=[0, 1], distribution=pair, mechanism={"kind": "sum"})
    >>> print(convert(twins, "dp", "np", epsilon="ln(2)"))
    every mechanism that is dp at ln(2) is np at ln(4), and at nothing smaller
    >>> print(convert(twins, "np", "dp", epsilon="ln(2)"))
    every mechanism that is np at ln(2) is dp at no finite ε

    Raises:
        InputError: for an ε that is 0 or infinite, and for a name that is no definition.
        LimitError: for linear programs that are too large, before they start.

    """
    need_model(model)
    first, second = find_for_all(source), find_for_all(target)
    asked = refuse_epsilon(read_epsilon(epsilon, "epsilon"), "epsilon")
    answer = Exchange(model, first.key, second.key, epsilon=asked)
    if why := irrational(asked):
        return replace(answer, reason=why)
    try:
        assumed, compared = (linear_rows(model, definition, max_rows) for definition in (first, second))
        factors = [factor_of(asked, row.scale, first.key) for row in assumed]
    except UnsupportedError as refusal:
        return replace(answer, reason=str(refusal))
    answer = replace(answer, assumed=assumed)
    if not compared:
        return RATES.replayed(
            replace(answer, verdict=VACUOUS, reason=f"{second.key} compares nothing", tight_epsilon=ZERO)
        )
    if len(compared) > MAX_TARGET_ROWS:
        raise LimitError(f"{second.key} has {len(compared):,} rows", wanted=f"at most {MAX_TARGET_ROWS:,}")
    databases = databases_of((*assumed, *compared))
    cone = Cone(assumed, factors, databases)
    rates = _rates(cone, compared, tick)
    tight, worst = worst_of(rates)
    column = worst.column or dict.fromkeys(databases, Fraction(1))
    reason = None if assumed else f"{first.key} compares nothing, so that every mechanism satisfies it"
    answer = replace(
        answer,
        verdict=COMPUTED,
        reason=reason,
        tight_epsilon=tight,
        rates=tuple(rates),
        worst=worst,
        chances=cone.scaled(column),
    )
    return RATES.replayed(_confirmed(answer))


def irrational(epsilon: Epsilon) -> str:
    """The reason why no rate is computed at an ε with an irrational e^ε; empty at another."""
    return "" if epsilon.rational_exp is not None else f'e^ε is not rational at ε = {epsilon}. Expected ε = "ln(p/q)"'


def refuse_epsilon(epsilon: Epsilon, where: str) -> Epsilon:
    """Return an ε that is above 0 and finite.

    Raises:
        InputError: for an ε that is 0 or infinite.

    """
    if epsilon == ZERO or epsilon.is_infinite:
        raise InputError(f"ε = {epsilon} has no rate", where=where, wanted='a finite ε above 0, as "ln(p/q)"')
    return epsilon


def _rates(cone: Cone, rows: Sequence[LinearRow], tick: Tick) -> list[Rate]:
    """The rates of the rows, each at least the largest before it of its scale; a row without a bound is the last."""
    largest: dict[Fraction, Fraction] = {}

    def rate(row: LinearRow) -> Rate:
        rate = cone.rate(row, largest.get(row.scale, ONE))
        largest[row.scale] = rate.factor
        return rate

    return up_to_infinite(Renamings(cone).proofs(rows, rate, tick))


def up_to_infinite(rates: Iterable[Rate]) -> list[Rate]:
    """The rates up to the first that no bound is enough for, of which one row is enough."""
    listed: list[Rate] = []
    for rate in rates:
        listed.append(rate)
        if rate.factor is None:
            break
    return listed


def worst_of(rates: Sequence[Rate]) -> tuple[Epsilon, Rate]:
    """The largest ln(y)/c, and the first row that attains it."""
    if rates[-1].factor is None:
        return INFINITY, rates[-1]
    tight, worst = ZERO, rates[0]
    for rate in rates:
        if rate.column is not None and rate.factor is not None:  # never where c = 0
            needed = log_epsilon(rate.factor, 1 / rate.row.scale)
            if tight < needed:
                tight, worst = needed, rate
    return tight, worst


def extreme_model(answer: Exchanged[Model], column: Column, delta: Fraction = Fraction(0)) -> Model:
    """The model with the mechanism of two outputs that has a column, which `check` has confirmed to be `source`.

    Raises:
        ArithmeticError: for a mechanism that is not `source` at ε and δ.

    """
    extreme = with_mechanism(answer.model, {"rows": mechanism_rows(answer.model, column), "otherwise": NO})
    assumed = check(extreme, answer.source, epsilon=answer.epsilon, delta=delta)
    if assumed.verdict not in {"holds", "vacuous"}:
        raise ArithmeticError(f"the extreme mechanism is not {answer.source} at {answer.epsilon}, {delta}")
    return extreme


def _confirmed(answer: Exchange) -> Exchange:
    """The answer with the model that has the extreme mechanism (`found`), on which `check` has confirmed the rate.

    Raises:
        ArithmeticError: for a mechanism that is not ε-`source`, or needs another ε′.

    """
    extreme = extreme_model(answer, answer.chances or {})
    needed = check(extreme, answer.target).tight_epsilon
    if needed != answer.tight_epsilon:
        raise ArithmeticError(f"the extreme mechanism needs ε = {needed}, not {answer.tight_epsilon}")
    return replace(answer, found=extreme)
