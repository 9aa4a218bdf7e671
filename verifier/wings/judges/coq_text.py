"""Small pieces of Coq."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from verifier.wings.judges.numbers import Factor

BELOW = 1 - Fraction(1, 1 << 20)
"""What is shown not to be enough is less by this factor."""


def rational(value: Fraction) -> str:
    """A rational.

    >>> rational(Fraction(-3, 4))
    '(-3#4)%Q'
    """
    return f"({value.numerator}#{value.denominator})%Q"


def listed(items: Iterable[object]) -> str:
    """A list."""
    return f"[{'; '.join(map(str, items))}]"


def theorem(name: str, said: str, statement: str, proof: str) -> list[str]:
    """A theorem with its proof, after a word on what it says."""
    return ["", f"(* {said} *)", f"Theorem {name} : {statement}.", f"Proof. {proof} Qed."]


def bracket(asked: Factor, e: Fraction, *, holds: bool) -> list[str]:
    """That the rational stands on the right side of e^ε, where that is a statement about rationals."""
    if asked.kind == "rational":
        return []
    side = "below" if holds else "above"
    note = f"(* {rational(e)} is {side} e^epsilon for epsilon = {asked.text}: what holds there holds at e^epsilon;"
    note = note if holds else note.replace("what holds there holds", "what fails there fails")
    if asked.kind == "between" or any(asked.polynomial[1:-1]):
        return ["", f"{note} that it is {side} is not shown here *)"]
    power, value = len(asked.polynomial) - 1, -asked.polynomial[0]
    ends = (f"{rational(e)} ^ {power}", rational(value))
    statement = f"({' <= '.join(ends if holds else ends[::-1])})%Q"
    proof = "apply Qle_bool_iff. vm_compute. reflexivity."
    return theorem(f"it_is_{side}", note[3:], statement, proof)
