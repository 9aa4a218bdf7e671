"""Acceptability for families: for which values of the parameter there is an acceptable normalization.

One model has one iff the multisets {(S(ω), P[ω | B̂])} are the same for all B̂ (proofs/acceptability.md). Where
no entry is 0 or 1 the worlds are the same for all values, and each P[ω | B̂] is a quotient of polynomials. Two multisets
{f₁, …, fₘ} and {g₁, …, gₘ} of numbers are the same iff Π (x - fⱼ) = Π (x - gⱼ) as polynomials in x: iff the elementary
symmetric functions eₖ(f) - eₖ(g) are 0. Functions that both multisets contain are left out first. So a normalization
exists exactly where finitely many polynomials are 0: at their common roots. If all of them are 0 as polynomials, it
exists everywhere, and one structure serves all values, with φ₀'s law as functions of the parameter. (If not, each root
may need another one.) On a face, where an entry is 0 or 1, the support is another one: the model there is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add
from typing import Any, TypeAlias

from verifier.definitions.answer import Answer, Valued
from verifier.errors import LimitError
from verifier.model import Model, Secret, Theta, subject_of
from verifier.model.parameters import Family
from verifier.numbers import Function, quotient
from verifier.numbers.functions import real_roots, terms_text
from verifier.questions.normalization import Acceptability, decide
from verifier.questions.normalization.generating_table import check_given, worlds_of
from verifier.wings.families.comparisons import general_member
from verifier.wings.families.domain import domain, inner_value, special_points
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import Point, point_text
from verifier.wings.families.valid import refuse_invalid

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
    """The answer at a value at which an entry is 0 or 1: about the model there; None where the value is irrational."""

    where: str
    model: Acceptability | None

    def __str__(self) -> str:
        if self.model is None:
            return "not decided"
        return "acceptable" if self.model.acceptable else f"not acceptable: {self.model.reason}"

    @property
    def verdict(self) -> str:
        """`always` or `never`, as the answer of a family would say it; empty where it is not decided."""
        return "" if self.model is None else "always" if self.model.acceptable else "never"


@dataclass(frozen=True)
class FamilyAcceptance(Answer):
    """For which parameter values θ has an acceptable normalization at a record: where no entry is 0 or 1, and on faces.

    `verdict` is `always`, `never`, or `where` all `equations` are 0; then `roots` has these values of the parameter,
    and `example` one at which the ordinary procedure confirms it. `reason` says why it is not acceptable elsewhere.
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
        if self.verdict == "where" or {face.verdict for face in self.faces} - {self.verdict}:
            return ""
        return self.verdict

    def __str__(self) -> str:
        faces = () if self.everywhere else self.faces
        lines = (f"  where {face.where}: {face}" for face in faces)
        return "\n".join((f'"{self.distribution}", {subject_of(self.record)}: {self._said()}', *lines))

    def _said(self) -> str:
        inside = "" if self.everywhere else " with which no entry is 0 or 1"
        if self.verdict == "always":
            return f"acceptable for all values{inside}"
        if self.verdict == "never":
            return f"not acceptable for any values{inside}: {self.reason}"
        where = " or ".join(f"{self.family.names[0]} = {point_text(root)}" for root in self.roots or ())
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


MAX_LEFT = 8
"""Largest number of worlds of one B̂ and one S whose probabilities are compared as a multiset."""
Functions: TypeAlias = Mapping[World, Function]


def acceptable_family(family: Family) -> tuple[FamilyAcceptance, ...]:
    """For which parameter values a family has an acceptable normalization: one answer for each θ and sensitive record.

    Raises:
        InputError: for a family that does not have exactly one parameter, that is invalid somewhere in its range, or
            whose range has no inner value.
        LimitError: where the work would exceed the limits.

    """
    intervals = domain(family)
    refuse_invalid(family, intervals)
    member = general_member(family, [{family.names[0]: inner_value(family)}])
    special = special_points(family)
    faces = [interval for interval in intervals if interval.point in special]
    inner = [interval for interval in intervals if interval.point not in special]
    constant_one = Function.parameter(family.names[0]).constantly(1)
    answers = []
    for theta, secret in product(member.thetas, member.secrets):
        masses = {world: constant_one * mass for world, mass in _masses(member, theta, secret).items()}
        answer = _decided(FamilyAcceptance(family, theta.name, secret.record, "never"), inner, masses)
        on_faces = tuple(_on_face(answer, interval) for interval in faces)
        answers.append(replace(answer, faces=on_faces, objections=_objections(member, theta, secret)))
    return tuple(answers)


