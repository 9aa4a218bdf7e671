"""Statements about one model, decided again from its plain tables: `np(e) => cdp(2*e)`, `independent => np iff cdp`.

`not` binds most, then `and`, `or`, `iff`, and `=>` least. A definition with an ε that varies holds from the smallest
e^ε on that is enough; so the truth of a statement changes only at finitely many ε, all of them powers of rationals,
and one ε at each and one between them decide; where a δ varies too, `levels` says which are enough. What goes
further (two ε that vary, other mechanisms, most properties) raises `Undecided`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, TypeAlias

from verifier.replay.definitions import DEFINITIONS, IN_STATEMENTS, TAIL
from verifier.replay.levels import Line, exponential, level, lines, places, ratios, steps
from verifier.replay.numbers import Compared, Exponential, Rejected, line_of, number
from verifier.replay.tables import Tables

Model: TypeAlias = dict[str, Any]
"""size, values, secrets, domain, worlds, mechanism: as in a certificate."""
Tree: TypeAlias = tuple[Any, ...]
"""("asked", Asked), ("has", name), ("not", tree), ("and", trees) or ("or", trees)."""
_TOKEN = re.compile(r"\s*(=>|[()]|[a-z][a-z0-9-]*)")
_AMOUNT = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)")
_BOUND = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)(?: \+ ([0-9]+(?:/[0-9]+)?))?")
MAX_BITS = 1 << 16
VACUOUS = "vacuous"


class Undecided(Exception):  # noqa: N818 - it names the outcome
    """The replay does not decide this statement; the message says why."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A definition at ε: a text, or a variable with a factor; None for some finite ε."""

    definition: str
    reading: str
    epsilon: str | None
    delta: str
    variable: str
    factor: Fraction
    bound: str = ""
    """The name of a δ that varies; it is asked at scale·δ + plus."""
    scale: Fraction = Fraction(1)
    plus: Fraction = Fraction(0)

    @property
    def tail(self) -> bool:
        """Whether P[loss > ε] is bounded."""
        return DEFINITIONS[self.definition].measure == TAIL


# --- reading ------------------------------------------------------------------------------------------------------


def parsed(text: str) -> Tree:
    """The tree of a statement."""
    found, rest = _implication(text, 0)
    if text[rest:].strip():
        raise Rejected(f"{text[:60]!r} is no statement")
    return found


def _token(text: str, at: int) -> tuple[str, int]:
    found = _TOKEN.match(text, at)
    return (found[1], found.end()) if found else ("", at)


def _implication(text: str, at: int) -> tuple[Tree, int]:
    found, at = _equivalence(text, at)
    word, after = _token(text, at)
    if word == "=>":
        other, at = _implication(text, after)
        return ("or", (("not", found), other)), at
    return found, at


def _equivalence(text: str, at: int) -> tuple[Tree, int]:
    found, at = _parts(text, at, "or")
    word, after = _token(text, at)
    if word == "iff":
        other, at = _parts(text, after, "or")
        return ("and", (("or", (("not", found), other)), ("or", (("not", other), found)))), at
    return found, at


def _parts(text: str, at: int, joined: str) -> tuple[Tree, int]:
    parts = []
    while True:
        one, at = _parts(text, at, "and") if joined == "or" else _negation(text, at)
        parts.append(one)
        word, after = _token(text, at)
        if word != joined:
            return parts[0] if len(parts) == 1 else (joined, tuple(parts)), at
        at = after


def _negation(text: str, at: int) -> tuple[Tree, int]:
    word, after = _token(text, at)
    if word == "not":
        found, after = _negation(text, after)
        return ("not", found), after
    if word == "(":
        found, after = _implication(text, after)
        close, after = _token(text, after)
        if close != ")":
            raise Rejected(f"{text[:60]!r} lacks a bracket")
        return found, after
    if not word or word in {"and", "or", "iff", "=>", ")"}:
        raise Rejected(f"{text[:60]!r} is no statement")
    if word in {"post", "twice"}:
        raise Undecided(f"it asks about {word}(…)")
    if word not in DEFINITIONS:
        return ("has", word), after
    if not text.startswith("(", after):
        return ("asked", _asked(word, "")), after
    end, depth = after + 1, 1
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    if depth:
        raise Rejected(f"{text[:60]!r} lacks a bracket")
    return ("asked", _asked(word, text[after + 1 : end - 1])), end


