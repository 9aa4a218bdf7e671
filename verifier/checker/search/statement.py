"""Statements about one model, decided again from its plain tables: `np(e) => cdp(2*e)`, `independent => np iff cdp`.

`not` binds most, then `and`, `or`, `iff`, and `=>` least. A definition with an ε that varies holds from the smallest
e^ε on that is enough; so the truth of a statement changes only at finitely many ε, all of them powers of rationals,
and one ε at each and one between them decide; where a δ varies too, `levels` says which are enough. What goes
further (two ε that vary, other mechanisms, most properties) raises `Undecided`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import lcm
from typing import Any, TypeAlias

from verifier.checker import Rejected
from verifier.checker.laws import DEFINITIONS, IN_STATEMENTS, TAIL, Compared, Tables, is_product
from verifier.checker.measures import line_of
from verifier.checker.numbers import ONE, ZERO, Exponential, logarithm_of, number

Model: TypeAlias = dict[str, Any]
"""A model by the keys size, values, secrets, domain, worlds and mechanism, as in a certificate."""
Tree: TypeAlias = tuple[Any, ...]
"""("asked", Atom), ("has", name), ("not", tree), ("and", trees) or ("or", trees)."""
JOINED = ("=>", "iff", "or", "and")
"""The words that join statements; the later ones bind more."""
_TOKEN = re.compile(r"\s*(=>|[()]|[a-z][a-z0-9-]*)")
_AMOUNT = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)")
_BOUND = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)(?: \+ ([0-9]+(?:/[0-9]+)?))?")
MAX_BITS = 1 << 16
MOST_ATOMS = 64
"""Most definitions and properties of a statement that is decided."""
MOST_LINES = 96
"""Most lines A - B·E of which all crossings are looked at."""
VACUOUS = "vacuous"


class Undecided(Exception):  # noqa: N818 - it names the outcome
    """The checker does not decide this statement; the message says why."""


@dataclass(frozen=True, eq=False)
class Atom:
    """A definition at an ε: `epsilon`, or factor·`variable`, or, where neither is there, some finite ε."""

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


# --- reading -----------------------------------------------------------------------------------------------------


def parsed(text: str) -> Tree:
    """The tree of a statement.

    Raises:
        Rejected: where the text is no statement.
        Undecided: where it asks what the checker does not decide.

    """
    try:
        tree, end = _joined(text, 0)
    except RecursionError:
        raise Rejected(f"{text[:60]!r} is nested too deeply") from None
    if text[end:].strip():
        raise Rejected(f"{text[:60]!r} is no statement")
    if _written_out(tree, {}) > MOST_ATOMS:
        raise Undecided(f"it has more than {MOST_ATOMS} definitions and properties, once each iff is written out")
    return tree


def _written_out(tree: Tree, known: dict[int, int]) -> int:
    """How many definitions and properties a statement has; `iff` stands for two sides, and has each of them twice."""
    if id(tree) not in known:
        kind, inside = tree
        parts = [inside] if kind == "not" else inside if kind in {"and", "or"} else ()
        known[id(tree)] = sum(_written_out(part, known) for part in parts) or 1
    return known[id(tree)]


def _token(text: str, at: int) -> tuple[str, int]:
    match = _TOKEN.match(text, at)
    return (match[1], match.end()) if match else ("", at)


def _joined(text: str, at: int, level: int = 0) -> tuple[Tree, int]:
    """What words of this level, or of those that bind more, join: `=>`, `iff`, `or`, `and`, and none."""
    if level == len(JOINED):
        return _negation(text, at)
    left, at = _joined(text, at, level + 1)
    trees = [left]
    word, after = _token(text, at)
    while word == JOINED[level]:
        right, at = _joined(text, after, level + (word != "=>"))
        trees.append(right)
        word, after = ("", at) if word in {"=>", "iff"} else _token(text, at)
    if len(trees) == 1:
        return left, at
    if JOINED[level] in {"or", "and"}:
        return (JOINED[level], tuple(trees)), at
    then, back = (("or", (("not", x), y)) for x, y in (trees, trees[::-1]))
    return then if JOINED[level] == "=>" else ("and", (then, back)), at


def _negation(text: str, at: int) -> tuple[Tree, int]:
    word, after = _token(text, at)
    if word == "not":
        tree, after = _negation(text, after)
        return ("not", tree), after
    if word == "(":
        tree, after = _joined(text, after)
        close, after = _token(text, after)
        if close != ")":
            raise Rejected(f"{text[:60]!r} lacks a bracket")
        return tree, after
    if not word or word in {"and", "or", "iff", "=>", ")"}:
        raise Rejected(f"{text[:60]!r} is no statement")
    if word in {"post", "twice"}:
        raise Undecided(f"it asks about {word}(…)")
    if word not in DEFINITIONS:
        return ("has", word), after
    if not text.startswith("(", after):
        return ("asked", _atom(word, "")), after
    end, depth = after + 1, 1
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    if depth:
        raise Rejected(f"{text[:60]!r} lacks a bracket")
    return ("asked", _atom(word, text[after + 1 : end - 1])), end


def _atom(definition: str, arguments: str) -> Atom:
    """`e`, `2*e, 1/10`, `delta=1/2`, `reading="all-values"`."""
    reading = re.search(r',?\s*reading="([^"]*)"', arguments)
    if reading:
        arguments = arguments.replace(reading[0], "")
    entries = [entry.strip() for entry in re.split(r",(?![^(]*\))", arguments) if entry.strip()]
    deltas = [entry.removeprefix("delta=") for k, entry in enumerate(entries) if k == 1 or entry.startswith("delta=")]
    if len(entries) > 2 or (len(entries) == 2 and entries[0].startswith("delta=")):
        raise Rejected(f"{definition}({arguments[:60]}) has more than ε and δ")
    epsilon = entries[0] if entries and not entries[0].startswith("delta=") else None
    delta = deltas[0] if deltas else "0"
    name = reading[1] if reading else "default"
    known = DEFINITIONS[definition]
    if name not in known.readings or known.compares not in IN_STATEMENTS:
        raise Undecided(f"it asks for {definition} in the reading {name}")
    match = _AMOUNT.fullmatch(epsilon or "")
    atom = Atom(definition, name, epsilon, delta, "", Fraction(1))
    if match and match[2] != "inf":
        atom = Atom(definition, name, None, delta, match[2], number(match[1] or "1"))
    if bound := _BOUND.fullmatch(delta):
        return replace(atom, bound=bound[2], scale=number(bound[1] or "1"), plus=number(bound[3] or "0"))
    number(delta)
    return atom


# --- deciding ----------------------------------------------------------------------------------------------------


class ReplayedStatement:
    """A statement, with the definitions and properties that it asks about."""

    def __init__(self, tree: Tree) -> None:
        self.tree, atoms = tree, list(dict.fromkeys(_atoms(tree)))
        self.names = [atom for atom in atoms if isinstance(atom, str)]
        self.definitions = [atom for atom in atoms if isinstance(atom, Atom)]
        self.variables = {name for atom in self.definitions for name in (atom.variable, atom.bound)} - {""}
        self._worlds: Any = None
        self._known: dict[str, bool] = {}

    def decided(self, model: Model, at: dict[str, str]) -> list[tuple[bool, bool]]:
        """The truth at each ε and δ that counts, or only `at` some: twice, with vacuous as holding, and as failing.

        Raises:
            Undecided: where two ε or two δ vary, or properties, readings or powers go too far.

        """
        if at.keys() - self.variables:
            raise Rejected(f"the statement has no variable {min(at.keys() - self.variables)}")
        fixed: dict[Any, Any] = {name: self._has(name, model) for name in self.names}
        if (known := _settled(self.tree, fixed)) is not None:
            return [(known, known)]
        moving: dict[Atom, list[Compared]] = {}
        tables = Tables(model)
        for atom in self.definitions:
            compared = [
                comparison
                for family in tables.families(DEFINITIONS[atom.definition], atom.reading)
                for comparison in family
            ]
            if not compared:
                fixed[atom] = VACUOUS
            elif atom.variable or atom.bound:
                moving[atom] = compared
            else:
                fixed[atom] = _holds(compared, atom)
        varying = ("ε", {atom.variable for atom in moving} - {""}), ("δ", {atom.bound for atom in moving} - {""})
        for letter, names in varying:
            if len(names) > 1:
                raise Undecided(f"two {letter} vary")
        verdicts = _in_both(moving, at) if any(atom.bound for atom in moving) else _in_epsilon(moving, at)
        return [tuple(_true(self.tree, fixed | verdict, vacuous=v) for v in (True, False)) for verdict in verdicts]  # type: ignore[misc]

    def _has(self, name: str, model: Model) -> bool:
        """A property of the model; what the worlds alone say of it is kept until there are others."""
        if name == "deterministic":
            return all(sum(bool(number(p)) for p in law.values()) == 1 for _, law in model["mechanism"])
        if model["worlds"] is not self._worlds:
            self._worlds, self._known = model["worlds"], {}
        if name not in self._known:
            self._known[name] = _has(name, model)
        return self._known[name]


def _in_epsilon(moving: dict[Atom, list[Compared]], at: dict[str, str]) -> Iterator[dict[Any, bool]]:
    """The verdicts at every ε that counts."""
    smallest = {atom: _smallest(compared, atom) for atom, compared in moving.items()}
    reached, power = _reached(smallest)
    for y in [_at(epsilon, power) for epsilon in at.values()] or _places(reached):
        yield {atom: start is not None and y >= start for atom, start in reached.items()}


def _in_both(moving: dict[Atom, list[Compared]], at: dict[str, str]) -> Iterator[dict[Any, bool]]:
    """The verdicts at every ε and δ that counts; with c·δ + p for a varying δ, the lines are those of its level."""
    factors = {atom.factor for atom in moving if atom.variable}
    if len(factors) > 1 or any(atom.tail for atom in moving):
        raise Undecided("its δ varies, with several multiples of ε or in the tail form")
    levels: dict[Atom, list[Line]] = {}
    bounds: set[Line] = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0))}
    for atom, compared in moving.items():
        own_lines = lines(compared)
        if not atom.variable:  # ε is fixed
            E = Exponential("inf" if atom.epsilon is None else atom.epsilon).value
            if E is None:
                raise Undecided("its δ varies, at a fixed ε that is infinite or has an irrational e^ε")
            own_lines = [(level(own_lines, E), Fraction(0))]
        scale = Fraction(1, atom.scale)
        levels[atom] = [((a - atom.plus) * scale, b * scale) for a, b in own_lines] if atom.bound else own_lines
        bounds |= {(number(atom.delta), Fraction(0))} if not atom.bound else set()
    power = next(iter(factors)) if factors else Fraction(1)
    values = [_at(text, 1) for name, text in at.items() if any(name == atom.variable for atom in moving)]
    if values and power != 1:
        raise Undecided("its δ varies, with a multiple of ε")
    for E in values or places([*bounds, *(line for own_lines in levels.values() for line in own_lines)]):
        needed = {atom: level(own_lines, E) for atom, own_lines in levels.items()}
        deltas = [number(text) for name, text in at.items() if any(name == atom.bound for atom in moving)]
        for d in deltas or steps(y for atom, y in needed.items() if atom.bound):
            yield {atom: (d if atom.bound else number(atom.delta)) >= y for atom, y in needed.items()}


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
    for subtree in [inside] if kind == "not" else inside if kind in {"and", "or"} else ():
        yield from _atoms(subtree)


def _settled(tree: Tree, fixed: dict[Any, Any]) -> bool | None:
    """The truth of the claim, where the properties alone settle it; else None."""
    kind, inside = tree
    if kind in {"asked", "has"}:
        return fixed.get(inside)
    if kind == "not":
        known = _settled(inside, fixed)
        return None if known is None else not known
    truths = [_settled(subtree, fixed) for subtree in inside]
    return kind == "or" if (kind == "or") in truths else None if None in truths else kind != "or"


def _true(tree: Tree, verdicts: dict[Any, Any], *, vacuous: bool) -> bool:
    kind, inside = tree
    if kind in {"asked", "has"}:
        return vacuous if verdicts[inside] == VACUOUS else bool(verdicts[inside])
    if kind == "not":
        return not _true(inside, verdicts, vacuous=vacuous)
    return (any if kind == "or" else all)(_true(subtree, verdicts, vacuous=vacuous) for subtree in inside)


def _holds(compared: list[Compared], atom: Atom) -> bool:
    """Whether δ is enough at a fixed ε, or at some finite one."""
    e, tail = Exponential("inf" if atom.epsilon is None else atom.epsilon), atom.tail
    return all(line_of(comparison, e, tail=tail).over(number(atom.delta)) <= 0 for comparison in compared)


def _smallest(compared: list[Compared], atom: Atom) -> Fraction | None:
    """The smallest e^ε at which δ is enough for all; None where none is."""
    delta, tail = number(atom.delta), atom.tail
    needed: list[Fraction] = []
    for comparison in compared:
        smallest = _smallest_of(comparison, delta, tail=tail)
        if smallest is None:
            return None
        needed.append(smallest)
    return max(needed)


def _smallest_of(comparison: Compared, delta: Fraction, *, tail: bool) -> Fraction | None:
    """Between two ratios P/Q the amount above is A - B·E, over the outputs that reach the upper one."""
    for E in ratios(comparison):
        e = exponential(E)
        if line_of(comparison, e, tail=tail).over(delta) <= 0:
            if E == 1 or tail:
                return E
            a, b = line_of(comparison, e, tail=False, closed=True).ends
            return (a - delta) * Fraction(1, b) if b else E
    return None


def _reached(moving: dict[Atom, Fraction | None]) -> tuple[dict[Atom, Fraction | None], int]:
    """For each atom the y = e^(N·ε) from which on it holds, and N, a common multiple that makes all powers whole."""
    common = lcm(*(atom.factor.numerator for atom in moving))
    powers: dict[Atom, Fraction | None] = {}
    for atom, E in moving.items():
        power = atom.factor.denominator * (common // atom.factor.numerator)
        if E is not None and (E.numerator.bit_length() + E.denominator.bit_length()) * power > MAX_BITS:
            raise Undecided("the powers of its ε are long")
        powers[atom] = None if E is None else E**power
    return powers, common


def _places(reached: dict[Atom, Fraction | None]) -> list[Fraction]:
    """At y = 1, at every y where something begins to hold, between two of them, and above all."""
    return with_above({Fraction(1), *(y for y in reached.values() if y is not None and y > 1)})


def _has(name: str, model: Model) -> bool:
    """A property of the worlds that the checker knows."""
    if name == "independent":  # D(i) and the other records, given each B̂
        return all(
            is_product({(d[i], (*d[:i], *d[i + 1 :])): p for d, p in weights.items()})
            for rows in model["worlds"].values()
            for weights in _by_knowledge(rows).values()
            for i in model["secrets"]
        )
    if (
        name == "acceptable"
    ):  # every B̂ leaves the same probabilities of worlds, with their D(i) (proofs/acceptability.md)
        return all(
            len({tuple(sorted((d[i], p * Fraction(1, sum(weights.values()))) for d, p in weights.items() if p))
                 for weights in _by_knowledge(rows).values() if any(weights.values())}) == 1
            for rows in model["worlds"].values()
            for i in model["secrets"]
        )  # fmt: skip
    if name == "no-knowledge":  # D and B
        return all(
            is_product({(d, known): p for known, weights in _by_knowledge(rows).items() for d, p in weights.items()})
            for rows in model["worlds"].values()
        )
    if name == "informed":  # each B̂ tells all other records, and every database is possible
        possible = {tuple(d) for rows in model["worlds"].values() for d, _, _, _ in rows}
        tells_all = all(
            len({(*d[:i], *d[i + 1 :]) for d in weights}) == 1 and {d[i] for d in weights} == set(model["values"])
            for rows in model["worlds"].values()
            for weights in _by_knowledge(rows).values()
            for i in model["secrets"]
        )
        return tells_all and len(possible) == len(model["values"]) ** model["size"]
    raise Undecided(f"it asks for {name}")


def _by_knowledge(rows: list[Any]) -> dict[str, dict[tuple[str, ...], Fraction]]:
    """For each B̂ the weights of the databases."""
    by_knowledge: dict[str, dict[tuple[str, ...], Fraction]] = {}
    for database, known, _, p in rows:
        weights = by_knowledge.setdefault(known, {})
        weights[tuple(database)] = weights.get(tuple(database), Fraction(0)) + number(p)
    return by_knowledge


# --- where a statement may change -------------------------------------------------------------------------------------


Line: TypeAlias = tuple[Fraction, Fraction]
"""A and B of A - B·E."""
HALF = Fraction(1, 2)


def ratios(comparison: Compared) -> list[Fraction]:
    """E = 1 and all larger P(o)/Q(o), in order."""
    values = {ONE}
    for _, _, p, q, _ in comparison.pairs:
        for o, y in (q or {}).items():
            if y and (x := p.get(o, 0)):
                values.add(Fraction(x * sum((q or {}).values()), y * sum(p.values())))
    return sorted(ratio for ratio in values if ratio >= 1)


@lru_cache(1 << 12)
def exponential(E: Fraction) -> Exponential:
    """The `Exponential` of a rational E = e^ε."""
    return Exponential(logarithm_of(E))


def lines(compared: Iterable[Compared]) -> list[Line]:
    """Lines A - B·E whose largest value at E is the δ that is needed, for every E ≥ 1."""
    candidates: set[Line] = {(ZERO, ZERO)}
    for comparison in compared:
        for E in ratios(comparison):
            candidates |= {
                line_of(comparison, exponential(E), tail=False, closed=closed).ends for closed in (False, True)
            }
    if len(candidates) > MOST_LINES**2:
        raise Undecided("its δ varies, and there are more lines than are looked at")
    return [
        (a, b)
        for a, b in candidates
        if not any(
            (x, y) != (a, b) and x - y >= a - b and y <= b for x, y in candidates
        )  # another is above it everywhere
    ]


def level(candidates: Sequence[Line], E: Fraction) -> Fraction:
    """The largest A - B·E of some lines at E."""
    return max(a - b * E for a, b in candidates)


def places(all_lines: Iterable[Line]) -> list[Fraction]:
    """Values of E that see every order of the lines: 1, each larger crossing, one between neighbours, one above all."""
    crossings, distinct = {ONE}, list(dict.fromkeys(all_lines))
    if len(distinct) > MOST_LINES:
        raise Undecided("its δ varies, and more lines meet than are looked at")
    for (a, b), (x, y) in combinations(distinct, 2):
        if b != y and (E := (a - x) * Fraction(1, b - y)) > 1:
            crossings.add(E)
    return with_above(crossings)


def steps(levels: Iterable[Fraction]) -> list[Fraction]:
    """δ = 0 and 1, every level between them, and one between two of these."""
    return with_between({ZERO, ONE, *(delta for delta in levels if 0 < delta < 1)})


def with_between(points: set[Fraction]) -> list[Fraction]:
    """Some points in order, and one between neighbours."""
    listed = sorted(points)
    return [*listed, *((x + y) * HALF for x, y in pairwise(listed))]


def with_above(points: set[Fraction]) -> list[Fraction]:
    """Some points in order, one between neighbours, and one above all."""
    return [*with_between(points), max(points) + 1]
