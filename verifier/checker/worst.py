"""The independent re-check of a worst mechanism: its optimum is attained, and multipliers prove that none does worse.

For every mechanism that satisfies what is assumed, every comparison of the target, and all events S_B̂, put the outputs
into classes by the events they are in, and let x(d, o) be the probability of class o on d. With multipliers y ≥ 0

    Σ share·(P(S_B̂) - E·Q(S_B̂)) ≤ Σ_d max_o [gain(d, o) - Σ y·(P′ - E′·Q′)(d)] + Σ δ′·max y/share′,

since Σ_o x(d, o) = 1 and Σ_B̂ share′·Σ_o max(0, P′(o) - E′·Q′(o)) ≤ δ′. So the bound is about all mechanisms, with any
number of outputs. It is added up here from the worlds, by the definitions (DMKB20, Definitions 1 to 5, 12 and 13).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, TypeAlias

from verifier.checker.definitions import DATABASES, DEFINITIONS, REPLACING, Definition, linear, values_of
from verifier.checker.numbers import Rejected, number, rational_power
from verifier.checker.rejected import Beyond, reading
from verifier.checker.tables import Cells, conditional, neighbours
from verifier.checker.worst_rows import LINEAR, compared
from verifier.checker.written import MAX_BITS, bits

Db: TypeAlias = tuple[str, ...]
Law: TypeAlias = dict[Db, Fraction]
LawPair: TypeAlias = tuple[Fraction, Any, Law, Law]
"""A pair of laws on databases: its share in the comparison, B̂, P and Q."""
ComparisonName: TypeAlias = tuple[Any, ...]
"""The name of a comparison: θ, record, a, b, B̂, direction, first database."""
Comparisons: TypeAlias = dict[ComparisonName, list[LawPair]]
Factors: TypeAlias = dict[ComparisonName, Fraction]
"""e^(c·ε) of each comparison."""
MOST = 1 << 12


@reading("the certificate is damaged")
def replay_worst(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of a worst mechanism: it is attained, and the multipliers prove that none is worse.

    Raises:
        Rejected: where it does not prove its optimum.

    """
    if certificate["schema"] != "pkdp worst 1":
        raise Rejected("this is no certificate of a worst mechanism")
    values, size = [str(v) for v in certificate["values"]], certificate["size"]
    worlds = {name: _worlds(rows, values, size) for name, rows in certificate["worlds"].items()}
    domains = _domains(certificate, worlds, values)
    optimum = number(certificate["optimum"])
    target, E = _bounded(certificate, certificate["definition"], certificate["epsilon"], None, worlds, domains)
    if not target:
        if optimum:
            raise Rejected("nothing is compared, so the optimum is 0")
        return
    assumed = [
        (*_bounded(certificate, entry["definition"], entry["epsilon"], delta, worlds, domains), delta)
        for entry, delta in ((entry, number(entry["delta"])) for entry in certificate["assumed"])
    ]
    mechanism = _mechanism(certificate["mechanism"], values, size)
    for comparisons, e, delta in assumed:
        for comparison, pairs in comparisons.items():
            if _needed(pairs, e[comparison], mechanism) > delta:
                raise Rejected(f"the mechanism does not satisfy what is assumed, at {comparison}")
    if max(_needed(pairs, E[comparison], mechanism) for comparison, pairs in target.items()) != optimum:
        raise Rejected("the mechanism does not attain the optimum")
    _bounds(certificate, target, E, optimum, assumed)


def _worlds(rows: Any, values: list[str], size: int) -> list[tuple[Db, Any, Any, Fraction]]:
    """(database, B̂, sensitive value, probability), which sum to 1."""
    worlds = [(_database(database, values, size), known, secret, number(p)) for database, known, secret, p in rows]
    if sum(row[3] for row in worlds) != 1:
        raise Rejected("the worlds do not sum to 1")
    return worlds


def _database(labels: Any, values: list[str], size: int) -> Db:
    database = tuple(labels)
    if len(database) != size or any(v not in values for v in database):
        raise Rejected(f"{labels!r} is no database")
    return database


