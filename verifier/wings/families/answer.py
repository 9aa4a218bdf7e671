"""What all answers about a family say: which family, which question, the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.model.parameters import Family
from verifier.numbers import exact_text
from verifier.version import VERSION
from verifier.wings.families.factor import Factor


def head(family: Family) -> dict[str, Any]:
    """The header of an answer: the file with its hash, the ranges, and the parameters that were fixed."""
    return {
        "schema": 1,
        "version": VERSION,
        "model": family.label,
        "sha256": family.sha256,
        "parameters": [str(one) for one in family.parameters],
        **family.restriction.json,
        "fixed": {name: exact_text(value) for name, value in family.given.items()},
    }


def values_text(values: Mapping[str, Fraction]) -> str:
    """`p = 1/2, q = 1/3`."""
    return ", ".join(f"{name} = {exact_text(value)}" for name, value in values.items())


@dataclass(frozen=True)
class FamilyAnswer:
    """A question about a family with its verdict: holds, fails, vacuous, undecided or unsupported, and why."""

    family: Family
    definition: str
    reading: str
    factor: Factor | None
    delta: Fraction
    verdict: str
    reason: str = ""

    @property
    def exit_status(self) -> int:
        """0 holds or vacuous for all values, 1 fails somewhere, 3 undecided or unsupported."""
        return {"holds": 0, "vacuous": 0, "fails": 1}.get(self.verdict, 3)

    @property
    def asked(self) -> str:
        """`np at ε = ln(2), δ = 0`."""
        at = f" at ε = {self.factor}" if self.factor else ""
        return self.family.restriction.beside(f"{self.definition}{at}, δ = {exact_text(self.delta)}")

    def question_json(self, method: str) -> dict[str, Any]:
        """The first fields of the object of `pkdp check --json`."""
        return {
            **head(self.family),
            "conditions": [str(one) for one in self.family.side],
            "definition": self.definition,
            "reading": self.reading,
            "method": method,
            "epsilon": None if self.factor is None else str(self.factor),
            "delta": exact_text(self.delta),
            "verdict": self.verdict,
            "reason": self.reason or None,
        }
