"""The independent re-check: derives an answer again from plain tables, by the definitions alone.

It imports nothing but its other parts, uses `fractions` (and Arb balls where e^ε is irrational) and raises `Rejected`
for what does not follow. `replay_<engine>` reads certificates with an `engine`. A certificate is a plain dictionary:

* `question`: definition, reading, epsilon, delta (texts; epsilon may be None);
* `size`, `values` (texts), `secrets`: a list of record indices, or `["S"]` where rows carry S;
* `worlds`: for each θ a list of `[database, B̂, S or None, probability]`, texts throughout;
* `mechanism`: a list of `[database, {output: probability}]` with every database that is reached;
* `answer`: verdict, tight_delta, tight_epsilon, comparisons, multiplicity, empty, and the witness or the tightest.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.replay.numbers import Compared, Exponential, Law, Pair, Rejected, number, posteriors
from verifier.replay.verdict import judge, same

FORWARD, BACKWARD = "factual against counterfactual", "counterfactual against factual"
KNOWN = {
    **dict.fromkeys(("dp", "np", "apkdp"), ("default", "one-order")),
    "ppkdp": ("default", "one-order", "infinite-loss"),
    "cdp": ("default", "one-order", "all-values"),
    "dps": ("default", "any-delta"),
    "safe": ("default",),
    "ibcdp": ("default", "one-order", "possible-values"),
    "ddp": ("default", "index-free", "per-distribution", "per-knowledge"),
    "dependency": ("default", "one-order", "no-loss", "infinite-loss", "equal-infinities", "both-ways"),
}
KNOWN |= {f"tail-{name}": KNOWN[name] for name in ("dp", "apkdp", "ppkdp", "cdp")}
"""Definitions and readings that this checker derives; it rejects all others."""
REPLACING = {"dp", "tail-dp", "cdp", "tail-cdp", "ibcdp", "ddp"}
"""They replace a record, or tell all others: of a function of the database they say nothing, not even `vacuous`."""


def replay(certificate: dict[str, Any]) -> None:
    """Accept the certificate silently or raise `Rejected` with the reason."""
    try:
        _replay(certificate)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {error!r}") from None


def _replay(certificate: dict[str, Any]) -> None:
    question, answer = certificate["question"], certificate["answer"]
    if number(question["delta"]) > 1:
        raise Rejected("δ is more than 1")
    if question["epsilon"] is not None:
        Exponential(question["epsilon"])
    if certificate.get("engine") == "laws":
        from verifier.replay.laws import check as check_laws

        check_laws(certificate)
        return
    if question["reading"] not in KNOWN.get(question["definition"], ()):
        raise Rejected(f"the replay does not know {question['definition']} in the reading {question['reading']}")
    engine = certificate.get("engine", "table")
    if (engine == "sizes") != (question["definition"] in {"dps", "safe"}):
        raise Rejected("dps and safe are about databases of several sizes, and nothing else is")
    if engine != "table":
        if engine == "sizes":
            from verifier.replay.sizes import check
        else:
            from verifier.replay.sums import check
        check(certificate)
        return
    if question["definition"] in REPLACING and certificate["secrets"] == ["S"]:
        raise Rejected(f"{question['definition']} is about records, and the model protects a function of the database")
    if question["definition"] == "ddp":
        from verifier.replay.simulator import check_simulator

        check_simulator(certificate, _scope(certificate)[1], _mechanism(certificate))
        return
    listed = list(families(certificate))
    compared = [one for family in listed for one in family]
    same("comparisons", answer["comparisons"], len({_lumped(one) for one in compared}))
    same("multiplicity (comparisons before lumping)", answer["multiplicity"], len(compared))
    same("empty", answer["empty"], sum(1 for family in listed if not family))
    judge(certificate, compared)


def _lumped(one: Compared) -> object:
    """What makes two comparisons one: for neighbours the same laws, else nothing."""
    _, record, a, b, databases, pairs = one
    if databases is None:
        return id(one)
    return record, a, b, *(tuple(sorted(law.items())) for law in pairs[0][2:4] if isinstance(law, dict))


# --- what is compared, from the definitions ---------------------------------------------------------------


def _mechanism(certificate: dict[str, Any]) -> dict[tuple[str, ...], Law]:
    """The laws by database; each database once, of the right length, its law positive with the sum 1."""
    mechanism: dict[tuple[str, ...], Law] = {}
    for database, law in certificate["mechanism"]:
        key = tuple(database)
        if key in mechanism:
            raise Rejected(f"the mechanism has two laws on {database}")
        mechanism[key] = {output: number(p) for output, p in law.items()}
        if sum(mechanism[key].values()) != 1:
            raise Rejected(f"the mechanism's law on {database} is no law")
    return mechanism


def _scope(certificate: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """The values T and what is protected: distinct records, or S."""
    values, secrets, size = list(certificate["values"]), list(certificate["secrets"]), certificate["size"]
    if type(size) is not int or size < 1 or not values or len(set(values)) != len(values):
        raise Rejected("size and values must be a number of records and distinct values")
    records = [one for one in secrets if type(one) is int and 0 <= one < size]
    if secrets != ["S"] and (records != secrets or len(set(secrets)) != len(secrets) or not secrets):
        raise Rejected("secrets must be distinct records, or S")
    if records and certificate["domain"] != values:
        raise Rejected("domain: the sensitive values of records are the values")
    if any((row[2] is None) != bool(records) for rows in certificate["worlds"].values() for row in rows):
        raise Rejected("a world has a sensitive value of its own, or lacks it")
    tables = [certificate["mechanism"], *certificate["worlds"].values()]
    if not certificate["mechanism"] or any(
        len(row[0]) != size or not set(row[0]) <= set(values) for rows in tables for row in rows
    ):
        raise Rejected("there is no mechanism, or a database has another size, or a value that is none of the values")
    return values, secrets


def families(certificate: dict[str, Any]) -> Iterator[list[Compared]]:
    """What a definition compares, θ by θ and record by record."""
    definition, reading = (
        certificate["question"]["definition"].removeprefix("tail-"),
        certificate["question"]["reading"],
    )
    values, secrets = _scope(certificate)
    mechanism = _mechanism(certificate)
    if definition == "dp":
        every = len(mechanism) == len(values) ** certificate["size"]
        if not every or set(mechanism) != set(product(values, repeat=certificate["size"])):
            raise Rejected("dp needs the mechanism on all of T^n")
        yield from (_neighbours(mechanism, values, i, reading) for i in secrets)
        return
    if not certificate["worlds"]:
        raise Rejected("there is no distribution")
    domain = list(certificate["domain"])
    for theta, rows in certificate["worlds"].items():
        worlds = [(tuple(d), k, s, number(p)) for d, k, s, p in rows]
        if sum(p for _, _, _, p in worlds) != 1:
            raise Rejected(f"the worlds of {theta} are no distribution")
        for record in secrets:
            mine = [(d, k, s if record == "S" else d[record], p) for d, k, s, p in worlds]
            if len(set(domain)) != len(domain) or not {s for _, _, s, _ in mine} <= set(domain):
                raise Rejected(f"{theta} has a sensitive value outside its domain")
            yield _conditional(definition, reading, theta, record, mine, mechanism, domain)


def _neighbours(mechanism: dict[tuple[str, ...], Law], values: list[str], i: int, reading: str) -> list[Compared]:
    found: list[Compared] = []
    for a in values:
        for b in values:
            if a == b or (reading == "one-order" and values.index(a) > values.index(b)):
                continue
            for database, law in mechanism.items():
                if database[i] == a:
                    other = (*database[:i], b, *database[i + 1 :])
                    found.append((None, i, a, b, (database, other), [(Fraction(1), None, law, mechanism[other], "")]))
    return found


def _conditional(
    definition: str,
    reading: str,
    theta: str,
    record: Any,
    worlds: list[tuple[tuple[str, ...], Any, str, Fraction]],
    mechanism: dict[tuple[str, ...], Law],
    domain: list[str],
) -> list[Compared]:
    if definition == "dependency":
        from verifier.replay.dependency import dependent

        return list(dependent(reading, theta, record, worlds, mechanism, domain))
    cells: dict[tuple[Any, str], list[Any]] = {}
    for world in worlds:
        if world[3]:
            cells.setdefault(world[1:3], []).append(world)
    masses = {key: sum((world[3] for world in cell), Fraction(0)) for key, cell in cells.items()}

    def law(knowledge: Any, value: str, b: str | None = None) -> Law | None:
        """M(D), or M(D with the record set to b), given B̂ and S = value; None where that is impossible."""
        if (knowledge, value) not in cells:
            return None
        result: Law = {}
        for database, _, _, p in cells[knowledge, value]:
            at = database if b is None else (*database[:record], b, *database[record + 1 :])
            if at not in mechanism:
                raise Rejected(f"the mechanism has no law for {at}")
            for output, q in mechanism[at].items():
                result[output] = result.get(output, Fraction(0)) + q * p / masses[knowledge, value]
        return result

    whole = {v: sum((mass for (_, s), mass in masses.items() if s == v), Fraction(0)) for v in domain}
    knowledges = list(dict.fromkeys(w[1] for w in worlds if w[3]))
    laws = {(k, v): law(k, v) for k in knowledges for v in domain}
    possible = [v for v in domain if any(laws[k, v] is not None for k in knowledges)]
    found: list[Compared] = []
    if definition == "ibcdp":
        said = [(k, b) for b in domain for k in knowledges if reading != "possible-values" or laws[k, b] is not None]
        for k, b in said:
            both = [{v: law(k, v, to) or {} for v in domain if laws[k, v] is not None} for to in (None, b)]
            for t, x, y in posteriors(both[0], both[1], {v: masses[k, v] for v in both[0]}):
                ways = [(Fraction(1), (k, t), x, y, FORWARD), (Fraction(1), (k, t), y, x, BACKWARD)]
                found += [(theta, record, None, b, None, [way]) for way in ways[: 1 if reading == "one-order" else 2]]
        return found
    for a in possible:
        for b in domain:
            if a == b or (b not in possible and reading != "all-values"):
                continue
            if definition != "cdp" and reading == "one-order" and domain.index(a) > domain.index(b):
                continue
            pairs: list[Pair] = []
            for k in knowledges:
                p, q = laws[k, a], laws[k, b]
                if p is None or (q is None and reading not in {"all-values", "infinite-loss"}):
                    continue
                if definition == "cdp":
                    changed = law(k, a, b)
                    pairs.append((Fraction(1), k, p, changed, FORWARD))
                    if reading != "one-order" and changed is not None:
                        pairs.append((Fraction(1), k, changed, p, BACKWARD))
                else:
                    pairs.append((masses[k, a] / whole[a] if definition == "ppkdp" else Fraction(1), k, p, q, ""))
            if definition == "ppkdp" and pairs:
                found.append((theta, record, a, b, None, pairs))
            elif definition != "ppkdp":
                found.extend((theta, record, a, b, None, [pair]) for pair in pairs)
    return found


__all__ = ["KNOWN", "Exponential", "Rejected", "families", "replay"]