def _domains(certificate: dict[str, Any], worlds: Any, values: list[str]) -> dict[Any, list[str]]:
    """The values of each protected record; of S where a function or a column is protected."""
    if certificate["records"] is not None:
        if not certificate["records"] or any(
            type(i) is not int or not 0 <= i < certificate["size"] for i in certificate["records"]
        ):
            raise Rejected("the protected records are none")
        return dict.fromkeys(certificate["records"], values)
    return {None: list(dict.fromkeys(row[2] for rows in worlds.values() for row in rows))}


def _bounded(
    certificate: dict[str, Any], kind: str, epsilon: Any, delta: Fraction | None, worlds: Any, domains: Any
) -> tuple[Comparisons, Factors]:
    """The comparisons of a definition, and e^(c·ε) of each; `delta` is None for the one whose δ is maximised."""
    e = rational_power(epsilon)
    if kind in LINEAR:
        rows = compared(kind, certificate, delta)
        names: dict[str, ComparisonName] = {words: (None, None, None, None, None, words, None) for words in rows}
        comparisons: Comparisons = {names[words]: [(Fraction(1), None, p, q)] for words, (_, p, q) in rows.items()}
        if any(bits(e) * scale > MAX_BITS for scale, _, _ in rows.values()):
            raise Beyond("a power of e^ε is too long")
        return comparisons, {names[words]: e**scale for words, (scale, _, _) in rows.items()}
    comparisons = _compared(kind, certificate, worlds, domains)
    return comparisons, dict.fromkeys(comparisons, e)


def _compared(kind: str, certificate: dict[str, Any], worlds: Any, domains: Any) -> Comparisons:
    """The comparisons of a definition, as laws on databases."""
    values, size = [str(v) for v in certificate["values"]], certificate["size"]
    if not linear(kind):
        raise Rejected(f"{kind!r} is no definition that is linear in the mechanism")
    definition, absent = DEFINITIONS[kind], certificate.get("policy", {}).get("absent")
    if definition.compares == DATABASES:
        if len(values_of(definition, values, absent)) < 2:  # nobody has a neighbour
            return {}
        most = len(certificate["mechanism"]) * (1 if absent is None else 2)  # at most half of them have no neighbour
        if size > MOST or len(values) ** size > most:
            raise Rejected("dp needs the mechanism on all of T^n")
    return comparisons_of(definition, values, size, worlds, domains, absent)


def comparisons_of(
    definition: Definition, values: list[str], size: int, worlds: Any, domains: Any, absent: str | None
) -> Comparisons:
    """The comparisons of neighbours, of given values, or of a changed record, as laws on databases."""
    if definition.compares in REPLACING and None in domains:
        raise Rejected("a definition replaces a record, and S is none")
    if definition.compares == DATABASES:
        all_databases = list(product(values, repeat=size))
        return {
            (None, i, a, b, None, "", d): [(Fraction(1), None, {d: Fraction(1)}, {o: Fraction(1)})]
            for i in domains
            for a, b, d, o in neighbours(all_databases, values_of(definition, values, absent), i, "default")
        }
    comparisons: Comparisons = {}
    for name, rows in worlds.items():
        for record, domain in domains.items():
            cells = Cells(name, "S" if record is None else record, rows, domain, lambda database: [(database, 1)], 1)
            of_domain = values_of(definition, domain, absent)
            for _, _, a, b, _, pairs in conditional(cells, definition, "default", of_domain):
                known = None if definition.averages else pairs[0].knowledge
                comparisons[name, record, a, b, known, pairs[0].direction, None] = [
                    (share, heard, _chances(p), _chances(q)) for share, heard, p, q, _ in pairs
                ]
    return comparisons


def _chances(law: Any) -> Law:
    return {database: w * Fraction(1) / law.total for database, w in law.items()}  # a weight may be a function


def _mechanism(rows: Any, values: list[str], size: int) -> dict[Db, list[Fraction]]:
    mechanism: dict[Db, list[Fraction]] = {}
    for database, chances in rows:
        law = [number(x) for x in chances]
        if sum(law) != 1 or tuple(database) in mechanism:
            raise Rejected(f"the row of {database!r} is no law, or the second one")
        mechanism[_database(database, values, size)] = law
    if len({len(law) for law in mechanism.values()}) != 1:
        raise Rejected("the rows of the mechanism have different lengths")
    return mechanism


