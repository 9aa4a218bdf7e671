"""The evidence of an answer as sentences with all numbers, so that readers can recompute them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from heapq import nlargest
from itertools import groupby

from verifier.definitions import find
from verifier.definitions.centres.simulator_ddp import SimulatorWitness, Weighted
from verifier.definitions.measures.divergence import measure_title
from verifier.definitions.scheme import KIND as SCHEME
from verifier.definitions.witness import Compared, Share, Witness
from verifier.model import NOTHING, subject_of
from verifier.model import counted as big
from verifier.numbers import Delta, Enclosure, Epsilon, FieldElement, Value, element_text, with_decimal
from verifier.questions.losses import KnowledgeLoss
from verifier.simulators import ContextAnswer
from verifier.tables import Label, values_text

MOST_ENTRIES, MOST_TERMS, MOST_FIGURES = 24, 8, 120
"""Longest list, longest sum and longest exact number that are written out in words."""
MOST_TOLD, MOST_TESTS, MOST_DIGITS = 6, 6, 60
"""Most contexts, tests and characters of a number of a simulator that are written out in words; `--json` has all."""


def knowledge_text(known: Label | None) -> str:
    """Return a knowledge value as text; a long list by its runs of equal entries."""
    if known is None or known == NOTHING:
        return "nothing"
    return runs([entry.text for entry in known.entries]) if known.entries is not None else known.text


def knowledge_title(losses: KnowledgeLoss, *, several: bool = True) -> str:
    """Return what is known, with its probability, as the title of its losses; of `several` θ the name goes first."""
    known = knowledge_text(losses.knowledge)
    chance = with_decimal(losses.probability, 24)
    words = "nothing is known" if known == "nothing" else f"B = {known}, of probability {chance}"
    return f'"{losses.distribution}": {words}' if several else words


def runs(texts: Sequence[str]) -> str:
    """Return a list as text; more than 24 entries are written as runs of equal entries.

    >>> runs(["0", "1"]), runs(["0"] * 30 + ["1"])
    ('[0,1]', '[30 × 0, 1]')
    """
    if len(texts) <= MOST_ENTRIES:
        return "[" + ",".join(texts) + "]"
    pieces = []
    for text, group in groupby(texts):
        times = len(list(group))
        pieces.append(f"{times} × {text}" if times > 1 else text)
    listed = pieces if len(pieces) <= MOST_ENTRIES else [*pieces[:MOST_ENTRIES], "…"]
    return "[" + ", ".join(listed) + "]"


def long_database(database: Sequence[Label]) -> str:
    """Return a database as text; one of more than 24 records by its runs of equal values."""
    return values_text(database) if len(database) <= MOST_ENTRIES else runs([value.text for value in database])


def event_text(event: Iterable[Label]) -> str:
    """Return a set of outputs as text: `3`, or `3 or ⊥`."""
    texts = [output.text if len(output.text) <= MOST_FIGURES else knowledge_text(output) for output in event]
    if not texts:
        return "nothing (the empty event)"
    if len(texts) > 12:
        texts = [*texts[:12], f"… ({len(texts)} outputs)"]
    return ", ".join(texts[:-1]) + " or " + texts[-1] if len(texts) > 1 else texts[0]


def witness_words(witness: Witness, *, holds: bool = False, definition: str = "", asked: Epsilon | None = None) -> str:
    """Return the comparison of a witness and its event as sentences with all numbers: P, Q and P - e^ε·Q.

    `definition` is its name; `safe` compares which recoding is chosen, which is not published (LQS12, Definition 3.10).
    `asked` is the question's ε; tests of a simulator are shown at a larger one, where it has a rational e^ε.
    """
    if isinstance(witness, SimulatorWitness):
        return simulator_words(witness, asked)
    if witness.kind == SCHEME:
        chances = tuple(amount(share or Fraction(0)) for share in (witness.probability_a, witness.probability_b))
        return scheme_words(witness, amount(witness.value), event_text(witness.event or ()), (chances[0], chances[1]))
    who = f'In "{witness.distribution}", ' if witness.distribution is not None else ""
    subject = subject_of(witness.record)
    if witness.databases is not None:
        first, second = map(long_database, witness.databases)
        start = f"On the databases {first} and {second}"
        laws = (
            (f"A_m({first})", f"A_m({second})")
            if definition and find(definition).recodes
            else (f"M({first})", f"M({second})")
        )
    elif witness.output is not None:
        return posterior_words(witness, who)
    elif witness.kind == "dependency":
        start = (
            f"{who}given {_knowledge_phrase(witness)}".rstrip(" ,")
            + f", {witness.direction}, {subject} = {witness.a} against {witness.b}"
        )
        laws = f"{subject} = {witness.a}", "the measure R = P·e^(-Dep)"
    elif witness.direction is not None:
        start = f"{who}given {_knowledge_phrase(witness)}{subject} = {witness.a}"
        laws = "M(D)", f"M(D with {subject} set to {witness.b})"
        if witness.direction.startswith("counter"):
            laws = laws[1], laws[0]
    else:
        start = f"{who}given {_knowledge_phrase(witness)}".rstrip(" ,")
        laws = f"{subject} = {witness.a}", f"{subject} = {witness.b}"
    if witness.number is not None:
        return _divergence_words(witness, witness.number, start, laws)
    if witness.terms is not None:
        counting = [term for term in witness.terms if not term.delta.is_zero]
        largest = nlargest(MOST_TERMS, counting, key=contribution)
        premise = f"{subject} = {witness.a}"
        terms = "; ".join(
            f"B = {knowledge_text(term.knowledge)}{_alike(term)}, P[B | {premise}] = {amount(term.weight)}: "
            f"δ {amount(term.delta)} from seeing {event_text(term.event)}, {_chances(term, witness.measure)}"
            for term in counting
            if term in largest
        )
        if len(counting) > MOST_TERMS:
            terms += f"; and {len(counting) - MOST_TERMS} smaller ones"
        who = who or "In the distribution, "
        total = f"{who}{laws[0]} against {laws[1]}, on average over what the attacker knows: δ(ε) = "
        return f"{total}{amount(witness.value)} at ε = {witness.epsilon}. " + (
            f"The terms that count: {terms}." if terms else "No term counts."
        )
    if witness.probability_a is None:
        against = f"{laws[0]} against {laws[1]}"
        average = f"{who}{against}, on average over what the attacker knows"
        return f"{average}: δ(ε) is in {witness.value} at ε = {witness.epsilon}."
    p = amount(witness.probability_a)
    if witness.probability_b is None:
        return f"{start}: {laws[1]} is impossible, so that every output counts against {laws[0]}."
    q = amount(witness.probability_b)
    seen = "the recoding is" if definition and find(definition).recodes else "the attacker sees"
    words = (
        f"{start}, {seen} {event_text(witness.event or ())} with "
        f"probability P = {p} under {laws[0]} and Q = {q} under {laws[1]}"
    )
    if witness.epsilon.is_infinite:
        return f"{words}: only the first can produce it."
    if witness.measure == "tail":
        return f"{words}: the loss of each is {'at least' if holds else 'above'} ε = {witness.epsilon}."
    more = "" if holds else ", more than δ"
    return f"{words}: P - e^ε·Q = {amount(witness.value)} at ε = {witness.epsilon}{more}."


def _divergence_words(witness: Witness, value: Epsilon | Enclosure, start: str, laws: tuple[str, str]) -> str:
    """Return the two laws and their divergence; of an average also each knowledge value with its weight."""
    title = measure_title(witness.measure)
    divergence = f"the {title} of the first distribution from the second is {amount(value)}"
    if witness.parts is None:
        return f"{start}, {laws[0]} against {laws[1]}: {divergence}."
    premise = f"{subject_of(witness.record)} = {witness.a}"
    listed = "; ".join(
        f"B = {knowledge_text(share.knowledge)}, P[B | {premise}] = {amount(share.weight)}: {amount(share.divergence)}"
        for share in witness.parts[:MOST_TERMS]
    )
    more = f"; and {len(witness.parts) - MOST_TERMS} more" if len(witness.parts) > MOST_TERMS else ""
    where = f'In "{witness.distribution}", ' if witness.distribution is not None else ""
    average = f"{where}{laws[0]} against {laws[1]}, on average over what the attacker knows"
    return f"{average}: {divergence}. The terms: {listed}{more}."


def posterior_words(witness: Witness, who: str) -> str:
    """Return the attacker's two posterior beliefs about a record after one output, as a sentence."""
    subject = subject_of(witness.record)
    sides = ["M(D)", f"M(D with {subject} set to {witness.b})"]
    if (witness.direction or "").startswith("counter"):
        sides.reverse()
    if isinstance(witness.value, Epsilon):
        beliefs = f"{sides[0]} = {witness.output}", f"{sides[1]} = {witness.output}"
        return _divergence_words(witness, witness.value, f"{who}given {_knowledge_phrase(witness)}{subject}", beliefs)
    p, q = (amount(value or Fraction(0)) for value in (witness.probability_a, witness.probability_b))
    words = (
        f"{who}given {_knowledge_phrase(witness)}{subject} is {event_text(witness.event or ())} with "
        f"probability P = {p} after {sides[0]} = {witness.output} and Q = {q} after {sides[1]} = {witness.output}"
    )
    if witness.epsilon.is_infinite:
        return f"{words}: only the first leaves it possible."
    return f"{words}: P - e^ε·Q = {amount(witness.value)} at ε = {witness.epsilon}."


