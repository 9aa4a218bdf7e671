"""Statements about one model, decided again from its plain tables: `np(e) => cdp(2*e)`, `independent => np iff cdp`.

`not` binds most, then `and`, `or`, `iff`, and `=>` least. A definition with an ε that varies holds from the smallest
e^ε on that is enough; so the truth of a statement changes only at finitely many ε, all of them powers of rationals,
and one ε at each and one between them decide. What goes further (a δ that varies, other mechanisms, most properties)
raises `Undecided`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple, TypeAlias

from verifier.replay import KNOWN, families
from verifier.replay_numbers import Compared, Exponential, Rejected, line_of, number

Model: TypeAlias = dict[str, Any]
"""size, values, secrets, domain, worlds, mechanism: as in a certificate."""
Tree: TypeAlias = tuple[Any, ...]
"""("asked", Asked), ("has", name), ("not", tree), ("and", trees) or ("or", trees)."""
_TOKEN = re.compile(r"\s*(=>|[()]|[a-z][a-z0-9-]*)")
_AMOUNT = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)")
MAX_BITS = 1 << 16
VACUOUS = "vacuous"


class Undecided(Exception):  # noqa: N818 - it names the outcome
    """The replay does not decide this statement; the message says why."""


class Asked(NamedTuple):
    """A definition at ε: a text, or a variable with a factor; None for some finite ε."""

    definition: str
    reading: str
    epsilon: str | None
    delta: str
    variable: str
    factor: Fraction


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
    if word not in KNOWN:
        return ("has", word), after
    if not text.startswith("(", after):
        return ("asked", _asked(word, "")), after
    end, depth = after + 1, 1
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    return ("asked", _asked(word, text[after + 1 : end - 1])), end


def _asked(definition: str, arguments: str) -> Asked:
    """`e`, `2*e, 1/10`, `delta=1/2`, `reading="all-values"`."""
    reading = re.search(r',?\s*reading="([^"]*)"', arguments)
    if reading:
        arguments = arguments.replace(reading[0], "")
    given = [one.strip() for one in re.split(r",(?![^(]*\))", arguments) if one.strip()]
    deltas = [one.removeprefix("delta=") for k, one in enumerate(given) if k == 1 or one.startswith("delta=")]
    epsilon = given[0] if given and not given[0].startswith("delta=") else None
    delta = deltas[0] if deltas else "0"
    name = reading[1] if reading else "default"
    if name not in KNOWN[definition] or definition in {"ddp", "dependency", "dps", "safe"}:
        raise Undecided(f"it asks for {definition} in the reading {name}")
    if not re.fullmatch(r"[0-9]+(/[0-9]+)?", delta):
        raise Undecided("its δ varies")
    found = _AMOUNT.fullmatch(epsilon or "")
    if found and found[2] != "inf":
        return Asked(definition, name, None, delta, found[2], number(found[1] or "1"))
    return Asked(definition, name, epsilon, delta, "", Fraction(1))


def variables(trees: Iterable[Tree]) -> set[str]:
    """The names of the ε that vary."""
    return {one.variable for tree in trees for one in _atoms(tree) if isinstance(one, Asked)} - {""}


# --- deciding -----------------------------------------------------------------------------------------------------


def decided(claim: Tree, model: Model, at: dict[str, str]) -> list[tuple[bool, bool]]:
    """Whether the claim is true for every ε that counts, or for those `at`: with vacuous as holding, and as failing."""
    atoms = list(dict.fromkeys(_atoms(claim)))
    names = variables([claim])
    if len(names) > 1:
        raise Undecided("two ε vary")
    if at.keys() - names:
        raise Rejected(f"the statement has no variable {min(at.keys() - names)}")
    fixed: dict[Any, Any] = {}
    moving: dict[Asked, Fraction | None] = {}
    for one in atoms:
        if isinstance(one, str):
            fixed[one] = _has(one, model)
            continue
        question = {"definition": one.definition, "reading": one.reading}
        compared = [each for family in families({**model, "question": question}) for each in family]
        tail = one.definition.startswith("tail-")
        if not compared:
            fixed[one] = VACUOUS
        elif one.variable:
            moving[one] = _smallest(compared, number(one.delta), tail=tail)
        else:
            fixed[one] = _holds(compared, one, tail=tail)
    reached, power = _reached(moving)
    places = [_at(one, power) for one in at.values()] or _places(reached)
    found = []
    for y in places:
        verdicts = fixed | {one: start is not None and y >= start for one, start in reached.items()}
        found.append((_true(claim, verdicts, vacuous=True), _true(claim, verdicts, vacuous=False)))
    return found


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


def _true(tree: Tree, verdicts: dict[Any, Any], *, vacuous: bool) -> bool:
    kind, inside = tree
    if kind in {"asked", "has"}:
        return vacuous if verdicts[inside] == VACUOUS else bool(verdicts[inside])
    if kind == "not":
        return not _true(inside, verdicts, vacuous=vacuous)
    return (any if kind == "or" else all)(_true(one, verdicts, vacuous=vacuous) for one in inside)


def _holds(compared: list[Compared], one: Asked, *, tail: bool) -> bool:
    """Whether δ is enough at a fixed ε, or at some finite one."""
    e = Exponential("inf" if one.epsilon is None else one.epsilon)
    return all(e.sign(a - number(one.delta), b) <= 0 for a, b in (line_of(each, e, tail=tail) for each in compared))


def _smallest(compared: list[Compared], delta: Fraction, *, tail: bool) -> Fraction | None:
    """The smallest e^ε at which δ is enough for all; None where none is."""
    needed: list[Fraction] = []
    for one in compared:
        found = _smallest_of(one, delta, tail=tail)
        if found is None:
            return None
        needed.append(found)
    return max(needed)


def _smallest_of(one: Compared, delta: Fraction, *, tail: bool) -> Fraction | None:
    """Between two ratios P/Q the amount above is A - B·E, over the outputs that reach the upper one."""
    ratios = {Fraction(1)}
    for _, _, p, q, _ in one[5]:
        for o, y in (q or {}).items():
            if y and (x := p.get(o, 0)):
                ratios.add(Fraction(x * sum((q or {}).values()), y * sum(p.values())))
    for E in sorted(ratio for ratio in ratios if ratio >= 1):
        e = Exponential("0" if E == 1 else f"ln({E})")
        a, b = line_of(one, e, tail=tail)
        if a - b * E <= delta:
            if E == 1 or tail:
                return E
            a, b = line_of(one, e, tail=False, closed=True)
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
    """A property that the replay knows."""
    if name == "deterministic":
        return all(sum(bool(number(p)) for p in law.values()) == 1 for _, law in model["mechanism"])
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
