"""A certificate as a Coq file: the tables, and theorems about them that are proved by computing.

The statements are those of `proofs/coq/PartialKnowledge.v`, where each definition is spelled out and its decision
function is proved right. Nothing of the answer but what a theorem says is used. Definitions of DP22 have no such
statement: `proofs/coq/DP22.v` proves theorems about them, and SMT-LIB states what a certificate says of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from verifier.definitions import DEFINITIONS, Definition
from verifier.definitions.builders.resolve import conditional, counterfactual, neighbouring, posterior
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.wings.judges.numbers import BELOW, Factor, amount, at, number
from verifier.wings.judges.tables import (
    CertifiedAnswer,
    Sized,
    Tables,
    World,
    plain,
    question_of,
    read,
    read_sized,
    title_of,
    undamaged,
)

READINGS = {
    "default": "Default",
    "one-order": "OneOrder",
    "all-values": "AllValues",
    "possible-values": "PossibleValues",
    "infinite-loss": "InfiniteLoss",
    "any-delta": "Default",
}
CONTEXTS = {
    "default": "Indexed",
    "index-free": "IndexFree",
    "per-distribution": "PerDistribution",
    "per-knowledge": "PerKnowledge",
}
"""What a simulator is given, by the reading."""
HEAVY = 1 << 80
"""The weight of tests that cost nothing: at δ = 0, tests of outputs that a row cannot produce."""
MOST_TUPLES, MOST_DATABASES = 6, 25
"""Largest size and number of the multisets that Coq is asked to sample."""
SPELLED = (neighbouring, conditional, counterfactual, posterior)
"""The comparisons that PartialKnowledge.v spells out under the key of a definition."""


@undamaged()
def coq(certificate: dict[str, Any]) -> str:
    """The Coq file of a certificate: its tables, and a theorem for each part of the answer.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate without a Coq export, with the reason.

    """
    if certificate.get("engine") == "schemes":
        raise UnsupportedError(
            "a definition of DP22 has no Coq form",
            tip="SMT-LIB has one of most of them: --to smt, or --with z3,cvc5",
        )
    question = question_of(certificate)
    definition = question.definition
    if not (definition.changes_size or question.simulated or _spelled(definition)):
        raise UnsupportedError(f"{definition.key} has no Coq export", tip="export it to smt")
    if definition.changes_size:
        sized = read_sized(certificate)
        if sized.last > MOST_TUPLES or len(sized.databases(0)) > MOST_DATABASES:
            raise LimitError(f"multisets of up to {sized.last} tuples", wanted="fewer, for Coq", tip="export it to smt")
        rate_theorem = _rate(question, sized.rate)
        body = [
            *_sized(sized),
            *rate_theorem,
            *_theorems(question, verdict=not rate_theorem or question.delta < sized.rate),
        ]
    else:
        tables = read(certificate)
        theorems = _simulated(tables, certificate["evidence"]) if question.simulated else _theorems(question)
        body = [*(f"(* {line} *)" for line in tables.names()), "", *_model(tables), *theorems]
    return "\n".join([*preamble(title_of(certificate, question)), *body, ""])


def _spelled(definition: Definition) -> str | None:
    """The name in Coq of the comparisons of a definition, with tails or without; None where Coq has none."""
    if definition.changes_size:
        return "sized_dp"
    alike = (
        known.key
        for known in DEFINITIONS.values()
        if (known.compare, known.aggregation) == (definition.compare, definition.aggregation)
    )
    return next(alike, None) if definition.compare in SPELLED else None


def _sized(sized: Sized) -> list[str]:
    labels = [f"(* value {v}: {plain(name)} *)" for v, name in enumerate(sized.values)]
    labels += [f"(* output {o}: {plain(name)} *)" for o, name in enumerate(sized.outputs)]
    rows = _rows(sized.laws)
    header = f"  {len(sized.values)} {sized.first} {sized.last} {rational(sized.rate)}"
    return [*labels, "", "Definition model : sized := Sized", header, f"  [{rows}]."]


def _rate(question: CertifiedAnswer, rate: Fraction) -> list[str]:
    """The theorem that β > δ, which (β, ε, δ)-DPS asks for too (LQS12, Definition 3)."""
    if not question.bounded_by_rate:
        return []
    above = question.delta < rate
    statement = f"less {rational(question.delta)} (rate model) = {str(above).lower()}"
    if above:
        return theorem("rate_above_delta", "the rate is more than delta", statement, "vm_compute. reflexivity.")
    if question.verdict == "holds":
        raise InputError("dps holds with δ ≥ β", where="the certificate", wanted="a verdict that fails")
    comment = "dps fails, since the rate is not more than delta"
    return theorem("the_rate_is_not_above_delta", comment, statement, "vm_compute. reflexivity.")


def _model(tables: Tables) -> list[str]:
    targets = ["Column"] if tables.secrets is None else [f"Record_ {i}" for i in tables.secrets]
    thetas = [f"  [{(';' + chr(10) + '   ').join(map(_world, worlds))}]" for worlds in tables.thetas]
    return [
        "Definition model : model := Model",
        f"  {tables.size} {listed(tables.values)} {listed(tables.domain)} {listed(targets)}",
        f"  [{(';' + chr(10)).join(thetas).strip()}]",
        f"  [{_rows(tables.mechanism)}].",
    ]


def _rows(laws: Mapping[tuple[int, ...], dict[int, Fraction]]) -> str:
    rows = [f"   ({listed(at)}, {listed(f'({o}, {rational(p)})' for o, p in law.items())})" for at, law in laws.items()]
    return ";\n".join(rows).strip()


def _world(world: World) -> str:
    column = max(world.secret, 0)
    return f"World {listed(world.database)} {world.knowledge} {column} {rational(world.probability)}"


def _within(question: CertifiedAnswer, e: Fraction, delta: Fraction) -> str:
    return f"({'Tail' if question.tail else 'Within'} {rational(e)} {rational(delta)})"


def _theorems(question: CertifiedAnswer, *, verdict: bool = True) -> list[str]:
    """A theorem for each part of the answer; with `verdict=False` none for the verdict itself."""
    base = _spelled(question.definition)
    reading = READINGS[question.reading]

    def claim(name: str, comment: str, close: str, *, holds: bool) -> list[str]:
        """The definition holds, or fails, at one closeness."""
        statement = f"{base} {reading} {close} model"
        word = "yes" if holds else "no"
        proof = f"apply ({word} _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        return theorem(name, comment, statement if holds else f"~ {statement}", proof)

    def never(name: str, comment: str) -> list[str]:
        """No finite ε is enough."""
        if question.tail:
            return claim(name, f"{comment}: in the limit", f"(Limit {rational(question.delta)})", holds=False)
        delta = rational(question.delta)
        proof = (
            f"apply (never (fun c => {base} {reading} c model) _ (fun E => {base}_limit _ _ E _)). "
            f"apply (no _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        )
        return theorem(name, comment, f"forall E, ~ {base} {reading} (Within E {delta}) model", proof)

    flags = f"{str(question.reach == 'change').lower()} {str(question.reach == 'all').lower()}"
    lines = theorem(
        "tables_are_laws",
        "every table sums to 1",
        "well_formed_sized model = true" if base == "sized_dp" else f"well_formed {flags} model = true",
        "vm_compute. reflexivity.",
    )
    if question.verdict == "vacuous":
        return lines + claim("verdict", "nothing is compared", "nothing", holds=True)
    lines += claim("something_is_compared", "the verdict is not vacuous", "nothing", holds=False)
    epsilon, tight, holds = question.epsilon, question.tight_epsilon, question.verdict == "holds"
    comment = f"{question.definition.key} {question.verdict}"
    if epsilon is None:
        if holds:
            enough = _within(question, tight.high, question.delta)
            proof = (
                f"exists {rational(tight.high)}. split; [discriminate|]. "
                f"apply (yes _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
            )
            inside = enough.replace(rational(tight.high), "E", 1)
            statement = f"exists E, (1 <= E)%Q /\\ {base} {reading} {inside} model"
            lines += theorem("verdict", f"{comment}: some finite epsilon is enough", statement, proof)
        else:
            lines += never("verdict", f"{comment}: no finite epsilon is enough")
    elif epsilon.kind == "inf":
        lines += claim("verdict", comment, f"(Limit {rational(question.delta)})", holds=holds)
    elif verdict:
        e = epsilon.low if holds else epsilon.high
        lines += bracket(epsilon, e, holds=holds)
        lines += claim("verdict", comment, _within(question, e, question.delta), holds=holds)
    return lines + _tightest(question, claim, never)


def _tightest(question: CertifiedAnswer, claim: Any, never: Any) -> list[str]:
    """The smallest δ and ε: they are enough, and one part in 2^20 less is not; only where e^ε is rational."""
    epsilon, tight = question.epsilon, question.tight_epsilon
    least = None if epsilon is None or question.tight_delta is None else amount(question.tight_delta, epsilon.text)
    lines: list[str] = []
    if epsilon is not None and least is not None and not least.b and epsilon.kind in {"rational", "inf"}:

        def close(delta: Fraction) -> str:
            return f"(Limit {rational(delta)})" if epsilon.kind == "inf" else _within(question, epsilon.low, delta)

        lines += claim("smallest_delta_is_enough", "the smallest delta", close(least.a), holds=True)
        if least.a:
            lines += claim("less_delta_is_not", "one part in 2^20 less", close(least.a * BELOW), holds=False)
    if tight.kind == "inf":
        return lines + (never("no_finite_epsilon", "no finite epsilon is enough") if epsilon is not None else [])
    if tight.kind == "rational":
        close_to = _within(question, tight.low, question.delta)
        lines += claim("smallest_epsilon_is_enough", "the smallest epsilon", close_to, holds=True)
        if tight.low > 1:
            below = _within(question, max(Fraction(1), tight.low * BELOW), question.delta)
            lines += claim("less_epsilon_is_not", "e^epsilon smaller by one part in 2^20", below, holds=False)
    return lines


# --- numbers, lists and theorems -------------------------------------------------------------------------------------


def rational(value: Fraction) -> str:
    """A rational in Coq's notation.

    >>> rational(Fraction(-3, 4))
    '(-3#4)%Q'
    """
    return f"({value.numerator}#{value.denominator})%Q"


def listed(items: Iterable[object]) -> str:
    """A Coq list of the items."""
    return f"[{'; '.join(map(str, items))}]"


def preamble(title: str) -> list[str]:
    """The lines at the beginning of a file."""
    return [
        f"(** {title}",
        "    The definitions are in PartialKnowledge.v; how to read this file: pkdp guide judges. *)",
        "From Coq Require Import QArith List.",
        "From PK Require Import PartialKnowledge.",
        "Import ListNotations.",
        "Open Scope nat_scope.",
        "",
    ]


def theorem(name: str, comment: str, statement: str, proof: str) -> list[str]:
    """The lines of a theorem with its proof, after a comment that says it in words."""
    return ["", f"(* {comment} *)", f"Theorem {name} : {statement}.", f"Proof. {proof} Qed."]


def bracket(epsilon: Factor, e: Fraction, *, holds: bool) -> list[str]:
    """Return lines of Coq: the theorem that the rational e is at most e^ε (`holds`), or at least e^ε (else).

    Where a power of e^ε is rational, the theorem is about rationals; elsewhere the lines are a comment that says that
    it is not shown. Where e^ε itself is rational, there are no lines.
    """
    if epsilon.kind == "rational":
        return []
    side = "below" if holds else "above"
    note = f"(* {rational(e)} is {side} e^epsilon for epsilon = {epsilon.text}: what holds there holds at e^epsilon;"
    note = note if holds else note.replace("what holds there holds", "what fails there fails")
    if epsilon.kind == "between" or any(epsilon.polynomial[1:-1]):
        return ["", f"{note} that it is {side} is not shown here *)"]
    power, value = len(epsilon.polynomial) - 1, -epsilon.polynomial[0]
    ends = (f"{rational(e)} ^ {power}", rational(value))
    statement = f"({' <= '.join(ends if holds else ends[::-1])})%Q"
    proof = "apply Qle_bool_iff. vm_compute. reflexivity."
    return theorem(f"it_is_{side}", note[3:], statement, proof)


# --- distributional differential privacy ------------------------------------------------------------------------------


class CoqSimulators:
    """The simulators and weighted tests of a certificate as terms of Coq.

    The statement says that a simulator exists, or does not; the evidence of the certificate is the proof, and Coq adds
    it up. A simulator that is given as polynomials in an irrational e^ε is rounded to rational laws; whether these are
    enough, at a slightly larger e^ε, is again for Coq to say.
    """

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


def _simulated(tables: Tables, content: dict[str, Any]) -> list[str]:
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