def _chances(term: Share, measure: str) -> str:
    """Return the probabilities P and Q of a term's event, from which its δ follows."""
    p = amount(term.probability_a)
    if term.probability_b is None:
        return f"P = {p}, and the other value is impossible"
    if measure == "tail":
        return f"P = {p}"
    return f"P = {p} and Q = {amount(term.probability_b)}"


def contribution(term: Share) -> Delta:
    """Return the share of one knowledge value in an average: its weight times its δ."""
    return Delta(term.weight * term.delta.a, term.weight * term.delta.b, term.delta.epsilon)


def _alike(term: Share) -> str:
    return f" (and {big(term.members - 1)} more alike)" if term.members > 1 else ""


def amount(value: Fraction | Value) -> str:
    """Return a number with its decimal; a long one as its decimal alone, since `--json` has it exactly."""
    return with_decimal(value, most=MOST_FIGURES)


def _knowledge_phrase(witness: Witness) -> str:
    known = knowledge_text(witness.knowledge)
    return "no knowledge, " if known == "nothing" else f"the knowledge B = {known}, "


def scheme_words(witness: Witness, amount: str, event: str, chances: tuple[str, str]) -> str:
    """Return sentences that name the two laws, then their divergence, or the event that separates them.

    `amount` is the value of the witness as text, `event` its outputs, `chances` their probabilities.
    """
    compared = witness.compared or Compared(f"{witness.direction or 'The two distributions'}:")
    laws = compared.sentence
    if isinstance(witness.value, Epsilon | Enclosure) and not isinstance(witness.value, Delta):
        return f"{laws} The {measure_title(witness.measure)} of the first from the second is {amount}."
    if witness.event is None:
        return f"{laws} Here δ(ε) = {amount} at ε = {witness.epsilon}."
    subject, (first, second) = compared.subject or f"The output {event} has", compared.sides
    start = f"{laws} {subject} the probability P = {chances[0]} {first} and Q = {chances[1]} {second}"
    if witness.epsilon.is_infinite:
        return f"{start}: only the first can produce it."
    if witness.measure == "tail":
        return f"{start}: the loss of each output is at least ε = {witness.epsilon}."
    return f"{start}: P - e^ε·Q = {amount} at ε = {witness.epsilon}."


