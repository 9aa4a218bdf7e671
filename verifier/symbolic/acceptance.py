"""Acceptability for families: for which values of the parameters is there an acceptable normalization.

For one model it is there iff the multisets {(S(ω), P[ω | B̂])} are the same for all B̂ (proofs/acceptability.md). Where no
entry is 0 or 1 the worlds are the same for all values, and each P[ω | B̂] is a quotient of polynomials. Two multisets
{f₁, …, fₘ} and {g₁, …, gₘ} of numbers are the same iff Π (x - fⱼ) = Π (x - gⱼ) as polynomials in x: iff the elementary
symmetric functions eₖ(f) - eₖ(g) are 0. What the two have in common as functions is left out before. So there is one
exactly where finitely many polynomials are 0: everywhere, where all of them are 0 as polynomials; then one structure
serves all values, with φ₀'s law as functions of the parameters. (If not, it may be another structure at each root.)
On faces, where an entry is 0, the support is another one: they are families of their own, with fewer parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.model import Model, Secret, subject_of
from verifier.model.parameters import Family
from verifier.normalization import Answer, decide
from verifier.normalization.given import check_given
from verifier.normalization.worlds import worlds_of
from verifier.numbers import roots_between
from verifier.symbolic.grid import Axes, axes_of, bounds_of, on_grid
from verifier.symbolic.intervals import Interval
from verifier.symbolic.points import Line, Point, point_text
from verifier.symbolic.quotient import Quotient, factors_of, polynomial_text, single
from verifier.symbolic.ratio import Ratio, integers
from verifier.symbolic.region import Clock, Region, Sign
from verifier.symbolic.several_valid import refuse_invalid

SECONDS = 60
MAX_LEFT = 8
"""Most worlds of one B̂ and one S whose probabilities are compared as a multiset."""
World: TypeAlias = tuple[str, str, tuple[str, ...]]
"""B̂, S and the database."""
Chances: TypeAlias = Mapping[World, Quotient]


@dataclass(frozen=True)
class Structure:
    """A normalization for all values: φ₀'s law, B's law, and the world that each pair of values generates."""

    phi_0: Mapping[str, Quotient]
    phi_1: Mapping[str, Quotient]
    worlds: tuple[tuple[str, World], ...]

    def to_json(self) -> dict[str, Any]:
        """As in `pkdp acceptable --json`, with functions for numbers."""
        laws = {"φ0": self.phi_0, "φ1": self.phi_1}
        return {
            "parameters": [
                {"name": name, "table": {x: one.text() for x, one in law.items()}} for name, law in laws.items()
            ],
            "knowledge": ["φ1"],
            "table": [
                {"when": [x, world[0]], "database": list(world[2]), "knowledge": world[0], "sensitive": world[1]}
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

    def __str__(self) -> str:
        lines = [f'"{self.distribution}", {subject_of(self.record)}: {self._said()}']
        for face in self.faces:
            told = "not decided"
            if face.model is not None:
                told = "acceptable" if face.model.acceptable else f"not acceptable: {face.model.reason}"
            if face.family is not None:
                told = str(face.family).split(": ", 1)[1].replace("\n", "\n  ")
            lines.append(f"  where {face.where}: {told}")
        return "\n".join(lines)

    def _said(self) -> str:
        if self.verdict == "always":
            return "acceptable for all values"
        if self.verdict == "never":
            return f"not acceptable for any values: {self.reason}"
        name = self.family.names[0]
        where = " and ".join(f"{one} = 0" for one in self.equations)
        if self.roots is not None:
            where = " or ".join(f"{name} = {point_text(one)}" for one in self.roots)
        return f"acceptable exactly where {where}; elsewhere not: {self.reason}"

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


def acceptable_family(family: Family, *, seconds: int = SECONDS) -> tuple[FamilyAcceptance, ...]:
    """For which values of its parameters a family is acceptable, for each distribution and sensitive record.

    Raises:
        InputError: for a family that is none somewhere, or whose range has no inner point.
        LimitError: where the work would exceed the limits.

    """
    region = Region(family, Clock(seconds))
    refuse_invalid(region)
    if region.centre.answer != "point":
        raise InputError(
            "no inner point of the range was found",
            where=str(family.place),
            wanted="a range with inner points, where no entry is 0 or 1",
            tip=region.centre.near,
        )
    degrees = bounds_of(family)
    axes = axes_of(family, degrees, region.centre.at, region.inside)
    points = list(product(*axes))
    models = [family.beyond(dict(zip(family.names, at, strict=True))) for at in points]
    found = []
    for place, theta in enumerate(models[0].thetas):
        for number, secret in enumerate(models[0].secrets):
            chances = _chances(family, models, place, number, (axes, degrees))
            mine = _decided(region, theta.name, secret, chances)
            found.append(replace(mine, given=_given(models, place, number)))
    return _with_faces(region, found)


def _chances(
    family: Family, models: Sequence[Model], place: int, number: int, grid: tuple[Axes, tuple[int, ...]]
) -> Chances:
    """P[ω | B̂] of every world, as functions of the parameters."""
    values: dict[World, list[Fraction]] = {}
    for model in models:
        worlds, whole = worlds_of(model.thetas[place], model.secrets[number])
        for (heard, secret, database), weight in worlds.items():
            shown = tuple(model.values[v].text for v in database)
            values.setdefault((heard.text, secret.text, shown), []).append(Fraction(weight, whole))
    if any(len(one) != len(models) for one in values.values()):
        raise ArithmeticError("the support changes with the parameters")
    axes, degrees = grid
    mass = {world: on_grid(family.names, axes, one, degrees) for world, one in values.items()}
    whole_of: dict[str, Quotient] = {}
    for (heard_text, *_), one in mass.items():
        whole_of[heard_text] = whole_of[heard_text] + one if heard_text in whole_of else one
    return {world: one / whole_of[world[0]] for world, one in mass.items()}


def _decided(region: Region, distribution: str, secret: Secret, chances: Chances) -> FamilyAcceptance:
    """Where the multisets of all B̂ are the same."""
    heard = list(dict.fromkeys(world[0] for world in chances))
    equations: dict[str, Any] = {}
    reason = ""
    answer = FamilyAcceptance(region.family, distribution, secret.record, "never")
    for other in heard[1:]:
        for value in dict.fromkeys(world[1] for world in chances):
            fibres = [[f for w, f in chances.items() if w[:2] == (one, value)] for one in (heard[0], other)]
            first, second = (Counter(one) for one in fibres)
            left, right = list((first - second).elements()), list((second - first).elements())
            if left or right:
                reason = reason or _why(subject_of(secret.record), value, (heard[0], other), fibres)
            if len(left) != len(right):
                return replace(answer, reason=reason)
            if len(left) > MAX_LEFT:
                raise LimitError(f"{len(left)} worlds are compared as a multiset", wanted=f"at most {MAX_LEFT}")
            for one in _differences(left, right):
                line = _reduced(region, one)
                if line.is_constant():
                    return replace(answer, reason=reason)
                equations[str(line)] = line
    if not equations:
        return replace(answer, verdict="always", structure=_structure(chances, heard))
    return _at_roots(region, replace(answer, reason=reason), _fewest(list(equations.values())))


def _differences(left: Sequence[Quotient], right: Sequence[Quotient]) -> Iterator[Quotient]:
    """eₖ(f) - eₖ(g) for all k, those that are not 0."""
    for x, y in zip(_symmetric(left), _symmetric(right), strict=True):
        if x - y:
            yield x - y


def _symmetric(functions: Sequence[Quotient]) -> list[Quotient]:
    """The elementary symmetric functions e₁, …, eₘ."""
    if not functions:
        return []
    names = functions[0].names
    found = [Quotient.of(names, 1), *(Quotient.of(names, 0) for _ in functions)]
    for done, one in enumerate(functions):
        for k in range(done + 1, 0, -1):
            found[k] = found[k] + found[k - 1] * one
    return found[1:]


def _reduced(region: Region, one: Quotient) -> Any:
    """The product of those factors of the top, each once, that can be 0 where no entry is."""
    found = Quotient.of(region.names, 1).bottom
    for factor, _ in factors_of(one.top)[1]:
        if region.find([Sign(factor, "=")], region.support).answer != "none":
            found = found * factor
    return found


def _fewest(equations: Sequence[Any]) -> list[Any]:
    """Without multiples of others."""
    ordered = sorted(equations, key=lambda one: (int(one.total_degree()), str(one)))
    found: list[Any] = []
    for one in ordered:
        if all(divmod(one, other)[1] for other in found):
            found.append(one)
    return found


def _at_roots(region: Region, answer: FamilyAcceptance, equations: list[Any]) -> FamilyAcceptance:
    """Where all equations are met, with an example that the ordinary procedure confirms."""
    if len(region.names) == 1:
        shared = equations[0]
        for one in equations[1:]:
            shared = shared.gcd(one)
        roots = tuple(_roots(region, shared))
        if not roots:
            return answer
        rational = [one for one in roots if isinstance(one, Fraction)]
        answer = replace(answer, roots=roots)
        example = {region.names[0]: rational[0]} if rational else None
    else:
        found = region.find([Sign(one, "=") for one in equations], region.support)
        if found.answer == "none":
            return answer
        example = dict(zip(region.names, found.at, strict=True)) if found.answer == "point" else None
    if example is not None:
        there = _ordinary(region.family.at(example), answer)
        if not there.acceptable:
            raise ArithmeticError(f"acceptable as a family at {example}, and not as a model")
    shown = tuple(polynomial_text(one, region.names) for one in equations)
    return replace(answer, verdict="where", equations=shown, example=example)


def _ordinary(model: Model, answer: FamilyAcceptance) -> Answer:
    """The answer of the ordinary procedure at the same place."""
    theta = next(one for one in model.thetas if one.name == answer.distribution)
    secret = next(one for one in model.secrets if one.record == answer.record)
    return decide(model, theta, secret)


def _roots(region: Region, shared: Any) -> Iterator[Point]:
    """The roots of a polynomial in the only parameter where no entry is 0 or 1."""
    line = single(shared)
    if line.degree() < 1:
        return
    listed = integers(line)
    far = 1 + max(Fraction(abs(c), abs(listed[-1])) for c in listed[:-1])
    for root in roots_between(listed, -far, far):
        signs = [(one.order, Line(Ratio.reduced(single(one.a), Ratio.of(1).top), Ratio.of(0)).sign(root)) for one in region.support]
        if all((not side and "=" in order) or (side < 0 if "<" in order else side > 0) for order, side in signs):
            yield root


def _why(subject: str, value: str, heard: tuple[str, str], fibres: Sequence[Sequence[Quotient]]) -> str:
    """What differs, as functions: the chance of the value, or the worlds with it."""
    totals = []
    for fibre in fibres:
        whole = None
        for one in fibre:
            whole = one if whole is None else whole + one
        totals.append(whole)
    if totals[0] != totals[1]:
        said = [f"P[{subject} = {value} | B = {b}] = {'0' if t is None else t.text()}" for b, t in zip(heard, totals, strict=True)]
        return " but ".join(said)
    said = [f"{{{', '.join(sorted(one.text() for one in fibre))}}} given B = {b}" for b, fibre in zip(heard, fibres, strict=True)]
    return f"with {subject} = {value}, the worlds have the probabilities {' but '.join(said)}"


def _structure(chances: Chances, heard: Sequence[str]) -> Structure:
    """The common multiset named entry by entry; the same functions are matched in every B̂."""
    phi_0: dict[str, Quotient] = {}
    rows = []
    for known in heard:
        fibre = [(world, one) for world, one in chances.items() if world[0] == known]
        fibre.sort(key=lambda row: (row[0][1], row[1].text(), row[0][2]))
        often = Counter(world[1] for world, _ in fibre)
        count: Counter[str] = Counter()
        for world, one in fibre:
            count[world[1]] += 1
            name = world[1] if often[world[1]] == 1 else f"{world[1]}#{count[world[1]]}"
            phi_0[name] = one
            rows.append((name, world))
    return Structure(phi_0, {}, tuple(rows))


def _given(models: Sequence[Model], place: int, number: int) -> tuple[str | None, ...]:
    """Whether each normalization of the file is accepted on the whole grid: an identity of polynomials, so for all."""
    found: list[str | None] = []
    theta, secret = models[0].thetas[place], models[0].secrets[number]
    for k, one in enumerate(models[0].normalizations):
        if (one.distribution, one.record) != (theta.name, secret.record):
            continue
        every = (check_given(m, m.thetas[place], m.secrets[number], m.normalizations[k]) for m in models)
        found.append(next((why for why in every if why is not None), None))
    return tuple(found)


def _with_faces(region: Region, found: Sequence[FamilyAcceptance]) -> tuple[FamilyAcceptance, ...]:
    """The same with the answers where an entry is 0 or 1."""
    faces: list[list[Face]] = [[] for _ in found]
    for factor in region.faces():
        shown = f"{region.text(factor)} = 0"
        names = [k for k, degree in enumerate(factor.degrees()) if degree]
        if len(names) > 1 or int(factor.total_degree()) > 1:
            for mine in faces:
                mine.append(Face(shown))
            continue
        at = region.root(factor)
        values = {region.names[names[0]]: at}
        shown = f"{region.names[names[0]]} = {at}"
        if len(region.names) == 1:
            model = region.family.at(values)
            for mine, one in zip(faces, found, strict=True):
                mine.append(Face(shown, model=_ordinary(model, one)))
            continue
        parts = acceptable_family(region.family.fixed(values), seconds=region.clock.left() // 1000 + 1)
        for mine, part in zip(faces, parts, strict=True):
            mine.append(Face(shown, part))
    return tuple(replace(one, faces=tuple(mine)) for one, mine in zip(found, faces, strict=True))
