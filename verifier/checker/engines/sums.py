"""Answers about sums, which need no table.

In place of worlds, and of the mechanism on databases, a certificate has

* `shown`: the values as they stand in JSON (`values` are their texts);
* `thetas`: for each θ its components `{name, weight, groups}`; the groups `{records, rows}` are independent;
* `knowledge`: kind (nothing, component, records), and the known records in the order in which B lists them; or `of`,
  the same for each θ by its name;
* `mechanism`: `operations`, one a coordinate of the sum, its `zero`, the `elements` that a record with a value adds
  (a law for each record and value), and `finish`, the output law of every sum.

A θ is a mixture of components, each with independent groups of records; a mechanism adds what the records give, in a
commutative monoid. Databases are never listed: known records are folded to classes of B̂, the others to the law of
their sum. A comparison may be named by any of the B̂ and records that it stands for.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Beyond, Rejected, require, require_equal, require_fields
from verifier.checker.judge import judge
from verifier.checker.laws import (
    BY_SUMS,
    DEFINITIONS,
    Compared,
    Definition,
    Pair,
    Weighted,
    conditional,
    summed,
    total_of,
)
from verifier.checker.model.file import Group, joined
from verifier.checker.model.labels import NOTHING, connected, entries, outcome, text
from verifier.checker.model.mechanisms import STEPS
from verifier.checker.numbers import number, signed
from verifier.checker.shapes import ABSENT, DATABASE, LAW, OR_NONE, QUESTION_AND_ANSWER, RATIONAL, SIGNED, Either, Table

KNOWN = {"kind": str, "records": [int]}
SHAPE = {
    **QUESTION_AND_ANSWER,
    "size": int,
    "values": [str],
    "absent": ABSENT,
    "shown": [Either((int, str, bool))],
    "secrets": [int],
    "thetas": Table(
        [{"name": OR_NONE, "weight": RATIONAL, "groups": [{"records": [int], "rows": [(DATABASE, RATIONAL)]}]}]
    ),
    "knowledge": Either((KNOWN, {"of": Table(KNOWN)})),
    "mechanism": {
        "operations": [str],
        "zero": [SIGNED],
        "elements": [[[([SIGNED], RATIONAL)]]],
        "finish": [([SIGNED], LAW)],
    },
}

Weights: TypeAlias = dict[Any, Any]
"""A law up to a factor: outcomes with their weights."""
Heard: TypeAlias = tuple[tuple[int, ...], int]
"""What is known of some blocks: the likelihood of each component (up to a factor), and the number of the laws of the
sum of their records, one for each component. A class of B̂ is this of all blocks but the target's."""
LIMIT = 1 << 16
MOST_SUMS = 1 << 17
"""Most pairs of outcomes of two summands, beside those that the sums in `finish` pay for."""
MOST_CLASSES = 1 << 17
"""Most classes of B̂ of one θ, over all records that are looked at."""


def law(pairs: Iterable[Any], name: str) -> Weights:
    """The law of (outcome, probability) pairs, without outcomes of probability 0; errors begin with `name`."""
    weights: Weights = {}
    for value, p in pairs:
        require(value not in weights, f"{name}: {value} is there twice")
        weights[value] = number(p)
    require(sum(weights.values()) == 1, f"{name}: this is no law")
    return {outcome: p for outcome, p in weights.items() if p}


