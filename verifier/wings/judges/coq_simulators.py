"""Distributional differential privacy in Coq: a simulator where it holds, weighted tests where it fails.

The statement says that a simulator exists, or does not; the evidence of the certificate is the proof, and Coq adds it
up. A simulator that is given as polynomials in an irrational e^ε is rounded to rational laws; whether these are enough,
at a slightly larger e^ε, is again for Coq to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.wings.judges.coq_text import BELOW, bracket, listed, rational, theorem
from verifier.wings.judges.numbers import Factor, amount, at, number
from verifier.wings.judges.tables import Tables

CONTEXTS = {
    "default": "Indexed",
    "index-free": "IndexFree",
    "per-distribution": "PerDistribution",
    "per-knowledge": "PerKnowledge",
}
HEAVY = 1 << 80
"""The weight of tests that cost nothing: at δ = 0, tests of outputs that a row cannot produce."""


class CoqSimulators:
    """The simulators and weighted tests of a certificate as terms of Coq."""

    def __init__(self, tables: Tables, content: dict[str, Any]) -> None:
        self.tables, self.content = tables, content
        labels = tables.labels
        self.values = {text: v for v, text in enumerate(labels.values)}
        self.outputs = {text: o for o, text in enumerate(labels.outputs)}
        self.knowledge = {text: k for k, text in enumerate(labels.knowledge)}
        self.thetas = {text: t for t, text in enumerate(labels.thetas)}

    def simulator(self, key: str) -> str | None:
        """The simulator under a key of the evidence, as a table of answers; None where the certificate has none."""
        if self.content.get(key) is None:
            return None
        e = self.tables.question.tight_epsilon.low
        rows = []
        for (record, other_values, theta, knowledge), law in self.content[key]:
            context = (
                _option(record),
                listed(self.values[v] for v in other_values),
                _option(None if theta is None else self.thetas[theta]),
                _option(None if knowledge is None else self.knowledge[knowledge]),
            )
            answers = _law({self.outputs.get(o, len(self.outputs)): p for o, p in law.items()}, e)
            rows.append(f"(({', '.join(context)}), {listed(f'({o}, {rational(p)})' for o, p in answers.items())})")
        return listed(rows)

    def tests(self, weighted: Iterable[Any], delta: Fraction, times: Fraction = Fraction(1)) -> str:
        """The weighted tests, with forward ones `times` as heavy; at δ = 0 with the tests that cost nothing."""
        rows = []
        for theta, knowledge, record, a, event, forward, weight in weighted:
            if not isinstance(weight, str):
                raise UnsupportedError("the evidence has irrational weights", tip="export it to smt")
            row = self.thetas[theta], record, self.knowledge[knowledge], self.values[a]
            chosen = [self.outputs[o] for o in event]
            if not forward:  # the complement: it has all outputs that the row cannot produce, whatever the answer is
                chosen = sorted(self._possible(*row) - set(chosen))
            rows.append(_test(row, chosen, number(weight) * (times if forward else 1), forward=forward))
        if delta == 0:
            every = [(row, sorted(self._possible(*row))) for row in self._rows()]
            rows += [_test(row, possible, Fraction(HEAVY), forward=False) for row, possible in every]
        return listed(rows)

    def _rows(self) -> list[tuple[int, int, int, int]]:
        rows = {
            (theta, record, world.knowledge, world.database[record])
            for theta, record in self.tables.targets()
            if record is not None
            for world in self.tables.thetas[theta]
            if world.probability
        }
        return sorted(rows)

    def _possible(self, theta: int, record: int, knowledge: int, a: int) -> set[int]:
        """The outputs that M(D) can have in a row."""
        return {
            o
            for world in self.tables.thetas[theta]
            if world.probability and world.knowledge == knowledge and world.database[record] == a
            for o, p in self.tables.mechanism.get(world.database, {}).items()
            if p
        }


def _option(value: int | None) -> str:
    return "None" if value is None else f"Some {value}"


def _test(row: tuple[int, int, int, int], outputs: list[int], weight: Fraction, *, forward: bool) -> str:
    words = "true false" if forward else "false true"
    return f"Test (Row {' '.join(map(str, row))}) {words} {listed(outputs)} {rational(weight)}"


def _law(law: dict[int, Any], e: Fraction) -> dict[int, Fraction]:
    """The probabilities of a law; polynomials are evaluated at a rational e near e^ε, and scaled to the sum 1."""
    if all(isinstance(p, str) for p in law.values()):
        return {o: number(p) for o, p in law.items()}
    near = {o: max(Fraction(0), at([number(c) for c in ([p] if isinstance(p, str) else p)], e)) for o, p in law.items()}
    return {o: p / sum(near.values()) for o, p in near.items()}


def theorems(tables: Tables, content: dict[str, Any]) -> list[str]:
    """The theorems of an answer about DDP, each proved by the evidence of the certificate.

    Raises:
        UnsupportedError: for a certificate without evidence for the verdict that Coq could add up.

    """
    question, evidence = tables.question, CoqSimulators(tables, content)
    epsilon, tight, delta = question.epsilon, question.tight_epsilon, question.delta
    context = CONTEXTS[question.reading]
    flags = "well_formed false false model = true"
    lines = theorem("tables_are_laws", "every table sums to 1", flags, "vm_compute. reflexivity.")
    above = tight.low if tight.kind == "rational" else tight.high / BELOW

    def close(e: Fraction | None, d: Fraction) -> str:
        return f"(Limit {rational(d)})" if e is None else f"(Within {rational(e)} {rational(d)})"

    def exists(name: str, comment: str, key: str, e: Fraction | None, d: Fraction) -> list[str]:
        simulator = evidence.simulator(key)
        if simulator is None:
            raise UnsupportedError("the certificate has no simulator for this", tip="export it to smt")
        proof = f"apply (by_simulator _ _ _ {simulator}). vm_compute. reflexivity."
        return theorem(name, comment, f"ddp {context} model {close(e, d)}", proof)

    def none(name: str, comment: str, tests: Any, e: Fraction, d: Fraction, times: Fraction = Fraction(1)) -> list[str]:
        proof = f"apply (by_tests _ _ _ {evidence.tests(tests or (), d, times)}). vm_compute. reflexivity."
        return theorem(name, comment, f"~ ddp {context} model {close(e, d)}", proof)

    def never(name: str, comment: str) -> list[str]:
        tests = evidence.tests(content["needed"] or (), delta)
        proof = (
            f"apply (never (fun c => ddp {context} model c) _ (fun E => ddp_limit _ _ E _)). "
            f"apply (by_limit _ _ _ {tests}). vm_compute. reflexivity."
        )
        return theorem(name, comment, f"forall E, ~ ddp {context} model (Within E {rational(delta)})", proof)

    comment = f"ddp {question.verdict}"
    if question.verdict == "holds" and epsilon is None:
        simulator = evidence.simulator("enough")
        proof = f"exists {rational(above)}. split; [discriminate|]. apply (by_simulator _ _ _ {simulator}). "
        statement = f"exists E, (1 <= E)%Q /\\ ddp {context} model (Within E {rational(delta)})"
        lines += theorem(
            "verdict", f"{comment}: some finite epsilon is enough", statement, f"{proof}vm_compute. reflexivity."
        )
    elif question.verdict == "holds":
        e = None if epsilon is None or epsilon.kind == "inf" else epsilon.low
        if epsilon is not None and e is not None:
            if above > e:
                raise UnsupportedError("the asked ε is the smallest, and irrational", tip="export it to smt")
            lines += bracket(epsilon, e, holds=True)
        lines += exists("verdict", comment, "enough", e, delta)
    elif epsilon is None or epsilon.kind == "inf":
        if delta:
            raise UnsupportedError("that no finite ε is enough at a δ > 0 has no Coq export", tip="export it to smt")
        return lines + never("verdict", f"{comment}: no finite epsilon is enough")
    else:
        lines += bracket(epsilon, epsilon.high, holds=False)
        lines += none("verdict", comment, content["shown"]["tests"], epsilon.high, delta)
    lines += _smallest_delta(question.tight_delta, epsilon, content, exists, none)
    if tight.kind == "inf":
        return lines if delta else lines + never("no_finite_epsilon", "no finite epsilon is enough")
    if tight.kind == "rational":
        lines += exists("smallest_epsilon_is_enough", "the smallest epsilon", "enough", tight.low, delta)
        if tight.low > 1 and content["needed"]:
            below = max(Fraction(1), tight.low * BELOW)
            less = "e^epsilon smaller by one part in 2^20"
            # heavier by E/E', so that at the smaller E' they offer what they did at E (proofs/simulators.md)
            lines += none("less_epsilon_is_not", less, content["needed"], below, delta, tight.low / below)
    return lines


def _smallest_delta(
    text: str | None, epsilon: Factor | None, content: dict[str, Any], exists: Any, none: Any
) -> list[str]:
    """The theorems on the smallest δ at a rational e^ε, by the simulator and the tests of the certificate."""
    if epsilon is None or text is None or epsilon.kind != "rational":
        return []
    least = amount(text, epsilon.text)
    if least is None or not (content["delta_enough"] or content["zero_enough"]):
        return []
    key = "delta_enough" if content["delta_enough"] else "zero_enough"
    lines: list[str] = exists("smallest_delta_is_enough", "the smallest delta", key, epsilon.low, least.a)
    if least.a:
        tests = content["delta_needed"]
        lines += none("less_delta_is_not", "one part in 2^20 less", tests, epsilon.low, least.a * BELOW)
    return lines