def beyond(epsilon: Epsilon, asked: Epsilon | None) -> str:
    """Return `at ε = ln(2)`, or where tests are shown at a larger ε than the asked one, that they are.

    >>> from verifier.numbers import epsilon
    >>> beyond(epsilon("ln(5/3)"), epsilon("1/2")), beyond(epsilon("1/2"), epsilon("1/2"))
    ('even at the larger ε = ln(5/3)', 'at ε = 1/2')
    """
    if epsilon.is_infinite:
        return "at every finite ε"
    is_larger = asked is not None and asked < epsilon
    return f"even at the larger ε = {epsilon}" if is_larger else f"at ε = {epsilon}"


def simulator_words(witness: SimulatorWitness, asked: Epsilon | None = None) -> str:
    """Return a simulator and the tests that prove its ε to be the smallest, or tests that no simulator passes.

    `asked` is the question's ε: tests at a larger one say so.
    """
    tests = "; ".join(_test(test) for test in witness.tests[:MOST_TESTS])
    if len(witness.tests) > MOST_TESTS:
        tests += f"; and {len(witness.tests) - MOST_TESTS} more"
    where = "" if witness.epsilon.is_infinite else f" at ε = {witness.epsilon}"
    if witness.simulator is not None:
        words = f"This simulator is enough{where}, δ = {witness.value}: {contexts_text(witness.simulator)}"
        if not tests:
            return f"{words}."
        return (
            f"{words}. No smaller ε is enough, since the sum of these tests is at least δ for every simulator: {tests}."
        )
    if witness.why and not tests:
        return f"{witness.why.capitalize()}."
    if witness.why:
        return f"No simulator is enough at any ε: {witness.why}. The tests: {tests}."
    where = "" if witness.epsilon.is_infinite else f" {beyond(witness.epsilon, asked)}"
    return (
        f"No simulator passes these tests{where}: for every simulator their sum is at least {witness.value}, which is "
        f"more than δ, and a simulator that is enough has at most δ. The tests: {tests}."
    )


