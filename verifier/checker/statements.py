"""Statements about one model: `np(e) => cdp(2*e)`, `independent => np iff cdp`, for all values of their variables.

`not` binds most, then `and`, `or`, `iff`, and `=>` least. A definition holds from the smallest e^ε on that is enough,
and its δ(ε) is A - B·e^ε in pieces; so the truth changes at finitely many points, and one at each and one between two
decide.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import lcm
from typing import Any, NamedTuple

from .comparisons import Asked, Comparison
from .definitions import ALIASES, DEFINITIONS, Definition
from .laws import Laws, Resolved
from .mechanisms import Database, Mechanism
from .models import Model, Row, conditioned
from .neighbours import replacing
from .number_text import epsilon_of
from .numbers import Label, Law, Power, joined, rational, require
from .of_worlds import by_known
from .profiles import Profile
from .properties import acceptable, reducible

MOST_ATOMS = 64
MOST_OUTPUTS = 5
"""The most outputs of which all functions are looked at."""
MOST_LINES = 96
"""The most lines A - B·e^ε of which all crossings are looked at."""
MOST_NESTED = 2
MOST_POWER = 1 << 16
"""The most bits of a power of e^ε."""
NONE = Fraction(0)


class Undecided(Exception):
    """What a statement asks is not decided here."""


# --- statements -------------------------------------------------------------------------------------------------------


class Atom(NamedTuple):
    """A definition, of the mechanism or of what `on` makes of it, at factor·ε and scale·δ + plus.

    Without `variable` ε is `epsilon` (None: some finite one); without `bound` δ is `plus`.
    """

    definition: str
    reading: str
    on: tuple[str, ...]
    epsilon: str | None
    variable: str
    factor: Fraction
    bound: str
    scale: Fraction
    plus: Fraction


Tree = tuple[Any, ...]
"""("asked", Atom), ("has", name), ("not", tree), ("and", trees) or ("or", trees)."""
WORDS = ("=>", "iff", "or", "and")
"""The words that join; the later ones bind more."""
AMOUNT = re.compile(r"(?:([0-9]+(?:/[0-9]+)?)\*)?([A-Za-z_]\w*)(?: \+ ([0-9]+(?:/[0-9]+)?))?")


class Reader:
    """Reads one statement."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = re.findall(r'=>|"[a-z0-9-]+"|[0-9./]+|[a-zA-Z_][a-zA-Z0-9_-]*|\S', text)[::-1]

    def tree(self) -> Tree:
        """All of it."""
        require(
            self.text.count("(") < 100 and self.tokens.count("not") < 100, f"{self.text[:60]!r} is nested too deeply"
        )
        tree = self.joined(0)
        require(not self.tokens, f"{self.text[:60]!r} is no statement")
        return tree

    def taken(self, *wanted: str) -> str:
        """The next token, if it is one of these; else nothing."""
        return self.tokens.pop() if self.tokens and self.tokens[-1] in wanted else ""

    def joined(self, level: int) -> Tree:
        """What words of this level, or of those that bind more, join."""
        if level == len(WORDS):
            return self.single()
        word, trees = WORDS[level], [self.joined(level + 1)]
        while self.taken(word):
            trees.append(self.joined(level + (word != "=>")))
            if word in ("=>", "iff"):
                break
        if len(trees) == 1:
            return trees[0]
        if word in ("or", "and"):
            return word, tuple(trees)
        implied = [("or", (("not", x), y)) for x, y in (trees, trees[::-1])]
        return implied[0] if word == "=>" else ("and", tuple(implied))

    def single(self) -> Tree:
        """A negation, a bracket, a property or a definition."""
        if self.taken("not"):
            return "not", self.single()
        if self.taken("("):
            tree = self.joined(0)
            require(self.taken(")"), f"{self.text[:60]!r} lacks a bracket")
            return tree
        name = self.tokens.pop() if self.tokens else ""
        require(re.fullmatch(r"[a-z][a-z0-9-]*", name) and name not in WORDS, f"{self.text[:60]!r} is no statement")
        if name in ("post", "twice"):
            require(self.taken("("), f"{self.text[:60]!r} lacks a bracket")
            kind, inner = self.single()
            require(self.taken(")") and kind == "asked", f"{self.text[:60]!r} asks {name} of no definition")
            return kind, inner._replace(on=(name, *inner.on))
        if name in CONDITIONS:
            return "has", name
        return "asked", self.atom(name)

    def atom(self, name: str) -> Atom:
        """`np(2*e, d + 1/10, reading="one-order")`."""
        parts: list[list[str]] = [[]]
        level = int(bool(self.taken("(")))
        while level:
            require(self.tokens, f"{self.text[:60]!r} lacks a bracket")
            part = self.tokens.pop()
            level += (part == "(") - (part == ")")
            if part == "," and level == 1:
                parts.append([])
            elif level:
                parts[-1].append(part)
        given: dict[str, str] = {}
        for n, words in enumerate(parts if parts != [[]] else []):
            named = words[0] if len(words) > 2 and words[1] == "=" else ("epsilon", "delta", "")[min(n, 2)]
            value = "".join(words[2:] if words[1:2] == ["="] else words)
            require(
                named in ("epsilon", "delta", "reading") and named not in given and value,
                f"{name}: {self.text[:60]!r} has more than ε and δ",
            )
            given[named] = value
        reading = given.get("reading", '"default"').strip('"')
        key = ALIASES.get(name, name)
        epsilon, variable, factor = given.get("epsilon"), "", Fraction(1)
        if epsilon is not None and epsilon != "inf" and (match := AMOUNT.fullmatch(epsilon)) and not match[3]:
            variable, factor = match[2], rational(match[1] or 1)
            require(factor > 0, f"{name}: ε is multiplied by 0")
        elif epsilon is not None:
            epsilon_of(epsilon)
        delta, bound, scale, plus = given.get("delta", "0").replace("+", " + "), "", Fraction(1), NONE
        if match := AMOUNT.fullmatch(delta):
            bound, scale, plus = match[2], rational(match[1] or 1), rational(match[3] or 0)
            require(scale > 0, f"{name}: δ is multiplied by 0")
        else:
            plus = rational(delta, "δ")
        require(0 <= plus <= 1, f"{name}: {plus} is no δ")
        return Atom(key, reading, (), epsilon, variable, factor, bound, scale, plus)