def _asked(definition: str, arguments: str) -> Asked:
    """`e`, `2*e, 1/10`, `delta=1/2`, `reading="all-values"`."""
    reading = re.search(r',?\s*reading="([^"]*)"', arguments)
    if reading:
        arguments = arguments.replace(reading[0], "")
    given = [one.strip() for one in re.split(r",(?![^(]*\))", arguments) if one.strip()]
    deltas = [one.removeprefix("delta=") for k, one in enumerate(given) if k == 1 or one.startswith("delta=")]
    if len(given) > 2 or len(deltas) > 1 or (len(given) == 2 and given[0].startswith("delta=")):
        raise Rejected(f"{definition}({arguments[:60]}) has more than ε and δ")
    epsilon = given[0] if given and not given[0].startswith("delta=") else None
    delta = deltas[0] if deltas else "0"
    name = reading[1] if reading else "default"
    known = DEFINITIONS[definition]
    if name not in known.readings or known.compares not in IN_STATEMENTS:
        raise Undecided(f"it asks for {definition} in the reading {name}")
    found = _AMOUNT.fullmatch(epsilon or "")
    asked = Asked(definition, name, epsilon, delta, "", Fraction(1))
    if found and found[2] != "inf":
        asked = Asked(definition, name, None, delta, found[2], number(found[1] or "1"))
    if bound := _BOUND.fullmatch(delta):
        return replace(asked, bound=bound[2], scale=number(bound[1] or "1"), plus=number(bound[3] or "0"))
    number(delta)
    return asked


# --- deciding -----------------------------------------------------------------------------------------------------


class Claim:
    """A statement, with the definitions and properties that it asks about."""

    def __init__(self, tree: Tree) -> None:
        self.tree, atoms = tree, list(dict.fromkeys(_atoms(tree)))
        self.names = [one for one in atoms if isinstance(one, str)]
        self.asked = [one for one in atoms if isinstance(one, Asked)]
        self.variables = {name for one in self.asked for name in (one.variable, one.bound)} - {""}
        self._worlds: Any = None
        self._known: dict[str, bool] = {}

    def decided(self, model: Model, at: dict[str, str]) -> list[tuple[bool, bool]]:
        """Whether it is true at every ε and δ that counts, or `at` some: with vacuous as holding, and as failing."""
        if at.keys() - self.variables:
            raise Rejected(f"the statement has no variable {min(at.keys() - self.variables)}")
        fixed: dict[Any, Any] = {name: self._has(name, model) for name in self.names}
        if (known := _settled(self.tree, fixed)) is not None:
            return [(known, known)]
        moving: dict[Asked, list[Compared]] = {}
        tables = Tables(model)
        for one in self.asked:
            compared = [each for family in tables.families(DEFINITIONS[one.definition], one.reading) for each in family]
            if not compared:
                fixed[one] = VACUOUS
            elif one.variable or one.bound:
                moving[one] = compared
            else:
                fixed[one] = _holds(compared, one)
        both = ("ε", {one.variable for one in moving} - {""}), ("δ", {one.bound for one in moving} - {""})
        for what, names in both:
            if len(names) > 1:
                raise Undecided(f"two {what} vary")
        verdicts = _in_both(moving, at) if any(one.bound for one in moving) else _in_epsilon(moving, at)
        return [tuple(_true(self.tree, fixed | one, vacuous=v) for v in (True, False)) for one in verdicts]  # type: ignore[misc]

    def _has(self, name: str, model: Model) -> bool:
        """A property of the model; what the worlds alone say of it is kept until there are others."""
        if name == "deterministic":
            return all(sum(bool(number(p)) for p in law.values()) == 1 for _, law in model["mechanism"])
        if model["worlds"] is not self._worlds:
            self._worlds, self._known = model["worlds"], {}
        if name not in self._known:
            self._known[name] = _has(name, model)
        return self._known[name]


