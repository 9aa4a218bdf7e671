"""Searches: how many models a scope has, what a statement says of each of them, and of the model that was found.

A model of a scope is one θ on Tⁿ × B in multiples of 1/weights, and a mechanism on Tⁿ in multiples of
1/mechanism_weights; each knowledge value is possible, and each output on some database. They are counted by inclusion
and exclusion, and up to renaming by Burnside's lemma. Small scopes are gone through, model by model; of larger ones
it is said that they were counted, not decided again. A model that was found is decided in any case, and in a small
scope no smaller one answers.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from math import factorial, gcd, lcm, prod
from typing import Any

from .definitions import DEFINITIONS, NOT_LISTED
from .mechanisms import Database
from .models import Model
from .numbers import BeyondLimits, Law, Rejected, Unsupported, afford, require
from .statements import Case, Claim, Tree, Undecided, atoms, of_atom, parsed, verdict

MOST = {"records": 4, "values": 5, "outputs": 6, "knowledge": 6, "weights": 1000, "mechanism_weights": 1000}
MOST_DECIDED = 25_000
"""The most models of a scope that are decided one by one."""
MOST_WRITTEN = 4096
"""The most characters of all statements together."""
Document = Mapping[str, Any]


# --- counting ---------------------------------------------------------------------------------------------------------

Scope = Mapping[str, Any]
Shape = tuple[int, int, int, int]
Lengths = tuple[int, ...]
"""The lengths of the cycles of a renaming."""


def shapes(scope: Scope) -> Iterator[Shape]:
    """The numbers of records, values, outputs and knowledge values, smaller ones first."""
    n, t, o, c = (range(1, scope[name] + 1) for name in ("records", "values", "outputs", "knowledge"))
    return product(n, t[1:], o, c)


def lengths(moved: Sequence[int]) -> Lengths:
    """The cycle lengths of a permutation."""
    left, out = set(range(len(moved))), []
    while left:
        at, length = left.pop(), 1
        while (at := moved[at]) in left:
            left.remove(at)
            length += 1
        out.append(length)
    return tuple(sorted(out))


def of_labels(k: int, renamed: bool) -> Counter[Lengths]:
    """The renamings of k labels, by their cycles."""
    return Counter(map(lengths, permutations(range(k)))) if renamed else Counter([(1,) * k])


def of_databases(n: int, t: int, first_only: bool, records: bool, values: bool) -> Counter[Lengths]:
    """How renamings of records and values move Tⁿ, by their cycles; record 0 stays where it alone is protected."""
    databases = list(product(range(t), repeat=n))
    place = {d: k for k, d in enumerate(databases)}
    same = tuple(range(n)), tuple(range(t))
    orders = [o for o in permutations(range(n)) if (records and not (first_only and o[0])) or o == same[0]]
    names = [to for to in permutations(range(t)) if values or to == same[1]]
    return Counter(
        lengths([place[tuple(to[d[i]] for i in order)] for d in databases]) for order in orders for to in names
    )


@lru_cache(1 << 14)
def ways(cycles: Lengths, total: int) -> int:
    """In how many ways a total is Σ length·weight."""
    table = [1] + [0] * total
    for length in cycles:
        for k in range(length, total + 1):
            table[k] += table[k - length]
    return table[total]


def used(cycles: Lengths) -> Iterator[tuple[int, Lengths]]:
    """Each choice of cycles of labels that are used, with the sign of inclusion and exclusion."""
    for k in range(1, len(cycles) + 1):
        for chosen in combinations(cycles, k):
            yield (-1) ** (len(cycles) - k), chosen


def counted(scope: Scope, shape: Shape, renamed: frozenset[str]) -> tuple[int, int]:
    """The models of a shape, and those up to renaming: the average number of models that a renaming leaves alone."""
    n, t, o, c = shape
    kinds = [of_databases(n, t, scope["first_only"], "records" in renamed, "values" in renamed)]
    kinds += [of_labels(o, "outputs" in renamed), of_labels(c, "knowledge" in renamed)]

    def thetas(moved: Lengths, known: Lengths) -> int:
        split = (
            (side, [lcm(x, y) for x in moved for y in chosen for _ in range(gcd(x, y))]) for side, chosen in used(known)
        )
        return sum(side * ways(tuple(sorted(cycles)), scope["weights"]) for side, cycles in split)

    def mechanisms(moved: Lengths, outputs: Lengths) -> int:
        def rows(x: int, chosen: Lengths) -> int:  # a row for each cycle of databases, which comes back to itself
            return ways(
                tuple(sorted(y // gcd(x, y) for y in chosen for _ in range(gcd(x, y)))), scope["mechanism_weights"]
            )

        return sum(side * prod(rows(x, chosen) for x in moved) for side, chosen in used(outputs))

    alone = 0
    for moved, alike in kinds[0].items():
        first = sum(k * thetas(moved, known) for known, k in kinds[2].items())
        alone += alike * first * sum(k * mechanisms(moved, outputs) for outputs, k in kinds[1].items())
    still = (1,) * t**n
    return thetas(still, (1,) * c) * mechanisms(still, (1,) * o), alone // prod(kind.total() for kind in kinds)


def size_of_counting(scope: Scope) -> int:
    """About how many steps the counts take."""
    n, t, o, c = (int(scope[name]) for name in ("records", "values", "outputs", "knowledge"))
    moves = factorial(n) * factorial(t) * int(t**n)
    each = (c << c) * int(scope["weights"]) + (o << o) * int(scope["mechanism_weights"])
    return n * t * o * c * (moves + min(factorial(n) * factorial(t), 64) * int(t**n) * each)


# --- going through a scope --------------------------------------------------------------------------------------------

Weighted = tuple[int, ...]


def weightings(total: int, count: int) -> Iterator[Weighted]:
    """All weights of this sum."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in weightings(total - first, count - 1))


