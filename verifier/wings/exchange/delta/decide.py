"""The exchange rate of two definitions with δ: the smallest δ′ as an exact function of ε′, over all mechanisms.

For hockey-stick definitions of the worst row each set of outputs of a mechanism is a column in one polytope, which
does not depend on ε′ (`program`). So the smallest δ′ is the largest of finitely many lines in e^(c·ε′): convex,
falling and piecewise linear, down to the constant that no ε′ gets below (`delta.program`; proofs/exchange.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.definitions import HOCKEY_STICK, Definition
from verifier.definitions.builders.posteriors import Beliefs, Membership
from verifier.definitions.registry import find_for_all
from verifier.definitions.scheme import Scheme
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.numbers import Epsilon, delta_bound, exact_text, log_epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.check import check
from verifier.wings.exchange import MAX_WORLDS
from verifier.wings.exchange.answer import COMPUTED, VACUOUS
from verifier.wings.exchange.certificates import CURVES_OF_DELTA
from verifier.wings.exchange.curve.decide import MAX_ROWS_TO
from verifier.wings.exchange.delta.answer import DeltaCurve
from verifier.wings.exchange.delta.program import Crossings
from verifier.wings.exchange.program import ONE, Polytope, factor_of
from verifier.wings.exchange.rate import extreme_model, irrational
from verifier.wings.exchange.rows import LinearRow, databases_of, linear_rows
from verifier.wings.exchange.symmetry import Tick


@takes(max_rows=arguments.number(0), tick=arguments.optional(arguments.function))
def convert_delta(
    model: Model,
    source: object,
    target: object,
    *,
    epsilon: object,
    delta: object = 0,
    max_rows: int = MAX_WORLDS,
    tick: Tick = None,
) -> DeltaCurve:
    """The smallest δ′ of a definition as a function of ε′, over all mechanisms that are (ε, δ)-A, for a θ and B.

    A is the `source`; `epsilon` is finite with a rational e^ε, `delta` a rational in [0, 1]. The mechanism of the model
    plays no part. Every end of a piece is proved by multipliers for each row; the model with the mechanism that attains
    a piece is checked by itself; and the independent checker checks all of it for models that are small enough.

    >>> from verifier.model import build
    >>> pair = {"table": [{"database": [v, v], "probability": "1/2"} for v in (0, 1)]}
    >>> twins = build(size=2, values=[0, 1], distribution=pair, mechanism={"kind": "sum"})
    >>> curve = convert_delta(twins, "dp", "np", epsilon="ln(2)", delta="1/10")
    >>> print(curve)
    dp at (ln(2), 1/10) is np at (ε′, δ′): δ′ = 7/10 - 1/10*x for 1 <= x <= 4; 3/10 for 4 < x, with x = e^ε′
    >>> print(curve.delta("ln(3)"), curve.delta("1/2"), curve.delta("inf"))
    2/5 7/10 - 1/10*exp(1/2) 3/10

    Raises:
        InputError: for an ε that is infinite, a δ that is no probability, and a name that is no definition.
        LimitError: for linear programs that are too large, before they start, and for too many pieces.

    """
    need_model(model)
    first, second = find_for_all(source), find_for_all(target)
    asked, allowed = refuse_infinite(read_epsilon(epsilon, "epsilon")), delta_bound(delta)
    answer = DeltaCurve(model, first.key, second.key, epsilon=asked, delta_from=allowed)
    if why := irrational(asked):
        return replace(answer, reason=why)
    try:
        assumed, compared = (linear_rows(model, definition, max_rows) for definition in (first, second))
        if allowed:
            refuse_curve(first)
        refuse_curve(second)
        factors = [factor_of(asked, row.scale, first.key) for row in assumed]
        scale = _scale(compared, second.key)
    except UnsupportedError as refusal:
        return replace(answer, reason=str(refusal))
    answer = replace(answer, assumed=assumed, compared=compared, scale=scale)
    if not compared:
        return CURVES_OF_DELTA.replayed(replace(answer, verdict=VACUOUS, reason=f"{second.key} compares nothing"))
    if len(compared) > MAX_ROWS_TO:
        raise LimitError(f"{second.key} has {len(compared):,} rows", wanted=f"at most {MAX_ROWS_TO:,}")
    databases = databases_of((*assumed, *compared))
    pieces = Crossings(Polytope(assumed, factors, allowed, databases), compared, tick).pieces()
    reason = None if assumed else f"{first.key} compares nothing, so that every mechanism satisfies it"
    return CURVES_OF_DELTA.replayed(_confirmed(replace(answer, verdict=COMPUTED, reason=reason, pieces=pieces)))


def refuse_infinite(epsilon: Epsilon, where: str = "epsilon") -> Epsilon:
    """Return an ε that is finite.

    Raises:
        InputError: for inf.

    """
    if epsilon.is_infinite:
        raise InputError("ε is inf", where=where, wanted='a finite ε, as "ln(p/q)"')
    return epsilon


def refuse_curve(definition: Definition) -> None:
    """Refuse a definition whose δ does not bound the hockey-stick divergence of each pair of laws of outputs.

    Raises:
        UnsupportedError: with the reason.

    """
    key = definition.key
    if not definition.has_delta:
        raise UnsupportedError(f"{key} has no δ", tip="its rate in ε is `pkdp convert` without --delta")
    scheme = definition.compare if isinstance(definition.compare, Scheme) else None
    if scheme is not None and isinstance(scheme.builder, Beliefs | Membership):
        raise UnsupportedError(f"{key} adds δ to a probability of a belief, which is not linear in the mechanism")
    averages = scheme.aggregation != "worst" if scheme else definition.aggregation.averages
    if averages:
        raise UnsupportedError(
            f"the δ of {key} bounds an average of rows, and not each of them",
            tip="" if scheme else "pkdp worst answers at one ε′",
        )
    curve = scheme.measure == "hockey-stick" if scheme else definition.curve() is HOCKEY_STICK
    if not curve:
        raise UnsupportedError(
            f"the δ of {key} bounds no hockey-stick divergence, which alone is linear in the mechanism"
        )


def _scale(rows: Sequence[LinearRow], key: str) -> Fraction:
    """The only multiple c > 0 in the bounds e^(c·ε′) of the rows; 1 if all rows have c = 0.

    Raises:
        UnsupportedError: for several multiples.

    """
    scales = sorted({row.scale for row in rows if row.scale})
    if len(scales) > 1:
        listed = " and ".join(f"{exact_text(scale)}·ε′" for scale in scales[:2])
        raise UnsupportedError(
            f"rows of {key} allow {listed}, so that the smallest δ′ is not piecewise linear in one e^(c·ε′)",
            tip="pkdp worst answers at one ε′",
        )
    return scales[0] if scales else ONE


def _confirmed(answer: DeltaCurve) -> DeltaCurve:
    """The same answer, after `check` has confirmed each extreme mechanism at both ends of its piece.

    Raises:
        ArithmeticError: for a mechanism that is not (ε, δ)-A, or needs another δ′.

    """
    for piece in answer.pieces:
        extreme = extreme_model(answer, piece.best.column or {}, answer.delta_from)
        for y in (piece.start, *((piece.end,) if piece.end is not None else ())):
            needed = check(extreme, answer.target, epsilon=log_epsilon(y, 1 / answer.scale)).tight_delta
            if needed != piece.at(y):
                raise ArithmeticError(f"the extreme mechanism needs δ = {needed} at x = {y}, not {piece.at(y)}")
    return answer
