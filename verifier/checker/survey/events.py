"""Laws given what is known, and beliefs given an output: the definitions of DP22 that speak of a distribution θ.

`events` yields pairs of laws M(D) given two events (DP22, section 6: Pufferfish, adversaries, two distributions), and
beliefs before and after an output (section 7: a-posteriori, information, membership, adversarial).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, permutations, product

from verifier.checker import Beyond, Rejected
from verifier.checker.laws import Law, Row, Tables, World, allowed, conditioned, mixture, summed
from verifier.checker.model.labels import NOTHING
from verifier.checker.model.policy import Database

MOST_KNOWN = 20
"""Most records of which all sets are listed."""
MOST_CASES = 1 << 18
"""Most records times sets of the others times worlds."""
IN, OUT = "in", "out"
POSTERIOR, PRIOR = "posterior", "prior"
Cell = tuple[str, str, str]
"""Which belief is compared with which (posterior or prior), and in which cell: some record is t (in), or none (out)."""
POSITIVE: tuple[Cell, ...] = ((POSTERIOR, PRIOR, IN), (PRIOR, POSTERIOR, OUT))
"""Positive membership: P[t ∈ D | o] ≤ e^ε·P[t ∈ D], and P[t ∉ D] ≤ e^ε·P[t ∉ D | o]."""
NEGATIVE: tuple[Cell, ...] = ((POSTERIOR, PRIOR, OUT), (PRIOR, POSTERIOR, IN))
ADVERSARIAL: tuple[Cell, ...] = ((POSTERIOR, PRIOR, IN),)


def output_law(tables: Tables, worlds: Iterable[World]) -> Law | None:
    """The law of M(D) given one of these worlds; None where none is possible."""
    chances = [(tables.law(database), p) for database, _, _, p in worlds]
    return conditioned(mixture(chances)) if any(p for _, p in chances) else None


def knowledges(worlds: Iterable[World]) -> list[str]:
    """The values B̂ of some worlds, in the order in which they appear."""
    return list(dict.fromkeys(world[1] for world in worlds))


def knowledge_text(known: str, before: str = ", ") -> str:
    """The words for B̂ in the name of a row; none where nothing is known."""
    return "" if known == NOTHING else f"{before}B = {known}"


def _all(tables: Tables, law: Law | None) -> Law:
    if law is None:
        raise Rejected(f"a law is asked for that does not exist among {len(tables.worlds)} distributions")
    return law


# --- M(D) given two events --------------------------------------------------------------------------------------------


def _pairs_of_thetas(tables: Tables) -> list[tuple[str, str]]:
    """The pairs (θ₁, θ₂) that are compared: the listed ones in both orders, or all."""
    every = list(permutations(tables.distributions, 2))
    pairs = tables.policy.get("theta-pairs")
    return every if pairs is None else [pair for pair in every if pair in pairs or pair[::-1] in pairs]


def distributions(tables: Tables) -> Iterator[Row]:
    """M(D) under θ₁ against M(D) under θ₂, for the listed pairs in both orders, or for all."""
    yield from _of_thetas(tables, [(*pair, Fraction(1)) for pair in _pairs_of_thetas(tables)])


def distant_distributions(tables: Tables) -> Iterator[Row]:
    """M(D) under θ₁ against M(D) under θ₂ at d(θ₁, θ₂)·ε, for those of the pairs that have a finite distance."""
    distances = tables.need("theta-distances")
    pairs = [(*pair, distances.get(pair)) for pair in _pairs_of_thetas(tables)]
    yield from _of_thetas(tables, [(first, second, c) for first, second, c in pairs if c is not None])


def _of_thetas(tables: Tables, pairs: list[tuple[str, str, Fraction]]) -> Iterator[Row]:
    thetas = tables.distributions
    laws = {name: _all(tables, output_law(tables, worlds)) for name, worlds in thetas.items()}
    for first, second, c in pairs:
        words = f'M(D) in "{first}" against M(D) in "{second}"{allowed(c)}'
        points = _points(thetas[first], thetas[second])
        yield Row(laws[first], laws[second], words, points, scale=c)


def _points(first: Iterable[World], second: Iterable[World]) -> tuple[Database, Database] | None:
    """The two databases, where only one is possible on each side."""
    left, right = ({world[0] for world in worlds} for worlds in (first, second))
    return (left.pop(), right.pop()) if len(left) == len(right) == 1 else None


def pufferfish(tables: Tables) -> Iterator[Row]:
    """M(D) given φ₁ against M(D) given φ₂, for each secret pair, θ and B̂, in both orders."""
    secrets = tables.need("secrets")
    for theta, worlds in tables.thetas.items():
        for k, (first, second) in enumerate(secrets):
            for known in knowledges(worlds):
                sides = [[w for w in worlds if w[1] == known and w[0] in event] for event in (first, second)]
                laws = [output_law(tables, side) for side in sides]
                names = [f'M(D) in "{theta}" given φ{sign} of secret {k}{knowledge_text(known)}' for sign in "₁₂"]
                for x, y in ((0, 1), (1, 0)):
                    p, q = laws[x], laws[y]
                    if p is not None and q is not None:
                        points = _points(sides[x], sides[y])
                        yield Row(p, q, f"{names[x]} against {names[y]}", points, distribution=theta)


def adversaries(tables: Tables) -> Iterator[Row]:
    """M(D) given D(i) = a and the records K against M(D) given D(i) = b and the same: (i, K) listed, or all.

    Who knows K knows nothing else: B̂ plays no part.
    """
    listed = tables.policy.get("adversaries")
    if listed is None:
        few = (
            len(tables.records) * 2 ** min(tables.size, MOST_KNOWN) * sum(map(len, tables.thetas.values()))
            <= MOST_CASES
        )
        if not few:
            raise Beyond("there are too many sets of records that may be known")
        listed = [(i, known) for i in tables.records for known in _subsets(tables.size, i)]
    elif not tables.lists:
        raise Rejected("records are known by their indices, and multisets have none")
    for theta, worlds in tables.distributions.items():
        for record, others in listed:
            if record >= tables.size or not set(others) <= set(range(tables.size)) - {record}:
                raise Rejected("[policy] adversaries has no such record")
            if record in tables.records:
                yield from _given_records(tables, theta, worlds, record, others)


def _subsets(size: int, record: int) -> Iterator[tuple[int, ...]]:
    if size > MOST_KNOWN:
        raise Beyond("there are too many sets of records that may be known")
    others = [j for j in range(size) if j != record]
    return chain.from_iterable(combinations(others, k) for k in range(len(others) + 1))


def _given_records(
    tables: Tables, theta: str, worlds: list[World], record: int, others: tuple[int, ...]
) -> Iterator[Row]:
    cells: dict[Database, dict[str, list[World]]] = {}
    for world in worlds:
        context = tuple(world[0][j] for j in others)
        cells.setdefault(context, {}).setdefault(world[0][record], []).append(world)
    for values, cell in cells.items():
        known_values = "".join(f", D({j}) = {v}" for j, v in zip(others, values, strict=True))
        for a, b in permutations(cell, 2):
            p, q = (_all(tables, output_law(tables, cell[value])) for value in (a, b))
            words = " against ".join(f'M(D) in "{theta}" given D({record}) = {value}{known_values}' for value in (a, b))
            yield Row(p, q, words, _points(cell[a], cell[b]), distribution=theta, record=record)


# --- beliefs before and after an output -------------------------------------------------------------------------------


def beliefs(tables: Tables, of: Callable[[World], str]) -> Iterator[tuple[str, str, str, Law, Law]]:
    """θ, B̂, o, the prior of a function of the world and its posterior given M(D) = o, for each possible (θ, B̂, o)."""
    for theta, worlds in tables.thetas.items():
        for known in knowledges(worlds):
            inside = [world for world in worlds if world[1] == known]
            prior, after = conditioned(summed((of(world), world[3]) for world in inside)), dict[str, Law]()
            for world in inside:
                value = of(world)
                for output, q in tables.law(world[0]).items():
                    at = after.setdefault(output, {})
                    at[value] = at.get(value, Fraction(0)) + world[3] * q
            for output, weights in after.items():
                yield theta, known, output, prior, conditioned(weights)


def _named(theta: str, known: str, subject: str, sides: str, output: str) -> str:
    known_values = knowledge_text(known, "given ")
    start = f'In "{theta}", {known_values}{", " * bool(known_values)}'
    return f"{start}the beliefs about {subject}, {sides}, given the output {output}"


def _both_orders(tables: Tables, of: Callable[[World], str], subject: str, record: int | None = None) -> Iterator[Row]:
    for theta, known, output, prior, posterior in beliefs(tables, of):
        laws = {PRIOR: prior, POSTERIOR: posterior}
        for first, second in permutations(laws):
            words = _named(theta, known, subject, f"{first} against {second}", output)
            yield Row(laws[first], laws[second], words, distribution=theta, record=record)


def of_records(tables: Tables) -> Iterator[Row]:
    """The law of D(i) given B̂ and M(D) = o against the law given B̂, in both orders."""
    for i in tables.records:
        yield from _both_orders(tables, lambda world, i=i: world[0][i], f"D({i})", i)  # type: ignore[misc]


def of_databases(tables: Tables) -> Iterator[Row]:
    """The law of D given B̂ and M(D) = o against the law given B̂, in both orders."""
    position = {database: str(k) for k, database in enumerate(tables.databases)}
    return _both_orders(tables, lambda world: position[world[0]], "D")


def membership(tables: Tables, cells: tuple[Cell, ...]) -> Iterator[Row]:
    """The beliefs that some record is t, for each value t: posterior against prior in the cells that are bounded.

    Each side of a row is the probability of one cell, and no whole law.
    """
    for t in tables.values:
        if t == tables.policy.get("absent"):
            continue
        held = beliefs(tables, lambda world, t=t: IN if t in world[0] else OUT)  # type: ignore[misc]
        for (theta, known, output, prior, posterior), (first, second, cell) in product(list(held), cells):
            laws = {PRIOR: prior, POSTERIOR: posterior}
            p, q = ({cell: x} if (x := laws[side].get(cell, Fraction(0))) else {} for side in (first, second))
            sides = f"{first} against {second}, {cell}"
            words = _named(theta, known, f"whether some record is {t}", sides, output)
            yield Row(p, q, words, distribution=theta)