def _in_epsilon(moving: dict[Asked, list[Compared]], at: dict[str, str]) -> Iterator[dict[Any, bool]]:
    """The verdicts at every ε that counts."""
    smallest = {one: _smallest(compared, one) for one, compared in moving.items()}
    reached, power = _reached(smallest)
    for y in [_at(one, power) for one in at.values()] or _places(reached):
        yield {one: start is not None and y >= start for one, start in reached.items()}


def _in_both(moving: dict[Asked, list[Compared]], at: dict[str, str]) -> Iterator[dict[Any, bool]]:
    """The verdicts at every ε and δ that counts; with c·δ + p for a varying δ, the lines are those of its level."""
    factors = {one.factor for one in moving if one.variable}
    if len(factors) > 1 or any(one.tail for one in moving):
        raise Undecided("its δ varies, with several multiples of ε or in the tail form")
    levels: dict[Asked, list[Line]] = {}
    bounds: set[Line] = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0))}
    for one, compared in moving.items():
        found = lines(compared)
        if not one.variable:  # ε is fixed
            E = Exponential("inf" if one.epsilon is None else one.epsilon).value
            if E is None:
                raise Undecided("its δ varies, at a fixed ε that is infinite or has an irrational e^ε")
            found = [(level(found, E), Fraction(0))]
        scale = Fraction(1, one.scale)
        levels[one] = [((a - one.plus) * scale, b * scale) for a, b in found] if one.bound else found
        bounds |= {(number(one.delta), Fraction(0))} if not one.bound else set()
    power = next(iter(factors)) if factors else Fraction(1)
    asked = [_at(text, 1) for name, text in at.items() if any(name == one.variable for one in moving)]
    if asked and power != 1:
        raise Undecided("its δ varies, with a multiple of ε")
    for E in asked or places([*bounds, *(line for each in levels.values() for line in each)]):
        needed = {one: level(found, E) for one, found in levels.items()}
        given = [number(text) for name, text in at.items() if any(name == one.bound for one in moving)]
        for d in given or steps(y for one, y in needed.items() if one.bound):
            yield {one: (d if one.bound else number(one.delta)) >= y for one, y in needed.items()}


def _at(epsilon: str, power: int) -> Fraction:
    """The y = e^(N·ε) of one ε."""
    value = Exponential(epsilon).value
    if value is None or value.numerator.bit_length() * power > MAX_BITS:
        raise Undecided(f"e^ε is irrational, or long, at ε = {epsilon[:40]}")
    return value**power


def _atoms(tree: Tree) -> Iterator[Any]:
    kind, inside = tree
    if kind in {"asked", "has"}:
        yield inside
    for one in [inside] if kind == "not" else inside if kind in {"and", "or"} else ():
        yield from _atoms(one)


def _settled(tree: Tree, fixed: dict[Any, Any]) -> bool | None:
    """What the properties alone say of the claim, if they settle it."""
    kind, inside = tree
    if kind in {"asked", "has"}:
        return fixed.get(inside)
    if kind == "not":
        known = _settled(inside, fixed)
        return None if known is None else not known
    parts = [_settled(one, fixed) for one in inside]
    return kind == "or" if (kind == "or") in parts else None if None in parts else kind != "or"


def _true(tree: Tree, verdicts: dict[Any, Any], *, vacuous: bool) -> bool:
    kind, inside = tree
    if kind in {"asked", "has"}:
        return vacuous if verdicts[inside] == VACUOUS else bool(verdicts[inside])
    if kind == "not":
        return not _true(inside, verdicts, vacuous=vacuous)
    return (any if kind == "or" else all)(_true(one, verdicts, vacuous=vacuous) for one in inside)


def _holds(compared: list[Compared], one: Asked) -> bool:
    """Whether δ is enough at a fixed ε, or at some finite one."""
    e, tail = Exponential("inf" if one.epsilon is None else one.epsilon), one.tail
    return all(line_of(each, e, tail=tail).sign(e, number(one.delta)) <= 0 for each in compared)