def parsed(text: str) -> Tree:
    """The tree of a statement; Undecided where it asks what is not decided here."""
    tree = Reader(text).tree()
    if written_out(tree, {}) > MOST_ATOMS:
        raise Undecided(f"it has more than {MOST_ATOMS} definitions and properties, once each iff is written out")
    return tree


def written_out(tree: Tree, known: dict[int, int]) -> int:
    """How many definitions and properties a tree has; `iff` stands for two sides, and has each of them twice."""
    if id(tree) not in known:
        kind, inside = tree
        parts = [inside] if kind == "not" else inside if kind in ("and", "or") else ()
        known[id(tree)] = sum(written_out(part, known) for part in parts) or 1
    return known[id(tree)]


def atoms(tree: Tree) -> Iterator[tuple[str, Any]]:
    """The definitions and properties that a tree asks about."""
    kind, inside = tree
    if kind in ("asked", "has"):
        yield kind, inside
    for part in [inside] if kind == "not" else inside if kind in ("and", "or") else ():
        yield from atoms(part)


def true(tree: Tree, truths: Mapping[Any, bool | None], vacuous: bool | None) -> bool | None:
    """The truth, where each atom is true, false, or vacuous (None); None where the known atoms settle nothing."""
    kind, inside = tree
    if kind in ("asked", "has"):
        if inside not in truths:
            return None
        truth = truths[inside]
        return vacuous if truth is None else truth
    if kind == "not":
        value = true(inside, truths, vacuous)
        return None if value is None else not value
    values = [true(part, truths, vacuous) for part in inside]
    settles = kind == "or"
    return settles if settles in values else None if None in values else not settles