def _needed(pairs: list[LawPair], E: Fraction, mechanism: dict[Db, list[Fraction]]) -> Fraction:
    """Σ share·Σₒ max(0, P(o) - E·Q(o))."""
    total = Fraction(0)
    for share, _, p, q in pairs:
        for o in range(len(next(iter(mechanism.values())))):
            chance = sum(w * mechanism[d][o] for d, w in p.items())
            total += share * max(Fraction(0), chance - E * sum(w * mechanism[d][o] for d, w in q.items()))
    return total


def _bounds(certificate: Any, target: Comparisons, E: Factors, optimum: Fraction, assumed: Any) -> None:
    """Every comparison and every choice of patterns that is needed has a bound that is at most the optimum."""
    bounds = {}
    for bound in certificate["bounds"]:
        if not all(set(pattern) <= {"0", "1"} for pattern in bound["patterns"]):
            raise Rejected("a pattern is made of 0 and 1")
        patterns = tuple(tuple(int(mark) for mark in pattern) for pattern in bound["patterns"])
        bounds[_comparison_name(bound["comparison"]), patterns] = bound["multipliers"]
    for comparison, pairs in target.items():
        number_ = 2 ** min(len(pairs), MOST)
        few = number_ if certificate["outputs"] is None else min(certificate["outputs"], number_)
        if few < 2 or number_ > MOST or comb(number_, few) > MOST:
            raise Rejected("there are too many patterns, or fewer than two outputs")
        all_patterns = list(product((1, 0), repeat=len(pairs)))
        for patterns in combinations(all_patterns, few):
            multipliers = bounds.get((comparison, patterns), [])
            if _bound(pairs, E[comparison], patterns, multipliers, assumed) > optimum:
                raise Rejected(f"no multipliers prove the optimum at {comparison}")


def _comparison_name(listed: Any) -> ComparisonName:
    *fields, first = listed
    return (*fields, None if first is None else tuple(first))


def _bound(pairs: list[LawPair], E: Fraction, patterns: Any, multipliers: Any, assumed: Any) -> Fraction:
    """The bound that the multipliers prove for every mechanism."""
    gains: dict[Db, list[Fraction]] = {}

    def add(p: Law, q: Law, e: Fraction, times: list[Fraction]) -> None:
        for law, factor in ((p, Fraction(1)), (q, -e)):
            for database, weight in law.items():
                row = gains.setdefault(database, [Fraction(0)] * len(patterns))
                for o, scale in enumerate(times):
                    row[o] += factor * weight * scale

    for k, (share, _, p, q) in enumerate(pairs):
        add(p, q, E, [share * pattern[k] for pattern in patterns])
    times: dict[tuple[int, ComparisonName, Any, int], Fraction] = {}
    for which, at, knowledge, output, text in multipliers:
        if not 0 <= which < len(assumed) or not 0 <= output < len(patterns):
            raise Rejected(f"a multiplier of an assumption, or an output, that is none: {which}, {output}")
        if not any(pair[1] == knowledge for pair in assumed[which][0].get(_comparison_name(at), ())):
            raise Rejected(f"a multiplier of a comparison that is none: {at}, {knowledge}")
        key = which, _comparison_name(at), knowledge, output
        times[key] = times.get(key, Fraction(0)) + number(text)
    prices: dict[tuple[int, ComparisonName], Fraction] = {}
    for (which, comparison, knowledge, output), y in times.items():
        comparisons, e, _ = assumed[which]
        ((share, _, p, q),) = [pair for pair in comparisons[comparison] if pair[1] == knowledge]
        add(p, q, e[comparison], [-y if o == output else Fraction(0) for o in range(len(patterns))])
        prices[which, comparison] = max(prices.get((which, comparison), Fraction(0)), y / share)
    paid = sum((assumed[which][2] * price for (which, _), price in prices.items()), Fraction(0))
    return sum((max(row) for row in gains.values()), Fraction(0)) + paid
