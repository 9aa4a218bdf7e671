"""The independent re-check of answers about sums, which need no table: `replay` calls it where `engine` is "sums".

It imports nothing from the package but its other parts. In place of worlds, and of the mechanism on
databases, a certificate has

* `shown`: the values as they stand in JSON (`values` are their texts);
* `thetas`: for each θ its components `{name, weight, groups}`; the groups `{records, rows}` are independent;
* `knowledge`: kind (nothing, component, records), and the known records in the order in which B lists them; or `of`,
  the same for each θ by its name;
* `mechanism`: `operations`, one a coordinate of the sum, its `zero`, the `elements` that a record with a value adds
  (a law for each record and value), and `finish`, the output law of every sum.

A comparison may be named by any of the B̂ and records that it stands for.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any

from verifier.replay.blocks import NOTHING, Block, Mechanism, Theta, Weights, whole
from verifier.replay.definitions import BY_SUMS, DEFINITIONS, Definition
from verifier.replay.labels import entries, outcome
from verifier.replay.labels import text as label_text
from verifier.replay.numbers import Compared, Pair, Rejected, Weighted, number
from verifier.replay.numbers import whole as total_of
from verifier.replay.tables import conditional
from verifier.replay.verdict import judge
from verifier.replay.written import need, same


class Case:
    """One θ and one target, which stands for all records like it; a knowledge value is (class, own known values)."""

    def __init__(self, folded: Theta, name: str, block: Block, position: int) -> None:
        self.folded, self.theta, self.record = folded, name, block.records[position]
        self.split = folded.split(block, position)
        self.number: dict[Any, int] = {}
        self.mass: dict[tuple[Any, Any], int] = {}
        self._laws: dict[Any, Weighted] = {}
        self.silent = folded.silent(block)
        for one, (weight, count) in folded.classes(block, self.silent.values()).items():
            for (own, value), option in self.split.items():
                mass = weight * sum(x * y for x, y in zip(one[0], option.likelihood, strict=True))
                if mass:
                    self.number[one, own] = count
                    self.mass[(one, own), value] = mass
        self.knowledges = list(self.number)

    def law(self, known: Any, a: int, b: int | None = None) -> Weighted:
        """The output law given B̂ and D(i) = a, with the record set to b."""
        b = a if b is None else b
        if (known, a, b) in self._laws:
            return self._laws[known, a, b]
        theta, mechanism, ((vector, part, names), own_case) = self.folded, self.folded.mechanism, known
        joint = [x * y for x, y in zip(vector, self.split[own_case, a].likelihood, strict=True)]
        added = mechanism.together({part: 1}, whole(mechanism.elements[self.record][b]))
        sums: dict[int, tuple[Weights, int]] = {}
        for c in (c for c, likelihood in enumerate(joint) if likelihood):
            (rest, total), own = theta.rest(c, names), mechanism.together(self.split[own_case, a].laws[c], added)
            sums[c] = mechanism.together(rest, own), total * sum(own.values())
        bottom, common = lcm(*(total for _, total in sums.values())), gcd(*joint)
        found: Weights = {}
        for c, (one, total) in sums.items():
            factor = joint[c] // common * (bottom // total)
            for at, weight in one.items():
                if at not in mechanism.finish:
                    raise Rejected(f"finish has no law for the sum {mechanism.shown(at)}")
                w = weight if factor == 1 else factor * weight
                for output, p in mechanism.finish[at]:
                    mass = w if p == 1 else w * p
                    found[output] = found[output] + mass if output in found else mass
        law = self._laws[known, a, b] = Weighted(found, sum(joint) // common * bottom * mechanism.bottom)
        return law

    def compare(self, definition: Definition, reading: str, values: list[str]) -> tuple[list[Compared], int]:
        """All that is compared, and the number of comparisons before B̂ were folded to classes."""
        found: list[Any] = conditional(self, definition, reading, range(len(values)))
        count = len(found) if definition.averages else sum(self.number[one[5][0][1]] for one in found)
        named = dict(enumerate(values))
        return [(one[0], one[1], named[one[2]], named[one[3]], None, one[5]) for one in found], count

    def heard(self, target: Block, text: str, texts: list[str]) -> Any:
        """The class of one B̂, and what it says of the target's block."""
        theta, own, values = self.folded, tuple[int, ...](), dict[int, int]()
        if theta.kind == "records":
            told = entries(text)
            if told is None or len(told) != len(theta.known) or not set(told) <= set(texts):
                raise Rejected(f"the knowledge {text[:60]!r} is no list of values")
            place = {value: k for k, value in enumerate(texts)}
            values = {i: place[value] for i, value in zip(theta.known, told, strict=True)}
        else:
            need(text in theta.starts, f"the knowledge {text!r} is impossible")
        one, _ = self.silent[NOTHING if theta.kind == "records" else text]
        for block in (block for block in theta.blocks if block.known):
            case = tuple(values[block.records[k]] for k in block.known)
            if block is target:
                own = case
                continue
            need((case, None) in theta.options[block.content], f"the knowledge {text!r} is impossible")
            one, factor = theta.step(one, theta.options[block.content][case, None])
            need(factor, f"the knowledge {text!r} is impossible")
        need((one, own) in self.number, f"the knowledge {text!r} is impossible")
        return one, own


