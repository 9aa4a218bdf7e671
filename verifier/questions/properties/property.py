"""The answer to a question without ε: a property holds, fails, is vacuous, undecided or unsupported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.definitions.answer import REPR, Answer
from verifier.numbers import cut


@dataclass(frozen=True)
class Property(Answer):
    """The answer whether a model has a property: the verdict, the reason, and the evidence.

    `evidence` can be re-checked: where the property holds, a bijection or a map; where it fails, the first failure.
    `checked` counts the cases that were examined, `empty` those in which nothing is compared.
    """

    name: str
    source: str
    verdict: str
    reason: str | None = None
    reading: str = "default"
    checked: int = 0
    empty: int = 0
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return cut(f"<Property {self}>", REPR)

    def __str__(self) -> str:
        reading = "" if self.reading == "default" else f" ({self.reading})"
        return f"{self.name}{reading} {self.verdict}" + (f": {self.reason}" if self.reason else "")

    def fields(self) -> dict[str, Any]:
        """The answer as `pkdp property --json` prints it."""
        return {
            "property": self.name,
            "source": self.source,
            "reading": self.reading,
            "verdict": self.verdict,
            "reason": self.reason,
            "checked": self.checked,
            "empty": self.empty,
            "evidence": self.evidence or None,
        }
