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

from verifier.replay.definitions import DATABASES, DEFINITIONS, REPLACING, linear
from verifier.replay.numbers import Exponential, Rejected, number
from verifier.replay.tables import Cells, conditional, neighbours

Db: TypeAlias = tuple[str, ...]
Law: TypeAlias = dict[Db, Fraction]
Part: TypeAlias = tuple[Fraction, Any, Law, Law]
"""The share, B̂, P and Q."""
Place: TypeAlias = tuple[Any, ...]
"""θ, record, a, b, B̂, direction, first database."""
Comparisons: TypeAlias = dict[Place, list[Part]]
MOST = 1 << 12


def replay_worst(certificate: dict[str, Any]) -> None:
    """Re-add a certificate of `worst`.

    Raises:
        Rejected: where it does not prove its optimum.

    """
    try:
        _replay(certificate)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise Rejected(f"the certificate is damaged: {error!r}") from error


def _replay(given: dict[str, Any]) -> None:
    if given["schema"] != "pkdp worst 1":
        raise Rejected("this is no certificate of a worst mechanism")
    values, size = [str(v) for v in given["values"]], given["size"]
    worlds = {name: _worlds(rows, values, size) for name, rows in given["worlds"].items()}
    domains = _domains(given, worlds, values)
    optimum = number(given["optimum"])
    target = _compared(given["definition"], values, size, worlds, domains, len(given["mechanism"]))
    E = _factor(given["epsilon"])
    if not target:
        if optimum:
            raise Rejected("nothing is compared, so the optimum is 0")
        return
    assumed = [
        (
            _compared(one["definition"], values, size, worlds, domains, len(given["mechanism"])),
            _factor(one["epsilon"]),
            number(one["delta"]),
        )
        for one in given["assumed"]
    ]
    mechanism = _mechanism(given["mechanism"], values, size)
    for comparisons, e, delta in assumed:
        for place, parts in comparisons.items():
            if _needed(parts, e, mechanism) > delta:
                raise Rejected(f"the mechanism does not satisfy what is assumed, at {place}")
    if max(_needed(parts, E, mechanism) for parts in target.values()) != optimum:
        raise Rejected("the mechanism does not attain the optimum")
    _bounds(given, target, E, optimum, assumed)


def _worlds(rows: Any, values: list[str], size: int) -> list[tuple[Db, Any, Any, Fraction]]:
    """(database, B̂, sensitive value, probability), which sum to 1."""
    found = [(_database(database, values, size), known, secret, number(p)) for database, known, secret, p in rows]
    if sum(row[3] for row in found) != 1:
        raise Rejected("the worlds do not sum to 1")
    return found


def _database(given: Any, values: list[str], size: int) -> Db:
    database = tuple(given)
    if len(database) != size or any(v not in values for v in database):
        raise Rejected(f"{given!r} is no database")
    return database


def _domains(given: dict[str, Any], worlds: Any, values: list[str]) -> dict[Any, list[str]]:
    """The values of each protected record; of S where a function or a column is protected."""
    if given["records"] is not None:
        if not given["records"] or any(type(i) is not int or not 0 <= i < given["size"] for i in given["records"]):
            raise Rejected("the protected records are none")
        return dict.fromkeys(given["records"], values)
    return {None: list(dict.fromkeys(row[2] for rows in worlds.values() for row in rows))}


def _factor(text: Any) -> Fraction:
    value = Exponential(text).value
    if not isinstance(value, Fraction):
        raise Rejected(f"e^ε is not rational for ε = {text}")
    return value


def _compared(kind: str, values: list[str], size: int, worlds: Any, domains: Any, databases: int) -> Comparisons:
    """All that a definition compares, as laws on databases; the mechanism is given on so many."""
    if not linear(kind):
        raise Rejected(f"{kind!r} is no definition that is linear in the mechanism")
    definition = DEFINITIONS[kind]
    if definition.compares in REPLACING and None in domains:
        raise Rejected(f"{kind} replaces a record")
    if definition.compares == DATABASES:
        if size > MOST or len(values) ** size > max(databases, 1):  # one value has no neighbours
            raise Rejected("dp needs the mechanism on all of T^n")
        every = list(product(values, repeat=size))
        return {
            (None, i, a, b, None, "", d): [(Fraction(1), None, {d: Fraction(1)}, {o: Fraction(1)})]
            for i in domains
            for a, b, d, o in neighbours(every, values, i, "default")
        }
    found: Comparisons = {}
    for name, rows in worlds.items():
        for record, domain in domains.items():
            cells = Cells(name, "S" if record is None else record, rows, domain, lambda database: [(database, 1)], 1)
            for _, _, a, b, _, pairs in conditional(cells, definition, "default", domain):
                known, way = (None if definition.averages else pairs[0][1]), pairs[0][4]
                found[name, record, a, b, known, way, None] = [
                    (share, heard, _chances(p), _chances(q)) for share, heard, p, q, _ in pairs
                ]
    return found