def _smallest(compared: list[Compared], asked: Asked) -> Fraction | None:
    """The smallest e^ε at which δ is enough for all; None where none is."""
    delta, tail = number(asked.delta), asked.tail
    needed: list[Fraction] = []
    for one in compared:
        found = _smallest_of(one, delta, tail=tail)
        if found is None:
            return None
        needed.append(found)
    return max(needed)


def _smallest_of(one: Compared, delta: Fraction, *, tail: bool) -> Fraction | None:
    """Between two ratios P/Q the amount above is A - B·E, over the outputs that reach the upper one."""
    for E in ratios(one):
        e = exponential(E)
        if line_of(one, e, tail=tail).sign(e, delta) <= 0:
            if E == 1 or tail:
                return E
            a, b = line_of(one, e, tail=False, closed=True).ends
            return (a - delta) * Fraction(1, b) if b else E
    return None


def _reached(moving: dict[Asked, Fraction | None]) -> tuple[dict[Asked, Fraction | None], int]:
    """From which y = e^(N·ε) on each holds, and N, a common multiple that makes all powers whole."""
    common = lcm(*(one.factor.numerator for one in moving))
    found: dict[Asked, Fraction | None] = {}
    for one, E in moving.items():
        power = one.factor.denominator * (common // one.factor.numerator)
        if E is not None and (E.numerator.bit_length() + E.denominator.bit_length()) * power > MAX_BITS:
            raise Undecided("the powers of its ε are long")
        found[one] = None if E is None else E**power
    return found, common


def _places(reached: dict[Asked, Fraction | None]) -> list[Fraction]:
    """At y = 1, at every y where something begins to hold, between two of them, and above all."""
    points = sorted({Fraction(1), *(y for y in reached.values() if y is not None and y > 1)})
    return [*points, *((x + y) * Fraction(1, 2) for x, y in pairwise(points)), points[-1] + 1]


def _has(name: str, model: Model) -> bool:
    """A property of the worlds that the replay knows."""
    if name == "independent":  # D(i) and the other records, given each B̂
        return all(
            _is_product({(d[i], (*d[:i], *d[i + 1 :])): p for d, p in mine.items()})
            for rows in model["worlds"].values()
            for mine in _given(rows).values()
            for i in model["secrets"]
        )
    if (
        name == "acceptable"
    ):  # every B̂ leaves the same probabilities of worlds, with their D(i) (proofs/acceptability.md)
        return all(
            len({tuple(sorted((d[i], p * Fraction(1, sum(mine.values()))) for d, p in mine.items() if p))
                 for mine in _given(rows).values() if any(mine.values())}) == 1
            for rows in model["worlds"].values()
            for i in model["secrets"]
        )  # fmt: skip
    if name == "no-knowledge":  # D and B
        return all(
            _is_product({(d, known): p for known, mine in _given(rows).items() for d, p in mine.items()})
            for rows in model["worlds"].values()
        )
    if name == "informed":  # each B̂ tells all other records, and every database is possible
        possible = {tuple(d) for rows in model["worlds"].values() for d, _, _, _ in rows}
        told = all(
            len({(*d[:i], *d[i + 1 :]) for d in mine}) == 1 and {d[i] for d in mine} == set(model["values"])
            for rows in model["worlds"].values()
            for mine in _given(rows).values()
            for i in model["secrets"]
        )
        return told and len(possible) == len(model["values"]) ** model["size"]
    raise Undecided(f"it asks for {name}")


def _given(rows: list[Any]) -> dict[str, dict[tuple[str, ...], Fraction]]:
    """For each B̂ the weights of the databases."""
    found: dict[str, dict[tuple[str, ...], Fraction]] = {}
    for database, known, _, p in rows:
        mine = found.setdefault(known, {})
        mine[tuple(database)] = mine.get(tuple(database), Fraction(0)) + number(p)
    return found


def _is_product(joint: dict[tuple[Any, Any], Fraction]) -> bool:
    left: dict[Any, Fraction] = {}
    right: dict[Any, Fraction] = {}
    for (a, b), p in joint.items():
        left[a], right[b] = left.get(a, Fraction(0)) + p, right.get(b, Fraction(0)) + p
    whole = sum(joint.values())
    return all(joint.get((a, b), Fraction(0)) * whole == p * q for a, p in left.items() for b, q in right.items())
