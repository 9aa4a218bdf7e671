"""The independent re-check of answers about sums, which need no table: `replay` calls it where `engine` is "sums".

In place of worlds, and of the mechanism on databases, a certificate has

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

from verifier.checker.blocks import Block, Mechanism, Theta, Weights, in_integers
from verifier.checker.definitions import BY_SUMS, DEFINITIONS, Definition, values_of
from verifier.checker.labels import NOTHING, entries, outcome
from verifier.checker.labels import text as label_text
from verifier.checker.numbers import Compared, Pair, Rejected, Weighted, number, summed, total_of
from verifier.checker.tables import conditional
from verifier.checker.verdict import judge
from verifier.checker.written import agrees, need, same


class Case:
    """One θ and one target, which stands for all records like it; a knowledge value is (class, own known values)."""

    def __init__(self, folded: Theta, name: str, block: Block, position: int) -> None:
        self.folded, self.theta, self.record = folded, name, block.records[position]
        self.split = folded.split(block, position)
        self.number: dict[Any, int] = {}
        self.mass: dict[tuple[Any, Any], int] = {}
        self._laws: dict[Any, Weighted] = {}
        self.silent = folded.silent(block)
        for heard, (weight, count) in folded.classes(block, self.silent.values()).items():
            for (own, value), option in self.split.items():
                mass = weight * sum(x * y for x, y in zip(heard[0], option.likelihood, strict=True))
                if mass:
                    self.number[heard, own] = count
                    self.mass[(heard, own), value] = mass
        self.knowledges = list(self.number)

    def law(self, knowledge: Any, a: int, b: int | None = None) -> Weighted:
        """The output law given B̂ and D(i) = a, with the record set to b."""
        b = a if b is None else b
        if (knowledge, a, b) in self._laws:
            return self._laws[knowledge, a, b]
        theta, mechanism, ((vector, point, names), own_case) = self.folded, self.folded.mechanism, knowledge
        joint = [x * y for x, y in zip(vector, self.split[own_case, a].likelihood, strict=True)]
        added = mechanism.together({point: 1}, in_integers(mechanism.elements[self.record][b]))
        sums: dict[int, tuple[Weights, int]] = {}
        for c in (c for c, likelihood in enumerate(joint) if likelihood):
            (remaining, total), own = (
                theta.sum_law(c, names),
                mechanism.together(self.split[own_case, a].laws[c], added),
            )
            sums[c] = mechanism.together(remaining, own), total * sum(own.values())
        bottom, common = lcm(*(total for _, total in sums.values())), gcd(*joint)
        outputs: Weights = {}
        for c, (sum_law, total) in sums.items():
            factor = joint[c] // common * (bottom // total)
            for at, weight in sum_law.items():
                if at not in mechanism.finish:
                    raise Rejected(f"finish has no law for the sum {mechanism.state_of(at)}")
                w = weight if factor == 1 else factor * weight
                for output, p in mechanism.finish[at]:
                    mass = w if p == 1 else w * p
                    outputs[output] = outputs[output] + mass if output in outputs else mass
        law = self._laws[knowledge, a, b] = Weighted(outputs, sum(joint) // common * bottom * mechanism.bottom)
        return law

    def compare(
        self, definition: Definition, reading: str, values: list[str], absent: str | None
    ) -> tuple[list[Compared], int]:
        """The comparisons of a definition, and their number before the B̂ were folded to classes."""
        domain = [values.index(v) for v in values_of(definition, values, absent)]
        comparisons = conditional(self, definition, reading, domain)
        count = len(comparisons)
        if not definition.averages:
            count = sum(self.number[comparison.pairs[0].knowledge] for comparison in comparisons)
        return [
            comparison._replace(a=values[comparison.a], b=values[comparison.b]) for comparison in comparisons
        ], count

    def heard(self, target: Block, text: str, texts: list[str]) -> Any:
        """The class of the B̂ with a text, and the values that it knows of the target's block."""
        theta, own, values = self.folded, tuple[int, ...](), dict[int, int]()
        if theta.kind == "records":
            labels = entries(text)
            if labels is None or len(labels) != len(theta.known) or not set(labels) <= set(texts):
                raise Rejected(f"the knowledge {text[:60]!r} is no list of values")
            position = {value: k for k, value in enumerate(texts)}
            values = {i: position[value] for i, value in zip(theta.known, labels, strict=True)}
        else:
            need(text in theta.starts, f"the knowledge {text!r} is impossible")
        heard, _ = self.silent[NOTHING if theta.kind == "records" else text]
        for block in (block for block in theta.blocks if block.known):
            case = tuple(values[block.records[k]] for k in block.known)
            if block is target:
                own = case
                continue
            need((case, None) in theta.options[block.content], f"the knowledge {text!r} is impossible")
            heard, factor = theta.step(heard, theta.options[block.content][case, None])
            need(factor, f"the knowledge {text!r} is impossible")
        need((heard, own) in self.number, f"the knowledge {text!r} is impossible")
        return heard, own