def contexts_text(answers: tuple[ContextAnswer, ...], *, alike: bool = True) -> str:
    """Return what a simulator answers in each context, as a clause; `alike` lets it say `in every context`."""
    if alike and all_alike(answers):
        return f"in every context it answers {_law(answers[0])}"
    listed = "; ".join(f"{_context(answer)} it answers {_law(answer)}" for answer in answers[:MOST_TOLD])
    return listed + (f"; and {len(answers) - MOST_TOLD} more contexts" if len(answers) > MOST_TOLD else "")


def all_alike(answers: tuple[ContextAnswer, ...]) -> bool:
    """Whether a simulator answers the same in every context; it stops at the first other law, and hashes none."""
    return all(answer.law == answers[0].law for answer in answers)


def _context(answer: ContextAnswer) -> str:
    values = [value.text for value in answer.others]
    words = f"told [{', '.join(values[:12])}{', …' if len(values) > 12 else ''}]"
    if answer.context.record is not None:
        words += f" without record {answer.context.record}"
    if answer.context.distribution is not None:
        words += f', θ = "{answer.context.distribution}"'
    if answer.context.knowledge is not None and answer.context.knowledge != NOTHING:
        words += f", B = {answer.context.knowledge}"
    return words


def _law(answer: ContextAnswer) -> str:
    if len(answer.law) == 1:
        return answer.law[0][0].text
    more = f", … ({len(answer.law)} outputs)" if len(answer.law) > MOST_TOLD else ""
    return ", ".join(f"{output} with {_number(probability)}" for output, probability in answer.law[:MOST_TOLD]) + more


def _test(test: Weighted) -> str:
    event = ", ".join(output.text for output in test.event[:12]) + (", …" if len(test.event) > 12 else "")
    known = "" if test.row.knowledge == NOTHING else f", B = {test.row.knowledge}"
    row = f'{{{event}}} in "{test.row.distribution}"{known}, D({test.row.record}) = {test.row.a}'
    first, second = ("M", "Sim") if test.forward else ("Sim", "M")
    return f"{_number(test.weight)} × (P[{first}] - e^ε·P[{second}]) of {row}"


def _number(value: object) -> str:
    text = value if isinstance(value, str) else element_text(value)  # type: ignore[arg-type]
    if isinstance(value, FieldElement):
        text = f"({text}, E = e^ε)"
    if len(text) <= MOST_DIGITS:
        return text
    return f"a number of {len(text)} characters"
