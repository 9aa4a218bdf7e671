"""Why a definition fails, or which comparison is closest to failing, in words: output, knowledge, probabilities.

The sentences of `verifier.show.witnesses` have every number, for readers who recompute them; these have few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.definitions import Verdict, Witness, find
from verifier.definitions.centres.simulator_ddp import SimulatorWitness, Weighted
from verifier.definitions.compared_kinds import SCHEME
from verifier.definitions.registry import tail_of
from verifier.definitions.witness import Share
from verifier.model import NOTHING, subject_of
from verifier.numbers import ZERO, Epsilon, Value, exact_text, with_decimal
from verifier.show.verdict_marks import NOT_TESTED
from verifier.show.witnesses import (
    all_alike,
    beyond,
    contexts_text,
    contribution,
    event_text,
    knowledge_text,
    long_database,
    simulator_words,
    witness_words,
)
from verifier.simulators.problem import INDEX_FREE
from verifier.tables import Label, collected

MOST_TESTS = 3
"""Most laws that a sentence names, of those that no simulator can imitate at once."""
MOST_SPOKEN = 24
"""Most characters of an exact number in such a sentence; a longer number is a decimal."""
NO_TERM = " No term counts."
"""The last sentence of an average without any excess, which says nothing beside a verdict `holds`."""


def why(answer: Verdict) -> str:
    """Return why a verdict is given: its counterexample, or the comparison closest to failing; empty without either."""
    return NOT_TESTED if answer.verdict == "vacuous" else in_words(answer) or closest(answer)


def closest(answer: Verdict) -> str:
    """Return why a definition holds: that no comparison exceeds the bound, and what the closest one teaches.

    Empty where the verdict is another, or has no closest comparison.
    """
    witness = answer.tightest
    if answer.verdict != "holds" or witness is None:
        return ""
    if answer.tight_epsilon == ZERO and answer.delta == 0 and find(answer.definition).compares_named_laws:
        return "What is compared does not differ at all: ε = 0 and δ = 0 are enough."
    if isinstance(witness, SimulatorWitness):
        return _simulator(witness, answer)
    lesson = _lesson(witness, answer, holds=True).removesuffix(NO_TERM)
    start = f"No comparison exceeds {_bound(answer)}. Closest to failing:"
    return f"{start} {lesson[0].lower()}{lesson[1:]}" if lesson.startswith("If") else f"{start} {lesson}"


def _bound(answer: Verdict) -> str:
    """Return what a definition allows, at the question's ε, else at the smallest one; `the bound` for another measure.

    Most definitions of DP22 bound other divergences than δ(ε).
    """
    epsilon, witness = answer.epsilon or answer.tight_epsilon, answer.tightest
    of_curve = witness is not None and witness.number is None and witness.excess is None
    shows_event = witness is not None and of_curve and witness.kind != SCHEME and witness.event is not None
    if not isinstance(epsilon, Epsilon) or (find(answer.definition).reads_policy and not shows_event):
        return "the bound"
    if len(str(epsilon)) > MOST_SPOKEN:
        return "the bound"
    return f"δ = {exact_text(answer.delta)} {definite(epsilon)}"


def in_words(answer: Verdict) -> str:
    """Return the counterexample of a verdict `fails` as a sentence: if the attacker knows …, and sees …, then ….

    Empty where there is no witness. The numbers are those of the witness; the odds follow from them by Bayes' rule:
    P[a | B̂, S]/P[b | B̂, S] = P[S | B̂, a]/P[S | B̂, b]·P[a | B̂]/P[b | B̂].
    """
    return "" if answer.witness is None else _lesson(answer.witness, answer)


def _lesson(witness: Witness, answer: Verdict, *, holds: bool = False) -> str:
    """Return what a comparison teaches the attacker, as a sentence; `holds` says that it is within the bound."""
    subject = subject_of(witness.record)
    named_theta = len(answer.model.thetas) > 1 and witness.distribution is not None
    start = f'If, in "{witness.distribution}", the attacker' if named_theta else "If the attacker"
    if isinstance(witness, SimulatorWitness):
        return _no_simulator(witness, answer)
    no_term_counts = witness.terms is not None and all(term.delta.is_zero for term in witness.terms)
    if witness.number is not None or witness.excess is not None or witness.kind == SCHEME or no_term_counts:
        return witness_words(witness, holds=holds, definition=answer.definition, asked=answer.epsilon)
    if witness.terms is not None:
        return _on_average(witness, start, subject)
    named = witness.databases is not None or witness.b is not None
    if witness.kind == "dependency" or not witness.event or not named:
        return witness_words(witness, holds=holds)
    event = event_text(witness.event)
    if witness.databases is not None:
        first, second = map(long_database, witness.databases)
        start = f"{start} knows that the database is {first} or {second}, and "
        then = _comparison_text(witness, f"it is {first}", f"it is {second}", f"it is not {second}")
        if find(answer.definition).recodes:
            return (
                f"{start}is told that the recoding is {event}, then {then.replace('She sees that', 'She is told that')}"
            )
        return f"{start}sees {event}, then {then}"
    start = f"{start} knows {_knowledge_words(witness.knowledge)}"
    if witness.output is not None:
        return _beliefs_compared(witness, start, subject)
    if witness.direction is not None:
        return _intervention(witness, start, subject)
    a, b = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    return f"{start}, and sees {event}, then {_comparison_text(witness, a, b, f'{subject} is not {witness.b}')}"


def _comparison_text(witness: Witness | Share, a: str, b: str, no: str) -> str:
    """Return what the event shows: that the second possibility is excluded, or the factor P/Q of the odds."""
    p, q = witness.probability_a, witness.probability_b
    if q == 0 and p is not None:
        return f"{no}. She sees that with probability {_plainly(p)} if {a}, and never if {b}."
    if not isinstance(p, Fraction) or not isinstance(q, Fraction):
        ends = map(_plainly, (p, q))
        return f"she sees that with probability {next(ends)} if {a}, and {next(ends)} if {b}."
    return (
        f"the odds that {a} rather than that {b} become {_plainly(p / q)} times as high. "
        f"She sees that with probability {_plainly(p)} if {a}, and {_plainly(q)} if {b}."
    )


def _intervention(witness: Witness, start: str, subject: str) -> str:
    """Return what an output tells of databases as they are, against the same with a record set to b (CDP)."""
    left, put = f"{subject} is left at {witness.a}", f"{subject} is set to {witness.b}"
    ways, no = (left, put), f"{subject} was not set to {witness.b}"
    if (witness.direction or "").startswith("counter"):
        ways, no = (put, left), f"{subject} was not left at {witness.a}"
    return (
        f"Databases with {subject} = {witness.a} are compared with the same databases after {put}. "
        f"{start}, and sees {event_text(witness.event or ())}, then {_comparison_text(witness, *ways, no)}"
    )


def _beliefs_compared(witness: Witness, start: str, subject: str) -> str:
    """Return what the attacker believes of a record after an output, by what the output came from (IBCDP)."""
    sources = ["came from the database as it is", f"came from the database after {subject} was set to {witness.b}"]
    if (witness.direction or "").startswith("counter"):
        sources.reverse()
    p, q = (_plainly(value or Fraction(0)) for value in (witness.probability_a, witness.probability_b))
    return (
        f"{start}, and sees {witness.output}, then her belief that {subject} is {event_text(witness.event or ())} is "
        f"{p} if {witness.output} {sources[0]}, and {q} if it {sources[1]}."
    )


def _on_average(witness: Witness, start: str, subject: str) -> str:
    """Return the knowledge value with the largest share of δ(ε), and the sum of all shares, as sentences."""
    a, b = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    term = max((term for term in witness.terms or () if not term.delta.is_zero), key=contribution)
    average = f"δ is {_plainly(witness.value)} {definite(witness.epsilon)}"
    if term.knowledge is None or term.knowledge == NOTHING:
        knows, total = "knows nothing", f"Her {average}."
    else:
        knowledge = _knowledge_words(term.knowledge)
        knows = f"happens to know {knowledge} (probability {_plainly(term.weight)} if {a})"
        total = f"On average over all that she may know, {average}."
    if term.probability_b is None:
        then = f"{subject} is not {witness.b}, which that knowledge excludes."
    else:
        then = _comparison_text(term, a, b, f"{subject} is not {witness.b}")
    return f"{start} {knows}, and sees {event_text(term.event)}, then {then} {total}"


def definite(epsilon: Epsilon) -> str:
    """Return `at ε = ln(2)`; for ε = ∞ `at every finite ε`, since then only impossible outputs count."""
    return "at every finite ε" if epsilon.is_infinite else f"at ε = {epsilon}"


def _knowledge_words(known: Label | None) -> str:
    text = knowledge_text(known)
    return "nothing" if text == "nothing" else f"B = {text}"


def _simulator(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return what a simulator that is close enough to the mechanism answers, in every context or in the first one."""
    if witness.simulator is None:
        return simulator_words(witness)
    alike = all_alike(witness.simulator)
    answers = contexts_text(witness.simulator if alike else witness.simulator[:1], alike=alike)
    told = "" if alike else "for instance, "
    return f"{_imitation(witness, answer)}. This simulator comes close enough to M: {told}{answers}."