def _chances(law: Any) -> Law:
    return {database: Fraction(w, law.total) for database, w in law.items()}


def _mechanism(rows: Any, values: list[str], size: int) -> dict[Db, list[Fraction]]:
    found: dict[Db, list[Fraction]] = {}
    for database, chances in rows:
        law = [number(x) for x in chances]
        if sum(law) != 1 or tuple(database) in found:
            raise Rejected(f"the row of {database!r} is no law, or the second one")
        found[_database(database, values, size)] = law
    if len({len(law) for law in found.values()}) != 1:
        raise Rejected("the rows of the mechanism have different lengths")
    return found


def _needed(parts: list[Part], E: Fraction, mechanism: dict[Db, list[Fraction]]) -> Fraction:
    """Σ share·Σₒ max(0, P(o) - E·Q(o))."""
    total = Fraction(0)
    for share, _, p, q in parts:
        for o in range(len(next(iter(mechanism.values())))):
            one = sum(w * mechanism[d][o] for d, w in p.items())
            total += share * max(Fraction(0), one - E * sum(w * mechanism[d][o] for d, w in q.items()))
    return total


def _bounds(given: Any, target: Comparisons, E: Fraction, optimum: Fraction, assumed: Any) -> None:
    """Every comparison and every choice of patterns that is needed has a bound that is at most the optimum."""
    listed = {}
    for one in given["bounds"]:
        if not all(set(pattern) <= {"0", "1"} for pattern in one["patterns"]):
            raise Rejected("a pattern is made of 0 and 1")
        patterns = tuple(tuple(int(mark) for mark in pattern) for pattern in one["patterns"])
        listed[_place(one["comparison"]), patterns] = one["multipliers"]
    for place, parts in target.items():
        number_ = 2 ** min(len(parts), MOST)
        few = number_ if given["outputs"] is None else min(given["outputs"], number_)
        if few < 2 or number_ > MOST or comb(number_, few) > MOST:
            raise Rejected("there are too many patterns, or fewer than two outputs")
        every = list(product((1, 0), repeat=len(parts)))
        for patterns in combinations(every, few):
            multipliers = listed.get((place, patterns), [])
            if _bound(parts, E, patterns, multipliers, assumed) > optimum:
                raise Rejected(f"no multipliers prove the optimum at {place}")


def _place(given: Any) -> Place:
    *rest, first = given
    return (*rest, None if first is None else tuple(first))


def _bound(parts: list[Part], E: Fraction, patterns: Any, multipliers: Any, assumed: Any) -> Fraction:
    """What the multipliers prove of every mechanism."""
    left: dict[Db, list[Fraction]] = {}

    def add(p: Law, q: Law, e: Fraction, times: list[Fraction]) -> None:
        for law, factor in ((p, Fraction(1)), (q, -e)):
            for database, weight in law.items():
                each = left.setdefault(database, [Fraction(0)] * len(patterns))
                for o, scale in enumerate(times):
                    each[o] += factor * weight * scale

    for k, (share, _, p, q) in enumerate(parts):
        add(p, q, E, [share * pattern[k] for pattern in patterns])
    times: dict[tuple[int, Place, Any, int], Fraction] = {}
    for which, at, known, output, text in multipliers:
        if not 0 <= which < len(assumed) or not 0 <= output < len(patterns):
            raise Rejected(f"a multiplier of an assumption, or an output, that is none: {which}, {output}")
        if not any(part[1] == known for part in assumed[which][0].get(_place(at), ())):
            raise Rejected(f"a multiplier of a comparison that is none: {at}, {known}")
        key = which, _place(at), known, output
        times[key] = times.get(key, Fraction(0)) + number(text)
    prices: dict[tuple[int, Place], Fraction] = {}
    for (which, place, known, output), y in times.items():
        comparisons, e, _ = assumed[which]
        ((share, _, p, q),) = [part for part in comparisons[place] if part[1] == known]
        add(p, q, e, [-y if o == output else Fraction(0) for o in range(len(patterns))])
        prices[which, place] = max(prices.get((which, place), Fraction(0)), y / share)
    paid = sum((assumed[which][2] * price for (which, _), price in prices.items()), Fraction(0))
    return sum((max(each) for each in left.values()), Fraction(0)) + paid