def _masses(member: Model, theta: Theta, secret: Secret) -> dict[World, Any]:
    """P[ω] of every world at one distribution and secret, as functions of the parameters."""
    worlds, denominator = worlds_of(theta, secret)
    return {
        (known.text, value.text, tuple(member.values[v].text for v in database)): quotient(weight, denominator)
        for (known, value, database), weight in worlds.items()
    }


def _known(masses: Functions) -> dict[str, Function]:
    """P[B = B̂], as functions of the parameters."""
    known_masses: dict[str, Function] = {}
    for (knowledge, *_), mass in masses.items():
        known_masses[knowledge] = known_masses[knowledge] + mass if knowledge in known_masses else mass
    return known_masses


def _decided(answer: FamilyAcceptance, inner: Sequence[Interval], masses: Functions) -> FamilyAcceptance:
    """Decide for which values in `inner` the multisets {(S(ω), P[ω | B̂])} of all B̂ are equal; `never` is `answer`."""
    known = _known(masses)
    chances = {world: mass / known[world[0]] for world, mass in masses.items()}
    knowledge_values = list(known)
    equations: dict[str, Any] = {}
    reason = ""
    for second_knowledge in knowledge_values[1:]:
        for value in dict.fromkeys(world[1] for world in chances):
            fibres = [
                [f for w, f in chances.items() if w[:2] == (b, value)] for b in (knowledge_values[0], second_knowledge)
            ]
            first, second = (Counter(fibre) for fibre in fibres)
            left, right = list((first - second).elements()), list((second - first).elements())
            if left or right:
                reason = reason or _why(
                    subject_of(answer.record), value, (knowledge_values[0], second_knowledge), fibres
                )
            if len(left) != len(right):
                return replace(answer, reason=reason)
            if len(left) > MAX_LEFT:
                raise LimitError(f"{len(left)} worlds are compared as a multiset", wanted=f"at most {MAX_LEFT}")
            for difference in _differences(left, right):
                line = _reduced(difference, inner)
                if line.is_constant():
                    return replace(answer, reason=reason)
                equations[str(line)] = line
    if not equations:
        return replace(answer, verdict="always", structure=_structure(chances, known))
    return _at_roots(replace(answer, reason=reason), inner, _fewest(list(equations.values())))


def _differences(left: Sequence[Function], right: Sequence[Function]) -> Iterator[Function]:
    """The differences eₖ(f) - eₖ(g) that are not 0."""
    for x, y in zip(_symmetric(left), _symmetric(right), strict=True):
        if x - y:
            yield x - y


def _symmetric(functions: Sequence[Function]) -> list[Function]:
    """The elementary symmetric functions e₁, …, eₘ."""
    if not functions:
        return []
    sums: list[Any] = [1, *(0 for _ in functions)]
    for done, function in enumerate(functions):
        for k in range(done + 1, 0, -1):
            sums[k] = sums[k] + sums[k - 1] * function
    return sums[1:]


def _reduced(function: Function, inner: Sequence[Interval]) -> Any:
    """The product of those factors of the numerator, each once, that have a root where no entry is 0 or 1."""
    product = function.bottom**0
    for factor, _ in function.top.factor()[1]:
        if _roots(factor, inner):
            product = product * factor
    return product


def _roots(polynomial: Any, inner: Sequence[Interval]) -> tuple[Point, ...]:
    """The roots of a polynomial where no entry is 0 or 1, in order."""
    return tuple(root for root in real_roots(polynomial) if any(interval.has(root) for interval in inner))