class Ratios:
    """A law as a key: two are equal where their probabilities are, whatever their weights are over."""

    def __init__(self, law: Weights) -> None:
        self.law, self.total = law, total_of(law)
        some = min(law)
        self.first = hash((len(law), some, (law[some] << 64) // self.total))
        """Of the support, and the first 64 binary places of one probability."""

    def __hash__(self) -> int:
        """Equal for equal laws."""
        return self.first

    def __eq__(self, other: object) -> bool:
        """Weight by weight, each times the other's total."""
        if not isinstance(other, Ratios):
            return NotImplemented
        x, y = (1, 1) if self.total == other.total else (other.total, self.total)
        return self.law.keys() == other.law.keys() and all(x * w == y * other.law[o] for o, w in self.law.items())


def spread(terms: list[tuple[Any, Fraction, list[str]]], pairs: list[Pair]) -> list[dict[str, Any]]:
    """The terms by classes: those with equal laws must have one event, and together all the weight of these laws."""
    laws = {pair[1]: tuple(Ratios(one) for one in pair[2:4] if one) for pair in pairs}
    claimed: dict[Any, Fraction] = {}
    found: dict[Any, Fraction] = {}
    events: dict[Any, list[str]] = {}
    for known, weight, event in terms:
        need(known in laws, "terms: one is not in this comparison")
        claimed[laws[known]] = claimed.get(laws[known], Fraction(0)) + weight
        need(sorted(event) == sorted(events.setdefault(laws[known], event)), "terms: equal laws have one event")
    for weight, known, *_ in pairs:
        found[laws[known]] = found.get(laws[known], Fraction(0)) + weight
    need(claimed.keys() == found.keys(), "terms: a knowledge value is missing")
    need(claimed == found, "weights: the terms do not have those of their knowledge values")
    return [{"knowledge": pair[1], "weight": pair[0], "event": events[laws[pair[1]]]} for pair in pairs]


def knowledge_of(certificate: dict[str, Any], name: str) -> dict[str, Any]:
    """What is known under one θ: the same for all, or `of` each by its name."""
    told: dict[str, Any] = certificate["knowledge"]
    if "of" not in told:
        return told
    need(told["of"].keys() == certificate["thetas"].keys(), "knowledge must be of each θ")
    one: dict[str, Any] = told["of"][name]
    return one


def _scope(certificate: dict[str, Any]) -> list[str]:
    """The values' texts, once all that is not the model itself is well formed."""
    size, values, secrets = certificate["size"], certificate["values"], certificate["secrets"]
    need(type(size) is int and size > 0, "size must be a number of records")
    need(values and all(isinstance(v, str) for v in values) and len(set(values)) == len(values), "values must differ")
    need([label_text(outcome(v)) for v in certificate["shown"]] == values, "shown must be the values")
    told = [knowledge_of(certificate, name) for name in certificate["thetas"]]
    lists = [("known records", one["records"]) for one in told]
    for what, records in [("secrets", secrets), *lists]:
        fine = all(type(i) is int and 0 <= i < size for i in records) and len(set(records)) == len(records)
        need(isinstance(records, list) and fine, f"{what} must be distinct records")
    need(secrets, "secrets must be distinct records")
    for one in told:
        plain = one["kind"] in {"nothing", "component"} and not one["records"]
        need(one["kind"] == "records" or plain, "knowledge must be of a known kind")
    need(told, "there is no distribution")
    return list(values)


def check(certificate: dict[str, Any]) -> None:
    """Derive what is compared, and judge the answer."""
    question, answer = certificate["question"], certificate["answer"]
    definition, reading = DEFINITIONS[question["definition"]], question["reading"]
    known = definition.compares in BY_SUMS
    need(certificate["engine"] == "sums" and known, "the replay does not know this engine, or not dp or ibcdp in it")
    values = _scope(certificate)
    mechanism = Mechanism(certificate["mechanism"], certificate["size"], len(values))
    compared: list[Compared] = []
    multiplicity = empty = 0
    places: dict[Any, tuple[Case, Block]] = {}
    for name, components in certificate["thetas"].items():
        told = knowledge_of(certificate, name)
        theta = Theta(mechanism, components, values, told["kind"], told["records"])
        cases: dict[Any, tuple[Case, int, bool]] = {}
        for block, position, i in ((one, k, i) for one in theta.blocks for k, i in enumerate(one.records)):
            if i not in certificate["secrets"]:
                continue
            key = block.content, position
            if key not in cases:
                case = Case(theta, name, block, position)
                found, count = case.compare(definition, reading, values)
                cases[key] = case, count, not found
                compared += found
            case, count, nothing = cases[key]
            multiplicity, empty = multiplicity + count, empty + nothing
            places[name, i] = case, block
    same("multiplicity (comparisons before lumping)", answer["multiplicity"], multiplicity)
    same("empty", answer["empty"], empty)
    number_, least = answer["comparisons"], min(1, multiplicity)
    need(type(number_) is int and least <= number_ <= multiplicity, f"comparisons: {number_} of {multiplicity}")

    def derived(evidence: dict[str, Any] | None) -> dict[str, Any] | None:
        """The evidence about the record and the classes for which others stand."""
        if evidence is None:
            return None
        named = evidence["distribution"], evidence["record"]
        need(type(named[1]) is int and named in places, "the answer names 0 comparisons instead of one")
        need((evidence["terms"] is not None) == definition.averages, "terms are for averages")
        case, block = places[named]
        if evidence["terms"] is None:
            told = {"knowledge": case.heard(block, evidence["knowledge"], values)}
        else:
            about, way = (named[0], case.record, evidence["a"], evidence["b"]), evidence["direction"] or ""
            pairs = next((one[5] for one in compared if one[:4] == about and one[5][0][4] == way), [])
            heard = [term["knowledge"] for term in evidence["terms"]]
            need(len(set(heard)) == len(heard), "terms: a knowledge value is there twice")
            classes = [case.heard(block, one, values) for one in heard]
            rows = [(k, number(t["weight"]), t["event"]) for k, t in zip(classes, evidence["terms"], strict=True)]
            told = {"terms": spread(rows, pairs)}
        return {**evidence, "record": case.record, **told}

    shown = {key: derived(answer[key]) for key in ("witness", "tightest")}
    judge({**certificate, "answer": {**answer, **shown}}, compared)
