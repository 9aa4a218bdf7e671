"""Acceptability for families: for which values of the parameters there is an acceptable normalization.

For one model it is there iff the multisets {(S(ω), P[ω | B̂])} are the same for all B̂ (proofs/acceptability.md). Where
no entry is 0 or 1 the worlds are the same for all values, and each P[ω | B̂] is a quotient of polynomials. Two multisets
{f₁, …, fₘ} and {g₁, …, gₘ} of numbers are the same iff Π (x - fⱼ) = Π (x - gⱼ) as polynomials in x: iff the elementary
symmetric functions eₖ(f) - eₖ(g) are 0. What the two have in common as functions is left out before. So there is one
exactly where finitely many polynomials are 0: everywhere, where all of them are 0 as polynomials; then one structure
serves all values, with φ₀'s law as functions of the parameters. (If not, it may be another structure at each root.)
On faces, where an entry is 0, the support is another one: they are families of their own, with fewer parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError
from verifier.model import Model, Secret, Theta, subject_of
from verifier.model.parameters import Family
from verifier.numbers import Function, quotient
from verifier.numbers.functions import Names, factors_of, real_roots, single, terms_text
from verifier.questions.normalization import Answer, decide
from verifier.questions.normalization.given import check_given
from verifier.questions.normalization.worlds import worlds_of
from verifier.wings.families.accepted import Face, FamilyAcceptance, Structure, World
from verifier.wings.families.points import Point, polynomial_sign
from verifier.wings.families.region import Clock, Region, Sign
from verifier.wings.families.valid import refuse_invalid_in

SECONDS = 60
MAX_LEFT = 8
"""Most worlds of one B̂ and one S whose probabilities are compared as a multiset."""
Functions: TypeAlias = Mapping[World, Function]
Memo: TypeAlias = dict[tuple[tuple[str, Fraction], ...], tuple[FamilyAcceptance, ...]]


def acceptable_family(family: Family, *, seconds: int = SECONDS) -> tuple[FamilyAcceptance, ...]:
    """For which values of its parameters a family is acceptable, for each distribution and sensitive record.

    Raises:
        InputError: for a family that is none somewhere, or whose range has no inner point.
        LimitError: where the work would exceed the limits.

    """
    return _acceptable(family, seconds, (), {})


def _acceptable(
    family: Family, seconds: int, fixed: tuple[tuple[str, Fraction], ...], memo: Memo
) -> tuple[FamilyAcceptance, ...]:
    """The same for a face on which some parameters are fixed."""
    region = Region(family, Clock(seconds))
    unknown = refuse_invalid_in(region)
    if unknown:
        raise LimitError(unknown, where=str(family.place), tip="more time, or a smaller range")
    if region.centre.answer != "point":
        raise InputError(
            "no inner point of the range was found",
            where=str(family.place),
            wanted="a range with inner points, where no entry is 0 or 1",
            tip=region.centre.near,
        )
    member = region.member
    found = []
    for theta, secret in product(member.thetas, member.secrets):
        masses = {world: region.one * mass for world, mass in _masses(member, theta, secret).items()}
        answer = _decided(region, theta.name, secret, masses)
        found.append(replace(answer, given=_given(member, theta, secret)))
    memo[fixed] = _with_faces(region, found, fixed, memo)
    return memo[fixed]


def _masses(member: Model, theta: Theta, secret: Secret) -> dict[World, Any]:
    """P[ω] of every world at one distribution and secret, as functions of the parameters."""
    worlds, whole = worlds_of(theta, secret)
    return {
        (known.text, value.text, tuple(member.values[v].text for v in database)): quotient(weight, whole)
        for (known, value, database), weight in worlds.items()
    }


def _known(masses: Functions) -> dict[str, Function]:
    """P[B = B̂], as functions of the parameters."""
    found: dict[str, Function] = {}
    for (heard, *_), one in masses.items():
        found[heard] = found[heard] + one if heard in found else one
    return found


def _decided(region: Region, distribution: str, secret: Secret, masses: Functions) -> FamilyAcceptance:
    """Where the multisets of all B̂ are the same."""
    known = _known(masses)
    chances = {world: one / known[world[0]] for world, one in masses.items()}
    heard = list(known)
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
        return replace(answer, verdict="always", structure=_structure(chances, known))
    return _at_roots(region, replace(answer, reason=reason), _fewest(list(equations.values())))


def _differences(left: Sequence[Function], right: Sequence[Function]) -> Iterator[Function]:
    """eₖ(f) - eₖ(g) for all k, those that are not 0."""
    for x, y in zip(_symmetric(left), _symmetric(right), strict=True):
        if x - y:
            yield x - y


def _symmetric(functions: Sequence[Function]) -> list[Function]:
    """The elementary symmetric functions e₁, …, eₘ."""
    if not functions:
        return []
    found: list[Any] = [1, *(0 for _ in functions)]
    for done, one in enumerate(functions):
        for k in range(done + 1, 0, -1):
            found[k] = found[k] + found[k - 1] * one
    return found[1:]


def _reduced(region: Region, one: Function) -> Any:
    """The product of those factors of the top, each once, that can be 0 where no entry is."""
    found = region.one.bottom
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
    shown = tuple(_equation(one, region.names) for one in equations)
    return replace(answer, verdict="where", equations=shown, example=example)


def _equation(one: Any, names: Names) -> str:
    text = terms_text(one, names)
    return terms_text(-one, names) if text.startswith("-") else text


def _ordinary(model: Model, answer: FamilyAcceptance) -> Answer:
    """The answer of the ordinary procedure at the same place."""
    theta = next(one for one in model.thetas if one.name == answer.distribution)
    secret = next(one for one in model.secrets if one.record == answer.record)
    return decide(model, theta, secret)


def _roots(region: Region, shared: Any) -> Iterator[Point]:
    """The roots of a polynomial in the only parameter where no entry is 0 or 1."""
    for root in real_roots(single(shared)):
        signs = [(one.order, polynomial_sign(single(one.a), root)) for one in region.support]
        if all((not side and "=" in order) or (side < 0 if "<" in order else side > 0) for order, side in signs):
            yield root


def _why(subject: str, value: str, heard: tuple[str, str], fibres: Sequence[Sequence[Function]]) -> str:
    """What differs, as functions: the chance of the value, or the worlds with it."""
    totals = []
    for fibre in fibres:
        whole = None
        for one in fibre:
            whole = one if whole is None else whole + one
        totals.append(whole)
    if totals[0] != totals[1]:
        said = [
            f"P[{subject} = {value} | B = {b}] = {'0' if t is None else str(t)}"
            for b, t in zip(heard, totals, strict=True)
        ]
        return " but ".join(said)
    said = [
        f"{{{', '.join(sorted(str(one) for one in fibre))}}} given B = {b}"
        for b, fibre in zip(heard, fibres, strict=True)
    ]
    return f"with {subject} = {value}, the worlds have the probabilities {' but '.join(said)}"


def _structure(chances: Functions, heard: Mapping[str, Function]) -> Structure:
    """The common multiset named entry by entry; the same functions are matched in every B̂."""
    phi_0: dict[str, Function] = {}
    rows = []
    for known in heard:
        fibre = [(world, one) for world, one in chances.items() if world[0] == known]
        fibre.sort(key=lambda row: (row[0][1], str(row[1]), row[0][2]))
        often = Counter(world[1] for world, _ in fibre)
        count: Counter[str] = Counter()
        for world, one in fibre:
            count[world[1]] += 1
            name = world[1] if often[world[1]] == 1 else f"{world[1]}#{count[world[1]]}"
            phi_0[name] = one
            rows.append((name, world))
    return Structure(phi_0, heard if len(heard) > 1 else {}, tuple(rows))


def _given(member: Model, theta: Theta, secret: Secret) -> tuple[str | None, ...]:
    """Whether each normalization of the file is accepted: by identities of functions, so for all values."""
    return tuple(
        check_given(member, theta, secret, normalization)
        for normalization in member.normalizations
        if (normalization.distribution, normalization.record) == (theta.name, secret.record)
    )


def _with_faces(
    region: Region, found: Sequence[FamilyAcceptance], fixed: tuple[tuple[str, Fraction], ...], memo: Memo
) -> tuple[FamilyAcceptance, ...]:
    """The same with the answers where an entry is 0 or 1."""
    faces: list[list[Face]] = [[] for _ in found]
    for factor in region.faces():
        shown = f"{region.text(factor)} = 0"
        which = region.fixes(factor)
        if which is None:
            for mine in faces:
                mine.append(Face(shown))
            continue
        at = region.root(factor)
        values = {region.names[which]: at}
        shown = f"{region.names[which]} = {at}"
        if len(region.names) == 1:
            model = region.family.at(values)
            for mine, one in zip(faces, found, strict=True):
                mine.append(Face(shown, model=_ordinary(model, one)))
            continue
        there = tuple(sorted((*fixed, *values.items())))
        parts = memo.get(there)
        if parts is None:
            parts = _acceptable(region.family.fixed(values), region.clock.left() // 1000 + 1, there, memo)
        for mine, part in zip(faces, parts, strict=True):
            mine.append(Face(shown, part))
    return tuple(replace(one, faces=tuple(mine)) for one, mine in zip(found, faces, strict=True))
