"""The answer about a family's acceptability: where there is a normalization, its structure, and the faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.definitions.answer import Answer, Valued
from verifier.model import subject_of
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.questions.normalization import Acceptability
from verifier.wings.families.points import Point, point_text

World: TypeAlias = tuple[str, str, tuple[str, ...]]
"""A world as texts: B̂, the sensitive value S and the database."""


@dataclass(frozen=True)
class Structure(Valued):
    """A normalization for all parameter values: the laws of φ₀ and φ₁ = B, and the world that each pair generates."""

    phi_0: Mapping[str, Function]
    phi_1: Mapping[str, Function]
    worlds: tuple[tuple[str, World], ...]

    def fields(self) -> dict[str, Any]:
        """The normalization as in `pkdp acceptable --json`, with functions in place of numbers."""
        laws = {"φ0": self.phi_0} | ({"φ1": self.phi_1} if self.phi_1 else {})
        return {
            "parameters": [
                {"name": name, "table": {value: str(chance) for value, chance in law.items()}}
                for name, law in laws.items()
            ],
            "knowledge": ["φ1"] if self.phi_1 else [],
            "table": [
                {
                    "when": [value, *world[: len(laws) - 1]],
                    "database": world[2],
                    "knowledge": world[0],
                    "sensitive": world[1],
                }
                for value, world in self.worlds
            ],
        }


@dataclass(frozen=True)
class Face(Valued):
    """The answer on a face, where an entry is 0 or 1: about the family or the model there; neither where undecided."""

    where: str
    family: FamilyAcceptance | None = None
    model: Acceptability | None = None


@dataclass(frozen=True)
class FamilyAcceptance(Answer):
    """For which parameter values θ has an acceptable normalization at a record: where no entry is 0 or 1, and on faces.

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
    objections: tuple[str | None, ...] = ()
    """For each normalization of the file: None if it is accepted where no entry is 0 or 1, else the reason why not."""

    @property
    def everywhere(self) -> str:
        """`always` or `never` where that is the answer for all values, the faces included; else empty."""
        if self.verdict == "where":
            return ""
        verdicts = {_face(face) for face in self.faces}
        return self.verdict if verdicts <= {self.verdict} else ""

    def __str__(self) -> str:
        lines = [f'"{self.distribution}", {subject_of(self.record)}: {self._said()}']
        for face in [] if self.everywhere else self.faces:
            face_text = "not decided"
            if face.model is not None:
                face_text = "acceptable" if face.model.acceptable else f"not acceptable: {face.model.reason}"
            if face.family is not None:
                face_text = str(face.family).split(": ", 1)[1].replace("\n", "\n  ")
            lines.append(f"  where {face.where}: {face_text}")
        return "\n".join(lines)

    def _said(self) -> str:
        inside = "" if self.everywhere else " with which no entry is 0 or 1"
        if self.verdict == "always":
            return f"acceptable for all values{inside}"
        if self.verdict == "never":
            return f"not acceptable for any values{inside}: {self.reason}"
        name = self.family.names[0]
        where = " and ".join(f"{equation} = 0" for equation in self.equations)
        if self.roots is not None:
            where = " or ".join(f"{name} = {point_text(root)}" for root in self.roots)
        return f"where no entry is 0 or 1, acceptable exactly where {where}; elsewhere not: {self.reason}"

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 where there is a normalization for all values."""
        return int(self.everywhere != "always")

    def fields(self) -> dict[str, Any]:
        """One entry of `pkdp acceptable --json` for a family."""
        return {
            "distribution": self.distribution,
            "record": self.record,
            "verdict": self.verdict,
            "equations": self.equations,
            "roots": None if self.roots is None else [point_text(root) for root in self.roots],
            "example": self.example,
            "reason": self.reason or None,
            "normalization": self.structure,
            "faces": self.faces,
            "given": [{"accepted": why is None, "reason": why} for why in self.objections],
        }


def _face(face: Face) -> str:
    if face.model is not None:
        return "always" if face.model.acceptable else "never"
    return "" if face.family is None else face.family.everywhere