def orders(columns: list[Weighted], renamed: bool) -> int:
    """In how many orders the columns can stand, where this is the first; 0 where it is not, or one is empty."""
    if not all(map(any, columns)) or (renamed and columns != sorted(columns)):
        return 0
    return factorial(len(columns)) // prod(map(factorial, Counter(columns).values())) if renamed else 1


Size = tuple[int, ...]


def denominator(weights: Sequence[int], total: int) -> int:
    """The common denominator of weights over a total."""
    return total // gcd(total, *weights)


def models(scope: Scope, renamed: frozenset[str], below: Size | None, policy: str) -> Iterator[tuple[Case, int]]:
    """Every model but for names of outputs and knowledge values, and how many it is; smaller ones than `below`."""
    for n, t, o, c in shapes(scope):
        if below is not None and (n, t, o, c) > below[:4]:
            return
        values = list(map(str, range(t)))
        databases = list(product(values, repeat=n))
        names = "uvw"[:o] if o <= 3 else [f"o{k + 1}" for k in range(o)]
        total = scope["mechanism_weights"]
        laws = {row: Law(dict(zip(names, row, strict=True)), total) for row in weightings(total, o)}
        mechanisms = [
            (dict(zip(databases, map(laws.__getitem__, rows), strict=True)), alike, denominator(sum(rows, ()), total))
            for rows in product(laws, repeat=len(databases))
            if (alike := orders([tuple(row[k] for row in rows) for k in range(o)], "outputs" in renamed))
        ]
        for weights in weightings(scope["weights"], len(databases) * c):
            alike = orders([weights[k::c] for k in range(c)], "knowledge" in renamed)
            size = (n, t, o, c, sum(map(bool, weights)), denominator(weights, scope["weights"]))
            if not alike or (below is not None and size > below[:6]):
                continue
            case = Case(model_of(n, values, databases, weights, scope, policy), {})
            for by_database, more, rows in mechanisms:
                if below is None or (*size, rows) < below:
                    case.laws = by_database
                    yield case, alike * more


