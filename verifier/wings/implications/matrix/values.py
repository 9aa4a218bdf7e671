"""The smallest ε of every definition on one model at a δ, by which the model separates pairs of definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from verifier.definitions import find
from verifier.engine import Engine
from verifier.errors import LimitError, UndecidedError, UnsupportedError
from verifier.model import Model
from verifier.numbers import INFINITY, Enclosure, Epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.ask import check
from verifier.wings.implications.matrix.parts import decided, passport_key

VACUOUS, INF = "vacuous", "inf"
LONGEST = 80
"""Greatest length of the exact text of a smallest ε that is kept; instead of a longer text two bounds are kept."""
PRECISION = 96
"""Bits of the bounds at which smallest ε are compared: two that are closer separate nothing."""
Values = Mapping[str, str]
"""The smallest ε by definition, as texts: an exact number, `[low, high]`, `inf` or `vacuous`."""


def values_of(
    model: Model,
    delta: str = "0",
    keys: Iterable[str] | None = None,
    engine: Engine | None = None,
    *,
    replay: bool = False,
) -> dict[str, str]:
    """The smallest ε of each definition that is decided on a model, as texts; at δ for a definition that has one.

    A definition without an ε has 0 where it holds, and `inf` where it fails.

    >>> from verifier.model.library import models_folder
    >>> from verifier.model import read
    >>> values_of(read(models_folder() / "atlas" / "one-coin.toml"), "0", ["klpr", "adp", "npr", "absdp"])
    {'klpr': '1/2*ln(64/15)', 'adp': 'ln(8)', 'absdp': '0'}
    """
    engine = engine or Engine(model)
    values = {}
    for key in keys or decided():
        definition = find(passport_key(key))
        try:
            answer = check(model, definition, delta=delta if definition.has_delta else 0, engine=engine, replay=replay)
        except (LimitError, UndecidedError, UnsupportedError):
            continue
        if answer.verdict == VACUOUS:
            values[key] = VACUOUS
        elif answer.verdict not in {"holds", "fails"}:
            continue
        elif answer.tight_epsilon is None:
            values[key] = "0" if answer.verdict == "holds" else INF
        else:
            values[key] = _text(answer.tight_epsilon)
    return values


def _text(value: Epsilon | Enclosure) -> str:
    """A smallest ε as a text that `bounds` reads; two decimal bounds where its exact text is long, or e^ε is a root."""
    if isinstance(value, Enclosure):
        return str(value)
    text = value.text(10**9)
    if value.root is None and len(text) <= LONGEST:
        return text
    low, high = value.bracket(PRECISION)
    return str(Enclosure.around(low, high, PRECISION))


@cache
def bounds(text: str) -> tuple[Fraction, Fraction] | None:
    """Rational bounds of a smallest ε from its text; None where it is infinite, and 0 where it is vacuous.

    >>> bounds("[0.25, 0.5]"), bounds("inf"), bounds("1/2"), bounds("vacuous")
    ((Fraction(1, 4), Fraction(1, 2)), None, (Fraction(1, 2), Fraction(1, 2)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if text == INF:
        return None
    if text == VACUOUS:
        return Fraction(0), Fraction(0)
    if text.startswith("["):
        low, high = text.strip("[]").split(",")
        return Fraction(low), Fraction(high)
    value = read_epsilon(text, "epsilon")
    return None if value == INFINITY else value.bracket(PRECISION)


def larger(first: str, second: str) -> bool:
    """Whether the second smallest ε is certainly larger than the first."""
    return exceeds(second, first, Fraction(1))


def exceeds(second: str, first: str, factor: Fraction, constant: Fraction = Fraction(0)) -> bool:
    """Whether the second smallest ε is certainly larger than factor·first + constant."""
    low, high = bounds(first), bounds(second)
    if low is None or high is None:
        return low is not None
    return factor * low[1] + constant < high[0]