def _fewest(equations: Sequence[Any]) -> list[Any]:
    """The equations without those that are multiples of others."""
    ordered = sorted(equations, key=lambda equation: (int(equation.degree()), str(equation)))
    kept: list[Any] = []
    for equation in ordered:
        if all(divmod(equation, earlier)[1] for earlier in kept):
            kept.append(equation)
    return kept


def _at_roots(answer: FamilyAcceptance, inner: Sequence[Interval], equations: list[Any]) -> FamilyAcceptance:
    """The answer where all equations are met, with an example that the ordinary procedure confirms, or `never`."""
    roots = _roots(reduce(lambda shared, equation: shared.gcd(equation), equations), inner)
    if not roots:
        return answer
    name = answer.family.names[0]
    example = next(({name: root} for root in roots if isinstance(root, Fraction)), None)
    if example is not None and not _ordinary(answer.family.at(example), answer).acceptable:
        raise ArithmeticError(f"acceptable as a family at {example}, and not as a model")
    texts = tuple(_equation(equation, name) for equation in equations)
    return replace(answer, verdict="where", equations=texts, roots=roots, example=example)


def _equation(polynomial: Any, name: str) -> str:
    text = terms_text(polynomial, name)
    return terms_text(-polynomial, name) if text.startswith("-") else text


def _ordinary(model: Model, answer: FamilyAcceptance) -> Acceptability:
    """The answer about one model, for the same distribution and record."""
    theta = next(theta for theta in model.thetas if theta.name == answer.distribution)
    secret = next(secret for secret in model.secrets if secret.record == answer.record)
    return decide(model, theta, secret)


def _why(subject: str, value: str, pair: tuple[str, str], fibres: Sequence[Sequence[Function]]) -> str:
    """The reason why two fibres differ, as functions: the probability of the value, or of the worlds with it."""
    totals = [reduce(add, fibre) if fibre else None for fibre in fibres]
    if totals[0] != totals[1]:
        texts = [
            f"P[{subject} = {value} | B = {b}] = {'0' if t is None else str(t)}"
            for b, t in zip(pair, totals, strict=True)
        ]
        return " but ".join(texts)
    texts = [
        f"{{{', '.join(sorted(str(function) for function in fibre))}}} given B = {b}"
        for b, fibre in zip(pair, fibres, strict=True)
    ]
    return f"with {subject} = {value}, the worlds have the probabilities {' but '.join(texts)}"


def _structure(chances: Functions, known_masses: Mapping[str, Function]) -> Structure:
    """The normalization of a common multiset: each entry is a value of φ₀, matched in every B̂ to an equal function."""
    phi_0: dict[str, Function] = {}
    rows = []
    for known in known_masses:
        fibre = [(world, function) for world, function in chances.items() if world[0] == known]
        fibre.sort(key=lambda row: (row[0][1], str(row[1]), row[0][2]))
        often = Counter(world[1] for world, _ in fibre)
        count: Counter[str] = Counter()
        for world, function in fibre:
            count[world[1]] += 1
            name = world[1] if often[world[1]] == 1 else f"{world[1]}#{count[world[1]]}"
            phi_0[name] = function
            rows.append((name, world))
    return Structure(phi_0, known_masses if len(known_masses) > 1 else {}, tuple(rows))


def _objections(member: Model, theta: Theta, secret: Secret) -> tuple[str | None, ...]:
    """Check each normalization of the file by identities of functions, so for all parameter values."""
    return tuple(
        check_given(member, theta, secret, normalization)
        for normalization in member.normalizations
        if (normalization.distribution, normalization.record) == (theta.name, secret.record)
    )


def _on_face(answer: FamilyAcceptance, interval: Interval) -> Face:
    """The answer at a value at which an entry is 0 or 1, by the ordinary procedure."""
    (name,) = answer.family.names
    at = interval.sample
    model = _ordinary(answer.family.at({name: at}), answer) if isinstance(at, Fraction) else None
    return Face(interval.text(name), model)