class Ratios:
    """A law as a key, equal to another one where all probabilities are, whatever the totals of their weights."""

    def __init__(self, law: Weights) -> None:
        self.law, self.total = law, total_of(law)
        output = min(law)
        self.first = hash((len(law), output, (law[output] << 64) // self.total))
        """The hash: of the size of the support, one output, and the first 64 binary places of its probability."""

    def __hash__(self) -> int:
        """Return the same number for equal laws."""
        return self.first

    def __eq__(self, other: object) -> bool:
        """Whether the probabilities are equal: weight by weight, each times the other's total."""
        if not isinstance(other, Ratios):
            return NotImplemented
        x, y = (1, 1) if self.total == other.total else (other.total, self.total)
        return self.law.keys() == other.law.keys() and all(x * w == y * other.law[o] for o, w in self.law.items())


def spread(terms: list[tuple[Any, Fraction, list[str]]], pairs: list[Pair]) -> list[dict[str, Any]]:
    """The terms that an answer shows of an average, as one term for each pair of folded knowledge values.

    Raises:
        Rejected: where terms with equal laws have different events, or not the weight of all pairs with these laws.

    """
    laws = {pair.knowledge: tuple(Ratios(law) for law in (pair.p, pair.q) if law) for pair in pairs}
    claimed: dict[Any, Fraction] = {}
    events: dict[Any, list[str]] = {}
    for known, weight, event in terms:
        need(known in laws, "terms: one is not in this comparison")
        claimed[laws[known]] = claimed.get(laws[known], Fraction(0)) + weight
        need(sorted(event) == sorted(events.setdefault(laws[known], event)), "terms: equal laws have one event")
    derived = summed((laws[known], weight) for weight, known, *_ in pairs)
    need(claimed.keys() == derived.keys(), "terms: a knowledge value is missing")
    need(claimed == derived, "weights: the terms do not have those of their knowledge values")
    return [
        {"knowledge": pair.knowledge, "weight": pair.weight, "event": events[laws[pair.knowledge]]} for pair in pairs
    ]


def knowledge_of(certificate: dict[str, Any], name: str) -> dict[str, Any]:
    """The knowledge under one θ: one entry for all θ, or the entry of `of` with its name."""
    knowledge: dict[str, Any] = certificate["knowledge"]
    if "of" not in knowledge:
        return knowledge
    need(knowledge["of"].keys() == certificate["thetas"].keys(), "knowledge must be of each θ")
    own: dict[str, Any] = knowledge["of"][name]
    return own


def _scope(certificate: dict[str, Any]) -> list[str]:
    """The texts of the values; rejects sizes, secrets or knowledge that are not well formed."""
    size, values, secrets = certificate["size"], certificate["values"], certificate["secrets"]
    need(type(size) is int and size > 0, "size must be a number of records")
    need(values and all(isinstance(v, str) for v in values) and len(set(values)) == len(values), "values must differ")
    need([label_text(outcome(v)) for v in certificate["shown"]] == values, "shown must be the values")
    knowledges = [knowledge_of(certificate, name) for name in certificate["thetas"]]
    lists = [("known records", knowledge["records"]) for knowledge in knowledges]
    for title, records in [("secrets", secrets), *lists]:
        fine = all(type(i) is int and 0 <= i < size for i in records) and len(set(records)) == len(records)
        need(isinstance(records, list) and fine, f"{title} must be distinct records")
    need(secrets, "secrets must be distinct records")
    for knowledge in knowledges:
        plain = knowledge["kind"] in {"nothing", "component"} and not knowledge["records"]
        need(knowledge["kind"] == "records" or plain, "knowledge must be of a known kind")
    need(knowledges, "there is no distribution")
    return list(values)


def check(certificate: dict[str, Any]) -> None:
    """Derive the comparisons from the sums, and judge the answer by them."""
    question, answer = certificate["question"], certificate["answer"]
    definition, reading = DEFINITIONS[question["definition"]], question["reading"]
    has_sums = definition.compares in BY_SUMS
    need(certificate["engine"] == "sums" and has_sums, "the replay does not know this engine, or not dp or ibcdp in it")
    values = _scope(certificate)
    mechanism = Mechanism(certificate["mechanism"], certificate["size"], len(values))
    compared: list[Compared] = []
    multiplicity = empty = 0
    places: dict[Any, tuple[Case, Block]] = {}
    for name, components in certificate["thetas"].items():
        knowledge = knowledge_of(certificate, name)
        theta = Theta(mechanism, components, values, knowledge["kind"], knowledge["records"])
        cases: dict[Any, tuple[Case, int, bool]] = {}
        for block, position, i in ((own, k, i) for own in theta.blocks for k, i in enumerate(own.records)):
            if i not in certificate["secrets"]:
                continue
            key = block.content, position
            if key not in cases:
                case = Case(theta, name, block, position)
                comparisons, count = case.compare(definition, reading, values, certificate.get("absent"))
                cases[key] = case, count, not comparisons
                compared += comparisons
            case, count, nothing = cases[key]
            multiplicity, empty = multiplicity + count, empty + nothing
            places[name, i] = case, block
    same("multiplicity (comparisons before lumping)", answer["multiplicity"], multiplicity)
    agrees(answer, empty=empty)
    claimed_count, least = answer["comparisons"], min(1, multiplicity)
    need(
        type(claimed_count) is int and least <= claimed_count <= multiplicity,
        f"comparisons: {claimed_count} of {multiplicity}",
    )

    def derived(evidence: dict[str, Any] | None) -> dict[str, Any] | None:
        """The evidence, about the record and the classes that stand for the record and the B̂ that it names."""
        if evidence is None:
            return None
        place = evidence["distribution"], evidence["record"]
        need(type(place[1]) is int and place in places, "the answer names 0 comparisons instead of one")
        need((evidence["terms"] is not None) == definition.averages, "terms are for averages")
        case, block = places[place]
        if evidence["terms"] is None:
            fields = {"knowledge": case.heard(block, evidence["knowledge"], values)}
        else:
            about, direction = (place[0], case.record, evidence["a"], evidence["b"]), evidence["direction"] or ""
            named_pairs = (
                comparison.pairs
                for comparison in compared
                if comparison[:4] == about and comparison.pairs[0].direction == direction
            )
            pairs = next(named_pairs, [])
            heard = [term["knowledge"] for term in evidence["terms"]]
            need(len(set(heard)) == len(heard), "terms: a knowledge value is there twice")
            classes = [case.heard(block, text, values) for text in heard]
            rows = [(k, number(t["weight"]), t["event"]) for k, t in zip(classes, evidence["terms"], strict=True)]
            fields = {"terms": spread(rows, pairs)}
        return {**evidence, "record": case.record, **fields}

    rederived = {key: derived(answer[key]) for key in ("witness", "tightest")}
    judge({**certificate, "answer": {**answer, **rederived}}, compared)