def model_of(
    n: int, values: list[str], databases: list[Database], weights: Weighted, scope: Scope, policy: str
) -> Model:
    """A model file with these worlds, and any mechanism."""
    c = len(weights) // len(databases)
    rows = ", ".join(
        f'{{ database = {list(databases[k // c])}, knowledge = "k{k % c}", probability = "{w}/{scope["weights"]}" }}'
        for k, w in enumerate(weights) if w
    )  # fmt: skip
    secret = "[sensitive]\nrecords = [0]\n" if scope["first_only"] else ""
    theta = f"size = {n}\nvalues = {values}\n[[distribution]]\ntable = [{rows}]\n"
    return Model(f'{theta}{secret}[mechanism]\nkind = "constant"\noutput = "u"\n[policy]\n{policy}')


# --- the document -----------------------------------------------------------------------------------------------------

LABELS = ("records", "values", "outputs", "knowledge")
SYMMETRIC = frozenset({"default", "all-values", "possible-values", "infinite-loss"})
"""The readings that no renaming changes."""


def renamed_in(trees: Sequence[Tree]) -> frozenset[str]:
    """The labels that may be renamed: no values where a reading orders them, none in other readings and definitions."""
    asked = [a for tree in trees for kind, a in atoms(tree) if kind == "asked"]
    readings = {atom.reading for atom in asked} - SYMMETRIC
    if readings - {"one-order"} or any(
        a.definition not in DEFINITIONS and a.definition not in NOT_LISTED for a in asked
    ):
        return frozenset()
    return frozenset(kind for kind in LABELS if kind != "values" or not readings)


def verify(document: Document) -> str:
    """What is confirmed of a search; Rejected where a count, a verdict, or the model that was found is another one."""
    try:
        return _verified(document)
    except Unsupported as error:
        raise BeyondLimits(str(error)) from None


def _verified(document: Document) -> str:
    scope, satisfies, violates = document["within"], document["satisfies"], document["violates"]
    require(
        scope.keys() == {*MOST, "first_only"} and type(scope["first_only"]) is bool,
        "within: the sizes of a scope are expected",
    )
    for name, most in MOST.items():
        in_range = type(scope[name]) is int and 1 + (name == "values") <= scope[name] <= most
        require(in_range, f"within: {name} = {scope[name]!r:.40}. Expected at most {most}")
    texts = [*satisfies, *([] if violates is None else [violates])]
    require(texts and all(isinstance(text, str) for text in texts), "there is no statement")
    if sum(map(len, texts)) > MOST_WRITTEN:
        raise BeyondLimits(f"the statements have more than {MOST_WRITTEN:,} characters")
    policy = tomllib.loads(f"[policy]\n{document.get('policy', '')}")
    require(policy.keys() == {"policy"}, "policy: lines of one table are expected")
    afford(size_of_counting(scope), "the counts of a scope")
    try:
        trees = [parsed(text) for text in texts]
    except Undecided as why:
        raise BeyondLimits(str(why)) from None
    renamed = frozenset() if policy["policy"] else renamed_in(trees)
    sums = [sum(column) for column in zip(*(counted(scope, shape, renamed) for shape in shapes(scope)), strict=True)]
    for name, count in zip(("models_in_scope", "orbits_in_scope"), sums, strict=True):
        counts = type(document[name]) is int and (
            document[name] == count or (policy["policy"] and name == "orbits_in_scope")
        )
        require(counts, f"{name}: there are {count}")
    found = document["model"]
    require(document["verdict"] == ("none in scope" if found is None else "separated"), "verdict: it is another one")
    if found is None:
        if document["complete"] is not True or document["undecided"] != 0:
            raise BeyondLimits("the answer is open: not every model of the scope was decided")
        checked = [document["models_checked"], document["orbits_checked"]]
        require(checked == [sums[0], document["orbits_in_scope"]], "not every model of the scope was looked at")
        require(
            not document["values"] and not document["verdicts"] and document["vacuous"] is None,
            "there is no model, and values are named",
        )
    among = f"{sums[0]:,} models, {sums[1]:,} up to renaming"
    try:
        tested = _decided(document, trees, scope, renamed, sums[0])
    except Undecided as why:
        if found is not None:
            raise BeyondLimits(f"the model that was found is not decided again: {why}") from None
        tested = f"counted, not decided again: {why}"
    return f"search {document['verdict']} ({among}; {tested})"


