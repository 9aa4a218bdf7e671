"""Deciding IBDDP (DMKB20, remark in section 3.3), as far as it is decided: δ = 0, and no certificate yet."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verifier.definitions.definition import Definition
from verifier.definitions.verdict import Verdict
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.numbers import Enclosure, Epsilon, ln_bracket
from verifier.simulators.posteriors import exists

NO_DELTA = "the (Ô, B̂) that may fail are free for δ > 0: one problem for each set of them, which is not decided"
NOT_FOUND = "no simulator is enough at e^ε = 2^64, and whether a larger ε is enough is not decided"
WITHIN = 24
"""Bits of e^ε to which the smallest one is enclosed."""
LARGEST = Fraction(1 << 64)
PRECISION = 128
"""Bits of logarithms, and of e^ε where it is irrational."""


def inference(engine: Engine, definition: Definition, asked: Epsilon | None, bound: Fraction, reading: str) -> Verdict:
    """Whether some simulator leaves the same posteriors, at δ = 0; the smallest ε is enclosed."""
    if bound:
        raise UnsupportedError(NO_DELTA, tip="verifier.simulators.posteriors.judge decides a given simulator at any δ")
    engine.admit_table()
    answer = partial(Verdict, engine.model, definition.key, reading, asked, bound, note=definition.note)
    answer = partial(answer, method="enclosure")
    enough = partial(exists, engine.model, reading=reading)
    if asked is not None and not asked.is_infinite:
        low, high = (asked.exp, asked.exp) if asked.exp is not None else asked.exp_bracket(PRECISION)
        holds = True if enough(low) else None if high != low and enough(high) else False
        if holds is None:
            return answer("undecided", f"e^ε is closer than 2^-{PRECISION // 2} to the smallest one")
        tight = _smallest(engine, reading, low if holds else LARGEST, Fraction(1) if holds else high)
        return answer("holds" if holds else "fails", None if holds else "no simulator is enough", None, tight)
    if not enough(LARGEST):
        return answer("undecided", NOT_FOUND)
    return answer("holds", None, None, _smallest(engine, reading, LARGEST, Fraction(1)))


def _smallest(engine: Engine, reading: str, enough: Fraction, below: Fraction) -> Enclosure | None:
    """Both ends of the smallest ε, given an e^ε that may be enough and one that is not, or is 1."""
    if not exists(engine.model, enough, reading):
        return None
    if exists(engine.model, below, reading):
        return Enclosure.between(Fraction(0), Fraction(0))
    while enough - below > below / (1 << WITHIN):
        wide = enough > 4 * below
        middle = 2 * below if wide else Fraction(round((below + enough) / 2 * (1 << 2 * WITHIN)), 1 << 2 * WITHIN)
        below, enough = (below, middle) if exists(engine.model, middle, reading) else (middle, enough)
    return Enclosure.between(ln_bracket(below, PRECISION)[0], ln_bracket(enough, PRECISION)[1])