# --- what a statement says of a model ---------------------------------------------------------------------------------


class Listed(Mechanism):
    """A mechanism that is given by its laws."""

    def __init__(self, laws: Mapping[Database, Law], like: Mechanism) -> None:
        super().__init__({"kind": "constant", "output": "0"}, like.home)
        self.laws = laws

    def law(self, database: Database) -> Law:
        """The law of the output on a database."""
        return self.laws[database]


ByDatabase = Mapping[Database, Law]


def derived(laws: ByDatabase, on: Sequence[str]) -> Iterator[ByDatabase]:
    """The mechanism; each function of its outputs (`post`); both outputs of two runs (`twice`). Last word first."""
    if not on:
        yield laws
        return
    for one in derived(laws, on[1:]):
        if on[0] == "twice":
            yield {d: joined([law, law]) for d, law in one.items()}
            continue
        outputs = sorted({o for law in one.values() for o in law.counts})
        if len(outputs) > MOST_OUTPUTS:
            raise Undecided(f"it asks for all functions of {len(outputs)} outputs")
        for images in product(range(len(outputs)), repeat=len(outputs)):
            if all(k <= max(images[:n], default=-1) + 1 for n, k in enumerate(images)):  # each partition once
                table = {o: outputs[k] for o, k in zip(outputs, images, strict=True)}
                yield {d: law.image(table.__getitem__) for d, law in one.items()}


def of_atom(atom: Atom) -> Definition:
    """The definition of an atom, if it is decided here."""
    definition = DEFINITIONS.get(atom.definition)
    if definition is None or definition.measure not in ("hockey-stick", "tail", "ratio"):
        raise Undecided(f"it asks for {atom.definition[:40]}")
    if atom.reading not in ("default", *definition.readings):
        raise Undecided(f"it asks for {atom.definition} in the reading {atom.reading[:40]}")
    if definition.measure == "ratio" and (atom.bound or atom.plus):
        raise Undecided(f"{atom.definition} has no δ")
    if len(atom.on) > MOST_NESTED:
        raise Undecided(f"it asks for more than {MOST_NESTED} changes of the mechanism")
    return definition


class Case:
    """A model of which statements are decided, by its laws; θ stays while other laws are tried."""

    def __init__(self, model: Model, laws: ByDatabase | None = None) -> None:
        self.model, self.databases = model, model.databases()
        self.listed: dict[tuple[str, str], list[Comparison]] = {}
        self.known: dict[str, bool | None] = {}
        self.laws = {d: model.mechanism.law(d) for d in self.databases} if laws is None else laws

    def curve(self, atom: Atom) -> Profile | None:
        """The comparisons of a definition; None where there are none."""
        definition = of_atom(atom)
        compared: list[list[Resolved]] = []
        for laws in derived(self.laws, atom.on):
            self.model.mechanism = Listed(laws, self.model.mechanism)
            asked, at = Asked(self.model, atom.reading), (atom.definition, atom.reading)
            listed = self.listed.get(at) or list(definition.listing(asked))
            if all(isinstance(side, tuple) for c in listed for t in c.terms for side in (t.p, t.q)):
                self.listed[at] = listed  # of θ alone: beliefs and views are of this mechanism
            if any(c.scale != 1 for c in listed):
                raise Undecided(f"{atom.definition} has multiples of ε")
            behind = Laws(asked, listed, definition.plain)
            compared += map(behind.resolve, behind.distinct(listed))
        return Profile(compared, definition.measure == "tail") if compared else None

    def has(self, name: str) -> bool | None:
        """A property; what θ alone says of it is kept."""
        test = CONDITIONS[name]
        if name in OF_MECHANISM or name not in self.known:
            self.model.mechanism = Listed(self.laws, self.model.mechanism)
            self.known[name] = test(self)
        return self.known[name]