def _decided(document: Document, trees: list[Tree], scope: Scope, renamed: frozenset[str], total: int) -> str:
    """Decide a model that was found, and all models, or all smaller ones, of a small scope."""
    refuted, loose = document["violates"] is not None, document["allow_vacuous"]
    claim = Claim(("or", (*(("not", tree) for tree in trees[:-1]), trees[-1])) if refuted else ("and", tuple(trees)))
    for atom in claim.definitions:
        of_atom(atom)
    below = None
    if document["model"] is not None:
        below = _found(document, scope, claim, refuted, loose)
        if document["undecided"]:
            return "decided again"
    try:
        count = 0
        _affordable(total, total * (len(claim.definitions) + len(claim.names)))
        for case, alike in models(scope, renamed, below, document.get("policy", "")):
            count += alike
            vacuous = claim.wanted(case, {}, refuted)
            if vacuous is False or (vacuous and loose):
                _not_found(case, below)
    except Undecided as why:
        if below is None:
            raise
        return f"decided again; that none is smaller is not: {why}"
    if below is not None:
        return f"decided again, and {count:,} smaller ones"
    require(count == total, "the models, one by one, are not as many as were counted")
    return "each decided again"


def _affordable(total: int, asked: int) -> None:
    if total > MOST_DECIDED or asked > 3 * MOST_DECIDED:
        raise Undecided(f"the scope has more than {MOST_DECIDED:,} models, or {3 * MOST_DECIDED:,} questions")


def _not_found(case: Case, below: Size | None) -> None:
    rows = [(row.database, row.known, str(row.probability)) for theta in case.model.thetas() for row in theta.rows]
    raise Rejected(f"the scope has a {'smaller ' if below else ''}model that was not found: θ is {rows}")


def _found(document: Document, scope: Scope, claim: Claim, refuted: bool, loose: bool) -> Size:
    """Decide the model that was found, which fits into the scope but for its grid; return its size."""
    model = Model(document["model"])
    asked = tomllib.loads(document.get("policy", ""))
    require(not model.many and not model.function and model.policy == asked, "model: not one of the scope")
    require(model.size <= scope["records"] and len(model.values) <= scope["values"], "model: larger than the scope")
    (theta,) = model.thetas()
    case = Case(model)
    outputs, known = {o for law in case.laws.values() for o in law.counts}, {row.known for row in theta.rows}
    size = model.size, len(model.values), len(outputs), len(known)
    fits = all(x <= scope[name] for x, name in zip(size, LABELS, strict=True))
    require(
        fits and list(model.records) == ([0] if scope["first_only"] else list(range(model.size))),
        "model: larger than the scope",
    )
    at = document["values"]
    require(set(at) == (claim.variables if refuted else set()), "values: other variables than those of the statements")
    vacuous = claim.wanted(case, at, refuted)
    require(vacuous is not None and (loose or not vacuous), "model: it does not answer the question")
    require(document["vacuous"] is vacuous, f"vacuous: it is {vacuous}")
    for row in document["verdicts"]:
        try:
            word = verdict(case, row["statement"])
        except Undecided:
            continue
        require(row["verdict"] == word, f"verdicts: {row['statement'][:60]} {word}")
    rows = [law.total // gcd(law.total, *law.counts.values()) for law in case.laws.values()]
    worlds = [row.probability.denominator for row in theta.rows]
    return (*size, len(theta.rows), lcm(*worlds), lcm(*rows))
