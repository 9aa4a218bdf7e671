"""The claimed δ of a theorem beside the exact δ at the claimed ε, reading by reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Literal

from verifier.errors import InputError
from verifier.numbers import shorten
from verifier.profile import Profile
from verifier.wings.papers.bounds.claim import BoundClaim, BoundRow, ClaimedBound, Covers, Parameters, read_parameters
from verifier.wings.papers.bounds.counting import CLOSED, COROLLARY_1, PROPOSITION_7, THEOREM_3
from verifier.wings.papers.bounds.real import PRECISIONS, Real, logarithm
from verifier.wings.papers.bounds.sampling import SAFE, STRONGLY_SAFE, THEOREM_1
from verifier.wings.papers.bounds.thresholding import THEOREM_4, THEOREM_5

CLAIMS: dict[str, BoundClaim] = {
    claim.key: claim
    for claim in (
        THEOREM_3,
        CLOSED,
        PROPOSITION_7,
        COROLLARY_1,
        THEOREM_4,
        THEOREM_5,
        THEOREM_1,
        STRONGLY_SAFE,
        SAFE,
    )
}


def find_claim(name: str) -> BoundClaim:
    """The claim about ε and δ with this key, such as `theorem-4`.

    Raises:
        InputError: where no claim has the key.

    """
    if name not in CLAIMS:
        raise InputError(
            f"the claim {shorten(name)} is unknown", wanted=f"one of {', '.join(CLAIMS)}", tip="pkdp claims --bound"
        )
    return CLAIMS[name]


def assess(claim: BoundClaim | str, texts: Mapping[str, str], reading: str | None = None) -> tuple[BoundRow, ...]:
    """Compare the claimed δ with the exact δ at the claimed ε, for one reading of a claim or for all readings.

    `texts` are the claim's parameters as text, by their names. A reading that does not apply to them has no row.

    >>> rows = assess("theorem-4", {"n": "6", "p": "1/20", "threshold": "2"}, "product")
    >>> rows[0].claimed.delta.text(), rows[0].worst.decimal(), rows[0].covers
    ('130321/5280000', '0.0214050667639', 'yes')

    Raises:
        InputError: for an unknown claim, parameter or reading, an invalid value, and a reading that does not apply.
        LimitError: where the work would exceed the limits.

    """
    claim = find_claim(claim) if isinstance(claim, str) else claim
    names = [claim.reading(reading)] if reading is not None else list(claim.readings)
    parameters = read_parameters(claim, texts)
    worst = cache(partial(claim.worst, parameters)) if claim.worst is not None else None
    rows = [_row(claim, parameters, name, worst) for name in names]
    applying = tuple(row for row in rows if row is not None)
    if not applying:
        raise InputError(f"the reading {reading} does not apply here", where="reading=", tip="leave it out")
    return applying


def _row(
    claim: BoundClaim, parameters: Parameters, reading: str, largest: Callable[[Fraction], tuple[Fraction, str]] | None
) -> BoundRow | None:
    claimed = claim.evaluate(parameters, reading)
    if claimed is None:
        return None
    exp, delta = claimed.exp, claimed.delta
    if claimed.met is False or exp is None or delta is None:
        return BoundRow(claim, reading, claimed, "condition not met")
    model = worst = None
    where = ""
    if largest is not None:
        worst = exp.through(lambda factor: largest(factor)[0], falling=True)
        where = largest(exp.bracket(PRECISIONS[0])[0])[1]
    if claim.model is not None:
        evaluate = claim.model
        model = exp.through(lambda factor: evaluate(parameters, reading, factor), falling=True)
    exact = worst or model
    if exact is None:
        return None
    covers, ratio = _covers(claimed, exact), delta.over(exact)
    tight: Real | Literal["inf"] | None = None
    profiles = claim.profiles(parameters) if claim.profiles is not None else []
    if profiles:
        tight = _tight(profiles, delta) or "inf"
    return BoundRow(claim, reading, claimed, covers, model, worst, where, ratio, tight)


def _covers(claimed: ClaimedBound, exact: Real) -> Covers:
    if claimed.delta is None or claimed.met is None:
        return "undecided"
    answer = claimed.delta.at_least(exact)
    return "undecided" if answer is None else "yes" if answer else "no"


def _tight(profiles: list[Profile], delta: Real) -> Real | None:
    """The smallest ε at a δ, in nats, over all profiles; None where it is infinite."""

    def least(value: Fraction) -> Fraction | None:
        factors = [profile.epsilon(min(value, Fraction(1))).exp for profile in profiles]
        return None if None in factors else max(e for e in factors if e is not None)

    if delta.exact is not None:
        value = least(delta.exact)
        return None if value is None else logarithm(value)

    def bracket(precision: int) -> tuple[Fraction, Fraction]:
        low, high = delta.bracket(precision)
        above, below = least(max(low, Fraction(0))), least(high)
        if above is None or below is None:
            raise _InfiniteError
        return below, above

    try:
        return Real.between(bracket).log()
    except _InfiniteError:
        return None


class _InfiniteError(ArithmeticError):
    """No finite ε is enough; only this module raises and catches it."""