class Claim:
    """A statement with variables, of which models are asked."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.atoms = dict.fromkeys(atoms(tree))
        self.definitions = [a for kind, a in self.atoms if kind == "asked"]
        self.names = [a for kind, a in self.atoms if kind == "has"]
        self.variables = {v for a in self.definitions for v in (a.variable, a.bound)} - {""}

    def decided(self, case: Case, at: Mapping[str, str]) -> Iterator[tuple[bool, bool]]:
        """The truth wherever it may change, or at some values: with vacuous as true, and as false."""
        fixed: dict[Any, bool | None] = {name: case.has(name) for name in self.names}
        known = [true(self.tree, fixed, vacuous) for vacuous in (True, False)]
        if None not in known:
            yield known[0], known[1]  # type: ignore[misc]
            return
        moving: dict[Atom, Profile] = {}
        for atom in self.definitions:
            curve = case.curve(atom)
            if curve is None:
                fixed[atom] = None
                continue
            here = _valued(atom, at)
            if here.variable or here.bound:
                moving[atom] = curve
            elif here.epsilon is None:
                fixed[atom] = curve.smallest(here.plus) is not None
            else:
                fixed[atom] = here.plus >= 1 or curve.holds(here.epsilon, here.plus)
        for verdicts in _everywhere(moving):
            truths = fixed | verdicts
            yield bool(true(self.tree, truths, True)), bool(true(self.tree, truths, False))

    def wanted(self, case: Case, at: Mapping[str, str], refuted: bool) -> bool | None:
        """Whether a model breaks the claim somewhere, or satisfies it everywhere: only vacuously? None: it does not."""
        truths = list(self.decided(case, at))
        if not refuted:
            return not all(strict for _, strict in truths) if all(lenient for lenient, _ in truths) else None
        broken = [strict for lenient, strict in truths if not lenient]
        return all(broken) if broken else None


def verdict(case: Case, text: str) -> str:
    """The word on a statement without variables: `holds`, `fails`, or `vacuous`."""
    claim = Claim(parsed(text))
    require(not claim.variables, f"{text[:60]!r} has variables")
    ((lenient, strict),) = claim.decided(case, {})
    return "vacuous" if lenient and not strict else "holds" if lenient else "fails"


def _valued(atom: Atom, at: Mapping[str, str]) -> Atom:
    """An atom with values in place of its variables."""
    if atom.variable in at:
        number = epsilon_of(at[atom.variable])
        require(not number.infinite, "a variable ε is finite")
        epsilon = _times(at[atom.variable], atom.factor)
        atom = atom._replace(variable="", epsilon=epsilon)
    if atom.bound in at:
        delta = rational(at[atom.bound])
        require(0 <= delta <= 1, f"{delta} is no δ")
        atom = atom._replace(bound="", plus=atom.scale * delta + atom.plus)
    return atom


def _times(text: str, factor: Fraction) -> str:
    """The text of a multiple of an ε."""
    match = re.fullmatch(r"(?:(\S+)\*)?(ln\(\S+\))(?:/([0-9]+))?", text.replace(" ", ""))
    if match is None:
        return str(rational(text) * factor)
    return f"{rational(match[1] or 1) / int(match[3] or 1) * factor}*{match[2]}"


def _everywhere(moving: Mapping[Atom, Profile]) -> Iterator[dict[Any, bool | None]]:
    """The verdicts wherever they may change."""
    if not moving:
        yield {}
        return
    for name, several in (("ε", {a.variable for a in moving}), ("δ", {a.bound for a in moving})):
        if len(several - {""}) > 1:
            raise Undecided(f"two {name} vary")
    if not any(atom.bound for atom in moving):
        yield from _in_epsilon(moving)
        return
    factors = {atom.factor for atom in moving if atom.variable}
    if len(factors) > 1:
        raise Undecided("its δ varies, with several multiples of ε")
    # δ is enough from (level - plus)/scale on; where ε is fixed, the level is one number
    fixed: dict[Atom, Fraction] = {}
    lines, at = {(NONE, NONE), (Fraction(1), NONE)}, {Fraction(1)}
    for atom, curve in moving.items():
        if atom.variable:
            lines |= (
                {((a - atom.plus) / atom.scale, b / atom.scale) for a, b in curve.lines}
                if atom.bound
                else {*curve.lines, (atom.plus, NONE)}
            )
            at |= curve.bends()
        else:
            value = None if atom.epsilon is None else Power(epsilon_of(atom.epsilon)).value
            if value is None:
                raise Undecided("its δ varies, at an ε that has no rational e^ε")
            fixed[atom] = curve.level(value)
            lines.add(((fixed[atom] - atom.plus) / atom.scale, NONE))
    if len(lines) > MOST_LINES:
        raise Undecided("its δ varies, and more lines meet than are looked at")
    at |= {x for (a, b), (c, d) in combinations(lines, 2) if b != d and (x := (a - c) / (b - d)) > 1}
    for growth in _points(at, above=True):
        level = {atom: fixed[atom] if atom in fixed else curve.level(growth) for atom, curve in moving.items()}
        steps = {(x - atom.plus) / atom.scale for atom, x in level.items() if atom.bound}
        for delta in _points({NONE, Fraction(1), *(x for x in steps if 0 < x < 1)}):
            yield {atom: atom.plus + (atom.scale * delta if atom.bound else 0) >= x for atom, x in level.items()}


def _in_epsilon(moving: Mapping[Atom, Profile]) -> Iterator[dict[Any, bool | None]]:
    """With y = e^(N·ε), where N makes all powers whole, each holds from some y on."""
    common = lcm(*(atom.factor.numerator for atom in moving))
    start: dict[Atom, Fraction | None] = {}
    for atom, curve in moving.items():
        growth, power = curve.smallest(atom.plus), atom.factor.denominator * common // atom.factor.numerator
        if (
            growth is not None
            and (growth.numerator.bit_length() + growth.denominator.bit_length()) * power > MOST_POWER
        ):
            raise Undecided("the powers of its ε are long")
        start[atom] = None if growth is None else growth**power
    for y in _points({Fraction(1), *(x for x in start.values() if x is not None)}, above=True):
        yield {atom: x is not None and y >= x for atom, x in start.items()}


def _points(points: set[Fraction], above: bool = False) -> list[Fraction]:
    """Some points, one between each two, and one above all."""
    listed = sorted(points)
    return [*listed, *((x + y) / 2 for x, y in pairwise(listed)), *([listed[-1] + 1] if above else [])]


# --- properties -------------------------------------------------------------------------------------------------------

Chances = Mapping[Any, Fraction]


def by_knowledge(case: Case) -> list[dict[Label | None, Chances]]:
    """For each θ and each B̂ the probabilities of the databases, with the sum 1."""
    return [{k: conditioned(rows) for k, rows in by_known(theta).items()} for theta in case.model.thetas()]


def records_given(case: Case) -> Iterator[tuple[int, Chances]]:
    """Each protected record with the probabilities of the databases, for each θ and B̂."""
    return ((i, weights) for known in by_knowledge(case) for weights in known.values() for i in case.model.records)


def is_product(joint: Iterable[tuple[Any, Any, Fraction]]) -> bool:
    """Whether P[a, b]·Σ = P[a]·P[b]."""
    both: dict[Any, Fraction] = defaultdict(Fraction)
    left: dict[Any, Fraction] = defaultdict(Fraction)
    right: dict[Any, Fraction] = defaultdict(Fraction)
    for a, b, p in joint:
        both[a, b] += p
        left[a] += p
        right[b] += p
    total = sum(left.values())
    return all(both.get((a, b), NONE) * total == p * q for a, p in left.items() for b, q in right.items())


def every_row(case: Case) -> list[list[Row]]:
    """The worlds of each θ."""
    return [theta.rows for theta in case.model.thetas()]


def priors(case: Case) -> list[Chances]:
    """P[D = d] under each θ."""
    return list(map(conditioned, every_row(case)))


def informed(case: Case) -> bool:
    """Each B̂ tells all other records, and every database is possible."""
    return (
        full_support(case)
        and every_value_possible(case)
        and all(len({replacing(d, i) for d in w}) == 1 for i, w in records_given(case))
    )


def full_support(case: Case) -> bool:
    """Every database is possible under each θ."""
    return all(len(law) == len(case.databases) for law in priors(case))


def knowledge_of_others(case: Case) -> bool:
    """Given the other records, B and D(i) are independent."""
    cells = (
        [(row.known, row.database[i], row.probability) for row in rows if replacing(row.database, i) == rest]
        for rows in every_row(case) for i in case.model.records for rest in {replacing(row.database, i) for row in rows}
    )  # fmt: skip
    return all(map(is_product, cells))


def every_value_possible(case: Case) -> bool:
    """Each B̂ leaves every value possible for each protected record."""
    return all({d[i] for d in w} == set(case.model.values) for i, w in records_given(case))


def every_output_possible(case: Case) -> bool:
    """And then every output of M(D), for each value that D(i) had, also with D(i) set to another one."""

    def support(weights: Chances, i: int, a: Label, b: Label) -> frozenset[Label]:
        return frozenset(o for d in weights if d[i] == a for o in case.laws[replacing(d, i, b)].counts)

    values = case.model.values
    return every_value_possible(case) and all(
        len({support(w, i, a, b) for a in values for b in values}) == 1 for i, w in records_given(case)
    )


def _alike(same: Callable[[Law], Any]) -> Callable[[Case], bool]:
    return lambda case: len({same(case.laws[d]) for d in case.databases}) == 1


def _chances(law: Law) -> frozenset[tuple[Label, Fraction]]:
    return frozenset(law.chances().items())


CONDITIONS: dict[str, Callable[[Case], bool | None]] = {
    "acceptable": lambda case: all(acceptable(theta, i) for theta in case.model.thetas() for i in case.model.records),
    "independent": lambda case: all(
        is_product((d[i], replacing(d, i), p) for d, p in w.items()) for i, w in records_given(case)
    ),
    "independent-records": lambda case: all(
        is_product((d[i], d[i + 1 :], p) for d, p in law.items())
        for law in priors(case) for i in range(case.model.size)
    ),
    "full-support": full_support,
    "exchangeable": lambda case: all(
        law.get(tuple(d[i] for i in order)) == p
        for law in priors(case) for d, p in law.items() for order in permutations(range(len(d)))
    ),
    "no-knowledge": lambda case: all(
        is_product((r.database, r.known, r.probability) for r in rows) for rows in every_row(case)
    ),
    "functional-knowledge": lambda case: all(len({r.database for r in rows}) == len(rows) for rows in every_row(case)),
    "knowledge-of-others": knowledge_of_others,
    "informed": informed,
    "every-value-possible": every_value_possible,
    "every-output-possible": every_output_possible,
    "reducible": lambda case: {"holds": True, "fails": False, "vacuous": None}[reducible(Asked(case.model)).verdict],
    "deterministic": lambda case: all(len(case.laws[d].counts) == 1 for d in case.databases),
    "symmetric": lambda case: all(
        _chances(case.laws[d]) == _chances(case.laws[tuple(sorted(d))]) for d in case.databases
    ),
    "constant": _alike(_chances),
    "full-outputs": _alike(lambda law: frozenset(law.counts)),
}  # fmt: skip
OF_MECHANISM = frozenset(
    {"every-output-possible", "reducible", "deterministic", "symmetric", "constant", "full-outputs"}
)
