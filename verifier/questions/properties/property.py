"""The answer to a question about a model that has no ε: a property holds, fails, is vacuous, or cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.definitions.verdict import EXIT_STATUS, REPR
from verifier.numbers import cut


@dataclass(frozen=True)
class Property:
    """One property of a model: the verdict, why, and the evidence.

    `evidence` is what anyone can re-check: where it holds, a bijection or a map; where it fails, the first place.
    `checked` counts what was looked at, `empty` where there was nothing to look at.

    A property has no truth value, since five answers are possible: ask for `.verdict == "holds"`.
    """

    name: str
    source: str
    verdict: str
    reason: str | None = None
    reading: str = "default"
    checked: int = 0
    empty: int = 0
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Refuse to be a truth value."""
        raise TypeError(
            "a property holds, fails, is vacuous, undecided or unsupported, not true or false; "
            'Tip: write property.verdict == "holds"'
        )

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return EXIT_STATUS[self.verdict]

    def __repr__(self) -> str:
        reading = "" if self.reading == "default" else f" ({self.reading})"
        return cut(
            f"<Property {self.name}{reading} {self.verdict}{': ' if self.reason else ''}{self.reason or ''}>", REPR
        )

    def __str__(self) -> str:
        reading = "" if self.reading == "default" else f" ({self.reading})"
        return f"{self.name}{reading} {self.verdict}" + (f": {self.reason}" if self.reason else "")

    def to_json(self) -> dict[str, Any]:
        """The answer as `pkdp property --json` prints it."""
        return {
            "property": self.name,
            "source": self.source,
            "reading": self.reading,
            "verdict": self.verdict,
            "reason": self.reason,
            "checked": self.checked,
            "empty": self.empty,
            "evidence": dict(self.evidence) or None,
        }
