"""Numbers, lists and theorems of Coq as text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from verifier.wings.judges.numbers import Factor


def rational(value: Fraction) -> str:
    """A rational in Coq's notation.

    >>> rational(Fraction(-3, 4))
    '(-3#4)%Q'
    """
    return f"({value.numerator}#{value.denominator})%Q"


def listed(items: Iterable[object]) -> str:
    """A Coq list of the items."""
    return f"[{'; '.join(map(str, items))}]"


def preamble(title: str) -> list[str]:
    """The lines at the beginning of a file."""
    return [
        f"(** {title}",
        "    The definitions are in PartialKnowledge.v; how to read this file: pkdp guide judges. *)",
        "From Coq Require Import QArith List.",
        "From PK Require Import PartialKnowledge.",
        "Import ListNotations.",
        "Open Scope nat_scope.",
        "",
    ]


def theorem(name: str, comment: str, statement: str, proof: str) -> list[str]:
    """The lines of a theorem with its proof, after a comment that says it in words."""
    return ["", f"(* {comment} *)", f"Theorem {name} : {statement}.", f"Proof. {proof} Qed."]


def bracket(epsilon: Factor, e: Fraction, *, holds: bool) -> list[str]:
    """Return lines of Coq: the theorem that the rational e is at most e^ε (`holds`), or at least e^ε (else).

    Where a power of e^ε is rational, the theorem is about rationals; elsewhere the lines are a comment that says that
    it is not shown. Where e^ε itself is rational, there are no lines.
    """
    if epsilon.kind == "rational":
        return []
    side = "below" if holds else "above"
    note = f"(* {rational(e)} is {side} e^epsilon for epsilon = {epsilon.text}: what holds there holds at e^epsilon;"
    note = note if holds else note.replace("what holds there holds", "what fails there fails")
    if epsilon.kind == "between" or any(epsilon.polynomial[1:-1]):
        return ["", f"{note} that it is {side} is not shown here *)"]
    power, value = len(epsilon.polynomial) - 1, -epsilon.polynomial[0]
    ends = (f"{rational(e)} ^ {power}", rational(value))
    statement = f"({' <= '.join(ends if holds else ends[::-1])})%Q"
    proof = "apply Qle_bool_iff. vm_compute. reflexivity."
    return theorem(f"it_is_{side}", note[3:], statement, proof)