def _no_simulator(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return why no simulator exists, as sentences: laws of the mechanism that no simulator can imitate at once."""
    first = next((test for test in witness.tests if test.forward), None)
    start = f"{_imitation(witness, answer)}."
    if witness.epsilon.is_infinite and first is not None:
        return (
            f"{start} Where the attacker knows {_knowledge_words(first.row.knowledge)}, and {_record(first)}, M "
            f"answers {event_text(first.event)} with probability {_plainly(_probability(first))}. The simulator may "
            "never answer that: all that it is told also fits a case in which M never does."
        )
    allowed = "any finite ε" if witness.epsilon.is_infinite else f"ε = {witness.epsilon}"
    if not witness.tests:
        return f"{start} Every simulator is further from M than {allowed} and δ = {exact_text(answer.delta)} allow."
    laws = "; ".join(
        f"where the attacker knows {_knowledge_words(test.row.knowledge)}, and {_record(test)}, M answers "
        f"{event_text(test.event)} with probability {_plainly(_probability(test))}"
        for test in witness.tests[:MOST_TESTS]
    )
    more = f"; and {len(witness.tests) - MOST_TESTS} more" if len(witness.tests) > MOST_TESTS else ""
    return (
        f"{start} No simulator is close to all of these output distributions: {laws}{more}. Whatever the simulator "
        f"answers, it needs a δ of {_plainly(witness.value)} or more {beyond(witness.epsilon, answer.epsilon)}."
    )


def _imitation(witness: SimulatorWitness, answer: Verdict) -> str:
    """Return what is compared, as a clause: the mechanism with a simulator, and what this is not told."""
    if answer.reading == INDEX_FREE:
        return "The mechanism M is compared with a simulator, which is told the multiset of all records but one"
    records = {subject_of(test.row.record) for test in witness.tests}
    hidden = records.pop() if len(records) == 1 else "one record"
    return f"The mechanism M is compared with a simulator, which is told every record but {hidden}"


def _record(test: Weighted) -> str:
    return f"{subject_of(test.row.record)} = {test.row.a}"


def _probability(test: Weighted) -> Fraction:
    """Return the probability of a test's event under the law of the mechanism."""
    return sum((test.row.law.get(output, Fraction(0)) for output in test.event), Fraction(0))


def _plainly(value: Fraction | Value | None) -> str:
    """Return a number for a sentence: exact with its decimal, or the decimal alone where the exact form is long."""
    return with_decimal(value, most=MOST_SPOKEN, longer="about {decimal}")


@dataclass(frozen=True)
class Refuted:
    """Definitions that one witness refutes, the witness as a sentence to read, and in `words` with all numbers."""

    names: tuple[str, ...]
    sentence: str
    words: str

    @property
    def headline(self) -> str:
        """The sentence that names the definitions that fail."""
        return f"{' and '.join(self.names)} {'fail' if len(self.names) > 1 else 'fails'}."


def refutations(answers: Sequence[Verdict]) -> list[Refuted]:
    """Return each witness once with all definitions that it refutes; a tail form is left out beside its definition."""
    failed = [find(answer.definition) for answer in answers if answer.verdict == "fails"]
    by_witness = collected(
        (witness_words(answer.witness, definition=answer.definition, asked=answer.epsilon), answer)
        for answer in answers
        if answer.witness is not None and not any(tail_of(find(answer.definition), definition) for definition in failed)
    )
    return [
        Refuted(tuple(answer.definition for answer in group), in_words(group[0]), words)
        for words, group in by_witness.items()
    ]
