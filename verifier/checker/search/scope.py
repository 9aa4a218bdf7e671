"""The independent re-check of searches: how many models a scope has, how many up to renaming, and what they say.

A model of a scope is one θ on Tⁿ × B in multiples of 1/weights and a mechanism on Tⁿ in multiples of
1/mechanism_weights; each knowledge value is possible, and so is each output on some database. The counts are made anew,
by inclusion and exclusion, and up to renaming by Burnside's lemma. Small scopes are gone through, model by model, and
the statement is decided on each; of larger ones it is said that they were counted, not re-decided. A model that was
found is decided in any case, where the checker knows the statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial, gcd, lcm, prod
from typing import Any, TypeAlias

from verifier.checker import Beyond, Rejected, require_equal, require_fields
from verifier.checker.laws import DATABASES, DEFINITIONS, GIVEN, ORDERS, Definition, Tables
from verifier.checker.numbers import number
from verifier.checker.search.statement import Model, ReplayedStatement, Tree, Undecided, parsed
from verifier.checker.shapes import DATABASE, EPSILON, LAW, OR_NONE, SETTING, Table, maybe

SCOPE = {
    **dict.fromkeys(("records", "values", "outputs", "knowledge", "weights", "mechanism_weights"), int),
    "first_only": bool,
}
SHAPE = {
    "scope": SCOPE,
    "satisfies": [str],
    "violates": OR_NONE,
    "vacuous": bool,
    "verdict": str,
    "models": int,
    "orbits": int,
    "renamed": [str],
    "found": maybe({**SETTING, "mechanism": [(DATABASE, LAW)], "at": Table(EPSILON), "only_vacuously": bool}),
}

MOST_DECIDED = 25_000
"""Most models of a scope whose models are decided one by one."""
MOST_ASKED = 3 * MOST_DECIDED
"""Most models of such a scope, times the definitions and properties that are asked of each."""
MOST = {"records": 4, "values": 5, "outputs": 6, "knowledge": 6, "weights": 1000, "mechanism_weights": 1000}
SYMMETRIC = {"default", "all-values", "possible-values", "infinite-loss"}
"""The readings that no renaming changes."""
RENAMED = ["records", "values", "outputs", "knowledge"]
PROPERTIES = [
    "acceptable",
    "constant",
    "deterministic",
    "every-output-possible",
    "every-value-possible",
    "exchangeable",
    "full-outputs",
    "full-support",
    "functional-knowledge",
    "independent",
    "independent-records",
    "informed",
    "knowledge-of-others",
    "no-knowledge",
    "reducible",
    "symmetric",
]
MOST_COUNTED = 500_000
"""Most steps by which the models of a scope are counted."""
MOST_WRITTEN = 4096
"""Most characters of all statements together."""
Sizes: TypeAlias = tuple[int, int, int, int]
"""Numbers of records, values, outputs and knowledge values."""
Permutation: TypeAlias = tuple[int, ...]
Lengths: TypeAlias = tuple[int, ...]
"""The cycle lengths of a permutation."""


def replay_search(certificate: dict[str, Any]) -> str:
    """Re-check a search; return what was not re-decided, and why: nothing where each model was.

    Raises:
        Rejected: where a count, a verdict or the model that was found is wrong.

    """
    scope = certificate["scope"]
    for name, most in MOST.items():
        if not (2 if name == "values" else 1) <= scope[name] <= most:
            raise Rejected(f"the scope has {name} = {scope[name]}. Expected at most {most}")
    texts = [*certificate["satisfies"], *([certificate["violates"]] if certificate["violates"] is not None else [])]
    if not texts:
        raise Rejected("there is no statement")
    if sum(map(len, texts)) > MOST_WRITTEN:
        raise Beyond(f"the statements have more than {MOST_WRITTEN:,} characters")
    renamed = _renamed(texts)
    require_fields(certificate, "certificate", renamed=renamed)
    if _steps(scope, renamed) > MOST_COUNTED:
        raise Beyond("the scope is too large: its models are not counted here")
    counts = [_count(scope, sizes, renamed) for sizes in _shapes(scope)]
    require_fields(
        certificate,
        "certificate",
        models=sum(models for models, _ in counts),
        orbits=sum(orbits for _, orbits in counts),
        verdict="none in scope" if certificate["found"] is None else "separated",
    )
    try:
        return _decided(certificate)
    except Undecided as why:
        return f"counted, not re-decided: {why}"


def _renamed(texts: Sequence[str]) -> list[str]:
    """The labels that may be renamed: no values where a reading orders them; none in other readings and definitions."""
    readings = {reading for text in texts for reading in re.findall(r'reading="([^"]*)"', text)} - SYMMETRIC
    words = {word for text in texts for word in _names(text)}
    if words - {*DEFINITIONS, *PROPERTIES} or readings - {"one-order"}:
        return []
    return [kind for kind in RENAMED if kind != "values" or not readings]


def _names(text: str) -> list[str]:
    """The definitions and properties of a statement."""
    plain = re.sub(r"\b(post|twice|not|and|or|iff)\s*\(", "(", text)
    plain = re.sub(r"([a-z][a-z0-9-]*)\((?:[^()]|\([^()]*\))*\)", r" \1 ", plain)
    return [word for word in re.findall(r"[a-z][a-z0-9-]*", plain) if word not in {"not", "and", "or", "iff"}]


# --- counting -----------------------------------------------------------------------------------------------------


def _shapes(scope: dict[str, Any]) -> Iterator[Sizes]:
    yield from product(
        range(1, scope["records"] + 1),
        range(2, scope["values"] + 1),
        range(1, scope["outputs"] + 1),
        range(1, scope["knowledge"] + 1),
    )


def _steps(scope: dict[str, Any], renamed: Sequence[str]) -> int:
    """About how many steps it takes to count: the renamings move all databases, and each has its weights."""
    n, t, o, c = (int(scope[name]) for name in ("records", "values", "outputs", "knowledge"))
    databases = t**n
    orders = factorial(n) ** ("records" in renamed) * factorial(t) ** ("values" in renamed)
    moves = orders * databases * databases  # a database is looked up in the list of all
    labels = factorial(o) ** ("outputs" in renamed) + factorial(c) ** ("knowledge" in renamed)
    kinds = min(orders, 1 << 4) * (2**c + 2**o) * databases * max(c, o)
    steps = n * t * o * c * (moves + labels) + kinds * (scope["weights"] + scope["mechanism_weights"])
    return int(steps)


def _count(scope: dict[str, Any], sizes: Sizes, renamed: Sequence[str]) -> tuple[int, int]:
    """The models of one shape, and those up to renaming: the average number that a renaming leaves alone."""
    n, t, o, c = sizes
    alone = 0
    of_outputs, of_knowledge = (_types(k, name in renamed) for k, name in ((o, "outputs"), (c, "knowledge")))
    of_databases = _moves(n, t, scope["first_only"], "records" in renamed, "values" in renamed)
    for cycles, alike in of_databases.items():
        laws = sum(k * _laws(cycles, known, scope["weights"]) for known, k in of_knowledge.items())
        alone += (
            alike
            * laws
            * sum(k * _mechanisms(cycles, outputs, scope["mechanism_weights"]) for outputs, k in of_outputs.items())
        )
    orbits, remainder = divmod(
        alone, sum(of_databases.values()) * sum(of_outputs.values()) * sum(of_knowledge.values())
    )
    if remainder:
        raise Rejected("Burnside's lemma gives an integer")
    still = (1,) * t**n
    models = _laws(still, (1,) * c, scope["weights"]) * _mechanisms(still, (1,) * o, scope["mechanism_weights"])
    return models, orbits


def _lengths(moved: Permutation) -> Lengths:
    unvisited, lengths = set(range(len(moved))), []
    while unvisited:
        at, length = unvisited.pop(), 1
        while (at := moved[at]) in unvisited:
            unvisited.remove(at)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


@cache
def _types(labels: int, renamed: bool) -> dict[Lengths, int]:  # noqa: FBT001
    """The renamings of some labels by their cycle lengths."""
    return Counter(map(_lengths, permutations(range(labels)))) if renamed else {(1,) * labels: 1}


@cache
def _moves(n: int, t: int, first_only: bool, records: bool, values: bool) -> dict[Lengths, int]:  # noqa: FBT001
    """How renamings of records and values move Tⁿ, by their cycle lengths; record 0 stays where it alone counts."""
    databases = list(product(range(t), repeat=n))
    orders = [order for order in permutations(range(n)) if records or order == tuple(range(n))]
    names = [renaming for renaming in permutations(range(t)) if values or renaming == tuple(range(t))]
    return Counter(
        _lengths(tuple(databases.index(tuple(to[d[i]] for i in order)) for d in databases))
        for order in orders if not (first_only and order[0])
        for to in names
    )  # fmt: skip


@cache
def _ways(lengths: Lengths, total: int) -> int:
    """In how many ways a total is Σ length·weight, with weights ≥ 0."""
    if not lengths:
        return int(total == 0)
    common = gcd(*lengths)
    if total % common:
        return 0
    if set(lengths) == {common}:
        return comb(total // common + len(lengths) - 1, len(lengths) - 1)
    return sum(_ways(lengths[1:], total - lengths[0] * k) for k in range(total // lengths[0] + 1))


def _without(lengths: Lengths) -> Iterator[tuple[int, Lengths]]:
    """Every choice of cycles, with the sign of inclusion and exclusion over the labels that are not used."""
    for size in range(1, len(lengths) + 1):
        for used in combinations(lengths, size):
            yield (-1) ** (len(lengths) - size), used


@cache
def _laws(databases: Lengths, knowledge: Lengths, weights: int) -> int:
    """The θ that a renaming leaves alone, with every knowledge value possible."""
    return sum(
        sign * _ways(tuple(sorted(lcm(x, y) for x in databases for y in used for _ in range(gcd(x, y)))), weights)
        for sign, used in _without(knowledge)
    )


@cache
def _mechanisms(databases: Lengths, outputs: Lengths, weights: int) -> int:
    """The mechanisms that a renaming leaves alone, with every output possible somewhere: one row for each cycle."""
    return sum(
        sign * prod(_ways(tuple(sorted(y // gcd(x, y) for y in used for _ in range(gcd(x, y)))), weights)
                    for x in databases)
        for sign, used in _without(outputs)
    )  # fmt: skip


# --- deciding -----------------------------------------------------------------------------------------------------


def _decided(certificate: dict[str, Any]) -> str:
    """Decide a model that was found, or all models of a small scope."""
    claimed, loose = certificate["found"], certificate["vacuous"]
    why, trees = "", list[Tree]()
    model = None if claimed is None else _claimed_model(certificate["scope"], claimed)
    for text in [*certificate["satisfies"], *([certificate["violates"]] * (certificate["violates"] is not None))]:
        try:
            trees.append(parsed(text))
        except Undecided as error:
            why = str(error)
    if why:
        raise Undecided(why)
    satisfied, violated = trees, None if certificate["violates"] is None else trees.pop()
    claim = ReplayedStatement(("and", tuple(satisfied)))
    if violated is not None:
        claim = ReplayedStatement(("or", (*(("not", tree) for tree in satisfied), violated)))
    if model is not None:
        require_equal("at", sorted(claimed["at"]), sorted(claim.variables) if violated else [], "certificate")
        vacuous = _wanted(claim, model, claimed["at"], refuted=violated is not None)
        if vacuous is None or (vacuous and not loose):
            raise Rejected("the model that was found does not answer the question")
        require_fields(claimed, "certificate", only_vacuously=vacuous)
        return ""
    if certificate["models"] > MOST_DECIDED:
        raise Undecided(f"the scope has more than {MOST_DECIDED:,} models")
    if certificate["models"] * (len(claim.names) + len(claim.definitions)) > MOST_ASKED:
        raise Undecided(f"its definitions, asked of each model of the scope, are more than {MOST_ASKED:,} questions")
    count = 0
    for candidate, times in _models(certificate["scope"], certificate["renamed"]):
        count += times
        vacuous = _wanted(claim, candidate, {}, refuted=violated is not None)
        if vacuous is False or (vacuous and loose):
            raise Rejected(f"the scope has a model that was not found: {candidate['worlds']}, {candidate['mechanism']}")
    require_equal("models, one by one", certificate["models"], count, "certificate")
    return ""


def _claimed_model(scope: dict[str, Any], claimed: dict[str, Any]) -> Model:
    """A model that fits into the scope but for its grid, with tables that are those of a model."""
    model = {key: claimed[key] for key in ("size", "values", "secrets", "domain", "worlds", "mechanism")}
    if claimed["size"] > scope["records"] or len(claimed["values"]) > scope["values"] or len(claimed["worlds"]) != 1:
        raise Rejected("the model that was found is larger than the scope")
    secrets = [0] if scope["first_only"] else list(range(claimed["size"]))
    require_fields(claimed, "certificate", secrets=secrets, domain=claimed["values"])
    rows = next(iter(claimed["worlds"].values()))
    heard, outputs = {known for _, known, _, _ in rows}, {o for _, law in claimed["mechanism"] for o in law}
    if len(heard) > scope["knowledge"] or len(outputs) > scope["outputs"] or any(s is not None for _, _, s, _ in rows):
        raise Rejected("the model that was found is larger than the scope, or has a sensitive column")
    for compares in (GIVEN, DATABASES):
        list(
            Tables(model).families(Definition(compares, ORDERS), "default")
        )  # θ sums to 1, the mechanism is given on all of T^n
    return model


def is_on_the_grid(certificate: dict[str, Any]) -> bool:
    """Whether the model that was found has multiples of 1/weights and of 1/mechanism_weights, as all in the scope."""
    scope, found = certificate["scope"], certificate["found"]
    worlds = [number(p) for rows in found["worlds"].values() for *_, p in rows]
    outputs = [number(p) for _, law in found["mechanism"] for p in law.values()]
    grids = ((scope["weights"], worlds), (scope["mechanism_weights"], outputs))
    return all((p * weights).denominator == 1 for weights, chances in grids for p in chances)


def _wanted(claim: ReplayedStatement, model: Model, at: dict[str, str], *, refuted: bool) -> bool | None:
    """Whether a model is wanted only because something is vacuous; None where it is not wanted at all.

    Where the claim is to be refuted, it fails at some ε (the one in `at`, where that is given): all that is satisfied
    holds and what is violated does not. Else it holds for all ε.
    """
    truths = claim.decided(model, at)
    if not refuted:
        return not all(strict for _, strict in truths) if all(lenient for lenient, _ in truths) else None
    broken = [strict for lenient, strict in truths if not lenient]
    return all(broken) if broken else None


def _models(scope: dict[str, Any], renamed: Sequence[str]) -> Iterator[tuple[Model, int]]:
    """Every model of a scope but for the names of outputs and knowledge values, and how many differ in names alone."""
    for n, t, o, c in _shapes(scope):
        databases, values = list(product(map(str, range(t)), repeat=n)), list(map(str, range(t)))
        mechanisms = [
            ([[list(d), _law(row, scope["mechanism_weights"])] for d, row in zip(databases, rows, strict=True)], times)
            for rows in product(list(_weights(scope["mechanism_weights"], o)), repeat=len(databases))
            if (times := _times([tuple(row[k] for row in rows) for k in range(o)], "outputs" in renamed))
        ]
        for weights in _weights(scope["weights"], len(databases) * c):
            times = _times([weights[k::c] for k in range(c)], "knowledge" in renamed)
            rows = [
                [list(databases[k // c]), f"k{k % c}", None, str(Fraction(w, scope["weights"]))]
                for k, w in enumerate(weights)
                if w
            ]
            worlds = {"θ": rows}
            for mechanism, alike in mechanisms if times else ():
                yield (
                    {
                        "size": n,
                        "values": values,
                        "secrets": [0] if scope["first_only"] else list(range(n)),
                        "domain": values,
                        "worlds": worlds,
                        "mechanism": mechanism,
                    },
                    times * alike,
                )


def _times(columns: list[tuple[int, ...]], renamed: bool) -> int:  # noqa: FBT001
    """In how many orders the columns can stand, where this is the first; 0 where it is not, or one is empty."""
    if not all(map(any, columns)) or (renamed and columns != sorted(columns)):
        return 0
    return factorial(len(columns)) // prod(map(factorial, Counter(columns).values())) if renamed else 1


def _law(weights: Sequence[int], total: int) -> dict[str, str]:
    return {f"o{k}": str(Fraction(w, total)) for k, w in enumerate(weights) if w}


def _weights(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """All weights with this sum."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *following) for following in _weights(total - first, count - 1))