def in_integers(weights: Weights) -> Weights:
    """The same law, with integers without a common factor as weights."""
    bottom = lcm(*(p.denominator for p in weights.values()))
    top = [p.numerator * (bottom // p.denominator) for p in weights.values()]
    factor = gcd(*top) or 1
    return {outcome: p // factor for outcome, p in zip(weights, top, strict=True)}


def frozen(laws: Iterable[Weights]) -> tuple[frozenset[Any], ...]:
    """Several laws as one hashable key."""
    return tuple(frozenset(law.items()) for law in laws)


class Mechanism:
    """A sum over the records in a commutative monoid, and the output law of every sum.

    Where the operation of every coordinate is `+`, a sum is kept as one integer, Σₖ scale·xₖ·baseᵏ: adding two sums is
    then adding two integers. `scale` makes all coordinates whole; on any database they lie within ±reach, and with
    base = 2·reach + 1 two sums with the same integer are equal.
    """

    def __init__(self, table: dict[str, Any], size: int, values: int) -> None:
        self.steps = [self._operation(text) for text in table["operations"]]
        zero = self._state(table["zero"])
        elements = [
            [law(((self._state(at), p) for at, p in draws), "elements") for draws in record]
            for record in table["elements"]
        ]
        fits = len(elements) == size and all(len(record) == values for record in elements)
        require(fits, "elements must be given by record and value")
        reached = [[zero, *(e for draws in record for e in draws)] for record in elements]
        require(
            all(self._stepwise(zero, e) == e for e in {e for r in reached for e in r}),
            "adding the zero must change nothing",
        )
        finish = [(self._state(at), law(outputs.items(), "finish")) for at, outputs in table["finish"]]
        require(len(dict(finish)) == len(finish), "finish: a sum is there twice")
        self.added = set(table["operations"]) == {"+"}
        self.add: Callable[[Any, Any], Any] = operator.add if self.added else self._stepwise
        self.scale = lcm(*(x.denominator for record in reached for e in record for x in e))
        self.base = 1 + 2 * sum(
            max((int(abs(x) * self.scale) for e in record for x in e), default=0) for record in reached
        )
        self.zero = self.code(zero)
        self.elements = [[{self.code(e): p for e, p in draws.items()} for draws in record] for record in elements]
        self.bottom = lcm(*(p.denominator for _, outputs in finish for p in outputs.values()))
        """What the weights of each output law in `finish` sum to."""
        self.finish = {self.code(at): [(o, int(p * self.bottom)) for o, p in outputs.items()] for at, outputs in finish}
        self.finish.pop(None, None)

    @staticmethod
    def _operation(text: str) -> Callable[[Any, Any], Any]:
        if match := re.fullmatch(r"mod ([1-9][0-9]*)", text):
            modulus = int(match[1])
            return lambda x, y: (x + y) % modulus
        require(text in STEPS, f"the operation {text} is not known")
        return STEPS[text]

    def _state(self, texts: Any) -> tuple[Any, ...]:
        require(isinstance(texts, list) and len(texts) == len(self.steps), "a sum has one text a coordinate")
        numbers = [signed(text) for text in texts]
        return tuple(x.numerator if x.denominator == 1 else x for x in numbers)

    def _stepwise(self, x: tuple[Any, ...], y: tuple[Any, ...]) -> tuple[Any, ...]:
        """The sum, coordinate by coordinate."""
        return tuple([step(p, q) for step, p, q in zip(self.steps, x, y, strict=True)])

    def code(self, state: tuple[Any, ...]) -> Any:
        """What stands for a sum; None for what is no sum of the elements."""
        if not self.added:
            return state
        scaled = [x * self.scale for x in state]
        if any(x.denominator > 1 or 2 * abs(x) >= self.base for x in scaled):
            return None
        return sum(int(x) * self.base**k for k, x in enumerate(scaled))

    def state_of(self, code: Any) -> tuple[Any, ...]:
        """The sum that has this code."""
        if not self.added:
            return tuple(code)
        state = []
        for _ in self.steps:
            x = (code + self.base // 2) % self.base - self.base // 2
            state.append(x // self.scale if x % self.scale == 0 else Fraction(x, self.scale))
            code = (code - x) // self.base
        return tuple(state)

    def together(self, x: Weights, y: Weights) -> Weights:
        """The law of the sum of two independent summands."""
        if len(x) * len(y) > MOST_SUMS + 16 * len(self.finish):
            raise Beyond("a sum has too many outcomes")
        sums: Weights = {}
        for t, u in y.items():
            for s, w in x.items():
                at, mass = self.add(s, t), w if u == 1 else w * u
                sums[at] = sums[at] + mass if at in sums else mass
        return sums

    def repeated(self, law: Weights, copies: int) -> Weights:
        """The law of the sum of independent copies of a law, by the binomial formula.

        With a first sum s of weight a, and R for the remaining ones, (a·xˢ + R)ⁿ = Σₖ (n over k)·aⁿ⁻ᵏ·xˢ·⁽ⁿ⁻ᵏ⁾·Rᵏ.
        """
        (s, a), *remaining = law.items()
        multiples = list(accumulate([s] * copies, self.add, initial=self.zero))
        power, total = {self.zero: 1}, dict[Any, Any]()
        for k in range(copies + 1 if remaining else 1):
            factor, multiple = comb(copies, k) * a ** (copies - k), {multiples[copies - k]: 1}
            for at, w in self.together(power, multiple).items():
                total[at] = total.get(at, 0) + factor * w
            power = self.together(power, dict(remaining))
        return total


class Block(NamedTuple):
    """Records that are independent of all others in every component, with their joint law in each (`tables`).

    `known` are the positions, in `records`, of those that the attacker knows.
    """

    records: tuple[int, ...]
    known: tuple[int, ...]
    tables: list[Weights]
    content: int
    """The number of this content: blocks have the same one where tables, elements and known positions are equal."""


class Theta:
    """One distribution θ: its blocks of records, and the options of each block by its known values.

    The laws of a sum of records, one for each component, have a number: equal laws have the same one.
    """

    def __init__(
        self, mechanism: Mechanism, components: list[Any], values: list[str], kind: str, known: list[int]
    ) -> None:
        self.mechanism, self.kind, self.known = mechanism, kind, known
        weights = in_integers(law(((c, component["weight"]) for c, component in enumerate(components)), "components"))
        self.starts: Weights = {NOTHING: tuple(weights.get(c, 0) for c in range(len(components)))}
        if kind == "component":
            names = [component["name"] for component in components]
            valid = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
            require(valid, "components need names")
            self.starts = {names[c]: tuple(w * (k == c) for k in range(len(names))) for c, w in weights.items()}
        self.numbers: dict[Any, int] = {}
        self.laws: list[list[Weights]] = []
        self._sums: dict[tuple[int, int], int] = {}
        self.listed_classes = 0
        self.nothing = self.numbered([{mechanism.zero: 1}] * len(components))
        self.blocks = self._blocks([list(self._groups(component["groups"], values)) for component in components])
        self.options = {block.content: self.split(block) for block in self.blocks}

    def _groups(self, listed_groups: list[Any], values: list[str]) -> list[Group]:
        """The groups of one component; they partition the records."""
        groups = []
        for group in listed_groups:
            records = tuple(group["records"])
            rows = law(((tuple(values.index(text) for text in row), p) for row, p in group["rows"]), "rows")
            require(
                records and {len(row) for row in rows} == {len(records)}, "a row has a value for each of its records"
            )
            groups.append((records, rows))
        listed = [i for records, _ in groups for i in records]
        require(all(type(i) is int for i in listed), "records are integers")
        require(sorted(listed) == list(range(len(self.mechanism.elements))), "groups must part the records")
        return groups

    def _blocks(self, read: list[list[Group]]) -> list[Block]:
        """The finest blocks that are independent in every component; those without known records come first."""
        several = (records for groups in read for records, _ in groups if len(records) > 1)
        at = connected(range(len(self.mechanism.elements)), several)
        merged: dict[int, list[list[Group]]] = {k: [[] for _ in read] for k in at.values()}
        for c, group in ((c, group) for c, groups in enumerate(read) for group in groups):
            merged[at[group[0][0]]][c].append(group)
        blocks, contents = [], dict[Any, int]()
        for by_component in merged.values():
            few = all(prod(len(rows) for _, rows in groups) <= LIMIT for groups in by_component)
            require(few, "records that depend on each other have too many values together")
            records = tuple(sorted(i for group, _ in by_component[0] for i in group))
            tables = [dict(joined(groups)) for groups in by_component]
            known = tuple(k for k, i in enumerate(records) if i in self.known)
            elements = (law for i in records for law in self.mechanism.elements[i])
            content = contents.setdefault((known, frozen(tables), frozen(elements)), len(contents))
            blocks.append(Block(records, known, tables, content))
        return sorted(blocks, key=lambda block: len(block.known) > 0)

    def numbered(self, laws: list[Weights]) -> int:
        """The number of the laws of a sum, one for each component."""
        number = self.numbers.setdefault(frozen(laws), len(self.laws))
        self.laws += [laws] * (number == len(self.laws))
        return number

    def plus(self, x: int, y: int) -> int:
        """The number of the laws of two independent sums together."""
        if (x, y) not in self._sums:
            together = list(map(self.mechanism.together, self.laws[x], self.laws[y]))
            self._sums[x, y] = self.numbered(together)
        return self._sums[x, y]

    def split(self, block: Block, target: int | None = None) -> dict[Any, Heard]:
        """What a block's known values, and the value of its record `target` (None for no target), tell and add.

        The sums leave out what the target adds.
        """
        cases: dict[Any, list[Weights]] = {}
        for c, (row, p) in ((c, item) for c, table in enumerate(block.tables) for item in table.items()):
            added: Weights = {self.mechanism.zero: p}
            for position, v in enumerate(row):
                if position != target:
                    added = self.mechanism.together(added, self.mechanism.elements[block.records[position]][v])
            case = tuple(row[k] for k in block.known), None if target is None else row[target]
            at = cases.setdefault(case, [{} for _ in block.tables])[c]
            for s, w in added.items():
                at[s] = at.get(s, Fraction(0)) + w
        bottom = lcm(*(w.denominator for laws in cases.values() for law in laws for w in law.values()))
        return {
            case: (tuple(int(sum(law.values()) * bottom) for law in laws), self.numbered(list(map(in_integers, laws))))
            for case, laws in cases.items()
        }

    def step(self, heard: Heard, option: Heard) -> tuple[Heard, int]:
        """The class of B̂ that knows one more block's values, and the factor of its likelihoods; 0 if impossible."""
        new = [x * y for x, y in zip(heard[0], option[0], strict=True)]
        factor = gcd(*new)
        return (tuple(x // (factor or 1) for x in new), self.plus(heard[1], option[1])), factor

    def silent(self, target: Block) -> int:
        """The sum of the blocks without known records, but for the target's; they tell nothing of the component."""
        total = self.nothing
        others = Counter(block.content for block in self.blocks if block is not target and not block.known)
        for content, copies in others.items():
            laws = self.laws[self.options[content][(), None][1]]
            total = self.plus(total, self.numbered([self.mechanism.repeated(law, copies) for law in laws]))
        return total

    def classes(self, target: Block, starts: Iterable[Heard]) -> dict[Heard, tuple[int, int]]:
        """The classes of B̂ over all blocks but the target's, each with its weight and the number of its B̂."""
        classes = dict.fromkeys(starts, (1, 1))
        for block in (block for block in self.blocks if block is not target and block.known):
            after: dict[Heard, tuple[int, int]] = {}
            for option in self.options[block.content].values():
                for heard, (weight, count) in classes.items():
                    new, factor = self.step(heard, option)
                    if factor:
                        before = after.get(new, (0, 0))
                        after[new] = before[0] + weight * factor, before[1] + count
            classes = after
            require(len(classes) <= LIMIT, "there are too many classes of knowledge values")
            self.listed_classes += len(classes)
            if self.listed_classes > MOST_CLASSES:
                raise Beyond("there are too many classes of knowledge values")
        return classes


class Case:
    """One θ and one target, which stands for all records like it; a knowledge value is (class, own known values)."""

    def __init__(self, folded: Theta, name: str, block: Block, position: int) -> None:
        self.folded, self.theta, self.record = folded, name, block.records[position]
        self.split = folded.split(block, position)
        self.number: dict[Any, int] = {}
        self.mass: dict[tuple[Any, Any], int] = {}
        self._laws: dict[Any, Weighted] = {}
        self.silent = folded.silent(block)
        self.starts = {text: (start, folded.nothing) for text, start in folded.starts.items()}
        for heard, (weight, count) in folded.classes(block, self.starts.values()).items():
            for (own, value), option in self.split.items():
                mass = weight * sum(x * y for x, y in zip(heard[0], option[0], strict=True))
                if mass:
                    self.number[heard, own] = count
                    self.mass[(heard, own), value] = mass
        self.knowledges = list(self.number)

    def law(self, knowledge: Any, a: int, b: int | None = None) -> Weighted:
        """The output law given B̂ and D(i) = a, with the record set to b."""
        b = a if b is None else b
        if (knowledge, a, b) in self._laws:
            return self._laws[knowledge, a, b]
        theta, mechanism, (heard, own) = self.folded, self.folded.mechanism, knowledge
        (joint, small), _ = theta.step(heard, self.split[own, a])
        added = theta.numbered([in_integers(mechanism.elements[self.record][b])] * len(joint))
        small, outputs = theta.plus(small, added), dict[Any, Any]()
        totals = [
            sum(x.values()) * sum(y.values()) for x, y in zip(theta.laws[self.silent], theta.laws[small], strict=True)
        ]
        bottom = lcm(*(total for total, likelihood in zip(totals, joint, strict=True) if likelihood))
        for c in (c for c, likelihood in enumerate(joint) if likelihood):
            factor = joint[c] * (bottom // totals[c])
            for at, weight in mechanism.together(theta.laws[self.silent][c], theta.laws[small][c]).items():
                if at not in mechanism.finish:
                    raise Rejected(f"finish has no law for the sum {mechanism.state_of(at)}")
                w = weight if factor == 1 else factor * weight
                for output, p in mechanism.finish[at]:
                    mass = w if p == 1 else w * p
                    outputs[output] = outputs[output] + mass if output in outputs else mass
        law = self._laws[knowledge, a, b] = Weighted(outputs, sum(joint) * bottom * mechanism.bottom)
        return law

    def compare(
        self, definition: Definition, reading: str, values: list[str], absent: str | None
    ) -> tuple[list[Compared], int]:
        """The comparisons of a definition, and their number before the B̂ were folded to classes."""
        domain = [values.index(v) for v in definition.values(values, absent)]
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
        impossible = f"the knowledge {text!r} is impossible"
        if theta.kind == "records":
            labels = entries(text)
            if labels is None or len(labels) != len(theta.known) or not set(labels) <= set(texts):
                raise Rejected(f"the knowledge {text[:60]!r} is no list of values")
            values = {i: texts.index(value) for i, value in zip(theta.known, labels, strict=True)}
            text = NOTHING
        require(text in self.starts, impossible)
        heard = self.starts[text]
        for block in (block for block in theta.blocks if block.known):
            case = tuple(values[block.records[k]] for k in block.known)
            if block is target:
                own = case
                continue
            require((case, None) in theta.options[block.content], impossible)
            heard, factor = theta.step(heard, theta.options[block.content][case, None])
            require(factor, impossible)
        require((heard, own) in self.number, impossible)
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
        require(known in laws, "terms: one is not in this comparison")
        claimed[laws[known]] = claimed.get(laws[known], Fraction(0)) + weight
        require(sorted(event) == sorted(events.setdefault(laws[known], event)), "terms: equal laws have one event")
    derived = summed((laws[known], weight) for weight, known, *_ in pairs)
    require(claimed.keys() == derived.keys(), "terms: a knowledge value is missing")
    require(claimed == derived, "weights: the terms do not have those of their knowledge values")
    return [
        {"knowledge": pair.knowledge, "weight": pair.weight, "event": events[laws[pair.knowledge]]} for pair in pairs
    ]


def knowledge_of(certificate: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The knowledge under one θ: one entry for all θ, or the entry of `of` with its name."""
    knowledge: dict[str, Any] = certificate["knowledge"]
    if "of" not in knowledge:
        return knowledge
    require(knowledge["of"].keys() == certificate["thetas"].keys(), "knowledge must be of each θ")
    own: dict[str, Any] = knowledge["of"][name]
    return own


def _scope(certificate: Mapping[str, Any]) -> list[str]:
    """The texts of the values; rejects sizes, secrets or knowledge that are not well formed."""
    size, values, secrets = certificate["size"], certificate["values"], certificate["secrets"]
    require(type(size) is int and size > 0, "size must be a number of records")
    require(
        values and all(isinstance(v, str) for v in values) and len(set(values)) == len(values), "values must differ"
    )
    require([text(outcome(v)) for v in certificate["shown"]] == values, "shown must be the values")
    knowledges = [knowledge_of(certificate, name) for name in certificate["thetas"]]
    lists = [("known records", knowledge["records"]) for knowledge in knowledges]
    for title, records in [("secrets", secrets), *lists]:
        valid = all(type(i) is int and 0 <= i < size for i in records) and len(set(records)) == len(records)
        require(isinstance(records, list) and valid, f"{title} must be distinct records")
    require(secrets, "secrets must be distinct records")
    for knowledge in knowledges:
        plain = knowledge["kind"] in {"nothing", "component"} and not knowledge["records"]
        require(knowledge["kind"] == "records" or plain, "knowledge must be of a known kind")
    require(knowledges, "there is no distribution")
    return list(values)


def check(certificate: Mapping[str, Any]) -> None:
    """Derive the comparisons from the sums, and judge the answer by them."""
    question, answer = certificate["question"], certificate["answer"]
    definition, reading = DEFINITIONS[question["definition"]], question["reading"]
    has_sums = definition.compares in BY_SUMS
    require(
        certificate["engine"] == "sums" and has_sums, "the checker does not know this engine, or not dp or ibcdp in it"
    )
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
    require_equal("multiplicity (comparisons before lumping)", answer["multiplicity"], multiplicity)
    require_fields(answer, empty=empty)
    claimed_count, least = answer["comparisons"], min(1, multiplicity)
    require(
        type(claimed_count) is int and least <= claimed_count <= multiplicity,
        f"comparisons: {claimed_count} of {multiplicity}",
    )

    def derived(evidence: dict[str, Any] | None) -> dict[str, Any] | None:
        """The evidence, about the record and the classes that stand for the record and the B̂ that it names."""
        if evidence is None:
            return None
        place = evidence["distribution"], evidence["record"]
        require(type(place[1]) is int and place in places, "the answer names 0 comparisons instead of one")
        require((evidence["terms"] is not None) == definition.averages, "terms are for averages")
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
            require(len(set(heard)) == len(heard), "terms: a knowledge value is there twice")
            classes = [case.heard(block, text, values) for text in heard]
            rows = [(k, number(t["weight"]), t["event"]) for k, t in zip(classes, evidence["terms"], strict=True)]
            fields = {"terms": spread(rows, pairs)}
        return {**evidence, "record": case.record, **fields}

    rederived = {key: derived(answer[key]) for key in ("witness", "tightest")}
    judge({**certificate, "answer": {**answer, **rederived}}, compared)
