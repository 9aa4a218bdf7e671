"""What is said of a family's acceptability: where there is a normalization, one structure for all values, the faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.model import subject_of
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.questions.normalization import Answer
from verifier.wings.families.points import Point, point_text

World: TypeAlias = tuple[str, str, tuple[str, ...]]
"""B̂, S and the database."""


@dataclass(frozen=True)
class Structure:
    """A normalization for all values: φ₀'s law, B's law, and the world that each pair of values generates."""

    phi_0: Mapping[str, Function]
    phi_1: Mapping[str, Function]
    worlds: tuple[tuple[str, World], ...]

    def to_json(self) -> dict[str, Any]:
        """As in `pkdp acceptable --json`, with functions for numbers."""
        laws = {"φ0": self.phi_0} | ({"φ1": self.phi_1} if self.phi_1 else {})
        return {
            "parameters": [
                {"name": name, "table": {x: str(one) for x, one in law.items()}} for name, law in laws.items()
            ],
            "knowledge": ["φ1"] if self.phi_1 else [],
            "table": [
                {
                    "when": [x, *world[: len(laws) - 1]],
                    "database": list(world[2]),
                    "knowledge": world[0],
                    "sensitive": world[1],
                }
                for x, world in self.worlds
            ],
        }


@dataclass(frozen=True)
class Face:
    """Where an entry is 0 or 1: the family there, or the one model, or nothing where it was not decided."""

    where: str
    family: FamilyAcceptance | None = None
    model: Answer | None = None


@dataclass(frozen=True)
class FamilyAcceptance:
    """Where θ has an acceptable normalization at a record, among the values where no entry is 0 or 1; and on the faces.

    `verdict` is `always`, `never`, or `where` all `equations` are 0; then `roots` has the values of a single parameter,
    and `example` values at which the ordinary procedure confirms it. `reason` says why it is not acceptable elsewhere.
    """

    family: Family
    distribution: str
    record: int | None
    verdict: str
    equations: tuple[str, ...] = ()
    roots: tuple[Point, ...] | None = None
    example: Mapping[str, Fraction] | None = None
    reason: str = ""
    structure: Structure | None = None
    faces: tuple[Face, ...] = ()
    given: tuple[str | None, ...] = ()
    """For each normalization that the file gives: None where it is accepted for all these values, else why not."""

    @property
    def everywhere(self) -> str:
        """`always` or `never` where that is the answer for all values, those on the faces included; else nothing."""
        if self.verdict == "where":
            return ""
        said = {_face(face) for face in self.faces}
        return self.verdict if said <= {self.verdict} else ""

    def __str__(self) -> str:
        lines = [f'"{self.distribution}", {subject_of(self.record)}: {self._said()}']
        for face in [] if self.everywhere else self.faces:
            told = "not decided"
            if face.model is not None:
                told = "acceptable" if face.model.acceptable else f"not acceptable: {face.model.reason}"
            if face.family is not None:
                told = str(face.family).split(": ", 1)[1].replace("\n", "\n  ")
            lines.append(f"  where {face.where}: {told}")
        return "\n".join(lines)

    def _said(self) -> str:
        inside = "" if self.everywhere else " with which no entry is 0 or 1"
        if self.verdict == "always":
            return f"acceptable for all values{inside}"
        if self.verdict == "never":
            return f"not acceptable for any values{inside}: {self.reason}"
        name = self.family.names[0]
        where = " and ".join(f"{one} = 0" for one in self.equations)
        if self.roots is not None:
            where = " or ".join(f"{name} = {point_text(one)}" for one in self.roots)
        return f"where no entry is 0 or 1, acceptable exactly where {where}; elsewhere not: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        """One entry of `pkdp acceptable --json` for a family."""
        return {
            "distribution": self.distribution,
            "record": self.record,
            "verdict": self.verdict,
            "equations": list(self.equations),
            "roots": None if self.roots is None else [point_text(one) for one in self.roots],
            "example": None if self.example is None else {name: str(value) for name, value in self.example.items()},
            "reason": self.reason or None,
            "normalization": None if self.structure is None else self.structure.to_json(),
            "faces": [
                {
                    "where": face.where,
                    "family": None if face.family is None else face.family.to_json(),
                    "model": None if face.model is None else face.model.to_json(),
                }
                for face in self.faces
            ],
            "given": [{"accepted": why is None, "reason": why} for why in self.given],
        }


def _face(face: Face) -> str:
    if face.model is not None:
        return "always" if face.model.acceptable else "never"
    return "" if face.family is None else face.family.everywhere
